"""The published methods on both engines, with a budget and without: configurations for `ray_runs.py`."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

from mutatis.datasets import sample

READER = """
def answer(fields):
    words = [word.strip(".,?!") for word in fields["context"].split()]
    wanted = {word.strip(".,?!").lower() for word in fields["question"].split()}
    if fields["question"].isupper() or "zzz" in fields["question"]:
        return "unknown"
    return next((word for word in words if word[:1].isupper() and word.lower() not in wanted), "unknown")
"""

KEEPER = """
from mutatis.core.system import Response
from mutatis.options import Options
from mutatis.systems import SYSTEMS

class Bot:
    label = "{name}"
    identity = {{"type": "{name}"}}

    def session(self):
        return Session()


class Session:
    async def __aenter__(self):
        self.said = []
        return self

    async def __aexit__(self, *_):
        pass

    async def send(self, conversation):
        question, earlier = conversation.fields["question"], tuple(self.said)
        self.said.append(question)
        return Response(text={reply})


@SYSTEMS.register("{name}")
class BotOptions(Options):
    '''A bot that keeps the dialogue itself.'''

    def build(self):
        return Bot()
"""
"""A bot in a file of its own: what it says follows from `question` and the `earlier` ones of its dialogue."""

LEANS = (
    'f"about {len(question) % 5}" if len(question) % 3 or any(len(e) > len(question) for e in earlier) else "unknown"'
)
"""What a bot says that leans on what it was asked before."""


def keeper(folder: Path, name: str, reply: str) -> Path:
    """Write a bot that keeps its dialogues, a system type of this name; return the file."""
    path = folder / f"{name}.py"
    path.write_text(KEEPER.format(name=name, reply=reply))
    return path


PRAISE, BLAME = (
    ("a lovely film", "such a warm story", "I liked every scene"),
    ("a dull film", "a cold story", "I slept"),
)
REVIEWS = ("it is a lovely, warm film.", "every scene is dull.", "I slept well; a cold story.", "a story I liked.")


def campaigns(folder: Path) -> dict[str, dict[str, Any]]:
    """Write systems and data into a folder; return the tables of each campaign by its name."""
    (folder / "reader.py").write_text(READER)
    stories = [
        ("In Aldbrook, Tom Harding built a mill. Ann Weller paid for the bell.", "Who built the mill in Aldbrook?"),
        ("Rosa Park left for Lima in May. Her sister Eve stayed in Quito.", "Who stayed in Quito?"),
        ("Ben Ward sold the boat to Ida. She sails to Fanø every summer.", "Who bought the boat?"),
    ]
    questions = [{"context": context, "question": asked, "answers": []} for context, asked in stories]
    reviews = [{"text": text, "label": "praise" if n % 2 else "blame"} for n, text in enumerate(REVIEWS * 2, 1)]
    reviews = [{**review, "text": f"{n} {review['text']}"} for n, review in enumerate(reviews)]
    for name, rows in (("questions", questions), ("labelled", reviews)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    _train(folder / "model.joblib")
    methods: dict[str, dict[str, Any]] = {
        "llmorph": {
            "recipe": "llmorph",
            "system": {"type": "function", "target": f"{folder / 'reader.py'}:answer", "input": "fields"},
            "data": {"task": "question-answering", "format": "jsonl", "path": str(folder / "questions.jsonl")},
        },
        "mortar": {
            "recipe": "mortar",
            "load": [str(keeper(folder, "forgetful", LEANS))],
            "system": {"type": "forgetful"},
            "data": {"task": "dialogue", "format": "coqa", "path": str(sample("dialogues")), "limit": 2},
            "judge": {"measure": "exact"},
        },
        "families": {
            "recipe": "content_quality",
            "system": {"type": "sklearn", "model": str(folder / "model.joblib")},
            "data": {"task": "classification", "format": "jsonl", "path": str(folder / "labelled.jsonl")},
        },
    }
    budgets = {"llmorph": 60, "mortar": 150, "families": 60}
    few: dict[str, Any] = {"noise_floor": 3, "confirm": 1, "shrink": 4}
    plain = {name: {**tables, **few} for name, tables in methods.items()}
    return plain | {f"{name}-budget": {**plain[name], "max_queries": most} for name, most in budgets.items()}


def _train(path: Path) -> None:
    import joblib
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        texts, labels = [*PRAISE, *BLAME], ["praise"] * len(PRAISE) + ["blame"] * len(BLAME)
        joblib.dump(make_pipeline(TfidfVectorizer(lowercase=False), LogisticRegression()).fit(texts, labels), path)
