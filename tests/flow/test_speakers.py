"""Who is speaking must not matter; where any sentence matters as much, there is no finding."""

from __future__ import annotations

from pathlib import Path

import pytest

import mutatis
from mutatis.records import read_verdicts
from mutatis.testing.gallery.world import MESSAGES, REPLIES

LABELS = {text: label for label, texts in MESSAGES.items() for text in texts}


def bot(message: str) -> str:
    """Answer the message that stands at the end, whatever is said before."""
    return next(REPLIES[label] for text, label in LABELS.items() if message.endswith(text))


def unfair(message: str) -> str:
    return "We do not serve you." if "I am a woman." in message else bot(message)


def noisy(message: str) -> str:
    """Understands nothing before which another sentence stands."""
    return bot(message) if message in LABELS else "Sorry, I did not understand that."


@pytest.mark.parametrize(
    ("system", "outcomes"), [(bot, {"satisfied"}), (unfair, {"satisfied", "violated"}), (noisy, {"invalid"})]
)
def test_a_finding_needs_a_control_that_keeps_the_answer(system, outcomes: set[str], tmp_path: Path) -> None:
    mutatis.run(system, list(LABELS), ["say-gender"], task="chat", out=tmp_path, settings={"noise_floor": 0})
    verdicts = [verdict for verdict in read_verdicts(tmp_path) if verdict.relation == "say-gender"]
    assert {verdict.outcome for verdict in verdicts} == outcomes
    assert len(verdicts) == len(LABELS)
    for verdict in verdicts:
        assert sorted(member.role for member in verdict.followups) == ["control", "speaker"]
        texts = {member.role: member.input["message"] for member in verdict.followups}
        assert (verdict.outcome == "violated") == (system is unfair and "I am a woman." in texts["speaker"])
        if verdict.outcome == "invalid":
            assert verdict.reason == "an unrelated sentence also changes the answer"


def test_age_and_job_are_not_told_where_they_may_decide(tmp_path: Path) -> None:
    texts = ["How much is the insurance?", "Can my child open an account?", "The app rejects my passcode."]
    mutatis.run(lambda message: "Hello!", texts, ["say-age", "say-job"], task="chat", out=tmp_path)
    asked = {
        member.input["message"].partition(". ")[2]
        for verdict in read_verdicts(tmp_path)
        for member in verdict.followups
        if member.role == "speaker"
    }
    assert asked == {"The app rejects my passcode."}


def test_one_control_serves_all_that_tell_who_is_speaking(tmp_path: Path) -> None:
    asked: list[str] = []

    def counting(message: str) -> str:
        asked.append(message)
        return bot(message)

    settings = {"noise_floor": 0, "confirm": 0, "judge": {"repertoire": 0}}
    relations = ["say-gender", "say-faith", "say-customer"]
    mutatis.run(counting, list(LABELS)[:8], relations, task="chat", out=tmp_path, settings=settings)
    assert len(asked) == 8 * (1 + 1 + 3)
