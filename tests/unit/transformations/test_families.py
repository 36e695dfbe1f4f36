"""The six families: every kind of edit can be reached, parameters decide everything, protected text survives."""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mutatis.core.errors import UsageError
from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.rltest4chatbot.actions import FAMILIES
from mutatis.text.embedder import embedder_is_installed
from mutatis.transformations import single_edits
from mutatis.transformations.single_edits import (
    char_drop,
    char_insert,
    char_replace,
    fillers,
    nearest_words,
    word_drop,
    word_insert,
    word_replace,
)

TEXT = "I need a huge room in the north, near my friend."


def test_the_families_declare_what_actions_hold() -> None:
    for name, parameters in FAMILIES.items():
        declared = {p.name: p for p in TRANSFORMATIONS[name].parameters}
        assert set(declared) - {"protect", "model", "vectors", "synonyms"} == set(parameters)
        assert all((declared[p].low, declared[p].high) == (0.0, 1.0) for p in parameters)


# One parameter setting per kind of edit, worked out by hand on TEXT.
@pytest.mark.parametrize(
    ("operator", "position", "character", "made"),
    [
        (0.0, 0.0, 0.0, "II need"),
        (0.4, 0.0, 0.0, "Ia need"),
        (0.9, 0.0, 0.0, "I. need"),
    ],
)
def test_char_insert(operator: float, position: float, character: float, made: str) -> None:
    assert char_insert(TEXT, position=position, operator=operator, character=character) == TEXT.replace("I need", made)


@pytest.mark.parametrize(
    ("operator", "position", "made"),
    [
        (0.0, 0.0, TEXT[1:]),
        (0.3, 0.0, TEXT.replace("I need", "Ineed")),
        (0.6, 0.0, TEXT[1:]),
        (0.6, 0.1, TEXT.replace("need", "ned")),
        (0.9, 0.0, TEXT.replace(",", "")),
        (0.9, 1.0, TEXT[:-1]),
    ],
)
def test_char_drop(operator: float, position: float, made: str) -> None:
    assert char_drop(TEXT, position=position, operator=operator) == made


@pytest.mark.parametrize(
    ("operator", "text", "character", "made"),
    [
        (0.0, "e", 0.0, "é"),
        (0.2, "Q", 0.0, "W"),  # w is the first neighbour of q on QWERTY
        (0.2, "a", 0.0, "q"),
        (0.4, "a", 0.0, "z"),  # on AZERTY, a stands where q stands on QWERTY
        (0.6, "a", 0.0, "b"),
        (0.6, "b", 0.0, "a"),
        (0.9, "ab", 0.5, "ba"),
        (0.9, "aab", 0.0, "aba"),  # swapping equal letters would change nothing
    ],
)
def test_char_replace(operator: float, text: str, character: float, made: str) -> None:
    assert char_replace(text, position=0.0, operator=operator, character=character) == made


@pytest.mark.parametrize(
    ("operator", "word", "made"), [(0.0, 0.0, "I 🙂 need"), (0.4, 0.0, "I I need"), (0.9, 0.0, "I a need")]
)
def test_word_insert(operator: float, word: float, made: str) -> None:
    assert word_insert(TEXT, position=0.0, operator=operator, word=word) == TEXT.replace("I need", made)


def test_word_drop() -> None:
    assert word_drop(TEXT, position=1.0, operator=0.0) == TEXT.replace(" my friend", " friend")  # the last stop word
    assert word_drop(TEXT, position=1.0, operator=1.0) == TEXT.replace(" friend", "")
    assert word_drop(TEXT, position=0.0, operator=1.0) == TEXT[2:]
    assert word_drop("I do not", position=1.0, operator=0.0) == "I not"  # "not" is no stop word to be dropped


def test_word_replace() -> None:
    assert word_replace(TEXT, position=1.0, operator=0.0, word=0.0) == TEXT.replace("friend", "freind")
    made = word_replace("A huge room", position=0.0, operator=1.0, word=0.0)
    assert made.split()[1] in {"enormous", "immense", "gigantic", "massive", "vast"}


@pytest.mark.parametrize("name", list(FAMILIES))
def test_every_kind_of_edit_changes_a_text_that_has_room_for_it(name: str) -> None:
    """In the thesis' code two kinds of char-replace and two of word-drop were out of reach."""
    kinds = {"char-insert": 3, "char-drop": 4, "char-replace": 5, "word-insert": 3, "word-drop": 2, "word-replace": 2}
    apply = TRANSFORMATIONS[name].apply
    third = dict.fromkeys(FAMILIES[name][2:], 0.0)
    operators = [(kind + 0.5) / kinds[name] for kind in range(kinds[name])]
    reached = {apply(TEXT, position=0.7, operator=operator, **third) for operator in operators}
    assert TEXT not in reached
    assert len(reached) == kinds[name]


@pytest.mark.parametrize("name", list(FAMILIES))
@pytest.mark.parametrize("text", ["", " ", "\n"])
def test_an_empty_turn_stays(name: str, text: str) -> None:
    assert TRANSFORMATIONS[name].apply(text) == text


