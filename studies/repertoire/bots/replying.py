"""Replies and their meanings, and choices that look random."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Meaning = tuple
Memory = Mapping[str, str]
FALLBACK: Meaning = ("fallback",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A bot's reply.

    Attributes:
        text: the words.
        meaning: the intent, then pairs of a name and a value: all that a user would care about, nothing about wording.
            Two replies mean the same exactly where their meanings are equal.
    """

    text: str
    meaning: Meaning


def meant(intent: str, **values: object) -> Meaning:
    """Return a meaning: the intent, then its values by name."""
    return (intent, *sorted(values.items()))


def values_of(meaning: Meaning) -> dict[str, Any]:
    """Return the values of a meaning by name."""
    return dict(meaning[1:])


def changed(meaning: Meaning, **values: object) -> Meaning:
    """Return a meaning with other values in place of those that it has; names that it has not are passed over."""
    return meant(meaning[0], **{name: values.get(name, value) for name, value in values_of(meaning).items()})


def flipped(meaning: Meaning) -> Meaning:
    """Return a meaning with yes for no and no for yes, if it answers such a question."""
    return changed(meaning, answer=not values_of(meaning).get("answer"))


def key(meaning: Meaning) -> str:
    """Return the name of a meaning's wording: its intent, and "/yes" or "/no" if it answers such a question."""
    answer = values_of(meaning).get("answer")
    return meaning[0] if answer is None else f"{meaning[0]}/{'yes' if answer else 'no'}"


def pick(options: Sequence[str], *seed: object) -> str:
    """Return one of the options, by a hash of the seed."""
    return options[number(*seed) % len(options)]


def number(*seed: object) -> int:
    """Return a number that looks random, the same for the same seed in every process."""
    return int.from_bytes(hashlib.blake2b("|".join(map(str, seed)).encode(), digest_size=8).digest())
