"""The parts of a message before anything is understood: words, days, dates, times and numbers, without slips."""

import re
import unicodedata
from functools import cache

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August"),
    *("September", "October", "November", "December"),
)
SMALL_MONTHS = tuple(month.lower() for month in MONTHS)
SHORT_DAYS = {"mon": "Monday", "tue": "Tuesday", "tues": "Tuesday", "wed": "Wednesday", "thu": "Thursday"}
SHORT_DAYS |= {"thur": "Thursday", "thurs": "Thursday", "fri": "Friday", "sat": "Saturday"}
UNITS = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen
"""
TENS = """
    twenty thirty forty fifty sixty seventy eighty ninety
"""
NUMBERS = {word: value for value, word in enumerate(UNITS.split())}
NUMBERS |= {word: 10 * value for value, word in enumerate(TENS.split(), 2)}
MULTIPLES = {"hundred": 100, "thousand": 1000}
DETERMINER_WORDS = """
    a an the my your our his her their its this that these those me us you it
"""
FREQUENT_WORDS = """
    and are can do does for from has have how in is not of on to was what when where who with
"""
NEGATIONS = """
    don't can't isn't doesn't didn't won't haven't hasn't aren't
"""
DETERMINERS = frozenset(DETERMINER_WORDS.split())
FREQUENT = DETERMINERS | frozenset(FREQUENT_WORDS.split())
FILLERS = re.compile(r"\b(?:u+m+|u+h+|e+r+m*|h+m+m+|you know)\b[, ]*")
CORRECTION = re.compile(
    r"(?:\d+ ?(?:am|pm)|[\w'-]+)\s*,?\s*(?:sorry|oops)?\s*,?\s*\b(?:i mean|i meant|no wait|no, wait)\b\s*,?"
)
COURTESY = re.compile(r"\b(?:excuse me|sorry to bother you|one question|(?:just )?a quick question)\b[,: ]*")
INTRODUCTION = re.compile(
    r"i(?:'m| am) (?:an? [\w-]+(?: [\w-]+)?|\d+(?: years?(?: old)?)?)|i work as an? [\w-]+(?: \w+)?"
)
AGE = re.compile(r"\bi(?:'m| am) \d+(?: years?(?: old)?| yo\b)")
WORD = re.compile(r"\d+(?:[.,:]\d+)*[a-z]*|[a-z]+[0-9][a-z0-9]*|[a-z]+(?:'[a-z]+)*")
LEET = str.maketrans("43107", "aeiot")
LOOKALIKES = str.maketrans("аеорсухіјѕ", "aeopcyxijs")
CONTRACTED = {word.replace("'", ""): word for word in NEGATIONS.split()}
HEARD = {"wear": "where", "witch": "which", "knew": "new", "whether": "whether", "youre": "your"}


def plain(text: str) -> str:
    """Return a text in lower case with plain quotation marks and blanks, without links and invisible characters."""
    text = unicodedata.normalize("NFKC", text)
    text = "".join(character for character in text if unicodedata.category(character) != "Cf")
    text = text.lower().translate(LOOKALIKES).replace("’", "'").replace("‘", "'").replace("`", "'")
    text = re.sub(r"\bo ?'? ?clock\b(?: ?(am|pm)\b)?", lambda match: match[1] or "oclock", text)
    text = re.sub(r"https?://\S+|www\.\S+|@\w+", " ", text)
    return re.sub(r"\s+", " ", text).strip()


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, with their marks."""
    return [part for part in re.split(r"(?<=[.!?])\s+(?!\d)", text.strip()) if part]


def without_slips(text: str) -> str:
    """Return a text without fillers, words that were taken back, and sentences that only say who is speaking."""
    text = COURTESY.sub("", CORRECTION.sub(" ", FILLERS.sub(" ", plain(text))))
    parts = sentences(text)
    kept = [part for part in parts if not INTRODUCTION.fullmatch(part.strip(" .!,"))]
    return AGE.sub(" ", " ".join(kept or parts))


