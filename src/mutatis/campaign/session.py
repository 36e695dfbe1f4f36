"""Takes a run through its phases (search, noise floor, confirm and shrink) and makes the report."""

from __future__ import annotations

import importlib.metadata
import platform
import secrets
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import chain, filterfalse
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from mutatis.analysis.intervals import Rate
from mutatis.analysis.newness import became_stock, newness
from mutatis.analysis.real import Figures, Noise, Trust
from mutatis.campaign.allowance import Reserve
from mutatis.campaign.confirm import CONFIRMED_PER_RELATION, confirm, first_per_relation, questions
from mutatis.campaign.cost import Pricing
from mutatis.campaign.distributions import Distributions, DrawsFile
from mutatis.campaign.events import CONFIRM, NOISE_FLOOR, SEARCH, SHRINK, Collector, Listener
from mutatis.campaign.findings import FindingLog
from mutatis.campaign.health import health_warnings
from mutatis.campaign.judging import Judges
from mutatis.campaign.learning import Entries, learner_for
from mutatis.campaign.observe import Target
from mutatis.campaign.reach import Edges, Reach
from mutatis.campaign.records import evidence_record
from mutatis.campaign.repertoire_file import RepertoireFile
from mutatis.campaign.repertoires import Repertoires
from mutatis.campaign.replies import Replies
from mutatis.campaign.run import Loop
from mutatis.campaign.shrink import CANDIDATES, shrink, shrinkable
from mutatis.campaign.tally import OPEN_SHOWN, Finding, Tally
from mutatis.campaign.verdict_file import Asked, VerdictFile
from mutatis.core.errors import StoreError, UsageError, refused_by_machine, remedy_of
from mutatis.core.gathering import one_of_each
from mutatis.core.relation import Grouping, MetamorphicRelation
from mutatis.core.search import Search, Source, kinds, rates_of, relations_of
from mutatis.core.system import Helper, System, close_all
from mutatis.query import QueryLayer
from mutatis.records.baseline import Baseline
from mutatis.records.dictionary import DICTIONARY_FILE, write_dictionary
from mutatis.records.files import make_report
from mutatis.records.report import Report
from mutatis.search.once import Once
from mutatis.text.memory import Memory, remembering

Floor: TypeAlias = dict[tuple[str, str], tuple[Rate, Noise]]
"""The noise floor per system and task, and the pairs of answers that it was computed from."""


