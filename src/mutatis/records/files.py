"""`report.json` and `verdicts.jsonl` on disk: written whole or not at all, and checked when read."""

from __future__ import annotations

import json
import math
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pydantic
import pydantic_core

from mutatis.core.errors import UsageError
from mutatis.records.report import FORMAT, VERSION, FindingRecord, Record, Report, VerdictRecord

REPORT_FILE = "report.json"
VERDICTS_FILE = "verdicts.jsonl"


def make_report(found: Mapping[str, Any]) -> Report:
    """Return a finished run's numbers as a report; what JSON cannot hold becomes null first."""
    # Findings one by one: those of a large run are not held twice.
    findings = [FindingRecord.model_validate(plain(finding)) for finding in found["findings"]]
    rest = plain({name: value for name, value in found.items() if name != "findings"})
    return check_report({**rest, "findings": findings, "format": FORMAT, "version": VERSION}, "the report of this run")


def write_report(report: Report, path: Path) -> Path:
    """Write a report to `path` (a file), with format and version first; return the path."""
    return write_text(path, _pieces(report))


def _pieces(report: Report) -> Iterator[str]:
    """Yield the report piece by piece, one line per summary row and finding: large runs are not held twice."""
    named = {name: getattr(report, name) for name in Report.model_fields}
    for number, (name, value) in enumerate({**named, **(report.model_extra or {})}.items()):
        yield f"{',' if number else '{'}\n{dump(name)}: "
        if not isinstance(value, list):
            yield dump(_data(value))
            continue
        yield "["
        for position, item in enumerate(value):
            yield f"{',' if position else ''}\n{dump(_data(item))}"
        yield "]"
    yield "\n}\n"


def _data(value: Any) -> Any:
    return value.to_json() if isinstance(value, Record) else value


def read_report(path: Path) -> Report:
    """Read a report from a file, or from the folder that holds `report.json`; UsageError says what is wrong with it."""
    file = path / REPORT_FILE if path.is_dir() else path
    return check_report(read_json(file, f"the {REPORT_FILE} of a run"), str(file))


def read_json(file: Path, expected: str) -> Any:
    """Return the data of a JSON file; UsageError says what is wrong with it, and what was `expected`."""
    try:
        return _strict(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"{file}: no such file; expected {expected}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{file}: not JSON: {error}; expected {expected}") from None


def check_report(report: Any, where: str) -> Report:
    """Return the typed report; raise UsageError where format, version or a value is not what this program reads."""
    if not isinstance(report, Mapping) or report.get("format") != FORMAT:
        found = report.get("format") if isinstance(report, Mapping) else type(report).__name__
        raise UsageError(f"{where}: format is {found!r}; expected {FORMAT!r}")
    if report.get("version") != VERSION:
        raise UsageError(
            f"{where}: version {report.get('version')!r} of {FORMAT}; this mutatis reads version {VERSION}: "
            "repeat the run (stored answers are used again) or install the mutatis that wrote it"
        )
    try:
        return Report.model_validate(report)
    except pydantic.ValidationError as error:
        raise UsageError(f"{where}: {told(error)}") from None


def read_verdicts(path: Path) -> Iterator[VerdictRecord]:
    """Yield the verdicts of a file, or of the folder that holds `verdicts.jsonl`; UsageError names the bad line."""
    file = path / VERDICTS_FILE if path.is_dir() else path
    try:
        stream = file.open(encoding="utf-8")
    except OSError:
        raise UsageError(f"{file}: cannot be read; expected the {VERDICTS_FILE} of a run") from None
    with stream:
        for number, line in enumerate(stream, start=1):
            if line.strip():
                yield _verdict(line, f"{file}, line {number}")


def _verdict(line: str, where: str) -> VerdictRecord:
    try:
        return VerdictRecord.model_validate(_strict(line))
    except pydantic.ValidationError as error:
        raise UsageError(f"{where}: {told(error)}") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{where}: not JSON: {error}") from None


def told(error: pydantic.ValidationError) -> str:
    """Return the first thing that is wrong with a record, in one line."""
    first = error.errors(include_url=False)[0]
    place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in first["loc"]).lstrip(".")
    if first["type"] == "missing":
        return f"{place} is missing"
    expected = "expected an object" if first["type"] == "model_type" else first["msg"].lower()
    return f"{place or 'it'} is {str(first['input'])[:60]!r}; {expected}"


def _strict(text: str) -> Any:
    """Return the data of a JSON text; ValueError also for NaN and infinities, which Python's reader lets through."""
    try:
        return pydantic_core.from_json(text, allow_inf_nan=False)
    except ValueError:  # lone surrogates, too: Python's reader takes them, and its messages name line and column
        return json.loads(text, parse_constant=_refused)


def _refused(constant: str) -> None:
    raise ValueError(f"{constant} is no number of JSON")


def dump(value: Any) -> str:
    """Return `value` as JSON text that any reader accepts: NaN and infinities become null, lone surrogates escapes."""
    try:  # most data is plain JSON already, and going through it costs more than writing it
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError):
        text = json.dumps(plain(value), ensure_ascii=False, allow_nan=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(plain(value), allow_nan=False)
    return text


def plain(value: Any) -> Any:
    """Return data with nothing in it that JSON lacks: NaN and infinities become null, sets and tuples lists."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, set | frozenset):
        return [plain(item) for item in sorted(value, key=repr)]
    if hasattr(value, "item"):
        return plain(value.item())
    return str(value)


def write_text(path: Path, text: str | Iterable[str]) -> Path:
    """Write `text` (whole, or in pieces) beside `path` and rename it there, so that no reader ever sees half a file."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
            stream.writelines([text] if isinstance(text, str) else text)
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).replace(path)  # 0600, as mkstemp made it: questions and answers are nobody else's business
    except OSError as error:
        Path(temporary).unlink(missing_ok=True)
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from None
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    return path
