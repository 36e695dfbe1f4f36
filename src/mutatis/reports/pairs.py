"""Shows a source and its follow-up side by side, with changes marked and dialogues as transcripts.

It prepares the records of a report for display on the terminal and on the report page. All text from data or models is
made safe to print.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from mutatis.core.errors import shortened
from mutatis.core.telling import Order, order
from mutatis.core.transformation import AS_IT_IS, KEEP_ROUNDS, RESTORE
from mutatis.records.asked import CallRecord, DerivationRecord, ResponseRecord, TurnRecord
from mutatis.records.report import FollowUpRecord, SourceRecord
from mutatis.reports.marking import CallLine, MarkedSpan, call_lines, mark, material_in_words, shorten, visible
from mutatis.reports.numbers import line, number


class Sides(NamedTuple):
    """A text of the source and of the follow-up, with the differences marked in both."""

    source: tuple[MarkedSpan, ...]
    follow_up: tuple[MarkedSpan, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldView:
    """A named input text for display, divided into changed and unchanged spans."""

    name: str
    spans: tuple[MarkedSpan, ...]

    @property
    def text(self) -> str:
        """The name and the text without marks."""
        return f"{self.name}: {''.join(span.text for span in self.spans)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnView:
    """An earlier turn of a dialogue with its reply. `mark` names the change made to the turn, if any."""

    number: int
    spans: tuple[MarkedSpan, ...]
    reply: str | None
    mark: str = ""

    @property
    def text(self) -> str:
        """The text of the turn."""
        return "".join(span.text for span in self.spans)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerView:
    """A system's answer for display.

    `value` is the parsed answer if it differs from the text, and `note` is set if the answer did not end normally.
    `calls` are its tool calls as code, `words` is the text outside the calls, and `text` contains both.
    """

    text: str
    value: str | None = None
    note: str = ""
    words: str = ""
    calls: tuple[CallLine, ...] = ()

    @property
    def line(self) -> str:
        """The answer on a single line, with tool calls first, or the reason why it is missing."""
        called = "; ".join("".join(span.text for span in call.spans) for call in self.calls)
        return " ".join((self.value or called or self.text).split()) or f"({self.note or 'empty'})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A source or follow-up for display.

    `says` describes in words how it was made, and `steps` does so precisely.
    """

    title: str
    history: tuple[TurnView, ...]
    fields: tuple[FieldView, ...]
    answer: AnswerView
    says: str = ""
    steps: str = ""
    notes: str = ""

    @property
    def changed(self) -> int:
        """Size of the differences from the other text of the pair, in characters.

        Each marked turn counts as 20 characters, like a short sentence.
        """
        texts = [*(field.spans for field in self.fields), *(turn.spans for turn in self.history)]
        edited = sum(len(span.text) for spans in texts for span in spans if span.changed)
        return edited + 20 * sum(1 for turn in self.history if turn.mark)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A source and one of its follow-ups side by side, with the differences marked in both."""

    source: Column
    follow_up: Column

    @property
    def alike(self) -> bool:
        """True if both sides are the same, because the answer is compared with an annotated one."""
        old, new = self.source, self.follow_up
        return not old.changed and not new.changed and old.answer == new.answer

    @property
    def changed(self) -> int:
        """Size of the differences between source and follow-up, in characters."""
        return self.source.changed + self.follow_up.changed


def pair_view(source: SourceRecord, follow_up: FollowUpRecord, title: str, *, full: bool = False) -> Pair:
    """Return a source and one of its follow-ups side by side. Long texts are shortened unless `full` is set."""
    old, new = source.case.turns[source.turn], follow_up.case.turns[follow_up.turn]
    texts, material = _marked(old, new), _changed_material(source, follow_up)
    old_history, new_history = _histories(source, follow_up, full)
    old_fields = [(name, texts[name].source) for name in old.fields]
    new_fields = [(name, texts[name].follow_up) for name in new.fields]
    for name, sides in material.items():
        old_fields.append((name.replace("_", " "), sides.source))
        new_fields.append((name.replace("_", " "), sides.follow_up))
    derivation, role = follow_up.derivation, line(follow_up.role)
    return Pair(
        source=Column(
            title="source",
            history=old_history,
            fields=_fields(old_fields, full),
            answer=answer_view(source.response, full=full, others=_calls(follow_up.response)),
        ),
        follow_up=Column(
            title=title if role in ("", "follow-up") else f"{title} ({role})",
            history=new_history,
            fields=_fields(new_fields, full),
            answer=answer_view(follow_up.response, full=full, others=_calls(source.response)),
            says=line(follow_up.says) or _edit_in_words(source, follow_up),
            steps=steps_text(derivation) if derivation else "",
            notes=_notes(new.annotations),
        ),
    )


def _edit_in_words(source: SourceRecord, follow_up: FollowUpRecord) -> str:
    """Return a description of the edit that made a follow-up, for reports that do not contain one."""
    derivation, turn = follow_up.derivation, follow_up.turn
    if derivation is None:
        return ""
    asked, asked_of_source = (
        [round_.fields for round_ in case.turns[: turn + 1]] for case in (follow_up.case, source.case)
    )
    if turn != source.turn or asked != asked_of_source or _changed_material(source, follow_up):
        return steps_text(derivation)
    changes_later_turns = any(step.transformation != AS_IT_IS for step in derivation.steps)
    return "asked as it is; only later turns were changed" if changes_later_turns else "asked as it is"


def _calls(response: ResponseRecord | None) -> Sequence[CallRecord]:
    return () if response is None else response.calls


def _changed_material(source: SourceRecord, follow_up: FollowUpRecord) -> dict[str, Sides]:
    """Return the parts of the material that differ in the follow-up, with the differences marked on both sides."""
    before, after = source.case.material, follow_up.case.material
    return {
        name: Sides(*mark(material_in_words(name, before.get(name, "")), material_in_words(name, text)))
        for name, text in after.items()
        if before.get(name) != text
    }


def source_view(source: SourceRecord, *, full: bool = False) -> Column:
    """Return the source as a column for display, without a follow-up and its changes."""
    return Column(
        title="source",
        history=turns_view(source.case.turns[: source.turn], source.history, full=full),
        fields=texts_view(source.case.turns[source.turn].fields, full=full),
        answer=answer_view(source.response, full=full),
    )


def _marked(old: TurnRecord, new: TurnRecord) -> dict[str, Sides]:
    """Return the texts of a turn by name, with the differences marked on both sides."""
    names = {**old.fields, **new.fields}
    return {name: Sides(*mark(old.fields.get(name, ""), new.fields.get(name, ""))) for name in names}


def _histories(
    source: SourceRecord, follow_up: FollowUpRecord, full: bool
) -> tuple[tuple[TurnView, ...], tuple[TurnView, ...]]:
    """Return the turns before the judged one, in the source and in the follow-up.

    They have a mark if they are left out, moved, repeated or inserted. Changes in the text of a turn are marked, too.
    """
    old, new = source.case.turns[: source.turn], follow_up.case.turns[: follow_up.turn]
    origin = follow_up.derivation.origin if follow_up.derivation else []
    old_marks, new_marks, edited = dict[int, str](), dict[int, str](), dict[int, tuple[MarkedSpan, ...]]()
    if len(origin) > follow_up.turn:  # without a derivation, the order of the turns is unknown
        changes = order(origin, follow_up.turn)
        old_marks = dict.fromkeys(changes.missing, "left out")
        for number, turn in enumerate(new):
            new_marks[number] = _turn_mark(number, origin, changes)
            if 0 <= origin[number] < len(old):  # otherwise it is inserted, or comes later in the source
                marked = _marked(old[origin[number]], turn)
                edited[number] = tuple(span for sides in marked.values() for span in sides.follow_up)
    old_views = turns_view(old, source.history, old_marks, full=full)
    return old_views, turns_view(new, follow_up.history, new_marks, edited, full=full)


def _turn_mark(number: int, origin: Sequence[int], changes: Order) -> str:
    """Return the mark of a follow-up's turn, or "" if it is in its original place."""
    if number in changes.new:
        return "put in between"
    if number in changes.moved:
        return f"originally turn {origin[number] + 1}"
    return "said again" if number in changes.again else ""


