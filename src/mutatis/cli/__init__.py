"""The `mutatis` command: one small module per command; errors are one line, never a traceback."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # not typing's, which takes time to load
if TYPE_CHECKING:
    from typing import NoReturn

TRACKERS = ("issues", "issue tracker", "bug tracker", "bugs", "tracker")
"""Names of a project's address for bug reports, as packages write them."""

NOBODY = "whoever gave you this package"

INTERRUPTED = 130
"""Exit code of a command that was interrupted, as shells have it; typer turns an interrupt into it without a word."""


def main() -> None:
    """Run the command line.

    Exit codes: 0 within the gate, 1 above it, 2 wrong use, 3 the system cannot be tested, 4 a mistake of the program,
    130 interrupted. Everything is loaded in here: an interrupt while it loads is no traceback, either.
    """
    try:
        from mutatis.cli.app import app
        from mutatis.core.errors import MutatisError, SystemFailure, refused_by_machine
        from mutatis.text.visible import named, visible
    except KeyboardInterrupt:
        _interrupted()

    try:
        app(prog_name="mutatis")
    except MutatisError as error:
        from mutatis.secrets import cleaned

        print(f"mutatis: {visible(cleaned(str(error)))}", file=sys.stderr)
        sys.exit(3 if isinstance(error, SystemFailure) else 2)
    except KeyboardInterrupt:
        _interrupted()
    except SystemExit as stop:
        if stop.code == INTERRUPTED:
            _interrupted()
        raise
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except Exception as error:
        if isinstance(error, OSError) and (refused := refused_by_machine(error, "a file")) is not None:
            print(f"mutatis: {visible(str(refused))}", file=sys.stderr)
            sys.exit(2)
        from mutatis.secrets import cleaned

        print(
            f"mutatis: a mistake of mutatis, not yours: {named(error, cleaned)}; what was answered is stored. "
            f"Please report it with {_trace()} to {where_to_report()}",
            file=sys.stderr,
        )
        sys.exit(4)


def _interrupted() -> NoReturn:
    asking = "mutatis.query.wire" in sys.modules  # else nothing was loaded that asks
    told = "repeat the command to go on: what was answered is not asked again" if asking else "nothing was asked"
    print(f"mutatis: interrupted; {told}", file=sys.stderr)
    sys.exit(INTERRUPTED)


def where_to_report() -> str:
    """Return where a bug report goes, by the metadata of the installed package: its tracker, else its maintainers."""
    import importlib.metadata

    try:
        package = importlib.metadata.metadata("mutatis")
    except importlib.metadata.PackageNotFoundError:  # a bare source tree on the path
        return NOBODY
    addresses = dict(line.partition(", ")[::2] for line in package.get_all("Project-URL") or [])
    named = {name.strip().lower(): address for name, address in addresses.items()}
    tracker = next((named[name] for name in TRACKERS if name in named), None)
    people = [*(package.get_all("Maintainer-email") or []), *(package.get_all("Author-email") or [])]
    return tracker or next(iter(people), NOBODY)


def _trace() -> str:
    """Write the traceback to a file of the user's: places in the program, no values of variables, no secrets.

    Return what is to be sent: the file, or where it cannot be written what the command was.
    """
    import os
    import tempfile
    import traceback

    from mutatis.secrets import cleaned

    try:
        descriptor, path = tempfile.mkstemp(prefix="mutatis-", suffix=".txt")  # created 0600
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace") as file:
            file.write(cleaned(traceback.format_exc()))
    except OSError:
        return "the command that you gave"
    return f"the file {path}"
