"""Words that trained models propose: predictions of a masked language model, and similar words.

Optional: used only if a model or a file of vectors is named.
"""

from __future__ import annotations

import importlib.util
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mutatis.core.errors import MissingExtra, UsageError
from mutatis.languages import word_set
from mutatis.text import embedder
from mutatis.transformations import lexicon

PROPOSED = 10
"""Number of words that a model proposes for one place, best first."""

OWN_WORDS = "minilm"
_NEAR = 0.5


@lru_cache(maxsize=2)
def _masked_model(name: str) -> tuple[Any, Any]:
    if importlib.util.find_spec("transformers") is None or importlib.util.find_spec("torch") is None:
        raise MissingExtra("a masked language model", "transformers")
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    try:
        tokenizer = AutoTokenizer.from_pretrained(name)
        model = AutoModelForMaskedLM.from_pretrained(name).eval()
    except (OSError, ValueError, RuntimeError) as error:
        why = " ".join(str(error).split())[:200]
        raise UsageError(f"masked language model {name!r} cannot be loaded: {why}") from None
    if tokenizer.mask_token is None:
        raise UsageError(f"masked language model {name!r} has no mask token; expected one such as BERT")
    return tokenizer, model


@lru_cache(maxsize=4096)
def fillers(name: str, before: str, after: str) -> tuple[str, ...]:
    """Return the words that a masked language model predicts between two texts, most likely first.

    Raises:
        MissingExtra: transformers or torch is not installed.
        UsageError: the model cannot be loaded or is of another kind.
    """
    import torch

    tokenizer, model = _masked_model(name)
    encoded = tokenizer(f"{before} {tokenizer.mask_token}{after}", return_tensors="pt", truncation=True)
    places = (encoded["input_ids"][0] == tokenizer.mask_token_id).nonzero()
    if not len(places):
        return ()
    with torch.inference_mode():
        scores = model(**encoded).logits[0, int(places[0])]
    words: list[str] = []
    for number in scores.argsort(descending=True)[: 20 * PROPOSED].tolist():
        # Some tokenizers keep the blank before a word as a mark of its own.
        word = tokenizer.convert_ids_to_tokens(number).lstrip("\u0120\u2581")
        if word.isalpha() and number not in tokenizer.all_special_ids:
            words.append(word)
    return tuple(dict.fromkeys(words))[:PROPOSED]


@lru_cache(maxsize=2)
def _vectors(source: str) -> tuple[tuple[str, ...], dict[str, int], NDArray[np.float32]]:
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
            continue  # word2vec's own text form begins with how many there are
        try:
            row = [float(value) for value in numbers]
        except ValueError:
            raise UsageError(f"{path}: line {number}: expected a word and its numbers") from None
        if not row or (rows and len(row) != len(rows[0])):
            raise UsageError(f"{path}: line {number}: has {len(row)} numbers; expected as many in every line")
        words.append(word)
        rows.append(row)
    if not rows:
        raise UsageError(f"{path}: no vectors; expected a word and its numbers in every line")
    return tuple(words), np.asarray(rows, dtype=np.float32)


@lru_cache(maxsize=4096)
def nearest_words(source: str, word: str) -> tuple[str, ...]:
    """Return the words nearest to a word (cosine of at least 0.5), nearest first; empty for an unknown word.

    Raises:
        MissingExtra: MiniLM was requested but is not installed.
        UsageError: the file of vectors cannot be read.
    """
    words, places, rows = _vectors(source)
    if word not in places:
        return ()
    scores = rows @ rows[places[word]]
    order = np.argsort(-scores, kind="stable")[: PROPOSED + 1]
    return tuple(words[place] for place in order if words[place] != word and scores[place] >= _NEAR)[:PROPOSED]
