"""Relations across languages: the answer to a question is the same in every language.

Each answer must be in the language of its question, and is read with the word lists of its own language.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise, product

from mutatis.core.constraint import Evidence, Precondition, Stage
from mutatis.core.decision import Decision
from mutatis.core.languages import ENGLISH, NAMES, SPACED, knows, language_name
from mutatis.core.measure import Judge, Similarity
from mutatis.core.relation import Group, Limits
from mutatis.core.transformation import AS_IT_IS
from mutatis.languages import Language
from mutatis.measures.by_folder import languages_read
from mutatis.measures.facts import Fact, facts, is_among, mentions_fact
from mutatis.relations.output import Equal, ReadsByFolder, WithoutJudge
from mutatis.relations.said import Agreement, are_opposed, open_decision, read_decision, stated
from mutatis.relations.soundness import READ, WORDING
from mutatis.relations.table import row
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
"""Pattern of a whole number in digits, with any thousands separators."""
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]")


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A question in one language and the reply to it, which may be in a different language."""

    question: str
    reply: str
    language: str

    @cached_property
    def read_in(self) -> str:
        """The language used to read the reply: its own if that is clear and supported, otherwise the question's."""
        recognised = reply_language(self.reply)
        return recognised if recognised and knows(languages_read(), recognised) else self.language

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
        return None if _matches(self.language, "negates", self.question) else polarity(self.reply, self.read_in)

    @cached_property
    def values(self) -> tuple[Fact, ...]:
        """The values in the reply that can be compared between languages. Names of days are in `weekdays` instead."""
        valued = [fact for fact in stated(self.reply, self.read_in) if fact.value is not None]
        scaled = [fact for fact, after in pairwise(valued) if _is_scaled(fact, after)]
        return tuple(fact for fact in valued if fact not in scaled)

    @cached_property
    def has_number(self) -> bool:
        """True if the reply contains a number in digits or words. "Twice" and ordinals do not count."""
        reply = self.reply.lower()
        # Zero and one are skipped, because the word for one is also an article in many languages.
        words = {*_NAME.findall(reply)} if knows(SPACED, self.read_in) else reply
        return any(map(str.isdigit, reply)) or any(word in words for word in vocabulary(self.read_in).ones[2:] if word)

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
        match = re.search(re.escape(text), self.reply, re.IGNORECASE)
        return match.group() if match else text

    @cached_property
    def negates(self) -> bool:
        """True if the reply contains a negating word."""
        return _matches(self.read_in, "negates", self.reply)

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
            if not is_among(fact, self.values)
            and not mentions_fact(self.reply, fact, self.read_in)
            and _figures_of(fact) not in figures
        ]


def _matches(language: str, pattern: str, text: str) -> bool:
    """Return True if a text matches a pattern in the folder of its language, which may lack the pattern."""
    folder = Language(language)
    return folder.has(f"speech.patterns.{pattern}") and folder.pattern(pattern).search(text) is not None


