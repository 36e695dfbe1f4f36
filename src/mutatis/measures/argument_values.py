"""Compares two values of the same argument under a tool's schema: they are the same, different or undecided.

The reason of a verdict quotes the two values, unless they are the same.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeVar

from mutatis.core.errors import shortened
from mutatis.core.measure import Comparison, Similarity
from mutatis.measures.argument_texts import (
    ANYTHING,
    NOT_GIVEN,
    bare_words,
    decided,
    is_told_from_today,
    is_wider,
    may_be_one_day,
)
from mutatis.measures.catalogue import MEASURES
from mutatis.measures.payload import json_data
from mutatis.measures.similarities import cannot_tell, different, same
from mutatis.measures.words import may_abbreviate

SAME_FROM, DIFFERENT_BELOW = 0.93, 0.2
"""The judge of short answers decides "same" at or above the first score, and "different" below the second.

Scores in between are left open.
"""

_ORDERED = re.compile(
    r"\b(?:in order|ordered|(?:the|in) (?:\w+ ){0,2}order|sequence of|sequential\w*|respectively|coordinates?|stack|"
    r"queue|tuple|step[- ]by[- ]step|ranked|priorit\w+)\b"
)
"""Pattern for words in a schema's description that show that the order of a list matters."""

_DEFAULT = re.compile(
    r"\b(?:default(?:s|ed|ing)?(?: (?:value|setting|option))?(?: is| are| to|:|=|,)*(?: set)?(?: to)?|if (?:not|un)\s*"
    r"(?:specified|provided|given|set),?|if omitted,?)[\s:=(]*(?P<value>(?:[^.;)\n]|\.(?=\d)){1,60})"
)
_WHOLE = {"integer": int, "number": float, "float": float, "double": float, "long": int}


SAME = same("the same arguments")

Item = TypeVar("Item")


def _values(first: Any, second: Any) -> str:
    return f"{brief_json(first)} / {brief_json(second)}"


def _different(first: Any, second: Any) -> Similarity:
    return different(_values(first, second))


def brief_json(value: Any) -> str:
    """Return a value as JSON, shortened so that a reason can quote it."""
    return shortened(json.dumps(value, ensure_ascii=False, default=str), 40)


def compare_arguments(
    first: Mapping[str, Any], second: Mapping[str, Any], schema: Mapping[str, Any], path: str = ""
) -> Similarity:
    """Compare the arguments of two calls of the same tool, or two objects, and return the worst verdict."""
    properties, needed = table_in(schema.get("properties")), list_in(schema.get("required"))

    def compare_argument(name: str) -> Similarity:
        inner = table_in(properties.get(name))
        unknown = bool(properties) and name not in properties  # no default is known for it
        if name in first and name in second:
            verdict = compare_values(first[name], second[name], inner)
        else:
            value = first[name] if name in first else second[name]
            verdict = _missing_argument(value, inner, needed=name in needed or unknown, in_first=name in first)
        return verdict if verdict is SAME else replace(verdict, reason=f"{path}{name}: {verdict.reason}")

    return worst(map(compare_argument, dict.fromkeys((*first, *second))))


def compare_values(first: Any, second: Any, schema: Mapping[str, Any]) -> Similarity:
    """Compare two values of the same argument."""
    if first == second and isinstance(first, bool) == isinstance(second, bool):
        return SAME
    if says_nothing(first) and says_nothing(second):
        return SAME
    first, second = _read(first, schema), _read(second, schema)
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        return compare_arguments(first, second, schema, path=".")  # the reason reads "address: .street: ..."
    if isinstance(first, list) and isinstance(second, list):
        return _lists(first, second, schema)
    if isinstance(first, Mapping | list) or isinstance(second, Mapping | list):
        return _different(first, second)
    if isinstance(first, bool) or isinstance(second, bool):
        return SAME if _truth(first) is not None and _truth(first) == _truth(second) else _different(first, second)
    ours, theirs = _number(first), _number(second)
    if ours is not None and theirs is not None:
        return SAME if math.isclose(ours, theirs, rel_tol=1e-6) else _different(first, second)
    if schema.get("type") in _WHOLE and (ours is None) != (theirs is None):
        return _different(first, second)
    return _texts(str(first), str(second), schema)


