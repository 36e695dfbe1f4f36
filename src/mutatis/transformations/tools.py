"""Edits the tools that a system may call: their order, number, descriptions and names.

What a tool does never changes. A renamed tool or argument is identified by its position.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from random import Random
from typing import Any, Literal, TypeAlias

from mutatis.core.calls import RENAMED, RESULTS, TOOLS, Tool, renamed_in, results_in, tools_in
from mutatis.core.cases import Case
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.languages import ENGLISH, EVERY
from mutatis.core.transformation import transformation
from mutatis.languages import language_tables
from mutatis.text.segments import stem
from mutatis.transformations.known import at_least_one, one_of

tool_edit = partial(transformation, level="case", capability="tools")
"""Decorator that registers an edit of the tools that a system may call."""

_WORD = re.compile(r"[A-Za-z]{3,}")
_LIKE = 0.2
"""Minimum share of common words, relative to the shorter tool, for two tools to be interchangeable."""


def needed_tools(case: Case) -> list[dict[str, Any]]:
    """Return the functions of a case's tools as copies that may be edited.

    Raises:
        UnusableFollowUp: the case has no tools.
    """
    tools = at_least_one(tools_in(case.material), "the case has no tools")
    return [json.loads(json.dumps(tool["function"])) for tool in tools]


def with_functions(case: Case, functions: Sequence[Mapping[str, Any]], **material: str) -> Case:
    """Return the case with the given functions as its tools."""
    tools = [{"type": "function", "function": function} for function in functions]
    return replace(case, material={**case.material, TOOLS: json.dumps(tools, ensure_ascii=False), **material})


def stems_of_function(function: Mapping[str, Any]) -> frozenset[str]:
    """Return the stems of the meaningful words in a tool's name and description.

    >>> sorted(stems_of_function({"name": "getWeather", "description": "Get the weather of a city."}))
    ['citi', 'weather']
    """
    text = f"{spoken_name(function)} {function.get('description') or ''}"
    return frozenset(stem(word) for word in _WORD.findall(text.lower()) if word not in tool_words("common"))


def spoken_name(function: Mapping[str, Any]) -> str:
    """Return the name of a tool as words.

    >>> spoken_name({"name": "getWeather"}), spoken_name({"name": "weather.get_now"})
    ('get weather', 'weather get now')
    """
    return re.sub(r"(?<=[a-z])(?=[A-Z])|[_.-]", " ", str(function["name"])).strip().lower()


def could_replace(first: Mapping[str, Any], second: Mapping[str, Any]) -> bool:
    """Return True if two tools are described so similarly that one could replace the other."""
    words, others = stems_of_function(first), stems_of_function(second)
    return len(words & others) >= _LIKE * max(1, min(len(words), len(others)))


def function_names(functions: Sequence[Mapping[str, Any]]) -> set[str]:
    """Return the names of the given tools."""
    return {str(function["name"]) for function in functions}


def stocked_tools() -> Sequence[Mapping[str, Any]]:
    """Return the tools in the package's own list. Some include a request that can be added to a message."""
    tools: Sequence[Mapping[str, Any]] = language_tables("tools")["tools"]
    return tools


@cache
def tool_words(name: str) -> frozenset[str]:
    """Return one of the word lists for tools: verbs that begin descriptions, or words that carry no meaning."""
    return frozenset(language_tables("tools")[name].split())


