"""Counts the outcomes in each row of the report, the violations of each source, and the answers of the systems."""

from __future__ import annotations

import bisect
import hashlib
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import filterfalse, islice
from operator import itemgetter
from typing import Any, Generic, TypeAlias, TypeVar

from mutatis.analysis.intervals import Rate, exceeds, violation_rate
from mutatis.analysis.real import NO_FIGURES, NO_NOISE, UNTRIED, Confirmed, Figures, Noise, Trust, expected_real
from mutatis.campaign.events import Event, SourceClosed, SourceObserved
from mutatis.campaign.follow_up import LANGUAGE
from mutatis.core.cases import Case
from mutatis.core.constraint import is_open, of_inputs
from mutatis.core.decision import Decision, Outcome
from mutatis.core.gathering import one_of_each
from mutatis.core.languages import ENGLISH, NAMES, SEVERAL, is_english
from mutatis.core.relation import Change, Group, MetamorphicRelation, Observation
from mutatis.core.search import Rates
from mutatis.core.verdict import Row, Verdict
from mutatis.text.languages import is_plainly_english, reply_language

K = TypeVar("K", bound=Hashable)

KINDS, LONGEST, LONGEST_ERROR = 10_000, 200, 500
"""Maximum number of different answers, errors or reasons counted, and the number of characters compared.

Of an error, more are kept, because its remedy is at the end.
"""


@dataclass(slots=True, kw_only=True)
class Finding:
    """The violations that form one finding: the first one, their number, and the results of confirm and shrink.

    `shrunk_decision` is the decision on the shrunk follow-up, with its own reason.
    """

    verdict: Verdict
    count: int = 1
    confirmed: bool | None = None
    shrunk: Observation | None = None
    shrunk_decision: Decision | None = None

    @property
    def group(self) -> Group:
        """The group of answers that violates the relation."""
        assert self.verdict.group is not None
        return self.verdict.group


@dataclass(slots=True)
class Outputs:
    """The answers of one system to the cases of one task, for the health checks.

    `answers`, `errors`, `answered` and `total` count sources. `follow_ups` and `followed` count answers to follow-ups.
    Once there are too many different answers, new ones are no longer counted.
    """

    answers: Counter[str] = field(default_factory=Counter)
    follow_ups: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    answered: int = 0
    total: int = 0
    followed: int = 0


_OF_VALUES: frozenset[Change | None] = frozenset({"form", "limit", "name", "unit", "value"})
"""Kinds of change that rewrite or exchange a value on purpose, so a marked text is not lost.

Nor is it if the output relation states an expectation of its own, as for "And for 6 people?" in place of the question.
"""


def lost_mention(group: Group) -> str:
    """Return the kind of marked text (entities or values) that an edit destroyed, changing the task, or "" if none."""
    source = group.source.asked
    kinds: dict[str, str] = {}
    for kind, mentions in source.annotations.get("protected", {}).items():
        kinds |= dict.fromkeys(mentions, kind)
    if not kinds:
        return ""
    for member in group.members:
        changed = member.asked.fields
        if any(text in kinds and changed.get(name) != text for name, text in source.fields.items()):
            continue  # a field that consists of an entity was edited on purpose (exchanged with another, for example)
        for name, text in source.fields.items():
            for mention, kind in kinds.items():
                if mention in text and mention not in changed.get(name, ""):
                    return kind
    return ""


NEARLY_ALL = 0.9
"""Minimum share of the verdicts of a row in one language, for the readings in that language to count for the row."""

EXAMPLES, OPEN = 2, 20
"""Number of example verdicts kept per row, for each outcome except violations, and for open verdicts."""

OPEN_SHOWN = 300
"""Maximum number of open verdicts included in the report itself."""


_Examples: TypeAlias = list[tuple[str, Verdict]]
"""Verdicts with their hashes, the smallest first."""


def _keep(examples: _Examples, verdict: Verdict, most: int) -> None:
    """Keep the `most` verdicts with the smallest hashes. The choice does not depend on the order of the answers."""
    name = f"{verdict.finding}/{verdict.draw}/{verdict.repeat}"
    bisect.insort(examples, (hashlib.blake2b(name.encode(), digest_size=8).hexdigest(), verdict), key=itemgetter(0))
    del examples[most:]


