"""Names of the data: from the user's list, and from words that stand together again and again."""

from __future__ import annotations

import pytest

from mutatis.assembly.names import with_names
from mutatis.assembly.spool import Spool
from mutatis.core.cases import NAMES, Case, Derivation, Step, Turn
from mutatis.core.transformation import derive
from mutatis.testing import sync

MESSAGES = (
    "i bought the liberty movie pass and lost it",
    "is the movie pass still sold",
    "the movie pass was declined",
    "how do i get a movie pass",
    "this is an error of your cinema",
)


def cases(*texts: str) -> list[Case]:
    return [Case(id=f"d/{n}", task="chat", turns=(Turn(fields={"message": text}),)) for n, text in enumerate(texts)]


def names(marked: Case) -> tuple[str, ...]:
    return tuple(marked.turns[0].annotations.get(NAMES, ()))


def test_names_are_noted_on_the_turns_that_hold_them() -> None:
    marked = list(with_names(cases(*MESSAGES), ["Liberty"]))
    assert [names(case) for case in marked] == [("movie pass", "liberty"), *[("movie pass",)] * 3, ()]


def test_cases_in_a_file_are_marked_as_those_in_memory() -> None:
    listed = cases(*MESSAGES)
    spooled = with_names(Spool(listed), ["Liberty"])
    assert list(spooled) == list(with_names(listed, ["Liberty"]))
    assert spooled[-2].turns[0].annotations[NAMES] == ("movie pass",)
    assert with_names(listed[-1:], []) == listed[-1:]


@pytest.mark.parametrize(("said", "kept"), [([], "movie pass"), (["error"], "error")])
def test_synonyms_leave_names_alone(said: list[str], kept: str) -> None:
    wanted = Step(transformation="synonyms-lexicon", parameters={"share": 1.0})
    marked = [case for case in with_names(cases(*MESSAGES), said) if kept in case.turns[0].fields["message"]]
    bare = [case for case in cases(*MESSAGES) if kept in case.turns[0].fields["message"]]

    def made(case: Case) -> str:
        return sync(derive(case, Derivation(source=case.id, steps=(wanted,)))).turns[0].fields["message"]

    assert all(kept in made(case) for case in marked)
    assert not any(kept in made(case) for case in bare)
