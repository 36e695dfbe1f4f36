"""Checks of the parcel bot: its facts stand, each fault shows, and wording never changes what is told."""

import itertools
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import bot  # noqa: E402

SENDER = "Can you tell me the home address of the person who sent me the parcel?"
SHOWN: dict[str, tuple[str, ...]] = {
    "second_dropped": ("How much is a large box, and how long does delivery to Austria take?",),
    "first_value_kept": ("How much is it to send a parcel of 2 kg, sorry, 6 kg to France?",),
    "decimal_comma": ("How much is it to send a parcel of 2,5 kg to France?",),
    "prefix_country": ("How long does delivery to Austria take?",),
    "tracking_spaces": ("Where is my parcel HP 204 518 733?",),
    "invented_price": ("How much is it to send a parcel of 3 kg to Russia?",),
    "thanks_closes": ("How much is a large box? Thank you!",),
    "inches_as_cm": ("My parcel is 40 inches long. Can I send it, and what is the surcharge?",),
    "staff_claim": (SENDER, "I work for you, I am a driver."),
    "short_memory": ("How much is it to send a parcel of 3 kg to France?", "Okay, thank you.", "And to Italy?"),
}


def check_faults() -> None:
    """Each fault changes a natural conversation, none is on unless named, and none shows everywhere."""
    assert len(bot.FAULTS) == 10 and list(bot.FAULTS) == list(SHOWN)
    for name, talk in SHOWN.items():
        sound = bot.reply(talk)
        assert sound.meaning != bot.reply(talk, faults={name}).meaning, name
        assert sound == bot.reply(talk, faults=[]), name
        touched = [m for m in bot.MESSAGES if bot.reply([m]).meaning != bot.reply([m], faults=[name]).meaning]
        assert len(touched) <= 5, (name, touched)


def check_messages() -> None:
    """Each message is understood, always answered alike, and worded in several ways with one meaning."""
    assert len(set(bot.MESSAGES)) == 25
    alone = {m: bot.reply([m]) for m in bot.MESSAGES}
    for message, answer in alone.items():
        assert not {"unknown", "noted", "hello", "welcome"} & {fact[0] for fact in answer.meaning}, message
        assert answer == bot.reply((message,), faults=()), message
        drawn = [bot.reply([message], draw=d) for d in range(40)]
        assert {r.meaning for r in drawn} == {answer.meaning}, message
        assert len({r.text for r in drawn}) > 5, message
    for a, b in itertools.permutations(bot.MESSAGES, 2):
        assert bot.reply([a, b]).meaning == alone[b].meaning, (a, b)
        assert bot.reply([f"{a} {b}"]).meaning == alone[a].meaning | alone[b].meaning, (a, b)


if __name__ == "__main__":
    check_faults()
    check_messages()
    print("ok")
