"""Removes the numbers of passages that an answer cites: "[2]", "(2)", "(Source: passage 2)", "passage 2"."""

from __future__ import annotations

import re

_NUMBERS = r"\d{1,2}(?:\s*+(?:,|;|&|-|\u2013|and)\s*+\d{1,2})*+"
_SOURCE = (
    r"(?:(?:sources?|see|from|cf\.)\s*+:?\s*+)?(?:(?:passages?|sources?|documents?)\s*+)?(?:no\.?\s*+|number\s++|#)?"
)
_CITATION = re.compile(
    rf"(?<!\s)\s*+[\[(\u3010]\s*+{_SOURCE}\[?{_NUMBERS}\]?\s*+[\])\u3011]"
    rf"|(?<!\s)\s*+\b(?:sources?\s*+:\s*+)?(?:passages?|sources?|documents?)\s*+(?:no\.?\s*+|number\s++|[:#]\s*+)?"
    rf"\[?{_NUMBERS}\b\]?",
    re.IGNORECASE,
)


def without_citations(text: str, passages: int) -> str:
    """Return a text without its citations of passages, or unchanged if nothing else is left.

    Only numbers up to the number of passages are citations.

    >>> without_citations("In 1954, by the mayor [2].", 3), without_citations("1954 (Source: passage 1)", 3)
    ('In 1954, by the mayor.', '1954')
    >>> without_citations("Ann (42) [1, 3]", 3), without_citations("[2]", 3)
    ('Ann (42)', '[2]')
    """

    def left(match: re.Match[str]) -> str:
        numbers = map(int, re.findall(r"\d+", match[0]))
        return "" if all(1 <= number <= passages for number in numbers) else match[0]

    rest = _CITATION.sub(left, text).strip()
    return rest if any(map(str.isalnum, rest)) else text
