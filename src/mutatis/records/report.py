"""Pydantic models of `report.json` and of the lines in `verdicts.jsonl`, which define their JSON schemas.

Unknown keys are kept, so that a report from a later minor version stays readable. Numbers that are not finite become
null.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Self

import pydantic

from mutatis.core.constraint import is_open
from mutatis.core.languages import language_name
from mutatis.core.verdict import Row
from mutatis.records.asked import AskedRecord, CaseRecord, DerivationRecord, RepliesRecord, ResponseRecord
from mutatis.records.record import ITEMS, TABLE, Rate, ReportRecord, Text


class Queries(ReportRecord):
    """Counts of the questions to the query layer: all, paid for, failed, and answered from the store.

    `phases` contains the number of distinct questions in each phase of a run with a budget, including stored ones.
    """

    logical: int = 0
    paid: int = 0
    errors: int = 0
    stored: int = 0
    oldest: Text | None = None
    retries: int = 0
    phases: dict[Text, int] = TABLE


class Tokens(ReportRecord):
    """The numbers of tokens reported by the systems."""

    prompt: int = 0
    completion: int = 0


class MeanAnswer(ReportRecord):
    """The mean time, tokens and cost of an answer, including stored ones. `money` is given only if prices are."""

    seconds: float = 0.0
    prompt_tokens: float = 0.0
    completion_tokens: float = 0.0
    money: float | None = None


class SystemRecord(ReportRecord):
    """The origin of one system's answers: how many were paid for or stored, and when they were given.

    Attributes:
        endpoint: whether the system is a remote service.
        current: whether any judged answer was obtained for this run: by it, by a run that it continues, or by one that
            shares the store.
        answer: the mean cost of one answer, or None if there are no answers.
        currency: the currency of the prices.
    """

    system: Text
    endpoint: bool = False
    paid: int = 0
    stored: int = 0
    oldest: Text | None = None
    newest: Text | None = None
    current: bool = True
    answer: MeanAnswer | None = None
    currency: Text = ""


class HelperRecord(ReportRecord):
    """Counts of the questions to the helper model: asked, paid for, answered from the store, failed, and unusable.

    `reasons` counts the faults by kind. After an unusable answer, the next run asks again.
    """

    label: Text
    asked: int = 0
    paid: int = 0
    stored: int = 0
    failed: int = 0
    unusable: int = 0
    reasons: dict[Text, int] = TABLE


class RunRecord(ReportRecord):
    """A run, its time, its versions and its cost: tokens, and money if prices were given.

    `offline` is True if the run used only stored answers. `helper` is None if there was no helper model. `named`
    contains the relations selected by name, rather than by a tag, by a recipe or by default.
    """

    id: Text
    seed: int = 0
    config: dict[Text, Any] = TABLE
    versions: dict[Text, Text] = TABLE
    started: Text = ""
    finished: Text = ""
    queries: Queries = Queries()
    tokens: Tokens = Tokens()
    money: dict[Text, float] = TABLE
    systems: list[SystemRecord] = ITEMS
    helper: HelperRecord | None = None
    offline: bool = False
    named: list[Text] = ITEMS


FORMAT: Literal["mutatis/report"] = "mutatis/report"
VERSION: Literal[1] = 1


OutcomeName = Literal["satisfied", "violated", "invalid", "error"]
"""Names of the values of `core.decision.Outcome` in JSON."""


class _Asked(ReportRecord):
    """A case that a system was tested on, and the turn in it that was judged."""

    case: CaseRecord
    turn: int = pydantic.Field(default=0, ge=0)

    @pydantic.model_validator(mode="after")
    def _the_case_has_the_turn(self) -> Self:
        if self.turn >= len(self.case.turns):
            raise ValueError(f"the case has {len(self.case.turns)} turns, but no turn {self.turn}")
        return self


class SourceRecord(_Asked):
    """The source of a finding: the judged turn, the answers before it, and the answer to it."""

    history: list[Text] = ITEMS
    response: ResponseRecord | None = None


class FollowUpRecord(_Asked):
    """A follow-up of a finding. Its case contains only the material that differs from the source's material.

    `says` describes the change to the source in plain words.
    """

    role: Text = "follow-up"
    derivation: DerivationRecord | None = None
    history: list[Text] = ITEMS
    response: ResponseRecord | None = None
    says: Text = ""


class ShrunkRecord(FollowUpRecord):
    """The smallest follow-up that still violates the relation, with the answer to it.

    Reports from earlier versions have no score and no reason here.
    """

    score: float | None = None
    reason: Text = ""


class Instability(ReportRecord):
    """Evidence that a question has two different answers.

    `shares` contains an example of each answer and the number of wordings that got it. `wordings` is the total number
    of wordings.
    """

    wordings: int
    shares: list[tuple[Text, int]]


class FindingRecord(ReportRecord):
    """A distinct violation, with its evidence.

    Attributes:
        count: number of times that it was seen.
        confirmed: whether it recurred when asked again, or None if it was not asked again.
        replay: command that asks again, or None if the run was not kept.
        output_relation: the relation that must hold between the answers ("equal", "different").
        new: whether the run's baseline lacks the finding, or None without a baseline.
        newly_asked: whether the baseline has the question, but not this follow-up. Such a finding counts as new only if
            `[gate] newly_asked` is set.
        label: the label given by a person, read from a file next to the run.
        cause: the fault that the judge names, if any ("source" if the source's own answer is the exception). Findings
            with the same cause on the same turn are a single fault.
        wordings: how many other wordings of the question were answered differently from the source, and how many were
            judged; None if they were not counted.
        instability: describes the wordings if two different answers to them are both frequent (`cause` "unstable").
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
        """True if the finding did not recur when it was asked again."""
        return self.confirmed is False

    @property
    def mark(self) -> str:
        """A word for the result of asking again: FLAKY, confirmed, or "" if it was not asked again."""
        return "FLAKY" if self.flaky else "confirmed" if self.confirmed else ""

    @property
    def states(self) -> tuple[str, ...]:
        """The properties that findings are filtered by: the result of asking again, undecided, new and newly asked."""
        asked_again = "flaky" if self.flaky else "confirmed" if self.confirmed else "untried"
        flags = {"undecided": self.undecided, "new": self.new, "newly-asked": self.newly_asked}
        return (asked_again, *(name for name, holds in flags.items() if holds))

    @property
    def why(self) -> str:
        """The reason for the verdict on the pair that is shown, which is the shrunk pair if there is one.

        Earlier reports have no reason for the shrunk pair. They show the reason for the original pair, marked as such
        if the answer to the shrunk pair differs.
        """
        if self.shrunk is None:
            return self.reason
        if self.shrunk.reason:
            return self.shrunk.reason
        same_answer = bool(self.followups) and self.followups[-1].response == self.shrunk.response
        return self.reason if same_answer or not self.reason else f"as found, before shrinking: {self.reason}"

    @property
    def shown_score(self) -> float | None:
        """The score of the pair that is shown, which is the shrunk pair if it has a score."""
        return self.shrunk.score if self.shrunk is not None and self.shrunk.reason else self.score


class LostMentions(ReportRecord):
    """Follow-ups that lost a marked string: the number judged, and the number of violations among these."""

    judged: int = 0
    violated: int = 0


class Soundness(ReportRecord):
    """The soundness of a relation's follow-ups in a task, as judged by readers.

    `read` is the number of follow-ups that were read, and `sound` the number that all readers accepted.
    """

    read: int
    sound: int
    share: Rate
    interval: tuple[Rate, Rate]


class SummaryRow(ReportRecord):
    """Results for one system, task and relation: counts, the violation rate with its interval, and the noise floor.

    Attributes:
        says: the relation in plain words.
        capability: the ability that a system needs for it ("typing noise").
        soundness: soundness of the relation's follow-ups in this task, as judged by language models.
        people: the same, as judged by people. Like `soundness`, it holds for the language of the row.
        language: language of the row's cases, or "mul" for several.
        judge_precision: how often people agree with the judge's verdicts that lead to findings of this relation.
        expected_precision: proportion of the row's findings expected to be real, given soundness, judge precision and
            the results of asking again. It is None if not measured.
        false_alarm: how often the judge, on this system, calls answers with the same meaning different.
        not_applicable: number of verdicts that are INVALID because the relation does not fit or does not change the
            input.
        unchanged: number of verdicts on inputs that the relation did not change.
        open: number of verdicts that are INVALID because the judge could not decide.
        estimate: the verdicts that the rate and its interval are based on: "all"; "even", those on follow-ups that a
            learning search chose without regard to answers; or "none", since a search for failures estimates no rate.
        estimated: number of verdicts on follow-ups that were chosen without regard to answers.
        above_noise: whether the rate exceeds the noise floor, given that both are estimates. It is None if either is
            missing.
        shift_p: p-value of the difference between the answers to follow-ups and the answers to sources, each drawn
            several times. It is None if there are no draws.
        shift_sources: number of sources behind `shift_p`.
        shifted: whether `shift_p` is significant, given that all rows of the run are tested.
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
        """The language of follow-ups that were never read. It is "" if the language is English or some were read."""
        unread = self.language != "en" and self.soundness is None and self.people is None
        return language_name(self.language) if unread else ""

    @property
    def within_noise(self) -> bool:
        """True if variation between repeated answers would explain as many violations. Both numbers are estimates."""
        # The search chose the follow-ups of all violations because of answers, which give no rate.
        is_unrated = self.estimate == "even" and not self.rate
        return self.violated > 0 and self.above_noise is False and not is_unrated

    @property
    def too_few(self) -> bool:
        """True if the row is within noise only because of too few verdicts: no answer changed when asked again."""
        return self.within_noise and self.noise_floor == 0

    @property
    def findings(self) -> int:
        """The number of findings, excluding FLAKY ones, which did not recur when asked again."""
        return max(self.distinct - self.flaky, 0)

    @property
    def only_flaky(self) -> bool:
        """True if every finding was asked again and none recurred."""
        return 0 < self.distinct <= self.flaky

    @property
    def applies_to_nothing(self) -> bool:
        """True if the relation judged nothing because it does not apply to any input."""
        return not (self.judged or self.error) and 0 < self.invalid == self.not_applicable

    @property
    def judged(self) -> int:
        """The number of verdicts that are satisfied or violated."""
        return self.satisfied + self.violated

    @property
    def asked(self) -> int:
        """The number of verdicts that involved an answer, or a failure to get one. The error rate is relative to it."""
        return self.judged + self.error + self.invalid - self.not_applicable

    @property
    def otherwise_invalid(self) -> int:
        """The number of verdicts that are INVALID for a reason other than an undecided judge."""
        return self.invalid - self.open

    @property
    def rests_on(self) -> int:
        """The number of verdicts behind the rate: all, or those on follow-ups chosen without regard to answers."""
        return self.judged if self.estimate != "even" or self.estimated is None else self.estimated


class HealthRecord(ReportRecord):
    """A failed health check: what was observed, why it matters, how to fix it, and how to silence the check.

    `reason` quotes the most common reason in the verdicts, if they contain one.
    """

    name: Text
    message: Text
    subject: Text = ""
    remedy: Text = ""
    silence: Text = ""
    reason: Text = ""


class FindingsFile(ReportRecord):
    """The number of lines and bytes in `findings.jsonl`, the file with all findings."""

    number: int = pydantic.Field(ge=0)
    size: int = pydantic.Field(ge=0)


class ReachOfChange(ReportRecord):
    """The results of one kind of change, as numbers of questions.

    Attributes:
        change: the kind of change.
        fell: number of questions with a violation.
        held: number of questions answered as expected.
        open: number of questions that were undecided.
        failed: number of questions that failed.
        not_applicable: number of questions that the change does not apply to.
        reasons: why it does not apply, with the number of questions.
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
        """The number of questions with a judged result for this change."""
        return self.fell + self.held


class ReachOfQuestion(ReportRecord):
    """The tests of one question: the result for each kind of change, and the reasons why other kinds did not apply."""

    source: Text
    question: Text
    states: dict[Text, Text] = TABLE
    reasons: dict[Text, Text] = TABLE


class ReachRecord(ReportRecord):
    """The kinds of change tested on one system. `table` lists the results for the first two hundred questions."""

    system: Text
    questions: int
    kinds: list[ReachOfChange] = ITEMS
    untried: list[Text] = ITEMS
    table: list[ReachOfQuestion] = ITEMS


class EdgeRecord(ReportRecord):
    """Two neighbouring values in a question that get different answers. The replies are shortened."""

    low: Text
    high: Text
    below: Text
    above: Text


class AskedValue(ReportRecord):
    """A value that was tried in a question, and the shortened reply."""

    value: Text
    reply: Text


class EdgesRecord(ReportRecord):
    """The changes in a system's replies as one value in a question varies.

    Attributes:
        value: the value that varies.
        asked: the values that were tried, with their replies.
        edges: neighbouring values with different answers.
        even: whether the price changes by the same amount with each unit, and so has no edges.
        direction: "up" or "down" if the user states that prices rise or fall with the value.
        turn: three values between which the price changes from rising to falling, or the reverse.
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


class MeansRecord(ReportRecord):
    """Means over the sources that a system answered several times in one task: entropy and each pass^k."""

    system: Text
    task: Text
    sources: int
    draws: int
    entropy: float
    pass_k: list[Rate] = ITEMS


class DrawsRecord(ReportRecord):
    """The answers to one turn of a source that was asked several times; a line of `draws.jsonl`.

    `clusters` contains a text and the number of equal answers for each cluster, largest first. `left_out` counts
    failures and answers that the judge cannot decide. `entropy` is the entropy of the clusters, in nats. `pass_k`
    contains, for each k from 1, the probability that k draws are all in the largest cluster.
    """

    system: Text
    task: Text
    source: Text
    turn: int
    draws: int
    clusters: list[tuple[Text, int]]
    left_out: int = 0
    entropy: float
    pass_k: list[Rate] = ITEMS


def row_of(record: SummaryRow | FindingRecord | VerdictRecord) -> Row:
    """Return the row of the summary that a record belongs to."""
    return record.system, record.task, record.relation


class Report(ReportRecord):
    """The whole content of `report.json`.

    Attributes:
        findings: at most the first thousand findings, taken in turn from the rows of the summary.
        examples: a few verdicts per row that are not violations.
        open: the first three hundred verdicts that the judge could not decide, for people to look at.
        distributions: means over the draws of each source.
        draws: the three hundred sources whose answers vary most.
        replies: free-text questions that got the same reply.
        asked: hashes of the messages of all questions.
        edges: places where replies change as a value in a question varies, for the first two hundred such values.
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
        """All findings in the order of discovery. In a large run, they are read one at a time."""
        return self.findings if self._every is None else self._every

    def holding(self, findings: Sequence[FindingRecord]) -> Self:
        """Attach the sequence of all findings, and return the report."""
        self._every = findings
        return self


class RoundRecord(ReportRecord):
    """One round of a dialogue: the texts sent, and the reply, or None if the turn was not sent."""

    input: dict[Text, Text]
    reply: Text | None = None


class MemberRecord(ReportRecord):
    """One follow-up of a group in `verdicts.jsonl`: the turn that was asked, and its answer or error.

    Attributes:
        material: the part of the material that differs from the source.
        earlier: the rounds before this turn, with None for rounds that are the same as in the source. It is empty if
            all rounds are.
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

    Attributes:
        expects: the relation expected between the answers: the same, a different one, or something else (an image, a
            direction). It is None in older files.
        precondition: the precondition that made the verdict INVALID.
        worst: indices of the follow-ups that determine the score.
        source_earlier: the rounds before the turn. They are given once for each source and turn, in the first line.
        language: code of the case's language, or "" for English.
        cause: the judge's explanation of the error.
        part: whether a search was learning or testing.
        action: the action chosen by the search, with null for each number that did not matter for this text.
        episode: number of the pass through the source, for a search that makes several passes.
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
        """True if the judge could not decide."""
        return is_open(self.precondition or "")
