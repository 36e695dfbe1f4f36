"""Edits word problems and multiple-choice questions, and records the new answer if an edit changes it.

The worked solution of a problem shows which of its facts are independent, so that these can change places.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random

from mutatis.core.cases import Turn
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.languages import ENGLISH, EVERY
from mutatis.core.transformation import as_a_whole, transformation
from mutatis.text.arithmetic import Formula, NoFormula, worked_steps
from mutatis.text.normalisation import like
from mutatis.text.options import LETTERS, listed_options, options_of
from mutatis.text.sentences import Sentence, split_sentences
from mutatis.text.values import numbers
from mutatis.transformations.known import at_least_one, knowing, needed, one_of, unrelated_to

SOLUTION = "solution"
"""Annotation of a word problem: its worked solution in the format of GSM8K."""

_NUMBER = re.compile(r"(?<![\w.:/,-])\d{1,3}(?:,\d{3})+(?![\d/:%-]|[.,]\d)|(?<![\w.:/,-])\d+(?![\w/:%-]|[.,]\d)")
_CONSTANTS = frozenset({7, 8, 10, 12, 20, 24, 30, 31, 50, 52, 60, 90, 100, 180, 360, 365, 1000})
"""Numbers that a solution may contain for general reasons, such as the seven days of a week."""

_MOST_TRIED = 60
"""Maximum number of new values that are tried for a number."""

_SMALLEST = 5
"""Smallest number that may be changed. Solutions use smaller ones for "half", "double" or "each of the three"."""

_BRANCHES = re.compile(
    r"\b(?:which (?:of|one|is|would|will|option|job|plan)|whichever|maximum|minimum|max|min|at (?:most|least)"
    r"|or (?:more|fewer|less)|exceed\w*|(?:over|above|beyond|first|last|every|after) \$?\d+|remainder"
    r"|round(?:ed|s)?|nearest|unless|up to|limit\w*|overtime|o'clock|a\.m|p\.m|\d ?am|\d ?pm)\b",
    re.IGNORECASE,
)
"""Words that may make a problem need a different solution if one of its numbers changes."""

_IDLE = (
    "The house next door has {} windows.",
    "A bus with {} seats drives by.",
    "The book on the shelf has {} pages.",
    "There are {} trees along the road.",
)
_POINTS_BACK = re.compile(r"\b(?:that|this|these|those|then)\b", re.IGNORECASE)
_MONEY = re.compile(r"\$(?=\s?\d)")
_REFERS_TO_OPTIONS = re.compile(
    r"\b(?:above|below|both|neither|all of|none of)\b|\b[A-E] (?:and|or) [A-E]\b", re.IGNORECASE
)
_NONE = "None of the above"


@transformation(
    "recompute-number", level="turn", capability="arithmetic", says="a number of the problem changed", languages=ENGLISH
)
@as_a_whole
def recompute_number(turn: Turn, rng: Random) -> Turn:
    r"""Change one number in a word problem, and recompute the answer with the formulas of its solution.

    Every step of the solution must be a plain formula. Numbers that are often constants, such as the 7 days of a week,
    are not changed. The new result must be positive, and a whole number if the old one was.

    >>> solution = "She has 16-9 = <<16-9=7>>7 eggs left.\n#### 7"
    >>> problem = {"question": "She has 16 eggs and eats 9. How many are left?"}
    >>> turn = Turn(fields=problem, annotations={"solution": solution})
    >>> made = recompute_number(turn, Random(1))
    >>> made.fields["question"], made.annotations["expects"]
    ('She has 16 eggs and eats 11. How many are left?', ['5'])
    """
    [question] = needed(turn, "question")
    if _BRANCHES.search(question):
        raise UnusableFollowUp("a different number might need a different solution")
    steps = solution_steps(turn)
    _, answer = steps[-1]
    in_problem = values_in_problem(question)
    candidates = list(_changeable(question, steps))
    rng.shuffle(candidates)
    for match in candidates:
        old = int(match.group().replace(",", ""))
        others = [n for n in range(max(_SMALLEST, old // 2), 2 * old + 1) if n != old and n not in _CONSTANTS]
        rng.shuffle(others)
        for new in others[:_MOST_TRIED]:
            if str(new) in question or Fraction(new) in in_problem:
                continue
            new_answer = _reworked(steps, Fraction(old), Fraction(new), in_problem)
            if new_answer is not None and new_answer != answer:
                new_text = f"{new:,}" if "," in match.group() else str(new)
                edited = question[: match.start()] + new_text + question[match.end() :]
                annotations = {name: value for name, value in turn.annotations.items() if name != SOLUTION}
                return knowing(replace(turn, annotations=annotations), {"question": edited}, _decimal(new_answer))
    raise UnusableFollowUp("no number in the problem can be changed without invalidating the worked solution")


def solution_steps(turn: Turn) -> list[tuple[Formula, Fraction]]:
    """Return the formulas of a problem's worked solution, each with its result.

    Raises:
        UnusableFollowUp: the problem has no worked solution, or a step is not a plain formula.
    """
    try:
        return worked_steps(str(turn.annotations.get(SOLUTION, "")))
    except NoFormula as error:
        raise UnusableFollowUp(f"the worked solution is not a chain of formulas: {error}") from None


def values_in_problem(text: str) -> set[Fraction]:
    """Return the numbers in a text: each as it is written, and with its unit taken into account."""
    return {Fraction(str(value)) for number in numbers(text) for value in (number.value, number.raw)}


def _decimal(number: Fraction) -> str:
    return str(number.numerator) if number.denominator == 1 else format(float(number), "f").rstrip("0")


def _changeable(question: str, steps: Sequence[tuple[Formula, Fraction]]) -> Iterator[re.Match[str]]:
    """Yield the numbers that occur once in the problem and once in its formulas, and are not the result of a step."""
    results = [result for _, result in steps]
    in_formulas = [number for formula, _ in steps for number in formula.numbers]
    matches = list(_NUMBER.finditer(question))
    values = [int(match.group().replace(",", "")) for match in matches]
    for match, value in zip(matches, values, strict=True):
        once_in_problem = values.count(value) == 1 and question.count(match.group()) == 1
        if (
            once_in_problem
            and in_formulas.count(Fraction(value)) == 1
            and value >= _SMALLEST
            and value not in _CONSTANTS
            and Fraction(value) not in results
        ):
            yield match


def _reworked(
    steps: Sequence[tuple[Formula, Fraction]], old: Fraction, new: Fraction, in_problem: Collection[Fraction]
) -> Fraction | None:
    """Return the result of the steps with one number changed, or None if it is ambiguous or unlike the old result.

    A number that equals the result of an earlier step is taken to be that result. The answer is ambiguous if this
    number also occurs in the problem, or if it may be a constant, such as the 7 days of a week. No step may get a
    negative result, or a fraction in place of a whole number. With 6 in place of 4, the steps 3 * 4 = 12 and
    12 + 5 = 17 become 3 * 6 = 18 and 18 + 5 = 23.
    """
    new_results: dict[Fraction, Fraction] = {}
    value = new  # the answer without any step
    for formula, result in steps:
        carried_over = {n for n in formula.numbers if new_results.get(n, n) != n}
        if any(n in in_problem or n in _CONSTANTS or n < _SMALLEST for n in carried_over):
            return None
        try:
            value = formula.value([new if n == old else new_results.get(n, n) for n in formula.numbers])
        except NoFormula:
            return None
        if value <= 0 or (result.denominator == 1) != (value.denominator == 1):
            return None
        if new_results.setdefault(result, value) != value:
            return None  # two steps with the same result now have different ones
    every_result_used = all(any(result in formula.numbers for formula, _ in steps) for _, result in steps[:-1])
    return value if every_result_used and 100 % value.denominator == 0 else None  # at most two decimals


@transformation("idle-number", capability="arithmetic", says="a sentence with an idle number added", languages=ENGLISH)
def idle_number(text: str, rng: Random) -> str:
    """Put an irrelevant sentence with a number before the problem.

    >>> idle_number("She has 16 eggs and eats 9. How many are left?", Random(1))
    'The house next door has 78 windows. She has 16 eggs and eats 9. How many are left?'
    """
    return f"{unrelated_to(text, _IDLE, rng).format(11 + int(rng.random() * 80))} {text.lstrip()}"


@transformation("ask-first", capability="wording", says="the question moved before the facts", languages=ENGLISH)
@as_a_whole
def ask_first(text: str) -> str:
    """Move the question of a word problem in front of its facts.

    >>> ask_first("Ann has 16 eggs and eats 9. How many eggs are left?")
    'Here is a question, and the facts follow: How many eggs are left? The facts: Ann has 16 eggs and eats 9.'
    """
    asked = _facts_and_question(text)[-1]
    if _POINTS_BACK.search(asked.text):
        raise UnusableFollowUp("the question refers back to the facts")
    return f"Here is a question, and the facts follow: {asked.text} The facts: {text[: asked.start].strip()}"


def _facts_and_question(text: str) -> list[Sentence]:
    """Return the sentences of a problem whose last sentence is the only question.

    Raises:
        UnusableFollowUp: the problem does not have this form.
    """
    parts = split_sentences(text)
    if len(parts) < 2 or parts[-1:] != [part for part in parts if part.text.endswith("?")]:
        raise UnusableFollowUp("the problem does not consist of facts followed by a single question")
    return parts


@transformation("euros", capability="wording", says="dollars turned into euros", languages=ENGLISH)
@as_a_whole
def euros(text: str) -> str:
    """Replace dollars with euros, without changing the numbers.

    >>> euros("It costs $5, or 10 dollars for three.")
    'It costs €5, or 10 euros for three.'
    """
    if re.search(r"euro|\u20ac|nickel|dime|quarter|penny|pennies", text, re.IGNORECASE):
        raise UnusableFollowUp("the problem also mentions other coins")
    return re.sub(r"\b[Dd]ollar(?=s?\b)", lambda dollar: like(dollar[0], "euro"), _MONEY.sub("\u20ac", text))


@transformation("reverse-options", level="turn", capability="order", says="the options in reverse", languages=EVERY)
@as_a_whole
def reverse_options(turn: Turn) -> Turn:
    r"""Put the options of a question in reverse order, keeping the order of their letters.

    Questions with an option that refers to others are rejected.

    >>> reverse_options(Turn(fields={"options": "A) tea\nB) milk"})).fields["options"]
    'A) milk\nB) tea'
    """
    options = _options(turn)
    if any(_REFERS_TO_OPTIONS.search(text) for _, text in options):
        raise UnusableFollowUp("one option refers to the others")
    texts = [text for _, text in reversed(options)]
    return replace(turn, fields={**turn.fields, "options": listed_options(texts, [letter for letter, _ in options])})


@transformation("number-options", level="turn", capability="order", says="options numbered", languages=EVERY)
@as_a_whole
def number_options(turn: Turn) -> Turn:
    r"""Number the options instead of lettering them, or vice versa.

    >>> number_options(Turn(fields={"options": "A) tea\nB) milk"})).fields["options"]
    '1) tea\n2) milk'
    """
    options = _options(turn)
    letters, texts = zip(*options, strict=True)
    if any(map(_REFERS_TO_OPTIONS.search, texts)):
        raise UnusableFollowUp("one option refers to others by their letters")
    names = LETTERS[: len(options)] if letters[0].isdigit() else [str(n) for n in range(1, len(options) + 1)]
    if {*texts} & {*names}:
        raise UnusableFollowUp("one option looks like the number of another, so the choice would be ambiguous")
    return replace(turn, fields={**turn.fields, "options": listed_options(texts, names)})


@transformation(
    "none-of-them",
    level="turn",
    capability="order",
    says='"none of the above" in place of the right option',
    languages=ENGLISH,
)
def none_of_them(turn: Turn) -> Turn:
    r"""Remove the correct option and append "None of the above", which is then correct.

    The correct option is identified by the label alone.

    >>> turn = Turn(fields={"options": "A) tea\nB) milk"}, expected=("tea",))
    >>> none_of_them(turn).fields["options"]
    'A) milk\nB) None of the above'
    """
    options = _options(turn)
    expected = set(turn.expected)
    right = [text for letter, text in options if text in expected or letter in expected]
    others = [text for _, text in options if text not in right]
    if len(right) != 1 or any(map(_REFERS_TO_OPTIONS.search, others)):
        raise UnusableFollowUp("the right option is unknown, or one of the other options refers to the rest")
    return knowing(turn, {"options": listed_options([*others, _NONE], [letter for letter, _ in options])}, _NONE)


def _options(turn: Turn) -> list[tuple[str, str]]:
    """Return the options of a question: the letter or number of each, and its text."""
    [text] = needed(turn, "options")
    options = options_of(text)
    if len(options) < 2:
        raise UnusableFollowUp('the options are not a list of lines such as "A) tea"')
    return options


# Facts in another order or in other units, which leave the result as it is

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
    "and for has have had was were are with from into buys bought costs cost who she her him his per".split()
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

    Their wording must not link them, and no step of the worked solution may use both, except a sum or a product, whose
    order does not matter.

    >>> solution = "<<4*5=20>>20 for pens\n<<3*7=21>>21 for ink\n<<20+21=41>>41 in all\n#### 41"
    >>> problem = "Ann shops. She buys 4 pens at $5. She buys 3 inks at $7. What does she pay?"
    >>> turn = Turn(fields={"question": problem}, annotations={"solution": solution})
    >>> swap_facts(turn, Random(1)).fields["question"]
    'Ann shops. She buys 3 inks at $7. She buys 4 pens at $5. What does she pay?'
    """
    [question] = needed(turn, "question")
    steps = [formula for formula, _ in solution_steps(turn)]
    parts = _facts_and_question(question)
    places = [*_independent([part.text for part in parts], steps)]
    place = one_of(at_least_one(places, "no two neighbouring facts are clearly independent"), rng)
    first, second = parts[place : place + 2]
    swapped = f"{question[: first.start]}{second.text}{first.space}{first.text}{question[second.end :]}"
    return replace(turn, fields={**turn.fields, "question": swapped})


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
    return _UNIT.sub(lambda unit: like(unit[0], _UNITS[unit[0].lower()]), text)
