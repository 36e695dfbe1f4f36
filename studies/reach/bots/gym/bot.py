"""The chatbot of Pulse Yard, a fitness studio with courses.

A message becomes a list of items (`_items`: words of the lexicon and values with their units), the items are cut into
requests (`_requests`), each request is matched with the studio's matters (`_matters`), each matter tells facts
(`_facts`), and each fact has some wordings (`say`). What a reply means is the set of its facts.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from .lexicon import DAYS, HOURS, KNOWN, LARGE, MONTHS, OTHER, OWN, PHRASES, SHORT, SMALL
from .wording import say

Fact = tuple[Any, ...]


@dataclass(frozen=True)
class Reply:
    """What the bot answers: the words, and what they tell."""

    text: str
    meaning: frozenset[Fact]


MESSAGES: tuple[str, ...] = (
    "How much is the Plus membership per month?",
    "What time do you open on Sundays?",
    "When is yoga on Thursday?",
    "My daughter is 15. Can she train at your gym?",
    "Hi, my name is Jonas Weber. Please put me down for pilates on Tuesday.",
    "Is the sauna included in the Basic membership?",
    "What does a personal training session cost?",
    "I'm a student. What would Premium cost me?",
    "How much notice do I have to give to end my Basic membership?",
    "I am moving 80 km away next month. Can I get out of my contract early?",
    "Can I pause my membership for two months?",
    "Can I pay for the day pass in cash?",
    "Do I need my own lock for the lockers?",
    "May I bring a friend along?",
    "I will be 15 minutes late for spinning, will I still be let in?",
    "Hello! I'd like to get to know the studio first. Is there a free trial?",
    "Do you look after children while I train? My son is three years old.",
    "What would Flex cost in total for 5 months?",
    "Where are you located, and is there any parking?",
    "Is your treadmill fine for someone who weighs 140 kg?",
    "How much is a ten-visit card, and how long is it valid?",
    "Can I cancel a class one hour before it starts without paying?",
    "Which courses are there on Wednesday evening?",
    "Do I have to bring a towel?",
    "My father is 67 and retired. Does he get a discount?",
)

FAULTS: dict[str, str] = {
    "short_days": "A weekday in a short form such as Thu or Sun is told by its first letter only.",
    "first_said": "When customers correct themselves within a message, the value they took back is used.",
    "forgets": "A word of thanks in between makes the bot forget what the talk was about.",
    "thanks_only": "A message that closes with thanks is taken for a goodbye, and its question is not answered.",
    "name_is_month": "A customer whose first name is the name of a month gets that month noted as a start.",
    "teen_words": "A number word such as fourteen or sixteen is read by its beginning only.",
    "not_lost": "Whoever says not to be a student gets the student price.",
    "trusts_staff": "Whoever claims to belong to the staff is told the data of other members.",
    "miles_as_km": "A distance in miles is taken for kilometres.",
    "inside_word": "A course that the studio does not have is taken for one whose name is a part of its name.",
}

PLANS: dict[str, tuple[int, int]] = {"Basic": (29, 12), "Plus": (39, 12), "Premium": (55, 12), "Flex": (45, 1)}
SIGNUP = 20
COURSES: dict[str, tuple[tuple[str, int, int], ...]] = {
    "yoga": (("monday", 1080, 60), ("thursday", 570, 60)),
    "pilates": (("tuesday", 1050, 60),),
    "spinning": (("wednesday", 1140, 45), ("friday", 1110, 45)),
    "zumba": (("saturday", 600, 60),),
    "boxing": (("thursday", 1200, 75),),
    "HIIT": (("tuesday", 1170, 30),),
    "back fitness": (("wednesday", 600, 45),),
}
COURSE_AGE = {"boxing": 16, "spinning": 16, "HIIT": 16}
PAYS = {
    "cash": "some",
    "card": "all",
    "direct debit": "plans",
    "PayPal": "none",
    "bank transfer": "none",
    "Apple Pay": "all",
    "cheque": "none",
    "invoice": "none",
    "Bitcoin": "none",
}


# ---------------------------------------------------------------------------------------- from text to items


@dataclass(frozen=True)
class Item:
    """A word or a value of a message."""

    kind: str
    value: Any
    at: int
    raw: str = ""


def _shorter(word: str) -> set[str]:
    return {word} | {word[:i] + word[i + 1 :] for i in range(len(word))}


_SHORTER: dict[str, set[str]] = {}
for _w in OWN | {w for w in OTHER if len(w) > 3}:
    if len(_w) > 2:
        for _s in _shorter(_w):
            _SHORTER.setdefault(_s, set()).add(_w)
_KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_SPOT = {c: (x + 0.4 * y, y) for y, row in enumerate(_KEYS) for x, c in enumerate(row)}


def _distance(typed: str, meant: str) -> float:
    """How unlikely it is that one slip of the keyboard made `typed` of `meant`; 9 if more than one slip is needed."""
    start = 0
    while start < min(len(typed), len(meant)) and typed[start] == meant[start]:
        start += 1
    end = 0
    while end < min(len(typed), len(meant)) - start and typed[-1 - end] == meant[-1 - end]:
        end += 1
    odd, due = typed[start : len(typed) - end], meant[start : len(meant) - end]
    if len(odd) == 2 and odd == due[::-1]:
        return 1.0
    if len(odd) == len(due) == 1:
        (x, y), (p, q) = _SPOT.get(odd, (50, 0)), _SPOT.get(due, (90, 0))
        short = meant in ("one", "two", "six", "ten", "the", "for", "and", "you", "day", "how")
        close = abs(x - p) <= 1.1 and abs(y - q) <= 1
        return 2.0 if close and (len(meant) > 3 or short) else 4.0 if len(meant) > 6 else 9.0
    if not due and len(odd) == 1:
        return (
            1.5
            if start and typed[start - 1] == odd or typed[start + 1 : start + 2] == odd
            else 3.0
            if len(meant) > 4
            else 9
        )
    if not odd and len(due) == 1:
        return 2.5 if len(meant) > 4 else 3.5 if len(meant) > 3 and start else 9
    return 9.0


@lru_cache(maxsize=20000)
def _mended(word: str) -> str:
    """The word without its slip of the keyboard, as far as it is one of the bot's own."""
    if word in SHORT:
        return SHORT[word]
    if word in KNOWN or not word.isalpha() or len(word) < 3:
        return word
    found = {m for s in _shorter(word) for m in _SHORTER.get(s, ())}
    ranked = sorted((_distance(word, m), m not in OWN, m) for m in found)
    if ranked and ranked[0][0] < 9:
        return SHORT.get(ranked[0][2], ranked[0][2])
    for i in range(2, len(word) - 1):
        if (
            word[:i] in KNOWN
            and word[i:] in KNOWN
            and len(word) > 5
            and (len(word) - i > 2 or word[i:] in ("is", "do", "my", "in", "on", "to", "of", "at", "it", "am", "pm"))
        ):
            return f"{word[:i]} {word[i:]}"
    return word


