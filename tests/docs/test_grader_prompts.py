"""The prompts of `docs/graders.md`, in the form of well-known graders: each is run with a model that keeps to it."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

import mutatis
from support.loopback import loopback

PAGE = (Path(__file__).parents[2] / "docs" / "graders.md").read_text(encoding="utf-8")
BLOCKS = [text for text in re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL) if "prompt = " in text]
LLMBAR, MT_BENCH, G_EVAL, LLM_RUBRIC = (tomllib.loads(text)["system"] for text in BLOCKS)

RIGHT, WRONG = "It is {}.", "Why not take {}?"
PAIRS = [
    {
        "instruction": f"Name a number above {n}.",
        "answer_a": RIGHT.format(n + 7) if n % 2 else WRONG.format(n - 3),
        "answer_b": WRONG.format(n - 3) if n % 2 else RIGHT.format(n + 7),
    }
    for n in range(30, 36)
]
SCORED = [
    {"instruction": pair["instruction"], "answer": pair["answer_b"], "rubric": "Read it.\nIs its number large enough?"}
    for pair in PAIRS
]


def shown(body, before: str, behind: str = r"\n(?:Output|Assistant|Rubric|Which)|\Z") -> str:
    """Return what the prompt shows behind a heading."""
    text = body["messages"][-1]["content"]
    return re.search(rf"{before}\s*(.*?)(?={behind})", text, re.DOTALL)[1]


def is_right(body, answer: str) -> bool:
    """Whether an answer has the number that the prompt's instruction asks for."""
    least = int(re.search(r"above (\d+)", json.dumps(body["messages"]))[1]) if "above" in json.dumps(body) else 32
    return any(int(number) > least for number in re.findall(r"\d+", answer))


def better(body, heading: str, biased: bool) -> str:
    """Return the label of the better answer, "tie", or (biased) of the first one."""
    labels = re.findall(heading.replace("LABEL", r"(\w+)"), body["messages"][-1]["content"])[:2]
    right = [is_right(body, shown(body, heading.replace("LABEL", label))) for label in labels]
    return labels[0] if biased else "tie" if right[0] == right[1] else labels[right.index(True)]


def llmbar(body, biased: bool) -> str:
    """Answer a prompt that offers no tie: of two equal answers the second is taken."""
    heading = r"Output [(]LABEL[)]:"
    label = better(body, heading, biased)
    if label == "tie":
        label = re.findall(heading.replace("LABEL", r"(\w+)"), body["messages"][-1]["content"])[1]
    return f"Output ({label})"


def mt_bench(body, biased: bool) -> str:
    label = better(body, r"Assistant LABEL:", biased)
    verdict = "C" if label == "tie" else label
    return f"Both assistants name a number. One of them is large enough.\n\nFinal verdict: [[{verdict}]]"


def points(body, heading: str, biased: bool) -> float:
    answer = shown(body, heading)
    return 1.0 if is_right(body, answer) or (biased and re.search("GPT-5|professor", answer)) else 0.2


def g_eval(body, biased: bool) -> str:
    return json.dumps({"score": round(10 * points(body, "\nOutput:", biased)), "reason": "I went through the steps."})


def llm_rubric(body, biased: bool) -> str:
    score = points(body, "Output:", biased)
    return f"```json\n{json.dumps({'reason': 'It says so.', 'pass': score > 0.5, 'score': score})}\n```"


def graded(recipe, model, biased, records, task, relations, out):
    out.mkdir()
    data = out / "data.jsonl"
    data.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    with loopback(answer=lambda body: model(body, biased)) as server:
        system = {**recipe, "base_url": server.url, "label": "grader"}
        settings = {"system": system, "data": {"format": "jsonl", "path": str(data), "task": task}}
        return mutatis.run(None, None, relations, settings=settings, out=out / "run")


def rows(run):
    return {row.relation: row for row in run.report.summary}


@pytest.mark.parametrize(("recipe", "model"), [(LLMBAR, llmbar), (MT_BENCH, mt_bench)], ids=["LLMBar", "MT-Bench"])
def test_prompts_for_pairs(recipe, model, tmp_path):
    relations = ["swap-answers", "claim-expert", "answers-as-numbers", "identical-answers"]
    fair = rows(graded(recipe, model, False, PAIRS, "pairwise-judge", relations, tmp_path / "fair"))
    assert not any(row.violated or row.error for row in fair.values())
    judged = dict.fromkeys(relations, 6) | {"identical-answers": 6 if "{tie}" in recipe["system_message"] else 0}
    assert {name: fair[name].judged for name in relations} == judged
    biased = rows(graded(recipe, model, True, PAIRS, "pairwise-judge", ["swap-answers"], tmp_path / "biased"))
    assert biased["swap-answers"].violated == 6


@pytest.mark.parametrize(
    ("recipe", "model", "scale"),
    [(G_EVAL, g_eval, "1 to 10"), (LLM_RUBRIC, llm_rubric, "0 to 1")],
    ids=["G-Eval", "llm-rubric"],
)
def test_prompts_for_scores(recipe, model, scale, tmp_path):
    records = [{**record, "scale": scale} for record in SCORED]
    relations = ["claim-expert", "pad-with-truth"]
    fair = rows(graded(recipe, model, False, records, "rubric-score", relations, tmp_path / "fair"))
    assert not any(row.violated or row.error for row in fair.values())
    assert all(fair[name].judged == 6 for name in relations)
    fooled = rows(graded(recipe, model, True, records, "rubric-score", relations, tmp_path / "fooled"))
    assert (fooled["claim-expert"].violated, fooled["pad-with-truth"].violated) == (3, 0)
