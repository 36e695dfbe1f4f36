"""Parses a single answer for the judge: its words in uniform spelling, numbers, yes or no, abstention, list items.

Each text is parsed on its own. Case is ignored, so "PARIS" is the same as "Paris".
"""

from __future__ import annotations

import re
from itertools import accumulate, chain
from typing import NamedTuple

from mutatis.measures.words import FUNCTION_WORDS, LONGEST_PHRASE, NEGATIONS, PHRASES
from mutatis.text.abstention import is_abstention, polarity
from mutatis.text.memory import kept_within
from mutatis.text.normalisation import fold, tokens
from mutatis.text.refusals import is_refusal
from mutatis.text.segments import stem
from mutatis.text.sentences import split_sentences
from mutatis.text.values import Number, in_full, numbers

_LONGEST_QUESTION = 500
"""Maximum number of characters at the start of a text that are searched for a question."""

LONGEST = 10_000
"""Maximum number of characters parsed in an answer. The rest is ignored, to limit the time of a comparison."""

# A run of spaces is entered at its beginning only, and a bullet stands behind one with a line end in it: trying every
# place in the run, and every way to cut it in two, made a text of empty lines cubic.
_BULLET = r"(?<!\s)(?=[^\S\n]*+\n)\s++(?:[-*\u2022]|\d++[.)])"
_JOINER = re.compile(rf"((?:(?:(?<!\s)\s++|(?!\s))(?:,\s*+(?:and|or|&)\b|\band\b|\bor\b|&|;|\+|,)|{_BULLET})\s*+)")
_STRONG_JOINER = re.compile(rf"\b(?:and|or)\b|&|;|{_BULLET}")
_SENTENCE_END = re.compile(r"[.!?]\s")
_ASKS_ANY = re.compile(
    r"\A\s*+(?:(?:please|(?:can|could|would) you)\s++)*+"
    r"(?:give|name|state|mention|suggest|tell|provide|write|pick|choose|identify|propose|think of)\s++"
    r"(?:(?:me|us)\s++)?+(?:an?|any|some|one|another)\b(?!\s++(?:and|or)\b)"
)
_ASKS_OPENLY = re.compile(
    r"\bwhy\b|\bhow (?:do|does|did|is|are|was|were|can|come|would)\b|\bwhat (?:does|do|did)\b.*\b(?:mean|do|stand|"
    r"refer|represent|symboli[sz]e|say|happen)\b|\bmeaning\b|\bpurpose\b|\bdefin|\bdifference|\bwhat happen|"
    r"\bsignifican|\brole\b|\bdescribe|\bexplain|\bwhat (?:is|was|are|were) an? \w+(?: \w+)?\W*$|"
    r"^who (?:is|was|were|are) \w+(?: \w+){0,2}\W*$|\bfunction\b|\beffect|\breason|\bcause|\bunusual\b|"
    r"\bdistinguish|\b(?:known|famous) for\b|\bin common\b"
)
_IN_LIST = frozenset({"of", "in", "on", "de", "la", "no", "my", "will", "st"})  # function words that names contain


def word_stem(word: str) -> str:
    """Return the stem of a lower-case English word. Numbers and words in other scripts are left unchanged.

    >>> word_stem("painters"), word_stem("1990")
    ('painter', '1990')
    """
    if not word.isascii() or word[0].isdigit() or len(word) > 40:
        return word
    return stem(word)


class Enumeration(NamedTuple):
    """A list of three or more things in an answer, given by the indices of its first word and after its last word."""

    start: int
    end: int
    things: int


class Answer:
    """A parsed answer.

    >>> Answer("Name a city in France.").asks_any, Answer("Why is the sky blue?").asks_openly
    (True, True)

    Attributes:
        words: its tokens in order and in a uniform spelling, with numbers as digits and some aliases replaced.
        stems: the stems of `words`.
        content: the stems without function words, or all stems if nothing else is left.
        numbers: its numbers.
        polarity: True if the answer begins with yes, False if it begins with no, else None.
        abstains: whether it states that the answer is unknown.
        refuses: whether it declines to answer.
        asks_any: whether it asks for any one of several things ("Give a year in the life of Raphael.").
        asks_openly: whether it asks for an explanation rather than for a name, a number, or yes or no.
        sentence_ends: for each sentence, the number of words up to its end.
        items: the content stems of each item if the answer is just a short list, else ().
        enumerations: its lists of three or more things.
    """

    def __init__(self, text: str) -> None:
        folded = in_full(fold(text))
        in_sentences = [_words(part.text) for part in split_sentences(folded, cased=False)]
        self.words = tuple(chain.from_iterable(in_sentences))
        self.stems = tuple(map(word_stem, self.words))
        self.content = content_of(self.stems)
        self.numbers = numbers(folded)
        self.polarity = polarity(folded)
        self.refuses = is_refusal(folded)
        self.abstains = not self.refuses and is_abstention(folded)
        self.asks_any = _ASKS_ANY.match(folded) is not None
        self.asks_openly = _ASKS_OPENLY.search(folded[:_LONGEST_QUESTION]) is not None
        self.sentence_ends = tuple(accumulate(len(part) for part in in_sentences if part))
        self.items = _items(folded)
        self.enumerations = _enumerations(_digits(folded, self.numbers))

    @property
    def negations(self) -> int:
        """The number of negating words in the answer."""
        return sum(word in NEGATIONS for word in self.words)