def _texts(first: str, second: str, schema: Mapping[str, Any]) -> Similarity:
    choices = [bare_words(str(choice)) for choice in list_in(schema.get("enum"))]
    if bare_words(first) in choices and bare_words(second) in choices and bare_words(first) != bare_words(second):
        return _different(first, second)
    if is_wider(first, second) or may_be_one_day(first, second) or is_told_from_today(first, second):
        return cannot_tell(_values(first, second))
    if (is_same := decided(first, second)) is not None:
        return SAME if is_same else _different(first, second)
    similarity = short_answers(first, second, str(schema.get("description", "")))
    if not similarity.open and similarity.score >= SAME_FROM:
        return SAME
    short = may_abbreviate(bare_words(first), bare_words(second))
    if not similarity.open and similarity.score < DIFFERENT_BELOW and not short:
        return _different(first, second)
    return cannot_tell(_values(first, second))


def _lists(first: Sequence[Any], second: Sequence[Any], schema: Mapping[str, Any]) -> Similarity:
    items = table_in(schema.get("items"))
    in_order = _is_ordered(first, second, schema)
    if not in_order:
        first, second = _distinct(first), _distinct(second)
    if len(first) != len(second):
        return _different(first, second)
    verdict = worst(matched(first, second, lambda item, other: compare_values(item, other, items), in_order=in_order))
    return _different(first, second) if verdict.score < DIFFERENT_BELOW and not in_order else verdict


def matched(
    first: Sequence[Item],
    second: Sequence[Item],
    compare: Callable[[Item, Item], Similarity],
    likeness: Callable[[Item, Item], Any] = lambda *_: 0,
    *,
    in_order: bool,
) -> Iterator[Similarity]:
    """Match each item of a list with an item of another list of this length, and yield the verdicts on the pairs.

    It is the most similar item that is left, or the next one if the order matters. Among items with equal verdicts, the
    one with the greatest `likeness` is taken.
    """
    unmatched = list(second)
    for item in first:
        others = unmatched[:1] if in_order else unmatched
        verdicts = [compare(item, other) for other in others]
        ranks = [(verdict.score, likeness(item, other)) for verdict, other in zip(verdicts, others, strict=True)]
        best = ranks.index(max(ranks))
        yield verdicts[best]
        del unmatched[best]


def _missing_argument(value: Any, schema: Mapping[str, Any], *, needed: bool, in_first: bool) -> Similarity:
    """Judge an argument that only one of two calls gives.

    The calls count as the same if its value is the tool's default, from the schema or the description. If no default is
    known, "no" and "nothing" count as the default, and with any other value the pair is undecided.

    Args:
        value: the value of the argument.
        schema: the schema of the argument.
        needed: whether the tool requires the argument.
        in_first: whether the first call gives it.
    """
    if says_nothing(value, NOT_GIVEN) and not needed:  # "none" and the like, but not "any"
        return SAME
    shown = brief_json(value)
    reason = f"{shown} / left out" if in_first else f"left out / {shown}"
    if "default" in schema:
        default = schema["default"]
        if compare_values(value, default, schema) is SAME or (says_nothing(value) and says_nothing(default)):
            return SAME
        if _truth(value) is False and says_nothing(default):  # "no" may be a filter, or what nobody asked for
            return cannot_tell(f"{shown} / left out")
        return different(reason)
    if needed:
        return different(reason)
    if stated := default_in(str(schema.get("description", ""))):
        return SAME if any(_is_stated(value, default) for default in stated) else different(reason)
    if says_nothing(value) or value is False or (isinstance(value, str) and bare_words(value) in ("false", "no")):
        return SAME
    return cannot_tell(f"{shown} / left out, and the tool does not say what it then takes")


