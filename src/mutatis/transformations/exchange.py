"""Exchanges of numbers, given names, places and gender, alike in all fields, so that a question still fits its text.

The new number keeps the form of the old one (digits, commas, a year a year). Independent of tasks and relations.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from random import Random
from typing import Literal

from mutatis.core.cases import Turn
from mutatis.core.languages import ENGLISH
from mutatis.core.transformation import transformation
from mutatis.languages import listed
from mutatis.text.letter_case import like
from mutatis.text.values import moved, vocabulary
from mutatis.transformations.clear import is_name, quoted_spans
from mutatis.transformations.pieces import LETTERS, WORD, Edit, edited, is_free

_DIGITS = re.compile(r"(?<![\w.,:/-])\d{1,3}(?:,\d{3})+(?![\d])|(?<![\w.,:/-])\d+(?![\w:/]|[.,]\d)")
_WORDS = vocabulary().ones[2:13]


def _exchanged(turn: Turn, fields: tuple[str, ...], edit: Callable[[str], str]) -> Turn:
    return replace(turn, fields={name: edit(text) if name in fields else text for name, text in turn.fields.items()})


def exchangeable_numbers(text: str) -> list[re.Match[str]]:
    """Return the numbers that `change-numbers` replaces; those in quotations and fixed terms stay.

    >>> [m.group() for m in exchangeable_numbers("Two of 1,200 in the 1980s, on the 19th, at 3.5, in 1973.")]
    ['1,200', '1973', 'Two']
    """
    quoted = quoted_spans(text)
    matches = list(_DIGITS.finditer(text))
    matches += [m for m in WORD.finditer(text) if m.group().lower() in _WORDS and text[m.end() : m.end() + 1] != "-"]
    return [m for m in matches if is_free(*m.span(), quoted)]


@transformation("change-numbers", level="turn", capability="numbers", says="{numbers} made larger", languages=ENGLISH)
def change_numbers(turn: Turn, rng: Random, fields: tuple[str, ...]) -> Turn:
    """Replace every number (digits, and words from two to twelve) with a larger one, consistently in all fields.

    >>> turn = Turn(fields={"context": "Two men left in 1973.", "question": "Who left in 1973?"})
    >>> dict(change_numbers(turn, Random(1), ("context", "question")).fields)
    {'context': 'Four men left in 1975.', 'question': 'Who left in 1975?'}
    """
    step = 2 + int(rng.random() * 7)
    kept = {number for text in turn.fields.values() for number in _bound(text)}

    def edit(text: str) -> str:
        return edited(
            text,
            [(*m.span(), moved(m.group(), step)) for m in exchangeable_numbers(text) if m.group() not in kept],
        )

    return _exchanged(turn, fields, edit)


def _bound(text: str) -> set[str]:
    """Return the digits that also occur in places that stay unchanged ("oxygen-16", "the 1980s", "3.5")."""
    free = {m.start() for m in exchangeable_numbers(text)}
    return {m.group() for m in re.finditer(r"\d+", text) if m.start() not in free}


_SAINT = re.compile(r"\b(?:St\.?|Saint|San|Santa|Port|Fort|Lake|Mount)\s+\Z")
_ONE_WAY = {"his": "her", "him": "her", "hers": "his", "guy": "woman", "guys": "women", "gal": "man", "gals": "men"}


def _genders() -> dict[str, str]:
    pairs = [line.split() for line in listed("genders")]
    return {word: other for first, second in pairs for word, other in ((first, second), (second, first))}


_HER_OBJECT = re.compile(
    r"\s*(?:\Z|[.,;:!?)\"]|(?:and|or|but|to|in|on|at|with|for|from|as|by|up|down|out|off|while|is|was"
    r"|a|an|the|that|into|over|when|who|how|what|if|because)\b)",
    re.IGNORECASE,
)


@transformation(
    "swap-genders",
    level="turn",
    capability="names and pronouns",
    says="women and men exchanged: {words}",
    languages=ENGLISH,
)
def swap_genders(turn: Turn, fields: tuple[str, ...]) -> Turn:
    """Change women into men and men into women in all fields: pronouns and common nouns, never names.

    >>> turn = Turn(fields={"premise": "A man gives his wife her coat.", "hypothesis": "He helps her."})
    >>> dict(swap_genders(turn, ("premise", "hypothesis")).fields)
    {'premise': 'A woman gives her husband his coat.', 'hypothesis': 'She helps him.'}
    """
    table = _genders() | _ONE_WAY

    def other(text: str, word: re.Match[str]) -> str:
        bare = word.group().lower()
        if bare == "her":
            return "him" if _HER_OBJECT.match(text, word.end()) else "his"
        return _ONE_WAY.get(bare) or table[bare]

    def edit(text: str) -> str:
        quoted = quoted_spans(text)
        matches = [m for m in LETTERS.finditer(text) if m.group().lower() in table or m.group().lower() == "her"]
        return edited(
            text,
            [
                (*m.span(), like(m.group(), other(text, m)))
                for m in matches
                if is_free(*m.span(), quoted) and not (m.group()[:1].isupper() and is_name(text, *m.span()))
            ],
        )

    return _exchanged(turn, fields, edit)


@cache
def given_names() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return common given names of men and of women."""
    men, _, women = " ".join(listed("given_names")).partition(" ----- ")
    return tuple(men.split()), tuple(women.split())


_BARE_POSSESSIVE = re.compile(r"(['\u2019])(?=\s+[a-z\d])(?!\s+s\b)")


