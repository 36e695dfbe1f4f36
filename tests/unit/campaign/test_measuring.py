"""What a learner is told beside verdicts, judged turns, looking at a source, and failures that a context causes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from mutatis.campaign.measuring import reading
from mutatis.core.cases import Case, Derivation, Turn
from mutatis.core.constraint import Constraint
from mutatis.core.decision import Outcome
from mutatis.core.relation import Observation
from mutatis.core.search import Measurements, Proposal, Source
from mutatis.core.system import Response
from mutatis.core.verdict import Verdict
from mutatis.rltest4chatbot.edits import turn_rates
from mutatis.testing import ScriptedSystem
from support.parts import dialogue, loop, pair, review, step


class Told:
    """Proposes what it was given, one at a time, and keeps what it is told."""

    learns = True

    def __init__(self, *proposals: Proposal) -> None:
        self.left = list(proposals)
        self.told: list[tuple[Sequence[Verdict], Measurements]] = []

    def ask(self) -> Sequence[Proposal]:
        return [self.left.pop(0)] if self.left else []

    def tell(self, proposal: Proposal, verdicts: Sequence[Verdict], measurements: Measurements) -> None:
        self.told.append((verdicts, measurements))


def proposal(case: Case, *steps: Any, relation: Any = None, **more: Any) -> Proposal:
    derivation = Derivation(source=case.id, steps=steps, variant=tuple(case.turns[0].fields))
    return Proposal(source=Source(case=case, relations=(relation or pair(),)), derivation=derivation, **more)


async def told(system: Any, *proposals: Proposal, **more: Any) -> list[tuple[Sequence[Verdict], Measurements]]:
    search = Told(*proposals)
    on = loop(system, **more)
    await on.run(search, [proposals[0].source])
    assert on.stopped is None
    return search.told


async def test_edit_rates_uncertainty_validity_and_cost_are_told():
    case = review("a cheap room in town")
    answers = {"a cheap room in town": Response(text="0.9", probabilities={"yes": 0.9, "no": 0.1})}
    other = Response(text="0.4", probabilities={"yes": 0.5, "no": 0.5})
    bot = ScriptedSystem(lambda c: answers.get(c.fields["text"], other))
    drop = pair(transformation="char-drop")
    move = proposal(case, step("char-drop", position=0.2, operator=0.0), relation=drop)
    [(_, measured)] = await told(bot, move)
    assert (measured.queries, measured.valid, measured.texts) == (1, True, {0: "a chap room in town"})
    rates = turn_rates(move.source.case, move.derivation, 0, measured.texts[0])
    assert (rates.word, rates.characters, rates.damerau, rates.changed) == (0.0, 1, 1 / 20, True)  # a character stage
    [turn] = measured.turns
    assert (turn.system, turn.turn) == ("scripted", 0)
    assert turn.clean is not None
    assert turn.clean.uncertainty == pytest.approx(0.18)
    assert turn.perturbed is not None
    assert turn.perturbed.uncertainty == pytest.approx(0.5)
    assert turn.clean.features == pytest.approx((0.18, 1.0, 0.18, 1 / 6, 1 / 21))


async def test_an_edit_that_a_constraint_refuses_is_measured_and_costs_nothing():
    never = pair(constraints=(Constraint(name="never", check=lambda a, b: False),))
    bot = ScriptedSystem({"*": "0.9"})
    move = proposal(review("abc"), step("upper-case"), relation=never)
    [(verdicts, measured)] = await told(bot, move)
    assert [v.outcome for v in verdicts] == [Outcome.INVALID]
    assert (measured.queries, measured.valid, measured.turns, bot.count) == (0, False, (), 0)
    rates = turn_rates(move.source.case, move.derivation, 0, measured.texts[0])
    assert (measured.texts, rates.word, rates.characters) == ({0: "ABC"}, 1.0, 3)  # stages not known


async def test_a_proposal_without_steps_asks_the_source_alone():
    case = dialogue("who", "why")
    bot = ScriptedSystem({"*": "me"})
    (verdicts, measured), (_, after) = await told(bot, proposal(case), proposal(case, step("upper-case")))
    assert (list(verdicts), measured.queries, measured.valid, measured.texts) == ([], 0, False, {})
    assert [(reading_of_turn.turn, reading_of_turn.perturbed) for reading_of_turn in measured.turns] == [
        (0, None),
        (1, None),
    ]
    assert all(turn.clean is not None and turn.clean.uncertainty is None for turn in measured.turns)
    assert (after.queries, bot.count) == (2, 4)  # the source is not asked again


async def test_only_the_judged_turn_has_a_verdict_and_is_asked_where_replies_are_given():
    case = dialogue(*(Turn(fields={"question": text}, reply="ok") for text in ("who", "why", "when")))
    bot = ScriptedSystem({"*": "me"})
    steps = (step("upper-case", (0,)), step("upper-case", (1,)))
    [(verdicts, measured)] = await told(bot, proposal(case, *steps, turns=(1,)))
    assert [(v.turn, v.outcome) for v in verdicts] == [(1, Outcome.SATISFIED)]
    assert (measured.queries, set(measured.texts), bot.count) == (1, {1}, 4)  # three of them of the source


async def test_turns_before_the_judged_one_are_asked_where_the_answer_goes_into_the_history():
    bot = ScriptedSystem({"*": "me"})
    [(_, measured)] = await told(bot, proposal(dialogue("who", "why", "when"), step("upper-case", (1,)), turns=(1,)))
    assert (measured.queries, [turn.turn for turn in measured.turns]) == (2, [1])


@pytest.mark.parametrize(
    ("fails_at", "inherited", "queries"),
    [("WHO", True, 2), ("WHY", False, 2), ("nothing", None, 1)],
)
async def test_a_failure_that_the_perturbed_context_causes_is_inherited(
    fails_at: str, inherited: bool | None, queries: int
):
    case = dialogue(*(Turn(fields={"question": text}, reply="ok") for text in ("who", "why")))

    def answer(conversation: Any) -> str:
        said = [m.content for m in conversation.messages if m.role == "user"]
        return "wrong" if any(fails_at in text for text in said) else "right"

    steps = (step("upper-case", (0,)), step("upper-case", (1,)))
    [(verdicts, measured)] = await told(ScriptedSystem(answer), proposal(case, *steps, turns=(1,)))
    assert [(v.outcome is Outcome.VIOLATED, v.inherited) for v in verdicts] == [(inherited is not None, inherited)]
    assert measured.queries == queries


async def test_a_failure_in_a_clean_context_is_never_asked_about_again():
    case = dialogue(*(Turn(fields={"question": text}, reply="ok") for text in ("who", "why")))
    bot = ScriptedSystem(lambda c: "wrong" if c.fields["question"].isupper() else "right")
    [(verdicts, measured)] = await told(bot, proposal(case, step("upper-case", (1,)), turns=(1,)))
    assert ([v.inherited for v in verdicts], measured.queries) == ([None], 1)


def test_without_probabilities_repeated_answers_tell_the_uncertainty():
    def answered(text: str) -> Observation:
        return Observation(case=review("a"), turn=0, response=Response(text=text))

    assert reading([answered("yes")]).uncertainty is None  # type: ignore[union-attr]
    assert reading([answered("yes"), answered("no")]).uncertainty == 0.5  # type: ignore[union-attr]
    assert reading([]) is None


def test_disagreement_is_that_of_the_answers_and_not_of_their_wording():
    def answered(text: str, value: Any) -> Observation:
        return Observation(case=review("a"), turn=0, response=Response(text=text, value=value))

    assert reading([answered("Yes.", True), answered("yes, it is", True)]).uncertainty == 0.0  # type: ignore[union-attr]


async def test_a_source_that_is_looked_at_is_asked_as_often_as_the_run_repeats():
    answers = iter(["yes", "no", "yes"])
    bot = ScriptedSystem(lambda c: next(answers))
    [(_, measured)] = await told(bot, proposal(dialogue("who")), repeats=3)
    assert [turn.clean.uncertainty for turn in measured.turns if turn.clean] == [pytest.approx(4 / 9)]


def test_the_size_of_an_answer_is_that_of_the_first_answer_and_not_of_a_failure_before_it():
    case = review("a")
    failed = Observation(case=case, turn=0, error="no answer within 2 s")
    answered = Observation(case=case, turn=0, response=Response(text="a b", value={"hotel": "north", "stars": "4"}))
    assert reading([failed, answered]) == reading([answered])