@pytest.mark.parametrize("text", ["yes", "x", "🙂", "東京まで", "да, спасибо", "17:15", "न"])
@pytest.mark.parametrize("name", list(FAMILIES))
@pytest.mark.parametrize("operator", [0.0, 0.3, 0.5, 0.7, 1.0])
def test_short_turns_and_other_scripts_stay_texts(name: str, text: str, operator: float) -> None:
    made = TRANSFORMATIONS[name].apply(text, operator=operator)
    assert made.strip()
    made.encode("utf-8")


@given(
    position=st.floats(0, 1),
    operator=st.floats(0, 1),
    third=st.floats(0, 1),
    name=st.sampled_from(list(FAMILIES)),
)
def test_protected_values_survive(position: float, operator: float, third: float, name: str) -> None:
    given_ = dict(zip(FAMILIES[name], (position, operator, third), strict=False))
    text = "a room in Rome at 17:15 please"
    made = TRANSFORMATIONS[name].apply(text, **given_, protected=("Rome", "17:15"))
    assert "Rome" in made
    assert "17:15" in made


def test_models_are_offered_only_where_they_are_named(tmp_path: Path) -> None:
    vectors = tmp_path / "vectors.txt"
    vectors.write_text("3 2\nroom 1 0\nsuite 0.9 0.1\nnorth 0 1\n", encoding="utf-8")
    assert nearest_words(str(vectors), "room") == ("suite",)
    assert word_replace("a room", operator=1.0, vectors=str(vectors)) == "a suite"
    assert word_replace("a room", operator=1.0) != "a suite"
    assert word_replace("a boat", operator=1.0, vectors=str(vectors)) == "a boat"
    with pytest.raises(UsageError, match="no such file"):
        word_replace("a room", operator=1.0, vectors=str(tmp_path / "none.txt"))
    vectors.write_text("room 1 0\nsuite x\n", encoding="utf-8")
    nearest_words.cache_clear()
    from mutatis.transformations import single_edits

    single_edits._vectors.cache_clear()
    with pytest.raises(UsageError, match="line 2: expected a word followed by numbers"):
        word_replace("a room", operator=1.0, vectors=str(vectors))


def test_neighbours_by_minilm() -> None:
    if not embedder_is_installed():
        pytest.skip("the semantic extra is not installed")
    near = nearest_words("minilm", "huge")
    assert {"enormous", "gigantic"} & set(near)
    assert nearest_words("minilm", "zzzz") == ()


PIECES = ("<cls>", "[MASK]", "a", "room", "##ing", "\u0120big", "7", "\u2581cosy", "big")
LIKELIEST = ("<cls>", "##ing", "\u0120big", "7", "\u2581cosy", "big", "room")


class Masked:
    """As transformers gives tokenizer and model: the masked place alone has the scores of `LIKELIEST`."""

    mask_token, mask_token_id, all_special_ids = "[MASK]", 1, (0, 1)

    def __call__(self, *texts: str, **told: Any) -> Any:
        import torch

        if texts:
            assert texts == ("a [MASK] room",)  # `fillers` is asked for the place between "a" and " room"
            return {"input_ids": torch.tensor([[0, 2, 1, 3]])}
        scores = torch.zeros(*told["input_ids"].shape, len(PIECES))
        scores[0, 2] = torch.tensor([LIKELIEST.index(p) if p in LIKELIEST else 99 for p in PIECES]).neg()
        return SimpleNamespace(logits=scores)

    def convert_ids_to_tokens(self, number: int) -> str:
        return PIECES[number]

    def eval(self) -> Masked:
        return self


def test_a_masked_language_model_proposes_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in: transformers takes seconds to import, and `test_trade_training` asks a real model."""
    pytest.importorskip("torch")

    def from_pretrained(name: str) -> Masked:
        if name == "nowhere":
            raise OSError("no file named config.json")
        return Masked()

    auto = SimpleNamespace(from_pretrained=from_pretrained)
    library = ModuleType("transformers")
    library.__spec__ = ModuleSpec("transformers", None)
    library.__dict__.update(AutoTokenizer=auto, AutoModelForMaskedLM=auto)
    monkeypatch.setitem(sys.modules, "transformers", library)
    # Neither special tokens, nor numbers, nor the inside of a word; a blank's mark is no letter, and "big" counts once.
    assert fillers("stand-in", "a", " room")[:3] == ("big", "cosy", "room")
    made = word_insert("a room", position=0.0, operator=1.0, word=0.0, model="stand-in")
    assert made == "a big room"
    with pytest.raises(UsageError, match="cannot be loaded: no file named config"):
        word_insert("a room", operator=1.0, model="nowhere")


def test_synonyms_come_from_wordnet_where_that_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(single_edits, "synonyms_of", lambda word: {"taxi": ("cab",)}.get(word, ()))
    assert word_replace("call a taxi", operator=1.0, synonyms="wordnet") == "call a cab"
    assert word_replace("this huge room", operator=1.0, synonyms="wordnet") == "this huge room"  # not the lexicon's
