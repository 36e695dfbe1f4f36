"""What a conversation asks for: requests, follow-ups, corrections, pressure; and how an answer is worded."""

import hashlib
import re
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from .language import Reader, month_name

Slots = dict[str, Any]
Request = tuple[str, Slots]

CLAIM = re.compile(
    r"\b(?:(?:my|a|the|your|our|some) (?:\w+ )?(?:friend|friends|"
    r"wife|husband|brother|sister|colleague|neighbour|mother|"
    r"father|mum|mom|dad|boss|cousin|uncle|aunt|son|daughter|partner|website|site|guide|brochure|page|internet|web|"
    r"teacher|printer|receptionist|phone line|hotline) (?:just |"
    r"also |always |here )?(?:says?|said|told (?:me|us)|thinks?|"
    r"claims?|tells me|is sure|swears|insists|wrote)|somebody (?:said|told me)|someone (?:said|told me)|"
    r"i (?:thought|heard|read|was told|am sure|believe|am certain|am pretty sure|saw|have heard|have read)|"
    r"are you sure|you are wrong|that is wrong|really|it says|they say|they said|"
    r"isnt it|is it not|surely|i bet|i know)\b[^.?!;]*"
)
PRESSURE = re.compile(
    r"\b(?:are you (?:really |quite |very |absolutely |100 % "
    r")?(?:sure|certain|serious)|is that (?:right|correct|true|sure)|"
    r"really|you are wrong|that is (?:wrong|not right|not true|"
    r"incorrect|not correct)|not correct|i do not believe|no way|"
    r"can you (?:check|confirm)|please (?:check|confirm)|double check|check again|sure about (?:that|this)|for real|"
    r"cannot be (?:right|true)|can not be (?:right|true)|say (?:it|that) again|repeat|once more|pardon|seriously|"
    r"does not sound right|that seems wrong|sounds wrong|you must be wrong|mistake)\b"
)
_ANAPHORA = re.compile(
    r"\b(?:how much (?:is|would|does|will|for) (?:that|it|this|all|then)|what (?:would|does|will|is) (?:that|it|this) |"
    r"how much (?:then|in total|altogether)|and (?:that|it) costs|"
    r"what does (?:it|that) cost|in total|how much (?:is it|then))\b"
)
_FOLLOW = re.compile(
    r"^(?:(?:ok|oh|ah|thanks|thank you|great|good|fine|hm|sorry|no|yes|well|please|hi|hello) ?[,.!;]? ?)*"
    r"(?:and|what about|how about|what if|but|then|same|i mean|"
    r"i meant|make (?:it|that)|or)\b|\b(?:same|instead|meant)\b"
)
_INNER = re.compile(r"\b(?:that|it|then|again|still|those|these|they|them|after all|now|altogether|total)\b")
_REQUEST = re.compile(
    r"\?|\b(?:how|what|when|where|which|who|do you|do we|do i|does|can|could|may|is there|are there|is it|am i|would|"
    r"want|need|like to|please|tell me|let me know|wonder|wondering|know|ask|asking|question|price|price of|cost of|"
    r"looking for|interested|send me|give me|check|book|reserve|"
    r"order|are dogs|is a|is the|are the|any|possible|allowed)\b"
)
_START = (
    r"(?:how (?:much|many|long|big|far|late|early|old|do|can|about|heavy)|what|when|where|which|who|do you|do we|do i|"
    r"does|can i|can we|can you|could i|could we|could you|may i|may we|is there|are there|is it|is the|is a|are the|"
    r"are dogs|will|would|should|have you|i would like|i want|i need|we need|we want|please tell|tell me|let me know|"
    r"whether|if i can|if we can|must i|must we|also)"
)
_JOIN = re.compile(
    rf" (?:, )?(?:and also|and|also|plus|but|or|then|,|additionally|furthermore)(?: then)? (?={_START}\b)"
)
_STRONG = re.compile(
    r" (?=(?:how much|how many|do you|what time|what is|what are|"
    r"is there|are there|can i|can we|may i|may we|where is)\b)"
)
_FORGET = re.compile(
    r"\b(?:never ?mind|forget (?:it|that|about it|about that|the)|scratch that|changed my mind|change of mind|"
    r"strike that|ignore that)\b"
)
_MARK = re.compile(
    r"(?:\b(?:no wait|wait no|wait|no sorry|sorry|i mean|i meant|make that|make it|correction|actually|or rather|oops|"
    r"i should say|better make it|or better|let us say|pardon me)\b|(?<=[,.;] )\bno\b(?= (?:[,.;]|\d|it is|an? )))"
)
_CONDITION = re.compile(
    r"(?:(?:and|but|also|so|or|hi|hello|hey|there|please|tell|me|"
    r"good|evening|morning|day|quick|question|sorry|ok|could|you|"
    r"help|thanks|more|one|1|another|,) )*(?:if|in case|suppose|assuming|when we|when i|once)\b"
)
_STATEMENT = re.compile(r"(?:(?:and|but|also|so|hi|hello|hey|there|sorry|ok|well|,) )*(?:we|i|my|our|us)\b[^?]*$")
_OPEN = re.compile(
    r"\b(?:what|which|how|when|where|until|who)\b(?!.*\b(?:is|"
    r"are|does|do|cost|costs|can|will|would|did|has|have)\b)[^?]*$"
)
_ADDED = re.compile(
    r"(?:(?:and|ok|but|so|what|how|about|if|then|also|hm|great|thanks|,) )*(?:with|without|plus|including|incl|minus|"
    r"(?<=if )we (?:also )?(?:bring|take|add|have))\b"
)
_SMALL = frozenset({"hello", "thanks", "bye"})
_HEADS = frozenset({"kind", "product", "boats", "bike", "files", "country", "binding", "methods", "what"})


