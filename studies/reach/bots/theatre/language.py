"""Reads a message: spelling, numbers, dates, times and titles are brought into one form (canonical tokens in capitals).

Tokens: S<title> show, K<n> category, D<mmdd> date, X<dd> day of month, T<minutes> time, A<years> age, P<pence> money.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import Final

WORDS: Final = frozenset((Path(__file__).parent / "words.txt").read_text(encoding="utf-8").split())
KEYS: Final = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
CORE: Final = frozenset(
    """ticket tickets category price prices cost costs much when where what time start discount
student students parking voucher subscription refund exchange cloakroom wheelchair open opening hours hamlet carmen
nutcracker cabaret mahler wolf peter child children pensioner senior interval long late photo photos dress pay card
cash tour please thanks hello does have there would could about show performance two three four five seven eight
twelve adult adults friday saturday sunday monday november december bring valid dog coat bag with for the how which
your you are lost language box office suitable
days day minutes minute park visa tram trams food drink wear film music lift bags year years old age card people group
money back street address reduction reductions vouchers subscriptions guide pets animals""".split()
)
SLANG: Final[dict[str, str]] = {
    "tix": "tickets",
    "tkts": "tickets",
    "tkt": "ticket",
    "tic": "ticket",
    "u": "you",
    "ur": "your",
    "r": "are",
    "pls": "please",
    "plz": "please",
    "plse": "please",
    "pls.": "please",
    "thx": "thanks",
    "ty": "thanks",
    "thnx": "thanks",
    "tnx": "thanks",
    "cheers": "thanks",
    "info": "information",
    "infos": "information",
    "hrs": "hours",
    "hr": "hours",
    "min": "minutes",
    "mins": "minutes",
    "yrs": "years",
    "yr": "year",
    "cat": "cat",
    "catg": "category",
    "categ": "category",
    "n": "and",
    "abt": "about",
    "b4": "before",
    "gonna": "going to",
    "wanna": "want to",
    "gotta": "have to",
    "lemme": "let me",
    "gimme": "give me",
    "wat": "what",
    "wot": "what",
    "whats": "what is",
    "whens": "when is",
    "wheres": "where is",
    "hows": "how is",
    "theres": "there is",
    "im": "i am",
    "ive": "i have",
    "id": "id",
    "dont": "do not",
    "doesnt": "does not",
    "didnt": "did not",
    "isnt": "is not",
    "arent": "are not",
    "wasnt": "was not",
    "cant": "can not",
    "cannot": "can not",
    "couldnt": "could not",
    "wont": "will not",
    "wouldnt": "would not",
    "havent": "have not",
    "hasnt": "has not",
    "aint": "is not",
    "shouldnt": "should not",
    "thats": "that is",
    "itll": "it will",
    "hes": "he is",
    "shes": "she is",
    "youre": "you are",
    "theyre": "they are",
    "were'": "we are",
    "mon": "monday",
    "tue": "tuesday",
    "tues": "tuesday",
    "wed": "wednesday",
    "weds": "wednesday",
    "thu": "thursday",
    "thur": "thursday",
    "thurs": "thursday",
    "fri": "friday",
    "jan": "january",
    "feb": "february",
    "apr": "april",
    "aug": "august",
    "sep": "september",
    "sept": "september",
    "oct": "october",
    "nov": "november",
    "novem": "november",
    "dec": "december",
    "theater": "theatre",
    "program": "programme",
    "centre": "centre",
    "center": "centre",
    "favorite": "favourite",
    "pic": "picture",
    "pics": "pictures",
    "photograph": "photo",
    "gbp": "pounds",
    "quid": "pounds",
    "sub": "subscription",
    "perf": "performance",
    "uni": "university",
    "oap": "pensioner",
    "oaps": "pensioners",
    "bf": "boyfriend",
    "gf": "girlfriend",
    "bday": "birthday",
    "pax": "people",
    "ppl": "people",
    "approx": "approximately",
    "asap": "soon",
    "btw": "",
    "fyi": "",
    "lol": "",
    "haha": "",
    "hmm": "",
    "um": "",
    "uh": "",
    "er": "",
    "amt": "amount",
    "msg": "message",
    "tel": "telephone",
    "no.": "number",
    "wchair": "wheelchair",
    "ppls": "people",
    "amx": "amex",
    "lef": "left",
    "tmrw": "tomorrow",
    "tmr": "tomorrow",
    "2day": "today",
    "2nite": "tonight",
    "tonite": "tonight",
    "nite": "night",
    "cot": "cost",
    "cots": "costs",
    "lft": "left",
    "dors": "does",
    "swp": "swap",
    "oen": "open",
    "agd": "aged",
    "whm": "whom",
    "pls,": "please",
    "intermissions": "intervals",
    "coz": "because",
    "cuz": "because",
    "cos": "because",
    "bc": "because",
    "w": "with",
    "wo": "without",
    "ok": "okay",
    "k": "okay",
    "wth": "with",
    "tho": "though",
    "ya": "you",
    "hiya": "hello",
    "heya": "hello",
    "yall": "you",
    "jst": "just",
    "rly": "really",
    "govt": "government",
}
LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


def _near(one: str, two: str) -> bool:
    for row in KEYS:
        if one in row and two in row and abs(row.index(one) - row.index(two)) == 1:
            return True
    for upper, lower in zip(KEYS, KEYS[1:]):
        for first, second in ((one, two), (two, one)):
            if first in upper and second in lower and 0 <= upper.index(first) - lower.index(second) <= 1:
                return True
    return False


def _edits(word: str) -> dict[str, int]:
    """All words one slip away, with a cost: small for swapped, doubled or lost letters, larger for wrong ones."""
    found: dict[str, int] = {}

    def put(candidate: str, cost: int) -> None:
        if candidate != word and cost < found.get(candidate, 99):
            found[candidate] = cost

    for at in range(len(word) + 1):
        left, right = word[:at], word[at:]
        if len(right) > 1:
            put(left + right[1] + right[0] + right[2:], 1 if at else 2)
        if right:
            doubled = (left and left[-1] == right[0]) or len(right) > 1 and right[1] == right[0]
            put(left + right[1:], 1 if doubled else 2 if at else 4)
        for letter in LETTERS:
            if right:
                put(left + letter + right[1:], (2 if _near(letter, right[0]) else 4) + (0 if at else 2))
            put(left + letter + right, 1 if letter in (left[-1:], right[:1]) else 2 if at else 4)
    return found


@lru_cache(maxsize=50000)
def spell(word: str) -> str:
    """The known word that was most likely meant, or the word itself."""
    if word in WORDS or word in SLANG or len(word) < 3 or not word.isalpha():
        return word
    squeezed = re.sub(r"(.)\1{2,}", r"\1", word)
    if squeezed != word and (squeezed in WORDS or squeezed in SLANG):
        return squeezed
    squeezed = re.sub(r"(.)\1{2,}", r"\1\1", word)
    if squeezed != word and squeezed in WORDS:
        return squeezed
    word = squeezed
    once = _edits(word)
    if len(word) == 3:
        options = [
            (cost, 0 if text in CORE else 1, text)
            for text, cost in once.items()
            if text in WORDS
            and (sorted(text) == sorted(word) or len(text) == 4 and text[0] == word[0] and text in CORE)
        ]
    else:
        limit = 3 if len(word) == 4 else 5 if len(word) == 5 else 6
        options = [
            (cost, 0 if text in CORE else 1, text)
            for text, cost in once.items()
            if text in WORDS and (cost <= limit or cost <= 4 and text in CORE) and len(text) > 2
        ]
    if options:
        return min(options)[2]
    for at in range(2, len(word) - 1):
        left, right = word[:at], word[at:]
        if (
            left in WORDS
            and right in WORDS
            and (len(left) > 2 or left in CORE | {"is", "do", "in", "on", "to", "of"})
            and (len(right) > 2 or right in {"is", "do", "in", "on", "to", "of", "it", "me", "my"})
        ):
            return left + " " + right
    if len(word) >= 6:
        twice: list[tuple[int, int, str]] = []
        targets = [known for known in WORDS if len(known) >= 6 and abs(len(known) - len(word)) <= 2]
        for known in targets:
            distance = _distance(word, known)
            if distance <= 2 and (
                len(word) >= 8
                and len(known) >= 7
                or len(word) >= 7
                and known[0] == word[0]
                or len(word) >= 7
                and known[1:3] == word[1:3]
                or known in CORE
                and known[0] == word[0]
                and len(known) == 6
            ):
                twice.append((distance, 0 if known in CORE else 1, known))
        if twice:
            return min(twice)[2]
    return word


def _distance(one: str, two: str) -> int:
    before: list[int] = []
    row = list(range(len(two) + 1))
    for i, a in enumerate(one, 1):
        new = [i]
        for j, b in enumerate(two, 1):
            best = min(row[j] + 1, new[-1] + 1, row[j - 1] + (a != b))
            if i > 1 and j > 1 and a == two[j - 2] and one[i - 2] == b:
                best = min(best, before[j - 2] + 1)
            new.append(best)
        before, row = row, new
    return row[-1]


UNITS: Final[dict[str, int]] = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
        " seventeen eighteen nineteen".split()
    )
}
TENS: Final[dict[str, int]] = {
    word: 10 * value for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
}
ORDINALS: Final[dict[str, int]] = {
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
    "twenty first": 21,
    "twenty second": 22,
    "twenty third": 23,
    "twenty fourth": 24,
    "twenty fifth": 25,
    "twenty sixth": 26,
    "twenty seventh": 27,
    "twenty eighth": 28,
    "twenty ninth": 29,
    "thirtieth": 30,
}
MONTHS: Final = "january february march april may june july august september october november december".split()
MONTH: Final = "|".join(MONTHS)


def numbers(text: str, largest: int = 999) -> str:
    """Number words as digits; words for values over `largest` stay words."""
    tens, units = "|".join(TENS), "|".join(list(UNITS)[1:10])

    def put(value: int, match: re.Match[str]) -> str:
        return str(value) if value <= largest else match[0]

    text = re.sub(rf"\b({tens})[ -]({units})\b", lambda m: put(TENS[m[1]] + UNITS[m[2]], m), text)
    text = re.sub(rf"\b({tens})\b(?! (?:{units})\b)", lambda m: put(TENS[m[1]], m), text)
    text = re.sub(r"\b(which|that|this|no|the|any|another|every|each|some|good|cheapest) one\b", r"\1 thing", text)
    text = re.sub(
        r"\bone (of|could|can|should|must|has|may|needs?|do|does|another)\b(?! (?:them|us|which)\b)",
        r"someone \1",
        text,
    )
    text = re.sub(rf"\b({'|'.join(UNITS)})\b", lambda m: put(UNITS[m[1]], m), text)
    text = re.sub(r"\b(\d) hundred\b|\b(?:a|one) hundred\b|\bhundred\b", lambda m: str(int(m[1] or 1) * 100), text)
    text = re.sub(r"\b(?:a |1 )?half (?:a |1 )?dozen\b", "6", text)
    text = re.sub(r"\b(?:a |1 )?dozen\b", lambda m: put(12, m), text)
    text = re.sub(
        r"\b(?:a )?(?:couple|pair) of\b(?= (?:ticket|seat|place|student|adult|pension|senior|child|kid))", "2", text
    )
    return text


def _minutes(hour: int, minute: int, half: str) -> int:
    if half.startswith("p") and hour < 12:
        hour += 12
    if half.startswith("a") and hour == 12:
        hour = 0
    return hour * 60 + minute


def _guess(hour: int, minute: int) -> int:
    """A time without am or pm: in a theatre one to nine means afternoon or evening."""
    return (hour + 12 if 1 <= hour <= 8 else hour) * 60 + minute


def times(text: str) -> str:
    """Times as T<minutes>."""
    half = r"(am|pm)\b"
    text = re.sub(r"\b(?:at )?(?:midday|noon)\b", "at T720", text)
    text = re.sub(
        rf"\bhalf past (\d{{1,2}})(?: {half})?",
        lambda m: f"T{_minutes(int(m[1]), 30, m[2]) if m[2] else _guess(int(m[1]), 30)}",
        text,
    )
    text = re.sub(
        rf"\bquarter past (\d{{1,2}})(?: {half})?",
        lambda m: f"T{_minutes(int(m[1]), 15, m[2]) if m[2] else _guess(int(m[1]), 15)}",
        text,
    )
    text = re.sub(
        rf"\bquarter to (\d{{1,2}})(?: {half})?",
        lambda m: f"T{(_minutes(int(m[1]), 0, m[2]) if m[2] else _guess(int(m[1]), 0)) - 15}",
        text,
    )
    text = re.sub(
        rf"\b(\d{{1,2}})(?:[:.h ](\d{{2}}))? ?{half}",
        lambda m: f"T{_minutes(int(m[1]), int(m[2] or 0), m[3])}" if int(m[1]) < 24 else m[0],
        text,
    )
    text = re.sub(
        r"\b(\d{1,2}) (?:o'? ?clock|oclock)(?: in the (morning|afternoon|evening))?",
        lambda m: f"T{int(m[1]) * 60 if m[2] == 'morning' else _guess(int(m[1]), 0)}",
        text,
    )
    text = re.sub(
        r"\b(at|from|until|till|by) (\d{1,2}) ?h\b(?! ?\d)", lambda m: f"{m[1]} T{_guess(int(m[2]), 0)}", text
    )
    text = re.sub(r"\b(\d{1,2})(?::| ?h ?)(\d{2})(?: ?(?:h|hours))?\b", lambda m: _clock(m), text)
    text = re.sub(r"\b(\d{2})\.([03]0|15|45)\b(?: ?(?:h|hours)\b)?(?! ?(?:pounds|euro))", lambda m: _clock(m), text)
    text = re.sub(r"\bat (\d{1,2})\.(\d{2})\b", lambda m: "at " + _clock(m), text)
    text = re.sub(
        r"\b(?:at|by|before|after|until|till|from) (\d{1,2})(?= (?:in the (?:morning|afternoon|evening)|on)\b"
        r"|[?.,!]| *$)",
        lambda m: m[0].split()[0] + f" T{_guess(int(m[1]), 0)}" if int(m[1]) < 24 else m[0],
        text,
    )
    return text


def _clock(match: re.Match[str]) -> str:
    hour, minute = int(match[1]), int(match[2])
    if hour > 23 or minute > 59:
        return match[0]
    return f"T{_guess(hour, minute) if len(match[1]) == 1 else hour * 60 + minute}"


def dates(text: str, month_first: bool = False) -> str:
    """Dates as D<mmdd>, days of a month as X<dd>."""

    def numeric(match: re.Match[str]) -> str:
        day, month = int(match[1]), int(match[2])
        if month_first:
            day, month = month, day
        if month > 12 and day <= 12:
            day, month = month, day
        return f" D{month:02d}{day:02d} " if 1 <= month <= 12 and 1 <= day <= 31 else match[0]

    text = re.sub(r"\b20\d\d[-/](\d{1,2})[-/](\d{1,2})\b", lambda m: f" D{int(m[1]):02d}{int(m[2]):02d} ", text)
    text = re.sub(r"\b(\d{1,2})[./-](\d{1,2})[./-](?:20)?\d\d\b", numeric, text)
    text = re.sub(r"(?<![\d£:])\b(\d{1,2})/(\d{1,2})\b(?!/)", numeric, text)
    text = re.sub(
        r"(?<!at )(?<![\d£:.])\b(\d{1,2})\.(1[012]|0?[1-9])\b\.?(?!\d| ?(?:pounds|pence|am|pm))", numeric, text
    )
    year = r"(?:,? 20\d\d)?\b"
    text = re.sub(
        rf"\b(\d{{1,2}})(?:st|nd|rd|th|\.)? ?(?:of |in )?({MONTH}){year}",
        lambda m: f" D{MONTHS.index(m[2]) + 1:02d}{int(m[1]):02d} ",
        text,
    )
    text = re.sub(
        rf"\b({MONTH}),? (?:the |on the )?(\d{{1,2}})(?:st|nd|rd|th)?\b(?![:.]\d)"
        rf"(?! (?:tickets|people|seats|adults|children|students)){year}",
        lambda m: f" D{MONTHS.index(m[1]) + 1:02d}{int(m[2]):02d} ",
        text,
    )
    text = re.sub(
        r"\b(?:the )?(\d{1,2})(?:st|nd|rd|th)\b(?! (?:category|symphony|row|class|person|price))",
        lambda m: f" X{int(m[1]):02d} ",
        text,
    )
    return text


def _money(whole: str, cents: str | None) -> str:
    return f" P{int(whole) * 100 + int((cents or '0').ljust(2, '0')[:2])} "


def money(text: str) -> str:
    """Amounts of money as P<pence>."""
    text = re.sub(r"£ ?(\d{1,4})(?:[.,](\d{1,2}))?(?:-|\b)", lambda m: _money(m[1], m[2]), text)
    text = re.sub(
        r"\b(\d{1,4})(?:[.,](\d{1,2}))? ?(?:£|pounds?\b|euros?\b|€)(?: (?:and )?(\d\d)(?: pence| p)?\b)?",
        lambda m: _money(m[1], m[2] or m[3]),
        text,
    )
    text = re.sub(r"\b(\d{1,4}) ?(?:pence|p)\b", lambda m: f" P{int(m[1])} ", text)
    return text


KIN: Final = (
    r"\b(?:son|daughter|child|kid|boy|girl|grandson|granddaughter|grandchild|niece|nephew|mother|father|mum|dad|"
    r"grandmother|grandma|grandfather|grandpa|wife|husband|friend|brother|sister)"
)
NO_COUNT: Final = (
    r"(?! ?(?:x |tickets?|adults?|child|kids?|students?|seniors?|pensioners?|people|persons?|seats?|places|of|for an?"
    r" |for my |"
    r"oclock|am|pm|days?|weeks?|hours?|minutes?|years?|small|big))"
)
TITLE_FORMS: Final = (
    (r"\b(?:the )?(?:play |tragedy )?hamlet\b(?:'s)?", "SHAMLET"),
    (r"\b(?:the )?(?:opera )?carmen\b(?:'s)?(?: by bizet)?", "SCARMEN"),
    (r"\b(?:the )?(?:ballet )?(?:the )?nut ?crackers?\b(?: by tchaikovsky)?", "SNUTCRACKER"),
    (r"\b(?:the )?(?:musical )?(?:the )?cabaret\b", "SCABARET"),
    (
        r"\b(?:the )?(?:gustav )?mahler(?:'?s)?(?: (?:symphony )?(?:no\.?|number|the)? ?(?:fifth|5|5th|v))?(?:"
        r" symphony"
        r"(?: (?:no\.? |number )?5)?)?(?: concert)?\b",
        "SMAHLER",
    ),
    (r"\b(?:the )?(?:fifth|5th|5) symphony(?: (?:of|by) mahler)?\b", "SMAHLER"),
    (r"\bp[a-z]{1,5}r (?:and|&) (?:the )?wolf\b", "SPETER"),
    (r"\bpeter the wolf\b", "SPETER"),
    (r"\bthe opera\b(?! (?:house|glass|building))", "SCARMEN"),
    (r"\bthe ballet\b", "SNUTCRACKER"),
    (r"\bthe musical\b", "SCABARET"),
    (r"\bthe symphony(?: concert)?\b", "SMAHLER"),
)


def _names(text: str) -> str:
    """Takes the customer's name out, so that it is not read as a title."""
    text = re.sub(
        r"\bmy (?:first |last |full )?name(?: is|'s|s) [a-z]+(?: (?:[a-z]+(?=[ ]*(?:[,.!?;-]|$))))?", " . ", text
    )
    text = re.sub(r"\bmy (?:first |last |full )?name(?: is|'s|s) [a-z]+", " . ", text)
    text = re.sub(
        r"(?:^|(?<=[.!,]))\s*(?:hi|hello|hey|good (?:morning|evening|afternoon))?,? ?(?:this is|it is|i am|i'm) "
        r"(carmen|peter|mahler|anna|mark|tom|max|will|rosa|(?:mr|mrs|ms|miss|dr)\.? [a-z]+)( [a-z]+)?"
        r"(?= (?:here|speaking|and)|[,.!])( here| speaking)?",
        " . ",
        text,
    )
    text = re.sub(r"\b(?:mr|mrs|ms|miss|dr)\.? [a-z]+", " someone ", text)
    text = re.sub(
        r"\b(?:(?:regards|wishes|sincerely|greetings)[,. ]+|(?:yours|cheers|thanks|thank you|best|love)[,.]\s*)"
        r"(?:from )?[a-z]+(?: [a-z]+)?[.! ]*$",
        " . thanks",
        text,
    )
    return text


