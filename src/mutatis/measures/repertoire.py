"""Judges systems that reword every answer, using all replies of the run.

Two texts alone do not show whether they differ in wording or in meaning: "Yes, we have it right here" and "It is in
stock" have no word in common. The other replies of the run show this. Each reply is compared with the other replies to
its own question and with the replies to other questions (`placing.py`). Two replies that both belong to their question
are the same, whatever their words. If only one belongs, they are different. If a reply cannot be placed, the pair is
undecided.

A related idea is semantic entropy (Farquhar et al., Nature 2024), which clusters the answers to one question. Here the
answers to other questions show how similar two replies must be.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from mutatis.core.languages import ENGLISH, is_english
from mutatis.core.measure import (
    NOT_UNDERSTOOD,
    REPERTOIRE,
    SOURCE_IS_ODD,
    UNSTABLE,
    Comparison,
    ReplyBlock,
    Says,
    Similarity,
)
from mutatis.measures.answer import as_text, read
from mutatis.measures.block_reading import BlockReading, Embed, ReplyReading, nearness
from mutatis.measures.by_folder import KnownLanguages, certain_in, content_words, languages_read, negations_in
from mutatis.measures.catalogue import add_measure
from mutatis.measures.free import FreeAnswers, certain
from mutatis.measures.placing import Placement, Placing
from mutatis.measures.similarities import cannot_tell, different, same
from mutatis.text import embedder
from mutatis.text.abstention import is_lost, polarity
from mutatis.text.by_folder import polarity_in, side_in

ANOTHER_REPLY = "like the replies to {message!r}"
"""Cause of a difference: the reply resembles the replies to a different question."""

AGREEMENT: dict[Says, float] = {"different": 0.930, "same": 0.963}
"""Proportion of verdicts that were right on `carhire`, a bot that played no part in the measure's development."""

FALSE_ALARM = 0.0089
"""Proportion of pairs with the same meaning that it calls different: 57 of 6,397 on six previously unseen bots."""

UNSOUND = 0.39
"""Proportion of the follow-ups rejected by readers that nine bots answer differently: 41 of 106."""

ALIKE, UNLIKE = 0.9, 0.6
"""Similarity above which two misplaced replies are the same, and similarity below which they are different."""


HALF = 0.5
"""Minimum similarity for two replies with the same values to be the same answer, if only words are compared.

Below it, the values may refer to different things, unless only this question's replies give them in that order.
"""


class RepertoireMeasure:
    """The measure `repertoire`. Pairs without the run's other replies are judged like `free-answers`.

    Args:
        embed: function that returns one vector per text; similar texts have a large inner product.
    """

    name = REPERTOIRE

    def __init__(self, embed: Embed) -> None:
        self._embed = embed
        self._pairwise = KnownLanguages(FreeAnswers(), ENGLISH)
        self._placing: WeakKeyDictionary[ReplyBlock, dict[str, Placing]] = WeakKeyDictionary()
        self._lock = threading.Lock()

    def compare(self, comparisons: Sequence[Comparison]) -> list[Similarity]:
        """Return a similarity for each comparison: 0.95 or 1 (same), 0.03 (different), or undecided."""
        judged = iter(self._pairwise.compare([pair for pair in comparisons if not _is_placed(pair)]))
        with self._lock:
            return [self._judge(pair) if _is_placed(pair) else next(judged) for pair in comparisons]

    def _placing_of(self, block: ReplyBlock, language: str) -> Placing:
        """Return the object that places a block's replies in one language, creating it on first use.

        English replies are compared by embeddings, and those in other languages by their words.
        """
        in_languages = self._placing.setdefault(block, {})
        language = ENGLISH[0] if is_english(language) else language
        if language not in in_languages:
            embed = self._embed if is_english(language) else partial(vectors_of_words, language=language)
            in_languages[language] = Placing(BlockReading(block, embed, language))
        return in_languages[language]

    def _judge(self, comparison: Comparison) -> Similarity:
        """Judge a pair by the first of these that decides: the texts, the places of the replies, the pair alone."""
        assert comparison.repertoire is not None, "judged pairwise"
        references = [as_text(value) for value in comparison.reference]  # after the first one, its other accepted forms
        reference, answer = references[0], as_text(comparison.answer)
        if answer in references:
            return Similarity(score=1.0, reason="the same text")
        placing = self._placing_of(comparison.repertoire.block, comparison.language)
        question = comparison.repertoire.place
        first, second = placing.reading.read(reference), placing.reading.read(answer)
        if first.core == second.core:
            return same("the same except for small talk")
        again = comparison.repertoire.asked_again  # a reply must not support what replaced it
        earlier = [placing.reading.read(again[text]) if text in again else None for text in (reference, answer)]
        left, right = (
            placing.place(reply, question, replaced) for reply, replaced in zip((first, second), earlier, strict=True)
        )
        similarity = _pair(placing, question, first, second, left, right)
        if not similarity.open:
            return _with_cause(similarity, comparison, reference)
        comparison = _without_serials(comparison, placing)
        [alone] = self._pairwise.compare([comparison])
        if alone.open or (alone.score < HALF and _take_one_side(placing, question, first, second)):
            return similarity
        return alone if _is_trusted(alone, comparison, placing, question) else similarity


