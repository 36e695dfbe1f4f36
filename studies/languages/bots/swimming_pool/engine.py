"""The machinery of all twins: which matters a message is about, what the conversation adds, and the reply."""

import hashlib
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from . import facts as pool
from .facts import ANSWERS, COURSES, PRIMARY, Fact
from .slots import PERSONS, Slots, corrected, is_subject, kind_of, merged, read, without_negated
from .text import Language, Token, has, name_key, names_in, tokens

FAULT_NAMES = (
    "boundary",
    "second_request_lost",
    "correction_ignored",
    "number_words",
    "gives_in",
    "negation_deaf",
    "holidays_forgotten",
    "month_first",
    "thanks_shadow",
    "nearest_offer",
)
SIMPLE = {
    "sauna": "sauna",
    "slide": "slide",
    "other_course": "course",
    "seahorse": "course",
    "aqua": "course",
    "babyswim": "course",
    "learn": "course",
    "course": "course",
    "park": "parking",
    "key": "locker",
    "locker": "locker",
    "lost": "lost",
    "towel": "rental",
    "robe": "rental",
    "kickboard": "rental",
    "other_item": "rental",
    "rent": "rental",
    "dog": "dog",
    "wear": "wear",
    "temp": "temp",
    "deep": "depth",
    "lane": "lanes",
    "paying": "paying",
    "card": "paying",
    "cash": "paying",
    "amex": "paying",
    "paypal": "paying",
    "note": "paying",
    "alone": "alone",
    "food": "food",
    "alcohol": "alcohol",
    "way": "way",
    "access": "access",
    "photo": "photo",
    "wifi": "wifi",
    "contact": "contact",
    "complaint": "complaint",
    "jobs": "jobs",
    "ten": "ten",
    "annual": "annual",
    "voucher": "voucher",
    "party": "party",
    "cancel": "cancel",
    "book": "book",
    "medical": "medical",
    "discount": "discount",
    "privacy": "privacy",
    "offtopic": "offtopic",
    "last_entry": "last_entry",
    "hairdryer": "hairdryer",
    "diaper": "diaper",
}
ASKING = ("ask", "cancel", "lost", "complaint", "medical", "book")
PRICED = ("cancel", "party", "course", "sauna", "rental", "parking", "ten", "annual", "voucher", "locker", "diaper")
TIMED = ("sauna", "food", "course", "party", "lanes")
# A matter that is named only as the place or the means of another matter gives way to it.
GIVES_WAY: dict[str, tuple[str, ...]] = {
    "course": ("cancel", "other", "party"),
    "party": ("cancel",),
    "locker": ("lost_key",),
    "rental": ("hairdryer", "lost", "wear"),
    "photo": ("lost",),
    "wear": ("lost",),
    "alone": ("access",),
    "privacy": ("access",),
    "contact": ("complaint", "privacy", "lost"),
    "paying": ("ten", "annual", "lost"),
}


@dataclass(frozen=True)
class Reply:
    """What the bot writes, and what that tells."""

    text: str
    meaning: frozenset[Fact]


@dataclass
class Request:
    """A matter and what was said to it."""

    matter: str
    slots: Slots


@dataclass
class Form:
    """A booking in the making."""

    kind: str
    course: str = ""
    name: str = ""
    age: int | None = None
    start: date | None = None
    count: int | None = None
    withdrawn: bool = False


@dataclass
class State:
    """What the bot keeps of a conversation."""

    requests: list[Request] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    ages: list[int] = field(default_factory=list)
    heights: list[int] = field(default_factory=list)
    form: Form | None = None
    in_form: bool = False
    display: dict[str, str] = field(default_factory=dict)


Wording = Mapping[str, Sequence[str]]
Formatter = Callable[[str, Any, int], str]


def pieces(rows: Sequence[Token]) -> list[list[list[Token]]]:
    """Sentences, each in clauses that name a matter."""
    sentences: list[list[Token]] = [[]]
    for token in rows:
        if token.kind == "mark" and token.word in ".!?;\n":
            sentences[-1].append(token)
            if token.word != "." or len(sentences[-1]) > 1:
                sentences.append([])
        else:
            sentences[-1].append(token)
    return [_clauses(sentence) for sentence in sentences if any(t.kind != "mark" for t in sentence)]


