"""Adds the slips of a hurried speaker or typist, or the errors of speech recognition, to a request.

Examples are false starts, words that sound alike, missing punctuation and repetition. The request stays the same.
Based on LAUG's speech characteristics (disfluency and speech recognition).
"""

from __future__ import annotations

import re
from random import Random

from mutatis.core.languages import SPACED
from mutatis.core.parameters import Share
from mutatis.core.transformation import transformation
from mutatis.languages import Language, needing, word_pairs
from mutatis.text.normalisation import like
from mutatis.text.sentences import END_MARKS
from mutatis.transformations.characters import typing_noise
from mutatis.transformations.clear import is_name, listed_clear_words
from mutatis.transformations.known import one_of
from mutatis.transformations.pieces import choose_edits, edited, segments, words


@transformation(
    "false-start",
    capability="manner of speaking",
    says="the beginning repeated",
    languages=needing("function_words", "speech.restart"),
)
def false_start(text: str, rng: Random, written_in: str = "en") -> str:
    """Begin, break off and begin again, as people do when they speak or send a message too soon.

    >>> false_start("Why was my payment declined?", Random(1))
    'Why was - why was my payment declined?'
    >>> print(false_start("Wann hat das Museum geöffnet?", Random(4), "de"))
    Wann hat
    Sorry, zu früh abgeschickt. Wann hat das Museum geöffnet?
    """
    restarts = Language(written_in).ways("restart")
    if not Language(written_in).spaces:
        return _begun_twice(text, rng, written_in, restarts[0])
    matches, length = words(text), one_of((2, 3), rng)
    if len(matches) < length + 2:
        return text
    start, end = matches[0].start(), matches[length - 1].end()
    begun = text[start:end]
    if not _ONLY_WORDS.fullmatch(begun) or text[end : end + 1] != " ":
        return text
    restart = one_of(restarts, rng)
    if restart.rstrip().endswith(END_MARKS):  # the message was sent too early, and is sent again as a whole
        return f"{text[:end]}{restart}{text}"
    keeps_capital = is_name(text, *matches[0].span()) or begun.startswith(("I ", "I'", "I\u2019"))
    return f"{text[:end]}{restart}{begun if keeps_capital else begun[0].lower() + begun[1:]}{text[end:]}"


def _begun_twice(text: str, rng: Random, language: str, restart: str) -> str:
    """Return a text that breaks off after one or two words and begins again, for languages without spaces.

    A text that begins with a mark is left unchanged, and so is one whose repeated beginning would be one character.
    """
    matches, length = segments(text, language), one_of((1, 2), rng)
    if len(matches) < length + 3 or matches[0].start() > 0:
        return text
    begun = text[: matches[length - 1].end()]
    return f"{begun}{restart}{text}" if len(begun) > 1 and begun.isalpha() else text


@typing_noise("homophones", says="{words} replaced by words that sound alike", languages=needing("homophones"))
def homophones(
    text: str, rng: Random, written_in: str = "en", *, share: Share = 0.5, protected: tuple[str, ...] = ()
) -> str:
    """Replace some of the words with words that sound alike, as speech recognition does.

    >>> homophones("Where is your new shop, and is it near here?", Random(1), share=1.0)
    "Wear is you're knew shop, and is it near hear?"
    >>> homophones("Booking no. 2026?", Random(1), share=1.0)
    'Booking no. 2026?'
    >>> homophones("Seit wann war das so?", Random(1), "de", share=1.0)
    'Seid wann wahr dass so?'
    """
    table = word_pairs("homophones", written_in)
    matches = listed_clear_words(text, protected, table, written_in)
    heard = [word for word in matches if not _NUMBER_SIGN.match(text, word.start())]
    return edited(text, choose_edits(heard, rng, share, lambda word, _: like(word, table[word.lower()])))


_NUMBER_SIGN = re.compile(r"nos?\b\.? ?\d", re.IGNORECASE)
"""The abbreviation "no." for "number" ("booking no. 2026"), which is never heard as "know"."""
_ONLY_WORDS = re.compile(r"[\w'\u2019]+(?:\s[\w'\u2019]+)*")
_AROUND = re.compile(r"(?:(?<=\s)|\A)[\"\u201c(\u00bf\u00a1]+|[\"\u201d)]+(?=[\s,;:.!?]|\Z)")
"""Opening marks before a word, and closing quotation marks and brackets after one."""
_MARKS = re.compile(r"(?<=[^\W_])[,;:.!?\u060c\u061b\u061f]+(?=[\s\"\u201d)]|\Z)")
"""Marks after a word, in Latin or Arabic script. Marks inside words and numbers have a letter or digit after them."""
_WIDE_INSIDE = re.compile("[\uff0c\u3002\uff01\uff1f\uff1b,;!?]+(?=.)", re.DOTALL)
"""Marks before the end of a text without spaces, in full width (, 。 ! ? ;) or as on other keyboards."""
_WIDE_AT_END = re.compile("[\u3002\uff01\uff1f\uff1b!?.]+\\s*\\Z")


@typing_noise("drop-punctuation", says="punctuation left out", languages=needing("values.writing", also=SPACED))
def drop_punctuation(text: str, written_in: str = "en") -> str:
    """Remove commas, full stops, question marks, quotation marks and brackets, except inside words.

    In a language without spaces, only the final mark is removed. Marks inside the text become spaces, except between
    two digits, and quotation marks and brackets are kept.

    >>> drop_punctuation("Hi, is it 3.50? (It's at www.shop.example.)")
    "Hi is it 3.50 It's at www.shop.example"
    >>> drop_punctuation("您好，门票多少钱？", "zh")
    '您好 门票多少钱'
    """
    if Language(written_in).spaces:
        # A closing bracket may hide a mark behind it: "example.)."
        return _MARKS.sub("", _AROUND.sub("", _MARKS.sub("", text)))
    bare = _WIDE_AT_END.sub("", text)
    return _WIDE_INSIDE.sub(lambda mark: mark.group() if _in_number(bare, mark) else " ", bare)


def _in_number(text: str, mark: re.Match[str]) -> bool:
    """Return True if a mark stands between two digits."""
    return text[mark.start() - 1 : mark.start()].isdigit() and text[mark.end() : mark.end() + 1].isdigit()
