"""When a relation says nothing."""

import inspect

import pytest

import mutatis.tasks  # noqa: F401
from mutatis.core.cases import Case, Turn
from mutatis.core.constraint import Evidence, Precondition, Stage
from mutatis.core.errors import SystemFailure, UsageError
from mutatis.core.measure import Comparison
from mutatis.core.system import Response
from mutatis.relations import preconditions as p
from mutatis.relations.opposite import OppositeMeasure
from mutatis.testing import ScriptedHelper, sync
from support.prompts import between


def holds(
    precondition: Precondition,
    value: object = None,
    task: str = "sentiment",
    text: str = "answer",
    fields: tuple[str, ...] = (),
    turn: dict[str, str] | None = None,
    helper: ScriptedHelper | None = None,
) -> bool:
    asked = Turn(fields=turn or {"text": "x"})
    evidence = Evidence(
        task=task,
        case=Case(id="c", turns=(asked,)),
        turn=asked,
        fields=fields,
        response=Response(text=text, value=value),
        helper=helper,
    )
    result = precondition.check(evidence)
    return bool(sync(result) if inspect.iscoroutine(result) else result)


@pytest.mark.parametrize(
    ("task", "value", "expected"),
    [
        ("question-answering", "Rome", True),
        ("question-answering", "unknown", False),
        ("inference", "entailment", True),
        ("inference", "neutral", False),
        ("relation-extraction", "capital of", True),
        ("relation-extraction", "no relation", False),
        ("sentiment", 0.9, True),
        ("sentiment", 0.1, True),
        ("sentiment", 0.55, False),
        ("sentiment", 0.45, False),
        ("sentiment", None, False),
    ],
)
def test_informative(task: str, value: object, expected: bool) -> None:
    assert holds(p.INFORMATIVE, value, task) is expected


def test_a_plain_no_says_something() -> None:
    assert holds(p.INFORMATIVE, "no", "question-answering")


def test_entailment_and_neutral() -> None:
    assert holds(p.ENTAILMENT, "entailment", "inference")
    assert not holds(p.ENTAILMENT, "neutral", "inference")
    assert holds(p.NOT_NEUTRAL, 0.51)
    assert not holds(p.NOT_NEUTRAL, 0.5)
    assert not holds(p.NOT_NEUTRAL, None)


@pytest.mark.parametrize(
    ("value", "contradiction", "none", "settled"),
    [
        ("entailment", False, True, True),
        ("neutral", False, True, False),
        ("contradiction", True, False, True),
        (None, False, False, False),
    ],
)
def test_labels_of_inference(value: object, contradiction: bool, none: bool, settled: bool) -> None:
    assert holds(p.CONTRADICTION, value, "inference") is contradiction
    assert holds(p.NO_CONTRADICTION, value, "inference") is none
    assert holds(p.SETTLED, value, "inference") is settled


def test_relations_that_the_lists_know() -> None:
    assert holds(p.LISTED_SYMMETRIC, "Spouse", "relation-extraction")
    assert not holds(p.LISTED_SYMMETRIC, "father", "relation-extraction")
    assert holds(p.LISTED_CONVERSE, "father", "relation-extraction")
    assert not holds(p.LISTED_CONVERSE, "genre", "relation-extraction")


@pytest.mark.parametrize(
    ("task", "value", "question", "turned", "is_open"),
    [
        ("inference", "entailment", "", True, True),
        ("inference", "contradiction", "", False, False),
        ("inference", "neutral", "", False, False),
        ("question-answering", "Rome", "Where was he?", True, True),
        ("question-answering", "unknown", "Where was he?", False, False),
        ("question-answering", "Yes, he was", "Was he there?", True, False),
        ("question-answering", "no", "and didn't he stay?", False, False),
    ],
)
def test_what_can_be_turned_round(task: str, value: str, question: str, turned: bool, is_open: bool) -> None:
    turn = {"context": "x", "question": question}
    assert holds(p.TURNED_ROUND, value, task, turn=turn) is turned
    assert holds(p.OPEN_QUESTION, value, task, turn=turn) is is_open


