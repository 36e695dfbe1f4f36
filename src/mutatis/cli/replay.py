"""`mutatis replay`: sends the questions of one finding again, after showing what that would do on this machine.

A report may come from an untrusted source. The effects of each built-in type of system are listed here; an unknown type
is treated as code.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import pydantic
import typer
from rich.console import Console

from mutatis.assembly.campaign import HandedOver, assemble
from mutatis.campaign.judging import judge_again
from mutatis.campaign.observe import Observer
from mutatis.campaign.records import recorded_cases
from mutatis.campaign.repertoire_file import REPERTOIRE_FILE, QuestionKey, recorded_repertoire
from mutatis.campaign.session import Campaign
from mutatis.campaign.trajectory import ToolAnswers
from mutatis.config import Config, SystemSection, check, read_toml
from mutatis.core.calls import ToolCall, tools_in
from mutatis.core.decision import Decision, Outcome
from mutatis.core.errors import UsageError
from mutatis.core.measure import Repertoire
from mutatis.core.relation import Observation
from mutatis.core.removed import REMOVED_OPTIONS
from mutatis.core.verdict import Verdict
from mutatis.datasets import DATASETS
from mutatis.opening import opened
from mutatis.options import values_with_paths
from mutatis.query import Store
from mutatis.records import FindingRecord, read_report
from mutatis.records.runs import find_finding, find_run
from mutatis.reports.marking import visible
from mutatis.reports.numbers import line
from mutatis.reports.terminal import console
from mutatis.search import SEARCHES
from mutatis.secrets.environment import ENVIRONMENT
from mutatis.secrets.masking import without_secrets
from mutatis.secrets.scanning import HIDDEN
from mutatis.systems import SYSTEMS
from mutatis.systems.openai import KEY_VARIABLE
from mutatis.text.visible import on_one_line

WITHOUT_CODE = {"builtin", "openai", "http", "local", "transformers", "trade", "simpletod", "sheet", "recorded"}
"""System types that never run the user's code, whatever their options."""

PACKAGE = Path(__file__).parents[1].resolve()
"""The folder of this package. Files that ship with it may be read without permission."""

LEARNT = ("resume", "save", "log", "evaluate")
"""Search options for learnt results and their storage. Replaying one finding does not need them."""

ELSEWHERE = ("folder", "engine", "workers", "ray_address", "gate")
"""Keys of a recorded configuration that a replay ignores.

Questions are asked from this machine, not from a cluster. The gate is skipped because it would read a baseline.
"""


Effect: TypeAlias = tuple[str, str]
"""An action that a replay would perform, and the name of its object: code, a variable, a system or a file."""

RUNS_CODE, READS_VARIABLE, ASKS = "runs code", "reads the environment variable", "asks the system"
"""Actions that a replay would perform, besides those on a file, folder or model."""


