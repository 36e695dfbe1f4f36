"""Graders under test: planted faults are found, a grader without fault is not accused."""

from __future__ import annotations

import io
import json
import re

import pytest

import mutatis
from mutatis.core.relation import RELATIONS
from mutatis.recipes.source_metrics import GradingMetrics
from mutatis.relations.grading import BIASES
from mutatis.reports.markdown import render_markdown
from mutatis.reports.overview import overview_sentences
from mutatis.reports.terminal import console, print_report
from mutatis.testing import ScriptedHelper

GOOD, BAD = "It is {}. That is above it.", "You could take {}, which I like. It is a fine number."
PAIRS = [
    {
        "instruction": f"Name a number above {n}.",
        "answer_a": GOOD.format(n + 7) if n % 2 else BAD.format(n - 3),
        "answer_b": BAD.format(n - 3) if n % 2 else GOOD.format(n + 7),
    }
    for n in range(30, 42)
]
SCORED = [
    {"instruction": pair["instruction"], "answer": pair[name], "rubric": "Is it true?\nIs it short?"}
    for pair, name in zip(PAIRS, ("answer_a", "answer_b") * 6, strict=True)
]


NAMES = ("answer_a", "answer_b")
FREE = [name for name in BIASES if not RELATIONS[name].needs_helper]
GRADING = [name for name in FREE if "pairwise-judge" in RELATIONS[name].tasks]


def holds(fields, answer: str) -> bool:
    """Whether an answer has the number that was asked for."""
    least = int(fields["instruction"].split()[-1].strip("."))
    return any(int(number) > least for number in re.findall(r"\d+", answer))


def right(fields) -> str:
    """Prefer the answer with the number that was asked for."""
    first, second = (holds(fields, fields[name]) for name in NAMES)
    return "tie" if first == second else "A" if first else "B"


def longer(fields) -> str:
    """Prefer the longer answer."""
    first, second = (len(fields[name]) for name in NAMES)
    return "tie" if first == second else "A" if first > second else "B"


def swayed_by(words: str):
    """Return a grader that prefers the answer in which some words stand, if there is one."""

    def grader(fields) -> str:
        said = [bool(re.search(words, fields[name])) for name in NAMES]
        return right(fields) if said[0] == said[1] else "A" if said[0] else "B"

    return grader


def graded(grader, tmp_path, *relations, pairs=PAIRS, task="pairwise-judge"):
    system = mutatis.system("function", target=grader, input="fields", revision="1", label="grader")
    return mutatis.run(system, mutatis.cases(pairs, task=task), list(relations) or None, out=tmp_path)


def violated(run) -> set[str]:
    return {row.relation for row in run.report.summary if row.violated}


def outcomes(run):
    return {row.relation: (row.satisfied, row.violated) for row in run.report.summary if row.relation != "no-change"}


def test_a_grader_that_goes_by_the_answers_swaps_its_verdict(tmp_path):
    assert outcomes(graded(right, tmp_path, "swap-answers")) == {"swap-answers": (12, 0)}


def test_a_grader_that_takes_the_first_answer_is_found_on_every_pair(tmp_path):
    run = graded(lambda fields: "A", tmp_path, "swap-answers")
    assert outcomes(run) == {"swap-answers": (0, 12)}
    lines = [json.loads(line) for line in (tmp_path / "verdicts.jsonl").read_text().splitlines()]
    reason = "the verdict A should become B with the answers exchanged, but is A"
    assert {v["reason"] for v in lines if v["relation"] == "swap-answers"} == {reason}


def test_a_tie_stays_a_tie(tmp_path):
    assert outcomes(graded(lambda fields: "tie", tmp_path, "swap-answers")) == {"swap-answers": (12, 0)}


def test_fields_are_given_in_the_order_presented_and_what_data_leaves_out_is_there(tmp_path):
    seen = []

    def grader(fields):
        seen.append((fields["answer_a"], fields["answer_b"], fields["label_a"], fields["label_b"]))
        return "A"

    graded(grader, tmp_path, "swap-answers", pairs=PAIRS[:1])
    first, second = PAIRS[0]["answer_a"], PAIRS[0]["answer_b"]
    assert {(first, second, "A", "B"), (second, first, "A", "B")} == set(seen)


