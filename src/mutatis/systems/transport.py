"""HTTP for systems behind an endpoint: one client session, and an exception for every kind of failure.

    401, 403, 404, spent quota -> AccessDenied     408, 409, 425, 429, 5xx, timeout, no or cut connection -> Retryable
    any other status, no JSON -> SystemFailure

Requests are not retried here. Error messages never contain keys.
"""

from __future__ import annotations

import asyncio
import codecs
import json
import math
import re
import socket
import ssl
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import pydantic
import pydantic_core

from mutatis.core.errors import AccessDenied, Retryable, SystemFailure, Trouble, shortened
from mutatis.secrets.masking import Mask, scrubbed, without_secrets
from mutatis.secrets.scanning import Secret, secrets_in
from mutatis.text.visible import on_one_line

if TYPE_CHECKING:
    import aiohttp


_LONGEST_MESSAGE = 200
_LONGEST_PAGE = 4_000
_MARKUP = re.compile(r"(?is)<(head|style|script)\b.*?</\1>|<!--.*?-->|<[^<>]*+>")
"""Matches tags and comments of HTML, and elements whose content is not shown."""


def said_in(payload: bytes, mask: Callable[[str], str]) -> tuple[str, str]:
    """Return the message and the code from the body of an error response. The code may be empty."""
    try:
        data = json.loads(decoded(payload, json.detect_encoding(payload)))
    except (ValueError, RecursionError):
        # Cut after masking, since half of a secret would not be recognised.
        page = mask(decoded(payload))[:_LONGEST_PAGE]
        return brief_value(_MARKUP.sub(" ", page) if page.lstrip().startswith("<") else payload, mask), ""
    error = data.get("error", data) if isinstance(data, dict) else data
    if isinstance(error, dict):
        message = error.get("message") or error.get("detail") or error.get("msg") or error
        codes = [code for code in (error.get("code"), error.get("type")) if code]
        # Numbers only repeat the status: LiteLLM has {"code": "400", "type": "budget_exceeded"}.
        telling = [code for code in codes if not str(code).isdecimal()] or codes
        return brief_value(message, mask), brief_value(telling[0] if telling else "", mask)
    return brief_value(error, mask), ""


def brief_value(value: Any, mask: Callable[[str], str] = str) -> str:
    """Format a value on one line for an error message. `mask` removes secrets before the text is shortened."""
    if isinstance(value, bytes):
        text = decoded(value)
    elif isinstance(value, str):
        text = value
    else:
        try:
            text = json.dumps(value, default=str)
        except (ValueError, RecursionError):
            text = type(value).__name__
    return shortened(on_one_line(mask(text)), _LONGEST_MESSAGE)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds to wait according to `Retry-After` (seconds or a date) or `retry-after-ms`.

    >>> retry_after({"Retry-After": "2.5"})
    2.5
    """
    milliseconds, value = headers.get("retry-after-ms"), headers.get("Retry-After", "")
    try:
        if milliseconds is not None:
            seconds = float(milliseconds) / 1000
        elif re.fullmatch(r"\s*+\d++(?:\.\d++)?\s*+", value):
            seconds = float(value)
        else:
            moment = parsedate_to_datetime(value)
            moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
            seconds = (moment - datetime.now(UTC)).total_seconds()
    except (ValueError, TypeError, OverflowError):
        return None
    return max(0.0, seconds) if math.isfinite(seconds) else None


_CHARSET = re.compile(r"""(?i);\s*charset\s*=\s*["']?([\w.:-]{1,40})""")
"""Matches the charset in a `Content-Type` header."""

