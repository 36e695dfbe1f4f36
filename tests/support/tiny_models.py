"""Tiny models made for a test: random weights, a few words of vocabulary, a second on disk."""

from __future__ import annotations

from pathlib import Path

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
