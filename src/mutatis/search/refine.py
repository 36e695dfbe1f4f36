"""A sweep that finds the boundary of each system's violation-free region by bisection, then checks inside.

For each value of the parameter, it only considers whether there is any violation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TypeAlias

from mutatis.core.decision import Outcome
from mutatis.core.errors import UsageError
from mutatis.core.search import Measurements, Proposal, Rates, Source
from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.core.verdict import Verdict
from mutatis.search.once import batches
from mutatis.search.sweep import Sweep

PROBE = 64
"""Number of sources asked at a time at a new value. Asking stops at the first violation."""

VERIFIED = 2
"""Number of values inside a violation-free region that are checked once its boundary is known."""

RESOLUTION = 64
"""The default tolerance for a real parameter is the swept range divided by this."""

Subject: TypeAlias = tuple[str, str]
"""A system and a task. Each such pair has its own boundary between values with and without violations."""


class Refine:
    """Sweeps the given values on every source, then locates the boundary for each system with few questions.

    It bisects between the last value without violations and the first value with any. Because the violations need not
    be monotone in the parameter, further values inside the region are then checked on all sources. A violation at any
    such value moves the boundary inwards, and bisection starts again.

    Args:
        sources: as for `Grid`.
        sweep: the parameter and its values: numbers, all on one side of the value that changes nothing.
        tolerance: maximum distance between the last clean and the first violating value; 1 for whole numbers.

    Raises:
        UsageError: as for `Grid`; also if values are not numbers, or lie on both sides of the value that changes
            nothing.
    """

    learns = True
    rates: Rates = "even"  # of the sweep; where a probe goes follows from what violated

    def __init__(self, sources: Iterable[Source], sweep: Sweep, *, tolerance: float | None = None) -> None:
        self._sweep, unchanged_at = sweep, sweep.unchanged_at
        numbers = [value for value in sweep.values if isinstance(value, int | float) and not isinstance(value, bool)]
        if len(numbers) < len(sweep.values):
            raise UsageError(f"refine needs numbers, but {sweep.parameter} was given {list(sweep.values)}")
        if min(numbers) < unchanged_at < max(numbers):
            raise UsageError(
                f"some values are below and some above {unchanged_at:g}, the value that changes nothing; sweep only "
                "one side"
            )
        declared = next(p for p in TRANSFORMATIONS[sweep.transformation].parameters if p.name == sweep.parameter)
        self._is_whole_number = declared.type is int
        span = max(abs(number - unchanged_at) for number in numbers)
        self._tolerance = tolerance if tolerance is not None else (1.0 if self._is_whole_number else span / RESOLUTION)
        self._sources = sweep.judged(sources)
        # the sources with a violation at each value tried
        self._violators: dict[Subject, dict[float, list[str]]] = defaultdict(lambda: defaultdict(list))
        self._batches = self._proposed_batches()

    def ask(self) -> Sequence[Proposal]:
        """Return the next proposals, or an empty list once the search has finished."""
        return next(self._batches, [])

    def tell(self, proposal: Proposal, verdicts: Sequence[Verdict], measurements: Measurements) -> None:
        """Record which systems were judged at a value of the parameter, and the sources with violations."""
        value = self._sweep.value(proposal.derivation)
        assert isinstance(value, int | float)
        for verdict in verdicts:
            if verdict.outcome in (Outcome.SATISFIED, Outcome.VIOLATED):
                violators = self._violators[verdict.system, verdict.source.task][value]
                if verdict.outcome is Outcome.VIOLATED:
                    violators.append(verdict.source.id)

    def _proposed_batches(self) -> Iterator[Sequence[Proposal]]:
        # A generator suspended at each batch: what it was waiting for has been told when it goes on.
        # No proposal closes its source: whether a probe asks it again is not known before the end.
        everything = self._sweep.everything(self._sources)
        yield from batches(replace(proposal, closes=False) for proposal in everything)
        for subject in sorted(self._violators):
            yield from self._locate(subject)

    def _locate(self, subject: Subject) -> Iterator[Sequence[Proposal]]:
        """Yield probes of one system, until bisection and further checks inside the region find no other boundary."""
        while True:
            clean, violating = self._edge(subject)
            while violating is not None and (middle := self._middle(clean[-1], violating)) is not None:
                yield from self._probe(subject, middle, suspects=self._violators[subject][violating])
                clean, violating = self._edge(subject)
            for value in self._inside(clean):
                yield from self._probe(subject, value)
            _, violating_now = self._edge(subject)
            if violating_now == violating:
                return

    def _edge(self, subject: Subject) -> tuple[list[float], float | None]:
        """Return the parameter values without violations, and the first value with a violation, or None.

        The values are ordered from the one that changes nothing.
        """
        clean = [self._sweep.unchanged_at]
        violators = self._violators[subject]
        for value in sorted(violators, key=lambda value: abs(value - self._sweep.unchanged_at)):
            if violators[value]:
                return clean, value
            clean.append(value)
        return clean, None

    def _middle(self, near: float, far: float) -> float | None:
        """Return the value halfway between two, or None if they are too close to each other."""
        if abs(far - near) <= self._tolerance:
            return None
        if not self._is_whole_number:
            return (near + far) / 2
        middle = int(near + far) // 2
        return None if middle in (near, far) else middle

    def _inside(self, clean: list[float]) -> list[float]:
        """Return further values to check: the midpoints of the widest gaps between values without violations."""
        known = list(clean)
        chosen: list[float] = []
        while len(known) > 1 and len(chosen) < VERIFIED:
            near, far = max(pairwise(known), key=lambda gap: abs(gap[1] - gap[0]))
            middle = self._middle(near, far)
            if middle is None:
                break
            chosen.append(middle)
            known = sorted([*known, middle], key=lambda value: abs(value - self._sweep.unchanged_at))
        return chosen

    def _probe(self, subject: Subject, value: float, suspects: Sequence[str] = ()) -> Iterator[Sequence[Proposal]]:
        """Yield proposals at one value until a violation is found or all sources have been asked.

        The sources most likely to lead to a violation come first.
        """
        system, task = subject
        of_system = [source for source in self._sources if source.task == task and source.concerns(system)]
        likely = set(suspects)
        ordered = sorted(of_system, key=lambda source: source.case.id not in likely)
        proposals = (
            Proposal(source=source, derivation=derivation, estimates=False)
            for source in (replace(source, systems=(system,)) for source in ordered)
            for derivation in self._sweep.derivations(source, value)
        )
        for batch in batches(proposals, PROBE):
            yield batch
            if self._violators[subject][value]:
                return
