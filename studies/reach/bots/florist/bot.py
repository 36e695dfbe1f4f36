"""The chatbot of Petal and Stem, a flower shop with deliveries.

`reading.plain` turns a message into words and tags, `_frames` finds what is asked, each frame has a function that
tells facts, and `_sentence` words a fact. The set of the facts is the meaning of a reply.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from .reading import DAYS, KNOWN, METHODS, MONTHS, PLACES, STRANGE, plain

Fact = tuple[Any, ...]
Slots = dict[str, list[Any]]


@dataclass(frozen=True)
class Reply:
    """What the bot answers: the words, and what they tell."""

    text: str
    meaning: frozenset[Fact]


MESSAGES: tuple[str, ...] = (
    "How much are 20 red roses?",
    "Do you deliver to Ashford, and what does it cost?",
    "If I order at 1 pm, will the flowers arrive on the same day?",
    "Do you have tulips in October?",
    "What does a medium bouquet cost?",
    "Hello, please send a large bouquet to Eva Braun in Millbrook on Friday.",
    "Are lilies dangerous for my cat?",
    "What are your opening hours on Saturday?",
    "Do you deliver on Sundays?",
    "We are getting married on 12 June. How early do we have to order the flowers for the wedding?",
    "How long do roses last in a vase?",
    "Can I pay by PayPal?",
    "My flowers wilted after three days. Do I get a replacement?",
    "Can I have a text of 200 characters on the card?",
    "What happens if nobody is at home when you deliver?",
    "How much is a weekly subscription?",
    "Can I cancel my order 10 hours before the delivery?",
    "I need a wreath for a funeral. What does it cost, and how early must I order it?",
    "Is a gift voucher for 250 euros possible?",
    "Is delivery free for an order of 70 euros?",
    "My parents live 20 km away. What would the delivery cost?",
    "Can flowers be sent anonymously?",
    "Is there a workshop that my daughter could join? She is 11 years old.",
    "I'd like 10 tulips and 5 gerberas, how much is that together?",
    "Good afternoon, where can I find your shop?",
)

FAULTS: dict[str, str] = {
    "month_first": "A date such as 3/6 is read with the month first.",
    "agrees": "Whoever asks with a tag such as 'don't you?' or 'right?' is told yes, whatever the facts are.",
    "sum_last": "When several sorts of flowers are asked for, the sum holds only the last of them.",
    "dozen_ten": "A dozen is counted as ten.",
    "noon_midnight": "Noon and 12 pm are taken for midnight.",
    "said_before": "A question that was asked before is not answered again.",
    "colour_lost": "The price of flowers is given without a look at whether there are any of that colour.",
    "signed_to": "The name under a message is taken for the name of the recipient.",
    "comma_lost": "The comma of an amount such as 59,50 is dropped.",
    "shouting": "A message all in capitals is taken for a complaint and handed on.",
}

STEMS: dict[str, tuple[int, int, int, int]] = {  # cents, first month, last month, days in a vase
    "rose": (250, 1, 12, 7),
    "tulip": (120, 1, 5, 5),
    "peony": (400, 5, 6, 6),
    "sunflower": (300, 7, 9, 8),
    "lily": (350, 1, 12, 10),
    "gerbera": (180, 1, 12, 9),
    "carnation": (150, 1, 12, 14),
}
SHADES = {
    "rose": ("red", "white", "pink", "yellow"),
    "tulip": ("red", "yellow", "white"),
    "peony": ("pink", "white"),
    "sunflower": ("yellow",),
    "lily": ("white", "pink"),
    "gerbera": ("red", "orange", "yellow", "pink"),
    "carnation": ("red", "white", "pink"),
}
PLURAL = {"peony": "peonies", "lily": "lilies", "daisy": "daisies", "poppy": "poppies", "cactus": "cacti"}
BOUQUETS = {"small": 2000, "medium": 3500, "large": 5000}
EXTRAS = {"vase": 1200, "chocolate": 800}
KM = {"millbrook": 3, "ashford": 12, "linton": 24, "harwick": 45}
HOURS = {d: (480, 1110) for d in DAYS[:5]} | {"saturday": (480, 960), "sunday": (600, 720)}
SUBSCRIPTION = {"weekly": 25, "fortnightly": 28, "monthly": 30}
POISON = {"lily": ("cat",), "tulip": ("cat", "dog"), "carnation": ("cat", "dog"), "peony": ("cat", "dog")}
PAYS = {
    "PayPal": "yes",
    "cash": "shop",
    "card": "yes",
    "invoice": "firms",
    "cheque": "no",
    "Bitcoin": "no",
    "bank transfer": "no",
}


# ------------------------------------------------------------------------------------------------- frames


@dataclass(frozen=True)
class Frame:
    """One matter of the shop: how it is asked for, what it uses, and what it pushes aside."""

    name: str
    pattern: str
    takes: tuple[str, ...] = ()
    beats: tuple[str, ...] = ()


FRAMES: tuple[Frame, ...] = (
    Frame(
        "privacy",
        r"\b(who (sent|ordered|has sent|bought)|(address|number|name) of (the |another |your )?(sender|"
        r"customer|customers)|other "
        r"customers?|another customer|password|credit card (number|data))\b",
        (),
        ("*",),
    ),
    Frame(
        "anonymous",
        r"\b(anonym\w*|without (my|a|the) name|secret(ly)?|not know who|who sent it)\b",
        (),
        ("deliver", "order", "flowers"),
    ),
    Frame(
        "absent",
        r"\b(nobody|no one|not (at )?home|not there|not in|absent|neighbour|away from home|no body|at "
        r"home|is out)\b",
        (),
        ("deliver", "order", "hours"),
    ),
    Frame(
        "cancel",
        r"\b(cancel\w*|call off|money back|refund)\b",
        ("span",),
        ("deliver", "order", "sameday", "guarantee", "flowers"),
    ),
    Frame(
        "guarantee",
        r"\b(wilt\w*|wither\w*|dead|faded|died|not fresh|guarantee|replacement|complain\w*|"
        r"freshness)\b",
        ("span",),
        ("care", "flowers", "order", "deliver"),
    ),
    Frame(
        "wedding",
        r"\b(wedding|marr(y|ied|ying)|bride|bridal)\b",
        ("span",),
        ("order", "flowers", "deliver", "ahead", "prices"),
    ),
    Frame(
        "funeral",
        r"\b(funeral|wreaths?|mourning|burial)\b",
        ("span",),
        ("order", "flowers", "ahead", "deliver", "prices"),
    ),
    Frame(
        "workshop",
        r"\b(workshops?|course|class|learn to)\b",
        ("age",),
        ("funeral", "hours", "prices", "flowers", "order"),
    ),
    Frame(
        "subscription",
        r"\b(subscri\w*|every (week|month)|weekly|fortnightly|regular(ly)?|each (week|month))\b",
        ("rhythm",),
        ("prices", "deliver", "order", "flowers"),
    ),
    Frame(
        "voucher", r"\b(vouchers?|gift cards?|gift certificate)\b", ("money",), ("prices", "order", "card", "freefrom")
    ),
    Frame(
        "card",
        r"\b(text|message|greeting cards?|chars:\d+|on (the|a) card|with (a|the) card|a card|the card|"
        r"card (with|cost|free))\b",
        ("chars",),
        (),
    ),
    Frame("pets", r"\b(cats?|dogs?|pets?|poison\w*|toxic|harmful)\b", ("flower", "pet"), ("flowers", "care", "season")),
    Frame(
        "care",
        r"\b((how long|last|lasts|keep|stay fresh|water|care|cut the|vase life|hold)\b.*flower:|"
        r"flower:\S+.*\b(last|lasts|keep|"
        r"stay fresh|water|vase life|care))|\b(how do i|take) care\b|how long (do|does|will|would) (they|it|those|"
        r"these) (last|keep|stay)|how long do (the |your )?(cut )?flowers "
        r"(last|keep|stay)",
        ("flower",),
        ("flowers", "prices", "season"),
    ),
    Frame(
        "freefrom",
        r"\b(free|no charge|costless|without charge)\b.*\b(money:|deliver)|\bdeliver\w*\b.*\b(free|no "
        r"charge|without charge)\b|"
        r"\bfree delivery\b|\bpay for (the )?delivery\b.*money:|money:\S+.*\bpay for (the )?delivery\b",
        ("money",),
        ("deliver", "prices", "order"),
    ),
    Frame(
        "minimum",
        r"\bminimum (order|amount|value)\b|\bsmallest order\b|\border at least\b",
        (),
        ("order", "deliver", "prices", "freefrom"),
    ),
    Frame(
        "express",
        r"\b(express|urgent\w*|within \S*span:120|as fast as|very quickly)\b",
        (),
        ("deliver", "prices", "order"),
    ),
    Frame(
        "sameday",
        r"\b((on the |the )?same day|same day|today|by tonight|still arrive|arrive today)\b",
        ("time",),
        ("deliver", "order", "hours", "ahead", "prices", "flowers"),
    ),
    Frame(
        "ahead",
        r"\b(how early|how far (ahead|in advance)|in advance|how long (ahead|before|in advance)|how soon|"
        r"order ahead)\b",
        (),
        ("order", "deliver", "flowers"),
    ),
    Frame(
        "deliver",
        r"\b(deliver\w*|ship|shipping|bring (the |them |it )?(flowers )?to|bring flowers|send (\w+ "
        r")*(flowers )?to "
        r"place)\b|\b(place:\w+|km:\S+)",
        ("place", "km", "day"),
        ("hours",),
    ),
    Frame(
        "payment",
        r"\b(pay(ment|ing)? (with|by|in|via|methods?|options?)|method:\w+|how (can|do|could|may) (i|we|"
        r"one) pay|payment)\b",
        ("method",),
        ("prices", "flowers", "order", "deliver", "voucher"),
    ),
    Frame("parking", r"\bparking|\bpark\b", (), ()),
    Frame(
        "where",
        r"\b(where (exactly )?(are|is|can|do) (you|your|the|i)|address|located|location|find (you|your "
        r"shop|the shop))\b",
        (),
        ("hours",),
    ),
    Frame(
        "contact",
        r"\b(phone number|telephone|your phone|e ?mail|contact|call you|ring you|reach you|by phone)\b",
        (),
        ("where",),
    ),
    Frame("discount", r"\b(discounts?|reductions?|cheaper|percent off|special offers?|promo)\b", (), ("prices",)),
    Frame(
        "season",
        r"\b(season\w*|available|month:\d+|date:\S+|do you (have|sell|offer)|have you got|get|in stock|"
        r"is there|are there)\b.*"
        r"flower:|flower:\S+.*\b(season\w*|available|month:\d+|date:\S+|in stock)|\bwhen\b.*flower:",
        ("flower", "month", "date", "colour"),
        ("flowers",),
    ),
    Frame(
        "bot",
        r"\b(are you (a |an )?(ro)?(bot|human|real|person|machine)|who are you|(talk|speak) to (a |"
        r"some)?(human|person|one))\b",
        (),
        ("*",),
    ),
    Frame("offtopic", r"\b(joke|poem|capital of|football|recipe|weather|politics|horoscope|homework)\b", (), ()),
    Frame("hours", r"\b(open|opens|opening|close|closes|closed|closing|shut|hours)\b", ("day", "time"), ()),
    Frame(
        "order",
        r"\b((size:\w+|flower:\w+|bouquets?)( bouquets?)? (to|for) someone|please (send|deliver|bring)|"
        r"(i|we) (would like|want|need|wish) (you )?(to (send|order|"
        r"deliver|have)|.* (sent|delivered)"
        r"( to)?)|send (a|an|the|size|num|some|flower|my|her|him)|(could|can) you (please )?(send|deliver|bring) "
        r"(a|an|the|size|num|some|flower)|"
        r"order (a|size|num|an|flower)\b)",
        ("flower", "size", "place", "day", "date", "num", "to", "colour"),
        ("deliver", "season", "flowers", "prices", "hours"),
    ),
    Frame(
        "flowers",
        r"flower:\w+|\bbouquets?\b|size:\w+|extra:\w+",
        ("flower", "num", "size", "colour", "extra"),
        ("prices",),
    ),
    Frame("prices", r"\b(how much|price|prices|cost|costs|charge|total)\b", (), ()),
)
_BY_NAME = {f.name: f for f in FRAMES}
_PRICED = re.compile(r"\b(how much|price|prices|cost|costs|charge|total|together|altogether|expensive|pay)\b")
_DEFAULT = {
    "flower": "flowers",
    "size": "flowers",
    "extra": "flowers",
    "place": "deliver",
    "km": "deliver",
    "day": "hours",
    "method": "payment",
    "chars": "card",
}
_PRESS = re.compile(
    r"\b(are you (really |quite |absolutely |very )?(sure|certain|positive)|you sure|really|(can|could) not be "
    r"right|(that|it) is (wrong|not right|"
    r"not true|not correct|impossible)|you are wrong|check again|double check|mistaken|i do not believe|is not it|"
    r"for sure|"
    r"(friend|sister|brother|colleague|wife|husband|website|neighbour|someone|somebody|mother|father|mum|dad|boss|"
    r"google|he|she|they|people"
    r"|cousin|aunt|shop) (says?|said|told|thinks?|claims?|paid|pays|wrote)|i (heard|read|was told|thought|saw)|"
    r"something else|serious)\b"
)
_FIX = re.compile(
    r"\b(no|sorry(?! to| for| about)|mean|meant|actually|rather|correction|make (it|that)|scratch "
    r"that|wait|oops|better)\b"
)
_TAG = re.compile(
    r"\b(do not you|right|is not it|are not you|can not you|is it not|correct|will not you|does not "
    r"it|are not they) ?[?!.]* ?$"
)


def _slots(text: str) -> Slots:
    """The values of a text, those that the customer takes back left out."""
    hits = [(m[1], m[2], m.start(), m.end()) for m in re.finditer(r"\b([a-z]+):([\w.-]+)", text)]
    slots: Slots = {}
    for kind, value, start, end in hits:
        if kind in ("num", "chars", "age", "month", "span", "time", "km", "money") and not re.fullmatch(
            r"\d+(\.\d+)?", value
        ):
            continue
        later = next((h for h in hits if h[0] == kind and h[2] > start), None)
        same = any(h[0] == kind and h[1] != value for h in hits)
        denied = re.search(r"\b(not|instead of|rather than)( (the|a|an|for|on|at|in|to|num:\d+))* $", text[:start])
        if same and (denied or later and later[1] != value and _FIX.search(text[end : later[2]])):
            continue
        if kind in ("num", "chars", "age", "month", "span", "time") and not value.isdigit():
            continue
        if kind in ("num", "span") and denied:
            continue
        real: Any = (
            int(value)
            if kind in ("num", "chars", "age", "month", "span", "time") and value.isdigit()
            else (float(value) if kind in ("km", "money") else value)
        )
        if real not in slots.setdefault(kind, []) or kind == "num":
            slots[kind].append(real)
    for word in re.findall(r"\b(cat|dog)s?\b", text):
        slots.setdefault("pet", []).append(word)
    for word, rhythm in (
        (r"weekly|every week|each week", "weekly"),
        (
            r"fortnightly|every (two|num:2) weeks|every "
            r"span:20160",
            "fortnightly",
        ),
        (r"monthly|every month|each month", "monthly"),
    ):
        if re.search(rf"\b({word})\b", text):
            slots.setdefault("rhythm", []).append(rhythm)
    return slots


def _items(text: str) -> list[tuple[str, int | None, str | None]]:
    """The flowers of a text with their numbers and colours, those taken back left out."""
    kept = _slots(text)
    items: list[tuple[str, int | None, str | None]] = []
    for m in re.finditer(
        r"(?:num:(\d+) (?:of )?(?:your |the |fresh |nice |beautiful |long |stems? (?:of "
        r")?)*)?(?:colour:(\w+) (?:and )?)?"
        r"flower:(\w+)(?: in colour:(\w+))?",
        text,
    ):
        if m[3] in kept.get("flower", []) and not any(i[0] == m[3] and i[2] == (m[2] or m[4]) for i in items):
            items.append((m[3], int(m[1]) if m[1] else None, m[2] or m[4]))
    loose = kept.get("num", [])
    if len(items) == 1 and (items[0][1] is None or items[0][1] not in loose) and loose:
        items = [(items[0][0], loose[-1], items[0][2])]
    if len(items) == 1 and items[0][2] is None and kept.get("colour"):
        return [(items[0][0], items[0][1], c) for c in kept["colour"]]
    if len(items) == 1 and kept.get("colour") and items[0][2] not in kept["colour"]:
        items = [(items[0][0], items[0][1], kept["colour"][-1])]
    return items


def _frames(text: str) -> list[str]:
    """The names of the frames that fit a text."""
    found = [(m.start(), f) for f in FRAMES if (m := re.search(f.pattern, text))]
    names = {f.name for _, f in found}
    slots = _slots(text)
    if "pets" in names and not (
        slots.get("flower")
        or re.search(
            r"\b(poison\w*|toxic|harmful|dangerous|safe|eat\w*|"
            r"flowers|bad)\b",
            text,
        )
    ):
        names.discard("pets")
    if (
        "absent" in names
        and re.search(r"\b(not there|not in|is out)\b", text)
        and not re.search(r"\b(deliver\w*|recipient|she|he|they|home)\b", text)
    ):
        names.discard("absent")
    if "order" in names and _PRICED.search(text) and not re.search(r"\bplease\b|someone", text):
        names.discard("order")
    if "order" in names and (
        re.search(r"\bhow (early|far)\b", text)
        or not (slots.get("flower") or slots.get("size") or "bouquet" in text or "flowers" in text)
    ):
        names.discard("order")
    if "freefrom" in names and re.search(r"\bsugar free\b", text):
        names.discard("freefrom")
    if "card" in names and re.search(r"\b(gift|credit|debit) cards?\b", text):
        names.discard("card")
    if (
        "hours" in names
        and re.search(r"\bspan:\d+|open to questions?\b", text)
        and not re.search(r"\bopen|close|opening", text)
    ):
        names.discard("hours")
    if "care" in names and re.search(r"\bhow long (does|do|will) (the |your )?delivery\b", text):
        names.discard("care")
    if "sameday" in names and not re.search(
        r"\b(order\w*|deliver\w*|arrive\w*|send|sent|get|flowers|same day|come|"
        r"bring)\b",
        text,
    ):
        names.discard("sameday")
    if "workshop" in names and re.search(r"\bof course\b", text) and "workshop" not in text:
        names.discard("workshop")
    if "funeral" in names and "ahead" in names:
        names.discard("ahead")
    for _, f in found:
        if f.name in names:
            names = {f.name} if "*" in f.beats else names - set(f.beats)
    if len(names) > 1:
        names.discard("prices")
    out = [f.name for _, f in sorted(found, key=lambda h: h[0]) if f.name in names]
    if "order" in out and _PRICED.search(text) and (slots.get("flower") or slots.get("size")):
        out.append("flowers")
    if not out and re.search(r"\b(month|date):", text) and "deliver" in text:
        out = ["deliver"]
    return out


# -------------------------------------------------------------------------------------------------- facts


def _fee(km: float) -> int | None:
    return 500 if km <= 5 else 900 if km <= 15 else 1500 if km <= 30 else None


def _flowers(text: str, slots: Slots, faults: Collection[str]) -> list[Fact]:
    """Prices of stems, bouquets and extras, and their sum."""
    facts: list[Fact] = []
    parts: list[int] = []
    items = slots.get("items") or []
    for flower, number, colour in items:
        if flower in STRANGE:
            facts.append(("no_flower", flower))
            continue
        if colour and colour not in SHADES[flower] and "colour_lost" not in faults:
            facts.append(("no_colour", flower, colour))
            continue
        cents = STEMS[flower][0]
        if number is None:
            facts.append(("stem", flower, cents))
        else:
            price = cents * number * (90 if number >= 20 else 100) // 100
            facts.append(("stems", flower, number, price))
            parts.append(price)
            if number >= 20:
                facts.append(("stem_cut",))
    for size in slots.get("size", []):
        count = slots["num"][-1] if slots.get("num") and not items and len(slots["size"]) == 1 else 1
        facts.append(("bouquet", size, count, BOUQUETS[size] * count))
        parts.append(BOUQUETS[size] * count)
    for extra in slots.get("extra", []):
        facts.append(("extra", extra, EXTRAS[extra]))
        parts.append(EXTRAS[extra])
    if len(parts) > 1:
        facts.append(("sum", parts[-1] if "sum_last" in faults else sum(parts)))
    if not facts:
        facts = [("bouquet", s, 1, c) for s, c in BOUQUETS.items()]
    return list(dict.fromkeys(facts))


def _deliver(text: str, slots: Slots, faults: Collection[str]) -> list[Fact]:
    facts: list[Fact] = []
    for place in slots.get("place", []):
        fee = _fee(KM[place]) if place in PLACES else None
        facts.append(("to_place", place, fee))
    facts += [("to_km", km, _fee(km)) for km in slots.get("km", [])]
    days = slots.get("day", [])
    facts += [("on_day", d, d != "sunday") for d in days]
    if re.search(r"\bweekend\b", text):
        facts += [("on_day", "saturday", True), ("on_day", "sunday", False)]
    if re.search(r"\b(what time|which time|when)\b", text) and not facts:
        return [("window",)]
    return facts or [("delivery",)]


def _season(text: str, slots: Slots, faults: Collection[str]) -> list[Fact]:
    facts: list[Fact] = []
    months = slots.get("month", []) + [int(d.split("-")[0]) for d in slots.get("date", [])]
    for flower, number, colour in slots.get("items") or []:
        if flower in STRANGE:
            facts.append(("no_flower", flower))
            continue
        if colour and colour not in SHADES[flower]:
            facts += (
                [("no_colour", flower, colour)] if "colour_lost" not in faults else [("stem", flower, STEMS[flower][0])]
            )
            continue
        _, first, last, _ = STEMS[flower]
        facts += [("in_month", flower, m, first <= m <= last) for m in months]
        facts.append(("season", flower, first, last))
        if _PRICED.search(text):
            facts += _flowers(text, {**slots, "size": [], "extra": []}, faults)
    return list(dict.fromkeys(facts))


def _pets(text: str, slots: Slots, faults: Collection[str]) -> list[Fact]:
    pets = list(dict.fromkeys(slots.get("pet", []))) or ["cat", "dog"]
    facts: list[Fact] = []
    for flower in slots.get("flower", []):
        facts += (
            [("no_flower", flower)]
            if flower in STRANGE
            else [("poison", flower, p, p in POISON.get(flower, ())) for p in pets]
        )
    return facts or [("safe_list", p) for p in pets]


def _order(text: str, slots: Slots, faults: Collection[str]) -> list[Fact]:
    facts: list[Fact] = []
    goods: list[Fact] = []
    for flower, number, colour in slots.get("items") or []:
        if flower in STRANGE:
            facts.append(("no_flower", flower))
        elif colour and colour not in SHADES[flower] and "colour_lost" not in faults:
            facts.append(("no_colour", flower, colour))
        else:
            goods.append(("put_flower", flower, number or 0, colour or ""))
    goods += [("put_bouquet", s) for s in slots.get("size", [])]
    facts += goods or [("ask_goods",)]
    facts += [("put_name", n) for n in slots.get("to", [])[-1:]] or [("ask_name",)]
    places = slots.get("place", [])
    facts += [("put_place", p) if p in PLACES and _fee(KM[p]) else ("to_place", p, None) for p in places] or [
        ("ask_place",)
    ]
    dates = [("put_date", *map(int, d.split("-"))) for d in slots.get("date", [])]
    for day in slots.get("day", []):
        facts.append(("put_day", day) if day != "sunday" else ("on_day", day, False))
    facts += dates
    return facts if dates or slots.get("day") else [*facts, ("ask_day",)]


def _hours(text: str, slots: Slots, faults: Collection[str]) -> list[Fact]:
    days = list(slots.get("day", []))
    if re.search(r"\bweekends?\b", text):
        days += DAYS[5:]
    if re.search(r"\b(weekdays|during the week)\b", text):
        days += DAYS[:5]
    if re.search(r"\b(today|tomorrow|tonight)\b", text) and not days:
        return [("ask_weekday",)]
    if re.search(r"\b(holidays?|christmas|easter)\b", text) and not days:
        return [("holidays",)]
    times = slots.get("time", [])
    facts: list[Fact] = []
    for day in dict.fromkeys(days or DAYS):
        a, b = HOURS[day]
        facts += [("open_at", day, t, a <= t <= b) for t in times]
        if days or not times:
            facts.append(("open", day, a, b))
    return facts


def _rest(name: str) -> Callable[[str, Slots, Collection[str]], list[Fact]]:
    """The facts of the frames that need a value at most."""

    def tell(text: str, slots: Slots, faults: Collection[str]) -> list[Fact]:
        spans = slots.get("span", [])
        early: list[Fact]
        if name == "cancel":
            return [("off", s, s >= 1440) for s in spans] or [("off_rule",)]
        if name == "guarantee":
            return [("fresh", s, s <= 5 * 1440) for s in spans] or [("fresh_rule",)]
        if name == "wedding":
            price: list[Fact] = [("bridal",)] if _PRICED.search(text) else []
            early = [("wedding_time", s, s >= 4 * 10080) for s in spans if s > 1440] or [("wedding",)]
            return (
                price + early
                if not price or spans or re.search(r"\b(early|ahead|advance|soon|when)\b", text)
                else price
            )
        if name == "funeral":
            asked = re.search(r"\b(early|ahead|advance|soon|when|fast|until)\b", text)
            cost: list[Fact]
            cost = [("wreath",)] if _PRICED.search(text) or not (asked or spans) else []
            early = [("funeral_time", s, s >= 2880) for s in spans]
            return cost + early if early or not asked else [*cost, ("funeral",)]
        if name == "workshop":
            return [("workshop",), *(("workshop_age", a, a >= 12) for a in slots.get("age", []))]
        if name == "subscription":
            return [("subscription", r, SUBSCRIPTION[r]) for r in dict.fromkeys(slots.get("rhythm") or SUBSCRIPTION)]
        if name == "voucher":
            return [("voucher", m, 10 <= m <= 200) for m in slots.get("money", [])] or [("voucher_rule",)]
        if name == "card":
            return [("card_text", c, c <= 150) for c in slots.get("chars", [])] or [("card_rule",)]
        if name == "care":
            known = [f for f in slots.get("flower", []) if f in STEMS]
            return [("lasts", f, STEMS[f][3]) for f in known] + [
                ("no_flower", f) for f in slots.get("flower", []) if f in STRANGE
            ] or [("care_rule",)]
        if name == "freefrom":
            return [("free_at", m, m >= 60) for m in slots.get("money", [])] or [("free_rule",)]
        if name == "sameday":
            return [("same_day", t, t <= 840) for t in slots.get("time", [])] or [("same_rule",)]
        if name == "payment":
            return [("pays", METHODS[m], PAYS[METHODS[m]]) for m in slots.get("method", [])] or [("methods",)]
        return [(name,)]

    return tell


_TELL: dict[str, Callable[[str, Slots, Collection[str]], list[Fact]]] = {
    "flowers": _flowers,
    "prices": _flowers,
    "deliver": _deliver,
    "season": _season,
    "pets": _pets,
    "order": _order,
    "hours": _hours,
}


# -------------------------------------------------------------------------------------------------- words


def _money(cents: float, way: int) -> str:
    number = f"{cents / 100:.2f}" if cents % 100 else f"{cents / 100:.0f}"
    return (f"{number} euros", f"\u20ac{number}", f"EUR {number}")[way % 3]


def _clock(minutes: int, way: int) -> str:
    hour, minute = divmod(minutes, 60)
    if way % 2:
        return f"{hour}:{minute:02d}"
    return f"{hour % 12 or 12}{f':{minute:02d}' if minute else ''} {'pm' if 12 <= hour < 24 else 'am'}"


def _many(flower: str) -> str:
    return PLURAL.get(flower, flower + "s")


def _length(minutes: int) -> str:
    for size, word in ((10080, "week"), (1440, "day"), (60, "hour"), (1, "minute")):
        if minutes % size == 0 and minutes >= size:
            return f"{minutes // size} {word}{'s' * (minutes != size)}"
    return "0 minutes"


_FIXED: dict[str, tuple[str, ...]] = {
    "privacy": ("I do not give away anything about our customers", "that is private, so I can not tell"),
    "anonymous": (
        "flowers can be sent without the name of the sender",
        "yes, we deliver without telling who sent them",
    ),
    "absent": (
        "if nobody is at home we leave the flowers with a neighbour; a second attempt costs 4 euros",
        "we hand them to a neighbour if no one opens, and a second attempt is \u20ac4",
    ),
    "off_rule": (
        "cancelling is free until 24 hours before the delivery, later half of the price is due",
        "up to 24 hours before you get all of your money back, after that 50%",
    ),
    "fresh_rule": ("flowers that wilt within 5 days are replaced", "we replace what wilts in the first five days"),
    "wedding": ("for weddings please order 4 weeks ahead", "wedding flowers must be ordered four weeks in advance"),
    "bridal": ("a bridal bouquet costs 90 euros", "bridal bouquets are \u20ac90"),
    "wreath": ("a funeral wreath costs 60 euros", "wreaths for funerals are \u20ac60"),
    "funeral": ("for funerals please order 2 days ahead", "funeral flowers must be ordered two days in advance"),
    "workshop": (
        "the wreath workshop is on Saturdays at 10:00, costs 45 euros and is from 12 years",
        "on Saturdays at 10 am there is a wreath workshop for \u20ac45, from the age of 12",
    ),
    "voucher_rule": (
        "vouchers are from 10 to 200 euros and valid for 3 years",
        "you can have a voucher of \u20ac10 to \u20ac200, valid three years",
    ),
    "card_rule": (
        "a card with a text of up to 150 characters is free",
        "we add a card at no charge, with up to 150 characters",
    ),
    "care_rule": (
        "cut the stems and change the water every two days",
        "fresh water and a fresh cut every 2 days keep them best",
    ),
    "free_rule": (
        "delivery is free from 60 euros, up to 15 km",
        "from \u20ac60 we deliver free of charge within 15 km",
    ),
    "minimum": ("the minimum order for a delivery is 20 euros", "we deliver orders of \u20ac20 or more"),
    "express": (
        "express delivery within 2 hours costs 10 euros extra",
        "within two hours we deliver for \u20ac10 on top",
    ),
    "same_rule": (
        "orders until 14:00 are delivered on the same day, from Monday to Saturday",
        "order by 2 pm, Monday to Saturday, and they arrive the same day",
    ),
    "ahead": (
        "one day ahead is enough, and until 14:00 even the same day is possible",
        "order a day ahead, or by 2 pm for the same day",
    ),
    "window": ("we deliver between 9:00 and 18:00", "deliveries come from 9 am to 6 pm"),
    "delivery": (
        "delivery costs 5 euros up to 5 km, 9 up to 15 km and 15 up to 30 km, no further and not on Sundays",
        "we deliver from Monday to Saturday: up to 5 km for \u20ac5, up to 15 km for \u20ac9, up to 30 km "
        "for \u20ac15, not beyond",
    ),
    "methods": (
        "we take PayPal and cards, cash in the shop, and invoices for firms",
        "PayPal and cards always, cash in the shop, invoice for firms",
    ),
    "parking": ("there is parking behind the shop", "you can park behind our shop"),
    "where": ("our shop is at 8 Church Square", "you find us at Church Square 8"),
    "contact": ("our number is 555 0163", "you reach us at 555 0163"),
    "discount": (
        "from 20 stems of one sort there is 10% off, there is no other discount",
        "the only discount is 10% from 20 stems of a sort",
    ),
    "stem_cut": (
        "from 20 stems of one sort 10% are off, and that is counted in",
        "the price has the 10% off for 20 stems or more",
    ),
    "holidays": ("on public holidays we are closed", "we do not open on public holidays"),
    "bot": ("I am a chatbot; people answer at 555 0163", "you are talking to a bot, humans are at 555 0163"),
    "offtopic": ("I only know about flowers and this shop", "that is beyond me, I only know our flowers"),
    "ask_goods": ("what may we send", "please tell me what we may send"),
    "ask_name": ("who is it for", "please tell me the name of the recipient"),
    "ask_place": ("where shall it go", "please tell me the place"),
    "ask_day": ("which day shall it arrive", "please tell me the day"),
    "ask_weekday": ("please tell me the weekday", "which weekday is that"),
    "complaint": (
        "I am sorry that you are upset; a colleague will call you",
        "your complaint was handed on to a colleague",
    ),
    "said": ("as I have already said", "I told you that before"),
    "yes": ("yes, exactly", "yes, that is so"),
    "greeting": ("how can I help", "what can I do for you"),
    "welcome": ("you are welcome", "my pleasure"),
    "fallback": (
        "sorry, I do not understand; please put it in other words",
        "I did not get that, could you say it in another way",
    ),
}


def _sentence(fact: Fact, way: int) -> tuple[str, ...]:  # noqa: C901
    """The wordings of a fact."""
    kind, v = fact[0], fact[1:]
    if kind in _FIXED:
        return _FIXED[kind]
    ok = bool(v[-1])
    place = str(v[0]).capitalize()
    price = _money(v[-1], way) if isinstance(v[-1], (int, float)) and not isinstance(v[-1], bool) else ""
    table: dict[str, Callable[[], tuple[str, ...]]] = {
        "no_flower": lambda: (f"we do not have {_many(v[0])}", f"{_many(v[0])} are not in our range"),
        "no_colour": lambda: (f"we have no {v[1]} {_many(v[0])}", f"{_many(v[0])} do not come in {v[1]} here"),
        "stem": lambda: (f"{_many(v[0])} cost {price} a stem", f"one {v[0]} is {price}"),
        "stems": lambda: (
            f"{v[1]} {v[0] if v[1] == 1 else _many(v[0])} cost {price}",
            f"for {v[1]} x {v[0]} you pay {price}",
        ),
        "bouquet": lambda: (
            f"{v[1]} {v[0]} bouquet{'s' * (v[1] > 1)}: {price}",
            f"for {v[1]} {v[0]} bouquet{'s' * (v[1] > 1)} you pay {price}",
        ),
        "extra": lambda: (f"{'chocolates cost' if v[0] == 'chocolate' else 'a vase costs'} {price}",),
        "sum": lambda: (f"together that is {price}", f"the sum is {price}"),
        "to_place": lambda: (
            (f"delivery to {place} costs {_money(v[1], way)}", f"to {place} we deliver for {_money(v[1], way)}")
            if v[1]
            else (f"we do not deliver to {place}", f"{place} is outside of our delivery area")
        ),
        "to_km": lambda: (
            (
                f"delivery over {v[0]:g} km costs {_money(v[1], way)}",
                f"{v[0]:g} km away we deliver for {_money(v[1], way)}",
            )
            if v[1]
            else (f"we do not deliver over {v[0]:g} km", f"{v[0]:g} km is too far for our delivery")
        ),
        "on_day": lambda: (
            f"we {'deliver' if ok else 'do not deliver'} on {place}s",
            f"on {place}s there is {'a' if ok else 'no'} delivery",
        ),
        "season": lambda: (
            (f"we have {_many(v[0])} all year round",)
            if v[1:] == (1, 12)
            else (
                f"{_many(v[0])} are in season from {MONTHS[v[1] - 1].capitalize()} to {MONTHS[v[2] - 1].capitalize()}",
            )
        ),
        "in_month": lambda: (f"in {MONTHS[v[1] - 1].capitalize()} we {'have' if ok else 'do not have'} {_many(v[0])}",),
        "poison": lambda: (
            f"{_many(v[0])} are {'poisonous' if ok else 'harmless'} for {v[1]}s",
            f"for {v[1]}s, {_many(v[0])} are {'toxic' if ok else 'safe'}",
        ),
        "safe_list": lambda: (
            f"safe for {v[0]}s: " + ", ".join(_many(f) for f in STEMS if v[0] not in POISON.get(f, ())),
        ),
        "put_flower": lambda: (f"noted: {str(v[1]) + ' ' if v[1] else ''}{v[2] + ' ' if v[2] else ''}{_many(v[0])}",),
        "put_bouquet": lambda: (f"noted: a {v[0]} bouquet", f"I have put down a {v[0]} bouquet"),
        "put_name": lambda: (f"it is for {v[0]}", f"the recipient is {v[0]}"),
        "put_place": lambda: (f"it goes to {place}", f"the place is {place}"),
        "put_day": lambda: (f"it arrives on {place}", f"the day is {place}"),
        "put_date": lambda: (
            f"it arrives on {v[1]} {MONTHS[v[0] - 1].capitalize()}",
            f"the date is {v[1]} {MONTHS[v[0] - 1].capitalize()}",
        ),
        "open": lambda: (
            f"on {place} we are open from {_clock(v[1], way)} to {_clock(v[2], way)}",
            f"{place}: {_clock(v[1], way)} until {_clock(v[2], way)}",
        ),
        "open_at": lambda: (f"on {place} at {_clock(v[1], way)} we are {'open' if ok else 'closed'}",),
        "off": lambda: (
            f"cancelling {_length(v[0])} before is {'free' if ok else 'possible at half of the price'}",
            f"with {_length(v[0])} to go you {'get all of your money back' if ok else 'pay 50% of the price'}",
        ),
        "fresh": lambda: (
            f"flowers that wilt after {_length(v[0])} are {'replaced' if ok else 'not replaced (only up to 5 days)'}",
        ),
        "wedding_time": lambda: (
            f"{_length(v[0])} ahead is {'early enough' if ok else 'too late'} for wedding flowers (4 weeks)",
        ),
        "funeral_time": lambda: (
            f"{_length(v[0])} ahead is {'early enough' if ok else 'too late'} for funeral flowers (2 days)",
        ),
        "workshop_age": lambda: (
            f"at {v[0]} it is {'fine to join' if ok else 'too early to join'}",
            f"someone of {v[0]} {'may' if ok else 'may not'} take part",
        ),
        "subscription": lambda: (
            f"a {v[0]} subscription costs {_money(v[1] * 100, way)} per delivery",
            f"{v[0]} flowers are {_money(v[1] * 100, way)} each time",
        ),
        "voucher": lambda: (
            f"a voucher of {_money(v[0] * 100, way)} is {'possible' if ok else 'not possible (10 to 200 euros)'}",
        ),
        "card_text": lambda: (
            f"a text of {v[0]} characters is {'fine' if ok else 'too long, up to 150 are possible'}",
        ),
        "lasts": lambda: (
            f"{_many(v[0])} last {v[1]} days in a vase",
            f"in a vase, {_many(v[0])} keep for {v[1]} days",
        ),
        "free_at": lambda: (
            f"for {_money(v[0] * 100, way)} delivery is {'free up to 15 km' if ok else 'not free (from 60 euros)'}",
        ),
        "same_day": lambda: (
            f"ordered at {_clock(v[0], way)}, flowers {'arrive the same day' if ok else 'arrive the next day'}",
        ),
        "pays": lambda: (
            f"{v[0]} is "
            + {
                "yes": "fine",
                "shop": "possible in the shop only",
                "firms": "possible for firms only",
                "no": "not possible",
            }[v[1]],
        ),
    }
    return table[kind]()


# -------------------------------------------------------------------------------------------- conversation


@dataclass(frozen=True)
class _Memory:
    """What the conversation has brought so far."""

    frames: tuple[str, ...] = ()
    slots: Slots = field(default_factory=dict)
    facts: tuple[Fact, ...] = ()
    asked: tuple[frozenset[Fact], ...] = ()


def _pieces(text: str) -> list[tuple[str, bool]]:
    """The text cut into requests, each with whether it goes on with the sentence before."""
    raw: list[tuple[str, bool]] = []
    for sentence in re.findall(r"[^.?!;\n]+[.?!;\n]*", re.sub(r"(?<=\d)\.(?=\d)", "\u00b7", text)):
        sentence = sentence.replace("\u00b7", ".").strip()
        begin, first = 0, True
        for m in re.finditer(r" ?, (?:and |also |but )?(?:also )?| (?:and also|and|also|but|plus) ", sentence):
            left, right = sentence[begin : m.start()], sentence[m.end() :]
            right = re.split(r" ?, | and ", right)[0] if not _asks(right) else right
            one, two = set(_frames(left)), set(_frames(right))
            dependent = (
                two <= {"prices"}
                or two <= {"flowers", "prices"}
                and not _PRICED.search(right)
                or two == {"ahead"}
                and one & {"wedding", "funeral"}
                or two == {"card"}
                and "order" in one
            )
            if (
                one
                and two
                and not dependent
                and not two & one
                and (_asks(right) or not one & {"order"})
                and (not one <= {"flowers", "prices"} or _PRICED.search(left) and one != {"prices"})
                and not ("order" in one and two <= {"deliver", "season"})
            ):
                raw.append((sentence[begin : m.start()], not first))
                begin, first = m.end(), False
        raw.append((sentence[begin:], not first))
    out: list[tuple[str, bool]] = []
    ahead = ""
    for i, (piece, joined) in enumerate(raw):
        frames, slots = _frames(piece), _slots(piece)
        coming = raw[i + 1][0] if i + 1 < len(raw) else ""
        takes = {k for f in _frames(piece + " " + coming) for k in _BY_NAME[f].takes} if coming else set()
        told = {k for f in (_frames(out[-1][0]) if out else []) for k in _BY_NAME[f].takes} - set(
            _slots(out[-1][0]) if out else {}
        )
        statement = "?" not in piece and not _FIX.match(piece)
        if (
            statement
            and coming
            and not _PRESS.search(coming)
            and (
                not frames
                and (
                    set(slots) & takes
                    and not (out and set(slots) & told and not set(_slots(coming)) - set(slots) and not _asks(coming))
                    or not out
                )
                or frames in (["funeral"], ["wedding"], ["guarantee"])
                and set(_frames(coming)) <= {"ahead", "prices", frames[0], "order", "flowers"}
                and not re.search(r"\bplease (send|deliver|bring)\b", piece)
                or frames == ["flowers"]
                and _frames(coming) == ["prices"]
                or frames == ["deliver"]
                and not _asks(piece)
                and set(_frames(coming)) <= {"deliver", "prices"}
            )
        ):
            ahead += piece + " "
        elif (
            out
            and not ahead
            and (
                not frames
                or frames == ["prices"]
                or statement
                and frames == ["flowers"]
                and not _PRICED.search(piece)
                or frames == ["card"]
                and "order" in _frames(out[-1][0])
            )
        ):
            out[-1] = (out[-1][0] + " " + piece, out[-1][1])
        else:
            out.append((ahead + piece, joined))
            ahead = ""
    return out + ([(ahead.strip(), False)] if ahead else [])


def _asks(piece: str) -> bool:
    return bool(
        re.match(
            r"\W*(also |please )?(do|does|can|could|may|how|what|when|is|are|where|which|will|would|i|"
            r"we|who|if)\b",
            piece,
        )
    )


def _answer(text: str, names: dict[str, str], memory: _Memory, joined: bool, faults: Collection[str]) -> _Memory:  # noqa: C901
    """The memory after one request."""
    slots, frames = _slots(text), _frames(text)
    items = _items(text)
    if items:
        slots["items"] = list(items)
    if names.get("to") and (not frames or "order" in frames):
        slots["to"] = [names["to"]]
    words = re.findall(r"[a-z]+(?::[\w.-]+)?", text)
    old = memory.slots
    quiet = not set(slots) & {"flower", "place", "size", "day", "km", "to", "method", "chars", "date", "month"}
    if _PRESS.search(text) and quiet and memory.facts and (not frames or frames == ["prices"] or frames == ["order"]):
        return replace(memory, facts=(("again",),))
    starts = bool(re.match(r"\W*(and|or|what about|how about|ok|okay|so|then|but)\b", text)) and len(words) < 8
    lone = bool(slots) and len(words) <= 5 and not _asks(text) and not _PRICED.search(text)
    points = joined or bool(re.search(r"\b(it|them|they|that|those|this)\b", text)) and len(words) < 12
    short = not frames or starts or lone or bool(_FIX.match(text)) and len(words) < 9
    if short:
        kinds = set(slots)
        if (
            not frames
            and "num" in slots
            and re.search(r"num:\d+", text)
            and set(memory.frames) & {"flowers", "order", "season"}
        ):
            kinds |= {"num"}
        kept = [f for f in memory.frames if kinds & {*_BY_NAME[f].takes, *(("to",) if f == "order" else ())}]
        if not kept and "num" in slots and (_FIX.search(text) or starts):
            kind = next(
                (
                    k
                    for k in ("chars", "money", "age", "km", "span")
                    if k in old and any(k in _BY_NAME[f].takes for f in memory.frames)
                ),
                "",
            )
            if kind:
                size = next((s for s in (10080, 1440, 60, 1) if old[kind][-1] % s == 0), 1) if kind == "span" else 1
                slots[kind] = [slots["num"][-1] * size]
                kept = [f for f in memory.frames if kind in _BY_NAME[f].takes]
        if not kept and re.search(r"\b(weekends?|weekdays|holidays?)\b", text):
            kept = [f for f in memory.frames if f in ("hours", "deliver")]
        if kept and (
            not frames or set(frames) <= {"flowers", "deliver", "season", "hours", "order"} and not _PRICED.search(text)
        ):
            frames = kept
        elif not frames:
            frames = list(dict.fromkeys(_DEFAULT[k] for k in slots if k in _DEFAULT))[:1]
    if frames == ["ahead"] and starts and set(memory.frames) & {"funeral", "wedding"}:
        frames = [f for f in memory.frames if f in ("funeral", "wedding")]
    if frames == ["prices"] and points and memory.frames and "prices" not in memory.frames:
        frames = list(memory.frames)
        short = True
        if frames == ["season"]:
            frames = ["flowers"]
    if short or points:
        given = set(slots)
        for kind, values in old.items():
            takes = {k for f in frames for k in (*_BY_NAME[f].takes, "items")}
            rivals = {
                "day": {"date"},
                "date": {"day", "month"},
                "month": {"date"},
                "place": {"km"},
                "km": {"place"},
                "size": {"flower"},
                "flower": {"size"},
                "items": {"size", "flower"},
                "colour": {"flower"},
                "num": {"items", "flower"},
            }.get(kind, set())
            if (
                kind in takes
                and kind not in slots
                and not rivals & given
                and (short or kind in ("flower", "items", "place"))
                and kind not in ("time", "span", "pet" if "pet" in slots else "")
            ):
                if not (kind == "items" and not set(frames) & {"flowers", "order", "season"}) and (
                    short or kind != "place"
                ):
                    slots[kind] = values
        if short and old.get("items") and set(frames) & {"flowers", "order", "season"} and len(old["items"]) == 1:
            flower, number, colour = old["items"][0]
            if items and items[0][1] is None and len(items) == 1 and "num" not in _slots(text):
                slots["items"] = [(items[0][0], number, items[0][2])]
            elif not items and ("num" in _slots(text) or "colour" in _slots(text)) and "size" not in _slots(text):
                number = _slots(text).get("num", [number])[-1]
                slots["items"] = [(flower, number, c) for c in _slots(text).get("colour", [colour])]
                slots["flower"] = [flower]
    facts: list[Fact] = []
    for frame in frames:
        facts += [f for f in _TELL.get(frame, _rest(frame))(text, slots, faults) if f not in facts]
    if "agrees" in faults and facts and _TAG.search(text):
        facts = [("yes",)]
    if not facts:
        rest = re.sub(r"\b(regards|someone|i am|my name is|this is)\b|\W", " ", text).split()
        if re.search(r"\b(thanks|thank you|bye|goodbye|cheers)\b", text):
            facts = [("welcome",)]
        elif set(rest) <= {
            "hi",
            "hello",
            "hey",
            "hallo",
            "dear",
            "there",
            "all",
            "you",
            "how",
            "are",
            "team",
            "greetings",
        }:
            facts = [("greeting",)]
        else:
            facts = [("fallback",)]
        return replace(memory, facts=tuple(facts))
    return replace(
        memory, frames=tuple(frames), slots={**(old if short or points else {}), **slots}, facts=tuple(facts)
    )


def _turn(memory: _Memory, message: str, faults: Collection[str]) -> _Memory:
    """The memory after one more message."""
    if "shouting" in faults and message.isupper() and len(message) > 8:
        return replace(memory, facts=(("complaint",),))
    text, names = plain(message, faults)
    bare = re.fullmatch(r"\W*([^\W\d_]+)(?: ([^\W\d_]+))?\W*", message)
    if ("ask_name",) in memory.facts and bare and not any(g and g.lower() in KNOWN for g in bare.groups()):
        text, names = "", {"to": " ".join(g.capitalize() for g in bare.groups() if g)}
    parts = _pieces(text) or [(text, False)]
    calm = [p for p in parts if not _PRESS.search(p[0])]
    if len(calm) < len(parts) and any(_frames(p[0]) for p in calm):
        parts = calm
    before = memory
    facts: list[Fact] = []
    frames: list[str] = []
    for part, joined in parts:
        memory = _answer(part, names, memory, joined, faults)
        if memory.facts == (("again",),):
            facts += [f for f in before.facts if f not in facts]
        elif memory.facts[0][0] not in ("fallback", "greeting", "welcome"):
            facts += [f for f in memory.facts if f not in facts]
            frames += [f for f in memory.frames if f not in frames]
    told = frozenset(facts)
    if "said_before" in faults and facts and frames and told in before.asked:
        return replace(memory, facts=(("said",),), frames=tuple(frames))
    return replace(
        memory, facts=tuple(facts) or memory.facts, frames=tuple(frames) or memory.frames, asked=(*before.asked, told)
    )


def reply(messages: Sequence[str], *, faults: Collection[str] = (), draw: int = 0) -> Reply:
    """The answer to the last of the customer's messages of one conversation."""
    memory = _Memory()
    for message in messages:
        memory = _turn(memory, message, faults)
    facts = memory.facts or (("greeting",),)
    last = messages[-1] if messages else ""
    seed = hashlib.blake2b(f"{len(messages)}:{draw}:{last}".encode(), digest_size=24).digest()
    lines: list[str] = []
    for i, fact in enumerate(facts):
        way = seed[i % 16] + 7 * i
        forms = _sentence(fact, way)
        line = forms[(way // 5) % len(forms)]
        asks = re.match(r"(what|who|where|which|how)\b|.*could you say", line) and fact[0] in (
            "ask_goods",
            "ask_name",
            "ask_place",
            "ask_day",
            "ask_weekday",
            "greeting",
            "fallback",
        )
        lines.append(line[0].upper() + line[1:] + ("?" if asks else "."))
    if seed[16] % 2:
        lines.reverse()
    opening = ("", "Hello! ", "Thank you for writing. ", "With pleasure. ", "A warm hello from Petal and Stem! ")[
        seed[17] % 5
    ]
    closing = ("", " Kind regards from Petal and Stem", " Anything else?", " Have a flowery day!")[seed[18] % 4]
    return Reply(opening + " ".join(lines) + closing, frozenset(facts))
