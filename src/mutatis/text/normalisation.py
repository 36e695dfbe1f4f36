"""Normalises the spelling of texts: Unicode, case, typography, articles, punctuation.

The results are for comparing texts, never for changing the input of a system.
"""

from __future__ import annotations

import re
import string
import unicodedata

from mutatis.text.memory import kept_within

_TYPOGRAPHY = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′`´ʼ", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        "…": "...",
        "\u2044": "/",
        "ß": "ss",
        "æ": "ae",
        "œ": "oe",
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ı": "i",
    }
)
_ACCENTS = re.compile(r"[\u0300-\u036f]+")
_INVISIBLE = re.compile(r"[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]+")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_CITATION = re.compile(r"\[\^?\d{1,3}\^?\]")
# Marks that belong to the word they stand in, in scripts where Python's \w leaves them out.
_MARKS = (
    "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0900-\u0dff\u1000-\u109f\u1780-\u17ff"
)
# Scripts written without spaces: one character is one token.
_UNSPACED = "\u0e00-\u0eff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f"
SPACED_LETTER = rf"(?:(?![{_UNSPACED}])(?:[^\W_]|[{_MARKS}]))"
"""Pattern of a letter, digit or mark of a script that puts spaces between its words."""

_SYMBOLS = "\u2600-\u27bf\U0001f000-\U0001faff"
_TOKEN = re.compile(rf"(?<!\w)[a-z](?:\+\+|#)|\d++(?:\.\d++)?+(?![^\W\d_])|[{_UNSPACED}]|[{_SYMBOLS}]|{SPACED_LETTER}+")
_DECIMALS = {"\u00bc": ".25", "\u00bd": ".5", "\u00be": ".75"}
_FRACTION = re.compile(r"(?:(?<![\d.,])(\d{1,3}(?:,\d{3})+|\d{1,9})[ \u00a0\u202f]?)?([\u00bc-\u00be])")
_SQUAD_ARTICLES = re.compile(r"\b(a|an|the)\b")
_SQUAD_PUNCTUATION = str.maketrans("", "", string.punctuation)
ARTICLES = frozenset({"a", "an", "the"})


def listed_words(text: str) -> frozenset[str]:
    """Return the space-separated words of a text as a set.

    >>> sorted(listed_words("yes no yes"))
    ['no', 'yes']
    """
    return frozenset(text.split())


def fold(text: str) -> str:
    """Return a text in NFKC form and lower case, without accents, invisible characters or special typography.

    >>> fold("“Beyoncé” – CAFÉ")
    '"beyonce" - cafe'
    >>> fold("1½ hours, ¼ cup")
    '1.5 hours, 0.25 cup'
    """
    if text.isascii():
        return text.lower()
    text = _FRACTION.sub(_decimal, text)  # in that form 1½ would be 11/2
    text = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)).lower().translate(_TYPOGRAPHY)
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", text)))


class _OneCase(dict[int, str]):
    """A mapping that folds only characters whose folded form is a single character, so that offsets stay valid."""

    def __missing__(self, code: int) -> str:
        sign = chr(code)
        folded = sign if sign.isdigit() and not sign.isdecimal() else fold(sign)  # 10\u00b2 is not 102
        self[code] = folded if len(folded) == 1 else sign
        return self[code]


_ONE_CASE = _OneCase()


def in_one_case(text: str) -> str:
    """Return a text in lower case, without accents or special typography. Every character keeps its position.

    >>> in_one_case("Fünf – 2½ HOURS")
    'funf - 2½ hours'
    """
    return text.lower() if text.isascii() else text.translate(_ONE_CASE)


def _decimal(match: re.Match[str]) -> str:
    """Return a fraction sign and the number before it as a decimal number, with a space after preceding letters."""
    if match[1]:
        return match[1] + _DECIMALS[match[2]]
    glued = match.start() > 0 and match.string[match.start() - 1].isalnum()
    return f"{' ' if glued else ''}0{_DECIMALS[match[2]]}"


@kept_within(6_000_000, per_character=12)
def tokens(text: str) -> tuple[str, ...]:
    """Return the folded words of a text, without articles or punctuation. Initials are joined.

    >>> tokens("The U.S. sold 1,200 well-known T-shirts to J. K. Rowling.")
    ('us', 'sold', '1200', 'well', 'known', 't', 'shirts', 'to', 'jk', 'rowling')
    """
    folded = _THOUSANDS.sub("", _CITATION.sub(" ", fold(text)))
    words: list[str] = _TOKEN.findall(folded.replace("'", ""))
    kept: list[str] = []
    initials: list[str] = []  # the single letters just before the current token
    for token in [*words, ""]:
        if len(token) == 1 and "a" <= token <= "z":
            initials.append(token)
            continue
        if len(initials) >= 2:
            kept.append("".join(initials))
        elif initials and initials[0] not in ARTICLES:
            kept.extend(initials)
        initials = []
        if token and token not in ARTICLES:
            kept.append(token)
    return tuple(kept)


def normalise(text: str) -> str:
    """Return the words that `tokens` finds in a text, joined by spaces.

    >>> normalise("  The Well-Known “Artist”! ")
    'well known artist'
    """
    return " ".join(tokens(text))


def squad_normalise(text: str) -> str:
    """Return a text normalised as in SQuAD: in lower case, without ASCII punctuation or articles.

    >>> squad_normalise("The Well-Known  artist.")
    'wellknown artist'
    """
    return " ".join(_SQUAD_ARTICLES.sub(" ", text.lower().translate(_SQUAD_PUNCTUATION)).split())


def like(original: str, new: str) -> str:
    """Return `new` in the letter case of `original`: all upper case, first letter upper case, or unchanged.

    >>> like("BIG", "large"), like("Big", "large"), like("big", "large"), like("I", "we")
    ('LARGE', 'Large', 'large', 'We')
    """
    if len(original) > 1 and original.isupper():
        return new.upper()
    if original[:1].isupper():
        return new[:1].upper() + new[1:]
    return new
