"""Converts verdicts and findings to JSON data for `verdicts.jsonl` and `report.json`.

The edits of a follow-up are described in plain words, such as `one letter mistyped on the keyboard`.
They are counted by comparing the texts, so the description remains true after shrinking has undone some.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from mutatis.campaign.tally import Finding
from mutatis.core.cases import NAMES, NEW, PRODUCTS, Case, Derivation, Turn
from mutatis.core.gathering import present
from mutatis.core.languages import is_english
from mutatis.core.relation import Group, Observation
from mutatis.core.system import Finish, Response
from mutatis.core.telling import edit, order, with_number
from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.core.verdict import Verdict
from mutatis.records.report import FindingRecord
from mutatis.tasks.grades import Points
from mutatis.text.alignment import differences, too_long
from mutatis.text.spans import changes


def described_edits(source: Case, follow_up: Case, turn: int) -> str:
    """Return a one-line description of the edits that a follow-up makes to the turns up to and including `turn`.

    The line is empty if there are no such edits.
    """
    if follow_up.derivation is None:
        return ""
    origins = [follow_up.origin(number) for number in range(turn + 1)]
    pairs = [(source.turns[of], follow_up.turns[number]) for number, of in enumerate(origins) if of != NEW]
    steps = [step for step in follow_up.derivation.steps if step.transformation in TRANSFORMATIONS]
    moves = _moves(follow_up, turn)
    edits = [step for step in steps if TRANSFORMATIONS[step.transformation].level != "dialogue"]
    if not (edits or moves) and any(old.fields != new.fields for old, new in pairs):
        edits = steps  # an edit of a dialogue that changed nothing but a turn's text
    if len(edits) == 1:
        [step] = edits
        # Only the description of the step tells whether its words or its letters are to be counted.
        description = edit(step, lambda by_word: _edited(pairs, by_word=by_word))
        descriptions = [description + _edited_fields(pairs)] if description else []
    else:  # without numbers, because it is not known which edit changed what
        descriptions = list(dict.fromkeys(edit(step, lambda by_word: None) for step in edits))
    return ", then ".join(part for part in (*moves, *descriptions) if part)


def _edited(pairs: Sequence[tuple[Turn, Turn]], *, by_word: bool) -> int | None:
    """Return how many words or characters differ between the turns, or None if a text is too long to compare.

    Identical edits of identical texts are counted once.
    """
    texts = {(old.fields.get(name, ""), text) for old, new in pairs for name, text in new.fields.items()}
    total = 0
    for old, new in texts:
        for change in changes(old, new):
            before, after = old[change.start : change.end], new[change.new_start : change.new_end]
            if too_long(len(before), len(after)):
                return None
            if by_word:
                total += max(1, len(before.split()), len(after.split()))
            else:
                total += _characters(before, after)
    return total


def _characters(old: str, new: str) -> int:
    if len(old) == len(new):  # letter against letter, as most edits are
        return sum(a != b for a, b in zip(old, new, strict=True))
    return sum(max(change.end - change.start, change.new_end - change.new_start) for change in differences(old, new))


def _edited_fields(pairs: Sequence[tuple[Turn, Turn]]) -> str:
    """Return the names of the edited fields as a phrase if a turn has several fields. Otherwise return ""."""
    fields: Mapping[str, str] = pairs[-1][1].fields
    changed = [name for name in fields if any(old.fields.get(name) != new.fields.get(name) for old, new in pairs)]
    return f" in the {' and the '.join(changed)}" if changed and len(fields) > 1 else ""


def _moves(follow_up: Case, turn: int) -> list[str]:
    """Describe how turns up to the judged one were left out, moved, repeated or inserted."""
    assert follow_up.derivation is not None
    origin = follow_up.derivation.origin
    moves = order(origin, turn)
    if moves.missing and not turn:
        return ["all earlier turns left out" if len(moves.missing) > 1 else "the earlier turn left out"]
    kinds = (
        (moves.missing, "earlier turns", "left out"),
        (moves.moved, "turns", "moved"),
        (moves.again, "turns", "said again"),
        (moves.new, "turns", "put in between"),
    )
    parts = [f"{with_number(len(turns), noun)} {verb}" for turns, noun, verb in kinds if turns]
    if origin[turn] != NEW and origin[turn] in origin[:turn]:
        parts.append("the question asked again")
    return [", ".join(parts)] if parts else []


LONGEST, KEPT = 100_000, 10_000
"""Maximum number of characters of an answer in a record, and the number kept of a longer answer."""

_OF_THE_DATA = frozenset({"protected", NAMES, PRODUCTS})
"""Annotations that come with the data and do not show how a follow-up was made."""


def verdict_record(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as JSON data, for one line of `verdicts.jsonl`.

    The data contain the whole group of answers, if there is one, so the line can be read without the rest of the run.
    """
    group, decision = _group_of(verdict), verdict.decided
    system, task, relation = verdict.row
    return {
        "system": system,
        "task": task,
        "relation": relation,
        "source": verdict.source.id,
        "turn": verdict.turn,
        "variant": list(verdict.variant),
        "draw": verdict.draw,
        "repeat": verdict.repeat,
        "steps": list(verdict.steps),
        "expects": verdict.relation.expects,
        "outcome": decision.outcome.value,
        "score": decision.score,
        "measure": decision.measure,
        "thresholds": dict(decision.thresholds),
        "reason": decision.reason,
        "undecided": decision.undecided,
        "unchanged": decision.unchanged,
        "vacuous": verdict.vacuous,
        "estimates": verdict.estimates,
        "inherited": verdict.inherited,
        "precondition": decision.precondition,
        "worst": list(decision.worst),
        "finding": verdict.finding,
        "reference": [shortened_answer(text) for text in group.reference],
        "source_input": dict(verdict.source.turns[verdict.turn].fields),
        "source_output": response_record(group.source.response),
        "source_error": group.source.error,
        "followups": [_member_record(member, group.source, verdict.source) for member in group.members],
        **present(  # left out where they do not apply, as in most verdicts
            language=None if is_english(verdict.source.language) else verdict.source.language,
            cause=decision.cause or None,
            part=verdict.part or None,
            episode=verdict.episode,
            action=list(verdict.action) or None,
        ),
    }


