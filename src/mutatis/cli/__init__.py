"""The `mutatis` command, with one small module per subcommand.

Errors are reported on one line, without a traceback.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # not typing's, which takes time to load
if TYPE_CHECKING:
    from typing import NoReturn

MAINTAINERS = "whoever gave you this package"
"""Recipient of bug reports, as long as the project has no public address."""

INTERRUPTED = 130
"""Exit code of an interrupted command, as in shells. Typer uses it without printing anything."""


def main() -> None:
    """Run the command line.

    Exit codes: 0 the gate passed, 1 the gate failed, 2 incorrect usage, 3 the system cannot be tested, 4 a bug in
    Mutatis, 130 interrupted. Imports happen inside the function, so that an interrupt during an import does not print a
    traceback.
    """
    try:
        _escape_unencodable_characters()
        from mutatis.cli.app import app

        app(prog_name="mutatis")
    except BaseException as error:
        if _is_interrupt(error):
            _interrupted()
        if isinstance(error, SystemExit):
            raise
        if isinstance(error, BrokenPipeError):  # the reader, such as `head`, has seen enough
            sys.stderr.close()
            sys.exit(0)
        _failed(error)


def _failed(error: BaseException) -> NoReturn:
    """Print an error on one line and exit with the code for this kind of error."""
    from mutatis.core.errors import MutatisError, SystemFailure, refused_by_machine
    from mutatis.secrets.environment import cleaned
    from mutatis.text.visible import named, visible

    if isinstance(error, OSError) and (refused := refused_by_machine(error, "a file")) is not None:
        error = refused
    if isinstance(error, MutatisError):
        print(f"mutatis: {visible(cleaned(str(error)))}", file=sys.stderr)
        sys.exit(3 if isinstance(error, SystemFailure) else 2)
    print(
        f"mutatis: a bug in mutatis, not your mistake: {named(error, cleaned)}; what was answered is stored. "
        f"Please report it with {_trace()} to {MAINTAINERS}",
        file=sys.stderr,
    )
    sys.exit(4)


def _escape_unencodable_characters() -> None:
    """Escape characters that the terminal cannot encode, as JSON does, so that JSON on stdout stays valid."""
    import codecs

    def escaped(error: UnicodeError) -> tuple[str, int]:
        import json

        assert isinstance(error, UnicodeEncodeError)
        return json.dumps(error.object[error.start : error.end])[1:-1], error.end

    codecs.register_error("mutatis.escaped", escaped)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="mutatis.escaped")


def _is_interrupt(error: BaseException) -> bool:
    """Return True if an exception was caused by an interrupt.

    Python 3.11 wraps an interrupt that is raised while a class is created.
    """
    if isinstance(error, SystemExit):
        return error.code == INTERRUPTED
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, KeyboardInterrupt):
        cause = cause.__cause__
    return cause is not None


def _interrupted() -> NoReturn:
    may_have_asked = "mutatis.query.wire" in sys.modules  # every question is sent by this module
    remedy = "repeat the command to continue: stored answers are reused"
    print(f"mutatis: interrupted; {remedy if may_have_asked else 'nothing was asked'}", file=sys.stderr)
    sys.exit(INTERRUPTED)


def _trace() -> str:
    """Write the traceback to a file, without values of variables or secrets.

    Return, as a phrase, what the user should send in: the file or, if it cannot be written, the command.
    """
    import os
    import tempfile
    import traceback

    from mutatis.secrets.environment import cleaned

    try:
        descriptor, path = tempfile.mkstemp(prefix="mutatis-", suffix=".txt")  # created 0600
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace") as file:
            file.write(cleaned(traceback.format_exc()))
    except OSError:
        return "the command that you gave"
    return f"the file {path}"
