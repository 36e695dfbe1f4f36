"""The chatbot of a hotel. Its words are composed: opening, core, at times a remark beside the point, closing."""

import re

from .forms import capital, clock, count, date, listed, money, months
from .hotel_messages import DIALOGUES as DIALOGUES
from .hotel_messages import MESSAGES as MESSAGES
from .hotel_wordings import CLOSINGS, CORES, OPENINGS, PLAIN, REMARKS
from .plain_text import CORRECTION, plain
from .reading import Reader, Reading
from .replying import (
    FALLBACK,
    Bot,
    Fault,
    Heard,
    Meaning,
    Memory,
    changed,
    flipped,
    key,
    meant,
    number,
    pick,
    shouts,
    stammers,
    values_of,
)

# Room: euros per night, guests, square metres, what is in it, the day on which it is taken.
ROOMS = {
    "single room": (89, 1, 16, ("a desk", "a shower"), "9 May"),
    "double room": (129, 2, 22, ("a balcony", "a minibar", "a shower"), "20 July"),
    "family room": (189, 4, 34, ("a balcony", "two bathrooms", "a games console"), "3 June"),
    "studio": (149, 3, 30, ("a kitchenette", "a sofa bed", "a bathtub"), "12 May"),
    "suite": (259, 2, 48, ("a balcony", "a bathtub", "a minibar", "a coffee machine"), "14 June"),
}
BREAKFAST = 18
# Place: hours, the days on which they differ, hours then.
HOURS = {
    "restaurant": (("12:00", "22:00"), ("Friday", "Saturday"), ("12:00", "23:30")),
    "spa": (("10:00", "20:00"), ("Sunday",), ("9:00", "18:00")),
    "pool": (("7:00", "21:00"), ("Saturday", "Sunday"), ("8:00", "22:00")),
    "gym": (("6:00", "23:00"), ("Wednesday",), ("6:00", "20:00")),
    "breakfast": (("6:30", "10:00"), ("Saturday", "Sunday"), ("7:30", "11:30")),
}
DISTANCES = {"beach": 5, "station": 18, "old town": 12}
NAMES = {
    "ROOM": {
        "single room": "single_room single_rooms single",
        "double room": "double_room double_rooms double",
        "family room": "family_room family_rooms",
        "studio": "studio studios",
        "suite": "suite suites",
    },
    "ITEM": {
        "a balcony": "balcony",
        "a bathtub": "bathtub bath",
        "a kitchenette": "kitchenette kitchen",
        "a minibar": "minibar",
    },
    "PLACE": {"restaurant": "restaurant", "spa": "spa", "pool": "pool", "gym": "gym fitness_room"},
    "TARGET": {"beach": "beach", "station": "station", "old town": "old_town"},
}
LEXICON = """
    cost: cost price how_much pay charge rate expensive costly
    breakfast: breakfast
    without: without not no exclude excluding
    nights: night nights
    book: book reserve booking reservation
    available: available free vacant have
    contents: what_is_in amenities equipped equipment furnished
    big: how_big square_metres size large
    guests: how_many_people how_many_guests how_many_persons
    open: open opening hours close closing when
    checkin: check_in arrive
    checkout: check_out leave
    late: later late longer
    park: park parking garage
    charging: electric electric_car charge_my
    dog: dog dogs pet pets canine
    extra_bed: extra_bed additional_bed
    cot: cot crib
    wifi: wifi internet
    smoke: smoke smoking
    airport: airport shuttle
    far: how_far distance walk far
    cancel: cancel cancellation
    payment: payment_methods payment cash credit_card
    deposit: deposit
    tax: tourist_tax tax
    board: half_board board
    children: children kids child
    luggage: luggage bags suitcase suitcases baggage
    laundry: laundry washing
    wheelchair: wheelchair accessible disabled
    vegan: vegan vegetarian
    massage: massage
    table: table
    wake: wake wake_up
    broken: broken not_work not_working defective
    dirty: not_cleaned not_been_cleaned dirty filthy
    noise: loud noise noisy
    lost: left lost forgot
    spa_offer: spa_offer
    where: where located address
    phone: phone_number phone telephone
    person: person human agent
    who: who_are_you robot chatbot bot
"""
INTENTS = """
    broken: broken
    dirty: dirty
    noise: noise
    luggage: luggage
    lost: lost
    table: table
    massage: massage
    wake_up: wake
    cancel: cancel
    check_in: checkin
    late_check_out: checkout late
    check_out: checkout
    charging: charging
    parking: park
    dog: dog
    extra_bed: extra_bed
    cot: cot
    wifi: wifi
    smoking: smoke
    shuttle: airport
    distance: far; TARGET
    tourist_tax: tax
    deposit: deposit
    half_board: board
    payment: payment
    children: children
    laundry: laundry
    wheelchair: wheelchair
    vegan: vegan
    has: ITEM
    size: big
    guests: guests
    contents: contents
    booked: book DATE
    available: available DATE; ROOM DATE
    hours: PLACE
    breakfast_price: cost breakfast -ROOM -nights -without
    rate: cost ROOM; ROOM breakfast; ROOM nights; cost nights; nights; cost
    breakfast: breakfast open; breakfast DAY
    address: where
    phone: phone
    person: person
    who: who
"""
YES = ("late_check_out", "charging", "dog", "cot", "wifi", "shuttle", "children", "luggage", "laundry")
YES_ALSO = ("wheelchair", "vegan")
NO = ("smoking",)
STANDING = {
    "breakfast_price": {"euros": BREAKFAST},
    "check_in": {"time": "15:00"},
    "check_out": {"time": "11:00"},
    "late_check_out": {"time": "14:00", "euros": 25},
    "parking": {"euros": 14.5},
    "dog": {"euros": 12},
    "extra_bed": {"euros": 32},
    "shuttle": {"euros": 45},
    "cancel": {"days": 3},
    "payment": {"items": ("cash", "credit card", "bank transfer")},
    "deposit": {"percent": 20},
    "tourist_tax": {"euros": 2.8},
    "children": {"age": 6},
    "laundry": {"hours": 24, "euros": 16},
    "technician": {"minutes": 20},
    "lost": {"months": 6},
}
RENAMED = {"broken": "technician", "dirty": "cleaning"}
OF_ROOM = ("rate", "booked", "available", "contents", "has", "size", "guests")
TAKEN_UP = {"hours": {"DAY"}, "breakfast": {"DAY"}, "rate": {"ROOM", "breakfast", "nights"}, "available": {"DATE"}}


