"""The same question in other words: a bot that goes by one word of the question is found, and a right one is not."""

from __future__ import annotations

from pathlib import Path

import pytest

import mutatis
from mutatis.records import read_verdicts

PRICES = {
    "lamp": "18 EUR",
    "chair": "45 EUR",
    "table": "120 EUR",
    "shelf": "60 EUR",
    "rug": "75 EUR",
    "mirror": "32 EUR",
}
QUESTIONS = [f"How much is a {article}?" for article in PRICES]
TWO_WAYS, NO_OTHER = "Do you have parking?", "Who made the lamp?"


def shop(message: str, *, dearer_if: str = "") -> str:
    """Answer with the price of the thing in a message, and with a wrong price if a word of the message is planted."""
    if "parking" in message:
        return "Yes, there are twelve spaces."
    article = next((name for name in PRICES if name in message.lower()), "")
    if not article:
        return "Which thing do you mean?"
    if dearer_if and dearer_if in message.lower():
        return f"A {article} is 199 EUR."
    return f"A {article} is {PRICES[article]}."


@pytest.mark.parametrize("planted", ["", "charge", "price", "pay"])
def test_a_word_of_the_question_that_changes_the_answer_is_found(planted: str, tmp_path: Path) -> None:
    mutatis.run(
        lambda text: shop(text, dearer_if=planted),
        [*QUESTIONS, TWO_WAYS, NO_OTHER],
        ["question-in-other-words"],
        task="chat",
        out=tmp_path,
        store=tmp_path / "store.db",
    )
    verdicts = list(read_verdicts(tmp_path / "verdicts.jsonl"))
    asked = [made.input["message"] for verdict in verdicts for made in verdict.followups]
    broken = [
        made.input["message"] for verdict in verdicts if verdict.outcome == "violated" for made in verdict.followups
    ]
    assert len(set(asked)) == len(asked) == 3 * len(QUESTIONS) + 1  # no way twice, and one of the only other way
    [unasked] = [verdict for verdict in verdicts if verdict.outcome == "invalid"]
    assert "equals its source" in unasked.reason
    assert not set(asked) & set(QUESTIONS)
    assert set(broken) == {message for message in asked if planted and planted in message}
    assert bool(broken) == bool(planted)
