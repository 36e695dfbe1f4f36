"""The software that is tested, as it comes from the package index: its name, what it answers, and what it is asked.

Each has a builder that imports its package, so that a missing one is known by name. Must not know how it is judged.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import chdir
from dataclasses import dataclass
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import mutatis
from mutatis.core.cases import Case
from mutatis.datasets.samples import sample

HERE = Path(__file__).parent
REVIEWS, TEXTS, QUESTIONS = 60, 120, 12
CORPORA = ("computers", "food", "history", "money", "science", "sports")
"""The parts of ChatterBot's own corpus that it is trained on, and asked about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Software:
    """A package under test; `build` returns what answers, `cases` what it is asked."""

    name: str
    package: str
    task: str
    build: Callable[[], Callable[[str], Any]]
    cases: Callable[[], Sequence[Case]]
    needs: tuple[str, ...] = ()

    def missing(self) -> tuple[str, ...]:
        """Return the packages that are not installed."""
        return tuple(name for name in (self.package, *self.needs) if _version(name) is None)

    @property
    def release(self) -> str:
        """The package and its version."""
        return f"{self.package} {_version(self.package)}"


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def shared() -> Path:
    """Return the folder of public data."""
    return Path(os.environ.get("MUTATIS_SHARED", HERE.parents[2] / "shared")) / "data"


def reviews() -> list[Case]:
    """Return reviews of SST-2, or where they are not at hand the package's own."""
    path = shared() / "sst2" / "dev.tsv.xz"
    if path.exists():
        return mutatis.read_cases("sst2", path, limit=REVIEWS)
    return mutatis.read_cases("jsonl", sample("reviews"), task="sentiment")


def threats() -> list[Case]:
    """Return texts that a moderator should block."""
    lines = (HERE.parent / "kinds" / "texts.txt").read_text(encoding="utf-8").splitlines()[1:]
    return mutatis.cases(lines[:TEXTS], task="moderation")


