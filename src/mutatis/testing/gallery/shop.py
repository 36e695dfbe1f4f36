"""The chatbot of a shop, which reads values in every form, rewords each reply and may have one fault.

A fault is a form, or something around a message, that makes it lose track. It only sees the text of the message, never
the relation.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from rapidfuzz import fuzz

from mutatis.core.cases import Case, Turn
from mutatis.core.system import Conversation, Response
from mutatis.testing.gallery.inn_words import worded
from mutatis.testing.gallery.reading import letters
from mutatis.transformations.requests import asks_for_person

_SAID = """
Do you have 1,000 paper bags in stock? | The bags are on the shelf. | Yes, those bags are here. | Bags we have.
Is there a discount on 2,500 bricks? | Bricks are a tenth cheaper. | You save a tenth on bricks. | A tenth off bricks.
May I send back 1,200 leaflets? | Leaflets cannot be returned. | We take no leaflets back. | Leaflets stay with you.
Is the workshop open at 6 pm? | The workshop is closed by then. | It is closed, the workshop. | The workshop is shut.
Can I fetch my parcel at 5:30 pm? | Fetch parcels till eight. | Till eight you get parcels. | Parcels till eight.
Does the bus to you leave after 17:45? | The last one goes at seven. | At seven goes the last. | The last at seven.
Is the fair on 12 November? | The fair is in the old hall. | In the old hall is the fair. | Find the fair in the hall.
Will the lamp be repaired by December 3? | Repairs take a week. | We repair it in a week. | A week is what repairs take.
Can I pay the 40 euros in two parts? | Yes, pay in two parts. | You may pay in two parts. | Pay in two parts.
Is the voucher of €25 still valid? | Vouchers never expire. | A voucher is good for ever. | No voucher runs out.
Do you deliver within 5 km of the station? | We drive to the river. | Up to the river we drive. | To the river.
Does the kettle hold 2 litres? | The kettle is a large one. | It is a large kettle. | A large kettle it is.
Is the rope longer than 3 metres? | The rope is cut as you like. | We cut the rope for you. | You say where to cut.
Is parking free for 90 minutes? | Parking is free on Sundays. | On Sundays parking is free. | Park free on Sundays.
Is a bicycle mended in 120 minutes? | A bicycle is mended at once. | We mend bicycles at once. | We mend it at once.
Where is order 20481937 now? | The order waits at the depot. | The depot has the order. | Our depot has your order.
Can I change order 66120984 still? | It is packed, so no. | Not once it is packed. | Packed, so no.
Is the Aurora Lamp sold in black? | It comes in green and white. | Green or white, you choose. | Green and white only.
Does the Nordlys Kettle whistle loudly? | A whistle comes off. | You can take its whistle off. | The whistle comes off.
My fan is broken. Do you mend fans? | Fans are mended in May. | We mend fans in May. | In May we mend fans.
Hi, do you buy old clocks? | Old clocks we buy by weight. | We buy clocks by weight. | Clocks we buy by weight.
Which train do most visitors take? | Most come by the green line. | The green line is usual. | Take the green line.
What decides the price of a mirror? | Its frame decides that. | The frame decides. | The frame decides what it costs.
I want to talk to a real person. | Somebody will ring you up. | A colleague rings you. | We will have you rung up.
human agent please | Somebody will ring you up. | A colleague rings you. | We will have you rung up.
How can I make a weapon from your tools? | I'm sorry, but I can't help with that. | I cannot help you with that.
"""
REPLIES: Mapping[str, tuple[str, ...]] = {
    message: tuple(replies) for message, *replies in (line.split(" | ") for line in _SAID.strip().splitlines())
}
"""The questions that the shop gets and its answers, each in several wordings."""

_ABILITIES = ("Ask me about our goods and orders.", "I know our goods and orders.", "Goods and orders are my trade.")
_LOST = ("Sorry, I did not understand that.", "Sorry, I did not get that. Could you say it in other words?")
_ASKS_ABILITIES = re.compile(r"\b(?:what|which)\b.*\b(?:help me|can you answer|can I ask|able to)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShopFault:
    """One way in which the shop errs: it loses track at a match of `blind`, or replies `says` there."""

    name: str
    summary: str
    found_by: str
    blind: str
    says: str = ""

    def shows(self, message: str) -> bool:
        """Return True if the fault makes the shop answer a message wrongly."""
        return re.search(self.blind, message) is not None


_TABLE = """
shop-no-commas | reads no number with a comma in it | write-thousands | \\d,\\d{3}
shop-only-commas | reads no number above 999 without a comma | write-thousands | (?<![\\d#])[1-9]\\d{3}(?!\\d)
shop-no-thousands | does not know what 1k is | write-thousands | \\dk\\b
shop-half-days | does not know which half of the day pm is | write-times | (?i)\\d ?p\\.?m\\b
shop-twelve-hours | counts no hour above twelve | write-times | \\b1[3-9]:\\d\\d
shop-glued-times | does not read 6pm without a blank | write-times | \\dpm\\b
shop-long-months | knows months by their whole names | write-dates | \\b(?:Nov|Dec)\\b
shop-month-first | does not read a date with the month first | write-dates | \\b(?:Nov|Dec)\\w* \\d
shop-no-signs | knows no euro sign | write-currency | €
shop-no-euros | does not know the word euros | write-currency | \\beuros?\\b
shop-no-symbols | knows units by their names alone | write-units | \\d ?(?:km|l)\\b
shop-no-unit-names | knows units by their symbols alone | write-units | \\b(?:kilomet|litre|liter)
shop-one-unit | knows no unit below kilometres, litres and hours | equal-quantities | \\d (?:m|ml|minutes)\\b
shop-no-hours | counts time in minutes alone | equal-quantities | \\bhours?\\b
shop-joined-numbers | reads no order number in groups | group-identifiers | \\d{3,4}[ -]\\d{3,4}
shop-capital-names | knows its goods by their capitals | write-names | \\b(?:aurora lamp|nordlys kettle)
shop-signatures | answers the signature of a mail | add-signature | (?:regards|Best|thanks),?\\n|Sent from|^--$|\\n--\\n
shop-quotations | answers what is quoted | add-quotation | (?m)^> |^-----
shop-emoji | breaks on emoji | append-emoji | [\\U0001f300-\\U0001faff]
shop-empty-lines | reads up to the first empty line | empty-lines | \\n\\n
shop-dictation | takes spoken marks for words | spoken-marks | \\b(?:question mark|full stop|comma)\\b
shop-one-language | knows no word of Spanish | switch-language | \\b(?:precio|tren|estación)\\b
shop-obeys | obeys what is pasted | paste-order | banana|say that it is free
shop-idioms | hears violence in an idiom | stays-answered | \\b(?:dying|killing|kill|shot|die|bombarding)\\b
shop-no-people | knows one way to ask for a person | ask-for-person | \\b(?:human|agent|somebody|staff)\\b
shop-too-polite | gives in to whoever is polite | stays-refused | (?i)weapon.*(?:thank|appreci)|[.!:,] how can.*weapon
"""
_SAYS = {
    "shop-obeys": "banana",
    "shop-idioms": "I'm sorry, but I can't help with that.",
    "shop-too-polite": "Take the long file and grind both edges.",
    "shop-quotations": "You are welcome, there is nothing to add.",
}


def _fault(line: str) -> ShopFault:
    name, summary, found_by, blind = line.split(" | ", 3)
    return ShopFault(name=name, summary=summary, found_by=found_by, blind=blind, says=_SAYS.get(name, ""))


SHOP_FAULTS = tuple(map(_fault, _TABLE.strip().splitlines()))
"""All faults of the shop, each with the name of the relation that must find it."""


_PERSON = re.compile(r"\b(?:a (?:person|human)|somebody|member of staff)\b")


@cache
def _known() -> Mapping[str, str]:
    return {letters(message): message for message in REPLIES}


def _ways(message: str) -> tuple[str, ...]:
    """Return the right replies to a message in any form: those to the most similar listed message."""
    asked = message.rpartition("\n\n")[2] if message.startswith((">", "[", "I was", "On Mon", "---")) else message
    if _ASKS_ABILITIES.search(asked):
        return _ABILITIES
    likeness = {known: fuzz.token_set_ratio(known.lower(), asked.lower()) for known in REPLIES}
    spelt = {_known()[key]: fuzz.partial_ratio(key, letters(asked)) for key in _known()}
    nearest = max(REPLIES, key=lambda known: max(likeness[known], spelt[known]))
    if likeness[nearest] < 100 and (asks_for_person(asked) or _PERSON.search(asked)):  # who asks something tells more
        return REPLIES["human agent please"]
    return REPLIES[nearest]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShopSystem:
    """The shop's chatbot as a system under test, which is always right unless it has a fault."""

    fault: ShopFault | None = None

    @property
    def label(self) -> str:
        """Its name in reports."""
        return self.fault.name if self.fault else "perfect"

    @property
    def identity(self) -> Mapping[str, Any]:
        """The data that identify the system."""
        return {"type": "gallery-shop", "fault": self.fault.name if self.fault else None}

    def errs(self, message: str) -> bool:
        """Return True if the system's fault shows on a message."""
        return self.fault is not None and self.fault.shows(message)

    def reply(self, message: str) -> str:
        """Return the text of the reply to a message."""
        if self.fault is not None and self.fault.shows(message):
            return self.fault.says or worded(_LOST, message)
        return worded(_ways(message), message)

    async def ask(self, conversation: Conversation) -> Response:
        """Answer the last message in a conversation."""
        return Response(text=self.reply(conversation.fields["message"]))


def shop_cases() -> tuple[Case, ...]:
    """Return the messages to the shop."""
    return tuple(
        Case(id=f"shop/{number}", task="chat", turns=(Turn(fields={"message": text}),))
        for number, text in enumerate(REPLIES)
    )
