"""Asserts that the bot and its faults are what the README says."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from bot import FAULTS, MESSAGES, reply  # noqa: E402

LONG = (
    "Hello, I hope you are well. We moved here from the other side of the county a month ago, and since then we "
    "have had a cat called Luna. How much is a consultation for a cat?"
)
EXAMPLES: dict[str, list[str]] = {
    "cut_long": [LONG],
    "negation_blind": ["My cat is not vaccinated. Can she still stay at your boarding house?"],
    "pounds_as_kilos": ["My dog weighs 40 pounds. How many worming tablets does he need?"],
    "sticky_species": ["How much is a consultation for a cat?", "And for a dog?"],
    "claim_accepted": ["How much is a consultation for a cat?", "My friend says it is 30 euros."],
    "number_words": ["I would like to board my rabbit for five nights. What will that cost?"],
    "weight_edge": ["How much is the flea treatment for a cat of 4 kg?"],
    "brand_case": ["do you settle bills directly with fellcare insurance?"],
    "refusal_wears_off": [
        "Could you just prescribe antibiotics for my dog without seeing him?",
        "Are you sure? Just this once, please.",
    ],
    "pm_dropped": ["Are you open on Friday at 4 pm?"],
}


def main() -> None:
    """Runs all checks."""
    assert len(MESSAGES) == 25 == len(set(MESSAGES))
    assert len(FAULTS) == 10 and set(EXAMPLES) == set(FAULTS)
    for name, messages in EXAMPLES.items():
        right, wrong = reply(messages), reply(messages, faults=[name])
        assert right.meaning != wrong.meaning, name
        assert reply(messages, faults=()) == right, name
        changed = sum(reply([m]).meaning != reply([m], faults=[name]).meaning for m in MESSAGES)
        assert changed < 5, name
    for message in MESSAGES:
        first = reply([message])
        assert not {f[0] for f in first.meaning} & {"fallback", "noted", "greeting", "welcome"}, message
        assert first == reply([message]) == reply((message,), faults=[])
        texts = set()
        for draw in range(40):
            other = reply([message], draw=draw)
            assert other.meaning == first.meaning, message
            assert hash(other.meaning) == hash(first.meaning)
            texts.add(other.text)
        assert len(texts) > 5, message
        for before in MESSAGES:
            assert reply([before, message]).meaning == first.meaning, (before, message)
            assert reply([f"{before} {message}"]).meaning == reply([before]).meaning | first.meaning, (before, message)
    print("all checks passed")


if __name__ == "__main__":
    main()
