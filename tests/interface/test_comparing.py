"""Runs side by side, and against what is known: other labels, data that has changed, two systems of one run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import mutatis
from mutatis.records import read_report
from support.loopback import Command

BOTS = """
def loud(text):
    return "0.1" if text.isupper() else "0.9"

def louder(text):
    return "0.1" if text.isupper() and "1" not in text else "0.9"

def dull(text):
    return "0.9"
"""

RUN = """
relations = ["upper-case"]
noise_floor = 0
shrink = 0
{systems}
[data]
task = "sentiment"
format = "jsonl"
path = "reviews.jsonl"
name = "reviews"
"""


def systems(**labels: str) -> None:
    """Write a configuration of these systems: label to function."""
    tables = [f'[[systems]]\ntype = "function"\ntarget = "bots.py:{f}"\nlabel = "{n}"\n' for n, f in labels.items()]
    Path("run.toml").write_text(RUN.format(systems="".join(tables)))


def reviews(*numbers: int) -> None:
    """Write reviews of these films; a record's id is its number in the file."""
    Path("reviews.jsonl").write_text("".join(json.dumps({"text": f"film {n} was fine"}) + "\n" for n in numbers))


@pytest.fixture
def command(command: Command) -> Command:
    Path("bots.py").write_text(BOTS)
    reviews(*range(12))
    return command


def new(folder: str) -> dict[str, list[bool]]:
    by_system: dict[str, list[bool]] = {}
    for finding in read_report(Path(folder)).all_findings:
        by_system.setdefault(finding.system, []).append(finding.new is True)
    return by_system


def test_one_system_may_be_renamed_and_that_is_said(command: Command) -> None:
    systems(a="loud")
    assert command("run", "run.toml", "--out", "one").code == 0
    systems(b="loud")
    done = command("run", "run.toml", "--baseline", "one", "--out", "two")
    assert done.code == 0
    assert done.err == "note: the system 'b' is compared with 'a' of the baseline, because each has only one system\n"
    assert new("two") == {"b": [False] * 12}


@pytest.mark.parametrize("labels", [{"b": "loud", "c": "dull"}, {"b": "loud", "c": "loud"}, {"a": "loud", "b": "loud"}])
def test_several_systems_are_never_taken_for_the_one_of_a_baseline(labels: dict[str, str], command: Command) -> None:
    systems(a="loud")
    assert command("run", "run.toml", "--out", "one").code == 0
    systems(**labels)
    done = command("run", "run.toml", "--baseline", "one", "--out", "two")
    assert done.code == 1, done.err
    assert all(f"note: the baseline has no system '{name}' (it has: a)" in done.err for name in labels if name != "a")
    assert new("two") == {name: [name != "a"] * 12 for name, bot in labels.items() if bot == "loud"}
    with pytest.raises(mutatis.api.GateFailed, match="new fault"):
        mutatis.api.Run(report=read_report(Path("two"))).check(baseline="one")


def test_one_system_is_never_taken_for_one_of_several(command: Command) -> None:
    systems(a="loud", c="dull")
    assert command("run", "run.toml", "--out", "one").code == 0
    systems(b="loud")
    assert command("run", "run.toml", "--baseline", "one", "--out", "two").code == 1


def test_a_system_of_which_no_verdict_says_anything_is_one_of_the_run(command: Command) -> None:
    systems(a="loud")
    assert command("run", "run.toml", "--out", "one").code == 0
    systems(b="loud", c="dull")
    Path("run.toml").write_text(Path("run.toml").read_text() + 'systems = ["b"]\n')
    assert command("run", "run.toml", "--baseline", "one", "--out", "two").code == 1
    with pytest.raises(mutatis.api.GateFailed, match="new fault"):
        mutatis.api.Run(report=read_report(Path("two"))).check(baseline="one")


def test_a_finding_is_known_by_what_was_asked_and_not_by_the_number_of_its_record(command: Command) -> None:
    systems(a="louder")  # film 1, 10 and 11 are fine
    assert command("run", "run.toml", "--out", "one").code == 0
    assert command("report", "one", "--format", "baseline", "-o", "known.json").code == 0
    reviews(*range(12, 20), *range(12))  # eight films before those: all numbers are others'
    systems(a="loud")
    for baseline in ("one", "known.json"):
        done = command("run", "run.toml", "--baseline", baseline, "--out", "two", "--fresh")
        assert done.code == 1
        asked = {f.source.case.turns[0].fields["text"]: f.new for f in read_report(Path("two")).all_findings}
        assert {text for text, is_new in asked.items() if not is_new} == {
            f"film {n} was fine" for n in (0, *range(2, 10))
        }
    assert "film" not in Path("known.json").read_text()


