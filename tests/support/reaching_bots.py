"""Two small chatbots with faults that can be switched on: what values, limits and conditions they go by is plain."""

from __future__ import annotations

import re
from collections.abc import Callable

from mutatis.text.values import Value, values

Bot = Callable[[str], str]

POOL_QUESTIONS = (
    "I am 70. Do I get the senior discount?",
    "My son is 18 months old. Can he join the baby class?",
    "Is the slide open to a 9-year-old?",
    "Which passes do you have?",
    "How much is the Day Pass?",
    "How much is the Month Pass?",
    "What does the Evening Pass cost?",
    "Can I book the Day Pass for 3 adults?",
    "Who gets a discount?",
    "I'm pregnant. Can I use the sauna?",
    "When do you open?",
)
PASSES = {"Day Pass": 12, "Evening Pass": 7, "Month Pass": 60}


def _ages(text: str) -> list[float]:
    return [value.size / 12 for value in values(text) if value.kind == "age"]


def _count(text: str) -> Value | None:
    return next((value for value in values(text) if value.measure == "count"), None)


def pool(fault: str = "") -> Bot:
    """Return the bot of a swimming pool, right but for one fault."""

    def bot(text: str) -> str:
        low, ages = text.lower(), _ages(text)
        if "discount" in low and ages:
            old = ages[0] > 65 if fault == "limit" else ages[0] >= 65
            return f"{'Yes, you get it' if old else 'No, sorry'}: the senior discount is for guests from 65 years on."
        if "discount" in low:
            return "The senior discount is for guests from 65 years on."
        if "baby class" in low and ages:
            months = ages[0] * 12
            if fault == "months" and re.search(r"\b1\.5\b|half", low):
                months = 1800
            return "Yes, he can join: the baby class is for up to 36 months." if months <= 36 else (
                "No, he is too old: the baby class is for up to 36 months."
            )
        if "slide" in low and ages:
            if ages[0] >= (9 if fault == "slide" else 8):
                return "Yes, the slide is for children aged 8 or older."
            return "No, the slide is for children aged 8 or older."
        if "sauna" in low:
            pregnant = "pregnant" in low and (fault == "not" or not re.search(r"\bnot\b|n't|no longer", low))
            return "No, please keep out of the sauna while you are pregnant." if pregnant else "Yes, the sauna is open to you."
        if "which passes" in low:
            return "We have the Day Pass, the Evening Pass and the Month Pass."
        named = [name for name in PASSES if name.lower() in low]
        number = _count(text)
        if named and number is not None:
            adults = 3 if fault == "three" else int(number.size)
            return f"Gladly: a {named[0]} for {adults} adults is {adults * PASSES[named[0]]} euros."
        if named:
            name = "Day Pass" if fault == "first-pass" and named[0] == "Evening Pass" else named[0]
            return f"The {name} costs {PASSES[name]} euros."
        if "open" in low:
            return "We are open every day from 9:00 to 21:00."
        return "Sorry, I did not understand that."

    return bot


PARCEL_QUESTIONS = (
    "My order is 40 EUR. What does delivery cost?",
    "When is delivery free?",
    "I use 3,500 sheets a year. Which plan is right for me?",
    "If I order at 13:00, is it sent today?",
    "My parcel weighs 3 kg. Do you take it?",
    "I want to collect it on 12 March 2027. Is that possible?",
    "Which plan is right for me if I want recycled paper?",
    "Which plan is best for an office with a printer?",
    "Do you deliver to places 15 km away?",
    "What do I pay for 3 boxes?",
)


def parcels(fault: str = "") -> Bot:
    """Return the bot of a stationer who delivers, right but for one fault."""

    def bot(text: str) -> str:  # noqa: PLR0911 - one reply for each matter
        low = text.lower()
        amounts = [value.size for value in values(text) if value.measure == "euro"]
        if "deliver" in low and amounts:
            free = amounts[0] > 35 if fault == "limit" else amounts[0] >= 35
            return "Delivery is free from 35 EUR." if free else "Delivery costs 4.90 EUR. It is free from 35 EUR."
        if "delivery free" in low:
            return "Delivery is free from 35 EUR."
        if "sheets" in low:
            number = next((value.size for value in values(text) if value.measure == "count"), 0.0)
            if fault == "thousands" and "," in text:
                number = 3.5
            return f"The {'Large' if number >= 2000 else 'Small'} plan is right for {number:,.0f} sheets a year."
        if "sent today" in low:
            time = next((value.size for value in values(text) if value.kind == "time"), 0.0)
            late = time > 13 * 60 + 30 if fault == "clock" else time > 14 * 60
            return f"{'No, tomorrow' if late else 'Yes'}: orders until 14:00 are sent the same day."
        if "parcel" in low:
            mass = next((value.size for value in values(text) if value.measure == "mass"), 0.0)
            if fault == "blank" and re.search(r"\dkg", low):
                return "Sorry, I did not understand that."
            return f"{'Yes' if mass <= 20 else 'No'}, we take parcels up to 20 kg."
        if "collect" in low:
            day = next((value for value in values(text) if value.measure == "date"), None)
            if day is None:
                return "Which day would you like?"
            month, number = (int(float(part)) for part in day.key[2:4])
            if fault == "iso" and re.search(r"\d{4}-", text):
                month, number = number, month
            return f"Yes, you can collect it on {number}.{month:02}.2027."
        if "plan" in low:
            recycled = "recycled" in low and (fault == "not" or not re.search(r"\bnot\b|n't|\bno\b|without", low))
            return "The Green plan has recycled paper only." if recycled else "The Basic plan is what most people choose."
        if "km" in low or "kilomet" in low:
            way = next((value.size for value in values(text) if value.measure == "length"), 0.0)
            return f"{'Yes' if way <= 20_000 else 'No'}, we deliver up to 20 km."
        if "boxes" in low:
            number = next((value.size for value in values(text) if value.measure == "count"), 0.0)
            number = 3 if fault == "three" else number
            return f"For {number:.0f} boxes you pay {number * 5:.0f} EUR."
        return "Sorry, I did not understand that."

    return bot
