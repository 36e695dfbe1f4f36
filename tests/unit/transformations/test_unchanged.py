"""What the fast edits make is to the byte what the plain ones made: hashes from before they were cut short."""

from __future__ import annotations

import hashlib

import pytest

from mutatis.core.transformation import TRANSFORMATIONS, generator
from mutatis.transformations.lexicon import listed

ODD = (
    *("", "   ", "a", "\u00dcn\u00efcode  \u00c4\u00d6 \u00df \u01c5 \u00bd \u2167 x\u00b2", "\u0130stanbul \ufb01ne"),
    *("THE U.K. isn\u2019t 3,000 't s", "don't  can't. \n x", "believe,receive;friend/tomorrow-well-made\ttheir "),
)
BEFORE = {
    "add-characters": "f43dde48739890b2",
    "delete-characters": "ef7a6065a80af7db",
    "keyboard-typos": "96da44a703f3aa06",
    "misspell": "09862bc2f501280d",
    "ocr-noise": "499554f6416be255",
    "remove-keywords-rules": "9b290237d70ab599",
    "replace-characters": "2d837361807df076",
    "shuffle-inside-words": "870c656c66cab7c8",
    "swap-characters": "e6e5b190795bad9b",
}
"""Over all sentences of the package's own, five shares, with and without protected words; taken at commit 6a82999."""


def made(name: str) -> str:
    """Return the hash of what a transformation makes of the fixed corpus."""
    chosen, digest = TRANSFORMATIONS[name], hashlib.sha256()
    for share in (0.0, 0.03, 0.1, 0.5, 1.0):
        for protected in ((), ("the", "was")):
            for number, text in enumerate((*listed("sentences"), *ODD)):
                new = chosen.apply(text, rng=generator(number, name), share=share, protected=protected)
                digest.update(str(new).encode() + b"\0")
    return digest.hexdigest()[:16]


@pytest.mark.parametrize("name", BEFORE)
def test_follow_ups_are_what_they_were_to_the_byte(name: str) -> None:
    assert made(name) == BEFORE[name]
