"""Changes the look of a text: spaces, line breaks, quotation marks, look-alike letters, capitals, added marks.

The words stay the same to a reader. In languages without spaces, a word segmenter finds the words.

Based on CheckList (punctuation, links, handles), NL-Augmenter (Dhole et al. 2021: whitespace, quotes, title case) and
Bad Characters (Boucher et al. 2022: invisible letters, homoglyphs).
"""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Mapping
from functools import cache, partial
from random import Random

from mutatis.core.languages import ALPHABETS, ENGLISH, EVERY, LATIN, SPACED, is_english
from mutatis.core.parameters import Share
from mutatis.core.transformation import as_a_whole, transformation
from mutatis.languages import Language, needing
from mutatis.text.sentences import END_MARKS
from mutatis.transformations.characters import typing_noise
from mutatis.transformations.known import ended, one_of
from mutatis.transformations.pieces import edited, how_many, letter_positions, picked, segments, words

spacing_edit = partial(transformation, capability="spacing and marks")
"""Decorator that registers an edit of spaces and marks."""

_WITH_WORDS = needing("values.writing", also=SPACED)
"""Languages whose words can be found: languages with spaces, and others that have a segmenter."""

_CYRILLIC: Mapping[str, str] = dict(zip("aceopxyiABCEHKMOPTX", "асеорхуіАВСЕНКМОРТХ", strict=True))
"""Latin letters, mapped to the Cyrillic letters that look the same."""
_RADICALS = range(0x2F00, 0x2FD6)
"""Code points of the Kangxi radicals, which look like Chinese characters."""
_LINE, _UNSPACED_LINE = 32, 16
"""Approximate number of characters in a line, with spaces between words and without."""
_INVISIBLE = "\u200b"
_LINKS = ("https://t.co/Xk29fQ7b", "http://example.org/p/4812", "www.example.com/?id=77", "https://bit.ly/3aQzR")
_HANDLES = ("@mira_k27", "@north_lamp", "@tom.berg", "@the_quiet_fern")
_NAMED_HANDLES = ("@mira_k27", "@tom.berg", "@lia_novak", "@k_sander")
"""User handles that contain no words in any language."""
_SMALL = frozenset({"a", "an", "the", "and", "or", "of", "in", "on", "at", "to", "for", "by"})


@spacing_edit("double-spaces", says="blanks written twice", languages=SPACED)
def double_spaces(text: str) -> str:
    """Double every space between words.

    >>> double_spaces("Where is my card?")
    'Where  is  my  card?'
    """
    return re.sub(r"(?<=\w)([,;:]?) (?=\w)", r"\1  ", text)


@spacing_edit("break-lines", says="broken into lines", languages=_WITH_WORDS)
def break_lines(text: str, written_in: str = "en") -> str:
    r"""Break the text into lines of at most 32 characters, between words.

    In a language without spaces, a line has at most 16 characters. Such a text is left unchanged if it already has
    several lines.

    >>> break_lines("My card was declined at the shop yesterday.")
    'My card was declined at the shop\nyesterday.'
    >>> break_lines("我昨天把信用卡丢在你们店里了，应该怎么办？", "zh")
    '我昨天把信用卡丢在你们店里了，\n应该怎么办？'
    """
    if Language(written_in).spaces:
        lines = textwrap.wrap(text, _LINE, break_long_words=False, break_on_hyphens=False)
        return "\n".join(lines) if len(lines) > 1 else text
    if "\n" in text:
        return text
    breaks, line_start = [], 0
    for word in segments(text, written_in):
        if word.end() - line_start > _UNSPACED_LINE and word.start() > line_start:
            line_start = word.start()
            breaks.append((line_start, line_start, "\n"))
    return edited(text, breaks)


@spacing_edit("no-break-spaces", says="blanks written as no-break spaces", languages=SPACED)
def no_break_spaces(text: str) -> str:
    r"""Replace the spaces between words with no-break spaces, as in text copied from a web page.

    >>> no_break_spaces("Where is it?").split(" ")
    ['Where\xa0is\xa0it?']
    """
    return re.sub(r"(?<=\w)([,;:]?) (?=\w)", "\\1\u00a0", text)


@spacing_edit("curly-quotes", says="quotation marks and apostrophes written as typeset", languages=EVERY)
def curly_quotes(text: str) -> str:
    """Write typographic quotation marks, apostrophes and dashes, as word processors do.

    >>> curly_quotes("I didn't - he did.") == "I didn\u2019t \u2013 he did."
    True
    """
    text = re.sub(r"(?<=\w)'(?=\w)", "\u2019", text)
    text = re.sub(r'"([^"\n]*)"', "\u201c\\1\u201d", text)
    return re.sub(r" --? ", " \u2013 ", text)


@spacing_edit("in-quotes", says="put between quotation marks", languages=EVERY)
@as_a_whole
def in_quotes(text: str) -> str:
    """Put the whole text in quotation marks, unless it already contains some.

    >>> in_quotes("Where is my card?")
    '"Where is my card?"'
    """
    return f'"{text.strip()}"' if any(map(str.isalpha, text)) and '"' not in text else text


