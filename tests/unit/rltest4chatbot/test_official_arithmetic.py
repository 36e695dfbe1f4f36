"""TRADE and SimpleTOD compute what their authors' code computes, on the same weights: worked out here in numpy.

The steps are those of jasonwu0731/trade-dst (models/TRADE.py) and salesforce/simpletod (generate_dialogue.py,
utils/simpletod.py), read and written down again; nothing of ours has a part in them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mutatis.core.system import Conversation
from mutatis.rltest4chatbot.trackers.history import SPECIAL, Vocabulary
from mutatis.rltest4chatbot.trackers.simpletod import context_text, read_belief
from mutatis.systems import SYSTEMS
from mutatis.testing import sync
from support.tiny_models import make_byte_generator

torch = pytest.importorskip("torch")

from mutatis.rltest4chatbot.trackers.trade_model import GATES, DialogueBatch, Sizes, TradeNetwork  # noqa: E402

SLOTS = ("hotel-area", "hotel-stars", "train-day")
WORDS = ("north", "south", "two", "stars", "monday", "i", "want")
FEATURES = 5


def sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def softmax(x: Any) -> Any:
    powers = np.exp(x - x.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def gru_step(x: Any, hidden: Any, weights: dict[str, Any]) -> Any:
    """One step of a GRU: reset and update gates, then the candidate, whose hidden part the reset gate scales."""
    into = weights["weight_ih"] @ x + weights["bias_ih"]
    over = weights["weight_hh"] @ hidden + weights["bias_hh"]
    (r_in, z_in, n_in), (r_over, z_over, n_over) = np.split(into, 3), np.split(over, 3)
    reset, update = sigmoid(r_in + r_over), sigmoid(z_in + z_over)
    return (1 - update) * np.tanh(n_in + reset * n_over) + update * hidden


class Trade:
    """The published network on one dialogue, step by step."""

    def __init__(self, network: Any, vocabulary: Vocabulary) -> None:
        self.weights = {name: tensor.detach().double().numpy() for name, tensor in network.state_dict().items()}
        self.vocabulary = vocabulary

    def gru(self, name: str, suffix: str = "") -> dict[str, Any]:
        kinds = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        return {kind: self.weights[f"{name}.{kind}{suffix}"] for kind in kinds}

    def encode(self, numbers: list[int]) -> tuple[Any, Any]:
        """Both directions of the encoder are added, word by word and at their ends."""
        embedded = self.weights["words.weight"][numbers]
        forward, backward = [], []
        hidden = np.zeros(FEATURES)
        for x in embedded:
            forward.append(hidden := gru_step(x, hidden, self.gru("onward", "_l0")))
        last = hidden
        hidden = np.zeros(FEATURES)
        for x in embedded[::-1]:
            backward.append(hidden := gru_step(x, hidden, self.gru("homeward", "_l0")))
        return np.array(forward) + np.array(backward[::-1]), last + hidden

    def decode(self, numbers: list[int], copied: list[int], extra: int, slot: str, steps: int) -> tuple[Any, Any]:
        """Return the gate's logits and the mixed distribution over words at each step, the likeliest fed back."""
        memory, hidden = self.encode(numbers)
        domains, names = (sorted({slot.split("-")[part] for slot in SLOTS}) for part in (0, 1))
        domain, name = slot.split("-")
        entering = self.weights["domains.weight"][domains.index(domain)]
        entering = entering + self.weights["slots.weight"][names.index(name)]
        table = self.weights["words.weight"]
        mixtures = []
        gate = None
        for step in range(steps):
            hidden = gru_step(entering, hidden, self.gru("decoder"))
            attention = softmax(memory @ hidden)
            context = attention @ memory
            if step == 0:
                gate = self.weights["gate.weight"] @ context + self.weights["gate.bias"]
            vocabulary = softmax(table @ hidden)
            switch_in = np.concatenate([hidden, context, entering])
            switch = sigmoid(self.weights["generate.weight"] @ switch_in + self.weights["generate.bias"])
            pointer = np.zeros(len(table) + extra)
            np.add.at(pointer, copied, attention)
            mixtures.append((1 - switch) * pointer + switch * np.concatenate([vocabulary, np.zeros(extra)]))
            best = int(mixtures[-1].argmax())
            entering = table[best if best < len(table) else SPECIAL.index("<unk>")]
        return gate, np.array(mixtures)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_trade_computes_what_the_published_code_does(seed: int) -> None:
    torch.manual_seed(seed)
    vocabulary = Vocabulary((*SPECIAL, *WORDS))
    network = TradeNetwork(Sizes(words=len(vocabulary), features=FEATURES, slots=SLOTS)).eval()
    for tensor in network.parameters():  # larger than they begin, so that distributions are not flat
        torch.nn.init.normal_(tensor, std=0.8)
    with torch.no_grad():
        network.words.weight[SPECIAL.index("<pad>")] = 0.0
    dialogues = [["i", "want", "two", "stars", "zzz", "north"], ["south", "monday", ";", "i"]]
    encoded = [vocabulary.encode(words) for words in dialogues]
    official = Trade(network, vocabulary)
    with torch.inference_mode():
        batch = DialogueBatch.of(encoded)
        read = network.read(batch)
        wanted = torch.tensor([(row, slot) for row in range(2) for slot in range(3)])
        words, chances = network.write(batch, read, wanted)
    for (row, slot), written, likely in zip(wanted.tolist(), words.tolist(), chances.tolist(), strict=True):
        # Their gate is (pointer, dontcare, none), ours has the same three rows in another order.
        assert GATES == ("none", "dontcare", "pointer")
        inputs = encoded[row]
        gate, mixtures = official.decode(list(inputs.read), list(inputs.copied), batch.extra, SLOTS[slot], len(written))
        assert read.gates[row, slot].tolist() == pytest.approx(gate.tolist(), abs=1e-5)
        assert written == mixtures.argmax(-1).tolist()
        assert likely == pytest.approx(mixtures.max(-1).tolist(), abs=1e-5)


