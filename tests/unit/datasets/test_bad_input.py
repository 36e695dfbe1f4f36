"""Malformed files and impossible options: one line that says where, what was expected and what to do."""

from __future__ import annotations

import gzip
import json
import tracemalloc

import pytest

from mutatis.core.errors import LONGEST, UsageError
from mutatis.datasets import DATASETS, read

QA = {"id": "a", "question": "Who?", "answers": [{"text": "Ann"}], "is_impossible": False}


def squad(*questions, context="Ann left."):
    return {"data": [{"paragraphs": [{"context": context, "qas": list(questions)}]}]}


def coqa(questions, answers, **more):
    return [{"id": "x", "story": "s", "questions": questions, "answers": answers, **more}]


def text(value, turn=None):
    return {"input_text": value, **({"turn_id": turn} if turn else {})}


BAD = [
    ("squad2", "{", "not JSON: .* line 1"),
    ("squad2", "", "not JSON"),
    ("squad2", "id,text\n1,a\n", "is the format right"),
    ("squad2", {"rows": []}, "expected a list of articles, or an object with such a list in 'data'; found: rows"),
    ("squad2", {"data": []}, "no cases"),
    ("squad2", {"data": [3]}, "article 1: expected an object, found 3"),
    ("squad2", {"data": [{}]}, "article 1: field 'paragraphs' is missing; expected a list"),
    ("squad2", squad(QA, context=5), "article 1, paragraph 1: field 'context' expected text, found 5"),
    ("squad2", squad(QA, context=" "), "field 'context' expected text"),
    ("squad2", squad({**QA, "question": None}), "question 1: field 'question' expected text, found null"),
    ("squad2", squad(QA, {**QA, "id": ""}), "question 2: field 'id' expected an identifier"),
    ("squad2", squad(QA, QA), "case 2 has the same id as case 1, '.*/a'"),
    ("squad2", squad({**QA, "answers": []}), "at least one, because 'is_impossible' is not true"),
    ("squad2", squad({**QA, "is_impossible": True}), "none, because 'is_impossible' is true"),
    ("squad2", squad({**QA, "is_impossible": "no"}), "expected true or false, found"),
    ("sst2", "1\ta\tb\n", "line 1: expected 2 cells"),
    ("sst2", "1\ta\n\n5\tb\n", "line 3: label is '5'; expected 0"),
    ("sst2", "1\t \n", "the sentence is empty"),
    (
        "snli",
        "premise\thypo\tlabel\na\tb\t0\n",
        "line 2: no field hypothesis or sentence2; it has: premise, hypo, label",
    ),
    ("snli", "premise\thypothesis\tlabel\na\tb\tmaybe\n", "line 2: field 'label' expected one of contradiction"),
    ("snli", "premise\thypothesis\tlabel\na\tb\n", "line 2: expected 3 cells .premise, hypothesis, label., found 2"),
    ("snli", 'premise\thypothesis\tlabel\na\t"b\t0\n', "line 2: unexpected end of data"),
    ("docred", [{"sents": [], "vertexSet": []}], "at least one sentence with text"),
    ("docred", [{"sents": [["a"]], "vertexSet": [[]]}], "entity 0 to be a list of mentions"),
    ("docred", [{"sents": [["a"]], "vertexSet": [[{"sent_id": 3, "pos": [0, 1]}]]}], "field 'sent_id' expected"),
    ("docred", [{"sents": [["a"]], "vertexSet": [[{"sent_id": 0, "pos": [0, 2]}]]}], "field 'pos' expected"),
    (
        "docred",
        [{"sents": [["a"]], "vertexSet": [[{"sent_id": 0, "pos": [0, 1]}]], "labels": [{"h": 0, "t": 1, "r": "P"}]}],
        "label 1: field 't' expected the number of an entity, 0 to 0",
    ),
    ("coqa", coqa([], []), "at least one question"),
    ("coqa", coqa([text("a", 1), text("b", 2)], [text("c", 1)]), "question with turn_id 2 has no answer"),
    ("coqa", coqa([text("a", 1)], [text("b", 1), text("c", 2)]), "answer with turn_id 2 has no question"),
    ("coqa", coqa([text("a", 1)], [text("b", 1), text("c", 1)]), "a number that no other answer has"),
    ("coqa", coqa([text(" ")], [text("b")]), "question 1: field 'input_text' expected text"),
    ("canard", [{"QuAC_dialog_id": "C", "Question_no": 1, "History": ["t"]}], "at least two texts"),
    ("quac", [{"context": "c", "turns": []}], "at least one question"),
    ("jsonl", '{"text": "a"}\n{"text": \n', "line 2: not JSON"),
    ("jsonl", '{"a": ' + "[" * 100_000, "line 1: not JSON: nested too deeply to be read"),
    ("jsonl", '{"a": ' + "9" * 5_000 + "}", "line 1: not JSON: a whole number of thousands of digits"),
    ("json", "[" * 100_000, "not JSON: nested too deeply to be read"),
    ("json", "[" + "9" * 5_000 + "]", "not JSON: a whole number of thousands of digits"),
    (
        "jsonl",
        {f"k{n}": str(n) for n in range(200)},
        "200 fields contain text, and all of them would be asked about; choose some",
    ),
    ("jsonl", "[1]\n", "line 1: expected an object"),
    ("jsonl", '{"n": 3}\n', "no text to ask about; it has: n; map it to one of them with fields"),
    ("jsonl", '{"id": "d", "turns": []}\n', "at least one question"),
    ("jsonl", '{"turns": [{"qestion": "a"}]}\n', "did you mean 'question'"),
    ("jsonl", '{"turns": [{"answer": "a"}]}\n', "turn 1: field 'question' is missing"),
    (
        "jsonl",
        '{"turns": [{"question": "a", "answer": {"x": 1}}]}\n',
        "field 'answer' expected text, a number or a list",
    ),
    ("jsonl", '{"turns": [{"fields": {"question": 1}}]}\n', "turn 1, fields: field 'question' expected text"),
    ("csv", "a,b\n1\n", "line 2: expected 2 cells"),
    ("csv", "a,a\n1,2\n", "two columns have the same name"),
    ("csv", "text;label\ngood;1\n", 'found only one column, "text;label"; pass delimiter = ";", or rename the column'),
    ("csv", 'a,b\n"1,2\n', "line 2: unexpected end of data"),
    ("stackoverflow", "Id,Title\n1,a\n", "'Body'; expected one of: Id, Title"),
    ("banking77", "a,b\n1,2\n", "unknown column of .*: 'text'; expected one of: a, b"),
    ("banking77", "text,category\nhi,\n", "line 2: field 'category' is missing; expected text"),
    ("clinc150", {"train": []}, "no split 'test'; the splits are: train"),
    ("clinc150", {"test": [["a"]]}, "record 1: expected a text and its intent"),
    ("intents", "x", "expected a folder"),
]


