"""Checks options written by users against a model, and reports errors on one line.

    class Ollama(Options):
        \"\"\"A model served by Ollama.\"\"\"

        model: str
        threads: int = pydantic.Field(default=8, ge=1)

        def build(self) -> System: ...

System types and searches are registered by name with such a model (`Kinds`). Data formats and the configuration
check theirs with `check_options`.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar, get_args

import pydantic

from mutatis.core.errors import UsageError, nearest, shortened, unknown_name, words_expected
from mutatis.core.registry import Registry
from mutatis.core.removed import REMOVED_OPTIONS
from mutatis.secrets.environment import options_from_environment
from mutatis.secrets.masking import scrubbed, without_secrets
from mutatis.secrets.scanning import SENT, looks_secret

_SHOWN = 80
_EXPECTED: Mapping[str, str] = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "callable_type": "a callable",
    "path_type": "a path",
    "dict_type": "a table",
    "mapping_type": "a table",
    "model_type": "a table",
    "model_attributes_type": "a table",
    "list_type": "a list",
    "tuple_type": "a tuple",
    "sequence_str": "a list",
    "greater_than": "more than {gt:g}",
    "greater_than_equal": "{ge:g} or more",
    "less_than": "less than {lt:g}",
    "less_than_equal": "{le:g} or less",
    "multiple_of": "a multiple of {multiple_of:g}",
    "string_too_short": "text of at least {min_length} characters",
    "string_too_long": "text of at most {max_length} characters",
    "string_pattern_mismatch": "text that matches {pattern}",
    "too_short": "at least {min_length} of them",
    "too_long": "at most {max_length} of them",
    "is_instance_of": "a {class}",
    "Sequence": "a list",
}
"""Plain descriptions of the expected value, keyed by pydantic's error type or by the class that the error names."""

_Error: TypeAlias = Mapping[str, Any]


class Options(pydantic.BaseModel):
    """Base class of all option models. They are strict and immutable, and reject unknown names.

    Values are never converted ("3" is not a number), so declare types that TOML can hold: lists as `Sequence[...]`,
    tables as `Mapping[str, ...]` or as a separate model, paths as `str`.
    """

    model_config = pydantic.ConfigDict(
        strict=True,
        extra="forbid",
        frozen=True,
        allow_inf_nan=False,
        arbitrary_types_allowed=True,
        hide_input_in_errors=True,
    )

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        # Notebooks, failed assertions and workers of a cluster show the representation of objects.
        for name, value in super().__repr_args__():
            yield name, without_secrets(value, name or "", sent=name in SENT)


M = TypeVar("M", bound=pydantic.BaseModel)


def check_options(model: type[M], settings: Mapping[str, Any], owner: str, *, word: str = "option") -> M:
    """Validate the given options and return them as an instance of `model`.

    In errors, `owner` names the object that the options belong to, and `word` is the noun for an option.

    Raises:
        UsageError: an option is unknown, missing or of the wrong type. The error suggests the closest valid name.

    >>> class Bot(Options):
    ...     name: str
    ...     threads: int = pydantic.Field(default=8, ge=1)
    >>> check_options(Bot, {"name": "b"}, "system type 'bot'").threads
    8
    >>> check_options(Bot, {"name": "b", "threads": 0}, "system type 'bot'")
    Traceback (most recent call last):
    mutatis.core.errors.UsageError: system type 'bot': threads is 0; expected 1 or more
    """
    __tracebackhide__ = True  # pytest --showlocals shows variables, and these may hold keys
    try:
        return model.model_validate(dict(settings))
    except pydantic.ValidationError as error:
        wrong = explained(error, model, settings, owner, word=word)
    raise wrong  # outside of `except`, so that pydantic's error, which holds all values, is not attached to it


def explained(
    error: pydantic.ValidationError,
    model: type[pydantic.BaseModel],
    settings: Mapping[str, Any],
    owner: str,
    *,
    word: str = "option",
) -> UsageError:
    """Return a one-line error that explains the first problem found by pydantic."""
    errors: list[_Error] = [dict(problem) for problem in error.errors(include_url=False)]
    # An unknown name may be a misspelling of a missing one, so it comes first.
    first = next((problem for problem in errors if problem["type"] == "extra_forbidden"), errors[0])
    tables = _path(first["loc"][:-1], settings)
    name = first["loc"][-1] if first["loc"] else ""
    if first["type"] == "extra_forbidden":
        if name in (gone := REMOVED_OPTIONS.get(owner, {})):
            return UsageError(f"{word} {name!r} of {owner} was removed; {gone[str(name)]}")
        inside = f" in {_dotted(tables)}" if tables else ""
        return unknown_name(f"{word}{inside} of {owner}:", scrubbed(str(name), guess=True), _names(model, tables))
    if first["type"] == "missing":
        hint = _hint_at_missing(str(name), _at(settings, tables), _tables(model, tables))
        return UsageError(f"{owner} needs the {word} {_dotted([*tables, name])!r}{hint}")
    return _of_wrong_value(errors, _path(first["loc"], settings), model, settings, owner)


