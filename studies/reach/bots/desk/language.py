"""Plain-language reading: spelling, abbreviations, number words, dates and times in one normal form."""

import re
import unicodedata
from collections.abc import Collection, Iterable
from functools import lru_cache
from pathlib import Path

_COMMON: dict[str, int] = {
    word: rank for rank, word in enumerate((Path(__file__).parent / "words.txt").read_text("utf-8").split())
}
_ABBREVIATIONS: dict[str, str] = {
    "u": "you",
    "r": "are",
    "ur": "your",
    "pls": "please",
    "plz": "please",
    "plss": "please",
    "thx": "thanks",
    "ty": "thanks",
    "thnx": "thanks",
    "tks": "thanks",
    "hrs": "hours",
    "hr": "hour",
    "mins": "minutes",
    "min": "minutes",
    "wk": "week",
    "wks": "weeks",
    "nite": "night",
    "nites": "nights",
    "nts": "nights",
    "ppl": "people",
    "pax": "people",
    "pers": "people",
    "eur": "euro",
    "euros": "euro",
    "eu": "euro",
    "b4": "before",
    "adn": "and",
    "nad": "and",
    "teh": "the",
    "hte": "the",
    "fro": "for",
    "hv": "have",
    "wat": "what",
    "wut": "what",
    "wot": "what",
    "wanna": "want to",
    "gonna": "going to",
    "gimme": "give me",
    "dont": "do not",
    "cant": "can not",
    "im": "i am",
    "ive": "i have",
    "whats": "what is",
    "wheres": "where is",
    "whens": "when is",
    "hows": "how is",
    "isnt": "is not",
    "doesnt": "does not",
    "wont": "will not",
    "wouldnt": "would not",
    "theres": "there is",
    "thats": "that is",
    "its": "it is",
    "were": "were",
    "n": "and",
    "abt": "about",
    "bc": "because",
    "k": "ok",
    "okay": "ok",
    "yrs": "years",
    "yr": "year",
    "yo": "years old",
    "tmrw": "tomorrow",
    "tmr": "tomorrow",
    "hw": "how",
    "hwo": "how",
    "ho": "how",
    "muhc": "much",
    "mcuh": "much",
    "mch": "much",
    "cannot": "can not",
    "wich": "which",
    "wen": "when",
    "whn": "when",
    "cud": "could",
    "shud": "should",
    "wud": "would",
    "yu": "you",
    "yuo": "you",
    "oyu": "you",
    "od": "do",
    "si": "is",
    "si.": "is",
    "fo": "of",
    "nd": "and",
    "te": "the",
    "th": "the",
    "cost?": "cost",
    "qty": "quantity",
    "pcs": "pieces",
    "pc": "piece",
    "pgs": "pages",
    "approx": "about",
    "colour": "colour",
    "color": "colour",
    "colours": "colour",
    "colors": "colour",
    "kiddos": "kids",
    "h": "hours",
    "woud": "would",
    "wuold": "would",
    "wold": "would",
}
_CONTRACTIONS: tuple[tuple[str, str], ...] = (
    (r"\bcan't\b", "can not"),
    (r"\bwon't\b", "will not"),
    (r"\bshan't\b", "shall not"),
    (r"n't\b", " not"),
    (r"\b(i)'m\b", r"\1 am"),
    (r"'re\b", " are"),
    (r"'ve\b", " have"),
    (r"'ll\b", " will"),
    (r"'d\b", " would"),
    (r"\b(what|where|when|how|who|that|it|there|he|she|here)'s\b", r"\1 is"),
    (r"\bo'? ?clock\b", "oclock"),
    (r"\blet's\b", "let us"),
    (r"'s\b", ""),
    (r"\bw/o\b", "without "),
    (r"\bw/", "with "),
    (r"'", ""),
)
_UNITS: dict[str, int] = {
    "zero": 0,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
    "thirteen": 13,
    "fourteen": 14,
    "fifteen": 15,
    "sixteen": 16,
    "seventeen": 17,
    "eighteen": 18,
    "nineteen": 19,
}
_TENS: dict[str, int] = {
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fourty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
}
_SCALES: dict[str, int] = {"hundred": 100, "thousand": 1000}
_ORDINALS: dict[str, int] = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "ninth": 9,
    "tenth": 10,
    "eleventh": 11,
    "twelfth": 12,
    "thirteenth": 13,
    "fourteenth": 14,
    "fifteenth": 15,
    "sixteenth": 16,
    "seventeenth": 17,
    "eighteenth": 18,
    "nineteenth": 19,
    "twentieth": 20,
    "thirtieth": 30,
}
_MONTH_NAMES: tuple[str, ...] = (
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
_MONTHS: dict[str, int] = {
    **{name: number for number, name in enumerate(_MONTH_NAMES, 1)},
    **{name[:3]: number for number, name in enumerate(_MONTH_NAMES, 1) if name != "may"},
    "sept": 9,
}
_MONTH = "(" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + ")"
_LENGTHS: tuple[int, ...] = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_NOT_COUNTED: frozenset[str] = frozenset(
    [
        "the",
        "this",
        "that",
        "which",
        "each",
        "no",
        "another",
        "any",
        "every",
        "big",
        "small",
        "last",
        "first",
        "large",
        "small",
        "cheap",
        "cheapest",
        "other",
        "some",
        "bigger",
        "smaller",
        "good",
        "better",
        "best",
        "such",
        "what",
    ]
)
_COUNTED: frozenset[str] = frozenset(
    [
        "night",
        "nights",
        "days",
        "weeks",
        "week",
        "hour",
        "hours",
        "minutes",
        "adults",
        "people",
        "persons",
        "children",
        "kids",
        "dogs",
        "euro",
        "euros",
        "pages",
        "copies",
        "inches",
        "years",
        "cars",
        "posters",
        "flyers",
        "cards",
        "pieces",
    ]
)
_PARTS = re.compile(r"\n|[dt]_\d{4}|\d+(?:st|nd|rd|th)\b|\d+:\d\d|\d+(?:\.\d+)?|[a-z][a-z0-9_]*|[.?!;,]|[%/]|euro")


def _edits(word: str) -> set[str]:
    letters = "abcdefghijklmnopqrstuvwxyz"
    halves = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    out = {left + right[1:] for left, right in halves if right}
    out |= {left + right[1] + right[0] + right[2:] for left, right in halves if len(right) > 1}
    out |= {left + letter + right[1:] for left, right in halves if right for letter in letters}
    out |= {left + letter + right for left, right in halves for letter in letters}
    return out


def _distance(left: str, right: str, limit: int) -> int:
    if abs(len(left) - len(right)) > limit:
        return limit + 1
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        older, before = before, row
        row = [i]
        for j, b in enumerate(right, 1):
            best = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if older and j > 1 and a == right[j - 2] and left[i - 2] == b:
                best = min(best, older[j - 2] + 1)
            row.append(best)
        if min(row) > limit:
            return limit + 1
    return row[-1]


class Reader:
    """Reads messages with the words of a trade."""

    def __init__(self, vocabulary: Iterable[str]) -> None:
        self.words: frozenset[str] = frozenset(vocabulary) | frozenset(_UNITS) | frozenset(_TENS) | frozenset(_SCALES)
        self.words |= frozenset(_MONTH_NAMES) | frozenset(_ORDINALS)
        self.words |= frozenset(
            [
                "how",
                "much",
                "many",
                "what",
                "when",
                "where",
                "which",
                "night",
                "nights",
                "week",
                "weeks",
                "day",
                "days",
                "hour",
                "hours",
                "minutes",
                "please",
                "thanks",
                "price",
                "prices",
                "cost",
                "costs",
                "euro",
                "without",
                "with",
                "noon",
                "midnight",
                "monday",
                "tuesday",
                "wednesday",
                "thursday",
                "friday",
                "saturday",
                "sunday",
                "oclock",
                "euros",
            ]
        )
        self._long = sorted(word for word in self.words if len(word) >= 7)
        self.correct = lru_cache(maxsize=20000)(self._correct)

    def known(self, word: str) -> bool:
        """Whether a word needs no correction."""
        if word in self.words or word in _MONTHS or word in _ABBREVIATIONS:
            return True
        rank = _COMMON.get(word)
        return rank is not None and (len(word) > 3 or rank < 1500)

    def _correct(self, word: str) -> str:
        if word in _ABBREVIATIONS:
            return _ABBREVIATIONS[word]
        if self.known(word) or len(word) < 3 or not word.isalpha() or word.startswith("xname"):
            return word
        squeezed = re.sub(r"(.)\1{2,}", r"\1", word)
        if squeezed != word:
            return self._correct(squeezed) if len(squeezed) > 1 else word
        near = [other for other in _edits(word) if other in self.words]
        if near:
            best_word = min(near, key=lambda other: (other[0] != word[0], abs(len(other) - len(word)) != 0, other))
            return _ABBREVIATIONS.get(best_word, best_word)
        split = self._split(word)
        if split:
            return split
        if len(word) > 3:
            near = [other for other in _edits(word) if _COMMON.get(other, 99999) < 3000 and len(other) > 2]
            if near:
                return min(near, key=lambda other: _COMMON[other])
        if len(word) >= 7:
            scored = [(_distance(word, other, 2), other) for other in self._long]
            best = min(scored, default=(3, ""))
            if best[0] <= 2:
                return best[1]
        return word

    def _split(self, word: str) -> str:
        best = ""
        score = 10**9
        for place in range(1, len(word)):
            left, right = word[:place], word[place:]
            rank = 0
            for part in (left, right):
                if len(part) == 1 and part not in "ai":
                    rank += 10**9
                elif part in self.words:
                    rank += 200
                else:
                    limit = 300 if len(part) < 3 else 1500
                    place_in_list = _COMMON.get(part, 10**9)
                    rank += place_in_list if place_in_list < limit else 10**9
            if rank < score:
                best, score = f"{left} {right}", rank
        return best if score < 10**8 else ""

    def read(self, text: str, faults: Collection[str] = ()) -> str:
        """The message in normal form: lower case, corrected, numbers as digits, t_hhmm times and d_mmdd dates."""
        text = re.sub('(?<=\\d)\\s?["″”]', " inch ", text)
        text = unicodedata.normalize("NFKD", text.replace("½", ".5").replace("×", "x"))
        text = "".join(char for char in text if not unicodedata.combining(char)).lower()
        text = re.sub("[‘’´`ʼ]", "'", text)
        text = re.sub("[‐‑‒–—−]", "-", text)
        text = text.replace("…", ". ").replace("€", " euro ").replace("£", " pound ").replace("$", " dollar ")
        text = re.sub(r"\b([ap])\.\s?m\b\.?", r"\1m", text)
        for pattern, other in _CONTRACTIONS:
            text = re.sub(pattern, other, text)
        text = self._numerals(text, faults)
        text = text.replace("&", " and ").replace("+", " and ").replace("-", " ")
        tokens = self._tokens(_PARTS.findall(text))
        text = " ".join(self._numbers(tokens, faults))
        return _moments(text, faults)

    def _numerals(self, text: str, faults: Collection[str]) -> str:
        if "thousands" in faults:
            text = re.sub(r"\b(\d{1,3})[.,]\d{3}\b(?![.,]?\d)", r"\1", text)
        text = re.sub(r"\b\d{1,3}(?:[.,]\d{3})+\b(?![.,]?\d)", lambda hit: re.sub(r"[.,]", "", hit[0]), text)
        text = re.sub(r"\b([1-9]\d{0,2}) (000)\b", r"\1\2", text)
        text = re.sub(r"(?<=\d) ?x ?(?=\d)", " x ", text)
        text = re.sub(r"\b(\d+)k\b", r"\g<1>000", text)
        text = re.sub(r"\b(\d{4})-(\d\d)-(\d\d)\b", lambda hit: f" d_{hit[2]}{hit[3]} ", text)
        text = re.sub(
            r"\b((?:at|by|until|till|from|around|after|before|about) )(\d{1,2})\.([0-5]\d)\b", r"\1\2:\3", text
        )
        text = re.sub(r"\b(\d{1,2})\.([0-5]\d) ?(am|pm|h|hours|oclock|uhr)\b", r"\1:\2 \3", text)
        text = re.sub(r"\b(\d{1,2})h([0-5]\d)\b", r"\1:\2", text)
        text = re.sub(r"\b([01]\d|2[0-3])([0-5]\d) ?(?:h|hours|hrs)\b", r"\1:\2", text)
        text = re.sub(r"\b(\d{1,2})/(\d{1,2})(?:/\d{2,4})?\b", lambda hit: _numeric(hit[1], hit[2], faults), text)
        text = re.sub(
            r"\b(\d{1,2})\.(\d{1,2})\.(?:\d{4}\b|\d\d\b)?", lambda hit: _numeric(hit[1], hit[2], faults), text
        )
        text = re.sub(r"(?<=\d),(?=\d{1,2}\b(?!\s*(?:and|,)\s*\d))", ".", text)
        text = re.sub(
            r"(?<=\d)(?=(?:am|pm|euro|nights?|days?|weeks?|hours?|hrs?|h|mins?|people|dogs?|kids?)\b)", " ", text
        )
        text = re.sub(r"\b(\d+(?:\.\d+)?)(?!st\b|nd\b|rd\b|th\b)([a-z])", r"\1 \2", text)
        return re.sub(r"\bx ?(\d+)\b", r"x \1", text)

    def _tokens(self, parts: list[str]) -> list[str]:
        out: list[str] = []
        skip = False
        for place, part in enumerate(parts):
            if skip:
                skip = False
                continue
            after = parts[place + 1] if place + 1 < len(parts) else ""
            joined = part + after
            if (
                part.isalpha()
                and after.isalpha()
                and joined in self.words
                and not (self.known(part) and self.known(after))
            ):
                out.append(joined)
                skip = True
            elif (
                len(part) > 3
                and part.isalpha()
                and out
                and out[-1] != "."
                and (out[-1].isdigit() or out[-1] in _UNITS or out[-1] in _TENS)
            ):
                units = sorted(_edits(part) & _COUNTED) if part not in self.words and part not in _ABBREVIATIONS else []
                out.extend((_ABBREVIATIONS.get(units[0], units[0]) if units else self.correct(part)).split())
            else:
                out.extend(self.correct(part).split())
        return out

    def _numbers(self, tokens: list[str], faults: Collection[str]) -> list[str]:
        out: list[str] = []
        place = 0
        while place < len(tokens):
            value, used = _spoken(tokens, place, "compound_numbers" in faults)
            if used:
                out.append(f"{value:g}" if value < 100000 else str(int(value)))
                place += used
            else:
                out.append(tokens[place])
                place += 1
        return out


def _spoken(tokens: list[str], place: int, short: bool) -> tuple[float, int]:  # noqa: C901, PLR0912
    start = place
    word = tokens[place]
    if word == "half" and tokens[place + 1 : place + 3] == ["a", "dozen"]:
        return 6, 3
    if word == "half" and tokens[place + 1 : place + 3] == ["an", "hour"]:
        return 0.5, 2
    if word in {"a", "one"} and tokens[place + 1 : place + 2] == ["dozen"]:
        return 12, 2
    if tokens[place + 1 : place + 2] == ["dozen"] and (word.isdigit() or word in _UNITS):
        return 12 * (int(word) if word.isdigit() else _UNITS[word]), 2
    if word == "dozen":
        return 12, 1
    if word == "a" and tokens[place + 1 : place + 3] == ["couple", "of"]:
        return 2, 3
    if word == "one" and place and tokens[place - 1] in _NOT_COUNTED:
        return 0, 0
    if word == "one" and tokens[place + 1 : place + 2] == ["of"]:
        return 0, 0
    if word.isdigit() and tokens[place + 1 : place + 4] == ["and", "a", "half"]:
        return int(word) + 0.5, 4
    if word.isdigit() and tokens[place + 1 : place + 2] and tokens[place + 1] in _SCALES:
        return int(word) * _SCALES[tokens[place + 1]], 2
    total = 0
    current = 0
    seen = False
    last = ""
    if word in {"a", "an"}:
        if tokens[place + 1 : place + 2] and tokens[place + 1] in _SCALES:
            current, seen, last = 1, True, "unit"
            place += 1
        else:
            return 0, 0
    while place < len(tokens):
        word = tokens[place]
        if word in _UNITS and last in {"", "tens", "scale"}:
            if last == "tens" and _UNITS[word] > 9:
                break
            current += 0 if short and last == "tens" else _UNITS[word]
            last = "unit"
        elif word in _TENS and last in {"", "scale"}:
            current += _TENS[word]
            last = "tens"
        elif word in _SCALES and seen:
            if word == "hundred":
                current *= 100
            else:
                total += current * 1000
                current = 0
            last = "scale"
        elif (
            word == "and"
            and last == "scale"
            and tokens[place + 1 : place + 2]
            and (tokens[place + 1] in _UNITS or tokens[place + 1] in _TENS)
        ):
            place += 1
            continue
        else:
            break
        seen = True
        place += 1
    if not seen:
        return 0, 0
    if tokens[place : place + 3] == ["and", "a", "half"]:
        return total + current + 0.5, place - start + 3
    return total + current, place - start


def _numeric(first: str, second: str, faults: Collection[str]) -> str:
    day, month = int(first), int(second)
    if ("month_first" in faults and day <= 12) or (month > 12 >= day):
        day, month = month, day
    if not (1 <= month <= 12 and 1 <= day <= _LENGTHS[month - 1]):
        return f" {first}.{second} "
    return f" d_{month:02d}{day:02d} "


def day_of_year(date: int) -> int:
    """The number of a mmdd date in a leap year."""
    return sum(_LENGTHS[: date // 100 - 1]) + date % 100


def month_name(month: int) -> str:
    """The English name of a month."""
    return _MONTH_NAMES[month - 1].capitalize()


def _clock(hour: int, minute: int, half: str) -> str:
    if half in {"pm", "afternoon", "evening", "night"} and hour < 12:
        hour += 12
    elif half == "night" and hour == 12:
        hour = 24
    elif half in {"am", "morning"} and hour == 12:
        hour = 0
    elif half == "guess" and 1 <= hour < 7:
        hour += 12
    return f"t_{hour:02d}{minute:02d}" if hour <= 24 and minute < 60 else f"{hour}:{minute:02d}"


def _moments(text: str, faults: Collection[str]) -> str:
    ordinals = "|".join(_ORDINALS)

    def ordinal(hit: re.Match[str]) -> str:
        return f"{(20 if hit[1] == 'twenty' else 30 if hit[1] == 'thirty' else 0) + _ORDINALS[hit[2]]}th"

    text = re.sub(rf"\b(20|30) ({ordinals})\b", lambda hit: f"{int(hit[1]) + _ORDINALS[hit[2]]}th", text)
    text = re.sub(rf"\b()({ordinals})\b(?= (?:of )?{_MONTH}\b)", ordinal, text)
    text = re.sub(rf"(?<= )()(?<=\w )({ordinals})\b", lambda hit: _late_ordinal(hit, text), text)
    text = re.sub(r"\b(\d{1,2})(?:st|nd|rd|th)\b", r"\1th", text)
    year = r"(?:(?: ,)? 20\d\d\b)?"
    count = r"(\d{1,2})(?:th)?"
    till = "(?:to|until|till|through|and)"

    def date(day: str, month: str) -> str:
        number = _MONTHS[month]
        return f"d_{number:02d}{int(day):02d}" if 1 <= int(day) <= _LENGTHS[number - 1] else f"{day} {month}"

    def span(day: str, month: str, last: str) -> str:
        length = int(last) - int(day)
        return f"{date(day, month)} for {length} nights" if length > 0 else f"{date(day, month)}"

    text = re.sub(
        rf"\b{count} {till} (?:the )?{count} (?:of )?{_MONTH}\b{year}", lambda h: span(h[1], h[3], h[2]), text
    )
    text = re.sub(
        rf"\b(?<!\d ){_MONTH} (?:the )?{count} {till} (?:the )?{count}\b{year}(?! {_MONTH})(?! \w*(?:oclock|pm|am)\b)",
        lambda h: span(h[2], h[1], h[3]),
        text,
    )
    text = re.sub(rf"\b{count} (?:of )?{_MONTH}\b{year}", lambda h: date(h[1], h[2]), text)
    text = re.sub(
        rf"\b{_MONTH} (?:the )?{count}\b(?!:)(?! (?:nights?|people|adults|days|weeks|am|pm|dogs?)\b){year}",
        lambda h: date(h[2], h[1]),
        text,
    )
    text = re.sub(
        rf"\b(in|of|during|for|early|late|mid|throughout|or|and|beginning of|end of) {_MONTH}\b",
        lambda h: f"{h[1]} m_{_MONTHS[h[2]]:02d}" if h[2] not in {"mar", "sun"} else h[0],
        text,
    )
    text = re.sub(r"\bmay\b(?= ?(?:$|[.?!,;]))", "m_05", text)
    text = re.sub(rf"\b(?!may\b|march\b|mar\b|dec\b|jan\b){_MONTH}\b", lambda h: f"m_{_MONTHS[h[1]]:02d}", text)
    text = re.sub(
        r"\bd_(\d{4}) (?:to|until|till|through) (?:the )?d_(\d{4})\b",
        lambda h: f"d_{h[1]} for {max(1, day_of_year(int(h[2])) - day_of_year(int(h[1])))} nights",
        text,
    )
    # times
    part = r"(?: (?:in the |at |this )?(am|pm|morning|afternoon|evening|night)\b)"

    def half(word: str | None) -> str:
        return "guess" if word is None or "pm_lost" in faults else word

    text = re.sub(
        r"\bhalf past (\d{1,2})(?: oclock)?\b" + part + "?", lambda h: _clock(int(h[1]), 30, half(h[2])), text
    )
    text = re.sub(r"\b(?:a )?quarter past (\d{1,2})\b" + part + "?", lambda h: _clock(int(h[1]), 15, half(h[2])), text)
    text = re.sub(
        r"\b(?:a )?quarter to (\d{1,2})\b" + part + "?",
        lambda h: _clock(int(_clock(int(h[1]), 0, half(h[2]))[2:4]) - 1, 45, "24"),
        text,
    )

    def stated(hit: re.Match[str]) -> str:
        word = hit[3]
        if "pm_lost" in faults and word is not None:
            word = "24"
        if word == "night" and int(hit[1]) < 6:
            word = "24"
        return _clock(int(hit[1]), int(hit[2] or 0), word or "24")

    text = re.sub(r"\b(\d{1,2}):([0-5]\d)\b(?: (?:oclock|hours|hour|h)\b)?" + part + "?", stated, text)
    text = re.sub(r"\b(\d{1,2})() (?:oclock )?(?:in the |at |this )(morning|afternoon|evening|night)\b", stated, text)
    text = re.sub(r"\b(\d{1,2}) (?:oclock )?()(am|pm)\b", stated, text)
    text = re.sub(
        r"\b(at|by|until|from|around) (\d{1,2}) hours\b", lambda h: f"{h[1]} {_clock(int(h[2]), 0, '24')}", text
    )
    text = re.sub(r"\b(\d{1,2}) (?:oclock|sharp)\b", lambda h: _clock(int(h[1]), 0, "guess"), text)
    text = re.sub(
        r"\b(at|by|until|till|around|after|before|from) (?:about "
        r"|around )?(\d{1,2})(?= ?(?:$|[.,?!;]|on\b|and we\b|if\b|"
        r"today|tomorrow|tonight|ok\b|or\b|because|with\b|but\b|to\b|is\b|for the\b|too\b))",
        lambda h: f"{h[1]} {_clock(int(h[2]), 0, 'guess')}",
        text,
    )
    text = re.sub(r"\b(?:noon|midday)\b", "t_1200", text)
    text = re.sub(r"\bmidnight\b", "t_2400", text)
    return re.sub(r" +", " ", text).strip()


def _late_ordinal(hit: re.Match[str], text: str) -> str:
    before = text[: hit.start()].split()[-2:]
    months = {word for word in before if word in _MONTHS}
    return f"{_ORDINALS[hit[2]]}th" if months and (before[-1] in _MONTHS or before[-1] == "the") else hit[0]
