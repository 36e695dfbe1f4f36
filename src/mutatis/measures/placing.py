"""Decides where a reply belongs: among the replies to its own question, or elsewhere. It may stay open.

Facts decide first: facts in most of the other replies to a question must be in each (`agreement.py`). If the facts
agree or are missing, company decides: a reply given to the same other questions as its siblings belongs to them,
whatever its words, and one given to different questions does not (`Company`). A reply given to no other question is
placed by nearness: with its siblings if it is as near as they are to each other, or with the replies to another
question, if it fits their facts (`Linking` excludes questions that ask the same). A reply placed with its question
is still moved if it omits, replaces or denies the siblings' words (`agreed_words.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np

from mutatis.core.repertoire import QUESTIONS, REPLIES
from mutatis.measures.agreed_words import AgreedWords
from mutatis.measures.agreement import AgreedFacts
from mutatis.measures.block_reading import BlockReading, Floats, Numbers, ReplyReading
from mutatis.measures.splitting import Splitting
from mutatis.measures.stock_replies import StockReplies

Where: TypeAlias = Literal["own", "elsewhere", "open"]

SHARED, OWN, ELSEWHERE = 0.7, 0.8, 0.45
"""Minimum company shared by siblings, and the share of it above which a reply is theirs, or below which it is not.

Measured on the replies of five bots. With siblings that share 0.7 and more, 2,842 right replies have 0.8 of it or more
and six have less. 187 wrong ones have 0.6 or less and 15 have more (most state another value).
"""

NEAREST = 3
"""Number of a question's replies used to measure nearness. A fault may have caused one or two wrong ones."""

NEAR, MARGIN, FAR = 0.15, 0.15, 0.25
"""How much farther from the siblings a reply may be than they are from each other.

Up to `NEAR` it belongs to them. Up to `FAR` it does so if another question's replies are less near by `MARGIN`. Beyond
`FAR` it belongs to the other replies if they are nearer by `MARGIN`. Of the replies of five bots that company does not
place, this assigns 3,344 of 3,357 right ones and 9 of 191 wrong ones to their question. It assigns none and 165 to
another.
"""


ALONE = 0.85
"""Minimum nearness for words alone to assign a reply to a question that has fewer replies than `REPLIES`."""

