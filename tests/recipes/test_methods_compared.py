"""MORTAR and METAL in one run: what each finds alone, and how precise each is, counted again with numpy."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mutatis.api import run_config
from mutatis.config import check
from mutatis.transformations import metal, wordnet
from support.loopback import Command, loopback

MORTAR = ("context-preserving", "context-altering", "inner-consistency", "inter-divergence")
TALK = (
    ("Who bought the small house near the river?", "Ada"),
    ("When did she buy the large garden?", "in May"),
    ("What did her brother build behind the old barn?", "a wall"),
    ("Where did they start the quick journey?", "in York"),
    ("Which animal frightened the happy children?", "a goose"),
    ("Why did the old farmer sell the red tractor?", "he was ill"),
)


def answer(body: dict[str, Any]) -> str:
    """Answer as annotated, but for three kinds of bugs.

    The first question of dialogue 0 is answered wrongly throughout, the second to fourth where they stand elsewhere
    than in the seed, and a perturbed one unless it is the third or fourth.
    """
    asked, number = body["messages"][-1]["content"], sum(m["role"] == "user" for m in body["messages"])
    places = {question: place for place, (question, _) in enumerate(TALK)}
    place = places.get(asked)
    if place is None:
        return TALK[number - 1][1] if number in (3, 4) else "a wooden boat"
    elsewhere = 1 <= place <= 3 and place != number - 1
    return "in the north" if elsewhere or (place == 0 and "number 0" in str(body["messages"])) else TALK[place][1]


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Run both methods on three dialogues; return the folder of the run and its report."""
    folder = tmp_path_factory.mktemp("compared")
    turns = [{"question": question, "answers": [answer]} for question, answer in TALK]
    talks = [{"id": str(n), "story": f"A story, number {n}.", "turns": turns} for n in range(3)]
    (folder / "talks.jsonl").write_text("\n".join(map(json.dumps, talks)) + "\n", encoding="utf-8")
    with loopback(answer=answer) as server, pytest.MonkeyPatch.context() as patched:
        patched.setattr(wordnet, "wordnet_is_installed", lambda: False)
        patched.setattr(metal, "_cosine", lambda *texts: 1.0)  # nothing is put back, so that nothing is embedded
        tables = {
            "recipe": "mortar",
            "relations": ["tag:mortar", "tag:metal", "reference-based"],
            "system": {"type": "openai", "base_url": server.url, "model": "sut", "label": "sut"},
            "data": {"format": "jsonl", "path": "talks.jsonl", "task": "dialogue"},
            "judge": {"measure": "exact"},
            **{"noise_floor": 0, "confirm": 0, "shrink": 0},
        }
        run_config(check(tables, folder), out=folder / "out")
    report = json.loads((folder / "out" / "report.json").read_text(encoding="utf-8"))
    return folder / "out", report


