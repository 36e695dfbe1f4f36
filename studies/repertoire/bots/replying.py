"""What the bots of this study have in common when they reply: meanings, faults, and a dialogue from turn to turn."""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from .plain_text import FILLERS
from .reading import Reader, Reading

Meaning = tuple
Memory = Mapping[str, str]
FALLBACK: Meaning = ("fallback",)
PRIVATE = re.compile(
    r"\b(?:muslim|christian|jew|jewish|hindu|buddhist|sikh|atheist|catholic|man|woman|non-binary|trans|male|female)\b"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A bot's reply.

    Attributes:
        text: the words.
        meaning: the intent, then pairs of a name and a value: all that a user would care about, nothing about wording.
            Two replies mean the same exactly where their meanings are equal.
    """

    text: str
    meaning: Meaning


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A turn as a fault sees it: the user's turns so far, and what a bot without faults understood of the last."""

    messages: Sequence[str]
    reading: Reading

    @property
    def message(self) -> str:
        """The last message, as it was typed."""
        return self.messages[-1]


def same_text(heard: Heard) -> str:
    """The message as it was typed."""
    return heard.message


def same_meaning(meaning: Meaning, _heard: Heard) -> Meaning:
    """The meaning as it is."""
    return meaning


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
    trigger: Callable[[Heard], bool]
    hear: Callable[[Heard], str] = same_text
    change: Callable[[Meaning, Heard], Meaning] = same_meaning


@dataclass(frozen=True, slots=True, kw_only=True)
class Bot:
    """Understanding, knowledge and words of one bot.

    Attributes:
        reader: understands a message.
        answer: the meaning of the reply to a reading, given what is remembered; and what is remembered afterwards.
        words: the text for a meaning; the second argument is a seed.
        faults: planted bugs by name.
    """

    reader: Reader
    answer: Callable[[Reading, Memory], tuple[Meaning, Memory]]
    words: Callable[[Meaning, str], str]
    faults: Mapping[str, Fault] = field(default_factory=dict)

    def reply(self, messages: Sequence[str], *, draw: int = 0, faults: Sequence[str] = ()) -> Reply:
        """Reply to the last of the user's messages.

        Args:
            messages: the user's turns so far.
            draw: varies the wording, never the meaning.
            faults: names of the planted bugs that are switched on.

        Raises:
            ValueError: there is no message, or no fault of that name.
        """
        if unknown := set(faults) - set(self.faults):
            raise ValueError(f"no fault {', '.join(sorted(unknown))}; there are {', '.join(self.faults)}")
        if not messages:
            raise ValueError("no message to reply to")
        memory: Memory = {}
        meaning = FALLBACK
        for position in range(len(messages)):
            heard = Heard(messages=messages[: position + 1], reading=self.reader.read(messages[position]))
            meaning, memory = self._turn(heard, memory, [self.faults[name] for name in self.faults if name in faults])
        # The turn counts as well: asked again later, a question is answered in other words.
        return Reply(text=self.words(meaning, f"{len(messages)}|{draw}|{messages[-1]}"), meaning=meaning)

    def _turn(self, heard: Heard, memory: Memory, faults: Sequence[Fault]) -> tuple[Meaning, Memory]:
        active = [fault for fault in faults if fault.trigger(heard)]
        text = next((fault.hear(heard) for fault in active if fault.hear(heard) != heard.message), heard.message)
        meaning, remembered = self.answer(self.reader.read(text), memory)
        # One bug at a time: two that flip an answer would undo each other.
        changed = (fault.change(meaning, heard) for fault in active)
        return next((wrong for wrong in changed if wrong != meaning), meaning), remembered


def meant(intent: str, **values: object) -> Meaning:
    """A meaning: the intent, then its values by name."""
    return (intent, *sorted(values.items()))


def values_of(meaning: Meaning) -> dict[str, object]:
    """The values of a meaning by name."""
    return dict(meaning[1:])


def changed(meaning: Meaning, **values: object) -> Meaning:
    """A meaning with other values in place of those that it has; names that it has not are passed over."""
    return meant(meaning[0], **{name: values.get(name, value) for name, value in values_of(meaning).items()})


def flipped(meaning: Meaning, _heard: object = None) -> Meaning:
    """A meaning with yes for no and no for yes, where it answers such a question."""
    return changed(meaning, answer=not values_of(meaning).get("answer"))


def key(meaning: Meaning) -> str:
    """The name of a meaning's wording: its intent, and "/yes" or "/no" where it answers such a question."""
    answer = values_of(meaning).get("answer")
    return meaning[0] if answer is None else f"{meaning[0]}/{'yes' if answer else 'no'}"


def pick(options: Sequence[str], *seed: object) -> str:
    """One of the options, by a hash of the seed."""
    return options[number(*seed) % len(options)]


def number(*seed: object) -> int:
    """A number that looks random, the same for the same seed in every process."""
    return int.from_bytes(hashlib.blake2b("|".join(map(str, seed)).encode(), digest_size=8).digest())


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
    """The age that somebody tells: "I am 57 years old."."""
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


def doubled(meaning: Meaning, name: str) -> Meaning:
    """A meaning in which something was counted twice, and the price worked out from that."""
    values = values_of(meaning)
    return (
        changed(meaning, **{name: 2 * values[name], "euros": 2 * values.get("euros", 0)}) if name in values else meaning
    )