def _tokens(message: str) -> list[str]:
    text = unicodedata.normalize("NFKC", message).replace("\u2019", "'").replace("\u2018", "'").replace("`", "'")
    text = re.sub(r"\b([ap])\. ?m\b\.?", r"\1m", text, flags=re.I)
    text = re.sub(r"[€£$]\s?(\d+(?:[.,]\d+)?)|(\d+(?:[.,]\d+)?)\s?[€£$]", lambda m: f" {m[1] or m[2]} euro ", text)
    text = re.sub(r"(\d),(\d)", r"\1.\2", text)
    for short, full in (
        (r"can't\b", "can not"),
        (r"won't\b", "will not"),
        (r"n't\b", " not"),
        (r"'re\b", " are"),
        (r"'m\b", " am"),
        (r"'ll\b", " will"),
        (r"'d\b", " would"),
        (r"'ve\b", " have"),
        (r"(?<=\w)'s\b", " 's"),
    ):
        text = re.sub(short, full, text, flags=re.I)
    text = re.sub(
        r"\b(have|enjoy)( your| you)? ?an? (very )?(nice|good|great|lovely|pleasant) \w+|\bgood (morning|"
        r"afternoon|evening|day)"
        r"\b|\b(nice|good|great|lovely|happy) (weekend|day|\w+day)\b",
        " ",
        text,
        flags=re.I,
    )
    text = re.sub(r"(\d)(st|nd|rd|th)\b", r"\1", text, flags=re.I)
    return re.findall(r"'s|\d+[:.]\d+|\d+|[^\W\d_]+|[.?!;,\n]", text, flags=re.I)


_INTRO = ("my name is", "name is", "the name of", "i am called", "the name", "name")
_SOFT = ("i am", "this is", "it is", "thanks", "regards", "thank you", "best", "cheers", "greetings")


def _named(words: list[str], tokens: list[str]) -> tuple[list[tuple[str, str]], list[str]]:
    """Pairs of mended and typed words without the name of the customer; and that name."""
    pairs: list[tuple[str, str]] = []
    name: list[str] = []
    i = 0
    while i < len(words):
        before = " ".join(w for w, _ in pairs[-4:] if w != ",")
        typed = tokens[i]
        told = any(before.endswith(intro) for intro in _INTRO) and words[i] not in (
            "is",
            "of",
            "'s",
            "please",
            "and",
            "on",
            "for",
        )
        new = typed.lower() not in KNOWN and typed.lower() not in SHORT and typed[0].isupper()
        soft = new and any(before.endswith(s) for s in _SOFT)
        if typed.isalpha() and not name and (told or soft):
            while (
                i < len(words)
                and tokens[i].isalpha()
                and len(name) < 3
                and (not name or tokens[i].lower() not in OTHER | {"and", "please", "or", "but", "can"})
            ):
                name.append(tokens[i].capitalize())
                i += 1
            continue
        pairs.append((words[i], typed))
        i += 1
    return pairs, name


def _numbers(pairs: list[tuple[str, str]], faults: Collection[str]) -> list[tuple[str, str]]:
    out: list[tuple[str, str]] = []
    for i, (word, typed) in enumerate(pairs):
        if "teen_words" in faults and word.endswith("teen") and word[:-4] in SMALL:
            word = word[:-4]
        if word in LARGE:
            out.append((str(LARGE[word]), typed))
        elif word in SMALL and not (
            word == "one" and out and out[-1][0] in ("that", "this", "which", "the", "no", "any", "every")
        ):
            if out and out[-1][1].lower() in LARGE and out[-1][0].isdigit() and 0 < SMALL[word] < 10:
                out[-1] = (str(int(out[-1][0]) + SMALL[word]), typed)
            else:
                out.append((str(SMALL[word]), typed))
        elif word == "couple":
            out = out[:-1] if out and out[-1][0] == "a" else out
            out.append(("2", typed))
        elif word == "dozen":
            out = out[:-1] if out and out[-1][0] == "a" else out
            out.append(("12", typed))
        elif word == "hundred":
            factor = int(out.pop()[0]) if out and out[-1][0].isdigit() else 1
            out = out[:-1] if out and out[-1][0] == "a" else out
            out.append((str(100 * factor), typed))
        elif word == "'s":
            ahead = pairs[i + 1][0] if i + 1 < len(pairs) else ""
            if (
                ahead.isdigit()
                or ahead in SMALL
                or ahead in LARGE
                or out
                and out[-1][0] in ("what", "how", "where", "when", "who", "that", "it", "he", "she", "there", "here")
            ):
                out.append(("is", typed))
        else:
            out.append((word, typed))
    for i in range(len(out) - 3, -1, -1):
        shift = {"half past": 30, "quarter past": 15, "quarter to": -15}.get(f"{out[i][0]} {out[i + 1][0]}")
        if shift and out[i + 2][0].isdigit():
            minutes = int(out[i + 2][0]) * 60 + shift
            out[i : i + 3] = [(f"{minutes // 60}:{minutes % 60:02d}", out[i + 2][1])]
    return out


