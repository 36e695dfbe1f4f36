"""Converts the metrics of recipes into tables for the page and the terminal.

Metrics are JSON data whose structure differs between recipes. There are special tables for faults detected in dialogues
and for families of relations. The layout of all other tables follows the structure of the data.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from mutatis.core.errors import names_text, shortened
from mutatis.reports.marking import visible
from mutatis.reports.numbers import interval_text, line, number, percent


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricTable:
    """A table of strings, with a label for each row in the first column."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


_MORTAR = {
    "seeds": "seeds",
    "test_cases": "test cases",
    "turns": "turns",
    "nbugs": "NBugs",
    "rate": "Rate+",
    "retc": "RETC",
    "bptc": "BPTC",
    "cv": "CV",
    "cv_l1_l2": "CV (L1, L2)",
    "unanswerable": "unanswerable",
    "undecided_context": "undecided context",
}
"""Column titles of the faults detected in dialogues, by metric."""

_SHARES = {"rate", "retc"}

_IN_OTHER_TABLES = {"seeds_lost", "levels", "detections", "per_perturbation", "per_relation"}
"""Metrics of dialogues that are shown elsewhere. If a recipe has any of these, its metrics are of dialogues."""

NAMED = 10
"""Maximum number of lost dialogues named on the terminal."""


def metric_tables(metrics: Mapping[str, Any]) -> list[MetricTable]:
    """Return the tables for the metrics of all recipes in a report, in order."""
    tables: list[MetricTable] = []
    for name, value in metrics.items():
        if name == "refusals":  # they have a line of their own (`refusals_of`)
            continue
        systems = mapping(mapping(value).get("systems"))
        if any(_IN_OTHER_TABLES & mapping(figures).keys() for figures in systems.values()):
            tables += _mortar_tables(line(name), systems)
            tables += _generic(line(name), {key: item for key, item in value.items() if key != "systems"}, 0)
        elif name == "families" and families_of(metrics):
            tables += map(_family_table, families_of(metrics))
            others = {key: item for key, item in value.items() if key != "families" and item}
            tables += _generic(name, others, 0)
        else:
            tables += _generic(line(name), value, 0)
    return tables


def _mortar_tables(name: str, systems: Mapping[str, Any]) -> list[MetricTable]:
    """Return the tables of the faults detected in dialogues, with a row for each system.

    Figures without a table of their own are in the last one.
    """
    figures = {system: mapping(metrics) for system, metrics in systems.items()}
    levels = {system: mapping(record.get("levels")) for system, record in figures.items()}
    level_names = _keys(levels.values())
    rows = []
    for system, record in figures.items():
        cells = [percent(record.get(key)) if key in _SHARES else number(record.get(key)) for key in _MORTAR]
        cells += [number(levels[system].get(level)) for level in level_names]
        rows.append((line(system), *cells))
    columns = ("system", *_MORTAR.values(), *(line(level).upper() for level in level_names))
    note = "" if level_names else "L1-L3 need annotated answers"
    tables = [MetricTable(title=name, columns=columns, rows=tuple(rows), note=note)]
    detections = {system: mapping(record.get("detections")) for system, record in figures.items()}
    if any(detections.values()):
        tables.append(_row_for_each(f"{name}: detections", detections, "system"))
    for key in ("per_perturbation", "per_relation"):
        for system, record in figures.items():
            if parts := mapping(record.get(key)):
                tables.append(_side_by_side(f"{name}: {key.replace('_', ' ')}, {line(system)}", parts))
    shown = _MORTAR.keys() | _IN_OTHER_TABLES
    others = {}
    for system, record in figures.items():
        if more := {key: value for key, value in record.items() if key not in shown}:
            others[system] = more
    return [*tables, _side_by_side(f"{name}: more", others)] if others else tables


