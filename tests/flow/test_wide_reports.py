"""Reports on systems and texts in other scripts: messages in English, tables straight, texts whole."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from rich.cells import cell_len

import mutatis
from mutatis.reports.terminal import console, print_report

FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
QUESTIONS = [
    f"我的卡在哪里？{FAMILY}",
    "متى تفتحون يوم الاثنين؟",
    "Where is my card? \U0001f1e9\U0001f1ea",
    "Wo ist meine Karte?",
]
LABELS = ("机器人一号", "ボット\U0001f916", "plain")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> mutatis.Run:
    def bot(message: str) -> str:
        twice = message[: len(message) // 3] in message[len(message) // 3 :]
        return f"六十欧元{FAMILY} مرحبا {43 if twice else 42}"

    systems = [mutatis.system("function", target=bot, label=label, revision="1") for label in LABELS]
    quiet = {"noise_floor": 0, "confirm": 0}
    cases = mutatis.cases(QUESTIONS, name="数据")
    return mutatis.run(systems, cases, ["repeat-text"], settings=quiet, out=tmp_path_factory.mktemp("out"))


def printed(run: mutatis.Run, width: int) -> list[str]:
    out = io.StringIO()
    print_report(run.report, console(width=width, file=out))
    return out.getvalue().splitlines()


@pytest.mark.parametrize("width", [80, 120])
def test_the_lines_of_a_table_are_equally_wide(run: mutatis.Run, width: int) -> None:
    lines = printed(run, width)
    rules = [number for number, line in enumerate(lines) if re.fullmatch(r"\s*\u2500+\s*", line)]
    assert rules
    for rule in rules:
        head, first = lines[rule - 1], lines[rule + 1]
        assert cell_len(head) == cell_len(lines[rule]) == cell_len(first)


def test_clusters_and_answers_are_shown_whole_everywhere(run: mutatis.Run, tmp_path: Path) -> None:
    terminal = "\n".join(printed(run, 120))
    assert FAMILY in terminal
    assert "\\u200d" not in terminal
    for form in ("html", "md"):
        text = run.save(tmp_path / f"report.{form}").read_text(encoding="utf-8")
        assert f"六十欧元{FAMILY}" in text
        assert all(label in text for label in LABELS)


def test_texts_of_another_direction_stand_apart_on_the_page(run: mutatis.Run, tmp_path: Path) -> None:
    page = run.save(tmp_path / "report.html").read_text(encoding="utf-8")
    for place in re.finditer("مرحبا", page):
        before = page[: place.start()]
        opened = max(before.rfind('dir="auto"'), before.rfind("<bdi>"), before.rfind('type="application/json"'))
        assert opened > max(before.rfind("</div>"), before.rfind("</bdi>"))


def test_what_the_report_itself_says_is_english(run: mutatis.Run) -> None:
    said = "\n".join(line for line in printed(run, 120) if line.startswith(("note", "no findings", "queries", "next")))
    for label in LABELS:
        said = said.replace(label, "")
    outside = re.sub(r"'[^']*'", "", said)
    assert not re.search(r"[^\x00-\x7f\u2026\u2019]", outside)
