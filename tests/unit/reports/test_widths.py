"""Texts in columns: wide characters, marks that take none, and clusters that are never cut in two."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mutatis.reports.widths import beginning, columns_of, cut_to, ending, padded, repr_of

FAMILY, FLAG, ACCENTED = "\U0001f469\u200d\U0001f469\u200d\U0001f467", "\U0001f1e9\U0001f1ea", "e\u0301"
PRICE = "价格表"
PARTS = st.lists(st.sampled_from(["a", "价", "م", ACCENTED, FAMILY]), max_size=20)


@pytest.mark.parametrize(
    ("text", "room", "first", "last"),
    [
        ("price", 3, "pri", "ice"),
        (PRICE, 4, "价格", "格表"),
        (PRICE, 5, "价格", "格表"),
        (f"caf{ACCENTED}s", 4, f"caf{ACCENTED}", f"af{ACCENTED}s"),
        (f"{FAMILY}{FLAG}", 2, FAMILY, FLAG),
        (f"{ACCENTED}{FAMILY}", 1, ACCENTED, ""),
        ("price", 0, "", ""),
    ],
)
def test_a_text_is_cut_by_its_columns(text: str, room: int, first: str, last: str) -> None:
    assert (beginning(text, room), ending(text, room)) == (first, last)


@given(PARTS, st.integers(0, 40))
def test_no_cut_goes_through_a_cluster_or_over_the_room(parts: list[str], room: int) -> None:
    text = "".join(parts)
    first, last = beginning(text, room), ending(text, room)
    assert columns_of(first) <= room
    assert columns_of(last) <= room
    assert first in {"".join(parts[:number]) for number in range(len(parts) + 1)}
    assert last in {"".join(parts[number:]) for number in range(len(parts) + 1)}
    assert columns_of(cut_to(text, max(room, 1))) <= max(room, 1)


def test_wide_names_are_filled_to_one_column() -> None:
    assert {columns_of(padded(name, 10)) for name in ("price", PRICE, FAMILY, "سعر", ACCENTED)} == {10}


@pytest.mark.parametrize("text", ["it's", 'say "hi"', "a\nb", "back\\slash", "\u202eabc", "\\u200d", ""])
def test_other_texts_are_quoted_as_ever(text: str) -> None:
    assert repr_of(text) == repr(text)


def test_joiners_stay_what_they_are() -> None:
    assert repr_of(FAMILY) == f"'{FAMILY}'"
    assert repr_of("می\u200cشود") == "'می\u200cشود'"