def _clauses(sentence: list[Token]) -> list[list[Token]]:
    parts: list[list[Token]] = [[]]
    for token in sentence:
        comma = token.kind == "mark" and token.word in ",:" and _bare_price(parts[-1])
        if not comma and (token.has("and") or (token.kind == "mark" and token.word in ",&+:-–—/")):
            parts.append([])
        else:
            parts[-1].append(token)
    out: list[list[Token]] = []
    for part in parts:
        if (out and not _names_matter(part)) or (out and not _names_matter(out[-1])):
            out[-1] += part
        else:
            out.append(list(part))
    return out


def _bare_price(part: Sequence[Token]) -> bool:
    """'What does it cost', with nothing yet to which that belongs."""
    named = any(is_subject(token) or token.has("hours", "place", *PERSONS) for token in part)
    return has(part, "price") and has(part, "anaphor") and not named


def _names_matter(part: Sequence[Token]) -> bool:
    return any(is_subject(token) or token.has("price", "hours") for token in part)


def matters_of(clause: Sequence[Token]) -> list[str]:
    """The matters that a clause names."""
    matters: list[str] = []
    for token in clause:
        named = [SIMPLE[concept] for concept in sorted(token.concepts) if concept in SIMPLE]
        matters += [matter for matter in dict.fromkeys(named) if matter not in matters]
    for matter in list(matters):
        if any(other in matters for other in GIVES_WAY.get(matter, ())):
            matters.remove(matter)
    matters = _booked(matters)
    if "lost" in matters and has(clause, "key"):
        matters.remove("lost")
    if matters and matters != ["book"]:
        priced = "sauna" in matters and has(clause, "price", "ticket") and has(clause, "adult", "people")
        return ["price", *matters] if priced else matters
    if has(clause, "hours"):
        matters.append("hours")
    if has(clause, "price", "ticket") and not ("hours" in matters and not has(clause, "price")):
        matters.append("price")
    return matters


def _booked(matters: list[str]) -> list[str]:
    """What booking and cancelling make of the other matters."""
    if "cancel" in matters:
        return [name for name in matters if name not in ("book", "course", "party")]
    if "book" not in matters:
        return matters
    rest = [name for name in matters if name != "book"]
    if "course" in rest or "party" in rest:
        return [*rest, "book"]
    return rest or ["booking"]


