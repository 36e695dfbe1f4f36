"""The judge of free replies: what can be named offline is decided, everything else is open.

Two replies of a chatbot to one message, from a word to several paragraphs, no reference. They differ where one thing
can be named that one says and the other contradicts (a number, a date, a name, a negation, a refusal, a language);
they are the same where every statement of one is found in the other. Otherwise nobody can tell offline, and a
helper may be asked (`[judge] ask`). Precision goes before everything: a wrong finding costs more than an open pair.
Must not know relations or systems.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mutatis.core.languages import ENGLISH, language_name
from mutatis.core.measure import Comparison, Says, Similarity
from mutatis.measures import rules
from mutatis.measures.answer import LONGEST, Answer, as_text, read
from mutatis.measures.catalogue import MEASURES, MeasureFactory, default_text_measure, judge
from mutatis.measures.contrast import classes, exclude
from mutatis.measures.features import alike
from mutatis.measures.payload import compare_json
from mutatis.measures.refusal import REFUSED_HERE
from mutatis.measures.statements import Name, Statement, Value, same_value, statements
from mutatis.measures.words import FUNCTION_WORDS, NEGATIONS, POLAR_OPENERS
from mutatis.text.abstention import is_lost
from mutatis.text.languages import reply_language
from mutatis.text.refusals import is_refusal

SHORT = 8
"""Words up to which `answer-equivalence` decides, where both replies are no longer."""

BAND = (0.3, 0.7)
"""Scores of `answer-equivalence` that decide nothing."""

AGREEMENT: dict[Says, float] = {"same": 0.97, "different": 0.87}
"""How often people's verdicts agree, on the real replies of `studies/judge/free_answers.py --all`."""

NOTHING_NAMED = "nothing that can be named differs"

_FRAME = 0.75  # share of the poorer statement's other content that the richer one has
_FRAME_BOTH = 0.45  # the same of the richer one's
_DENIALS = NEGATIONS | frozenset({"unfortun", "sorri", "still", "anymor", "afraid"})
_OF_THINGS = frozenset({"no", "none", "nobody", "without", "neither", "nor"})  # mostly another way to say the same
_DENIED = 0.8  # the same where a negation is all that differs
_DENIED_BOTH = 0.55
_FOUND = 0.7  # share of a statement's content that makes it found, where all its news is
_QUANTITIES = frozenset(["all", "every", "some", "few", "many", "most", "half", "both", "neither", "only"])
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


def _same(reason: str, score: float = 0.95) -> Similarity:
    return Similarity(score=score, reason=reason)


def _different(reason: str) -> Similarity:
    return Similarity(score=0.03, reason=reason)


def _open(reason: str = NOTHING_NAMED) -> Similarity:
    return Similarity(score=0.5, reason=reason, open=True)


def _silence(text: str, question: str) -> str:
    """Say in what way a reply answers nothing, "" where it answers."""
    if is_refusal(text, question):
        return "refuses"
    answer = read(text)
    if answer.abstains:
        return "says that it does not know"
    return "does not understand the message" if is_lost(text) else ""


def _withheld(first_text: str, second_text: str, question: str) -> Similarity | None:
    """Decide refusals and abstentions; what also denies ("we cannot offer breakfast") may be the other's answer."""
    ways = _silence(first_text, question), _silence(second_text, question)
    if not any(ways):
        return None
    if all(ways):
        return _same(f"each {ways[0]}") if ways[0] == ways[1] else _open(f"one {ways[0]}, the other {ways[1]}")
    refused = "refuses" in ways
    silent, told = map(read, (first_text, second_text) if ways[0] else (second_text, first_text))
    end = told.sentence_ends[0] if told.sentence_ends else len(told.words)
    ours = "we" in silent.words and "i" not in silent.words
    if told.polarity is False or (ours and any(word in NEGATIONS for word in told.words[:end])):
        return None
    return _different(REFUSED_HERE if refused else f"one reply {ways[0] or ways[1]}, the other answers")


def _polar(first: Answer, second: Answer, question: Answer) -> Similarity | None:
    """Decide pairs that begin with yes and no; to a negated question both words can mean the same."""
    if first.polarity is None or second.polarity is None or first.polarity is second.polarity or question.negations:
        return None
    if question.words and not any(word in POLAR_OPENERS for word in question.words):
        return None
    return _different("yes / no")


