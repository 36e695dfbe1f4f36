"""The helper's prompts that ship with the package, and a user's files that replace them.

Each package that asks the helper registers its prompts (`ship`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any, Literal

from mutatis.core.errors import UsageError, unknown_name
from mutatis.core.system import Helper, is_constrained
from mutatis.prompting.asking import SLOT, Prompt, load_prompt, read_prompt, reject

Form = Literal["examples", "template"]
_MARK = "mark"
"""Optional name in a template, replaced by the number of its marks (`marks`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shipped:
    """A prompt that ships with the package: an instruction with examples and `{{slots}}`, or a `$names` template."""

    path: Path
    purpose: str
    form: Form

    @property
    def content(self) -> Prompt | Template:
        """The content of the prompt in the form in which it is used."""
        return load_prompt(self.path) if self.form == "examples" else template(self.path)

    @property
    def slots(self) -> frozenset[str]:
        """Names of the slots that are filled in before asking. A replacement must contain all of them."""
        return _slots(self.content) - {_MARK}


SHIPPED: dict[str, Shipped] = {}
"""The replaceable prompts by name, registered when the packages that use them are imported."""


def ship(folder: Path, purpose: str, form: Form = "examples") -> Path:
    """Register the prompts in a folder and return it."""
    for path in sorted(folder.glob("*.txt")):
        SHIPPED[path.stem] = Shipped(path=path, purpose=purpose, form=form)
    return folder


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompted:
    """A helper that is asked with other prompts; `replaced` holds them by the name of the prompt replaced."""

    helper: Helper
    replaced: Mapping[str, Prompt | Template]

    @property
    def constrained(self) -> bool:
        """Return True if the helper's output can be constrained to a JSON schema."""
        return is_constrained(self.helper)

    async def complete(self, prompt: str, schema: Mapping[str, Any] | None = None, **options: Any) -> Any:
        """Forward the prompt to the helper."""
        return await self.helper.complete(prompt, schema, **options)

    def reject(self, prompt: str, reason: str, **marks: Any) -> None:
        """Report an answer of the helper as unusable."""
        reject(self.helper, prompt, reason, **marks)


def replacements(files: Mapping[str, str], path: Callable[[str], Path]) -> dict[str, Prompt | Template]:
    """Return a user's prompts by the names of those they replace; `path` resolves the option's text.

    They are read now, so that a file that changes later does not affect the run.

    Raises:
        UsageError: an unknown prompt, or a file that cannot be read or has a form other than ours.
    """
    replaced = {}
    for name, written in files.items():
        if name == "same":
            raise UsageError("[prompts] same: the judge's prompt is [judge] criteria")
        if name not in SHIPPED:
            raise unknown_name("helper prompt", name, SHIPPED)
        try:
            replaced[name] = _replacement(path(written), SHIPPED[name])
        except UsageError as error:
            raise UsageError(f"[prompts] {name}: {error}") from None
    return replaced


def _replacement(file: Path, ours: Shipped) -> Prompt | Template:
    made = read_prompt(file) if ours.form == "examples" else template(file)
    used, wanted = _slots(made), ours.slots
    mark = "${}" if ours.form == "template" else "{{{{{}}}}}"
    for missing in sorted(wanted - used):
        raise UsageError(f"{file} does not contain {mark.format(missing)}, which the prompt needs")
    for strange in sorted(used - wanted - ({_MARK} if ours.form == "template" else set())):
        filled = ", ".join(mark.format(name) for name in sorted(wanted)) or "nothing"
        raise UsageError(
            f"{file} contains {mark.format(strange)}, which is not a placeholder; the placeholders are: {filled}"
        )
    if isinstance(made, Prompt) and isinstance(prompt := ours.content, Prompt):
        forms = {(frozenset(example.fields), frozenset(example.answer)) for example in prompt.examples}
        for example in made.examples:
            form = (frozenset(example.fields), frozenset(example.answer))
            if forms and form not in forms:
                told = " or ".join(sorted(_told(*form) for form in forms))
                raise UsageError(f"{file}: an example has {_told(*form)}; expected {told}")
    return made


def _told(fields: frozenset[str], answer: frozenset[str]) -> str:
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
    try:
        made = Template(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read the prompt {file}: {getattr(error, 'strerror', None) or error}") from None
    if not made.template.strip():
        raise UsageError(f"{file} is empty; expected the text of a prompt")
    if not made.is_valid():
        raise UsageError(f"{file}: a dollar sign that does not begin a name; write $$ for a dollar")
    return made
