"""The command line, a TOML file, Python and the pytest fixture build the same run through the same code."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import mutatis
from mutatis.api import run_config
from mutatis.config import check
from mutatis.core.cases import Derivation, Step
from mutatis.core.relation import RELATIONS
from mutatis.core.search import Measurements, Proposal, Source
from mutatis.search import Once
from mutatis.testing import ScriptedSystem

TEXTS = ("a film that was fine", "a dull film", "the best soup in town")
RELATIONS_CHOSEN = ["upper-case", "leet", "add-spaces"]


def data(folder: Path) -> Path:
    path = folder / "reviews.jsonl"
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in TEXTS))
    return path


def test_toml_python_and_the_command_line_give_the_same_bytes(tmp_path: Path, monkeypatch: Any) -> None:
    from typer.testing import CliRunner

    from mutatis.cli.app import app

    path = data(tmp_path)
    tables: dict[str, Any] = {
        "seed": 7,
        "relations": RELATIONS_CHOSEN,
        "system": {"type": "builtin", "name": "sentiment"},
        "data": {"task": "sentiment", "format": "jsonl", "path": str(path)},
    }
    run_config(check(tables), out=tmp_path / "toml")
    cases = mutatis.read_cases("jsonl", path, task="sentiment")
    system = mutatis.system("builtin", name="sentiment")
    mutatis.run(system, cases, RELATIONS_CHOSEN, seed=7, out=tmp_path / "python")
    monkeypatch.chdir(tmp_path)
    arguments = ["--system", "builtin:sentiment", "--data", f"jsonl:{path}", "--task", "sentiment", "--seed", "7"]
    done = CliRunner().invoke(app, ["run", *arguments, "--relations", ",".join(RELATIONS_CHOSEN), "--out", "cli"])
    assert done.exit_code == 0, done.output
    verdicts = [(tmp_path / way / "verdicts.jsonl").read_bytes() for way in ("toml", "python", "cli")]
    assert verdicts[0] == verdicts[1] == verdicts[2]
    assert len(verdicts[0].splitlines()) == 9


def test_a_recipe_from_python_brings_its_relations_settings_and_numbers() -> None:
    cases = mutatis.read_cases("coqa", mutatis.sample("dialogues"), limit=2)
    parrot = ScriptedSystem({"*": "yes"}, label="parrot")
    run = mutatis.run(parrot, cases, recipe="mortar", judge="exact", settings={"confirm": 0})
    assert run.metrics["mortar"]["systems"]["parrot"]["test_cases"] == 2 * 5
    assert {"context-preserving", "reference-based"} <= {row.relation for row in run.summary}


def test_several_tasks_in_one_run_each_with_the_relations_that_fit() -> None:
    reviews = [mutatis.Case(id="r/0", task="sentiment", turns=(mutatis.Turn(fields={"text": "a fine film"}),))]
    fields = {"premise": "A man eats.", "hypothesis": "Somebody eats."}
    pairs = [mutatis.Case(id="n/0", task="inference", turns=(mutatis.Turn(fields=fields),))]
    system = ScriptedSystem(lambda c: "0.5" if "text" in c.fields else "entailment")
    run = mutatis.run(system, [*reviews, *pairs], ["upper-case", "random-sentence"], settings={"confirm": 0})
    assert {(row.task, row.relation) for row in run.summary} >= {
        ("sentiment", "upper-case"),
        ("inference", "upper-case"),
    }
    assert ("sentiment", "random-sentence") not in {(row.task, row.relation) for row in run.summary}


def test_offline_and_fresh_from_python(tmp_path: Path) -> None:
    cases = mutatis.read_cases("jsonl", data(tmp_path), task="sentiment")
    options: dict[str, Any] = {"store": tmp_path / "s.db", "settings": {"confirm": 0, "noise_floor": 0}}
    bot = ScriptedSystem({"*": "0.5"})
    mutatis.run(bot, cases, ["upper-case"], **options)
    assert bot.count == 6
    again = mutatis.run(bot, cases, ["upper-case"], offline=True, **options)
    assert (bot.count, again.report.run.queries.stored) == (6, 6)
    missing = mutatis.run(bot, cases, ["leet"], offline=True, **options)
    assert missing.summary[0].error == 3
    mutatis.run(bot, cases, ["upper-case"], fresh=True, **options)
    assert bot.count == 12


def test_a_plain_function_is_a_system() -> None:
    case = mutatis.Case(id="r/0", task="sentiment", turns=(mutatis.Turn(fields={"text": "a fine film"}),))
    run = mutatis.run(lambda text: "0.9" if text.islower() else "0.1", [case], ["upper-case"])
    assert run.summary[0].violated == 1


class Stray:
    """Proposes one transformation for every source, whatever the relations say."""

    learns = False

    def __init__(self, sources: Sequence[Source], step: str) -> None:
        self._left = [
            Proposal(
                source=source,
                derivation=Derivation(
                    source=source.case.id, steps=(Step(transformation=step, parameters={}),), variant=("text",)
                ),
            )
            for source in sources
        ]

    def ask(self) -> Sequence[Proposal]:
        batch, self._left = self._left, []
        return batch

    def tell(self, proposal: Proposal, verdicts: Sequence[Any], measurements: Measurements) -> None:
        pass


def reviews() -> list[mutatis.Case]:
    turn = mutatis.Turn(fields={"text": "a fine film"})
    return [mutatis.Case(id=f"r/{i}", task="sentiment", turns=(turn,)) for i in range(3)]


def test_a_search_that_proposes_what_no_relation_accepts_is_an_error() -> None:
    with pytest.raises(
        mutatis.UsageError, match=r"proposes leet on r/0, but none of the case's relations accepts this change \(upper-"
    ):
        mutatis.run(
            ScriptedSystem({"*": "0.5"}), reviews(), ["upper-case"], search=lambda sources: Stray(sources, "leet")
        )


def test_a_search_with_relations_of_its_own_is_an_error() -> None:
    sources = [Source(case=case, relations=(RELATIONS["leet"],)) for case in reviews()]
    with pytest.raises(mutatis.UsageError, match="judged by leet, but this run has no such relation"):
        mutatis.run(ScriptedSystem({"*": "0.5"}), reviews(), ["upper-case"], search=Once(sources))


def test_a_search_that_proposes_nothing_is_an_error() -> None:
    with pytest.raises(mutatis.UsageError, match="proposed no follow-up, so nothing was asked"):
        mutatis.run(ScriptedSystem({"*": "0.5"}), reviews(), ["upper-case"], search=Once([]))


def test_a_relation_that_no_proposal_concerns_is_told() -> None:
    run = mutatis.run(
        ScriptedSystem({"*": "0.5"}),
        reviews(),
        ["upper-case", "leet"],
        search=lambda sources: Stray(sources, "upper-case"),
    )
    [told] = [check for check in run.report.health if check.name == "never-proposed"]
    assert told.subject == "leet"


def test_a_judge_that_the_run_does_not_have_is_told_and_no_key_error() -> None:
    from mutatis.campaign.judging import Judges

    lost = RELATIONS["upper-case"].but(output_relation=RELATIONS["swap-asymmetric"].output_relation)
    with pytest.raises(mutatis.UsageError, match="judged by the measure 'opposite', which this run does not have"):
        Judges(by_kind={}, by_measure={}).of(lost, "sentiment")


def test_search_by_name_by_table_and_what_is_no_search() -> None:
    bot = ScriptedSystem({"*": "0.5"})
    grid = {"type": "grid", "transformation": "upper-case", "parameter": "share", "values": [0.5, 1.0]}
    run = mutatis.run(bot, reviews(), ["upper-case"], search=grid, settings={"confirm": 0})
    assert run.summary[0].satisfied == 6
    assert run.metrics["families"]["families"][0]["transformation"] == "upper-case"
    drawn = mutatis.run(bot, reviews(), ["leet"], search={"type": "once", "draws": 4}, settings={"confirm": 0})
    row = drawn.summary[0]
    assert row.satisfied + row.violated + row.invalid == 12
    with pytest.raises(mutatis.UsageError, match="did you mean 'grid'"):
        mutatis.run(bot, reviews(), ["leet"], search="gird")
    with pytest.raises(mutatis.UsageError, match="expected a name"):
        mutatis.run(bot, reviews(), ["leet"], search=7)  # type: ignore[arg-type]


def test_cases_may_be_whatever_mutatis_cases_takes() -> None:
    bot = ScriptedSystem({"*": "0.5"})
    run = mutatis.run(bot, ["a fine film", "a dull film"], ["upper-case"], task="sentiment", settings={"confirm": 0})
    assert run.summary[0].satisfied == 2
    records = ({"text": text} for text in ("a fine film", "a dull film", "soup"))
    assert (
        mutatis.run(bot, records, ["upper-case"], task="sentiment", settings={"confirm": 0}).summary[0].satisfied == 3
    )


def test_without_relations_and_recipe_the_default_sets_of_the_task_are_checked() -> None:
    run = mutatis.run(ScriptedSystem({"*": "0.5"}), reviews(), settings={"confirm": 0, "noise_floor": 0})
    chosen = {row.relation for row in run.summary}
    assert {"add-spaces", "upper-case"} <= chosen
    assert all(RELATIONS[name].tags & {"robustness", "wording", "logic", "fairness"} for name in chosen)
    assert all("risky" not in RELATIONS[name].tags for name in chosen)
