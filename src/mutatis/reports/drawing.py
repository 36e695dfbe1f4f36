"""Templates, styles and scripts shared by all report pages.

Every value is escaped, and the pages run only our own scripts.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any

from markupsafe import Markup, escape

from mutatis.reports.marking import COARSE, MarkedSpan, visible
from mutatis.reports.numbers import interval_text, line, number, percent
from mutatis.reports.pairs import TurnView
from mutatis.reports.rates import doubt_text, rate_text, real_cell, remarks_text, sound_cell


def script_json(value: Any) -> str:
    """Return JSON that is safe inside a script element: it can neither close the element nor open a comment."""
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")


def scripted(name: str) -> dict[str, str]:
    """Return a script and its hash, which the page's content security policy needs to allow it."""
    script = template_text(name)
    return {"script": script, "script_hash": base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}


@cache
def page_template(name: str) -> Any:
    """Return a page template that escapes all its values. It knows the style sheet of all pages as `css`."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        loader=FunctionLoader(template_text),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"number": number, "line": line, "visible": visible, "percent": percent}
    environment.filters |= {"rate": rate_text, "interval": interval_text, "doubt": doubt_text, "remarks": remarks_text}
    environment.filters |= {"sound": sound_cell, "real": real_cell}
    environment.globals |= {"spans": marked_html, "talk": _talk, "css": template_text("report.css")}
    return environment.get_template(name)


def marked_html(pieces: Iterable[MarkedSpan]) -> Markup:
    """Return pieces of text as HTML, with the changed ones marked.

    It is not a template macro, because a page has many pieces and a macro would be ten times slower.
    """
    parts = []
    for piece in pieces:
        if piece.coarse:
            parts.append(f'<span class="tag">{COARSE}</span> ')
        parts.append(f"<mark>{escape(piece.text)}</mark>" if piece.changed else escape(piece.text))
    return Markup("".join(parts))


def _talk(turns: Iterable[TurnView]) -> Markup:
    """Return the earlier turns of a dialogue as HTML list items."""
    items = []
    for turn in turns:
        tag = f' <span class="tag">{escape(turn.mark)}</span>' if turn.mark else ""
        reply = "" if turn.reply is None else f'<span class="reply"><bdi>{escape(turn.reply)}</bdi></span>'
        kind = ' class="marked"' if turn.mark else ""
        items.append(f'<li{kind}><span class="said"><bdi>{marked_html(turn.spans)}</bdi>{tag}</span>{reply}</li>')
    return Markup("\n".join(items))


def template_text(name: str) -> str:
    """Return a template, style sheet or script as text."""
    return (files("mutatis.reports") / "templates" / name).read_text(encoding="utf-8")
