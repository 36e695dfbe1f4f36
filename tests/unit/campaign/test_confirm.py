"""Asking violations again: which, under which repeat index, with which history, and what comes of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mutatis.campaign.confirm import confirm, first_per_relation
from mutatis.campaign.events import PhaseStarted
from mutatis.campaign.tally import Finding
from mutatis.core.cases import Turn
from mutatis.core.decision import Outcome
from mutatis.core.errors import SystemFailure
from mutatis.core.system import Conversation
from mutatis.core.verdict import Verdict
from mutatis.testing import ScriptedBot, ScriptedSystem
from support.parts import dialogue, finding, loop, pair, proposed, question, review, step

FILM = review("film")
LOUD = pair("loud")


def moody(**scripts: tuple[str | SystemFailure, ...]) -> ScriptedSystem:
    """A system that gives the next answer of a text's script whenever it is asked it; the last one for good."""

    def answer(conversation: Conversation) -> str | SystemFailure:
        script = scripts[conversation.fields.get("text") or conversation.fields["question"]]
        last = conversation.messages[-1].content
        return script[min(bot.times(last), len(script)) - 1]

    bot = ScriptedSystem(answer)
    return bot


def test_the_first_findings_of_each_system_and_relation_are_chosen_in_their_order():
    def numbered(system: str, relation: str, number: int) -> Finding:
        return Finding(verdict=Verdict(system=system, relation=pair(relation), source=review("x", number), turn=0))

    rows = [("s", "a", 0), ("t", "a", 1), ("s", "a", 2), ("s", "b", 3), ("s", "a", 4), ("t", "a", 5)]
    findings = [numbered(*row) for row in rows]
    assert [f.verdict.source.id for f in first_per_relation(findings, 2)] == ["r/0", "r/1", "r/3", "r/2", "r/5"]
    assert [f.verdict.source.id for f in first_per_relation(findings, 1)] == ["r/0", "r/1", "r/3"]
    assert first_per_relation(findings, 0) == []


@pytest.mark.parametrize(
    ("film", "loud", "confirmed"),
    [
        (("0.9",), ("0.1",), True),
        (("0.9",), ("0.1", "0.9"), False),
        (("0.9", "0.1"), ("0.1",), False),
        (("0.9", "0.1"), ("0.1", "0.9"), True),  # the answers changed places: it contradicts itself as before
        (("0.9", SystemFailure("down")), ("0.1",), None),
        (("0.9",), ("0.1", SystemFailure("down")), None),
        (("0.9",), ("0.1", "no number"), None),
    ],
)
async def test_a_violation_holds_where_both_sides_asked_again_violate_again(film, loud, confirmed):
    bot = moody(film=film, FILM=loud)
    on = loop(bot)
    violation = await finding(on, LOUD, FILM, proposed(FILM, [LOUD]))
    assert violation.verdict.outcome is Outcome.VIOLATED
    await confirm(on, [violation])
    assert violation.confirmed is confirmed
    assert [c.fields["text"] for c in bot.asked] == ["film", "FILM", "film", "FILM"]


async def test_what_is_asked_again_has_a_repeat_index_of_its_own():
    bot = moody(film=("0.9",), FILM=("0.1",))
    on = loop(bot, repeats=3)
    violation = await finding(on, LOUD, FILM, proposed(FILM, [LOUD]))
    await confirm(on, [violation])
    assert bot.count == 4
    asking = on.observers["scripted"]
    await asking.observe(FILM, 3 + 1)  # 0 to 2 are the run's, 3 is the noise floor's, 4 is confirm's
    assert bot.count == 4
    await asking.observe(FILM, 3)
    assert bot.count == 5


