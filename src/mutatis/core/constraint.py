"""Conditions of a relation: preconditions on inputs and outputs, constraints on follow-ups.

If one is broken, the verdict is INVALID and names it; the relation neither holds nor fails.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum

from mutatis.core.cases import Case, Step, Turn
from mutatis.core.errors import check_word
from mutatis.core.languages import EVERY, Languages
from mutatis.core.system import Helper, Response


class Stage(StrEnum):
    """The part that a precondition checks; earlier stages are checked before later ones have to be paid for."""

    SOURCE_INPUT = "source input"
    SOURCE_OUTPUT = "source output"
    FOLLOW_UP_INPUT = "follow-up input"
    FOLLOW_UP_OUTPUT = "follow-up output"


CONSTRAINT = "constraint"
"""Prefix of a broken constraint's name in a verdict; a precondition's begins with its stage."""


def of_inputs(broken: str) -> bool:
    """Return True if a broken condition, as named in verdicts, concerns the inputs, so that no answer is involved.

    >>> of_inputs("follow-up input: changed"), of_inputs("source output: not a refusal")
    (True, False)
    """
    return broken.partition(":")[0] in (Stage.SOURCE_INPUT, Stage.FOLLOW_UP_INPUT, CONSTRAINT)


RECORDED = "recorded"
"""Precondition of every pair, on its inputs: a system that replays recorded answers must have one for them.

No answer is involved, so it does not count in any share of errors.
"""

CAN_TELL = f"{Stage.FOLLOW_UP_OUTPUT.value}: the judge can tell"
"""Precondition of every judged pair: an undecidable pair is neither a finding nor a success."""


def is_open(broken: str) -> bool:
    """Return True if a broken condition, as named in verdicts, is that the judge could not decide."""
    return broken == CAN_TELL


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The data that a precondition may read: the turn, its answer if there is one, and a helper to ask.

    `turn` and `response` belong to the source or to the follow-up, depending on the stage; `fields` are the variant and
    `steps` the edits of the follow-up.
    """

    task: str
    case: Case
    turn: Turn
    fields: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    response: Response | None = None
    helper: Helper | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Precondition:
    """A named condition on one stage (or its text, "source input"); `check` returns (or resolves to) whether it holds.

    `broken` states the problem in words if it does not hold, in place of its name; `languages` are the languages that
    it supports.

    Raises:
        UsageError: no such stage.
    """

    name: str
    stage: Stage
    check: Callable[[Evidence], bool | Awaitable[bool]]
    needs_helper: bool = False
    broken: str = ""
    languages: Languages = EVERY

    def __post_init__(self) -> None:
        check_word(f"precondition {self.name!r}: stage", self.stage, tuple(Stage))
        object.__setattr__(self, "stage", Stage(self.stage))


@dataclass(frozen=True, slots=True, kw_only=True)
class Constraint:
    """A named condition on a follow-up beside its source; `check(source, follow_up)` returns whether it holds."""

    name: str
    check: Callable[[Case, Case], bool]
