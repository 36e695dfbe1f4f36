"""Thompson sampling over relations, fields and strengths, to make as many distinct findings as a budget allows."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

import numpy as np
from numpy.typing import NDArray

from mutatis.core.cases import Derivation
from mutatis.core.decision import Outcome
from mutatis.core.search import Measurements, Proposal, Rates, Source
from mutatis.core.verdict import Verdict
from mutatis.search.arms import STRENGTHS, Arm, arm_of, is_judged_together, kind_of, pulls
from mutatis.search.once import judged_derivations, judged_turns, proposal_name, proposed, tasks_in_turn

# What is learnt: Gamma-Poisson rates of arms and sources, pooled if little was seen. Arms, relations and kinds of input
# are numbers here; what they propose stands in `Bandit`.

Numbers = NDArray[np.float64]

PRIOR = 4.0
"""Weight of a prior estimate, as a number of verdicts.

A relation's prior is the estimate over all relations, and an arm's prior is the estimate for its relation.
"""

SPREAD, FIRM, WIDEST = 0.5, 1.0, 10.0
"""Prior variance of the sources' fragility, the prior's weight in squared expected violations, and the maximum."""


@dataclass(slots=True)
class _OpenSource:
    """A source that may be tried, with its record. `asked` is True once its own answers are known or pending.

    The record is its violations so far, and how many an average source would have had with the same arms.
    """

    source: Source
    violated: float = 0.0
    expected: float = 0.0
    asked: bool = False


@dataclass(slots=True)
class Learned:
    """Everything learnt from the verdicts so far.

    Attributes:
        arms, relations, kinds: the number assigned to each name, in order of first appearance.
        named: the arms (ways to make follow-ups) by number.
        findings: how many distinct findings there are for each relation and kind of input.
    """

    arms: dict[Arm, int] = field(default_factory=dict)
    relations: dict[str, int] = field(default_factory=dict)
    kinds: dict[str, int] = field(default_factory=dict)
    findings: Counter[tuple[int, int]] = field(default_factory=Counter)
    named: list[Arm] = field(default_factory=list)
    _relation: list[int] = field(default_factory=list)
    _strength: list[float] = field(default_factory=list)
    _violated: list[float] = field(default_factory=list)
    _exposed: list[float] = field(default_factory=list)
    _spread: list[float] = field(default_factory=lambda: [SPREAD * FIRM, FIRM])

    def arm(self, arm: Arm) -> int:
        """Return the number assigned to an arm (a way to make follow-ups), adding the arm if it is new."""
        if arm not in self.arms:
            self.arms[arm] = len(self.arms)
            self.named.append(arm)
            self._relation.append(self.relation(arm.relation))
            self._strength.append(arm.strength)
            self._violated.append(0.0)
            self._exposed.append(0.0)
        return self.arms[arm]

    def relation(self, name: str) -> int:
        """Return the number assigned to a relation, adding the relation if it is new."""
        return self.relations.setdefault(name, len(self.relations))

    def kind(self, name: str) -> int:
        """Return the number assigned to a kind of input, adding the kind if it is new."""
        return self.kinds.setdefault(name, len(self.kinds))

    def judged(self, arm: int, source: _OpenSource, *, violated: int, judged: int) -> None:
        """Record the result that an arm (a way to make follow-ups) had on a source."""
        expected = judged * float(self.means()[arm])
        self._violated[arm] += violated
        self._exposed[arm] += judged * self.fragility(source)
        self._spread_by(source, -1.0)
        source.violated += violated
        source.expected += expected
        self._spread_by(source, 1.0)

    def fragility(self, source: _OpenSource) -> float:
        """Return how often a source leads to violations compared with an average source, judging by its record."""
        return (self.doubt + source.violated) / (self.doubt + source.expected)

    @property
    def doubt(self) -> float:
        """Number of expected violations that makes a source's own record count as much as the average source.

        It is 1 / variance of fragility. The variance is estimated by the method of moments.
        """
        above, squares = self._spread
        return 1 / min(WIDEST, max(1 / WIDEST, above / squares))

    def _spread_by(self, source: _OpenSource, sign: float) -> None:
        """Add the record of a source to the sums for the variance of fragility, or subtract it (`sign` -1)."""
        self._spread[0] += sign * ((source.violated - source.expected) ** 2 - source.expected)
        self._spread[1] += sign * source.expected**2

    def means(self) -> Numbers:
        """Return the expected number of violations per verdict for each arm on an average source."""
        shape, exposed = self._posterior()
        return shape / exposed

    def drawn(self, draws: np.random.Generator) -> Numbers:
        """Return a random draw from the posterior of each arm's number of violations per verdict."""
        shape, exposed = self._posterior()
        return draws.gamma(shape) / exposed

    def worth(self, pending: Counter[tuple[int, int]], novelty: float) -> Numbers:
        """Return the worth of one more finding, for each kind of input and each arm.

        It decreases with the number of findings already made or still pending.
        """
        counts = np.zeros((len(self.kinds), len(self.relations)))
        for known in (self.findings, pending):
            for (relation, kind), number in known.items():
                counts[kind, relation] += number
        return ((1.0 + counts) ** -novelty)[:, self._relation]

    def _posterior(self) -> tuple[Numbers, Numbers]:
        """Return the shape and the rate of the Gamma distribution of each arm's number of violations per verdict."""
        violated, exposed = np.array(self._violated), np.array(self._exposed)
        relation_of, strength = np.array(self._relation), np.array(self._strength)
        # A weaker follow-up changes a part of what the whole one does: before it is tried it promises less by as much.
        at_full_strength = exposed * strength
        overall = (violated.sum() + 1) / (at_full_strength.sum() + PRIOR)
        size = len(self.relations)
        violated_by = np.bincount(relation_of, violated, size)
        exposed_by = np.bincount(relation_of, at_full_strength, size)
        rates = (violated_by + PRIOR * overall) / (exposed_by + PRIOR)
        return PRIOR * rates[relation_of] * strength + violated, PRIOR + exposed


