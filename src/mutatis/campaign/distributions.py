"""Clusters the answers to each question, across its wordings and repeated draws.

A question is unstable if the answers to its wordings form two large clusters. Repeated draws (`[judge] draws`) show the
distribution of answers, and a test pooled over sources compares the draws of a relation's follow-ups with their
sources' draws. Differences among the draws of one input are the noise of the system and its judge. None of this changes
a verdict.
"""

from __future__ import annotations

import heapq
import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, combinations, islice
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeAlias

from mutatis.analysis.distributions import LEFT_OUT, PermutationTest, entropy, pass_hat, significant
from mutatis.analysis.real import Noise
from mutatis.campaign.events import Unstable
from mutatis.campaign.follow_up import FollowUp
from mutatis.campaign.judging import Judges, judge_all
from mutatis.campaign.observe import is_drawn
from mutatis.campaign.verdict_file import UnfinishedFile
from mutatis.core.constraint import is_open
from mutatis.core.decision import Outcome
from mutatis.core.measure import AsksHelper
from mutatis.core.relation import Group, MetamorphicRelation, Observation
from mutatis.core.verdict import Row, Verdict
from mutatis.records.files import DRAWS_FILE, writing_to
from mutatis.records.jsontext import dump

OF_SIZE, FEWEST = 0.25, 3
"""Minimum share and minimum number of wordings with the same answer that form a large cluster."""

SHOWN = 300
"""Maximum number of sources listed in the report itself. The sources with the most varied answers are chosen."""

Place: TypeAlias = tuple[str, int]
"""The place of a question: the system that it is put to, and its turn."""


class DrawsFile(UnfinishedFile):
    """A file with the distribution of the answers to each source, written when the source is closed.

    Args:
        folder: the final folder of `draws.jsonl`; None keeps the lines in a temporary file.
    """

    def __init__(self, folder: Path | None) -> None:
        super().__init__(folder, DRAWS_FILE)

    def write(self, record: Mapping[str, Any]) -> None:
        """Write the distribution of the next source to the file."""
        with writing_to(self.path):
            self.open().write(dump(record).encode("utf-8") + b"\n")

    def most_varied(self) -> list[dict[str, Any]]:
        """Return the distributions of the sources whose answers vary most. Ties keep their order."""
        if self.lines is None:
            return []
        self.lines.seek(0)
        return heapq.nlargest(SHOWN, map(json.loads, self.lines), key=itemgetter("entropy"))


@dataclass(slots=True)
class _Wording:
    """The answers to one wording of a question, with the rows and findings that they belong to.

    The answer that the run itself judges comes first.
    """

    answers: list[Observation]
    rows: set[Row] = field(default_factory=set)
    findings: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Question:
    """A question with the answers to the source and to each of its other wordings.

    `template` is a verdict of the relation that expects the same answer. Two answers are compared by judging a copy.
    """

    template: Verdict
    source: list[Observation]
    wordings: dict[str, _Wording] = field(default_factory=dict)


