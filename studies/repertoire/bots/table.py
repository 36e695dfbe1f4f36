"""The file of a world: all that a bot hears, knows and says, as data."""

import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any

WORLDS = Path(__file__).parent / "worlds"
Texts = Mapping[str, Sequence[str]]
Slots = Mapping[str, str] | Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenUp:
    """A rule by which a message takes up what was asked before: "And on Sunday?". Conditions that are empty hold.

    Attributes:
        of: intents of the message; "" if it has none.
        named: one of these concepts is in it.
        unnamed: none of these is.
        said: one of these words is in it.
        unsaid: none of these is.
        before: what was asked before is one of these.
        known: a name of this kind is known.
        asks: the intent that results; empty: what was asked before.
    """

    of: Sequence[str]
    named: Sequence[str] = ()
    unnamed: Sequence[str] = ()
    said: Sequence[str] = ()
    unsaid: Sequence[str] = ()
    before: Sequence[str] = ()
    known: str = ""
    asks: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What is said around the core of a reply.

    Attributes:
        openings, remarks, closings: courtesies, and sentences beside the point.
        alone: intents whose replies have none of them.
        not_opened: intents whose replies have no opening.
        hashed_with: the words that decide whether there is a remark, and which.
    """

    openings: Sequence[str]
    remarks: Sequence[str]
    closings: Sequence[str]
    alone: Sequence[str]
    not_opened: Sequence[str]
    hashed_with: tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A world. A name of a kind is in capitals ("CAR"), its slot in a reply in small letters ("car").

    Attributes:
        name: of the world.
        messages, dialogues: what its users write.
        lexicon: lines of a concept and its words; a phrase is written with underscores.
        intents: lines of an intent and its rules (`reading.Reader`). An intent with the name of a kind is a message
            that names such a thing and asks nothing.
        names: by kind the names, each with its spellings.
        things: by kind and name the facts.
        questions: by kind what can be asked of a thing: by intent the slots of the reply, each with its source: a fact
            of the thing ("price"), what the message names or an earlier one did ("ITEM"), a fact of that
            ("EVENT.days"), whether it is on a list ("ITEM in items"), a "DATE", "TIME", "WHEN" (date or day) or
            "NUMBER" of the message. A list of slots stands for facts of the same names.
        told: the same for what is asked of no thing.
        rules: values that never change, by intent.
        which: by kind the reply if no such thing is known; else "which_car".
        otherwise: by intent the reply if a slot has nothing to fill it.
        alone: by kind what a thing that is named alone may be about; else its questions, the first if none was asked.
        taken_up: how messages take up earlier ones; the first rule that fits decides.
        remembers: kinds of names that are remembered; by default all.
        passes_over: intents that do not come between a question and the next.
        numbered: kinds whose names are numbers: "number" or "text", as the meaning has them.
        implied: by kind the fact of another thing that names one: an order is about a product.
        worked_out: intents whose answers are functions of the world's module.
        forms: by slot how values are written: the name of a form (`forms.FORMS`) or of a function of the module,
            templates, or a text for each value.
        wordings: the texts of each meaning; "intent/yes" and "intent/no" where it answers such a question.
        parts, sentences: a reply in sentences, and the texts of each.
        any_order: whether the sentences come in any order.
        around: what is said around the core of a reply.
        faults: planted bugs (`faults.fault_of`).
    """

    name: str
    messages: Sequence[str]
    lexicon: str
    intents: str
    names: Mapping[str, Mapping[str, str]]
    faults: Mapping[str, Mapping[str, Any]]
    dialogues: Sequence[Sequence[str]] = ()
    things: Mapping[str, Mapping[str, Mapping[str, Any]]] = field(default_factory=dict)
    questions: Mapping[str, Mapping[str, Slots]] = field(default_factory=dict)
    told: Mapping[str, Slots] = field(default_factory=dict)
    rules: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    which: Mapping[str, str] = field(default_factory=dict)
    otherwise: Mapping[str, str] = field(default_factory=dict)
    alone: Texts = field(default_factory=dict)
    taken_up: Sequence[TakenUp] = ()
    remembers: Sequence[str] | None = None
    passes_over: Sequence[str] = ()
    numbered: Mapping[str, str] = field(default_factory=dict)
    implied: Mapping[str, str] = field(default_factory=dict)
    worked_out: Sequence[str] = ()
    forms: Mapping[str, Any] = field(default_factory=dict)
    wordings: Mapping[str, Any] = field(default_factory=dict)
    parts: Texts = field(default_factory=dict)
    sentences: Texts = field(default_factory=dict)
    any_order: bool = False
    around: Around | None = None


def read_table(name: str) -> Table:
    """Return the table of a world; its wordings may lie in a file of their own, with where each comes from."""
    made: dict[str, Any] = _frozen(tomllib.loads((WORLDS / f"{name}.toml").read_text(encoding="utf-8")))
    wordings = WORLDS / f"{name}_wordings.json"
    if wordings.exists():
        made["wordings"] = json.loads(wordings.read_text(encoding="utf-8"))
    check_keys(f"{name}.toml", made, [key.name for key in fields(Table)])
    if "around" in made:
        made["around"] = Around(**made["around"])
    made["taken_up"] = tuple(TakenUp(**rule) for rule in made.get("taken_up", ()))
    return Table(name=name, **made)


def check_keys(where: str, keys: Iterable[str], known: Iterable[str]) -> None:
    """Check the keys of a table.

    Raises:
        ValueError: one of them is unknown.
    """
    names = sorted(known)
    for key in keys:
        if key not in names:
            near = get_close_matches(key, names, n=1, cutoff=0)[0]
            raise ValueError(f"{where}: no key {key}, perhaps {near}; there are {', '.join(names)}")


def _frozen(value: Any) -> Any:
    """Return a value with tuples for lists: they are parts of meanings."""
    if isinstance(value, list):
        return tuple(map(_frozen, value))
    return {name: _frozen(item) for name, item in value.items()} if isinstance(value, dict) else value
