"""Compares two runs: the findings gained and lost, the rates per relation, and whether the difference is chance.

It uses the records of the two reports and, if available, the outcomes in `verdicts.jsonl`. Sources are paired by their
questions, because record numbers change when a file is edited. Both runs tested the same sources, so a single test
counts the sources with a greater share of violations in one run than in the other.
"""

from __future__ import annotations

import math
import shlex
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import TypeAlias

from mutatis.analysis.intervals import clopper_pearson, discovery_levels
from mutatis.analysis.newness import Key, key_of, new_findings, renaming
from mutatis.core.errors import UsageError, check_known, names_text
from mutatis.core.gathering import MadeWhenAsked
from mutatis.core.verdict import Row
from mutatis.records.baseline import systems_of
from mutatis.records.report import FindingRecord, OutcomeName, Report, SummaryRow, VerdictRecord, row_of

Counts: TypeAlias = dict[str, tuple[int, int]]
"""The (violated, judged) counts of each source. Sources without a judged verdict are left out."""

SIGNIFICANT = 0.05
"""Expected share of false alarms among the differences marked as significant."""

POWER = 0.8
"""Probability of detecting a real difference with the number of sources that `sources_to_tell` returns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paired:
    """The comparison of two runs over the sources that both judged, for one relation or several combined.

    Attributes:
        sources: number of sources that both runs judged.
        worse, better: number of sources with a greater and with a smaller share of violations in the new run.
        p: exact two-sided sign test of worse against better; McNemar's test if each source has one follow-up.
        adjusted: `p` corrected for the number of rows tested (Benjamini and Hochberg, false discovery rate).
        old, new: the violation rates over these sources.
    """

    sources: int
    worse: int
    better: int
    p: float
    adjusted: float
    old: float
    new: float

    @property
    def difference(self) -> float:
        """The new run's violation rate minus the old run's rate."""
        return round(self.new - self.old, 6)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the share of worse sources minus the share of better ones; None if there are neither.

        It is derived from the exact test, so it contains 0 if and only if `p` is 0.05 or more.
        """
        differing = self.worse + self.better
        if not differing:
            return None
        low, high = ((2 * share - 1) * differing / self.sources for share in clopper_pearson(self.worse, differing))
        return round(low, 6), round(high, 6)

    @property
    def significant(self) -> bool:
        """True if the difference is unlikely to be chance, after correction for the number of rows."""
        return self.adjusted < SIGNIFICANT


def source_counts(verdicts: Iterable[VerdictRecord]) -> dict[Row, Counts]:
    """Return the numbers of violated and judged verdicts of each source, for each system, task and relation."""
    by_row: dict[Row, Counts] = {}
    for verdict in verdicts:
        if verdict.outcome in ("violated", "satisfied"):
            counts = by_row.setdefault(row_of(verdict), {})
            violated, judged = counts.get(verdict.source, (0, 0))
            counts[verdict.source] = violated + (verdict.outcome == "violated"), judged + 1
    return by_row


def paired(pairs: Mapping[Row, tuple[Counts, Counts]]) -> dict[Row, Paired]:
    """Compare the old and the new counts of each row. Rows without a source in both runs are left out.

    >>> old, new = {str(i): (0, 1) for i in range(20)}, {str(i): (int(i < 6), 1) for i in range(20)}
    >>> found = paired({("bot", "qa", "typos"): (old, new)})[("bot", "qa", "typos")]
    >>> found.worse, found.better, found.p, found.old, found.new
    (6, 0, 0.03125, 0.0, 0.3)
    """
    common = {row: [(*old[name], *new[name]) for name in old if name in new] for row, (old, new) in pairs.items()}
    rows = {row: counts for row, counts in common.items() if counts}
    differing = {row: _differing(counts) for row, counts in rows.items()}
    p_values = {row: sign_test(*pair) for row, pair in differing.items()}
    adjusted = dict(zip(rows, discovery_levels(list(p_values.values())), strict=True))
    return {
        row: Paired(
            sources=len(counts),
            worse=differing[row][0],
            better=differing[row][1],
            p=p_values[row],
            adjusted=adjusted[row],
            old=_rate((violated, judged) for violated, judged, _, _ in counts),
            new=_rate((violated, judged) for _, _, violated, judged in counts),
        )
        for row, counts in rows.items()
    }