def same_answer(first: Asked, second: Asked) -> Agreement:
    """Compare the answers to one question in two languages.

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
    if are_opposed(first.side, second.side):
        return False, "one says yes and the other no"
    for difference_of in (_other_value, _lost_value, _other_day, _other_choice):
        if difference := difference_of(first, second):
            return False, difference
    return (True if _agree(first, second) else None), ""


def _figures_of(fact: Fact) -> str:
    """Return the digits of a whole number without thousands separators, which differ between languages."""
    size = 0.0 if fact.value is None else fact.value.value.raw or 0.0
    return str(int(size)) if size == int(size) else ""


def _other_value(first: Asked, second: Asked) -> str | None:
    """Return the evidence that two replies state different values, or None.

    One of the values may be repeated from the question, but not both.
    """
    first_only, second_only = second.lacks(first), first.lacks(second)
    alone = len(first_only) == len(second_only) == 1
    for ours, theirs in product(first_only, second_only):
        both_asked = is_among(ours, first.asked_values) and is_among(theirs, second.asked_values)
        if not both_asked and _replaces(ours, theirs, alone=alone):
            return f"one says {first.written(ours.text)!r} and the other {second.written(theirs.text)!r}"
    return None


def _replaces(ours: Fact, theirs: Fact, *, alone: bool) -> bool:
    """Return True if two values cannot both be the answer.

    That is so if they have the same measure, or if one of the two has no unit and the replies differ in no other value
    (`alone`).
    """
    if ours.kind != theirs.kind or ours.value is None or theirs.value is None:
        return False
    smaller, larger = sorted((ours.value.size, theirs.value.size))
    if larger in (_THOUSAND * smaller, _THOUSAND * _THOUSAND * smaller):
        return False  # a scale that one of them leaves to another number, or that is not read
    measures = {ours.value.kind, theirs.value.kind}
    if len(measures) == 1:
        return True
    one_is_bare = _is_bare(ours) or _is_bare(theirs)
    return alone and one_is_bare and "decade" not in measures


def _is_bare(fact: Fact) -> bool:
    """Return True for a number without a unit."""
    return fact.value is not None and fact.value.kind == "count" and not fact.unit


def _is_scaled(fact: Fact, after: Fact) -> bool:
    """Return True for a bare number whose scale follows the next number, such as the 30 in "30 to 50 thousand"."""
    if fact.value is None or after.value is None or not _is_bare(fact) or after.value.kind != "count":
        return False
    number, following = fact.value.value, after.value.value
    scale = after.value.size / following.raw if following.raw else 1.0
    scale_in_words = sum(map(str.isdigit, after.text)) < len(str(int(after.value.size)))
    return 0 < following.start - number.end <= _BESIDE and (scale_in_words or scale > 1)


def _is_small(fact: Fact) -> bool:
    """Return True for a count of one or two, which a reply can express without a number: "twice", "both"."""
    return fact.value is not None and fact.value.kind == "count" and fact.value.size <= 2


def _lost_value(first: Asked, second: Asked) -> str | None:
    """Return the evidence that one reply gives the requested value and the other gives no value, or None."""
    for stating, silent in ((first, second), (second, first)):
        lost = (fact for fact in silent.lacks(stating) if not _is_small(fact))
        lacking = [fact for fact in lost if not is_among(fact, stating.asked_values)]
        if not lacking or silent.has_number or stating.declines:
            continue
        # A weekday in the other reply may stand for one of the values.
        stands_for_it = bool(silent.weekdays) and len(lacking) == 1
        is_wanted = stating.wants_value and silent.wants_value and not stands_for_it
        if is_wanted or silent.declines:
            return f"one says {stating.written(lacking[0].text)!r} and the other no value"
    return None


def _other_day(first: Asked, second: Asked) -> str | None:
    """Return the evidence that the replies each name one weekday, but not the same one, or None.

    Replies that negate something are skipped.
    """
    if len(first.weekdays) != 1 or len(second.weekdays) != 1 or first.weekdays == second.weekdays:
        return None
    if first.negates or second.negates:
        return None
    return f"one says {_weekday_in(first)!r} and the other {_weekday_in(second)!r}"


def _weekday_in(asked: Asked) -> str:
    """Return the only weekday in a reply, as written there."""
    [number] = asked.weekdays
    return asked.written(vocabulary(asked.read_in).weekdays[number])


def _other_choice(first: Asked, second: Asked) -> str | None:
    """Return the evidence that the replies choose different names from those offered in the question, or None.

    Only names that are spelled the same in both languages are compared. Replies that negate something are skipped.
    """
    offered = _names(first.question) & _names(second.question)
    ours, theirs = (offered & _names(asked.reply, every=True) for asked in (first, second))
    if not ours or not theirs or ours & theirs or first.negates or second.negates:
        return None
    return f"one says {min(ours)!r} and the other {min(theirs)!r}"


def _agree(first: Asked, second: Asked) -> bool:
    """Return True if the replies agree on something: a value, a weekday, yes or no, or enough names."""
    same_reply = first.reply.strip() == second.reply.strip()
    if same_reply or (first.side is not None and first.side is second.side):
        return True
    if first.weekdays & second.weekdays or any(is_among(fact, second.values) for fact in first.values):
        return True
    if (first.values or second.values) and first.wants_value:
        return False
    ours, theirs = (_names(asked.reply, every=True) for asked in (first, second))
    shorter, longer = sorted((ours, theirs), key=len)
    shared = _names(first.reply) & _names(second.reply)
    return len(shared) >= _FEWEST or bool(shorter and shorter <= longer)


def _names(text: str, *, every: bool = False) -> frozenset[str]:
    """Return the capitalised words in Latin script. The first word of a sentence counts only if `every` is True."""
    names: set[str] = set()
    for match in _NAME.finditer(text):
        before = text[: match.start()].rstrip(" \"'(\u00bf\u00a1")
        opens = not before or before[-1] in ".!?:\n"
        if match.group()[0].isupper() and _LATIN.match(match.group()) and (every or not opens):
            names.add(match.group())
    return frozenset(names)


class SameAnswer(ReadsByFolder):
    """Output relation `same-answer`: the answer in a different language states the same values and yes or no."""

    for_readers = (
        "The follow-up is the same question in another language. The answer must state the same values (prices, times, "
        "days, numbers, names) and the same yes or no; it may be in either language."
    )
    name = "same-answer"

    def read(self, group: Group) -> Decision:
        """Report a violation if the answers contain different values, or if one means yes and the other no.

        Leave the verdict open if either answer cannot be interpreted.
        """
        before, after = group.replies
        follow_up, language = group.members[0], group.language
        first = Asked(question=group.question, reply=before, language=language)
        second = Asked(question=follow_up.question, reply=after, language=follow_up.case.language or language)
        return _decide_by_values(first, second)


def _decide_by_values(first: Asked, second: Asked) -> Decision:
    """Decide on a question and its reply in two languages. Leave the verdict open if nothing can be compared."""
    same, difference = same_answer(first, second)
    unclear = "the two answers state nothing comparable between languages"
    return read_decision(same, "the answer should be the same in both languages", difference, unclear)


class InItsLanguage(WithoutJudge):
    """Output relation `in-its-language`: the answer is in the same language as the question."""

    for_readers = "The answer must be in the language of the question."
    name = "in-its-language"

    def read(self, group: Group) -> Decision:
        """Report a violation if the answer is clearly in a different language.

        Leave the verdict open if the answer is too short to tell.
        """
        reply, asked = group.reply, group.members[0].case.language or ENGLISH[0]
        expectation = f"the answer should be in {language_name(asked)}"
        if other := other_language(reply, asked):
            return read_decision(False, expectation, f"it is in {language_name(other)}")
        if reply_language(reply) == asked:
            return read_decision(True, expectation)
        return open_decision("the answer is too short or too unclear to identify its language")


class EqualInEither(Equal):
    """Output relation `equal-in-either`: the answer stays the same, in the original language or in the new one."""

    in_words = "the answer stays the same, in either language"
    for_readers = "The answer must stay the same; it may be in either language."
    name = "equal-in-either"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Use the judge if both answers are in the same language. Otherwise, compare their values."""
        language = group.language
        other = other_language(group.reply, language) if group.reference else None
        if not other:
            return Equal.decide(self, group, similarities, judge)
        if not all(knows(languages_read(), code) for code in (other, language)):
            return open_decision(f"the answer is in {language_name(other)}")
        first, second = (Asked(question=group.question, reply=reply, language=language) for reply in group.replies)
        return _decide_by_values(first, second)


