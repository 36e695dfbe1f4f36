"""Adds to a message the traces of an email program or a phone: a signature, a quotation, emoji, empty lines.

These additions have no bearing on the request.
"""

from __future__ import annotations

import re
from random import Random

from mutatis.core.languages import ENGLISH, EVERY
from mutatis.core.transformation import transformation
from mutatis.text.sentences import split_sentences
from mutatis.transformations.known import one_of

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


@transformation("add-signature", capability="added text", says="a signature of mail below it", languages=ENGLISH)
def add_signature(text: str, rng: Random) -> str:
    r"""Append the closing lines of an email, as happens when a message is pasted.

    >>> add_signature("Where is my card?", Random(4))
    'Where is my card?\n\nBest,\nJ. Reyes\n\nSent from my phone'
    """
    return f"{text.rstrip()}\n\n{one_of(_SIGNATURES, rng)}" if any(map(str.isalpha, text)) else text


@transformation("add-quotation", capability="added text", says="a quoted mail above it", languages=ENGLISH)
def add_quotation(text: str, rng: Random) -> str:
    r"""Put an earlier message from the service above the text, quoted as mail programs do.

    The quoted message contains no information.

    >>> add_quotation("Where is my card?", Random(1))
    '> Thank you for your message. We will answer as soon as we can.\n\nWhere is my card?'
    """
    return one_of(_QUOTED, rng) + text.lstrip() if any(map(str.isalpha, text)) else text


@transformation("append-emoji", capability="added text", says="emoji behind it", languages=EVERY)
def append_emoji(text: str, rng: Random) -> str:
    """Append one to three emoji that carry no information.

    >>> append_emoji("Where is my card?", Random(1)) == "Where is my card? 🙂🙂🙂"
    True
    """
    emoji, times = one_of(_EMOJI, rng), 1 + int(rng.random() * 3)
    return f"{text.rstrip()} {emoji * times}" if any(map(str.isalpha, text)) else text


@transformation("empty-lines", capability="spacing and marks", says="empty lines between its parts", languages=ENGLISH)
def empty_lines(text: str, rng: Random) -> str:
    r"""Put empty lines between the sentences or after the first comma, as if the user had pressed Return twice.

    >>> empty_lines("I lost my card. Where can I get a new one?", Random(1))
    'I lost my card.\n\nWhere can I get a new one?'
    >>> empty_lines("Hi, where is my card?", Random(2))
    'Hi,\n\n\n\nwhere is my card?'
    """
    break_ = "\n" * (2 * (1 + int(rng.random() * 2)))
    parts = [piece.text.strip() for piece in split_sentences(text) if piece.text.strip()]
    if len(parts) < 2:
        parts = re.split(r"(?<=[^\W\d],)\s+", text.strip(), maxsplit=1)
    return break_.join(parts) if len(parts) > 1 and any(map(str.isalpha, text)) else text