def sign_test(worse: int, better: int) -> float:
    """Return the exact two-sided p-value of the hypothesis that a source gets worse as often as it gets better.

    >>> sign_test(6, 0), sign_test(3, 3), sign_test(0, 0)
    (0.03125, 1.0, 1.0)
    """
    from scipy.stats import binomtest

    return float(binomtest(worse, worse + better, 0.5).pvalue) if worse + better else 1.0


def sources_to_tell(result: Paired) -> int | None:
    """Return how many sources like these are needed to detect the difference; None if the rates are equal.

    This is the usual sample size for McNemar's test (Connor, Biometrics 43, 1987) at `SIGNIFICANT` and `POWER`, rounded
    up to two significant digits.

    >>> result = Paired(sources=40, worse=4, better=7, p=0.55, adjusted=0.55, old=0.123, new=0.081)
    >>> sources_to_tell(result)  # a share of 0.275 differs, by 0.075: (1.96 * 0.524 + 0.842 * 0.519)**2 / 0.075**2
    390
    """
    differing = (result.worse + result.better) / result.sources
    lead = abs(result.worse - result.better) / result.sources
    if not lead:
        return None
    normal = NormalDist()
    spread_without_difference = normal.inv_cdf(1 - SIGNIFICANT / 2) * math.sqrt(differing)
    spread_with_difference = normal.inv_cdf(POWER) * math.sqrt(differing - lead * lead)
    needed = ((spread_without_difference + spread_with_difference) / lead) ** 2
    step: int = 10 ** max(0, math.floor(math.log10(needed)) - 1)
    return math.ceil(needed / step) * step


_Four: TypeAlias = tuple[int, int, int, int]
"""Counts of one source: old violated, old judged, new violated, new judged."""


def _differing(counts: Sequence[_Four]) -> tuple[int, int]:
    """Return the number of sources with a greater and with a smaller share of violations in the new run."""
    changes = [new * before - old * after for old, before, new, after in counts]
    return sum(change > 0 for change in changes), sum(change < 0 for change in changes)


def _rate(counts: Iterable[tuple[int, int]]) -> float:
    violated, judged = map(sum, zip(*counts, strict=True))
    return round(violated / judged, 6)


Named: TypeAlias = tuple[str, str]
"""A source, identified by its task and id."""

Texts: TypeAlias = dict[Named, dict[int, int]]
"""The questions of each source: for each judged turn, a hash of its fields."""

