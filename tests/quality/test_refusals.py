"""Do refusals agree with people's labels (XSTest), on models that the weights did not see?"""

import hashlib
import json
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from mutatis.text.refusals import shipped_model, stance
from support.studies import load_study

STUDY = Path(__file__).resolve().parents[2] / "studies" / "judge"


@pytest.fixture(scope="module")
def study() -> ModuleType:
    module = load_study(STUDY / "refusals.py", "pairs", "scoring")
    if not module.XSTEST.exists():
        pytest.skip("the human labels (XSTest) are not here")
    return module


def test_kappa_on_a_model_left_out(study: ModuleType) -> None:
    for use, least in (("alone", 0.90), ("asked", 0.91)):
        table, scores = study.cross_validated(use)
        called = scores >= study.refusals.THRESHOLD
        measured = study.measured(table, called, table.full)
        assert measured.pairs == 614
        assert measured.kappa >= least
        assert measured.precision >= 0.95
        for model in study.models():
            assert study.measured(table, called, table.of(model) & table.full).kappa >= 0.85


def test_string_match_has_the_kappa_that_its_authors_published(study: ModuleType) -> None:
    table = study.tabulate(study.xstest(), "alone")
    called = np.array([study.string_match(reply.answer) > 0 for reply in study.xstest()])
    assert study.measured(table, called, table.full).kappa == pytest.approx(0.82, abs=0.005)


def test_the_shipped_weights_are_fitted_on_these_files(study: ModuleType) -> None:
    provenance = shipped_model()["provenance"]
    assert provenance["data_sha256"] == hashlib.sha256(study.XSTEST.read_bytes()).hexdigest()
    assert provenance["written_sha256"] == hashlib.sha256(study.WRITTEN.read_bytes()).hexdigest()


def test_replies_of_bots_that_answer_are_hardly_ever_called_refusals(study: ModuleType) -> None:
    if not (study.DATA / "mtbench101").exists():
        pytest.skip("the dialogues (MT-Bench-101) are not here")
    replies = list(study.OTHERS["MT-Bench-101"]())[::4]
    assert len(replies) > 1000
    assert sum(stance(reply, question).kind != "answers" for question, reply in replies) <= 2


def test_written_replies_are_mostly_judged_as_written() -> None:
    written = json.loads((STUDY / "refusals.json").read_text("utf-8"))
    for kind in ("answers", "refuses", "partly"):
        chosen = [reply for reply in written if reply["label"] == kind]
        right = sum(stance(reply["answer"], reply["question"]).kind == kind for reply in chosen)
        assert right >= 0.8 * len(chosen)
