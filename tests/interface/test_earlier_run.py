"""A run of another system into the folder of a run: the earlier one is kept whole, and found by every command."""

from __future__ import annotations

from pathlib import Path

import mutatis
from mutatis.records import read_report
from support.loopback import Command
from support.reviews import BOT, config, write_reviews

RELATIONS = ("upper-case", "add-spaces")


def write(label: str) -> None:
    write_reviews(4)
    Path("bot.py").write_text(BOT)
    Path("my.toml").write_text(config(*RELATIONS).replace("[system]\n", f'[system]\nlabel = "{label}"\n'))


def test_the_run_of_another_system_is_kept_whole_and_said_so(command: Command) -> None:
    write("old")
    assert command("run", "my.toml", "--out", "out").code == 0
    before, verdicts = read_report(Path("out")), Path("out/verdicts.jsonl").read_bytes()
    write("new")
    done = command("run", "my.toml", "--out", "out")
    kept = Path("out/earlier") / before.run.id
    assert read_report(kept).summary == before.summary
    assert (kept / "verdicts.jsonl").read_bytes() == verdicts
    assert {file.name for file in kept.iterdir()} >= {"findings.jsonl", "report.html", "junit.xml"}
    assert {row.system for row in read_report(Path("out")).summary} == {"new"}
    assert "old" not in Path("out/junit.xml").read_text()
    assert done.code == 0
    first = read_report(kept).all_findings[0]
    assert first.replay == f"mutatis replay {kept} {first.id}"
    assert first.id in command("show", kept).out
    assert command("replay", kept, first.id, "--trust").code == 1
    assert command("show", before.run.id, first.id).code == 0
    listed = command("list", "runs").out
    assert listed.index("out ") < listed.index("earlier")
    assert command("compare", kept, "out").code == 0
    assert command("report", kept, "-o", "old.zip").code == 0
    assert read_report(mutatis.read_run("old.zip").folder).run.id == before.run.id


def test_the_same_system_and_more_take_the_place_and_what_is_stored_is_asked_once(command: Command) -> None:
    write("bot")
    command("run", "my.toml", "--out", "out")
    again = command("run", "my.toml", "--out", "out")
    assert "0 paid" in again.out
    assert not Path("out/earlier").exists()
    more = Path("my.toml").read_text() + '[[systems]]\nlabel = "two"\ntype = "function"\ntarget = "bot.py:answer"\n'
    Path("my.toml").write_text(more.replace("[system]", "[[systems]]"))
    assert command("run", "my.toml", "--out", "out").code == 0
    assert not Path("out/earlier").exists()
    write("two")
    command("run", "my.toml", "--out", "out")
    assert len(list(Path("out/earlier").iterdir())) == 1


def test_two_runs_are_kept_and_a_report_that_cannot_be_read_is_nobody_s(command: Command) -> None:
    for label in ("one", "two", "three"):
        write(label)
        command("run", "my.toml", "--out", "out")
    kept = list(Path("out/earlier").iterdir())  # named by the second in which a run began
    assert sorted(row.system for folder in kept for row in read_report(folder).summary[:1]) == ["one", "two"]
    Path("out/report.json").write_text("{}")
    write("four")
    assert command("run", "my.toml", "--out", "out").code == 0
    assert len(list(Path("out/earlier").iterdir())) == 2


def test_a_program_keeps_the_earlier_run_too(tmp_path: Path) -> None:
    for label in ("one", "two"):
        system = mutatis.system("function", target=lambda text: "0.9", revision="1", label=label)
        mutatis.run(system, ["A film."], ["upper-case"], task="sentiment", out=tmp_path / "out")
    assert len(list((tmp_path / "out" / "earlier").iterdir())) == 1
