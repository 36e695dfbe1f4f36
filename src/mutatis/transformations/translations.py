"""Asks a question in another language, from the data or a helper, or translates only a greeting or a value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Literal, TypeAlias

from mutatis.core.cases import Case, Turn
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.languages import ENGLISH, EVERY, LATIN, is_english, knows, language_code, language_name
from mutatis.core.system import Helper
from mutatis.core.transformation import generator, taken_in_turn, transformation
from mutatis.languages import Language, languages_with, needing
from mutatis.text.by_folder import READS
from mutatis.text.languages import language as spoken_language
from mutatis.text.values import Value, values, vocabulary
from mutatis.transformations.clear import follows_name, starts_sentence
from mutatis.transformations.known import one_of
from mutatis.transformations.language_model import Only, rewritten

language_edit = partial(transformation, level="case", capability="languages")
"""Decorator that registers an edit of the language of a case."""

_LONGEST = 2
"""Maximum number of words in a greeting whose language differs from the rest of the text."""

_FEWEST, _MOST = 2, 12
"""Smallest and largest number whose word is translated."""


@language_edit("in-another-language", says="asked in another language", languages=EVERY)
@taken_in_turn(lambda case, _: len(case.translations))
def in_another_language(case: Case, draw: int = 0) -> Case:
    """Ask the question in another of the languages in the data.

    Each draw uses the next translation.

    >>> german = Case(id="g", turns=(Turn(fields={"message": "Wann machen Sie auf?"}),), language="de")
    >>> english = Case(id="e", turns=(Turn(fields={"message": "When do you open?"}),), translations=(german,))
    >>> asked = in_another_language(english)
    >>> asked.language, asked.turns[0].question
    ('de', 'Wann machen Sie auf?')
    """
    other = _translation(case, draw)
    fields, other_fields = ([tuple(turn.fields) for turn in each.turns] for each in (case, other))
    if fields != other_fields or case.ask_turns != other.ask_turns:
        raise UnusableFollowUp(
            f"the {language_name(other.language)} version of the question has different turns or fields"
        )
    return replace(case, turns=other.turns, material=other.material, language=other.language)


def _translation(case: Case, draw: int) -> Case:
    if draw >= len(case.translations):
        raise UnusableFollowUp("the data has no translation of the question into a further language")
    return case.translations[draw]


@transformation(
    "greet-in-another-language",
    capability="languages",
    says="a greeting or thanks in another language added",
    languages=EVERY,
)
def greet_in_another_language(text: str, rng: Random, written_in: str = "en") -> str:
    """Put a greeting before the text, or thanks after it, in another language.

    >>> greet_in_another_language("Where is my card?", Random(1))[:17]
    'Where is my card?'
    """
    if not any(map(str.isalpha, text)):
        return text
    folder, in_latin = Language(written_in), knows(LATIN, written_in)
    other_codes = [
        code
        for code in languages_with("speech.greetings", "speech.thanks")
        if code != written_in and (knows(LATIN, code) or not in_latin)
    ]
    other = Language(one_of(other_codes, rng))
    # A second greeting would be odd. English texts may get one, as their follow-ups have been judged with it.
    greets = (
        not is_english(written_in)
        and folder.has("speech.patterns.greets")
        and folder.pattern("greets").match(text) is not None
    )
    if rng.random() < 1 / 2 and not greets:
        return one_of(_short_ways(other.ways("greetings")), rng) + text
    body = text.rstrip()
    end = "." if body[-1].isalnum() and in_latin else ""
    return body + end + one_of(_short_ways(other.ways("thanks")), rng)


def _short_ways(ways: Sequence[str]) -> list[str]:
    """Return the phrases of at most `_LONGEST` words, or the shortest phrase if all are longer."""
    few = [way for way in ways if len(way.split()) <= _LONGEST]
    return few or [min(ways, key=len)]


@language_edit(
    "value-in-another-language", says="a weekday or a number word in another language", languages=needing("values")
)
@taken_in_turn(lambda case, _: len(case.translations))
def value_in_another_language(case: Case, draw: int = 0) -> Case:
    """Translate a weekday or a number word in each question into another of the languages in the data.

    >>> german = Case(id="g", turns=(Turn(fields={"message": "Kann ich am Montag kommen?"}),), language="de")
    >>> english = Case(
    ...     id="e", turns=(Turn(fields={"message": "Can I come on Monday?"}),), translations=(german,), language="en"
    ... )
    >>> value_in_another_language(english).turns[0].question
    'Can I come on Montag?'
    """
    there = _translation(case, draw).language
    if not (Language(there).has("values") and knows(LATIN, there) and knows(LATIN, case.language)):
        raise UnusableFollowUp(
            f"{language_name(there)} words are not inserted into {language_name(case.language)} text"
        )
    turns = tuple(_with_value(turn, case.language, there, key=case.question) for turn in case.turns)
    if turns == case.turns:
        raise UnusableFollowUp("the question has neither a weekday nor a number word")
    return replace(case, turns=turns)


def _with_value(turn: Turn, here: str, there: str, *, key: str) -> Turn:
    """Return a turn with one value in the language `there`, drawn by `key`, or the turn itself if it has none."""
    field = next((name for name in ("question", "message") if name in turn.fields), "")
    text = turn.fields.get(field, "")
    words = [(value, _word_for(value, there)) for value in values(text, here) if not _is_named(text, value)]
    choices = [(value, word) for value, word in words if word]
    if not choices:
        return turn
    value, word = one_of(choices, generator(key, text))
    return replace(turn, fields={**turn.fields, field: text[: value.start] + word + text[value.end :]})


_READABLE = tuple(language_name(code) for code in dict.fromkeys((*ENGLISH, *languages_with(*READS))))
"""Names of the languages whose answers can be read: English, and all languages with the necessary lists."""

if TYPE_CHECKING:
    Into: TypeAlias = str
else:
    Into = Literal[("any", *_READABLE)]


@language_edit("translate-question", says="translated into another language", languages=EVERY)
async def translate_question(
    case: Case, rng: Random, helper: Helper, draw: int = 0, *, language: Into = "any", keep: str = ""
) -> Case:
    """Have the helper translate the question, or each turn of a dialogue, into another language.

    Translations that lose a value, a protected name or a negation are not used. `keep` has the names to protect.

    >>> from mutatis.testing import ScriptedHelper, sync
    >>> case = Case(id="e", turns=(Turn(fields={"message": "Is it open at 9 am?"}),), language="en")
    >>> made = sync(translate_question(case, Random(1), ScriptedHelper("Ist um 9 Uhr offen?"), language="German"))
    >>> made.language, made.turns[0].question
    ('de', 'Ist um 9 Uhr offen?')
    """
    here = case.language or ENGLISH[0]
    others = [name for name in _READABLE if language_code(name) != here]
    name = one_of(others, rng) if language == "any" else language
    there = language_code(name)
    if there == here:
        raise UnusableFollowUp(f"the text is already in {name}")
    if any(turn.reply is not None for turn in case.turns):
        raise UnusableFollowUp("the dialogue has recorded replies, which would stay in their own language")
    same = Only(what="the language", holds=partial(_says_the_same, here=here, there=there))
    turns = []
    for turn in case.turns:
        field = next((field for field in ("question", "message") if field in turn.fields), next(iter(turn.fields)))
        made = await rewritten(
            "translation", turn.fields[field], helper, draw, {"language": name}, only=same, keep=keep
        )
        turns.append(replace(turn, fields={**turn.fields, field: made}, expected=()))  # those were in the old language
    return replace(case, turns=tuple(turns), language=there)


def _says_the_same(text: str, made: str, *, here: str, there: str) -> bool:
    """Return True if a translation is in its language, has the same values as the text, and agrees in negation."""
    if spoken_language(made) not in ("", there):
        return False
    source, translation = _compared_values(text, here), _compared_values(made, there)
    if not (_are_all_in(source, translation) and _are_all_in(translation, source)):
        return False
    source_negates, translation_negates = _negates(text, here), _negates(made, there)
    return None in (source_negates, translation_negates) or source_negates == translation_negates


def _are_all_in(needed: Sequence[Value], others: Sequence[Value]) -> bool:
    return all(any(value.same(other) for other in others) for value in needed)


def _compared_values(text: str, language: str) -> list[Value]:
    """Return the values in a text, except names and "one", which is also an article. Some languages have no values."""
    if not Language(language).has("values"):
        return []
    return [
        value
        for value in values(text, language)
        if value.kind != "name" and not (value.measure == "count" and abs(value.size) == 1)
    ]


def _negates(text: str, language: str) -> bool | None:
    """Return True if a text contains a negation, or None if the language has no pattern."""
    folder = Language(language)
    if not folder.has("speech.patterns.negates"):
        return None
    return folder.pattern("negates").search(text) is not None


def _is_named(text: str, value: Value) -> bool:
    """Return True if a value is part of a name: "Easter Monday", "Lunes de Pascua"."""
    if follows_name(text, value.start):
        return True
    capital = value.text[:1].isupper() and not starts_sentence(text, value.start)
    return capital and value.text not in value.words.weekdays


def _word_for(value: Value, language: str) -> str:
    """Return a language's word for a weekday or a small number, or "" for other values.

    The value must be written as a full word.
    """
    word, theirs = value.text.lower(), vocabulary(language)
    if value.measure == "weekday" and word in (day.lower() for day in value.words.weekdays):
        return theirs.weekdays[int(value.size)]
    if value.measure != "count" or value.raw is None or value.raw not in range(_FEWEST, _MOST + 1):
        return ""
    number = int(value.raw)
    return theirs.ones[number] if word == value.words.ones[number].lower() else ""
