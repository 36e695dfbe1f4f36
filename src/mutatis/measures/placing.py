"""Decides whether a reply answers its own question or a different one. It may leave this undecided.

A reply is compared with its siblings, which are the other replies to its question. If it contradicts facts that most
siblings state, it does not belong to the question (`agreement.py`). Otherwise, the other questions that get the same
reply are examined: if they also get the siblings, the reply belongs with these, whatever its words (`Company`). A reply
that no other question gets is placed with the most similar replies. Finally, a reply that omits, replaces or denies
words that its siblings agree on is moved away from them (`agreed_words.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np

from mutatis.core.measure import QUESTIONS, REPLIES
from mutatis.measures.agreed_words import AgreedWords
from mutatis.measures.agreement import AgreedFacts
from mutatis.measures.block_reading import AMOUNT, NAME, BlockReading, Bools, Floats, Numbers, ReplyReading
from mutatis.measures.facts import Fact
from mutatis.measures.splitting import Splitting
from mutatis.measures.stock_replies import stock_replies
from mutatis.text.sentences import ends_in_question

Where: TypeAlias = Literal["own", "elsewhere", "open"]

SHARED, OWN, ELSEWHERE = 0.7, 0.8, 0.45
"""Thresholds for placing a reply by its company, which is the set of other questions that get the same reply.

The replies to one question must have at least `SHARED` of their company in common. A reply then belongs to them if it
shares at least `OWN` times as much of it, and elsewhere if it shares at most `ELSEWHERE` times as much.
"""

NEAREST = 3
"""Number of a question's replies used to measure similarity. More than one, since some replies may be faulty."""

NEAR, MARGIN, FAR = 0.15, 0.15, 0.25
"""How much less similar a reply may be to its siblings than they are to each other.

Up to `NEAR`, it belongs with them. Up to `FAR`, it does so only if the replies to any other question are less similar
by `MARGIN`. Beyond `FAR`, it belongs with those other replies if they are more similar by `MARGIN`.
"""


ALONE = 0.85
"""Minimum similarity for wording alone to assign a reply to a question with fewer than `REPLIES` replies."""

