"""What a judge says is wrong reaches verdicts and findings, and findings of one cause are told once."""

from __future__ import annotations

import html
import io
import json

import mutatis
from mutatis.core.measure import SOURCE_IS_ODD, Judge, Similarity
from mutatis.reports.terminal import console, print_findings

RIGHT, ODD = "We open at nine.", "We open at noon."


class Sibling:
    """Says that the source's own answer is the odd one out where it is the one that nobody else gets."""

    name = "sibling"

    def compare(self, comparisons):
        return [
            Similarity(score=1.0) if RIGHT in told.reference or told.answer == ODD
            else Similarity(score=0.0, reason="the source's answer is the odd one out", cause=SOURCE_IS_ODD)
            for told in comparisons
        ]  # fmt: skip


def answer(message):
    """Odd to one question as it stands, and to its wording in small letters; right to all others."""
    return ODD if message.casefold() == message or message == "When do you open on Monday?" else RIGHT


def run(folder, **more):
    cases = mutatis.cases([{"message": f"When do you open on {day}?"} for day in ("Monday", "Friday")], task="chat")
    relations = ["upper-case", "lower-case", "drop-punctuation", "repeat-words"]
    judge = Judge(measure=Sibling(), equal=0.5, different=0.5)
    return mutatis.run(answer, cases, relations, judge=judge, out=folder, **more)


def test_an_odd_source_is_one_fault_with_the_number_of_other_wordings(tmp_path):
    done = run(tmp_path / "out")
    assert {finding.relation for finding in done.findings} == {"upper-case", "drop-punctuation", "repeat-words"}
    assert {(finding.cause, finding.wordings) for finding in done.findings} == {("source", (3, 4))}
    lines = [json.loads(text) for text in (tmp_path / "out" / "verdicts.jsonl").read_text().splitlines()]
    assert {line["relation"] for line in lines if line.get("cause") == "source"} == {
        finding.relation for finding in done.findings
    }
    assert sum("cause" in line for line in lines) == 3  # every pair keeps its line; who is right has no cause
    page = done.save(tmp_path / "page.html").read_text()
    assert page.count("in 3 of 4 other wordings") >= 1
    [fault] = json.loads(page.partition('id="index">')[2].partition("</script>")[0])
    assert len(fault["ids"]) == 3


def test_findings_beyond_those_that_are_confirmed_are_counted_as_well(tmp_path):
    done = run(tmp_path / "out", settings={"confirm": 0, "shrink": 0})
    assert {finding.wordings for finding in done.findings} == {(3, 4)}


def test_a_judge_that_names_no_cause_leaves_none(tmp_path):
    cases = mutatis.cases([{"message": "When do you open on Monday?"}], task="chat")
    done = mutatis.run(answer, cases, ["upper-case"], judge="exact", out=tmp_path / "out")
    [finding] = done.findings
    assert (finding.cause, finding.wordings) == ("", None)
    assert "cause" not in json.loads((tmp_path / "out" / "verdicts.jsonl").read_text().splitlines()[0])


def test_every_line_says_what_its_relation_wants_of_the_answers(tmp_path):
    relations = ["upper-case", "sentiment-negation-auxiliary", "exclamation"]
    mutatis.run(lambda text: "0.9", ["The soup is good. I liked it."], relations, task="sentiment", out=tmp_path)
    lines = [json.loads(text) for text in (tmp_path / "verdicts.jsonl").read_text().splitlines()]
    told = {line["relation"]: line["expects"] for line in lines if line["relation"] in relations}
    assert told == {"upper-case": "same", "sentiment-negation-auxiliary": "different", "exclamation": "other"}


def test_a_question_that_is_answered_in_two_ways_is_one_fault_with_its_shares(tmp_path):
    relations = ["upper-case", "lower-case", "drop-punctuation", "repeat-words", "add-characters", "delete-characters"]

    def undecided(message):
        """Half of the wordings of one question get the other answer; another question is sure."""
        odd = "Monday" in message or "monday" in message.casefold()
        changed = message.isupper() or message.islower() or "?" not in message
        return ODD if odd and changed else RIGHT

    cases = mutatis.cases([{"message": f"When do you open on {day}?"} for day in ("Monday", "Friday")], task="chat")
    done = mutatis.run(undecided, cases, relations, judge="exact", out=tmp_path / "out")
    assert {finding.relation for finding in done.findings} == {"upper-case", "lower-case", "drop-punctuation"}
    wanted = {"wordings": 7, "shares": [(RIGHT, 4), (ODD, 3)]}
    assert {finding.cause for finding in done.findings} == {"unstable"}
    assert [finding.instability.model_dump() for finding in done.findings] == [wanted] * 3
    lines = [json.loads(text) for text in (tmp_path / "out" / "verdicts.jsonl").read_text().splitlines()]
    assert not any("cause" in line for line in lines)  # verdicts are written before all wordings are answered
    told = f"asked the same thing in 7 wordings it says '{RIGHT}' in 4 and '{ODD}' in 3"
    page = done.save(tmp_path / "page.html").read_text()
    [fault] = json.loads(page.partition('id="index">')[2].partition("</script>")[0])
    assert len(fault["ids"]) == 3
    assert told in html.unescape(page)
    assert done.save(tmp_path / "page.md").read_text().count(told) == 1
    assert html.unescape(done._repr_html_()).count(told) == 1
    out = io.StringIO()
    print_findings(done.findings, console(width=200, file=out), top=5)
    assert out.getvalue().count(told) == 1
    again = mutatis.read_run(tmp_path / "out")
    assert [finding.instability for finding in again.findings] == [finding.instability for finding in done.findings]


def test_one_rare_answer_or_many_different_ones_are_no_two_ways(tmp_path):
    def scattered(message):
        return RIGHT if message.startswith("When") and "?" in message and "  " not in message else f"At {len(message)}."

    relations = ["upper-case", "lower-case", "drop-punctuation", "repeat-words", "add-characters", "delete-characters"]
    cases = mutatis.cases([{"message": "When do you open on Monday?"}], task="chat")
    done = mutatis.run(scattered, cases, relations, judge="exact", out=tmp_path / "out")
    assert len(done.findings) >= 3
    assert all(finding.instability is None and finding.cause == "" for finding in done.findings)
