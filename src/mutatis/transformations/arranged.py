"""Rearranges a text: writes its sentences as a list, moves its question, or adds passages around it."""

from __future__ import annotations

import re
from random import Random

from mutatis.core.errors import UnusableFollowUp
from mutatis.core.languages import is_english
from mutatis.core.transformation import as_a_whole, transformation
from mutatis.languages import Language, needing
from mutatis.text.sentences import QUESTION_MARKS, sentences
from mutatis.transformations.interruptions import points_back, refers_back
from mutatis.transformations.passages import join_passages, split_passages, stock
from mutatis.transformations.pieces import picked

_FEWEST, _MOST = 2, 6
"""Minimum and maximum number of sentences in a message that are put in a different order."""

_FEWEST_LISTED = 3
"""Minimum number of sentences in a message that people would write as a list."""

_LONGEST = 600


@transformation("as-list", capability="layout", says="its sentences as a list", languages=needing("function_words"))
@as_a_whole
def as_list(text: str, rng: Random) -> str:
    r"""Write each sentence of a short text as an item of a list, with a dash or a number.

    >>> as_list("My card is lost. My bag is lost. What can I do?", Random(1))
    '- My card is lost.\n- My bag is lost.\n- What can I do?'
    """
    parts = [" ".join(part.split()) for part in sentences(text)]
    if not _FEWEST_LISTED <= len(parts) <= _MOST or len(text) > _LONGEST:
        raise UnusableFollowUp("the message does not have three to six sentences, or is too long")
    numbered = rng.random() >= 1 / 2
    return "\n".join(f"{f'{number}.' if numbered else '-'} {part}" for number, part in enumerate(parts, 1))


def _continues(sentence: str, language: str) -> bool:
    """Return True if a sentence continues an earlier one, or refers to something in it."""
    if is_english(language):
        return points_back(sentence) or re.match(r"\s*(?:and|but|so|or|because)\b", sentence, re.IGNORECASE) is not None
    return Language(language).pattern("goes_on").match(sentence) is not None or refers_back(sentence, language)


@transformation(
    "question-first",
    capability="order of sentences",
    says="the question moved before its introduction",
    languages=needing("speech.patterns.goes_on", "speech.patterns.points_back", "speech.patterns.no_pointer"),
)
@as_a_whole
def question_first(text: str, written_in: str = "en") -> str:
    """Move the question at the end of a message to its beginning, unless the sentences refer to each other.

    >>> question_first("My card is lost. How do I block a card?")
    'How do I block a card? My card is lost.'
    """
    parts = [part.strip() for part in sentences(text)]
    questions = [part for part in parts if part.endswith(QUESTION_MARKS)]
    if not _FEWEST <= len(parts) <= _MOST or questions != parts[-1:]:
        raise UnusableFollowUp("the message does not consist of a few sentences followed by a single question")
    if any(_continues(part, written_in) for part in parts):
        raise UnusableFollowUp("the sentences of the message refer to each other")
    return Language(written_in).gap.join([parts[-1], *parts[:-1]])


@transformation(
    "between-passages",
    capability="passages",
    says="the text placed between unrelated texts",
    languages=needing("passages"),
)
@as_a_whole
def between_passages(text: str, rng: Random, written_in: str = "en") -> str:
    r"""Put an unrelated passage before the text and a different one after it. Both come with the package.

    >>> between_passages("Ann left.", Random(1)).split("\n\n")[1]
    'Ann left.'
    """
    parts = split_passages(text)
    if not any(map(str.isalpha, text)):
        return text
    before, behind = [passage.text for passage in picked(rng, stock(written_in), 2)]
    return join_passages([before, *parts, behind], text)
