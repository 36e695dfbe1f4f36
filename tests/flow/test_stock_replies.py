"""Bots that answer many questions with one sentence, in place of their own answers."""

from __future__ import annotations

from pathlib import Path

import mutatis

ANSWERS = {
    "Was kostet der Eintritt?": "Der Eintritt kostet 8 Euro.",
    "Wo kann ich in der Nähe parken?": "Das Parkhaus liegt hinter dem Museum.",
    "Darf ich meinen Hund mitbringen?": "Hunde müssen leider draußen bleiben.",
    "Wann beginnt die nächste Führung?": "Die nächste Führung beginnt um 14 Uhr.",
    "Wo finde ich die Garderobe?": "Die Garderobe ist im Erdgeschoss.",
    "Darf ich im Museum fotografieren?": "Sie dürfen ohne Blitz fotografieren.",
}
RELATIONS = ["upper-case", "lower-case", "drop-punctuation", "repeat-text"]


def german(text: str) -> str:
    return next(answer for question, answer in ANSWERS.items() if question[:-1].lower() in text.lower())


def disliking_capitals(text: str) -> str:
    return "Bitte formulieren Sie Ihre Frage anders." if text.isupper() else german(text)


def test_a_german_bot_that_dislikes_capitals_has_findings(tmp_path: Path) -> None:
    """Before, it had none: the judge of chat knows no German."""
    run = mutatis.run(disliking_capitals, list(ANSWERS), RELATIONS, task="chat", out=tmp_path)
    assert {finding.relation for finding in run.findings} == {"upper-case"}
    assert len(run.findings) == len(ANSWERS)
    assert all("did not understand" in finding.reason for finding in run.findings)


def test_one_that_does_not_has_none(tmp_path: Path) -> None:
    assert not mutatis.run(german, list(ANSWERS), RELATIONS, task="chat", out=tmp_path).findings


def test_a_phone_line_in_place_of_answers_is_no_answer(tmp_path: Path) -> None:
    """A bot that hears violence in an idiom hands over, whatever is asked."""
    answers = {
        "What does the lamp cost?": "The lamp costs 40 euros.",
        "When do you open on Mondays?": "We open at 9 on Mondays.",
        "Where can I park my car?": "You can park behind the house.",
        "Which bus goes to the shop?": "Bus 12 goes to the shop.",
        "How long is the guarantee?": "The guarantee is 3 years.",
    }
    harsh = ("dying", "kill", "shot", "die ", "bombard", "dead", "murder", "shoot")

    def bot(text: str) -> str:
        if any(word in text.lower() for word in harsh):
            return "Please talk to someone: 0800 111 0 111."
        return next((answer for question, answer in answers.items() if question[:-1].lower() in text.lower()), "Sorry?")

    relations = ["stays-answered", "upper-case", "lower-case", "repeat-text"]
    run = mutatis.run(bot, list(answers), relations, task="chat", out=tmp_path)
    assert sum(finding.relation == "stays-answered" for finding in run.findings) >= len(answers)
