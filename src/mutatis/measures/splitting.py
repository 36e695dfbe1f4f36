"""Finds fallback replies to a question that is otherwise answered, even if a fault causes half of its replies.

A question that gets one wording of an answer usually gets its other wordings, too. If a question gets both replies that
many questions share and replies that are nearly unique to it, the shared replies are what the system says when it does
not understand.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mutatis.measures.block_reading import STANCE, BlockReading, Numbers, QuestionReading

ONE_WORDING = 0.9
"""Minimum similarity for two texts to count as the same wording, ignoring numbers, days and names."""

FEWEST, REST = 2, 0.2
"""Minimum number and proportion of a question's replies that must be nearly unique to it."""

QUESTIONS, WIDE = 4, 0.15
"""Minimum number of questions that get a fallback reply, and their minimum proportion of a block's questions."""

MIXED = 0.2
"""Proportion above which a suspected fallback reply is only one wording of an answer that many questions get.

It is the proportion of the questions with this reply that also get the other replies.
"""

OWN = 2.0
"""A fallback reply that is more than this many times as common as usual counts as a question's answer."""

UNRELATED = 0.5
"""Similarity to the nearly unique replies below which a reply may have a different meaning."""


class Splitting:
    """The questions of a block, split into their fallback replies and the others.

    Attributes:
        questions: the replies to each question without its fallback replies.
    """

    def __init__(self, reading: BlockReading) -> None:
        self._reading = reading
        self._wording = _wordings(reading)
        replies = [self._wording[question.members] for question in reading.questions]
        wordings = int(self._wording.max(initial=-1)) + 1
        counts = [np.bincount(numbers, minlength=wordings) for numbers in replies]
        shares = np.array([count / max(1, count.sum()) for count in counts]).reshape(len(counts), wordings)
        self._fallbacks = [self._fallback(numbers, shares, question) for question, numbers in enumerate(replies)]
        self.questions = [
            QuestionReading(message=question.message, members=question.members[~np.isin(numbers, list(fallback))])
            for question, numbers, fallback in zip(reading.questions, replies, self._fallbacks, strict=True)
        ]

    def why_fallback(self, number: int | None, question: int) -> str | None:
        """Return the reason why a text is a fallback reply to a question, or None if it is not.

        `number` is the index of the text, or None if the block does not contain it.
        """
        return None if number is None else self._fallbacks[question].get(int(self._wording[number]))

    def _fallback(self, replies: Numbers, shares: NDArray[np.float64], question: int) -> dict[int, str]:
        """Return the wordings that a question gets when the system does not understand it, each with the reason.

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
            return {}
        similarity = self._reading.similarity
        suspected = [
            wording
            for wording in sorted(set(widespread.tolist()))
            if float(np.median(similarity[wording, narrow])) < UNRELATED and not self._takes_side(wording)
        ]
        if not suspected:
            return {}
        share_elsewhere = np.delete(shares[:, suspected].sum(axis=1), question)
        gets_suspected = share_elsewhere > 0
        gets_narrow = np.delete(shares[:, narrow].sum(axis=1), question) > 0
        # If these questions get the narrow wordings, too, all of them are wordings of one answer.
        if (gets_narrow & gets_suspected).sum() >= max(FEWEST, MIXED * gets_suspected.sum()):
            return {}
        usual = np.median(share_elsewhere[gets_suspected])
        if shares[question, suspected].sum() > OWN * usual:
            return {}  # here it is the answer
        reason = f"{int(gets_suspected.sum())} other questions also get that reply"
        return dict.fromkeys(suspected, reason)

    def _takes_side(self, wording: int) -> bool:
        """Return True if a text says yes or no, and so can answer many questions."""
        return bool((self._reading.states[wording] & (self._reading.kinds == STANCE)).any())


def _wordings(reading: BlockReading) -> Numbers:
    """Return the index of the wording that each text belongs to.

    A wording has the index of its most common text. The others are similar enough to it and state the same facts.
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