def _group_of(verdict: Verdict) -> Group:
    """Return the group of answers of a verdict. If nothing was asked, it only has the source, without an answer."""
    return verdict.group or Group(source=Observation(case=verdict.source, turn=verdict.turn), members=())


def earlier_rounds(observation: Observation) -> list[dict[str, Any]]:
    """Return the rounds before a turn as JSON data, each with its question and reply."""
    turns = observation.case.turns[: observation.turn]
    replies = (*observation.history, *(turn.reply for turn in turns[len(observation.history) :]))
    return [
        {"input": dict(turn.fields), "reply": None if reply is None else shortened_answer(reply)}
        for turn, reply in zip(turns, replies, strict=False)
    ]


def _other_rounds(member: Observation, source: Observation) -> list[dict[str, Any] | None]:
    """Return the rounds before a turn of a follow-up, with None for each round that is the same in the source.

    If all rounds are the same, the list is empty.
    """
    in_source = earlier_rounds(source)
    rounds: list[dict[str, Any] | None] = []
    for number, made in enumerate(earlier_rounds(member)):
        origin = member.case.origin(number)
        has_origin = 0 <= origin < len(in_source)  # an inserted round has none
        rounds.append(None if has_origin and in_source[origin] == made else made)
    return rounds if any(rounds) else []


def _member_record(member: Observation, origin: Observation, source: Case) -> dict[str, Any]:
    material, rounds = _changed_material(member.case, source), _other_rounds(member, origin)
    return {
        "case": member.case.id,
        "derivation": member.case.derivation.to_record() if member.case.derivation else None,
        "turn": member.turn,
        "role": member.role,
        "input": dict(member.asked.fields),
        "annotations": {name: value for name, value in member.asked.annotations.items() if name not in _OF_THE_DATA},
        "output": response_record(member.response),
        "error": member.error,
        **present(material=material or None, earlier=rounds or None),
    }


