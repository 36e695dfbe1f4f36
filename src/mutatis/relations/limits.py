"""Relations at a limit: on its other side the answer is another one, and one more of a thing costs no less.

The limit is the system's own: its answer to the source names it, and says yes or no to a value on one side of it. What
cannot be read from the words is open. Must not know any system.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import mutatis.transformations  # noqa: F401 - registers what is named here
from mutatis.core.constraint import Evidence, Precondition, Stage
from mutatis.core.decision import Decision
from mutatis.core.languages import ENGLISH
from mutatis.core.measure import Judge, Similarity
from mutatis.core.relation import Expects, Group
from mutatis.relations.deciding import ReadsEnglish, answer, nothing
from mutatis.relations.define import relation
from mutatis.relations.dialogues import role_wanted
from mutatis.relations.said import open_decision, read_decision
from mutatis.relations.soundness import MUST_MOVE, PROBE, standing
from mutatis.text.sides import side_taken
from mutatis.transformations.values import values_said

CHAT = ("chat",)
_BY_THE_HEAD = re.compile(r"\b(?:per|each|every|apiece|a (?:head|person|night|day|piece))\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OtherSide(ReadsEnglish):
    """Where the source's answer says yes up to a limit, the answer beyond it is no, and the other way round."""

    expects: ClassVar[Expects] = "different"
    expects_change: ClassVar[bool] = True
    in_words = "yes becomes no across the limit, and no yes"
    for_readers = (
        "The new value is just across the limit that the source answer names: where that answer says yes to what "
        "is asked, the new one must not, and the other way round."
    )
    name: str = "other-side"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Violated where both answers take one side; open where one of them takes none that can be read."""
        if not group.members or not group.reference:
            return nothing(judge)
        before, after = side_taken(str(group.reference[0])), side_taken(str(answer(group, 0)))
        if before is None or after is None:
            return open_decision("one of the answers says neither yes nor no")
        expectation = "across the limit that it named, its answer should be the other one"
        return read_decision(before is not after, expectation, f"both answers are {'yes' if after else 'no'}")


@dataclass(frozen=True, slots=True)
class CostsNoLess(ReadsEnglish):
    """The one amount of money that the answer states is not lower than the source's."""

    expects: ClassVar[Expects] = "other"
    in_words = "the amount does not fall"
    for_readers = "The new answer must not state a lower total than the source answer."
    name: str = "costs-no-less"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Violated where it is lower; open where not just one amount of a currency is stated in both."""
        if not group.members or not group.reference:
            return nothing(judge)
        before, after = _total(str(group.reference[0])), _total(str(answer(group, 0)))
        if before is None or after is None or before[1] != after[1]:
            return open_decision("not just one amount is stated in both answers")
        seen = f"it costs {after[0]:g} and not {before[0]:g}"
        return read_decision(after[0] >= before[0], "one more should cost no less", seen)


def _total(reply: str) -> tuple[float, str] | None:
    amounts = {value.key: value for value in values_said(reply, "amount")}
    if len(amounts) != 1 or _BY_THE_HEAD.search(reply):
        return None
    [amount] = amounts.values()
    return amount.size, amount.unit


TAKES_SIDE = Precondition(
    name="source answer says yes or no",
    stage=Stage.SOURCE_OUTPUT,
    check=lambda evidence: _side(evidence) is not None,
    broken="the source's answer says neither yes nor no",
    languages=ENGLISH,
)
STATES_TOTAL = Precondition(
    name="source answer states one amount of money",
    stage=Stage.SOURCE_OUTPUT,
    check=lambda evidence: evidence.response is not None and _total(evidence.response.text) is not None,
    broken="the source's answer does not state one amount of money alone",
    languages=ENGLISH,
)


def _side(evidence: Evidence) -> bool | None:
    return None if evidence.response is None else side_taken(evidence.response.text)


relation(
    "cross-limit",
    output_relation=OtherSide(),
    tasks=CHAT,
    turns="each",
    when=role_wanted,
    # In no default set: a plan cannot know which answers name a limit, and would count it for every message.
    tags={"ours", MUST_MOVE, *standing("cross-limit", CHAT, "")},
    preconditions=(TAKES_SIDE,),
    summary='Just across a limit that the answer named ("from 18 years"), the answer is the other one.',
)
relation(
    "one-more",
    output_relation=CostsNoLess(),
    tasks=CHAT,
    turns="each",
    tags={"ours", "several", PROBE},  # a discount from a number on may make one more cheaper, and be right
    preconditions=(STATES_TOTAL,),
    summary="One more of what is asked for costs no less.",
)
