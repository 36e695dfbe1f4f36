"""Writes names as people type them: in lower case, with a hyphen, or as one word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from mutatis.core.languages import ENGLISH
from mutatis.core.transformation import transformation
from mutatis.languages import word_set
from mutatis.transformations.clear import is_name, starts_sentence
from mutatis.transformations.formats import Level
from mutatis.transformations.pieces import LETTERS, WORD, edited, is_free, outermost, protected_spans

_OTHER_WORDS = frozenset(
    {"polish", "march", "turkey", "reading", "nice", "china", "apple", "bill", "mark", "will", "rose", "id", "ms", "mr"}
)
"""Names that are ordinary words when written in lower case."""
_JOINT = re.compile(r"[ -]")


def _runs(text: str) -> Iterator[list[re.Match[str]]]:
    """Yield the runs of capitalised words in a text. Function words at the beginning of a sentence are left out."""
    run: list[re.Match[str]] = []
    for word in WORD.finditer(text):
        capital = word.group()[:1].isupper() and is_name(text, *word.span()) and _stands_apart(text, *word.span())
        begins = starts_sentence(text, word.start()) and word.group().lower() in word_set("function_words")
        if run and not (capital and text[run[-1].end() : word.start()] in {" ", "-"}):
            yield run
            run = []
        if capital and not begins:
            run.append(word)
    if run:
        yield run


def _stands_apart(text: str, start: int, end: int) -> bool:
    """Return True if a word is not part of a longer token ("DE89", "M&Ms", "#Lamp")."""
    beside = text[max(0, start - 1) : start] + text[end : end + 1]
    return not any(character.isalnum() or character in "&#@_+*/\\" for character in beside)


def _may_be_small(run: list[re.Match[str]]) -> bool:
    """Return True if a name is still recognisable in lower case, unlike "US", "The Who" or "May"."""
    return not any(word.group().lower() in word_set("function_words") | _OTHER_WORDS for word in run)


def _names(text: str, proper_names: tuple[str, ...]) -> list[tuple[int, int]]:
    """Return the spans of whole names: those listed in the data, and runs of capitalised words."""
    spans = outermost(protected_spans(text, proper_names))
    runs = [(run[0].start(), run[-1].end()) for run in _runs(text) if _may_be_small(run)]
    return sorted([*spans, *(run for run in runs if is_free(*run, spans))])


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
    known = protected_spans(text, proper_names)
    drawn = rng.random()
    edits = []
    for start, end in _names(text, proper_names):
        name = text[start:end]
        forms = [name.lower()] if name != name.lower() else []
        if (start, end) in known and len(_JOINT.split(name)) == 2 and LETTERS.fullmatch(_JOINT.sub("", name)):
            forms += [_JOINT.sub("-", name)] if level >= 2 else []
            forms += [_JOINT.sub("", name), _JOINT.sub(" ", name)] if level >= 3 else []
        forms = [form for form in dict.fromkeys(forms) if form != name]
        if forms:
            edits.append((start, end, forms[int(drawn * len(forms))]))
    return edited(text, edits)
