"""The check of a language's folder: what is missing, what that costs, and what is faulty."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mutatis import languages
from mutatis.core.errors import UsageError
from mutatis.testing import check_language, language_faults, language_gaps
from mutatis.testing.languages import print_gaps


@pytest.mark.parametrize("code", ["de", "en", "fr", "zh", "German"])
def test_a_whole_language_passes(code: str) -> None:
    check_language(code)


def test_a_missing_list_is_named_with_the_relations_that_it_costs() -> None:
    gaps = language_gaps("it")
    assert gaps["synonyms"] == ("synonyms-lexicon",)
    assert "write-dates" in gaps["values"]
    with pytest.raises(AssertionError, match=r"(?s)Italian \(languages/it\):\n.*no homophones: costs"):
        check_language("it")


def test_a_language_that_does_not_exist_is_told() -> None:
    with pytest.raises(UsageError, match="unknown language 'Germn'"):
        check_language("Germn")


def test_faulty_entries_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "cy"
    folder.mkdir()
    speech = 'also = "{} A {} {}"\n[patterns]\nasks = "(("\nper = "pob"\n'
    (folder / "speech.toml").write_text(speech, encoding="utf-8")
    questions = "[parts]\nrest = ' .*'\n[[same]]\nways = ['faint yw {thing}']\n"
    (folder / "questions.toml").write_text(questions, encoding="utf-8")
    monkeypatch.setattr(languages, "_FOLDER", tmp_path)
    faults = language_faults("cy")
    assert "questions.toml: KeyError: 'thing'" in faults
    assert [fault for fault in faults if fault.startswith("speech.toml: patterns.asks: ")]
    assert "speech.toml: patterns.per has no group (?P<period>...)" in faults
    assert "speech.toml: also: '{} A {} {}' needs {}, {}" in faults


def test_words_that_break_an_elision_and_misspellings_that_change_nothing_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "ga"
    folder.mkdir()
    (folder / "speech.toml").write_text('[apart]\nbefore_apostrophe = "l d"\n', encoding="utf-8")
    (folder / "function_words.txt").write_text("la de\n", encoding="utf-8")
    (folder / "synonyms.txt").write_text("r: bus > autobus\nr: vite > rapidement\n", encoding="utf-8")
    (folder / "places.txt").write_text("Metz \u00c9vry\n", encoding="utf-8")
    (folder / "misspellings.txt").write_text("adresse: adrese\nchien: chien\nvite:\n", encoding="utf-8")
    monkeypatch.setattr(languages, "_FOLDER", tmp_path)
    places = [fault.partition(":")[0] + fault.partition(":")[2].partition(":")[0] for fault in language_faults("ga")]
    assert places == [
        "misspellings.txt 'chien",
        "misspellings.txt 'vite",
        "synonyms.txt 'r",
        "places.txt \u00c9vry",
    ]


def test_limits_and_homophones_of_another_form_are_named_in_place_of_readings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before, the sentence on the command line ended in a traceback, and the check alone found nothing."""
    folder = tmp_path / "et"
    folder.mkdir()
    rows = '{side = "least", inclusive = true, cues = [1]}, {side = "up", inclusive = true, cues = ["kuni"]}'
    (folder / "limits.toml").write_text(f'before = [{rows}]\nbehid = []\nloose = ""\n', encoding="utf-8")
    (folder / "homophones.txt").write_text("kass kas\nkass\n", encoding="utf-8")
    monkeypatch.setattr(languages, "_FOLDER", tmp_path)
    faults = language_faults("et")
    assert [fault.rpartition(":")[0] for fault in faults] == [
        "homophones.txt",
        "limits.toml: before.0.cues.0",
        "limits.toml: before.1.side",
        "limits.toml: loose",
        "limits.toml: behid",
    ]
    print_gaps(["et", "Kuni kell 14?"])
    assert capsys.readouterr().out.splitlines() == faults


def test_a_list_in_another_encoding_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lv").mkdir()
    (tmp_path / "lv" / "homophones.txt").write_bytes("v\u0101rds vards\n".encode("cp1257"))
    monkeypatch.setattr(languages, "_FOLDER", tmp_path)
    with pytest.raises(UsageError, match=r"languages/lv/homophones.txt: byte 1 is not UTF-8"):
        language_faults("lv")


def test_a_language_may_be_named_in_any_way_and_a_sentence_may_have_no_blanks(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Before, "de-AT" and "DE" were told 13 relations, and a Chinese sentence was an unknown language."""
    print_gaps(["de"])
    usual = capsys.readouterr().out
    for name in ("DE", "de-AT", "German"):
        print_gaps([name])
        assert capsys.readouterr().out == usual
    print_gaps(["zh", "\u4f60\u4eec5\u67081\u65e5\u5f00\u95e8\u5417"])
    assert capsys.readouterr().out.startswith("values: 5\u67081\u65e5 (date")


def test_a_sentence_is_tried_on_the_command_line() -> None:
    command = [sys.executable, "-m", "mutatis.testing", "fr", "\u00cates-vous ouverts le 1er mai \u00e0 14 h ?"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert lines[0] == "values: 1er mai (date: 01/05), 14 h (time of day: 14h, 14h00)"
    assert lines[1].startswith("patterns: asks, ")
    said = "si vous \u00eates ouverts le 1er mai \u00e0 14 h"
    assert f"indirect-question: Pouvez-vous me dire {said} ?" in lines


def test_on_the_command_line() -> None:
    done = subprocess.run([sys.executable, "-m", "mutatis.testing", "it"], capture_output=True, text=True, check=True)
    assert "synonyms: synonyms-lexicon" in done.stdout
    assert "Italian: " in done.stdout.splitlines()[-1]


def test_mistakes_on_the_command_line_are_one_line() -> None:
    for codes, told in ([], "mutatis: no language was given"), (["xx"], "mutatis: unknown language 'xx'"):
        done = subprocess.run([sys.executable, "-m", "mutatis.testing", *codes], capture_output=True, text=True)
        assert done.returncode == 1
        assert done.stderr.startswith(told)
        assert done.stderr.count("\n") == 1


def test_the_lists_of_an_edit_with_rules_for_english_are_named() -> None:
    assert "question-first" in language_gaps("it")["speech.patterns.goes_on"]
