"""Reads English messages: spelling, numbers, times, dates, measures, corrections, negations and clauses."""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

COMMON: dict[str, int] = {
    word: rank for rank, word in enumerate(Path(__file__).with_name("words.txt").read_text("utf-8").split())
}
"""English words by rank: these are never taken for a slip of the keyboard."""

Value = float | str | tuple[int | None, ...] | None


@dataclass(frozen=True)
class Token:
    """A word, a sign or a value of a message."""

    text: str
    kind: str = "word"
    value: Value = None
    raw: str = ""
    unit: float = 1.0


@dataclass(frozen=True)
class Clause:
    """A part of a message with the mood it is said in: ask, tell, past or claim."""

    tokens: tuple[Token, ...]
    mood: str

    @property
    def text(self) -> str:
        """The canonical words of the clause between spaces."""
        return " " + " ".join(token.text for token in self.tokens if token.text != "-") + " "


def split(text: str) -> tuple[str, ...]:
    """The words of a text."""
    return tuple(text.split())


SHORT: dict[str, str] = {
    "pls": "please",
    "plz": "please",
    "thx": "thanks",
    "thnx": "thanks",
    "ty": "thanks",
    "u": "you",
    "ur": "your",
    "r": "are",
    "im": "i am",
    "ive": "i have",
    "dont": "do not",
    "doesnt": "does not",
    "didnt": "did not",
    "cant": "can not",
    "cannot": "can not",
    "wont": "will not",
    "isnt": "is not",
    "arent": "are not",
    "whats": "what is",
    "wheres": "where is",
    "whens": "when is",
    "hows": "how is",
    "thats": "that is",
    "theres": "there is",
    "youre": "you are",
    "lets": "let us",
    "gonna": "going to",
    "wanna": "want to",
    "wana": "want to",
    "gotta": "have to",
    "tmrw": "tomorrow",
    "tmr": "tomorrow",
    "tho": "though",
    "bc": "because",
    "cos": "because",
    "coz": "because",
    "cuz": "because",
    "b4": "before",
    "2day": "today",
    "2moro": "tomorrow",
    "w": "with",
    "hv": "have",
    "yr": "your",
    "teh": "the",
    "adn": "and",
    "nd": "and",
    "n": "and",
    "wich": "which",
    "hwo": "how",
    "waht": "what",
    "cld": "could",
    "wld": "would",
    "shld": "should",
    "abt": "about",
    "btw": "by the way",
    "asap": "soon",
    "aint": "is not",
    "ill": "i will",
    "ok": "okay",
    "kinda": "kind of",
    "dunno": "do not know",
    "gimme": "give me",
    "lemme": "let me",
    "til": "until",
    "till": "until",
    "cud": "could",
    "wud": "would",
    "hows it": "how is it",
    "wanted": "want",
    "plus": "and",
}
SUFFIXES = (("n't", " not"), ("'re", " are"), ("'ve", " have"), ("'ll", " will"), ("'m", " am"), ("'d", " would"))
IS_WORDS = set(split("it that what where how there who when here he she this everything which why"))
UNITS_TEXT = split(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
TENS_TEXT = split("twenty thirty forty fifty sixty seventy eighty ninety")
SMALL: dict[str, int] = {word: value for value, word in enumerate(UNITS_TEXT)}
TENS: dict[str, int] = {word: 20 + 10 * value for value, word in enumerate(TENS_TEXT)} | {"fourty": 40}
ORDINALS: dict[str, int] = {
    word: value + 1
    for value, word in enumerate(
        split(
            "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
            "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
        )
    )
} | {"thirtieth": 30}
MONTHS_TEXT = split("january february march april may june july august september october november december")
MONTHS: dict[str, int] = {word: value + 1 for value, word in enumerate(MONTHS_TEXT)}
MONTHS |= {word[:3]: value for word, value in MONTHS.items() if word not in ("march", "may")} | {"sept": 9}
DAYS_TEXT = split("monday tuesday wednesday thursday friday saturday sunday")
DAYS: dict[str, tuple[int, ...]] = {word: (value,) for value, word in enumerate(DAYS_TEXT)}
DAYS |= {f"{word}s": value for word, value in list(DAYS.items())}
DAYS |= {"mon": (0,), "tue": (1,), "tues": (1,), "wed": (2,), "weds": (2,), "thu": (3,), "thur": (3,), "thurs": (3,)}
DAYS |= {"fri": (4,), "weekend": (5, 6), "weekends": (5, 6), "weekday": (0, 1, 2, 3, 4)}
DAYS |= {"weekdays": (0, 1, 2, 3, 4)}
UNITS: dict[str, tuple[str, float]] = {}
for _kind, _factor, _names in (
    ("len", 1.0, "m metre metres meter meters mtr mtrs"),
    ("len", 0.01, "cm cms centimetre centimetres centimeter centimeters"),
    ("len", 0.001, "mm millimetre millimetres"),
    ("len", 0.3048, "ft foot feet"),
    ("len", 0.0254, "inch inches"),
    ("wt", 1.0, "kg kgs kilo kilos kilogram kilograms kilogramme kilogrammes"),
    ("wt", 0.001, "g gram grams gramme grammes"),
    ("wt", 0.45359237, "lb lbs"),
    ("dist", 1.0, "km kms kilometre kilometres kilometer kilometers"),
    ("dist", 1.609344, "mile miles mi"),
    ("dur", 1.0, "h hour hours hr hrs"),
    ("dur", 1 / 60, "minute minutes min mins"),
    ("dur", 24.0, "day days"),
    ("dur", 168.0, "week weeks wk wks"),
    ("dur", 336.0, "fortnight fortnights"),
    ("dur", 730.0, "month months"),
    ("years", 1.0, "year years yrs"),
    ("money", 1.0, "quid gbp"),
    ("money", 0.01, "p pence penny"),
    ("pound", 1.0, "pound pounds"),
    ("pct", 1.0, "% percent"),
):
    UNITS |= dict.fromkeys(_names.split(), (_kind, _factor))
SCAN = re.compile(
    r"""(?P<iso>\d{4}-\d{2}-\d{2})|(?P<slash>\d{1,2}/\d{1,2}(?:/\d{2,4})?(?!\d))|(?P<dots>\d{1,2}\.\d{1,2}\.\d{2,4})"""
    r"""|(?P<clock>\d{1,2}:\d{2}|\d{1,2}h\d{2}\b)|(?P<ord>\d{1,2}(?:st|nd|rd|th)\b)"""
    r"""|(?P<feet>\d{1,2}'(?:\s?\d{1,2}(?:\.\d)?(?:"|'')?)?)"""
    r"""|(?P<num>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?|\.\d+)|(?P<word>[a-z]+(?:'[a-z]+)*)"""
    r"""|(?P<sign>[?!;:,()\-/"£$€%&+@]|\.+|\n)""",
    re.IGNORECASE,
)


NAMED = re.compile(
    r"(?i)\bmy name(?: is|'s) +[a-z'-]+(?: (?!and\b|i\b|how\b|what\b|when\b|can\b|do\b|is\b|where\b)[a-z'-]+"
    r"(?=\s*(?:[,.!?;:]|and\b|i\b|$)))?(?:\s+(?=and\b|i\b))?"
)


def tidy(text: str) -> str:
    """The text with plain quotes, dashes, fractions and letters."""
    for sign, plain in (("½", ".5"), ("¼", ".25"), ("¾", ".75")):
        text = re.sub(rf"\s?{sign}", plain, text)
    text = re.sub(r"[‘’ʼ`´′]", "'", text)
    text = re.sub(r"[“”″„]", '"', text)
    text = re.sub(r"[–—−]", " - ", text).replace("…", "...")
    text = unicodedata.normalize("NFKD", text)
    text = "".join(sign for sign in text if sign.isascii() or sign in "£€")
    text = NAMED.sub(". ", text)
    text = re.sub(r"(?i)\b([ap])\.\s?m\b\.?", r"\1m", text)
    text = re.sub(r"(?i)\bw/o\b", "without", text)
    text = re.sub(r"(?i)\be-?mails?\b", "email", text)
    text = re.sub(r"(?i)\bwi-?\s?fi\b", "wifi", text)
    text = re.sub(r"(?i)\bo'? ?clock\b", "oclock", text)
    text = re.sub(r"(?i)\by/o\b", "year old", text)
    text = re.sub(r"(?i)(\d)\s?x\b", r"\1 x", text)
    return re.sub(r"(?i)([a-z])\1{2,}", r"\1\1", text)


def distance(left: str, right: str) -> int:
    """How many slips (a letter lost, added, changed, or two swapped) lie between two words."""
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        above, before_above = row, before
        row = [i]
        for j, b in enumerate(right, 1):
            cost = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, before_above[j - 2] + 1)
            row.append(cost)
        before = above
    return row[-1]


