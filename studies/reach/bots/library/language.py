"""Reads a message: spelling, short forms, numbers, dates, times, ages and measures become plain tokens."""

from __future__ import annotations

import json
import re
import unicodedata
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Callable, Collection

ONES = {
    w: i
    for i, w in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen".split()
    )
}
TENS = {w: 10 * i for i, w in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}
ORDINALS = {
    w: i
    for i, w in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
        "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split(),
        1,
    )
} | {"thirtieth": 30}
MONTHS = {
    w: i
    for i, w in enumerate(
        "january february march april may june july august september october november december".split(), 1
    )
}
DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_SHORT_MONTHS = {m[:3]: m for m in MONTHS} | {"sept": "september"}
_MONTH = "|".join([*MONTHS, *_SHORT_MONTHS])
_DATA = Path(__file__).parent
_WORDS, _, _NAMES = (_DATA / "plain_words.txt").read_text(encoding="utf-8").partition("--names--")
TARGETS = frozenset(_WORDS.split())
PLAIN = TARGETS | frozenset(_NAMES.split())
DOMAIN = frozenset((_DATA / "trade_words.txt").read_text(encoding="utf-8").split())
COUNTED = {
    "nights",
    "night",
    "people",
    "days",
    "weeks",
    "hours",
    "adults",
    "guests",
    "children",
    "kids",
    "books",
    "minutes",
}
VOCABULARY = DOMAIN | set(ONES) | set(TENS) | set(ORDINALS) | set(MONTHS) | set(DAYS) | {"hundred", "thousand"}

_SHORT_FORMS: list[list[str]] = json.loads((_DATA / "short_forms.json").read_text(encoding="utf-8"))


