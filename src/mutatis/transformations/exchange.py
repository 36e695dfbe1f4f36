"""Replaces numbers, names, places and gender consistently in all fields, so that a question still fits its text.

A new number keeps the form of the old one: digits remain digits, commas are kept, and a year is still a year.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from random import Random
from typing import Literal, TypeVar

from mutatis.core.cases import Turn
from mutatis.core.languages import ENGLISH, is_english
from mutatis.core.transformation import as_a_whole, transformation
from mutatis.languages import Language, given_names, listed, needing, word_list, word_pairs
from mutatis.text.normalisation import like
from mutatis.text.values import moved, values, vocabulary
from mutatis.transformations.clear import is_name, quoted_spans, words_beside
from mutatis.transformations.pieces import LETTERS, WORD, Edit, edited, is_free

in_all_fields = partial(transformation, level="turn", capability="names and pronouns")
"""Decorator that registers an edit that changes all fields of a turn alike."""

T = TypeVar("T")

_DIGITS = re.compile(r"(?<![\w.,:/-])\d{1,3}(?:,\d{3})+(?![\d])|(?<![\w.,:/-])\d+(?![\w:/]|[.,]\d)")
_WORDS = vocabulary().ones[2:13]


def _exchanged(turn: Turn, fields: tuple[str, ...], edit: Callable[[str], str]) -> Turn:
    return replace(turn, fields={name: edit(text) if name in fields else text for name, text in turn.fields.items()})


def exchangeable_numbers(text: str, language: str = "en") -> list[re.Match[str]]:
    """Return the numbers that `change-numbers` replaces. Numbers in quotations and fixed terms are left out.

    In languages other than English, only whole numbers in digits outside dates, times and codes are returned.

    >>> [m.group() for m in exchangeable_numbers("Two of 1,200 in the 1980s, on the 19th, at 3.5, in 1973.")]
    ['1,200', '1973', 'Two']
    >>> [m.group() for m in exchangeable_numbers("Am 5. März 1973 kamen 24 von 1.200 Gästen.", "de")]
    ['24']
    """
    if not is_english(language):
        return _numbers_elsewhere(text, language)
    quoted = quoted_spans(text)
    matches = list(_DIGITS.finditer(text))
    matches += [m for m in WORD.finditer(text) if m.group().lower() in _WORDS and text[m.end() : m.end() + 1] != "-"]
    return [m for m in matches if is_free(*m.span(), quoted)]


_WHOLE = re.compile(r"(?<![\w.,:/\u2013-])\d+(?![\w:/\u2013-]|[.,]\d)")
_WHOLE_UNSPACED = re.compile(r"(?<![A-Za-z\d_.,:/\u2013~-])[0-9]+(?![A-Za-z\d_:/\u2013~-]|[.,][0-9])")
_MOST_ORDINAL = 2
"""Maximum length of a number that a following full stop may turn into an ordinal, as in "19. Jahrhundert"."""


def _numbers_elsewhere(text: str, language: str) -> list[re.Match[str]]:
    """Return the whole numbers in digits that are not part of a quotation, date, time, code or name."""
    kinds = ("date", "time", "code", "name")
    fixed = [(v.start, v.end) for v in values(text, language) if v.kind in kinds and v.measure != "year"]
    fixed += quoted_spans(text)
    pattern = _WHOLE if Language(language).spaces else _WHOLE_UNSPACED
    ordinal = vocabulary(language).ordinal(5) == "5."
    return [
        match
        for match in pattern.finditer(text)
        if is_free(*match.span(), fixed)
        and match.group()[0] != "0"
        and not (ordinal and text[match.end() : match.end() + 1] == "." and len(match.group()) <= _MOST_ORDINAL)
        and not _PART_OF_VALUE.match(text, match.end())
    ]


_PART_OF_VALUE = re.compile(r"\s?(?:%|\u4e16\u7eaa|\u5e74\u4ee3|\u6708|\u65e5|\u53f7)")
"""Text after a number that must not be increased: a percent sign, or a Chinese century, month or day."""


@in_all_fields(
    "change-numbers", capability="numbers", says="{numbers} made larger", languages=needing("values", "limits")
)
@as_a_whole
def change_numbers(turn: Turn, rng: Random, fields: tuple[str, ...], written_in: str = "en") -> Turn:
    """Replace every number with a larger one, consistently in all fields.

    Applies to digits and to the words from two to twelve.

    >>> turn = Turn(fields={"context": "Two men left in 1973.", "question": "Who left in 1973?"})
    >>> dict(change_numbers(turn, Random(1), ("context", "question")).fields)
    {'context': 'Four men left in 1975.', 'question': 'Who left in 1975?'}
    """
    step = 2 + int(rng.random() * 7)
    kept = {number for text in turn.fields.values() for number in _bound(text, written_in)}

    def edit(text: str) -> str:
        free = [m for m in exchangeable_numbers(text, written_in) if m.group() not in kept]
        return edited(text, [(*m.span(), moved(m.group(), step, written_in)) for m in free])

    return _exchanged(turn, fields, edit)


@transformation(
    "larger-numbers",
    capability="numbers",
    says="{numbers} made larger",
    languages=needing("values", "limits", "speech.patterns.range_behind", also=ENGLISH),
)
@as_a_whole
def larger_numbers(text: str, rng: Random, written_in: str = "en") -> str:
    """Replace every whole number in digits with a larger one.

    Dates, times, codes and the lower end of a range are left unchanged.

    >>> larger_numbers("A table for 4 people on Friday at 8 pm, please.", Random(1))
    'A table for 6 people on Friday at 8 pm, please.'
    """
    step = 2 + int(rng.random() * 7)
    behind = Language(written_in).pattern("range_behind")
    free = [m for m in _numbers_elsewhere(text, written_in) if not behind.match(text, m.end())]
    return edited(text, [(*m.span(), moved(m.group(), step, written_in)) for m in free])


def _bound(text: str, language: str) -> set[str]:
    """Return the numbers that occur where they are left unchanged ("oxygen-16", "the 1980s", "3.5")."""
    free = {m.start() for m in exchangeable_numbers(text, language)}
    return {m.group() for m in re.finditer(r"\d+", text) if m.start() not in free}


_SAINT = re.compile(r"\b(?:St\.?|Saint|San|Santa|Port|Fort|Lake|Mount)\s+\Z")
_ONE_WAY = {"his": "her", "him": "her", "hers": "his", "guy": "woman", "guys": "women", "gal": "man", "gals": "men"}


# Words and marks after "her" as an object ("he helps her."). Before other words, "her" is a possessive ("her coat").
_HER_OBJECT = re.compile(
    r"\s*(?:\Z|[.,;:!?)\"]|(?:and|or|but|to|in|on|at|with|for|from|as|by|up|down|out|off|while|is|was"
    r"|a|an|the|that|into|over|when|who|how|what|if|because)\b)",
    re.IGNORECASE,
)


@in_all_fields("swap-genders", says="women and men exchanged: {words}", languages=ENGLISH)
def swap_genders(turn: Turn, fields: tuple[str, ...]) -> Turn:
    """Swap female and male words in all fields: pronouns and common nouns, but never names.

    >>> turn = Turn(fields={"premise": "A man gives his wife her coat.", "hypothesis": "He helps her."})
    >>> dict(swap_genders(turn, ("premise", "hypothesis")).fields)
    {'premise': 'A woman gives her husband his coat.', 'hypothesis': 'She helps him.'}
    """
    table = {**word_pairs("genders"), **_ONE_WAY}

    def edit(text: str) -> str:
        quoted, edits = quoted_spans(text), []
        for match in LETTERS.finditer(text):
            word = match.group()
            other = table.get(word.lower())
            if word.lower() == "her":
                other = "him" if _HER_OBJECT.match(text, match.end()) else "his"
            if other is None or not is_free(*match.span(), quoted):
                continue
            if not (word[:1].isupper() and is_name(text, *match.span())):
                edits.append((*match.span(), like(word, other)))
        return edited(text, edits)

    return _exchanged(turn, fields, edit)


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


_NUMBERED = re.compile(r"\b(?P<name>[^\W\d_]+)\s+[IVX]+\b")


@in_all_fields(
    "change-names",
    says="{names} replaced by another of the same gender",
    languages=needing("given_names", "function_words"),
)
@as_a_whole
def change_names(turn: Turn, rng: Random, fields: tuple[str, ...], written_in: str = "en") -> Turn:
    """Replace each common given name with another of the same gender, consistently in all fields.

    Names of saints are left unchanged, and outside English also those of rulers with a number ("Luis XIV").

    >>> turn = Turn(fields={"context": "Linda met John, and John left St. John's.", "question": "Who met John?"})
    >>> dict(change_names(turn, Random(1), ("context", "question")).fields)
    {'context': "Julia met Joseph, and Joseph left St. John's.", 'question': 'Who met Joseph?'}
    """
    table = {name: other for names in given_names(written_in) for name, other in _with_replacements(names, rng)}
    if not is_english(written_in):  # no other name has a "Luis XIV"
        numbered = {match["name"] for text in turn.fields.values() for match in _NUMBERED.finditer(text)}
        table = {name: other for name, other in table.items() if name not in numbered}

    def edit(text: str) -> str:
        mentions = _mentions(text, table, written_in)
        of_people = [m for m in mentions if not _SAINT.search(text, max(0, m.start() - 8), m.start())]
        return edited(text, [put_name(text, m, table[m.group()]) for m in of_people])

    return _exchanged(turn, fields, edit)


def _mentions(text: str, names: Collection[str], language: str) -> list[re.Match[str]]:
    """Return the occurrences of some names in a text.

    Names must be whole words, except in languages that put no spaces between words.
    """
    if Language(language).spaces:
        return [m for m in LETTERS.finditer(text) if m.group() in names]
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    return list(re.finditer("|".join(map(re.escape, longest_first)), text))


@cache
def _places(kind: str, language: str = "en") -> tuple[tuple[str, ...], ...]:
    """Return rows of places of a kind: a city, or a country with its adjective and other derived words."""
    if kind == "cities":
        return tuple((city,) for city in word_list("places", language))
    return tuple(tuple(line.split()) for line in listed("nations", language))


@in_all_fields(
    "change-places",
    says="{names} of {kind} replaced by others",
    languages=needing("places", "nations", "function_words"),
)
@as_a_whole
def change_places(
    turn: Turn,
    rng: Random,
    fields: tuple[str, ...],
    written_in: str = "en",
    *,
    kind: Literal["cities", "countries"] = "cities",
) -> Turn:
    """Replace each common city or country with a different one, consistently in all fields.

    In English, words derived from the name of a country are replaced, too; in other languages, a place with such a word
    is left unchanged. So are places named only in the question, since the answer then requires general knowledge, and
    countries behind one of their towns. With fewer than two places, nothing is changed.

    >>> turn = Turn(fields={"context": "She left Paris for Rome.", "question": "Who left Paris?"})
    >>> dict(change_places(turn, Random(1), ("context", "question")).fields)
    {'context': 'She left Sydney for Vancouver.', 'question': 'Who left Sydney?'}
    >>> there = Turn(fields={"context": "He left Toulouse, France, for Peru.", "question": "Where did he go?"})
    >>> change_places(there, Random(1), ("context", "question"), kind="countries").fields["context"].split(", ")[1]
    'France'
    >>> turn = Turn(fields={"context": "Er zog von Paris nach Rom.", "question": "Wer verließ Paris?"})
    >>> dict(change_places(turn, Random(1), ("context", "question"), "de").fields)
    {'context': 'Er zog von Kopenhagen nach Hamburg.', 'question': 'Wer verließ Kopenhagen?'}
    """
    texts = [turn.fields[name] for name in fields]
    rows = _replaceable(kind, texts, written_in)
    if len(rows) < 2:
        return turn
    table: dict[str, str] = {}
    for row, other_row in _with_replacements(rows, rng):  # such as ("France", "French") and ("Peru", "Peruvian")
        table |= dict(zip(row, other_row, strict=True))
    if is_english(written_in):
        table = _in_any_case(table, texts)

    def edit(text: str) -> str:
        return edited(text, [(*m.span(), table[m.group()]) for m in _mentions(text, table, written_in)])

    return _exchanged(turn, fields, edit)


def _with_replacements(items: Sequence[T], rng: Random) -> list[tuple[T, T]]:
    """Return each of two or more items with the one that replaces it: the one some steps further, in a circle."""
    shift = 1 + int(rng.random() * (len(items) - 1))
    return [(item, items[(place + shift) % len(items)]) for place, item in enumerate(items)]


def _replaceable(kind: str, texts: Sequence[str], language: str) -> list[tuple[str, ...]]:
    """Return the names of the places that can be replaced in all texts. English rows also have the derived words."""
    rows = _places(kind, language)
    if not is_english(language):
        return [row[:1] for row in rows if _may_be_exchanged(row, texts, Language(language))]
    words_of_texts = [LETTERS.findall(text) for text in texts]
    first, *later = ({word.casefold() for word in words} for words in words_of_texts)
    as_written = {word for words in words_of_texts for word in words}
    all_words = first.union(*later)
    only_later = all_words - first

    def fits(row: tuple[str, ...]) -> bool:
        names = {name.casefold() for name in row}
        is_ordinary_word = names & _LOWER_CASE_WORDS & as_written  # "china" in a shop
        if only_later & names or is_ordinary_word:
            return False
        in_longer_word = any(word.startswith(tuple(names)) and word not in names for word in all_words)
        return not in_longer_word and not (kind == "countries" and _is_situated_in(row[0], texts))

    return [row for row in rows if fits(row)]


_LOWER_CASE_WORDS = frozenset({"china", "polish", "cologne"})
"""Names of places that may be ordinary words in lower case: dishes, a verb, a scent."""

_SITUATED = re.compile(r"\b[A-Z][\w-]+(?:, | in | \()$")


def _is_situated_in(country: str, texts: Sequence[str]) -> bool:
    """Return True if a text states that a town is in this country ("Toulouse, France")."""
    return any(
        word.group().casefold() == country.casefold()
        and _SITUATED.search(text, max(0, word.start() - 40), word.start())
        for text in texts
        for word in LETTERS.finditer(text)
    )


_BEHIND_A_NAME = re.compile(r"(?:\b[^\W\d_a-z][\w-]+,? (?:[a-z\u00e0]{1,3} )?|\()\Z")
"""A town's name or an opening bracket right before a country: "Toulouse, Frankreich"."""


