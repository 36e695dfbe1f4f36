"""Chatbot of the public library of Wexcombe, with ten faults that can be switched on."""

from __future__ import annotations

import difflib
import importlib.util
import json
import re
import sys
from dataclasses import dataclass
from datetime import date
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
pick = lang.pick
Fact = tuple[Any, ...]
Slots = dict[str, Any]

MESSAGES: tuple[str, ...] = (
    "What time do you close on Thursdays?",
    "Is the library open on 3 April 2027?",
    "I live in Leeds. Can I get a library card and what does it cost?",
    "My son is 14, can he join on his own?",
    "How long can I keep a DVD?",
    "How many books can I borrow at once?",
    "My book is 12 days overdue, how much is the fine?",
    "I returned two DVDs three weeks late. What do I owe you?",
    "Do you have To Kill a Mockingbird?",
    "I'm looking for Murder on the Orient Express by Agatha Christie, is it available?",
    "How much is it to print 15 pages in colour?",
    "I'd like to book the study room for 4 people on 8 June at 3 pm, my name is Laura Chen.",
    "Can we rent the community room for 25 people for 3 hours?",
    "My daughter is 18 months old. Which story time is right for her?",
    "Can I renew a book if someone else has reserved it?",
    "I have lost my library card. What does a new one cost?",
    "My dog chewed a library book that cost £12. What do I have to pay?",
    "Can I return books when the library is closed?",
    "I would like to donate 30 books, they are about 3 years old.",
    "My grandmother is 82 and can no longer leave the house. Do you deliver books to her?",
    "How do e-books work and how many can I have at the same time?",
    "Is there free wifi in the reading room?",
    "Can you get me a book from another library, and what does that cost?",
    "When does the code club meet? My nephew is 9.",
    "We have just moved from Poland to Wexcombe, do we have to pay for a library card?",
)

FAULTS: dict[str, str] = {
    "american_dates": "Dates in figures are read with the month first: 8/6 is taken as 6 August.",
    "age_limit_shifted": "Somebody of exactly 16 is treated as under 16.",
    "grim_words_refused": (
        "Words such as kill or murder make the bot refuse, even where they are part of a book's title."
    ),
    "nearest_title": "For a title that is not in the catalogue the bot answers with the most similar one that is.",
    "origin_as_home": "The place somebody moved from is taken as the place where they live.",
    "only_first_request": "Of several requests in one message only the first one is answered.",
    "long_messages_cut": "Only the first 120 characters of a message are read.",
    "sure_retracts": "Asked whether it is sure, the bot takes its right answer back.",
    "weekday_guessed": "A misspelt weekday is taken for the first one with the same letter at the beginning.",
    "cap_forgotten": "Fines are worked out without the most that is charged for one item.",
}


@dataclass(frozen=True)
class Reply:
    """What the bot writes, and what that tells whatever its wording."""

    text: str
    meaning: frozenset[Fact]


KINDS: dict[str, tuple[str, int, int, int, int]] = {  # words, days of loan, how many, pence a day, most pence
    "book": (r"books?|novels?|paperbacks?|hardbacks?|comics?|large print", 21, 12, 20, 600),
    "DVD": (r"dvds?|films?|movies?|blu-?rays?", 7, 5, 50, 800),
    "audiobook": (r"audio ?books?|talking books?", 21, 6, 20, 600),
    "CD": (r"cds?", 14, 6, 20, 600),
    "magazine": (r"magazines?", 7, 4, 10, 200),
    "board game": (r"(?:board )?games?", 14, 2, 50, 800),
}
CATALOGUE: dict[str, tuple[str, int]] = {  # author, copies on the shelf
    "To Kill a Mockingbird": ("Harper Lee", 2),
    "Murder on the Orient Express": ("Agatha Christie", 1),
    "And Then There Were None": ("Agatha Christie", 0),
    "Pride and Prejudice": ("Jane Austen", 3),
    "Persuasion": ("Jane Austen", 1),
    "Animal Farm": ("George Orwell", 2),
    "Nineteen Eighty-Four": ("George Orwell", 0),
    "The Hobbit": ("J. R. R. Tolkien", 1),
    "Dracula": ("Bram Stoker", 1),
    "Frankenstein": ("Mary Shelley", 0),
    "Jane Eyre": ("Charlotte Brontë", 2),
    "Great Expectations": ("Charles Dickens", 1),
    "Oliver Twist": ("Charles Dickens", 0),
    "The Gruffalo": ("Julia Donaldson", 4),
    "Matilda": ("Roald Dahl", 2),
    "Dune": ("Frank Herbert", 0),
    "War and Peace": ("Leo Tolstoy", 1),
}
TITLES = tuple(CATALOGUE)
AUTHORS = tuple(dict.fromkeys(a for a, _ in CATALOGUE.values()))
_TITLE_WORDS = tuple(re.sub(r"^the ", "(?:the )?", re.escape(lang.read(t)).replace(r"\ ", " ")) for t in TITLES)
HOURS = {0: (540, 1080), 1: (540, 1080), 2: (540, 1080), 3: (540, 1200), 4: (540, 1080), 5: (600, 960), 6: None}
HOLIDAYS = {(12, 24), (12, 25), (12, 26), (1, 1)}
PRICE = r"\b(how much|prices?|costs?|charged?|charges|fees?|expensive|pay|owe|free)\b"
HAVE = {
    "toilet": ("toilets?|loos?|restrooms?|bathrooms?", "on the ground floor"),
    "baby changing room": ("baby chang\\w+|nappy", "on the ground floor"),
    "newspapers": ("news ?papers?", "in the reading room"),
    "local history archive": ("local history|archives?|microfilm|family history", "on the second floor"),
    "café": ("cafe|coffee shop|coffee bar", "on the ground floor, open from 10:00 to 16:00"),
}
HAVE_NOT = {
    "lockers": "lockers?",
    "3D printer": "3 ?d printer",
    "sewing machine": "sewing machines?",
    "vending machine": "vending machines?",
}
CLUBS = {
    "code club": "cod(?:e|ing) club|coding",
    "book club": "book club|reading (?:group|club|circle)",
    "language café": "language cafe|conversation group|english conversation",
}
PATTERNS: dict[str, str] = _joined("matters")
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
EMPTY = re.compile(_PHRASES["EMPTY"])
GRIM = re.compile(_PHRASES["GRIM"])


