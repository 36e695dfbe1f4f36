"""JSON and TOML of somebody else: data, or one kind of error on one line."""

from __future__ import annotations

import pytest

from mutatis.core.parsing import NotReadable, json_of, toml_of

DEEP, LONG = "[" * 100_000, "9" * 5_000


@pytest.mark.parametrize(
    ("text", "says", "column"),
    [
        ('{"a": }', "Expecting value at line 1, column 7", 7),
        ('{\n"a": 1,\n b}', "Expecting property name enclosed in double quotes at line 3, column 2", 2),
        (DEEP, "nested too deeply to be read", 0),
        (LONG, "a whole number of thousands of digits", 0),
        ("", "Expecting value at line 1, column 1", 1),
    ],
)
def test_what_is_no_json_is_told(text, says, column):
    with pytest.raises(NotReadable) as told:
        json_of(text)
    assert (str(told.value), told.value.column) == (says, column)


@pytest.mark.parametrize("text", [f"a = {LONG}", f"a = {DEEP}", "a = ", "\x00"])
def test_what_is_no_toml_is_told(text):
    with pytest.raises(NotReadable) as told:
        toml_of(text)
    assert "\n" not in str(told.value)


def test_what_is_readable_is_read():
    assert json_of('{"a": [1, null, "\\ud800"]}') == {"a": [1, None, "\ud800"]}
    assert toml_of("a = [1]") == {"a": [1]}
