"""Pairs the sources of two runs by their questions, because record numbers change when a file is edited."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from mutatis.records.report import FindingRecord, VerdictRecord

Named: TypeAlias = tuple[str, str]
"""A source, identified by its task and id."""

Texts: TypeAlias = dict[Named, dict[int, int]]
"""The questions of each source: for each judged turn, a hash of its fields."""

_NOWHERE = "\0"
"""Prefix for the id of a source that is missing from the other run. No real record id starts with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """A map from the sources of the new run to those of the old run. By default, equal ids are paired.

    Attributes:
        names: the old id of each source of the new run that has a partner.
        renumbered: number of paired sources whose id has changed.
        old_only, new_only: sources without a partner.
    """

    names: Mapping[Named, str] = field(default_factory=dict)
    renumbered: int = 0
    old_only: tuple[Named, ...] = ()
    new_only: tuple[Named, ...] = ()
    _strangers: frozenset[Named] = frozenset()

    def name(self, task: str, source: str) -> str:
        """Return the name that a source of the new run has in the old run.

        If the source has no partner there, return a name that the old run does not use.
        """
        if (task, source) in self._strangers:
            return f"{_NOWHERE}{source}"
        return self.names.get((task, source), source)


SAME_NAMES = Pairing()
"""The pairing of sources with equal ids."""


def noting_texts(verdicts: Iterable[VerdictRecord], texts: Texts) -> Iterator[VerdictRecord]:
    """Yield the verdicts while recording the questions of their sources, so that a large file is read only once."""
    for verdict in verdicts:
        if verdict.source_input:
            _note(texts, (verdict.task, verdict.source), verdict.turn, verdict.source_input)
        yield verdict


def texts_of_findings(findings: Iterable[FindingRecord]) -> Texts:
    """Return the questions of the sources behind the given findings."""
    texts: Texts = {}
    for finding in findings:
        source = finding.source
        _note(texts, (finding.task, source.case.id), source.turn, source.case.turns[source.turn].fields)
    return texts


def _note(texts: Texts, named: Named, turn: int, fields: Mapping[str, str]) -> None:
    text, turns = hash(tuple(sorted(fields.items()))), texts.setdefault(named, {})
    turns[turn] = min(turns.get(turn, text), text)  # the same whatever the order of the lines


def paired_sources(old: Texts, new: Texts, *, complete: bool = True) -> Pairing:
    """Pair the sources of two runs: first those with equal ids and questions, then the rest by questions alone.

    Sources are paired by questions alone only if they agree in every turn. If the lists are incomplete (`complete` is
    False), sources that only one side lists are paired by id.

    >>> first, second = {("qa", "d/1"): {0: 7}, ("qa", "d/2"): {0: 8}}, {("qa", "d/1"): {0: 9}, ("qa", "d/2"): {0: 7}}
    >>> found = paired_sources(first, second)
    >>> found.names, found.renumbered, found.old_only, found.new_only
    ({('qa', 'd/2'): 'd/1'}, 1, (('qa', 'd/2'),), (('qa', 'd/1'),))
    """
    names = {(task, name): name for (task, name), turns in new.items() if _agree(old.get((task, name)), turns)}
    unpaired: dict[object, deque[str]] = defaultdict(deque)  # old ids by task and questions, in order
    for (task, name), turns in old.items():
        if (task, name) not in names:
            unpaired[_questions(task, turns)].append(name)
    renumbered = 0
    for (task, name), turns in new.items():
        if (task, name) not in names and (partners := unpaired[_questions(task, turns)]):
            names[task, name] = partners.popleft()
            renumbered += 1
    paired_in_old = {(task, old_name) for (task, _), old_name in names.items()}
    strangers = tuple(named for named in new if named not in names and (complete or named in old))
    return Pairing(
        names=names,
        renumbered=renumbered,
        old_only=tuple(named for named in old if named not in paired_in_old and (complete or named in new)),
        new_only=strangers,
        _strangers=frozenset(strangers),
    )


def _agree(old: Mapping[int, int] | None, new: Mapping[int, int]) -> bool:
    """Return True if a source is in the old run and has the same questions there, in all turns judged in both."""
    return old is not None and all(old[turn] == text for turn, text in new.items() if turn in old)


def _questions(task: str, turns: Mapping[int, int]) -> object:
    return task, tuple(sorted(turns.items()))
