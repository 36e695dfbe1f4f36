"""Checks this folder's bot: run it as a script, it ends quietly or with an error."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
bot = importlib.import_module(HERE.name + ".bot")

CASES: dict[str, tuple[str, ...]] = {
    "american_dates": ("Is the library open on 3/4/2027?",),
    "age_limit_shifted": ("My son is 16, can he join on his own?",),
    "grim_words_refused": ("Do you have To Kill a Mockingbird?",),
    "nearest_title": ("Do you have Great Circle?",),
    "origin_as_home": ("We have just moved from Poland to Wexcombe, do we have to pay for a library card?",),
    "only_first_request": ("What time do you close on Thursdays? And is there wifi in the library?",),
    "long_messages_cut": (
        "Hello, I hope you can help me, because I am new in town and I really love to read on long "
        "evenings by the fire. How long can I keep a DVD?",
    ),
    "sure_retracts": ("How long can I keep a DVD?", "Are you sure?"),
    "weekday_guessed": ("What time do you close on Thrusday?",),
    "cap_forgotten": ("My book is 12 weeks overdue, how much is the fine?",),
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
