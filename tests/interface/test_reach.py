"""What was tried on which question, and what a run learnt, as a user reads it: page, terminal, Markdown, `show`."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from mutatis.records.report import EdgesRecord
from mutatis.reports.html import write_html
from mutatis.reports.markdown import render_markdown
from mutatis.reports.reach import edge_rows, print_edges, print_reach
from mutatis.reports.terminal import console
from support import report_builder as builder
from support.browser import chromium, opened
from support.loopback import Command

HOSTILE = (
    "</td><script>document.title = 'taken'</script><img src=x onerror=\"document.title='taken'\"> [bold]x[/bold] | `"
)


@pytest.fixture(scope="module")
def browser():
    with chromium() as started:
        yield started


def tried(system: str, questions: int, *, reason: str = "the question has no value", text: str = "What is it?") -> dict:
    """A record of questions of which every second has a value; the table lists 200 at most."""
    with_value = questions // 2
    kinds = [
        {
            "change": "value",
            "fell": 1,
            "held": with_value - 1,
            "not_applicable": questions - with_value,
            "reasons": {reason: questions - with_value},
        },
        {"change": "conversation", "held": questions},
        {"change": "limit", "not_applicable": questions, "reasons": {reason: questions}},
        {"change": "name", "not_applicable": questions, "reasons": {reason: questions}},
    ]
    table = [
        {
            "source": f"q/{number}",
            "question": f"{text} ({number})",
            "states": {"value": "held" if number % 2 else "not-applicable", "conversation": "held"},
            "reasons": {} if number % 2 else {"value": reason},
        }
        for number in range(min(questions, 200))
    ]
    return {"system": system, "questions": questions, "kinds": kinds, "untried": ["list"], "table": table}


def report(*reach: dict):
    return builder.typed({**builder.sample(), "reach": list(reach)})


def printed(made, width: int = 120) -> str:
    out = io.StringIO()
    print_reach(made, console(width=width, file=out))
    return out.getvalue()


def visited(browser, folder: Path, made, **options):
    file = write_html(made, folder / "report.html")
    page = opened(browser, **options)
    page.goto(file.as_uri())
    return page


def test_the_page_shows_each_system_and_the_first_two_hundred_questions(browser, tmp_path: Path) -> None:
    page = visited(browser, tmp_path, report(tried("ann", 230), tried("bob", 4)))
    section = page.locator("#tried")
    assert section.locator("h3").all_text_contents() == ["ann", "bob"]
    first = section.locator("table").first.locator("tbody tr").first.locator("td").all_text_contents()
    assert first == ["value", "115", "1", "114", "", "115", "the question has no value"]
    summaries = section.locator("summary").all_text_contents()
    assert summaries == ["By question (the first 200; 30 more)", "By question"]
    section.locator("summary").first.click()
    rows = section.locator("details").first.locator("tbody tr")
    assert rows.count() == 200
    assert rows.nth(1).locator("td").all_text_contents() == ["What is it? (1)", "held", "held", "", ""]
    assert rows.first.locator("td").nth(1).get_attribute("title") == "the question has no value"
    assert page.locator("nav a[href='#tried']").count() == 1
    page.context.close()


def edges(system: str, text: str = "What is it at 12 kg?") -> dict:
    """A record of a value with two edges, behind the second of which the price turns."""
    both = [("10 kg", "11 kg", "35 EUR", "42 EUR"), ("25 kg", "26 kg", "42 EUR", "30 EUR")]
    return {
        "system": system,
        "source": "q/1",
        "question": text,
        "value": "12 kg",
        "asked": [{"value": "12 kg", "reply": "42 EUR"}],
        "edges": [dict(zip(("low", "high", "below", "above"), edge, strict=True)) for edge in both],
        "turn": ["10 kg", "25 kg", "26 kg"],
    }


def test_edges_are_one_table_on_page_terminal_and_markdown(browser, tmp_path: Path) -> None:
    even = {**edges("ann", HOSTILE), "edges": [], "turn": [], "even": True}
    made = builder.typed({**builder.sample(), "edges": [edges("ann"), even]})
    page = visited(browser, tmp_path, made)
    section = page.locator("#edges")
    rows = section.locator("tbody tr")
    assert rows.nth(1).locator("td").all_text_contents() == [
        *("What is it at 12 kg?", "12 kg", "25 kg and 26 kg", "42 EUR", "30 EUR", "turns at 25 kg"),
    ]
    assert rows.nth(2).locator("td").last.text_content() == "changes evenly with the value"
    assert section.locator("script, img").count() == 0
    assert page.locator("nav a[href='#edges']").count() == 1
    page.context.close()
    out = io.StringIO()
    print_edges(made, console(width=120, file=out))
    assert "25 kg and 26 kg" in out.getvalue()
    told = render_markdown(made)
    assert "where answers change along a value: ann" in told
    assert "| 25 kg and 26 kg | 42 EUR | 30 EUR | turns at 25 kg |" in told


def test_a_report_without_edges_has_no_such_table() -> None:
    out = io.StringIO()
    print_edges(report(), console(width=120, file=out))
    assert out.getvalue() == ""
    assert "change along a value" not in render_markdown(report())


def test_hostile_and_wide_texts_stay_texts_and_stay_in_their_table(browser, tmp_path: Path) -> None:
    made = report(tried(HOSTILE, 4, reason=HOSTILE + "w" * 400, text=HOSTILE + "w" * 400))
    page = visited(browser, tmp_path, made, viewport={"width": 480, "height": 800})
    section = page.locator("#tried")
    section.locator("summary").first.click()
    assert page.title().startswith("mutatis ")
    assert section.locator("script, img").count() == 0
    assert section.locator("h3").text_content() == HOSTILE
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")  # the table scrolls, not the page
    page.context.close()
    markdown = render_markdown(made)
    told = markdown[markdown.index("<details><summary>what was tried") :].splitlines()
    assert "<script>" not in markdown.replace("\\<script\\>", "")
    assert next(line for line in told if line.startswith("| value")).replace("\\|", "").count("|") == 8  # seven cells
    assert "[bold]x[/bold]" in printed(made)


def test_a_run_without_kinds_of_change_has_no_such_section(browser, tmp_path: Path) -> None:
    page = visited(browser, tmp_path, report())
    assert page.locator("#tried").count() == page.locator("nav a[href='#tried']").count() == 0
    page.context.close()
    assert printed(report()) == ""
    assert "what was tried" not in render_markdown(report())


def test_the_terminal_names_each_kind_whole_and_sums_up_what_was_not_tried() -> None:
    for width in (80, 120):
        told = printed(report(tried("ann", 10, reason="the reply states no amount, day, time or code " * 3)), width)
        assert "conversation" in told
        assert "\u2026" not in told
    assert "of 10 questions, value was tried on 5; limit, name on none; this run has no change of list" in " ".join(
        told.split()
    )


def test_show_has_the_table_and_with_all_of_it_each_question_with_its_reasons(command: Command) -> None:
    Path("out").mkdir()
    Path("out/report.json").write_text(json.dumps(report(tried("ann", 230), tried("bob", 2, text=HOSTILE)).to_json()))
    plain, every = command("show", "out"), command("show", "out", "--all")
    assert plain.code == every.code == 0, every.err
    assert "what was tried on ann" in plain.out
    assert "What is it? (0)" not in plain.out
    lines = every.out.splitlines()
    first = lines.index("What is it? (0)")
    assert lines[first + 1 : first + 3] == [
        "    held: conversation",
        "    not applicable: value (the question has no value)",
    ]
    assert lines[lines.index("What is it? (1)") + 1] == "    held: value, conversation"
    assert "... 30 more questions" in lines
    assert f"{HOSTILE} (1)" in lines


def test_a_dictionary_is_shown_by_system_with_what_shows_each_entry(command: Command) -> None:
    Path("out").mkdir()
    Path("out/report.json").write_text(json.dumps(builder.typed(builder.sample()).to_json()))
    missing = command("show", "out", "--dictionary")
    assert missing.code == 2
    assert "this run has no dictionary.json" in missing.err
    names = {"names": [{"text": "Basic", "seen": ["1", "2"]}, {"text": HOSTILE}]}
    limits = [{"text": "from 65 years", "seen": ["3"], "contradicted": True}]
    entries = {"names": [names], "limits": limits}
    data = {"format": "mutatis/dictionary", "version": 1, "systems": {"bob": {}, f"ann {HOSTILE}": entries}}
    Path("out/dictionary.json").write_text(json.dumps(data))
    done = command("show", "out", "--dictionary")
    assert done.code == 0, done.err
    lines = done.out.splitlines()
    assert lines[:3] == [f"ann {HOSTILE}", "  names of one kind", lines[2]]
    assert lines[2].startswith(f"    Basic x2, {HOSTILE}")
    assert "    from 65 years x1 (contradicted)" in lines
    assert lines[lines.index("bob") + 2] == "    none"
    assert not {"\u202e", "\x1b"} & set(done.out)
    Path("out/dictionary.json").write_text('{"names": [1]}')
    assert command("show", "out", "--dictionary").code == 2


def test_each_edge_has_a_row_and_the_turn_of_a_price_is_named() -> None:
    def record(*edges: tuple[int, int], turn: tuple[int, ...] = ()) -> EdgesRecord:
        prices = {days: 20 * days if days < 8 else 12 * days for days in range(1, 13)}
        keys = ("low", "high", "below", "above")
        texts = [(f"{low} days", f"{high} days", f"{prices[low]} EUR", f"{prices[high]} EUR") for low, high in edges]
        return EdgesRecord.model_validate(
            {
                **{"system": "ann", "source": "q/1", "question": "What are 5 days?", "value": "5 days"},
                "edges": [dict(zip(keys, each, strict=True)) for each in texts],
                "turn": [f"{days} days" for days in turn],
            }
        )

    steps = ((4, 5), (5, 7), (7, 8), (8, 10))
    assert [row[2:] for row in edge_rows(record(*steps, turn=(5, 7, 8)))] == [
        ["4 days and 5 days", "80 EUR", "100 EUR", ""],
        ["5 days and 7 days", "100 EUR", "140 EUR", ""],
        ["7 days and 8 days", "140 EUR", "96 EUR", "turns at 7 days"],
        ["8 days and 10 days", "96 EUR", "120 EUR", ""],
    ]
