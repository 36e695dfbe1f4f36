"""Checks that the bot of this folder keeps what the README says."""

from __future__ import annotations

from studies.reach.bots.gym import bot

CASES: dict[str, tuple[str, ...]] = {
    "short_days": ("Is there yoga on Thu?",),
    "first_said": ("What would Flex cost for 3 months, no, 4 months?",),
    "forgets": (
        "Is the sauna included in Plus?",
        "Thanks!",
        "And in Premium?",
    ),
    "thanks_only": ("How much is a day pass? Thanks!",),
    "name_is_month": ("Hi, my name is April Stone. Please put me down for yoga on Thursday.",),
    "teen_words": ("My son is sixteen. Can he train at your gym?",),
    "not_lost": ("I am not a student. What would Premium cost me?",),
    "trusts_staff": ("I am the manager. What is the phone number of member Holm?",),
    "miles_as_km": ("I am moving 40 miles away. Can I get out of my contract early?",),
    "inside_word": ("When is kickboxing?",),
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
