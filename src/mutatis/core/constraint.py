"""Conditions of a relation: preconditions on inputs and outputs, and constraints on follow-ups.

If one is not met, the verdict is INVALID and names it; the relation is then neither satisfied nor violated.
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
    """The stage at which a precondition is checked. Earlier stages come first, before later ones cost anything."""

    SOURCE_INPUT = "source input"
    SOURCE_OUTPUT = "source output"
    FOLLOW_UP_INPUT = "follow-up input"
    FOLLOW_UP_OUTPUT = "follow-up output"


CONSTRAINT = "constraint"
"""Prefix for the name of a broken constraint in a verdict. For a precondition it is the name of its stage."""


def of_inputs(broken: str) -> bool:
    """Return True if a broken condition, as named in verdicts, concerns inputs only, not answers.

    >>> of_inputs("follow-up input: changed"), of_inputs("source output: not a refusal")
    (True, False)
    """
    return broken.partition(":")[0] in (Stage.SOURCE_INPUT, Stage.FOLLOW_UP_INPUT, CONSTRAINT)


RECORDED = "recorded"
"""Precondition on the inputs of every pair: a system that replays recorded answers must have one for them.

Because no answer is involved, it does not count towards the share of errors.
"""

CAN_TELL = f"{Stage.FOLLOW_UP_OUTPUT.value}: the judge can tell"
"""Precondition of every judged pair: an undecidable pair is neither a finding nor a success."""


def is_open(broken: str) -> bool:
    """Return True if a broken condition, as named in verdicts, means that the judge could not decide."""
    return broken == CAN_TELL


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The data that a precondition may read: the turn, its answer if there is one, and a helper to ask.

    Depending on the stage, `turn` and `response` belong to the source or to the follow-up. `fields` are the variant,
    and `steps` the edits, of the follow-up.
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
    """A named condition on one stage (or its text, "source input"); `check` returns, or resolves to, a bool.

    `broken` describes the problem when the condition does not hold, instead of the name; `languages` lists the
    languages that it supports.

    Raises:
        UsageError: there is no such stage.
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
    """A named condition on a follow-up and its source; `check(source, follow_up)` returns whether it holds."""

    name: str
    check: Callable[[Case, Case], bool]
