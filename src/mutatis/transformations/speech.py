"""Adds courtesy, filled pauses or repeated words to a request, or asks whether the opposite is true.

The user still asks for the same information. Based on LAUG's speech characteristics (filled pauses, repeats) and
CheckList's additions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from mutatis.core.languages import ENGLISH, is_english
from mutatis.core.parameters import Share
from mutatis.core.transformation import transformation
from mutatis.languages import Language, needing, word_set
from mutatis.transformations.clear import begun_small, is_name, quoted_spans, verbs_of
from mutatis.transformations.known import one_of
from mutatis.transformations.pieces import WORD, choose_edits, edited, is_free, segments, words

_POLAR = re.compile(
    r"(?P<aux>(?i:is|are|was|were|can|could|will|would|should|must|do|does|did|has|have|had))\s+"
    r"(?P<subject>(?i:he|she|it|they|we|you|there)|(?:[A-Z][\w-]+)(?:\s+[A-Z][\w-]+){0,2})\s+"
    r"(?P<rest>(?!(?:and|or|of)\b|['\u2019])[^?]*[^?\s])\s*\?\s*\Z"
)
_REQUEST = re.compile(r"\s*(?:can|could|will|would|may|shall)\s+(?:you|we|I)\b", re.IGNORECASE)
"""The beginning of a request. Answering it with yes does not affirm a statement."""
_SECOND = re.compile(r"\band\s+(?:what|who|where|when|why|how|which)\b", re.IGNORECASE)
_PRONOUNS = frozenset({"he", "she", "it", "they", "we", "you", "there"})


@transformation(
    "polite-words",
    capability="manner of speaking",
    says="a greeting or thanks added",
    languages=needing("speech.greetings", "speech.thanks"),
)
def polite_words(text: str, rng: Random, written_in: str = "en") -> str:
    """Put a greeting before the text, thanks after it, or both.

    >>> polite_words("Where is my card?", Random(1))
    'Where is my card? Thanks a lot!'
    """
    if not text.strip():
        return text
    drawn, kind = rng.random(), rng.random()
    greetings, thanks = (Language(written_in).ways(name) for name in ("greetings", "thanks"))
    before, behind = greetings[int(drawn * len(greetings))], one_of(thanks, rng)
    body = text.rstrip()
    if body[-1].isalnum():
        body += "." if Language(written_in).spaces else "\u3002"
    return (before if kind < 2 / 3 else "") + body + (behind if kind < 1 / 3 or kind >= 2 / 3 else "")


_BEHIND_NUMBER = re.compile(r"(?<=\d)\s+")
"""The gap between a number and its unit ("25 kg"). People do not pause there, and a machine would lose the unit."""


def _breaks(text: str, protected: Sequence[str], language: str = "en") -> list[re.Match[str]]:
    """Return the words that a speaker may pause before. Names, quotations and hyphenated words are left out."""
    quoted, counted = quoted_spans(text), {gap.end() for gap in _BEHIND_NUMBER.finditer(text)}
    if is_english(language):
        return [
            word
            for word in words(text, protected)
            if (not word.start() or text[word.start() - 1].isspace())
            and is_free(*word.span(), quoted)
            and not is_name(text, *word.span())
            and word.start() not in counted
        ]
    spaced = Language(language).spaces
    return [
        word
        for word in (words(text, protected, _MARKED_WORD) if spaced else segments(text, language, protected))
        if (_begins_sentence(text, word.start()) or _begins_phrase(text, word, language))
        and is_free(*word.span(), quoted)
    ]


_MARKED_WORD = re.compile(rf"[\u00bf\u00a1]?{WORD.pattern}")


_WORD_BEFORE = re.compile(r"([^\W\d_][\w'\u2019-]*),?\s+\Z")


def _begins_sentence(text: str, start: int) -> bool:
    return not start or re.search(r"(?:[.!?\u2026]\s+|[\u3002\uff01\uff1f\uff0c]\s*)\Z", text[:start]) is not None


def _begins_phrase(text: str, word: re.Match[str], language: str) -> bool:
    """Return True if a word begins a phrase ("nach Hamburg") after a verb or another content word."""
    folder, before = Language(language), _WORD_BEFORE.search(text, 0, word.start())
    if not folder.has("speech.patterns.begins_phrase") or before is None or not word.group().islower():
        return False
    leads = before[1].lower()
    if leads in word_set("function_words", language) and leads not in verbs_of(language):
        return False
    return folder.pattern("begins_phrase").fullmatch(word.group()) is not None


@transformation(
    "filled-pauses",
    capability="manner of speaking",
    says="filled pauses added: {words}",
    languages=needing("speech.pauses"),
)
def filled_pauses(
    text: str, rng: Random, written_in: str = "en", *, share: Share = 0.1, protected: tuple[str, ...] = ()
) -> str:
    """Put filled pauses ("um", "you know") before some of the words, but never inside names.

    In other languages, they come at the beginning of a sentence, or before a phrase with an article or a preposition.

    >>> filled_pauses("Why was my payment declined at the shop?", Random(1))
    'Why hmm, was my payment declined at the shop?'
    >>> filled_pauses("Wann kommt der Zug?", Random(1), "de"), filled_pauses("Wann kommt der Zug?", Random(2), "de")
    ('Hm... wann kommt der Zug?', 'Wann kommt hm... der Zug?')
    """
    folder = Language(written_in)
    pauses = folder.ways("pauses")

    def paused(word: str, rng: Random) -> str:
        pause = one_of(pauses, rng)
        if is_english(written_in) or not folder.spaces or word.islower():
            return f"{pause}{folder.gap}{word}"
        return f"{pause.capitalize()} {begun_small(word, written_in)}"

    return edited(text, choose_edits(_breaks(text, protected, written_in), rng, share, paused))


@transformation("repeat-words", capability="manner of speaking", says="{words} said twice", languages=ENGLISH)
def repeat_words(text: str, rng: Random, *, share: Share = 0.1, protected: tuple[str, ...] = ()) -> str:
    """Repeat some of the function words, as hesitant speakers do.

    >>> repeat_words("Why was my payment declined at the shop?", Random(1))
    'Why why was my payment declined at the shop?'
    """
    small = word_set("function_words") - {"had", "that", "not", "no", "never", "very", "so", "too"}
    matches = [word for word in _breaks(text, protected) if word.group().lower() in small]
    return edited(
        text, choose_edits(matches, rng, share, lambda word, _: f"{word} {word.lower() if word != 'I' else word}")
    )


@transformation(
    "deny-question", capability="negation and opposites", says="asked whether the opposite is true", languages=ENGLISH
)
def deny_question(text: str) -> str:
    """Ask whether the opposite of a yes-no question is true. Other questions are left unchanged.

    Only pronouns and names are supported as subjects, because it is clear where they end.

    >>> deny_question("Was he at home?"), deny_question("did Ada like the soup ?")
    ('Is it false that he was at home?', 'Is it false that Ada did like the soup?')
    >>> deny_question("Where was he?"), deny_question("Is it red or blue?")
    ('Where was he?', 'Is it red or blue?')
    """
    return whether(text, "false")


def whether(text: str, holds: str) -> str:
    """Rephrase a yes-no question to ask whether its statement is true or false. Other texts are left unchanged.

    >>> whether("Was he at home?", "true")
    'Is it true that he was at home?'
    """
    match = _POLAR.match(text.strip())
    if match is None or re.search(r"\bor\b|\bnot\b|n['\u2019]t\b", text):
        return text
    if _REQUEST.match(text) or _SECOND.search(match["rest"]):
        return text
    subject = match["subject"].lower() if match["subject"].lower() in _PRONOUNS else match["subject"]
    return f"Is it {holds} that {subject} {match['aux'].lower()} {match['rest']}?"
