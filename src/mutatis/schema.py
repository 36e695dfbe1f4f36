"""Generates the JSON schema of the configuration, for use in editors. The schema ships next to this module.

`python -m mutatis.schema` regenerates it, and a test fails if it is out of date.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pydantic
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue

import mutatis.tasks  # noqa: F401 - both fill registries
from mutatis.config import Config
from mutatis.core.registry import Registry
from mutatis.core.relation import RELATIONS
from mutatis.core.task import TASKS
from mutatis.datasets import DATASETS
from mutatis.measures import MEASURES
from mutatis.options import meanings, models_in
from mutatis.plugins import load_plugins
from mutatis.recipes import RECIPES
from mutatis.relations.soundness import DEFAULT
from mutatis.search import SEARCHES
from mutatis.systems import SYSTEMS

FILE = Path(__file__).with_name("mutatis.schema.json")
"""Path of the shipped schema."""


class _Tolerant(GenerateJsonSchema):
    """Schema generator that accepts any value for types that TOML cannot express, such as functions."""

    def handle_invalid_for_json_schema(self, schema: Any, error_info: str) -> JsonSchemaValue:
        return {}


def schema() -> dict[str, Any]:
    """Return the schema with all keys, including the options of each system type, data format and search."""
    load_plugins(installed=False)
    whole = schema_of(Config)
    definitions: dict[str, Any] = whole["$defs"]
    _choose(definitions, "SystemSection", "type", SYSTEMS)
    _choose(definitions, "DataSection", "format", DATASETS)
    _choose(definitions, "SearchSection", "type", SEARCHES)
    _suggest(definitions["DataSection"]["properties"]["task"], TASKS)
    _suggest(definitions["JudgeSection"]["properties"]["measure"], MEASURES)
    properties: dict[str, Any] = whole["properties"]
    del properties["folder"]  # set by the program, not by the user
    selectors = _selectors()
    of_data, _ = definitions["DataSection"]["properties"]["relations"]["anyOf"]  # or null
    for place in (properties["relations"], of_data):
        place["items"] = {"anyOf": [{"enum": selectors}, {"type": "string"}]}
    one_recipe = {"anyOf": [{"enum": list(RECIPES)}, {"type": "string"}]}
    properties["recipe"] = {"anyOf": [one_recipe, {"type": "array", "items": one_recipe}]}
    properties["system"] = {"$ref": "#/$defs/SystemSection"}
    properties["data"] = {"anyOf": [{"$ref": "#/$defs/DataSection"}, properties["data"]]}
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "A configuration of mutatis",
        **{key: value for key, value in whole.items() if key != "title"},
    }


def schema_of(model: type[pydantic.BaseModel]) -> dict[str, Any]:
    """Return the schema of a model and its nested tables, with a description of each key that editors can show."""
    described = model.model_json_schema(schema_generator=_Tolerant)
    _explain(described, model)
    for inner in _inside(model):
        _explain(described["$defs"][inner.__name__], inner)
    return described


def _explain(described: dict[str, Any], model: type[pydantic.BaseModel]) -> None:
    if "description" in described:
        described["description"] = described["description"].partition("Attributes:")[0].strip()
    said = meanings(model)
    for name, place in described.get("properties", {}).items():
        if name in said:
            place["description"] = re.sub(r"(?<!\.)\.$", "", said[name])  # without the full stop, but with "..."


def _inside(model: type[pydantic.BaseModel]) -> Iterator[type[pydantic.BaseModel]]:
    for info in model.model_fields.values():
        for inner in models_in(info.annotation):
            yield inner
            yield from _inside(inner)


def _choose(definitions: dict[str, Any], section: str, key: str, registry: Registry[Any]) -> None:
    """Make the value of `key`, a name in the registry, determine which other keys a table may contain."""
    _suggest(definitions[section]["properties"][key], registry)
    cases = []
    for name in registry:
        model_schema = schema_of(registry[name].model)
        definitions |= model_schema.get("$defs", {})
        then = {"properties": model_schema["properties"]} if model_schema.get("properties") else {}
        if model_schema.get("required"):
            then["required"] = model_schema["required"]
        cases.append({"if": {"properties": {key: {"const": name}}, "required": [key]}, "then": then})
    definitions[section]["allOf"] = cases


def _suggest(place: dict[str, Any], names: Iterable[str]) -> None:
    """Make editors suggest these names without rejecting others, because users may add their own names."""
    for key in [key for key in place if key not in ("default", "title", "description")]:
        del place[key]
    place["anyOf"] = [{"enum": list(names)}, {"type": "string"}]


def _selectors() -> list[str]:
    tags = sorted({tag for name in RELATIONS for tag in RELATIONS[name].tags})
    ids = sorted(number for name in RELATIONS for number in RELATIONS[name].published.ids)
    return [DEFAULT, *RELATIONS, *(f"tag:{tag}" for tag in tags), *ids]


def text() -> str:
    """Return the schema as the text that ships with the package."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
    print(f"wrote {FILE}")
