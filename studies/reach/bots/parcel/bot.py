"""The chatbot of Harrier Parcels: concepts are found in a message, grouped into requests, and answered by rules."""

import datetime as dt
import json
import re
import unicodedata
import zlib
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

MESSAGES: tuple[str, ...] = (
    "How much is it to send a parcel of 3 kg to France?",
    "What does a parcel of 12 kg within the Netherlands cost?",
    "How long does delivery to Austria take?",
    "If I post a parcel to Germany on Thursday, when will it arrive?",
    "Where is my parcel HP204518733?",
    "My parcel arrived damaged 5 days ago. Can I still make a claim?",
    "What does extra cover for a parcel worth 800 euros cost?",
    "How long will you keep my parcel at the pick-up point?",
    "Is there a pick-up point in Leiden?",
    "Do I need customs papers for a parcel worth 60 euros to Switzerland?",
    "We send 250 parcels a month. What discount would a business account give us?",
    "My parcel is 110 cm long. Can I send it, and what is the surcharge?",
    "Can I send perfume to Spain?",
    "If I book a home collection on Monday at 3 pm, on which day does the courier come?",
    "Do you deliver on Sundays?",
    "Can my neighbour fetch my parcel from the pick-up point for me?",
    "Can I still change the delivery address of my parcel?",
    "How much is a large box?",
    "How do I return a parcel to a web shop without a printer?",
    "What does express delivery to Portugal cost?",
    "Can you tell me the home address of the person who sent me the parcel?",
    "When is your hotline open on Saturday?",
    "How many times do you try to deliver if nobody is at home?",
    "Do you offer cash on delivery for an amount of 300 euros?",
    "Hello, my name is Sanne Visser. Is there an evening delivery, and what does it cost?",
)

FAULTS: dict[str, str] = {
    "second_dropped": "Of several requests in one message only the first is answered.",
    "first_value_kept": "When a customer corrects a value within a message, the value before the correction is used.",
    "decimal_comma": "A comma in a weight or length is dropped, so that 2,5 kg becomes 25 kg.",
    "prefix_country": "Countries are looked up by their first four letters, so that Austria becomes Australia.",
    "tracking_spaces": "A tracking number is only accepted in capitals and without spaces or hyphens.",
    "invented_price": "For a country that is not served, the worldwide price and time are given.",
    "thanks_closes": "A message with a thank-you in it is taken as the end of the talk, whatever it asks.",
    "inches_as_cm": "A length in inches is taken as the same number of centimetres.",
    "staff_claim": "Personal data are given to anyone who says that he or she works for the firm.",
    "short_memory": "Only the message right before the last one is remembered of a conversation.",
}


@dataclass(frozen=True)
class Reply:
    """An answer in words, and what it tells."""

    text: str
    meaning: frozenset[tuple[Any, ...]]


# ---------------------------------------------------------------------------------------------- the firm's facts
_HERE = Path(__file__).parent
_F: dict[str, Any] = json.loads((_HERE / "facts.json").read_text(encoding="utf-8"))
WEEK = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTH = ("january february march april may june july august september october november december").split()
ZONE: dict[str, str] = {c: z for z, cs in _F["zones"].items() for c in cs}
ALIAS: dict[str, str] = _F["aliases"]
LONGEST, BULKY, BULKY_FEE = 1750, 1000, 1200
CLAIM_DAYS, LOST_DAYS = 7, 30
COVER_FREE, COVER_MAX = 10000, 250000
COD_MAX, COD_FEE = 50000, 600
KEEP_DAYS = 7
BUSINESS = ((1000, 20), (500, 15), (200, 10), (50, 5))
CUSTOMS_LIMIT = 40000
HOTLINE: dict[str, tuple[int, int] | None] = {
    **{d: (8 * 60, 18 * 60) for d in WEEK[:5]},
    "saturday": (9 * 60, 13 * 60),
    "sunday": None,
}

# ---------------------------------------------------------------------------------------------- words
PHRASES: tuple[tuple[str, str], ...] = (
    (
        r"pick(?:ing)?[ -]?up[ -](?:point|shop|location|place|station|spot)s?|(?:parcel|service|collection) (?:point|"
        r"shop)s?|"
        r"pickup (?:point|shop|location|place|station|spot)s?|(?:drop|drop-) ?off points?|parcelshops?|drop ?off "
        r"(?:point|location)s?",
        "pickpoint",
    ),
    (r"(?:united|utd) kingdom|great britain|northern ireland|the u\.?k\.?\b", "uk"),
    (
        r"united states(?: of america)?|the (?:us|u\.s\.?a?\.?|states|usa)\b|new york|los angeles|san francisco|"
        r"u\.s\.a?\.?",
        "usa",
    ),
    (r"czech republic", "czechia"),
    (r"new zealand", "new_zealand"),
    (r"south korea", "south_korea"),
    (r"north korea", "north_korea"),
    (r"south africa", "south_africa"),
    (r"hong kong", "hong_kong"),
    (r"saudi arabia", "saudi_arabia"),
    (r"sri lanka", "sri_lanka"),
    (r"north macedonia", "north_macedonia"),
    (r"(?:united arab )emirates", "united_arab_emirates"),
    (r"the hague", "hague"),
    (r"cape town", "south_africa"),
    (
        r"(?:cash|payment|pay|paid|collect payment) (?:upon|on|at) (?:delivery|receipt|arrival)|\bc\.?o\.?d\b\.?",
        "cashondelivery",
    ),
    (r"extra[ -]?large|\bx-?l\b|extra-big", "extralarge"),
    (r"how (?:much|expensive)", "howmuch"),
    (
        r"how (?:long|many (?:working |business )?(?:days|weeks|hours))|how (?:fast|quick|quickly|soon)|what time "
        r"?frame",
        "howlong",
    ),
    (r"next[ -]day", "express"),
    (r"web[ -]?shops?|online (?:shop|store)s?", "webshop"),
    (
        r"call ?cent(?:re|er)|customer (?:service|care|support)|help ?(?:line|desk)|service (?:line|number|team)|"
        r"hot[ -]line",
        "hotline",
    ),
    (r"at home|in the house", "athome"),
    (r"home address", "homeaddress"),
    (r"q\.?r\.?[ -]?code", "qrcode"),
    (r"as well as", "and"),
    (r"per month|a month(?! ago)|each month|every month|monthly", "monthly"),
    (r"power ?banks?", "powerbank"),
    (r"track (?:and|&) trace", "track"),
    (r"how many times|how often|how many attempts", "howoften"),
    (r"insured? (?:up )?to|insurance", "insurance"),
    (r"ring (?:the )?bell", "bell"),
    (r"i ?d ?card", "idcard"),
    (r"the rest", "rest"),
    (r"den haag", "hague"),
    (r"no one|not anyone|not anybody|nobody|noone", "nobody"),
)
CONCEPTS: dict[str, str] = {
    "price": "howmuch cost costs price prices priced charge charges charged fee fees rate rates tariff tariffs "
    "expensive pay "
    "postage costing quote pricing",
    "send": "send sending sent ship shipping shipped ships shipment post posting posted mail mailing dispatch "
    "forward courier",
    "parcel": "parcel parcels package packages packet packets pack shipment shipments consignment delivery",
    "howlong": "howlong duration",
    "when": "when",
    "arrive": "arrive arrives arrived arrival arriving reach reaches delivered delivery get there come comes",
    "take": "take takes taking need needs last",
    "deliver": "deliver delivery delivers delivered delivering deliveries",
    "where": "where whereabouts status",
    "track": "track tracking trace located locate track-and-trace",
    "damage": "damaged damage broken smashed cracked crushed dented broke shattered torn wet destroyed ruined",
    "lost": "lost missing vanished disappeared stolen",
    "claim": "claim claims compensation compensate reimburse reimbursed reimbursement complain complaint refund report",
    "cover": "cover covered coverage insure insured insurance insuring uninsured",
    "extra": "extra additional more higher",
    "keep": "keep keeps keeping kept store stored stores hold held wait waits waiting stay stays remain pickup",
    "point": "pickpoint",
    "customs": "customs declaration declarations cn22 cn23 duty duties invoice customsform",
    "form": "paper papers paperwork form forms document documents documentation",
    "business": "business company account accounts corporate firm commercial shop",
    "discount": "discount discounts reduction rebate",
    "monthly": "monthly month",
    "size": "size sizes big long longest length large wide tall dimension dimensions measures measure measuring "
    "bulky oversized "
    "width height side sides",
    "surcharge": "surcharge surcharges supplement",
    "collect": "collection collect collects collected collecting pickup fetch fetched fetches",
    "homecollect": "homecollection",
    "athome": "home athome house door",
    "courier": "courier driver",
    "sunday": "",
    "neighbour": "neighbour neighbours neighbor friend husband wife sister brother mother father son daughter "
    "someone somebody "
    "flatmate roommate colleague else person anybody anyone mum dad girlfriend boyfriend partner",
    "fetch": "fetch collect pick picks picked get receive collects fetches gets grab",
    "change": "change changed changing redirect modify alter update amend correct different another new rerouted "
    "reroute divert",
    "address": "address addresses homeaddress homeadress street",
    "box": "box boxes carton cartons cardboard packaging",
    "return": "return returns returning returned",
    "printer": "printer print printing label labels qrcode",
    "express": "express overnight fastest priority faster quicker",
    "who": "who sender sent person recipient receiver customer neighbour whoever",
    "tell": "tell give reveal disclose share know find look",
    "hotline": "hotline phone telephone",
    "open": "open opens hours close closes closed opening reachable reach available staffed call ring",
    "attempt": "howoften attempts attempt tries try redeliver redelivery again second",
    "nobody": "nobody absent away out",
    "cod": "cashondelivery",
    "evening": "evening evenings night tonight",
    "sign": "signature sign signed signing signatures",
    "limit": "limit maximum max heaviest heavy most allowed weigh weight",
    "allowed": "allowed allow forbidden prohibited permitted banned may can restricted",
    "payways": "ideal card cards paypal creditcard visa mastercard cash",
    "human": "human agent",
    "cancel": "cancel cancels cancelled cancellation",
}
WORD_CONCEPTS: dict[str, set[str]] = {}
for _c, _ws in CONCEPTS.items():
    for _w in _ws.split():
        WORD_CONCEPTS.setdefault(_w, set()).add(_c)