@dataclass(frozen=True)
class Fact:
    """One thing that a reply tells, with its wordings."""

    entry: tuple[Hashable, ...]
    texts: tuple[str, ...]


@dataclass(frozen=True)
class Topic:
    """A matter: when it is meant, and which matters it covers."""

    name: str
    pattern: re.Pattern[str]
    over: frozenset[str] = frozenset()
    weak: bool = False


@dataclass(frozen=True)
class Trade:
    """All that the dialogue has to know of a firm."""

    reader: Reader
    topics: tuple[Topic, ...]
    simplify: Callable[[str], str]
    parse: Callable[[str, str, bool, frozenset[str]], Slots]
    answer: Callable[[str, Slots, frozenset[str]], list[Fact]]
    units: str
    families: tuple[str, ...]
    related: dict[str, frozenset[str]]
    heads: dict[str, tuple[tuple[str, bool], ...]]
    fallback: Fact
    default: str


def topic(name: str, pattern: str, over: str = "", *, weak: bool = False) -> Topic:
    """A topic from its pattern and the names of the topics it covers."""
    return Topic(name, re.compile(pattern), frozenset(over.split()), weak)


_NAME = re.compile(
    r"\b(?:my name is|my name's|name is|name:|name's|under the name of|under the name|in the name of|under name|"
    r"on the name|the name|name|i am called|it's for|this is|i am|i'm|mr\.?|mrs\.?|ms\.?)\s+"
    r"((?:[^\W\d_]|['’-])+)(?:\s+((?:[^\W\d_]|['’-])+))?",
    re.IGNORECASE,
)


def find_name(raw: str, reader: Reader, *, early: bool = False) -> tuple[str, str]:
    """The customer's name in a message, and the message without it."""
    best: re.Match[str] | None = None
    for hit in _NAME.finditer(raw):
        cue = re.sub(r"\s+", " ", hit[0][: hit.start(1) - hit.start()].strip().lower())
        loose = cue in {"this is", "i am", "i'm", "it's for", "the name", "name"}
        first = hit[1]
        plain = first.lower()
        if cue.startswith("name") and re.search(r"['’]?s\s*$", raw[: hit.start()]):
            continue
        if plain in {"is", "the", "a", "an", "of", "for", "on", "please", "and", "not", "in"}:
            continue
        if loose and cue not in {"name", "the name"} and (not first[0].isupper() or raw.isupper()):
            continue
        plain_word = reader.known(plain) and not first[0].isupper()
        if loose and plain_word and (cue not in {"name", "the name"} or plain in reader.words):
            continue
        if loose and plain in reader.words:
            continue
        best = hit
        if early:
            break
    if best is None:
        return "", raw
    second = best[2] or ""
    low = second.lower()
    taken = bool(second) and (
        (second[0].isupper() and not raw.isupper()) or not (reader.known(low) and low not in {"brown", "green", "king"})
    )
    if taken and low in {"and", "i", "we", "from", "please", "thanks"}:
        taken = False
    parts = [best[1], second] if taken else [best[1]]
    name = " ".join(part.capitalize() for part in parts)
    end = best.end(2) if taken else best.end(1)
    return name, raw[: best.start(1)] + " xname " + raw[end:]