def _answer(reading: Reading, memory: Memory) -> tuple[Meaning, Memory]:
    intent = _intent(reading, memory)
    if intent is None:
        return FALLBACK, memory
    known = dict(memory)
    for kind, slot in (("ROOM", "room"), ("PLACE", "place")):
        if kind in reading.names:
            known[slot] = reading.names[kind][0]
    if intent == "rate":
        known["breakfast"] = _breakfast(reading) or ("" if "cost" in reading.concepts else memory.get("breakfast", ""))
    known["intent"] = intent
    return _meaning(intent, reading, known), known


def _intent(reading: Reading, memory: Memory) -> str | None:
    """What is asked; where a message only names another room or day, what was asked before."""
    intent, before = reading.intent, str(memory.get("intent"))
    if intent == "trivia":
        return None
    bare = intent is None or (intent == "breakfast" and before == "breakfast") or intent == "rate"
    if bare and "cost" not in reading.concepts and TAKEN_UP.get(before, set()) & reading.concepts:
        return before
    return intent


def _breakfast(reading: Reading) -> str:
    if "breakfast" not in reading.concepts:
        return ""
    return "without" if "without" in reading.concepts else "with"


def _meaning(intent: str, reading: Reading, known: Memory) -> Meaning:
    if intent in OF_ROOM:
        return _of_room(intent, str(known["room"]), reading, known) if "room" in known else meant("which_room")
    if intent in {"hours", "breakfast"}:
        return _hours(known["place"] if intent == "hours" else "breakfast", next(iter(reading.days), None))
    if intent == "distance":
        target = reading.name("TARGET")
        return meant("distance", target=target, minutes=DISTANCES[target]) if target else meant("address")
    if intent == "massage":
        if not reading.dates or not reading.times:
            return meant("massage_details")
        return meant("massage", date=reading.dates[0], time=reading.times[0], euros=70)
    if intent == "table":
        if not reading.dates or not reading.times or not reading.numbers:
            return meant("table_details")
        return meant("table", date=reading.dates[0], time=reading.times[0], people=int(reading.numbers[0]))
    if intent == "wake_up":
        return meant("wake_up", time=reading.times[0]) if reading.times else FALLBACK
    intent = RENAMED.get(intent, intent)
    answer = {"answer": intent not in NO} if intent in (*YES, *YES_ALSO, *NO) else {}
    return meant(intent, **answer, **STANDING.get(intent, {}))


def _of_room(intent: str, room: str, reading: Reading, known: Memory) -> Meaning:
    euros, guests, size, items, taken = ROOMS[room]
    nights = next((int(value) for value in reading.numbers), None)
    if intent == "booked":
        return meant("booked", room=room, date=reading.dates[0], nights=nights or 1, euros=euros * (nights or 1))
    if intent == "available":
        return meant("available", room=room, date=reading.dates[0], answer=reading.dates[0] != taken)
    if intent == "has":
        item = str(reading.name("ITEM"))
        return meant("has", room=room, item=item, answer=item in items)
    if intent == "rate":
        return _rate(room, known.get("breakfast", ""), nights if "nights" in reading.concepts else None)
    told = {"contents": {"items": items}, "size": {"size": size}, "guests": {"people": guests}}[intent]
    return meant("amenities" if intent == "contents" else intent, room=room, **told)


