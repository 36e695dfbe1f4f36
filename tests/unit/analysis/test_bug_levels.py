"""MORTAR's metrics as pure functions: the numbers of the papers come out of the papers' own counts."""

from __future__ import annotations

import pytest

from mutatis.analysis.bug_levels import (
    Bug,
    Reference,
    case_figures,
    contribution,
    is_critical,
    levels,
    mean,
    uniqueness,
    variation,
)


def bug(
    question: tuple[str, int], relation: str = "mr1", score: float = 0.3, cases: str = "c", names: str = "DRS"
) -> Bug:
    return Bug(
        relation=relation,
        question=question,
        perturbations=frozenset(names.split()),
        test_cases=frozenset(cases.split()),
        score=score,
    )


def test_variation_is_the_sample_deviation_of_the_papers_table() -> None:
    # Table IV, MORTAR: L1, L2 -> CV.
    for first, second, cv in [
        (6_819, 5_756, 0.120),
        (27_723, 4_219, 1.041),
        (10_355, 6_664, 0.307),
        (2_555, 1_573, 0.336),
    ]:
        assert round(variation([first, second]) or 0, 3) == cv
    # The text speaks of three types; the table does not use the third.
    # By hand: the mean is 4,268.33, the deviation 3,537.46.
    assert round(variation([6_819, 5_756, 230]) or 0, 3) == 0.829
    assert variation([5]) is None
    assert variation([]) is None
    assert variation([0, 0]) is None


def test_case_figures() -> None:
    bugs = [bug(("d", 0), cases="c0 c1"), bug(("d", 1), cases="c1")]
    assert case_figures(bugs, 4, 8) == {"rate": 0.25, "retc": 0.5, "bptc": 0.5}
    # Three bugs that two of the four test cases reveal: the share of test cases is not the bugs per test case.
    assert case_figures([*bugs, bug(("d", 2), cases="c1")], 4, 8) == {"rate": 0.375, "retc": 0.5, "bptc": 0.75}
    assert case_figures([], 0, 0) == {"rate": None, "retc": None, "bptc": None}
    # DS1: 31,942 bugs of 2,015 test cases and 36,908 detections.
    figures = case_figures([bug(("d", 0))] * 31_942, 2_015, 36_908)
    assert round(figures["bptc"] or 0, 3) == 15.852
    assert round(figures["rate"] or 0, 3) == 0.865


def test_levels_need_a_reference() -> None:
    assert levels([bug(("d", 0))], Reference()) is None
    known = Reference(wrong={("effective", 0)}, right={("effective", 1), ("ineffective", 0)})
    bugs = [bug(("effective", 0)), bug(("effective", 1)), bug(("ineffective", 0)), bug(("elsewhere", 0))]
    assert levels(bugs, known) == {"l1": 1, "l2": 1, "l3": 1, "unlevelled": 1}


def test_a_bug_counts_once_for_each_perturbation_of_its_worst_pair() -> None:
    known = Reference(right={("d", 0)})
    bugs = [bug(("d", 0), names="DRS"), bug(("d", 0), relation="mr3", names="DRS DSD", score=0.01)]
    split = contribution(bugs, known, ["DRS", "DRR", "DSD"], ["mr1", "mr3", "mr4"])
    assert {name: row["bugs"] for name, row in split["per_perturbation"].items()} == {"DRS": 2, "DRR": 0, "DSD": 1}
    assert {name: row["share"] for name, row in split["per_relation"].items()} == {"mr1": 0.5, "mr3": 0.5, "mr4": 0.0}
    assert split["per_perturbation"]["DSD"]["critical"] == 1
    assert is_critical(bugs[1])
    assert not is_critical(bugs[0])


def test_a_row_of_a_contribution_field_by_field() -> None:
    known = Reference(wrong={("d", 0)}, right={("d", 1)})
    bugs = [bug(("d", 0), score=0.05), bug(("d", 1), score=0.0), bug(("d", 2), relation="mr9", names="", score=0.2)]
    split = contribution([*bugs, bug(("d", 0), score=None)], known, ["DRS"], ["mr1"])  # type: ignore[arg-type]
    assert split == {
        "per_perturbation": {
            "DRS": {
                "bugs": 3,
                "share": 0.75,
                "levels": {"l1": 2, "l2": 1, "l3": 0, "unlevelled": 0},
                "mean_score_of_bugs": 0.025,
                "critical": 1,  # 0.05 itself is not below 0.05
            }
        },
        "per_relation": {
            "mr1": {
                "bugs": 3,
                "share": 0.75,
                "levels": {"l1": 2, "l2": 1, "l3": 0, "unlevelled": 0},
                "mean_score_of_bugs": 0.025,
                "critical": 1,
            },
            "mr9": {
                "bugs": 1,
                "share": 0.25,
                "levels": {"l1": 0, "l2": 0, "l3": 0, "unlevelled": 1},
                "mean_score_of_bugs": 0.2,
                "critical": 0,
            },
        },
    }


