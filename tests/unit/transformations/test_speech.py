"""What is said around a request, and questions asked the other way round."""

from itertools import pairwise
from random import Random

import pytest

from mutatis.transformations.speech import filled_pauses, polite_words, repeat_words
from mutatis.transformations.yes_no import deny_question

TEXT = "Why was my payment at the New York shop declined, and when will it be there?"


@pytest.mark.parametrize("seed", range(8))
def test_the_request_stays_word_for_word(seed: int) -> None:
    assert TEXT in polite_words(TEXT, Random(seed))
    assert polite_words(TEXT, Random(seed)) != TEXT
    pauses = {"um,", "uh,", "er,", "hmm,", "you", "know,"}
    paused = filled_pauses(TEXT, Random(seed), share=0.5)
    assert [word for word in paused.split() if word not in pauses] == TEXT.split()
    assert "New York" in paused
    said = repeat_words(TEXT, Random(seed), share=1.0).split()
    once = [b for a, b in pairwise(["", *said]) if a.lower() != b.lower().strip(",?")]
    assert [word.strip(",?") for word in once] == [word.strip(",?") for word in TEXT.split()]


@pytest.mark.parametrize("seed", range(4))
def test_a_smaller_share_repeats_some_of_the_same_words(seed: int) -> None:
    def repeated(share: float) -> int:
        return len(repeat_words(TEXT, Random(seed), share=share).split()) - len(TEXT.split())

    counts = [repeated(share) for share in (0.0, 0.2, 0.6, 1.0)]
    assert counts == sorted(counts)
    assert counts[0] == 0 < counts[1] < counts[3]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Was he married?", "Is it false that he was married?"),
        ("did Lady Rowley agree ?", "Is it false that Lady Rowley did agree?"),
        ("Is there a lake in Rome?", "Is it false that there is a lake in Rome?"),
        ("Were Ada and Max late?", "Were Ada and Max late?"),
        ("Does the whole film end well?", "Does the whole film end well?"),
        ("Was he married or not?", "Was he married or not?"),
        ("Wasn't he married?", "Wasn't he married?"),
        ("Who was he?", "Who was he?"),
        ("", ""),
    ],
)
def test_denied_questions(question: str, expected: str) -> None:
    assert deny_question(question) == expected


def test_nothing_to_say_is_left_alone() -> None:
    for text in ("", "  \n"):
        assert polite_words(text, Random(1)) == text
        assert filled_pauses(text, Random(1)) == text
        assert repeat_words(text, Random(1)) == text


def test_nobody_hesitates_between_a_number_and_what_it_counts() -> None:
    for seed in range(40):
        paused = filled_pauses("How much is a 25 kg parcel for 2 people?", Random(seed), share=1.0)
        assert "25 kg" in paused
        assert "2 people" in paused
