"""Relations across languages: the answer to a question is the same in every language.

Each answer must be in the language of its question, and is read with the word lists of its own language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise, product
from typing import ClassVar

from mutatis.core.constraint import Evidence, Precondition, Stage
from mutatis.core.decision import Decision
from mutatis.core.languages import ENGLISH, NAMES, SPACED, knows, language_name
from mutatis.core.measure import Judge, Similarity
from mutatis.core.relation import Expects, Group, Limits
from mutatis.core.transformation import AS_IT_IS
from mutatis.languages import Language
from mutatis.measures.by_folder import languages_read
from mutatis.measures.facts import Fact, facts, mentions_fact, same_fact
from mutatis.relations.output import Equal, ReadsByFolder, WithoutJudge, answer, nothing
from mutatis.relations.said import open_decision, read_decision, stated
from mutatis.relations.soundness import READ, WORDING
from mutatis.relations.table import (
    CHAT,
    CLASSIFICATION,
    DIALOGUE,
    EQ,
    MODERATION,
    NLI,
    QA,
    QUESTION,
    RETRIEVAL,
    SA,
    Row,
    register,
)
from mutatis.text.abstention import is_abstention, is_lost, polarity
from mutatis.text.languages import other_language, reply_language
from mutatis.text.refusals import is_refusal
from mutatis.text.values import vocabulary
from mutatis.transformations.together import asks_value

PARALLEL = "parallel"
"""Tag of relations that need the same question in several languages.

Default sets include them only for data of this kind.
"""

FOREIGN = "not-english"
"""Tag of relations that default sets include only for data that are not all in English."""

_NAME = re.compile(r"[^\W\d_][\w'\u2019-]*")
_FEWEST = 2
"""Minimum number of names within sentences that two replies must have in common to count as the same answer."""
_THOUSAND = 1000
_BESIDE = 6
"""Maximum number of characters between the two numbers of a range."""
_FIGURES = re.compile(r"\d{1,3}(?:[.,' \u00a0\u202f\u2019]\d{3})+|\d+")
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]")


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A question in one language and the reply to it, which may be in a different language."""

    question: str
    reply: str
    language: str

    @cached_property
    def read_in(self) -> str:
        """The language in which the reply is read: its own if that is clear and supported, otherwise the question's."""
        plain = reply_language(self.reply)
        return plain if plain and knows(languages_read(), plain) else self.language

    @cached_property
    def is_lost(self) -> bool:
        """True if the reply states that the question was not understood."""
        return is_lost(self.reply, self.read_in)

    @cached_property
    def declines(self) -> bool:
        """True if the reply refuses or admits ignorance, and so gives no answer."""
        return is_abstention(self.reply, self.read_in) or is_refusal(self.reply, language=self.read_in)

    @cached_property
    def side(self) -> bool | None:
        """The yes or no at the beginning of the reply.

        It is None if the question is negated, which reverses the meaning.
        """
        folder = Language(self.language)
        if folder.has("speech.patterns.negates") and folder.pattern("negates").search(self.question):
            return None
        return polarity(self.reply, self.read_in)

    @cached_property
    def values(self) -> tuple[Fact, ...]:
        """The values in the reply that can be compared between languages. Names of days are in `weekdays` instead."""
        told = [fact for fact in stated(self.reply, self.read_in) if fact.value is not None]
        scaled = [fact for fact, after in pairwise(told) if _is_scaled(fact, after)]
        return tuple(fact for fact in told if fact not in scaled)

    @cached_property
    def has_number(self) -> bool:
        """True if the reply contains a number in digits or words. "Twice" and ordinals do not count."""
        low = self.reply.lower()
        words = {*_NAME.findall(low)} if knows(SPACED, self.read_in) else low
        return any(map(str.isdigit, low)) or any(word in words for word in vocabulary(self.read_in).ones[2:] if word)

    @cached_property
    def asked_values(self) -> tuple[Fact, ...]:
        """The values stated in the question."""
        return tuple(fact for fact in stated(self.question, self.language) if fact.value is not None)

    @cached_property
    def weekdays(self) -> frozenset[int]:
        """The weekdays named in the reply, as numbers from Monday."""
        days = [day.lower() for day in vocabulary(self.read_in).weekdays]
        named = {fact.text for fact in facts(self.reply, language=self.read_in) if fact.kind == "day"}
        return frozenset(days.index(day) for day in named if day in days)

    def written(self, text: str) -> str:
        """Return a lower-case text with the capital letters that it has in the reply."""
        there = re.search(re.escape(text), self.reply, re.IGNORECASE)
        return text if there is None else there.group()

    @cached_property
    def negates(self) -> bool:
        """True if the reply contains a negating word."""
        folder = Language(self.read_in)
        return folder.has("speech.patterns.negates") and folder.pattern("negates").search(self.reply) is not None

    @cached_property
    def wants_value(self) -> bool:
        """True if the question asks for a value."""
        return Language(self.language).has("speech.patterns.asks_value") and asks_value(self.question, self.language)

    def lacks(self, other: Asked) -> list[Fact]:
        """Return the values of a different reply that this one neither states nor mentions."""
        figures = {re.sub(r"\D", "", run) for run in _FIGURES.findall(self.reply)}
        return [
            fact
            for fact in other.values
            if not _among(fact, self.values)
            and not mentions_fact(self.reply, fact, self.read_in)
            and _figures_of(fact) not in figures
        ]


