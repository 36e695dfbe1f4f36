"""The verdict record: a relation, its source, the group of answers that it judges, and the decision."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from mutatis.core.cases import Case, Derivation
from mutatis.core.decision import Decision, Outcome
from mutatis.core.relation import Group, MetamorphicRelation, Observation

Row: TypeAlias = tuple[str, str, str]
"""The key of one row in the summary: system, task and relation."""

Part = Literal["", "learning", "testing"]
"""The purpose of a proposal. It is "" if the search does not separate learning from testing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A relation's verdict on one group of a system's answers. `decision` is None until the group is judged.

    Attributes:
        system: label of the system that answered.
        source: the source case, which names its task.
        turn: index of the source turn that is judged.
        variant: the fields that were transformed; empty for question groups.
        group: the answers judged; None if the relation rejected the follow-up before any question was sent.
        repeat: index of the repetition that the answers come from.
        derivation: how the follow-up was, or would have been, derived; None for question groups.
        steps: names of the transformations that made the follow-up.
        estimates: whether the verdict is included in violation rates; False if answers influenced the choice of its
            follow-up.
        vacuous: whether the system's own tokenizer turns source and follow-up into the same input, so that the answers
            could not differ.
        block: the block of sources whose replies were used to judge the group; None if the judge needs no block.
        action, part, episode: copied from the proposal; see `core.search.Proposal`.
        inherited: for a violation after edited turns, whether the unedited question also violates the relation in the
            same context; None if this was not tested.
    """

    system: str
    relation: MetamorphicRelation
    source: Case
    turn: int
    variant: tuple[str, ...] = ()
    group: Group | None = None
    decision: Decision | None = None
    repeat: int = 0
    derivation: Derivation | None = None
    steps: tuple[str, ...] = ()
    vacuous: bool = False
    estimates: bool = True
    inherited: bool | None = None
    block: int | None = None
    action: tuple[float | None, ...] = ()
    part: Part = ""
    episode: int | None = None

    @property
    def decided(self) -> Decision:
        """The decision of a verdict that has been judged."""
        assert self.decision is not None, "not judged yet"
        return self.decision

    @property
    def outcome(self) -> Outcome:
        """The outcome of a verdict that has been judged."""
        return self.decided.outcome

    @property
    def row(self) -> Row:
        """The row of the summary table that the verdict is counted in: its system, task and relation."""
        return (self.system, self.source.task, self.relation.name)

    @property
    def evidence(self) -> tuple[Observation, ...]:
        """The follow-ups needed to judge a violation again. The violating one, or the worst pair, comes last.

        They include the follow-ups in every other role that the relation needs, such as a control. If nothing was
        asked, the result is empty.
        """
        members, worst = () if self.group is None else self.group.members, self.decided.worst
        if not worst:
            return members
        violating = tuple(members[place] for place in worst)
        lacking = self.relation.matching.needs.keys() - {member.role for member in violating}
        return (*(member for member in members if member.role in lacking), *violating)

    @property
    def draw(self) -> int:
        """The number of the random draw that produced the follow-up; 0 for question groups."""
        return self.derivation.draw if self.derivation else 0

    @property
    def finding(self) -> str:
        """The short hash that identifies the finding on the command line. Equal hashes mean the same finding.

        It does not depend on the run, its seed, the edited text, or the source's position in the data.
        """
        return finding_id(*self.row, self.source.question, self.turn, self.variant)


def finding_id(system: str, task: str, relation: str, question: str, turn: int, variant: Sequence[str] = ()) -> str:
    """Return the short hash that identifies a finding. `question` is the identifier of the source (`Case.question`)."""
    text = "\x1f".join((system, task, relation, question, str(turn), *variant))
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=5).hexdigest()
