"""Identifies the findings that a baseline lacks, by comparing questions instead of record numbers.

If the baseline run tested the same relation on the same question but with a different follow-up, the finding is put in
a class of its own, because the system may always have behaved this way.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, TypeAlias

from mutatis.core.transformation import NO_CHANGE
from mutatis.records.asked import RepliesRecord, message_hash
from mutatis.records.baseline import Baseline, KnownFinding, known, systems_of
from mutatis.records.files import with_marks
from mutatis.records.report import FindingRecord, FollowUpRecord, Report, SourceRecord, VerdictRecord

Key: TypeAlias = tuple[str, str, str, str, int, tuple[str, ...]]
"""Identifies a finding in two runs: system, task, relation, source, turn and variant.

The system is empty if the two runs have one differently labelled system each.
"""


def renaming(old: Iterable[str], new: Iterable[str]) -> tuple[str, str] | None:
    """Return the old and the new label if each side has exactly one system and the labels differ, else None.

    With several systems on either side, matching them would be guesswork, and one system's findings could hide
    another's.

    >>> renaming(["bot"], ["bot-2"]), renaming(["bot"], ["bot"]), renaming(["bot"], ["bot-2", "bot-3"])
    (('bot', 'bot-2'), None, None)
    """
    before, after = dict.fromkeys(old), dict.fromkeys(new)
    if len(before) != 1 or len(after) != 1 or before == after:
        return None
    return next(iter(before)), next(iter(after))


def new_findings(findings: Iterable[FindingRecord]) -> list[FindingRecord]:
    """Return the new findings that can fail a build."""
    return list(filter(fails_builds, findings))


def fails_builds(finding: FindingRecord) -> bool:
    """Return True if a finding can fail a build.

    Violations that did not recur when the question was repeated (FLAKY) and different answers to an unchanged question
    cannot, because they come and go without a change in the system.
    """
    return finding.confirmed is not False and finding.relation != NO_CHANGE


def marked(report: Report, baseline: Baseline, *, newly_asked: bool = False) -> Report:
    """Mark each finding of a report as new, newly asked or neither, by comparison with a baseline."""
    mark_of = newness(baseline, systems_of(report), newly_asked=newly_asked)

    def mark(finding: FindingRecord) -> FindingRecord:
        return finding.model_copy(update=dict(mark_of(finding)))

    replies = became_stock(report.replies, baseline, systems_of(report))
    return with_marks(report.model_copy(update={"replies": replies}), mark)


def newness(
    baseline: Baseline, systems: Iterable[str], *, newly_asked: bool = False
) -> Callable[[FindingRecord | Mapping[str, Any]], Mapping[str, bool]]:
    """Return a function that marks a finding of these systems as `new`, `newly_asked` or neither.

    The function takes a finding or its record as JSON data. A finding that is missing from the baseline is newly asked
    if the baseline run sent its source but not all of its follow-ups; otherwise it is new. With the argument
    `newly_asked`, newly asked findings also count as new. Sources are compared by their questions, because a line
    inserted into a file changes the numbers of all records after it. Baselines written by earlier versions of Mutatis
    do not contain the questions, so their sources are compared by id. If the only system of a run has a new name, the
    names of systems are not compared.
    """
    renamed = renaming(baseline.systems, systems) is not None
    in_baseline = {
        key_of(earlier, earlier.text or earlier.source, earlier.turn, renamed=renamed) for earlier in baseline.findings
    }
    messages = {
        ("" if renamed else asked.system, asked.task, relation): frozenset(asked.messages)
        for asked in baseline.asked
        for relation in asked.relations
    }

    def mark(finding: FindingRecord | Mapping[str, Any]) -> Mapping[str, bool]:
        now = known(finding)
        keys = (key_of(now, source, now.turn, renamed=renamed) for source in (now.text, now.source))
        is_missing = in_baseline.isdisjoint(keys)
        row = "" if renamed else now.system, now.task, now.relation
        if is_missing and _is_first_asked(finding, messages.get(row, frozenset())):
            return {"new": newly_asked, "newly_asked": True}
        return {"new": is_missing}

    return mark


def _is_first_asked(finding: FindingRecord | Mapping[str, Any], asked: Collection[str]) -> bool:
    """Return True if the baseline run sent the source of a finding, but not all of its follow-ups."""
    source, *follow_ups = (_messages(side) for side in (finding["source"], *finding["followups"]))
    return source in asked and any(message not in asked for message in follow_ups)


def _messages(side: SourceRecord | FollowUpRecord | Mapping[str, Any]) -> str:
    return message_hash(turn["fields"] for turn in side["case"]["turns"][: side["turn"] + 1])


def became_stock(replies: Iterable[RepliesRecord], baseline: Baseline, systems: Iterable[str]) -> list[RepliesRecord]:
    """Return the reply records with stock replies compared with the baseline.

    Each stock reply gets a list of its questions that had a different reply in the baseline.
    """
    renamed = renaming(baseline.systems, systems) is not None
    # Each run has one system if it is renamed, so its name does not matter.
    other_replies = {("" if renamed else old.system, old.task): frozenset(old.others) for old in baseline.replies}

    def compared(record: RepliesRecord) -> RepliesRecord:
        questions = other_replies.get(("" if renamed else record.system, record.task), frozenset())
        shared = [
            reply.model_copy(update={"became": [case for name, case in reply.questions.items() if name in questions]})
            for reply in record.shared
            if reply.is_stock
        ]
        rest = [reply for reply in record.shared if not reply.is_stock]
        return record.model_copy(update={"shared": shared + rest})

    return [compared(record) for record in replies]


def key_of(record: KnownFinding | FindingRecord | VerdictRecord, source: str, turn: int, *, renamed: bool) -> Key:
    """Return the key of a finding. `source` identifies its source in both runs."""
    system = "" if renamed else record.system
    return system, record.task, record.relation, source, turn, tuple(record.variant)
