"""Findings as plain text and runs as Markdown: each text once and whole, and nothing of it is read as Markdown."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt

from mutatis.analysis.comparison import compare
from mutatis.analysis.newness import marked
from mutatis.records.baseline import baseline_of
from mutatis.records.report import VerdictRecord
from mutatis.reports.comparison import comparison_data, render_comparison, rendered
from mutatis.reports.markdown import render_markdown
from mutatis.reports.plain import finding_text


def without_shrunk(builder, **extra):
    return builder.typed_findings({"findings": [builder.question_finding(**extra) | {"shrunk": None}]})


def drawn(text):
    return MarkdownIt("commonmark", {"html": True}).enable("table").render(text)


def test_a_finding_shows_each_text_once_whole_and_unmarked(builder):
    [finding] = without_shrunk(builder)
    text = finding_text(finding)
    assert text.splitlines() == [
        "add-typos on builtin:reader, question-answering: squad/0001 (confirmed)",
        "  context    The Eiffel Tower stands in Paris. It was built in 1889.",
        "  source     Where is the Eiffel Tower?",
        "  follow-up  Where is teh EIFFEL Tower?",
        "  change     'the' -> 'teh', 'Eiffel' -> 'EIFFEL' (add-typos)",
        "  answers    Paris -> 1889",
        "  why        the answers differ although the inputs mean the same",
        f"  replay     mutatis replay out {finding.id}",
    ]


def test_what_cannot_be_asked_again_can_be_shown(builder):
    [finding] = without_shrunk(builder, replay=None)
    assert finding_text(finding, "my runs/a").splitlines()[-1] == f"  show       mutatis show 'my runs/a' {finding.id}"
    assert "replay" not in finding_text(finding)


def test_a_dialogue_shows_its_turns_with_the_replies_of_the_bot(builder):
    source = builder.case("d/1", "Who is Ann?", "Where does she live?")
    other = builder.case("d/1#f", "Where does she live?")
    follow = {**builder.follow_up(other, "Rome", "d/1", ("remove-turn", {})), "history": []}
    record = builder.finding(
        "bot", "dialogue", "memory", {"case": source, "response": builder.response("Oslo"), "history": ["A cook."]},
        [follow], turn=1, reference=["Oslo", "in Oslo"],
    )  # fmt: skip
    [finding] = builder.typed_findings({"findings": [record]})
    lines = [re.sub(" +", " ", line).strip() for line in finding_text(finding).splitlines()]
    assert lines[1:7] == [
        "source 1 Who is Ann? -> A cook.",
        "source Where does she live?",
        "follow-up Where does she live?",
        "change remove-turn",
        "answers Oslo -> Rome",
        "expected Oslo | in Oslo",
    ]


def test_a_run_says_first_whether_it_passed(builder):
    data = builder.sample()
    report = builder.typed(data)
    assert render_markdown(report).startswith("## mutatis: finished, no gate was set\n")
    data["run"]["config"] = {"gate": {"max_rate": 1}}
    assert render_markdown(builder.typed(data)).startswith("## mutatis: within the gate\n")
    data["run"]["config"] = {"gate": {"max_rate": 0}}
    told = render_markdown(builder.typed(data))
    assert told.startswith("## mutatis: the gate failed\n")
    assert "violation rate" in told
    data["summary"] = []
    assert render_markdown(builder.typed(data)).startswith("## mutatis: could not be tested\n")


def test_new_findings_come_first(builder):
    data = builder.sample()
    data["run"]["config"] = {"gate": {"baseline": "old"}}
    report = builder.typed(data)
    [new] = [finding for finding in report.findings if finding.confirmed][:1]
    before = report.model_copy(update={"findings": [finding for finding in report.findings if finding is not new]})
    told = render_markdown(marked(report, baseline_of(before)))
    assert told.startswith("## mutatis: the gate failed\n")
    assert f"new fault {new.id}" in told
    assert told.index("### New findings (1 of 1 finding)") < told.index("### Known findings")


def test_nothing_from_data_or_models_is_read_as_markdown(builder):
    hostile = f"```\n</code></pre><img src=x onerror=alert(1)>\n# head | [a](http://b) {builder.HOSTILE}"
    record = builder.question_finding(text=hostile, other=hostile + "!", system=hostile)
    rows = [builder.row(hostile, "question-answering", "add-typos", 1, 1)]
    report = builder.typed({**builder.sample(), "findings": [record], "summary": rows})
    for told in (render_markdown(report), render_comparison(compare(report, report))):
        page = drawn(told)
        assert "<img" not in page
        assert "<a " not in page
        assert "<script" not in page
        assert page.count("<h1>") == 0


def test_a_comparison_in_every_form(builder):
    report = builder.typed(builder.sample())
    [new] = [finding for finding in report.findings if finding.confirmed][:1]
    before = report.model_copy(update={"findings": [finding for finding in report.findings if finding is not new]})
    row = {"system": "builtin:reader", "task": "question-answering", "relation": "add-typos"}

    def verdicts(violated):
        outcomes = ["violated"] * violated + ["satisfied"] * (30 - violated)
        return [
            VerdictRecord(**row, turn=0, variant=[], source=str(n), outcome=outcome)
            for n, outcome in enumerate(outcomes)
        ]

    result = compare(before, report, lambda: verdicts(0), lambda: verdicts(8))
    data = comparison_data(result)
    assert data["new"] == [new.id]
    [row] = [row for row in data["rows"] if row["relation"] == "add-typos" and row["paired"]]
    assert (row["paired"]["worse"], row["paired"]["better"], row["differs"]) == (8, 0, True)
    assert row["paired"]["p"] == 2 / 2**8
    told = render_comparison(result)
    assert told.startswith("## mutatis: 1 new fault\n")
    assert r"| +26.7 \* | 30 | 8/0 | 0.0078 |" in told
    page = rendered(result, "html", top=5, every=False)
    assert "<table>" in page
    assert "8/0" in page


def test_a_turn_that_the_follow_up_adds_has_nothing_to_differ_from(builder):
    source = builder.case("d/1", "Where does Ann live?")
    longer = builder.case("d/1#f", "Hello!", "Where does Ann live?")
    follow = builder.follow_up(longer, "Rome", "d/1", ("add-turn", {}), turn=1, origin=(-1, 0))
    record = builder.finding("bot", "chat", "greeted", {"case": source, "response": builder.response("Oslo")}, [follow])
    report = builder.typed({**builder.sample(), "findings": [record]})
    told = render_markdown(report)
    assert re.search("follow-up 1 +Hello!", told)
    from mutatis.reports.html import render_html

    assert "Hello!" in render_html(report)
