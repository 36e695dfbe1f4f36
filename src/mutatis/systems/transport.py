"""HTTP for systems behind an endpoint: one client session, and every failure turned into the error that fits.

    401, 403, 404, spent quota -> AccessDenied     408, 409, 425, 429, 5xx, timeout, no or cut connection -> Retryable
    any other status, no JSON -> SystemFailure

Must not know what is asked; does not ask again. Keys never reach an error message.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import pydantic

from mutatis.core.errors import AccessDenied, Retryable, SystemFailure, UsageError
from mutatis.options import looks_secret as looks_secret

if TYPE_CHECKING:
    import aiohttp

TIMEOUT = 120.0
"""Seconds to wait for a whole answer."""

Seconds: TypeAlias = Annotated[float, pydantic.Field(gt=0)]
"""Option: a time in seconds."""

Connections: TypeAlias = Annotated[int, pydantic.Field(ge=0)]
"""Option: most connections at a time; 0 leaves that to the run's concurrency."""

_ENVIRONMENT = re.compile(r"env:([A-Za-z_]\w*)")
_RETRYABLE = frozenset({408, 409, 425, 429})
_DENIED = frozenset({401, 403, 404})
_QUOTA = frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"})
_LONGEST_MESSAGE = 200


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
    """Return headers with each `env:NAME` replaced by that environment variable, and the secrets among them."""
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
        resolved[name] = _ENVIRONMENT.sub(look_up, text).strip()
    return resolved, tuple(found)