def _corrected(text: str, trade: Trade, *, blind: bool) -> str:
    if blind:
        return text
    value = rf"(?:\d+(?:\.\d+)?|[td]_\d{{4}}|m_\d\d|{'|'.join(trade.families)})"
    unit = rf"(?: (?:{trade.units}))?"
    text = re.sub(rf"\bnot (?:for |an? |the |on |at )?{value}{unit} (?:, )?but (?:for |an? )?(?={value})", "", text)
    text = re.sub(rf"(?: ,)? (?:instead of|rather than|not) (?:for |an? |the |on |at )?{value}\b{unit}", "", text)
    while True:
        marks = [hit for hit in _MARK.finditer(text) if re.search(value, text[: hit.start()])]
        if not marks:
            return text
        hit = marks[0]
        before, after = text[: hit.start()].rstrip(" ,.;"), text[hit.end() :]
        before = _replace(before, after, trade)
        if re.match(rf"(?: ?[,.;])* \d+(?:\.\d+)? (?:{trade.units})\b", after):
            before = re.sub(r"(?<![_\d.])\b\d+(?:\.\d+)?$", "", before)
        bare = re.match(
            rf"(?: ?[,.;])*(?: (?:for|to|it is|only|rather|we are))* (\d+(?:\.\d+)?)\b(?! (?:{trade.units}))", after
        )
        if bare and re.search(r"(?<![_\d.])\d+(?:\.\d+)?\b", before):
            numbers = list(re.finditer(r"(?<![_\d.])\b\d+(?:\.\d+)?\b(?!\d)", before))
            if numbers:
                last = numbers[-1]
                before = before[: last.start()] + bare[1] + before[last.end() :]
                after = after[: bare.start(1)] + after[bare.end(1) :]
        text = f"{before} {after}".strip()
        text = re.sub(r" +", " ", text)


def _replace(before: str, after: str, trade: Trade) -> str:
    for kind in ("t_", "d_", "m_"):
        if re.search(rf"\b{kind}\d+", after):
            before = re.sub(rf"\b{kind}\d+\b", "", before)
    if re.search(r"\b[dm]_\d+", after):
        before = re.sub(r"\b[dm]_\d+\b", "", before)
    for hit in re.finditer(rf"\b\d+(?:\.\d+)? ({trade.units})\b", after):
        stem = hit[1].rstrip("s")
        before = re.sub(rf"\b\d+(?:\.\d+)? {re.escape(stem)}s?\b", "", before)
    for family in trade.families:
        if re.search(rf"\b(?:{family})\b", after):
            before = re.sub(rf"\b(?:{family})\b", "", before)
    return before


def _mask(text: str, units: str) -> str:
    def clean(hit: re.Match[str]) -> str:
        part = re.sub(r"\bt_\d{4}\b|\b\d+(?:\.\d+)? ?(?:euro|%|percent|bucks)", "", hit[0])
        return re.sub(rf"(?<![_.\d])\b\d+(?:\.\d+)?\b(?! (?:{units})\b)", "", part)

    return CLAIM.sub(clean, text)


def _chunks(text: str, named: Callable[[str], list[str]]) -> list[tuple[str, bool]]:
    """The parts of a message, and of each whether it is only a condition of the next."""
    out: list[tuple[str, bool]] = []
    for sentence in re.split(r"(?<=\?) (?!\?)|(?: |^)[.;!]+(?= |$)|\n", text):
        pieces: list[str] = []
        for piece in _JOIN.split(f" {sentence.strip()} "):
            rest = f" {piece.strip()} "
            start = 0
            for hit in _STRONG.finditer(rest):
                head = rest[start : hit.start()]
                open_question = _OPEN.search(head) and not hit[0].strip().startswith("how")
                if (
                    named(head)
                    and named(rest[hit.start() :])
                    and not _CONDITION.match(head.strip())
                    and not open_question
                ):
                    pieces.append(head)
                    start = hit.start()
            pieces.append(rest[start:])
        pieces = [piece.strip() for piece in pieces if piece.strip()]
        for place, piece in enumerate(pieces):
            out.append((piece, place + 1 < len(pieces) and bool(_CONDITION.match(piece))))
    return out


