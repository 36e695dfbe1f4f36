"""Creates a system, in this process or in an actor of a cluster."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mutatis.assembly.user_code import load_user_code
from mutatis.core.system import System, as_system
from mutatis.guarding import Guarded, is_shipped
from mutatis.opening import placed
from mutatis.plugins import load_plugins
from mutatis.systems import SYSTEMS

if TYPE_CHECKING:  # workers of a cluster create systems without reading a configuration
    from mutatis.config import Config, SystemSection

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


def making(config: Config, section: SystemSection) -> Making:
    """Return the instructions for creating the system that a `[system]` table describes."""
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
