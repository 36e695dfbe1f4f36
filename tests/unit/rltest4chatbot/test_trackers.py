"""Trackers: TRADE learns, copies, is saved and loaded; SimpleTOD's form and decoding; what is wrong with a model."""

from __future__ import annotations

import json
import pickle
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from mutatis.campaign.measuring import uncertainty
from mutatis.core.errors import UsageError
from mutatis.core.system import Conversation, Finish, Response
from mutatis.rltest4chatbot.dialogues import Exchange, state_case
from mutatis.rltest4chatbot.states import slot_name
from mutatis.rltest4chatbot.trackers.history import SPECIAL, Vocabulary, exchanges, history_words
from mutatis.rltest4chatbot.trackers.simpletod import BELIEF_END, context_text, read_belief
from mutatis.systems import SYSTEMS
from mutatis.tasks import TASKS
from mutatis.testing import check_system, sync

torch = pytest.importorskip("torch")

STUDY = Path(__file__).parents[3] / "studies" / "rltest4chatbot"
AREAS, STARS = ("north", "south", "east", "west"), ("2", "3", "4", "5")
SLOTS = ("hotel-area", "hotel-stars", "hotel-name")


def dialogue(number: int, area: str, stars: str, name: str) -> Any:
    first: dict[str, str] = {"hotel-area": area}
    whole = {**first, "hotel-stars": stars}
    return state_case(
        f"d/{number}",
        [
            Exchange(utterance=f"i want a hotel in the {area}", reply="how many stars ?", state=first),
            Exchange(utterance=f"{stars} stars please", reply="any name ?", state=whole),
            Exchange(utterance=f"call it {name} thanks", reply="done", state={**whole, "hotel-name": name}),
        ],
    )


CASES = [
    dialogue(n, area, stars, name)
    for n, (area, stars, name) in enumerate((area, stars, f"{area[0]}{stars}inn") for area in AREAS for stars in STARS)
]


def shown(case: Any, turn: int) -> Conversation:
    return TASKS["dialogue-state"].converse(case, turn, [""] * turn)


def conversation(utterance: str) -> Conversation:
    return shown(state_case("x/1", [Exchange(utterance=utterance)]), 0)


@pytest.fixture(scope="module")
def study() -> Iterator[Any]:
    sys.path.insert(0, str(STUDY))
    import training

    yield training
    sys.path.remove(str(STUDY))


