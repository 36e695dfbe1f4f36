"""Whole campaigns on scripted systems: the shapes that the one loop must carry, and what it promises."""

from __future__ import annotations

import asyncio
import json
import os
import random
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import mutatis
from mutatis.core.cases import Case, Derivation, Step, Turn
from mutatis.core.constraint import Constraint, Precondition, Stage
from mutatis.core.decision import Outcome
from mutatis.core.relation import RELATIONS, Grouping, MetamorphicRelation
from mutatis.core.search import Measurements, Proposal, Source
from mutatis.core.system import Conversation
from mutatis.core.verdict import Verdict
from mutatis.relations.output import Different, Equal, InnerConsistency
from mutatis.testing import ScriptedSystem

ENGINE = os.environ.get("MUTATIS_TEST_ENGINE", "local")
"""Which engine runs these campaigns; `test_ray.py` runs all of them on the other one."""

HERE = pytest.mark.skipif(ENGINE != "local", reason="looks into the system, which works elsewhere then")


@pytest.fixture(autouse=True)
def on_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    if ENGINE != "local":
        run, engine = mutatis.run, {"engine": ENGINE, "workers": 1}
        monkeypatch.setattr(
            mutatis,
            "run",
            lambda *positional, settings=None, **more: run(
                *positional, settings={**engine, **(settings or {})}, **more
            ),
        )


@pytest.fixture(autouse=True, scope="module")
def one_cluster() -> Iterator[None]:
    if ENGINE != "local":
        from mutatis.assembly.replicas import cluster

        where = cluster(2, None)
        yield
        where.ray.shutdown()
    else:
        yield


def unevenly(answer: Callable[[Conversation], str]) -> Callable[[Conversation], Awaitable[str]]:
    """Answer as `answer` does, each time after another number of turns of the event loop."""
    draw = random.Random(1)

    async def later(conversation: Conversation) -> str:
        for _ in range(draw.randrange(20)):
            await asyncio.sleep(0)
        return answer(conversation)

    return later


def reviews(number: int = 6) -> list[Case]:
    return [
        Case(id=f"reviews/{i}", turns=(Turn(fields={"text": f"film number {i} was lovely."}),)) for i in range(number)
    ]


def dialogues(number: int = 2, turns: int = 5) -> list[Case]:
    return [
        Case(
            id=f"talk/{n}",
            turns=tuple(
                Turn(fields={"question": f"What about {n} and {i}?"}, expected=(f"{n}.{i}",)) for i in range(turns)
            ),
            material={"story": "A story."},
        )
        for n in range(number)
    ]


def relation(name: str, transformation: str, **more: Any) -> MetamorphicRelation:
    return MetamorphicRelation.of(
        name=name,
        transformations=(Step(transformation=transformation),),
        output_relation=more.pop("output_relation", Equal()),
        tasks=("sentiment",),
        **more,
    )


def outcomes(run: mutatis.Run, name: str) -> dict[str, int]:
    row = next(row for row in run.summary if row["relation"] == name)
    return {key: row[key] for key in ("satisfied", "violated", "invalid", "error")}


def test_a_perfect_system_yields_nothing() -> None:
    run = mutatis.run(
        ScriptedSystem(lambda _: "0.9"), reviews(), ["upper-case", "add-spaces", "leet"], task="sentiment"
    )
    assert all(row["violated"] == 0 and row["satisfied"] == 6 for row in run.summary)
    assert run.findings == []
    run.check()


def test_a_planted_bug_is_found_and_explained() -> None:
    shouting = ScriptedSystem(lambda c: "0.1" if c.fields["text"].isupper() else "0.9")
    run = mutatis.run(shouting, reviews(), ["upper-case", "add-spaces"], task="sentiment")
    assert outcomes(run, "upper-case") == {"satisfied": 0, "violated": 6, "invalid": 0, "error": 0}
    assert outcomes(run, "add-spaces")["violated"] == 0
    finding = run.findings[0]
    assert finding["relation"] == "upper-case"
    assert finding["source"]["response"]["text"] == "0.9"
    assert finding["followups"][0]["response"]["text"] == "0.1"
    assert finding["confirmed"] is True
    assert finding["followups"][0]["case"]["turns"][0]["fields"]["text"] == "FILM NUMBER 0 WAS LOVELY."
    with pytest.raises(mutatis.GateFailed, match="upper-case"):
        run.check()


