"""Checks that the bot of this folder keeps what the README says."""

from __future__ import annotations

from studies.reach.bots.florist import bot

CASES: dict[str, tuple[str, ...]] = {
    "month_first": ("Do you have tulips on 3/6?",),
    "agrees": ("You do deliver on Sundays, don't you?",),
    "sum_last": ("I'd like 10 tulips and 5 gerberas, how much is that together?",),
    "dozen_ten": ("How much is a dozen red roses?",),
    "noon_midnight": ("Are you open on Friday at 12 pm?",),
    "said_before": (
        "How much are 20 red roses?",
        "Do you deliver on Sundays?",
        "How much are 20 red roses?",
    ),
    "colour_lost": ("How much are 10 blue roses?",),
    "signed_to": ("Please send a large bouquet to Eva Braun in Millbrook on Friday. Regards, Tom Fox",),
    "comma_lost": ("Is delivery free for an order of 59,50 euros?",),
    "shouting": ("ARE LILIES DANGEROUS FOR MY CAT?",),
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