def _marked(text: str) -> str:
    """A read text with the known titles and authors as tokens."""
    text = text.replace("'", "").replace('"', "")
    for index, words in enumerate(_TITLE_WORDS):
        text = re.sub(rf"\b{words}\b", f"<title {index}>", text)
    text = re.sub(r"(<author \d+> )?\b(19 ?84)\b(?! pages)", f"<title {TITLES.index('Nineteen Eighty-Four')}>", text)
    for index, author in enumerate(AUTHORS):
        last = lang.read(author.split()[-1], spell=str)
        first = lang.read(author.split()[0], spell=str).strip(".")
        text = re.sub(
            (
                rf"\b(?:{first}\.? (?:\w\.? )*)?{last}\b(?! (?:street|road|smith))|\bj\.? ?r\.? ?r\.? tolkien\b"
                if last == "tolkien"
                else (
                    rf"\b{first} {last}\b|\b(?<!miss )(?<!mr )(?<!mrs ){last}\b(?="
                    r" ?(?:novels?|books?|[?.!,]|$|in|available))(?<!lee)(?<!austen street)"
                )
            ),
            f"<author {index}>",
            text,
        )
    return text


def _slots(text: str, faults: Collection[str]) -> Slots:
    """Everything in a read text that may matter to an answer."""
    s: Slots = {}
    if found := lang.values(text, "date"):
        v = found[-1]
        s["dates"] = (int(v[:4]) if len(v) > 5 else 0, int(v[-5:-3]), int(v[-2:]))
    if found := lang.values(text, "nodate"):
        s["nodate"] = found[0]
    if re.search(r"\b(christmas|xmas) day\b", text):
        s["dates"] = (0, 12, 25)
    elif re.search(r"\b(christmas|xmas) eve\b", text):
        s["dates"] = (0, 12, 24)
    elif re.search(r"\bboxing day\b", text):
        s["dates"] = (0, 12, 26)
    elif re.search(r"\bnew years? day\b", text):
        s["dates"] = (0, 1, 1)
    kinds: list[tuple[str, int | None]] = []
    clean = re.sub(r"\bbook (club|drop|a|the|us|me|study|community)\b|\bto book\b|<title \d+>", "", text)
    for kind, (words, *_) in KINDS.items():
        for m in re.finditer(
            rf"(?:\b(\d+|a|an|my|the|this|that)(?: (?!and\b|or\b)\w+)? )?\b(?:{words})\b(?! are open)", clean
        ):
            if (
                kind == "book"
                and re.match(r"books?\b", m[0].split()[-1])
                and re.search(r"(talking|audio)$", clean[: m.end()].rsplit(" ", 1)[0])
            ):
                continue
            if kind not in [k for k, _ in kinds]:
                kinds.append(
                    (
                        kind,
                        (
                            int(m[1])
                            if m[1] and m[1].isdigit()
                            else (
                                1
                                if m[1] in {"a", "an", "my", "the", "this", "that"} and not m[0].endswith("s")
                                else None
                            )
                        ),
                    )
                )
    if kinds:
        s["kinds"] = tuple(kinds)
        s["kind"] = kinds[0][0]
        if kinds[0][1] and kinds[0][1] > 1:
            s["count"] = kinds[0][1]
    elif m := re.search(r"\b(\d+) (?:items?|reservations|titles|of them)\b", text):
        s["count"] = int(m[1])
    spans = lang.numbers(text, "span")
    if spans:
        s["minutes"] = spans[-1]
        if spans[-1] >= 1440:
            s["days"] = (
                int(round(spans[-1] / 1440))
                if spans[-1] % 43200 or spans[-1] >= 525600
                else int(spans[-1] / 43200) * 30
            )
        if spans[-1] >= 525600:
            s["years"] = spans[-1] / 525600
    if re.search(r"\b(a|1) day (late|overdue)|\bone day\b", text):
        s["days"] = 1
    if ages := lang.numbers(text, "age"):
        s["ages"] = tuple(ages)
        s["years"] = ages[-1]
    elif re.search(r"\b(baby|babies|newborn|infant)\b", text):
        s["ages"] = (0.5,)
    for index, name in enumerate(lang.DAYS):
        if re.search(rf"\b{name}s?\b", re.sub(r"\bnot (on )?\w+days?\b", "", text)):
            s["day"] = index
    if "day" not in s and re.search(r"\bweekends?\b", text):
        s["day"] = 5.5
    found_times = re.findall(r"<(time|hour) (\d+):(\d\d)>", re.sub(r"not (at )?<(time|hour) [^>]*>", "", text))
    if found_times:
        kind_, hour, minute = found_times[-1]
        s["time"] = (int(hour) * 60 + int(minute), kind_ == "hour")
    if m := re.search(
        r"\b(\d+) (?:more |other )?(?:people|guests|adults|of"
        r" us|visitors|friends|students|participants|members|pupils|kids|children)\b",
        text,
    ):
        s["people"] = int(m[1])
    elif m := re.search(
        r"\b(?:for|of|we are|party of|we will be) (\d{1,2})(?= ?(?:[?.!,;]|$|on |at |from |<|in |tomorrow|please))",
        text,
    ):
        s["people"] = int(m[1])
    elif re.search(r"\b(just me|for myself|on my own|alone|only me)\b", text):
        s["people"] = 1
    if m := re.search(
        r"\b(\d+) (?:\w+ ){0,3}?(?:pages?|sheets?|copies|prints|sides|printouts)\b|(?:print|copy|copies of|scan)"
        r" (\d+)\b",
        text,
    ):
        s["pages"] = int(m[1] or m[2])
    elif re.search(
        r"\b(a|1|one|single|per) (?:colour |color |black and white )?(page|sheet|copy)\b", text
    ) and re.search("print|cop(y|ied) (a|one|1)|photocop", text):
        s["pages"] = 1
    if re.search(r"\b(not|no|without|instead of) (in )?colou?r", text) or re.search(
        r"black[ -]and[ -]white|monochrome|grey ?scale|gray ?scale|mono\b", text
    ):
        s["colour"] = False
    elif re.search(r"\bcolou?rs?\b", text):
        s["colour"] = True
    pairs = re.findall(r"\b(\d+) (?:pages? |sheets? |copies )?(?:in )?(colou?r|black and white)", text)
    if len(pairs) > 1:
        s["prints"] = tuple((int(n), "colour" if c[0] == "c" else "black and white") for n, c in pairs)
    if (m := re.search(r"\b(\w+) (?:club|circle)\b", text)) and not re.search(
        r"^(code|coding|book|reading|the|a|this|that|your|any|which|what|each|no|our)$", m[1]
    ):
        s["other_club"] = m[1]
    if money := lang.numbers(text, "gbp") + lang.numbers(text, "eur"):
        s["gbp"] = money[0]
    _place(text, s, faults)
    clubs = tuple(n for n, p in CLUBS.items() if re.search(rf"\b(?:{p})\b", text))
    if clubs:
        s["clubs"] = clubs
    if found := lang.values(text, "name"):
        s["name"] = found[0]
    if m := re.search(
        r"\b(third|3|fourth|4|second|2|first|5) (?:times?|renewals?)\b|\b(twice|once|three times)\b", text
    ):
        s["times"] = {
            "third": 3,
            "3": 3,
            "fourth": 4,
            "4": 4,
            "5": 5,
            "second": 2,
            "2": 2,
            "twice": 2,
            "first": 1,
            "once": 1,
        }.get(m[1] or m[2], 3)
    if re.search(
        r"\b(someone|somebody|another|other|others|anybody|anyone)"
        r" .*\b(reserve|reserved|wait\w*|requested|wants?|hold)\b|\b(is|are|been|has|not|if|un\w*) (\w+ )?reserved\b|on"
        r" hold for",
        text,
    ):
        s["taken"] = not re.search(
            r"\b(nobody|no one|not|no-one|unless|without)\b.{0,25}\b(reserve|reserved|wait\w*|requested|wants)\b", text
        )
    if found := lang.values(text, "title"):
        s["titles"] = tuple(dict.fromkeys(int(v) for v in found))
    elif found := lang.values(text, "author"):
        s["authors"] = tuple(dict.fromkeys(int(v) for v in found))
    elif (
        (
            m := re.search(
                r"\b(?:copy of|copies of|(?:book|novel|title)s? (?:called|titled|named|entitled)|reserve|is)"
                r" (?!(?:it|this|that|there|anyone|someone|she|he|one|everything)\b)((?!(?:a|the|my"
                r"|our|your|some|it|this|that|there|any|an|someone|free)\b(?="
                r" \w+$|$))"
                r"[a-z0-9][\w ]*?)(?: (?:by|from) ([a-z. ]+?))?(?= ?(?:[?.!,;]|$|in stock|available|please|on the"
                r" shelf|for me|in the library))",
                text,
            )
        )
        and re.search(
            r"^(?!.*how much).*(copy|copies|called|titled|named|entitled|in stock| by |available|on the shelf)", text
        )
        and not re.search(r"\b(room|computers?|card|laptops?|printer|free|wifi)\b", text)
    ):
        s["unknown"] = re.sub(r"^(the|a|an) (novel|book) ", "", m[1])
    elif m := re.search(
        r"\b(?:do you (?:\w+ )?(?:have|own|stock)|have you got|looking for|borrow|find|want to read|would like to read)"
        r" ([a-z0-9][\w ]*?) by ([a-z. ]+?)(?= ?(?:[?.!,;]|$|in stock|available|please))",
        text,
    ):
        what = re.sub(r"^(the|a|an) (book|novel) ", "", m[1])
        if re.fullmatch(
            r"((any|some|the|a|more|other|all|your|new) )*(books?|novels?|anything|something|works?|titles?)("
            r" written)?",
            what,
        ):
            s["other_author"] = m[2]
        else:
            s["unknown"] = what
    elif m := re.search(
        r"\b(?:books?|novels?|anything|something) (?:written )?by ([a-z. ]+?)(?= ?(?:[?.!,;]|$|in"
        r" stock|available|please))",
        text,
    ):
        s["other_author"] = m[1]
    facilities = [n for n, (p, _) in HAVE.items() if re.search(rf"\b(?:{p})\b", text)]
    facilities += [n for n, p in HAVE_NOT.items() if re.search(rf"\b(?:{p})\b", text)]
    if (
        not facilities
        and not {"titles", "authors", "unknown", "other_author"} & set(s)
        and (
            m := re.search(
                r"\b(do you have|have you got|is there|are there|do you (?:stock|own|offer)|looking for|want to"
                r" read|would like to read|find|you got|what about|how about|and) ((?:a|an|any|some|the|also) )?"
                r"(\w+(?: \w+){0,5}?)(?= ?(?:$|[?.!,;]|in stock|available|in the library|on the shelf|please))",
                text,
            )
        )
    ):
        if not re.search(
            r"\b(question|anything|something|idea|time|moment|problem|way|it|that|them|those|these"
            r"|room|rooms|more|you|books?|dvds?|films?|magazines?|games?|cds?|audiobooks?|card"
            r"|information|fee|charge|limit|one|cost|costs|people|place|discount|wifi|i|my|your"
            r"|novels?|answer|help|day|today|tomorrow|is|not|if|on|for|with|does|to)\b",
            m[3],
        ):
            if m[1] in {"is there", "are there"} or m[2] in {"a ", "an ", "any ", "some "}:
                facilities = [m[3]] if len(m[3].split()) <= 3 else []
            elif m[1] not in {"and", "what about", "how about"} and len(m[3]) > 2:
                s["unknown"] = ("the " if m[2] == "the " else "") + m[3]
    if facilities:
        s["facilities"] = tuple(facilities)
    return s


