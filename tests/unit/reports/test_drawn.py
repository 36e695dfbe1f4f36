"""Pieces of the page that are written by code, for a page has hundreds of thousands of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from markupsafe import escape

from mutatis.reports.drawing import _talk, marked_html
from mutatis.reports.marking import COARSE, MarkedSpan
from mutatis.reports.pairs import TurnView
from mutatis.text.visible import visible

HOSTILE = st.text(st.sampled_from("ab<>&\"'\n\u202e\x00 "), max_size=12)


@given(HOSTILE)
def test_no_text_means_anything_in_html(text):
    assert marked_html([MarkedSpan(text, True)]) == f"<mark>{escape(text)}</mark>"
    assert not set("\u202e\x00") & set(visible(text))


def test_earlier_turns_with_what_became_of_them():
    said, edited = (MarkedSpan("a<b", False),), (MarkedSpan("so ", False), MarkedSpan("<i>", True))
    turns = [TurnView(number=1, spans=said, reply="<&>"), TurnView(number=2, spans=edited, reply=None, mark="moved")]
    assert _talk(turns) == (
        '<li><span class="said"><bdi>a&lt;b</bdi></span><span class="reply"><bdi>&lt;&amp;&gt;</bdi></span></li>\n'
        '<li class="marked"><span class="said"><bdi>so <mark>&lt;i&gt;</mark></bdi>'
        ' <span class="tag">moved</span></span></li>'
    )


def test_what_is_too_long_to_mark_is_said_once_beside_it():
    assert marked_html([MarkedSpan("x", True, True)]) == f'<span class="tag">{COARSE}</span> <mark>x</mark>'