def _is_trusted(alone: Similarity, comparison: Comparison, placing: Placing, question: int) -> bool:
    """Return True if the verdict on the two texts alone may be used when the other replies do not decide.

    It may always be used if the question has too few replies. Otherwise, verdicts of kinds that studies found
    unreliable are not used: a difference in wording alone is often wrong, and so is sameness in an inconsistent system.
    """
    if not placing.has_replies(question):
        return True
    is_consistent = not placing.has_questions or placing.agreement.of_one_mind(question)
    if alone.score >= 0.5:
        return is_consistent
    if not is_consistent:
        return True
    texts = [as_text(value) for value in (comparison.reference[0], comparison.answer, comparison.question)]
    if not is_english(comparison.language):
        return certain_in(texts[0], texts[1], comparison.language) is not None
    return certain(*texts) is not None


def _without_serials(comparison: Comparison, placing: Placing) -> Comparison:
    """Return a comparison without the serial numbers in its replies."""
    without = placing.reading.without_serials
    texts = tuple(without(as_text(value)) for value in comparison.reference)
    return replace(comparison, reference=texts, answer=without(as_text(comparison.answer)))


def _with_cause(similarity: Similarity, comparison: Comparison, reference: str) -> Similarity:
    """Remove the cause "the source's answer is odd" if the reference is not the source's answer."""
    assert comparison.repertoire is not None, "judged pairwise"
    source = comparison.repertoire.question.source
    if similarity.cause != SOURCE_IS_ODD or (source is not None and source.text.strip() == reference.strip()):
        return similarity
    return replace(similarity, cause="")


def _is_placed(comparison: Comparison) -> bool:
    """Return True if a pair can be judged by the system's other replies, which excludes annotated answers."""
    return comparison.repertoire is not None and not comparison.directed and bool(comparison.reference)


def _differ_by_a_side(first: str, second: str, language: str) -> bool:
    """Return True if two replies are equal, except that one begins with yes or no.

    >>> _differ_by_a_side("No. We are closed on Sunday.", "We are closed on Sunday.", "en")
    True
    """
    shorter, longer = sorted((first.casefold(), second.casefold()), key=len)
    beginning = longer.removesuffix(shorter)
    return beginning != longer and len(beginning.split()) == 1 and polarity(beginning, language) is not None