@dataclass(slots=True, kw_only=True)
class Campaign:
    """Everything that a run needs, ready to use.

    Attributes:
        no_change: the relation of the noise floor: the same input gets the same answer.
        source_repeats: maximum number of times that a source is sent again if a judge that compares all replies has too
            few.
        helper_layer: the query layer of `helper`, for the report.
        draws: number of answers to each source and follow-up that show the distribution of answers; with 1, nothing is
            tested.
        noise_floor: number of source cases per system and task that are sent again unchanged; 0 skips the phase.
        confirm: number of findings per system and relation whose questions are repeated; 0 skips the phase.
        shrink: number of smaller follow-ups tried per confirmed finding; 0 skips the phase.
        reserve: shares of the budget, if there is one, that are kept for these three phases.
        silence: names of health checks that are not reported.
        soundness: how many follow-ups were found sound by language models, per relation and task, for the report.
        people: the same, as judged by people.
        collectors: listeners that add their metrics to the report.
        listeners: receive the events of the search; `progress` receives the events of every phase.
        config: the configuration as the user gave it, for the report.
        named: the relations that the user selected by name. A gate requires that they have judged something.
        notes: notes for the user, shown before any question is sent.
        baseline: earlier findings; the report marks each finding as new or not.
        known: dictionary entries from the user or a baseline, for each system.
        newly_asked: True if a finding also counts as new when the baseline run never sent its follow-up.
        memory: keeps the judges' results on texts for the next run.
        offline: True if no questions are sent, for the report.
        lent: systems passed in by a program, which opens and closes their connections itself.
    """

    targets: Sequence[Target]
    sources: Sequence[Source]
    search: Search
    judges: Judges
    no_change: MetamorphicRelation
    helper: Helper | None = None
    helper_layer: QueryLayer | None = None
    seed: int = 0
    repeats: int = 1
    source_repeats: int = 0
    draws: int = 1
    noise_floor: int = 100
    confirm: int = CONFIRMED_PER_RELATION
    shrink: int = CANDIDATES
    reserve: Reserve = field(default_factory=Reserve)
    silence: Sequence[str] = ()
    soundness: Figures = field(default_factory=dict)
    people: Figures = field(default_factory=dict)
    collectors: Sequence[Collector] = ()
    listeners: Sequence[Listener] = ()
    progress: Sequence[Listener] = ()
    config: Mapping[str, Any] = field(default_factory=dict)
    named: Sequence[str] = ()
    notes: list[str] = field(default_factory=list)
    baseline: Baseline | None = None
    newly_asked: bool = False
    known: Mapping[str, Entries] = field(default_factory=dict)
    memory: Memory | None = None
    offline: bool = False
    lent: Sequence[System] = ()

    @property
    def layers(self) -> list[QueryLayer]:
        """The query layers of all systems, of the helper, and of the functions that answer tool calls."""
        answering = {id(layer): layer for target in self.targets for layer in target.tools.layers}
        helping = [self.helper_layer] if self.helper_layer else []
        return [*(target.layer for target in self.targets), *helping, *answering.values()]

    @property
    def endpoints(self) -> list[QueryLayer]:
        """The query layers of remote systems."""
        return [target.layer for target in self.targets if target.layer.is_endpoint]

    @property
    def dealt(self) -> dict[str, int] | None:
        """The number of questions that each phase may ask, or None without a budget."""
        max_queries = self.targets[0].layer.spending.max_queries  # all layers of a run spend one budget
        if max_queries is None:
            return None
        return self.reserve.dealt(max_queries, noise_floor=self.noise_floor, confirm=self.confirm, shrink=self.shrink)

    def asked_again(self, knows: Callable[[Source], bool] | None = None) -> list[Source]:
        """Return the sources to repeat for the noise floor: the first ones of each task, alternating between tasks.

        With a budget, sources with stored answers come first (`knows`), because they cost one question instead of two.
        Systems whose answers come from a file are left out, because these are always the same.
        """
        systems = [target.label for target in self.targets if not target.layer.free]
        if not systems or not self.noise_floor:  # all sources would be looked at for none
            return []
        chosen = one_of_each(_first_of_each_task(self.sources, self.noise_floor, knows))
        return [
            replace(source, relations=(self.no_change,), systems=concerned)
            for source in chosen
            if (concerned := tuple(filter(source.concerns, systems)))
        ]

    @property
    def pricing(self) -> Pricing:
        """Calculates the cost of each piece of work in the run."""
        return Pricing(targets=self.targets, repeats=self.repeats, draws=self.draws)

    async def close(self) -> None:
        """Close the connections of all systems except lent ones. They are opened again when needed."""
        await close_all(
            layer.system for layer in self.layers if not any(layer.system is system for system in self.lent)
        )


def _first_of_each_task(
    sources: Sequence[Source], most: int, knows: Callable[[Source], bool] | None
) -> list[list[Source]]:
    """Return the first `most` sources of each task, beginning with those that a system has already answered."""
    in_turn = sources if knows is None else chain(filter(knows, sources), filterfalse(knows, sources))
    first: dict[str, list[Source]] = {kind.example.task: [] for kind in kinds(sources)}
    for source in in_turn:
        if len(first[source.task]) < most:
            first[source.task].append(source)
        elif all(len(of_task) == most for of_task in first.values()):
            break
    return list(first.values())


SMALLEST = 0.02
"""Minimum share of the budget that is worth returning to the search."""


