"""Chatbot of the Northgate Driving School."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from . import data
from .reader import DAYS, MONTHS, Token, read

MESSAGES: Final[tuple[str, ...]] = (
    "How much is a driving lesson for class B?",
    "What do 10 lessons for the A2 licence cost?",
    "My son is 16. Can he already get a class A1 licence?",
    "How old do I have to be for a truck licence?",
    "When are your theory lessons?",
    "Is there a theory class on Wednesday at 6.30 pm?",
    "What documents do I need to register?",
    "How high is the registration fee for class B, and do students get a discount?",
    "Do you have a starter package, and what does it cost?",
    "Is there an intensive course starting on 6 April?",
    "Can I cancel my driving lesson 12 hours before without paying?",
    "Can you pick me up at home? I live 15 km away from the school.",
    "Which licence do I need to tow a caravan of 1400 kg?",
    "I'd like to ride a motorbike with 35 kW. Which class do I need for that?",
    "I failed my theory exam. When can I try again, and do I have to pay again?",
    "Can I take the theory exam in Arabic?",
    "Hello, my name is Oscar Carter. I am a bit afraid of driving in big cities; do you offer refresher lessons?",
    "Can I learn on an automatic?",
    "Do you have female driving instructors?",
    "Is the office open on Fridays at 5 pm?",
    "Can I pay by instalments?",
    "I have a driving licence from India. Is it valid here, or do I need to take an exam?",
    "How much is the practical exam for class A?",
    "Which motorbike will I ride in the lessons for class A2, and where is the driving school?",
    "Do you sell gift vouchers for 100 euros?",
)
FAULTS: Final[dict[str, str]] = {
    "units_dropped": "The unit behind a number is not looked at: miles count as km, tonnes as kg, horsepower as kW.",
    "thanks_ends_it": (
        "A message with a word of thanks in it is taken for the end of the talk; its question stays unanswered."
    ),
    "caves_in": "When the customer doubts an answer, the bot takes the right answer back.",
    "stale_price": "Some answers, depending on the draw, give last year's price of lessons.",
    "long_message_cut": (
        "Only the first 140 characters of a message are read; what is asked after them is not answered."
    ),
    "substring_words": (
        "'car' is found inside other words, so that a Carter or a card turns a motorcycle matter into class B."
    ),
    "comparison_lost": "'Less than' and 'more than' before a number are overlooked.",
    "small_letters_lose_class": "Licence classes written in small letters are not seen; the answer is for class B.",
    "quantity_leaks": "A number of lessons named earlier in the talk is used for a later question about one lesson.",
    "one_per_matter": "If one matter is asked for two classes at once, only the first class is answered.",
}


@dataclass(frozen=True)
class Reply:
    """The words of an answer and what they tell."""

    text: str
    meaning: Hashable


@dataclass(frozen=True)
class Line:
    """One statement: its content and some wordings."""

    content: tuple[Hashable, ...]
    wordings: tuple[str, ...]


@dataclass
class Talk:
    """What was said before: the last questions, the class talked about, a number of lessons."""

    asked: list[Question] = field(default_factory=list)
    classes: tuple[str, ...] = ()
    lessons: float = 0


@dataclass(frozen=True)
class Question:
    """An intent and the tokens that belong to it."""

    intent: str
    tokens: tuple[Token, ...] = ()
    classes: tuple[str, ...] = ()


# score, intent: concepts that must be there (a|b: one of them), ! must not; @kind asks for a token of a kind
RULES: Final[tuple[tuple[int, str, tuple[str, ...]], ...]] = tuple(
    (int(score), intent, tuple(terms.split()))
    for score, intent, terms in (
        line.split(":")
        for line in """