CLOSE = 0.05
"""How much less similar a reply may be than its siblings if there are too few questions for a comparison."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """The decision about the question that a reply belongs to, with its reason.

    `question` is the index of the other question that it seems to answer, if any. `lost` marks a stock reply that the
    system gives when it does not understand a message. `by_wording` marks a decision by similar wording alone.
    """

    where: Where
    reason: str
    question: int | None = None
    lost: bool = False
    by_wording: bool = False


class Placing:
    """The decisions about which question of a block each reply answers.

    All questions of a block are judged together.
    """

    def __init__(self, reading: BlockReading) -> None:
        self._splitting = Splitting(reading)
        asked = [question.message for question in reading.questions]
        self.stock = stock_replies(asked, [question.members.tolist() for question in reading.questions], fixed=False)
        self.reading = reading.asked_for(self._splitting.questions)
        self.agreement = AgreedFacts(self.reading)
        self.words = AgreedWords(self.reading, self.agreement)
        self._company = Company(self.reading)
        self._linking = Linking(self.reading, self.agreement)
        self._known: dict[tuple[int, int], Placement] = {}

    def place(self, reply: ReplyReading, question: int, instead_of: ReplyReading | None = None) -> Placement:
        """Decide whether a reply belongs to a question.

        If the reply is one of the recorded replies, one occurrence of it is left out, so that it is not compared with
        itself. So is the recorded reply that it takes the place of, `instead_of`, if the question was asked again.
        """
        left_out = reply.number if instead_of is None else instead_of.number
        if reply.number is None or left_out != reply.number:
            return self._place(reply, question, left_out)
        key = (reply.number, question)
        if key not in self._known:
            self._known[key] = self._place(reply, question, left_out)
        return self._known[key]

    def _place(self, reply: ReplyReading, question: int, left_out: int | None) -> Placement:
        """Decide whether a reply belongs to a question, without the recorded reply whose index is `left_out`.

        The first of these that decides counts: a fallback reply, a contradiction of facts, the company, nearness.
        A contradiction of words moves a reply that these leave in place.
        """
        if (why_lost := self._splitting.why_fallback(reply.number, question)) is not None:
            return Placement(where="elsewhere", reason=why_lost, lost=True)
        siblings = self.reading.questions[question].without(left_out)
        if not len(siblings):
            return Placement(where="open", reason="there is no other reply to this question")
        asked = self.reading.asked[question]
        message = self.reading.questions[question].message
        in_question = self.reading.stated(message) if self.words.asks_yes_or_no[question] else []
        side = self.words.side(reply, question)
        omissible = self._omissible(reply, question, siblings, in_question, side)
        contradiction = self.agreement.contradiction(
            reply, siblings, omissible, asked, in_question=in_question, is_no=side is False
        )
        if contradiction is not None:
            return Placement(where="elsewhere", reason=contradiction)
        by_company = self._by_company(reply, question, siblings) if self.has_questions else None
        placement = by_company or self._by_nearness(reply, question, siblings)
        if placement.where == "elsewhere":
            return placement
        contradiction = self.words.contradiction(reply, question, siblings, side)
        return placement if contradiction is None else Placement(where="elsewhere", reason=contradiction)

    def _omissible(
        self, reply: ReplyReading, question: int, siblings: Numbers, in_question: Sequence[Fact], side: bool | None
    ) -> Bools:
        """Return which facts a reply need not state.

        Of the facts of its question, "5 EUR." need not repeat any, and a reply with the answer no amounts. An answer to
        a question need not repeat its names, but a reply to "Please book a table for Brown" must. "On Saturday
        breakfast is from 8 to 11" does not answer for Sunday, even if the hours are the same. A "no" needs no values
        besides, and a reply that repeats the value of a yes-no question ("12 fits") no limits of it.

        `side` is whether the reply means yes or no, or None if it means neither.
        """
        asked: Bools = self.reading.asked[question]
        omissible = self.agreement.of_one_sort(reply, in_question)
        if side is False:
            omissible |= self.agreement.values | self.agreement.weekdays
        if self.words.is_elliptical(reply, question):
            return omissible | asked
        is_question = ends_in_question(self.reading.questions[question].message)
        if is_question and (side is not None or not self.words.asks_yes_or_no[question]):
            omissible |= asked & (self.reading.kinds == NAME)
        if self.agreement.states_agreed(reply, question, siblings, only_values=True):
            omissible |= asked & (self.reading.kinds == AMOUNT)
        return omissible

    def has_replies(self, question: int) -> bool:
        """Return True if a question has enough replies to show how the system words its answer to it."""
        return len(self.reading.questions[question].members) > REPLIES

    @property
    def has_questions(self) -> bool:
        """True if there are enough questions to compare the replies to one with the replies to others."""
        return len(self.reading.questions) >= QUESTIONS

    def _by_company(self, reply: ReplyReading, question: int, siblings: Numbers) -> Placement | None:
        """Place a reply by the other questions that get it, or return None if these do not decide."""
        shared = self._company.shared(reply, question, siblings)
        if shared is None or shared.usual < SHARED:
            return None
        evidence = f"company {shared.alike:.2f}, usual {shared.usual:.2f}"
        if shared.alike >= OWN * shared.usual:
            return Placement(where="own", reason=f"worded like its siblings ({evidence})")
        if shared.alike <= ELSEWHERE * shared.usual:
            states_the_answer = self.agreement.states_agreed(reply, question, siblings)
            if states_the_answer and not self.agreement.fits(reply, shared.question):
                return None  # "1 suitcase" is worded like "3 suitcases" to another question, and answers this one
            reason = f"worded like replies to other questions, not like its siblings ({evidence})"
            return Placement(where="elsewhere", reason=reason, question=shared.question, by_wording=True)
        return None

    def _by_nearness(self, reply: ReplyReading, question: int, siblings: Numbers) -> Placement:
        """Place a reply by its similarity to its siblings and to the replies to other questions.

        Replies to questions that ask the same thing count as siblings.
        """
        linked = [self.reading.questions[other].members for other in self._linking.links[question]]
        pool = np.concatenate([siblings, *linked])
        nearness, usual = float(top(reply.similarity[pool])), self._usual(siblings, pool)
        other, elsewhere = self._nearest_question(reply, question)
        evidence = f"nearness {nearness:.2f}, usual {usual:.2f}, to another question's replies {elsewhere:.2f}"
        if len(siblings) < REPLIES:
            if nearness >= ALONE:
                return Placement(where="own", reason=f"in the same words as its siblings ({evidence})")
            reason = f"too few replies to this question are known ({len(siblings)} besides this one)"
            return Placement(where="open", reason=reason)
        if not self.has_questions and nearness < usual - CLOSE:
            reason = f"the replies to {len(self.reading.questions)} questions only are known"
            return Placement(where="open", reason=reason)
        if nearness >= usual - NEAR or (nearness >= usual - FAR and nearness >= elsewhere + MARGIN):
            return Placement(where="own", reason=f"as near to its siblings as they are to each other ({evidence})")
        if nearness < usual - FAR and nearness < elsewhere - MARGIN:
            reason = f"nearer to other replies ({evidence})"
            return Placement(where="elsewhere", reason=reason, question=other, by_wording=True)
        return Placement(where="open", reason=f"neither near nor far ({evidence})")

    def _usual(self, siblings: Numbers, pool: Numbers) -> float:
        """Return a typical similarity among a question's replies: the value that two thirds of the siblings reach.

        Each sibling is compared with the other replies in `pool`, which begins with the siblings.
        """
        similarity = self.reading.similarity[np.ix_(siblings, pool)]
        np.fill_diagonal(similarity, -1.0)  # a reply is not compared with itself
        ascending = np.sort(top(similarity))
        return float(ascending[len(ascending) // 3])

    def _nearest(self, similarity: Floats) -> Floats:
        """Return the similarity of texts to the closest replies to each question; shape (..., questions)."""
        return np.stack([top(similarity[..., question.members]) for question in self.reading.questions], axis=-1)

    @cached_property
    def _nearest_known(self) -> Floats:
        """Similarity of all texts in the block to the closest replies to each question.

        Computing them all at once takes one sort per question instead of one per reply and question.
        """
        return self._nearest(self.reading.similarity)

    def _nearest_question(self, reply: ReplyReading, question: int) -> tuple[int | None, float]:
        """Return the other question whose replies are most similar to a reply, with the similarity.

        Questions with replies that contradict the reply are skipped, and so are questions that ask the same thing. If
        no question is left, the similarity is 0.
        """
        skipped = {question, *self._linking.links[question]}
        nearness = self._nearest(reply.similarity) if reply.number is None else self._nearest_known[reply.number]
        for other in np.argsort(-nearness, kind="stable").tolist():
            if other not in skipped and self.agreement.fits(reply, other):
                return other, float(nearness[other])
        return None, 0.0


def top(similarity: Floats) -> Floats:
    """Return the mean of the `NEAREST` largest values in each row."""
    if not similarity.shape[-1]:
        return np.zeros(similarity.shape[:-1], dtype=np.float32)
    return np.asarray(np.sort(similarity, axis=-1)[..., -NEAREST:].mean(axis=-1), dtype=np.float32)


FAINT = 0.05
"""Minimum length of a reply's company vector. A shorter one is not used as evidence."""

