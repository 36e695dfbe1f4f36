"""Settings from Python: every key of a configuration file, as a table or as the file itself; what is said wins."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

import mutatis
from mutatis.config import Config
from mutatis.core.cases import Step
from mutatis.core.errors import UsageError
from mutatis.relations.output import Equal
from mutatis.search import Once
from mutatis.testing import ScriptedHelper, ScriptedSystem

TEXTS = ["a film that was fine", "a dull film", "the best soup in town"]
QUICK = {"noise_floor": 0, "confirm": 0}


def steady() -> ScriptedSystem:
    return ScriptedSystem({"*": "0.5"}, label="steady")


def shouted() -> ScriptedSystem:
    return ScriptedSystem(lambda asked: "0.1" if asked.fields["text"].isupper() else "0.9", label="shouted")


def run(*relations: str, bot: Any = None, **more: Any) -> mutatis.Run:
    return mutatis.run(bot or steady(), TEXTS, list(relations) or ["upper-case"], task="sentiment", **more)


def written(folder: Path, **tables: Any) -> Path:
    """Write a configuration with its data into a folder; both are named by their place in it."""
    folder.mkdir(exist_ok=True)
    (folder / "texts.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in TEXTS))
    lines = [
        f"{key} = {json.dumps(value)}" for key, value in {**QUICK, **tables}.items() if not isinstance(value, dict)
    ]
    for name, table in tables.items():
        if isinstance(table, dict):
            lines += [f"[{name}]", *(f"{key} = {json.dumps(value)}" for key, value in table.items())]
    data = '[data]\nformat = "jsonl"\npath = "texts.jsonl"\ntask = "sentiment"'
    (folder / "my.toml").write_text("\n".join([*lines, '[system]\ntype = "builtin"\nname = "sentiment"', data]))
    return folder / "my.toml"


PROMPT = """
summary = "how urgent a message is"
fields = ["message"]
kind = "label"
parser = "label"
labels = ["low", "high"]
prompt = "{message}"
"""

SAID: dict[str, Any] = {
    "seed": 7,
    "repeats": 2,
    "relations": ["upper-case", "leet"],
    "without": ["limit"],
    "recipe": ["llmorph"],
    "reference": "source",
    "turns": "each",
    "protect": "entities",
    "task": {"file": "urgency.toml"},
    "load": ["own.py"],
    "systems": [{"type": "function", "target": "own.py:answer", "prices": {"prompt": 1.0, "completion": 1.0}}],
    "helper": {"type": "function", "target": "own.py:answer"},
    "data": [{"format": "jsonl", "path": "messages.jsonl"}],
    "prompts": {"paraphrase": "own.txt"},
    "judge": {"equal": 0.75},
    "search": {"draws": 2},
    "context": {"extractor": "gold"},
    "gate": {"max_rate": 0.25},
    "reserve": {"noise_floor": 0.2},
    "max_queries": 50,
    "max_money": 100.0,
    "plugins": False,
    "tools": {"reads": ["look_up"]},
    "concurrency": 3,
    "max_wait": 5.0,
    "noise_floor": 1,
    "confirm": 2,
    "shrink": 3,
    "workers": 2,
    "ray_address": "auto",
    "silence": ["errors"],
    "readings": "people.json",
}
"""A value for every key of a configuration file but those of the next line."""

OF_THEIR_OWN = {"folder", "engine", "oracle"}
"""Where the file lies; a cluster to start; a file that replaces the search."""


def test_every_key_of_a_file_is_a_key_of_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert SAID.keys() == Config.model_fields.keys() - OF_THEIR_OWN
    monkeypatch.chdir(tmp_path)
    Path("own.py").write_text("def answer(text):\n    return 'high'\n")
    Path("own.txt").write_text("Say it in other words.\n---\nin text: a\nout text: b\n")
    Path("urgency.toml").write_text(PROMPT)
    Path("people.json").write_text("[]")
    Path("messages.jsonl").write_text("".join(json.dumps({"message": text}) + "\n" for text in TEXTS))
    run_of_all = mutatis.run(None, None, settings=SAID)
    told = run_of_all.report.run.config
    for key, value in SAID.items():
        if isinstance(value, dict):
            assert value.items() <= told[key].items(), key
        elif key in ("systems", "data"):
            assert value[0].items() <= told[key][0].items()
        else:
            assert told[key] == value, key
    assert {(row.system, row.task) for row in run_of_all.summary} == {("function:own.py:answer", "urgency")}


@pytest.mark.parametrize("kind", [str, Path])
def test_paths_of_a_file_are_read_from_its_folder(tmp_path: Path, kind: type) -> None:
    file = written(tmp_path / "elsewhere", relations=["upper-case"])
    result = mutatis.run(None, None, settings=kind(file))
    assert [(row.system, row.relation, row.judged) for row in result.summary] == [
        ("builtin:sentiment", "upper-case", 3)
    ]


def test_what_is_handed_over_takes_the_place_of_the_files_system_and_data(tmp_path: Path) -> None:
    file = written(tmp_path, relations=["upper-case"])
    mine = run(bot=shouted(), settings=file)
    assert [(row.system, row.violated) for row in mine.summary] == [("shouted", 3)]
    theirs = mutatis.run(shouted(), None, settings=file)
    assert {finding.source.case.id.partition("/")[0] for finding in theirs.findings} == {"texts"}
    assert [row.system for row in theirs.summary] == ["shouted"]
    others = mutatis.run(None, ["a quiet joy"], settings=file, task="sentiment")
    assert [(row.system, row.judged) for row in others.summary] == [("builtin:sentiment", 1)]
    assert "data" not in others.report.run.config
    both = run(bot=[shouted(), steady()], settings=file)
    assert {row.system for row in both.summary} == {"shouted", "steady"}


def test_the_default_seed_says_nothing_and_a_seed_of_zero_does(tmp_path: Path) -> None:
    file = written(tmp_path, seed=7)
    assert run(settings=file).report.run.seed == 7
    assert run(settings=file, seed=0).report.run.seed == 0
    assert run().report.run.seed == 0


def test_an_argument_wins_over_the_settings() -> None:
    settings = {
        **QUICK,
        "relations": ["leet"],
        "max_queries": 2,
        "judge": {"measure": "minilm-cosine", "equal": 0.75},
        "search": {"type": "once", "draws": 2},
    }
    told = run(settings=settings, max_queries=9, judge="exact").report.run.config
    assert (told["relations"], told["max_queries"]) == (["upper-case"], 9)
    assert told["judge"] == {"measure": "exact", "equal": 0.75}
    said = mutatis.run(steady(), TEXTS, task="sentiment", settings=settings).report.run.config
    assert (said["relations"], said["max_queries"], said["search"]) == (["leet"], 2, {"draws": 2})


def test_options_of_a_search_stay_with_its_name_only() -> None:
    settings = {**QUICK, "search": {"type": "bandit", "batch": 2, "even": 0.5}, "max_queries": 12}
    assert run(settings=settings, search="bandit").report.run.config["search"] == settings["search"]
    assert "search" not in run(settings=settings, search="once").report.run.config
    table = {"type": "random", "strengths": [1.0]}
    assert run(settings=settings, search=table).report.run.config["search"] == table


def test_a_recipe_brings_its_own_relations_and_settings_stay_over_it() -> None:
    cases = mutatis.read_cases("coqa", mutatis.sample("dialogues"), limit=1)
    parrot = ScriptedSystem({"*": "yes"}, label="parrot")
    settings = {**QUICK, "relations": ["upper-case"], "judge": {"measure": "exact"}}
    argued = mutatis.run(parrot, cases, recipe="mortar", settings=settings)
    assert "context-preserving" in {row.relation for row in argued.summary}
    assert argued.report.run.config["judge"]["measure"] == "exact"
    both = mutatis.run(parrot, cases, settings={**settings, "recipe": "mortar"})
    assert {row.relation for row in both.summary} == {"upper-case"}
    assert "mortar" in both.metrics


def test_objects_take_the_place_of_their_tables() -> None:
    relation = mutatis.MetamorphicRelation.of(
        name="loud", transformations=(Step(transformation="upper-case"),), output_relation=Equal(), tasks=("sentiment",)
    )
    settings = {
        **QUICK,
        "relations": ["leet"],
        "helper": {"type": "openai", "model": "m", "base_url": "http://127.0.0.1:9/v1"},
        "judge": {"measure": "helper"},
        "search": {"type": "bandit"},
    }
    helper = ScriptedHelper("[]")
    result = mutatis.run(
        steady(), TEXTS, [relation], task="sentiment", helper=helper, judge=mutatis.judge("exact"),
        search=lambda sources: Once(sources), settings=settings,
    )  # fmt: skip
    assert [row.relation for row in result.summary] == ["loud"]
    assert not result.report.run.config.keys() & {"relations", "helper", "judge", "search"}


async def test_the_concurrency_is_that_of_the_settings() -> None:
    now: list[int] = []
    most = 0

    async def answer(asked: Any) -> str:
        nonlocal most
        now.append(1)
        most = max(most, len(now))
        for _ in range(5):
            await asyncio.sleep(0)
        now.pop()
        return "0.5"

    await mutatis.run_async(
        ScriptedSystem(answer), TEXTS * 4, ["upper-case"], task="sentiment", settings={**QUICK, "concurrency": 2}
    )
    assert most == 2


def test_files_of_the_user_are_loaded_before_the_cases_are_read(tmp_path: Path) -> None:
    (tmp_path / "urgency.toml").write_text(PROMPT)
    (tmp_path / "own.py").write_text(
        "from pathlib import Path\nfrom mutatis.extending import register_task\n"
        "register_task(Path(__file__).with_name('urgency.toml'))\n"
    )
    bot = ScriptedSystem({"*": "low"})
    loaded = mutatis.run(bot, TEXTS, ["upper-case"], task="urgency", settings={"load": [tmp_path / "own.py"]})
    assert {row.task for row in loaded.summary} == {"urgency"}


def test_the_task_of_the_settings_is_that_of_cases_without_one(tmp_path: Path) -> None:
    (tmp_path / "urgency.toml").write_text(PROMPT)
    settings = {"task": {"file": str(tmp_path / "urgency.toml")}}
    result = mutatis.run(ScriptedSystem({"*": "low"}), TEXTS, ["upper-case"], settings=settings)
    assert {row.task for row in result.summary} == {"urgency"}


def test_check_without_arguments_is_the_gate_of_the_settings() -> None:
    loud = run("upper-case", "leet", bot=shouted(), settings={**QUICK, "gate": {"max_rate": 1.0}})
    loud.check()
    with pytest.raises(mutatis.GateFailed, match=r"violation rate 100.0% is above 50.0%"):
        loud.check(max_rate=0.5)
    strict = run(bot=shouted(), settings={**QUICK, "gate": {"relations": {"upper-case": 0.5}}})
    with pytest.raises(mutatis.GateFailed, match=r"above 50\.0%"):
        strict.check()
    strict.check(max_rate=1.0)  # what is said is the whole gate
    strict.check(max_rate=None)
    few = run(bot=steady(), settings={**QUICK, "gate": {"max_rate": 1.0, "min_judged": 4}})
    with pytest.raises(mutatis.GateFailed):
        few.check()
    few.check(0.0)


def test_a_gate_that_limits_no_violations_lets_check_pass_none() -> None:
    loud = run(bot=shouted(), settings={**QUICK, "gate": {"max_errors": 0.5}})
    with pytest.raises(mutatis.GateFailed, match=r"above 0\.0%"):
        loud.check()
    with pytest.raises(mutatis.GateFailed, match=r"above 0\.0%"):
        run(bot=shouted()).check()


def test_errors_are_allowed_as_the_settings_say() -> None:
    def failing(asked: Any) -> Any:
        return mutatis.SystemFailure("down") if "dull" in asked.fields["text"].lower() else "0.5"

    third = {"bot": ScriptedSystem(failing)}
    with pytest.raises(mutatis.GateFailed, match="are ERROR"):
        run(**third, settings=QUICK).check()
    run(**third, settings={**QUICK, "gate": {"max_errors": 0.4}}).check()


def test_a_baseline_of_the_settings_is_what_check_goes_by(tmp_path: Path) -> None:
    old = run(bot=shouted(), out=tmp_path / "old", settings=QUICK)
    gate = {"gate": {"baseline": str(tmp_path / "old")}}
    run(bot=shouted(), settings={**QUICK, **gate}).check()
    worse = ScriptedSystem(lambda asked: "0.9" if asked.fields["text"] in TEXTS else "0.1", label="shouted")
    with pytest.raises(mutatis.GateFailed, match="new fault"):
        run("upper-case", "leet", bot=worse, settings={**QUICK, **gate}).check()
    with pytest.raises(mutatis.GateFailed):
        old.check()


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"concurency": 4}, "unknown key of the configuration: 'concurency'; did you mean 'concurrency'"),
        ({"concurrency": "4"}, "concurrency is '4'; expected a whole number"),
        ({"gate": {"max_rat": 1}}, "did you mean 'max_rate'"),
        (4, "settings is 4; expected a table such as"),
        (["a.toml"], "settings is .* expected a table such as"),
        ("nowhere.toml", "no configuration 'nowhere.toml'"),
        (
            {"system": {"type": "function", "target": len}},
            "settings: system.target is <built-in function len>; expected",
        ),
        ({"task": "sentiment"}, 'the argument task="sentiment" in Python'),
        ({"search": 3, "judge": {"measure": "exact"}}, "search"),
        ({"folder": "elsewhere"}, "unknown key of the configuration: 'folder'"),
        ({"out": "here"}, r"out is not a configuration key; it is given to the run: --out or mutatis.run\(out=...\)"),
        ({"fresh": True}, r"fresh is not a configuration key; it is given to the run: --fresh"),
        ({"store": "a.db"}, r"store is not a configuration key.* mutatis.run\(store=...\)"),
        ({"budget": 5}, "unknown key of the configuration: 'budget'; did you mean 'max_queries'?"),
    ],
)
def test_a_mistake_in_settings_is_one_line(settings: Any, says: str) -> None:
    with pytest.raises(mutatis.UsageError, match=says) as told:
        run(bot=None, settings=settings) if "system" not in str(settings) else mutatis.run(
            None, TEXTS, settings=settings
        )
    assert "\n" not in str(told.value)
    with pytest.raises(mutatis.UsageError, match="expected a table"):
        run(judge="exact", settings={"judge": 3})


def test_the_settings_are_not_changed() -> None:
    settings: dict[str, Any] = {**QUICK, "judge": {"equal": 0.75}, "recipe": "llmorph"}
    before = json.dumps(settings)
    run(judge="exact", settings=settings)
    assert json.dumps(settings) == before


def test_a_value_in_place_of_a_table_of_a_recipe_is_named() -> None:
    with pytest.raises(UsageError, match="judge is 'mss'; expected a table"):
        mutatis.run(str.upper, ["Hi"], recipe="llmorph_paper", settings={"judge": "mss"})
