"""Runs a campaign on a system that belongs to another tool.

The tool provides the answers during the run, or has collected them beforehand.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from mutatis.api import Run, run_async
from mutatis.assembly.questions import planned_questions, without_systems
from mutatis.campaign.events import Event, SourceObserved
from mutatis.core.cases import Case
from mutatis.core.decision import Outcome
from mutatis.core.errors import NotRecorded, SystemFailure, UsageError
from mutatis.core.gathering import gathered
from mutatis.core.relation import MetamorphicRelation
from mutatis.core.search import Source
from mutatis.core.system import Response, System
from mutatis.core.transformation import NO_CHANGE
from mutatis.core.verdict import Verdict
from mutatis.loops import to_the_end
from mutatis.records import FindingRecord
from mutatis.reports.passing import passing
from mutatis.systems.sheet import AnsweredSystem, question_name

JUDGED = (Outcome.SATISFIED, Outcome.VIOLATED)
"""The outcomes that count in a rate."""

SETTINGS = "mutatis.toml"
"""The configuration file that an integration reads by default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostedQuestion:
    """One question of a campaign, to be asked by another tool.

    Attributes:
        name: key for storing its answer. Identical questions have the same name.
        source: id of the source that it comes from.
        is_source: whether it is the source's own question, and not a follow-up.
        messages: the prompt in chat form.
        text: the last message.
    """

    name: str
    source: str
    is_source: bool
    messages: tuple[Mapping[str, Any], ...]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceResult:
    """A run's results for one source: its findings, the verdicts used for rates, and the answer to its last turn."""

    findings: tuple[FindingRecord, ...] = ()
    violated: int = 0
    judged: int = 0
    answer: str = ""

    @property
    def consistency(self) -> float | None:
        """The share of the source's verdicts that are satisfied; None if none could be judged."""
        return (self.judged - self.violated) / self.judged if self.judged else None

    @property
    def explanation(self) -> str:
        """One line per finding: its id, its relation, the texts of the follow-ups, and the reason."""
        return "\n".join(map(finding_line, self.findings)) or f"no contradiction among {self.judged} comparisons"


def case_text(case: Case) -> str:
    """Return the questions of a source as one text, with a line per turn."""
    return "\n".join(" / ".join(turn.fields.values()) for turn in case.turns)


