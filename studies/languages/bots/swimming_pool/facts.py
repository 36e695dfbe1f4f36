"""The facts of the Lindenbad, and what a request about each matter is told."""

from collections.abc import Callable, Collection
from datetime import date
from difflib import SequenceMatcher
from typing import Any

from .slots import Slots

Fact = tuple[Any, ...]

HOURS = {0: (840, 1260), 5: (540, 1200), 6: (540, 1200)} | dict.fromkeys((1, 2, 3, 4), (390, 1290))
CLOSED = {date(2027, 1, 1), date(2027, 12, 24), date(2027, 12, 25)}
SHORT = {date(2027, 12, 31): (540, 840)}
HOLIDAYS = {
    date(2027, month, day)
    for month, day in ((3, 26), (3, 28), (3, 29), (5, 1), (5, 6), (5, 16), (5, 17), (5, 27), (10, 3), (11, 1), (12, 26))
}
REVISION = (date(2027, 8, 30), date(2027, 9, 12))
PRICES = {"adult": (950, 650), "child": (550, 400), "reduced": (750, 500)}
FAMILY = 2600
COURSES: dict[str, tuple[int, int, int, int, int, tuple[date, ...]]] = {
    # price, lessons, minutes, weekday, start of a lesson, first days
    "kids": (14900, 12, 45, 0, 960, (date(2027, 4, 12), date(2027, 9, 13))),
    "adults": (17900, 10, 60, 2, 1170, (date(2027, 4, 14), date(2027, 9, 15))),
    "aqua": (9500, 10, 45, 3, 1110, (date(2027, 4, 15), date(2027, 9, 16))),
    "baby": (8800, 8, 30, 5, 570, (date(2027, 4, 17), date(2027, 9, 18))),
}
COURSE_AGES = {"kids": (60, 144), "adults": (192, 9999), "aqua": (192, 9999), "baby": (4, 12)}
RENT = {"towel": 400, "robe": 600, "kickboard": 0}
TEMPS = {"sport": 27, "leisure": 31, "kids": 33, "salt": 34}
DEPTHS = {"sport": 200, "leisure": 135, "kids": 30, "salt": 125}


def reaches(value: int, limit: int, faults: Collection[str]) -> bool:
    """Whether a value is high enough."""
    return value > limit if "boundary" in faults else value >= limit


def opening(day: date, faults: Collection[str]) -> tuple[int, int] | None:
    """The hours of a date; None where the pool is closed."""
    if "holidays_forgotten" not in faults:
        if day in CLOSED:
            return None
        if day in SHORT:
            return SHORT[day]
        if day in HOLIDAYS:
            return HOURS[6]
    if REVISION[0] <= day <= REVISION[1]:
        return None
    return HOURS[day.weekday()]


def hours(slots: Slots, faults: Collection[str]) -> list[Fact]:
    """Opening hours."""
    facts: list[Fact] = [("bad_date", *pair) for pair in slots.bad_dates]
    for day in slots.dates:
        if day.year != 2027:
            facts.append(("other_year", day.year))
            continue
        span = opening(day, faults)
        facts.append(("hours_date", day, *span) if span else ("closed_date", day))
        facts += [("open_at_date", day, time, span[0] <= time < span[1]) for time in slots.times if span]
    if not slots.dates:
        for number in slots.days:
            span = HOURS[number]
            facts.append(("hours_day", number, *span))
            facts += [("open_at_day", number, time, span[0] <= time < span[1]) for time in slots.times]
        if "holiday" in slots.concepts:
            facts.append(("hours_holiday", *HOURS[6]))
    if not facts:
        facts = [("hours_mon", *HOURS[0]), ("hours_tuefri", *HOURS[1]), ("hours_weekend", *HOURS[6])]
        facts.append(("revision", *REVISION))
    return facts


def category(person: tuple[str, int | None]) -> str:
    """The rate of a person."""
    name, age = person
    if name == "infant" and age is None:
        return "small"
    if age is None:
        return {"kin_child": "child", "kin_adult": "adult", "people": "adult"}.get(name, name)
    if age < 48:
        return "small"
    if age < 192:
        return "child"
    return "reduced" if name == "reduced" or age >= 780 else "adult"


