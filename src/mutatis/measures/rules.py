"""Decides the clear cases among pairs of answers, each with a reason, before a model is consulted."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from itertools import dropwhile

from mutatis.core.errors import shortened
from mutatis.core.measure import Similarity
from mutatis.measures.answer import Answer
from mutatis.measures.contrast import misspelt, shipped_entries
from mutatis.measures.features import FeatureRow, gives, same_number
from mutatis.measures.words import FUNCTION_WORDS, NEGATIONS, OFFERS, alike
from mutatis.text.normalisation import listed_words, tokens
from mutatis.text.segments import stem
from mutatis.text.values import Number, vocabulary

# Classes whose names are not nouns that a reason can use ("another near").
_NO_NOUNS = listed_words("over inside vertical near on-off to-from once here order front start")
_MONTHS = frozenset(vocabulary().month_numbers) | frozenset(map(stem, vocabulary().month_numbers))
_EXACT = listed_words("date day month exact exactly precise precisely")
_ABOUT_NUMBERS = _MONTHS | listed_words(
    "percent about approx approxim around roughly near nearli almost year old day month hour minut second week dollar "
    "pound euro km kg mile metr meter feet foot cm mm gram ad bc circa ce bce season"
)


def _similarity(score: float, reason: str) -> Similarity:
    return Similarity(score=score, reason=reason)


def _numbers_text(numbers: tuple[Number, ...]) -> str:
    return shortened(", ".join(number.text.strip() for number in numbers[:4]) or "none", 40)


def empty(reference: Answer, answer: Answer) -> Similarity | None:
    """Judge pairs with at least one empty answer."""
    if reference.words and answer.words:
        return None
    if reference.words or answer.words:
        return _similarity(0.0, "one answer is empty")
    return _similarity(1.0, "both answers are empty")


def equal(reference: Answer, answer: Answer) -> Similarity | None:
    """Judge pairs of answers with the same words in the same order. Signs and units of numbers must match, too."""
    if reference.words != answer.words:
        return None
    pairs = zip(reference.numbers, answer.numbers, strict=False)
    if all(same_number(first, second) for first, second in pairs):
        return _similarity(1.0, "the same words")
    return _similarity(0.02, f"numbers differ: {_numbers_text(reference.numbers)} / {_numbers_text(answer.numbers)}")


def symbols(reference: Answer, answer: Answer) -> Similarity | None:
    """Judge pairs of different answers that consist only of symbols, which no model can interpret."""
    if any(character.isalnum() for word in (*reference.words, *answer.words) for character in word):
        return None
    return _similarity(0.05, "different symbols")


def decide_withheld(reference: Answer, answer: Answer, evidence: FeatureRow, directed: bool) -> Similarity | None:
    """Judge pairs with a refusal or an abstention. An abstention that names the reference is left to the model."""
    if reference.refuses and answer.refuses:
        return _similarity(0.97, "both are refusals")
    if reference.abstains and answer.abstains:
        return _similarity(0.97, "both abstain")
    for withheld, withheld_there, score, reason in (
        (reference.refuses, answer.refuses, 0.01, "one answer is a refusal, the other is not"),
        (reference.abstains, answer.abstains, 0.03, "one answer abstains, the other does not"),
    ):
        if withheld and not directed:
            return None  # the other direction decides
        if withheld_there and evidence["fuzzy_coverage"] >= 1.0 and not evidence["question_only"]:
            return None  # it gives what the other gives, whatever else it says
        if withheld or withheld_there:
            return _similarity(score, reason)
    return None


def _numeric_only(answer: Answer, question: Answer) -> bool:
    """Return True if an answer consists only of numbers, units, months, function words and words of the question."""
    if not answer.numbers:
        return False
    words = [s for s in answer.stems if s not in FUNCTION_WORDS and s not in question.content]
    has_digits = any(s[0].isdigit() for s in words)
    return has_digits and all(s[0].isdigit() or s in _ABOUT_NUMBERS for s in words)


def any_of_several(reference: Answer, answer: Answer, question: Answer) -> Similarity | None:
    """Leave two different answers undecided if several are correct ("Give a year in the life of ...")."""
    ours, theirs = reference.content - question.content, answer.content - question.content
    if not question.asks_any or ours <= theirs or theirs <= ours:
        return None
    return _similarity(0.5, "the question asks for any one of several: both may be right")


def contrast(evidence: FeatureRow) -> Similarity | None:
    """Judge short answers that differ in two mutually exclusive words ("on Monday", "on Tuesday")."""
    for swap in evidence.swaps:
        if swap.aligned and swap.kind and swap.kind != "number":
            kind = "word in its place" if swap.kind in _NO_NOUNS else swap.kind.replace("-", " ")
            return _similarity(0.04, f"another {kind}: {swap.first} / {swap.second}")
    return None


def decide_relation(reference: Answer, answer: Answer) -> Similarity | None:
    """Judge pairs of phrases that name a relation between two things ("place of birth", "born in").

    Pairs of single words are left to the other rules, since a single word such as "king" rarely names a relation.
    """
    if not 3 <= len(reference.words) + len(answer.words) <= 2 * LONGEST:
        return None
    ours = relations(" ".join(reference.words))
    theirs = relations(" ".join(answer.words)) if ours else frozenset()
    if not ours or not theirs:
        return None
    both = sorted(ours & theirs)
    if both:
        return _similarity(0.93, f"the same relation: {both[0]}")
    return _similarity(0.05, f"another relation: {min(ours)} / {min(theirs)}")


def _asked_for(numbers: tuple[Number, ...], question: Answer) -> tuple[Number, ...]:
    """Return the numbers that a question asks for: years if it asks for a year, otherwise those not in the question."""
    years = tuple(n for n in numbers if n.kind == "year")
    if years and "year" in question.words:
        return years
    new = tuple(n for n in numbers if not any(same_number(n, named) for named in question.numbers))
    return new or numbers


def _months(answer: Answer) -> set[str]:
    """Return the months in an answer by their first three letters, so that "Sep" and "September" are equal."""
    return {stem[:3] for stem in answer.stems if stem in _MONTHS}


def decide_number(reference: Answer, answer: Answer, question: Answer, directed: bool) -> Similarity | None:
    """Decide whether an answer gives a reference that consists of numbers, or return None if this is unclear.

    An answer that is less precise than the reference ("1969" for "20 July 1969") is different only if the reference is
    an annotated answer (`directed`) and the question, if given, asks for the exact number. If the question asks for the
    year, the year of a date is enough.
    """
    if not _numeric_only(reference, question):
        return None
    wanted = _asked_for(reference.numbers, question)
    is_exact = directed and (not question.words or not _EXACT.isdisjoint(question.words))
    known = (*reference.numbers, *question.numbers)
    lacking = tuple(n for n in wanted if not any(gives(n, m) for m in answer.numbers))
    unexpected = tuple(n for n in answer.numbers if not any(gives(n, m) or same_number(n, m) for m in known))
    if lacking:
        if len(lacking) < len(wanted):
            like_reference = _numeric_only(answer, question) and len(answer.numbers) == len(reference.numbers)
            return _partly_lacking(lacking, unexpected, like_reference, is_exact)
        if unexpected:
            return _similarity(0.02, f"numbers differ: {_numbers_text(lacking)} / {_numbers_text(unexpected)}")
        return _similarity(0.03, f"number missing: {_numbers_text(lacking)}") if is_exact else None
    months, months_in_answer = _months(reference), _months(answer)
    only_year_asked = wanted != reference.numbers and "year" in question.words
    if months - months_in_answer and not only_year_asked:
        if months_in_answer:
            return _similarity(0.04, "months differ")
        return _similarity(0.04, "month missing") if is_exact else None
    if any(n.kind == reference.numbers[0].kind for n in unexpected) or answer.negations:
        return None
    return _similarity(0.96, f"the same number: {_numbers_text(reference.numbers)}")


def _partly_lacking(
    lacking: tuple[Number, ...], others: tuple[Number, ...], like_reference: bool, is_exact: bool
) -> Similarity | None:
    """Judge an answer that gives some of the numbers of a reference, but not all, or return None if this is unclear.

    Args:
        lacking: the numbers that it does not give.
        others: its numbers that are in neither the reference nor the question.
        like_reference: whether it consists of as many numbers as the reference.
        is_exact: whether all numbers are required.
    """
    if others and like_reference:
        return _similarity(0.03, f"numbers differ: {_numbers_text(lacking)} / {_numbers_text(others)}")
    if any(n.kind != "day" for n in lacking):
        return None
    if any(n.kind == "day" for n in others):
        return _similarity(0.03, f"numbers differ: {_numbers_text(lacking)}")
    return _similarity(0.03, f"number missing: {_numbers_text(lacking)}") if is_exact else None


_LONGEST_ITEM = 4
"""Maximum number of words in an answer that is compared as a single item with a list."""


def _item_matches(first: frozenset[str], second: frozenset[str]) -> bool:
    small, large = sorted((first, second), key=len)
    return all(
        any(alike(word, other) or misspelt(word, other) or _short_name(word, other) for other in large)
        for word in small
    )


def _short_name(first: str, second: str) -> bool:
    """Return True if one word begins with the other, as in short forms of names ("Vince", "Vincent")."""
    short, long = sorted((first, second), key=len)
    return len(short) >= 3 and long.startswith(short)


def _items_of(answer: Answer) -> tuple[frozenset[str], ...]:
    """Return the items of a list, or a short answer as a single item, or () for any other answer."""
    return answer.items or ((answer.content,) if 0 < len(answer.words) <= _LONGEST_ITEM else ())


def lists(reference: Answer, answer: Answer, question: Answer) -> Similarity | None:
    """Judge pairs of lists, or pairs of a list and a single item. All other pairs are left to the model.

    If there is a question, it may ask for one item or for all, so pairs of a list and one item are left to the model,
    too. Items joined by "or" are alternatives, and words of the question may be part of neither list.
    """
    if "or" in reference.words or "or" in answer.words or not (reference.items or answer.items):
        return None
    has_two_lists = bool(reference.items and answer.items)
    if question.words and not (has_two_lists and question.content.isdisjoint(reference.content | answer.content)):
        return None
    first, second = _items_of(reference), _items_of(answer)
    if not first or not second:
        return None
    if answer.content == reference.content:
        return _similarity(0.97, "the same list") if len(first) == len(second) else None
    lacking = [item for item in first if not any(_item_matches(item, other) for other in second)]
    adding = [item for item in second if not any(_item_matches(item, other) for other in first)]
    if not lacking and not adding:
        return _similarity(0.95, "the same list") if len(first) == len(second) else None
    if len(lacking) == len(first) and 1 in (len(first), len(second)):
        return None  # the single item may sum up the list
    unmatched = [" ".join(sorted(item)) for item in (*lacking, *adding)]
    return _similarity(0.05, f"lists differ in: {shortened(', '.join(unmatched), 60)}")


def decide_negation(reference: Answer, answer: Answer) -> Similarity | None:
    """Judge pairs of answers that differ only in a negation."""
    if reference.negations % 2 == answer.negations % 2:
        return None
    ours = [s for w, s in zip(reference.words, reference.stems, strict=True) if w not in NEGATIONS | FUNCTION_WORDS]
    theirs = [s for w, s in zip(answer.words, answer.stems, strict=True) if w not in NEGATIONS | FUNCTION_WORDS]
    if not ours or not theirs or not set(ours) ^ set(theirs) <= {"do", "does", "did"}:
        return None
    return _similarity(0.03, "one of the two is negated")


def candidates(answer: Answer, evidence: FeatureRow) -> Similarity | None:
    """Judge answers that name the reference only as one of several candidates, without choosing one."""
    count, start = evidence.listed
    if len(answer.sentence_ends) > 1:
        return None  # further sentences mostly choose one, or tell of something else
    lead = answer.words[max(0, start - 4) : min(evidence.at, start + 5)]  # "It could be", "either", before the list
    if count >= 3 and evidence["reference_words"] <= 4 and any(word in OFFERS for word in lead):
        return _similarity(0.1, f"named only as one of {count} candidates")
    return None


def excluded(evidence: FeatureRow) -> Similarity | None:
    """Judge answers that name the reference only to rule it out."""
    return _similarity(0.08, "named only to be excluded") if evidence["negated"] and evidence["contained"] else None


def _complement(answer: Answer) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Split a short text at its only "of" ("capital of France"). Return None for any other text."""
    if len(answer.words) > 7 or answer.words.count("of") != 1:
        return None
    at = answer.words.index("of")
    return (answer.stems[:at], answer.stems[at + 1 :]) if 0 < at < len(answer.words) - 1 else None


