"""Defines the base class of file records. They are immutable, keep unknown keys and allow any text.

Their values can be read as attributes or as items.
"""

from __future__ import annotations

from typing import Annotated, Any

import pydantic
from pydantic_core import core_schema


class _AnyText:
    """A string annotation that makes pydantic accept lone surrogates, which answers and data may contain."""

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: object, handler: pydantic.GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        # JSON text that pydantic parses itself cannot contain them, so its own, faster type is enough there.
        return core_schema.json_or_python_schema(
            json_schema=core_schema.str_schema(), python_schema=core_schema.is_instance_schema(str, cls_repr="text")
        )


Text = Annotated[str, _AnyText]

Rate = Annotated[float, pydantic.Field(ge=0, le=1)]

# Factories, because pydantic deep-copies a mutable default for every record, which takes half of the reading time.
ITEMS: Any = pydantic.Field(default_factory=list, json_schema_extra={"default": []})
TABLE: Any = pydantic.Field(default_factory=dict, json_schema_extra={"default": {}})

_FIELD_SETS: dict[frozenset[str], set[str]] = {}
"""The sets of field names in use, which equal records share."""


class ReportRecord(pydantic.BaseModel):
    """A record in the report. Its values can be read as attributes, or as items with the same names as in the JSON."""

    model_config = pydantic.ConfigDict(extra="allow", frozen=True, allow_inf_nan=False)

    def model_post_init(self, _: Any, /) -> None:
        """Share equal sets of field names between records, since they would otherwise take up two thirds of the memory.

        This is safe because records are immutable.
        """
        shared = _FIELD_SETS.setdefault(frozenset(self.__pydantic_fields_set__), self.__pydantic_fields_set__)
        object.__setattr__(self, "__pydantic_fields_set__", shared)

    def __getitem__(self, name: str) -> Any:
        if name in type(self).model_fields or name in (self.model_extra or {}):
            return getattr(self, name)
        raise KeyError(name)

    def to_json(self) -> dict[str, Any]:
        """Return the record as JSON data, leaving out fields that were never set."""
        return self.model_dump(exclude_unset=True)
