"""The chatbot of an inn, which remembers the dialogue and varies its wording. It may have one fault.

It reads only the messages and never sees the relation. Faults only see `Heard`, the message as the inn understood it.
Answers are computed from the values in a request, so a different number, day or place gets a different answer.
Its patterns for values are separate from the package's, because a system must not share code with its tests.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from mutatis.core.cases import Case, Turn
from mutatis.core.system import Conversation, Response
from mutatis.languages import listed
from mutatis.testing.gallery.words import gallery_words, worded
from mutatis.text.sentences import sentences
from mutatis.text.values import vocabulary

_WORDS = vocabulary()
_ONES = _WORDS.ones
_DAY = "|".join(_WORDS.weekdays)
_MONTH = "|".join(_WORDS.months)
_NUMBER = rf"\d{{1,3}}|{'|'.join(_ONES[2:13])}"
_CURRENCY = r"euros?|EUR|dollars?|USD|pounds?|GBP|francs?|CHF|[€$£]"
_SUM = r"\d{1,3}(?:,\d{3})+(?:\.\d{2})?|\d+(?:\.\d{2})?"
_CLOCK = r"(?:[01]?\d|2[0-3]):[0-5]\d(?:\s?[ap]m\b)?|(?:1[0-2]|[1-9])\s?[ap]m\b"
_NO_COUNT = r"minutes?|hours?|days?|weeks?|months?|years?|km\b|miles?"
_PATTERNS: Mapping[str, str] = {
    "weekday": rf"\b(?P<value>{_DAY})s?\b",
    "count": rf"(?<![\w.,:€$£-])(?<!size )(?P<value>{_NUMBER})(?![\w:%€$£]|[.,]\d"
    rf"|[\s-]*(?:{_CURRENCY}|(?:{_MONTH})|%|[ap]m\b|percent|o'clock|stars?\b|{_NO_COUNT}))",
    "amount": rf"(?<![\w.,])(?P<value>[€$£]\s?(?:{_SUM})|(?:{_SUM})\s?(?:{_CURRENCY}))(?!\w)",
    "date": rf"\b(?P<value>\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{_MONTH})|(?:{_MONTH})\s+(?:the\s+)?\d{{1,2}}"
    r"(?:st|nd|rd|th)?)\b",
    "time": rf"(?<![\d:.])(?P<value>{_CLOCK})",
    "duration": rf"(?<![\w.,])(?P<value>(?:{_NUMBER})\s+(?:working\s+|business\s+|calendar\s+)?"
    r"(?:minute|hour|day|week|month|year)s?)\b",
    "size": r"\b(?P<value>XXL|XL|XS|small|medium|large|(?<=size )(?:[SML]|\d{2}))\b",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class HeardValue:
    """A value as written, its position, and a key that is the same for all ways of writing it."""

    text: str
    start: int
    key: str

    @property
    def end(self) -> int:
        """The offset just after the value."""
        return self.start + len(self.text)


@cache
def _pattern(kind: str) -> re.Pattern[str]:
    if kind in ("city", "country"):
        rows = listed("places") if kind == "city" else [row.split()[0] for row in listed("nations")]
        names = "|".join(name for row in rows for name in row.split())
        return re.compile(rf"\b(?P<value>{names})\b(?!['\u2019-]\w)(?!\s+(?-i:[A-Z]))", re.IGNORECASE)
    return re.compile(_PATTERNS[kind], re.IGNORECASE)


def values_heard(text: str, kind: str) -> list[HeardValue]:
    """Return the values of one kind in a text, such as the days.

    >>> [value.key for value in values_heard("A table for four at 6 pm", "count")]
    ['4']
    """
    matches = _pattern(kind).finditer(text)
    return [HeardValue(text=m["value"], start=m.start("value"), key=one_spelling(kind, m["value"])) for m in matches]


def one_spelling(kind: str, written: str) -> str:
    """Return a key that is the same for all ways of writing a value.

    >>> one_spelling("count", "Four"), one_spelling("amount", "$1,200"), one_spelling("time", "6 pm")
    ('4', '1200 $', '18:00')
    >>> one_spelling("duration", "two full hours"), one_spelling("date", "the 3rd of May")
    ('2 hour', '3 may')
    """
    low = written.lower().strip()
    if kind == "count":
        return str(_ONES.index(low)) if low in _ONES else str(int(low))
    if kind == "amount":
        number = re.sub(r"[^\d.]", "", low).removesuffix(".00")
        currency = re.sub(r"[\d.,\s]", "", low)
        signs = {"eur": "€", "€": "€", "dol": "$", "usd": "$", "$": "$", "pou": "£", "gbp": "£", "£": "£"}
        return f"{number} {signs.get(currency[:3], 'chf')}"  # any other currency is francs
    if kind == "duration":
        number, _, unit = low.partition(" ")
        return f"{one_spelling('count', number)} {unit.split()[-1].removesuffix('s')}"
    if kind == "date":
        [day] = re.findall(r"\d+", low)
        return f"{int(day)} {next(month.lower() for month in _WORDS.months if month.lower() in low)}"
    if kind == "time":
        hour, minute = [*map(int, re.findall(r"\d+", low)), 0][:2]  # "6 pm" has no minutes
        if low.endswith(("am", "pm")):
            hour = hour % 12 + (12 if low.endswith("pm") else 0)  # 12 am is 0:00
        return f"{hour}:{minute:02}"
    return low


SLOTS: tuple[str, ...] = ("date", "time", "amount", "size", "weekday", "city", "country", "count")
_NEEDS = {"coach": "city", "shirt": "size", "shipping": "country", "exchange": "amount", "boat": "date"}
"""For some topics, the kind of value without which the inn cannot answer."""
_FACTS: Mapping[str, tuple[str, ...]] = gallery_words("inn-facts")
"""Replies to questions whose answer is always the same, each in several wordings."""

_TEMPLATES: Mapping[str, tuple[str, ...]] = gallery_words("inn-patterns")
"""Templates of replies that depend on values. Names in braces are filled in."""

_STANCES = {
    "agrees": ("Yes, that is right.", "Right, exactly.", "Yes, exactly."),
    "denies": ("No, that is not right.", "No, it is not.", "No, not that."),
    "insists": ("Yes, I am sure.", "Yes, quite sure.", "I am certain, yes."),
}
_TOPICS: Mapping[str, str] = gallery_words("inn-topics")
_DOUBTS = re.compile(
    r"^(?:are you sure|really\?)|^That(?:['\u2019]s| is) (?:wrong|not right)\b|\bsister says\b"
    r"|\btold me something else\b",
    re.IGNORECASE,
)
_CLAIMS = re.compile(
    r"^So (?:it['\u2019]s|that means)\b|^I read that it is\b|^(?:No, )?I think it['\u2019]s\b"
    r"|^(?:But )?(?:an?|my|your) (?:friend|neighbour|colleague)(?: of mine)? (?:says|said|told me)\b",
    re.IGNORECASE,
)
_AT_ONCE = re.compile(r", (?:no, sorry|no wait|no|sorry),? ")
_BEHIND = re.compile(r" (?:Sorry, I mean|No wait,|Correction:) (?P<right>.+?)(?:, not | instead of )(?P<wrong>.+)\.$")
_BOTH = re.compile(r"^Sorry, both again, please: (?P<first>[^?]+\?) And (?P<second>.+)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class InnMeaning:
    """The meaning of a reply, however it is worded: a topic, its values, and its stance on the previous reply."""

    topic: str
    slots: Mapping[str, str] = field(default_factory=dict)
    stance: str = ""
    parts: tuple[InnMeaning, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A message as the inn understands it.

    Attributes:
        message: the message as written.
        messages: all messages of the user so far, including this one.
        topic: the subject of the dialogue.
        slots: the values that belong to the subject, such as the day or the number of people.
        facts: facts that users mentioned about themselves.
        last: the inn's reply to the last question.
    """

    message: str
    messages: tuple[str, ...] = ()
    topic: str = ""
    slots: Mapping[str, str] = field(default_factory=dict)
    facts: tuple[str, ...] = ()
    last: InnMeaning | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class InnFault:
    """A planted fault of the inn's chatbot.

    `hears` changes what the inn understands or remembers of a message. `says` changes its reply.
    """

    name: str
    summary: str
    found_by: str
    hears: Callable[[Heard], Heard] | None = None
    says: Callable[[InnMeaning, Heard], InnMeaning] | None = None


