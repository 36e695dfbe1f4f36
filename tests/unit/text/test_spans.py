"""Changed spans: what is marked, and putting all of them back gives the source."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mutatis.text import spans
from mutatis.text.spans import changes, images, restore_spans

words = st.sampled_from(["the", "cat", "sat", "The", "CAT", "!", " ", "  ", "é", "东京", "\n", "don't", ""])
texts = st.lists(words, max_size=15).map("".join) | st.text(st.characters(codec=None), max_size=30)


def test_what_is_remembered_is_nobodys_to_change():
    first = changes("the cat sat", "the hat sat")
    first.clear()
    assert [(c.start, c.end) for c in changes("the cat sat", "the hat sat")] == [(4, 7)]


def test_each_changed_word_is_a_span_of_its_own():
    assert [(c.start, c.end, c.new_start, c.new_end) for c in changes("the cat sat", "the hat sit")] == [
        (4, 7, 4, 7),
        (8, 11, 8, 11),
    ]


def test_insertions_and_deletions_are_empty_on_one_side():
    [inserted] = changes("a c", "a b c")
    assert (inserted.start, inserted.end) in {(1, 1), (2, 2)}
    assert "a b c"[inserted.new_start : inserted.new_end].strip() == "b"
    [deleted] = changes("a b c", "a c")
    assert deleted.new_start == deleted.new_end


@given(texts, texts)
def test_restoring_everything_gives_the_source_and_restoring_nothing_changes_nothing(source, follow_up):
    number = len(changes(source, follow_up))
    assert restore_spans(source, follow_up, range(number)) == source
    assert restore_spans(source, follow_up, []) == follow_up


@given(texts, texts)
def test_spans_are_in_order_apart_and_cover_every_difference(source, follow_up):
    spans = changes(source, follow_up)
    assert bool(spans) == (source != follow_up)
    rebuilt, position, new_position = "", 0, 0
    for change in spans:
        assert position <= change.start <= change.end <= len(source)
        assert new_position <= change.new_start <= change.new_end <= len(follow_up)
        assert source[position : change.start] == follow_up[new_position : change.new_start]
        rebuilt += source[position : change.start] + follow_up[change.new_start : change.new_end]
        position, new_position = change.end, change.new_end
    assert rebuilt + source[position:] == follow_up


@given(texts, texts, st.data())
def test_restoring_some_spans_leaves_fewer(source, follow_up, data):
    number = len(changes(source, follow_up))
    some = data.draw(st.sets(st.integers(0, max(number - 1, 0)), max_size=number))
    restored = restore_spans(source, follow_up, some)
    assert len(restored) == len(follow_up) + sum(
        (c.end - c.start) - (c.new_end - c.new_start) for i, c in enumerate(changes(source, follow_up)) if i in some
    )


def test_split_words_can_be_put_back_one_by_one():
    source, follow_up = "small, bright and exactly what", "small, br ight an d exact ly what"
    number = len(changes(source, follow_up))
    alone = [restore_spans(source, follow_up, set(range(number)) - {i}) for i in range(number)]
    assert alone == [
        "small, br ight and exactly what",
        "small, bright an d exactly what",
        "small, bright and exact ly what",
    ]


def test_a_stretch_whose_words_do_not_match_is_one_span():
    assert [(c.start, c.end) for c in changes("quick brown fox", "very fast tan fox")] == [(0, 11)]


@given(
    st.permutations(["bright", "and", "I", "on", "exactly", "they"]).map(" ".join),
    st.sets(st.integers(1, 30)),
    st.data(),
)
def test_where_blanks_were_added_no_subset_loses_a_letter(source, places, data):
    follow_up = "".join(" " * (i in places) + character for i, character in enumerate(source))
    number = len(changes(source, follow_up))
    some = data.draw(st.sets(st.integers(0, max(number - 1, 0)), max_size=number))
    assert restore_spans(source, follow_up, some).replace(" ", "") == source.replace(" ", "")


def shown(source: str, follow_up: str) -> str:
    """Return the follow-up with each change in braces, as `{before|after}`."""
    text, position = "", 0
    for change in changes(source, follow_up):
        before, after = source[change.start : change.end], follow_up[change.new_start : change.new_end]
        text += f"{follow_up[position : change.new_start]}{{{before}|{after}}}"
        position = change.new_end
    return text + follow_up[position:]


@pytest.mark.parametrize(
    ("source", "follow_up", "expected"),
    [
        # Words stand against words, also where a slip made one of them look like a later one.
        (
            "when the members of the club met, the members of the house left",
            "when teh membres fo the club met, the members of the house left",
            "when {the|teh} {members|membres} {of|fo} the club met, the members of the house left",
        ),
        # A sentence that was moved is whole: left out in one place, added in another.
        (
            "Ann has the two keys of the house, at the end of the road. Who has the keys?",
            "Who has the keys? Ann has the two keys of the house, at the end of the road.",
            "{|Who has the keys? }Ann has the two keys of the house, at the end of the road.{ Who has the keys?|}",
        ),
        ("It is so", "It isn't so", "It is{|n't} so"),
        # The letters of "chart" stand in a long text, too: no edit of the word.
        ("chart", "come here, and start it", "{chart|come here, and start it}"),
        ("a word", "a w\u200bo\u200brd", "a w{|\u200b}o{|\u200b}rd"),
    ],
)
def test_what_became_of_what(source: str, follow_up: str, expected: str) -> None:
    assert shown(source, follow_up) == expected


def test_what_is_long_is_aligned_and_not_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spans, "_remembered", None)
    lines = [f"line {number} of a long text" for number in range(2000)]
    changed = [line.replace("long", "short") if number % 500 == 7 else line for number, line in enumerate(lines)]
    assert len(changes("\n".join(lines), "\n".join(changed))) == 4


@pytest.mark.parametrize(
    ("source", "follow_up", "phrase", "expected"),
    [
        ("It was October 1973 then.", "It was 0ctober 1973 then.", "October 1973", ["0ctober 1973"]),
        ("a long period, a period", "a long pe riod, a peri od", "period", ["pe riod", "peri od"]),
        ("the tall man", "the short woman", "tall man", ["short woman"]),
        ("Paris, not Parisian", "Pxris, not Pxrisian", "paris", ["Pxris"]),
        ("gone for good", "for good", "for good", []),
        ("one two", "one two", "two", []),
        ("one two", "one three", " ", []),
        ("a one b two a one", "X a o-ne b two a on-e", "one", ["o-ne", "on-e"]),
        ("x" * 1001, "y" * 1001, "x" * 1001, []),  # no answer is as long
    ],
)
def test_images(source: str, follow_up: str, phrase: str, expected: list[str]) -> None:
    assert images(source, follow_up, phrase) == expected
