"""A finding as people read it: the source beside each follow-up and the shrunk one, with changed spans marked.

Turns the plain data of `report.json` into what the terminal and the page show; knows neither rich nor HTML. Everything
that comes from data or models has passed `visible`, so it is harmless to print.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mutatis.reports.marking import Span, mark, shorten, visible


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldView:
    """One named input text as spans."""

    name: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnView:
    """An earlier turn of a dialogue; `origin` is the number of the source turn it came from, where that is known."""

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
    outcome: str
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


def finding_view(finding: Mapping[str, Any], *, full: bool = False) -> FindingView:
    """Return the finding as it is shown; long texts are shortened unless `full`."""
    source = mapping(finding.get("source"))
    case, turn = mapping(source.get("case")), _index(source.get("turn"))
    confirmed = finding.get("confirmed")
    follow_ups = [mapping(item) for item in items(finding.get("followups"))]
    shrunk = mapping(finding.get("shrunk"))
    pairs = [_pair(source, item, "follow-up", full) for item in follow_ups]
    if shrunk:
        pairs.append(_pair(source, shrunk, "shrunk follow-up", full))
    return FindingView(
        id=line(finding.get("id", "")),
        system=line(finding.get("system", "")),
        task=line(finding.get("task", "")),
        relation=line(finding.get("relation", "")),
        source=line(case.get("id", "")),
        turn=turn + 1,
        count=_index(finding.get("count", 1)),
        outcome=line(finding.get("outcome", "violated")),
        flaky=confirmed is False,
        confirmed=confirmed if isinstance(confirmed, bool) else None,
        undecided=bool(finding.get("undecided")),
        judged=judged(finding),
        reason=visible(str(finding.get("reason") or "")),
        reference=_reference(finding, mapping(source.get("response"))),
        replay=line(finding.get("replay", "")),
        material=_texts(mapping(case.get("material")), full),
        pairs=tuple(pairs),
        shrunk=bool(shrunk),
    )


def _reference(finding: Mapping[str, Any], response: Mapping[str, Any]) -> str:
    """Return the accepted answers, where these are not just the system's own answer to the source."""
    accepted = items(finding.get("reference"))
    own = (response.get("value"), response.get("text"))
    return "" if all(answer in own for answer in accepted) else " | ".join(map(line, accepted))


