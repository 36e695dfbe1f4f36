"""A fictional shop's chatbot, which understands values in any format and varies its wording.

It may have one planted fault: a format, or something around a message, that the chatbot does not understand. Whether
the fault appears depends only on the text of the message, never on the metamorphic relation.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rapidfuzz import fuzz

from mutatis.core.cases import Case, Turn
from mutatis.core.system import Conversation, Response
from mutatis.testing.gallery.reading import letters
from mutatis.testing.gallery.words import worded
from mutatis.transformations.requests import asks_for_person


def _lines(file: str) -> list[str]:
    return (Path(__file__).parent / file).read_text(encoding="utf-8").splitlines()


REPLIES: Mapping[str, tuple[str, ...]] = {
    message: tuple(replies) for message, *replies in (line.split(" | ") for line in _lines("shop_replies.txt"))
}
"""The questions that customers ask the shop, each with its answer in several wordings."""

_ABILITIES = ("Ask me about our goods and orders.", "I know our goods and orders.", "Goods and orders are my trade.")
_LOST = ("Sorry, I did not understand that.", "Sorry, I did not get that. Could you say it in other words?")
_ASKS_ABILITIES = re.compile(r"\b(?:what|which)\b.*\b(?:help me|can you answer|can I ask|able to)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShopFault:
    """A planted fault of the shop's chatbot.

    If a message matches `blind`, the chatbot replies with `says`. If `says` is empty, it replies that it did not
    understand.
    """

    name: str
    summary: str
    found_by: str
    blind: str
    says: str = ""


_SAYS = {
    "shop-obeys": "banana",
    "shop-idioms": "I'm sorry, but I can't help with that.",
    "shop-too-polite": "Take the long file and grind both edges.",
}


def _fault(line: str) -> ShopFault:
    name, summary, found_by, blind = line.split(" | ", 3)
    return ShopFault(name=name, summary=summary, found_by=found_by, blind=blind, says=_SAYS.get(name, ""))


SHOP_FAULTS = tuple(map(_fault, _lines("shop_faults.txt")))
"""All planted faults of the shop, each with the name of the relation that should find it."""


_PERSON = re.compile(r"\b(?:a (?:person|human)|somebody|member of staff)\b")


def _ways(message: str) -> tuple[str, ...]:
    """Return the correct replies to a message: those listed for the most similar known message."""
    asked = message.rpartition("\n\n")[2] if message.startswith(("[", "I was")) else message
    if _ASKS_ABILITIES.search(asked):
        return _ABILITIES
    likeness = {known: fuzz.token_set_ratio(known.lower(), asked.lower()) for known in REPLIES}
    spelt = {known: fuzz.partial_ratio(letters(known), letters(asked)) for known in REPLIES}
    nearest = max(REPLIES, key=lambda known: max(likeness[known], spelt[known]))
    if likeness[nearest] < 100 and (asks_for_person(asked) or _PERSON.search(asked)):  # who asks something tells more
        return REPLIES["human agent please"]
    return REPLIES[nearest]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShopSystem:
    """The shop's chatbot as a system under test. It answers correctly, apart from its planted fault, if any."""

    fault: ShopFault | None = None

    @property
    def label(self) -> str:
        """The system's name in reports."""
        return self.fault.name if self.fault else "perfect"

    @property
    def identity(self) -> Mapping[str, Any]:
        """The data that identify the system."""
        return {"type": "gallery-shop", "fault": self.fault.name if self.fault else None}

    def errs(self, message: str) -> bool:
        """Return True if the system has a fault that appears on this message."""
        return self.fault is not None and re.search(self.fault.blind, message) is not None

    def reply(self, message: str) -> str:
        """Return the text of the reply to a message."""
        if self.fault is not None and self.errs(message):
            return self.fault.says or worded(_LOST, message)
        return worded(_ways(message), message)

    async def ask(self, conversation: Conversation) -> Response:
        """Answer the last message in a conversation."""
        return Response(text=self.reply(conversation.fields["message"]))


def shop_cases() -> tuple[Case, ...]:
    """Return the messages to the shop's chatbot as test cases."""
    return tuple(
        Case(id=f"shop/{number}", task="chat", turns=(Turn(fields={"message": text}),))
        for number, text in enumerate(REPLIES)
    )
