"""The page and the labelling sheet in a real browser: our script runs, nothing else does, all of it is there."""

from __future__ import annotations

import html
import importlib.util
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from mutatis.reports.html import write_html
from mutatis.reports.sheets import make_sheet

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine")

QUIET = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--virtual-time-budget=2000",
)  # fmt: skip


def load_builder():
    path = Path(__file__).parents[1] / "unit" / "reports" / "builder.py"
    spec = importlib.util.spec_from_file_location("report_builder", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


builder = load_builder()


def dump(page: Path, tmp_path: Path, *options: str) -> str:
    command = [CHROMIUM, *QUIET, f"--user-data-dir={tmp_path / 'profile'}", *options, "--dump-dom", page.as_uri()]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=60, check=True).stdout


def title(dom: str) -> str:
    return re.search(r"<title>(.*?)</title>", dom, re.DOTALL).group(1)


def test_the_page_works(tmp_path):
    dom = dump(write_html(builder.typed(builder.sample()), tmp_path / "report.html"), tmp_path)
    assert title(dom) == "mutatis 20261120-101500-ab12"
    assert "3 of 3 shown" in dom  # written by the script
    assert '<form class="filters" id="filters">' in dom  # and it showed the filters
    assert dom.count('<details class="finding"') == 3


def test_the_page_is_whole_without_scripts(tmp_path):
    page = write_html(builder.typed(builder.sample()), tmp_path / "report.html")
    page.write_text(re.sub(r"<script>.*</script>", "", page.read_text(encoding="utf-8"), flags=re.DOTALL), "utf-8")
    dom = dump(page, tmp_path)
    assert dom.count('<details class="finding"') == 3
    assert '<form class="filters" id="filters" hidden="">' in dom
    assert "of 3 shown" not in dom


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("system", "openai:tiny-chat", 2),
        ("task", "dialogue", 1),
        ("relation", "add-typos", 2),
        ("state", "flaky", 1),
        ("state", "confirmed", 1),
        ("search", "COQA/7", 1),
        ("search", "no such text", 0),
    ],
)
def test_filters(tmp_path, name, value, shown):
    page = write_html(builder.typed(builder.sample()), tmp_path / "report.html")
    act = f"""<script>var form = document.getElementById("filters"); form.elements["{name}"].value = "{value}";
        form.dispatchEvent(new Event("input"));</script></body>"""
    text = re.sub(r"<meta http-equiv=[^>]*>", "", page.read_text(encoding="utf-8")).replace("</body>", act)
    page.write_text(text, encoding="utf-8")
    dom = dump(page, tmp_path)
    assert f"{shown} of 3 shown" in dom
    assert len(re.findall(r'<details class="finding"[^>]* hidden=""', dom)) == 3 - shown


def test_hostile_text_is_inert(tmp_path):
    report = builder.hostile()
    report["run"]["id"] = "safe"
    dom = dump(write_html(builder.typed(report), tmp_path / "report.html"), tmp_path)
    assert title(dom) == "mutatis safe"
    assert "3 of 3 shown" in dom
    assert dom.count("<script") == 1
    assert not re.search(r"<img\b", dom)
    assert "document.title='pwned'" in html.unescape(dom)
    assert not re.search("[\u202a-\u202e\u2066-\u2069\x1b\ud800-\udfff]", dom)


def test_a_sheet_offers_to_save_its_labels(tmp_path):
    report = builder.hostile()
    lines = [builder.typed_verdict(finding) for finding in report["findings"]]
    findings = builder.typed_findings(report)
    page = tmp_path / "sheet.html"
    page.write_text(make_sheet("bugs", lambda: iter(lines), findings).as_html(), encoding="utf-8")
    dom = dump(page, tmp_path)
    assert "0 of 3 labelled" in dom
    assert title(dom) == "mutatis labelling sheet: bugs"
    assert '<button type="button" id="save">' in dom