100:refused cheating:CHEAT
100:refused tricks:TRICK
95:refused private:PRIVATE INSTRUCTOR|STAFF !PICKUP
95:refused private:SECRET
90:refused guarantee:GUARANTEE
78:lost licence:LOST LICENCE
76:voucher:VOUCHER
74:foreign:FOREIGN !FIRSTAID
74:foreign:@country LICENCE
73:alcohol:ALCOHOL
72:accompanied:ACCOMPANIED !INSTRUCTOR
70:cancel:CANCEL
70:family discount:FAMILY DISCOUNT
70:student discount:STUDENT DISCOUNT
70:referral:REFER
69:pickup:PICKUP
69:pickup:@km
68:first aid:FIRSTAID !REGISTER
67:eye:EYE
66:trailer:TRAILER
66:trailer:@kg
66:power:@kw
65:probation:PROBATION
64:trial:TRIAL !EXAM
63:refresher:REFRESH
62:instalments:INSTAL
61:intensive:INTENSIVE
60:package:PACKAGE
59:retake:RETAKE
58:pass rate:PASSRATE
57:exam language:LANGUAGE EXAM|THEORY !INSTRUCTOR
57:exam language:LANGUAGE QUESTION|ERRORS
56:instructor language:LANGUAGE
55:female:FEMALE
54:discount:DISCOUNT
53:payment:PAYWAY
52:special:SPECIAL
51:electric:ELECTRIC
50:automatic:AUTOMATIC|MANUAL
49:exam fee:EXAM PRICE
48:theory exam:ERRORS
48:theory exam:QUESTION EXAM|HOWMANY
47:vehicle:VEHICLE
46:registration fee:REGISTER PRICE !DOCUMENT
45:documents:DOCUMENT
44:documents:REGISTER NEED
43:age:AGE
43:age:@age
42:theory count:THEORY HOWMANY
41:theory exam:EXAM THEORY
40:practical exam:EXAM
39:theory times:THEORY
38:lesson price:LESSON PRICE
37:which class:WHICHCLASS MOPED|MOTORBIKE|LIGHTBIKE|TRUCK|CAR|BUS|TRACTOR
36:office:OFFICE WHEN|OPEN|@day|@time
36:office:OPEN
35:register:REGISTER
34:address:ADDRESS
33:contact:CONTACT
32:instructors:INSTRUCTOR
31:complaint:COMPLAIN
31:jobs:JOBS
30:duration:DURATION
29:total:PRICE LICENCE|@class|MOPED|MOTORBIKE|LIGHTBIKE|TRUCK|CAR|CLASSWORD|CARTRAILER
28:classes:WHATCLASSES
28:classes:OFFER LICENCE|CLASSWORD|@class|MOPED|MOTORBIKE|LIGHTBIKE|TRUCK|BUS|TRACTOR|CARTRAILER
27:classes:CLASSWORD OFFER
26:booking:BOOK
25:lesson count:HOWMANY LESSON
""".strip().splitlines()
    )
)
BY_CLASS: Final = (
    "lesson price",
    "age",
    "registration fee",
    "exam fee",
    "vehicle",
    "theory count",
    "total",
    "duration",
    "classes",
)
COUNTRIES_EU: Final = tuple(
    "poland france spain italy germany netherlands austria greece portugal belgium sweden denmark romania "
    "bulgaria croatia dutch austrian greek portuguese belgian swedish danish romanian".split()
)
COUNTRIES: Final = (
    tuple(
        "usa america india turkey syria england uk britain switzerland ukraine brazil china japan egypt morocco canada"
        " australia mexico nigeria indian american syrian british swiss brazilian chinese japanese egyptian moroccan"
        " canadian australian mexican nigerian serbia serbian iraq iran iranian pakistan korea vietnam thai thailand"
        " russia afghanistan ghana kenya tunisia argentina chile".split()
    )
    + COUNTRIES_EU
)
TONGUES: Final = (
    "turkish",
    "polish",
    "russian",
    "french",
    "spanish",
    "italian",
    "german",
    "ukrainian",
    "arabic",
    "english",
)
VEHICLE_CLASSES: Final = (
    ("CARTRAILER", "BE"),
    ("LIGHTBIKE", "A1"),
    ("MOPED", "AM"),
    ("MOTORBIKE", "A"),
    ("TRUCK", "C"),
    ("BUS", "D"),
    ("TRACTOR", "T"),
    ("CAR", "B"),
)
TO_BASE: Final[dict[str, tuple[str, float]]] = {
    "km": ("km", 1.0),
    "mile": ("km", 1.609),
    "kg": ("kg", 1.0),
    "t": ("kg", 1000.0),
    "lb": ("kg", 0.4536),
    "kw": ("kw", 1.0),
    "hp": ("kw", 0.7457),
    "hour": ("hour", 1.0),
    "day": ("hour", 24.0),
    "week": ("hour", 168.0),
}


def _digest(*parts: object) -> int:
    return int(hashlib.md5("|".join(map(str, parts)).encode(), usedforsecurity=False).hexdigest()[:12], 16)


# ------------------------------------------------------------ values


def _concepts(tokens: Sequence[Token]) -> set[str]:
    found: set[str] = set()
    for index, token in enumerate(tokens):
        found |= token.concepts
        if token.kind != "word":
            found.add("@" + token.kind)
        if token.kind == "number" and token.name in TO_BASE:
            found.add("@" + TO_BASE[token.name][0])
        if token.text in COUNTRIES:
            found.add("@country")
        if token.text in TONGUES and any("LICENCE" in other.concepts for other in tokens[index + 1 : index + 3]):
            found.add("@country")
    return found


def _classes(tokens: Sequence[Token]) -> tuple[str, ...]:
    named = [token.name for token in tokens if token.kind == "class"]
    if named:
        return tuple(dict.fromkeys("BE" if name == "B96" else name for name in named))
    found: list[str] = []
    for token in tokens:
        for concept, name in VEHICLE_CLASSES:
            if concept in token.concepts:
                found.append(name)
                break
    if "B" in found and len(set(found)) > 1 and not any(token.text in ("and", "or") for token in tokens):
        found = [name for name in found if name != "B"]
    return tuple(dict.fromkeys(found))


def _measure(tokens: Sequence[Token], base: str, faults: Collection[str]) -> float | None:
    """The amount in the base unit; a little less or more if it was compared."""
    for index, token in enumerate(tokens):
        if token.kind != "number":
            continue
        if token.name in TO_BASE and TO_BASE[token.name][0] == base:
            factor = 1.0 if "units_dropped" in faults and base != "hour" else TO_BASE[token.name][1]
        else:
            continue
        shift = 0.0
        near = tokens[max(0, index - 2) : index]
        if "comparison_lost" not in faults:
            if any("MORE" in other.concepts for other in near):
                shift = 0.01 * token.value + 0.001
            elif any("LESS" in other.concepts for other in near):
                shift = -0.01 * token.value - 0.001
                if any(
                    "NOT" in other.concepts
                    for other in tokens[max(0, index - 3) : index]
                    if "LESS" not in other.concepts
                ):
                    shift = 0.001
        return token.value * factor + shift * factor
    return None


def _ages(tokens: Sequence[Token], faults: Collection[str]) -> list[float]:
    found = []
    for index, token in enumerate(tokens):
        near = tokens[max(0, index - 2) : index]
        early = any(other.concepts & {"ALMOST", "LESS"} for other in near)
        plain = (
            token.kind == "number"
            and token.name in ("", "year")
            and 5 < token.value < 100
            and (
                early
                or any("MORE" in other.concepts or other.text in ("at", "with") for other in near)
                or any("AGE" in other.concepts for other in tokens[max(0, index - 2) : index + 3])
            )
        )
        if token.kind == "age" or plain:
            found.append(token.value - 0.5 if early and "comparison_lost" not in faults else token.value)
    return found


def _lesson_number(tokens: Sequence[Token]) -> float:
    for index, token in enumerate(tokens):
        if token.kind == "number" and token.name == "lesson":
            return token.value
        if token.kind == "number" and token.name == "hour":
            return 0
    for index, token in enumerate(tokens[:-1]):
        if "DOUBLE" in token.concepts and any("LESSON" in other.concepts for other in tokens[index + 1 : index + 3]):
            return 2
    return 0


def _days(tokens: Sequence[Token]) -> list[int]:
    found: list[int] = []
    for token in tokens:
        if token.kind == "day":
            found.extend((5, 6) if token.value == 56 else (int(token.value),))
    return sorted(set(found))


# ------------------------------------------------------------ understanding


def _score(tokens: Sequence[Token]) -> tuple[int, str]:
    here = _concepts(tokens)
    for score, intent, terms in RULES:
        if all(
            (term[1:] not in here) if term[0] == "!" else any(option in here for option in term.split("|"))
            for term in terms
        ):
            return score, intent
    return 0, ""


def _sentences(tokens: Sequence[Token]) -> list[tuple[list[Token], bool]]:
    found: list[tuple[list[Token], bool]] = []
    current: list[Token] = []
    for token in tokens:
        if token.kind == "stop":
            if current:
                found.append((current, token.question))
            current = []
        else:
            current.append(token)
    if current:
        found.append((current, False))
    return found


HEADS: Final = frozenset(
    {"how", "what", "when", "where", "which", "who", "can", "do", "does", "is", "are", "may", "could"}
)
SOFT: Final = (
    "practical exam",
    "theory times",
    "lesson price",
    "office",
    "register",
    "duration",
    "total",
    "classes",
    "booking",
    "lesson count",
    "age",
    "documents",
    "payment",
    "instructors",
    "theory count",
    "theory exam",
    "exam fee",
)


TOLD: Final = ("age", "power", "trailer", "pickup")
TIMETABLES: Final = ("theory times", "office")
POINTERS: Final = frozenset({"it", "that", "they", "this", "them"})


def _rate(tokens: Sequence[Token], aged: bool) -> tuple[int, str]:
    """The score, where "can he get class A1" is about age if an age was told."""
    score, intent = _score(tokens)
    kinds = _concepts(tokens)
    if aged and intent in ("", "classes", "total", "which class") and "PRICE" not in kinds and _classes(tokens):
        if _asks(tokens):
            return 43, "age"
    return score, intent


def _pieces(tokens: list[Token], aged: bool = False) -> list[list[Token]]:
    """Parts of a sentence with one matter each."""
    whole, _ = _rate(tokens, aged)
    if not whole:
        return [tokens]
    for at in range(1, len(tokens) - 0):
        token = tokens[at]
        joint = token.kind == "comma" or "AND" in token.concepts
        head = (
            token.text.split(" ")[0] in HEADS
            and at > 2
            and tokens[at - 1].text not in HEADS | {"know", "if", "whether", "tell", "me", "and", "wonder", "that"}
            and not (tokens[at - 1].concepts & {"ASK"})
        )
        if head and tokens[at - 1].text.split(" ")[0] in HEADS or not joint and not head:
            continue
        left, right = tokens[:at], tokens[at + 1 :] if joint else tokens[at:]
        if (
            not joint
            and token.text in HELPERS
            and _questioning(left)
            and not any(other.text in HELPERS for other in left)
        ):
            continue
        (one, first), (two, second) = _rate(left, aged), _rate(right, aged)
        asking = joint and "WHICHCLASS" in _concepts(left) and not first
        if asking and second and (_asks(right) or right[0].text in ("i", "my", "we")):
            return [left] + _pieces(right, aged)
        if joint and first in TOLD and second in TOLD and first != second and not _asks(left) and not _asks(right):
            return [left, right]
        if (
            joint
            and (first or asking)
            and right
            and right[0].text in ("my", "i", "we", "our", "he", "she")
            and not _asks(right)
        ):
            if _concepts(right) & {"@age", "@km", "@kg", "@kw", "@country"} and _asks(left):
                return _pieces(left, aged) + [right]
        if (
            not first
            or not second
            or first == second
            and not (first in BY_CLASS and _classes(left) and _classes(right) and _asks(left) and _asks(right))
            and not (first in TIMETABLES and _asks(left) and _asks(right) and not _points(right) and len(right) > 2)
        ):
            continue
        if joint and first != second and first in TOLD and not _own(left, first, second) and _asks(right):
            return [left] + _pieces(right, aged)
        if not _own(right, second, first) or not _own(left, first, second):
            continue
        if _rate(tokens, aged)[1] not in (first, second) and not _asks(right):
            continue
        return _pieces(left, aged) + _pieces(right, aged)
    return [tokens]


HELPERS: Final = frozenset({"can", "do", "does", "is", "are", "may", "could"})


def _questioning(tokens: Sequence[Token]) -> bool:
    return any(
        word in ("how", "what", "when", "where", "which", "who") for token in tokens for word in token.text.split()
    )


def _asks(tokens: Sequence[Token]) -> bool:
    """Whether the tokens are a question by their words."""
    for index, token in enumerate(tokens):
        first = token.text.split(" ")[0]
        if first in ("how", "what", "when", "where", "which", "who", "whether") or token.concepts & {
            "PRICE",
            "HOWMANY",
        }:
            return True
        if (first in HEADS or "ASK" in token.concepts) and (
            not index or tokens[index - 1].kind != "word" or "AND" in tokens[index - 1].concepts
        ):
            return True
    return any(token.concepts & {"AGE"} for token in tokens)


def _own(part: Sequence[Token], intent: str, other: str) -> bool:
    """Whether a part stands on its own, or only says more about its neighbour ("and what does it cost")."""
    words = [token.text for token in part if token.kind != "comma"]
    if intent in ("total",) and other != "total":
        return any(word in ("licence", "driving licence") for word in words) or any(
            token.kind == "class" for token in part
        )
    if intent in (
        "lesson price",
        "exam fee",
        "registration fee",
        "office",
        "duration",
        "practical exam",
        "theory times",
    ):
        return len(words) > 1
    if (
        intent in ("age", "power", "trailer", "pickup")
        and not _asks(part)
        and not any(token.concepts & {"PICKUP", "TRAILER", "WHICHCLASS"} for token in part)
    ):
        return False
    return True


ENTITY: Final = ("class", "number", "time", "date", "day", "age")


def _entity(token: Token) -> str:
    """The sort of value a token gives, for corrections."""
    if token.kind in ("number", "age"):
        return "number"
    if token.kind in ENTITY:
        return token.kind
    for group in (
        {"AUTOMATIC", "MANUAL"},
        {"CAR", "MOPED", "MOTORBIKE", "LIGHTBIKE", "TRUCK", "BUS", "TRACTOR"},
        {"STUDENT", "FAMILY"},
    ):
        if token.concepts & group:
            return "class" if "CAR" in group else "/".join(sorted(group))
    if "THEORY" in token.concepts or "PRACTICAL" in token.concepts:
        return "exam kind"
    if "LANGUAGE" in token.concepts and token.text in data.LANGUAGES:
        return "language"
    if "PAYWAY" in token.concepts and token.text in ("cash", "card", "paypal", "bank transfer", "invoice", "bitcoin"):
        return "pay"
    if token.text in COUNTRIES:
        return "country"
    if token.text in ("starter", "standard", "starter package", "standard package"):
        return "package"
    return ""


def _correct(tokens: list[Token]) -> list[Token]:
    """Takes back what the customer takes back."""
    for index in range(len(tokens) - 1, -1, -1):
        if "DROP" in tokens[index].concepts:
            right = tokens[index + 1 :]
            if _score(right)[0]:
                return right
            tokens = tokens[:index] + [Token("i mean", concepts=frozenset({"FIX"}))] + right
            break
    out = list(tokens)
    at = 0
    while at < len(out):
        token = out[at]
        if (
            "FIX" in token.concepts
            or token.text == "no"
            and at
            and (out[at - 1].kind == "comma" or out[at + 1 : at + 2] and out[at + 1].kind == "comma")
        ):
            after: list[int] = []
            for place in range(at + 1, min(at + 8, len(out))):
                if out[place].kind == "stop" and after:
                    break
                if _entity(out[place]):
                    after.append(place)
                    break
                if (
                    out[place].kind == "word"
                    and (out[place].concepts & {"ASK", "PRICE", "WHEN"})
                    and token.text == "sorry"
                ):
                    break
            if after:
                new = out[after[0]]
                olds = [place for place in range(at) if _entity(out[place]) == _entity(new)]
                if new.kind == "number" and new.name:
                    same = [
                        place
                        for place in olds
                        if out[place].name == new.name
                        or TO_BASE.get(out[place].name, ("?",))[0] == TO_BASE.get(new.name, ("!",))[0]
                        or not out[place].name
                        and out[place].kind == "number"
                    ]
                    olds = same or ([] if token.text in ("sorry", "actually") else olds)
                if olds:
                    old = out[olds[-1]]
                    if new.kind == "number" and not new.name and (old.name or old.kind == "age"):
                        new = replace(old, text=new.text, value=new.value)
                    out[olds[-1]] = new
                    for place in olds[:-1]:
                        if out[place] == old:
                            out[place] = new
                    cut = after[0] + 1
                    start = at
                    while start and out[start - 1].kind == "comma":
                        start -= 1
                    del out[start:cut]
                    at = start
                    continue
        at += 1
    out = _negated(out)
    return out


def _negated(out: list[Token]) -> list[Token]:
    """'not A2 but A', 'A instead of A2', 'A, not A2'."""
    at = 0
    while at < len(out):
        token = out[at]
        if "INSTEAD" in token.concepts or token.text == "not":
            for place in range(at + 1, min(at + 5, len(out))):
                sort = _entity(out[place])
                if not sort and out[place].text not in ("for", "a", "the", "in", "on", "class", "at", "an"):
                    break
                if sort:
                    twins = [spot for spot in range(len(out)) if spot != place and _entity(out[spot]) == sort]
                    but = any(out[spot].text == "but" for spot in range(place, min(place + 3, len(out))))
                    if twins and (
                        "INSTEAD" in token.concepts
                        or but
                        or at
                        and out[at - 1].kind == "comma"
                        or at
                        and out[at - 1].text == "and"
                    ):
                        out = out[:at] + out[place + 1 :]
                    break
        at += 1
    return out


def _is_remark(sentence: Sequence[Token], question: bool) -> bool:
    concepts = _concepts(sentence)
    if question or any(
        token.text in HEADS and token.text not in ("is", "are", "can", "do", "may") for token in sentence
    ):
        return False
    if concepts & {
        "@km",
        "@kg",
        "@kw",
        "@age",
        "NEED",
        "RETAKE",
        "REFRESH",
        "PICKUP",
        "CANCEL",
        "LOST",
        "FOREIGN",
        "@country",
    }:
        return False
    if sentence and sentence[0].text in ("tell", "please") or any(token.text in ("tell", "know") for token in sentence):
        return False
    return "REMARK" in concepts


def _before_remark(sentence: list[Token]) -> list[Token]:
    """What stands before a remark if the stop between was left out."""
    at = next(index for index, token in enumerate(sentence) if "REMARK" in token.concepts)
    while at and sentence[at].text not in ("i", "we", "my", "the", "it", "your", "this", "our", "please"):
        at -= 1
    return sentence[:at] if _score(sentence[:at])[0] else []


FITS: Final = (
    ("@km", "pickup"),
    ("@kg", "trailer"),
    ("@kw", "power"),
    ("@hour", "cancel"),
    ("@age", "age"),
    ("@country", "foreign"),
    ("STUDENT", "discount"),
    ("FAMILY", "discount"),
)


def _understand(tokens: list[Token], talk: Talk, faults: Collection[str]) -> list[Question]:
    found: list[tuple[str, list[Token], bool]] = []
    loose: list[tuple[int, list[Token]]] = []
    aged = any(token.kind == "age" for token in tokens)
    for sentence, question in _sentences(tokens):
        if _is_remark(sentence, question):
            sentence = _before_remark(sentence)
            if not sentence:
                continue
        claim = "CLAIM" in _concepts(sentence) and not any(
            token.text in ("how", "what", "when", "which") for token in sentence
        )
        for piece in _pieces(sentence, aged):
            _, intent = _score(piece)
            if (
                aged
                and intent in ("", "classes", "total", "which class")
                and _classes(piece)
                and "PRICE" not in _concepts(piece)
                and (_asks(piece) or question)
            ):
                intent = "age"
            stray = intent in ("age", "power", "trailer", "pickup") and not _asks(piece) and not question
            before: list[Token] = []
            for at in range(len(loose) - 1, -1, -1):
                before = loose[at][1] + before
                if intent or loose[at][0] != len(found):
                    break
                if _score(before + piece)[1]:
                    intent, piece = _score(before + piece)[1], before + piece
                    loose = loose[:at]
            if intent == "refresher" and found and found[-1][0] == "refresher":
                continue
            if intent and not (stray and not _concepts(piece) & {"PICKUP", "WHICHCLASS", "TRAILER", "AGE"}):
                found.append((intent, piece, claim))
            else:
                loose.append((len(found), piece))
    if any(not claim for _, _, claim in found):
        found = [entry for entry in found if not entry[2]]
    found = _settle(found, loose)
    flat = [token for _, part in loose for token in part]
    if not found and not talk.asked and _score(flat)[1]:
        return [Question(_score(flat)[1], tuple(flat), _classes(flat))]
    if not found:
        return _go_on(tokens, loose, talk, faults)
    asked: list[Question] = []
    classes: tuple[str, ...] = ()
    for index, (intent, piece, _) in enumerate(found):
        near = []
        for place, part in loose:
            kinds = _concepts(part)
            fitting = [
                spot
                for spot, entry in enumerate(found)
                if any(kind in kinds and name == entry[0] for kind, name in FITS)
            ]
            best = next((spot for spot in fitting if spot >= place), fitting[-1] if fitting else -1)
            if index == best or not fitting and (place == index or place >= len(found) and index == len(found) - 1):
                near.append(part)
        whole = tuple(piece) + tuple(token for part in near for token in part)
        own = _classes(piece) or _classes(whole)
        if not own and intent in BY_CLASS:
            others = _classes([token for part in (part for _, part in loose) for token in part])
            own = classes or others or (talk.classes if intent != "classes" else ())
        if own:
            classes = own
        if "one_per_matter" in faults:
            own = own[:1]
            if any(question.intent == intent for question in asked):
                continue
        asked.append(Question(intent, whole, own))
    return asked


def _points(tokens: Sequence[Token]) -> bool:
    return any(token.text in POINTERS for token in tokens)


def _valued(tokens: Sequence[Token], intent: str) -> bool:
    if intent in TIMETABLES:
        return any(token.kind in ("day", "time") for token in tokens)
    return any(map(_entity, tokens))


def _settle(
    found: list[tuple[str, list[Token], bool]], loose: list[tuple[int, list[Token]]]
) -> list[tuple[str, list[Token], bool]]:
    """Drops questions that only say more about another one of the same message."""
    merged: list[tuple[str, list[Token], bool]] = []
    for intent, piece, claim in found:
        twin = next((index for index, entry in enumerate(merged) if entry[0] == intent), None)
        other = merged[twin][1] if twin is not None else []
        bare, bald = not _valued(piece, intent), not _valued(other, intent)
        vague = bare and (_points(piece) or not _asks(piece)) or bald and (_points(other) or not _asks(other))
        if twin is not None and vague and not (bare and any(token.kind == "class" for token in piece)):
            merged[twin] = (intent, merged[twin][1] + piece, claim)
        else:
            merged.append((intent, piece, claim))
    found = merged
    names = [entry[0] for entry in found]
    out: list[tuple[str, list[Token], bool]] = []
    for index, (intent, piece, claim) in enumerate(found):
        concepts = _concepts(piece)
        words = {token.text for token in piece}
        earlier = names[:index]
        if intent == "total" and (earlier or len(names) > 1) and not concepts & {"LICENCE", "@class"}:
            continue
        if "foreign" in names and intent in ("practical exam", "theory exam", "lost licence", "which class", "age"):
            if not concepts & {"@age", "THEORY", "PRACTICAL"} and not _classes(piece):
                continue
        if "retake" in names and intent in ("practical exam", "theory exam", "exam fee", "total"):
            if intent != "exam fee" or not concepts & {"@class"}:
                continue
        if (
            intent == "age"
            and index
            and names[index - 1] in ("accompanied", "power")
            and not concepts & {"@class", "MOPED", "TRUCK"}
        ):
            continue
        if intent == "booking" and len(names) > 1 and words & {"appointment", "next lesson"} and "cancel" in names:
            continue
        if (
            intent == "office"
            and earlier
            and not concepts & {"OFFICE"}
            and ("it" in words or "they" in words)
            and earlier[-1] not in ("office", "address", "contact")
        ):
            continue
        if intent == "documents" and "register" in names:
            out = [entry for entry in out if entry[0] != "register"]
        if intent == "instructor language" and "exam language" in names and not _asks(piece):
            continue
        if intent == "register" and "documents" in names:
            continue
        if intent == "which class" and {"power", "trailer"} & set(names):
            continue
        if (
            intent in ("payment",)
            and earlier
            and earlier[-1] in ("voucher", "instalments")
            and not words & {"cash", "card", "paypal"}
        ):
            continue
        out.append((intent, piece, claim))
    return out


def _go_on(
    tokens: list[Token], loose: list[tuple[int, list[Token]]], talk: Talk, faults: Collection[str]
) -> list[Question]:
    """A message without a matter of its own."""
    here = _concepts(tokens)
    flat = tuple(token for _, part in loose for token in part)
    values = [
        token for token in flat if _entity(token) and not (token.kind == "number" and token.name in ("euro", "percent"))
    ]
    content = [token for token in tokens if token.kind not in ("stop", "comma")]
    if (
        talk.asked
        and values
        and not (
            "SURE" in here
            and not here & {"@class", "@day"}
            and all(token.kind == "number" and not token.name for token in values)
        )
    ):
        out: list[Question] = []
        for question in talk.asked:
            sorts = {_entity(token) for token in values}
            kept = tuple(token for token in question.tokens if _entity(token) not in sorts)
            new: list[Token] = []
            for token in values:
                old = next(
                    (
                        other
                        for other in question.tokens
                        if _entity(other) == "number" and (other.name or other.kind == "age")
                    ),
                    None,
                )
                if token.kind == "number" and not token.name:
                    token = (
                        replace(old, text=token.text, value=token.value)
                        if old
                        else replace(token, name="lesson")
                        if question.intent == "lesson price"
                        else token
                    )
                new.append(token)
            if question.intent == "exam fee" and "exam kind" in sorts:
                kept = tuple(token for token in kept if not token.concepts & {"THEORY", "PRACTICAL"})
            near = [token for token in flat if not _entity(token)]
            out.append(Question(question.intent, kept + tuple(near) + tuple(new), _classes(values) or question.classes))
        return out
    if "SURE" in here and talk.asked:
        return [Question("retracted")] if "caves_in" in faults else talk.asked
    if here & {"STUDENT", "FAMILY"}:
        return [Question("student discount" if "STUDENT" in here else "family discount", flat)]
    if here & {"@class", "MOPED", "MOTORBIKE", "LIGHTBIKE", "TRUCK", "BUS", "TRACTOR", "CARTRAILER"} and (
        len(content) <= 6 or here & {"@class", "@age"}
    ):
        if "@age" in here:
            return [Question("age", flat, _classes(flat))]
        return [Question("total", flat, _classes(flat))]
    if "LESSON" in here and len(content) <= 4:
        return [Question("lesson price", flat, _classes(flat) or talk.classes)]
    if "THANKS" in here:
        return [Question("thanks")]
    if "GREET" in here:
        return [Question("hello")]
    return []


# ------------------------------------------------------------ answers


def _fixed(intent: str) -> list[Line]:
    lines = []
    for text in data.LINES[intent]:
        key, *wordings = text.split(" | ")
        lines.append(Line((key,), tuple(wordings)))
    return lines


def _money(cents: int) -> tuple[str, ...]:
    amount = f"{cents // 100}" if cents % 100 == 0 else f"{cents // 100}.{cents % 100:02d}"
    return f"€{amount}", f"{amount} euros", f"EUR {amount}"


def _hour(minutes: int) -> tuple[str, ...]:
    hour, rest = divmod(minutes, 60)
    short = f"{(hour + 11) % 12 + 1}" + (f":{rest:02d}" if rest else "")
    return f"{hour:02d}:{rest:02d}", f"{short} {'pm' if hour >= 12 else 'am'}", f"{hour:02d}.{rest:02d} h"


def _forms(*forms: str, **values: tuple[str, ...]) -> tuple[str, ...]:
    size = max((len(value) for value in values.values()), default=1)
    return tuple(
        form.format(**{key: value[(index + shift) % len(value)] for key, value in values.items()})
        for shift, form in enumerate(forms)
        for index in range(size)
    )


def _label(name: str) -> tuple[str, ...]:
    return f"class {name}", f"class {name} ({data.CLASS_NAMES[name]})"


def _not_taught(name: str) -> Line:
    return Line(
        ("not taught", name),
        (f"We do not teach class {name}.", f"Class {name} is not among the classes that we teach."),
    )


def _lesson_price(question: Question, name: str, talk: Talk, faults: Collection[str], seed: int) -> list[Line]:
    number = int(_lesson_number(question.tokens)) or 1
    if "quantity_leaks" in faults and number == 1 and talk.lessons > 1:
        number = int(talk.lessons)
    price = data.LESSON[name]
    if "stale_price" in faults and seed % 3 == 0:
        price = data.OLD_LESSON[name]
    if number == 1:
        return [
            Line(
                ("lesson", name, price),
                _forms(
                    "A lesson of 45 minutes for {name} costs {price}.",
                    "For {name} a 45-minute lesson is {price}.",
                    name=_label(name),
                    price=_money(price * 100),
                ),
            )
        ]
    return [
        Line(
            ("lessons", name, number, price * number),
            _forms(
                "{number} lessons for {name} cost {price}.",
                "For {name}, {number} lessons of 45 minutes come to {price}.",
                number=(str(number),),
                name=_label(name),
                price=_money(price * number * 100),
            ),
        )
    ]


def _age(question: Question, name: str, faults: Collection[str]) -> list[Line]:
    limit = data.MINIMUM_AGE[name]
    lines = [
        Line(
            ("minimum age", name, limit),
            _forms(
                "The minimum age for {name} is {age}.",
                "For {name} one must be {age} years old.",
                name=_label(name),
                age=(str(limit),),
            ),
        ),
        Line(
            ("start 6 months before",),
            ("Lessons may begin six months earlier.", "You may start learning 6 months before."),
        ),
    ]
    if name == "B":
        lines += _fixed("accompanied")[:1]
    for age in _ages(question.tokens, faults):
        enough = age >= limit
        lines.append(
            Line(
                ("old enough", name, enough),
                _forms(
                    (
                        "At the age you name the licence for {name} is possible."
                        if enough
                        else "At the age you name it is too early for the licence for {name}."
                    ),
                    "That is old enough for {name}." if enough else "That is not yet old enough for {name}.",
                    name=_label(name),
                ),
            )
        )
    return lines


def _by_class(question: Question, talk: Talk, faults: Collection[str], seed: int) -> list[Line]:
    lines: list[Line] = []
    kinds = _concepts(question.tokens)
    if question.intent == "exam fee" and "THEORY" in kinds and not kinds & {"PRACTICAL"}:
        return [_theory_fee()]
    for name in question.classes or ("B",):
        if name not in data.CLASSES:
            lines.append(_not_taught(name))
            continue
        label = _label(name)
        if question.intent == "lesson price":
            lines += _lesson_price(question, name, talk, faults, seed)
        elif question.intent == "age":
            lines += _age(question, name, faults)
        elif question.intent == "registration fee":
            lines.append(_registration(name))
        elif question.intent == "exam fee":
            if "THEORY" in kinds or "PRACTICAL" not in kinds:
                lines.append(_theory_fee())
            lines.append(_practical_fee(name))
        elif question.intent == "vehicle":
            lines.append(
                Line(
                    ("vehicle", name),
                    _forms(
                        "For {name} you drive {thing}.",
                        "In lessons for {name} we use {thing}.",
                        name=label,
                        thing=(data.VEHICLES[name],),
                    ),
                )
            )
        elif question.intent == "theory count":
            lines.append(
                Line(
                    ("theory lessons", name, data.THEORY_LESSONS[name]),
                    _forms(
                        "{name} takes {n} theory lessons.",
                        "{n} theory lessons are needed for {name}.",
                        name=label,
                        n=(str(data.THEORY_LESSONS[name]),),
                    ),
                )
            )
        elif question.intent == "duration":
            low, high = data.WEEKS[name]
            lines.append(
                Line(
                    ("weeks", name, low, high),
                    _forms(
                        "For {name} most people need {low} to {high} weeks.",
                        "It takes about {low}-{high} weeks for {name}.",
                        name=label,
                        low=(str(low),),
                        high=(str(high),),
                    ),
                )
            )
        elif question.intent == "classes":
            lines.append(
                Line(("taught", name), _forms("Yes, we teach {name}.", "You can learn {name} with us.", name=label))
            )
        else:
            lines.append(_registration(name))
            lines += _lesson_price(Question("lesson price"), name, Talk(), faults, seed)
            lines += [_theory_fee(), _practical_fee(name)]
    return lines


def _registration(name: str) -> Line:
    return Line(
        ("registration", name, data.REGISTRATION[name]),
        _forms(
            "The registration fee for {name} is {price}.",
            "Registering for {name} costs {price}.",
            name=_label(name),
            price=_money(100 * data.REGISTRATION[name]),
        ),
    )


def _theory_fee() -> Line:
    return Line(
        ("theory exam fee", data.THEORY_FEE),
        _forms(
            "The theory exam costs {price}.",
            "For the theory exam you pay {price}.",
            price=_money(100 * data.THEORY_FEE),
        ),
    )


def _practical_fee(name: str) -> Line:
    return Line(
        ("practical exam fee", name, data.PRACTICAL_FEE[name]),
        _forms(
            "The practical exam for {name} costs {price}.",
            "For the practical exam of {name} we charge {price}.",
            name=_label(name),
            price=_money(100 * data.PRACTICAL_FEE[name]),
        ),
    )


def _timetable(table: dict[int, tuple[int, int]], what: str, key: str, tokens: Sequence[Token]) -> list[Line]:
    lines: list[Line] = []
    if any(token.kind == "today" for token in tokens):
        lines.append(
            Line(
                ("no calendar",),
                (
                    "I do not know today's date; please name the day of the week.",
                    "Please tell me a weekday, I have no calendar.",
                ),
            )
        )
    days = _days(tokens)
    times = [int(token.value) for token in tokens if token.kind == "time"]
    for day in days or sorted(table):
        name = DAYS[day].title()
        if day not in table:
            lines.append(Line((key, day, "none"), (f"On {name}s there is no {what}.", f"No {what} on {name}s.")))
            continue
        start, end = table[day]
        lines.append(
            Line(
                (key, day, start, end),
                _forms(
                    f"{what.capitalize()}: {name}s from {{a}} to {{b}}.",
                    f"On {name}s the {what} is from {{a}} until {{b}}.",
                    a=_hour(start),
                    b=_hour(end),
                ),
            )
        )
        for time in times if days else ():
            inside = start <= time < end if key == "office" else time == start
            verb = (
                ("is open" if inside else "is not open")
                if key == "office"
                else ("begins" if inside else "does not begin")
            )
            lines.append(
                Line(
                    (key, day, time, inside),
                    _forms(f"At {{t}} it {verb} on {name}s.", f"On {name}s it {verb} at {{t}}.", t=_hour(time)),
                )
            )
    return lines


def _cancel(tokens: Sequence[Token], faults: Collection[str]) -> list[Line]:
    lines = [
        Line(
            ("cancel free until 24 h",),
            (
                "A lesson can be cancelled free of charge until 24 hours before.",
                "Cancelling is free up to one day (24 hours) ahead.",
            ),
        ),
        Line(("cancel fee 40",), ("After that we charge €40.", "Later than that the fee is 40 euros.")),
    ]
    hours = _measure(tokens, "hour", faults)
    if hours is not None:
        free = hours >= 24
        lines.append(
            Line(
                ("cancel free", free),
                (
                    ("So you need not pay.", "In your case it is free.")
                    if free
                    else ("So you have to pay the €40.", "In your case the fee is due.")
                ),
            )
        )
    return lines


def _pickup(tokens: Sequence[Token], faults: Collection[str]) -> list[Line]:
    lines = [
        Line(
            ("pickup free to 10 km",),
            ("We pick you up free of charge within 10 km.", "Up to ten kilometres the pick-up is free."),
        ),
        Line(
            ("pickup 8 euro to 25 km",),
            ("Up to 25 km a pick-up costs €8.", "From there to 25 km it is 8 euros each time."),
        ),
        Line(("pickup not beyond 25",), ("Further away we do not come.", "Beyond 25 km no pick-up is possible.")),
    ]
    far = _measure(tokens, "km", faults)
    if far is not None:
        band = "free" if far <= 10 else "8 euros" if far <= 25 else "not possible"
        lines.append(Line(("pickup for you", band), (f"For your distance it is {band}.", f"In your case: {band}.")))
    return lines


def _trailer(tokens: Sequence[Token], faults: Collection[str]) -> list[Line]:
    weight = _measure(tokens, "kg", faults)
    if weight is None:
        return [
            Line(
                ("B to 750 kg",),
                ("Up to 750 kg class B is enough for a trailer.", "Class B covers trailers up to 750 kg."),
            ),
            Line(
                ("BE to 3500 kg",), ("Up to 3500 kg you need class BE.", "Class BE is for trailers up to 3.5 tonnes.")
            ),
        ]
    need = "B" if weight <= 750 else "BE" if weight <= 3500 else ""
    if not need:
        return [
            Line(
                ("trailer too heavy",),
                (
                    "Such a heavy trailer goes beyond the classes that we teach.",
                    "A trailer of that weight needs a class that we do not teach.",
                ),
            )
        ]
    return [
        Line(
            ("trailer needs", need),
            (f"For a trailer of that weight you need class {need}.", f"That weight calls for class {need}."),
        )
    ]


def _power(tokens: Sequence[Token], faults: Collection[str]) -> list[Line]:
    power = _measure(tokens, "kw", faults) or 0.0
    need = "A1" if power <= 11.3 else "A2" if power <= 35.9 else "A"
    return [
        Line(
            ("power needs", need),
            (f"For a motorcycle of that power you need class {need}.", f"That power calls for class {need}."),
        ),
        Line(
            ("minimum age", need, data.MINIMUM_AGE[need]),
            _forms(
                "The minimum age for {name} is {age}.",
                "For {name} one must be {age} years old.",
                name=_label(need),
                age=(str(data.MINIMUM_AGE[need]),),
            ),
        ),
    ]


def _package(tokens: Sequence[Token]) -> list[Line]:
    words = " ".join(token.text for token in tokens)
    names = [
        name for name in data.PACKAGES if name in words or name == "starter" and re.search(r"\bstart\w* pack", words)
    ]
    number = _lesson_number(tokens)
    names = names or [name for name, (size, _) in data.PACKAGES.items() if size == number]
    lines = []
    for name in names or data.PACKAGES:
        size, price = data.PACKAGES[name]
        lines.append(
            Line(
                ("package", name, size, price),
                _forms(
                    f"The {name} package has {size} car lessons and costs {{price}}.",
                    f"{name.title()} package: {size} lessons in class B for {{price}}.",
                    price=_money(100 * price),
                ),
            )
        )
    return lines


def _intensive(tokens: Sequence[Token]) -> list[Line]:
    lines = [
        Line(
            ("intensive 3 weeks, 30 lessons, 1750",),
            (
                "The intensive course takes three weeks, with 30 lessons and all the theory, for €1750.",
                "Our intensive course: 3 weeks, thirty lessons and the theory; it costs 1750 euros.",
            ),
        )
    ]
    dates = [int(token.value) for token in tokens if token.kind == "date"]
    for month, day in data.INTENSIVE_STARTS:
        if not dates:
            lines.append(
                Line(
                    ("intensive starts", month, day, True),
                    _forms(
                        "A course starts on {d}.",
                        "One begins on {d}.",
                        d=(f"{day} {MONTHS[month - 1].title()}", f"{MONTHS[month - 1].title()} {day}"),
                    ),
                )
            )
    for value in dates:
        month, day = divmod(value, 100)
        starts = (month, day) in data.INTENSIVE_STARTS
        shown = (f"{day} {MONTHS[month - 1].title()}", f"{MONTHS[month - 1].title()} {day}")
        lines.append(
            Line(
                ("intensive starts", month, day, starts),
                _forms(
                    "A course starts on {d}." if starts else "No course starts on {d}.",
                    "One begins on {d}." if starts else "None begins on {d}.",
                    d=shown,
                ),
            )
        )
    return lines


def _languages(intent: str, tokens: Sequence[Token]) -> list[Line]:
    asked = [token.text for token in tokens if token.text in data.LANGUAGES]
    lines = []
    for name in dict.fromkeys(asked):
        title = name.title()
        if intent == "exam language":
            fine = data.LANGUAGES[name]
            lines.append(
                Line(
                    ("exam language", name, fine),
                    (
                        f"The theory exam {'can' if fine else 'cannot'} be taken in {title}.",
                        f"{title} is {'' if fine else 'not '}among the languages of the theory exam.",
                    ),
                )
            )
        else:
            fine = name in data.SPOKEN
            lines.append(
                Line(
                    ("spoken", name, fine),
                    (
                        f"Lessons in {title} are {'' if fine else 'not '}possible.",
                        f"{'Some' if fine else 'None'} of our instructors teach in {title}.",
                    ),
                )
            )
    if lines:
        return lines
    known = (
        [name.title() for name, fine in data.LANGUAGES.items() if fine]
        if intent == "exam language"
        else [name.title() for name in data.SPOKEN]
    )
    text = ", ".join(known)
    return [
        Line(
            (intent, "all"),
            (
                (f"The theory exam is offered in {text}.", f"Languages of the theory exam: {text}.")
                if intent == "exam language"
                else (f"Our instructors teach in {text}.", f"Lessons are held in {text}.")
            ),
        )
    ]


def _voucher(tokens: Sequence[Token]) -> list[Line]:
    lines = [
        Line(
            ("vouchers 50 100 200",),
            ("Vouchers come at €50, €100 and €200.", "There are vouchers of 50, 100 and 200 euros."),
        ),
        Line(("voucher 2 years",), ("They are valid for two years.", "A voucher can be used for 2 years.")),
    ]
    for token in tokens:
        if token.kind == "number" and (token.name in ("euro", "lb") or not token.name and token.value >= 5):
            fine = token.value in data.VOUCHERS
            lines.append(
                Line(
                    ("voucher of", token.value, fine),
                    _forms(
                        "A voucher of {v} is {s}.",
                        "{s}: a voucher of {v}.",
                        v=_money(round(100 * token.value)),
                        s=("available" if fine else "not available",),
                    ),
                )
            )
    return lines


def _payment(tokens: Sequence[Token]) -> list[Line]:
    words = " " + " ".join(token.text for token in tokens) + " "
    asked = [
        name
        for name in data.PAYWAYS
        if f" {name}" in words
        or name == "bank transfer"
        and "transfer" in words
        or name == "card"
        and (" visa" in words or " mastercard" in words)
    ]
    lines = []
    for name in asked:
        fine = data.PAYWAYS[name]
        lines.append(
            Line(
                ("pay", name, fine),
                (
                    (f"You can pay by {name}.", f"Payment by {name} is fine.")
                    if fine
                    else (f"You cannot pay by {name}.", f"Payment by {name} is not possible.")
                ),
            )
        )
    return lines or [
        Line(
            ("pay", "all"),
            ("You can pay in cash, by card or by bank transfer.", "We take cash, cards and bank transfers."),
        )
    ]


def _foreign(tokens: Sequence[Token]) -> list[Line]:
    words = {token.text for token in tokens}
    text = " ".join(token.text for token in tokens)
    outside = (
        "non" in text
        or any(word in COUNTRIES and word not in COUNTRIES_EU for word in words)
        or any(
            phrase in text
            for phrase in (
                "outside",
                "turkish licence",
                "turkish driving",
                "russian licence",
                "russian driving",
                "ukrainian driving",
                "ukrainian licence",
            )
        )
    )
    inside = not outside and (
        "eu" in text.split()
        or "eu licence" in text
        or any(word in COUNTRIES_EU for word in words)
        or any(phrase in text for phrase in ("polish", "french", "spanish", "italian", "german"))
    )
    if outside:
        return _fixed("foreign other")
    return _fixed("foreign eu") if inside else _fixed("foreign eu") + _fixed("foreign other")


def _answer(question: Question, talk: Talk, faults: Collection[str], seed: int) -> list[Line]:
    tokens, intent = question.tokens, question.intent
    if intent in BY_CLASS and not (intent == "classes" and not question.classes):
        return _by_class(question, talk, faults, seed)
    if intent == "which class":
        return [
            line
            for name in question.classes or ("B",)
            for line in (
                [_not_taught(name)]
                if name not in data.CLASSES
                else [
                    Line(
                        ("class for it", name),
                        _forms("That takes {name}.", "You need {name} for it.", name=_label(name)),
                    )
                ]
            )
        ]
    if intent == "theory times":
        return _timetable(data.THEORY_TIMES, "theory class", "theory", tokens)
    if intent == "office":
        return _timetable(data.OFFICE_TIMES, "office time", "office", tokens)
    if intent in ("exam language", "instructor language"):
        return _languages(intent, tokens)
    if intent == "discount":
        kinds = _concepts(tokens)
        if "STUDENT" in kinds or "FAMILY" in kinds:
            return (_fixed("student discount") if "STUDENT" in kinds else []) + (
                _fixed("family discount") if "FAMILY" in kinds else []
            )
        if "REGISTER" not in kinds:
            return _fixed("student discount") + _fixed("family discount") + _fixed("referral")
        return _fixed("student discount") + _fixed("family discount")
    if intent == "lesson count":
        return _fixed("special")[:1] + [
            Line(
                ("usual lessons 25-30",),
                ("Most learners take 25 to 30 lessons in all.", "Usually 25-30 lessons are needed altogether."),
            )
        ]
    if intent == "cancel":
        return _cancel(tokens, faults)
    if intent == "pickup":
        return _pickup(tokens, faults)
    if intent == "trailer":
        return _trailer(tokens, faults)
    if intent == "power":
        return _power(tokens, faults)
    if intent == "package":
        return _package(tokens)
    if intent == "intensive":
        return _intensive(tokens)
    if intent == "voucher":
        return _voucher(tokens)
    if intent == "payment":
        return _payment(tokens)
    if intent == "foreign":
        return _foreign(tokens)
    return _fixed(intent)


STARTS: Final = (
    "",
    "",
    "Thanks for writing to Northgate.",
    "Of course.",
    "Good question.",
    "Here is what I can tell you.",
)
ENDS: Final = ("", "", "Anything else?", "See you on the road!", "Your Northgate team", "Do write again if you like.")


def reply(messages: Sequence[str], *, faults: Collection[str] = (), draw: int = 0) -> Reply:
    """The answer to the last of the customer's messages."""
    talk = Talk()
    lines = _fixed("fallback")
    message = ""
    for message in messages:
        tokens = _correct(read(message, faults))
        asked = _understand(tokens, talk, faults)
        if "thanks_ends_it" in faults and any(
            token.text in ("thanks", "thank", "thank you", "many thanks") for token in tokens
        ):
            asked = [Question("thanks")]
        if "substring_words" in faults and re.search(r"car(?!s?\b)|(?<=[a-z])car", message.lower()):
            asked = [
                replace(question, classes=("B",)) if question.intent in BY_CLASS else question for question in asked
            ]
        seed = _digest("price list", message, draw)
        lines = [line for question in asked for line in _answer(question, talk, faults, seed)] or _fixed("fallback")
        kept = [question for question in asked if question.intent not in ("thanks", "hello", "retracted")]
        if kept:
            talk.asked = kept
            talk.classes = next((question.classes for question in reversed(kept) if question.classes), talk.classes)
            talk.lessons = next(
                (number for question in kept if (number := _lesson_number(question.tokens))), talk.lessons
            )
    unique = list({line.content: line for line in lines}.values())
    unique.sort(key=lambda line: _digest("order", line.content, message, draw) if len(unique) < 4 else 0)
    said = [line.wordings[_digest("word", line.content, message, draw) % len(line.wordings)] for line in unique]
    said.insert(0, STARTS[_digest("start", message, draw) % len(STARTS)])
    said.append(ENDS[_digest("end", message, draw) % len(ENDS)])
    text = " ".join(part[0].upper() + part[1:] for part in said if part)
    return Reply(text, frozenset(line.content for line in unique))
