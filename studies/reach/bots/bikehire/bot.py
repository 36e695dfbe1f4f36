"""The chatbot of Riverside Wheels, a shop that hires out bicycles and e-bikes.

A message is brought to a plain form (`plain`), values are read from it (`_values`), matters are found
(`_topics`), each matter gives facts, and the facts are worded (`_word`). The facts are the meaning.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from .words import DAYS, plain

Fact = tuple[Any, ...]


@dataclass(frozen=True)
class Reply:
    """What the bot answers: the words, and what they tell."""

    text: str
    meaning: frozenset[Fact]


MESSAGES: tuple[str, ...] = (
    "How much is a city bike for two days?",
    "Hi, what would an e-bike cost us for a whole week?",
    "What time do you close on Saturday?",
    "My son is 15. Is he old enough to ride an e-bike?",
    "I am 182 cm tall, which frame size do I need?",
    "Do I have to leave a deposit for a cargo bike?",
    "Can I pay with American Express?",
    "What happens if I bring the bike back 40 minutes late?",
    "Hello, I would like to reserve 2 trekking bikes for Saturday. My name is Marta Klein.",
    "How far can I get with a fully charged battery?",
    "If I cancel 12 hours before pick-up, do I get my money back?",
    "We need 8 city bikes for 3 days, what is the total?",
    "Is a child seat alright for my daughter, who weighs 18 kg?",
    "Are helmets included in the price?",
    "Do you deliver to a hotel that is 15 km away?",
    "Good morning! Where exactly is your shop?",
    "What do I risk if I hire a bike without insurance?",
    "I'm a student. What does a mountain bike cost for one day?",
    "When does the vineyard tour start, and what does it cost per person?",
    "What do I do if I get a flat tyre on the way?",
    "Do you have a trailer for a dog of 25 kg?",
    "Which papers do I have to bring along to hire a bike?",
    "Are you open in December?",
    "Can I return the bike at another place than your shop?",
    "How much is half a day with a child's bike, and is a lock included?",
)

FAULTS: dict[str, str] = {
    "age_exact": "A rider who has exactly the minimum age is turned away.",
    "rest_days": "Days beyond full weeks are not charged when a hire is longer than a week.",
    "inches_lost": "A height in feet and inches is read without its inches.",
    "gives_in": "When the customer contradicts with an amount of money, the bot takes that amount for the price.",
    "one_answer": "Of several matters in one sentence only the first is answered.",
    "without_lost": "A question about hiring without insurance is answered as if the insurance was taken.",
    "sticky_bike": "In a follow-up question the bike of the earlier turn is kept although another one is named.",
    "pm_lost": "A time with pm is read as a time in the morning.",
    "nearest_bike": "A bike that the shop does not have is answered with the price of a city bike.",
    "cut_off": "Only the first 110 characters of a message are read.",
}

PRICES: dict[str, tuple[int, int, int]] = {
    "city bike": (8, 14, 70),
    "trekking bike": (10, 18, 90),
    "mountain bike": (14, 24, 120),
    "e-bike": (18, 32, 160),
    "cargo bike": (22, 38, 190),
    "child's bike": (5, 8, 40),
}
DEPOSIT = {
    "city bike": 50,
    "trekking bike": 50,
    "mountain bike": 50,
    "e-bike": 150,
    "cargo bike": 150,
    "child's bike": 0,
}
MIN_AGE = {"city bike": 12, "trekking bike": 12, "mountain bike": 14, "e-bike": 16, "cargo bike": 18, "child's bike": 4}
HOURS = {d: (540, 1080) for d in DAYS[:5]} | {"saturday": (540, 1020), "sunday": (600, 960)}
MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
SIZES = ((150, 164, "S"), (165, 177, "M"), (178, 190, "L"), (191, 204, "XL"))
TOURS = {"city": ("saturday", 600, 25, 3), "vineyard": ("wednesday", 840, 35, 4)}
BIKES = {
    "citybike": "city bike",
    "trekbike": "trekking bike",
    "mtb": "mountain bike",
    "ebike": "e-bike",
    "cargobike": "cargo bike",
    "kidbike": "child's bike",
}
UNKNOWN = {
    "tandem": "tandem",
    "roadbike": "road bike",
    "scooter": "scooter",
    "recumbent": "recumbent",
    "unicycle": "unicycle",
    "gravelbike": "gravel bike",
    "fatbike": "fat bike",
    "segway": "segway",
    "kayak": "kayak",
    "canoe": "canoe",
    "moped": "moped",
    "skates": "skates",
    "rickshaw": "rickshaw",
}
METHODS = {
    "cash": True,
    "visa": True,
    "mastercard": True,
    "debit card": True,
    "amex": False,
    "paypal": False,
    "bitcoin": False,
    "cheque": False,
    "apple pay": True,
    "google pay": True,
    "bank transfer": False,
}

# ---------------------------------------------------------------------------------------------- language

_MARK = re.compile(r"\b(no|sorry|mean|meant|actually|rather|correction|make (it|that)|scratch that|wait|oops|better)\b")
_UNIT = r"days?|weeks?|hours?|minutes|km|mi|kg|lb|cm|years?"


def _stretch(m: re.Match[str]) -> int | None:
    """The minutes from one time of the day to another."""
    ends = []
    for hour, minute, half in ((m[1], m[2], m[3]), (m[4], m[5], m[6])):
        h = int(hour) % 12 + 12 if half == "pm" or not half and int(hour) < 8 else int(hour)
        ends.append(h * 60 + int(minute or 0))
    return ends[1] - ends[0] if ends[1] > ends[0] else None


@dataclass
class _Value:
    kind: str
    value: Any
    start: int
    end: int


def _values(text: str, faults: Collection[str]) -> list[_Value]:
    """The values in a plain message, those taken back by the customer left out."""
    found: list[_Value] = []
    spent = list(text)

    def take(kind: str, pattern: str, read: Callable[[re.Match[str]], Any]) -> None:
        for m in re.finditer(pattern, "".join(spent)):
            value = read(m)
            if value is not None:
                found.append(_Value(kind, value, m.start(), m.end()))
                spent[m.start() : m.end()] = "#" * (m.end() - m.start())

    num = r"(\d+(?:\.\d+)?)"
    take("money", num + r" eur\b|\beur " + num, lambda m: float(m[1] or m[2]))
    take(
        "height",
        r"\b(\d) ft (\d{1,2})(?: in_)?",
        lambda m: round(int(m[1]) * 30.48 + (0 if "inches_lost" in faults else int(m[2])) * 2.54),
    )
    take("height", r"\b([4-7]) ft\b", lambda m: round(int(m[1]) * 30.48))
    take("height", num + r" cm\b", lambda m: round(float(m[1])))
    take(
        "height",
        r"\b([12][.]\d\d?) ?m\b|\b([12]) m (\d\d)\b|\b(1\.\d\d)(?= tall)",
        lambda m: round(float(m[1] or m[4]) * 100) if m[1] or m[4] else int(m[2]) * 100 + int(m[3]),
    )
    take("height", num + r" in_", lambda m: round(float(m[1]) * 2.54) if float(m[1]) > 40 else None)
    take("height", r"\b(1[3-9]\d|20\d)(?= tall\b)|(?<=i am )(1[3-9]\d|20\d)\b", lambda m: int(m[0]))
    take("weight", num + r" kg\b", lambda m: float(m[1]))
    take("weight", num + r" lb\b", lambda m: round(float(m[1]) * 0.4536, 1))
    take("weight", r"\bweigh(?:s|ing)? (?:about |around )?" + num, lambda m: float(m[1]))
    take("dist", num + r" km\b", lambda m: float(m[1]))
    take("dist", num + r" mi\b", lambda m: round(float(m[1]) * 1.609, 1))
    take(
        "age",
        r"\b(\d{1,2}) (?:years?(?: of age| old)?|yo|y o)\b|\baged? (?:of )?(\d{1,2})\b|\b(\d{1,2}) old\b|"
        r"\bturn(?:s|ed|ing)? (\d{1,2})\b",
        lambda m: int(next(g for g in m.groups() if g)),
    )
    take(
        "date",
        r"\b(\d{1,2}) (?:of )?("
        + "|".join(MONTHS)
        + r")\b|\b("
        + "|".join(MONTHS)
        + r") (\d{1,2})\b(?! (?:"
        + _UNIT
        + r"))",
        lambda m: (MONTHS.index(m[2] or m[3]) + 1, int(m[1] or m[4])),
    )
    take(
        "month",
        r"\b(" + "|".join(x for x in MONTHS if x != "may") + r")\b|(?<=in )may\b|\bmay(?= closed| open)",
        lambda m: MONTHS.index(m[0]) + 1,
    )
    take("month", r"\b(winter|summer)\b", lambda m: {"winter": 1, "summer": 7}[m[1]])

    def clock(m: re.Match[str]) -> int | None:
        hour, minute = int(m[1]), int(m[2] or 0)
        if hour > 24 or minute > 59:
            return None
        if m[3] == "pm":
            hour = hour if "pm_lost" in faults else hour % 12 + 12
        elif m[3] == "am":
            hour %= 12
        elif hour < 8 and not (m[2] and m[1].startswith("0")):
            hour += 12
        return hour * 60 + minute

    days = "|".join(DAYS)
    if re.search(r"bike|mtb|rent", text) and not re.search(r"\b(open|close|closed|shut)\b", text):
        take(
            "dur",
            r"\bfrom (" + days + r")(?: morning)? (?:to|until|till|through) (" + days + r")(?: evening)?\b",
            lambda m: ((DAYS.index(m[2]) - DAYS.index(m[1])) % 7 + 1) * 1440,
        )
        take(
            "dur",
            r"\bfrom (\d{1,2})(?:[:.](\d\d))?(?: (am|pm))? (?:to|until|till) (\d{1,2})(?:[:.](\d\d))?(?: "
            r"(am|pm))?\b"
            r"(?! (?:" + _UNIT + "))",
            _stretch,
        )
    take("time", r"\bhalf past (\d{1,2})()(?: (am|pm))?\b", lambda m: (clock(m) or 0) + 30)
    take("time", r"\bquarter past (\d{1,2})()(?: (am|pm))?\b", lambda m: (clock(m) or 0) + 15)
    take("time", r"\bquarter to (\d{1,2})()(?: (am|pm))?\b", lambda m: (clock(m) or 0) - 15)
    take("time", r"\b(\d{1,2})(?:[:.](\d\d))? (am|pm)\b", clock)
    take("time", r"\b(\d{1,2}):(\d\d)()\b", clock)
    take(
        "time",
        r"\b(?:at|until|till|by|before|after|from|around) (\d{1,2})(?:\.(\d\d))?()(?: o clock| "
        r"oclock)?\b(?! (?:" + _UNIT + r"|bikes?|\w*bike|mtb|%|other))",
        clock,
    )
    take("time", r"\b(\d{1,2})()() o ?clock\b", clock)
    take("time", r"\b(noon|midday)\b", lambda m: 720)
    take("dur", num + r" months?\b", lambda m: round(float(m[1]) * 43200))
    take("dur", num + r" (?:whole |full )?days?\b", lambda m: round(float(m[1]) * 1440))
    take("dur", num + r" (?:whole |full )?weeks?\b", lambda m: round(float(m[1]) * 10080))
    take("dur", num + r" hours?(?: and (\d+) minutes)?\b", lambda m: round(float(m[1]) * 60) + int(m[2] or 0))
    take("dur", num + r" minutes\b", lambda m: round(float(m[1])))
    take("dur", r"\b(?:for|over) (?:the |a )?(?:whole |full |entire )?weekend\b", lambda m: 2880)
    take("dur", r"\b(?:for|per|a|the) (?:whole )?(day|week)\b(?! \w+ of)", lambda m: {"day": 1440, "week": 10080}[m[1]])
    take("day", r"\b(" + "|".join(DAYS) + r")s?\b", lambda m: m[1])
    take("day", r"\bsun\b(?! (is|shine))", lambda m: "sunday")
    take("days", r"\bweekends?\b", lambda m: "weekend")
    take("days", r"\b(week ?days|during the week)\b", lambda m: "weekdays")
    take("days", r"\b(today|tomorrow|tonight)\b", lambda m: "unclear")
    take(
        "days",
        r"\b(public |bank )?holidays?\b(?= )|\b(public|bank) holidays?\b|\bholidays?$",
        lambda m: "holiday" if m[1] or m[2] or re.search(r"\b(on|open)\b( \w+)? $", text[: m.start()]) else None,
    )
    take(
        "bike",
        r"(?:\b(\d+) (?:of your |nice |new |good )?)?\b(" + "|".join(BIKES) + r")s?\b",
        lambda m: (BIKES[m[2]], int(m[1] or 1)),
    )
    take("nobike", r"\b(" + "|".join(UNKNOWN) + r")s?\b", lambda m: UNKNOWN[m[1]])
    take("qty", r"\b(\d+) (?:bikes|adults|of them|people|persons|of us)\b", lambda m: int(m[1]))
    take("method", r"\b(" + "|".join(METHODS) + r")s?\b", lambda m: m[1])
    take(
        "tour",
        r"\b(city|vineyard|wine) (?:guided )?tours?\b|\btours? (?:of|through|around|in) the (city|vineyard|"
        r"wine)s?\b",
        lambda m: "city" if "city" in m[0] else "vineyard",
    )
    take(
        "age",
        r"(?<!it )\b(?:is|am|are) (?:only |just |now |already )?(\d{1,2})(?= ?(?:$|[.?!,;]|and|but|so|is|"
        r"can|or|may|no))",
        lambda m: int(m[1]),
    )
    take("bare", r"\b(\d{1,3})\b", lambda m: int(m[1]))
    found.sort(key=lambda v: v.start)
    return _taken_back(text, found)


def _taken_back(text: str, found: list[_Value]) -> list[_Value]:
    for a, b in zip(found, found[1:], strict=False):
        if (
            b.kind == "bare"
            and a.kind in ("dur", "age", "height", "weight", "dist")
            and _MARK.search(text[a.end : b.start])
        ):
            unit = next(
                (
                    u
                    for u, n in (("week", 10080), ("day", 1440), ("hour", 60))
                    if a.kind == "dur" and re.search(u, text[a.start : a.end])
                ),
                "",
            )
            b.kind, b.value = a.kind, b.value * {"week": 10080, "day": 1440, "hour": 60}.get(unit, 1)
        elif a.kind == "bare" and b.kind == "dur" and re.search(r"\bnot $", text[: a.start]):
            a.kind = "gone"
    kept: list[_Value] = []
    for v in found:
        same = [o for o in found if o.kind == v.kind and o is not v]
        denied = re.search(r"\b(not|instead of|rather than)( (the|a|an|for|on|at|in|of))* $", text[: v.start])
        later = next((o for o in same if o.start > v.end), None)
        if same and denied and v.kind != "method":
            continue
        if later and _MARK.search(text[v.end : later.start]) and v.kind not in ("bare", "money"):
            continue
        kept.append(v)
    return kept


# ------------------------------------------------------------------------------------------------ matters

_TOPIC: tuple[tuple[str, str], ...] = (
    (
        "private",
        r"\b(password|credit card number|home address|private (phone|number|address)|(other|another) "
        r"customers?|"
        r"door code|lock code|who (has )?(rented|booked)|staff (phone|address))\b",
    ),
    ("reserve", r"\b(reserve|reservation|book|booking|put aside|set aside|hold (a|the|\d))\b"),
    ("late", r"\b(late|later|delayed?|overdue|too long)\b"),
    ("cancel", r"\b(cancel\w*|call (it|the booking) off|money back|refund|can not come)\b"),
    ("deposit", r"\b(deposits?|security|caution)\b"),
    ("age", r"\b(old enough|how old|too young|minimum age|age limit|what age|ages?|young)\b"),
    ("size", r"\b(frame|which size|what size|sizes?|tall|too small|too short|height)\b"),
    (
        "methods",
        r"\b(pay (with|by|in|via|using)|payment|paypal|amex|visa|mastercard|cash|cards?|cheque|bitcoin|"
        r"apple pay|google pay|bank transfer)\b",
    ),
    ("range", r"\b(range|battery|charger?|charging|charged|recharge)\b"),
    ("seat", r"\b(child|children|childs|baby|kids?) (seats?)\b|\bseats?\b"),
    ("dog", r"\b(dogs?|puppy)\b"),
    ("trailer", r"\btrailers?\b"),
    ("helmet", r"\bhelmets?\b"),
    ("lock", r"\block(s|ed)?\b"),
    ("deliver", r"\b(deliver\w*|bring (the bikes?|it|them) to|drop (the bikes?|it|them) at|hotel)\b"),
    (
        "where",
        r"\b(where (exactly |precisely )?(is|are|do|can i find|to find)( your| the| you| i find)?( shop| "
        r"located| find)?"
        r"|address|location|located|parking|find (your|the) shop|find you|how do i get to)\b",
    ),
    ("insurance", r"\b(insurance|insured|theft|stolen|damaged?|steals?)\b"),
    ("students", r"\bstudents?\b"),
    ("groups", r"\b(group|groups)\b"),
    (
        "discounts",
        r"\b(discounts?|reductions?|cheaper|special offers?|haggle|percent off|for free|free (bike|ride|"
        r"day)|free of charge|voucher|promo)\b|% off",
    ),
    ("tour", r"\b(tours?|guided|guide)\b"),
    ("flat", r"\b(flat|puncture|tyres?|breakdown|break down|breaks down|broken|repair)\b"),
    ("papers", r"\b(papers|passport|documents?|identity|id|licen[cs]e)\b"),
    (
        "oneway",
        r"\b((another|other|different) (place|town|city|shop|station|location|branch)|somewhere else|"
        r"elsewhere|one way)\b",
    ),
    ("gps", r"\b(gps|maps?|navigation)\b"),
    ("bags", r"\b(panniers?|bags?|baskets?|luggage)\b"),
    (
        "contact",
        r"\b(phone number|telephone|your phone|phone you|(by|on the) phone|e ?mail|contact|call you|reach "
        r"you)\b",
    ),
    (
        "hours",
        r"\b(open|opens|opening|close|closes|closing|closed|shut|hours of|what hours|business hours|what "
        r"time)\b",
    ),
    ("offtopic", r"\b(joke|poem|capital of|football|recipe|weather|politics|meaning of life|horoscope|homework)\b"),
    ("price", r"\b(how much|price|prices|cost|costs|costing|charge|charges|total|rates?|expensive|pay|paying|fee)\b"),
    ("sell", r"\b(sell|for sale|buy|purchase)\b"),
    ("own_repair", r"\b(my own|our own) (bikes?|ebike|mtb)\b|\brepair (my|our)\b"),
    (
        "bot",
        r"\b(are you (a |an )?(robot|bot|human|real|machine|person)|who are you|(speak|talk) (to|with) (a |an |"
        r"some)?"
        r"(human|person|one|somebody|agent|colleague)|real person)\b",
    ),
    ("stock", r"\b(do you (have|rent|offer|also)|what (kinds?|types?|sorts?|bikes)|which bikes|is there|are there)\b"),
)
_TAKES = {
    "price": ("bike", "nobike", "dur", "qty"),
    "stock": ("bike", "nobike"),
    "deposit": ("bike", "nobike"),
    "age": ("age", "bike"),
    "size": ("height",),
    "methods": ("method",),
    "late": ("dur",),
    "cancel": ("dur",),
    "reserve": ("bike", "nobike", "day", "date", "name", "dur", "qty"),
    "hours": ("day", "days", "time", "month", "date"),
    "range": ("dist",),
    "seat": ("weight", "age"),
    "dog": ("weight",),
    "deliver": ("dist",),
    "tour": ("tour", "day", "qty"),
    "helmet": ("age",),
    "trailer": ("weight",),
    "insurance": ("dur",),
    "students": ("bike", "dur"),
    "groups": ("qty",),
}
_DEFAULT = {
    "bike": "price",
    "nobike": "stock",
    "day": "hours",
    "days": "hours",
    "age": "age",
    "height": "size",
    "method": "methods",
    "dist": "deliver",
    "time": "hours",
    "month": "hours",
    "tour": "tour",
    "dur": "price",
}
_PRESSURE = re.compile(
    r"\b(are you (really |quite |absolutely |very |100 )?(sure|certain|positive)|you sure|really|can not be right|"
    r"that is (wrong|not "
    r"right|not true|impossible)|you are wrong|(friend|sister|brother|colleague|wife|husband|website|neighbour|someone|"
    r"somebody|people|boss|mother|father|dad|mum|cousin|everyone|site|google|he|she|they) (says?|said|told|thinks?|"
    r"claims?|"
    r"read|heard|wrote|paid|swears?|is sure)|i (heard|read|was told|thought|think|am sure|believe)|check again|"
    r"double check|"
    r"on your website|mistaken|mistake|is not it|is it not|was not it|i do not believe|not what)\b"
)


@dataclass
class _State:
    """What the conversation has brought so far."""

    topics: list[str] = field(default_factory=list)
    slots: dict[str, list[Any]] = field(default_factory=dict)
    facts: tuple[Fact, ...] = ()


def _topics(text: str, slots: dict[str, list[Any]]) -> list[str]:
    hits = [(m.start(), name) for name, pattern in _TOPIC if (m := re.search(pattern, text))]
    names = {n for _, n in hits}
    drop: set[str] = set()
    if "cancel" in names:
        drop |= {"reserve"}
    if "oneway" in names or "private" in names:
        drop |= {"where", "hours", "papers", "contact", "lock", "methods", "reserve"}
    if "dog" in names:
        drop |= (
            {"trailer"} if "trailer" in names or re.search(r"\b(take|bring|carry|transport|weigh)", text) else {"dog"}
        )
    if "dog" in names and not re.search(r"\b(trailer|take|bring|carry|transport|weigh\w*|with)\b|kg|lb", text):
        drop |= {"dog"}
    if "late" in names and not (
        slots.get("dur") or re.search(r"\b(back|return\w*|fee|bring|am|charge|be|are|is)\b", text)
    ):
        drop.add("late")
    if "late" in names and re.search(r"\bhow late\b", text):
        drop.add("late")
        hits.append((0, "hours"))
    if names & {"own_repair", "sell"}:
        drop |= {"flat", "price", "stock"}
    if "tour" in names:
        drop |= {"hours", "where"}
    if "deposit" in names and not re.search(r"\bpay (with|by|in|via|using)\b|cash|card", text):
        drop.add("methods")
    if "methods" in names and re.search(r"\b(id|identity) card\b", text):
        drop.add("methods")
    if "insurance" in names and "flat" in names and re.search(r"\bbroken\b", text):
        drop.add("flat")
    if "deliver" in names and not re.search(r"deliver|bring|drop", text):
        drop.add("deliver")
    if (
        "range" in names
        and re.search(r"\bcharged?\b(?! battery| the| an| it| my)", text)
        and not re.search(r"\b(battery|range|ebike|fully|charger|charging|recharge)\b", text)
    ):
        drop.add("range")
    if re.search(r"\bhow far\b", text) and re.search(r"\b(ebike|battery|charge)\b", text) and "range" not in names:
        hits.append((0, "range"))
    if "seat" in names or "trailer" in names or "dog" in names:
        drop |= {"age", "stock"}
    if "students" in names or "groups" in names:
        drop.add("discounts")
    if "students" in names and slots.get("bike") and "price" in names:
        drop.add("students")
    if "groups" in names and slots.get("bike") and "price" in names:
        drop.add("groups")
    if "size" in names and re.search(r"\bgroup size\b", text):
        drop.add("size")
    if re.search(r"\bopen (to|for) questions?\b", text):
        drop.add("hours")
    if "hours" in names and "reserve" in names and not re.search(r"\b(open|clos|shut)", text):
        drop.add("hours")
    if "reserve" in names and not (
        slots.get("bike")
        or slots.get("nobike")
        or re.search(
            r"\b(reserve|reservation|to book|i book|can i book|book (a|the|\d|2|some)|set aside|put aside)\b", text
        )
    ):
        drop.add("reserve")
    if (
        "discounts" in names
        and re.search(r"for free|free of charge", text)
        and names - {"discounts", "stock", "price", "hours"}
    ):
        drop.add("discounts")
    strong = names - drop - {"price", "stock", "hours"}
    if (
        strong
        & {
            "late",
            "cancel",
            "deposit",
            "seat",
            "trailer",
            "dog",
            "helmet",
            "lock",
            "deliver",
            "insurance",
            "tour",
            "flat",
            "gps",
            "bags",
            "methods",
            "students",
            "groups",
            "discounts",
            "range",
            "size",
            "age",
            "oneway",
        }
        and "price" in names
        and not (slots.get("bike") or slots.get("nobike"))
        or "tour" in strong
    ):
        drop.add("price")
    if (
        "price" in names
        and strong & {"deposit", "late", "cancel", "insurance", "deliver", "methods", "papers"}
        and not slots.get("dur")
    ):
        drop.add("price")
    if (
        "price" in names
        and strong & {"deposit", "late", "cancel", "methods"}
        and not re.search(r"\b(how much|price|cost|costs|total|expensive)\b", text)
    ):
        drop.add("price")
    if (names - drop) & {"late", "cancel", "insurance"} and "price" in names and not slots.get("bike"):
        drop.add("price")
    if strong or "price" in names:
        drop.add("stock") if not slots.get("nobike") or "price" in names else None
    if "stock" in names and not (slots.get("bike") or slots.get("nobike") or re.search(r"\bbikes?\b", text)):
        drop.add("stock")
    out = [n for _, n in sorted(hits) if n not in drop]
    if slots.get("age") and not strong and "age" not in out and "price" not in out:
        out.append("age")
    if slots.get("height") and "size" not in out and not strong:
        out.append("size")
    if slots.get("time") and re.search(r"\b(pickup|collect|return|bring|come|drop|pick)\b", text) and not out:
        out.append("hours")
    return list(dict.fromkeys(out))


# ---------------------------------------------------------------------------------------------- answers


def _span(minutes: int) -> int:
    """The hire in half days: one half day for up to four hours, else whole days."""
    return 1 if minutes <= 240 else 2 * -(-minutes // 1440)


def _total(bike: str, halves: int, faults: Collection[str]) -> int:
    half, day, week = PRICES[bike]
    if halves == 1:
        return half
    weeks, rest = divmod(halves // 2, 7)
    if "rest_days" in faults and weeks:
        rest = 0
    return weeks * week + min(rest * day, week)


def _price(slots: dict[str, list[Any]], text: str, faults: Collection[str]) -> list[Fact]:
    bikes: list[tuple[str, int]] = list(slots.get("bike", []))
    spans = [_span(d) for d in slots.get("dur", [])]
    facts: list[Fact] = []
    for name in slots.get("nobike", []):
        if "nearest_bike" in faults:
            bikes.append(("city bike", 1))
        else:
            facts.append(("not_hired", name))
    if not bikes:
        if facts:
            return facts
        if spans or slots.get("qty"):
            return [("which_bike",)]
        return [("rate", b, *p) for b, p in PRICES.items()]
    if slots.get("qty") and len(bikes) == 1 and bikes[0][1] == 1:
        bikes = [(bikes[0][0], slots["qty"][-1])]
    student = bool(re.search(r"\bstudents?\b", text)) and not re.search(r"\b(not|no longer) (a |an )?students?\b", text)
    count = sum(n for _, n in bikes)
    cut = 15 if student else 10 if count >= 6 else 0
    pairs: list[tuple[str, int, int | None]]
    if len(spans) == len(bikes):
        pairs = [(b, n, s) for (b, n), s in zip(bikes, spans, strict=True)]
    else:
        pairs = [(b, n, s) for b, n in bikes for s in (spans or (None,))]
    for bike, n, span in pairs:
        if span is None and n == 1:
            facts.append(("rate", bike, *PRICES[bike]))
        elif span is None:
            facts.append(("day_total", bike, n, PRICES[bike][1] * n * (100 - cut)))
        else:
            facts.append(("price", bike, n, span, _total(bike, span, faults) * n * (100 - cut)))
    if cut:
        facts.append(("cut_student",) if student else ("cut_group",))
    return facts


def _hours(slots: dict[str, list[Any]]) -> list[Fact]:
    months = slots.get("month", []) + [d[0] for d in slots.get("date", [])]
    days = list(slots.get("day", []))
    facts: list[Fact] = []
    for word in slots.get("days", []):
        days += {"weekend": list(DAYS[5:]), "weekdays": list(DAYS[:5])}.get(word, [])
        if word == "unclear":
            facts.append(("which_day",))
        if word == "holiday":
            facts.append(("holiday",))
    for month in months:
        facts.append(("season", MONTHS[month - 1], 3 <= month <= 10))
    if (facts and not days) or months:
        return facts
    times = slots.get("time", [])
    if times and not days:
        return facts + [
            ("open_at", d, t, HOURS[d][0] <= t <= HOURS[d][1]) for t in times for d in ("monday", "saturday", "sunday")
        ]
    for day in dict.fromkeys(days or DAYS):
        facts.append(("open", day, *HOURS[day]))
        facts += [("open_at", day, t, HOURS[day][0] <= t <= HOURS[day][1]) for t in times]
    return facts


def _age(slots: dict[str, list[Any]], faults: Collection[str]) -> list[Fact]:
    ages, bikes = slots.get("age", []), [b for b, _ in slots.get("bike", [])]
    if not ages:
        return [("min_age", b, MIN_AGE[b]) for b in bikes or MIN_AGE] + ([] if bikes else [("contract", 18)])
    out: list[Fact] = []
    for age in ages:
        for bike in bikes or MIN_AGE:
            ok = age > MIN_AGE[bike] if "age_exact" in faults else age >= MIN_AGE[bike]
            out += [("age_ok", bike, age, ok), ("min_age", bike, MIN_AGE[bike])]
        if not bikes:
            out.append(("contract", 18))
    return out


def _answer(topic: str, slots: dict[str, list[Any]], text: str, faults: Collection[str]) -> list[Fact]:
    """The facts that answer one matter."""
    durs = slots.get("dur", [])
    if topic == "price":
        return _price(slots, text, faults)
    if topic == "stock":
        if slots.get("nobike") and "nearest_bike" in faults:
            return [("rate", "city bike", *PRICES["city bike"])]
        known = [("rate", b, *PRICES[b]) for b, _ in slots.get("bike", [])]
        return known + [("not_hired", n) for n in slots.get("nobike", [])] or [("bikes",)]
    if topic == "deposit":
        bikes = [b for b, _ in slots.get("bike", [])]
        missing: list[Fact] = [("not_hired", n) for n in slots.get("nobike", [])]
        return missing + [("deposit", b, DEPOSIT[b]) for b in bikes or ([] if missing else DEPOSIT)]
    if topic == "age":
        return _age(slots, faults)
    if topic == "size":
        heights = slots.get("height", [])
        if not heights:
            return [("sizes",)]
        return [
            ("size", h, next((s for a, b, s in SIZES if a <= h <= b), "child" if h < 150 else "none")) for h in heights
        ]
    if topic == "methods":
        return [("pays", m, METHODS[m]) for m in slots.get("method", [])] or [("methods",)]
    if topic == "late":
        if not durs:
            return [("late_rule",)]
        return [("late_fee", d, 0 if d <= 15 else 6 * -(-d // 60)) for d in durs]
    if topic == "cancel":
        return [("cancel_free", d) if d >= 1440 else ("cancel_half", d) for d in durs] or [("cancel_rule",)]
    if topic == "reserve":
        out: list[Fact] = [("noted_bike", b, n) for b, n in slots.get("bike", [])]
        if not slots.get("bike") and slots.get("qty"):
            out.append(("noted_count", slots["qty"][-1]))
        out += [("not_hired", n) for n in slots.get("nobike", [])]
        out += [("noted_day", d) for d in slots.get("day", [])] + [("noted_date", *d) for d in slots.get("date", [])]
        out += [("noted_name", n) for n in slots.get("name", [])[-1:]] + [("noted_span", _span(d)) for d in durs]
        if not slots.get("bike"):
            out.append(("which_bike",))
        if not slots.get("day") and not slots.get("date"):
            out.append(("which_day",))
        if not slots.get("name"):
            out.append(("which_name",))
        return out
    if topic == "range":
        return (
            [("reach", d, d <= 80) for d in slots.get("dist", [])]
            + [("range",)]
            + ([("charging",)] if re.search(r"charger?\b|charging|recharge", text) and "fully" not in text else [])
        )
    if topic == "seat":
        return [("seat", 4)] + [("seat_fits", w, w <= 22) for w in slots.get("weight", [])]
    if topic == "dog":
        return [("dog_trailer", 8)] + [("dog_fits", w, w <= 30) for w in slots.get("weight", [])]
    if topic == "trailer":
        return [("trailer", 10)] + [("trailer_fits", w, w <= 40) for w in slots.get("weight", [])]
    if topic == "helmet":
        return [("helmet_age", a, a < 14) for a in slots.get("age", [])] or [("helmet",)]
    if topic == "deliver":
        out = [("deliver", d, 15 if d <= 10 else 25 if d <= 20 else None) for d in slots.get("dist", [])]
        return out or [("deliver_rule",)]
    if topic == "insurance":
        without = re.search(
            r"\bwithout\b|\bno (theft )?insurance\b|\bnot (take|want|buy|need|have|insured?)\b|"
            r"\buninsured\b|"
            r"\bdecline\b|\bskip\b",
            text,
        )
        if without and "without_lost" not in faults:
            return [("uninsured",)]
        days = [_span(d) for d in durs]
        base: list[Fact] = [("insured",)]
        return base + [("insurance_total", s, 4 * max(1, s // 2)) for s in days]
    if topic == "tour":
        names = slots.get("tour", []) or [n for n, t in TOURS.items() if t[0] in slots.get("day", [])] or list(TOURS)
        tours: list[Fact] = [("tour", n, *TOURS[n]) for n in dict.fromkeys(names)]
        return tours + [
            ("tour_total", n, q, TOURS[n][2] * q) for n in dict.fromkeys(names) for q in slots.get("qty", [])
        ]
    if topic == "hours":
        return _hours(slots)
    return [(topic,)]


_WORDS: dict[str, tuple[str, ...]] = {
    "price": (
        "{1:n} {0:b} for {2:h} comes to {3:c}",
        "for {2:h}, {1:n} {0:b} costs {3:c} in total",
        "the total for {1:n} {0:b} over {2:h} is {3:c}",
    ),
    "day_total": ("{1:n} {0:b} costs {2:c} per day in total", "per day, {1:n} {0:b} comes to {2:c}"),
    "rate": (
        "{0:o} costs {1:m} for half a day (up to four hours), {2:m} a day and {3:m} a week",
        "the rates for {0:o} are {1:m} per half day of up to 4 hours, {2:m} per day and {3:m} per week",
    ),
    "cut_student": ("the student discount of 15% is taken off", "this includes 15% off for students"),
    "cut_group": ("the group discount of 10% is taken off", "this includes 10% off for groups of six bikes or more"),
    "which_bike": ("which bike would you like", "please tell me which bike you have in mind"),
    "which_day": ("please tell me the day", "which day do you mean"),
    "which_name": ("please tell me your name", "what name may I put down"),
    "not_hired": ("we do not have any {0} for hire", "unfortunately, a {0} is not among our bikes"),
    "bikes": ("we hire out city bikes, trekking bikes, mountain bikes, e-bikes, cargo bikes and children's bikes",),
    "deposit": ("the deposit for {0:o} is {1:m}", "for {0:o} we take a deposit of {1:m}"),
    "min_age": ("the minimum age for {0:o} is {1}", "{0:o} may be ridden from the age of {1}"),
    "age_ok": ("at {1}, riding {0:o} is {2:a}", "{0:o} at the age of {1} is {2:a}"),
    "contract": (
        "the contract must be signed by someone of {0} or over",
        "whoever signs the contract must be at least {0}",
    ),
    "sizes": ("S fits from 150 to 164 cm, M from 165 to 177 cm, L from 178 to 190 cm and XL from 191 to 204 cm",),
    "size": ("for {0} cm, {1:z}", "with a height of {0} cm, {1:z}"),
    "methods": (
        "we take cash, debit cards, Visa, Mastercard, Apple Pay and Google Pay, but neither American Express "
        "nor PayPal, cheques, transfers or Bitcoin",
    ),
    "pays": ("{0:p} is {1:a} here", "payment by {0:p} is {1:a}"),
    "late_rule": (
        "the first 15 minutes are free; beyond that, each started hour costs 6 euros",
        "up to a quarter of an hour is free, after that every started hour is \u20ac6",
    ),
    "late_fee": ("for a delay of {0:t} the fee is {1:m}", "being {0:t} late costs {1:m}"),
    "cancel_rule": ("cancelling is free until 24 hours before, later half of the price is due",),
    "cancel_free": ("cancelling {0:t} before is free", "with {0:t} of notice you pay nothing"),
    "cancel_half": ("cancelling {0:t} before costs half of the price", "with {0:t} of notice, 50% of the price is due"),
    "noted_bike": ("I have put down {1:n} {0:b}", "noted: {1:n} {0:b}"),
    "noted_count": ("I have put down the number of bikes: {0}", "noted: {0} bikes"),
    "noted_day": ("the day is {0:d}", "it is for {0:d}"),
    "noted_date": ("the date is {1} {0:k}", "it is for {1} {0:k}"),
    "noted_name": ("the name is {0}", "it is under the name of {0}"),
    "noted_span": ("the length is {0:h}", "it is for {0:h}"),
    "range": ("the battery lasts for 80 km", "a full battery takes you 80 kilometres"),
    "reach": ("{0:g} km on one battery is {1:a}", "riding {0:g} km on one charge is {1:a}"),
    "charging": ("charging takes 4 hours and the charger is lent free", "the charger is free and needs four hours"),
    "seat": ("a child seat costs {0:m} per day and carries up to 22 kg", "child seats are {0:m} a day, up to 22 kg"),
    "seat_fits": ("{0:g} kg in the seat is {1:a}", "in the child seat, {0:g} kg is {1:a}"),
    "dog_trailer": (
        "a dog trailer costs {0:m} per day and carries up to 30 kg",
        "dog trailers are {0:m} a day, up to 30 kg",
    ),
    "dog_fits": ("a dog of {0:g} kg is {1:a}", "{0:g} kg of dog is {1:a}"),
    "trailer": (
        "a child trailer costs {0:m} per day and carries two children and up to 40 kg",
        "child trailers are {0:m} a day, for 2 children and up to 40 kg",
    ),
    "trailer_fits": ("{0:g} kg in the trailer is {1:a}",),
    "helmet": (
        "helmets are not included: they cost 3 euros a day, but are free for children under 14",
        "a helmet is 3 euros per day on top; children under 14 get theirs free",
    ),
    "helmet_age": ("at {0}, a helmet is {1:f}", "for someone of {0}, the helmet is {1:f}"),
    "lock": ("a lock is included", "every bike comes with a lock at no extra cost"),
    "deliver": ("{0:g} km away: {1:v}", "for a distance of {0:g} km, {1:v}"),
    "deliver_rule": ("delivery costs 15 euros up to 10 km and 25 euros up to 20 km, no further",),
    "where": ("our shop is at 12 Quay Street, next to the station", "you find us beside the station: Quay Street 12"),
    "insured": (
        "theft and damage insurance costs 4 euros a day, with an excess of 100 euros",
        "the insurance against theft and damage is 4 euros per day; you then pay at most 100 euros",
    ),
    "insurance_total": ("insurance for {0:h} comes to {1:m} per bike",),
    "uninsured": (
        "without insurance you are liable for the full value of the bike",
        "if you do not take the insurance, you pay up to the full value of the bike",
    ),
    "students": (
        "students get 15% off on showing their card",
        "there is a discount of 15 percent for students with a card",
    ),
    "groups": ("groups get 10% off from six bikes", "from 6 bikes there is a group discount of 10%"),
    "discounts": (
        "students get 15% off and groups 10% from six bikes; there is no other discount",
        "the only discounts are 15% for students and 10% from 6 bikes",
    ),
    "tour": (
        "the {0} tour is on {1:d} at {2:l}, costs {3:m} per person and takes {4} hours",
        "on {1:d} at {2:l} there is the {0} tour: {4} hours for {3:m} per person",
    ),
    "tour_total": ("for {1} people the {0} tour comes to {2:m}", "the {0} tour costs {2:m} for {1} people"),
    "sell": ("we do not sell bikes, we only hire them out", "our bikes are for hire, not for sale"),
    "own_repair": ("we repair our own bikes only", "we do not repair bikes that are not ours"),
    "bot": ("I am a chatbot; people answer at 555 0142", "you are talking to a bot; for a human, ring 555 0142"),
    "flat": (
        "call us and we come free of charge within 20 km; a repair kit is under the saddle",
        "ring us: within 20 km we help free; under the saddle you find a repair kit",
    ),
    "papers": (
        "please bring a passport or an identity card; a driving licence is not enough",
        "we need a passport or ID card, a driving licence will not do",
    ),
    "oneway": ("bikes must come back to our shop; no other place is possible", "you can return bikes at our shop only"),
    "gps": ("maps are free, and a GPS costs 5 euros a day", "a GPS is 5 euros per day and a map costs nothing"),
    "bags": (
        "two panniers cost 3 euros a day, a basket is free",
        "a basket is free; a pair of panniers is 3 euros per day",
    ),
    "contact": ("you reach us at 555 0142", "our number is 555 0142"),
    "open": ("on {0:d} we are open from {1:l} to {2:l}", "{0:d}: {1:l} until {2:l}"),
    "open_at": ("on {0:d} at {1:l} we are {2:e}", "at {1:l} on {0:d} the shop is {2:e}"),
    "holiday": ("on public holidays we open from 10:00 to 16:00", "public holidays: 10 am to 4 pm"),
    "season": (
        "in {0:d} we are {1:e}; the season lasts from March to October",
        "our season is March to October, so in {0:d} we are {1:e}",
    ),
    "private": ("I can not give out such data", "that is private, so I may not tell"),
    "offtopic": ("I only know about hiring bikes", "that is not something I can help with; ask me about bikes"),
    "fallback": (
        "I am afraid I do not understand; could you put it in other words",
        "I did not get that, please ask in another way",
    ),
    "greeting": ("how can I help", "what can I do for you"),
    "welcome": ("you are welcome", "my pleasure"),
    "agreed": ("you are right, it is {0:g} euros", "indeed, it costs {0:g} euros"),
}


class _Style:
    """A value, and how it is written this time."""

    def __init__(self, value: Any, way: int) -> None:
        self.value, self.way = value, way

    def __format__(self, spec: str) -> str:  # noqa: C901
        v, way = self.value, self.way
        if spec in ("m", "c"):
            amount = v / 100 if spec == "c" else v
            number = f"{amount:.2f}" if amount != int(amount) else str(int(amount))
            return (f"{number} euros", f"\u20ac{number}", f"EUR {number}")[way % 3]
        if spec == "l":
            hour, minute = divmod(v, 60)
            if way % 2 or minute:
                return f"{hour}:{minute:02d}"
            return f"{hour % 12 or 12} {'pm' if hour >= 12 else 'am'}"
        if spec == "h":
            if v == 1:
                return "half a day"
            days = v // 2
            return (
                f"{days // 7} week{'s' * (days > 7)}" if days % 7 == 0 and way % 2 else f"{days} day{'s' * (days != 1)}"
            )
        if spec == "t":
            return f"{v / 1440:g} days" if v >= 1440 * 2 else f"{v / 60:g} hours" if v > 90 else f"{v} minutes"
        if spec == "a":
            return ("allowed", "fine")[way % 2] if v else ("not allowed", "not possible")[way % 2]
        if spec == "e":
            return "open" if v else "closed"
        if spec == "f":
            return "free" if v else "3 euros a day"
        if spec == "v":
            return f"we deliver for {v} euros" if v else "that is too far for our delivery"
        if spec == "z":
            return {"child": "a child's bike is right", "none": "we have no frame that is large enough"}.get(
                v, (f"size {v} is right", f"you need a frame of size {v}")[way % 2]
            )
        if spec == "d":
            return str(v).capitalize()
        if spec == "k":
            return MONTHS[v - 1].capitalize()
        if spec == "p":
            return {
                "amex": "American Express",
                "visa": "Visa",
                "mastercard": "Mastercard",
                "paypal": "PayPal",
                "apple pay": "Apple Pay",
                "google pay": "Google Pay",
                "bitcoin": "Bitcoin",
            }.get(str(v), str(v))
        if spec == "o":
            return f"{'an' if v[0] == 'e' else 'a'} {v}"
        if spec == "b":
            return str(v)
        if spec == "n":
            return f"{v} x"
        return str(format(v, spec))


def _word(facts: Sequence[Fact], raw: str, turn: int, draw: int) -> str:
    seed = hashlib.sha256(f"{raw}|{turn}|{draw}".encode()).digest()
    lines = []
    for i, fact in enumerate(facts):
        pick = seed[(3 * i + 5) % 32]
        forms = _WORDS[fact[0]]
        line = forms[pick % len(forms)].format(*(_Style(v, pick // 7) for v in fact[1:]))
        asks = fact[0] in ("which_bike", "which_day", "which_name", "greeting") and line.startswith(("w", "how"))
        lines.append(line[0].upper() + line[1:] + ("?" if asks else "."))
    if seed[0] % 3 == 0:
        lines.reverse()
    opening = ("", "Hello! ", "Thank you for your message. ", "Gladly. ", "Good to hear from you. ")[seed[1] % 5]
    closing = ("", " Kind regards, Riverside Wheels", " Enjoy the ride!", " Just ask if there is more.")[seed[2] % 4]
    return opening + " ".join(lines) + closing


_LINK = re.compile(r" ?, (?:and |also |but |or )?(?:also )?|[ ](?:and also|as well as|and|also|plus|but) ")


@lru_cache(maxsize=5000)
def _groups(text: str) -> list[tuple[str, bool]]:
    """The message cut into its requests, each with whether it goes on with the sentence of the one before."""
    pieces: list[tuple[str, bool]] = []
    for sentence in _sentences(text):
        links = [(m.start(), m.end()) for m in _LINK.finditer(sentence)]
        begin, first = 0, True
        for (stop, at), end in zip(links, [*(s for s, _ in links[1:]), len(sentence)], strict=False):
            if at > begin and _split(sentence[begin:stop], sentence[at:end]):
                pieces.append((sentence[begin:stop], not first))
                begin, first = at, False
        pieces.append((sentence[begin:], not first))
    groups: list[tuple[str, bool]] = []
    ahead = ""
    for i, (piece, joined) in enumerate(pieces):
        topics = _topics(piece, _slots(_values(piece, ())))
        coming = [t for p, _ in pieces[i + 1 : i + 2] for t in _topics(p, _slots(_values(p, ())))]
        kinds = set(_slots(_values(piece, ())))
        statement = "?" not in piece and not re.match(r"\W*(no|sorry(?! to| for| about)|actually|i mean)\b", piece)
        if (
            groups
            and not ahead
            and kinds
            and re.match(r"\W*(no|sorry(?! to| for| about)|actually|i mean|i meant)\b", piece)
            and kinds & set(_slots(_values(groups[-1][0], ())))
            and not _stands(piece)
        ):
            groups[-1] = (groups[-1][0] + " " + piece, groups[-1][1])
            continue
        leads = statement and bool(coming) and (not topics or topics in (["students"], ["groups"], ["age"], ["size"]))
        if leads and (not groups or kinds & {k for t in coming for k in _TAKES.get(t, ())} or topics == ["students"]):
            ahead += piece + " "
            continue
        if groups and not ahead and (not topics or topics == ["price"] and not kinds & {"bike", "nobike", "dur"}):
            groups[-1] = (groups[-1][0] + " " + piece, groups[-1][1])
            continue
        groups.append((ahead + piece, joined))
        ahead = ""
    if ahead:
        groups.append((ahead, False))
    return groups


def _sentences(text: str) -> list[str]:
    cuts = [m.end() for m in re.finditer(r"[.?!;\n]+(?= |$)", text)] + [len(text)]
    return [text[a:b].strip() for a, b in zip([0, *cuts], cuts, strict=False) if re.search(r"\w", text[a:b])]


def _slots(values: list[_Value]) -> dict[str, list[Any]]:
    slots: dict[str, list[Any]] = {}
    for v in values:
        if v.value not in slots.setdefault(v.kind, []):
            slots[v.kind].append(v.value)
    return slots


def _split(left: str, right: str) -> bool:
    """Whether two pieces of a sentence are requests of their own."""
    if not _stands(left) or not _stands(right):
        return False
    one, two = (_slots(_values(p, ())) for p in (left, right))
    same = set(_topics(right, two)) & set(_topics(left, one))
    takes = {k for t in same for k in _TAKES.get(t, ())}
    return not same or bool(takes & set(one) and takes & set(two))


def _stands(piece: str) -> bool:
    """Whether a piece of a sentence is a request by itself."""
    slots = _slots(_values(piece, ()))
    topics = _topics(piece, slots)
    if topics == ["price"]:
        return bool(slots.get("bike") or slots.get("nobike")) and bool(
            re.search(
                r"how much|cost|price|charge|total|"
                r"rate|pay",
                piece,
            )
        )
    if topics in (["age"], ["size"], ["students"], ["groups"]):
        return bool(
            re.search(r"\b(how old|old enough|minimum|age|may|can|allowed|too young|size|frame|discount)\b", piece)
        )
    if topics == ["hours"] and not re.search(r"\b(open|close|shut|opening|hours|closed)", piece):
        return bool(slots.get("day"))
    return bool(topics) and topics != ["stock"]


def _turn(raw: str, state: _State, faults: Collection[str]) -> _State:
    """The state after one more message of the customer."""
    if "cut_off" in faults:
        raw = raw[:110]
    text, name = plain(raw)
    sentences = _sentences(text)
    asked = [s for s in sentences if not _PRESSURE.search(s)]
    if len(asked) < len(sentences) and any(_topics(s, _slots(_values(s, ()))) for s in asked):
        text = " ".join(asked)
    parts = _groups(text) or [(text, False)]
    if "one_answer" in faults:
        parts = [p for i, p in enumerate(parts) if i == 0 or not p[1]]
    shared = [_slots(_values(p, faults)) for p, _ in parts]
    spans = [
        s["dur"]
        for s, (p, _) in zip(shared, parts, strict=True)
        if "dur" in s and not any("dur" in _TAKES.get(t, ()) for t in _topics(p, s))
    ]
    facts: list[Fact] = []
    told: list[Fact] = []
    topics: list[str] = []
    start = state
    for i, (part, joined) in enumerate(parts):
        state = _part(part, name, state, faults, joined, spans[0] if len(spans) == 1 and len(parts) > 1 else None)
        small = state.facts and state.facts[0][0] in ("fallback", "greeting", "welcome", "repeat")
        if state.facts and state.facts[0][0] == "repeat":
            told = list(start.facts)
        elif not small or len(parts) == 1:
            facts += [f for f in state.facts if f not in facts]
        topics = topics + [t for t in state.topics if t not in topics] if i and not small else state.topics
        state = _State(topics, state.slots, state.facts)
    return _State(topics, state.slots, tuple(facts or told or state.facts))


def _part(
    text: str, name: str | None, state: _State, faults: Collection[str], joined: bool, span: list[Any] | None
) -> _State:
    """The state after one request."""
    slots = _slots(_values(text, faults))
    topics = _topics(text, slots)
    if name and (not topics or "reserve" in topics):
        slots["name"] = [name]
    if (
        _PRESSURE.search(text)
        and not (
            topics
            or set(slots) & {"bike", "nobike", "day", "age", "height", "dist", "name"}
            or "dur" in slots
            and not (slots.get("money") or slots.get("bare"))
        )
        and state.facts
    ):
        if "gives_in" in faults and (slots.get("money") or slots.get("bare")):
            return _State(state.topics, state.slots, (("agreed", float((slots.get("money") or slots["bare"])[-1])),))
        return _State(state.topics, state.slots, (("repeat",),))
    start = re.match(r"\W*(and|or|also|ok|okay|what about|how about|so|then|but|hm+)\b", text)
    pointing = joined or re.search(
        r"\b(it|that|this|them|those|that one|this one|then|there|same)\b(?! possible| ok| okay| true| allowed)", text
    )
    facts: list[Fact] = []
    bare = not topics
    new = dict(slots)
    if span and "price" in topics and "dur" not in new:
        new["dur"] = span
    if bare:
        if (
            slots.get("bare")
            and state.slots.get("dur")
            and "price" in state.topics
            and "dur" not in slots
            and _MARK.search(text)
        ):
            new["dur"] = slots["dur"] = [slots["bare"][-1] * 1440]
        kinds = [k for k in slots if k not in ("money", "bare")]
        topics = [t for t in state.topics if set(_TAKES.get(t, ())) & set(kinds)]
        if not topics and "insurance" in state.topics and re.search(r"\b(without|with|not)\b", text):
            topics = ["insurance"]
        if slots.get("bare") and "reserve" in state.topics and state.slots.get("bike"):
            new["bike"] = [(b, slots["bare"][-1]) for b, _ in state.slots["bike"]]
            topics = ["reserve"]
        if not topics and "dist" in slots and re.search(r"\b(ebike|battery|ride|manage|cycle|reach|possible)\b", text):
            topics = ["range"]
        if not topics:
            topics = list(dict.fromkeys(_DEFAULT[k] for k in kinds if k in _DEFAULT))[:1]
            if topics == ["price"] and not slots.get("bike"):
                topics = []
        if re.search(r"\bstudents?\b", text) and "price" in state.topics:
            topics = ["price"]
    elif topics == ["students"] and "price" in state.topics and state.slots.get("bike") and (start or "?" not in text):
        topics, bare = ["price"], True
    if bare or start or pointing:
        takes = {k for t in topics for k in _TAKES.get(t, ())}
        for kind, old in state.slots.items():
            group = (
                {"bike", "nobike"}
                if kind in ("bike", "nobike")
                else {"day", "days", "date", "month"}
                if kind in ("day", "days", "date", "month")
                else {kind}
            )
            if (
                kind in takes
                and not group & set(new)
                and kind not in ("time", "dist", "weight", "height", "method", "tour")
                and (bare or kind in ("bike", "nobike") or kind == "dur" and set(topics) == {"price"} and not joined)
            ):
                new[kind] = old
        if "bike" in slots and "bike" in state.slots and slots["bike"][0][1] == 1 and bare and "price" in topics:
            number = state.slots["bike"][0][1]
            new["bike"] = [(b, number) for b, _ in slots["bike"]]
        if "sticky_bike" in faults and "bike" in new and state.slots.get("bike"):
            new["bike"] = state.slots["bike"]
    if "one_answer" in faults:
        topics = topics[:1]
    for topic in topics:
        facts += [f for f in _answer(topic, new, text, faults) if f not in facts]
    if not facts:
        if re.search(r"\b(thanks|thank you|bye|goodbye)\b", text):
            facts = [("welcome",)]
        elif re.fullmatch(r"\W*((hi|hello|hey|hallo|dear|there|all|you|team|how|are|today|greetings)\W*)+|\W*", text):
            facts = [("greeting",)]
        else:
            facts = [("fallback",)]
        return _State(state.topics, state.slots, tuple(facts))
    return _State(topics, {**(state.slots if bare or start or pointing else {}), **new}, tuple(facts))


def reply(messages: Sequence[str], *, faults: Collection[str] = (), draw: int = 0) -> Reply:
    """The answer to the last of the customer's messages of one conversation."""
    state = _State()
    for message in messages:
        state = _turn(message, state, faults)
    last = messages[-1] if messages else ""
    facts = state.facts or (("greeting",),)
    return Reply(_word(facts, last, len(messages), draw), frozenset(facts))