def written() -> list[Case]:
    """Return questions of XQuAD in three languages and English messages, or without them the package's own."""
    texts: dict[str, list[str]] = {"en": sample("questions").read_text(encoding="utf-8").splitlines()}
    messages = shared() / "banking77" / "test.csv.xz"
    if messages.exists():
        texts["en"] += [case.turns[0].fields["text"] for case in mutatis.read_cases("banking77", messages)][::50]
    for language, many in (("en", 60), ("de", 20), ("es", 20)):
        path = shared() / "xquad" / f"xquad.{language}.first24.json.xz"
        if path.exists():
            asked = [case.turns[0].fields["question"] for case in mutatis.read_cases("squad2", path)]
            texts.setdefault(language, []).extend(asked[:: len(asked) // many][:many])
    return [
        case
        for language, lines in texts.items()
        for case in mutatis.cases(
            [{"id": f"{language}-{number}", "text": text} for number, text in enumerate(lines)],
            task="classification",
            language=language,
        )
    ]


def statements() -> list[Case]:
    """Return what somebody says to a listener."""
    return mutatis.cases((HERE / "statements.txt").read_text(encoding="utf-8").splitlines(), task="chat")


def known_questions() -> list[Case]:
    """Return questions of the corpus that ChatterBot is trained on: it has an answer to each, word for word."""
    import chatterbot_corpus
    import yaml

    folder = Path(chatterbot_corpus.__file__).parent / "data" / "english"
    asked: list[str] = []
    for name in CORPORA:
        pairs = yaml.safe_load((folder / f"{name}.yml").read_text(encoding="utf-8"))["conversations"]
        questions = [str(pair[0]) for pair in pairs if str(pair[0]).count(" ") >= 2]
        asked += questions[:: max(1, len(questions) // (QUESTIONS // len(CORPORA)))][: QUESTIONS // len(CORPORA)]
    return mutatis.cases(asked, task="chat")


def vader() -> Callable[[str], float]:
    """VADER's verdict, by the thresholds that its documentation tells to use."""
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    analyser = SentimentIntensityAnalyzer()
    return lambda text: _feeling(analyser.polarity_scores(text)["compound"], 0.05)


def textblob() -> Callable[[str], float]:
    """TextBlob's verdict: the sign of its polarity."""
    from textblob import TextBlob

    return lambda text: _feeling(TextBlob(text).sentiment.polarity, 1e-9)


def _feeling(polarity: float, least: float) -> float:
    return 1.0 if polarity >= least else 0.0 if polarity <= -least else 0.5


def better_profanity() -> Callable[[str], str]:
    """Whether the filter finds profanity in a text."""
    from better_profanity import profanity

    profanity.load_censor_words()
    return lambda text: "blocked" if profanity.contains_profanity(text) else "allowed"


def langdetect() -> Callable[[str], str]:
    """The code of the language; its detector draws at random, as it comes."""
    import langdetect as package

    return partial(_detected, package)


def _detected(package: Any, text: str) -> str:
    try:
        return str(package.detect(text))
    except package.LangDetectException:
        return "unknown"


def py3langid() -> Callable[[str], str]:
    """The code of the language."""
    import py3langid as package

    return lambda text: str(package.classify(text)[0])


def eliza() -> Callable[[str], str]:
    """The ELIZA of NLTK, which draws one of several replies at random."""
    from nltk.chat.eliza import eliza_chatbot

    return lambda text: str(eliza_chatbot.respond(text))


def chatterbot() -> Callable[[str], str]:
    """ChatterBot, trained on parts of its own corpus.

    Its usual tagger wants a model of spaCy that the package index does not hold, so it is built with the other one.
    """
    from chatterbot import ChatBot
    from chatterbot.tagging import LowercaseTagger
    from chatterbot.trainers import ChatterBotCorpusTrainer

    place = f"sqlite:///{mkdtemp()}/chatterbot.db"
    made = ChatBot("bot", database_uri=place, tagger=LowercaseTagger, read_only=True)
    teacher = ChatBot("bot", database_uri=place, tagger=LowercaseTagger)
    trainer = ChatterBotCorpusTrainer(teacher, show_training_progress=False)
    trainer.train(*(f"chatterbot.corpus.english.{name}" for name in CORPORA))
    return lambda text: str(made.get_response(text))


def alice() -> Callable[..., str]:
    """ALICE, as python-aiml brings it along: its brain and nothing else; a dialogue is told to it from the start.

    It draws among its replies at random. The draws of each dialogue begin alike, so that a difference is not theirs.
    """
    import aiml

    kernel = aiml.Kernel()
    kernel.verbose(False)
    folder = Path(aiml.__file__).parent / "botdata" / "alice"
    with chdir(folder):  # its start file names the others from there
        kernel.bootstrap(learnFiles="startup.xml", commands="load alice")
    numbers = count()

    def answer(text: str, history: Sequence[tuple[Mapping[str, str], Any]] = ()) -> str:
        session = f"session {next(numbers)}"
        random.seed(0)
        for fields, _ in history:
            kernel.respond(fields["message"], session)
        reply = str(kernel.respond(text, session))
        kernel._deleteSession(session)
        return reply

    return answer


def small_talk() -> list[Case]:
    """Return what people say to somebody whom they have just met."""
    return mutatis.cases((HERE / "small_talk.txt").read_text(encoding="utf-8").splitlines(), task="chat")


ALL = (
    Software(
        name="VADER",
        package="vaderSentiment",
        task="sentiment",
        build=vader,
        cases=reviews,
    ),
    Software(
        name="TextBlob",
        package="textblob",
        task="sentiment",
        build=textblob,
        cases=reviews,
    ),
    Software(
        name="better-profanity",
        package="better-profanity",
        task="moderation",
        build=better_profanity,
        cases=threats,
    ),
    Software(
        name="langdetect",
        package="langdetect",
        task="classification",
        build=langdetect,
        cases=written,
    ),
    Software(
        name="py3langid",
        package="py3langid",
        task="classification",
        build=py3langid,
        cases=written,
    ),
    Software(name="ELIZA", package="nltk", task="chat", build=eliza, cases=statements),
    Software(
        name="ChatterBot",
        package="chatterbot",
        task="chat",
        build=chatterbot,
        cases=known_questions,
        needs=("chatterbot-corpus", "pyyaml"),
    ),
    Software(name="ALICE", package="python-aiml", task="chat", build=alice, cases=small_talk),
)
