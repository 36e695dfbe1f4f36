"""Runs the user's Python files, which register transformations, relations and systems."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from traceback import walk_tb

from mutatis.core.errors import UsageError
from mutatis.guarding import ends_us, run_file
from mutatis.secrets import cleaned
from mutatis.text.visible import named

_VERSION = "__mutatis_version__"


def load_user_code(path: Path) -> None:
    """Run a Python file that registers the user's own transformations, relations or systems.

    Raises:
        UsageError: the file does not exist, fails, or has changed since it was loaded. The message contains the error
            and its line.
    """
    name = f"mutatis_user_{path.stem}"
    if not path.is_file():
        raise UsageError(f"load = [{str(path)!r}]: no such file; expected a Python file with your relations")
    version = hashlib.sha256(path.read_bytes()).hexdigest()
    if name in sys.modules and getattr(sys.modules[name], "__file__", None) == str(path.resolve()):
        if getattr(sys.modules[name], _VERSION, version) != version:  # its parts are registered and cannot be replaced
            raise UsageError(
                f"{path} has changed since this program loaded it; restart the program (or a notebook's kernel)"
            )
        return
    try:
        setattr(run_file(path.resolve(), name), _VERSION, version)
    except UsageError:
        raise
    except BaseException as error:
        if ends_us(error):
            raise
        raise UsageError(f"{path}, line {_line_of(error, path.resolve())}: {named(error, cleaned)}") from error


def _line_of(error: BaseException, path: Path) -> int:
    """Return the line of a file at which an exception occurred, even if code called from that line raised it."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return error.lineno or 0
    lines = [line for frame, line in walk_tb(error.__traceback__) if frame.f_code.co_filename == str(path)]
    return lines[-1] if lines else 0
