"""Formats a finding as plain text for test failures, build pages and notebooks, with every text in full."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence

from mutatis.core.measure import SOURCE_IS_ODD
from mutatis.core.transformation import RESTORE
from mutatis.records.report import FindingRecord, FollowUpRecord, SourceRecord
from mutatis.reports.numbers import instability_text, line, wordings_text
from mutatis.reports.numbers import number as number_text
from mutatis.reports.pairs import answer_view
from mutatis.reports.widths import beginning, columns_of, padded
from mutatis.text.spans import changes

MOST_CHANGES = 6
"""Maximum number of changed pieces of a text that are listed one by one."""

_LONG_NUMBER = re.compile(r"-?\d+\.\d{5,}")
_WIDTH = 10
_BEGINNING = 24
"""Maximum number of characters shown of a changed piece, since the whole text is shown above it."""


def finding_text(finding: FindingRecord, folder: str = "") -> str:
    """Return a finding in about ten lines: source, follow-up, change, answers, reason, and what to do next.

    Numeric answers are rounded to four decimals unless two of them would then look the same. If there is a smaller
    follow-up that still violates the relation, it is included. `folder` is the run's folder, used to suggest a command
    that shows the finding if no command can replay it.
    """
    mark = {True: " (confirmed)", False: " (FLAKY)", None: ""}[finding.confirmed]
    source = finding.source
    turn = f", turn {source.turn + 1}" if source.turn else ""
    head = f"{finding.relation} on {finding.system}, {finding.task}: {finding.source.case.id}{turn}{mark}"
    rounded = _rounded([finding.source, *finding.followups, *([finding.shrunk] if finding.shrunk else [])])

    def told(name: str, text: str) -> str:
        for exact, short in rounded.items() if name in ("answers", "least", "why") else ():
            text = text.replace(exact, short)
        return _row(name, text)

    return "\n".join([line(head), *(told(name, text) for name, text in _rows(finding, folder) if text)])


def _rounded(records: Sequence[SourceRecord | FollowUpRecord]) -> dict[str, str]:
    """Map each answer to its form for display, longest first. Numbers are rounded to four decimals.

    The result is empty if two different answers would then look the same.
    """
    answers = sorted({_answer(record) for record in records}, key=len, reverse=True)
    rounded = {answer: number_text(float(answer)) if _LONG_NUMBER.fullmatch(answer) else answer for answer in answers}
    return rounded if len(set(rounded.values())) == len(rounded) else {}


def _rows(finding: FindingRecord, folder: str) -> Iterator[tuple[str, str]]:
    source = finding.source
    for name, text in source.case.material.items():
        yield line(name), line(text)
    shown, least = list(finding.followups), finding.shrunk
    # The reason is about the answers of the original: the least follow-up takes its place where it got the same answer.
    if least is not None and len(shown) == 1 and _answer(least) == _answer(shown[0]):
        shown, least = [least], None
    answers = [_answer(source)]
    for number, follow_up in enumerate(shown):
        old, new = _asked(source), _asked(follow_up)
        if not number:
            for name in old:
                if name not in _differing(old, new):
                    yield line(name), line(old[name])  # the same in both: told once
            yield from _side("source", source, {name: old[name] for name in _differing(old, new)})
        role = "follow-up" if follow_up.role in ("", "follow-up") else f"follow-up ({line(follow_up.role)})"
        yield from _side(role, follow_up, {name: new[name] for name in _differing(new, old)})
        yield "change", _change(old, new, follow_up)
        answers.append(_answer(follow_up))
    if told := instability_text(finding.instability):
        yield "answers", " -> ".join(answers)
        yield "unstable", told
    elif finding.cause == SOURCE_IS_ODD and len(answers) == 2:
        yield "answers", f"asked plainly {answers[0]}; {wordings_text(finding.wordings)} {answers[1]}"
    else:
        yield "answers", " -> ".join(answers)
    if least is not None:
        new = _asked(least)
        told = "; ".join(line(new[name]) for name in _differing(new, _asked(source)))
        yield "least", f"{told} -> {_answer(least)}" + (f" ({line(least.reason)})" if least.reason else "")
    expected = [line(answer) for answer in finding.reference]
    yield "expected", " | ".join(expected) if set(expected) - {answers[0]} else ""
    yield "why", line(finding.why if shown == [finding.shrunk] else finding.reason)
    yield "labelled", line(finding.label)
    if finding.replay:
        yield "replay", line(finding.replay)
    elif folder:
        yield "show", f"mutatis show {shlex.quote(folder)} {line(finding.id)}"


def _row(name: str, text: str) -> str:
    return f"  {padded(name, _WIDTH)} {text}"


def _side(title: str, asked: SourceRecord | FollowUpRecord, fields: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the earlier turns of a dialogue with their replies, followed by the fields of the judged turn."""
    for number, turn in enumerate(asked.case.turns[: asked.turn]):
        reply = turn.reply if number >= len(asked.history) else asked.history[number]
        told = " / ".join(map(line, turn.fields.values()))
        yield f"{title} {number + 1}", told + ("" if reply is None else f" -> {line(reply)}")
    for name, text in fields.items():
        yield title, line(text) if len(fields) == 1 else f"{line(name)}: {line(text)}"


def _asked(record: SourceRecord | FollowUpRecord) -> dict[str, str]:
    return dict(record.case.turns[record.turn].fields)


def _differing(fields: Mapping[str, str], other: Mapping[str, str]) -> Sequence[str]:
    """Return the names of the fields that differ, or of all fields if none do.

    None differ if only the earlier turns of a dialogue were changed, or if the same question is asked again.
    """
    return [name for name in fields if fields[name] != other.get(name)] or list(fields)


def _change(old: Mapping[str, str], new: Mapping[str, str], follow_up: FollowUpRecord) -> str:
    """Return the changes piece by piece, with the names of the transformations that made them."""
    names = _differing(old, new)
    is_swap = len(names) == 2 and [old[name] for name in names] == [new.get(name) for name in reversed(names)]
    told = [f"{' and '.join(map(line, names))} swapped"] if is_swap else []
    for name in () if is_swap else names:
        before, after = old.get(name, ""), new.get(name, "")
        pieces = [(before[c.start : c.end], after[c.new_start : c.new_end]) for c in changes(before, after)]
        told += [_piece(*pair) for pair in pieces]
    steps = [step.transformation for step in follow_up.derivation.steps] if follow_up.derivation else []
    made_by = line(" then ".join(name for name in steps if name != RESTORE))  # what it took back no text shows
    more = f", and {len(told) - MOST_CHANGES} more" if len(told) > MOST_CHANGES else ""
    what = ", ".join(told[:MOST_CHANGES]) + more
    return f"{what} ({made_by})" if what and made_by else what or made_by


def _piece(before: str, after: str) -> str:
    old, new = (
        line(text if columns_of(text) <= _BEGINNING else beginning(text, _BEGINNING) + "...")
        for text in (before, after)
    )
    if not before:
        return f"'{new}' added"
    return f"'{old}' left out" if not after else f"'{old}' -> '{new}'"


def _answer(record: SourceRecord | FollowUpRecord) -> str:
    view = answer_view(record.response, full=True)
    text = line(view.value if view.value is not None else view.text)
    return text if text else f"({view.note or 'empty answer'})"
