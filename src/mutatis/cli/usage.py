"""Reports a faulty command line on one line, like every other mistake.

typer prints three lines and leaves the nearest name to the reader.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import typer
from typer.core import TyperGroup

from mutatis.core.errors import UsageError, nearest

NOISE = "Value error, "
"""What typer puts before the message of a choice."""

EXPECTED = {
    "Input should be a valid integer, unable to parse string as an integer": "expected a whole number",
    "Input should be a valid number, unable to parse string as a number": "expected a number",
}
"""Messages of typer on an option's value, and their replacements."""


class Commands(TyperGroup):
    """The commands; a mistake in their use is a `UsageError`."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command and exit with its code.

        Raises:
            UsageError: an option, an argument or a command that does not exist, is missing or has another form.
        """
        try:
            code = super().main(args, prog_name, complete_var, False, windows_expand_args, **extra)
        except typer.Abort:
            sys.exit(1)
        except Exception as error:
            if not hasattr(error, "format_message"):  # what all mistakes of use have in common, and nothing else
                raise
            raise _one_line(error) from None
        if standalone_mode:
            sys.exit(code if isinstance(code, int) else 0)
        return code


def _one_line(error: Any) -> UsageError:
    """Return the mistake with the nearest valid name and the help to read; show a help that was asked for, and exit."""
    message = str(error.format_message())
    if "\n" in message:  # `mutatis` alone: the whole help
        error.show()
        sys.exit(error.exit_code)
    context = getattr(error, "ctx", None)
    option, possible = getattr(error, "option_name", None), getattr(error, "possibilities", None)
    if option:
        message = f"no such option: {option}"
        names = {name.lstrip("-"): name for name in possible or ()}  # dashes, which all have, make all of them alike
        alike = nearest(option.lstrip("-"), names)
        message += f"; did you mean {names[alike[0]]}?" if alike else ""
    else:
        message = message.replace(NOISE, "").rstrip(".")
        for said, expected in EXPECTED.items():
            message = message.replace(said, expected)
        message = message[:1].lower() + message[1:]
    return UsageError(f"{message}; see: {context.command_path if context else 'mutatis'} --help")
