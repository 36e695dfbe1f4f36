"""What people and other programs see of a run; every form is made from the data of `report.json` alone.

The package can be called: `mutatis.report(run, path)`. With a function of its name beside it, what was imported first
would decide which of the two the name stands for.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol


class Reported(Protocol):
    """A finished run: `report` is what `report.json` holds."""

    @property
    def report(self) -> Mapping[str, Any]:
        """The report."""


class _Callable(types.ModuleType):
    def __call__(self, run: Reported, path: Path | str) -> Path:
        """Write a run's report; the ending of `path` chooses the format: .html, .json, .xml (JUnit) or .csv.

        Raises:
            UsageError: another ending.
        """
        from mutatis.report.forms import write

        return write(run.report, Path(path))


sys.modules[__name__].__class__ = _Callable
