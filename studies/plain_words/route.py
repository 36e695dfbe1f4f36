"""Prints the route of a configuration: each function that gets it, from the command to the report.

    python studies/plain_words/route.py CONFIG.toml

Runs `mutatis run CONFIG.toml` and prints, indented by the calls between them, the functions of the package that get the
configuration or one of its tables as an argument, each once, in the order of their first call.
"""

from __future__ import annotations

import inspect
import sys
from pathlib import Path
from types import FrameType
from typing import Any

from mutatis.cli import main as command
from mutatis.config import Config
from mutatis.options import Options


def carried(frame: FrameType) -> list[str]:
    """Return the names of the arguments that are a configuration or one of its tables."""
    code = frame.f_code
    number = code.co_argcount + code.co_kwonlyargcount
    arguments = {name: frame.f_locals.get(name) for name in code.co_varnames[:number]}
    return [f"{name}: {type(value).__name__}" for name, value in arguments.items() if of_configuration(value)]


def of_configuration(value: Any) -> bool:
    return isinstance(value, Config) or (isinstance(value, Options) and type(value).__module__ == "mutatis.config")


class Route:
    """The functions that a configuration passes through."""

    def __init__(self, package: Path) -> None:
        self.package = str(package)
        self.steps: list[tuple[int, str, str]] = []
        self.seen: set[object] = set()

    def __call__(self, frame: FrameType, event: str, arg: object) -> None:
        """Note a function at its first call with a configuration: the form of a profiler of `sys.setprofile`."""
        code = frame.f_code
        if event != "call" or code in self.seen or not code.co_filename.startswith(self.package):
            return
        names = carried(frame)
        if names:
            self.seen.add(code)
            module = Path(code.co_filename).relative_to(self.package).with_suffix("")
            self.steps.append((self.depth(frame), f"{module}:{code.co_qualname}", ", ".join(names)))

    def depth(self, frame: FrameType) -> int:
        """Return the number of functions that got the configuration before and are not left yet."""
        above, number = frame.f_back, 0
        while above is not None:
            number += above.f_code in self.seen
            above = above.f_back
        return number


def main() -> None:
    sys.argv[1:1] = ["run"]
    route = Route(Path(inspect.getfile(Config)).parent)
    sys.setprofile(route)
    try:
        command()
    except SystemExit:
        pass
    finally:
        sys.setprofile(None)
    for depth, place, names in route.steps:
        print("  " * depth + f"{place}({names})")
    files = {place.partition(":")[0] for _, place, _ in route.steps}
    print(f"{len(route.steps)} functions in {len(files)} files")


if __name__ == "__main__":
    main()
