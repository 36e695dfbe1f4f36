"""Verdicts and findings as JSON data: the lines of `verdicts.jsonl` and the findings of `report.json`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mutatis.campaign.events import VerdictReached
from mutatis.core.cases import Case, Derivation
from mutatis.core.relation import Group, Member, Observation
from mutatis.core.system import Finish, Response


def verdict_record(event: VerdictReached) -> dict[str, Any]:
    """Return one line of `verdicts.jsonl`: the whole group, readable without the rest of the run."""
    verdict, group = event.verdict, event.group
    identity, judgement = verdict.identity, verdict.judgement
    source = event.source.turns[identity.turn]
    return {
        "system": identity.system,
        "task": identity.task,
        "relation": identity.relation,
        "source": identity.source,
        "turn": identity.turn,
        "variant": list(identity.variant),
        "draw": verdict.draw,
        "repeat": verdict.repeat,
        "steps": list(verdict.steps),
        "outcome": judgement.outcome.value,
        "score": judgement.score,
        "measure": judgement.measure,
        "thresholds": dict(judgement.thresholds),
        "reason": judgement.reason,
        "undecided": judgement.undecided,
        "unchanged": verdict.unchanged,
        "vacuous": verdict.vacuous,
        "precondition": verdict.precondition,
        "worst": list(judgement.worst),
        "finding": identity.finding,
        "reference": list(group.reference) if group else [],
        "source_input": dict(source.fields),
        "source_output": response_record(group.source.response) if group else None,
        "source_error": group.source.error if group else None,
        "followups": [_member_record(member) for member in group.members] if group else [],
    }


def _member_record(member: Member) -> dict[str, Any]:
    observation = member.observation
    turn = observation.case.turns[observation.turn]
    return {
        "case": observation.case.id,
        "derivation": observation.case.derivation.to_record() if observation.case.derivation else None,
        "turn": observation.turn,
        "role": member.role,
        "input": dict(turn.fields),
        "annotations": {name: value for name, value in turn.annotations.items() if name != "protected"},
        "output": response_record(observation.response),
        "error": observation.error,
    }


def response_record(response: Response | None) -> dict[str, Any] | None:
    """Return an answer as JSON data; what is absent or ordinary is left out."""
    if response is None:
        return None
    record: dict[str, Any] = {"text": response.text, "value": response.value}
    if response.probabilities is not None:
        record["probabilities"] = dict(response.probabilities)
    if response.finish is not Finish.STOP:
        record["finish"] = response.finish.value
    return record


def finding_record(group: Group, worst: tuple[int, ...]) -> dict[str, Any]:
    """Return source and follow-ups of a finding: cases as far as the judged turn, the worst pair of a question."""
    chosen = [group.members[i] for i in worst] if worst else list(group.members)
    return {"source": _source_record(group.source), "followups": [follow_up_record(member) for member in chosen]}


def _source_record(observation: Observation) -> dict[str, Any]:
    return {
        "case": _until(observation.case, observation.turn).to_record(),
        "turn": observation.turn,
        "history": list(observation.history),
        "response": response_record(observation.response),
    }


def follow_up_record(member: Member) -> dict[str, Any]:
    """Return a follow-up of a finding: its case without the material, which is its source's."""
    observation = member.observation
    case = replace(_until(observation.case, observation.turn), material={})
    derivation = observation.case.derivation
    return {
        "case": case.to_record(),
        "turn": observation.turn,
        "role": member.role,
        "derivation": derivation.to_record() if derivation else None,
        "history": list(observation.history),
        "response": response_record(observation.response),
    }


def _until(case: Case, turn: int) -> Case:
    """Return the case as far as one turn: what follows it cannot have changed its answer."""
    ask_turns = None if case.ask_turns is None else tuple(i for i in case.ask_turns if i <= turn)
    return replace(case, turns=case.turns[: turn + 1], ask_turns=ask_turns)


def recorded_cases(finding: dict[str, Any]) -> tuple[Case, int, list[tuple[Case, int, str]]]:
    """Return what `finding_record` wrote: the source, its turn, and per follow-up its case, turn and role."""
    source = Case.from_record(finding["source"]["case"])
    follow_ups = []
    for record in finding["followups"]:
        derivation = Derivation.from_record(record["derivation"]) if record["derivation"] else None
        case = replace(Case.from_record(record["case"], derivation), material=source.material)
        follow_ups.append((case, record["turn"], record["role"]))
    return source, finding["source"]["turn"], follow_ups
