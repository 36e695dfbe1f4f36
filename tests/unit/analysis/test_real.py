"""How many findings are expected to be real: worked out by hand."""

from __future__ import annotations

import pytest

from mutatis.analysis.real import Confirmed, Noise, Trust, expected_real

CERTAIN = Trust(precision=1.0)


def test_without_repeats_in_other_words_the_judge_is_right_about_its_share() -> None:
    # 5 of 100 follow-ups are unsound and count as findings that are none; of the other 15 violations 0.8 are.
    assert expected_real(0.2, 0.95, Trust(precision=0.8)) == pytest.approx(0.6)
    same_again = Noise(pairs=100)  # nobody can tell a false alarm from one text
    assert expected_real(0.2, 0.95, Trust(precision=0.8), noise=same_again) == pytest.approx(0.6)


def test_a_measured_rate_of_false_alarms_takes_the_place_of_the_share() -> None:
    judge = Trust(precision=0.8, false_alarm=0.01)
    # Of 100 pairs 20 violate and one would by chance: 20 = 1 + 0.99 f, f = 19.19.
    assert expected_real(0.2, 1.0, judge) == pytest.approx(19.1919 / 20, abs=1e-4)
    # Where half of the pairs are of one text, only half as many can be false alarms.
    assert expected_real(0.2, 1.0, judge, reworded=0.5) == pytest.approx((20 - 0.5) / 0.995 / 20, abs=1e-4)
    # One finding in a hundred is no more than chance.
    assert expected_real(0.01, 1.0, judge) == 0.0


def test_it_is_never_higher_than_the_noise_allows() -> None:
    noise = Noise(pairs=100, reworded=50, differing=10)
    # 10 % differ by asking again: 20 = 10 + 0.9 f.
    assert expected_real(0.2, 1.0, CERTAIN, noise=noise, reworded=0.5) <= (20 - 10) / 0.9 / 20 + 1e-9
    assert expected_real(0.1, 1.0, CERTAIN, noise=noise) == 0.0
    few = Noise(pairs=10, reworded=5, differing=5)  # too few to measure the judge by, but seen all the same
    assert expected_real(0.6, 1.0, CERTAIN, noise=few) == pytest.approx((0.6 - 0.5) / 0.5 / 0.6)


def test_follow_ups_that_readers_refuse_count_as_far_as_systems_answer_them_otherwise() -> None:
    assert expected_real(0.2, 0.9, CERTAIN) == pytest.approx(0.5)
    assert expected_real(0.2, 0.9, Trust(precision=1.0, unsound=0.4)) == pytest.approx(0.8)
    assert expected_real(0.05, 0.9, CERTAIN) == 0.0


def test_what_held_is_likelier_to_be_real() -> None:
    noise = Noise(pairs=100, reworded=100, differing=20)
    # 36 of 100 violate: 20 by chance, 36 = 20 + 0.8 f, so f = 20 are real and 16 by chance, of which a fifth holds.
    once = expected_real(0.36, 1.0, CERTAIN, noise=noise)
    assert once == pytest.approx(20 / 36)
    every = Confirmed(distinct=36, held=23, flaky=13)
    assert expected_real(0.36, 1.0, CERTAIN, noise=noise, findings=every) == pytest.approx(20 / (20 + 3.2))
    # The findings that were not asked again are as likely as before.
    half = Confirmed(distinct=36, held=10, flaky=8)
    assert expected_real(0.36, 1.0, CERTAIN, noise=noise, findings=half) == pytest.approx(
        (10 * 20 / 23.2 + 18 * 20 / 36) / 28
    )

    # A system that says the same text again tells nothing by it.
    fixed = Noise(pairs=100)
    judge = Trust(precision=0.9)
    assert expected_real(0.36, 1.0, judge, noise=fixed, findings=every) == pytest.approx(0.9)


def test_nothing_is_real_if_repeats_differ_more_often_than_follow_ups() -> None:
    # One finding recurred, although every repeat was reworded and the judge is taken to be right about each of them.
    held = Confirmed(distinct=3, held=1, flaky=1)
    assert expected_real(0.3, 1.0, CERTAIN, noise=Noise(pairs=10, reworded=10, differing=5), findings=held) == 0.0
