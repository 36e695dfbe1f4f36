"""One engine for all bots of this study: it understands, remembers, answers, words the answer, and errs as planned.

A bot is a world: `worlds/NAME.toml` (`table.py`) holds what it hears, knows and says, `worlds/NAME.py` what it works
out.
"""

import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from types import ModuleType
from typing import Any

from .faults import Fault, Turn, fault_of
from .reading import Reader, Reading
from .replying import FALLBACK, Meaning, Memory, Reply, meant
from .table import WORLDS, Slots, Table, TakenUp, read_table
from .wording import Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question as a bot understood it.

    Attributes:
        world: the bot.
        intent: what is asked; "" if no rule fits.
        reading: the message.
        known: by kind the names of this message, else of earlier ones; and whatever else is remembered.
    """

    world: "World"
    intent: str
    reading: Reading
    known: Memory

    def fact(self, source: str) -> Any:
        """Return a fact about a thing that is known, as "CAR.price"; None without one."""
        kind, _, field = source.partition(".")
        return self.world.things[kind].get(str(self.known.get(kind)), {}).get(field)

    def again(self, intent: str) -> Meaning:
        """Return the answer to another question about the same things."""
        return self.world.answer(replace(self, intent=intent))


class World:
    """A bot. Its attributes in capitals are named as in the bots of other studies, which are modules."""

    def __init__(self, table: Table, code: ModuleType | None) -> None:
        """Make a bot of the table of its world and the module of what it works out."""
        self._table = table
        self._code = code
        self._reader = Reader(table.lexicon, table.names, table.intents)
        self._words = Words(table, code)
        self._kinds = {intent: kind for kind, asked in table.questions.items() for intent in asked}
        told = [*table.questions.values(), table.told]
        self._slots = {intent: _by_source(slots) for asked in told for intent, slots in asked.items()}
        self._alone = {kind: tuple(asked) for kind, asked in table.questions.items()} | {**table.alone}
        self._worked_out = {intent: self._function(intent) for intent in table.worked_out}
        self._matters = {*self._slots, *self._worked_out, *table.rules, *self._words.intents}
        self.things = table.things
        self.MESSAGES = table.messages
        self.DIALOGUES = table.dialogues
        self.WORDINGS = table.wordings
        self.FAULTS = {name: fault_of(name, fault, self._function) for name, fault in table.faults.items()}

    def reply(self, messages: Sequence[str], *, draw: int = 0, faults: Sequence[str] = ()) -> Reply:
        """Reply to the last of the user's messages.

        Args:
            messages: the user's turns so far.
            draw: varies the wording, never the meaning.
            faults: names of the planted bugs that are switched on.

        Raises:
            ValueError: there is no message, or no fault of that name.
        """
        if unknown := set(faults) - set(self.FAULTS):
            raise ValueError(f"no fault {', '.join(sorted(unknown))}; there are {', '.join(self.FAULTS)}")
        if not messages:
            raise ValueError("no message to reply to")
        memory: Memory = {}
        meaning = FALLBACK
        switched_on = [self.FAULTS[name] for name in self.FAULTS if name in faults]
        for position in range(len(messages)):
            meaning, memory = self._turn(messages[: position + 1], memory, switched_on)
        # The turn counts as well: asked again later, a question is answered in other words.
        return Reply(text=self._words.text(meaning, f"{len(messages)}|{draw}|{messages[-1]}"), meaning=meaning)

    def read(self, message: str) -> Reading:
        """Return what a message says."""
        return self._reader.read(message)

    def answer(self, asked: Asked) -> Meaning:
        """Return the meaning of the reply to a question."""
        table, intent, kind = self._table, asked.intent, self._kinds.get(asked.intent)
        values: dict[str, object] = {}
        if kind:
            if asked.known.get(kind) not in self.things[kind]:
                return asked.again(table.which.get(kind, f"which_{kind.lower()}"))
            name = asked.known[kind]
            values[kind.lower()] = int(name) if table.numbered.get(kind) == "number" else name
        if intent in self._worked_out:
            return self._worked_out[intent](asked)
        for slot, source in self._slots.get(intent, {}).items():
            values[slot] = _value(source, asked, kind)
            if values[slot] is None:
                return asked.again(table.otherwise[intent])
        return meant(intent, **values, **table.rules.get(intent, {}))

    def rule(self, intent: str) -> Meaning:
        """Return the answer to a question that is always answered alike."""
        return meant(intent, **self._table.rules.get(intent, {}))

    def _turn(self, messages: Sequence[str], memory: Memory, faults: Sequence[Fault]) -> tuple[Meaning, Memory]:
        """Return the meaning of the reply to the last message, and what is remembered then."""
        turn = Turn(world=self, messages=messages, reading=self.read(messages[-1]))
        active = [fault for fault in faults if fault.trigger(turn)]
        heard = (fault.hear(turn.message) for fault in active)
        asked = self._asked(self.read(next((text for text in heard if text != turn.message), turn.message)), memory)
        meaning = self.answer(asked) if asked else FALLBACK
        # One bug at a time: two that flip an answer would undo each other.
        changed = (fault.change(meaning, replace(turn, asked=asked)) for fault in active)
        wrong = next((other for other in changed if other != meaning), meaning)
        return wrong, self._remembered(asked, meaning, memory) if asked else memory

    def _asked(self, reading: Reading, memory: Memory) -> Asked | None:
        """Return what a message asks, given what is remembered; None if it is not understood."""
        named = dict(self._named(reading))
        asked = Asked(world=self, intent=reading.intent or "", reading=reading, known={**memory, **named})
        for kind, source in self._table.implied.items():
            if kind not in named and source.partition(".")[0] in named:
                asked = replace(asked, known={**asked.known, kind: asked.fact(source)})
        asked = replace(asked, intent=self._taken_up(asked, reading.concepts | named.keys()))
        return asked if asked.intent in self._matters else None

    def _named(self, reading: Reading) -> Iterator[tuple[str, str]]:
        """Yield the kinds of names in a message, each with the first name."""
        yield from ((kind, names[0]) for kind, names in reading.names.items())
        if reading.days:
            yield "DAY", reading.days[0]
        for kind in self._table.numbered:
            numbers = [str(int(value)) for value in reading.numbers]
            yield from [(kind, number) for number in numbers if number in self.things[kind]][:1]

    def _taken_up(self, asked: Asked, concepts: frozenset[str]) -> str:
        """Return the intent of a message; what it leaves open is what was asked before."""
        before = asked.known.get("intent", "")
        for rule in self._table.taken_up:
            if _fits(rule, asked, concepts):
                return rule.asks or before
        if asked.intent in self._alone:
            # A message that names a thing and nothing else asks of it what was asked of another.
            usual = self._alone[asked.intent]
            return before if before in usual else usual[0]
        return asked.intent

    def _remembered(self, asked: Asked, meaning: Meaning, memory: Memory) -> Memory:
        """Return what is remembered after a question was answered."""
        table = self._table
        kinds = {*table.names, *table.numbered} if table.remembers is None else table.remembers
        kept = {kind: name for kind, name in asked.known.items() if kind in kinds}
        intent = {} if asked.intent in table.passes_over else {"intent": asked.intent}
        also = getattr(self._code, "also_remembered", None)
        return {**memory, **kept, **intent, **(also(asked, meaning) if also else {})}

    def _function(self, name: str) -> Callable[..., Any]:
        """Return a function of the world's module."""
        return getattr(self._code, name)


