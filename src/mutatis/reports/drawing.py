"""Templates, styles and scripts shared by all pages: everything is escaped, and only our scripts run."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any

from markupsafe import Markup, escape

from mutatis.reports.marking import COARSE, MarkedSpan, visible
from mutatis.reports.numbers import line, number
from mutatis.reports.pairs import TurnView


def script_json(value: Any) -> str:
    """Return JSON that is safe inside a script element: no text in it ends the element or opens a comment."""
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")


def scripted(name: str) -> dict[str, str]:
    """Return a script with the hash that the page's policy allows."""
    script = template_text(name)
    return {"script": script, "script_hash": base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}


@cache
def page_template(name: str) -> Any:
    """Return a template that escapes all its values."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        loader=FunctionLoader(template_text),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"number": number, "line": line, "visible": visible}
    environment.globals |= {"spans": marked_html, "talk": _talk}
    return environment.get_template(name)


def marked_html(pieces: Iterable[MarkedSpan]) -> Markup:
    """Return pieces of text as HTML.

    This is not a macro, which would take ten times as long for the hundreds of thousands of pieces on a page.
    """
    parts = []
    for piece in pieces:
        if piece.coarse:
            parts.append(f'<span class="tag">{COARSE}</span> ')
        parts.append(f"<mark>{inert(piece.text)}</mark>" if piece.changed else inert(piece.text))
    return Markup("".join(parts))


_MEANT = re.compile("[&<>\"']")


def inert(text: str) -> str:
    """Return text as HTML. It is escaped only if it has special characters, since looking for them is cheaper."""
    return str(escape(text)) if _MEANT.search(text) else text


def _talk(turns: Iterable[TurnView]) -> Markup:
    """Return the earlier turns of a dialogue as list items."""
    items = []
    for turn in turns:
        tag = f' <span class="tag">{inert(turn.mark)}</span>' if turn.mark else ""
        reply = "" if turn.reply is None else f'<span class="reply"><bdi>{inert(turn.reply)}</bdi></span>'
        kind = ' class="marked"' if turn.mark else ""
        items.append(f'<li{kind}><span class="said"><bdi>{marked_html(turn.spans)}</bdi>{tag}</span>{reply}</li>')
    return Markup("\n".join(items))


def template_text(name: str) -> str:
    """Return a template, style sheet or script as text."""
    return (files("mutatis.reports") / "templates" / name).read_text(encoding="utf-8")
