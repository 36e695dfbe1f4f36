"""Templates of requests: JSON with `{name}` for a part of the question.

Independent of the request's content and address.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from mutatis.core.errors import unknown_placeholder

_PLACEHOLDER = re.compile(r"\{([A-Za-z_]\w*)\}")
_WHOLE = frozenset({"messages", "history", "fields", "tools"})
"""Placeholders that stand for data if they are the whole text."""


def fill(template: Any, values: Mapping[str, Any]) -> Any:
    """Return a template with its placeholders replaced in one pass; braces in the data are left alone.

    >>> fill({"q": "{question}", "log": "{history}"}, {"question": "{x}", "history": []})
    {'q': '{x}', 'log': []}
    """
    if isinstance(template, Mapping):
        return {key: fill(value, values) for key, value in template.items()}
    if isinstance(template, list):
        return [fill(item, values) for item in template]
    if not isinstance(template, str):
        return template
    whole = _PLACEHOLDER.fullmatch(template)
    if whole and whole.group(1) in _WHOLE:
        return values[whole.group(1)]
    return _PLACEHOLDER.sub(lambda match: text_for(match.group(1), values), template)


def placeholders(template: Any) -> set[str]:
    """Return the names of the placeholders in a template.

    >>> sorted(placeholders({"q": ["{question}", 3], "{key}": "in {session}"}))
    ['question', 'session']
    """
    if isinstance(template, Mapping):
        template = list(template.values())  # keys are sent as they are
    if isinstance(template, list):
        return {name for item in template for name in placeholders(item)}
    return set(_PLACEHOLDER.findall(template)) if isinstance(template, str) else set()


def text_for(name: str, values: Mapping[str, Any]) -> str:
    """Return a placeholder's value as written inside a text; raise UsageError if it has none."""
    if name not in values:
        raise unknown_placeholder("the request template", name, "there is", values)
    value = values[name]
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
