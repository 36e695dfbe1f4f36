"""Transformations that edit characters: typing errors, scanning errors, letter case.

Only letters (of any script) are edited, and at least one if the share is above zero. A larger share includes the edits
made with a smaller one. Protected strings are left unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from functools import partial
from itertools import islice, pairwise
from random import Random
from typing import Literal

from mutatis.core.languages import ALPHABETS, CASED, ENGLISH, LATIN, is_english
from mutatis.core.parameters import Share
from mutatis.core.transformation import transformation
from mutatis.languages import Language, language_tables, needing
from mutatis.transformations.clear import quoted_spans
from mutatis.transformations.known import one_of
from mutatis.transformations.lexicon import keyboard
from mutatis.transformations.pieces import (
    LETTERS,
    choose_edits,
    drawn,
    edited,
    how_many,
    is_free,
    letter_positions,
    protected_spans,
    segments,
    spread_over_words,
    whole_part,
    words,
)

typing_noise = partial(transformation, capability="typing noise")
"""Decorator that registers an edit that looks like a typing error."""

_ALPHABET = "abcdefghijklmnopqrstuvwxyz"
_VOWELS = frozenset("aeiouyäöüаеёиоуыэюяєіїαεηιουω")
_LONG_WORD = re.compile(r"(?<![\w@/.-])[^\W\d_]{5,}(?![\w@/-]|\.\w)")
"""Five letters or more that are not part of a code, an address or a hyphenated word."""
_LEET = {"a": "4", "e": "3", "i": "1", "o": "0", "t": "7"}
_LEET |= {letter.upper(): digit for letter, digit in _LEET.items()}
_OCR: Mapping[str, Sequence[str]] = {
    **{"a": ("o", "e"), "b": ("6", "h"), "c": ("e", "o"), "d": ("cl", "ol"), "e": ("c", "o"), "f": ("t",)},
    **{"g": ("9", "q"), "h": ("b", "li"), "i": ("l", "1", "j"), "j": ("i",), "k": ("lc",), "l": ("1", "I", "i")},
    **{"m": ("rn", "nn"), "n": ("ri", "u"), "o": ("0", "c"), "p": ("n", "q"), "q": ("g", "9"), "r": ("n", "t")},
    **{"s": ("5", "z"), "t": ("f", "l"), "u": ("v", "ii"), "v": ("u", "y"), "w": ("vv",), "x": ("z",)},
    **{"y": ("v",), "z": ("2", "s"), "A": ("4",), "B": ("8", "R"), "C": ("G", "("), "D": ("O", "0")},
    **{"E": ("F",), "F": ("P", "E"), "G": ("6", "C"), "H": ("N", "ll"), "I": ("l", "1"), "J": ("I",)},
    **{"K": ("X",), "L": ("I",), "M": ("N",), "N": ("M", "H"), "O": ("0", "Q"), "P": ("F",), "Q": ("O", "0")},
    **{"R": ("B",), "S": ("5", "8"), "T": ("I", "7"), "U": ("V",), "V": ("U",), "W": ("VV",), "X": ("K",)},
    **{"Y": ("V",), "Z": ("2",)},
}


def _edit_letters(
    text: str,
    rng: Random,
    share: float,
    protected: Sequence[str],
    edit: Callable[[str], str],
    known: Container[str] | None = None,
) -> str:
    """Edit some of the unprotected letters, spread evenly over the words.

    `share` is relative to the number of all letters. If only some letters can be edited, `known` contains these.
    """
    letters = letter_positions(text, protected)
    editable = letters
    # A table for the Latin script has all letters of ASCII, and most texts have no others.
    if known is not None and not (text.isascii() and "a" in known):
        editable = [i for i in letters if text[i] in known]
    characters = list(text)
    for position in islice(spread_over_words(text, rng, editable), how_many(share, len(letters))):
        characters[position] = edit(characters[position])
    return "".join(characters)


@typing_noise("replace-characters", says="{letters} replaced by others", languages=LATIN)
def replace_characters(text: str, rng: Random, *, share: Share = 0.1, protected: tuple[str, ...] = ()) -> str:
    """Replace some of the letters with other random letters.

    >>> replace_characters("The film was a quiet joy.", Random(1))
    'Thw film was a quget joy.'
    """

    def other(letter: str) -> str:
        new = one_of(_ALPHABET, rng)
        if new == letter.lower():
            new = _ALPHABET[(_ALPHABET.index(new) + 1) % 26]  # the next letter, "a" after "z"
        return new.upper() if letter.isupper() else new

    return _edit_letters(text, rng, share, protected, other)


@typing_noise("delete-characters", says="{letters} left out", languages=ALPHABETS)
def delete_characters(text: str, rng: Random, *, share: Share = 0.1, protected: tuple[str, ...] = ()) -> str:
    """Remove some of the letters.

    >>> delete_characters("The film was a quiet joy.", Random(1))
    'Th film was a quie joy.'
    """
    return _edit_letters(text, rng, share, protected, lambda _: "")


@typing_noise("leet", says="{letters} written as digits", languages=LATIN)
def leet(text: str, rng: Random, *, share: Share = 0.1, protected: tuple[str, ...] = ()) -> str:
    """Write a, e, i, o, t as 4, 3, 1, 0, 7 in a random sample of the letters.

    If the sample contains none of these letters, one outside the sample is replaced.

    >>> leet("The film was a quiet joy.", Random(1))
    'Th3 film was a quie7 joy.'
    """
    positions = letter_positions(text, protected)
    sample = how_many(share, len(positions))
    if not sample:
        return text
    characters, any_replaced = list(text), False
    for number, position in enumerate(spread_over_words(text, rng, positions)):
        if number >= sample and any_replaced:
            break
        if characters[position] in _LEET:
            characters[position] = _LEET[characters[position]]
            any_replaced = True
    return "".join(characters)


@typing_noise("add-characters", says="{letters} added", languages=LATIN)
def add_characters(text: str, rng: Random, *, share: Share = 0.1, protected: tuple[str, ...] = ()) -> str:
    """Add a random letter after some of the letters.

    >>> add_characters("The film was a quiet joy.", Random(1))
    'Thew film was a quiget joy.'
    """
    return _edit_letters(text, rng, share, protected, lambda letter: letter + one_of(_ALPHABET, rng))


@typing_noise("add-spaces", says="{blanks} put inside words", languages=needing("values.writing", also=ALPHABETS))
def add_spaces(
    text: str, rng: Random, written_in: str = "en", *, share: Share = 0.1, protected: tuple[str, ...] = ()
) -> str:
    """Add a space after some of the letters.

    In a language without spaces, the spaces are added before words, as in text segmented by a machine.

    >>> add_spaces("The film was a quiet joy.", Random(1)), add_spaces("成人票多少钱？", Random(1), "zh")
    ('The  film was a quiet  joy.', '成人票 多少钱？')
    """
    if Language(written_in).spaces:
        return _edit_letters(text, rng, share, protected, lambda letter: f"{letter} ")
    inner_words = [word for word in segments(text, written_in, protected) if text[: word.start()][-1:].isalpha()]
    return edited(text, choose_edits(inner_words, rng, share, lambda word, _: f" {word}"))


@typing_noise("swap-characters", says="letters exchanged with their right neighbours", languages=ALPHABETS)
def swap_characters(text: str, rng: Random, *, share: Share = 0.1, protected: tuple[str, ...] = ()) -> str:
    """Swap some of the letters with the letter to their right. Each letter is moved at most once.

    >>> swap_characters("The film was a quiet joy.", Random(1))
    'Teh film was a quite joy.'
    """
    letters = letter_positions(text, protected)
    wanted = how_many(share, len(letters))
    if not wanted:
        return text
    pairs = [i for i, after in pairwise(letters) if after == i + 1 and text[i] != text[after]]
    characters = list(text)
    moved: set[int] = set()
    for i in spread_over_words(text, rng, pairs):
        if i in moved or i + 1 in moved:
            continue
        characters[i], characters[i + 1] = characters[i + 1], characters[i]
        moved |= {i, i + 1}
        if len(moved) == 2 * wanted:
            break
    return "".join(characters)


@typing_noise("shuffle-inside-words", says="the inner letters of {words} in another order", languages=ALPHABETS)
def shuffle_inside_words(text: str, rng: Random, *, share: Share = 0.1, protected: tuple[str, ...] = ()) -> str:
    """Shuffle the inner letters of some words with four or more letters. The first and last letter stay in place.

    >>> shuffle_inside_words("The weather stayed pleasant.", Random(2))
    'The weather stayed paseanlt.'
    """
    long_words = [m for m in words(text, protected, LETTERS) if m.end() - m.start() >= 4 and m.group().isalpha()]
    return edited(text, choose_edits(long_words, rng, share, _shuffled_inside))


def _shuffled_inside(word: str, rng: Random) -> str | None:
    """Return a word with its inner letters in another order, or None if they are all the same."""
    inner = list(word[1:-1])
    if len(set(inner)) < 2:
        return None
    while "".join(inner) == word[1:-1]:
        rng.shuffle(inner)
    return word[0] + "".join(inner) + word[-1]


@typing_noise("keyboard-typos", says="{letters} mistyped on the keyboard", languages=needing("keyboard", also=ENGLISH))
def keyboard_typos(
    text: str, rng: Random, written_in: str = "en", *, share: Share = 0.1, protected: tuple[str, ...] = ()
) -> str:
    """Replace some of the letters with their neighbours on a QWERTY keyboard.

    In other languages, some of the words get one typing error each: a neighbouring key, a doubled letter, or two
    letters swapped. `share` is then relative to the words, because a share of the letters would produce more errors
    than people leave in a message. Only lower-case words of five letters or more are changed. Their first and last
    letters are kept, because people would notice an error there.

    >>> keyboard_typos("The film was a quiet joy.", Random(1))
    'Thd film was a quoet joy.'
    >>> [keyboard_typos("Wie lange dauert die Führung?", Random(seed), "de") for seed in (1, 3, 7)]
    ['Wie lsnge dauert die Führung?', 'Wie lannge dauert die Führung?', 'Wie lagne dauert die Führung?']
    """
    keys = keyboard(written_in)
    if is_english(written_in):
        return _edit_letters(text, rng, share, protected, lambda letter: one_of(keys[letter], rng), keys)
    quoted, wanted = quoted_spans(text), how_many(share, len(words(text, protected, LETTERS)))
    matches = words(text, protected, _LONG_WORD)
    long_words = [word for word in matches if word.group().islower() and is_free(*word.span(), quoted)]
    slips = ((*word.span(), _slipped(word.group(), rng, keys)) for word in drawn(rng, long_words))
    return edited(text, islice(slips, wanted))


def _slipped(word: str, rng: Random, keys: Mapping[str, str]) -> str:
    """Return a word with one typing error between its first and its last letter.

    A vowel is only replaced with a consonant, and a consonant with a vowel, so that the result is not a different word.
    If the kind of error that was drawn is impossible, a letter is replaced. If that is impossible, too, the word is
    returned unchanged.
    """
    kind, position = one_of(("swapped", "doubled", "replaced"), rng), rng.random()
    inner = range(1, len(word) - 1)
    swaps = [i for i in inner[:-1] if word[i] != word[i + 1]]
    if kind == "swapped" and swaps:
        place = swaps[int(position * len(swaps))]
        return word[:place] + word[place + 1] + word[place] + word[place + 2 :]
    # Only letters have neighbouring keys; one that is doubled already is left alone.
    singles = [i for i in inner if word[i] in keys and word[i] not in (word[i - 1], word[i + 1])]
    if kind == "doubled" and singles:
        place = singles[int(position * len(singles))]
        return word[:place] + word[place] + word[place:]
    slips = [(i, key) for i in inner for key in keys.get(word[i], "") if (key in _VOWELS) != (word[i] in _VOWELS)]
    if not slips:
        return word
    place, key = slips[int(position * len(slips))]
    return word[:place] + key + word[place + 1 :]


@typing_noise("ocr-noise", says="{letters} misread as text recognition does", languages=LATIN)
def ocr_noise(text: str, rng: Random, *, share: Share = 0.1, protected: tuple[str, ...] = ()) -> str:
    """Replace some of the letters with letters that optical character recognition confuses with them.

    >>> ocr_noise("The film was a quiet joy.", Random(1))
    'Tho film was a qulet joy.'
    """
    return _edit_letters(text, rng, share, protected, lambda letter: one_of(_OCR[letter], rng), _OCR)


@transformation("upper-case", capability="case", says="{letters} in upper case", languages=CASED)
def upper_case(
    text: str,
    rng: Random,
    *,
    share: Share = 1.0,
    unit: Literal["prefix", "words", "characters"] = "prefix",
    protected: tuple[str, ...] = (),
) -> str:
    """Write part of the text in upper case: its first characters, random words, or random letters.

    By default, the share refers to the first characters of the text, because this involves no random choice.

    >>> upper_case("The film was a quiet joy.", Random(1), share=0.5)
    'THE FILM WAS a quiet joy.'
    >>> upper_case("The film was a quiet joy.", Random(1), share=0.5, unit="words")
    'THE film was A QUIET joy.'
    """
    if unit == "words":
        return edited(text, choose_edits(words(text, protected), rng, share, lambda word, _: word.upper()))
    if unit == "characters":
        return _edit_letters(text, rng, share, protected, str.upper)
    if not any(map(str.isalpha, text)):
        return text
    end, spans = whole_part(share, len(text)), protected_spans(text, protected)
    return "".join(c.upper() if i < end and is_free(i, i + 1, spans) else c for i, c in enumerate(text))


@transformation("lower-case", capability="case", says="{letters} in lower case", languages=CASED)
def lower_case(text: str, *, protected: tuple[str, ...] = ()) -> str:
    """Write the whole text in lower case.

    >>> lower_case("The Film was a JOY in Rome.", protected=("Rome",))
    'the film was a joy in Rome.'
    """
    spans = protected_spans(text, protected)
    if not spans:
        return text.lower()  # a Greek sigma at the end of a word has a form of its own
    return "".join(c.lower() if is_free(i, i + 1, spans) else c for i, c in enumerate(text))


@typing_noise(
    "write-letters", says="letters written as on a keyboard that lacks them", languages=needing("speech.letters")
)
def write_letters(text: str, written_in: str = "en") -> str:
    """Write letters as people do if their keyboard lacks them: "ae" for "ä". Other letters are left unchanged.

    >>> write_letters("Grüße aus Köln, Österreich!", "de")
    'Gruesse aus Koeln, Oesterreich!'
    """
    if not Language(written_in).has("speech.letters"):
        return text
    return text.translate(str.maketrans(dict(language_tables("speech", written_in)["letters"])))