BLOCK = 8
"""Number of follow-ups for each visit to a source.

With eight, the source's own answer, which they all need, is a ninth of the cost.
"""


def _parts(source: Source, derivation: Derivation) -> tuple[tuple[str, ...], ...]:
    """Return the keys for counting a follow-up: relation, fields and steps, from coarse to fine."""
    arm = arm_of(source, derivation)
    fields = (arm.task, arm.relation, *arm.variant)
    return (arm.task, arm.relation), fields, (*fields, *arm.transformations, str(derivation.draw))


EVEN = 0.25
"""Share of the proposals that are spread evenly over sources and relations, regardless of what has been learnt."""

BATCH = 16
"""Number of proposals between two updates."""

FRESH = 64
"""Number of sources, not asked so far, to choose the best one from."""

SERVED = 4
"""Number of follow-ups over which the cost of a source's own answer is spread when choosing a new source."""

NOVELTY = 1.0
"""Exponent that reduces the worth of repeated findings.

The n-th finding of a relation on a kind of input is worth n to the power of minus this.
"""


@dataclass(slots=True)
class _Place:
    """A source at one or all of its turns, with the kinds of input there and the follow-ups left to try."""

    opened: _OpenSource
    kinds: dict[int, int]
    left: dict[int, Derivation] = field(default_factory=dict)

    @property
    def price(self) -> float:
        """Cost of a follow-up in questions.

        The source's own questions are counted only in part, because they also serve other follow-ups.
        """
        return sum(self.kinds.values()) + (0 if self.opened.asked else len(self.opened.source.case.asked) / SERVED)