def slots_of(text: str) -> dict[str, str]:
    """Return the first value of each kind in a message, such as a day or a number of people."""
    return {kind: said[0].text for kind in SLOTS if (said := values_heard(text, kind))}


def _priced(topic: str, slots: Mapping[str, str]) -> dict[str, str]:
    """Return the price or the time for a request. Different values get different answers."""
    count = int(one_spelling("count", slots["count"])) if "count" in slots else 1
    key = {kind: one_spelling(kind, slots[kind]) for kind in SLOTS if kind in slots}
    if topic == "room":
        weekend = 30 if key.get("weekday") in ("friday", "saturday") else 0
        return {"price": str(40 * count + weekend)}
    if topic == "table":
        return {"price": str(25 * count)}
    if topic == "coach":
        return {"clock": f"{6 + len(key['city'])}:{10 + 5 * len(key.get('weekday', ''))}"}
    if topic == "exchange":
        return {"price": str(round(11 * float(key["amount"].split()[0])))}
    if topic == "boat":
        return {"price": str(60 + 2 * int(key["date"].split()[0]))}
    letters = key["size"] if topic == "shirt" else key["country"]
    return {"price": str(17 + sum(map(ord, letters)) % 60)}


def _answer(heard: Heard) -> InnMeaning:
    """Return the correct answer to a single question, or "fallback" if the inn lacks a value that it needs.

    Most topics have one fact or one pattern. The price of the ferry depends on what users told about themselves.
    """
    topic = heard.topic
    if topic == "private":
        return InnMeaning(topic=topic)
    if topic == "ferry":  # a fact of its own for children and for adults
        child = re.search(
            r"\b(?:child|son|daughter|twelve|12 years)\b", " ".join((*heard.facts, heard.message)), re.IGNORECASE
        )
        topic = "child" if child else "adult"
    if topic in _FACTS:
        return InnMeaning(topic=topic)
    if topic in _TEMPLATES and (topic not in _NEEDS or _NEEDS[topic] in heard.slots):
        return InnMeaning(topic=topic, slots={**heard.slots, **_priced(topic, heard.slots)})
    return InnMeaning(topic="fallback")


