"""Creates a system, in this process or in an actor of a cluster.

The user's Python files, which may register types of systems, run before that.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from traceback import walk_tb
from typing import TYPE_CHECKING, Any

from mutatis.core.errors import UsageError
from mutatis.core.system import System, as_system
from mutatis.guarding import Guarded, ends_us, is_shipped, run_file
from mutatis.opening import placed
from mutatis.plugins import load_plugins
from mutatis.secrets.environment import cleaned
from mutatis.systems import SYSTEMS
from mutatis.text.visible import named

if TYPE_CHECKING:  # workers of a cluster create systems without reading a configuration
    from mutatis.config import Config, SystemSection


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
    """Return the line of a file that caused an exception, even if code called from that line raised it."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return error.lineno or 0
    lines = [line for frame, line in walk_tb(error.__traceback__) if frame.f_code.co_filename == str(path)]
    return lines[-1] if lines else 0


ELSEWHERE = ("openai", "http", "recorded", "sheet")
"""Types of systems that wait for a remote machine or look up answers. They gain nothing from actors."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Making:
    """The instructions for creating a system, here or in an actor.

    They contain no secrets other than those in the configuration.

    Attributes:
        type: name of the registered system type.
        options: the options of that type.
        label: the system's name in reports, if the user gave one or the default name would contain a local path.
        plugins: True if installed packages may register types.
        load: files of the user that register types.
        path: folders to import the user's modules from.
        system: a system passed in as an object, which replaces all of the above.
    """

    type: str = ""
    options: Mapping[str, Any] = field(repr=False)
    label: str | None = None
    plugins: bool = True
    load: Sequence[Path] = ()
    path: Sequence[str] = ()
    system: Any = None

    def build(self) -> System:
        """Create the system from these instructions."""
        sys.path += [place for place in self.path if place not in sys.path]
        if self.type and self.type not in SYSTEMS:
            load_plugins(installed=self.plugins)
        for file in self.load:
            load_user_code(file)
        system = as_system(self._made() if self.system is None else self.system)
        if self.label is not None:
            system.label = self.label
        return system

    def _made(self) -> System:
        kind = SYSTEMS[self.type]
        if is_shipped(kind.model):
            return kind(**self.options)
        with Guarded("system type", self.type, needed=True):
            return kind(**self.options)


def _refuse_file_as_module(config: Config, target: str) -> None:
    """Raise UsageError if a target such as "bot:answer" names no module but a file in the configuration's folder."""
    place, _, name = target.rpartition(":")
    if place.isidentifier() and config.path(f"{place}.py").is_file() and find_spec(place) is None:
        raise UsageError(f"target {target!r}: there is no module {place!r}; did you mean {f'{place}.py:{name}'!r}?")


def making(config: Config, section: SystemSection) -> Making:
    """Return the instructions for this process or a worker to create the system of a `[system]` table."""
    model = SYSTEMS[section.type].model
    options = placed(model, section.options_for(model), config.path)
    if section.timeout is not None and "timeout" in SYSTEMS[section.type].options:
        options["timeout"] = section.timeout
    if isinstance(options.get("revision"), int | float):
        options["revision"] = str(options["revision"])  # so that revision = 2 is accepted, too
    label = section.label
    target = section.options.get("target")
    if isinstance(target, str) and ".py:" in target:  # a function in a file, such as "bot.py:answer"
        options["target"] = str(config.path(target).absolute())
        # The label has the path as the user wrote it, so that it does not depend on the current folder.
        label = label or f"{section.type}:{target}"
    elif isinstance(target, str):
        _refuse_file_as_module(config, target)
    if section.label is not None and "label" in SYSTEMS[section.type].options:
        # The system sets its label itself, because it may have to remove a secret from it.
        options["label"] = section.label
        label = None
    return Making(
        type=section.type,
        options=options,
        label=label,
        plugins=config.plugins,
        load=[config.path(path).absolute() for path in config.load],
        path=[str(Path(place).absolute()) for place in sys.path],
    )