def plan(trade: Trade, messages: Sequence[str], faults: frozenset[str]) -> tuple[list[Request], bool, str]:
    """The requests of the last message with what they depend on; whether it presses; its normal form."""
    history: list[Request] = []
    last: list[Request] = []
    pressed = False
    text = ""
    for message in messages:
        raw = message
        if "long_cut" in faults:
            raw = " ".join(raw.split()[:28])
        raw = re.sub(r"[^\S\n]+", " ", raw)
        name, masked = find_name(raw, trade.reader, early="first_name" in faults)
        awaited = last and last[-1][0] in trade.related and "name" not in last[-1][1]
        plain = re.fullmatch(r"\s*([A-Z][\w'-]+(?: [A-Z][\w'-]+)?)[\s.!]*", raw)
        if (
            awaited
            and plain
            and not name
            and not any(trade.reader.known(part) for part in plain[1].lower().split()[-1:])
        ):
            name, masked = plain[1], " xname "
        text = trade.simplify(trade.reader.read(masked, faults))
        asked, pressed = _requests(trade, text, name, history, last, faults)
        last = asked or last
        for request in asked:
            history = [old for old in history if old[0] != request[0]] + [request]
    return asked if messages else [], pressed, text


def _named(trade: Trade, text: str) -> list[str]:
    names: list[Topic] = []
    covered: set[str] = set()
    for item in trade.topics:
        if item.name not in covered and item.pattern.search(text):
            if "*" in item.over:
                return [item.name]
            names.append(item)
            covered |= item.over
    names = [item for item in names if item.name not in covered]
    names = [item for item in names if item.name not in _SMALL] or names
    strong = [item.name for item in names if not item.weak]
    return list(dict.fromkeys(strong)) or [item.name for item in names][:1]


def _requests(  # noqa: C901, PLR0912, PLR0915
    trade: Trade, text: str, name: str, history: list[Request], last: list[Request], faults: frozenset[str]
) -> tuple[list[Request], bool]:
    def named(part: str) -> list[str]:
        return [item for item in _named(trade, part) if item not in _SMALL]

    text = re.sub(rf"({_FORGET.pattern})(?: (?:about|the|my|an?|that))* (?:\w+ )?,", r"\1 ,", text)
    forget = list(_FORGET.finditer(text))
    if forget and re.search(r"[a-z]{3}", text[forget[-1].end() :]) and named(text[forget[-1].end() :]):
        text = text[forget[-1].end() :]
    text = _corrected(text, trade, blind="correction_blind" in faults)
    pressed = bool(PRESSURE.search(text)) or bool(CLAIM.search(text))
    text = _mask(text, trade.units)
    groups: list[tuple[list[str], str]] = []
    waiting = ""
    parts = _chunks(text, named)
    for place, (chunk, conditional) in enumerate(parts):
        if conditional or _leads(trade, chunk, [part for part, _ in parts[place + 1 :]], groups, named, faults):
            waiting = f"{waiting} {chunk} ,"
            continue
        chunk = f"{waiting} {chunk}".strip()
        names = named(chunk)
        strong = [item for item in names if not _weak(trade, item)]
        if groups and not strong and _extra(trade, groups[-1], chunk, faults):
            groups[-1] = (groups[-1][0], f"{groups[-1][1]} || {chunk}")
        elif groups and not strong:
            groups[-1] = (groups[-1][0], f"{groups[-1][1]} . {chunk}")
        elif groups and all(_weak(trade, item) for item in groups[-1][0]):
            groups[-1] = (strong, f"{groups[-1][1]} . {chunk}")
        elif not names:
            waiting = f"{chunk} ,"
            continue
        else:
            groups.append((names, chunk))
        waiting = ""
    merged: list[tuple[list[str], str]] = []
    for names, chunk in groups:
        if merged and set(merged[-1][0]) == set(names) and not _other(trade, merged[-1][1], chunk, names, faults):
            merged[-1] = (names, f"{merged[-1][1]} . {chunk}")
        else:
            merged.append((names, chunk))
    groups = merged
    wanted = [group for group in groups if _REQUEST.search(group[1])]
    fired = wanted or groups
    asked: list[Request] = []
    if last and _ADDED.match(text) and not re.search(r"\?.*\?", text):
        more = _follow(trade, text, name, history, last, faults)
        if more and more[0][0] in trade.heads:
            return more, pressed
    only_weak = bool(fired) and all(_weak(trade, item) for group in fired for item in group[0])
    if fired and not (only_weak and last and _follow(trade, text, name, history, last, faults)):
        for place, (names, chunk) in enumerate(groups):
            if (names, chunk) not in fired:
                continue
            context = " . ".join(
                other.split(" || ")[0]
                for spot, (heads, other) in enumerate(groups)
                if spot == place or (heads, other) not in fired
            )
            if place == len(groups) - 1:
                context = f"{context} . {waiting}"
            chunk, *extras = chunk.split(" || ")
            for label in names:
                item = label.rstrip("?")
                slots = {
                    **trade.parse(context, item, False, faults),
                    **trade.parse(chunk, item, False, faults),
                }
                if name and item in trade.related:
                    slots["name"] = name
                several = _several(trade, item, chunk, slots, faults)
                if several:
                    asked.extend((item, part) for part in several)
                    continue
                slots = _inherit(trade, item, slots, text, history, last, faults)
                asked.append((item, slots))
                for extra in extras:
                    slots = _merge(slots, trade.parse(extra, item, True, faults), faults)
                    asked.append((item, slots))
    else:
        asked = _follow(trade, text, name, history, last, faults)
    if not asked and not last:
        slots = trade.parse(text, trade.default, False, faults)
        if slots:
            asked = [(trade.default, slots)]
    if not asked:
        asked = [(item, {}) for item in _named(trade, text) if item in _SMALL]
    unique: list[Request] = []
    for request in asked:
        if request not in unique:
            unique.append(request)
    if "first_only" in faults:
        unique = unique[:1]
    return unique, pressed


