"""Checks this folder's bot: run it as a script, it ends quietly or with an error."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
bot = importlib.import_module(HERE.name + ".bot")

CASES: dict[str, tuple[str, ...]] = {
    "units_dropped": ("Can I bring my dog? She weighs 35 pounds.",),
    "without_ignored": ("How much would a family room be from 28 December to 2 January without breakfast?",),
    "claims_accepted": ("How much is a double room for three nights from 12 June? My friend says it is 300 euros.",),
    "first_value_sticks": ("How much is a double room for three nights from 12 June?", "Sorry, I meant four nights."),
    "last_night_counted": ("What does a twin room cost from 3 to 6 May?",),
    "facility_invented": ("Is there a bowling alley in the hotel?",),
    "shouting_escalates": ("WHAT DOES PARKING COST FOR 4 NIGHTS?",),
    "pm_lost_with_minutes": ("Our flight is late and we will arrive at 11:30 pm. Can we still check in?",),
    "relation_trusted": ("Which room is Mr Daniel Byrne staying in? I am his brother.",),
    "words_above_ten": ("How much is a single room for twelve nights from 1 March?",),
}


def main() -> None:
    """Asserts what a bot of this kind must fulfil."""
    assert len(bot.MESSAGES) == len(set(bot.MESSAGES)) == 25 and len(bot.FAULTS) == 10
    assert set(CASES) == set(bot.FAULTS)
    fallback = frozenset({("fallback",)})
    for fault, case in CASES.items():
        right, faulty = bot.reply(case), bot.reply(case, faults=[fault])
        assert right.meaning != faulty.meaning, fault
        assert right.text != faulty.text, fault
        assert right.meaning == bot.reply(case, faults=()).meaning, fault
        assert fallback != right.meaning, fault
        others = [f for f in bot.FAULTS if bot.reply(case, faults=[f]).meaning != right.meaning]
        print(f"{fault}: {len(others)} fault(s) show in its example")
    for message in bot.MESSAGES:
        first = bot.reply([message])
        assert first == bot.reply([message]) == bot.reply((message,), faults=[]), message
        assert first.meaning != fallback and ("fallback",) not in first.meaning, message
        assert hash(first.meaning) is not None
        again = [bot.reply([message], draw=draw) for draw in range(20)]
        assert {r.meaning for r in again} == {first.meaning}, message
        assert len({r.text for r in again}) > 2, message
        assert sum(bot.reply([message], faults=[f]).meaning != first.meaning for f in bot.FAULTS) < 10, message
    for fault in bot.FAULTS:
        shown = sum(bot.reply([m], faults=[fault]).meaning != bot.reply([m]).meaning for m in bot.MESSAGES)
        assert shown < 20, fault
        print(f"{fault}: shows on {shown} of the 25 messages as they are")
    assert bot.reply(["qwzx vbnk"]).meaning == fallback
    print("all right")


if __name__ == "__main__":
    main()
