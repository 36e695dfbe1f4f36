"""Findings that are one fault, and what is told of a system and its relations."""

from __future__ import annotations

import io
import json
import re
from html import escape

import pytest

from mutatis.core.measure import FAILURE_UNREPORTED, ONE_REQUEST
from mutatis.reports.faults import groups_of, number_of_groups
from mutatis.reports.html import render_html
from mutatis.reports.junit import render_junit
from mutatis.reports.markdown import render_markdown
from mutatis.reports.overview import blocks, overview_sentences, result_lines
from mutatis.reports.plain import finding_text
from mutatis.reports.ranking import Ranking
from mutatis.reports.terminal import console, print_finding, print_findings, print_report
from mutatis.reports.view import faults, telling


@pytest.fixture
def seen_by(builder):
    """Makes a finding on an input: relation, answer of the follow-up, and its text."""

    def make(relation, answer, text="What is a fox?", source="s/1", system="bot", **extra):
        before = {"case": builder.case(source, "What is the fox?"), "response": builder.response("an animal")}
        made = builder.follow_up(builder.case(f"{source}~{relation}", text), answer, source, (relation, {}))
        return builder.finding(system, "question-answering", relation, before, [made], **extra)

    def typed(*records):
        return builder.typed_findings({"findings": list(records)})

    make.typed = typed
    return make


def ranked(findings):
    return faults(Ranking(findings))


def relations(faults):
    return [set(fault.relations) for fault in faults]


def test_one_wrong_answer_seen_by_several_relations_is_one_fault(seen_by):
    seen = ranked(
        seen_by.typed(
            seen_by("leet", "unknown"),
            seen_by("add-spaces", "Unknown"),
            seen_by("upper-case", "a plant"),
            seen_by("leet", "unknown", source="s/2"),
            seen_by("leet", "unknown", system="other"),
        )
    )
    assert sorted(map(sorted, relations(seen))) == [["add-spaces", "leet"], ["leet"], ["leet"], ["upper-case"]]


@pytest.mark.parametrize("named", [ONE_REQUEST, FAILURE_UNREPORTED])
def test_what_an_agent_does_on_all_inputs_is_one_fault(seen_by, named):
    cause = {"cause": named}
    seen = [seen_by("second-request", answer, source=answer, **cause) for answer in ("a", "b")]
    assert number_of_groups(seen_by.typed(*seen)) == 1
    assert number_of_groups(seen_by.typed(*seen, seen_by("second-request", "a", system="other", **cause))) == 2


def test_a_group_joins_what_shares_an_answer_with_any_of_it(builder, seen_by):
    both = seen_by("inner-consistency", "blue")
    both["followups"] += seen_by("x", "green")["followups"]
    seen = ranked(seen_by.typed(seen_by("leet", "blue"), seen_by("add-spaces", "green"), both))
    assert relations(seen) == [{"leet", "add-spaces", "inner-consistency"}]


def test_what_the_judge_says_is_one_cause_is_one_fault_whatever_the_words(seen_by):
    seen = ranked(
        seen_by.typed(
            seen_by("leet", "an animal with a tail", cause="source"),
            seen_by("add-spaces", "it is red", cause="source"),
            seen_by("upper-case", "it is red"),
            seen_by("misspell", "what do you mean?", cause="does not understand"),
            seen_by("leet", "a red animal", source="s/2", cause="source"),
            seen_by("leet", "a red animal", system="other", cause="source"),
        )
    )
    assert sorted(map(sorted, relations(seen))) == [
        ["add-spaces", "leet"],
        ["leet"],
        ["leet"],
        ["misspell"],
        ["upper-case"],
    ]


def test_every_form_shows_a_fault_once_and_all_on_demand(builder, seen_by):
    records = [seen_by(name, "no", cause="unstable", confirmed=None) for name in ("leet", "add-spaces", "upper-case")]
    report = builder.typed({**builder.sample(), "findings": [*records, seen_by("leet", "no", source="s/2")]})
    out = io.StringIO()
    print_findings(report.findings, console(width=100, file=out), top=5)
    assert out.getvalue().count("'an animal' -> 'no'") == 2
    assert "and 2 more findings of the same fault" in out.getvalue()
    out = io.StringIO()
    print_findings(report.findings, console(width=100, file=out), top=None)
    assert out.getvalue().count("'an animal' -> 'no'") == 4
    assert render_markdown(report).count("an animal -> no") == 2
    page = render_html(report)
    index = json.loads(page.partition('id="index">')[2].partition("</script>")[0])
    assert sorted(len(fault["ids"]) for fault in index) == [1, 3]


