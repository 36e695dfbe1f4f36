"""The chatbot of a car hire: cars, extras, branches and packages, in a language model's words.

The wordings lie in `carhire_wordings.py`, all written by hand.
"""

from collections.abc import Callable, Mapping

from .carhire_facts import BRANCHES, CARS, COVERS, EXTRAS, NAMES, NO, STANDING, YES
from .carhire_lexicon import INTENTS, LEXICON
from .carhire_messages import DIALOGUES as DIALOGUES
from .carhire_messages import MESSAGES as MESSAGES
from .carhire_wordings import WORDINGS
from .forms import capital, clock, count, date, enumerated, listed, money, months
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
    hesitates,
    key,
    meant,
    pick,
    stammers,
    values_of,
    written_again,
)

OF_CAR = ("price", "price_weekend", "price_week", "deposit", "excess", "seats", "luggage", "min_age", "fuel")
OF_CAR += ("automatic", "abroad", "towbar", "car_has", "equipment")
OF_EXTRA = ("extra_price", "extra_lost", "extra_online", "extra_notice")
OF_BRANCH = ("branch_hours", "branch_sunday", "branch_where", "branch_shuttle", "has", "facilities", "late_return")
OF_COVER = ("cover_price", "cover_excess", "cover_parts", "theft")
KINDS = {"CAR": OF_CAR, "EXTRA": OF_EXTRA, "BRANCH": OF_BRANCH, "COVER": OF_COVER}
THINGS: Mapping[str, Mapping[str, tuple]] = {"CAR": CARS, "EXTRA": EXTRAS, "BRANCH": BRANCHES, "COVER": COVERS}
RENAMED = {"dirty": "cleaning"}


def _answer(reading: Reading, memory: Memory) -> tuple[Meaning, Memory]:
    intent = _intent(reading, memory)
    if intent is None:
        return FALLBACK, memory
    known = dict(memory)
    for kind in (*KINDS, "ITEM", "PART"):
        if kind in reading.names:
            known[kind] = reading.names[kind][0]
    known["intent"] = intent
    return _meaning(intent, reading, known), known


def _intent(reading: Reading, memory: Memory) -> str | None:
    """What is asked; where a message only names another car, extra, branch or package, what was asked before."""
    intent, before = reading.intent, memory.get("intent", "")
    if intent == "trivia":
        return None
    if intent == "item":
        return "has" if "BRANCH" in memory else None
    if intent == "part":
        return "car_has" if "CAR" in memory else None
    if intent == "branch_sunday" and "Sunday" not in reading.days:
        return "branch_hours"
    for kind, intents in KINDS.items():
        if intent == kind.lower():
            return before if before in intents else intents[0]
    return RENAMED.get(str(intent), intent)


def _meaning(intent: str, reading: Reading, known: Memory) -> Meaning:
    for kind, intents in KINDS.items():
        if intent in intents:
            name = known.get(kind)
            return _of(intent, name, known) if name else meant(f"which_{kind.lower()}")
    if intent == "booking":
        if not reading.dates or not reading.times:
            return meant("booking_details")
        return meant("booking", date=reading.dates[0], time=reading.times[0])
    return _rule(intent)


def _rule(intent: str) -> Meaning:
    """What the terms say, whichever car it is."""
    answer = {"answer": intent in YES} if intent in YES + NO else {}
    return meant(intent, **answer, **STANDING.get(intent, {}))


def _of(intent: str, name: str, known: Memory) -> Meaning:
    """What is to be said of a car, an extra, a branch or a package."""
    kind = next(kind for kind, intents in KINDS.items() if intent in intents)
    if intent == "branch_sunday" and BRANCHES[name][2] is None:
        return meant("closed_sunday", branch=name)
    told: Mapping[str, Callable[[], dict[str, object]]] = {
        "CAR": lambda: _of_car(intent, name, known.get("PART", "")),
        "EXTRA": lambda: _of_extra(intent, name),
        "BRANCH": lambda: _of_branch(intent, name, known.get("ITEM", "")),
        "COVER": lambda: _of_cover(intent, name),
    }
    return meant(intent, **{kind.lower(): name}, **told[kind]())


def _of_car(intent: str, name: str, part: str) -> dict[str, object]:
    day, weekend, week, deposit, excess, seats, luggage, age, fuel, automatic, abroad, tow, parts = CARS[name]
    told: dict[str, dict[str, object]] = {
        "price": {"euros": day},
        "price_weekend": {"euros": weekend},
        "price_week": {"euros": week},
        "deposit": {"euros": deposit},
        "excess": {"euros": excess},
        "seats": {"seats": seats},
        "luggage": {"suitcases": luggage},
        "min_age": {"age": age},
        "fuel": {"fuel": fuel},
        "automatic": {"answer": bool(automatic)},
        "abroad": {"answer": bool(abroad)},
        "towbar": {"answer": bool(tow)},
        "car_has": {"part": part, "answer": part in parts},
        "equipment": {"items": parts},
    }
    return told[intent]