KEYS = {
    key: (row, place)
    for row, keys in enumerate(("qwertyuiop", "asdfghjkl", "zxcvbnm"))
    for place, key in enumerate(keys)
}


def far_keys(left: str, right: str) -> bool:
    """Whether two words of a length differ in letters that lie apart on the keyboard."""
    if sorted(left) == sorted(right):
        return False
    pairs = [(KEYS[a], KEYS[b]) for a, b in zip(left, right, strict=True) if a != b]
    return any(abs(a[0] - b[0]) > 1 or abs(a[1] - b[1]) > 1 for a, b in pairs)


class Reader:
    """Reads messages with the vocabulary of a trade."""

    def __init__(
        self,
        synonyms: Mapping[str, str],
        phrases: Mapping[str, str],
        kind_of: Callable[[Token], str],
        extra: Iterable[str] = (),
        names: Iterable[str] = (),
        places: Iterable[str] = (),
    ) -> None:
        self.places = set(places)
        self.names = {*names, *DAYS_TEXT, *(f"{word}s" for word in DAYS_TEXT), *MONTHS_TEXT}
        self.canonical: dict[str, str] = {}
        for word, variants in synonyms.items():
            self.canonical |= dict.fromkeys([word, *variants.split()], word)
        self.phrases = sorted(
            ((tuple(key.split()), tuple(value.split())) for key, value in phrases.items()), key=lambda x: -len(x[0])
        )
        self.kind_of = kind_of
        words = {word for key, value in self.phrases for word in (*key, *value)}
        trade = set(self.canonical) | words | set(extra) | set(names)
        trade |= (
            set(DAYS_TEXT)
            | {f"{word}s" for word in DAYS_TEXT}
            | set(MONTHS_TEXT)
            | set(SMALL)
            | set(TENS)
            | {"weekend", "weekday", "tomorrow"}
        )
        trade |= {name for name in UNITS if len(name) > 3}
        self.trade = {word for word in trade if word.isalpha()}
        self.targets = self.trade | {word for word, rank in COMMON.items() if rank < 1500}
        self.correct = lru_cache(maxsize=20000)(self._correct)

    def known(self, word: str) -> bool:
        """Whether the word is English or of the trade."""
        return (
            word in COMMON
            or word in self.trade
            or word in self.places
            or word in UNITS
            or word in DAYS
            or word in MONTHS
        )

    def _correct(self, word: str) -> str:
        if len(word) < 3 or self.known(word) or word in SHORT:
            return word
        limit = 2 if len(word) > 6 else 1
        best: list[tuple[int, int, int, int, str]] = []
        for target in self.targets:
            if abs(len(target) - len(word)) > limit or (len(word) == 3 and len(target) < 3):
                continue
            if target[0] != word[0] and not (target[1:2] == word[0] or len(word) > 4):
                continue
            slips = distance(word, target)
            if slips > limit:
                continue
            swapped = sorted(word) == sorted(target)
            if len(word) == 3 and not swapped and not (len(target) == 4 and target in self.trade):
                continue
            if len(target) < 4 and not swapped:
                continue
            away = abs(len(target) - len(word))
            away += 2 * (target[0] != word[0]) + 2 * (len(target) == len(word) and far_keys(word, target))
            best.append((slips - swapped, target not in self.trade, away, COMMON.get(target, 99999), target))
        if best:
            return min(best)[4]
        for cut in range(2, len(word) - 1):
            left, right = word[:cut], word[cut:]
            if len(word) > 5 and left in self.targets and right in self.targets:
                return f"{left} {right}"
        return word

    def spell(self, word: str, *, proper: bool = False) -> list[str]:
        """The plain words that a written word stands for."""
        if word in SHORT:
            return SHORT[word].split()
        for suffix, plain in SUFFIXES:
            if word.endswith(suffix):
                stem = word.removesuffix(suffix)
                stem = {"ca": "can", "wo": "will", "sha": "shall"}.get(stem, stem)
                return f"{stem}{plain}".split()
        if word.endswith("'s"):
            stem = word[:-2]
            return [stem, "is"] if stem in IS_WORDS else self.correct(stem).split()
        word = word.replace("'", "")
        if proper and not self.known(word):
            near = [name for name in self.names if distance(word, name) <= 1 + (len(word) > 6)]
            return [min(near, key=lambda name: distance(word, name)) if near else word]
        folded = re.sub(r"(.)\1+$", r"\1", word)
        if not self.known(word) and self.known(folded):
            return [folded]
        return self.correct(word).split()

    def tokens(self, text: str) -> list[Token]:
        """The words, signs and values of a text."""
        result: list[Token] = []
        text = tidy(text)
        words = re.findall(r"[A-Za-z]{2,}", text)
        titled = sum(word.istitle() for word in words) > len(words) / 2
        for match in SCAN.finditer(text):
            raw, kind = match.group(), match.lastgroup or ""
            if kind == "word":
                inner = bool(result) and result[-1].kind != "sign" and not titled
                proper = inner and raw[:1].isupper() and raw[1:].islower()
                result += [Token(word, raw=raw) for word in self.spell(raw.lower(), proper=proper)]
            else:
                result.append(sign_token(raw, kind))
        return self._join(result)

    def _join(self, tokens: list[Token]) -> list[Token]:
        result: list[Token] = []
        for token in tokens:
            last = result[-1] if result else None
            if last and last.kind == token.kind == "word" and not (self.known(last.text) and self.known(token.text)):
                joined = last.text + token.text
                if joined in self.trade and len(joined) > 4:
                    result[-1] = replace(last, text=joined)
                    continue
            result.append(token)
        return result

    def phrase(self, tokens: list[Token]) -> list[Token]:
        """The tokens with the trade's phrases and synonyms in their canonical words."""
        result: list[Token] = []
        at = 0
        while at < len(tokens):
            for key, value in self.phrases:
                part = tokens[at : at + len(key)]
                if tuple(token.text for token in part) == key:
                    result += [Token(word, raw=part[0].raw) for word in value]
                    at += len(key)
                    break
            else:
                token = tokens[at]
                word = self.canonical.get(token.text, token.text) if token.kind == "word" else token.text
                result.append(replace(token, text=word))
                at += 1
        return result

    def read(self, text: str, off: Collection[str] = ()) -> list[Clause]:
        """The clauses of a message; `off` names the steps to leave out."""
        tokens = numbers(self.tokens(text))
        tokens = measures(dates(times(feet(tokens))))
        tokens = drop_names(self.phrase(tokens))
        if "negation" not in off:
            tokens = negations(tokens, self.kind_of)
        tokens = corrections(tokens, self.kind_of, keep_first="correction" in off)
        return clauses(tokens)