def test_flaky_findings_and_their_faults_are_counted_apart(builder, seen_by):
    held = [seen_by(name, "no", cause="unstable", confirmed=True) for name in ("leet", "add-spaces")]
    flaky = [seen_by("leet", "no", source=f"s/{number}", confirmed=False) for number in (2, 3)]
    report = builder.typed({**builder.sample(), "findings": [*held, *flaky]})  # whose rows say that two are FLAKY
    told = " ".join(sentence.text for sentence in overview_sentences(report))
    assert told.count("FLAKY, counted separately") == 2
    assert "FLAKY, counted separately" in result_lines(report)[0]
    [typos] = [row for row in report.summary if row.relation == "add-typos" and row.flaky]
    assert (typos.distinct, typos.findings) == (80, 79)
    assert "79 distinct; 1 flaky; 12 invalid" in render_junit(report)
    assert "| 79 | 1 |" in render_markdown(report)


def test_where_the_source_is_the_odd_one_it_is_told_once_with_the_number_of_other_wordings(builder, seen_by):
    records = [seen_by(name, "it is red", cause="source", wordings=[11, 12]) for name in ("leet", "add-spaces")]
    report = builder.typed({**builder.sample(), "findings": records})
    out = io.StringIO()
    print_findings(report.findings, console(width=100, file=out), top=5)
    told = out.getvalue()
    assert told.count("asked plainly 'an animal'; in 11 of 12 other wordings 'it is red'") == 1
    assert "What is the fox?" in told  # its own text, not that of a wording that is answered right
    assert "asked plainly an animal; in 11 of 12 other wordings it is red" in finding_text(report.findings[0])
    page = re.sub("<[^>]*>", "", render_html(report).partition('id="findings"')[2])
    assert "asked plainly an animal in 11 of 12 other wordings it is red" in page
    assert "Other wordings that get another answer than the plain question" in page
    out = io.StringIO()
    print_finding(report.findings[0], console(width=100, file=out))
    assert (
        "cause: the source's own answer is the odd one out; in 11 of 12 other wordings there is another"
        in out.getvalue()
    )
    unknown = builder.typed_findings({"findings": [{**records[0], "wordings": None}]})
    assert "in other wordings it is red" in finding_text(unknown[0])


def test_an_answer_that_should_have_changed_is_told_with_that(builder, seen_by):
    report = builder.typed({**builder.sample(), "findings": [seen_by("negation", "an animal")]})
    out = io.StringIO()
    print_findings(report.findings, console(width=100, file=out), top=5)
    told = out.getvalue()
    assert "'an animal' before and after the change" in told
    assert report.findings[0].why in told  # the answers alone do not show what is wrong
    page = re.sub("<[^>]*>", "", render_html(report))
    reason = escape(report.findings[0].why)
    assert page.count(f"an animal before and after the change: {reason}") == 2  # on the card and in the list


def test_the_most_telling_finding_stands_for_the_fault(seen_by):
    small, large = "What is teh fox?", "wHaT iS tHe FoX???"
    [fault] = ranked(
        seen_by.typed(
            seen_by("a", "no", large),
            seen_by("b", "no", small, confirmed=False),
            seen_by("c", "no", small),
            seen_by("d", "no", small, undecided=True),
        )
    )
    assert [finding.record.relation for finding in fault.findings] == ["c", "a", "d", "b"]


def test_cards_come_from_different_systems_inputs_and_relations(seen_by):
    records = [seen_by("leet", "no", "What is th3 fox?", source=f"s/{i}") for i in range(5)]
    records += [seen_by("upper-case", "no", "WHAT IS THE FOX?", source="s/8")]
    records += [seen_by("leet", "no", "What is th3 fox?", source="s/9", system="other")]
    chosen = telling(ranked(seen_by.typed(*records)))
    assert len(chosen) == 3
    assert {fault.first.record.system for fault in chosen} == {"bot", "other"}
    assert {fault.first.record.relation for fault in chosen} == {"leet", "upper-case"}
    assert telling([]) == []


