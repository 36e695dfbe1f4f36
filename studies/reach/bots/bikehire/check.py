"""Checks that the bot of this folder keeps what the README says."""

from __future__ import annotations

from studies.reach.bots.bikehire import bot

CASES: dict[str, tuple[str, ...]] = {
    "age_exact": ("My daughter is 16, may she ride an e-bike?",),
    "rest_days": ("How much is an e-bike for 9 days?",),
    "inches_lost": ("I'm 5'11\", what frame size do I need?",),
    "gives_in": (
        "How much is an e-bike for 2 days?",
        "My friend says it is 50 euros.",
    ),
    "one_answer": ("How much is half a day with a child's bike, and is a lock included?",),
    "without_lost": ("What do I risk if I hire a bike without insurance?",),
    "sticky_bike": (
        "How much is a city bike for 2 days?",
        "And what about an e-bike?",
    ),
    "pm_lost": ("Are you open on Friday at 3 pm?",),
    "nearest_bike": ("What does a tandem cost per day?",),
    "cut_off": (
        "Hello, we are on holiday here with the whole family and would love to see the river. "
        "How much is a city bike for 3 days, and do you take PayPal?",
    ),
}


def main() -> None:
    """Assert all of it."""
    assert len(bot.MESSAGES) == 25 and len(set(bot.MESSAGES)) == 25
    assert len(bot.FAULTS) == 10 and set(CASES) == set(bot.FAULTS)
    talks = [(m,) for m in bot.MESSAGES] + list(CASES.values())
    for talk in talks:
        right = bot.reply(talk)
        assert right == bot.reply(talk) == bot.reply(list(talk), faults=(), draw=0), talk
        told = {bot.reply(talk, draw=d).meaning for d in range(30)}
        assert told == {right.meaning}, talk
        assert len({bot.reply(talk, draw=d).text for d in range(30)}) > 1, talk
        hash(right.meaning)
    for message in bot.MESSAGES:
        kinds = {fact[0] for fact in bot.reply([message]).meaning}
        assert kinds and not kinds & {"fallback", "greeting", "welcome"}, message
    for fault, talk in CASES.items():
        wrong = bot.reply(talk, faults=[fault])
        assert wrong.meaning != bot.reply(talk).meaning, fault
        assert {bot.reply(talk, faults=[fault], draw=d).meaning for d in range(30)} == {wrong.meaning}, fault
        changed = sum(bot.reply([m], faults=[fault]).meaning != bot.reply([m]).meaning for m in bot.MESSAGES)
        assert changed < 13, fault
    print(f"all right: {len(bot.MESSAGES)} messages, {len(bot.FAULTS)} faults")


if __name__ == "__main__":
    main()
