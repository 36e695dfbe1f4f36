"""Reads what a helper is asked: the texts that stand between the marks of a prompt."""

from __future__ import annotations

import re


def between(prompt: str, name: str) -> str:
    """Return the material under a name: what stands between the last marks with it."""
    block = re.compile(
        rf"<{name}-([0-9a-f]{{20}})>\n(.*?)\n</{name}-\1>|<<<{name}-([0-9a-f]{{20}})\n(.*?)\n{name}-\3>>>", re.S
    )
    *_, last = block.finditer(prompt)
    return last[2] if last[4] is None else last[4]


def mark(prompt: str, name: str) -> str:
    """Return the mark of a name as a prompt has it, without brackets."""
    return re.findall(rf"<({name}-[0-9a-f]{{20}})>", prompt)[-1]
