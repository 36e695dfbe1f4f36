"""Sources, proposals, and the interface of a search, which chooses what to try next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

import numpy as np

from mutatis.core.cases import Case, Derivation, Step
from mutatis.core.relation import MetamorphicRelation
from mutatis.core.verdict import Part, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A source case with the relations to check on it, and the systems that it is for (empty: all)."""

    case: Case
    relations: tuple[MetamorphicRelation, ...]
    systems: tuple[str, ...] = ()

    @property
    def task(self) -> str:
        """Name of the case's task."""
        return self.case.task

    def concerns(self, system: str) -> bool:
        """Return True if the case is meant for this system."""
        return not self.systems or system in self.systems

    @property
    def knows_language(self) -> bool:
        """Return True if any relation supports the language of the case."""
        return any(relation.is_for(self.case.language) for relation in self.relations)

    def judges(self, steps: Sequence[Step]) -> bool:
        """Return True if any relation judges follow-ups of these steps and supports the language of the case."""
        language = self.case.language
        return any(relation.accepts(steps) and relation.knows(language, steps) for relation in self.relations)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A follow-up to try: the source, and how to derive the follow-up.

    A derivation without steps only asks the source and judges nothing, which lets a learner see the clean answers.

    Attributes:
        turns: source turns to judge; None for all. An attack on one turn of a dialogue judges only that turn.
        closes: whether it is the last proposal of its source; question groups are then judged.
        estimates: whether its verdicts count in rates, because no answer influenced its choice; see `rates_of`.
        action: the numbers from which it was made, if a search chooses numbers; None if one does not matter here.
        part: its purpose, if a search first learns and then tests the result on other sources.
        episode: the number of its pass through a source, if a search passes through sources repeatedly. Proposals with
            the same episode and turn are attempts at one place, each replacing the one before.
    """

    source: Source
    derivation: Derivation
    turns: tuple[int, ...] | None = None
    closes: bool = False
    estimates: bool = True
    action: tuple[float | None, ...] = ()
    part: Part = ""
    episode: int | None = None

    @property
    def looks(self) -> bool:
        """Return True if the proposal only asks the source."""
        return not self.derivation.steps

    def judges(self, turn: int) -> bool:
        """Return True if a source turn is judged."""
        return self.turns is None or turn in self.turns

    def wanted(self, follow_up: Case) -> list[int] | None:
        """Return the turns of the follow-up that need an answer; None for all."""
        return None if self.turns is None else [i for i in follow_up.asked if self.judges(follow_up.origin(i))]


def rank_of(case: Case, seed: int) -> bytes:
    """Return a sort key for cases that depends only on the seed and each case's own text."""
    text = "\x1f".join([str(seed), *(text for turn in case.turns for text in turn.fields.values())])
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def look_at(source: Source) -> Proposal:
    """Return the proposal that only asks the source."""
    return Proposal(source=source, derivation=Derivation(source=source.case.id, steps=()))


FEATURES = ("uncertainty", "uncertainty is known", "least sure decision", "values", "words")
"""Contents of `Reading.features`, each from 0 to 1. The sizes of an answer are halved per 5 values and 20 words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A learner's view of one answer.

    Attributes:
        uncertainty: mean Gini impurity of its decisions, or how much repeated answers disagree; None if there are
            neither probabilities nor repeated answers.
        features: the state of the system as shown by the answer, with the values named in `FEATURES`.
    """

    uncertainty: float | None
    features: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Measurements of a proposal on one system and one source turn. Without an answer, a reading is None."""

    system: str
    turn: int
    clean: Reading | None = None
    perturbed: Reading | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurements:
    """The results of a proposal apart from its verdicts.

    Everything except `queries` is computed only for searches that learn.

    Attributes:
        queries: number of answers that the follow-up needed.
        valid: the follow-up was made, broke no condition, and was put to a system.
        texts: the edited text of each source turn, even if too much was edited; empty if nothing could be made.
        turns: per system and judged turn; if only the source was asked, per turn of it.
    """

    queries: int = 0
    valid: bool = False
    texts: Mapping[int, str] = field(default_factory=dict)
    turns: tuple[Measured, ...] = ()

    @property
    def rates(self) -> Mapping[int, Any]:
        """The sizes of edits of an earlier version; raise AttributeError, which names their successor."""
        raise AttributeError(
            "measurements.rates was removed; use mutatis.rltest4chatbot.edits.move_rates(proposal, turn, text), "
            "with a text of measurements.texts"
        )


Shape: TypeAlias = tuple[str, str, tuple[int, ...] | None, tuple[tuple[str, ...], ...], tuple[bool, int]]
"""The properties that determine how many follow-ups a case has.

