"""Finds the secrets in a text or in JSON data, by name, by surrounding text, by form, or by guessing.

The results are positions in a text, for `masking` to remove the secrets.
"""

from __future__ import annotations

import hashlib
import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
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
    odd = [len(chunk) for chunk in _CHUNK.findall(piece) if _is_odd_chunk(chunk)]
    most_of_it = sum(odd) >= max(LEAST - 4, len(piece) / 2)
    return (most_of_it or max(odd, default=0) >= LEAST) and _bits(piece) >= RANDOM_BITS


def _is_odd_chunk(chunk: str) -> bool:
    """Return True if letters and digits, or upper and lower case, alternate more often than they do in names."""
    if len(chunk) <= 4 or chunk.isdigit():  # "2026", "70B", "v2"
        return False
    stretch = len(chunk) / len(_STRETCH.findall(chunk))
    return stretch < (CASE_STRETCH if chunk.isalpha() else STRETCH)


def _bits(text: str) -> float:
    """Return the entropy per character in bits."""
    return -sum(count / len(text) * math.log2(count / len(text)) for count in Counter(text).values())


_ANYWHERE = re.compile(r"auth(?!ors?\b)|key|token|secret|cookie|password|credential|session", re.IGNORECASE)
"""Pattern for parts of a name that mark a secret anywhere in it: `OPENAI_API_KEY`, `x-apikey`."""

_WORDS = frozenset(
    "bearer cred creds csrf hmac jwt otp pass passphrase passwd pat pin pw pwd sas sid sig signature totp xsrf".split()
)
"""Words that mark a secret if they are a whole word of a name: `X-Amz-Signature`, `userPwd`, but not `signal`."""

_PLAIN = frozenset(
    "adapter build checkpoint checksum commit deployment digest engine etag hash lora md5 model release revision sha "
    "sha1 sha256 sha512 version".split()
)
"""Words in names whose values may look like secrets but must stay visible, such as the name of a model."""

_WORD = re.compile(r"[A-Z]?[a-z]+[0-9]*|[A-Z]+(?![a-z])[0-9]*|[0-9]+")


def looks_secret(name: str) -> bool:
    """Return True if a value with this name is considered a secret.

    >>> [looks_secret(name) for name in ("api_key", "userPwd", "X-Amz-Signature", "bypass", "authors", "code")]
    [True, True, True, False, False, False]
    """
    return _ANYWHERE.search(name) is not None or not _WORDS.isdisjoint(_words(name))


def looks_secret_in_address(name: str) -> bool:
    """Return True if a query parameter with this name is considered a secret.

    A code is one only in an address. Elsewhere, it may be the code of a language, for example.
    """
    return name.lower() == "code" or looks_secret(name)


def is_plain(name: str) -> bool:
    """Return True if a value with this name, such as a model or a hash, is never considered a secret.

    >>> [is_plain(name) for name in ("model", "modelRevision", "sha256", "model_key", "route")]
    [True, True, True, False, False]
    """
    return not looks_secret(name) and not _PLAIN.isdisjoint(_words(name))


@lru_cache(maxsize=1000)
def _words(name: str) -> frozenset[str]:
    words = [word.lower() for word in _WORD.findall(name[:200])]
    return frozenset([*words, *(word.rstrip("0123456789") for word in words)])


HIDDEN = "***"

STRONG = 8
"""Minimum length of a secret that is also removed from answers."""

SHORTEST = 4
"""Minimum length of a secret that is removed. Shorter texts would occur in every other word."""

_ADDRESS = re.compile(r"//[^\s\"'<>]{1,4000}")
"""Matches an address from its two slashes on."""

_USER = re.compile(r"//([^\s/?#@]*)@")
"""Matches the user name and password in an address."""

_PARAMETER = re.compile(r"([?&;#])([^?&;=#\s]{1,200})=([^?&;#\s]*+)")
"""Matches a query parameter with its name and value."""

_PATH = re.compile(r"[/?#]")
_QUERY = re.compile(r"[?#]")
_SEGMENT = re.compile(r"/([^/?#\s]+)")
_SCHEME = re.compile(r"(?:Bearer|Basic|Token|ApiKey|Digest|Negotiate)\s+", re.IGNORECASE)
"""Matches the scheme at the beginning of an authorisation header."""

