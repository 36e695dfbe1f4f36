"""Dialogue campaigns: follow-ups, accounting, shared checks, shrinking, bad input."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import mutatis
from mutatis.api import read_cases
from mutatis.campaign.events import FollowUpMade
from mutatis.context import ContextCheck
from mutatis.core.cases import Case, Step, Turn
from mutatis.core.errors import UsageError
from mutatis.core.relation import RELATIONS, MetamorphicRelation
from mutatis.core.system import Conversation
from mutatis.core.verdict import Verdict
from mutatis.recipes import RECIPES
from mutatis.recipes.mortar import MORTAR
from mutatis.relations.mortar import PERTURBATION_OF
from mutatis.relations.output import Equal
from mutatis.testing import ScriptedSystem
from support import dialogues as D


def parrot(label: str = "parrot") -> ScriptedSystem:
    """Answers with the question."""
    return ScriptedSystem(lambda conversation: conversation.fields["question"], label)


def confused(cases: Sequence[Case]) -> ScriptedSystem:
    """Knows every answer by its place in the dialogue; is lost where the order is another."""
    known = {case.id: case for case in cases}

    def answer(conversation: Conversation) -> str:
        case = known[conversation.case_id.partition("~")[0]]
        turns = case.turns[: len(conversation.history) + 1]
        shown = [*(fields["question"] for fields, _ in conversation.history), conversation.fields["question"]]
        near = len(shown) == len(turns) and all(
            text[-1] == turn.fields["question"][-1] and abs(len(text) - len(turn.fields["question"])) < 25
            for text, turn in zip(shown, turns, strict=True)
        )
        right = turns[-1].expected[0] if near and len(shown) == len(turns) else "lost"
        same = shown[-1] == turns[-1].fields["question"] or not any(
            shown[-1] == turn.fields["question"] for turn in case.turns
        )
        return right if same else "lost"

    return ScriptedSystem(answer, "confused")


def talk(name: str, number: int, **more) -> Case:
    texts = [f"What is thing {i} of {name}?" for i in range(number)]
    turns = tuple(
        Turn(fields={"question": text}, expected=(f"{i}",), annotations={"rewrite": text})
        for i, text in enumerate(texts)
    )
    return Case(id=f"d/{name}", turns=turns, **more)


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5, 9, 10, 11, 16, 23])
def test_follow_ups_are_as_long_as_the_papers_say(number: int) -> None:
    lengths: dict[str, int] = {}

    def listen(event) -> None:
        if isinstance(event, FollowUpMade):
            steps = event.case.derivation.steps
            lengths[PERTURBATION_OF.get(steps[0].transformation, "RBT")] = len(event.case.turns)

    D.campaign(parrot(), [talk("a", number)], on_event=listen)
    less, more = number - math.floor(0.3 * number), number + math.floor(0.2 * number)
    assert lengths == {"DRS": number, "DRR": less, "DRD": more, "DSR": less, "DSD": more, "RBT": number}


def test_the_identity_order_is_equivalent_at_every_turn() -> None:
    seen: list[str] = []
    cases = D.talks(2)
    for extractor in ("offline", "gold"):
        kept = MetamorphicRelation.of(
            name="kept",
            transformations=(Step(transformation="identity-order"),),
            output_relation=Equal(),
            tasks=("dialogue",),
            annotator=ContextCheck(extractor=extractor),
            unchanged="keep",
        )

        def listen(event) -> None:
            if isinstance(event, FollowUpMade):
                seen.extend(turn.annotations["context"] for turn in event.case.turns)

        D.campaign(parrot(), cases, relations=(kept,), on_event=listen)
    assert seen == ["equivalent"] * 40


def test_accounting_holds_on_the_shipped_dialogues() -> None:
    path = Path(sys.modules["mutatis"].__file__).parent / "datasets" / "samples" / "dialogues.json"
    cases = read_cases("coqa", path)
    assert len(cases) >= 12
    for recipe, tag in (("mortar", "tag:mortar"), ("mortar_v1", "tag:mortar-v1")):
        names = (tag, "reference-based")
        metrics = D.campaign(parrot(), cases, names, recipe=recipe)["metrics"][recipe]
        figures = metrics["systems"]["parrot"]
        assert figures["seeds"] == len(cases)
        assert figures["test_cases"] == 5 * len(cases)
        assert figures["detections"]["total"] == sum(n for key, n in figures["detections"].items() if key != "total")
        pairs = figures["detections"]["mr1"] + (figures["detections"]["mr2"] if recipe == "mortar" else 0)
        left_out = figures["unanswerable"] if recipe == "mortar" else 0
        assert figures["turns"] - left_out - figures["undecided_context"] == pairs
        assert sum(figures["levels"].values()) == figures["nbugs"]


def test_single_turn_testing_is_compared_on_the_same_seeds() -> None:
    relations = D.chosen(("tag:mortar", "tag:metal", "reference-based"), ContextCheck(extractor="gold"))
    loose = {"least_cosine": -1.0}  # no question is put back, so that nothing has to be embedded
    relations = tuple(
        replace(r, transformations=tuple(replace(step, parameters=loose) for step in r.transformations))
        if "metal" in r.tags
        else r
        for r in relations
    )
    cases = D.talks(3)
    report = D.campaign(confused(cases), cases, relations=relations)
    compared = report["metrics"]["mortar"]
    single = compared["methods"]["metal"]["confused"]
    assert single["test_cases"] == 4 * 3
    assert single["turns"] == 4 * 30
    changed = sum(row["changed"] for row in single["per_perturbation"].values())
    assert single["detections"]["total"] == changed > 0
    unique = compared["uniqueness"]["confused"]
    assert set(unique) == {"all_seeds", "common_seeds", "critical"}
    assert unique["all_seeds"]["mortar"]["share"] == 1.0  # only another order confuses it
    assert unique["all_seeds"]["metal"]["questions"] == 0


@pytest.mark.parametrize(
    "data", ["coqa/coqa-dev-rebuilt.json.xz", "canard/dev.json.xz", "quac/quac-dev-sample-from-cosquac.json.xz"]
)
def test_accounting_holds_on_real_dialogues(shared_data: Path, data: str) -> None:
    cases = read_cases(data.partition("/")[0], shared_data / data, limit=6)
    for recipe, names in (("mortar", ("tag:mortar",)), ("mortar_v1", ("tag:mortar-v1",))):
        figures = D.campaign(parrot(), cases, names, recipe=recipe)["metrics"][recipe]["systems"]["parrot"]
        assert figures["test_cases"] == 30
        assert figures["detections"]["total"] > 0


def test_accounting_holds_for_some_of_the_relations_and_for_several_repeats() -> None:
    cases = D.talks(3)
    figures = D.campaign(parrot(), cases, ("context-preserving",))["metrics"]["mortar"]["systems"]["parrot"]
    assert list(figures["detections"]) == ["mr1", "total"]
    assert figures["levels"] is None
    two = D.campaign(parrot(), cases, repeats=2)["metrics"]["mortar"]["systems"]["parrot"]
    assert two == D.campaign(parrot(), cases)["metrics"]["mortar"]["systems"]["parrot"]


def test_a_second_system_is_judged_from_the_same_follow_ups() -> None:
    cases, check = D.talks(4), D.Counting(extractor="gold")
    right, other = D.oracle(cases, label="one"), D.oracle(cases, lambda q, h, a: "nonsense", label="other")
    report = D.campaign([right, other], cases, check=check)
    assert check.calls == 4 * 5  # five perturbations, once each, for both systems
    systems = report["metrics"]["mortar"]["systems"]
    assert systems["one"]["nbugs"] == 0
    assert systems["other"]["nbugs"] > 0
    assert {k: systems["one"][k] for k in ("turns", "detections", "undecided_context")} == {
        k: systems["other"][k] for k in ("turns", "detections", "undecided_context")
    }


def test_equal_prefixes_are_asked_once() -> None:
    system = parrot()
    report = D.campaign(system, [talk("a", 10)])
    queries = report["run"]["queries"]
    assert queries["paid"] == system.count
    assert queries["logical"] == 10 + 10 + 7 + 12 + 7 + 12 + 10  # source, five perturbations, the unperturbed order
    assert queries["paid"] < queries["logical"]


def test_findings_shrink_to_the_smallest_dialogue_that_still_violates() -> None:
    cases = [talk("a", 12)]

    def poisoned(conversation: Conversation) -> str:
        """Be wrong about thing 7 whenever thing 3 was asked before thing 2."""
        said = [fields["question"] for fields, _ in conversation.history]
        before = [text.split()[3] for text in said]
        wrong = conversation.fields["question"].startswith("What is thing 7") and "3" in before
        wrong = wrong and ("2" not in before or before.index("3") < before.index("2"))
        return "wrong" if wrong else conversation.fields["question"].split()[3]

    shrunk = []
    for seed in range(4):
        gold = ContextCheck(extractor="gold")
        report = D.campaign(
            ScriptedSystem(poisoned), cases, ("context-preserving",), check=gold, confirm=20, shrink=16, seed=seed
        )
        shrunk += [finding["shrunk"] for finding in report["findings"]]
    assert shrunk
    for shrunk_finding in shrunk:
        questions = [turn["fields"]["question"].split()[3] for turn in shrunk_finding["case"]["turns"]]
        assert questions == ["3", "7"]
        assert shrunk_finding["case"]["turns"][-1]["annotations"]["context"] == "equivalent"  # annotated again


def test_shrinking_keeps_the_role_of_the_target_turn() -> None:
    cases = D.talks(4)
    report = D.campaign(
        D.oracle(cases, lambda q, h, a: "five miles" if q.startswith("How high") else a),
        cases,
        check=ContextCheck(extractor="gold"),
        confirm=20,
        shrink=16,
    )
    small = [f for f in report["findings"] if f["relation"] == "context-altering"]
    assert small
    for finding in small:
        assert finding["shrunk"]["role"] == "altered"
        target = finding["shrunk"]["case"]["turns"][-1]
        assert target["annotations"]["context"] == "altered"
        assert len(finding["shrunk"]["case"]["turns"]) == 1  # asked first, it cannot be understood


def test_a_dialogue_of_one_turn() -> None:
    report = D.campaign(parrot(), [talk("short", 1)])
    figures = report["metrics"]["mortar"]["systems"]["parrot"]
    assert (figures["turns"], figures["test_cases"]) == (5, 5)
    assert sum(row["error"] + row["invalid"] for row in report["summary"]) == 0


def test_a_dialogue_of_hundreds_of_turns() -> None:
    [chosen] = D.chosen(("context-preserving",), ContextCheck(extractor="gold"))
    shuffled = replace(chosen, transformations=(Step(transformation="round-shuffle"),))
    report = D.campaign(parrot(), [talk("long", 200)], relations=(shuffled,))
    figures = report["metrics"]["mortar"]["systems"]["parrot"]
    assert figures["turns"] == figures["detections"]["mr1"] == 200


def test_duplicate_questions_missing_answers_and_a_huge_story() -> None:
    again = talk("again", 4)
    again = replace(again, turns=(*again.turns, *again.turns))
    bare = replace(talk("bare", 6), turns=tuple(replace(turn, expected=()) for turn in talk("bare", 6).turns))
    huge = talk("huge", 3, material={"story": "The dog barked at thing 2. " * 40_000})
    report = D.campaign(parrot(), [again, bare, huge])
    figures = report["metrics"]["mortar"]["systems"]["parrot"]
    assert figures["seeds"] == 3
    assert sum(row["error"] for row in report["summary"]) == 0
    assert figures["levels"]["unlevelled"] == sum(
        1 for f in report["findings"] if f["source"]["case"]["id"] == "d/bare" and f["relation"] != "reference-based"
    )


QUESTION = '"questions": [{"input_text": "Q?", "turn_id": 1}]'


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ('{"data": [{"id": "a", "story": "S.", "questions": [], "answers": []}]}', "question"),
        ('{"data": [{"id": "a", "story": "S.", ' + QUESTION + ', "answers": []}]}', "no answer"),
        ('{"data": [{"id": "a", ' + QUESTION + ', "answers": [{"input_text": "A"}]}]}', "story"),
        ('{"dialogues": 7}', "data"),
        ("[1, 2", "JSON"),
        ("", "JSON"),
    ],
)
def test_files_in_the_wrong_form_are_refused_clearly(tmp_path: Path, content: str, says: str) -> None:
    path = tmp_path / "dialogues.json"
    path.write_text(content)
    with pytest.raises(UsageError, match=says):
        read_cases("coqa", path)


def test_plain_jsonl_dialogues_run_with_the_recipe(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    lines = [
        {"id": str(n), "turns": [{"question": f"What is {n} and {i}?", "expected": f"{n}.{i}"} for i in range(5)]}
        for n in range(3)
    ]
    path.write_text("\n".join(json.dumps(line) for line in lines))
    try:
        cases = read_cases("jsonl", path, task="dialogue")
    except UsageError as error:
        pytest.fail(f"plain JSONL dialogues are not read: {error}")
    report = D.campaign(parrot(), cases)
    assert report["metrics"]["mortar"]["systems"]["parrot"]["test_cases"] == 15
    assert RECIPES["mortar"].relations[0] == "tag:mortar"
    assert MORTAR.name == "mortar"


@pytest.mark.parametrize("task", ["dialogue", "chat"])
def test_reference_based_testing_says_nothing_without_annotated_answers(task):
    field = "message" if task == "chat" else "question"
    turns = (Turn(fields={field: "Who left?"}), Turn(fields={field: "Why?"}, expected=("tired",)))
    case = Case(id="d/1", turns=turns, task=task)
    bot = ScriptedSystem(lambda conversation: "bored", "bot")
    run = mutatis.run(bot, [case], ["reference-based"], settings={"noise_floor": 0, "confirm": 0})
    [row] = [row for row in run.summary if row.relation == "reference-based"]
    assert (row.satisfied, row.violated, row.invalid) == (0, 1, 1)
    seen = []
    bare = mutatis.run(
        bot,
        [replace(case, turns=turns[:1])],
        ["reference-based"],
        settings={"noise_floor": 0, "confirm": 0},
        on_event=lambda event: seen.append(event) if isinstance(event, Verdict) else None,
    )
    assert [check.message for check in bare.report.health if check.name == "never-matched"] == [
        "none of 1 follow-ups could be judged, most often: no annotated answer"
    ]
    assert [verdict.decision.reason for verdict in seen if verdict.decision.precondition] == ["no annotated answer"]
    assert [row.invalid for row in bare.summary if row.relation == "reference-based"] == [1]


def test_the_earlier_mortar_is_not_chosen_beside_the_later_one():
    free = {name for name in RELATIONS if "free" in RELATIONS[name].tags}
    assert "context-preserving" in free
    assert not any("mortar-v1" in RELATIONS[name].tags for name in free)
