"""Writes the JSON schemas of `report.json` and `verdicts.jsonl`: `python -m mutatis.records.schema docs`."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path

from mutatis.records.files import write_text
from mutatis.records.record import ReportRecord
from mutatis.records.report import Report, VerdictRecord

SCHEMAS: Mapping[str, type[ReportRecord]] = {"report.schema.json": Report, "verdict.schema.json": VerdictRecord}
"""Names of the schema files, and the records that they describe."""

DRAFT = "https://json-schema.org/draft/2020-12/schema"


def schema_text(model: type[ReportRecord]) -> str:
    """Return the text of a JSON schema file that describes a record."""
    return json.dumps({"$schema": DRAFT, **model.model_json_schema()}, indent=2) + "\n"


def write_schemas(folder: Path) -> list[Path]:
    """Write both schemas to a folder, and return their paths."""
    return [write_text(folder / name, schema_text(model)) for name, model in SCHEMAS.items()]


if __name__ == "__main__":
    for written in write_schemas(Path(*sys.argv[1:])):
        print(written)
