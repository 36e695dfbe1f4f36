"""`report.json` as pydantic models: validated once, when it is read or written; its JSON schema comes from here.

Unknown keys are kept: a report of a later minor version stays readable. Numbers are finite; what is not is null.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pydantic

FORMAT: Literal["mutatis/report"] = "mutatis/report"
VERSION: Literal[1] = 1


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("expected text")
    return value


# Answers and data may hold lone surrogates, which pydantic's own text type refuses.
Text = Annotated[str, pydantic.PlainValidator(_text, json_schema_input_type=str)]
Rate = Annotated[float, pydantic.Field(ge=0, le=1)]


class Record(pydantic.BaseModel):
    """A record of the report: its values are attributes, and items under the same names as in the JSON."""

    model_config = pydantic.ConfigDict(extra="allow", frozen=True, allow_inf_nan=False)

    def __getitem__(self, name: str) -> Any:
        if name in type(self).model_fields or name in (self.model_extra or {}):
            return getattr(self, name)
        raise KeyError(name)

    def to_json(self) -> dict[str, Any]:
        """Return the record as JSON data; what was never set is left out."""
        return self.model_dump(exclude_unset=True)


class TurnRecord(Record):
    """One turn of a case."""

    fields: dict[Text, Text]
    expected: list[Text] = []
    reply: Text | None = None
    annotations: dict[Text, Any] = {}


class CaseRecord(Record):
    """A source case, or a follow-up's, as far as the judged turn."""

    id: Text
    turns: list[TurnRecord]
    task: Text = ""
    material: dict[Text, Text] = {}
    ask_turns: list[int] | None = None


class StepRecord(Record):
    """One transformation with its parameters; `turns` None means all."""

    transformation: Text
    parameters: dict[Text, Any]
    turns: list[int] | None = None


class DerivationRecord(Record):
    """How a follow-up came from its source."""

    source: Text
    steps: list[StepRecord]
    variant: list[Text]
    draw: int
    origin: list[int]


class ResponseRecord(Record):
    """An answer: its text, the value that the task's parser read, and why it ended where that was not its own end."""

    text: Text
    value: Any = None
    probabilities: dict[Text, float | None] | None = None
    finish: Text = "stop"


class SourceRecord(Record):
    """The source of a finding, its judged turn, the answers before it, and the answer to it."""

    case: CaseRecord
    turn: int = 0
    history: list[Text] = []
    response: ResponseRecord | None = None


class FollowUpRecord(Record):
    """A follow-up of a finding; its case leaves out the material, which is its source's."""

    case: CaseRecord
    turn: int = 0
    role: Text = "follow-up"
    derivation: DerivationRecord | None = None
    history: list[Text] = []
    response: ResponseRecord | None = None


class FindingRecord(Record):
    """A distinct violation: how often it was seen, whether it held when asked again, and the evidence.

    `replay` is None where the run was not kept: nothing could be asked again by a command.
    """

    id: Text
    system: Text
    task: Text
    relation: Text
    source: SourceRecord
    followups: list[FollowUpRecord]
    variant: list[Text] = []
    count: int = 1
    outcome: Text = "violated"
    confirmed: bool | None = None
    undecided: bool = False
    score: float | None = None
    thresholds: dict[Text, float] = {}
    measure: Text = ""
    reason: Text = ""
    reference: list[Any] = []
    shrunk: FollowUpRecord | None = None
    replay: Text | None = None


class LostMentions(Record):
    """How many judged follow-ups lost a marked string, and how many of these violated."""

    judged: int = 0
    violated: int = 0


class SummaryRow(Record):
    """One system, task and relation: counts, the violation rate with its interval, and the noise floor beside it."""

    system: Text
    task: Text
    relation: Text
    satisfied: int
    violated: int
    invalid: int
    error: int
    flaky: int = 0
    undecided: int = 0
    unchanged: int = 0
    rate: Rate | None = None
    interval: tuple[Rate, Rate] | None = None
    distinct: int = 0
    noise_floor: Rate | None = None
    seeds: int = 0
    lost_mentions: LostMentions = LostMentions()
    mean_score: float | None = None

    @property
    def judged(self) -> int:
        """How many verdicts are satisfied or violated."""
        return self.satisfied + self.violated


class HealthRecord(Record):
    """One failed health check: what was seen, why it matters, what to do and how to silence it."""

    name: Text
    message: Text
    subject: Text = ""
    remedy: Text = ""
    silence: Text = ""


class Queries(Record):
    """Questions put to the query layer, those that were paid for, that failed, and that the store answered."""

    logical: int = 0
    paid: int = 0
    errors: int = 0
    stored: int = 0
    oldest: Text | None = None


class Tokens(Record):
    """Tokens as the systems report them."""

    prompt: int = 0
    completion: int = 0


class RunRecord(Record):
    """What was run, when, with which versions, and what it cost."""

    id: Text
    seed: int = 0
    config: dict[Text, Any] = {}
    versions: dict[Text, Text] = {}
    started: Text = ""
    finished: Text = ""
    queries: Queries = Queries()
    tokens: Tokens = Tokens()


class Report(Record):
    """A whole `report.json`."""

    format: Literal["mutatis/report"] = FORMAT
    version: Literal[1] = VERSION
    run: RunRecord
    summary: list[SummaryRow]
    findings: list[FindingRecord]
    health: list[HealthRecord]
    metrics: dict[Text, Any]
