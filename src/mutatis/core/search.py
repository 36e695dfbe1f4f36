"""Sources, proposals, and the interface of searches, which choose what to try next."""

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
    """A source case with the relations to check on it. `systems` names the systems it is meant for (empty: all)."""

    case: Case
    relations: tuple[MetamorphicRelation, ...]
    systems: tuple[str, ...] = ()

    @property
    def task(self) -> str:
        """Name of the case's task."""
        return self.case.task

    def concerns(self, system: str) -> bool:
        """Return True if the source is meant for this system."""
        return not self.systems or system in self.systems

    @property
    def knows_language(self) -> bool:
        """Return True if any relation supports the language of the case."""
        return any(relation.is_for(self.case.language) for relation in self.relations)

    def judges(self, steps: Sequence[Step]) -> bool:
        """Return True if any relation accepts follow-ups made by these steps and supports the language of the case."""
        language = self.case.language
        return any(relation.accepts(steps) and relation.knows(language, steps) for relation in self.relations)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A follow-up to try: a source, and how to derive the follow-up from it.

    A derivation without steps only sends the source and judges nothing. It shows the original answers to a search that
    learns.

    Attributes:
        turns: source turns to judge; None for all. An attack on one turn of a dialogue judges only that turn.
        closes: whether this is the last proposal for its source; question groups are then judged.
        estimates: whether its verdicts may be used for rates, because no answer influenced its choice; see `rates_of`.
        action: the numbers that it was made from, if a search chooses numbers; None for a number that has no effect.
        part: its purpose, for a search that first learns and then tests the result on other sources.
        episode: number of the pass through the source, for a search that makes several passes. Proposals with the same
            episode and turn are attempts at one place, each replacing the one before.
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
        """Return True if the proposal only sends the source question, without any edit."""
        return not self.derivation.steps

    def judges(self, turn: int) -> bool:
        """Return True if this source turn is judged."""
        return self.turns is None or turn in self.turns

    def wanted(self, follow_up: Case) -> list[int] | None:
        """Return the indices of the follow-up's turns that require an answer, or None for all turns."""
        return None if self.turns is None else [i for i in follow_up.asked if self.judges(follow_up.origin(i))]


def rank_of(case: Case, seed: int) -> bytes:
    """Return a sort key for cases that depends only on the seed and each case's own text."""
    text = "\x1f".join([str(seed), *(text for turn in case.turns for text in turn.fields.values())])
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def look_at(source: Source) -> Proposal:
    """Return a proposal that only sends the source question."""
    return Proposal(source=source, derivation=Derivation(source=source.case.id, steps=()))


FEATURES = ("uncertainty", "uncertainty is known", "least sure decision", "values", "words")
"""The names of the values in `Reading.features`, each from 0 to 1.

The numbers of values and words in an answer are scaled so that 5 values or 20 words give 0.5.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The information about one answer that a search receives if it learns.

    Attributes:
        uncertainty: mean Gini impurity of the answer's decisions, or the disagreement of repeated answers; None if
            there are neither probabilities nor repeated answers.
        features: the state of the system as shown by the answer, with the values named in `FEATURES`.
    """

    uncertainty: float | None
    features: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Measurements of a proposal on one system and one source turn. A reading is None if there is no answer."""

    system: str
    turn: int
    clean: Reading | None = None
    perturbed: Reading | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurements:
    """The results of a proposal other than its verdicts.

    Everything except `queries` is computed only for searches that learn.

    Attributes:
        queries: number of answers that the follow-up needed.
        valid: whether the follow-up was made, met all conditions, and was sent to a system.
        texts: edited text of each source turn, even if too much was edited; empty if no follow-up could be made.
        turns: one entry per system and judged turn, or per source turn if only the source was sent.
    """

    queries: int = 0
    valid: bool = False
    texts: Mapping[int, str] = field(default_factory=dict)
    turns: tuple[Measured, ...] = ()

    @property
    def rates(self) -> Mapping[int, Any]:
        """A removed attribute. Accessing it raises an AttributeError that names its successor."""
        raise AttributeError(
            "measurements.rates was removed; use mutatis.rltest4chatbot.edits.move_rates(proposal, turn, text), with "
            "one of the texts in measurements.texts"
        )


Shape: TypeAlias = tuple[str, str, tuple[int, ...] | None, tuple[tuple[str, ...], ...], tuple[bool, int]]
"""The properties of a case that determine how many follow-ups it has.

