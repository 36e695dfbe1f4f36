"""Adds irrelevant text to a message: a signature, a quotation, emoji, empty lines, a long preamble or postscript.

Messages get some of it from an email program or a phone, and some from people who take a while to get to the point. The
texts are the package's own. They are about the act of asking, and contain no number, day, place or wish.
"""

from __future__ import annotations

import re
from random import Random

from mutatis.core.languages import ENGLISH, EVERY, is_english
from mutatis.core.transformation import transformation
from mutatis.languages import Language, listed, needing
from mutatis.text.segments import segmented_words
from mutatis.text.sentences import split_sentences
from mutatis.transformations.known import one_of
from mutatis.transformations.several import REPLIES

_SIGNATURES = (
    "Kind regards,\nA. Holm",
    "Best,\nJ. Reyes\n\nSent from my phone",
    "--\nM. Okafor",
    "Sent from my mobile device, please excuse typos",
    "Many thanks\nT. Lindgren\n\nThis e-mail and its attachments may be confidential.",
)
_QUOTED = (
    "> Thank you for your message. We will answer as soon as we can.\n\n",
    "> Hello,\n> how can we help you today?\n\n",
    "On Monday, the service team wrote:\n> Is there anything that we can do for you?\n\n",
    "-----Original message-----\nFrom: Service team\n> We are happy to hear from you.\n\n",
)
_EMOJI = ("\U0001f642", "\U0001f64f", "\U0001f44b", "\U0001f60a", "\U0001f914")
"""A smile, folded hands, a waving hand, a warm smile, a thinking face: they set a tone but state nothing."""
_AFTER_FIRST_COMMA = re.compile(r"(?<=[^\W\d],)\s+")
_FEWEST_WORDS = 4
"""Minimum number of words in a request. Shorter messages may be reactions, which would not fit a long preamble."""


def _has_words(text: str) -> bool:
    return any(map(str.isalpha, text))


@transformation("add-signature", capability="added text", says="a signature of mail below it", languages=ENGLISH)
def add_signature(text: str, rng: Random) -> str:
    r"""Append the closing lines of an email, as happens when a message is pasted.

    >>> add_signature("Where is my card?", Random(4))
    'Where is my card?\n\nBest,\nJ. Reyes\n\nSent from my phone'
    """
    return f"{text.rstrip()}\n\n{one_of(_SIGNATURES, rng)}" if _has_words(text) else text


@transformation("add-quotation", capability="added text", says="a quoted mail above it", languages=ENGLISH)
def add_quotation(text: str, rng: Random) -> str:
    r"""Put an earlier message from the service above the text, quoted as mail programs do.

    The quoted message contains no information.

    >>> add_quotation("Where is my card?", Random(1))
    '> Thank you for your message. We will answer as soon as we can.\n\nWhere is my card?'
    """
    return one_of(_QUOTED, rng) + text.lstrip() if _has_words(text) else text


@transformation("append-emoji", capability="added text", says="emoji behind it", languages=EVERY)
def append_emoji(text: str, rng: Random) -> str:
    """Append one to three emoji that carry no information.

    >>> append_emoji("Where is my card?", Random(1)) == "Where is my card? 🙂🙂🙂"
    True
    """
    emoji, times = one_of(_EMOJI, rng), one_of((1, 2, 3), rng)
    return f"{text.rstrip()} {emoji * times}" if _has_words(text) else text


@transformation("empty-lines", capability="spacing and marks", says="empty lines between its parts", languages=ENGLISH)
def empty_lines(text: str, rng: Random) -> str:
    r"""Put empty lines between the sentences or after the first comma, as if the user had pressed Return twice.

    >>> empty_lines("I lost my card. Where can I get a new one?", Random(1))
    'I lost my card.\n\nWhere can I get a new one?'
    >>> empty_lines("Hi, where is my card?", Random(2))
    'Hi,\n\n\n\nwhere is my card?'
    """
    gap = one_of(("\n\n", "\n\n\n\n"), rng)
    parts = [piece.text.strip() for piece in split_sentences(text) if piece.text.strip()]
    if len(parts) < 2:
        parts = _AFTER_FIRST_COMMA.split(text.strip(), maxsplit=1)
    return gap.join(parts) if len(parts) > 1 and _has_words(text) else text


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


def _is_request(text: str, language: str = "en") -> bool:
    """Return True if a message is more than a short reaction to an earlier one."""
    reactions = REPLIES if is_english(language) else Language(language).pattern("goes_on")
    words = text.split() if Language(language).spaces else segmented_words(text, language)
    return len(words) >= _FEWEST_WORDS and not reactions.match(text)