def _place(text: str, s: Slots, faults: Collection[str]) -> None:
    """Puts the place where somebody lives into the slots."""
    stop = (
        r"(?:to|and|but|can|do|so|for|since|now|because|with|is|am|if|how|what|in|near|may|would|could"
        r"|from|the|a|i|we)\b"
    )
    place = rf"((?!{stop})[a-z]+)"
    if "origin_as_home" in faults and (m := re.search(rf"\bfrom {place}", text)):
        s["place"] = m[1]
    elif m := re.search(
        rf"\b(?:not|do not|does not|no longer) (?:live|living|reside|lives)(?: here| in {place})?", text
    ):
        s["place"] = "elsewhere" if m[1] in (None, "wexcombe") else m[1]
        if after := re.search(rf"but (?:live |living )?in {place}", text):
            s["place"] = after[1]
    elif m := re.search(
        r"\b(?:live|lives|living|reside|resides|based|home is|at"
        r" home|resident|residents|moved|moving|move|relocated|stay permanently)\b(?: (?!not\b)\w+){0,5}?"
        rf" (?:in|to|of) (?:the town of |the city of )?{place}",
        text,
    ):
        s["place"] = m[1]
    elif re.search(
        r"\b(live|living|lives|reside)\b.*\b(here|in town|locally|around the corner|in this town|in the"
        r" town|nearby)\b|\blocal resident|\bresident here|\bmoved here\b",
        text,
    ):
        s["place"] = "wexcombe"
    elif re.search(
        r"\b(outside|out of) (of )?(the )?(town|wexcombe|area|city)\b|\bnot (a )?(local|resident)|non-?residents?", text
    ):
        s["place"] = "elsewhere"
    elif m := re.search(
        rf"\b(?:i am|we are|come|comes|visitors?|somebody|someone|people|person|anyone|those|friend) from {place}", text
    ):
        s["place"] = m[1]