@pytest.mark.parametrize(("data_format", "content", "says"), BAD)
def test_malformed_files_are_told_in_one_line_with_their_path(tmp_path, data_format, content, says):
    path = tmp_path / ("data.jsonl" if data_format == "jsonl" else "data.tsv" if data_format == "snli" else "data.txt")
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    with pytest.raises(UsageError, match=says) as caught:
        read(data_format, path)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)


WIDE = [f"column{n}" for n in range(200_000)]


@pytest.mark.parametrize(
    ("data_format", "content", "says"),
    [
        ("csv", f"{','.join(WIDE)}\n1\n", "line 2: expected 200000 cells .*, found 1: "),
        ("csv", f"{','.join([*WIDE, 'column1'])}\n1\n", "two columns have the same name"),
        ("jsonl", json.dumps(dict.fromkeys(WIDE, 1)), r"no text to ask about; it has: .*; map it to one of them with"),
    ],
    ids=["cells", "names", "fields"],
)
def test_what_is_told_of_a_file_with_very_many_columns_is_short(tmp_path, data_format, content, says):
    path = tmp_path / "wide.txt"
    path.write_text(content)
    with pytest.raises(UsageError, match=says) as caught:
        read(data_format, path)
    assert len(str(caught.value)) <= LONGEST


@pytest.mark.parametrize("data_format", sorted(DATASETS))
@pytest.mark.parametrize(
    "content", [b"", b"\x00\x01\x02", b"\xff\xfe\x00", b"[[[[", b"null", b"{}", b'"x"', b"a\tb\tc\n" * 3]
)
def test_no_reader_breaks_on_a_file_of_another_kind(tmp_path, data_format, content):
    path = tmp_path / "data.bin"
    path.write_bytes(content)
    try:
        cases = read(data_format, path)
    except UsageError as error:
        assert "\n" not in str(error)  # noqa: PT017
    else:
        assert cases
        assert data_format == "csv" or (data_format == "lines" and content.isascii() and b"\0" not in content)


