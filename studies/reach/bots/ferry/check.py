"""Checks the ferry bot: every fault shows, none is on by default, and wording never changes the meaning."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
bot = importlib.import_module(f"{HERE.name}.bot")

CONVERSATIONS: dict[str, tuple[str, ...]] = {
    "first_request_only": ("How long does the crossing to Linga take, and may I bring my dog?",),
    "claim_accepted": (
        "My friend says a single to Torsay costs £12. How much is a single ticket to Torsay for one adult?",
    ),
    "height_limit_strict": ("My van is 3.2 m high. Does it fit on the ferry?",),
    "feet_read_as_metres": ("My camper van is 9 ft high. Does it fit on the ferry?",),
    "not_unread": ("How much is a single to Linga in May for two adults without a car?",),
    "nearest_port": ("How much is a single ticket to Tiree for one adult?",),
    "pm_lost": ("Is there a ferry to Torsay after 3 pm on Monday?",),
    "route_sticks": ("How much is a single to Torsay for two adults?", "And to Linga?"),
    "us_dates": ("What does it cost to take a car to Linga on 03/07, one way?",),
    "whoever_cancels": ("What happens if the ferry is cancelled?",),
}


def main() -> None:
    """Run the checks."""
    assert len(bot.MESSAGES) == 25 and len(set(bot.MESSAGES)) == 25
    assert set(bot.FAULTS) == set(CONVERSATIONS) and len(CONVERSATIONS) == 10
    fallback = bot.reply(["Colourless green ideas sleep furiously."]).meaning
    for message in bot.MESSAGES:
        right = bot.reply([message])
        assert right == bot.reply([message], faults=()), message
        assert right.meaning and right.meaning != fallback, message
        texts = set()
        for draw in range(20):
            other = bot.reply([message], draw=draw)
            assert other.meaning == right.meaning, message
            texts.add(other.text)
        assert len(texts) > 2, message
    for fault, messages in CONVERSATIONS.items():
        right, wrong = bot.reply(messages), bot.reply(messages, faults={fault})
        assert right.meaning != wrong.meaning and right.meaning != fallback, fault
        assert right.text != wrong.text, fault
        hits = sum(
            bot.reply([message], faults={fault}).meaning != bot.reply([message]).meaning for message in bot.MESSAGES
        )
        assert hits < len(bot.MESSAGES) // 2, fault
        for other, conversation in CONVERSATIONS.items():
            repeat = [bot.reply(conversation, faults={fault}, draw=draw).meaning for draw in (0, 1, 2)]
            assert len(set(repeat)) == 1, (fault, other)
    print(f"{HERE.name}: all checks passed")


if __name__ == "__main__":
    main()
