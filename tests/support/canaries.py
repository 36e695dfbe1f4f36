"""Keys put into a configuration wherever one can stand, and a look at whether any of them came out."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

PIECE = 8
"""Characters of a key in a row that are too many."""

CANARY = "sk-canary-9f8e7d6c5b4a39281706f5e4d3c2b1a0"

KEYS = {
    name: f"canary{hashlib.sha256(name.encode()).hexdigest()[:26]}"
    for name in (
        *(
            "code",
            "sig",
            "pwd",
            "passwd",
            "jwt",
            "X-Amz-Signature",
            "unknown parameter",
            "bot",
            "token",
            "path",
            "hash",
        ),
        *("bearer", "userPwd", "unknown header", "basic", "pass", "signature", "unknown key", "in a list", "in a text"),
    )
}
"""A key of its own for each place, so that one which is found elsewhere hides no other."""

PATH = f"bot{KEYS['bot']}/token/{KEYS['token']}/hook/{KEYS['path']}"
QUERY = (
    "?code={code}&sig={sig}&pwd={pwd}&passwd={passwd}&jwt={jwt}&X-Amz-Signature={X-Amz-Signature}"
    "&q={unknown parameter}#access_token={hash}"
).format_map(KEYS)
BASIC = base64.b64encode(f"me:{KEYS['basic']}".encode()).decode()
HEADERS = {
    "bearer": KEYS["bearer"],
    "X-userPwd": KEYS["userPwd"],
    "X-Team": KEYS["unknown header"],
    "X-User": f"Basic {BASIC}",
}
REQUEST: dict[str, Any] = {
    "pass": KEYS["pass"],
    "x": {"signature": KEYS["signature"], "route": KEYS["unknown key"], "list": [1, KEYS["in a list"]]},
    "about": f"use Authorization: Bearer {KEYS['in a text']}",
}


def leaked(content: bytes | str) -> dict[str, list[str]]:
    """Return the pieces of keys in a content, by where each key was put."""
    content = content.encode("utf-8", "replace") if isinstance(content, str) else content
    by_file = {}
    for name, key in {"everywhere": CANARY, "basic, encoded": BASIC, **KEYS}.items():
        pieces = {key[at : at + PIECE] for at in range(3, len(key) - PIECE + 1)} - {"canary-9"}
        by_file[name] = sorted(piece for piece in pieces if piece.encode() in content)
    return {name: pieces for name, pieces in by_file.items() if pieces}