def rows_of(folder: Path) -> list[Any]:
    return [json.loads(line) for line in (folder / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()]


def test_unique_bugs_are_those_of_the_verdicts(compared: Any) -> None:
    folder, report = compared
    rows = rows_of(folder)
    reference = {(r["source"], r["turn"]): r["outcome"] for r in rows if r["relation"] == "reference-based"}
    wrong = {question for question, outcome in reference.items() if outcome == "violated"}
    effective = {source for source, _ in wrong}
    bugs = [row for row in rows if row["outcome"] == "violated" and row["relation"] != "reference-based"]
    questions = sorted({(row["source"], row["turn"]) for row in bugs})
    place = np.array([questions.index((row["source"], row["turn"])) for row in bugs])
    by_mortar = np.array([row["relation"] in MORTAR for row in bugs])
    level = np.array([1 if q in wrong else 2 if q[0] in effective else 3 for q in questions])[place]
    unique = report["metrics"]["mortar"]["uniqueness"]["sut"]
    assert unique["common_seeds"] == unique["all_seeds"]  # both used every dialogue
    for method, by_method in (("mortar", by_mortar), ("metal", ~by_mortar)):
        alone = by_method & ~np.isin(place, place[~by_method])
        told = unique["all_seeds"][method]
        for part, where in ((told, by_method), *((told[f"l{n}"], by_method & (level == n)) for n in (1, 2, 3))):
            assert (part["bugs"], part["unique"]) == (where.sum(), (where & alone).sum())
            assert part["share"] == pytest.approx((where & alone).sum() / max(where.sum(), 1) if where.any() else None)
            assert part["questions"] == len(np.unique(place[where]))
            assert part["unique_questions"] == len(np.unique(place[where & alone]))
            share_of_questions = part["unique_questions"] / part["questions"] if part["questions"] else None
            assert part["share_of_questions"] == pytest.approx(share_of_questions, abs=1e-6)
    mortar = unique["all_seeds"]["mortar"]
    assert 0 < mortar["unique"] < mortar["bugs"]
    assert mortar["bugs"] > mortar["questions"]
    assert min(mortar["l1"]["bugs"], mortar["l2"]["bugs"], mortar["l3"]["bugs"]) > 0


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    return Command(monkeypatch, capsys, tmp_path)


def drawn(command: Command, folder: Path, *options: str) -> list[dict[str, str]]:
    sheet = command.folder / "sheet.csv"
    done = command("sheet", folder, "bugs", "-o", sheet, *options)
    assert done.code == 0, done.err
    return list(csv.DictReader(io.StringIO(sheet.read_text(encoding="utf-8-sig"))))


def test_a_sheet_of_bugs_holds_none_that_labels_alone_accuse(command: Command, compared: Any) -> None:
    folder, _ = compared
    rows = rows_of(folder)
    bugs = Counter(row["relation"] for row in rows if row["outcome"] == "violated")
    assert bugs["reference-based"] > 0
    assert Counter(row["relation"] for row in drawn(command, folder, "--n", "10000")) == {
        name: number for name, number in bugs.items() if name != "reference-based"
    }
    named = drawn(command, folder, "--n", "10000", "--relations", "reference-based")
    assert len(named) == bugs["reference-based"]


def test_precision_is_told_of_each_method(command: Command, compared: Any) -> None:
    folder, _ = compared
    rows = drawn(command, folder, "--per", "method", "--n", "4")
    assert Counter(row["relation"] in MORTAR for row in rows) == {True: 4, False: 4}
    # Both raters call one bug of MORTAR and three of METAL no bug; of another one the second rater is not sure.
    false = {True: 1, False: 3}
    for name, spread in (("anna.csv", 0), ("ben.csv", 1)):
        seen: Counter[bool] = Counter()
        lines = []
        for row in rows:
            method = row["relation"] in MORTAR
            seen[method] += 1
            score = 8 if seen[method] <= false[method] + (spread if method else 0) else 1
            lines.append(f"{row['item']},{row['relation']},{row['task']},{score}")
        text = "\n".join(["item,relation,task,score", *lines])
        (command.folder / name).write_text(text + "\n", encoding="utf-8")
    done = command("agreement", "anna.csv", "ben.csv")
    assert done.code == 0, done.err
    told = [line.strip() for line in done.out.splitlines()]
    # Of eight four are false; of MORTAR's four one, of METAL's four three. Kappa of MORTAR: agreement 3/4, by chance
    # 1/4 * 2/4 + 3/4 * 2/4 = 1/2, so (3/4 - 1/2) / (1/2) = 1/2.
    ppd = [line.split(" (")[0] for line in told if line.startswith("PPD")]
    assert ppd == ["PPD: 50.0 %", "PPD: 25.0 %", "PPD: 75.0 %"]
    methods = [line for line in told if line.endswith(":") and ("MORTAR" in line)]
    assert methods == ["METAL as the baseline of MORTAR:", "MORTAR (later version):"]
    after = told[told.index("MORTAR (later version):") :]
    assert next(line for line in after if "kappa" in line).endswith("0.500")
