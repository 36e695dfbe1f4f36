"""A finding as people read it: the source beside each follow-up and the shrunk one, with changed spans marked.

Turns the records of a report into what the terminal and the page show; knows neither rich nor HTML. Everything
that comes from data or models has passed `visible`, so it is harmless to print.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest
from typing import Any

from mutatis.records.report import (
    DerivationRecord,
    FindingRecord,
    FollowUpRecord,
    HealthRecord,
    ResponseRecord,
    Soundness,
    SourceRecord,
    TurnRecord,
)
from mutatis.reports.marking import Span, mark, shorten, visible


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldView:
    """One named input text as spans."""

    name: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnView:
    """An earlier turn of a dialogue.

    `origin` is the number of the source turn it came from, where that is known; 0 for one that came in between.
    """

    number: int
    origin: int | None
    text: str
    reply: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerView:
    """What a system answered: `value` where the parsed answer reads differently, `note` where it did not just stop."""

    text: str
    value: str | None = None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A source or follow-up as it is shown beside the others."""

    title: str
    steps: str
    history: tuple[TurnView, ...]
    fields: tuple[FieldView, ...]
    answer: AnswerView
    notes: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """The source beside one follow-up, each with its differences from the other marked."""

    source: Column
    follow_up: Column


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingView:
    """One finding, ready to be laid out."""

    id: str
    system: str
    task: str
    relation: str
    source: str
    turn: int
    count: int
    flaky: bool
    confirmed: bool | None
    undecided: bool
    judged: str
    reason: str
    reference: str
    replay: str
    material: tuple[FieldView, ...]
    pairs: tuple[Pair, ...]
    shrunk: bool
    """Whether the last pair is the shrunk follow-up."""

    @property
    def mark(self) -> str:
        """FLAKY, confirmed, or nothing where it was not tried."""
        return "FLAKY" if self.flaky else "confirmed" if self.confirmed else ""


def finding_view(finding: FindingRecord, *, full: bool = False) -> FindingView:
    """Return the finding as it is shown; long texts are shortened unless `full`."""
    source = finding.source
    pairs = [_pair(source, item, "follow-up", full) for item in finding.followups]
    if finding.shrunk is not None:
        pairs.append(_pair(source, finding.shrunk, "shrunk follow-up", full))
    return FindingView(
        id=line(finding.id),
        system=line(finding.system),
        task=line(finding.task),
        relation=line(finding.relation),
        source=line(source.case.id),
        turn=source.turn + 1,
        count=finding.count,
        flaky=finding.confirmed is False,
        confirmed=finding.confirmed,
        undecided=finding.undecided,
        judged=judged(finding.measure, finding.score, finding.thresholds),
        reason=visible(finding.reason),
        reference=_reference(finding),
        replay=line(finding.replay or ""),
        material=_texts(source.case.material, full),
        pairs=tuple(pairs),
        shrunk=finding.shrunk is not None,
    )


def _reference(finding: FindingRecord) -> str:
    """Return the accepted answers, where these are not just the system's own answer to the source."""
    response = finding.source.response
    own = () if response is None else (response.value, response.text)
    return "" if all(answer in own for answer in finding.reference) else " | ".join(map(line, finding.reference))


def ordered(findings: Sequence[FindingRecord]) -> list[FindingRecord]:
    """Return findings with the confirmed first, the FLAKY last, else in the order of the run."""
    rank = {True: 0, None: 1, False: 2}
    return sorted(findings, key=lambda finding: rank[finding.confirmed])


def spread(findings: Sequence[FindingRecord], most: int) -> list[FindingRecord]:
    """Return at most `most` findings, in turn from every (system, task, relation), confirmed ones first."""
    if len(findings) <= most:
        return ordered(findings)
    groups: dict[tuple[str, str, str], list[FindingRecord]] = {}
    for finding in ordered(findings):
        groups.setdefault((finding.system, finding.task, finding.relation), []).append(finding)
    rounds = zip_longest(*groups.values())
    in_turn = (finding for one_of_each in rounds for finding in one_of_each if finding is not None)
    return ordered(list(islice(in_turn, most)))


def judged(measure: str, score: float | None, thresholds: Mapping[str, float]) -> str:
    """Return measure, score and thresholds in a few words.

    >>> judged("exact", 0.25, {"equal": 0.5})
    'exact 0.25; equal 0.5'
    """
    limits = [f"{line(name)} {number(value)}" for name, value in thresholds.items()]
    measured = " ".join(part for part in (line(measure), "" if score is None else number(score)) if part)
    return "; ".join([measured, *limits] if measured else limits)


def answer_view(response: ResponseRecord | None, *, full: bool = False) -> AnswerView:
    """Return an answer as it is shown."""
    if response is None:
        return AnswerView(text="", note="no answer")
    text, value, finish = response.text, response.value, response.finish
    notes = ["empty answer"] if not text else []
    if finish != "stop":
        notes.append({"length": "cut off at the length limit", "filtered": "filtered"}.get(finish, line(finish)))
    shown = value if value is None or isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if shown is not None and (shown.strip().casefold() == text.strip().casefold() or _same_number(shown, text)):
        shown = None
    return AnswerView(
        text=_short(text, full), value=None if shown is None else _short(shown, full), note="; ".join(notes)
    )


def _same_number(one: str, other: str) -> bool:
    try:
        return float(one) == float(other)
    except ValueError:
        return False


