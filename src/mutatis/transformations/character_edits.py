"""Inserts, drops or replaces a single character, as the parameters determine (RLTest4Chatbot, 2.1.1).

Every parameter is a number from 0 to 1. `operator` selects the kind of edit, `position` its place among the possible
ones, and `character` the character to write. A text without a possible place is left unchanged, and the last remaining
character is never removed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from mutatis.core.languages import ALPHABETS, LATIN
from mutatis.core.parameters import Share
from mutatis.core.transformation import transformation
from mutatis.transformations.lexicon import keyboard
from mutatis.transformations.pieces import edited, is_free, protected_spans

INSERT = ("repeat", "letter", "punctuation")
DROP = ("any", "blank", "vowel", "punctuation")
REPLACE = ("diacritic", "qwerty", "azerty", "letter", "swap")
"""Kinds of replacement. Each takes an equal part of `operator`'s range from 0 to 1, in this order."""

ALPHABET = "abcdefghijklmnopqrstuvwxyz"
INTRUDERS = ".,!?-_*'"
_VOWELS = frozenset("aeiouAEIOU")
_LOOK_ALIKE = {
    **{"a": "áàâäãå", "c": "çćč", "d": "đď", "e": "éèêëē", "g": "ğģ", "h": "ħ", "i": "íìîïī", "j": "ĵ", "k": "ķ"},
    **{"l": "łľ", "n": "ñńň", "o": "óòôöõ", "r": "ŕř", "s": "śšş", "t": "ťţ", "u": "úùûüū", "w": "ŵ", "y": "ýÿ"},
    **{"z": "źżž"},
}
_DIACRITICS: Mapping[str, str] = _LOOK_ALIKE | {k.upper(): v.upper() for k, v in _LOOK_ALIKE.items()}

T = TypeVar("T")


def at(share: float, choices: Sequence[T]) -> T:
    """Return the choice at a relative position, from 0 for the first to 1 for the last.

    >>> at(0.0, "abc"), at(0.34, "abc"), at(1.0, "abc")
    ('a', 'b', 'c')
    """
    return choices[min(int(share * len(choices)), len(choices) - 1)]


def _places(text: str, protected: Sequence[str], fits: Callable[[int], bool], width: int = 1) -> list[int]:
    """Return the positions that fit, and from which `width` characters are unprotected."""
    spans = protected_spans(text, protected)
    return [i for i in range(len(text)) if fits(i) and is_free(i, i + width, spans)]


def _is_punctuation(character: str) -> bool:
    return not character.isalnum() and not character.isspace()


@transformation("char-insert", capability="typing noise", says="{characters} added", languages=LATIN)
def char_insert(
    text: str, *, position: Share = 0.5, operator: Share = 0.0, character: Share = 0.5, protected: tuple[str, ...] = ()
) -> str:
    """Insert one character after a letter or digit: the same character again, a letter, or a punctuation mark.

    >>> char_insert("a cheap room"), char_insert("a cheap room", operator=0.5), char_insert("a cheap room", operator=1)
    ('a cheapp room', 'a cheapn room', 'a cheap- room')
    """
    places = _places(text, protected, lambda i: text[i].isalnum())
    if not places:
        return text
    place, kind = at(position, places), at(operator, INSERT)
    new = text[place] if kind == "repeat" else at(character, ALPHABET if kind == "letter" else INTRUDERS)
    return edited(text, [(place + 1, place + 1, new)])


@transformation("char-drop", capability="typing noise", says="{characters} left out", languages=ALPHABETS)
def char_drop(text: str, *, position: Share = 0.5, operator: Share = 0.0, protected: tuple[str, ...] = ()) -> str:
    """Drop one character of a certain kind, as `operator` determines.

    The kinds are any character but white space, a space between two words, a vowel, and a punctuation mark.

    >>> char_drop("a cheap room."), char_drop("a cheap room.", operator=0.3), char_drop("a cheap room.", operator=0.6)
    ('a chea room.', 'a cheaproom.', 'a chep room.')
    >>> char_drop("a cheap room.", operator=1)
    'a cheap room'
    """
    fits: Mapping[str, Callable[[int], bool]] = {
        "any": lambda i: not text[i].isspace(),
        "blank": lambda i: text[i].isspace() and bool(text[:i].strip()) and bool(text[i:].strip()),
        "vowel": lambda i: text[i] in _VOWELS,
        "punctuation": lambda i: _is_punctuation(text[i]),
    }
    places = _places(text, protected, fits[at(operator, DROP)])
    if not places or len(text.strip()) == 1:
        return text
    place = at(position, places)
    return edited(text, [(place, place + 1, "")])


@transformation("char-replace", capability="typing noise", says="{characters} replaced", languages=LATIN)
def char_replace(
    text: str, *, position: Share = 0.5, operator: Share = 0.0, character: Share = 0.5, protected: tuple[str, ...] = ()
) -> str:
    """Replace a letter with an accented form, a neighbour on the keyboard or any letter, or swap two letters.

    >>> [char_replace("a cheap room", operator=kind) for kind in (0, 0.2, 0.4, 0.6, 0.8)]
    ['a cheäp room', 'a cheal room', 'a cheal room', 'a cheam room', 'a chepa room']
    """
    kind = at(operator, REPLACE)
    if kind == "swap":
        return _swapped(text, position, protected)
    tables = {"diacritic": _DIACRITICS, "qwerty": keyboard("en"), "azerty": keyboard("fr")}
    places = _places(text, protected, lambda i: text[i] in tables[kind] if kind in tables else text[i].isalpha())
    if not places:
        return text
    place = at(position, places)
    old = text[place]
    new = at(character, tables[kind][old] if kind in tables else ALPHABET.replace(old.lower(), ""))
    return edited(text, [(place, place + 1, new.upper() if old.isupper() else new)])


def _swapped(text: str, position: float, protected: Sequence[str]) -> str:
    """Return a text with two different neighbouring letters swapped, or unchanged if there are none."""

    def fits(i: int) -> bool:
        return i + 1 < len(text) and text[i].isalpha() and text[i + 1].isalpha() and text[i] != text[i + 1]

    places = _places(text, protected, fits, width=2)
    if not places:
        return text
    place = at(position, places)
    return edited(text, [(place, place + 2, text[place + 1] + text[place])])
