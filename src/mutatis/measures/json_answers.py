"""Compares the JSON data of two answers: keys and values, numbers, lists and strings.

If the case has a JSON schema, data that violate it differ from data that conform to it, and omitted values take their
default. Keys without a value are ignored. Numbers are equal within a millionth, even if one is written as text. The
order of lists does not matter. Dates, places and units may be written in different ways. Two strings that no rule
decides are left to the judge of short answers, and the pair is undecided if that judge is unsure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import jsonschema
import referencing

from mutatis.core.measure import Comparison, Similarity
from mutatis.core.parsing import NotReadable, json_of
from mutatis.measures.argument_values import SAME, compare_values, list_in, table_in
from mutatis.measures.catalogue import add_pair_measure
from mutatis.measures.payload import json_data
from mutatis.measures.similarities import cannot_tell, different, most_similar, same

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
        return [without_blanks(item, table_in(schema.get("items"))) for item in data]
    if not isinstance(data, dict):
        return data
    properties, needed = table_in(schema.get("properties")), list_in(schema.get("required"))
    kept = {name: value for name, value in data.items() if name in needed or (value is not None and value != "")}
    return {name: without_blanks(value, table_in(properties.get(name))) for name, value in kept.items()}


def with_defaults(data: Any, schema: Mapping[str, Any]) -> Any:
    """Fill in default values for the keys that are missing from JSON data.

    >>> with_defaults([{"a": 1}], {"items": {"properties": {"a": {}, "unit": {"default": "m"}}}})
    [{'unit': 'm', 'a': 1}]
    """
    if isinstance(data, list):
        return [with_defaults(item, table_in(schema.get("items"))) for item in data]
    if not isinstance(data, dict):
        return data
    inner = {name: table_in(schema_there) for name, schema_there in table_in(schema.get("properties")).items()}
    usual = {name: schema_there["default"] for name, schema_there in inner.items() if "default" in schema_there}
    return usual | {name: with_defaults(value, inner.get(name, {})) for name, value in data.items()}


def compare_data(first: Any, second: Any) -> Similarity:
    """Compare two JSON values.

    >>> compare_data({"n": 2, "tags": ["a", "b"]}, {"tags": ["B", "A"], "n": "2", "note": None}).score
    0.95
    >>> compare_data({"n": 2}, {"n": 3}).reason
    'n: 2 / 3'
    """
    first, second = without_empty(first), without_empty(second)
    if first == second:
        return same("the same JSON data", 1.0)
    if isinstance(first, dict) is not isinstance(second, dict):
        return different("one is an object, the other is not")
    verdict = compare_values(first, second, _shape(first, second))
    if verdict is SAME:
        return same("the same JSON data", 0.95)  # some values are written differently
    return replace(verdict, reason=verdict.reason.removeprefix("."))  # the data as a whole have no name before the dot


def without_empty(data: Any) -> Any:
    """Remove keys whose value is null, or an empty string, list or object, from JSON data.

    >>> without_empty({"a": None, "b": {"c": ""}, "d": [1, {"e": None}]})
    {'d': [1, {}]}
    """
    if isinstance(data, Mapping):
        kept = {name: without_empty(value) for name, value in data.items()}
        return {name: value for name, value in kept.items() if value is not None and value not in ("", [], {})}
    return [without_empty(item) for item in data] if isinstance(data, list) else data


def _shape(*values: Any) -> dict[str, Any]:
    """Return a schema that requires every key found in any of the values."""
    tables = [value for value in values if isinstance(value, Mapping)]
    lists = [item for value in values if isinstance(value, list) for item in value]
    names = list(dict.fromkeys(name for table in tables for name in table))
    shape: dict[str, Any] = {}
    if names:
        inner = {name: _shape(*(table[name] for table in tables if name in table)) for name in names}
        shape |= {"properties": inner, "required": names}
    if lists:
        shape["items"] = _shape(*lists)
    return shape


def _compared(comparison: Comparison) -> Similarity:
    """Compare an answer with the most similar of the accepted answers."""
    return most_similar(
        _compare_answers(_data(value), _data(comparison.answer), comparison.schema) for value in comparison.reference
    )


def _compare_answers(reference: Any, answer: Any, schema: Mapping[str, Any] | None) -> Similarity:
    """Compare two answers. None stands for an answer that is not JSON data."""
    if reference is None and answer is None:
        return cannot_tell("neither answer is JSON data")
    if reference is None or answer is None:
        return different("one answer is JSON data, the other is not")
    if schema is None:
        return compare_data(reference, answer)
    return _by_schema(without_blanks(reference, schema), without_blanks(answer, schema), schema)


def _by_schema(reference: Any, answer: Any, schema: Mapping[str, Any]) -> Similarity:
    """Compare two JSON values after filling in defaults. They differ if only one violates the schema."""
    first, second = misfit(reference, schema), misfit(answer, schema)
    if bool(first) != bool(second):
        return different(f"one answer breaks the schema: {first or second}")
    return compare_data(with_defaults(reference, schema), with_defaults(answer, schema))


def _data(value: Any) -> Any:
    """Return the JSON data in a text, or an object or list itself, or None for any other value."""
    if isinstance(value, str):
        return json_data(value)
    return value if isinstance(value, dict | list) else None


add_pair_measure(
    "json",
    _compared,
    summary="JSON data, by schema and shape: lists as sets, numbers and dates in any notation; else open.",
    kinds=("data", "text"),
)
