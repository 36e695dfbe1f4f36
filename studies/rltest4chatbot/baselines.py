"""Trackers that understand nothing: what a trained one must be well above."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from training import Example

from mutatis.rltest4chatbot.metrics import StateAccuracy, state_accuracy


def known_values(examples: Sequence[Example]) -> dict[str, list[str]]:
    """Return the values that each slot has in the data, most frequent first."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for example in examples:
        for slot, words in example.values.items():
            counts[slot][" ".join(words)] += 1
    return {slot: [value for value, _ in values.most_common()] for slot, values in counts.items()}


def copied(example: Example, known: dict[str, list[str]], domains: bool) -> dict[str, str]:
    """Return every known value that stands in the dialogue, the latest one per slot.

    `domains`: only in domains whose name was spoken.
    """
    text = f" {' '.join(example.words)} "
    state: dict[str, str] = {}
    for slot, values in known.items():
        if domains and f" {slot.partition('-')[0]} " not in text:
            continue
        places = [(text.rfind(f" {value} "), value) for value in values]
        place, value = max(places)
        if place >= 0:
            state[slot] = value
    return state


def baselines_of(learned: Sequence[Example], test: Sequence[Example]) -> dict[str, StateAccuracy]:
    """Return the figures of the always-empty and always-copy trackers.

    "previous state" is given the annotated state of the turn before, which no tracker is.
    """
    known = known_values(learned)
    before: dict[str, str] = {}
    previous = []
    for example in test:
        previous.append((example.state, before if len(example.turns) > 1 else {}))
        before = example.state
    return {
        "always empty": state_accuracy([(example.state, {}) for example in test]),
        "copy every known value": state_accuracy([(example.state, copied(example, known, False)) for example in test]),
        "copy, of domains that were named": state_accuracy(
            [(example.state, copied(example, known, True)) for example in test]
        ),
        "copy the annotated state before": state_accuracy(previous),
    }
