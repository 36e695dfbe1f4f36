"""A small chatbot of a hostel, right but for the faults that are switched on. Each message is read alone."""

from __future__ import annotations

import re
from collections.abc import Collection

HOSTEL_QUESTIONS = (
    "How much is the Loft?",
    "How much is the Nest?",
    "How much is the Attic?",
    "Which rooms are there?",
    "How much is a double room?",
    "Can I have a double room with a balcony?",
    "What does a tour of the town cost?",
    "When does the kitchen open on Saturday?",
    "When does the kitchen open on Monday?",
    "Can I bring my cat?",
    "Do you have a sauna?",
    "Is the Loft available?",
)
FAULTS = (
    *("third dropped", "negation ignored", "claim accepted"),
    *("day guessed", "nearest room", "gives in"),
)
_ROOMS = {"loft": ("Loft", 40), "nest": ("Nest", 30), "attic": ("Attic", 25)}
_EXTRAS = {"breakfast": 8, "balcony": 10, "sea view": 15, "parking": 5, "cot": 3}
_DAYS = {
    "monday": ("mondey", "monady", "modnay"), "tuesday": ("tusday", "teusday", "tuseday"),
    "wednesday": ("wensday", "wednsday", "wendesday"), "thursday": ("thurday", "thrusday", "thursady"),
    "friday": ("firday", "fridey", "firady"), "saturday": ("saterday", "satuday", "saturady"),
    "sunday": ("sunady", "sundey", "sudnay"),
}  # fmt: skip
_OPENS = dict(zip(_DAYS, (6, 7, 8, 9, 10, 11, 12), strict=True))
_LOST = "Sorry, I did not understand that."


def hostel(text: str, faults: Collection[str] = ()) -> str:
    """Answer a message, part by part."""
    parts = [part for part in re.split(r"(?<=[.?!])\s+(?:And\s+)?", text) if part and not part.startswith("I mean")]
    parts = [re.sub(r", not (?:the )?\w+", "", part) for part in parts]
    claimed = re.search(r"it's (?P<value>\d+ euros|\d+:00)", text)
    if claimed and "claim accepted" in faults:
        return f"Yes, it is {claimed['value']}."
    denied = re.search(r"\b(?:not|no longer) a student", text) and "negation ignored" not in faults
    student = "student" in text and not denied
    asked = [part for part in parts if part.endswith("?")]
    if not asked:
        told_it_is_fine = re.search(r"\b(?:fine|no problem|all right)\b", text)
        return "Yes, then it is fine." if told_it_is_fine and "gives in" in faults else _LOST
    asked = asked[:2] if "third dropped" in faults else asked
    return " ".join(dict.fromkeys(_reply(part, student, faults) for part in asked))


def _reply(text: str, student: bool, faults: Collection[str]) -> str:
    low = text.lower()
    rooms = [place[1] for place in sorted((low.index(key), room) for key, room in _ROOMS.items() if key in low)]
    if "cat" in re.findall(r"\w+", low):
        return "No, animals are not allowed."
    days = _days(low, faults)
    if days:
        return " ".join(f"On {day.title()} the kitchen opens at {_OPENS[day]}:00." for day in days[: _most(faults)])
    if "tour" in low:
        return f"The tour costs {6 if student else 9} euros." if student else "The tour costs 9 euros, 6 for students."
    if "double" in low:
        return _double(low)
    if rooms:
        return " ".join(f"The {name} costs {price} euros." for name, price in rooms[: _most(faults)])
    return _other(low, faults)


def _other(low: str, faults: Collection[str]) -> str:
    if "which rooms" in low:
        return "We have the Loft, the Nest and the Attic."
    if low.startswith(("how much is the ", "is the ")) and "nearest room" in faults:
        return "The Loft costs 40 euros."
    if low.startswith("do you have"):
        return "No, sorry."
    return _LOST


def _most(faults: Collection[str]) -> int:
    return 2 if "third dropped" in faults else 9


def _days(low: str, faults: Collection[str]) -> list[str]:
    words = re.findall(r"[a-z]+", low)
    named = [day for word in words for day, ways in _DAYS.items() if word == day or word in ways]
    mistyped = any(word in ways for word in words for ways in _DAYS.values())
    return ["monday"] if mistyped and "day guessed" in faults else named


def _double(low: str) -> str:
    wanted = sorted((low.index(extra), extra) for extra in _EXTRAS if extra in low)
    left_out = {extra for extra in _EXTRAS if re.search(rf"without (?:an? )?{extra}", low)}
    extras = [extra for _, extra in wanted if extra not in left_out]
    return f"The double room costs {50 + sum(_EXTRAS[extra] for extra in extras)} euros."