_SCHEMED = re.compile(r"\b(?:Bearer|Basic|Token|ApiKey|Digest|Negotiate)\s{1,9}+([^\s\"',;<>]{8,})", re.IGNORECASE)
"""Matches the text after the scheme of an authorisation header."""

_NAMED = re.compile(r"(?<![\w.-])([\w.-]{2,80}+)[\"']?\s{0,9}+[:=]\s{0,9}+[\"']?([^\s\"',;&<>{}]{4,})", re.ASCII)
"""Matches a name and its value, as in "token: abcd" or "api_key=abcd"."""

_HOLE = re.compile(r"env:[A-Za-z_]\w*|\{[A-Za-z_]\w*\}")
"""Matches a reference to a variable or a placeholder."""

_PART = re.compile(r"[^\s;,=]++")
_OF_ADDRESSES = frozenset("/?#@;,= \t\n")
_BOT = re.compile(r"bot(?=(\d++:)?)(.+)", re.DOTALL)
"""Pattern for the text before the key in Telegram's addresses. The key follows directly and begins with a number."""
_DIGITS_INSIDE = re.compile(r"\A(?=[A-Za-z0-9]{8})[A-Za-z]++[0-9]++[A-Za-z]")
"""Pattern for the start of an invented key, such as "hunter2zebra". In names, digits are at one end ("handler2")."""

SENT = frozenset({"headers", "request", "extra_body", "url", "base_url", "session_start", "prompt", "system_message"})
"""Options whose values are sent to an endpoint."""


@dataclass(frozen=True, slots=True)
class Secret:
    """A text that is a secret. `guessed` is set if it only looks like one, and `name` is the name of its field."""

    text: str
    guessed: bool = False
    name: str = ""

    @property
    def shown(self) -> str:
        """The replacement for the secret. A guessed secret is marked as a guess and gets part of a hash.

        If the guess is wrong, two different values may stand for two systems, so their replacements must differ. The 32
        bits of the hash reveal nothing about a text that looks random.
        """
        if not self.guessed:
            return HIDDEN
        return f"{HIDDEN}(masked by guess, {hashlib.sha256(self.text.encode('utf-8', 'replace')).hexdigest()[:8]})"


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """The position of a secret in a text."""

    start: int
    end: int
    guessed: bool = False


def is_reference(text: str) -> bool:
    """Return True if a text contains no secret itself, but only a reference to one.

    >>> [is_reference(text) for text in ("env:KEY", "Bearer env:KEY", "{session}", "sk-1234-{session}")]
    [True, True, True, False]
    """
    literal = _HOLE.sub("", text)
    return literal != text and len(_SCHEME.sub("", literal + " ", count=1).strip()) < SHORTEST


def is_strong(text: str) -> bool:
    """Return True if a secret cannot be mistaken for a word. Words such as "EMPTY" or "tester" are kept in answers.

    >>> [is_strong(text) for text in ("production", "hunter22", "correcthorsebattery", "swordFish", "8080")]
    [False, True, True, True, False]
    """
    one_case = text.islower() or text.isupper() or text.istitle()
    return len(text) >= STRONG and not (text.isalpha() and one_case and len(text) < 2 * STRONG)


def secret_places(text: str, *, guess: bool = False) -> list[Place]:
    """Return the positions of secrets in a text that is not marked as a secret by its name, without overlaps.

    With `guess`, text that has the form of a service's token or looks random also counts as a secret.
    """
    addresses = list(_ADDRESS.finditer(text))
    certain = list(_certain(text, addresses))
    guessed: list[tuple[int, int]] = []
    if guess and len(text) >= LEAST:
        certain += known_tokens(text)
        hosts = [_host(address) for address in addresses]  # the name of a host is not a secret, even if it looks random
        guessed = [span for span in random_looking(text) if _is_free(span, hosts)]
    kept: list[tuple[int, int]] = []
    for span in sorted(certain, key=lambda span: (span[0], -span[1])):
        if span[0] < span[1] and _is_free(span, kept[-1:]):
            kept.append(span)
    marked = [Place(*span) for span in kept] + [Place(*span, True) for span in guessed if _is_free(span, kept)]
    return sorted(marked)


def _is_free(span: tuple[int, int], taken: Sequence[tuple[int, int]]) -> bool:
    """Return True if a span overlaps none of the spans chosen so far, which are sorted and disjoint."""
    after = bisect_left(taken, span[1], key=lambda other: other[0])
    return after == 0 or taken[after - 1][1] <= span[0]