async def test_a_source_whose_annotated_answer_is_the_reference_is_not_asked_again():
    relation = replace(LOUD, reference="annotated")
    source = dialogue(Turn(fields={"question": "who"}, expected=("Ann",)))
    bot = moody(who=("Ann",), WHO=("Eve",))
    on = loop(bot)
    violation = await finding(on, relation, source, proposed(source, [relation]))
    await confirm(on, [violation])
    assert violation.confirmed is True
    assert [c.fields["question"] for c in bot.asked] == ["who", "WHO", "WHO"]


async def test_only_the_worst_pair_of_a_question_is_asked_again_in_its_roles():
    relation = question()
    source = dialogue("ab cd ef gh")
    steps = [step("upper-case", share=share, unit="prefix", protect="nothing") for share in (0.2, 0.5, 1.0)]
    texts = ["AB cd ef gh", "AB CD ef gh", "AB CD EF GH"]
    bot = ScriptedSystem({source.turns[0].fields["question"]: "x", **dict(zip(texts, "abb", strict=True))})
    on = loop(bot)
    worst = await finding(on, relation, source, *(proposed(source, [relation], made) for made in steps))
    assert [c.fields["question"] for c in bot.asked] == ["ab cd ef gh", *texts]
    assert worst.verdict.decided.worst == (0, 1)
    await confirm(on, [worst])
    assert worst.confirmed is True
    assert [c.fields["question"] for c in bot.asked[4:]] == ["ab cd ef gh", *texts[:2]]


async def test_a_turn_of_a_stateless_system_is_asked_with_the_recorded_history():
    source = dialogue("who", "why")
    bot = ScriptedSystem(
        lambda c: f"{c.fields['question']} {bot.count}" if c.fields["question"].islower() else f"loud {bot.count}"
    )
    on = loop(bot)
    violation = await finding(on, LOUD, source, proposed(source, [LOUD]), turn=1)
    await confirm(on, [violation])
    again = bot.asked[4:]
    assert [[m.content for m in c.messages if m.role != "system"] for c in again] == [
        ["who", "who 1", "why"],
        ["WHO", "loud 3", "WHY"],
    ]


async def test_a_dialogue_that_the_bot_keeps_is_replayed_whole():
    source = dialogue("who", "why")
    bot = ScriptedBot(lambda said: "loud" if said[-1].fields["question"].isupper() else "quiet")
    on = loop(bot)
    violation = await finding(on, LOUD, source, proposed(source, [LOUD]), turn=1)
    await confirm(on, [violation])
    assert violation.confirmed is True
    assert [[c.fields["question"] for c in said] for said in bot.sessions] == [["who", "why"], ["WHO", "WHY"]] * 2
    await on.observers["scripted-bot"].observe(source, 2)  # the index of confirm, where there is one repeat
    assert len(bot.sessions) == 4


async def test_where_the_budget_ends_the_rest_is_not_asked_and_every_finding_is_told():
    bot = ScriptedSystem(lambda c: "0.1" if c.fields["text"].isupper() else "0.9")
    told: list[object] = []
    on = loop(bot, max_queries=9, listeners=(told.append,))
    findings = []
    for number in range(3):
        source = review(f"film {number}", number)
        findings.append(await finding(on, LOUD, source, proposed(source, [LOUD])))
    await confirm(on, findings, 2)
    assert told == [PhaseStarted(name="confirm")]
    assert bot.count == 8  # a finding takes two questions: the second one is not begun
    assert [f.confirmed for f in findings] == [True, None, None]
    assert on.allowance.ended
    await confirm(on, findings, 3)
    assert bot.count == 8
    assert told[1:] == [PhaseStarted(name="confirm")]


async def test_where_no_pair_is_the_worst_all_members_are_asked_again():
    bot = moody(film=("0.9",), FILM=("0.1",))
    on = loop(bot)
    violation = await finding(on, LOUD, FILM, proposed(FILM, [LOUD]))
    violation.verdict = replace(violation.verdict, decision=replace(violation.verdict.decided, worst=()))
    await confirm(on, [violation])
    assert (violation.confirmed, bot.count) == (True, 4)
