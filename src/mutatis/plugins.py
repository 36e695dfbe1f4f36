"""Loads installed packages that add relations, systems, formats, tasks or searches.

A package declares an entry point in the group `mutatis`:

    [project.entry-points.mutatis]
    shop = "my_package.mutatis_parts"

The entry point names a module that registers its additions on import, like a file in `load`. If a plugin fails to load,
it is skipped and reported on one line, since a broken package must not stop a run. Plugins that ship with this package
are entry points, too, and are always loaded first.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from importlib import metadata
from pkgutil import resolve_name
from typing import Any

from mutatis.core.registry import Registry
from mutatis.guarding import ends_us
from mutatis.secrets.environment import cleaned
from mutatis.text.visible import named

GROUP = "mutatis"
SHIPPED = (metadata.EntryPoint(name="rltest4chatbot", value="mutatis.rltest4chatbot", group=GROUP),)
"""Plugins that ship with this package. They are listed here so that they work even if it is not installed."""


REGISTRIES = {
    "relations": "mutatis.core.relation:RELATIONS",
    "transformations": "mutatis.core.transformation:TRANSFORMATIONS",
    "tasks": "mutatis.tasks:TASKS",
    "systems": "mutatis.systems:SYSTEMS",
    "measures": "mutatis.measures:MEASURES",
    "datasets": "mutatis.datasets:DATASETS",
    "recipes": "mutatis.recipes:RECIPES",
    "searches": "mutatis.search:SEARCHES",
}
"""The place of the registry of each kind of name, as MODULE:NAME, because these modules import this one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugin:
    """A loaded entry point.

    Attributes:
        name: the name of the entry point.
        package: the package that provides the entry point, with its version.
        adds: what it registered, as in "relations: a, b".
        error: the reason why it could not be loaded, or "" if it was loaded.
    """

    name: str
    package: str
    adds: tuple[str, ...] = ()
    error: str = ""

    @property
    def note(self) -> str:
        """A message about a plugin that could not be loaded, or "" if the plugin was loaded."""
        if not self.error:
            return ""
        return f"plugin {self.name!r} of {self.package} is left out: {self.error}; --no-plugins leaves out all"


@functools.cache
def load_plugins(*, installed: bool = True) -> tuple[Plugin, ...]:
    """Load the shipped plugins and, if requested, all installed ones. Each is loaded once per program.

    Return the plugins, with the shipped ones first and then the others by name.
    """
    others = (
        sorted(metadata.entry_points(group=GROUP), key=lambda point: (point.name, point.value)) if installed else ()
    )
    return tuple(map(_loaded, (*SHIPPED, *others)))


def registry(kind: str) -> Registry[Any]:
    """Return the registry of one kind of name, such as relations or systems."""
    import mutatis.relations  # noqa: F401 - fills the registry, and that of transformations

    registered: Registry[Any] = resolve_name(REGISTRIES[kind])
    return registered


def _registered() -> dict[str, set[str]]:
    return {kind: set(registry(kind)) for kind in REGISTRIES}


@functools.cache
def _loaded(point: metadata.EntryPoint) -> Plugin:
    package = "mutatis" if point in SHIPPED else "an unknown package"
    if point.dist is not None:
        package = f"{point.dist.name} {point.dist.version}"
    before = _registered()
    try:
        point.load()
    except BaseException as error:
        if ends_us(error):
            raise
        return Plugin(name=point.name, package=package, error=named(error, cleaned))
    after = _registered()
    adds = tuple(
        f"{kind}: {', '.join(sorted(after[kind] - before[kind]))}" for kind in after if after[kind] - before[kind]
    )
    return Plugin(name=point.name, package=package, adds=adds)
