"""Sentence embeddings by a BERT encoder with mean pooling, in numpy: all-MiniLM-L6-v2 without torch.

What reads such weights otherwise needs torch (sentence-transformers) or an ONNX file (onnxruntime), which no package
carries. A text's vector is the same to the bit whatever it is embedded with: nothing is padded, so texts share only
products of matrices, whose rows a BLAS works out alike however many there are (from two on). Must not know what the
embeddings are used for.
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
"""Tokens of a batch: it needs about 15 kB for each, beside the weights."""
LEAST = 512
"""Tokens that are worth a thread of their own."""
THREADS = 4
"""Batches at the same time, at most."""
ROWS = 256
"""Tokens for which the wide layer is worked out at a time; of their numbers, 16 rows stay in a core's cache."""
SCORES = 16_384
"""Numbers of one head's attention at a time: all of a text's, and those of more texts where they are short."""

# erf(x / sqrt(2)) is c * P(c * c) / Q(c * c) to 3e-7, where c is x no further from 0 than 4 * sqrt(2): the coefficients
# of Eigen and XLA for erf(x), the highest power first. scipy.special.erf takes some ten times as long.
_ABOVE = (-2.72614225801306e-10, 2.77068142495902e-08, -2.10102402082508e-06, -5.69250639462346e-05,
          -7.34990630326855e-04, -2.95459980854025e-03, -1.60960333262415e-02)  # fmt: skip
_BELOW = (-1.45660718464996e-05, -2.13374055278905e-04, -1.68282697438203e-03, -7.37332916720468e-03,
          -1.42647390514189e-02)  # fmt: skip
_BOUND = np.float32(4 * np.sqrt(2))
_P = [np.float32(number / 2 ** (6 - place + 0.5)) for place, number in enumerate(_ABOVE)]
_Q = [np.float32(number / 2 ** (4 - place)) for place, number in enumerate(_BELOW)]


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderConfig:
    """The shape of a BERT encoder.

    Attributes:
        layers: how many there are.
        heads: of attention in each layer.
        epsilon: what layer normalisation adds to a variance.
        reads: the most tokens of a text that are read, with those that begin and end it.
    """

    layers: int
    heads: int
    epsilon: float
    reads: int


class SentenceEncoder:
    """A BERT encoder with mean pooling, its weights and its tokenizer.

    Args:
        folder: as sentence-transformers writes it: `model.safetensors`, `tokenizer.json` and the model's `config`.
        config: of the model, as `text.sentence_models` reads it.
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

    def encode(self, texts: Sequence[str]) -> Array:
        """Return unit vectors of the texts, one row each; a long text is read as far as the model reads."""
        pieces = [np.array(encoding.ids) for encoding in self._tokenizer.encode_batch_fast(list(texts))]
        vectors = np.empty((len(pieces), self._words.shape[1]), np.float32)

        def fill(batch: Sequence[int]) -> None:
            vectors[batch] = self._vectors([pieces[number] for number in batch])

        # A BLAS's own threads wait for one another many times per layer, busily: with other processes on the cores
        # they took four times as long as one of them alone.
        with self._blas.held(), ThreadPoolExecutor(self._threads) as threads:
            for _ in threads.map(fill, _batches(list(map(len, pieces)), self._threads)):
                pass
        return vectors

    def _vectors(self, pieces: Sequence[NDArray[np.int64]]) -> Array:
        """Return the vectors of texts that are ordered by length; the rows of `states` are all tokens of all texts."""
        spans, start = [], 0
        for length, alike in groupby(map(len, pieces)):
            spans.append((start, stop := start + length * len(list(alike)), length))
            start = stop
        states = self._words[np.concatenate(pieces)]
        states += self._places[np.concatenate([np.arange(len(ids)) for ids in pieces])]
        self._norm.apply(states)
        for layer in self._layers:
            layer.apply(states, spans)
        means = [states[first:last].reshape(-1, length, states.shape[1]).mean(1) for first, last, length in spans]
        mean: Array = np.concatenate(means)
        mean /= np.maximum(np.sqrt((mean * mean).sum(1, keepdims=True)), np.float32(1e-12))
        return mean


def _batches(lengths: Sequence[int], threads: int) -> Iterator[list[int]]:
    """Yield the numbers of texts, the shortest first, as many at a time as `TOKENS` allows, or leave work for all."""
    most = min(TOKENS, max(LEAST, sum(lengths) // threads))
    batch: list[int] = []
    filled = 0
    for number in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and filled + lengths[number] > most:
            yield batch
            batch, filled = [], 0
        batch.append(number)
        filled += lengths[number]
    if batch:
        yield batch


class _Norm:
    """Layer normalisation of rows."""

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
    """One layer: attention within each text, then the wide layer, each added to what came in and normalised."""

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

    def apply(self, states: Array, spans: Sequence[tuple[int, int, int]]) -> None:
        """Change the states of texts; a span is its first row, the row after its last, and its texts' length."""
        projected = _times(states, self._into)
        context = np.empty_like(states)
        for first, last, length in spans:
            step = max(1, SCORES // length**2) * length
            for start in range(first, last, step):
                stop = min(start + step, last)
                context[start:stop] = self._attended(projected[start:stop], length)
        states += _times(context, self._out)
        self._between.apply(states)
        for part in np.array_split(states, -(-len(states) // ROWS)):  # equal parts, so that none is a single row
            inner = _times(part, self._wide)
            for start in range(0, len(inner), 16):
                _twice_gelu(inner[start : start + 16])
            part += _times(inner, self._narrow)
        self._after.apply(states)

    def _attended(self, rows: Array, length: int) -> Array:
        queries, keys, values = rows.reshape(-1, length, 3, self._heads, rows.shape[1] // 3 // self._heads).transpose(
            2, 0, 3, 1, 4
        )
        scores = queries @ keys.transpose(0, 1, 3, 2)
        scores -= scores.max(-1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(-1, keepdims=True)
        context: Array = (scores @ values).transpose(0, 2, 1, 3).reshape(len(rows), -1)
        return context


def _linear(weights: Weights, name: str) -> tuple[Array, Array]:
    return np.ascontiguousarray(weights[f"{name}.weight"].T), weights[f"{name}.bias"]


def _times(rows: Array, linear: tuple[Array, Array]) -> Array:
    result: Array = rows @ linear[0]
    result += linear[1]
    return result


def _twice_gelu(rows: Array) -> None:
    """Make each x of the rows x * (1 + erf(x / sqrt(2))), in place."""
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