class Phases:
    """Allots a budget to the phases of a run. Without a budget, phases are not limited.

    Args:
        campaign: the parts of the run.
        loop: the loop that sends the questions. Its allowance is set at the beginning of each phase.
        findings: the findings so far that would be confirmed.
    """

    def __init__(self, campaign: Campaign, loop: Loop, findings: Sequence[Finding]) -> None:
        self._campaign, self._loop, self._findings = campaign, loop, findings
        self._dealt = campaign.dealt
        self._spending = loop.targets[0].layer.spending
        self._begun: dict[str, int] = {}
        self.cut: list[str] = []
        """The phases that ended early because their allowance was used up."""

    def begin(self, phase: str) -> None:
        """Begin a phase, which may ask all questions that are not reserved for later phases."""
        self.end()
        self._begun[phase] = self._spending.asked
        if self._dealt is not None:
            phases = list(self._dealt)
            after = phases[phases.index(phase) + 1 :]
            self._loop.allowance.allow(sum(self._dealt.values()) - sum(self._dealt[later] for later in after))

    def end(self) -> None:
        """Record the current phase as incomplete if its allowance ended it early."""
        if self._loop.allowance.ended:
            self.cut.append(list(self._begun)[-1])

    def extend_search(self) -> bool:
        """Give the search half of the reserved questions that the findings so far do not need.

        Only half is given, because any additional findings will be confirmed and shrunk as well. Return whether the
        search got more questions: False without a budget, or if too few are left over.
        """
        if self._dealt is None:
            return False
        findings, pricing = first_per_relation(self._findings, self._campaign.confirm), self._loop.pricing
        turns_to_shrink = sum(len(finding.verdict.source.asked) for finding in findings if shrinkable(finding))
        needed = {
            NOISE_FLOOR: sum(pricing.source(source, times=1).all() for source in self._campaign.asked_again()),
            CONFIRM: sum(questions(self._loop, finding) for finding in findings),
            SHRINK: self._campaign.shrink * turns_to_shrink,  # each smaller follow-up asks all turns
        }
        spare = {phase: max(0, self._dealt[phase] - needed[phase]) for phase in needed}
        if sum(spare.values()) <= SMALLEST * sum(self._dealt.values()):
            return False
        for phase in spare:
            half = (spare[phase] + 1) // 2  # rounded up, so that every call that returns True gives something
            self._dealt[phase] -= half
            self._dealt[SEARCH] += half
        self._loop.allowance.allow(self._dealt[SEARCH])
        return True

    def spent(self) -> dict[str, int]:
        """Return how many questions each phase asked, including stored ones. Without a budget, the result is empty."""
        if self._dealt is None:
            return {}
        starts = list(self._begun.values())
        ends = [*starts[1:], self._spending.asked]
        return {phase: end - start for phase, start, end in zip(self._begun, starts, ends, strict=True)}

    def warning(self) -> list[dict[str, Any]]:
        """Return the report's warning that the budget ended the run early, or an empty list for a complete run."""
        if self._loop.stopped is None and not self.cut:
            return []
        if self._spending.money_is_spent:
            budget, key = f"{self._spending.max_money:g} is spent", "max_money"
        else:
            asked = ", ".join(f"{phase} {number:,}" for phase, number in self.spent().items())
            lost = sum(target.layer.counts.unanswered for target in self._loop.targets)
            spent = f"spent, {lost:,} of them on attempts without an answer" if lost else f"spent on {asked}"
            budget, key = f"{self._spending.max_queries:,} queries is {spent}", "max_queries"
        return [
            {
                "name": "budget",
                "subject": "run",
                "message": f"the run is not complete: the budget of {budget}",
                "remedy": f"repeat the run with a larger {key}; stored answers are not asked for again",
                "silence": "",  # a run that is not complete always says so
            }
        ]


def new_run_id() -> str:
    """Return an id that sorts by time: date, time and four random digits."""
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"


