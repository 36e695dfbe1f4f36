"""Reads the user's TOML files, and reports an error with its line and how to fix it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mutatis.core.errors import UsageError, nearest
from mutatis.core.parsing import NotReadable, toml_of
from mutatis.secrets.masking import scrubbed
from mutatis.secrets.scanning import looks_secret

_CURLY = re.compile("[\u2018-\u201f]")
"""Matches curly quotes, which word processors put in place of straight ones."""


def read_toml(path: Path, *, or_options: bool = False) -> dict[str, Any]:
    """Return the tables of a TOML file.

    If `or_options` is true, the errors suggest the options --system and --data, which replace the file.

    Raises:
        UsageError: the file does not exist or is not TOML.
    """
    if path.suffix == ".py":
        other = f", or --system {path}:FUNCTION --data FILE" if or_options else " that names it in [system]"
        raise UsageError(f"{path} is a Python file; expected a TOML file{other}")
    if path.suffix.lower() in (".jsonl", ".csv", ".tsv", ".txt", ".xz", ".gz"):
        other = f", or --data {path} --system TYPE:NAME" if or_options else " that names it in [data]"
        raise UsageError(f"{path} is a data file; expected a TOML file{other}")
    try:
        table = toml_of(path.read_text(encoding="utf-8-sig"))  # some editors write a byte order mark
    except FileNotFoundError:
        if ".py:" in path.name:
            other = f", or --system {path} --data FILE" if or_options else " that names it in [system]"
            raise UsageError(f"{path} names a function; expected a TOML file{other}") from None
        raise UsageError(f"no configuration {str(path)!r}; {_existing_files(path.parent, path.name)}") from None
    except UnicodeDecodeError as error:
        byte = error.object[error.start]
        raise UsageError(
            f"{path} is not text (byte {byte:#04x} at {error.start}); expected a TOML file in UTF-8"
        ) from None
    except IsADirectoryError:
        raise UsageError(f"{path} is a folder; expected a TOML file; {_existing_files(path)}") from None
    except OSError as error:
        raise UsageError(f"cannot read configuration {path}: {error.strerror}") from None
    except NotReadable as error:
        raise UsageError(f"{path} is not TOML: {error}{_line_of(path, str(error))}") from None
    if not table:
        raise UsageError(f"{path} is empty; 'mutatis init my.toml' writes a first configuration")
    return table


def _line_of(path: Path, problem: str) -> str:
    """Return the line named in a TOML error, with a hint about common mistakes, such as unquoted text."""
    place = re.search(r"at line (\d+)", problem)
    if place is None:
        return ""
    line = path.read_text(encoding="utf-8-sig").split("\n")[int(place[1]) - 1].strip()
    return f": {shown_line(line)[:80]}{_hint(problem, line)}"


def _existing_files(folder: Path, wanted: str = "") -> str:
    """Suggest the configuration file that was probably meant, or list the existing ones and how to create one."""
    names = sorted(other.name for other in folder.glob("*.toml"))
    stems = {Path(name).stem: name for name in names}  # the common suffix would make all names similar
    if alike := nearest(Path(wanted).stem, stems):
        return f"did you mean {stems[alike[0]]!r}?"
    there = ", ".join(names[:5])
    return f"there are: {there}; 'mutatis init' writes a first one" if there else "'mutatis init' writes a first one"


def _hint(problem: str, line: str) -> str:
    """Return a hint on how to fix a common mistake in a line."""
    if problem.startswith("Invalid value"):
        return '; text needs straight quotes: "..."' if _CURLY.search(line) else "; text needs quotes"
    if problem.startswith("Unescaped"):
        return "; in single quotes a backslash is literal"
    return "; write name = value" if re.match(r"[\w-]+:(\s|$)", line) else ""


def shown_line(text: str) -> str:
    """Format a line `KEY = VALUE` for a message, with secrets removed."""
    key, equals, _ = text.partition("=")
    return f"{key}{equals}***" if equals and looks_secret(key) else scrubbed(text, guess=True)
