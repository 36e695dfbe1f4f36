"""How the flower shop's bot reads: a message becomes words and tags such as `flower:rose` or `km:12`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection
from functools import lru_cache

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = (
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
FLOWERS = ("rose", "tulip", "peony", "sunflower", "lily", "gerbera", "carnation")
STRANGE = (
    "orchid",
    "daffodil",
    "hydrangea",
    "dahlia",
    "iris",
    "freesia",
    "lotus",
    "edelweiss",
    "lavender",
    "daisy",
    "violet",
    "poppy",
    "snowdrop",
    "anemone",
    "cactus",
    "bonsai",
    "chrysanthemum",
    "hyacinth",
    "magnolia",
    "marigold",
)
COLOURS = ("red", "white", "pink", "yellow", "blue", "black", "green", "purple", "orange")
PLACES = ("millbrook", "ashford", "linton", "harwick")
ELSEWHERE = (
    "london",
    "paris",
    "berlin",
    "oxford",
    "bristol",
    "dover",
    "york",
    "leeds",
    "norwich",
    "vienna",
    "cambridge",
    "dublin",
    "bath",
    "hamburg",
    "munich",
    "manchester",
    "edinburgh",
    "glasgow",
    "rome",
    "madrid",
)
METHODS = {
    "paypal": "PayPal",
    "cash": "cash",
    "card": "card",
    "visa": "card",
    "mastercard": "card",
    "invoice": "invoice",
    "cheque": "cheque",
    "bitcoin": "Bitcoin",
    "transfer": "bank transfer",
}
SMALL = {
    w: n
    for n, w in enumerate(
        (
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
            "eighteen nineteen"
        ).split()
    )
}
LARGE = {w: 10 * n for n, w in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}

_TRADE = (
    set(
        """
absent address advance age ahead altogether anonymous anonymously arrival arrive arrives available back bouquet
bouquets bridal bride bunch cancel cancellation cancelled cancelling card cards care cat cats characters charge
charges cheaper children chocolate chocolates church close closed closes closing colour colours complain complaint
contact cost costs could course cut dangerous daughter days dead deliver delivered deliveries delivering delivers
delivery discount does dog dogs earlier earliest early email euro euros evening everyone express faded flower
flowers fortnightly free fresh freshness funeral gift guarantee harmful have holiday holidays home hours how
kilometers kilometre kilometres large last lasts letters located location long married marry marrying medium message
midday mile miles minimum minutes money monthly months morning mother much neighbour neighbours nobody noon old open
opening order ordered ordering orders parking paying payment people pet pets phone please poisonous price prices
quickly recipient reduction refund replace replacement ribbon safe same saturday season seasonal secret send sender
sent ship should shut small son stem stems subscription subscriptions sunday telephone text there today together
tomorrow total toxic urgent valentine vase vases voucher vouchers water wedding weekend weekly weeks what when where
which wilt wilted wither withered workshop workshops would wreath wreaths years
""".split()
    )
    | {f + "s" for f in FLOWERS + STRANGE}
    | set(FLOWERS + STRANGE + DAYS + MONTHS + COLOURS + PLACES)
    | set(METHODS)
    | {d + "s" for d in DAYS}
    | set(SMALL)
    | set(LARGE)
    | {
        "weekday",
        "weekdays",
        "weekends",
        "day",
        "hour",
        "minute",
        "week",
        "month",
        "year",
        "peonies",
        "lilies",
        "daisies",
        "poppies",
        "dozen",
        "hundred",
        "couple",
        "half",
    }
)
_DAILY = set(
    """
