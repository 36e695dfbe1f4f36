"""Checks data against the JSON schema of a test case: required keys, types, enumerations and formats.

A case provides its schema as the material named `schema`. A description in prose is not checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import jsonschema
import referencing

from mutatis.core.parsing import NotReadable, json_of

SCHEMA = "schema"
"""Name of the material that holds the JSON schema of a test case."""


def schema_in(material: Mapping[str, str]) -> Mapping[str, Any] | None:
    """Return the JSON schema of a case, or None if it has none or only describes the data in prose.

    >>> schema_in({"schema": '{"properties": {"n": {"type": "integer"}}}'}), schema_in({"schema": "name and age"})
    ({'properties': {'n': {'type': 'integer'}}}, None)
    """
    return _schema_of(material.get(SCHEMA, ""))


@lru_cache(maxsize=64)
def _schema_of(text: str) -> Mapping[str, Any] | None:
    try:
        data = json_of(text) if text.lstrip().startswith("{") else None
        if not isinstance(data, dict) or not {"type", "properties", "items", "$schema"} & data.keys():
            return None
        jsonschema.Draft202012Validator.check_schema(data)
    except (NotReadable, jsonschema.SchemaError, RecursionError):
        return None
    return data


def misfit(data: Any, schema: Mapping[str, Any]) -> str:
    """Describe how data violate a schema, and where. Return "" if they conform to it.

    >>> misfit({"n": "x"}, {"properties": {"n": {"type": "integer"}}})
    "n: 'x' is not of type 'integer'"
    """
    try:
        # With a registry of its own it opens no file or address that a schema refers to.
        checks = jsonschema.Draft202012Validator(
            schema, format_checker=jsonschema.FormatChecker(), registry=referencing.Registry()
        )
        errors = sorted(checks.iter_errors(data), key=lambda error: [str(step) for step in error.absolute_path])
    except Exception:  # a reference that leads nowhere, or in a circle: nobody can say whether it fits
        return ""
    if not errors:
        return ""
    place = ".".join(str(step) for step in errors[0].absolute_path)
    message = " ".join(errors[0].message.split())
    return f"{place}: {message[:120]}" if place else message[:120]


def without_blanks(data: Any, schema: Mapping[str, Any]) -> Any:
    """Remove keys whose value is null or "" from JSON data, unless the schema requires them.

    >>> without_blanks({"a": None, "b": ""}, {"properties": {"a": {}}, "required": ["b"]})
    {'b': ''}
    """
    if isinstance(data, list):
        inner = schema.get("items")
        return [without_blanks(item, inner if isinstance(inner, Mapping) else {}) for item in data]
    if not isinstance(data, dict):
        return data
    properties, required = schema.get("properties"), schema.get("required")
    tables = properties if isinstance(properties, Mapping) else {}
    needed = required if isinstance(required, list) else []
    kept = {name: value for name, value in data.items() if name in needed or (value is not None and value != "")}
    inner_schemas = {name: tables[name] if isinstance(tables.get(name), Mapping) else {} for name in kept}
    return {name: without_blanks(value, inner_schemas[name]) for name, value in kept.items()}


def with_defaults(data: Any, schema: Mapping[str, Any]) -> Any:
    """Fill in default values for the keys that are missing from JSON data.

    >>> with_defaults({"a": 1}, {"properties": {"a": {}, "unit": {"default": "m"}}})
    {'unit': 'm', 'a': 1}
    """
    if isinstance(data, list):
        inner = schema.get("items")
        return [with_defaults(item, inner) for item in data] if isinstance(inner, Mapping) else data
    properties = schema.get("properties")
    if not isinstance(data, dict) or not isinstance(properties, Mapping):
        return data
    tables = {name: inner for name, inner in properties.items() if isinstance(inner, Mapping)}
    usual = {name: inner["default"] for name, inner in tables.items() if "default" in inner}
    return usual | {
        name: with_defaults(value, tables[name]) if name in tables else value for name, value in data.items()
    }