async def conduct(
    campaign: Campaign,
    *,
    folder: Path | None = None,
    verdicts: VerdictFile | None = None,
    run_id: str = "",
    name: str = "",
) -> Report:
    """Run every phase and return the report.

    Args:
        campaign: the parts of the run. Its connections stay open.
        folder: the folder for `findings.jsonl`; None keeps the findings in memory.
        verdicts: the file for the verdicts, opened and closed by the caller; by default a file in `folder`.
        run_id: the id of the run, by default a new one.
        name: the name of the run for `mutatis replay`; empty if no command can find the run later.

    Raises:
        UsageError: the search proposes nothing, or something that no relation of the run accepts.
        StoreError: the store or a file of the run cannot be written.
    """
    run_id = run_id or new_run_id()
    for layer in campaign.endpoints:
        layer.begin(run_id)
    known, labels = campaign.baseline, _labels(campaign)
    mark = None if known is None else newness(known, labels, newly_asked=campaign.newly_asked)
    findings = FindingLog(folder, most_held=campaign.confirm, run=name, mark=mark)
    verdict_file = verdicts or VerdictFile(folder)
    if_opened_here = verdict_file if verdicts is None else nullcontext()
    replies, draws = RepertoireFile(verdict_file.folder), DrawsFile(verdict_file.folder)
    loop, distributions = _loop(campaign, replies, draws)
    with _explaining_file_errors(folder), remembering(campaign.memory), if_opened_here, findings, replies, draws:
        report = await _run_phases(campaign, loop, distributions, findings, verdict_file, run_id)
        if folder is not None and loop.learner is not None:
            write_dictionary(loop.learner.dictionaries, folder / DICTIONARY_FILE)
        return report


def _labels(campaign: Campaign) -> list[str]:
    return [target.label for target in campaign.targets]


@contextmanager
def _explaining_file_errors(folder: Path | None) -> Iterator[None]:
    """Turn an error while writing a file of the run into a one-line message that explains how to fix it."""
    try:
        yield
    except OSError as error:
        what = "a temporary file of the run" if folder is None else f"the files of the run in {folder}"
        refused = refused_by_machine(error, what)
        if refused is None:
            raise
        how = "then" if remedy_of(error) else "mend that and"
        raise StoreError(f"{refused}; {how} run again: stored answers are reused") from error


class _Counted(NamedTuple):
    """The listeners whose figures appear in the report."""

    tally: Tally
    replies: Replies
    reach: Reach
    asked: Asked
    edges: Edges


async def _run_phases(
    campaign: Campaign,
    loop: Loop,
    distributions: Distributions,
    findings: FindingLog,
    verdicts: VerdictFile,
    run_id: str,
) -> Report:
    """Run the search, measure the noise floor, confirm and shrink the findings, and return the report."""
    started = time.time()
    counted = _Counted(Tally(rates_of(campaign.search)), Replies(), Reach(), Asked(), Edges())
    phases = Phases(campaign, loop, findings.held)
    phases.begin(SEARCH)
    of_campaign: tuple[Listener, ...] = (*campaign.collectors, *campaign.listeners, *campaign.progress)
    loop.listeners = (*counted, findings, verdicts, *of_campaign)
    await loop.run(campaign.search, campaign.sources, more=phases.extend_search)
    verdicts.appear()  # complete: what follows asks more, but adds no verdicts, so the rates are those of the search
    answered_now = {target.label for target in campaign.targets if target.layer.counts.current}
    phases.begin(NOISE_FLOOR)
    _note_foreign(campaign, loop, counted.tally)
    unmatched = _unmatched(campaign, loop, cut=SEARCH in phases.cut)
    # Where no relation knows a language of the cases there is nothing that the noise floor could stand beside.
    floor = {} if counted.tally.all_refused else await _noise_floor(campaign, loop)
    phases.begin(CONFIRM)
    if campaign.confirm:
        await confirm(loop, findings.held, campaign.confirm)
    phases.begin(SHRINK)
    if campaign.shrink:
        await shrink(loop, findings.held, candidates=campaign.shrink, most=campaign.confirm)
    phases.end()
    first_findings, all_findings = findings.finish()
    confirmed, noise = findings.confirmed, distributions.noise
    rows = counted.tally.summary(floor, campaign.soundness, _trust(campaign), confirmed, noise, campaign.people)
    records = {
        "run": {**_run_record(campaign, run_id, started, phases.spent()), "systems": _systems(campaign, answered_now)},
        "summary": distributions.with_shifts(rows),
        "findings": first_findings,
        "findings_file": all_findings.file.to_json(),
        "health": _health(campaign, counted, floor, unmatched) + phases.warning(),
        **_counted_records(campaign, counted),
        **distributions.records(),
    }
    return make_report(records, all_findings)