def turns_view(
    turns: Sequence[TurnRecord],
    replies: Sequence[str],
    marks: Mapping[int, str] = MappingProxyType({}),
    edited: Mapping[int, tuple[MarkedSpan, ...]] = MappingProxyType({}),
    *,
    full: bool,
) -> tuple[TurnView, ...]:
    """Return turns for display, with the marks of some turns and the texts with marked changes, by index."""
    views = []
    for index, turn in enumerate(turns):
        reply = replies[index] if turn.reply is None and index < len(replies) else turn.reply
        spans = edited.get(index) or (MarkedSpan(visible(" / ".join(turn.fields.values())), False),)
        shown_reply = None if reply is None else _short(reply, full)
        mark_of_turn = marks.get(index, "")
        views.append(TurnView(number=index + 1, spans=_cut(spans, full), reply=shown_reply, mark=mark_of_turn))
    return tuple(views)


_ENDS = {"length": "cut off at the length limit", "filtered": "filtered", "unknown": "ended for an unknown reason"}


def answer_view(
    response: ResponseRecord | None, *, full: bool = False, others: Sequence[CallRecord] | None = None
) -> AnswerView:
    """Return an answer for display. If other answers are given, tool calls that differ from theirs are marked."""
    if response is None:
        return AnswerView(text="", note="no answer")
    notes = [] if response.said else ["empty answer"]
    if response.finish != "stop":
        notes.append(_ENDS.get(response.finish, line(response.finish)))
    value = _value_text(response)
    return AnswerView(
        text=_short(response.said, full),
        value=None if value is None else _short(value, full),
        note="; ".join(notes),
        words=_short(response.text or response.refusal, full) if response.calls else "",
        calls=call_lines(response.calls, others),
    )


