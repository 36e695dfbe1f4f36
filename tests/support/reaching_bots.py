"""Two small chatbots with faults that can be switched on: by which values, limits and conditions they go is plain."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from mutatis.text.values import values

Bot = Callable[[str], str]
Reply = Callable[[str, str], str]
LOST = "Sorry, I did not understand that."

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
_DENIED = re.compile(r"\bnot\b|n't|\bno\b|without")


def _size(text: str, measure: str) -> float | None:
    return next((value.size for value in values(text) if value.measure == measure), None)


def _senior_discount(low: str, fault: str) -> str:
    months = _size(low, "age")
    rule = "the senior discount is for guests from 65 years on."
    if months is None:
        return rule.capitalize()
    old = months > 65 * 12 if fault == "limit" else months >= 65 * 12
    return f"{'Yes, you get it' if old else 'No, sorry'}: {rule}"


def _baby_class(low: str, fault: str) -> str:
    months = _size(low, "age") or 0.0
    if fault == "months" and "1.5" in low:
        months = 1800.0
    side = "Yes, he can join" if months <= 36 else "No, he is too old"
    return f"{side}: the baby class is for up to 36 months."


def _slide(low: str, fault: str) -> str:
    months = _size(low, "age") or 0.0
    side = "Yes" if months >= 12 * (9 if fault == "slide" else 8) else "No"
    return f"{side}, the slide is for children aged 8 or older."


def _sauna(low: str, fault: str) -> str:
    pregnant = "pregnant" in low and (fault == "not" or not _DENIED.search(low))
    return "No, please keep out of the sauna while pregnant." if pregnant else "Yes, the sauna is open to you."


def _passes(low: str, fault: str) -> str:
    low = re.sub(r"\bnot (?:asking about )?the \w+ pass", "", low)
    named = [name for name in PASSES if name.lower() in low]
    if not named:
        return "We have the Day Pass, the Evening Pass and the Month Pass."
    name = named[0]
    adults = _size(low, "count")
    if adults is None:
        return f"The {name} costs {PASSES[name]} euros."
    adults = 3 if fault == "three" else 1 if fault == "words" and re.search("eight|eleven", low) else adults
    return f"Gladly: a {name} for {adults:.0f} adults is {adults * PASSES[name]:.0f} euros."


def _delivery(low: str, fault: str) -> str:
    amount = _size(low, "euro")
    if amount is None or (amount > 35 if fault == "limit" else amount >= 35):
        return "Delivery is free from 35 EUR."
    return "Delivery costs 4.90 EUR. It is free from 35 EUR."


def _sheets(low: str, fault: str) -> str:
    number = 3.5 if fault == "thousands" and "," in low else _size(low, "count") or 0.0
    return f"The {'Large' if number >= 2000 else 'Small'} plan is right for {number:,.0f} sheets a year."


def _sent_today(low: str, fault: str) -> str:
    time = _size(low, "time of day") or 0.0
    late = time > 13 * 60 + 30 if fault == "clock" else time > 14 * 60
    return f"{'No, tomorrow' if late else 'Yes'}: orders until 14:00 are sent the same day."


def _parcel(low: str, fault: str) -> str:
    if (fault == "blank" and re.search(r"\dkg", low)) or (fault == "pounds" and "lb" in low):
        return LOST
    if fault == "comma" and re.search(r"\d,\d kg", low):
        return "No, we take parcels up to 20 kg."
    return f"{'Yes' if (_size(low, 'mass') or 0.0) <= 20 else 'No'}, we take parcels up to 20 kg."


def _collection(low: str, fault: str) -> str:
    day = next((value for value in values(low) if value.measure == "date"), None)
    if day is None:
        return "Which day would you like?"
    _, month, number = day.date
    if fault == "iso" and re.search(r"\d{4}-", low):
        month, number = number, month
    return f"Yes, you can collect it on {number}.{month:02}.2027."


def _plans(low: str, fault: str) -> str:
    recycled = "recycled" in low and (fault == "not" or not _DENIED.search(low))
    return "The Green plan has recycled paper only." if recycled else "The Basic plan is what most people choose."


def _distance(low: str, fault: str) -> str:
    return f"{'Yes' if (_size(low, 'length') or 0.0) <= 20_000 else 'No'}, we deliver up to 20 km."


def _boxes(low: str, fault: str) -> str:
    number = 3 if fault == "three" else _size(low, "count") or 0.0
    return f"For {number:.0f} boxes you pay {number * 5:.0f} EUR."


POOL: Mapping[str, Reply] = {
    "discount": _senior_discount,
    "baby class": _baby_class,
    "slide": _slide,
    "sauna": _sauna,
    r"\bpass": _passes,
    "open": lambda low, fault: "We are open every day from 9:00 to 21:00.",
}
PARCELS: Mapping[str, Reply] = {
    r"\bkm\b|\dkm\b|kilomet": _distance,
    "deliver": _delivery,
    "sheets": _sheets,
    "sent today": _sent_today,
    "parcel": _parcel,
    "collect": _collection,
    "plan": _plans,
    "boxes": _boxes,
}


_COMPARED = re.compile(
    r"\b(?P<how>more than|over|less than|fewer than|under) (?P<figures>\d+(?:\.\d+)?)(?= ?[a-zA-Z]|[.,?])"
)


def _beyond(text: str) -> str:
    """Return a message with the next number in place of a comparison: 11 km for "more than 10 km"."""

    def exchanged(match: re.Match[str]) -> str:
        more = match["how"] in ("more than", "over")
        step = 0.1 if "." in match["figures"] else 1
        return f"{float(match['figures']) + (step if more else -step):g}"

    return _COMPARED.sub(exchanged, text)


def _bot(matters: Mapping[str, Reply], fault: str) -> Bot:
    def reply(text: str) -> str:
        text = text if fault == "comparison" else _beyond(text)
        low = text.lower()
        return next((says(low, fault) for words, says in matters.items() if re.search(words, low)), LOST)

    return reply


def pool(fault: str = "") -> Bot:
    """Return the bot of a swimming pool, right but for one fault."""
    return _bot(POOL, fault)


def parcels(fault: str = "") -> Bot:
    """Return the bot of a stationer who delivers, right but for one fault."""
    return _bot(PARCELS, fault)


CAMP_QUESTIONS = (
    "How long is the bus trip to Norwich?",
    "How much is a place for a car?",
    "What do you charge for tents?",
    "Is the pool open on Sunday?",
    "How much is the Lake Cabin?",
    "Do you have the Forest Lodge?",
    "When does the shuttle leave?",
)
_TRIPS = {"Norwich": 40, "Ely": 95}
_PRICES = {"car": 6, "caravan": 14, "tent": 9}
_HUTS = {"Lake Cabin": 90, "Forest Lodge": 120}
_OPENS = {"Saturday": "8:00", "Sunday": "10:00", "Monday": "7:00", "Friday": "11:00"}
_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september", "october"),
    *("november", "december"),
)


def _trip(text: str, fault: str) -> str:
    place = text.rpartition(" to ")[2].rstrip("?")
    if fault == "nearest":
        place = next((known for known in _TRIPS if known[:3] == place[:3]), place)
    return f"The bus trip to {place} takes {_TRIPS[place]} minutes." if place in _TRIPS else "There is no such bus."


def _vehicle(text: str, fault: str) -> str:
    known = next((name for name in _PRICES if re.search(name if fault == "part" else rf"\b{name}s?\b", text)), None)
    return f"A {known} costs {_PRICES[known]} EUR a night." if known else "That we do not take."


def _pool(text: str, fault: str) -> str:
    low = text.lower()
    if figures := re.search(r"(\d+)/(\d+)", low):
        first, second = map(int, figures.groups())
        day, month = (second, first) if fault == "months" and first <= 12 else (first, second)
        return f"On {day} {_MONTHS[month - 1].title()} the pool is open from 9:00 to 18:00."
    if named := re.search(r"(\d+) ([A-Z][a-z]+)", text):
        return f"On {named.group()} the pool is open from 9:00 to 18:00."
    time = next((value.size for value in values(low) if value.measure == "time of day"), None)
    if time is None:
        ruled_out = r"\b[Nn]ot (?:asking about )?(?:on )?([A-Z][a-z]+day)"
        wrong = re.findall(ruled_out, text) if fault == "not" else []
        days = wrong or re.findall(r"[A-Z][a-z]+day", re.sub(ruled_out, "", text)) or ["Sunday"]
        return f"On {days[0]} the pool is open from {_OPENS.get(days[0], '9:00')} to 18:00."
    if fault == "pm" and re.search(r"pm|afternoon", low):
        time -= 720
    return "Yes, it is open then." if 540 <= time < 1080 else "No, it is closed then."


def _hut(text: str, fault: str) -> str:
    known = next((name for name in _HUTS if re.search(rf"{name}(?! II)", text)), None)
    if known is None and fault == "title":
        known = next((name for name in _HUTS if any(word in text for word in name.split())), None)
    return f"The {known} costs {_HUTS[known]} EUR." if known else "There is no such hut."


def _shuttle(text: str, fault: str) -> str:
    from_when = next((value.size for value in values(text) if value.kind == "time"), 0.0)
    if fault == "pm" and "pm" in text:
        from_when -= 720
    left = [time for time in (480, 720, 960, 1200) if time >= from_when]
    return f"The shuttle leaves at {', '.join(f'{time // 60}:00' for time in left)}."


CAMP: Mapping[str, Reply] = {
    "trip": _trip,
    "pool": _pool,
    "cabin|lodge|lake|forest": _hut,
    "shuttle": _shuttle,
    "place for|charge": _vehicle,
}


def camp(fault: str = "") -> Bot:
    """Return the campsite's bot: names, places, days and times."""

    def bot(text: str) -> str:
        for pattern, reply in CAMP.items():
            if re.search(pattern, text.lower()):
                return reply(text, fault)
        return LOST

    return bot
