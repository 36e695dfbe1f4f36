"""Adds a long preamble to a message, as people do who take a while to get to the point.

The texts are the package's own. They are about the act of asking, and contain no number, day, place or wish.
"""

from __future__ import annotations

from random import Random

from mutatis.core.languages import is_english
from mutatis.core.transformation import transformation
from mutatis.languages import Language, listed, needing
from mutatis.text.segments import segmented_words
from mutatis.transformations.known import one_of
from mutatis.transformations.several import REPLIES

_FEWEST_WORDS = 4
"""Minimum number of words in a request. Shorter messages may be reactions, which would not fit a long preamble."""


@transformation(
    "long-preamble", capability="added text", says="a long preamble before it", languages=needing("preambles", "speech")
)
def long_preamble(text: str, rng: Random, written_in: str = "en") -> str:
    """Put a long, irrelevant text before the request, such as how hard it was to find the chat.

    >>> longer = long_preamble("Where is my card?", Random(1))
    >>> len(longer.split()) > 50, longer[-72:]
    (True, 'gave up searching and decided to write to you instead. Where is my card?')
    >>> long_preamble("Yes, please.", Random(1))
    'Yes, please.'
    """
    if not _is_request(text, written_in):
        return text
    return f"{one_of(listed('preambles', written_in), rng)}{Language(written_in).gap}{text.lstrip()}"


def _is_request(text: str, language: str = "en") -> bool:
    """Return True if a message is more than a short reaction to an earlier one."""
    reactions = REPLIES if is_english(language) else Language(language).pattern("goes_on")
    words = text.split() if Language(language).spaces else segmented_words(text, language)
    return len(words) >= _FEWEST_WORDS and not reactions.match(text)
