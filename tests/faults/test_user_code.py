"""Whatever code of the user's own raises is one named failure: no traceback, no silent end, nothing else is lost."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import mutatis
from mutatis.assembly.making import load_user_code
from mutatis.core.cases import Derivation, Step
from mutatis.core.constraint import Constraint, Precondition, Stage
from mutatis.core.errors import UsageError
from mutatis.core.measure import Comparison, Judge, Similarity
from mutatis.core.relation import RELATIONS
from mutatis.core.search import Proposal, Source
from mutatis.core.task import TASKS
from mutatis.core.transformation import TRANSFORMATIONS, transformation
from mutatis.datasets import DATASETS, read
from mutatis.relations import relation
from support.loopback import Command

pytestmark = pytest.mark.usefixtures("nothing_is_left_unsaid")

TEXTS = ["Film one was fine.", "Film two was dull.", "Film three was odd."]

RAISED: dict[str, BaseException] = {"SystemExit": SystemExit(0), "GeneratorExit": GeneratorExit()}


@pytest.fixture(params=RAISED)  # the others are told in tests/unit/test_guarding.py
def boom(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """A function that raises, whatever it is given."""

    def boom(*_: object, **__: object) -> Any:
        raise RAISED[request.param]

    return boom


def run(system: Any = lambda text: "0.9", relations: Any = ("upper-case",), **options: Any) -> mutatis.Run:
    return mutatis.run(
        system, TEXTS, relations, **{"task": "sentiment", "settings": {"noise_floor": 0, "confirm": 0}, **options}
    )


def reasons(run: mutatis.Run, folder: Path) -> set[str]:
    [row] = run.summary
    assert (row.error, row.judged) == (3, 0)
    return {json.loads(line)["reason"] for line in (folder / "verdicts.jsonl").read_text().splitlines()}


def test_a_bot(boom: Callable[..., Any], tmp_path: Path) -> None:
    async def later(text: str) -> str:
        boom()
        return text

    def several(texts: list[str]) -> list[str]:
        boom()
        return texts

    for number, bot in enumerate((boom, later, mutatis.system("function", target=several, batch=True))):
        folder = tmp_path / str(number)
        [reason] = reasons(run(bot, out=folder), folder)
        assert reason.startswith("source: ") or reason.startswith("follow-up: ")


PARTS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "precondition": lambda boom: {
        "preconditions": [Precondition(name="fits", stage=Stage.SOURCE_OUTPUT, check=boom)],
    },
    "constraint": lambda boom: {"constraints": [Constraint(name="fits", check=boom)]},
    "output relation": lambda boom: {"output_relation": Judging(boom)},
}


class Judging:
    name = "fits"

    def __init__(self, decide: Callable[..., Any]) -> None:
        self.decide = decide

    def comparisons(self, group: object) -> tuple[Comparison, ...]:
        return ()


@pytest.mark.parametrize("part", PARTS)
def test_a_part_of_a_relation(boom: Callable[..., Any], part: str, tmp_path: Path) -> None:
    made = {"output_relation": "equal", "transformations": ["upper-case"], "tasks": ["sentiment"], **PARTS[part](boom)}
    relation("mine", **made)
    [reason] = reasons(run(relations=["mine"], out=tmp_path), tmp_path)
    assert reason.startswith(f"{part} 'fits' raised ")
    assert re.search(r" \(test_user_code\.py, line \d+\)$", reason)


@pytest.mark.parametrize("kind", ["plain", "async"])
def test_a_transformation(boom: Callable[..., Any], kind: str, tmp_path: Path) -> None:
    async def later(text: str) -> str:
        """Do it later."""
        return str(boom())

    def now(text: str) -> str:
        """Do it now."""
        return str(boom())

    transformation("mine", capability="nothing", says="nothing")(later if kind == "async" else now)
    relation("mine-rel", output_relation="equal", transformations=["mine"], tasks=["sentiment"])
    [reason] = reasons(run(relations=["mine-rel"], out=tmp_path), tmp_path)
    assert reason.startswith("transformation 'mine' raised ")


@pytest.mark.parametrize("made", [None, 7, b"text"])
def test_a_transformation_that_returns_no_text(made: Any, tmp_path: Path) -> None:
    @transformation("mine", capability="nothing", says="nothing")
    def mine(text: str) -> str:
        """Return something else."""
        return made  # type: ignore[no-any-return]

    relation("mine-rel", output_relation="equal", transformations=["mine"], tasks=["sentiment"])
    [reason] = reasons(run(relations=["mine-rel"], out=tmp_path), tmp_path)
    assert reason == f"transformation 'mine' returned an object of type {type(made).__name__}; expected a string"


class Measuring:
    name = "mine"

    def __init__(self, compare: Callable[..., Any]) -> None:
        self.compare = compare


def test_a_measure(boom: Callable[..., Any], tmp_path: Path) -> None:
    judge = Judge(measure=Measuring(boom), equal=0.5, different=0.5)
    [reason] = reasons(run(judge=judge, task="chat", out=tmp_path), tmp_path)
    assert reason.startswith("mine: measure 'mine' raised ")


def test_a_measure_that_gives_too_few_scores(tmp_path: Path) -> None:
    judge = Judge(measure=Measuring(lambda pairs: [Similarity(score=1.0)]), equal=0.5, different=0.5)
    [reason] = reasons(run(judge=judge, task="chat", out=tmp_path), tmp_path)
    assert reason == "mine: measure 'mine' returned 1 scores for 3 pairs"


def test_a_parser(boom: Callable[..., Any], tmp_path: Path) -> None:
    TASKS.add("mine", replace(TASKS["sentiment"], name="mine", parse=boom))
    [reason] = reasons(run(task="mine", out=tmp_path), tmp_path)
    assert "answer not parsed: the parser of task 'mine' raised " in reason


def test_a_helper(boom: Callable[..., Any], tmp_path: Path) -> None:
    class Model:
        async def complete(self, prompt: str, schema: object = None, **marks: object) -> str:
            return str(boom())

    [reason] = reasons(run(relations=["paraphrase"], helper=Model(), out=tmp_path), tmp_path)
    assert reason.startswith("helper 'Model' raised ")


def test_a_search(boom: Callable[..., Any]) -> None:
    class Mine:
        learns = False

        def ask(self) -> list[Any]:
            return list(boom())

        def tell(self, *_: object) -> None:
            pass

    with pytest.raises(UsageError, match="search 'Mine' raised "):
        run(search=Mine())

    class Noting(Mine):
        left = 1

        def ask(self) -> list[Any]:
            self.left -= 1
            case = mutatis.cases(["a fine film"], task="sentiment")[0]
            wanted = Derivation(source=case.id, steps=(Step(transformation="upper-case"),), variant=("text",))
            source = Source(case=case, relations=(RELATIONS["upper-case"],))
            return [Proposal(source=source, derivation=wanted)] * (self.left == 0)

        def note(self, *_: object, asked: bool) -> None:
            boom()

    with pytest.raises(UsageError, match="search 'Noting' raised "):
        run(search=Noting(), max_queries=10)


def test_when(boom: Callable[..., Any]) -> None:
    relation("mine", output_relation="equal", transformations=["upper-case"], tasks=["sentiment"], when=boom)
    with pytest.raises(UsageError, match=r"when\(turn\) of relation 'mine' raised "):
        run(relations=["mine"])
    assert "mine" in RELATIONS


def test_a_reader_of_data(boom: Callable[..., Any], tmp_path: Path) -> None:
    @DATASETS.register("mine", task="sentiment")
    def mine(file: object) -> Iterator[Any]:
        """Read nothing."""
        boom()
        yield 7

    @DATASETS.register("sevens", task="sentiment")
    def sevens(file: object) -> Iterator[Any]:
        """Read sevens."""
        yield 7

    with pytest.raises(UsageError, match="data format 'mine' raised "):
        read("mine", tmp_path / "x")
    with pytest.raises(UsageError, match="data format 'sevens' yielded int; expected cases"):
        read("sevens", tmp_path / "x")


@pytest.mark.parametrize("place", ["bot.py", "ext.py"])
@pytest.mark.parametrize("raised", ["SystemExit(0)", "GeneratorExit", "ValueError('boom')", "StopIteration"])
def test_a_file_that_is_loaded(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, place: str, raised: str
) -> None:
    command = Command(monkeypatch, capsys, tmp_path)
    (tmp_path / "bot.py").write_text("def answer(text):\n    return '0.9'\n")
    (tmp_path / "ext.py").write_text("")
    (tmp_path / place).write_text(f"\nraise {raised}\n")
    (tmp_path / "d.jsonl").write_text('{"text": "fine"}\n')
    options = ["--relations", "upper-case", "--set", 'load=["ext.py"]', "--out", "out"]
    done = command("run", "--system", "bot.py:answer", "--task", "sentiment", "--data", "d.jsonl", *options)
    assert done.code == 2
    assert place in done.complaint
    assert raised.partition("(")[0] in done.complaint


def test_a_file_that_changed_since_it_was_loaded_is_told(tmp_path: Path) -> None:
    """What it registered before stays: a notebook would go on with the old code and say nothing."""
    file = tmp_path / "changing_relations.py"
    file.write_text("VALUE = 1\n")
    load_user_code(file)
    load_user_code(file)
    file.write_text("VALUE = 2\n")
    with pytest.raises(
        UsageError, match=r"changing_relations\.py has changed since this program loaded it; restart the"
    ):
        load_user_code(file)


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("\n\ndef broken(:\n", "line 3: SyntaxError"),
        ("import json\n\n\njson.loads('{')\n", "line 4: JSONDecodeError"),
    ],
)
def test_the_line_that_is_told_is_one_of_the_file(tmp_path: Path, code: str, says: str) -> None:
    file = tmp_path / "broken_relations.py"
    file.write_text(code)
    with pytest.raises(UsageError, match=says):
        load_user_code(file)


MADE: dict[str, tuple[Callable[[], object], str]] = {
    "no name": (lambda: transformation(str.upper), r'expected its name: @transformation\("my-edit"\)'),  # type: ignore[arg-type]
    "a class": (lambda: transformation("made")(dict), "transformation 'made': dict is a class; expected a function"),
    "two arguments": (
        lambda: transformation("made")(two),
        "missing a required argument: 'other'; expected one argument",
    ),
    "a number": (lambda: made(output_relation=5), "output relation 5 has no `name`; expected a name, such as equal"),
    "a function": (lambda: made(output_relation=two), "has no `name`; expected a name, such as equal or different"),
    "a name": (lambda: made(preconditions=["short"]), "preconditions contains 'short'; expected Precondition objects"),
}


def two(text: str, other: str) -> str:
    """Edit a text by another."""
    return text + other


def made(**options: Any) -> object:
    return relation("made", transformations=["upper-case"], tasks=["chat"], **options)


@pytest.mark.parametrize(("define", "says"), MADE.values(), ids=MADE)
def test_what_cannot_be_used_is_told_where_it_is_defined(define: Callable[[], object], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        define()
    assert "made" not in RELATIONS
    assert "made" not in TRANSFORMATIONS


def test_an_interrupt_is_one() -> None:
    def boom(text: str) -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(boom)