def sign_token(raw: str, kind: str) -> Token:
    """The token of something that is not a word."""
    if kind == "iso":
        year, month, day = (int(part) for part in raw.split("-"))
        return Token("#date", "date", (year, month, day), raw)
    if kind in ("slash", "dots"):
        parts = [int(part) for part in re.split(r"[/.]", raw)]
        day, month = parts[0], parts[1]
        if month > 12 >= day:
            day, month = month, day
        year = parts[2] + (2000 if parts[2] < 100 else 0) if len(parts) > 2 else None
        if month > 12 or day > 31 or 0 in (month, day):
            return Token("#num", "num", float(parts[0]), raw)
        return Token("#date", "date", (year, month, day), raw)
    if kind == "clock":
        hour, minute = (int(part) for part in re.split(r"[:h]", raw.lower()))
        return Token("#time", "time", float(hour * 60 + minute), raw, unit=0.0 if raw.startswith("0") else 1.0)
    if kind == "ord":
        return Token("#ord", "ord", float(int(raw[:-2])), raw)
    if kind == "feet":
        parts_text = re.findall(r"\d+(?:\.\d)?", raw)
        inches = float(parts_text[1]) if len(parts_text) > 1 else 0.0
        return Token("#len", "len", float(parts_text[0]) * 0.3048 + inches * 0.0254, raw, 0.3048)
    if kind == "num":
        plain = re.sub(r",(?=\d{3}(?!\d))", "", raw) if re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", raw) else raw
        return Token("#num", "num", float(plain.replace(",", ".")), raw)
    if raw in ("&", "+"):
        return Token("and", raw=raw)
    if raw.startswith(".") and len(raw) > 1:
        return Token(",", "sign", raw=raw)
    return Token({"\n": ".", "(": ",", ")": ","}.get(raw, raw), "sign", raw=raw)


PAIRS = set(split("trousers trouser pants jeans shorts chinos slacks leggings shoes boots trainers gloves scissors"))


def numbers(tokens: list[Token]) -> list[Token]:
    """The tokens with number words read as numbers."""
    result: list[Token] = []
    at = 0
    while at < len(tokens):
        value, used = number_words(tokens, at)
        if used:
            result.append(Token("#num", "num", value, tokens[at].raw))
            at += used
            continue
        token = tokens[at]
        after = [other.text for other in tokens[at + 1 : at + 3]]
        if token.text == "a" and after[:1] == ["couple"]:
            result.append(Token("#num", "num", 2.0, "couple"))
            at += 3 if after[1:] == ["of"] else 2
        elif token.text == "pair" and after[:1] == ["of"] and after[1:] and after[1] not in PAIRS:
            if result and result[-1].text in ("a", "the", "my", "one"):
                result.pop()
            result.append(Token("#num", "num", 2.0, "pair"))
            at += 2
        elif token.text == "half" and after[:2] == ["a", "dozen"]:
            result.append(Token("#num", "num", 6.0, "half a dozen"))
            at += 3
        elif token.text in ("a", "one") and after[:1] == ["dozen"]:
            result.append(Token("#num", "num", 12.0, "dozen"))
            at += 2
        else:
            result.append(token)
            at += 1
    return [*halves(result)]


def halves(tokens: list[Token]) -> list[Token]:
    """The tokens with `and a half` and `dozen` added to their numbers."""
    result: list[Token] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        after = [other.text for other in tokens[at + 1 : at + 4]]
        if token.kind == "num" and after == ["and", "a", "half"] and isinstance(token.value, float):
            result.append(replace(token, value=token.value + 0.5))
            at += 4
        elif token.kind == "num" and after[:1] == ["dozen"] and isinstance(token.value, float):
            result.append(replace(token, value=token.value * 12))
            at += 2
        elif token.text == "half" and after[:2] == ["an", "hour"]:
            result.append(Token("#dur", "dur", 0.5, "half an hour"))
            at += 3
        else:
            result.append(token)
            at += 1
    return result