def followed(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tables of a recorded configuration that a replay needs."""
    tables = {name: value for name, value in config.items() if name not in ELSEWHERE}
    if isinstance(search := tables.get("search"), Mapping):
        # Reports from earlier versions may contain removed options.
        removed = REMOVED_OPTIONS.get(f"search {search.get('type')!r}", {})
        tables["search"] = {name: value for name, value in search.items() if name not in {*LEARNT, *removed}}
    if isinstance(tools := tables.get("tools"), Mapping) and tools.get("answer") != "mcp":
        tables["tools"] = {name: value for name, value in tools.items() if name != "mcp"}  # it would only list tools
    return tables


def masked(tables: Mapping[str, Any]) -> str:
    """Return the configuration key whose secret value was removed from the record, or "" if none was removed.

    A label may have held a secret, too, but nothing is asked with it.
    """
    asked = {name: tables[name] for name in ("systems", "helper", "tools") if name in tables}
    hidden = (path for path, value in values_with_paths(asked) if isinstance(value, str) and HIDDEN in value)
    return next((".".join(path) for path in hidden if path[-1] != "label"), "")


def effects_of(config: Config) -> list[Effect]:
    """Return the actions that replaying this configuration would perform: on code, variables, systems, and files.

    Code includes pickles. Systems that are not built in are given by their tables, as JSON.
    """
    sections = [*config.systems, *([config.helper] if config.helper else [])]
    code = [str(config.path(path)) for path in config.load]
    variables: list[str] = []
    systems: list[str] = []
    for section in sections:
        variables += _variables(section)
        if section.type not in WITHOUT_CODE:
            code.append(f"{_target(section)} (system type {section.type!r})")
        if section.type != "builtin":
            table = without_secrets(section.model_dump(exclude_defaults=True), sent=False)
            systems.append(json.dumps(table, ensure_ascii=False, default=str))
    if (tools := config.tools) is not None:
        variables += _references(tools.mcp)
        code += [] if tools.answer is None else [f"{tools.answer} ([tools] answer)"]
        if tools.mcp is not None:
            code.append(f"{tools.mcp if isinstance(tools.mcp, str) else shlex.join(tools.mcp)} ([tools] mcp)")
    effects = [(RUNS_CODE, name) for name in code] + [(READS_VARIABLE, name) for name in variables]
    return list(dict.fromkeys([*effects, *((ASKS, table) for table in systems), *_opened(config, sections)]))


def _opened(config: Config, asked: Sequence[SystemSection]) -> Iterator[Effect]:
    """Yield an action and a name for each file or model, except code, that would be read or loaded.

    A local file is given by its full path.
    """
    built_in = [section for section in asked if section.type in WITHOUT_CODE]
    tables: list[pydantic.BaseModel] = [config]
    tables += [SYSTEMS[system.type].model.model_construct(**system.options) for system in built_in]
    # A format that is not registered comes from the user's code, which needs permission in any case.
    formats = [block for block in config.data if block.format in DATASETS]
    tables += [DATASETS[block.format].model.model_construct(**block.options) for block in formats]
    if config.search.type in SEARCHES:
        tables.append(SEARCHES[config.search.type].model.model_construct(**config.search.options))
    for table in tables:
        for option, name in opened(table):
            place = option.place(name, lambda written: config.path(written).absolute())
            if name not in option.shipped and not Path(place).resolve().is_relative_to(PACKAGE):
                yield option.what, place


def allow(effects: Sequence[Effect], *, trusted: bool) -> None:
    """Show what the configuration of a report would do, ask for permission, and return if it is given.

    Raises:
        UsageError: the configuration runs code or reads variables and is not `trusted`, the question needs a terminal,
            or the answer was no.
    """
    if not effects:  # it only runs built-in parts, and neither accesses files nor sends anything
        return
    # A name with a line break must not look like another line of this list.
    shown = [(action, on_one_line(name)) for action, name in effects]
    lines = [f"  {on_one_line(action)} {name}" for action, name in shown]
    typer.echo("\n".join(["this report's configuration", *lines]), err=True)
    if trusted:
        return
    remedy = "give your own configuration (--config FILE), or say that you trust the report (--trust)"
    action, name = shown[0]
    if action == RUNS_CODE:
        raise UsageError(f"replaying this report runs code that it names: {name}; {remedy}")
    if action == READS_VARIABLE:
        raise UsageError(f"replaying this report sends the environment variable {name}; {remedy}")
    if not sys.stdin.isatty():
        what = "sends questions to the system that it names" if action == ASKS else f"{action} {name}"
        raise UsageError(f"replaying this report {what}, which cannot be confirmed without a terminal; {remedy}")
    if not typer.confirm("go on?", err=True):
        raise UsageError(f"not replayed; {remedy}")


def _target(section: SystemSection) -> str:
    """Return the code or model that a system runs, or else the type of the system."""
    options = section.options
    return str(next((options[name] for name in ("target", "model") if name in options), section.type))


def _variables(section: SystemSection) -> Iterator[str]:
    """Yield the environment variables that a system reads."""
    options = section.options
    yield from _references(options)
    if section.type == "openai" and not options.get("api_key_env") and KEY_VARIABLE in os.environ:  # its default
        yield KEY_VARIABLE


def _references(options: Any) -> Iterator[str]:
    """Yield the environment variables that options refer to, as `env:NAME` in any text or in an option `..._env`."""
    for path, value in values_with_paths(options):
        if isinstance(value, str):
            if path and path[-1].endswith("_env"):
                yield value
            yield from re.findall(ENVIRONMENT, value)


def replay(run: str, finding: str, config: Path | None = None, *, trust: bool = False) -> int:
    """Send the recorded source and follow-ups of a finding again, and print the answers and the verdict.

    `config` names the systems to query. By default they are taken from the report, after a warning about the
    consequences (`trust` skips the confirmation). Return 1 if the violation recurs, 0 if it is gone, and 3 if it could
    not be judged.
    """
    folder = find_run(run)
    report = read_report(folder)
    record = find_finding(report.all_findings, finding)
    if config is None:
        chosen = _recorded(report.run.config)
        allow(effects_of(chosen), trusted=trust)
    else:
        chosen = check(read_toml(config), config.parent)
    verdict = asyncio.run(_asked_again(chosen, record, folder, own_config=config is not None))
    assert verdict.group is not None
    out = console()
    # The page shows the shrunk pair, but the pair that is asked again is the original.
    title = "follow-up" if record.shrunk is None else "follow-up, as it was found"
    _print_observation("source", verdict.group.source, out)
    for member in verdict.group.members:
        role = "" if member.role == "follow-up" else f" ({line(member.role)})"
        _print_observation(f"{title}{role}", member, out)
    score = "" if verdict.decided.score is None else f", score {verdict.decided.score:.3f}"
    out.print(f"{verdict.outcome.value.upper()}{score}: {line(verdict.decided.reason)}")
    return {Outcome.VIOLATED: 1, Outcome.SATISFIED: 0}.get(verdict.outcome, 3)


def _print_observation(title: str, observation: Observation, out: Console) -> None:
    out.print(f"{title}:")
    for name, text in observation.asked.fields.items():
        out.print(f"  {line(name)}: {visible(text)}")
    answer = observation.error or (observation.response.said if observation.response else "")
    out.print(f"  -> {visible(answer)}")


def _recorded(config: Mapping[str, Any]) -> Config:
    """Return the configuration recorded in a report. Nothing in it is executed."""
    tables = followed(config)
    for table, noun in (("systems", "system"), ("data", "data")):
        if table not in tables:
            raise UsageError(
                f"this run was started from Python, and its report names no {noun}: run it again from Python, or give "
                "a configuration that names them (--config FILE)"
            )
    if key := masked(tables):
        raise UsageError(
            f"the report does not contain {line(key)}, which is a secret or looks like a secret; give your own "
            "configuration: --config FILE"
        )
    return check(tables, Path(str(config.get("folder", "."))))


async def _asked_again(config: Config, finding: FindingRecord, folder: Path, *, own_config: bool) -> Verdict:
    # A store without a file, because stored answers would only repeat the report.
    with Store(None) as store:
        # The recorded case contains the tools that a server listed, so the server need not be started.
        campaign = assemble(config, store, HandedOver(tools=tools_in(recorded_cases(finding)[0].material)))
        targets = [replace(target, tools=_recorded_tools(target.tools, finding)) for target in campaign.targets]
        try:
            return await _judged(replace(campaign, targets=targets), finding, folder, own_config=own_config)
        finally:
            await campaign.close()


def _recorded_tools(tools: ToolAnswers, finding: FindingRecord) -> ToolAnswers:
    """Return the tool answers for a replay. They reuse recorded results, and call no tool that changes anything."""
    responses = [finding.source.response, *(follow_up.response for follow_up in finding.followups)]
    calls = [ToolCall.from_record(call.to_json()) for response in responses if response for call in response.calls]
    return replace(tools, writing=None, kept=[call for call in calls if call.result is not None])


async def _judged(campaign: Campaign, finding: FindingRecord, folder: Path, *, own_config: bool) -> Verdict:
    """Ask the source and follow-ups of a finding again, and judge the answers with the replies of its run.

    `own_config` is True if the user passed a configuration, which is used in place of the run's.
    """
    source, turn, follow_ups = recorded_cases(finding)
    relations = {relation.name: relation for tested in campaign.sources for relation in tested.relations}
    targets = {target.label: target for target in campaign.targets}
    # The only system of the user's own configuration is meant, whatever its label.
    label = next(iter(targets)) if own_config and len(targets) == 1 else finding.system
    if finding.relation not in relations or label not in targets:
        config = "your configuration does not produce" if own_config else "the run's configuration no longer produces"
        raise UsageError(f"{config} {finding.relation} on {finding.system}; its systems are {', '.join(targets)}")
    observer = Observer(targets[label])
    observed = (await observer.observe(source))[turn]
    # With another repeat index, because a follow-up of the relation no-change is otherwise the same question.
    members = [replace((await observer.observe(case, 1))[index], role=role) for case, index, role in follow_ups]
    verdict = Verdict(
        system=label, relation=relations[finding.relation], source=source, turn=turn, variant=tuple(finding.variant)
    )
    which = QuestionKey(finding.system, finding.task, source.id, turn)
    replies = _RecordedReplies(folder, which, frozenset(member.question for member in members))
    judged = await judge_again(verdict, observed, members, replace(campaign.judges, repertoires=replies))
    # A judge that compares a reply with all replies of the run cannot decide without them.
    return replace(judged, decision=NO_REPLIES) if replies.are_missing and _needs_other_replies(judged) else judged


NO_REPLIES = Decision(
    outcome=Outcome.INVALID,
    reason=f"the judge cannot tell: it needs all replies of the run, and there is no {REPERTOIRE_FILE} next to the "
    "report with those to this question; repeat the run with --offline to write it again",
)


def _needs_other_replies(verdict: Verdict) -> bool:
    """Return True if replies to other questions are needed to judge the answers behind a verdict."""
    group = verdict.group
    if group is None or group.directed or verdict.outcome is Outcome.ERROR:
        return False
    return any(member.answer not in group.reference for member in group.members)


class _RecordedReplies:
    """The replies that a run used to judge a finding. `are_missing` is True if they were needed but not recorded."""

    number = 0

    def __init__(self, folder: Path, which: QuestionKey, messages: frozenset[str]) -> None:
        self._folder, self._which, self._messages = folder, which, messages
        self.are_missing = False

    def of(self, verdict: Verdict) -> Repertoire | None:
        """Return the recorded replies, even if the system has a different name now."""
        replies = recorded_repertoire(self._folder, self._which, self._messages)
        self.are_missing = replies is None
        return replies