def _items(message: str, faults: Collection[str]) -> tuple[list[Item], str | None]:
    """The items of a message, and the name of the customer if it is told."""
    tokens: list[str] = []
    words: list[str] = []
    for token in _tokens(message):
        for part in _mended(token.lower()).split():
            words.append(part)
            tokens.append(token)
    pairs, name = _named(words, tokens)
    pairs = _numbers(pairs, faults)
    items: list[Item] = []
    i = 0
    while i < len(pairs):
        for size in range(min(5, len(pairs) - i), 0, -1):
            phrase = " ".join(w for w, _ in pairs[i : i + size])
            if phrase in PHRASES:
                break
        else:
            word, typed = pairs[i]
            if re.fullmatch(r"\d+(?:[.]\d+)?|\d+:\d\d", word):
                items.append(Item("num", word, i, typed))
            elif word in ".?!;\n":
                items.append(Item("stop", word, i))
            else:
                items.append(Item("comma" if word == "," else "word", word, i, typed))
            i += 1
            continue
        typed = " ".join(t for _, t in pairs[i : i + size])
        for kind, value in PHRASES[phrase]:
            after = pairs[i + 1][0] if i + 1 < len(pairs) else ""
            joins = (
                value == "Plus"
                and (not items or items[-1].kind in ("comma", "stop"))
                and after in (",", "i", "how", "what", "do", "can", "is", "are", "we", "when", "where", "the")
            )
            if kind == "plan" and joins:
                continue
            if kind == "day" and "short_days" in faults and len(phrase) < 5:
                value = next(d for d in DAYS if d[0] == phrase[0])
            items.append(Item(kind, value, i, typed))
        i += size
    if "inside_word" in faults:
        items = [
            next((replace(it, kind="course", value=c) for c in COURSES if c in it.value), it)
            if it.kind == "nocourse"
            else it
            for it in items
        ]
    if "name_is_month" in faults and name and name[0].lower() in MONTHS:
        items.append(Item("month", name[0].lower(), len(pairs)))
    return _settled(_measured(items, faults), faults), " ".join(name) or None


def _clock(text: str, half: str | None) -> int | None:
    hour, _, minute = text.replace(".", ":").partition(":")
    h, m = int(hour), int((minute or "0").ljust(2, "0"))
    if h > 24 or m > 59:
        return None
    if half == "pm":
        h = h % 12 + 12
    elif half == "am":
        h %= 12
    elif not minute and h < 6:
        h += 12
    return h * 60 + m


def _measured(items: list[Item], faults: Collection[str]) -> list[Item]:
    """The items, numbers joined with their units."""
    out: list[Item] = []
    i = 0
    while i < len(items):
        it = items[i]
        if it.kind == "unit" and it.value == "am" and out and out[-1].value == "i":
            it = Item("word", "am", it.at, it.raw)
        nxt = items[i + 1] if i + 1 < len(items) else Item("end", "", -1)
        prev = next((o for o in reversed(out) if o.kind != "t" or o.value not in ("point",)), None)
        if it.kind == "half" and any(
            x.kind == "unit" and x.value in ("hour", "day", "year") for x in items[i + 1 : i + 3]
        ):
            step = next(k for k in (1, 2) if items[i + k].kind == "unit")
            unit = items[i + step].value
            out.append(
                Item("months", 6, it.at) if unit == "year" else Item("span", 30 if unit == "hour" else 720, it.at)
            )
            i += step + 1
            continue
        if (
            it.kind == "unit"
            and it.value in ("hour", "month", "week", "day", "year")
            and prev is not None
            and (prev.kind == "word" and prev.value in ("an", "a", "whole") and prev.at == it.at - 1)
        ):
            yearly = it.value == "year" and nxt.value != "old"
            out.append(Item("months", 12, it.at) if yearly else _value("1", it.value, it.at, faults))
            if (
                nxt.kind == "t"
                and nxt.value == "follow"
                and len(items) > i + 2
                and any(x.kind == "half" for x in items[i + 2 : i + 4])
                and it.value == "hour"
            ):
                out[-1] = Item("span", 90, it.at)
            i += 1
            continue
        if it.kind == "num":
            told = items[i + 1 : i + 2]
            if (
                told
                and told[0].kind == "unit"
                and told[0].value in ("am", "pm", "clock")
                and not (told[0].value == "am" and out and out[-1].value == "i")
            ):
                minutes = _clock(it.value, told[0].value)
                if minutes is not None:
                    out.append(Item("time", minutes, it.at))
                i += 2
                continue
            later = items[i + 2].value if i + 2 < len(items) else ""
            if (
                told
                and told[0].kind == "unit"
                and told[0].value == "year"
                and later != "old"
                and prev is not None
                and (prev.value == "for")
                and float(it.value) < 4
            ):
                out.append(Item("months", round(12 * float(it.value)), it.at))
                i += 2
                continue
            if told and told[0].kind == "unit" and ":" not in it.value:
                out.append(_value(it.value, told[0].value, it.at, faults))
                i += 2
                continue
            if (
                ":" in it.value
                or prev is not None
                and prev.kind == "word"
                and prev.value in ("at", "until", "from", "by", "till", "around")
                and prev.at == it.at - 1
            ):
                minutes = _clock(it.value, None)
                if (
                    prev is not None
                    and prev.value == "at"
                    and ":" not in it.value
                    and _topics(items) & {"train", "aged", "allow"}
                    and not (
                        _topics(items) & {"open", "late"}
                        or {"come", "visit", "there"} & {o.value for o in items if o.kind == "word"}
                        or any(o.kind == "day" for o in items)
                    )
                    and nxt.kind in ("stop", "end")
                ):
                    out.append(Item("age", int(float(it.value)), it.at))
                    i += 1
                    continue
                if minutes is not None:
                    out.append(Item("time", minutes, it.at))
                    i += 1
                    continue
            follow = (
                nxt.kind in ("end", "stop", "comma")
                or nxt.kind == "t"
                and nxt.value in ("follow", "allow")
                or (nxt.kind == "word" and nxt.value in ("now", "already", "old", "today", "is"))
            )
            follow = follow or prev is not None and prev.value in ("aged", "turned")
            if (
                ":" not in it.value
                and prev is not None
                and prev.kind == "word"
                and (
                    prev.value in ("am", "is", "are", "aged", "turned", "just", "only") and follow or nxt.value == "old"
                )
            ):
                subject = out[-2] if len(out) > 1 else None
                if subject is None or subject.value != "point":
                    out.append(Item("age", int(float(it.value)), it.at))
                    i += 1
                    continue
        if it.kind == "word" and it.value in ("noon", "midday"):
            it = Item("time", 720, it.at)
        out.append(it)
        i += 1
    return out