def distance(a: str, b: str) -> int:
    """Number of slips (wrong, missing, extra or swapped letters) between two words."""
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        new = [i]
        for j, y in enumerate(b, 1):
            cost = min(row[j] + 1, new[j - 1] + 1, row[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, before[j - 2] + 1)
            new.append(cost)
        before, row = row, new
    return row[-1]


def known(word: str) -> bool:
    """Whether the word needs no correction."""
    stems = [word[: -len(e)] for e in ("ed", "ing", "er", "ly", "es") if word.endswith(e) and len(word) > len(e) + 2]
    if any(
        x in PLAIN or x in VOCABULARY
        for s in stems
        if s[-1] != "e"
        for x in (
            s if len(s) > 3 else "",
            s + "e",
            s[:-1] if re.search(r"[^aeiou][aeiou]([^aeiou])\1$", s) else s + "e",
        )
    ):
        return True
    return (
        word in PLAIN
        or word in VOCABULARY
        or word in _SHORT_MONTHS
        or word.startswith("qqx")
        or (word.endswith("s") and (word[:-1] in VOCABULARY or word[:-1] in PLAIN))
    )


def _far(a: str, b: str) -> int:
    """1 if the words differ in one letter by keys that do not lie side by side."""
    other = [(x, y) for x, y in zip(a, b) if x != y]
    if len(a) != len(b) or len(other) != 1:
        return 0
    place = {
        c: (row, i + row / 2)
        for row, keys in enumerate(("qwertyuiop", "asdfghjkl", "zxcvbnm"))
        for i, c in enumerate(keys)
    }
    (r1, c1), (r2, c2) = place[other[0][0]], place[other[0][1]]
    return int(abs(r1 - r2) > 1 or abs(c1 - c2) > 1)


@lru_cache(maxsize=50_000)
def fix(word: str) -> str:
    """The word a misspelt word stands for, or the word itself."""
    if len(word) < 3 or known(word):
        return word
    once = re.sub(r"(.)\1\1+", r"\1", word)
    for form in (once, re.sub(r"(.)\1\1+", r"\1\1", word), re.sub(r"(.)\1+", r"\1", word)):
        if form != word and (form in PLAIN or form in VOCABULARY):
            return form
    best: list[tuple[int, int, str]] = []
    for group, cost in ((VOCABULARY, 0), (TARGETS, 1)):
        for other in group:
            if len(other) < 3 or abs(len(other) - len(word)) > 2:
                continue
            size = min(len(word), len(other))
            if size <= 3 and not (
                sorted(other) == sorted(word)
                or (len(other) == 3 and len(word) == 4)
                or (len(word) == 3 and len(other) == 4 and cost == 0)
            ):
                continue
            if size <= 5 and other[0] != word[0] and sorted(other[:2]) != sorted(word[:2]):
                continue
            allowed = 2 if size >= 9 else 1
            gap = distance(word, other)
            if gap <= allowed:
                best.append((2 * gap + cost + (other[0] != word[0]) + _far(word, other), -len(other), other))
    if best:
        return min(best)[2]
    if len(word) >= 6:
        for cut in range(2, len(word) - 1):
            left, right = word[:cut], word[cut:]
            if known(left) and known(right) and (left in VOCABULARY or right in VOCABULARY) and len(right) > 1:
                return left + " " + right
    return word


def _spelling(text: str, guess: bool = False) -> str:
    """Text with its misspelt words corrected; names after a title or "name" stay."""
    words = re.findall(r"[a-z]+|[^a-z]+", text)
    for i in range(len(words) - 2):
        joined = words[i] + words[i + 2]
        if (
            words[i + 1] == " "
            and words[i] not in {"st", "nd", "rd", "th"}
            and joined in VOCABULARY
            and not (known(words[i]) and known(words[i + 2]))
        ):
            words[i], words[i + 1], words[i + 2] = joined, "", ""
    recent: list[str] = []
    for i, word in enumerate(words):
        if word.isalpha():
            named = "name" in recent[-3:] or (recent and recent[-1] in {"mr", "mrs", "ms", "miss", "dr"})
            recent.append(word)
            words[i] = word if named else fix(word)
            if (
                not named
                and i + 2 < len(words)
                and words[i + 2] in COUNTED
                and not (known(word) and word not in {"thee", "tree", "tow", "too", "fife", "sic", "seen", "sex"})
            ):
                near = [n for n in ONES if len(n) > 2 and distance(n, word) == 1]
                words[i] = near[0] if near else words[i]
            if guess and words[i] in DAYS and not known(word):
                words[i] = next(
                    d for d in ("monday", "tuesday", "wednesday", "friday", "saturday") if d[0] == words[i][0]
                )
            recent[-1] = words[i]
    return "".join(words)


def _number_words(text: str, limit: int) -> str:
    """Numbers in words become digits; words for numbers above `limit` are left."""
    small = "|".join(ONES)
    sub = rf"(?:(?:{'|'.join(TENS)})(?:[ -](?:{'|'.join(list(ONES)[1:10])}))?|(?:{small}))"
    pattern = re.compile(rf"\b(?:(?:(?:a|{small}) hundred(?: and)?(?: {sub})?)|{sub})\b")

    def digits(match: re.Match[str]) -> str:
        words = match.group().replace("-", " ").split()
        before = text[: match.start()].split()[-1:]
        after = text[match.end() :].split()[:1]
        if words == ["one"] and (
            before
            and before[0]
            in {
                "this",
                "that",
                "which",
                "no",
                "the",
                "any",
                "every",
                "each",
                "another",
                "other",
                "last",
                "next",
                "some",
            }
            or after == ["of"]
        ):
            return match.group()
        total = 0
        for word in words:
            if word == "hundred":
                total = max(total, 1) * 100
            else:
                total += ONES.get(word, 0) + TENS.get(word, 0)
        return str(total) if total <= limit else match.group()

    text = re.sub(r"\bhalf (?:a )?dozen\b", "6", text)
    text = re.sub(r"\b(?:a|1) dozen\b", "12", text)
    text = re.sub(r"\b(?:a )?(?:couple|pair) of(?= )", "2", text)
    text = pattern.sub(digits, text)
    return re.sub(r"\b(\d+) and a half\b", lambda m: m.group(1) + ".5", text)


def _day(year: int | None, month: int, day: int) -> str:
    """Token of a date, or of one that does not exist."""
    try:
        date(year or 2028, month, day)
    except ValueError:
        return f"<nodate {day}/{month}>"
    return f"<date {year:04d}-{month:02d}-{day:02d}>" if year else f"<date {month:02d}-{day:02d}>"


def _dates(text: str, american: bool) -> str:
    """Dates become tokens <date 06-12> or <date 2027-06-12>, months <month 6>."""
    text = re.sub(r"\b(\d{4})-(\d{1,2})-(\d{1,2})\b", lambda m: _day(int(m[1]), int(m[2]), int(m[3])), text)

    def numeric(match: re.Match[str]) -> str:
        day, month, year = int(match[1]), int(match[2]), int(match[3] or 0)
        if american and day <= 12 or month > 12 >= day:
            day, month = month, day
        if not 1 <= month <= 12 or not 1 <= day <= 31:
            return match.group()
        return _day(year + 2000 if 0 < year < 100 else year or None, month, day)

    text = re.sub(r"(?<!on )(?<!from )(?<!the )\b24/7\b", "around the clock", text)
    text = re.sub(r"\b(\d{1,2})/(\d{1,2})(?:/(\d{4}|\d\d))?\b(?!/)", numeric, text)
    text = re.sub(r"\b(\d{1,2})\.(\d{1,2})\.(\d{4}|\d\d)?(?!\d)", numeric, text)
    text = re.sub(r"\b(\d{1,2})-(\d{1,2})-(\d{4})\b", numeric, text)
    words = "|".join(sorted(ORDINALS, key=len, reverse=True))
    tens = {"twenty": 20, "thirty": 30, "20": 20, "30": 30}
    text = re.sub(rf"\b(twenty|thirty|20|30)[ -]({words})\b", lambda m: f"{tens[m[1]] + ORDINALS[m[2]]}th", text)
    text = re.sub(
        rf"\b({words})(?= (?:(?:of )?(?:{_MONTH})|(?:to|till|until|through) the)\b)|(?<=the )({words})(?= of)",
        lambda m: f"{ORDINALS[m[1] or m[2]]}th",
        text,
    )
    text = re.sub(rf"\b((?:{_MONTH})) (?:the )?({words})\b", lambda m: f"{m[1]} {ORDINALS[m[2]]}th", text)
    num, link = r"(\d{1,2})(?:st|nd|rd|th)?", r" ?(?:-|to|till|until|through|and) ?(?:the )?"
    month = {**MONTHS, **{k: MONTHS[v] for k, v in _SHORT_MONTHS.items()}}
    year = r"(?:,? (\d{4})\b)?"

    def two(match: re.Match[str], m: str, a: str, b: str) -> str:
        y = int(match[4]) if match[4] else None
        return f"{_day(y, month[m], int(a))} to {_day(y, month[m], int(b))}"

    text = re.sub(
        rf"\b{num}(?: of)?{link}{num} (?:of )?({_MONTH})\b\.?{year}", lambda m: two(m, m[3], m[1], m[2]), text
    )
    text = re.sub(
        rf"\b({_MONTH})\.? (?:the )?{num}{link}{num}\b{year}(?! (?:{_MONTH})\b)",
        lambda m: two(m, m[1], m[2], m[3]),
        text,
    )
    text = re.sub(
        rf"\b{num} ?(?:of )?({_MONTH})\b\.?{year}",
        lambda m: _day(int(m[3]) if m[3] else None, month[m[2]], int(m[1])),
        text,
    )
    sure = [m for m in month if m not in {"may", "mar", "march"}]
    text = re.sub(
        rf"\b({'|'.join(sure)})\.? (?:the )?{num}\b(?! ?(?:nights?|people|days|:|am\b|pm\b)){year}",
        lambda m: _day(int(m[3]) if m[3] else None, month[m[1]], int(m[2])),
        text,
    )
    text = re.sub(
        rf"\b(may|mar|march) (?:the )?(\d{{1,2}})(st|nd|rd|th)\b{year}|(?:(?<=on )|(?<=from )|(?<=to )|"
        rf"(?<=until )|(?<=till )|(?<=arriving )|(?<=day )|(?<=day, ))(may|march) (\d{{1,2}})\b(?! people)",
        lambda m: _day(int(m[4]) if m[4] else None, month[m[1] or m[5]], int(m[2] or m[6])),
        text,
    )
    text = re.sub(
        rf"\b({'|'.join(MONTHS)})\b(?<!may)(?<!march)|(?:(?<=in )|(?<=during )|(?<=early )|(?<=late )|(?<=mid ))"
        r"(may|march)\b",
        lambda m: f"<month {month[m[1] or m[2]]}>",
        text,
    )
    return text


def _times(text: str, lose_pm: bool) -> str:
    """Times of day become tokens <time 19:30>, an hour that may be morning or evening <hour 7>."""
    part = r"(?: ?(?:in the|at|this|on) (morning|afternoon|evening|night)| (tonight))"

    def clock(hour: int, minute: int, half: str | None) -> str:
        if hour > 24 or minute > 59:
            return f"{hour}:{minute:02d}"
        if half in ("pm", "afternoon", "evening", "tonight") and hour < 12 or half == "night" and 5 < hour < 12:
            if not (lose_pm and minute):
                hour += 12
        elif half in ("am", "morning", "night") and hour == 12:
            hour = 0
        return f"<time {hour % 24:02d}:{minute:02d}>"

    text = re.sub(r"\b([ap])\. ?m\b\.?", r"\1m", text)
    text = re.sub(r"(\d) ?([ap]) m\b", r"\1\2m", text)
    text = re.sub(r"\b(?:12 )?(?:o'?clock )?(?:noon|midday)\b", "<time 12:00>", text)
    text = re.sub(r"\b(?:12 )?midnight\b", "<time 00:00>", text)

    def spoken(match: re.Match[str]) -> str:
        hour = int(match[2])
        minute = {"half past": 30, "half": 30, "quarter past": 15, "quarter to": 45}[match[1].replace("a ", "")]
        hour = (hour - 1 or 12) if minute == 45 else hour
        half = match[3] or match[4] or match[5]
        return clock(hour, minute, half) if half or hour > 12 else f"<hour {hour}:{minute:02d}>"

    text = re.sub(
        rf"\b((?:a )?quarter past|half past|(?:a )?quarter to|half(?= \d+ ?(?:[?.!,]|$|in the|am|pm)))"
        rf" (\d{{1,2}})(?: o'?clock)?(?: ?(am|pm)\b|{part})?",
        spoken,
        text,
    )
    text = re.sub(
        r"(?<!hour )(?<!time )\b(\d{1,2})(?::|(?<=\d)h|\.(?=\d\d ?(?:am|pm|o'clock|hours)))(\d\d)"
        rf" ?(?:o'?clock|hours)?(?: ?(am|pm)\b|{part})?",
        lambda m: clock(int(m[1]), int(m[2]), m[3] or m[4] or m[5]),
        text,
    )
    text = re.sub(
        r"(?<=at )([01]\d|2[0-3])([0-5]\d)(?: hours)?\b(?! ?(?:eur|people))",
        lambda m: clock(int(m[1]), int(m[2]), None),
        text,
    )
    text = re.sub(
        rf"\b(\d{{1,2}}) ?(?:o'?clock ?)?(?:(am|pm)\b|{part})",
        lambda m: clock(int(m[1]), 0, m[2] or m[3] or m[4]) if int(m[1]) < 25 else m.group(),
        text,
    )
    text = re.sub(r"\b(\d{1,2}) ?o'? ?clock\b", lambda m: _bare(int(m[1])), text)
    text = re.sub(
        r"(?:(?<= at )|(?<=^at )|(?<=around )|(?<=about )|(?<=until )|(?<=till )|(?<= by )|(?<=after )|(?<=before"
        r" )|(?<= past ))"
        r"(\d{1,2})(?= ?(?:[?.!,;]|$|and |or |on |if |is |with |please|for |because|but|to"
        r" |when|tonight|tomorrow|instead|under))",
        lambda m: _bare(int(m[1])),
        text,
    )
    return text


def _bare(hour: int) -> str:
    """Token of an hour named without morning or evening."""
    return (
        f"<time {hour % 24:02d}:00>"
        if 12 <= hour <= 24 or hour == 0
        else f"<hour {hour}:00>" if hour < 12 else str(hour)
    )


def _ages(text: str) -> str:
    """Ages become tokens <age 8>, several in a row several tokens."""
    unit = r"(?:[ -]?(?:years?[ -]?olds?|yo\b|y/o|y\.o\.?|years? of age))"
    more = r"((?:(?:,| and| or|, and) \d{1,3}){0,5})"

    def each(numbers: str, scale: float = 1) -> str:
        return " and ".join(f"<age {float(n) / scale:.3g}>" for n in re.findall(r"\d+(?:\.\d+)?", numbers))

    text = re.sub(r"\b(\d+)[ -]months?[ -]old\b(?: baby)?", lambda m: each(m[1], 12), text)
    text = re.sub(
        r"\b((?:child|baby|son|daughter|girl|boy|toddler|kid)) of (\d+) (month|year)s?\b",
        lambda m: f"{m[1]} of {each(m[2], 12 if m[3] == 'month' else 1)}",
        text,
    )
    text = re.sub(r"\b(?:aged|ages) (\d+) months\b", lambda m: each(m[1], 12), text)
    text = re.sub(rf"\b(\d{{1,3}}(?:\.5)?){more}{unit}", lambda m: each(m[1] + m[2]), text)
    text = re.sub(
        rf"(?<!<)\b(?:aged?|ages|age of|age is|age:|turned|turns|turning|age) (?:of )?(\d{{1,3}}){more}\b(?: years)?",
        lambda m: "aged " + each(m[1] + m[2]),
        text,
    )
    stop = (
        r"(?= ?(?:years ?)?(?:[?!,;)]|[.](?!\d)|$|and |but |so |can |may |is |now|already|or |would |do |does |if"
        r" |who ))"
    )
    text = re.sub(
        r"\b(i am|is|he is|she is|they are|are|am|be|who is) (only |just |already |nearly |now |about |over"
        rf" )?(\d{{1,2}}){more}"
        rf"(?: years)?{stop}",
        lambda m: f"{m[1]} {m[2] or ''}{each(m[3] + m[4])}",
        text,
    )
    return re.sub(
        rf"\b(son|daughter|boy|girl|child|kid|baby|mother|father|mum|dad) ?[(,] ?(\d{{1,2}})\b(?: ?\))?",
        lambda m: f"{m[1]} {each(m[2])} ",
        text,
    )


def _measures(text: str, pounds: str, kilo: float, foot: float) -> str:
    """Money, weights, lengths and spans of time become tokens."""

    def token(name: str, scale: float = 1) -> Callable[[re.Match[str]], str]:
        return lambda m: f"<{name} {round(float(m[1]) * scale, 3):g}>"

    n = r"\b(\d+(?:\.\d+)?) ?-?"
    text = re.sub(r"(\d) ?/ ?(\d)(?= hours?)", lambda m: f"{int(m[1]) / int(m[2]):g}" if int(m[2]) else m[0], text)
    text = re.sub(r"(?:€|\beuros? |\beur ?)(\d+(?:\.\d+)?)(?: ?euros?)?", token("eur"), text)
    text = re.sub(n + r"(?:€|euros?\b|eur\b)", token("eur"), text)
    text = re.sub(r"(?:£|\bgbp ?)(\d+(?:\.\d+)?)(?: ?(?:pounds|quid|gbp))?", token("gbp"), text)
    text = re.sub(n + r"(?:£|gbp\b|quid\b|pounds? sterling)", token("gbp"), text)
    text = re.sub(n + r"(?:pence|p)\b", token("gbp", 0.01), text)
    text = re.sub(n + r"(?:pounds?)\b", token(pounds, kilo if pounds == "kg" else 1), text)
    text = re.sub(r"(?:\$)(\d+(?:\.\d+)?)", token("usd"), text)
    text = re.sub(n + r"(?:\$|dollars?|bucks|usd)", token("usd"), text)
    text = re.sub(n + r"(?:kgs?|kilos?|kilograms?|kilogrammes?)\b", token("kg"), text)
    text = re.sub(n + r"(?:lbs?|pounds?)\b", token("kg", kilo), text)
    text = re.sub(n + r"stones?\b", token("kg", 6.35), text)
    text = re.sub(n + r"(?:grams?|grammes?)\b", token("kg", 0.001), text)
    text = re.sub(
        n + r"(?:ft|feet|foot|')(?: ?(?:and )?(\d+)(?: ?(?:in|inch|inches|\"|'')(?!\w))?)?(?!\w)",
        lambda m: f"<m {float(m[1]) * foot + int(m[2] or 0) * foot / 12:.3g}>",
        text,
    )
    text = re.sub(n + r"(?:cms?|centimet(?:er|re)s?)\b", token("m", 0.01), text)
    text = re.sub(
        n + r"(?:m|met(?:er|re)s?)\b(?: (\d\d)\b)?", lambda m: f"<m {float(m[1]) + int(m[2] or 0) / 100:g}>", text
    )
    text = re.sub(r"\b(?:a )?half (?:an |a )?hour\b|\bhalf-hour\b", "30 minutes", text)
    text = re.sub(r"\b(?:an|1) hour and (?:a half|30 minutes)\b", "90 minutes", text)
    text = re.sub(r"\b(?:a )?fortnight\b", "14 days", text)
    text = re.sub(r"\b(\d+) fortnights\b", lambda m: f"{int(m[1]) * 14} days", text)
    text = re.sub(
        r"\b(?<!per )(?<!times )(?:a|an|one) (?:single |full |whole )?(minute|hour|day|week|month|night|year)s?\b(?!"
        r" (?:each|per))"
        r"(?<!times a week)(?<!much a night)(?<!costs a night)",
        r"1 \1",
        text,
    )
    text = re.sub(n + r" ?hours? (?:and )?(\d+) minutes?\b", lambda m: f"<span {float(m[1]) * 60 + int(m[2]):g}>", text)
    text = re.sub(n + r" ?nights?\b", token("nights"), text)
    for unit, minutes in (
        ("minute", 1),
        ("hour", 60),
        ("day", 1440),
        ("week", 10080),
        ("month", 43200),
        ("year", 525600),
    ):
        text = re.sub(n + rf" ?{unit}s?\b", token("span", minutes), text)
    return text


def read(
    text: str,
    *,
    limit: int = 10**6,
    american: bool = False,
    guess: bool = False,
    lose_pm: bool = False,
    pounds: str = "gbp",
    kilo: float = 0.4536,
    foot: float = 0.3048,
    spell: Callable[[str], str] | None = None,
) -> str:
    """The message in small letters with its spelling corrected and its values as tokens."""
    text = unicodedata.normalize("NFKC", text.replace("½", ".5").replace("¼", ".25"))
    for old, new in (
        ("’", "'"),
        ("‘", "'"),
        ("´", "'"),
        ("`", "'"),
        ("“", '"'),
        ("”", '"'),
        ("–", "-"),
        ("—", " - "),
        ("…", ". "),
    ):
        text = text.replace(old, new)
    text = unicodedata.normalize("NFKD", text.lower())
    text = "".join(c for c in text if not unicodedata.combining(c))
    text = re.sub(r"(\d),(\d{3})\b", r"\1\2", text)
    text = re.sub(r"(\d),(\d{1,2})(?= ?(?:m\b|kg|eur|€|£|met|kilo|hours?|h\b))", r"\1.\2", text)
    text = re.sub(r"\n+", " . ", text)
    text = re.sub(r"([a-z]{2,})([.?!,;:]+)([a-z])", r"\1\2 \3", text)
    text = re.sub(r"[^\w\s.,;:?!'\"/€£$&+()%@-]", " ", text)
    text = re.sub(r"[*_]", " ", text)
    text = re.sub(
        r"(\d)(nights?|people|adults?|kids?|rooms?|days?|weeks?|hours?"
        r"|years?|months?|minutes?|mins?|hrs?|books?|dvds?|pages?|items?)\b",
        r"\1 \2",
        text,
    )
    text = re.sub(r"\s+", " ", text).strip()
    for pattern, new in _SHORT_FORMS:
        text = re.sub(pattern, new, text)
    text = spell(text) if spell else _spelling(text, guess)
    text = re.sub(r"\b(thanks|thank you)( (?:very|so) much| a lot)? in advance", "thanks", text)
    for pattern, new in _SHORT_FORMS:
        text = re.sub(pattern, new, text)
    text = _number_words(text, limit)
    text = _dates(text, american)
    text = _times(text, lose_pm)
    text = _ages(text)
    text = _measures(text, pounds, kilo, foot)
    return re.sub(r"\s+", " ", text).strip()


def values(text: str, name: str) -> list[str]:
    """The values of all tokens of one name in a read text, in order."""
    return re.findall(rf"<{name} ([^>]*)>", text)


def numbers(text: str, name: str) -> list[float]:
    """The same as numbers."""
    return [float(v) for v in values(text, name)]


def sentences(text: str) -> list[tuple[str, bool]]:
    """The sentences of a read text, each with whether it ends as a question."""
    found = re.findall(r"((?:[^.?!;]|[.](?=\d))+)([.?!;]*)", text)
    return [(body.strip(" ,-:"), "?" in end) for body, end in found if body.strip(" ,-:\"'()")]


def pick(options: Collection[str], seed: int) -> str:
    """One of the options, chosen by the seed."""
    items = list(options)
    return items[seed % len(items)]
