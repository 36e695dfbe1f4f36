from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mutatis.analysis.agreement import ReadRow, agreement_in, reading_counts
from mutatis.cli.sheet import _bug_lines, _context_lines
from mutatis.reports.sheets import LabelPair, tagged


def agreement(first, second):
    return agreement_in(Counter(zip(first, second, strict=True)))


def test_kappa_by_hand():
    # 20 both yes, 5 only the first, 10 only the second, 15 both no: observed 0.7, by chance 0.5, kappa 0.4.
    first = [True] * 25 + [False] * 25
    second = [True] * 20 + [False] * 5 + [True] * 10 + [False] * 15
    counts = agreement(first, second)
    assert counts.table == (15, 5, 10, 20)
    assert counts.agreement == pytest.approx(0.7)
    assert counts.kappa == pytest.approx(0.4)


def test_published_context_table():
    """MORTAR v1: 293 / 10 / 9 / 14 gives kappa 0.56 (the text says 0.6)."""
    first = [False] * 293 + [True] * 10 + [False] * 9 + [True] * 14
    second = [False] * 303 + [True] * 23
    assert agreement(first, second).kappa == pytest.approx(0.56, abs=0.005)


def test_kappa_is_undefined_when_only_one_label_was_given():
    assert agreement([True] * 3, [True] * 3).kappa is None
    assert agreement([True] * 2, [False] * 2).kappa == 0.0


def pairs_of(first, second):
    return [LabelPair(f"i{place}", *scores) for place, scores in enumerate(zip(first, second, strict=True))]


def test_a_detection_is_false_only_if_both_raters_give_six_or_more():
    lines = _bug_lines(pairs_of([0, 6, 6, 10, 5.9, 2], [0, 6, 5, 6, 10, 9]))
    assert lines[:2] == ["items: 6", "false positives: 2 (both raters give 6 or more)"]
    assert lines[2].startswith("PPD: 66.7 % (")
    assert lines[3] == "mean score: 4.98 and 6.00"
    assert lines[-1] == "  both yes 2, only first 1, only second 2, both no 1"


def tag_lines(tags, first, second):
    names = [tagged(f"i{place}", "altered" if tag else "equivalent") for place, tag in enumerate(tags)]
    return _context_lines([LabelPair(*row) for row in zip(names, first, second, strict=True)])


def test_context_tags_are_compared_where_both_raters_agree():
    lines = tag_lines([True, True, False, False, True], [1, 0, 0, 1, 1], [1, 0, 0, 1, 0])
    assert lines[0] == "items: 5, of them 0 the check left undecided"
    assert lines[2] == "  both yes 2, only first 1, only second 0, both no 2"
    assert lines[3] == "both raters agree on 4 items; there the check compares so:"
    assert lines[4].startswith("check: agreement 50.0 %")
    assert lines[-1] == "altered: precision 50.0 %, recall 50.0 %"


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=50))
def test_agreement_is_symmetric_and_within_bounds(pairs):
    first, other = [a for a, _ in pairs], [b for _, b in pairs]
    here, there = agreement(first, other), agreement(other, first)
    assert here.kappa == pytest.approx(there.kappa) if here.kappa is not None else there.kappa is None
    assert sum(here.table) == here.items == len(pairs)
    assert here.kappa is None or -1 <= here.kappa <= here.agreement + 1e-9


def test_tags_that_nobody_agreed_on_have_no_precision():
    assert not any("precision" in text for text in tag_lines([True, False], [1, 0], [0, 1]))
    none_altered = tag_lines([False, True], [0, 0], [0, 0])
    assert none_altered[-2:] == [
        "  both yes 0, only first 1, only second 0, both no 1",
        "altered: precision 0 %, recall -",
    ]


def test_the_interval_of_ppd_is_the_exact_one_of_the_right_detections():
    assert "PPD: 80.0 % (44.4-97.5 %)" in _bug_lines(pairs_of([6] * 2 + [0] * 8, [6] * 2 + [0] * 8))


def test_readings_are_counted_per_row():
    rows = {"a": ("leet", "t", "x"), "b": ("leet", "t", "x"), "c": ("leet", "t", "x"), "d": ("case", "t", "x")}
    first = {"a": True, "b": True, "c": False, "d": True}
    counts = reading_counts(rows, first, {"a": True, "b": False, "c": False})
    # b is unsound, for one of its two readers says so; d has one reader.
    assert list(counts) == [("case", "t", "x"), ("leet", "t", "x")]
    assert counts["leet", "t", "x"] == ReadRow(read=3, sound=1, both=3, agreed=2)
    assert counts["case", "t", "x"] == ReadRow(read=1, sound=1, both=0, agreed=0)