def _tongue(first: str, second: str) -> Similarity | None:
    """Decide pairs in two languages or scripts."""
    ours, theirs = reply_language(first), reply_language(second)
    if not ours or not theirs or ours == theirs:
        return None
    return _different(f"another language: {language_name(ours)} / {language_name(theirs)}")


def _match(word: str, others: frozenset[str]) -> bool:
    """Whether a stem or a synonym of it is among others."""
    return word in others or any(alike(word, other) or exclude(word, other) is None for other in others)


def _share(ours: frozenset[str], theirs: frozenset[str]) -> float:
    return sum(_match(word, theirs) for word in ours) / len(ours) if ours else 0.0


def _about_one_thing(first: Statement, second: Statement, aside: frozenset[str] = frozenset()) -> bool:
    """Whether two statements say the same thing but for words set aside."""
    ours, theirs = first.content - aside, second.content - aside
    if not ours or not theirs:
        return False
    shares = sorted((_share(ours, theirs), _share(theirs, ours)))
    return shares[1] >= _FRAME and shares[0] >= _FRAME_BOTH


class _Reply:
    """A reply with its statements, and all its values and words."""

    def __init__(self, text: str) -> None:
        self.answer = read(text)
        self.statements = statements(text)
        self.told = tuple(one for one in self.statements if not _COURTESY.match(one.text)) or self.statements
        self.values = tuple(value for one in self.statements for value in one.values)
        self.words = frozenset(self.answer.words)
        self.stems = frozenset(self.answer.stems)


def _near(first: Value, second: Value) -> bool:
    """Whether two large numbers may be one, rounded."""
    low, high = sorted((abs(first.size), abs(second.size)))
    rounded = low % 10 == 0 or high % 10 == 0
    return first.kind not in ("year", "time of day", "code") and high >= 100 and rounded and high - low <= 0.02 * high


def _without(values: tuple[Value, ...], others: tuple[Value, ...]) -> list[Value]:
    """Return the values that are not among others; "one" and "first" mostly count nothing."""
    return [
        one
        for one in values
        if not any(same_value(one, other) for other in others) and not (one.vague and one.kind in ("count", "ordinal"))
    ]


def _other_value(first: Statement, second: Statement, ours: _Reply, theirs: _Reply) -> str | None:
    """Name the value that stands in another's place: the same kind, about the same thing, in neither other reply."""
    lacking = _without(first.values, theirs.values)
    adding = _without(second.values, ours.values)
    if not lacking or len(lacking) != len(adding):
        return None
    for one, other in zip(lacking, adding, strict=True):
        if one.kind != other.kind or one.kind == "decade" or _near(one, other):
            return None
    one, other = lacking[0], adding[0]
    close = (
        bool(one.near) and bool(other.near) and (_share(one.near, other.near) > 0 or _share(other.near, one.near) > 0)
    )
    aside = frozenset(word for value in (one, other) for word in read(value.text).stems)
    return f"{one.text} / {other.text}" if close and _about_one_thing(first, second, aside) else None


def _other_pace(first: Statement, second: Statement) -> str | None:
    """Name the span of time for which a number holds ("per day", "per week")."""
    ours, theirs = _PER.search(first.text.lower()), _PER.search(second.text.lower())
    if not (ours and theirs and first.values and len(first.values) == len(second.values)):
        return None
    if not all(same_value(one, other) for one, other in zip(first.values, second.values, strict=True)):
        return None
    spans = [found.group(1) or _PACES[found.group(2)] for found in (ours, theirs)]
    aside = frozenset((*read(ours.group()).stems, *read(theirs.group()).stems))
    told = spans[0] != spans[1] and _about_one_thing(first, second, aside)
    return f"{ours.group()} / {theirs.group()}" if told else None


