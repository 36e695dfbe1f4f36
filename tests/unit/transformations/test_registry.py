"""What every registered transformation keeps to, whatever it does."""

import inspect
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import mutatis.transformations  # noqa: F401
from mutatis.core.cases import Case, Derivation, Step, Turn
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.telling import in_general
from mutatis.core.transformation import TRANSFORMATIONS, derive
from mutatis.testing import check_transformation
from mutatis.transformations.wordnet import wordnet_is_installed

# Edits of sentences, whole texts or numbers, not of letters; the others must leave a text without letters alone.
NOT_ABOUT_LETTERS = {"drop-punctuation", "duplicate", "exclamation", "random-sentence", "shuffle-sentences"}
# The six families edit digits and marks as well.
NOT_ABOUT_LETTERS |= {f"{unit}-{edit}" for unit in ("char", "word") for edit in ("insert", "drop", "replace")}
NOT_ABOUT_LETTERS |= {"numbers-in-words", "polite-words", "random-keywords-rules", "remove-keywords-rules"}
NOT_ABOUT_LETTERS |= {
    "add-fact",
    "add-handle",
    "add-link",
    "add-passages",
    "add-rating",
    "add-verdict",
    "frame-question",
}
NOT_ABOUT_LETTERS |= {
    "inject-order",
    "merge-passages",
    "number-passages",
    "order-passages",
    "others-think",
    "repeat-passage",
}
NOT_ABOUT_LETTERS |= {
    "double-spaces",
    "break-lines",
    "no-break-spaces",
    "cut-passages",
    "say-who",
    "tautology",
    "used-to-think",
    "curly-quotes",
}
NOT_ABOUT_LETTERS |= {"add-claim", "add-courtesy", "add-emoji", "add-markdown", "add-truth", "order-grader"}
NOT_ABOUT_LETTERS |= {"repeat-ending", "reverse-rubric", "idle-number", "ask-first", "benign-frame"}
NOT_ABOUT_LETTERS |= {"write-thousands", "write-dates", "write-currency", "say-anything"}
# These look at the whole result and put the text back: not nested, and by way of an embedder.
PUT_BACK = {name for name in TRANSFORMATIONS if name.startswith("metal-")}


def usable(name: str) -> str:
    if name.endswith("-wordnet") and not wordnet_is_installed():
        pytest.skip("WordNet's files are not installed")
    return name


def function_made(level: str) -> list[str]:
    chosen = (TRANSFORMATIONS[name] for name in TRANSFORMATIONS)
    return [t.name for t in chosen if t.made_by == "function" and t.level == level and t.name not in PUT_BACK]


@pytest.mark.parametrize("name", sorted(set(TRANSFORMATIONS) - PUT_BACK))
def test_conforms(name: str) -> None:
    chosen = TRANSFORMATIONS[usable(name)]
    nested = next((p.name for p in chosen.parameters if p.name in {"share", "ratio"}), None)
    if name == "repeat-words":
        nested = None  # which of two equal words was added cannot be told; see test_speech
    check_transformation(name, nested=nested)


@pytest.mark.parametrize("name", list(TRANSFORMATIONS))
def test_says_what_it_does_whatever_it_is_applied_to(name: str) -> None:
    said = in_general(Step(transformation=name))
    assert said
    assert "{" not in said


@pytest.mark.parametrize("name", list(TRANSFORMATIONS))
def test_has_a_doctest_that_shows_input_and_output(name: str) -> None:
    chosen = TRANSFORMATIONS[name]
    assert ">>> " in (inspect.getdoc(chosen.apply) or "")
    assert chosen.summary.endswith(".")


@pytest.mark.parametrize("name", [name for name in TRANSFORMATIONS if TRANSFORMATIONS[name].takes_choice])
async def test_a_follow_up_equals_its_source_until_its_parameters_are_chosen(name: str) -> None:
    turn = Turn(fields={"message": "How much is a ticket for 3 people?"})
    wanted = Derivation(source="1", steps=(Step(transformation=name),), variant=("message",))
    made = await derive(Case(id="1", turns=(turn,), task="chat"), wanted)
    assert made.turns == (turn,)


@pytest.mark.parametrize("name", [n for n in function_made("text") if not TRANSFORMATIONS[n].takes_choice])
@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=st.text(max_size=120), seed=st.integers(0, 1000), data=st.data())
def test_any_unicode_text(name: str, text: str, seed: int, data: st.DataObject) -> None:
    chosen = TRANSFORMATIONS[usable(name)]
    arguments: dict[str, object] = chosen.complete({})
    for parameter in chosen.parameters:
        if parameter.name == "share":
            arguments["share"] = data.draw(st.floats(0, 1))
    arguments.pop("protect", None)
    if "rng" in chosen.wants:
        arguments["rng"] = Random(seed)
    if "draw" in chosen.wants:
        arguments["draw"] = seed % 3
    try:
        made = chosen.apply(text, **arguments)
    except UnusableFollowUp:
        return
    assert isinstance(made, str)
    if name not in NOT_ABOUT_LETTERS and not any(map(str.isalpha, text)):
        assert made == text
    if arguments.get("share") == 0:
        assert made == text


@pytest.mark.parametrize("name", [n for n in function_made("text") if "protected" in TRANSFORMATIONS[n].wants])
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    before=st.text(max_size=40),
    after=st.text(max_size=40),
    seed=st.integers(0, 1000),
    kept=st.sampled_from(["Rome", "J. Low"]),
)
def test_protected_text_survives(name: str, before: str, after: str, seed: int, kept: str) -> None:
    chosen = TRANSFORMATIONS[usable(name)]
    arguments = chosen.complete({"share": 1.0} if any(p.name == "share" for p in chosen.parameters) else {})
    arguments.pop("protect")
    if "rng" in chosen.wants:
        arguments["rng"] = Random(seed)
    made = chosen.apply(f"{before} {kept} {after}", protected=(kept,), **arguments)
    assert kept in made


@pytest.mark.parametrize("name", [n for n in function_made("dialogue") if "turns" not in TRANSFORMATIONS[n].wants])
@settings(max_examples=30, deadline=None)
@given(rounds=st.integers(1, 12), seed=st.integers(0, 1000), ratio=st.floats(0, 1))
def test_any_dialogue_keeps_to_its_rounds(name: str, rounds: int, seed: int, ratio: float) -> None:
    chosen = TRANSFORMATIONS[name]
    arguments: dict[str, object] = {"ratio": ratio} if chosen.parameters else {}
    if "rng" in chosen.wants:
        arguments["rng"] = Random(seed)
    made = chosen.apply(tuple(range(rounds)), **arguments)
    assert isinstance(made, tuple)
    assert set(made) <= set(range(rounds))


RECORDED = Path(__file__).with_name("follow_ups.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("line", RECORDED, ids=lambda line: line.partition(":")[0])
def test_follow_ups_do_not_change_between_versions(line: str) -> None:
    """A stored run is repeated by deriving again: a change here is one that users must be told of."""
    name, _, expected = line.partition(": ")
    chosen = TRANSFORMATIONS[name]
    arguments = chosen.complete({})
    arguments.pop("protect", None)
    if "rng" in chosen.wants:
        arguments["rng"] = Random(11)
    text = "The old bakery isn't far from Rome. It was founded in 1921, and people love its good bread!"
    assert chosen.apply(text, **arguments) == expected
