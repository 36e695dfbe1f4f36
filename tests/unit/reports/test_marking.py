from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mutatis.reports.marking import MarkedSpan, mark, shorten, visible

TEXT = st.text(alphabet="abc AB.,\n é", max_size=60)


def changed(spans):
    return [span.text for span in spans if span.changed]


def same(spans):
    return "".join(span.text for span in spans if not span.changed)


def test_whole_words_are_marked():
    old, new = mark("I like this film", "I liike that film")
    assert changed(new) == ["liike", "that"]
    assert changed(old) == ["like", "this"]
    assert mark("good", "terrible")[1] == (MarkedSpan("terrible", True),)
    assert changed(mark("Can I pay by card?", "Cna I pya by c4rd??")[1]) == ["Cna", "pya", "c4rd?"]
    assert changed(mark("\u043a\u043e\u0442", "\u043a\u0438\u0442")[1]) == ["\u043a\u0438\u0442"]


def test_characters_are_marked_in_scripts_without_spaces():
    source, follow_up = "\u6210\u4eba\u7968\u591a\u5c11\u94b1", "\u6210\u4eba\u7968\u8fd9\u591a\u5c11\u94b1"
    assert changed(mark(source, follow_up)[1]) == ["\u8fd9"]
    assert changed(mark("\u8bf7\u7528card\u4ed8", "\u8bf7\u7528crad\u4ed8")[1]) == ["crad"]


def test_split_and_joined_words_are_marked_as_a_whole():
    assert changed(mark("although laced with humor", "altho ugh lac ed with humor")[1]) == ["altho ugh", "lac ed"]
    assert changed(mark("a b c d", "ab cd")[0]) == ["a b", "c d"]
    assert changed(mark("two  blanks", "two blanks")[0]) == [" "]


def test_added_and_removed_text():
    old, new = mark("A cat sat.", "A cat sat. It slept.")
    assert changed(old) == []
    assert "".join(changed(new)) == " It slept."


def test_equal_texts_are_one_unmarked_span():
    assert mark("same", "same") == ((MarkedSpan("same", False),), (MarkedSpan("same", False),))
    assert mark("", "") == ((), ())


@given(TEXT, TEXT)
def test_spans_rebuild_both_texts_and_agree_on_what_is_the_same(source, follow_up):
    old, new = mark(source, follow_up)
    assert "".join(span.text for span in old) == source
    assert "".join(span.text for span in new) == follow_up
    assert same(old) == same(new)
    assert source == follow_up or changed(old) or changed(new)


@pytest.mark.parametrize("where", [0, 30_000, 60_000])
def test_one_change_in_a_long_text_is_found_exactly(where):
    words = [random.Random(7).choice(["alpha", "beta", "gamma"]) for _ in range(12_000)]
    source = " ".join(words)
    follow_up = source[:where] + "Z" + source[where:]
    old, new = mark(source, follow_up)
    [word], [new_word] = changed(old), changed(new)
    assert "Z" in new_word
    assert word == new_word.replace("Z", "")


def test_two_far_changes_in_a_huge_text_are_marked_alone():
    source = " ".join(f"word{number % 1000}" for number in range(20_000)) + ". An end that stands once."
    follow_up = "X" + source.replace("An end", "The end")
    old, new = mark(source, follow_up)
    assert changed(old) == ["word0", "An"]
    assert changed(new) == ["Xword0", "The"]


def test_what_is_too_long_to_be_compared_is_said_to_be():
    source = "word " * 20_000
    follow_up = "X" + source.replace("w", "W") + "Y"
    old, new = mark(source, follow_up)
    assert old[0].changed
    assert old[0].coarse
    assert "".join(span.text for span in old if span.coarse) == source
    assert "".join(span.text for span in new) == follow_up
    shown = shorten(new)
    assert shown[0].coarse
    assert "characters not shown" in shown[0].text


def test_of_a_long_word_only_the_common_ends_are_left_out():
    word = "ab" * 300
    old, new = mark(f"see {word}!", f"see {word[:200]}XY{word[203:]}!")
    assert changed(old) == ["aba"]
    assert changed(new) == ["XY"]


def test_hidden_characters_are_spelt_out():
    assert visible("a\u202eb\x00\u200b\ud800\x9b") == "a⟨U+202E⟩b⟨U+0000⟩⟨U+200B⟩⟨U+D800⟩⟨U+009B⟩"
    assert visible("line\r\nbreak\ttab ü 漢 😀") == "line\nbreak\ttab ü 漢 😀"
    assert visible("می\u200cخواهم") == "می\u200cخواهم"  # scripts need joiners


def test_an_inserted_invisible_character_is_seen():
    _, new = mark("paypal", "pay\u200dpal")
    assert changed(new) == ["pay⟨U+200D⟩pal"]


def test_long_texts_are_cut_aloud_and_changes_stay():
    spans = (MarkedSpan("a" * 10_000, False), MarkedSpan("!", True), MarkedSpan("b" * 10_000, False))
    head, bang, tail = shorten(spans)
    assert bang == MarkedSpan("!", True)
    assert head.text.endswith("a" * 240)
    assert tail.text.startswith("b" * 240)
    assert "9,760 characters not shown" in head.text
    assert shorten((MarkedSpan("x" * 4000, False),))[0].text == "x" * 4000
    assert "1,000 characters not shown" in shorten((MarkedSpan("x" * 5000, False),))[0].text