class Bandit:
    """Proposes follow-ups that are likely to give new findings for few questions, and learns from the verdicts.

    Some of the proposals are spread evenly over sources and relations, and rates are estimated from these. The others
    are chosen by their expected worth per question: the arm's rate, drawn at random from its posterior, times the
    source's fragility, times the novelty of the finding.

    Args:
        sources: the sources to search.
        strengths: shares of each relation's own strength to try.
        even: share of the proposals that are spread evenly.
        batch: number of proposals between two updates.
        novelty: the n-th finding of a relation on a kind of input is worth n ** -novelty.
        seed: seed for every choice.
        window: number of sources considered, in a random order.
    """

    learns = True

    def __init__(
        self,
        sources: Sequence[Source],
        *,
        strengths: Sequence[float] = STRENGTHS,
        even: float = EVEN,
        batch: int = BATCH,
        novelty: float = NOVELTY,
        seed: int = 0,
        window: int = 4000,
    ) -> None:
        self._sources, self._strengths = sources, tuple(strengths)
        self._even_share, self._batch, self._novelty = even, batch, novelty
        self.rates: Rates = "even" if even else "none"
        self._random = Random(f"bandit/{seed}")
        self._draws = np.random.default_rng(self._random.getrandbits(64))
        self._visits: Counter[tuple[str, ...]] = Counter()  # how often relations, fields and steps were visited evenly
        # Sources are numbers in one random order. Even visits open them from its front and chosen follow-ups from its
        # back, until the two meet: no answer decides which sources the rates come from.
        self._order = list(tasks_in_turn(sources, self._random.shuffle))[: max(1, window)]
        self._front, self._back = 0, len(self._order)
        # The first sources are for even visits alone (of 10 sources and with even = 0.3, three): if there are few
        # sources, all would otherwise be opened by chosen follow-ups before the second even visit.
        self._only_even = math.ceil(even * len(self._order))
        self._learned = Learned()
        # The places of each open source, by the turns that are judged; None for all turns.
        self._places: dict[int, dict[tuple[int, ...] | None, _Place]] = {}
        self._finding_ids: set[str] = set()
        self._unjudged: dict[tuple[str, str, str], tuple[_Place, int]] = {}  # place and arm of each proposal
        self._hoped_for: Counter[tuple[int, int]] = Counter()  # findings that this batch may give, as `Learned` counts
        self._even_due = 0.0  # number of even proposals that the batches so far should have had in addition

    def ask(self) -> Sequence[Proposal]:
        """Return the next proposals, or an empty list once everything has been proposed."""
        chosen: list[Proposal] = []
        self._hoped_for.clear()
        self._even_due += self._even_share * self._batch
        while self._even_due >= 1 and (visit := self._visit()):
            self._even_due -= len(visit)
            chosen += visit
        self._fill()
        while len(chosen) < self._batch and (best := self._best()) is not None:
            chosen.append(best)
        return chosen or self._visit()

    def tell(self, proposal: Proposal, verdicts: Sequence[Verdict], measurements: Measurements) -> None:
        """Record the result of a follow-up, and the kinds of input with new findings."""
        place, arm = self._unjudged.pop(proposal_name(proposal))
        learned = self._learned
        decided = [verdict for verdict in verdicts if verdict.outcome in (Outcome.SATISFIED, Outcome.VIOLATED)]
        violated = [verdict for verdict in decided if verdict.outcome is Outcome.VIOLATED]
        # By turns, as the price is: where one turn in ten of a dialogue that was asked whole is judged, a tenth.
        exposed = sum(place.kinds.values()) if measurements.queries else 0
        learned.judged(arm, place.opened, violated=len(violated), judged=max(exposed, len(decided)))
        for verdict in violated:
            if verdict.finding not in self._finding_ids:
                self._finding_ids.add(verdict.finding)
                kind = learned.kind(kind_of(verdict.source, verdict.turn))
                learned.findings[learned.relation(verdict.relation.name), kind] += 1
        if decided and len(violated) == len(decided):
            self._forget(place, arm, below=math.inf)  # every strength would give the same finding again

    def _forget(self, place: _Place, arm: int, *, below: float) -> None:
        """Remove the versions of an arm with less than this strength for a source.

        These are the arms with the same relation and fields.
        """
        this = self._learned.named[arm]
        for other in list(place.left):
            sibling = self._learned.named[other]
            if sibling.strength < below and (sibling.relation, sibling.variant) == (this.relation, this.variant):
                del place.left[other]

    def _opened(self, number: int) -> _OpenSource:
        """Return a source, with all arms that it offers added to its places."""
        opened = _OpenSource(self._sources[number])
        self._places[number] = {}
        for arm, derivation in pulls(opened.source, self._strengths):
            self._place(number, opened, derivation).left[self._learned.arm(arm)] = derivation
        return opened

    def _place(self, number: int, opened: _OpenSource, derivation: Derivation) -> _Place:
        """Return the place of a follow-up: the source at the turns that the follow-up judges."""
        turns, places = judged_turns(derivation), self._places[number]
        if turns not in places:
            learned, case = self._learned, opened.source.case
            kinds = Counter(learned.kind(kind_of(case, turn)) for turn in turns or case.asked)
            places[turns] = _Place(opened, dict(kinds))
        return places[turns]

    def _visit(self) -> list[Proposal]:
        """Return the follow-ups of the next source in the even part of the search, or [] if no source is left."""
        while self._front < self._back:
            number = self._order[self._front]
            self._front += 1
            opened = self._opened(number)
            if block := self._block(opened.source, judged_derivations(opened.source)):
                places = [self._place(number, opened, derivation) for derivation in block]
                arms = [self._learned.arm(arm_of(opened.source, derivation)) for derivation in block]
                return [self._proposal(*each, even=True) for each in zip(places, arms, block, strict=True)]
        return []

    def _block(self, source: Source, wanted: Sequence[Derivation]) -> list[Derivation]:
        """Return the follow-ups for an even visit to a source, and count their relations, fields and steps as visited.

        Those that were visited least often so far come first.
        """
        block: list[Derivation] = []
        left = [(derivation, _parts(source, derivation)) for derivation in wanted]
        self._random.shuffle(left)
        while left and len(block) < BLOCK:
            least_visited = min(left, key=lambda each: [self._visits[part] for part in each[1]])
            chosen = [least_visited]
            if is_judged_together(source, least_visited[0]):
                chosen = [each for each in left if is_judged_together(source, each[0])]
            for derivation, parts in chosen:
                left.remove((derivation, parts))
                block.append(derivation)
                self._visits.update(parts)
        return block

    def _fill(self) -> None:
        """Add sources from the end of the order, until there are enough to choose from."""
        opened = [next(iter(places.values())).opened for places in self._places.values() if places]
        fresh = sum(not source.asked for source in opened)
        while fresh < FRESH and self._back > max(self._front, self._only_even):
            self._back -= 1
            self._opened(self._order[self._back])
            fresh += 1

    def _best(self) -> Proposal | None:
        """Return the follow-up with the highest expected worth, or None if nothing is left to try."""
        rows = [place for places in self._places.values() for place in places.values() if place.left]
        if not rows:
            return None
        row, arm = divmod(int(self._scores(rows).argmax()), len(self._learned.arms))
        place = rows[row]
        for kind in place.kinds:
            self._hoped_for[self._learned.relation(self._learned.named[arm].relation), kind] += 1
        return self._proposal(place, arm, place.left[arm])

    def _scores(self, rows: Sequence[_Place]) -> Numbers:
        """Return the expected worth per question of each arm for each source, or -1 if the arm is not available."""
        learned = self._learned
        kinds = np.zeros((len(rows), len(learned.kinds)))
        open_arms = np.zeros((len(rows), len(learned.arms)), dtype=bool)
        for row, place in enumerate(rows):
            kinds[row, list(place.kinds)] = list(place.kinds.values())
            open_arms[row, list(place.left)] = True
        fragility = np.array([learned.fragility(place.opened) for place in rows])
        prices = np.array([place.price for place in rows])[:, None]
        chances = np.minimum(1.0, np.outer(fragility, learned.drawn(self._draws)))
        worth = kinds @ learned.worth(self._hoped_for, self._novelty) / prices
        return np.where(open_arms, chances * worth, -1.0)

    def _proposal(self, place: _Place, arm: int, derivation: Derivation, *, even: bool = False) -> Proposal:
        """Return the proposal for an arm at a place, which is no longer available there."""
        place.left.pop(arm, None)
        # A weaker one is a part of this one: it would hold where this does.
        self._forget(place, arm, below=self._learned.named[arm].strength)
        place.opened.asked = True
        proposal = proposed(place.opened.source, derivation, estimates=even)
        self._unjudged[proposal_name(proposal)] = (place, arm)
        return proposal
