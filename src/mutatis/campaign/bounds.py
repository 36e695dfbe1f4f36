"""How many questions a run may ask at most, whatever is answered; nothing is made or asked to know it.

Counted from what the search proposes. A question that fails is sent again, as often as `retries` says: that comes on
top, and so does what an annotator or a judge asks that does not say how much (`most_asked`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from mutatis.campaign.draws import indices, is_drawn
from mutatis.campaign.session import Campaign
from mutatis.core.cases import Derivation
from mutatis.core.measure import AsksHelper, Judge
from mutatis.core.relation import Grouping, MetamorphicRelation
from mutatis.core.repertoire import QUESTIONS, REPLIES
from mutatis.core.search import Source
from mutatis.core.transformation import TRANSFORMATIONS, added_turns, asks_again, made_by
from mutatis.query import QueryLayer
from mutatis.search.once import judged_turns

REWRITTEN = 2
"""Questions of a helper that one text takes at most: a translation goes there and back."""

COMPARED = 2
"""Pairs of texts that one pair of answers takes at most: with the reference, and with its image under the edit."""

Row: TypeAlias = tuple[str, str, str]
"""System, task and relation: what findings are confirmed by."""


@dataclass(slots=True, kw_only=True)
class Most:
    """Questions of each kind: to the systems, and to the helper that makes follow-ups and judges."""

    sources: int = 0
    follow_ups: int = 0
    repeats: int = 0
    noise_floor: int = 0
    confirm: int = 0
    shrink: int = 0
    helper: int = 0
    judge: int = 0
    beside: int = 0
    steps: int = 0

    @property
    def total(self) -> int:
        """All questions."""
        after = self.noise_floor + self.confirm + self.shrink
        searched = self.sources + self.follow_ups + self.repeats + self.beside + self.steps
        return searched + after + self.helper + self.judge


@dataclass(slots=True)
class _Findings:
    """What the findings of one row may take: how many there may be, and the questions of each at most and mostly."""

    relation: MetamorphicRelation
    verdicts: int = 0
    questions: int = 0
    usual: int = 0
    turns: int = 0
    members: int = 0


@dataclass(slots=True)
class _Known:
    """Sources like one: how many, their questions each, who is asked, and the follow-ups that must keep the meaning."""

    task: str
    number: int
    turns: int
    systems: int
    siblings: int = 0


@dataclass(slots=True, kw_only=True)
class Bounds:
    """Adds up what sources and the proposals for them may ask."""

    campaign: Campaign
    asked: Most = field(default_factory=Most)
    _drawn: dict[str, int] = field(default_factory=dict)
    _rows: dict[Row, _Findings] = field(default_factory=dict)
    _pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    _versions: dict[tuple[str, str, str], tuple[int, int]] = field(default_factory=dict)
    _names: dict[str, MetamorphicRelation] = field(default_factory=dict)
    _known: dict[tuple[str, str], _Known] = field(default_factory=dict)
    _steps: int = 0
    _longest: int = 0
    _again: dict[str, tuple[int, int]] = field(default_factory=lambda: defaultdict(lambda: (0, 0)))

    def add_source(self, source: Source, number: int = 1) -> None:
        """Add `number` sources like this one, asked unchanged: by the search, and again by the noise floor."""
        paid = [label for label in self._systems(source) if not self._is_free(label)]
        asked = len(source.case.asked) * len(paid)
        drawn = any(map(is_drawn, source.relations))
        questions = number * asked * max(self.campaign.repeats, self.campaign.draws if drawn else 1)
        self.asked.sources += questions
        self._add_steps(source, questions)
        if self.campaign.source_repeats and self.campaign.judges.is_together(source.task):
            self.asked.repeats += number * asked * self.campaign.source_repeats
            turns = len(source.case.asked)
            self._known[source.task, source.case.id] = _Known(source.task, number, turns, len(paid))
        known, most = self._again[source.task]
        self._again[source.task] = known + number, max(most, asked)
        annotators: dict[int, object] = {
            id(relation.matching.annotator): relation.matching.annotator for relation in source.relations
        }
        for annotator in annotators.values():
            if isinstance(annotator, AsksHelper):
                self.asked.helper += annotator.most_asked(number)

    def add(self, source: Source, derivation: Derivation, number: int = 1) -> None:
        """Add a follow-up of each of `number` sources like this one."""
        relations = [relation for relation in source.relations if relation.accepts(derivation.steps)]
        labels, turns = self._systems(source), _turns(source, derivation)
        paid = sum(not self._is_free(label) for label in labels)
        known = self._known.get((source.task, source.case.id))
        if known is not None and any(relation.expects == "same" for relation in relations):
            known.siblings += known.turns if judged_turns(derivation) is None else 1
        repeats = 1 if asks_again(derivation) else self.campaign.repeats
        times = len(indices(derivation, relations, repeats=repeats, draws=self.campaign.draws))
        # What follows edits of other turns is asked once more with clean words, where it fails (`inherited`).
        beside = bool(derivation.steps) and all(step.turns is not None for step in derivation.steps)
        asked = number * turns * repeats
        self.asked.follow_ups += number * turns * times * paid
        self._add_steps(source, number * turns * times * paid)
        if self.campaign.draws > 1 and times > 1:
            self._add_clustered(source, number * times * len(labels))
        self.asked.beside += asked * beside * paid
        if made_by(derivation.steps) == "language-model":
            self.asked.helper += number * len(source.case.asked) * max(1, len(derivation.variant)) * REWRITTEN
        for relation in relations:
            conditions = sum(precondition.needs_helper for precondition in relation.preconditions)
            self.asked.helper += conditions * (len(source.case.asked) + turns) * number * repeats * len(labels)
            self._names[relation.name] = relation
            if relation.matching.grouping is Grouping.PAIR:
                self._pairs[relation.name, source.task] += COMPARED * asked * (1 + beside) * len(labels)
            else:
                version = (relation.name, source.task, source.case.id)
                self._versions[version] = self._versions.get(version, (0, 0))[0] + turns, number * repeats * len(labels)
            for label in labels:
                self._add_finding(label, source, relation, turns, asked, derivation)

    def _add_clustered(self, source: Source, answers: int) -> None:
        """Add the pairs that finding the clusters of a source's answers takes at most: each answer with each before."""
        no_change = self.campaign.no_change
        self._names[no_change.name] = no_change
        before = self._drawn.get(source.case.id, self.campaign.draws)
        self._drawn[source.case.id] = before + answers
        self._pairs[no_change.name, source.task] += COMPARED * answers * (before + answers)

    def _add_finding(
        self, label: str, source: Source, relation: MetamorphicRelation, turns: int, asked: int, derivation: Derivation
    ) -> None:
        row = self._rows.setdefault((label, source.task, relation.name), _Findings(relation))
        row.verdicts += asked
        whole = self._is_stateful(label)
        member, first = (turns, len(source.case.asked)) if whole else (1, 1)
        versions = pair = 1
        if relation.matching.grouping is Grouping.QUESTION:
            versions, pair = self._versions[relation.name, source.task, source.case.id][0], 2  # the two that differ
        row.members = max(row.members, versions)
        row.questions = max(row.questions, versions * member + first)
        row.usual = max(row.usual, pair * member + first)
        if made_by(derivation.steps) == "function":
            row.turns = max(row.turns, turns)

    def _add_steps(self, source: Source, questions: int) -> None:
        """Add what questions bring with them where tools are called and somebody answers."""
        most = max((target.most_steps(source.case) for target in self.campaign.targets), default=0)
        self._steps += questions * most
        self._longest = max(self._longest, most)

    def steps_share(self) -> float:
        """Return how many questions a question of the search brings with it at most, on average over all of them."""
        return self._steps / max(1, self.asked.sources + self.asked.follow_ups)

    def most(self) -> Most:
        """Return all that the run may ask, the phases after the search and the judges among it."""
        campaign, result = self.campaign, replace(self.asked)
        for known, asked in self._again.values():
            result.noise_floor += min(campaign.noise_floor, known) * asked
        pairs = self._pairs.copy()
        for (name, task, _), (members, number) in self._versions.items():
            pairs[name, task] += number * members * members
        for (label, task, name), row in self._rows.items():
            findings, paid = min(campaign.confirm, row.verdicts), not self._is_free(label)
            result.confirm += findings * row.questions * paid
            tried = findings * campaign.shrink * row.turns
            result.shrink += tried * paid
            pairs[name, task] += COMPARED * (findings * row.members**2 + tried * max(1, row.members))
        later = result.repeats + result.beside + result.noise_floor + result.confirm + result.shrink
        result.steps = self._steps + later * self._longest
        result.judge = self._judged(pairs, result.noise_floor)
        return result

    def expected(self, share: float, shrunk: int) -> tuple[int, int]:
        """Return the questions of confirm and shrink where this share of the verdicts are findings."""
        confirmed = made_smaller = 0
        for (label, _, _), row in self._rows.items():
            findings = min(self.campaign.confirm, round(share * row.verdicts)) * (not self._is_free(label))
            confirmed += findings * row.usual
            made_smaller += findings * min(self.campaign.shrink, shrunk) * row.turns
        return confirmed, made_smaller

    def expected_repeats(self) -> int:
        """Return how often sources are asked again where their follow-ups, or they, are few: once, mostly."""
        questions: Counter[str] = Counter()
        for known in self._known.values():
            questions[known.task] += known.number * known.turns
        return sum(
            known.number * known.turns * known.systems
            for known in self._known.values()
            if known.siblings and (known.siblings < REPLIES * known.turns or questions[known.task] < QUESTIONS)
        )

    def _judged(self, pairs: Counter[tuple[str, str]], again: int) -> int:
        judges = self.campaign.judges
        known = [*judges.by_kind.values(), *judges.by_task.values(), *judges.by_measure.values()]
        if not any(isinstance(judge.measure, AsksHelper) for judge in known):
            return 0
        work: Counter[int] = Counter()
        by_id: dict[int, Judge] = {}
        for (name, task), number in pairs.items():
            judge = judges.of(self._names[name], task)
            by_id[id(judge)] = judge
            work[id(judge)] += number
        for task in self._again:
            judge = judges.of(self.campaign.no_change, task)
            by_id[id(judge)] = judge
            work[id(judge)] += COMPARED * again
        return sum(
            judge.measure.most_asked(work[key]) for key, judge in by_id.items() if isinstance(judge.measure, AsksHelper)
        )

    def _systems(self, source: Source) -> list[str]:
        return [target.label for target in self.campaign.targets if source.concerns(target.label)]

    def _is_stateful(self, label: str) -> bool:
        return self._layer(label).stateful

    def _is_free(self, label: str) -> bool:
        return self._layer(label).free

    def _layer(self, label: str) -> QueryLayer:
        return next(target.layer for target in self.campaign.targets if target.label == label)


def _turns(source: Source, derivation: Derivation) -> int:
    """Return how many turns of a follow-up are asked at most: an order of rounds may take each twice, and add some."""
    asked = len(source.case.asked)
    levels = {TRANSFORMATIONS[s.transformation].level for s in derivation.steps if s.transformation in TRANSFORMATIONS}
    return 2 * asked + max(1, added_turns(derivation.steps)) if "dialogue" in levels else asked
