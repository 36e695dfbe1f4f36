"""Adds a long preamble or postscript to a message, as people do who take a while to get to the point.

The texts are the package's own (`preambles.txt`, `postscripts.txt`). They are about the act of asking, and contain no
number, day, place or wish.
"""

from __future__ import annotations

from random import Random

from mutatis.core.languages import ENGLISH, is_english
from mutatis.core.transformation import transformation
from mutatis.languages import Language, listed, needing
from mutatis.text.segments import segmented_words
from mutatis.transformations.known import one_of
from mutatis.transformations.several import REPLIES

_FEWEST_WORDS = 4


def _is_request(text: str, language: str = "en") -> bool:
    """Return True if a message is more than a short reaction to an earlier one."""
    reacts = REPLIES if is_english(language) else Language(language).pattern("goes_on")
    words = text.split() if Language(language).spaces else segmented_words(text, language)
    return len(words) >= _FEWEST_WORDS and not reacts.match(text)


@transformation(
    "long-preamble", capability="added text", says="a long preamble before it", languages=needing("preambles", "speech")
)
def long_preamble(text: str, rng: Random, written_in: str = "en") -> str:
    """Put a long, irrelevant text before the request, such as how hard it was to find the chat.

    >>> said = long_preamble("Where is my card?", Random(1))
    >>> len(said.split()) > 50, said[-72:]
    (True, 'gave up searching and decided to write to you instead. Where is my card?')
    >>> long_preamble("Yes, please.", Random(1))
    'Yes, please.'
    """
    gap = Language(written_in).gap
    before = one_of(listed("preambles", written_in), rng)
    return f"{before}{gap}{text.lstrip()}" if _is_request(text, written_in) else text


@transformation("long-postscript", capability="added text", says="a long postscript after it", languages=ENGLISH)
def long_postscript(text: str, rng: Random) -> str:
    """Add irrelevant remarks after the request: thanks, excuses, the reason for asking.

    >>> long_postscript("Where is my card?", Random(1))[:60]
    'Where is my card? Sorry for the long message, by the way. I '
    """
    if not _is_request(text):
        return text
    end = "" if text.rstrip().endswith((".", "?", "!")) else "."
    return f"{text.rstrip()}{end} {one_of(listed('postscripts'), rng)}"
