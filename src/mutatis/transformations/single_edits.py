"""Inserts, drops or replaces one character or one word, as set by the parameters (RLTest4Chatbot, 2.1.1).

Every parameter is a number from 0 to 1. `operator` selects the kind of edit, `position` its place among the possible
ones, and `character` or `word` what to write. Language models and word vectors are used only if they are named, so that
it is clear which edits come from a model. A text without a possible place is left unchanged, and the last remaining
character or word is never removed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from mutatis.core.errors import MissingExtra, UsageError
from mutatis.core.extras import require
from mutatis.core.languages import ALPHABETS, ENGLISH, LATIN
from mutatis.core.parameters import Share
from mutatis.core.transformation import transformation
from mutatis.languages import word_set
from mutatis.text import embedder
from mutatis.text.normalisation import like
from mutatis.transformations import lexicon
from mutatis.transformations.pieces import edited, is_free, protected_spans
from mutatis.transformations.wordnet import synonyms_of
from mutatis.transformations.words import misspellings_of

KINDS: Mapping[str, tuple[str, ...]] = {
    "char-insert": ("repeat", "letter", "punctuation"),
    "char-drop": ("any", "blank", "vowel", "punctuation"),
    "char-replace": ("diacritic", "qwerty", "azerty", "letter", "swap"),
    "word-insert": ("emoji", "repeat", "stop-word"),
    "word-drop": ("stop-word", "any"),
    "word-replace": ("misspelling", "synonym"),
}
"""Kinds of edits, by transformation. Each takes an equal part of `operator`'s range from 0 to 1, in this order."""

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
    """Return the positions that fit and begin `width` unprotected characters."""
    spans = protected_spans(text, protected)
    return [i for i in range(len(text)) if fits(i) and is_free(i, i + width, spans)]


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
    place, kind = at(position, places), at(operator, KINDS["char-insert"])
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
        "punctuation": lambda i: not (text[i].isalnum() or text[i].isspace()),
    }
    places = _places(text, protected, fits[at(operator, KINDS["char-drop"])])
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
    kind = at(operator, KINDS["char-replace"])
    if kind == "swap":
        return _swapped(text, position, protected)
    tables = {"diacritic": _DIACRITICS, "qwerty": lexicon.keyboard("en"), "azerty": lexicon.keyboard("fr")}
    places = _places(text, protected, lambda i: text[i] in tables[kind] if kind in tables else text[i].isalpha())
    if not places:
        return text
    place = at(position, places)
    old = text[place]
    new = at(character, tables[kind][old] if kind in tables else ALPHABET.replace(old.lower(), ""))
    return edited(text, [(place, place + 1, new.upper() if old.isupper() else new)])


def _swapped(text: str, position: float, protected: Sequence[str]) -> str:
    """Return a text with two different neighbouring letters swapped, or unchanged if there are no such letters."""

    def fits(i: int) -> bool:
        return i + 1 < len(text) and text[i].isalpha() and text[i + 1].isalpha() and text[i] != text[i + 1]

    places = _places(text, protected, fits, width=2)
    if not places:
        return text
    place = at(position, places)
    return edited(text, [(place, place + 2, text[place + 1] + text[place])])


MASKED, NEIGHBOUR = "masked-language-model", "neighbour"
"""Kinds of edits made by models. They take the last part of `operator`'s range from 0 to 1."""

EMOJI = ("🙂", "😀", "😊", "😂", "😉", "😍", "🤔", "😅", "👍", "🙏", "🎉", "✨", "🔥", "❤️", "🚕", "🏨")
STOP_WORDS = tuple("a the of to in on at and so just well then also very really now here there please okay".split())
"""Words that may be inserted. They do not negate, compare or count."""

PROPOSED = 10
"""Maximum number of words that a model proposes for one place, best first."""

OWN_WORDS = "minilm"
"""Name of the package's own words with their MiniLM embeddings, given in place of a file of vectors."""
_NEAR = 0.5
"""Minimum cosine similarity of two words that may replace each other."""

_NEGATIONS = frozenset({"not", "no", "nor", "never", "none", "neither", "without", "cannot", "nothing", "nobody"})
_TOKEN = re.compile(r"\w+(?:['\u2019.:-]\w+)*")