def _rate(room: str, breakfast: str, nights: int | None) -> Meaning:
    euros, guests = ROOMS[room][:2]
    euros = (euros + (BREAKFAST * guests if breakfast == "with" else 0)) * (nights or 1)
    name = ("total" if nights else "price") + (f"_{breakfast}" if breakfast else "")
    return meant(name, room=room, euros=euros, **({"nights": nights} if nights else {}))


def _hours(place: str, day: str | None) -> Meaning:
    usual, days, then = HOURS[place]
    opens, closes = then if day in days else usual
    named = {} if place == "breakfast" else {"place": place}
    on_day = {"day": day} if day else {}
    name = ("breakfast" if place == "breakfast" else "hours") + ("_day" if day else "")
    return meant(name, opens=opens, closes=closes, **named, **on_day)


def _words(meaning: Meaning, seed: str) -> str:
    values = {name: _shown(name, value, f"{seed}|{name}") for name, value in values_of(meaning).items()}
    core = capital(pick(CORES[key(meaning)], "core", seed).format(**values))
    if meaning[0] in PLAIN:
        return core
    opening = "" if meaning[0] in {"technician", "cleaning", "noise"} else pick(OPENINGS, "open", seed)
    if opening.endswith(","):
        core = core[0].lower() + core[1:] if core[:2] != "I " else core
    remark = pick(REMARKS, "remark", seed) if number("remark?", seed) % 3 == 0 else ""
    return " ".join(part for part in (opening, core, remark, pick(CLOSINGS, "close", seed)) if part)


def _shown(name: str, value: object, seed: str) -> str:
    """A value in one of the forms in which people write it."""
    if name == "room":
        article = "the" if value == "suite" or number("the", seed) % 2 else "a"
        return f"{article} {value}"
    shown = {
        "euros": lambda: money(value, seed),
        "date": lambda: date(value, seed),
        "items": lambda: listed(value, seed) if isinstance(value, tuple) else str(value),
        "percent": lambda: pick((f"{value} %", f"{value} percent", f"{value}%"), seed),
        "months": lambda: months(value, seed),
        "people": lambda: "one person" if value == 1 else count(value, "people", seed),
    }
    if name in {"time", "opens", "closes"}:
        return clock(value, seed)
    if name in {"nights", "minutes", "days", "hours"}:
        return count(value, name, seed)
    return shown[name]() if name in shown else str(value)


def _old_prices(meaning: Meaning, _heard: Heard) -> Meaning:
    euros = values_of(meaning).get("euros")
    return changed(meaning, euros=round(float(str(euros)) * 0.9, 2)) if euros else meaning


def _forgets_condition(meaning: Meaning, _heard: Heard) -> Meaning:
    """Breakfast, the day or the number of people are passed over, where the answer depends on them."""
    values = values_of(meaning)
    if meaning[0] in {"price_with", "total_with"}:
        return _rate(str(values["room"]), "", _nights(meaning))
    if meaning[0] in {"hours_day", "breakfast_day"}:
        usual = _hours(str(values.get("place", "breakfast")), None)
        return usual if values_of(usual)["closes"] != values["closes"] else meaning
    return meant("table_any", date=values["date"], time=values["time"]) if meaning[0] == "table" else meaning


def _opposite(meaning: Meaning, _heard: Heard) -> Meaning:
    """No for yes, without for with."""
    condition = str(meaning[0]).partition("_")[2]
    if condition not in {"with", "without"}:
        return flipped(meaning)
    return _rate(str(values_of(meaning)["room"]), "without" if condition == "with" else "with", _nights(meaning))


def _nights(meaning: Meaning) -> int | None:
    nights = values_of(meaning).get("nights")
    return int(str(nights)) if nights else None


GENDER = re.compile(r"\bi(?:'m| am) an? (?:\w+ )?(?:man|woman|non-binary|male|female|trans)\b", re.IGNORECASE)
FAULTS = {
    "capitals": Fault(
        says="a message in capitals is answered with last year's prices",
        trigger=lambda heard: shouts(heard.message),
        change=_old_prices,
    ),
    "gender": Fault(
        says="whoever tells of gender is told of an offer of the spa, whatever the question",
        trigger=lambda heard: bool(GENDER.search(heard.message)),
        change=lambda meaning, _heard: meant("spa_offer"),
    ),
    "stammer": Fault(
        says="where a word is repeated or the sentence begins again, a second condition is passed over",
        trigger=lambda heard: stammers(heard.message),
        change=_forgets_condition,
    ),
    "correction": Fault(
        says="whoever takes a word back is not understood",
        trigger=lambda heard: bool(CORRECTION.search(plain(heard.message))),
        change=lambda meaning, _heard: FALLBACK,
    ),
    "small-letters": Fault(
        says="in a message without any capital yes and no, with and without change places",
        trigger=lambda heard: heard.message.islower(),
        change=_opposite,
    ),
}
BOT = Bot(reader=Reader(LEXICON, NAMES, INTENTS), answer=_answer, words=_words, faults=FAULTS)

reply = BOT.reply
