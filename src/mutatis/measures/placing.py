"""Decides where a reply belongs: among the replies to its own question, or elsewhere. It may stay open.

Facts decide first: facts in most of the other replies to a question must be in each (`agreement.py`). If the facts
agree or are missing, company decides: a reply given to the same other questions as its siblings belongs to them,
whatever its words, and one given to different questions does not (`company.py`). A reply given to no other question is
placed by nearness: with its siblings if it is as near as they are to each other, or with the replies to another
question, if it fits their facts (`linking.py` excludes questions that ask the same). A reply placed with its question
is still moved if it omits, replaces or denies the siblings' words (`agreed_words.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np

from mutatis.core.repertoire import QUESTIONS, REPLIES
from mutatis.measures.agreed_words import AgreedWords
from mutatis.measures.agreement import AgreedFacts
from mutatis.measures.block_reading import BlockReading, Floats, Numbers, ReplyReading
from mutatis.measures.company import Company
from mutatis.measures.linking import Linking
from mutatis.measures.splitting import Splitting
from mutatis.measures.stock_replies import StockReplies

Where: TypeAlias = Literal["own", "elsewhere", "open"]

SHARED, OWN, ELSEWHERE = 0.7, 0.8, 0.45
"""Minimum company shared by siblings, and the share of it above which a reply is theirs, or below which it is not.

Measured on the replies of five bots. With siblings that share 0.7 and more, 2,842 right replies have 0.8 of it or more
and six have less. 187 wrong ones have 0.6 or less and 15 have more (most state another value).
"""

NEAREST = 3
"""Number of a question's replies used to measure nearness. A fault may have put one or two wrong ones among them."""

NEAR, MARGIN, FAR = 0.15, 0.15, 0.25
"""How much less near to the siblings a reply may be than they are to each other.

Up to `NEAR` it belongs to them. Up to `FAR` it does so if another question's replies are less near by `MARGIN`. Beyond
`FAR` it belongs to the other replies if they are nearer by `MARGIN`. Of the replies of five bots that company does not
place, this assigns 3,344 of 3,357 right ones and 9 of 191 wrong ones to their question. It assigns none and 165 to
another.
"""


ALONE = 0.85
"""Minimum nearness for words alone to assign a reply to a question that has fewer replies than `REPLIES`."""

CLOSE = 0.05
"""How much less near than its siblings a reply may be if there are too few questions for company to decide."""


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
            return Placement(where="open", reason="nothing else was said to this question")
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
            return Placement(where="own", reason=f"worded as its siblings are ({why})")
        if shared.usual >= SHARED and shared.alike <= ELSEWHERE * shared.usual:
            reason = f"worded as replies to other questions are, not as its siblings ({why})"
            return Placement(where="elsewhere", reason=reason, question=shared.question)
        return None

    def _by_nearness(self, said: ReplyReading, place: int, siblings: Numbers) -> Placement:
        linked = [self.reading.questions[other].members for other in self._linking.links[place]]
        pool = np.concatenate([siblings, *linked])
        nearness, usual = float(top(said.near[pool])), self._usual(siblings, pool)
        other, elsewhere = self._like(said, place)
        why = f"nearness {nearness:.2f}, usual {usual:.2f}, to another question's replies {elsewhere:.2f}"
        if len(siblings) < REPLIES:
            if nearness >= ALONE:
                return Placement(where="own", reason=f"said in the same words as its siblings ({why})")
            reason = f"too few replies to this question are known ({len(siblings)} beside this one)"
            return Placement(where="open", reason=reason)
        if not self.has_questions and nearness < usual - CLOSE:
            return Placement(
                where="open", reason=f"the replies to {len(self.reading.questions)} questions alone are known"
            )
        if nearness >= usual - NEAR or (nearness >= usual - FAR and nearness >= elsewhere + MARGIN):
            return Placement(where="own", reason=f"as near to its siblings as they are ({why})")
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

    def _like(self, said: ReplyReading, place: int) -> tuple[int | None, float]:
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
