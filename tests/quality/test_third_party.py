"""Software from the package index under test: what is installed is asked, and its findings are laid out to be read."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import mutatis
from support.studies import load_study

STUDY = Path(__file__).parents[2] / "studies" / "third_party"
KNOWN = {
    "VADER": ("What a wonderful film.", 1.0),
    "TextBlob": ("What an awful film.", 0.0),
    "better-profanity": ("You stupid idiot.", "blocked"),
    "langdetect": ("Where can I find the nearest railway station, please?", "en"),
    "py3langid": ("Wo finde ich bitte den nächsten Bahnhof?", "de"),
}


@pytest.fixture(scope="module")
def software():
    return {each.name: each for each in load_study(STUDY / "software.py").ALL}


@pytest.fixture
def study(software, monkeypatch):
    return load_study(STUDY / "run.py", "software")


def installed(software):
    if missing := software.missing():
        pytest.skip(f"not installed: {', '.join(missing)} (studies/third_party/requirements.txt)")
    return software


@pytest.mark.parametrize("name", KNOWN)
def test_software_answers_as_it_is_known_to(name, software):
    text, expected = KNOWN[name]
    assert installed(software[name]).build()(text) == expected


def test_eliza_answers_a_statement(software):
    assert installed(software["ELIZA"]).build()("I am sad today.")


def test_alice_draws_alike_whenever_it_is_asked(software):
    answer = installed(software["ALICE"]).build()
    assert answer("What is the capital of France?") == "Paris."
    said = answer("Can you tell me a joke?")
    after = answer("Can you tell me a joke?", [({"message": "Hello!"}, "Hi there!")])
    assert said
    assert after
    assert [answer("Can you tell me a joke?") for _ in range(3)] == [said] * 3


def test_findings_are_laid_out_without_their_relations(software, study, tmp_path):
    reviews = ["An awful film, and a cheap one.", "A great film with wonderful actors."]
    textblob = replace(software["TextBlob"], cases=lambda: mutatis.cases(reviews, task="sentiment"))
    made = study.tested(textblob, tmp_path)
    assert all(finding.confirmed for finding in made.confirmed)
    assert made.row().startswith("| TextBlob | textblob ")
    rows = study.sheet(made)
    assert 0 < len(rows) <= study.MOST
    for line, key in rows:
        assert line["source"] in reviews
        assert line["follow-up"] not in reviews
        assert {line["answer"], line["answer to the follow-up"]} <= {"positive", "neutral", "negative"}
        assert line["what must hold"].startswith("The ")
        assert line["id"] == key["id"]
        assert key["relation"] not in json.dumps(line)


def test_what_is_not_installed_is_named(software, study, capsys, monkeypatch, tmp_path):
    absent = replace(software["TextBlob"], name="Absent", package="no-such-package-is-installed")
    monkeypatch.setattr(study, "ALL", (absent,))
    study.main(["--out", str(tmp_path)])
    assert "| Absent | not installed: no-such-package-is-installed |" in capsys.readouterr().out
    assert (tmp_path / "sheet.jsonl").read_text() == ""