def default_in(description: str) -> tuple[str, ...]:
    """Return the default values that an argument's description states, or () if it states none.

    >>> default_in("The unit. Default is 'km'."), default_in("Defaults to 5 if not given"), default_in("The city.")
    (("'km'",), ('5 if not given',), ())
    """
    text = description.replace("e.g.", "such as").replace("i.e.", "that is")
    stated = _DEFAULT.finditer(text.replace("Default", "default").replace("If", "if"))
    return tuple(match["value"].strip() for match in stated)


def _is_stated(value: Any, stated: str) -> bool:
    """Return True if a description states that a value is the default, at the start of the statement or within it."""
    if isinstance(value, list):
        quoted = [bare_words(text) for text in re.findall(r"['\"`]([^'\"`]+)['\"`]", stated)]
        return bool(value) and sorted(quoted) == sorted(bare_words(str(item)) for item in value)
    if value == 0 and not isinstance(value, bool) and bare_words(stated).startswith("zero"):
        return True
    number = _number(value)
    if number is not None and not isinstance(value, bool):
        return any(math.isclose(number, float(text)) for text in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", stated))
    first = re.match(r"['\"`]([^'\"`]+)", stated)
    words, wanted = bare_words(stated), bare_words(str(value))
    return bool(wanted) and (f" {wanted} " in f" {words} " or bool(decided(str(value), first[1] if first else stated)))


def table_in(value: Any) -> Mapping[str, Any]:
    """Return a value of a schema if it is a table, as it should be, or else an empty table."""
    return value if isinstance(value, Mapping) else {}


def list_in(value: Any) -> list[Any]:
    """Return a value of a schema if it is a list, as it should be, or else an empty list."""
    return value if isinstance(value, list) else []


def _read(value: Any, schema: Mapping[str, Any]) -> Any:
    """Return a list or object parsed from JSON text, unless the schema requires a string. Return other values as is."""
    data = json_data(value) if isinstance(value, str) and schema.get("type") != "string" else None
    return value if data is None else data


def says_nothing(value: Any, words: Collection[str] = ANYTHING) -> bool:
    """Return True if a value is as good as none: it is empty, or a word such as "anything"."""
    return value is None or value in ([], {}) or (isinstance(value, str) and value.strip().lower() in words)


def _truth(value: Any) -> bool | None:
    if isinstance(value, bool):
        return value
    return {"true": True, "yes": True, "false": False, "no": False}.get(str(value).strip().lower())


def _number(value: Any) -> float | None:
    """Return a value as a number, parsing it if it is text, or None if it is not a number."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value.replace(",", "").strip() if isinstance(value, str) else value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _distinct(items: Sequence[Any]) -> list[Any]:
    return list({json.dumps(item, sort_keys=True, default=str): item for item in items}.values())


def _is_ordered(first: Sequence[Any], second: Sequence[Any], schema: Mapping[str, Any]) -> bool:
    """Return True if the order of a list matters.

    It matters for lists of numbers and where the schema mentions an order, but not if the schema requires unique items.
    """
    described = f"{schema.get('description', '')} {table_in(schema.get('items')).get('description', '')}".lower()
    if schema.get("uniqueItems"):
        return False
    numbers = all(_number(item) is not None or isinstance(item, list) for item in (*first, *second))
    return numbers or bool(_ORDERED.search(described))


def worst(verdicts: Iterable[Similarity]) -> Similarity:
    """Return the first verdict that two values differ, or else the first open one, or else `SAME`."""
    doubt = SAME
    for verdict in verdicts:
        if verdict.score < DIFFERENT_BELOW:
            return verdict
        doubt = verdict if doubt is SAME else doubt
    return doubt


@lru_cache(maxsize=4096)
def short_answers(first: str, second: str, question: str) -> Similarity:
    """Return the similarity of two texts by the judge of short answers, which needs no language model."""
    comparison = Comparison(reference=(first,), answer=second, question=question)
    return MEASURES["answer-equivalence-lexical"]().compare([comparison])[0]