def put_name(text: str, name: re.Match[str], other: str) -> Edit:
    """Return the edit that replaces one name with another; "James' mother" becomes "Joseph's mother".

    >>> text = "James' mother"
    >>> put_name(text, re.match("James", text), "Joseph"), put_name(text, re.match("James", text), "Thomas")
    ((0, 6, "Joseph's"), (0, 5, 'Thomas'))
    """
    start, end = name.span()
    mark = _BARE_POSSESSIVE.match(text, end)
    quoted = re.search(r"(?<!\w)['\u2018]", text[:start]) is not None  # the apostrophe may end a quotation
    if mark is None or quoted or not name.group().endswith("s") or other.endswith("s"):
        return start, end, other
    return start, mark.end(), f"{other}{mark.group()}s"


@transformation(
    "change-names",
    level="turn",
    capability="names and pronouns",
    says="{names} replaced by another of the same gender",
    languages=ENGLISH,
)
def change_names(turn: Turn, rng: Random, fields: tuple[str, ...]) -> Turn:
    """Replace each common given name with another of the same gender, consistently in all fields; saints stay.

    >>> turn = Turn(fields={"context": "Linda met John, and John left St. John's.", "question": "Who met John?"})
    >>> dict(change_names(turn, Random(1), ("context", "question")).fields)
    {'context': "Julia met Joseph, and Joseph left St. John's.", 'question': 'Who met Joseph?'}
    """
    table: dict[str, str] = {}
    for names in given_names():
        shift = 1 + int(rng.random() * (len(names) - 1))
        table |= {name: names[(place + shift) % len(names)] for place, name in enumerate(names)}

    def edit(text: str) -> str:
        matches = [m for m in LETTERS.finditer(text) if m.group() in table]
        kept = [m for m in matches if not _SAINT.search(text, max(0, m.start() - 8), m.start())]
        return edited(text, [put_name(text, m, table[m.group()]) for m in kept])

    return _exchanged(turn, fields, edit)


@cache
def _places(kind: str) -> tuple[tuple[str, ...], ...]:
    """Return places with the words derived from their names: cities alone, countries with their adjective."""
    rows = listed("places") if kind == "cities" else listed("nations")
    return (
        tuple((city,) for row in rows for city in row.split())
        if kind == "cities"
        else tuple(tuple(row.split()) for row in rows)
    )


@transformation(
    "change-places",
    level="turn",
    capability="names and pronouns",
    says="{names} of {kind} replaced by others",
    languages=ENGLISH,
)
def change_places(
    turn: Turn, rng: Random, fields: tuple[str, ...], *, kind: Literal["cities", "countries"] = "cities"
) -> Turn:
    """Put another city in the place of each common one, or another country and its adjective, alike in all fields.

    Places that only the question names stay, since the answer takes knowledge of the world.

    >>> turn = Turn(fields={"context": "She left Paris for Rome.", "question": "Who left Paris?"})
    >>> dict(change_places(turn, Random(1), ("context", "question")).fields)
    {'context': 'She left Sydney for Vancouver.', 'question': 'Who left Sydney?'}
    >>> there = Turn(fields={"context": "He left Toulouse, France, for Peru.", "question": "Where did he go?"})
    >>> change_places(there, Random(1), ("context", "question"), kind="countries").fields["context"].split(", ")[1]
    'France'
    """
    rows = _standing(_places(kind), turn, fields)
    if kind == "countries":
        rows = tuple(row for row in rows if not _is_situated_in(row, turn, fields))
    if len(rows) < 2:
        return turn
    shift = 1 + int(rng.random() * (len(rows) - 1))
    pairs = [zip(row, rows[(place + shift) % len(rows)], strict=True) for place, row in enumerate(rows)]
    table = {place.casefold(): other for pair in pairs for place, other in pair}

    def other(written: str) -> str:
        replaced = table[written.casefold()]
        return replaced.lower() if written.islower() else like(written, replaced)

    def edit(text: str) -> str:
        matches = [m for m in LETTERS.finditer(text) if m.group().casefold() in table]
        return edited(text, [(*m.span(), other(m.group())) for m in matches])

    return _exchanged(turn, fields, edit)


_SITUATED = re.compile(r"\b[A-Z][\w-]+(?:, | in | \()$")


def _is_situated_in(row: tuple[str, ...], turn: Turn, fields: tuple[str, ...]) -> bool:
    """Return True if a text places a town in a country ("Toulouse, France"). It would not be in any other."""
    return any(
        word.group().casefold() == row[0].casefold() and _SITUATED.search(text, max(0, word.start() - 40), word.start())
        for text in (turn.fields[name] for name in fields)
        for word in LETTERS.finditer(text)
    )


_LOWER_CASE_WORDS = frozenset({"china", "polish", "cologne"})
"""Places that in lower case may mean something else: dishes, a verb, a scent."""


def _standing(rows: tuple[tuple[str, ...], ...], turn: Turn, fields: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Return the rows that may be exchanged. A place goes with its text in any letter case.

    Left out are places that a later field (a question, an entity) names and the first does not, places that a longer
    word is made from ("Parisian", "Indiana": it would stay), and places that may be a common word as written.
    """
    written = [LETTERS.findall(turn.fields[name]) for name in fields]
    first, *others = ({word.casefold() for word in words} for words in written)
    everything = {word for words in written for word in words}
    foreign = {word for words in others for word in words} - first

    def fits(row: tuple[str, ...]) -> bool:
        names = {name.casefold() for name in row}
        if foreign & names or names & _LOWER_CASE_WORDS & everything:
            return False
        stems = tuple(names)
        return not any(word.startswith(stems) and word not in names for word in map(str.casefold, everything))

    return tuple(row for row in rows if fits(row))
