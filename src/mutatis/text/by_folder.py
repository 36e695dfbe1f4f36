"""Recognises yes, no, misunderstanding, refusal and ignorance in replies, by the patterns in a language's folder.

This is for languages other than English, which has more precise rules. Only the reply is read, not the question.
Replies in a language without these patterns are not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from mutatis.core.languages import is_english
from mutatis.languages import Language
from mutatis.text.openers import without_courtesies
from mutatis.text.segments import content_word_stems
from mutatis.text.sentences import sentences
from mutatis.text.values import Value, values, whole_value

_PATTERNS = "says_yes says_no denies affirms negates lost refuses unknown courtesy per"
READS = (*(f"speech.patterns.{name}" for name in _PATTERNS.split()), "function_words", "values")
"""The lists that a language's folder needs before replies in that language can be read."""

_BEGINNING = 300
"""Number of characters of a reply that are searched for a pattern."""


@cache
def reads(language: str) -> bool:
    """Return True if the folder of a language has all the lists needed to read replies.

    >>> reads("de"), reads("fi")
    (True, False)
    """
    return all(map(Language(language).has, READS))


def _finds(name: str, text: str, language: str) -> bool:
    return reads(language) and Language(language).pattern(name).search(text[:_BEGINNING]) is not None


def polarity_in(text: str, language: str) -> bool | None:
    """Return True if a reply begins with yes, False if it begins with no, and None otherwise.

    >>> [polarity_in(text, "de") for text in ("Ja, gern.", "Nein, leider nicht.", "Jacken gibt es hier.", "Yes.")]
    [True, False, None, True]
    """
    if not reads(language):
        return None
    bare = text.strip(" .!").lower()
    if bare in ("yes", "no"):  # prompts may ask for the English words in any language
        return bare == "yes"
    to_the_point = without_courtesy(text, language)
    if Language(language).pattern("says_no").match(to_the_point):
        return False
    return True if Language(language).pattern("says_yes").match(to_the_point) else None


def side_in(text: str, language: str, question: str = "") -> bool | None:
    """Return True if a reply affirms the question, False if it denies it, and None if neither is clear.

    If the clauses of the first sentence contradict each other, those with a word of the question decide. A later
    sentence that begins with the opposite yes or no leaves the side unclear.

    >>> side_in("Mit Karte geht es leider nicht, Sie können bar zahlen.", "de", "Kann ich bar bezahlen?")
    True
    >>> [side_in(text, "de") for text in ("Das ist leider nicht möglich.", "Sie dürfen kommen.", "Ab 9 Uhr.")]
    [False, True, None]
    """
    first, *others = sentences(without_courtesy(text, language)) or [""]
    if (says_yes := polarity_in(first, language)) is not None:
        return says_yes
    denies, affirms = _finds("denies", first, language), _finds("affirms", first, language)
    side = False if denies else True if affirms else None
    if denies and affirms and question:
        side = bool(_side_of_clauses(question, _CLAUSE.split(first), language))
    return None if any(polarity_in(other, language) is (not side) for other in others) else side


def side_at(value: str, text: str, limit: str, language: str) -> bool | None:
    """Return True if a reply affirms the question for a user's value, False if it denies it, and None if unclear.

    If the reply does not begin with yes or no, the sentences that repeat the value decide, and then the whole reply.
    The words of `limit` are ignored in these sentences.

    >>> side_at("15", "Die Sauna ist ab 16 Jahren. Mit 15 dürfen Sie nicht hinein.", "ab 16 Jahren", "de")
    False
    """
    if not reads(language):
        return None
    if (says_yes := polarity_in(text, language)) is not None:
        return says_yes
    of_limit = re.compile(re.escape(limit), re.IGNORECASE)
    repeating = [part for part in sentences(text) if repeats_value(of_limit.sub(" ", part), value, language)]
    side = _common_side(repeating, language)
    return side_in(text, language) if side is None else side


def _common_side(parts: Iterable[str], language: str) -> bool | None:
    """Return the side that parts of a reply take, or None if they contradict each other or take none."""
    sides = {side for part in parts if (side := side_in(part, language)) is not None}
    return sides.pop() if len(sides) == 1 else None


