"""Messages name what was given, what was expected and the nearest valid name."""

from __future__ import annotations

from mutatis.core.errors import MissingExtra, MutatisError, UsageError, unknown_name


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
    error = MissingExtra("the reader", "semantic")
    assert isinstance(error, UsageError)
    assert isinstance(error, MutatisError)
    assert str(error) == "the reader needs an optional dependency; install it with: pip install 'mutatis[semantic]'"
