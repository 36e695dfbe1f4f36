"""The user's own Python files, run for what they register."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

from mutatis.core.errors import UsageError
from mutatis.guarding import ends_us
from mutatis.secrets import cleaned
from mutatis.text.visible import named


def load_user_code(path: Path) -> None:
    """Run a Python file that registers the user's own transformations, relations or systems.

    Raises:
        UsageError: no such file, or it failed; the message names the error and its line.
    """
    name = f"mutatis_user_{path.stem}"
    if name in sys.modules and getattr(sys.modules[name], "__file__", None) == str(path.resolve()):
        return
    if not path.is_file():
        raise UsageError(f"load = [{str(path)!r}]: no such file; expected a Python file with your relations")
    specification = importlib.util.spec_from_file_location(name, path.resolve())
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module
    try:
        specification.loader.exec_module(module)
    except UsageError:
        del sys.modules[name]
        raise
    except BaseException as error:
        del sys.modules[name]
        if ends_us(error):
            raise
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        line = trace.tb_lineno if trace else 0
        raise UsageError(f"{path}, line {line}: {named(error, cleaned)}") from error
