"""Checks that a search makes usable proposals, ends, is deterministic, and uses verdicts only if `learns` is set."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from mutatis.campaign.follow_up import concerned
from mutatis.core.cases import Case, Turn
from mutatis.core.decision import Decision, Outcome
from mutatis.core.errors import UsageError
from mutatis.core.relation import RELATIONS
from mutatis.core.search import Measurements, Proposal, Search, Source
from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.core.verdict import Verdict
from mutatis.options import check_options
from mutatis.relations.content_quality import swept
from mutatis.search import SEARCHES, SearchOptions, Sweep

SYSTEM = "check"
AHEAD = 3
"""Number of batches requested before the first verdict from a search that does not learn, as in a real run."""

Making: TypeAlias = Callable[[Sequence[Source]], Search]
Judging: TypeAlias = Callable[[int], Outcome]
"""A function that chooses the verdict on the n-th proposal."""

_MIXED = (Outcome.SATISFIED, Outcome.VIOLATED, Outcome.INVALID, Outcome.SATISFIED, Outcome.ERROR)
_VERDICTS: Mapping[str, Judging] = {
    "verdicts of all kinds": lambda number: _MIXED[number % len(_MIXED)],
    "every verdict SATISFIED": lambda _: Outcome.SATISFIED,
    "every verdict VIOLATED": lambda _: Outcome.VIOLATED,
    "every verdict INVALID": lambda _: Outcome.INVALID,
    "every verdict ERROR": lambda _: Outcome.ERROR,
}


def toy_sources() -> list[Source]:
    """Return four short reviews with three relations, the default sources for checking a search."""
    texts = ("a lovely film", "a dull film, too long", "it isn't bad at all", "who would watch this twice?")
    relations = tuple(RELATIONS[name] for name in ("add-spaces", "upper-case", "leet"))
    return [
        Source(case=Case(id=f"toy/{n}", task="sentiment", turns=(Turn(fields={"text": text}),)), relations=relations)
        for n, text in enumerate(texts)
    ]


def check_search(
    search: str | SearchOptions | Making,
    sources: Sequence[Source] | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    most: int = 10_000,
) -> None:
    """Check a search on a small problem, without asking any system.

    These rules are checked:

    - Proposals use only relations of their sources, with every parameter set.
    - The search ends, whatever the verdicts are.
    - The same options, sources and verdicts give the same proposals.
    - `learns` is a bool. If it is False, proposals do not depend on verdicts.
    - `closes` is set on the last proposal of each source, and on no other.

    Args:
        search: the name of a registered search, its options, or a function (or class) that creates a search from
            sources.
        sources: the sources to search; by default four reviews with three relations.
        options: the options for a search given by name, as in the table `[search]`.
        most: the maximum number of proposals. The check fails if the search has not ended by then.

    >>> check_search("once", options={"draws": 2})
    """
    to_search = toy_sources() if sources is None else list(sources)
    if isinstance(search, str):
        kind = SEARCHES[search]
        chosen: Any = check_options(kind.model, options or {}, kind.owner)
        assert isinstance(chosen, SearchOptions), f"the options of search {kind.name!r} are not SearchOptions"
    elif hasattr(search, "ask") and not isinstance(search, type):  # a search that was already created
        raise UsageError("a search can only run once; pass its name, options or class, or a function that creates it")
    else:
        chosen = search
    sweep: Sweep | None = getattr(chosen, "sweep", None)
    if sweep is not None:  # only relations that accept every swept value judge it
        to_search = sweep.judged(to_search, swept(sweep.transformation, sweep.parameter))
    make: Making = chosen.build if isinstance(chosen, SearchOptions) else chosen
    for what, judge in _VERDICTS.items():
        first = _Drive(make(to_search), to_search, most).run(judge, what)
        again = _Drive(make(to_search), to_search, most).run(judge, what)
        assert _same(first, again), f"{what}: it proposes something different the second time; seed its random choices"
        if not first.search.learns:
            # Here, verdicts come only after further proposals.
            ahead = _Drive(make(to_search), to_search, most, ahead=AHEAD).run(judge, what)
            depends = "learns is False, but its proposals depend on the verdicts: set learns = True"
            assert _same(first, ahead), f"{what}: {depends}"


@dataclass(slots=True)
class _Drive:
    """A search run to its end, together with all of its proposals."""

    search: Search
    sources: Sequence[Source]
    most: int
    ahead: int = 1
    proposals: list[Proposal] = field(default_factory=list)
    closed: set[tuple[str, str]] = field(default_factory=set)

    def run(self, judge: Judging, what: str) -> _Drive:
        """Run the search to its end, keeping up to `ahead` batches of proposals that have no verdicts yet."""
        assert isinstance(self.search.learns, bool), f"learns is {self.search.learns!r}, expected True or False"
        waiting: deque[Sequence[Proposal]] = deque()
        number = 0
        while True:
            while len(waiting) < self.ahead and (batch := self._batch(what)):
                waiting.append(batch)
            if not waiting:
                break
            for proposal in waiting.popleft():
                self._tell(proposal, judge(number))
                number += 1
        assert not self.search.ask(), f"{what}: it was finished, but continues when asked again"
        return self

    def _batch(self, what: str) -> Sequence[Proposal]:
        batch = self.search.ask()
        assert isinstance(batch, Sequence), f"ask returned a {type(batch).__name__}, expected a list of proposals"
        for proposal in batch:
            self._check(proposal)
            self.proposals.append(proposal)
        assert len(self.proposals) <= self.most, f"{what}: it does not end: more than {self.most} proposals"
        return batch

    def _check(self, proposal: Proposal) -> None:
        """Check that a proposal is complete, and that relations of its source judge it.

        A proposal without edits only sends the source question. It has no verdict, so only its source is checked.
        """
        assert isinstance(proposal, Proposal), f"ask returned a {type(proposal).__name__}, expected a Proposal"
        case, derivation = proposal.source.case, proposal.derivation
        steps = ", ".join(step.transformation for step in derivation.steps) or "nothing"
        what = f"it proposes {steps} on {case.id}"
        sources_of_case = [source for source in self.sources if source.case == case]
        assert sources_of_case, f"{what}, which is not one of its sources"
        assert derivation.source == case.id, f"{what}, derived from {derivation.source!r}"
        if proposal.looks:
            return
        relations = {relation.name for source in sources_of_case for relation in source.relations}
        judging = {relation.name for relation in concerned(proposal)}
        assert judging, f"{what} (variant {derivation.variant}), which no relation of the source accepts"
        assert judging <= relations, f"{what}, judged by {sorted(judging - relations)}: not a relation of the source"
        for step in derivation.steps:
            if step.transformation in TRANSFORMATIONS:
                missing = set(TRANSFORMATIONS[step.transformation].complete(dict(step.parameters))) - {*step.parameters}
                assert not missing, f"{what} without the parameters {sorted(missing)}; see derivations(source)"
        json.dumps(derivation.to_record())  # raises an error if a parameter cannot be written to a record
        key = (case.task, case.id)
        assert key not in self.closed, f"{what}, after a proposal that closes this source"
        if proposal.closes:
            self.closed.add(key)

    def _tell(self, proposal: Proposal, outcome: Outcome) -> None:
        verdicts = [
            Verdict(
                system=SYSTEM,
                relation=relation,
                source=proposal.source.case,
                turn=turn,
                variant=proposal.derivation.variant,
                derivation=proposal.derivation,
                steps=tuple(step.transformation for step in proposal.derivation.steps),
                decision=Decision(outcome=outcome, reason="check"),
            )
            for relation in concerned(proposal)
            for turn in proposal.source.case.asked
        ]
        self.search.tell(proposal, verdicts, Measurements(queries=1))


def _same(first: _Drive, second: _Drive) -> bool:
    def written(drive: _Drive) -> list[str]:
        return [f"{p.source.case.id} {p.source.systems} {p.derivation.digest()} {p.closes}" for p in drive.proposals]

    return written(first) == written(second)