@pytest.mark.parametrize(
    ("gate", "word"),
    [({}, "open"), ({"max_rate": 0.9}, "pass"), ({"max_rate": 0.2}, "fail"), ({"max_errors": 0.5}, "open")],
)
def test_a_sentence_per_system_has_the_gates_word(builder, gate, word):
    report = builder.sample()
    report["run"]["config"]["gate"] = gate
    reader, bot = overview_sentences(builder.typed(report))
    assert (reader.word, bot.word) == (word, word)
    # add-typos 80 of 280 and uppercase 10 of 300; no-change is no relation of the summary
    assert "90 of 580 verdicts (15.5 %)" in reader.text
    assert "most under add-typos (28.6 %)" in reader.text
    assert bool(reader.why) == (word == "fail")
    if word == "pass":
        assert reader.gate == "passes the gate (at most 90.0 %)"


def test_a_system_that_was_not_tested_is_no_pass(builder):
    report = builder.sample()
    report["summary"] = [builder.row("bot", "qa", "leet", 0, 0, error=9)]
    [only] = overview_sentences(builder.typed(report))
    assert only.word == "untested"
    assert "no answer could be judged" in only.why[0]


def test_relations_stand_by_capability_the_worst_first(builder):
    def row(relation, satisfied, violated, capability, **extra):
        return builder.row("bot", "qa", relation, satisfied, violated, capability=capability, says="x", **extra)

    rows = [
        row("leet", 90, 10, "typing noise"),
        row("upper-case", 50, 50, "case"),
        row("keyboard-typos", 70, 30, "typing noise"),
        row("synonyms", 0, 1, "wording", interval=[0.03, 1.0]),  # one of one says little
    ]
    [block] = blocks(builder.typed({**builder.sample(), "summary": rows}).summary)
    [table] = block.tables
    assert table.system == "bot"
    assert [(name, [line.relation for line in lines]) for name, lines in table.groups] == [
        ("case", ["upper-case"]),
        ("typing noise", ["keyboard-typos", "leet"]),
        ("wording", ["synonyms"]),
    ]


def test_a_new_finding_is_listed_although_a_known_one_has_the_same_wrong_answer(builder, seen_by):
    records = [
        seen_by("leet", "no", new=False, confirmed=True),
        seen_by("add-spaces", "no", new=True),
        seen_by("upper-case", "no", new=True),
    ]
    report = {**builder.sample(), "findings": records}
    report["run"]["config"]["gate"] = {"baseline": "known.json"}
    out = io.StringIO()
    print_report(builder.typed(report), console(width=120, file=out))
    heads = [text for text in out.getvalue().splitlines() if "question-answering/s/1" in text or "  s/1" in text]
    assert len(heads) == 2
    assert "add-spaces" in heads[0]
    assert "  new" in heads[0]
    assert "and 1 more finding of the same fault" in heads[0]
    assert "leet" in heads[1]
    assert "new" not in heads[1]


def test_a_stock_reply_to_several_inputs_is_one_fault(seen_by):
    lost = "Sorry, I did not understand."
    seen = seen_by.typed(
        seen_by("drop-mark", lost, source="s/1", cause="not understood"),
        seen_by("drop-mark", lost, source="s/2", cause="not understood"),
        seen_by("polite", lost, source="s/3"),
        seen_by("upper-case", "no", source="s/1"),
        seen_by("upper-case", "no", source="s/2"),
        seen_by("upper-case", "no", source="s/3"),
        seen_by("leet", lost, source="s/4", cause="unstable"),
        seen_by("leet", lost, source="s/5", new=True),
        seen_by("leet", lost, source="s/6", system="other"),
    )
    groups = [[f"{each.relation} {each.source.case.id}" for each in fault] for fault in groups_of(seen)]
    assert groups[0] == ["drop-mark s/1", "drop-mark s/2", "polite s/3"]
    assert all(len(group) == 1 for group in groups[1:])
    assert number_of_groups(iter(seen)) == len(groups) == 7
    assert len(groups_of(seen[:2])) == 2  # two inputs are too few
    # what counts is the answer that is shown, which is that of the smallest follow-up
    shrunk = seen_by("polite", "Hello there, dear guest!", source="s/4")
    shrunk["shrunk"] = seen_by("polite", lost, source="s/4")["followups"][0]
    assert [len(fault) for fault in groups_of([*seen[:3], *seen_by.typed(shrunk)])] == [4]


def test_all_findings_are_listed_from_the_most_informative_on(builder, seen_by):
    records = [seen_by("leet", "no", new=False, confirmed=True), seen_by("upper-case", "no", new=True)]
    out = io.StringIO()
    print_report(builder.typed({**builder.sample(), "findings": records}), console(width=120, file=out), every=True)
    heads = [text for text in out.getvalue().splitlines() if "question-answering/s/1" in text or "  s/1" in text]
    assert ["upper-case" in heads[0], "leet" in heads[1]] == [True, True]