def _value_text(response: ResponseRecord) -> str | None:
    """Return the parsed value of an answer as text, or None if it repeats the answer's text or calls."""
    if response.value is None or response.calls:
        return None
    value = response.points or response.value
    value = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if value.strip().casefold() == response.said.strip().casefold():
        return None
    with suppress(ValueError):  # one of them is not a number
        if float(value) == float(response.said):
            return None
    return value


def steps_text(derivation: DerivationRecord) -> str:
    """Return a precise description of how a follow-up was made.

    An example is `add-typos(share=0.1) then uppercase, on question; draw 2`.
    """
    steps = []
    for step in derivation.steps:
        if step.transformation in (RESTORE, KEEP_ROUNDS):
            continue
        parameters = ", ".join(f"{line(name)}={_parameter(value)}" for name, value in step.parameters.items())
        steps.append(line(step.transformation) + (f"({parameters})" if parameters else ""))
    text = " then ".join(steps)
    if derivation.variant:
        text += ", on " + " and ".join(map(line, derivation.variant))
    if len(steps) < len(derivation.steps):
        text += ", partly undone"
    return text + (f"; draw {derivation.draw}" if derivation.draw else "")


def _parameter(value: Any) -> str:
    return shortened(line(value), 60)


def _notes(annotations: Mapping[str, Any]) -> str:
    """Return the results of the context check for a turn, which explain why the relation could be applied."""
    parts = []
    for name, value in annotations.items():
        if (name == "context" or name.startswith("context_")) and value not in (None, [], ""):
            shown = ", ".join(map(line, value)) if isinstance(value, list) else number(value)
            parts.append(f"{line(name).replace('_', ' ')}: {_parameter(shown)}")
    return "; ".join(parts)


def texts_view(texts: Mapping[str, str], *, full: bool = False) -> tuple[FieldView, ...]:
    """Return named texts for display, without marking any changes."""
    return _fields([(name, (MarkedSpan(visible(text), False),)) for name, text in texts.items()], full)


def _fields(texts: Iterable[tuple[str, tuple[MarkedSpan, ...]]], full: bool) -> tuple[FieldView, ...]:
    return tuple(FieldView(name=line(name), spans=_cut(spans, full)) for name, spans in texts)


def _cut(spans: tuple[MarkedSpan, ...], full: bool) -> tuple[MarkedSpan, ...]:
    return spans if full else shorten(spans)


def _short(text: str, full: bool) -> str:
    return "".join(span.text for span in _cut((MarkedSpan(visible(text), False),), full))
