"""The study of trained classifiers: every published family can be fine-tuned, and reads whole texts unless told."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("transformers")

from mutatis.core.cases import Case, Turn
from mutatis.systems import SYSTEMS
from support.studies import load_study
from support.tiny_models import FAMILIES, make_xlnet

STUDY = Path(__file__).parents[2] / "studies" / "content_quality"


@pytest.fixture(scope="module")
def study() -> Any:
    sys.path.insert(0, str(STUDY))
    try:
        yield load_study(STUDY / "classifiers.py")
    finally:
        sys.path.remove(str(STUDY))


def corpus(study: Any) -> Any:
    texts = [
        ("the film was good " * (n % 5 + 1), "good") if n % 2 else ("bad soup " * (n % 7 + 1), "bad") for n in range(24)
    ]
    cases = tuple(
        Case(id=f"d/{n}", task="classification", turns=(Turn(fields={"text": text}, expected=(label,)),))
        for n, (text, label) in enumerate(texts)
    )
    return study.Corpus(name="made", train=cases, test=cases[:4], original=tuple(text for text, _ in texts))


@pytest.mark.long
@pytest.mark.parametrize("family", FAMILIES)
def test_each_published_family_can_be_fine_tuned(study: Any, family: str, tmp_path: Path) -> None:
    start = FAMILIES[family](tmp_path / "start")
    said: list[str] = []
    folder = study.fine_tune(corpus(study), str(start), tmp_path / "tuned", epochs=6, rate=1e-3, say=said.append)
    losses = [float(line.split("loss ")[1].split(",")[0]) for line in said]
    assert min(losses) < losses[0]
    system = SYSTEMS["transformers"](model=str(folder))
    assert set(system.classes) == {"good", "bad"}
    # Whole texts, as far as the model can.
    read = len(system.token_ids({"text": "good " * 700}))
    assert read == {"xlnet": 702, "gpt1": 48, "t5": 701, "xlm-roberta": 40}[family]


def test_longest_cuts_texts_off(study: Any, tmp_path: Path) -> None:
    start = make_xlnet(tmp_path / "start")
    made = corpus(study)
    cut = study.fine_tune(made, str(start), tmp_path / "cut", longest=16, epochs=1, say=lambda line: None)
    assert len(SYSTEMS["transformers"](model=str(cut)).token_ids({"text": "good " * 700})) == 16
    trained = study.from_scratch(made, tmp_path / "own", epochs=1, say=lambda line: None)
    assert len(SYSTEMS["transformers"](model=str(trained)).token_ids({"text": "good " * 700})) == study.POSITIONS
    short = study.from_scratch(made, tmp_path / "short", longest=16, epochs=1, say=lambda line: None)
    assert len(SYSTEMS["transformers"](model=str(short)).token_ids({"text": "good " * 700})) == 16


def test_the_published_files_have_three_classes_and_a_test_part(study: Any, tmp_path: Path) -> None:
    """The form of the 60,000 questions: two files, HTML in the body, HQ, LQ_EDIT or LQ_CLOSE in Y."""
    header = "Id,Title,Body,Tags,CreationDate,Y"
    for name, rows in (("train", 6), ("valid", 3)):
        lines = [
            f'{n},"Sort a LIST, {name}?",<p>Why <code>x{n}</code>?</p>,<python>,2016-01-01 00:0{n}:00,{label}'
            for n, label in zip(range(rows), ("HQ", "LQ_EDIT", "LQ_CLOSE") * 2, strict=False)
        ]
        (tmp_path / f"{name}.csv").write_text("\n".join([header, *lines]) + "\n", encoding="utf-8")
    corpora = load_study(STUDY / "corpora.py")
    loaded = corpora.load(f"stackoverflow:{tmp_path / 'train.csv'}", test=tmp_path / "valid.csv")
    assert loaded.labels == ("HQ", "LQ_CLOSE", "LQ_EDIT")
    assert (len(loaded.train), len(loaded.test)) == (6, 3)
    assert {corpora.text_of(case) for case in loaded.test} == {
        ("sort a list, valid?", f"why x{n}?") for n in range(3)
    }  # in lower case, without tags, as in the paper


def test_the_study_trains_the_small_systems_alone_where_it_is_told_so(tmp_path: Path, monkeypatch: Any) -> None:
    """On one thread: more wait for each other where others use the cores."""
    lines = [f"{'the film was good' if n % 2 else 'bad soup'} {n % 5},{'good' if n % 2 else 'bad'}" for n in range(40)]
    for name in ("train", "test"):
        (tmp_path / f"{name}.csv").write_text("\n".join(["text,category", *lines]) + "\n", encoding="utf-8")
    main = load_study(STUDY / "study.py", "corpora", "classifiers", "published", "tables")
    monkeypatch.setattr(main, "test", lambda corpus, systems, out: {"systems": systems})
    arguments = [f"banking77:{tmp_path / 'train.csv'}", "--test", str(tmp_path / "test.csv"), "--no-start"]
    monkeypatch.setattr(sys, "argv", ["study.py", *arguments, "--out", str(tmp_path / "out")])
    threads = main.torch.get_num_threads()
    try:
        with pytest.raises(KeyError, match="metrics"):  # nothing was tested
            main.main()
        assert main.torch.get_num_threads() == 1
    finally:
        main.torch.set_num_threads(threads)
    assert {path.name for path in (tmp_path / "out" / "models").iterdir()} == {
        *("small-cased", "tf-idf.joblib", "tf-idf-folded.joblib")
    }