def _tokens(text: str, protected: Sequence[str]) -> list[re.Match[str]]:
    """Return the unprotected words and numbers in a text."""
    spans = protected_spans(text, protected)
    return [match for match in _TOKEN.finditer(text) if is_free(*match.span(), spans)]


@transformation("word-insert", capability="added text", says="{words} added", languages=ENGLISH)
def word_insert(
    text: str,
    *,
    position: Share = 0.5,
    operator: Share = 0.0,
    word: Share = 0.5,
    model: str = "",
    protected: tuple[str, ...] = (),
) -> str:
    """Insert a word after another: an emoji, the same word, a stop word, or a language model's suggestion.

    `position`, `operator` and `word` choose the place, the kind and the new word: 0 is the first of a list, 1 the last.
    `model` is a folder or hub name of a masked language model. Nothing is suggested without a model.

    >>> [word_insert("a cheap room", operator=kind) for kind in (0, 0.5, 1)]
    ['a cheap 👍 room', 'a cheap cheap room', 'a cheap well room']
    """
    tokens = _tokens(text, protected)
    if not tokens:
        return text
    before = at(position, tokens)
    kind = at(operator, (*KINDS["word-insert"], MASKED) if model else KINDS["word-insert"])
    end = before.end()
    choices: Sequence[str]
    if kind == MASKED:
        choices = fillers(model, text[:end], text[end:])
    elif kind == "repeat":
        choices = (before.group(),)
    else:
        choices = EMOJI if kind == "emoji" else STOP_WORDS
    return edited(text, [(end, end, f" {at(word, choices)}")]) if choices else text


@transformation("word-drop", capability="lost or exchanged key words", says="{words} dropped", languages=ENGLISH)
def word_drop(text: str, *, position: Share = 0.5, operator: Share = 0.0, protected: tuple[str, ...] = ()) -> str:
    """Drop one word and the space next to it: either any word, or a stop word that is not a negation.

    >>> word_drop("I need a cheap room", position=0.9), word_drop("I need a cheap room", operator=1)
    ('I need cheap room', 'I need cheap room')
    """
    tokens = _tokens(text, protected)
    if at(operator, KINDS["word-drop"]) == "stop-word":
        stop = word_set("function_words") - _NEGATIONS
        tokens = [match for match in tokens if match.group().lower() in stop]
    if not tokens or len(_TOKEN.findall(text)) == 1:
        return text
    start, end = at(position, tokens).span()
    if text[start - 1 : start].isspace() and start:
        start -= 1
    elif text[end : end + 1].isspace():
        end += 1
    return edited(text, [(start, end, "")])


@transformation("word-replace", capability="wording", says="{words} replaced", languages=ENGLISH)
def word_replace(
    text: str,
    *,
    position: Share = 0.5,
    operator: Share = 0.0,
    word: Share = 0.5,
    synonyms: Literal["lexicon", "wordnet"] = "lexicon",
    vectors: str = "",
    protected: tuple[str, ...] = (),
) -> str:
    """Replace one word with a common misspelling, with a synonym in the same form, or with a similar word.

    `position`, `operator` and `word` choose the old word, the kind and the new word: 0 is the first of a list, 1 the
    last. `synonyms` come from the package's own lexicon or from WordNet. `vectors` is a text file of word vectors (one
    word and its numbers per line), or "minilm" for the package's own words with their MiniLM embeddings. Without
    `vectors`, similar words are not used.

    >>> word_replace("I believe you"), word_replace("this huge room", operator=1)
    ('I beleive you', 'this immense room')
    """
    kind = at(operator, (*KINDS["word-replace"], NEIGHBOUR) if vectors else KINDS["word-replace"])

    def replacements(old: str) -> Sequence[str]:
        if kind == "misspelling":
            return misspellings_of(old)
        if kind == NEIGHBOUR:
            return nearest_words(vectors, old)
        return synonyms_of(old) if synonyms == "wordnet" else lexicon.synonyms().get(old, ())

    tokens = [(match, replacements(match.group().lower())) for match in _tokens(text, protected)]
    replaceable = [(match, words) for match, words in tokens if words]
    if not replaceable:
        return text
    match, words = at(position, replaceable)
    # "a" and "an" before the word stay as they are: one edit changes one word.
    return edited(text, [(match.start(), match.end(), like(match.group(), at(word, words)))])


