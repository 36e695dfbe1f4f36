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

from mutatis.measures.block_reading import STANCE, BlockReading, Bools, Numbers, QuestionReading
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

FAR = 0.5
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
        again: for each question, the duplicates of it in the data.
        splits: for each question, the groups of its replies that answer other questions.
        questions: the replies to each question without these groups.
    """

    def __init__(self, reading: BlockReading) -> None:
        self._reading = reading
        self._wording = _wordings(reading)
        self.again: list[list[int]] = self._duplicate_questions()
        self.splits: list[tuple[Split, ...]] = self._splits()
        self.questions = [self._left(question, place) for place, question in enumerate(reading.questions)]

    def of(self, number: int | None, place: int) -> Split | None:
        """Return the group of misplaced replies that contains a text, or None.

        `place` is the index of their question.
        """
        if number is None:
            return None
        wording = int(self._wording[number])
        return next((split for split in self.splits[place] if wording in split.wordings), None)

    def _splits(self) -> list[tuple[Split, ...]]:
        wordings = [self._wording[question.members] for question in self._reading.questions]
        kinds = int(self._wording.max(initial=-1)) + 1
        counts = [np.bincount(listed, minlength=kinds) for listed in wordings]
        shares = np.array([count / max(1, count.sum()) for count in counts]).reshape(len(counts), kinds)
        split_lists: list[tuple[Split, ...]] = []
        for place, listed in enumerate(wordings):
            others = [other for other in range(len(wordings)) if other != place and other not in self.again[place]]
            splits = [self._split(listed, other, shares[other] > 0, wordings[other]) for other in others]
            splits.append(self._fallback(listed, shares, place))
            split_lists.append(tuple(split for split in splits if split is not None))
        return split_lists

    def _duplicate_questions(self) -> list[list[int]]:
        """Return, for each question, the other questions with the same words and some of the same replies.

        "And on Sunday?" may refer to two different things. The replies then have no wording in common.
        """
        asked = [normalise(question.message) for question in self._reading.questions]
        said = [set(self._wording[question.members].tolist()) for question in self._reading.questions]
        return [
            [
                other
                for other, words in enumerate(asked)
                if words and words == asked[place] and other != place and len(said[place] & said[other]) >= FEWEST
            ]
            for place in range(len(asked))
        ]

    def _fallback(self, listed: Numbers, shares: NDArray[np.float64], place: int) -> Split | None:
        """Return the replies to a question that the system gives when it does not understand, or None.

        `shares` contains the proportion of each wording among the replies to each question; shape (questions,
        wordings).
        """
        breadth = (shares > 0).sum(axis=0)
        wide = breadth[listed] >= max(QUESTIONS, WIDE * len(shares))
        rest = listed[~wide & (2 * breadth[listed] < breadth[listed].max(initial=0))]
        if not wide.any() or len(rest) < max(FEWEST, REST * len(listed)):
            return None
        unlike = [
            number
            for number in sorted(set(listed[wide].tolist()))
            if float(np.median(self._reading.near[number, rest])) < FAR and not self._takes_side(number)
        ]
        if not unlike:
            return None
        elsewhere = np.delete(shares[:, unlike].sum(axis=1), place)
        with_rest = np.delete(shares[:, rest].sum(axis=1), place) > 0
        if (with_rest & (elsewhere > 0)).sum() >= max(FEWEST, MIXED * (elsewhere > 0).sum()):
            return None
        if shares[place, unlike].sum() > OWN * np.median(elsewhere[elsewhere > 0]):  # here it is the answer
            return None
        reason = f"{int((elsewhere > 0).sum())} other questions also get that reply"
        return Split(wordings=frozenset(unlike), question=None, reason=reason)

    def _takes_side(self, number: int) -> bool:
        """Return True if a text says yes or no, and so can answer many questions."""
        return bool((self._reading.states[number] & (self._reading.kinds == STANCE)).any())

    def _split(self, listed: Numbers, other: int, said: Bools, theirs: Numbers) -> Split | None:
        """Return the group of a question's replies that are another question's answer, or None."""
        shared = said[listed]
        number, rest = int(shared.sum()), int((~shared).sum())
        if number < max(FEWEST, LEAST * len(listed)) or rest < max(FEWEST, REST * len(listed)):
            return None
        wordings = frozenset(listed[shared].tolist())
        answer = np.isin(theirs, list(wordings)).mean()
        mixed = (1 - rest / len(listed)) ** len(theirs)
        # A question with many wordings never gets some of another one's: of these, only what is unlike them counts.
        near = float(np.median(self._reading.near[np.ix_(listed[shared], listed[~shared])]))
        if answer < ANSWER or mixed >= CHANCE or near >= FAR:
            return None
        return Split(
            wordings=wordings, question=other, reason=f"{number} of {len(listed)} replies are another question's"
        )

    def _left(self, question: QuestionReading, place: int) -> QuestionReading:
        aside = frozenset().union(*(split.wordings for split in self.splits[place]))
        kept = [number for number in question.members.tolist() if int(self._wording[number]) not in aside]
        return QuestionReading(message=question.message, members=np.array(kept, dtype=np.intp))


def _wordings(reading: BlockReading) -> Numbers:
    """Return the index of the wording that each text belongs to.

    A wording is represented by the most common text that is similar enough and states the same facts.
    """
    counts = np.bincount(np.concatenate([q.members for q in reading.questions]), minlength=len(reading.texts))
    sets_of_facts: dict[bytes, int] = {}
    stated = np.array(
        [sets_of_facts.setdefault(states.tobytes(), len(sets_of_facts)) for states in reading.states], dtype=np.intp
    )
    wording = np.full(len(reading.texts), -1, dtype=np.intp)
    for number in np.argsort(-counts, kind="stable").tolist():
        if wording[number] < 0:
            alike_texts = (reading.near[number] >= ONE_WORDING) & (stated == stated[number])
            wording[(wording < 0) & alike_texts] = number
    return wording
