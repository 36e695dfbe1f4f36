"""Relations that draw from the run's own questions and replies: values, their forms, names of a kind, limits.

Their conditions are read from the statements of the replies; unreadable ones are open. Independent of any system.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

from mutatis.core.constraint import Stage
from mutatis.core.decision import Decision, Outcome
from mutatis.core.measure import Judge, Says, Similarity
from mutatis.core.relation import Expects, Group, Grouping, Matching
from mutatis.relations.deciding import Compared, ReadsEnglish, answer, judged, nothing, plain, untold
from mutatis.relations.moving import FollowsValue
from mutatis.relations.output import OUTPUT_RELATIONS
from mutatis.relations.preconditions import NOT_A_REFUSAL
from mutatis.relations.said import core, open_decision, read_decision
from mutatis.relations.soundness import FORMATS, LOGIC, MUST_MOVE, PROBE
from mutatis.relations.table import CHAT, WANTED, Row, register
from mutatis.text.abstention import is_lost, polarity
from mutatis.text.openers import without_openers
from mutatis.text.sentences import sentences
from mutatis.text.sides import side_taken
from mutatis.text.values import values
from mutatis.transformations.conditions import CONDITION, LEFT_OUT, TURNED
from mutatis.transformations.reaching import AT_LIMIT

_CLAUSE = re.compile(r"(?<=[.;!?])\s+|,\s+|\s+(?:\u2013|-)\s+|\s+(?=\bbut\b)")
_FREE = re.compile(r"\b(?:free|no charge|nothing|no fee|without charge|included)\b", re.IGNORECASE)
_NOT_FREE = re.compile(r"\b(?:not|never)\b|n['\u2019]t\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitReading:
    """A reply's reading of a value beside a limit that replies state.

    Attributes:
        side: yes or no, if the reply gives it outside of the clause that states the limit.
        free: whether it calls something free, or states its cost; None if it does neither or both.
        bare: its words without values.
        states: whether it states the limit.
    """

    side: bool | None
    free: bool | None
    bare: str
    states: bool


def read_at_limit(reply: str, limit: str, exchanged: Sequence[str]) -> LimitReading:
    """Return a reply's reading of a value beside a limit; `exchanged` are the values of both questions.

    >>> reading = read_at_limit("No, the discount is for guests from 65 on.", "from 65", ["65"])
    >>> reading.side, reading.free, reading.states
    (False, None, True)
    >>> reading = read_at_limit("Delivery costs 4.90 EUR; it is free from 35 EUR.", "from 35 EUR", ["35 EUR"])
    >>> reading.side, reading.free
    (None, False)
    """
    clauses = [clause for clause in _CLAUSE.split(without_openers(reply)) if clause]
    rest = [clause for clause in clauses if limit.casefold() not in clause.casefold()]
    free = {said for clause in rest if (said := _free(clause, exchanged)) is not None}
    first = next(iter(sentences(reply)), "")
    side = polarity(first)
    if side is None:
        taken = [taken for clause in rest if (taken := side_taken(clause)) is not None]
        side = taken[0] if len(set(taken)) == 1 else None
    return LimitReading(
        side=side, free=free.pop() if len(free) == 1 else None, bare=_bare(reply), states=len(rest) < len(clauses)
    )


def _free(clause: str, exchanged: Sequence[str]) -> bool | None:
    if _FREE.search(clause):
        return None if _NOT_FREE.search(clause) else True
    stated = [value for value in values(clause) if value.kind == "amount" and value.text not in exchanged]
    return False if stated else None


def _bare(reply: str) -> str:
    for value in reversed(values(reply)):
        if value.kind != "name":
            reply = reply[: value.start] + " " + reply[value.end :]
    return core(reply)


@dataclass(frozen=True, slots=True)
class KeepsToLimit(ReadsEnglish):
    """On one side of a limit that replies state the answer is the same, across it another one, read from its words."""

    expects: ClassVar[Expects] = "other"
    in_words = "the answer goes by the limit"
    for_readers = (
        "The new value is at a limit that a reply states, or just beside it. On the same side of the limit as the "
        "source's value, the new answer must not turn yes into no or free into not free, nor the other way round; "
        "across it, it must."
    )
    name: str = "keeps-to-limit"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Violated if yes and no, or free and not free, go against the words; open if they cannot be read."""
        noted = group.members[0].asked.annotations.get(AT_LIMIT) if group.members else None
        if not group.reference or noted is None:
            return nothing(judge)
        limit, exchanged = noted["limit"], [noted["old"], noted["new"]]
        before = read_at_limit(str(group.reference[0]), limit, exchanged)
        after = read_at_limit(str(answer(group, 0)), limit, exchanged)
        if is_lost(str(answer(group, 0))):
            return open_decision("the reply says that the message was not understood")
        decided = _one_side(before, after, noted) if noted["side"] == "same" else _across(before, after, noted)
        if decided is None:
            return open_decision("one of the answers does not say on which side of the limit the value is")
        held, seen = decided
        expectation = f"by {limit!r}, {noted['new']!r} is on {_SIDE[noted['side']]} as {noted['old']!r}"
        if not held and noted["trusted"] != "yes" and not after.states:
            return open_decision(f"{seen}; but one reply alone states the limit {limit!r}, which may be wrong itself")
        return read_decision(held, expectation, seen)


