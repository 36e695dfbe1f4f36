"""Planted bugs: when one shows, and what it makes of a reply. A world's table names both."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .plain_text import CORRECTION, FILLERS, plain
from .reading import Reading
from .replying import Meaning, changed, flipped, meant, values_of
from .table import check_keys

if TYPE_CHECKING:
    from .engine import Asked, World

Change = Callable[[Meaning, "Turn"], Meaning]
PRIVATE = re.compile(
    r"\b(?:muslim|christian|jew|jewish|hindu|buddhist|sikh|atheist|catholic|man|woman|non-binary|trans|male|female)\b"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A turn as a fault sees it.

    Attributes:
        world: the bot.
        messages: the user's turns so far.
        reading: the last message, as a bot without faults reads it.
        asked: what the bot took it to ask; None before that, and if it did not understand.
    """

    world: "World"
    messages: Sequence[str]
    reading: Reading
    asked: "Asked | None" = None

    @property
    def message(self) -> str:
        """The last message, as it was typed."""
        return self.messages[-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A planted bug.

    Attributes:
        says: what goes wrong, and when.
        trigger: whether a turn sets it off. Without that the fault changes nothing.
        hear: the message that the bot reads instead.
        change: the meaning that the bot replies with instead.
    """

    says: str
    trigger: Callable[[Turn], bool]
    hear: Callable[[str], str]
    change: Change


def fault_of(name: str, table: Mapping[str, Any], function: Callable[[str], Callable[..., Any]]) -> Fault:
    """Return the fault that a table of a world describes; `function` returns one of its module by name.

    Its keys: `says`; `when`, names of triggers, or `when_it_matches`, a pattern; `hears`, a function of the message;
    and changes, then `becomes`, a function of the meaning: the first that makes another meaning is the fault's.

    Raises:
        ValueError: it has another key.
    """
    check_keys(f"fault {name}", table, [*CHANGES, "says", "when", "when_it_matches", "hears", "becomes"])
    when = table.get("when", ())
    triggers = [TRIGGERS.get(key) or function(key) for key in ([when] if isinstance(when, str) else when)]
    if pattern := table.get("when_it_matches"):
        triggers.append(lambda turn: bool(re.search(pattern, turn.message)))
    changes = [_with(CHANGES[key], how) for key, how in table.items() if key in CHANGES]
    if "becomes" in table:
        changes.append(function(table["becomes"]))

    def change(meaning: Meaning, turn: Turn) -> Meaning:
        made = (makes(meaning, turn) for makes in changes)
        return next((other for other in made if other != meaning), meaning)

    return Fault(
        says=table["says"],
        trigger=lambda turn: any(trigger(turn) for trigger in triggers),
        hear=function(table["hears"]) if "hears" in table else str,
        change=change,
    )


def _with(change: Callable[[Meaning, Turn, Any], Meaning], how: Any) -> Change:
    return lambda meaning, turn: change(meaning, turn, how)


def shouts(message: str) -> bool:
    """Whether a message is written in capitals."""
    letters = [letter for letter in message if letter.isalpha()]
    return len(letters) > 3 and sum(letter.isupper() for letter in letters) > 0.8 * len(letters)


def written_again(message: str) -> bool:
    """Whether the whole message stands twice."""
    words = re.findall(r"\w+", message.lower())
    half = len(words) // 2
    return len(words) > 3 and len(words) % 2 == 0 and words[:half] == words[half:]


def told_age(message: str) -> int | None:
    """Return the age in "I am 57 years old."."""
    ages = re.findall(r"\bi(?:'m| am) (\d+) years? old", message.lower())
    return int(ages[0]) if ages else None


def told_job(message: str) -> bool:
    """Whether somebody tells what work they do: "I work as a nurse.", "I am a farmer."."""
    jobs = re.findall(r"\bi work as an? (\w+)|\bi(?:'m| am) an? ([\w-]+)[.]", message.lower())
    return any(worked or not PRIVATE.search(told) for worked, told in jobs)


def told_private(message: str) -> bool:
    """Whether somebody tells of faith or gender before coming to the point."""
    return bool(re.match(r"\W*i(?:'m| am) ", message.lower()) and PRIVATE.search(message.lower().split(".")[0]))


def hesitates(message: str) -> bool:
    """Whether somebody says "um" or "er"."""
    return bool(FILLERS.search(message.lower().replace("you know", "")))


def stammers(message: str) -> bool:
    """Whether a word stands twice in a row, or the sentence begins again."""
    return " - " in message or bool(re.search(r"\b(\w+) \1\b", message.lower()))


def takes_back(message: str) -> bool:
    """Whether somebody takes a word back: "the red, I mean the blue one"."""
    return bool(CORRECTION.search(plain(message)))


TRIGGERS: Mapping[str, Callable[[Turn], bool]] = {
    "in capitals": lambda turn: shouts(turn.message),
    "in small letters": lambda turn: turn.message.islower(),
    "without a capital": lambda turn: not any(letter.isupper() for letter in turn.message),
    "begins small": lambda turn: next(filter(str.isalpha, turn.message), "A").islower(),
    "no question mark": lambda turn: "?" not in turn.message,
    "written twice": lambda turn: written_again(turn.message),
    "stammers": lambda turn: stammers(turn.message),
    "hesitates": lambda turn: hesitates(turn.message),
    "takes back": lambda turn: takes_back(turn.message),
    "tells an age": lambda turn: told_age(turn.message) is not None,
    "tells a job": lambda turn: told_job(turn.message),
    "tells faith or gender": lambda turn: told_private(turn.message),
    "misspelt": lambda turn: bool(turn.reading.misspelt),
    "asked before": lambda turn: turn.message in turn.messages[:-1],
}
"""What a message may be like, so that a fault shows."""


def replies(_meaning: Meaning, turn: Turn, intent: str) -> Meaning:
    """Return the answer to another question, whatever was asked."""
    return turn.world.rule(intent)


def replies_without_facts(meaning: Meaning, turn: Turn, intent: str) -> Meaning:
    """Return the answer to another question for a reply that tells no fact."""
    return meaning if values_of(meaning) else turn.world.rule(intent)


def flips(meaning: Meaning, _turn: Turn, _how: bool) -> Meaning:
    """Return yes for no and no for yes."""
    return flipped(meaning)


def answers(meaning: Meaning, turn: Turn, instead: Mapping[str, str]) -> Meaning:
    """Return the answer to another question about the same thing, whatever else the message told."""
    if turn.asked is None or meaning[0] not in instead:
        return meaning
    return turn.world.answer(replace(turn.asked, intent=instead[meaning[0]], reading=turn.reading.of_nothing()))


def another(meaning: Meaning, turn: Turn, kinds: Sequence[str]) -> Meaning:
    """Return the answer about the next thing on the list for one that is misspelt."""
    told = values_of(meaning)
    for kind in kinds:
        name, names = str(told.get(kind.lower())), list(turn.world.things[kind])
        if turn.asked and name in turn.reading.misspelt and name in names:
            known = {**turn.asked.known, kind: names[(names.index(name) + 1) % len(names)]}
            return turn.world.answer(replace(turn.asked, known=known, reading=turn.reading))
    return meaning


def shortens(meaning: Meaning, turn: Turn, short: Mapping[str, Mapping[str, Any]]) -> Meaning:
    """Return a reply that tells some of several facts."""
    if meaning[0] not in short:
        return meaning
    told, to = values_of(meaning), short[meaning[0]]
    return meant(to["to"], **dict(turn.world.rule(to["to"])[1:]), **{name: told[name] for name in to["telling"]})


def first_of(meaning: Meaning, _turn: Turn, lists: Sequence[str]) -> Meaning:
    """Return a reply that tells the first thing of a list."""
    told = values_of(meaning)
    return changed(meaning, **{name: told[name][:1] for name in lists if name in told})


def doubles(meaning: Meaning, _turn: Turn, name: str) -> Meaning:
    """Return a reply in which something was counted twice, and the price worked out from that."""
    told = values_of(meaning)
    return changed(meaning, **{name: 2 * told[name], "euros": 2 * told.get("euros", 0)}) if name in told else meaning


def other_values(meaning: Meaning, _turn: Turn, how: Mapping[str, Mapping[str, Any]]) -> Meaning:
    """Return a reply with values that are changed by a sum, a product, hours or days."""
    told = values_of(meaning)
    made = {name: VALUES[by](told[name], much) for name, op in how.items() if name in told for by, much in op.items()}
    return changed(meaning, **made)


def _later(value: object, hours: int) -> str:
    """Return a time of day some hours later."""
    hour, minute = str(value).split(":")
    return f"{(int(hour) + hours) % 24}:{minute}"


def _days_off(value: object, days: tuple[int, int]) -> str:
    """Return a date some days later, or earlier if it is after the 20th."""
    day, month = str(value).split()
    return f"{int(day) + days[int(day) > 20]} {month}"


VALUES: Mapping[str, Callable[[Any, Any], object]] = {
    "is": lambda _value, other: other,
    "times": lambda value, factor: round(float(value) * factor, 2),
    "plus": lambda value, much: int(value) + much,
    "hours": _later,
    "days": _days_off,
}
CHANGES: Mapping[str, Callable[[Meaning, Turn, Any], Meaning]] = {
    "replies": replies,
    "replies_without_facts": replies_without_facts,
    "flips": flips,
    "answers": answers,
    "another": another,
    "shortens": shortens,
    "first_of": first_of,
    "doubles": doubles,
    "other_values": other_values,
}
"""What a fault makes of a reply."""
