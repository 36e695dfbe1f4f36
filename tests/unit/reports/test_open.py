"""What the judge could not tell stands apart from what is invalid, and its pairs can be looked at in every form."""

from __future__ import annotations

import csv
import io
import re

import pytest

from mutatis.records.files import dump, write_text
from mutatis.reports.csv import SUMMARY, csv_lines, summary_rows
from mutatis.reports.html import OPEN_DRAWN, Served, render_html
from mutatis.reports.junit import render_junit
from mutatis.reports.markdown import render_markdown
from mutatis.reports.overview import overview_sentences
from mutatis.reports.partial import Follower
from mutatis.reports.tables import print_summary
from mutatis.reports.terminal import closing_lines, console, print_findings

OPEN = "follow-up output: the judge can tell"
WHY = "the judge cannot tell: no difference that can be named"


def open_pair(builder, number=1, relation="leet"):
    source = {"case": builder.case(f"s/{number}", "When do you open?"), "response": builder.response("From nine.")}
    made = builder.follow_up(builder.case(f"s/{number}~1", "Wh3n do you open?"), "At 9.", f"s/{number}", (relation, {}))
    return builder.finding("bot", "chat", relation, source, [made], outcome="invalid", confirmed=None, reason=WHY)


@pytest.fixture
def report(builder):
    """Of ten follow-ups one is violated, three are open, two invalid for another reason, four satisfied."""
    return {
        **builder.sample(),
        "summary": [builder.row("bot", "chat", "leet", 4, 1, invalid=5, open=3, unchanged=2)],
        "findings": [],
        "health": [],
        "metrics": {},
        "examples": [],
        "open": [open_pair(builder, number) for number in range(3)],
    }


def test_the_page_has_a_column_that_leads_to_the_pairs(builder, report):
    page = render_html(builder.typed(report))
    assert '<a href="#open-0">3</a>' in page
    pairs = page[page.index('<section id="open"') :]
    assert pairs.count("the judge cannot tell") == 3
    assert "From nine." in pairs
    assert "2 edits changed nothing" in page
    assert "5 invalid" not in page
    without = {**report, "summary": [{**report["summary"][0], "open": 0, "invalid": 2}], "open": []}
    page = render_html(builder.typed(without))
    assert 'id="open"' not in page
    assert ">open</button>" not in page


def test_a_page_with_many_open_pairs_says_how_many_it_shows(builder, report):
    report["open"] = [open_pair(builder, number) for number in range(OPEN_DRAWN + 1)]
    report["summary"][0] |= {"open": 4000, "invalid": 4000}
    page = render_html(builder.typed(report))
    assert f"{OPEN_DRAWN} of 4,000 are shown" in page
    assert "mutatis show RUN --open --all" in page


@pytest.mark.parametrize("width", [80, 120])
def test_the_terminal_has_a_column_only_where_there_are_such_pairs(builder, report, width):
    def table(data):
        out = io.StringIO()
        print_summary(builder.typed(data), console(width=width, file=out))
        return out.getvalue()

    header, row = re.findall(r".*(?:violated  |1/5).*", table(report))
    assert "open" in header
    assert row.split()[-2] == "3"
    plain = {**report, "summary": [{**report["summary"][0], "open": 0, "invalid": 2}]}
    assert "open" not in table(plain).partition("\n\n")[0]
    assert "3 pairs are open, the judge cannot tell: mutatis show latest --open" in closing_lines(
        builder.typed(report), run="latest"
    )
    assert not any("cannot tell" in text for text in closing_lines(builder.typed(plain)))


def test_other_forms_count_them_apart(builder, report):
    typed = builder.typed(report)
    [row] = csv.DictReader(csv_lines(SUMMARY, summary_rows(typed)))
    assert (row["invalid"], row["open"]) == ("5", "3")
    markdown = render_markdown(typed).splitlines()
    header, line = (next(text for text in markdown if word in text) for word in ("| open |", "| leet |"))
    assert header.split("|").index(" open ") == line.split("|").index(" 3 ")
    assert "3 open; 2 invalid" in render_junit(typed)
    assert "3 open, 2 invalid" in render_markdown(typed)


def test_a_system_of_which_everything_is_open_kept_nothing(builder, report):
    report["summary"] = [builder.row("bot", "chat", "leet", 0, 0, invalid=9, open=9)]
    [told] = overview_sentences(builder.typed(report))
    assert told.text == "gave no answer that could be judged; 9 pairs are open: the judge cannot tell."
    assert told.word == "untested"


@pytest.fixture
def follow(tmp_path, builder):
    """Makes the report of a run that goes on, after some verdicts: outcome and precondition of each."""

    def report(*verdicts):
        lines = [
            {**builder.verdict(open_pair(builder, number), outcome), "precondition": precondition, "reason": "r"}
            for number, (outcome, precondition) in enumerate(verdicts)
        ]
        write_text(tmp_path / "verdicts.jsonl", (dump(entry) + "\n" for entry in lines))
        follower = Follower(tmp_path / "verdicts.jsonl")
        follower.read()
        return follower.report()

    return report


LIVE = Served(token="t", version="1", live=True, several=False)


@pytest.mark.parametrize(
    ("verdicts", "says", "findings"),
    [
        ([], "Nothing is decided yet", "Nothing is decided yet."),
        (
            [("invalid", OPEN)],
            "nothing is decided yet; 1 pair is open: the judge cannot tell",
            "Nothing is decided yet.",
        ),
        (
            [("satisfied", None)],
            "1 verdict so far, none of them a violation yet.",
            "the run goes on, with 1 verdict so far",
        ),
    ],
)
def test_a_run_that_goes_on_is_never_said_to_have_no_violations(follow, verdicts, says, findings):
    page = render_html(follow(*verdicts), served=LIVE)
    assert says in page
    assert findings in page
    assert "No violations" not in page
    assert "kept every relation" not in page


def test_what_is_followed_counts_as_the_report_does(follow):
    report = follow(
        ("violated", None),
        ("invalid", OPEN),
        ("invalid", "follow-up input: changed"),
        ("error", None),
        ("invalid", "x"),
    )
    [row] = report.summary
    assert (row.judged, row.invalid, row.open, row.not_applicable, row.error, row.asked) == (1, 3, 1, 1, 1, 4)
    assert [pair.outcome for pair in report.open] == ["invalid"]


def test_an_error_is_explained_where_no_note_does(builder):
    failed = builder.question_finding("Where is it?", "WHERE is it?", outcome="error")
    cut = {**failed, "shrunk": None, "relation": "upper-case", "reason": "follow-up: the answer was cut off"}
    made = {**builder.sample(), "examples": [builder.sample()["examples"][0], cut]}
    told = "an error of upper-case: follow-up: the answer was cut off"
    assert told in closing_lines(builder.typed(made))
    made["health"] = [{**made["health"][0], "name": "errors"}]
    assert told not in closing_lines(builder.typed(made))


def test_open_pairs_with_the_same_answer_are_no_fault(builder, report):
    report["open"] = [open_pair(builder), open_pair(builder, relation="add-spaces")]
    out = io.StringIO()
    print_findings(builder.typed(report).open, console(width=120, file=out), noun="open pairs")
    assert "and 1 more like it" in out.getvalue()
    assert "fault" not in out.getvalue()
