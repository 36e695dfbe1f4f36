"""Prompt templates: text with {placeholders}, filled in one pass, so that braces in the data are harmless.

A placeholder is a name of a field or of material, or one of `{fields}` (all fields of the turn, each between tags),
`{material}` (story, title, ... between tags) and `{labels}`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from mutatis.core.errors import unknown_placeholder

_PLACEHOLDER = re.compile(r"\{([A-Za-z_]\w*)\}")
SPECIAL = frozenset({"fields", "material", "labels"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """A template cut into literal text (even places) and placeholder names (odd places)."""

    pieces: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> Template:
        """Cut a text into literals and placeholders; surrounding blank lines are dropped."""
        return cls(pieces=tuple(_PLACEHOLDER.split(text.strip())))

    @property
    def placeholders(self) -> frozenset[str]:
        """The names between braces."""
        return frozenset(self.pieces[1::2])

    def fill(self, values: Mapping[str, str], *, task: str) -> str:
        """Return the text with each placeholder replaced; nothing inside the values is replaced again."""
        filled = list(self.pieces)
        for place in range(1, len(filled), 2):
            name = filled[place]
            if name not in values:
                raise unknown_placeholder(f"the prompt of task {task!r}", name, "the case has", values)
            filled[place] = values[name]
        return "".join(filled).strip()


def between_tags(texts: Mapping[str, str]) -> str:
    """Return each text between tags that bear its name.

    >>> print(between_tags({"title": "Tea"}))
    <title>
    Tea
    </title>
    """
    return "\n".join(f"<{name}>\n{text}\n</{name}>" for name, text in texts.items())


def without_lines(text: str, placeholder: str) -> str:
    """Return a template's text without the lines that contain an empty placeholder."""
    return "\n".join(line for line in text.splitlines() if f"{{{placeholder}}}" not in line)