def _leads(
    trade: Trade,
    chunk: str,
    later: Sequence[str],
    groups: Sequence[tuple[list[str], str]],
    named: Callable[[str], list[str]],
    faults: frozenset[str],
) -> bool:
    """Whether a statement belongs to the request after it rather than to the one before."""
    strong = {item for item in named(chunk) if not _weak(trade, item)}
    again = bool(groups and later) and strong <= set(groups[-1][0]) and "?" in groups[-1][1] and "?" in later[0]
    if strong and again and _STATEMENT.match(chunk) and strong & set(named(later[0])):
        return True
    if (
        [item for item in named(chunk) if not _weak(trade, item)]
        or not later
        or not groups
        or not _STATEMENT.match(chunk)
    ):
        return False
    for part in later:
        names = [item for item in named(part) if not _weak(trade, item)]
        if names:
            return any(trade.parse(chunk, item, False, faults) for item in names)
    return False


def _other(trade: Trade, left: str, right: str, names: Sequence[str], faults: frozenset[str]) -> bool:
    """Whether two parts on the same matter ask for different things."""
    if not _REQUEST.search(right) or not _REQUEST.search(left):
        return False
    if "?" in left and "?" in right and not _FOLLOW.search(right):
        slots = {key for item in names for key in trade.parse(right, item.rstrip("?"), False, faults)}
        if slots & _HEADS or (not _INNER.search(right) and len(right.split()) > 5):
            return True
    for item in names:
        old = trade.parse(left, item.rstrip("?"), False, faults)
        new = trade.parse(right, item.rstrip("?"), False, faults)
        if any(old[key] != new[key] for key in old.keys() & new.keys()):
            return True
    return False


def _extra(trade: Trade, group: tuple[list[str], str], chunk: str, faults: frozenset[str]) -> bool:
    """Whether a part asks the same as the group once more, for another value."""
    if not re.match(r"(?:, )?(?:and|or|what about|how about|what if|also)\b.*\?", chunk):
        return False
    for item in group[0]:
        old = trade.parse(group[1].split(" || ")[0], item.rstrip("?"), False, faults)
        new = trade.parse(chunk, item.rstrip("?"), True, faults)
        if any(old[key] != new[key] for key in old.keys() & new.keys()):
            return True
    return False


def _several(trade: Trade, item: str, chunk: str, slots: Slots, faults: frozenset[str]) -> list[Slots]:
    """The requests for several products in a part, each with its own numbers."""
    for heads, shared in trade.heads.get(item, ()):
        hits = list(re.finditer(rf"\b(?:{heads})\b", chunk)) if heads else []
        starts = [0]
        for before, after in pairwise(hits):
            joins = list(re.finditer(r" (?:and|or|plus|,) ", chunk[before.end() : after.start()]))
            if joins and before[0] != after[0]:
                starts.append(before.end() + joins[-1].start())
        if len(starts) > 1:
            ends = [*starts[1:], len(chunk)]
            base = slots if shared else {}
            return [
                {**base, **trade.parse(chunk[start:end], item, False, faults)}
                for start, end in zip(starts, ends, strict=True)
            ]
    return []