def _other_word(first: Statement, second: Statement, ours: _Reply, theirs: _Reply, question: Answer) -> str | None:
    """Name a word in whose place another of its class stands ("Thursday", "Friday"), in neither other reply."""
    table = classes()
    mine = [word for word in first.answer.words if word in table and word not in theirs.words | FUNCTION_WORDS]
    yours = [word for word in second.answer.words if word in table and word not in ours.words | FUNCTION_WORDS]
    for word in mine:
        for other in yours:
            kind = exclude(word, other)
            if not kind or kind in _LOOSE or {*read(word).stems, *read(other).stems} <= set(question.stems):
                continue
            if any(exclude(word, said) is None for said in theirs.words) or any(
                exclude(other, said) is None for said in ours.words
            ):
                continue  # the other reply has a synonym of it
            aside = frozenset((*read(word).stems, *read(other).stems))
            if _beside(first, word) & _beside(second, other) and _about_one_thing(first, second, aside):
                return f"{word} / {other}"
    return None


def _beside(statement: Statement, word: str) -> frozenset[tuple[str, str]]:
    """Return the words before and behind the first occurrence of a word."""
    words = ("", *statement.answer.words, "")
    at = words.index(word)
    return frozenset((("before", words[at - 1]), ("behind", words[at + 1])))


def _other_name(first: Statement, second: Statement, ours: _Reply, theirs: _Reply, question: Answer) -> str | None:
    """Name a name in whose place another stands, of which the other reply has no word.

    Where the question names one of the two, or the statements agree on a name that was not asked about, what differs
    may be a detail ("Hawaii, USA", "Hawaii, on the island of Oahu"): then both must stand behind the same small word
    ("under the name of"); where it is both, nothing is named.
    """
    known = frozenset(question.stems)
    mine = [name for name in first.names if not name.stems & theirs.stems]
    yours = [name for name in second.names if not name.stems & ours.stems]
    placed = [
        (one, other)
        for one in mine
        for other in yours
        if one.before == other.before and FUNCTION_WORDS.issuperset(one.before or "?")
    ]
    agreed = any(one.stems & other.stems - known for one in first.names for other in second.names)
    new = [(one, other) for one in mine for other in yours if not (one.stems | other.stems) & known]
    asked = [(one, other) for one, other in placed if not (one.stems & known and other.stems & known)]
    pairs = [pair for pair in new if pair in placed] if agreed else new or asked
    if not pairs or _one_name(*pairs[0]):
        return None
    aside = frozenset(stem for name in (*mine, *yours) for stem in name.stems)
    return f"{pairs[0][0].text} / {pairs[0][1].text}" if _about_one_thing(first, second, aside) else None


def _one_name(first: Name, second: Name) -> bool:
    """Whether two names share a word, or are one but for spaces ("Bird's Eye", "Birdseye")."""
    ours, theirs = "".join(first.words), "".join(second.words)
    return any(_match(word, second.stems) for word in first.stems) or ours in theirs or theirs in ours


def _denial(first: Statement, second: Statement) -> str | None:
    """Name the negation by which two statements differ: the other says the same, and what is denied is in it."""
    if first.negated is second.negated:
        return None
    denying, other = (first, second) if first.negated else (second, first)
    ours, theirs = denying.content - _DENIALS, other.content - _DENIALS
    shares = sorted((_share(ours, theirs), _share(theirs, ours)))
    if len(ours) < 2 or shares[1] < _DENIED or shares[0] < _DENIED_BOTH:
        return None
    words, stems = denying.answer.words, denying.answer.stems
    at = next((place for place, word in enumerate(words) if word in NEGATIONS - _OF_THINGS), len(words))
    denied = next((stem for stem in stems[at + 1 :] if stem in ours), "")
    return f'one is negated: "{rules.shortened(denying.text, 60)}"' if denied and _match(denied, theirs) else None


def _named(first: _Reply, second: _Reply, question: Answer) -> str | None:
    """Name a difference between two statements about one thing, the most certain kind first."""
    pairs = [(one, other) for one in first.told for other in second.told]
    for one, other in pairs:
        found = _other_value(one, other, first, second) or _other_pace(one, other)
        found = found or (None if question.negations else _denial(one, other))
        if found:
            return found
    for one, other in pairs:
        found = _other_name(one, other, first, second, question) or _other_word(one, other, first, second, question)
        if found:
            return found
    return None


