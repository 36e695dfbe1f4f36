"""The checks of relations, systems, data formats and tasks pass what is right and find what is wrong."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from mutatis.extending import (
    DATASETS,
    RELATIONS,
    TASKS,
    Case,
    Comparison,
    Conversation,
    DataFile,
    Decision,
    Group,
    Grouping,
    Message,
    MetamorphicRelation,
    Outcome,
    Precondition,
    Response,
    Step,
    SystemFailure,
    Task,
    Turn,
    Unparsable,
    read_lines,
)
from mutatis.relations.output import Equal
from mutatis.testing import ScriptedBot, check_dataset, check_relation, check_system, check_task, sync

# Relations


def of(output: Any, **more: Any) -> MetamorphicRelation:
    steps = (Step(transformation="duplicate"),)
    fields = {"name": "mine", "transformations": steps, "tasks": ("sentiment",), "summary": "x", **more}
    return MetamorphicRelation.of(output_relation=output, **fields)


@dataclass
class Own:
    """An output relation whose decision is computed by a function of the group."""

    decision: Any
    name: str = "own"

    def comparisons(self, group: Group) -> Sequence[Comparison]:
        return ()

    def decide(self, group: Group, similarities: Any, judge: Any) -> Any:
        return self.decision(group)


def satisfied(**more: Any) -> Decision:
    return Decision(outcome=Outcome.SATISFIED, **more)


def test_an_output_relation_may_read_its_parameters() -> None:
    seen = []

    def decide(group: Group) -> Decision:
        derivation = group.members[0].case.derivation
        assert derivation is not None
        seen.append((derivation.steps[0].parameters["copies"], derivation.variant, group.members[0].asked.fields))
        return satisfied()

    check_relation(of(Own(decide)))
    assert {(copies, variant) for copies, variant, _ in seen} == {(2, ("text",))}  # its default, written down
    assert all(fields["text"].count("bridge") == 2 for *_, fields in seen)  # the follow-up is really made


def test_a_question_relation_gets_members_of_a_dialogue_in_every_role() -> None:
    seen = set()

    def decide(group: Group) -> Decision:
        seen.add(tuple((m.role, len(m.case.turns), len(m.case.derivation.origin)) for m in group.members))  # type: ignore[union-attr]
        return satisfied()

    steps = (Step(transformation="round-reduction", parameters={"ratio": 0.5}),)
    needs = {"equivalent": 2, "altered": 1}
    check_relation(of(Own(decide), transformations=steps, tasks=("dialogue",), grouping=Grouping.QUESTION, needs=needs))
    assert seen == {(("equivalent", 2, 2), ("equivalent", 2, 2), ("altered", 2, 2))}


def test_answers_are_of_the_kind_that_the_task_has() -> None:
    kinds = set()

    def decide(group: Group) -> Decision:
        kinds.add(type(group.members[0].answer))
        return satisfied()

    check_relation(of(Own(decide)))
    assert kinds == {float}
    check_relation(of(Own(decide), tasks=("question-answering",)))
    assert kinds == {float, str}


@pytest.mark.parametrize(
    ("output", "says"),
    [
        (Own(lambda _: Outcome.SATISFIED), "returned a Outcome, expected a Decision"),
        (Own(lambda _: Decision(outcome=Outcome.VIOLATED)), "gave no reason"),
        (Own(lambda _: satisfied(worst=(1,))), "names a missing member"),
        (Own(lambda _: satisfied(violating=(-1,))), "names a missing member"),
        (Own(lambda _, count=[]: satisfied(score=float(count.append(1) or len(count)))), "differently the second time"),
    ],
)
def test_a_wrong_decision_is_found(output: Own, says: str) -> None:
    with pytest.raises(AssertionError, match=says):
        check_relation(of(output))


def test_a_relation_that_does_not_accept_its_own_follow_ups_is_found() -> None:
    class Picky(Step):
        def accepts(self, other: Step) -> bool:
            return False

    with pytest.raises(AssertionError, match="does not accept its own follow-ups by duplicate"):
        check_relation(of(Equal(), transformations=(Picky(transformation="duplicate"),)))


@pytest.mark.parametrize("stage", ["source input", "source output", "follow-up input", "follow-up output"])
def test_a_precondition_that_says_neither_is_found(stage: Any) -> None:
    seen = []

    def check(evidence: Any) -> Any:
        seen.append((evidence.turn.fields["text"].count("bridge"), evidence.response is not None))
        return None

    with pytest.raises(AssertionError, match="precondition 'vague' returned None, expected True or False"):
        check_relation(of(Equal(), preconditions=(Precondition(name="vague", stage=stage, check=check),)))
    assert seen == [(2 if stage.startswith("follow-up") else 1, stage.endswith("output"))]


@pytest.mark.parametrize("name", list(RELATIONS))
def test_the_shipped_relations_pass(name: str) -> None:
    check_relation(name)


# Systems


class Bot:
    """Keeps the dialogue itself and cannot be asked otherwise; `wrong` says in what it is broken."""

    label = "bot"

    def __init__(self, wrong: str = "") -> None:
        self.wrong = wrong
        self.talks: list[list[str]] = []

    @property
    def identity(self) -> Mapping[str, Any]:
        if self.wrong == "identity":
            return {"session": len(self.talks)}
        return {"bot": {1: "x"}} if self.wrong == "keys" else {"bot": object()} if self.wrong == "object" else {"v": 1}

    @asynccontextmanager
    async def session(self) -> AsyncIterator[Any]:
        self.talks.append([])
        yield self if self.wrong == "no send" else Talk(self.wrong, self.talks[-1])


@dataclass
class Talk:
    wrong: str
    heard: list[str]

    async def send(self, conversation: Conversation) -> Any:
        self.heard.append(conversation.messages[-1].content)
        if self.wrong == "fails":
            raise SystemFailure("down")
        return "text" if self.wrong == "text" else Response(text=str(len(self.heard)))


def test_a_bot_that_keeps_the_dialogue_itself_passes() -> None:
    """It has no `ask`: the check crashed on it."""
    bot = Bot()
    turns = [Conversation(messages=(Message(role="user", content=text),)) for text in ("Who?", "Where?")]
    sync(check_system(bot, turns))
    assert bot.talks == [["Who?", "Where?"]] * 3  # alone, then two at the same time
    sync(check_system(ScriptedBot({"*": "yes"})))


def test_a_failure_gives_a_dialogue_up() -> None:
    bot = Bot("fails")
    sync(check_system(bot))
    assert [len(talk) for talk in bot.talks] == [1, 1, 1]


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ("text", "send returned a str, expected a Response"),
        ("no send", "no `send`"),
        ("identity", "identity changed while it was asked"),
        ("keys", "identity is not JSON data"),
        ("object", "identity is not JSON data"),
    ],
)
def test_a_broken_bot_is_found(wrong: str, says: str) -> None:
    with pytest.raises(AssertionError, match=says):
        sync(check_system(Bot(wrong)))


def test_what_nobody_can_ask_and_what_is_no_context_manager_are_found() -> None:
    class Mute:
        label, identity = "mute", {"v": 1}

    class Awaited(Mute):
        async def session(self) -> None:
            """Open nothing."""

    with pytest.raises(AssertionError, match="neither `ask` nor `session`"):
        sync(check_system(Mute()))
    with pytest.raises(AssertionError, match="not an async context manager"):
        sync(check_system(Awaited()))


# Data formats


@pytest.fixture
def reviews(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "reviews.txt"
    path.write_text("good\nbad\n", "utf-8")
    yield path
    DATASETS.remove("mine")


def lines(file: DataFile) -> Iterator[Case]:
    """One review per line."""
    for number, line in read_lines(file.path, file.encoding):
        yield Case(id=file.id(number), turns=(Turn(fields={"text": line}),))


def with_change(change: Any, task: str = "sentiment") -> None:
    @DATASETS.register("mine", task=task)
    def mine(file: DataFile) -> Iterator[Case]:
        """One review per line, with one thing wrong."""
        for case in lines(file):
            yield change(case)


def first_turn(case: Case, **changes: Any) -> Case:
    return replace(case, turns=(replace(case.turns[0], **changes),))


def test_a_data_format_passes(reviews: Path) -> None:
    DATASETS.register("mine", task="sentiment")(lines)
    check_dataset("mine", reviews)
    with pytest.raises(AssertionError, match="it accepts the content b'what is bad'"):
        check_dataset("mine", reviews, bad=["what is bad"])


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            lambda c, seen=[]: replace(c, id=f"x/{seen.append(1) or len(seen)}"),
            "it reads different cases the second time",
        ),
        (lambda c: replace(c, id=c.id.partition("/")[2]), "no data name in its id"),
        (lambda c: first_turn(c, fields={"review": "x"}), "task sentiment needs the fields {'text'}"),
        (lambda c: first_turn(c, fields={"text": 3}), "is not text"),
        (lambda c: first_turn(c, expected=["0.5"]), "expected is a list, not a tuple"),
        (lambda c: first_turn(c, expected=(0.5,)), "an expected answer is not text"),
        (lambda c: first_turn(c, annotations={"raw": {1, 2}}), "cannot be written as JSON"),
        (lambda c: replace(c, ask_turns=(1,)), "asks turns that it does not have"),
        (lambda c: replace(c, task="no-such"), "unknown task 'no-such'"),
    ],
)
def test_a_wrong_case_is_found(reviews: Path, change: Any, says: str) -> None:
    with_change(change)
    with pytest.raises(AssertionError, match=says):
        check_dataset("mine", reviews)


def test_an_error_without_words_for_users_is_found(reviews: Path) -> None:
    def change(case: Case) -> Case:
        return first_turn(
            case, fields={"text": case.turns[0].fields["text"], "length": str({"good": 1, "bad": 2}[text(case)])}
        )

    def text(case: Case) -> str:
        return case.turns[0].fields["text"]

    with_change(change)
    with pytest.raises(AssertionError, match=r"raised (KeyError|IndexError) instead of UsageError"):
        check_dataset("mine", reviews)


@pytest.mark.parametrize(("name", "file", "task"), [("jsonl", "reviews", "sentiment"), ("coqa", "dialogues", None)])
def test_shipped_formats_pass(name: str, file: str, task: str | None) -> None:
    from mutatis import sample

    check_dataset(name, sample(file), {"limit": 3, **({"task": task} if task else {})})


# Tasks


@pytest.mark.parametrize("name", list(TASKS))
def test_the_shipped_tasks_pass(name: str) -> None:
    check_task(name)


def converse(case: Case, turn: int, answers: Sequence[str]) -> Conversation:
    fields = case.turns[turn].fields
    return Conversation(messages=(Message(role="user", content=" ".join(fields.values())),), fields=fields)


def parse(response: Response, case: Case) -> str:
    if not response.text.strip():
        raise Unparsable("empty")
    return response.text


RIGHT = Task(
    name="mine",
    summary="a task",
    fields=("text", "title"),
    kind="text",
    variants=(("text",),),
    converse=converse,
    parse=parse,
    uninformative=lambda value: value == "unknown",
)


def one_field(case: Case, turn: int, answers: Sequence[str]) -> Conversation:
    shown = Message(role="user", content=case.turns[turn].fields["text"])
    return Conversation(messages=(shown,), fields=case.turns[turn].fields)


def number(response: Response, case: Case) -> float:
    return float(response.text)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"converse": one_field}, "turn 1 does not show the field 'title'"),
        ({"converse": lambda *asked: replace(converse(*asked), fields={})}, "`fields` lack 'text'"),
        ({"converse": lambda *asked: replace(converse(*asked), messages=())}, "no messages"),
        ({"converse": lambda *asked: "text"}, "converse returned a str"),
        ({"hidden": frozenset({"title"})}, "turn 1 shows the hidden field 'title'"),
        ({"hidden": frozenset({"text"})}, r"variants of fields that it does not show: \['text'\]"),
        ({"parse": number}, "parse raised ValueError for '', expected Unparsable"),
        ({"parse": lambda *_: None}, "parse returned None for ''; raise Unparsable"),
        ({"parse": lambda *_, seen=[]: seen.append(1) or len(seen)}, "in two ways"),
        ({"uninformative": lambda value: None}, "uninformative returned None"),
        ({"variants": (("body",),)}, "variants of fields that it does not have"),
        ({"fields": ()}, "it has no fields"),
        ({"summary": ""}, "it has no summary"),
    ],
)
def test_a_wrong_task_is_found(wrong: dict[str, Any], says: str) -> None:
    check_task(RIGHT, answers=["anything"])
    with pytest.raises(AssertionError, match=says):
        check_task(replace(RIGHT, **wrong))


def test_an_answer_that_must_be_readable_is_found() -> None:
    check_task(replace(RIGHT, converse=one_field, fields=("text",)), answers=["yes"])
    with pytest.raises(AssertionError, match="cannot read 'ten out of ten'"):
        check_task("sentiment", answers=["0.5", "ten out of ten"])
