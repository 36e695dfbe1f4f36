"""Recognises secrets by their form: tokens issued by known services, and text that looks random.

The forms of known tokens come from detect-secrets, which is loaded only if a text might contain one.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

RUN = re.compile(r"[\w\-+/=.:~%]{16,4096}", re.ASCII)
"""Pattern for a run of characters that may contain a token and is too long to be guessed."""

LEAST = 16
"""Minimum length of a text that can count as random."""

_PIECE = re.compile(r"(?<![\w\-+~])[\w\-+~]{16,}+={0,2}", re.ASCII)
"""Matches a part of a run without slashes, dots or equals signs inside, which may be a token."""

_REST = re.compile(r"[\w\-.+=~]+", re.ASCII)
"""Matches the characters that may continue a token."""

_BASE64 = re.compile(r"[\w\-+/]+={0,2}", re.ASCII)
"""Matches text that may be in Base64."""

_CHUNK = re.compile(r"[A-Za-z0-9]+")
_STRETCH = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
"""Matches a stretch of letters or digits of the same kind, with a capital before lower-case letters."""

_HEXADECIMAL = re.compile(r"[0-9a-f]{16,128}", re.IGNORECASE)
_HASHED_BY = re.compile(r"(?:sha|md|blake)[0-9]{1,3}[sb]?[:=-]", re.IGNORECASE)
"""Matches the name of a hash function before a hash."""

_DIGESTS = frozenset({40, 64, 96, 128})
"""Lengths of common hashes, in digits.

With 32 digits, a text is more often a key, so it counts as a hash only if it is called one.
"""

RANDOM_BITS = 2.7
"""Minimum entropy per character, in bits, of a text that can count as random.

Words repeat their letters more often, and hexadecimal digits have at most 4 bits.
"""

STRETCH = 4.0
"""Maximum mean length of a stretch of the same kind of character in a text that can count as random.

Names made of words and numbers have longer stretches.
"""

CASE_STRETCH = 2.2
"""Maximum mean length of a stretch of upper or lower case in a text of letters that can count as random.

Words in camel case have longer stretches.
"""


def known_tokens(text: str) -> Iterator[tuple[int, int]]:
    """Yield the positions of tokens that have the form used by a known service. All such tokens contain a digit."""
    for run in RUN.finditer(text):
        # Loading the patterns takes time, so runs that cannot contain a token are skipped.
        if any(map(_has_digit, _PIECE.findall(run.group()))):
            yield from ((run.start() + start, run.start() + end) for start, end in _tokens(run.group()))
    if "PRIVATE KEY" in text:
        yield 0, len(text)


def _tokens(run: str) -> Iterator[tuple[int, int]]:
    """Yield the positions of tokens in a run of characters.

    Some patterns stop before the end of a token (of a JWT, before its signature), so the rest is added.
    """
    matches = (match for pattern in _patterns() for match in pattern.finditer(run))
    for match in matches:
        if _has_digit(match.group()):
            rest = _REST.match(run, match.end())
            yield match.start(), match.end() if rest is None else rest.end()


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """Return the patterns of detect-secrets' plugins. Loading them takes a quarter of a second."""
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class

    plugins: dict[str, Any] = get_mapping_from_secret_type_to_class()
    # IP addresses are not secrets, and credentials in addresses are found elsewhere.
    kept = [plugin for name, plugin in plugins.items() if name not in ("Public IP (ipv4)", "Basic Auth Credentials")]
    return tuple(pattern for plugin in kept for pattern in getattr(plugin, "denylist", ()))


def random_looking(text: str) -> Iterator[tuple[int, int]]:
    """Yield the positions of parts of a text that look random and are not words, numbers or hashes."""
    for run in RUN.finditer(text):
        if _is_hash(run.group()):
            continue
        if _BASE64.fullmatch(run.group()) and is_random(run.group()):
            yield run.span()
            continue
        for piece in _PIECE.finditer(run.group()):
            if is_random(piece.group()) and not _is_hash(piece.group()):
                yield run.start() + piece.start(), run.start() + piece.end()


def _is_hash(piece: str) -> bool:
    """Return True if a piece of text is a hash, because it has a usual length or is labelled as one.

    >>> [_is_hash(text) for text in ("0a" * 20, "0a" * 16, "md5:" + "0a" * 16, "sk-" + "0a" * 20)]
    [True, False, True, False]
    """
    prefix = _HASHED_BY.match(piece)
    digits = piece if prefix is None else piece[prefix.end() :]
    return _HEXADECIMAL.fullmatch(digits) is not None and (prefix is not None or len(digits) in _DIGESTS)


def is_random(piece: str) -> bool:
    """Return True if a piece of text looks random.

    It must mainly consist of chunks of letters and digits that are neither words nor numbers.

    >>> [is_random(text) for text in ("9f8e7d6c5b4a39281706", "meta-llama/Llama-3.1-70B-Instruct", "2026-11-20T10:15")]
    [True, False, False]
    """
    odd = [len(chunk) for chunk in _CHUNK.findall(piece) if _is_odd(chunk)]
    most_of_it = sum(odd) >= max(LEAST - 4, len(piece) / 2)
    return (most_of_it or max(odd, default=0) >= LEAST) and _bits(piece) >= RANDOM_BITS


def _is_odd(chunk: str) -> bool:
    """Return True if letters and digits, or upper and lower case, alternate more often than they do in names."""
    if len(chunk) <= 4 or chunk.isdigit():  # "2026", "70B", "v2"
        return False
    stretch = len(chunk) / len(_STRETCH.findall(chunk))
    return stretch < (CASE_STRETCH if chunk.isalpha() else STRETCH)


def _bits(text: str) -> float:
    """Return the entropy per character in bits."""
    return -sum(count / len(text) * math.log2(count / len(text)) for count in Counter(text).values())
