"""Finds small talk around a system's answers: greetings, thanks, closings, and notes added to every reply.

A sentence is small talk if it occurs in the replies to many questions, next to sentences that differ from question to
question. A reply that consists of small talk alone ("I did not understand you.") is left unchanged, since that is the
answer.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from itertools import chain, pairwise

from mutatis.core.languages import is_english
from mutatis.measures.answer import LONGEST
from mutatis.measures.by_folder import negations_in
from mutatis.measures.facts import Fact, are_of_one_sort, facts, same_fact
from mutatis.measures.words import COMFORTING, NEGATIONS
from mutatis.text.memory import kept_within
from mutatis.text.sentences import sentences

QUESTIONS = 3
"""Minimum number of questions that get a sentence of small talk, and of different sentences that accompany it."""

SHARE = 0.15
"""Minimum proportion of a block's questions that get a sentence of small talk.

In a large block, three questions may well be about the same thing.
"""

DENYING_QUESTIONS, DENYING_SHARE = 5, 0.3
"""Minimum number and proportion of questions that get a sentence of small talk that denies something.

They are higher than for other sentences, since a fault may put "That is not possible." before many answers.
"""

ANSWERING = 0.5
"""Proportion of the replies to a question that must state a value for it to count as the answer."""

FREQUENT = 0.5
"""Proportion of a block's questions that makes a sentence small talk, even if it contradicts other replies.

If fewer questions get the sentence, a fault may have put one wrong value into the answers to related questions.
"""

_NO_WORD = re.compile(r"\W+")


@kept_within(6_000_000, per_character=8)
def reply_parts(reply: str) -> tuple[tuple[str, str], ...]:
    """Split a reply into sentences. Return each as written and as lower-case words without punctuation."""
    written = (part.strip() for line in reply[:LONGEST].splitlines() for part in sentences(line))
    return tuple((part, words) for part in written if (words := _NO_WORD.sub(" ", part.lower()).strip()))


def small_talk(replies: Sequence[Collection[str]], language: str = "en") -> frozenset[str]:
    """Return the sentences of small talk, as lower-case words. `replies` contains the replies to each question.

    >>> asked = [["Sure. We open at 9."], ["Sure. It is 5 euros."], ["Sure. On Monday."], ["Sorry?"], ["Sorry?"]]
    >>> small_talk(asked)
    frozenset({'sure'})
    """
    questions_with: dict[str, set[int]] = defaultdict(set)
    for question, texts in enumerate(replies):
        for text in texts:
            for _, sentence in reply_parts(text):
                questions_with[sentence].add(question)
    least = max(QUESTIONS, SHARE * len(replies))
    common = {sentence for sentence, questions in questions_with.items() if len(questions) >= least}
    beside: dict[str, set[tuple[str, ...]]] = defaultdict(set)  # the other sentences of replies with a common one
    for text in chain.from_iterable(replies):
        in_reply = [sentence for _, sentence in reply_parts(text)]
        others = tuple(sentence for sentence in in_reply if sentence not in common)
        if others:
            for sentence in in_reply:
                beside[sentence].add(others)
    return frozenset(
        sentence
        for sentence in common
        if len(beside[sentence]) >= QUESTIONS  # "Sorry?" stands alone, so it is an answer
        and not _may_be_answer(sentence, [replies[n] for n in questions_with[sentence]], len(replies), language)
    )


def _may_be_answer(sentence: str, replies: Sequence[Collection[str]], questions: int, language: str) -> bool:
    """Return True if a sentence is at least part of an answer, rather than small talk.

    It is part of an answer if it denies something in the replies to few questions. It is, too, unless most questions
    get it, if it states a value that is asked for, or if most replies with it also state a value that contradicts it.

    Args:
        sentence: the sentence, as lower-case words.
        replies: the replies to each question that has a reply with the sentence.
        questions: number of questions in the block.
        language: language of the replies.
    """
    if _denies(sentence, language) and len(replies) < max(DENYING_QUESTIONS, DENYING_SHARE * questions):
        return True
    if len(replies) >= FREQUENT * questions:
        return False
    if any(_is_value_asked_for(sentence, texts, language) for texts in replies):
        return True
    values = [fact for fact in _values(sentence, language) if fact.unit]
    contradicted = 0
    for texts in replies:
        parts = {part for text in texts for _, part in reply_parts(text)} - {sentence}
        others = {fact for part in parts for fact in _values(part, language)}
        contradicted += any(
            fact.kind == other.kind and fact.unit == other.unit and not same_fact(fact, other)
            for fact in values
            for other in others
        )
    return 2 * contradicted > len(replies)


def _denies(words: str, language: str) -> bool:
    if not is_english(language):
        return negations_in(words, language) > 0
    said = words.split()
    comforts = sum(pair in COMFORTING for pair in pairwise(said))  # "no problem" denies nothing
    return sum(word in NEGATIONS for word in said) > comforts


def _is_value_asked_for(words: str, texts: Collection[str], language: str) -> bool:
    """Return True if most replies to a question state the same value as this sentence, and some word it differently.

    The value is then the answer, even if the sentence also occurs in replies to other questions. For example, "Minimum
    age: 10." has the same value as "It is for visitors from 10 years."
    """
    for fact in _values(words, language):
        stating = [{part for _, part in reply_parts(text) if _states(part, fact, language)} for text in texts]
        in_other_words = any(parts and words not in parts for parts in stating)
        if in_other_words and sum(map(bool, stating)) >= ANSWERING * len(texts):
            return True
    return False


def _states(words: str, fact: Fact, language: str) -> bool:
    return any(same_fact(fact, other) and are_of_one_sort(fact, other) for other in _values(words, language))


def _values(words: str, language: str = "en") -> tuple[Fact, ...]:
    return tuple(fact for fact in facts(words, language=language) if fact.kind not in ("stance", "rate", "name"))


def without(reply: str, talk: frozenset[str]) -> str:
    """Remove small talk from a reply, unless nothing else is left."""
    kept = [written for written, words in reply_parts(reply) if words not in talk]
    return " ".join(kept) or reply[:LONGEST].strip()
