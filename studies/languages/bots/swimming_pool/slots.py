"""What a message says beside its matter: persons, ages, days, amounts; with negations and corrections applied."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from .text import Token, has

CHILD, ADULT, REDUCED = "child", "adult", "reduced"
ITEMS = ("towel", "robe", "kickboard")
SUBJECTS = [
    "sauna",
    "slide",
    "course",
    "learn",
    "seahorse",
    "aqua",
    "babyswim",
    "other_course",
    "park",
    "locker",
    "key",
    "towel",
    "robe",
    "kickboard",
    "other_item",
    "rent",
    "lost",
    "dog",
    "wear",
    "temp",
    "lane",
    "deep",
    "paying",
    "card",
    "cash",
    "amex",
    "paypal",
    "note",
    "alone",
    "food",
    "alcohol",
    "way",
    "access",
    "photo",
    "wifi",
    "contact",
    "complaint",
    "jobs",
    "ten",
    "annual",
    "voucher",
    "party",
    "cancel",
    "book",
    "medical",
    "discount",
    "privacy",
    "offtopic",
    "last_entry",
    "hairdryer",
    "diaper",
    "ticket",
]
VALUE_KINDS = ("num", "age", "height", "money", "hours", "before", "time", "date", "day")
PERSONS = ("child", "adult", "reduced", "infant", "kin_child", "kin_adult", "people")


@dataclass
class Slots:
    """The values of a request."""

    days: list[int] = field(default_factory=list)
    dates: list[date] = field(default_factory=list)
    bad_dates: list[tuple[int, int]] = field(default_factory=list)
    times: list[int] = field(default_factory=list)
    ages: list[int] = field(default_factory=list)
    heights: list[int] = field(default_factory=list)
    hours: list[float] = field(default_factory=list)
    before: list[int] = field(default_factory=list)
    money: list[int] = field(default_factory=list)
    numbers: list[float] = field(default_factory=list)
    persons: list[tuple[str, int | None]] = field(default_factory=list)
    items: list[tuple[str, int | None]] = field(default_factory=list)
    concepts: set[str] = field(default_factory=set)
    unknown: list[str] = field(default_factory=list)

    def empty(self) -> bool:
        """Whether there is no value at all."""
        return not any(getattr(self, name) for name in self.__dataclass_fields__ if name not in ("concepts", "unknown"))


def kind_of(token: Token) -> str:
    """The kind of value of a token; '' where it is none."""
    if token.kind in VALUE_KINDS:
        return "day" if token.kind == "date" else token.kind
    if any(name.startswith("day") and name[3:].isdigit() for name in token.concepts):
        return "day"
    return ""


def is_subject(token: Token) -> bool:
    """Whether the token names a matter."""
    return token.has(*SUBJECTS)


def without_negated(rows: list[Token]) -> list[Token]:
    """Leave out what the customer does not want."""
    out = list(rows)
    for position, token in enumerate(rows):
        if not token.has("neg", "without"):
            continue
        steps, wish = 0, token.has("without")
        if token.has("negback") and _drop_before(rows, position, out):
            continue
        for later in rows[position + 1 : position + 6]:
            kind = kind_of(later)
            if kind and steps == 0:
                others = [other for other in out if kind_of(other) == kind and other is not later]
                bare = [place for place, other in enumerate(out) if other.kind == "num" and other is not later]
                if not others and bare and kind not in ("day", "time"):
                    out[bare[-1]] = _as(out[bare[-1]], later)
                    others = [out[bare[-1]]]
                if others:
                    _drop(out, later)
                break
            if is_subject(later) and (wish or steps == 0):
                wanted = ("price", "hours", "adult", "people")
                if any((is_subject(other) or other.has(*wanted)) and other is not later for other in out):
                    _drop(out, later)
                break
            wish = wish or later.has("wish")
            if later.kind == "mark" and later.word in ".!?;":
                break
            steps += not later.has("prep")
    return out


def _drop_before(rows: Sequence[Token], position: int, out: list[Token]) -> bool:
    """'Die Sauna brauchen wir nicht': what stands before the negation falls away."""
    before = [
        token for token in rows[max(0, position - 5) : position] if not (token.kind == "mark" and token.word != ",")
    ]
    after = rows[position + 1 : position + 3]
    if before and kind_of(before[-1]) and not any(kind_of(token) for token in after[:1]):
        kind = kind_of(before[-1])
        if any(kind_of(token) == kind and token is not before[-1] for token in out):
            _drop(out, before[-1])
            return True
    named = [token for token in before if is_subject(token)]
    if not named or not any(token.has("wish") for token in before) or any(is_subject(token) for token in after):
        return False
    if any((is_subject(token) or token.has("price", "hours")) and token is not named[-1] for token in out):
        _drop(out, named[-1])
        return True
    return False


def _drop(rows: list[Token], token: Token) -> None:
    for position, other in enumerate(rows):
        if other is token:
            del rows[position]
            return


def _same_kind(kind: str, rows: Sequence[Token]) -> int | None:
    for position in range(len(rows) - 1, -1, -1):
        if kind_of(rows[position]) == kind:
            return position
    if kind == "num":
        for position in range(len(rows) - 1, -1, -1):
            if kind_of(rows[position]) not in ("", "day", "time"):
                return position
    return None


def _as(token: Token, like: Token) -> Token:
    if token.kind != "num" or like.kind == "num":
        return token
    factor = {"age": 12 if like.value % 12 == 0 else 1, "money": 100}.get(like.kind, 1)
    if like.kind == "height" and token.value < 3:
        factor = 100
    kept = token.value * factor
    return Token(like.kind, kept if like.kind == "hours" else round(kept))


def _corrected(rows: list[Token], at: int, deaf: bool) -> list[Token]:
    """Apply the correction marker at this place."""
    reach = 7 if rows[at].has("fix") else 3
    for place in range(at + 1, min(len(rows), at + 1 + reach)):
        token = rows[place]
        kind = kind_of(token)
        if kind:
            before = _same_kind(kind, rows[:at])
            if before is None:
                return rows
            out = list(rows)
            tail = place + 1
            if tail < len(rows) and rows[tail].has(*PERSONS) and kind == "num":
                tail += 1
            if not deaf:
                out[before] = _as(token, rows[before])
            return out[:at] + out[tail:]
        if is_subject(token):
            places = [p for p in range(at) if is_subject(rows[p])]
            if not places or (not rows[at].has("fix") and reach == 3 and place > at + 2):
                return rows
            out = list(rows)
            if not deaf:
                out[places[-1]] = token
            return out[:at] + out[place + 1 :]
        if token.kind == "mark" and token.word in ".!?;\n" and not rows[at].has("fix"):
            return rows
    return rows


def corrected(rows: list[Token], deaf: bool) -> list[Token]:
    """Put the corrected values in the place of the first ones."""
    at = len(rows) - 1
    while at > 0:
        if at < len(rows) and rows[at].has("fix", "weakfix"):
            rows = _corrected(rows, at, deaf)
        at -= 1
    return rows


def read(rows: Sequence[Token]) -> Slots:
    """The values of these tokens."""
    slots = Slots()
    fields: dict[str, list[Any]] = {
        "date": slots.dates,
        "bad_date": slots.bad_dates,
        "time": slots.times,
        "height": slots.heights,
        "hours": slots.hours,
        "before": slots.before,
        "money": slots.money,
    }
    for token in rows:
        slots.concepts |= token.concepts
        if token.kind in fields and token.value not in fields[token.kind]:
            fields[token.kind].append(token.value)
        for name in token.concepts:
            if name.startswith("day") and name[3:].isdigit():
                slots.days += [int(digit) for digit in name[3:] if int(digit) not in slots.days]
        if token.has("other_item", "other_course"):
            slots.unknown.append(token.word)
    slots.ages = [token.value for token in rows if token.kind == "age"]
    used = _items(rows, slots)
    used |= _persons(rows, slots, used)
    slots.numbers = [token.value for place, token in enumerate(rows) if token.kind == "num" and place not in used]
    return slots


def _items(rows: Sequence[Token], slots: Slots) -> set[int]:
    """The things to hire; returns the places of the numbers that count them."""
    used: set[int] = set()
    for place, token in enumerate(rows):
        for item in ITEMS:
            if not token.has(item):
                continue
            where = _item_count(rows, place, used)
            used |= {where} if where is not None else set()
            if item not in [name for name, _ in slots.items]:
                slots.items.append((item, int(rows[where].value) if where is not None else None))
    return used


def _item_count(rows: Sequence[Token], place: int, used: set[int]) -> int | None:
    for before in range(place - 1, max(-1, place - 3), -1):
        if rows[before].kind == "num" and before not in used:
            return before
        if rows[before].kind == "mark" or rows[before].has(*ITEMS):
            break
    return None


def _category(token: Token) -> str:
    for name in ("reduced", "infant", "child", "kin_child", "adult", "kin_adult", "people"):
        if token.has(name):
            return name
    return ""


def _count(rows: Sequence[Token], place: int, used: set[int]) -> tuple[int, int | None]:
    for before in range(place - 1, max(-1, place - 3), -1):
        token = rows[before]
        if token.kind == "num" and before not in used and token.value == int(token.value):
            return int(token.value), before
        if token.kind not in ("word", "num") or _category(token):
            break
    return 1, None


def _persons(rows: Sequence[Token], slots: Slots, taken: Collection[int]) -> set[int]:
    """The persons of the message; returns the places of the numbers that count them."""
    used = set(taken)
    persons: list[tuple[str, int | None]] = []
    fresh_age = -9
    for place, token in enumerate(rows):
        category = _category(token)
        if token.kind == "age":
            open_places = [p for p, (cat, age) in enumerate(persons) if age is None and cat != ADULT]
            if open_places and not _noun_follows(rows, place) and not _begins_person(rows, place):
                group = _group(persons, open_places)
                persons[group] = (persons[group][0], token.value)
            else:
                count, where = _count(rows, place, used)
                used |= {where} if where is not None else set()
                persons += [("aged", token.value)] * count
                fresh_age = place
        elif category:
            if place - fresh_age <= 2:
                if category == "reduced":
                    persons[-1] = (REDUCED, persons[-1][1])
                continue
            count, where = _count(rows, place, used)
            used |= {where} if where is not None else set()
            persons += [(category, None)] * min(count, 200)
        elif token.has("self"):
            persons.append(("adult", None))
        elif token.has("family"):
            _family(rows, place, persons, used)
    if not persons and any(token.has("lower") for token in rows):
        persons.append((REDUCED, None))
    slots.persons = persons
    return used


def _begins_person(rows: Sequence[Token], place: int) -> bool:
    """Whether an age stands for a further person: 'a student and a 14-year-old'."""
    before = rows[place - 1] if place else Token("mark")
    if before.word in ("a", "an", "ein", "eine", "einen", "einem", "einer"):
        return True
    return before.has("and") and place > 1 and rows[place - 2].kind != "age"


def _noun_follows(rows: Sequence[Token], place: int) -> bool:
    return any(_category(token) for token in rows[place + 1 : place + 2])


def _group(persons: list[tuple[str, int | None]], open_places: list[int]) -> int:
    last = persons[open_places[-1]][0]
    return min(p for p in open_places if persons[p][0] == last)


def _family(rows: Sequence[Token], place: int, persons: list[tuple[str, int | None]], used: set[int]) -> None:
    for after in range(place + 1, min(len(rows), place + 4)):
        if rows[after].kind == "num" and after not in used:
            following = rows[after + 1] if after + 1 < len(rows) else None
            if following is not None and _category(following) in ("child", "kin_child"):
                persons += [("adult", None)] * 2
            elif rows[after].value >= 3 and (following is None or not _category(following)):
                used.add(after)
                persons += [("adult", None)] * 2 + [("child", None)] * (int(rows[after].value) - 2)
            return
        if _category(rows[after]):
            return


def merged(old: Slots, new: Slots, primary: str) -> Slots:
    """A request with values changed by a later message."""
    out = replace(old, concepts=old.concepts | new.concepts)
    for name in Slots.__dataclass_fields__:
        if name not in ("concepts", "numbers") and getattr(new, name):
            setattr(out, name, getattr(new, name))
    if new.days and not new.dates:
        out.dates = []
    if new.dates and not new.days:
        out.days = []
    if new.numbers:
        if primary == "persons" and old.persons and not new.persons:
            last = old.persons[-1]
            kept = [person for person in old.persons if person != last]
            out.persons = kept + [last] * int(new.numbers[0])
        elif primary == "items" and old.items:
            out.items = [(name, None) for name, _ in old.items[-1:]]
            out.numbers = list(new.numbers)
        else:
            out.numbers = list(new.numbers)
            if primary == "ages":
                out.persons = [(cat, None) for cat, _ in out.persons]
            if primary in Slots.__dataclass_fields__ and not getattr(new, primary) and primary not in ("persons",):
                setattr(out, primary, [])
    if primary == "ages" and new.ages:
        out.numbers = []
        out.persons = new.persons or []
    return out


def mentions(rows: Sequence[Token], *names: str) -> bool:
    """Whether the tokens stand for any of these concepts."""
    return has(rows, *names)
