"""Reads the limits that a reply states: "from 65", "up to 3 days", "until 14:00", "between 6 and 12"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from mutatis.core.dictionary import Limit, Side
from mutatis.languages import language_tables, word_set
from mutatis.text.sentences import sentences
from mutatis.text.values import Value, values

_CONTENT = re.compile(r"[^\W\d_]{4,}")
_NO_SIZE = frozenset({"weekday", "day", "month", "year", "decade", "ordinal"})
_BETWEEN = re.compile(r"\s*(?:and|to|-|\u2013)\s*\Z")


def limits_of(reply: str, language: str = "en") -> list[Limit]:
    """Return the limits that a reply states, in their order.

    >>> [(limit.text, limit.side, limit.inclusive) for limit in limits_of("Tables for up to 8 people; over 12 no.")]
    [('up to 8 people', 'most', True), ('over 12', 'least', False)]
    >>> [(limit.text, limit.size) for limit in limits_of("Delivery is free from 35 EUR. Open until 14:00.")]
    [('from 35 EUR', 35.0), ('until 14:00', 840.0)]
    >>> [(limit.value, limit.side) for limit in limits_of("It is for children between 6 and 12.")]
    [('6', 'least'), ('12', 'most')]
    """
    return [limit for sentence in sentences(reply) for limit in _in_sentence(sentence, language)]


def _in_sentence(sentence: str, language: str) -> Iterator[Limit]:
    stated = [value for value in values(sentence, language) if not _names_no_size(value)]
    about = tuple(sorted(_about(sentence, language)))
    before, behind = _words(language)
    between: Value | None = None
    for number, value in enumerate(stated):
        lead = sentence[: value.start]
        if between is not None and _BETWEEN.search(lead):
            yield _limit(value, value.text, "most", True, about)
            between = None
            continue
        between = None
        if re.search(r"\bbetween\s+\Z", lead, re.IGNORECASE) and number + 1 < len(stated):
            between = value
            yield _limit(value, value.text, "least", True, about)
            continue
        if match := before.search(lead):
            side, inclusive = _sides(language)["before"][" ".join(match["cue"].lower().split())]
            yield _limit(value, sentence[match.start("cue") : _end(sentence, value)], side, inclusive, about)
        elif match := behind.match(sentence, value.end):
            side, inclusive = _sides(language)["behind"][" ".join(match["cue"].lower().split())]
            yield _limit(value, sentence[value.start : match.end()], side, inclusive, about)


def _names_no_size(value: Value) -> bool:
    """Whether a value has no neighbours that a limit could be asked with: a name, a day of the week."""
    return value.kind in ("name", "code") or value.measure in _NO_SIZE


def _end(sentence: str, value: Value) -> int:
    """Return the end of a limit: behind the noun that a number counts."""
    if value.kind == "number" and value.unit and sentence[value.end :].lstrip().lower().startswith(value.unit.lower()):
        return sentence.lower().index(value.unit.lower(), value.end) + len(value.unit)
    return value.end


def _limit(value: Value, text: str, side: Side, inclusive: bool, about: tuple[str, ...]) -> Limit:
    unit = f":{value.unit}" if value.measure == "count" and value.unit else ""
    return Limit(
        text=" ".join(text.split()), value=value.text, measure=value.measure + unit, size=value.size, side=side,
        inclusive=inclusive, about=about,
    )  # fmt: skip


def _about(sentence: str, language: str) -> set[str]:
    """Return the content words of a sentence, without words that every limit has."""
    small = word_set("function_words", language)
    return {word for word in map(str.lower, _CONTENT.findall(sentence)) if word not in small}


Cues = dict[str, dict[str, tuple[Side, bool]]]


@cache
def _sides(language: str) -> Cues:
    """Return, by place and cue, the side of the limit and whether it is among them."""
    return {
        place: {cue: (row["side"], row["inclusive"]) for row in rows for cue in row["cues"]}
        for place, rows in language_tables("limits", language).items()
    }


@cache
def _words(language: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    def cues(place: str) -> str:
        longest = sorted(_sides(language)[place], key=len, reverse=True)
        return "|".join(re.escape(cue).replace(r"\ ", r"\s+") for cue in longest)

    return (
        re.compile(rf"\b(?P<cue>{cues('before')})\s+(?:the\s+)?(?:age\s+of\s+|an?\s+)?\Z", re.IGNORECASE),
        re.compile(rf"(?:\s+[^\W\d_]+){{0,2}}?[\s-]+(?P<cue>{cues('behind')})\b", re.IGNORECASE),
    )