def _hint_at_missing(name: str, options: Mapping[str, Any], tables: Sequence[type[pydantic.BaseModel]]) -> str:
    """Return a hint on a missing option: an option that may be a misspelling of it, or else its meaning."""
    if near := nearest(name, options):
        return f"; is {near[0]!r} a misspelling of it?"
    meaning = next((known[name] for known in map(meanings, tables) if name in known), "")
    return f": {meaning.rstrip('.')}" if meaning else ""


def _of_wrong_value(
    errors: Sequence[_Error],
    path: Sequence[str | int],
    model: type[pydantic.BaseModel],
    settings: Mapping[str, Any],
    owner: str,
) -> UsageError:
    """Return an error that explains why the value at a path is wrong.

    A union complains once for each of its members. If one member fits down to a value inside the table or list, this
    member was probably meant, so only the complaints about that value count.
    """
    located = [(_path(problem["loc"], settings), problem) for problem in errors]
    deepest = max((place for place, _ in located if place[: len(path)] == path), key=len)
    wrong = [problem for place, problem in located if place == deepest]
    if wrong[0]["type"] in ("value_error", "assertion_error"):
        problem = str(wrong[0]["ctx"]["error"])
    else:
        problem = f"expected {' or '.join(dict.fromkeys(map(_expected, wrong)))}"
    if not deepest:
        return UsageError(f"{owner}: {problem}")
    is_secret, value = looks_secret(str(deepest[-1])), wrong[0]["input"]
    expects_text = "text" in problem  # the name `max_tokens` looks like a secret, but its value is a number
    is_hidden = is_secret and expects_text
    shown = "***" if is_hidden else _brief(_public(value, deepest))
    if problem == "expected a list" and isinstance(value, str) and not is_secret:
        problem += f": [{shown}]"
    if problem == "expected a table" and not is_hidden:
        problem += _as_table(model, deepest, value)
    return UsageError(f"{owner}: {scrubbed(_dotted(deepest))} is {shown}; {problem}")


def _as_table(model: type[pydantic.BaseModel], path: Sequence[str | int], value: Any) -> str:
    """Return a suggestion to write a bare value as a table, if it fits the table's first option (`judge = "mss"`)."""
    for table in _tables(model, path):
        name = next(iter(table.model_fields), "")
        with suppress(pydantic.ValidationError):
            table.model_validate({name: value})
            written = json.dumps(_public(value, path), ensure_ascii=False)
            return f": {path[-1]} = {{{name} = {written[:_SHOWN]}}}"
    return ""


def _public(value: Any, path: Sequence[str | int]) -> Any:
    """Return a value for use in a message, without secrets, since a user may put a key in an unexpected place."""
    if path[-1] == "headers" and isinstance(value, list):
        return [_public(item, path) for item in value]
    if path[-1] == "headers":  # a text such as "NAME: VALUE" instead of a table
        return re.sub("(?s)[:=].*", ": ***", str(value))
    return scrubbed(value, guess=True) if isinstance(value, str) else without_secrets(value, str(path[-1]))


def meanings(model: type[pydantic.BaseModel]) -> dict[str, str]:
    """Return the meaning of each option from the "Attributes:" sections of a model and its bases.

    >>> class Bot(Options):
    ...     \"\"\"A bot.
    ...
    ...     Attributes:
    ...         name: how it is
    ...             called.
    ...         low, high: its bounds.
    ...     \"\"\"
    >>> meanings(Bot)
    {'name': 'how it is called.', 'low': 'its bounds.', 'high': 'its bounds.'}
    """
    texts: dict[str, str] = {}
    for base in reversed(model.__mro__[: model.__mro__.index(pydantic.BaseModel)]):
        names = list[str]()
        for line in inspect.cleandoc(base.__doc__ or "").partition("Attributes:\n")[2].splitlines():
            if entry := re.match(r" {4}(\w+(?:, \w+)*): (.*)", line):
                names = entry[1].split(", ")
                texts |= dict.fromkeys(names, entry[2])
            elif line.startswith(" " * 8):  # the entry goes on
                texts |= {name: f"{texts[name]} {line.strip()}" for name in names}
            elif line.strip():  # the section has ended
                break
    return texts


