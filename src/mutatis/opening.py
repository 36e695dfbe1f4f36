"""Marks options that name files or models to read, load or write, and resolves these names.

The names are shown to the user before a report from someone else is replayed. Names in a configuration are relative to
its folder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, get_args

import pydantic
from pydantic.fields import FieldInfo

from mutatis.options import models_in, values_with_paths


@dataclass(frozen=True, slots=True)
class Opens:
    """Annotation of an option whose value names a file or model that is read, loaded or written.

    Attributes:
        what: the action, for use in messages ("reads the file").
        endings: suffixes that mark a value as a name; other values are not resolved.
        shipped: values that refer to contents of the package.
        hub: whether a name that is not a local folder may refer to a model on a model hub.
    """

    what: Literal["reads the file", "loads the model", "writes the file"]
    endings: tuple[str, ...] = ("",)
    shipped: tuple[str, ...] = ()
    hub: bool = False

    def place(self, name: str, path: Callable[[str], Path]) -> str:
        """Resolve a name to a path with the function `path`.

        Values that do not name a local file are returned unchanged.
        """
        if not name or name in self.shipped or not name.endswith(self.endings):
            return name
        place = path(name)
        return name if self.hub and not place.is_dir() else str(place)


FileName: TypeAlias = Annotated[str, Opens("reads the file"), pydantic.Field(min_length=1)]
"""Type of an option that holds the path of a file or folder to read."""

ModelName: TypeAlias = Annotated[str, Opens("loads the model", hub=True)]
"""Type of an option that holds the folder of a model, or its name on a hub."""

OutputName: TypeAlias = Annotated[str, Opens("writes the file")]
"""Type of an option that holds the path of a file or folder to write."""


def opened(table: pydantic.BaseModel) -> Iterator[tuple[Opens, str]]:
    """Yield the names of files and models in the options of a table and its subtables, each with its annotation.

    >>> class Bot(pydantic.BaseModel):
    ...     weights: ModelName | None = None
    ...     notes: list[FileName] = []
    >>> [(mark.what, name) for mark, name in opened(Bot(weights="w", notes=["a", "b"]))]
    [('loads the model', 'w'), ('reads the file', 'a'), ('reads the file', 'b')]
    """
    for option, field in type(table).model_fields.items():
        for _, value in values_with_paths(getattr(table, option)):
            if isinstance(value, pydantic.BaseModel):
                yield from opened(value)
            elif isinstance(value, str) and value:
                yield from ((mark, value) for mark in _marks(field) if value.endswith(mark.endings))


def placed(model: type[pydantic.BaseModel], options: Mapping[str, Any], path: Callable[[str], Path]) -> dict[str, Any]:
    """Return the options of a `model` with `path` applied to every file name. Other options are left unchanged.

    >>> class Bot(pydantic.BaseModel):
    ...     weights: ModelName | None = None
    ...     notes: list[FileName] = []
    >>> placed(Bot, {"weights": "on/a-hub", "notes": ["a", "b"]}, lambda name: Path("folder", name))
    {'weights': 'on/a-hub', 'notes': ['folder/a', 'folder/b']}
    """
    fields = model.model_fields
    return {name: _placed(fields[name], value, path) if name in fields else value for name, value in options.items()}


def _placed(field: FieldInfo, value: Any, path: Callable[[str], Path]) -> Any:
    inner, mark = next(models_in(field.annotation), None), next(iter(_marks(field)), None)
    if inner is not None and isinstance(value, Mapping):
        return placed(inner, value, path)
    if isinstance(value, list | tuple):
        return [_placed(field, item, path) for item in value]
    return mark.place(value, path) if mark is not None and isinstance(value, str) else value


def _marks(field: FieldInfo) -> list[Opens]:
    """Return the `Opens` annotations of an option's type, including those inside a union or a list."""
    return [mark for mark in (*field.metadata, *_annotated(field.annotation)) if isinstance(mark, Opens)]


def _annotated(annotation: Any) -> Iterator[Any]:
    yield from getattr(annotation, "__metadata__", ())
    for argument in get_args(annotation):
        yield from _annotated(argument)
