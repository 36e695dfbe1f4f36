"""Shows a source and its follow-up side by side, with changes marked and dialogues as transcripts.

It prepares the records of a report for display on the terminal and on the report page. All text from data or models is
made safe to print.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from mutatis.core.telling import order
from mutatis.core.transformation import AS_IT_IS, KEEP_ROUNDS, RESTORE
from mutatis.records.asked import CallRecord, DerivationRecord, ResponseRecord, TurnRecord
from mutatis.records.report import FollowUpRecord, SourceRecord
from mutatis.reports.call_lines import CallLine, call_lines, material_in_words
from mutatis.reports.marking import LONGEST, MarkedSpan, mark, shorten, visible
from mutatis.reports.numbers import line, number

Sides: TypeAlias = tuple[tuple[MarkedSpan, ...], tuple[MarkedSpan, ...]]
"""A text of the source and of the follow-up, with the differences marked in both."""


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
    says: str
    steps: str
    history: tuple[TurnView, ...]
    fields: tuple[FieldView, ...]
    answer: AnswerView
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
    asked, derivation, role = follow_up.case.turns[follow_up.turn], follow_up.derivation, line(follow_up.role)
    marked = _marked(source.case.turns[source.turn], asked)
    before, after = _histories(source, follow_up, full)
    old, new = source.case.turns[source.turn].fields, asked.fields
    made, calls = _changed_material(source, follow_up), _calls(source.response)
    texts = {name: marked[name][0] for name in old}
    column = source_view(source, before, texts, full=full)
    return Pair(
        source=replace(
            column,
            fields=(*column.fields, *_material_views(made, 0, full)),
            answer=answer_view(source.response, full=full, others=_calls(follow_up.response)),
        ),
        follow_up=Column(
            title=title if role in ("", "follow-up") else f"{title} ({role})",
            says=line(follow_up.says) or _edit_in_words(source, follow_up),
            steps=steps_text(derivation) if derivation else "",
            history=after,
            fields=(*_fields({name: marked[name][1] for name in new}, full), *_material_views(made, 1, full)),
            answer=answer_view(follow_up.response, full=full, others=calls),
            notes=_notes(asked.annotations),
        ),
    )


def _edit_in_words(source: SourceRecord, follow_up: FollowUpRecord) -> str:
    """Return a description of the edit that made a follow-up, for reports that do not contain one."""
    made = follow_up.derivation
    if made is None:
        return ""
    turn = follow_up.turn
    asked = [record.fields for record in follow_up.case.turns[: turn + 1]]
    as_it_is = turn == source.turn and asked == [record.fields for record in source.case.turns[: turn + 1]]
    if not as_it_is or _changed_material(source, follow_up):
        return steps_text(made)
    later = any(step.transformation != AS_IT_IS for step in made.steps)
    return "asked as it is; only later turns were changed" if later else "asked as it is"


def _calls(response: ResponseRecord | None) -> Sequence[CallRecord]:
    return () if response is None else response.calls


def _changed_material(source: SourceRecord, follow_up: FollowUpRecord) -> dict[str, Sides]:
    """Return the parts of the material that differ in the follow-up, with the differences marked on both sides."""
    before, after = source.case.material, follow_up.case.material
    return {
        name: mark(material_in_words(name, before.get(name, "")), material_in_words(name, text))
        for name, text in after.items()
        if before.get(name) != text
    }


def _material_views(marked: Mapping[str, Sides], side: int, full: bool) -> tuple[FieldView, ...]:
    return _fields({name.replace("_", " "): spans[side] for name, spans in marked.items()}, full)


def source_view(
    source: SourceRecord,
    history: tuple[TurnView, ...] | None = None,
    marked: Mapping[str, tuple[MarkedSpan, ...]] | None = None,
    *,
    full: bool = False,
) -> Column:
    """Return the source as a column for display, either alone or with a follow-up's changes marked."""
    asked = source.case.turns[source.turn].fields
    turns = source.case.turns[: source.turn]
    return Column(
        title="source",
        says="",
        steps="",
        history=_turns(turns, source.history, [""] * len(turns)) if history is None else history,
        fields=_fields(marked, full) if marked else texts_view(asked, full=full),
        answer=answer_view(source.response, full=full),
    )