@HERE
def test_a_source_is_asked_once_for_all_relations() -> None:
    system = ScriptedSystem(lambda _: "0.9")
    mutatis.run(system, reviews(1), ["upper-case", "leet", "add-spaces"], task="sentiment", settings={"confirm": 0})
    sources = [c for c in system.asked if c.fields["text"] == "film number 0 was lovely."]
    assert len(sources) == 2  # once in the run, once for the noise floor


@HERE
def test_preconditions_on_the_source_output_save_the_follow_up() -> None:
    system = ScriptedSystem(lambda _: "0.5")
    run = mutatis.run(system, reviews(3), ["exclamation"], task="sentiment", settings={"confirm": 0})
    assert outcomes(run, "exclamation") == {"satisfied": 0, "violated": 0, "invalid": 3, "error": 0}
    assert not any("!" in c.fields["text"] for c in system.asked)


def test_an_unchanged_follow_up_is_invalid_and_not_asked() -> None:
    cases = [Case(id="r/0", turns=(Turn(fields={"text": "ALREADY LOUD"}),))]
    system = ScriptedSystem(lambda _: "0.9")
    run = mutatis.run(system, cases, ["upper-case"], task="sentiment")
    assert outcomes(run, "upper-case")["invalid"] == 1
    assert run.summary[0]["unchanged"] == 1
    [told] = [check for check in run.report.health if check.name == "never-matched"]
    assert told.message == "none of 1 follow-ups could be judged, most often: the follow-up equals its source"


def test_constraints_belong_to_the_relation() -> None:
    never = Constraint(name="never", check=lambda source, follow_up: False)
    strict = relation("strict-upper", "upper-case", constraints=(never,))
    run = mutatis.run(ScriptedSystem(lambda _: "0.9"), reviews(2), [strict, "upper-case"], task="sentiment")
    assert outcomes(run, "strict-upper") == {"satisfied": 0, "violated": 0, "invalid": 2, "error": 0}
    assert outcomes(run, "upper-case")["satisfied"] == 2


def test_a_failing_precondition_names_itself(tmp_path: Path) -> None:
    condition = Precondition(name="long enough", stage=Stage.SOURCE_INPUT, check=lambda e: False)
    picky = relation("picky", "upper-case", preconditions=(condition,))
    mutatis.run(ScriptedSystem(lambda _: "0.9"), reviews(1), [picky], task="sentiment", out=tmp_path)
    [line] = [json.loads(text) for text in (tmp_path / "verdicts.jsonl").read_text().splitlines()]
    assert line["outcome"] == "invalid"
    assert line["precondition"] == "source input: long enough"


def test_question_groups_are_judged_over_all_versions_of_a_question() -> None:
    asked_before: set[str] = set()

    def forgetful(conversation: Conversation) -> str:
        question = conversation.fields["question"]
        repeated = any(fields["question"] == question for fields, _ in conversation.history)
        asked_before.add(question)
        return "something else entirely" if repeated else f"the answer to {question}"

    consistent = MetamorphicRelation.of(
        name="agrees-with-itself",
        transformations=(Step(transformation="round-duplication"), Step(transformation="round-shuffle")),
        output_relation=InnerConsistency(),
        tasks=("dialogue",),
        grouping=Grouping.QUESTION,
        when=lambda turn: "equivalent",
        needs={"equivalent": 2},
        unchanged="keep",
    )
    run = mutatis.run(ScriptedSystem(forgetful), dialogues(), [consistent], task="dialogue")
    counts = outcomes(run, "agrees-with-itself")
    # Two dialogues of five questions: floor(0.2 * 5) = 1 question of each is asked twice in one follow-up.
    assert counts == {"satisfied": 8, "violated": 2, "invalid": 0, "error": 0}


def test_a_failed_turn_breaks_the_history_of_the_rest() -> None:
    def failing(conversation: Conversation) -> str:
        if conversation.fields["question"] == "What about 0 and 2?":
            raise mutatis.SystemFailure("boom")
        return "fine"

    kept = MetamorphicRelation.of(
        name="kept",
        transformations=(Step(transformation="identity-order"),),
        output_relation=Equal(),
        tasks=("dialogue",),
        unchanged="keep",
    )
    run = mutatis.run(ScriptedSystem(failing), dialogues(), [kept], task="dialogue")
    assert outcomes(run, "kept") == {"satisfied": 7, "violated": 0, "invalid": 0, "error": 3}


