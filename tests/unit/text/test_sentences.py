import pytest
from hypothesis import given
from hypothesis import strategies as st

from mutatis.text.sentences import sentences, split_sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He came. She left.", ["He came.", "She left."]),
        ("Dr. Smith came. He left!", ["Dr. Smith came.", "He left!"]),
        ("J. K. Rowling wrote it. Yes.", ["J. K. Rowling wrote it.", "Yes."]),
        ("It cost $3.5 million. Why?", ["It cost $3.5 million.", "Why?"]),
        ('She said "Go." Then he went.', ['She said "Go."', "Then he went."]),
        ("In the U.S. it rains.", ["In the U.S. it rains."]),
        ("A heading\n\nA paragraph", ["A heading", "A paragraph"]),
        ("他来了。她走了。", ["他来了。", "她走了。"]),
        ("It was me and I. He left.", ["It was me and I.", "He left."]),
        ("Sorry, no. See our page.", ["Sorry, no.", "See our page."]),
        ("No. We close at 5. Go to room No. 7 or no. B2.", ["No.", "We close at 5.", "Go to room No. 7 or no. B2."]),
        ("Bags of max. 8 kg. It takes 5 min. We close.", ["Bags of max. 8 kg.", "It takes 5 min.", "We close."]),
        ("Bus no. IV leaves. No. I cannot.", ["Bus no. IV leaves.", "No.", "I cannot."]),
        ("no stop", ["no stop"]),
        ("", []),
        ("  \n ", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@given(st.text(alphabet=st.sampled_from("aB. !?\n\t。\"')…")) | st.text(alphabet=st.characters(exclude_categories=())))
def test_nothing_is_lost(text: str) -> None:
    parts = split_sentences(text)
    assert "".join(part.text + part.space for part in parts) == text
    assert all(text[part.start : part.end] == part.text for part in parts)
