"""The bots of `studies/repertoire`: what they understand, and that each planted fault shows where it should alone."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from studies.repertoire import campaign  # noqa: E402
from studies.repertoire.bots import table as tables  # noqa: E402
from studies.repertoire.truth import BOTS, at_work, load, truth  # noqa: E402

# Written by hand: messages that mean the same, with their meaning; for each fault a conversation that triggers it, what
# the reply means then, and the same conversation without the trigger.
EXAMPLES = json.loads((Path(__file__).parent / "repertoire_examples.json").read_text(encoding="utf-8"))


def as_dict(meaning):
    """A meaning as the examples write it."""
    values = {name: list(value) if isinstance(value, tuple) else value for name, value in meaning[1:]}
    return {"intent": meaning[0], **values}


def sources(bot):
    return [*((message,) for message in bot.MESSAGES), *getattr(bot, "DIALOGUES", ())]


def named(example):
    return "-".join([example["bot"], example.get("fault") or example["meaning"]["intent"]])


@pytest.mark.parametrize("example", EXAMPLES["paraphrases"], ids=named)
def test_a_bot_without_faults_understands_each_wording(example):
    for message in example["messages"]:
        assert as_dict(load(example["bot"]).reply([message]).meaning) == example["meaning"], message


@pytest.mark.parametrize("example", EXAMPLES["dialogues"], ids=named)
def test_a_later_turn_depends_on_earlier_ones(example):
    assert as_dict(load(example["bot"]).reply(example["turns"]).meaning) == example["meaning"]


@pytest.mark.parametrize("example", EXAMPLES["faults"], ids=named)
def test_a_fault_changes_the_meaning_where_it_is_triggered_and_only_there(example):
    bot, fault, turns, without = load(example["bot"]), example["fault"], example["turns"], example["without"]
    assert as_dict(bot.reply(turns, faults=(fault,)).meaning) == example["wrong"]
    assert bot.reply(turns).meaning == bot.reply(without).meaning
    assert bot.reply(without, faults=(fault,)) == bot.reply(without)
    assert truth(bot, without, turns) == "same"
    assert truth(bot, without, turns, faults=(fault,)) == "different"
    assert at_work(bot, without, turns, list(bot.FAULTS)) == [fault]


@pytest.mark.parametrize("name", BOTS)
def test_every_fault_has_an_example_and_no_source_triggers_one(name):
    bot = load(name)
    assert {example["fault"] for example in EXAMPLES["faults"] if example["bot"] == name} == set(bot.FAULTS)
    assert len(bot.FAULTS) == 5
    for turns in sources(bot):
        for length in range(1, len(turns) + 1):
            said = turns[:length]
            assert bot.reply(said, faults=tuple(bot.FAULTS)) == bot.reply(said), said


@pytest.mark.parametrize("name", BOTS)
def test_there_are_messages_enough_and_most_are_understood(name):
    bot = load(name)
    meanings = [bot.reply(turns).meaning for turns in sources(bot)]
    assert len(bot.MESSAGES) >= 40
    assert len(set(bot.MESSAGES)) == len(bot.MESSAGES)
    assert 1 <= meanings.count(("fallback",)) <= 3
    assert len(set(meanings)) > 40


@pytest.mark.parametrize(
    "name", ["shop", "clinic", "telecom", "council", "hotel", "insurer", "transit", "university", "carhire"]
)
def test_dialogues_have_three_to_five_turns(name):
    dialogues = load(name).DIALOGUES
    assert len(dialogues) >= 12
    assert {len(turns) for turns in dialogues} <= {3, 4, 5}


@pytest.mark.parametrize("name", BOTS)
def test_words_vary_and_meaning_does_not(name):
    bot = load(name)
    wordings = 0
    for message in bot.MESSAGES:
        replies = [bot.reply([message], draw=draw) for draw in range(12)]
        assert len({reply.meaning for reply in replies}) == 1
        wordings += len({reply.text for reply in replies})
        assert all(reply.text and "{" not in reply.text for reply in replies)
    if name in {"library", "telecom"}:
        assert wordings == len(bot.MESSAGES)
    else:
        assert wordings > 2.5 * len(bot.MESSAGES)


@pytest.mark.parametrize("name", BOTS)
def test_a_text_says_which_meaning_it_has(name):
    bot = load(name)
    said = {}
    for turns in [*sources(bot), *(example["turns"] for example in EXAMPLES["faults"] if example["bot"] == name)]:
        for draw in range(12):
            reply = bot.reply(turns, draw=draw, faults=tuple(bot.FAULTS))
            assert said.setdefault(reply.text, reply.meaning) == reply.meaning, reply.text


@pytest.mark.parametrize("name", ["model", "insurer"])
def test_model_wordings_are_enough_and_hold_their_values(name):
    wordings = load(name).WORDINGS
    assert len(wordings) >= 25
    for key, entry in wordings.items():
        texts = [wording["text"] for wording in entry["wordings"]]
        assert len(set(texts)) == len(texts) >= 5, key
        slots = {part.split("}")[0] for part in entry["canonical"].split("{")[1:]}
        assert all({part.split("}")[0] for part in text.split("{")[1:]} == slots for text in texts), key


@pytest.mark.parametrize("name", ["transit", "university", "carhire"])
def test_wordings_by_hand_are_enough_differ_and_hold_their_values(name):
    wordings = load(name).WORDINGS
    assert len(wordings) >= 45
    # "tickets" is how "ticket" reads where there are several.
    for key, texts in wordings.items():
        assert 4 <= len(set(texts)) == len(texts) <= 8, key
        slots = [{part.split("}")[0].removesuffix("s") for part in text.split("{")[1:]} for text in texts]
        assert all(names == slots[0] for names in slots), key


@pytest.mark.parametrize("name", BOTS)
def test_a_world_names_only_what_it_has(name):
    table = tables.read_table(name)
    questions = {intent for asked in table.questions.values() for intent in asked}
    answered = {key.partition("/")[0] for key in (*table.wordings, *table.parts)}
    answered |= {*questions, *table.told, *table.worked_out}
    aimed_at = [*table.which.values(), *table.otherwise.values(), *table.rules]
    aimed_at += [rule.asks for rule in table.taken_up if rule.asks]
    for fault in table.faults.values():
        aimed_at += [*fault.get("answers", {}).values(), *(short["to"] for short in fault.get("shortens", {}).values())]
        aimed_at += [fault[change] for change in ("replies", "replies_without_facts") if change in fault]
    assert set(aimed_at) <= answered
    understood = {line.partition(":")[0] for line in table.intents.strip().splitlines()}
    assert understood <= answered | set(table.names) | {intent for rule in table.taken_up for intent in rule.of}
    for kind, asked in table.questions.items():
        fields = {field for facts in table.things[kind].values() for field in facts}
        sources = {
            source.split(" in ")[-1]
            for slots in asked.values()
            for source in (slots.values() if isinstance(slots, dict) else slots)
        }
        assert {source for source in sources if source.islower()} <= fields, kind


def test_a_key_that_a_world_does_not_have_is_named(tmp_path, monkeypatch):
    (tmp_path / "pool.toml").write_text("mesages = []", encoding="utf-8")
    monkeypatch.setattr(tables, "WORLDS", tmp_path)
    with pytest.raises(ValueError, match="no key mesages, perhaps messages; there are alone, "):
        tables.read_table("pool")


def test_replies_are_the_same_in_another_process():
    code = "from studies.repertoire.truth import *\n"
    code += "for name in BOTS:\n for text in load(name).MESSAGES[::9]:\n  print(load(name).reply([text + ' plese']))"
    runs = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        for seed in ("1", "2")
    ]
    assert runs[0].stdout == runs[1].stdout
    assert runs[0].stdout.count("Reply(") > 30


def test_a_reply_needs_a_message_and_faults_that_exist():
    with pytest.raises(ValueError, match="no message"):
        load("library").reply([])
    with pytest.raises(ValueError, match="no fault loud; there are shouting"):
        load("library").reply(["Hello!"], faults=("loud",))
    with pytest.raises(ValueError, match="no bot zoo; there are library"):
        load("zoo")


def pair(verdict, true, *, faults=(), sound=True):
    return campaign.Pair(
        relation="upper-case",
        source=("a",),
        follow_up=("A",),
        texts=("x", "y"),
        meanings=(("x",), ("y",)),
        truth=true,
        sound=sound,
        faults=faults,
        verdict=verdict,
        score=None,
        reason="",
    )


def test_counts_by_hand():
    figures = campaign.counts(
        [
            *[pair("different", "different")] * 3,
            *[pair("different", "same")] * 1,
            *[pair("same", "different")] * 2,
            *[pair("same", "same")] * 6,
            *[pair("open", "different")] * 1,
            *[pair("open", "same")] * 3,
        ]
    )
    assert (figures["pairs"], figures["truly different"], figures["open share"]) == (16, 6, 0.25)
    assert (figures["precision"], figures["recall"], figures["same that is right"]) == (0.75, 0.5, 0.75)
    assert campaign.counts([])["precision"] is None


def test_a_campaign_from_beginning_to_end(tmp_path, capsys):
    options = ["library", "--judge", "exact", "--messages", "3", "--relations", "upper-case,lower-case,unrelated-turn"]
    campaign.main([*options, "--noise-floor", "0", "--out", str(tmp_path)])
    assert "library, judge exact:" in capsys.readouterr().out
    pairs = campaign.pairs(tmp_path)
    # Capitals make the bot fall back, nothing else does anything to these three.
    assert {(pair.relation, pair.truth, pair.verdict, pair.faults) for pair in pairs} == {
        ("upper-case", "different", "different", ("shouting",)),
        ("lower-case", "same", "same", ()),
        ("unrelated-turn", "same", "same", ()),
    }
    turns = {len(pair.follow_up) for pair in pairs if pair.relation == "unrelated-turn"}
    assert turns == {2}
    assert (tmp_path / "result.json").is_file()
    assert len((tmp_path / "pairs.jsonl").read_text().splitlines()) == len(pairs) >= 8


def test_a_revision_follows_from_the_files_of_a_world_and_the_engine():
    names = {path.name for path in campaign.files_of("council")}
    assert {"council.toml", "council.py", "engine.py", "reading.py", "forms.py", "common_words.txt"} <= names
    assert not {name for name in names if name.startswith(("bank", "insurer", "model", "telecom"))}
    assert "insurer_wordings.json" in {path.name for path in campaign.files_of("insurer")}


def test_sampling_varies_the_words_of_an_input_that_is_asked_again():
    bot = load("bank")
    question = "What is the balance of my savings account?"
    sampled = campaign.answering(bot, (), sampling=True)
    fixed = campaign.answering(bot, (), sampling=False)
    assert [sampled(question) for _ in range(5)] == [bot.reply([question], draw=draw).text for draw in range(5)]
    assert [fixed(question) for _ in range(5)] == [bot.reply([question]).text] * 5
    # What was said before is part of the input, and reaches the bot.
    history = [({"message": "How much is the Orbit tablet?"}, "249 euros")]
    assert "Nova phone" in campaign.answering(load("shop"), (), sampling=False)("And the Nova phone?", history)
    assert "399" in campaign.answering(load("shop"), (), sampling=False)("And the Nova phone?", history)