def complement(reference: Answer, answer: Answer) -> Similarity | None:
    """Judge pairs that name the same property of two different things ("capital of France", "capital of Italy")."""
    first, second = _complement(reference), _complement(answer)
    if first is None or second is None or first[0] != second[0]:
        return None
    if any(alike(left, right) for left in first[1] for right in second[1]):
        return None
    return _similarity(0.04, f"{' '.join(first[0])} of {' '.join(first[1])} / {' '.join(second[1])}")


_LEADING = frozenset({"is", "was", "are", "were", "has", "been", "relation", "he", "she", "it"})
LONGEST = 8
"""Maximum number of words in a phrase that is looked up as the name of a relation."""


def _key(phrase: str) -> str:
    """Return the words of a phrase without leading ones such as "was" ("was born in")."""
    return " ".join(dropwhile(_LEADING.__contains__, tokens(phrase)))


@cache
def all_phrases() -> dict[str, frozenset[str]]:
    """Return a mapping from every known phrase to the relations that it may name."""
    by_phrase: defaultdict[str, set[str]] = defaultdict(set)
    for name, phrases in shipped_entries("relations.txt"):
        for phrase in (name, *phrases.split("|")):
            by_phrase[_key(phrase)].add(name)
    return {phrase: frozenset(names) for phrase, names in by_phrase.items()}


def relations(text: str) -> frozenset[str]:
    """Return the relations that a phrase may name. The set is empty for any other text.

    >>> sorted(relations("was born in")), sorted(relations("author of")), sorted(relations("in the garden"))
    (['place of birth'], ['author of'], [])
    """
    return all_phrases().get(_key(text), frozenset()) if len(text) <= 100 else frozenset()