def _reaction(heard: Heard) -> InnMeaning | None:
    """Return the reply to a message that asks no question of its own, or None for an ordinary question.

    Such a message changes the subject, or responds to the last reply: it doubts the reply or claims to repeat it. The
    inn agrees with a claim whose values its reply contains.
    """
    text, last = heard.message, heard.last
    if text in listed("asides"):
        return InnMeaning(topic="shrug")
    if last is None:
        return None
    if _DOUBTS.search(text):
        return replace(last, stance="insists")
    if _CLAIMS.search(text):
        last_reply = inn_words_for(last, "")  # every wording has the same values
        return replace(last, stance="agrees" if _claimable(text) <= _claimable(last_reply) else "denies")
    return None


def _claimable(text: str) -> set[tuple[str, str]]:
    """Return the values in a text that a claim may repeat, each as its kind and key."""
    kinds = ("duration", "amount", "time", "date", "weekday")
    return {(kind, value.key) for kind in kinds for value in values_heard(text, kind)}


@dataclass(frozen=True, slots=True, kw_only=True)
class InnSystem:
    """The inn's chatbot as a system under test. It always answers correctly unless it has a fault."""

    fault: InnFault | None = None

    @property
    def label(self) -> str:
        """The system's name in reports."""
        return self.fault.name if self.fault else "perfect"

    @property
    def identity(self) -> Mapping[str, Any]:
        """The data that identify the system."""
        return {"type": "gallery-inn", "fault": self.fault.name if self.fault else None}

    async def ask(self, conversation: Conversation) -> Response:
        """Answer the last message in a conversation."""
        earlier = [fields["message"] for fields, _ in conversation.history]
        return Response(text=self.reply([*earlier, conversation.fields["message"]]))

    def reply(self, messages: Sequence[str]) -> str:
        """Return the text of the reply to the last of these messages."""
        return inn_words_for(self.meaning(messages), *messages)

    def meaning(self, messages: Sequence[str]) -> InnMeaning:
        """Return the meaning of the inn's reply to the last message, given the earlier ones."""
        heard = Heard(message="")
        meaning = InnMeaning(topic="fallback")
        for number, message in enumerate(messages):
            heard = self._hear(replace(heard, message=message, messages=tuple(messages[: number + 1])))
            meaning = self._say(heard)
            if meaning.topic not in ("shrug", "fallback"):
                heard = replace(heard, last=replace(meaning, stance=""))
        return meaning

    def _hear(self, heard: Heard) -> Heard:
        heard = understood(heard)
        return self.fault.hears(heard) if self.fault and self.fault.hears else heard

    def _say(self, heard: Heard) -> InnMeaning:
        both = _BOTH.match(heard.message)
        if both is not None:
            parts = tuple(_answer(understood(replace(heard, message=both[name]))) for name in ("first", "second"))
            meaning = InnMeaning(topic="both", parts=parts)
        else:
            meaning = _reaction(heard) or _answer(heard)
        return self.fault.says(meaning, heard) if self.fault and self.fault.says else meaning