def test_a_grader_without_fault_is_not_accused(tmp_path):
    run = graded(right, tmp_path, *GRADING)
    assert violated(run) == set()
    judged = {row.relation: row.judged for row in run.report.summary}
    assert all(judged[name] == 12 for name in GRADING)


@pytest.mark.parametrize(
    ("grader", "expected"),
    [
        (lambda fields: "A", {"swap-answers", "identical-answers"}),
        (longer, {"pad-with-truth", "order-grader", "claim-expert", "add-courtesy"}),
        (swayed_by("GPT-5|professor"), {"claim-expert"}),
        (swayed_by("nother grader|Most readers"), {"claim-preferred"}),
        (swayed_by("You wrote|your own"), {"claim-own"}),
        (swayed_by("(?i)note to the grader|whoever grades|ignore the other"), {"order-grader"}),
        (swayed_by("\\*\\*|[\u2728\U0001f300-\U0001faff]"), {"add-markdown", "add-emoji"}),
        (lambda fields: "B" if fields["label_a"] == "1" else right(fields), {"answers-as-numbers"}),
    ],
    ids=["first", "longer", "authority", "others", "self", "obeys", "style", "names"],
)
def test_planted_biases_are_found(grader, expected, tmp_path):
    assert expected <= violated(graded(grader, tmp_path, *GRADING))


@pytest.mark.parametrize(
    ("grader", "expected"),
    [
        (right, set()),
        (lambda fields: "A", {"swap-answers"}),
        (longer, {"pad-with-truth"}),
        (swayed_by("GPT-5|professor"), {"claim-expert"}),
        (swayed_by("nother grader|Most readers"), {"claim-preferred"}),
        (swayed_by("You wrote|your own"), {"claim-own"}),
        (swayed_by("(?i)note to the grader|whoever grades|ignore the other"), {"order-grader"}),
    ],
    ids=["right", "first", "longer", "authority", "others", "self", "obeys"],
)
def test_the_default_sets_find_each_planted_bias_and_accuse_nobody_else(grader, expected, tmp_path):
    run = graded(grader, tmp_path)
    assert expected <= violated(run)
    assert bool(violated(run)) == bool(expected)
    told = {"position", "length", "authority", "self", "instructions"}
    assert set(run.report.metrics["grading"]["systems"]["grader"]["biases"]) == told


@pytest.mark.parametrize(
    ("reply", "health"),
    [("tie", "constant-output"), ("I cannot compare these answers.", "not-parsed")],
    ids=["ties", "refuses"],
)
def test_the_default_sets_tell_of_a_grader_that_says_nothing(reply, health, tmp_path):
    run = graded(lambda fields: reply, tmp_path)
    assert health in {check.name for check in run.report.health}
    assert not violated(run)


def test_a_grader_that_a_beginners_note_puts_off_is_found(tmp_path):
    def grader(fields) -> str:
        doubted = [bool(re.search("student|beginner", fields[name])) for name in NAMES]
        return right(fields) if doubted[0] == doubted[1] else "B" if doubted[0] else "A"

    assert violated(graded(grader, tmp_path, *GRADING)) == {"claim-student"}


def test_a_prompt_that_offers_no_tie_is_not_asked_for_one(tmp_path):
    said = {
        "system_message": "You judge.",
        "prompt": "{instruction}\n1: {answer_a}\n2: {answer_b}\nWhich is better, 1 or 2?",
        "input": "messages",
    }
    (tmp_path / "bot.py").write_text("def answer(messages):\n    return '1'\n")
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(pair) + "\n" for pair in PAIRS))
    run = mutatis.run(
        None,
        None,
        ["identical-answers", "answers-as-numbers", "swap-answers"],
        settings={
            "system": {"type": "function", "target": str(tmp_path / "bot.py:answer"), **said},
            "data": {"format": "jsonl", "path": str(tmp_path / "pairs.jsonl"), "task": "pairwise-judge"},
        },
        out=tmp_path / "out",
    )
    assert outcomes(run) == {"identical-answers": (0, 0), "answers-as-numbers": (0, 0), "swap-answers": (0, 12)}
    # Which of two equal answers it takes, where it has to take one, is no finding; it tells of its bias.
    [numbers] = run.report.metrics["grading"]["systems"].values()
    told = {"of": 12, "verdicts": 12, "share": 1.0, "interval": [0.7575, 1.0]}
    assert numbers["preferences"]["first_of_equals"] == told
    assert numbers["biases"]["position"]["judged"] == 12
    [row] = [row for row in run.report.summary if row.relation == "identical-answers"]
    assert (row.invalid, row.error) == (12, 0)
    verdicts = [json.loads(line) for line in (tmp_path / "out" / "verdicts.jsonl").read_text().splitlines()]
    reasons = {v["reason"] for v in verdicts if v["relation"] == "identical-answers"}
    assert reasons == {"the prompt does not show tie"}


