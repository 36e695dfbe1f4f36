"""Reads and writes `report.json`, `verdicts.jsonl` and `findings.jsonl`.

Files are written atomically and checked when read. Findings are read one at a time.
"""

from __future__ import annotations

import io
import itertools
import os
import tempfile
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TypeAlias, TypeVar, get_args

import pydantic

from mutatis.core.errors import UsageError, remedy_of
from mutatis.core.gathering import MadeWhenAsked
from mutatis.records.jsontext import dump, json_safe, record_of, strict, validated
from mutatis.records.record import ReportRecord
from mutatis.records.report import FORMAT, VERSION, DrawsRecord, FindingRecord, FindingsFile, Report, VerdictRecord

try:
    import fcntl
except ImportError:  # not on Windows, where two runs in one folder are not refused
    fcntl = None  # type: ignore[assignment]

HAS_LOCKS = fcntl is not None

FINDINGS_FILE = "findings.jsonl"
SHOWN = 1000
"""Maximum number of findings in `report.json` itself."""

_HEAD = b'{"id": "'
"""Beginning of each line that Mutatis writes."""

R = TypeVar("R", bound=pydantic.BaseModel)
Mark: TypeAlias = Callable[[FindingRecord], FindingRecord]


class Findings(MadeWhenAsked[FindingRecord]):
    """The findings of a run, in the order of discovery, as a sequence that reads items on demand.

    The length is known in advance, and each item takes one seek in the file.

    Args:
        storage: the file, or its content.
        file: the number of lines and bytes.
        mark: function applied to each finding when it is read.
    """

    def __init__(self, storage: Path | bytes, file: FindingsFile, mark: Mark | None = None) -> None:
        self._storage, self.file, self._mark = storage, file, mark
        self._offsets: array[int] | None = None

    @property
    def path(self) -> Path | None:
        """The file with the findings, or None if they are in memory."""
        return self._storage if isinstance(self._storage, Path) else None

    def marked(self, mark: Mark) -> Findings:
        """Return the same findings, with `mark` applied to each when it is read."""
        return Findings(self._storage, self.file, mark)

    def __len__(self) -> int:
        return self.file.number

    def __iter__(self) -> Iterator[FindingRecord]:
        for number, line in enumerate(self.lines(), start=1):
            yield self._record(line, number)

    def at(self, number: int) -> FindingRecord:
        """Read the finding at an index of the selection."""
        if self._offsets is None:
            self._offsets = array("Q", itertools.accumulate(map(len, self.lines()), initial=0))
        with self._opened() as stream:
            stream.seek(self._offsets[number])
            return self._record(stream.readline(), number + 1)

    def ids(self) -> Iterator[str]:
        """Yield the short hashes of the findings, parsing as little as possible.

        Afterwards, the position of each finding in the file is known.
        """
        offsets = array("Q", [0])
        for number, line in enumerate(self.lines(), start=1):
            offsets.append(offsets[-1] + len(line))
            if line.startswith(_HEAD):
                yield line[len(_HEAD) : line.index(b'"', len(_HEAD))].decode("utf-8", "replace")
            else:  # written by another program
                yield self._record(line, number).id
        self._offsets = offsets

    def lines(self) -> Iterator[bytes]:
        """Yield the findings as written, each with its line ending.

        Raises:
            UsageError: the file is missing, or belongs to a different run.
        """
        with self._opened() as stream:
            yield from stream

    def _opened(self) -> IO[bytes]:
        if isinstance(self._storage, bytes):
            return io.BytesIO(self._storage)
        try:
            stream = self._storage.open("rb")
        except OSError:
            raise UsageError(
                f"{self._storage}: cannot be read; this file contains the {len(self):,} findings of the run; copy it "
                "together with the report"
            ) from None
        if stream.seek(0, io.SEEK_END) != self.file.size:
            stream.close()
            raise UsageError(f"{self._storage} does not belong to the same run as the report; repeat the run")
        stream.seek(0)
        return stream

    def _record(self, line: bytes, number: int) -> FindingRecord:
        finding = record_of(FindingRecord, line, f"{self.path or 'findings'}, line {number}")
        return finding if self._mark is None else self._mark(finding)