class SourceCounts(Generic[K]):
    """Counts, for each key and source, how many verdicts there are and how many are of a certain kind.

    For closed sources, only the number of sources with the same two counts is kept, because memory use would otherwise
    grow with the run.
    """

    def __init__(self) -> None:
        self.open: dict[K, dict[tuple[str, str], list[int]]] = defaultdict(dict)
        """For each key, the counts of each open source, by task and id."""
        self.closed: dict[K, Counter[tuple[int, int]]] = defaultdict(Counter)

    def add(self, source: Case, key: K, *, counts: bool, judged: bool = True) -> None:
        """Count a verdict. `counts` is True if it is of the kind in question.

        A verdict that was not judged only registers its key.
        """
        pair = self.open[key].setdefault((source.task, source.id), [0, 0])
        pair[0] += counts and judged
        pair[1] += judged

    def close(self, source: Case) -> None:
        """Move the counts of a source from the open to the closed ones, after its last verdict."""
        for key, sources in self.open.items():
            if (counts := sources.pop((source.task, source.id), None)) is not None:
                part, whole = counts
                self.closed[key][part, whole] += 1

    def rate(self, key: K) -> Rate:
        """Return the share of verdicts of the kind in question for a key, with its interval."""
        open_sources = ((part, whole) for part, whole in self.open[key].values())
        return violation_rate([*self.closed[key].elements(), *open_sources])