def number_words(tokens: Sequence[Token], at: int) -> tuple[float, int]:
    """The number that words spell from a place on, and how many words."""
    total, used, last = 0.0, 0, ""
    while at + used < len(tokens):
        word = tokens[at + used].text
        follows = tokens[at + used + 1].text if at + used + 1 < len(tokens) else ""
        if word in SMALL and last in ("", "tens", "hundred", "and") and not (last == "tens" and SMALL[word] > 9):
            if word == "one" and not last and pronoun_one(tokens, at):
                return 0.0, 0
            total, last = total + SMALL[word], "small"
        elif word in TENS and last in ("", "hundred", "and"):
            total, last = total + TENS[word], "tens"
        elif word == "hundred" and last in ("small", "") and (last or (at and tokens[at - 1].text == "a")):
            total, last = max(total, 1) * 100, "hundred"
        elif word == "-" and last == "tens" and follows in SMALL:
            last = "tens"
        elif word == "and" and last == "hundred" and (follows in SMALL or follows in TENS):
            last = "and"
        elif word == "point" and last and follows in SMALL:
            return point_words(tokens, at, used, total)
        else:
            break
        used += 1
    return total, used


def point_words(tokens: Sequence[Token], at: int, used: int, total: float) -> tuple[float, int]:
    """The number with the digits that follow `point`."""
    digits = ""
    used += 1
    while at + used < len(tokens) and SMALL.get(tokens[at + used].text, 10) < 10:
        digits += str(SMALL[tokens[at + used].text])
        used += 1
    return float(f"{int(total)}.{digits or 0}"), used


def pronoun_one(tokens: Sequence[Token], at: int) -> bool:
    """Whether `one` at a place is no number."""
    before = tokens[at - 1].text if at else ""
    after = tokens[at + 1].text if at + 1 < len(tokens) else ""
    if after == "way" or (after == "-" and at + 2 < len(tokens) and tokens[at + 2].text == "way"):
        return True
    if before in set(split("the this that which last first next another no any every each good big small")):
        return after not in COMMON or after in ("", "of")
    return after in ("of", "that", "which", "is", "has", "more", "moment", "last", "can", "question")


def feet(tokens: list[Token]) -> list[Token]:
    """The tokens with a length of two units, such as 9 ft 6 in or 3 m 20, as one length."""
    result: list[Token] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        unit = tokens[at + 1].text if at + 1 < len(tokens) else ""
        if token.kind == "num" and unit in ("ft", "foot", "feet", "m", "metres", "metre"):
            nxt = tokens[at + 2] if at + 2 < len(tokens) else Token("")
            skip = 1 if nxt.text == "and" and at + 3 < len(tokens) and tokens[at + 3].kind == "num" else 0
            small = tokens[at + 2 + skip] if at + 2 + skip < len(tokens) else Token("")
            label = tokens[at + 3 + skip].text if at + 3 + skip < len(tokens) else ""
            factor = UNITS[unit][1]
            step = 0.0254 if factor < 1 else 0.01
            labels = ("in", "inch", "inches", '"') if factor < 1 else ("cm", "centimetres", "cms")
            bare = label in ("", ".", ",", "?", "high", "tall", "long", "in", "and") and not skip
            if (
                small.kind == "num"
                and (label in labels or bare)
                and float(str(small.value)) < (12 if factor < 1 else 100)
            ):
                length = float(str(token.value)) * factor + float(str(small.value)) * step
                result.append(Token("#len", "len", length, token.raw, factor))
                at += 4 + skip if label in labels else 3 + skip
                continue
        result.append(token)
        at += 1
    return result


BEFORE_TIME = set(split("at before after by around until past than til about @"))
AFTER_TIME = set(split("on in to tomorrow today tonight and or then please sharp for from if with"))


def times(tokens: list[Token]) -> list[Token]:
    """The tokens with times of the day read."""
    result: list[Token] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        used, minutes = spoken_time(tokens, at)
        if not used:
            used, minutes = written_time(tokens, at, result[-1].text if result else "")
        if used:
            at += used
            words = [other.text for other in tokens[at : at + 4]]
            part = day_part(words)
            if words[:1] == ["oclock"]:
                at += 1
                part = day_part(words[1:])
            fixed = minutes < 0
            minutes = abs(minutes)
            if not fixed:
                minutes = settle_half(minutes, part)
            result.append(Token("#time", "time", minutes, token.raw))
            continue
        result.append(token)
        at += 1
    return result


def day_part(words: Sequence[str]) -> str:
    """Whether the words after a time say morning or evening."""
    text = " ".join(words)
    if re.match(r"(oclock )?((in|on) the )?(morning|am)\b", text) or re.match(r"\w+ morning", text):
        return "am"
    if re.match(r"(oclock )?((in the|at|this|tonight|on \w+) ?)?(evening|afternoon|night|pm|tonight)\b", text):
        return "pm"
    return "pm" if re.match(r"\w+ (evening|afternoon|night)", text) or words[:1] == ["tonight"] else ""


def settle_half(minutes: float, part: str) -> float:
    """The minutes of the day of a time that may mean morning or evening."""
    if part == "pm" and minutes < 720:
        return minutes + 720
    if part == "am":
        return minutes - 720 if minutes >= 720 else minutes
    return minutes + 720 if 60 <= minutes < 360 else minutes


def spoken_time(tokens: Sequence[Token], at: int) -> tuple[int, float]:
    """A time such as half past five or quarter to six: how many tokens, and the minutes."""
    words = [token.text for token in tokens[at : at + 4]]
    if words[:1] in (["noon"], ["midday"]):
        return 1, -720.0
    if words[:1] == ["a"]:
        used, minutes = spoken_time(tokens, at + 1) if words[1:2] == ["quarter"] else (0, 0.0)
        return (used + 1, minutes) if used else (0, 0.0)
    offset = {"half": 30.0, "quarter": 15.0}.get(words[0])
    token = tokens[at]
    before = tokens[at - 1].text if at else ""
    if (
        offset is None
        and token.kind == "num"
        and token.value in (5.0, 10.0, 20.0, 25.0)
        and (before in BEFORE_TIME or words[1:2] == ["past"])
    ):
        offset = float(str(token.value))
    if offset is None or len(words) < 2:
        return 0, 0.0
    hour = tokens[at + 2] if len(words) > 2 else Token("")
    if words[1] in ("past", "to", "after") and hour.kind == "num" and 1 <= float(str(hour.value)) <= 12:
        sign = -1 if words[1] == "to" else 1
        return 3, (float(str(hour.value)) * 60 + sign * offset) % 1440
    if words[0] == "half" and tokens[at + 1].kind == "num" and (before in BEFORE_TIME or before == ""):
        return 2, float(str(tokens[at + 1].value)) * 60 + 30
    return 0, 0.0


