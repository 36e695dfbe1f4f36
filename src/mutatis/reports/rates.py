"""Interprets violation rates: whether they are estimates, exceed the noise floor, and how many findings are real."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from mutatis.analysis.agreement import FalsePositives
from mutatis.core.errors import names_text
from mutatis.core.gathering import gathered
from mutatis.core.languages import language_name
from mutatis.records.report import HelperRecord, Queries, Report, RunRecord, SummaryRow
from mutatis.reports.numbers import counted, line, number, percent, soundness_text

NAMED = 3
"""Maximum number of relations named individually."""

REASONS = 3
"""Maximum number of reasons for unusable answers of the helper model that the summary lists."""


def worst_first(rows: Iterable[SummaryRow]) -> list[SummaryRow]:
    """Return rows in the order used by every report: worst first, and rows without a rate last.

    The lower bound of the interval is compared before the rate, so that three violations in three verdicts do not come
    before a hundred in a hundred and ten.
    """
    return sorted(rows, key=lambda row: (-lower_bound(row), -(row.rate or 0.0), -row.judged, -row.error))


def lower_bound(row: SummaryRow) -> float:
    """Return the lower bound of a row's confidence interval, or 0 if it has none."""
    return row.interval[0] if row.interval else 0.0


def not_judged(rows: Sequence[SummaryRow]) -> str:
    """Return how many verdicts are undecided, otherwise invalid, or errors, or "" if all were judged.

    Errors are also given as a percentage of all verdicts that needed an answer.
    """
    errors, asked = sum(row.error for row in rows), sum(row.asked for row in rows)
    counts = ((sum(row.open for row in rows), "open"), (sum(row.otherwise_invalid for row in rows), "invalid"))
    parts = [f"{count:,} {name}" for count, name in counts if count]
    if errors:
        parts.append(f"{counted(errors, 'error verdict')} ({percent(errors / asked)} of those asked)")
    return ", ".join(parts)


def by_system_and_task(rows: Iterable[SummaryRow]) -> dict[str, list[SummaryRow]]:
    """Return rows grouped by "system on task", with the groups in report order and the worst rows of each first."""
    blocks = gathered(rows, lambda row: f"{line(row.system)} on {line(row.task)}")
    return {title: worst_first(block) for title, block in blocks.items()}


def unfolded(rows: Sequence[SummaryRow], *, every: bool = False) -> tuple[list[SummaryRow], list[SummaryRow]]:
    """Return the rows with findings (with `every`, with a verdict or error), and the rows that a line summarises."""

    def is_listed(row: SummaryRow) -> bool:
        return bool(row.distinct or (every and (row.judged or row.error)))

    return [row for row in rows if is_listed(row)], [row for row in rows if not is_listed(row)]


def folded(rows: Sequence[SummaryRow], total: int) -> list[str]:
    """Return a line on the satisfied relations and one on those without a verdict, for rows without findings.

    `total` is the number of all rows of the system and task.
    """
    satisfied, without_verdict = [row for row in rows if row.judged], [row for row in rows if not row.judged]
    lines = []
    if satisfied:
        judged, unjudged = sum(row.judged for row in satisfied), not_judged(satisfied)
        verdicts = f"0 of {counted(judged, 'verdict')} violated" + (f"; {unjudged}" if unjudged else "")
        names = ", ".join(line(row.relation) for row in satisfied)
        lines.append(f"no findings under {counted(len(satisfied), 'relation')} ({verdicts}): {names}")
    if without_verdict:
        names = names_text([line(row.relation) for row in without_verdict], NAMED)
        how_many = f"{len(without_verdict)} of {counted(total, 'relation')}"
        why = not_judged(without_verdict) or "no verdict"
        lines.append(f"{how_many} had no verdict on these inputs ({why}): {names}")
    return lines


def folded_in_brief(rows: Sequence[SummaryRow], total: int) -> str:
    """Return the lines of `folded` as one phrase, without the names of the relations."""
    return "; ".join(text.partition(": ")[0] for text in folded(rows, total))


