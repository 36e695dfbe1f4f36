"""Finds a word in one answer that replaces a word in the other, such as "Monday" and "Tuesday".

If two short answers are otherwise the same, any replaced word counts. If not, two words count if they belong to the
same class and exclude each other (`lexicons/classes.txt`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from importlib import resources

from rapidfuzz.distance import OSA

from mutatis.measures.answer import Answer, word_stem
from mutatis.measures.words import FORM, FUNCTION_WORDS, NEGATIONS, REVERSING, TELLING, TITLES
from mutatis.text.values import vocabulary

SHORT = 12
"""Maximum length in words of answers that are compared position by position."""

_QUANTITIES = frozenset({"number", "length", "mass", "volume", "time-unit", "scale", "currency"})
_ALIKE = "alike"

Classes = Mapping[str, tuple[tuple[str, int], ...]]
"""For each word, the classes that it belongs to and its member number in each class."""


def shipped_entries(file: str) -> Iterator[tuple[str, str]]:
    """Return the entries of a word list that ships with the package, each as its name and the text behind the colon."""
    lines = (resources.files(__package__) / "lexicons" / file).read_text("utf-8").splitlines()
    entries = (line.partition(":") for line in lines if not line.startswith("#"))
    return ((name, members) for name, colon, members in entries if colon)


@cache
def classes() -> Classes:
    """Return the classes of each word, read from the list that ships with the package.

    A line of the list names a class and its members, such as "season: spring|springtime summer". A bar joins words that
    do not exclude each other.

    >>> classes()["monday"], classes()["mondays"]
    ((('weekday', 0),), (('weekday', 0),))
    """
    by_word: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
    for name, members in shipped_entries("classes.txt"):
        for number, member in enumerate(members.split()):
            # Synonyms that exclude nothing: each group is a class of its own.
            name_of_class = f"{_ALIKE} {member}" if name == _ALIKE else name
            for word in member.split("|"):
                by_word[word].append((name_of_class, number))
    for name_of_class, each in _calendar():
        for number, spellings in enumerate(each):
            for word in spellings:
                by_word[word].append((name_of_class, number))
    return {word: tuple(memberships) for word, memberships in by_word.items()}


def _calendar() -> Iterator[tuple[str, list[tuple[str, ...]]]]:
    """Yield the classes of weekdays and months. Each member is a tuple of its spellings."""
    known = vocabulary()
    brief = known.tables["calendar"]["brief_weekdays"]
    days = [day.lower() for day in known.weekdays]
    yield "weekday", [(day, f"{day}s", *(word for word, of in brief.items() if of.lower() == day)) for day in days]
    numbers = known.month_numbers
    yield "month", [tuple(name for name, at in numbers.items() if at == number) for number in range(1, 13)]


def exclude(first: str, second: str) -> str | None:
    """Return the class of two words that exclude each other.

    Return "" if no class contains both words, and None if they are the same member of a class.

    >>> exclude("monday", "friday"), exclude("monday", "red"), exclude("glad", "happy")
    ('weekday', '', None)
    """
    table = classes()
    ours, theirs = dict(table.get(first, ())), dict(table.get(second, ()))
    shared = [name for name in ours if name in theirs]
    if any(ours[name] == theirs[name] for name in shared):
        return None
    return shared[0] if shared else ""


def misspelt(first: str, second: str) -> bool:
    """Return True if two words differ by one typo, or by up to two if the shorter word has nine letters or more.

    The shorter word must have at least five letters. Different names may be just as similar, so use this only if the
    answers are otherwise the same.
    """
    shorter = min(len(first), len(second))
    return shorter >= 5 and OSA.distance(first, second) <= (2 if shorter >= 9 else 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Swap:
    """A word in the reference and the word that replaces it in the answer.

    Attributes:
        first: the word in the reference.
        second: the word in the answer.
        kind: the class that makes the words exclude each other, "number", or "" if no list contains them.
        aligned: whether the words around them are the same in both answers.
    """

    first: str
    second: str
    kind: str
    aligned: bool


def _is_spelling(first: str, second: str) -> bool:
    """Return True if two words may be the same word: an abbreviation, inflection, typo or spelling variant."""
    short, long = sorted((first, second), key=len)
    if long.startswith(short) or word_stem(first) == word_stem(second):
        return True
    if short[0] == long[0] and (len(short) <= 2 or (is_initials(short) and len(short) < len(long))):
        return True
    if misspelt(first, second) or _sounded(first) == _sounded(second):
        return True
    return len(short) >= 7 and OSA.normalized_similarity(first, second) >= 0.7


def is_initials(word: str) -> bool:
    """Return True if a word may consist of initials: it has one or two letters, or three without a vowel.

    >>> is_initials("uk"), is_initials("jfk"), is_initials("sun")
    (True, True, False)
    """
    return len(word) <= 2 or (len(word) == 3 and not set("aeiouy") & set(word))


def _sounded(word: str) -> str:
    """Return a name with common spelling variants reduced to one form ("Karl", "Carl"; "Rudolph", "Rudolf")."""
    for heard, written in (("ph", "f"), ("ck", "k"), ("c", "k"), ("y", "i"), ("z", "s"), ("ei", "ai"), ("ie", "i")):
        word = word.replace(heard, written)
    return re.sub(r"(.)\1", r"\1", word).rstrip("e")


def _negates(first: str, second: str) -> bool:
    """Return True if the second word is the first with a negating prefix ("obedience", "disobedience")."""
    return len(first) >= 4 and second.endswith(first) and second[: -len(first)] in REVERSING


def _kind(first: str, second: str) -> str | None:
    """Return the kind of contrast between two words, or None if they do not contrast.

    The kind is the name of a class, "number", "opposite", or "" if it is unknown.
    """
    if first[0].isdigit() and second[0].isdigit():
        return "number"
    name = exclude(first, second)
    if name != "":
        return name
    if _negates(first, second) or _negates(second, first):
        return "opposite"
    if {first, second} & (TITLES | NEGATIONS) or _is_spelling(first, second):
        return None
    if first in FUNCTION_WORDS or second in FUNCTION_WORDS:
        telling = first in TELLING and second in TELLING and not {first, second} <= FORM
        return "" if telling else None
    return ""


def _replaced(first: tuple[str, ...], second: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of words that replace each other in two short texts.

    The texts must have a word in common, or be single words that exclude each other ("red", "blue"). Of more than two
    words in place of others, it is unclear which replaces which.
    """
    codes = SequenceMatcher(None, first, second, autojunk=False).get_opcodes()
    if all(code[0] != "equal" for code in codes):
        if len(first) == len(second) == 1 and exclude(first[0], second[0]):
            yield first[0], second[0]
        return
    for tag, i1, i2, j1, j2 in codes:
        if tag != "replace":
            continue
        ours, theirs = first[i1:i2], second[j1:j2]
        if len(ours) != len(theirs):
            ours = tuple(word for word in ours if word not in FUNCTION_WORDS)
            theirs = tuple(word for word in theirs if word not in FUNCTION_WORDS)
        if len(ours) == len(theirs) <= 2:
            yield from zip(ours, theirs, strict=True)