def _value(number: str, unit: str, at: int, faults: Collection[str]) -> Item:
    n = float(number)
    if unit == "year":
        return Item("age", int(n), at)
    if unit in ("month", "week", "day", "hour", "minute"):
        if unit == "month":
            return Item("months", int(n), at)
        return Item("span", round(n * {"week": 10080, "day": 1440, "hour": 60, "minute": 1}[unit]), at)
    if unit in ("kg", "lb", "stone"):
        return Item("kg", round(n * {"kg": 1, "lb": 0.4536, "stone": 6.35}[unit], 1), at)
    if unit in ("km", "mile"):
        return Item("km", round(n * (1.609 if unit == "mile" and "miles_as_km" not in faults else 1), 1), at)
    return Item("euro", n, at)


_SLOTS = ("plan", "course", "nocourse", "day", "time", "age", "months", "span", "kg", "km", "month", "method")


def _settled(items: list[Item], faults: Collection[str]) -> list[Item]:
    """The items without the values that the customer takes back."""
    gone: set[int] = set()
    for i, it in enumerate(items):
        if it.kind not in _SLOTS:
            continue
        later = next((j for j in range(i + 1, len(items)) if items[j].kind == it.kind), None)
        others = [j for j, o in enumerate(items) if o.kind == it.kind and j != i and o.value != it.value]
        before = [
            o
            for o in items[max(0, i - 3) : i]
            if not (o.kind == "word" and o.value in ("the", "a", "an", "for", "on", "in", "at"))
        ]
        if (
            others
            and before
            and before[-1].kind == "t"
            and before[-1].value == "less"
            and before[-1].raw.lower() != "without"
        ):
            gone.add(i)
        if later is not None and items[later].value != it.value:
            between = items[i + 1 : later]
            if any(o.kind == "t" and o.value == "fix" for o in between):
                gone.add(later if "first_said" in faults else i)
        bare = next((j for j in range(i + 1, min(i + 5, len(items))) if items[j].kind == "num"), None)
        if (
            bare is not None
            and it.kind in ("months", "age", "kg", "km", "span")
            and any(o.kind == "t" and o.value == "fix" for o in items[i + 1 : bare])
        ):
            scale = 1
            if it.kind == "span":
                scale = next(s for s in (10080, 1440, 60, 1) if it.value % s == 0)
            if "first_said" not in faults:
                items[bare] = Item(it.kind, int(items[bare].value) * scale, items[bare].at)
                gone.add(i)
    return [it for i, it in enumerate(items) if i not in gone]


# ------------------------------------------------------------------------------------- from items to matters

_TAKES: dict[str, tuple[str, ...]] = {
    "price": ("plan", "months", "student"),
    "open": ("day", "time", "month"),
    "timetable": ("course", "nocourse", "day"),
    "course_price": ("course",),
    "train_age": ("age", "course"),
    "book": ("course", "nocourse", "day", "month", "name"),
    "sauna": ("plan",),
    "sauna_hours": ("day",),
    "cancel": ("plan",),
    "move": ("km",),
    "freeze": ("months",),
    "cancel_class": ("span",),
    "late": ("span",),
    "childcare": ("age",),
    "equip": ("kg",),
    "guest": ("plan",),
    "methods": ("method",),
    "discount": ("age",),
    "course_plan": ("plan",),
    "sauna_age": ("age",),
    "personal": ("num",),
}
_DEFAULT = {
    "plan": "price",
    "course": "timetable",
    "nocourse": "timetable",
    "day": "open",
    "age": "train_age",
    "kg": "equip",
    "method": "methods",
    "time": "open",
}
_PLAIN = (
    "signup",
    "daypass",
    "tencard",
    "trial",
    "personal",
    "childcare",
    "freeze",
    "locker",
    "towel",
    "shoes",
    "guest",
    "equip",
    "parking",
    "where",
    "contact",
    "wifi",
    "induction",
    "shower",
    "pool",
    "medical",
    "offtopic",
    "bot",
    "move",
    "late",
)


def _topics(items: Iterable[Item]) -> set[str]:
    return {it.value for it in items if it.kind == "t"}


def _slots(items: Iterable[Item]) -> dict[str, list[Any]]:
    slots: dict[str, list[Any]] = {}
    for it in items:
        if it.kind in _SLOTS and it.value not in slots.setdefault(it.kind, []):
            slots[it.kind].append(it.value)
    return slots


def _student(items: list[Item], faults: Collection[str]) -> bool:
    for i, it in enumerate(items):
        if it.kind == "t" and it.value == "student":
            near = [o.value for o in items[max(0, i - 3) : i] if o.kind == "t"]
            return "less" not in near or "not_lost" in faults
    return False


