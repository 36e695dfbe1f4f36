"""Alignment: what differs between sequences, with long stretches cut at what stands once on both sides."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mutatis.text import alignment
from mutatis.text.alignment import Change, Unit, differences, once, stretches_between, too_long, without_common_ends

WORDS = st.lists(st.sampled_from(["the", "cat", "sat", " ", ".", "a", "moved"]), max_size=20)


def told(source, follow_up, changes):
    """Return the follow-up with what differs in braces, as `{before|after}`."""
    text, position = "", 0
    for change in changes:
        text += "".join(follow_up[position : change.new_start])
        text += "{" + "".join(source[change.start : change.end]) + "|"
        text += "".join(follow_up[change.new_start : change.new_end]) + "}"
        position = change.new_end
    return text + "".join(follow_up[position:])


def rebuilt(source, follow_up, changes):
    """Return the follow-up, built from the source and the changes alone; what they call the same is the same."""
    result, position, new_position = [], 0, 0
    for change in changes:
        assert source[position : change.start] == follow_up[new_position : change.new_start]
        assert change.start > position or change.new_start > new_position or not result
        result += [*source[position : change.start], *follow_up[change.new_start : change.new_end]]
        position, new_position = change.end, change.new_end
    return [*result, *source[position:]]


@given(WORDS, WORDS)
def test_changes_are_all_that_differs(source, follow_up):
    changes = differences(source, follow_up)
    assert rebuilt(source, follow_up, changes) == follow_up
    assert bool(changes) == (source != follow_up)


@given(WORDS, WORDS, st.integers(0, 40))
def test_long_stretches_too(source, follow_up, cells):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(alignment, "CELLS", cells)
        assert rebuilt(source, follow_up, differences(source, follow_up)) == follow_up


@pytest.mark.parametrize(
    ("source", "follow_up", "expected"),
    [
        ("a long string", "a long spindle string", "a long {|spindle }string"),
        ("a string of words", "a spindle string of words", "a{| spindle} string of words"),
        ("I have it", "I have a - I have it", "{|I have a - }I have it"),
        ("it is good, is it", "it is good, is", "it is good, is{ it|}"),
        ("one two", "three two", "{one|three} two"),
        ("", "a b", "{|a b}"),
        ("a b", "", "{a b|}"),
        ("same", "same", "same"),
    ],
)
def test_of_words_an_addition_leaves_the_longer_neighbour_whole(source, follow_up, expected):
    old, new = (re.findall(r"\w+|\s|[^\w\s]", text) for text in (source, follow_up))
    assert told(old, new, differences(old, new)) == expected


@pytest.mark.parametrize(
    ("source", "follow_up", "expected"),
    [("the cat sat", "the hat sat", "the {c|h}at sat"), ("aaa", "aaaa", "aaa{|a}"), ("tale", "table", "ta{|b}le")],
)
def test_letters(source, follow_up, expected):
    assert told(source, follow_up, differences(source, follow_up)) == expected


def test_what_is_too_long_is_cut_at_words_that_stand_once(monkeypatch):
    monkeypatch.setattr(alignment, "CELLS", 100)
    source = ["aa", "bb", "aa", "ONCE", "aa", "bb", "aa"]
    follow_up = ["aa", "cc", "aa", "ONCE", "aa", "dd", "aa"]
    assert not too_long(10, 10)
    assert too_long(10, 11)
    assert told(source, follow_up, differences(source, follow_up)) == "aa{bb|cc}aaONCEaa{bb|dd}aa"
    monkeypatch.setattr(alignment, "CELLS", 1)
    assert told(source, follow_up, differences(source, follow_up)) == "aa{bbaa|ccaa}ONCE{aabb|aadd}aa"
    repeated = ["aa", "bb"] * 20
    assert differences(["x", *repeated, "y"], ["z", *repeated, "w"]) == [
        Change(0, 42, 0, 42)
    ]  # one stretch, in the end


def test_of_two_orders_that_of_the_most_units_is_kept():
    ours = [Unit("a long sentence", 0, 3), Unit("short", 3, 4), Unit("again", 4, 5)]
    theirs = [Unit("short", 0, 1), Unit("again", 1, 2), Unit("a long sentence", 2, 5)]
    assert stretches_between(once(ours), once(theirs), 5, 5) == [
        Change(0, 3, 0, 0),
        Change(4, 4, 1, 1),
        Change(5, 5, 2, 5),
    ]
    twice = [Unit("short", 0, 1), Unit("short", 1, 2)]
    assert stretches_between(once(twice), once(twice), 2, 2) == [Change(0, 2, 0, 2)]  # what stands twice is no landmark


@given(st.text("ab", max_size=12), st.text("ab", max_size=12))
def test_the_common_ends(source, follow_up):
    start, end, new_start, new_end = without_common_ends(source, follow_up)
    assert start == new_start
    assert source[:start] == follow_up[:start]
    assert source[end:] == follow_up[new_end:]
    old, new = source[start:end], follow_up[new_start:new_end]
    assert not (old and new) or (old[0] != new[0] and old[-1] != new[-1])
