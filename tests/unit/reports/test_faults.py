"""Findings that are one fault, and what is told of a system and its relations."""

from __future__ import annotations

import pytest

from mutatis.reports.faults import faults, telling
from mutatis.reports.overview import blocks, sentences
from mutatis.reports.view import finding_view


@pytest.fixture
def found(builder):
    """Makes a finding on an input: relation, answer of the follow-up, and its text."""

    def make(relation, answer, text="What is a fox?", source="s/1", system="bot", **extra):
        before = {"case": builder.case(source, "What is the fox?"), "response": builder.response("an animal")}
        made = builder.follow_up(builder.case(f"{source}~{relation}", text), answer, source, (relation, {}))
        return builder.finding(system, "question-answering", relation, before, [made], **extra)

    def views(*records):
        return [finding_view(record) for record in builder.typed_findings({"findings": list(records)})]

    make.views = views
    return make


def relations(found):
    return [set(fault.relations) for fault in found]


def test_one_wrong_answer_seen_by_several_relations_is_one_fault(found):
    seen = faults(
        found.views(
            found("leet", "unknown"),
            found("add-spaces", "Unknown"),
            found("upper-case", "a plant"),
            found("leet", "unknown", source="s/2"),
            found("leet", "unknown", system="other"),
        )
    )
    assert sorted(map(sorted, relations(seen))) == [["add-spaces", "leet"], ["leet"], ["leet"], ["upper-case"]]


def test_a_group_joins_what_shares_an_answer_with_any_of_it(builder, found):
    both = found("inner-consistency", "blue")
    both["followups"] += found("x", "green")["followups"]
    seen = faults(found.views(found("leet", "blue"), found("add-spaces", "green"), both))
    assert relations(seen) == [{"leet", "add-spaces", "inner-consistency"}]


def test_the_most_telling_finding_stands_for_the_fault(found):
    small, large = "What is teh fox?", "wHaT iS tHe FoX???"
    [fault] = faults(
        found.views(
            found("a", "no", large),
            found("b", "no", small, confirmed=False),
            found("c", "no", small),
            found("d", "no", small, undecided=True),
        )
    )
    assert [finding.relation for finding in fault.findings] == ["c", "a", "d", "b"]


def test_cards_come_from_different_systems_inputs_and_relations(found):
    records = [found("leet", "no", "What is th3 fox?", source=f"s/{i}") for i in range(5)]
    records += [found("upper-case", "no", "WHAT IS THE FOX?", source="s/8")]
    records += [found("leet", "no", "What is th3 fox?", source="s/9", system="other")]
    chosen = telling(faults(found.views(*records)))
    assert len(chosen) == 3
    assert {fault.first.system for fault in chosen} == {"bot", "other"}
    assert {fault.first.relation for fault in chosen} == {"leet", "upper-case"}
    assert telling([]) == []


@pytest.mark.parametrize(
    ("gate", "word"),
    [({}, "open"), ({"max_rate": 0.9}, "pass"), ({"max_rate": 0.2}, "fail"), ({"max_errors": 0.5}, "open")],
)
def test_a_sentence_per_system_has_the_gates_word(builder, gate, word):
    report = builder.sample()
    report["run"]["config"]["gate"] = gate
    reader, bot = sentences(builder.typed(report))
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
    [only] = sentences(builder.typed(report))
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
