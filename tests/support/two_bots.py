"""Two small chatbots, of an electricity supplier and of a swimming pool, right but for the faults that are switched on.

The supplier keeps a dialogue: a message that lacks what is asked, or of what, takes it from those before.
Without `remembers` each message is read alone. It answers each question of a message. The pool keeps nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

POWER_QUESTIONS = (
    "How much is Basic a month?",
    "How much is Green Flex a month?",
    "What does Night Saver cost?",
    "Which tariffs are there?",
    "Does Basic have a minimum term?",
    "Does Green Flex have a minimum term?",
    "How long is the minimum term of Night Saver?",
    "Is Green Flex green electricity?",
    "Is Basic green electricity?",
    "What is the difference between Basic and Green Flex?",
    "Which is cheaper, Basic or Night Saver?",
    "How much discount is there for a 70-year-old?",
    "How much discount is there for a 20-year-old?",
    "What is your phone number?",
    "When are you open?",
    "Can I pay by card?",
    "When is the meter read?",
    "I want to cancel my contract.",
    "My name is Ruth Klein. How much is Basic a month?",
)
POOL_QUESTIONS = (
    "How much is a day ticket?",
    "How much is an evening ticket?",
    "When does the pool open on Sunday?",
    "When does the pool open on Friday?",
    "How long is the slide?",
    "What does a locker cost?",
    "Is there a sauna?",
    "Which age can swim alone?",
    "Where can I park?",
    "How many lanes are there?",
)
_TARIFFS = {
    "basic": ("Basic", 9, 12, "no"),
    "green flex": ("Green Flex", 13, 1, "yes"),
    "night saver": ("Night Saver", 8, 24, "no"),
}
_AGE = re.compile(r"(\d+)-year-old")
_PARTS = re.compile(r"(?<=[.?!])\s+(?:Also,\s+)?")
_RULED_OUT = re.compile(r", not [^.?]+(?=[.?])")
_SAID_OF_IT = re.compile(r"don't mean|not asking about|^I mean ")
_NAME = re.compile(r"(?:[Tt]his is|My name is) (\w+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """The chatbot of an electricity supplier.

    Attributes:
        remembers: whether it takes what a message lacks from those before.
        drops_second: of several questions in a message only the first is answered.
        negation_blind: what is said not to be meant counts as meant.
        first_sticks: the first tariff and age of a dialogue count for the whole of it.
        first_name_sticks: the user is called by the first name that was said.
        dearer: names whose users are told a price that is 2 euros higher.
        shortens_lists: of three tariffs in a message the last is left out.
        forgets: it remembers only the message right before the last one.
    """

    remembers: bool = True
    drops_second: bool = False
    negation_blind: bool = False
    first_sticks: bool = False
    first_name_sticks: bool = False
    dearer: Sequence[str] = ()
    shortens_lists: bool = False
    forgets: bool = False

    def __call__(self, text: str, history: Sequence[tuple[dict[str, str], str]] = ()) -> str:
        """Answer a message after those of a dialogue."""
        heard = [*(fields["message"] for fields, _ in history), text] if self.remembers else [text]
        heard = heard[-2:] if self.forgets else heard
        state: dict[str, object] = {}
        replies: list[str] = []
        for message in heard:
            replies = self._replies(message, state)
        name = state.get("name")
        return f"{name}: {' '.join(replies)}" if name else " ".join(replies)

    def _replies(self, message: str, state: dict[str, object]) -> list[str]:
        told = _NAME.search(message)
        if told and not (self.first_name_sticks and "name" in state):
            state["name"] = told[1]
        if not self.negation_blind:
            message = _RULED_OUT.sub("", message)
        parts = [part for part in _PARTS.split(message) if not _NAME.search(part)]
        parts = [part for part in parts if self.negation_blind or not _SAID_OF_IT.search(part)]
        if self.drops_second:
            parts = parts[:1]
        return list(dict.fromkeys(self._reply(part, state) for part in parts)) or ["How can I help?"]

    def _reply(self, part: str, state: dict[str, object]) -> str:
        low = part.lower()
        tariffs = sorted((low.index(name), name) for name in _TARIFFS if name in low)
        named = [name for _, name in tariffs]
        for key, value in (("tariffs", named), ("age", [int(age) for age in _AGE.findall(low)])):
            if value and not (self.first_sticks and key in state):
                state[key] = value
        intent = _intent(low)
        if intent:
            state["intent"] = intent
        elif not named and not _AGE.search(low):
            return "Sorry, I did not understand that."
        if intent in _PLAIN:
            return _PLAIN[intent]
        return self._about(str(state.get("intent", "")), state)

    def _about(self, intent: str, state: dict[str, object]) -> str:
        ages = state.get("age", [])
        if intent == "discount":
            assert isinstance(ages, list)
            return f"The discount is {15 if ages[0] >= 65 else 10} percent." if ages else "For which age?"
        names = state.get("tariffs", [])
        assert isinstance(names, list)
        if not names or intent not in _OF_TARIFF:
            return "Which tariff do you mean?" if intent else "Sorry, I did not understand that."
        if self.shortens_lists:
            names = names[:2]
        extra = 2 if state.get("name") in self.dearer else 0
        if intent == "compare":
            names = sorted(names)
        return " ".join(
            _OF_TARIFF[intent](*_TARIFFS[name][:1], _TARIFFS[name][1] + extra, *_TARIFFS[name][2:]) for name in names
        )


_PLAIN = {
    "list": "We have Basic, Green Flex and Night Saver.",
    "phone": "Our phone number is 0800 555 123.",
    "open": "We are open from 8:00 to 17:00.",
    "card": "Yes, you can pay by card.",
    "meter": "The meter is read on 15 January.",
    "cancel": "You can cancel it in the app.",
    "hello": "Hello! How can I help?",
}
_OF_TARIFF: dict[str, Callable[[str, int, int, str], str]] = {
    "price": lambda name, price, term, green: f"{name} costs {price} EUR a month.",
    "term": lambda name, price, term, green: f"{name} has a minimum term of {term} months.",
    "green": lambda name, price, term, green: (
        f"{'Yes' if green == 'yes' else 'No'}, {name} is {'' if green == 'yes' else 'not '}green."
    ),
    "compare": lambda name, price, term, green: f"{name} costs {price} EUR a month, for {term} months.",
}
_INTENTS = {
    "difference": "compare", "cheaper": "compare", "discount": "discount", "minimum term": "term", "phone": "phone",
    "open": "open", "card": "card", "meter": "meter", "cancel": "cancel", "which tariffs": "list", "how much": "price",
    "cost": "price", "green electricity": "green", "hello": "hello", "question about": "about",
}  # fmt: skip


def _intent(low: str) -> str:
    return next((intent for words, intent in _INTENTS.items() if words in low), "")


_POOL = {
    "day ticket": "A day ticket is 8 EUR.",
    "evening ticket": "An evening ticket is 5 EUR.",
    "sunday": "On Sunday we open at 10:00.",
    "friday": "On Friday we open at 7:00.",
    "slide": "The slide is 80 metres long.",
    "locker": "A locker costs 2 EUR.",
    "sauna": "Yes, there is a sauna.",
    "age": "Children swim alone from 10 years.",
    "park": "You can park behind the hall.",
    "lanes": "There are 6 lanes.",
}


def pool(text: str) -> str:
    """Answer each question of a message alone."""
    low = text.lower()
    said = [(low.index(word), reply) for word, reply in _POOL.items() if re.search(rf"\b{word}\b", low)]
    return " ".join(reply for _, reply in sorted(said)) or "Sorry, I did not understand that."
