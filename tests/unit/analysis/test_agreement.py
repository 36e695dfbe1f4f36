from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mutatis.analysis.agreement import ReadRow, agreement, context_tags, detections, reading_counts
from mutatis.core.errors import UsageError


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


def test_a_detection_is_false_only_if_both_raters_give_six_or_more():
    first = [0, 6, 6, 10, 5.9, 2]
    second = [0, 6, 5, 6, 10, 9]
    counts = detections(first, second)
    assert (counts.positives, counts.false_positives) == (6, 2)
    assert counts.ppd == pytest.approx(4 / 6)
    assert counts.raters.table == (1, 1, 2, 2)
    assert counts.mean_scores == (pytest.approx(29.9 / 6), 6.0)


def test_context_tags_are_compared_where_both_raters_agree():
    tags = [True, True, False, False, True]
    first = [True, False, False, True, True]
    second = [True, False, False, True, False]
    counts = context_tags(tags, first, second)
    assert (counts.items, counts.agreed) == (5, 4)
    assert counts.raters == agreement(first, second)
    assert counts.raters.table == (2, 1, 0, 2)
    assert (counts.tags.precision, counts.tags.recall) == (0.5, 0.5)
    assert counts.tags.agreement == 0.5


def test_bad_labels_are_refused():
    with pytest.raises(UsageError, match="out of range"):
        detections([11], [0])
    with pytest.raises(UsageError, match="the same number"):
        agreement([True], [True, False])
    with pytest.raises(UsageError, match="at least one"):
        agreement([], [])


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=50))
def test_agreement_is_symmetric_and_within_bounds(pairs):
    first, other = [a for a, _ in pairs], [b for _, b in pairs]
    here, there = agreement(first, other), agreement(other, first)
    assert here.kappa == pytest.approx(there.kappa) if here.kappa is not None else there.kappa is None
    assert sum(here.table) == here.items == len(pairs)
    assert here.kappa is None or -1 <= here.kappa <= here.agreement + 1e-9


def test_what_does_not_fit_together_is_told_with_both_numbers():
    with pytest.raises(UsageError, match=r"^got 1 tags for 2 labelled items; expected one tag for each item$"):
        context_tags([True], [True, False], [True, False])
    with pytest.raises(
        UsageError, match=r"^the first rater gave 1 labels and the second 2; expected the same number, at least one$"
    ):
        agreement([True], [True, False])
    with pytest.raises(UsageError, match=r"^score 10\.5 is out of range; expected a score from 0 to 10$"):
        detections([3], [10.5])
    assert detections([0, 10], [10, 0]).positives == 2  # the ends of the scale are on it


def test_tags_that_nobody_agreed_on_have_no_precision():
    counts = context_tags([True, False], [True, False], [False, True])
    assert (counts.agreed, counts.tags) == (0, None)
    none_altered = context_tags([False, True], [False, False], [False, False])
    assert (none_altered.tags.precision, none_altered.tags.recall) == (0.0, None)
    assert none_altered.tags.table == (1, 1, 0, 0)


def test_the_interval_of_ppd_is_the_exact_one_of_the_right_detections():
    counts = detections([6] * 2 + [0] * 8, [6] * 2 + [0] * 8)
    assert (counts.ppd, counts.interval) == (0.8, (pytest.approx(0.4439, abs=5e-5), pytest.approx(0.9748, abs=5e-5)))


def test_readings_are_counted_per_row():
    rows = {"a": ("leet", "t", "x"), "b": ("leet", "t", "x"), "c": ("leet", "t", "x"), "d": ("case", "t", "x")}
    first = {"a": True, "b": True, "c": False, "d": True}
    counts = reading_counts(rows, first, {"a": True, "b": False})
    # b is unsound, for one of its two readers says so; c has one reader.
    assert list(counts) == [("case", "t", "x"), ("leet", "t", "x")]
    assert counts["leet", "t", "x"] == ReadRow(read=3, sound=1, both=2, agreed=1)
    assert counts["case", "t", "x"] == ReadRow(read=1, sound=1, both=0, agreed=0)
