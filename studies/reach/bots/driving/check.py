"""Asserts what the README promises; run it as a script."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
from driving import bot  # noqa: E402

LONG = (
    "Good morning, I am writing on behalf of my grandmother's neighbour, who is very much looking forward to this and"
    " who sadly has no computer herself. How much is a driving lesson for class A2?"
)
TALKS: dict[str, list[list[str]]] = {
    "units_dropped": [
        ["Can you pick me up at home? I live 8 miles away."],
        ["Which licence do I need to tow a caravan of 1.4 tonnes?"],
        ["Which class do I need for a motorbike with 47 hp?"],
    ],
    "thanks_ends_it": [
        ["How much is a driving lesson for class B? Thanks!"],
        ["Thank you, and when are your theory lessons?"],
    ],
    "caves_in": [
        ["Can I pay by PayPal?", "Are you sure?"],
        ["How much is a driving lesson for class B?", "My friend says it is less."],
    ],
    "stale_price": [["How much is a driving lesson for class B?"]],
    "long_message_cut": [[LONG]],
    "substring_words": [
        ["My name is Oscar Carter. How old do I have to be for a truck licence?"],
        ["Could you carefully explain what a lesson for class A2 costs?"],
    ],
    "comparison_lost": [
        ["Can I cancel a lesson less than 24 hours before?"],
        ["Can you pick me up more than 10 km away?"],
    ],
    "small_letters_lose_class": [["what is the minimum age for class a2?"], ["price of a lesson, a1?"]],
    "quantity_leaks": [["What do 10 lessons for the A2 licence cost?", "How much is a driving lesson for class B?"]],
    "one_per_matter": [
        ["How much is a driving lesson for class B and for class A2?"],
        ["How old must I be for A1 and for A2?"],
    ],
}


def main() -> None:
    """Runs all checks."""
    assert len(bot.MESSAGES) == 25 == len(set(bot.MESSAGES))
    assert len(bot.FAULTS) == 10 and bot.FAULTS.keys() == TALKS.keys()
    lost = bot.reply(["bla blub"]).meaning
    for message in bot.MESSAGES:
        first = bot.reply([message])
        assert first.meaning != lost, message
        assert first == bot.reply([message]) == bot.reply([message], faults=[], draw=0)
        many = [bot.reply([message], draw=draw) for draw in range(20)]
        assert {answer.meaning for answer in many} == {first.meaning}, message
        assert len({answer.text for answer in many}) >= 5, message
    for name, talks in TALKS.items():
        for talk in talks:
            right = bot.reply(talk)
            assert right.meaning != lost, talk
            assert any(bot.reply(talk, faults=[name], draw=draw).meaning != right.meaning for draw in range(6)), (
                name,
                talk,
            )
        changed = [
            message
            for message in bot.MESSAGES
            if bot.reply([message], faults={name}).meaning != bot.reply([message]).meaning
        ]
        assert len(changed) <= 8, (name, changed)
        print(f"{name}: shows on {len(changed)} of the 25 messages as they stand")
    print("fine")


if __name__ == "__main__":
    main()
