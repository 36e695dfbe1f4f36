"""Facts that two replies state in different forms; names of several words and their short forms."""

from __future__ import annotations

from random import Random
from string import ascii_lowercase

import pytest

from mutatis.measures import facts


@pytest.mark.parametrize(
    ("texts", "names", "forms"),
    [
        (["Amex is fine.", "We take American Express."], "amex american express", {"amex": ("american", "express")}),
        (["The Royal Bank, or RB."], "royal bank rb", {}),  # two letters may be anything
        (["The Renault is here.", "Ren is there."], "renault ren", {}),  # a name of one word has no short form here
        (["Sun Valley and Sunny Vale.", "SunVal."], "sun valley sunny vale sunval", {}),  # of either one
        (["Al Main and Alma Maine.", "Alma Maine."], "al main alma maine", {}),  # "Alma" is a word of a name itself
    ],
)
def test_short_forms_of_names(texts, names, forms):
    assert facts.short_forms(texts, frozenset(names.split())) == forms


def test_few_of_many_names_are_compared(monkeypatch):
    rng, compared = Random(1), []
    names, others = (["".join(rng.choices(ascii_lowercase, k=6)).title() for _ in range(400)] for _ in range(2))
    real = facts._is_short_form
    monkeypatch.setattr(facts, "_is_short_form", lambda name, run: compared.append(name) or real(name, run))
    texts = [f"We like {first} {second}." for first, second in zip(names[::2], names[1::2], strict=True)]
    facts.short_forms(texts, frozenset(map(str.lower, [*names, *others])))
    assert 0 < len(compared) < 10 * len(others)  # of 80,000 pairs


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
