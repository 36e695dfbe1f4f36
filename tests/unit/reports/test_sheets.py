from __future__ import annotations

import csv
import io
import json
from collections import Counter
from functools import partial

import pytest

from mutatis.core.errors import UsageError
from mutatis.reports.sheets import (
    make_sheet,
    of_relation,
    paired_labels,
    read_key,
    read_sheet_labels,
    tag_of,
    tagged,
)


@pytest.fixture
def verdicts(builder, sample):
    verdicts = [builder.typed_verdict(finding) for finding in sample["findings"]]
    dialogue = sample["findings"][0]
    for turn in (0, 1):  # the dialogue's earlier turns were judged too
        asked = dialogue["source"]["case"]["turns"][turn]["fields"]
        verdicts.append(
            builder.typed_verdict(dialogue, outcome="satisfied", turn=turn, followups=[], source_input=asked)
        )
    return lambda: iter(verdicts)


@pytest.fixture
def findings(builder, sample):
    return builder.typed_findings(sample)


def rows(sheet):
    return list(csv.DictReader(io.StringIO(sheet.as_csv())))


def test_bugs_sheet_is_whole_and_blind(findings, verdicts):
    expectations = {"equivalent-contexts-agree": "Answers agree."}
    sheet = make_sheet(
        "bugs", verdicts, findings, size=10, expected=lambda verdict: expectations.get(verdict.relation, "")
    )
    assert (len(sheet.rows), sheet.available) == (3, 3)
    [dialogue] = [row for row in rows(sheet) if row["relation"] == "equivalent-contexts-agree"]
    assert dialogue["expectation"] == "Answers agree."
    assert dialogue["material"].startswith("Ann has a dog")
    assert dialogue["first_earlier"] == "What is it called?\nWho has a dog?"
    assert (dialogue["first_answer"], dialogue["second_answer"]) == ("in Oslo", "(no answer: timed out)")
    assert dialogue["score"] == dialogue["comment"] == ""
    text = sheet.as_csv() + sheet.as_html()
    for secret in ("tiny-chat", "0.125", "shuffle-dialogue", "FLAKY"):
        assert secret not in text


def test_pair_findings_put_the_source_first(findings, verdicts):
    sheet = make_sheet("bugs", verdicts, findings, size=10)
    row = next(row for row in rows(sheet) if "EIFFEL" in row["second_input"])
    assert "Where is the Eiffel Tower?" in row["first_input"]
    assert (row["first_answer"], row["second_answer"]) == ("Paris", "1889")


def test_a_run_whose_findings_have_no_labels_is_told_so(findings, verdicts):
    with pytest.raises(UsageError, match="nothing to label: the run has no labelled violations"):
        make_sheet("bugs", verdicts, findings, size=10, labels={})


def test_context_sheet_hides_the_tag_from_people_only(findings, verdicts):
    sheet = make_sheet("context", verdicts, findings, size=10)
    by_tag = {tag_of(row["item"]): row for row in rows(sheet)}
    assert set(by_tag) == {"equivalent", "altered"}
    assert by_tag["altered"]["follow_up_earlier"] == ""
    assert by_tag["altered"]["source_earlier"] == "Who has a dog?\nWhat is it called?"
    assert "altered" not in "".join("".join(row.values()) for row in rows(sheet))


def test_follow_up_sheet_hides_relation_verdict_and_answer(findings, verdicts):
    sheet = make_sheet("follow-ups", verdicts, findings, size=10, expected=lambda _: "The answer stays.")
    items = rows(sheet)
    assert [row["should_hold"] for row in items] == ["The answer stays."] * 2  # of the dialogue two are judged together
    [tower] = [row for row in items if "EIFFEL" in row["follow_up_input"]]
    assert tower["source_input"].splitlines()[-1] == "question: Where is the Eiffel Tower?"
    assert (tower["task"], tower["source_answer"], tower["sound"]) == ("question-answering", "Paris", "")
    for secret in ("tiny-chat", "add-typos", "violated", "squad/0001"):
        assert secret not in sheet.as_csv() + sheet.as_html() + sheet.as_jsonl()
    assert "Where is teh EIFFEL Tower?' to 1889" not in sheet.as_csv()
    assert {(entry.relation, entry.task, entry.fields, entry.source) for entry in sheet.key} == {
        ("add-typos", "question-answering", "question", "squad/0001")
    }
    assert [entry.item for entry in sheet.key] == [row["item"] for row in items]
    lines = [json.loads(text) for text in sheet.as_jsonl().splitlines()]
    assert [line["item"] for line in lines] == [row["item"] for row in items]