def _may_be_exchanged(row: tuple[str, ...], texts: Sequence[str], folder: Language) -> bool:
    """Return True if a place can be replaced in all texts.

    Every mention must be the name itself, not a derived word, and the first text must mention the place if any text
    does. A row contains the name, followed by the stems of words derived from it.
    """
    name, stems = row[0], tuple(stem.casefold() for stem in row)
    if any(name in text for text in texts[1:]) and name not in texts[0]:
        return False
    if not folder.spaces:
        fixed = listed("compounds", folder.code) if folder.has("compounds") else ()
        return not any(name in term and term in text for term in fixed for text in texts)
    if any(word != name and word.casefold().startswith(stems) for text in texts for word in LETTERS.findall(text)):
        return False
    mentions = ((text, *m.span()) for text in texts for m in _mentions(text, (name,), folder.code))
    for text, start, end in mentions:
        _, word_behind = words_beside(text, start, end)
        if _BEHIND_A_NAME.search(text, 0, start) or word_behind[:1].isupper():
            return False  # part of a longer name, such as "Berlin Alexanderplatz"
    return True


def _in_any_case(table: Mapping[str, str], texts: Sequence[str]) -> dict[str, str]:
    """Return a table of names with an entry for each word of the texts that is a name in any letter case."""
    folded = {name.casefold(): other for name, other in table.items()}
    mentions = {word for text in texts for word in LETTERS.findall(text) if word.casefold() in folded}
    others = {word: folded[word.casefold()] for word in mentions}
    return {word: other.lower() if word.islower() else like(word, other) for word, other in others.items()}