def canonical(message: str, *, largest: int = 999, month_first: bool = False) -> str:
    """One form for a message: small letters, known words, canonical tokens in capitals."""
    text = unicodedata.normalize(
        "NFKD", message.replace("’", "'").replace("‘", "'").replace("`", "'").replace("´", "'")
    )
    text = "".join(letter for letter in text if not unicodedata.combining(letter)).lower()
    text = re.sub(r"[\u2010-\u2015]", "-", text).replace("€", " euros ").replace("&", " and ").replace("@", " at ")
    text = re.sub(r"[\r\n]+", " . ", text)
    text = re.sub(
        rf"({KIN})(?: [a-z]+)?,? ?\((?:aged? )?(\d{{1,2}})(?: ?(?:years?|yrs?|y)(?: old)?)?\)", r"\1 aged \2 ", text
    )
    text = re.sub(r"(?<=[a-z])'s (?=(?:only |just |already )?\d)", " is ", text)
    text = re.sub(r"[^a-z0-9£.,;:?!'/%+ -]", " ", text)
    text = re.sub(r"([.?!,;])\1+", r"\1", text)
    text = re.sub(r"\bp\.? ?m\b\.?", "pm", text)
    text = re.sub(r"(?<=\d) ?a\.? ?m\b\.?", " am", text)
    text = re.sub(r"\bw/o\b", "without", text)
    text = re.sub(r"\bw/", "with ", text)
    text = re.sub(r"\be[ -]mail", "email", text)
    text = re.sub(r"\be[ -]ticket", "eticket", text)
    text = re.sub(r"\by\.? ?/ ?o\.?\b|(?<=\d) ?y\.? ?o\b\.?", " years old", text)
    text = re.sub(r"\b(can)'?t\b", "can not", text)
    text = re.sub(r"\bwon't\b", "will not", text)
    text = re.sub(r"n't\b", " not", text)
    text = re.sub(r"\bi'm\b", "i am", text)
    text = re.sub(r"'re\b", " are", text)
    text = re.sub(r"'ve\b", " have", text)
    text = re.sub(r"'ll\b", " will", text)
    text = re.sub(r"'d\b", " would", text)
    text = re.sub(r"\b(what|when|where|how|it|that|there|he|she|who|here|name)'s\b", r"\1 is", text)
    text = re.sub(r"\blet's\b", "let us", text)
    text = re.sub(r"\bo'? ?clock\b", "oclock", text)
    text = re.sub(r"\b(mahler|child|children|student|adult|senior|pensioner|hamlet|carmen)s?'s?\b", r"\1", text)
    text = _names(text)
    text = text.replace("'", "")
    text = re.sub(r"(?<=\d)(?=[a-z])(?!(?:st|nd|rd|th|h\d|p|pm|am)\b)(?!h\d)", " ", text)
    text = re.sub(r"(?<=[a-z])(?=\d)(?<!\dh)", " ", text)
    text = re.sub(r"(?<=[a-z])-(?=[a-z\d])|(?<=\d)-(?=[a-z])", " ", text)
    text = re.sub(r"(?<=[a-z])[.,;:?!](?=[a-z])", lambda m: m[0] + " ", text)
    parts: list[str] = []
    for piece in text.split():
        stripped = re.match(r"^([^a-z]*)([a-z]+)([^a-z]*)$", piece)
        if stripped is None or re.search(r"\d", stripped[1]):
            parts.append(piece)
            continue
        word = SLANG.get(stripped[2], stripped[2])
        if " " not in word and word:
            word = spell(word)
            word = SLANG.get(word, word)
        parts.append(stripped[1] + word + stripped[3])
    text = " " + " ".join(parts) + " "
    text = re.sub(r"\bcan not\b", "can not", text)
    text = re.sub(r"(?<!\bi )(?<!\bwe )(?<!\bthe )\bsat\b", "saturday", text)
    text = re.sub(r"(?<!\bthe )\bsun\b", "sunday", text)
    text = re.sub(r"\b(monday|tuesday|wednesday|thursday|friday|saturday|sunday)s\b", r"\1", text)
    for form, token in TITLE_FORMS:
        text = re.sub(form, f" {token} ", text)
    text = numbers(re.sub(r"  +", " ", text), largest)
    for word, value in sorted(ORDINALS.items(), key=lambda item: -len(item[0])):
        if value > 4:
            text = re.sub(rf"\b{word}\b", f"{value}th", text)
    text = re.sub(
        r"\b(first|second|third|fourth) of(?= (?:november|december))", lambda m: f"{ORDINALS[m[1]]}th of", text
    )
    text = re.sub(
        r"\b(category|cat) (i{1,3}|iv)\b(?! (?:am|would|have|want|need|like))",
        lambda m: f"{m[1]} {('i', 'ii', 'iii', 'iv').index(m[2]) + 1}",
        text,
    )
    text = re.sub(
        r"\b(?:price )?(?:category|cat|categories|class)\.? ?(?:no\.? |number |# ?)?([1-9])\b"
        rf"(?: ?(?:,|and|or|/|\+|to|-) ?([1-4])\b{NO_COUNT})?"
        rf"(?: ?(?:,|and|or|/|\+) ?([1-4])\b{NO_COUNT})?",
        lambda m: " " + " ".join(f"K{n}" for n in m.groups() if n) + " ",
        text,
    )
    text = re.sub(
        r"\b(first|second|third|fourth|1st|2nd|3rd|4th) (?:price )?(?:category|class|cat)\b",
        lambda m: f" K{ORDINALS.get(m[1]) or m[1][0]} ",
        text,
    )
    text = re.sub(
        r"\b(first|second|third|fourth|1st|2nd|3rd|4th) and (first|second|third|fourth|1st|2nd|3rd|4th) "
        r"categories\b",
        lambda m: f" K{ORDINALS.get(m[1]) or m[1][0]} K{ORDINALS.get(m[2]) or m[2][0]} ",
        text,
    )
    text = times(dates(money(text), month_first))
    text = re.sub(r"\btelephone (me|us)\b", r"tell \1", re.sub(r"\bdoors (?=it|this|that)", "does ", text))
    text = re.sub(r"\b(it|this|that|they|tickets|ticket|parking) coat\b", r"\1 cost", text)
    text = re.sub(r"\b(\d{1,3}) months? old\b", lambda m: f" A{int(m[1]) // 12} ", text)
    text = re.sub(
        r"\b(\d{1,2})(?: and a half| 1/2)? ?(?:years?|yrs?|yea|yer|[a-z]{3,5}) (?:of age|olds?)\b", r" A\1 ", text
    )
    text = re.sub(
        r"\b(?:aged?|at the age of|age of|turned|turning) (?:of |is )?(\d{1,2})\b(?! ?(?:month|year))", r" A\1 ", text
    )
    text = re.sub(r"\baged? (\d{1,3}) months?", lambda m: f" A{int(m[1]) // 12} ", text)
    kin = (
        r"(?:i am|he is|she"
        r" is|(?:son|daughter|child|kid|boy|girl|grandson|granddaughter|grandchild|niece|nephew|mother|"
        r"father|mum|dad|grandmother|grandma|grandfather|grandpa|wife|husband|friend|brother|sister|student|pensioner)"
        r"(?: [a-z]+)? (?:is|will be|was))"
    )
    text = re.sub(
        rf"\b{kin} (?:only |just |already |now |almost |nearly )?(\d{{1,2}})\b(?: years?\b)?"
        r"(?! ?(?:minutes|hours|days|people|persons|tickets|of us|percent|%|th\b|months|metres|weeks|month))",
        lambda m: re.sub(r"\d+(?: years?)?$", "", m[0]) + f" A{m[1]} ",
        text,
    )
    text = re.sub(
        rf"\b{kin} (?:only |just )?(\d{{1,3}}) months\b",
        lambda m: re.sub(r"\d+ months$", "", m[0]) + f" A{int(m[1]) // 12} ",
        text,
    )
    text = re.sub(
        r"\b(?:kids|children|sons|daughters|boys|girls|they|grandchildren) are (\d{1,2}),? and (\d{1,2})\b"
        r"(?: years?)?",
        lambda m: re.sub(r"\d.*$", "", m[0]) + f" A{m[1]} A{m[2]} ",
        text,
    )
    text = re.sub(r"\b(\d{1,2})(?= (?:is |are )?(?:old enough|too (?:young|old|small)|young enough))", r" A\1 ", text)
    text = re.sub(r"\b(\d{1,2}) (and|,) +A(\d+)\b", r" A\1 A\3 ", text)
    text = re.sub(
        r"\bA(\d+) +(and|,) (\d{1,2})\b(?! ?(?:ticket|adult|seat|student|senior|people|A))", r" A\1 A\3 ", text
    )
    text = re.sub(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day ?,? *(?:the )?(?= *[DX]\d)", " ", text)
    return re.sub(r" +", " ", text).strip()
