"""Conditions of a relation: preconditions on inputs and outputs, and constraints on follow-ups.

If a condition is not met, the verdict is INVALID and gives its name. The relation is then neither satisfied nor
violated.
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
    """A stage for checking preconditions. Stages run in the order given here, so cheap checks come first."""

    SOURCE_INPUT = "source input"
    SOURCE_OUTPUT = "source output"
    FOLLOW_UP_INPUT = "follow-up input"
    FOLLOW_UP_OUTPUT = "follow-up output"


CONSTRAINT = "constraint"
"""Prefix for a broken constraint's name in a verdict. For a precondition, the prefix is its stage."""


def of_inputs(broken: str) -> bool:
    """Return True if a failed condition, as named in verdicts, concerns only inputs and not answers.

    >>> of_inputs("follow-up input: changed"), of_inputs("source output: not a refusal")
    (True, False)
    """
    return broken.partition(":")[0] in (Stage.SOURCE_INPUT, Stage.FOLLOW_UP_INPUT, CONSTRAINT)


RECORDED = "recorded"
"""Precondition of every pair: a system that replays recorded answers must have one for each input.

No answer is involved, so a broken precondition does not count towards the share of errors.
"""

CAN_TELL = f"{Stage.FOLLOW_UP_OUTPUT.value}: the judge can tell"
"""Precondition of every judged pair: the judge must be able to decide. Otherwise the verdict is INVALID."""


def is_open(broken: str) -> bool:
    """Return True if a failed condition, as named in verdicts, means that the judge could not decide."""
    return broken == CAN_TELL


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The data that a precondition may read: the turn, its answer if there is one, and a helper model to ask.

    Depending on the stage, `turn` and `response` belong to the source or to the follow-up. `fields` lists the fields
    that the follow-up changes, and `steps` its edits.
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
    """A named condition that is checked at one stage. `check` returns a bool or an awaitable bool.

    `stage` may also be given as a string such as "source input". If the condition does not hold, verdicts show `broken`
    instead of its name. `languages` lists the supported languages.

    Raises:
        UsageError: the stage does not exist.
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
    """A named condition on a follow-up and its source. `check(source, follow_up)` returns True if it holds."""

    name: str
    check: Callable[[Case, Case], bool]