def test_a_baseline_of_an_earlier_version_goes_by_ids(command: Command) -> None:
    systems(a="loud")
    assert command("run", "run.toml", "--out", "one").code == 0
    assert command("report", "one", "--format", "baseline", "-o", "known.json").code == 0
    known = json.loads(Path("known.json").read_text())
    for finding in known["findings"]:
        del finding["text"]
    Path("known.json").write_text(json.dumps(known))
    assert command("run", "run.toml", "--baseline", "known.json", "--out", "two").code == 0


def test_runs_are_compared_by_what_was_asked(command: Command) -> None:
    systems(a="louder")
    assert command("run", "run.toml", "--out", "one").code == 0
    reviews(12, *range(11))  # one film before the others, and the last one gone
    systems(a="loud")
    assert command("run", "run.toml", "--out", "two").code == 0
    told = command("compare", "one", "two", "--format", "json")
    result = json.loads(told.out)
    assert result["sources"] == {
        "paired": 11, "renumbered": 11, "old_only": ["reviews/12"], "new_only": ["reviews/1"]
    }  # fmt: skip
    [row] = result["rows"]
    # film 1 and 10 are violated in the new run only; 9 of 11 were before, all 11 are now
    assert (row["paired"]["sources"], row["paired"]["worse"], row["paired"]["better"]) == (11, 2, 0)
    assert row["paired"]["difference"] == round(2 / 11, 6)
    came = {
        change["finding"]["source"]["case"]["turns"][0]["fields"]["text"]: change["elsewhere"]
        for change in result["came"]
    }
    assert came == {
        "film 1 was fine": "satisfied", "film 10 was fine": "satisfied", "film 12 was fine": "not tested"
    }  # fmt: skip
    assert (len(result["gone"]), len(result["common"])) == (0, 9)
    said = (
        "sources paired by what they ask: 11; 11 of them under another id; 1 of the old run and 1 of the new run have"
    )
    assert said in command("compare", "one", "two").out
    assert said in command("compare", "one", "two", "--format", "markdown").out


def test_of_reports_alone_findings_of_different_texts_are_not_the_same(command: Command) -> None:
    systems(a="loud")
    assert command("run", "run.toml", "--out", "one").code == 0
    reviews(*range(20, 32))
    assert command("run", "run.toml", "--out", "two").code == 0
    for folder in ("one", "two"):
        Path(folder, "verdicts.jsonl").unlink()
    result = json.loads(command("compare", "one", "two", "--format", "json").out)
    assert [len(result[name]) for name in ("came", "gone", "common")] == [12, 12, 0]


def test_the_same_data_says_nothing_of_pairing(command: Command) -> None:
    systems(a="loud")
    for folder in ("one", "two"):
        assert command("run", "run.toml", "--out", folder).code == 0
    done = command("compare", "one", "two")
    assert "sources" not in done.out.replace("sources  worse", "")
    assert "common: 12 findings in both runs" in done.out


def test_two_systems_of_one_run(command: Command) -> None:
    systems(a="louder", b="loud", c="dull")
    assert command("run", "run.toml", "--out", "one").code == 0
    done = command("compare", "one", "--systems", "a", "b", "--fail-on-new")
    assert done.code == 1
    assert "old: a   new: b" in done.out
    assert "came: 3 findings (in the old run: 3 satisfied)" in done.out
    assert "common: 9 findings" in done.out
    [row] = json.loads(command("compare", "one", "--systems", "a", "b", "--format", "json").out)["rows"]
    assert (row["old"]["violated"], row["new"]["violated"]) == (9, 12)
    assert (row["paired"]["sources"], row["paired"]["worse"], row["paired"]["p"]) == (12, 3, 0.25)  # 2 * 0.5 ** 3
    assert row["paired"]["interval"][0] < 0 < row["paired"]["interval"][1]  # as the test: it may be chance
    assert command("compare", "one", "--systems", "b", "a", "--fail-on-new").code == 0


def test_an_adjusted_p_is_headed_so_with_its_method(command: Command) -> None:
    systems(a="louder", b="loud", c="dull")
    Path("run.toml").write_text(Path("run.toml").read_text().replace('["upper-case"]', '["upper-case", "add-spaces"]'))
    assert command("run", "run.toml", "--out", "one").code == 0
    shown = command("compare", "one", "--systems", "a", "c", "--all").out
    [heads] = [row.split() for row in shown.splitlines() if "worse/better" in row]
    assert heads[-2:] == ["adjusted", "p"]
    [loud] = [row.split() for row in shown.splitlines() if row.split()[:1] == ["upper-case"]]
    assert loud[-1] == "0.0078"  # 9 of 12 films: p = 2 / 2^9 = 0.0039, of two rows; add-spaces has p = 1
    method = "adjusted p: sign test of worse against better, corrected for all rows compared (Benjamini and Hochberg)"
    assert method in shown.splitlines()
    told = command("compare", "one", "--systems", "a", "c", "--format", "markdown").out
    assert "| worse/better | adjusted p |" in told
    assert method in told.splitlines()


