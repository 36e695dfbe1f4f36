"""Relations between two things that swap places: symmetric ones ("spouse"), and converses ("father", "child").

A list of common ones is read here. For all others, a helper model is asked, and the caller records its answers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar

from mutatis.core.constraint import Evidence
from mutatis.core.decision import Decision
from mutatis.core.errors import SystemFailure, UnusableFollowUp, UsageError
from mutatis.core.languages import ENGLISH
from mutatis.core.measure import Comparison, Judge, Similarity
from mutatis.core.relation import Group
from mutatis.core.system import Helper
from mutatis.prompting import ask, ship
from mutatis.relations.output import Becomes, Compared, source_answer, worst_decides
from mutatis.text.normalisation import normalise

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
        """Ask the helper model about one pair, unless one of the two phrases is empty."""
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
    return await _yes(evidence.helper, "symmetric", {"relation": source_answer(evidence)})


async def _yes(helper: Helper, prompt: str, fields: dict[str, str]) -> bool:
    """Return True if a helper model answers a prompt with yes. Raise SystemFailure if it gives no verdict."""
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


class Opposite(Compared):
    """Output relation `opposite`: the answer names the opposite of the reference, according to a helper model."""

    measure: ClassVar[str] = OppositeMeasure.name
    needs_helper: ClassVar[bool] = True
    expects_change = True
    in_words = "the answer becomes the opposite"
    for_readers = "The answer must be the opposite relation."
    name = "opposite"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Decide that the relation holds if the measure calls the two answers opposite."""
        return worst_decides(similarities, judge, "answers should be opposite relations", "but are not", agree=True)


_CONVERSES = (
    ("child", "parent"),
    ("child", "father"),
    ("child", "mother"),
    ("follows", "followed by"),
    ("part of", "has part"),
    ("member of", "has part"),
    ("part of", "contains"),
    ("replaces", "replaced by"),
    ("subsidiary", "parent organization"),
    ("teacher", "student"),
    ("predecessor", "successor"),
    ("owner of", "owned by"),
    ("employer", "employee"),
)


_SYMMETRIC = frozenset(
    {"spouse", "married to", "partner", "sibling", "cousin", "friend", "colleague", "rival"}
    | {"neighbour", "neighbor", "shares border with", "borders", "sister city", "twin town"}
)


def _phrase(value: object) -> str:
    return normalise(str(value)).strip()


def converses_of(relation: object) -> tuple[str, ...]:
    """Return the converses of a relation, such as "child" for "father", from the package's list.

    >>> converses_of("father"), converses_of("Part of"), converses_of("employer of the year")
    (('child',), ('has part', 'contains'), ())
    """
    phrase = _phrase(relation)
    both_ways = chain.from_iterable(((first, second), (second, first)) for first, second in _CONVERSES)
    return tuple(converse for name, converse in both_ways if _phrase(name) == phrase)


def is_symmetric(relation: object) -> bool:
    """Return True if a relation between two things is listed as symmetric.

    >>> is_symmetric("Spouse"), is_symmetric("father")
    (True, False)
    """
    return _phrase(relation) in {_phrase(name) for name in _SYMMETRIC}


class Converse(Becomes):
    """Output relation `converse`: the answer is the listed converse of the reference ("child" for "father")."""

    languages = ENGLISH
    expects_change = True
    unknown = "no converse is known"
    expectation = "the answer should be the converse"
    in_words = "the answer becomes the converse"
    for_readers = "The answer must be the converse relation: '{converse}'."
    name = "converse"

    def correct_answers(self, group: Group, member: int) -> Sequence[Any]:
        """Return the converses of the reference. The result is empty if none is listed."""
        return [other for wanted in group.reference for other in converses_of(wanted)]
