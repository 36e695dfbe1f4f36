"""Asks a question in another language: as the data have it there. Independent of tasks and relations."""

from __future__ import annotations

from dataclasses import replace

from mutatis.core.cases import Case
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.languages import EVERY, language_name
from mutatis.core.transformation import taken_in_turn, transformation


@transformation(
    "in-another-language", level="case", capability="languages", says="asked in another language", languages=EVERY
)
@taken_in_turn(lambda case: len(case.translations))
def in_another_language(case: Case, draw: int = 0) -> Case:
    """Ask the question in another language of the data; each draw takes the next of its translations.

    >>> from mutatis.core.cases import Turn
    >>> german = Case(id="g", turns=(Turn(fields={"message": "Wann machen Sie auf?"}),), language="de")
    >>> english = Case(id="e", turns=(Turn(fields={"message": "When do you open?"}),), translations=(german,))
    >>> asked = in_another_language(english)
    >>> asked.language, asked.turns[0].question
    ('de', 'Wann machen Sie auf?')
    """
    if draw >= len(case.translations):
        raise UnusableFollowUp("the data hold no translation of the question into a language that comes after its own")
    other = case.translations[draw]
    asked, there = ([tuple(turn.fields) for turn in each.turns] for each in (case, other))
    if asked != there or case.ask_turns != other.ask_turns:
        raise UnusableFollowUp(f"in {language_name(other.language)} it has other turns or fields")
    return replace(case, turns=other.turns, material=other.material, language=other.language)