_NO_CHARSET = frozenset({"idna", "punycode", "raw_unicode_escape", "unicode_escape", "undefined"})
"""Python codecs that servers never mean as a charset. Some take time quadratic in the length of the text."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
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
        """The charset declared in the header, or None if it is missing or unknown."""
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
        charset. What a server declares as latin-1 is read as windows-1252, as in browsers.
        """
        prescribed = next((encoding for mark, encoding in _MARKS if self.payload.startswith(mark)), None)
        if prescribed is None and self.is_json:
            prescribed = json.detect_encoding(self.payload)
        if prescribed is None and self.media == "text/event-stream":
            prescribed = "utf-8"
        for encoding in (prescribed, self.charset) if prescribed else (self.charset, "utf-8"):
            try:
                return self.payload.decode(encoding or "utf-8") if encoding != _LATIN else _as_windows(self.payload)
            except (UnicodeError, LookupError):  # LookupError: the codec is not for text
                continue
        return decoded(self.payload)

    @property
    def json(self) -> bytes | str:
        """The body in a form for JSON parsers: bytes if it is UTF-8 or no charset is declared, else decoded text."""
        return self.payload if self.charset in (None, "utf-8") else self.text


TIMEOUT = 120.0
"""Default for the maximum number of seconds to wait for a complete answer."""

LARGEST = 10_000_000
"""Maximum number of bytes in an answer after decompression. A larger answer counts as a failure."""

Seconds: TypeAlias = Annotated[float, pydantic.Field(gt=0)]
"""Type of an option that is a time in seconds."""

Connections: TypeAlias = Annotated[int, pydantic.Field(ge=0)]
"""Type of an option for the maximum number of simultaneous connections; 0 means the run's concurrency."""

_RETRYABLE = frozenset({408, 409, 425, 429})
_QUOTA = frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "budget_exceeded"})
_KEY_REJECTED = frozenset({"no_db_connection"})
"""Error code for an invalid key from a LiteLLM server without a database of keys. Its status is 400, not 401."""

_KINDS: Mapping[int, Trouble] = {429: "busy", 503: "away"}


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpExchange:
    """A request and its response as they were sent, except that every secret is removed."""

    method: str
    url: str
    sent_headers: Mapping[str, str]
    sent: str
    status: int
    headers: Mapping[str, str]
    received: str