ONE_TEXT = 0.8
"""Similarity above which two texts begin to count as the same wording."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """Agreement between a reply and its siblings, measured by the other questions that get the same replies.

    Attributes:
        alike: agreement of the reply with its siblings.
        usual: agreement of the siblings with each other.
        question: index of the other question that gets the reply most often.
    """

    alike: float
    usual: float
    question: int


class Company:
    """For each reply in a block, the other questions that get the same wording: the reply's company."""

    def __init__(self, reading: BlockReading) -> None:
        self._reading = reading

    def shared(self, reply: ReplyReading, question: int, siblings: Numbers) -> Shared | None:
        """Compare the other questions that get a reply with the other questions that get its siblings.

        Each reply has a vector with the proportions of its text among the replies to each other question. Agreement is
        the mean cosine between these vectors. Return None if the reply, or all but one of the siblings, hardly occurs
        elsewhere.
        """
        elsewhere = np.arange(len(self._reading.questions)) != question
        vectors, vector = self._proportions[siblings] * elsewhere, self._proportions_of(reply) * elsewhere
        lengths, length = np.linalg.norm(vectors, axis=1), float(np.linalg.norm(vector))
        known = lengths >= FAINT
        if length < FAINT or known.sum() < 2:
            return None
        company = vectors[known] / lengths[known, None]
        cosines = company @ company.T
        usual = np.median((cosines.sum(axis=1) - 1) / (len(cosines) - 1))  # without each one's cosine to itself, 1
        return Shared(
            alike=float((company @ (vector / length)).mean()), usual=float(usual), question=int(vector.argmax())
        )

    @cached_property
    def _proportions(self) -> Floats:
        """Proportion of the replies to each question that (nearly) match each text; shape (texts, questions)."""
        alike = one_text(self._reading.similarity)
        return np.stack([_mean(alike[:, question.members]) for question in self._reading.questions], axis=1)

    def _proportions_of(self, reply: ReplyReading) -> Floats:
        """Return the row of `_proportions` for a reply, which need not belong to the block."""
        if reply.number is not None:
            return np.asarray(self._proportions[reply.number])
        alike = one_text(reply.similarity)
        return np.array([_mean(alike[question.members]) for question in self._reading.questions], dtype=np.float32)