def test_a_follow_up_sheet_shows_the_dialogue_as_it_was_held(builder):
    asked = builder.case("d/1", "Where is Ada?", "And Ben?")
    later = builder.case("d/1#f", "WHERE IS ADA?", "AND BEN?")
    lines = []
    for turn, answers in enumerate((("Rome", "Oslo"), ("Paris", "Paris"))):
        source = {"case": asked, "response": builder.response(answers[0])}
        step = ("upper-case", {})
        made = builder.follow_up(later, answers[1], "d/1", step, turn=turn, origin=(0, 1))
        lines.append(builder.typed_verdict(builder.finding("bot", "dialogue", "upper-case", source, [made], turn=turn)))
    items = rows(make_sheet("follow-ups", lambda: iter(lines), [], size=10))
    [second] = [row for row in items if row["source_input"] == "And Ben?"]
    assert second["source_earlier"] == "Where is Ada? -> Rome"
    assert second["follow_up_earlier"] == "WHERE IS ADA? -> Oslo"
    assert second["source_answer"] == "Paris"


def test_a_line_without_an_answer_does_not_hide_the_answer_that_another_line_has(builder):
    asked = builder.case("d/1", "Where is Ada?", "And Ben?")
    later = builder.case("d/1#f", "Where is Ada?", "AND BEN?")
    source = {"case": asked, "response": builder.response("Oslo")}
    made = builder.follow_up(later, "Oslo", "d/1", ("upper-case", {}), turn=1, origin=(0, 1))
    judged = builder.typed_verdict(builder.finding("bot", "chat", "upper-case", source, [made], turn=1))
    first = {"case": builder.case("d/1", "Where is Ada?"), "response": builder.response("Rome")}
    plain = builder.follow_up(builder.case("d/1#g", "WHERE IS ADA?"), "Rome", "d/1", ("upper-case", {}))
    known = builder.typed_verdict(builder.finding("bot", "chat", "one", first, [plain]), outcome="error")
    refused = known.model_copy(update={"outcome": "invalid", "source_output": None, "followups": []})
    for lines in ([known, refused, judged], [refused, judged, known]):
        [row] = rows(make_sheet("follow-ups", partial(iter, lines), [], size=10))
        assert row["source_earlier"] == row["follow_up_earlier"] == "Where is Ada? -> Rome"


def test_so_many_items_per_relation_and_task(builder, sample):
    finding = sample["findings"][1]
    many = [
        builder.typed_verdict(
            builder.question_finding(f"Where is {n}?", f"Where si {n}?"), relation=name, followups=followups(finding, n)
        )
        for n in range(30)
        for name in ("one", "other")
    ]
    sheet = make_sheet("follow-ups", lambda: iter(many), [], size=5, per=of_relation)
    assert Counter(entry.relation for entry in sheet.key) == {"one": 5, "other": 5}
    assert [entry.relation for entry in sheet.key] != sorted(entry.relation for entry in sheet.key)
    assert len(make_sheet("follow-ups", lambda: iter(many), [], size=5).rows) == 5


def followups(finding, number):
    item = finding["followups"][0]
    member = {"case": f"squad/{number}", "derivation": item["derivation"], "turn": 0, "role": "follow-up"}
    return [{**member, "input": {"question": f"Where si {number}?"}, "output": item["response"]}]


def test_the_sample_is_the_same_for_the_same_seed_and_smaller_ones_are_its_beginning(builder, sample, findings):
    finding = sample["findings"][1]
    many = [builder.typed_verdict(finding, draw=draw) for draw in range(200)]
    first = make_sheet("bugs", lambda: iter(many), findings, size=20, seed=1)
    again = make_sheet("bugs", lambda: reversed(many), findings, size=20, seed=1)
    other = make_sheet("bugs", lambda: iter(many), findings, size=20, seed=2)
    small = make_sheet("bugs", lambda: iter(many), findings, size=5, seed=1)
    assert first == again
    assert {row[1] for row in first.rows} != {row[1] for row in other.rows}
    assert [row[1] for row in small.rows] == [row[1] for row in first.rows[:5]]
    assert first.available == 200


def test_nothing_to_label(findings):
    with pytest.raises(UsageError, match="no violations"):
        make_sheet("bugs", lambda: iter([]), findings)
    with pytest.raises(UsageError, match="context tag"):
        make_sheet("context", lambda: iter([]), findings)


def test_tags_hide_in_names():
    assert tag_of(tagged("i0123", "altered")) == "altered"
    assert tag_of("i0123") is None


def test_hostile_sheets_are_inert(builder, hostile):
    lines = [builder.typed_verdict(finding) for finding in hostile["findings"]]
    page = make_sheet("bugs", lambda: iter(lines), builder.typed_findings(hostile)).as_html()
    assert "<script>document.title" not in page
    page.encode("utf-8")


def write(path, header, *lines):
    path.write_text("\n".join([header, *lines]) + "\n", encoding="utf-8")
    return path