@pytest.mark.parametrize(
    ("value", "text", "expected"),
    [
        (0.9, "A charming film.", True),
        (0.1, "A charming film.", False),
        (0.1, "A dull mess.", True),
        (0.9, "A charming film with a dull end.", False),
        (0.9, "It is not a charming film.", False),
        (0.5, "A charming film.", False),
        ("positive", "A charming film.", False),
    ],
)
def test_the_words_must_be_on_the_answers_side(value: object, text: str, expected: bool) -> None:
    assert holds(p.ONE_FEELING, value, turn={"text": text}) is expected


@pytest.mark.parametrize(
    ("answer", "context", "expected"),
    [
        ("1973", "It fell in 1973.", True),
        ("in 1973", "It fell in 1973 and rose in 1973.", False),
        ("the 1980s", "It fell in the 1980s.", False),
        ("two", "It took two years.", False),
        ("3 of 5", "It was 3 of 5.", False),
        ("1974", "It fell in 1973.", False),
    ],
)
def test_a_number_that_can_be_exchanged(answer: str, context: str, expected: bool) -> None:
    turn = {"context": context, "question": "When?"}
    task = "question-answering"
    assert holds(p.NUMBER_ANSWER, answer, task, fields=("context", "question"), turn=turn) is expected


def test_sentences_of_the_fields_that_change() -> None:
    turn = {"context": "One. Two.", "question": "One?"}
    assert holds(p.SEVERAL_SENTENCES, fields=("context",), turn=turn)
    assert not holds(p.SEVERAL_SENTENCES, fields=("question",), turn=turn)


def test_a_refusal_does_not_count_as_a_different_answer() -> None:
    assert holds(p.NOT_A_REFUSAL, text="Oslo")
    assert holds(p.NOT_A_REFUSAL, text="The text does not say.")
    assert not holds(p.NOT_A_REFUSAL, text="I'm sorry, but I can't help with that.")
    assert p.NOT_A_REFUSAL.stage is Stage.FOLLOW_UP_OUTPUT


@pytest.mark.parametrize(
    ("answer", "symmetric"), [('{"verdict": "yes"}', True), ('{"verdict": "no"}', False), ("Yes.", True), ("no", False)]
)
def test_symmetry_is_judged_by_the_helper(answer: str, symmetric: bool) -> None:
    arguments = {"value": "married to", "task": "relation-extraction"}
    assert holds(p.SYMMETRIC, **arguments, helper=ScriptedHelper(answer)) is symmetric
    assert holds(p.NOT_SYMMETRIC, **arguments, helper=ScriptedHelper(answer)) is not symmetric


def test_no_relation_is_symmetric_and_asks_nobody() -> None:
    assert holds(p.SYMMETRIC, "no relation", "relation-extraction")
    assert not holds(p.NOT_SYMMETRIC, "no relation", "relation-extraction")


def test_a_judgement_needs_a_helper_that_judges() -> None:
    with pytest.raises(UsageError, match="helper"):
        holds(p.SYMMETRIC, "married to", "relation-extraction")
    for answer in ("perhaps", "", '{"verdict": "both"}'):
        with pytest.raises(SystemFailure, match="helper"):
            holds(p.SYMMETRIC, "married to", "relation-extraction", helper=ScriptedHelper(answer))


def test_the_measure_opposite() -> None:
    helper = ScriptedHelper(lambda prompt: "yes" if between(prompt, "second").startswith("child of") else "no")
    pairs = [
        Comparison(reference=("father of",), answer="child of"),
        Comparison(reference=("father of",), answer="owner of"),
        Comparison(reference=("father of",), answer=" "),
    ]
    assert [s.score for s in sync(OppositeMeasure(helper).compare(pairs))] == [1.0, 0.0, 0.0]
    assert len(helper.prompts) == 2