def cheapest(adults: int, children: int, others: int, short: bool) -> tuple[int, str]:
    """The lowest price of a party, and the rule behind it."""
    rate = {name: pair[1 if short else 0] for name, pair in PRICES.items()}
    plain = adults * rate["adult"] + children * rate["child"] + others * rate["reduced"]
    options = [(plain, "plain")]
    if adults + children + others >= 10:
        options.append((round(plain * 0.9), "group"))
    if not short:
        for families in range(1, adults // 2 + 1):
            rest = (adults - 2 * families) * rate["adult"] + others * rate["reduced"]
            options.append((families * FAMILY + rest + max(0, children - 3 * families) * rate["child"], "family"))
    return min(options, key=lambda pair: pair[0])


def price(slots: Slots, faults: Collection[str]) -> list[Fact]:
    """Tickets."""
    persons = [category(person) for person in slots.persons]
    persons += [category(("aged", int(number) * 12)) for number in slots.numbers if not persons and 0 < number < 100]
    count = {name: persons.count(name) for name in ("adult", "child", "reduced", "small")}
    if "family" in slots.concepts and not persons:
        return [("family", FAMILY)]
    if not persons:
        table: list[Fact] = [("price", name, *PRICES[name]) for name in PRICES]
        return [*table, ("free_under", 48), ("family", FAMILY), ("group", 10, 10)]
    paying = len(persons) - count["small"]
    if paying == 0:
        return [("free_under", 48)]
    if len(set(persons)) == 1 and len(persons) == 1:
        return [("price", persons[0], *PRICES[persons[0]])]
    key = (count["adult"], count["child"], count["reduced"], count["small"])
    facts: list[Fact] = [("party", *key)]
    facts.append(("total_day", *cheapest(*key[:3], short=False)))
    return [*facts, ("total_short", *cheapest(*key[:3], short=True))]


def ages_of(slots: Slots) -> list[int]:
    """The ages of a request, bare numbers included."""
    return slots.ages or [int(number * 12) for number in slots.numbers if 0 < number < 110]


def sauna(slots: Slots, faults: Collection[str]) -> list[Fact]:
    """Sauna."""
    facts: list[Fact] = [("sauna_price", 1200), ("sauna_age", 192), ("sauna_hours", 600, 1200), ("sauna_women", 2)]
    facts += [("bad_date", *pair) for pair in slots.bad_dates]
    for day in slots.dates:
        facts.append(("sauna_date", day, opening(day, faults) is not None and (day.weekday() > 0 or day in HOLIDAYS)))
    if not slots.dates:
        facts += [("sauna_day", number, number != 0) for number in slots.days]
    facts += [("sauna_time", time, 600 <= time < 1200) for time in slots.times]
    return facts + [("sauna_verdict", age, reaches(age, 192, faults)) for age in ages_of(slots)]


def slide(slots: Slots, faults: Collection[str]) -> list[Fact]:
    """Water slide."""
    heights = list(slots.heights)
    for number in slots.numbers:
        if not heights and (0.5 <= number <= 2.3 or 50 <= number <= 230):
            heights.append(round(number * 100) if number < 3 else round(number))
    facts: list[Fact] = [("slide_height", 120), ("slide_length", 86)]
    return facts + [("slide_verdict", height, reaches(height, 120, faults)) for height in heights]


def course_kind(slots: Slots) -> str:
    """Which course the request is about; '' where it is open."""
    names = slots.concepts
    if "aqua" in names:
        return "aqua"
    if "babyswim" in names or ("infant" in names and "course" in names):
        return "baby"
    ages = ages_of(slots)
    if "seahorse" in names:
        return "kids"
    if ages:
        return "baby" if ages[0] <= 12 else "kids" if ages[0] < 192 else "adults"
    if names & {"child", "kin_child"}:
        return "kids"
    if names & {"adult", "kin_adult", "self"}:
        return "adults"
    return ""


def course_facts(kind: str) -> list[Fact]:
    """All about a course."""
    cost, lessons, minutes, weekday, time, starts = COURSES[kind]
    low, high = COURSE_AGES[kind]
    limits: Fact = ("course_ages", kind, low, high) if high < 9999 else ("course_from", kind, low)
    return [
        ("course", kind, cost, lessons, minutes),
        ("course_time", kind, weekday, time),
        limits,
        ("course_starts", kind, *starts),
    ]


def nearest(name: str, names: Collection[str]) -> str:
    """The name in our list that looks most like the one asked for."""
    return max(sorted(names), key=lambda other: SequenceMatcher(None, name, other).ratio())


def course(slots: Slots, faults: Collection[str]) -> list[Fact]:
    """Courses."""
    if "other_course" in slots.concepts and not slots.concepts & {"aqua", "seahorse", "babyswim"}:
        if "nearest_offer" in faults:
            return course_facts(nearest(slots.unknown[0] if slots.unknown else "", COURSES))
        return [("no_such_course",), ("course_list",)]
    kind = course_kind(slots)
    if not kind:
        return [("course_list",)] + [("course", name, *row[:3]) for name, row in COURSES.items()]
    facts = course_facts(kind)
    low, high = COURSE_AGES[kind]
    return facts + [("course_verdict", kind, age, low <= age <= high + 11 * (kind == "kids")) for age in ages_of(slots)]


def parking(slots: Slots, faults: Collection[str]) -> list[Fact]:
    """Car park."""
    facts: list[Fact] = [("parking", 3, 150, 900)]
    spans = slots.hours or [number for number in slots.numbers if 0 < number <= 24]
    for span in spans:
        begun = max(0, -int(-span // 1) - 3)
        facts.append(("parking_fee", span, min(900, begun * 150)))
    return facts


def rental(slots: Slots, faults: Collection[str]) -> list[Fact]:
    """Things to hire."""
    facts: list[Fact] = []
    items = list(slots.items)
    if "other_item" in slots.concepts:
        if "nearest_offer" in faults:
            items += [(nearest(name, RENT), None) for name in slots.unknown[:1]]
        else:
            facts.append(("not_rented",))
    for name, count in items:
        number = count if count is not None else int(slots.numbers[0]) if slots.numbers else 1
        facts.append(("rent", name, RENT[name]))
        if number > 1:
            facts.append(("rent_total", name, number, RENT[name] * number))
    if not items and facts:
        return facts
    if not items:
        facts += [("rent", name, cost) for name, cost in RENT.items()]
    return [*facts, ("rent_deposit", 1000)]


def cancel(slots: Slots, faults: Collection[str]) -> list[Fact]:
    """Cancelling a course or a party."""
    facts: list[Fact] = [("cancel_rule", 14, 50)]
    spans = list(slots.before) or [int(number) for number in slots.numbers if number < 100]
    if not spans and len(slots.dates) == 2:
        spans = [abs((slots.dates[0] - slots.dates[1]).days)]
    for days in spans:
        facts.append(("cancel_fee", days, 0 if days >= 14 else 50 if days >= 1 else 100))
    return facts


def party_count(slots: Slots) -> int | None:
    """The number of children of a party."""
    names = [name for name, _ in slots.persons]
    children = sum(name in ("child", "people", "aged") for name in names)
    friends, kin = names.count("kin_adult"), names.count("kin_child")
    if friends > 1:
        children += friends + kin
    elif children < 2:
        children += kin
    if children > 1:
        return children
    whole = [int(number) for number in slots.numbers if number == int(number) and number > 1]
    return whole[-1] if whole else None


def party_ages(slots: Slots) -> list[int]:
    """Ages named for a party."""
    return list(dict.fromkeys(slots.ages))


def party(slots: Slots, faults: Collection[str]) -> list[Fact]:
    """Children's birthday."""
    facts: list[Fact] = [("party_price", 1490), ("party_size", 6, 15), ("party_age", 72, 144)]
    facts += [("party_days", 5, 6, 840), ("party_hours", 3)]
    count = party_count(slots)
    if count is not None:
        facts.append(("party_total", count, count * 1490) if 6 <= count <= 15 else ("party_no_size", count))
    facts += [("party_age_verdict", age, 72 <= age <= 155) for age in party_ages(slots)]
    return facts + party_day(slots, faults)


def party_day(slots: Slots, faults: Collection[str]) -> list[Fact]:
    """Whether parties take place on the days asked for."""
    facts: list[Fact] = [("bad_date", *pair) for pair in slots.bad_dates]
    for day in slots.dates:
        facts.append(("party_date", day, day.weekday() in (5, 6) and opening(day, faults) is not None))
    if not slots.dates:
        facts += [("party_weekday", number, number in (5, 6)) for number in slots.days]
    return facts


def rates(key: str, table: dict[str, int]) -> Callable[[Slots, Collection[str]], list[Fact]]:
    """An answer by rate: ten visits or a year."""

    def answer(slots: Slots, faults: Collection[str]) -> list[Fact]:
        names = [name for name in map(category, slots.persons) if name in table]
        chosen = list(dict.fromkeys(names)) or list(table)
        return [(key, name, table[name]) for name in chosen] + [(key + "_rule",)]

    return answer


def voucher(slots: Slots, faults: Collection[str]) -> list[Fact]:
    """Vouchers."""
    amounts = slots.money or [int(number * 100) for number in slots.numbers]
    facts: list[Fact] = [("voucher", 1000, 25000, 3)]
    return facts + [("voucher_verdict", amount, 1000 <= amount <= 25000) for amount in amounts]


def alone(slots: Slots, faults: Collection[str]) -> list[Fact]:
    """Children without company."""
    facts: list[Fact] = [("alone_rule", 96)]
    if "cantswim" in slots.concepts:
        facts.append(("alone_nonswimmer",))
    for age in ages_of(slots):
        facts.append(("alone_verdict", age, reaches(age, 96, faults) and "cantswim" not in slots.concepts))
    return facts


def pools(key: str, table: dict[str, int]) -> Callable[[Slots, Collection[str]], list[Fact]]:
    """An answer by pool: temperature or depth."""

    def answer(slots: Slots, faults: Collection[str]) -> list[Fact]:
        names = [name for name in table if "pool_" + name in slots.concepts]
        return [(key, name, table[name]) for name in names or table]

    return answer


def paying(slots: Slots, faults: Collection[str]) -> list[Fact]:
    """Ways to pay."""
    facts: list[Fact] = [("paying",)]
    if "amex" in slots.concepts:
        facts.append(("no_amex",))
    amounts = slots.money or [int(n * 100) for n in slots.numbers if n in (5, 10, 20, 50, 100, 200, 500)]
    if "note" in slots.concepts:
        facts.append(("notes", 5000))
        facts += [("note_verdict", amount, amount <= 5000) for amount in amounts]
    return facts


def fixed(*facts: Fact) -> Callable[[Slots, Collection[str]], list[Fact]]:
    """An answer that is always the same."""

    def answer(slots: Slots, faults: Collection[str]) -> list[Fact]:
        return list(facts)

    return answer


ANSWERS: dict[str, Callable[[Slots, Collection[str]], list[Fact]]] = {
    "hours": hours,
    "price": price,
    "sauna": sauna,
    "slide": slide,
    "course": course,
    "parking": parking,
    "locker": fixed(("locker", 200), ("locker_key", 2500)),
    "rental": rental,
    "cancel": cancel,
    "party": party,
    "ten": rates("ten", {"adult": 8550, "child": 4950, "reduced": 6750}),
    "annual": rates("annual", {"adult": 39000, "child": 22000, "reduced": 31000}),
    "voucher": voucher,
    "alone": alone,
    "temp": pools("temp", TEMPS),
    "depth": pools("depth", DEPTHS),
    "lanes": fixed(("lanes", 6, 25), ("lanes_time", 390, 480)),
    "paying": paying,
    "lost": fixed(("lost", 4), ("lost_desk",)),
    "dog": fixed(("dogs",)),
    "wear": fixed(("wear",)),
    "food": fixed(("bistro", 660, 1140), ("own_food",)),
    "alcohol": fixed(("alcohol",)),
    "way": fixed(("address",), ("bus", 14)),
    "access": fixed(("access",), ("access_free",)),
    "photo": fixed(("photo",)),
    "wifi": fixed(("wifi",)),
    "contact": fixed(("contact",)),
    "complaint": fixed(("complaint",)),
    "jobs": fixed(("jobs",)),
    "hairdryer": fixed(("hairdryer",)),
    "diaper": fixed(("diaper", 200)),
    "last_entry": fixed(("last_entry", 60)),
    "medical": fixed(("no_medical",)),
    "discount": fixed(("no_discount",)),
    "privacy": fixed(("no_privacy",)),
    "offtopic": fixed(("no_offtopic",)),
    "booking": fixed(("no_booking_needed",)),
}
PRIMARY = {
    "sauna": "ages",
    "alone": "ages",
    "course": "ages",
    "slide": "heights",
    "parking": "hours",
    "rental": "items",
    "cancel": "before",
    "voucher": "money",
    "price": "persons",
    "party": "persons",
    "paying": "money",
}