def helper_text(helper: HelperRecord) -> str:
    """Return a summary of the questions to the helper model and its commonest problems."""
    text = f"{helper.asked:,} asked, {helper.paid:,} paid"
    text += f", {helper.stored:,} stored" if helper.stored else ""
    text += f", {helper.failed:,} failed"
    text += f", {helper.unusable:,} unusable (the next run asks again)" if helper.unusable else ""
    reasons = Counter(helper.reasons).most_common()
    why = ", ".join(f"{count:,} x {line(reason)}" for reason, count in reasons[:REASONS])
    return text + (f": {why}" if why else "") + (", ..." if len(reasons) > REASONS else "")


def queries_text(queries: Queries) -> str:
    """Return the numbers of questions as text, with the time of the oldest stored answer."""
    text = f"{queries.logical:,} logical, {queries.paid:,} paid, {queries.errors:,} errors, {queries.stored:,} stored"
    text += f" (oldest answer {line(queries.oldest)})" if queries.oldest else ""
    return text + (f", {queries.retries:,} retries" if queries.retries else "")


def spent_text(run: RunRecord) -> str:
    """Return the number of tokens used and the cost as text, or "" if neither is known."""
    tokens = run.tokens
    if not (tokens.prompt or tokens.completion or run.money):
        return ""
    costs = "".join(f"; {amount:,.4f} {line(currency)}" for currency, amount in run.money.items())
    return f"{tokens.prompt:,} prompt, {tokens.completion:,} completion{costs}"


def rate_text(row: SummaryRow) -> str:
    """Return a row's rate as text. If it is based on only some of the verdicts, their number follows."""
    is_partial = row.estimate == "even" and row.rate is not None and row.estimated
    return percent(row.rate) + (f" of {row.estimated:,}" if is_partial else "")


def doubt_text(row: SummaryRow) -> str:
    """Return the reason why a row's rate is not conclusive, or "" if it is."""
    if not row.judged:
        return "nothing judged"
    if row.too_few:
        return "too few for a conclusion"
    return "within noise" if row.within_noise else ""


def remarks_text(row: SummaryRow) -> str:
    """Return how many of a row's verdicts do not count towards its rate, and why.

    A note is added if repeated answers differ.
    """
    otherwise_invalid = max(row.otherwise_invalid - row.unchanged, 0)  # unchanged inputs are INVALID, too
    counts = (
        (row.flaky, "FLAKY", "FLAKY"),
        (row.undecided, "undecided", "undecided"),
        (row.unchanged, "edit changed nothing", "edits changed nothing"),
        (otherwise_invalid, "invalid", "otherwise invalid" if row.unchanged else "invalid"),
        (row.error, "error", "errors"),
    )
    remarks = [f"{number(count)} {name if count == 1 else plural}" for count, name, plural in counts if count]
    remarks += [f"different answers when asked more often (p {row.shift_p:.4f})"] if row.shifted else []
    return ", ".join(remarks)


def rate_notes(rows: Sequence[SummaryRow]) -> list[str]:
    """Return notes on the rates of one system and task: how they were obtained, and the noise floor."""
    notes = []
    judged = sum(row.judged for row in rows)
    if any(row.estimate == "none" for row in rows):
        notes.append("search, not estimate: it looks for failures, so there are findings but no rates")
    elif any(row.estimate == "even" for row in rows):
        estimated = sum(row.estimated or 0 for row in rows)
        notes.append(
            f"rates are estimates from the even share of the search: {estimated:,} of {judged:,} verdicts; "
            "the others come from the search for failures, and count as findings"
        )
    too_few = [row for row in rows if row.too_few]
    if too_few:
        findings = counted(sum(row.findings for row in too_few), "finding")
        whose, verb = ("its", "fails") if len(too_few) == 1 else ("their", "fail")
        notes.append(
            f"too few questions were asked to estimate how often {_named(too_few)} {verb}: "
            f"judge by {whose} {findings}, or ask more"
        )
    violated = [row for row in rows if row.violated and row.noise_floor]
    if violated:
        within_noise = [row for row in violated if row.within_noise]
        rates = "rate" if len(within_noise) == 1 else "rates"
        explains = (
            f"may explain the {rates} of {_named(within_noise)}" if within_noise else "explains none of these rates"
        )
        floor = percent(violated[0].noise_floor)  # it is the same for all rows of a system and task
        notes.append(
            f"asked the same question twice, the system answers differently in {floor} of cases: that alone {explains}"
        )
    return notes


