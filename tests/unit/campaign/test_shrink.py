"""The least perturbation that still violates: what is tried, in which order, and what must stay as it was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import pytest

from mutatis.campaign.events import PhaseStarted
from mutatis.campaign.shrink import shrink
from mutatis.core.cases import Case
from mutatis.core.decision import Outcome
from mutatis.core.parameters import Within
from mutatis.core.system import Conversation
from mutatis.core.transformation import TRANSFORMATIONS, transformation
from mutatis.testing import ScriptedHelper, ScriptedSystem
from support.parts import dialogue, finding, loop, pair, proposed, question, review, step

PREFIX = {"unit": "prefix", "protect": "nothing"}


def rater(wrong: Any) -> ScriptedSystem:
    """Says 0.1 of the texts that `wrong` names, else 0.9."""
    return ScriptedSystem(lambda c: "0.1" if wrong(c.fields["text"]) else "0.9")


async def shrunk(bot: Any, relation: Any, source: Case, *steps: Any, turn: int = 0, **more: Any) -> Any:
    """Shrink the finding of one follow-up by these steps; return it and what was asked for it."""
    on = loop(bot, **({"helper": more.pop("helper")} if "helper" in more else {}))
    violation = await finding(on, relation, source, proposed(source, [relation], *steps), turn=turn)
    before = len(bot.asked)
    await shrink(on, [violation], **more)
    return violation, bot.asked[before:]


async def test_lower_parameters_come_first_then_changed_words_and_nothing_equal_to_the_source_is_asked():
    bot = rater("AB CD".__eq__)
    violation, asked = await shrunk(bot, pair(), review("ab cd"), step("upper-case", share=1.0, **PREFIX))
    # Shares 0, 0.25 and 0.5 of five letters are none, one and two; then the first word put back, then the second.
    assert [c.fields["text"] for c in asked] == ["Ab cd", "AB cd", "ab CD"]
    assert violation.shrunk is None


async def test_what_still_violates_is_shrunk_further_until_one_change_is_left():
    violation, asked = await shrunk(
        rater(lambda text: "C" in text), pair(), review("ab cd"), step("upper-case", share=1.0, **PREFIX)
    )
    assert [c.fields["text"] for c in asked] == ["Ab cd", "AB cd", "ab CD"]
    assert violation.shrunk.asked.fields == {"text": "ab CD"}
    assert [s.transformation for s in violation.shrunk.case.derivation.steps] == ["upper-case", "restore"]
    assert violation.shrunk.answer == 0.1
    assert violation.shrunk.role == "follow-up"


async def test_a_shrunk_follow_up_is_judged_by_its_own_answer_and_has_its_own_reason():
    bot = ScriptedSystem(lambda c: {"AB CD": "0.1", "ab CD": "0.3"}.get(c.fields["text"], "0.9"))
    violation, _ = await shrunk(bot, pair(), review("ab cd"), step("upper-case", share=1.0, **PREFIX))
    assert violation.shrunk.answer == 0.3
    assert "0.3" in violation.shrunk_decision.reason
    assert "0.1" in violation.verdict.decided.reason
    assert violation.shrunk_decision.score > violation.verdict.decided.score


async def test_where_the_next_smaller_one_is_no_violation_the_one_before_it_stays_with_its_own_verdict():
    # Half of the words put back still violates; another quarter put back no longer does.
    bot = rater(lambda text: "EF GH" in text)
    violation, asked = await shrunk(bot, pair(), review("ab cd ef gh"), step("upper-case", share=1.0, **PREFIX))
    assert asked[-1].fields["text"] != "ab cd EF GH"
    assert violation.shrunk.asked.fields == {"text": "ab cd EF GH"}
    assert violation.shrunk_decision.outcome is Outcome.VIOLATED


async def test_of_edits_that_hang_together_none_is_put_back_alone():
    """An opening quotation mark without its closing one, a correction of a value that nobody said."""
    violation, asked = await shrunk(rater(lambda text: '"' in text), pair(), review("ab cd"), step("in-quotes"))
    assert (violation.shrunk, asked) == (None, [])


@pytest.mark.parametrize(
    ("right", "wrong", "reworded", "kept"),
    [
        ("The total is 864 euros.", "I don't understand that.", "You pay €864 in total, €72 a month.", False),
        ("The deposit is 177 euros.", "The deposit is 354 euros.", "We take €177.00 as a deposit.", False),
        ("The deposit is 177 euros.", "The deposit is 354 euros.", "I don't understand that.", False),
        ("Yes, that is possible.", "No, that is not possible.", "Sure, you can do that.", False),
        ("The total is 864 euros.", "I don't understand that.", "Please rephrase.", True),
        ("The deposit is 177 euros.", "The deposit is 354 euros.", "We take €354.00 as a deposit.", True),
    ],
)
async def test_a_smaller_follow_up_must_differ_in_the_same_ways_as_the_original(right, wrong, reworded, kept):
    """The judge here calls any other wording a violation."""
    replies = {"ab cd": right, "AB CD": wrong}
    bot = ScriptedSystem(lambda c: replies.get(c.fields["question"], reworded))
    violation, asked = await shrunk(bot, pair(), dialogue("ab cd"), step("upper-case", share=1.0, **PREFIX))
    assert asked
    assert (violation.shrunk is not None) is kept


@pytest.mark.parametrize(
    ("edit", "text"),
    [
        ("write-dates", "It ends on 2027-03-04, you said."),
        ("write-otherwise", "It ends on 2027-03-04, you said."),
        ("write-times", "I come at 6.30 p.m. today."),
        ("change-places", "I was in Paris and in Rome."),
        ("leading-question", "Do you accept credit cards?"),
    ],
)
async def test_a_value_or_question_that_was_rewritten_is_never_put_back_in_part(edit, text):
    bot = ScriptedSystem(lambda c: "0.9" if c.fields["text"] == text else "0.1")
    violation, _ = await shrunk(bot, pair(transformation=edit), review(text), step(edit))
    follow_up = violation.group.members[0].asked.fields["text"]
    assert follow_up != text
    steps = [] if violation.shrunk is None else violation.shrunk.case.derivation.steps
    assert "restore" not in {step.transformation for step in steps}


async def test_half_of_the_changed_words_is_put_back_and_then_half_of_the_rest():
    violation, asked = await shrunk(
        rater(lambda text: "GH" in text), pair(), review("ab cd ef gh"), step("upper-case", share=1.0, **PREFIX)
    )
    assert [c.fields["text"] for c in asked] == ["AB cd ef gh", "AB CD ef gh", "ab cd EF GH", "ab cd ef GH"]
    assert violation.shrunk.asked.fields == {"text": "ab cd ef GH"}


async def test_a_whole_number_goes_down_to_its_bound_then_a_quarter_and_a_half_of_the_way():
    # From 6 copies, with 1 the bound: 1, 1 + 5 // 4 = 2, 1 + 10 // 4 = 3. One copy equals the source and is not asked.
    relation = pair(transformation="duplicate")
    violation, asked = await shrunk(
        rater(lambda text: text.count("ab") == 6), relation, review("ab"), step("duplicate", copies=6)
    )
    assert [c.fields["text"].count("ab") for c in asked] == [2, 3]
    assert violation.shrunk is None
    violation, asked = await shrunk(
        rater(lambda text: text.count("ab") >= 3), relation, review("ab"), step("duplicate", copies=6)
    )
    assert [c.fields["text"].count("ab") for c in asked] == [2, 3]  # from 3: 1 and 2, which were tried
    assert violation.shrunk.asked.fields == {"text": "ab ab ab"}


@pytest.fixture
def longer() -> Iterator[str]:
    @transformation("longer")
    def longer(text: str, *, times: Annotated[float, Within(0.5, 2.0)] = 1.0) -> str:
        """Write so many times four letters."""
        return "x" * int(4 * times)

    yield "longer"
    TRANSFORMATIONS.remove("longer")


async def test_a_number_whose_bound_is_not_zero_goes_down_to_it_and_to_a_quarter_and_a_half_of_the_way(longer):
    violation, asked = await shrunk(
        rater(lambda text: len(text) == 6), pair(transformation=longer), review("a"), step(longer, times=1.5)
    )
    assert [len(c.fields["text"]) / 4 for c in asked] == [0.5, 0.75, 1.0]
    assert violation.shrunk is None


async def test_steps_are_left_out_one_by_one_before_anything_else():
    relation = pair(transformations=(step("upper-case"), step("duplicate")))
    steps = (step("upper-case", share=1.0, **PREFIX), step("duplicate", copies=2))
    violation, asked = await shrunk(rater("A A".__eq__), relation, review("a"), *steps)
    assert [c.fields["text"] for c in asked] == ["a a", "A"]
    assert violation.shrunk is None
    violation, asked = await shrunk(rater(str.isupper), relation, review("a"), *steps)
    assert [c.fields["text"] for c in asked] == ["a a", "A"]
    assert [s.transformation for s in violation.shrunk.case.derivation.steps] == ["upper-case"]


async def test_no_more_than_so_many_candidates_are_asked():
    for most, expected in ((0, []), (1, ["Ab cd"]), (2, ["Ab cd", "AB cd"])):
        _, asked = await shrunk(
            rater("AB CD".__eq__), pair(), review("ab cd"), step("upper-case", share=1.0, **PREFIX), candidates=most
        )
        assert [c.fields["text"] for c in asked] == expected


def rounds(asked: Sequence[Conversation], last: str) -> list[list[str]]:
    """The dialogues in which `last` was asked, as lists of questions."""
    return [[*(fields["question"] for fields, _ in c.history), last] for c in asked if c.fields["question"] == last]


def listener(wrong: Any, last: str) -> ScriptedSystem:
    """Answers with the question; is wrong about `last` where the questions before it are `wrong`."""

    def answer(conversation: Conversation) -> str:
        before = [fields["question"] for fields, _ in conversation.history]
        return "wrong" if conversation.fields["question"] == last and wrong(before) else conversation.fields["question"]

    return ScriptedSystem(answer)


@pytest.fixture
def reverse() -> Iterator[str]:
    @transformation("reverse-rounds", level="dialogue")
    def reverse_rounds(order: tuple[int, ...]) -> tuple[int, ...]:
        """Ask in the opposite order."""
        return tuple(reversed(order))

    yield "reverse-rounds"
    TRANSFORMATIONS.remove("reverse-rounds")


async def test_rounds_are_left_out_in_ever_smaller_parts_of_what_comes_before_the_judged_one(reverse):
    source = dialogue(*"6543210")
    follow_up = list("012345")  # up to the judged one, which is the source's second
    bot = listener(lambda before: before == follow_up[:-1], "5")
    violation, asked = await shrunk(bot, pair(transformation=reverse), source, step(reverse), turn=1)
    # Alone; without halves (two of five), then without single rounds, of which the last was a part of its own before.
    assert ["".join(dialogue) for dialogue in rounds(asked, "5")] == [
        "5", "2345", "0145", "01235", "12345", "02345", "01345", "01245",
    ]  # fmt: skip
    assert [
        turn.fields["question"] for turn in violation.shrunk.case.turns
    ] == follow_up  # what comes after it is left out
    # What was tried before costs nothing: these are eight and the dialogue up to the judged question.
    for most, smaller in ((8, None), (9, follow_up)):
        again, _ = await shrunk(
            listener(lambda before: before == follow_up[:-1], "5"),
            pair(transformation=reverse),
            source,
            step(reverse),
            turn=1,
            candidates=most,
        )
        assert (again.shrunk and [turn.fields["question"] for turn in again.shrunk.case.turns]) == smaller


async def test_a_dialogue_shrinks_to_the_rounds_that_matter(reverse):
    source = dialogue(*"6543210")
    relation = pair(transformation=reverse)
    bot = listener(lambda before: "".join(before).replace("3", "").find("24") >= 0, "5")
    violation, _ = await shrunk(bot, relation, source, step(reverse), turn=1, candidates=50)
    assert [turn.fields["question"] for turn in violation.shrunk.case.turns] == ["2", "4", "5"]
    assert (violation.shrunk.turn, violation.shrunk.case.derivation.origin) == (2, (4, 2, 1))


async def test_a_step_on_an_earlier_turn_is_not_moved_to_the_judged_one():
    bot = listener(lambda before: before == ["ab ab"], "CD")
    relation = pair(transformations=(step("duplicate"), step("upper-case")))
    steps = step("duplicate", turns=(0,), copies=2), step("upper-case", turns=(1,), share=1.0, **PREFIX)
    violation, asked = await shrunk(bot, relation, dialogue("ab", "cd"), *steps, turn=1)
    assert violation.group.members[0].asked.fields == {"question": "CD"}
    assert asked
    assert "cd cd" not in {c.fields["question"].lower() for c in asked}


async def test_one_turn_is_perturbed_alone_before_parameters_are_lowered():
    source = dialogue("ab", "cd", "ef")
    bot = ScriptedSystem(lambda c: "wrong" if c.fields["question"] == "CD" else c.fields["question"].lower())
    violation, asked = await shrunk(bot, pair(), source, step("upper-case", share=1.0, **PREFIX), turn=1)
    assert [turn.fields["question"] for turn in violation.shrunk.case.turns] == ["CD"]
    assert [[*_before(c), c.fields["question"]] for c in asked] == [
        ["ab", "CD"],  # alone; what follows the judged turn cannot change its answer and is not asked
        ["ab", "Cd"],  # half of its two letters; a quarter is none
        ["CD"],
    ]  # fmt: skip


class Places:
    """Annotates every turn with its place in the dialogue."""

    name = "places"

    async def annotate(self, source: Case, follow_up: Case, helper: Any) -> Sequence[Mapping[str, Any]]:
        return [{"first": number == 0} for number, _ in enumerate(follow_up.turns)]


async def test_the_judged_question_keeps_its_role(reverse):
    source = dialogue(*"3210")
    relation = pair(
        transformation=reverse,
        annotator=Places(),
        when=lambda turn: "opening" if turn.annotations["first"] else "later",
    )
    always = ScriptedSystem(lambda c: "wrong" if c.fields["question"] == "2" and "3" not in _before(c) else "right")
    violation, asked = await shrunk(always, relation, source, step(reverse), turn=1)
    assert violation.group.members[0].role == "later"
    # Alone it would be wrong as well, but it would be the opening question: it is not asked.
    assert ["".join(dialogue) for dialogue in rounds(asked, "2")] == ["12"]
    assert [turn.fields["question"] for turn in violation.shrunk.case.turns] == ["1", "2"]
    assert (violation.shrunk.role, violation.shrunk.turn) == ("later", 1)


def _before(conversation: Conversation) -> list[str]:
    return [fields["question"] for fields, _ in conversation.history]


async def test_of_a_question_the_last_member_of_the_worst_pair_is_shrunk_against_the_others():
    relation = question()
    source = dialogue("ab cd")
    bot = ScriptedSystem(lambda c: "wrong" if "C" in c.fields["question"] else "right")
    on = loop(bot)
    made = [proposed(source, [relation], step("upper-case", share=share, **PREFIX)) for share in (0.2, 0.4, 1.0)]
    violation = await finding(on, relation, source, *made)
    assert violation.verdict.decided.worst == (0, 2)
    await shrink(on, [violation])
    assert violation.shrunk.asked.fields == {"question": "ab CD"}
    assert violation.shrunk.role == "equivalent"


async def test_a_finding_that_did_not_hold_is_left_alone_and_so_is_what_a_language_model_made():
    source = review("ab cd")
    on = loop(rater(str.isupper))
    flaky, unknown = [
        await finding(on, pair(name), source, proposed(source, [pair(name)], step("upper-case", share=1.0, **PREFIX)))
        for name in ("flaky", "unknown")
    ]
    flaky.confirmed = False
    told: list[object] = []
    on.listeners = (told.append,)
    await shrink(on, [flaky, unknown], most=1)
    assert told == [PhaseStarted(name="shrink")]
    helper = ScriptedHelper('{"text": "LOUD WORDS"}')
    relation = pair(transformation="paraphrase")
    violation, asked = await shrunk(rater(str.isupper), relation, source, step("paraphrase"), helper=helper)
    assert (violation.shrunk, asked) == (None, [])


async def test_where_the_budget_ends_shrinking_stops():
    on = loop(rater("AB CD".__eq__), max_queries=3)
    source = review("ab cd")
    violation = await finding(on, pair(), source, proposed(source, [pair()], step("upper-case", share=1.0, **PREFIX)))
    told: list[object] = []
    on.listeners = (told.append,)
    await shrink(on, [violation])
    assert on.allowance.ended  # the question that was left was enough for one of two tries
    assert told == [PhaseStarted(name="shrink")]
    assert on.observers["scripted"].target.layer.counts.paid == 3


async def test_a_smaller_one_that_was_reached_before_the_money_ends_is_kept():
    def answer(conversation: Conversation) -> str:
        text = conversation.fields["text"]
        if text == "ab cd EF GH":
            spending.money = 1.0  # which is all of it
        return {"AB CD EF GH": "0.1", "ab cd EF GH": "0.3"}.get(text, "0.9")

    bot, source = ScriptedSystem(answer), review("ab cd ef gh")
    on = loop(bot)
    spending = on.observers["scripted"].target.layer.spending
    spending.max_money = 1.0
    violation = await finding(on, pair(), source, proposed(source, [pair()], step("upper-case", share=1.0, **PREFIX)))
    await shrink(on, [violation])
    assert bot.asked[-1].fields["text"] == "ab cd EF GH"  # a still smaller one could not be paid
    assert on.stopped == "the budget of 1 is spent; raise max_money to continue"
    assert violation.shrunk.asked.fields == {"text": "ab cd EF GH"}
    assert "0.3" in violation.shrunk_decision.reason


async def test_where_one_step_is_lowered_the_others_stay():
    relation = pair(transformations=(step("upper-case"), step("duplicate")))
    steps = (step("upper-case", share=1.0, **PREFIX), step("duplicate", copies=2))
    violation, asked = await shrunk(rater("AB AB".__eq__), relation, review("ab"), *steps)
    assert [c.fields["text"] for c in asked] == ["ab ab", "AB", "Ab Ab"]
    assert violation.shrunk is None
