"""Finds small talk around a system's answers: greetings, thanks, closings, and notes added to every reply.

A sentence is small talk if it occurs in the replies to many questions, next to sentences that differ from question to
question. A reply that consists of small talk alone ("I did not understand you.") is left unchanged, since that is the
answer.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from itertools import pairwise

from mutatis.core.languages import is_english
from mutatis.measures.answer import LONGEST
from mutatis.measures.facts import Fact, are_of_one_sort, facts, same_fact
from mutatis.measures.folder_words import negations_in
from mutatis.measures.words import COMFORTING, NEGATIONS
from mutatis.text.kept_within import kept_within
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

CONTRADICTING = 0.5
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
    asked_for: dict[str, set[int]] = defaultdict(set)
    for number, texts in enumerate(replies):
        for text in texts:
            for _, words in reply_parts(text):
                asked_for[words].add(number)
    least = max(QUESTIONS, SHARE * len(replies))
    common = {words for words, questions in asked_for.items() if len(questions) >= least}
    beside: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for text in (text for texts in replies for text in texts):
        rest = tuple(words for _, words in reply_parts(text) if words not in common)
        for _, words in reply_parts(text) if rest else ():
            beside[words].add(rest)
    return frozenset(
        words
        for words in common
        if len(beside[words]) >= QUESTIONS
        and not _answers(words, [replies[n] for n in asked_for[words]], len(replies), language)
    )


def _answers(words: str, replies: Sequence[Collection[str]], questions: int, language: str) -> bool:
    """Return True if a sentence is at least part of an answer, rather than small talk.

    `replies` holds the replies to each question that has a reply with the sentence.
    """
    denying = _denies(words, language)
    if denying and len(replies) < max(DENYING_QUESTIONS, DENYING_SHARE * questions):
        return True
    if len(replies) >= CONTRADICTING * questions:
        return False
    if any(_is_value_asked_for(words, texts, language) for texts in replies):
        return True
    told = [fact for fact in _values(words, language) if fact.unit]
    against = 0
    for texts in replies:
        others = {
            fact for text in texts for _, part in reply_parts(text) if part != words for fact in _values(part, language)
        }
        against += any(
            fact.kind == other.kind and fact.unit == other.unit and not same_fact(fact, other)
            for fact in told
            for other in others
        )
    return 2 * against > len(replies)


def _denies(words: str, language: str) -> bool:
    if not is_english(language):
        return negations_in(words, language) > 0
    said = words.split()
    return sum(word in NEGATIONS for word in said) > sum(pair in COMFORTING for pair in pairwise(said))


def _is_value_asked_for(words: str, texts: Collection[str], language: str) -> bool:
    """Return True if most replies to a question state the same value as this sentence, and some word it differently.

    The value is then the answer, even if the sentence also occurs in replies to other questions. For example, "Minimum
    age: 10." has the same value as "It is for visitors from 10 years."
    """
    for fact in _values(words, language):
        stating = [{part for _, part in reply_parts(text) if _states(part, fact, language)} for text in texts]
        anew = any(parts and words not in parts for parts in stating)
        if anew and sum(map(bool, stating)) >= ANSWERING * len(texts):
            return True
    return False


def _states(words: str, fact: Fact, language: str) -> bool:
    return any(same_fact(fact, other) and are_of_one_sort(fact, other) for other in _values(words, language))


@kept_within(3_000_000, per_character=25)
def _values(words: str, language: str = "en") -> tuple[Fact, ...]:
    return tuple(fact for fact in facts(words, language=language) if fact.kind not in ("stance", "rate", "name"))


def without(reply: str, talk: frozenset[str]) -> str:
    """Remove small talk from a reply, unless nothing else is left."""
    kept = [written for written, words in reply_parts(reply) if words not in talk]
    return " ".join(kept) or reply[:LONGEST].strip()
