"""Edits of characters: how many, which, and how they nest."""

from itertools import pairwise
from random import Random

import pytest

from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.transformations import characters
from mutatis.transformations.lexicon import keyboard
from support.steps import lines

TEXT = "The committee met in Geneva twice, and nobody outside of it could say what the members had agreed upon."
SHARES = (0.0, 0.05, 0.1, 0.25, 0.5, 0.75, 1.0)
IN_PLACE = ("replace-characters", "leet", "keyboard-typos", "swap-characters")


def made(name: str, text: str = TEXT, seed: int = 3, **parameters: object) -> str:
    return str(TRANSFORMATIONS[name].apply(text, rng=Random(seed), **parameters))


def differing(first: str, second: str) -> dict[int, str]:
    assert len(first) == len(second)
    return {i: b for i, (a, b) in enumerate(zip(first, second, strict=True)) if a != b}


def is_subsequence(inner: str, outer: str) -> bool:
    left = iter(outer)
    return all(character in left for character in inner)


@pytest.mark.parametrize("name", IN_PLACE)
@pytest.mark.parametrize("seed", range(10))
def test_a_smaller_share_makes_some_of_the_same_edits(name: str, seed: int) -> None:
    edits = [differing(TEXT, made(name, seed=seed, share=share)) for share in SHARES]
    for smaller, larger in pairwise(edits):
        assert smaller.items() <= larger.items()


@pytest.mark.parametrize("seed", range(10))
def test_insertions_and_deletions_nest(seed: int) -> None:
    for name in ("add-characters", "add-spaces"):
        for smaller, larger in pairwise([made(name, seed=seed, share=share) for share in SHARES]):
            assert is_subsequence(smaller, larger)
    for smaller, larger in pairwise([made("delete-characters", seed=seed, share=share) for share in SHARES]):
        assert is_subsequence(larger, smaller)


def test_a_tenth_of_the_letters() -> None:
    # 83 letters: a tenth, rounded, is 8.
    assert sum(map(str.isalpha, TEXT)) == 83
    assert len(differing(TEXT, made("replace-characters"))) == 8
    assert len(differing(TEXT, made("swap-characters"))) == 16
    assert len(made("delete-characters")) == len(TEXT) - 8
    assert len(made("add-characters")) == len(TEXT) + 8
    assert made("add-spaces").count(" ") == TEXT.count(" ") + 8
    assert len(differing(TEXT, made("keyboard-typos"))) == 8


@pytest.mark.parametrize("name", ["replace-characters", "delete-characters", "add-characters", "add-spaces", "leet"])
def test_at_least_one_letter(name: str) -> None:
    assert made(name, "to") != "to"
    assert made(name, "to", share=0.01) != "to"
    assert made(name, "to", share=0.0) == "to"


def test_leet_writes_the_five_letters_and_samples_all() -> None:
    assert made("leet", "aeiot Aeiot bcd", share=1.0) == "43107 43107 bcd"
    assert made("leet", "xyz") == "xyz"
    # The sample is of all letters, so about a tenth of the convertible ones change, and one at least.
    assert made("leet", "bcdfghjklmnpqrsvwxyzbcdfghjklmnpqrsvwxyza", share=0.05).endswith("4")


def test_other_scripts_count_as_letters() -> None:
    assert made("delete-characters", "東京", share=1.0) == ""
    assert made("delete-characters", "Привет", share=0.5) != "Привет"
    assert made("replace-characters", "12 + 3 = 15") == "12 + 3 = 15"


def test_inner_letters_only() -> None:
    shuffled = made("shuffle-inside-words", share=1.0)
    for before, after in zip(TEXT.split(), shuffled.split(), strict=True):
        bare, new = before.strip(",."), after.strip(",.")
        assert (bare[0], bare[-1], sorted(bare)) == (new[0], new[-1], sorted(new))
        assert (bare == new) == (len(bare) < 4 or len(set(bare[1:-1])) == 1)


def test_keyboard_neighbours() -> None:
    assert set(keyboard()["g"]) == set("fhtyvb")
    assert set(keyboard()["q"]) == set("wa")
    assert set(keyboard()["P"]) == set("OL")
    for key, near in keyboard().items():
        assert all(key in keyboard()[other] for other in near)


def test_ocr_confuses_only_what_it_knows() -> None:
    assert made("ocr-noise", "東京 123", share=1.0) == "東京 123"
    assert all(key not in values for key, values in characters._OCR.items())