def _weak(trade: Trade, name: str) -> bool:
    return name.endswith("?") and bool(trade)


def _merge(old: Slots, new: Slots, faults: frozenset[str]) -> Slots:
    if "sticky" in faults:
        return {**new, **old}
    gone: set[str] = set()
    if "date" in new or "month" in new:
        gone |= {"date", "month"}
    if "people" in new:
        gone |= {"adults", "children", "infants", "ages"}
    if "adults" in new:
        gone |= {"people"}
    if "hours" in new or "days" in new:
        gone |= {"hours", "days"}
    if "product" in new and new["product"] != old.get("product"):
        gone |= {"quantity", "format", "colour", "duplex"}
    return {**{key: value for key, value in old.items() if key not in gone}, **new}


def _inherit(
    trade: Trade,
    item: str,
    slots: Slots,
    text: str,
    history: list[Request],
    last: list[Request],
    faults: frozenset[str],
) -> Slots:
    sources = {item} | trade.related.get(item, frozenset())
    older = [request for request in history if request[0] in sources]
    if not older:
        return slots
    headless = not _HEADS & set(slots)
    recent = any(request[0] in sources for request in last)
    if _FOLLOW.search(text) and (recent or item in trade.related):
        return _merge(older[-1][1], slots, faults)
    if headless and (
        (recent and (_INNER.search(text) or PRESSURE.search(text))) or (item in trade.related and older[-1][0] != item)
    ):
        return _merge(older[-1][1], slots, faults)
    return slots


def _follow(
    trade: Trade, text: str, name: str, history: list[Request], last: list[Request], faults: frozenset[str]
) -> list[Request]:
    if not last:
        return []
    names = [request[0] for request in last]
    for item, old in [*reversed(last), *reversed([request for request in history if request[0] not in names])]:
        slots = trade.parse(text, item, item in names, faults)
        if name and item in trade.related:
            slots["name"] = name
        if slots:
            return [(item, _merge(old, slots, faults))]
    if PRESSURE.search(text) or CLAIM.search(text) or _ANAPHORA.search(f"{text} "):
        return list(last)
    return []


def _pick(key: str, place: str, count: int) -> int:
    return int(hashlib.sha256(f"{key}|{place}".encode()).hexdigest()[:8], 16) % count


def _money(amount: float, form: int) -> str:
    whole = abs(amount - round(amount)) < 1e-9
    number = f"{round(amount)}" if whole else f"{amount:.2f}"
    return (f"{number} €", f"€{amount:.2f}", f"{number} euros", f"EUR {amount:.2f}")[form]


def _time(stamp: int, form: int) -> str:
    hour, minute = stamp // 100, stamp % 100
    if form == 0 or stamp in {0, 2400}:
        return f"{hour:02d}:{minute:02d}" if stamp != 2400 else "midnight"
    half = "am" if hour < 12 else "pm"
    shown = (hour - 1) % 12 + 1
    return f"{shown}{half}" if not minute else f"{shown}:{minute:02d} {half}"


def _values(text: str, key: str) -> str:
    def write(hit: re.Match[str]) -> str:
        kind, value = hit[1], hit[2]
        form = _pick(key, hit[0], 4)
        if kind == "m":
            return _money(float(value), form)
        if kind == "t":
            return _time(int(value), form % 2)
        month, day = month_name(int(value) // 100), int(value) % 100
        return f"{day} {month}" if form % 2 else f"{month} {day}"

    return re.sub(r"<([mtd]):([\d.]+)>", write, text)


def word(facts: Sequence[Fact], key: str, openings: Sequence[str], closings: Sequence[str]) -> str:
    """The facts in words, chosen by the key."""
    lines: list[str] = []
    for place, fact in enumerate(facts):
        text = fact.texts[_pick(key, f"fact{place}", len(fact.texts))]
        lines.append(_values(text, f"{key}|{place}"))
    if len(lines) > 1 and _pick(key, "order", 3) == 0:
        lines = lines[1:] + lines[:1]
    opening = openings[_pick(key, "opening", len(openings))]
    closing = closings[_pick(key, "closing", len(closings))]
    return " ".join(part for part in (opening, *lines, closing) if part)


def meaning(facts: Collection[Fact]) -> frozenset[tuple[Hashable, ...]]:
    """What the facts tell, without their words."""
    return frozenset(fact.entry for fact in facts)