def _path(location: Sequence[str | int], value: Any) -> list[str | int]:
    """Return the path to an error in the given data, without the names of union members that pydantic inserts."""
    path: list[str | int] = []
    for part in location:
        if isinstance(value, Mapping):
            is_in_data = part in value
        else:
            is_in_data = isinstance(value, list | tuple) and isinstance(part, int) and part < len(value)
        if is_in_data:
            path.append(part)
            value = value[part]
    return path


def _at(value: Any, path: Sequence[str | int]) -> Mapping[str, Any]:
    """Return the table at a path in the given data, or an empty one if it is missing."""
    for part in path:
        value = value[part]
    return value if isinstance(value, Mapping) else {}


def _dotted(path: Sequence[str | int]) -> str:
    return ".".join(map(str, path))


def _brief(value: Any) -> str:
    return shortened(" ".join(repr(value).split()), _SHOWN)


def _expected(error: _Error) -> str:
    """Return a plain description of the value that pydantic expected."""
    kind, context = error["type"], error.get("ctx", {})
    if kind in ("literal_error", "enum"):
        return _choice([name for name in re.split(r", | or ", context["expected"]) if name], error["input"])
    if kind == "string_too_short" and context["min_length"] == 1:
        return "text that is not empty"
    if kind == "missing":  # of one member of a union, so other types are valid, too
        return f"a table with {error['loc'][-1]!r}"
    if kind == "tuple_type" and not isinstance(error["input"], list):
        return "a list"
    words = _EXPECTED.get(context.get("class", "")) or _EXPECTED.get(kind)
    if words:
        return words.format(**context)
    return str(error["msg"]).removeprefix("Input should be ")


def _choice(quoted: Sequence[str], word: Any) -> str:
    """Return the names that are allowed, and the one that is closest to `word`. pydantic puts names in quotes."""
    if len(quoted) == 1:
        return quoted[0]
    return words_expected([name.strip("'") for name in quoted], word)


def _names(model: type[pydantic.BaseModel], path: Sequence[str | int]) -> list[str]:
    """Return the option names allowed in the table at `path`, which starts from the table that `model` describes."""
    return list(dict.fromkeys(name for table in _tables(model, path) for name in table.model_fields))


def _tables(model: type[pydantic.BaseModel], path: Sequence[str | int]) -> list[type[pydantic.BaseModel]]:
    """Return the models that may describe the table at `path`, which starts from the table of `model`."""
    tables = [model]
    for part in path:
        fields = [table.model_fields[part] for table in tables if isinstance(part, str) and part in table.model_fields]
        if fields:  # otherwise, the part is a number in a list, or a key chosen by the user
            tables = [inner for field in fields for inner in models_in(field.annotation)]
    return tables


def values_with_paths(value: Any, *path: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the values inside tables and lists, each with its path.

    >>> dict(values_with_paths({"system": {"label": "bot"}, "load": ["a.py", "b.py"]}))
    {('system', 'label'): 'bot', ('load', '0'): 'a.py', ('load', '1'): 'b.py'}
    """
    if isinstance(value, list | tuple):
        value = dict(enumerate(value))
    if not isinstance(value, Mapping):
        yield path, value
        return
    for key, inner in value.items():
        yield from values_with_paths(inner, *path, str(key))


def models_in(annotation: Any) -> Iterator[type[pydantic.BaseModel]]:
    """Yield the option models that occur in a type annotation."""
    if isinstance(annotation, type) and issubclass(annotation, pydantic.BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from models_in(argument)


T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind(Generic[T]):
    """A type of object that users choose by name and configure with options, such as `SYSTEMS["openai"]`.

    `owner` is the description used in errors, such as "system type 'openai'".
    """

    name: str
    owner: str
    model: type[pydantic.BaseModel]
    summary: str

    @property
    def options(self) -> tuple[str, ...]:
        """Names of the options in order. `TYPE:NAME` on the command line sets the first one."""
        return tuple(self.model.model_fields)

    def __call__(self, *context: Any, **options: Any) -> T:
        """Build the object that the options describe.

        Raise UsageError for unknown, missing or invalid options.
        """
        __tracebackhide__ = True
        options = options_from_environment(options, self.owner)
        checked: Any = check_options(self.model, options, self.owner)
        built: T = checked.build(*context)
        return built


C = TypeVar("C", bound=type[pydantic.BaseModel])


class Kinds(Registry[Kind[T]]):
    """A registry of types for one kind of object, such as systems. Decorating an option model registers it."""

    def register(self, name: str) -> Callable[[C], C]:
        """Return a decorator that registers an option model under a name.

        The model's `build()` method returns the object. The first line of the model's docstring becomes the summary.
        """

        def register(model: C) -> C:
            summary = (inspect.getdoc(model) or "").partition("\n")[0]
            self.add(name, Kind(name=name, owner=f"{self.kind} {name!r}", model=model, summary=summary))
            return model

        return register
