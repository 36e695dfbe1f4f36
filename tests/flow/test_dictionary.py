"""A run learns from its first answers what its follow-ups ask about: in a fixed order, whatever is inserted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import mutatis
from mutatis.core.errors import UsageError
from mutatis.testing import ScriptedHelper
from support.name_exchange import name_exchange_registered
from support.prompts import between

PRICES = {"Basic": 9, "Green Flex": 12, "Night Saver": 8}
QUESTIONS = ["How much is Green Flex a month?", "Which tariffs are there?", "What does Basic cost?"]


def bot(text, history=()):
    if "which" in text.lower():
        return "We have Basic, Green Flex and Night Saver."
    return next((f"{name} costs {price} EUR a month." for name, price in PRICES.items() if name in text), "Sorry?")


@pytest.fixture(autouse=True)
def name_exchange():
    with name_exchange_registered():
        yield


def run(questions, out: Path, **more):
    return mutatis.run(bot, questions, ["exchange-known-name"], task="chat", out=out, fresh=True, **more)


def asked(out: Path) -> dict[str, list[str]]:
    """Return what was made of each question, from the lines of verdicts."""
    made: dict[str, list[str]] = {}
    for line in (out / "verdicts.jsonl").read_text("utf-8").splitlines():
        verdict = json.loads(line)
        for follow_up in verdict["followups"]:
            made.setdefault(verdict["source_input"]["message"], []).append(follow_up["input"]["message"])
    return made


def test_names_from_one_reply_stand_in_the_next_question(tmp_path):
    run(QUESTIONS, tmp_path)
    assert sorted(asked(tmp_path)["What does Basic cost?"]) == [
        "What does Green Flex cost?",
        "What does Night Saver cost?",
    ]


def test_a_question_without_a_name_says_why_nothing_is_made(tmp_path):
    run(QUESTIONS, tmp_path)
    lines = (tmp_path / "verdicts.jsonl").read_text("utf-8").splitlines()
    reasons = {json.loads(line)["reason"] for line in lines}
    assert "the question has no name whose kind is known" in reasons


def test_the_same_bytes_at_any_concurrency(tmp_path):
    files = []
    for concurrency in (1, 16):
        out = tmp_path / str(concurrency)
        run(QUESTIONS, out, settings={"concurrency": concurrency})
        files.append([(out / name).read_bytes() for name in ("verdicts.jsonl", "dictionary.json")])
    assert files[0] == files[1]


def test_a_question_that_joins_at_the_top_moves_no_other(tmp_path):
    run(QUESTIONS, tmp_path / "before")
    run(["When do you open?", *reversed(QUESTIONS)], tmp_path / "after")
    before, after = asked(tmp_path / "before"), asked(tmp_path / "after")
    assert {question: after[question] for question in before} == before


def config(folder: Path, **data) -> Path:
    (folder / "shop.py").write_text(
        "PRICES = {'Basic': 9, 'Green Flex': 12, 'Night Saver': 8}\n"
        "def answer(text):\n"
        "    if 'which' in text.lower():\n"
        "        return 'We have Basic, Green Flex and Night Saver.'\n"
        "    return next((f'{n} costs {p} EUR a month.' for n, p in PRICES.items() if n in text), 'Sorry?')\n",
        "utf-8",
    )
    (folder / "questions.txt").write_text("\n".join(QUESTIONS) + "\n", "utf-8")
    more = "".join(f"{key} = {json.dumps(value)}\n" for key, value in data.items())
    path = folder / "campaign.toml"
    path.write_text(
        'relations = ["exchange-known-name"]\n[system]\ntype = "function"\ntarget = "shop.py:answer"\n'
        f'[data]\nformat = "lines"\npath = "questions.txt"\ntask = "chat"\n{more}',
        "utf-8",
    )
    return path


def test_a_user_corrects_and_extends_the_dictionary(command, tmp_path):
    entries = {"names": [{"names": ["Basic", "Sun Share", {"text": "Night Saver", "wrong": True}]}]}
    (tmp_path / "mine.json").write_text(json.dumps(entries), "utf-8")
    config(tmp_path, dictionary="mine.json")
    done = command("run", "campaign.toml", "--out", "out")
    assert done.code == 0, done.err
    made = {text for texts in asked(tmp_path / "out").values() for text in texts}
    assert "What does Sun Share cost?" in made
    assert not any("Night Saver" in text for text in made)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "not JSON"),
        ('{"format": "mutatis/report"}', "is not a dictionary"),
        ('names = ["Basic"]', "not JSON"),
        ('{"limits": ["Basic"]}', "'Basic' is not a recognised limit; expected a limit such as 'from 65 years'"),
        ('{"limits": ["from 65"]}', "limit such as 'from 65 years' or 'up to 3 people', with its unit"),
        ('{"values": ["many"]}', "'many' is not a recognised value"),
        ('{"nams": []}', "nams is not a field of this file; expected a dictionary.json"),
        ('{"names": ["Basic"]}', "names[0] is 'Basic'; expected an object; expected a dictionary.json"),
        ('{"names": [{"kind": "tariff", "names": "Basic"}]}', "names[0].names is 'Basic'"),
        ('{"limits": [{"text": "from 65 years", "side": "above"}]}', "input should be 'least' or 'most'"),
        (
            '{"systems": {"bot": {"names": []}}}',
            "all entries are for 'bot'; expected entries for 'function:shop.py:answer', the label of this run's system",
        ),
    ],
)
def test_a_file_that_is_no_dictionary_is_one_line(command, tmp_path, text, said):
    (tmp_path / "mine.json").write_text(text, "utf-8")
    config(tmp_path, dictionary="mine.json")
    done = command("run", "campaign.toml", "--out", "out")
    assert done.code == 2
    assert said in done.err
    assert done.err.strip().count("\n") == 0


def test_a_user_writes_entries_in_the_language_of_the_data(command, tmp_path):
    """Before, they were read in English: "limit 'ab 65 Jahren' is read as no limit"."""
    texts = ["Gilt der Rabatt f\u00fcr meine Oma, sie ist 70 Jahre alt?", "Was kostet der Eintritt am Samstag?"]
    (tmp_path / "mine.json").write_text(
        json.dumps({"limits": ["ab 65 Jahren", "up to 5 people"], "values": ["3.500 kWh", "drei Tage"]}), "utf-8"
    )
    config(tmp_path, dictionary="mine.json", language="de")
    (tmp_path / "questions.txt").write_text("\n".join(texts), "utf-8")
    command("run", "campaign.toml", "--set", 'relations=["at-limit"]', "--out", "out")
    [told] = json.loads((tmp_path / "out" / "dictionary.json").read_text("utf-8"))["systems"].values()
    assert {(limit["text"], limit["value"], limit["side"]) for limit in told["limits"]} == {
        ("ab 65 Jahren", "65 Jahren", "least"),
        ("up to 5 people", "5", "most"),
    }
    assert {(value["text"], value["unit"]) for value in told["values"]} >= {("3.500 kWh", "kWh"), ("drei Tage", "day")}


def test_directions_at_the_top_of_a_file_are_for_every_system(command, tmp_path):
    (tmp_path / "mine.json").write_text(
        '{"directions": ["the heavier, the dearer"], "systems": {"bot": {"names": []}}}', "utf-8"
    )
    config(tmp_path, dictionary="mine.json")
    assert command("run", "campaign.toml", "--out", "out").code == 0


@pytest.mark.parametrize(
    ("key", "meant"), [("dictionarry", "dictionary"), ("realtions", "relations"), ("limti", "limit")]
)
def test_a_misspelt_key_of_the_data_is_told_with_the_nearest(command, tmp_path, key, meant):
    config(tmp_path, **{key: "mine.json"})
    done = command("run", "campaign.toml", "--out", "out")
    assert done.code == 2
    assert f"did you mean {meant!r}?" in done.complaint


def test_a_dictionary_that_is_not_there_is_one_line(command, tmp_path):
    config(tmp_path, dictionary="mine.json")
    assert "mine.json: no such file" in command("run", "campaign.toml", "--out", "out").complaint


def test_a_dictionary_that_a_run_wrote_is_read_again(command, tmp_path):
    config(tmp_path)
    assert command("run", "campaign.toml", "--out", "first").code == 0
    written = tmp_path / "first" / "dictionary.json"
    config(tmp_path, dictionary="first/dictionary.json")
    assert command("run", "campaign.toml", "--out", "second").code == 0
    assert asked(tmp_path / "first") == asked(tmp_path / "second")
    assert written.read_bytes() == (tmp_path / "second" / "dictionary.json").read_bytes()


def reworded(prompt: str) -> str:
    """Answer a request for another wording; the one of Basic loses the name."""
    return json.dumps({"text": f"I wonder: {between(prompt, 'text').replace('Basic', 'that one')}"})


@pytest.mark.parametrize("max_queries", [None, 40])
def test_a_helper_is_given_the_names_that_its_text_must_keep(tmp_path, max_queries):
    outs = []
    for concurrency in (1, 16):
        helper, out = ScriptedHelper(reworded), tmp_path / str(concurrency)
        names = ["paraphrase", "exchange-known-name"]
        settings = {"concurrency": concurrency}
        mutatis.run(
            bot, QUESTIONS, names, task="chat", helper=helper, out=out, settings=settings, max_queries=max_queries
        )
        outs.append((out / "verdicts.jsonl").read_bytes())
    assert outs[0] == outs[1]
    notes = {
        between(prompt, "text"): prompt.partition("must stay as they are: ")[2].partition(".")[0]
        for prompt in helper.prompts
    }
    assert notes == {QUESTIONS[0]: "Green Flex", QUESTIONS[1]: "", QUESTIONS[2]: "Basic"}
    verdicts = [json.loads(line) for line in outs[0].decode().splitlines()]
    rejected = {
        v["source_input"]["message"]: v["reason"]
        for v in verdicts
        if v["relation"] == "paraphrase" and v["outcome"] == "invalid"
    }
    assert rejected == {QUESTIONS[2]: "the language model changed the name 'Basic'"}


def test_a_helper_is_told_no_names_where_no_relation_draws_from_the_dictionary(tmp_path):
    helper = ScriptedHelper(reworded)
    mutatis.run(bot, QUESTIONS, ["paraphrase"], task="chat", helper=helper, out=tmp_path)
    assert helper.prompts
    assert not any("must stay as they are" in prompt for prompt in helper.prompts)


def test_a_kind_of_change_is_switched_off(tmp_path):
    names = ["upper-case", "write-times", "polite-words"]
    run = mutatis.run(bot, QUESTIONS, names, task="chat", out=tmp_path, settings={"without": ["noise", "write-times"]})
    assert {row.relation for row in run.summary} == {"polite-words"}


def test_a_kind_of_change_that_is_none_is_named():
    with pytest.raises(UsageError, match="did you mean 'limit'"):
        mutatis.run(bot, QUESTIONS, ["upper-case"], task="chat", settings={"without": ["limits"]})
