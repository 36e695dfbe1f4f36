"""Checks the laundry bot: every fault shows, none is on by default, and wording never changes the meaning."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
bot = importlib.import_module(f"{HERE.name}.bot")

CONVERSATIONS: dict[str, tuple[str, ...]] = {
    "last_quantity_for_all": ("How much does it cost to have two suits and five shirts cleaned?",),
    "number_words_unread": ("What do you charge for twelve shirts?",),
    "thanks_swallows": ("Can I pay by cheque? Thank you very much.",),
    "first_value_stays": ("How much is it to clean two, no, three dresses?",),
    "doubt_flips": ("How much is a coat?", "Are you sure?"),
    "long_message_cut": (
        (
            "Good morning, I have just moved into the house next to your shop with my family and I was wondering "
            "whether you also clean leather jackets."
        ),
    ),
    "forgets_after_one_turn": ("How much is a duvet?", "Thanks!", "And how long does it take?"),
    "substring_items": ("How much is a waistcoat?",),
    "stain_alarm": ("Do you get blood stains out of a shirt?",),
    "weekend_is_working_days": ("If I bring my suit on Thursday, when can I pick it up?",),
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
