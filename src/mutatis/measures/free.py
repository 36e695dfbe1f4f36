"""Judges free replies offline: decides a pair if it can name the difference, and otherwise leaves it undecided.

It compares two replies of a chatbot to one message, without a reference. They differ if one contradicts a statement of
the other in something that can be named, such as a number, a date, a name, a negation or a refusal. They are the same
if every statement in each is found in the other. All other pairs are undecided, and may be put to a helper model
(`[judge] ask`). Precision comes first, because a wrong finding costs more than an undecided pair.
"""

from __future__ import annotations

from collections.abc import Sequence

from mutatis.core.languages import ENGLISH
from mutatis.core.measure import Comparison, Says, Similarity
from mutatis.measures import polar, rules
from mutatis.measures.answer import Answer, as_text, read
from mutatis.measures.by_folder import by_language
from mutatis.measures.catalogue import MEASURES, add_measure, default_text_measure
from mutatis.measures.differences import (
    ReplyValues,
    exchanged_word,
    lacking,
    match,
    named_difference,
    other_amount,
    share,
)
from mutatis.measures.payload import compare_json
from mutatis.measures.similarities import cannot_tell, different, same
from mutatis.measures.statements import ReadStatement
from mutatis.measures.withheld import withheld
from mutatis.measures.words import FUNCTION_WORDS, LIGHT, NEGATIONS, POLAR_OPENERS, REGRETS
from mutatis.text.openers import without_courtesies

SHORT = 8
"""Maximum number of words in a reply that is short enough for the measure `answer-equivalence`."""

BAND = (0.3, 0.7)
"""Bounds between which a score of `answer-equivalence` leaves the pair open."""

AGREEMENT: dict[Says, float] = {"same": 0.97, "different": 0.87}
"""Proportion of verdicts that people agree with, on the real replies of `studies/judge/free_answers.py --all`."""

NOTHING_NAMED = "no difference that can be named"

_FOUND = 0.7  # minimum share of the content of a statement that must be found, besides all its news


def _polar(first: Answer, second: Answer, question: Answer) -> Similarity | None:
    """Judge pairs of a reply that begins with yes and a reply that begins with no.

    Negated questions are skipped, because yes and no can mean the same in reply to them.
    """
    if first.polarity is None or second.polarity is None or first.polarity is second.polarity or question.negations:
        return None
    if question.words and not any(word in POLAR_OPENERS for word in question.words):
        return None
    return different("yes / no")


def _amount(first_text: str, second_text: str, question: str) -> Similarity | None:
    """Judge pairs of replies that state different amounts in answer to a question that asks for one."""
    named = other_amount(ReplyValues(first_text), ReplyValues(second_text), question)
    return different(named) if named else None


def _has_news(first: Answer, second: Answer, question: Answer) -> bool:
    """Return True if a short reply has a content word that occurs in neither the other reply nor the question."""
    known = frozenset((*second.words, *second.stems, *question.stems))
    return any(
        not (match(stem, known) or match(word, known))
        for word, stem in zip(first.words, first.stems, strict=True)
        if not {word, stem} & (FUNCTION_WORDS | LIGHT | REGRETS | NEGATIONS) and not word[0].isdigit()
    )


def _is_found(statement: ReadStatement, reply: ReplyValues, question: Answer) -> bool:
    """Return True if a reply contains a given statement.

    One of its statements must contain all news, the words that are not in the question. Most of the content must be in
    that statement, too; if it is the first one, it may be anywhere in the reply, because the others often continue it.
    """
    if lacking(statement.values, reply.values):
        return False
    content = statement.content - NEGATIONS
    news = content - frozenset(question.stems)
    for place, other in enumerate(reply.informing):
        if other.negated is not statement.negated or not _in_order(statement, other):
            continue
        if exchanged_word(statement.answer, other.answer) is not None:
            continue  # "The cloakroom lies in the cellar" is not in a reply with "The cinema lies in the cellar"
        other_stems = frozenset(other.answer.stems)
        if not all(match(word, other_stems) for word in news):
            continue
        if share(content, reply.stems if place == 0 else other_stems) >= _FOUND:
            return True
    return False


def _in_order(first: ReadStatement, second: ReadStatement) -> bool:
    """Return True if the values that two statements have in common occur in the same order.

    "5,000 in, 1,000 out" does not match "1,000 in".
    """
    places = []
    for value in first.values:
        places += [at for at, other in enumerate(second.values) if value.value.same(other.value)][:1]
    return places == sorted(places)