def test_the_first_sentence_says_which_bias_is_largest(tmp_path):
    run = graded(lambda fields: "A" if "GPT-5" in fields["answer_a"] else right(fields), tmp_path, *GRADING)
    assert run.report.metrics["grading"]["systems"]["grader"]["largest"] == "authority"
    [told] = overview_sentences(run.report)
    assert told.text.startswith("is influenced most by authority, which decides ")
    assert (
        render_markdown(run.report).splitlines()[2].startswith("grader is influenced most by authority, which decides ")
    )
    shown = io.StringIO()
    print_report(run.report, console(width=120, file=shown))
    assert "\ngrader is influenced most by authority, which decides " in shown.getvalue()
    first = graded(lambda fields: "A", tmp_path / "first", "swap-answers")
    numbers = first.report.metrics["grading"]["systems"]["grader"]
    assert numbers["biases"]["position"] | {"interval": None} == {
        **{"judged": 12, "decided": 12, "share": 1.0, "interval": None},
        **{"keeps_to_first": 12, "keeps_to_second": 0},
    }
    assert numbers["preferences"]["first"] == {"of": 12, "verdicts": 12, "share": 1.0, "interval": [0.7575, 1.0]}
    assert overview_sentences(first.report)[0].text.startswith(
        "is influenced most by position, which decides 12 of 12 verdicts (100 %"
    )


def test_of_biases_that_are_as_large_the_one_that_decides_more_verdicts_is_told(tmp_path):
    run = graded(swayed_by("GPT-5|professor|nother grader|Most readers|You wrote|your own"), tmp_path)
    numbers = run.report.metrics["grading"]["systems"]["grader"]
    shares = {name: (bias["decided"], bias["share"]) for name, bias in numbers["biases"].items() if bias["decided"]}
    assert shares == {"authority": (24, 1.0), "self": (12, 1.0)}
    assert numbers["largest"] == "authority"
    assert "authority, which decides 24 of 24 verdicts" in overview_sentences(run.report)[0].text


def longer(fields: dict[str, str]) -> str:
    return "A" if len(fields["answer_a"].split()) >= len(fields["answer_b"].split()) else "B"


def test_a_grader_that_likes_what_is_longer_is_swayed_by_length_whatever_is_added(tmp_path):
    """An order to the grader is added text, too, and decides more verdicts than padding does."""
    run = graded(longer, tmp_path, "pad-with-truth", "order-grader", "claim-preferred", "claim-expert", "claim-own")
    grader = run.report.metrics["grading"]["systems"]["grader"]
    biases = grader["biases"]
    assert {name for name, bias in biases.items() if bias["decided"]} == {"length", "instructions", "authority", "self"}
    assert biases["instructions"]["share"] > biases["length"]["share"]
    assert grader["largest"] == "length"
    violated = sum(row.violated for row in run.summary)  # every one of them by the text that was added
    assert violated > 20
    assert overview_sentences(run.report)[0].text.startswith(
        f"is influenced most by length, which decides {violated} of 60 verdicts"
    )
    without = graded(
        longer, tmp_path / "without", "order-grader", "claim-preferred", "claim-own"
    )  # nobody looked for it
    assert without.report.metrics["grading"]["systems"]["grader"]["largest"] == "instructions"


def translated(prompt: str) -> dict[str, str]:
    """Return the texts of a prompt as a helper would translate them: their numbers stay."""
    texts = re.findall(r"<([a-z_]+)-\w+>\n(.*?)\n</\1-\w+>", prompt, re.DOTALL)
    return {name: "Deutsch: " + text for name, text in texts}