These are the task, the language, the turns that are asked, the fields of each turn, and whether the data link it to
translations and to how many.
"""


def shape_of(case: Case) -> Shape:
    """Return the shape of a case."""
    fields, translated = tuple(tuple(turn.fields) for turn in case.turns), (bool(case.parallel), len(case.translations))
    return case.task, case.language, case.ask_turns, fields, translated


def name_of(case: Case) -> int:
    """Return a number for the task and id of a case, stable within a process."""
    return hash((case.task, case.id))


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceKind:
    """Sources of one shape with the same relations and systems: the first one, and how many there are."""

    example: Source
    number: int


@runtime_checkable
class Summarised(Protocol):
    """Sources with a summary that is available without reading them one by one."""

    def kinds(self) -> Sequence[SourceKind]:
        """Return the kinds of the sources, in order of first appearance."""

    def names(self) -> Iterable[int]:
        """Return `name_of` for each case."""


def kinds(sources: Iterable[Source]) -> Sequence[SourceKind]:
    """Return the kinds of the sources, in order of first appearance.

    Code that needs tasks, relations or fields should use these kinds, because large data are read from a file.
    """
    if isinstance(sources, Summarised):
        return sources.kinds()
    examples: dict[tuple[Shape, tuple[int, ...], tuple[str, ...]], tuple[Source, int]] = {}
    for source in sources:
        key = shape_of(source.case), tuple(map(id, source.relations)), source.systems
        first, number = examples.get(key, (source, 0))
        examples[key] = first, number + 1
    return [SourceKind(example=first, number=number) for first, number in examples.values()]


def all_different(sources: Iterable[Source]) -> bool:
    """Return True if no two sources share both case id and task. Uses eight bytes per source."""
    known = sources.names() if isinstance(sources, Summarised) else (name_of(source.case) for source in sources)
    names = np.fromiter(known, dtype=np.int64)
    return bool(len(np.unique(names)) == len(names))


Rates = Literal["all", "even", "none"]
"""Which verdicts count in rates: all, those of an even share of the proposals, or none ("search, not estimate")."""


class Search(Protocol):
    """Proposes follow-ups in batches.

    If `learns` is True, the results of a batch are passed to the search, in the order asked, before the next batch is
    requested; otherwise batches may overlap. In neither case does concurrency change a verdict. Two parts are optional.
    A search that knows how many follow-ups are left may report it for the progress bar (`proposals_to_come`). One that
    weighs the cost of its proposals may have `note(proposal, asked=...)`: see `note_asked`.
    """

    learns: bool

    def ask(self) -> Sequence[Proposal]:
        """Return the next batch; an empty one means that the search is finished."""

    def tell(self, proposal: Proposal, verdicts: Sequence[Verdict], measurements: Measurements) -> None:
        """Learn the outcome of a proposal: all its pair verdicts, passed once, even if it was INVALID."""


def note_asked(search: Search, proposal: Proposal, *, asked: bool) -> None:
    """Report to a search under a budget, before the next batch, whether a proposal led to any question.

    The report goes to the search's `note`, if it has one.
    """
    note = getattr(search, "note", None)
    if note is not None:
        note(proposal, asked=asked)


def rates_of(search: Search) -> Rates:
    """Return which verdicts of a search count in rates.

    The verdicts of a search for failures are not a sample. If it learns and sets `rates = "even"`, rates use only the
    proposals marked `estimates`; otherwise it has no rates.
    """
    said: Rates = getattr(search, "rates", "none" if search.learns else "all")
    return said
