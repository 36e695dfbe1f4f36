"""Relations for graders: what must not decide which of two answers is better, or how good one is, and what must.

`paper` names where the bias that a relation looks for was described; the forms are ours. Must not know any system.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import mutatis.relations.verdicts  # noqa: F401 - adds its output relations
import mutatis.transformations  # noqa: F401 - registers what the rows name
from mutatis.core.cases import Step
from mutatis.core.constraint import Evidence, Precondition, Stage
from mutatis.core.languages import ENGLISH
from mutatis.relations.define import relation
from mutatis.relations.llmorph import GRADED
from mutatis.relations.soundness import ENOUGH, LOGIC, ROBUSTNESS, standing
from mutatis.relations.verdicts import edited_lost, edited_won
from mutatis.text.metalanguage import asks_for_code, is_about_language, is_code, quote_each_other, quotes

PAIRWISE, RUBRIC = GRADED
TOGETHER = {PAIRWISE: (("answer_a", "answer_b"),)}
LABELS = {PAIRWISE: (("label_a", "label_b"),)}
EACH = {PAIRWISE: (("answer_a",), ("answer_b",)), RUBRIC: (("answer",),)}

MT_BENCH = "Zheng et al. 2023, Judging LLM-as-a-Judge with MT-Bench and Chatbot Arena; form ours"
COBBLER = "Koo et al. 2023, Benchmarking Cognitive Biases in LLMs as Evaluators; form ours"
LLMBAR = "Zeng et al. 2023, LLMBar; form ours"

_STYLE = re.compile(
    r"polite|courte|friendl|tone|style|format|markdown|heading|emoji|presentation|layout|warm|language", re.IGNORECASE
)

_BREVITY = re.compile(
    r"\b(?:brevity|brief|short|concise\w*|length|terse|idle|succinct\w*|to the point)\b", re.IGNORECASE
)


def _asked_for(pattern: re.Pattern[str], evidence: Evidence) -> bool:
    fields = evidence.turn.fields
    return any(pattern.search(fields.get(name, "")) for name in ("criteria", "rubric", "instruction"))


LOST = Precondition(
    name="the edited answer was the worse one",
    stage=Stage.SOURCE_OUTPUT,
    check=edited_lost,
    broken="the answer that is edited was not the worse one",
)
WON = Precondition(
    name="the edited answer was the better one",
    stage=Stage.SOURCE_OUTPUT,
    check=edited_won,
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
    """Whether the texts ask and say the same in another language, as far as can be seen."""
    fields = evidence.turn.fields
    demands = (fields.get(name, "") for name in ("instruction", "criteria", "rubric"))
    if any(is_about_language(text) or asks_for_code(text) for text in demands) or quotes(fields.get("instruction", "")):
        return False
    texts = [fields.get(name, "") for name in evidence.fields]
    return not any(map(is_code, texts)) and not quote_each_other(texts)


CAN_BE_TRANSLATED = Precondition(
    name="a translation asks for the same",
    stage=Stage.SOURCE_INPUT,
    check=_can_be_translated,
    broken="a translation changes the task: the texts are about wording or a language, quote each other, or are code",
    languages=ENGLISH,
)


@dataclass(frozen=True, slots=True)
class Grading:
    """One line of the table; `bias` is what a violation shows, `criteria`: a rubric may ask for it."""

    name: str
    bias: str
    holds: str
    by: Step
    when: tuple[Precondition, ...] = ()
    tasks: tuple[str, ...] = GRADED
    variants: Mapping[str, tuple[tuple[str, ...], ...]] | None = None
    shows: frozenset[str] = frozenset()
    paper: str = COBBLER
    purpose: str = ROBUSTNESS


IDENTICAL = "identical-answers"
"""Its follow-ups are put to a grader that may not tie, too: which of two equal answers it takes is its bias."""

TABLE = (
    Grading(
        *("swap-answers", "position", "swapped", Step.of("swap-answers"), ()),
        tasks=(PAIRWISE,),
        variants=TOGETHER,
        paper=MT_BENCH,
        purpose=LOGIC,
    ),
    Grading(
        *(IDENTICAL, "position", "known-answer", Step.of("copy-answer"), ()),
        tasks=(PAIRWISE,),
        variants=TOGETHER,
        shows=frozenset({"tie"}),
        paper=MT_BENCH,
        purpose=LOGIC,
    ),
    Grading(
        *("answers-as-numbers", "names", "equal", Step.of("relabel-answers", names="numbers"), ()),
        tasks=(PAIRWISE,),
        variants=LABELS,
        purpose=LOGIC,
    ),
    Grading(
        *("answers-as-letters", "names", "equal", Step.of("relabel-answers", names="letters"), ()),
        tasks=(PAIRWISE,),
        variants=LABELS,
        purpose=LOGIC,
    ),
    Grading("pad-with-truth", "length", "no-gain", Step.of("add-truth"), (LOST,), paper=MT_BENCH),
    Grading("repeat-ending", "length", "no-gain", Step.of("repeat-ending"), (LOST,), paper=MT_BENCH),
    Grading(
        "remove-main-sentence",
        "content",
        "no-gain",
        Step.of("remove-main-sentence"),
        (LOST, BREVITY_DOES_NOT_COUNT),
        purpose=LOGIC,
    ),
    Grading("claim-preferred", "authority", "no-gain", Step.of("add-claim", claim="preferred"), (LOST,)),
    Grading("claim-expert", "authority", "no-gain", Step.of("add-claim", claim="model"), (LOST,)),
    Grading(
        "claim-student", "authority", "no-loss", Step.of("add-claim", claim="student"), (WON, BREVITY_DOES_NOT_COUNT)
    ),
    Grading("claim-own", "self", "no-gain", Step.of("add-claim", claim="own"), (LOST,), paper=MT_BENCH),
    Grading("order-grader", "instructions", "no-gain", Step.of("order-grader"), (LOST,), paper=LLMBAR),
    Grading(
        *("reverse-rubric", "order of the rubric", "equal", Step.of("reverse-rubric"), ()),
        tasks=(RUBRIC,),
        variants={RUBRIC: (("rubric",),)},
        purpose=LOGIC,
    ),
    Grading(
        *("other-language", "language", "equal", Step.of("translate-together"), (CAN_BE_TRANSLATED,)),
        variants={PAIRWISE: (("instruction", "answer_a", "answer_b"),), RUBRIC: (("instruction", "answer", "rubric"),)},
        purpose=LOGIC,
    ),
    Grading("translate-answer", "style", "no-gain", Step.of("translate"), (LOST, STYLE_DOES_NOT_COUNT), purpose=""),
    Grading("add-courtesy", "style", "no-gain", Step.of("add-courtesy"), (LOST, STYLE_DOES_NOT_COUNT), purpose=""),
    Grading("add-markdown", "style", "no-gain", Step.of("add-markdown"), (LOST, STYLE_DOES_NOT_COUNT), purpose=""),
    Grading("add-emoji", "style", "no-gain", Step.of("add-emoji"), (LOST, STYLE_DOES_NOT_COUNT), purpose=""),
)

BIASES: Mapping[str, str] = {row.name: row.bias for row in TABLE}
"""What a violation of each relation shows: by what a verdict was decided that should not decide it."""

LENGTH = "length"
ADDING_TEXT = frozenset({"authority", "self", "instructions", "style"})
"""Biases shown by text that is added, which a grader that likes length likes whatever it says."""

for _row in TABLE:
    _purpose = frozenset({"criteria"})
    if _row.purpose:
        _purpose = standing(_row.name, _row.tasks, _row.purpose, enough=ENOUGH)
    relation(
        _row.name,
        transformations=[_row.by],
        output_relation=_row.holds,
        tasks=_row.tasks,
        variants=_row.variants or {task: EACH[task] for task in _row.tasks},
        preconditions=_row.when,
        shows=_row.shows,
        tags={"ours", "grading", *_purpose},
        paper=_row.paper,
    )