class Bot:
    """A twin: the shared machinery with the words of a language."""

    def __init__(self, language: Language, wording: Wording, formatter: Formatter, joint: str = " ") -> None:
        self.language = language
        self.wording = wording
        self.formatter = formatter
        self.joint = joint

    def reply(self, messages: Sequence[str], faults: Collection[str], draw: int) -> Reply:
        """Answer the last message of a conversation."""
        unknown = set(faults) - set(FAULT_NAMES)
        if unknown:
            raise ValueError(f"unknown faults: {sorted(unknown)}")
        state = State()
        told: list[Fact] = [("not_understood",)]
        for message in messages:
            told = list(dict.fromkeys(self.turn(state, message, faults)))
        seed = f"{draw}|" + (messages[-1] if messages else "")
        return Reply(self.write(told, seed, state.display), frozenset(told))

    def turn(self, state: State, message: str, faults: Collection[str]) -> list[Fact]:
        """Take a message in; returns what it is told."""
        rows = tokens(self.language, message, "month_first" in faults, "number_words" in faults)
        if "thanks_shadow" in faults and has(rows[-4:], "thanks"):
            return [("welcome",)]
        fixing = has(rows, "fix", "weakfix")
        deaf = "correction_ignored" in faults
        rows = corrected(rows, deaf)
        if "negation_deaf" in faults:
            rows = [
                replace(token, concepts=token.concepts - {"cantswim"}) if token.has("cantswim") else token
                for token in rows
            ]
        else:
            rows = without_negated(rows)
        requests = self.requests(rows, state)
        pushed = has(rows, "claim", "sure")
        slots = read(rows)
        told = self.answer(state, message, rows, slots, requests, faults, fixing, pushed)
        if slots.ages:
            state.ages = slots.ages
        if slots.heights:
            state.heights = slots.heights
        if "gives_in" in faults and has(rows, "claim") and ("welcome",) not in told:
            told = conceded(told)
        return told

    def answer(
        self,
        state: State,
        message: str,
        rows: Sequence[Token],
        slots: Slots,
        requests: list[Request],
        faults: Collection[str],
        fixing: bool,
        pushed: bool,
    ) -> list[Fact]:
        """What the message is told, and what is kept of it."""
        if state.form and not state.form.withdrawn and self._withdraws(rows, slots, requests):
            state.form.withdrawn = True
            state.in_form = False
            return [("withdrawn", state.form.kind)]
        if pushed and state.facts and self._same_matters(state, requests):
            return [*state.facts, ("stands",)]
        if any(request.matter == "book" for request in requests):
            return self._book(state, message, rows, slots, requests, faults)
        if state.form and state.in_form and not requests:
            told = self._fill(state, message, slots, faults, fixing)
            if told:
                return told
        if not requests:
            requests = self._follow_up(state, rows, slots, faults, fixing)
        if not requests:
            return self._talk(state, rows, slots)
        return self._tell(state, requests, faults)

    def _withdraws(self, rows: Sequence[Token], slots: Slots, requests: Sequence[Request]) -> bool:
        """Whether the customer takes a booking back, rather than asking what that would cost."""
        if _other(requests) or not has(rows, "forget", "cancel"):
            return False
        if has(rows, "forget"):
            return True
        asks = _mark(rows, "?") and not has(rows, "anaphor", "book")
        return not (asks or slots.before or slots.numbers or has(rows, "price"))

    def _tell(self, state: State, requests: list[Request], faults: Collection[str]) -> list[Fact]:
        if "second_request_lost" in faults:
            requests = requests[:1]
        told: list[Fact] = []
        for request in requests:
            told += ANSWERS[request.matter](request.slots, faults)
        state.requests, state.facts, state.in_form = requests, told, False
        return told

    def _same_matters(self, state: State, requests: list[Request]) -> bool:
        before = {request.matter for request in state.requests}
        now = {request.matter for request in requests}
        return not now or now <= before or now <= {"discount"}

    def requests(self, rows: list[Token], state: State) -> list[Request]:
        """The matters of a message, each with its values."""
        if has(rows, "rent"):
            rows = _not_lost(rows)
        sentences = pieces(rows)
        parts = [(sentence, [matters_of(clause) for clause in sentence]) for sentence in sentences]
        asked = [
            any(names) and any(has(clause, *ASKING) or _mark(clause, "?") for clause in sentence)
            for sentence, names in parts
        ]
        out: list[Request] = []
        last = ""
        for place, ((sentence, names), wanted) in enumerate(zip(parts, asked, strict=True)):
            before = len(out)
            remarks = _remarks(parts, asked, place)
            spoken = [token for clause in sentence for token in clause]
            near = read(spoken)
            if len(spoken) > 6 and not has(spoken, "pronoun", "kin_child"):
                remarks = remarks[:2]
            for clause, matters in zip(sentence, names, strict=True):
                matters = self._resolved(matters, clause, last, state)
                if any(asked) and not wanted:
                    strong = [name for name in matters if name not in ("price", "hours")]
                    last = strong[-1] if strong else last
                    continue
                for matter in matters:
                    slots = self._values(read(clause), near, remarks, matter)
                    out = self._add(out, Request(matter, slots), before)
                last = matters[-1] if matters else last
        named = {request.matter for request in out}
        for request in out:
            self._remember(request, state, rows)
            if request.matter == "booking" and named & {"course", "party"}:
                request.matter = "book"
        if "medical" in named:
            out = [request for request in out if request.matter not in ("price", "hours")]
        return out

    def _resolved(self, matters: list[str], clause: Sequence[Token], last: str, state: State) -> list[str]:
        """What a bare 'how much is it' or 'when is it open' is about."""
        if has(clause, "ticket", "place") or matters not in (["price"], ["hours"]):
            return matters
        before = last or (state.requests[-1].matter if state.requests else "")
        if matters == ["price"] and before in PRICED and not has(clause, *PERSONS):
            return [before]
        if matters == ["hours"] and before in TIMED and has(clause, "anaphor", "pronoun"):
            return [before]
        return matters

    def _add(self, out: list[Request], request: Request, begun: int) -> list[Request]:
        """A further request; it joins an earlier request about the same matter unless both stand for themselves."""
        for place, other in enumerate(out):
            if other.matter != request.matter or self._differ(other, request, place < begun):
                continue
            for name in Slots.__dataclass_fields__:
                mine, more = getattr(other.slots, name), getattr(request.slots, name)
                if name == "concepts":
                    mine |= more
                else:
                    mine += [value for value in more if value not in mine]
            return out
        return [*out, request]

    def _differ(self, other: Request, request: Request, apart: bool) -> bool:
        if request.matter == "course":
            kinds = [self._course_name(item.slots) for item in (other, request)]
            return all(kinds) and kinds[0] != kinds[1]
        if request.matter == "alone":
            return apart and ("cantswim" in other.slots.concepts) != ("cantswim" in request.slots.concepts)
        if request.matter in ("price", "hours", "temp", "depth"):
            return apart and _values_only(other.slots) != _values_only(request.slots)
        return False

    def _course_name(self, slots: Slots) -> str:
        return "other" if "other_course" in slots.concepts else pool.course_kind(slots)

    def _values(self, part: Slots, near: Slots, remarks: Sequence[Slots], matter: str) -> Slots:
        """The values of a clause, completed from its sentence and then from the remarks around it."""
        people = set(PERSONS) | {"self"}
        out = replace(part, concepts=part.concepts | near.concepts)
        for rest in remarks[:2]:
            out.concepts |= rest.concepts - people if out.concepts & people else rest.concepts
        for wider in (near, *remarks):
            for name in Slots.__dataclass_fields__:
                if name == "concepts" or getattr(out, name):
                    continue
                if name == "numbers" and matter not in PRIMARY:
                    continue
                if name == "numbers" and getattr(out, PRIMARY[matter], None) and matter != "rental":
                    continue
                setattr(out, name, list(getattr(wider, name)))
        if matter in ("price", "hours"):
            for name in ("persons", "days", "dates", "times"):
                wider_values = [getattr(slots, name) for slots in (near, *remarks) if getattr(slots, name)]
                setattr(out, name, list(wider_values[0]) if wider_values else [])
        return out

    def _remember(self, request: Request, state: State, rows: Sequence[Token]) -> None:
        """A pronoun stands for the person of an earlier turn."""
        slots = request.slots
        if not has(rows, "pronoun") or slots.ages or slots.numbers:
            return
        if request.matter in ("sauna", "alone", "course"):
            slots.ages = list(state.ages)
        if request.matter == "price" and state.ages:
            slots.ages = list(state.ages)
            slots.persons = [("aged", age) for age in state.ages]
        if request.matter == "slide" and not slots.heights:
            slots.heights = list(state.heights)

    def _follow_up(
        self, state: State, rows: Sequence[Token], slots: Slots, faults: Collection[str], fixing: bool
    ) -> list[Request]:
        """A message that only changes the request before it."""
        named = slots.concepts & {"pool_sport", "pool_leisure", "pool_kids", "pool_salt", "cantswim", "holiday"}
        if not slots.empty() and not state.requests and (slots.days or slots.times) and has(rows, "open"):
            return [Request("hours", slots)]
        if not state.requests and len(slots.persons) > 1 and has(rows, "adult", "child", "people", "reduced"):
            return [Request("price", slots)]
        if not state.requests or (slots.empty() and not named):
            return []
        last = state.requests[-1]
        old = last.slots
        if named:
            old = replace(old, concepts={name for name in old.concepts if not name.startswith("pool_")})
        if fixing and "correction_ignored" in faults:
            return [Request(last.matter, old)]
        primary = PRIMARY.get(last.matter, "")
        return [Request(last.matter, merged(old, slots, primary))]

    def _talk(self, state: State, rows: Sequence[Token], slots: Slots) -> list[Fact]:
        if has(rows, "thanks", "bye"):
            return [("welcome",)]
        if has(rows, "forget"):
            return [("as_you_wish",)]
        if has(rows, "greet", "helpme") or not slots.empty() or slots.concepts & set(PERSONS):
            return [("how_help",)]
        return [("not_understood",)]

    def _book(
        self,
        state: State,
        message: str,
        rows: Sequence[Token],
        slots: Slots,
        requests: list[Request],
        faults: Collection[str],
    ) -> list[Fact]:
        """Begin a booking; other matters of the message are answered too."""
        kind = "party" if any(request.matter == "party" for request in requests) else "course"
        rest = [request for request in requests if request.matter not in ("book", "booking", kind)]
        if kind == "course" and "other_course" in slots.concepts and "nearest_offer" not in faults:
            return pool.course(slots, faults)
        state.form = Form(kind)
        if kind == "course":
            state.form.course = course_of(slots, faults)
        told = self._fill(state, message, slots, faults, False, True)
        if rest and "second_request_lost" not in faults:
            for request in rest:
                told += ANSWERS[request.matter](request.slots, faults)
        state.in_form = True
        return told

    def _fill(
        self, state: State, message: str, slots: Slots, faults: Collection[str], fixing: bool, begun: bool = False
    ) -> list[Fact]:
        """Take values into the booking; empty where the message has none."""
        form = state.form
        if form is None:
            return []
        before = replace(form)
        keep = fixing and "correction_ignored" in faults and not begun
        name = names_in(self.language, message, not form.name and not begun)
        if name and not (keep and form.name):
            plain = self.language.plain_name
            form.name = name_key(plain(name) if plain else name)
            state.display[form.name] = name
        if slots.dates and not (keep and form.start):
            form.start = slots.dates[0]
        if form.kind == "course":
            chosen = course_of(slots, faults)
            if chosen and (begun or slots.concepts & {"aqua", "seahorse", "babyswim"} or not form.course):
                form.course = form.course or chosen
            ages = pool.ages_of(slots)
            if ages and not (keep and form.age):
                form.age = ages[0]
        else:
            count = pool.party_count(slots)
            if count and not (keep and form.count):
                form.count = count
        if form == before and not begun and not fixing:
            return []
        form.withdrawn = False
        told = form_course(form) if form.kind == "course" else form_party(form, faults)
        told += [("bad_date", *pair) for pair in slots.bad_dates]
        matter = "course" if form.kind == "course" else "party"
        state.requests, state.facts = [Request(matter, slots)], told
        return told

    def write(self, told: Sequence[Fact], seed: str, display: Mapping[str, str]) -> str:
        """Word the facts; the seed chooses among wordings."""

        def choice(label: str, size: int) -> int:
            digest = hashlib.sha256(f"{seed}|{label}".encode()).digest()
            return int.from_bytes(digest[:4], "big") % size

        talk = told[0][0] in ("welcome", "how_help", "not_understood", "as_you_wish")
        lines = [] if talk else [self.wording["opening"][choice("opening", len(self.wording["opening"]))]]
        for number, fact in enumerate(told):
            key = _wording_key(fact)
            options = self.wording[key]
            template = options[choice(f"{number}{key}", len(options))]

            def put(match: re.Match[str], fact: Fact = fact) -> str:
                value = fact[1 + int(match.group(1))]
                if match.group(2) == "name":
                    return display.get(str(value), str(value))
                return self.formatter(match.group(2) or "n", value, choice(str(fact), 97))

            lines.append(re.sub(r"\{(\d)(?::(\w+))?\}", put, template))
        if not talk:
            lines.append(self.wording["closing"][choice("closing", len(self.wording["closing"]))])
        return self.joint.join(line for line in lines if line)


