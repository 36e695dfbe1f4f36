"""Does the offline context check agree with gold rewrites on dialogues it was not fitted on?

Scored by the fixed scorer that lies beside the data, which shares no code with the package.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("MUTATIS_SHARED", ROOT.parent / "shared"))
DATA = SHARED / "data" / "canard" / "dev.json.xz"
SCORER = SHARED / "tools" / "context_gold.py"

pytestmark = pytest.mark.skipif(
    not (DATA.exists() and SCORER.exists()), reason="CANARD and its scorer are not there (set MUTATIS_SHARED)"
)


def run(*arguments):
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        [sys.executable, *map(str, arguments)], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def scored(tmp_path, material, opening, extractor="offline"):
    out = tmp_path / "predictions.jsonl"
    setting = ["--material", material, "--opening", opening]
    run(
        ROOT / "studies" / "mortar" / "context_check.py", DATA, "--format", "canard", "--extractor", extractor,
        "--json", out, "--split", "held-out", *setting,
    )  # fmt: skip
    rows = [json.loads(line) for line in run(SCORER, DATA, out, *setting).splitlines()]
    return next(row for row in rows if row["perturbation"] == "all")


def test_without_material(tmp_path):
    found = scored(tmp_path, "none", "rewrite")
    assert found["kappa"] >= 0.78
    assert found["decided"] >= 0.78
    assert found["kappa_decided"] >= 0.88
    assert found["equivalent_precision"] >= 0.96


def test_with_title(tmp_path):
    found = scored(tmp_path, "title", "question")
    assert found["kappa"] >= 0.48
    assert found["decided"] >= 0.75
    assert found["equivalent_precision"] >= 0.95


def test_gold_extractor_agrees_with_the_independent_gold(tmp_path):
    # What is left is the adjacency veto, which the scorer does not know, and differences of spelling.
    assert scored(tmp_path, "none", "rewrite", "gold")["kappa"] >= 0.95


def test_identity_order_is_equivalent_on_every_dialogue():
    sys.path.insert(0, str(ROOT / "studies" / "mortar"))
    try:
        import canard
    finally:
        sys.path.pop(0)
    from mutatis.context.checks import ContextOptions, judge_by_knowledge
    from mutatis.context.offline.extractor import Offline
    from mutatis.context.rewrites import from_rewrites

    found = canard.dialogues(canard.read_records(DATA))
    for one in found[:150]:
        order = range(len(one))
        assert all(turn.equivalent for turn in Offline().read(one).judge(order, ContextOptions()))
        assert all(turn.equivalent for turn in judge_by_knowledge(one, from_rewrites(one), order, ContextOptions()))