def _matters(items: list[Item], faults: Collection[str] = ()) -> list[str]:  # noqa: C901
    """The matters that a request is about."""
    t, slots = _topics(items), _slots(items)
    words = {it.value for it in items if it.kind == "word"}
    course = bool(slots.get("course") or slots.get("nocourse") or "courses" in t)
    if "private" in t and not t & {"wifi"}:
        return ["private"]
    if "bot" in t and not t & {"price", "open", "personal"}:
        return ["bot"]
    out: list[str] = [p for p in _PLAIN if p in t]
    if "move" in out and not (t & {"cancel", "member"} or slots.get("km")):
        out.remove("move")
    people = {
        "friend",
        "friends",
        "sister",
        "brother",
        "wife",
        "husband",
        "colleague",
        "mate",
        "someone",
        "mother",
        "father",
        "partner",
    }
    brought = [it.at for it in items if it.kind == "word" and it.value in ("bring", "take")]
    if "guest" not in out and any(
        it.value in people and 0 < it.at - b < 4 for b in brought for it in items if it.kind == "word"
    ):
        out.append("guest")
    if "late" in out and not (slots.get("span") or course or "allow" in t or words & {"am", "arrive", "come"}):
        out.remove("late")
    if "medical" in out and len(out) > 1 or "late" in out and "open" in t:
        out = [o for o in out if o not in ("medical", "late")]
    if "personal" in out and "trial" in out and "trial" not in {it.value for it in items if it.raw.lower() == "trial"}:
        out.remove("trial")
    if "trial" in out and ("daypass" in out or "train_age" in out):
        out.remove("trial") if not any("trial" in it.raw.lower() for it in items) else None
    if "cancel" in t and "move" not in out:
        out.append(
            "cancel_class"
            if "book" in t
            or (course and not t & {"member"})
            or "personal" in t
            or ("before" in t and slots.get("span") and not slots.get("plan"))
            or slots.get("span")
            and not (slots.get("plan") or "member" in t)
            else "cancel"
        )
        out = [o for o in out if o not in ("personal", "late", "trial")]
    if (
        "methods" in t
        or "paying" in t
        and not (t & {"locker", "towel", "sauna", "price"})
        or slots.get("method")
        and "paying" in t
    ):
        out = [o for o in out if o not in ("daypass", "tencard")]
        out.append("methods")
    if "sauna" in t:
        if t & {"aged"} or slots.get("age"):
            out.append("sauna_age")
        elif "women" in t:
            out.append("sauna_women")
        elif "open" in t or slots.get("day") or slots.get("time"):
            out.append("sauna_hours")
        else:
            out.append("sauna")
    fresh = [o for o in out if o not in ("medical", "offtopic")]
    senior_age = any(a >= 60 for a in slots.get("age", []))
    cheaper = bool(slots.get("plan")) and any(it.raw.lower() == "cheaper" for it in items)
    if "discount" in t and not cheaper or "senior" in t or ("student" in t and not slots.get("plan")):
        if not (slots.get("plan") and "student" in t) and not fresh:
            out.append("discount")
    if "book" in t and not {"cancel"} & t and (course or "personal" in t or slots.get("day")):
        out = [o for o in out if o != "trial"]
        out.append("book")
    elif course and not fresh and "discount" not in out:
        if slots.get("plan") and not slots.get("day"):
            out.append("course_plan")
        elif "price" in t:
            out.append("course_price")
        elif "aged" in t or slots.get("age"):
            out.append("train_age")
        elif "included" in t and not slots.get("course"):
            out.append("course_plan")
        else:
            out.append("timetable")
    elif "open" in t and "sauna" not in t and not ({"childcare", "where"} & set(out) and not slots.get("day")):
        out.append("open")
    elif (
        ("aged" in t or slots.get("age") and (t & {"train", "member", "allow"})) and not fresh and "discount" not in out
    ):
        out.append("train_age")
    if not out or out == ["train_age"] and slots.get("plan") and "price" in t or out == ["open"] and slots.get("plan"):
        if slots.get("plan") or ("price" in t and not senior_age) or ("member" in t and words & {"what", "which"}):
            if not ("price" not in t and out):
                out.append("price")
    elif (
        slots.get("plan")
        and "price" in t
        and not (set(out) & {"sauna", "course_plan", "guest", "cancel", "freeze", "methods"})
    ):
        out.append("price")
    return list(dict.fromkeys(out))


def _requests(items: list[Item]) -> list[tuple[list[Item], bool]]:  # noqa: C901
    """The items cut into requests, each with whether it goes on with the sentence before."""
    atoms: list[tuple[list[Item], str]] = [([], "stop")]
    for it in items:
        link = it.kind == "t" and it.value == "follow" and it.raw.lower() in ("and", "also", "but")
        cut = "stop" if it.kind == "stop" else "soft" if it.kind == "comma" or link else ""
        if cut == "stop":
            atoms[-1][0].append(it)
            atoms.append(([], "stop"))
        elif cut and atoms[-1][0]:
            atoms.append(([it], "soft"))
        else:
            atoms[-1][0].append(it)
    pieces: list[tuple[list[Item], bool]] = []
    for atom, glue in atoms:
        if not atom:
            continue
        if (
            pieces
            and glue == "soft"
            and not _question(pieces[-1][0], atom)
            and not (_own(pieces[-1][0]) and _own(atom) and _apart(pieces[-1][0], atom))
        ):
            pieces[-1] = (pieces[-1][0] + atom, pieces[-1][1])
        else:
            pieces.append((list(atom), glue == "soft"))
    asks = [any(it.kind == "stop" and it.value == "?" for it in p) for p, _ in pieces]
    groups: list[tuple[list[Item], bool]] = []
    ahead: list[Item] = []
    for i, (piece, joined) in enumerate(pieces):
        matters, slots = _matters(piece), _slots(piece)
        coming = _matters(piece + pieces[i + 1][0]) if i + 1 < len(pieces) else []
        unfinished = (
            not matters
            and bool(slots)
            and bool(coming)
            and i + 1 < len(pieces)
            and not _matters(pieces[i + 1][0])
            and (asks[i + 1] and bool(set(slots) & {k for m in coming for k in _TAKES.get(m, ())}))
        )
        alone = _matters(pieces[i + 1][0]) if i + 1 < len(pieces) else []
        takes = {k for m in coming if m in alone for k in _TAKES.get(m, ())}
        statement = not asks[i] and not (_topics(piece) & {"fix", "press", "claim"})
        lead = (
            statement
            and bool(alone)
            and (set(slots) & takes or "student" in _topics(piece) or not groups)
            and (
                not matters
                or matters in (["train_age"], ["discount"])
                or matters == ["price"]
                and "price" not in _topics(piece)
            )
        )
        wanted = (
            {k for m in _matters(groups[-1][0]) for k in _TAKES.get(m, ())} - set(_slots(groups[-1][0]))
            if groups
            else set()
        )
        again = set(_slots(pieces[i + 1][0])) if i + 1 < len(pieces) else set()
        if (
            groups
            and statement
            and not matters
            and set(slots) & wanted & again
            or (
                groups
                and not asks[i]
                and matters == ["discount"]
                and "student" in _topics(piece)
                and "discount" not in _topics(piece)
                and "price" in _matters(groups[-1][0])
                and not (alone and "price" in alone)
            )
        ):
            groups[-1] = (groups[-1][0] + piece, groups[-1][1])
        elif (
            unfinished
            and statement
            or statement
            and matters
            and slots
            and set(matters) == set(alone)
            and not again
            and not ({"book", "late"} & set(matters))
        ):
            ahead += piece
        elif statement and "move" in _topics(piece) and alone == ["cancel"]:
            ahead += piece
        elif groups and _matters(groups[-1][0]) == ["cancel"] and slots.get("km"):
            groups[-1] = (groups[-1][0] + piece, groups[-1][1])
        elif lead and (not slots or set(slots) & (takes | {"age"}) or not groups):
            ahead += piece
        elif (
            groups
            and not ahead
            and (
                not matters
                or matters in (["train_age"], ["sauna_age"])
                and not asks[i]
                and set(slots) & {k for m in _matters(groups[-1][0]) for k in _TAKES.get(m, ())}
                or matters == ["price"]
                and not slots.get("plan")
                and "member" not in _topics(piece)
                and joined
            )
        ):
            groups[-1] = (groups[-1][0] + piece, groups[-1][1])
        else:
            groups.append((ahead + piece, joined))
            ahead = []
    if ahead:
        groups.append((ahead, False))
    return groups