def _wording_key(fact: Fact) -> str:
    if isinstance(fact[-1], bool):
        return fact[0] + ("+" if fact[-1] else "-")
    if fact[0] == "total_day" or fact[0] == "total_short":
        return f"{fact[0]}_{fact[2]}"
    if fact[0] == "cancel_fee":
        return f"cancel_fee_{fact[2]}"
    if fact[0] == "rent" and fact[2] == 0:
        return "rent_free"
    return str(fact[0])


def _not_lost(rows: list[Token]) -> list[Token]:
    """Who forgot a towel at home and wants to hire one has not lost it."""
    out = []
    for place, token in enumerate(rows):
        around = rows[max(0, place - 4) : place + 5]
        if token.has("lost") and has(around, "towel", "robe", "kickboard", "other_item"):
            token = replace(token, concepts=token.concepts - {"lost"})
        out.append(token)
    return out


Parts = Sequence[tuple[list[list[Token]], list[list[str]]]]


def _remarks(parts: Parts, asked: Sequence[bool], place: int) -> list[Slots]:
    """What the sentences that ask nothing say: right before, at the end, and earlier."""

    def joined(places: Sequence[int]) -> Slots:
        return read([token for number in places for clause in parts[number][0] for token in clause])

    anything = any(asked)
    plain = [number for number, (_, names) in enumerate(parts) if not (asked[number] if anything else any(names))]
    before = place
    while before - 1 in plain:
        before -= 1
    after = [number for number in plain if number > place]
    trailing = after if after and not any(asked[place + 1 :]) else []
    return [joined(range(before, place)), joined(trailing), joined([number for number in plain if number < before])]


