"""Formats a finding as plain text for test failures, build pages and notebooks, with every text in full."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence

from mutatis.core.errors import names_text
from mutatis.core.measure import SOURCE_IS_ODD
from mutatis.core.transformation import RESTORE
from mutatis.records.report import FindingRecord, FollowUpRecord, SourceRecord
from mutatis.reports.brief import instability_text
from mutatis.reports.numbers import line, wordings_text
from mutatis.reports.numbers import number as number_text
from mutatis.reports.pairs import answer_view, turns_view
from mutatis.reports.widths import cut_to, padded
from mutatis.text.spans import changes

MOST_CHANGES = 6
"""Maximum number of changed pieces of a text that are listed one by one."""

_LONG_NUMBER = re.compile(r"-?\d+\.\d{5,}")
_WIDTH = 10
_LONGEST_PIECE = 27
"""Maximum number of columns of a changed piece, since the whole text is shown above it."""


def finding_text(finding: FindingRecord, folder: str = "") -> str:
    """Return a finding in about ten lines: source, follow-up, change, answers, reason, and what to do next.

    Numeric answers are rounded to four decimals unless two answers would then look the same. A smaller follow-up that
    still violates the relation is included. `folder` is the run's folder, used to suggest a command that shows the
    finding if no command can replay it.
    """
    mark = {True: " (confirmed)", False: " (FLAKY)", None: ""}[finding.confirmed]
    source = finding.source
    turn = f", turn {source.turn + 1}" if source.turn else ""
    head = f"{finding.relation} on {finding.system}, {finding.task}: {source.case.id}{turn}{mark}"
    rounded = _rounded([source, *finding.followups, *([finding.shrunk] if finding.shrunk else [])])

    lines = [line(head)]
    for name, text in _rows(finding, folder):
        if name in ("answers", "least", "why"):
            for exact, short in rounded.items():
                text = text.replace(exact, short)
        lines += [f"  {padded(name, _WIDTH)} {text}"] if text else []
    return "\n".join(lines)


def _rounded(records: Sequence[SourceRecord | FollowUpRecord]) -> dict[str, str]:
    """Map each answer to its form for display, longest first. Numbers are rounded to four decimals.

    The result is empty if two different answers would then look the same.
    """
    answers = sorted({_answer(record) for record in records}, key=len, reverse=True)
    rounded = {answer: number_text(float(answer)) if _LONG_NUMBER.fullmatch(answer) else answer for answer in answers}
    return rounded if len(set(rounded.values())) == len(rounded) else {}


def _rows(finding: FindingRecord, folder: str) -> Iterator[tuple[str, str]]:
    """Yield the lines of a finding, each with its name. A line without text does not apply."""
    source = finding.source
    for name, text in source.case.material.items():
        yield line(name), line(text)
    shown, least, reason = list(finding.followups), finding.shrunk, finding.reason
    # The reason is about the original's answer, so the least follow-up replaces it only if it got the same answer.
    if least is not None and len(shown) == 1 and _answer(least) == _answer(shown[0]):
        shown, least, reason = [least], None, finding.why
    yield from _asked_rows(source, shown)
    answers = [_answer(source), *map(_answer, shown)]
    unstable = instability_text(finding.instability)
    if finding.cause == SOURCE_IS_ODD and len(answers) == 2 and not unstable:
        yield "answers", f"asked plainly {answers[0]}; {wordings_text(finding.wordings)} {answers[1]}"
    else:
        yield "answers", " -> ".join(answers)
    yield "unstable", unstable
    if least is not None:
        new = _asked(least)
        texts = "; ".join(line(new[name]) for name in _differing(new, _asked(source)))
        yield "least", f"{texts} -> {_answer(least)}" + (f" ({line(least.reason)})" if least.reason else "")
    expected = [line(answer) for answer in finding.reference]
    yield "expected", " | ".join(expected) if set(expected) - {answers[0]} else ""
    yield "why", line(reason)
    yield "labelled", line(finding.label)
    if finding.replay:
        yield "replay", line(finding.replay)
    elif folder:
        yield "show", f"mutatis show {shlex.quote(folder)} {line(finding.id)}"


def _asked_rows(source: SourceRecord, follow_ups: Sequence[FollowUpRecord]) -> Iterator[tuple[str, str]]:
    """Yield the texts of the source, and each follow-up's texts with its changes.

    Texts that are the same in the source and the first follow-up come first, and only once.
    """
    old = _asked(source)
    for number, follow_up in enumerate(follow_ups):
        new = _asked(follow_up)
        changed = _differing(old, new)
        if number == 0:
            yield from ((line(name), line(text)) for name, text in old.items() if name not in changed)
            yield from _side("source", source, {name: old[name] for name in changed})
        role = "follow-up" if follow_up.role in ("", "follow-up") else f"follow-up ({line(follow_up.role)})"
        yield from _side(role, follow_up, {name: new[name] for name in _differing(new, old)})
        yield "change", _change(old, new, follow_up)


def _side(title: str, asked: SourceRecord | FollowUpRecord, fields: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the earlier turns of a dialogue with their replies, followed by the fields of the judged turn."""
    for turn in turns_view(asked.case.turns[: asked.turn], asked.history, full=True):
        yield f"{title} {turn.number}", line(turn.text) + ("" if turn.reply is None else f" -> {line(turn.reply)}")
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
    pieces = [f"{' and '.join(map(line, names))} swapped"] if is_swap else []
    for name in () if is_swap else names:
        before, after = old.get(name, ""), new.get(name, "")
        pieces += [
            _piece(before[change.start : change.end], after[change.new_start : change.new_end])
            for change in changes(before, after)
        ]
    steps = [step.transformation for step in follow_up.derivation.steps] if follow_up.derivation else []
    made_by = line(" then ".join(name for name in steps if name != RESTORE))  # restored text shows no change
    what = names_text(pieces, MOST_CHANGES)
    return f"{what} ({made_by})" if what and made_by else what or made_by


def _piece(before: str, after: str) -> str:
    old, new = (line(cut_to(text, _LONGEST_PIECE, "...")) for text in (before, after))
    if not before:
        return f"'{new}' added"
    return f"'{old}' left out" if not after else f"'{old}' -> '{new}'"


def _answer(record: SourceRecord | FollowUpRecord) -> str:
    view = answer_view(record.response, full=True)
    text = line(view.value if view.value is not None else view.text)
    return text if text else f"({view.note or 'empty answer'})"
