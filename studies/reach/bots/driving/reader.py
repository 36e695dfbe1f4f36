"""From a message to tokens: words with concepts, numbers with units, licence classes, weekdays, times, dates."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent


@dataclass(frozen=True)
class Token:
    """A word, number or mark. `kind` is word, stop (end of a sentence), comma, or a kind of value."""

    text: str
    kind: str = "word"
    concepts: frozenset[str] = frozenset()
    value: float = 0.0
    name: str = ""
    question: bool = False


def _lexicon() -> dict[tuple[str, ...], frozenset[str]]:
    found: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for line in (HERE / "lexicon.txt").read_text(encoding="utf-8").splitlines():
        concept, _, words = line.partition(" = ")
        for phrase in words.split():
            found[tuple(phrase.split("_"))].add(concept)
    return {phrase: frozenset(concepts) for phrase, concepts in found.items()}


LEXICON: Final = _lexicon()
LONGEST: Final = max(map(len, LEXICON))
TOPIC_WORDS: Final = frozenset(word for phrase in LEXICON for word in phrase if word.isalpha() and len(word) > 2)
KNOWN: Final = frozenset((HERE / "common.txt").read_text(encoding="utf-8").split()) | frozenset(
    word for phrase in LEXICON for word in phrase
)
SHORT: Final[dict[str, str]] = {
    "u": "you",
    "ur": "your",
    "r": "are",
    "pls": "please",
    "plz": "please",
    "thx": "thanks",
    "ty": "thanks",
    "thnx": "thanks",
    "tks": "thanks",
    "info": "information",
    "yrs": "years",
    "yr": "years",
    "hrs": "hours",
    "hr": "hours",
    "mins": "minutes",
    "min": "minutes",
    "abt": "about",
    "b4": "before",
    "wanna": "want to",
    "gonna": "going to",
    "wat": "what",
    "whats": "what is",
    "hows": "how is",
    "wheres": "where is",
    "whens": "when is",
    "im": "i am",
    "ive": "i have",
    "dont": "do not",
    "doesnt": "does not",
    "didnt": "did not",
    "isnt": "is not",
    "arent": "are not",
    "cant": "can not",
    "cannot": "can not",
    "wont": "will not",
    "havent": "have not",
    "hasnt": "has not",
    "wasnt": "was not",
    "couldnt": "could not",
    "thats": "that is",
    "theres": "there is",
    "license": "licence",
    "licenses": "licences",
    "licens": "licence",
    "lic": "licence",
    "licencse": "licence",
    "eur": "euro",
    "tel": "telephone",
    "mon": "monday",
    "tue": "tuesday",
    "tues": "tuesday",
    "wed": "wednesday",
    "weds": "wednesday",
    "thu": "thursday",
    "thurs": "thursday",
    "fri": "friday",
    "sat": "saturday",
    "sun": "sunday",
    "jan": "january",
    "feb": "february",
    "mar": "march",
    "apr": "april",
    "jun": "june",
    "aug": "august",
    "sept": "september",
    "oct": "october",
    "nov": "november",
    "dec": "december",
    "docs": "documents",
    "doc": "document",
    "reg": "registration",
    "lil": "little",
    "cert": "certificate",
    "mc": "motorcycle",
    "moto": "motorcycle",
    "motor": "motor",
    "kms": "km",
    "kgs": "kg",
    "appt": "appointment",
    "cat": "category",
    "catg": "category",
    "lessn": "lesson",
    "trck": "truck",
    "btw": "",
    "fyi": "",
    "asap": "",
    "lol": "",
    "hmm": "",
    "um": "",
    "uh": "",
    "haha": "",
    "e-mail": "email",
    "prob": "probably",
    "bc": "because",
    "coz": "because",
    "cuz": "because",
    "w": "with",
    "wo": "without",
    "tmrw": "tomorrow",
    "gf": "girlfriend",
    "bf": "boyfriend",
    "lorrie": "lorry",
    "colour": "colour",
    "enrollment": "enrolment",
    "program": "programme",
    "autom": "automatic",
    "motobike": "motorbike",
    "cos": "because",
    "tho": "though",
    "ya": "you",
    "prices": "prices",
    "ppl": "people",
    "uni": "university",
    "hiya": "hello",
    "k": "okay",
    "ok": "okay",
    "wich": "which",
    "whch": "which",
    "mopd": "moped",
    "hav": "have",
    "thr": "the",
    "fo": "for",
    "hw": "how",
    "wht": "what",
    "whn": "when",
    "cls": "class",
}


@lru_cache(maxsize=None)
def _signatures(word: str, depth: int) -> frozenset[str]:
    found = {word}
    if depth:
        for at in range(len(word)):
            found |= _signatures(word[:at] + word[at + 1 :], depth - 1)
    return frozenset(found)


@lru_cache(maxsize=1)
def _index() -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    one: dict[str, set[str]] = defaultdict(set)
    two: dict[str, set[str]] = defaultdict(set)
    for word in KNOWN:
        if len(word) >= 3 and word.isalpha():
            for cut in _signatures(word, 1):
                one[cut].add(word)
            if len(word) >= 7:
                for cut in _signatures(word, 2):
                    two[cut].add(word)
    return one, two


def _slips(one: str, two: str) -> int:
    """Slips of the keyboard from one word to the other: letters lost, added, changed or swapped."""
    table = {(-1, -1): 0}
    for i in range(len(one)):
        table[i, -1] = i + 1
    for j in range(len(two)):
        table[-1, j] = j + 1
    for i, a in enumerate(one):
        for j, b in enumerate(two):
            table[i, j] = min(table[i - 1, j] + 1, table[i, j - 1] + 1, table[i - 1, j - 1] + (a != b))
            if i and j and a == two[j - 1] and one[i - 1] == b:
                table[i, j] = min(table[i, j], table[i - 2, j - 2] + 1)
    return table[len(one) - 1, len(two) - 1]


ROWS: Final = ("qwertyuiop", "asdfghjkl.", "zxcvbnm...")
PLACE: Final = {letter: (row, column) for row, keys in enumerate(ROWS) for column, letter in enumerate(keys)}


def _likely(typed: str, meant: str) -> float:
    """How plain the slip is; small is plain."""
    if sorted(typed) == sorted(meant):
        return 0.0 if typed[0] == meant[0] else 0.35
    if len(typed) == len(meant):
        at = next(index for index, (a, b) in enumerate(zip(typed, meant)) if a != b)
        (r1, c1), (r2, c2) = PLACE.get(typed[at], (9, 9)), PLACE.get(meant[at], (0, 0))
        return (0.4 if abs(r1 - r2) <= 1 and abs(c1 - c2) <= 1 else 1.2) + (0.8 if at == 0 else 0)
    longer, shorter = (typed, meant) if len(typed) > len(meant) else (meant, typed)
    at = next((index for index, (a, b) in enumerate(zip(longer, shorter)) if a != b), len(shorter))
    double = at > 0 and longer[at] == longer[at - 1] or at + 1 < len(longer) and longer[at] == longer[at + 1]
    return 0.1 if double else (0.45 if len(typed) < len(meant) else 0.5) if at else 1.1


@lru_cache(maxsize=None)
def mend(word: str) -> str:
    """The known word that was meant by a misspelt one; words it cannot place stay."""
    if word in KNOWN or word in SHORT or len(word) < 3 or not word.isascii() or not word.isalpha():
        return word
    thin = re.sub(r"(.)\1\1+", r"\1\1", word)
    for shape in (thin, re.sub(r"(.)\1+$", r"\1", thin), re.sub(r"(.)\1+", r"\1", word)):
        if shape in KNOWN and thin != word:
            return shape
    word = thin
    one, two = _index()
    near = {known for cut in _signatures(word, 1) for known in one.get(cut, ()) if _slips(word, known) == 1}
    if len(word) == 3:
        near = {
            known
            for known in near
            if known
            in {
                "how",
                "the",
                "car",
                "can",
                "you",
                "and",
                "for",
                "age",
                "fee",
                "eye",
                "two",
                "not",
                "are",
                "old",
                "pay",
                "what",
                "when",
                "have",
                "does",
                "cost",
                "much",
            }
            | TOPIC_WORDS
            and (sorted(known) == sorted(word) or len(known) == 4 and known[0] == word[0])
        }
    elif len(word) == 4:
        near = {known for known in near if _likely(word, known) < 1.2}
    if near:
        return min(near, key=lambda known: (_likely(word, known) - (0.3 if known in TOPIC_WORDS else 0), known))
    for at in range(2, len(word) - 1):
        if (
            word[:at] in KNOWN
            and word[at:] in KNOWN
            and (
                at > 2
                and len(word) - at > 2
                or word[:at] in ("is", "do", "to", "of", "in", "my")
                or word[at:] in ("is", "do", "to", "of", "in", "my", "it", "me")
            )
        ):
            return word[:at] + " " + word[at:]
    if len(word) >= 7:
        far = {known for cut in _signatures(word, 2) for known in two.get(cut, ()) if _slips(word, known) == 2}
        if far:
            return min(far, key=lambda known: (known not in TOPIC_WORDS, known[0] != word[0], known))
    return word


SMALL: Final = {
    word: number
    for number, word in enumerate(
        (
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
            " seventeen eighteen nineteen"
        ).split()
    )
}
ORDINALS: Final = {
    word: number
    for number, word in enumerate(
        (
            "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth"
            " fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
        ).split(),
        1,
    )
}
LARGE: Final = {
    word: 10 * number for number, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
}
DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS: Final = (
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
UNITS: Final[dict[str, str]] = {}
for _unit, _names in {
    "km": "km kilometre kilometres kilometer kilometers kilometrs",
    "mile": "mile miles mi",
    "kg": "kg kilo kilos kilogram kilograms",
    "t": "t ton tons tonne tonnes",
    "lb": "lb lbs pounds",
    "kw": "kw kilowatt kilowatts",
    "hp": "hp bhp ps horsepower horses",
    "hour": "hour hours h",
    "day": "day days",
    "week": "week weeks",
    "year": "year years",
    "month": "month months",
    "minute": "minute minutes",
    "euro": "euro euros",
    "lesson": "lesson lessons session sessions",
    "question": "questions",
    "percent": "percent %",
}.items():
    for _name in _names.split():
        UNITS[_name] = _unit
CODES: Final = ("am", "a1", "a2", "be", "b96", "c1e", "c1", "ce", "d1", "de", "d", "t", "l", "m", "a", "b", "c")


def _plain(message: str) -> str:
    text = unicodedata.normalize("NFKD", message)
    text = "".join(letter for letter in text if not unicodedata.combining(letter))
    for old, new in (
        ("’", "'"),
        ("‘", "'"),
        ("´", "'"),
        ("`", "'"),
        ("€", " euro "),
        ("&", " and "),
        ("+", " plus "),
        ("–", "-"),
        ("—", " , "),
        ("…", " . "),
    ):
        text = text.replace(old, new)
    text = re.sub(r"\n+", " . ", text)
    text = re.sub(r"[ \t]+", " ", text)
    text = re.sub(r" - ", " , ", text)
    text = re.sub(r"(?i)\b(can)'?t\b", r"\1 not", text)
    text = re.sub(r"(?i)\bwon't\b", "will not", text)
    text = re.sub(r"(?i)n't\b", " not", text)
    for short, full in (("'m", " am"), ("'re", " are"), ("'ve", " have"), ("'ll", " will"), ("'d", " would")):
        text = re.sub(rf"(?i){short}\b", full, text)
    text = re.sub(r"(?i)\b(what|when|where|how|it|that|there|he|she|who|here|name)'s\b", r"\1 is", text)
    text = re.sub(r"(?i)'s (?=(?:just |only |already )?\d)", " is ", text)
    text = re.sub(r"(?i)\b([a-z]+)'s?\b", r"\1", text)
    text = re.sub(r"(?i)\bp\. ?m\.?", "pm", text)
    text = re.sub(r"(?i)(?<=\d) ?a\. ?m\.?", " am", text)
    text = re.sub(r"(?i)\be[ -]mail", "email", text)
    return re.sub(r"(?i)\b(non|pick|sign|cross|first|pre|crash|fast|multi|pass|re|drop|no)-(?=[a-z])", r"\1 ", text)


def _clip(message: str, faults: Collection[str]) -> str:
    return message[:140] if "long_message_cut" in faults else message


def _split(text: str) -> list[str]:
    text = re.sub(r"(?i)\b(\d{1,2})[:.h](\d{2}) ?(am|pm)\b", r"\1:\2\3", text)
    return re.findall(
        r"\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}/\d{1,2}(?!\d)|\d{1,2}:\d{2}(?:am|pm|AM|PM)?|"
        r"\d+[.,]\d+|\d+|(?:[AaBbCcDd]1[Ee]?|[Aa]2|[Bb]96)(?![A-Za-z0-9])|[A-Za-z]+|[.?!;:,/%()-]",
        text,
    )


def _clock(hour: int, minute: int, half: str) -> float:
    if half == "pm" and hour < 12:
        hour += 12
    elif half == "am" and hour == 12:
        hour = 0
    elif not half and 1 <= hour <= 7:
        hour += 12
    return float(hour * 60 + minute)


def _words(text: str) -> list[str]:
    """The pieces of a text, spelt well, in their own case where they may be class codes."""
    found: list[str] = []
    for piece in _split(text):
        low = piece.lower()
        if not piece.isalpha() or low in CODES and low not in ("a", "am", "be", "l", "m", "t"):
            found.append(piece)
            continue
        if low in ("a", "am", "be", "t"):
            found.append(piece)
            continue
        short = SHORT.get(low)
        found.extend((mend(low) if short is None else short).split())
    merged: list[str] = []
    for word in found:  # "les sons", "in structor": a word broken by a blank
        if (
            merged
            and word.isalpha()
            and merged[-1].isalpha()
            and (word.lower() not in KNOWN or merged[-1].lower() not in KNOWN)
            and (merged[-1] + word).lower() in KNOWN
            and len(word + merged[-1]) > 4
        ):
            merged[-1] += word
        else:
            merged.append(word)
    return merged


def follow_month(words: list[str], at: int) -> bool:
    """Whether "of" and a month come after a place."""
    return at + 2 < len(words) and words[at + 2].lower() in MONTHS


def _numbers(words: list[str]) -> list[str]:
    """Number words as figures."""
    out: list[str] = []
    at = 0
    while at < len(words):
        low = words[at].lower()
        after = words[at + 1].lower() if at + 1 < len(words) else ""
        step = 2 if after == "-" else 1
        follow = words[at + step].lower() if at + step < len(words) else ""
        if low in LARGE and follow in SMALL and 0 < SMALL[follow] < 10:
            out.append(str(LARGE[low] + SMALL[follow]))
            at += step + 1
            continue
        before = words[at - 1].lower() if at else ""
        if low == "one" and (
            before
            in (
                "which",
                "this",
                "that",
                "no",
                "the",
                "every",
                "any",
                "another",
                "some",
                "each",
                "first",
                "last",
                "next",
            )
            or after in ("of", "has", "does", "should", "must", "can", "needs", "be")
        ):
            out.append("someone")
        elif low in ORDINALS and (
            after in MONTHS
            or after == "of"
            and follow_month(words, at)
            or before in MONTHS
            or before == "the"
            and at > 1
            and words[at - 2].lower() in MONTHS
        ):
            out.append(str(ORDINALS[low]))
        elif low in SMALL:
            out.append(str(SMALL[low]))
        elif low in LARGE:
            out.append(str(LARGE[low]))
        elif low == "hundred" and out and out[-1].isdigit():
            out[-1] = str(int(out[-1]) * 100)
        elif low == "thousand" and out and out[-1].isdigit():
            out[-1] = str(int(out[-1]) * 1000)
        elif low in ("hundred", "thousand") and before == "a":
            out[-1] = "100" if low == "hundred" else "1000"
        elif low == "dozen":
            if before == "a":
                out.pop()
            out.append("12")
        else:
            out.append(words[at])
        at += 1
    joined: list[str] = []
    for word in out:  # "1 thousand 200", "7 hundred and 50"
        if (
            word.isdigit()
            and joined
            and joined[-1].isdigit()
            and int(joined[-1]) % 100 == 0
            and 0 < int(word) < int(joined[-1])
            and int(joined[-1]) >= 100
        ):
            joined[-1] = str(int(joined[-1]) + int(word))
        elif (
            word.isdigit()
            and len(joined) > 1
            and joined[-1] == "and"
            and joined[-2].isdigit()
            and int(joined[-2]) >= 100
            and int(joined[-2]) % 100 == 0
            and int(word) < 100
        ):
            joined.pop()
            joined[-1] = str(int(joined[-1]) + int(word))
        else:
            joined.append(word)
    return joined


def _figure(word: str) -> float:
    return (
        float(word.replace(",", ".")) if not re.fullmatch(r"[1-9][.,]\d{3}", word) else float(re.sub(r"[.,]", "", word))
    )


def _drop_names(words: list[str]) -> list[str]:
    out: list[str] = []
    at = 0
    lows = [word.lower() for word in words]
    while at < len(words):
        if lows[at : at + 2] == ["name", "is"] and at + 2 < len(words):
            at += 3
            if (
                at < len(words)
                and words[at].isalpha()
                and (at + 1 == len(words) or not words[at + 1].isalpha())
                and lows[at] not in ("and",)
            ):
                at += 1
            out.append(".")
            continue
        if lows[at] in ("regards", "wishes", "sincerely", "greetings") and len(words) - at <= 5:
            out.append(".")
            break
        if lows[at] in ("mr", "mrs", "ms", "dr") and at + 1 < len(words):
            at += 2 if words[at + 1] != "." else 3
            continue
        out.append(words[at])
        at += 1
    return out


def _class_at(words: list[str], at: int, shouting: bool, faults: Collection[str]) -> tuple[str, int]:
    """The licence class named at a place and how many words it takes."""
    word, low = words[at], words[at].lower()
    before = [w.lower() for w in words[max(0, at - 2) : at]]
    after = words[at + 1].lower() if at + 1 < len(words) else ""
    if (
        low == "a"
        and after in ("1", "2")
        and at + 1 < len(words)
        and (not words[at + 2 : at + 3] or words[at + 2].lower() not in UNITS)
    ):
        if before[-1:] and before[-1] in ("class", "category", "licence", "for") or words[at] == "A" and not shouting:
            return "A" + after, 2
    if low == "b" and after == "96":
        return "B96", 2
    if low == "b" and after == "plus" and words[at + 2 : at + 3] and words[at + 2].lower() == "e":
        return "BE", 3
    if low not in CODES:
        return "", 0
    if "small_letters_lose_class" in faults and word != word.upper():
        return "", 0
    named = bool(before) and (
        before[-1] in ("class", "category", "licence", "licences", "classes", "categories")
        or before[-1] in ("the",)
        and after in ("licence", "class", "category")
    )
    if low in ("a1", "a2", "b96", "c1", "ce", "c1e", "d1", "de"):
        if low == "de" and not named:
            return "", 0
        return low.upper(), 1
    if low in ("b", "c", "d"):
        return low.upper(), 1
    if low in ("am", "be"):
        sure = word == word.upper() and not shouting
        return (
            (low.upper(), 1)
            if named and after not in ("i",) or sure or after in ("licence", "class") and before[-1:] != ["i"]
            else ("", 0)
        )
    if low == "a":
        chain = before[-1:] and before[-1] in ("and", "or", ",") and word == "A" and not shouting
        return (
            ("A", 1)
            if named
            and (
                after not in KNOWN
                or after
                in (
                    "and",
                    "or",
                    "cost",
                    "lesson",
                    "licence",
                    "is",
                    "for",
                    "at",
                    "with",
                    "please",
                    "be",
                    "in",
                    "to",
                    "if",
                    "i",
                )
                or word == "A"
                and not shouting
            )
            or chain
            or word == "A"
            and not shouting
            and at
            and after in ("licence", "class", "lesson", "lessons")
            else ("", 0)
        )
    return (low.upper(), 1) if named else ("", 0)


def read(message: str, faults: Collection[str] = ()) -> list[Token]:
    """All tokens of a message."""
    raw = _plain(_clip(message, faults))
    letters = [letter for letter in raw if letter.isalpha()]
    shouting = len(letters) > 6 and sum(letter.isupper() for letter in letters) > 0.8 * len(letters)
    words = _drop_names(_numbers(_words(raw)))
    tokens: list[Token] = []
    at = 0
    while at < len(words):
        token, width = _next(words, at, shouting, faults)
        if token.text == ":" and tokens and tokens[-1].text in ("question", "questions"):
            token = replace(token, kind="stop")
        tokens.append(token)
        at += width
    timely = any(token.kind == "day" or token.concepts & {"OFFICE", "OPEN", "THEORY"} for token in tokens)
    for index, token in enumerate(tokens):
        before = tokens[index - 1].text if index else ""
        if (
            token.kind == "number"
            and not token.name
            and token.value < 24
            and before in ("at", "until", "till", "from", "by")
            and timely
        ):
            minutes = round(100 * (token.value % 1)) if "." in token.text else 0
            if minutes < 60:
                half = "24" if len(token.text.split(".")[0]) == 2 else ""
                tokens[index] = replace(token, kind="time", value=_clock(int(token.value), minutes, half))
        elif token.kind == "number" and not token.name and 14 <= token.value < 100 and before == "at":
            tokens[index] = replace(token, kind="age")
        elif token.kind == "number" and not token.name:
            for place in range(index + 1, min(index + 5, len(tokens))):
                if "LESSON" in tokens[place].concepts and tokens[place].kind == "word":
                    tokens[index] = replace(
                        token,
                        name="lesson",
                        value=token.value
                        * (2 if any("DOUBLE" in other.concepts for other in tokens[index:place]) else 1),
                    )
                    break
                if tokens[place].kind != "class" and tokens[place].text not in (
                    "driving",
                    "car",
                    "class",
                    "licence",
                    "category",
                    "practical",
                    "double",
                    "motorbike",
                    "motorcycle",
                    "truck",
                    "moped",
                    "normal",
                    "more",
                ):
                    break
    for index, token in enumerate(tokens):
        if token.kind == "number" and not token.name and 3 < token.value < 100 and index:
            back = index - 1
            while back and (
                tokens[back].text in ("only", "just", "already", "now", "not", "a", "the", "about", "of")
                or tokens[back].concepts & {"ALMOST", "LESS", "MORE"}
            ):
                back -= 1
            near = tokens[back].text
            chain = near in ("and", "or", ",") and back and tokens[back - 1].kind == "age"
            follow = tokens[index + 1] if index + 1 < len(tokens) else Token("")
            if (
                (
                    near
                    in (
                        "is",
                        "am",
                        "are",
                        "turned",
                        "turn",
                        "turning",
                        "aged",
                        "age",
                        "be",
                        "of age",
                        "going to be",
                        "age of",
                        "at age",
                    )
                    or chain
                    or "old enough" in follow.text
                    or "too young" in follow.text
                )
                and follow.text not in ("people", "percent", "minutes", "points")
                and follow.kind != "number"
            ):
                tokens[index] = replace(token, kind="age")
    return tokens


def _next(words: list[str], at: int, shouting: bool, faults: Collection[str]) -> tuple[Token, int]:
    word, low = words[at], words[at].lower()
    rest = [w.lower() for w in words[at : at + 6]]
    if low in ".?!;":
        return Token(low, "stop", question=low == "?"), 1
    if low in ",:/()-%":
        return Token(low, "comma"), 1
    name, width = _class_at(words, at, shouting, faults)
    if name:
        return Token(word, "class", name=name), width
    if match := re.fullmatch(r"(\d{1,2}):(\d{2})(am|pm)?", low):
        if int(match[1]) < 24 and int(match[2]) < 60:
            return (
                Token(
                    low,
                    "time",
                    value=_clock(int(match[1]), int(match[2]), match[3] or ("24" if len(match[1]) == 2 else "")),
                ),
                1,
            )
    if match := re.fullmatch(r"20\d\d-(\d\d)-(\d\d)", low):
        return Token(low, "date", value=int(match[1]) * 100 + int(match[2])), 1
    if match := re.fullmatch(r"(\d{1,2})[./](\d{1,2})(?:[./]\d{2,4})?", low):
        day, month = int(match[1]), int(match[2])
        full = low.count(".") + low.count("/") == 2 or "/" in low
        if full and 1 <= day <= 31 and 1 <= month <= 12:
            return Token(low, "date", value=month * 100 + day), 1
    if rest[:2] == ["half", "past"] and len(rest) > 2 and rest[2].isdigit():
        half = rest[3] if len(rest) > 3 and rest[3] in ("am", "pm") else ""
        return Token("half past", "time", value=_clock(int(rest[2]), 30, half)), 3 + bool(half)
    if rest[:2] in (["quarter", "past"], ["quarter", "to"]) and len(rest) > 2 and rest[2].isdigit():
        half = rest[3] if len(rest) > 3 and rest[3] in ("am", "pm") else ""
        shift = 15 if rest[1] == "past" else -15
        return Token("quarter", "time", value=_clock(int(rest[2]), 0, half) + shift), 3 + bool(half)
    if low in ("noon", "midday"):
        return Token(low, "time", value=720.0), 1
    if low in ("125", "50") and rest[1:2] in (["cc"], ["ccm"], ["cm3"]):
        return Token(low, concepts=frozenset({"LIGHTBIKE" if low == "125" else "MOPED"})), 2
    if re.fullmatch(r"\d+([.,]\d+)?", low):
        return _number(words, at)
    if low in MONTHS and len(rest) > 1:
        shift = 2 if rest[1] == "the" and len(rest) > 2 else 1
        if rest[shift].isdigit() and int(rest[shift]) <= 31:
            more = 1 if len(rest) > shift + 1 and rest[shift + 1] in ("st", "nd", "rd", "th") else 0
            return Token(low, "date", value=(MONTHS.index(low) + 1) * 100 + int(rest[shift])), shift + 1 + more
    if low in DAYS or low[:-1] in DAYS:
        return Token(low, "day", value=float(DAYS.index(low if low in DAYS else low[:-1]))), 1
    if low in ("weekend", "weekends"):
        return Token(low, "day", value=56.0), 1
    if low in ("today", "tomorrow", "tonight", "now"):
        return Token(low, "today"), 1
    if (
        low in ("a", "an")
        and len(rest) > 1
        and rest[1] in ("day", "week", "month")
        and len(rest) > 2
        and rest[2] in ("before", "in", "ahead", "beforehand", "prior", "earlier")
    ):
        return Token(low, "number", value=1.0, name=UNITS[rest[1]]), 2
    if low == "the" and rest[1:3] == ["day", "before"]:
        return Token(low, "number", value=1.0, name="day"), 3
    if low == "the" and rest[1:3] == ["same", "day"] or low == "same" and rest[1:2] == ["day"]:
        return Token(low, "number", value=5.0, name="hour"), 3 if low == "the" else 2
    if rest[:3] == ["half", "a", "day"]:
        return Token("half a day", "number", value=12.0, name="hour"), 3
    for width in range(min(LONGEST, len(rest)), 0, -1):
        concepts = LEXICON.get(tuple(rest[:width]))
        if concepts:
            return Token(" ".join(rest[:width]), concepts=concepts), width
    return Token(low), 1


def _number(words: list[str], at: int) -> tuple[Token, int]:
    low = words[at].lower()
    value = _figure(low)
    rest = [w.lower() for w in words[at + 1 : at + 6]]
    before = words[at - 1].lower() if at else ""
    if rest[:1] and rest[0] in ("am", "pm") and value < 24:
        return Token(low, "time", value=_clock(int(value), 0, rest[0])), 2
    if rest[:1] and rest[0] in ("oclock", "clock"):
        return Token(low, "time", value=_clock(int(value), 0, "")), 2
    if rest[:2] == ["o", "clock"]:
        return Token(low, "time", value=_clock(int(value), 0, "")), 3
    shift = 1 if rest[:1] and rest[0] in ("st", "nd", "rd", "th") else 0
    month = shift + (1 if rest[shift : shift + 1] == ["of"] else 0)
    if rest[month : month + 1] and rest[month] in MONTHS and value <= 31:
        return Token(low, "date", value=(MONTHS.index(rest[month]) + 1) * 100 + int(value)), month + 2
    if rest[:1] == ["-"] and len(rest) > 1 and rest[1] in UNITS:
        rest = rest[1:]
        shift = 1
    skip = 0
    while (
        rest[skip : skip + 1]
        and rest[skip]
        in (
            "driving",
            "full",
            "more",
            "normal",
            "practical",
            "double",
            "whole",
            "working",
            "single",
            "extra",
            "the",
            "class",
        )
        and skip < 2
        and not (rest[skip] == "double" and False)
    ):
        skip += 1
    unit = UNITS.get(rest[skip], "") if rest[skip : skip + 1] else ""
    if skip and unit not in ("lesson", "hour", "day", "week"):
        unit, skip = "", 0
    if not unit and rest[:2] == ["and", "a"] and rest[2:3] == ["half"] and len(rest) > 3:
        unit, skip, value = UNITS.get(rest[3], ""), 3, value + 0.5
    if unit == "year" or unit == "month":
        old = rest[skip + 1 : skip + 2] in (["old"], ["olds"], ["age"]) or rest[skip + 1 : skip + 3] in (
            ["-", "old"],
            ["of", "age"],
        )
        years = value if unit == "year" else value / 12
        if old:
            wide = 2 if rest[skip + 1] in ("old", "olds", "age") else 3
            return Token(low, "age", value=years), 1 + skip + wide + (
                shift if shift and rest != words[at + 1 : at + 6] else 0
            )
    if unit:
        if skip and "double" in rest[:skip]:
            return Token(low, "number", value=value * 2, name="lesson", concepts=frozenset({"LESSON"})), 1 + skip + 1
        concepts = (
            frozenset({"LESSON"})
            if unit == "lesson"
            else frozenset({"QUESTION"})
            if unit == "question"
            else frozenset()
        )
        extra = shift if words[at + 1].lower() == "-" else 0
        return Token(low, "number", value=value, name=unit, concepts=concepts), 1 + skip + 1 + extra
    if before == "euro":
        return Token(low, "number", value=value, name="euro"), 1
    return Token(low, "number", value=value), 1
