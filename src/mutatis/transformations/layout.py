"""Changes the look of a text: spaces, line breaks, quotation marks, look-alike letters, capitals, added marks.

The words stay the same to a reader. Based on CheckList (punctuation, links, handles), NL-Augmenter (Dhole et al. 2021:
whitespace, quotes, title case) and Bad Characters (Boucher et al. 2022: invisible letters, homoglyphs).
"""

from __future__ import annotations

import re
import textwrap
from random import Random

from mutatis.core.languages import ALPHABETS, ENGLISH, EVERY, LATIN, SPACED, is_english
from mutatis.core.parameters import Share
from mutatis.core.transformation import as_a_whole, transformation
from mutatis.transformations.known import ended, one_of
from mutatis.transformations.pieces import edited, how_many, letter_positions, picked, words

_LOOKALIKES = str.maketrans("aceopxyiABCEHKMOPTX", "асеорхуіАВСЕНКМОРТХ")
"""Latin letters, mapped to the Cyrillic letters that look the same."""
_INVISIBLE = "\u200b"
_LINKS = ("https://t.co/Xk29fQ7b", "http://example.org/p/4812", "www.example.com/?id=77", "https://bit.ly/3aQzR")
_HANDLES = ("@mira_k27", "@north_lamp", "@tom.berg", "@the_quiet_fern")
_NAMED_HANDLES = ("@mira_k27", "@tom.berg", "@lia_novak", "@k_sander")
"""User handles that contain no words in any language."""
_SMALL = frozenset({"a", "an", "the", "and", "or", "of", "in", "on", "at", "to", "for", "by"})


@transformation("double-spaces", capability="spacing and marks", says="blanks written twice", languages=SPACED)
def double_spaces(text: str) -> str:
    """Double every space between words.

    >>> double_spaces("Where is my card?")
    'Where  is  my  card?'
    """
    return re.sub(r"(?<=\w)([,;:]?) (?=\w)", r"\1  ", text)


@transformation("break-lines", capability="spacing and marks", says="broken into lines", languages=SPACED)
def break_lines(text: str) -> str:
    r"""Break the text into lines of at most 32 characters, between words.

    >>> break_lines("My card was declined at the shop yesterday.")
    'My card was declined at the shop\nyesterday.'
    """
    lines = textwrap.wrap(text, 32, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines) if len(lines) > 1 else text


@transformation(
    "no-break-spaces", capability="spacing and marks", says="blanks written as no-break spaces", languages=SPACED
)
def no_break_spaces(text: str) -> str:
    r"""Replace the spaces between words with no-break spaces, as in text copied from a web page.

    >>> no_break_spaces("Where is it?").split(" ")
    ['Where\xa0is\xa0it?']
    """
    return re.sub(r"(?<=\w)([,;:]?) (?=\w)", "\\1\u00a0", text)


@transformation(
    "curly-quotes",
    capability="spacing and marks",
    says="quotation marks and apostrophes written as typeset",
    languages=EVERY,
)
def curly_quotes(text: str) -> str:
    """Write typographic quotation marks, apostrophes and dashes, as word processors do.

    >>> curly_quotes("I didn't - he did.") == "I didn\u2019t \u2013 he did."
    True
    """
    text = re.sub(r"(?<=\w)'(?=\w)", "\u2019", text)
    text = re.sub(r'"([^"\n]*)"', "\u201c\\1\u201d", text)
    return re.sub(r" --? ", " \u2013 ", text)


@transformation("in-quotes", capability="spacing and marks", says="put between quotation marks", languages=EVERY)
@as_a_whole
def in_quotes(text: str) -> str:
    """Put the whole text in quotation marks, unless it already contains some.

    >>> in_quotes("Where is my card?")
    '"Where is my card?"'
    """
    return f'"{text.strip()}"' if any(map(str.isalpha, text)) and '"' not in text else text


@transformation(
    "final-mark", capability="spacing and marks", says="the mark at the end left out or added", languages=SPACED
)
def final_mark(text: str) -> str:
    """Remove the full stop or question mark at the end of the text, or add a full stop if there is no mark.

    >>> final_mark("Where is my card?"), final_mark("My card is lost")
    ('Where is my card', 'My card is lost.')
    """
    if not any(map(str.isalpha, text)):
        return text
    bare = text.rstrip()
    if bare[-1] in ".?\u061f" and bare[-2:-1] not in {".", "?", "!"}:
        return bare[:-1].rstrip()
    return ended(text)


@transformation("title-case", capability="case", says="written with capitals, as in headlines", languages=ENGLISH)
def title_case(text: str) -> str:
    """Capitalise every word, as in headlines. Small words such as "in" are capitalised only at the beginning.

    >>> title_case("a man is in the park")
    'A Man Is in the Park'
    """
    matches = [m for m in words(text) if m.group().islower() and (m.start() == 0 or m.group() not in _SMALL)]
    return edited(text, [(m.start(), m.start() + 1, m.group()[0].upper()) for m in matches])


@transformation(
    "homoglyphs", capability="typing noise", says="{letters} replaced by ones that look the same", languages=LATIN
)
def homoglyphs(text: str, rng: Random, *, share: Share = 0.1) -> str:
    """Replace some of the letters with Cyrillic ones that look the same.

    >>> homoglyphs("pace", Random(1), share=1.0) == "pace", homoglyphs("pace", Random(1), share=1.0)
    (False, 'расе')
    """
    places = [i for i in letter_positions(text) if ord(text[i]) in _LOOKALIKES]
    chosen = picked(rng, places, how_many(share, len(places)))
    return edited(text, [(i, i + 1, text[i].translate(_LOOKALIKES)) for i in chosen])


@transformation(
    "invisible-characters",
    capability="typing noise",
    says="{letters} that cannot be seen added",
    languages=(*ALPHABETS, "zh"),
)
def invisible_characters(text: str, rng: Random, *, share: Share = 0.1) -> str:
    r"""Insert a zero-width character after some of the letters.

    >>> invisible_characters("pace", Random(1), share=1.0).replace("\u200b", "|")
    'p|a|c|e|'
    """
    places = letter_positions(text)
    chosen = picked(rng, places, how_many(share, len(places)))
    return edited(text, [(i + 1, i + 1, _INVISIBLE) for i in chosen])


@transformation("emphasis-marks", capability="spacing and marks", says="a word put between asterisks", languages=SPACED)
@as_a_whole
def emphasis_marks(text: str, rng: Random) -> str:
    """Put asterisks around one of the longer words, as people do in a chat to stress a word.

    >>> emphasis_marks("Where is my card?", Random(1))
    '*Where* is my card?'
    """
    matches = [] if "*" in text else [m for m in words(text) if len(m.group()) >= 4]
    if not matches:
        return text
    word = one_of(matches, rng)
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