def public_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers as an identity may show them: names of variables, and no value that looks like a secret."""
    return {name: "***" if looks_secret(name) and "env:" not in text else text for name, text in headers.items()}


@dataclass(slots=True, kw_only=True)
class Endpoint:
    """One address: its session, headers, time limit, and how it names the key it needs in errors.

    Attributes:
        url: where requests go.
        headers: sent with every request; may hold secrets, so never shown.
        secrets: texts that are struck out of any error message.
        key_hint: what to do when the key is refused.
        connections: most connections at a time; 0 leaves that to who asks.
    """

    url: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)
    key_hint: str = ""
    timeout: float = TIMEOUT
    connections: int = 0
    _session: aiohttp.ClientSession | None = field(default=None, init=False, repr=False)
    _loop: asyncio.AbstractEventLoop | None = field(default=None, init=False, repr=False)

    async def session(self) -> aiohttp.ClientSession:
        """Return the session of the running event loop, opened once."""
        loop = asyncio.get_running_loop()
        if self._session is None or self._loop is not loop or self._session.closed:
            import aiohttp

            await self.close()
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=self.connections),
                headers={"Content-Type": "application/json", **self.headers},
                timeout=aiohttp.ClientTimeout(total=self.timeout or None, sock_connect=min(30.0, self.timeout or 30.0)),
                cookie_jar=aiohttp.DummyCookieJar(),
            )
            self._loop = loop
        return self._session

    async def close(self) -> None:
        """Close the session; a later request opens another."""
        session, self._session = self._session, None
        if session is None or session.closed:
            return
        if self._loop is asyncio.get_running_loop():
            await session.close()
        else:
            session.detach()  # its loop is gone, and its connections with it

    async def send(self, body: bytes | None, *, method: str = "POST", url: str | None = None) -> tuple[int, bytes]:
        """Send one request; return status and body of the answer, whatever the status.

        Raises:
            Retryable: no connection, cut connection, timeout.
            AccessDenied: the address cannot be used at all.
        """
        import aiohttp

        session = self._session if self._loop is asyncio.get_running_loop() else None
        session = session if session is not None and not session.closed else await self.session()
        try:
            async with session.request(method, url or self.url, data=body, allow_redirects=False) as response:
                payload = await response.read()
                if response.status >= 300:
                    raise self.refusal(response.status, payload, response.headers)
                return response.status, payload
        except TimeoutError:
            raise Retryable(f"{self.url}: no answer within {self.timeout:g} s") from None
        except aiohttp.ClientConnectorCertificateError as error:
            raise AccessDenied(self.clean(f"{self.url}: its certificate is not accepted: {error}")) from None
        except aiohttp.InvalidURL:
            raise AccessDenied(f"{self.url}: not a usable address") from None
        except aiohttp.ClientConnectorError as error:
            raise Retryable(self.clean(f"{self.url}: cannot be reached: {error.strerror or error}")) from None
        except (aiohttp.ClientError, ConnectionError) as error:
            why = " ".join(str(error).split()) or type(error).__name__
            raise Retryable(self.clean(f"{self.url}: connection lost: {why}")) from None

    def parse(self, payload: bytes) -> Any:
        """Return the JSON data of a body; raise SystemFailure where it is none."""
        try:
            return json.loads(payload)
        except (ValueError, RecursionError):
            raise SystemFailure(f"{self.url}: the answer is not JSON: {self.clean(brief(payload))}") from None

    def refusal(self, status: int, payload: bytes, headers: Mapping[str, str]) -> SystemFailure:
        """Return the error for a status that is not a success."""
        said, code = _said(payload)
        told = self.clean(f"{self.url}: HTTP {status}{': ' + said if said else ''}")
        if code in _QUOTA:
            return AccessDenied(f"{told}; the quota of this key is spent")
        if status in (401, 403):
            return AccessDenied(f"{told}; {self.key_hint}" if self.key_hint else told)
        if status in _DENIED:
            return AccessDenied(f"{told}; check the model's name and the address")
        if status in _RETRYABLE or status >= 500:
            return Retryable(told, after=retry_after(headers))
        if 300 <= status < 400:
            return AccessDenied(
                self.clean(f"{self.url}: moved to {headers.get('Location', 'elsewhere')}; use that address")
            )
        return Refused(told, status=status, code=code)

    def clean(self, text: str) -> str:
        """Return a message on one line, with every secret struck out."""
        for hidden in self.secrets:
            if hidden:
                text = text.replace(hidden, "***")
        return " ".join(text.split())


class Refused(SystemFailure):
    """The endpoint rejects this one request (too long, filtered, malformed); others may pass."""

    def __init__(self, message: str, *, status: int, code: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


def _said(payload: bytes) -> tuple[str, str]:
    """Return the message and the code of an error body, as far as it has any."""
    try:
        data = json.loads(payload)
    except (ValueError, RecursionError):
        return brief(payload), ""
    error = data.get("error", data) if isinstance(data, dict) else data
    if isinstance(error, dict):
        message = error.get("message") or error.get("detail") or error.get("msg") or error
        return brief(message), str(error.get("code") or error.get("type") or "")
    return brief(error), ""


def brief(value: Any) -> str:
    """Return a value on one line, cut to what an error message can hold."""
    if isinstance(value, bytes):
        value = value[: 4 * _LONGEST_MESSAGE].decode("utf-8", "replace")
    text = " ".join((value if isinstance(value, str) else json.dumps(value, default=str)).split())
    return text if len(text) <= _LONGEST_MESSAGE else text[: _LONGEST_MESSAGE - 3] + "..."


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return how many seconds the server wants us to wait: `Retry-After` as seconds or as a date, `retry-after-ms`.

    >>> retry_after({"Retry-After": "2.5"})
    2.5
    """
    milliseconds, value = headers.get("retry-after-ms"), headers.get("Retry-After")
    try:
        if milliseconds is not None:
            return max(0.0, float(milliseconds) / 1000)
        if value is None:
            return None
        if re.fullmatch(r"\s*\d+(?:\.\d+)?\s*", value):
            return float(value)
        moment = parsedate_to_datetime(value)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return max(0.0, (moment - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None


def checked_url(url: str, option: str) -> str:
    """Return the address without a trailing slash; raise UsageError where it is none."""
    if not re.match(r"https?://[^\s/]+", url):
        raise UsageError(f"{option} is {url!r}; expected an address such as http://127.0.0.1:8000/v1")
    if re.match(r"https?://[^/]*@", url):
        raise UsageError(f"{option} holds a user name or password; pass it in a header from the environment instead")
    return url.rstrip("/")


def now() -> tuple[float, float]:
    """Return a clock for durations and the time of day."""
    return time.perf_counter(), time.time()