def _long(first_text: str, second_text: str, question: Answer) -> Similarity:
    """Compare two long replies statement by statement."""
    first, second = ReplyValues(first_text), ReplyValues(second_text)
    if first.too_much or second.too_much:
        return cannot_tell("too much to compare statement by statement")
    named = named_difference(first, second, question)
    if named is not None:
        return different(named)
    pairs = ((first, second), (second, first))
    if any(
        left.answer.polarity is True and right.answer.polarity is None and REGRETS & set(right.answer.words)
        for left, right in pairs
    ):
        return cannot_tell(NOTHING_NAMED)  # "yes, it is in the shop", "sorry, another one is in the shop"
    for left, right in pairs:
        if left.informing and all(_is_found(statement, right, question) for statement in left.informing):
            return same("everything in one reply is found in the other")
    agreement = None
    if max(len(first.answer.words), len(second.answer.words)) <= 2 * SHORT:  # a longer one may contain an "unless"
        agreement = polar.agree(first.answer, second.answer, question)
    return agreement or cannot_tell(NOTHING_NAMED)


def certain(first_text: str, second_text: str, question_text: str) -> Similarity | None:
    """Judge two replies by clear signs, whatever their wording. Return None if they give no such sign.

    The signs are refusals, JSON data, the languages of the replies, yes or no, and amounts.
    """
    first, second, question = read(first_text), read(second_text), read(question_text)
    return (
        rules.empty(first, second)
        or compare_json(first_text, second_text)
        or rules.equal(first, second)
        or withheld(first_text, second_text, question_text)
        or by_language(first_text, second_text)
        or _polar(first, second, question)
        or _amount(first_text, second_text, question_text)
    )


def settle(first_text: str, second_text: str, question_text: str, *, annotated: bool = False) -> Similarity | None:
    """Judge two replies, or return None to leave the pair to the measure `answer-equivalence`.

    That is the case if both replies are short or one is an annotated answer.
    """
    first, second = without_courtesies(first_text), without_courtesies(second_text)
    decided = certain(first, second, question_text)
    if decided is not None:
        return decided
    if annotated or max(len(read(text).words) for text in (first_text, second_text)) <= SHORT:
        return None
    return _long(first, second, read(question_text))


class FreeAnswers:
    """The measure `free-answers`, which decides a pair if it can name a reason and otherwise leaves it undecided."""

    name = "free-answers"

    def __init__(self) -> None:
        self._short = MEASURES[default_text_measure()]()

    def compare(self, comparisons: Sequence[Comparison]) -> list[Similarity]:
        """Return a similarity for each pair: 0.95 or 1 (same), 0.03 (a named difference), or undecided.

        Pairs of short replies keep the score of `answer-equivalence`.
        """
        settled: list[Similarity | None] = [self._settle(comparison) for comparison in comparisons]
        short = [at for at, similarity in enumerate(settled) if similarity is None]
        scored = self._short.compare([comparisons[at] for at in short])
        for at, similarity in zip(short, scored, strict=True):
            low, high = BAND
            is_same = similarity.score > high
            unsure = low <= similarity.score <= high or (is_same and self._each_adds_something(comparisons[at]))
            settled[at] = cannot_tell(f"short replies, not sure: {similarity.reason}") if unsure else similarity
        return [similarity for similarity in settled if similarity is not None]

    @staticmethod
    def _each_adds_something(comparison: Comparison) -> bool:
        """Return True if each of two short replies states something that the other lacks.

        `answer-equivalence` may judge such replies to be the same.
        """
        answer, question = read(as_text(comparison.answer)), read(as_text(comparison.question))
        references = [read(as_text(value)) for value in comparison.reference]
        if any(reference.polarity is not None and reference.polarity is answer.polarity for reference in references):
            return False
        return all(
            _has_news(reference, answer, question) and _has_news(answer, reference, question)
            for reference in references
        )

    def _settle(self, comparison: Comparison) -> Similarity | None:
        """Judge an answer by the reference that it resembles most. Short annotated answers are skipped.

        Return None if `settle` leaves any of the pairs to `answer-equivalence`.
        """
        texts = [as_text(value) for value in comparison.reference]
        answer, question = as_text(comparison.answer), as_text(comparison.question)
        annotated = comparison.directed and all(len(read(text).words) <= SHORT for text in texts)
        settled = [settle(text, answer, question, annotated=annotated) for text in texts]
        decided = [similarity for similarity in settled if similarity is not None]
        if not decided or len(decided) < len(settled):
            return None
        return max(decided, key=lambda similarity: similarity.score)


add_measure(
    "free-answers",
    FreeAnswers,
    summary="Free replies of a chatbot: a named difference, or everything in one found in the other, else open.",
    languages=ENGLISH,
    precision=lambda: AGREEMENT,
)
