"""Extracts named values, such as a verdict or a score, from the JSON in an answer."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from mutatis.core.parsing import NotReadable, json_of

LONGEST = 20_000
"""Number of characters at the end of an answer that are searched."""

_OBJECT = re.compile(r"\{[^{}]{1,2000}\}")


def values_under(keys: Collection[str], text: str) -> Iterator[str]:
    """Yield the strings and numbers under these keys in flat JSON objects, starting with the last object.

    >>> list(values_under(("score",), 'First {"score": 3}, after all {"Score": 4, "why": "it is clear"}.'))
    ['4', '3']
    """
    for written in reversed(_OBJECT.findall(text[-LONGEST:])):
        try:
            data = json_of(written)
        except NotReadable:
            continue
        values = {str(key).lower().replace(" ", "_"): value for key, value in data.items()}
        yield from (str(values[key]) for key in keys if isinstance(values.get(key), str | int | float))
