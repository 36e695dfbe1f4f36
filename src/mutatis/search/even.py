"""The plain run under a budget: the same follow-ups in an order that is even over relations and sources at any moment.

Each visit of a source takes a block of follow-ups. The source's own answer, which each follow-up needs, is then a ninth
of the price. Independent of the meaning of answers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from mutatis.core.cases import Derivation
from mutatis.core.search import Proposal, Source
from mutatis.search.arms import is_judged_together
from mutatis.search.once import DecidedBeforehand, batches, derivations, proposed

BLOCK = 8
"""Follow-ups per visit of a source.

At 1,000 questions that is a hundred sources of one turn: enough to ask again for the noise floor. With 4 it would be
more sources, and a seventh fewer verdicts.
"""


class Even(DecidedBeforehand):
    """Proposes every follow-up of every source once, visiting sources in a random order and relations evenly.

    A visit takes the follow-ups of the relations with the fewest visits so far, and among these the least visited
    variant. Versions of a question that are judged together are one visit. When every source of a window was visited
    the window begins again with the rest. No more than a window of sources is held.

    Args:
        sources: the sources to visit.
        draws: as for `Once`.
        seed: of the order.
        window: sources per window; the budget, because a source costs at least a question.
    """

    def __init__(self, sources: Sequence[Source], *, draws: int | None = None, seed: int = 0, window: int = 1) -> None:
        self._sources, self._draws = sources, draws
        self._random = Random(f"even/{seed}")
        self._window = max(1, window)
        self._visits = Visits(self._random)
        super().__init__(self._proposals())

    def _proposals(self) -> Iterator[Proposal]:
        for numbers in batches(tasks_in_turn(self._sources, self._random), self._window):
            left: dict[int, set[str] | None] = dict.fromkeys(numbers)
            while left:
                for number in list(left):
                    yield from self._visit(number, left)

    def _visit(self, number: int, left: dict[int, set[str] | None]) -> Iterator[Proposal]:
        source, before = self._sources[number], left[number]
        wanted = derivations(source, self._draws)
        refused: list[Derivation] = []
        if before is not None:
            wanted = [derivation for derivation in wanted if derivation.digest() in before]
        else:  # what no relation knows the language for costs nothing, so it takes no place of a visit
            refused = [derivation for derivation in wanted if not source.judges(derivation.steps)]
            wanted = [derivation for derivation in wanted if derivation not in refused]
        block = self._visits.block(source, wanted)
        taken = {derivation.digest() for derivation in block}
        rest = {derivation.digest() for derivation in wanted} - taken
        if rest:
            left[number] = rest
        else:
            del left[number]
        block = [*refused, *block]
        for position, derivation in enumerate(block, 1):
            yield proposed(source, derivation, closes=not rest and position == len(block))


class Visits:
    """Counts visits of relations, fields and steps, and picks the next ones.

    Args:
        random: decides between equally visited ones.
    """

    def __init__(self, random: Random) -> None:
        self._random = random
        self._visits: Counter[tuple[str, ...]] = Counter()

    def block(self, source: Source, wanted: Sequence[Derivation]) -> list[Derivation]:
        """Return the follow-ups of a visit, from the ones a source still has, and count them."""
        block: list[Derivation] = []
        rest = [(derivation, _parts(source, derivation)) for derivation in wanted]
        self._random.shuffle(rest)
        while rest and len(block) < BLOCK:
            first = min(rest, key=lambda entry: [self._visits[part] for part in entry[1]])
            whole = [first]
            if is_judged_together(source, first[0]):
                whole = [entry for entry in rest if is_judged_together(source, entry[0])]
            for entry in whole:
                rest.remove(entry)
                block.append(entry[0])
                self._visits.update(entry[1])
        return block


def tasks_in_turn(sources: Sequence[Source], random: Random) -> Iterator[int]:
    """Yield the numbers of all sources in a random order, one of each task in turn."""
    tasks: dict[str, list[int]] = {}
    for number, source in enumerate(sources):
        tasks.setdefault(source.task, []).append(number)
    for numbers in tasks.values():
        random.shuffle(numbers)
    while tasks:
        for task in list(tasks):
            yield tasks[task].pop()
            if not tasks[task]:
                del tasks[task]


def _parts(source: Source, derivation: Derivation) -> tuple[tuple[str, ...], ...]:
    """Return the keys that a follow-up visits, the coarsest first: its relation, with the fields, with the steps."""
    relation = next((relation.name for relation in source.relations if relation.accepts(derivation.steps)), "")
    fields = (source.task, relation, *derivation.variant)
    steps = (step.transformation for step in derivation.steps)
    return (source.task, relation), fields, (*fields, *steps, str(derivation.draw))
