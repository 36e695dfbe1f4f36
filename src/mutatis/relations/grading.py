"""Relations for graders: properties that must not affect a verdict on answers, and properties that must.

A verdict names the better of two answers, or rates one. `paper` names the paper that described the bias. The edits are
our own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from mutatis.core.cases import Step
from mutatis.core.constraint import Evidence, Precondition, Stage
from mutatis.core.decision import Decision
from mutatis.core.languages import ENGLISH
from mutatis.core.relation import Group, Limits
from mutatis.relations.output import WithoutJudge, directed_decision, invalid_decision, on_answer, plain_decision
from mutatis.relations.soundness import ENOUGH, LOGIC, ROBUSTNESS
from mutatis.relations.table import row
from mutatis.text.metalanguage import is_about_language, is_code, quote_each_other, quotes

MT_BENCH = "Zheng et al. 2023, Judging LLM-as-a-Judge with MT-Bench and Chatbot Arena; form ours"
COBBLER = "Koo et al. 2023, Benchmarking Cognitive Biases in LLMs as Evaluators; form ours"
LLMBAR = "Zeng et al. 2023, LLMBar; form ours"

_STYLE = re.compile(
    r"polite|courte|friendl|tone|style|format|markdown|heading|emoji|presentation|layout|warm|language", re.IGNORECASE
)
"""Pattern of words in criteria that ask for style."""

_BREVITY = re.compile(
    r"\b(?:brevity|brief|short|concise\w*|length|terse|idle|succinct\w*|to the point)\b", re.IGNORECASE
)
"""Pattern of words in criteria that ask for brevity."""


def _asked_for(pattern: re.Pattern[str], evidence: Evidence) -> bool:
    fields = evidence.turn.fields
    return any(pattern.search(fields.get(name, "")) for name in ("criteria", "rubric", "instruction"))


OTHER = {"A": "B", "B": "A", "tie": "tie"}
"""The verdict that corresponds to each verdict after the two answers have swapped places."""

PLACES = {"answer_a": "A", "answer_b": "B"}
"""The verdict that favours each answer, by the name of the answer's field."""


def _edited_has(verdict: str, evidence: Evidence) -> bool:
    """Return True if the edited answer "won" or "lost", as stated in `verdict`.

    Also return True if no single answer was edited, or for a score, which names no winner.
    """
    edited = _only_place(evidence.fields)
    value = None if evidence.response is None else evidence.response.value
    if edited is None or value not in OTHER:
        return True
    return bool(value == (edited if verdict == "won" else OTHER[edited]))


def _only_place(fields: Sequence[str]) -> str | None:
    """Return the verdict that favours the edited answer, or None unless exactly one answer was edited."""
    return PLACES.get(fields[0]) if len(fields) == 1 else None


class Swapped(WithoutJudge):
    """Output relation `swapped`: the verdict follows the answers when they swap places. A tie stays a tie."""

    in_words = "the verdict changes places with the answers"
    for_readers = "The verdict must change places with the answers: A becomes B, B becomes A, a tie stays a tie."
    name = "swapped"

    def read(self, group: Group) -> Decision:
        """Decide that the relation holds if the same answer is preferred in both orders."""
        before, after = group.replies
        if before not in OTHER:
            return invalid_decision(f"{before!r} is not a verdict: expected A, B or tie", "verdict")
        held = after == OTHER[before]
        reason = f"the verdict {before} should become {OTHER[before]} with the answers exchanged"
        return plain_decision(held, reason, "verdict", f"is {after}")


@dataclass(frozen=True, slots=True)
class Unmoved(WithoutJudge):
    """Output relation: an answer does not gain (or lose) from an edit that makes it no better (or no worse).

    If `gain` is set, the edited answer must not go on to win; otherwise, it must not go on to lose. A score must not
    rise (or fall) by more than TOLERANCE. A tie is neither a win nor a loss.
    """

    name: str
    gain: bool
    in_words: str
    for_readers: str

    def read(self, group: Group) -> Decision:
        """Decide that the relation holds unless the edited answer gains (or loses) more than is allowed."""
        before, after = group.reference[0], group.members[0].answer
        if isinstance(before, int | float) and isinstance(after, int | float):
            return directed_decision(before, after, -1 if self.gain else 1)
        derivation = group.members[0].case.derivation
        edited = _only_place(derivation.variant) if derivation else None
        if edited is None or before not in OTHER:
            return invalid_decision("there is no verdict on a single edited answer", "verdict")
        held = after != (edited if self.gain else OTHER[edited])
        was, should_not = ("did not win", "win") if self.gain else ("won", "lose")
        reason = f"answer {edited}, which {was}, should not {should_not} by the edit"
        return plain_decision(held, reason, "verdict", "does")