a able about above actually afraid after afternoon again ago all allowed alone already alright also always am an and
another answer answers any anyone anything anywhere are around as ask asking at aunt autumn away ball be because
been before being best better between big bigger birthday boss bot both bring brother bunches but buy by bye call
came can capital care certainly change cheapest check cheers choose colleague collect collection come coming correct
correction cost cousin customer customers dad date dear detail details did different do doing done down during each
either else enough ever every exactly expensive fall fast fate father feel few find fine first five football for
forget forgot found friend friends from full fully further gas gate get gets getting girl girlfriend give given glad
go goes going gone good goodbye got grandma grandmother great greetings guess had hall hallo happen happens happy
has have he hear heard hello help helping her here hers hey hi him his hope hose host house human hurry husband i
idea if important in info inform information instead interested into is it its job joke just keep kind kitchen know
known lady late lately later least leave left less let like little live lives living look looking lose lost lot love
lovely made mail make man many maybe me mean meant met mine miss mistake mixed mobile mom moment more most mum must
my myself name near need needed needs nephew never new next nice niece nine no none nor nose not note nothing now of
off office often ok okay on once one only onto oops or other others our out over own parents part password past pay
per perhaps person pick picking pickup place plan planning poem point pose possible post prefer present probably put
question quick quite rail rain rate rather read ready really receive received recipe recommended regards rest ride
right rise robot role rule sad said sail same saw say says scratch see seem shall she shop short show since sister
so some somebody someone something sometimes soon sorry sort sound spring start still stop such summer sunny sure
surprise take talk tall tell than thank thanks that the their them then these they thing things think this those
thought through till time times to told too town try two type typing typos uncle under until up us use used very
visit wait walk wall want wants was way we weather website week well went were while who whole why wife will winter
wish with within without woman wonder wonderful wondering word work working world worth write writing wrong year yes
yesterday yet you young your yours
""".split()
)
_SHORT = {
    "u": "you",
    "ur": "your",
    "r": "are",
    "pls": "please",
    "plz": "please",
    "thx": "thanks",
    "ty": "thanks",
    "im": "i am",
    "dont": "do not",
    "cant": "can not",
    "doesnt": "does not",
    "isnt": "is not",
    "whats": "what is",
    "wheres": "where is",
    "hows": "how is",
    "ive": "i have",
    "wanna": "want to",
    "gonna": "going to",
    "thats": "that is",
    "arent": "are not",
    "mon": "monday",
    "tue": "tuesday",
    "tues": "tuesday",
    "wed": "wednesday",
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
    "kilometres": "km",
    "kilometers": "km",
    "kilometre": "km",
    "kilometer": "km",
    "kms": "km",
    "miles": "mi",
    "mile": "mi",
    "euros": "eur",
    "euro": "eur",
    "hrs": "hours",
    "hr": "hour",
    "mins": "minutes",
    "min": "minutes",
    "yrs": "years",
    "kitten": "cat",
    "kittens": "cats",
    "rosé": "rose",
    "lillies": "lilies",
    "color": "colour",
    "bday": "birthday",
    "delievery": "delivery",
    "bouqet": "bouquet",
    "bouquette": "bouquet",
    "abt": "about",
    "wont": "will not",
    "tmrw": "tomorrow",
    "x": "x",
    "obe": "one",
    "thre": "three",
    "thee": "three",
    "cst": "cost",
}
KNOWN = _TRADE | _DAILY | set(_SHORT)
_NEAR_KEYS = {
    a + b for row in ("qwertyuiop", "asdfghjkl", "zxcvbnm") for a, b in zip(row, row[1:], strict=False)
} | set("qa aw ws se ed dr rf ft tg gy yh hu uj ji ik ko ol lp az sz sx xd dc cf fv vg gb bh hn nj jm mk".split())


def _one_slip(typed: str, meant: str) -> int:
    """How odd the one slip is that makes `typed` of `meant`; 0 when it takes more than one."""
    if typed == meant or abs(len(typed) - len(meant)) > 1:
        return 0
    i = next((k for k, (a, b) in enumerate(zip(typed, meant, strict=False)) if a != b), min(len(typed), len(meant)))
    if len(typed) > len(meant):
        if typed[i + 1 :] != meant[i:]:
            return 0
        return 2 if i and typed[i - 1] == typed[i] else 5 if len(meant) > 4 else 0
    if len(typed) < len(meant):
        return 0 if typed[i:] != meant[i + 1 :] or len(meant) < 4 else 3 if len(meant) > 4 else 6
    if typed[i : i + 2] == meant[i : i + 2][::-1] and typed[i + 2 :] == meant[i + 2 :]:
        return 1
    if typed[i + 1 :] != meant[i + 1 :]:
        return 0
    near = typed[i] + meant[i] in _NEAR_KEYS or meant[i] + typed[i] in _NEAR_KEYS
    tiny = meant in ("the", "for", "and", "you", "how", "one", "two", "ten", "red", "cat")
    return 4 if near and (len(meant) > 3 or tiny) else 7 if len(meant) > 6 else 0


@lru_cache(maxsize=20000)
def mended(word: str) -> str:
    """The word with its slip of the keyboard undone."""
    if word in _SHORT:
        return _SHORT[word]
    if word in KNOWN or word in ELSEWHERE or not word.isalpha() or len(word) < 3:
        return word
    ranked = sorted(
        (odd + 2 * (own not in _TRADE), own)
        for own in _TRADE | {w for w in _DAILY if len(w) > 3 or w in ("the", "for", "and", "you", "are", "can", "not")}
        if (odd := _one_slip(word, own))
    )
    if ranked:
        return _SHORT.get(ranked[0][1], ranked[0][1])
    for i in range(3, len(word) - 2):
        if word[:i] in KNOWN and word[i:] in KNOWN:
            return f"{mended(word[:i])} {mended(word[i:])}"
    return word


def _tokens(message: str, faults: Collection[str]) -> list[str]:
    text = unicodedata.normalize("NFKC", message).replace("\u2019", "'").replace("\u2018", "'").replace("`", "'")
    text = re.sub(r"\b(\d{4})-(\d\d)-(\d\d)\b", r" \3/\2 ", text)
    text = re.sub(r"\b(\d\d?)\.(\d\d?)\.(?:\d{4}|\d\d)?(?=\W|$)", r" \1/\2 ", text)
    text = re.sub(r"\b(\d\d?)/(\d\d?)/\d{2,4}\b", r"\1/\2", text)
    text = re.sub(r"\b([ap])\. ?m\b\.?", r"\1m", text, flags=re.I)
    text = re.sub(r"[€£$]\s?(\d+(?:[.,]\d+)?)|(\d+(?:[.,]\d+)?)\s?[€£$]", lambda m: f" {m[1] or m[2]} eur ", text)
    text = re.sub(r"(\d),(\d)", r"\1\2" if "comma_lost" in faults else r"\1.\2", text)
    text = re.sub(r"(\d)(st|nd|rd|th)\b", r"\1", text, flags=re.I)
    for tail, full in (
        (r"can't\b", "can not"),
        (r"won't\b", "will not"),
        (r"n't\b", " not"),
        (r"'re\b", " are"),
        (r"'m\b", " am"),
        (r"'ll\b", " will"),
        (r"'d\b", " would"),
        (r"'ve\b", " have"),
        (r"\b(what|how|where|when|who|that|it|he|she|there)'s\b", r"\1 is"),
        (r"'s\b", ""),
        (r"s'(?=\s)", "s"),
    ):
        text = re.sub(tail, full, text, flags=re.I)
    text = re.sub(
        r"\b(have|enjoy)( your| you)? ?an? (very )?(nice|good|great|lovely|pleasant) \w+|\bgood (morning|"
        r"afternoon|evening|day)\b"
        r"|\b(nice|good|great|lovely|happy) (weekend|day|\w+day)\b|\bkind regards\b|(?<=thanks) in "
        r"advance\b|(?<=you) in advance\b|(?<=much) in advance\b",
        " regards ",
        text,
        flags=re.I,
    )
    return re.findall(r"\d+[:/.]\d+|\d+|[^\W\d_]+|[.?!;,:\n]", text)


_NOT_NAMES = {
    "a",
    "an",
    "the",
    "my",
    "our",
    "your",
    "his",
    "her",
    "me",
    "us",
    "them",
    "him",
    "it",
    "this",
    "that",
    "be",
    "have",
    "know",
    "pay",
    "on",
    "in",
    "at",
    "for",
    "and",
    "of",
    "with",
    "please",
    "to",
    "by",
    "is",
    "from",
}


def plain(message: str, faults: Collection[str]) -> tuple[str, dict[str, str]]:
    """The message in words and tags, and the names in it: of the recipient and of the sender."""
    tokens: list[str] = []
    words: list[str] = []
    for token in _tokens(message, faults):
        for part in mended(token.lower()).split():
            words.append(part)
            tokens.append(token)
    names: dict[str, str] = {}
    out: list[str] = []
    i = 0
    shouting = message.isupper()
    while i < len(words):
        before = " ".join(out[-5:])
        role = ""
        fresh = (
            tokens[i].isalpha()
            and words[i] not in PLACES + DAYS
            and tokens[i].lower() not in KNOWN | set(ELSEWHERE)
            and (tokens[i][0].isupper() or tokens[i].lower() == words[i])
        )
        if (
            re.search(r"\b(my name is|name is|i am called|name :|regards ,?|thanks ,|from ,|love ,|cheers ,?)$", before)
            and fresh
        ):
            role = "sender"
        elif re.search(r"\b(i am|this is)$", before) and fresh and tokens[i][0].isupper() and not shouting:
            role = "sender"
        elif (
            re.search(
                r"\b(recipient is|recipient :|to|for|to (mr|mrs|ms)|called|(to|for) (my|our) (sister|brother|"
                r"mother|father|aunt|"
                r"uncle|friend|wife|husband|boss|colleague|mum|dad|cousin|grandmother|girlfriend|neighbour|"
                r"daughter|son))$",
                before,
            )
            and fresh
            and words[i] not in _NOT_NAMES
        ):
            role = "to"
        if role and tokens[i].isalpha():
            name: list[str] = []
            while (
                i < len(words)
                and tokens[i].isalpha()
                and len(name) < 3
                and words[i] not in _NOT_NAMES
                and (not name or tokens[i].lower() not in _DAILY and words[i] not in PLACES + DAYS)
            ):
                name.append(tokens[i].capitalize())
                i += 1
            if "signed_to" in faults and role == "sender":
                role = "to"
            if name and (role not in names or "signed_to" in faults):
                names[role] = " ".join(name)
            out.append("someone")
            continue
        out.append(words[i])
        i += 1
    return _tagged(" ".join(out), faults), names


def _tagged(text: str, faults: Collection[str]) -> str:  # noqa: PLR0915
    """The text with tags in the place of values."""

    def put(pattern: str, tag: Callable[[re.Match[str]], str]) -> None:
        nonlocal text
        text = re.sub(pattern, lambda m: tag(m) or m[0], text)

    put(
        r"\b(" + "|".join(LARGE) + r")(?: (" + "|".join(list(SMALL)[1:10]) + r"))?\b",
        lambda m: str(LARGE[m[1]] + (SMALL[m[2]] if m[2] else 0)),
    )
    put(r"\bhalf a dozen\b", lambda m: "6")
    put(r"\b(?:a|one) dozen\b|\bdozen\b", lambda m: "10" if "dozen_ten" in faults else "12")
    put(r"\b(2|two|3|three) (12|10)\b", lambda m: str((2 if m[1] in ("2", "two") else 3) * int(m[2])))
    put(r"\b(a )?couple( of)?\b", lambda m: "2")
    put(
        r"(?<!which )(?<!that )(?<!this )(?<!no )(?<!the )\b(" + "|".join(SMALL) + r")\b(?! of)",
        lambda m: str(SMALL[m[1]]),
    )
    put(
        r"\b(a|1|2|3) hundred(?: and)?(?: (\d\d?))?\b",
        lambda m: str((1 if m[1] == "a" else int(m[1])) * 100 + int(m[2] or 0)),
    )
    put(r"\bhalf an? hour\b", lambda m: "span:30")
    put(r"\b(?:a|an|1) (hour|day|week|month)\b(?! ahead of)", lambda m: f"1 {m[1]}")
    number = r"(?<![:\d.])(\d+(?:\.\d+)?)"
    put(number + r" eur\b(?: (\d\d)\b)?|\beur " + number, lambda m: f"money:{float(m[1] or m[3]):g}")
    put(number + r" km\b", lambda m: f"km:{float(m[1]):g}")
    put(number + r" mi\b", lambda m: f"km:{round(float(m[1]) * 1.609, 1):g}")
    put(number + r" (?:characters|letters|signs)\b", lambda m: f"chars:{int(float(m[1]))}")
    put(
        number + r" (minutes?|hours?|days?|weeks?|months?)\b",
        lambda m: (
            "span:" + str(round(float(m[1]) * {"mi": 1, "ho": 60, "da": 1440, "we": 10080, "mo": 43200}[m[2][:2]]))
        ),
    )
    put(
        r"\b(\d{1,2}) years?(?: old)?\b|\baged? (\d{1,2})\b|(?<!much )\b(?:is|am|are|turned) (\d{1,2})(?= ?(?:$|"
        r"[.?!,]|and|"
        r"can|may|so))",
        lambda m: f"age:{next(g for g in m.groups() if g)}",
    )
    months = "|".join(MONTHS)
    put(r"\b(\d{1,2}) (?:of )?(" + months + r")\b", lambda m: f"date:{MONTHS.index(m[2]) + 1}-{int(m[1])}")
    put(r"\b(" + months + r") (\d{1,2})\b", lambda m: f"date:{MONTHS.index(m[1]) + 1}-{int(m[2])}")
    put(r"\b(\d{1,2})/(\d{1,2})\b", lambda m: _slashed(int(m[1]), int(m[2]), faults))
    put(
        r"\b("
        + "|".join(x for x in MONTHS if x not in ("may", "march"))
        + r")\b|(?<=in )(may|march)\b|(?<=during )(may|march)\b",
        lambda m: f"month:{MONTHS.index(m[0]) + 1}",
    )
    put(
        r"\b(winter|spring|summer|autumn)\b",
        lambda m: "month:" + {"winter": "1", "spring": "4", "summer": "7", "autumn": "10"}[m[1]],
    )
    put(
        r"\b(?:half past|quarter past|quarter to) (\d{1,2})\b(?: (am|pm))?",
        lambda m: _time(
            int(m[1]),
            {"half past": 30, "quarter past": 15, "quarter to": -15}[m[0].rsplit(" ", 2 if m[2] else 1)[0]],
            m[2],
            faults,
        ),
    )
    put(r"\b(\d{1,2})(?:[:.](\d\d))? (am|pm)\b", lambda m: _time(int(m[1]), int(m[2] or 0), m[3], faults))
    put(r"\b(\d{1,2}):(\d\d)\b", lambda m: _time(int(m[1]), int(m[2]), "24", faults))
    put(r"\b(\d{1,2}) o ?clock\b", lambda m: _time(int(m[1]), 0, None, faults))
    put(
        r"\b(at|until|till|by|around) (\d{1,2})(?:\.(\d\d))?\b(?! (?:flower|colour))",
        lambda m: f"{m[1]} " + _time(int(m[2]), int(m[3] or 0), None, faults),
    )
    put(r"\b(noon|midday)\b", lambda m: "time:0" if "noon_midnight" in faults else "time:720")
    put(r"\b(" + "|".join(DAYS) + r")s?\b", lambda m: f"day:{m[1]}")
    put(r"\b(" + "|".join(PLACES + ELSEWHERE) + r")\b", lambda m: f"place:{m[1]}")
    put(
        r"\b(peonies|lilies|daisies|poppies|" + "|".join(FLOWERS + STRANGE) + r")(?:e?s)?\b(?! [a-z]+ ?$^)",
        lambda m: (
            "flower:" + {"peonies": "peony", "lilies": "lily", "daisies": "daisy", "poppies": "poppy"}.get(m[1], m[1])
        ),
    )
    put(r"\b(" + "|".join(COLOURS) + r")\b", lambda m: f"colour:{m[1]}")
    put(
        r"\b(" + "|".join(METHODS) + r")s?\b(?<!cards)",
        lambda m: (
            f"method:{m[1]}"
            if m[1] != "card"
            or re.search(
                r"(pay\w*( for)?( it| that)?|by|credit|debit)( (with|by|in))?( a| my)?( credit| debit)? $",
                text[: m.start()],
            )
            else ""
        ),
    )
    put(
        r"\b(small|medium|large|bigger|big)\b(?= (?:\w+ "
        r")?bouquet)",
        lambda m: f"size:{m[1].replace('bigger', 'large').replace('big', 'large')}",
    )
    put(
        r"\b(small|medium|large)\b(?= (?:one|size))|(?<=the )\b(small|medium|large)\b|^(?:a )?(small|medium|large)\b",
        lambda m: f"size:{next(g for g in m.groups() if g)}",
    )
    put(
        r"\b(vase|chocolate)s?\b(?! life)",
        lambda m: (
            f"extra:{m[1]}" if m[1] == "chocolate" or not re.search(r"\bin (a |the |my )?$", text[: m.start()]) else ""
        ),
    )
    put(r"(?<![:\d/.-])\b(\d+)\b(?![:/.-]\d)", lambda m: f"num:{m[1]}")
    return re.sub(r"\s+", " ", text).strip()


def _slashed(first: int, second: int, faults: Collection[str]) -> str:
    day, month = (second, first) if "month_first" in faults and first <= 12 and second <= 12 else (first, second)
    if month > 12 >= day:
        day, month = month, day
    return f"date:{month}-{day}" if 1 <= month <= 12 and 1 <= day <= 31 else ""


def _time(hour: int, minute: int, half: str | None, faults: Collection[str]) -> str:
    if hour > 24 or minute > 59:
        return ""
    if half == "pm":
        hour = 0 if "noon_midnight" in faults and hour == 12 else hour % 12 + 12
    elif half == "am":
        hour %= 12
    elif half is None and hour < 7:
        hour += 12
    return f"time:{hour * 60 + minute}"