_NOWHERE = "\0"
"""Prefix for the id of a source that is missing from the other run. No real record id starts with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """A map from the new run's sources to the old run's sources. By default, equal ids are paired.

    Attributes:
        names: the old id of each source of the new run that has a partner.
        renumbered: number of paired sources whose id has changed.
        old_only, new_only: sources without a partner.
    """

    names: Mapping[Named, str] = field(default_factory=dict)
    renumbered: int = 0
    old_only: tuple[Named, ...] = ()
    new_only: tuple[Named, ...] = ()
    _without_partner: frozenset[Named] = frozenset()

    def name(self, task: str, source: str) -> str:
        """Return the name that a source of the new run has in the old run.

        If the source has no partner there, return a name that the old run does not use.
        """
        if (task, source) in self._without_partner:
            return f"{_NOWHERE}{source}"
        return self.names.get((task, source), source)


SAME_NAMES = Pairing()
"""The pairing of sources with equal ids."""


def noting_texts(verdicts: Iterable[VerdictRecord], texts: Texts) -> Iterator[VerdictRecord]:
    """Yield the verdicts while recording the questions of their sources, so that a large file is read only once."""
    for verdict in verdicts:
        if verdict.source_input:
            _note(texts, (verdict.task, verdict.source), verdict.turn, verdict.source_input)
        yield verdict


def texts_of_findings(findings: Iterable[FindingRecord]) -> Texts:
    """Return the questions of the sources behind the given findings."""
    texts: Texts = {}
    for finding in findings:
        source = finding.source
        _note(texts, (finding.task, source.case.id), source.turn, source.case.turns[source.turn].fields)
    return texts


def _note(texts: Texts, named: Named, turn: int, fields: Mapping[str, str]) -> None:
    text, turns = hash(tuple(sorted(fields.items()))), texts.setdefault(named, {})
    turns[turn] = min(turns.get(turn, text), text)  # the same whatever the order of the lines


def paired_sources(old: Texts, new: Texts, *, complete: bool = True) -> Pairing:
    """Pair the sources of two runs: first those with equal ids and questions, then the rest by questions alone.

    Sources are paired by questions alone only if they agree in every turn. If the lists are incomplete (`complete` is
    False), sources that only one side lists are paired by id.

    >>> first, second = {("qa", "d/1"): {0: 7}, ("qa", "d/2"): {0: 8}}, {("qa", "d/1"): {0: 9}, ("qa", "d/2"): {0: 7}}
    >>> found = paired_sources(first, second)
    >>> found.names, found.renumbered, found.old_only, found.new_only
    ({('qa', 'd/2'): 'd/1'}, 1, (('qa', 'd/2'),), (('qa', 'd/1'),))
    >>> found = paired_sources({}, {("qa", "d/1"): {0: 9}}, complete=False)
    >>> found.new_only, found.name("qa", "d/1")
    ((), 'd/1')
    """
    names = {(task, name): name for (task, name), turns in new.items() if _agree(old.get((task, name)), turns)}
    unpaired: dict[object, deque[str]] = defaultdict(deque)  # old ids by task and questions, in order
    for (task, name), turns in old.items():
        if (task, name) not in names:
            unpaired[_questions(task, turns)].append(name)
    renumbered = 0
    for (task, name), turns in new.items():
        if (task, name) not in names and (partners := unpaired[_questions(task, turns)]):
            names[task, name] = partners.popleft()
            renumbered += 1
    paired_in_old = {(task, old_name) for (task, _), old_name in names.items()}
    # If the lists are incomplete, a source that one side does not list may still be there, under the same id.
    without_partner = tuple(named for named in new if named not in names and (complete or named in old))
    return Pairing(
        names=names,
        renumbered=renumbered,
        old_only=tuple(named for named in old if named not in paired_in_old and (complete or named in new)),
        new_only=without_partner,
        _without_partner=frozenset(without_partner),
    )


def _agree(old: Mapping[int, int] | None, new: Mapping[int, int]) -> bool:
    """Return True if a source is in the old run and has the same questions there, in all turns judged in both."""
    return old is not None and all(old[turn] == text for turn, text in new.items() if turn in old)


def _questions(task: str, turns: Mapping[int, int]) -> object:
    return task, tuple(sorted(turns.items()))


Outcomes: TypeAlias = Mapping[Key, OutcomeName]
"""The worst outcome of each finding in a run."""

Verdicts: TypeAlias = Callable[[], Iterable[VerdictRecord]]
"""Function that returns the verdicts of a run. It is called once for each pass over them."""

_WORST: Sequence[OutcomeName] = ("violated", "satisfied", "error", "invalid")


@dataclass(frozen=True, slots=True, kw_only=True)
class RowChange:
    """One row of the summary in both runs; `old` or `new` is None if that run has no such row.

    `paired` compares the two runs source by source. It is None if a run stored no verdicts or the runs share no source.
    """

    system: str
    task: str
    relation: str
    old: SummaryRow | None
    new: SummaryRow | None
    paired: Paired | None = None

    @property
    def differs(self) -> bool:
        """True if the paired test is significant or, without a test, if the intervals do not overlap."""
        return self.apart if self.paired is None else self.paired.significant

    @property
    def change(self) -> float | None:
        """The rate of the new run minus the rate of the old run, or None if either rate is missing."""
        if self.paired is not None:
            return self.paired.difference
        sides = [None if side is None else side.rate for side in (self.old, self.new)]
        return None if sides[0] is None or sides[1] is None else sides[1] - sides[0]

    @property
    def moved(self) -> bool:
        """True if the two runs differ in this row at all, significantly or not."""
        sides = [None if side is None else (side.violated, side.judged) for side in (self.old, self.new)]
        pair = self.paired
        return sides[0] != sides[1] or (pair is not None and bool(pair.worse or pair.better or pair.difference))

    @property
    def apart(self) -> bool:
        """True if the intervals of the two rates do not overlap, so that the rates differ significantly."""
        old = self.old.interval if self.old else None
        new = self.new.interval if self.new else None
        return bool(old and new and (old[1] < new[0] or new[1] < old[0]))


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingChange:
    """A finding that only one run has, with its outcome in the other run: satisfied, invalid, error or not tested."""

    finding: FindingRecord
    elsewhere: str


class Some(MadeWhenAsked[FindingRecord]):
    """A selection of the findings of a run, read from disk on access."""

    def __init__(self, findings: Sequence[FindingRecord], places: Sequence[int]) -> None:
        self._findings, self._places = findings, places

    def __len__(self) -> int:
        return len(self._places)

    def at(self, number: int) -> FindingRecord:
        """Read the finding at an index of the selection."""
        return self._findings[self._places[number]]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunComparison:
    """The differences between two runs of the same test.

    Attributes:
        old_system, new_system: the labels of the two systems, if each run has one system and the labels differ.
        pairing: maps the new run's sources to the old run's sources.
        overall: for each system, the comparison over all tasks and relations (under an empty name if the labels
            differ). It is empty if a run stored no verdicts.
        rows: the rates of both runs for each row.
        came, gone: findings of the new run only, and of the old run only.
        common: findings of both runs, with the details from the new run.
        judges: the measures that judged the old and the new findings, where they differ for the same relation.
    """

    old_system: str | None
    new_system: str | None
    rows: tuple[RowChange, ...]
    came: tuple[FindingChange, ...]
    gone: tuple[FindingChange, ...]
    common: Sequence[FindingRecord]
    pairing: Pairing = SAME_NAMES
    overall: Mapping[str, Paired] = field(default_factory=dict)
    judges: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())

    @property
    def rejudged(self) -> str:
        """A note that the two runs were judged by different measures; empty if not, or if a run has no findings."""
        old, new = (" and ".join(names) for names in self.judges)
        return f"judged by {old} in the old run, by {new} in the new: differences may be the judge's" if old else ""

    @property
    def unpaired(self) -> str:
        """A note on sources that were paired although their ids differ, and on sources without a partner."""
        pairs = self.pairing
        sides = (("old", pairs.old_only), ("new", pairs.new_only))
        alone = " and ".join(f"{len(keys):,} of the {side} run" for side, keys in sides if keys)
        parts = [f"{pairs.renumbered:,} of them under another id"] if pairs.renumbered else []
        parts += [f"{alone} have no partner: the other run did not ask the same"] if alone else []
        return "; ".join([f"sources paired by what they ask: {len(pairs.names):,}", *parts]) if parts else ""

    def listed_and_summarised(self, *, every: bool) -> tuple[list[RowChange], list[RowChange]]:
        """Return the rows to list and the rows to summarise.

        Only rows with a difference between the runs are listed, unless `every` is true. Rows of the same system and
        task stay together, with the significant differences first.
        """
        groups = {(row.system, row.task): place for place, row in reversed(list(enumerate(self.rows)))}

        def place(row: RowChange) -> tuple[int, bool, bool, float]:
            return groups[row.system, row.task], not row.differs, not row.moved, -abs(row.change or 0.0)

        ordered = sorted(self.rows, key=place)
        listed = [row for row in ordered if every or row.moved]
        return listed, [row for row in ordered if not (every or row.moved)]

    @property
    def new(self) -> list[FindingRecord]:
        """The new findings that can fail a build, without FLAKY findings and answers that vary by chance."""
        return new_findings([change.finding for change in self.came])


def _judges(report: Report) -> dict[tuple[str, str], set[str]]:
    """Return the measures that judged the findings, for each task and relation."""
    measures: dict[tuple[str, str], set[str]] = {}
    for finding in report.all_findings:
        if finding.measure:
            measures.setdefault((finding.task, finding.relation), set()).add(finding.measure)
    return measures


def compare(
    old: Report, new: Report, old_verdicts: Verdicts | None = None, new_verdicts: Verdicts | None = None
) -> RunComparison:
    """Compare two reports, source by source if both runs kept their verdicts.

    If each run has a single system, these two are compared even if their labels differ. Otherwise only systems with the
    same label are compared. Without verdicts, the outcome of a finding in the other run is "unknown".

    Args:
        old: the report of the old run.
        new: the report of the new run.
        old_verdicts: returns the verdicts of the old run; None if it did not keep them.
        new_verdicts: the same for the new run.

    Raises:
        UsageError: the runs have no system, or no task and relation, in common.
    """
    old_system, new_system = _systems(old, new)
    renamed = old_system is not None
    sides: dict[Row, tuple[Counts, Counts]] = {}
    if old_verdicts is not None and new_verdicts is not None:
        old_texts, new_texts = Texts(), Texts()
        # `noting_texts` fills these two while its verdicts are counted.
        old_counts = source_counts(noting_texts(old_verdicts(), old_texts))
        new_counts = source_counts(noting_texts(new_verdicts(), new_texts))
        pairing = paired_sources(old_texts, new_texts)
        sides = _sides(old_counts, new_counts, renamed, pairing)
    else:
        old_texts, new_texts = texts_of_findings(old.all_findings), texts_of_findings(new.all_findings)
        pairing = paired_sources(old_texts, new_texts, complete=False)
    rows = _rows(old.summary, new.summary, paired(sides), renamed)
    if not any(row.old and row.new for row in rows):
        raise UsageError(
            "nothing to compare: the runs have no task and relation in common (the first has "
            f"{_names(old['summary'])}; the second has {_names(new['summary'])})"
        )
    judges = _judges(old), _judges(new)
    in_both = judges[0].keys() & judges[1].keys()
    differing = [where for where in in_both if judges[0][where].isdisjoint(judges[1][where])]
    before = {finding_key(finding, renamed): place for place, finding in enumerate(old.all_findings)}
    after = {finding_key(finding, renamed, pairing): place for place, finding in enumerate(new.all_findings)}
    # Each finding is looked up in the other run's verdicts, under the names of the old run.
    old_outcomes = None if old_verdicts is None else worst_outcomes(old_verdicts(), after, renamed)
    new_outcomes = None if new_verdicts is None else worst_outcomes(new_verdicts(), before, renamed, pairing)
    old_judges, new_judges = (tuple(sorted({name for where in differing for name in side[where]})) for side in judges)
    return RunComparison(
        old_system=old_system,
        new_system=new_system,
        judges=(old_judges, new_judges),
        rows=tuple(rows),
        came=tuple(_only(new.all_findings, after, before, old_outcomes)),
        gone=tuple(_only(old.all_findings, before, after, new_outcomes)),
        common=Some(new.all_findings, [place for key, place in after.items() if key in before]),
        pairing=pairing,
        overall=_overall(sides),
    )


def finding_key(finding: FindingRecord, renamed: bool = False, pairing: Pairing = SAME_NAMES) -> Key:
    """Return a key that identifies a finding in both runs. Pass `pairing` for a finding of the new run."""
    source = finding.source
    return key_of(finding, pairing.name(finding.task, source.case.id), source.turn, renamed=renamed)


def worst_outcomes(
    verdicts: Iterable[VerdictRecord], wanted: Collection[Key], renamed: bool = False, pairing: Pairing = SAME_NAMES
) -> dict[Key, OutcomeName]:
    """Return the worst outcome of each wanted finding. From worst to best: violated, satisfied, error, invalid.

    `pairing` maps the sources of a new run to the names used in the old run.
    """
    worst: dict[Key, OutcomeName] = {}
    for verdict in verdicts:
        key = key_of(verdict, pairing.name(verdict.task, verdict.source), verdict.turn, renamed=renamed)
        if key in wanted:
            worst[key] = min(worst.get(key, verdict.outcome), verdict.outcome, key=_WORST.index)
    return worst


def _only(
    findings: Sequence[FindingRecord], places: Mapping[Key, int], other: Mapping[Key, int], outcomes: Outcomes | None
) -> Iterable[FindingChange]:
    for key, place in places.items():
        if key not in other:
            elsewhere = "unknown" if outcomes is None else outcomes.get(key, "not tested")
            yield FindingChange(finding=findings[place], elsewhere=elsewhere)


def _systems(old: Report, new: Report) -> tuple[str | None, str | None]:
    before, after = systems_of(old), systems_of(new)
    if pair := renaming(before, after):
        return pair
    if set(before) & set(after):
        return None, None
    raise UsageError(
        f"nothing to compare: the runs tested different systems ({', '.join(before) or 'none'} and "
        f"{', '.join(after) or 'none'}); name the two systems to compare: --systems "
        f"{shlex.quote(before[0]) if before else 'OLD'} {shlex.quote(after[0]) if after else 'NEW'}"
    )


def of_system(report: Report, system: str) -> Report:
    """Return the part of a report that concerns one of its systems.

    Raises:
        UsageError: the report has no such system.
    """
    check_known(f"system of run {report.run.id}:", [system], systems_of(report))
    places = [place for place, finding in enumerate(report.all_findings) if finding.system == system]
    run = report.run.model_copy(
        update={"systems": [system_record for system_record in report.run.systems if system_record.system == system]}
    )
    rows = [row for row in report.summary if row.system == system]
    replies = [record for record in report.replies if record.system == system]
    part = report.model_copy(update={"run": run, "summary": rows, "replies": replies})
    return part.holding(Some(report.all_findings, places))


def _rows(
    old: Sequence[SummaryRow], new: Sequence[SummaryRow], pairs: Mapping[Row, Paired], renamed: bool
) -> list[RowChange]:
    def table(rows: Sequence[SummaryRow]) -> dict[Row, SummaryRow]:
        return {("" if renamed else row.system, row.task, row.relation): row for row in rows}

    before, after = table(old), table(new)
    return [
        RowChange(
            system=row[0], task=row[1], relation=row[2], old=before.get(row), new=after.get(row), paired=pairs.get(row)
        )
        for row in dict.fromkeys([*before, *after])
    ]


def _sides(
    old: Mapping[Row, Counts], new: Mapping[Row, Counts], renamed: bool, pairing: Pairing
) -> dict[Row, tuple[Counts, Counts]]:
    """Return the old and new counts of the rows that are in both runs, under the source names of the old run."""
    before, after = (
        {("", *row[1:]) if renamed else row: counts for row, counts in side.items()} for side in (old, new)
    )
    return {
        row: (before[row], {pairing.name(row[1], source): count for source, count in after[row].items()})
        for row in before
        if row in after
    }


def _overall(sides: Mapping[Row, tuple[Counts, Counts]]) -> dict[str, Paired]:
    """Return, for each system, the comparison over all its rows.

    In each row, only sources that were judged in both runs are included.
    """
    sums: dict[str, tuple[Counts, Counts]] = {}
    for (system, task, _), (old, new) in sides.items():
        for total, counts in zip(sums.setdefault(system, ({}, {})), (old, new), strict=True):
            for source in old.keys() & new.keys():
                violated, judged = total.get(name := f"{task} {source}", (0, 0))
                total[name] = violated + counts[source][0], judged + counts[source][1]
    return {row[0]: result for row, result in paired({(system, "", ""): pair for system, pair in sums.items()}).items()}


def _names(summary: Sequence[SummaryRow]) -> str:
    names = list(dict.fromkeys(f"{row.task} {row.relation}" for row in summary))
    return names_text(names, 3) or "nothing"