@lru_cache(maxsize=2)
def _masked_model(name: str) -> tuple[Any, Any]:
    """Return the tokenizer and the model of a folder or hub name. The last two are kept."""
    require("transformers", "a masked language model", "transformers", "torch")
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    try:
        tokenizer = AutoTokenizer.from_pretrained(name)
        model = AutoModelForMaskedLM.from_pretrained(name).eval()
    except (OSError, ValueError, RuntimeError) as error:
        why = " ".join(str(error).split())[:200]
        raise UsageError(f"masked language model {name!r} cannot be loaded: {why}") from None
    if tokenizer.mask_token is None:
        raise UsageError(f"masked language model {name!r} has no mask token; expected a model such as BERT")
    return tokenizer, model


@lru_cache(maxsize=4096)
def fillers(name: str, before: str, after: str) -> tuple[str, ...]:
    """Return the words that a masked language model predicts between two texts, most likely first.

    Raises:
        MissingExtra: transformers or torch is not installed.
        UsageError: the model cannot be loaded or is not a masked language model.
    """
    import torch

    tokenizer, model = _masked_model(name)
    encoded = tokenizer(f"{before} {tokenizer.mask_token}{after}", return_tensors="pt", truncation=True)
    masked_places = (encoded["input_ids"][0] == tokenizer.mask_token_id).nonzero()
    if not len(masked_places):
        return ()  # the text was longer than the model reads
    with torch.inference_mode():
        scores = model(**encoded).logits[0, int(masked_places[0])]
    words: list[str] = []
    # Many of the most likely tokens are no words.
    for token_id in scores.argsort(descending=True)[: 20 * PROPOSED].tolist():
        # Some tokenizers mark the space before a word by a character at its beginning.
        word = tokenizer.convert_ids_to_tokens(token_id).lstrip("\u0120\u2581")
        if word.isalpha() and token_id not in tokenizer.all_special_ids:
            words.append(word)
    return tuple(dict.fromkeys(words))[:PROPOSED]


@lru_cache(maxsize=2)
def _vectors(source: str) -> tuple[tuple[str, ...], dict[str, int], NDArray[np.float32]]:
    """Return the words of a file of vectors (or `OWN_WORDS`), the row of each, and the rows, all of length one."""
    if source == OWN_WORDS:
        if not embedder.embedder_is_installed():
            raise MissingExtra("word vectors of MiniLM", "semantic")
        words = tuple(sorted({*lexicon.synonyms(), *lexicon.antonyms(), *word_set("neutral")}))
        rows = embedder.embed(words)
    else:
        words, rows = _read(Path(source))
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return words, {word: place for place, word in enumerate(words)}, rows / np.maximum(lengths, 1e-9)


def _read(path: Path) -> tuple[tuple[str, ...], NDArray[np.float32]]:
    if not path.is_file():
        raise UsageError(f"word vectors {str(path)!r}: no such file; expected a text file of vectors or {OWN_WORDS!r}")
    words: list[str] = []
    rows: list[list[float]] = []
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1):
        word, *numbers = line.split()
        if number == 1 and len(numbers) == 1:
            continue  # in the format of word2vec, the first line states the number and the length of the vectors
        try:
            row = [float(value) for value in numbers]
        except ValueError:
            raise UsageError(f"{path}: line {number}: expected a word followed by numbers") from None
        if not row or (rows and len(row) != len(rows[0])):
            raise UsageError(f"{path}: line {number}: found {len(row)} numbers; expected the same number on every line")
        words.append(word)
        rows.append(row)
    if not rows:
        raise UsageError(f"{path}: the file contains no vectors; expected a word followed by numbers on every line")
    return tuple(words), np.asarray(rows, dtype=np.float32)


@lru_cache(maxsize=4096)
def nearest_words(source: str, word: str) -> tuple[str, ...]:
    """Return the words most similar to a word (cosine of at least 0.5), most similar first.

    An unknown word yields an empty tuple.

    Raises:
        MissingExtra: MiniLM was requested but is not installed.
        UsageError: the file of vectors cannot be read.
    """
    words, row_of, rows = _vectors(source)
    if word not in row_of:
        return ()
    scores = rows @ rows[row_of[word]]
    best = np.argsort(-scores, kind="stable")[: PROPOSED + 1]  # the word itself is usually the first
    return tuple(words[row] for row in best if words[row] != word and scores[row] >= _NEAR)[:PROPOSED]