def _pair(
    placing: Placing, question: int, first: ReplyReading, second: ReplyReading, left: Placement, right: Placement
) -> Similarity:
    """Judge a pair of replies by their places, `left` and `right`. The first is the reply to the source."""
    if all(is_lost(reply.core, placing.reading.language) for reply in (first, second)):
        return same("both say that they did not understand")
    if _differ_by_a_side(first.core, second.core, placing.reading.language):
        return same("one only begins with a yes or no that the other leaves out")
    if left.where == right.where == "own":
        return _both_in_place(placing, question, first, second, right.reason)
    if {left.where, right.where} == {"own", "elsewhere"}:
        by_wording = left.by_wording or right.by_wording  # and not by a contradiction
        if by_wording and placing.agreement.state_the_same_values(first, second, question):
            return cannot_tell("one answer is worded unlike the others, and both state the same values")
        if by_wording and placing.agreement.is_in_list(first, second, question):
            return cannot_tell("one answer is a list that contains the other's values")
        if by_wording and _take_one_side(placing, question, first, second):
            return cannot_tell("one answer is worded unlike the others, and both take the same side")
        if left.where == "elsewhere":
            return different(
                f"the source's answer is the odd one out: {left.reason}{_similar_question(placing, left)}",
                SOURCE_IS_ODD,
            )
        is_said = is_lost(second.core, placing.reading.language)
        if right.lost or is_said:
            what = "says that it did not understand" if is_said else "is a stock reply"
            why = f": {right.reason}" if right.lost else ""
            return different(f"this answer {what}{why}", NOT_UNDERSTOOD)
        message = "" if right.question is None else placing.reading.questions[right.question].message
        cause = ANOTHER_REPLY.format(message=message) if message else ""
        return different(f"this answer is the odd one out: {right.reason}{_similar_question(placing, right)}", cause)
    if "elsewhere" in (left.where, right.where):
        return _one_elsewhere(placing, question, first, second)
    if _in_other_words(placing, question, first, second):
        return same("both state the same values, and take the same side")
    return cannot_tell(f"nothing places the answers: {left.reason if left.where == 'open' else right.reason}")


def _take_one_side(placing: Placing, question: int, first: ReplyReading, second: ReplyReading) -> bool:
    """Return True if two replies in a language other than English both affirm the question, or both deny it."""
    language = placing.reading.language
    if is_english(language) or any(is_lost(reply.core, language) for reply in (first, second)):
        return False
    sides = [placing.words.side(reply, question) for reply in (first, second)]
    return sides[0] is not None and sides[0] is sides[1]


def _in_other_words(placing: Placing, question: int, first: ReplyReading, second: ReplyReading) -> bool:
    """Return True if two replies in a language other than English state the same facts and the same yes or no, if any.

    Outside English, similarity is based on words, so two correct replies to one question may have little in common. A
    sentence that allows something within a limit is compatible with one that only states the limit.
    """
    language, agreement = placing.reading.language, placing.agreement
    if is_english(language) or not agreement.state_the_same(first, second, question):
        return False
    if nearness(first, second) < HALF and not agreement.state_in_order(first, second, question):
        return False
    replies = (first.core, second.core)
    signs = {(polarity_in(reply, language), negations_in(reply, language) > 0) for reply in replies}
    asked = placing.reading.questions[question].message
    return len(signs) == 1 and {side_in(reply, language, asked) for reply in replies} != {True, False}


