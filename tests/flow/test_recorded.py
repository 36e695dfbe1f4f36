"""Recorded answers in a whole run: what was not recorded is neither a finding nor anybody's fault."""

from __future__ import annotations

import json

import mutatis
from mutatis.reports.passing import untested

DATA = [{"id": str(n), "text": text} for n, text in enumerate(["Good soup.", "Bad soup.", "Cold soup."])]
SAID = {"Good soup.": "1.0", "GOOD SOUP.": "0.1", "Bad soup.": "0.1", "BAD SOUP.": "0.1", "Cold soup.": "0.4"}


def run(tmp_path, said=SAID, *, out="out", offline=False, **settings):
    log = tmp_path / "log.jsonl"
    log.write_text("".join(json.dumps({"text": t, "answer": a}) + "\n" for t, a in said.items()), encoding="utf-8")
    cases = mutatis.cases(DATA, task="sentiment")
    system = mutatis.system("recorded", path=str(log))
    return mutatis.run(system, cases, ["upper-case"], settings=settings, out=tmp_path / out, offline=offline)


def test_what_was_not_recorded_is_invalid_and_says_so(tmp_path):
    [row] = [row for row in run(tmp_path).report.summary if row.relation == "upper-case"]
    assert (row.satisfied, row.violated, row.invalid, row.error) == (1, 1, 1, 0)
    verdicts = [json.loads(line) for line in (tmp_path / "out" / "verdicts.jsonl").read_text().splitlines()]
    [invalid] = [verdict for verdict in verdicts if verdict["outcome"] == "invalid"]
    assert invalid["precondition"] == "follow-up input: recorded"
    assert invalid["reason"] == "follow-up: not recorded: log.jsonl has no answer to this input"


def test_nobody_is_asked_so_it_works_offline(tmp_path):
    first = run(tmp_path)
    assert len(first.findings) == 1
    again = run(tmp_path, out="other", offline=True)
    assert [finding.id for finding in again.findings] == [finding.id for finding in first.findings]


def test_a_recorded_answer_confirms_nothing(tmp_path):
    [finding] = run(tmp_path).findings
    assert finding.confirmed is None


def test_what_was_not_recorded_hides_no_errors_from_the_gate(tmp_path):
    said = {"Good soup.": "1.0", "GOOD SOUP.": "what?"}  # one answer in one cannot be read, two were not recorded
    result = run(tmp_path, said)
    assert untested(result.report)
    [row] = [row for row in result.report.summary if row.relation == "upper-case"]
    assert (row.error, row.invalid, row.asked) == (1, 2, 1)


def test_replies_with_sources_are_judged_like_those_of_a_function(tmp_path):
    asked = {}

    def answer(text: str) -> dict:
        return asked.setdefault(text, {"answer": "No." if text.isupper() else "Yes.", "sources": [len(asked)]})

    cases = mutatis.cases([f"Is the {room} open?" for room in ("bar", "pool", "gym")], task="chat")
    settings = {"judge": {"measure": "exact"}}
    relations = ["upper-case", "double-spaces"]
    by_function = mutatis.run(answer, cases, relations, settings=settings, out=tmp_path / "function")
    log = tmp_path / "log.jsonl"
    log.write_text("".join(json.dumps({"message": text, "answer": said}) + "\n" for text, said in asked.items()))
    from_file = mutatis.run(
        mutatis.system("recorded", path=str(log)), cases, relations, settings=settings, out=tmp_path / "file"
    )
    counts = [
        {row.relation: (row.satisfied, row.violated) for row in run.report.summary if row.relation in relations}
        for run in (by_function, from_file)
    ]
    assert counts == [{"upper-case": (0, 3), "double-spaces": (3, 0)}] * 2
