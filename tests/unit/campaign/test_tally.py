"""Counting a run: independent counts of the summary, and memory that does not grow with verdicts."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from mutatis.analysis.intervals import violation_rate
from mutatis.analysis.real import NO_NOISE, Noise, Trust
from mutatis.campaign.events import SourceClosed, SourceObserved
from mutatis.campaign.tally import KINDS, LONGEST, LONGEST_ERROR, Tally, lost_mention
from mutatis.core.calls import ToolCall
from mutatis.core.cases import Case, Turn
from mutatis.core.decision import Decision, Outcome
from mutatis.core.relation import RELATIONS, Group, Observation
from mutatis.core.system import Response
from mutatis.core.verdict import Verdict
from mutatis.relations import relation  # noqa: F401 - fills the registry

CASE = Case(id="a/0", task="sentiment", turns=(Turn(fields={"text": "x"}),))
ROW = ("s", "sentiment", "upper-case")


def reached(source: int, outcome: Outcome, *, score: float | None = None, reason: str = "") -> Verdict:
    observation = Observation(case=CASE, turn=0, response=Response(text="0.5"))
    return Verdict(
        system="s",
        relation=RELATIONS["upper-case"],
        source=replace(CASE, id=f"a/{source}"),
        turn=0,
        group=Group(source=observation, members=(observation,)),
        decision=Decision(outcome=outcome, score=score, reason=reason),
    )


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.sampled_from(Outcome)), min_size=1, max_size=40))
def test_the_summary_is_what_an_independent_count_says(events):
    tally = Tally()
    for source, outcome in events:
        tally(reached(source, outcome))
    [row] = tally.summary({})
    counts = Counter(outcome for _, outcome in events)
    for outcome in Outcome:
        assert row[outcome.value] == counts[outcome]
    decided = counts[Outcome.VIOLATED] + counts[Outcome.SATISFIED]
    rate = None if not decided else Fraction(counts[Outcome.VIOLATED], decided)
    assert row["rate"] == (None if rate is None else round(float(rate), 6))
    if rate is not None:
        low, high = row["interval"]
        assert 0 <= low <= row["rate"] <= high <= 1
        decided_seeds = {s for s, outcome in events if outcome in (Outcome.VIOLATED, Outcome.SATISFIED)}
        assert row["seeds"] == len(decided_seeds)


def test_closed_sources_count_as_open_ones_do():
    events = [
        (source, outcome) for source in range(4) for outcome in (Outcome.SATISFIED, Outcome.VIOLATED)[: source + 1]
    ]
    whole, closing = Tally(), Tally()
    for source, outcome in events:
        whole(reached(source, outcome))
        closing(reached(source, outcome))
        if outcome is Outcome.VIOLATED:
            closing(SourceClosed(case=replace(CASE, id=f"a/{source}", task="other")))
            assert ("sentiment", f"a/{source}") in closing.violated.open[ROW]
            closing(SourceClosed(case=replace(CASE, id=f"a/{source}")))
    assert list(closing.violated.open[ROW]) == [("sentiment", "a/0")]
    assert closing.violated.closed[ROW] == {(1, 2): 3}
    assert closing.summary({}) == whole.summary({})


def test_the_mean_score_is_over_decided_verdicts_with_a_score():
    tally = Tally()
    for score in (0.25, 0.75, None):
        tally(reached(0, Outcome.SATISFIED, score=score))
    tally(reached(0, Outcome.INVALID, score=0.0))
    assert tally.summary({})[0]["mean_score"] == 0.5


def _size(tally: Tally) -> int:
    return sum(
        len(counted)
        if not isinstance(counted, dict)
        else sum(len(v) if hasattr(v, "__len__") else 1 for v in counted.values())
        for counted in (tally.outcomes, tally.violated.open, tally.reasons)
    )


def test_what_is_kept_grows_with_sources_not_with_verdicts():
    tally = Tally()
    kinds = [(s, o) for s in range(3) for o in Outcome]
    for source, outcome in kinds:
        tally(reached(source, outcome, reason="why"))
    before = _size(tally)
    for _ in range(200):
        for source, outcome in kinds:
            tally(reached(source, outcome, reason="why"))
    assert _size(tally) == before


def test_source_answers_are_counted_once_per_case_for_the_health_checks():
    tally = Tally()
    answers = [Response(text="0.9", value=0.9), Response(text="Score: 0", value=0.0), None]
    for repeat in (0, 1):
        for number, response in enumerate(answers):
            error = None if response else "answer not parsed: no number"
            observation = Observation(case=CASE, turn=number, response=response, error=error)
            tally(SourceObserved(system="s", case=CASE, observations={number: observation}, repeat=repeat))
    outputs = tally.outputs["s", "sentiment"]
    assert outputs.total == 3
    assert outputs.answers == {"0.9": 1, "0.0": 1}
    assert sum(outputs.errors.values()) == 1


def marked(before: dict[str, str], *after: dict[str, str], entities: tuple[str, ...] = ("Rome",), values=()) -> Group:
    def observation(fields: dict[str, str]) -> Observation:
        turn = Turn(fields=fields, annotations={"protected": {"entities": entities, "values": values}})
        return Observation(case=Case(id="a/0", turns=(turn,)), turn=0)

    return Group(source=observation(before), members=tuple(observation(fields) for fields in after))


def test_a_mention_is_lost_where_an_edit_destroyed_a_marked_string():
    assert lost_mention(marked({"text": "in Rome"}, {"text": "IN ROME"})) == "entities"
    assert not lost_mention(marked({"text": "in Rome"}, {"text": "IN Rome"}))
    assert not lost_mention(marked({"text": "in Rome"}, {"text": "IN ROME"}, entities=()))
    assert not lost_mention(marked({"text": "in Oslo"}, {"text": "IN OSLO"}))
    assert lost_mention(marked({"text": "in Rome"}, {"text": "in Rome"}, {"text": "in rome"}))
    assert lost_mention(marked({"text": "in Rome"}, {}))
    assert lost_mention(marked({"text": "in Rome"}, {"text": "IN ROME"}, entities=(), values=("Rome",))) == "values"


def test_exchanged_entities_lose_nothing_but_another_member_may():
    before = {"text": "in Rome", "head": "Rome"}
    exchanged, edited = {"text": "in Oslo", "head": "Oslo"}, {"text": "in R0me", "head": "Rome"}
    assert not lost_mention(marked(before, exchanged))
    assert lost_mention(marked(before, exchanged, edited))


def test_a_row_field_by_field():
    tally = Tally()
    lost = marked({"text": "in Rome"}, {"text": "IN ROME"})
    for source, outcome, group in (
        (0, Outcome.VIOLATED, lost),
        (0, Outcome.SATISFIED, lost),
        (1, Outcome.VIOLATED, None),
    ):
        verdict = reached(source, outcome, score=1 / 3)
        tally(verdict if group is None else replace(verdict, group=group, vacuous=True))
    undecided = reached(1, Outcome.INVALID, reason="r")
    unchanged = {"precondition": "follow-up input: changed", "unchanged": True}
    tally(replace(undecided, decision=replace(undecided.decided, undecided=True, **unchanged)))
    for _ in range(2):
        tally(reached(1, Outcome.ERROR, reason="down"))
    read = {"read": 20, "sound": 19, "share": 0.95, "interval": [0.76, 0.99]}
    [row] = tally.summary(
        {("s", "sentiment"): (violation_rate([(0, 1)] * 3 + [(1, 1)]), Noise(pairs=4, reworded=4, differing=1))},
        {("upper-case", "sentiment", "en"): read, ("upper-case", "chat", "en"): {}},
    )
    assert (tally.pairs(ROW).rate, tally.pairs(("s", "sentiment", "other")).rate) == (2 / 3, 0)
    assert tally.outcomes[ROW]["vacuous"] == 2
    assert tally.reasons[ROW] == {"r": 1, "down": 2}
    assert tally.violated.open[ROW] == {("sentiment", "a/0"): [1, 2], ("sentiment", "a/1"): [1, 1]}
    interval = row.pop("interval")
    assert interval[0] < 0.666667 < interval[1]
    assert row == {
        "system": "s",
        "task": "sentiment",
        "relation": "upper-case",
        "satisfied": 1,
        "violated": 2,
        "invalid": 1,
        "error": 2,
        "flaky": 0,
        "undecided": 1,
        "unchanged": 1,
        "not_applicable": 1,
        "open": 0,
        "rate": 0.666667,
        "distinct": 0,
        "noise_floor": 0.25,
        "above_noise": False,
        "estimate": "all",
        "estimated": 3,
        "seeds": 2,
        "lost_mentions": {"judged": 2, "violated": 1},
        "mean_score": 0.333333,
        "soundness": read,
        "people": None,
        "says": "letters in upper case: the same answer, or the same sentiment stronger",
        "capability": "case",
        "judge_precision": None,
        "expected_precision": None,
        "false_alarm": None,
        "language": "en",
    }
    assert tally.summary({})[0]["soundness"] is None


def test_only_verdicts_that_no_answer_had_a_part_in_count_in_rates():
    outcomes = [(n, Outcome.VIOLATED if n < 6 else Outcome.SATISFIED, n % 2 == 0) for n in range(20)]
    for rates, violated, judged in (("all", 6, 20), ("even", 3, 10), ("none", 0, 0)):
        tally = Tally(rates)
        for source, outcome, estimates in outcomes:
            tally(replace(reached(source, outcome), estimates=estimates or rates == "all"))
        [row] = tally.summary({})
        assert (row["violated"], row["satisfied"]) == (6, 14)  # what was seen, in any case
        assert (row["estimate"], row["estimated"], row["seeds"]) == (rates, judged, judged)
        assert row["rate"] == (violated / judged if judged else None)
        assert (row["interval"] is None) == (not judged)


def test_of_many_different_answers_only_the_first_are_told_apart_by_their_beginning():
    tally = Tally()
    for turn in range(KINDS + 5):
        observation = Observation(case=CASE, turn=turn, response=Response(text=f"{turn} " + "x" * 10_000))
        tally(SourceObserved(system="s", case=CASE, observations={0: observation}, repeat=0))
    outputs = tally.outputs["s", "sentiment"]
    assert (len(outputs.answers), outputs.answered, outputs.total) == (KINDS, KINDS + 5, KINDS + 5)
    assert max(map(len, outputs.answers)) == LONGEST


def test_calls_are_counted_as_the_code_that_people_read():
    calls = (ToolCall(name="look", arguments={"day": "Friday"}), ToolCall(name="book", arguments={}))
    value = [call.to_record() for call in calls]
    observation = Observation(case=CASE, turn=0, response=Response(text="Done.", calls=calls, value=value))
    tally = Tally()
    tally(SourceObserved(system="s", case=CASE, observations={0: observation}, repeat=0))
    assert tally.outputs["s", "sentiment"].answers == {'Done.; look(day="Friday"); book()': 1}


def test_an_error_is_counted_with_the_remedy_at_its_end_unless_it_is_very_long():
    tally, error = Tally(), "x " * 200 + "; say it: --set system.response=result.reply"
    for turn, told in enumerate([error, error, error * 10]):
        observation = Observation(case=CASE, turn=turn, error=told)
        tally(SourceObserved(system="s", case=CASE, observations={0: observation}, repeat=0))
    assert tally.outputs["s", "sentiment"].errors == {error: 2, (error * 10)[:LONGEST_ERROR]: 1}


def test_answers_and_reasons_are_added_up():
    tally = Tally()
    for turn, (text, error) in enumerate([("a", None), ("a", None), (None, "down"), (None, "down"), (None, None)]):
        response = None if text is None else Response(text=text)
        observation = Observation(case=CASE, turn=turn, response=response, error=error)
        tally(SourceObserved(system="s", case=CASE, observations={0: observation}, repeat=0))
    outputs = tally.outputs["s", "sentiment"]
    assert (outputs.answers, outputs.errors, outputs.total) == ({"a": 2}, {"down": 2}, 5)


def test_a_few_verdicts_that_are_no_violations_are_kept_whatever_their_order():
    verdicts = [reached(source, Outcome.SATISFIED) for source in range(2)]
    verdicts += [replace(verdicts[0], repeat=repeat) for repeat in range(1, 6)]
    verdicts += [reached(0, Outcome.VIOLATED), reached(0, Outcome.INVALID, reason="r")]
    kept = []
    for order in (verdicts, verdicts[::-1]):
        tally = Tally()
        for verdict in order:
            tally(verdict)
        kept.append(
            {outcome: [verdict.repeat for _, verdict in examples] for (_, outcome), examples in tally.examples.items()}
        )
    assert kept[0] == kept[1]
    assert {outcome: len(examples) for outcome, examples in kept[0].items()} == {
        Outcome.SATISFIED: 2,
        Outcome.INVALID: 1,
    }


def test_findings_are_expected_to_be_real_as_far_as_follow_ups_and_judge_were_measured() -> None:
    tally = Tally()
    for number in range(10):
        tally(reached(number, Outcome.VIOLATED if number < 2 else Outcome.SATISFIED))
    row_of = ("upper-case", "sentiment")
    soundness = {(*row_of, "en"): {"read": 20, "sound": 19, "share": 0.95, "interval": (0.76, 0.99)}}
    [row] = tally.summary({}, soundness, {row_of: Trust(precision=0.8)})
    assert row["expected_precision"] == 0.6  # a rate of 20 %, of which 5 % are unsound follow-ups; 0.8 of the others
    [unread] = tally.summary({}, {}, {row_of: Trust(precision=0.8)})
    assert unread["expected_precision"] is None
    assert unread["judge_precision"] == 0.8


def test_a_rate_is_compared_with_the_noise_floor_as_an_estimate():
    few, many = violation_rate([(0, 1)] * 39 + [(1, 1)]), violation_rate([(0, 1)] * 3900 + [(1, 1)] * 100)
    tally = Tally()
    for source in range(400):
        tally(reached(source, Outcome.VIOLATED if source < 24 else Outcome.SATISFIED))
    # 6 % of 400, which reaches down to 3.9 %, against 2.5 %: of 40 questions it says nothing, of 4,000 it does.
    assert [tally.summary({("s", "sentiment"): (floor, NO_NOISE)})[0]["above_noise"] for floor in (few, many)] == [
        False,
        True,
    ]
