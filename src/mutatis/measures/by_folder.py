"""Compares two replies using the data folder of their language: yes or no, refusals, values, negations, words.

It serves languages other than English, which has more detailed rules (`free.py`). A pair is decided only if a
difference can be named, or if one reply contains everything in the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mutatis.core.languages import ENGLISH, Languages
from mutatis.core.measure import SOURCE_IS_ODD, Similarity
from mutatis.languages import languages_with
from mutatis.measures.facts import Fact, are_of_one_sort, facts, same_fact
from mutatis.measures.folder_words import content_words, negations_in
from mutatis.measures.similarities import different, same
from mutatis.measures.stock_replies import NOT_UNDERSTOOD
from mutatis.text.by_folder import READS, is_lost_in, knows_not_in, polarity_in, reads, refuses_in, without_courtesy

_FOUND = 0.8
"""Share of a reply's content words that another reply must contain for the two to count as the same."""

_FEWEST = 2
"""Minimum number of content words that a reply needs, unless it states a value, to be found in another reply."""

_VALUES = ("amount", "day", "time", "code")


def languages_read() -> Languages:
    """Return English and all languages whose folders have the lists needed to compare replies."""
    return tuple(dict.fromkeys((*ENGLISH, *languages_with(*READS))))


def certain_in(first: str, second: str, language: str) -> Similarity | None:
    """Judge two replies by clear signs, whatever their wording. Return None if they give no such sign.

    The signs are misunderstandings, refusals, admissions of ignorance, yes or no, and values.

    >>> certain_in("Das kostet 5 Euro.", "Es sind 7 Euro.", "de").reason
    'values differ: 5 euro / 7 euro'
    """
    if not reads(language):
        return None
    for way, reason in _WAYS:
        said = way(first, language), way(second, language)
        if said[0] is not said[1]:
            cause = NOT_UNDERSTOOD if way is is_lost_in else ""
            return different(f"{reason} in one, not in the other", SOURCE_IS_ODD if cause and said[0] else cause)
    sides = polarity_in(first, language), polarity_in(second, language)
    if None not in sides and sides[0] is not sides[1]:
        return different("yes / no")
    return _by_values(first, second, language)


_WAYS: Sequence[tuple[Callable[[str, str], bool], str]] = (
    (is_lost_in, "not understood"),
    (refuses_in, "refused"),
    (knows_not_in, "not known"),
)


def _by_values(first: str, second: str, language: str) -> Similarity | None:
    """Return "different" if both replies contain values of the same sort but have none in common, else None."""
    ours, theirs = (
        [fact for fact in facts(text, language=language) if fact.kind in _VALUES] for text in (first, second)
    )
    for fact in ours:
        rivals, kin = ([other for other in side if _are_rivals(fact, other)] for side in (theirs, ours))
        if rivals and not any(same_fact(left, right) for left in kin for right in rivals):
            return different(f"values differ: {fact.text} / {rivals[0].text}")
    return None


def _are_rivals(fact: Fact, other: Fact) -> bool:
    """Return True if two facts contradict each other unless they are equal, unlike a weekday and a date."""
    return fact.kind == other.kind and (fact.value is None) is (other.value is None) and are_of_one_sort(fact, other)


def compare_by_folder(first: str, second: str, language: str) -> Similarity | None:
    """Judge two replies using the data folder of their language. Return None if no rule applies.

    >>> compare_by_folder("Das kostet 5 Euro.", "Gerne! Das kostet 5 Euro.", "de").reason
    'everything in one reply is found in the other'
    >>> compare_by_folder("Hunde sind erlaubt.", "Hunde sind nicht erlaubt.", "de").reason
    'one is negated'
    """
    if not reads(language):
        return None
    if (decided := certain_in(first, second, language)) is not None:
        return decided
    left, right = (without_courtesy(text, language) for text in (first, second))
    words = [frozenset(content_words(text, language)) for text in (left, right)]
    negated = [negations_in(text, language) % 2 for text in (left, right)]
    if words[0] == words[1] and words[0] and negated[0] != negated[1]:
        return different("one is negated")
    if negated[0] != negated[1]:
        return None
    told = [facts(text, language=language) for text in (left, right)]
    pairs = ((words[0], words[1], told[0], told[1]), (words[1], words[0], told[1], told[0]))
    if any(_is_found(*pair) for pair in pairs):
        return same("everything in one reply is found in the other")
    return None


def _is_found(words: frozenset[str], others: frozenset[str], told: Sequence[Fact], known: Sequence[Fact]) -> bool:
    """Return True if another reply contains most of this reply's words and all of its values."""
    enough = len(words) >= _FEWEST or bool(told)
    stated = all(any(same_fact(fact, other) for other in known) for fact in told if fact.kind != "stance")
    return enough and stated and len(words & others) >= _FOUND * len(words)
