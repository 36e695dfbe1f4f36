"""Every text of a report that somebody sent is data in every form: it steers no terminal and is read as no markup."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from mutatis.records.runs import remember
from support import report_builder
from support.loopback import Command

UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f\ufeff]"
)
"""Written down here once more: what is checked is not computed by what it checks."""

ENUMERATED = {"format", "outcome", "estimate"}
"""Fields that only take a few words: a report with others is refused."""


def spoilt(value: Any, path: str = "") -> Any:
    """Every text and every name of a table with what steers terminals, ends fences, is markup, and where it stood."""
    if isinstance(value, dict):
        keep = path.rpartition(".")[2] in FIXED or path == ""
        return {key if keep else steering(key, path): spoilt(inner, f"{path}.{key}") for key, inner in value.items()}
    if isinstance(value, list):
        return [spoilt(inner, path) for inner in value]
    named = path.rpartition(".")[2]
    return steering(value, path) if isinstance(value, str) and named not in ENUMERATED else value


FIXED = {
    *("run", "queries", "tokens", "summary", "findings", "health", "examples", "source", "followups", "shrunk", "case"),
    *("turns", "derivation", "steps", "response", "lost_mentions", "soundness", "config", "systems", "data"),
    *("source_output", "output"),
}
"""Tables whose keys are names of fields, not texts."""


def steering(text: str, path: str) -> str:
    return f"{text}\x1b[2J\x9b1m\u202e\u2028\r\n# PWNED{path}\n```\n<img src=x>&lt;b&gt;|{path}"


def foreign(folder: Path) -> Path:
    report = report_builder.sample()
    report["findings"][1]["label"] = "real bug"
    report["findings"][1]["new"] = True
    report["findings"][0]["reference"] = ["Oslo"]
    report["run"]["queries"]["oldest"] = "2026-11-01"
    report["run"]["money"] = {"EUR": 1.0}
    report["run"]["config"] = {
        "seed": 7,
        "relations": ["add-typos"],
        "systems": [{"type": "http", "url": "http://127.0.0.1:1/chat"}],
        "data": [{"format": "jsonl", "path": "cases.jsonl", "task": "chat"}],
    }
    spoiled = spoilt(report)
    spoiled["run"]["config"]["gate"] = {"max_rate": 0.0}
    spoiled["run"]["config"]["systems"][0]["type"] = "http"
    folder.mkdir()
    (folder / "report.json").write_text(json.dumps(spoiled), encoding="utf-8")
    labels = {
        finding["id"]: {"label": "real", "comment": steering("mine", ".comment")} for finding in spoiled["findings"]
    }
    kept = {"format": "mutatis/labels", "version": 1, "findings": labels}
    (folder / "labels.json").write_text(json.dumps(kept), encoding="utf-8")
    lines = [spoilt_verdict(report_builder.verdict(finding)) for finding in report["findings"]]
    (folder / "verdicts.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return folder


def spoilt_verdict(verdict: dict[str, Any]) -> dict[str, Any]:
    spoiled: dict[str, Any] = spoilt({"findings": [verdict]})["findings"][0]
    return spoiled


@pytest.fixture
def command(command) -> Command:
    foreign(command.folder / "theirs")
    foreign(command.folder / "others")
    other = json.loads((command.folder / "others" / "report.json").read_text())
    other["findings"] = other["findings"][1:]
    (command.folder / "others" / "report.json").write_text(json.dumps(other))
    remember(command.folder / "theirs")
    return command


def identity() -> str:
    return str(json.loads(Path("theirs/report.json").read_text())["findings"][0]["id"])


COMMANDS = {
    "show": ("show", "theirs"),
    "show all": ("show", "theirs", "--all"),
    "show metrics": ("show", "theirs", "--metrics"),
    "show a finding": ("show", "theirs", "ID"),
    "show a finding whole": ("show", "theirs", "ID", "--full"),
    "compare": ("compare", "theirs", "others", "--all"),
    "compare the other way": ("compare", "others", "theirs"),
    "compare as Markdown": ("compare", "others", "theirs", "--format", "markdown"),
    "replay": ("replay", "theirs", "ID"),
    "unknown finding": ("show", "theirs", "zzz"),
    "unknown relation": ("sheet", "theirs", "follow-ups", "-o", "x.csv"),
    "runs": ("list", "runs"),
    "region": ("region", "theirs", "-o", "region.json"),
}


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_no_command_writes_it_raw(command, arguments):
    done = command(*(identity() if argument == "ID" else argument for argument in arguments))
    assert done.code in (0, 2), done.err
    for written in (done.out, done.err):
        assert unseen(written) == []
    assert "Traceback" not in done.err
    assert [line for line in done.err.splitlines() if line.startswith(("# PWNED", "```"))] == []


FORMS = ("html", "junit", "csv", "markdown")


@pytest.mark.parametrize("form", FORMS)
def test_no_form_of_a_report_has_it_raw(command, form):
    done = command("report", "theirs", "--format", form, "-o", f"made.{form}")
    assert done.code == 0, done.err
    for path in Path().glob("made*"):
        text = path.read_text(encoding="utf-8")
        text = re.sub(r"(?s)<style>.*?</style>|<script\b(?![^>]*json).*?</script>|>\u200b</th>", "", text)  # our own
        assert unseen(text) == []


def unseen(text: str) -> list[str]:
    """Return where something stands that steers or is not seen, with what is written after it."""
    return [text[match.start() : match.start() + 60] for match in UNSEEN.finditer(text)]


@pytest.mark.parametrize("which", ["run", "comparison"])
def test_nothing_of_it_is_markdown(command, which):
    if which == "run":
        command("report", "theirs", "--format", "markdown", "-o", "made.md")
        told = Path("made.md").read_text(encoding="utf-8")
    else:
        told = command("compare", "others", "theirs", "--format", "markdown", "--all").out
    page = MarkdownIt("commonmark", {"html": True}).enable("table").render(told)
    assert "PWNED" in page
    assert re.findall(r"<h1>.*", page) == []
    assert re.findall(r"<img.*", page) == []
    outside = re.sub(r"(?s)<pre>.*?</pre>", "", page)
    assert re.findall(r"(?m)^# PWNED.*", outside) == []
    assert re.findall(r"(?m)^# PWNED.*", page) == []  # nor does it begin a line of its own in a block


def test_every_line_of_a_finding_is_ours(command):
    from mutatis.records import read_report
    from mutatis.reports.plain import finding_text

    for finding in read_report(Path("theirs")).findings:
        rows = finding_text(finding, "theirs").splitlines()
        assert [row for row in rows[1:] if not row.startswith("  ")] == []
        assert unseen("\n".join(rows)) == []
