"""Finds replies that do not answer their question, even if a fault causes half of them.

A question that gets one wording of an answer usually gets its other wordings, too. If some of a question's replies are
wordings of another question's answer, and that question never gets the remaining replies, then these replies belong to
the other question. If a question gets both replies that many questions share and replies that are nearly unique to it,
the shared replies are what the system says when it does not understand.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mutatis.measures.block_reading import STANCE, BlockReading, Numbers, QuestionReading
from mutatis.text.normalisation import normalise

ONE_WORDING = 0.9
"""Minimum similarity at which two texts count as the same wording, ignoring numbers, days and names."""

LEAST, REST = 0.1, 0.2
"""Minimum proportions of a question's replies that answer another question (`LEAST`), and that do not (`REST`)."""

FEWEST = 2
"""Minimum number of replies in each of the two groups into which a question's replies are split."""

ANSWER = 0.6
"""Minimum proportion of a question's replies that must have these wordings for them to be the question's answer."""

CHANCE = 0.001
"""Probability below which chance does not explain that a question gets only some wordings of an answer."""


QUESTIONS, WIDE = 4, 0.15
"""Minimum number of questions that get a fallback reply, and their minimum proportion of a block's questions."""

MIXED = 0.2
"""Proportion above which a suspected fallback reply is only one wording of an answer that many questions get.

It is the proportion of the questions with this reply that also get the other replies.
"""

OWN = 2.0
"""Factor by which a fallback reply must be more common than usual for it to count as a question's answer."""

