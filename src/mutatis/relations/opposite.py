"""Asks a helper model whether two phrases name opposite relations, and whether a phrase names a symmetric one.

The caller records the answers of the helper.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mutatis.core.constraint import Evidence
from mutatis.core.errors import SystemFailure, UnusableFollowUp, UsageError
from mutatis.core.measure import Comparison, Similarity
from mutatis.core.system import Helper
from mutatis.prompting import ask, ship

_PROMPTS = ship(Path(__file__).parent / "prompts", "judges relation phrases")


class OppositeMeasure:
    """The measure `opposite`: 1 if a helper model calls two relation phrases opposite, else 0.

    "Father of" and "child of" are opposite, since they describe the same relation from either side.
    """

    name = "opposite"

    def __init__(self, helper: Helper) -> None:
        self._helper = helper

    def most_asked(self, number: int) -> int:
        """Return the maximum number of questions to the helper model for a given number of pairs."""
        return number

    async def compare(self, comparisons: Sequence[Comparison]) -> Sequence[Similarity]:
        """Ask the helper model about each pair. The first accepted answer is the reference."""
        return await asyncio.gather(*map(self._one, comparisons))

    async def _one(self, comparison: Comparison) -> Similarity:
        first = str(comparison.reference[0]) if comparison.reference else ""
        second = str(comparison.answer)
        if not first.strip() or not second.strip():
            return Similarity(score=0.0, reason="an answer is empty")
        try:
            opposite = await _yes(self._helper, "opposite", {"first": first, "second": second})
        except SystemFailure as error:
            return Similarity(score=0.0, error=str(error))
        word = "are" if opposite else "are not"
        return Similarity(
            score=float(opposite), reason=f"the helper says that {first!r} and {second!r} {word} opposite"
        )


async def judge_symmetric(evidence: Evidence) -> bool:
    """Return True if a helper model calls the relation phrase in the answer symmetric."""
    if evidence.helper is None:
        raise UsageError("a language model judges whether a relation is symmetric; configure [helper]")
    response = evidence.response
    phrase: Any = "" if response is None else response.text if response.value is None else response.value
    return await _yes(evidence.helper, "symmetric", {"relation": str(phrase)})


async def _yes(helper: Helper, prompt: str, fields: dict[str, str]) -> bool:
    try:
        made = await ask(helper, _PROMPTS / f"{prompt}.txt", fields, answers=("verdict",), check=_verdict)
    except UnusableFollowUp as error:
        raise SystemFailure(f"helper: {error}") from error
    return _verdict(made) == "yes"


def _verdict(made: Mapping[str, str]) -> str:
    verdict = made["verdict"].strip().lower().rstrip(".!")
    if verdict not in {"yes", "no"}:
        raise UnusableFollowUp(f"the language model answered {made['verdict'][:40]!r}; expected yes or no")
    return verdict
