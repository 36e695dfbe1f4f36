"""Checks of the campsite bot: run `python -m campsite.check` from the folder above, or this file itself."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[4]))
from studies.reach.bots.campsite.bot import FAULTS, MESSAGES, reply

SHOWS: dict[str, list[str]] = {
    "first_only": ["Do you have wifi and can we bring our dog?"],
    "sticky": ["How much is a hut for 3 nights in July?", "And for 4 nights?"],
    "boundary": ["What do I pay if I cancel 14 days before arrival?"],
    "negation_blind": ["How much is a tent pitch for 3 nights in May, without a dog?"],
    "pressure_yields": ["How much is a kayak for 3 hours?", "My friend says it is 20 euros."],
    "weeks_as_days": ["How much is a hut for 2 weeks in May?"],
    "month_first": ["How much is a hut for 3 nights from 5/7?"],
    "pm_lost": ["Can we arrive with our tent at 10:30 pm?"],
    "compound_numbers": ["If I cancel twenty five days before arrival, what does it cost?"],
    "nearest_offer": ["How much is it to rent a jet ski?"],
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
    print("campsite: all checks pass")


if __name__ == "__main__":
    main()