CLOSE = 0.05
"""How much farther than its siblings a reply may be if there are too few questions to use its company."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """The place of a reply, and the reason. `question` is the other question that it seems to answer, if any.

    `lost` marks a reply that answers no question, but is given if the system does not understand.
    """

    where: Where
    reason: str
    question: int | None = None
    lost: bool = False


class Placing:
    """Assigns replies to the questions of a block."""

    def __init__(self, reading: BlockReading) -> None:
        self.splitting = Splitting(reading)
        asked = [question.message for question in reading.questions]
        self.stock = StockReplies(asked, [question.members.tolist() for question in reading.questions], fixed=False)
        self.reading = reading.asked_for(self.splitting.questions)
        self.agreement = AgreedFacts(self.reading)
        self._words = AgreedWords(self.reading)
        self._company = Company(self.reading)
        self._linking = Linking(self.reading, self.agreement, self.splitting.again)
        self._known: dict[tuple[int, int], Placement] = {}

    def place(self, said: ReplyReading, question: int) -> Placement:
        """Return where a reply to a question belongs. One occurrence of it among the replies is left out."""
        if said.number is None:
            return self._place(said, question)
        key = (said.number, question)
        if key not in self._known:
            self._known[key] = self._place(said, question)
        return self._known[key]

    def _place(self, said: ReplyReading, place: int) -> Placement:
        split = self.splitting.of(said.number, place)
        if split is not None:
            lost = split.question is None
            return Placement(where="elsewhere", reason=split.reason, question=split.question, lost=lost)
        siblings = self.reading.questions[place].without(said.number)
        if not len(siblings):
            return Placement(where="open", reason="there is no other reply to this question")
        unsaid = self.reading.asked[place] if self._words.is_elliptical(said, place) else None
        contradiction = self.agreement.contradiction(said, siblings, unsaid, self.reading.asked[place])
        if contradiction is None:
            by_company = self._by_company(said, place, siblings) if self.has_questions else None
            placement = by_company or self._by_nearness(said, place, siblings)
            if placement.where == "elsewhere":
                return placement
            contradiction = self._words.contradiction(said, place, siblings)
            if contradiction is None:
                return placement
        return Placement(where="elsewhere", reason=contradiction)

    def has_replies(self, place: int) -> bool:
        """Return True if a question has enough replies to show how the system words its answer."""
        return len(self.reading.questions[place].members) > REPLIES

    @property
    def has_questions(self) -> bool:
        """True if there are enough questions to show the system's replies to others."""
        return len(self.reading.questions) >= QUESTIONS

    def _by_company(self, said: ReplyReading, place: int, siblings: Numbers) -> Placement | None:
        shared = self._company.shared(said, place, siblings)
        if shared is None:
            return None
        why = f"company {shared.alike:.2f}, usual {shared.usual:.2f}"
        if shared.usual >= SHARED and shared.alike >= OWN * shared.usual:
            return Placement(where="own", reason=f"worded like its siblings ({why})")
        if shared.usual >= SHARED and shared.alike <= ELSEWHERE * shared.usual:
            reason = f"worded like replies to other questions, not like its siblings ({why})"
            return Placement(where="elsewhere", reason=reason, question=shared.question)
        return None

    def _by_nearness(self, said: ReplyReading, place: int, siblings: Numbers) -> Placement:
        linked = [self.reading.questions[other].members for other in self._linking.links[place]]
        pool = np.concatenate([siblings, *linked])
        nearness, usual = float(top(said.near[pool])), self._usual(siblings, pool)
        other, elsewhere = self._nearest_question(said, place)
        why = f"nearness {nearness:.2f}, usual {usual:.2f}, to another question's replies {elsewhere:.2f}"
        if len(siblings) < REPLIES:
            if nearness >= ALONE:
                return Placement(where="own", reason=f"in the same words as its siblings ({why})")
            reason = f"too few replies to this question are known ({len(siblings)} besides this one)"
            return Placement(where="open", reason=reason)
        if not self.has_questions and nearness < usual - CLOSE:
            return Placement(
                where="open", reason=f"the replies to {len(self.reading.questions)} questions only are known"
            )
        if nearness >= usual - NEAR or (nearness >= usual - FAR and nearness >= elsewhere + MARGIN):
            return Placement(where="own", reason=f"as near to its siblings as they are to each other ({why})")
        if nearness < usual - FAR and nearness < elsewhere - MARGIN and not self.agreement.tells(said, siblings):
            return Placement(where="elsewhere", reason=f"nearer to other replies ({why})", question=other)
        return Placement(where="open", reason=f"neither near nor far ({why})")

    def _usual(self, siblings: Numbers, pool: Numbers) -> float:
        """Return how near siblings are to the other replies: the value that two thirds of them reach."""
        near = self.reading.near[np.ix_(siblings, pool)]
        near[np.arange(len(siblings)), np.arange(len(siblings))] = -1.0  # each of them is itself in the pool
        reached = np.sort(top(near))
        return float(reached[len(reached) // 3])

    def _nearest(self, near: Floats) -> Floats:
        """Return the nearness of texts to the nearest replies to each question; shape (..., questions)."""
        return np.stack([top(near[..., question.members]) for question in self.reading.questions], axis=-1)

    @cached_property
    def _nearest_known(self) -> Floats:
        """The result of `_nearest` for all texts of the block.

        Computed at once, it takes one sort per question instead of one per reply and question.
        """
        return self._nearest(self.reading.near)

    def _nearest_question(self, said: ReplyReading, place: int) -> tuple[int | None, float]:
        """Return the other question whose replies are nearest to a reply, among questions whose facts it fits."""
        aside = {place, *self._linking.links[place]}
        nearness = self._nearest(said.near) if said.number is None else self._nearest_known[said.number]
        for other in np.argsort(-nearness, kind="stable").tolist():
            if other not in aside and self.agreement.fits(said, other):
                return other, float(nearness[other])
        return None, 0.0


def top(near: Floats) -> Floats:
    """Return the mean of the few largest values in each row."""
    if not near.shape[-1]:
        return np.zeros(near.shape[:-1], dtype=np.float32)
    return np.asarray(np.sort(near, axis=-1)[..., -NEAREST:].mean(axis=-1), dtype=np.float32)


FAINT = 0.05
"""Length of a reply's company vector below which it is not evidence."""

ONE_TEXT = 0.8
"""Nearness from which two texts begin to count as one wording."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """How much company a reply shares with its siblings, how much they share, and its most common other question."""

    alike: float
    usual: float
    question: int


class Company:
    """The company of each reply in a block: the other questions that get the same wording."""

    def __init__(self, reading: BlockReading) -> None:
        self._reading = reading

    def shared(self, said: ReplyReading, place: int, siblings: Numbers) -> Shared | None:
        """Compare the other questions that get a reply and its siblings. Return None if there are too few.

        The question at `place` is left out, since all siblings are replies to it.
        """
        counts = self._counts[siblings].copy()
        counts[:, place] = 0.0
        counts_here = self._counts_of(said)
        counts_here[place] = 0.0
        size, length = np.linalg.norm(counts, axis=1), float(np.linalg.norm(counts_here))
        if length < FAINT or (size >= FAINT).sum() < 2:
            return None
        company = counts[size >= FAINT] / size[size >= FAINT, None]
        among = company @ company.T
        usual = np.median((among.sum(axis=1) - 1) / (len(among) - 1))
        return Shared(
            alike=float((company @ (counts_here / length)).mean()),
            usual=float(usual),
            question=int(counts_here.argmax()),
        )

    @cached_property
    def _counts(self) -> Floats:
        """How often each text, or a similar one, is a reply to each question; shape (texts, questions)."""
        alike = one_text(self._reading.near)
        return np.stack([_mean(alike[:, question.members]) for question in self._reading.questions], axis=1)

    def _counts_of(self, said: ReplyReading) -> Floats:
        if said.number is not None:
            counts: Floats = self._counts[said.number].copy()
            return counts
        alike = one_text(said.near)
        return np.array([_mean(alike[question.members]) for question in self._reading.questions], dtype=np.float32)


def one_text(near: Floats) -> Floats:
    """Return how much two texts count as one wording: 0 up to `ONE_TEXT`, 1 if they are the same."""
    return np.asarray(np.clip((near - ONE_TEXT) / (1 - ONE_TEXT), 0.0, 1.0) ** 2, dtype=np.float32)


def _mean(alike: Floats) -> Floats:
    empty = np.zeros(alike.shape[:-1], dtype=np.float32)
    return np.asarray(alike.mean(axis=-1) if alike.shape[-1] else empty, dtype=np.float32)


COVERED, SLACK = 0.6, 0.04
"""Share of the replies to each of two questions that must be as near to the other's as to their own, and the slack."""

LOOSE = 0.06
"""How much lower the mean nearness between the replies to two questions may be than within one question."""


class Linking:
    """Links between questions of a block that have the same answer."""

    def __init__(self, reading: BlockReading, agreement: AgreedFacts, again: Sequence[Sequence[int]]) -> None:
        """Link the questions of a block. `again` lists, per question, the duplicates found by `splitting.py`."""
        self._reading, self._agreement, self._again = reading, agreement, again

    @cached_property
    def links(self) -> list[list[int]]:
        """For each question, those that ask the same: they are near, and most replies to each fit the other."""
        links: list[list[int]] = [[] for _ in self._reading.questions]
        for first in range(len(links)):
            for second in range(first):
                near = self._near(first, second) and self._agree(first, second) and self._agree(second, first)
                if near or second in self._again[first]:
                    links[first].append(second)
                    links[second].append(first)
        return links

    def _near(self, first: int, second: int) -> bool:
        questions = self._reading.questions
        if min(len(questions[first].members), len(questions[second].members)) < 2:
            return False
        if min(self._cover(first, second), self._cover(second, first)) >= COVERED:
            return True
        across = float(self._reading.near[np.ix_(self._centres[first], self._centres[second])].mean())
        return across >= (self._within[first] + self._within[second]) / 2 - LOOSE

    def _agree(self, first: int, second: int) -> bool:
        return bool(self._agreement.fit[self._centres[first], second].mean() > 0.5)

    def _cover(self, first: int, second: int) -> float:
        """Return the share of a question's replies that are as near to one of the other's as to one of their own."""
        ours = self._reading.questions[first].members
        return float(np.mean(self._nearest[ours, second] >= self._nearest_others[first] - SLACK))

    @cached_property
    def _nearest(self) -> Floats:
        """Nearness of each text to the nearest reply to each question; shape (texts, questions)."""
        near = self._reading.near
        columns = [near[:, question.members].max(axis=1, initial=0.0) for question in self._reading.questions]
        return np.stack(columns, axis=1)

    @cached_property
    def _nearest_others(self) -> list[Floats]:
        """For each question, the nearness of each reply to the nearest other reply."""
        nearness = []
        for question in self._reading.questions:
            near = self._reading.near[np.ix_(question.members, question.members)]
            np.fill_diagonal(near, -1.0)
            nearness.append(near.max(axis=1, initial=-1.0))
        return nearness

    @cached_property
    def _centres(self) -> list[Numbers]:
        """For each question, the two thirds of its replies that are nearest to the rest."""
        centres = []
        for question in self._reading.questions:
            near = self._reading.near[np.ix_(question.members, question.members)]
            order = np.argsort(-np.median(near, axis=1), kind="stable") if len(near) else np.zeros(0, dtype=np.intp)
            centres.append(question.members[order[: max(2, (2 * len(near) + 2) // 3)]])
        return centres

    @cached_property
    def _within(self) -> list[float]:
        """For each question, the mean nearness of its central replies to one another."""
        nearness = []
        for centre in self._centres:
            near, number = self._reading.near[np.ix_(centre, centre)], len(centre)
            nearness.append(float((near.sum() - np.trace(near)) / (number * (number - 1))) if number > 1 else 1.0)
        return nearness