def with_marks(report: Report, mark: Mark) -> Report:
    """Return a copy of a report with `mark` applied to each finding, when it is read if it is in a file."""
    copy = report.model_copy(update={"findings": [*map(mark, report.findings)]})
    every = report.all_findings
    return copy.holding(every.marked(mark)) if isinstance(every, Findings) else copy


def ids_of(findings: Sequence[FindingRecord]) -> Iterator[str]:
    """Yield the short hashes of findings, which may be in a file or in memory."""
    return findings.ids() if isinstance(findings, Findings) else (finding.id for finding in findings)


def beside(report: Path) -> Path:
    """Return the path of the findings file that belongs to a report file."""
    return report.with_name(FINDINGS_FILE if report.name == "report.json" else f"{report.stem}-{FINDINGS_FILE}")


REPORT_FILE = "report.json"
VERDICTS_FILE = "verdicts.jsonl"
DRAWS_FILE = "draws.jsonl"


def growth_of(folder: Path) -> Path:
    """Return the path of the file that a run in progress keeps locked and appends its verdicts to."""
    return folder / f"{VERDICTS_FILE}.part"


def lock(file: int | IO[bytes], *, shared: bool = False) -> bool:
    """Lock a file for this process. Return False if another process has locked it, True if the system has no locks."""
    if HAS_LOCKS:
        try:
            fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            pass  # no locks on this file system
    return True


def make_report(record: Mapping[str, Any], findings: Findings | None = None) -> Report:
    """Turn the numbers of a finished run into a report. Values that JSON cannot represent become null.

    `findings` contains all findings if `record` only contains the first ones.
    """
    others = json_safe({name: value for name, value in record.items() if name != "findings"})
    # Findings that are records already hold only JSON values, and converting them would turn them into text.
    first = [json_safe(finding) if isinstance(finding, Mapping) else finding for finding in record["findings"]]
    report = check_report({**others, "findings": first, "format": FORMAT, "version": VERSION}, "the report of this run")
    return report if findings is None or len(findings) == len(report.findings) else report.holding(findings)


def write_report(report: Report, path: Path) -> Path:
    """Write a report to the file `path`, with format and version first, and return the path.

    If the report does not contain all findings, they are written to a file next to it, unless that file already holds
    them.
    """
    findings = report.all_findings
    if isinstance(findings, Findings) and findings.path != beside(path):
        write_text(beside(path), (line.decode("utf-8") for line in findings.lines()))
    return write_text(path, json_pieces(report))


def json_pieces(record: ReportRecord) -> Iterator[str]:
    """Yield the JSON of a record in pieces, so that memory never holds a large run twice.

    Every key and every item of a list begins a new line.
    """
    known_keys = {name: getattr(record, name) for name in type(record).model_fields if name in record.model_fields_set}
    opening = "{"
    for name, value in {**known_keys, **(record.model_extra or {})}.items():
        yield f"{opening}\n{dump(name)}: "
        opening = ","
        if not isinstance(value, list):
            yield dump(_data(value))
            continue
        yield "["
        for position, item in enumerate(value):
            yield f"{',' if position else ''}\n{dump(_data(item))}"
        yield "]"
    yield "\n}\n"


def _data(value: Any) -> Any:
    return value.to_json() if isinstance(value, ReportRecord) else value


def read_report(path: Path) -> Report:
    """Read a report from a file, or from a folder that contains `report.json`. Raise a UsageError for any fault."""
    file = path / REPORT_FILE if path.is_dir() else path
    checked = check_report(read_json_file(file, f"the {REPORT_FILE} of a run"), str(file))
    if checked.findings_file is not None and checked.findings_file.number > len(checked.findings):
        return checked.holding(Findings(beside(file), checked.findings_file))
    return checked


