"""Checks of the bot: run as `python3.11 check.py`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from theatre.bot import FAULTS, MESSAGES, reply  # noqa: E402

SHOWING: Final[dict[str, tuple[tuple[str, ...], ...]]] = {
    "polarity_lost": (
        ("I'm not a student. How much is a ticket for Hamlet in category 2?",),
        ("I'm no longer a student. What is Carmen in category 1?",),
    ),
    "only_first_request": ((MESSAGES[-1],), ("How long is Cabaret, and where can I park?",)),
    "claim_adopted": (
        ("How much is a ticket for Hamlet in category 2? My friend says it's £20.",),
        ("A ticket for Carmen in category 3 is £35, right?",),
    ),
    "number_words_to_six": (
        ("How much are eight tickets for Cabaret in category 4?",),
        ("Is there a discount for a group of twelve?",),
    ),
    "month_first": (("What is on on 12/11?",), ("When does Peter and the Wolf start on 06.12.?",)),
    "group_limit_exclusive": (
        ("We are a group of 10 people. Do we get a reduction?",),
        ("How much are 10 tickets for Hamlet in category 3?",),
    ),
    "sticky_title": (
        ("How long is Carmen?", "And when does Hamlet start?"),
        ("Is Cabaret in English?", "How much is Carmen in category 2?"),
    ),
    "capitals_are_complaints": (("WHERE CAN I PARK?",), ("HOW LONG IS CABARET?",)),
    "closest_title": (("When is Macbeth on?",), ("How much is Swan Lake in category 1?",)),
    "correction_ignored": (
        ("How much is Hamlet, sorry, I mean Carmen in category 2?",),
        ("How much are two, no, three tickets for Hamlet in category 2?",),
    ),
}


def main() -> None:
    """Asserts what the brief asks for."""
    assert len(MESSAGES) == 25 and len(FAULTS) == 10 and set(SHOWING) == set(FAULTS)
    fallback = reply(["xyzzy qwrt"]).meaning
    for message in MESSAGES:
        right = reply([message])
        assert right.meaning != fallback, message
        assert right == reply([message]) == reply((message,), faults=()), message
        texts = set()
        for draw in range(12):
            other = reply([message], draw=draw)
            assert other.meaning == right.meaning, message
            texts.add(other.text)
        assert len(texts) > 3, message
    for name, talks in SHOWING.items():
        for talk in talks:
            right, wrong = reply(talk), reply(talk, faults=(name,))
            assert right.meaning != wrong.meaning, (name, talk)
            assert right.meaning != fallback
            for second in sorted(set(FAULTS) - {name}):
                if reply(talk, faults=(second,)).meaning != right.meaning:
                    print(f"also changed by {second}: {talk}")
        same = sum(reply([message]).meaning == reply([message], faults=[name]).meaning for message in MESSAGES)
        assert same >= 13, (name, same)
        print(f"{name}: {same} of {len(MESSAGES)} messages unchanged")
    print("all well")


if __name__ == "__main__":
    main()