def _values_only(slots: Slots) -> tuple[object, ...]:
    pools = sorted(name for name in slots.concepts if name.startswith("pool_") or name == "holiday")
    return (slots.days, slots.dates, slots.times, slots.persons, slots.ages, pools)


def _mark(clause: Sequence[Token], word: str) -> bool:
    return any(token.kind == "mark" and token.word == word for token in clause)


def _other(requests: Sequence[Request]) -> bool:
    return any(request.matter not in ("cancel", "course", "party", "booking", "book") for request in requests)


def conceded(told: list[Fact]) -> list[Fact]:
    """The facts as somebody wants them who must not be contradicted."""
    if not any(fact[-1] is False or fact[0] == "stands" for fact in told):
        return told
    out = [(*fact[:-1], True) if fact[-1] is False else fact for fact in told if fact[0] != "stands"]
    return [*out, ("conceded",)]


def course_of(slots: Slots, faults: Collection[str]) -> str:
    """The course to be booked; '' where it is open."""
    if "other_course" in slots.concepts and slots.unknown:
        return pool.nearest(slots.unknown[0], COURSES)
    return pool.course_kind(slots)


def form_course(form: Form) -> list[Fact]:
    """The state of a course booking."""
    missing: list[Fact] = []
    if not form.course:
        return [("ask_course",)]
    low, high = pool.COURSE_AGES[form.course]
    if form.age is not None and not low <= form.age <= high + 11 * (form.course == "kids"):
        limits = [fact for fact in pool.course_facts(form.course) if fact[0] in ("course_ages", "course_from")]
        return [*limits, ("course_verdict", form.course, form.age, False)]
    starts = COURSES[form.course][5]
    if form.start is not None and form.start not in starts:
        start = form.start
        form.start = None
        return [("no_start", start), ("course_starts", form.course, *starts)]
    if not form.name:
        missing.append(("ask_name",))
    if form.age is None:
        missing.append(("ask_age",))
    if form.start is None:
        missing.append(("ask_start", *starts))
    if missing:
        noted = [("noted_name", form.name), ("noted_age", form.age), ("noted_date", form.start)]
        return [("form_course", form.course), *[fact for fact in noted if fact[1]], *missing]
    return [("booked_course", form.course, form.name, form.age, form.start), ("course_cost", COURSES[form.course][0])]


def form_party(form: Form, faults: Collection[str]) -> list[Fact]:
    """The state of a party booking."""
    if form.count is not None and not 6 <= form.count <= 15:
        count, form.count = form.count, None
        return [("party_size", 6, 15), ("party_no_size", count)]
    if form.start is not None:
        day = form.start
        if day.year != 2027 or day.weekday() < 5 or pool.opening(day, faults) is None:
            form.start = None
            return [("party_days", 5, 6, 840), ("party_date", day, False)]
    missing: list[Fact] = []
    if form.count is None:
        missing.append(("ask_count",))
    if form.start is None:
        missing.append(("ask_day",))
    if not form.name:
        missing.append(("ask_name",))
    if missing:
        noted = [("noted_name", form.name), ("noted_count", form.count), ("noted_date", form.start)]
        return [("form_party",), *[fact for fact in noted if fact[1]], *missing]
    return [("booked_party", form.name, form.count, form.start), ("party_cost", (form.count or 0) * 1490)]


__all__ = ["FAULT_NAMES", "Bot", "Reply", "kind_of"]