class Learner:
    """Asks in batches of two and remembers in which order it was told."""

    learns = True

    def __init__(self, sources: Sequence[Source]) -> None:
        steps = (Step(transformation="leet", parameters={"share": 0.5}),)
        self._left = [
            Proposal(source=s, derivation=Derivation(source=s.case.id, steps=steps, variant=("text",))) for s in sources
        ]
        self.asked: list[str] = []
        self.told: list[tuple[str, list[Outcome]]] = []

    def ask(self) -> Sequence[Proposal]:
        assert len(self.told) == len(self.asked), "a batch was asked for before the last one was told"
        batch, self._left = self._left[:2], self._left[2:]
        self.asked += [proposal.source.case.id for proposal in batch]
        return batch

    def tell(self, proposal: Proposal, verdicts: Sequence[Verdict], measurements: Measurements) -> None:
        self.told.append((proposal.source.case.id, [verdict.outcome for verdict in verdicts]))


def test_a_learner_is_told_in_the_order_it_asked() -> None:
    cases = reviews(7)
    chosen = (RELATIONS["leet"],)
    search = Learner([Source(case=replace(case, task="sentiment"), relations=chosen) for case in cases])
    mutatis.run(ScriptedSystem(unevenly(lambda _: "0.9")), cases, ["leet"], task="sentiment", search=search)
    assert [name for name, _ in search.told] == search.asked == [case.id for case in cases]
    assert all(outcomes == [Outcome.SATISFIED] for _, outcomes in search.told)


@pytest.mark.parametrize("max_queries", [None, 50])
def test_a_search_with_a_note_hears_under_a_budget_which_proposals_were_asked(max_queries: int | None) -> None:
    noted: list[tuple[str, bool]] = []

    class Noting(Learner):
        def note(self, proposal: Proposal, *, asked: bool) -> None:
            assert proposal.source.case.id not in dict(self.told), "it hears of a proposal before its verdicts"
            noted.append((proposal.source.case.turns[0].fields["text"], asked))

    cases = mutatis.cases(["a sea of tea", "!!!", "a lost sole"], task="sentiment")  # nothing in "!!!" can be changed
    search = Noting([Source(case=case, relations=(RELATIONS["leet"],)) for case in cases])
    mutatis.run(ScriptedSystem({"*": "0.9"}), cases, ["leet"], search=search, max_queries=max_queries)
    heard = [("a sea of tea", True), ("!!!", False), ("a lost sole", True)]
    assert noted == (heard if max_queries else [])


def test_running_again_pays_nothing_and_gives_the_same_verdicts(tmp_path: Path) -> None:
    moody = lambda c: "0.9" if len(c.fields["text"]) % 3 else "0.2"  # noqa: E731
    first, again = ScriptedSystem(moody), ScriptedSystem(moody)
    relations = ["upper-case", "add-spaces", "add-characters"]
    first_run = mutatis.run(
        first, reviews(), relations, task="sentiment", store=tmp_path / "s.db", out=tmp_path / "one"
    )
    two = mutatis.run(again, reviews(), relations, task="sentiment", store=tmp_path / "s.db", out=tmp_path / "two")
    assert again.asked == []
    assert two.report["run"]["queries"]["paid"] == 0
    assert two.report["run"]["queries"]["oldest"] is not None
    assert first_run.report["summary"] == two.report["summary"]
    assert (tmp_path / "one/verdicts.jsonl").read_bytes() == (tmp_path / "two/verdicts.jsonl").read_bytes()


def test_concurrency_never_changes_a_verdict() -> None:
    answer = lambda c: f"{len(c.fields['text']) % 7 / 7:.2f}"  # noqa: E731
    runs = [
        mutatis.run(ScriptedSystem(system), reviews(20), ["add-characters", "leet"], task="sentiment")
        for system in (answer, unevenly(answer))
    ]
    assert runs[0].report["summary"] == runs[1].report["summary"]
    assert [f["id"] for f in runs[0].findings] == [f["id"] for f in runs[1].findings]


def test_an_undecided_coin_is_caught_by_the_noise_floor_and_marked_flaky() -> None:
    coin = random.Random(3)
    run = mutatis.run(
        ScriptedSystem(lambda _: coin.choice(["0.1", "0.9"])), reviews(30), ["upper-case"], task="sentiment"
    )
    row = run.summary[0]
    assert row["noise_floor"] > 0.2
    assert row["flaky"] > 0
    assert any(check["name"] == "not-deterministic" for check in run.report["health"])


def test_a_constant_system_is_called_what_it_is() -> None:
    run = mutatis.run(ScriptedSystem(lambda _: "0.9"), reviews(30), ["upper-case"], task="sentiment")
    assert any(check["name"] == "constant-output" for check in run.report["health"])