UNRELATED = 0.5
"""Similarity to the other replies below which a group of replies may have a different meaning."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Split:
    """A group of a question's replies that answers another question.

    Attributes:
        wordings: indices of the wordings in the group.
        question: index of the question that they answer, or None if they are a fallback.
        reason: an explanation for the report.
    """

    wordings: frozenset[int]
    question: int | None
    reason: str


class Splitting:
    """The questions of a block that get answers to other questions.

    Attributes:
        duplicates: for each question, the duplicates of it in the data.
        splits: for each question, the groups of its replies that answer other questions.
        questions: the replies to each question without these groups.
    """

    def __init__(self, reading: BlockReading) -> None:
        self._reading = reading
        self._wording = _wordings(reading)
        self.duplicates: list[list[int]] = self._duplicate_questions()
        self.splits: list[tuple[Split, ...]] = self._splits()
        self.questions = [
            self._without_splits(*question) for question in zip(reading.questions, self.splits, strict=True)
        ]

    def of(self, number: int | None, question: int) -> Split | None:
        """Return the group of misplaced replies to a question that contains a text, or None.

        `number` is the index of the text, or None if the block does not contain it.
        """
        if number is None:
            return None
        wording = int(self._wording[number])
        return next((split for split in self.splits[question] if wording in split.wordings), None)

    def _splits(self) -> list[tuple[Split, ...]]:
        replies = [self._wording[question.members] for question in self._reading.questions]
        wordings = int(self._wording.max(initial=-1)) + 1
        counts = [np.bincount(numbers, minlength=wordings) for numbers in replies]
        shares = np.array([count / max(1, count.sum()) for count in counts]).reshape(len(counts), wordings)
        splits_of_all: list[tuple[Split, ...]] = []
        for question, numbers in enumerate(replies):
            others = [other for other in range(len(replies)) if other not in (question, *self.duplicates[question])]
            splits = [self._another_answer(numbers, other, replies[other]) for other in others]
            splits.append(self._fallback(numbers, shares, question))
            splits_of_all.append(tuple(split for split in splits if split is not None))
        return splits_of_all

    def _duplicate_questions(self) -> list[list[int]]:
        """Return, for each question, the other questions with the same words and some of the same replies.

        "And on Sunday?" may refer to two different things. The replies then have no wording in common.
        """
        asked = [normalise(question.message) for question in self._reading.questions]
        wordings = [set(self._wording[question.members].tolist()) for question in self._reading.questions]
        return [
            [
                other
                for other, words in enumerate(asked)
                if words
                and words == asked[question]
                and other != question
                and len(wordings[question] & wordings[other]) >= FEWEST
            ]
            for question in range(len(asked))
        ]

    def _fallback(self, replies: Numbers, shares: NDArray[np.float64], question: int) -> Split | None:
        """Return the replies to a question that the system gives when it does not understand, or None.

        An example is "Sorry?", a reply to twelve questions, if this one is otherwise answered by "We open at 9".

        Args:
            replies: the wording of each reply to the question.
            shares: proportion of each wording among the replies to each question; shape (questions, wordings).
            question: index of the question.
        """
        breadth = (shares > 0).sum(axis=0)[replies]  # for each reply, the number of questions that get its wording
        is_widespread = breadth >= max(QUESTIONS, WIDE * len(shares))
        is_narrow = ~is_widespread & (2 * breadth < breadth.max(initial=0))
        widespread, narrow = replies[is_widespread], replies[is_narrow]
        if not len(widespread) or len(narrow) < max(FEWEST, REST * len(replies)):
            return None
        similarity = self._reading.similarity
        suspected = [
            wording
            for wording in sorted(set(widespread.tolist()))
            if float(np.median(similarity[wording, narrow])) < UNRELATED and not self._takes_side(wording)
        ]
        if not suspected:
            return None
        share_elsewhere = np.delete(shares[:, suspected].sum(axis=1), question)
        gets_suspected = share_elsewhere > 0
        gets_narrow = np.delete(shares[:, narrow].sum(axis=1), question) > 0
        # If these questions get the narrow wordings, too, all of them are wordings of one answer.
        if (gets_narrow & gets_suspected).sum() >= max(FEWEST, MIXED * gets_suspected.sum()):
            return None
        usual = np.median(share_elsewhere[gets_suspected])
        if shares[question, suspected].sum() > OWN * usual:
            return None  # here it is the answer
        reason = f"{int(gets_suspected.sum())} other questions also get that reply"
        return Split(wordings=frozenset(suspected), question=None, reason=reason)

    def _takes_side(self, wording: int) -> bool:
        """Return True if a text says yes or no, and so can answer many questions."""
        return bool((self._reading.states[wording] & (self._reading.kinds == STANCE)).any())

    def _another_answer(self, replies: Numbers, other: int, replies_there: Numbers) -> Split | None:
        """Return the group of a question's replies that are the answer to another question, or None.

        Args:
            replies: the wording of each reply to the question.
            other: index of the other question.
            replies_there: the wording of each reply to the other question.
        """
        is_shared = np.isin(replies, replies_there)
        shared, rest = replies[is_shared], replies[~is_shared]
        if len(shared) < max(FEWEST, LEAST * len(replies)) or len(rest) < max(FEWEST, REST * len(replies)):
            return None
        if np.isin(replies_there, shared).mean() < ANSWER:
            return None
        # If both questions had the same answer, the other one would get some of the remaining wordings, too.
        chance_of_no_rest_there = (1 - len(rest) / len(replies)) ** len(replies_there)
        if chance_of_no_rest_there >= CHANCE:
            return None
        if float(np.median(self._reading.similarity[np.ix_(shared, rest)])) >= UNRELATED:
            return None
        reason = f"{len(shared)} of {len(replies)} replies are another question's"
        return Split(wordings=frozenset(shared.tolist()), question=other, reason=reason)

    def _without_splits(self, question: QuestionReading, splits: tuple[Split, ...]) -> QuestionReading:
        misplaced = frozenset[int]().union(*(split.wordings for split in splits))
        kept = [number for number in question.members.tolist() if int(self._wording[number]) not in misplaced]
        return QuestionReading(message=question.message, members=np.array(kept, dtype=np.intp))


def _wordings(reading: BlockReading) -> Numbers:
    """Return the index of the wording that each text belongs to.

    Its index is that of its most common text. The others are similar enough to it and state the same facts.
    """
    counts = np.bincount(np.concatenate([q.members for q in reading.questions]), minlength=len(reading.texts))
    sets_of_facts: dict[bytes, int] = {}
    stated = np.array(
        [sets_of_facts.setdefault(states.tobytes(), len(sets_of_facts)) for states in reading.states], dtype=np.intp
    )
    wording = np.full(len(reading.texts), -1, dtype=np.intp)
    for number in np.argsort(-counts, kind="stable").tolist():
        if wording[number] < 0:
            alike_texts = (reading.similarity[number] >= ONE_WORDING) & (stated == stated[number])
            wording[(wording < 0) & alike_texts] = number
    return wording
