"""Relations for the task `extraction`: if a value in the text is replaced, the data must change in the same way.

The expected data are computed from the source's data, in which the value may be written in any notation. The pair is
not judged if the value is missing, or if other data may depend on it.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Any

from mutatis.core.cases import Step
from mutatis.core.relation import Group
from mutatis.measures.argument_texts import bare_words
from mutatis.relations.calling import FollowingValues, leaves, named_leaves, with_leaves
from mutatis.relations.output import OUTPUT_RELATIONS, recorded
from mutatis.relations.soundness import ENOUGH, LOGIC
from mutatis.relations.table import EXTRACTION, Row, register
from mutatis.text.values import vocabulary
from mutatis.transformations.stated import STATED, STATED_KINDS
from mutatis.transformations.values import value_as

_FOLLOWS = {
    "city": re.compile(r"state|country|region|province|county|zip|postal|postcode|time_?zone|lat|lon|address", re.I),
    "name": re.compile(r"gender|sex|title|salutation|e?_?mail|initial|pronoun", re.I),
    "number": re.compile(r"total|sum|average|mean|price|cost|amount|count|duration|end|until|remaining", re.I),
    "date": re.compile(r"day|week|end|until|duration|nights|age|due|year", re.I),
}
"""Patterns of the keys whose data may depend on a value, such as the country of a city, by kind of value."""


def with_stated_value(group: Group) -> list[Any] | dict[str, Any] | str:
    """Return the source's data with the value replaced, or the reason why this is impossible.

    The value must occur exactly once, and no other data may depend on it.
    """
    kind, old, new = recorded(group, STATED) or ("", "", "")
    data = group.source.response.value if group.source.response is not None else None
    if not kind or not isinstance(data, dict | list):
        return "nothing was exchanged, or the source's answer is not data"
    holding = [leaf for leaf in leaves(data) if _image(leaf, kind, old, new) != leaf]
    if len(holding) != 1:
        return f"{old!r} occurs {len(holding)} times in the source's data"
    if kind == "city" and bare_words(str(holding[0])) != bare_words(old):
        return f"{old!r} is part of {str(holding[0])[:40]!r}, which may be a title"
    text = f" {bare_words(group.source.question)} "
    for name, leaf in named_leaves(data):
        # Data that the text itself contains does not follow from the value.
        if leaf != holding[0] and _FOLLOWS[kind].search(name) and f" {bare_words(str(leaf))} " not in text:
            return f"what {name!r} is may follow from {old!r}"
    image: list[Any] | dict[str, Any] = with_leaves(data, lambda leaf: _image(leaf, kind, old, new))
    return image


def _image(leaf: Any, kind: str, old: str, new: str) -> Any:
    """Replace the old value in a scalar value. Numbers within a date or time are left unchanged.

    >>> _image("2026-10-12", "number", "10", "13"), _image("10 chairs at 10:30", "number", "10", "13")
    ('2026-10-12', '13 chairs at 10:30')
    >>> _image(4, "number", "4", "6"), _image("two", "number", "2", "3"), _image("2026-05-03", "date", "May 3", "May 9")
    (6, '3', '2026-05-09')
    """
    if isinstance(leaf, int | float) and not isinstance(leaf, bool):
        return int(new) if old.isdecimal() and leaf == int(old) else leaf
    if not isinstance(leaf, str):
        return leaf
    number_words = vocabulary().ones
    if old.isdecimal() and leaf.lower() in number_words:
        return new if str(number_words.index(leaf.lower())) == old else leaf
    if kind == "date" and re.fullmatch(r"\d{4}-\d\d-\d\d", leaf):
        return _with_date(leaf, old, new)
    before, after = (r"(?<![\w:/.,-])", r"(?![\w:/-]|[.,]\d)") if kind == "number" else (r"(?<!\w)", r"(?!\w)")
    return re.sub(rf"{before}{re.escape(old)}{after}", lambda match: new, leaf, flags=re.IGNORECASE)


def _with_date(leaf: str, old: str, new: str) -> str:
    """Return an ISO date with a new day of the month, or unchanged unless it is the old date of any year."""
    old_date, new_date = value_as("date", old).date, value_as("date", new).date
    try:
        written = date.fromisoformat(leaf)
    except ValueError:
        return leaf
    same_day = (written.month, written.day) == (old_date.month, old_date.day)
    return f"{leaf[:8]}{new_date.day:02}" if same_day else leaf


OUTPUT_RELATIONS["data-follows"] = FollowingValues(
    name="data-follows",
    in_words="the data has the new value",
    for_readers="The data must have the new value in place of the old one, and be unchanged otherwise.",
    image=with_stated_value,
)

register(
    Row(
        f"data-{kind}",
        "data-follows",
        (EXTRACTION,),
        by=Step.of("exchange-stated", kind=kind),
        says=f"With another {kind} in the text, the data also has it, and is unchanged otherwise.",
        purpose=LOGIC,
        enough=ENOUGH,
        tags=("ours", EXTRACTION),
    )
    for kind in STATED_KINDS
)