def test_one_question_is_enough_to_hear_that_its_follow_ups_are_answered_alike() -> None:
    bot = ScriptedSystem(lambda _: "I did not understand that.", "bot")
    names = ["upper-case", "lower-case", "leet", "add-spaces"]
    run = mutatis.run(bot, ["Do you deliver on Saturdays?"], names, settings={"noise_floor": 0})
    [told] = [check.message for check in run.report.health if check.name == "constant-output"]
    assert told.startswith("5 of 5 answers to sources and follow-ups are 'I did not understand that.'")
    fewer = mutatis.run(bot, ["Do you deliver on Saturdays?"], names[:3], settings={"noise_floor": 0})
    assert not [check for check in fewer.report.health if check.name == "constant-output"]


@HERE
def test_the_budget_stops_the_run_and_says_so() -> None:
    system = ScriptedSystem(lambda _: "0.9")
    run = mutatis.run(system, reviews(30), ["upper-case"], task="sentiment", max_queries=20)
    assert 18 <= len(system.asked) <= 20
    [warning] = [check for check in run.report["health"] if check["name"] == "budget"]
    assert warning["message"].startswith("the run is not complete: the budget of 20 queries is spent on search 1")


def test_a_violation_shrinks_to_the_one_edit_that_matters() -> None:
    text = "alpha beta gamma delta epsilon zeta eta theta iota kappa"
    case = Case(id="r/0", turns=(Turn(fields={"text": text}),))
    fragile = ScriptedSystem(lambda c: "0.9" if "gamma" in c.fields["text"] else "0.1")
    run = mutatis.run(fragile, [case], ["upper-case"], task="sentiment")
    shrunk = run.findings[0]["shrunk"]["case"]["turns"][0]["fields"]["text"]
    changed = [a for a, b in zip(text.split(), shrunk.split(), strict=True) if a != b]
    assert "gamma" in changed
    assert len(changed) <= 5


def test_shrinking_never_loses_or_doubles_what_a_relation_only_moved_or_split() -> None:
    text = "Ann left early today. Ben stayed until noon. Eve came by bright and late train. Tom slept all day."
    case = Case(id="r/0", turns=(Turn(fields={"text": text}),))
    fragile = ScriptedSystem(lambda c: "0.9" if c.fields["text"] == text else "0.1")
    moved = MetamorphicRelation.of(
        name="moved",
        transformations=(Step(transformation="shuffle-sentences"),),
        output_relation=RELATIONS["add-spaces"].output_relation,
        tasks=("sentiment",),
        variants={"sentiment": (("text",),)},
    )
    run = mutatis.run(fragile, [case], ["add-spaces", moved], task="sentiment")
    findings = {finding["relation"]: finding for finding in run.findings}
    assert set(findings) == {"add-spaces", "moved"}
    for finding in findings.values():
        made = finding["shrunk"] or finding["followups"][0]
        letters = made["case"]["turns"][0]["fields"]["text"].replace(" ", "")
        assert sorted(letters) == sorted(text.replace(" ", ""))


def test_two_systems_share_follow_ups_and_are_judged_apart() -> None:
    good, bad = (
        ScriptedSystem(lambda _: "0.9", "good"),
        ScriptedSystem(lambda c: "0.1" if c.fields["text"].isupper() else "0.9", "bad"),
    )
    made: list[str] = []

    def listen(event: object) -> None:
        if isinstance(event, Verdict):
            made.append(event.system)

    run = mutatis.run([good, bad], reviews(4), ["upper-case"], task="sentiment", on_event=listen)
    assert {row["system"]: row["violated"] for row in run.summary} == {"good": 0, "bad": 4}
    assert made.count("good") == made.count("bad") == 4


def test_a_difference_relation_does_not_accept_a_refusal() -> None:
    case = Case(id="q/0", turns=(Turn(fields={"context": "Ann was happy.", "question": "Was Ann happy?"}),))
    refusing = ScriptedSystem(
        lambda c: "yes" if "happy." in c.fields["context"] else "I'm sorry, but I can't help with that."
    )
    opposite = MetamorphicRelation.of(
        name="lower",
        transformations=(Step(transformation="antonyms-lexicon"),),
        output_relation=Different(),
        tasks=("question-answering",),
        variants={"question-answering": (("context",),)},
        preconditions=RELATIONS["antonyms-lexicon"].preconditions,
    )
    run = mutatis.run(refusing, [case], [opposite], task="question-answering")
    assert outcomes(run, "lower")["invalid"] == 1
