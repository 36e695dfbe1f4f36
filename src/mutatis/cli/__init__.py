"""The `mutatis` command: one small module per command; errors are one line, never a traceback."""

from __future__ import annotations

import sys

from mutatis.core.errors import MutatisError, SystemFailure


def main() -> None:
    """Run the command line; exit codes: 0 within the gate, 1 above it, 2 wrong use, 3 the system cannot be tested."""
    from mutatis.cli.app import app

    try:
        app(prog_name="mutatis")
    except MutatisError as error:
        print(f"mutatis: {error}", file=sys.stderr)
        sys.exit(3 if isinstance(error, SystemFailure) else 2)
    except KeyboardInterrupt:
        print(
            "mutatis: interrupted; repeat the command to go on: what was answered is not asked again", file=sys.stderr
        )
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