@dataclass(slots=True, kw_only=True)
class Endpoint:
    """One address, with its session, headers and time limit, and with the names that error messages use.

    Attributes:
        url: address that requests are sent to.
        headers: headers sent with every request. They are never shown, because they may contain secrets.
        secrets: values removed from error messages and answers, in addition to the secrets in the address.
        mask: removes every secret from a text.
        mask_answer: removes secrets from answers, except ordinary words such as "EMPTY", which a bot may use in a
            reply.
        name: the endpoint's name in error messages; by default its address.
        key_hint: advice to show if the key is rejected.
        timeout: maximum number of seconds that `send` takes; 0 means no limit.
        absent_hint: advice to show if nothing is found at the address (404).
        connections: maximum number of simultaneous connections; 0 leaves the limit to the caller.
        largest: maximum size of an answer in bytes, after decompression.
        ends: additional words that the server uses for the end of a complete answer.
        trace: called with every request and its response.
    """

    url: str = field(repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    secrets: tuple[Secret, ...] = field(default=(), repr=False)
    name: str = ""
    key_hint: str = ""
    absent_hint: str = "check the path of the address"
    timeout: float = TIMEOUT
    connections: int = 0
    largest: int = LARGEST
    ends: Sequence[str] = ()
    trace: Callable[[HttpExchange], None] | None = field(default=None, repr=False)
    mask: Mask = field(init=False, repr=False)
    mask_answer: Mask = field(init=False, repr=False)
    _session: aiohttp.ClientSession | None = field(default=None, init=False, repr=False)
    _loop: asyncio.AbstractEventLoop | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        self.mask = Mask.of([*self.secrets, *secrets_in(self.url)])
        self.mask_answer = self.mask.strong

    async def session(self) -> aiohttp.ClientSession:
        """Return the client session for the running event loop. It is opened on first use."""
        loop = asyncio.get_running_loop()
        if self._session is None or self._loop is not loop or self._session.closed:
            import aiohttp

            await self.close()
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=self.connections),
                headers={"Content-Type": "application/json", **self.headers},
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=min(30.0, self.timeout or 30.0)),
                cookie_jar=aiohttp.DummyCookieJar(),
            )
            self._loop = loop
        return self._session

    async def close(self) -> None:
        """Close the client session. A later request opens a new one."""
        session, self._session = self._session, None
        if session is None or session.closed:
            return
        if self._loop is asyncio.get_running_loop():
            await session.close()
        else:
            session.detach()  # its event loop has ended, and its connections with it

    @property
    def origin(self) -> str:
        """The scheme, host and port of the address. Endpoints with the same origin are expected to fail together."""
        scheme, _, rest = self.url.partition("://")
        return f"{scheme}://{rest.partition('/')[0]}".lower()

    @property
    def note(self) -> str:
        """A note for the run's report that names the values removed because they looked like secrets, or ""."""
        guessed = [secret for secret in (*self.secrets, *secrets_in(self.url, "its address")) if secret.guessed]
        names = ", ".join(dict.fromkeys(secret.name for secret in guessed))
        if not names:
            return ""
        return (
            f"{self.public_url}: the value of {names} looks like a secret and was masked on suspicion; a secret is "
            "safest in an environment variable (env:NAME in a header)"
        )

    @property
    def public_url(self) -> str:
        """The address without its secrets."""
        return str(without_secrets(self.url))

    async def send(self, body: bytes | None, *, method: str = "POST", url: str | None = None) -> Received:
        """Send one request and return the response.

        Raises:
            Retryable: the connection failed or broke off, the request timed out, or the server is overloaded.
            AccessDenied: the address cannot be used at all.
            SystemFailure: the answer is too large, or its status indicates a failure.
        """
        import aiohttp

        session = await self.session()
        try:
            async with (
                asyncio.timeout(self.timeout or None),  # the only timeout, since aiohttp's own takes more time
                session.request(method, url or self.url, data=body, allow_redirects=False) as response,
            ):
                payload = await self._payload(response)
                received = Received(payload, response.headers.get("Content-Type", ""))
                if self.trace is not None:
                    self.trace(self._exchange(response, body, received))
                if response.status >= 300:
                    raise self.refusal(response.status, payload, response.headers)
                return received
        except (TimeoutError, aiohttp.ClientError, ConnectionError) as error:
            failure = self._lost(error)
        raise failure  # outside of `except`: aiohttp's error holds the whole request and must not be attached to it

    def _lost(self, error: Exception) -> SystemFailure:
        """Return the error to raise for a request that got no response."""
        import aiohttp

        if isinstance(error, TimeoutError):
            return Retryable(self.named(f"no answer within {self.timeout:g} s; raise the system's timeout"))
        if isinstance(error, aiohttp.ClientConnectorCertificateError):
            return AccessDenied(self.named(f"its certificate is not accepted: {error}"))
        if isinstance(error, aiohttp.InvalidURL):
            return AccessDenied(self.named("not a usable address"))
        if isinstance(error, aiohttp.ClientConnectorError):
            return Retryable(self.named(f"cannot be reached: {_reason(error)}"), kind="refused")
        return Retryable(self.named(f"connection lost: {str(error).strip() or type(error).__name__}"))

    def _exchange(self, response: aiohttp.ClientResponse, body: bytes | None, received: Received) -> HttpExchange:
        def hidden(headers: Mapping[str, str]) -> dict[str, str]:
            return {name: self.mask(str(without_secrets(value, name, sent=False))) for name, value in headers.items()}

        return HttpExchange(
            method=response.method,
            url=self.mask(scrubbed(str(response.url), guess=True)),
            sent_headers=hidden(response.request_info.headers),
            sent=self._shown(decoded(body or b"")),
            status=response.status,
            headers=hidden(response.headers),
            received=self._shown(received.text),
        )

    def _shown(self, body: str) -> str:
        """Format a body for display, with secrets removed, including tokens issued by the server."""
        masked = self.mask(body)
        try:
            return json.dumps(without_secrets(json.loads(masked), sent=False), ensure_ascii=False)
        except (ValueError, RecursionError):
            return scrubbed(masked)

    async def _payload(self, response: aiohttp.ClientResponse) -> bytes:
        """Return the decompressed body. At most `largest` bytes are read, whatever size the header states."""
        if response.content_length is not None and "Content-Encoding" not in response.headers:
            if response.content_length <= self.largest:
                return await response.read()
            raise self._too_large(response)
        payload = bytearray()
        async for chunk in response.content.iter_any():
            payload += chunk
            if len(payload) > self.largest:
                raise self._too_large(response)
        return bytes(payload)

    def _too_large(self, response: aiohttp.ClientResponse) -> SystemFailure:
        response.close()  # closes the connection, so that the rest of the answer is not read
        return SystemFailure(self.named(f"the answer is larger than {self.largest / 1e6:g} MB"))

    def parse(self, payload: bytes | str) -> Any:
        """Parse a body as JSON. Raise SystemFailure if it is not JSON."""
        try:
            return pydantic_core.from_json(payload)  # takes a quarter of the time of Python's parser
        except ValueError:
            pass  # Python's parser accepts more: lone surrogates, other encodings, deeper nesting
        try:
            return _loaded(payload)
        except (ValueError, RecursionError):
            failure = SystemFailure(self.named(f"the answer is not JSON: {brief_value(payload, self.mask)}"))
        raise failure  # outside of `except`: the parser's error holds the whole body

    def refusal(self, status: int, payload: bytes, headers: Mapping[str, str], *, where: str = "") -> SystemFailure:
        """Return the error to raise for an unsuccessful status. Its message begins with `where`."""
        reason, code = said_in(payload, self.mask)
        message = self.named(f"{where}HTTP {status}{': ' + reason if reason else ''}")
        if code in _QUOTA:
            return AccessDenied(f"{message}; the quota of this key is spent")
        if status in (401, 403) or code in _KEY_REJECTED:
            return AccessDenied(f"{message}; {self.key_hint}" if self.key_hint else message)
        if status == 404:
            return AccessDenied(f"{message}; {self.absent_hint}")
        if status in _RETRYABLE or status >= 500:
            return Retryable(message, after=retry_after(headers), kind=_KINDS.get(status, "fault"))
        if 300 <= status < 400:
            location = headers.get("Location", "elsewhere")
            shown = brief_value(location, lambda text: scrubbed(self.mask(text), guess=True))
            return AccessDenied(self.named(f"moved to {shown}; use that address"))
        if status == 405:
            message += "; questions may need another path or another method"
        return Refused(message, status=status, code=code)

    def named(self, what: str) -> str:
        """Return an error message about this address on one line, without secrets or invisible characters."""
        return self.clean(f"{self.name or self.public_url}: {what}")

    def clean(self, text: str) -> str:
        """Put a message on one line, remove every secret and escape control characters."""
        return on_one_line(self.mask(text))


