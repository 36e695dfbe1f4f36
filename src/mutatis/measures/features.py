"""Turns a pair of answers into a short row of numbers: the evidence for and against the two being the same.

The evidence has a direction: it measures how well an answer covers the content of a reference. Every feature is a
proportion, a flag or a small capped count, so that none depends on the size or style of one data set.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice, pairwise

from rapidfuzz import fuzz
from rapidfuzz.distance import JaroWinkler

from mutatis.measures.answer import Answer, content_of, read
from mutatis.measures.contrast import Swap, is_initials, swaps
from mutatis.measures.words import (
    EXCLUDERS,
    FUNCTION_WORDS,
    HEDGES,
    LIGHT,
    MEASURED,
    QUANTIFIED,
    has_spelling,
    spellings,
)
from mutatis.text.memory import kept_within
from mutatis.text.values import Number

_WORDS_FOUND = "exact contained coverage fuzzy_coverage precision last_word first_word spelling answer_within initials"
_REST = "extra_words extra_before position numbers_found numbers_conflict negated hedged reference_words question_only"
_REPLACED = "abstains listed contrast contrast_elsewhere swapped focus"
NAMES = tuple(f"{_WORDS_FOUND} {_REST} {_REPLACED}".split())
"""Names of the features, in the same order as the values in a row."""

BRIEF = 8
"""Maximum number of words in an answer that only names something, without any explanation."""

_CAP = 12.0
"""Maximum of a count of words. More words make no difference."""

_LONGEST = 600
_FIRST_SENTENCE = re.compile(r"(?s)\A(.{15,}?[a-z0-9)\"'\u201d]{2}[.!?])(?:\s+[A-Z\"'\u201c]|\s*\n)")
_CLAUSE = re.compile(
    r"[,;:(\n]|\s(?:who|which|that|where|when|while|because|although|but|and|as|with|making|including|since|from|by|in|"
    r"on|at|during|after|before|for|such)\s"
)
_SHORT = 6  # words; answers up to this length are their own point


@dataclass(frozen=True, slots=True, kw_only=True)
class FeatureRow:
    """A row of features, with the details needed by the rules and by the reasons shown to users.

    Attributes:
        row: one value per name in NAMES.
        missing: stems of the reference's content words that the answer lacks.
        extra: stems of the answer's content words that are in neither the reference nor the question.
        at: index of the first word of the reference in the answer, or -1 if the answer does not give it.
        listed: number of items in the enumeration that names the reference, and the index of its first word.
        swaps: words of the reference that the answer replaces, each with its replacement.
    """

    row: tuple[float, ...]
    missing: tuple[str, ...]
    extra: tuple[str, ...]
    at: int
    listed: tuple[int, int]
    swaps: tuple[Swap, ...]

    def __getitem__(self, name: str) -> float:
        return self.row[NAMES.index(name)]


def light(stem: str) -> bool:
    """Return True if a stem carries little meaning alone: a function word, a reporting verb or an adverb."""
    return stem in FUNCTION_WORDS or stem in LIGHT or (len(stem) > 5 and stem.endswith("li"))


@kept_within(12_000_000, per_character=40)
def focus(text: str, question: str) -> Answer:
    """Parse the first clause of an answer that goes beyond the question. Short answers are returned whole.

    >>> focus("The ostrich is the fastest animal on two legs, at 43 mph.", "What is the fastest animal?").words
    ('ostrich', 'is', 'fastest', 'animal')
    >>> focus("Rome", "").words
    ('rome',)
    """
    whole = read(text)
    if len(whole.words) <= _SHORT:
        return whole
    if text.isupper():  # the patterns of clauses have lower-case words, and a capital would begin a sentence anywhere
        text = text.lower()
    match = _FIRST_SENTENCE.match(text[:_LONGEST])
    sentence = match.group(1) if match else text[:_LONGEST]
    asked = read(question).content
    for clause in _CLAUSE.split(sentence):
        answer = read(clause)
        if any(stem not in asked and not light(stem) for stem in answer.stems):
            return answer
    return whole


def _all_places(needle: tuple[str, ...], words: tuple[str, ...]) -> list[int]:
    """Return the indices of a sequence of words among other words, at most 20."""
    starts = (at for at, word in enumerate(words) if word in needle[:1])
    return list(islice((at for at in starts if words[at : at + len(needle)] == needle), 20))


def gives(wanted: Number, said: Number) -> bool:
    """Return True if a stated number matches the required one: it is equal, or a year within the required decade."""
    if wanted.kind == "decade" and said.kind == "year":
        return wanted.value <= said.value < wanted.value + 10
    return same_number(wanted, said)


def same_number(first: Number, second: Number) -> bool:
    """Return True if two numbers have equal values or, if one has no unit, are written in the same way."""
    if abs(first.value - second.value) <= 1e-6 * max(abs(first.value), abs(second.value)):
        loose = {"count", "year", "ordinal", "day", "percent", "decade"}
        return first.kind == second.kind or first.kind in loose or second.kind in loose
    bare = first.kind in ("count", "year") or second.kind in ("count", "year")
    return bare and first.raw == second.raw


def _number_evidence(reference: Answer, answer: Answer, question: Answer, news: Answer) -> tuple[float, float]:
    """Return the proportion of the reference's numbers that the answer gives, and a flag for contradictions.

    The flag is 1.0 if the answer contradicts any of these numbers, else 0.0. If the question does not ask for a number,
    only numbers in the reference's first statement can be contradicted. Numbers in later statements ("..., which came
    out in 2009") are additional detail, and a correct answer may add different detail.
    """
    if not reference.numbers:
        return 0.5, 0.0
    lacking = [n for n in reference.numbers if not any(gives(n, other) for other in answer.numbers)]
    share = 1.0 - len(lacking) / len(reference.numbers)
    if question.words and not asks_number(question):
        lacking = [n for n in lacking if any(same_number(n, other) for other in news.numbers)]
    if not lacking or (all(n.kind == "day" for n in lacking) and _same_year(reference, answer)):
        return share, 0.0
    known = (*reference.numbers, *question.numbers)
    others = [n for n in answer.numbers if not any(same_number(n, other) for other in known)]
    return share, float(bool(others))


def asks_number(question: Answer) -> bool:
    """Return True if a question asks for a number, a date or a time."""
    words = question.words
    if "when" in words or not MEASURED.isdisjoint(words):
        return True
    return any(pair[0] == "how" and pair[1] in QUANTIFIED for pair in pairwise(words))


def _same_year(first: Answer, second: Answer) -> bool:
    """Return True if two answers have a year in common, so that one answer may merely add the day."""
    years = {n.value for n in first.numbers if n.kind == "year"}
    return any(n.kind == "year" and n.value in years for n in second.numbers)


def _is_excluded(answer: Answer, question: Answer, places: Iterable[int]) -> bool:
    """Return True if the answer negates every mention of the reference ("it was not Paris", "rather than Paris")."""
    if question.negations:
        return False
    mentions = list(places)
    return bool(mentions) and all(
        (at > 0 and answer.words[at - 1] in EXCLUDERS)
        or (at > 1 and answer.words[at - 2 : at] in (("rather", "than"), ("instead", "of"), ("other", "than")))
        for at in mentions
    )


def listed_among(answer: Answer, size: int, places: Iterable[int]) -> tuple[int, int]:
    """Return the number of items in the enumeration that names the reference, and the index of its first word.

    Return (0, 0) if the answer also names the reference outside an enumeration, or not at all. If several enumerations
    name it, the largest counts.

    Args:
        answer: the answer.
        size: number of words in the reference.
        places: indices of the words that begin the reference in the answer.
    """
    largest = (0, 0)
    for at in places:
        around = [(run.things, run.start) for run in answer.enumerations if run.start <= at and at + size <= run.end]
        if not around:
            return (0, 0)
        largest = max(largest, *around)
    return largest


def _initials(reference: Answer, answer: Answer) -> bool:
    """Return True if one answer consists of the initials of the other ("JFK", "John Fitzgerald Kennedy")."""
    for short, long in ((reference.words, answer.words), (answer.words, reference.words)):
        if len(short) == 1 and 2 <= len(short[0]) <= 6 and short[0].isalpha():
            letters = "".join(word[0] for word in long if word not in FUNCTION_WORDS)
            if 2 <= len(letters) <= 60 and short[0] in letters:
                return True
    return False


def _spelling(reference: Answer, answer: Answer) -> float:
    """Return how closely the spelling of any part of the answer matches the reference, from 0 to 1."""
    first, second = " ".join(reference.words), " ".join(answer.words)
    if not first or not second:
        return 0.0
    if len(first) > len(second):
        return float(JaroWinkler.normalized_similarity(first[:200], second[:200])) * 0.9
    return float(fuzz.partial_ratio(first[:200], second[:3000])) / 100.0


def _first_places(wanted: tuple[str, ...], answer: Answer) -> dict[str, int]:
    """Return the index in the answer of each given stem, allowing for variant spellings."""
    places: dict[str, int] = {}
    for at, word in enumerate(answer.stems):
        places.setdefault(word, at)
    distinct = tuple(places)
    at_place: dict[str, int] = {}
    for stem in wanted:
        if stem in places:
            at_place[stem] = places[stem]
            continue
        near = min((places[word] for word in spellings(stem, distinct)), default=None)
        if near is not None:
            at_place[stem] = near
    return at_place


def _match_initials(wanted: tuple[str, ...], placed: dict[str, int], answer: Answer) -> None:
    """Match initials to full names ("j" or "jk" to "joanne") if another word, such as the surname, matches already."""
    if not placed:
        return
    used = set(placed.values())
    for stem in wanted:
        if stem in placed or not stem.isalpha():
            continue
        for at, word in enumerate(answer.words):
            short = (is_initials(stem) or is_initials(word)) and at not in used and word not in FUNCTION_WORDS
            if short and word.isalpha() and word[0] == stem[0]:
                placed[stem] = at
                used.add(at)
                break


def _distinct(stems: tuple[str, ...], apart: frozenset[str]) -> tuple[str, ...]:
    """Return the content stems that are not in the question, or all content stems if the question has them all."""
    content = content_of(stems)
    ordered = tuple(dict.fromkeys(stem for stem in stems if stem in content))
    return tuple(stem for stem in ordered if stem not in apart) or ordered


def _surplus(
    reference: Answer, answer: Answer, asked: frozenset[str], wanted: tuple[str, ...], stood_for: set[str]
) -> tuple[str, ...]:
    """Return the answer's content stems that occur in neither the reference nor the question, in any spelling."""
    known = asked | reference.content | stood_for
    return tuple(
        stem
        for stem in dict.fromkeys(answer.stems)
        if stem in answer.content and stem not in known and not has_spelling(stem, wanted)
    )