def understood(heard: Heard) -> Heard:
    """Return what the inn remembers after a message, with the corrections in it."""
    text = _meant(_to_the_point(heard.message))
    if text in listed("asides") or _DOUBTS.search(text) or _CLAIMS.search(text):
        return heard
    topic = next((name for name, pattern in _TOPICS.items() if re.search(pattern, text, re.IGNORECASE)), "")
    facts = tuple(part for part in sentences(text) if not part.endswith("?") and not part.startswith("Back to"))
    return replace(heard, topic=topic or heard.topic, slots=slots_of(text) or heard.slots, facts=(*heard.facts, *facts))


def _to_the_point(text: str) -> str:
    """Return a message without its introduction."""
    for said in listed("preambles"):
        text = text.replace(said, "").strip()
    return text


def _meant(text: str) -> str:
    """Apply the corrections within a message: "for six, no, four people" means four."""
    if behind := _BEHIND.search(text):
        return text[: behind.start()].replace(behind["wrong"], behind["right"])
    for cue in _AT_ONCE.finditer(text):
        behind_cue = text[cue.end() :]
        for kind in SLOTS:
            wrong = [value for value in values_heard(text[: cue.start()], kind) if value.end == cue.start()]
            right = _first(behind_cue, kind)
            if wrong and right and behind_cue.startswith(right):
                return text[: wrong[0].start] + behind_cue
    return text


def _first(text: str, kind: str) -> str:
    """Return the first value of a kind in a correction.

    Sizes are found even if no word such as "size" introduces them.
    """
    if kind == "size":
        bare = re.search(r"\b(?:XXL|XL|XS|[SML]|small|medium|large|\d{2})\b", text)
        return bare.group() if bare else ""
    said = values_heard(text, kind)
    return said[0].text if said else ""


def inn_words_for(meaning: InnMeaning, *seed: str) -> str:
    """Return a meaning as text. The wording varies from conversation to conversation."""
    if meaning.parts:
        return " ".join(inn_words_for(part, *seed) for part in meaning.parts)
    slots = {**dict.fromkeys(("for_count", "on_weekday", "at_time"), ""), **meaning.slots}
    slots |= {"for_count": f" for {slots['count']} people"} if "count" in slots else {}
    slots |= {"on_weekday": f" on {slots['weekday']}"} if "weekday" in slots else {}
    slots |= {"at_time": f" at {slots['time']}"} if "time" in slots else {}
    text = worded(_FACTS.get(meaning.topic) or _TEMPLATES[meaning.topic], meaning.topic, *seed).format(**slots)
    ways = _STANCES.get(meaning.stance)
    text = text[0].upper() + text[1:]
    return f"{worded(ways, *seed)} {text}" if ways else text


def inn_cases() -> tuple[Case, ...]:
    """Return messages to the inn as cases. A faultless system gives the right answers."""
    turns = (Turn(fields={"message": text}) for text in gallery_words("inn-messages"))
    return tuple(Case(id=f"inn/{n}", task="chat", turns=(turn,)) for n, turn in enumerate(turns))


# The planted faults, such as forgetting earlier values, each with the relation that should find it.

Says = Callable[[InnMeaning, Heard], InnMeaning]


def _filled(**slots: str) -> Says:
    """Return a fault that makes the inn use the same values in every reply."""

    def says(meaning: InnMeaning, _: Heard) -> InnMeaning:
        known = {name: value for name, value in slots.items() if name in meaning.slots}
        return replace(meaning, slots={**meaning.slots, **known})

    return says


