"""Adds the package's own sentences to a text: praise, blame, other people's opinions, or facts about the writer.

Based on CheckList (Ribeiro et al. 2020: directional expectations, temporal and author's sentiment, fairness) and METAL
(Hyun, Guo, Babar 2024: fairness).
"""

from __future__ import annotations

from functools import cache
from itertools import chain
from random import Random
from typing import Literal

from mutatis.core.languages import ENGLISH
from mutatis.core.parameters import Share
from mutatis.core.transformation import transformation
from mutatis.languages import Language, language_tables, languages_with, needing
from mutatis.transformations.known import ended, one_of
from mutatis.transformations.words import with_degrees

Side = Literal["praise", "blame"]
Trait = Literal["gender", "age", "origin", "faith", "health", "job", "customer"]

_ENGLISH = Language("en")
_SOFTENERS = ("somewhat", "slightly")


def _with(text: str, before: str = "", behind: str = "", gap: str = " ") -> str:
    """Return a text with other sentences before or after it, or unchanged if it is blank."""
    if not text.strip():
        return text
    body = text.strip() if not behind else ended(text.strip())
    return gap.join(part for part in (before, body, behind) if part)


@transformation("add-verdict", capability="opinions", says="a sentence of {side} appended", languages=ENGLISH)
def add_verdict(text: str, rng: Random, *, side: Side = "praise") -> str:
    """Append a sentence of praise or blame.

    >>> add_verdict("The plot is thin.", Random(1)), add_verdict("The plot is thin.", Random(1), side="blame")
    ('The plot is thin. I loved it.', 'The plot is thin. I hated it.')
    """
    return _with(text, behind=one_of(_ENGLISH.ways(f"verdicts.{side}"), rng))


@transformation("add-rating", capability="opinions", says="a rating of {side} appended", languages=ENGLISH)
def add_rating(text: str, rng: Random, *, side: Side = "praise") -> str:
    """Append the best or the worst possible rating.

    >>> add_rating("The plot is thin.", Random(1)), add_rating("The plot is thin.", Random(1), side="blame")
    ('The plot is thin. 10/10', 'The plot is thin. 0/10')
    """
    return _with(text, behind=one_of(_ENGLISH.ways(f"ratings.{side}"), rng))


@transformation(
    "others-think", capability="opinions", says="what somebody else thought put before it", languages=ENGLISH
)
def others_think(text: str, rng: Random) -> str:
    """Put another person's opinion before the text, and introduce the text as the speaker's own opinion.

    >>> others_think("The plot is thin.", Random(1))
    'My cousin gave it ten points. My own opinion: The plot is thin.'
    """
    side = "praise" if rng.random() < 0.5 else "blame"
    opinion = one_of(_ENGLISH.ways(f"second_hand.{side}"), rng)
    return _with(text, before=f"{opinion} My own opinion:")


@transformation("used-to-think", capability="opinions", says="put as what one thinks today", languages=ENGLISH)
def used_to_think(text: str, rng: Random) -> str:
    """Introduce the text as the speaker's current opinion, which differs from an earlier one.

    >>> used_to_think("The plot is thin.", Random(1))
    'I used to think otherwise, but today I say: The plot is thin.'
    """
    opening = ("I used to think otherwise, but today I say:", "A year ago I saw it differently. Now I think:")
    return _with(text, before=one_of(opening, rng))


@transformation("add-fact", capability="added text", says="a sentence about oneself appended", languages=ENGLISH)
def add_fact(text: str, rng: Random) -> str:
    """Append a neutral sentence about the speaker, without praise or blame.

    >>> add_fact("The plot is thin.", Random(1))
    'The plot is thin. I paid by card.'
    """
    return _with(text, behind=one_of(_ENGLISH.ways("facts_of_oneself"), rng))


@transformation(
    "say-who",
    capability="who is speaking",
    says="the speaker's {trait} given first",
    languages=needing("speech.traits"),
)
def say_who(text: str, rng: Random, written_in: str = "en", *, trait: Trait = "gender") -> str:
    """State before the text who is speaking: gender, age, origin, faith, health, job, or relation to the business.

    >>> say_who("The plot is thin.", Random(1), trait="job")
    'I work as a nurse. The plot is thin.'
    """
    folder = Language(written_in)
    return _with(text, before=one_of(folder.ways(f"traits.{trait}"), rng), gap=folder.gap)


@transformation(
    "say-anything",
    capability="who is speaking",
    says="a sentence that does not describe the speaker put first",
    languages=needing("speech.traits", "speech.anything"),
)
def say_anything(text: str, rng: Random, written_in: str = "en") -> str:
    """Put a sentence that reveals nothing about the speaker before the text, as a control for `say-who`.

    >>> say_anything("Where is my card?", Random(1))
    'I am writing from my phone. Where is my card?'
    """
    folder = Language(written_in)
    return _with(text, before=one_of(folder.ways("anything"), rng), gap=folder.gap)


def tells_of_speaker(text: str) -> bool | None:
    """Return True if the text begins with a sentence about the speaker, False for a neutral one, otherwise None.

    The package's sentences in all languages are recognised.

    >>> [tells_of_speaker(f"{before}Where?") for before in ("I am blind. ", "I hope this works. ", "")]
    [True, False, None]
    """
    about_speaker, neutral = _sentences()
    if text.startswith(neutral):
        return False
    return True if text.startswith(about_speaker) else None


@cache
def _sentences() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the package's sentences about a speaker and its neutral sentences, in all languages."""
    codes = languages_with("speech.traits", "speech.anything")
    by_trait = [sentences for code in codes for sentences in language_tables("speech", code)["traits"].values()]
    neutral = [sentence for code in codes for sentence in Language(code).ways("anything")]
    return tuple(chain.from_iterable(by_trait)), tuple(neutral)


@transformation("soften-rules", capability="emphasis", says="{words} softened", languages=ENGLISH)
def soften_rules(text: str, rng: Random, *, share: Share = 1.0, protected: tuple[str, ...] = ()) -> str:
    """Put a softener ("slightly") before the adjectives of praise and blame, or before a share of them.

    Texts that negate or weaken something are left unchanged.

    >>> soften_rules("An entertaining film, with a dull end.", Random(1))
    'A slightly entertaining film, with a somewhat dull end.'
    """
    return with_degrees(_SOFTENERS, text, rng, share, protected)