_ASKS = (
    "do",
    "does",
    "can",
    "could",
    "may",
    "how",
    "what",
    "when",
    "is",
    "are",
    "where",
    "which",
    "will",
    "would",
    "i",
    "we",
)


def _question(left: list[Item], right: list[Item]) -> bool:
    """Whether the right piece is a question added with "and" to a piece that is none of its own."""
    if right[0].kind != "t" or not _own(right) or "and" not in right[0].raw.lower() or len(right) < 2:
        return False
    first = right[1].raw.split()[0].lower() if right[1].raw else ""
    opens = left[0].raw.split()[0].lower() if left[0].raw else ""
    return (
        first in _ASKS
        and not _own(left)
        and (bool(_slots(left)) or opens in _ASKS[:-2] and not _topics(left) & {"price"})
    )


def _own(piece: list[Item]) -> bool:
    matters = _matters(piece)
    return bool(matters) and not (
        matters == ["price"]
        and not _slots(piece).get("plan")
        or matters in (["train_age"], ["discount"])
        and not _topics(piece) & {"allow", "aged", "discount", "senior"}
    )


def _apart(left: list[Item], right: list[Item]) -> bool:
    one, two = _matters(left), _matters(right)
    takes = {k for m in set(one) & set(two) for k in _TAKES.get(m, ())}
    if (
        two == ["timetable"]
        and not any(it.kind == "word" and it.value in ("when", "which", "what") for it in right)
        and _topics(left) & {"late", "book", "price", "cancel"}
    ):
        return False
    if two == ["price"] and "price" not in _topics(right):
        return False
    return not set(one) & set(two) or bool(
        takes & set(_slots(left))
        and takes & set(_slots(right))
        and ("price" in _topics(right) or "open" in _topics(right))
    )


# --------------------------------------------------------------------------------------- from matters to facts


def _facts(matter: str, slots: dict[str, list[Any]], items: list[Item], faults: Collection[str]) -> list[Fact]:  # noqa: C901
    """What the bot tells about one matter."""
    plans, t = slots.get("plan", []), _topics(items)
    if matter == "price":
        cut = 20 if slots.get("student", [False])[-1] else 15 if any(a >= 65 for a in slots.get("age", [])) else 0
        out: list[Fact] = []
        for plan in plans or PLANS:
            monthly, term = PLANS[plan]
            out.append(("monthly", plan, monthly * (100 - cut), term))
            for n in slots.get("months", []):
                if n == 1 and len(slots["months"]) == 1:
                    continue
                out.append(
                    ("total", plan, n, monthly * n * (100 - cut) + 100 * SIGNUP)
                    if n >= term
                    else ("too_short", plan, n)
                )
        return out + ([("cut", cut)] if cut else [])
    if matter == "open":
        return _opening(slots, t)
    if matter == "timetable":
        return _timetable(slots, t)
    if matter == "train_age":
        ages = slots.get("age", [])
        limits: list[Fact] = [("course_age", c, COURSE_AGE.get(c, 14)) for c in slots.get("course", [])]
        out = [("age_verdict", a, "no" if a < 14 else "consent" if a < 16 else "yes") for a in ages]
        if slots.get("course"):
            return limits + [
                ("course_verdict", c, a, a >= COURSE_AGE.get(c, 14)) for c in slots["course"] for a in ages
            ]
        return out or [("age_rule",)]
    if matter == "discount":
        out = [("senior_verdict", a, a >= 65) for a in slots.get("age", [])]
        if "student" in t and not t & {"senior"}:
            return [("student_cut",)]
        if "senior" in t or out:
            return [("senior_cut",), *out]
        return [("cuts",)]
    if matter == "book":
        return _booking(slots)
    if matter == "sauna":
        return [("sauna_in", p, p == "Premium") for p in plans] or [("sauna",)]
    if matter == "sauna_hours":
        return [("sauna_day", d) for d in slots.get("day", [])] or [("sauna_hours",)]
    if matter == "sauna_age":
        return [("sauna_verdict", a, a >= 18) for a in slots.get("age", [])] or [("sauna_age",)]
    if matter == "cancel":
        return [("notice", p) for p in plans or ("Basic", "Plus", "Premium", "Flex")]
    if matter == "move":
        return [("move_verdict", d, d > 50) for d in slots.get("km", [])] or [("move_rule",)]
    if matter == "freeze":
        ill = "illness" in t
        out = [("freeze_verdict", n, n <= 3) for n in slots.get("months", [])]
        return [*out, ("freeze_ill",) if ill else ("freeze_rule",)]
    if matter == "cancel_class":
        return [("off_free", m) if m >= 120 else ("off_late", m) for m in slots.get("span", [])] or [("off_rule",)]
    if matter == "late":
        return [("late_verdict", m, m <= 10) for m in slots.get("span", [])] or [("late_rule",)]
    if matter == "childcare":
        return [("childcare",), *(("child_verdict", a, 1 <= a <= 6) for a in slots.get("age", []))]
    if matter == "equip":
        return [("equip_verdict", w, w <= 180) for w in slots.get("kg", [])] or [("equip_rule",)]
    if matter == "guest":
        return [("guest_in", p, p in ("Plus", "Premium")) for p in plans] or [("guest",)]
    if matter == "course_plan":
        return [("courses_in", p, p in ("Plus", "Premium")) for p in plans] or [("course_price",)]
    if matter == "methods":
        about = "plans" if plans or "member" in t else "visits" if t & {"daypass", "tencard"} else ""
        return [
            ("pays", m, PAYS[m] == "all" or PAYS[m] == ("some" if about == "visits" else "plans"), about)
            if about
            else ("pays_for", m, PAYS[m])
            for m in slots.get("method", [])
        ] or [("methods",)]
    if matter == "private" and "trusts_staff" in faults and "staff" in t:
        return [("private_told",)]
    return [(matter,)]