def _is_found(statement: Statement, reply: _Reply, question: Answer) -> bool:
    """Whether another reply says what a statement says, in one of its statements."""
    if _without(statement.values, reply.values):
        return False
    content = statement.content - NEGATIONS
    news = content - frozenset(question.stems)
    for place, other in enumerate(reply.told):
        if other.negated is not statement.negated or not _in_order(statement, other):
            continue
        told = frozenset(other.answer.stems)
        if not all(_match(word, told) for word in news) or not _same_quantities(statement, other):
            continue
        if _share(content, reply.stems if place == 0 else told) >= _FOUND:
            return True
    return False


def _same_quantities(first: Statement, second: Statement) -> bool:
    ours, theirs = frozenset(first.answer.words) & _QUANTITIES, frozenset(second.answer.words) & _QUANTITIES
    return not any(exclude(word, other) for word in ours for other in theirs)


def _in_order(first: Statement, second: Statement) -> bool:
    """Whether the values that two statements share stand in one order: "5,000 in, 1,000 out" is not "1,000 in"."""
    places = [
        next((at for at, other in enumerate(second.values) if same_value(value, other)), -1) for value in first.values
    ]
    found = [place for place in places if place >= 0]
    return found == sorted(found)


def _long(first_text: str, second_text: str, question: Answer) -> Similarity:
    """Compare the statements of two replies."""
    first, second = _Reply(first_text), _Reply(second_text)
    named = _named(first, second, question)
    if named is not None:
        return _different(named)
    for one, other in ((first, second), (second, first)):
        if one.told and all(_is_found(statement, other, question) for statement in one.told):
            return _same("all that one reply says is found in the other")
    return _open()


def settle(first_text: str, second_text: str, question_text: str) -> Similarity | None:
    """Judge two replies; None where both are so short that `answer-equivalence` decides."""
    first, second, question = read(first_text), read(second_text), read(question_text)
    certain = (
        rules.empty(first, second)
        or compare_json(first_text, second_text)
        or (rules.equal(first, second) if first.words == second.words else None)
        or _withheld(first_text, second_text, question_text)
        or _tongue(first_text, second_text)
        or _polar(first, second, question)
    )
    if certain is not None:
        return certain
    if max(len(first.words), len(second.words)) <= SHORT:
        return None
    return _long(first_text, second_text, question)


class FreeAnswers:
    """The measure `free-answers`: what can be named is decided, the rest is open."""

    name = "free-answers"

    def __init__(self) -> None:
        self._short = judge(default_text_measure()).measure

    def compare(self, comparisons: Sequence[Comparison]) -> list[Similarity]:
        """Return 0.95 or 1 (same), 0.03 (a named difference) or an open similarity; short pairs by their score."""
        found: list[Similarity | None] = [self._settle(comparison) for comparison in comparisons]
        short = [at for at, one in enumerate(found) if one is None]
        scored = self._short.compare([comparisons[at] for at in short])
        for at, one in zip(short, scored, strict=True):  # type: ignore[arg-type]
            unsure = BAND[0] <= one.score <= BAND[1]
            found[at] = _open(f"short replies, not sure: {one.reason}") if unsure else one
        return [one for one in found if one is not None]

    def _settle(self, comparison: Comparison) -> Similarity | None:
        """Judge by the reference that speaks most for sameness; annotated short answers are no free replies."""
        texts = [as_text(value) for value in comparison.reference]
        answer, question = as_text(comparison.answer), as_text(comparison.question)
        if any(text == answer and len(text) > LONGEST for text in texts):
            return _same("the same text", 1.0)
        if not texts or (comparison.directed and all(len(read(text).words) <= SHORT for text in texts)):
            return None
        found = [settle(text, answer, question) for text in texts]
        told = [one for one in found if one is not None]
        return max(told, key=lambda one: one.score) if len(told) == len(found) else None


MEASURES.add(
    "free-answers",
    MeasureFactory(
        name="free-answers",
        summary="Free replies of a chatbot: a named difference, or all of one found in the other, else open.",
        kinds=frozenset({"text"}),
        make=FreeAnswers,
        languages=ENGLISH,
        precision=lambda: AGREEMENT,
    ),
)
