"""Answer sheets: a run's questions for a person to answer, whose answers are then judged like any system's.

The person is the system under test (MORTAR v1, Table 4), and `systems/sheet.py` reads the completed sheet. Whole
dialogues are drawn in a reproducible random order, alternating between sources and follow-ups. If two dialogues begin
with the same turns, these are asked only once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest

from mutatis.core.cases import Case
from mutatis.core.errors import UsageError
from mutatis.core.system import Conversation
from mutatis.reports.sheets import Sheet, lines_of
from mutatis.systems.sheet import question_name

Converse = Callable[[Case, int], Conversation]
"""Function that returns the conversation up to one turn of a case."""


def answer_sheet(
    sources: Sequence[Case], follow_ups: Sequence[Case], converse: Converse, *, size: int = 100, seed: int = 0
) -> Sheet:
    """Return a sheet of whole dialogues with at most `size` questions, or of one longer dialogue if none fits."""
    if not sources:
        raise UsageError("nothing to answer: none of the relations fits any input of the configuration")
    asked: set[str] = set()
    rows: list[tuple[str, ...]] = []
    full, number = False, 0
    for case in _in_turn(_shuffled(sources, seed), _shuffled(follow_ups, seed)):
        shown = {question_name(talk): talk for talk in (converse(case, turn) for turn in case.asked)}
        new = {name: talk for name, talk in shown.items() if name not in asked}
        full = full or (bool(rows) and len(rows) + len(new) > size)
        asked |= new.keys()
        if full or not new:
            continue
        number += 1
        for place, (name, talk) in enumerate(new.items()):
            material = lines_of(case.material) if place == 0 else ""
            rows.append((str(len(rows) + 1), name, str(number), material, *_question(case, talk), "", ""))
    return Sheet(kind="answers", rows=tuple(rows), available=len(asked))


def _question(case: Case, talk: Conversation) -> tuple[str, str]:
    """Return the earlier questions of a dialogue, one per line, and the current one."""
    earlier = [lines_of(fields) for fields, _ in talk.history]
    return "\n".join(earlier), lines_of(case.turns[talk.turn].fields)


def _shuffled(cases: Sequence[Case], seed: int) -> list[Case]:
    def rank(case: Case) -> bytes:
        return hashlib.blake2b(
            f"answers/{seed}/{case.asked_hash()}".encode("utf-8", "surrogatepass"), digest_size=8
        ).digest()

    return sorted(cases, key=rank)


def _in_turn(first: Sequence[Case], second: Sequence[Case]) -> Iterator[Case]:
    for pair in zip_longest(first, second):
        yield from (case for case in pair if case is not None)
