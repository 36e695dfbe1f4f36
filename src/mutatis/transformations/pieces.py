"""Chooses the characters or words to edit, in random order.

The order does not depend on the number of edits. With the same random generator, the edits made with a smaller share
are therefore the first edits made with a larger share.
"""

from __future__ import annotations

import math
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, compress, islice
from random import Random
from typing import TypeVar

from mutatis.core.languages import is_english
from mutatis.languages import Language
from mutatis.text.segments import segmented_words

LETTERS = re.compile(r"[^\W\d_]+")
"""A run of letters, including the rare numeric characters that are not digits."""

WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
"""A word, including apostrophes inside it."""

_ARTICLE = re.compile(r"(?<![\w'\u2019-])(?P<article>a|an)(?P<gap>\s+)$", re.IGNORECASE)
_VOWEL_SOUND = re.compile(
    r"(?!uni(?!n)|us[aeiu]|eu|one\b|once\b|ut[ie]|ub[i])[aeiou]|hour|honest|honou?r|heir|[€$£]?(?:8|1[18](?!\d))",
    re.IGNORECASE,
)
"""The beginning of a word or number that takes "an", such as "hour", "11" or "$8".

In "unit", "user", "euro" and "one", a vowel sounds like a consonant.
"""

_CODE = re.compile(r"\b(?=[^\W\d]*\d)(?=\d*[^\W\d_])\w+|(?<![\w'\u2019])[^\W\d_](?![\w'\u2019])")
"""A word of both letters and digits, or a single letter."""
_LETTERS_PER_POSITION = 10
"""Number of letters in a word for each typing slip. Without this limit, some words become unreadable."""

_IS_LETTER = bytes(chr(code).isalpha() and code < 128 for code in range(256))
"""A table for `bytes.translate` that maps ASCII letters to one and all other bytes to zero, for speed."""

T = TypeVar("T")

Edit = tuple[int, int, str]
"""Start, end and replacement text of one edit."""


def neighbours(*rows: tuple[str, float]) -> Mapping[str, str]:
    """Return the neighbours of each key on a keyboard, given its rows of keys and their offsets in key widths.

    >>> neighbours(("qwe", 0.0), ("asd", 0.25))["w"]
    'qeas'
    """
    places = {key: (x + shift, y) for y, (row, shift) in enumerate(rows) for x, key in enumerate(row)}
    near = {}
    for key, (x, y) in places.items():
        beside = (other for other, (a, b) in places.items() if abs(a - x) <= 1 and abs(b - y) <= 1 and other != key)
        near[key] = "".join(beside)
    return near | {key.upper(): keys.upper() for key, keys in near.items()}


def how_many(share: float, total: int) -> int:
    """Return a share of `total` as a rounded number, at least one if the share is above zero.

    >>> how_many(0.1, 44), how_many(0.1, 3), how_many(0.0, 44), how_many(0.1, 0)
    (4, 1, 0, 0)
    """
    return min(total, max(1, math.floor(share * total + 0.5))) if share > 0 else 0


def whole_part(ratio: float, total: int) -> int:
    """Return `ratio * total` rounded down, unaffected by floating-point errors.

    >>> whole_part(0.3, 10), whole_part(0.29, 100), whole_part(0.3, 9)
    (3, 29, 2)
    """
    return math.floor(ratio * total + 1e-9)


def picks(rng: Random, total: int) -> Iterator[int]:
    """Yield the numbers from 0 to `total - 1` in random order, drawing each only when it is needed.

    >>> sorted(picks(Random(1), 5))
    [0, 1, 2, 3, 4]
    """
    return drawn(rng, list(range(total)))


def picked(rng: Random, items: Sequence[T], count: int) -> list[T]:
    """Return `count` different items, or all if there are fewer, in random order.

    >>> picked(Random(1), "abc", 2)
    ['a', 'b']
    """
    return [item for item, _ in zip(drawn(rng, list(items)), range(count), strict=False)]


def drawn(rng: Random, items: list[T]) -> Iterator[T]:
    """Yield the items in random order, as `picks` does with indices. The list itself is reordered, too.

    >>> list(drawn(Random(1), [10, 20, 30])) == [(10, 20, 30)[i] for i in picks(Random(1), 3)]
    True
    """
    random = rng.random
    for last in range(len(items) - 1, -1, -1):
        index = int(random() * (last + 1))
        yield items[index]
        items[index] = items[last]  # the last of the remaining items takes the place of the drawn one


