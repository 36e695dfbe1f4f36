"""Secrets of a configuration: where they come from, which texts are some, and how they stay out of everything shown.

A secret is the value of an environment variable that a header names, or a text under a name that says so (a header, a
key of a request, a parameter of an address). Must not know what is asked.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import parse_qsl, quote, quote_plus

from mutatis.core.errors import UsageError
from mutatis.options import looks_secret

HIDDEN = "***"
STRONG = 8
"""Characters of a secret that is struck out of answers, too."""

SHORTEST = 4
"""Characters of a secret that is struck out: shorter ones stand in every other word."""

ENVIRONMENT = re.compile(r"env:([A-Za-z_]\w*)")
"""Where a text names an environment variable."""

_SHELL = re.compile(r"\$\{(?:env:)?([A-Za-z_]\w*)\}")
_PARAMETER = re.compile(r"([?&;])([^?&;=#\s]{1,200})=([^&;#\s]*+)")
_HOLE = re.compile(r"env:[A-Za-z_]\w*|\{[A-Za-z_]\w*\}")
_PART = re.compile(r"[^\s;,=]++")
_SCHEME = re.compile(r"(?:Bearer|Basic|Token|ApiKey|Digest)\s+", re.IGNORECASE)


def secret(variable: str) -> str | None:
    """Return the secret in an environment variable without any whitespace (a newline would break every call)."""
    value = os.environ.get(variable)
    if value is None:
        return None
    value = "".join(value.split())
    if not value.isascii() or not value.isprintable():
        raise UsageError(f"the environment variable {variable} holds characters that no header may have; set it again")
    return value


def from_environment(headers: Mapping[str, str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return headers with each `env:NAME` replaced by that environment variable, and the secrets among them.

    Secrets are what comes from the environment, and what is written out under a name that says so.
    """
    found: list[str] = []

    def look_up(match: re.Match[str]) -> str:
        value = secret(match.group(1))
        if not value:
            raise UsageError(f"header {name!r} needs the environment variable {match.group(1)}, which is not set")
        found.append(value)
        return value

    resolved = {}
    for name, text in headers.items():
        if not isinstance(text, str):
            raise UsageError(f"header {name!r} is {text!r}; expected text")
        if not name.isprintable() or not name.isascii() or set(name) & set(" :") or not name:
            raise UsageError(f"header {name!r} is no name of a header; expected letters, digits and '-'")
        if shell := _SHELL.search(text):
            raise UsageError(f"header {name!r} holds {shell[0]}, which is sent as it is; expected env:{shell[1]}")
        resolved[name] = ENVIRONMENT.sub(look_up, text).strip()
        if not resolved[name].isprintable():
            raise UsageError(f"header {name!r} holds a line end or another character that no header may have")
        if looks_secret(name) and not is_reference(text):
            found += _parts(resolved[name])
    return resolved, tuple(found)


def public_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers as an identity may show them: names of variables, and no value that looks like a secret."""
    return {name: HIDDEN if looks_secret(name) and not is_reference(text) else text for name, text in headers.items()}


def is_reference(text: str) -> bool:
    """Whether a text only names where its secret comes from.

    >>> [is_reference(text) for text in ("env:KEY", "Bearer env:KEY", "{session}", "sk-1234-{session}")]
    [True, True, True, False]
    """
    rest = _HOLE.sub("", text)
    return rest != text and len(_SCHEME.sub("", rest + " ", count=1).strip()) < SHORTEST


def secrets_in(value: Any, name: str = "") -> Iterator[str]:
    """Give the texts of JSON data that stand under a name of a secret, and such parameters of addresses."""
    if isinstance(value, Mapping):
        for key, own in value.items():
            yield from secrets_in(own, name if looks_secret(name) else str(key))
    elif isinstance(value, list | tuple):
        for own in value:
            yield from secrets_in(own, name)
    elif isinstance(value, str):
        if looks_secret(name) and not name.endswith("_env") and not is_reference(value):
            yield from _parts(value)
        for match in _PARAMETER.finditer(value):
            if looks_secret(match.group(2)) and not is_reference(match.group(3)):
                yield match.group(3)
                yield from (own for _, own in parse_qsl(f"x={match.group(3)}"))


def _parts(text: str) -> list[str]:
    """Return a secret and what in it is one by itself: the value behind "Bearer" or in "session=..."."""
    return [text, _SCHEME.sub("", text, count=1), *(part for part in _PART.findall(text) if is_strong(part))]


def without_secrets(value: Any) -> Any:
    """Return JSON data without the texts whose name says that they are secrets; names of variables stay.

    Where the same text stands elsewhere (a label that repeats an address), it is struck out there, too.

    >>> without_secrets({"auth": {"user": "me"}, "token": "abcd-1234", "url": "http://x/?api_key=abcd&q=1"})
    {'auth': {'user': '***'}, 'token': '***', 'url': 'http://x/?api_key=***&q=1'}
    """
    return _shown(value, "", tuple(filter(is_strong, spellings(secrets_in(value)))))


def _shown(value: Any, name: str, known: tuple[str, ...]) -> Any:
    if isinstance(value, Mapping):
        # What stands under "auth" is one too, whatever its own name.
        return {key: _shown(own, name if looks_secret(name) else str(key), known) for key, own in value.items()}
    if isinstance(value, list | tuple):
        return [_shown(own, name, known) for own in value]
    if not isinstance(value, str):
        return value
    if looks_secret(name) and not name.endswith("_env") and not is_reference(value):
        return HIDDEN if value else value
    return struck(_PARAMETER.sub(_without_value, value), known)


def struck(text: str, secrets: Iterable[str]) -> str:
    """Return a text with these secrets struck out."""
    for hidden in secrets:
        if hidden in text:
            text = text.replace(hidden, HIDDEN)
    return text


def _without_value(match: re.Match[str]) -> str:
    mark, name, text = match.groups()
    hidden = looks_secret(name) and text and not is_reference(text)
    return f"{mark}{name}={HIDDEN if hidden else text}"


def is_strong(text: str) -> bool:
    """Whether a secret can be told from a word: answers are left alone where it is "EMPTY" or "tester"."""
    return len(text) >= STRONG and not text.isalpha()


def spellings(secrets: Iterable[str]) -> tuple[str, ...]:
    """Return the forms in which secrets may come back, the longest first: plain, in JSON, in an address."""
    found: set[str] = set()
    for one in secrets:
        if len(one) >= SHORTEST:
            try:
                found |= {one, json.dumps(one)[1:-1], json.dumps(one, ensure_ascii=False)[1:-1]}
                found |= {quote(one, safe=""), quote(one), quote_plus(one)}
            except UnicodeEncodeError:
                pass
    return tuple(sorted(found, key=lambda text: (-len(text), text)))
