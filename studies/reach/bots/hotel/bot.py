"""Chatbot of the Lantern Hotel in Kinsale, with ten faults that can be switched on."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Callable, Collection, Sequence
from zlib import crc32


def _language() -> Any:
    """The module language.py beside this file, however this one was loaded."""
    name = "language_of_" + Path(__file__).parent.name
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name("language.py"))
        assert spec and spec.loader
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return sys.modules[name]


lang = _language()
HERE = Path(__file__).parent
_DATA: dict[str, dict[str, list[str]]] = json.loads((HERE / "patterns.json").read_text(encoding="utf-8"))


def _joined(name: str) -> dict[str, str]:
    """The patterns of one kind, each written in pieces in the file."""
    return {key: "".join(pieces) for key, pieces in _DATA[name].items()}


_PHRASES = _joined("phrases")
Fact = tuple[Any, ...]
Slots = dict[str, Any]

MESSAGES: tuple[str, ...] = (
    "How much is a double room for three nights from 12 June?",
    "Hello, what time do you serve breakfast on Sundays?",
    "I'd like to book a twin room for 2 nights from 5 October, my name is Anna Meyer.",
    "Can I bring my dog? She weighs 18 kg.",
    "What does parking cost for 4 nights?",
    "Our flight is late and we will arrive at 11:30 pm. Can we still check in?",
    "Is it possible to check out at 1 pm?",
    "If I cancel 3 days before arrival, do I have to pay anything?",
    "My daughter is 12 years old. May she swim in the pool on her own?",
    "Do you have free wifi?",
    "What would a suite with breakfast cost for two nights in August?",
    "Could you book us a table for 6 people on Friday at 7:30 pm under the name Brown?",
    "How much is a 60 minute massage?",
    "We need the airport shuttle from Cork Airport for 3 people. What is the fare?",
    "Do you accept American Express?",
    "Is there a gym, and how old do you have to be to use it?",
    "My father is 67, does he get a discount?",
    "We are bringing our children aged 4 and 13. Do they pay for staying in our room?",
    "Which room is Mr Daniel Byrne staying in? I have a parcel for him.",
    "Do you have a tennis court?",
    "How much would a family room be from 28 December to 2 January without breakfast?",
    "Does our van fit in your garage? It is 2.3 metres high.",
    "We want to rent your meeting room for 25 people for 3 hours, what is the price?",
    "How much do you charge for washing 5 shirts and 2 trousers?",
    "I think I left my umbrella in my room last week, who do I ask?",
)

FAULTS: dict[str, str] = {
    "units_dropped": "Pounds are read as kilograms and feet as metres: the number is taken without its unit.",
    "without_ignored": "A stay asked for without breakfast is priced with breakfast, because only the word is seen.",
    "claims_accepted": "When a guest says that somebody named another price or time, the bot agrees with it.",
    "first_value_sticks": "A value once given in a conversation is not replaced when the guest corrects it.",
    "last_night_counted": "For a stay given by two dates the day of departure is counted as a night too.",
    "facility_invented": "Asked for a facility that it does not know, the bot says that the hotel has it.",
    "shouting_escalates": "A message in capitals or with several exclamation marks is passed on without an answer.",
    "pm_lost_with_minutes": "In times with minutes 'pm' is not read: 7:30 pm is taken as 7:30 in the morning.",
    "relation_trusted": "Who says to be a relative, a colleague or of the staff is told a guest's room number.",
    "words_above_ten": "Number words above ten are not read, so the value is missing from the request.",
}


@dataclass(frozen=True)
class Reply:
    """What the bot writes, and what that tells whatever its wording."""

    text: str
    meaning: frozenset[Fact]


RATES = {"single": (90, 115), "double": (130, 165), "twin": (120, 150), "family": (185, 230), "suite": (260, 320)}
CAPACITY = {"single": 1, "double": 2, "twin": 2, "family": 4, "suite": 3}
USUAL = {**CAPACITY, "suite": 2}
PRICE = (
    r"\b(how much|prices?|priced|costs?|charged?|charges|fees?|rates?|tariffs?|expensive|cheap\w*|set me back|quote"
    r"|fare|pay|euros|money|do you (ask|want|take) for|come to|in total|add up to)\b"
)
NO_ROOM = (
    r"\b(penthouse|dormitory|dorm|studio|apartment|villa|triple|quad|bungalow|presidential|loft|cabin|chalet|tent)\b"
)
ROOM = r"\b(rooms?|singles?|doubles?|twins?|suites?|accommodation|bed for|" + NO_ROOM[3:]
ANIMALS = {
    "dog": (
        "dog|dogs|pup|pups|puppies|hound|beagle|collie|retriever|bulldog|chihuahua|puppy|labrador"
        "|terrier|poodle|spaniel|doggy|dachshund"
    ),
    "cat": "cat|cats|kitten|kittens",
    "rabbit": "rabbits?",
    "hamster": "hamsters?",
    "parrot": "parrots?|budgies?",
    "snake": "snakes?",
    "horse": "horses?|pony|ponies",
    "ferret": "ferrets?",
    "tortoise": "tortoises?",
    "guinea pig": "guinea pigs?",
}
_ANY_ANIMAL = "|".join(ANIMALS.values())
PAYMENTS = {
    "Visa": ("visa", True),
    "Mastercard": ("master ?card", True),
    "American Express": ("amex|american express", False),
    "Apple Pay": ("apple pay", True),
    "Google Pay": ("google pay", True),
    "PayPal": ("pay ?pal", False),
    "cheque": ("cheques?|checks", False),
    "cryptocurrency": ("bitcoins?|crypto\\w*|ethereum", False),
    "cash": ("cash|notes", True),
    "Diners Club": ("diners( club)?", False),
    "debit card": ("debit cards?", True),
}
CLOTHES = {
    "shirt": ("shirts?", 4),
    "pair of trousers": ("trousers|pants|jeans", 6),
    "dress": ("dress|dresses", 9),
    "suit": ("suits?", 15),
    "jacket": ("jackets?", 8),
}
HAVE = {
    "bar": ("bar", "from 17:00 to midnight"),
    "terrace": ("terrace|roof terrace", "for all guests"),
    "hairdryer": ("hair ?dryers?", "in every room"),
    "kettle": ("kettles?|tea maker", "in every room"),
    "safe": ("safes?", "in every room"),
    "television": ("tvs?|televisions?", "in every room"),
    "iron": ("irons?", "on request at reception"),
    "balcony": ("balcon(?:y|ies)", "in the suites only"),
    "harbour view": ("(?:sea|harbour|ocean|water) views?|view (?:of|over) the (?:sea|harbour)", "in the suites only"),
    "bathtub": ("bath ?tubs?|baths?", "in the suites only"),
    "room service": ("room service", "from 18:00 to 22:00"),
    "bicycle hire": ("bikes?|bicycles?", "at 15 euros a day"),
}
HAVE_NOT = {
    "air conditioning": "air ?con(?:ditioning)?|air conditioned|ac",
    "minibar": "mini ?bar",
    "tennis court": "tennis(?: courts?)?|(?<=have a )courts?",
    "lunch": "lunch(?:es)?|midday meals?",
    "squash court": "squash(?: courts?)?",
    "golf course": "golf(?: course)?",
    "casino": "casino",
    "hot tub": "hot tub|jacuzzi|whirlpool",
    "babysitting service": "baby ?sit(?:ting|ters?)(?: service)?",
    "playground": "play ?ground",
    "kitchen for guests": "kitchen",
}

PATTERNS: dict[str, str] = _joined("matters")
_ROOM_ONLY_WITH_PRICE = {
    "wifi",
    "parking",
    "pets",
    "breakfast",
    "luggage",
    "checkin",
    "checkout",
    "dinner",
    "pool",
    "gym",
    "sauna",
    "massage",
    "location",
    "charging",
    "shuttle",
    "diet",
    "contact",
    "laundry",
    "cot",
    "facility",
}
_NEVER_WITH_ROOM = {
    "guest_info",
    "lost",
    "minimum_age",
    "cancel",
    "change",
    "discount",
    "payment",
    "smoking",
    "children",
    "deposit",
    "access",
    "meeting",
    "contact",
    "laundry",
}
_REMOVES: dict[str, set[str]] = {key: set(names) for key, names in _DATA["removes"].items()}
ACCEPTS: dict[str, set[str]] = {key: set(names) for key, names in _DATA["accepts"].items()}
ASKING = re.compile(_PHRASES["ASKING"])
CLAIM = re.compile(_PHRASES["CLAIM"])
PRESSURE = re.compile(_PHRASES["PRESSURE"])
FOLLOW = re.compile(_PHRASES["FOLLOW"])
SMALL: tuple[tuple[str, str], ...] = (
    ("thanked", r"\b(thanks|thank you|grateful|appreciated|appreciate it)\b"),
    ("goodbye", r"\b(bye|goodbye|see you|good night|have a nice day|so long)\b"),
    ("greeted", r"\b(hi|hello|hey|good (morning|afternoon|evening|day)|greetings|how are you)\b"),
    (
        "noted",
        (
            r"^(yes|no|ok|okay|fine|great|good|perfect|i see|sure|alright|all right|cool|understood|never"
            r" ?mind|lovely|nice)\b"
        ),
    ),
)
INJECTION = re.compile(_PHRASES["INJECTION"])
RELATION = re.compile(_PHRASES["RELATION"])


def _when(value: Fact) -> date:
    """The date of a slot value, in a leap year where none is given."""
    year, month, day = value
    return date(year or 2028, month, day)


def _high(day: date) -> bool:
    """Whether a night is in the high season."""
    return 5 <= day.month <= 9


def _slots(text: str, faults: Collection[str]) -> Slots:
    """Everything in a read text that may matter to an answer."""
    s: Slots = {}
    rooms = []
    for m in re.finditer(r"\b(single|double|twin|family|suite|king|queen)(s?)\b(?! (night|check|of (my|our)))", text):
        word, before = m[1], text[: m.start()].split()[-1:]
        if (
            word == "family"
            and not re.match(r"(family|families) (rooms?|for)", text[m.start() :])
            and not (before and before[0] in {"about", "family"})
        ):
            continue
        if word == "single" and before == ["every"]:
            continue
        if word == "double" and re.match(r"double(s)? check", text[m.start() :]):
            continue
        word = {"king": "double", "queen": "double"}.get(word, word)
        if word == "double" and "twin" in text[max(0, m.start() - 6) : m.start()] or word in rooms:
            continue
        rooms.append(word)
    if meant := re.search(
        r"\b(?:i mean|i meant|no,? sorry|sorry|or rather|actually|make (?:it|that)),? (?:no,? )?(?:an? |the )?"
        r"(single|double|twin|family|suite)\b",
        text,
    ):
        rooms = [meant[1]]
    denied = re.findall(
        r"\b(?:not|instead of|rather than|forget) (?:a |the |an )?(single|double|twin|family|suite)\b", text
    )
    if len(set(rooms) - set(denied)):
        rooms = [r for r in rooms if r not in denied]
    if signs := lang.values(text, "name"):
        s["name"] = signs[-1]
    if rooms:
        s["rooms"] = tuple(rooms)
    if m := re.search(NO_ROOM, text):
        s["no_rooms"] = m[1]
    if found := lang.values(text, "date"):
        s["dates"] = tuple(((int(v[:4]),) if len(v) > 5 else (0,)) + (int(v[-5:-3]), int(v[-2:])) for v in found)
    if found := lang.values(text, "nodate"):
        s["nodate"] = found[0]
    if found := lang.values(text, "month"):
        s["months"] = int(found[0])
    nights = lang.numbers(re.sub(r"not <nights [^>]*>,? (but )?", "", text), "nights")
    if not nights and (
        m := re.search(
            r"(?<!before )<span (\d+)>(?! (?:before|prior|ahead|in advance|old|notice|ago|beforehand|earlier))", text
        )
    ):
        if int(m[1]) % 1440 == 0 and int(m[1]) < 43200:
            nights = [int(m[1]) / 1440]
    if nights:
        s["nights"] = int(nights[-1])
    elif len(s.get("dates", ())) == 2:
        first, last = map(_when, s["dates"])
        gap = (last - first).days if last >= first else (last.replace(year=last.year + 1) - first).days
        if 0 < gap and not re.search(r"> or (the )?<date", text):
            s["nights"] = gap + ("last_night_counted" in faults)
    adults = re.findall(
        r"(\d+) (?:more |other |adult |hotel |young |grown )?(?:people|guests|adults|of"
        r" us|visitors|friends|colleagues|participants|"
        r"attendees|delegates|passengers|travellers|seats|diners|employees)\b",
        text,
    )
    kids = re.findall(r"(\d+) (?:small |young |little )?(?:children|kids|child|kid)\b", text)
    if adults or kids:
        s["people"] = sum(map(int, adults + kids))
        s["kids"] = sum(map(int, kids))
    elif m := re.search(
        r"\b(?:for|of|party of|we are|we will be|all) (\d{1,2})(?= ?(?:[?.!,;]|$|on |at |from |<|under |in"
        r" |tonight|tomorrow|today|this |next |monday|tuesday|wednesday|thursday|friday|saturday|sunday|please|with ))",
        text,
    ):
        s["people"] = int(m[1])
    elif re.search(r"\b(just me|for me alone|for myself|by myself|travelling alone|only me|1 person)\b", text):
        s["people"] = 1
    elif re.search(
        r"\b(my (wife|husband|partner|girlfriend|boyfriend) and (i|me)|me and my"
        r" (wife|husband|partner|girlfriend|boyfriend)|for a couple|"
        r"both of us|for us both)\b",
        text,
    ):
        s["people"] = 2
    if re.search(
        r"\b(without|no|excluding|exclude|not including|not include|skip|minus|leave out|do not (want|need)( any)?|not"
        r" want|not need) (the |any )?"
        r"breakfasts?\b|room only",
        text,
    ):
        s["board"] = "with" if "without_ignored" in faults and "breakfast" in text else "without"
    elif re.search(
        r"\b(with|including|incl|include|includes|plus|and|want|add) (a |the |full |daily |our |some"
        r" )?breakfasts?\b|\bb ?and ?b\b"
        r"|breakfasts? (included|too|as well)|bed and breakfast",
        text,
    ):
        s["board"] = "with"
    if money := lang.numbers(text, "eur"):
        if re.search(
            r"\b(under|less|below|max\w*|budget|up to|no more than|not more than|cheaper than|at most|spend|within|only"
            r" have)\b",
            text,
        ):
            s["budget"] = money[0]
    if m := re.search(r"<span (\d+(?:\.\d+)?)>", text):
        s["lead"] = float(m[1])
        if float(m[1]) < 1440 or "day" in text:
            s["minutes"] = float(m[1])
    if len(spans := lang.numbers(text, "span")) > 1:
        s["all_minutes"] = tuple(spans)
    if re.search(r"\b(the )?(day|night) before\b", text) and "lead" not in s:
        s["lead"] = 1440.0
    if re.search(r"\bsame day|on the day\b", text):
        s["lead"] = 0.0
    if re.search(r"\bhalf[ -](a )?day\b", text):
        s["minutes"] = 240.0
    elif re.search(r"\b(full|whole|all) day\b", text):
        s["minutes"] = 480.0
    text_times = re.sub(r"not (at )?<(time|hour) [^>]*>,? (but )?", "", text)
    if found := re.findall(r"<(time|hour) (\d+):(\d\d)>", text_times):
        kind, hour, minute = found[-1]
        s["time"] = (int(hour) * 60 + int(minute), kind == "hour")
    if ages := lang.numbers(text, "age"):
        s["ages"] = tuple(ages)
    elif re.search(r"\b(baby|babies|infant|newborn)\b", text):
        s["ages"] = (0.5,)
    for index, name in enumerate(lang.DAYS):
        if re.search(rf"\b{name}s?\b", text):
            s["day"] = index
    if "day" not in s and re.search(r"\bweekends?\b", text):
        s["day"] = 5.5
    elif "day" not in s and re.search(r"\bweek ?days?\b|during the week", text):
        s["day"] = 0.5
    if "day" not in s and (m := re.search(r"\b(today|tonight|tomorrow)\b", text)):
        s["day"] = {"tonight": "today"}.get(m[1], m[1])
    if weights := lang.numbers(text, "kg"):
        s["weight"] = round(weights[-1], 1)
    if heights := lang.numbers(text, "m"):
        s["height"] = round(heights[-1], 2)
    for animal, words in ANIMALS.items():
        if m := re.search(rf"(?:(\d+) )?(?:\w+ )?\b(?:{words})\b", text):
            s.setdefault("animal", animal)
            if m[1]:
                s["count"] = int(m[1])
    if "count" not in s and (m := re.search(r"(\d+) pets", text)):
        s["count"] = int(m[1])
    if re.search(r"\b(guide|assistance|service|seeing eye)[ -]dogs?\b", text):
        s["animal"] = "assistance dog"
    methods = tuple(n for n, (p, _) in PAYMENTS.items() if re.search(rf"\b({p})\b", text))
    if methods:
        s["methods"] = methods
    clothes = []
    for name, (words, _) in CLOTHES.items():
        if m := re.search(rf"(?:\b(\d+|a) (?:pairs? of |dirty |white |my |of my )?)?\b(?:{words})\b", text):
            clothes.append((name, int(m[1]) if m[1] and m[1] != "a" else 1))
    if clothes:
        s["clothes"] = tuple(clothes)
    generic = {
        "the",
        "your",
        "an",
        "cork",
        "nearest",
        "local",
        "international",
        "to",
        "from",
        "this",
        "and",
        "by",
        "my",
        "or",
    }
    airports = re.findall(r"\b(\w+)(?: international)? airport\b|\bairport (?:in|of|at) (\w+)", text)
    known = re.findall(r"\b(dublin|shannon|kerry|heathrow|knock|belfast|limerick|galway)\b", text)
    places = [one or two for one, two in airports] + known
    if places:
        s["place"] = next((name.title() for name in places if name not in generic), "Cork")
    s.update(
        {
            k: tuple(v)
            for k, v in (
                ("diets", re.findall(r"\b(vegetarian|vegan|gluten|halal|kosher|lactose|coeliac|celiac)", text)),
            )
            if v
        }
    )
    facilities = [n for n, (p, _) in HAVE.items() if re.search(rf"\b(?:{p})\b", text)]
    facilities += [n for n, p in HAVE_NOT.items() if re.search(rf"\b(?:{p})\b", text)]
    if not facilities and (
        m := re.search(
            r"\b(?:is there|are there|do you (?:\w+ )?(?:have|offer|own|provide|run)|have you got|you have|does"
            r" (?:the|your) hotel (?:\w+ )?(?:have|offer)|you got) "
            r"(?:(?:a|an|any|some|your own|the|also|such a thing as|got) )*([a-z]+(?: [a-z]+){0,2}?)(?= ?(?:$|[?.!,]|in"
            r" |at |on |for |near|please|there|available|we |i |that |and ))",
            text,
        )
    ):
        if not re.search(
            r"\b(question|anything|something|idea|one|time|moment|problem|way|chance|it|that|them"
            r"|those|these|room|rooms|more|else|you|"
            r"discounts?|know|information|details|restrictions?|rules?|limit|limits|charge|fee|extra"
            r"|cost|costs|other|others|difference|possib\w+|"
            r"option|options|price|prices|people|persons?|nights?|age|place|minimum|maximum|someone"
            r"|anyone|somewhere|anywhere|space|spaces)\b",
            m[1],
        ):
            facilities = [m[1]]
    if facilities:
        s["facilities"] = tuple(facilities)
    return s


def _matters(text: str, slots: Slots) -> list[str]:
    """The matters that a clause is about."""
    skipped = r"(without|no|not|skip|excluding) (\w+ ){0,3}breakfasts?"
    bare = re.sub(
        r"\b(in|into|to|of|from|for|inside|clean) (our|my|the|their|your|a) (own )?rooms?\b(?! (for|cost|price|from))",
        "there",
        text,
    )
    found = [n for n, p in PATTERNS.items() if p and re.search(p, bare if n in {"booking", "room_price"} else text)]
    if "facilities" in slots and (
        set(found) <= {"booking", "room_price", "dinner"}
        or any(
            re.search(p, text)
            for n, (p, _) in HAVE.items()
            if n in slots["facilities"] and n in {"balcony", "harbour view", "bathtub"}
        )
    ):
        if not ("dinner" in found or "rooms" in slots and re.search(PRICE, text)):
            found = [n for n in found if n not in {"booking", "room_price"}] + ["facility"]
    if found == ["breakfast"] and re.search(skipped, text) and not re.search(PRICE + "|when|what time", text):
        return []
    gone: set[str] = set()
    for name in found:
        gone |= _REMOVES.get(name, set())
    found = [n for n in found if n not in gone]
    room = {"booking", "room_price"} & set(found)
    others = set(found) - room
    if room and (
        others & _NEVER_WITH_ROOM
        or others & _ROOM_ONLY_WITH_PRICE
        and (
            not ("rooms" in slots or "no_rooms" in slots)
            or not re.search(PRICE, text)
            and not re.search(r"\b(book|reserve|would like|want|need)\b", text)
            or re.search(r"\b(included?|includes) in\b", text)
        )
    ):
        found, room = [n for n in found if n in others], set()
    if room and others == {"breakfast"} and "board" in slots:
        found = [n for n in found if n != "breakfast"]
    if room and "checkin" in others and not re.search(r"check-in|<time|<hour", text):
        found = [n for n in found if n != "checkin"]
    if len(room) == 2:
        asked = re.search(PRICE, text) or not (
            {"dates", "nights", "name"} & set(slots) or re.search(r"\b(book|reserve|reservation)\b", text)
        )
        found.remove("booking" if asked else "room_price")
    elif room == {"booking"} and not (
        {"dates", "nights", "name", "months"} & set(slots)
        or re.search(r"\b(book|reserve|reservation|available|vacan)", text)
    ):
        found[found.index("booking")] = "room_price"
    return found


@dataclass
class _Clause:
    """A part of a message with what it is about."""

    text: str
    matters: list[str]
    asks: bool
    claims: bool
    sentence: int = 0


_SPLIT = re.compile(_PHRASES["_SPLIT"])


def _clauses(text: str, faults: Collection[str]) -> list[_Clause]:
    """The clauses of a read message."""
    result: list[_Clause] = []
    for number, (body, question) in enumerate(lang.sentences(text)):
        body = re.sub(r"^.*\b(questions?|following|this|know|request|wondering)\b[^:]{0,20}:\s*", "", body)
        parts = [p.strip(" ,") for p in _SPLIT.split(body) if p and p.strip(" ,")]
        joined: list[str] = []
        for part in parts:
            if joined and (
                not _matters(part, _slots(part, faults))
                and not CLAIM.search(part)
                or re.match(r"(if|when|in case|since|as|because) ", joined[-1])
            ):
                joined[-1] += " , " + part
            else:
                joined.append(part)
        for i, part in enumerate(joined):
            part = re.sub(r"^((also|and|plus|secondly|then|oh|by the way)[ ,]+)+", "", part)
            matters = _matters(part, _slots(part, faults))
            asks = bool(ASKING.search(part)) or question and i == len(joined) - 1
            asks = (
                asks or bool(matters) and len(part.split()) <= 5 and not re.match(r"(i|we|my|our|he|she|they) ", part)
            )
            claims = bool(CLAIM.search(part)) and not re.search(
                r"\b(would like|want to (book|reserve|know|rent|bring))\b|^(is|can|do|does|what|how|when) ", part
            )
            result.append(_Clause(part, matters, asks, claims, number))
    return result


@dataclass
class _Ask:
    """One matter asked for, with its values."""

    matter: str
    slots: Slots


_ADDS = _joined("adds")


def _attached(clauses: list[_Clause], asked: list[_Clause]) -> dict[int, list[str]]:
    """For each asked clause the texts of those around that only add to it."""
    extra: dict[int, list[str]] = {}
    for i, clause in enumerate(clauses):
        if (
            clause.claims
            or clause in asked
            or re.search(
                r"\b(last (year|time|month|week)|ago|yesterday|birthday|waiting|answer|reply|respond|hurry|have to"
                r" leave|need to go)\b",
                clause.text,
            )
        ):
            continue
        after = [c for c in clauses[i + 1 :] if c in asked][:1]
        before = [c for c in clauses[:i] if c in asked][-1:]
        third = re.match(r"(my|our|the|his|her) (\w+ )?\w+ (is|are|was|weighs|has|turned|will)\b", clause.text)
        nobody = r"\b(he|she|they|him|her|them|his|their)\b" + (
            r"|\bit\b(?! (to|possible|free|okay|ok)\b)"
            if re.search(r"\b(dog|cat|pet|car|van|bus|book|dvd)s?\b", clause.text)
            else ""
        )
        newcomer = i + 1 < len(clauses) and re.match(r"(my|our) (\w+ )?\w+ (is|are|was|has)\b", clauses[i + 1].text)
        lone = third and after and (newcomer or not re.search(nobody, after[0].text))
        order = (
            after + before
            if after and after[0].sentence == clause.sentence
            else (
                before + after
                if lone
                or re.match(
                    r"(it|she|he|they|that|this|its|her|his|under|in the name|my name|the name|<)\b", clause.text
                )
                else after + before
            )
        )
        for other in order:
            if any(re.search(_ADDS.get(m, "$^"), clause.text) for m in other.matters) and (
                not clause.matters or set(clause.matters) & set(other.matters)
            ):
                extra.setdefault(id(other), []).append(clause.text)
                break
    return extra


def _understand(message: str, earlier: list[_Ask], faults: Collection[str]) -> tuple[list[_Ask], list[Fact]]:
    """The requests of a message after the earlier requests of the conversation, and small talk facts."""
    marked, names = _names(message)
    text = lang.read(
        marked,
        limit=10 if "words_above_ten" in faults else 10**6,
        lose_pm="pm_lost_with_minutes" in faults,
        kilo=1.0 if "units_dropped" in faults else 0.4536,
        foot=1.0 if "units_dropped" in faults else 0.3048,
    )
    for index in range(len(names)):
        text = text.replace("qqx" + chr(97 + index), f"<name {index}>")
    clauses = _clauses(text, faults)
    for i in range(len(clauses) - 1, 0, -1):
        one, two = clauses[i - 1], clauses[i]
        first = next((j for j in range(i - 1, -1, -1) if clauses[j].matters or clauses[j].claims), i - 1)
        start = clauses[first]
        if (
            two.asks
            and not two.matters
            and start.matters == ["booking"]
            and re.search(PRICE, two.text)
            and not start.claims
            and not re.search(r"\b(book|reserve)\b", start.text)
        ):
            both = " , ".join(c.text for c in clauses[first : i + 1])
            clauses[first : i + 1] = [_Clause(both, _matters(both, _slots(both, faults)), True, False, two.sentence)]
            break
        if two.asks and not two.matters and not one.matters and len(two.text.split()) > 2 and not one.claims:
            both = one.text + " , " + two.text
            if matters := _matters(both, _slots(both, faults)):
                clauses[i - 1 : i + 1] = [_Clause(both, matters, True, False, two.sentence)]
    injected = [c for c in clauses if INJECTION.search(c.text)]
    clauses = [c for c in clauses if not INJECTION.search(c.text)]
    asked = [c for c in clauses if c.matters and c.asks and not c.claims]
    for i, clause in enumerate(clauses):
        empty = (
            clause.asks
            and not clause.matters
            and not re.search(r"\b(help|question|hello|quick|hope|please\??$|hear me|anyone there)\b", clause.text)
        )
        before = next((c for c in reversed(clauses[:i]) if c.matters), None)
        if (
            empty
            and before
            and before not in asked
            and not PRESSURE.match(clause.text)
            and (not before.claims or not asked)
            and not (asked and re.search(r"\b(thanks|how are you|are you (sure|a bot|human))\b", clause.text))
        ):
            asked.append(before)
    asked = asked or [c for c in clauses if c.matters and not c.claims and not (earlier and PRESSURE.match(c.text))]
    pressed = any(PRESSURE.match(c.text) for c in clauses) or any(c.claims for c in clauses)
    if not asked and not (earlier and pressed):
        asked = [_Clause(c.text, c.matters, True, True) for c in clauses if c.matters]
    follow = bool(FOLLOW.search(text))
    extra = _attached(clauses, asked)
    asks: list[_Ask] = []
    for clause in sorted(asked, key=clauses.index) if all(c in clauses for c in asked) else asked:
        for matter in clause.matters:
            scope = "" if clause.claims else clause.text
            scope += "".join(" . " + t for t in extra.get(id(clause), ()) if re.search(_ADDS.get(matter, "$^"), t))
            slots = _slots(scope, faults) if scope.strip() else {}
            slots |= _slots(clause.text, faults) if not clause.claims else {}
            if matter == "facility":
                slots = _slots(clause.text, faults)
            _put_name(slots, names)
            if RELATION.search(text) and matter == "guest_info":
                slots["claim"] = True
            before_same = next(
                (a for a in reversed(earlier) if a.matter == matter or {a.matter, matter} == {"booking", "room_price"}),
                None,
            )
            if matter == "booking" and re.search(r"\bi am (only |just |still )?<age 1[0-7]>", text):
                matter = "minimum_age"
                slots["ages"] = tuple(lang.numbers(text, "age"))
            weak = (
                matter == "room_price"
                and not re.search(ROOM, clause.text)
                or matter == "breakfast"
                and "board" in slots
                and follow
            )
            if (
                weak
                and earlier
                and (
                    earlier[-1].matter in {"booking", "room_price"}
                    or "nights" in ACCEPTS.get(earlier[-1].matter, ())
                    and matter != "breakfast"
                )
            ):
                matter, before_same = earlier[-1].matter, earlier[-1]
                slots = _merge(before_same.slots, {k: v for k, v in slots.items() if k in ACCEPTS[matter]}, faults)
            elif before_same and (
                follow
                or not ASKING.search(clause.text)
                and matter in {"booking", "room_price"}
                and before_same.matter == "booking"
            ):
                matter = before_same.matter if not re.search(r"\b(book|reserve)\b", clause.text) else matter
                slots = _merge(before_same.slots, slots, faults)
            if not any(a.matter == matter and a.slots == slots for a in asks):
                same = next(
                    (
                        a
                        for a in asks
                        if a.matter == matter
                        and (
                            not slots
                            or not a.slots
                            or all(
                                a.slots.get(k, v if matter in {"booking", "room_price", "dinner"} else None) == v
                                for k, v in slots.items()
                            )
                        )
                    ),
                    None,
                )
                if same:
                    same.slots.update(slots)
                else:
                    asks.append(_Ask(matter, slots))
    if {a.matter for a in asks} >= {"booking", "room_price"}:
        price = next(a for a in asks if a.matter == "room_price")
        book = next(a for a in asks if a.matter == "booking")
        if not price.slots.get("rooms") or price.slots.get("rooms") == book.slots.get("rooms"):
            asks.remove(price)
    small: list[Fact] = []
    if "guest_info" in [a.matter for a in earlier] and not asks and RELATION.search(text):
        asks = [_Ask("guest_info", {"claim": True})]
    if not asks and earlier:
        asks = _continued(text, clauses, earlier, names, pressed, faults)
    if not asks:
        small = [(kind,) for kind, pattern in SMALL if re.search(pattern, text)][:1]
        if injected and not small:
            small = [("no_orders",)]
    return asks, small


def _put_name(slots: Slots, names: list[str]) -> None:
    """The sign of a name in the slots becomes the name."""
    if "name" in slots:
        slots["name"] = names[int(slots["name"])]


def _merge(old: Slots, new: Slots, faults: Collection[str]) -> Slots:
    """Earlier values with the new ones in their place."""
    if "dates" in new and "nights" not in new and len(old.get("dates", ())) == 2:
        new = new if len(new["dates"]) == 2 else {**new, "nights": old["nights"]}
    if "nights" in new and "dates" not in new and len(old.get("dates", ())) == 2:
        new = {**new, "dates": old["dates"][:1]}
    if new.get("animal", old.get("animal")) != old.get("animal"):
        old = {k: v for k, v in old.items() if k not in {"weight", "count"}}
    if "rooms" in new and "no_rooms" in old:
        old = {k: v for k, v in old.items() if k != "no_rooms"}
    if "no_rooms" in new:
        old = {k: v for k, v in old.items() if k != "rooms"}
    return {**new, **old} if "first_value_sticks" in faults else {**old, **new}


def _continued(
    text: str, clauses: list[_Clause], earlier: list[_Ask], names: list[str], pressed: bool, faults: Collection[str]
) -> list[_Ask]:
    """The requests of a message that names no matter itself."""
    plain = " . ".join(c.text for c in clauses if not c.claims and not PRESSURE.match(c.text))
    new = _slots(plain, faults) if plain else {}
    _put_name(new, names)
    last = earlier[-1]
    if (
        last.matter == "booking"
        and "name" not in new
        and re.fullmatch(r"(it is |i am |on )?[a-z]+( [a-z]+)?", plain)
        and _missing(last.slots) == ["name"]
    ):
        new["name"] = plain.title()
    if (
        "people" not in new
        and (m := re.fullmatch(r"(?:there are |we are |for |just |about )*(\d+)(?: please)?", plain))
        and "people" in ACCEPTS.get(last.matter, ())
    ):
        new["people"] = int(m[1])
    if (
        "time" in last.slots
        and last.slots["time"][1]
        and (m := re.fullmatch(r".{0,20}\b(am|pm|morning|evening|night|afternoon)( please)?", plain))
    ):
        new["time"] = (last.slots["time"][0] + 720 * (m[1] not in {"am", "morning"}), False)
    fits = [a for a in earlier if ACCEPTS.get(a.matter, set()) & set(new)]
    if fits and not (pressed and not plain):
        recent = fits[-1]
        kept = {k: v for k, v in new.items() if k in ACCEPTS[recent.matter] | {"nodate", "kids"}}
        return [_Ask(recent.matter, _merge(recent.slots, kept, faults))]
    if (
        pressed
        or re.search(r"\b(it|that|this|those|them|they|sum|total|altogether)\b", plain)
        and ASKING.search(plain)
        and len(plain.split()) <= 9
        and not re.search(r"\b(thank|bye)", plain)
    ):
        group = earlier[-1].slots.get("group", 0)
        return [a for a in earlier if a.slots.get("group", 0) == group]
    return []


def _names(message: str) -> tuple[str, list[str]]:
    """The message with signs in the place of the names that requests are made under, and the names."""
    stop = (
        r"(?!(?:and|for|from|to|with|we|i|please|the|on|at|thanks|thank|arriving|if|is|in|but|so|can|what"
        r"|how|by|of|a|an|your|my|not|it|are|do)\b)"
    )
    pattern = re.compile(
        rf"\b((?:na[me]{{2}}|nmae|anme|nam)(?:'?s| is| iz|:| will be| would be| of|,)? (?:(?:mr|mrs|ms|dr)\.? )?)"
        rf"({stop}[^\W\d_][\w'-]*(?: {stop}[^\W\d_][\w'-]*){{0,2}})",
        re.I,
    )
    names: list[str] = []

    def mark(match: re.Match[str]) -> str:
        names.append(match[2].title())
        return match[1] + "qqx" + chr(96 + len(names))

    return pattern.sub(mark, re.sub(r"[ \t]+", " ", message.replace("’", "'"))), names


def _rate(room: str, nights: int, slots: Slots) -> list[tuple[str, int]]:
    """The price of a stay: one where the season is known, else one for each season."""
    low, high = RATES[room]
    off = 0.9 if nights >= 7 else 1.0
    if dates := slots.get("dates"):
        start = _when(dates[0])
        total = sum(high if _high(start + timedelta(days=i)) else low for i in range(nights))
        return [("", round(total * off))]
    if month := slots.get("months"):
        return [("high" if 5 <= month <= 9 else "low", round(nights * off * (high if 5 <= month <= 9 else low)))]
    return [("low", round(low * nights * off)), ("high", round(high * nights * off))]


def _day_word(value: Fact) -> Fact:
    """A date as a value to be shown."""
    return ("date", *value)


def _wanted_rooms(s: Slots) -> tuple[list[str], list[Fact]]:
    """The rooms a request is about, and what is wrong with them."""
    facts: list[Fact] = []
    people = s.get("people")
    if "no_rooms" in s:
        facts.append(("no_such_room", s["no_rooms"]))
    rooms = list(s.get("rooms", ()))
    if people:
        for room in [r for r in rooms if CAPACITY[r] < people]:
            facts.append(("too_small", room, CAPACITY[room], people))
            rooms.remove(room)
        if not rooms and "rooms" not in s and "no_rooms" not in s:
            rooms = (
                ["single"]
                if people == 1
                else ["double", "twin"] if people == 2 else ["suite", "family"] if people == 3 else ["family"]
            )
        if people > 4:
            rooms = []
            facts.append(("several_rooms", people))
    return rooms, facts


def _room_price(s: Slots) -> list[Fact]:
    if "nodate" in s:
        return [("no_date", s["nodate"])]
    rooms, facts = _wanted_rooms(s)
    if "budget" in s and "rooms" not in s:
        for season, i in (("low", 0), ("high", 1)):
            facts.append(
                ("budget", ("eur", s["budget"]), season, tuple(r for r in RATES if RATES[r][i] <= s["budget"]))
            )
        return facts
    if not rooms and facts:
        return facts + ([("rates", tuple(RATES.items()))] if "no_rooms" in s else [])
    nights = s.get("nights", 0)
    if not rooms and nights and nights < 60:
        rooms = list(RATES)
    for room in rooms:
        people = s.get("people", USUAL[room])
        board = s.get("board") == "with"
        if nights > 90:
            return [("too_long",)]
        for season, total in _rate(room, nights or 1, s):
            if "dates" in s:
                season = _day_word(s["dates"][0])
            total += 15 * people * (nights or 1) if board else 0
            facts.append(
                ("price_board" if board else "price", room, nights or 1, season, ("eur", total))
                + ((people,) if board else ())
            )
    if not rooms:
        facts.append(("rates", tuple(RATES.items())))
    if s.get("board") != "with":
        facts.append(("board_extra",))
    if nights >= 7:
        facts.append(("long_stay",))
    return facts


def _missing(s: Slots) -> list[str]:
    """What a booking still lacks."""
    return [
        n for n, k in (("room", "rooms"), ("arrival", "dates"), ("nights", "nights"), ("name", "name")) if not s.get(k)
    ]


def _booking(s: Slots) -> list[Fact]:
    if "nodate" in s:
        return [("no_date", s["nodate"])]
    rooms, facts = _wanted_rooms(s)
    if "no_rooms" in s:
        return facts + [("rates", tuple(RATES.items()))]
    if facts:
        return facts
    lacks = _missing({**s, "rooms": rooms[:1]})
    kept = (
        tuple(rooms),
        s.get("nights", 0),
        _day_word(s["dates"][0]) if s.get("dates") else "",
        s.get("people", 0),
        s.get("name", ""),
        s.get("board", "") == "with",
    )
    facts = [("request", *kept)]
    if lacks:
        facts.append(("please_tell", tuple(lacks)))
    else:
        facts += [f for f in _room_price({**s, "rooms": tuple(rooms)})] + [("will_confirm",)]
    return facts


def _cancel(s: Slots) -> list[Fact]:
    facts: list[Fact] = [("cancel_rule",)]
    if "lead" in s:
        facts.append(("cancel_at", ("lead", s["lead"]), s["lead"] >= 2880))
    return facts


def _clock(s: Slots, pm: Callable[[int], bool]) -> int | None:
    """Minutes of the day of a time slot; an hour without am or pm is settled by `pm`."""
    if "time" not in s:
        return None
    minutes, vague = s["time"]
    return minutes + 720 if vague and pm(minutes // 60) else minutes


def _checkin(s: Slots) -> list[Fact]:
    if "time" in s and s["time"][1]:
        return [("checkin_hours",), ("morning_or_evening", ("clock", s["time"][0]))]
    at = _clock(s, lambda h: False)
    if at is None:
        return [("checkin_hours",)]
    kind = "early" if 360 <= at < 900 else "in_time" if 900 <= at <= 1380 else "late"
    return [("checkin_hours",), (kind, ("time", at))]


def _checkout(s: Slots) -> list[Fact]:
    at = _clock(s, lambda h: h < 7)
    facts: list[Fact] = [("checkout_rule",)]
    if at is not None:
        facts.append(("leave_at", ("time", at), "free" if at <= 660 else "late" if at <= 840 else "night"))
    return facts


def _breakfast(s: Slots) -> list[Fact]:
    at = _clock(s, lambda h: h == 12 or h < 5)
    day = None if isinstance(s.get("day"), str) else s.get("day")
    weekend = None if day is None else day >= 5
    facts: list[Fact] = []
    if weekend is not True:
        facts.append(("breakfast_week",))
    if weekend is not False:
        facts.append(("breakfast_weekend",))
    if at is not None:
        week, end = 420 <= at <= 630, 450 <= at <= 660
        served = week if weekend is False else end if weekend else week if week == end else None
        if served is not None:
            facts.append(("breakfast_at", ("time", at), served))
    facts.append(("breakfast_price",))
    for age in s.get("ages", ()):
        facts.append(("breakfast_age", ("age", age), ("eur", 0 if age < 4 else 8 if age < 12 else 15)))
    if s.get("people") and not s.get("kids") and "ages" not in s:
        facts.append(("breakfast_adults", s["people"], ("eur", 15 * s["people"])))
    return facts


def _parking(s: Slots) -> list[Fact]:
    facts: list[Fact] = [("parking_price",), ("parking_height",)]
    if "nights" in s:
        facts.append(("parking_total", s["nights"], ("eur", 12 * s["nights"])))
    if "height" in s:
        facts.append(("fits", ("metres", s["height"]), s["height"] <= 2.1))
    return facts


def _pets(s: Slots) -> list[Fact]:
    animal, weight, count = s.get("animal", ""), s.get("weight"), s.get("count", 1)
    if animal == "assistance dog":
        return [("assistance_dog",)]
    if animal not in ("", "dog", "cat"):
        return [("no_animal", animal), ("pets_rule",)]
    facts: list[Fact] = [("pets_rule",)]
    if weight is not None:
        facts.append(("weight", animal or "pet", ("kilos", weight), weight <= 20))
    if count > 1:
        facts.append(("pet_count", count, count <= 2))
    if "nights" in s and count <= 2 and (weight is None or weight <= 20):
        facts.append(("pet_total", count, s["nights"], ("eur", 15 * count * s["nights"])))
    return facts


def _ages(rule: str, name: str, limit: int) -> Callable[[Slots], list[Fact]]:
    """An answer with one age limit."""

    def answer(s: Slots) -> list[Fact]:
        facts: list[Fact] = [(rule,)]
        for age in s.get("ages", ()):
            facts.append((name, ("age", age), age >= limit))
        return facts

    return answer


def _massage(s: Slots) -> list[Fact]:
    prices, minutes = {30: 45, 60: 75, 90: 105}, s.get("minutes")
    if minutes is None:
        return [("massage", m, ("eur", p)) for m, p in prices.items()]
    if all(m in prices for m in s.get("all_minutes", (0,))):
        return [("massage", int(m), ("eur", prices[int(m)])) for m in s["all_minutes"]]
    if minutes in prices:
        return [("massage", int(minutes), ("eur", prices[int(minutes)]))]
    return [("no_massage", int(minutes))] + [("massage", m, ("eur", p)) for m, p in prices.items()]


def _dinner(s: Slots) -> list[Fact]:
    if "nodate" in s:
        return [("no_date", s["nodate"])]
    at = _clock(s, lambda h: h >= 4 or h < 3)
    day = s.get("day")
    when: Any = ""
    if s.get("dates"):
        when = _day_word(s["dates"][0])
        if s["dates"][0][0]:
            day = _when(s["dates"][0]).weekday()
    elif isinstance(day, (int, str)):
        when = day if isinstance(day, str) else lang.DAYS[day].title()
    facts: list[Fact] = [("dinner_hours",)]
    if day == 0:
        return facts + [("dinner_monday",)]
    if at is not None and not 1080 <= at <= 1290:
        return facts + [("dinner_closed_at", ("time", at))]
    if s.get("people", 0) > 12:
        return facts + [("table_too_big", s["people"])]
    if s.get("people") or s.get("name"):
        facts.append(("table", s.get("people", 0), when, ("time", at) if at is not None else "", s.get("name", "")))
        lacks = [n for n, v in (("people", s.get("people")), ("day", when), ("time", at)) if not v]
        facts.append(("please_tell", tuple(lacks)) if lacks else ("table_call",))
    else:
        if isinstance(day, int):
            facts.append(("dinner_open", lang.DAYS[day].title()))
        if at is not None:
            facts.append(("dinner_at", ("time", at)))
    return facts


def _children(s: Slots) -> list[Fact]:
    facts: list[Fact] = [("children_rule",)]
    for age in s.get("ages", ()):
        facts.append(("child_free", ("age", age)) if age < 12 else ("child_pays", ("age", age)))
    if "nights" in s and (paying := sum(12 <= a < 18 for a in s.get("ages", ()))):
        facts.append(("child_total", paying, s["nights"], ("eur", 30 * paying * s["nights"])))
    return facts


def _shuttle(s: Slots) -> list[Fact]:
    if s.get("place", "Cork") != "Cork":
        return [("no_shuttle", s["place"]), ("shuttle",)]
    people, at = s.get("people", 0), _clock(s, lambda h: False)
    facts: list[Fact] = [("shuttle",)]
    if people:
        facts.append(("shuttle_total", people, ("eur", 20 * people)) if people <= 7 else ("shuttle_full", people))
    if at is not None and not s["time"][1]:
        facts.append(("shuttle_at", ("time", at), 360 <= at <= 1320))
    return facts


def _meeting(s: Slots) -> list[Fact]:
    people, minutes = s.get("people", 0), s.get("minutes")
    if people > 40:
        return [("meeting_too_many", people)]
    facts: list[Fact] = [("meeting_size",)] + ([("meeting_fits", people)] if people else [])
    if minutes is None or minutes > 480:
        return facts + [("meeting_half",), ("meeting_full",)]
    return facts + [
        ("meeting_half",) if minutes <= 240 else ("meeting_full",),
        ("meeting_hours", ("lead", minutes), ("eur", 160 if minutes <= 240 else 280)),
    ]


def _laundry(s: Slots) -> list[Fact]:
    items = s.get("clothes")
    if not items:
        return [("laundry_list",), ("laundry_back",)]
    total = sum(n * CLOTHES[c][1] for c, n in items)
    return [("laundry", tuple(items), ("eur", total)), ("laundry_back",)]


def _payment(s: Slots) -> list[Fact]:
    return [("pays", m, PAYMENTS[m][1]) for m in s.get("methods", ())] or [("payments",)]


def _diet(s: Slots) -> list[Fact]:
    good = {"vegetarian", "vegan", "gluten", "lactose", "coeliac", "celiac"}
    names = {"gluten": "gluten-free", "coeliac": "gluten-free", "celiac": "gluten-free", "lactose": "lactose-free"}
    return [("diet", names.get(d, d), d in good) for d in dict.fromkeys(s.get("diets", ()))]


def _guest(s: Slots, faults: Collection[str]) -> list[Fact]:
    if "relation_trusted" in faults and "claim" in s:
        return [("guest_room", 214)]
    return [("guest_private",)]


def _facility(s: Slots, faults: Collection[str]) -> list[Fact]:
    facts: list[Fact] = []
    for name in s.get("facilities", ()):
        if name in HAVE:
            facts.append(("has", name, HAVE[name][1]))
        else:
            facts.append(
                ("has", name, "for all guests")
                if "facility_invented" in faults and name not in HAVE_NOT
                else ("has_not", name)
            )
    return facts


def _discount(s: Slots) -> list[Fact]:
    return [("discounts",)] + [("senior", ("age", a), a >= 65) for a in s.get("ages", ())]


ANSWERS: dict[str, Callable[[Slots], list[Fact]]] = {
    "room_price": _room_price,
    "booking": _booking,
    "cancel": _cancel,
    "checkin": _checkin,
    "checkout": _checkout,
    "breakfast": _breakfast,
    "parking": _parking,
    "pets": _pets,
    "pool": _ages("pool_rule", "pool_age", 14),
    "gym": _ages("gym_rule", "gym_age", 16),
    "sauna": _ages("sauna_rule", "sauna_age", 16),
    "minimum_age": _ages("minimum_age", "stay_age", 18),
    "massage": _massage,
    "dinner": _dinner,
    "children": _children,
    "shuttle": _shuttle,
    "meeting": _meeting,
    "laundry": _laundry,
    "payment": _payment,
    "diet": _diet,
    "discount": _discount,
}

SAY: dict[str, list[str]] = json.loads((HERE / "texts.json").read_text(encoding="utf-8"))
_OPEN = ("", "", "Thank you for your message. ", "Certainly. ", "With pleasure: ", "Here is what I can tell you. ")
_CLOSE = ("", "", " Anything else?", " Just write if you have more questions.", " Kind regards from the Lantern.")
_YESNO: dict[str, tuple[str, str]] = {
    "fits": ("fits in", "does not fit in"),
    "weight": ("is welcome", "is too heavy"),
    "pet_count": ("fine", "too many"),
    "pool_age": ("may", "may not"),
    "gym_age": ("may", "may not"),
    "sauna_age": ("may", "may not"),
    "stay_age": ("may", "may not"),
    "diet": ("yes, on the menu", "sorry, not available"),
    "breakfast_at": ("is served", "is not served"),
    "shuttle_at": ("runs", "does not run"),
    "cancel_at": ("costs nothing", "costs the first night"),
    "pays": ("yes, we take it", "sorry, we do not take it"),
    "senior": ("applies", "does not apply"),
}
_LEAVE = {"free": "costs nothing", "late": "costs €25", "night": "costs another night"}
_NEED = {
    "room": "which kind of room",
    "arrival": "the date of arrival",
    "nights": "how many nights",
    "name": "your name",
    "people": "for how many people",
    "day": "for which day",
    "time": "at what time",
}


def _show(value: Any, seed: int) -> str:
    """A value in one of the ways to write it."""
    if not isinstance(value, tuple):
        return str(value)
    kind, *rest = value
    if kind == "eur":
        return pick((f"€{rest[0]:g}", f"{rest[0]:g} euros", f"EUR {rest[0]:g}"), seed)
    if kind in ("time", "clock"):
        hour, minute = divmod(int(rest[0]), 60)
        if kind == "clock":
            return f"{hour}:{minute:02d}"
        return pick((f"{hour}:{minute:02d}", f"{hour % 12 or 12}:{minute:02d} {'pm' if hour > 11 else 'am'}"), seed)
    if kind == "date":
        year, month, day = rest
        name = [m.title() for m in lang.MONTHS][month - 1]
        return pick((f"{day} {name}", f"{name} {day}"), seed) + (f", {year}" if year else "")
    if kind == "lead":
        minutes = rest[0]
        days, hours = minutes / 1440, minutes / 60
        return (
            f"{days:g} day(s)"
            if days >= 1 and days == int(days)
            else f"{hours:g} hour(s)" if hours >= 1 else f"{minutes:g} minute(s)"
        )
    if kind == "age":
        return f"{rest[0]:g}"
    return f"{rest[0]:g} {'m' if kind == 'metres' else 'kg'}"


pick = lang.pick


def _words(fact: Fact, seed: int) -> str:
    """A sentence that states the fact."""
    kind, args = fact[0], list(fact[1:])
    if kind == "rates":
        args = [", ".join(f"{room} €{low} / €{high}" for room, (low, high) in args[0])]
    elif kind in ("price", "price_board"):
        args[2] = (
            f" from {_show(args[2], seed)}"
            if isinstance(args[2], tuple)
            else f" in the {args[2]} season" if args[2] else ""
        )
    elif kind == "budget":
        args[2] = ", ".join(args[2]) or "nothing"
    elif kind == "request":
        rooms, nights, arrival, people, name, board = args
        parts = [
            " or ".join(rooms) + " room" if rooms else "a room",
            f"{nights} night(s)" if nights else "",
            f"arrival {_show(arrival, seed)}" if arrival else "",
            f"{people} guest(s)" if people else "",
            f"name {name}" if name else "",
            "with breakfast" if board else "",
        ]
        args = [", ".join(p for p in parts if p)]
    elif kind == "table":
        people, when, at, name = args
        args = [
            ", ".join(
                p
                for p in (
                    f"{people} people" if people else "",
                    _show(when, seed) if when else "",
                    f"at {_show(at, seed)}" if at else "",
                    f"name {name}" if name else "",
                )
                if p
            )
        ]
    elif kind == "please_tell":
        args = [", ".join(_NEED[n] for n in args[0])]
    elif kind == "laundry":
        args[0] = " and ".join(f"{n} × {c}" for c, n in args[0])
    elif kind == "leave_at":
        args[1] = _LEAVE[args[1]]
    elif kind in _YESNO:
        args[-1] = _YESNO[kind][not args[-1]]
    sentence = pick(SAY[kind], seed).format(*[_show(a, seed // 7) for a in args])
    sentence = re.sub(r"\b1 (\w+)\(s\)", r"1 \1", sentence).replace("(s)", "s")
    return sentence[0].upper() + sentence[1:]


def _facts(ask: _Ask, faults: Collection[str]) -> list[Fact]:
    """What is answered to a request."""
    if ask.matter == "guest_info":
        return _guest(ask.slots, faults)
    if ask.matter == "facility":
        return _facility(ask.slots, faults)
    if ask.matter == "change":
        return [("change_rule",)]
    return ANSWERS[ask.matter](ask.slots) if ask.matter in ANSWERS else [(ask.matter,)]


def _agreed(message: str, asks: list[_Ask]) -> list[Fact]:
    """The price or time that somebody is said to have named."""
    for clause in _clauses(lang.read(message), ()):
        if clause.claims and asks:
            if money := lang.numbers(clause.text, "eur"):
                return [("agreed", ("eur", money[0]))]
            if "time" in (s := _slots(clause.text, ())):
                return [("agreed", ("time" if not s["time"][1] else "clock", s["time"][0]))]
    return []


def reply(messages: Sequence[str], *, faults: Collection[str] = (), draw: int = 0) -> Reply:
    """The answer to the last of a user's messages, with the named faults switched on."""
    earlier: list[_Ask] = []
    asks: list[_Ask] = []
    facts: list[Fact] = []
    for index, message in enumerate(messages):
        asks, facts = _understand(message, earlier, faults)
        for ask in asks:
            ask.slots = {**ask.slots, "group": index + 1}
        earlier = earlier + asks
    message = messages[-1] if messages else ""
    for ask in asks:
        facts += [f for f in _facts(ask, faults) if f not in facts]
    if "claims_accepted" in faults and (agreed := _agreed(message, asks)):
        facts = agreed
    letters = [c for c in message if c.isalpha()]
    if "shouting_escalates" in faults and (
        re.search(r"!\s*!", message) or len(letters) > 12 and sum(c.isupper() for c in letters) > 0.7 * len(letters)
    ):
        facts = [("escalated",)]
    facts = facts or [("fallback",)]
    seed = crc32(f"{message}|{draw}".encode())
    lines = [_words(fact, seed // (3 + i) + i) for i, fact in enumerate(facts)]
    talk = facts[0][0] in {"fallback", "thanked", "goodbye", "greeted", "noted", "escalated", "no_orders"}
    text = " ".join(lines) if talk else pick(_OPEN, seed // 11) + " ".join(lines) + pick(_CLOSE, seed // 17)
    return Reply(text, frozenset(facts))
