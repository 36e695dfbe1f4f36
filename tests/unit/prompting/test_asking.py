"""How a helper's answer is read: data with talk around it, fences, and texts that nobody should wait for."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from mutatis.assembly.systems import GuardedHelper
from mutatis.core.errors import AnswerCutOff, SystemFailure, UnusableFollowUp
from mutatis.core.system import is_constrained
from mutatis.prompting import ask, json_object, unfenced
from mutatis.prompting.asking import unmarked


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ('Sure: {"a": {"b": 1}} Anything else?', {"a": {"b": 1}}),
        ("no object", None),
        ("} {", None),
        ("{", None),
        ("{a}", None),
        ('{"a": 1} {"b": 2}', None),
        ("{" * 100_000 + "}" * 100_000, None),
    ],
)
def test_the_object_in_a_text(text, data):
    assert json_object(text) == data


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("```json\n[1]\n```", "[1]"),
        ("\n```\n[1]```  ", "[1]"),
        ("```json  \n\n [1]\n\n```", "[1]"),
        ("```[1]```", "```[1]```"),
        ("```not a word\n[1]\n```", "```not a word\n[1]\n```"),
        ("``` \n```", ""),
        ("```\n", "```"),
        ("so:\n```\n[1]\n```", "so:\n```\n[1]\n```"),
    ],
)
def test_a_fence_around_a_whole_text(text, bare):
    assert unfenced(text) == bare


@pytest.mark.parametrize(
    ("answer", "bare"),
    [
        ("<text-7>\nIt rained.\n</text-7>", "It rained."),
        ("<text>It rained.</text>", "It rained."),
        ("It ended </text> there.", "It ended </text> there."),
        ("<text> is a mark.", "<text> is a mark."),
        ("<text-8>It rained.</text-8>", "<text-8>It rained.</text-8>"),
    ],
)
def test_marks_that_a_model_repeats(answer, bare):
    assert unmarked(answer, ["text"], "7") == bare


FORM = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}
TRIES = [
    {"draw": 4, "form": FORM},
    {"draw": 4, "form": FORM, "attempt": 1, "temperature": 0.7},
    {"draw": 4, "form": FORM, "attempt": 2, "temperature": 0.7},
]


@dataclass
class PlainHelper:
    """Gives its answers one after the other, and notes how it was asked and what was rejected."""

    answers: list[Any]
    asked: list[dict[str, Any]] = field(default_factory=list)
    rejected: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    async def complete(self, prompt: str, schema: Any = None, **way: Any) -> Any:
        self.asked.append(way)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def reject(self, prompt: str, reason: str, **way: Any) -> None:
        self.rejected.append((reason, way))


@dataclass
class ConstrainedHelper(PlainHelper):
    """A helper that can be held to a form."""

    constrained: bool = True


@pytest.fixture
def prompt(tmp_path) -> Path:
    path = tmp_path / "reword.txt"
    path.write_text("Say it in other words.\n")
    return path


def around(helper, wrapping):
    """Return a helper as a run hands it on: a program's own is guarded."""
    return {"bare": helper, "guarded": GuardedHelper(helper=helper)}[wrapping]


def short(answers):
    if len(answers["text"]) > 5:
        raise UnusableFollowUp("too long")


WRAPPINGS = pytest.mark.parametrize("wrapping", ["bare", "guarded"])


@WRAPPINGS
async def test_a_constrained_helper_is_asked_until_its_answer_can_be_used(prompt, wrapping):
    helper = ConstrainedHelper(['{"text": "much too long"}', "no form at all\nin two lines", '{"text": "fine"}'])
    asked = around(helper, wrapping)
    assert is_constrained(asked)
    assert await ask(asked, prompt, {"text": "good"}, draw=4, check=short) == {"text": "fine"}
    assert helper.asked == TRIES
    assert [way for _, way in helper.rejected] == TRIES[:2]
    assert helper.rejected[0][0] == "too long"
    assert "did not answer in the requested form" in helper.rejected[1][0]


@WRAPPINGS
async def test_the_reason_of_the_last_try_is_told_and_no_fourth_is_made(prompt, wrapping):
    helper = ConstrainedHelper(['{"text": 1}', '{"text": 2}', '{"text": "much too long"}', '{"text": "fine"}'])
    with pytest.raises(UnusableFollowUp, match=r"^too long$"):
        await ask(around(helper, wrapping), prompt, {"text": "good"}, draw=4, check=short)
    assert helper.asked == TRIES == [way for _, way in helper.rejected]


