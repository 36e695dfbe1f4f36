"""Reads a grader's score on a scale: a number, "7/10", JSON, or "seven out of ten".

A score is converted to its position on the scale, from 0 (lowest) to 1 (highest), so that a tolerance means the same on
every scale.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mutatis.core.cases import Case
from mutatis.core.system import Response
from mutatis.core.task import Unparsable
from mutatis.tasks.json_values import LONGEST, values_under
from mutatis.tasks.parsers import Parser, answer_text, quoted, unwrapped
from mutatis.text.normalisation import fold
from mutatis.text.refusals import is_refusal
from mutatis.text.values import in_full, vocabulary

SCALE = (1.0, 10.0)
"""The lowest and highest score of the default scale."""

_KEYS = ("score", "rating", "grade", "points", "overall", "overall_score", "total", "value", "mark", "result")
_NUMBER = r"[-+]?\d{1,9}(?:[.,]\d{1,9})?"
_ENDS = re.compile(rf"({_NUMBER})\s*(?:to|-|–|\.\.|and|,|bis)\s*({_NUMBER})")
"""Matches the two ends of a scale, such as "1 to 5"."""

_GIVEN = re.compile(
    rf"(?<![\d.,-])({_NUMBER})(?:\s*(?:/|out of|of|von)\s*({_NUMBER}))?(?:\s*(?:points?|stars?|%))?(?!\d|\.\d)"
)
"""Matches a score, which may be followed by its maximum ("7/10") and by "points" or "%"."""

_NAMED = re.compile(
    r"\b(?:(score|rating|grade|points|mark|overall)|verdict|answer)\b[\s\"'*_:]*+(?:is|of|=|would be)?[\s\"'*_:(\[]*+"
    rf"(?={_NUMBER})"
)
"""Matches a word such as "score" up to the number that follows it."""

_BRACKETED = re.compile(r"\[\[([^\[\]]{1,40}+)\]\]")
"""Matches a score in double brackets, a form that many grading prompts ask for."""

_LISTED = re.compile(r"(?m)^[ \t>*#-]{0,8}(\d{1,2})[.)][*_]{0,2}[ \t]++(?=\S)")
"""Matches the number of a list item at the beginning of a line."""

_WORDED = re.compile(rf"\b({'|'.join(vocabulary().ones[:11])})\b")
_HALF = re.compile(r"(?<![\d.,])(\d{1,9}) and a half\b")
_VERDICT = re.compile(
    r"\A(?:pass ?(?:/|or) ?fail\b[\s*_:=-]*+|(?:the|this) (?:answer|response|output|reply|text) (?:has )?)"
)
"""Matches words that may precede "pass" or "fail" in a verdict."""

_PASSES = {
    **dict.fromkeys(("pass", "passed", "passes", "true", "yes"), 1.0),
    **dict.fromkeys(("fail", "failed", "fails", "false", "no"), 0.0),
}
"""Words for the ends of a scale from 0 to 1, because graders on this scale may also answer "pass" or "fail"."""

_AROUND = " .!*`\"'()[]"
_PASS_KEYS = ("pass", "passed", "passes")
_WORDS = {word: str(number) for number, word in enumerate(vocabulary().ones[:11])}


def ends_of(scale: str) -> tuple[float, float]:
    """Return the lowest and the highest score of a scale, by default 1 and 10.

    Raises:
        Unparsable: the scale does not name two numbers, the lower one first. A wrong guess would change every score.

    >>> ends_of("1 to 5"), ends_of("0-100"), ends_of("")
    ((1.0, 5.0), (0.0, 100.0), (1.0, 10.0))
    """
    if not scale.strip():
        return SCALE
    match = _ENDS.search(scale)
    low, high = (_value(match[1]), _value(match[2])) if match else (0.0, 0.0)
    if low >= high:
        raise Unparsable(
            f'the scale {quoted(scale)} cannot be read; expected the lowest and the highest score, such as "1 to 10"'
        )
    return low, high


def _value(text: str) -> float:
    return float(text.replace(",", "."))


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsParser(Parser):
    """Parser for a score on the scale in the case's field `scale`. The lowest score becomes 0, the highest 1."""

    def parse(self, response: Response, case: Case) -> float:
        """Return the position of the score on the scale, from 0 to 1."""
        text = answer_text(response)
        low, high = ends_of(case.turns[-1].fields.get("scale", ""))
        expected = f"expected a number from {low:g} to {high:g}"
        if (low, high) == (0.0, 1.0) and (passed := _passed(text)) is not None:
            return passed
        for candidate in (*_candidates(_without_list_numbers(text)), *_candidates(text)):
            if (score := _score(candidate, high)) is None:
                continue
            if not low <= score <= high:
                raise Unparsable(f"the score {score:g} in {quoted(text)} is out of range; {expected}")
            return round((score - low) / (high - low), 9)
        why = "a refusal" if is_refusal(text) else "no number"
        raise Unparsable(f"{why} in {quoted(text)}; {expected}")


def _without_list_numbers(text: str) -> str:
    """Remove the numbers of list items from a text.

    Numbers at the beginning of a line are removed if there are several. A single one is removed only if it is 1 and
    does not begin the text.
    """
    listed = list(_LISTED.finditer(text))
    if len(listed) > 1 or any(match[1] == "1" and match.start() for match in listed):
        return _LISTED.sub("", text) or text
    return text


def _candidates(text: str) -> Iterator[str]:
    """Yield parts of a text that may contain the score, most reliable first."""
    yield from values_under(_KEYS, text)
    yield from map(str.strip, _BRACKETED.findall(text)[-1:])
    lines = [line for line in text.splitlines() if line.strip()]
    yield from (unwrapped(line) for line in (lines[-1], lines[0]) if len(line) <= 40)
    named = list(_NAMED.finditer(fold(text[-LONGEST:])))
    yield from (fold(text[-LONGEST:])[match.end() : match.end() + 40] for match in reversed(named))
    yield in_full(text[-2_000:])


def _passed(text: str) -> float | None:
    """Return the score of a grader that answers pass or fail, or None if it gave a number or neither word."""
    if any(_score(value, 1.0) is not None for value in values_under(_KEYS, text)) or _names_a_score(text):
        return None
    lines = [unwrapped(line) for line in text.splitlines() if line.strip()]
    said = (fold(value).strip(_AROUND) for value in (*values_under(_PASS_KEYS, text), *lines[-1:], *lines[:1]))
    bare = (_VERDICT.sub("", words).strip(_AROUND) for words in said)
    return next((_PASSES[word] for word in bare if word in _PASSES), None)


def _names_a_score(text: str) -> bool:
    """Return True if a text has a number from 0 to 1 after the word "score" or a synonym."""
    plain = fold(text[-LONGEST:])
    scores = (_GIVEN.match(plain, named.end()) for named in _NAMED.finditer(plain) if named[1])
    return any(match and 0 <= _value(match[1]) <= 1 and (match[2] is None or _value(match[2]) == 1) for match in scores)


def _score(text: str, high: float) -> float | None:
    """Return the first score in a text. Return None if it has no number, or only numbers on other scales."""
    plain = _HALF.sub(r"\1.5", _WORDED.sub(lambda match: _WORDS[match[1]], fold(text)))
    for match in _GIVEN.finditer(plain):
        if match[2] is None or _value(match[2]) == high:  # "3/4" is not the score 3 on a scale to 5
            return _value(match[1])
    return None