def _where(pattern: str, change: Callable[[InnMeaning], InnMeaning]) -> Says:
    """Return a fault that makes the inn change its reply to messages that match a pattern."""
    seen = re.compile(pattern, re.IGNORECASE)
    return lambda meaning, heard: change(meaning) if seen.search(heard.message) else meaning


def _dearer(meaning: InnMeaning) -> InnMeaning:
    """Return a reply with another price or time, or on another topic if it has neither."""
    if "price" in meaning.slots:
        return replace(meaning, slots={**meaning.slots, "price": str(int(meaning.slots["price"]) + 7)})
    if "clock" in meaning.slots:
        return replace(meaning, slots={**meaning.slots, "clock": "4:05"})
    return replace(meaning, topic="parking" if meaning.topic == "sauna" else "sauna", slots={})


def _taken_back(meaning: InnMeaning) -> InnMeaning:
    return replace(_dearer(meaning), stance="")


def _agreeing(meaning: InnMeaning) -> InnMeaning:
    return replace(meaning, stance="", topic="agreed", slots={})


def _forgets_slots(heard: Heard) -> Heard:
    """Forget the values of earlier messages after two messages about something else."""
    asides = [text for text in heard.messages if text in listed("asides")]
    return replace(heard, facts=(), slots=slots_of(heard.message)) if len(asides) >= 2 else heard


def _first_part(meaning: InnMeaning, _: Heard) -> InnMeaning:
    return meaning.parts[0] if meaning.parts else meaning


def _first_value(heard: Heard) -> Heard:
    """Use the first value in the message, and ignore corrections."""
    said = slots_of(heard.message)
    return replace(heard, slots={name: said.get(name, value) for name, value in heard.slots.items()})


def _beginning(heard: Heard) -> Heard:
    """Read only the beginning of a long message, and forget what was said before."""
    words = heard.message.split()
    if len(words) <= _LONG:
        return heard
    cut = Heard(message=" ".join(words[:_READ]), messages=heard.messages, last=heard.last)
    return understood(cut)


_LONG, _READ = 40, 25


def _no_figures(heard: Heard) -> Heard:
    """Ignore numbers of people that are written in digits."""
    kept = {name: value for name, value in heard.slots.items() if name != "count" or not value.isdigit()}
    return replace(heard, slots=kept)


_HEARS: Mapping[str, Callable[[Heard], Heard]] = {
    "inn-short-memory": _forgets_slots,
    "inn-first-value": _first_value,
    "inn-reads-the-beginning": _beginning,
    "inn-no-figures": _no_figures,
}
_SAYS: Mapping[str, Says] = {
    "inn-always-friday": _filled(weekday="Friday"),
    "inn-always-two": _filled(count="two"),
    "inn-always-oslo": _filled(city="Oslo"),
    "inn-always-norway": _filled(country="Norway"),
    "inn-one-size": _filled(size="M"),
    "inn-one-amount": _filled(amount="200 euros"),
    "inn-one-date": _filled(date="12 May"),
    "inn-one-time": _filled(time="7 pm"),
    "inn-first-question": _first_part,
    "inn-agrees": _where(r"^So\b", _agreeing),
    "inn-believes-reports": _where(r"^I read that|^Your col", _agreeing),
    "inn-denies": _where(r"^So\b", lambda meaning: replace(meaning, topic="denied", slots={}, stance="")),
    "inn-gives-in": _where(r"^Are you|^Really", _taken_back),
    "inn-believes-sisters": _where(r"\bsister\b|\bof mine\b", _taken_back),
    "inn-believes-claims": _where(
        r"\bwork (?:here|for your)\b|\bcolleague of\b|\byour staff\b|\b(?:wife|husband|brother|sister)\b|\brelated\b",
        lambda meaning: replace(meaning, topic="told") if meaning.topic == "private" else meaning,
    ),
}

INN_FAULTS = tuple(
    InnFault(name=name, summary=summary, found_by=found_by, hears=_HEARS.get(name), says=_SAYS.get(name))
    for name, (summary, found_by) in gallery_words("inn-faults").items()
)
"""All planted faults of the inn."""
