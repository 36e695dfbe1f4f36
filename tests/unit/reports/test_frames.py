"""Frames and Parquet hold what report and verdicts hold; a notebook gets HTML, text stays text."""

from __future__ import annotations

import html
import re

import pandas as pd
import pytest

from mutatis.api import Run
from mutatis.core.errors import UsageError
from mutatis.records.files import dump, write_report, write_text
from mutatis.reports.figures import draw_summary
from mutatis.reports.frames import FINDINGS, SUMMARY, VERDICTS, frame, write_parquet


@pytest.fixture
def run(builder, tmp_path):
    data = builder.sample()
    report = builder.typed(data)
    write_report(report, tmp_path / "report.json")
    lines = [builder.verdict(finding) for finding in data["findings"]]
    write_text(tmp_path / "verdicts.jsonl", (dump(line) + "\n" for line in lines))
    return Run(report=report, folder=tmp_path)


def test_frames_have_a_row_per_row_finding_and_verdict(run):
    summary = run.frame()
    assert list(summary.columns) == list(SUMMARY)
    assert summary["violated"].tolist() == [row.violated for row in run.summary]
    findings = run.frame("findings")
    assert list(findings.columns) == list(FINDINGS)
    assert set(findings["id"]) == {finding.id for finding in run.findings}
    verdicts = run.frame("verdicts")
    assert list(verdicts.columns) == list(VERDICTS)
    assert len(verdicts) == len(run.findings)
    row = verdicts[verdicts["relation"] == "add-typos"].iloc[0]
    assert (row["outcome"], row["source_output"], row["follow_up_output"]) == ("violated", "Paris", "1889")
    assert "question: Where is teh EIFFEL Tower?" in row["follow_up_input"]


def test_what_is_not_there_is_one_line(run, builder):
    with pytest.raises(UsageError, match="did you mean 'verdicts'"):
        run.frame("verdict")
    with pytest.raises(UsageError, match=r"this run has no folder; verdicts are kept in a run's folder"):
        Run(report=run.report).frame("verdicts")


def test_parquet_reads_back_as_it_was_written(run, tmp_path, builder):
    written = write_parquet(run.report, tmp_path / "new" / "a.parquet", run.folder)
    assert [path.name for path in written] == ["a.parquet", "a-findings.parquet", "a-verdicts.parquet"]
    for path, kind in zip(written, ("summary", "findings", "verdicts"), strict=True):
        pd.testing.assert_frame_equal(pd.read_parquet(path), frame(kind, run.report, run.folder), check_dtype=False)
    assert len(write_parquet(run.report, tmp_path / "b.parquet")) == 2
    hostile = builder.typed(builder.hostile())
    write_parquet(hostile, tmp_path / "hostile.parquet")
    assert len(pd.read_parquet(tmp_path / "hostile-findings.parquet")) >= len(hostile.findings)
    assert run.save(tmp_path / "c.parquet").is_file()


def test_a_notebook_shows_summary_and_findings_and_runs_nothing_of_them(run, builder):
    page = run._repr_html_()
    with_findings = [row.relation for row in run.summary if row.distinct]
    assert sorted(re.findall(r"<tr>\s*<td>[^<]*</td>\s*<td>[^<]*</td>\s*<td>([^<]*)</td>", page)) == sorted(
        with_findings
    )
    assert "no findings under 1 relation (0 of 300 verdicts violated)" in page
    assert page.count("<pre") == min(5, len(run.findings))
    assert f"mutatis show {run.folder}" in page or "replay" in page
    told = [check.message for check in run.report.health]
    assert told
    assert all(html.escape(message.rstrip("."), quote=False) in html.unescape(page) for message in told)
    hostile = Run(report=builder.typed(builder.hostile()))._repr_html_()
    assert "<script" not in hostile
    assert "<img" not in hostile
    assert "no verdict" in Run(report=run.report.model_copy(update={"summary": []}))._repr_html_()


def test_text_is_text_in_a_notebook_too(run, monkeypatch):
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    told = run.table()
    assert "add-typos" in told
    assert "\x1b" not in told
    told = repr(run)
    assert re.fullmatch(r"Run\(460 of 1880 verdicts violated, 1 finding and 2 FLAKY, 3 errors, folder='.*'\)", told)


def test_the_plot_has_a_bar_per_judged_row_worst_on_top(run):
    axes = draw_summary(run.report).axes[0]
    judged = [row for row in run.summary if row.rate is not None]
    widths = [bar.get_width() for bar in axes.patches]
    assert widths == sorted(100 * row.rate for row in judged)
    assert len(axes.get_yticklabels()) == len(judged)
    assert "<svg" in run.plot()._repr_svg_()