def _loaded(payload: bytes | str) -> Any:
    """Parse a body with Python's JSON parser.

    Lone surrogates are kept, and bytes that do not fit the encoding are read as windows-1252.
    """
    try:
        return json.loads(payload)
    except UnicodeDecodeError:
        assert isinstance(payload, bytes)
        return json.loads(decoded(payload, json.detect_encoding(payload)))


def _reason(error: aiohttp.ClientConnectorError) -> str:
    """Return the reason why no connection could be made, and what to check first."""
    cause = error.os_error
    if isinstance(cause, ConnectionRefusedError):
        return "nothing is listening there; is it running, and is the port correct?"
    if isinstance(cause, socket.gaierror):
        return f"{cause.strerror or 'unknown host'}; is the host name correct?"
    if isinstance(cause, ssl.SSLError) and "WRONG_VERSION_NUMBER" in str(cause):
        return "it does not use TLS; is it http://, not https://?"
    return str(error.strerror or error)


class Refused(SystemFailure):
    """Raised if the endpoint rejects this request (too long, filtered, malformed) but may accept others."""

    def __init__(self, message: str, *, status: int, code: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


def written(data: Any) -> bytes:
    """Serialise JSON data for a request body."""
    try:
        return pydantic_core.to_json(data)  # takes a fifth of the time of Python's writer
    except ValueError:  # lone surrogates, which can only be written as escapes
        return json.dumps(data).encode("ascii")
