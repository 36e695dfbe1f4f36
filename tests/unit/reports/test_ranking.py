"""The most telling findings come first: one of each capability, and two answers that differ before a fallback."""

from __future__ import annotations

import pytest

from mutatis.reports.faults import groups_of
from mutatis.reports.ranking import Ranking, spread
from mutatis.reports.view import faults, telling

CAPABILITIES = {("chat", "leet"): "typing noise", ("chat", "misspell"): "typing noise", ("chat", "shout"): "case"}


@pytest.fixture
def finding(builder):
    """Makes a finding: relation, the source's answer, the follow-up's, and the number of the input."""

    def make(relation, before, after, source=1, text="what is it", **extra):
        name = f"s/{source}"
        asked = {"case": builder.case(name, f"What is it, {source}?"), "response": builder.response(before)}
        made = builder.follow_up(builder.case(f"{name}~{relation}", text), after, name, (relation, {}))
        record = builder.finding("bot", "chat", relation, asked, [made], **{"confirmed": None, **extra})
        return builder.typed_findings({"findings": [record]})[0]

    return make


def relations(findings):
    return [finding.relation for finding in findings]


@pytest.mark.parametrize(
    "nothing",
    [
        "",
        "I'm sorry, I did not understand that.",
        "Could you please rephrase?",
        "I don't know.",
        "I'm sorry, but I can't help with that.",
    ],
)
def test_two_answers_that_differ_outrank_one_that_says_nothing(finding, nothing):
    empty, telling_one = (
        finding("leet", "It costs 5 euros.", nothing),
        finding("shout", "It costs 5 euros.", "Free.", 2),
    )
    assert relations(spread([empty, telling_one], 1)) == ["shout"]
    assert relations(spread([finding("leet", nothing, "It costs 5 euros."), telling_one], 1)) == ["shout"]
    assert [Ranking([empty, telling_one]).is_evasive(item) for item in (empty, telling_one)] == [True, False]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("It costs 5 euros.", "You pay 6 euros."),
        ("Yes, it is.", "Unfortunately not."),
        ("It costs 5 euros.", "I did not understand that."),
    ],
)
def test_answers_that_differ_plainly_outrank_those_that_only_the_other_replies_tell_apart(finding, before, after):
    vague = finding("leet", "It costs 5 euros, Anna.", "Five euros it is.", measure="repertoire")
    plain = finding("shout", before, after, 2, measure="repertoire")
    assert relations(Ranking([vague, plain]).best()) == ["shout", "leet"]
    ranking = Ranking([vague, plain])
    assert [ranking.is_vague(item) for item in (vague, plain)] == [True, False]
    assert not ranking.is_vague(vague.model_copy(update={"cause": "not understood"}))
    assert not ranking.is_vague(vague.model_copy(update={"measure": "free-answers"}))


def test_a_fault_is_shown_by_its_finding_whose_answers_differ_plainly(finding):
    short = finding("leet", "It costs 5 euros.", "Five euros it is.", text="it?", measure="repertoire", cause="odd")
    plain = finding("leet", "It costs 5 euros.", "It costs 6 euros.", measure="repertoire", cause="odd")
    assert len(groups_of([short, plain])) == 1
    assert Ranking([short, plain]).best(1) == [plain]


def test_what_is_shown_counts_the_least_follow_up(finding):
    record = finding("leet", "It costs 5 euros.", "Free.")
    shrunk = record.followups[0].model_copy(
        update={"response": finding("leet", "", "I don't know.").followups[0].response}
    )
    assert not Ranking([record]).is_evasive(record)
    assert Ranking([record]).is_evasive(record.model_copy(update={"shrunk": shrunk}))


def test_the_reply_that_many_inputs_get_is_one_fault_shown_by_its_shortest_follow_up(finding):
    texts = ("Hello, what is it?", "what is it", "Good evening, what is it?")
    stock = [finding("leet", f"Fare {i}.", "Welcome to the station!", i, text) for i, text in enumerate(texts)]
    other = finding("leet", "The fare is 9.", "The fare is 8.", 9)
    assert Ranking([*stock, other]).best() == [stock[1], other, stock[0], stock[2]]
    assert Ranking([*stock[:2], other]).best(2) == stock[:2]
    # a label that many inputs get is an answer
    labels = [finding("leet", "question", "review", i) for i in range(1, 9)]
    assert len(groups_of(labels)) == 8
    # what was yes and becomes no is a contradiction, however often
    flipped = [finding("leet", "Yes.", "No.", i) for i in range(1, 6)]
    assert len(groups_of(flipped)) == 5


def test_one_of_each_capability_comes_before_the_next_of_any(finding):
    findings = [finding("leet", "a", "b", i) for i in range(3)] + [finding("misspell", "a", "c", 5)]
    findings += [finding("shout", "a", "d", i) for i in (7, 8)]
    first = spread(findings, 3, CAPABILITIES)
    assert {CAPABILITIES["chat", name] for name in relations(first[:2])} == {"typing noise", "case"}
    assert relations(spread(findings, 4, CAPABILITIES)).count("shout") == 2


def test_of_one_capability_two_answers_that_differ_come_before_one_that_says_nothing(finding):
    empty = finding("leet", "It costs 5 euros.", "I don't know.")
    findings = [empty, finding("misspell", "It costs 5 euros.", "Free.", 2), finding("shout", "a", "b", 3)]
    assert relations(Ranking(findings, CAPABILITIES).best()) == ["misspell", "shout", "leet"]


def test_new_comes_first_then_what_held_and_flaky_last(finding):
    states = {"old": {"confirmed": True}, "flaky": {"confirmed": False, "new": True}, "untried": {"new": True}}
    findings = [finding(name, "a", "b", place, **state) for place, (name, state) in enumerate(states.items())]
    assert relations(spread(findings, 3)) == ["untried", "flaky", "old"]


def test_cards_are_one_per_capability_and_none_is_flaky_or_empty_where_others_are(finding):
    findings = [finding("leet", "a", "b", i, confirmed=True) for i in range(4)]
    findings += [finding("shout", "a", "I don't know.", 8), finding("flaky", "a", "b", 9, confirmed=False)]
    ranking = Ranking(findings, CAPABILITIES)
    cards = telling(faults(ranking))
    assert [card.first.record.relation for card in cards] == ["leet", "leet", "leet"]
    [capability] = {card.first.capability for card in cards if card.first.record.relation == "leet"}
    assert capability == "typing noise"


def test_who_is_speaking_is_no_headline_where_there_is_another_finding(finding):
    capabilities = {**CAPABILITIES, ("chat", "say-faith"): "who is speaking"}
    findings = [finding("say-faith", "It costs 5 euros.", "Free."), finding("leet", "", "It costs 5 euros.", 2)]
    assert relations(Ranking(findings, capabilities).best()) == ["leet", "say-faith"]
    assert relations(Ranking(findings[:1], capabilities).best()) == ["say-faith"]


def test_another_persons_data_comes_first_although_one_of_the_answers_is_a_refusal(finding):
    capabilities = {**CAPABILITIES, ("chat", "claim-role"): "privacy"}
    findings = [finding("leet", "It costs 5 euros.", "Free."), finding("shout", "It costs 5 euros.", "Free.", 2)]
    findings += [finding("claim-role", "I can't share that.", "She is in room 12.", place) for place in (3, 4)]
    assert relations(Ranking(findings, capabilities).best()) == ["claim-role", "leet", "shout", "claim-role"]