def _of_extra(intent: str, name: str) -> dict[str, object]:
    day, fee, days, online = EXTRAS[name]
    told: dict[str, dict[str, object]] = {
        "extra_price": {"euros": day},
        "extra_lost": {"fee": fee},
        "extra_notice": {"days": days},
        "extra_online": {"answer": online},
    }
    return told[intent]


def _of_branch(intent: str, name: str, item: str) -> dict[str, object]:
    opens, closes, sunday, street, minutes, items, late = BRANCHES[name]
    told: dict[str, dict[str, object]] = {
        "branch_hours": {"opens": opens, "closes": closes},
        "branch_sunday": dict(zip(("opens", "closes"), sunday or (), strict=False)),
        "branch_where": {"street": street},
        "branch_shuttle": {"minutes": minutes},
        "has": {"item": item, "answer": item in items},
        "facilities": {"items": items},
        "late_return": {"answer": bool(late)},
    }
    return told[intent]


def _of_cover(intent: str, name: str) -> dict[str, object]:
    day, excess, parts = COVERS[name]
    told: dict[str, dict[str, object]] = {
        "cover_price": {"euros": day},
        "cover_excess": {"euros": excess},
        "cover_parts": {"items": parts},
        "theft": {"answer": "theft" in parts},
    }
    return told[intent]


def _words(meaning: Meaning, seed: str) -> str:
    values = {name: _shown(name, value, f"{seed}|{name}") for name, value in values_of(meaning).items()}
    return capital(pick(WORDINGS[key(meaning)], "carhire", seed).format(**values))


def _shown(name: str, value: object, seed: str) -> str:
    """A value in one of the forms in which people write it."""
    if name in {"time", "opens", "closes"}:
        return clock(value, seed)
    if name in {"minutes", "days", "weeks", "hours", "seats", "suitcases", "kilometres"}:
        return count(value, name, seed)
    if isinstance(value, tuple):
        if name == "steps":
            return enumerated(value)
        joined = listed(value, seed)
        return joined.replace(" and ", " or ") if name == "methods" else joined
    shown = {
        "euros": lambda: money(value, seed),
        "fee": lambda: money(value, seed),
        "date": lambda: date(value, seed),
        "months": lambda: months(value, seed),
        "percent": lambda: pick((f"{value}%", f"{value} percent", f"{value} %"), seed),
    }
    return shown[name]() if name in shown else str(value)


def _high_season(meaning: Meaning, _heard: Heard) -> Meaning:
    """The prices, discounts and opening times of the high season, and dates a few days off."""
    values = values_of(meaning)
    other: dict[str, object] = {
        name: round(float(str(values[name])) * 1.2, 2) for name in ("euros", "fee") if name in values
    }
    if "percent" in values:
        other["percent"] = int(str(values["percent"])) - 5
    if "opens" in values:
        hour, minute = str(values["opens"]).split(":")
        other["opens"] = f"{int(hour) - 1}:{minute}"
    if "date" in values:
        day, month = str(values["date"]).split()
        other["date"] = f"{int(day) - 6 if int(day) > 20 else int(day) + 5} {month}"
    return changed(meaning, **other)


# What is answered instead by a bot that loses the thread: another question about the same thing.
BESIDE = {
    **{"price": "deposit", "price_weekend": "price_week", "price_week": "deposit", "deposit": "excess"},
    **{"excess": "price", "seats": "luggage", "luggage": "seats", "min_age": "price", "fuel": "automatic"},
    **{"automatic": "fuel", "abroad": "min_age", "towbar": "luggage", "equipment": "seats", "car_has": "equipment"},
    **{"extra_price": "extra_lost", "extra_lost": "extra_price", "extra_online": "extra_price"},
    **{"extra_notice": "extra_online", "branch_hours": "branch_where", "branch_where": "branch_hours"},
    **{"branch_sunday": "branch_where", "closed_sunday": "branch_where", "branch_shuttle": "branch_where"},
    **{"has": "facilities", "facilities": "branch_hours", "late_return": "branch_hours"},
    **{"cover_price": "cover_parts", "cover_excess": "cover_price", "cover_parts": "cover_price"},
    **{"theft": "cover_excess", "cancel": "change", "change": "cancel", "late": "extend", "extend": "late"},
    **{"breakdown": "accident", "accident": "breakdown", "bring": "pay", "pay": "bring", "cash": "pay"},
    **{"refuel": "mileage", "mileage": "refuel", "lost_key": "lost_property", "lost_property": "lost_key"},
    **{"hours": "address", "address": "hours", "deposit_back": "invoice", "discount": "offer", "offer": "discount"},
    **{"second_driver": "young", "young": "second_driver", "one_way": "delivery", "delivery": "one_way"},
    **{"debit_card": "pay", "flight": "late", "foreign_licence": "licence_held", "licence_held": "foreign_licence"},
    **{"smoking": "cleaning", "pets": "cleaning", "learner": "young", "fine": "toll", "toll": "fine"},
    **{"long_term": "discount", "invoice": "pay", "complaint": "person"},
}