def ordered(findings: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return findings with the confirmed first, the FLAKY last, else in the order of the run."""
    rank = {True: 0, None: 1, False: 2}
    return sorted(findings, key=lambda finding: rank.get(finding.get("confirmed"), 1))


def spread(findings: Sequence[Mapping[str, Any]], most: int) -> list[Mapping[str, Any]]:
    """Return at most `most` findings, in turn from every (system, task, relation), confirmed ones first."""
    if len(findings) <= most:
        return ordered(findings)
    queues: dict[tuple[str, ...], Iterator[Mapping[str, Any]]] = {}
    groups: dict[tuple[str, ...], list[Mapping[str, Any]]] = {}
    for finding in ordered(findings):
        groups.setdefault(tuple(str(finding[key]) for key in ("system", "task", "relation")), []).append(finding)
    queues = {key: iter(group) for key, group in groups.items()}
    chosen: list[Mapping[str, Any]] = []
    while queues and len(chosen) < most:
        for key in list(queues):
            item = next(queues[key], None)
            if item is None:
                del queues[key]
            elif len(chosen) < most:
                chosen.append(item)
    return ordered(chosen)


def judged(record: Mapping[str, Any]) -> str:
    """Return measure, score and thresholds in a few words.

    >>> judged({"measure": "exact", "score": 0.25, "thresholds": {"equal": 0.5}})
    'exact 0.25; equal 0.5'
    """
    thresholds = record.get("thresholds")
    if isinstance(thresholds, Mapping):
        limits = [f"{line(name)} {number(value)}" for name, value in thresholds.items()]
    else:
        limits = [] if thresholds is None else [f"threshold {number(thresholds)}"]
    score = record.get("score")
    measured = " ".join(
        part for part in (line(record.get("measure") or ""), "" if score is None else number(score)) if part
    )
    return "; ".join([measured, *limits] if measured else limits)


def answer_view(response: Any, error: Any = None, *, full: bool = False) -> AnswerView:
    """Return an answer as it is shown; no response is told with its error."""
    if not isinstance(response, Mapping):
        return AnswerView(text="", note=f"no answer: {line(error)}" if error else "no answer")
    text, value = str(response.get("text") or ""), response.get("value")
    finish = str(response.get("finish") or "stop")
    notes = ["empty answer"] if not text else []
    if finish != "stop":
        notes.append({"length": "cut off at the length limit", "filtered": "filtered"}.get(finish, line(finish)))
    shown = (
        None
        if value is None
        else value
        if isinstance(value, str)
        else json.dumps(value, ensure_ascii=False, default=str)
    )
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


def steps_text(derivation: Any) -> str:
    """Return a derivation in words: `add-typos(share=0.1) then uppercase, on question; draw 2`."""
    record = mapping(derivation)
    steps = []
    for step in map(mapping, items(record.get("steps"))):
        parameters = ", ".join(f"{line(k)}={_parameter(v)}" for k, v in mapping(step.get("parameters")).items())
        steps.append(line(step.get("transformation", "?")) + (f"({parameters})" if parameters else ""))
    text = " then ".join(steps)
    if record.get("variant"):
        text += ", on " + " and ".join(line(name) for name in items(record["variant"]))
    return text + (f"; draw {record['draw']}" if record.get("draw") else "")


def _parameter(value: Any) -> str:
    text = line(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _pair(source: Mapping[str, Any], follow_up: Mapping[str, Any], title: str, full: bool) -> Pair:
    turns, turn = _turns(source), _index(source.get("turn"))
    new_turns, new_turn = _turns(follow_up), _index(follow_up.get("turn"))
    old, new = _fields(turns, turn), _fields(new_turns, new_turn)
    derivation = mapping(follow_up.get("derivation"))
    role = line(follow_up.get("role") or "")
    marked = {name: mark(old.get(name, ""), new.get(name, "")) for name in {**old, **new}}
    annotations = mapping(new_turns[new_turn].get("annotations")) if new_turn < len(new_turns) else {}
    return Pair(
        source=Column(
            title="source",
            steps="",
            history=_history(turns, turn, None),
            fields=tuple(FieldView(name=line(name), spans=_cut(marked[name][0], full)) for name in old),
            answer=answer_view(source.get("response"), source.get("error"), full=full),
        ),
        follow_up=Column(
            title=title if role in ("", "follow-up") else f"{title} ({role})",
            steps=steps_text(derivation),
            history=_history(new_turns, new_turn, items(derivation.get("origin"))),
            fields=tuple(FieldView(name=line(name), spans=_cut(marked[name][1], full)) for name in new),
            answer=answer_view(follow_up.get("response"), follow_up.get("error"), full=full),
            notes=_notes(annotations),
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


def _history(turns: Sequence[Mapping[str, Any]], turn: int, origin: Sequence[Any] | None) -> tuple[TurnView, ...]:
    found = []
    for index, record in enumerate(turns[:turn]):
        texts = [str(text) for text in mapping(record.get("fields")).values()]
        came_from = origin[index] if origin is not None and index < len(origin) else None
        reply = record.get("reply")
        found.append(
            TurnView(
                number=index + 1,
                origin=came_from + 1 if isinstance(came_from, int) else None,
                text=_short(" / ".join(texts), False),
                reply=None if reply is None else _short(str(reply), False),
            )
        )
    return tuple(found)


def _turns(member: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [mapping(turn) for turn in items(mapping(member.get("case")).get("turns"))]


def _fields(turns: Sequence[Mapping[str, Any]], turn: int) -> dict[str, str]:
    if turn >= len(turns):
        return {}
    return {str(name): str(text) for name, text in mapping(turns[turn].get("fields")).items()}


def _texts(texts: Mapping[str, Any], full: bool) -> tuple[FieldView, ...]:
    spans = {name: (Span(visible(str(text)), False),) for name, text in texts.items()}
    return tuple(FieldView(name=line(name), spans=_cut(text, full)) for name, text in spans.items())


def _cut(spans: tuple[Span, ...], full: bool) -> tuple[Span, ...]:
    return spans if full else shorten(spans)


def _short(text: str, full: bool) -> str:
    return "".join(span.text for span in _cut((Span(visible(text), False),), full))


def _index(value: Any) -> int:
    return value if isinstance(value, int) and value >= 0 else 0


def mapping(value: Any) -> Mapping[str, Any]:
    """Return `value` if it is a mapping, else an empty one: reports may come from anywhere."""
    return value if isinstance(value, Mapping) else {}


def items(value: Any) -> list[Any]:
    """Return `value` as a list if it is a list or tuple, else an empty one."""
    return list(value) if isinstance(value, list | tuple) else []


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


def interval_text(interval: Any) -> str:
    """Return an interval of rates in percent.

    >>> interval_text([0.0, 0.1684]), interval_text(None)
    ('0-16.8 %', '')
    """
    if len(items(interval)) != 2:
        return ""
    low, high = (percent(bound) for bound in interval)
    return f"{low.removesuffix(' %')}-{high}"


def floor_of(row: Mapping[str, Any]) -> float | None:
    """Return the noise floor of a summary row as a rate, whether it is given as a number or with its own counts."""
    floor = row.get("noise_floor")
    rate = floor.get("rate") if isinstance(floor, Mapping) else floor
    return float(rate) if isinstance(rate, int | float) else None


def health_text(check: Any) -> tuple[str, str, str]:
    """Return a health entry as (name, what and why, remedy with how to silence it)."""
    if not isinstance(check, Mapping):
        return "", visible(str(check)), ""
    name = line(check.get("name") or check.get("check") or "")
    scope = ", ".join(line(check[key]) for key in ("subject", "system", "task", "relation") if check.get(key))
    told = [visible(str(check[key])) for key in ("message", "numbers", "reason") if check.get(key)]
    known = ". ".join(part.rstrip(".") for part in dict.fromkeys(told))
    remedy = [visible(str(check["remedy"])).rstrip(".")] if check.get("remedy") else []
    if check.get("silence"):
        remedy.append(f"to silence: {visible(str(check['silence']))}")
    return name, f"{scope}: {known}" if scope and known else known or scope, "; ".join(remedy)
