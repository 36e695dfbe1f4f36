"""How the bot reads: its words, short forms, numbers, and the slips of the keyboard it mends."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

OWN = """
bike bikes bicycle bicycles ebike ebikes electric pedelec city town trekking touring mountain cargo child children
kids childs childrens tandem tandems road racing scooter scooters recumbent unicycle gravel segway kayak canoe moped
skates rickshaw price prices cost costs much charge charges total rate rates expensive cheap day days week weeks hour
hours minute minutes half weekend month months deposit deposits security caution open opening close closing closed
closes opens shut monday tuesday wednesday thursday friday saturday sunday january february march april june july
august september october november december season winter summer height tall frame size sizes feet foot inches inch
centimetres centimeters metres meters age old young years year minimum allowed enough insurance insured theft stolen
damage damaged broken without helmet helmets lock locks included seat seats trailer trailers weighs weight kilos
kilograms pounds dog dogs puppy deliver delivery hotel kilometres kilometers kilometre miles mile away range battery
charged charger charging late later delay overdue cancel cancellation cancelling cancelled refund reserve reservation
book booking name group discount discounts student students tour tours guided vineyard puncture flat tyre tire tyres
breakdown repair papers passport document documents identity licence license return bring back another place location
where address parking card cards cash visa mastercard american express paypal bitcoin cheque payment pay paying invoice
map maps navigation phone number telephone email contact station before notice pick collect pannier panniers bags
basket baskets pump luggage holiday holidays rain weather second please thanks thank hello what which when does with
would could should people persons adults daughter morning afternoon evening noon pound euros euro person costing
available friend sister brother
""".split()
COMMON = set(
    """
a about above after again all alone already also always am an and any anybody anyone anything are around as ask at be
because been being best better big both but buy by call called came can check claims colleague come could cousin
dear did do done drive each else even ever every far fast father few find fine first for forgot free from
get getting girl give go going good got great had has have he hear heard help her here hi him his home hope how i if
in into is it its just keep kind know last least leave left less let like likes little live long look looking lot love
made make man many may me mean meant mike more most mother must my need needs never new next nice no not nothing now of
off often on once one only or other our out over own page part past per plan plans quick quite read ready real really
right ride rider riding said same saw say says see send shall she shop short show since so some someone something soon
sorry start starts stay still such sure take takes tell than that the their them then there these they thing things
think this those three through time times to today told tomorrow too top trip try two under until up upon us use used
very visit wait walk want wants was way we website well went were while who whole why wife will wish woman word work
world yes yesterday yet you your site sea tea lake like mine dad mum mom son sons boy wheel nine page dock luck look
book hold hall tail fall park dark mark hour our fat fit bit rest test best rent hire hiring renting rental
leaving fully exactly alright along happens risk money gets giving wrong true false thinks husband nephew niece
grandson granddaughter teenager baby toddler boss neighbour bought paid spend stand state plan plane train late
date gate lunch dinner bus car cars boat weeks's okay fine lovely wonderful hurry hurried question questions
answer answers wonder wondering possible planning staying coming visiting arrive arriving family parents guests
different somewhere elsewhere branch shops drop dropping meet meeting begin begins long stated earlier actually instead
rather correction oops scratch changed change mind pm am cm km kg lb lbs ft eur kilo amex id gps mtb whats im dont hey
hallo regards cheers greetings bye goodbye joke capital france football poem password recipe
""".split()
)

SHORT = {
    "u": "you",
    "ur": "your",
    "r": "are",
    "pls": "please",
    "plz": "please",
    "thx": "thanks",
    "ty": "thanks",
    "whats": "what is",
    "hows": "how is",
    "wheres": "where is",
    "im": "i am",
    "dont": "do not",
    "cant": "can not",
    "doesnt": "does not",
    "isnt": "is not",
    "ive": "i have",
    "id": "id",
    "wanna": "want to",
    "gonna": "going to",
    "hrs": "hours",
    "hr": "hour",
    "h": "hour",
    "mins": "minutes",
    "min": "minutes",
    "wk": "week",
    "wks": "weeks",
    "mon": "monday",
    "tue": "tuesday",
    "tues": "tuesday",
    "wed": "wednesday",
    "thu": "thursday",
    "thur": "thursday",
    "thurs": "thursday",
    "fri": "friday",
    "sat": "saturday",
    "obe": "one",
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
    "kilos": "kg",
    "kilo": "kg",
    "kilograms": "kg",
    "kgs": "kg",
    "pounds": "lb",
    "lbs": "lb",
    "pound": "lb",
    "kilometres": "km",
    "kilometers": "km",
    "kilometre": "km",
    "kms": "km",
    "miles": "mi",
    "mile": "mi",
    "centimetres": "cm",
    "centimeters": "cm",
    "cms": "cm",
    "metres": "m",
    "meters": "m",
    "metre": "m",
    "feet": "ft",
    "foot": "ft",
    "inches": "in_",
    "inch": "in_",
    "euros": "eur",
    "euro": "eur",
    "bicycle": "bike",
    "bicycles": "bikes",
    "hire": "rent",
    "hiring": "rent",
    "wont": "will not",
    "arent": "are not",
    "thats": "that is",
    "yrs": "years",
    "yr": "years",
    "tmrw": "tomorrow",
    "bday": "birthday",
    "sry": "sorry",
}
_NUMBERS = {
    w: n
    for n, w in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen".split()
    )
}
_TENS = {w: 10 * n for n, w in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}

_VOCAB = set(OWN) | set(_NUMBERS) | set(_TENS) | {"hundred", "couple", "dozen"}
_TARGETS = (
    _VOCAB
    | {w for w in COMMON if len(w) > 4}
    | set("the for and can how one two day are you not with what that this have from does when much cost".split())
)
_NEIGHBOURS = {c: set() for c in "abcdefghijklmnopqrstuvwxyz"}  # type: dict[str, set[str]]
for _row, _up in (("qwertyuiop", ""), ("asdfghjkl", "qwertyuiop"), ("zxcvbnm", "asdfghjkl")):
    for _i, _c in enumerate(_row):
        for _o in (_row[_i - 1 : _i] if _i else "") + _row[_i + 1 : _i + 2] + _up[_i : _i + 2]:
            _NEIGHBOURS[_c].add(_o)
            _NEIGHBOURS[_o].add(_c)


def _near(word: str) -> str | None:
    """The word of the bot's own that a slip of the keyboard may have turned into this one."""
    best: tuple[int, str] | None = None
    for own in _TARGETS:
        rank = _slip(word, own)
        if rank and (best is None or (rank, own) < best):
            best = (rank, own)
    return best[1] if best else None