def steps_text(derivation: DerivationRecord) -> str:
    """Return a derivation in words: `add-typos(share=0.1) then uppercase, on question; draw 2`."""
    steps = []
    for step in derivation.steps:
        parameters = ", ".join(f"{line(name)}={_parameter(value)}" for name, value in step.parameters.items())
        steps.append(line(step.transformation) + (f"({parameters})" if parameters else ""))
    text = " then ".join(steps)
    if derivation.variant:
        text += ", on " + " and ".join(map(line, derivation.variant))
    return text + (f"; draw {derivation.draw}" if derivation.draw else "")


def _parameter(value: Any) -> str:
    text = line(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _pair(source: SourceRecord, follow_up: FollowUpRecord, title: str, full: bool) -> Pair:
    turns, new_turns = source.case.turns, follow_up.case.turns
    asked, derivation, role = new_turns[follow_up.turn], follow_up.derivation, line(follow_up.role)
    old, new = turns[source.turn].fields, asked.fields
    marked = {name: mark(old.get(name, ""), new.get(name, "")) for name in {**old, **new}}
    return Pair(
        source=Column(
            title="source",
            steps="",
            history=_history(turns[: source.turn], None),
            fields=tuple(FieldView(name=line(name), spans=_cut(marked[name][0], full)) for name in old),
            answer=answer_view(source.response, full=full),
        ),
        follow_up=Column(
            title=title if role in ("", "follow-up") else f"{title} ({role})",
            steps=steps_text(derivation) if derivation else "",
            history=_history(new_turns[: follow_up.turn], derivation.origin if derivation else []),
            fields=tuple(FieldView(name=line(name), spans=_cut(marked[name][1], full)) for name in new),
            answer=answer_view(follow_up.response, full=full),
            notes=_notes(asked.annotations),
        ),
    )


def _notes(annotations: Mapping[str, Any]) -> str:
    """Return what the context check said of a turn, which is why the relation applied."""
    parts = []
    for name, value in annotations.items():
        if (name == "context" or name.startswith("context_")) and value not in (None, [], ""):
            shown = ", ".join(map(line, value)) if isinstance(value, list) else number(value)
            parts.append(f"{line(name).replace('_', ' ')}: {_parameter(shown)}")
    return "; ".join(parts)


def _history(turns: Sequence[TurnRecord], origin: Sequence[int] | None) -> tuple[TurnView, ...]:
    found = []
    for index, turn in enumerate(turns):
        found.append(
            TurnView(
                number=index + 1,
                origin=origin[index] + 1 if origin is not None and index < len(origin) else None,
                text=_short(" / ".join(turn.fields.values()), False),
                reply=None if turn.reply is None else _short(turn.reply, False),
            )
        )
    return tuple(found)


def _texts(texts: Mapping[str, str], full: bool) -> tuple[FieldView, ...]:
    spans = {name: (Span(visible(text), False),) for name, text in texts.items()}
    return tuple(FieldView(name=line(name), spans=_cut(text, full)) for name, text in spans.items())


def _cut(spans: tuple[Span, ...], full: bool) -> tuple[Span, ...]:
    return spans if full else shorten(spans)


def _short(text: str, full: bool) -> str:
    return "".join(span.text for span in _cut((Span(visible(text), False),), full))


def line(value: Any) -> str:
    """Return any value as one harmless line of text."""
    return visible(str(value)).replace("\n", "⏎").replace("\t", " ")


def number(value: Any) -> str:
    """Return a number as people read it: at most four significant decimals, thousands separated.

    >>> number(0.123456), number(34627), number(None), number(0.5)
    ('0.1235', '34,627', '-', '0.5')
    """
    if value is None:
        return "-"
    if isinstance(value, bool) or not isinstance(value, int | float):
        return line(value)
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.4f}".rstrip("0").rstrip(".")


def percent(rate: Any) -> str:
    """Return a rate as a percentage; a dash where there is none.

    >>> percent(0.1234), percent(0.00012), percent(1.0), percent(None)
    ('12.3 %', '0.012 %', '100 %', '-')
    """
    if not isinstance(rate, int | float):
        return "-"
    value = 100 * float(rate)
    if value in (0.0, 100.0):
        return f"{value:.0f} %"
    return f"{value:.2g} %" if value < 0.1 else f"{value:.1f} %"


def interval_text(interval: Sequence[float] | None) -> str:
    """Return an interval of rates in percent.

    >>> interval_text([0.0, 0.1684]), interval_text(None)
    ('0-16.8 %', '')
    """
    if interval is None or len(interval) != 2:
        return ""
    low, high = map(percent, interval)
    return f"{low.removesuffix(' %')}-{high}"


def soundness_text(found: Soundness | None) -> str:
    """Return how many of the follow-ups that were read were sound; empty where none was read.

    >>> soundness_text(Soundness(read=60, sound=57, share=0.95, interval=(0.86, 0.98))), soundness_text(None)
    ('95.0 % of 60', '')
    """
    return f"{percent(found.share)} of {found.read:,}" if found else ""


def health_text(check: HealthRecord) -> tuple[str, str, str]:
    """Return a health entry as (name, what and why, remedy with how to silence it)."""
    message, remedy = visible(check.message).rstrip("."), visible(check.remedy).rstrip(".")
    silence = f"to silence: {visible(check.silence)}" if check.silence else ""
    known = ": ".join(part for part in (line(check.subject), message) if part)
    return line(check.name), known, "; ".join(part for part in (remedy, silence) if part)