def test_means_and_shares_are_rounded_to_six_places() -> None:
    assert mean([0.0, 0.0, 1.0]) == 0.333333
    assert mean([]) is None
    assert case_figures([bug(("d", 0))] * 2, 3, 7) == {"rate": 0.285714, "retc": 0.333333, "bptc": 0.666667}
    assert variation([1, 2, 4]) == 0.654654  # the mean is 7 / 3, the sample variance 7 / 3


# Tables IV and V of the later paper, METAL and then MORTAR: bugs at L1, L2, L3; shares unique there, and overall, in %.
BUGS_AND_UNIQUE = {
    "DS1": ((10_903, 1_749, 0), (20.5, 22.9, 0, 20.9), (27_723, 4_219, 0), (25.6, 29.5, 0, 26.1)),
    "DS2": ((8_103, 2_607, 0), (20.6, 27.6, 0, 22.3), (21_504, 6_295, 0), (30.0, 35.3, 0, 31.2)),
    "DS3": ((7_723, 2_000, 31), (20.2, 32.1, 35.5, 22.7), (19_083, 5_399, 152), (28.4, 47.9, 65.1, 32.9)),
    "DS4": ((7_463, 2_413, 0), (21.5, 38.0, 0, 25.5), (18_716, 4_203, 0), (30.9, 35.8, 0, 31.8)),
    "DS5": ((4_052, 2_490, 89), (22.9, 43.6, 53.9, 31.1), (10_355, 6_664, 245), (31.8, 57.4, 62.0, 42.1)),
    "DS6": ((2_555, 1_573, 71), (24.4, 49.8, 63.4, 34.6), (6_819, 5_756, 230), (36.5, 71.6, 77.0, 53.0)),
}


@pytest.mark.parametrize("method", [0, 1])
@pytest.mark.parametrize("system", BUGS_AND_UNIQUE)
def test_the_papers_shares_of_unique_bugs_are_shares_of_bugs(system: str, method: int) -> None:
    """So many bugs at each level, so large a share of them on questions of no other method: the overall share follows.

    All bugs of a level lie on two questions, one of which the other method finds, too: counted in questions it is half.
    """
    counts, published = BUGS_AND_UNIQUE[system][2 * method : 2 * method + 2]
    bugs, shared, known = [], [], Reference(wrong={("l1", 0), ("l1", 1), ("l2", 2)})
    for level, count, percent in zip(("l1", "l2", "l3"), counts, published, strict=False):
        alone, both = bug((level, 0)), bug((level, 1))
        unique = round(count * percent / 100)
        bugs += [alone] * unique + [both] * (count - unique)
        shared.append(both)
        (known.wrong if level == "l1" else known.right).update({(level, 0), (level, 1)})
    shares = uniqueness({"this": bugs, "other": shared}, known)["this"]
    assert shares["bugs"] == sum(counts)
    assert [shares[level]["bugs"] for level in ("l1", "l2", "l3")] == list(counts)
    assert 100 * shares["share"] == pytest.approx(published[3], abs=0.1)
    assert shares["share_of_questions"] == 0.5


def test_uniqueness_on_all_and_on_common_seeds() -> None:
    known = Reference(wrong={("a", 0)}, right={("a", 1), ("b", 0)})
    methods = {
        "one": [bug(("a", 0)), bug(("a", 0), relation="mr3"), bug(("a", 1)), bug(("b", 0)), bug(("b", 0))],
        "two": [bug(("a", 0)), bug(("c", 5))],
    }
    everywhere = uniqueness(methods, known)
    assert everywhere["one"] == {
        "bugs": 5, "unique": 3, "share": 0.6, "questions": 3, "unique_questions": 2, "share_of_questions": 0.666667,
        "l1": {
            "bugs": 2, "unique": 0, "share": 0.0,
            "questions": 1, "unique_questions": 0, "share_of_questions": 0.0,
        },
        "l2": {
            "bugs": 1, "unique": 1, "share": 1.0,
            "questions": 1, "unique_questions": 1, "share_of_questions": 1.0,
        },
        "l3": {
            "bugs": 2, "unique": 2, "share": 1.0,
            "questions": 1, "unique_questions": 1, "share_of_questions": 1.0,
        },
    }  # fmt: skip
    common = uniqueness(methods, known, {"a"})
    assert (common["one"]["bugs"], common["one"]["unique"]) == (3, 1)
    assert (common["two"]["bugs"], common["two"]["unique"], common["two"]["share"]) == (1, 0, 0.0)
    assert (common["two"]["l2"]["bugs"], common["two"]["l2"]["share"]) == (0, None)
    # ("c", 5) has no reference: at no level, and yet a bug that only one method reveals.
    assert (everywhere["two"]["bugs"], everywhere["two"]["unique"]) == (2, 1)
    assert sum(everywhere["two"][level]["bugs"] for level in ("l1", "l2", "l3")) == 1


def test_a_perturbation_that_nobody_listed_has_a_row_of_its_own() -> None:
    split = contribution([bug(("d", 0), names="DRS XYZ")], Reference(), ["DRS"], ["mr1"])
    assert {name: row["bugs"] for name, row in split["per_perturbation"].items()} == {"DRS": 1, "XYZ": 1}
