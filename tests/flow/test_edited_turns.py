"""A relation whose answer has to change says nothing of turns that it left alone, whoever proposes its follow-ups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import pytest

import mutatis
from mutatis import Turn, relation, transformation
from mutatis.core.cases import NEW
from mutatis.core.parameters import Within
from mutatis.core.relation import Grouping, MetamorphicRelation
from mutatis.core.search import Proposal, Source
from mutatis.core.verdict import Verdict
from mutatis.relations.output import Different
from mutatis.search import derivations
from mutatis.testing import ScriptedSystem

DIALOGUES = [
    ["Do you have parking?", "Are you open on Monday?", "How can I return shoes?", "And boots on Monday?"],
    ["How can I return shoes?", "Is there parking on Monday?"],
]


@pytest.fixture
def other_day() -> MetamorphicRelation:
    """A relation of a user: on another day the answer is different."""

    @transformation("other-day", says="another day")
    def other(text: str, *, day: Annotated[int, Within(1, 3)] = 1) -> str:
        """Ask for another day."""
        return text.replace("Monday", ("Tuesday", "Wednesday", "Thursday")[day - 1])

    return relation("other-day", output_relation="different", tasks=["chat"])


def bot(conversation: Any) -> str:
    """Answers by the day; what has no day has one answer."""
    text = conversation.fields["message"]
    return next((day for day in ("Monday", "Tuesday", "Wednesday", "Thursday") if day in text), "Yes, we do.")


def stubborn(conversation: Any) -> str:
    return "Yes, we do."


def asked_of(system: Any, *relations: Any, **more: Any) -> mutatis.Run:
    settings = {"noise_floor": 0, **more.pop("settings", {})}
    options = {"judge": "exact", "settings": settings, **more}
    return mutatis.run(ScriptedSystem(system), DIALOGUES, list(relations), **options)


def judged(run: mutatis.Run) -> dict[str, tuple[int, int, int]]:
    return {row.relation: (row.satisfied, row.violated, row.invalid) for row in run.summary}


def test_only_edited_turns_are_judged(other_day: MetamorphicRelation) -> None:
    run = asked_of(bot, other_day)
    assert judged(run) == {"other-day": (3, 0, 0)}  # three questions name a day
    assert not run.findings


def test_what_is_wrong_on_an_edited_turn_is_found_there_and_stays_there(other_day: MetamorphicRelation) -> None:
    run = asked_of(stubborn, other_day)
    assert judged(run) == {"other-day": (0, 3, 0)}
    for finding in run.findings:
        assert "Monday" in finding.source.case.turns[finding.source.turn].fields["message"]
        for follow_up in filter(
            None, (*finding.followups, finding.shrunk)
        ):  # shrinking undoes no edit that it is about
            assert "Tuesday" in follow_up.case.turns[follow_up.turn].fields["message"]


class Everything:
    """A search of a user's own that proposes whole dialogues by hand."""

    learns = True

    def __init__(self, sources: Sequence[Source]) -> None:
        self.left = [
            Proposal(source=source, derivation=derivation) for source in sources for derivation in derivations(source)
        ]
        self.told: list[int] = []

    def ask(self) -> Sequence[Proposal]:
        return [self.left.pop()] if self.left else []

    def tell(self, proposal: Proposal, verdicts: Sequence[Verdict], measurements: Any) -> None:
        self.told.append(len(verdicts))


@pytest.mark.parametrize(
    "search",
    [
        {"type": "grid", "transformation": "other-day", "parameter": "day", "values": [1, 2, 3]},
        {"type": "grid", "transformation": "other-day", "parameter": "day", "values": [1, 3], "refine": True},
        "random",
        {"type": "bandit", "batch": 2},
        lambda sources: Everything(sources),
    ],
    ids=["grid", "refine", "random", "bandit", "own"],
)
def test_it_holds_for_every_search(search: Any, other_day: MetamorphicRelation) -> None:
    run = asked_of(bot, other_day, search=search)
    [(satisfied, violated, invalid)] = judged(run).values()
    assert (satisfied > 0, satisfied % 3, violated, invalid) == (True, 0, 0, 0)


def test_one_turn_at_a_time_judges_that_one(other_day: MetamorphicRelation) -> None:
    each = relation(
        "each-day", transformations=["other-day"], output_relation="different", tasks=["chat"], turns="each"
    )
    # three turns name a day, three others cannot be changed
    assert judged(asked_of(bot, each)) == {"each-day": (3, 0, 3)}


def test_an_output_relation_of_ones_own_may_say_so(other_day: MetamorphicRelation) -> None:
    @dataclass(frozen=True)
    class Otherwise(Different):
        name: str = "otherwise"

    @dataclass(frozen=True)
    class Unsaid(Different):
        expects_change = False
        name: str = "unsaid"

    for output, expected in ((Otherwise(), (3, 0, 0)), (Unsaid(), (3, 3, 0))):
        edited = relation(output.name, transformations=["other-day"], output_relation=output, tasks=["chat"])
        assert judged(asked_of(bot, edited)) == {output.name: expected}


def test_who_matches_turns_alone_is_left_alone(other_day: MetamorphicRelation) -> None:
    def later(turn: Turn) -> str | None:
        return "follow-up" if "return" in turn.fields["message"] else None

    more = {"transformations": ["other-day"], "output_relation": "different", "tasks": ["chat"], "when": later}
    assert judged(asked_of(bot, relation("later", **more))) == {"later": (0, 2, 0)}


def test_all_versions_of_a_question_are_those_that_were_edited(other_day: MetamorphicRelation) -> None:
    edited = relation(
        "versions",
        transformations=["other-day"],
        output_relation="different",
        tasks=["chat"],
        grouping=Grouping.QUESTION,
    )
    assert judged(asked_of(bot, edited)) == {"versions": (3, 0, 0)}


def test_where_rounds_are_left_out_what_comes_before_is_the_same_dialogue() -> None:
    @transformation("drop-second", level="dialogue", says="the second round left out")
    def drop(order: tuple[int, ...]) -> list[int]:
        """Leave the second round out."""
        return [number for number in order if number != 1]

    dropped = relation("drop-second", output_relation="different", tasks=["chat"])
    run = asked_of(stubborn, dropped, settings={"confirm": 0})
    assert {(f.source.case.id, f.source.turn) for f in run.findings} == {("data/1", 2), ("data/1", 3)}


def test_a_turn_that_somebody_put_in_between_has_nothing_to_be_compared_with() -> None:
    @transformation("small-talk", level="dialogue", says="small talk put in between")
    def talk(order: tuple[int, ...], turns: tuple[Turn, ...]) -> list[Any]:
        """Say something else."""
        return [order[0], (NEW, Turn(fields={"message": "Nice weather."})), *order[1:]]

    between = relation("small-talk", tasks=["chat"])
    assert judged(asked_of(bot, between)) == {"small-talk": (6, 0, 0)}