def _focused(news: Answer, answer: Answer, asked: frozenset[str]) -> float:
    """Return the proportion of the reference's words that the answer contains, ignoring words of the question."""
    new_stems = tuple(stem for stem in news.stems if stem not in asked and not light(stem))
    wanted = new_stems or _distinct(news.stems, asked)
    return len(_first_places(wanted, answer)) / max(len(wanted), 1)


def _whole_mentions(reference: Answer, answer: Answer) -> list[int]:
    """Return the indices of the reference in the answer, whole or without its function words."""
    places = _all_places(reference.stems, answer.stems)
    bare = tuple(stem for stem in reference.stems if stem not in FUNCTION_WORDS)
    return places or _all_places(bare, answer.stems)


def _share(number: int, stems: tuple[str, ...]) -> float:
    return number / max(len(stems), 1)


def compare_answers(reference: Answer, answer: Answer, question: Answer, news: Answer | None = None) -> FeatureRow:
    """Return the evidence that `answer`, as a reply to `question`, covers the content of `reference`.

    `news` is the first clause of the reference that adds something to the question (see `focus`). It defaults to the
    whole reference.

    >>> paris, country = read("Paris"), read("What is the capital of France?")
    >>> evidence = compare_answers(paris, read("Not Paris: it is Lyon."), country)
    >>> evidence["contained"], evidence["negated"], evidence["numbers_found"], evidence.extra
    (1.0, 1.0, 0.5, ('lyon',))
    """
    asked = question.content if question.words else frozenset[str]()
    wanted, offered = _distinct(reference.stems, asked), _distinct(answer.stems, asked)
    placed = _first_places(wanted, answer)
    _match_initials(wanted, placed, answer)
    missing = tuple(stem for stem in wanted if stem not in placed)
    extra = _surplus(reference, answer, asked, wanted, {answer.stems[at] for at in placed.values()})
    whole = _whole_mentions(reference, answer)
    if whole:
        mentions, listed = whole, listed_among(answer, len(reference.stems), whole)
    else:  # its words may stand apart in the answer
        mentions = [min(placed.values())] if placed and not missing else []
        listed = listed_among(answer, 1, [*_all_places(wanted, answer.stems), *mentions])
    at = mentions[0] if mentions else -1
    numbers_found, numbers_conflict = _number_evidence(reference, answer, question, news or reference)
    gives_all_numbers = bool(reference.numbers) and numbers_found >= 1.0
    swapped = swaps(reference, answer, question, same_numbers=gives_all_numbers)
    covered = sum(has_spelling(stem, reference.stems) for stem in offered)
    features = {
        "exact": reference.words == answer.words or reference.stems == answer.stems,
        "contained": bool(whole),
        "coverage": _share(len(frozenset(wanted).intersection(answer.stems)), wanted),
        "fuzzy_coverage": _share(len(placed), wanted),
        "precision": len(placed) / max(len(placed) + len(extra), 1),
        "last_word": bool(wanted) and wanted[-1] in placed,
        "first_word": bool(wanted) and wanted[0] in placed,
        "spelling": _spelling(reference, answer),
        "answer_within": _share(covered, offered),
        "initials": _initials(reference, answer),
        "extra_words": min(len(extra), _CAP),
        "extra_before": min(len(set(answer.stems[:at]).intersection(extra)) if at >= 0 else len(extra), _CAP),
        "position": at / max(len(answer.stems), 1) if at >= 0 else 1.0,
        "numbers_found": numbers_found,
        "numbers_conflict": numbers_conflict,
        "negated": _is_excluded(answer, question, mentions),
        "hedged": min(sum(word in HEDGES for word in answer.words), 3),
        "reference_words": min(len(wanted), 6),
        "question_only": bool(wanted) and asked.issuperset(wanted),
        "abstains": answer.abstains,
        "listed": 0.0 if reference.enumerations else min(listed[0], 6),
        "contrast": any(swap.aligned and swap.kind for swap in swapped),
        "contrast_elsewhere": any(not swap.aligned for swap in swapped),
        "swapped": any(swap.aligned and not swap.kind for swap in swapped),
        "focus": _focused(news or reference, answer, asked),
    }
    row = tuple(float(features[name]) for name in NAMES)
    return FeatureRow(row=row, missing=missing, extra=extra, at=at, listed=listed, swaps=swapped)
