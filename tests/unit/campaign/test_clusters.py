"""Which answers say the same: the commonest begins a cluster, and what a judge cannot tell is in none."""

from __future__ import annotations

import asyncio
from itertools import permutations

import mutatis.relations  # noqa: F401 - registers no-change
from mutatis.analysis.distributions import LEFT_OUT
from mutatis.campaign.distributions import clustered
from mutatis.campaign.judging import Judges
from mutatis.core.cases import Case, Turn
from mutatis.core.measure import Comparison, Judge, Similarity
from mutatis.core.relation import RELATIONS, Observation
from mutatis.core.system import Response
from mutatis.core.transformation import NO_CHANGE
from mutatis.core.verdict import Verdict

CASE = Case(id="c", task="chat", turns=(Turn(fields={"message": "Is it there?"}),))


class FirstLetter:
    """Texts are the same by their first letter, whatever its case; of a text with "?" nobody can tell."""

    name = "first-letter"

    def compare(self, comparisons: list[Comparison]) -> list[Similarity]:
        return [
            Similarity(score=0.5, open=True)
            if "?" in told.answer + told.reference[0]
            else Similarity(score=float(told.answer[0].lower() == told.reference[0][0].lower()))
            for told in comparisons
        ]


def clusters(*texts: str | None) -> list[int]:
    judge = Judge(measure=FirstLetter())  # type: ignore[arg-type]
    plain = Verdict(system="s", relation=RELATIONS[NO_CHANGE], source=CASE, turn=0)
    answers = [
        Observation(case=CASE, turn=0, error="failed") if text is None
        else Observation(case=CASE, turn=0, response=Response(text=text))
        for text in texts
    ]  # fmt: skip
    return asyncio.run(clustered(plain, answers, Judges(by_kind={"text": judge}, by_measure={})))


def test_the_commonest_answer_begins_a_cluster_and_the_same_in_other_words_joins() -> None:
    assert clusters("yes", "no", "Yep", "no", "no", "yes") == [1, 0, 1, 0, 0, 1]


def test_failures_and_what_nobody_can_tell_are_left_out() -> None:
    assert clusters("yes", "yes", "maybe?", None, "no") == [0, 0, LEFT_OUT, LEFT_OUT, 1]
    assert clusters("maybe?") == [0]  # there is nothing that it could be told from


def test_who_got_an_answer_does_not_matter() -> None:
    texts = ("yes", "Yep", "no", "never")  # all equally common: the first in the alphabet, capitals first, begins
    for order in permutations(texts):
        assert dict(zip(order, clusters(*order), strict=True)) == {"Yep": 0, "yes": 0, "never": 1, "no": 1}
