"""Edits the facts of a word problem without changing its result: their order and their units.

The worked solution shows which facts are independent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random

from mutatis.core.cases import Turn
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.languages import ENGLISH
from mutatis.core.transformation import as_a_whole, transformation
from mutatis.text.arithmetic import Formula
from mutatis.text.sentences import split_sentences
from mutatis.transformations.known import needed, one_of
from mutatis.transformations.problems import solution_steps, values_in_problem

_DEPENDS = re.compile(
    r"\b(?:it|its|they|them|their|theirs|this|that|these|those|such|both|then|also|too|another|others?|rest|remain\w*"
    r"|left|same|next|later|after\w*|before|first|second|third|last|finally|now|instead|however|so|total|altogether"
    r"|again|still|already|until|since|former|latter|difference|together|combined|back|latest|previous\w*|following"
    r"|above|below|additional\w*|extra|increase\w*|decrease\w*|reduce\w*|discount\w*|ones?|we|our|otherwise)\b",
    re.IGNORECASE,
)
"""Words that may make a sentence depend on the one before it, or continue it."""

_COMPARES = re.compile(r"\b(?:more|less|fewer|twice|thrice|times|half|as|quarter|\w+er than)\b", re.IGNORECASE)
_HE_OR_SHE = re.compile(r"\b(?:(?P<he>he|him|his)|(?P<she>she|hers?))\b", re.IGNORECASE)
_SOMEBODY = re.compile(
    r"\b(?:brother|sister|mother|father|mom|dad|friend|son|daughter|wife|husband|boy|girl|man|woman|teacher|uncle|aunt"
    r"|cousin|neighbou?r|parent|child|kid|boss|person|someone|student|grand\w+|doctor|guy|lady|classmate|colleague)s?\b",
    re.IGNORECASE,
)
_DEFINITE = re.compile(r"\b(?:the|all)\b", re.IGNORECASE)
_NAME = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-Z][a-z]+")
_CONTENT = re.compile(r"[a-z]{3,}")
_CONNECTING_WORDS = frozenset(
    "and for has have had was were are with from into buys bought costs cost who she her him his per".split()  # noqa: SIM905
)

_UNITS: Mapping[str, str] = {
    **{"mile": "kilometer", "foot": "meter", "pound": "kilogram", "gallon": "liter", "inch": "centimeter"},
    **{"miles": "kilometers", "feet": "meters", "pounds": "kilograms", "gallons": "liters", "inches": "centimeters"},
}
"""Units, each with the metric unit that replaces it."""
_METRIC_LENGTHS = frozenset({"kilometer", "meter", "centimeter"})
_UNIT = re.compile(rf"\b(?:{'|'.join(_UNITS)})\b", re.IGNORECASE)
_BODY = re.compile(
    r"\b(?:left|right|his|her|their|my|your|own|bare|front|hind|webbed|of) (?:foot|feet)\b", re.IGNORECASE
)
_OTHER_UNITS = re.compile(
    r"\b(?:yards?|ounces?|oz|quarts?|pints?|cups?|tons?|tonnes?|acres?|lbs?|ft|mph|mpg|kilo\w*|met(?:er|re)s?|km|kg"
    r"|cm|centi\w*|milli\w*|lit(?:er|re)s?|grams?|m|g|l|stadiums?|football|dozen|barefoot|on foot|british|english"
    r"|sterling|cakes?|sq|mileage)\b|\dmph|['\"]\s*$|\d\s?[\"']",
    re.IGNORECASE,
)


@transformation(
    "swap-facts", level="turn", capability="order", says="two independent facts exchanged", languages=ENGLISH
)
def swap_facts(turn: Turn, rng: Random) -> Turn:
    r"""Swap two neighbouring sentences in a word problem that do not depend on each other.

    Their wording must not link them, and no step of the worked solution may use both, except a sum or a product, in
    which order does not matter.

    >>> solution = "<<4*5=20>>20 for pens\n<<3*7=21>>21 for ink\n<<20+21=41>>41 in all\n#### 41"
    >>> problem = "Ann shops. She buys 4 pens at $5. She buys 3 inks at $7. What does she pay?"
    >>> turn = Turn(fields={"question": problem}, annotations={"solution": solution})
    >>> swap_facts(turn, Random(1)).fields["question"]
    'Ann shops. She buys 3 inks at $7. She buys 4 pens at $5. What does she pay?'
    """
    [question] = needed(turn, "question")
    steps = [formula for formula, _ in solution_steps(turn)]
    spans = [(part.start, part.start + len(part.text.rstrip())) for part in split_sentences(question)]
    sentences = [question[start:end] for start, end in spans]
    if (
        len(sentences) < 3
        or not sentences[-1].endswith("?")
        or any(sentence.endswith("?") for sentence in sentences[:-1])
    ):
        raise UnusableFollowUp("the problem does not consist of facts followed by a single question")
    pairs = list(_independent(sentences, steps))
    if not pairs:
        raise UnusableFollowUp("no two neighbouring facts are clearly independent")
    place = one_of(pairs, rng)
    (start, end), (next_start, next_end) = spans[place], spans[place + 1]
    swapped = f"{sentences[place + 1]}{question[end:next_start]}{sentences[place]}"
    return replace(turn, fields={**turn.fields, "question": question[:start] + swapped + question[next_end:]})


def _independent(sentences: Sequence[str], steps: Sequence[Formula]) -> Iterator[int]:
    """Yield the indices of sentences that can be swapped with the next one. The last sentence is the question."""
    for place in range(len(sentences) - 2):
        first, second = sentences[place], sentences[place + 1]
        others = " ".join([*sentences[:place], *sentences[place + 2 :]])
        if _worded_apart(first, second) and _worked_apart(
            values_in_problem(first), values_in_problem(second), values_in_problem(others), steps
        ):
            yield place


def _worded_apart(first: str, second: str) -> bool:
    """Return True if two sentences are not linked by their wording."""
    both = f"{first} {second}"
    if any(_DEPENDS.search(text) or not text.endswith(".") or '"' in text for text in (first, second)):
        return False
    genders = {match.lastgroup for match in _HE_OR_SHE.finditer(both)}
    if genders and not (len(genders) == 1 and _of_the_same_person(first, second)):
        return False
    # A word in both sentences links them only if it is definite ("the pens") or compared ("more pens").
    return not _words(first) & _words(second) or not (_DEFINITE.search(both) or _COMPARES.search(both))


def _of_the_same_person(first: str, second: str) -> bool:
    """Return True if both sentences are about one person introduced earlier: "She buys ... She sells ..."."""
    return all(
        _HE_OR_SHE.match(text) and not _NAME.search(text) and not _SOMEBODY.search(text) for text in (first, second)
    )


def _words(text: str) -> set[str]:
    return {word.removesuffix("s") for word in _CONTENT.findall(text.lower())} - _CONNECTING_WORDS


def _worked_apart(first: set[Fraction], second: set[Fraction], others: set[Fraction], steps: Sequence[Formula]) -> bool:
    """Return True if the steps use numbers from both sentences and combine them only in a sum or a product."""
    used = {number for step in steps for number in step.numbers}
    if used & (first & second | (first | second) & others):
        return False  # it is unclear which sentence a number in a formula comes from
    if not used & first or not used & second:
        return False
    return all(step.commutes() for step in steps if first & {*step.numbers} and second & {*step.numbers})


@transformation("metric-units", capability="wording", says="other units for the same numbers", languages=ENGLISH)
@as_a_whole
def metric_units(text: str) -> str:
    """Replace miles with kilometres, pounds with kilograms and so on, without changing the numbers.

    Problems with several units of length, such as miles and feet, are rejected, because a number might have to be
    converted.

    >>> metric_units("He runs 5 miles with 10 pounds on his back.")
    'He runs 5 kilometers with 10 kilograms on his back.'
    """
    if _OTHER_UNITS.search(text) or _BODY.search(text):
        raise UnusableFollowUp("the problem has units that might have to be converted")
    metric = {_UNITS[unit.lower()].removesuffix("s") for unit in _UNIT.findall(text)}
    if not metric or len(metric & _METRIC_LENGTHS) > 1:
        raise UnusableFollowUp("the problem has no unit that can be replaced, or two different units of length")
    return _UNIT.sub(lambda match: _metric(match[0]), text)


def _metric(unit: str) -> str:
    metric = _UNITS[unit.lower()]
    return metric.capitalize() if unit[0].isupper() else metric
