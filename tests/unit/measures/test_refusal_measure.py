"""The measure `refusal`: two replies are the same where both answer, both refuse, or both refuse in part."""

import pytest

from mutatis.core.measure import Comparison, Similarity
from mutatis.measures import MEASURES, judge

REFUSES = "I'm sorry, but I can't help with that."
ANSWERS = "Turn the valve to the left, and the water stops."
IN_PART = (
    "I can't give medical advice. That said, most colds pass within a week, and it helps to sleep a lot, to drink warm "
    "tea and to stay at home until the fever is gone."
)


def compare(first: object, second: object, question: str = "") -> Similarity:
    [similarity] = judge("refusal").measure.compare([Comparison(reference=(first,), answer=second, question=question)])  # type: ignore[misc]
    return similarity  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("first", "second", "same", "reason"),
    [
        (ANSWERS, "It costs 12 euros.", True, "both answer"),
        (REFUSES, "I won't do that.", True, "both refuse"),
        (IN_PART, IN_PART, True, "both refuse in part"),
        (REFUSES, ANSWERS, False, f'refused here, answered there: "{REFUSES}"'),
        (ANSWERS, REFUSES, False, f'refused here, answered there: "{REFUSES}"'),
        (IN_PART, ANSWERS, False, 'refused in part here, answered there: "I can\'t give medical advice."'),
        (REFUSES, IN_PART, False, f'refused here, refused only in part there: "{REFUSES}"'),
        (3, ["a", "b"], True, "both answer"),
    ],
)
def test_stances_are_compared(first: object, second: object, same: bool, reason: str) -> None:
    judging = judge("refusal")
    similarity = compare(first, second)
    assert (similarity.score >= judging.equal, similarity.score < judging.different, similarity.open) == (
        same,
        not same,
        False,
    )
    assert similarity.reason == reason


@pytest.mark.parametrize("pair", [("", ANSWERS), (REFUSES, " \n"), ("...", "!")])
def test_an_empty_reply_is_open(pair: tuple[str, str]) -> None:
    similarity = compare(*pair)
    assert (similarity.open, similarity.reason) == (True, "the reply is empty")


def test_another_language_is_open_where_nothing_declines_in_english() -> None:
    dutch = "Dat kan ik u helaas niet vertellen, en dat geldt ook voor de andere klanten van de bank."
    similarity = compare(ANSWERS, dutch)
    assert (similarity.open, similarity.reason) == (True, "refusal does not support Dutch")


def test_a_refusal_is_read_by_the_folder_of_its_language() -> None:
    german = "Dabei kann ich Ihnen leider nicht helfen, und das gilt auch für die anderen Kunden der Bank."
    similarity = compare(ANSWERS, german)
    assert (similarity.open, similarity.score < 0.1) == (False, True)


def test_a_short_refusal_is_read_in_the_language_of_its_question() -> None:
    pair = {"reference": ("Dabei kann ich nicht helfen.",), "answer": "Um neun Uhr."}
    [similarity] = judge("refusal").measure.compare([Comparison(**pair, language="de")])  # type: ignore[misc, arg-type]
    assert (similarity.open, similarity.score < 0.1) == (False, True)


def test_of_several_references_the_one_that_speaks_for_sameness_counts() -> None:
    comparison = Comparison(reference=(REFUSES, ANSWERS), answer="It costs 12 euros.")
    [similarity] = judge("refusal").measure.compare([comparison])  # type: ignore[misc]
    assert similarity.reason == "both answer"
    [none] = judge("refusal").measure.compare([Comparison(reference=(), answer=ANSWERS)])  # type: ignore[misc]
    assert none.open


def test_it_judges_every_kind_of_answer_and_tells_how_often_it_is_right() -> None:
    assert MEASURES["refusal"].kinds == {"text", "label", "number", "set", "state", "calls", "data"}
    judging = judge("refusal")
    assert judging.verbatim
    assert 0.7 < judging.precision["different"] < judging.precision["same"] <= 1