_SIDE = {"same": "the same side", "other": "another side"}


def _words(side: bool | None) -> str:
    return "yes" if side else "no"


def _one_side(before: LimitReading, after: LimitReading, noted: dict[str, str]) -> tuple[bool, str] | None:
    if before.bare == after.bare:
        return True, ""
    if before.side is not None and after.side is not None:
        return before.side is after.side, f"the answer was {_words(before.side)} and is now {_words(after.side)}"
    if before.free is not None and after.free is not None:
        return before.free is after.free, f"it was {'' if before.free else 'not '}free and is now the other"
    return (False, "it is no longer free") if _promised(before, noted) and after.free is False else None


def _across(before: LimitReading, after: LimitReading, noted: dict[str, str]) -> tuple[bool, str] | None:
    if before.side is not None and after.side is not None:
        if before.side is not after.side:
            return True, ""
        if before.side is (noted["inside"] == "yes") and (before.side or (after.states and before.bare == after.bare)):
            return False, f"both answers are {_words(after.side)}"
        return None
    if before.free is not None and after.free is not None and before.free is (noted["inside"] == "yes"):
        return before.free is not after.free, "both are free" if before.free else "neither is free"
    return (True, "") if _promised(before, noted) and after.free is False else None


def _promised(before: LimitReading, noted: dict[str, str]) -> bool:
    """Return True if the source's answer states only the limit of a free offer, and its value is within it."""
    free = _FREE.search(before.bare) is not None and not _NOT_FREE.search(before.bare)
    return free and before.free is None and before.states and noted["inside"] == "yes"


NOT_BY_CONDITION = f"{Stage.FOLLOW_UP_OUTPUT.value}: the answer goes by the condition"
"""What is broken if the answer without the condition is the same."""


@dataclass(frozen=True, slots=True)
class MovesWithCondition(Compared):
    """If the answer is another one without a condition, it is another one with the condition turned, too."""

    finds: ClassVar[Says | None] = "same"
    expects: ClassVar[Expects] = "different"
    expects_change: ClassVar[bool] = True
    in_words = "the answer moves if it goes by the condition"
    for_readers = (
        "The answer to the question without its condition is another one: so the answer goes by it. With the condition "
        "turned into its opposite, the answer must not be the one to the condition as it was."
    )
    name: str = "moves-with-condition"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Violated if the turned question is answered as the source, and the one without the condition is not."""
        turned, without = group.with_role(TURNED), group.with_role(LEFT_OUT)
        if not turned or not without or not similarities:
            return nothing(judge)
        bare, reply = similarities[without[0]], str(answer(group, without[0]))
        if bare.open:
            return untold([bare], judge)
        if is_lost(reply) or "?" in reply:
            return open_decision("without the condition the question is not answered")
        if bare.score >= judge.different:
            same = "the answer is the same without the condition: it does not go by it"
            return replace(plain(Outcome.INVALID, None, same, judge.measure.name, ()), precondition=NOT_BY_CONDITION)
        told = [place for place in turned if not similarities[place].open]
        if not told:
            return untold([similarities[place] for place in turned], judge)
        worst = max(told, key=lambda place: similarities[place].score)
        held = similarities[worst].score < judge.equal
        expectation = "the answer goes by the condition, so it should move with it"
        return judged(held, similarities[worst], judge, (worst,), expectation, "but stays when the condition is turned")


OUTPUT_RELATIONS[KeepsToLimit().name] = KeepsToLimit()
OUTPUT_RELATIONS[MovesWithCondition().name] = MovesWithCondition()

_asked = partial(Row, tasks=(CHAT,), tags=("ours", MUST_MOVE), purpose=LOGIC, matching=WANTED)

register(
    Row(
        "write-otherwise",
        tasks=(CHAT,),
        says="A value in another of its forms, each in its turn.",
        purpose=FORMATS,
        change="form",
        draws=6,
        tags=("ours",),
    ),
    _asked(
        "another-value",
        FollowsValue(),
        only_if=(NOT_A_REFUSAL,),
        says="With another value in the question, the answer does not repeat the old one.",
        change="value",
        draws=2,
    ),
    _asked(
        "another-name",
        FollowsValue(),
        only_if=(NOT_A_REFUSAL,),
        says="Asked about another name of the same kind, the answer does not give the old one.",
        change="name",
        draws=2,
    ),
    _asked(
        "say-alias",
        says="Another name for the same thing, which a reply gives, keeps the answer.",
        change="name",
        purpose="",
        tags=("ours", PROBE),  # what stands in brackets behind a name may be something else than a name
    ),
    _asked(
        "at-limit",
        KeepsToLimit(),
        says="At a limit that replies state, and beside it, the answer goes by its words.",
        change="limit",
        draws=3,
    ),
    Row(
        "turn-condition",
        MovesWithCondition(),
        (CHAT,),
        by=("turn-condition", "drop-condition"),
        says="An answer that goes by what the user is, has or wants moves if that is turned.",
        purpose=LOGIC,
        change="negation",
        draws=2,
        tags=("ours", MUST_MOVE),
        matching=Matching(
            grouping=Grouping.QUESTION,
            when=lambda turn: turn.annotations.get(CONDITION),
            needs={TURNED: 1, LEFT_OUT: 1},
        ),
    ),
)
