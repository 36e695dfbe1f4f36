"""Embeds sentences with a BERT encoder and mean pooling in numpy, so that all-MiniLM-L6-v2 does not need torch.

The vector of a text is the same to the last bit, whatever other texts are embedded with it. A BLAS may round the last
rows of a product differently, so the rows of each text are padded to a multiple of a size that prevents this
(`_slot_of`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from mutatis.text.blas import shared_limit

Array: TypeAlias = NDArray[np.float32]
Weights: TypeAlias = Mapping[str, Array]

WEIGHTS, TOKENIZER = "model.safetensors", "tokenizer.json"

TOKENS = 2048
"""Maximum number of tokens per batch. Each token needs about 15 kB in addition to the weights."""
LEAST = 512
"""Minimum number of tokens that makes a further thread worthwhile."""
THREADS = 4
"""Maximum number of batches processed at the same time."""
ROWS = 240
"""Maximum number of rows per matrix product. It is a multiple of every slot size.

Sixteen rows of the wide layer fit in a core's cache.
"""
SLOTS = (1, 2, 4, 6, 8, 12, 16, 24, 48)
"""Slot sizes to try. OpenBLAS needs 1 on SkylakeX, Sandybridge and Nehalem, 2 on Prescott, 12 on Haswell and Zen."""
SIZES = (2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 16, 17, 24, 31, 36, 48, ROWS)
"""Numbers of rows in the products that test a slot size. Only multiples of the slot size are used."""
SCORES = 16_384
"""Number of attention scores per head computed at a time: the scores of one text, or of several short ones."""

# erf(x / sqrt(2)) is c * P(c * c) / Q(c * c) to 3e-7, where c is x no further from 0 than 4 * sqrt(2): the coefficients
# of Eigen and XLA for erf(x), the highest power first. scipy.special.erf takes some ten times as long.
_ABOVE = (-2.72614225801306e-10, 2.77068142495902e-08, -2.10102402082508e-06, -5.69250639462346e-05,
          -7.34990630326855e-04, -2.95459980854025e-03, -1.60960333262415e-02)  # fmt: skip
_BELOW = (-1.45660718464996e-05, -2.13374055278905e-04, -1.68282697438203e-03, -7.37332916720468e-03,
          -1.42647390514189e-02)  # fmt: skip
_BOUND = np.float32(4 * np.sqrt(2))
# The powers of 2 carry the division by sqrt(2): half for each square of x, and one root for the factor c itself.
_P = [np.float32(number / 2 ** (6 - place + 0.5)) for place, number in enumerate(_ABOVE)]
_Q = [np.float32(number / 2 ** (4 - place)) for place, number in enumerate(_BELOW)]


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderConfig:
    """The dimensions and settings of a BERT encoder.

    Attributes:
        layers: number of layers.
        heads: number of attention heads per layer.
        epsilon: constant that layer normalisation adds to the variance.
        reads: maximum number of tokens read from a text, including the special tokens at both ends.
    """

    layers: int
    heads: int
    epsilon: float
    reads: int


class SentenceEncoder:
    """A BERT encoder with mean pooling, together with its weights and its tokenizer.

    Args:
        folder: a folder in the format of sentence-transformers, with `model.safetensors`, `tokenizer.json` and the
            model's `config`.
        config: the configuration of the model, as read by `text.embedder`.
    """

    def __init__(self, folder: Path, config: EncoderConfig) -> None:
        # Imported here: the package is used without them where no text is embedded.
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer

        weights = {name: array.astype(np.float32, copy=False) for name, array in load_file(folder / WEIGHTS).items()}
        self._words: Array = weights["embeddings.word_embeddings.weight"]
        self._places: Array = weights["embeddings.position_embeddings.weight"]
        self._places = self._places + weights["embeddings.token_type_embeddings.weight"][0]
        self._norm = _Norm(weights, "embeddings.LayerNorm", config)
        self._layers = [_Layer(weights, f"encoder.layer.{number}", config) for number in range(config.layers)]
        self._tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
        self._tokenizer.enable_truncation(config.reads)
        self._tokenizer.no_padding()
        self._blas = shared_limit()
        self._threads = min(THREADS, self._blas.threads)
        with self._blas.held():
            # Each text gets a multiple of so many rows; None if no number of rows makes the results alike.
            self._slot = _slot_of(self._layers[0].matrices) if self._layers else 1

    def encode(self, texts: Sequence[str]) -> Array:
        """Return the texts' embeddings as unit vectors, one row per text.

        Texts beyond the maximum length are truncated.
        """
        pieces = [np.array(encoding.ids) for encoding in self._tokenizer.encode_batch_fast(list(texts))]
        vectors = np.empty((len(pieces), self._words.shape[1]), np.float32)
        lengths = list(map(len, pieces))
        # Without a slot, the vector of a text depends on its batch, so each text is a batch of its own.
        most_rows = min(TOKENS, max(LEAST, sum(lengths) // self._threads)) if self._slot else 0

        def fill(batch: Sequence[int]) -> None:
            vectors[batch] = self._vectors([pieces[number] for number in batch])

        # A BLAS's own threads wait for one another many times per layer, busily: with other processes on the cores
        # they took four times as long as one of them alone.
        with self._blas.held(), ThreadPoolExecutor(self._threads) as threads:
            for _ in threads.map(fill, _batches(lengths, self._slot or 1, most_rows)):
                pass
        return vectors

    def _vectors(self, pieces: Sequence[NDArray[np.int64]]) -> Array:
        """Return the vectors of texts that are sorted by length, each given as its token ids."""
        slot, width = self._slot or 1, self._words.shape[1]
        states = np.zeros((sum(_room(len(ids), slot) for ids in pieces), width), np.float32)
        texts: list[_Texts] = []
        stop = 0
        for length, alike in groupby(pieces, len):
            ids, room = np.stack(list(alike)), _room(length, slot)
            texts.append(_Texts(first=stop, last=(stop := stop + len(ids) * room), room=room, length=length))
            texts[-1].of(states)[:] = self._words[ids] + self._places[:length]
        self._norm.apply(states)
        for layer in self._layers:
            layer.apply(states, texts, slot)
        mean: Array = np.concatenate([alike.of(states).mean(1) for alike in texts])
        mean /= np.maximum(np.sqrt((mean * mean).sum(1, keepdims=True)), np.float32(1e-12))
        return mean


@dataclass(frozen=True, slots=True, kw_only=True)
class _Texts:
    """Several texts of the same length: their range of rows, the rows reserved per text, and the tokens per text."""

    first: int
    last: int
    room: int
    length: int

    def of(self, rows: Array) -> Array:
        """Return the rows of these texts that belong to tokens, not to padding, in the shape (texts, length, width)."""
        return rows[self.first : self.last].reshape(-1, self.room, rows.shape[1])[:, : self.length]


def _room(length: int, slot: int) -> int:
    """Return the number of rows reserved for a text, rounded up to a multiple of the slot size."""
    return -(-length // slot) * slot


def _slot_of(matrices: Sequence[Array]) -> int | None:
    """Return the smallest number of rows per slot that gives equal results anywhere in a product, or None.

    A BLAS groups rows depending on the processor. The slot size is therefore found by trial: the same rows, repeated in
    products of many sizes, must give results that are equal to the last bit.
    """
    return next((slot for slot in SLOTS if all(_is_alike(matrix, slot) for matrix in matrices)), None)


def _is_alike(matrix: Array, slot: int) -> bool:
    rows = np.random.default_rng(slot).standard_normal((slot, len(matrix)), np.float32)
    repeated = np.tile(rows, (ROWS // slot, 1))
    expected = _product(repeated, matrix)[:slot]
    sizes = [size for size in SIZES if size % slot == 0]
    products = (_product(repeated[:size], matrix).reshape(-1, *expected.shape) for size in sizes)
    return all(bool((product == expected).all()) for product in products)


def _batches(lengths: Sequence[int], slot: int, most_rows: int) -> Iterator[list[int]]:
    """Yield batches of text indices, shortest texts first. A batch has at most `most_rows` rows, or one text."""
    batch: list[int] = []
    filled = 0
    for number in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and filled + _room(lengths[number], slot) > most_rows:
            yield batch
            batch, filled = [], 0
        batch.append(number)
        filled += _room(lengths[number], slot)
    if batch:
        yield batch


class _Norm:
    """Layer normalisation, applied to each row."""

    def __init__(self, weights: Weights, name: str, config: EncoderConfig) -> None:
        self._scale, self._shift = weights[f"{name}.weight"], weights[f"{name}.bias"]
        self._epsilon = np.float32(config.epsilon)

    def apply(self, rows: Array) -> None:
        rows -= rows.mean(1, keepdims=True)
        variance = np.einsum("ij,ij->i", rows, rows)[:, None] / np.float32(rows.shape[1])
        rows /= np.sqrt(variance + self._epsilon)
        rows *= self._scale
        rows += self._shift


class _Layer:
    """One layer of the encoder: attention within each text, then the feed-forward network.

    The output of each is added to its input and normalised.
    """

    def __init__(self, weights: Weights, name: str, config: EncoderConfig) -> None:
        query, key, value = (_linear(weights, f"{name}.attention.self.{part}") for part in ("query", "key", "value"))
        self._heads = config.heads
        scale = np.float32(1 / np.sqrt(query[0].shape[1] // config.heads))
        self._into = np.hstack([query[0] * scale, key[0], value[0]]), np.hstack([query[1] * scale, key[1], value[1]])
        self._out = _linear(weights, f"{name}.attention.output.dense")
        self._between = _Norm(weights, f"{name}.attention.output.LayerNorm", config)
        self._wide = _linear(weights, f"{name}.intermediate.dense")
        narrow = _linear(weights, f"{name}.output.dense")
        self._narrow = narrow[0] * np.float32(0.5), narrow[1]  # half of what `_twice_gelu` returns, to the bit
        self._after = _Norm(weights, f"{name}.output.LayerNorm", config)

    @property
    def matrices(self) -> tuple[Array, ...]:
        """The matrices of the layer that are multiplied by the rows of texts."""
        return self._into[0], self._out[0], self._wide[0], self._narrow[0]

    def apply(self, states: Array, texts: Sequence[_Texts], slot: int) -> None:
        """Update the states of texts in place. The padding rows after the tokens of a text are never read."""
        projected = np.concatenate([_times(part, self._into) for part in _parts(states, slot)])
        context = np.zeros_like(states)
        for alike in texts:
            rows, into = alike.of(projected), alike.of(context)
            step = max(1, SCORES // alike.length**2)
            for start in range(0, len(rows), step):
                into[start : start + step] = self._attended(rows[start : start + step])
        for part, attended in zip(_parts(states, slot), _parts(context, slot), strict=True):
            part += _times(attended, self._out)
            self._between.apply(part)
            inner = _times(part, self._wide)
            for start in range(0, len(inner), 16):
                _twice_gelu(inner[start : start + 16])
            part += _times(inner, self._narrow)
            self._after.apply(part)

    def _attended(self, rows: Array) -> Array:
        """Return the values of each text, weighted by attention. The rows have the shape (texts, length, 3 * width)."""
        count, length, width = rows.shape
        parts = rows.reshape(count, length, 3, self._heads, width // 3 // self._heads).transpose(2, 0, 3, 1, 4)
        queries, keys, values = parts
        scores = queries @ keys.transpose(0, 1, 3, 2)
        scores -= scores.max(-1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(-1, keepdims=True)
        context: Array = (scores @ values).transpose(0, 2, 1, 3).reshape(count, length, -1)
        return context


def _parts(rows: Array, slot: int) -> list[Array]:
    """Split the rows into nearly equal parts of whole slots, with at most `ROWS` rows each. No part is a single row."""
    slots = rows.reshape(-1, slot, rows.shape[1])
    return [part.reshape(-1, rows.shape[1]) for part in np.array_split(slots, -(-len(rows) // ROWS))]


def _linear(weights: Weights, name: str) -> tuple[Array, Array]:
    return np.ascontiguousarray(weights[f"{name}.weight"].T), weights[f"{name}.bias"]


def _times(rows: Array, linear: tuple[Array, Array]) -> Array:
    result = _product(rows, linear[0])
    result += linear[1]
    return result


def _product(rows: Array, matrix: Array) -> Array:
    result: Array = rows @ matrix
    return result


def _twice_gelu(rows: Array) -> None:
    """Replace each x in the rows with x * (1 + erf(x / sqrt(2))), in place."""
    bound = np.clip(rows, -_BOUND, _BOUND)
    square = bound * bound
    above, below = square * _P[0], square * _Q[0]
    above += _P[1]
    below += _Q[1]
    for sums, numbers in ((above, _P[2:]), (below, _Q[2:])):
        for number in numbers:
            sums *= square
            sums += number
    above *= bound
    above /= below
    above += np.float32(1)
    rows *= above
