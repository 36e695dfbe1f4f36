"""Opens data files, and describes errors in them by path, record, field, expectation and next step.

Files ending in `.xz` or `.gz` are decompressed.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import json
import lzma
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any, Self

from mutatis.core.errors import UsageError, check_known, nearest, shortened
from mutatis.core.parsing import NotReadable, json_of

_SHOWN = 60
_NO_TEXT = (
    (b"PK\x03\x04", "a workbook or an archive"),
    (b"PAR1", "a Parquet file"),
    (b"%PDF", "a PDF"),
    (b"SQLite format 3", "a database"),
    (b"\xd0\xcf\x11\xe0", "a workbook of an old version of Excel"),
    (b"\x80\x04", "a pickle"),
)
"""First bytes of binary files that are often passed by mistake instead of text tables, and their descriptions."""

_NEEDED = {
    "utf-16": (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE),
    "utf-32": (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE),
}
"""Byte order marks required at the beginning of files in these encodings."""

_NAMES = {str: "text", dict: "an object", list: "a list", bool: "true or false", int: "a whole number"}


def shown(value: Any) -> str:
    """Format a value for an error message, shortened and on one line."""
    return shortened(json.dumps(value, ensure_ascii=False, default=str), _SHOWN)


def find(path: Path) -> Path:
    """Return the file at `path`, or its compressed form if only that exists. Raise UsageError if neither does."""
    try:
        for file in (path, *(path.with_name(path.name + suffix) for suffix in (".xz", ".gz"))):
            if file.is_file():
                return file
        is_folder, has_folder = path.is_dir(), path.parent.is_dir()
    except OSError as error:  # such as a name that is too long
        raise UsageError(f"{path}: cannot be read: {error.strerror or error}") from None
    if is_folder:
        raise UsageError(f"{path} is a folder; expected a file")
    raise UsageError(f"{path}: no such file{near_file(path) if has_folder else ''}")


def near_file(path: Path) -> str:
    """Return the end of an error message for a missing file: a file with a similar name, or what its folder has."""
    names = files_beside(path)
    if alike := nearest(path.name, names):
        return f"; did you mean {alike[0]!r}?"
    return f"; the folder has: {', '.join(names[:6])}" if names else "; its folder is empty"


def files_beside(path: Path) -> list[str]:
    """Return the names of the files in a path's folder, those with its ending first, or [] if it cannot be read."""
    try:
        names = [entry.name for entry in path.parent.iterdir() if entry.is_file()]
    except OSError:
        return []
    return sorted(names, key=lambda name: (Path(name).suffix != path.suffix, name))


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    """Open a file, decompressing it if needed. Raise UsageError if it cannot be read."""
    opening: dict[str, Callable[..., Any]] = {".xz": lzma.open, ".gz": gzip.open}
    try:
        with opening.get(path.suffix, open)(path, "rb") as file:
            yield file
    except (lzma.LZMAError, gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise UsageError(f"{path}: the {path.suffix} file is damaged ({error}); download it again") from None
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror or error}") from None


