"""What is tried next: sources, proposals, and the contract of a search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from mutatis.core.cases import Case, Derivation
from mutatis.core.relation import MetamorphicRelation
from mutatis.core.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A source case with the relations to be checked on it, and the systems it is for (empty: all)."""

    case: Case
    relations: tuple[MetamorphicRelation, ...]
    systems: tuple[str, ...] = ()

    @property
    def task(self) -> str:
        """Name of the case's task."""
        return self.case.task

    def concerns(self, system: str) -> bool:
        """Whether the case is put to this system."""
        return not self.systems or system in self.systems


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A follow-up to try: the source and how to derive it.

    `closes` says that it is the last proposal of its source: question groups are then judged.
    """

    source: Source
    derivation: Derivation
    closes: bool = False


class Search(Protocol):
    """Proposes follow-ups in batches.

    Where `learns` is True, the results of a batch are told, in the order asked, before the next batch is asked for;
    otherwise batches may overlap. Concurrency never changes a verdict either way.
    """

    learns: bool

    def ask(self) -> Sequence[Proposal]:
        """Return the next batch; empty when the search is finished."""

    def tell(self, proposal: Proposal, verdicts: Sequence[Verdict], measurements: Mapping[str, float]) -> None:
        """Learn what came of a proposal: all its pair verdicts, once, also when it was INVALID."""