def _restates(answer: Answer, question: Answer) -> bool:
    """Return True if an answer is a sentence that repeats the question. Such a sentence can be worded in many ways."""
    return len(set(answer.stems) & question.content) >= 2 and len(answer.words) >= 5


def swaps(reference: Answer, answer: Answer, question: Answer, *, same_numbers: bool) -> tuple[Swap, ...]:
    """Return the words in an answer that replace words in the reference, starting with words found in word lists.

    A pair whose kind is "" is in no list, so it only counts if neither answer repeats the question.

    If the numbers have equal values ("2 km", "2000 m"), neither they nor their units count as replaced.
    """
    if max(len(reference.words), len(answer.words)) > SHORT:
        replaced = list(_listed_swaps_anywhere(reference, answer))
    else:
        replaced = [
            Swap(first=first, second=second, kind=kind, aligned=True)
            for first, second in _replaced(reference.words, answer.words)
            if first not in answer.words and second not in reference.words
            if (kind := _kind(first, second)) is not None
        ]
    if same_numbers and any(swap.kind == "number" for swap in replaced):
        replaced = [swap for swap in replaced if swap.kind not in _QUANTITIES]
    if question.words:
        # If an answer repeats the question, only words of a list count: the rest may be worded in many ways.
        repeats = _restates(reference, question) or _restates(answer, question)
        replaced = [swap for swap in replaced if swap.kind or not repeats]
    return tuple(sorted(replaced, key=lambda swap: not swap.kind))


def _listed_swaps_anywhere(reference: Answer, answer: Answer) -> Iterator[Swap]:
    """Yield pairs of words of the same class that exclude each other. Neither word may occur in both texts.

    The words may be anywhere in the texts, but the reference must be short.
    """
    table = classes()
    ours = [w for w in dict.fromkeys(reference.words) if w in table and w not in answer.words]
    if not ours or len(reference.words) > SHORT:
        return
    theirs = [w for w in dict.fromkeys(answer.words) if w in table and w not in reference.words]
    for first in ours:
        if first in FUNCTION_WORDS:
            continue
        names = {name for name, _ in table[first]}
        others = [word for word in theirs if names & {name for name, _ in table[word]}]
        kinds = [exclude(first, other) for other in others]
        if others and all(kinds):  # a synonym (None) in the answer speaks for the reference
            yield Swap(first=first, second=others[0], kind=kinds[0] or "", aligned=False)
