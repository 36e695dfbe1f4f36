"""Tiny models made for a test: random weights, a few words of vocabulary, a second on disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

_TEXT = """
<unk> <pad> <s> </s> a an the good bad film soup is was not very great dull who what when yes no unknown
system user assistant : . ? ! , number text sentiment answer 0 1 2 3 4 5 6 7 8 9
"""
WORDS = _TEXT.split()
CHAT = "{% for m in messages %}{{ m['role'] }} : {{ m['content'] }} </s> {% endfor %}assistant :"


def _tokenizer(folder: Path, *, chat: bool) -> int:
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    inner = Tokenizer(models.WordLevel({word: n for n, word in enumerate(WORDS)}, unk_token="<unk>"))
    inner.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit()])
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=inner,
        unk_token="<unk>",
        pad_token="<pad>",
        bos_token="<s>",
        eos_token="</s>",
        model_max_length=256,
    )
    if chat:
        tokenizer.chat_template = CHAT
    tokenizer.save_pretrained(folder)
    return len(WORDS)


def make_generator(folder: Path, *, chat: bool = True, seed: int = 0) -> Path:
    """Write a generation model with random weights."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    size = _tokenizer(folder, chat=chat)
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=size,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        max_position_embeddings=256,
        bos_token_id=2,
        eos_token_id=3,
        pad_token_id=1,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder


def make_classifier(folder: Path, *, labels: tuple[str, ...] = ("bad", "fair", "good"), seed: int = 0) -> Path:
    """Write a classifier with random weights."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    size = _tokenizer(folder, chat=False)
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=size,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        max_position_embeddings=64,
        pad_token_id=1,
        initializer_range=0.5,
        id2label=dict(enumerate(labels)),
        label2id={label: n for n, label in enumerate(labels)},
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    return folder


def make_masked(folder: Path, *, seed: int = 0) -> Path:
    """Write a masked language model with random weights."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import BertConfig, BertForMaskedLM, PreTrainedTokenizerFast

    words = [*WORDS, "<mask>", "room", "north"]
    inner = Tokenizer(models.WordLevel({word: n for n, word in enumerate(words)}, unk_token="<unk>"))
    inner.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=inner, unk_token="<unk>", pad_token="<pad>", mask_token="<mask>", model_max_length=64
    )
    tokenizer.save_pretrained(folder)
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        max_position_embeddings=64,
        pad_token_id=1,
        initializer_range=0.5,
    )
    BertForMaskedLM(config).save_pretrained(folder)
    return folder


LABELS = ("bad", "fair", "good")


def _marked(folder: Path, mark: str, *, pad: bool, left: bool = False, longest: int | None = None) -> dict[str, int]:
    """Write a tokenizer in the manner of a family: `mark` around one text or a pair; return the ids of its tokens.

    Without `longest` it has no limit of its own, as a tokenizer that was saved without one.
    """
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    words = [*WORDS, "<cls>", "<sep>"]
    ids = {word: number for number, word in enumerate(words)}
    inner = Tokenizer(models.WordLevel(ids, unk_token="<unk>"))
    inner.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    single, pair = f"{mark}|{mark.replace('$A', '$A {sep} $B')}".split("|")
    used = [(token, ids[token]) for token in ("<s>", "</s>", "<cls>", "<sep>") if token in mark]
    if mark != "$A":
        inner.post_processor = processors.TemplateProcessing(
            single=single, pair=pair.replace("{sep}", used[-1][0]), special_tokens=used
        )
    special = {"unk_token": "<unk>", **({"pad_token": "<pad>"} if pad else {})}
    if "</s>" in mark:
        special["eos_token"] = "</s>"
    limit = {} if longest is None else {"model_max_length": longest}
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=inner, padding_side="left" if left else "right", **special, **limit
    )
    tokenizer.save_pretrained(folder)
    return ids


def _classes() -> dict[str, Any]:
    return {"id2label": dict(enumerate(LABELS)), "label2id": {label: number for number, label in enumerate(LABELS)}}


def make_xlnet(folder: Path, *, seed: int = 0) -> Path:
    """Write a classifier as XLNet is: no limit of its positions (-1), padded on the left, its class mark last."""
    import torch
    from transformers import XLNetConfig, XLNetForSequenceClassification

    ids = _marked(folder, "$A <sep> <cls>", pad=True, left=True)
    torch.manual_seed(seed)
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
    XLNetForSequenceClassification(config).save_pretrained(folder)
    return folder


def make_gpt1(folder: Path, *, classifies: bool = True, longest: int = 48, seed: int = 0) -> Path:
    """Write a model as GPT-1 is: no padding, no mark of an end."""
    import torch
    from transformers import OpenAIGPTConfig, OpenAIGPTForSequenceClassification, OpenAIGPTLMHeadModel

    ids = _marked(folder, "$A", pad=False)
    torch.manual_seed(seed)
    config = OpenAIGPTConfig(
        vocab_size=len(ids), n_positions=longest, n_embd=32, n_layer=2, n_head=4, initializer_range=0.5, **_classes()
    )
    family = OpenAIGPTForSequenceClassification if classifies else OpenAIGPTLMHeadModel
    family(config).save_pretrained(folder)
    return folder


def make_t5(folder: Path, *, classifies: bool = True, seed: int = 0) -> Path:
    """Write a model as T5 v1.1 is: encoder and decoder, relative positions, one end mark per text."""
    import torch
    from transformers import T5Config, T5ForConditionalGeneration, T5ForSequenceClassification

    ids = _marked(folder, "$A </s>", pad=True)
    torch.manual_seed(seed)
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
    family = T5ForSequenceClassification if classifies else T5ForConditionalGeneration
    family(config).save_pretrained(folder)
    return folder


def make_xlm_roberta(folder: Path, *, longest: int = 40, seed: int = 0) -> Path:
    """Write a classifier as XLM-RoBERTa is: its positions begin after the padding's number."""
    import torch
    from transformers import XLMRobertaConfig, XLMRobertaForSequenceClassification

    ids = _marked(folder, "<s> $A </s>", pad=True)
    torch.manual_seed(seed)
    config = XLMRobertaConfig(
        vocab_size=len(ids),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        max_position_embeddings=longest + ids["<pad>"] + 1,
        type_vocab_size=1,
        pad_token_id=ids["<pad>"],
        bos_token_id=ids["<s>"],
        eos_token_id=ids["</s>"],
        initializer_range=0.5,
        **_classes(),
    )
    XLMRobertaForSequenceClassification(config).save_pretrained(folder)
    return folder


FAMILIES = {"xlnet": make_xlnet, "gpt1": make_gpt1, "t5": make_t5, "xlm-roberta": make_xlm_roberta}
"""The families of encoders and decoders that classifiers are published with, beside BERT's."""


def make_sentences(folder: Path, *, seed: int = 0) -> Path:
    """Write a model of sentence-transformers with random weights: mean of a tiny BERT's vectors."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from transformers import BertConfig, BertModel

    size = _tokenizer(folder / "bert", chat=False)
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=size,
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        max_position_embeddings=64,
        pad_token_id=1,
        initializer_range=0.5,
    )
    BertModel(config).save_pretrained(folder / "bert")
    inside = Transformer(str(folder / "bert"), max_seq_length=64)
    pooled = Pooling(inside.get_embedding_dimension())
    SentenceTransformer(modules=[inside, pooled], device="cpu").save(str(folder / "model"))
    return folder / "model"