def _health(campaign: Campaign, counted: _Counted, floor: Floor, unmatched: Sequence[str]) -> list[dict[str, Any]]:
    """Return the warnings about the run, and about secrets in answers."""
    return health_warnings(
        counted.tally,
        {system_and_task: rate.rate for system_and_task, (rate, _) in floor.items()},
        {target.label: target.layer.counts for target in campaign.targets},
        unmatched=unmatched,
        no_change=campaign.no_change.name,
        replies=counted.replies,
        layers=campaign.layers,
        silence=campaign.silence,
    )


def _counted_records(campaign: Campaign, counted: _Counted) -> dict[str, Any]:
    """Return the parts of the report that single listeners have counted."""
    tally, replies = counted.tally, counted.replies.records()
    if campaign.baseline is not None:  # which questions had a different reply there
        replies = became_stock(replies, campaign.baseline, _labels(campaign))
    return {
        "metrics": {collector.name: collector.metrics() for collector in campaign.collectors},
        "replies": [record.to_json() for record in replies],
        "reach": counted.reach.records(),
        "asked": counted.asked.records(),
        "edges": counted.edges.records(),
        "examples": [evidence_record(verdict) for kept in tally.examples.values() for _, verdict in kept],
        "open": [evidence_record(verdict) for verdict in tally.open_in_turn(OPEN_SHOWN)],
    }


def _loop(campaign: Campaign, replies: RepertoireFile, draws: DrawsFile) -> tuple[Loop, Distributions]:
    """Return the loop of a run, and the object that clusters answers and tests their distributions.

    Their files keep the replies that judges use, and the distribution of the answers to each source.
    """
    # A plain run without a budget makes all follow-ups of a source before those of the next.
    returns_to_sources = campaign.search.learns or campaign.dealt is not None
    repertoires = Repertoires(replies, keeps=returns_to_sources) if campaign.judges.go_by_repertoires else None
    judges = replace(campaign.judges, repertoires=repertoires)
    distributions = Distributions(
        judges=judges, no_change=campaign.no_change, seed=campaign.seed, draws=campaign.draws, file=draws
    )
    loop = Loop(
        targets=campaign.targets,
        judges=judges,
        helper=campaign.helper,
        seed=campaign.seed,
        repeats=campaign.repeats,
        repertoires=repertoires,
        source_repeats=campaign.source_repeats,
        draws=campaign.draws,
        learner=learner_for(campaign.sources, campaign.known),
        # A search that learns never closes its sources. Keeping all their answers only pays if draws are compared.
        distributions=None if campaign.search.learns and campaign.draws < 2 else distributions,
    )
    return loop, distributions


def _trust(campaign: Campaign) -> dict[tuple[str, str], Trust]:
    """Return how often a reported violation is real, per relation and task, if the judge has been measured."""
    return {
        (relation.name, source.task): measured
        for source in (kind.example for kind in kinds(campaign.sources))
        for relation in source.relations
        if (measured := campaign.judges.trust(relation, source.task)) is not None
    }


def _note_foreign(campaign: Campaign, loop: Loop, tally: Tally) -> None:
    """Record in the tally the relations without verdicts because they do not support the languages of the cases."""
    languages = sorted(loop.languages)
    for relation in _never_proposed(campaign, loop):
        if not any(map(relation.is_for, languages)):
            tally.note_refused(relation.name, languages)
    for source in (kind.example for kind in kinds(campaign.sources)):
        for relation in source.relations:
            # A refused follow-up has no verdict of a relation that judges all versions of a question: it would vanish.
            if relation.matching.grouping is Grouping.QUESTION and not relation.is_for(source.case.language):
                tally.note_refused(relation.name, [source.case.language])


def _unmatched(campaign: Campaign, loop: Loop, *, cut: bool) -> list[str]:
    """Return the relations that matched no proposal although they support a language of the cases.

    The result is empty if the search was ended early (`cut`), because it might still have proposed something.

    Raises:
        UsageError: nothing was proposed at all.
    """
    if loop.stopped is not None or cut:
        return []
    if not loop.matched:
        chosen = ", ".join(relations_of(campaign.sources)) or "none"
        raise UsageError(
            f"the search proposed no follow-up, so nothing was asked; the relations of the run are: {chosen}"
        )
    return [relation.name for relation in _never_proposed(campaign, loop) if any(map(relation.is_for, loop.languages))]


