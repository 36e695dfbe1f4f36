"""The plain run under a budget: the same follow-ups, but new evidence and promising relations come first.

All sources that the budget can pay for are visited in turn. A visit chooses a relation that has not been used yet and,
if possible, a kind of change that has not been used yet either. Later visits choose the most promising relation,
judging by its findings in other chatbots (`promise.toml`) and in this run. A rejected follow-up costs nothing and does
not count as a visit.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, count, islice
from pathlib import Path
from typing import TypeAlias

from mutatis.core.cases import Derivation
from mutatis.core.decision import Outcome
from mutatis.core.search import Measurements, Proposal, Source, rank_of
from mutatis.core.verdict import Verdict
from mutatis.search.arms import is_judged_together
from mutatis.search.once import all_proposed, derivations, proposal_name, tasks_in_turn

OPEN = 64
"""Number of questions in the sources visited in turn: 64 messages, or four dialogues of sixteen turns.

If there are more sources, these get `VISITS` visits each before the next ones begin. With more dialogues at once, a
small budget would be used up before any dialogue is visited twice. The number is the same for all budgets, so that a
larger budget begins like a smaller one.
"""

VISITS = 8
"""Number of visits to each source before further sources begin, if there are too many to visit in turn.

With 1,000 questions, about a hundred sources are visited.
"""

HALF = 10
"""Number of questions after which a relation's promise is halved, because it rarely finds anything later."""

FOUND = 2
"""Growth factor of a relation's promise once it has found something."""

Name: TypeAlias = tuple[str, ...]
"""Key of a count: a task together with a relation, a kind of change, or all details of a follow-up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What is asked on one visit to a source: a follow-up, or a group of follow-ups judged as one.

    Attributes:
        relations: the relations that judge it, each with its task.
        change: the kind of change that it makes, with its task.
        detail: everything that distinguishes it from other follow-ups of its relation.
    """

    derivations: tuple[Derivation, ...]
    relations: tuple[Name, ...]
    change: Name
    detail: Name


@dataclass(slots=True, kw_only=True)
class Visited:
    """A source with the follow-ups left to ask, and the number of its visits (an estimate while some are pending)."""

    source: Source
    choices: list[Choice]
    refused: Sequence[Derivation] = ()
    visits: float = 0


class Counts:
    """Keeps counts for each relation and kind of change, and ranks the next choices accordingly.

    It counts what was asked, what is still pending and what was found.
    """

    def __init__(self) -> None:
        self._asked: Counter[Name] = Counter()
        self._refused: Counter[Name] = Counter()
        self._begun: dict[Name, float] = {}
        self.fallen: set[Name] = set()
        """The relations that have found something, each with its task."""

    def rank(self, choice: Choice) -> tuple[bool, bool, float, float]:
        """Return a choice's sort key: new relations come first, then new kinds of change, then promising relations."""
        is_known = min(map(self._number, choice.relations)) >= 1
        is_known_change = is_known or self._number(choice.change) >= 1
        return is_known, is_known_change, -max(map(self._promise, choice.relations)), self._number(choice.detail)

    def take(self, choice: Choice) -> float:
        """Record a choice as pending, and return the probability that it will be asked and not rejected."""
        weight = max(map(self._share, choice.relations))
        for name in _names(choice):
            self._begun[name] = self._begun.get(name, 0) + weight
        return weight

    def settle(self, choice: Choice, weight: float, *, asked: bool) -> None:
        """Record whether a pending choice was used or rejected."""
        for name in _names(choice):
            self._begun[name] -= weight
            (self._asked if asked else self._refused)[name] += 1

    def _number(self, name: Name) -> float:
        return self._asked[name] + self._begun.get(name, 0)

    def _share(self, relation: Name) -> float:
        asked = self._asked[relation]
        return (asked + 1) / (asked + self._refused[relation] + 1)

    def _promise(self, relation: Name) -> float:
        return promise(relation) * (FOUND if relation in self.fallen else 1) / (1 + self._number(relation) / HALF)


