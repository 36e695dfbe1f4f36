"""`report.json` and `verdicts.jsonl` on disk: written whole or not at all, and checked when read.

Knows the format, not how a run makes its numbers.
"""

from __future__ import annotations

import json
import math
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from mutatis.core.errors import UsageError

FORMAT = "mutatis/report"
VERSION = 1
REPORT_FILE = "report.json"
VERDICTS_FILE = "verdicts.jsonl"

_SECTIONS: dict[str, type] = {"run": dict, "summary": list, "findings": list, "health": list, "metrics": dict}
_ROW = ("system", "task", "relation", "satisfied", "violated", "invalid", "error")
_FINDING = ("id", "system", "task", "relation", "source", "followups")
_VERDICT = ("system", "task", "relation", "source", "outcome")


def write_report(report: Mapping[str, Any], path: Path) -> Path:
    """Write a report to `path` (a file), with format and version first; return the path."""
    whole = {"format": FORMAT, "version": VERSION} | {**report, "format": FORMAT, "version": VERSION}
    check_report(whole, path)
    return write_text(path, _pieces(whole))


def _pieces(report: Mapping[str, Any]) -> Iterator[str]:
    """Yield the report piece by piece, one line per summary row and finding: large runs are not held twice."""
    for number, (name, value) in enumerate(report.items()):
        yield f"{',' if number else '{'}\n{dump(name)}: "
        if not isinstance(value, list):
            yield dump(value)
            continue
        yield "["
        for position, item in enumerate(value):
            yield f"{',' if position else ''}\n{dump(item)}"
        yield "]"
    yield "\n}\n"


def read_report(path: Path) -> dict[str, Any]:
    """Read a report from a file, or from the folder that holds `report.json`; UsageError says what is wrong with it."""
    file = path / REPORT_FILE if path.is_dir() else path
    try:
        report = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"{file}: no such file; expected the {REPORT_FILE} of a run") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    except (json.JSONDecodeError, RecursionError) as error:
        raise UsageError(f"{file}: not JSON: {error}; expected a {REPORT_FILE} of mutatis") from None
    check_report(report, file)
    return dict(report)


def check_report(report: Any, where: Path) -> None:
    """Raise UsageError unless `report` has the format, the version and the sections that this program understands."""
    if not isinstance(report, Mapping) or report.get("format") != FORMAT:
        found = report.get("format") if isinstance(report, Mapping) else type(report).__name__
        raise UsageError(f"{where}: format is {found!r}; expected {FORMAT!r}")
    if report.get("version") != VERSION:
        raise UsageError(
            f"{where}: version {report.get('version')!r} of {FORMAT}; this mutatis reads version {VERSION}: "
            "repeat the run (stored answers are used again) or install the mutatis that wrote it"
        )
    for section, kind in _SECTIONS.items():
        if not isinstance(report.get(section), kind):
            raise UsageError(f"{where}: section {section!r} is missing or not a {kind.__name__}")
    _check_items(report["summary"], _ROW, f"{where}: summary")
    _check_items(report["findings"], _FINDING, f"{where}: findings")


def write_verdicts(verdicts: Iterable[Mapping[str, Any]], path: Path) -> Path:
    """Write one JSON object per line to `path`, streaming; return the path."""

    def lines() -> Iterator[str]:
        for verdict in verdicts:
            yield dump(verdict) + "\n"

    return write_text(path, lines())


def read_verdicts(path: Path) -> Iterator[dict[str, Any]]:
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


def _verdict(line: str, where: str) -> dict[str, Any]:
    try:
        verdict = json.loads(line)
    except json.JSONDecodeError as error:
        raise UsageError(f"{where}: not JSON: {error}") from None
    _check_items([verdict], _VERDICT, where)
    return dict(verdict)


def _check_items(items: Iterable[Any], needed: tuple[str, ...], where: str) -> None:
    for number, item in enumerate(items):
        if not isinstance(item, Mapping):
            raise UsageError(f"{where}[{number}] is a {type(item).__name__}; expected an object")
        missing = [key for key in needed if key not in item]
        if missing:
            raise UsageError(f"{where}[{number}] has no {', '.join(map(repr, missing))}")


def dump(value: Any) -> str:
    """Return `value` as JSON text that any reader accepts: NaN and infinities become null, lone surrogates escapes."""
    plain = _plain(value)
    text = json.dumps(plain, ensure_ascii=False, allow_nan=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(plain, allow_nan=False)
    return text


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, set | frozenset):
        return [_plain(item) for item in sorted(value, key=repr)]
    if hasattr(value, "item"):
        return _plain(value.item())
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
        umask = os.umask(0)
        os.umask(umask)
        Path(temporary).chmod(0o666 & ~umask)
        Path(temporary).replace(path)
    except OSError as error:
        Path(temporary).unlink(missing_ok=True)
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from None
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    return path
