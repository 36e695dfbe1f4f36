from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import matthews_corrcoef

from mutatis.core.errors import UsageError
from mutatis.recipes.content_quality import (
    Point,
    accuracy,
    family_record,
    matthews,
    non_violation_region,
)


def point(value, violated=0, satisfied=100, **extra):
    return Point(value=value, violated=violated, satisfied=satisfied, **extra)


def test_relabelling_rate_counts_all_items():
    # MR2.1 touches 301 of 1,655 rows: 11 changed labels are 0.66 % of all and 3.65 % of the changed ones, 5.5 times.
    record = point(0.1, 11, 290, unchanged=1354).to_record()
    assert record["rr"] == pytest.approx(11 / 1655)
    assert record["rate"] / record["rr"] == pytest.approx(1655 / 301)


def test_accuracy_and_binary_mcc_by_hand():
    expected = ["p"] * 6 + ["n"] * 4
    given_ = ["p"] * 5 + ["n"] + ["n"] * 3 + ["p"]  # TP 5, FN 1, TN 3, FP 1
    labels = list(zip(expected, given_, strict=True))
    assert accuracy(labels) == 0.8
    assert matthews(labels) == pytest.approx((5 * 3 - 1 * 1) / math.sqrt(6 * 6 * 4 * 4))  # 14/24


def test_mcc_of_a_constant_classifier_is_zero():
    assert matthews([("a", "a"), ("b", "a"), ("a", "a")]) == 0.0
    assert (accuracy([]), matthews([])) == (None, None)


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd")), min_size=2, max_size=40))
def test_mcc_of_many_classes_is_scikit_learns(pairs):
    expected, labels = [a for a, _ in pairs], [b for _, b in pairs]
    assume(len({*expected, *labels}) > 1)  # scikit-learn warns of a single label
    assert matthews(pairs) == pytest.approx(float(matthews_corrcoef(expected, labels)))


def test_region_ends_before_the_first_violation_even_if_later_values_are_clean():
    region = non_violation_region([point(1), point(2), point(3, 1, 99), point(4)], unchanged_at=0)
    assert (region["low"], region["high"], region["values"], region["first_violating"]) == (0, 2, [1, 2], 3)
    assert (region["items"], region["verdicts"]) == (100, 200)
    assert region["bound"] == pytest.approx(1 - 0.05 ** (1 / 100))


def test_region_may_lie_below_the_unchanged_at():
    region = non_violation_region([point(0.5, 2, 98), point(0.8)], unchanged_at=1.0)
    assert (region["low"], region["high"]) == (0.8, 1.0)


def test_vacuous_and_unchanged_items_are_no_evidence():
    vacuous = Point(value=1, violated=0, satisfied=50, vacuous=50)
    untouched = Point(value=2, violated=0, satisfied=0, unchanged=50)
    assert non_violation_region([vacuous, untouched], unchanged_at=0) is None
    region = non_violation_region([vacuous, Point(value=3, violated=0, satisfied=20, vacuous=5)], unchanged_at=0)
    assert (region["high"], region["items"]) == (3, 15)


def test_no_region_where_the_nearest_value_is_violated():
    assert non_violation_region([point(1, 1)], unchanged_at=0) is None
    assert non_violation_region([], unchanged_at=0) is None


def test_values_on_both_sides_have_no_region():
    with pytest.raises(UsageError, match="some values are below and some above"):
        non_violation_region([point(-1), point(1)], unchanged_at=0)


@given(st.lists(st.booleans(), min_size=1, max_size=12), st.randoms(use_true_random=False))
def test_region_is_the_clean_prefix_in_any_order(dirty, random):
    points = [point(value, int(bad)) for value, bad in enumerate(dirty, start=1)]
    random.shuffle(points)
    region = non_violation_region(points, unchanged_at=0)
    clean = dirty.index(True) if True in dirty else len(dirty)
    assert (region["high"] if region else 0) == clean


def test_records_field_by_field():
    interval = [0.00316, 0.526510]
    full = Point(value=3, violated=1, satisfied=7, unchanged=2, vacuous=4, interval=interval, acc=0.5, mcc=0.25)
    assert full.to_record() == {
        "value": 3, "violated": 1, "satisfied": 7, "unchanged": 2, "vacuous": 4, "rate": 0.125,
        "interval": interval, "rr": 0.1, "acc": 0.5, "mcc": 0.25, "partial": False,
    }  # fmt: skip
    partial = Point(value=3, violated=1, satisfied=7, interval=interval, partial=True).to_record()
    assert (partial["rate"], partial["interval"], partial["rr"], partial["partial"]) == (None, None, None, True)
    nothing = Point(value=3, violated=0, satisfied=0).to_record()
    assert (nothing["rate"], nothing["interval"], nothing["rr"]) == (None, None, None)
    region = non_violation_region([point(1, satisfied=30), point(2, satisfied=20), point(4, 1)], unchanged_at=0)
    assert region == {
        "low": 0, "high": 2, "values": [1, 2], "items": 20, "verdicts": 50,
        "bound": pytest.approx(1 - 0.05 ** (1 / 20)), "first_violating": 4,
    }  # fmt: skip
    record = family_record("duplication", "copies", {"bot": [point(1, 1)]}, unchanged_at=0, task="classification")
    assert {name: record[name] for name in ("name", "task", "parameter", "unchanged_at")} == {
        "name": "duplication", "task": "classification", "parameter": "copies", "unchanged_at": 0,
    }  # fmt: skip
    assert record["systems"]["bot"]["region"] is None


def test_a_value_that_is_the_identity_belongs_to_either_side_and_is_no_evidence():
    assert non_violation_region([point(-1), point(0)], unchanged_at=0)["values"] == [-1]
    assert non_violation_region([point(0), point(1)], unchanged_at=0)["values"] == [1]
    assert non_violation_region([point(0)], unchanged_at=0) is None


def test_family_record_is_sorted_and_complete():
    record = family_record(
        "duplication", "copies", {"bot": [point(2, 5, 95), point(1)]}, unchanged_at=0, task="classification"
    )
    series = record["systems"]["bot"]
    assert [entry["value"] for entry in series["points"]] == [1, 2]
    assert series["points"][1]["rate"] == 0.05
    assert series["region"]["high"] == 1