def _names_no_language(evidence: Evidence) -> bool:
    language = evidence.case.language or ENGLISH[0]
    return language in NAMES and not _matches(language, "names_language", evidence.turn.question)


NAMES_NO_LANGUAGE = Precondition(
    name="the question is in one language and names none",
    stage=Stage.SOURCE_INPUT,
    check=_names_no_language,
    broken="the language of the question is unknown, or the question names a language",
)


TRANSLATED = Precondition(
    name="the data has a translation",
    stage=Stage.SOURCE_INPUT,
    check=lambda evidence: bool(evidence.case.translations),
    broken="the data has no translation of the question into a further language",
)
READ_THERE = Precondition(
    name="answers in its language are supported",
    stage=Stage.FOLLOW_UP_INPUT,
    check=lambda evidence: knows(languages_read(), evidence.case.language),
    broken="answers in the language of the translation are not supported: it has no folder of words",
)
MOST = 8
"""Maximum number of other languages into which a question is translated."""

_row = partial(row, tasks="chat, qa, dialogue, retrieval-qa", tags=("ours",), change="wording")
_switched = partial(_row, holds=EqualInEither(), purpose=WORDING, enough=READ)
_helped = partial(_row, tasks="chat", by="translate-question")
_in_the_data = partial(
    _row, by="in-another-language", only_if=(TRANSLATED,), draws=MOST, tags=("ours", PARALLEL, WORDING)
)

_in_the_data(
    "in-another-language",
    SameAnswer(),
    only_if=(TRANSLATED, READ_THERE),
    says="A question has the same answer in another language: the same values, the same yes or no.",
)
_helped(
    "translate-question",
    SameAnswer(),
    only_if=(READ_THERE,),
    says="A question that a helper translates has the same values, and the same yes or no, in the other language.",
    purpose=WORDING,
    enough=READ,
    limits=Limits(languages=languages_read()),
)
_helped(
    "answer-in-the-new-language",
    InItsLanguage(),
    only_if=(NAMES_NO_LANGUAGE,),
    says="A question that a helper translates is answered in the language in which it is asked.",
)
_switched(
    "greet-in-another-language",
    fields="question",
    says="A greeting or thanks in another language does not change the answer.",
    tags=("ours", "surface"),
)
_switched(
    "value-in-another-language",
    only_if=(TRANSLATED,),
    says="A weekday or a number word in another language of the data does not change the answer.",
    draws=MOST,
    tags=("ours", PARALLEL),
)
_row(
    "answer-in-its-language",
    InItsLanguage(),
    only_if=(NAMES_NO_LANGUAGE,),
    by=AS_IT_IS,
    says="A question is answered in its own language.",
    tags=("ours", FOREIGN, WORDING),
    limits=Limits(unchanged="keep"),
)
_in_the_data(
    "label-in-another-language",
    tasks="sa, classification, nli, moderation",
    says="A text has the same label in another language.",
)
