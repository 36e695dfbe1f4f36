"""Bots that answer many questions with one sentence, in place of their own answers."""

from __future__ import annotations

from pathlib import Path

import mutatis
from mutatis.reports.markdown import render_markdown

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
    assert all("is a stock reply" in finding.reason for finding in run.findings)


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


def test_questions_that_get_no_answer_of_their_own_are_named_in_the_first_lines() -> None:
    """What is asked about them in other words tests little, and nothing else in the report would say so."""
    bikes = {"Is there a deposit?": "The deposit is 50 euros.", "Where are you?": "You find us at 4 Harbour Street."}
    questions = [*bikes, "Can I bring my dog?", "Do you sell maps?", "Do you rent boats?"]
    lost = "Sorry, I did not understand."

    def notes_of(answers: dict[str, str]) -> list[str]:
        run = mutatis.run(lambda text: answers.get(text, lost), questions, ["add-spaces"], task="chat")
        told = [f"{check.subject}: {check.message}" for check in run.report.health if check.name == "stock-reply"]
        lines = render_markdown(run.report).splitlines()
        assert bool(told) is any("stock-reply" in line for line in lines[:4])  # one line, however many are told
        return told

    [told] = notes_of(bikes)
    assert "3 of 5 questions got the reply 'Sorry, I did not understand.' before any change" in told
    assert told.endswith("so they test little: 'data/3', 'data/4', 'data/5'")
    [told] = notes_of({**bikes, questions[2]: "Dogs are welcome."})
    assert "2 of 5 questions" in told
    single = {**bikes, questions[2]: "Dogs are welcome.", questions[3]: "We sell maps of the town."}
    [told] = notes_of({**single, questions[4]: "I'm sorry, I don't know that."})
    assert told.endswith("1 of 5 questions is not answered before any change, so it tests little: 'data/5'")
    assert notes_of({**single, questions[4]: "No, we rent bikes only."}) == []
    assert notes_of(dict.fromkeys(questions[:4], "We are closed today.")) != []  # four of five, whatever they say
    assert notes_of({**bikes, **dict.fromkeys(questions[2:4], "We do, at the desk."), questions[4]: "No."}) == []