def _slip(word: str, own: str) -> int:
    """The rank of the slip that leads from `own` to `word` (1 is the likeliest), 0 for none."""
    if abs(len(word) - len(own)) > 1 or len(own) < 3:
        return 0
    i = 0
    while i < min(len(word), len(own)) and word[i] == own[i]:
        i += 1
    if len(word) == len(own):
        if word[i : i + 2] == own[i : i + 2][::-1] and word[i + 2 :] == own[i + 2 :]:
            return 1
        if word[i + 1 :] == own[i + 1 :] and (
            len(own) > 3 or own in ("the", "for", "and", "you", "how", "one", "two", "day")
        ):
            return 3 if own[i] in _NEIGHBOURS.get(word[i], ()) else 6 if len(own) > 6 else 0
        return 0
    if len(word) > len(own):
        if word[i + 1 :] == own[i:]:
            doubled = i > 0 and word[i] == word[i - 1]
            return 2 if doubled else 5 if len(own) > 4 else 0
        return 0
    if own[i + 1 :] == word[i:] and len(own) > 3:
        return 4 if i or len(own) > 5 else 0
    return 0


@lru_cache(maxsize=20000)
def _mend(word: str) -> str:
    if word in SHORT:
        return SHORT[word]
    if word in COMMON or word in _VOCAB or not word.isalpha() or len(word) < 3:
        return word
    own = _near(word)
    if own is None and len(word) > 8:
        for i in range(len(word)):
            own = own or _near(word[:i] + word[i + 1 :]) or _near(word[:i] + word[i : i + 2][::-1] + word[i + 2 :])
    if own is None:
        for i in range(2, len(word) - 1):
            left, right = word[:i], word[i:]
            if (left in _VOCAB or left in COMMON) and (right in _VOCAB or right in COMMON) and len(word) > 5:
                return f"{SHORT.get(left, left)} {SHORT.get(right, right)}"
    return SHORT.get(own, own) if own else word