def read_json_file(file: Path, expected: str) -> Any:
    """Read a JSON file. Raise a UsageError that describes any fault and the `expected` content."""
    try:
        return strict(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"{file}: no such file; expected {expected}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    except ValueError as error:
        raise UsageError(f"{file}: not JSON: {error}; expected {expected}") from None
    except RecursionError:
        raise UsageError(f"{file}: not JSON: nested too deeply to be read; expected {expected}") from None


def read_record(kind: type[R], file: Path, what: str, expected: str) -> R:
    """Read a JSON file with one record, whose field `format` names the kind of file.

    Raises:
        UsageError: the file cannot be read, is not `what` ("a baseline"), or has an invalid value. The error ends with
            the `expected` content.
    """
    data = read_json_file(file, expected)
    field = kind.model_fields["format"]
    if not isinstance(data, dict) or data.get("format", field.default) not in get_args(field.annotation):
        raise UsageError(f"{file} is not {what}; expected {expected}")
    return validated(kind, data, str(file), f"; expected {expected}")


def check_report(report: Any, where: str) -> Report:
    """Return the report as a typed record. Raise UsageError if this version cannot read it, or a value is invalid."""
    stated = report.get("format") if isinstance(report, Mapping) else type(report).__name__
    if stated != FORMAT:
        raise UsageError(f"{where}: format is {stated!r}; expected {FORMAT!r}")
    if report.get("version") != VERSION:
        raise UsageError(
            f"{where}: version {report.get('version')!r} of {FORMAT}; this mutatis reads version {VERSION}: "
            "repeat the run (stored answers are reused) or install the version of mutatis that wrote it"
        )
    return validated(Report, report, where)


def read_verdicts(path: Path) -> Iterator[VerdictRecord]:
    """Yield the verdicts in a file, or in the `verdicts.jsonl` of a folder.

    Raise a UsageError that names the line if a line cannot be read.
    """
    return _read_lines(VerdictRecord, path / VERDICTS_FILE if path.is_dir() else path, VERDICTS_FILE)


def kept_verdicts(folder: Path | None) -> Iterator[VerdictRecord]:
    """Return the verdicts of the run in `folder`. Raise a UsageError if the run did not keep them."""
    if folder is None or not (folder / VERDICTS_FILE).is_file():
        where = "this run has no folder" if folder is None else f"{folder}: no {VERDICTS_FILE}"
        raise UsageError(f"{where}; verdicts are kept in a run's folder: run with --out (Python: out=...)")
    return read_verdicts(folder)


def read_draws(folder: Path) -> Iterator[DrawsRecord]:
    """Yield the records in a run's `draws.jsonl`. Raise a UsageError that names any invalid line."""
    return _read_lines(DrawsRecord, folder / DRAWS_FILE, DRAWS_FILE)


def _read_lines(kind: type[R], file: Path, expected: str) -> Iterator[R]:
    try:
        stream = file.open(encoding="utf-8")
    except OSError:
        raise UsageError(f"{file}: cannot be read; expected the {expected} of a run") from None
    with stream:
        for number, line in enumerate(stream, start=1):
            if line.strip():
                yield record_of(kind, line, f"{file}, line {number}")


def write_text(path: Path, text: str | Iterable[str]) -> Path:
    """Write `text`, whole or in pieces, to `path`, and return the path.

    The text is written to a temporary file, which is then renamed, so that readers never see a partly written file.
    """
    with writing(path), replacing(path) as stream:
        stream.writelines(piece.encode("utf-8") for piece in ([text] if isinstance(text, str) else text))
        stream.flush()
        os.fsync(stream.fileno())
    return path


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Open a temporary file that replaces `path` at the end of the block, unless the block raises an exception."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
        # It keeps the mode 0600 from mkstemp, because questions and answers may be private.
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


@contextmanager
def writing_to(path: Path) -> Iterator[None]:
    """Add the name of a file to any OSError raised in the block, since errors about open files do not contain it."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn an OSError raised in the block into a UsageError that names the file.

    >>> with writing(Path("x.csv")):
    ...     raise IsADirectoryError(21, "Is a directory")
    Traceback (most recent call last):
    mutatis.core.errors.UsageError: x.csv: cannot be written: Is a directory
    """
    try:
        yield
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}{remedy_of(error)}") from None
