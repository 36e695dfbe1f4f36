"""Decodes the body of an answer according to its byte order mark, its declared charset, or its bytes."""

from __future__ import annotations

import codecs
import json
import re
from dataclasses import dataclass

_CHARSET = re.compile(r"""(?i);\s*charset\s*=\s*["']?([\w.:-]{1,40})""")
"""Matches the charset in a `Content-Type` header."""

_NO_CHARSET = frozenset({"idna", "punycode", "raw_unicode_escape", "unicode_escape", "undefined"})
"""Python codecs that servers never mean as a charset. Some take time quadratic in the length of the text."""

_MARKS = (
    *((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32")),
    *((codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16")),
)

_LATIN = "iso8859-1"
_WINDOWS = "".join(bytes([code]).decode("cp1252", "ignore") or chr(code) for code in range(256))
"""The character for each byte in windows-1252, which browsers use for Latin-1 and if no charset is declared.

Undefined bytes become the character with the same number, so no two bytes become the same character.
"""

MIXED = 1_000
"""Maximum number of invalid bytes that are decoded one by one. Beyond it, the whole text is read as windows-1252."""


def _as_windows(payload: bytes) -> str:
    return codecs.charmap_decode(payload, "strict", _WINDOWS)[0]


def _other_bytes(error: UnicodeError) -> tuple[str, int]:
    """Decode invalid bytes as windows-1252. This is an error handler for codecs."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return _as_windows(error.object[error.start : error.end]), error.end


codecs.register_error("windows-1252", _other_bytes)


def decoded(payload: bytes, encoding: str = "utf-8") -> str:
    r"""Decode bytes as text. Bytes that do not fit the encoding are read as windows-1252, so that no byte is lost.

    >>> decoded("Größe: 5 €".encode()), decoded("Größe: 5 €".encode("cp1252")), decoded(b"\\x81")
    ('Größe: 5 €', 'Größe: 5 €', '\\x81')
    """
    try:
        return payload.decode(encoding)
    except UnicodeDecodeError:
        broken = payload.decode(encoding, "replace").count("\ufffd")  # each one takes a call of Python
    return payload.decode(encoding, "windows-1252") if broken <= MIXED else _as_windows(payload)


@dataclass(frozen=True, slots=True)
class Received:
    """The body of an HTTP response and its `Content-Type` header."""

    payload: bytes
    content_type: str = ""

    @property
    def media(self) -> str:
        """The media type, such as "application/json"; empty if the header is missing."""
        return self.content_type.partition(";")[0].strip().lower()

    @property
    def is_json(self) -> bool:
        """Return True if the header declares JSON."""
        return self.media.endswith(("/json", "+json"))

    @property
    def charset(self) -> str | None:
        """The charset declared in the header, or None if there is none or it is unknown."""
        named = _CHARSET.search(self.content_type)
        try:
            name = None if named is None else codecs.lookup(named[1]).name
        except LookupError:
            return None
        return None if name in _NO_CHARSET else name

    @property
    def text(self) -> str:
        """The body as text, decoded by its byte order mark, by the declared charset, or by `decoded`.

        For JSON and server-sent events the standards prescribe the encoding, so it is tried before the declared
        charset.
        """
        marked = next((encoding for mark, encoding in _MARKS if self.payload.startswith(mark)), None)
        named = self.charset
        tried: tuple[str | None, str | None] = (named, "utf-8")
        if self.is_json or self.media == "text/event-stream":
            tried = (json.detect_encoding(self.payload) if self.is_json else "utf-8", named)
        if marked:
            tried = (marked, named)
        for encoding in tried:
            try:
                return self.payload.decode(encoding or "utf-8") if encoding != _LATIN else _as_windows(self.payload)
            except (UnicodeError, LookupError):  # LookupError: the codec is not for text
                continue
        return decoded(self.payload)

    @property
    def json(self) -> bytes | str:
        """The body in a form for JSON parsers: bytes if it is UTF-8 or no charset is declared, else decoded text."""
        return self.payload if self.charset in (None, "utf-8") else self.text