_NAME = re.compile(
    r"(?:\bmy name is|\bname is|\bthe name(?: of| is)?|\bname :|\bin name of|\bi am called|\bcalled|"
    r"\bname)"
    r"\s*:?\s*$"
)
_CANON: tuple[tuple[str, str], ...] = (
    (r"\b(e|electric|electrical) ?(bikes?|bicycles?)\b|\bpedelecs?\b|\bebikes\b|\be bikes?\b", "ebike"),
    (r"\b(city|town) ?bikes?\b", "citybike"),
    (r"\b(trekking|touring) ?bikes?\b", "trekbike"),
    (r"\bmountain ?bikes?\b|\bmtbs\b", "mtb"),
    (r"\bcargo ?bikes?\b", "cargobike"),
    (
        r"\b(child|childs|children|childrens|kid|kids) (size )?bikes?\b|\bbikes? for ((a|my|our|the|\d+) )?(child|"
        r"children|kids?)\b",
        "kidbike",
    ),
    (r"\b(road|racing|race) ?bikes?\b", "roadbike"),
    (r"\bgravel ?bikes?\b", "gravelbike"),
    (r"\bfat ?bikes?\b", "fatbike"),
    (r"\b(tandem|scooter|recumbent|unicycle|segway|kayak|canoe|moped|rickshaw)s\b", r"\1"),
    (r"\btandem bike\b", "tandem"),
    (r"\be scooter\b", "scooter"),
    (r"\brecumbent bikes?\b", "recumbent"),
    (r"\b(an?|one) and (a )?half (day|hour|week)s?\b", r"1.5 \3s"),
    (r"\b(an?|one) (day|hour|week|month) and (a )?half\b", r"1.5 \2s"),
    (r"\bhalf (an? )?days?\b|\bhalfday\b", "4 hours"),
    (r"\bhalf an? hour\b", "30 minutes"),
    (r"\b(\d+) (and )?(a )?half (hour|day)s?\b", r"\1.5 \4s"),
    (r"\b(a )?quarter of an hour\b", "15 minutes"),
    (r"\b(a )?couple( of)?\b", "2"),
    (r"\ba dozen\b", "12"),
    (r"\bfortnight\b", "2 weeks"),
    (
        r"\b(a|an|one|whole|full|single|entire) (whole |full |single |entire )?(day|"
        r"week|hour)\b",
        r"1 \3",
    ),
    (r"\b(?:a|per) month\b", "1 month"),
    (r"^\W*were (exactly )?(is|are)\b", r"where \2"),
    (r"\bweekly (price|rate|cost)", r"\1 for 1 week"),
    (r"\bdaily (price|rate|cost)", r"\1 for 1 day"),
    (r"\bamerican express\b", "amex"),
    (r"\bpick up\b", "pickup"),
    (r"\bapplepay\b", "apple pay"),
    (r"\bhow fare\b", "how far"),
    (r"\b(hw|ho|hoe|hos|hlw|jow) much\b", "how much"),
    (r"\b(child|kid|kids) saturday\b", "child seat"),
    (r"\b(while|while 1) (week|day)\b", r"1 \2"),
    (r"\bec card\b", "debit card"),
    (r"\ball day\b", "1 day"),
)