def test_files_that_are_not_there_are_told_with_those_that_are(tmp_path):
    (tmp_path / "dev.json").write_text("[]")
    with pytest.raises(UsageError, match=r"no such file; the folder has: dev\.json"):
        read("squad2", tmp_path / "train-v2")
    with pytest.raises(UsageError, match=r"no such file; did you mean 'dev\.json'\?"):
        read("squad2", tmp_path / "def.json")
    with pytest.raises(UsageError, match="is a folder"):
        read("squad2", tmp_path)


def _written(path, text):
    path.write_text(text)
    return path


def test_damaged_packed_files_and_encodings_are_told(tmp_path):
    (tmp_path / "a.xz").write_bytes(b"no xz")
    with pytest.raises(UsageError, match=r"the \.xz file is damaged"):
        read("sst2", tmp_path / "a.xz")
    (tmp_path / "b.tsv").write_bytes("1\tna\u00efve\n".encode("latin-1"))
    with pytest.raises(UsageError, match=r'line 1 is not UTF-8 \(byte 0xef at 4\); pass encoding = "cp1252"'):
        read("sst2", tmp_path / "b.tsv")
    assert read("sst2", tmp_path / "b.tsv", encoding="cp1252")[0].turns[0].fields["text"] == "na\u00efve"
    with pytest.raises(UsageError, match="unknown encoding 'utf8x'"):
        read("sst2", tmp_path / "b.tsv", encoding="utf8x")
    (tmp_path / "c.tsv").write_bytes("1\tfine\n".encode("utf-16"))
    with pytest.raises(UsageError, match='pass encoding = "utf-16"'):
        read("sst2", tmp_path / "c.tsv")
    assert read("sst2", tmp_path / "c.tsv", encoding="utf-16")[0].turns[0].fields["text"] == "fine"
    for encoding in ("utf-16", "UTF_16", "utf16", "utf-32"):
        with pytest.raises(UsageError, match=f'no byte order mark.* encoding = "{encoding}-le"'):
            read("jsonl", _written(tmp_path / "e.jsonl", '{"text": "fine"}\n'), encoding=encoding)
    for encoding in ("base64", "undefined", "utf-8\0"):
        with pytest.raises(UsageError, match="unknown encoding"):
            read("jsonl", tmp_path / "e.jsonl", encoding=encoding)
    (tmp_path / "d.tsv").write_bytes(b"\xef\xbb\xbf1\tfine\n")
    assert len(read("sst2", tmp_path / "d.tsv")) == 1


def many():
    """Return the bytes of 40,000 lines, one of which, far behind, is no UTF-8."""
    lines = [b"1\tnumber %d\n" % number for number in range(40_000)]
    lines[30_000] = b"1\tna\xefve\n"
    return b"".join(lines)


def test_what_is_wrong_far_behind_is_told_with_its_place(tmp_path):
    (tmp_path / "a.tsv").write_bytes(many())
    with pytest.raises(UsageError, match=r"line 30001 is not UTF-8 \(byte 0xef at \d+\)"):
        read("sst2", tmp_path / "a.tsv")
    (tmp_path / "b.tsv.gz").write_bytes(gzip.compress(many())[:-100])
    with pytest.raises(UsageError, match=r"the \.gz file is damaged"):
        read("sst2", tmp_path / "b.tsv.gz")


