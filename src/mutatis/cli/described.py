"""The options of a model in plain words: type, default and meaning of each. Knows pydantic, no kind of thing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import pydantic

from mutatis.options import meanings

TYPES: tuple[tuple[type, str], ...] = (
    (bool, "true or false"),  # before int, of which it is one
    (int, "whole number"),
    (float, "number"),
    (str, "text"),
    (Path, "text"),
    (pydantic.BaseModel, "table"),
)
"""Words for types; the first that fits."""


def described(model: type[pydantic.BaseModel]) -> dict[str, dict[str, Any]]:
    """Return type, default and meaning of every option, by name; `required` says whether it must be given.

    >>> from mutatis.options import Options
    >>> class Bot(Options):
    ...     \"\"\"A bot.
    ...
    ...     Attributes:
    ...         size: how large.
    ...     \"\"\"
    ...     size: int | None = None
    >>> described(Bot)
    {'size': {'type': 'whole number', 'required': False, 'default': None, 'summary': 'how large'}}
    """
    summaries = meanings(model)
    return {
        name: {
            "type": " or ".join(dict.fromkeys(_words(field.annotation))),
            "required": field.is_required(),
            "default": None if field.is_required() else _plain(field.get_default(call_default_factory=True)),
            "summary": re.sub(r"(?<!\.)\.$", "", summaries.get(name, "")),
        }
        for name, field in model.model_fields.items()
    }


def option_lines(options: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return one line per option: name, type, default if it is informative, meaning.

    >>> option_lines({"size": {"type": "number", "required": False, "default": 3, "summary": "how large"}})
    ['size  number = 3: how large']
    """
    width = max(map(len, options), default=0)
    told = []
    for name, option in options.items():
        default, kind = option["default"], option["type"]
        if option["required"]:
            kind += ", needed"
        elif default not in (None, "", [], {}):
            kind += f" = {json.dumps(default, ensure_ascii=False)}"
        told.append(f"{name:<{width}}  {kind}" + (f": {option['summary']}" if option["summary"] else ""))
    return told


def _words(annotation: Any) -> Iterator[str]:
    """Yield the words for an option's type. Its default shows that it may be left out."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        yield from _words(arguments[0])
    elif origin in (Union, UnionType):
        yield from (word for argument in arguments if argument is not NoneType for word in _words(argument))
    elif origin is Literal:
        yield from (json.dumps(value) for value in arguments)
    else:
        yield _word(origin or annotation)


def _word(kind: Any) -> str:
    if not isinstance(kind, type):
        return "anything"
    if known := next((word for known, word in TYPES if issubclass(kind, known)), ""):
        return known
    if issubclass(kind, Mapping):
        return "table"
    if issubclass(kind, Sequence):
        return "list"
    return "function" if issubclass(kind, Callable) else "object"  # type: ignore[arg-type]


def _plain(default: Any) -> Any:
    """Return a default as TOML writes it, or None if TOML cannot."""
    try:
        return json.loads(json.dumps(default, default=_jsonable))
    except TypeError:
        return None


def _jsonable(value: Any) -> Any:
    if isinstance(value, pydantic.BaseModel):
        return value.model_dump(mode="json", exclude_defaults=True)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError
