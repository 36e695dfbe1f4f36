"""Clusters the answers to each question, across its wordings and repeated draws.

A question is unstable if the answers to its wordings form two large clusters. Repeated draws (`[judge] draws`) show the
distribution of answers, and a test pooled over sources compares the draws of a relation's follow-ups with those of
their sources. Differences among the draws of one input are the noise of the system and its judge. None of this changes
a verdict.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, combinations, islice
from pathlib import Path
from typing import Any, TypeAlias

from mutatis.analysis.distributions import LEFT_OUT, PermutationTest, entropy, pass_hat, significant
from mutatis.analysis.real import Noise
from mutatis.campaign.draws import is_drawn
from mutatis.campaign.events import Unstable
from mutatis.campaign.follow_up import FollowUp
from mutatis.campaign.judging import Judges, judge_all
from mutatis.campaign.unfinished_file import UnfinishedFile
from mutatis.core.constraint import is_open
from mutatis.core.decision import Decision, Outcome
from mutatis.core.measure import AsksHelper
from mutatis.core.relation import Group, MetamorphicRelation, Observation
from mutatis.core.verdict import Row, Verdict
from mutatis.records.files import DRAWS_FILE, writing_to
from mutatis.records.jsontext import dump

OF_SIZE, FEWEST = 0.25, 3
"""Minimum share and minimum number of wordings with the same answer that form a large cluster."""

SHOWN = 300
"""Maximum number of sources listed in the report itself. The sources with the most varied answers are chosen."""

Question: TypeAlias = tuple[str, int]
"""A judged question of a source, as system and turn."""


class DrawsFile(UnfinishedFile):
    """A file with the distribution of the answers to each source, written when the source is closed.

    The distributions with the most variation are also kept in memory.

    Args:
        folder: the folder for `draws.jsonl`; if None, no file is kept.
    """

    def __init__(self, folder: Path | None) -> None:
        super().__init__(folder, DRAWS_FILE)
        self._kept = folder is not None
        self._number = 0
        self._most: list[tuple[float, int, dict[str, Any]]] = []

    def write(self, record: Mapping[str, Any]) -> None:
        """Write the distribution of the next source to the file."""
        self._number += 1
        entry = (record["entropy"], -self._number, dict(record))
        (heapq.heappush if len(self._most) < SHOWN else heapq.heappushpop)(self._most, entry)
        if self._kept:
            with writing_to(self.path):
                self.open().write(dump(record).encode("utf-8") + b"\n")

    @property
    def most(self) -> list[dict[str, Any]]:
        """The distributions of the sources whose answers vary most. Ties keep their order."""
        return [record for *_, record in sorted(self._most, key=lambda entry: (-entry[0], -entry[1]))]


@dataclass(slots=True)
class _Wording:
    """The answers to one wording of a question, with the rows and findings that they belong to.

    The answer that the run itself judges comes first.
    """

    answers: list[Observation]
    rows: dict[Row, None] = field(default_factory=dict)
    findings: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _AskedTurn:
    """A question with the answers to the source and to each of its other wordings."""

    verdict: Verdict
    source: list[Observation]
    wordings: dict[str, _Wording] = field(default_factory=dict)


@dataclass(slots=True)
class _Means:
    """Sums over the sources of a system and task: their number, their entropies, and pass^k for each k."""

    sources: int = 0
    entropy: float = 0.0
    passing: list[tuple[int, float]] = field(default_factory=list)

    def add(self, spread: float, passing: Sequence[float]) -> None:
        """Add the entropy and the pass^k values of one source."""
        self.sources += 1
        self.entropy += spread
        self.passing += [(0, 0.0)] * (len(passing) - len(self.passing))
        for place, share in enumerate(passing):
            number, total = self.passing[place]
            self.passing[place] = number + 1, total + share


class Distributions:
    """Clusters the answers of a run, source by source.

    Args:
        judges: the judges of the run.
        no_change: the relation that expects the same answer to the same input.
        seed: the seed of the run.
        draws: number of answers drawn for each source and follow-up. Below 2, nothing is tested.
        file: the file for the distribution of each source.
    """

    def __init__(
        self, *, judges: Judges, no_change: MetamorphicRelation, seed: int, draws: int, file: DrawsFile
    ) -> None:
        self._judges, self._no_change, self._seed, self._draws, self._file = judges, no_change, seed, draws, file
        self._open: dict[tuple[str, str], dict[Question, _AskedTurn]] = defaultdict(dict)
        self._tests: dict[Row, PermutationTest] = defaultdict(PermutationTest)
        self._means: dict[tuple[str, str], _Means] = defaultdict(_Means)
        self.noise: dict[tuple[str, str], Noise] = defaultdict(Noise)

    def add(self, follow_up: FollowUp) -> None:
        """Keep the answers to a judged follow-up until its source is closed."""
        for verdict in follow_up.verdicts:
            if verdict.repeat or not is_drawn(verdict.relation) or not _is_judged(verdict):
                continue
            if verdict.relation.name == self._no_change.name or verdict.group is None or not verdict.estimates:
                continue
            self._keep(verdict, follow_up)

    def _keep(self, verdict: Verdict, follow_up: FollowUp) -> None:
        assert verdict.group is not None, "it is judged"
        [member] = verdict.group.members
        if verdict.relation.output_relation.name == "equal-or-stronger" and isinstance(member.answer, int | float):
            return  # another distribution may be one of stronger answers
        asked = self._open[verdict.source.task, verdict.source.id]
        question = asked.get((verdict.system, verdict.turn))
        every = (*follow_up.answers, *follow_up.draws)
        again = [answers for answers in every if answers.system == verdict.system and answers.repeat]
        if question is None:
            plain = Verdict(
                system=verdict.system,
                relation=self._no_change,
                source=verdict.source,
                turn=verdict.turn,
                block=verdict.block,
            )
            drawn = [answers.source[verdict.turn] for answers in again if verdict.turn in answers.source]
            question = asked[verdict.system, verdict.turn] = _AskedTurn(plain, [verdict.group.source, *drawn])
        name = _wording(member)
        if name == _wording(verdict.group.source):
            return  # the same question has the same stored answers: there is nothing to compare
        if name not in question.wordings:
            drawn = [answers.follow_up[member.turn] for answers in again if member.turn in answers.follow_up]
            question.wordings[name] = _Wording([member, *drawn])
        wording = question.wordings[name]
        wording.rows[verdict.row] = None
        if verdict.outcome is Outcome.VIOLATED:
            wording.findings.append(verdict.finding)

    async def close(self, task: str, source: str) -> list[Unstable]:
        """Summarise the questions of a source and release its answers. Return the unstable questions.

        A question is unstable if its answers form two large clusters.
        """
        unstable_rows = []
        for asked in self._open.pop((task, source), {}).values():
            if not self._is_worth_it(asked):
                if len(asked.source) > 1 and not self._asks_helper(asked):
                    self._add_noise(asked, await clustered(asked.verdict, asked.source, self._judges))
                continue
            inputs = [asked.source, *(wording.answers for wording in asked.wordings.values())]
            labels = iter(await clustered(asked.verdict, list(chain(*inputs)), self._judges))
            groups = [list(islice(labels, len(answers))) for answers in inputs]
            if self._draws > 1:
                self._sum_up(asked, groups)
            elif len(asked.source) > 1:
                self._add_noise(asked, groups[0])
            unstable = _unstable(asked, groups)
            if unstable is not None:
                unstable_rows.append(unstable)
        return unstable_rows

    async def close_all(self) -> list[Unstable]:
        """Close every source that is still open, and return the unstable questions.

        This is needed because a search that learns never marks a proposal as the last of its source.
        """
        return [row for task, source in list(self._open) for row in await self.close(task, source)]

    def _is_worth_it(self, asked: _AskedTurn) -> bool:
        if self._draws > 1:
            return True
        violated = sum(bool(wording.findings) for wording in asked.wordings.values())
        return violated >= FEWEST and not self._asks_helper(asked)

    def _asks_helper(self, asked: _AskedTurn) -> bool:
        """Return True if the judge asks a helper. In that case, no pairs are compared beyond those of the verdicts."""
        judge = self._judges.of(self._no_change, asked.verdict.source.task)
        return isinstance(judge.measure, AsksHelper)

    def _sum_up(self, asked: _AskedTurn, groups: Sequence[list[int]]) -> None:
        """Record the answers to a source, and test whether its other wordings get a different distribution of answers.

        `groups` are the cluster labels of the answers, first for the source and then for each wording.
        """
        source, *others = groups
        sizes = [number for _, number in _sizes(source)]
        self._record(asked, source, sizes)
        self._add_noise(asked, source)
        if sizes:
            self._add_to_tests(asked, source, others)

    def _record(self, asked: _AskedTurn, labels: list[int], sizes: Sequence[int]) -> None:
        """Write the clusters of the answers to a source to the file, and add their entropy to the means."""
        verdict, texts = asked.verdict, _texts(asked.source, labels)
        spread, passing = round(entropy(sizes), 6), pass_hat(sizes[0], sum(sizes)) if sizes else []
        self._means[verdict.system, verdict.source.task].add(spread, passing)
        self._file.write(
            {
                "system": verdict.system,
                "task": verdict.source.task,
                "source": verdict.source.id,
                "turn": verdict.turn,
                "draws": len(labels),
                "clusters": [[texts[label], number] for label, number in _sizes(labels)],
                "left_out": labels.count(LEFT_OUT),
                "entropy": spread,
                "pass_k": [round(share, 6) for share in passing],
            }
        )

    def _add_to_tests(self, asked: _AskedTurn, source: list[int], others: Sequence[list[int]]) -> None:
        """Update the tests of each row with the answers to its wordings and to the source."""
        rows: dict[Row, list[Sequence[int]]] = defaultdict(list)
        for wording, group in zip(asked.wordings.values(), others, strict=True):
            if any(label != LEFT_OUT for label in group):
                for row in wording.rows:
                    rows[row].append(group)
        verdict = asked.verdict
        seed = f"{self._seed}/draws/{verdict.system}/{verdict.source.task}/{verdict.source.question}"
        for row, tested in rows.items():
            self._tests[row].add(source, tested, seed)

    def _add_noise(self, asked: _AskedTurn, labels: Sequence[int]) -> None:
        known = [
            (answer.response.said, label)
            for answer, label in zip(asked.source, labels, strict=True)
            if label != LEFT_OUT and answer.response is not None
        ]
        pairs = list(combinations(known, 2))
        self.noise[asked.verdict.system, asked.verdict.source.task] += Noise(
            pairs=len(pairs),
            reworded=sum(left[0] != right[0] for left, right in pairs),
            differing=sum(left[1] != right[1] for left, right in pairs),
        )

    def means(self) -> list[dict[str, Any]]:
        """Return the mean entropy of the answers to a source and the mean of each pass^k, per system and task."""
        return [
            {
                "system": system,
                "task": task,
                "sources": means.sources,
                "draws": self._draws,
                "entropy": round(means.entropy / means.sources, 6),
                "pass_k": [round(total / number, 6) for number, total in means.passing],
            }
            for (system, task), means in self._means.items()
        ]

    def beside(self, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Return the rows of the summary, adding to each row with repeated draws the result of its test.

        Significance is corrected for the number of tests in the run.
        """
        names = [(row["system"], row["task"], row["relation"]) for row in rows]
        tested = {name: p for name in names if name in self._tests and (p := self._tests[name].p) is not None}
        told = dict(zip(tested, significant(list(tested.values())), strict=True))
        return [
            dict(row)
            if name not in tested
            else {
                **row,
                "shift_p": round(tested[name], 6),
                "shifted": told[name],
                "shift_sources": self._tests[name].sources,
            }
            for name, row in zip(names, rows, strict=True)
        ]


