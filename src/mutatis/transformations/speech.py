"""Adds courtesy, filled pauses or repeated words to a request.

The user still asks for the same information. Based on LAUG's speech characteristics (filled pauses, repeats) and
CheckList's additions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from random import Random

from mutatis.core.languages import ENGLISH, is_english
from mutatis.core.parameters import Share
from mutatis.core.transformation import transformation
from mutatis.languages import Language, needing, word_set
from mutatis.transformations.clear import begun_small, quoted_spans, verbs_of, words_after_spaces
from mutatis.transformations.known import one_of
from mutatis.transformations.pieces import WORD, choose_edits, edited, is_free, segments, words

spoken_edit = partial(transformation, capability="manner of speaking")
"""Decorator that registers an edit that makes a text sound spoken."""

_BEHIND_NUMBER = re.compile(r"(?<=\d)\s+")
"""The gap between a number and its unit ("25 kg"). People do not pause there, and a machine would lose the unit."""
_MARKED_WORD = re.compile(rf"[\u00bf\u00a1]?{WORD.pattern}")
"""A word, including an opening mark before it, as in Spanish."""
_BEFORE_SENTENCE = re.compile(r"\A\Z|(?:[.!?\u2026]\s+|[\u3002\uff01\uff1f\uff0c]\s*)\Z")
"""The end of a text before a sentence: nothing, or a mark. Chinese marks, including the comma, need no space."""
_WORD_BEFORE = re.compile(r"([^\W\d_][\w'\u2019-]*),?\s+\Z")
_NEVER_REPEATED = frozenset({"had", "that", "not", "no", "never", "very", "so", "too"})
"""Function words that would mean something else if they were said twice."""


@spoken_edit("polite-words", says="a greeting or thanks added", languages=needing("speech.greetings", "speech.thanks"))
def polite_words(text: str, rng: Random, written_in: str = "en") -> str:
    """Put a greeting before the text, thanks after it, or both.

    >>> polite_words("Where is my card?", Random(1))
    'Where is my card? Thanks a lot!'
    """
    if not text.strip():
        return text
    folder = Language(written_in)
    greeting = one_of(folder.ways("greetings"), rng)
    added = one_of(("both", "greeting", "thanks"), rng)
    thanks = one_of(folder.ways("thanks"), rng)
    body = text.rstrip()
    if body[-1].isalnum():
        body += "." if folder.spaces else "\u3002"
    if added == "both":
        return greeting + body + thanks
    return greeting + body if added == "greeting" else body + thanks


@spoken_edit("filled-pauses", says="filled pauses added: {words}", languages=needing("speech.pauses"))
def filled_pauses(
    text: str, rng: Random, written_in: str = "en", *, share: Share = 0.1, protected: tuple[str, ...] = ()
) -> str:
    """Put filled pauses ("um", "you know") before some of the words, but never inside names.

    In other languages, they come at the beginning of a sentence, or before a phrase with an article or a preposition.

    >>> filled_pauses("Why was my payment declined at the shop?", Random(1))
    'Why hmm, was my payment declined at the shop?'
    >>> filled_pauses("Wann kommt der Zug?", Random(1), "de"), filled_pauses("Wann kommt der Zug?", Random(2), "de")
    ('Hm... wann kommt der Zug?', 'Wann kommt hm... der Zug?')
    """
    folder = Language(written_in)
    pauses = folder.ways("pauses")

    def paused(word: str, rng: Random) -> str:
        pause = one_of(pauses, rng)
        # A word with a capital begins a sentence, outside English.
        if is_english(written_in) or not folder.spaces or word.islower():
            return f"{pause}{folder.gap}{word}"
        return f"{pause.capitalize()} {begun_small(word, written_in)}"

    return edited(text, choose_edits(_words_after_pauses(text, protected, written_in), rng, share, paused))


@spoken_edit("repeat-words", says="{words} said twice", languages=ENGLISH)
def repeat_words(text: str, rng: Random, *, share: Share = 0.1, protected: tuple[str, ...] = ()) -> str:
    """Repeat some of the function words, as hesitant speakers do.

    >>> repeat_words("Why was my payment declined at the shop?", Random(1))
    'Why why was my payment declined at the shop?'
    """
    repeatable = word_set("function_words") - _NEVER_REPEATED
    matches = [word for word in _words_after_pauses(text, protected) if word.group().lower() in repeatable]
    return edited(
        text, choose_edits(matches, rng, share, lambda word, _: f"{word} {word if word == 'I' else word.lower()}")
    )


def _words_after_pauses(text: str, protected: Sequence[str], language: str = "en") -> list[re.Match[str]]:
    """Return the words that a speaker may pause before. Words in quotations are left out.

    In English, these are all words but names, units after a number, and words joined to the text before. In other
    languages, they are only the words that begin a sentence or a phrase.
    """
    if is_english(language):
        units = {gap.end() for gap in _BEHIND_NUMBER.finditer(text)}
        return [word for word in words_after_spaces(text, protected) if word.start() not in units]
    quoted, spaced = quoted_spans(text), Language(language).spaces
    # In Spanish, a pause comes before the opening mark of a question.
    candidates = words(text, protected, _MARKED_WORD) if spaced else segments(text, language, protected)
    return [
        word
        for word in candidates
        if is_free(*word.span(), quoted)
        and (_BEFORE_SENTENCE.search(text[: word.start()]) or _begins_phrase(text, word, language))
    ]


def _begins_phrase(text: str, word: re.Match[str], language: str) -> bool:
    """Return True if a word begins a phrase ("nach Hamburg") after a verb or another content word."""
    folder, before = Language(language), _WORD_BEFORE.search(text, 0, word.start())
    if not folder.has("speech.patterns.begins_phrase") or before is None or not word.group().islower():
        return False
    # Some verbs, such as auxiliaries, are also listed as function words.
    after_function_word = before[1].lower() in word_set("function_words", language) - verbs_of(language)
    return not after_function_word and folder.pattern("begins_phrase").fullmatch(word.group()) is not None
