"""The text of a reply: one wording of its meaning, its values in one of their forms, perhaps courtesies around it."""

import re
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

from .forms import FORMS, capital, listed
from .replying import Meaning, key, number, pick, values_of
from .table import Around, Table

Form = Callable[[Any, str, str], str]
SLOT = re.compile(r"\{(\w+)\}")


class Words:
    """The words of a world."""

    def __init__(self, table: Table, code: ModuleType | None) -> None:
        """Take them from the table of the world, and forms of its own from its module."""
        self._texts = {
            key: [text["text"] for text in texts["wordings"]] if isinstance(texts, Mapping) else texts
            for key, texts in table.wordings.items()
        }
        self._table = table
        self._forms = {slot: _form(form, code) for slot, form in table.forms.items()}
        self._also_shown = getattr(code, "also_shown", None)
        self.intents = {key.partition("/")[0] for key in (*self._texts, *table.parts)}

    def text(self, meaning: Meaning, seed: str) -> str:
        """Return the text of a meaning; the seed decides among wordings and forms."""
        told = values_of(meaning)
        values = {slot: self._shown(slot, value, seed) for slot, value in told.items()}
        if self._also_shown:
            values |= self._also_shown(told, values)
        if key(meaning) in self._table.parts:
            return self._in_parts(self._table.parts[key(meaning)], values, seed)
        around = self._table.around
        texts = self._texts[key(meaning)]
        core = capital(pick(texts, "core" if around else self._table.name, seed).format(**values))
        return (
            core if around is None or meaning[0] in around.alone else _with_courtesies(core, around, meaning[0], seed)
        )

    def _shown(self, slot: str, value: object, seed: str) -> str:
        """Return a value in one of the forms in which people write it."""
        if slot in self._forms:
            return self._forms[slot](value, seed, slot)
        return listed(value, f"{seed}|{slot}") if isinstance(value, tuple) else str(value)

    def _in_parts(self, parts: Sequence[str], values: Mapping[str, str], seed: str) -> str:
        """Return the sentences whose values the reply has."""
        if self._table.any_order:
            parts = sorted(parts, key=lambda part: number("order", seed, part))
        texts = [pick(self._table.sentences[part], part, seed) for part in parts]
        return " ".join(capital(text.format(**values)) for text in texts if values.keys() >= set(SLOT.findall(text)))


def _with_courtesies(core: str, around: Around, intent: str, seed: str) -> str:
    """Return a text with an opening, perhaps a remark beside the point, and a closing."""
    opening = "" if intent in around.not_opened else pick(around.openings, "open", seed)
    if opening.endswith(",") and not core.startswith("I "):
        core = core[0].lower() + core[1:]
    whether, which = around.hashed_with
    remark = pick(around.remarks, which, seed) if number(whether, seed) % 3 == 0 else ""
    return " ".join(part for part in (opening, core, remark, pick(around.closings, "close", seed)) if part)


def _form(form: Any, code: ModuleType | None) -> Form:
    """Return a form of values: by its name, one of several templates, or a text for each value."""
    if isinstance(form, str):
        return FORMS[form] if form in FORMS else getattr(code, form)
    if isinstance(form, Mapping):
        return lambda value, _seed, _slot: form[value]
    return lambda value, seed, slot: pick(form, f"{seed}|{slot}").format(value)