@pytest.mark.parametrize("fair", [True, False])
def test_the_verdict_must_be_the_same_in_another_language(fair, tmp_path):
    def grader(fields) -> str:
        german = [fields[name].startswith("Deutsch: ") for name in NAMES]
        return "B" if all(german) and not fair else "AB"[german[1]] if any(german) and not fair else right(fields)

    system = mutatis.system("function", target=grader, input="fields", revision="1", label="grader")
    names = ["other-language", "translate-answer"]
    cases = mutatis.cases(PAIRS, task="pairwise-judge")
    run = mutatis.run(system, cases, names, helper=ScriptedHelper(translated), out=tmp_path)
    assert outcomes(run) == {
        "other-language": (12, 0) if fair else (6, 6),
        "translate-answer": (12, 0) if fair else (0, 12),
    }


def language_verdicts(pairs, folder, helper):
    """Return outcome and reason of each pair of `other-language`."""
    system = mutatis.system("function", target=right, input="fields", revision="1", label="grader")
    mutatis.run(system, mutatis.cases(pairs, task="pairwise-judge"), ["other-language"], helper=helper, out=folder)
    lines = [json.loads(line) for line in (folder / "verdicts.jsonl").read_text().splitlines()]
    return [(v["outcome"], v["reason"]) for v in lines if v["relation"] == "other-language"]


def test_all_texts_of_a_pair_are_translated_by_one_question(tmp_path):
    helper = ScriptedHelper(translated)
    assert {outcome for outcome, _ in language_verdicts(PAIRS[:3], tmp_path, helper)} == {"satisfied"}
    assert len(helper.prompts) == 3
    for pair in PAIRS[:3]:  # who of the three asks first is up to chance
        assert sum(all(text in prompt for text in pair.values()) for prompt in helper.prompts) == 1


@pytest.mark.parametrize(
    "changed",
    [
        {"instruction": "Name a synonym of big above 3."},
        {"instruction": "Spell the number above 3."},
        {"instruction": 'Explain "above" with 3.'},
        {"instruction": "Write a Python function for a number above 3."},
        {"instruction": "Talk about who wears short shorts above 3", "answer_a": 'In "Who wears short shorts" 9 sing.'},
        {"answer_b": "def answer(n):\n    return n + 3"},
        {"criteria": "whether its grammar is right"},
    ],
    ids=["synonym", "spelling", "quoted", "program", "quoted answer", "code", "criteria"],
)
def test_what_is_about_wording_or_is_code_is_not_translated(changed, tmp_path):
    helper = ScriptedHelper(translated)
    [(outcome, reason)] = language_verdicts([PAIRS[0] | changed], tmp_path, helper)
    assert outcome == "invalid"
    assert "a translation changes the task" in reason
    assert not helper.prompts


@pytest.mark.parametrize(
    ("spoilt", "reason"),
    [
        (lambda made: made | {"answer_a": made["answer_b"]}, "different numbers"),
        (lambda made: made | {"answer_a": made["answer_a"].replace("27", "28")}, "different numbers"),
        (lambda made: dict.fromkeys(made, "Eine Zahl."), "got the same translation"),
        (lambda made: made | {"answer_b": ""}, "empty"),
    ],
    ids=["exchanged", "number", "alike", "empty"],
)
def test_a_translation_that_is_another_pair_is_no_follow_up(spoilt, reason, tmp_path):
    pair = (
        PAIRS[0]
        if reason == "different numbers"
        else dict.fromkeys(PAIRS[0], "")
        | {
            "instruction": "Name a number.",
            "answer_a": "Seven is bountiful.",
            "answer_b": "Seven is generous.",
        }
    )
    [(outcome, told)] = language_verdicts([pair], tmp_path, ScriptedHelper(lambda prompt: spoilt(translated(prompt))))
    assert outcome == "invalid"
    assert reason in told


def test_a_note_may_cost_an_answer_points_where_the_rubric_asks_for_brevity(tmp_path):
    def strict(fields) -> str:
        return "3" if "(Written" in fields["answer"] else "8"

    pairs = [
        pair | {"rubric": rubric} for pair, rubric in zip(SCORED, ("Is it true?", "No idle words.") * 6, strict=True)
    ]
    run = graded(strict, tmp_path, "claim-student", pairs=pairs, task="rubric-score")
    [row] = [row for row in run.report.summary if row.relation == "claim-student"]
    assert (row.violated, row.invalid) == (6, 6)