def finding_line(finding: FindingRecord) -> str:
    """Return a one-line description of a finding."""
    asked = " | ".join(" / ".join(each.case.turns[each.turn].fields.values()) for each in finding.followups)
    return " ".join(f"{finding.id} {finding.relation}: {asked} -> {finding.reason}".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class HostedRun:
    """A finished run, with its results by source id."""

    run: Run
    results: Mapping[str, SourceResult]

    @property
    def consistency(self) -> float:
        """The share of all judged verdicts that are satisfied. At least one verdict must have been judged."""
        judged = sum(result.judged for result in self.results.values())
        return 1 - sum(result.violated for result in self.results.values()) / judged

    @property
    def ids(self) -> list[str]:
        """The sorted ids of the run's findings, excluding FLAKY findings."""
        return sorted(finding.id for result in self.results.values() for finding in result.findings)


@dataclass(slots=True)
class _Tally:
    """Counts the verdicts on each source during a run, and keeps the answer to its last turn."""

    violated: Counter[str] = field(default_factory=Counter)
    judged: Counter[str] = field(default_factory=Counter)
    answers: dict[str, str] = field(default_factory=dict)

    def __call__(self, event: Event) -> None:
        """Count a verdict, unless its relation changes nothing, or keep the answer to a source."""
        if isinstance(event, SourceObserved) and event.repeat == 0 and event.observations:
            last = event.observations[max(event.observations)].response
            self.answers[event.case.id] = "" if last is None else last.said
        if isinstance(event, Verdict) and event.relation.name != NO_CHANGE and event.outcome in JUDGED:
            self.judged[event.source.id] += 1
            self.violated[event.source.id] += event.outcome is Outcome.VIOLATED


async def _run(
    system: System,
    settings: Any,
    out: Path | str | None,
    cases: Sequence[Case] | None = None,
    relations: Sequence[MetamorphicRelation] | None = None,
) -> HostedRun:
    """Run a campaign and return its results by source, without FLAKY findings."""
    tally = _Tally()
    run = await run_async(system, cases, relations, settings=settings, out=out, on_event=tally)
    # A run that did not really test the system is an error, because the tool would otherwise report a pass.
    outcome = passing(run.report)
    if failure := {"untested": SystemFailure, "misused": UsageError}.get(outcome.word):
        raise failure("; ".join(outcome.reasons))
    findings = [finding for finding in run.findings if finding.confirmed is not False and finding.relation != NO_CHANGE]
    of_source = gathered(findings, lambda finding: finding.source.case.id)
    results = {
        source: SourceResult(
            findings=tuple(of_source.get(source, ())),
            violated=tally.violated[source],
            judged=tally.judged[source],
            answer=answer,
        )
        for source, answer in tally.answers.items()
    }
    return HostedRun(run=run, results=results)


@dataclass(frozen=True, kw_only=True)
class HostedCampaign:
    """The inputs, relations and judge of a configuration, for use with a system that another tool provides.

    Attributes:
        settings: the configuration, as a mapping or the path of a TOML file; its systems are ignored.
        out: folder for the files of the run; None writes no files.

    Raises:
        UsageError: the settings do not describe a run.
    """

    settings: Mapping[str, Any] | Path | str = SETTINGS
    out: Path | str | None = None
    _runs: dict[tuple[str, int], asyncio.Task[HostedRun]] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def _chosen(self) -> Mapping[str, Source]:
        """The source cases with their relations, by case id."""
        return {source.case.id: source for source in without_systems(self.settings).sources}

    @property
    def sources(self) -> Mapping[str, Case]:
        """The source cases, by id."""
        return {name: source.case for name, source in self._chosen.items()}

    @cached_property
    def questions(self) -> tuple[HostedQuestion, ...]:
        """The distinct questions of a run, with sources before their follow-ups.

        Raises:
            UsageError: a case is a dialogue, whose later questions depend on the earlier answers.
        """
        planned = planned_questions(self.settings)
        questions: dict[str, HostedQuestion] = {}
        for case in (*planned.sources, *planned.follow_ups):
            if len(case.asked) > 1:
                raise UsageError(
                    f"{case.id} asks {len(case.asked)} questions, one after the other; a tool that asks each question "
                    "on its own cannot ask dialogues: use `mutatis run`, or an integration that asks during the run"
                )
            conversation = planned.converse(case, case.asked[0])
            asked = HostedQuestion(
                name=question_name(conversation),
                source=case.id if case.derivation is None else case.derivation.source,
                is_source=case.derivation is None,
                messages=tuple(message.to_record() for message in conversation.messages),
                text=conversation.messages[-1].content,
            )
            questions.setdefault(asked.name, asked)
        return tuple(questions.values())

    async def run(self, system: System, number: int = 0) -> HostedRun:
        """Run the campaign on a system. Another call with the same label and number returns the same run.

        A tool may process its inputs one after the other, or several at a time. The first input starts the run.
        Starting with the second run, each run has its own folder in `out`, so that it does not reuse another run's
        stored answers.

        Raises:
            SystemFailure: too few questions were answered for a result, as with exit code 3 of the command.
            UsageError: no relation applies to the inputs.
        """
        name = (system.label, number)
        if (running := self._runs.get(name)) is None:
            folder = Path(self.out) / f"epoch-{number}" if self.out is not None and number > 1 else self.out
            running = self._runs[name] = asyncio.ensure_future(_run(system, self.settings, folder))
        # Shielded: a tool that gives up one of its samples must not end the run for the others.
        return await asyncio.shield(running)

    def judge(self, answers: Mapping[str, Response | SystemFailure], label: str, source: str = "") -> HostedRun:
        """Judge the given answers, which are keyed by question name. Missing answers are INVALID ("not recorded").

        `source` limits judging to the source with this id.
        """
        missing = NotRecorded("not recorded: the tool has no answer to this question")
        system = AnsweredSystem(label=label, kind="answered", answers=answers, missing=missing)
        if not source:
            return to_the_end(_run(system, self.settings, self.out))
        chosen = self._chosen[source]
        return to_the_end(_run(system, self.settings, self.out, [chosen.case], chosen.relations))