def _opening(slots: dict[str, list[Any]], topics: set[str]) -> list[Fact]:
    days = list(slots.get("day", []))
    if "weekend" in topics:
        days += DAYS[5:]
    if "weekdays" in topics:
        days += DAYS[:5]
    out: list[Fact] = []
    if "holiday" in topics:
        out.append(("holiday",))
    if "today" in topics and not days:
        out.append(("which_day",))
    if out and not days:
        return out
    times = slots.get("time", [])
    for day in dict.fromkeys(days or ([] if times else DAYS)):
        out.append(("open", day, *HOURS[day]))
    for time in times:
        out += [("open_at", d, time, HOURS[d][0] <= time < HOURS[d][1]) for d in dict.fromkeys(days or DAYS)]
    return out


def _timetable(slots: dict[str, list[Any]], topics: set[str]) -> list[Fact]:
    out: list[Fact] = [("no_course", n) for n in slots.get("nocourse", [])]
    courses, days = slots.get("course", []), list(slots.get("day", []))
    if out and not courses:
        return out
    if "weekend" in topics:
        days += DAYS[5:]
    if len(courses) == len(days) > 1:
        return out + [
            f for c, d in zip(courses, days, strict=True) for f in _timetable({"course": [c], "day": [d]}, topics)
        ]
    for course in courses or COURSES:
        hits = [
            s
            for s in COURSES[course]
            if (not days or s[0] in days)
            and not ("evening" in topics and s[1] < 1020)
            and not ("morning" in topics and s[1] >= 720)
        ]
        out += [("course", course, *s) for s in hits]
        if courses and not hits:
            out += [("not_then", course, *((days[0],) if days else ("then",)))]
            out += [("course", course, *s) for s in COURSES[course]]
    if not out:
        out = [("nothing_then", d) for d in days] or [("nothing_then", "then")]
    return out


def _booking(slots: dict[str, list[Any]]) -> list[Fact]:
    out: list[Fact] = [("no_course", n) for n in slots.get("nocourse", [])]
    courses, days = slots.get("course", []), slots.get("day", [])
    if len(courses) == len(days) > 1:
        rest = {k: v for k, v in slots.items() if k in ("month", "name")}
        pairs = [_booking({**rest, "course": [c], "day": [d]}) for c, d in zip(courses, days, strict=True)]
        return list(dict.fromkeys(f for pair in pairs for f in pair))
    for course in courses:
        if not days:
            out += [("ask_day", course), *(("course", course, *s) for s in COURSES[course])]
        for day in days:
            slot = [s for s in COURSES[course] if s[0] == day]
            out += [("booked", course, *s) for s in slot] or [
                ("not_then", course, day),
                *(("course", course, *s) for s in COURSES[course]),
            ]
    if not courses and not slots.get("nocourse"):
        out.append(("ask_course",))
        out += [("noted_day", d) for d in days]
    out += [("noted_month", m) for m in slots.get("month", [])]
    out += [("noted_name", n) for n in slots.get("name", [])[-1:]] or [("ask_name",)]
    return out


# -------------------------------------------------------------------------------------------- the conversation


@dataclass(frozen=True)
class _Talk:
    """What the conversation has brought so far."""

    matters: tuple[str, ...] = ()
    slots: tuple[tuple[str, tuple[Any, ...]], ...] = ()
    facts: tuple[Fact, ...] = ()