def _is_judged(verdict: Verdict) -> bool:
    decision: Decision = verdict.decided
    return decision.outcome in (Outcome.SATISFIED, Outcome.VIOLATED) or is_open(decision.precondition or "")


def _wording(observation: Observation) -> str:
    """Return a key for the question up to the judged turn.

    Relations that make the same follow-up get the same key and therefore share its answers.
    """
    turns = observation.case.turns[: observation.turn + 1]
    return repr(([sorted(turn.fields.items()) for turn in turns], sorted(observation.case.material.items())))


def _sizes(labels: Sequence[int]) -> list[tuple[int, int]]:
    """Return the clusters with their sizes, the largest first."""
    counts = Counter(label for label in labels if label != LEFT_OUT)
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def _texts(answers: Sequence[Observation], labels: Sequence[int]) -> dict[int, str]:
    """Return the most common answer text of each cluster."""
    texts: dict[int, Counter[str]] = defaultdict(Counter)
    for answer, label in zip(answers, labels, strict=True):
        if answer.response is not None:
            texts[label][answer.response.said] += 1
    return {label: min(counts, key=lambda text: (-counts[text], text)) for label, counts in texts.items()}


def _unstable(asked: _AskedTurn, groups: Sequence[Sequence[int]]) -> Unstable | None:
    """Return an event if a question is unstable (each of its two most common answers is frequent), else None."""
    firsts = [asked.source[0], *(wording.answers[0] for wording in asked.wordings.values())]
    labels = [group[0] for group in groups]
    sizes = _sizes(labels)[:2]
    if len(sizes) < 2 or sizes[1][1] < max(FEWEST, OF_SIZE * len(labels)):
        return None
    both = [label for label, _ in sizes]
    findings = [
        name
        for wording, label in zip(asked.wordings.values(), labels[1:], strict=True)
        if labels[0] in both and label in both and label != labels[0]
        for name in wording.findings
    ]
    texts = _texts(firsts, labels)
    return Unstable(
        source=asked.verdict.source,
        shares=tuple((texts[label], number) for label, number in sizes),
        wordings=len(labels),
        findings=frozenset(findings),
    )