def _by_source(slots: Slots) -> Mapping[str, str]:
    """Return the slots of a reply with their sources; slots in a list are facts of the same name."""
    return slots if isinstance(slots, Mapping) else {slot: slot for slot in slots}


def _fits(rule: TakenUp, asked: Asked, concepts: frozenset[str]) -> bool:
    """Whether all conditions of a rule hold of a message."""
    words = frozenset(asked.reading.words)
    return (
        asked.intent in rule.of
        and (not rule.named or not concepts.isdisjoint(rule.named))
        and concepts.isdisjoint(rule.unnamed)
        and (not rule.said or not words.isdisjoint(rule.said))
        and words.isdisjoint(rule.unsaid)
        and (not rule.before or asked.known.get("intent") in rule.before)
        and (not rule.known or rule.known in asked.known)
    )


def _value(source: str, asked: Asked, kind: str | None) -> Any:
    """Return what fills a slot of a reply; `Table.questions` lists the sources. None if it is missing."""
    reading = asked.reading
    name, among, field = source.partition(" in ")
    if among:
        return asked.known[name] in asked.fact(f"{kind}.{field}") if name in asked.known else None
    if source == "NUMBER":
        return int(reading.numbers[0]) if reading.numbers else None
    if source in {"DATE", "TIME", "WHEN"}:
        told = {"DATE": reading.dates, "TIME": reading.times, "WHEN": (*reading.dates, *reading.days)}[source]
        return next(iter(told), None)
    if source.isupper():
        return asked.known.get(source)
    return asked.fact(source if "." in source else f"{kind}.{source}")


@cache
def load(name: str) -> World:
    """Return the bot of a world."""
    code = importlib.import_module(f"{__package__}.worlds.{name}") if (WORLDS / f"{name}.py").exists() else None
    return World(read_table(name), code)
