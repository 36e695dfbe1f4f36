"""Facts that two replies state in different forms."""

from __future__ import annotations

import pytest

from mutatis.measures import facts


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("It takes 5 working days.", "It takes 5 days, weekends not counted.", True),
        ("It takes five business days.", "It takes 5 days (excluding weekends).", True),
        ("It takes 5 working days.", "It takes 5 days.", False),
        ("It takes 5 working days.", "It takes 5 shirts.", False),  # a noun is no unit, whatever the size of the unit
        ("It costs 5 euros.", "It costs 5 tokens.", False),
        ("We come from 18 to 20.", "We come from 6 to 8 pm.", True),  # a bare number may be an hour
        ("We come from 10 to 2 pm.", "We come from 10:00 am to 14:00.", True),
        ("We come from 18 to 20.", "We come from 6 to 8 am.", False),
        ("We come with 8 to 10 vans.", "We come from 8 to 10 am.", False),
    ],
)
def test_one_fact_in_two_forms(first, second, same):
    sides = [facts.facts(text) for text in (first, second)]
    assert all(facts.states_fact(theirs, ours) for ours, theirs in zip(*sides, strict=True)) is same
    assert len(sides[0]) == len(sides[1])


@pytest.mark.parametrize(
    ("stated", "text", "mentioned"),
    [
        ("We fly to Paris.", "The Parisian shop is open.", True),
        ("We fly to Mali.", "The malicious one is open.", False),  # too short to tell its family by
        ("It is charged per night.", "It costs 20 euros.", False),
        ("Absolutely.", "It costs 20 euros.", False),
        ("1 night costs 28 euros.", "It's 28 euros each night.", True),
        ("1 night costs 28 euros.", "It's 28 euros per person.", False),
    ],
)
def test_what_a_text_mentions_without_stating_it(stated, text, mentioned):
    fact, *_ = facts.facts(stated, frozenset({"paris", "mali"}))
    assert facts.mentions_fact(text, fact) is mentioned


def test_the_facts_of_a_german_reply():
    reply = "Ja, montags kostet das Frühstück 20 Euro pro Person, sonst 300 Euro monatlich."
    stated = {(fact.kind, fact.text, fact.key) for fact in facts.facts(reply, language="de")}
    rates = {("rate", "per person", "person"), ("rate", "per monatlich", "monat")}
    assert stated == {("stance", "yes", "True"), ("day", "montag", "montag"), *rates} | {
        ("amount", "20 euro", ""),
        ("amount", "300 euro", ""),
    }