def parts_of(token: str, pattern: re.Pattern[str], is_known: Callable[[str], object]) -> tuple[str, ...]:
    """Return a space and a token as pieces: fixed text at even indices, words to edit at odd ones.

    The last piece is an empty word.

    >>> parts_of("Go,no!", WORD, str.isalpha)
    (' ', 'Go', ',', 'no', '!', '')
    """
    parts, end = [" "], 0
    for word in pattern.finditer(token):
        if is_known(word[0]):
            parts[-1] += token[end : word.start()]
            parts += [word[0], ""]
            end = word.end()
    parts[-1] += token[end:]
    return (*parts, "")  # with the empty word, the next token begins at an even index


def cut(text: str, parts: Callable[[str], tuple[str, ...]]) -> list[str]:
    """Return the pieces of a text: fixed text at even indices, words to edit (possibly empty) at odd ones.

    `parts` is a cached `parts_of` whose words contain no spaces, which makes this much faster than `words` and
    `edited`.

    >>> cut("Go, no!", lambda token: parts_of(token, WORD, str.isalpha))
    ['', 'Go', ',', '', ' ', 'no', '!', '']
    """
    pieces = [*chain.from_iterable(map(parts, text.split(" ")))]
    pieces[0] = pieces[0][1:]  # there is no space before the first token
    return pieces


def places(pieces: Sequence[str], text: str, protected: Sequence[str] = ()) -> list[int]:
    """Return the indices of the unprotected words among the pieces of a text, as made by `cut`.

    >>> places(["", "Go", " to ", "Rome"], "Go to Rome", ("Rome",))
    [1]
    """
    indices = [index for index in range(1, len(pieces), 2) if pieces[index]]
    spans = protected_spans(text, protected) if protected else ()
    if not spans:
        return indices
    ends = list(accumulate(map(len, pieces)))
    return [index for index in indices if is_free(ends[index - 1], ends[index], spans)]


def protected_spans(text: str, protected: Sequence[str]) -> list[tuple[int, int]]:
    """Return the spans of the protected strings in a text, in order. They must be whole words, in any letter case.

    >>> protected_spans("Paris, not Parisian or paris", ("Paris",))
    [(0, 5), (23, 28)]
    """
    spans = []
    for string in protected:
        if not string.strip():
            continue
        before = r"(?<!\w)" if re.match(r"\w", string) else ""
        after = r"(?!\w)" if re.search(r"\w\Z", string) else ""
        spans += [m.span() for m in re.finditer(before + re.escape(string) + after, text, re.IGNORECASE)]
    return sorted(spans)


