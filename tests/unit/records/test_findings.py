"""All findings of a report: read one at a time from the file beside it."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

from mutatis.analysis.newness import marked
from mutatis.core.errors import UsageError
from mutatis.records import Findings, Report, SummaryRow, read_report, write_report
from mutatis.records.baseline import baseline_of
from mutatis.records.files import make_report
from mutatis.records.report import FindingsFile
from mutatis.records.runs import find_finding
from mutatis.reports.csv import findings_rows
from mutatis.reports.gate import gate_of
from mutatis.reports.html import render_html
from mutatis.reports.junit import render_junit
from mutatis.reports.markdown import render_markdown
from mutatis.reports.passing import violations


def record(number: int) -> dict[str, object]:
    case = {"id": f"a/{number}", "turns": [{"fields": {"text": "ü\u2028" * number}}]}
    head = {"id": f"{number:010x}", "system": "s", "task": "sentiment", "relation": "upper-case"}
    return {**head, "source": {"case": case, "turn": 0}, "followups": [{"case": case, "turn": 0}]}


def content(number: int) -> bytes:
    return b"".join(json.dumps(record(n), ensure_ascii=False).encode() + b"\n" for n in range(number))


def report(number: int, shown: int) -> Report:
    lines = content(number)
    file = {"number": number, "size": len(lines)}
    told = {"run": {"id": "r"}, "summary": [], "health": [], "metrics": {}, "findings_file": file}
    return make_report(
        {**told, "findings": [record(n) for n in range(shown)]}, Findings(lines, FindingsFile.model_validate(file))
    )


@pytest.mark.parametrize("name", ["report.json", "other.json"])
def test_all_findings_are_written_beside_a_report_and_read_from_there(tmp_path, name):
    write_report(report(7, 3), tmp_path / name)
    saved = read_report(tmp_path / name)
    assert len(saved.findings) == 3
    assert len(saved.all_findings) == 7
    assert [finding.id for finding in saved.all_findings] == [f"{n:010x}" for n in range(7)]
    assert saved.all_findings[5].source.case.turns[0].fields["text"] == "ü\u2028" * 5
    assert saved.all_findings[-1].id == f"{6:010x}"
    assert [finding.id for finding in saved.all_findings[2:4]] == [f"{n:010x}" for n in (2, 3)]
    with pytest.raises(IndexError):
        saved.all_findings[7]
    assert saved.to_json() == report(7, 3).to_json()


def test_a_new_finding_fails_a_build_wherever_it_stands():
    row = {"system": "s", "task": "sentiment", "relation": "upper-case", "rate": 0.5, "distinct": 7}
    counts = {"satisfied": 7, "violated": 7, "invalid": 0, "error": 0}
    large = report(7, 3)
    large = large.holding(large.all_findings).model_copy(
        update={
            "summary": [SummaryRow(**row, **counts)],
            "run": large.run.model_copy(update={"config": {"gate": {"baseline": "old"}}}),
        }
    )
    known = report(6, 6).model_copy(update={"summary": large.summary})
    told = marked(large.holding(report(7, 3).all_findings), baseline_of(known))
    assert [finding.id for finding in told.all_findings if finding.new] == [f"{6:010x}"]
    assert not any(finding.new for finding in told.findings)  # it is none of the first three
    assert violations(told, gate_of(told)) == [
        "new fault 0000000006: upper-case on s, sentiment, source a/6 (not in the baseline old)"
    ]
    [case] = ElementTree.fromstring(render_junit(told)).iter("testcase")
    assert case.find("failure").get("message") == "1 new fault, not in the baseline old"
    page = render_markdown(told)
    assert "### New findings (1 of 1 finding)" in page
    assert "### Known findings (3 of 6 findings)" in page


def test_a_small_report_needs_no_file(tmp_path):
    write_report(report(3, 3), tmp_path / "report.json")
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]
    assert len(read_report(tmp_path).all_findings) == 3


def test_a_missing_or_foreign_file_is_told_when_it_is_needed(tmp_path):
    write_report(report(7, 3), tmp_path / "report.json")
    file = tmp_path / "findings.jsonl"
    file.write_bytes(content(6))
    saved = read_report(tmp_path)
    with pytest.raises(UsageError, match="does not belong to the same run as the report"):
        list(saved.all_findings)
    file.unlink()
    with pytest.raises(UsageError, match="contains the 7 findings of the run; copy it together with the report"):
        saved.all_findings[0]


def test_a_finding_is_found_by_the_beginning_of_its_hash(tmp_path):
    write_report(report(300, 3), tmp_path / "report.json")
    every = read_report(tmp_path).all_findings
    assert find_finding(every, f"{299:010x}").source.case.id == "a/299"
    with pytest.raises(UsageError, match="ambiguous"):
        find_finding(every, "00000000f")
    with pytest.raises(UsageError, match="unknown finding 'x'"):
        find_finding(every, "x")


def test_a_line_that_is_no_finding_is_told(tmp_path):
    lines = content(1) + b'{"system": 3}\n' + b"{oops\n"
    findings = Findings(lines, FindingsFile(number=3, size=len(lines)))
    with pytest.raises(UsageError, match="line 2: id is missing"):
        findings[1]
    with pytest.raises(UsageError, match="line 3: not JSON"):
        findings[2]
    with pytest.raises(UsageError, match="line 2: id is missing"):
        list(findings.ids())


def test_every_form_knows_all_of_them(tmp_path):
    written = read_report(write_report(report(7, 3), tmp_path / "report.json"))
    assert len(list(findings_rows(written))) == 7
    assert "5 of 7 findings are on this page" in render_html(written, most=5)
    assert "are not shown" not in render_html(written)