# SimpleTOD: a causal GPT-2, and what is read out of what it writes.


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A GPT-2 of random weights."""
    pytest.importorskip("transformers")
    return make_byte_generator(tmp_path_factory.mktemp("official") / "gpt2")


def normed(x: Any, weights: dict[str, Any], name: str) -> Any:
    centred = x - x.mean(-1, keepdims=True)
    scaled = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5)
    return scaled * weights[f"{name}.weight"] + weights[f"{name}.bias"]


def gpt2(numbers: list[int], weights: dict[str, Any], heads: int) -> Any:
    """Return the probabilities of the token after these (Radford et al. 2019)."""
    x = weights["transformer.wte.weight"][numbers] + weights["transformer.wpe.weight"][: len(numbers)]
    length, width = x.shape
    for layer in range(2):
        block = f"transformer.h.{layer}"
        inside = normed(x, weights, f"{block}.ln_1")
        joined = inside @ weights[f"{block}.attn.c_attn.weight"] + weights[f"{block}.attn.c_attn.bias"]
        query, key, value = (part.reshape(length, heads, -1).swapaxes(0, 1) for part in np.split(joined, 3, -1))
        scores = query @ key.swapaxes(1, 2) / np.sqrt(width / heads)
        scores = np.where(np.tril(np.ones((length, length), bool)), scores, -np.inf)
        mixed = (softmax(scores) @ value).swapaxes(0, 1).reshape(length, width)
        x = x + mixed @ weights[f"{block}.attn.c_proj.weight"] + weights[f"{block}.attn.c_proj.bias"]
        inside = (
            normed(x, weights, f"{block}.ln_2") @ weights[f"{block}.mlp.c_fc.weight"]
            + weights[f"{block}.mlp.c_fc.bias"]
        )
        gelu = 0.5 * inside * (1 + np.tanh(np.sqrt(2 / np.pi) * (inside + 0.044715 * inside**3)))
        x = x + gelu @ weights[f"{block}.mlp.c_proj.weight"] + weights[f"{block}.mlp.c_proj.bias"]
    return softmax(normed(x[-1], weights, "transformer.ln_f") @ weights["transformer.wte.weight"].T)


def test_simpletod_decodes_as_the_published_code_does_with_marks_of_many_tokens(tiny: Path) -> None:
    from safetensors.numpy import load_file

    system = SYSTEMS["simpletod"](model=str(tiny), max_new_tokens=6)
    asked = Conversation(fields={"utterance": "A room"}, history=(({"utterance": "Hello"}, "Which day?"),), messages=())
    answer = sync(system.ask(asked))
    tokenizer = system.loaded.tokenizer  # type: ignore[attr-defined]
    prompt = (
        "<|endoftext|> <|context|> <|user|> hello <|system|> which day? <|user|> a room <|endofcontext|> <|belief|>"
    )
    assert context_text([("", "Hello"), ("Which day?", "A room")]) == prompt
    assert len(tokenizer.encode("<|belief|>")) == 10
    weights = {name: rows.astype(np.float64) for name, rows in load_file(tiny / "model.safetensors").items()}
    numbers = tokenizer.encode(prompt)
    assert answer.prompt_tokens == len(numbers)
    for step in range(1, 7):
        chances = gpt2(numbers, weights, 3)
        shown = {int(name.split()[0]): chance for name, chance in answer.decisions[str(step)].items()}
        assert next(iter(shown)) == chances.argmax()
        assert shown == pytest.approx({token: chances[token] for token in shown}, abs=2e-5)
        numbers.append(int(chances.argmax()))


@pytest.mark.parametrize(
    ("written", "official"),
    [
        # Their `get_belief`, without the marks, at commas; slots of "none" and "not mentioned" are no part of a state.
        ("hotel area east , hotel stars 4 <|endofbelief|>", {"hotel area east", "hotel stars 4"}),
        ("hotel name not mentioned , hotel area east <|endofbelief|>", {"hotel area east"}),
        ("train day none , train destination ely <|endofbelief|>", {"train destination ely"}),
        (
            "taxi leaveat 17:15 , taxi departure the mill <|endofbelief|>",
            {"taxi leaveat 17:15", "taxi departure the mill"},
        ),
        (" <|endofbelief|>", set()),
    ],
)
def test_states_are_read_as_the_published_code_reads_them(written: str, official: set[str]) -> None:
    state = read_belief(written.partition("<|endofbelief|>")[0])
    assert {f"{slot.replace('-', ' ')} {value}" for slot, value in state.items()} == official


class Scripted:
    """A causal model that writes given tokens, whatever it is asked."""

    device = "cpu"

    def __init__(self, numbers: list[int], words: int) -> None:
        self.numbers, self.words, self.step = numbers, words, 0

    def __call__(self, **_: Any) -> Any:
        from types import SimpleNamespace

        scores = torch.zeros(1, 1, self.words)
        scores[0, 0, self.numbers[self.step]] = 9.0
        self.step += 1
        return SimpleNamespace(logits=scores, past_key_values=None)


@pytest.mark.parametrize(
    ("written", "state", "finish", "steps", "decided"),
    [
        # A mark of 15 bytes: the blank and its first byte are decisions, the other 14 are spelling.
        (" hotel area east <|endofbelief|>", {"hotel-area": "east"}, "stop", 32, 18),
        (" hotel area east<|endoftext|>", {"hotel-area": "east"}, "stop", 17, 17),
        (" hotel area east <|endof", {"hotel-area": "east"}, "length", 24, 24),
    ],
)
def test_marks_are_found_in_what_was_written(
    tiny: Path, written: str, state: dict[str, str], finish: str, steps: int, decided: int
) -> None:
    system: Any = SYSTEMS["simpletod"](model=str(tiny), max_new_tokens=min(100, steps))
    numbers = system.loaded.tokenizer.encode(written)
    assert len(numbers) == steps
    system.loaded.model = Scripted(numbers, len(system.loaded.tokenizer))
    answer = sync(system.ask(Conversation(fields={"utterance": "A room"}, history=(), messages=())))
    assert json.loads(answer.text) == state
    assert answer.finish is not None
    assert (answer.finish.value, len(answer.decisions)) == (finish, decided)