def test_a_system_of_one_run_with_one_of_another(command: Command) -> None:
    systems(a="louder", c="dull")
    assert command("run", "run.toml", "--out", "one").code == 0
    systems(b="loud", c="dull")
    assert command("run", "run.toml", "--out", "two").code == 0
    done = command("compare", "one", "two", "--systems", "a", "b")
    assert "came: 3 findings (in the old run: 3 satisfied)" in done.out
    assert "c on sentiment" not in done.out


def test_what_cannot_be_compared_is_told_with_how_it_could(command: Command) -> None:
    systems(alpha="louder", beta="loud")
    assert command("run", "run.toml", "--out", "one").code == 0
    systems(gamma="loud")
    assert command("run", "run.toml", "--out", "two").code == 0
    for arguments, complaint in (
        (
            ["one"],
            "one is one run; give another one, or two systems of this one: mutatis compare one --systems alpha beta",
        ),
        (["two"], "two is one run, of one system; give two runs: mutatis compare OLD NEW"),
        (["one", "one"], "one and one are the same run; give another one, or two systems"),
        (
            ["one", "two"],
            "different systems (alpha, beta and gamma); name the two systems to compare: --systems alpha gamma",
        ),
        (["one", "--systems", "alpha", "beto"], "did you mean 'beta'?"),
        (["one", "--systems", "beta", "beta"], "--systems beta beta: this compares a system with itself; name two"),
    ):
        done = command("compare", *arguments)
        assert done.code == 2
        assert complaint in done.complaint


def test_a_comparison_across_judges_says_so(command: Command) -> None:
    Path("bots.py").write_text('def chat(text):\n    return "No." if text.isupper() else "Yes, it is."\n')
    Path("chat.jsonl").write_text("".join(json.dumps({"message": f"Is shop {n} open?"}) + "\n" for n in range(6)))
    run = ("run", "--system", "function:bots.py:chat", "--task", "chat", "--data", "jsonl:chat.jsonl")
    run += ("--relations", "upper-case", "--set", "noise_floor=0", "--set", "shrink=0", "--set", "confirm=0")
    for measure in ("free-answers", "exact"):
        command(*run, "--measure", measure, "--out", measure)
    again = command("compare", "free-answers", "exact").out
    assert "judged by free-answers in the old run, by exact in the new" in again
    command(*run, "--measure", "exact", "--offline", "--out", "third")
    assert "judged by" not in command("compare", "exact", "third").out


def first_line(command: Command, *options: str) -> str:
    return command("compare", *options).out.splitlines()[0]


def test_two_systems_of_a_run_are_told_apart_in_one_sentence(command: Command) -> None:
    systems(a="loud", c="dull")
    assert command("run", "run.toml", "--out", "one").code == 0
    told = (
        "c is more consistent than a: of 12 questions c is more consistent on 12 and less on 0 "
        "(violated: 0 %, a 100 %), more than chance explains (p = 0.00049)."  # 2 / 2^12
    )
    assert first_line(command, "one", "--systems", "a", "c") == told
    assert first_line(command, "one", "--systems", "c", "a") == told
    assert json.loads(command("compare", "one", "--systems", "a", "c", "--format", "json").out)["consistency"] == [told]
    assert command("compare", "one", "--systems", "a", "c", "--format", "markdown").out.splitlines()[2] == told
    page = command("compare", "one", "--systems", "a", "c", "--format", "html").out
    assert page.index("c is more consistent than a") < page.index("<table>")


def test_what_may_be_chance_is_said_to_be_with_how_many_questions_would_tell(command: Command) -> None:
    systems(a="loud", b="louder")  # differ on films 1, 10 and 11
    assert command("run", "run.toml", "--out", "one").code == 0
    assert first_line(command, "one", "--systems", "a", "b") == (
        "a and b cannot be distinguished: of 12 questions b is more consistent on 3 and less on 0 "
        "(violated: 75.0 %, a 100 %), which may be chance (p = 0.25); about 29 questions like these would be enough."
    )  # (1.96 * sqrt(.25) + .842 * sqrt(.25 - .0625))**2 / .0625 = 28.9


def test_two_runs_of_one_system_are_the_old_and_the_new_run(command: Command) -> None:
    systems(a="loud")
    assert command("run", "run.toml", "--out", "one").code == 0
    Path("two").mkdir()
    for name in ("report.json", "verdicts.jsonl"):
        Path("two", name).write_bytes(Path("one", name).read_bytes())
    assert first_line(command, "one", "two") == (
        "The old run and the new run are equally consistent on each of 12 questions (violated: 100 %)."
    )
