"""Finds words of a text that may be replaced: never names, titles, quotations or parts of fixed terms.

It uses letter case and neighbouring words instead of a part-of-speech tagger. A simple tagger such as TextBlob's gives
a word the same class everywhere, so it cannot separate senses ("top" in "tank top").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from functools import cache

from mutatis.core.languages import is_english
from mutatis.languages import Language, listed, word_set
from mutatis.transformations.pieces import is_free, segments, words

_QUOTED = re.compile(r"\"[^\"\n]{1,200}\"|\u201c[^\u201d\n]{1,200}\u201d|``.{1,200}?''|(?<!\w)'[^'\n]{1,80}'(?!\w)")
_QUOTE_MARK = re.compile(r"[\"'\u201c]|``")
_WIDEST = 24
"""Maximum distance in characters between a word of a fixed term and either end of the term."""
_NEAR = 12
"""Number of characters before a word that are examined for the start of a sentence."""
_SENTENCE_START = re.compile(r"(?:\A|[.!?:;\n\"\u201c(\[-]|``)[\s\"\u201c(\[]*\Z")
"""The end of a text right before a sentence: a mark, a dash or an opening quotation mark or bracket, and spaces."""
_WORD_AFTER = re.compile(r"[ \t]+([\w'\u2019-]*)")
_FIRST_WORD = re.compile(r"(?P<marks>[\s\u00bf\u00a1]*)(?P<word>[^\W\d_]+)")
"""The first word of a text, after the opening marks of Spanish."""


@cache
def _fixed_terms(language: str) -> re.Pattern[str]:
    """Return a pattern for the fixed terms listed for a language, or one that matches nothing."""
    known = listed("compounds", language) if Language(language).has("compounds") else ()
    terms = "|".join(re.escape(term).replace(r"\ ", r"\s+") for term in known) or "(?!)"
    return re.compile(rf"(?<!\w)(?:{terms})s?(?!\w)", re.IGNORECASE)


def quoted_spans(text: str) -> list[tuple[int, int]]:
    """Return the spans of quotations in a text. Quotations may be titles, so they are not edited.

    >>> quoted_spans('He saw "Big Fish" there.')
    [(7, 17)]
    """
    return [m.span() for m in _QUOTED.finditer(text)] if _QUOTE_MARK.search(text) else []


def in_fixed_term(text: str, start: int, end: int, language: str = "en") -> bool:
    """Return True if a word is part of a fixed term such as "at least" or "best man".

    >>> in_fixed_term("at least the best film", 3, 8), in_fixed_term("at least the best film", 13, 17)
    (True, False)
    """
    low = max(0, start - _WIDEST)
    return any(m.start() < end and m.end() > start for m in _fixed_terms(language).finditer(text, low, end + _WIDEST))


def words_beside(text: str, start: int, end: int) -> tuple[str, str]:
    """Return the words before and after a span as written. A word is "" if anything but spaces is in between.

    >>> words_beside("the old man, who", 4, 7), words_beside("the old man, who", 8, 11)
    (('the', 'man'), ('old', ''))
    """
    # Before the span, a pattern would be searched from the beginning of the text, which is slow.
    word_end = start
    while word_end and text[word_end - 1] in " \t":
        word_end -= 1
    word_start = word_end
    while word_start and (text[word_start - 1].isalnum() or text[word_start - 1] in "_'\u2019-"):
        word_start -= 1
    before = text[word_start:word_end] if word_end < start else ""
    after = _WORD_AFTER.match(text, end)
    return before, after[1] if after else ""


def words_after_spaces(text: str, protected: Sequence[str] = ()) -> list[re.Match[str]]:
    """Return the words that others may be inserted before: not names, nor in quotations, nor joined to what precedes.

    >>> [m.group() for m in words_after_spaces('He met Ann Lee in "The Inn" at half-past nine.')]
    ['He', 'at', 'half', 'nine']
    """
    quoted = quoted_spans(text)
    return [
        word
        for word in words(text, protected)
        if (word.start() == 0 or text[word.start() - 1].isspace())
        and is_free(*word.span(), quoted)
        and not is_name(text, *word.span())
    ]


def starts_sentence(text: str, start: int) -> bool:
    """Return True if a word at this position may be capitalised only because it begins a sentence.

    >>> [starts_sentence("Old men. Old New York", i) for i in (0, 9, 13)]
    [True, True, False]
    """
    return _SENTENCE_START.search(text[max(0, start - _NEAR) : start]) is not None


def follows_name(text: str, start: int) -> bool:
    """Return True if the word before a position has a capital that no beginning of a sentence requires.

    In a text in capitals, no word does.

    >>> [follows_name(text, text.find("M")) for text in ("On Easter Monday", "On Monday", "OPEN ON MONDAY")]
    [True, False, False]
    """
    before, _ = words_beside(text, start, start)
    return before[:1].isupper() and not (text.isupper() or starts_sentence(text, start - len(before) - 1))


def is_name(text: str, start: int, end: int) -> bool:
    r"""Return True if a word may be a name: the word itself, or one next to it, is capitalised inside a sentence.

    >>> text = "Old friends saw the big Queens Canyon"
    >>> [is_name(text, m.start(), m.end()) for m in re.finditer(r"\w+", text)]
    [False, False, False, False, True, True, True]
    """
    before, after = words_beside(text, start, end)
    word = text[start:end]
    if word[:1].isupper() and ((len(word) > 1 and word.isupper()) or not starts_sentence(text, start)):
        return True
    if after[:1].isupper() and after != "I":
        return True
    return before[:1].isupper() and before not in {"I", "A"} and not starts_sentence(text, start - len(before) - 1)


def clear_words(
    text: str,
    protected: Sequence[str] = (),
    known: Callable[[re.Match[str]], bool] = lambda word: True,
    language: str = "en",
) -> list[re.Match[str]]:
    """Return the words accepted by `known` that may be replaced, in order.

    Words in quotations, in fixed terms ("at least") and with a hyphen are left out. In English, so are words that may
    be names, and their neighbours ("in", "read"), unless all words are in capitals, where names look like other words.

    >>> [m.group() for m in clear_words("A big man in New York read 'The Big Sleep' at least twice, well-read man.")]
    ['A', 'big', 'man', 'twice', 'man']
    >>> [m.group() for m in clear_words('Er sah "Der Bus" im Bus.', (), lambda word: word.group() == "Bus", "de")]
    ['Bus']
    """
    known_words = [word for word in segments(text, language, protected) if known(word)]
    if not known_words:
        return []
    quoted = quoted_spans(text)
    checks_names = is_english(language) and not text.isupper()
    return [
        word
        for word in known_words
        if not _is_hyphenated(text, word)
        and is_free(*word.span(), quoted)
        and not (checks_names and is_name(text, *word.span()))
        and not in_fixed_term(text, *word.span(), language)
    ]


def _is_hyphenated(text: str, word: re.Match[str]) -> bool:
    """Return True if a word is part of a compound with a hyphen: "well-read", "est-il"."""
    return "-" in (text[word.start() - 1 : word.start()], text[word.end() : word.end() + 1])


def listed_clear_words(
    text: str, protected: Sequence[str], table: Container[str], language: str = "en"
) -> list[re.Match[str]]:
    """Return the words that may be replaced and whose lower-case form is in a table, in order; see `clear_words`."""
    return clear_words(text, protected, lambda word: word.group().lower() in table, language)


def begun_small(text: str, language: str) -> str:
    """Return a text with a lower-case first letter if its first word is a function word or a verb, and so no name.

    >>> begun_small("Wann kommt er?", "de"), begun_small("¿Cuánto cuesta?", "es"), begun_small("Hunde?", "de")
    ('wann kommt er?', '¿cuánto cuesta?', 'Hunde?')
    """
    first = _FIRST_WORD.match(text)
    if first is None or first["word"].lower() not in _never_names(language):
        return text
    return first["marks"] + text[first.start("word")].lower() + text[first.start("word") + 1 :]


@cache
def _never_names(language: str) -> frozenset[str]:
    return word_set("function_words", language) | verbs_of(language)


def verbs_of(language: str) -> frozenset[str]:
    """Return the finite verbs listed for a language, or an empty set if there is no such list."""
    return word_set("verbs", language) if Language(language).has("verbs") else frozenset()
