"""Recognises names that mark a value as a secret, and names that mark it as public.

Only names are considered here. `forms` recognises the values themselves.
"""

from __future__ import annotations

import re
from functools import lru_cache

_ANYWHERE = re.compile(r"auth(?!ors?\b)|key|token|secret|cookie|password|credential|session", re.IGNORECASE)
"""Pattern for parts of a name that mark a secret anywhere in it: `OPENAI_API_KEY`, `x-apikey`."""

_WORDS = frozenset(
    {
        *("bearer", "cred", "creds", "csrf", "hmac", "jwt", "otp", "pass", "passphrase", "passwd", "pat", "pin", "pw"),
        *("pwd", "sas", "sid", "sig", "signature", "totp", "xsrf"),
    }
)
"""Words that mark a secret if they are a whole word of a name: `X-Amz-Signature`, `userPwd`, but not `signal`."""

_IN_ADDRESSES = frozenset({"code"})
"""Names that mark a secret only in an address. Elsewhere, a code may be a language code, for example."""

_PLAIN = frozenset(
    {
        *("adapter", "build", "checkpoint", "checksum", "commit", "deployment", "digest", "engine", "etag", "hash"),
        *("lora", "md5", "model", "release", "revision", "sha", "sha1", "sha256", "sha512", "version"),
    }
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
    """Return True if a query parameter with this name is considered a secret."""
    return name.lower() in _IN_ADDRESSES or looks_secret(name)


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
