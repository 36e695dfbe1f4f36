from __future__ import annotations

import asyncio

import pytest

from mutatis.context import ContextCheck, ContextDecision
from mutatis.context.extractors import extractor
from mutatis.core.cases import Case, Derivation, Turn
from mutatis.core.errors import UsageError


class Counting:
    """An extractor that counts its dialogues and calls everything equivalent."""

    name = "counting"
    needs_helper = False

    def __init__(self, fail_first=False):
        self.seen = []
        self.fail_first = fail_first

    async def extract(self, dialogue, helper):
        self.seen.append(dialogue.id)
        await asyncio.sleep(0)
        if self.fail_first and len(self.seen) == 1:
            raise RuntimeError("a passing fault")
        return self

    def judge(self, order, options):
        return [ContextDecision(status="equivalent", check="test") for _ in order]


def many(cases, count):
    return [cases.dialogue_case([f"Who is number {k}?", "Is he old?"], name=f"tests/{k}") for k in range(count)]


def test_annotations_have_the_agreed_names(cases):
    annotated = asyncio.run(ContextCheck().annotate(cases.LIGHTHOUSE, cases.reordered(cases.LIGHTHOUSE, [1, 0, 2])))
    assert len(annotated) == 3
    for notes in annotated:
        assert set(notes) == {"context", "context_check", "context_probability", "context_missing"}
    assert annotated[2]["context_check"] == "adjacency"
    assert annotated[2]["context"] == "altered"


def test_knowledge_is_extracted_once_per_seed_even_when_asked_at_once(cases):
    counting = Counting()
    check = ContextCheck(extractor=counting)
    seeds = many(cases, 3)

    async def ask():
        jobs = [check.annotate(seed, cases.reordered(seed, [1, 0])) for seed in seeds for _ in range(20)]
        return await asyncio.gather(*jobs)

    assert len(asyncio.run(ask())) == 60
    assert sorted(counting.seen) == ["tests/0", "tests/1", "tests/2"]


def test_knowledge_survives_the_loop_it_was_made_in(cases):
    counting = Counting()
    check = ContextCheck(extractor=counting)
    for _ in range(3):
        asyncio.run(check.annotate(cases.LIGHTHOUSE, cases.reordered(cases.LIGHTHOUSE, [0])))
    assert counting.seen == [cases.LIGHTHOUSE.id]


def test_the_cache_is_bounded(cases, monkeypatch):
    counting = Counting()
    monkeypatch.setattr("mutatis.context.check.CACHE_LIMIT", 2)
    check = ContextCheck(extractor=counting)
    for seed in [*many(cases, 3), many(cases, 3)[0]]:
        asyncio.run(check.annotate(seed, cases.reordered(seed, [0])))
    assert counting.seen == ["tests/0", "tests/1", "tests/2", "tests/0"]


def test_a_cancelled_follow_up_does_not_take_the_others_with_it(cases):
    counting = Counting()
    check = ContextCheck(extractor=counting)
    follow_up = cases.reordered(cases.LIGHTHOUSE, [0])

    async def ask():
        first = asyncio.create_task(check.annotate(cases.LIGHTHOUSE, follow_up))
        second = asyncio.create_task(check.annotate(cases.LIGHTHOUSE, follow_up))
        await asyncio.sleep(0)
        first.cancel()
        return await second

    assert len(asyncio.run(ask())) == 1
    assert len(counting.seen) == 1


def test_a_passing_fault_is_not_remembered(cases):
    check = ContextCheck(extractor=Counting(fail_first=True))
    follow_up = cases.reordered(cases.LIGHTHOUSE, [0])
    with pytest.raises(RuntimeError):
        asyncio.run(check.annotate(cases.LIGHTHOUSE, follow_up))
    assert asyncio.run(check.annotate(cases.LIGHTHOUSE, follow_up))[0]["context"] == "equivalent"


def test_same_id_with_other_texts_is_another_seed(cases):
    counting = Counting()
    check = ContextCheck(extractor=counting)
    for text in ("Who is Ann?", "Who is Bob?"):
        seed = cases.dialogue_case([text])
        asyncio.run(check.annotate(seed, cases.reordered(seed, [0])))
    assert len(counting.seen) == 2


@pytest.mark.parametrize(
    "options",
    [{"extractor": "offlin"}, {"dataset_check": "paper"}, {"undecided": "leave"}, {"needed": "our"}],
)
def test_unknown_names_get_the_nearest_valid_one(options):
    with pytest.raises(UsageError, match="did you mean"):
        ContextCheck(**options)


def test_extractors_say_whether_they_need_a_helper():
    assert {name: extractor(name).needs_helper for name in ("offline", "gold", "language-model")} == {
        "offline": False,
        "gold": False,
        "language-model": True,
    }


def test_a_follow_up_of_another_seed_is_refused(cases):
    wrong = cases.reordered(cases.LIGHTHOUSE, [0, 1])
    short = cases.dialogue_case(["Who is Ann?"])
    with pytest.raises(UsageError, match=r"turn 1 of .* 1 turns \(0 to 0\)"):
        asyncio.run(ContextCheck().annotate(short, wrong))


def test_turns_without_a_question_are_refused():
    seed = Case(id="tests/1", turns=(Turn(fields={"premise": "x"}),))
    with pytest.raises(UsageError, match="question"):
        asyncio.run(ContextCheck().annotate(seed, seed))


def test_an_empty_dialogue_has_nothing_to_say():
    empty = Case(id="tests/1", turns=(), derivation=Derivation(source="tests/1", steps=(), origin=()))
    assert asyncio.run(ContextCheck().annotate(Case(id="tests/1", turns=()), empty)) == []


def test_undecided_equivalent_leaves_no_third_verdict(cases):
    seed = cases.LIGHTHOUSE
    for order in ([5, 4, 3, 2, 1, 0], [3, 1, 0, 5, 2, 4], [4, 0, 1]):
        follow_up = cases.reordered(seed, order)
        three = asyncio.run(ContextCheck().annotate(seed, follow_up))
        two = asyncio.run(ContextCheck(undecided="equivalent").annotate(seed, follow_up))
        assert "undecided" not in {notes["context"] for notes in two}
        for before, after in zip(three, two, strict=True):
            if before["context"] == "undecided":
                assert after["context"] == "equivalent"


def test_same_questions_of_another_dialogue_are_another_seed(cases):
    counting = Counting()
    check = ContextCheck(extractor=counting)
    for name in ("tests/0", "tests/1"):
        seed = cases.dialogue_case(["Who is he?"], name=name)
        asyncio.run(check.annotate(seed, cases.reordered(seed, [0])))
    assert counting.seen == ["tests/0", "tests/1"]
