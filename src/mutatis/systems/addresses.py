"""Checks the addresses of endpoints, and formats invalid ones for error messages."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from mutatis.core.errors import UsageError
from mutatis.secrets.masking import scrubbed

_NOT_IN_ADDRESS = re.compile(r"[\x00-\x20\x7f]")


def checked_url(url: str, option: str) -> str:
    """Return an address without a trailing slash.

    Raises:
        UsageError: `url`, the value of `option`, is not a valid address.
    """
    stated = f"{option} is {shown_address(url)!r}"
    if not re.match(r"https?://[^\s/]+", url):
        raise UsageError(f"{stated}; expected an address such as http://127.0.0.1:8000/v1")
    if re.match(r"https?://[^/]*@", url):
        raise UsageError(
            f"{option} contains a user name or password; pass these in a header from the environment instead"
        )
    if _NOT_IN_ADDRESS.search(url):
        raise UsageError(f"{stated}; an address cannot contain spaces: write %20 instead")
    try:
        port = urlsplit(url).port
    except ValueError:
        port = 0
    if port == 0:
        raise UsageError(f"{stated}; expected a host, and a port from 1 to 65535, such as http://127.0.0.1:8000/v1")
    return url.rstrip("/")


def shown_address(url: str) -> str:
    """Return an invalid address for an error message, without anything before an `@`, as it might be a password.

    >>> shown_address("htp:me:pw/1@host/chat?sig=ab&q=1")
    '***@host/chat?sig=***&q=1'
    """
    before, at, after = url.rpartition("@")
    return scrubbed(f"***@{after}" if at and ":" in before else url, guess=True)