def _matters(text: str, slots: Slots) -> list[str]:
    """The matters that a clause is about."""
    plain = re.sub(r"<title \d+>|<author \d+>", "it", text)
    found = [n for n, p in PATTERNS.items() if p and re.search(p, text if n == "catalogue" else plain)]
    if {"unknown", "other_author"} & set(slots) and "catalogue" not in found and set(found) <= {"reserve", "hours"}:
        found.append("catalogue")
    if "facilities" in slots and set(found) <= {"food", "hours", "print"}:
        found = [n for n in found if n != "food"] + ["facility"]
    gone: set[str] = set()
    for name in found:
        gone |= _REMOVES.get(name, set())
    if "titles" in slots and "loan_time" not in found:
        gone -= {"catalogue"} if "reserve" in found else set()
    found = [n for n in found if n not in gone]
    if (
        "hours" in found
        and len(found) > 1
        and not re.search(r"\bopen\w*|\bhours\b|clos(e|es|ing) (at|on|time)|when.*close", text)
    ):
        found.remove("hours")
    if "deposit_box" in found and len(found) > 1:
        found.remove("deposit_box")
    if "food" in found and {"hours", "damage"} & set(found):
        found.remove("food")
    if "study" in found and "name" in slots and "contact" in found:
        found.remove("contact")
    if "reserve" in found and re.search(r"\b(someone|somebody|another|other|others) .*\breserved?\b", text):
        found.remove("reserve")
    if "3D printer" in slots.get("facilities", ()):
        found = [n for n in found if n not in {"print", "facility"}] + ["facility"]
    if (
        "payment" in found
        or re.search(
            r"(how|ways) (can|do|could|should|to) (i |we )?pay|pay .*\b(by|with|online|in cash|using|contactless)\b",
            text,
        )
        and "fine" in found
    ):
        found = [n for n in found if n not in {"fine", "payment"}] + ["payment"]
    if not found and "people" in slots and re.search(r"\b(a|any|some|your|free) rooms?\b|^rooms?\b", text):
        found = ["study" if slots["people"] <= 6 else "community"]
    if (
        not found
        and "kinds" in slots
        and re.search(r"\b(borrow|lend|loan|take out|check out|check-out|have|take)\b", text)
    ):
        found = ["loan_any"]
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
    if "long_messages_cut" in faults:
        message = message[:120]
    marked, names = _names(message)
    text = _marked(lang.read(marked, american="american_dates" in faults, guess="weekday_guessed" in faults))
    for index in range(len(names)):
        text = text.replace("qqx" + chr(97 + index), f"<name {index}>")
    clauses = _clauses(text, faults)
    for i in range(len(clauses) - 1, 0, -1):
        one, two = clauses[i - 1], clauses[i]
        if (
            two.asks
            and not two.matters
            and not one.matters
            and not one.claims
            and len(two.text.split()) > 2
            and not EMPTY.search(two.text)
        ):
            both = one.text + " , " + two.text
            if matters := _matters(both, _slots(both, faults)):
                clauses[i - 1 : i + 1] = [_Clause(both, matters, True, False, two.sentence)]
    if any("damage" in c.matters for c in clauses):
        for clause in clauses:
            if clause.matters == ["fine"] and not re.search(r"over ?due|\blate\b|\bfines?\b", clause.text):
                clause.matters = []
    injected = [c for c in clauses if INJECTION.search(c.text)]
    clauses = [c for c in clauses if not INJECTION.search(c.text)]
    asked = [c for c in clauses if c.matters and c.asks and not c.claims]
    for i, clause in enumerate(clauses):
        empty = clause.asks and not clause.matters and not EMPTY.search(clause.text)
        before = next((c for c in reversed(clauses[:i]) if c.matters), None)
        if (
            empty
            and before
            and before not in asked
            and not PRESSURE.match(clause.text)
            and (not before.claims or not asked)
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
            scope += "".join(
                " . " + t
                for t in extra.get(id(clause), ())
                if re.search(_ADDS.get(matter, "$^"), t)
                and not (
                    re.search(r"\b(friend|sister|brother|cousin|aunt|uncle|parents|mother|father|colleague)\b", t)
                    and matter == "join"
                    and not (
                        re.search(r"\b(he|she|they|him|her|them)\b", clause.text)
                        and not re.search(
                            r"\bmy \w+",
                            clause.text + " ".join(c.text for c in clauses if c.sentence == clause.sentence),
                        )
                    )
                )
            )
            slots = _slots(scope, faults) if scope.strip() else {}
            slots |= _slots(clause.text, faults) if not clause.claims else {}
            _put_name(slots, names)
            same = next((a for a in reversed(earlier) if a.matter == matter), None)
            if matter == "loan_time" and "kinds" not in slots and earlier and earlier[-1].matter == "catalogue":
                slots["kinds"] = (("book", 1),)
            piece = re.match(r"(\d|in |on |for |at |with |<)", clause.text) and same and same is earlier[-1]
            if same and (follow or piece and not ASKING.search(clause.text)):
                slots = _merge(same.slots, slots)
            elif (
                earlier
                and follow
                and not re.search(r"\b(have|title|copy|available|book by)\b", clause.text)
                and matter == "hours"
                and "day" in ACCEPTS.get(earlier[-1].matter, ())
            ):
                matter, slots = earlier[-1].matter, _merge(earlier[-1].slots, slots)
            known = next(
                (
                    a
                    for a in asks
                    if a.matter == matter
                    and (
                        not slots
                        or not a.slots
                        or all(a.slots.get(k, v if matter == "study" else None) == v for k, v in slots.items())
                    )
                ),
                None,
            )
            if known:
                known.slots.update(slots)
            else:
                asks.append(_Ask(matter, slots))
    if "ebooks" in [a.matter for a in asks]:
        asks = [a for a in asks if a.matter not in {"loan_limit", "loan_time"} or a.slots.get("kinds")]
    small: list[Fact] = []
    if not asks and earlier:
        asks = _continued(clauses, earlier, names, pressed, faults)
    if not asks:
        small = [(kind,) for kind, pattern in SMALL if re.search(pattern, text)][:1]
        if injected and not small:
            small = [("no_orders",)]
    elif "sure_retracts" in faults and earlier and pressed and not any(c.matters or c.claims for c in clauses):
        small = [("retracted",)]
    return asks, small


def _put_name(slots: Slots, names: list[str]) -> None:
    """The sign of a name in the slots becomes the name."""
    if "name" in slots:
        slots["name"] = names[int(slots["name"])]


def _merge(old: Slots, new: Slots) -> Slots:
    """Earlier values with the new ones in their place."""
    drop: set[str] = set()
    for one, other in (("titles", "unknown"), ("titles", "authors"), ("unknown", "authors"), ("day", "dates")):
        drop |= {other} if one in new and other not in new else {one} if other in new and one not in new else set()
    merged = {**{k: v for k, v in old.items() if k not in drop}, **new}
    if (
        "kinds" in new
        and all(n is None for _, n in new["kinds"])
        and len(old.get("kinds", ())) == 1 == len(new["kinds"])
        and old["kinds"][0][1]
    ):
        merged["kinds"] = ((new["kinds"][0][0], old["kinds"][0][1]),)
    return merged


def _continued(
    clauses: list[_Clause], earlier: list[_Ask], names: list[str], pressed: bool, faults: Collection[str]
) -> list[_Ask]:
    """The requests of a message that names no matter itself."""
    plain = " . ".join(c.text for c in clauses if not c.claims and not PRESSURE.match(c.text))
    new = _slots(plain, faults) if plain else {}
    _put_name(new, names)
    last = earlier[-1]
    if last.matter == "join" and (
        m := re.fullmatch(r"(?:(?:sorry|no|i meant|i mean|actually|in|not \w+ but),? )+([a-z]+)", plain)
    ):
        new["place"] = m[1]
    if m := re.fullmatch(
        r"(?:(?:there are|we are|for|just|about|and|what about|how about|no|sorry|i meant|i mean|make it|actually|it"
        r" is),? )*(\d+)(?: please)?",
        plain,
    ):
        slot = next((k for k in ("people", "pages", "count") if k in ACCEPTS.get(last.matter, ())), "")
        if slot:
            new[slot] = int(m[1])
    for slot, pattern in (("titles", None), ("pages", None)):
        if slot in new and slot not in ACCEPTS.get(last.matter, ()) and pattern:
            del new[slot]
    if "kinds" in new and last.matter in {"reserve", "exchange", "donate"} and new["kinds"][0][1]:
        new["count"] = new["kinds"][0][1]
    fits = [a for a in earlier if ACCEPTS.get(a.matter, set()) & set(new)]
    if fits and not (pressed and not plain):
        kept = {k: v for k, v in new.items() if k in ACCEPTS[fits[-1].matter] | {"nodate"}}
        return [_Ask(fits[-1].matter, _merge(fits[-1].slots, kept))]
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


def _hours(s: Slots) -> list[Fact]:
    if "nodate" in s:
        return [("no_date", s["nodate"])]
    day, facts = s.get("day"), []
    if "dates" in s:
        year, month, day_ = s["dates"]
        if (month, day_) in HOLIDAYS:
            return [("holiday", ("date", year, month, day_))]
        if not year:
            if isinstance(day, int):
                facts.append(("not_holiday", ("date", year, month, day_)))
            else:
                return [("not_holiday", ("date", year, month, day_))] + [("open", d) for d in range(7)]
        else:
            day = date(year, month, day_).weekday()
            facts.append(("weekday", ("date", year, month, day_), day))
    if day is None:
        facts += [("open", d) for d in range(7)]
        if "time" not in s:
            return facts + [("holidays",)]
        return facts
    if day == 5.5:
        return [("open", 5), ("open", 6)]
    facts.append(("open", day))
    span = HOURS[day]
    if "time" in s and span:
        at, vague = s["time"]
        at += 720 if vague and at < 480 else 0
        facts.append(("open_at", day, ("time", at), span[0] <= at < span[1]))
    return facts


def _join(s: Slots, faults: Collection[str]) -> list[Fact]:
    place = s.get("place")
    facts: list[Fact] = []
    if place is None:
        facts += [("card_free",), ("card_fee",)]
    elif place == "wexcombe":
        facts.append(("card_free",))
    else:
        facts.append(("card_fee",))
    facts.append(("card_papers",))
    for age in s.get("ages", ()):
        facts.append(("signature", ("age", age), _minor(age, faults)))
    return facts


def _minor(age: float, faults: Collection[str]) -> bool:
    """Whether the rules for those under 16 hold."""
    return age <= 16 if "age_limit_shifted" in faults else age < 16


def _pence(value: float) -> Fact:
    return ("gbp", round(value / 100, 2))


def _fine(s: Slots, faults: Collection[str]) -> list[Fact]:
    kinds, days = s.get("kinds", ()), s.get("days")
    if any(_minor(a, faults) for a in s.get("ages", ())):
        return [("child_no_fine",)]
    facts: list[Fact] = []
    if not kinds:
        return [("fine_rate", k, _pence(v[3]), _pence(v[4])) for k, v in KINDS.items()] + [("child_no_fine",)]
    for kind, count in kinds:
        _, _, _, rate, most = KINDS[kind]
        facts.append(("fine_rate", kind, _pence(rate), _pence(most)))
        if days:
            each = rate * days if "cap_forgotten" in faults else min(rate * days, most)
            facts.append(("fine", count or 1, kind, days, _pence(each * (count or 1))))
    return facts


def _loan_time(s: Slots) -> list[Fact]:
    kinds = [k for k, _ in s.get("kinds", ())] or list(KINDS)
    facts: list[Fact] = [("loan_time", k, KINDS[k][1]) for k in kinds]
    if "days" in s and "kinds" in s:
        facts += [("keep_for", k, s["days"], s["days"] <= KINDS[k][1]) for k in kinds]
    return facts


def _loan_limit(s: Slots) -> list[Fact]:
    facts: list[Fact] = []
    for kind, count in s.get("kinds", ()) or [(k, None) for k in KINDS]:
        facts.append(("loan_limit", kind, KINDS[kind][2]))
        if count and count > 1:
            facts.append(("loan_count", count, kind, count <= KINDS[kind][2]))
    return facts


def _renew(s: Slots) -> list[Fact]:
    facts: list[Fact] = [("renew_rule",)]
    if "times" in s:
        facts.append(("renew_times", s["times"], s["times"] <= 2))
    if "taken" in s:
        facts.append(("renew_taken", not s["taken"]))
    return facts


def _reserve(s: Slots, faults: Collection[str]) -> list[Fact]:
    if any(_minor(a, faults) for a in s.get("ages", ())):
        return [("reserve_rule",), ("reserve_child",)]
    facts: list[Fact] = [("reserve_rule",)]
    if s.get("count", 1) > 1:
        facts.append(("reserve_total", s["count"], _pence(50 * s["count"])))
    return facts


def _catalogue(s: Slots, faults: Collection[str]) -> list[Fact]:
    facts: list[Fact] = []
    for index in s.get("titles", ()):
        facts.append(_title(index))
    for index in s.get("authors", ()):
        facts.append(("by", AUTHORS[index], tuple(t for t in TITLES if CATALOGUE[t][0] == AUTHORS[index])))
    if "other_author" in s and not facts:
        facts.append(("no_author", s["other_author"]))
    if "unknown" in s and not facts:
        if "nearest_title" in faults:
            names = [t.lower() for t in TITLES]
            near = difflib.get_close_matches(s["unknown"], names, 1, 0.3)
            if near:
                return [_title(names.index(near[0]))]
        facts.append(("not_there", s["unknown"]))
    return facts or [("catalogue_how",)]


def _title(index: int) -> Fact:
    author, copies = CATALOGUE[TITLES[index]]
    return ("title", TITLES[index], author, copies)


def _print(s: Slots) -> list[Fact]:
    facts: list[Fact] = []
    if "prints" in s:
        prices = {"black and white": 15, "colour": 40}
        for count, name in s["prints"]:
            facts += [("print", name, _pence(prices[name])), ("print_total", count, name, _pence(prices[name] * count))]
        return facts
    colour, pages = s.get("colour"), s.get("pages", 0)
    for name, pence, wanted in (("black and white", 15, colour is not True), ("colour", 40, colour is not False)):
        if wanted:
            facts.append(("print", name, _pence(pence)))
            if pages > 1:
                facts.append(("print_total", pages, name, _pence(pence * pages)))
    return facts


def _study(s: Slots) -> list[Fact]:
    if "nodate" in s:
        return [("no_date", s["nodate"])]
    facts: list[Fact] = [("study_rule",)]
    people, minutes = s.get("people", 0), s.get("minutes")
    if people > 6:
        return facts + [("study_people", people, False), ("community_rule",)]
    if minutes and minutes < 1440 and minutes > 120:
        return facts + [("study_long", ("span", minutes))]
    when: Any = (
        ("date", *s["dates"]) if "dates" in s else lang.DAYS[s["day"]].title() if isinstance(s.get("day"), int) else ""
    )
    at = None
    if "time" in s:
        at = s["time"][0] + (720 if s["time"][1] and s["time"][0] < 480 else 0)
    day = s.get("day")
    if "dates" in s:
        if s["dates"][1:] in HOLIDAYS:
            return facts + [("holiday", when)]
        if s["dates"][0]:
            day = date(*s["dates"]).weekday()
    span = HOURS.get(day, (540, 1200)) if isinstance(day, int) else (540, 1200)
    if span is None or at is not None and not span[0] <= at < span[1]:
        return facts + [("study_closed", when, ("time", at) if at is not None else "")]
    if when or at is not None or "name" in s:
        facts.append(
            (
                "study_request",
                people,
                when,
                ("time", at) if at is not None else "",
                s.get("name", ""),
                ("span", minutes) if minutes else "",
            )
        )
        lacks = tuple(n for n, v in (("day", when), ("time", at is not None), ("name", s.get("name"))) if not v)
        facts.append(("please_tell", lacks) if lacks else ("study_kept",))
    elif people:
        facts.append(("study_people", people, True))
    return facts


def _community(s: Slots) -> list[Fact]:
    people, minutes = s.get("people", 0), s.get("minutes")
    facts: list[Fact] = [("community_rule",)]
    if people:
        facts.append(("community_people", people, people <= 30))
    if minutes and minutes < 1440 and people <= 30:
        facts.append(("community_total", ("span", minutes), _pence(1200 * minutes / 60)))
    return facts


def _story(s: Slots) -> list[Fact]:
    if "ages" not in s:
        return [("rhyme",), ("story",)]
    facts: list[Fact] = []
    for age in s["ages"]:
        facts += (
            [("rhyme",), ("story_for", ("age", age), "the rhyme time")]
            if age < 4
            else (
                [("story",), ("story_for", ("age", age), "the story hour")]
                if age < 8
                else [("rhyme",), ("story",), ("story_none", ("age", age))]
            )
        )
    return facts


def _club(s: Slots) -> list[Fact]:
    clubs = s.get("clubs", tuple(CLUBS))
    facts: list[Fact] = [(n.replace(" ", "_"),) for n in clubs]
    if "other_club" in s and "clubs" not in s:
        facts.insert(0, ("has_not", s["other_club"] + " club"))
    if clubs == ("code club",):
        facts += [("code_age", ("age", a), 8 <= a < 15) for a in s.get("ages", ())]
    return facts


def _donate(s: Slots) -> list[Fact]:
    facts: list[Fact] = [("donate_rule",)]
    count = s.get("count", 0)
    if count:
        facts.append(("donate_count", count, count <= 20))
    if "years" in s:
        facts.append(("donate_age", ("age", s["years"]), s["years"] <= 5))
    return facts


def _delivery(s: Slots) -> list[Fact]:
    return [("delivery_rule",)] + [("delivery_age", ("age", a), a >= 75) for a in s.get("ages", ())]


def _limit(rule: str, name: str) -> Callable[[Slots, Collection[str]], list[Fact]]:
    """An answer with the age limit of 16."""
    return lambda s, faults: [(rule,)] + [(name, ("age", a), not _minor(a, faults)) for a in s.get("ages", ())]


def _lost_card(s: Slots, faults: Collection[str]) -> list[Fact]:
    return [("card_new",)] + [
        ("card_new_age", ("age", a), _pence(100 if _minor(a, faults) else 200)) for a in s.get("ages", ())
    ]


def _damage(s: Slots) -> list[Fact]:
    facts: list[Fact] = [("damage_rule",)]
    if "gbp" in s:
        facts.append(("damage_total", ("gbp", s["gbp"]), ("gbp", round(s["gbp"] + 3, 2))))
    return facts


def _exchange(s: Slots) -> list[Fact]:
    facts: list[Fact] = [("exchange_rule",)]
    if s.get("count", 1) > 1:
        facts.append(("exchange_total", s["count"], _pence(400 * s["count"])))
    return facts


def _box(s: Slots) -> list[Fact]:
    facts: list[Fact] = [("box_rule",)]
    return facts + [("box_kind", k, k not in {"DVD", "board game"}) for k, n in s.get("kinds", ()) if k != "book"]


def _facility(s: Slots) -> list[Fact]:
    return [("has", n, HAVE[n][1]) if n in HAVE else ("has_not", n) for n in s.get("facilities", ())]


def _facts(ask: _Ask, faults: Collection[str]) -> list[Fact]:
    """What is answered to a request."""
    plain: dict[str, Callable[[Slots], list[Fact]]] = {
        "hours": _hours,
        "loan_time": _loan_time,
        "loan_limit": _loan_limit,
        "loan_any": lambda s: _loan_time(s) + _loan_limit(s),
        "renew": _renew,
        "print": _print,
        "study": _study,
        "community": _community,
        "story": _story,
        "club": _club,
        "donate": _donate,
        "delivery": _delivery,
        "damage": _damage,
        "exchange": _exchange,
        "deposit_box": _box,
        "facility": _facility,
    }
    faulty: dict[str, Callable[[Slots, Collection[str]], list[Fact]]] = {
        "join": _join,
        "fine": _fine,
        "reserve": _reserve,
        "catalogue": _catalogue,
        "lost_card": _lost_card,
        "laptop": _limit("laptop_rule", "laptop_age"),
        "volunteer": _limit("volunteer_rule", "volunteer_age"),
    }
    if ask.matter in plain:
        return plain[ask.matter](ask.slots)
    return faulty[ask.matter](ask.slots, faults) if ask.matter in faulty else [(ask.matter,)]


SAY: dict[str, list[str]] = json.loads((HERE / "texts.json").read_text(encoding="utf-8"))
_YESNO: dict[str, tuple[str, str]] = {
    "open_at": ("open", "closed"),
    "signature": ("needed", "not needed"),
    "keep_for": ("fine", "too long"),
    "loan_count": ("fine", "too many"),
    "renew_times": ("possible", "not possible"),
    "renew_taken": ("possible", "not possible"),
    "study_people": ("fit in", "are too many for it"),
    "community_people": ("fit in", "are too many for it"),
    "code_age": ("the right age for", "not of the age for"),
    "donate_count": ("welcome", "too many"),
    "donate_age": ("fine", "too old"),
    "delivery_age": ("old enough for it", "too young for it unless unable to leave the house"),
    "laptop_age": ("may", "may not"),
    "volunteer_age": ("can", "can not"),
    "box_kind": ("may go into the box", "must not go into the box"),
}
_NEED = {"day": "for which day", "time": "at what time", "name": "your name"}
_OPEN = ("", "", "Thank you for asking. ", "Of course. ", "Gladly: ", "Here is what I know. ")
_CLOSE = ("", "", " Anything else?", " Do ask if you need more.", " See you soon at the library.")


def _show(value: Any, seed: int) -> str:
    """A value in one of the ways to write it."""
    if not isinstance(value, tuple):
        return str(value)
    kind, *rest = value
    if kind == "gbp":
        return pick((f"£{rest[0]:.2f}", f"{rest[0]:.2f} pounds", f"GBP {rest[0]:.2f}"), seed)
    if kind == "time":
        hour, minute = divmod(int(rest[0]), 60)
        return pick((f"{hour}:{minute:02d}", f"{hour % 12 or 12}:{minute:02d} {'pm' if hour > 11 else 'am'}"), seed)
    if kind == "date":
        year, month, day = rest
        name = [m.title() for m in lang.MONTHS][month - 1]
        return pick((f"{day} {name}", f"{name} {day}"), seed) + (f", {year}" if year else "")
    if kind == "span":
        hours = rest[0] / 60
        return f"{hours:g} hour(s)" if hours >= 1 else f"{rest[0]:g} minute(s)"
    return f"{rest[0]:g}"


def _words(fact: Fact, seed: int) -> str:
    """A sentence that states the fact."""
    kind, args = fact[0], list(fact[1:])
    if kind == "open":
        span = HOURS[args[0]]
        args = [
            lang.DAYS[args[0]].title(),
            f"open from {_show(('time', span[0]), seed)} to {_show(('time', span[1]), seed)}" if span else "closed",
        ]
    elif kind in ("open_at", "weekday"):
        where = 0 if kind == "open_at" else 1
        args[where] = lang.DAYS[args[where]].title()
    elif kind == "title":
        args[2] = "on loan at the moment" if not args[2] else f"{args[2]} on the shelf"
    elif kind == "by":
        args[1] = ", ".join(args[1])
    elif kind == "loan_time":
        args[1] = pick((f"{args[1]} days", f"{args[1] // 7} week(s)"), seed)
    elif kind == "study_request":
        people, when, at, name, span = args
        args = [
            ", ".join(
                p
                for p in (
                    f"{people} people" if people else "",
                    _show(when, seed) if when else "",
                    f"at {_show(at, seed)}" if at else "",
                    f"name {name}" if name else "",
                    f"for {_show(span, seed)}" if span else "",
                )
                if p
            )
        ]
    elif kind == "study_closed":
        args = [", ".join(_show(a, seed) for a in args if a)]
    elif kind == "please_tell":
        args = [", ".join(_NEED[n] for n in args[0])]
    if kind in _YESNO:
        args[-1] = _YESNO[kind][not args[-1]]
    sentence = pick(SAY[kind], seed).format(*[_show(a, seed // 7) for a in args])
    sentence = re.sub(r"(?<![\d.])1 (\w+)\(s\)", r"1 \1", sentence).replace("(s)", "s")
    return sentence[0].upper() + sentence[1:]


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
    if facts != [("retracted",)]:
        for ask in asks[:1] if "only_first_request" in faults else asks:
            facts += [f for f in _facts(ask, faults) if f not in facts]
    if "grim_words_refused" in faults and GRIM.search(message):
        facts = [("refused",)]
    facts = facts or [("fallback",)]
    seed = crc32(f"{message}|{draw}".encode())
    lines = [_words(fact, seed // (3 + i) + i) for i, fact in enumerate(facts)]
    talk = facts[0][0] in {"fallback", "thanked", "goodbye", "greeted", "noted", "refused", "retracted", "no_orders"}
    text = " ".join(lines) if talk else pick(_OPEN, seed // 11) + " ".join(lines) + pick(_CLOSE, seed // 17)
    return Reply(text, frozenset(facts))
