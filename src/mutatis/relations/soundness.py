"""How sound the follow-ups of each relation are, as read by people; and which default set that puts it in.

A follow-up is sound where a careful reader who sees the source, its right answer and the follow-up agrees with what the
relation expects. The counts are data (`soundness.toml`); shares and intervals are computed from them. Must not know how
follow-ups are made.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from mutatis.analysis.intervals import wilson
from mutatis.core.cases import EXPECTS, Turn
from mutatis.core.relation import RELATIONS
from mutatis.records import VerdictRecord
from mutatis.relations.deciding import images_of
from mutatis.relations.output import converses_of

ROBUSTNESS, WORDING, LOGIC, MEMORY, FAIRNESS = "robustness", "wording", "logic", "memory", "fairness"
FORMATS, SAFETY = "formats", "safety"
PURPOSES = (ROBUSTNESS, WORDING, FORMATS, LOGIC, MEMORY, SAFETY, FAIRNESS)
"""The default sets, as tags: noise, case and spacing; other words for the same; values in other forms; negation,
opposites and numbers; the order of a dialogue; refusals, a person asked for, orders in a text; names and pronouns."""

STATE, PRESSURE, MUST_MOVE = "state", "pressure", "must-move"
"""Sets beside the default ones, as tags: what a dialogue has come to; a user who presses; an answer that has to move.

Some of their relations are in a default set, too: those that were read often enough and find most per question."""

PROBE = "probe"
"""Tag of a relation whose follow-ups people would not write: they probe a weakness, and are in no default set. Every
other relation's are natural."""

LEFT_OUT: Mapping[str, frozenset[str]] = {
    "chat": frozenset({"repeat-words", "say-age", "say-faith", "say-gender", "say-job", "unrelated-turn"})
}
"""What a run that names no relations leaves out of the default sets, per task; whoever names the set has it.

Of 51 faults that the default sets found in eleven chatbots (`studies/repertoire`), `repeat-words` found none alone, and
`say-faith` and `unrelated-turn` one each, for 19 to 26 questions of 20 messages: the least of all. Two readers found
`say-age`, `say-gender` and `say-job` sound, but natural in 5 to 14 of 40: few people begin a message so.
"""

RISKY = "risky"
"""Tag of a relation of whose follow-ups fewer than 90 % were sound on some task."""

ENOUGH = 60
"""Follow-ups of a relation that must have been read before the tasks that came last recommend it."""

LEAST, LEAST_NOISE, LEAST_SAFE, LEAST_CLAIMED = 0.95, 0.90, 0.90, 0.75
"""Sound shares: to be in a default set (character noise: less), not to be risky, to claim a task at all."""


def rule_of(output_relation: str) -> str:
    """Return what must hold by an output relation, in the words for readers of a blind sheet.

    >>> rule_of("not-refused")
    'The follow-up must be answered, not refused.'
    """
    by_name = {RELATIONS[name].output_relation.name: RELATIONS[name].output_relation for name in RELATIONS}
    rule = getattr(by_name.get(output_relation), "for_readers", "")
    return rule or f"What is called {output_relation!r} must hold between the two answers."


