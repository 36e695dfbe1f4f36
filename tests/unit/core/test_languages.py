"""Codes and names of languages, and whether what knows some of them knows another."""

from __future__ import annotations

import pytest

from mutatis.core.errors import UsageError
from mutatis.core.languages import (
    ALPHABETS,
    CASED,
    ENGLISH,
    EVERY,
    NAMES,
    SPACED,
    check_languages,
    known_by_all,
    knows,
    language_code,
    language_name,
    languages_text,
)


@pytest.mark.parametrize(
    ("languages", "known", "unknown"),
    [
        (ENGLISH, ["en", ""], ["de", "zh", "und", "mul"]),
        (("en", "de"), ["en", "de"], ["fr", "und"]),
        (("Latin",), ["en", "de", "tr", "vi"], ["ru", "el", "zh", "und", "mul"]),
        (ALPHABETS, ["de", "ru", "el"], ["zh", "ja", "ko", "ar", "hi", "th"]),
        (CASED, ["de", "ru", "hy"], ["ka", "zh", "he"]),
        (SPACED, ["de", "ru", "ko", "ar"], ["zh", "ja", "th", "und"]),
        (EVERY, ["en", "zh", "und", "mul", ""], []),
    ],
)
def test_what_is_known(languages: tuple[str, ...], known: list[str], unknown: list[str]) -> None:
    assert [code for code in (*known, *unknown) if knows(languages, code)] == known


def test_what_several_parts_know_together() -> None:
    assert known_by_all([]) == EVERY
    assert known_by_all([EVERY, ALPHABETS]) == ALPHABETS
    assert known_by_all([ALPHABETS, ENGLISH, EVERY]) == ENGLISH
    assert known_by_all([("Latin", "Chinese"), SPACED]) == ("Latin",)
    assert known_by_all([SPACED, CASED, ALPHABETS]) == ALPHABETS
    assert known_by_all([("alphabetic", "zh"), CASED]) == ALPHABETS
    assert known_by_all([("de", "zh"), ALPHABETS]) == ("de",)
    assert known_by_all([("de",), ("fr",)]) == ()


@pytest.mark.parametrize(
    ("written", "code"),
    [("de", "de"), ("DE", "de"), ("de-AT", "de"), ("zh_TW", "zh"), (" German ", "de"), ("und", "und"), ("mul", "mul")],
)
def test_a_language_is_written_as_code_or_name(written: str, code: str) -> None:
    assert language_code(written) == code


def test_every_name_is_told_and_read_again() -> None:
    assert len(NAMES) > 60
    assert {language_code(language_name(code)) for code in NAMES} == set(NAMES)


def test_an_unknown_language_is_told_with_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"^data\.txt: unknown language 'Spansh'; did you mean 'Spanish'"):
        language_code("Spansh", "data.txt")
    with pytest.raises(UsageError, match="unknown language 'xx'"):
        language_code("xx")


def test_what_is_declared_is_checked() -> None:
    assert check_languages("relation 'own'", ["English", "de-AT", "Cyrillic", "cased"]) == (
        "en",
        "de",
        "Cyrillic",
        "cased",
    )
    assert check_languages("relation 'own'", ["en", "every"]) == EVERY
    with pytest.raises(UsageError, match="relation 'own': languages is 'en'; expected a list"):
        check_languages("relation 'own'", "en")
    with pytest.raises(UsageError, match="relation 'own' lists no language"):
        check_languages("relation 'own'", [])
    with pytest.raises(UsageError, match=r"relation 'own': unknown language 'Latn'; did you mean"):
        check_languages("relation 'own'", ["Latn"])


def test_languages_in_words() -> None:
    assert languages_text(("en", "de", "Latin")) == "English, German, languages in Latin script"