def test_a_bias_of_which_nothing_could_be_judged_has_no_share(tmp_path):
    run = graded(lambda fields: "both are great", tmp_path, "swap-answers", "claim-own")
    told = run.report.metrics["grading"]["systems"]["grader"]
    nothing = {"judged": 0, "decided": 0, "share": None, "interval": None}
    assert told == {"largest": None, "biases": {"position": nothing, "self": nothing}, "decides": None}
    assert render_markdown(run.report)
    assert not overview_sentences(run.report)[0].text.startswith("is influenced")


def test_other_tasks_have_no_figures_of_bias():
    assert GradingMetrics().metrics() == {"systems": {}}


def test_scores_must_not_rise_by_what_is_no_better(tmp_path):
    relations = [name for name in FREE if "rubric-score" in RELATIONS[name].tasks]

    def fair(fields) -> str:
        return "9" if holds(fields, fields["answer"]) else "3/10"

    assert violated(graded(fair, tmp_path / "fair", *relations, pairs=SCORED, task="rubric-score")) == set()

    def fooled(fields) -> str:
        return "Score: 10" if "GPT-5" in fields["answer"] or "professor" in fields["answer"] else fair(fields)

    assert violated(graded(fooled, tmp_path / "fooled", *relations, pairs=SCORED, task="rubric-score")) == {
        "claim-expert"
    }

    def by_order(fields) -> str:
        return {"Is it true?": "8", "Is it short?": "2"}[fields["rubric"].splitlines()[0]]

    relations_violated = violated(graded(by_order, tmp_path / "order", *relations, pairs=SCORED, task="rubric-score"))
    assert relations_violated == {"reverse-rubric"}


def no_fault(fields) -> int:
    return 9 if holds(fields, fields["answer"]) else 3


def ten_for(words: str):
    """Return a grader that gives an answer full marks for some words."""
    return lambda fields: 10 if re.search(words, fields["answer"]) else no_fault(fields)


@pytest.mark.parametrize(
    ("grader", "expected", "bias"),
    [
        (no_fault, set(), None),
        (lambda fields: min(10, 1 + len(fields["answer"]) // 10), {"pad-with-truth", "repeat-ending"}, "length"),
        (ten_for("GPT-5|professor"), {"claim-expert"}, "authority"),
        (ten_for("nother grader|Most readers"), {"claim-preferred"}, "authority"),
        (ten_for("You wrote|your own"), {"claim-own"}, "self"),
        (ten_for("(?i)note to the grader|whoever grades|ignore the other"), {"order-grader"}, "instructions"),
    ],
    ids=["right", "longer", "authority", "others", "self", "obeys"],
)
def test_the_default_sets_find_each_planted_bias_of_scores(grader, expected, bias, tmp_path):
    run = graded(grader, tmp_path, pairs=SCORED, task="rubric-score")
    assert expected <= violated(run)
    assert bool(violated(run)) == bool(expected)
    assert run.report.metrics["grading"]["systems"]["grader"]["largest"] == bias


@pytest.mark.parametrize(
    ("relation", "reason"),
    [
        ("order-grader", "the score should not rise: 2 became 4"),
        ("reverse-rubric", "answers should be the same, but differ: 2 / 4"),
    ],
)
def test_scores_are_shown_as_the_grader_gave_them(relation, reason, tmp_path):
    pairs = [pair | {"scale": "1 to 5"} for pair in SCORED]

    def grader(fields) -> str:
        obeys = "rade" in fields["answer"] or not fields["rubric"].startswith("Is it true?")
        return "Rating: 4" if obeys else "Rating: 2"

    run = graded(grader, tmp_path, relation, pairs=pairs, task="rubric-score")
    first = run.report.findings[0]
    assert (first.source.response.value, first.source.response.points) == (0.25, "2")
    assert reason in first.why
    out = io.StringIO()
    print_report(run.report, console(width=120, file=out))
    assert "'2' -> '4'" in out.getvalue()
