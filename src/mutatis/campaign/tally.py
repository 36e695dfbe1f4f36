"""Counting a run while it goes on: outcomes per row, violations per seed, distinct findings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from mutatis.analysis.intervals import violation_rate
from mutatis.campaign.events import Event, SourceObserved, VerdictReached
from mutatis.campaign.judging import answer_of
from mutatis.core.cases import Case
from mutatis.core.relation import Group, Member, MetamorphicRelation
from mutatis.core.verdict import Identity, Outcome, Verdict

Row: TypeAlias = tuple[str, str, str]
"""System, task and relation: one row of the summary."""


@dataclass(slots=True, kw_only=True)
class Finding:
    """Violations with one identity: the first of them, their number, and what confirm and shrink found."""

    identity: Identity
    relation: MetamorphicRelation
    group: Group
    source: Case
    verdict: Verdict
    count: int = 1
    confirmed: bool | None = None
    shrunk: Member | None = None


@dataclass(slots=True)
class Outputs:
    """What one system answered to the sources of one task, for the health checks."""

    answers: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    total: int = 0


def lost_mention(group: Group) -> bool:
    """Whether an edit destroyed a marked string of the source (an entity, a slot value): the task is then another."""
    source = group.source.case.turns[group.source.turn]
    marked = [mention for mentions in source.annotations.get("protected", {}).values() for mention in mentions]
    for member in group.members if marked else ():
        changed = member.observation.case.turns[member.observation.turn].fields
        if any(text in marked and changed.get(name) != text for name, text in source.fields.items()):
            continue  # the question names other entities itself (exchanged, or others of their category)
        for name, text in source.fields.items():
            if any(mention in text and mention not in changed.get(name, "") for mention in marked):
                return True
    return False


class Tally:
    """A listener that keeps the numbers of a run; memory grows with seeds and findings, not with verdicts."""

    def __init__(self) -> None:
        self.outcomes: dict[Row, Counter[str]] = defaultdict(Counter)
        self.per_seed: dict[Row, dict[str, list[int]]] = defaultdict(dict)
        self.scores: dict[Row, list[float]] = defaultdict(lambda: [0.0, 0.0])
        self.reasons: dict[Row, Counter[str]] = defaultdict(Counter)
        self.findings: dict[str, Finding] = {}
        self.outputs: dict[tuple[str, str], Outputs] = defaultdict(Outputs)

    def __call__(self, event: Event) -> None:
        """Count a verdict or a source answer."""
        if isinstance(event, VerdictReached):
            self._count(event)
        elif isinstance(event, SourceObserved) and event.repeat == 0:
            outputs = self.outputs[event.system, event.task]
            for observation in event.observations.values():
                outputs.total += 1
                if observation.error is not None:
                    outputs.errors[observation.error] += 1
                elif observation.response is not None:
                    outputs.answers[str(answer_of(observation))] += 1

    def _count(self, event: VerdictReached) -> None:
        verdict = event.verdict
        identity = verdict.identity
        row = (identity.system, identity.task, identity.relation)
        counts = self.outcomes[row]
        counts[verdict.outcome.value] += 1
        counts["undecided"] += verdict.judgement.undecided
        counts["unchanged"] += verdict.unchanged
        counts["vacuous"] += verdict.vacuous
        if verdict.outcome in (Outcome.SATISFIED, Outcome.VIOLATED):
            violated = verdict.outcome is Outcome.VIOLATED
            if event.group is not None and lost_mention(event.group):
                counts["lost"] += 1
                counts["lost_violated"] += violated
            seed = self.per_seed[row].setdefault(identity.source, [0, 0])
            seed[0] += violated
            seed[1] += 1
            if verdict.judgement.score is not None:
                self.scores[row][0] += verdict.judgement.score
                self.scores[row][1] += 1
            if violated:
                self._find(event)
        else:
            self.reasons[row][verdict.precondition or verdict.judgement.reason] += 1

    def _find(self, event: VerdictReached) -> None:
        assert event.group is not None
        identity = event.verdict.identity
        known = self.findings.get(identity.finding)
        if known is not None:
            known.count += 1
            return
        self.findings[identity.finding] = Finding(
            identity=identity,
            relation=event.relation,
            group=event.group,
            source=event.source,
            verdict=event.verdict,
        )

    def rate(self, row: Row) -> float | None:
        """Return the violation rate of a row, None where nothing was decided."""
        counts = self.outcomes[row]
        total = counts["satisfied"] + counts["violated"]
        return counts["violated"] / total if total else None

    def summary(self, noise: dict[tuple[str, str], float | None]) -> list[dict[str, Any]]:
        """Return the rows of `report.json`; `noise` is the noise floor per system and task."""
        flaky: Counter[Row] = Counter()
        distinct: Counter[Row] = Counter()
        for finding in self.findings.values():
            row = (finding.identity.system, finding.identity.task, finding.identity.relation)
            distinct[row] += 1
            flaky[row] += finding.confirmed is False
        return [self._row(row, flaky[row], distinct[row], noise.get(row[:2])) for row in self.outcomes]

    def _row(self, row: Row, flaky: int, distinct: int, noise_floor: float | None) -> dict[str, Any]:
        counts = self.outcomes[row]
        rate = violation_rate(_pairs(self.per_seed[row].values()))
        total, number = self.scores[row]
        return {
            "system": row[0],
            "task": row[1],
            "relation": row[2],
            "satisfied": counts["satisfied"],
            "violated": counts["violated"],
            "invalid": counts["invalid"],
            "error": counts["error"],
            "flaky": flaky,
            "undecided": counts["undecided"],
            "unchanged": counts["unchanged"],
            "rate": rate.rate,
            "interval": rate.interval,
            "distinct": distinct,
            "noise_floor": noise_floor,
            "seeds": rate.seeds,
            "lost_mentions": {"judged": counts["lost"], "violated": counts["lost_violated"]},
            "mean_score": round(total / number, 6) if number else None,
        }


def _pairs(counts: Iterable[list[int]]) -> list[tuple[int, int]]:
    return [(violated, total) for violated, total in counts]