def as_function(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return a tool from the package's list in OpenAI's format."""
    properties = {name: {"type": kind, "description": text} for name, (kind, text) in entry["parameters"].items()}
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return {"name": entry["name"], "description": entry["description"], "parameters": schema}


def unlike(functions: Sequence[Mapping[str, Any]], message: str) -> list[Mapping[str, Any]]:
    """Return the tools in the package's list that share no word with the given tools or a message."""
    known = frozenset().union(*map(stems_of_function, functions), _stems(message))
    return [entry for entry in stocked_tools() if not stems_of_function(entry) & known]


@tool_edit("shuffle-tools", says="the tools in another order", languages=EVERY)
def shuffle_tools(case: Case, rng: Random) -> Case:
    """Put the tools in a different order.

    >>> from mutatis.doubles import told_tools, tool_case
    >>> case = tool_case("How cold is it?", get_weather="Get the weather.", list_files="List the files.")
    >>> told_tools(shuffle_tools(case, Random(1)))
    ['list_files: List the files.', 'get_weather: Get the weather.']
    """
    functions = needed_tools(case)
    if len(functions) < 2:
        raise UnusableFollowUp("there is only one tool")
    shuffled = rng.sample(functions, len(functions))
    return with_functions(case, shuffled if shuffled != functions else functions[::-1])


_RELATED = (
    ("describe_past_{}_requests", "List when {} was called before, and by whom. It does nothing itself."),
    ("{}_price_list", "Say what the use of {} costs in this program. It does nothing itself."),
    ("{}_usage_limits", "Say how often {} may still be called today. It does nothing itself."),
)


@tool_edit("add-related-tools", says="tools about the tools added", languages=EVERY)
def add_related_tools(case: Case, rng: Random) -> Case:
    """Add a useless tool with a similar name, such as a log or a price list, for one or two of the tools.

    >>> from mutatis.doubles import told_tools, tool_case
    >>> case = tool_case("How cold is it?", get_weather="Get the weather.")
    >>> told_tools(add_related_tools(case, Random(1)))[1]
    'get_weather_price_list: Say what the use of get_weather costs in this program. It does nothing itself.'
    """
    functions = needed_tools(case)
    mixed = list(functions)
    for function in rng.sample(functions, min(2, len(functions))):
        name, description = (template.format(function["name"]) for template in one_of(_RELATED, rng))
        if name in function_names(mixed):
            continue
        entry = {"name": name, "description": description, "parameters": {"type": "object", "properties": {}}}
        mixed.insert(int(rng.random() * (len(mixed) + 1)), entry)
    return with_functions(case, mixed)


_VERB = re.compile(r"^([A-Z][a-z]+)(?=\s)")


@tool_edit("reword-tools", says="the descriptions of the tools reworded", languages=ENGLISH)
def reword_tools(case: Case) -> Case:
    """Reword the tools' descriptions: "Use this tool to get the weather." for "Get the weather.".

    >>> from mutatis.doubles import told_tools, tool_case
    >>> case = tool_case("How cold is it?", get_weather="Get the weather.", list_files="List the files.")
    >>> told_tools(reword_tools(case))
    ['get_weather: Use this tool to get the weather.', 'list_files: Use this tool to list the files.']
    """
    functions = needed_tools(case)
    for function in functions:
        description = str(function.get("description") or "").strip()
        if description:
            function["description"] = _reworded(description)
    return with_functions(case, functions)


def _reworded(description: str) -> str:
    """Return a description with a different beginning.

    >>> _reworded("Get the weather."), _reworded("Gets the weather."), _reworded("Weather by city")
    ('Use this tool to get the weather.', 'This tool gets the weather.', 'What this tool does: Weather by city')
    """
    verb = _VERB.match(description)
    inside = f"{description[0].lower()}{description[1:]}"
    if verb and verb[1] in tool_words("verbs"):
        return f"Use this tool to {inside}"
    if verb and verb[1].removesuffix("s") in tool_words("verbs") | {"Searche"}:  # "Searches"
        return f"This tool {inside}"
    return f"What this tool does: {description}"


Renamed = Literal["tool", "argument"]
NewNames: TypeAlias = dict[str, tuple[str, dict[str, str]]]
"""For each tool, its new name and the new names of its arguments."""


@tool_edit("rename-tools", says="the tools renamed", languages=EVERY)
def rename_tools(case: Case, *, what: Renamed = "tool") -> Case:
    """Rename every tool or every argument without changing its meaning: "get_weather" becomes "get_weather_tool".

    >>> from mutatis.doubles import told_tools, tool_case
    >>> case = tool_case("How cold is it?", get_weather="Get the weather.", list_files="List the files.")
    >>> told_tools(rename_tools(case))
    ['get_weather_tool: Get the weather.', 'list_files_tool: List the files.']
    """
    functions = needed_tools(case)
    taken = function_names(functions)
    new_names: NewNames = {}
    for function in functions:
        name = str(function["name"])
        arguments = _rename_arguments(function) if what == "argument" else {}
        if what == "tool":
            function["name"] = _renamed(name, taken, "Tool")
        new_names[name] = (function["name"], arguments)
    if what == "argument" and not any(arguments for _, arguments in new_names.values()):
        raise UnusableFollowUp("the tools take no arguments")
    return with_functions(case, functions, **_answered_as_before(case, new_names))


def _answered_as_before(case: Case, new_names: NewNames) -> dict[str, str]:
    """Return the material that makes calls with the new names return the same results as before."""
    renamed_before, originals = renamed_in(case.material), {}
    for old, (new, arguments) in new_names.items():
        # An earlier edit may have renamed the tool already; then its first names are kept.
        original = renamed_before.get(old, {"name": old, "arguments": {}})
        first_names = original["arguments"]
        names = {arguments.get(name, name): first_names.get(name, name) for name in {**first_names, **arguments}}
        originals[new] = {"name": original["name"], "arguments": names}
    material = {RENAMED: json.dumps(originals, ensure_ascii=False)}
    results = [_renamed_result(entry, new_names) for entry in results_in(case.material)]
    if results:
        material[RESULTS] = json.dumps(results, ensure_ascii=False)
    return material


def _renamed_result(entry: Mapping[str, Any], new_names: NewNames) -> dict[str, Any]:
    """Return a recorded result under the new names of its tool and arguments."""
    name, arguments = new_names.get(entry["name"], (entry["name"], {}))
    if not isinstance(entry.get("arguments"), Mapping):
        return {**entry, "name": name}
    renamed = {arguments.get(argument, argument): value for argument, value in entry["arguments"].items()}
    return {**entry, "name": name, "arguments": renamed}


def _renamed(name: str, taken: Collection[str], ending: str) -> str:
    """Return a name with an ending, repeated until it is free: "city_value", or "cityNameValue" in camel case."""
    is_camel_case = "_" not in name and any(map(str.isupper, name[1:]))
    added = ending if is_camel_case else f"_{ending.lower()}"
    name += added
    while name in taken:
        name += added
    return name


def _rename_arguments(function: dict[str, Any]) -> dict[str, str]:
    """Rename the arguments of a tool, and return a map from the old names to the new ones."""
    schema = function.get("parameters") or {}
    properties = schema.get("properties") or {}
    table = {name: _renamed(name, properties, "Value") for name in properties}
    schema["properties"] = {table[name]: inner for name, inner in properties.items()}
    if isinstance(schema.get("required"), list):
        schema["required"] = [table.get(name, name) for name in schema["required"]]
    return table


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in _WORD.findall(text.lower()))


