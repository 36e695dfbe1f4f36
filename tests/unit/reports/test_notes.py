"""Health checks are one line per kind; only what makes the run another one than it seems stands beside the result."""

from __future__ import annotations

import io

import pytest

from mutatis.records import HealthRecord
from mutatis.reports.html import render_html
from mutatis.reports.junit import render_junit
from mutatis.reports.markdown import render_markdown
from mutatis.reports.notes import notes
from mutatis.reports.terminal import console, print_notes, print_report


def check(name, subject, message="9 of 9 equal", **more):
    return {"name": name, "subject": f"{subject} on bot, chat", "message": message, "remedy": "choose another", **more}


@pytest.fixture
def report(builder):
    """Eight checks of one kind, three of another, and one that says that the run was cut short."""
    checks = [check("unchanged", f"r{i}") for i in range(8)]
    checks += [check("never-matched", f"n{i}", f"none of {i} could be judged.", reason="r") for i in (1, 2, 3)]
    checks += [{"name": "budget", "message": "5 queries are spent", "remedy": "raise max_queries"}]
    return builder.typed({**builder.sample(), "health": checks})


def test_a_kind_is_one_line_and_names_whom_it_is_about(report):
    assert [note.text for note in notes(report.health)] == [
        "budget: 5 queries are spent; raise max_queries",
        "unchanged: r0, r1, r2, r3 and 4 more on bot, chat: 9 of 9 equal",
        "never-matched: n1 on bot, chat: none of 1 could be judged; similarly for n2, n3",
    ]


def test_what_has_no_subject_is_counted():
    twice = [HealthRecord(name="old", subject="", message="a year old")] * 2
    assert [note.text for note in notes(twice)] == ["old: a year old (2 times)"]


def test_remedies_and_reasons_are_told_once_and_how_to_silence():
    checks = [check("n", "a", reason="seldom"), check("n", "b", reason="often"), check("n", "c", reason="often")]
    [note] = notes(HealthRecord(**{**entry, "silence": 'silence = ["n"]'}) for entry in checks)
    assert (note.remedy, note.reason) == ("choose another", "often")
    assert note.lines == [
        "a on bot, chat: 9 of 9 equal",
        "b on bot, chat: 9 of 9 equal",
        "c on bot, chat: 9 of 9 equal",
        "choose another",
        'to silence: silence = ["n"]',
    ]


def test_every_form_has_a_line_per_kind_after_the_findings(report):
    out = io.StringIO()
    print_report(report, console(width=100, file=out), run="latest")
    told = {
        "terminal": out.getvalue(),
        "markdown": render_markdown(report),
        "junit": render_junit(report),
    }
    for form, text in told.items():
        assert text.count("9 of 9 equal") == 1, form
        assert text.count("could be judged") == 1, form
    assert told["terminal"].index("note budget") > told["terminal"].index(report.findings[0].id)
    assert told["markdown"].index("**Notes**") > told["markdown"].index(report.findings[0].id)
    assert "what to do: mutatis show latest --notes" in told["terminal"]


def test_the_page_has_no_banner_but_for_what_is_grave(report):
    page = render_html(report)
    summary, rest = page.split("</section>", 1)
    assert "5 queries are spent" in summary
    assert "9 of 9 equal" not in summary
    assert rest.count('<details class="note">') == 3
    assert rest.count('<li dir="auto">r7 on bot, chat: 9 of 9 equal</li>') == 1


def test_all_notes_are_told_with_what_to_do(report):
    out = io.StringIO()
    print_notes(report, console(width=100, file=out), whole=True)
    assert out.getvalue().count("9 of 9 equal") == 8
    assert out.getvalue().count("choose another") == 2
