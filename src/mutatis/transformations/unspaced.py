"""Changes the spacing, line breaks and punctuation of texts in languages without spaces, using a word segmenter.

The edits in `layout.py` and `characters.py` need spaces and letters.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from random import Random

from mutatis.core.parameters import Share
from mutatis.core.transformation import as_a_whole, in_other_languages
from mutatis.languages import needing
from mutatis.text.sentences import END_MARKS
from mutatis.transformations.known import one_of
from mutatis.transformations.pieces import choose_edits, edited, how_many, picked, segments

_UNSPACED = needing("values.writing")
_LINE = 16
_RADICALS = range(0x2F00, 0x2FD6)
_FULL_STOP = "\u3002"


@in_other_languages("add-spaces", languages=_UNSPACED)
def blanks_between_words(
    text: str, rng: Random, written_in: str, *, share: Share = 0.1, protected: tuple[str, ...] = ()
) -> str:
    """Insert a space before some of the words, as in text segmented by a machine.

    >>> blanks_between_words("成人票多少钱？", Random(1), "zh")
    '成人票 多少钱？'
    """
    inner = [word for word in segments(text, written_in, protected) if text[: word.start()][-1:].isalpha()]
    return edited(text, choose_edits(inner, rng, share, lambda word, _: f" {word}"))


@in_other_languages("break-lines", languages=_UNSPACED)
def lines_between_words(text: str, written_in: str) -> str:
    r"""Break the text into lines of about sixteen characters, between words.

    >>> lines_between_words("我昨天把信用卡丢在你们店里了，应该怎么办？", "zh")
    '我昨天把信用卡丢在你们店里了，\n应该怎么办？'
    """
    breaks, last = [], 0
    for word in segments(text, written_in):
        if word.end() - last > _LINE and word.start() > last:
            breaks.append((word.start(), word.start(), "\n"))
            last = word.start()
    return edited(text, breaks) if "\n" not in text else text


@in_other_languages("final-mark", languages=_UNSPACED)
def final_wide_mark(text: str) -> str:
    """Remove the mark at the end of the text, or add a full stop if there is no mark.

    >>> final_wide_mark("成人票多少钱？"), final_wide_mark("我的卡丢了")
    ('成人票多少钱', '我的卡丢了。')
    """
    bare = text.rstrip()
    if not any(map(str.isalpha, bare)):
        return text
    if bare.endswith(END_MARKS):
        return bare[:-1] if not bare[:-1].endswith(END_MARKS) else text
    return f"{bare}{_FULL_STOP}" if bare[-1].isalnum() else text


@in_other_languages("emphasis-marks", languages=_UNSPACED)
@as_a_whole
def marks_around_a_word(text: str, rng: Random, written_in: str) -> str:
    """Put asterisks around a word of at least two characters, as people do in a chat to stress a word.

    >>> marks_around_a_word("停车场在哪里？", Random(1), "zh")
    '*停车场*在哪里？'
    """
    long = [] if "*" in text else [word for word in segments(text, written_in) if len(word.group()) > 1]
    if not long:
        return text
    word = one_of(long, rng)
    return edited(text, [(*word.span(), f"*{word.group()}*")])


@cache
def _as_radicals() -> dict[str, str]:
    """Return a map from characters to the radicals that look the same, as in texts copied from a PDF."""
    return {unicodedata.normalize("NFKC", chr(code)): chr(code) for code in _RADICALS}


@in_other_languages("homoglyphs", languages=_UNSPACED)
def radicals_for_characters(text: str, rng: Random, *, share: Share = 0.1) -> str:
    r"""Replace some of the characters with the radicals that look the same.

    >>> radicals_for_characters("人口", Random(1), share=1.0) == "\u2f08\u2f1d"
    True
    """
    table = _as_radicals()
    places = [at for at, sign in enumerate(text) if sign in table]
    chosen = picked(rng, places, how_many(share, len(places)))
    return edited(text, [(at, at + 1, table[text[at]]) for at in chosen])
