"""`check_search` passes the shipped searches and finds each way in which one breaks its promises."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from mutatis.extending import Derivation, Measurements, Outcome, Proposal, Source, Step, UsageError, derivations
from mutatis.testing import check_search

SWEEP = {"transformation": "upper-case", "parameter": "share", "values": [0.2, 0.6]}


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("once", {}),
        ("once", {"draws": 3}),
        ("grid", SWEEP),
        ("grid", {**SWEEP, "refine": True}),
        ("grid", {**SWEEP, "refine": True, "tolerance": 0.05, "draws": 2}),
    ],
)
def test_the_shipped_searches_pass(name: str, options: dict[str, Any]) -> None:
    check_search(name, options=options)


class Plain:
    """A correct search, one proposal at a time; each broken one below differs in one thing."""

    learns: Any = False

    def __init__(self, sources: Sequence[Source]) -> None:
        self.sources = sources
        self.left = [
            Proposal(source=source, derivation=derivation) for source in sources for derivation in derivations(source)
        ]

    def ask(self) -> Any:
        return [self.left.pop()] if self.left else []

    def tell(self, proposal: Proposal, verdicts: Sequence[Any], measurements: Measurements) -> None:
        """Learn nothing."""


class NoBool(Plain):
    learns = "yes"


class Endless(Plain):
    def ask(self) -> Any:
        return [Proposal(source=self.sources[0], derivation=derivations(self.sources[0])[0])]


class Resuming(Plain):
    ended = False

    def ask(self) -> Any:
        if not self.left and not self.ended:
            self.ended = True
            return []
        return (
            [Proposal(source=self.sources[0], derivation=derivations(self.sources[0])[0])]
            if self.ended
            else [self.left.pop()]
        )


class Unseeded(Plain):
    made = itertools.count()

    def __init__(self, sources: Sequence[Source]) -> None:
        super().__init__(sources)
        if next(self.made) % 2:  # as a random generator without a seed does, but for certain
            self.left.reverse()


class Secret(Plain):
    """Learns, and says that it does not: a violation ends it."""

    def tell(self, proposal: Proposal, verdicts: Sequence[Any], measurements: Measurements) -> None:
        if any(verdict.outcome is Outcome.VIOLATED for verdict in verdicts):
            self.left = []


class Foreign(Plain):
    def ask(self) -> Any:
        return [replace(proposal, derivation=self.of(proposal)) for proposal in super().ask()]

    def of(self, proposal: Proposal) -> Derivation:
        return replace(proposal.derivation, steps=(Step(transformation="duplicate", parameters={"copies": 2}),))


class Elsewhere(Foreign):
    def of(self, proposal: Proposal) -> Derivation:
        return replace(proposal.derivation, source="another")


class Bare(Foreign):
    def of(self, proposal: Proposal) -> Derivation:
        [step] = proposal.derivation.steps
        return replace(proposal.derivation, steps=(replace(step, parameters={}),))


class WrongFields(Foreign):
    def of(self, proposal: Proposal) -> Derivation:
        return replace(proposal.derivation, variant=("title",))


class Stranger(Plain):
    def ask(self) -> Any:
        case = replace(self.sources[0].case, id="toy/99")
        return [replace(proposal, source=replace(proposal.source, case=case)) for proposal in super().ask()]


class EarlyClosing(Plain):
    def ask(self) -> Any:
        return [replace(proposal, closes=True) for proposal in super().ask()]


class Iterating(Plain):
    def ask(self) -> Any:
        return iter(super().ask())


class Strict(Plain):
    learns = True

    def tell(self, proposal: Proposal, verdicts: Sequence[Any], measurements: Measurements) -> None:
        decided = [verdict for verdict in verdicts if verdict.outcome in (Outcome.SATISFIED, Outcome.VIOLATED)]
        assert 1 / len(decided) > 0


@pytest.mark.parametrize(
    ("search", "says"),
    [
        (NoBool, "learns is 'yes', expected True or False"),
        (Endless, "does not end: more than 300 proposals"),
        (Resuming, "it was finished, but continues when asked again"),
        (Unseeded, "something different the second time; seed its random choices"),
        (Secret, "learns is False, but its proposals depend on the verdicts"),
        (Foreign, "proposes duplicate on toy/3 .*no relation of the source accepts"),
        (Elsewhere, "derived from 'another'"),
        (Bare, "without the parameters"),
        (WrongFields, "variant .'title',.*no relation of the source accepts"),
        (Stranger, "on toy/99, which is not one of its sources"),
        (EarlyClosing, "after a proposal that closes this source"),
        (Iterating, "expected a list of proposals"),
    ],
)
def test_a_broken_promise_is_found(search: type[Plain], says: str) -> None:
    check_search(Plain)
    with pytest.raises(AssertionError, match=says):
        check_search(search, most=300)


def test_a_search_that_needs_a_decided_verdict_is_found() -> None:
    with pytest.raises(ZeroDivisionError):
        check_search(Strict)


def test_a_learner_is_told_of_a_batch_before_it_is_asked_again() -> None:
    waiting: list[int] = []

    class Learner(Plain):
        learns = True

        def ask(self) -> Any:
            assert not waiting
            batch = [self.left.pop() for _ in range(min(3, len(self.left)))]
            waiting.extend([1] * len(batch))
            return batch

        def tell(self, proposal: Proposal, verdicts: Sequence[Any], measurements: Measurements) -> None:
            assert verdicts
            waiting.pop()

    check_search(Learner)


def test_a_search_that_was_begun_is_refused() -> None:
    with pytest.raises(UsageError, match="pass its name, options or class, or a function"):
        check_search(Plain([]))  # type: ignore[arg-type]
