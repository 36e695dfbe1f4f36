"""Makes text safe to display, so that no system, server or data set can affect the screen."""

from __future__ import annotations

import re
from collections.abc import Callable

_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f]"
)
_LONGEST = 300
_READ = 20_000
"""Maximum number of characters of a value that are used for its name."""


def visible(text: str) -> str:
    r"""Return a text with invisible characters (such as control or bidirectional ones) and lone surrogates spelt out.

    >>> visible("a\x1b[31mb\u202ec")
    'a⟨U+001B⟩[31mb⟨U+202E⟩c'
    """
    if text.isascii() and text.isprintable():  # nearly all that a report shows, and it shows millions of texts
        return text
    return _HIDDEN.sub(spell, text.replace("\r\n", "\n"))


def spell(match: re.Match[str]) -> str:
    """Return the code point of the matched character, in brackets."""
    return f"⟨U+{ord(match.group()):04X}⟩"


def on_one_line(text: str) -> str:
    """Return a text for a message: on one line, with invisible characters spelt out."""
    return visible(" ".join(text.split()))


def named(value: object, mask: Callable[[str], str] = str) -> str:
    """Return a short description of any object or exception, even if converting it to a string fails.

    `mask` removes secrets before the text is shortened, so that no part of a secret is ever shown.

    >>> named(ValueError("no")), named([1, 2])
    ('ValueError: no', '[1, 2]')
    """
    kind = type(value).__name__
    try:
        text = str(value) if isinstance(value, BaseException) else repr(value)
    except Exception:
        return f"{kind} (that cannot be shown)"
    text = on_one_line(mask(text[:_READ]))[:_LONGEST]
    if isinstance(value, BaseException):
        return f"{kind}: {text}" if text else kind
    return text