def split(text: str) -> list[str]:
    """Return the words of a plain text; a negation that is contracted becomes "not"."""
    words: list[str] = []
    for word in WORD.findall(
        text.replace("€", " euros ").replace("&", " and ").replace("p.m.", "pm").replace("a.m.", "am")
    ):
        word = HEARD.get(CONTRACTED.get(word, word), CONTRACTED.get(word, word))
        if word == "cannot":
            words += ["can", "not"]
        elif word.endswith("'t"):
            words += [word[:-3] or "do", "not"]
        elif re.fullmatch(r"\d+(?::\d+)?(?:am|pm|st|nd|rd|th|h)|[\d.,:]+", word):
            words.append(word)
        elif re.search(r"\d", word) and re.search(r"[a-z].*[a-z]", word):
            words.append(word.translate(LEET))
        else:
            words.append(word.split("'")[0])
    return [word for word in words if word]


def calendar(words: list[str]) -> tuple[list[str], list[str], list[str], list[str]]:
    """Take weekdays, dates and times out of the words."""
    text = " ".join(words)
    days: list[str] = []
    dates: list[str] = []
    times: list[str] = []
    months = "|".join(SMALL_MONTHS)

    def date(match: re.Match[str]) -> str:
        dates.append(f"{int(match['day'])} {match['month'].capitalize()}")
        return " "

    def time(match: re.Match[str]) -> str:
        hour = int(match["hour"]) % 24
        hour += 12 if match["half"] == "pm" and hour < 12 else -12 if match["half"] == "am" and hour == 12 else 0
        times.append(f"{hour:02}:{match['minute'] or '00'}")
        return " "

    text = re.sub(rf"\b(?P<day>\d\d?)(?:st|nd|rd|th)? (?:of )?(?P<month>{months})\b", date, text)
    text = re.sub(rf"\b(?P<month>{months}) (?:the )?(?P<day>\d\d?)(?:st|nd|rd|th)?(?![\d:,.])\b", date, text)
    text = re.sub(r"\b(?P<hour>\d\d?)(?::(?P<minute>\d\d))? ?(?P<half>am|pm|oclock|h\b)", time, text)
    text = re.sub(r"\b(?P<hour>\d\d?):(?P<minute>\d\d)(?P<half>)\b", time, text)
    kept = []
    for before, word in zip(["", *text.split()], text.split(), strict=False):
        day = SHORT_DAYS.get(word) or (word.capitalize() if word.capitalize().rstrip("s") in DAYS else None)
        day = "Sunday" if word == "sun" and before in {"on", "this", "next", "every"} else day
        day = word if word in {"today", "tomorrow"} else day
        if day:
            days.append(day.rstrip("s"))
        else:
            kept.append(word)
    return kept, days, dates, times


def take_numbers(words: list[str]) -> tuple[list[float], list[str]]:
    """Return the numbers among the words, in digits or in letters, and the words without them."""
    numbers: list[float] = []
    kept: list[str] = []
    total = group = 0
    spoken = False
    for word, after in zip(words, [*words[1:], ""], strict=True):
        takes_noun = after not in DETERMINERS and not after[:1].isdigit()
        if word in NUMBERS and (word != "one" or spoken) and (word not in {"two", "four"} or takes_noun):
            group, spoken = group + NUMBERS[word], True
        elif word in MULTIPLES and (spoken or kept[-1:] == ["a"]):
            group = max(group, 1) * MULTIPLES[word]
            total, group, spoken = (total + group, 0, True) if word == "thousand" else (total, group, True)
        elif not (spoken and word == "and" and after in NUMBERS):
            if spoken:
                numbers.append(total + group)
            total = group = 0
            spoken = False
            if re.fullmatch(r"\d[\d.,]*", word):
                numbers.append(float(re.sub(r",(?=\d{3}\b)", "", word.rstrip(".,")).replace(",", ".")))
            else:
                kept.append(word)
    return ([*numbers, total + group] if spoken else numbers), kept


@cache
def stem(word: str) -> str:
    """Return a word without its inflection: "renewals" and "renewing" do not matter here, "renews" and "renewed" do."""
    if len(word) < 4 or word.endswith("ss"):
        return word
    for suffix, instead in (("ies", "y"), ("ied", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("es", ""), ("s", "")):
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            word = word.removesuffix(suffix) + instead
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word
