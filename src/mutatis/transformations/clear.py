"""Which words of a text may be exchanged for others: never names, titles, quotations or parts of fixed terms.

By letter case and neighbours, without a tagger: TextBlob's (the one that needs no download) gives a word the same class
wherever it stands ("present" is always an adjective, "top" in "tank top" too), so it cannot tell senses apart; words
that need that are not in the lexicons. Must not know lexicons of synonyms or antonyms.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from mutatis.transformations.lexicon import listed
from mutatis.transformations.pieces import is_free, words

_QUOTED = re.compile(r"\"[^\"\n]{1,200}\"|\u201c[^\u201d\n]{1,200}\u201d|``.{1,200}?''|(?<!\w)'[^'\n]{1,80}'(?!\w)")
_BEFORE = re.compile(r"([\w'\u2019-]+)[ \t]*\Z")
_AFTER = re.compile(r"[ \t]+([\w'\u2019-]+)")
_SENTENCE_START = re.compile(r"(?:\A|[.!?:;\n\"\u201c(\[-]|``)[\s\"\u201c(\[]*\Z")


@cache
def _fixed_terms() -> re.Pattern[str]:
    terms = "|".join(re.escape(term).replace(r"\ ", r"\s+") for term in listed("compounds"))
    return re.compile(rf"(?<!\w)(?:{terms})s?(?!\w)", re.IGNORECASE)


def closed_spans(text: str) -> list[tuple[int, int]]:
    """Return the spans whose words are never exchanged: quotations and fixed terms.

    >>> closed_spans('At least the "Big Sleep" is fun.')
    [(0, 8), (13, 24)]
    """
    return sorted([m.span() for pattern in (_QUOTED, _fixed_terms()) for m in pattern.finditer(text)])


def neighbours(text: str, start: int, end: int) -> tuple[str, str]:
    """Return the words beside a span as they are written, "" where something other than blanks stands between.

    >>> neighbours("the old man, who", 4, 7), neighbours("the old man, who", 8, 11)
    (('the', 'man'), ('old', ''))
    """
    before, after = _BEFORE.search(text, max(0, start - 40), start), _AFTER.match(text, end)
    return (before.group(1) if before else "", after.group(1) if after else "")


def starts_sentence(text: str, start: int) -> bool:
    """Whether a word that starts here may be capitalised because a sentence starts.

    >>> [starts_sentence("Old men. Old New York", i) for i in (0, 9, 13)]
    [True, True, False]
    """
    return _SENTENCE_START.search(text, max(0, start - 40), start) is not None


def is_name(text: str, start: int, end: int) -> bool:
    r"""Whether the word is, or stands beside, a word that is capitalised inside a sentence.

    >>> text = "Old friends saw the big Queens Canyon"
    >>> [is_name(text, m.start(), m.end()) for m in re.finditer(r"\w+", text)]
    [False, False, False, False, True, True, True]
    """
    before, after = neighbours(text, start, end)
    own = text[start:end]
    if own[:1].isupper() and ((len(own) > 1 and own.isupper()) or not starts_sentence(text, start)):
        return True
    if after[:1].isupper() and after != "I":
        return True
    return before[:1].isupper() and before not in {"I", "A"} and not starts_sentence(text, start - len(before) - 1)


def clear_words(text: str, protected: Sequence[str] = ()) -> list[re.Match[str]]:
    """Return the words that may be exchanged, in order; in a text all in capitals, names cannot be told from others.

    >>> [m.group() for m in clear_words("A big man in New York read 'The Big Sleep' at least twice, well-read man.")]
    ['A', 'big', 'man', 'twice', 'man']
    """
    closed = closed_spans(text)
    shouted = text.isupper()
    return [
        word
        for word in words(text, protected)
        if is_free(*word.span(), closed)
        and "-" not in (text[word.start() - 1 : word.start()], text[word.end() : word.end() + 1])
        and (shouted or not is_name(text, *word.span()))
    ]
