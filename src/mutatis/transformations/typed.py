"""Changes a message as people or phones type it.

Words are corrected wrongly or written in another language, weekdays are mistyped, and names are written in lower case
or as one word. Readers still understand the request.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from random import Random

from mutatis.core.errors import UsageError
from mutatis.core.languages import ENGLISH, is_english
from mutatis.core.parameters import Share
from mutatis.core.transformation import taken_in_turn, transformation
from mutatis.languages import languages_with, listed, needing, word_set
from mutatis.text.normalisation import like
from mutatis.transformations.characters import typing_noise
from mutatis.transformations.clear import clear_words, is_name, listed_clear_words, starts_sentence
from mutatis.transformations.formats import Level
from mutatis.transformations.pieces import (
    LETTERS,
    WORD,
    choose_edits,
    edited,
    is_free,
    outermost,
    protected_spans,
    words,
)

# Phones


@typing_noise("autocorrect", says="{words} corrected wrongly, as phones do", languages=ENGLISH)
def autocorrect(text: str, rng: Random, *, share: Share = 0.3, protected: tuple[str, ...] = ()) -> str:
    """Replace some of the words with the word that a phone would substitute ("well" for "we'll").

    >>> autocorrect("It's from my sister, and we'll definitely come.", Random(1), share=1.0)
    'Its form my sister, and well defiantly come.'
    """
    corrected = dict(line.split() for line in listed("autocorrected"))

    def as_listed(word: str) -> str:
        return word.lower().replace("\u2019", "'")

    matches = [word for word in words(text, protected) if as_listed(word.group()) in corrected]
    return edited(text, choose_edits(matches, rng, share, lambda word, _: like(word, corrected[as_listed(word)])))


# Words of another language


@transformation("switch-into", capability="wording", says="{words} of another language", languages=needing("switched"))
def switch_into(
    text: str,
    rng: Random,
    written_in: str = "en",
    *,
    into: str = "es",
    share: Share = 0.1,
    protected: tuple[str, ...] = (),
    proper_names: tuple[str, ...] = (),
) -> str:
    """Write some of the common words, at least one, in the language `into`, which must have a list of such words.

    >>> switch_into("¿Puedo pagar con tarjeta?", Random(1), "es", into="de", share=1.0)
    '¿Puedo pagar con Karte?'
    """
    table, fixed = _switched(written_in, into), (*protected, *proper_names)
    if is_english(written_in):
        matches = listed_clear_words(text, fixed, table)
        return edited(text, choose_edits(matches, rng, share, lambda word, _: like(word, table[word.lower()])))
    # Letter case matters: the German "morgen" is tomorrow, and "Morgen" is the morning.
    matches = clear_words(text, fixed, lambda word: word.group() in table, written_in)
    return edited(text, choose_edits(matches, rng, share, lambda word, _: table[word]))


def _switched(code: str, into: str) -> Mapping[str, str]:
    """Return a map from common words of a language to the words of another language with the same meaning.

    Raises:
        UsageError: the other language has no list of such words.
    """
    if into not in languages_with("switched"):
        known = ", ".join(languages_with("switched"))
        raise UsageError(
            f"switch-into: into = {into!r}; expected a language with a list of words to switch to: {known}"
        )
    ours, theirs = _words_by_meaning(code), _words_by_meaning(into)
    return {ours[meaning]: theirs[meaning] for meaning in ours if meaning in theirs}


@cache
def _words_by_meaning(code: str) -> Mapping[str, str]:
    """Return the common words of a language, by the English word with the same meaning."""
    lines = [line.partition(" ") for line in listed("switched", code)]
    # The English list has only one word on each line.
    return {meaning: word or meaning for meaning, _, word in lines}


# Weekdays


@cache
def _mistyped_days() -> Mapping[str, tuple[str, ...]]:
    """Return the weekdays in lower case, each with its common misspellings, equally many for each day."""
    lines = [line.partition(": ") for line in listed("misspelt_weekdays")]
    return {day: tuple(misspellings.split()) for day, _, misspellings in lines}


def _weekdays(text: str) -> list[re.Match[str]]:
    return [word for word in words(text) if word.group().lower() in _mistyped_days()]


@typing_noise("mistype-weekday", says="a weekday mistyped", languages=ENGLISH)
@taken_in_turn(lambda text, _: len(_mistyped_days()["monday"]) if len(_weekdays(text)) == 1 else 0)
def mistype_weekday(text: str, draw: int) -> str:
    """Mistype the only weekday in a message, as people often do. Other texts are left unchanged.

    >>> mistype_weekday("Are you open on Tuesday?", 0), mistype_weekday("From Monday to Friday?", 0)
    ('Are you open on Tusday?', 'From Monday to Friday?')
    """
    days = _weekdays(text)
    if len(days) != 1:
        return text
    [day] = days
    misspellings = _mistyped_days()[day.group().lower()]
    return edited(text, [(*day.span(), like(day.group(), misspellings[draw % len(misspellings)]))])


# Names

_ORDINARY_WORDS = frozenset(
    {"polish", "march", "turkey", "reading", "nice", "china", "apple", "bill", "mark", "will", "rose", "id", "ms", "mr"}
)
"""Names that are ordinary words when written in lower case."""
_JOINT = re.compile(r"[ -]")


@transformation(
    "write-names", capability="formats", says="{names} in lower case or written together", languages=ENGLISH
)
def write_names(text: str, rng: Random, *, level: Level = 1, proper_names: tuple[str, ...] = ()) -> str:
    """Write names as people type them: in lower case, or, if the data lists them, also with a hyphen or as one word.

    Level 1: all names in the text in lower case; 2: two-word names with a hyphen; 3: also joined, or split at a hyphen.

    >>> write_names("Is the Aurora Lamp sold in Ely?", Random(1))
    'Is the aurora lamp sold in ely?'
    >>> write_names("how big is the air fryer?", Random(1), level=2, proper_names=("air fryer",))
    'how big is the air-fryer?'
    >>> write_names("What is Green Flex?", Random(1), proper_names=("Green", "Green Flex"))
    'What is green flex?'
    """
    in_data = protected_spans(text, proper_names)
    form_drawn = rng.random()  # one draw, so that all names in a text are written in the same way
    edits = []
    for start, end in _names(text, in_data):
        name = text[start:end]
        forms = [name.lower()]
        if (start, end) in in_data and len(_JOINT.split(name)) == 2 and LETTERS.fullmatch(_JOINT.sub("", name)):
            forms += [_JOINT.sub("-", name)] if level >= 2 else []
            forms += [_JOINT.sub("", name), _JOINT.sub(" ", name)] if level >= 3 else []
        others = [form for form in dict.fromkeys(forms) if form != name]
        if others:
            edits.append((start, end, others[int(form_drawn * len(others))]))
    return edited(text, edits)


def _names(text: str, in_data: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the spans of whole names in order: those listed in the data, and other runs of capitalised words."""
    listed_names = outermost(in_data)
    runs = [(run[0].start(), run[-1].end()) for run in _capitalised_runs(text) if _may_be_small(run)]
    return sorted([*listed_names, *(run for run in runs if is_free(*run, listed_names))])


def _capitalised_runs(text: str) -> Iterator[list[re.Match[str]]]:
    """Yield the runs of capitalised words in a text. Function words at the beginning of a sentence are left out."""
    run: list[re.Match[str]] = []
    for word in WORD.finditer(text):
        named = word.group()[:1].isupper() and is_name(text, *word.span()) and _stands_apart(text, *word.span())
        opens_sentence = starts_sentence(text, word.start()) and word.group().lower() in word_set("function_words")
        if run and not (named and text[run[-1].end() : word.start()] in {" ", "-"}):
            yield run
            run = []
        if named and not opens_sentence:
            run.append(word)
    if run:
        yield run


def _stands_apart(text: str, start: int, end: int) -> bool:
    """Return True if a word is not part of a longer token ("DE89", "M&Ms", "#Lamp")."""
    beside = text[max(0, start - 1) : start] + text[end : end + 1]
    return not any(character.isalnum() or character in "&#@_+*/\\" for character in beside)


def _may_be_small(run: list[re.Match[str]]) -> bool:
    """Return True if a name is still recognisable in lower case, unlike "US", "The Who" or "May"."""
    return not any(word.group().lower() in word_set("function_words") | _ORDINARY_WORDS for word in run)
