"""Names the difference between two replies: a value, a rate, a word of the same class, a name or a negation.

Precision has priority. Differences that cannot be named are left to the caller.
"""

from __future__ import annotations

import re
from itertools import product

from mutatis.core.errors import shortened
from mutatis.measures.answer import Answer, read
from mutatis.measures.contrast import classes, exclude, misspelt
from mutatis.measures.polar import denials
from mutatis.measures.statements import Name, ReadStatement, StatedValue, statements
from mutatis.measures.words import FUNCTION_WORDS, NEGATIONS, TELLING, alike

_FRAME = 0.75  # share of the poorer statement's other content that the richer one has
_FRAME_BOTH = 0.45  # the same of the richer one's
_DENIALS = NEGATIONS | frozenset({"unfortun", "sorri", "still", "anymor", "afraid"})
_OF_THINGS = frozenset({"no", "none", "nobody", "without", "neither", "nor"})  # mostly another way to say the same
_DENIED = 0.8  # the same where a negation is all that differs
_DENIED_BOTH = 0.55
_LOOSE = frozenset(
    {"person", "sex", "here", "to-from", "once", "start", "near", "number", "time-unit", "order", "rank", "month"}
)
_PER = re.compile(r"\b(?:per|an?|each|every)\s+(day|week|month|year|hour|night)\b|\b(daily|weekly|monthly|yearly)\b")
_PACES = {"daily": "day", "weekly": "week", "monthly": "month", "yearly": "year"}
_COURTESY = re.compile(
    r"(?i)^\W*(?:hi|hello|thanks?|thank you|you're welcome|my pleasure|sure|of course|certainly|good news|great|"
    r"all set|i'm sorry to hear that|sorry|please let (?:me|us) know|let (?:me|us) know|we look forward|have a |"
    r"is there anything else|i hope|happy to help|feel free)\b[^,]*$"
)
# Behind these words a negation belongs to a condition or a time ("as long as it hasn't been dispatched").
_CONDITION = re.compile(
    r"\b(?:as long as|so long as|if|unless|until|till|before|while|when|once|whether|provided|in case|so that|where)\b"
)
_LIMITS = frozenset({"before", "until", "till", "unless", "except", "only", "without"})
_ASKS_AMOUNT = re.compile(
    r"\bhow (?:long|many|much|old|far|often|big|large|tall|high|heavy|fast|late|early|soon)\b|"
    r"\b(?:price|cost|costs|fee|rate|charge|deadline|percentage|size|weight)\b"
)
# What makes another amount of the same number, or the same of another.
_NO_AMOUNTS = frozenset({"year", "decade", "day", "date", "month", "ordinal", "code", "time of day"})
_QUALIFIERS = re.compile(
    r"\b(?:at least|at most|up to|over|under|more than|less than|fewer than|within|no later than|about|around|"
    r"approximately|roughly|almost|nearly|from|between|minimum|maximum|extra|additional|another|each|per|every|"
    r"working|business|calendar)\b"
)


def match(word: str, others: frozenset[str]) -> bool:
    """Return True if a stem or one of its synonyms is among the given stems."""
    return word in others or any(alike(word, other) or exclude(word, other) is None for other in others)


def share(ours: frozenset[str], theirs: frozenset[str]) -> float:
    """Return the share of the stems `ours` that match one of `theirs`."""
    return sum(match(word, theirs) for word in ours) / len(ours) if ours else 0.0


def _about_one_thing(first: ReadStatement, second: ReadStatement, differing: frozenset[str]) -> bool:
    """Return True if two statements are about the same thing, ignoring the `differing` stems."""
    ours, theirs = first.content - differing, second.content - differing
    if not ours or not theirs:
        return False
    shares = sorted((share(ours, theirs), share(theirs, ours)))
    return shares[1] >= _FRAME and shares[0] >= _FRAME_BOTH


MOST_STATEMENTS, MOST_VALUES, MOST_WORDS = 200, 300, 400
"""Maximum number of statements and values per reply, and of words per statement, for two replies to be compared.

Every statement is compared with every other. Longer replies are not written by people.
"""


class ReplyValues:
    """A reply split into statements, with all the values and words in them.

    `informing` holds the statements that are not courtesies, or all statements if there are only courtesies.
    """

    def __init__(self, text: str) -> None:
        self.answer = read(text)
        self.statements = statements(text)
        self.informing = (
            tuple(statement for statement in self.statements if not _COURTESY.match(statement.text)) or self.statements
        )
        self.values = tuple(value for statement in self.statements for value in statement.values)
        self.words = frozenset(self.answer.words)
        self.stems = frozenset(self.answer.stems)
        self.too_much = (
            len(self.statements) > MOST_STATEMENTS
            or len(self.values) > MOST_VALUES
            or any(len(statement.answer.words) > MOST_WORDS for statement in self.statements)
        )


