"""Names of several words and their short forms."""

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