def one_text(similarity: Floats) -> Floats:
    """Return how far two texts share one wording, from 0 (similarity up to `ONE_TEXT`) to 1 (identical)."""
    return np.asarray(np.clip((similarity - ONE_TEXT) / (1 - ONE_TEXT), 0.0, 1.0) ** 2, dtype=np.float32)


def _mean(alike: Floats) -> Floats:
    """Return the mean of each row, or 0 if the rows are empty."""
    return np.asarray(alike.mean(axis=-1) if alike.shape[-1] else np.zeros(alike.shape[:-1]), dtype=np.float32)


COVERED, SLACK = 0.6, 0.04
"""Conditions for treating the replies to two questions as interchangeable.

At least `COVERED` of the replies to each must be as similar to the other's replies as to their own, within `SLACK`.
"""


class Linking:
    """Links between the questions of a block that ask the same thing and so have the same answer."""

    def __init__(self, reading: BlockReading, agreement: AgreedFacts) -> None:
        self._reading, self._agreement = reading, agreement

    @cached_property
    def links(self) -> list[list[int]]:
        """For each question, the questions that ask the same thing.

        Their replies are similar, and most replies to each fit the facts of the other.
        """
        links: list[list[int]] = [[] for _ in self._reading.questions]
        for first in range(len(links)):
            for second in range(first):
                if self._near(first, second) and self._agree(first, second) and self._agree(second, first):
                    links[first].append(second)
                    links[second].append(first)
        return links

    def _near(self, first: int, second: int) -> bool:
        """Return True if the replies to two questions are as similar to each other as among themselves."""
        members = self._reading.questions[first].members, self._reading.questions[second].members
        if min(map(len, members)) < 2:
            return False
        return min(self._coverage(first, second), self._coverage(second, first)) >= COVERED

    def _agree(self, first: int, second: int) -> bool:
        """Return True if most typical replies to the first question do not contradict those to the second."""
        return bool(self._agreement.fit[self._centres[first], second].mean() > 0.5)

    def _coverage(self, first: int, second: int) -> float:
        """Return the proportion of the first question's replies that are as close to the second's as to each other."""
        ours = self._reading.questions[first].members
        return float(np.mean(self._nearest[ours, second] >= self._nearest_others[first] - SLACK))

    @cached_property
    def _nearest(self) -> Floats:
        """Similarity of each text to its closest reply to each question; shape (texts, questions)."""
        similarity = self._reading.similarity
        columns = [similarity[:, question.members].max(axis=1, initial=0.0) for question in self._reading.questions]
        return np.stack(columns, axis=1)

    @cached_property
    def _nearest_others(self) -> list[Floats]:
        """For each question, the similarity of each of its replies to the closest of the others."""
        nearness = []
        for question in self._reading.questions:
            similarity = self._reading.similarity[np.ix_(question.members, question.members)]
            np.fill_diagonal(similarity, -1.0)
            nearness.append(similarity.max(axis=1, initial=-1.0))
        return nearness

    @cached_property
    def _centres(self) -> list[Numbers]:
        """For each question, the two thirds of its replies that are most similar to the rest."""
        centres = []
        for question in self._reading.questions:
            near = self._reading.similarity[np.ix_(question.members, question.members)]
            order = np.argsort(-np.median(near, axis=1), kind="stable") if len(near) else np.zeros(0, dtype=np.intp)
            centres.append(question.members[order[: max(2, (2 * len(near) + 2) // 3)]])
        return centres
