"""Tiny models made for a test: random weights, a few words of vocabulary, a second on disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

_TEXT = """
<unk> <pad> <s> </s> a an the good bad film soup is was not very great dull who what when yes no unknown
system user assistant : . ? ! , number text sentiment answer 0 1 2 3 4 5 6 7 8 9
"""
WORDS = _TEXT.split()
CHAT = "{% for m in messages %}{{ m['role'] }} : {{ m['content'] }} </s> {% endfor %}assistant :"


LABELS = ("bad", "fair", "good")


def _tokenizer(
    folder: Path,
    *more: str,
    mark: str = "$A",
    longest: int | None = None,
    left: bool = False,
    chat: bool = False,
    **special: str,
) -> dict[str, int]:
    """Write a tokenizer of WORDS and `more`: `mark` stands around one text or a pair; return the ids of its tokens.

    Without `longest` it has no limit of its own, as a tokenizer that was saved without one.
    """
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    ids = {word: number for number, word in enumerate([*WORDS, *more])}
    inner = Tokenizer(models.WordLevel(ids, unk_token="<unk>"))
    inner.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    used = [(token, ids[token]) for token in ("<s>", "</s>", "<cls>", "<sep>") if token in mark]
    if used:
        pair = mark.replace("$A", f"$A {used[-1][0]} $B")
        inner.post_processor = processors.TemplateProcessing(single=mark, pair=pair, special_tokens=used)
    limit = {} if longest is None else {"model_max_length": longest}
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=inner, unk_token="<unk>", padding_side="left" if left else "right", **special, **limit
    )
    if chat:
        tokenizer.chat_template = CHAT
    tokenizer.save_pretrained(folder)
    return ids


def _shape(ids: dict[str, int], positions: int = 64, size: int = 32, layers: int = 2, heads: int = 4) -> dict[str, Any]:
    """Return what is said of a tiny model in the words that most families share."""
    return {
        "vocab_size": len(ids),
        "hidden_size": size,
        "intermediate_size": 2 * size,
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "max_position_embeddings": positions,
        "pad_token_id": 1,
    }


def _classes(labels: tuple[str, ...] = LABELS) -> dict[str, Any]:
    return {"id2label": dict(enumerate(labels)), "label2id": {label: number for number, label in enumerate(labels)}}


def _saved(family: Callable[[Any], Any], config: Any, folder: Path, seed: int = 0) -> Path:
    """Write a model with random weights."""
    import torch

    torch.manual_seed(seed)
    family(config).save_pretrained(folder)
    return folder


_MARKS = ("<cls>", "<sep>")
PLAIN: dict[str, Any] = {"pad_token": "<pad>", "bos_token": "<s>", "eos_token": "</s>", "longest": 256}


def make_generator(folder: Path, *, chat: bool = True) -> Path:
    """Write a generation model."""
    from transformers import LlamaConfig, LlamaForCausalLM

    shape = _shape(_tokenizer(folder, chat=chat, **PLAIN), positions=256)
    return _saved(LlamaForCausalLM, LlamaConfig(**shape, bos_token_id=2, eos_token_id=3), folder)


def make_byte_generator(folder: Path, *, positions: int = 256) -> Path:
    """Write a GPT-2 whose tokens are bytes: a mark such as "<|belief|>" takes several, as in official checkpoints."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

    ids = {letter: number for number, letter in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    ids["<|endoftext|>"] = end = len(ids)
    inner = Tokenizer(models.BPE(vocab=ids, merges=[]))
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=inner, eos_token="<|endoftext|>", model_max_length=positions)
    tokenizer.save_pretrained(folder)
    sizes = {"n_positions": positions, "n_embd": 12, "n_layer": 2, "n_head": 3, "initializer_range": 0.4}
    config = GPT2Config(vocab_size=len(ids), bos_token_id=end, eos_token_id=end, **sizes)
    return _saved(GPT2LMHeadModel, config, folder, seed=3)


def make_classifier(folder: Path, *, labels: tuple[str, ...] = LABELS, seed: int = 0) -> Path:
    """Write a classifier."""
    from transformers import BertConfig, BertForSequenceClassification

    config = BertConfig(**_shape(_tokenizer(folder, **PLAIN)), initializer_range=0.5, **_classes(labels))
    return _saved(BertForSequenceClassification, config, folder, seed)