def _keys(tables: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the keys of all tables, each once, in order of first appearance."""
    return list(dict.fromkeys(chain.from_iterable(tables)))


def _row_for_each(title: str, records: Mapping[str, Mapping[str, Any]], first_column: str = "") -> MetricTable:
    """Return a table with a row for each record, which begins with its name, and a column for each figure."""
    figures = _keys(records.values())
    rows = tuple((line(name), *(_cell(record.get(key)) for key in figures)) for name, record in records.items())
    return MetricTable(title=title, columns=(first_column, *map(line, figures)), rows=rows)


def _side_by_side(title: str, parts: Mapping[str, Any]) -> MetricTable:
    """Return a table that compares parts of the metrics, with a column for each part and a row for each figure."""
    columns = {name: _flatten(mapping(record)) if mapping(record) else {"": record} for name, record in parts.items()}
    figures = _keys(columns.values())
    rows = tuple((line(figure), *(_cell(column.get(figure)) for column in columns.values())) for figure in figures)
    return MetricTable(title=title, columns=("", *map(line, columns)), rows=rows)


def bias_clause(metrics: Mapping[str, Any], system: str) -> str:
    """Return a clause on the bias that influences a grader most, or "" if nothing does.

    The clause also states how many verdicts this decides.
    """
    graded = mapping(_of_systems(metrics, "grading").get(system))
    largest = mapping(mapping(graded.get("biases")).get(str(graded.get("largest"))))
    bias = mapping(graded.get("decides")) or largest  # reports from earlier versions have no `decides`
    if not bias:
        return ""
    low, high = bias["interval"]
    share = f"{percent(bias['share'])}, {percent(low)} to {percent(high)}"
    counts = f"{number(bias['decided'])} of {number(bias['judged'])} verdicts"
    return f"is influenced most by {line(str(graded['largest']))}, which decides {counts} ({share}); "


def refusals_of(metrics: Mapping[str, Any], system: str) -> str:
    """Return how often a system refuses, and how often it switches between refusing and answering.

    The result is "" if no relation on refusals was judged.

    >>> both = {"messages": {"refused": 2, "of": 9}, "stays_answered": {"broken": 1, "judged": 4, "share": 0.25}}
    >>> print(*refusals_of({"refusals": {"systems": {"bot": both}}}, "bot").split("; "), sep=chr(10))
    refuses 2 of 9 messages
    in other forms, it answers what it refused: none judged
    in other forms, it does not answer what it answered: 1 of 4 (25.0 %)
    """
    refusals = mapping(_of_systems(metrics, "refusals").get(system))
    if not refusals:
        return ""
    messages = mapping(refusals.get("messages"))
    return (
        f"refuses {number(messages.get('refused'))} of {number(messages.get('of'))} messages; "
        f"in other forms, it answers what it refused: {_broken(refusals.get('stays_refused'))}; "
        f"in other forms, it does not answer what it answered: {_broken(refusals.get('stays_answered'))}"
    )


def _of_systems(metrics: Mapping[str, Any], recipe: str) -> Mapping[str, Any]:
    """Return a recipe's metrics by system."""
    return mapping(mapping(metrics.get(recipe)).get("systems"))


def _broken(direction: Any) -> str:
    record = mapping(direction)
    if not record:
        return "none judged"
    return f"{number(record.get('broken'))} of {number(record.get('judged'))} ({percent(record.get('share'))})"


def lost_lines(metrics: Mapping[str, Any]) -> list[str]:
    """Return a line per recipe and system that names the dialogues left out of the figures.

    >>> lost_lines({"mortar": {"systems": {"bot": {"seeds": 3, "seeds_left_out": 1, "seeds_lost": ["d/Edith"]}}}})
    ['mortar: 1 of 4 dialogues is in no figure of bot, because its context could not be read: d/Edith']
    """
    lines = []
    for recipe in metrics:
        for system, figures in _of_systems(metrics, recipe).items():
            if lost := items(mapping(figures).get("seeds_lost")):
                names = names_text([line(name) for name in lost], NAMED)
                are, whose = ("is", "its") if len(lost) == 1 else ("are", "their")
                share = f"{len(lost)} of {len(lost) + figures.get('seeds', 0)} dialogues {are}"
                why = f"because {whose} context could not be read"
                lines.append(f"{line(recipe)}: {share} in no figure of {line(system)}, {why}: {names}")
    return lines


def families_of(metrics: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the families of relations in a report."""
    return [mapping(family) for family in items(mapping(metrics.get("families")).get("families"))]


_FAMILY_COLUMNS = ("violated", "satisfied", "unchanged", "rate", "interval", "RR", "ACC", "MCC", "vacuous")


def _family_table(family: Mapping[str, Any]) -> MetricTable:
    """Return a table for a family of relations, with a row for each system and value of the parameter."""
    rows, regions = [], []
    for system, series in mapping(family.get("systems")).items():
        points = map(mapping, items(mapping(series).get("points")))
        rows += [(line(system), *_point_cells(point)) for point in points]
        regions.append(f"{line(system)}: {region_text(mapping(series).get('region'))}")
    columns = ("system", line(family.get("parameter", "value")), *_FAMILY_COLUMNS)
    note = "Non-violation regions: " + "; ".join(regions) if regions else ""
    return MetricTable(title=family_title(family), columns=columns, rows=tuple(rows), note=note)


def family_title(family: Mapping[str, Any]) -> str:
    """Return the name and the task of a family of relations as a title."""
    return f"{line(family.get('name', 'family'))} on {line(family.get('task', '?'))}"


def _point_cells(point: Mapping[str, Any]) -> list[str]:
    """Return the results for one value of a family's parameter, with the value first. Partial results are marked."""
    value = number(point.get("value")) + (" (probe)" if point.get("partial") else "")
    counts = [number(point.get(key)) for key in ("violated", "satisfied", "unchanged")]
    rates = [percent(point.get("rate")), interval_text(items(point.get("interval"))), percent(point.get("rr"))]
    return [value, *counts, *rates, *(number(point.get(key)) for key in ("acc", "mcc", "vacuous"))]


def region_text(region: Any) -> str:
    """Return a description of a region of parameter values without violations, with the evidence for it."""
    record = mapping(region)
    if not record:
        return "none"
    text = f"{number(record.get('low'))} to {number(record.get('high'))}"
    text += f", 0 violations in {number(record.get('items'))} items per value"
    bound = record.get("bound")
    return text if bound is None else f"{text}, at most {percent(bound)} with 95 % confidence"


_MOST_COLUMNS = 16
"""Maximum number of columns of a table whose rows are objects that contain further objects."""


def _generic(title: str, value: Any, depth: int) -> list[MetricTable]:
    """Return tables for data of any structure.

    Objects of scalars, objects of objects and lists of objects have their own layouts. Anything else is put into a cell
    as JSON.
    """
    if isinstance(value, Mapping):
        return _object_tables(title, value, depth) if value else []
    records = [mapping(item) for item in items(value)]
    if records and all(records) and all(_is_flat(record) for record in records):
        columns = _keys(records)
        rows = tuple(tuple(_cell(record.get(key)) for key in columns) for record in records)
        return [MetricTable(title=title, columns=tuple(map(line, columns)), rows=rows)]
    return [MetricTable(title=title, columns=("value",), rows=((_cell(value),),))]


def _object_tables(title: str, value: Mapping[str, Any], depth: int) -> list[MetricTable]:
    """Return a table of an object's scalars, and one with a row for each object in it.

    Objects that contain further objects get tables of their own, unless they can be flattened into few columns. Below
    four levels, nested values are put into cells as JSON.
    """
    nested: dict[str, Mapping[str, Any]]
    nested = {key: item for key, item in value.items() if isinstance(item, Mapping) and item}
    flattened: dict[str, Mapping[str, Any]] = {key: _flatten(item) for key, item in nested.items()}
    fits_one_table = len(nested) > 1 and len(_keys(flattened.values())) <= _MOST_COLUMNS
    nested = flattened if fits_one_table else nested
    lists = {key: item for key, item in value.items() if _is_records(item)}
    plain = {key: item for key, item in value.items() if key not in nested and key not in lists}
    tables = []
    if plain:
        rows = tuple((line(key), _cell(item)) for key, item in plain.items())
        tables.append(MetricTable(title=title, columns=("", "value"), rows=rows))
    if nested and (depth >= 4 or all(_is_flat(item) for item in nested.values())):
        tables.append(_row_for_each(title, nested))
        nested = {}  # they are all in this table
    for key, item in {**nested, **lists}.items():
        tables += _generic(f"{title}: {line(key)}", item, depth + 1)
    return tables


def _flatten(record: Mapping[str, Any]) -> dict[str, Any]:
    """Replace each flat object inside a record with one column per entry, named like `levels l1`."""
    flat: dict[str, Any] = {}
    for key, item in record.items():
        if isinstance(item, Mapping) and item and _is_flat(item):
            flat.update({f"{key} {inner}": value for inner, value in item.items()})
        else:
            flat[key] = item
    return flat


def _is_records(value: Any) -> bool:
    return bool(items(value)) and all(isinstance(item, Mapping) for item in items(value))


def _is_flat(record: Mapping[str, Any]) -> bool:
    return not any(isinstance(item, Mapping) or _is_records(item) for item in record.values())


def _cell(value: Any) -> str:
    if isinstance(value, Mapping) or (isinstance(value, Sequence) and not isinstance(value, str)):
        return shortened(visible(json.dumps(value, ensure_ascii=False, default=str)), 300)
    return number(value)


def mapping(value: Any) -> Mapping[str, Any]:
    """Return `value` if it is a mapping, or else an empty one, since a recipe's metrics may have any structure."""
    return value if isinstance(value, Mapping) else {}


def items(value: Any) -> list[Any]:
    """Return `value` as a list if it is a list or tuple, or else an empty list."""
    return list(value) if isinstance(value, list | tuple) else []