def draws_notes(report: Report) -> list[str]:
    """Return notes on repeated answers: how much they vary, and which relations shift their distribution."""
    notes = []
    for means in report.distributions:
        rows = [row for row in report.summary if (row.system, row.task) == (means.system, means.task)]
        tested = [row for row in rows if row.shift_p is not None]
        shifted = sorted((row for row in tested if row.shifted), key=lambda row: (row.shift_p or 0.0, row.relation))
        where = f"{line(means.system)} on {line(means.task)}"
        all_equal = f"pass^{len(means.pass_k)} {means.pass_k[-1]:.2f}, " if means.pass_k else ""
        text = f"{where}, {means.draws} draws of {counted(means.sources, 'question')}: "
        text += f"{all_equal}entropy {means.entropy:.2f}"
        if shifted:
            names = ", ".join(f"{line(row.relation)} (p {_probability(row.shift_p or 0.0)})" for row in shifted)
            text += f"; answers change under {names}"
        elif tested:
            text += f"; under none of {counted(len(tested), 'relation')} do the answers change"
        notes.append(text)
    return notes


def _probability(p: float) -> str:
    return f"{p:.4f}" if p < 0.001 else f"{p:.3f}"


def _named(rows: Sequence[SummaryRow]) -> str:
    """Return the names of the first few relations, followed by how many others there are."""
    names = [line(row.relation) for row in rows]
    if len(names) > NAMED + 1:  # one more name is as short as "1 others"
        names = [*names[:NAMED], f"{len(names) - NAMED} others"]
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def out_of_ten(row: SummaryRow) -> str:
    """Return how many of ten findings are expected to be real, or "" if this was not measured.

    >>> row = dict(system="s", task="qa", relation="r", satisfied=5, violated=5, invalid=0, error=0)
    >>> out_of_ten(SummaryRow(**row, expected_precision=0.84)), out_of_ten(SummaryRow(**row))
    ('8 of 10', '')
    """
    return "" if row.expected_precision is None else f"{row.expected_precision * 10:.0f} of 10"


def expectation(row: SummaryRow) -> str:
    """Return a sentence on how many findings are expected to be real, with the evidence for this.

    Return "" if there are no findings.
    """
    if not row.violated:
        return ""
    evidence = [
        f"{reading.sound:,} of {reading.read:,} follow-ups that {who} read are sound"
        for who, reading in (("language models", row.soundness), ("people", row.people))
        if reading
    ]
    if row.false_alarm is not None:
        false_alarm = percent(row.false_alarm)
        evidence.append(f"on this system the judge calls {false_alarm} of mere rewordings different answers")
    elif row.judge_precision is not None and row.judge_precision < 1:
        evidence.append(f"the judge is right in {percent(row.judge_precision)} of such cases")
    in_brackets = f" ({'; '.join(evidence)})" if evidence else ""
    if row.expected_precision is not None:
        return f"about {out_of_ten(row)} findings of this relation are real{in_brackets}"
    missing = "its follow-ups were not read" if row.soundness is None else "its judge was not measured"
    language = "" if row.language == "en" else f" in {language_name(row.language)}"
    return f"the share of real findings of this relation is unknown: {missing}{language}{in_brackets}"


def real_cell(row: SummaryRow, labelled: FalsePositives | None) -> tuple[str, float, str]:
    """Return how many findings are real, their share (-1 if unknown), and the evidence for these figures.

    They come from people's labels (`labelled`), if there are any, and are otherwise an estimate.
    """
    if labelled is not None:
        why = f"{number(labelled.real)} of {number(labelled.judged)} labelled findings are real bugs"
        return f"{labelled.real}/{labelled.judged}", labelled.real / labelled.judged, why
    share = -1.0 if row.expected_precision is None else row.expected_precision
    return out_of_ten(row) if row.violated else "", share, line(expectation(row))


def sound_cell(row: SummaryRow) -> tuple[str, float]:
    """Return the text on sound follow-ups, and the share of sound ones for sorting, or -1 if none were read."""
    first_reading = row.soundness or row.people
    return soundness_text(row), first_reading.share if first_reading else -1.0