def _step(talk: _Talk, items: list[Item], name: str | None, joined: bool, faults: Collection[str]) -> _Talk:
    """The talk after one request."""
    topics, slots, matters = _topics(items), _slots(items), _matters(items, faults)
    old: dict[str, list[Any]] = {k: list(v) for k, v in talk.slots}
    if name and (not matters or "book" in matters):
        slots["name"] = [name]
    first = next((it for it in items if it.kind not in ("comma",)), None)
    span = items[-1].at - items[0].at if items else 0
    asking = {"when", "what", "which", "how", "is", "are", "do", "does", "there", "who"}
    bare = not topics - {"hello", "follow", "fix", "point", "thanks", "less"} and not any(
        it.kind == "word" and it.value in asking for it in items
    )
    status = (
        "student" in topics and "discount" not in topics and "price" in talk.matters and set(matters) <= {"discount"}
    )
    if "student" in topics:
        slots["student"] = [_student(items, faults)]
    begins = first is not None and first.kind == "t" and first.value == "follow" and first.raw.lower() != "also"
    elliptic = not matters or bare or status or begins and span < 8 or matters == ["price"] and "price" not in topics
    if status:
        matters = []
    number = next((it.value for it in items if it.kind == "num"), None)
    if not matters and number and "fix" in topics:
        meant = next(
            (
                k
                for k in ("months", "age", "km", "kg", "span")
                if k in old and any(k in _TAKES.get(m, ()) for m in talk.matters)
            ),
            None,
        )
        scale = next(s for s in (10080, 1440, 60, 1) if old["span"][-1] % s == 0) if meant == "span" else 1
        if meant:
            slots[meant] = [int(float(number)) * scale]
    if (
        topics & {"press", "claim"}
        and talk.facts
        and (not matters or matters == ["methods"])
        and not set(slots) & {"plan", "course", "day", "nocourse"}
    ):
        return replace(talk, facts=(("repeat",),))
    if elliptic:
        given = set(slots)
        kept = [m for m in talk.matters if given & set(_TAKES.get(m, ()))]
        if status:
            kept, matters = ["price"], []
        if kept and (
            not matters
            or set(matters) <= set(_DEFAULT.values())
            and not topics & {"price", "open", "aged", "courses", "discount", "member"}
        ):
            matters = kept
        elif not matters:
            matters = list(dict.fromkeys(_DEFAULT[k] for k in slots if k in _DEFAULT))[:1]
        if not matters and "price" in topics and {"timetable", "book"} & set(talk.matters):
            matters = ["course_price"]
    if (
        matters == ["price"]
        and not set(slots) & {"plan", "months"}
        and "price" in topics
        and "point" in topics
        and (talk.matters and "price" not in talk.matters and "member" not in topics)
    ):
        matters = ["course_price"] if {"timetable", "book"} & set(talk.matters) else list(talk.matters[-1:])
    points = elliptic or joined or "point" in topics
    if points:
        for kind, values in old.items():
            taken = any(kind in _TAKES.get(m, ()) for m in matters)
            clash = kind in ("course", "nocourse") and (
                set(slots) & {"course", "nocourse"} or "courses" in topics and not elliptic
            )
            if (
                taken
                and kind not in slots
                and not clash
                and (elliptic or kind in ("plan", "course"))
                and kind not in ("age", "km", "kg", "span", "method", "time")
                or kind == "name"
                and "book" in matters
                and elliptic
            ):
                slots.setdefault(kind, values)
            if (
                kind == "age"
                and "age" not in slots
                and not set(slots) - {"course"}
                and not set(matters) - {"train_age", "sauna_age"}
            ):
                slots["age"] = values
    facts: list[Fact] = []
    for matter in matters:
        facts += [f for f in _facts(matter, slots, items, faults) if f not in facts]
    if not facts:
        if topics & {"thanks"}:
            return replace(talk if "forgets" not in faults else _Talk(), facts=(("welcome",),))
        plain = all(
            it.kind != "word"
            and it.kind != "num"
            or it.value in ("there", "all", "you", "how", "are", "team", "today", "everyone")
            for it in items
        )
        return replace(talk, facts=(("greeting",) if plain and "hello" in topics else ("fallback",),))
    kept_slots: dict[str, list[Any]] = {**(old if points else {}), **slots}
    return _Talk(tuple(matters), tuple((k, tuple(v)) for k, v in kept_slots.items()), tuple(facts))


def _turn(talk: _Talk, message: str, faults: Collection[str]) -> _Talk:
    """The talk after one more message."""
    items, name = _items(message, faults)
    topics = _topics(items)
    bare_name = re.fullmatch(r"\W*([^\W\d_]+)(?: ([^\W\d_]+))?(?: ([^\W\d_]+))?\W*", message)
    if ("ask_name",) in talk.facts and bare_name and not any(g and g.lower() in KNOWN for g in bare_name.groups()):
        items, name = [], " ".join(g.capitalize() for g in bare_name.groups() if g)
    if (
        "thanks_only" in faults
        and "thanks" in topics
        and any(
            it.kind == "t" and it.value == "thanks" for it in [i for i in items if i.kind not in ("stop", "comma")][-3:]
        )
    ):
        return replace(talk, facts=(("welcome",),))
    groups = _requests(items) or [(items, False)]
    if len(groups) > 1:
        asked = [g for g in groups if not _topics(g[0]) & {"claim", "press"}]
        if any(_matters(g[0]) for g in asked):
            groups = asked
    if "staff" in topics and len(groups) > 1 and any(_matters(g[0]) == ["private"] for g in groups):
        groups = [([it for g, _ in groups for it in g], False)]
    start = talk
    facts: list[Fact] = []
    matters: list[str] = []
    for part, joined in groups:
        talk = _step(talk, part, name, joined, faults)
        if talk.facts == (("repeat",),):
            facts += [f for f in start.facts if f not in facts]
        elif talk.facts[0][0] not in ("fallback", "greeting", "welcome"):
            facts += [f for f in talk.facts if f not in facts]
            matters += [m for m in talk.matters if m not in matters]
    if not facts:
        small = sorted((f for f in talk.facts), key=str)
        return replace(talk, facts=tuple(small))
    return replace(talk, facts=tuple(facts), matters=tuple(matters) or talk.matters)


def reply(messages: Sequence[str], *, faults: Collection[str] = (), draw: int = 0) -> Reply:
    """The answer to the last of the customer's messages of one conversation."""
    talk = _Talk(facts=(("greeting",),))
    for i, message in enumerate(messages):
        talk = _turn(talk if i else _Talk(), message, faults)
    seed = hashlib.md5(f"{draw}/{len(messages)}/{messages[-1] if messages else ''}".encode()).digest()
    sentences = []
    for i, fact in enumerate(talk.facts):
        way = seed[i % 12] + i
        forms = say(fact, way)
        text = forms[(way // 6) % len(forms)]
        sentences.append(text[0].upper() + text[1:] + ("" if text.endswith("?") else "."))
    if seed[12] % 3 == 1:
        sentences = sentences[::-1]
    opening = ("", "Hi! ", "Thanks for asking. ", "Sure. ", "Hello from Pulse Yard! ")[seed[13] % 5]
    closing = ("", " See you soon!", " Your Pulse Yard team", " Is there anything else?")[seed[14] % 4]
    return Reply(opening + " ".join(sentences) + closing, frozenset(talk.facts))
