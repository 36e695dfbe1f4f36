"""Summarises failed health checks, with one note per kind: the observation, with its systems or relations.

Each note also suggests a remedy. All report formats show these notes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mutatis.core.errors import names_text
from mutatis.core.gathering import gathered
from mutatis.records.report import HealthRecord
from mutatis.reports.marking import visible
from mutatis.reports.numbers import line

NAMED = 3
"""Maximum number of a note's subjects that are listed after the first."""

GRAVE = ("budget", "errors", "not-parsed", "reply-language", "constant-output", "stock-reply")
"""Kinds of health checks that cast doubt on the run itself, in display order.

Notes of all other kinds follow.
"""

FIRST = frozenset({"reply-language", "stock-reply"})
"""Kinds of health checks that every report shows in its first lines, since its numbers are misread without them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """All failed health checks of one kind: subjects with messages, remedies, and the most common reason."""

    name: str
    members: tuple[tuple[str, str], ...]
    remedies: tuple[str, ...]
    silence: str
    reason: str

    @property
    def grave(self) -> bool:
        """True if the note casts doubt on the whole run."""
        return self.name in GRAVE

    @property
    def first(self) -> bool:
        """True if the note belongs at the top of a report and not with the other notes."""
        return self.name in FIRST

    @property
    def remedy(self) -> str:
        """All remedies, joined by semicolons."""
        return "; ".join(self.remedies)

    @property
    def message(self) -> str:
        """The subject and message of the first check, with the subjects of the others, on a single line."""
        (subject, message), *others = self.members
        name, on, task = subject.partition(" on ")
        on_task = on + task
        names = [other.removesuffix(on_task) for other, _ in others if other]
        if not names:
            more = f" ({len(self.members)} times)" if others else ""
            return ": ".join(filter(None, (subject, message))) + more
        other_names = names_text(names, NAMED)
        if any(other_message != message for _, other_message in others):
            return f"{subject}: {message}; similarly for {other_names}"
        if all(other.endswith(on_task) for other, _ in others):
            return f"{name}, {other_names}{on_task}: {message}"
        return f"{subject}, {other_names}: {message}"

    @property
    def text(self) -> str:
        """The kind of check and what was observed, on a single line.

        The remedy follows if the note casts doubt on the run.
        """
        text = ": ".join(filter(None, (self.name, self.message)))
        return f"{text}; {self.remedy}" if self.grave and self.remedies else text

    @property
    def lines(self) -> list[str]:
        """Lines that list every check of the note, the remedies, and how to silence the note."""
        checks = [": ".join(filter(None, member)) for member in self.members]
        silence = f"to silence: {self.silence}" if self.silence else ""
        return [*checks, *filter(None, (self.remedy, silence))]


def notes(checks: Iterable[HealthRecord]) -> list[Note]:
    """Return one note per kind of health check. Kinds that cast doubt on the run come first.

    >>> seen = [HealthRecord(name="unchanged", subject=name, message="9 of 9 equal") for name in ("leet", "upper-case")]
    >>> [note.text for note in notes(seen)]
    ['unchanged: leet, upper-case: 9 of 9 equal']
    """
    made = [_note(name, members) for name, members in gathered(checks, lambda check: check.name).items()]
    return sorted(made, key=lambda note: GRAVE.index(note.name) if note.grave else len(GRAVE))


def _note(name: str, checks: Sequence[HealthRecord]) -> Note:
    reasons = Counter(check.reason for check in checks if check.reason).most_common(1)
    return Note(
        name=line(name),
        members=tuple((line(check.subject), visible(check.message).rstrip(".")) for check in checks),
        remedies=tuple(dict.fromkeys(visible(check.remedy).rstrip(".") for check in checks if check.remedy)),
        silence=next((visible(check.silence) for check in checks if check.silence), ""),
        reason=visible(reasons[0][0] if reasons else ""),
    )