def should_hold(output_relation: str, verdict: VerdictRecord) -> str:
    """Return what readers of a blind sheet are told that should hold of the follow-up that was judged."""
    source, made = Turn(fields=verdict.source_input), Turn(fields=verdict.followups[0].input)
    answer = verdict.source_output.text if verdict.source_output else ""
    return rule_of(output_relation).format(
        image="' or '".join(images_of(source, made, answer.strip(" ."))),
        settled="' or '".join(verdict.followups[0].annotations.get(EXPECTS, ())),
        converse="' or '".join(converses_of(answer)),
        labelled="' or '".join(map(str, verdict.reference)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundnessRow:
    """How many follow-ups of a relation were read on one task (and fields), and how many were sound.

    `both` were read by two readers, who agreed on `agreed` of them.
    """

    relation: str
    task: str
    read: int
    sound: int
    fields: str = ""
    both: int = 0
    agreed: int = 0

    @property
    def share(self) -> float:
        """The sound share."""
        return self.sound / self.read

    @property
    def interval(self) -> tuple[float, float]:
        """Its 95 % interval (Wilson)."""
        return wilson(self.sound, self.read)


@cache
def _data() -> dict[str, object]:
    return tomllib.loads((Path(__file__).parent / "soundness.toml").read_text(encoding="utf-8"))


def method() -> str:
    """Return who read the follow-ups, from which data, and when."""
    return str(_data()["method"])


@cache
def readings() -> tuple[SoundnessRow, ...]:
    """Return all rows of the table."""
    rows = _data()["readings"]
    assert isinstance(rows, list)
    return tuple(SoundnessRow(**row) for row in rows)


def readings_of(relation: str) -> tuple[SoundnessRow, ...]:
    """Return the rows of one relation, in the table's order.

    >>> {row.task for row in readings_of("emphasis-rules")}
    {'sentiment'}
    """
    return tuple(row for row in readings() if row.relation == relation)


def standing(
    relation: str, tasks: Sequence[str], purpose: str, *, noise: bool = False, enough: int = 0
) -> frozenset[str]:
    """Return the tags that the table gives a relation: its purpose, where it is in that default set, or "risky".

    It is in the set where the share of each of its rows is high enough, and `enough` follow-ups were read in all; there
    it is on the tasks that were read (`was_read`).

    >>> standing("nobody-read-this", ("sentiment",), "wording")
    frozenset()
    """
    rows = [row for row in readings_of(relation) if row.task in tasks]
    if any(row.share < LEAST_SAFE for row in rows):
        return frozenset({RISKY})
    least = LEAST_NOISE if noise else LEAST
    if purpose and sum(row.read for row in rows) >= max(enough, 1) and all(row.share >= least for row in rows):
        return frozenset({purpose})
    return frozenset()


def was_read(relation: str, task: str) -> bool:
    """Whether a relation of a default set is in it on this task: its follow-ups were read there, or it is the user's.

    >>> was_read("emphasis-rules", "sentiment"), was_read("emphasis-rules", "inference"), was_read("own", "sentiment")
    (True, False, True)
    """
    rows = readings_of(relation)
    return not rows or any(row.task == task for row in rows)


def by_task(relation: str) -> dict[str, dict[str, Any]]:
    """Return, per task that was read, how many follow-ups, how many were sound, share and interval, as JSON data.

    >>> by_task("emphasis-rules")["sentiment"]["read"]
    57
    """
    rows = readings_of(relation)
    shares = {}
    for task in dict.fromkeys(row.task for row in rows):
        read, sound = _counts([row for row in rows if row.task == task])
        interval = [round(bound, 4) for bound in wilson(sound, read)]
        shares[task] = {"read": read, "sound": sound, "share": round(sound / read, 4), "interval": interval}
    return shares


@cache
def soundness_table() -> dict[tuple[str, str], dict[str, Any]]:
    """Return `by_task` of every relation that was read, by relation and task."""
    names = dict.fromkeys(row.relation for row in readings())
    return {(name, task): shares for name in names for task, shares in by_task(name).items()}


def as_toml(rows: Iterable[SoundnessRow]) -> str:
    """Return rows as the lines of the table's file.

    >>> read = SoundnessRow(relation="leet", task="sentiment", read=20, sound=19, fields="text", both=9, agreed=9)
    >>> print(as_toml([read]))
    readings = [
      { relation = "leet", task = "sentiment", fields = "text", read = 20, sound = 19, both = 9, agreed = 9 },
    ]
    <BLANKLINE>
    """
    lines = []
    for row in rows:
        twice = f", both = {row.both}, agreed = {row.agreed}" if row.both else ""
        about = f'relation = "{row.relation}", task = "{row.task}", fields = "{row.fields}"'
        lines.append(f"  {{ {about}, read = {row.read}, sound = {row.sound}{twice} }},")
    return "\n".join(["readings = [", *lines, "]"]) + "\n"


def markdown(sets: Mapping[str, Collection[str]], short: Mapping[str, str]) -> str:
    """Return the table of all readings as Markdown: one line per relation that was read, one column per task.

    Args:
        sets: tags of each relation, by its name.
        short: what each task is called in its column, in the columns' order.
    """
    lines = [f"| relation | default set | {' | '.join(short.values())} |", "|---" * (len(short) + 2) + "|"]
    order = {purpose: number for number, purpose in enumerate([*PURPOSES, "none", f"none: {RISKY}"])}
    rows = []
    for relation in dict.fromkeys(row.relation for row in readings()):
        tags = sets.get(relation, ())
        risky = f"none: {RISKY}" if RISKY in tags else "none"
        where = next((purpose for purpose in PURPOSES if purpose in tags), risky)
        cells = [_cell([row for row in readings_of(relation) if row.task == task]) for task in short]
        rows.append((order[where], f"| `{relation}` | {where} | {' | '.join(cells)} |"))
    return "\n".join([*lines, *(line for _, line in sorted(rows))])


def _cell(rows: Sequence[SoundnessRow]) -> str:
    if not rows:
        return ""
    read, sound = _counts(rows)
    low, high = wilson(sound, read)
    return f"{sound}/{read} ({low:.0%} to {high:.0%})"


def _counts(rows: Sequence[SoundnessRow]) -> tuple[int, int]:
    return sum(row.read for row in rows), sum(row.sound for row in rows)
