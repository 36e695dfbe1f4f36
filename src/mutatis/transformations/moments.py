"""Times of day and dates as others type them: "6 pm", "18:00"; "12 November", "Nov 12", "2026-11-12".

Only what can be read in one way: never "12/11", nor "9:15" without saying of which half of the day. Must not know
tasks or relations.
"""

from __future__ import annotations

import re
from random import Random

from mutatis.core.languages import ENGLISH
from mutatis.core.transformation import transformation
from mutatis.transformations.forms import Form, Level, in_other_forms, stands_before

_RANGE_BEFORE = re.compile(
    r"(?:\d|\bnoon|\b\d(?:st|nd|rd|th))\s*(?:-|\u2013|/|,|to|till|until|and|or)\s*(?:the\s+)?\Z", re.IGNORECASE
)
_HALF = re.compile(
    r"(?<![\w:.,/$€£-])(?P<hour>1[01]|0?[1-9])(?:[:.](?P<minute>[0-5]\d))? ?(?P<half>[ap])\.? ?m(?:\.(?!\w)|\b)(?!-)",
    re.IGNORECASE,
)
_FULL = re.compile(
    r"(?P<cue>\b(?:at|by|after|before|until|till|around|about|from|since|than|@|leaves?|leaving|departs?|departing|arrives?"
    r"|arriving)\s+)(?P<hour>1[3-9]|2[0-3]|0[1-9]):(?P<minute>[0-5]\d)"
    r"(?![\w:]|[.,]\d| ?(?:[ap]\.?m\b|minutes|hours|-|\u2013))",
    re.IGNORECASE,
)


def _of_half(match: re.Match[str]) -> list[Form]:
    if stands_before(_RANGE_BEFORE, match.string, match.start()):
        return []  # "5 to 6 pm": the first time has no half of its own
    return _times(int(match["hour"]) % 12 + (12 if match["half"].lower() == "p" else 0), match["minute"] or "00")


def _of_full(match: re.Match[str]) -> list[Form]:
    return [(level, match["cue"] + form) for level, form in _times(int(match["hour"]), match["minute"])]


def _times(hour: int, minute: str) -> list[Form]:
    half, bare = ("pm" if hour >= 12 else "am"), str((hour - 1) % 12 + 1)
    clock = bare if minute == "00" else f"{bare}:{minute}"
    forms = [(1, f"{clock}{half}"), (1, f"{clock} {half}"), (1, f"{clock} {half.upper()}"), (2, f"{hour:02}:{minute}")]
    part = "morning" if half == "am" else "afternoon" if hour < 18 else "evening" if hour < 22 else "night"
    if 5 <= hour < 22:
        forms.append((3, f"{clock} in the {part}"))
    return forms


@transformation("write-times", capability="formats", says="times of day in another form", languages=ENGLISH)
def write_times(text: str, rng: Random, *, level: Level = 2) -> str:
    """Write times of day in the other way of counting hours; noon, midnight and times that leave the half open stay.

    Level 1: 6pm, 6 pm, 6 PM; 2: also 18:00; 3: also 6 in the evening.

    >>> write_times("Is there a table at 6 pm?", Random(2)), write_times("A train that leaves after 17:15", Random(1))
    ('Is there a table at 18:00?', 'A train that leaves after 5:15 PM')
    >>> write_times("From 5 to 6 pm, or 9:15?", Random(1))
    'From 5 to 6 pm, or 9:15?'
    """
    times = [*_HALF.finditer(text), *_FULL.finditer(text)]
    if any(_RANGE_BEFORE.search(text, 0, m.start()) for m in times if m.re is _HALF):
        return text  # half of a range in another style would be hard to read
    halves = in_other_forms(text, (m for m in times if m.re is _HALF), _of_half, rng, level)
    return halves if halves != text else in_other_forms(text, (m for m in times if m.re is _FULL), _of_full, rng, level)


