"""Edit rates and validity, by hand."""

from __future__ import annotations

import random

import pytest

from mutatis.core.errors import UsageError
from mutatis.rltest4chatbot.edits import Validity, edit_rates

STRICT, THESIS = Validity(), Validity(rule="thesis")


def test_word_rate_is_jaccard_and_no_count() -> None:
    # {a, b, c, d} and {a, b, c, e}: 3 of 5 are shared. (A count would be 1.)
    rates = edit_rates("a b c d", "a b c e", "a b c e")
    assert (rates.word, rates.words, rates.character, rates.characters) == (pytest.approx(2 / 5), 1, 0.0, 0)


def test_a_repeated_word_changes_the_text_and_no_rate() -> None:
    rates = edit_rates("a b", "a a b", "a a b")
    assert (rates.word, rates.words, rates.changed) == (0.0, 0, True)
    assert STRICT.broken(rates) is None


def test_character_rate_is_jaro_of_the_character_stage() -> None:
    # "martha" / "marhta": 6 matches, 1 transposition: (1 + 1 + 5/6) / 3 = 17/18. Words were exchanged before it.
    rates = edit_rates("maria", "martha", "marhta")
    assert rates.character == pytest.approx(1 / 18)
    assert (rates.damerau, rates.characters) == (pytest.approx(1 / 6), 1)
    assert rates.word == 1.0


def test_texts_with_nothing_in_common_have_distance_one() -> None:
    """The thesis' formula gives 0 where nothing matches, and total garbling counted as no edit."""
    rates = edit_rates("abcdef", "abcdef", "uvwxyz")
    assert (rates.character, rates.damerau) == (1.0, 1.0)
    assert "character rate 1.00" in str(THESIS.broken(rates))
    assert edit_rates("abc", "abc", "").character == 1.0
    assert edit_rates("", "", "").character == 0.0


def test_only_the_thesis_takes_a_permutation_of_all_characters() -> None:
    text = "i am looking for a place to stay that has cheap price range it should be in a type of hotel"
    mixed = list(text)
    random.Random(1).shuffle(mixed)
    rates = edit_rates(text, text, "".join(mixed))
    assert THESIS.broken(rates) is None
    assert str(STRICT.broken(rates)).startswith("Damerau-Levenshtein rate 0.")


def test_long_texts_are_told_apart_piece_by_piece() -> None:
    # 3,000 words of 8 letters with their blanks; two letters exchanged, a letter left out, and a word put in.
    words = [f"word{number:04}" for number in range(3000)]
    text = " ".join(words)
    edited = text.replace("word0500", "wrod0500").replace("word1500", "wod1500").replace("word2500", "word2500 more")
    assert (len(text), len(edited)) == (26_999, 27_003)
    rates = edit_rates(text, text, edited)
    assert rates.characters == 1 + 1 + 5
    assert rates.damerau == pytest.approx(7 / 27_003)
    # All but one of the two letters that were exchanged and the one that is gone stand on both sides in their order.
    assert rates.character == pytest.approx(1 - (26_997 / 26_999 + 26_997 / 27_003 + 1) / 3)
    assert STRICT.broken(rates) is None


def test_long_texts_with_nothing_in_common_have_distance_one_without_comparing_all_letters() -> None:
    rates = edit_rates("a" * 100_000, "a" * 100_000, "b" * 100_000)
    assert (rates.character, rates.damerau, rates.characters) == (1.0, 1.0, 100_000)
    assert STRICT.broken(rates) is not None


@pytest.mark.parametrize(
    ("source", "words", "final", "broken"),
    [
        ("yes", "yes please", "yes please", None),  # one word may always change: Jaccard 1/2
        ("yes please now", "no thanks now", "no thanks now", "word rate"),  # two words: 4/5
        ("yes", "yes", "eys", None),  # two characters may always change
        ("yes", "yes", "xxx", "character rate"),
        ("a b c d e f g h", "a b c d e f g x", "a b c d e f g x", None),  # 2/9
        ("a b c d e f g h", "a b c d e f x y", "a b c d e f x y", "word rate 0.40"),
    ],
)
def test_validity(source: str, words: str, final: str, broken: str | None) -> None:
    for rule in (STRICT, Validity(rule="thesis", least_words=1, least_characters=2)):
        reason = rule.broken(edit_rates(source, words, final))
        assert reason == broken or (broken is not None and broken in str(reason))


@pytest.mark.parametrize(
    ("source", "words", "final", "broken"),
    [
        # Jaccard: of n words one replaced shares n - 1 of n + 1, so seven are needed; one added shares n of n + 1.
        ("a b c d e f g", "a b c d e f x", "a b c d e f x", None),  # 2/8
        ("a b c d e f", "a b c d e x", "a b c d e x", "word rate 0.29 is over 0.25"),  # 2/7
        ("a b c", "a b c x", "a b c x", None),  # 1/4
        ("a b", "a b x", "a b x", "word rate 0.33 is over 0.25"),
        # Jaro takes letters of three for the same in their own place alone: two of three, (2/3 + 2/3 + 1) / 3 = 7/9.
        ("yes", "yes", "yez", None),
        ("yes", "yes", "yse", "character rate 0.44 is over 0.25"),  # one of three: (1/3 + 1/3 + 1) / 3 = 5/9
    ],
)
def test_the_thesis_has_its_two_bounds_and_no_exception_for_short_texts(
    source: str, words: str, final: str, broken: str | None
) -> None:
    assert THESIS.broken(edit_rates(source, words, final)) == broken


def test_adaptive_bounds_are_parameters() -> None:
    rates = edit_rates("yes", "yes please", "yes please")
    assert Validity(least_words=0).broken(rates) == "word rate 0.50 is over 0.25"
    assert Validity(least_words=0, bound=0.5).broken(rates) is None
    assert Validity(least_characters=0).broken(edit_rates("yes", "yes", "eys")) is not None
    # Two of three words replaced share 1 of 5.
    assert edit_rates("a b c", "a x y", "a x y").word == pytest.approx(4 / 5)
    assert Validity(least_words=2).broken(edit_rates("a b c", "a x y", "a x y")) is None


def test_an_edit_that_changes_nothing_is_valid_by_the_thesis_alone() -> None:
    """Both of its distances are 0, and it asks for nothing else (2.3)."""
    rates = edit_rates("same", "same", "same")
    assert THESIS.broken(rates) is None
    assert STRICT.broken(rates) == "nothing changed"


def test_bad_settings() -> None:
    with pytest.raises(UsageError, match="unknown validity 'thesus'; did you mean 'thesis'"):
        Validity(rule="thesus")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="expected a bound from 0 to 1"):
        Validity(bound=2)