def test_labels_are_read_from_what_spreadsheets_save(tmp_path):
    comma = write(tmp_path / "a.csv", "number,item,score,comment", "1,i1,7,", '2,i2,"0",note')
    semicolon = write(tmp_path / "b.csv", "\ufeffnumber;item;score;comment", "2;i2;0,5;", "1;i1;10;")
    labels = read_sheet_labels(comma), read_sheet_labels(semicolon)
    assert labels[0].kind == "bugs"
    assert paired_labels(*labels) == [("i1", 7.0, 10.0), ("i2", 0.0, 0.5)]


def test_context_labels(tmp_path):
    path = write(tmp_path / "a.csv", "item,label", "i1,Altered", "i2,equivalent", "i3,e")
    assert dict(read_sheet_labels(path).values) == {"i1": 1.0, "i2": 0.0, "i3": 0.0}


def test_labels_of_follow_ups(tmp_path):
    path = write(tmp_path / "a.csv", "item,sound", "i1,Yes", "i2,no", "i3,")
    assert dict(read_sheet_labels(path).values) == {"i1": 1.0, "i2": 0.0}
    lines = write(tmp_path / "b.jsonl", '{"item": "i2", "sound": true}', '{"item": "i3", "sound": false}')
    assert paired_labels(read_sheet_labels(path), read_sheet_labels(lines)) == [("i2", 0.0, 1.0)]
    other = write(tmp_path / "c.jsonl", '{"item": "i9", "sound": true}')
    with pytest.raises(UsageError, match="no item that is labelled in"):
        paired_labels(read_sheet_labels(path), read_sheet_labels(other))
    with pytest.raises(UsageError, match="line 1: found '7'"):
        read_sheet_labels(write(tmp_path / "d.jsonl", "7"))
    with pytest.raises(UsageError, match="line 1: no 'relation'; expected the key"):
        read_key(write(tmp_path / "e.jsonl", '{"item": "i1"}'))


@pytest.mark.parametrize(
    ("header", "line", "message"),
    [
        ("item,score", "i1,", "the sheet has not been filled in; expected a score from 0 to 10 in the column 'score'"),
        (
            "item,label",
            "i1,",
            "the sheet has not been filled in; expected 'equivalent' or 'altered' in the column 'label'",
        ),
        ("item,score", "i1,11", "found '11'; expected a score"),
        ("item,score", "i1,nan", "found 'nan'; expected a score"),
        ("item,score", "i1,good", "found 'good'"),
        ("item,score", ",3", "the column 'item' is empty"),
        ("item,label", "i1,maybe", "expected 'equivalent' or 'altered'"),
        ("name,score", "i1,3", "no column 'item'"),
        ("item,points", "i1,3", "no column 'score'"),
        ("item,sound", "i1,perhaps", "row 2, column 'sound': found 'perhaps'; expected 'yes' or 'no'"),
        ("item,sound", "i1,", "the sheet has not been filled in; expected 'yes' or 'no' in the column 'sound'"),
    ],
)
def test_ill_formed_labels(tmp_path, header, line, message):
    path = write(tmp_path / "a.csv", header, line)
    with pytest.raises(UsageError, match=message) as caught:
        read_sheet_labels(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(("column", "label"), [("score", "3"), ("label", "altered"), ("sound", "yes")])
def test_items_that_a_rater_left_blank_are_left_out(tmp_path, column, label):
    first = read_sheet_labels(write(tmp_path / "a.csv", f"item,{column}", f"i1,{label}", f"i2,{label}", "i3,"))
    second = read_sheet_labels(write(tmp_path / "b.csv", f"item,{column}", "i1,", f"i2,{label}", f"i3,{label}"))
    assert set(first.values) == {"i1", "i2"}
    assert [pair.item for pair in paired_labels(first, second)] == ["i2"]


def test_sheets_must_belong_together(tmp_path):
    labels = read_sheet_labels(write(tmp_path / "a.csv", "item,score", "i1,3", "i2,3"))
    other = read_sheet_labels(write(tmp_path / "b.csv", "item,score", "i9,3"))
    tags = read_sheet_labels(write(tmp_path / "c.csv", "item,label", "i1,e"))
    with pytest.raises(UsageError, match=r"b\.csv: no item that is labelled in .*a\.csv is labelled here"):
        paired_labels(labels, other)
    with pytest.raises(UsageError, match="expected the same kind in both"):
        paired_labels(labels, tags)
    with pytest.raises(UsageError, match="twice"):
        read_sheet_labels(write(tmp_path / "d.csv", "item,score", "i1,3", "i1,4"))
    with pytest.raises(UsageError, match="no rows"):
        read_sheet_labels(write(tmp_path / "e.csv", "item,score"))
    with pytest.raises(UsageError, match="save the sheet with its button"):
        read_sheet_labels(tmp_path / "f.html")
    with pytest.raises(UsageError, match="cannot be read"):
        read_sheet_labels(tmp_path / "none.csv")
