"""Writes words in another common spelling, and introduces questions in another way.

Based on NL-Augmenter (Dhole et al. 2021: British and American spelling, numbers to words, abbreviations, chat spelling)
and CheckList's paraphrases of questions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from random import Random

from mutatis.core.languages import ENGLISH
from mutatis.core.transformation import transformation
from mutatis.languages import Language, listed, needing, word_pairs
from mutatis.text.normalisation import like
from mutatis.text.sentences import QUESTION_MARKS
from mutatis.text.values import vocabulary
from mutatis.transformations.clear import follows_name, is_name, quoted_spans, words_beside
from mutatis.transformations.exchange import exchangeable_numbers
from mutatis.transformations.known import one_of
from mutatis.transformations.pieces import WORD, edited, is_free

_NUMBER_WORDS = vocabulary().ones[:13]
"""The words for the numbers from 0 to 12. `exchangeable_numbers` leaves out "zero" and "one"."""
_ABBREVIATED: Mapping[str, str] = vocabulary().tables["calendar"]["abbreviated"]
"""Months and weekdays, each with its abbreviation."""
_BEFORE_SMALL_WORD = re.compile(r"[.,;]?(?:\s+[a-z]|\s*\Z)")
"""A lower-case word or the end of the text, after an optional mark."""
_AND = re.compile(r"(?<=[a-z,)\d]) and (?=[a-z\d])")


def _replaced(text: str, table: Mapping[str, str]) -> str:
    """Replace the words in a table, except names and quotations."""
    edits = []
    for word in _unquoted_words(text):
        new = table.get(word.group().lower())
        if new is not None and not is_name(text, *word.span()):
            edits.append((*word.span(), like(word.group(), new)))
    return edited(text, edits)


def _unquoted_words(text: str) -> list[re.Match[str]]:
    quoted = quoted_spans(text)
    return [word for word in WORD.finditer(text) if is_free(*word.span(), quoted)]


@transformation(
    "spelling-variants", capability="wording", says="{words} in American or British spelling", languages=ENGLISH
)
def spelling_variants(text: str) -> str:
    """Swap American and British spellings. Names and quotations are left unchanged.

    >>> spelling_variants("The gray theatre at Rockefeller Center was her favorite.")
    'The grey theater at Rockefeller Center was her favourite.'
    """
    return _replaced(text, word_pairs("spellings"))


@transformation("chat-spelling", capability="wording", says="{words} shortened as in messages", languages=ENGLISH)
def chat_spelling(text: str) -> str:
    """Shorten words as people do in text messages.

    >>> chat_spelling("Could you please call before tomorrow?")
    'Could u pls call b4 tmrw?'
    """
    return _replaced(text, dict(line.split() for line in listed("chat_spellings")))


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
    names = [
        word
        for word in _unquoted_words(text)
        if word.group() in _ABBREVIATED
        and not text.startswith(("-", "'", "."), word.end())
        and not follows_name(text, word.start())
        and not words_beside(text, *word.span())[1][:1].isupper()  # "November Uprising"
    ]
    return edited(text, [(*name.span(), _ABBREVIATED[name.group()]) for name in names])


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
        number = match.group().lower()
        before = text[: match.start()]
        follows_space = before == "" or before[-1].isspace()
        stands_alone = follows_space and _BEFORE_SMALL_WORD.match(text, match.end())
        if not stands_alone or is_name(text, *match.span()):
            continue
        if number in _NUMBER_WORDS:
            edits.append((*match.span(), str(_NUMBER_WORDS.index(number))))
        elif number.isdigit() and 2 <= int(number) <= 12 and number[0] != "0":
            edits.append((*match.span(), _NUMBER_WORDS[int(number)]))
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