def test_upper_case_by_prefix_is_the_paper_s_family() -> None:
    text = "abcdefgh" * 5
    for share, letters in ((0.25, 10), (0.375, 15), (0.5, 20), (0.75, 30), (1.0, 40)):
        assert made("upper-case", text, share=share) == text[:letters].upper() + text[letters:]


@pytest.mark.parametrize("unit", ["prefix", "words", "characters"])
def test_upper_case_nests(unit: str) -> None:
    edits = [differing(TEXT, made("upper-case", share=share, unit=unit)) for share in SHARES]
    for smaller, larger in pairwise(edits):
        assert smaller.items() <= larger.items()
    assert made("upper-case", share=1.0, unit=unit) == TEXT.upper()


def test_upper_case_of_words_leaves_no_word_half_done() -> None:
    assert all(word.isupper() or word in TEXT for word in made("upper-case", share=0.5, unit="words").split())


def test_protected_strings_are_whole_words_in_any_case() -> None:
    assert made("upper-case", "Rome, romeo, ROME", share=1.0, protected=("Rome",)) == "Rome, ROMEO, ROME"
    assert made("delete-characters", "in New York now", share=1.0, protected=("new york",)) == " New York "


def test_a_swap_does_not_reach_into_a_protected_string() -> None:
    for seed in range(50):
        assert "C++" in made("swap-characters", "learn C++ code", seed=seed, share=1.0, protected=("C++",))


@pytest.mark.parametrize("name", [*IN_PLACE, "ocr-noise", "homoglyphs", "invisible-characters"])
def test_letters_beside_digits_are_left_alone(name: str) -> None:
    text = "Please transfer money to NL91ABNA0417164300 for room B2."
    follow_up = made(name, text, share=1.0)
    assert follow_up != text
    assert "NL91ABNA0417164300" in follow_up
    assert "B2" in follow_up


@pytest.mark.parametrize("name", [*IN_PLACE, "ocr-noise", "homoglyphs", "delete-characters", "add-characters"])
def test_abbreviations_and_letters_that_stand_alone_are_left_alone(name: str) -> None:
    follow_up = made(name, "What is my BIC, and may I pay with eBay?", share=1.0)
    assert "BIC, " in follow_up
    assert " I " in follow_up
    assert follow_up.endswith("eBay?")
    assert made(name, "WHAT IS MY BIC?", share=1.0) != "WHAT IS MY BIC?"


@pytest.mark.parametrize("name", [*IN_PLACE[:1], "keyboard-typos"])
def test_a_tenth_of_the_letters_is_no_more_than_one_slip_to_ten_letters_of_a_word(name: str) -> None:
    text = "algebraic"
    assert len(differing(text, made(name, text))) == 1
    for seed in range(60):
        edits = differing(TEXT, made(name, seed=seed))
        start = 0
        for word in TEXT.split(" "):
            assert sum(start <= place < start + len(word) for place in edits) <= 1 + (len(word.strip(",.")) > 10)
            start += len(word) + 1


def test_slips_take_time_in_proportion_to_a_text_without_blanks() -> None:
    for name in IN_PLACE:
        taken = [lines(lambda name=name, n=n: made(name, "eb" * n, share=0.5)) for n in (200, 400)]
        assert taken[1] < 2.5 * taken[0], name


def test_letters_that_bear_marks_are_words_letters() -> None:
    # Vowels of Hindi are marks: in "\u0926\u0940" one letter stands between blank and mark, and is no word like "I".
    assert made("delete-characters", "\u0926\u0940 \u0915\u0940", share=1.0) == "\u0940 \u0940"
    assert made("delete-characters", "e\u0301t\u0301", share=1.0) == "\u0301\u0301"


def test_abbreviations_are_known_in_every_alphabet() -> None:
    assert "M\u015a" in made("delete-characters", "ile kosztuje bilet M\u015a", share=1.0)


class CountedText(str):
    """A text that counts how often all of it is searched for a character."""

    searches = 0

    def __contains__(self, part: object) -> bool:
        type(self).searches += 1
        return super().__contains__(part)


def test_emphasis_searches_a_text_for_marks_once_and_not_once_a_word() -> None:
    CountedText.searches = 0
    assert made("emphasis-marks", CountedText("words enough here " * 100)).count("*") == 2
    assert CountedText.searches == 1
    assert made("emphasis-marks", "words *enough* here") == "words *enough* here"


def test_letters_stay_as_they_are_in_a_language_without_a_way_to_write_them() -> None:
    assert characters.write_letters("Perché no?", "it") == "Perché no?"