def lacking(values: tuple[StatedValue, ...], others: tuple[StatedValue, ...]) -> list[StatedValue]:
    """Return the values that are not equal to any of the others.

    Vague counts and ordinals are ignored, because "one" and "first" rarely count anything.
    """
    return [
        value
        for value in values
        if not any(value.value.same(other.value) for other in others)
        and not (value.vague and value.kind in ("count", "ordinal"))
    ]


def _other_value(first: ReadStatement, second: ReadStatement, ours: ReplyValues, theirs: ReplyValues) -> str | None:
    """Return a value and the value of the same kind that replaces it in a statement about the same thing, or None.

    Neither value may occur in the other reply.
    """
    missing = lacking(first.values, theirs.values)
    adding = lacking(second.values, ours.values)
    if not missing or len(missing) != len(adding):
        return None
    if any(left.kind != right.kind or left.kind == "decade" for left, right in zip(missing, adding, strict=True)):
        return None
    left, right = missing[0], adding[0]
    close = share(left.near, right.near) > 0
    differing = frozenset(word for value in (left, right) for word in read(value.text).stems)
    return f"{left.text} / {right.text}" if close and _about_one_thing(first, second, differing) else None


def _other_pace(first: ReadStatement, second: ReadStatement) -> str | None:
    """Return the periods of two rates ("per day", "per week") if the rates are otherwise equal, or None."""
    ours, theirs = _PER.search(first.text.lower()), _PER.search(second.text.lower())
    if not (ours and theirs and first.values and len(first.values) == len(second.values)):
        return None
    if not all(left.value.same(right.value) for left, right in zip(first.values, second.values, strict=True)):
        return None
    spans = [match.group(1) or _PACES[match.group(2)] for match in (ours, theirs)]
    differing = frozenset((*read(ours.group()).stems, *read(theirs.group()).stems))
    if spans[0] == spans[1] or not _about_one_thing(first, second, differing):
        return None
    return f"{ours.group()} / {theirs.group()}"


def _other_word(
    first: ReadStatement, second: ReadStatement, ours: ReplyValues, theirs: ReplyValues, question: Answer
) -> str | None:
    """Return a word and the word of its class that replaces it ("Thursday", "Friday"), or None.

    Neither word may occur in the other reply.
    """
    table = classes()
    small = FUNCTION_WORDS - TELLING
    known = frozenset(question.stems)
    ours_alone = [word for word in first.answer.words if word in table and word not in theirs.words | small]
    theirs_alone = [word for word in second.answer.words if word in table and word not in ours.words | small]
    for word, other in product(ours_alone, theirs_alone):
        kind = exclude(word, other)
        if not kind or kind in _LOOSE or _has_synonym(theirs, word) or _has_synonym(ours, other):
            continue
        differing = frozenset((*read(word).stems, *read(other).stems))
        if differing <= known:  # the question offers both
            continue
        if _neighbours(first, word) & _neighbours(second, other) and _about_one_thing(first, second, differing):
            return f"{word} / {other}"
    return None


def _has_synonym(reply: ReplyValues, word: str) -> bool:
    return any(exclude(word, said) is None for said in reply.words)


def _neighbours(statement: ReadStatement, word: str) -> frozenset[tuple[str, str]]:
    """Return the words directly before and after the first occurrence of a word in a statement."""
    words = ("", *statement.answer.words, "")
    at = words.index(word)
    return frozenset((("before", words[at - 1]), ("behind", words[at + 1])))


def _other_name(
    first: ReadStatement, second: ReadStatement, ours: ReplyValues, theirs: ReplyValues, question: Answer
) -> str | None:
    """Return two different names, one from each of two statements about the same thing, or None.

    Neither may occur in the question. If the statements share another name, the two may be mere details ("Hawaii, USA",
    "Hawaii, on the island of Oahu").
    """
    known = frozenset(question.stems)
    only_here = [name for name in first.names if not name.stems & theirs.stems]
    only_there = [name for name in second.names if not name.stems & ours.stems]
    new = [pair for pair in product(only_here, only_there) if not (pair[0].stems | pair[1].stems) & known]
    share_a_name = any((name.stems & other.stems) - known for name, other in product(first.names, second.names))
    if share_a_name or not new or _one_name(*new[0]):
        return None
    left, right = new[0]
    differing = frozenset[str]().union(*(name.stems for name in (*only_here, *only_there)))
    return f"{left.text} / {right.text}" if _about_one_thing(first, second, differing) else None


def _one_name(first: Name, second: Name) -> bool:
    """Return True if two names share a word, or differ only in spaces ("Bird's Eye", "Birdseye")."""
    ours, theirs = "".join(first.words), "".join(second.words)
    return any(match(word, second.stems) for word in first.stems) or ours in theirs or theirs in ours


