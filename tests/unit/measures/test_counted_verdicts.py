"""Fixed replies with known right verdicts, counted: coarse changes of the judge of chat move them."""

from __future__ import annotations

import importlib
from collections import Counter
from dataclasses import dataclass

import pytest

from mutatis.core.measure import Comparison, QuestionReplies, Repertoire, ReplyBlock, WordedReply
from mutatis.measures.repertoire import RepertoireMeasure, vectors_of_words
from support.reply_blocks import read, verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two replies to a question, whether they say the same, and what the judge makes of them."""

    question: str
    answer: str
    truth: str
    verdict: str
    reason: str


def judged(name: str) -> list[Pair]:
    """Judge each distinct reply to a question against the first one."""
    known = dict(read(name))
    questions = []
    for message, replies in known.items():
        said = [
            WordedReply(message=message.replace("France", "Frence") if "Frence" in text else message, text=text)
            for number, _, text in replies
            for _ in range(number)
        ]
        questions.append(QuestionReplies(source=said[0], siblings=tuple(said[1:])))
    block = ReplyBlock(questions=tuple(questions))
    measure = RepertoireMeasure(vectors_of_words)
    pairs = []
    for place, (message, ((_, _, first), *others)) in enumerate(known.items()):
        for _, mark, text in others:
            [similarity] = measure.compare(
                [
                    Comparison(
                        reference=(first,),
                        answer=text,
                        question=message,
                        repertoire=Repertoire(block=block, place=place),
                    )
                ]
            )
            truth = "same" if mark == "=" else "different"
            pairs.append(
                Pair(question=message, answer=text, truth=truth, verdict=verdict(similarity), reason=similarity.reason)
            )
    return pairs


SAME, DIFFERENT, OPEN = ("same", "same"), ("different", "different"), ("same", "open")
OPEN_AND_DIFFERENT = ("different", "open")


@pytest.mark.parametrize(
    ("name", "expected", "changes"),
    [
        ("margin", {SAME: 4}, ["placing.MARGIN 0.3"]),
        ("few_questions", {SAME: 2, DIFFERENT: 1}, ["placing.CLOSE -0.5"]),
        ("few_replies", {SAME: 4, DIFFERENT: 1, OPEN_AND_DIFFERENT: 1}, ["placing.ALONE 0.42"]),
        ("apart", {SAME: 1, DIFFERENT: 3, OPEN: 1}, ["repertoire.UNLIKE 0.3"]),
        ("shared_wording", {SAME: 4}, ["splitting.UNRELATED 1.0"]),
        (
            "many_questions",
            {SAME: 7, DIFFERENT: 4},
            ["splitting.WIDE 0.3", "splitting.OWN 1.0", "small_talk.SHARE 0.3", "small_talk.QUESTIONS 6"],
        ),
        ("refusals", {SAME: 12, DIFFERENT: 1, ("different", "same"): 2, OPEN: 1}, []),
    ],
)
def test_a_coarse_change_of_a_constant_moves_a_block(
    name: str, expected: dict[tuple[str, str], int], changes: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is different and open in `few_replies` has the words of another answer, and too few siblings to tell."""
    assert Counter((pair.truth, pair.verdict) for pair in judged(name)) == expected
    for change in changes:
        place, value = change.split()
        module, constant = place.split(".")
        with monkeypatch.context() as patch:
            patch.setattr(importlib.import_module(f"mutatis.measures.{module}"), constant, float(value))
            assert Counter((pair.truth, pair.verdict) for pair in judged(name)) != expected, change


def test_a_system_of_one_mind_is_judged_by_its_wordings() -> None:
    """What is open beside it: another answer in nearly the words of the right one, and a rare wording."""
    counted = Counter((pair.truth, pair.verdict) for pair in judged("shop"))
    assert counted == {
        ("same", "same"): 8,
        ("different", "different"): 3,
        ("different", "open"): 1,
        ("same", "open"): 1,
    }


def test_replies_of_an_unsettled_system_are_never_the_same_for_standing_side_by_side() -> None:
    assert Counter((pair.truth, pair.verdict) for pair in judged("unsettled")) == {
        ("different", "different"): 4,
        ("different", "open"): 1,
    }


def test_where_replies_are_worded_anew_those_to_other_questions_tell_them_apart() -> None:
    """What is open here is another answer in words near to the right one, and a wording that stands alone."""
    counted = Counter((pair.truth, pair.verdict) for pair in judged("pool"))
    assert counted == {
        ("same", "same"): 5,
        ("different", "different"): 2,
        ("different", "open"): 1,
        ("same", "open"): 1,
    }


def test_a_stock_reply_is_never_the_same_as_a_value_and_two_that_ask_back_are() -> None:
    """Before, "We have 2 cards: which one?" was another answer than "Which card do you mean?"."""
    assert Counter((pair.truth, pair.verdict) for pair in judged("stock")) == {
        ("same", "same"): 12,
        ("different", "different"): 5,
    }


def test_abbreviations_and_misspelt_words_of_the_question_are_no_facts() -> None:
    """Before, "Frence" was another country than France, and "(JPY)" another thing than the yen."""
    assert Counter((pair.truth, pair.verdict) for pair in judged("no_facts")) == {
        ("same", "same"): 7,
        ("different", "different"): 1,
        ("different", "open"): 1,
    }


def test_days_are_the_same_one_by_one_as_a_span_and_by_the_word_for_several() -> None:
    """Before, "at weekends" and "on Saturday and Sunday" were two answers, and so six false findings of one bot."""
    counted = Counter((pair.truth, pair.verdict) for pair in judged("weekdays"))
    assert counted == {("same", "same"): 7, ("different", "different"): 1}


def test_a_span_in_two_units_is_one_answer_whatever_bare_numbers_other_replies_hold() -> None:
    """Before, "1 week" and "7 days" were two answers where other questions were answered with a bare 1 and a bare 7."""
    counted = Counter((pair.truth, pair.verdict) for pair in judged("one_week"))
    assert counted == {("same", "same"): 6, ("different", "different"): 1}