def make_xlnet(folder: Path) -> Path:
    """Write a classifier as XLNet is: no limit of its positions (-1), padded on the left, its class mark last."""
    from transformers import XLNetConfig, XLNetForSequenceClassification

    ids = _tokenizer(folder, *_MARKS, mark="$A <sep> <cls>", left=True, pad_token="<pad>")
    config = XLNetConfig(
        vocab_size=len(ids),
        d_model=32,
        n_layer=2,
        n_head=4,
        d_inner=64,
        pad_token_id=ids["<pad>"],
        bos_token_id=ids["<s>"],
        eos_token_id=ids["</s>"],
        initializer_range=0.5,
        **_classes(),
    )
    return _saved(XLNetForSequenceClassification, config, folder)


def make_gpt1(folder: Path, *, classifies: bool = True, longest: int = 48) -> Path:
    """Write a model as GPT-1 is: no padding, no mark of an end."""
    from transformers import OpenAIGPTConfig, OpenAIGPTForSequenceClassification, OpenAIGPTLMHeadModel

    ids = _tokenizer(folder, *_MARKS)
    config = OpenAIGPTConfig(
        vocab_size=len(ids), n_positions=longest, n_embd=32, n_layer=2, n_head=4, initializer_range=0.5, **_classes()
    )
    return _saved(OpenAIGPTForSequenceClassification if classifies else OpenAIGPTLMHeadModel, config, folder)


def make_t5(folder: Path, *, classifies: bool = True) -> Path:
    """Write a model as T5 v1.1 is: encoder and decoder, relative positions, one end mark per text."""
    from transformers import T5Config, T5ForConditionalGeneration, T5ForSequenceClassification

    ids = _tokenizer(folder, *_MARKS, mark="$A </s>", pad_token="<pad>", eos_token="</s>")
    config = T5Config(
        vocab_size=len(ids),
        d_model=32,
        d_kv=8,
        d_ff=64,
        num_layers=2,
        num_heads=4,
        feed_forward_proj="gated-gelu",
        tie_word_embeddings=False,
        initializer_factor=3.0,
        pad_token_id=ids["<pad>"],
        eos_token_id=ids["</s>"],
        decoder_start_token_id=ids["<pad>"],
        **_classes(),
    )
    return _saved(T5ForSequenceClassification if classifies else T5ForConditionalGeneration, config, folder)


def make_xlm_roberta(folder: Path, *, longest: int = 40) -> Path:
    """Write a classifier as XLM-RoBERTa is: its positions begin after the padding's number."""
    from transformers import XLMRobertaConfig, XLMRobertaForSequenceClassification

    ids = _tokenizer(folder, *_MARKS, mark="<s> $A </s>", pad_token="<pad>", eos_token="</s>")
    config = XLMRobertaConfig(
        **_shape(ids, positions=longest + ids["<pad>"] + 1),
        type_vocab_size=1,
        bos_token_id=ids["<s>"],
        eos_token_id=ids["</s>"],
        initializer_range=0.5,
        **_classes(),
    )
    return _saved(XLMRobertaForSequenceClassification, config, folder)


FAMILIES = {"xlnet": make_xlnet, "gpt1": make_gpt1, "t5": make_t5, "xlm-roberta": make_xlm_roberta}
"""The families of encoders and decoders that classifiers are published with, beside BERT's."""


def make_sentences(folder: Path, *, seed: int = 0, mark: str = "$A") -> Path:
    """Write a model of sentence-transformers: mean of a tiny BERT's vectors, also of those of what stands in `mark`."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from transformers import BertConfig, BertModel

    shape = _shape(_tokenizer(folder / "bert", mark=mark, **PLAIN), size=16, layers=1, heads=2)
    _saved(BertModel, BertConfig(**shape, initializer_range=0.5), folder / "bert", seed)
    inside = Transformer(str(folder / "bert"), max_seq_length=64)
    pooled = Pooling(inside.get_embedding_dimension())
    SentenceTransformer(modules=[inside, pooled], device="cpu").save(str(folder / "model"))
    return folder / "model"
