"""Puts other values into a training example, in the dialogue and in its state alike.

A language model that begins with nothing remembers the values of a few hundred dialogues long before it copies them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from training import Example

from mutatis.rltest4chatbot.states import DONT_CARE, slot_name

NOT_SAID = (DONT_CARE, "yes", "no", "free")


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueSwapper:
    """Swaps values that are spoken for values that other dialogues have in the same slot.

    Attributes:
        values: the values of each slot, as the states have them.
    """

    values: Mapping[str, Sequence[str]]

    @classmethod
    def of(cls, examples: Sequence[Example]) -> ValueSwapper:
        """Return a swapper with the values of examples.

        Those with several spellings stay out, and those that are not said as they are written ("dontcare", "yes").
        """
        values: dict[str, dict[str, None]] = {}
        for example in examples:
            for slot, value in example.state.items():
                if "|" not in value and value.lower() not in NOT_SAID:
                    values.setdefault(slot_name(slot), {})[value.lower()] = None
        return cls(values={slot: tuple(known) for slot, known in values.items()})

    def swapped(self, example: Example, rng: random.Random) -> Example:
        """Return the example with each spoken value swapped for another one, the same one wherever it stands."""
        texts = " \n ".join(text for turn in example.turns for text in turn).lower()
        others: dict[str, str] = {}
        for slot, value in sorted(example.state.items()):
            known = self.values.get(slot_name(slot), ())
            if value.lower() not in others and value.lower() in known and _word(value).search(texts):
                others[value.lower()] = rng.choice(known)
        if not others:
            return example
        longest_first = "|".join(re.escape(value) for value in sorted(others, key=len, reverse=True))
        pattern = re.compile(rf"(?<!\w)(?:{longest_first})(?!\w)", re.IGNORECASE)

        def other(match: re.Match[str]) -> str:
            return others[match.group().lower()]

        return replace(
            example,
            turns=[(pattern.sub(other, service), pattern.sub(other, user)) for service, user in example.turns],
            state={slot: others.get(value.lower(), value) for slot, value in example.state.items()},
        )


def _word(value: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(value.lower())}(?!\w)")
