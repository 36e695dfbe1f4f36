"""Solvers under test: planted faults are found, a solver without fault is not accused."""

from __future__ import annotations

import json
import re

import pytest

import mutatis
from mutatis.core.relation import RELATIONS

PROBLEMS = [
    {
        "question": f"John has {n} hens, 2 miles away, that lay {n + 7} eggs each. He sells every egg for $3. "
        "How much does he earn?",
        "answer": f"<<{n}*{n + 7}={n * (n + 7)}>>\n<<{n * (n + 7)}*3={n * (n + 7) * 3}>>\n#### {n * (n + 7) * 3}",
    }
    for n in range(32, 44)
]
QUESTIONS = [
    {"question": f"Which number is above {n}?", "options": [f"{n - 4}", f"{n + 5}", f"{n - 9}"], "expected": f"{n + 5}"}
    for n in range(30, 42)
]


def solved(text: str) -> str:
    """Solve the problem as it is written now, whatever stands around it."""
    hens, eggs = re.search(r"has (\d+) hens, 2 \w+ away, that lay (\d+)", text).groups()
    return f"There are {hens} hens. The answer is {int(hens) * int(eggs) * 3}."


def chosen(fields) -> str:
    options = re.findall(r"(\w+)\) (.*)", fields["options"])
    least = int(fields["question"].split()[-1].strip("?"))
    fits = [name for name, words in options if words.isdigit() and int(words) > least]
    return fits[0] if fits else next(name for name, words in options if words == "None of the above")


def violated(run) -> set[str]:
    return {row.relation for row in run.report.summary if row.violated}


VANS = [
    {
        "question": f"Two vans meet. A red van has {n} boxes of {n + 9} pounds. "
        f"A blue van has {n + 3} crates of 7 pounds. How many pounds do both have?",
        "answer": f"<<{n}*{n + 9}={n * (n + 9)}>>\n<<{n + 3}*7={(n + 3) * 7}>>\n"
        f"<<{n * (n + 9)}+{(n + 3) * 7}={n * (n + 9) + (n + 3) * 7}>>\n#### {n * (n + 9) + (n + 3) * 7}",
    }
    for n in range(40, 46)
]
FACTS = ["swap-facts", "metric-units"]


def weighed(text: str) -> str:
    """Add up what both vans carry, in whatever order and unit they are told."""
    loads = re.findall(r"has (\d+) \w+ of (\d+)", text)
    return f"The answer is {sum(int(many) * int(each) for many, each in loads)}."


def solving(solver, tmp_path, task="word-problem", problems=PROBLEMS, defaults=False):
    names = [name for name in RELATIONS if RELATIONS[name].tasks == (task,) and name not in FACTS]
    names = FACTS if problems is VANS else None if defaults else names
    if task == "word-problem":
        (tmp_path / "gsm.jsonl").write_text(
            "".join(json.dumps(problem) + "\n" for problem in problems), encoding="utf-8"
        )
        cases = mutatis.read_cases("gsm8k", tmp_path / "gsm.jsonl")
        system = mutatis.system("function", target=solver, revision="1")
    else:
        (tmp_path / "choice.jsonl").write_text(
            "".join(json.dumps(question) + "\n" for question in QUESTIONS), encoding="utf-8"
        )
        cases = mutatis.read_cases("jsonl", tmp_path / "choice.jsonl", task=task)
        system = mutatis.system("function", target=solver, input="fields", revision="1")
    run = mutatis.run(system, cases, names, out=tmp_path / "out")
    assert all(row.judged for row in run.report.summary)
    return run


def test_a_solver_without_fault_is_not_accused(tmp_path):
    assert violated(solving(solved, tmp_path)) == set()


PLANTED = pytest.mark.parametrize(
    ("solver", "expected"),
    [
        # knows the published problems by heart
        (lambda text: solved(next(p["question"] for p in PROBLEMS)), {"recompute-number"}),
        (lambda text: "The answer is " + max(re.findall(r"\d+", text), key=int), {"recompute-number", "idle-number"}),
        (lambda text: solved(text) if "$" in text else "The answer is 1.", {"euros"}),
        (lambda text: "The answer is 1." if text.startswith("Here") else solved(text), {"ask-first"}),
        (lambda text: solved(text) if "John" in text else "The answer is 1.", {"rename-people"}),
    ],
    ids=["by heart", "largest number", "dollars only", "order", "names"],
)


@PLANTED
def test_the_default_sets_find_planted_faults_of_solvers(solver, expected, tmp_path):
    named = violated(solving(solver, tmp_path, defaults=True))
    assert expected - {"euros"} <= named
    assert bool(named) == bool(expected - {"euros"})


def test_the_default_sets_accuse_no_solver_without_fault(tmp_path):
    assert violated(solving(solved, tmp_path, defaults=True)) == set()


@PLANTED
def test_planted_faults_of_solvers_are_found(solver, expected, tmp_path):
    assert expected <= violated(solving(solver, tmp_path))


@pytest.mark.parametrize(
    ("solver", "expected"),
    [
        (weighed, set()),
        (lambda text: weighed(text) if text.index("red") < text.index("blue") else "The answer is 1.", {"swap-facts"}),
        (lambda text: weighed(text) if "pounds" in text else "The answer is 1.", {"metric-units"}),
    ],
    ids=["right", "order", "units"],
)
def test_independent_facts_and_units_do_not_decide(solver, expected, tmp_path):
    assert violated(solving(solver, tmp_path, problems=VANS)) == expected


def test_a_solution_may_stand_beside_a_problem_of_ones_own(tmp_path):
    lines = [{"question": van["question"], "solution": van["answer"]} for van in VANS]
    cases = mutatis.cases(lines, task="word-problem")
    run = mutatis.run(mutatis.system("function", target=weighed, revision="1"), cases, FACTS, out=tmp_path)
    assert {row.relation: row.satisfied for row in run.report.summary if row.relation in FACTS} == dict.fromkeys(
        FACTS, 6
    )


def test_multiple_choice(tmp_path):
    for name, solver, expected in (
        ("right", chosen, set()),
        ("first", lambda fields: fields["options"][0], {"reverse-options", "none-of-them"}),
        ("never none", lambda fields: "A" if "None" in fields["options"] else chosen(fields), {"none-of-them"}),
        ("letters", lambda fields: chosen(fields) if fields["options"][0] == "A" else "1", {"number-options"}),
    ):
        for defaults in (True, False):
            path = tmp_path / name / str(defaults)
            path.mkdir(parents=True)
            assert violated(solving(solver, path, "multiple-choice", defaults=defaults)) == expected