@dataclass(slots=True)
class _Means:
    """Sums over the sources of a system and task.

    `passing` has an entry for each k: the number of sources with a pass^k, and its sum.
    """

    sources: int = 0
    entropy: float = 0.0
    passing: list[tuple[int, float]] = field(default_factory=list)

    def add(self, spread: float, passing: Sequence[float]) -> None:
        """Add the entropy and the pass^k values of one source. Sources with failed answers have fewer values."""
        self.sources += 1
        self.entropy += spread
        for place, share in enumerate(passing):
            if place == len(self.passing):
                self.passing.append((0, 0.0))
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
        self._open: dict[tuple[str, str], dict[Place, _Question]] = defaultdict(dict)
        self._tests: dict[Row, PermutationTest] = defaultdict(PermutationTest)
        self._means: dict[tuple[str, str], _Means] = defaultdict(_Means)
        self.noise: dict[tuple[str, str], Noise] = defaultdict(Noise)

    def add(self, follow_up: FollowUp) -> None:
        """Keep the answers to a judged follow-up until its source is closed."""
        for verdict in follow_up.verdicts:
            if verdict.group is not None and self._is_compared(verdict, verdict.group):
                self._keep_answers(verdict, verdict.group, follow_up)

    def _is_compared(self, verdict: Verdict, group: Group) -> bool:
        """Return True if the follow-up should get the same distribution of answers as its source.

        Only the first repeat counts, because the others are kept as draws. Follow-ups that were chosen because of
        earlier answers would bias the tests.
        """
        relation, decision = verdict.relation, verdict.decided
        if verdict.repeat or not verdict.estimates or relation.name == self._no_change.name or not is_drawn(relation):
            return False
        # Another distribution may be one of stronger answers, which this relation allows.
        if relation.output_relation.name == "equal-or-stronger" and isinstance(group.members[0].answer, int | float):
            return False
        judged = decision.outcome in (Outcome.SATISFIED, Outcome.VIOLATED)
        return judged or is_open(decision.precondition or "")

    def _keep_answers(self, verdict: Verdict, group: Group, follow_up: FollowUp) -> None:
        """Keep the answers to the source and to the follow-up, unless this wording is known already."""
        [member] = group.members
        of_system = (answers for answers in (*follow_up.answers, *follow_up.draws) if answers.system == verdict.system)
        further_answers = [answers for answers in of_system if answers.repeat > 0]  # that of repeat 0 is in the group
        questions = self._open[verdict.source.task, verdict.source.id]
        question = questions.get((verdict.system, verdict.turn))
        if question is None:
            template = Verdict(
                system=verdict.system,
                relation=self._no_change,
                source=verdict.source,
                turn=verdict.turn,
                block=verdict.block,
            )
            drawn = [answers.source[verdict.turn] for answers in further_answers if verdict.turn in answers.source]
            question = questions[verdict.system, verdict.turn] = _Question(template, [group.source, *drawn])
        words = _wording_of(member)
        if words == _wording_of(group.source):
            return  # the same question has the same stored answers: there is nothing to compare
        if words not in question.wordings:
            of_wording = (answers.follow_up.get(member.turn) for answers in further_answers)
            question.wordings[words] = _Wording([member, *filter(None, of_wording)])
        wording = question.wordings[words]
        wording.rows.add(verdict.row)
        if verdict.outcome is Outcome.VIOLATED:
            wording.findings.append(verdict.finding)

    async def close(self, source: tuple[str, str] | None = None) -> list[Unstable]:
        """Summarise the questions of a source (its task and id) and release its answers. Return the unstable questions.

        A question is unstable if the answers to its wordings form two large clusters. If its wordings are not
        clustered, only the answers to the source itself are compared, as a measure of the noise. None closes all
        sources that are still open, because a search that learns never marks a proposal as the last of its source.
        """
        unstable_questions = []
        closed = list(self._open) if source is None else [source]
        for question in chain.from_iterable(self._open.pop(key, {}).values() for key in closed):
            if self._needs_clusters(question):
                clusters = await self._clusters(question)
                of_source = clusters[0]
                self._add_noise(question, of_source)
                if self._draws > 1:  # a single answer has no distribution
                    self._record(question, of_source)
                    self._add_to_tests(question, clusters)
                if (unstable := _unstable(question, clusters)) is not None:
                    unstable_questions.append(unstable)
            elif len(question.source) > 1 and not self._asks_helper(question):
                self._add_noise(question, await clustered(question.template, question.source, self._judges))
        return unstable_questions

    def _needs_clusters(self, question: _Question) -> bool:
        """Return True if the answers to all wordings of a question are to be clustered.

        This is always the case if distributions are tested. Otherwise, it is only worth the comparisons if enough
        wordings are violated to form a second large cluster and no helper has to be asked.
        """
        if self._draws > 1:
            return True
        violated = sum(bool(wording.findings) for wording in question.wordings.values())
        return violated >= FEWEST and not self._asks_helper(question)

    def _asks_helper(self, question: _Question) -> bool:
        """Return True if the judge asks a helper. In that case, only the pairs of the verdicts are compared."""
        judge = self._judges.of(self._no_change, question.template.source.task)
        return isinstance(judge.measure, AsksHelper)

    async def _clusters(self, question: _Question) -> list[list[int]]:
        """Return the cluster numbers of the answers to each wording of a question, beginning with the source's own."""
        answers_of = [question.source, *(wording.answers for wording in question.wordings.values())]
        labels = iter(await clustered(question.template, list(chain(*answers_of)), self._judges))
        return [list(islice(labels, len(answers))) for answers in answers_of]

    def _record(self, question: _Question, labels: Sequence[int]) -> None:
        """Write the clusters of the answers to a source to the file, and add their entropy to the means."""
        template, texts, clusters = question.template, _texts(question.source, labels), _sizes(labels)
        sizes = [size for _, size in clusters]
        spread, passing = round(entropy(sizes), 6), pass_hat(max(sizes), sum(sizes)) if sizes else []
        self._means[template.system, template.source.task].add(spread, passing)
        self._file.write(
            {
                "system": template.system,
                "task": template.source.task,
                "source": template.source.id,
                "turn": template.turn,
                "draws": len(labels),
                "clusters": [[texts[label], size] for label, size in clusters],
                "left_out": labels.count(LEFT_OUT),
                "entropy": spread,
                "pass_k": [round(share, 6) for share in passing],
            }
        )

    def _add_to_tests(self, question: _Question, clusters: Sequence[list[int]]) -> None:
        """Compare the answers to the source with those to each other wording, in the test of the wording's rows."""
        source, *others = clusters
        if not _sizes(source):
            return
        wordings_of: dict[Row, list[Sequence[int]]] = defaultdict(list)
        for wording, labels in zip(question.wordings.values(), others, strict=True):
            for row in wording.rows if _sizes(labels) else ():
                wordings_of[row].append(labels)
        template = question.template
        seed = f"{self._seed}/draws/{template.system}/{template.source.task}/{template.source.question}"
        for row, wordings in wordings_of.items():
            self._tests[row].add(source, wordings, seed)

    def _add_noise(self, question: _Question, labels: Sequence[int]) -> None:
        """Count the pairs of answers to the source itself that differ in wording, and those with different meanings."""
        answers = [
            (answer.response.said, label)
            for answer, label in zip(question.source, labels, strict=True)
            if label != LEFT_OUT and answer.response is not None
        ]
        pairs = list(combinations(answers, 2))
        self.noise[question.template.system, question.template.source.task] += Noise(
            pairs=len(pairs),
            reworded=sum(text != other_text for (text, _), (other_text, _) in pairs),
            differing=sum(label != other_label for (_, label), (_, other_label) in pairs),
        )

    def records(self) -> dict[str, Any]:
        """Return the distributions as JSON data for the report, or nothing if no draws were asked for.

        These are the mean entropy of the answers to a source and the mean of each pass^k, per system and task, and the
        sources whose answers vary most.
        """
        if self._draws < 2:
            return {}
        means_of_rows = [
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
        # Within a row, "draws" is a number; beside the rows, it has the records of the file of this name.
        return {"distributions": means_of_rows, "draws": self._file.most_varied()}

    def with_shifts(self, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Return the rows of the summary, adding to each row with repeated draws the result of its test.

        Significance is corrected for the number of tests in the run.
        """
        names = [(row["system"], row["task"], row["relation"]) for row in rows]
        tested = {name: p for name in names if name in self._tests and (p := self._tests[name].p) is not None}
        shifted = significant(list(tested.values()))
        shifts = {
            name: {"shift_p": round(p, 6), "shifted": is_shifted, "shift_sources": self._tests[name].sources}
            for (name, p), is_shifted in zip(tested.items(), shifted, strict=True)
        }
        return [{**row, **shifts.get(name, {})} for name, row in zip(names, rows, strict=True)]


def _wording_of(observation: Observation) -> str:
    """Return a key for the question up to the judged turn.

    Relations that make the same follow-up get the same key and therefore share its answers.
    """
    turns = observation.case.turns[: observation.turn + 1]
    return repr(([sorted(turn.fields.items()) for turn in turns], sorted(observation.case.material.items())))


def _sizes(labels: Sequence[int]) -> list[tuple[int, int]]:
    """Return the label and the size of each cluster, the largest first."""
    counts = Counter(label for label in labels if label != LEFT_OUT)
    return sorted(counts.items(), key=lambda cluster: (-cluster[1], cluster[0]))


def _texts(answers: Sequence[Observation], labels: Sequence[int]) -> dict[int, str]:
    """Return the most common answer text of each cluster."""
    texts: dict[int, Counter[str]] = defaultdict(Counter)
    for answer, label in zip(answers, labels, strict=True):
        if answer.response is not None:
            texts[label][answer.response.said] += 1
    return {label: min(counts, key=lambda text: (-counts[text], text)) for label, counts in texts.items()}


def _unstable(question: _Question, clusters: Sequence[Sequence[int]]) -> Unstable | None:
    """Return an event if a question is unstable (each of its two most common answers is frequent), else None.

    `clusters` has the cluster numbers of the answers to the source and to each other wording. Only the first answer to
    each counts, which is the one that the run itself judges.
    """
    answers = [question.source[0], *(wording.answers[0] for wording in question.wordings.values())]
    labels = [labels_of_wording[0] for labels_of_wording in clusters]
    largest = _sizes(labels)[:2]
    if len(largest) < 2:
        return None
    (first, _), (second, size) = largest
    if size < max(FEWEST, OF_SIZE * len(labels)):
        return None
    source_label, *wording_labels = labels
    contradiction = {first: second, second: first}.get(source_label)  # None if the source gets a third answer
    findings = [
        name
        for wording, label in zip(question.wordings.values(), wording_labels, strict=True)
        if label == contradiction
        for name in wording.findings
    ]
    texts = _texts(answers, labels)
    return Unstable(
        source=question.template.source,
        shares=tuple((texts[label], number) for label, number in largest),
        wordings=len(labels),
        findings=frozenset(findings),
    )


async def clustered(template: Verdict, answers: Sequence[Observation], judges: Judges) -> list[int]:
    """Return the cluster number of each answer, or `LEFT_OUT` for failures and answers that cannot be compared.

    Answers with equal labels, values or texts count as one. The most common answer starts a cluster, and every answer
    that the judge calls the same joins it. The most common of the rest starts the next cluster, and so on. An answer
    that the judge could not compare with the first answer of some cluster never starts a cluster, and is left out
    unless it joins one. The order depends only on the answers, not on whether they belong to the source or a follow-up,
    because the permutation test swaps them.

    Args:
        template: a verdict of the relation that expects the same answer to the question. For each comparison, a copy of
            it is judged that has the two answers as its group.
        answers: answers to any wording of the question.
        judges: the judges of the run.
    """
    verbatim = judges.of(template.relation, template.source.task).verbatim
    keys = [
        None if answer.response is None else answer.response.said if verbatim else repr(answer.answer)
        for answer in answers
    ]
    counts = Counter(key for key in keys if key is not None)
    example_of = dict(zip(reversed(keys), reversed(answers), strict=True))  # the first answer of each key
    waiting = sorted(counts, key=lambda key: (-counts[key], key))
    cluster_of: dict[str, int] = {}
    undecided: set[str] = set()  # answers that the judge could not compare with the first answer of some cluster
    number = 0
    while firsts := [key for key in waiting if key not in undecided]:
        first = firsts[0]
        cluster_of[first] = number
        waiting.remove(first)
        outcomes = await _compared(template, example_of[first], [example_of[key] for key in waiting], judges)
        for key, outcome in zip(list(waiting), outcomes, strict=True):
            if outcome is Outcome.SATISFIED:
                cluster_of[key] = number
                waiting.remove(key)
            elif outcome is not Outcome.VIOLATED:
                undecided.add(key)
        number += 1
    return [LEFT_OUT if key is None else cluster_of.get(key, LEFT_OUT) for key in keys]


async def _compared(
    template: Verdict, first: Observation, others: Sequence[Observation], judges: Judges
) -> list[Outcome]:
    """Compare each of the other answers with the first, and return the outcomes."""
    pairs = [
        replace(template, group=Group(source=first, members=(other,), reference=(first.answer,)), decision=None)
        for other in others
    ]
    return [verdict.outcome for verdict in await judge_all(pairs, judges)]
