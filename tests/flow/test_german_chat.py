"""A German chatbot under the default relations: what a clean one and a faulty one get."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import mutatis
from mutatis.core.decision import Outcome
from mutatis.core.verdict import Verdict

SORRY = "Das habe ich leider nicht verstanden."
ANSWERS = {
    "Wie lange haben Sie am Montag geöffnet?": "Am Montag haben wir von 9 bis 18 Uhr geöffnet.",
    "Was kostet eine Tageskarte für Erwachsene?": "Eine Tageskarte für Erwachsene kostet 12,50 Euro.",
    "Gibt es einen Parkplatz?": "Ja, hinter dem Haus gibt es einen Parkplatz.",
    "Wie lange dauert die Führung?": "Die Führung dauert 90 Minuten.",
    "Darf ich Hunde mitbringen?": "Nein, Hunde sind leider nicht erlaubt.",
    "Wo kann ich eine Tasche abgeben?": "Ihre Tasche nimmt die Garderobe im Keller an.",
    "Wann beginnt das Konzert?": "Das Konzert beginnt um 20 Uhr.",
    "Wie viele Personen passen in eine Gruppe?": "Eine Gruppe hat höchstens 20 Personen.",
}


def _words(text: str) -> set[str]:
    bare = text.lower().replace("ß", "ss")
    return {word[:5] for word in re.findall(r"\w+", bare) if len(word) > 3}


def clean(message: str) -> str:
    """Answer each question in a message by the words that it shares with a known one."""
    answers = []
    for part in re.split(r"(?<=\?)\s", message):
        share = {known: len(_words(known) & _words(part)) / len(_words(known)) for known in ANSWERS}
        best = max(share, key=lambda known: share[known])
        answers.append(ANSWERS[best] if share[best] >= 0.4 else SORRY)
    told = [text for text in dict.fromkeys(answers) if text != SORRY]
    return " ".join(told) or SORRY


def _verdicts(bot: object, folder: Path) -> list[Verdict]:
    verdicts: list[Verdict] = []
    mutatis.run(
        bot,  # type: ignore[arg-type]
        [{"message": question} for question in ANSWERS],
        task="chat",
        out=folder,
        on_event=lambda event: verdicts.append(event) if isinstance(event, Verdict) else None,
    )
    return verdicts


def test_a_bot_that_does_not_understand_capitals_has_findings(tmp_path: Path) -> None:
    verdicts = _verdicts(lambda message: SORRY if message.isupper() else clean(message), tmp_path)
    violated = Counter(v.relation.name for v in verdicts if v.outcome is Outcome.VIOLATED)
    assert violated["upper-case"] == len(ANSWERS)


def test_a_clean_bot_is_judged_by_relations_of_many_kinds(tmp_path: Path) -> None:
    """Misspelt words are what this bot cannot do; everything else holds."""
    verdicts = _verdicts(clean, tmp_path)
    told = [v for v in verdicts if v.outcome in (Outcome.SATISFIED, Outcome.VIOLATED)]
    assert {v.relation.name for v in told if v.outcome is Outcome.VIOLATED} <= {"keyboard-typos", "misspell"}
    kinds = {v.relation.change for v in told}
    assert {"noise", "wording", "pair", "conversation", "name", "pressure", "value"} <= kinds
    assert len({v.relation.name for v in told}) >= 18