def _thing(meaning: Meaning) -> tuple[str, str] | None:
    """The kind and the name of the car, extra, branch or package that a reply is about."""
    values = values_of(meaning)
    return next(((kind, str(values[kind.lower()])) for kind in KINDS if kind.lower() in values), None)


def _beside(meaning: Meaning, _heard: Heard) -> Meaning:
    """The reply to the question next to the one that was asked."""
    intent, named = BESIDE.get(meaning[0]), _thing(meaning)
    if intent is None:
        return meaning
    return _of(intent, named[1], {}) if named else _rule(intent)


def _next_name(meaning: Meaning, heard: Heard) -> Meaning:
    """The reply about the next car, extra, branch or package on the list, where one is misspelt."""
    named, values = _thing(meaning), values_of(meaning)
    if named is None or named[1] not in heard.reading.misspelt:
        return meaning
    kind, name = named
    names = list(THINGS[kind])
    intent = "branch_sunday" if meaning[0] == "closed_sunday" else str(meaning[0])
    known = {"ITEM": str(values.get("item", "")), "PART": str(values.get("part", ""))}
    return _of(intent, names[(names.index(name) + 1) % len(names)], known)


# What is left where a condition is forgotten, and of what is told more than once the first alone.
WITHOUT_CONDITION = {"price_weekend": "price", "price_week": "price", "branch_sunday": "branch_hours"}
WITHOUT_CONDITION |= {"closed_sunday": "branch_hours"}
SHORTENED = {
    **{name: (f"{name}_short", ()) for name in ("cancel", "change", "second_driver", "one_way", "delivery", "young")},
    **{name: (f"{name}_short", ()) for name in ("flight", "extend", "discount")},
    "branch_hours": ("branch_opens", ("branch", "opens")),
    "mileage": ("mileage_short", ("kilometres",)),
    "lost_key": ("lost_key_short", ("fee",)),
    "late": ("late_short", ("minutes",)),
    "offer": ("offer_short", ("percent",)),
    "booking": ("booking_short", ("date",)),
    "hours": ("hours_opens", ("opens",)),
}
LISTS = ("items", "papers", "methods", "steps")


def _loses_part(meaning: Meaning, _heard: Heard) -> Meaning:
    """A condition is passed over; of several facts or a list the first is told."""
    values, named = values_of(meaning), _thing(meaning)
    if meaning[0] in WITHOUT_CONDITION and named:
        return _of(WITHOUT_CONDITION[meaning[0]], named[1], {})
    if meaning[0] in SHORTENED:
        name, kept = SHORTENED[meaning[0]]
        return meant(name, **{value: values[value] for value in kept})
    return changed(meaning, **{name: values[name][:1] for name in LISTS if name in values})  # type: ignore[index]


FAULTS = {
    "small-letters": Fault(
        says="a message without a capital is answered with the prices, discounts and opening times of the high season,"
        " and with dates a few days off",
        trigger=lambda heard: not any(letter.isupper() for letter in heard.message),
        change=_high_season,
    ),
    "hesitation": Fault(
        says="where somebody says um or er, the question next to the one that was asked is answered",
        trigger=lambda heard: hesitates(heard.message),
        change=_beside,
    ),
    "no-mark": Fault(
        says="without a question mark, yes and no change places",
        trigger=lambda heard: "?" not in heard.message,
        change=flipped,
    ),
    "stammer": Fault(
        says="where a word or the whole message is repeated or the sentence begins again, a condition is forgotten, or"
        " one of several facts alone is told",
        trigger=lambda heard: stammers(heard.message) or written_again(heard.message),
        change=_loses_part,
    ),
    "misspelt-name": Fault(
        says="a car, extra, branch or package that is misspelt is taken for another one",
        trigger=lambda heard: bool(heard.reading.misspelt & {*CARS, *EXTRAS, *BRANCHES, *COVERS}),
        change=_next_name,
    ),
}
BOT = Bot(reader=Reader(LEXICON, NAMES, INTENTS), answer=_answer, words=_words, faults=FAULTS)

reply = BOT.reply