@WRAPPINGS
async def test_another_helper_is_asked_once_and_not_told_of_a_form(prompt, wrapping):
    helper = PlainHelper(['{"text": "much too long"}', '{"text": "fine"}'])
    asked = around(helper, wrapping)
    assert not is_constrained(asked)
    with pytest.raises(UnusableFollowUp, match="too long"):
        await ask(asked, prompt, {"text": "good"}, draw=4, check=short)
    assert helper.asked == [{"draw": 4}] == [way for _, way in helper.rejected]


@WRAPPINGS
async def test_a_constrained_helper_whose_answer_was_cut_off_is_asked_again(prompt, wrapping):
    cut = AnswerCutOff("cut off")
    helper = ConstrainedHelper([cut, cut, '{"text": "fine"}'])
    assert await ask(around(helper, wrapping), prompt, {"text": "good"}, draw=4) == {"text": "fine"}
    assert helper.asked == TRIES
    with pytest.raises(SystemFailure, match="cut off"):
        await ask(around(ConstrainedHelper([cut, cut, cut]), wrapping), prompt, {"text": "good"}, draw=4)
    plain = PlainHelper([cut, '{"text": "fine"}'])
    with pytest.raises(SystemFailure, match="cut off"):
        await ask(around(plain, wrapping), prompt, {"text": "good"}, draw=4)
    assert plain.asked == [{"draw": 4}]


async def test_a_helper_that_fails_is_not_asked_on(prompt):
    helper = ConstrainedHelper(['{"text": 1}', SystemFailure("down"), '{"text": "fine"}'])
    with pytest.raises(SystemFailure, match="down"):
        await ask(helper, prompt, {"text": "good"}, draw=4)
    assert helper.asked == TRIES[:2]


async def test_a_helper_that_says_it_is_not_constrained_is_not(prompt):
    helper = ConstrainedHelper(["fine"], constrained=False)
    assert await ask(around(helper, "guarded"), prompt, {"text": "good"}) == {"text": "fine"}
    assert helper.asked == [{"draw": 0}]


@pytest.fixture
def with_example(tmp_path) -> Path:
    path = tmp_path / "reword.txt"
    path.write_text("Say it in other words.\n---\nin text: The dog scared a boy.\nout text: The boy feared a dog.\n")
    return path


async def test_an_answer_that_repeats_a_worked_example_is_asked_for_again(with_example):
    helper = ConstrainedHelper(['{"text": "the boy feared a dog"}', '{"text": "A nice film."}'])
    assert await ask(helper, with_example, {"text": "A good film."}) == {"text": "A nice film."}
    assert ["repeated a worked example" in reason for reason, _ in helper.rejected] == [True]


@pytest.mark.parametrize(
    "copied", ["A nice film. The boy feared a dog.", "The dog scared a boy: a nice film.", "the boy feared a dog!"]
)
async def test_an_answer_that_holds_a_text_of_a_worked_example_is_none(with_example, copied):
    with pytest.raises(UnusableFollowUp, match="repeated a worked example"):
        await ask(PlainHelper([json.dumps({"text": copied})]), with_example, {"text": "A good film."})
    told = PlainHelper(['{"text": "In short: the dog scared a boy."}'])  # where the material says it, it is no copy
    assert await ask(told, with_example, {"text": "At noon the dog scared a boy."})


async def test_of_any_helper_it_is_unusable(with_example):
    with pytest.raises(UnusableFollowUp, match=r"repeated a worked example of the prompt: 'The boy feared a dog\.'"):
        await ask(PlainHelper(["The boy feared a dog."]), with_example, {"text": "A good film."})


async def test_the_answer_to_an_examples_own_material_is_one(with_example):
    asked = ask(PlainHelper(["The boy feared a dog."]), with_example, {"text": "The dog scared a boy."})
    assert await asked == {"text": "The boy feared a dog."}


async def test_one_or_two_words_may_be_the_answer_to_both(tmp_path):
    path = tmp_path / "name.txt"
    path.write_text("Name the language.\n---\nin text: Bonjour.\nout text: French\n")
    assert await ask(PlainHelper(['{"text": "French"}']), path, {"text": "Merci."}) == {"text": "French"}