@tool_edit("remove-tool", says="a tool taken away", languages=ENGLISH)
def remove_tool(case: Case) -> Case:
    """Remove the tool whose words fit the request best, if no other tool could replace it.

    >>> from mutatis.doubles import told_tools, tool_case
    >>> case = tool_case("What is the weather?", get_weather="Get the weather.", list_files="List the files.")
    >>> told_tools(remove_tool(case))
    ['list_files: List the files.']
    """
    functions = needed_tools(case)
    stems = _stems(" ".join(text for turn in case.turns for text in turn.fields.values()))
    fitting = max(functions, key=lambda function: len(stems_of_function(function) & stems))
    others = [function for function in functions if function is not fitting]
    if not stems_of_function(fitting) & stems or not others:
        raise UnusableFollowUp("no tool has words that fit the request, or there is only one tool")
    if any(could_replace(fitting, other) or len(stems_of_function(other) & stems) > 1 for other in others):
        raise UnusableFollowUp("another tool could replace the tool that fits")
    return with_functions(case, others)


def changed_names(source: Sequence[Tool], follow_up: Sequence[Tool]) -> NewNames:
    """Return a map from each source tool to its name in the follow-up and a map of its argument names.

    Both lists of tools must be in the same order, as `rename-tools` leaves them.
    """
    new_names: NewNames = {}
    for old_tool, new_tool in zip(source, follow_up, strict=True):
        old, new = old_tool["function"], new_tool["function"]
        arguments, new_arguments = (function.get("parameters", {}).get("properties", {}) for function in (old, new))
        new_names[old["name"]] = (new["name"], dict(zip(arguments, new_arguments, strict=True)))
    return new_names