def _plain(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else f"{value:.6g}"


def _digits(folded: str, numbers_read: tuple[Number, ...]) -> str:
    """Return a text with every number written in digits."""
    pieces: list[str] = []
    at = 0
    for number in numbers_read:
        pieces.append(folded[at : number.start])
        suffix = "s" if number.kind == "decade" else ""
        pieces.append(f" {_plain(abs(number.raw))}{suffix} ")
        at = number.raw_end
    pieces.append(folded[at:])
    return "".join(pieces)


def _one_spelling(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words with every phrase in the alias list replaced by the name that it stands for."""
    result: list[str] = []
    at = 0
    while at < len(words):
        for length in range(min(LONGEST_PHRASE, len(words) - at), 0, -1):
            name = PHRASES.get(words[at : at + length])
            if name is not None:
                result.append(name)
                at += length
                break
        else:
            result.append(words[at])
            at += 1
    return tuple(result)


def _words(folded: str) -> tuple[str, ...]:
    return _one_spelling(tokens(_digits(folded, numbers(folded))))


def content_of(stems: tuple[str, ...]) -> frozenset[str]:
    """Return the stems without function words, or all stems if nothing else is left."""
    return frozenset(s for s in stems if s not in FUNCTION_WORDS) or frozenset(stems)


def _is_item(words: tuple[str, ...]) -> bool:
    return 0 < len(words) <= 3 and not any(word in FUNCTION_WORDS and word not in _IN_LIST for word in words)


def _items(folded: str) -> tuple[frozenset[str], ...]:
    """Return the items of a short answer that is a list ("red, green and blue"), or () for anything else."""
    bare = folded.strip().rstrip(".!?")
    if len(bare) > 300 or (not _STRONG_JOINER.search(bare) and bare.count(",") < 2):
        return ()
    parts = [part for part in map(_words, _JOINER.split(bare)[::2]) if part]
    if len(parts) < 2 or sum(map(len, parts)) > 16 or not all(map(_is_item, parts)):
        return ()
    return tuple(content_of(tuple(map(word_stem, part))) for part in parts)


_NEAR_JOINER = 4
"""Maximum number of words in a thing of an enumeration, also if the part before or after the joiner is longer."""


def _enumerations(folded: str) -> tuple[Enumeration, ...]:
    """Return the runs of three or more short parts between commas, "and", "or" or bullets.

    The first and last part of a run may be longer. Only their words next to the joiner belong to it. The part that ends
    a run may begin another one.

    >>> _enumerations("in our shop we sell lamps, chairs and big oak tables since last year")
    (Enumeration(start=2, end=12, things=3),)
    """
    if not _JOINER.search(folded):
        return ()
    parts_and_joiners = [*_JOINER.split(folded), ""]
    runs: list[Enumeration] = []
    start = at = things = 0
    for part, joiner in zip(parts_and_joiners[::2], parts_and_joiners[1::2], strict=True):
        words = _words(part)
        part_start, part_end = at, at + len(words)
        at = part_end + len(tokens(joiner))
        if not words:
            continue
        if things and len(words) <= _NEAR_JOINER and not _SENTENCE_END.search(part):
            things += 1
            continue
        if things:
            runs.append(Enumeration(start, min(part_end, part_start + _NEAR_JOINER), things + 1))
        start, things = max(part_start, part_end - _NEAR_JOINER), 1
    runs.append(Enumeration(start, at, things))
    return tuple(run for run in runs if run.things >= 3)


@kept_within(24_000_000, per_character=40)  # a block of sources has some 3,000 replies, of a few sentences each
def _read(text: str) -> Answer:
    return Answer(text)


def read(text: str) -> Answer:
    """Parse a text for the judge. Results are cached."""
    return _read(text[:LONGEST])


def as_text(value: object) -> str:
    """Return an answer of any type as text. Lists are joined by commas, and None becomes ""."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(as_text, value))
    if isinstance(value, (set, frozenset)):
        return ", ".join(sorted(map(as_text, value)))
    return str(value)