def test_a_large_file_is_never_held_whole(tmp_path):
    (tmp_path / "a.tsv").write_bytes(b"1\tshort\n" + b"1\t%s\n" % (b"long " * 100) * 20_000)
    stream = DATASETS["sst2"].read(tmp_path / "a.tsv")
    tracemalloc.start()
    try:
        assert sum(1 for _ in stream) == 20_001
        assert tracemalloc.get_traced_memory()[1] < 4_000_000  # of 10 MB; hashes of ids are most of it
    finally:
        tracemalloc.stop()


@pytest.fixture
def ten(tmp_path):
    path = tmp_path / "ten.tsv"
    path.write_text("".join(f"1\tnumber {n}\n" for n in range(10)))
    return path


@pytest.mark.parametrize(
    ("options", "numbers"),
    [
        ({}, range(10)),
        ({"limit": 3}, range(3)),
        ({"first": 4}, range(4, 10)),
        ({"last": 2}, range(3)),
        ({"first": 4, "last": 6}, range(4, 7)),
        ({"first": 4, "last": 8, "limit": 2}, range(4, 6)),
        ({"limit": 99, "first": None}, range(10)),
        ({"limit": 10**30, "last": 10**30}, range(10)),
    ],
)
def test_slices(ten, options, numbers):
    assert [case.turns[0].fields["text"] for case in read("sst2", ten, **options)] == [f"number {n}" for n in numbers]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"limt": 3}, "did you mean 'limit'"),
        ({"limit": 0}, "expected 1 or more"),
        ({"limit": "3"}, "limit is '3'; expected a whole number"),
        ({"limit": True}, "limit is True; expected a whole number"),
        ({"first": 6, "last": 4}, "last = 4 is before first = 6"),
        ({"first": 40}, "no cases with first = 40"),
        ({"first": 10**30}, "no cases with first = 1000000000"),
        ({"name": "a/b"}, "expected a name without '/'"),
        ({"task": "dialogue"}, "has no cases for task 'dialogue'; expected one of: sentiment, classification"),
    ],
)
def test_wrong_options_are_told(ten, options, says):
    with pytest.raises(UsageError, match=says):
        read("sst2", ten, **options)


def test_answerable_leaves_out_questions_and_is_refused_for_dialogues(tmp_path):
    path = tmp_path / "s.json"
    path.write_text(json.dumps(squad(QA, {"id": "b", "question": "q", "answers": [], "is_impossible": True})))
    assert [case.id for case in read("squad2", path, answerable=True, name="n")] == ["n/a"]
    talk = tmp_path / "d.json"
    talk.write_text(json.dumps(coqa([text("a"), text("b")], [text("c"), text("unknown")])))
    with pytest.raises(UsageError, match="is a dialogue"):
        read("coqa", talk, answerable=True)


def test_an_unknown_column_or_format_is_told_with_the_nearest(tmp_path):
    (tmp_path / "t.csv").write_text("Review,Stars\na,1\n")
    with pytest.raises(UsageError, match="did you mean 'Review'"):
        read("csv", tmp_path / "t.csv", fields={"text": "Reviews"})
    with pytest.raises(UsageError, match="did you mean 'squad2'"):
        read("squad", tmp_path / "t.csv")


def test_odd_but_sound_dialogues_are_read(tmp_path):
    story = coqa([text("Why?")], [text("because")])[0]
    same = coqa([text("Why?", 1), text("Why?", 2)], [text("a", 1), text("b", 2)])[0]
    long = coqa(
        [text(f"q{n}", n) for n in range(1, 501)], [text("a", n) for n in range(1, 501)], story="word " * 210_000
    )[0]
    path = tmp_path / "c.json"
    path.write_text(json.dumps([{**story, "id": 1}, {**same, "id": 2}, {**long, "id": 3}]))
    cases = read("coqa", path)
    assert [len(case.turns) for case in cases] == [1, 2, 500]
    assert [turn.expected for turn in cases[1].turns] == [("a",), ("b",)]
    assert len(cases[2].material["story"]) > 2**20