class NewFirst:
    """A search that proposes every follow-up of every source once, the most informative first.

    Each batch visits each source once.

    Args:
        sources: the sources to ask about.
        draws: number of random draws, as for `Once`.
        seed: seed for the order of the sources.
    """

    learns = False

    def __init__(self, sources: Sequence[Source], *, draws: int | None = None, seed: int = 0) -> None:
        self._sources, self._draws, self._seed = sources, draws, seed
        self._counts = Counts()
        self._under_way: dict[Name, tuple[Visited, Choice, float]] = {}
        self._stream = self._batches()

    def ask(self) -> Sequence[Proposal]:
        """Return the next proposals, or an empty list once the search has finished."""
        return next(self._stream, [])

    def note(self, proposal: Proposal, *, asked: bool) -> None:
        """Record whether a proposal led to a question or was rejected, as soon as this is known."""
        begun = self._under_way.pop(proposal_name(proposal), None)
        if begun is not None:  # of follow-ups judged as one, the first stands for all
            visited, choice, weight = begun
            visited.visits += asked - weight
            self._counts.settle(choice, weight, asked=asked)

    def tell(self, proposal: Proposal, verdicts: Sequence[Verdict], measurements: Measurements) -> None:
        """Record which relations were violated."""
        violated = (verdict for verdict in verdicts if verdict.outcome is Outcome.VIOLATED)
        self._counts.fallen.update((proposal.source.task, verdict.relation.name) for verdict in violated)

    def _batches(self) -> Iterator[list[Proposal]]:
        """Yield the batches of all windows of sources, as often as sources have follow-ups left."""
        # The follow-ups left of each source; None before its first visit, when it has all of them.
        left: dict[int, Collection[str] | None] = dict.fromkeys(tasks_in_turn(self._sources, self._rank))
        while left:
            windows = self._windows(list(left))
            first_two = list(islice(windows, 2))  # no more in advance, because sources may be read from a file
            visits = VISITS if len(first_two) > 1 else None
            for window in chain(first_two, windows):
                opened = {number: self._opened(number, left.pop(number)) for number in window}
                yield from self._window(list(opened.values()), visits)
                left |= {number: _digests(visited) for number, visited in opened.items() if visited.choices}

    def _rank(self, numbers: list[int]) -> None:
        """Sort the sources of one task, in an order that depends only on their texts and the seed."""
        numbers.sort(key=lambda number: (rank_of(self._sources[number].case, self._seed), number), reverse=True)

    def _windows(self, numbers: Iterable[int]) -> Iterator[list[int]]:
        """Yield groups of sources that are visited in turn.

        A group has at most `OPEN` questions, unless it consists of a single source.
        """
        window: list[int] = []
        asked = 0
        for number in numbers:
            turns = len(self._sources[number].case.asked)
            if window and asked + turns > OPEN:
                yield window
                window, asked = [], 0
            window.append(number)
            asked += turns
        if window:
            yield window

    def _opened(self, number: int, before: Collection[str] | None) -> Visited:
        """Return a source with the follow-ups that are left.

        Follow-ups in a language that no relation supports are kept apart, because they do not count as visits.
        """
        source = self._sources[number]
        wanted = derivations(source, self._draws)
        if before is not None:
            wanted = [derivation for derivation in wanted if derivation.digest() in before]
        judged = [derivation for derivation in wanted if source.judges(derivation.steps)]
        refused = [derivation for derivation in wanted if derivation not in judged]
        return Visited(source=source, choices=_choices(source, judged), refused=refused)

    def _window(self, opened: Sequence[Visited], visits: int | None) -> Iterator[list[Proposal]]:
        """Yield a batch for each visit to all of these sources, until nothing is left or after a number of visits.

        The first batch also has the follow-ups that will be refused.
        """
        batch: list[Proposal] = []
        for visited in opened:
            batch += all_proposed(visited.source, visited.refused, closes=not visited.choices)
        for visit in count(1) if visits is None else range(1, visits + 1):
            batch += self._visit(opened, visit)
            if batch:
                yield batch
            if not any(visited.choices for visited in opened):
                return
            batch = []

    def _visit(self, opened: Sequence[Visited], visit: int) -> Iterator[Proposal]:
        """Yield proposals until all sources are expected to have had this many visits, least visited sources first."""
        for visited in sorted(opened, key=lambda visited: int(visited.visits)):
            while visited.choices and visited.visits < visit:
                choice = min(visited.choices, key=self._counts.rank)
                visited.choices.remove(choice)
                weight = self._counts.take(choice)
                visited.visits += weight
                proposals = list(all_proposed(visited.source, choice.derivations, closes=not visited.choices))
                self._under_way[proposal_name(proposals[0])] = visited, choice, weight
                yield from proposals


@cache
def promise(relation: Name) -> float:
    """Return the probability that a question asked for a relation reveals a fault in a system.

    If it was not measured for this relation, return the mean over the relations of the task.
    """
    task, name = relation
    known = _measured().get(task, {})
    return known.get(name, sum(known.values()) / len(known) if known else 1.0)


@cache
def _measured() -> Mapping[str, Mapping[str, float]]:
    """Return the probabilities by task and relation from the table that `studies/reach/prior.py` wrote."""
    return tomllib.loads((Path(__file__).parent / "promise.toml").read_text(encoding="utf-8"))


def _choices(source: Source, wanted: Sequence[Derivation]) -> list[Choice]:
    """Return the choices that these follow-ups offer. Those that are judged together are one choice, the first."""
    together = tuple(derivation for derivation in wanted if is_judged_together(source, derivation))
    alone = [(derivation,) for derivation in wanted if derivation not in together]
    return [_choice(source, chosen) for chosen in ([together, *alone] if together else alone)]


def _choice(source: Source, chosen: tuple[Derivation, ...]) -> Choice:
    first, task = chosen[0], source.task
    relations = [relation for relation in source.relations if any(relation.accepts(each.steps) for each in chosen)]
    steps = (step.transformation for step in first.steps)
    return Choice(
        derivations=chosen,
        relations=tuple((task, relation.name) for relation in relations),
        change=("change", task, next((relation.change for relation in relations if relation.change), "")),
        detail=(task, relations[0].name, *first.variant, *steps, str(first.draw)),
    )


def _names(choice: Choice) -> Iterator[Name]:
    yield from (*choice.relations, choice.change, choice.detail)


def _digests(visited: Visited) -> Collection[str]:
    return {derivation.digest() for choice in visited.choices for derivation in choice.derivations}
