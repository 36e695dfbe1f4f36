"""What a server sent, as text: by its byte order mark, by the charset that it names, or by what its bytes look like.

Must not know what is asked, nor what the text says.
"""

from __future__ import annotations

import codecs
import json
import re
from dataclasses import dataclass

_CHARSET = re.compile(r"""(?i);\s*charset\s*=\s*["']?([\w.:-]{1,40})""")
_NO_CHARSET = frozenset({"idna", "punycode", "raw_unicode_escape", "unicode_escape", "undefined"})
"""Codecs of Python that no server means; some take time that grows with the square of the text."""

_MARKS = (
    *((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32")),
    *((codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16")),
)

_LATIN = "iso8859-1"
_WINDOWS = "".join(bytes([code]).decode("cp1252", "ignore") or chr(code) for code in range(256))
"""The character of each byte as browsers read it where a page says Latin-1, or nothing; no two are alike."""

MIXED = 1_000
"""Places that do not fit the encoding up to which the rest is read in it; a text of more is windows-1252 throughout."""


def _as_windows(payload: bytes) -> str:
    return codecs.charmap_decode(payload, "strict", _WINDOWS)[0]


def _other_bytes(error: UnicodeError) -> tuple[str, int]:
    """Go on behind bytes that do not fit their encoding, with what they are in windows-1252."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return _as_windows(error.object[error.start : error.end]), error.end


codecs.register_error("windows-1252", _other_bytes)


def decoded(payload: bytes, encoding: str = "utf-8") -> str:
    r"""Return bytes as text; those that do not fit the encoding are windows-1252, so that none of them is lost.

    >>> decoded("Größe: 5 €".encode()), decoded("Größe: 5 €".encode("cp1252")), decoded(b"\\x81")
    ('Größe: 5 €', 'Größe: 5 €', '\\x81')
    """
    try:
        return payload.decode(encoding)
    except UnicodeDecodeError:
        broken = payload.decode(encoding, "replace").count("\ufffd")  # to go on behind each takes a call of Python
    return payload.decode(encoding, "windows-1252") if broken <= MIXED else _as_windows(payload)


@dataclass(frozen=True, slots=True)
class Received:
    """What came in answer to a request: its body, and what the header `Content-Type` says that it is."""

    payload: bytes
    content_type: str = ""

    @property
    def media(self) -> str:
        """What kind of content it is, such as "application/json"; empty where nothing says so."""
        return self.content_type.partition(";")[0].strip().lower()

    @property
    def is_json(self) -> bool:
        """Whether the header says that it is JSON."""
        return self.media.endswith(("/json", "+json"))

    @property
    def charset(self) -> str | None:
        """The charset that the header names, where it names one that is known."""
        named = _CHARSET.search(self.content_type)
        try:
            name = None if named is None else codecs.lookup(named[1]).name
        except LookupError:
            return None
        return None if name in _NO_CHARSET else name

    @property
    def text(self) -> str:
        """The body as text: by its byte order mark, else by the charset that is named, else as `decoded` reads it.

        JSON and server-sent events have their encoding by their standards: there, a named one is the second choice.
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
            except (UnicodeError, LookupError):  # LookupError: no codec of text
                continue
        return decoded(self.payload)

    @property
    def json(self) -> bytes | str:
        """The body as a reader of JSON takes it: without a named charset, its bytes tell which encoding it has."""
        return self.payload if self.charset in (None, "utf-8") else self.text