def written_time(tokens: Sequence[Token], at: int, before: str) -> tuple[int, float]:
    """A time such as 9:30, 5 pm or 17h: how many tokens, and the minutes (below zero: sure of the half day)."""
    token = tokens[at]
    words = [other.text for other in tokens[at + 1 : at + 3]] + [""]
    if token.kind == "time" and isinstance(token.value, float):
        half = words[0] if words[0] in ("am", "pm") else ""
        if half:
            return 2, -(token.value % 720 + (720 if half == "pm" else 0)) or 1440.0
        sure = token.unit == 0.0 or token.value >= 720
        return 1, -token.value if sure else token.value
    if token.kind != "num" or not isinstance(token.value, float):
        return 0, 0.0
    dotted = re.fullmatch(r"(\d{1,2})[.](\d{2})", token.raw)
    minutes = float(int(dotted[1]) * 60 + int(dotted[2])) if dotted else token.value * 60
    if words[0] in ("am", "pm") and minutes <= 779:
        return 2, -(minutes % 720 + (720 if words[0] == "pm" else 0))
    ends = words[0] in AFTER_TIME or words[0] in ("", ",", ".", "?", "!", ";", "-") or words[0] in DAYS
    if dotted and before in BEFORE_TIME and ends and int(dotted[1]) < 24 and int(dotted[2]) < 60:
        return 1, -minutes if int(dotted[1]) > 12 or token.raw.startswith("0") else minutes
    if re.fullmatch(r"[012]\d[0-5]\d", token.raw) and before in BEFORE_TIME and words[0] not in UNITS:
        return 1, -float(int(token.raw[:2]) * 60 + int(token.raw[2:]))
    if not token.value.is_integer() or token.value > 24:
        return 0, 0.0
    sure_hour = -minutes if token.value > 12 else minutes
    if words[0] == "oclock" or (words[0] == "h" and before in BEFORE_TIME):
        return 1 + (words[0] == "h"), sure_hour
    if day_part([*words[:2], *(other.text for other in tokens[at + 3 : at + 4])]) and before in BEFORE_TIME:
        return 1, sure_hour
    if before in BEFORE_TIME - {"than", "about", "past"} and ends and token.raw.lower() != "couple":
        return 1, sure_hour
    return 0, 0.0


NOT_MONTH = set(split("i we my the you it he she they be not dogs bring take have also our a"))
NAME_BEFORE = set(split("is am called mrs miss ms mr dear hi hello aunt uncle"))


def dates(tokens: list[Token]) -> list[Token]:
    """The tokens with days of the week and dates read."""
    result: list[Token] = []
    at = 0
    while at < len(tokens):
        used, token = date_at(tokens, at)
        if used:
            while token.kind == "date" and result and result[-1].kind in ("ord", "num") and used == 1:
                break
            result.append(token)
            at += used
            continue
        result.append(tokens[at])
        at += 1
    return result


def month_at(tokens: Sequence[Token], at: int) -> int:
    """The month that a token names, or 0."""
    token = tokens[at]
    month = MONTHS.get(token.text, 0)
    before = tokens[at - 1] if at else Token("")
    after = tokens[at + 1] if at + 1 < len(tokens) else Token("")
    near = before.kind in ("num", "ord") or before.text in (
        "of",
        "in",
        "early",
        "late",
        "mid",
        "next",
        "during",
        "until",
    )
    if before.text == "-" and at > 1 and tokens[at - 2].text in ("mid", "early", "late"):
        near = True
    if month and before.text in NAME_BEFORE and token.raw[:1].isupper() and not near:
        return 0
    if token.text in ("may", "march", "jan", "mar", "dec", "sep", "jun"):
        near = near or after.kind in ("ord", "num") or (before.text in ("this", "since", "end", "or", "and", "for"))
        sure = before.kind in ("num", "ord") or before.text == "of"
        return month if sure or (near and after.text not in NOT_MONTH) else 0
    return month


def date_at(tokens: Sequence[Token], at: int) -> tuple[int, Token]:
    """A day or date that begins at a token: how many tokens, and the date."""
    token = tokens[at]
    texts = [other.text for other in tokens[at : at + 5]] + [""] * 5
    day = DAYS.get(token.text)
    if token.text in ("sun", "sat"):
        before = tokens[at - 1].text if at else ""
        if before in ("on", "next", "this", "every", "-", "until", "or") or token.raw.istitle() or token.raw.isupper():
            day = (5,) if token.text == "sat" else (6,)
    if day:
        return 1, Token("#day", "day", day, token.raw)
    if token.text in ("christmas", "easter") or texts[:2] == ["boxing", "day"]:
        return 1 + (texts[1] in ("day", "sunday", "monday", "eve")), Token("#day", "day", (6,), "holiday")
    if texts[:2] in (["bank", "holiday"], ["public", "holiday"], ["bank", "holidays"], ["public", "holidays"]):
        return 2, Token("#day", "day", (6,), "holiday")
    if token.kind in ("ord", "num") or (token.text in ORDINALS and texts[1] == "of"):
        skip = 1 if texts[1] == "of" else 0
        place = at + 1 + skip
        number = token.value if isinstance(token.value, float) else float(ORDINALS.get(token.text, 0))
        if place < len(tokens) and month_at(tokens, place) and number <= 31:
            year, more = year_at(tokens, place + 1)
            return 2 + skip + more, Token("#date", "date", (year, month_at(tokens, place), int(number)), token.raw)
    month = month_at(tokens, at)
    if month:
        after = tokens[at + 1] if at + 1 < len(tokens) else Token("")
        if after.text == "the":
            after = tokens[at + 2] if at + 2 < len(tokens) else Token("")
        if after.kind in ("ord", "num") and isinstance(after.value, float) and after.value <= 31:
            unit = tokens[at + 2].text if at + 2 < len(tokens) else ""
            if after.kind == "ord" or unit not in UNITS:
                used = 3 if texts[1] == "the" else 2
                year, more = year_at(tokens, at + used)
                return used + more, Token("#date", "date", (year, month, int(after.value)), token.raw)
        year, more = year_at(tokens, at + 1)
        return 1 + more, Token("#date", "date", (year, month, None), token.raw)
    return 0, token