_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November"),
    "December",
)
_SHORT = {**{name[:3]: name for name in _MONTHS}, "Sept": "September"}
_NAMES = {name.lower(): name for name in _MONTHS} | {short.lower(): name for short, name in _SHORT.items()}
_MONTH = rf"(?P<month>{'|'.join(sorted(_NAMES, key=len, reverse=True))})\.?"
_DAY = r"(?P<day>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?"
_YEAR = r"(?:,? (?P<year>(?:1[5-9]|20)\d\d)(?![\w:%]|[.,]\d))?"
_MORE = r"(?![\w:%]|[.,/]\d|\s*(?:-|\u2013|to|through|and|or|,|/)\s*(?:the )?\d{1,2}(?!\d))"
_DATES = (
    re.compile(rf"(?<![\w.,:/-])(?:the )?{_DAY}(?: of)? {_MONTH}{_YEAR}(?![\w]|-\d)", re.IGNORECASE),
    re.compile(rf"(?<![\w-]){_MONTH} (?:the )?{_DAY}(?![\d]|[.:,/]\d|(?:st|nd|rd|th)\w){_YEAR}{_MORE}", re.IGNORECASE),
    re.compile(r"(?<![\w./-])(?P<year>(?:19|20)\d\d)-(?P<month>0[1-9]|1[0-2])-(?P<day>0[1-9]|[12]\d|3[01])(?![\w/-])"),
)
_WORDS_TOO = frozenset({"may", "march", "mar", "dec", "sep", "jan"})
"""Months that in lower case are words or names, too."""
_COUNTS_ON = re.compile(
    r"\s*(?:-|\u2013|to|through|and|or|,|/)\s*(?:the )?\d{1,2}(?:st|nd|rd|th)?(?! ?(?:am|pm)|[\d:])", re.IGNORECASE
)


def _ordinal(day: int) -> str:
    return f"{day}{'th' if 10 < day < 14 else {1: 'st', 2: 'nd', 3: 'rd'}.get(day % 10, 'th')}"


def _date(match: re.Match[str]) -> list[Form]:
    written, text = match["month"], match.string
    if not written.isdigit():
        if written.lower() in _WORDS_TOO and not written[:1].isupper():
            return []
        if _RANGE_BEFORE.search(text, 0, match.start()) or _COUNTS_ON.match(text, match.end()):
            return []
    name = _MONTHS[int(written) - 1] if written.isdigit() else _NAMES[written.lower()]
    day, year = int(match["day"]), match["year"]
    short = next(short for short, month in _SHORT.items() if month == name)
    behind, before = (f" {year}", f", {year}") if year else ("", "")
    forms = [(1, f"{day} {name}{behind}"), (1, f"{name} {day}{before}"), (1, f"{day} {short}{behind}")]
    forms += [
        (1, f"{short} {day}{before}"),
        (2, f"{name} {_ordinal(day)}{before}"),
        (2, f"{_ordinal(day)} of {name}{behind}"),
    ]
    article = "the " if match.group().lower().startswith("the ") else ""
    number = _MONTHS.index(name) + 1
    forms = [(level, form) for level, form in forms if not article or form[0].isalpha() or "of" in form]
    forms = [(level, f"the {form}" if article and "of" in form else form) for level, form in forms]
    return [*forms, *([(3, f"{year}-{number:02}-{day:02}")] if year else [])]


@transformation("write-dates", capability="formats", says="dates in another form", languages=ENGLISH)
def write_dates(text: str, rng: Random, *, level: Level = 2) -> str:
    """Write dates with the month before or behind the day, in full or short; never with the month as a bare number.

    Level 1: 12 November, November 12, Nov 12; 2: also 12th of November; 3: also 2026-11-12 where the year is told.

    >>> write_dates("Can I come on 12 November?", Random(1)), write_dates("Is it due on Nov 3, 2026?", Random(9))
    ('Can I come on November 12?', 'Is it due on 3 Nov 2026?')
    >>> write_dates("Due on 2026-11-12, or 12/11?", Random(1)), write_dates("It was on March 1 to 3.", Random(1))
    ('Due on 12 November 2026, or 12/11?', 'It was on March 1 to 3.')
    """
    matches: list[re.Match[str]] = []
    for pattern in _DATES:
        matches += [
            m for m in pattern.finditer(text) if all(m.end() <= o.start() or m.start() >= o.end() for o in matches)
        ]
    return in_other_forms(text, matches, _date, rng, level)