async def clustered(question: Verdict, answers: Sequence[Observation], judges: Judges) -> list[int]:
    """Return the cluster number of each answer, or `LEFT_OUT` for failures and answers that cannot be compared.

    Answers with equal labels, values or texts count as one. The most common answer starts a cluster, and every answer
    that the judge calls the same joins it. The most common of the rest starts the next cluster, and so on. An answer
    that the judge could not compare with the first answer of some cluster never starts a cluster, and is left out
    unless it joins one. The order depends only on the answers, not on whether they belong to the source or a follow-up,
    because the permutation test swaps them.

    Args:
        question: a verdict that is still to be judged, of the relation that expects the same answer to the question.
        answers: answers to any wording of the question.
        judges: the judges of the run.
    """
    verbatim = judges.of(question.relation, question.source.task).verbatim
    keys = [
        None if answer.response is None else answer.response.said if verbatim else repr(answer.answer)
        for answer in answers
    ]
    first: dict[str, Observation] = {}
    for key, answer in zip(keys, answers, strict=True):
        if key is not None:
            first.setdefault(key, answer)
    counts = Counter(key for key in keys if key is not None)
    left = sorted(counts, key=lambda key: (-counts[key], key))
    cluster: dict[str, int] = {}
    unsure: set[str] = set()
    number = 0
    while (beginning := next((key for key in left if key not in unsure), None)) is not None:
        left.remove(beginning)
        cluster[beginning] = number
        outcomes = await _compared(question, first[beginning], [first[key] for key in left], judges)
        for key, outcome in zip(list(left), outcomes, strict=True):
            if outcome is Outcome.SATISFIED:
                cluster[key] = number
                left.remove(key)
            elif outcome is not Outcome.VIOLATED:
                unsure.add(key)
        number += 1
    return [LEFT_OUT if key is None else cluster.get(key, LEFT_OUT) for key in keys]


async def _compared(
    question: Verdict, first: Observation, others: Sequence[Observation], judges: Judges
) -> list[Outcome]:
    """Compare each of the other answers with the first, and return the outcomes."""
    pairs = [
        replace(question, group=Group(source=first, members=(other,), reference=(first.answer,)), decision=None)
        for other in others
    ]
    return [verdict.outcome for verdict in await judge_all(pairs, judges)]