def _never_proposed(campaign: Campaign, loop: Loop) -> list[MetamorphicRelation]:
    return [relation for name, relation in relations_of(campaign.sources).items() if name not in loop.matched]


async def _noise_floor(campaign: Campaign, loop: Loop) -> Floor:
    """Send the first sources of each task again, unchanged, and return how often the answer differs.

    The result has the rate and the compared pairs per system and task. If nothing was sent, both are empty.
    """
    chosen = campaign.asked_again(None if campaign.dealt is None else loop.knows)
    tasks = dict.fromkeys(kind.example.task for kind in kinds(campaign.sources))
    floor = Tally()
    if chosen and loop.stopped is None:
        loop.listeners = (floor, *campaign.progress)
        if loop.repertoires is not None:
            loop.repertoires.look_back()
        await loop.run(Once(chosen), chosen, phase=NOISE_FLOOR)
    loop.listeners = campaign.progress
    rows = [(label, task, campaign.no_change.name) for label in _labels(campaign) for task in tasks]
    return {row[:2]: (floor.violated.rate(row), floor.pairs(row)) for row in rows}  # system and task of each row


def _run_record(campaign: Campaign, run_id: str, started: float, phases: Mapping[str, int]) -> dict[str, Any]:
    """Return the facts about the run as a whole: its configuration, its times, and the questions of all layers."""
    counts = [layer.counts for layer in campaign.layers]
    oldest = min((c.oldest for c in counts if c.oldest is not None), default=None)
    return {
        "id": run_id,
        "seed": campaign.seed,
        "config": dict(campaign.config),
        "versions": {"mutatis": importlib.metadata.version("mutatis"), "python": platform.python_version()},
        "started": _timestamp(started),
        "finished": _timestamp(time.time()),
        "queries": {
            "logical": sum(c.logical for c in counts),
            "paid": sum(c.paid for c in counts),
            "errors": sum(c.errors for c in counts),
            "stored": sum(c.stored for c in counts),
            "oldest": _timestamp(oldest),
            "retries": sum(c.retries for c in counts),
            **({"phases": phases} if phases else {}),
        },
        "tokens": {
            "prompt": sum(c.prompt_tokens for c in counts),
            "completion": sum(c.completion_tokens for c in counts),
        },
        "money": _money(campaign.layers),
        "helper": _helper(campaign.helper_layer),
        "offline": campaign.offline,
        "named": list(campaign.named),
    }


def _systems(campaign: Campaign, answered_now: Collection[str]) -> list[dict[str, Any]]:
    """Return the origin of each system's answers. `answered_now` names the systems that were queried in this search."""
    return [
        {
            "system": target.label,
            "endpoint": target.layer.is_endpoint,
            "paid": target.layer.counts.paid,
            "stored": target.layer.counts.stored,
            "oldest": _timestamp(target.layer.counts.oldest),
            "newest": _timestamp(target.layer.counts.newest),
            "current": target.label in answered_now,
            "answer": target.layer.mean_answer,
            "currency": "" if target.layer.prices is None else target.layer.prices.currency,
        }
        for target in campaign.targets
    ]


def _helper(layer: QueryLayer | None) -> dict[str, Any] | None:
    """Return figures on the questions to the helper, or None without a helper."""
    if layer is None:
        return None
    counts = layer.counts
    return {
        "label": layer.system.label,
        "asked": counts.logical,
        "paid": counts.paid,
        "stored": counts.stored,
        "failed": counts.errors,
        "unusable": counts.unusable,
        "reasons": dict(sorted(counts.reasons.items(), key=lambda item: -item[1])),
    }


def _money(layers: Sequence[QueryLayer]) -> dict[str, float]:
    """Return the money spent in each currency on systems whose prices are known."""
    spent: dict[str, float] = {}
    for layer in layers:
        if layer.prices is not None:
            spent[layer.prices.currency] = spent.get(layer.prices.currency, 0.0) + layer.cost()
    return {currency: round(amount, 6) for currency, amount in spent.items()}


def _timestamp(seconds: float | None) -> str | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
