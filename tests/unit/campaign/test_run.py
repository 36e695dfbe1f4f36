"""The loop over scripted parts: in which order things are told, what refuses before anything is asked, and a budget."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from mutatis.campaign.events import FollowUpMade, PhaseStarted, SourceClosed, SourceObserved
from mutatis.core.cases import Case, Derivation
from mutatis.core.constraint import Precondition, Stage
from mutatis.core.decision import Outcome
from mutatis.core.errors import SystemFailure, UsageError
from mutatis.core.relation import RELATIONS, MetamorphicRelation
from mutatis.core.search import Measurements, Proposal, Source
from mutatis.core.system import Conversation
from mutatis.core.task import TASKS
from mutatis.core.verdict import Verdict
from mutatis.loops import together
from mutatis.query import Limits
from mutatis.search import Once
from mutatis.testing import ScriptedSystem
from support.parts import dialogue, loop, pair, question, review, step

LOUD = pair("loud")


class Listed:
    """Proposes what it was given, so many at a time, and notes what it is told."""

    def __init__(self, proposals: Iterable[Proposal], size: int = 100, *, learns: bool = False) -> None:
        self.left, self.size, self.learns = list(proposals), size, learns
        self.told: list[tuple[str, list[str], int]] = []

    def ask(self) -> Sequence[Proposal]:
        batch, self.left = self.left[: self.size], self.left[self.size :]
        return batch

    def tell(self, proposal: Proposal, verdicts: Sequence[Verdict], measurements: Measurements) -> None:
        self.told.append((proposal.source.case.id, [v.outcome.value for v in verdicts], measurements.queries))


def proposals(cases: Iterable[Case], *relations: MetamorphicRelation, **more: Any) -> list[Proposal]:
    """One follow-up per case, in upper case; the last one closes its source."""
    return [
        Proposal(
            source=Source(case=case, relations=relations, **more),
            derivation=Derivation(source=case.id, steps=(step("upper-case"),), variant=tuple(case.turns[0].fields)),
            closes=True,
        )
        for case in cases
    ]


async def run(system: Any, search: Listed, **more: Any) -> tuple[Any, list[Any]]:
    events: list[Any] = []
    systems = system if isinstance(system, list) else [system]
    on = loop(*systems, listeners=(events.append,), **more)
    sources = list({p.source.case.id: p.source for p in search.left}.values())
    await on.run(search, sources)
    return on, events


def verdicts(events: Iterable[Any]) -> list[Verdict]:
    return [event for event in events if isinstance(event, Verdict)]


def scores(**written: str) -> ScriptedSystem:
    return ScriptedSystem(dict(written))


async def test_what_happened_is_told_in_the_order_it_was_proposed_whatever_was_answered_first():
    search = Listed(proposals([review("a", 0), review("b", 1)], LOUD))
    bot = scores(a="0.9", A="0.1", b="0.9", B="0.9")
    on, events = await run(bot, search)
    assert [type(e) for e in events] == [
        PhaseStarted,
        *[FollowUpMade, SourceObserved, Verdict, SourceClosed] * 2,
    ]
    assert events[0] == PhaseStarted(name="search")
    assert [(v.source.id, v.outcome) for v in verdicts(events)] == [
        ("r/0", Outcome.VIOLATED),
        ("r/1", Outcome.SATISFIED),
    ]
    assert search.told == [("r/0", ["violated"], 1), ("r/1", ["satisfied"], 1)]
    assert (on.matched, on.stopped) == ({"loud"}, None)
    [seen, _] = [e for e in events if isinstance(e, SourceObserved)]
    assert (seen.system, seen.case.id, seen.repeat, seen.observations[0].answer) == ("scripted", "r/0", 0, 0.9)
    [made, _] = [e for e in events if isinstance(e, FollowUpMade)]
    assert (made.source.id, made.case.turns[0].fields, made.relations, made.systems) == (
        "r/0", {"text": "A"}, ("loud",), ("scripted",),
    )  # fmt: skip


async def test_repeats_are_judged_each_with_its_own_source_answer_and_no_change_against_the_next_index():
    bot = ScriptedSystem(lambda c: "0.9")
    _, events = await run(bot, Listed(proposals([review("a")], LOUD)), repeats=2)
    assert [v.repeat for v in verdicts(events)] == [0, 1]
    assert sorted(e.repeat for e in events if isinstance(e, SourceObserved)) == [0, 1]
    same = RELATIONS["no-change"]
    source = Source(case=review("a"), relations=(same,))
    again: list[Any] = []
    bot = ScriptedSystem({"*": "0.9"})
    on = loop(bot, repeats=2, listeners=(again.append,))
    await on.run(Once([source]), [source])
    assert (bot.count, [v.repeat for v in verdicts(again)]) == (2, [0])
    await on.observers["scripted"].observe(source.case, 2)  # asked under the index after the repeats'
    assert bot.count == 2


async def test_every_system_is_asked_what_is_for_it_and_told_in_its_order():
    systems = [ScriptedSystem({"*": "0.9"}, name) for name in ("a", "b", "c")]
    search = Listed(proposals([review("x")], LOUD, systems=("c", "a")))
    _, events = await run(systems, search)
    assert [v.system for v in verdicts(events)] == ["a", "c"]
    assert [system.count for system in systems] == [2, 0, 2]
    [made] = [e for e in events if isinstance(e, FollowUpMade)]
    assert made.systems == ("a", "c")


async def test_a_precondition_on_the_source_input_that_holds_nowhere_costs_nothing():
    never = pair("never", preconditions=(Precondition(name="no", stage=Stage.SOURCE_INPUT, check=lambda e: False),))
    bot = scores(a="0.9")
    _, events = await run(bot, Listed(proposals([review("a")], never)))
    assert [(v.outcome, v.decided.precondition) for v in verdicts(events)] == [(Outcome.INVALID, "source input: no")]
    assert not [e for e in events if isinstance(e, FollowUpMade)]


async def test_a_precondition_on_the_sources_answer_refuses_its_turns_alone():
    short = Precondition(name="short", stage=Stage.SOURCE_OUTPUT, check=lambda e: len(e.response.text) < 3)
    bot = ScriptedSystem({"who": "me", "WHO": "me", "why": "because", "WHY": "x"})
    _, events = await run(bot, Listed(proposals([dialogue("who", "why")], pair(preconditions=(short,)))))
    assert [(v.turn, v.outcome, v.decided.precondition) for v in verdicts(events)] == [
        (0, Outcome.SATISFIED, None),
        (1, Outcome.INVALID, "source output: short"),
    ]
    assert bot.count == 4  # the source is asked once, for the precondition and for the comparison


async def test_a_precondition_on_the_source_input_that_holds_on_some_turns_refuses_the_others():
    about = Precondition(name="about", stage=Stage.SOURCE_INPUT, check=lambda e: e.turn.fields["question"] == "who")
    bot = ScriptedSystem({"*": "x"})
    _, events = await run(bot, Listed(proposals([dialogue("who", "why")], pair(preconditions=(about,)))))
    assert [(v.turn, v.outcome, v.decided.precondition) for v in verdicts(events)] == [
        (0, Outcome.SATISFIED, None),
        (1, Outcome.INVALID, "source input: about"),
    ]


async def test_a_verdict_says_where_the_system_read_the_same():
    class Folding(ScriptedSystem):
        def token_ids(self, fields: Mapping[str, str]) -> list[str]:
            return [text.lower() for text in fields.values()]

    _, events = await run(Folding({"*": "0.9"}), Listed(proposals([review("a")], LOUD)))
    assert [v.vacuous for v in verdicts(events)] == [True]


async def test_a_source_that_failed_is_an_error_where_its_answer_is_asked_about():
    always = Precondition(name="always", stage=Stage.SOURCE_OUTPUT, check=lambda e: True)
    bot = ScriptedSystem({"a": SystemFailure("down")})
    _, events = await run(bot, Listed(proposals([review("a")], pair(preconditions=(always,)))))
    assert [(v.outcome, v.decided.reason) for v in verdicts(events)] == [(Outcome.ERROR, "source: down")]
    assert bot.count == 1  # the follow-up is not asked, as nobody has anything to say of it


async def test_a_follow_up_whose_change_the_prompt_does_not_show_is_invalid_and_not_asked():
    bot = ScriptedSystem({"*": "0.9"})
    events: list[Any] = []
    on = loop(bot, listeners=(events.append,))
    shown = on.observers["scripted"].target
    hiding = replace(TASKS["sentiment"], hidden=frozenset({"text"}))
    on.observers["scripted"].target = replace(shown, tasks={**shown.tasks, "sentiment": hiding})
    search = Listed(proposals([review("a")], LOUD))
    await on.run(search, [search.left[0].source])
    [verdict] = verdicts(events)
    assert (verdict.outcome, verdict.decided.precondition) == (
        Outcome.INVALID, "follow-up input: shown by the prompt",
    )  # fmt: skip
    assert verdict.decided.reason == "the prompt does not show text"
    assert bot.count == 0


async def test_question_groups_are_judged_when_their_source_is_closed_or_at_the_end():
    relation = question()
    cases = [dialogue("ab cd", name=f"d/{n}") for n in (0, 1)]
    shares = [step("upper-case", share=share, unit="prefix", protect="nothing") for share in (0.5, 1.0)]
    listed = [
        Proposal(
            source=Source(case=case, relations=(relation,)),
            derivation=Derivation(source=case.id, steps=(share,), variant=("question",)),
            closes=case.id == "d/0" and number == 1,
        )
        for case in cases
        for number, share in enumerate(shares)
    ]
    _, events = await run(ScriptedSystem({"*": "x"}), Listed(listed))
    kinds = [type(e) for e in events if isinstance(e, Verdict | SourceClosed)]
    assert kinds == [Verdict, SourceClosed, Verdict]
    assert [v.source.id for v in verdicts(events)] == ["d/0", "d/1"]
    assert all(v.outcome is Outcome.SATISFIED for v in verdicts(events))


async def test_a_learner_is_told_before_it_is_asked_again_and_others_are_asked_ahead():
    for learns, ahead in ((True, 1), (False, 3)):
        left: list[int] = []
        search = Listed(proposals([review(f"film {n}", n) for n in range(5)], LOUD), size=1, learns=learns)
        bot = ScriptedSystem(lambda c, left=left, search=search: left.append(5 - len(search.left)) or "0.9")
        await run(bot, search)
        assert left[0] == ahead
        assert [name for name, *_ in search.told] == [f"r/{n}" for n in range(5)]


async def test_where_the_budget_ends_nothing_more_is_proposed_and_what_was_finished_is_told():
    search = Listed(proposals([review(f"film {n}", n) for n in range(9)], LOUD), size=1)
    bot = ScriptedSystem({"*": "0.9"})
    on, events = await run(bot, search, max_queries=2)
    assert on.allowance.ended
    assert bot.count == 2
    assert len(search.left) == 9 - 2
    assert len(verdicts(events)) == len(search.told) == 1


async def test_what_no_relation_of_the_run_judges_is_refused():
    [proposal] = proposals([review("a")], pair("spaced", "add-spaces"))
    with pytest.raises(
        UsageError,
        match=r"^the search proposes upper-case on r/0, but none of the case's relations accepts this change",
    ):
        await run(scores(), Listed([proposal]))
    bare = replace(proposal, source=replace(proposal.source, relations=()))
    with pytest.raises(UsageError, match=r"accepts this change \(none\)"):
        await run(scores(), Listed([bare]))
    foreign = Listed(proposals([review("a")], pair("yours"), pair("mine"), LOUD))
    known = replace(foreign.left[0].source, relations=(LOUD,))
    unknown = (
        r"^the search proposes upper-case on r/0, which is judged by mine, yours, but this run has no such relation"
    )
    with pytest.raises(UsageError, match=unknown):
        await loop(scores()).run(foreign, [known])


async def test_together_waits_for_all_and_then_raises_the_first_failure():
    ended: list[int] = []

    async def work(number: int) -> int:
        ended.append(number)
        if number in (1, 2):
            raise SystemFailure(f"failure {number}")
        return number

    assert await together(work(0)) == [0]
    assert await together(work(3), work(4)) == [3, 4]
    ended.clear()
    with pytest.raises(SystemFailure, match="failure 1"):
        await together(work(1), work(2), work(5))
    assert ended == [1, 2, 5]


async def test_prompts_see_the_turn_that_is_asked():
    seen: list[str] = []

    def answer(conversation: Conversation) -> str:
        seen.append(conversation.fields["question"])
        return "x"

    await run(ScriptedSystem(answer), Listed(proposals([dialogue("who", "why", ask_turns=(1,))], LOUD)))
    assert sorted(seen) == ["WHY", "why"]


async def test_not_all_dialogues_of_a_batch_are_begun_at_once():
    # Eight dialogues of three turns with their follow-ups are 48 questions. Were all twenty begun at once, 48 questions
    # would be the first two turns of some and no dialogue would come to its end.
    cases = [dialogue(*(f"{n}.{i} a" for i in range(3)), name=f"d/{n}") for n in range(20)]
    on, events = await run(
        ScriptedSystem({"*": "x"}), Listed(proposals(cases, LOUD)), max_queries=48, limits=Limits(concurrency=4)
    )
    assert on.allowance.ended
    assert [v.source.id for v in verdicts(events)] == [f"d/{n}" for n in range(8) for _ in range(3)]


async def test_proposals_are_finished_in_their_order_so_that_a_budget_leaves_whole_ones():
    bot = ScriptedSystem({"*": "0.9"})
    listed = proposals([review(f"film {n}", n) for n in range(9)], LOUD)
    # One question at a time, so two proposals at a time: six questions are three sources with their follow-ups.
    on, events = await run(bot, Listed(listed), max_queries=6, limits=Limits(concurrency=1))
    assert [v.source.id for v in verdicts(events)] == ["r/0", "r/1", "r/2"]
    assert on.allowance.ended


async def test_the_relations_that_any_proposal_concerned_are_known_afterwards():
    on, _ = await run(
        ScriptedSystem({"*": "0.9"}),
        Listed([*proposals([review("a", 0)], pair("one")), *proposals([review("b", 1)], pair("two"))]),
    )
    assert on.matched == {"one", "two"}
