"""Short forms of answers, side by side, cut so that their differences can be seen."""

from __future__ import annotations

import json
from collections.abc import Sequence

from rapidfuzz.distance import Prefix

from mutatis.records.report import Instability
from mutatis.reports.numbers import line
from mutatis.reports.widths import cut_to
from mutatis.text.normalisation import fold
from mutatis.text.openers import without_courtesies

ROOM = 36
"""Maximum number of characters per answer, so that two answers fit in a row of the page."""


def brief(answers: Sequence[str], room: int = ROOM) -> tuple[str, ...]:
    """Return each answer on one line of about `room` characters.

    If an answer is longer, all answers begin shortly before their first difference. For JSON objects, only the first
    entry that differs is shown.

    >>> brief(["You can pay by card.", "You can pay by invoice."])
    ('You can pay by card.', 'You can pay by invoice.')
    >>> brief(["In our shops you can always pay by card.", "In our shops you can always pay by invoice."])
    ('…pay by card.', '…pay by invoice.')
    >>> brief(['{"hotel-area": "east"}', '{"hotel-area": "east", "hotel-stars": "4"}'])
    ('hotel-stars: (none)', '4')
    """
    lines = [" ".join(answer.split()) for answer in answers]
    if entries := _differing_entries(lines):
        return tuple(cut_to(text, room) for text in entries)
    start = _start_of_difference(lines, room) if any(len(text) > room for text in lines) else 0
    return tuple(cut_to(f"…{text[start:].lstrip()}" if start else text, room) for text in lines)


def _start_of_difference(lines: Sequence[str], room: int) -> int:
    """Return a position a few words before the texts first differ, or 0 if they differ near the start."""
    if len(set(lines)) < 2:
        return 0
    length_in_common = min(Prefix.similarity(lines[0], other) for other in lines[1:] if other != lines[0])
    if length_in_common <= room // 2:
        return 0
    earliest = length_in_common - room // 3
    blank = lines[0].find(" ", earliest, length_in_common)
    return earliest if blank < 0 else blank + 1  # a long word, or a script without blanks, is cut


def _differing_entries(lines: Sequence[str]) -> list[str]:
    """Return the first differing entry of JSON objects, as a text per object, the first one with its name.

    Return [] if no entry differs, or if the texts are not all JSON objects.
    """
    objects = [flat for text in lines if (flat := _flat_json(text)) is not None]
    if len(objects) < len(lines):
        return []
    for spelling in (fold, str):  # a mere difference in spelling is shown only if there is no other
        names = sorted(
            name for name in set().union(*objects) if len({spelling(texts.get(name, "")) for texts in objects}) > 1
        )
        if names:
            values = [texts.get(names[0]) or "(none)" for texts in objects]
            more = f"; {len(names) - 1} more differ" if len(names) > 1 else ""
            return [f"{names[0]}: {values[0]}", *values[1:-1], values[-1] + more]
    return []


def _flat_json(text: str) -> dict[str, str] | None:
    """Return the entries of a JSON object, with nested names joined like `hotel-area`, or None for other text.

    >>> _flat_json('{"hotel": {"area": "east", "stars": null}, "open": true}')
    {'hotel-area': 'east', 'hotel-stars': '', 'open': 'true'}
    """
    if not text.startswith("{"):
        return None
    try:
        data, _ = json.JSONDecoder().raw_decode(text)  # text behind the object is ignored
    except (json.JSONDecodeError, RecursionError):
        return None
    flat: dict[str, str] = {}
    for name, value in data.items():
        if isinstance(value, dict):
            flat |= {f"{name}-{part}": _value(inner) for part, inner in value.items()}
        else:
            flat[name] = _value(value)
    return flat


def _value(value: object) -> str:
    if value is None:
        return ""
    return value.strip() if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


LONGEST_SHARE = 80
"""Maximum number of characters of each answer quoted for an unstable question."""


def instability_text(instability: Instability | None) -> str:
    """Return the two answers that different wordings of a question get, with counts, or "" if there is only one.

    >>> print(instability_text(Instability(wordings=12, shares=[("at nine", 7), ("at noon", 5)])))
    asked the same thing in 12 wordings it says 'at nine' in 7 and 'at noon' in 5
    """
    if instability is None:
        return ""
    texts = [line(text) for text, _ in instability.shares]
    if any(len(text) > LONGEST_SHARE for text in texts):
        texts = [without_courtesies(text) for text in texts]
    shares = zip(brief(texts, LONGEST_SHARE), instability.shares, strict=True)
    answers = [f"{text!r} in {count:,}" for text, (_, count) in shares]
    return f"asked the same thing in {instability.wordings:,} wordings it says {' and '.join(answers)}"
