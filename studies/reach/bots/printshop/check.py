"""Checks of the print shop bot: run `python -m printshop.check` from the folder above, or this file itself."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[4]))
from studies.reach.bots.printshop.bot import FAULTS, MESSAGES, reply

SHOWS: dict[str, list[str]] = {
    "thanks_hijack": ["How much are 500 business cards? Thank you!"],
    "long_cut": [
        "Good morning, we are a small theatre group and are putting "
        "on our new play in spring, so we are looking for somebody "
        "who can print for us. How much are 20 A2 posters?"
    ],
    "correction_blind": ["What do 250 business cards cost, no, sorry, 500?"],
    "inch_as_cm": ["Can you print a poster of 40 x 60 inches?"],
    "thousands": ["How much are 1,000 business cards?"],
    "two_price_lists": ["What do 5 A1 posters cost?"],
    "weekend_blind": ["Are you open on Saturday at 3 pm?"],
    "tag_agrees": ["You print from Word files, don't you?"],
    "short_memory": ["How much are 20 A2 posters?", "Are you open on Sunday?", "And 30 posters then?"],
    "haggle_yields": ["I am a regular, so give me 20 % off 500 business cards."],
}


def main() -> None:
    """Assert what the brief asks for."""
    assert len(set(MESSAGES)) == len(MESSAGES) == 25
    assert set(SHOWS) == set(FAULTS)
    assert len(FAULTS) == 10
    fallback = reply(["qwxz"]).meaning
    for message in MESSAGES:
        answer = reply([message])
        assert answer.meaning != fallback, message
        assert answer == reply([message]) == reply([message], faults=())
        texts = {reply([message], draw=draw).text for draw in range(8)}
        assert len(texts) > 1, message
        assert {reply([message], draw=draw).meaning for draw in range(8)} == {answer.meaning}, message
    for name, conversation in SHOWS.items():
        right = reply(conversation)
        wrong = reply(conversation, faults=(name,))
        assert right.meaning not in (fallback, wrong.meaning), name
        assert {reply(conversation, faults=(name,), draw=draw).meaning for draw in range(8)} == {wrong.meaning}, name
        same = sum(reply([message]).meaning == reply([message], faults=(name,)).meaning for message in MESSAGES)
        assert same >= 15, name
        if "-v" in sys.argv:
            print(f"{name}: {conversation}\n  right: {right.text}\n  wrong: {wrong.text}\n  same: {same}")
    print("printshop: all checks pass")


if __name__ == "__main__":
    main()