They are the task, the language, the turns that are asked, the fields of each turn, whether the data links the case to
translations, and the number of translations.
"""


def shape_of(case: Case) -> Shape:
    """Return the shape of a case: the properties that determine how many follow-ups it has."""
    fields, translated = tuple(tuple(turn.fields) for turn in case.turns), (bool(case.parallel), len(case.translations))
    return case.task, case.language, case.ask_turns, fields, translated


def name_of(case: Case) -> int:
    """Return a number that identifies a case by its task and id. It is stable only within a process."""
    return hash((case.task, case.id))


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceKind:
    """A group of sources with the same shape, relations and systems: the first source, and the number of sources."""

    example: Source
    number: int


@runtime_checkable
class Summarised(Protocol):
    """A collection of sources that can be summarised without reading every source."""

    def kinds(self) -> Sequence[SourceKind]:
        """Return one entry for each kind of source, in order of first appearance."""

    def names(self) -> Iterable[int]:
        """Return an integer for each case that identifies its task and id."""


def kinds(sources: Iterable[Source]) -> Sequence[SourceKind]:
    """Return one entry for each kind of source, in order of first appearance.

    Code that only needs tasks, relations or fields should use these entries, because large data sets are read from a
    file.
    """
    if isinstance(sources, Summarised):
        return sources.kinds()
    examples: dict[tuple[Shape, tuple[int, ...], tuple[str, ...]], tuple[Source, int]] = {}
    for source in sources:
        key = shape_of(source.case), tuple(map(id, source.relations)), source.systems
        first, number = examples.get(key, (source, 0))
        examples[key] = first, number + 1
    return [SourceKind(example=first, number=number) for first, number in examples.values()]


def relations_of(sources: Iterable[Source]) -> dict[str, MetamorphicRelation]:
    """Return the relations that judge these sources by name, in order of first appearance."""
    return {relation.name: relation for kind in kinds(sources) for relation in kind.example.relations}


def all_different(sources: Iterable[Source]) -> bool:
    """Return True if no two sources have the same task and case id. This uses eight bytes per source."""
    known = sources.names() if isinstance(sources, Summarised) else (name_of(source.case) for source in sources)
    names = np.fromiter(known, dtype=np.int64)
    return bool(len(np.unique(names)) == len(names))


Rates = Literal["all", "even", "none"]
"""The verdicts that count in rates: all, only verdicts on proposals chosen regardless of results ("even"), or none."""


class Search(Protocol):
    """A strategy that proposes follow-ups in batches.

    If `learns` is True, the search receives the results of a batch in order before the next batch is requested.
    Otherwise batches may overlap. Concurrency never changes a verdict. Two attributes are optional:
    `proposals_to_come`, the number of follow-ups left, for the progress bar, and `note(proposal, asked=...)`, for
    searches that take the cost of proposals into account (see `note_asked`).
    """

    learns: bool

    def ask(self) -> Sequence[Proposal]:
        """Return the next batch of proposals. An empty batch means that the search is finished."""

    def tell(self, proposal: Proposal, verdicts: Sequence[Verdict], measurements: Measurements) -> None:
        """Receive all pair verdicts on a proposal. It is called exactly once per proposal, even if that was INVALID."""


def note_asked(search: Search, proposal: Proposal, *, asked: bool) -> None:
    """Report to a search whether a proposal led to any question, before the next batch is requested.

    If the search has a method `note`, it is called. Searches with a budget can thereby keep track of costs.
    """
    note = getattr(search, "note", None)
    if note is not None:
        note(proposal, asked=asked)


def rates_of(search: Search) -> Rates:
    """Return which verdicts of a search its violation rates are computed from: "all", "even" or "none".

    A search for failures does not draw a random sample. If it learns, it has no rates by default. If it sets `rates =
    "even"`, rates use only the proposals marked `estimates`.
    """
    rates: Rates = getattr(search, "rates", "none" if search.learns else "all")
    return rates