def _denial(first: ReadStatement, second: ReadStatement) -> str | None:
    """Return a description of a negation that only one of two otherwise similar statements contains, or None.

    The other statement must contain the negated word.
    """
    if first.negated is second.negated:
        return None
    denying, other = (first, second) if first.negated else (second, first)
    if _conditional(denying, other):
        return None
    ours, theirs = denying.content - _DENIALS, other.content - _DENIALS
    shares = sorted((share(ours, theirs), share(theirs, ours)))
    if len(ours) < 2 or shares[1] < _DENIED or shares[0] < _DENIED_BOTH:
        return None
    words, stems = denying.answer.words, denying.answer.stems
    negation = next((place for place, word in enumerate(words) if word in NEGATIONS - _OF_THINGS), len(words))
    denied = next((stem for stem in stems[negation + 1 :] if stem in ours), "")
    return f'one is negated: "{shortened(denying.text, 60)}"' if denied and match(denied, theirs) else None


def _conditional(denying: ReadStatement, other: ReadStatement) -> bool:
    """Return True if the negation is part of a condition that could be worded without "not" ("before", "unless")."""
    text = denying.text.lower()
    condition = _CONDITION.search(text)
    if condition is None:
        return bool(_LIMITS & set(other.answer.words) - set(denying.answer.words))
    if denials(read(text[: condition.start()]).words):
        return False
    same = _CONDITION.search(other.text.lower())
    return same is None or same.group() != condition.group()


def other_amount(first: ReplyValues, second: ReplyValues, question: str) -> str | None:
    """Return the two different amounts that two replies give to a question asking for an amount, or None.

    Each reply must state a single number, and both numbers must be of the same kind. A qualifier ("at least", "working
    days") must apply to both or neither.
    """
    if not _ASKS_AMOUNT.search(question.lower()) or len(first.values) != 1 or len(second.values) != 1:
        return None
    left, right = first.values[0], second.values[0]
    if left.kind != right.kind or left.vague or right.vague:
        return None
    if left.value.same(right.value):
        return None
    if left.kind in _NO_AMOUNTS or (left.kind == "count" and not _of_one_noun(left, right)):
        return None
    if not NEGATIONS.isdisjoint(first.words | second.words):
        return None
    return f"{left.text} / {right.text}" if _qualifiers(first) == _qualifiers(second) else None


def _qualifiers(reply: ReplyValues) -> frozenset[str]:
    """Return the qualifiers in the statement with the reply's first value."""
    stating = next(statement for statement in reply.statements if statement.values)
    return frozenset(_QUALIFIERS.findall(stating.text.lower()))


def _of_one_noun(first: StatedValue, second: StatedValue) -> bool:
    """Return True if two numbers count the same thing, unlike "57 points" and "57 rooms". Either may lack its noun."""
    ours, theirs = read(first.text).stems[1:], read(second.text).stems[1:]
    return not ours or not theirs or ours == theirs


def exchanged_word(first: Answer, second: Answer) -> tuple[str, str] | None:
    """Return the two differing words of two otherwise equal texts ("shop", "cinema").

    Return None if more words differ, or if the words are spellings or synonyms of each other.
    """
    if len(first.words) != len(second.words):
        return None
    differing = [pair for pair in zip(first.words, second.words, strict=True) if pair[0] != pair[1]]
    if len(differing) != 1:
        return None
    word, other = differing[0]
    if not (word.isalpha() and other.isalpha()) or {word, other} & (FUNCTION_WORDS | NEGATIONS):
        return None
    known = (
        exclude(word, other) is None or misspelt(word, other) or bool(set(read(word).stems) & set(read(other).stems))
    )
    return None if known or alike(word, other) else (word, other)


def exchanged_value(first_text: str, second_text: str) -> str | None:
    """Return a value that replaces another in statements about the same thing, whatever else the replies contain.

    >>> exchanged_value("It may weigh 8 kg.", "It may weigh 23 kg. You can also look at our website.")
    '8 kg / 23 kg'
    """
    first, second = ReplyValues(first_text), ReplyValues(second_text)
    if first.too_much or second.too_much or not (first.values and second.values):
        return None
    pairs = ((left, right) for left in first.informing for right in second.informing)
    return next(filter(None, (_other_value(left, right, first, second) for left, right in pairs)), None)


def named_difference(first: ReplyValues, second: ReplyValues, question: Answer) -> str | None:
    """Return a difference between two statements about the same thing, or None. The most certain kinds come first."""
    pairs = [(left, right) for left in first.informing for right in second.informing]
    for left, right in pairs:
        named = _other_value(left, right, first, second) or _other_pace(left, right)
        named = named or (None if question.negations else _denial(left, right))
        if named:
            return named
    for left, right in pairs:
        named = _other_name(left, right, first, second, question) or _other_word(left, right, first, second, question)
        if named:
            return named
    return None