def same_answer(first: Asked, second: Asked) -> tuple[bool | None, str]:
    """Compare the answers to one question in two languages. Return the result with the evidence.

    The result is True if they agree, False if they differ, and None if they have nothing that can be compared.

    >>> english = Asked(question="When do you close?", reply="We close at 6 pm.", language="en")
    >>> german = Asked(question="Wann machen Sie zu?", reply="Wir machen um 18 Uhr zu.", language="de")
    >>> same_answer(english, german)
    (True, '')
    >>> same_answer(english, Asked(question=german.question, reply="Um 19 Uhr.", language="de"))[1]
    "one says '6 pm' and the other '19 Uhr'"
    """
    if first.is_lost is not second.is_lost:
        return False, "one of the answers is not understood"
    if first.is_lost:
        return None, ""
    if None not in (first.side, second.side) and first.side is not second.side:
        return False, "one says yes and the other no"
    differences = (rule(first, second) for rule in (_other_value, _lost_value, _other_day, _other_choice))
    if (seen := next(filter(None, differences), None)) is not None:
        return False, seen
    return (True if _agree(first, second) else None), ""


def _figures_of(fact: Fact) -> str:
    """Return the digits of a whole number without thousands separators, which differ between languages."""
    size = 0.0 if fact.value is None else fact.value.value.raw or 0.0
    return str(int(size)) if size == int(size) else ""


def _among(fact: Fact, others: Iterable[Fact]) -> bool:
    return any(same_fact(fact, other) for other in others)


def _other_value(first: Asked, second: Asked) -> str | None:
    """Return the evidence that two replies state different values, or None.

    One of the values may be repeated from the question, but not both.
    """
    lacking = second.lacks(first), first.lacks(second)
    alone = len(lacking[0]) == len(lacking[1]) == 1
    for ours, theirs in product(*lacking):
        asked = _among(ours, first.asked_values) and _among(theirs, second.asked_values)
        if not asked and _replaces(ours, theirs, alone=alone):
            return f"one says {first.written(ours.text)!r} and the other {second.written(theirs.text)!r}"
    return None


def _replaces(ours: Fact, theirs: Fact, *, alone: bool) -> bool:
    """Return True if two values cannot both be the answer.

    That is so if they have the same measure, or if one of the two has no unit and the replies differ in no other value.
    """
    if ours.kind != theirs.kind or ours.value is None or theirs.value is None:
        return False
    kinds, sizes = {ours.value.kind, theirs.value.kind}, (ours.value.size, theirs.value.size)
    if max(sizes) in (_THOUSAND * min(sizes), _THOUSAND * _THOUSAND * min(sizes)):
        return False  # a scale that one of them leaves to another number, or that is not read
    bare = any(fact.value.kind == "count" and not fact.unit for fact in (ours, theirs) if fact.value is not None)
    return len(kinds) == 1 or (alone and bare and "decade" not in kinds)


def _is_scaled(fact: Fact, after: Fact) -> bool:
    """Return True for a bare number whose scale follows the next number, such as the 30 in "30 to 50 thousand"."""
    if fact.value is None or after.value is None or fact.value.kind != "count" or fact.unit:
        return False
    gap = after.value.value.start - fact.value.value.end
    scale = after.value.size / after.value.value.raw if after.value.value.raw else 1.0
    written = sum(map(str.isdigit, after.text)) < len(str(int(after.value.size)))
    return 0 < gap <= _BESIDE and after.value.kind == "count" and (written or scale > 1)


def _is_small(fact: Fact) -> bool:
    """Return True for a count of one or two, which a reply can express without a number: "twice", "both"."""
    return fact.value is not None and fact.value.kind == "count" and fact.value.size <= 2


