"""Removes secrets from text and data, in whatever form they appear there."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Any
from urllib.parse import quote, quote_plus

from mutatis.secrets.scanning import (
    HIDDEN,
    SENT,
    SHORTEST,
    Secret,
    inherited,
    is_plain,
    is_reference,
    is_secret_under,
    is_strong,
    looks_secret,
    secret_places,
    secrets_in,
)

MOST = 1000
"""Maximum number of secrets from one piece of data that are removed from all of it.

Data from elsewhere might contain a million.
"""


@dataclass(frozen=True, slots=True, repr=False)
class Mask:
    """Removes secrets from texts. `spelt` contains all their spellings, longest first, with the replacements."""

    spelt: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, secrets: Iterable[Secret]) -> Mask:
        """Return the mask for these secrets.

        A text that is certainly a secret in one place is treated as a secret everywhere.
        """
        replacements: dict[str, str] = {}
        for secret in sorted(secrets, key=lambda secret: not secret.guessed):
            replacements |= dict.fromkeys(_spellings(secret.text), secret.shown)
        return cls(tuple(sorted(replacements.items(), key=lambda item: (-len(item[0]), item[0]))))

    @property
    def strong(self) -> Mask:
        """The same mask without secrets that could be words, for answers, whose ordinary words must be kept."""
        return Mask(tuple(item for item in self.spelt if is_strong(item[0])))

    def __call__(self, text: str) -> str:
        """Return a text with its secrets replaced."""
        for secret, shown in self.spelt:
            if secret in text:
                text = text.replace(secret, shown)
        return text


def _spellings(secret: str) -> Iterator[str]:
    """Yield the forms that a secret may reappear in: plain, in JSON, in an address, or in HTML."""
    from html import escape  # imported here because it is slow to load and rarely needed

    if len(secret) < SHORTEST:
        return
    yield secret
    yield escape(secret)
    yield json.dumps(secret)[1:-1]
    yield json.dumps(secret, ensure_ascii=False)[1:-1]
    with suppress(UnicodeEncodeError):  # a lone surrogate, which an address cannot contain
        yield from (quote(secret, safe=""), quote(secret), quote_plus(secret))


def without_secrets(value: Any, name: str = "", *, sent: bool = True) -> Any:
    """Return JSON data without the secrets in it. Names of environment variables are kept.

    If a secret also occurs elsewhere in the data, as in a label that repeats an address, it is removed there, too.
    `sent` means that the data go to an endpoint. Text that looks random then counts as a secret, and its replacement is
    marked as a guess. Without `sent`, this applies only to values under the keys `SENT`.

    >>> without_secrets({"auth": {"user": "me"}, "token": "abcd-1234", "url": "http://x/?api_key=abcd&q=1"})
    {'auth': {'user': '***'}, 'token': '***', 'url': 'http://x/?api_key=***&q=1'}
    """
    known = islice(secrets_in(value, name, sent=sent), MOST)
    return _shown(value, name, Mask.of(known).strong, sent)


def _shown(value: Any, name: str, known: Mask, sent: bool) -> Any:
    if isinstance(value, Mapping):
        return {
            key: _shown(inner, inherited(name, str(key)), known, sent or key in SENT) for key, inner in value.items()
        }
    if isinstance(value, list | tuple):
        return [_shown(inner, name, known, sent) for inner in value]
    if not isinstance(value, str) or is_reference(value):
        return value
    if is_secret_under(value, name):
        return HIDDEN if value else value
    return known(scrubbed(value, guess=sent and not is_plain(name)))


def public_command(command: Sequence[str]) -> list[str]:
    """Return a command without its secrets, which are recognised by the names of arguments.

    Names of environment variables are kept.

    >>> public_command(["npx", "srv", "--api-key", "abcd-1234", "--token=abcd", "--auth", "env:KEY", "--port", "80"])
    ['npx', 'srv', '--api-key', '***', '--token=***', '--auth', 'env:KEY', '--port', '80']
    """
    shown: list[str] = []
    before = ""
    for argument in command:
        name, equals, value = argument.partition("=")
        follows = before.startswith("-") and "=" not in before and looks_secret(before)
        if follows and argument and not argument.startswith("--"):
            shown.append(argument if is_reference(argument) else HIDDEN)
        elif equals and value and looks_secret(name) and not is_reference(value):
            shown.append(f"{name}={HIDDEN}")
        else:
            shown.append(argument)
        before = argument
    return shown


def scrubbed(text: str, *, guess: bool = False) -> str:
    """Return a text from an external source without its secrets, which are recognised by name or form.

    With `guess`, text that looks random is removed as well.

    >>> scrubbed("Authorization: Bearer sk-12345678"), scrubbed("htp://me:pw@host/?code=abc&q=1")
    ('Authorization: Bearer ***', 'htp://***@host/?code=***&q=1')
    """
    at, kept = 0, []
    for place in secret_places(text, guess=guess):
        shown = Secret(text[place.start : place.end], place.guessed).shown
        kept += [text[at : place.start], shown]
        at = place.end
    return "".join([*kept, text[at:]])


def struck_out(value: Any, mask: Callable[[str], str]) -> Any:
    """Return JSON data with the secrets in its strings and keys replaced."""
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, Mapping):
        return {struck_out(name, mask): struck_out(item, mask) for name, item in value.items()}
    return [struck_out(item, mask) for item in value] if isinstance(value, list | tuple) else value