def outermost(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the spans that do not begin within another span. Of two with the same beginning, the longer is kept.

    >>> outermost([(0, 5), (0, 10), (6, 10), (12, 14)])
    [(0, 10), (12, 14)]
    """
    kept: list[tuple[int, int]] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return kept


def is_free(start: int, end: int, spans: Sequence[tuple[int, int]]) -> bool:
    """Return True if the span from start to end overlaps none of the protected spans.

    >>> is_free(0, 3, [(3, 5)]), is_free(0, 4, [(3, 5)])
    (True, False)
    """
    return all(end <= low or start >= high for low, high in spans)


def letter_positions(text: str, protected: Sequence[str] = ()) -> list[int]:
    """Return the positions of the letters that may be edited.

    Letters next to digits are left out, because a typing error would turn a code (an account, a room, a unit) into a
    different one. Abbreviations and names with inner capitals ("BIC", "eBay") and single letters ("I") are left out for
    the same reason, but not if the whole text is in capitals.

    >>> letter_positions("a 1 by, not B2"), letter_positions("my BIC"), letter_positions("MY BIC")
    ([4, 5, 8, 9, 10], [0, 1], [0, 1, 3, 4, 5])
    """
    if text.isascii():  # several times faster
        positions = list(compress(range(len(text)), text.encode("ascii").translate(_IS_LETTER)))
    else:
        positions = list(compress(range(len(text)), map(str.isalpha, text)))
    fixed = {i for code in _codes(text) for i in range(*code.span())}
    if fixed:
        positions = [i for i in positions if i not in fixed]
    if protected:
        spans = protected_spans(text, protected)
        positions = [i for i in positions if is_free(i, i + 1, spans)]
    return positions


def _codes(text: str) -> list[re.Match[str]]:
    """Return the codes, single letters, abbreviations and names with inner capitals in a text.

    If most words have capitals inside, the text is shouted, and they are not abbreviations.
    """
    codes = [code for code in _CODE.finditer(text) if not _bears_mark(text, code)]
    runs = list(LETTERS.finditer(text))
    # Most words are in lower case, and the first test is faster than the second.
    capitals = [run for run in runs if not run[0].islower() and run[0][1:] != run[0][1:].lower()]
    return codes + capitals if 2 * len(capitals) <= len(runs) else codes


def spread_over_words(text: str, rng: Random, positions: list[int]) -> Iterator[int]:
    """Yield letter positions in random order, spread evenly over the words.

    Each word first gets one position per ten letters or part thereof, before any word gets more.

    >>> list(spread_over_words("so many", Random(1), [0, 1, 3, 4, 5, 6]))[:2]
    [0, 5]
    """
    spans = [run.span() for run in LETTERS.finditer(text)]
    starts = [start for start, _ in spans]
    taken = [0] * len(spans)  # positions in each word
    postponed = []
    for position in drawn(rng, positions):
        word = bisect_right(starts, position) - 1
        start, end = spans[word]
        if taken[word] * _LETTERS_PER_POSITION < end - start:
            taken[word] += 1
            yield position
        else:
            postponed.append(position)
    yield from postponed


def _bears_mark(text: str, letter: re.Match[str]) -> bool:
    """Return True if a letter stands next to a combining mark (as in Hindi), and so is not a word on its own."""
    beside = text[max(0, letter.start() - 1) : letter.start()] + text[letter.end() : letter.end() + 1]
    return any(unicodedata.category(character).startswith("M") for character in beside)


def words(text: str, protected: Sequence[str] = (), pattern: re.Pattern[str] = WORD) -> list[re.Match[str]]:
    """Return the words that may be edited, in order.

    >>> [m.group() for m in words("Don't go to Rome in 2024", ("Rome",))]
    ["Don't", 'go', 'to', 'in']
    """
    # Most words begin with a letter, and the first test is faster than the second.
    matches = [m for m in pattern.finditer(text) if m[0][0].isalpha() or any(map(str.isalpha, m[0]))]
    if protected:
        spans = protected_spans(text, protected)
        matches = [m for m in matches if is_free(*m.span(), spans)]
    return matches


def segments(text: str, language: str, protected: Sequence[str] = ()) -> list[re.Match[str]]:
    """Return the words that may be edited, in order. In languages without spaces, a segmenter finds them.

    >>> [m.group() for m in segments("成人票多少钱？", "zh", ("钱",))]
    ['成人票', '多少']
    """
    if Language(language).spaces:
        return words(text, protected, Language(language).word_pattern())
    spans = [m.span() for string in protected if string.strip() for m in re.finditer(re.escape(string), text)]
    return [word for word in segmented_words(text, language) if is_free(*word.span(), spans)]


def edited(text: str, edits: Iterable[Edit]) -> str:
    """Return the text with the edits applied. Edits must not overlap.

    >>> edited("the cat sat", [(8, 11, "ran"), (0, 3, "a")])
    'a cat ran'
    """
    pieces, position = [], 0
    for start, end, new in sorted(edits):
        pieces += [text[position:start], new]
        position = end
    return "".join([*pieces, text[position:]])


def choose_edits(
    matches: Sequence[re.Match[str]], rng: Random, share: float, replacement: Callable[[str, Random], str | None]
) -> list[Edit]:
    """Draw some of the matched words and return an edit for each. Words without a replacement are skipped."""
    replaced = ((*word.span(), replacement(word.group(), rng)) for word in drawn(rng, list(matches)))
    edits = ((start, end, new) for start, end, new in replaced if new is not None)
    return list(islice(edits, how_many(share, len(matches))))


def with_articles(text: str, edits: Sequence[Edit]) -> list[Edit]:
    """Return the edits, extended to a preceding "a" or "an" if the new word or number needs the other article.

    >>> [edited(text, with_articles(text, [(2, 5, "enormous")])) for text in ("a big dog", "A big dog")]
    ['an enormous dog', 'An enormous dog']
    """
    edited_ends = {end for _, end, _ in edits}
    result = []
    for start, end, new in edits:
        before = _ARTICLE.search(text[max(0, start - 12) : start])  # an article and some spaces
        if before and new:
            old_article, gap = before["article"], before["gap"]
            article = "an" if _VOWEL_SOUND.match(new) else "a"
            article_start = start - len(before.group())
            # An article that is edited itself stays as it is, since edits must not overlap.
            if old_article.lower() != article and article_start + len(old_article) not in edited_ends:
                start = article_start
                new = f"{article.capitalize() if old_article[0].isupper() else article}{gap}{new}"
        result.append((start, end, new))
    return result


def replaced_at(text: str, start: int, end: int, new: str, language: str = "en") -> str:
    """Return a text with the words from `start` to `end` replaced, and in English with the right article before them.

    >>> replaced_at("a big dog", 2, 5, "enormous"), replaced_at("for a 5-year-old", 6, 16, "8-year-old")
    ('an enormous dog', 'for an 8-year-old')
    """
    edits = [(start, end, new)]
    return edited(text, with_articles(text, edits) if is_english(language) else edits)
