"""Bytes that a server sends, as text: none is lost, whatever they were meant to be."""

import pytest

from mutatis.systems.transport import Received, decoded


@pytest.mark.parametrize(
    ("payload", "text"),
    [
        ("naïve – 5 €".encode(), "naïve – 5 €"),
        ("naïve – 5 €".encode("cp1252"), "naïve – 5 €"),
        ("naïve ".encode() + "– 5 €".encode("cp1252") + " über".encode(), "naïve – 5 € über"),
        ("naïve – 5 €\n".encode("cp1252") * 1_000, "naïve – 5 €\n" * 1_000),
        (b"cut \xe2\x82", "cut â‚"),
        (b"\x81\xff\x00", "\x81ÿ\x00"),
    ],
    ids=["UTF-8", "windows-1252", "both", "long", "cut", "no text"],
)
def test_what_is_no_utf8_is_windows_1252(payload, text):
    assert decoded(payload) == text


def test_no_two_bytes_become_one_character():
    every = [Received(bytes([code]), media).text for code in range(256) for media in ("text/plain; charset=latin-1",)]
    assert len(set(every)) == 256
    assert "\ufffd" not in decoded(bytes(range(256)))