def year_at(tokens: Sequence[Token], at: int) -> tuple[int | None, int]:
    """The year at a token, after a comma perhaps, and how many tokens."""
    skip = 1 if at < len(tokens) and tokens[at].text == "," else 0
    if at + skip < len(tokens) and tokens[at + skip].kind == "num":
        value = tokens[at + skip].value
        if isinstance(value, float) and 2000 <= value <= 2100:
            return int(value), 1 + skip
    return None, 0


def weekday(date: tuple[int | None, ...]) -> int | None:
    """The day of the week of a full date, Monday 0, or None."""
    year, month, day = date
    if year is None or month is None or day is None:
        return None
    try:
        return datetime.date(year, month, day).weekday()
    except ValueError:
        return None


def measures(tokens: list[Token]) -> list[Token]:
    """The tokens with numbers and their units read as measures."""
    result: list[Token] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        after = tokens[at + 1] if at + 1 < len(tokens) else Token("")
        last = tokens[at + 2] if at + 2 < len(tokens) else Token("")
        unit, skip = (last, 2) if after.text == "-" and token.kind == "num" else (after, 1)
        if token.text in ("£", "$", "€") and after.kind == "num":
            result.append(Token("#money", "money", after.value, token.raw))
            at += 2
        elif token.kind == "num" and unit.kind in ("word", "sign") and unit.text in UNITS:
            kind, factor = UNITS[unit.text]
            result.append(Token(f"#{kind}", kind, float(str(token.value)) * factor, token.raw, factor))
            at += skip + 1
        elif token.text in ("a", "an") and after.kind == "word" and UNITS.get(after.text, ("",))[0] == "dur":
            kind, factor = UNITS[after.text]
            result.append(Token("#dur", "dur", factor, token.raw, factor))
            at += 2
        else:
            result.append(token)
            at += 1
    return ages(result)


def ages(tokens: list[Token]) -> list[Token]:
    """The tokens with ages read: 8 years old, 8-year-old, aged 8, age 8, 8 yo, 6 months old."""
    result: list[Token] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        words = [other.text for other in tokens[at + 1 : at + 4]]
        while words[:1] == ["-"]:
            words = words[1:]
        if token.kind in ("years", "dur") and words[:1] in (["old"], ["olds"]):
            value = token.value if token.kind == "years" else float(int(float(str(token.value)) / 8760))
            result.append(Token("#age", "age", value, token.raw))
            at += 2 if tokens[at + 1].text in ("old", "olds") else 3
        elif token.kind == "years" or (token.kind == "num" and words[:1] == ["yo"]):
            result.append(Token("#age", "age", token.value, token.raw))
            at += 1 if token.kind == "years" else 2
        elif token.text == "age" and words[:1] == ["of"] and at + 2 < len(tokens) and tokens[at + 2].kind == "num":
            result.append(Token("#age", "age", tokens[at + 2].value, tokens[at + 2].raw))
            at += 3
        elif (
            token.text in ("aged", "age", "ages", "turned", "turns", "turning")
            and words
            and tokens[at + 1].kind == "num"
        ):
            at += 1
            while at < len(tokens) and (tokens[at].kind == "num" or tokens[at].text in (",", "and")):
                nxt = tokens[at + 1] if at + 1 < len(tokens) else Token("")
                if tokens[at].kind == "num":
                    result.append(Token("#age", "age", tokens[at].value, tokens[at].raw))
                    at += 1
                elif nxt.kind == "num" and not (at + 2 < len(tokens) and plain_word(tokens[at + 2])):
                    at += 1
                else:
                    break
        else:
            result.append(token)
            at += 1
    return result


def plain_word(token: Token) -> bool:
    """Whether a token is a word that a number could count."""
    return token.kind == "word" and token.text not in ("to", "for", "on", "and", "with", "from", "please", "or", "in")


def drop_names(tokens: list[Token]) -> list[Token]:
    """The tokens without the customer's name."""
    result: list[Token] = []
    at = 0
    while at < len(tokens):
        words = [token.text for token in tokens[at : at + 3]]
        if words == ["my", "name", "is"]:
            at += 3
            count = 0
            while at < len(tokens) and tokens[at].kind == "word" and count < 3:
                if count and not tokens[at].raw[:1].isupper():
                    break
                if count and tokens[at].text in ("and", "i", "can", "how", "what", "when"):
                    break
                at, count = at + 1, count + 1
            result.append(Token(".", "sign"))
            continue
        if words[:1] in (["mr"], ["mrs"], ["ms"], ["miss"], ["dr"], ["regards"], ["cheers"]) and len(words) > 1:
            at += 1
            at += 1 if tokens[at].kind == "word" and tokens[at].raw[:1].isupper() else 0
            continue
        result.append(tokens[at])
        at += 1
    return result


NEGATORS = ("without", "no", "not", "excluding", "minus", "except", "neither", "nor")
FILLERS = set(split("a an any my our the on to for of with in at have bring take bringing taking another from by"))


def negations(tokens: list[Token], kind_of: Callable[[Token], str]) -> list[Token]:
    """The tokens without the values that the customer rules out."""
    kinds = [kind_of(token) for token in tokens]
    result: list[Token] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.text in NEGATORS or (token.text in ("instead", "rather") and tokens[at + 1 : at + 2]):
            place = at + 1
            if token.text in ("instead", "rather"):
                if tokens[place].text not in ("of", "than"):
                    result.append(token)
                    at += 1
                    continue
                place += 1
            start = place
            while place < len(tokens) and tokens[place].text in FILLERS and place - start < 3:
                place += 1
            if place < len(tokens) and kinds[place] and allowed(tokens, kinds, at, place):
                result.append(Token("#not", "not", raw=tokens[place].text))
                at = place + 1
                continue
        result.append(token)
        at += 1
    return result