def _tokens(raw: str) -> list[str]:
    text = unicodedata.normalize("NFKC", raw).replace("\u2019", "'").replace("\u2018", "'").replace("`", "'")
    text = re.sub(
        r"(?<=\d)\s*(?:'|ft\.?|feet|foot)\s*(\d{1,2})\s*(?:\"|''|\u201d|in(?:ches)?\b)?", r" ft \1 in_ ", text
    )
    text = re.sub(r"(\d)\s*'(?=\s|$|[.,?!])", r"\1 ft ", text)
    text = re.sub(r"\b([ap])\. ?m\b\.?", r"\1m", text, flags=re.I)
    text = re.sub(r"[€£$]\s*(\d+(?:[.,]\d+)?)|(\d+(?:[.,]\d+)?)\s*[€£$]", lambda m: f" {m[1] or m[2]} eur ", text)
    text = re.sub(r"(\d),(\d)", r"\1.\2", text)
    text = re.sub(r"\b(\d+)(st|nd|rd|th)\b", r"\1", text)
    text = re.sub(
        r"(?<=[a-zA-Z])'s\b",
        lambda m: (
            " is"
            if re.search(r"\b(what|how|where|when|who|that|it|he|she|there|here)$", m.string[: m.start()], re.I)
            or re.match(r"\s+(\d|" + "|".join(_NUMBERS) + r"|only|just)", m.string[m.end() :], re.I)
            else "s"
        ),
        text,
        flags=re.I,
    )
    text = re.sub(r"can't\b", "can not", text, flags=re.I)
    text = re.sub(r"won't\b", "will not", text, flags=re.I)
    for tail, full in (
        ("n't", " not"),
        ("'re", " are"),
        ("'ll", " will"),
        ("'d", " would"),
        ("'ve", " have"),
        ("'m", " am"),
    ):
        text = re.sub(tail + r"\b", full, text, flags=re.I)
    return re.findall(r"\d+[:.]\d+|\d+|%|[^\W\d_]+_?|[.?!;,:\n]", text.replace("in_", "inin"))


@lru_cache(maxsize=5000)
def plain(raw: str) -> tuple[str, str | None]:
    """The message in plain words, numbers as digits; and the name that the customer gives."""
    tokens = ["in_" if t == "inin" else t for t in _tokens(raw)]
    words = [_mend(t.lower()) for t in tokens]
    name: list[str] = []
    out: list[str] = []
    i = 0
    while i < len(words):
        so_far = " ".join(out)
        said = bool(_NAME.search(so_far)) and words[i] not in (":", "is", "of", "the", "and")
        weak = re.search(r"(^|[.?!,] ?)((hi|hello|hey) ,? ?)?(i am|this is|it is)$", so_far)
        signed = re.search(r"(thanks|regards|cheers|thank you|greetings|best) ,?$", so_far)
        fresh = tokens[i].isalpha() and tokens[i].lower() not in COMMON and tokens[i].lower() not in _VOCAB
        if (
            tokens[i].isalpha()
            and not name
            and (
                said
                and tokens[i].lower() not in COMMON | {"please"}
                or ((weak or signed) and fresh and tokens[i].lower() not in SHORT and tokens[i][0].isupper())
            )
        ):
            while (
                i < len(words) and tokens[i].isalpha() and tokens[i].lower() not in COMMON | set(DAYS) and len(name) < 3
            ):
                name.append(tokens[i].capitalize())
                i += 1
            continue
        out.append(words[i])
        i += 1
    text = " ".join(out)
    text = re.sub(
        r"\b(" + "|".join(_TENS) + r")(?: (" + "|".join(list(_NUMBERS)[1:10]) + r"))?\b",
        lambda m: str(_TENS[m[1]] + (_NUMBERS[m[2]] if m[2] else 0)),
        text,
    )
    for pattern, put in _CANON:
        text = re.sub(pattern, put, text)
    text = re.sub(
        r"\b(" + "|".join(_NUMBERS) + r")\b(?! of\b)",
        lambda m: (
            m[0]
            if m[0] == "one"
            and re.search(r"\b(which|that|this|the|no|any|every|some|for|small|big|does) $", text[: m.start()])
            and not re.match(r" (day|week|hour|ebike|citybike|mtb|trekbike|cargobike|kidbike)", text[m.end() :])
            else str(_NUMBERS[m[0]])
        ),
        text,
    )
    text = re.sub(
        r"\b(a|1|2|3) hundred( and)?( (\d\d?))?\b",
        lambda m: str((1 if m[1] == "a" else int(m[1])) * 100 + int(m[4] or 0)),
        text,
    )
    text = re.sub(
        r"\b(have|wish you|enjoy)( you)? an? (very )?(nice|good|great|lovely|pleasant) (1 )?\w+|"
        r"\bgood (morning|afternoon|evening|day)\b|\b(nice|good|great|lovely|happy) (weekend|day|\w+day)\b",
        " ",
        text,
    )
    return re.sub(r"\s+", " ", text).strip(), " ".join(name) or None