def read_text(path: Path, encoding: str | None = None) -> str:
    """Return the text of a file, decoded as UTF-8 unless `encoding` is given. A byte order mark is dropped."""
    with _opened(find(path)) as file:
        data = file.read()
    if encoding and not _has_required_mark(data, encoding):
        raise UsageError(
            f'{path} has no byte order mark, which encoding = "{encoding}" needs; leave the option out, or pass '
            f'encoding = "{encoding}-le" or "{encoding}-be"'
        )
    try:
        return data.decode(encoding or "utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        wanted = (encoding or "utf-8").upper()
        what = f"{path}: line {line} is not {wanted} (byte 0x{data[error.start]:02x} at {error.start})"
        if (kind := next((kind for mark, kind in _NO_TEXT if data.startswith(mark)), None)) is not None:
            raise UsageError(f"{path} is {kind}, not text; save the data as CSV or JSON lines") from None
        if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            raise UsageError(f'{what}; the file begins like a UTF-16 file: pass encoding = "utf-16"') from None
        raise UsageError(f'{what}; pass encoding = "cp1252" (Windows) or "latin-1"') from None
    except (LookupError, ValueError):  # ValueError: an impossible name, or a codec that always fails
        raise UsageError(
            f"{path}: unknown encoding {encoding!r}; expected a name such as utf-8, cp1252, latin-1"
        ) from None


def _has_required_mark(data: bytes, encoding: str) -> bool:
    """Return True if data begin with the byte order mark that their encoding requires, if any."""
    name = encoding.lower().replace("_", "-")
    marks = _NEEDED.get(name if name.startswith("utf-") else name.replace("utf", "utf-"), ())
    return not marks or data.startswith(marks)


def read_json(path: Path, encoding: str | None = None) -> Any:
    """Return the data in a JSON file."""
    text = read_text(path, encoding)
    try:
        return json_of(text)
    except NotReadable as error:
        lines = text.lstrip()[:1]
        hint = "; is it JSONL (one object per line)?" if error.reason == "Extra data" else ""
        hint = hint or ("" if lines in ("{", "[") else "; is the format right?")
        raise UsageError(f"{path}: not JSON: {error}{hint}") from None


def json_lines(path: Path, encoding: str | None = None) -> Iterator[tuple[int, Any]]:
    """Yield the line number and data of every non-blank line in a JSONL file."""
    for number, line in read_lines(path, encoding):
        try:
            yield number, json_of(line)
        except NotReadable as error:
            place = f" at column {error.column}" if error.column else ""
            raise UsageError(
                f"{path}: line {number}: not JSON: {error.reason}{place}; expected JSONL{_probable_format(line)}"
            ) from None


def _probable_format(line: str) -> str:
    """Return a hint at the format of a line that is not JSON, or "" if the format cannot be guessed."""
    begins, ends = line.lstrip()[:2], line.rstrip()[-1:]
    if begins[:1] == "[":
        return ', one object per line; for a single array use format = "json"'
    if begins[:1] == "{" and ends == ",":
        return ", one object per line, without a comma after it"
    return ", with texts in double quotes" if begins == "{'" else ""


def read_lines(path: Path, encoding: str | None = None) -> Iterator[tuple[int, str]]:
    """Yield the number and text of every non-blank line. Only line feeds separate lines."""
    for number, line in enumerate(_streamed(path, encoding), start=1):
        if line.strip():
            yield number, line.removesuffix("\n").rstrip("\r")


def read_rows(path: Path, *, delimiter: str = ",", encoding: str | None = None) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of each row in a table with quoted cells, with the number of the row's last line.

    Blank rows are skipped.
    """
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    reader = csv.reader(_streamed(path, encoding), delimiter=delimiter, strict=True)
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise UsageError(f"{path}: line {reader.line_num}: {error}; expected cells quoted as in CSV") from None
        if row and (len(row) > 1 or row[0].strip()):
            yield reader.line_num, row


def read_table(
    path: Path, *, delimiter: str | None = None, encoding: str | None = None, wanted: Iterable[str] = ()
) -> Iterator[Record]:
    """Yield the rows of a table below its header, without empty cells. The columns in `wanted` must exist.

    By default, `delimiter` is a comma, or a tab in .tsv files.
    """
    rows = read_rows(path, delimiter=delimiter or usual_delimiter(path), encoding=encoding)
    _, first_row = next(rows, (0, list[str]()))
    header = [cell.strip() for cell in first_row]
    if (other := _other_delimiter(header)) and delimiter is None:
        raise UsageError(
            f"{path}: line 1: found only one column, {shown(header[0])}; pass delimiter = {json.dumps(other)}, "
            "or rename the column"
        )
    if len(set(header)) < len(header):
        raise UsageError(f"{path}: line 1: two columns have the same name; found: {', '.join(header)}")
    # An empty file has no columns, but its reader gives a better reason.
    check_known(f"column of {path}:", wanted if header else (), header)
    for number, cells in rows:
        if len(cells) != len(header):
            raise UsageError(
                f"{path}: line {number}: expected {len(header)} cells ({', '.join(header)}), "
                f"found {len(cells)}: {shown(cells)}"
            )
        data = {name: cell for name, cell in zip(header, cells, strict=True) if cell.strip()}
        yield Record(where=f"{path}: line {number}", data=data)


def usual_delimiter(path: Path) -> str:
    """Return the default delimiter of a table: a tab for .tsv files, otherwise a comma."""
    return "\t" if ".tsv" in path.suffixes else ","


def _other_delimiter(header: list[str]) -> str:
    """Return the delimiter that a header read as a single column probably uses, or ""."""
    return next((mark for mark in ";\t|" if len(header) == 1 and mark in header[0]), "")


def _streamed(path: Path, encoding: str | None) -> Iterator[str]:
    """Yield the lines of a file with their line endings, splitting only at line feeds.

    The file is never held in memory as a whole.
    """
    try:
        with _opened(find(path)) as file, io.TextIOWrapper(file, encoding or "utf-8-sig", newline="\n") as lines:
            yield from lines
    except (ValueError, LookupError):  # UTF-16 also raises plain ValueErrors
        read_text(path, encoding)  # raises an error that names the place
        raise


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A record from a data file. Errors in its fields give its location ("data.jsonl: line 3")."""

    where: str
    data: Mapping[str, Any]

    @classmethod
    def of(cls, where: str, data: Any) -> Record:
        """Create a record from `data`. Raise UsageError if it is not an object."""
        if not isinstance(data, dict):
            raise UsageError(f"{where}: expected an object, found {shown(data)}")
        return cls(where=where, data=data)

    def present(self) -> Self:
        """Return a copy of the record without fields that are null."""
        if None not in self.data.values():
            return self
        return replace(self, data={name: value for name, value in self.data.items() if value is not None})

    @property
    def has(self) -> str:
        """A list of the existing fields, for error messages."""
        return f"it has: {', '.join(self.data) or 'nothing'}"

    def error(self, name: str, expected: str) -> UsageError:
        """Return a UsageError about the value of the field `name`, or about its absence."""
        seen = f"found {shown(self.data[name])}" if name in self.data else self.has
        missing = "" if name in self.data else "is missing; "
        return UsageError(f"{self.where}: field {name!r} {missing}expected {expected}, {seen}")

    def get(self, name: str, kind: type, default: Any = None) -> Any:
        """Return the value of a field, which must be of this type, or `default` if it is absent or null."""
        value = self.data.get(name)
        if value is None:
            return default
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise self.error(name, _NAMES.get(kind, kind.__name__))
        return value

    def need(self, name: str, kind: type) -> Any:
        """Return the value of a required field, which must be of this type."""
        value = self.get(name, kind)
        if value is None:
            raise self.error(name, _NAMES.get(kind, kind.__name__))
        return value

    def text(self, name: str) -> str:
        """Return the value of a required text field, which must not be blank."""
        value: str = self.need(name, str)
        if not value.strip():
            raise self.error(name, "text")
        return value

    def id(self, name: str) -> str:
        """Return an identifier as text. In the data, it may be text or a whole number."""
        value = self.data.get(name)
        if isinstance(value, bool) or not isinstance(value, str | int) or str(value).strip() == "":
            raise self.error(name, "an identifier (text or number)")
        return str(value)

    def objects(self, name: str, label: str) -> list[Record]:
        """Return the objects in a required list as records. In error messages, each object is called `label`."""
        return self._objects(label, self.need(name, list))

    def optional_objects(self, name: str, label: str) -> list[Record]:
        """Return the objects in a list as records, or an empty list if the field is absent."""
        return self._objects(label, self.get(name, list, []))

    def _objects(self, label: str, items: list[Any]) -> list[Record]:
        return [Record.of(f"{self.where}, {label} {place}", item) for place, item in enumerate(items, 1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class DataFile:
    """The arguments of a data reader: file, data name, task and text encoding."""

    path: Path
    name: str
    task: str
    encoding: str | None = None

    def json(self) -> Any:
        """Parse the file as JSON and return its data."""
        return read_json(self.path, self.encoding)

    def id(self, record: object) -> str:
        """Return the id of the test case made from a record."""
        return f"{self.name}/{record}"

    def record(self, where: str, data: Any) -> Record:
        """Create a record from one item of the file. Errors will name the file and `where`."""
        return Record.of(f"{self.path}: {where}", data)

    def documents(self, label: str) -> list[Record]:
        """Return the objects in a JSON file, which contains a list, or an object with a list under `data`."""
        data = self.json()
        if isinstance(data, dict) and "data" in data:
            data = data["data"]
        if not isinstance(data, list):
            known = ", ".join(data) if isinstance(data, dict) else shown(data)
            raise UsageError(
                f"{self.path}: expected a list of {label}s, or an object with such a list in 'data'; found: {known}"
            )
        return [self.record(f"{label} {place}", item) for place, item in enumerate(data, 1)]
