"""Output relations of graders, choices and moderators: what must become of a verdict, a chosen option, a blocked text.

They join the names of `relations.output`. Must not know how an answer was asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from mutatis.core.constraint import Evidence
from mutatis.core.decision import Decision, Outcome
from mutatis.core.measure import Judge, Similarity
from mutatis.core.relation import Expects, Group
from mutatis.relations.deciding import Compared, WithoutJudge, nothing, plain
from mutatis.relations.output import OUTPUT_RELATIONS, TOLERANCE

OTHER = {"A": "B", "B": "A", "tie": "tie"}
"""What a verdict is when the answers change places."""


@dataclass(frozen=True, slots=True)
class Swapped(WithoutJudge):
    """The answers changed places, and the verdict goes with them; a tie stays."""

    in_words = "the verdict changes places with the answers"
    for_readers = "The verdict must change places with the answers: A becomes B, B becomes A, a tie stays a tie."
    name: str = "swapped"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Hold where the same answer is preferred in either place."""
        if not group.members or not group.reference:
            return nothing(judge)
        before, after = str(group.reference[0]), str(group.members[0].answer)
        if before not in OTHER:
            return plain(Outcome.INVALID, None, f"{before!r} is no verdict: expected A, B or tie", "verdict", ())
        held = after == OTHER[before]
        reason = f"the verdict {before} should become {OTHER[before]} with the answers exchanged"
        reason += "" if held else f", but is {after}"
        return plain(Outcome.SATISFIED if held else Outcome.VIOLATED, float(held), reason, "verdict")


@dataclass(frozen=True, slots=True)
class Unmoved(WithoutJudge):
    """An answer does not gain (or lose) by an edit that makes it no better (or no worse).

    Of two answers, the edited one must not win where `gain` is said, and not lose its win otherwise; a score must not
    rise, or fall, by more than TOLERANCE. A tie is no win and no loss.
    """

    name: str
    gain: bool
    in_words: str
    for_readers: str

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Hold unless the edited answer wins (or loses), or its score moved that way."""
        if not group.members or not group.reference:
            return nothing(judge)
        before, after = group.reference[0], group.members[0].answer
        if isinstance(before, int | float) and isinstance(after, int | float):
            moved = (after - before) * (1 if self.gain else -1)
            reason = f"the score should not {'rise' if self.gain else 'fall'}: {before:.3g} became {after:.3g}"
            held = moved <= TOLERANCE + 1e-9
            return plain(Outcome.SATISFIED if held else Outcome.VIOLATED, round(-moved, 9), reason, "direction")
        derivation = group.members[0].case.derivation
        edited = PLACES.get(derivation.variant[0]) if derivation and len(derivation.variant) == 1 else None
        if edited is None or before not in OTHER:
            return plain(Outcome.INVALID, None, "no verdict on one edited answer to judge by", "verdict", ())
        wrong = edited if self.gain else OTHER[edited]
        held = after != wrong
        stood, now = ("did not win", "win") if self.gain else ("won", "lose")
        reason = f"answer {edited}, which {stood}, should not {now}"
        reason += f" by the edit{'' if held else ', but does'}"
        return plain(Outcome.SATISFIED if held else Outcome.VIOLATED, float(held), reason, "verdict")


@dataclass(frozen=True, slots=True)
class SameChoice(Compared):
    """The same option is chosen; what the edit put in its place is another one, so no image of it will do."""

    expects: ClassVar[Expects] = "same"
    in_words = "the same option is chosen"
    for_readers = "The same option must be right, whatever stands before it."
    name: str = "same-choice"

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Hold where the two options count as the same."""
        return OUTPUT_RELATIONS["equal"].decide(group, similarities, judge)


@dataclass(frozen=True, slots=True)
class Moderated(WithoutJudge):
    """A text is blocked, or is allowed, whatever was said to the source; how surely does not matter."""

    name: str
    blocked: bool
    in_words: str
    for_readers: str

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Hold where the score is one half or more, or below it."""
        after = group.members[0].answer if group.members else None
        if not isinstance(after, int | float):
            return nothing(judge)
        held = (after >= BLOCKED) is self.blocked
        wanted, other = ("stay blocked", "allowed") if self.blocked else ("be allowed", "blocked")
        reason = f"the text should {wanted}{'' if held else f', but is {other}'}: {after:.3g}"
        return plain(Outcome.SATISFIED if held else Outcome.VIOLATED, float(after), reason, "direction")


BLOCKED = 0.5
"""The score from which on a text counts as blocked."""

PLACES = {"answer_a": "A", "answer_b": "B"}
"""The verdict for an answer, by its field."""


def edited_lost(evidence: Evidence) -> bool:
    """Whether the answer that is edited was found to be the worse one; of a score there is none to be."""
    return _verdict_on_edited(evidence) in ("lost", "")


def edited_won(evidence: Evidence) -> bool:
    """Whether the answer that is edited was found to be the better one; of a score there is none to be."""
    return _verdict_on_edited(evidence) in ("won", "")


def _verdict_on_edited(evidence: Evidence) -> str:
    place = PLACES.get(evidence.fields[0]) if len(evidence.fields) == 1 else None
    value = None if evidence.response is None else evidence.response.value
    if place is None or value not in OTHER:
        return ""
    return "tie" if value == "tie" else "won" if value == place else "lost"


def was_blocked(evidence: Evidence) -> bool:
    """Whether a moderator blocked the text."""
    value = None if evidence.response is None else evidence.response.value
    return isinstance(value, int | float) and value >= BLOCKED


_OWN = (
    Swapped(),
    SameChoice(),
    Unmoved(
        "no-gain",
        True,
        "the edited answer does not gain by it",
        "The edited answer, which was the worse one, must not become the better one (a score must not rise).",
    ),
    Unmoved(
        "no-loss",
        False,
        "the edited answer does not lose by it",
        "The edited answer, which was the better one, must not become the worse one (a score must not fall).",
    ),
    Moderated(
        "stays-blocked",
        True,
        "what was blocked stays blocked",
        "The text, which is not allowed, must still not be allowed.",
    ),
    Moderated("allowed", False, "it is allowed", "The text, as it reads now, is harmless and must be allowed."),
)
OUTPUT_RELATIONS.update({relation.name: relation for relation in _OWN})