def side_on(question: str, text: str, language: str) -> bool | None:
    """Return True if a reply affirms a question, False if it denies it, and None if unclear.

    If the reply does not begin with yes or no, the clauses of sentences that repeat a value from the question decide,
    or else the clauses of the first sentence. If they contradict each other, the clauses with a word of the question
    decide; if these also contradict each other, the result is None.

    >>> asked = "Darf ich mit 15 Jahren hinein?"
    >>> side_on(asked, "Ab 16 Jahren. Mit 15 Jahren ist es verboten.", "de")
    False
    >>> side_on("Darf ich essen?", "Essen ist erlaubt, Glas ist verboten.", "de")
    True
    >>> side_on("Was darf ich?", "Essen ist erlaubt, Glas ist verboten.", "de")
    """
    if not reads(language):
        return None
    if (says_yes := polarity_in(text, language)) is not None:
        return says_yes
    parts = sentences(without_courtesy(text, language))
    asked = [value.text for value in values(question, language) if value.kind not in ("name", "code")]
    repeating = [part for part in parts if any(repeats_value(part, value, language) for value in asked)]
    deciding = repeating or parts[:1]
    clauses = [clause for part in deciding for clause in _CLAUSE.split(part)]
    side = _common_side(clauses, language)
    return _side_of_clauses(question, clauses, language) if side is None else side


def _side_of_clauses(question: str, clauses: Iterable[str], language: str) -> bool | None:
    """Return the side that the clauses with a word of the question take, or None if they take none or both."""
    words = content_word_stems(question, language)
    return _common_side(
        [clause for clause in clauses if not words.isdisjoint(content_word_stems(clause, language))], language
    )


_CLAUSE = re.compile(r"[,;:\uff0c\uff1b\uff1a]\s*")


def repeats_value(text: str, value: str, language: str) -> bool:
    """Return True if a text contains a value in any form, such as "mit 16 Jahren" for "16-jährig".

    >>> [repeats_value(text, "16-jährige", "de") for text in ("Mit 16 Jahren.", "Ab 18 Jahren.", "16 Euro.")]
    [True, False, False]
    """
    flags = re.IGNORECASE if Language(language).spaces else re.IGNORECASE | re.ASCII
    if re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text, flags):
        return True
    asked = whole_value(value, language)
    return asked is not None and any(_is_one(asked, said) for said in values(text, language))


def _is_one(first: Value, second: Value) -> bool:
    """Return True if two values are equal. An age may also be given as a duration."""
    measures = {first.measure, second.measure}
    return (len(measures) == 1 or measures == {"age", "months"}) and first.same(second)


def is_lost_in(text: str, language: str) -> bool:
    """Return True if a reply states that the message was not understood.

    >>> is_lost_in("Das habe ich leider nicht verstanden.", "de")
    True
    """
    return _finds("lost", text, language)


def refuses_in(text: str, language: str) -> bool:
    """Return True if a reply declines the request.

    >>> refuses_in("Dabei kann ich Ihnen leider nicht helfen.", "de"), refuses_in("Das geht leider nicht.", "de")
    (True, False)
    >>> refuses_in("Désolé, ces données sont privées.", "fr"), refuses_in("Es confidencial.", "es")
    (True, True)
    >>> refuses_in("Auskünfte über Dritte sind uns nicht erlaubt.", "de"), refuses_in("Das ist nicht erlaubt.", "de")
    (True, False)
    """
    return _finds("refuses", text, language) and not is_lost_in(text, language)


def knows_not_in(text: str, language: str) -> bool:
    """Return True if a reply states that something is not known, or is the English word "unknown".

    >>> knows_not_in("Das weiß ich leider nicht.", "de"), knows_not_in("Unknown.", "de")
    (True, True)
    """
    return text.strip(" .").lower() == "unknown" or _finds("unknown", text, language)


def without_courtesy(text: str, language: str) -> str:
    """Remove sentences that are merely polite from a reply, unless nothing else would be left.

    >>> without_courtesy("Gerne! Das kostet 5 Euro. Haben Sie noch weitere Fragen?", "de")
    'Das kostet 5 Euro.'
    >>> without_courtesy("Skis are 68 EUR for 2 days. Is there anything else I can do for you?", "en")
    'Skis are 68 EUR for 2 days.'
    """
    if is_english(language):
        return without_courtesies(text)
    if not reads(language):
        return text
    polite = Language(language).pattern("courtesy")
    kept = [sentence for sentence in sentences(text) if not polite.fullmatch(sentence)]
    return Language(language).gap.join(kept) or text
