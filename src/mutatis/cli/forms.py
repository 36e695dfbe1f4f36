"""Names of command-line options. This module imports little, because `mutatis --help` loads it."""

from __future__ import annotations

from enum import StrEnum

RUN_HELP = "An --out folder, a store file, a .zip of `mutatis report`, a run id, latest or previous."

TOP = 200
"""Maximum number of findings that `show` lists, taken from each row in turn."""


class Form(StrEnum):
    """The output formats of a comparison."""

    TEXT = "text"
    MARKDOWN = "markdown"
    JSON = "json"
    HTML = "html"


class Format(StrEnum):
    """The output formats of a report."""

    HTML = "html"
    JSON = "json"
    JUNIT = "junit"
    CSV = "csv"
    MARKDOWN = "markdown"
    BASELINE = "baseline"
    PARQUET = "parquet"
    GRID = "grid"
    ZIP = "zip"


class SheetKind(StrEnum):
    """The kinds of labelling sheets: what people are asked to judge."""

    BUGS = "bugs"
    CONTEXT = "context"
    FOLLOW_UPS = "follow-ups"
    ANSWERS = "answers"


class Per(StrEnum):
    """The unit that `--n` applies to: the whole sheet, each relation or each method."""

    SHEET = "sheet"
    RELATION = "relation"
    METHOD = "method"
