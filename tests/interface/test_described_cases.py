"""What `settings` say of cases that a program hands over: names, labels, language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import mutatis

ORDER = "How do I order the freedom card?"
QUIET: dict[str, Any] = {"noise_floor": 0, "confirm": 0}


def asked(cases: list[Any], relations: list[str], settings: Any, **options: Any) -> list[str]:
    """Return what a bot is asked."""
    heard: list[str] = []

    def bot(text: str) -> str:
        heard.append(text)
        return "Fine."

    mutatis.run(bot, cases, relations, settings=settings, **options)
    return heard


def test_names_are_left_alone() -> None:
    assert any("liberty card" in text for text in asked([ORDER], ["synonyms-lexicon"], QUIET))
    settings = {**QUIET, "data": {"names": ["freedom card"]}}
    assert all("freedom card" in text for text in asked([ORDER], ["synonyms-lexicon"], settings))
    several = {**settings, "data": [settings["data"]]}  # as `[[data]]` is read
    assert all("freedom card" in text for text in asked([ORDER], ["synonyms-lexicon"], several))


def test_a_file_may_say_it_too(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_text('noise_floor = 0\nconfirm = 0\n[data]\nnames = ["freedom card"]\n', encoding="utf-8")
    assert all("freedom card" in text for text in asked([ORDER], ["synonyms-lexicon"], path))


def test_a_table_that_names_a_file_is_replaced_as_a_whole() -> None:
    table = {"format": "lines", "path": "nowhere.txt", "names": ["freedom card"], "language": "de"}
    assert any("liberty card" in text for text in asked([ORDER], ["synonyms-lexicon"], {**QUIET, "data": table}))


def test_a_language_holds_for_cases_that_say_none() -> None:
    cases = [*mutatis.cases([ORDER], name="mine"), *mutatis.cases([ORDER], name="other", language="en")]
    heard = asked(cases, ["synonyms-lexicon", "upper-case"], {**QUIET, "data": {"language": "German"}})
    # The German one is only put in capitals: synonyms are known in English alone.
    assert heard.count(ORDER.upper()) == 1
    assert sum("liberty" in text for text in heard) == 1


def test_labels_are_the_classes_to_choose_from() -> None:
    def classifier(text: str) -> str:
        return "late" if text.isupper() else "fine"

    cases = mutatis.cases([{"text": "The parcel was quick.", "expected": "fine"}], task="classification")
    settings = {**QUIET, "data": {"labels": ["fine", "late"]}}
    assert len(mutatis.run(classifier, cases, ["upper-case"], settings=settings).findings) == 1
    assert not mutatis.run(classifier, cases, ["upper-case"], settings=QUIET).findings  # "late" is no class


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({"name": ["x"]}, "names"),
        ({"names": "freedom card"}, "names is 'freedom card'"),
        ({"language": "Germann"}, "German"),
        ({"task": "sentiment"}, "task"),
        ([{"names": ["a"]}, {"names": ["b"]}], "2 tables"),
        ("freedom card", "freedom card"),
    ],
)
def test_a_mistake_is_told_in_one_line(data: Any, says: str) -> None:
    with pytest.raises(mutatis.UsageError) as error:
        asked([ORDER], ["synonyms-lexicon"], {"data": data})
    assert says in str(error.value)
    assert "\n" not in str(error.value)
