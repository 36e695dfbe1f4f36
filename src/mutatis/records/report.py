"""`report.json` and the lines of `verdicts.jsonl` as pydantic models, from which the JSON schemas are generated.

Unknown keys are kept, so that a report of a later minor version stays readable. Numbers are finite; others become null.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Self

import pydantic

from mutatis.core.constraint import is_open
from mutatis.core.languages import language_name
from mutatis.records.asked import CaseRecord, DerivationRecord, ResponseRecord
from mutatis.records.draws import DrawsRecord, MeansRecord
from mutatis.records.follow_ups import AskedRecord
from mutatis.records.record import ITEMS, TABLE, Rate, ReportRecord, Text
from mutatis.records.replies import RepliesRecord
from mutatis.records.run import RunRecord

FORMAT: Literal["mutatis/report"] = "mutatis/report"
VERSION: Literal[1] = 1


OutcomeName = Literal["satisfied", "violated", "invalid", "error"]
"""The values of `core.decision.Outcome` in JSON."""


class _Asked(ReportRecord):
    """What was asked: a case, and the turn of it that was judged."""

    case: CaseRecord
    turn: int = pydantic.Field(default=0, ge=0)

    @pydantic.model_validator(mode="after")
    def _the_case_has_the_turn(self) -> Self:
        if self.turn >= len(self.case.turns):
            raise ValueError(f"turn {self.turn} is not one of the {len(self.case.turns)} turns of the case")
        return self


class SourceRecord(_Asked):
    """The source of a finding, with the judged turn, the answers before it, and the answer to it."""

    history: list[Text] = ITEMS
    response: ResponseRecord | None = None


class FollowUpRecord(_Asked):
    """A follow-up of a finding. Its case only holds the material that differs from its source's.

    `says` describes the change to the source in plain words.
    """

    role: Text = "follow-up"
    derivation: DerivationRecord | None = None
    history: list[Text] = ITEMS
    response: ResponseRecord | None = None
    says: Text = ""


class ShrunkRecord(FollowUpRecord):
    """The smallest follow-up that still violates, with its own answer.

    Earlier reports lack its score and reason.
    """

    score: float | None = None
    reason: Text = ""


class Instability(ReportRecord):
    """A question with two different answers: an example and the number of wordings for each.

    It also holds the number of all wordings.
    """

    wordings: int
    shares: list[tuple[Text, int]]


class FindingRecord(ReportRecord):
    """A distinct violation: how often it was seen, whether it was confirmed when asked again, and the evidence.

    `replay` is None if the run was not kept, since no command could ask again. `output_relation` names the relation
    that must hold between the answers ("equal", "different"). `new` is True if the run's baseline lacks the finding,
    and None without a baseline. It is False for a finding that is `newly_asked`: the baseline has its question but not
    this follow-up. `[gate] newly_asked` makes such findings new, too. `label` is the label that people gave it; it is
    read from a file next to the run. `cause` is the fault that the judge names, if any ("source" if the source's own
    answer is the exception). Findings with the same cause on the same turn of an input are a single fault. `wordings`
    counts the other wordings of the question that were judged: those whose answer differs from the source's, and all.
    It is None if they were not counted. `instability` describes the wordings if two different answers to them are both
    frequent (`cause` "unstable").
    """

    id: Text
    system: Text
    task: Text
    relation: Text
    source: SourceRecord
    followups: list[FollowUpRecord]
    variant: list[Text] = ITEMS
    count: int = 1
    outcome: OutcomeName = "violated"
    confirmed: bool | None = None
    undecided: bool = False
    score: float | None = None
    thresholds: dict[Text, float] = TABLE
    measure: Text = ""
    reason: Text = ""
    reference: list[Any] = ITEMS
    shrunk: ShrunkRecord | None = None
    replay: Text | None = None
    output_relation: Text = ""
    label: Text = ""
    new: bool | None = None
    newly_asked: bool = False
    cause: Text = ""
    wordings: tuple[int, int] | None = None
    instability: Instability | None = None

    @property
    def flaky(self) -> bool:
        """Whether the finding did not recur when it was asked again."""
        return self.confirmed is False

    @property
    def mark(self) -> str:
        """FLAKY, confirmed, or nothing if it was not asked again."""
        return "FLAKY" if self.flaky else "confirmed" if self.confirmed else ""

    @property
    def state(self) -> Literal["flaky", "confirmed", "untried"]:
        """The result of confirming."""
        return "flaky" if self.flaky else "confirmed" if self.confirmed else "untried"

    @property
    def states(self) -> tuple[str, ...]:
        """All values, apart from names, by which findings can be filtered: the state, undecided, new, newly asked."""
        flags = {"undecided": self.undecided, "new": self.new, "newly-asked": self.newly_asked}
        return (self.state, *(name for name, holds in flags.items() if holds))

    @property
    def why(self) -> str:
        """The reason of the displayed pair: the shrunk one, if any.

        Earlier reports have no reason for the shrunk pair. If that pair got another answer, the original pair's reason
        is marked as such.
        """
        if self.shrunk is None or self.shrunk.reason:
            return self.reason if self.shrunk is None else self.shrunk.reason
        alike = bool(self.followups) and self.followups[-1].response == self.shrunk.response
        return self.reason if alike or not self.reason else f"as found, before shrinking: {self.reason}"

    @property
    def shown_score(self) -> float | None:
        """The score of the displayed pair."""
        return self.shrunk.score if self.shrunk is not None and self.shrunk.reason else self.score


class LostMentions(ReportRecord):
    """The number of judged follow-ups that lost a marked string, and of violations among them."""

    judged: int = 0
    violated: int = 0


class Soundness(ReportRecord):
    """How many follow-ups of a relation were read for a task, and how many of these were accepted by all readers."""

    read: int
    sound: int
    share: Rate
    interval: tuple[Rate, Rate]


class SummaryRow(ReportRecord):
    """One system, task and relation: counts, the violation rate with its interval, and the noise floor.

    `says` describes the relation in plain words, `capability` the ability that a system needs for it ("typing noise").
    `soundness` is the soundness of the relation's follow-ups on this task as language models read them, `people` the
    same as people read them, both in the `language` of the row's cases ("mul" for several: no figures).
    `judge_precision` is the share of such decisions of the judge that people agree with. `expected_precision` is the
    share of the row's findings expected to be real, by both and by the results of asking the same again (`false_alarm`:
    how often the judge calls answers of the same meaning different on this system). Each is None if not measured.

    `not_applicable` counts the INVALID verdicts without a part in any answer: the relation does not fit the input, or
    changes nothing in it (`unchanged`). `open` counts the INVALID verdicts that the judge could not decide.

    `estimate` names the verdicts behind rate and interval: all, an even share of a search that learns (`estimated`
    verdicts), or none, since a search for failures does not estimate. `above_noise` compares the rate with
    the noise floor, both being estimates. It is None if one is missing.

    `shift_p` is the probability that the draws of the follow-ups are clustered as differently from the draws of their
    sources if the edits make no difference, over `shift_sources` sources. `shifted` marks the row, all rows of the run
    being tested. None if there are no draws.
    """

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
    not_applicable: int = 0
    open: int = 0
    rate: Rate | None = None
    interval: tuple[Rate, Rate] | None = None
    distinct: int = 0
    noise_floor: Rate | None = None
    above_noise: bool | None = None
    estimate: Literal["all", "even", "none"] = "all"
    estimated: int | None = None
    seeds: int = 0
    lost_mentions: LostMentions = LostMentions()
    mean_score: float | None = None
    says: Text = ""
    capability: Text = ""
    soundness: Soundness | None = None
    people: Soundness | None = None
    judge_precision: Rate | None = None
    expected_precision: Rate | None = None
    false_alarm: Rate | None = None
    shift_p: Rate | None = None
    shifted: bool | None = None
    shift_sources: int = 0
    language: Text = "en"

    @property
    def unread_in(self) -> str:
        """The language in which nobody read its follow-ups, empty for English."""
        unread = self.language != "en" and self.soundness is None and self.people is None
        return language_name(self.language) if unread else ""

    @property
    def within_noise(self) -> bool:
        """Whether asking the same question again would explain as many violations. Both numbers are estimates."""
        if not self.violated or self.noise_floor is None:
            return False
        if self.estimate == "even" and not self.rate:  # its violations are none of those that were compared
            return False
        if self.above_noise is not None:
            return not self.above_noise
        return self.interval is not None and self.interval[0] <= self.noise_floor  # a report of an earlier version

    @property
    def too_few(self) -> bool:
        """Whether the row is within noise only for lack of verdicts: when asked again, no answer differed."""
        return self.within_noise and self.noise_floor == 0

    @property
    def findings(self) -> int:
        """The number of findings that count. FLAKY ones, which did not recur when asked again, are excluded."""
        return max(self.distinct - self.flaky, 0)

    @property
    def only_flaky(self) -> bool:
        """Whether every finding was asked again and none recurred."""
        return 0 < self.distinct <= self.flaky

    @property
    def applies_to_nothing(self) -> bool:
        """Whether the relation judged nothing because it does not apply to any input."""
        return not (self.judged or self.error) and 0 < self.invalid == self.not_applicable

    @property
    def judged(self) -> int:
        """The number of verdicts that are satisfied or violated."""
        return self.satisfied + self.violated

    @property
    def asked(self) -> int:
        """The number of verdicts that involved an answer, or the failure to get one: the base of the error rate."""
        return self.judged + self.error + self.invalid - self.not_applicable

    @property
    def otherwise_invalid(self) -> int:
        """The number of verdicts that are INVALID for a reason other than an undecided judge."""
        return self.invalid - self.open

    @property
    def rests_on(self) -> int:
        """The number of verdicts behind the rate: the even share if it comes from one, else all."""
        return self.judged if self.estimate != "even" or self.estimated is None else self.estimated


class HealthRecord(ReportRecord):
    """One failed health check: the observation, why it matters, the remedy and how to silence it.

    `reason` quotes the most common reason in the verdicts, if they give one.
    """

    name: Text
    message: Text
    subject: Text = ""
    remedy: Text = ""
    silence: Text = ""
    reason: Text = ""


class FindingsFile(ReportRecord):
    """The file with all findings, `findings.jsonl`, with its number of lines and bytes."""

    number: int = pydantic.Field(ge=0)
    size: int = pydantic.Field(ge=0)


class ReachOfChange(ReportRecord):
    """A kind of change, with the number of questions for each result.

    `fell` counts violations, and `held` questions whose answer was as expected. The others were undecided, failed, or
    the change did not apply.
    """

    change: Text
    fell: int = 0
    held: int = 0
    open: int = 0
    failed: int = 0
    not_applicable: int = 0
    reasons: dict[Text, int] = TABLE

    @property
    def tried(self) -> int:
        """Return how many questions it was tried on and judged."""
        return self.fell + self.held


class ReachOfQuestion(ReportRecord):
    """The tests of one question: the state of each kind of change, and why the other kinds did not apply."""

    source: Text
    question: Text
    states: dict[Text, Text] = TABLE
    reasons: dict[Text, Text] = TABLE


class ReachRecord(ReportRecord):
    """The changes tried on one system: kinds of change by question (the first two hundred)."""

    system: Text
    questions: int
    kinds: list[ReachOfChange] = ITEMS
    untried: list[Text] = ITEMS
    table: list[ReachOfQuestion] = ITEMS


class EdgeRecord(ReportRecord):
    """Two values that were asked next to each other, with replies that give different answers (shortened)."""

    low: Text
    high: Text
    below: Text
    above: Text


class AskedValue(ReportRecord):
    """A value that was asked, with its reply (shortened)."""

    value: Text
    reply: Text


class EdgesRecord(ReportRecord):
    """How a system's replies change along one value of a question.

    `even` means that the price changes by the same amount with each unit, so that there are no edges. `direction` says
    whether the user or replies state that prices go "up" or "down" with the value. `turn` holds three values between
    which the trend of the price reverses.
    """

    system: Text
    source: Text
    question: Text
    value: Text
    asked: list[AskedValue] = ITEMS
    edges: list[EdgeRecord] = ITEMS
    even: bool = False
    direction: Text = ""
    turn: list[Text] = ITEMS


class Report(ReportRecord):
    """A whole `report.json`.

    `findings` has at most the first thousand findings, taken in turn from the rows of the summary; `all_findings` has
    every one. `examples` are a few verdicts per row that are not violations. `open` has verdicts that the judge could
    not decide, for people to look at (the first three hundred, taken in turn from the rows). `distributions` has means
    over the draws of each source, and `draws` the three hundred sources whose answers vary most. `replies` lists the
    free-text questions that got the same reply, and `asked` the hashes of the messages of all questions. `edges` are
    the places where replies change along a value of a question (the first two hundred values).
    """

    format: Literal["mutatis/report"]
    version: Literal[1]
    run: RunRecord
    summary: list[SummaryRow]
    findings: list[FindingRecord]
    health: list[HealthRecord]
    metrics: dict[Text, Any]
    examples: list[FindingRecord] = ITEMS
    open: list[FindingRecord] = ITEMS
    distributions: list[MeansRecord] = ITEMS
    draws: list[DrawsRecord] = ITEMS
    replies: list[RepliesRecord] = ITEMS
    reach: list[ReachRecord] = ITEMS
    edges: list[EdgesRecord] = ITEMS
    asked: list[AskedRecord] = ITEMS
    findings_file: FindingsFile | None = None
    _every: Sequence[FindingRecord] | None = None

    @property
    def all_findings(self) -> Sequence[FindingRecord]:
        """All findings in the order in which they were found. Those of a large run are read one at a time."""
        return self.findings if self._every is None else self._every

    def holding(self, findings: Sequence[FindingRecord]) -> Self:
        """Attach the sequence of all findings, and return the report."""
        self._every = findings
        return self


class RoundRecord(ReportRecord):
    """One round of a dialogue: the texts, and the reply, or None if it was not asked."""

    input: dict[Text, Text]
    reply: Text | None = None


class MemberRecord(ReportRecord):
    """One follow-up of a group in `verdicts.jsonl`: the turn that was asked, and its answer or why there is none.

    `material` is the part that differs from the source's. `earlier` holds the rounds before its turn, with None in
    place of the source's own rounds. It is empty if all rounds are the source's.
    """

    case: Text
    turn: int
    role: Text = "follow-up"
    derivation: DerivationRecord | None = None
    input: dict[Text, Text] = TABLE
    annotations: dict[Text, Any] = TABLE
    output: ResponseRecord | None = None
    error: Text | None = None
    material: dict[Text, Text] = TABLE
    earlier: list[RoundRecord | None] = ITEMS


class VerdictRecord(ReportRecord):
    """One line of `verdicts.jsonl`: the judged answers, the outcome with its evidence, and the finding.

    `worst` holds the indices of the follow-ups that determine the score. `precondition` is the one that made it
    INVALID. `language` is the code of the case's language unless that is English. `expects` is the relation expected
    between the answers: the same, a different one, or something else (an image, a direction). It is None in files
    without it. `source_earlier` has the rounds before the turn, in the first line of a judged source and turn. `cause`
    is the judge's explanation of the error. `part` is whether a search was learning or testing.
    `action` is the action that it chose, with null for each number that did not matter for this text. Lines with the
    same `episode` and turn are attempts at the same place.
    """

    system: Text
    task: Text
    relation: Text
    source: Text
    turn: int
    variant: list[Text]
    outcome: OutcomeName
    draw: int = 0
    repeat: int = 0
    steps: list[Text] = ITEMS
    expects: Literal["same", "different", "other"] | None = None
    score: float | None = None
    measure: Text = ""
    thresholds: dict[Text, float] = TABLE
    reason: Text = ""
    undecided: bool = False
    unchanged: bool = False
    vacuous: bool = False
    estimates: bool = True
    inherited: bool | None = None
    precondition: Text | None = None
    worst: list[int] = ITEMS
    finding: Text = ""
    reference: list[Any] = ITEMS
    source_input: dict[Text, Text] = TABLE
    source_output: ResponseRecord | None = None
    source_error: Text | None = None
    source_earlier: list[RoundRecord] = ITEMS
    language: Text = ""
    cause: Text = ""
    part: Literal["", "learning", "testing"] = ""
    action: list[float | None] = ITEMS
    episode: int | None = None
    followups: list[MemberRecord] = ITEMS

    @property
    def open(self) -> bool:
        """Whether the judge could not decide."""
        return is_open(self.precondition or "")