def allowed(tokens: Sequence[Token], kinds: Sequence[str], at: int, place: int) -> bool:
    """Whether the word at `at` rules out the value at `place`."""
    word = tokens[at].text
    if word in ("without", "excluding", "minus", "except"):
        return True
    others = [other for index, other in enumerate(kinds) if other == kinds[place] and index != place]
    before = tokens[at - 1].text if at else ""
    if word == "no":
        return before in ("have", "with", "got", "is", "are", "but", "and") or (
            before == "," and not others and tokens[at + 1].text not in (",",)
        )
    if word == "not" and before in ("do", "does", "will", "am", "are", "would"):
        return any(token.text in ("have", "bring", "take", "bringing", "taking") for token in tokens[at + 1 : place])
    return bool(others) or (kinds[place] in ("express", "vehicle", "bicycle") and before in (",", "and", "but"))


MARKERS = set(split("no sorry rather correction wait oops actually pardon mean meant instead scratch that make"))
STRONG = set(split("no sorry rather correction wait oops pardon mean meant scratch make actually"))
LINKS = set(split("i it to for on at the a an is be should in , - we with say of from that not my our do you can"))


def corrections(tokens: list[Token], kind_of: Callable[[Token], str], *, keep_first: bool = False) -> list[Token]:
    """The tokens after the customer's own corrections: `two, no, three adults` is three adults."""
    at = 0
    while at < len(tokens):
        token = tokens[at]
        before = tokens[at - 1].text if at else ""
        spaced = before in (",", "-", ".", "!") or token.text in (
            "mean",
            "meant",
            "correction",
            "scratch",
            "oops",
            "rather",
        )
        spaced = spaced or (before == "?" and token.text in ("sorry", "oops", "correction", "wait"))
        if token.text not in STRONG or not spaced:
            at += 1
            continue
        place = at + 1
        while place < len(tokens) and place - at < 8:
            if kind_of(tokens[place]) or tokens[place].text not in LINKS | MARKERS:
                break
            place += 1
        kind = kind_of(tokens[place]) if place < len(tokens) else ""
        old = last_of_kind(tokens, at, kind, kind_of) if kind else None
        if old is None or place - at < 1:
            at += 1
            continue
        tokens = put(tokens, old, at, place, keep_first=keep_first)
        at = old + 1
    return tokens


def last_of_kind(tokens: Sequence[Token], at: int, kind: str, kind_of: Callable[[Token], str]) -> int | None:
    """The place of the last value of a kind before a place, at most nine tokens back."""
    for index in range(at - 1, max(-1, at - 10), -1):
        other = kind_of(tokens[index])
        if other and (other == kind or {other, kind} <= {"num", "len", "wt", "dur", "age", "dist", "time", "money"}):
            return index
    return None


def put(tokens: list[Token], old: int, at: int, place: int, *, keep_first: bool) -> list[Token]:
    """The tokens with the corrected value in the place of the old."""
    first, new = tokens[old], tokens[place]
    if new.kind == "num" and first.kind in ("len", "wt", "dur", "age", "dist", "money"):
        new = replace(first, value=float(str(new.value)) * first.unit)
    rest = tokens[place + 1 :]
    following = tokens[old + 1].text if old + 1 < at else ""
    if first.kind == new.kind == "num" and rest and rest[0].text == following:
        rest = rest[1:]
    between = tokens[old + 1 : at]
    while between and between[-1].text in (",", "-", "i", ".", "or", "!"):
        between = between[:-1]
    if (
        first.kind == new.kind == "num"
        and rest
        and rest[0].kind == "word"
        and between
        and between[0].kind != "sign"
        and following != tokens[place + 1].text
        and rest[0].text not in LINKS | AFTER_TIME
    ):
        between = between[1:]
    return [*tokens[:old], first if keep_first else new, *between, *rest]


STARTERS = set(split("how what when where which who why whether"))
AUX = set(split("can could may do does is are will would must should am did has have shall"))
SUBJECTS = set(split("i we my the there it you dogs dog child adult your our he she they this that a an any children"))
FOLK = set(split("adult child infant senior dog wife husband partner me"))
MINE = set(
    split("is are weighs heavy will uses use has have needs need wants would can does goes travels comes must should")
)
OPENERS = ("also", "additionally", "secondly", "furthermore", "moreover", "then", "besides")
CLAIM = re.compile(
    r" (according to|apparently|(i|we) (heard|read|was told|were told|thought|think|believe|reckon|assume|guess|saw|bet"
    r"|suppose|am sure|am certain|am convinced|know that|know it|remember|always pay|always paid|paid)"
    r"|(friend|neighbour|neighbor|colleague|wife|husband|brother|sister|mother|father|mum|dad|son|daughter|boss|cousin|"
    r"guy|man|woman|lady|uncle|aunt|website|site|internet|google|leaflet|brochure|app|chatgpt|everyone|everybody"
    r"|somebody|"
    r"someone|staff|driver|people|they|he|she|adult|child|page|partner|flyer|poster|family|you)"
    r"( \w+){0,3} (say|says|said|told|tells|claims|claimed|thinks|thought|swears|insists|insisted|reckons|reckoned"
    r"|believes|mentioned|assured|quoted|promised|paid|heard|read)) "
)
PAST = re.compile(
    r" (was|were|had|did|went|took|came|travelled|traveled|bought|brought|visited|loved|enjoyed|ago|yesterday|used to"
    r"|last (year|week|month|summer|time|winter|spring)|been|saw|met|moved|stayed|sailed|waited) "
)
ASK = re.compile(
    r" (need|want|like|wish|tell|know|wonder|wondering|looking|interested|question|info|please|help|explain|advise"
    r"|ask|asking|give|show|send|let me|find|hoping|trying|quote) "
)
PLAN = re.compile(
    r" (i|we) (\S+ ){0,6}?(want|like|plan|planning|hope|hoping|need|have|going|intend|love) to "
    r"(go|travel|visit|sail|cross|come|bring|take|drive|be|stay) | (i|we) (have |had |already )*(book|bought) "
)
FINITE = re.compile(r" (am|is|are|have|has|was|were|had|will|would|do|does|come|comes|got|weighs|costs|can) ")