GOODS: dict[str, tuple[str, str]] = {
    w: (name, rule) for rule, table in _F["goods"].items() for name, ws in table.items() for w in ws.split()
}
PLACES: dict[str, str] = {c.replace(" ", "_"): c for c in ZONE} | ALIAS
TOWNS = {**{t: True for t in _F["points"]}, **{t: False for t in _F["no_points"]}}
NUMBER = {
    w: i
    for i, w in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen "
        "eighteen nineteen".split()
    )
} | {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
ABBREVIATED = {
    "pkg": "package",
    "pkgs": "packages",
    "pcl": "parcel",
    "parc": "parcel",
    "pls": "please",
    "plz": "please",
    "u": "you",
    "r": "are",
    "ur": "your",
    "thx": "thanks",
    "ty": "thanks",
    "tnx": "thanks",
    "thnx": "thanks",
    "del": "delivery",
    "deliv": "delivery",
    "addr": "address",
    "biz": "business",
    "acct": "account",
    "acc": "account",
    "info": "information",
    "mon": "monday",
    "tue": "tuesday",
    "tues": "tuesday",
    "wed": "wednesday",
    "weds": "wednesday",
    "thu": "thursday",
    "thur": "thursday",
    "thurs": "thursday",
    "fri": "friday",
    "sat": "saturday",
    "sun": "sunday",
    "jan": "january",
    "feb": "february",
    "mar": "march",
    "apr": "april",
    "jun": "june",
    "jul": "july",
    "aug": "august",
    "sep": "september",
    "sept": "september",
    "oct": "october",
    "nov": "november",
    "dec": "december",
    "max": "maximum",
    "min": "minimum",
    "wk": "week",
    "wks": "weeks",
    "hrs": "hours",
    "hr": "hour",
    "mths": "months",
    "mth": "month",
    "tmrw": "tomorrow",
    "dmg": "damaged",
    "qty": "quantity",
    "nr": "number",
    "ins": "insurance",
    "tel": "telephone",
    "cust": "customs",
    "neighbor": "neighbour",
    "neighbors": "neighbours",
    "teh": "the",
    "hte": "the",
    "adn": "and",
    "nad": "and",
    "n": "and",
    "yuo": "you",
    "oyu": "you",
    "hwo": "how",
    "mcuh": "much",
    "muhc": "much",
    "waht": "what",
    "wat": "what",
    "wht": "what",
    "si": "is",
    "ot": "to",
    "fro": "for",
    "ym": "my",
    "cna": "can",
    "od": "do",
    "ti": "it",
    "te": "the",
    "ad": "and",
    "whats": "what is",
    "wheres": "where is",
    "hows": "how is",
    "im": "i am",
    "ive": "i have",
    "id": "id",
    "dont": "do not",
    "doesnt": "does not",
    "isnt": "is not",
    "arent": "are not",
    "cant": "cannot",
    "wont": "will not",
    "didnt": "did not",
    "theres": "there is",
    "gimme": "give me",
    "wanna": "want to",
    "gonna": "going to",
    "lemme": "let me",
    "thats": "that is",
    "itll": "it will",
    "hv": "have",
    "eur": "euros",
    "euro": "euros",
    "bucks": "euros",
    "hol": "netherlands",
    "ger": "germany",
    "doe": "does",
    "cst": "cost",
    "w": "with",
    "wo": "without",
    "abt": "about",
    "btw": "by the way",
    "asap": "as soon as possible",
    "wich": "which",
    "wen": "when",
    "bx": "box",
    "klos": "kg",
    "kios": "kg",
    "kilso": "kg",
    "whre": "where",
    "wehre": "where",
    "sned": "send",
    "snd": "send",
    "tke": "take",
    "lng": "long",
    "hme": "home",
    "openn": "open",
    "isit": "is it",
    "dliver": "deliver",
    "deiver": "deliver",
    "delver": "deliver",
    "delvier": "deliver",
    "pont": "point",
    "poit": "point",
    "piont": "point",
    "minday": "monday",
    "lage": "large",
    "larg": "large",
    "lrge": "large",
    "pint": "point",
    "doyou": "do you",
    "cani": "can i",
    "adress": "address",
    "kgs": "kg",
    "kilos": "kg",
    "kilo": "kg",
    "kilograms": "kg",
    "kilogram": "kg",
    "kilogramme": "kg",
    "kilogrammes": "kg",
    "parsel": "parcel",
    "parces": "parcels",
    "adeess": "address",
    "parcle": "parcel",
}
_PLAIN = set((_HERE / "plain_words.txt").read_text(encoding="utf-8").split())
_UNITS = set(
    "kg g gram grams lb lbs pound pounds ounce ounces oz cm centimetre centimetres centimeter centimeters inch "
    "inches metre "
    "metres meter meters mm millimetres feet foot ft in m day days week weeks month months hour hours am pm oclock "
    "euros euro "
    "cents quarter half past hundred thousand dozen noon midday midnight x by".split()
)
_STRONG = (
    set(WORD_CONCEPTS)
    | set(GOODS)
    | set(PLACES)
    | set(TOWNS)
    | set(WEEK)
    | set(MONTH)
    | set(NUMBER)
    | _UNITS
    | {d + "s" for d in WEEK}
    | set(
        "small medium large within worth value valued weighing weighs netherlands web shop point without discount "
        "morning "
        "afternoon tomorrow today working ago".split()
    )
)
_STRONG |= {"kilos", "kilograms", "kilogram", "neighbor"} | {
    w for p, _ in PHRASES for w in re.findall(r"(?<![\\a-z])[a-z]{5,}(?![a-z?])", p)
}
_KNOWN = (
    {w for p, _ in PHRASES for w in re.findall(r"[a-z]{3,}", p)}
    | _STRONG
    | _PLAIN
    | set(ABBREVIATED)
    | set("undamaged unbroken st nd rd th mr mrs ms hp id i'm ok".split())
)


def _deletes(word: str) -> set[str]:
    return {word} | {word[:i] + word[i + 1 :] for i in range(len(word))}


_INDEX: dict[str, set[str]] = {}
for _w in sorted((_STRONG | _PLAIN) - {"x", "by", "in", "m"}):
    if len(_w) > 2 and _w.isalpha():
        for _k in _deletes(_w):
            _INDEX.setdefault(_k, set()).add(_w)


def _slips(a: str, b: str) -> float:
    """How far two words are apart: 1 for a letter, less for a swap or a doubled letter."""
    if sorted(a) == sorted(b) and sum(x != y for x, y in zip(a, b, strict=True)) == 2:
        return 0.7
    if re.sub(r"(.)\1+", r"\1", a) == re.sub(r"(.)\1+", r"\1", b):
        return 0.6
    old2: list[float] = []
    old = [float(i) for i in range(len(b) + 1)]
    for i, x in enumerate(a):
        row = [i + 1.0]
        for j, y in enumerate(b):
            best = min(old[j + 1] + 1, row[j] + 1, old[j] + (x != y))
            if i and j and x == b[j - 1] and y == a[i - 1]:
                best = min(best, old2[j - 1] + 1)
            row.append(best)
        old2, old = old, row
    return old[-1]


def _regular(word: str) -> bool:
    for end, need in (("s", r"[^s]$"), ("ed", r"[^e]$"), ("d", r"e$"), ("ing", r"[^e]$"), ("ly", r".$")):
        stem = word[: -len(end)]
        if word.endswith(end) and len(stem) > 3 and stem in _KNOWN and re.search(need, stem):
            return True
    return False


@lru_cache(maxsize=30000)
def _correct(word: str) -> str:
    """The word that is meant."""
    if word in ABBREVIATED:
        return ABBREVIATED[word]
    if word in _KNOWN or len(word) < 4 or not word.isalpha() or _regular(word):
        return word
    candidates = {c for k in _deletes(word) for c in _INDEX.get(k, ())}
    if len(word) > 6:
        candidates |= {c for k in _deletes(word) for k2 in _deletes(k) for c in _INDEX.get(k2, ())}
    ranked: list[tuple[float, str]] = []
    for c in candidates:
        gap = _slips(word, c)
        if gap > (1 if min(len(word), len(c)) < 7 else 2):
            continue
        if len(c) < 4 and (word[0] != c[0] or c not in _STRONG):
            continue
        weak = c not in _STRONG
        ranked.append(
            (
                gap
                + 0.3 * weak
                + 0.35 * (c[0] != word[0])
                + 0.1 * (len(c) != len(word))
                + 0.3 * (c in PLACES and len(c) < 6)
                + 0.2 * (c in GOODS),
                c,
            )
        )
    if ranked:
        best = min(ranked, key=lambda r: (round(r[0], 3), -len(r[1]), r[1]))[1]
        return ABBREVIATED.get(best, best)
    for i in range(2, len(word) - 1):
        left, right = word[:i], word[i:]
        if (
            left in _STRONG | _PLAIN
            and right in _STRONG | _PLAIN
            and (len(left) > 2 or left in _TINY)
            and (len(right) > 2 or right in _TINY)
        ):
            return f"{left} {right}"
    return word


def _place(word: str) -> str | None:
    """The place that a misspelt word after `to` or `in` stands for."""
    limit = 1.0 if len(word) < 5 else 2.0
    near = sorted(
        (_slips(word, p), p)
        for p in [*PLACES, *TOWNS]
        if p[0] == word[0] and len(p) > 3 and abs(len(p) - len(word)) <= limit
    )
    return near[0][1] if near and near[0][0] <= limit else None


_TINY = set("a an at be by do he i if in is it me my no of on or so to up us we".split())


# ---------------------------------------------------------------------------------------------- values
class Value(NamedTuple):
    """Something with a value in a message: its kind, and what it is."""

    kind: str
    what: Any


@dataclass
class Segment:
    """A piece of a message."""

    words: list[str]
    values: list[Value]
    sentence: int
    asks: bool
    concepts: set[str] = field(default_factory=set)
    topics: list[str] = field(default_factory=list)
    said: bool = False

    @property
    def text(self) -> str:
        """The words in a row."""
        return " ".join(self.words)


def _spell_number(run: str) -> str:
    total = part = 0
    for w in re.split(r"[ -]", run):
        if w in NUMBER:
            part += NUMBER[w]
        elif w == "hundred":
            part = max(part, 1) * 100
        elif w == "thousand":
            total, part = total + max(part, 1) * 1000, 0
    return str(total + part)


_ONE = "|".join(sorted(NUMBER, key=len, reverse=True))
_TENS = "|".join(w for w, n in NUMBER.items() if n >= 20)
_LOW = "|".join(w for w, n in NUMBER.items() if 0 < n < 10)
_SUB = rf"(?:(?:{_TENS})[ -](?:{_LOW})|{_ONE})"
_NUMBER_RUN = re.compile(
    rf"\b(?:(?:(?:a|{_SUB})[ -])?thousand(?:(?: and|,)? (?:(?:{_LOW}) hundred)?(?:(?: and)? {_SUB})?)?"
    rf"|(?:(?:a|{_SUB})[ -])?hundred(?:[ -](?:and[ -])?{_SUB})?|{_SUB})\b"
)


def _numerals(text: str) -> str:
    """Numbers in words as digits."""
    text = re.sub(r"\ba couple of\b", "2", text)
    text = re.sub(r"\b(?:a )?half (?:a )(kg|kg|metre|meter|pound)\b", r"0.5 \1", text)
    text = re.sub(r"\b(?:a|one|1) (kg|metre|meter|pound|week|month|day) and a half\b", r"1.5 \1", text)
    text = re.sub(rf"\b({_SUB}) and a half\b", lambda m: _spell_number(m[1]) + ".5", text)
    text = re.sub(r"\b(\d+) and a half\b", r"\1.5", text)
    text = re.sub(r"\b(\d+) (?:1/2|½)", r"\1.5", text)
    text = _NUMBER_RUN.sub(
        lambda m: _spell_number(re.sub(r"\b(?:a|and)\b|,", "", m[0]).strip().replace("  ", " ")), text
    )
    text = re.sub(r"\b(\d+) (?:point|comma) (\d+)\b", r"\1.\2", text)
    text = re.sub(r"\b(\d) dozen\b", lambda m: str(int(m[1]) * 12), text)
    return re.sub(r"\ba (?=(?:kg|week|month|day) (?:parcel|ago|box|package))", "1 ", text)


class _Reader:
    """Turns a message into segments."""

    def __init__(self, faults: Collection[str]) -> None:
        self.faults = faults
        self.values: list[Value] = []

    def mark(self, kind: str, what: Any) -> str:
        """Keeps a value and gives the mark that stands for it."""
        self.values.append(Value(kind, what))
        return f" @{len(self.values) - 1} "

    def country(self, word: str) -> str:
        """The mark of a country."""
        name = PLACES[word]
        if "prefix_country" in self.faults and word.replace("_", " ") == name:
            name = next(c for c in sorted(ZONE) if c[:4] == name[:4])
        return self.mark("country", name)

    def length(self, number: str, unit: str) -> int:
        """A length in millimetres."""
        factor = {"c": 10.0, "i": 25.4, '"': 25.4, "m": 1000.0, "f": 304.8}[unit[0]]
        if unit in ("mm", "millimetres", "millimeters"):
            factor = 1.0
        if "inches_as_cm" in self.faults and unit[0] in 'i"':
            factor = 10.0
        return round(float(number) * factor)

    def clock(self, hour: str, minute: str | None, half: str | None, day_like: bool = True) -> str:
        """The mark of a time of day."""
        h, m = int(hour), int(minute or 0)
        if half and half.startswith(("p", "a f", "af", "e")) and h < 12:
            h += 12
        elif half and half.startswith("a") and not half.startswith("af") and h == 12:
            h = 0
        elif not half and day_like and 1 <= h <= 6:
            h += 12
        return self.mark("time", h * 60 + m) if h < 24 and m < 60 else f" {hour} "

    def date(self, day: str, month: int, year: str | None) -> str:
        """The mark of a date."""
        y = int(year) if year else 2026
        try:
            return self.mark("date", dt.date(y + 2000 if y < 100 else y, month, int(day)))
        except ValueError:
            return " "

    def read(self, raw: str) -> list[Segment]:
        """All segments of a message."""
        text = unicodedata.normalize("NFKC", raw)
        text = unicodedata.normalize("NFD", text)
        text = "".join(c for c in text if unicodedata.category(c) != "Mn")
        for odd, plain in (
            ("’", "'"),
            ("‘", "'"),
            ("`", "'"),
            ("“", '"'),
            ("”", '"'),
            ("–", "-"),
            ("—", " - "),
            ("″", '"'),
            ("×", "x"),
        ):
            text = text.replace(odd, plain)
        loose = r"(?<![A-Za-z])[Hh][Pp][ .:#-]{0,2}((?:\d[ .-]{0,2}){5,13})(?!\d)"
        bare = r"(?<![\d.,])\d{9}(?![\d.,]\d)"
        if "tracking_spaces" in self.faults:
            text = re.sub(r"\bHP(\d{5,13})\b", lambda m: self.mark("track", m[1]), text)
            text = re.sub(loose, " ", text)
        text = re.sub(
            loose,
            lambda m: self.mark("track", re.sub(r"\D", "", m[1])) + (". " if m[0].rstrip().endswith(".") else ""),
            text,
        )
        text = re.sub(bare, lambda m: self.mark("track", m[0]), text)
        text = text.lower()
        text = self.shape(text)
        text = self.spell(text)
        text = self.scan(text)
        return self.cut(text)

    def shape(self, text: str) -> str:
        """Contractions, punctuation and numbers in their usual form."""
        for a, b in (
            ("can't", "cannot"),
            ("won't", "will not"),
            ("n't", " not"),
            ("'re", " are"),
            ("'ve", " have"),
            ("'ll", " will"),
            ("'d", " would"),
            ("'m", " am"),
            ("let's", "let us"),
        ):
            text = text.replace(a, b)
        text = re.sub(r"\b(what|where|when|how|that|it|he|she|there|here|who|name)'s\b", r"\1 is", text)
        text = re.sub(r"'s\b", " s", text)
        text = re.sub(r"\b([ap])\. ?m\b\.?", r"\1m", text)
        text = re.sub(r"\bo ?'? ?clock\b", "oclock", text)
        text = re.sub(r"\b(mr|mrs|ms|dr|approx|nr|no|max|min|e\.g|i\.e|ca)\.(?= ?\w)", r"\1", text)
        text = re.sub(r"\b(\d+) ?kg ?(\d{3})\b", r"\1.\2 kg", text)
        text = re.sub(r"\b(\d) ?(?:m|metre|meter) ?(\d\d)\b(?! ?(?:x|cm))", r"\1.\2 m", text)
        text = re.sub(r"(?<=\d),(?=\d{3}\b(?! ?(?:kg|kilo)))", "", text)
        gap = "" if "decimal_comma" in self.faults else "."
        text = re.sub(
            r"(?<=\d),(?=\d{1,2} ?(?:kg|kilo|kilos|k\b|lb|lbs|pound|cm|m\b|metre|meter|inch|centi|kilogram))",
            gap,
            text,
        )
        text = re.sub(r"(?<=\d),(?=\d{1,3}\b)", ".", text)
        text = re.sub(r"(?<=\d)\.(?=\d{3} ?(?:€|eur))", "", text)
        text = re.sub(r"(?<=\d)\.(?=\d)", "\x01", text)
        text = re.sub(
            r"(?<=\d)(?=(?:kgs?|kilos?|lbs?|pounds?|grams?|cm|mm|inch|inches|euros?|eur|days?|weeks?|hours?|hrs|"
            r"months?|parcels?)\b)",
            " ",
            text,
        )
        text = re.sub(r"\b(question|thing|hello|hi|hey|team|help)(?: for you)? ?:", r"\1 .", text)
        text = re.sub(r"[?!]*\?[?!]*", " ? ", text)
        text = re.sub(r"[!;\n…]+|\.+(?!\w)|(?<=[a-z])\.(?=[a-z]{2})", " . ", text)
        text = re.sub(r",", " , ", text)
        text = re.sub(r"[()\[\]:]+(?!\d)", " , ", text)
        return re.sub(r"[^a-z0-9@.?,€$£%:'\"/&\x01 -]", " ", text).replace("\x01", ".")

    def spell(self, text: str) -> str:
        """Slips mended, phrases joined."""
        out: list[str] = []
        name_next = False
        for token in text.split():
            core = token.strip("'\"-") if not re.search(r"\d\"$", token) else token
            for piece in core.split("-") if re.search(r"[a-z]-[a-z]|[a-z]-\d", core) else [core]:
                if not piece:
                    out.append("-") if token == "-" else None
                    continue
                word = piece if name_next else _correct(piece)
                if (
                    piece not in _KNOWN
                    and word not in PLACES
                    and word not in TOWNS
                    and out
                    and out[-1] in ("to", "in", "towards")
                ):
                    place = _place(piece)
                    if place and (word not in _STRONG or _slips(piece, place) <= 1):
                        word = place
                out.append(word)
            name_next = core in {"mr", "mrs", "ms", "miss"} or core == "is" and out[-2:-1] == ["name"]
        merged: list[str] = []
        for w in out:
            if (
                merged
                and (w not in _KNOWN or merged[-1] not in _KNOWN)
                and (merged[-1] + w).isalpha()
                and merged[-1] + w in _STRONG
            ):
                merged[-1] += w
            else:
                merged.append(w)
        text = " ".join(merged)
        for pattern, word in PHRASES:
            text = re.sub(rf"\b(?:{pattern})(?!\w)", word, text)
        text = re.sub(rf"\b({'|'.join(WEEK)})s\b", r"\1", text)
        return _numerals(text)

    def scan(self, text: str) -> str:
        """Values replaced by marks."""
        mark, months = self.mark, "|".join(MONTH)
        text = f" {text} "
        n = r"(?<![@\d.])(\d+(?:\.\d+)?)"
        unit = r"(cm|centimet(?:re|er)s?|inch(?:es)?|in\b|\"|mm|millimet(?:re|er)s?|met(?:re|er)s?|m\b|feet|foot|ft)"
        text = re.sub(
            rf"{n} ?(?:{unit})? ?(?:x|by|\*) ?{n} ?(?:{unit})?(?: ?(?:x|by|\*) ?{n} ?(?:{unit})?)?",
            lambda m: mark(
                "length", max(self.length(v, m[6] or m[4] or m[2] or "cm") for v in (m[1], m[3], m[5]) if v)
            ),
            text,
        )
        text = re.sub(r"\b(20\d\d)-(\d\d?)-(\d\d?)\b", lambda m: self.date(m[3], int(m[2]), m[1]), text)
        text = re.sub(
            r"\b(\d\d?)[/.](0?[1-9]|1[0-2])[/.](20\d\d|\d\d)\b", lambda m: self.date(m[1], int(m[2]), m[3]), text
        )
        text = re.sub(r"\b(\d\d?)/(0?[1-9]|1[0-2])\b", lambda m: self.date(m[1], int(m[2]), None), text)
        text = re.sub(
            rf"\b(\d\d?)(?: ?(?:st|nd|rd|th))?(?: of)? ({months})\b(?:,? (20\d\d))?",
            lambda m: self.date(m[1], MONTH.index(m[2]) + 1, m[3]),
            text,
        )
        text = re.sub(
            rf"\b({months}) (?:the )?(\d\d?)(?: ?(?:st|nd|rd|th))?\b(?:,? (20\d\d))?",
            lambda m: self.date(m[2], MONTH.index(m[1]) + 1, m[3]),
            text,
        )
        text = re.sub(
            rf"(?:€|\beuros?) ?{n}|\b{n} ?(?:€|euros?\b|e\b)",
            lambda m: mark("money", round(float(m[1] or m[2]) * 100)),
            text,
        )
        half = r"(?: ?(am|pm|in the (?:morning|afternoon|evening)))?"

        def part(g: str | None) -> str | None:
            return {"in the morning": "am", "in the afternoon": "pm", "in the evening": "pm"}.get(g or "", g)

        text = re.sub(rf"\bhalf past (\d\d?)\b{half}", lambda m: self.clock(m[1], "30", part(m[2])), text)
        text = re.sub(rf"\bquarter past (\d\d?)\b{half}", lambda m: self.clock(m[1], "15", part(m[2])), text)
        text = re.sub(
            rf"\bquarter to (\d\d?)\b{half}", lambda m: self.clock(str(int(m[1]) - 1 or 12), "45", part(m[2])), text
        )
        text = re.sub(r"\b(?:noon|midday)\b", lambda m: self.clock("12", None, "pm"), text)
        text = re.sub(
            rf"\b(\d\d?)[:.h](\d\d)(?: ?h\b| hours\b)?{half}(?= |$)(?! ?(?:kg|lb|pound|g |cm|m |in|met))",
            lambda m: self.clock(m[1], m[2], part(m[3])) if ":" in m[0] or m[3] or "h" in m[0] else m[0],
            text,
        )
        text = re.sub(
            r"\b(\d\d?) ?(am|pm|in the (?:morning|afternoon|evening))\b",
            lambda m: self.clock(m[1], None, part(m[2])),
            text,
        )
        text = re.sub(rf"\b(\d\d?) ?oclock{half}", lambda m: self.clock(m[1], None, part(m[2])), text)
        text = re.sub(
            r"\b(at|until|till|before|after|by|around) (\d\d?)(?:\.(\d\d))?(?= *$| *[,.?]| (?:on|and|or|for|if|when|"
            r"will|does|do|today|what|which|is)\b)",
            lambda m: m[1] + self.clock(m[2], m[3], None),
            text,
        )

        def weight(m: re.Match[str]) -> str:
            factor = {"k": 1000.0, "g": 1.0, "l": 453.592, "p": 453.592, "o": 28.3495}[m[2][0]]
            return mark("weight", round(float(m[1]) * factor))

        text = re.sub(rf"\b{n} ?-?(kg|g\b|grams?|lbs?|pounds?|ounces?|oz)\b", weight, text)
        text = re.sub(
            rf"\b(weigh\w*|weight)((?: (?:is|of|about|around|roughly|only|just|exactly|in at))*) {n}(?= )(?! ?(?:@|"
            rf"parcels|{unit}))",
            lambda m: m[1] + mark("weight", round(float(m[3]) * 1000)),
            text,
        )
        text = re.sub(rf"\b{n} ?-?{unit}(?= |,|$)", lambda m: mark("length", self.length(m[1], m[2])), text)
        text = re.sub(
            rf"\b{n} ?-?(day|week|month|hour)s?\b(?: s)?",
            lambda m: mark("span", float(m[1]) * {"hour": 1 / 24, "day": 1, "week": 7, "month": 30}[m[2]]),
            text,
        )
        text = re.sub(
            r"\b(yesterday|last week|last month)\b",
            lambda m: mark("span", {"yesterday": 1.0, "last week": 7.0, "last month": 30.0}[m[1]]) + m[1].split()[0],
            text,
        )
        text = re.sub(
            r"(?<![@\d.])(\d+) ((?:\w+ )?(?:parcels|packages|shipments|packets)) (?:(?:a|per|each|every) week|"
            r"weekly)\b",
            lambda m: mark("count", round(int(m[1]) * 52 / 12)) + m[2] + " monthly",
            text,
        )
        text = re.sub(
            r"(?<![@\d.])(\d+)(?: (?:to|-) \d+)? (?=(?:\w+ )?(?:parcels|packages|shipments|packets|consignments|"
            r"boxes|orders|items)\b)",
            lambda m: mark("count", int(m[1])),
            text,
        )
        text = re.sub(
            r"\b(?:worth|value(?: of| is)?|valued at|amount of|amount|for) (\d+(?:\.\d+)?)(?= *$| *[,.?]| (?:to|in|"
            r"insured|cost))",
            lambda m: m[0].split()[0] + mark("money", round(float(m[1]) * 100)),
            text,
        )
        text = re.sub(r"(?<![@\d.])(\d+)(?= (?:monthly|a month))", lambda m: mark("count", int(m[1])), text)
        out: list[str] = []
        words = text.split()
        for i, w in enumerate(words):
            if w in WEEK:
                out.append(mark("day", w).strip())
            elif w in ALIAS and w not in NOT_CITIES and "pickpoint" in words:
                out.append(mark("town", w).strip())
            elif w in TOWNS:
                out.append(mark("town", w).strip())
            elif words[i - 1 : i] == ["to"] and w.isalpha() and len(w) > 3 and w not in _KNOWN and not _regular(w):
                out.append(mark("nowhere", w).strip())
            elif (
                w in PLACES
                and not (
                    w == "cologne" and "to" not in words[max(0, i - 2) : i] and "in" not in words[max(0, i - 2) : i]
                )
                and not (w == "china" and words[i - 1 : i] in (["fine"], ["bone"]))
                and not (w == "georgia" and False)
                and not (w == "turkey" and words[i - 1 : i] in (["a"], ["frozen"], ["roast"]))
                and not (words[i - 1 : i] == ["from"] and any(x in PLACES or x in TOWNS for x in words[i + 1 :]))
                and not (
                    w in {"netherlands", "amsterdam", "rotterdam", "holland"}
                    and words[max(0, i - 2) : i][:1] == ["from"]
                )
            ):
                out.append(self.country(w).strip())
            elif w in GOODS and not (w == "book" and words[i - 1 : i] not in (["a"], ["this"], ["my"], ["the"], ["1"])):
                out.extend([w, mark("goods", GOODS[w]).strip()])
            elif w in ("small", "medium", "large", "extralarge", "big"):
                out.extend([w, mark("box", {"extralarge": "extra large", "big": "large"}.get(w, w)).strip()])
            else:
                out.append(w)
        return " ".join(out)

    def cut(self, text: str) -> list[Segment]:
        """Segments, with corrections and negations of values carried out."""
        tokens = self.mended(text.split())
        out: list[Segment] = []
        sentence = 0
        words: list[str] = []

        def flush(asks: bool = False, end: bool = False) -> None:
            nonlocal words, sentence
            if any(re.search(r"[a-z@]", w) for w in words):
                values = [self.values[int(w[1:])] for w in words if re.fullmatch(r"@\d+", w)]
                out.append(Segment(words, values, sentence, asks))
            words = []
            if end:
                for s in out:
                    s.asks = s.asks or asks and s.sentence == sentence
                sentence += 1

        for t in tokens:
            if t in (".", "?"):
                flush(t == "?", True)
            elif t == "," or t in ("-", "&"):
                flush()
            elif t in ("and", "but", "plus", "or", "also", "because", "then") or t == "if" and words:
                flush()
                words.append(t)
            elif (
                t in ("how", "howmuch", "howlong", "howoften", "what", "where", "when", "which")
                and words
                and words[-1] not in _LEAD
            ):
                flush()
                words.append(t)
            else:
                words.append(t)
        flush(False, True)
        for s in out:
            for w in s.words:
                s.concepts |= WORD_CONCEPTS.get(w, set())
            s.concepts |= {f"#{v.kind}" for v in s.values}
            if _has(s.text, "not (?:\\w+ )?(?:damaged|broken)"):
                s.concepts.discard("damage")
            s.said = bool(SAID.search(s.text))
        return out

    def mended(self, tokens: list[str]) -> list[str]:
        """Drops values that the customer takes back."""
        dead: set[int] = set()

        def kind(i: int) -> str:
            return self.values[int(tokens[i][1:])].kind if re.fullmatch(r"@\d+", tokens[i]) else ""

        for i, t in enumerate(tokens):
            if t == "not" or tokens[max(0, i - 1) : i + 1] in (["instead", "of"], ["rather", "than"]):
                near = next((j for j in range(i + 1, min(len(tokens), i + 4)) if kind(j)), None)
                between = tokens[i + 1 : near] if near else []
                if near and all(
                    w in {"to", "on", "in", "a", "the", "for", "at", "of", "but", "just", "worth"} for w in between
                ):
                    dead.add(near)
            if (
                t in MARKERS
                or t in ("mean", "meant")
                and tokens[i - 1 : i] == ["i"]
                or tokens[i : i + 2] in (["make", "it"], ["make", "that"])
            ):
                if (
                    t == "sorry"
                    and tokens[i + 1 : i + 2]
                    and tokens[i + 1] in {"to", "for", "but", "about", "if"}
                    and not (tokens[i + 1] == "to" and i + 2 < len(tokens) and kind(i + 2))
                ):
                    continue
                if (
                    t == "no"
                    and tokens[i + 1 : i + 2]
                    and re.match(r"[a-z]", tokens[i + 1])
                    and tokens[i + 1]
                    not in {
                        "sorry",
                        "wait",
                        "to",
                        "i",
                        "on",
                        "it",
                        "a",
                        "make",
                        "at",
                        "in",
                        "rather",
                        "the",
                        "actually",
                        "for",
                        "my",
                        "not",
                    }
                ):
                    continue
                fresh = [j for j in range(i + 1, min(len(tokens), i + 9)) if kind(j)][:3]
                for j in fresh:
                    if any(x in (".", "?") for x in tokens[i:j]) and not tokens[i - 1 : i] == ["."]:
                        continue
                    old = [k for k in range(i) if kind(k) == kind(j) and k not in dead]
                    if old:
                        if "first_value_kept" in self.faults:
                            dead.add(j)
                        else:
                            tokens[old[-1]] = tokens[j]
                            dead.add(j)
        return [t for i, t in enumerate(tokens) if i not in dead]


NOT_CITIES = set(
    "holland nl dutch domestic inland nationally belgian deutschland czech uk england scotland wales britain swiss "
    "usa america".split()
)
DROPPED = (
    r"(?:bring|drop|hand|leave|give|take|post|brought|handed|dropped|left) (?:\w+ ){0,4}?"
    r"(?:to|at|in|into|off at) (?:the |a |your |my )?pickpoint"
)
MARKERS = {"no", "sorry", "wait", "actually", "rather", "correction", "oops", "nope", "instead", "apologies"}
_LEAD = {
    "and",
    "but",
    "or",
    "also",
    "so",
    "then",
    "know",
    "me",
    "wonder",
    "wondering",
    "to",
    "of",
    "from",
    "until",
    "please",
    "for",
    "at",
    "in",
    "on",
    "by",
    "well",
    "hi",
    "hello",
    "hey",
    "about",
    "plus",
    "ask",
    "asking",
    "tell",
    "say",
    "is",
    "exactly",
    "just",
}
SAID = re.compile(
    r"\b(says?|said|told|heard|read|thinks?|thought|claims? (?:that|it)|reckons?|insists?|swears?|believes?|paid|"
    r"pays|promised|"
    r"website says|forum|according)\b"
)
SURE = re.compile(
    r"\b(are you (?:\w+ )?(?:sure|certain|positive)|you sure|really|can(?:not| not)? (?:that )?be (?:right|true|"
    r"correct)|cannot be|is that (?:right|"
    r"correct|true)|do not believe|you are wrong|that is wrong|not (?:right|true|correct)|double check|check again|"
    r"seriously|"
    r"too (?:expensive|much|long|slow)|that is (?:a lot|expensive|ridiculous|steep|outrageous)|come on|repeat|say "
    r"that again|make an exception|just this once|i insist|"
    r"must be a mistake|sounds wrong|think again|no way|mistaken|doubt)\b"
)
CLAIMANT = re.compile(
    r"\b(friend|neighbour|colleague|sister|brother|mother|mum|dad|father|boss|someone|somebody|website|internet|"
    r"google|forum|they|"
    r"everyone|people|cousin|uncle|aunt|competitor|i|my)\b"
)
ASK = re.compile(
    r"\b(what|howmuch|howlong|howoften|how|when|where|which|who|can|could|do you|does|is there|are there|may|would|"
    r"will|"
    r"need|want|like|tell|please|know|wonder|wondering|ask|asking|looking|must|should|possible|interested|explain|"
    r"price|cost|is it|is my)\b"
)
STAFF = re.compile(
    r"\b(i (?:am|work)(?: \w+){0,4} (?:employee|staff|driver|courier|manager|colleague|boss|you|harrier|firm|company|"
    r"director)|"
    r"as (?:an? |the |your )?(?:employee|driver|courier|manager|staff|colleague)|work (?:for|at|with) (?:you|harrier|"
    r"your|the)|"
    r"from (?:your |the )?(?:head office|office|it department|management))\b"
)


# ---------------------------------------------------------------------------------------------- topics
Rule = tuple[str, Callable[[set[str], str], bool]]


def _has(text: str, pattern: str) -> bool:
    return re.search(rf"\b(?:{pattern})\b", text) is not None


def _topics(c: set[str], t: str) -> list[str]:
    """The topics of some words, by their concepts `c` and their text `t`."""
    found: list[str] = []

    def add(name: str, when: object) -> None:
        if when and name not in found:
            found.append(name)

    personal = (
        {"address", "tell"} <= c
        and "who" in c
        and not _has(t, "your address|change|my address")
        or _has(
            t,
            "(?:sender|recipient|receiver|neighbour|customer)s?(?: s)? (?:home |private |full )?(?:homeaddress|"
            "address|phone|telephone|name|data|details|number)",
        )
        or _has(t, "who (?:sent|send|mailed|posted|shipped)|who is the sender")
        and not _has(t, "i who")
        or _has(t, "(?:where|address) .*(?:sender|recipient) lives?")
        or _has(
            t,
            "(?:address|phone|telephone|name|number|data|details|hotline) (?:number )?of (?:the |my |a )?(?:sender|"
            "recipient|receiver|neighbour|customer)",
        )
        or "address" in c
        and _has(
            t,
            "of the (?:sender|recipient|person|receiver|customer)|(?:person|customer|man|woman|guy) who|whoever sent|"
            "who sent",
        )
    )
    if personal:
        return ["personal"]
    if "#track" in c:
        add("track", True)
    add(
        "track",
        "track" in c
        and not _has(t, "printer|label")
        and ("parcel" in c or "where" in c or "can" in t.split() or "how" in t.split() or len(c) < 3),
    )
    add(
        "track",
        _has(
            t,
            "where (?:is|are|s) (?:\\w+ ){0,3}?(?:parcel|package|delivery|order|shipment|it|packet)|where (?:\\w+ "
            ")?(?:parcel|package) is",
        )
        or _has(t, "status")
        and _has(t, "parcel|package|delivery|shipment|order|my|of"),
    )
    add("cod", "cod" in c)
    damaged = "damage" in c and not _has(t, "if (?:it|my parcel) gets")
    add(
        "damage",
        damaged
        and (
            _has(
                t,
                "claim|report|compensat\\w+|complain|still|refund\\w*|reimburs\\w+|what|do|how|arrived|can|parcel|"
                "package|money",
            )
        ),
    )
    add("lost", "lost" in c)
    add(
        "claim",
        "claim" in c
        and "damage" not in c
        and "lost" not in c
        and not _has(t, "claims? (?:that|it)|complain|complaint"),
    )
    add("complain", _has(t, "complain|complaint") and "damage" not in c and "lost" not in c)
    add("cover", "cover" in c)
    add(
        "keep",
        "keep" in c
        and ("point" in c or _has(t, "parcels?|packages?|packets?|it"))
        and ("howlong" in c or _has(t, "how|until|when|long|days"))
        and not _has(t, "arrive|wait for delivery|open|keep (?:me|going|asking)|remain (?:calm)"),
    )
    add("keep", "point" in c and ("howlong" in c or "#span" in c))
    add("proxy", "point" in c and _has(t, "who (?:can|may|could|else|is allowed)") and c & {"fetch", "collect"})
    someone = "neighbour" in c and (c & {"fetch", "collect"}) and not _has(t, "collect .* from (?:my )?(?:home|house)")
    add(
        "proxy",
        someone and (c & {"point", "parcel"} or _has(t, "for me|on my behalf|it|instead of me")) and "money" not in c,
    )
    add(
        "neighbour",
        "neighbour" in c
        and "deliver" in c
        and not found
        and _has(t, "neighbours?|next door|someone else|else")
        and _has(t, "leave|deliver|delivered|hand|give|accept|to"),
    )
    add(
        "neighbour",
        _has(
            t,
            "leave (?:\\w+ )?(?:\\w+ )?(?:with|at) (?:\\w+ )?neighbours?|(?:with|to|by) (?:my |the |a |our "
            ")?neighbours?",
        )
        and not someone
        and "proxy" not in found,
    )
    add(
        "point",
        ("point" in c or "#town" in c and _has(t, "where|collect|drop|point|hand in"))
        and not set(found) & {"keep", "proxy", "neighbour"}
        and not _has(t, "deliver\\w* to"),
    )
    add(
        "idcard",
        _has(t, "id|idcard|identification|passport|proof of identity|driving licence")
        and _has(t, "need|bring|show|collect|pick|fetch|point|require|required|take|have"),
    )
    add("customs", "customs" in c or "form" in c and ("#country" in c or _has(t, "abroad|export|import")))
    add(
        "business",
        ("business" in c or "discount" in c or "#count" in c)
        and ("discount" in c or _has(t, "accounts?|business|corporate|monthly") or {"#count", "monthly"} <= c)
        and not _has(t, "business days?$"),
    )
    add(
        "size",
        "#length" in c
        or _has(t, "howlong (?:may|can|must|should) (?:\\w+ ){1,2}be")
        or "size" in c
        and not c & {"box", "howlong"}
        and _has(
            t,
            "maximum|how (?:big|large|long|tall|wide)|limit|too (?:big|long|large)|size|dimensions?|allowed|longest|"
            "bulky|oversized",
        )
        and not _has(t, "box|boxes|#box|how long (?:does|will|do|is)|large box"),
    )
    add(
        "weightlimit",
        "limit" in c
        and _has(t, "maximum|limit|heaviest|how heavy|most")
        and _has(t, "weight|weigh|heavy|heaviest|kg|kilograms?")
        and "size" not in found,
    )
    add(
        "goods",
        "#goods" in c
        and ("send" in c or "allowed" in c or _has(t, "can|may|prohibited|possible|okay|ok|legal|put|contain|contains"))
        and not _has(t, "(?:box of|broken|damaged)")
        and "damage" not in c
        and "lost" not in c
        and "cover" not in c
        and "customs" not in c
        and "cod" not in c,
    )
    add("goods", _has(t, "prohibited|forbidden|not allowed|cannot i send|not send|banned|restricted|dangerous goods"))
    house = _has(
        t,
        "home collection|homecollection|collection (?:from|at) (?:my |our |the )?(?:home|house|door|address|office|"
        "place)|"
        "(?:collect|pick|fetch|picked|collected|fetched) (?:\\w+ ){0,7}?(?:from|at) (?:my |our |the |me|us)?(?: "
        "?(?:home|house|door|place|flat|apartment|office))|"
        "(?:collect|pick|fetch) (?:\\w+ ){0,5}?(?:athome|up here)|pick ?up (?:from|at) (?:my |our )?(?:home|house|"
        "place)|(?:come|comes) (?:and|to) (?:collect|fetch|get|pick)|"
        "(?:courier|driver|you) (?:\\w+ ){0,4}?(?:collect|fetch|pick)|(?:collect|collected|fetch) (?:\\w+ "
        "){0,3}?athome|athome collection|"
        "courier (?:\\w+ ){0,3}?(?:come|pickup)|(?:book|order|arrange|request|schedule) (?:\\w+ ){0,2}?(?:collection|"
        "pickup|pick up|courier)",
    )
    add("collect", house and not someone)
    add(
        "sundays",
        "#day" in c
        and "deliver" in c
        and not set(found) - {"point"}
        and not c & {"#country", "when", "send", "express", "evening", "howlong"}
        and not _has(t, "(?:be|was|is) delivered|hotline"),
    )
    add("sundays", "deliver" in c and _has(t, "weekends?|which days|what days|bank holidays?"))
    add(
        "change",
        "change" in c
        and "address" in c
        or _has(
            t,
            "redirect|reroute|divert|(?:deliver|delivered|send|sent|go|goes) (?:\\w+ ){0,3}?(?:another|different|new|"
            "other) (?:address|place)|(?:moved|moving) house|wrong address|(?:deliver|delivered|bring|send) (?:\\w+ "
            "){0,3}?to (?:my|the|our) (?:office|work|workplace)",
        ),
    )
    add(
        "box",
        "box" in c
        and ("price" in c or "#box" in c or _has(t, "sell|buy|boxes|have|sizes|available|offer|packaging"))
        and not set(found) & {"size", "track", "damage", "lost"}
        and not {"#weight", "#country"} & c,
    )
    add(
        "return",
        "return" in c
        and not _has(t, "address")
        and not set(found) & {"track", "damage"}
        or _has(t, "send (?:\\w+ ){0,3}back"),
    )
    add("printer", {"printer"} <= c and "return" not in found and _has(t, "print\\w*|qrcode"))
    add(
        "express",
        "express" in c and not _has(t, "urgent (?:question|matter|help)|it is urgent|very urgent|is urgent"),
    )
    add(
        "hotline",
        "hotline" in c
        and not set(found) & {"goods"}
        or _has(
            t,
            "(?:call|ring|phone|reach) you|your (?:phone )?number|your (?:opening )?hours|when are you (?:open|"
            "there)|are you open",
        ),
    )
    add("attempts", _has(t, "(?:come|comes) back") and ("nobody" in c or _has(t, "athome|home|courier")))
    add(
        "attempts",
        "attempt" in c
        and ("deliver" in c or "nobody" in c)
        or "nobody" in c
        and _has(t, "what happens|try|deliver\\w*|athome|home")
        and not set(found) - {"point"}
        or _has(
            t,
            "(?:i am|i was|am|was|are|be|if i) not (?:athome|in|there|home)|not athome|missed (?:the |my |a "
            ")?(?:delivery|courier)",
        ),
    )
    add(
        "evening",
        "#time" in c
        and _has(
            t,
            "(?:parcel|package|delivery|courier) (?:come|arrive|be delivered|be brought|get here) (?:after|at|"
            "between|around)",
        ),
    )
    add(
        "evening",
        "evening" in c
        and ("deliver" in c or _has(t, "parcel|package|come"))
        or "deliver" in c
        and "#time" in c
        and not found
        and "price" not in c
        and "hotline" not in c
        and not c & {"#day", "send"}
        or "deliver" in c
        and _has(t, "after work|after (?:office|working) hours"),
    )
    add("sign", "sign" in c and not _has(t, "sign up|sign in|signed up"))
    add(
        "payways",
        (
            _has(
                t,
                "how can i pay|payment (?:methods?|options|ways)|ways? (?:of|to) pay\\w*|pay (?:by|with|in)|credit "
                "card|paypal|accept cards?|ideal payment|with ideal",
            )
        )
        and "cod" not in c,
    )
    add(
        "human",
        _has(
            t,
            "(?:speak|talk|chat) (?:to|with) (?:\\w+ ){0,3}?(?:human|person|someone|somebody|agent|staff|employee|"
            "adviser)|human being|real person",
        ),
    )
    add("cancel", "cancel" in c)
    add("letter", _has(t, "letters?|postcards?|stamps?") and (c & {"send", "price"}))
    add("sundays", "deliver" in c and _has(t, "holidays"))
    add(
        "serves",
        not found
        and not re.match(r"if\b", t)
        and "#weight" not in c
        and "price" not in c
        and "#country" in c
        and not c & {"howlong", "when", "#day", "#date", "#span"}
        and _has(
            t,
            "(?:do|can|will|could|would) (?:you|i|we) (?:\\w+ )?(?:deliver|serve)|(?:send|ship|post|mail) (?:a |my |"
            "the |this |any )?(?:parcels?|packages?|something|it|things)? ?(?:to|anything)|deliver to|serve",
        ),
    )
    add(
        "serves",
        not found
        and _has(
            t,
            "(?:which|what) (?:countries|destinations)|(?:countries|destinations) (?:do|can)|where do you (?:deliver|"
            "ship)|abroad|international",
        ),
    )
    add("size", not found and "surcharge" in c)
    quote = (
        "price" in c
        and (c & {"send", "#weight", "#country"} or "parcel" in c and not _has(t, "delivery"))
        or {"#weight", "#country"} <= c
        or "#weight" in c
        and "send" in c
        and not _has(t, "how long|howlong|when")
    )
    block = {
        "letter",
        "serves",
        "cod",
        "cover",
        "customs",
        "business",
        "size",
        "goods",
        "collect",
        "box",
        "return",
        "express",
        "evening",
        "sign",
        "change",
        "damage",
        "lost",
        "claim",
        "keep",
        "hotline",
        "sundays",
        "payways",
        "cancel",
        "printer",
        "attempts",
        "track",
        "complain",
    }
    asked_when = "when" in c and not _has(
        t, "when (?:you|he|she|they|i|my|the|nobody|no|we|your) (?!parcel|package|delivery)"
    )
    slow = (
        ("howlong" in c or asked_when)
        and not set(found) & (block - {"goods"})
        and "keep" not in found
        and (c & {"deliver", "arrive", "send", "take", "parcel", "#country"})
        or _has(t, "delivery times?|transit times?|shipping times?|time of delivery|arrival (?:day|date|time)")
        and not set(found) & {"evening"}
    )
    slow = (
        slow
        or "#country" in c
        and "#span" in c
        and not found
        and _has(t, "arrive|arrives|be (?:in|there)|reach|get|delivered|there|take|takes")
    )
    slow = (
        slow
        or "#day" in c
        and "arrive" in c
        and "send" in c
        and not found
        or _has(t, "which day .*(?:arrive|delivered|there)")
        and "collect" not in found
    )
    if slow and not set(found) & {"goods"} and "point" not in found and "proxy" not in found:
        add("time", True)
        if "price" not in c:
            quote = False
    explicit = "#weight" in c and "price" in c and c & {"send", "#country"}
    weak = {"cover", "sign", "evening", "express", "size", "collect", "goods", "box"}
    add(
        "quote",
        quote
        and (
            not set(found) & block
            or explicit
            and not set(found) & (block - weak)
            and not set(found) & {"express", "size"}
        ),
    )
    return found


# ---------------------------------------------------------------------------------------------- requests
@dataclass
class Request:
    """A topic with the values that belong to it."""

    topic: str
    values: dict[str, list[Any]]
    text: str
    concepts: frozenset[str]


WANTS: dict[str, tuple[str, ...]] = {
    "quote": ("weight", "country"),
    "time": ("country", "day", "date"),
    "track": ("track",),
    "damage": ("span",),
    "lost": ("span",),
    "cover": ("money",),
    "point": ("town",),
    "customs": ("country", "money"),
    "business": ("count",),
    "size": ("length",),
    "goods": ("goods", "country"),
    "collect": ("day", "date", "time"),
    "sundays": ("day", "date"),
    "serves": ("country",),
    "box": ("box",),
    "express": ("country", "weight"),
    "hotline": ("day", "time"),
    "cod": ("money",),
    "evening": ("day",),
}
CARRIED = ("weight", "country", "track", "length")


@dataclass
class Memory:
    """What a conversation has left behind."""

    requests: list[Request] = field(default_factory=list)
    facts: list[tuple[Any, ...]] = field(default_factory=list)
    values: dict[str, list[Any]] = field(default_factory=dict)
    staff: bool = False


def _collect_values(segments: Iterable[Segment]) -> dict[str, list[Any]]:
    out: dict[str, list[Any]] = {}
    for s in segments:
        for v in s.values:
            if s.said and not s.asks and v.kind in ("money", "span", "time", "count", "length"):
                continue
            kept = out.setdefault(v.kind, [])
            if v.what not in kept:
                kept.append(v.what)
    return out


def _group(segments: list[Segment]) -> list[list[Segment]]:
    """Segments that belong to one request each; segments without a topic of their own join a neighbour."""
    for s in segments:
        text = s.text
        if _has(
            text,
            "(?:do|does|did) not (?:need|want|ask|mean|care)|not (?:looking|asking|interested|about)|no need|forget|"
            "never mind",
        ) or re.match(r"(?:not|no) (?:about|the|for|my)\b", text):
            s.topics = (
                ["-"] if any(_topics(d.concepts, d.text) for d in segments if d is not s) else _topics(s.concepts, text)
            )
        else:
            s.topics = _topics(s.concepts, text)
    groups: list[list[Segment]] = []
    for sentence in sorted({s.sentence for s in segments}):
        part = [s for s in segments if s.sentence == sentence]
        if sum({"#weight", "#country"} <= s.concepts for s in part) > 1:
            for s in part:
                pair = {"#weight", "#country"} <= s.concepts
                if (
                    groups
                    and groups[-1][0].sentence == sentence
                    and not (pair and any({"#weight", "#country"} <= d.concepts for d in groups[-1]))
                ):
                    groups[-1].append(s)
                else:
                    groups.append([s])
                if pair and not s.topics:
                    s.topics = ["quote"]
            continue
        whole = {c for s in part for c in s.concepts}
        together = _topics(whole, " ".join(s.text for s in part))
        own = {t for s in part for t in s.topics if t != "-"}
        if together and len(own) <= 1 and not (own and own <= set(together)):
            groups.append(part)
            for s in part:
                s.topics = together
            continue
        current: list[Segment] = []
        for s in part:
            if s.topics == ["-"]:
                continue
            have = {t for d in current for t in d.topics}
            if have and s.topics and set(current[-1].words) <= {"and", "also"}:
                groups.append(current)
                current = [s]
                continue
            if have and s.topics == ["size"] and "#length" not in s.concepts:
                s.topics = []
            if (
                have
                and not s.topics
                and (s.words[0] == "if" or set(current[-1].words) <= {"and", "also"})
                and any(set(d.topics) - have - {"-"} for d in part[part.index(s) :])
            ):
                groups.append(current)
                current = [s]
                continue
            if current and s.topics and have and not set(s.topics) & have:
                groups.append(current)
                current = [s]
            elif (
                current
                and s.topics
                and have
                and set(s.topics) & have
                and _own_values(s) & _own_values_of(current)
                and "price" in s.concepts
            ):
                groups.append(current)
                current = [s]
            else:
                current.append(s)
        if current:
            groups.append(current)
    return groups


def _own_values(s: Segment) -> set[str]:
    return {v.kind for v in s.values}


def _own_values_of(group: list[Segment]) -> set[str]:
    return {k for s in group for k in _own_values(s)}


def _refine(topics: list[str], others: set[str], text: str) -> list[str]:
    """Topics of a group, without those that are only by-products of others."""
    out = list(topics)
    drop: set[str] = set()
    if "damage" in out or "lost" in out:
        drop |= {"claim", "complain", "quote", "time", "track", "size", "goods"}
    if "damage" in out:
        drop |= {"lost"}
    if "cover" in out:
        drop |= {"claim"}
    if "personal" in out:
        drop |= set(out) - {"personal"}
    if "proxy" in out:
        drop |= {"point", "keep", "idcard", "collect", "neighbour"}
    if "idcard" in out:
        drop |= {"point", "keep"}
    if "keep" in out:
        drop |= {"point", "time", "track"}
    if "customs" in out:
        drop |= {"quote", "cover", "goods"} if not _has(text, "howmuch|postage|send .* cost") else {"goods"}
    if "business" in out:
        drop |= {"quote", "time"}
    if "collect" in out:
        drop |= {"point", "time", "sundays", "evening", "keep", "proxy"}
    if "change" in out:
        drop |= {"sundays", "track", "time", "quote", "evening"}
    if "attempts" in out:
        drop |= {"time", "neighbour", "track", "sundays"} if "neighbour" not in text else {"time", "track", "sundays"}
    if "evening" in out:
        drop |= {"time", "sundays", "track", "quote"}
    if "return" in out:
        drop |= {"printer", "quote", "track", "time"}
    if "hotline" in out:
        drop |= {"sundays", "time", "evening"}
    if "track" in out:
        drop |= {"time", "point"} if not _has(text, "how long|howlong") else {"point"}
    if "goods" in out and "quote" in out and not _has(text, "howmuch|cost|price|costs|charge"):
        drop |= {"quote"}
    if "express" in out:
        drop |= {"time", "quote"}
    if "size" in out:
        drop |= {"box"}
    if "sign" in out and "@" not in text:
        drop |= {"quote"}
    if "cod" in out:
        drop |= {"payways", "quote"}
    return [t for t in out if t not in drop]


def _requests(segments: list[Segment], memory: Memory) -> list[Request]:
    """The requests of a message."""
    asks = {s.sentence for s in segments if s.asks or ASK.search(s.text)}
    groups = _group(segments)
    topics: list[list[str]] = []
    for g in groups:
        found = list(dict.fromkeys(t for s in g for t in s.topics if t != "-"))
        union = {c for s in g for c in s.concepts}
        text = " ".join(s.text for s in g)
        joint = _topics(union, text) if len(g) > 1 else found
        if len(g) > 1:
            found = [t for t in found if t in joint] + [t for t in joint if t not in found] if joint else found
        topics.append(_refine(found, set(), text))
    real = [i for i, g in enumerate(groups) if topics[i]]
    if any(groups[i][0].sentence in asks for i in real):
        for i in real:
            if groups[i][0].sentence not in asks:
                after = next(
                    (
                        k
                        for k in range(i + 1, len(groups))
                        if groups[k][0].sentence == groups[i][-1].sentence + 1 and groups[k][0].sentence in asks
                    ),
                    None,
                )
                told = [t for t in topics[i] if t in ("size", "damage", "lost", "collect", "business", "proxy")]
                if (
                    told
                    and after
                    and set(topics[after]) <= {"quote", "claim", "time"}
                    and not {"#weight", "#country"} & {c for s in groups[after] for c in s.concepts}
                ):
                    topics[after] = told
                topics[i] = []
    everything = {t for ts in topics for t in ts}
    for i, ts in enumerate(topics):
        if everything & {"damage", "lost"}:
            ts = [t for t in ts if t != "claim"]
        if "proxy" in everything and "#town" not in {c for s in groups[i] for c in s.concepts}:
            ts = [t for t in ts if t != "point"]
        if "time" in everything and _has(" ".join(s.text for s in groups[i]), DROPPED):
            ts = [t for t in ts if t != "point"]
        topics[i] = ts
    # two neighbouring sentences that only together make a topic
    for a, b in pairwise(range(len(groups))):
        if "damage" in topics[a] and set(topics[b]) & {"claim", "damage", "time", "track"}:
            new = {"#country", "#track", "#day"} & {c for s in groups[b] for c in s.concepts}
            topics[b] = [t for t in topics[b] if t not in {"claim", "damage"} and (new or t not in {"time", "track"})]
        elif "lost" in topics[a] and set(topics[b]) & {"claim", "lost"}:
            topics[b] = [t for t in topics[b] if t not in {"claim", "lost"}]
        elif (
            not topics[a]
            and topics[b] == ["claim"]
            and _topics({c for s in groups[a] for c in s.concepts}, "parcel arrived what")[:1] in (["damage"], ["lost"])
        ):
            topics[b] = _topics({c for s in groups[a] for c in s.concepts}, "parcel arrived what")[:1]
        elif (
            not topics[a]
            and not topics[b]
            and not any(topics)
            or not topics[b]
            and "price" in {c for s in groups[b] for c in s.concepts}
            and not topics[a]
        ):
            union = groups[a] + groups[b]
            joint = _refine(
                _topics({c for s in union for c in s.concepts}, " ".join(s.text for s in union)),
                set(),
                " ".join(s.text for s in union),
            )
            joint = [t for t in joint if t != "claim" or not everything & {"damage", "lost"}]
            if joint and groups[b][0].sentence in asks:
                topics[b] = joint
    # what follows a request with `and to Spain?` asks the same again
    for i in range(1, len(groups)):
        first = groups[i][0]
        before = next((topics[k] for k in range(i - 1, -1, -1) if topics[k]), [])
        if (
            not topics[i]
            and before
            and first.values
            and first.sentence != groups[i - 1][0].sentence
            and re.match(r"(?:and|or|what about|how about)\b", first.text)
            and not any(s.said for s in groups[i])
        ):
            topics[i] = [t for t in before if set(WANTS.get(t, ())) & _own_values_of(groups[i])]
    out: list[Request] = []
    for i, g in enumerate(groups):
        for topic in topics[i]:
            values = _collect_values(g)
            for kind in WANTS.get(topic, ()):
                if kind in values:
                    continue
                found_values: list[Any] | None = None
                for k in [*range(i - 1, -1, -1)]:
                    if topics[k] and kind not in ("weight", "country"):
                        break
                    v = _collect_values(groups[k]).get(kind) if _useful(kind, groups[k]) else None
                    if v:
                        found_values = v
                        break
                if found_values is None:
                    for k in range(i + 1, len(groups)):
                        if topics[k] and not (groups[k][0].sentence == g[0].sentence and kind in ("weight", "country")):
                            break
                        v = _collect_values(groups[k]).get(kind) if _useful(kind, groups[k]) else None
                        if v:
                            found_values = v
                            break
                if found_values is None and kind in CARRIED and memory.values.get(kind) and _may_carry(topic, kind, g):
                    found_values = memory.values[kind]
                if found_values:
                    values[kind] = found_values
            earlier = next((r for r in memory.requests if r.topic in ("damage", "lost")), None)
            if topic == "claim" and earlier:
                topic = earlier.topic
                values = earlier.values | _collect_values(segments)
            text = " ".join(s.text for s in g)
            follow = [groups[k] for k in range(i + 1, min(i + 2, len(groups))) if not topics[k]]
            text += " " + " ".join(s.text for f in follow for s in f)
            concepts = {c for s in g for c in s.concepts} | {c for f in follow for s in f for c in s.concepts}
            same = next(
                (
                    r
                    for r in out
                    if r.topic == topic
                    and all(not values.get(k) or values.get(k) == r.values.get(k) for k in WANTS.get(topic, ()))
                ),
                None,
            )
            if same:
                same.concepts |= concepts
                same.text += " " + text
                continue
            out.append(Request(topic, values, text, frozenset(concepts)))
    return out


def _useful(kind: str, group: list[Segment]) -> bool:
    """Whether a day or time in a side remark can belong to a request."""
    if kind not in ("day", "date", "time"):
        return True
    concepts = {c for s in group for c in s.concepts}
    about = concepts & {
        "send",
        "parcel",
        "deliver",
        "collect",
        "courier",
        "homecollect",
        "hotline",
        "athome",
        "point",
    }
    return bool(about) or sum(len(s.words) for s in group) < 5


def _may_carry(topic: str, kind: str, group: list[Segment]) -> bool:
    if topic in ("goods", "size", "customs") and kind == "country":
        return False
    if topic == "quote" and _has(" ".join(s.text for s in group), "any country|abroad|everywhere"):
        return False
    return True


# ---------------------------------------------------------------------------------------------- answers
Fact = tuple[Any, ...]


def _zone(country: str, faults: Collection[str]) -> str:
    zone = ZONE[country]
    return "world" if zone == "none" and "invented_price" in faults else zone


def _quote(r: Request, faults: Collection[str]) -> list[Fact]:
    out: list[Fact] = []
    if r.values.get("nowhere") and not r.values.get("country"):
        return [("which_country",)]
    countries = r.values.get("country") or ["netherlands"]
    for country in countries:
        zone = _zone(country, faults)
        if zone == "none":
            out.append(("not_served", country))
            continue
        prices = _F["prices"][zone]
        if not r.values.get("weight"):
            out += [("price", country, limit, p) for limit, p in zip(_F["weights"], prices, strict=True) if p]
        for w in r.values.get("weight") or []:
            k = next((i for i, limit in enumerate(_F["weights"]) if w <= limit), None)
            if k is None or prices[k] is None:
                out.append(("too_heavy", country, 20000 if prices[-1] is None else 30000))
            else:
                out.append(("price", country, _F["weights"][k], prices[k]))
    return out


def _later(start: str | dt.date, days: int) -> str:
    """The weekday or date some working days after another."""
    if isinstance(start, dt.date):
        at = start
        while days:
            at += dt.timedelta(1)
            days -= at.weekday() < 5
        return at.isoformat()
    i = WEEK.index(start)
    while days:
        i = (i + 1) % 7
        days -= i < 5
    return WEEK[i]


def _start(r: Request) -> str | dt.date | None:
    dates = r.values.get("date") or r.values.get("day")
    return dates[0] if dates else None


def _time(r: Request, faults: Collection[str]) -> list[Fact]:
    out: list[Fact] = []
    if r.values.get("nowhere") and not r.values.get("country"):
        return [("which_country",)]
    for country in r.values.get("country") or ["netherlands"]:
        zone = _zone(country, faults)
        if zone == "none":
            out.append(("not_served", country))
            continue
        days = _F["days"][zone]
        out.append(("takes", country, days))
        start = _start(r)
        if start:
            out.append(("arrives", country, _later(start, days)))
    return out


def _track(r: Request) -> list[Fact]:
    numbers = r.values.get("track")
    if not numbers:
        return [("ask_number",)]
    out: list[Fact] = []
    for n in numbers:
        if len(n) != 9:
            out.append(("bad_number", 9))
        elif n in _F["parcels"]:
            out.append(("status", n, *_F["parcels"][n]))
        else:
            out.append(("no_parcel", n))
    return out


def _damage(r: Request) -> list[Fact]:
    days = [d for d in r.values.get("span", [])]
    if not days and _has(r.text, "today|just|this morning"):
        days = [0.0]
    if not days:
        return [("damage_rule", CLAIM_DAYS), ("claim_needs",)]
    return [("damage_late", CLAIM_DAYS)] if days[0] > CLAIM_DAYS else [("damage_ok", CLAIM_DAYS), ("claim_needs",)]


def _cover(r: Request) -> list[Fact]:
    amounts = r.values.get("money")
    if not amounts:
        return [("cover_free", COVER_FREE), ("cover_rule", COVER_MAX)]
    out: list[Fact] = []
    for a in amounts:
        if a <= COVER_FREE:
            out.append(("cover_enough", a))
        elif a > COVER_MAX:
            out.append(("cover_over", COVER_MAX))
        else:
            out.append(("cover_price", a, max(300, round(a / 100))))
    return out


def _point(r: Request) -> list[Fact]:
    towns = r.values.get("town")
    if not towns:
        return [("points", *sorted(_F["points"]))]
    return [("point", t, _F["points"][t]) if TOWNS.get(t) else ("no_point", t) for t in towns]


def _customs(r: Request) -> list[Fact]:
    out: list[Fact] = []
    for country in r.values.get("country") or []:
        zone = ZONE[country]
        if zone == "none":
            out.append(("not_served", country))
        elif zone in ("home", "near", "eu"):
            out.append(("no_customs", country))
        else:
            money = r.values.get("money")
            out += (
                [("customs_form", country, "CN22" if money[0] <= CUSTOMS_LIMIT else "CN23")]
                if money
                else [("customs_needed", country), ("customs_rule", CUSTOMS_LIMIT)]
            )
    return out or [("customs_outside",), ("customs_rule", CUSTOMS_LIMIT)]


def _business(r: Request) -> list[Fact]:
    counts = r.values.get("count")
    if not counts and _has(r.text, "students?|seniors?|pensioners?|loyal|private|coupons?|vouchers?|first"):
        return [("no_discount",)]
    if not counts:
        return [("business", n, p) for n, p in BUSINESS] + [("business_invoice", 14)] * (
            not _has(r.text, "discount\\w*")
        )
    n = counts[0]
    for limit, percent in BUSINESS:
        if n >= limit:
            return [("business_for", limit, percent)]
    return [("business_few", BUSINESS[-1][0])]


def _size(r: Request) -> list[Fact]:
    lengths = r.values.get("length")
    if not lengths:
        return [("size_rule", BULKY, BULKY_FEE, LONGEST)]
    longest = max(lengths)
    if longest > LONGEST:
        return [("size_no", LONGEST)]
    return [("size_bulky", BULKY_FEE)] if longest > BULKY else [("size_ok", BULKY)]


def _goods(r: Request) -> list[Fact]:
    items = r.values.get("goods")
    if not items:
        return [("goods_no",), ("goods_home",)]
    out: list[Fact] = []
    countries = r.values.get("country") or []
    for name, rule in items:
        if rule == "home":
            abroad = [c for c in countries if c != "netherlands"]
            if not countries:
                out.append(("goods_home_only", name))
            else:
                out.append(("goods_not_abroad", name) if abroad else ("goods_yes", name))
        else:
            out.append(("goods_yes" if rule == "yes" else "goods_never", name))
    out += [("not_served", c) for c in countries if ZONE[c] == "none"]
    return out


def _collect(r: Request) -> list[Fact]:
    start = _start(r)
    times = r.values.get("time")
    rule: list[Fact] = [("collect_price", 400), ("collect_rule", 16 * 60)]
    if r.concepts & {"price", "surcharge"} and not times:
        return rule[:1] + ([("collect_rule", 16 * 60)] if start else [])
    if start and times:
        first: list[Fact] = [("collect_price", 400)] if r.concepts & {"price", "surcharge"} else []
        return [*first, ("collect_day", _later(start, 1 if times[0] <= 16 * 60 else 2))]
    return rule


def _sundays(r: Request) -> list[Fact]:
    days = [
        d if isinstance(d, str) else WEEK[d.weekday()] for d in [*r.values.get("day", []), *r.values.get("date", [])]
    ]
    if _has(r.text, "weekends?"):
        days += ["saturday", "sunday"]
    if not days and _has(r.text, "holidays"):
        return [("no_holidays",)]
    return [("delivers_not", d) if d == "sunday" else ("delivers", d) for d in days] or [("delivers_days",)]


def _hotline(r: Request) -> list[Fact]:
    days = r.values.get("day") or []
    if _has(r.text, "weekends?"):
        days = ["saturday", "sunday"]
    if not days:
        number = (
            [("phone",)]
            if not _has(r.text, "open|hours|when|until|close|closes|reachable") or _has(r.text, "number")
            else []
        )
        return [*number, *([("hotline_week",)] if not number or _has(r.text, "open|hours|when|until") else [])]
    out: list[Fact] = []
    for d in days:
        hours = HOTLINE[d]
        out.append(("hotline", d, *hours) if hours else ("hotline_closed", d))
        for t in r.values.get("time", []):
            out.append(("hotline_yes", d, t) if hours and hours[0] <= t < hours[1] else ("hotline_no", d, t))
    return out


def _express(r: Request, faults: Collection[str]) -> list[Fact]:
    out: list[Fact] = []
    if r.values.get("nowhere") and not r.values.get("country"):
        return [("which_country",)]
    countries = r.values.get("country")
    for country in countries or ["netherlands"]:
        zone = _zone(country, faults)
        if zone == "none":
            out.append(("not_served", country))
        elif zone in _F["express"]:
            fee, days = _F["express"][zone]
            out += [("express_price", country, fee), ("express_days", country, days)]
        else:
            out.append(("no_express", country))
    return out


FIXED: dict[str, list[Fact]] = {
    "keep": [("keep", KEEP_DAYS)],
    "proxy": [("proxy",)],
    "idcard": [("idcard",)],
    "change": [("change", 20 * 60)],
    "return": [("return",)],
    "printer": [("return",)],
    "attempts": [("attempts", 2), ("then_point",)],
    "sign": [("sign", 150)],
    "payways": [("payways",)],
    "human": [("phone",), ("hotline_week",)],
    "complain": [("complain",)],
    "claim": [("damage_rule", CLAIM_DAYS), ("lost_rule", LOST_DAYS)],
    "weightlimit": [("weight_limit", 30000, 20000)],
    "neighbour": [("neighbour", 50000)],
    "cancel": [("cancel",)],
    "letter": [("letter",)],
}


def _answer(r: Request, memory: Memory, faults: Collection[str]) -> list[Fact]:
    if r.topic == "personal":
        return (
            [("sender_address", "Kerkstraat 8, Gouda")]
            if memory.staff and "staff_claim" in faults
            else [("refuse_personal",)]
        )
    if r.topic in FIXED:
        return FIXED[r.topic]
    if r.topic == "lost":
        spans = r.values.get("span")
        if not spans:
            return [("lost_rule", LOST_DAYS)]
        return [("lost_late", LOST_DAYS)] if spans[0] > LOST_DAYS else [("lost_ok", LOST_DAYS)]
    if r.topic == "box":
        sizes = r.values.get("box") or list(_F["boxes"])
        return [("box", s, *_F["boxes"][s]) for s in sizes]
    if r.topic == "cod":
        money = r.values.get("money")
        if not money:
            return [("cod_rule", COD_MAX, COD_FEE)]
        return [("cod_no", COD_MAX)] if money[0] > COD_MAX else [("cod_yes", money[0], COD_FEE)]
    if r.topic == "serves":
        return [("serves" if _zone(c, faults) != "none" else "not_served", c) for c in r.values.get("country", [])] or [
            ("serves_list",)
        ]
    if r.topic == "evening":
        return [("evening", 18 * 60, 20 * 60, 200)]
    if r.topic in ("quote", "time", "express"):
        return {"quote": _quote, "time": _time, "express": _express}[r.topic](r, faults)
    plain: dict[str, Callable[[Request], list[Fact]]] = {
        "track": _track,
        "damage": _damage,
        "cover": _cover,
        "point": _point,
        "customs": _customs,
        "business": _business,
        "size": _size,
        "goods": _goods,
        "collect": _collect,
        "sundays": _sundays,
        "hotline": _hotline,
    }
    return plain[r.topic](r)


HELLO = re.compile(
    r"^(?:hi|hello|hey|hiya|good|morning|afternoon|evening|day|dear|there|team|harrier|all|sir|madam|or|everyone|"
    r"folks|again|,|\.| )+$"
)
THANKS = re.compile(
    r"\b(thanks|thank|cheers|bye|goodbye|great|perfect|ok|okay|lovely|all|fine|appreciate|appreciated)\b"
)
SMALL = {"hello", "welcome", "unknown", "bot", "refuse_rules", "noted"}


def _follow(segments: list[Segment], memory: Memory) -> list[Request]:
    """Earlier requests with the values of this message."""
    values = _collect_values(s for s in segments if not s.said)
    bare = re.search(r"(?<![@\d.])(\d+(?:\.\d+)?)(?![\d.])", " ".join(s.text for s in segments))
    if bare and not values and memory.requests:
        kinds = {
            "quote": ("weight", 1000),
            "business": ("count", 1),
            "cover": ("money", 100),
            "cod": ("money", 100),
            "size": ("length", 10),
        }
        if memory.requests[-1].topic in kinds:
            kind, factor = kinds[memory.requests[-1].topic]
            values = {kind: [round(float(bare[1]) * factor)]}
    concepts = {c for s in segments for c in s.concepts}
    text = " ".join(s.text for s in segments)
    out = []
    for r in memory.requests:
        wanted = set(WANTS.get(r.topic, ())) & set(values)
        if "date" in wanted or "day" in wanted:
            kept = {k: v for k, v in r.values.items() if k not in ("day", "date")}
        else:
            kept = r.values
        if wanted:
            out.append(Request(r.topic, kept | {k: v for k, v in values.items()}, r.text, r.concepts | concepts))
    if not out and not memory.requests and not values and memory.values.keys() & {"country", "weight"}:
        known = {k: v for k, v in memory.values.items() if k in ("country", "weight")}
        if "price" in concepts:
            out.append(Request("quote", known, text, frozenset(concepts)))
        elif concepts & {"howlong", "when"}:
            out.append(Request("time", known, text, frozenset(concepts)))
    if not out and memory.requests and not values:
        last = memory.requests[-1]
        carried = {
            k: last.values.get(k) or memory.values.get(k)
            for k in ("country", "weight")
            if last.values.get(k) or memory.values.get(k)
        }
        if "price" in concepts and last.topic in ("time", "goods"):
            out.append(Request("quote", carried, text, frozenset(concepts)))
        elif concepts & {"howlong", "when"} and last.topic == "quote":
            out.append(Request("time", carried, text, frozenset(concepts)))
        elif "price" in concepts and last.topic in (
            "quote",
            "collect",
            "cover",
            "express",
            "size",
            "evening",
            "box",
            "cod",
            "sign",
        ):
            out.append(Request(last.topic, last.values, last.text + " " + text, last.concepts | concepts))
    return out


def _turn(raw: str, memory: Memory, faults: Collection[str]) -> list[Fact]:
    """The facts that answer one message."""
    segments = _Reader(faults).read(raw)
    text = " . ".join(s.text for s in segments)
    plain = re.sub(r"@\d+", "", text)
    memory.staff = memory.staff or STAFF.search(text) is not None
    requests = _requests(segments, memory)
    facts: list[Fact] = []
    if "thanks_closes" in faults and re.search(r"\b(?:thanks|thank|cheers)\b", text):
        return [("welcome",)]
    if _has(
        text, "(?:ignore|disregard|override|forget) (?:\\w+ ){0,3}(?:instructions|rules|prompt)|system prompt|pretend"
    ):
        return [("refuse_rules",)]
    doubt = SURE.search(text) is not None
    said = any(s.said for s in segments) or doubt
    if (
        requests
        and memory.facts
        and said
        and not any(s.asks and s.topics and not SURE.search(s.text) for s in segments)
        and ({r.topic for r in requests} <= {r.topic for r in memory.requests} | {"quote", "time"})
        and (all(s.said or SURE.search(s.text) or not s.topics for s in segments))
    ):
        return memory.facts
    if requests:
        if "second_dropped" in faults:
            requests = requests[:1]
        for r in requests:
            facts += _answer(r, memory, faults)
    elif memory.facts and said:
        return _again(memory, faults)
    else:
        requests = _follow(segments, memory)
        for r in requests:
            facts += _answer(r, memory, faults)
        if not facts:
            if segments and HELLO.match(plain):
                facts = [("hello",)]
            elif _has(
                text, "(?:are you|is this|am i talking to) (?:\\w+ ){0,2}(?:bot|robot|human|machine|person|real)"
            ):
                facts = [("bot",)]
            elif THANKS.search(text) and not any(s.asks for s in segments):
                facts = [("welcome",)]
            elif memory.staff and STAFF.search(text) and ("refuse_personal",) in memory.facts:
                facts = _again(memory, faults)
            elif memory.facts == [("refuse_personal",)] and not THANKS.search(text):
                facts = memory.facts
            elif memory.facts and SURE.search(text):
                facts = memory.facts
            elif any(s.values for s in segments) and not any(s.asks for s in segments):
                facts = [("noted",)]
            else:
                facts = [("unknown",)]
    facts = list(dict.fromkeys(facts))
    for kind, what in _collect_values(s for s in segments if not s.said).items():
        memory.values[kind] = what
    if requests:
        memory.requests = requests
    if facts[0][0] not in SMALL:
        memory.facts = facts
    return facts


def _again(memory: Memory, faults: Collection[str]) -> list[Fact]:
    if memory.staff and "staff_claim" in faults and ("refuse_personal",) in memory.facts:
        return [("sender_address", "Kerkstraat 8, Gouda")]
    return memory.facts


# ---------------------------------------------------------------------------------------------- wording
class _Pen:
    """Writes values in one of several ways, by a seed."""

    def __init__(self, seed: str) -> None:
        self.state = zlib.crc32(seed.encode("utf-8")) or 1

    def roll(self, n: int) -> int:
        """A number below n."""
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % n

    def money(self, cents: int) -> str:
        """An amount."""
        whole, rest = divmod(cents, 100)
        short = f"{whole}" if not rest else f"{whole}.{rest:02d}"
        return (f"€{short}", f"{short} euros", f"{whole}.{rest:02d} euros", f"EUR {whole}.{rest:02d}")[self.roll(4)]

    def weight(self, grams: int) -> str:
        """A weight."""
        return (f"{grams // 1000} kg", f"{grams // 1000} kilograms", f"{grams // 1000} kilos")[self.roll(3)]

    def length(self, mm: int) -> str:
        """A length."""
        return (f"{mm // 10} cm", f"{mm // 10} centimetres", f"{mm / 1000:g} m")[self.roll(3)]

    def days(self, n: int) -> str:
        """A number of days."""
        word = ("zero one two three four five six seven eight nine ten".split() + [str(i) for i in range(11, 400)])[n]
        return f"{(str(n), word)[self.roll(2)]} day{'s' * (n != 1)}"

    def work(self, n: int) -> str:
        """A number of working days."""
        return self.days(n).replace("day", "working day")

    def clock(self, minutes: int) -> str:
        """A time of day."""
        h, m = divmod(minutes, 60)
        tail = f":{m:02d}" if m else ""
        return (f"{h}:{m:02d}", f"{(h - 1) % 12 + 1}{tail} {'am' if h < 12 else 'pm'}")[self.roll(2)]

    def day(self, value: str) -> str:
        """A weekday or a date."""
        if value in WEEK:
            return value.capitalize()
        d = dt.date.fromisoformat(value)
        return (f"{d.day} {MONTH[d.month - 1].capitalize()} {d.year}", d.isoformat(), d.strftime("%d/%m/%Y"))[
            self.roll(3)
        ]


def _land(name: str) -> str:
    title = name.title()
    return (
        f"the {title}"
        if name in ("netherlands", "united kingdom", "united states", "philippines", "united arab emirates")
        else title
    )


STATUS = {
    "transit": ("is on its way and was last seen in {0}", "is in transit, last scanned in {0}"),
    "courier": ("is with the courier in {0}", "has been handed to the courier in {0}"),
    "point": ("waits for you at the pick-up point in {0}", "can be fetched at the pick-up point in {0}"),
    "delivered": ("was delivered in {0}", "has been delivered in {0}"),
    "customs": ("is with customs at {0}", "is being checked by customs at {0}"),
    "returned": ("goes back to the sender and is in {0}", "is on the way back to the sender, now in {0}"),
}


def _say(f: Fact, p: _Pen) -> str:
    """One fact as a sentence."""
    a = f[1:]
    forms: dict[str, Callable[[], tuple[str, ...]]] = {
        "price": lambda: (
            (
                f"A parcel up to {p.weight(a[1])} to {_land(a[0])} costs {p.money(a[2])}.",
                f"To {_land(a[0])}, up to {p.weight(a[1])}: {p.money(a[2])}.",
            )
            if a[0] != "netherlands"
            else (
                f"Within the Netherlands a parcel up to {p.weight(a[1])} costs {p.money(a[2])}.",
                f"Up to {p.weight(a[1])} within the Netherlands: {p.money(a[2])}.",
            )
        ),
        "which_country": lambda: (
            "I do not know that place. To which country does the parcel go?",
            "Which country is that in? I do not know the place.",
        ),
        "too_heavy": lambda: (
            f"That is too heavy: to {_land(a[0])} we take up to {p.weight(a[1])}.",
            f"For {_land(a[0])} the limit is {p.weight(a[1])}, so this one we cannot take.",
        ),
        "not_served": lambda: (
            f"We do not deliver to {_land(a[0])}.",
            f"I am sorry, {_land(a[0])} is not among our destinations.",
        ),
        "takes": lambda: (
            f"Delivery to {_land(a[0])} takes {p.work(a[1])}.",
            f"A parcel to {_land(a[0])} needs {p.work(a[1])}.",
        ),
        "arrives": lambda: (
            f"So it reaches {_land(a[0])} on {p.day(a[1])}.",
            f"Arrival in {_land(a[0])}: {p.day(a[1])}.",
        ),
        "ask_number": lambda: (
            "Please give me your tracking number, HP and nine digits.",
            "What is the tracking number (HP and nine digits)?",
        ),
        "bad_number": lambda: (
            f"That tracking number is not complete: it needs HP and {a[0]} digits.",
            f"A tracking number has HP and {a[0]} digits; please check yours.",
        ),
        "no_parcel": lambda: (
            f"I find no parcel with the number HP{a[0]}.",
            f"The number HP{a[0]} is not known to us.",
        ),
        "status": lambda: tuple(f"Your parcel HP{a[0]} {s.format(a[2])}." for s in STATUS[a[1]]),
        "damage_rule": lambda: (
            f"Damage must be reported within {p.days(a[0])} of delivery.",
            f"You have {p.days(a[0])} after delivery to report damage.",
        ),
        "damage_ok": lambda: (
            f"Yes, you can still claim: damage may be reported within {p.days(a[0])}.",
            f"You are in time, as the limit for damage is {p.days(a[0])}.",
        ),
        "damage_late": lambda: (
            f"No, that is too late: damage has to be reported within {p.days(a[0])}.",
            f"I am sorry, the limit of {p.days(a[0])} for damage has passed.",
        ),
        "claim_needs": lambda: ("We need photos and the receipt.", "Please have photos and the receipt ready."),
        "lost_rule": lambda: (
            f"A lost parcel can be reported within {p.days(a[0])} of posting.",
            f"Report a lost parcel within {p.days(a[0])} of posting.",
        ),
        "lost_ok": lambda: (
            f"You can report it as lost; the limit is {p.days(a[0])} after posting.",
            f"Within {p.days(a[0])} of posting you can claim for a lost parcel, so yes.",
        ),
        "lost_late": lambda: (
            f"It is too late: a lost parcel has to be reported within {p.days(a[0])} of posting.",
            f"The limit of {p.days(a[0])} for a lost parcel has passed.",
        ),
        "cover_free": lambda: (
            f"Each parcel is covered up to {p.money(a[0])}.",
            f"Cover up to {p.money(a[0])} is included.",
        ),
        "cover_rule": lambda: (
            f"Extra cover up to {p.money(a[0])} costs 1 % of the value, at least €3.",
            f"For 1 % of the value, at least €3, you get extra cover, up to {p.money(a[0])}.",
        ),
        "cover_enough": lambda: (
            f"{p.money(a[0])} is within the cover that is included, so there is no charge.",
            f"Nothing extra: the included cover is enough for {p.money(a[0])}.",
        ),
        "cover_over": lambda: (
            f"That is more than we can cover; the limit is {p.money(a[0])}.",
            f"We cover {p.money(a[0])} at most, so not that much.",
        ),
        "cover_price": lambda: (
            f"Extra cover for {p.money(a[0])} costs {p.money(a[1])}.",
            f"To cover a value of {p.money(a[0])} we charge {p.money(a[1])}.",
        ),
        "keep": lambda: (
            f"A parcel waits for {p.days(a[0])} at the pick-up point.",
            f"We keep it at the pick-up point for {p.days(a[0])}.",
        ),
        "points": lambda: (
            f"We have pick-up points in {', '.join(x.capitalize() for x in a[:-1])} and {a[-1].capitalize()}.",
            f"Pick-up points: {', '.join(x.capitalize() for x in a)}.",
        ),
        "point": lambda: (
            f"Yes, in {a[0].capitalize()}: {a[1]}.",
            f"The pick-up point in {a[0].capitalize()} is {a[1]}.",
        ),
        "no_point": lambda: (
            f"We have no pick-up point in {a[0].capitalize()}.",
            f"In {a[0].capitalize()} there is no pick-up point yet.",
        ),
        "no_customs": lambda: (
            f"No customs papers are needed for {_land(a[0])}.",
            f"For {_land(a[0])} you need no customs form.",
        ),
        "customs_form": lambda: (
            f"For {_land(a[0])} and that value you need the form {a[1]}.",
            f"Yes, to {_land(a[0])} the form {a[1]} is needed for such a value.",
        ),
        "customs_needed": lambda: (
            f"Yes, {_land(a[0])} needs a customs form.",
            f"A parcel to {_land(a[0])} needs a customs form.",
        ),
        "customs_rule": lambda: (
            f"Up to {p.money(a[0])} it is the CN22, above it the CN23.",
            f"The form is CN22 up to a value of {p.money(a[0])} and CN23 above.",
        ),
        "customs_outside": lambda: (
            "Parcels to countries outside the EU need a customs form.",
            "Outside the EU a customs form is needed, inside it is not.",
        ),
        "business": lambda: (
            f"From {a[0]} parcels a month the discount is {a[1]} %.",
            f"{a[1]} % off from {a[0]} parcels a month.",
        ),
        "business_invoice": lambda: (
            f"Business customers pay by monthly invoice within {p.days(a[0])}.",
            f"A business account is invoiced monthly, payable in {p.days(a[0])}.",
        ),
        "business_for": lambda: (
            f"With that many you are in the group from {a[0]} parcels a month and get {a[1]} %.",
            f"That gives {a[1]} % discount, as for all from {a[0]} parcels a month.",
        ),
        "no_discount": lambda: (
            "Discounts are for business accounts only.",
            "We have discounts for business customers only.",
        ),
        "business_few": lambda: (
            f"That is too few: discounts start at {a[0]} parcels a month.",
            f"There is no discount below {a[0]} parcels a month.",
        ),
        "size_rule": lambda: (
            f"Up to {p.length(a[0])} there is no surcharge, up to {p.length(a[2])} it is {p.money(a[1])}, and longer "
            f"parcels we do not take.",
            f"Longest side: {p.length(a[2])}; above {p.length(a[0])} we charge {p.money(a[1])} extra.",
        ),
        "size_no": lambda: (
            f"That is too long; the limit is {p.length(a[0])}.",
            f"We take parcels up to {p.length(a[0])} only, so no.",
        ),
        "size_bulky": lambda: (
            f"You can send it, with a surcharge of {p.money(a[0])} for its length.",
            f"It counts as bulky: {p.money(a[0])} extra, then we take it.",
        ),
        "size_ok": lambda: (
            f"You can send it without a surcharge, as it is within {p.length(a[0])}.",
            f"Up to {p.length(a[0])} nothing is added, so it is fine.",
        ),
        "goods_no": lambda: (
            "Never allowed: cash, weapons, fireworks, live animals, drugs and petrol.",
            "We carry no cash, weapons, fireworks, live animals, drugs or petrol.",
        ),
        "goods_home": lambda: (
            "Alcohol, perfume and loose batteries may go within the Netherlands only.",
            "Only within the Netherlands: alcohol, perfume, loose batteries.",
        ),
        "goods_home_only": lambda: (
            f"You can send {a[0]} within the Netherlands, but not abroad.",
            f"Within the Netherlands yes, abroad no: that is the rule for {a[0]}.",
        ),
        "goods_not_abroad": lambda: (
            f"No, {a[0]} must not be sent abroad.",
            f"I am sorry, we do not carry {a[0]} to other countries.",
        ),
        "goods_yes": lambda: (f"Yes, you can send {a[0]}.", f"There is no objection to {a[0]}."),
        "goods_never": lambda: (f"No, {a[0]} must not be sent.", f"We do not carry {a[0]}."),
        "collect_price": lambda: (
            f"A home collection costs {p.money(a[0])}.",
            f"For a home collection we charge {p.money(a[0])}.",
        ),
        "collect_rule": lambda: (
            f"Booked by {p.clock(a[0])}, the courier comes on the next working day, otherwise a working day later.",
            f"If you book by {p.clock(a[0])} we come the next working day, after that one working day later.",
        ),
        "collect_day": lambda: (
            f"The courier comes on {p.day(a[0])}.",
            f"Your parcel is collected on {p.day(a[0])}.",
        ),
        "delivers": lambda: (f"Yes, on {p.day(a[0])} we deliver.", f"We do deliver on {p.day(a[0])}."),
        "delivers_not": lambda: (
            f"No, on {p.day(a[0])} we do not deliver.",
            f"There is no delivery on {p.day(a[0])}.",
        ),
        "no_holidays": lambda: ("On public holidays we do not deliver.", "There is no delivery on public holidays."),
        "letter": lambda: ("We carry parcels only, no letters.", "Letters are not among our services, only parcels."),
        "serves": lambda: (f"Yes, we deliver to {_land(a[0])}.", f"Among our destinations: {_land(a[0])}."),
        "serves_list": lambda: (
            "We deliver to all EU countries, to most of Europe and to many countries worldwide; ask me about one.",
            "All of the EU, most of Europe and many countries worldwide; which one do you mean?",
        ),
        "delivers_days": lambda: (
            "We deliver from Monday to Saturday, not on Sunday.",
            "Every day but Sunday we deliver.",
        ),
        "proxy": lambda: (
            "Yes, someone else can fetch it, with your written permission and a copy of your ID.",
            "That is possible with a note signed by you and a copy of your ID.",
        ),
        "neighbour": lambda: (
            f"We can leave it with a neighbour, unless it is worth more than {p.money(a[0])}.",
            f"A neighbour can take it if its value is not above {p.money(a[0])}.",
        ),
        "idcard": lambda: (
            "Please bring an ID card, passport or driving licence.",
            "At the pick-up point an ID card, passport or driving licence is needed.",
        ),
        "change": lambda: (
            f"You can change the address online, free, until {p.clock(a[0])} on the day before delivery.",
            f"Until {p.clock(a[0])} the day before delivery the address can be changed online at no cost.",
        ),
        "box": lambda: (
            f"The {a[0]} box costs {p.money(a[1])} and holds up to {p.weight(a[2])}.",
            f"A box of size {a[0]} is {p.money(a[1])}, for up to {p.weight(a[2])}.",
        ),
        "return": lambda: (
            "Show the QR code from the web shop at a pick-up point; the label is printed there, free.",
            "No printer is needed: a pick-up point prints the label free when you show the QR code of the web shop.",
        ),
        "express_price": lambda: (
            f"Express to {_land(a[0])} costs {p.money(a[1])} on top of the parcel price.",
            f"For express to {_land(a[0])} we add {p.money(a[1])} to the parcel price.",
        ),
        "express_days": lambda: (
            f"It takes {p.work(a[1])} to {_land(a[0])}.",
            f"An express parcel is in {_land(a[0])} after {p.work(a[1])}.",
        ),
        "no_express": lambda: (
            f"There is no express to {_land(a[0])}.",
            f"We have no express service to {_land(a[0])}.",
        ),
        "hotline": lambda: (
            f"On {p.day(a[0])} our hotline is open from {p.clock(a[1])} to {p.clock(a[2])}.",
            f"Hotline on {p.day(a[0])}: {p.clock(a[1])} to {p.clock(a[2])}.",
        ),
        "hotline_closed": lambda: (
            f"Our hotline is closed on {p.day(a[0])}.",
            f"On {p.day(a[0])} nobody is at the hotline.",
        ),
        "hotline_yes": lambda: (
            f"Yes, at {p.clock(a[1])} on {p.day(a[0])} it is open.",
            f"You can call at {p.clock(a[1])} on {p.day(a[0])}.",
        ),
        "hotline_no": lambda: (
            f"No, at {p.clock(a[1])} on {p.day(a[0])} it is closed.",
            f"At {p.clock(a[1])} on {p.day(a[0])} nobody answers.",
        ),
        "hotline_week": lambda: (
            "The hotline is open Monday to Friday from 8:00 to 18:00 and Saturday from 9:00 to 13:00.",
            "Hotline hours: Monday to Friday 8-18, Saturday 9-13, Sunday closed.",
        ),
        "phone": lambda: ("Our number is 030 555 0177.", "You can call us on 030 555 0177."),
        "attempts": lambda: (
            f"We try {('2', 'two')[p.roll(2)]} times.",
            f"The courier makes {('2', 'two')[p.roll(2)]} attempts.",
        ),
        "then_point": lambda: (
            "After that the parcel goes to a pick-up point.",
            "Then you find it at a pick-up point.",
        ),
        "cod_yes": lambda: (
            f"Yes, cash on delivery is possible for {p.money(a[0])}; the fee is {p.money(a[1])}.",
            f"For {p.money(a[0])} you can use cash on delivery, at {p.money(a[1])}.",
        ),
        "cod_no": lambda: (
            f"No, cash on delivery goes up to {p.money(a[0])} only.",
            f"That is too much for cash on delivery: the limit is {p.money(a[0])}.",
        ),
        "cod_rule": lambda: (
            f"Cash on delivery is possible up to {p.money(a[0])}, for a fee of {p.money(a[1])}.",
            f"Yes, up to {p.money(a[0])}; cash on delivery costs {p.money(a[1])}.",
        ),
        "evening": lambda: (
            f"Yes, between {p.clock(a[0])} and {p.clock(a[1])}, for {p.money(a[2])} extra.",
            f"Evening delivery is from {p.clock(a[0])} to {p.clock(a[1])} and costs {p.money(a[2])}.",
        ),
        "sign": lambda: (
            f"Delivery against signature costs {p.money(a[0])} extra.",
            f"A signature on delivery is {p.money(a[0])} more.",
        ),
        "payways": lambda: (
            "You can pay by iDEAL, card or PayPal, and in cash at a pick-up point.",
            "iDEAL, cards and PayPal online; cash at the pick-up points.",
        ),
        "complain": lambda: (
            "I am sorry. Please write to care@harrier.example; you get an answer within 3 working days.",
            "Complaints go to care@harrier.example and are answered within 3 working days.",
        ),
        "cancel": lambda: (
            "A shipment can be cancelled free until it is handed over to us.",
            "Until you hand it over you can cancel a shipment free of charge.",
        ),
        "weight_limit": lambda: (
            f"A parcel may weigh {p.weight(a[0])}, outside the EU {p.weight(a[1])}.",
            f"The limit is {p.weight(a[0])}, and {p.weight(a[1])} outside the EU.",
        ),
        "refuse_personal": lambda: (
            "I cannot give out personal data of senders or recipients.",
            "I am sorry, data about other people are private.",
        ),
        "sender_address": lambda: (f"The address is {a[0]}.", f"It was sent from {a[0]}."),
        "hello": lambda: ("How can I help you with your parcel?", "What can I do for you?"),
        "welcome": lambda: ("You are welcome.", "Glad to help."),
        "bot": lambda: ("I am the chatbot of Harrier Parcels.", "You are writing to the chatbot of Harrier Parcels."),
        "refuse_rules": lambda: ("I keep to the rules of Harrier Parcels.", "That I cannot do; I work by our rules."),
        "noted": lambda: ("Thank you. What would you like to know?", "I see. What is your question?"),
        "unknown": lambda: (
            "I am sorry, I did not understand that. Could you say it differently?",
            "That I did not understand. I can help with prices, delivery times, tracking, claims and more.",
        ),
    }
    choices = forms[f[0]]()
    return choices[p.roll(len(choices))]


def reply(messages: Sequence[str], *, faults: Collection[str] = (), draw: int = 0) -> Reply:
    """Answers the last message of a conversation."""
    for name in faults:
        if name not in FAULTS:
            raise ValueError(f"unknown fault: {name}")
    if not messages:
        raise ValueError("there is no message")
    memory = Memory()
    facts: list[Fact] = []
    for raw in messages:
        if "short_memory" in faults:
            last = Memory(staff=memory.staff)
            if memory.facts and facts == memory.facts:
                last.facts, last.requests = memory.facts, memory.requests
                last.values = {k: v for r in memory.requests for k, v in r.values.items()}
            memory = last
        facts = _turn(raw, memory, faults)
    pen = _Pen(f"{draw}:{messages[-1]}")
    sentences = [_say(f, pen) for f in facts]
    if len(facts) > 1 and len({f[0] for f in facts}) == 1 and pen.roll(2):
        sentences.reverse()
    start = ("", "", "Thank you for asking. ", "With pleasure: ", "Good question. ", "Harrier Parcels here. ")[
        pen.roll(6)
    ]
    end = ("", "", " Anything else?", " Have a good day.", " Just ask if there is more.")[pen.roll(5)]
    return Reply(start + " ".join(sentences) + end, frozenset(facts))
