"""A search in up to three parts: find sources answered correctly, learn on most of them, test on the rest.

RLTest4Chatbot was evaluated in this way (its Table 4.2). It used only dialogues that the tracker gets right at every
turn, learnt from 80 % of them and was tested on 20 %.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from mutatis.extending import (
    AS_IT_IS,
    Derivation,
    Measurements,
    Outcome,
    Part,
    Proposal,
    Rates,
    Source,
    Step,
    UsageError,
    Verdict,
    generator,
)
from mutatis.rltest4chatbot.explore import Explorer, Policy

Exploring = Callable[[Sequence[Source], int], Explorer]
"""Function that creates the search for one part, from its sources and its number of proposals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """Settings for the parts of the search.

    Attributes:
        only_right: whether to ask all sources first, and to search only those answered as annotated at every judged
            turn.
        held_out: share of the sources used for testing; with 0, a single part learns and tests on all sources.
        learning, testing: number of proposals for each; `learning` is 0 if the policy does not learn.
        seed: seed for the choice of held-out sources.
        batch: number of sources asked at a time.
    """

    only_right: bool
    held_out: float
    learning: int
    testing: int
    seed: int
    batch: int


class LearnThenTest:
    """A search that finds the correctly answered sources if requested, learns, and then tests what it learnt."""

    learns = True

    def __init__(
        self, sources: Sequence[Source], policy: Policy, parts: Parts, exploring: Exploring, rates: Rates
    ) -> None:
        self._sources, self._policy, self._parts, self._exploring = sources, policy, parts, exploring
        self.rates = rates
        self._right: set[int] = set()
        self._asked: dict[int, int] = {}
        self._explorer: Explorer | None = None
        self._batches = self._proposals()
        self._later = len(sources) * parts.only_right + parts.learning
        self._later += parts.testing * bool(parts.held_out or not parts.learning)

    @property
    def proposals_to_come(self) -> int:
        """The number of follow-ups that the search has yet to propose."""
        return self._later + (0 if self._explorer is None else self._explorer.proposals_to_come)

    def ask(self) -> Sequence[Proposal]:
        """Return the next batch of the current part.

        Raises:
            UsageError: the system answers too few sources correctly.
        """
        return next(self._batches, ())

    def tell(self, proposal: Proposal, verdicts: Sequence[Verdict], measurements: Measurements) -> None:
        """Record whether a source was answered correctly, or the result of a move."""
        if self._explorer is not None:
            self._explorer.tell(proposal, verdicts, measurements)
            return
        asked = [verdict for verdict in verdicts if verdict.repeat == 0]
        turns = {verdict.turn for verdict in asked}
        if turns >= set(proposal.source.case.asked) and all(verdict.outcome is Outcome.SATISFIED for verdict in asked):
            self._right.add(self._asked[id(proposal)])

    def _proposals(self) -> Iterator[Sequence[Proposal]]:
        parts, sources = self._parts, list(self._sources)
        if parts.only_right:
            yield from self._as_they_are(sources)
            sources = [source for place, source in enumerate(sources) if place in self._right]
            self._check(len(sources))
        learnt, tested = sources, sources
        if parts.held_out:
            generator(parts.seed, "held out").shuffle(sources)
            cut = min(len(sources) - 1, max(1, round((1 - parts.held_out) * len(sources))))
            learnt, tested = sources[:cut], sources[cut:]
        if parts.learning:
            yield from self._part(learnt, parts.learning, "learning" if parts.held_out else "")
            self._policy.freeze()
        if parts.held_out or not parts.learning:
            yield from self._part(tested, parts.testing, "testing" if parts.held_out else "")

    def _part(self, sources: Sequence[Source], proposals: int, part: Part) -> Iterator[Sequence[Proposal]]:
        self._later -= proposals
        self._explorer = self._exploring(sources, proposals)
        self._explorer.part = part
        while batch := self._explorer.ask():
            yield batch

    def _as_they_are(self, sources: Sequence[Source]) -> Iterator[Sequence[Proposal]]:
        for first in range(0, len(sources), self._parts.batch):
            batch = []
            for place, source in enumerate(sources[first : first + self._parts.batch], start=first):
                derivation = Derivation(source=source.case.id, steps=(Step(transformation=AS_IT_IS),))
                batch.append(Proposal(source=source, derivation=derivation))
                self._asked[id(batch[-1])] = place
            self._later -= len(batch)
            yield batch
            self._asked.clear()

    def _check(self, right: int) -> None:
        needed = 1 + bool(self._parts.held_out)
        if right < needed:
            annotated = sum(
                all(source.case.turns[turn].expected for turn in source.case.asked) for source in self._sources
            )
            raise UsageError(
                f"[search] only_right = true: {right} of {len(self._sources)} inputs are answered as annotated at "
                f"every judged turn ({annotated} are annotated); expected at least {needed}: give more data with "
                "expected answers, or set only_right = false"
            )
