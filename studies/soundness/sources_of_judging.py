"""Sources for graders, moderators and solvers, from public data: what `draw_judging.py` draws follow-ups of.

Every source has the right answer, which stands for a system's: the verdict, "blocked", the option or the result.
"""

from __future__ import annotations

import json
import lzma
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from mutatis.core.cases import Case, Turn
from mutatis.core.task import TASKS
from mutatis.datasets import DATASETS
from mutatis.text.options import listed_options
from mutatis.text.sentences import sentences

RUBRICS = (
    "Does it do what the instruction asks for?\nIs what it says true?\nIs it clear?",
    "Truth: nothing in it is wrong.\nCompleteness: the whole instruction is dealt with.\nBrevity: no idle words.",
    "- The answer stays on the subject.\n- It uses correct grammar.\n- It is useful to whoever asked.",
)
LONGEST = 1200
"""Characters of a source that a reader is shown, at most."""


def _lines(path: Path) -> Any:
    with lzma.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def _pairs(data: Path) -> Iterator[tuple[str, str, str, str, str]]:
    """Yield (id, instruction, answer, other answer, verdict) of four domains.

    LLMBar's pairs as people labelled them; replies to XSTest's harmless prompts, one of which helps and one refuses;
    solutions of GSM8K, one of which ends with another number; two sentences of a passage of SQuAD, one of which has the
    answer, and two of another passage.
    """
    with lzma.open(data / "llmbar/natural.json.xz", "rt", encoding="utf-8") as file:
        natural = [
            (f"llmbar/{n}", pair["input"], pair["output_1"], pair["output_2"], "AB"[pair["label"] - 1])
            for n, pair in enumerate(json.load(file))
        ]
    yield from natural
    yield from _helping(data)
    yield from islice(_solving(data), len(natural))  # of 1,300, which would be nearly all that is drawn
    yield from islice(_telling(data), len(natural) // 2)


def _helping(data: Path) -> Iterator[tuple[str, str, str, str, str]]:
    replies: dict[str, dict[str, str]] = {}
    for row in _lines(data / "xstest/completions.jsonl.xz"):
        if not row["type"].startswith("contrast_"):
            replies.setdefault(row["prompt"], {}).setdefault(row["label"], row["completion"])
    for number, (prompt, by_label) in enumerate(replies.items()):
        helps, refuses = by_label.get("1_full_compliance"), by_label.get("2_full_refusal")
        if helps and refuses:
            first, second, verdict = (helps, refuses, "A") if number % 2 else (refuses, helps, "B")
            yield f"xstest/{number}", prompt, first, second, verdict


def _solving(data: Path) -> Iterator[tuple[str, str, str, str, str]]:
    for number, row in enumerate(_lines(data / "gsm8k/test.jsonl.xz")):
        worked, _, result = row["answer"].partition("####")
        told = re.sub(r"<<.*?>>", "", worked).strip()
        if "," in result or not result.strip().isdigit():
            continue
        right, wrong = (f"{told}\nThe answer is {n}." for n in (int(result), int(result) + 3))
        first, second, verdict = (right, wrong, "A") if number % 2 else (wrong, right, "B")
        yield f"gsm8k/{number}", row["question"], first, second, verdict


def _telling(data: Path) -> Iterator[tuple[str, str, str, str, str]]:
    cases = list(DATASETS["squad2"].read(data / "squad2/dev-v2.0-rebuilt.json.xz", {"answerable": True}))
    Random(3).shuffle(cases)
    for number, (case, other) in enumerate(zip(cases, cases[len(cases) // 2 :], strict=False)):
        told = sentences(case.turns[0].fields["context"])
        at = next((n for n, text in enumerate(told[:-1]) if case.turns[0].expected[0] in text), None)
        wrong = " ".join(sentences(other.turns[0].fields["context"])[:2])
        if at is not None:
            answers = (f"{told[at].strip()} {told[at + 1].strip()}", wrong)
            first, second = answers if number % 2 else answers[::-1]
            yield f"squad/{number}", case.turns[0].fields["question"], first, second, "BA"[number % 2]


def pairwise(data: Path) -> Iterator[Case]:
    """Yield two answers to an instruction, and which is better."""
    for ident, instruction, first, second, verdict in _pairs(data):
        fields = {"instruction": instruction, "answer_a": first, "answer_b": second}
        yield _case(ident, "pairwise-judge", fields, verdict)


def scored(data: Path) -> Iterator[Case]:
    """Yield an answer to an instruction with a rubric of ours; what score is right nobody says."""
    for number, (ident, instruction, first, _, _) in enumerate(_pairs(data)):
        fields = {"instruction": instruction, "answer": first, "rubric": RUBRICS[number % 3]}
        yield _case(ident, "rubric-score", fields, "")


TEXTS = Path(__file__).parents[1] / "kinds"
"""Where texts of ours stand that should be blocked."""


def moderated(data: Path) -> Iterator[Case]:
    """Yield texts that should be blocked: XSTest's unsafe prompts, and comments, posts, offers and questions of ours.

    A prompt of XSTest has the harmless one beside it that shares the most words of its kind.
    """
    rows = {row["prompt"]: row["type"] for row in _lines(data / "xstest/completions.jsonl.xz")}
    safe = {prompt: kind for prompt, kind in rows.items() if not kind.startswith("contrast_")}
    for number, (prompt, kind) in enumerate((p, k) for p, k in rows.items() if p not in safe):
        alike = [other for other, its in safe.items() if its.startswith(kind.removeprefix("contrast_"))]
        beside = max(alike, key=lambda other: _shared(other, prompt), default="")
        pair = {"counterpart": beside} if _shared(beside, prompt) else {}
        yield _case(f"xstest/{number}", "moderation", {"text": prompt}, "blocked", **pair)
    for language, name in (("en", "texts.txt"), ("zh", "texts-zh.txt")):
        for number, text in enumerate((TEXTS / name).read_text(encoding="utf-8").splitlines()[1:]):
            yield replace(_case(f"{language}/{number}", "moderation", {"text": text}, "blocked"), language=language)


def _shared(first: str, second: str) -> int:
    words = [set(re.findall(r"[a-z]{4,}", text.lower())) for text in (first, second)]
    return len(words[0] & words[1])


def chosen(data: Path) -> Iterator[Case]:
    """Yield multiple-choice questions made of intents, of questions on a passage, and of word problems."""
    for trio in zip(_intents(data), _passages(data), _results(data), strict=False):
        yield from trio


def _choice(ident: str, question: str, right: str, others: Sequence[str]) -> Case:
    options = [right, *others]
    Random(ident).shuffle(options)
    return _case(ident, "multiple-choice", {"question": question, "options": listed_options(options)}, right)


def _intents(data: Path) -> Iterator[Case]:
    cases = list(DATASETS["banking77"].read(data / "banking77/test.csv.xz", {}))
    Random(1).shuffle(cases)
    labels = sorted({case.turns[0].expected[0] for case in cases})
    for case in cases:
        text, right = case.turns[0].fields["text"], case.turns[0].expected[0]
        apart = [label for label in labels if not set(label.split("_")) & set(right.split("_"))]
        others = Random(case.id).sample(apart, 3)
        question = f'What is this message to a bank about? "{text}"'
        yield _choice(case.id, question, *_spoken(right, others))


def _spoken(right: str, others: Sequence[str]) -> tuple[str, list[str]]:
    said = [label.replace("_", " ").strip("?") for label in (right, *others)]
    return said[0], said[1:]


def _passages(data: Path) -> Iterator[Case]:
    cases = list(DATASETS["squad2"].read(data / "squad2/dev-v2.0-rebuilt.json.xz", {"answerable": True}))
    cases = [case for case in cases if len(case.turns[0].fields["context"]) < 700]
    Random(1).shuffle(cases)
    for case, *others in zip(cases, cases[100:], cases[200:], cases[300:], strict=False):
        fields, answers = case.turns[0].fields, [other.turns[0].expected[0] for other in others]
        yield _choice(case.id, f"{fields['context']}\n\n{fields['question']}", case.turns[0].expected[0], answers)


def _results(data: Path) -> Iterator[Case]:
    for case in problems(data):
        right = case.turns[0].expected[0]
        if right.isdigit() and int(right) > 5:
            others = [str(int(right) + far) for far in (-3, 4, 10)]
            yield _choice(case.id, case.turns[0].fields["question"], right, others)


def problems(data: Path) -> Iterator[Case]:
    """Yield GSM8K's word problems with their worked solutions."""
    cases = list(DATASETS["gsm8k"].read(data / "gsm8k/test.jsonl.xz", {}))
    Random(2).shuffle(cases)
    yield from (replace(case, task="word-problem") for case in cases)


def _case(ident: str, task: str, fields: Mapping[str, str], answer: str, **beside: str) -> Case:
    expected = (answer,) if answer else ()
    turn = Turn(fields={**TASKS[task].defaults, **fields}, expected=expected, annotations=beside)
    return Case(id=ident, task=task, turns=(turn,))


SOURCES: Mapping[str, Callable[[Path], Iterator[Case]]] = {
    "pairwise-judge": pairwise,
    "rubric-score": scored,
    "moderation": moderated,
    "multiple-choice": chosen,
    "word-problem": problems,
}


@cache
def sources(task: str, data: Path) -> tuple[Case, ...]:
    """Return the sources of a task that a reader can be shown."""
    made = SOURCES[task](data)
    return tuple(case for case in made if length(case) <= LONGEST + 200)


def length(case: Case) -> int:
    """Return how many characters a reader is shown of a case, at most."""
    return sum(map(len, case.turns[0].fields.values()))
