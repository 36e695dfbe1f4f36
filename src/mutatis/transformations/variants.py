"""Writes words in another common spelling, and introduces questions in another way.

Based on NL-Augmenter (Dhole et al. 2021: British and American spelling, numbers to words, abbreviations, chat spelling)
and CheckList's paraphrases of questions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from random import Random

from mutatis.core.languages import ENGLISH
from mutatis.core.transformation import transformation
from mutatis.languages import Language, listed, needing
from mutatis.text.letter_case import like
from mutatis.text.sentences import QUESTION_MARKS
from mutatis.text.values import vocabulary
from mutatis.transformations.clear import is_name, quoted_spans, starts_sentence, words_beside
from mutatis.transformations.exchange import exchangeable_numbers
from mutatis.transformations.known import one_of
from mutatis.transformations.pieces import WORD, edited, is_free

_SPELT = vocabulary().ones[:13]
_DAYS: Mapping[str, str] = vocabulary().tables["calendar"]["abbreviated"]
_ALONE = re.compile(r"(?:\A|\s)\Z")
_PLAIN_AFTER = re.compile(r"[.,;]?(?:\s+[a-z]|\s*\Z)")
_AND = re.compile(r"(?<=[a-z,)\d]) and (?=[a-z\d])")


@cache
def _both_ways(name: str) -> Mapping[str, str]:
    pairs = [line.split() for line in listed(name)]
    return dict(pairs) | {b: a for a, b in pairs}


def _replaced(text: str, table: Mapping[str, str], fits: Callable[[re.Match[str]], bool]) -> str:
    quoted = quoted_spans(text)
    matches = [m for m in WORD.finditer(text) if m.group().lower() in table and is_free(*m.span(), quoted) and fits(m)]
    return edited(text, [(*m.span(), like(m.group(), table[m.group().lower()])) for m in matches])


@transformation(
    "spelling-variants", capability="wording", says="{words} in American or British spelling", languages=ENGLISH
)
def spelling_variants(text: str) -> str:
    """Swap American and British spellings. Names and quotations are left unchanged.

    >>> spelling_variants("The gray theatre at Rockefeller Center was her favorite.")
    'The grey theater at Rockefeller Center was her favourite.'
    """
    return _replaced(text, _both_ways("spellings"), lambda m: not is_name(text, *m.span()))


@transformation("chat-spelling", capability="wording", says="{words} shortened as in messages", languages=ENGLISH)
def chat_spelling(text: str) -> str:
    """Shorten words as people do in text messages.

    >>> chat_spelling("Could you please call before tomorrow?")
    'Could u pls call b4 tmrw?'
    """
    table = dict(line.split() for line in listed("chat_spellings"))
    return _replaced(text, table, lambda m: not is_name(text, *m.span()))


@transformation("ampersands", capability="wording", says='"and" written as an ampersand', languages=ENGLISH)
def ampersands(text: str) -> str:
    """Write "and" as "&" between lower-case words or digits.

    >>> ampersands("A man and a dog saw Ann and Ben.")
    'A man & a dog saw Ann and Ben.'
    """
    return _AND.sub(" & ", text)


@transformation("short-dates", capability="wording", says="{words} of dates shortened", languages=ENGLISH)
def short_dates(text: str) -> str:
    """Abbreviate the names of months and weekdays. March, April, May, June and July are left unchanged.

    >>> short_dates("On Monday, 3 January 1920, in May.")
    'On Mon., 3 Jan. 1920, in May.'
    """
    quoted = quoted_spans(text)
    matches = [m for m in WORD.finditer(text) if m.group() in _DAYS and is_free(*m.span(), quoted)]
    matches = [
        m for m in matches if text[m.end() : m.end() + 1] not in {"-", "'", "."} and not _in_name(text, *m.span())
    ]
    return edited(text, [(*m.span(), _DAYS[m.group()]) for m in matches])


def _in_name(text: str, start: int, end: int) -> bool:
    """Return True if a capitalised word is next to a month or day, as in "November Uprising"."""
    before, after = words_beside(text, start, end)
    starts = starts_sentence(text, start - len(before) - 1)
    return after[:1].isupper() or (before[:1].isupper() and not starts)


@transformation(
    "numbers-in-words", capability="wording", says="small {numbers} in words or in digits", languages=ENGLISH
)
def numbers_in_words(text: str) -> str:
    """Write numbers from two to twelve in words instead of digits, and vice versa.

    >>> numbers_in_words("Two dogs and 3 cats, in 1920, on channel 5.")
    '2 dogs and three cats, in 1920, on channel five.'
    """
    edits = []
    for match in exchangeable_numbers(text):
        bare = match.group().lower()
        if not _ALONE.search(text, 0, match.start()) or not _PLAIN_AFTER.match(text, match.end()):
            continue
        if is_name(text, *match.span()):
            continue
        if bare in _SPELT:
            edits.append((*match.span(), str(_SPELT.index(bare))))
        elif bare.isdigit() and 2 <= int(bare) <= 12 and bare[0] != "0":
            edits.append((*match.span(), _SPELT[int(bare)]))
    return edited(text, edits)


@transformation(
    "frame-question",
    capability="manner of speaking",
    says="announced as a question",
    languages=needing("speech.frames"),
)
def frame_question(text: str, rng: Random, written_in: str = "en") -> str:
    """Announce a question before asking it. Texts without a question mark are left unchanged.

    >>> frame_question("Where is my card?", Random(1))
    'Can you tell me this: Where is my card?'
    """
    asks = any(mark in text for mark in QUESTION_MARKS)
    return one_of(Language(written_in).ways("frames"), rng) + text.lstrip() if asks else text
