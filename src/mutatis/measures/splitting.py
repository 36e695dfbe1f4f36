"""Finds replies that do not belong to their question, even if there are many: a fault may hit half of the follow-ups.

Wordings of one meaning mix: a question that gets one of them also gets the others. Replies to a question may divide
into those that form another question's answer and those never given to that question. Then the former are the other's
answer, however many there are. Replies given to many questions, next to different replies given to hardly any other,
are the system's fallback for questions it does not understand.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mutatis.measures.block_reading import STANCE, BlockReading, Bools, Numbers, QuestionReading
from mutatis.text.normalisation import normalise

ONE_WORDING = 0.9
"""Nearness at which two texts are one wording, ignoring numbers, days and names."""

LEAST, REST = 0.1, 0.2
"""Minimum share of a question's replies that are another's answer, and of those that the other never gets."""

FEWEST = 2
"""Minimum number of replies in each of the two parts."""

ANSWER = 0.6
"""Share of a question's replies that makes them its answer, rather than one wording that many questions get."""

CHANCE = 0.001
"""If wordings mixed, the probability that a question gets only one part. Below this value, they do not mix."""


QUESTIONS, WIDE = 4, 0.15
"""Minimum number of questions that get a fallback, and their minimum share of a block's questions."""

MIXED = 0.2
"""Share of the questions with a fallback that also get the other replies, above which it is not a fallback.

Then it is one wording of an answer that many questions get, as after a fault.
"""

OWN = 2.0
"""If a question gets a fallback this many times as often as usual, the fallback is its answer."""

FAR = 0.5
"""Nearness to the other replies below which a part of the replies may mean something else."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Split:
    """The wordings among a question's replies that are the answer to `question`, or to no question (None)."""

    wordings: frozenset[int]
    question: int | None
    reason: str


class Splitting:
    """Finds the questions of a block that get another question's answer.

    Attributes:
        again: per question, duplicates of it in the data.
        splits: per question, the parts of its replies that are other questions' answers.
        questions: the replies to each question, without these.
    """

    def __init__(self, reading: BlockReading) -> None:
        self._reading = reading
        self._wording = _wordings(reading)
        self.again: list[list[int]] = self._duplicate_questions()
        self.splits: list[tuple[Split, ...]] = self._splits()
        self.questions = [self._left(question, place) for place, question in enumerate(reading.questions)]

    def of(self, number: int | None, place: int) -> Split | None:
        """Return the foreign part of the replies to the question at `place` that contains a text, or None."""
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
        """Return, per question, the questions with the same words and some of the same wordings of replies.

        "And on Sunday?" may be asked twice about two things. The replies then have no wording in common.
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
        """Return the wordings of a question's replies that are a fallback for questions not understood, or None.

        `shares` holds the share of each wording among the replies to each question; shape (questions, wordings).
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
        """Return True if a text is a yes or a no, which can answer many questions."""
        return bool((self._reading.states[number] & (self._reading.kinds == STANCE)).any())

    def _split(self, listed: Numbers, other: int, said: Bools, theirs: Numbers) -> Split | None:
        """Return the wordings of a question's replies that are another question's answer, or None."""
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
    """Return the wording that each text belongs to.

    It is the first wording, starting with the most common, that is near enough and states the same facts.
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
