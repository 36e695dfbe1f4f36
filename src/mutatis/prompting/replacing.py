"""Registers the prompts for the helper model that ship with the package, and reads files that replace them.

Each package that asks the helper registers its prompts with `ship`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Literal, TypeAlias

from mutatis.core.errors import UsageError, check_known
from mutatis.prompting.asking import SLOT, Prompt, load_prompt, prompt_text, read_prompt

Form = Literal["examples", "template"]
Replacements: TypeAlias = Mapping[str, Prompt | Template]
"""The user's replacements for shipped prompts, by the name of the shipped prompt."""

_MARK = "mark"
"""Optional name in a prompt template, replaced by the number used in the marks (see `marks`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shipped:
    """A prompt that ships with the package.

    It is either an instruction with examples and `{{slots}}`, or a template with `$names`.
    """

    path: Path
    purpose: str
    form: Form

    @property
    def content(self) -> Prompt | Template:
        """The content of the prompt, read as a `Prompt` or a `Template` according to its form."""
        return load_prompt(self.path) if self.form == "examples" else template(self.path)

    @property
    def slots(self) -> frozenset[str]:
        """Names of the slots that are filled in before the prompt is sent. A replacement must contain them all."""
        return _slots(self.content) - {_MARK}


SHIPPED: dict[str, Shipped] = {}
"""Replaceable prompts by name. They are registered by the packages that use them, on import."""


def ship(folder: Path, purpose: str, form: Form = "examples") -> Path:
    """Register all prompts in a folder, and return the folder."""
    for path in sorted(folder.glob("*.txt")):
        SHIPPED[path.stem] = Shipped(path=path, purpose=purpose, form=form)
    return folder


def replacements(files: Mapping[str, str], path: Callable[[str], Path]) -> Replacements:
    """Read a user's replacements for shipped prompts, and return them by the name of the shipped prompt.

    They are read at the start, so that a later change of a file does not affect the run. `path` resolves file names.

    Raises:
        UsageError: a prompt is unknown, or a file cannot be read or does not have the form of the original.
    """
    replaced: dict[str, Prompt | Template] = {}
    for name, written in files.items():
        if name == "same":
            raise UsageError("[prompts] same: the prompt of the judge is set by [judge] criteria")
        check_known("helper prompt", [name], SHIPPED)
        try:
            replaced[name] = _replacement(path(written), SHIPPED[name])
        except UsageError as error:
            raise UsageError(f"[prompts] {name}: {error}") from None
    return replaced


def _replacement(file: Path, ours: Shipped) -> Prompt | Template:
    """Read a file that replaces a shipped prompt. Raise UsageError if its slots or examples have another form."""
    made = read_prompt(file) if ours.form == "examples" else template(file)
    used, wanted = _slots(made), ours.slots
    mark = "${}" if ours.form == "template" else "{{{{{}}}}}"  # such as ${text} or {{text}}
    optional = {_MARK} if ours.form == "template" else set()
    for missing in sorted(wanted - used):
        raise UsageError(f"{file} does not contain {mark.format(missing)}, which the prompt needs")
    for strange in sorted(used - wanted - optional):
        filled = ", ".join(mark.format(name) for name in sorted(wanted)) or "nothing"
        raise UsageError(
            f"{file} contains {mark.format(strange)}, which is not a placeholder; the placeholders are: {filled}"
        )
    if isinstance(made, Prompt) and isinstance(prompt := ours.content, Prompt):
        forms = {(frozenset(example.fields), frozenset(example.answer)) for example in prompt.examples}
        for example in made.examples:
            form = (frozenset(example.fields), frozenset(example.answer))
            if forms and form not in forms:
                expected = " or ".join(sorted(_keys(*form) for form in forms))
                raise UsageError(f"{file}: an example has {_keys(*form)}; expected {expected}")
    return made


def _keys(fields: frozenset[str], answer: frozenset[str]) -> str:
    return ", ".join([*(f"in {name}" for name in sorted(fields)), *(f"out {name}" for name in sorted(answer))])


def _slots(prompt: Prompt | Template) -> frozenset[str]:
    if isinstance(prompt, Prompt):
        return frozenset(SLOT.findall(prompt.instruction))
    return frozenset(prompt.get_identifiers())


def template(file: Path) -> Template:
    """Read a prompt template with `$names`.

    Raises:
        UsageError: the file does not exist, is empty, or contains a dollar sign that does not begin a name.
    """
    made = Template(prompt_text(file))
    if not made.template.strip():
        raise UsageError(f"{file} is empty; expected the text of a prompt")
    if not made.is_valid():
        raise UsageError(f"{file}: a dollar sign is not followed by a name; write $$ for a literal dollar sign")
    return made