def _marked(old: TurnRecord, new: TurnRecord) -> dict[str, Sides]:
    return {name: mark(old.fields.get(name, ""), new.fields.get(name, "")) for name in {**old.fields, **new.fields}}


def _histories(
    source: SourceRecord, follow_up: FollowUpRecord, full: bool
) -> tuple[tuple[TurnView, ...], tuple[TurnView, ...]]:
    """Return the turns before the judged one, in the source and in the follow-up.

    They are marked if they are missing, moved or repeated.
    """
    turns, new = source.case.turns[: source.turn], follow_up.case.turns[: follow_up.turn]
    origin = follow_up.derivation.origin if follow_up.derivation else []
    marks, new_marks = [""] * len(turns), [""] * len(new)
    if len(origin) > follow_up.turn:  # unknown where there is no derivation
        changes = order(origin, follow_up.turn)
        missing, moved, again, put = map(set, (changes.missing, changes.moved, changes.again, changes.new))
        marks = ["left out" if number in missing else "" for number in range(len(turns))]
        for place in range(len(new)):
            kept = f"originally turn {origin[place] + 1}" if place in moved else "said again" if place in again else ""
            new_marks[place] = "put in between" if place in put else kept
    edited: list[tuple[MarkedSpan, ...] | None] = []
    for now, place in zip(new, origin, strict=False):
        old = turns[place] if 0 <= place < len(turns) else None  # none of one that comes later in the source, or is new
        edited.append(None if old is None else tuple(span for _, spans in _marked(old, now).values() for span in spans))
    return _turns(turns, source.history, marks, full=full), _turns(new, follow_up.history, new_marks, edited, full=full)


def _turns(
    turns: Sequence[TurnRecord],
    replies: Sequence[str],
    marks: Sequence[str],
    edited: Sequence[tuple[MarkedSpan, ...] | None] = (),
    *,
    full: bool = False,
) -> tuple[TurnView, ...]:
    turn_texts = []
    for index, turn in enumerate(turns):
        spans = edited[index] if index < len(edited) else None
        reply = turn.reply if turn.reply is not None else replies[index] if index < len(replies) else None
        if not spans:
            spans = (MarkedSpan(visible(" / ".join(turn.fields.values())), False),)
        turn_texts.append(
            TurnView(
                number=index + 1,
                spans=_cut(spans, full),
                reply=None if reply is None else _short(reply, full),
                mark=marks[index],
            )
        )
    return tuple(turn_texts)


_ENDS = {"length": "cut off at the length limit", "filtered": "filtered", "unknown": "ended for an unknown reason"}


def answer_view(
    response: ResponseRecord | None, *, full: bool = False, others: Sequence[CallRecord] | None = None
) -> AnswerView:
    """Return an answer for display. If other answers are given, tool calls that differ from theirs are marked."""
    if response is None:
        return AnswerView(text="", note="no answer")
    text, value, finish = response.said, response.value, response.finish
    notes = ["empty answer"] if not text else []
    if finish != "stop":
        notes.append(_ENDS.get(finish, line(finish)))
    shown = value if value is None or isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if shown is not None and (shown.strip().casefold() == text.strip().casefold() or _same_number(shown, text)):
        shown = None
    if response.calls:  # the parsed value is nothing but these
        shown = None
    return AnswerView(
        text=_short(text, full),
        value=None if shown is None else _short(shown, full),
        note="; ".join(notes),
        words=_short(response.text or response.refusal, full) if response.calls else "",
        calls=call_lines(response.calls, others),
    )


def _same_number(left: str, right: str) -> bool:
    try:
        return float(left) == float(right)
    except ValueError:
        return False


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
    text = line(value)
    return text if len(text) <= 60 else text[:57] + "..."


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
    return _fields({name: (MarkedSpan(visible(text), False),) for name, text in texts.items()}, full)


def _fields(texts: Mapping[str, tuple[MarkedSpan, ...]], full: bool) -> tuple[FieldView, ...]:
    return tuple(FieldView(name=line(name), spans=_cut(spans, full)) for name, spans in texts.items())


def _cut(spans: tuple[MarkedSpan, ...], full: bool) -> tuple[MarkedSpan, ...]:
    return spans if full else shorten(spans)


def _short(text: str, full: bool) -> str:
    shown = visible(text)
    return (
        shown if full or len(shown) <= LONGEST else "".join(span.text for span in shorten((MarkedSpan(shown, False),)))
    )