def shortened_answer(answer: Any) -> Any:
    """Return an answer for the report. An extremely long answer is truncated, and its length and hash are added.

    The store has the whole answer.
    """
    if not isinstance(answer, str) or len(answer) <= LONGEST:
        return answer
    digest = hashlib.sha256(answer.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{answer[:KEPT]} [{len(answer):,} characters in all, sha256 {digest}; the store has the whole answer]"


def response_record(response: Response | None) -> dict[str, Any] | None:
    """Return an answer as JSON data, leaving out absent parts and defaults."""
    if response is None:
        return None
    text_and_value = {"text": shortened_answer(response.text), "value": shortened_answer(response.value)}
    return text_and_value | present(
        points=f"{response.value:g}" if isinstance(response.value, Points) else None,
        probabilities=None if response.probabilities is None else dict(response.probabilities),
        finish=None if response.finish is Finish.STOP else response.finish.value,
        calls=[call.to_record() for call in response.calls] or None,
        data=response.data,
        refusal=shortened_answer(response.refusal) or None,
    )


def finding_record(finding: Finding, run: str) -> dict[str, Any]:
    """Return a finding as a record for `report.json`, with cases that end with the judged turn.

    If a question has several versions, only those are included that are needed to judge it again. `run` is the name of
    the run on the command line. It is empty if no command can find the run later.
    """
    name = finding.verdict.finding
    return {
        **evidence_record(finding.verdict),
        "count": finding.count,
        "confirmed": finding.confirmed,
        "shrunk": _shrunk_record(finding),
        "replay": f"mutatis replay {run} {name}" if run else None,
    }


def _shrunk_record(finding: Finding) -> dict[str, Any] | None:
    if finding.shrunk is None:
        return None
    record, decision = follow_up_record(finding.shrunk, finding.verdict.source), finding.shrunk_decision
    return record if decision is None else {**record, "score": decision.score, "reason": decision.reason}


def evidence_record(verdict: Verdict) -> dict[str, Any]:
    """Return the evidence of a verdict in the form of a finding, whatever its outcome.

    If a relation refused the follow-up before anything was sent, the record only has the source, without an answer.
    """
    group, decision = _group_of(verdict), verdict.decided
    system, task, relation = verdict.row
    return {
        "id": verdict.finding,
        "system": system,
        "task": task,
        "relation": relation,
        "variant": list(verdict.variant),
        "outcome": decision.outcome.value,
        "undecided": decision.undecided,
        "score": decision.score,
        "thresholds": dict(decision.thresholds),
        "measure": decision.measure,
        "reason": decision.reason,
        **present(cause=decision.cause or None),
        "output_relation": verdict.relation.output_relation.name,
        "reference": [shortened_answer(text) for text in group.reference],
        "source": _asked_record(group.source),
        "followups": [follow_up_record(member, verdict.source) for member in verdict.evidence],
    }


def _asked_record(observation: Observation) -> dict[str, Any]:
    """Return a turn of a case with its answer, and the answers before it, as JSON data."""
    return {
        "case": _until(observation.case, observation.turn).to_record(),
        "turn": observation.turn,
        "history": [shortened_answer(text) for text in observation.history],
        "response": response_record(observation.response),
    }


def follow_up_record(member: Observation, source: Case) -> dict[str, Any]:
    """Return a follow-up of a finding as JSON data, leaving out material that is the same as in the source."""
    case, derivation = member.case, member.case.derivation
    return {
        **_asked_record(replace(member, case=replace(case, material=_changed_material(case, source)))),
        "role": member.role,
        "derivation": derivation.to_record() if derivation else None,
        "says": described_edits(source, member.case, member.turn),
    }


def _changed_material(case: Case, source: Case) -> dict[str, str]:
    return {name: text for name, text in case.material.items() if source.material.get(name) != text}


def _until(case: Case, turn: int) -> Case:
    """Return the case up to and including a turn. Later turns cannot have influenced its answer."""
    ask_turns = None if case.ask_turns is None else tuple(i for i in case.ask_turns if i <= turn)
    return replace(case, turns=case.turns[: turn + 1], ask_turns=ask_turns)


def recorded_cases(finding: FindingRecord) -> tuple[Case, int, list[tuple[Case, int, str]]]:
    """Return the cases recorded in a finding: the source, its turn, and the case, turn and role of each follow-up."""
    source = replace(Case.from_record(finding.source.case.to_json()), task=finding.task)
    follow_ups = []
    for record in finding.followups:
        derivation = Derivation.from_record(record.derivation.to_json()) if record.derivation else None
        case = Case.from_record(record.case.to_json(), derivation)
        material = {**source.material, **case.material}
        follow_ups.append((replace(case, task=finding.task, material=material), record.turn, record.role))
    return source, finding.source.turn, follow_ups
