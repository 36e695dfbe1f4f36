"""What the terminal says of rates: estimates or not, above the noise floor or not."""

from __future__ import annotations

from typing import Any

from mutatis.records.report import SummaryRow
from mutatis.reports.rates import rate_notes, rate_text


def row(**more: Any) -> SummaryRow:
    counts = {"satisfied": 90, "violated": 10, "invalid": 0, "error": 0, "rate": 0.1, "interval": (0.05, 0.18)}
    return SummaryRow(system="bot", task="sentiment", relation="leet", **{**counts, **more})


def test_a_plain_run_needs_no_note_and_a_measured_floor_is_compared():
    assert rate_notes([row()]) == []
    rows = [row(noise_floor=0.02, above_noise=above) for above in (True, False, True)]
    assert rate_notes(rows) == ["2 of 3 rates lie above the noise floor (2.0 %) by more than chance explains"]


def test_a_system_that_never_varied_is_not_called_noisy_where_questions_are_few():
    few = row(noise_floor=0.0, above_noise=False)
    assert rate_notes([few, row(violated=0, noise_floor=0.0, above_noise=False)]) == [
        "0 of 2 rates lie above the noise floor (0 %) by more than chance explains; 1 with findings rest on too few "
        "questions to tell: go by what is confirmed"
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