def _lost_value(first: Asked, second: Asked) -> str | None:
    """Return the evidence that one reply gives the requested value and the other gives no value, or None."""
    for teller, other in ((first, second), (second, first)):
        lost = (fact for fact in other.lacks(teller) if not _is_small(fact))
        lacking = [fact for fact in lost if not _among(fact, teller.asked_values)]
        wanted = teller.wants_value and other.wants_value and len(lacking) > bool(other.weekdays)
        if lacking and not other.has_number and not teller.declines and (wanted or other.declines):
            return f"one says {teller.written(lacking[0].text)!r} and the other no value"
    return None


def _other_day(first: Asked, second: Asked) -> str | None:
    """Return the evidence that the replies each name one weekday, but not the same one, or None.

    Replies that negate something are skipped.
    """
    days = first.weekdays | second.weekdays
    if len(first.weekdays) == len(second.weekdays) == 1 and len(days) == 2 and not (first.negates or second.negates):
        ours, theirs = (said.written(vocabulary(said.read_in).weekdays[min(said.weekdays)]) for said in (first, second))
        return f"one says {ours!r} and the other {theirs!r}"
    return None


def _other_choice(first: Asked, second: Asked) -> str | None:
    """Return the evidence that the replies choose different names from those offered in the question, or None.

    Only names that are spelled the same in both languages are compared.
    """
    offered = _names(first.question) & _names(second.question)
    chosen = [offered & _names(said.reply, every=True) for said in (first, second)]
    if all(chosen) and not chosen[0] & chosen[1] and not (first.negates or second.negates):
        ours, theirs = (sorted(names)[0] for names in chosen)
        return f"one says {ours!r} and the other {theirs!r}"
    return None


def _agree(first: Asked, second: Asked) -> bool:
    """Return True if the replies agree on something: a value, a weekday, yes or no, or enough names."""
    if first.reply.strip() == second.reply.strip() or (first.side is not None and first.side is second.side):
        return True
    if first.weekdays & second.weekdays:
        return True
    if any(same_fact(ours, theirs) for ours in first.values for theirs in second.values):
        return True
    if (first.values or second.values) and first.wants_value:
        return False
    names = [_names(said.reply, every=True) for said in (first, second)]
    shared = _names(first.reply) & _names(second.reply)
    return len(shared) >= _FEWEST or any(these and these <= those for these, those in (names, names[::-1]))


def _names(text: str, *, every: bool = False) -> frozenset[str]:
    """Return the capitalised words in Latin script. The first word of a sentence counts only if `every` is True."""
    names: set[str] = set()
    for match in _NAME.finditer(text):
        before = text[: match.start()].rstrip(" \"'(\u00bf\u00a1")
        opens = not before or before[-1] in ".!?:\n"
        if match.group()[0].isupper() and _LATIN.match(match.group()) and (every or not opens):
            names.add(match.group())
    return frozenset(names)


@dataclass(frozen=True, slots=True)
class SameAnswer(ReadsByFolder):
    """Output relation `same-answer`: the answer in a different language states the same values and yes or no."""

    expects: ClassVar[Expects] = "other"
    in_words = "the answer states the same values, and the same yes or no"
    for_readers = (
        "The follow-up is the same question in another language. The answer must state the same values (prices, times, "
        "days, numbers, names) and the same yes or no; it may be in either language."
    )
    name: str = "same-answer"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Report a violation if the answers contain different values, or if one means yes and the other no.

        Leave the verdict open if either answer cannot be interpreted.
        """
        if not group.members or not group.reference:
            return nothing(judge)
        member = group.members[0]
        language = group.source.case.language or ENGLISH[0]
        first = Asked(question=group.question, reply=str(group.reference[0]), language=language)
        second = Asked(question=member.question, reply=str(answer(group, 0)), language=member.case.language or language)
        return _decided(first, second)


def _decided(first: Asked, second: Asked) -> Decision:
    same, seen = same_answer(first, second)
    if same is None:
        return open_decision("the two answers state nothing comparable between languages")
    return read_decision(same, "the answer should be the same in both languages", seen)


@dataclass(frozen=True, slots=True)
class InItsLanguage(WithoutJudge):
    """Output relation `in-its-language`: the answer is in the same language as the question."""

    expects: ClassVar[Expects] = "other"
    in_words = "the answer is in the language of the question"
    for_readers = "The answer must be in the language of the question."
    name: str = "in-its-language"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Report a violation if the answer is clearly in a different language.

        Leave the verdict open if the answer is too short to tell.
        """
        if not group.members:
            return nothing(judge)
        member = group.members[0]
        reply, asked = str(answer(group, 0)), member.case.language or ENGLISH[0]
        expectation = f"the answer should be in {language_name(asked)}"
        if other := other_language(reply, asked):
            return read_decision(False, expectation, f"it is in {language_name(other)}")
        if reply_language(reply) == asked:
            return read_decision(True, expectation)
        return open_decision("the answer is too short or too unclear to identify its language")


