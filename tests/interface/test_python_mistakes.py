"""Mistakes of a first program: one clear line that says what to write instead, and nothing that passes silently."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import mutatis
import mutatis.rltest4chatbot  # noqa: F401 - fills registries
from mutatis.search import SEARCHES, Once

TEXTS = ["A film that was fine.", "A dull film."]


def bot(text: str) -> str:
    return "0.5"


class Bot:
    label, identity = "bot", {"type": "bot"}

    async def ask(self, conversation: Any) -> Any:
        raise AssertionError("nothing may be asked")


class Plain:
    """A class of a user's own that is not asked by `ask`."""


class Searching:
    learns = False

    def ask(self) -> list[Any]:
        return []

    def tell(self, *_: Any) -> None:
        pass


class Forgetful:
    def ask(self) -> list[Any]:
        return []

    def tell(self, *_: Any) -> None:
        pass


class Helper:
    async def complete(self, prompt: str) -> str:
        return "x"


def run(system: Any = bot, cases: Any = TEXTS, relations: Any = ("upper-case",), **more: Any) -> mutatis.Run:
    return mutatis.run(system, cases, relations, task="sentiment", settings={"noise_floor": 0}, **more)


MISTAKES: dict[str, tuple[Callable[[], Any], str]] = {
    "a class as system": (lambda: run(Bot), "system is the class Bot; expected an object: Bot(...)"),
    "a class as function": (lambda: run(Plain), "function system 'Plain' is the class Plain; expected an object"),
    "no argument": (lambda: run(lambda: "x"), "too many positional arguments; expected a function of one argument"),
    "two arguments": (lambda: run(lambda a, b: "x"), "missing a required argument: 'b'; expected a function of one"),
    "what a bot said": (lambda: run(bot("x")), "'0.5' is not a system; expected a function"),
    "a table as system": (lambda: run({"type": "openai"}), "is not a system; expected a function"),
    "the system second": (lambda: run(TEXTS, bot), "cases: expected a list of texts"),
    "a text as cases": (lambda: run(cases="a film"), "is a single text; expected a list of texts"),
    "numbers as cases": (lambda: run(cases=[1, 2]), "record 1: expected a text, a record (a dictionary) or a Case"),
    "another field": (lambda: run(cases=[{"txt": "a"}]), 'map it to one of them with fields = {text = "txt"}'),
    "no case": (lambda: run(cases=[]), "no cases to test: the data is empty"),
    "one relation": (lambda: run(relations="upper-case"), "expected a list of relations: ['upper-case']"),
    "a number as relations": (lambda: run(relations=5), "relations is 5; expected a list of relations"),
    "a function as relation": (lambda: run(relations=[str.upper]), "expected names, published ids, tag:NAME or"),
    "a misspelt relation": (lambda: run(relations=["uper-case"]), "did you mean 'upper-case'"),
    "a class as search": (lambda: run(search=Once), "search is the class Once; expected an object: Once(...)"),
    "options of a search": (lambda: run(search=SEARCHES["random-edits"].model), "expected an object: "),
    "my class as search": (lambda: run(search=Searching), "is the class Searching; expected an object: Searching(...)"),
    "half a search": (
        lambda: run(search=Forgetful()),
        "which has no `learns`; expected a name (mutatis list searches)",
    ),
    "a failing search": (lambda: run(search=lambda _: 1 / 0), "search '<lambda>' raised ZeroDivisionError"),
    "no search": (lambda: run(search=lambda _: None), "search is None, which has no `ask`; expected a name"),
    "a misspelt search": (lambda: run(search="gird"), "unknown search 'gird'; did you mean 'grid'?"),
    "a class as judge": (lambda: run(judge=mutatis.Judge), "judge is the class Judge; expected an object"),
    "a function as judge": (
        lambda: run(judge=lambda a, b: a == b),
        "expected a Judge or the name of a measure (mutatis list measures)",
    ),
    "a class as helper": (lambda: run(helper=Helper), "helper is the class Helper; expected an object: Helper(...)"),
    "a helper without marks": (lambda: run(helper=Helper()), "expected: async def complete(self, prompt, schema=None"),
    "a name as helper": (lambda: run(helper="gpt"), "expected an object with `complete(prompt, ...)`"),
    "a number as recipe": (lambda: run(recipe=5), "recipe is 5; expected a name, or a list of names"),
    "a word for no": (lambda: run(offline="no"), "offline is 'no'; expected True or False"),
    "asking without asking": (lambda: run(offline=True, fresh=True), "offline asks nothing, but fresh asks everything"),
    "a number as folder": (lambda: run(out=5), "out is 5; expected a path"),
    "a number as listener": (lambda: run(on_event=5), "on_event is 5; expected a function that takes an event"),
    "a half budget": (lambda: run(max_queries=1.5), "max_queries is 1.5; expected a whole number"),
    "a huge budget": (lambda: run(max_queries=1e23), "max_queries is 1e+23; expected a whole number"),
    "a misspelt setting": (
        lambda: mutatis.run(bot, TEXTS, settings={"concurency": 4}),
        "unknown key of the configuration: 'concurency'; did you mean 'concurrency'?",
    ),
    "a number as file": (lambda: mutatis.read_cases("jsonl", 5), "path is 5; expected a path"),
    "a number as type": (lambda: mutatis.system(5), "kind is 5; expected a system type (mutatis list systems)"),
    "a misspelt option": (lambda: mutatis.system("openai", modl="m"), "did you mean 'model'?"),
}


@pytest.mark.parametrize(("call", "says"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_told_in_one_line(call: Callable[[], Any], says: str, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(mutatis.UsageError) as told:
        call()
    assert says in str(told.value)
    assert "\n" not in str(told.value)
    assert len(str(told.value)) < 400
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (
            lambda text: (piece for piece in "ab"),
            "returned a generator: join its pieces into one text; expected a string",
        ),
        (lambda text: Plain(), "returned an object of class Plain; expected a string"),
    ],
)
def test_what_a_function_returned_is_told_without_its_place_in_memory(answer: Any, says: str) -> None:
    assert says in str(run(answer).report.health)


class SynchronousHelper:
    def complete(self, prompt: str, schema: Any = None, **marks: Any) -> dict[str, str]:
        return {"text": "A film which was all right."}


def test_a_helper_need_not_be_asynchronous() -> None:
    [row] = run(relations=["paraphrase"], helper=SynchronousHelper()).report.summary
    assert (row.error, row.judged) == (0, 2)
