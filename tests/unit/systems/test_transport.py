"""Bodies on the wire: whatever JSON can say is written and read, by the fast writer and reader or by Python's."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mutatis.core.errors import SystemFailure
from mutatis.systems.transport import Endpoint, written

texts = st.text(st.characters(codec=None), max_size=20)  # lone surrogates, too
numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
data = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
ENDPOINT = Endpoint(url="http://127.0.0.1:9/v1")


@given(data)
def test_what_is_written_is_what_was_meant(given_data):
    assert json.loads(written(given_data)) == given_data


@given(data, st.booleans())
def test_what_is_read_is_what_was_written(given_data, ascii_only):
    payload = json.dumps(given_data, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    assert ENDPOINT.parse(payload) == json.loads(payload)


def test_a_text_without_an_encoding_is_written_as_an_escape():
    assert written({"a": "\ud800"}) == b'{"a": "\\ud800"}'


@pytest.mark.parametrize(
    ("payload", "value"),
    [
        (b'"\\ud800"', "\ud800"),
        (b'{"\xed\xa0\x80": null}', {"\ud800": None}),  # the same, as some servers send it
        ('{"a": "\u00e9"}'.encode("utf-16"), {"a": "\u00e9"}),
        (b"\xef\xbb\xbf[1]", [1]),
        (b"[" * 300 + b"]" * 300, json.loads("[" * 300 + "]" * 300)),
        (b"[Infinity]", [math.inf]),
    ],
    ids=["lone surrogate", "lone surrogate as bytes", "UTF-16", "byte order mark", "deep", "infinity"],
)
def test_what_only_pythons_reader_takes_is_read(payload, value):
    assert ENDPOINT.parse(payload) == value


@pytest.mark.parametrize(
    "payload", [b"", b"{", b"[1] [2]", b"\xff", b"[" * 100_000], ids=["empty", "cut", "two", "no text", "too deep"]
)
def test_what_is_no_json_is_told(payload):
    with pytest.raises(SystemFailure, match="not JSON"):
        ENDPOINT.parse(payload)