@dataclass(frozen=True, slots=True)
class EqualInEither(Equal):
    """Output relation `equal-in-either`: the answer stays the same, in the original language or in the new one."""

    in_words = "the answer stays the same, in either language"
    for_readers = "The answer must stay the same; it may be in either language."
    name: str = "equal-in-either"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Use the judge if both answers are in the same language. Otherwise, compare their values."""
        if group.members and group.reference:
            language = group.source.case.language or ENGLISH[0]
            if other := other_language(str(answer(group, 0)), language):
                if all(knows(languages_read(), code) for code in (other, language)):
                    first, second = (
                        Asked(question=group.question, reply=str(reply), language=language)
                        for reply in (group.reference[0], answer(group, 0))
                    )
                    return _decided(first, second)
                return open_decision(f"the answer is in {language_name(other)}")
        return Equal.decide(self, group, similarities, judge)


def _names_no_language(evidence: Evidence) -> bool:
    language = evidence.case.language or ENGLISH[0]
    folder = Language(language)
    pattern = "speech.patterns.names_language"
    return language in NAMES and not (
        folder.has(pattern) and folder.pattern("names_language").search(evidence.turn.question)
    )


NAMES_NO_LANGUAGE = Precondition(
    name="the question is in one language and names none",
    stage=Stage.SOURCE_INPUT,
    check=_names_no_language,
    broken="the language of the question is unknown, or the question names a language",
)


def _is_translated(evidence: Evidence) -> bool:
    return bool(evidence.case.translations)


def _is_read(evidence: Evidence) -> bool:
    return knows(languages_read(), evidence.case.language)


TRANSLATED = Precondition(
    name="the data has a translation",
    stage=Stage.SOURCE_INPUT,
    check=_is_translated,
    broken="the data has no translation of the question into a further language",
)
READ_THERE = Precondition(
    name="answers in its language are supported",
    stage=Stage.FOLLOW_UP_INPUT,
    check=_is_read,
    broken="answers in the language of the translation are not supported: it has no folder of words",
)
MOST = 8
"""Maximum number of other languages into which a question is translated."""

_switched = partial(Row, holds=EqualInEither(), tasks=(CHAT, QA, DIALOGUE, RETRIEVAL), change="wording", enough=READ)
_translated = partial(Row, by="in-another-language", change="wording", draws=MOST)

register(
    _translated(
        "in-another-language",
        SameAnswer(),
        (CHAT, QA, DIALOGUE, RETRIEVAL),
        only_if=(TRANSLATED, READ_THERE),
        says="A question has the same answer in another language: the same values, the same yes or no.",
        tags=("ours", PARALLEL, WORDING),
    ),
    Row(
        "translate-question",
        SameAnswer(),
        (CHAT,),
        only_if=(READ_THERE,),
        says="A question that a helper translates has the same values, and the same yes or no, in the other language.",
        purpose=WORDING,
        enough=READ,
        change="wording",
        tags=("ours",),
        limits=Limits(languages=languages_read()),
    ),
    Row(
        "answer-in-the-new-language",
        InItsLanguage(),
        (CHAT,),
        by="translate-question",
        only_if=(NAMES_NO_LANGUAGE,),
        says="A question that a helper translates is answered in the language in which it is asked.",
        change="wording",
        tags=("ours",),
    ),
    _switched(
        "greet-in-another-language",
        fields=QUESTION,
        says="A greeting or thanks in another language does not change the answer.",
        purpose=WORDING,
        tags=("ours", "surface"),
    ),
    _switched(
        "value-in-another-language",
        only_if=(TRANSLATED,),
        says="A weekday or a number word in another language of the data does not change the answer.",
        purpose=WORDING,
        draws=MOST,
        tags=("ours", PARALLEL),
    ),
    Row(
        "answer-in-its-language",
        InItsLanguage(),
        (CHAT, QA, DIALOGUE, RETRIEVAL),
        only_if=(NAMES_NO_LANGUAGE,),
        by=AS_IT_IS,
        says="A question is answered in its own language.",
        tags=("ours", FOREIGN, WORDING),
        limits=Limits(unchanged="keep"),
    ),
    _translated(
        "label-in-another-language",
        EQ,
        (SA, CLASSIFICATION, NLI, MODERATION),
        only_if=(TRANSLATED,),
        says="A text has the same label in another language.",
        tags=("ours", PARALLEL, WORDING),
    ),
)
