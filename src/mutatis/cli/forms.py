"""Names of command-line options. This module imports little, because `mutatis --help` loads it."""

from __future__ import annotations

from typing import Literal, TypeAlias

RUN_HELP = "An --out folder, a store file, a .zip of `mutatis report`, a run id, latest or previous."

TOP = 200
"""Maximum number of findings that `show` lists, taken from each row in turn."""


Form: TypeAlias = Literal["text", "markdown", "json", "html"]
"""Output formats of a comparison."""

Format: TypeAlias = Literal["html", "json", "junit", "csv", "markdown", "baseline", "parquet", "grid", "zip"]
"""Output formats of a report."""

SheetKind: TypeAlias = Literal["bugs", "context", "follow-ups", "answers"]
"""Kinds of sheets: what people are asked to judge or to answer."""

Per: TypeAlias = Literal["sheet", "relation", "method"]
"""Unit that `--n` applies to: the whole sheet, each relation or each method."""
