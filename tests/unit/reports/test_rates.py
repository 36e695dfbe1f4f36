"""What every form of a report says of rates: estimates or not, above the noise floor or not, the worst first."""

from __future__ import annotations

import io
import re
from typing import Any

from mutatis.records.report import SummaryRow
from mutatis.reports import terminal
from mutatis.reports.markdown import render_markdown
from mutatis.reports.overview import blocks, result_lines
from mutatis.reports.rates import folded, rate_notes, rate_text


def row(**more: Any) -> SummaryRow:
    counts = {"satisfied": 90, "violated": 10, "invalid": 0, "error": 0, "rate": 0.1, "interval": (0.05, 0.18)}
    return SummaryRow(system="bot", task="sentiment", relation="leet", **{**counts, **more})


def test_a_plain_run_needs_no_note_and_a_measured_floor_is_compared():
    assert rate_notes([row()]) == []
    rows = [row(noise_floor=0.02, above_noise=above) for above in (True, False, True)]
    assert rate_notes(rows) == [
        "asked the same question twice, the system answers differently in 2.0 % of cases: "
        "that alone may explain the rate of leet"
    ]
    [told] = rate_notes([rows[0], row(noise_floor=0.02, violated=0)])
    assert told.endswith("2.0 % of cases: that alone explains none of these rates")


def test_a_system_that_never_varied_is_not_called_noisy_where_questions_are_few():
    few = row(noise_floor=0.0, above_noise=False, distinct=7)
    assert rate_notes([few, row(violated=0, noise_floor=0.0, above_noise=False)]) == [
        "too few questions were asked to estimate how often leet fails: judge by its 7 findings, or ask more"
    ]
    assert not row(noise_floor=0.01, above_noise=False).too_few
    assert not row(noise_floor=0.0, above_noise=True).too_few


def test_rates_of_a_search_say_where_they_come_from():
    even = [row(estimate="even", estimated=25), row(estimate="even", estimated=None)]
    assert rate_notes(even)[0].startswith("rates are estimates from the even share of the search: 25 of 200 verdicts;")
    assert rate_notes([row(estimate="none", rate=None, interval=None)])[0].startswith("search, not estimate")


def test_a_rate_of_an_even_share_tells_of_how_many_and_is_not_within_noise_for_violations_elsewhere():
    assert rate_text(row()) == "10.0 %"
    assert rate_text(row(estimate="even", estimated=1, rate=0.0)) == "0 % of 1"
    assert rate_text(row(estimate="even", estimated=0, rate=None, interval=None)) == "-"
    compared = {"noise_floor": 0.0, "above_noise": False}
    assert row(**compared).within_noise
    assert row(estimate="even", estimated=40, **compared).within_noise
    assert not row(estimate="even", estimated=1, rate=0.0, **compared).within_noise


def counted(relation: str, violated: int, satisfied: int, error: int = 0) -> SummaryRow:
    judged = violated + satisfied
    rates: dict[str, Any] = {}
    if judged:
        low = {(3, 0): 0.29, (50, 50): 0.4, (0, 90): 0.0}[violated, satisfied]
        rates = {"rate": violated / judged, "interval": (low, 1.0)}
    counts = {
        "distinct": violated,
        "satisfied": satisfied,
        "violated": violated,
        "invalid": 0,
        "error": error,
        "rate": None,
        "interval": None,
    }
    return SummaryRow(system="bot", task="sentiment", relation=relation, **{**counts, **rates})


def test_the_worst_stands_first_in_every_form_and_what_could_not_be_judged_last(builder):
    rows = [counted("never", 0, 0, error=9), counted("kept", 0, 90), counted("three", 3, 0), counted("half", 50, 50)]
    report = builder.typed(builder.sample()).model_copy(update={"summary": rows, "findings": []})
    out = io.StringIO()
    terminal.print_summary(report, terminal.console(width=120, file=out))
    [table] = blocks(rows)[0].tables
    [(_, lines)], [(_, folded)] = table.groups, table.folded
    told = [
        out.getvalue(),
        render_markdown(report).partition("| relation |")[2].partition("### ")[0],
        " ".join(told.relation for told in (*lines, *folded)),
    ]
    for text in told:
        assert re.findall(r"\b(never|kept|three|half)\b", text)[:4] == ["half", "three", "kept", "never"]


def test_a_system_of_which_nothing_was_judged_is_one_line_on_the_terminal(builder):
    rows = [counted("never", 0, 0, error=9), counted("neither", 0, 0, error=2)]
    out = io.StringIO()
    report = builder.typed(builder.sample()).model_copy(update={"summary": rows, "findings": []})
    terminal.print_summary(report, terminal.console(width=120, file=out))
    assert (
        out.getvalue().strip() == "bot on sentiment: nothing could be judged: 11 error verdicts (100 % of those asked)"
    )


def test_the_results_of_a_run_that_judged_nothing_count_no_violations(builder):
    report = builder.typed(builder.sample())
    assert result_lines(report.model_copy(update={"summary": [counted("never", 0, 0, error=9)]})) == [
        "bot gave no answer that could be judged.",
        "not judged: 9 error verdicts (100 % of those asked)",
    ]
    assert result_lines(report.model_copy(update={"summary": []})) == []
    [reader, bot, unjudged] = result_lines(report)
    assert reader.startswith("builtin:reader contradicts itself in 90 of 580 verdicts (15.5 %): ")
    assert "most under" in bot
    assert unjudged.startswith("not judged: ")


def test_relations_that_said_nothing_are_one_line_however_many_they_are() -> None:
    def nothing_violated(name: str, kept: int) -> SummaryRow:
        counts = {"satisfied": kept, "violated": 0, "invalid": 3 - kept, "error": 0}
        return SummaryRow(system="bot", task="sentiment", relation=name, **counts)

    rows = [
        *(nothing_violated(f"relation-{number:02}", 0) for number in range(27)),
        *(nothing_violated(f"kept-{n}", 3) for n in range(18)),
    ]
    kept, silent = folded(rows, len(rows))
    assert kept.startswith("no findings under 18 relations")
    assert silent.startswith("27 of 45 relations had no verdict on these inputs (")
    assert silent.endswith(": relation-00, relation-01, relation-02 and 24 more")
