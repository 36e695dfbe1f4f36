"""Changes a message as a keyboard or dictation might: wrong corrections, spoken punctuation, foreign words.

Readers still understand the request.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from random import Random

from mutatis.core.errors import UsageError
from mutatis.core.languages import ENGLISH, is_english
from mutatis.core.parameters import Share
from mutatis.core.transformation import transformation
from mutatis.languages import Language, languages_with, listed, needing
from mutatis.text.letter_case import like
from mutatis.transformations.clear import clear_segments, clear_words
from mutatis.transformations.pieces import WORD, choose_edits, edited, is_free, protected_spans

_SPOKEN = {"?": " question mark", ".": " full stop", "!": " exclamation mark", ",": " comma"}
_MARK = re.compile(r"(?<=[^\W_])[?!.,](?=\s|\Z)")


@cache
def _pairs_of(name: str) -> Mapping[str, str]:
    return dict(line.split() for line in listed(name))


@transformation(
    "autocorrect", capability="typing noise", says="{words} corrected wrongly, as phones do", languages=ENGLISH
)
def autocorrect(text: str, rng: Random, *, share: Share = 0.3, protected: tuple[str, ...] = ()) -> str:
    """Replace some of the words with the word that a phone would substitute ("well" for "we'll").

    >>> autocorrect("It's from my sister, and we'll definitely come.", Random(1), share=1.0)
    'Its form my sister, and well defiantly come.'
    """
    table, spans = _pairs_of("autocorrected"), protected_spans(text, protected)
    matches = [
        word
        for word in WORD.finditer(text)
        if word.group().lower().replace("\u2019", "'") in table and is_free(*word.span(), spans)
    ]
    edits = choose_edits(matches, rng, share, lambda word, _: like(word, table[word.lower().replace("\u2019", "'")]))
    return edited(text, edits)


@transformation(
    "spoken-marks", capability="typing noise", says="punctuation written out, as in a dictation", languages=ENGLISH
)
def spoken_marks(text: str) -> str:
    """Write punctuation marks as words in lower case, like a dictation program that mistakes them for words.

    >>> spoken_marks("Hi, where is my card? It is 3.50.")
    'hi comma where is my card question mark it is 3.50 full stop'
    """
    return _MARK.sub(lambda match: _SPOKEN[match.group()], text).lower() if any(map(str.isalpha, text)) else text


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
    ours, theirs = (dict(_by_concept(folder)) for folder in (code, into))
    return {ours[concept]: theirs[concept] for concept in ours if concept in theirs}


def _by_concept(code: str) -> Iterator[tuple[str, str]]:
    for line in listed("switched", code):
        concept, _, word = line.partition(" ")
        yield concept, word or concept


@transformation(
    "switch-language",
    capability="wording",
    says="{words} of another language",
    languages=needing("switched", "speech.switches_into"),
)
def switch_language(
    text: str,
    rng: Random,
    written_in: str = "en",
    *,
    share: Share = 0.1,
    protected: tuple[str, ...] = (),
    proper_names: tuple[str, ...] = (),
) -> str:
    """Write some of the common words, at least one, in another language, as bilingual people do.

    English is mixed with Spanish, and other languages with English, as their folders specify.

    >>> switch_language("Can I pay with my card tomorrow?", Random(1))
    'Can I pay with my tarjeta tomorrow?'
    >>> switch_language("Kann ich morgen mit Karte zahlen?", Random(1), "de", share=1.0)
    'Kann ich tomorrow mit card zahlen?'
    """
    [into] = Language(written_in).ways("switches_into")
    return switch_into(text, rng, written_in, into=into, share=share, protected=(*protected, *proper_names))


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
        matches = clear_words(text, fixed, known=table)
        return edited(text, choose_edits(matches, rng, share, lambda word, _: like(word, table[word.lower()])))
    matches = clear_segments(text, written_in, fixed, lambda word: word.group() in table)
    return edited(text, choose_edits(matches, rng, share, lambda word, _: table[word]))
