"""Inserts secrets from environment variables into headers, addresses and other options."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import Any
from urllib.parse import quote

from mutatis.core.errors import UsageError
from mutatis.secrets.masking import Mask, scrubbed, struck_out
from mutatis.secrets.scanning import Secret, secret_places, secrets_in

ENVIRONMENT = re.compile(r"env:([A-Za-z_]\w*)")
"""Pattern for a reference to an environment variable in a text."""

_VARIABLE = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_NAME_BEFORE = re.compile(r"[?&;#]([A-Za-z][^?&;=#\s]{0,60})=$")
_SHELL = re.compile(r"\$\{(?:env:)?([A-Za-z_]\w*)\}")

_NAMES_SECRET = re.compile(r"(?:^|_)(?:KEY|APIKEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL)S?(?:_|$)", re.IGNORECASE)
"""Pattern for names of variables that contain secrets. It excludes variables of a desktop, such as SSH_AUTH_SOCK."""

_KNOWN: dict[str, Secret] = {}
"""Secrets that this process read from the environment, by variable. They are removed from any text it receives."""

_STANDS_IN: ContextVar[str | None] = ContextVar("stands_in", default=None)


@contextmanager
def without_keys() -> Iterator[None]:
    """Use a placeholder for environment variables that are not set.

    This is for runs that ask no questions, since they need no key.
    """
    token = _STANDS_IN.set("no-key-is-set")
    try:
        yield
    finally:
        _STANDS_IN.reset(token)


def without_values(value: Any) -> Any:
    """Remove the values of environment variables (env:NAME) from JSON data that external sources provide.

    Values that could be an ordinary word, or are as short as a port number, are kept.
    """
    return struck_out(value, _mask(tuple(_KNOWN.values()))) if _KNOWN else value


@lru_cache(maxsize=8)
def _mask(secrets: tuple[Secret, ...]) -> Mask:
    return Mask.of(secrets).strong


def cleaned(text: str) -> str:
    """Remove secrets from a text produced by external code, such as a bot's exception that quotes a request.

    Secrets are found in the text itself, and among the values of environment variables whose names suggest keys or
    tokens.
    """
    values = (value for name, value in os.environ.items() if _NAMES_SECRET.search(name))
    # A path is not a secret, and a value without digits may be a word.
    secrets = (Secret(v) for v in values if not v.startswith(("/", ".")) and any(map(str.isdigit, v)))
    return Mask.of(secrets).strong(scrubbed(without_values(text)))


def secret(variable: str, option: str = "") -> str | None:
    """Return the secret in an environment variable without any whitespace, since a newline would break every call.

    Return None if the variable is not set, or a placeholder in a run that asks nothing (see `without_keys`).

    Raises:
        UsageError: `variable`, the value of `option`, is not a variable's name (it may be the key itself), or the
            secret contains characters that are not allowed in a header.
    """
    if option and (not _VARIABLE.fullmatch(variable) or scrubbed(variable, guess=True) != variable):
        raise UsageError(
            f"{option} is not the name of an environment variable; expected the name of a variable that contains the "
            "key, such as MY_KEY; never put the key itself into a configuration"
        )
    value = os.environ.get(variable) or _STANDS_IN.get()
    if value is None:
        return None
    value = "".join(value.split())
    if variable in os.environ:
        _KNOWN[variable] = Secret(value)
    if not value.isascii() or not value.isprintable():
        raise UsageError(
            f"the environment variable {variable} contains characters that are not allowed in headers; correct its "
            "value"
        )
    return value


def from_environment(headers: Mapping[str, str]) -> tuple[dict[str, str], tuple[Secret, ...]]:
    """Return headers with each `env:NAME` replaced by that environment variable, and the secrets in them.

    Secrets are all values from the environment, and literal text that is or looks like a secret.
    """
    __tracebackhide__ = True  # pytest --showlocals shows variables
    secrets: list[Secret] = []
    resolved = {}
    for name, text in headers.items():
        shown = scrubbed(name, guess=True)
        if not isinstance(text, str):
            raise UsageError(f"header {shown!r} is a {type(text).__name__}; expected a string")
        if not name.isprintable() or not name.isascii() or set(name) & set(" :") or not name:
            raise UsageError(f"header {shown!r} is not a header name; expected letters, digits and '-'")
        value, more = _resolved(text, f"header {shown!r}")
        resolved[name] = value.strip()
        secrets += more
        if not resolved[name].isprintable():
            raise UsageError(f"header {shown!r} contains a line break or another character not allowed in a header")
        secrets += secrets_in(text, name)
    return resolved, tuple(secrets)


def address_from_environment(url: str, option: str) -> tuple[str, tuple[Secret, ...]]:
    """Return an address with each `env:NAME` replaced by that environment variable, and the secrets inserted.

    `option` is the name of the option that contains the address, for error messages.

    Raises:
        UsageError: a variable is not set.
    """
    __tracebackhide__ = True
    return _resolved(url, option, lambda value: quote(value, safe=""))


def arguments_from_environment(arguments: Sequence[str], option: str) -> list[str]:
    """Return arguments with each `env:NAME` replaced by that environment variable.

    A shell's `${NAME}` is kept. `option` is the name of the option that contains the command, for error messages.

    Raises:
        UsageError: a variable is not set.
    """
    __tracebackhide__ = True
    return [_looked_up(text, option)[0] for text in arguments]


READ_ITSELF = frozenset({"url", "base_url"})
"""Options that may contain `env:NAME` as part of a longer text. It is replaced when they are used, and is a secret."""

FROM_THERE = frozenset({"revision"})
"""Options that may be `env:NAME` as a whole. Their values are not secrets, but are known only when the build runs."""


def options_from_environment(options: Mapping[str, Any], owner: str) -> dict[str, Any]:
    """Return options with `env:NAME` replaced wherever an option allows it.

    Raises:
        UsageError: the variable is not set, or the option does not allow `env:NAME`. The message begins with `owner`.
    """

    def value_of(name: str, value: Any) -> Any:
        if not isinstance(value, str) or name in READ_ITSELF or not ENVIRONMENT.fullmatch(value):
            return value
        if name in FROM_THERE:
            return text_from_environment(value, f"{owner}: {name}")
        raise UsageError(
            f"{owner}: {name} = {value!r} would be used literally; env:NAME is only replaced in url, base_url, "
            "headers, revision and the address or command of an MCP server"
        )

    return {name: value_of(name, value) for name, value in options.items()}


def text_from_environment(text: str, option: str) -> str:
    """Return the value of the environment variable that a text of the form `env:NAME` names.

    Any other text is returned unchanged.
    """
    reference = ENVIRONMENT.fullmatch(text)
    if reference is None:
        return text
    value = _looked_up(text, option)[0]
    _KNOWN.pop(reference[1], None)  # a value shown in reports, such as a revision, is not a secret
    return value


def _resolved(text: str, what: str, written: Callable[[str], str] = str) -> tuple[str, tuple[Secret, ...]]:
    if shell := _SHELL.search(text):
        raise UsageError(f"{what} contains {shell[0]}, which would be sent literally; expected env:{shell[1]}")
    return _looked_up(text, what, written)


def _looked_up(text: str, what: str, written: Callable[[str], str] = str) -> tuple[str, tuple[Secret, ...]]:
    secrets: list[Secret] = []

    def look_up(match: re.Match[str]) -> str:
        value = secret(match.group(1))
        if not value:
            raise UsageError(f"{what} needs the environment variable {match.group(1)}, which is not set")
        secrets.append(Secret(value))
        return written(value)

    return ENVIRONMENT.sub(look_up, text), tuple(secrets)


def with_references(url: str, prefix: str) -> tuple[str, list[str]]:
    """Replace each secret in an address with a reference to an environment variable.

    Return the new address and the names of the variables.

    >>> with_references("http://bot/chat?lang=en&api_key=abcd-1234", "BOT")
    ('http://bot/chat?lang=en&api_key=env:BOT_API_KEY', ['BOT_API_KEY'])
    """
    references: dict[str, str] = {}
    at, kept = 0, []
    for place in secret_places(url, guess=True):
        before = _NAME_BEFORE.search(url[: place.start])
        name = f"{prefix}_{re.sub(r'[^0-9A-Za-z]+', '_', before[1]).upper()}" if before else f"{prefix}_KEY"
        value = url[place.start : place.end]
        while references.setdefault(name, value) != value:
            name += "_2"
        kept += [url[at : place.start], f"env:{name}"]
        at = place.end
    return "".join([*kept, url[at:]]), list(references)