def clauses(tokens: list[Token]) -> list[Clause]:
    """The clauses of a message."""
    parts: list[list[Token]] = [[]]
    for index, token in enumerate(tokens):
        part = parts[-1]
        if token.kind == "sign" and token.text in (".", "?", "!", ";"):
            part.append(token)
            if len(part) > 1 or token.text == "?":
                parts.append([])
            continue
        if part and cuts(tokens, index, part):
            parts.append([])
        parts[-1].append(token)
    result: list[Clause] = []
    for part in parts:
        words = [token for token in part if token.kind != "sign" or token.text == "?"]
        if any(token.text != "?" for token in words):
            result.append(Clause(tuple(part), mood(part)))
    return result


def cuts(tokens: Sequence[Token], index: int, part: Sequence[Token]) -> bool:
    """Whether a new clause begins at a token."""
    before = part[-1].text
    token = tokens[index]
    words = [other.text for other in tokens[index : index + 7]]
    texts = [other.text for other in part]
    line = " " + " ".join(words) + " "
    conditional = texts[0] in ("if", "in", "suppose", "supposing", "should", "because", "when", "once", "after", "as")
    conditional = conditional or " if " in " " + " ".join(texts[:3]) + " " or texts[:2] == ["and", "if"]
    if texts[0] == "when" and len(texts) > 1 and texts[1] in AUX:
        conditional = False
    asked = any(text in STARTERS for text in texts[1:])
    joint = before in (",", "and", "but", "or", "-", ":", "so", "also")
    begins = CLAIM.match(line) or re.match(r" (my|a|our|the|an|some)( \w+)?" + CLAIM.pattern, line)
    if begins and (joint or before in ("because", "although", "though", "since", "as", "while", "and")):
        return True
    if len(words) > 1 and token.text in AUX and words[1] in SUBJECTS:
        if joint or before == "please":
            return not (conditional and not has_question(texts) and before == ",")
        return any(text in AUX for text in texts) and has_question(texts) and len(texts) > 3 and before not in STARTERS
    if before in ("and", ",") and len(words) > 1 and has_question(texts) and len(part) > 2:
        if token.text in ("do", "does", "can", "could", "may") and words[1] not in ("not", ",", "and"):
            return True
        if re.match(r" the \S+ (of (my|our|the) \S+ )?(is|are|has|came) ", line) and not conditional:
            return True
    if (
        before in ("and", ",")
        and len(words) > 1
        and len(part) > 2
        and token.text == "which"
        and words[1] not in ("is", "was", "i", "we", "has", "had", "you", "are", "were")
    ):
        return True
    if token.text in STARTERS and token.text not in ("when", "which", "whether", "who"):
        if conditional and not has_question(texts):
            return False
        return before not in ("no", "matter", "and", "or", "about") or (before in ("and", "or") and len(part) > 2)
    if before in (":", "-") and len(part) > 2 and token.text in STARTERS | AUX | {"i", "we", "my", "our", "the"}:
        return True
    if before == "," and token.text in ("just", "only", "but", "rather"):
        return True
    return joint and len(part) > 1 and cuts_joint(tokens, index, texts, conditional=conditional, asked=asked)


def cuts_joint(tokens: Sequence[Token], index: int, texts: Sequence[str], *, conditional: bool, asked: bool) -> bool:
    """Whether a new clause begins at a token after a comma or a word such as `and`."""
    before = texts[-1]
    token = tokens[index]
    words = [other.text for other in tokens[index : index + 7]]
    line = " " + " ".join(words) + " "
    folk = before == "and" and folk_before(texts)
    if token.text in ("i", "we", "you") and len(words) > 1 and before != "or" and not folk:
        listed = len(texts) > 2 and texts[-2] == "," and not conditional
        if ((asked if conditional else has_question(texts)) or listed) and words[1] not in (
            "to",
            "and",
            ",",
            "pay",
            "?",
        ):
            return True
    if token.text == "who" and len(words) > 1 and words[1] in ("do", "can", "should", "must", "will", "has"):
        return True
    if token.text in ("when", "which") and len(words) > 1 and (words[1] in AUX or words[1] in SUBJECTS):
        return not (conditional and not has_question(texts))
    if re.match(r" (i|we) (have|am|are|need|want|would|also|will|can|do) ", line) and not conditional and not folk:
        return True
    if token.text in ("please", "tell") or token.text in OPENERS:
        return True
    if token.text in ("my", "our") and len(words) > 2 and words[2] in MINE:
        return not conditional or has_question(texts)
    return token.text == "if" and has_question(texts)


def folk_before(texts: Sequence[str]) -> bool:
    """Whether the last `and` of the words joins people: my wife and I."""
    word = texts[-2] if len(texts) > 1 else ""
    return word in FOLK or word in ("#age", "#num")


def has_question(texts: Sequence[str]) -> bool:
    """Whether the words hold a question word or ask."""
    if next((text for text in texts if text not in ("and", "so", "hello", "hi", ",")), "") in AUX:
        return True
    pairs = zip(texts, [*texts[1:], ""], strict=False)
    return any(
        text in STARTERS - {"when", "which"} or (text in AUX and after in SUBJECTS) for text, after in pairs
    ) or (texts[0] in ("when", "which") or bool(ASK.search(" " + " ".join(texts) + " ")))


def mood(part: Sequence[Token]) -> str:
    """Whether a clause asks, tells, tells of the past, or claims."""
    text = " " + " ".join(token.text for token in part if token.text != ",") + " "
    if CLAIM.search(text) and not re.match(r" (and |but |so )?(how|what|when|where|can|do|is|are|could|may) ", text):
        return "claim"
    if text.endswith(" ? "):
        return "ask"
    if re.match(
        r" (and |but |so |or |also |okay |well |hi |hello |then )*(how|what|when|where|which|who|why|whether) ", text
    ):
        return "ask"
    head = text.split()
    heads = [word for word in head if word not in ("and", "but", "so", "or", "also", "hi", "hello", "okay", "then")]
    if len(heads) > 1 and heads[0] in AUX:
        return "ask"
    if re.search(r" (when|how|what|where) (\w+ )?(can|do|does|is|are|will|would|must|could|should) ", text):
        return "ask"
    if PLAN.search(text) and not re.search(r" (how|what|when|where|which|know|tell) ", text):
        return "tell"
    if PAST.search(text) and not re.search(r" (how|what|when) ", text):
        return "past"
    if ASK.search(text):
        return "ask"
    if re.match(r" (and |but |so |well |hi |hello |also |, )*(i|we|he|she|they) ", text):
        return "tell"
    return "tell" if FINITE.search(text) else "ask"