@pytest.fixture(scope="module")
def checkpoint(study: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    learned = study.examples_of(CASES)
    settings = study.Settings(features=32, epochs=60, batch=8, rate=2e-2, dropped=0.0, omitted=0.0, rarest=3, turns=1.0)
    tracker, curve = study.train(learned, learned, settings, slots=SLOTS, tell=lambda _: None)
    torch.set_num_threads(threads)
    assert curve.rows[-1]["gate"] < curve.rows[0]["gate"] / 5
    folder = tmp_path_factory.mktemp("trade") / "small"
    study.save(tracker, folder)
    return folder


def states(system: Any, conversations: Sequence[Conversation]) -> list[dict[str, str]]:
    return [json.loads(response.text) for response in sync(system.ask_many(conversations))]


def test_trade_learns_what_it_is_shown(checkpoint: Path) -> None:
    turns = [(case, turn) for case in CASES for turn in range(3)]
    tracked = states(SYSTEMS["trade"](model=str(checkpoint)), [shown(case, turn) for case, turn in turns])
    wanted = [json.loads(case.turns[turn].expected[0]) for case, turn in turns]
    wrong = [pair for pair in zip(wanted, tracked, strict=True) if pair[0] != pair[1]]
    assert len(wrong) < 5, wrong


def test_trade_copies_a_word_that_it_never_saw(checkpoint: Path) -> None:
    system = SYSTEMS["trade"](model=str(checkpoint))
    (state,) = states(system, [shown(dialogue(99, "east", "3", "zzyx7"), 2)])
    assert state["hotel-name"] == "zzyx7"
    assert "zzyx7" not in json.loads((checkpoint / "trade.json").read_text())["vocabulary"]


def test_trade_gives_the_probabilities_of_its_decisions(checkpoint: Path) -> None:
    system = SYSTEMS["trade"](model=str(checkpoint))
    answer = sync(system.ask(shown(CASES[0], 1)))
    assert set(answer.decisions) == set(SLOTS)
    assert all(sum(outcomes.values()) == pytest.approx(1, abs=1e-3) for outcomes in answer.decisions.values())
    assert answer.decisions["hotel-area"]["north"] > 0.5
    assert 0 <= uncertainty(answer) < 0.5
    assert uncertainty(Response(text="x")) is None


def test_trade_answers_alone_what_it_answers_among_others(checkpoint: Path) -> None:
    system = SYSTEMS["trade"](model=str(checkpoint), batch_size=3)
    asked = [shown(case, turn) for case in CASES[:3] for turn in range(3)]
    assert [sync(system.ask(conversation)).text for conversation in asked] == [
        conversation.text for conversation in sync(system.ask_many(asked))
    ]
    sync(check_system(system, asked[:2]))


@pytest.mark.parametrize(
    "utterance", ["", " ", "x", "🙂🙂", "東京の安いホテル", "north " * 2000, "<|endoftext|> <unk> ;"]
)
def test_trade_takes_any_turn(checkpoint: Path, utterance: str) -> None:
    answer = sync(SYSTEMS["trade"](model=str(checkpoint)).ask(conversation(utterance)))
    assert isinstance(json.loads(answer.text), dict)


def test_a_checkpoint_is_data_and_is_checked(checkpoint: Path, tmp_path: Path) -> None:
    def broken(name: str, **files: bytes | None) -> str:
        folder = tmp_path / name
        folder.mkdir()
        for file in ("trade.json", "model.safetensors"):
            content = files.get(file.partition(".")[0], (checkpoint / file).read_bytes())
            if content is not None:
                (folder / file).write_bytes(content)
        return str(folder)

    class Evil:
        def __reduce__(self) -> tuple[Any, ...]:
            return (Path(tmp_path / "pwned").write_text, ("x",))

    description = json.loads((checkpoint / "trade.json").read_text())
    other = {**description, "sizes": {**description["sizes"], "features": 16}}
    fewer = {**description, "vocabulary": description["vocabulary"][:-1]}
    for folder, message in (
        (str(tmp_path / "nowhere"), "no such folder"),
        (str(tmp_path), r"has no trade\.json"),
        (broken("no-weights", model=None), r"has no model\.safetensors"),
        (broken("cut", model=(checkpoint / "model.safetensors").read_bytes()[:1000]), "damaged"),
        (broken("pickle", model=pickle.dumps(Evil())), "damaged"),
        (broken("text", trade=b"{"), "damaged"),
        (broken("foreign", trade=b'{"model_type": "gpt2"}'), "not a TRADE checkpoint"),
        (broken("list", trade=b"[]"), "not a TRADE checkpoint"),
        (
            broken("version", trade=json.dumps({**description, "version": 9}).encode()),
            "not a TRADE checkpoint of the format 'mutatis/trade', version 1",
        ),
        (broken("sizes", trade=json.dumps({**description, "sizes": {}}).encode()), "'features' is missing"),
        (broken("other", trade=json.dumps(other).encode()), "the weights of a different network"),
        (broken("fewer", trade=json.dumps(fewer).encode()), "the weights of a different network"),
    ):
        with pytest.raises(UsageError, match=message):
            SYSTEMS["trade"](model=folder)
    assert not (tmp_path / "pwned").exists()


def test_the_history_is_service_and_user_in_turn() -> None:
    asked = shown(CASES[0], 1)
    assert exchanges(asked) == [("", "i want a hotel in the north"), ("how many stars ?", "2 stars please")]
    assert history_words(exchanges(asked))[:3] == [";", "i", "want"]
    encoded = Vocabulary((*SPECIAL, "a")).encode(["a", "new", "a", "newer", "new"])
    assert (encoded.read, encoded.copied, encoded.lacking) == ((4, 1, 4, 1, 1), (4, 5, 4, 6, 5), ("new", "newer"))


def test_a_slot_is_dontcare_only_where_that_beats_every_other_outcome() -> None:
    from mutatis.rltest4chatbot.trackers.trade_model import TradeTracker

    slots = ("beats both", "beats none alone", "has a value", "wrote dontcare", "none")
    tracker = TradeTracker(network=SimpleNamespace(sizes=SimpleNamespace(slots=slots)), vocabulary=None)  # type: ignore[arg-type]
    gates = [(0.2, 0.5, 0.3), (0.2, 0.3, 0.5), (0.1, 0.2, 0.7), (0.1, 0.2, 0.7), (0.6, 0.3, 0.1)]
    # The second slot is to have a value, but what was written is empty: it has none, and is not "dontcare" either.
    state, decisions = tracker._tracked(0, gates, {(0, 2): ("north", 0.5), (0, 3): ("dontcare", 0.5)})
    assert state == {"beats both": "dontcare", "has a value": "north", "wrote dontcare": "dontcare"}
    assert decisions["beats none alone"] == {"(none)": 0.2, "dontcare": 0.3, "(other)": 0.5}
    assert decisions["has a value"] == {"(none)": 0.1, "dontcare": 0.2, "north": 0.35, "(other)": 0.35}
    assert decisions["wrote dontcare"] == {"(none)": 0.1, "dontcare": 0.55, "(other)": 0.35}


def test_the_form_of_simpletod() -> None:
    assert context_text(exchanges(shown(CASES[0], 1))) == (
        "<|endoftext|> <|context|> <|user|> i want a hotel in the north <|system|> how many stars ? "
        "<|user|> 2 stars please <|endofcontext|> <|belief|>"
    )
    state = {
        "hotel-area": "east",
        "restaurant-booktime": "17:15",
        "hotel-name": "the river bar",
        "taxi-leaveat": "dontcare",
    }
    written = "restaurant booktime 17:15 , hotel area east , taxi leaveat dontcare , hotel name the river bar"
    assert read_belief(written) == state
    assert read_belief("") == read_belief("hotel , , area") == {}


def belief_text(state: Mapping[str, str]) -> str:
    """A state as the model is to write it."""
    triples = [f"{slot_name(slot).replace('-', ' ', 1)} {value.lower()}" for slot, value in sorted(state.items())]
    return f"{' , '.join(triples)} {BELIEF_END}".lstrip()


MARKS = "<|context|> <|endofcontext|> <|user|> <|system|> <|belief|> <|endofbelief|>"


def train_simpletod(folder: Path) -> Path:
    """Train a tiny GPT-2 on the dialogues and write it as a folder."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

    texts = [
        f"{context_text(exchanges(shown(case, turn)))} {belief_text(json.loads(case.turns[turn].expected[0]))}"
        for case in CASES
        for turn in range(2)
    ]
    words = ["<unk>", "<|endoftext|>", *MARKS.split()]
    words = list(dict.fromkeys([*words, *(word for text in texts for word in text.split())]))
    inner = Tokenizer(models.WordLevel({word: n for n, word in enumerate(words)}, unk_token="<unk>"))
    inner.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=inner, unk_token="<unk>", eos_token="<|endoftext|>", model_max_length=96
    )
    torch.manual_seed(0)
    model = GPT2LMHeadModel(
        GPT2Config(
            vocab_size=len(words), n_positions=96, n_embd=48, n_layer=2, n_head=4, bos_token_id=1, eos_token_id=1
        )
    )
    rows = [tokenizer.encode(text, add_special_tokens=False) for text in texts]
    longest = max(map(len, rows))
    numbers = torch.tensor([row + [1] * (longest - len(row)) for row in rows])
    start = words.index("<|belief|>")
    places = torch.arange(longest)
    begins = torch.tensor([row.index(start) for row in rows])[:, None]
    ends = torch.tensor([len(row) for row in rows])[:, None]
    labels = torch.where((places > begins) & (places < ends), numbers, -100)
    optimiser = torch.optim.Adam(model.parameters(), lr=5e-3)
    model.train()
    for _ in range(250):
        optimiser.zero_grad()
        model(input_ids=numbers, labels=labels).loss.backward()
        optimiser.step()
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def simpletod(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("transformers")
    return train_simpletod(tmp_path_factory.mktemp("simpletod") / "tiny")


def test_simpletod_writes_the_state(simpletod: Path) -> None:
    system = SYSTEMS["simpletod"](model=str(simpletod))
    answers = [sync(system.ask(shown(case, 1))) for case in CASES]
    right = [json.loads(c.turns[1].expected[0]) == json.loads(a.text) for c, a in zip(CASES, answers, strict=True)]
    assert sum(right) >= 15
    assert all(answer.finish is Finish.STOP for answer in answers)
    first = answers[0]
    # hotel area north , hotel stars 2 <|endofbelief|>: eight tokens, eight decisions
    assert len(first.decisions) == first.completion_tokens == 8
    assert next(iter(first.decisions["1"])).endswith(" hotel")
    assert 0 <= uncertainty(first) < 0.5


def test_simpletod_answers_alone_what_it_answers_among_others(simpletod: Path) -> None:
    """Dialogues of several lengths share a batch, one of them is too long to be asked: it alone fails."""
    system: Any = SYSTEMS["simpletod"](model=str(simpletod), max_new_tokens=20, batch_size=4)
    asked = [shown(case, turn) for case in CASES[:5] for turn in range(2)]
    asked.insert(3, conversation("i want " * 200))
    together = sync(system.ask_many(asked))
    assert "the last turn alone has" in str(together.pop(3))
    alone = [sync(system.ask(conversation)) for conversation in asked[:3] + asked[4:]]
    assert [response.text for response in together] == [response.text for response in alone]
    assert len({response.prompt_tokens for response in alone}) > 1
    for first, second in zip(together, alone, strict=True):
        assert list(first.decisions) == list(second.decisions)
        assert next(iter(first.decisions.values())) == pytest.approx(next(iter(second.decisions.values())), abs=2e-5)
    sync(check_system(system, asked[:2]))


def test_simpletod_leaves_out_old_turns_and_says_when_a_turn_is_too_long(simpletod: Path) -> None:
    system = SYSTEMS["simpletod"](model=str(simpletod), max_new_tokens=20)
    long = state_case("x/2", [Exchange(utterance="i want " * 35, reply="done"), Exchange(utterance="2 stars please")])
    written = sync(system.ask(shown(long, 1)))
    assert isinstance(json.loads(written.text), dict)
    assert written.prompt_tokens is not None
    assert written.prompt_tokens <= 96 - 20  # the state needs room, too
    with pytest.raises(Exception, match="the last turn alone has"):
        sync(system.ask(conversation("i want " * 200)))
    cut = SYSTEMS["simpletod"](model=str(simpletod), max_new_tokens=2)
    assert sync(cut.ask(shown(CASES[0], 1))).finish is Finish.LENGTH


def as_published(folder: Path, weights: Any) -> Path:
    """Write weights as the official checkpoints have them: pickled in the form of torch before 1.6."""
    (folder / "model.safetensors").unlink(missing_ok=True)
    torch.save(weights, folder / "pytorch_model.bin", _use_new_zipfile_serialization=False)
    return folder


def test_simpletod_reads_a_checkpoint_as_the_official_ones_are_written(simpletod: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file

    weights = load_file(simpletod / "model.safetensors")
    # The masks that GPT-2's layers saved then, and the output layer's own copy of the embeddings.
    extra = {
        "transformer.h.0.attn.bias": torch.ones(1, 1, 96, 96),
        "transformer.h.0.attn.masked_bias": torch.tensor(-1e4),
    }
    whole = {**weights, **extra, "lm_head.weight": weights["transformer.wte.weight"]}
    pickled = SYSTEMS["simpletod"](model=str(as_published(shutil.copytree(simpletod, tmp_path / "official"), whole)))
    safe = SYSTEMS["simpletod"](model=str(simpletod))
    for case in CASES[:6]:
        assert sync(pickled.ask(shown(case, 1))).text == sync(safe.ask(shown(case, 1))).text


class RunsWhenLoaded:
    """An object whose pickle makes a folder when it is loaded."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.mkdir, (self.folder,)


def test_simpletod_runs_nothing_of_a_checkpoint(simpletod: Path, tmp_path: Path) -> None:
    made = tmp_path / "made"
    folder = as_published(shutil.copytree(simpletod, tmp_path / "hostile"), {"weights": RunsWhenLoaded(made)})
    with pytest.raises(UsageError, match=r"cannot be loaded .*contains only tensors") as refused:
        SYSTEMS["simpletod"](model=str(folder))
    assert "\n" not in str(refused.value)
    assert not made.exists()
    (folder / "pytorch_model.bin").write_bytes(b"junk")
    with pytest.raises(UsageError, match="cannot be loaded"):
        SYSTEMS["simpletod"](model=str(folder))


@pytest.mark.parametrize("utterance", ["", "🙂", "東京", "zzz"])
def test_simpletod_takes_any_turn(simpletod: Path, utterance: str) -> None:
    system = SYSTEMS["simpletod"](model=str(simpletod), max_new_tokens=10)
    assert isinstance(json.loads(sync(system.ask(conversation(utterance))).text), dict)


def test_simpletod_says_what_is_wrong_with_a_model(simpletod: Path, tmp_path: Path) -> None:
    from support.tiny_models import make_generator

    with pytest.raises(UsageError, match="cannot write <|context|>".replace("|", r"\|")):
        SYSTEMS["simpletod"](model=str(make_generator(tmp_path / "other")))
    with pytest.raises(UsageError, match="cannot be loaded"):
        SYSTEMS["simpletod"](model=str(tmp_path))