LOST = on_answer(
    name="the edited answer was the worse one",
    check=partial(_edited_has, "lost"),
    broken="the answer that is edited was not the worse one",
)
WON = on_answer(
    name="the edited answer was the better one",
    check=partial(_edited_has, "won"),
    broken="the answer that is edited was not the better one",
)
STYLE_DOES_NOT_COUNT = Precondition(
    name="the criteria do not ask for style",
    stage=Stage.SOURCE_INPUT,
    check=lambda evidence: not _asked_for(_STYLE, evidence),
    broken="criteria, rubric or instruction ask for style",
    languages=ENGLISH,
)
BREVITY_DOES_NOT_COUNT = Precondition(
    name="the criteria do not ask for brevity",
    stage=Stage.SOURCE_INPUT,
    check=lambda evidence: not _asked_for(_BREVITY, evidence),
    broken="criteria, rubric or instruction ask for brevity, so fewer or more words may count",
    languages=ENGLISH,
)


def _can_be_translated(evidence: Evidence) -> bool:
    """Return True if the texts to be graded would probably keep their meaning in a different language."""
    fields = evidence.turn.fields
    demands = [fields.get(name, "") for name in ("instruction", "criteria", "rubric")]
    graded = [fields.get(name, "") for name in evidence.fields]
    about_words = any(map(is_about_language, demands)) or quotes(fields.get("instruction", ""))
    return not (about_words or any(map(is_code, graded)) or quote_each_other(graded))


CAN_BE_TRANSLATED = Precondition(
    name="a translation has the same task",
    stage=Stage.SOURCE_INPUT,
    check=_can_be_translated,
    broken="a translation changes the task: the texts are about wording or a language, quote each other, or are code",
    languages=ENGLISH,
)


NO_GAIN = Unmoved(
    "no-gain",
    True,
    "the edited answer does not gain",
    "The edited answer, which was the worse one, must not become the better one (a score must not rise).",
)
NO_LOSS = Unmoved(
    "no-loss",
    False,
    "the edited answer does not lose",
    "The edited answer, which was the better one, must not become the worse one (a score must not fall).",
)

IDENTICAL = "identical-answers"
"""Name of the relation on identical answers. If a grader may not call a tie, its choice shows a bias."""

BIASES: dict[str, str] = {}
"""The bias shown by a violation of each relation: a property that affects a verdict, although it should not."""

_row = partial(
    row,
    holds=NO_GAIN,
    tasks="graded",
    fields="answer_a, answer_b, answer",
    only_if=(LOST,),
    purpose=ROBUSTNESS,
    enough=ENOUGH,
    tags=("ours", "grading"),
    paper=COBBLER,
    turns="all",
)


def _bias(bias: str, name: str, **more: Any) -> None:
    """Register a relation for graders, and the bias that its violation shows."""
    BIASES[name] = bias
    _row(name, **more)


_pair = partial(_bias, tasks="pairwise-judge", only_if=(), purpose=LOGIC)
_named = partial(_pair, "names", holds="equal", fields="label_a label_b", change="form")
_claim = partial(_bias, "authority", change="pressure")
_style = partial(_bias, "style", only_if=(LOST, STYLE_DOES_NOT_COUNT), purpose="", tags=("ours", "grading", "criteria"))

_pair("position", "swap-answers", holds=Swapped(), fields="answer_a answer_b", paper=MT_BENCH, change="order")
_pair(
    "position",
    IDENTICAL,
    holds="known-answer",
    fields="answer_a answer_b",
    by="copy-answer",
    limits=Limits(shows=frozenset({"tie"})),
    paper=MT_BENCH,
)
_named("answers-as-numbers", by=Step.of("relabel-answers", names="numbers"))
_named("answers-as-letters", by=Step.of("relabel-answers", names="letters"))
_bias("length", "pad-with-truth", by="add-truth", paper=MT_BENCH)
_bias("length", "repeat-ending", paper=MT_BENCH)
_bias("content", "remove-main-sentence", only_if=(LOST, BREVITY_DOES_NOT_COUNT), purpose=LOGIC)
_claim("claim-preferred", by=Step.of("add-claim", claim="preferred"))
_claim("claim-expert", by=Step.of("add-claim", claim="model"))
_claim("claim-student", holds=NO_LOSS, only_if=(WON, BREVITY_DOES_NOT_COUNT), by=Step.of("add-claim", claim="student"))
_bias("self", "claim-own", by=Step.of("add-claim", claim="own"), paper=MT_BENCH, change="pressure")
_bias("instructions", "order-grader", paper=LLMBAR, change="pressure")
_bias(
    "order of the rubric",
    "reverse-rubric",
    holds="equal",
    tasks="rubric-score",
    fields="rubric",
    only_if=(),
    purpose=LOGIC,
    change="order",
)
_bias(
    "language",
    "other-language",
    holds="equal",
    fields="instruction answer_a answer_b, instruction answer rubric",
    only_if=(CAN_BE_TRANSLATED,),
    by="translate-together",
    purpose=LOGIC,
    change="wording",
)
_style("translate-answer", by="translate", change="wording")
_style("add-courtesy", change="wording")
_style("add-markdown", change="form")
_style("add-emoji", change="noise")

LENGTH = "length"
ADDING_TEXT = frozenset({"authority", "self", "instructions", "style"})
"""Biases that are tested by adding text. A grader that prefers long answers favours any addition."""