class Tally:
    """A listener that keeps the counts of a run. Memory use grows with open sources, not with verdicts or answers.

    `violated` counts the verdicts that violation rates are based on. `rates` selects them, as returned by
    `core.search.rates_of`. `refused` counts the follow-ups of each relation that does not support the language of their
    source. For questions in languages other than English, `spoken` counts how often each language was answered in each
    language.
    """

    def __init__(self, rates: Rates = "all") -> None:
        self._verdicts_rated = rates
        self.outcomes: dict[Row, Counter[str]] = defaultdict(Counter)
        self.violated = SourceCounts[Row]()
        self.scores: dict[Row, list[float]] = defaultdict(lambda: [0.0, 0.0])
        self.reasons: dict[Row, Counter[str]] = defaultdict(Counter)
        self.outputs: dict[tuple[str, str], Outputs] = defaultdict(Outputs)
        self.examples: dict[tuple[Row, Outcome], _Examples] = defaultdict(list)
        self.open: dict[Row, _Examples] = defaultdict(list)
        self.marks: dict[Row, str] = {}
        self.refused: dict[str, Counter[str]] = defaultdict(Counter)
        self.spoken: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
        self.languages: dict[Row, Counter[str]] = defaultdict(Counter)
        self._relations: dict[str, MetamorphicRelation] = {}
        self._follow_up = ""
        self._counted: set[tuple[str, int]] = set()
        """The systems and turns whose answers to the current follow-up are counted already."""

    def __call__(self, event: Event) -> None:
        """Count a verdict, or the answers to a source."""
        if isinstance(event, Verdict):
            self._count(event)
            self._count_follow_up(event)
        elif isinstance(event, SourceClosed):
            self.violated.close(event.case)
        elif isinstance(event, SourceObserved) and event.repeat == 0:
            for observation in event.observations.values():
                if not (observation.unrecorded or observation.open):  # neither answered nor failed
                    self._count_source(event.system, observation)

    def _count_source(self, system: str, observation: Observation) -> None:
        """Count the answer to one turn of a source, or the error in its place."""
        outputs = self.outputs[system, observation.case.task]
        outputs.total += 1
        if observation.error is not None:
            _count_up(outputs.errors, observation.error, LONGEST_ERROR)
        elif observation.response is not None:
            outputs.answered += 1
            _count_up(outputs.answers, _readable_answer(observation))
            self._count_language(system, observation.case.language, observation.response.text)

    def _count_language(self, system: str, asked: str, reply: str) -> None:
        """Count the language of a reply to a question in another language than English."""
        if is_english(asked) or asked not in NAMES:
            return
        replied = reply_language(reply) or (ENGLISH[0] if is_plainly_english(reply) else "")
        if replied:
            self.spoken[system][asked, replied] += 1

    def _count_follow_up(self, verdict: Verdict) -> None:
        """Count the answers to a follow-up once, although several relations may produce verdicts on them."""
        if verdict.group is None or verdict.derivation is None or verdict.repeat:
            return
        outputs = self.outputs[verdict.system, verdict.source.task]
        for member in verdict.group.members:
            if self._follow_up != member.case.id:
                self._follow_up, self._counted = member.case.id, set()
            answer = verdict.system, member.turn
            if member.response is not None and member.error is None and answer not in self._counted:
                self._counted.add(answer)
                outputs.followed += 1
                _count_up(outputs.follow_ups, _readable_answer(member))

    def _count(self, verdict: Verdict) -> None:
        """Count a verdict in its row, and keep it as an example if it is one of few."""
        row, decision = verdict.row, verdict.decided
        _, _, relation = row
        precondition = decision.precondition or ""
        self._relations[relation] = verdict.relation
        counts = self.outcomes[row]
        counts[decision.outcome.value] += 1
        counts["undecided"] += decision.undecided
        counts["unchanged"] += decision.unchanged
        counts["not_applicable"] += of_inputs(precondition)
        counts["open"] += is_open(precondition)
        counts["vacuous"] += verdict.vacuous
        if precondition == LANGUAGE:  # reported in one line for all, without examples and reasons
            counts["refused"] += 1
            self.refused[verdict.source.language][relation] += 1
            return
        self.languages[row][verdict.source.language or ENGLISH[0]] += 1
        if is_open(precondition):
            _keep(self.open[row], verdict, OPEN)
        elif decision.outcome is not Outcome.VIOLATED:
            _keep(self.examples[row, decision.outcome], verdict, EXAMPLES)
        if decision.outcome in (Outcome.SATISFIED, Outcome.VIOLATED):
            self._count_judged(verdict)
        else:
            _count_up(self.reasons[row], decision.reason or precondition)

    def _count_judged(self, verdict: Verdict) -> None:
        """Count a satisfied or violated verdict in the figures that are based on answers."""
        row, violated, score = verdict.row, verdict.outcome is Outcome.VIOLATED, verdict.decided.score
        counts = self.outcomes[row]
        if verdict.group is not None:
            counts["reworded"] += _is_reworded(verdict.group)
            relation = verdict.relation
            on_purpose = relation.change in _OF_VALUES or relation.expects == "other"
            if not on_purpose and (kind := lost_mention(verdict.group)):
                self.marks.setdefault(row, kind)
                counts["lost"] += 1
                counts["lost_violated"] += violated
        if verdict.estimates and self._verdicts_rated != "none":
            self.violated.add(verdict.source, row, counts=violated)
        if score is not None:
            self.scores[row][0] += score
            self.scores[row][1] += 1

    def open_in_turn(self, most: int) -> list[Verdict]:
        """Return up to `most` verdicts that the judge left open, taking one from each row in turn."""
        return list(islice(one_of_each([verdict for _, verdict in kept] for kept in self.open.values()), most))

    def note_refused(self, relation: str, languages: Iterable[str]) -> None:
        """Record a relation that a search left out because it does not support the languages of the cases."""
        for language in languages:
            self.refused[language][relation] += 0

    def is_refused(self, row: Row) -> bool:
        """Return True if the only result of a row is that its relation does not support the language of the cases."""
        counts = self.outcomes[row]
        return 0 < counts["refused"] == counts["invalid"] and not (
            counts["satisfied"] + counts["violated"] + counts["error"]
        )

    @property
    def all_refused(self) -> bool:
        """True if no relation supports the language of any case."""
        return bool(self.outcomes) and all(map(self.is_refused, self.outcomes))

    def pairs(self, row: Row) -> Noise:
        """Return the counts of the pairs that were judged in a row. If its relation repeats inputs, they are noise."""
        counts = self.outcomes[row]
        pairs = counts["satisfied"] + counts["violated"]
        return Noise(pairs=pairs, reworded=counts["reworded"], differing=counts["violated"])

    def summary(
        self,
        floor: Mapping[tuple[str, str], tuple[Rate, Noise]],
        soundness: Figures = NO_FIGURES,
        trust: Mapping[tuple[str, str], Trust] = {},
        findings: Mapping[Row, Confirmed] = {},
        again: Mapping[tuple[str, str], Noise] = {},
        people: Figures = NO_FIGURES,
    ) -> list[dict[str, Any]]:
        """Return the summary rows for `report.json`.

        Rows whose relation does not support the language of any case are left out, unless the system and task have no
        other row. A figure that was not measured is None.

        Args:
            floor: the noise floor per system and task, and the pairs that it was computed from.
            soundness: how many follow-ups were found sound by language models, per relation, task and language.
            trust: how often the judge is right when it reports a violation, per relation and task.
            findings: number of findings in each row, and how many recurred when their questions were repeated.
            again: the noise in further answers to the same input, per system and task.
            people: the same as `soundness`, as judged by people.
        """
        no_floor = Rate(violated=0, total=0, seeds=0, rate=None, low=None, high=None), NO_NOISE
        has_other_rows = {(system, task) for system, task, _ in filterfalse(self.is_refused, self.outcomes)}
        rows = []
        for row in self.outcomes:
            system, task, _ = row
            if self.is_refused(row) and (system, task) in has_other_rows:
                continue
            noise_floor, noise = floor.get((system, task), no_floor)
            noise += again.get((system, task), NO_NOISE)
            sound = self._soundness_of(row, soundness)
            judge = self._judge(row, trust)
            confirmed = findings.get(row, UNTRIED)
            rate = self.violated.rate(row)
            is_estimated = rate.rate is not None and noise_floor.rate is not None
            measured = {
                "noise_floor": noise_floor.rate,
                "above_noise": exceeds(rate, noise_floor) if is_estimated else None,
                "soundness": sound,
                "people": self._soundness_of(row, people),
                "judge_precision": None if judge is None else judge.precision,
                "false_alarm": None if judge is None else noise.false_alarm(judge.false_alarm),
                "expected_precision": self._real_share(row, sound, judge, noise, confirmed),
            }
            rows.append({**self._row(row, rate, confirmed), **measured})
        return rows

    def _language(self, row: Row) -> str:
        """Return the language of nearly all verdicts of a row of the report, or `SEVERAL` if they are mixed."""
        [(language, number)] = self.languages[row].most_common(1) or [(ENGLISH[0], 0)]
        return language if number >= NEARLY_ALL * self.languages[row].total() else SEVERAL

    def _soundness_of(self, row: Row, soundness: Figures) -> Mapping[str, Any] | None:
        """Return the soundness figures for the language of a row of the report.

        If the row has several languages, return None.
        """
        _, task, relation = row
        return soundness.get((relation, task, self._language(row)))

    def _judge(self, row: Row, trust: Mapping[tuple[str, str], Trust]) -> Trust | None:
        """Return how reliable the judge of a row is. It was measured on English answers alone."""
        _, task, relation = row
        return trust.get((relation, task)) if is_english(self._language(row)) else None

    def _real_share(
        self, row: Row, sound: Mapping[str, Any] | None, trust: Trust | None, noise: Noise, findings: Confirmed
    ) -> float | None:
        """Return the share of findings that are expected to be real, or None if a required figure was not measured."""
        judged = self.pairs(row)
        if not judged.rate or sound is None or trust is None:
            return None
        reworded = judged.reworded / judged.pairs
        real = expected_real(judged.rate, sound["share"], trust, reworded=reworded, noise=noise, findings=findings)
        return round(real, 3)

    def _row(self, row: Row, rate: Rate, findings: Confirmed) -> dict[str, Any]:
        """Return the counts and the violation rate of a row of the report."""
        system, task, name = row
        counts, relation = self.outcomes[row], self._relations.get(name)
        total, number = self.scores[row]
        return {
            "system": system,
            "task": task,
            "relation": name,
            **{outcome.value: counts[outcome.value] for outcome in Outcome},
            "flaky": findings.flaky,
            **{name: counts[name] for name in ("undecided", "unchanged", "not_applicable", "open")},
            "rate": rate.rate,
            "interval": rate.interval,
            "estimate": self._verdicts_rated,
            "estimated": rate.total,
            "distinct": findings.distinct,
            "seeds": rate.seeds,
            "lost_mentions": {"judged": counts["lost"], "violated": counts["lost_violated"]},
            "mean_score": round(total / number, 6) if number else None,
            "says": relation.says if relation else "",
            "capability": relation.capability if relation else "",
            "language": self._language(row),
        }


def _is_reworded(group: Group) -> bool:
    """Return True if any answer in the group differs in wording from the answer to the source."""
    source = group.source.response
    return any(
        source is not None and member.response is not None and member.response.said != source.said
        for member in group.members
    )


def _readable_answer(observation: Observation) -> str:
    """Return an answer in readable form, with tool calls written as code."""
    response = observation.response
    return "; ".join(response.said.splitlines()) if response and response.calls else str(observation.answer)


def _count_up(counts: Counter[str], text: str, longest: int = LONGEST) -> None:
    """Count a text, identified by its beginning. Once there are too many different texts, new ones are ignored."""
    text = text[:longest]
    if text in counts or len(counts) < KINDS:
        counts[text] += 1