def _certain(text: str, addresses: Iterable[re.Match[str]]) -> Iterator[tuple[int, int]]:
    for address in addresses:
        yield from _in_address(address.group(), address.start())
    for match in _PARAMETER.finditer(text):
        if looks_secret_in_address(match[2]) and not is_reference(match[3]):
            yield match.span(3)
    for match in _SCHEMED.finditer(text):
        if _is_odd(match[1]) and not is_reference(match[1]):
            yield match.span(1)
    for match in _NAMED.finditer(text):
        if looks_secret(match[1]) and _is_odd(match[2]) and not is_reference(match[2]):
            yield match.span(2)


def _is_odd(text: str) -> bool:
    """Return True if the text after a word such as "token" does not look like a word in a sentence."""
    return is_strong(text) and any(map(str.isdigit, text)) and "://" not in text


def _host(address: re.Match[str]) -> tuple[int, int]:
    end = _PATH.search(address.group(), 2)
    return address.start(), address.end() if end is None else address.start() + end.start()


def _in_address(address: str, start: int) -> Iterator[tuple[int, int]]:
    """Yield the positions of secrets in an address: the user, and segments of the path that are keys."""
    user = _USER.match(address)
    if user is not None:
        yield start + user.start(1), start + user.end(1)
    path = address if user is None else "/" * user.end() + address[user.end() :]
    before = ""
    for segment in _SEGMENT.finditer(_QUERY.split(path, maxsplit=1)[0], 2):
        part, offset = segment[1], start + segment.start(1)
        if (bot := _BOT.match(part)) is not None and _is_key(bot[1], bot[2]):
            yield offset + bot.start(2), offset + len(part)
        elif looks_secret(before) and _is_odd(part) and not is_reference(part):
            yield offset, offset + len(part)
        before = part


def _is_key(number: str | None, text: str) -> bool:
    """Return True if the text after "bot" is a key and not part of a word such as "bottles" or "bots2go"."""
    return number is not None or _DIGITS_INSIDE.match(text) is not None or is_random(text)


def secrets_in(value: Any, name: str = "", *, sent: bool = True) -> Iterator[Secret]:
    """Yield the secrets in JSON data, and those parts of each that are secrets themselves.

    `sent` means that the data go to an endpoint. Text that looks random then counts as a secret, unless its name rules
    this out. Without `sent`, this applies only to values under the keys `SENT`.
    """
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from secrets_in(inner, inherited(name, str(key)), sent=sent or key in SENT)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from secrets_in(inner, name, sent=sent)
    elif isinstance(value, str) and not is_reference(value):
        if is_secret_under(value, name):
            yield from (Secret(part, name=name) for part in parts(value))
            return
        for place in secret_places(value, guess=sent and not is_plain(name)):
            yield from (Secret(part, place.guessed, name) for part in parts(value[place.start : place.end]))


def inherited(name: str, key: str) -> str:
    """Return the name that decides whether a value is a secret. Every value inside "auth" is a secret."""
    return name if looks_secret(name) else key


def is_secret_under(value: str, name: str) -> bool:
    """Return True if a value's name marks it as a secret. References to variables or placeholders are not secrets."""
    return looks_secret(name) and not name.endswith("_env") and not is_reference(value)


def parts(text: str) -> Iterable[str]:
    """Return a secret and the parts that are secrets themselves.

    These are, for example, the value after "Bearer" or "session=", and the decoded value.
    """
    from urllib.parse import unquote, unquote_plus

    bare = _SCHEME.sub("", text, count=1)
    return dict.fromkeys(
        [text, bare, unquote(text), unquote_plus(text), *_basic(text, bare)]
        + [part for part in _PART.findall(text) if is_strong(part)]
        + ([text.partition(":")[2]] if _OF_ADDRESSES.isdisjoint(text) else [])  # of "user:password"
    )


def _basic(text: str, bare: str) -> list[str]:
    """Return "user:password" and the password from a basic authorization header, or [] for any other text."""
    import base64
    import binascii

    if not text[:6].lower().startswith("basic "):
        return []
    try:
        pair = base64.b64decode(bare, validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return []
    return [pair, pair.partition(":")[2]]