def _both_in_place(placing: Placing, question: int, first: ReplyReading, second: ReplyReading, why: str) -> Similarity:
    """Judge two replies that both belong to their question. `why` is the reason for the second one's place.

    They are the same unless one is a stock reply or a counter-question and the other states something, or the replies
    to the question are inconsistent.
    """
    if (stock := _instead_of_a_value(placing, question, first, second)) is not None:
        return stock
    if first.core.endswith("?") and second.core.endswith("?"):
        return same("both ask back")  # "Which card do you mean?", "We have 2 cards: which one?"
    for asking, telling in ((first, second), (second, first)):
        if (stated := placing.agreement.unanswered(asking, telling)) is not None:
            return different(f"one answer only asks back, the other states {stated}")
    # Each of many replies states another amount.
    if (values := placing.agreement.disagreement(first, second, question)) is not None:
        return different(f"the replies to this question agree on nothing, and these two differ: {values}", UNSTABLE)
    # Half the replies state "5 EUR", the others "7 EUR".
    if (values := placing.agreement.exchanged(first, second, question)) is not None:
        return different(f"the replies to this question state different values: {values}", UNSTABLE)
    related = placing.agreement.of_one_mind(question) or placing.agreement.shares_fact(first, second, question)
    if not related and nearness(first, second) < ALIKE:
        return cannot_tell("the system is inconsistent, and the two answers have nothing in common that can be named")
    return same(f"both are among the replies to this question: {why}")


def _instead_of_a_value(
    placing: Placing, question: int, first: ReplyReading, second: ReplyReading
) -> Similarity | None:
    """Judge pairs of a stock reply and a reply that states a value.

    They are judged to be different, however common the stock reply is.
    """
    for stock, telling, cause in ((first, second, SOURCE_IS_ODD), (second, first, NOT_UNDERSTOOD)):
        questions = placing.stock.get(stock.number, 0)
        stated = placing.agreement.states_alone(telling, stock, question)
        if questions and stated is not None and telling.number not in placing.stock:
            which = "the source's answer is the odd one out" if stock is first else "this answer is the odd one out"
            reason = f"{questions} different questions get that reply in place of their own answers"
            return different(f"{which}: {reason}, and no mention of {stated}", cause)
    return None


def _one_elsewhere(placing: Placing, question: int, first: ReplyReading, second: ReplyReading) -> Similarity:
    """Judge two replies that do not clearly belong to the question, if at least one belongs to a different one."""
    near = nearness(first, second)
    agree = bool(np.array_equal(first.states, second.states)) and not first.new and not second.new
    if near >= ALIKE and agree:
        return same("neither answers the question as others do, and both are the same")
    # "Open from 9 am to 12:30", "Visit us between 9:00 and 12:30": no word in common, and the same facts.
    share_facts = agree and placing.agreement.shares_fact(first, second, question)
    if near < UNLIKE and not share_facts and not _take_one_side(placing, question, first, second):
        return different("neither answers the question as others do, and they have nothing in common")
    return cannot_tell("neither answers the question as others do")


def _similar_question(placing: Placing, placement: Placement) -> str:
    """Return a clause that names the other question whose replies are most similar to this one, or ""."""
    if placement.question is None:
        return ""
    question = placing.reading.questions[placement.question].message
    return f"; of the other replies those to {question!r} are most similar to it"


add_measure(
    REPERTOIRE,
    lambda: RepertoireMeasure(embedder.embed if embedder.embedder_is_installed() else vectors_of_words),
    summary="Replies of a system that varies its wording: each is compared with all its replies in the run.",
    languages=languages_read(),
    together=True,
    precision=lambda: AGREEMENT,
    false_alarm=FALSE_ALARM,
    unsound=UNSOUND,
)


DIMENSIONS = 4096
"""Number of dimensions used to hash word stems, large enough to make collisions within a run rare."""


def vectors_of_words(texts: Sequence[str], language: str = "en") -> NDArray[np.float32]:
    """Return unit vectors of the content words of texts, one row per text.

    Texts that have no word in common get orthogonal vectors.
    """
    from sklearn.feature_extraction.text import HashingVectorizer  # half a second, for those alone who judge by words

    hashing = HashingVectorizer(
        analyzer=lambda text: sorted(_content(text, language)), n_features=DIMENSIONS, alternate_sign=False
    )
    return np.asarray(hashing.transform(texts).toarray(), dtype=np.float32)


def _content(text: str, language: str) -> Iterable[str]:
    return read(text).content if is_english(language) else content_words(text, language)