@spacing_edit("final-mark", says="the mark at the end left out or added", languages=_WITH_WORDS)
def final_mark(text: str, written_in: str = "en") -> str:
    """Remove the full stop or question mark at the end of the text, or add a full stop if there is no mark.

    In a language without spaces, an exclamation mark is removed, too. Several marks ("?!", "...") are left unchanged.

    >>> final_mark("Where is my card?"), final_mark("My card is lost")
    ('Where is my card', 'My card is lost.')
    >>> final_mark("成人票多少钱？", "zh"), final_mark("我的卡丢了", "zh")
    ('成人票多少钱', '我的卡丢了。')
    """
    if not any(map(str.isalpha, text)):
        return text
    bare = text.rstrip()
    if Language(written_in).spaces:
        single_mark = bare[-1] in ".?\u061f" and not bare[:-1].endswith((".", "?", "!"))
        return bare[:-1].rstrip() if single_mark else ended(text)  # which leaves "?!" as it is
    if bare.endswith(END_MARKS):
        return text if bare[:-1].endswith(END_MARKS) else bare[:-1]
    return f"{bare}\u3002" if bare[-1].isalnum() else text


@transformation("title-case", capability="case", says="written with capitals, as in headlines", languages=ENGLISH)
def title_case(text: str) -> str:
    """Capitalise every word, as in headlines. Small words such as "in" are capitalised only at the beginning.

    >>> title_case("a man is in the park")
    'A Man Is in the Park'
    """
    matches = [m for m in words(text) if m.group().islower() and (m.start() == 0 or m.group() not in _SMALL)]
    return edited(text, [(m.start(), m.start() + 1, m.group()[0].upper()) for m in matches])


@typing_noise(
    "homoglyphs", says="{letters} replaced by ones that look the same", languages=needing("values.writing", also=LATIN)
)
def homoglyphs(text: str, rng: Random, written_in: str = "en", *, share: Share = 0.1) -> str:
    r"""Replace some of the letters with Cyrillic ones that look the same.

    In a language without spaces, characters are replaced with the radicals that look the same.

    >>> homoglyphs("pace", Random(1), share=1.0) == "pace", homoglyphs("pace", Random(1), share=1.0)
    (False, 'расе')
    >>> homoglyphs("人口", Random(1), "zh", share=1.0) == "\u2f08\u2f1d"
    True
    """
    letters, look_alikes = (
        (letter_positions(text), _CYRILLIC) if Language(written_in).spaces else (range(len(text)), _radicals())
    )
    places = [place for place in letters if text[place] in look_alikes]
    chosen = picked(rng, places, how_many(share, len(places)))
    return edited(text, [(place, place + 1, look_alikes[text[place]]) for place in chosen])


@cache
def _radicals() -> Mapping[str, str]:
    """Return a map from characters to the radicals that look the same, as in texts copied from a PDF."""
    return {unicodedata.normalize("NFKC", chr(code)): chr(code) for code in _RADICALS}


@typing_noise("invisible-characters", says="{letters} that cannot be seen added", languages=(*ALPHABETS, "zh"))
def invisible_characters(text: str, rng: Random, *, share: Share = 0.1) -> str:
    r"""Insert a zero-width character after some of the letters.

    >>> invisible_characters("pace", Random(1), share=1.0).replace("\u200b", "|")
    'p|a|c|e|'
    """
    places = letter_positions(text)
    chosen = picked(rng, places, how_many(share, len(places)))
    return edited(text, [(i + 1, i + 1, _INVISIBLE) for i in chosen])


@spacing_edit("emphasis-marks", says="a word put between asterisks", languages=_WITH_WORDS)
@as_a_whole
def emphasis_marks(text: str, rng: Random, written_in: str = "en") -> str:
    """Put asterisks around one of the longer words, as people do in a chat to stress a word.

    These are words of four letters or more, or of two characters or more in a language without spaces.

    >>> emphasis_marks("Where is my card?", Random(1)), emphasis_marks("停车场在哪里？", Random(1), "zh")
    ('*Where* is my card?', '*停车场*在哪里？')
    """
    candidates, fewest = (words(text), 4) if Language(written_in).spaces else (segments(text, written_in), 2)
    long_words = [word for word in candidates if len(word.group()) >= fewest]
    if "*" in text or not long_words:
        return text
    word = one_of(long_words, rng)
    return edited(text, [(*word.span(), f"*{word.group()}*")])


@transformation("add-link", capability="added text", says="an address on the web appended", languages=EVERY)
def add_link(text: str, rng: Random) -> str:
    """Append a meaningless web address (CheckList: URLs).

    >>> add_link("My card is lost.", Random(1))
    'My card is lost. https://t.co/Xk29fQ7b'
    """
    return f"{text.rstrip()} {one_of(_LINKS, rng)}" if text.strip() else text


@transformation("add-handle", capability="added text", says="a handle put before it", languages=EVERY)
def add_handle(text: str, rng: Random, written_in: str = "en") -> str:
    """Put a user's handle before the text (CheckList: handles).

    >>> add_handle("My card is lost.", Random(1))
    '@mira_k27 My card is lost.'
    """
    handles = _HANDLES if is_english(written_in) else _NAMED_HANDLES
    return f"{one_of(handles, rng)} {text.lstrip()}" if text.strip() else text
