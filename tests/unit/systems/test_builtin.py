"""The systems that ship with the package: what they answer, and that they answer the same way every time."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

from mutatis.core.errors import MissingExtra, UsageError
from mutatis.core.system import Conversation, Message
from mutatis.systems import SYSTEMS
from mutatis.systems.builtin import language
from mutatis.systems.builtin import reader as reader_module
from mutatis.systems.builtin.language import QuestionKind, tagged_words, understand
from mutatis.text.embedder import embedder_is_installed

STORY = (
    "The lighthouse of Port Arden was built in 1862 by the engineer Thomas Weld. It stands on a narrow rock called the "
    "Needle. The tower has 211 steps. The last keeper, Agnes Moor, left the tower because the lamp was automatic. "
    "Visitors are not allowed in winter."
)


def talk(question, *history, story=STORY):
    return Conversation(
        messages=(Message(role="user", content=question),),
        fields={"context": story, "question": question},
        history=tuple(({"question": q}, a) for q, a in history),
    )


def rate(text):
    return Conversation(messages=(Message(role="user", content="prompt"),), fields={"text": text})


async def test_sentiment_is_a_number_from_0_to_1_that_follows_the_words():
    system = SYSTEMS["builtin"](name="sentiment")
    good, bad, none = [
        float(answer.text)
        for answer in await system.ask_many([rate("a great film"), rate("a terrible film"), rate("a film")])
    ]
    assert 0 <= bad < 0.3 < none == 0.5 < 0.7 < good <= 1
    assert (await system.ask(rate("a great film"))).text == f"{good:.2f}"
    assert system.label == "builtin:sentiment"


@pytest.mark.parametrize("text", ["", " ", "!!!", "\ud83d", "x" * 100_000, "好きです"])
async def test_sentiment_takes_any_text(text):
    assert 0 <= float((await SYSTEMS["builtin"](name="sentiment").ask(rate(text))).text) <= 1


@pytest.fixture(scope="module")
def reader():
    if not embedder_is_installed():
        pytest.skip("the semantic extra is not installed")
    return SYSTEMS["builtin"](name="reader")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who built the lighthouse?", "Thomas Weld"),
        ("When was the lighthouse built?", "1862"),
        ("How many steps does the tower have?", "211"),
        ("Who was the last keeper?", "Agnes Moor"),
        ("Are visitors allowed in winter?", "no"),
        ("Was the lighthouse built in 1862?", "yes"),
    ],
)
async def test_the_reader_finds_answers_by_what_is_asked(reader, question, answer):
    assert answer in (await reader.ask(talk(question))).text


async def test_the_reader_says_unknown_where_the_story_says_nothing(reader):
    assert (await reader.ask(talk("What did the president of Peru eat for breakfast?"))).text == "unknown"
    assert (await reader.ask(talk("Who built it?", story=""))).text == "unknown"
    assert (await reader.ask(talk(" "))).text == "unknown"


async def test_the_reader_answers_alone_as_in_a_batch(reader):
    questions = [
        "Who built the lighthouse?",
        "Where does it stand?",
        "Why did she leave?",
        "What is it called?",
        "And then?",
    ]
    talks = [talk(question, ("Who was the last keeper?", "Agnes Moor")) for question in questions]
    together = [answer.text for answer in await reader.ask_many(talks)]
    assert together == [(await reader.ask(talk)).text for talk in talks]
    assert together == [answer.text for answer in reversed(await reader.ask_many(talks[::-1]))]


async def test_history_changes_what_a_leaning_question_means(reader):
    deaf = SYSTEMS["builtin"](name="reader", history=False)
    past = ("Who was the last keeper?", "Agnes Moor")
    assert (await deaf.ask(talk("Why?", past))).text == (await deaf.ask(talk("Why?"))).text
    assert (await reader.ask(talk("Why?", past))).text != (await reader.ask(talk("Why?"))).text
    assert deaf.identity != reader.identity


async def test_the_threshold_decides_when_to_say_unknown(reader):
    shy = SYSTEMS["builtin"](name="reader", threshold=99.0)
    assert (await shy.ask(talk("Who built the lighthouse?"))).text == "unknown"


@pytest.mark.parametrize("text", ["?", "\ud83d", "a/b//c", "x" * 5000, "好きです。", "Who\n\nwhat", "1" * 300])
async def test_the_reader_takes_any_text(reader, text):
    assert (await reader.ask(talk(text))).text
    assert (await reader.ask(talk("Who built it?", story=text))).text
    assert (await reader.ask(talk("Why?", (text, text)))).text


async def test_a_story_of_a_megabyte_is_answered(reader, monkeypatch):
    import numpy as np

    monkeypatch.setattr(reader_module, "embed", lambda texts: np.ones((len(texts), 4), dtype=np.float32))
    story = STORY + " Nothing else happened there." * 36_000
    assert "Thomas Weld" in (await reader.ask(talk("Who built the lighthouse of Port Arden?", story=story))).text


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Who left?", QuestionKind.PERSON),
        ("When did he leave?", QuestionKind.TIME),
        ("In what year did he leave?", QuestionKind.TIME),
        ("Where is it?", QuestionKind.PLACE),
        ("Which city is it in?", QuestionKind.PLACE),
        ("How many are there?", QuestionKind.NUMBER),
        ("How old is he?", QuestionKind.NUMBER),
        ("Why?", QuestionKind.REASON),
        ("How did he do it?", QuestionKind.MANNER),
        ("Did he leave?", QuestionKind.POLAR),
        ("And is he old?", QuestionKind.POLAR),
        ("Was it red or blue?", QuestionKind.CHOICE),
        ("What did he do?", QuestionKind.ACTION),
        ("What color was it?", QuestionKind.THING),
        ("", QuestionKind.THING),
    ],
)
def test_questions_are_understood(question, asked):
    assert understand(question).asked is asked


def test_words_are_tagged_where_they_stand():
    sentence = "Ann's 2 cats left Rome, in 1990."
    assert "".join(sentence[word.start : word.end] for word in tagged_words(sentence)) == sentence.replace(" ", "")
    assert next(word.tag for word in tagged_words(sentence) if word.text == "2") == "CD"


def test_wrong_options_are_told(monkeypatch):
    with pytest.raises(UsageError, match="did you mean 'reader'"):
        SYSTEMS["builtin"](name="reeder")
    with pytest.raises(UsageError, match="'sentiment' has no option 'threshold'"):
        SYSTEMS["builtin"](name="sentiment", threshold=1.0)
    monkeypatch.setattr(reader_module, "embedder_is_installed", lambda: False)
    with pytest.raises(MissingExtra, match=r"mutatis\[semantic\]"):
        SYSTEMS["builtin"](name="reader")


def test_importing_the_rooms_imports_nothing_heavy():
    code = (
        "import sys, mutatis.systems, mutatis.tasks, mutatis.datasets\n"
        "heavy = {'torch', 'transformers', 'aiohttp', 'textblob', 'nltk', 'sentence_transformers', 'sklearn'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    shown = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONPATH": "src"}
    )
    assert shown.stdout.strip() == "[]"


def test_the_lexicon_is_loaded_by_one_thread_while_others_wait(monkeypatch):
    """Who tagged with half a lexicon read "The incident" for "incident", and kept that for the whole run."""
    import textblob.en

    begun, others = [], []

    def parse(text, **_):
        begun.append(text)
        if len(begun) == 1:  # while the first thread loads, a second one asks for the tagger
            others.append(threading.Thread(target=language.textblob_function, args=("parse",)))
            others[0].start()
            others[0].join(0.2)  # waits in vain where the second one waits for the first
        return text

    monkeypatch.setattr(textblob.en, "parse", parse)
    language._loaded.cache_clear()
    try:
        assert language.textblob_function("parse") is parse
        others[0].join()
        assert begun == ["word"]
    finally:
        language._loaded.cache_clear()
