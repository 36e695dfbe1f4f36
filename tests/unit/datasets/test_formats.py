"""Each format on a small file of its own, and on the real file where it is there."""

from __future__ import annotations

import gzip
import json
import lzma

import pytest

from mutatis.core.cases import Case, Turn
from mutatis.core.errors import UsageError
from mutatis.datasets import DATASETS, SAMPLES, labels_of, read, sample


def write(tmp_path, name, content):
    path = tmp_path / name
    text = content if isinstance(content, str) else json.dumps(content)
    path.write_text(text, encoding="utf-8")
    return path


SQUAD = {
    "data": [
        {
            "title": "T",
            "paragraphs": [
                {
                    "context": "Ann left.",
                    "qas": [
                        {
                            "id": "a",
                            "question": "Who?",
                            "answers": [{"text": "Ann"}, {"text": "Ann"}],
                            "is_impossible": False,
                        },
                        {"id": "b", "question": "When?", "answers": [], "is_impossible": True},
                    ],
                }
            ],
        }
    ]
}


def test_squad2(tmp_path):
    who, when = read("squad2", write(tmp_path, "s.json", SQUAD))
    assert who.id == "s/a"
    assert who.turns[0].fields == {"context": "Ann left.", "question": "Who?"}
    assert who.turns[0].expected == ("Ann",)
    assert who.turns[0].annotations["answerable"] is True
    assert when.turns[0].expected == ("unknown",)
    assert when.turns[0].annotations["answerable"] is False


def test_sst2_in_both_forms(tmp_path):
    plain = read("sst2", write(tmp_path, "a.tsv", '1\tit is "fine .\n0\tdull\n'))
    glue = read("sst2", write(tmp_path, "b.tsv", 'sentence\tlabel\nit is "fine . \t1\ndull\t0\n'))
    for cases in (plain, glue):
        assert [case.turns[0].fields["text"] for case in cases] == ['it is "fine .', "dull"]
        assert [case.turns[0].expected for case in cases] == [("1",), ("0",)]
    named = read("sst2", tmp_path / "a.tsv", task="classification")
    assert labels_of(named) == ("negative", "positive")


def test_snli_as_table_and_as_lines(tmp_path):
    rows = 'premise\thypothesis\tlabel\n"a ""b"""\tc\t0\nd\te\t1\nf\tg\t2\nh\ti\t-\n'
    cases = read("snli", write(tmp_path, "a.tsv", rows))
    assert cases[0].turns[0].fields == {"premise": 'a "b"', "hypothesis": "c"}
    assert [case.turns[0].expected for case in cases] == [("entailment",), ("neutral",), ("contradiction",), ()]
    line = {"gold_label": "contradiction", "sentence1": "a", "sentence2": "b", "pairID": "7c"}
    (case,) = read("snli", write(tmp_path, "a.jsonl", line))
    assert (case.id, case.turns[0].expected) == ("a/7c", ("contradiction",))


def test_docred(tmp_path):
    sents = [["Ann", "(", "born", "1990", ")", "is", "Bob", "'s", "sister", "."], ["She", "lives", "in", "Rome", "."]]
    document = {
        "title": "Ann",
        "sents": sents,
        "vertexSet": [
            [{"name": "Ann", "sent_id": 0, "pos": [0, 1]}, {"name": "She", "sent_id": 1, "pos": [0, 1]}],
            [{"name": "Bob 's sister", "sent_id": 0, "pos": [6, 9]}, {"name": "Bob", "sent_id": 0, "pos": [6, 7]}],
        ],
        "labels": [{"h": 0, "t": 1, "r": "P1"}, {"h": 0, "t": 1, "r": "P2"}, {"h": 1, "t": 0, "r": "P2"}],
    }
    write(tmp_path, "rel_info.json", {"P1": "sibling"})
    cases = read("docred", write(tmp_path, "d.json", [document]))
    assert [case.id for case in cases] == ["d/Ann:0-1", "d/Ann:1-0"]
    turn = cases[0].turns[0]
    assert turn.fields["text"] == "Ann (born 1990) is Bob's sister. She lives in Rome."
    assert (turn.fields["head"], turn.fields["tail"]) == ("Ann", "Bob's sister")
    assert turn.expected == ("sibling", "P2")
    assert turn.annotations["protected"]["entities"] == ["Ann", "She", "Bob's sister", "Bob"]
    assert all(mention in turn.fields["text"] for mention in turn.annotations["protected"]["entities"])


def coqa(questions, answers, **more):
    return {
        "id": "x",
        "source": "news",
        "story": "Ann left.",
        "questions": [{"input_text": q, "turn_id": n} for n, q in enumerate(questions, 1)],
        "answers": [{"input_text": a, "turn_id": n} for n, a in enumerate(answers, 1)],
        **more,
    }


def test_coqa(tmp_path):
    extra = {
        "additional_answers": {"0": [{"input_text": "Ann did", "turn_id": 1}, {"input_text": "at 5", "turn_id": 2}]}
    }
    (case,) = read("coqa", write(tmp_path, "c.json", {"data": [coqa(["Who?", "When?"], ["Ann", "unknown"], **extra)]}))
    assert case.material == {"story": "Ann left."}
    who, when = case.turns
    assert (who.expected, who.annotations["answerable"], who.annotations["domain"]) == (
        ("Ann", "Ann did"),
        True,
        "news",
    )
    assert (when.expected, when.annotations["answerable"]) == (("unknown",), False)


def test_coqa_can_be_cut_to_complete_dialogues_and_a_domain(tmp_path):
    first, second = coqa(["a"], ["b"], complete=True), coqa(["a"], ["b"], complete=False, source="race")
    path = write(tmp_path, "c.json", {"data": [{**first, "id": "1"}, {**second, "id": "2"}]})
    assert [case.id for case in read("coqa", path, complete=True)] == ["c/1"]
    assert [case.id for case in read("coqa", path, domain="race")] == ["c/2"]
    with pytest.raises(UsageError, match="complete = true was asked for"):
        read("coqa", write(tmp_path, "d.json", [coqa(["a"], ["b"])]), complete=True)


def canard(number, history, question, rewrite):
    return {
        "QuAC_dialog_id": "C_1",
        "Question_no": number,
        "History": ["Ann", "Life", *history],
        "Question": question,
        "Rewrite": rewrite,
    }


def test_canard(tmp_path):
    records = [
        canard(2, ["Who is she?", "a poet"], "Is she old?", "Is Ann old?"),
        canard(1, [], "Who is she?", "Who is Ann?"),
        canard(3, ["Who is she?", "a poet", "Is she old?", "I don't know."], "Why?", "Why is Ann old?"),
    ]
    (case,) = read("canard", write(tmp_path, "c.json", records))
    assert case.material == {"title": "Ann", "section": "Life"}
    assert [turn.fields["question"] for turn in case.turns] == ["Who is she?", "Is she old?", "Why?"]
    assert [turn.annotations["rewrite"] for turn in case.turns] == ["Who is Ann?", "Is Ann old?", "Why is Ann old?"]
    assert [turn.expected for turn in case.turns] == [("a poet",), ("unknown",), ()]
    assert [turn.annotations.get("answerable") for turn in case.turns] == [True, False, None]


def test_canard_misses_no_question(tmp_path):
    with pytest.raises(UsageError, match=r"question 1 of dialogue 'C_1' is missing"):
        read("canard", write(tmp_path, "c.json", [canard(2, ["q", "a"], "q2", "r2")]))


def test_quac_official_and_flat(tmp_path):
    qas = [
        {"id": "q1", "question": "Who?", "answers": [{"text": "Ann"}, {"text": "CANNOTANSWER"}]},
        {"id": "q2", "question": "When?", "answers": [{"text": "CANNOTANSWER"}]},
    ]
    paragraph = {"id": "C_1", "context": "Ann left. CANNOTANSWER", "qas": qas}
    official = {"data": [{"title": "Ann", "section_title": "Life", "paragraphs": [paragraph]}]}
    turns = [{"question": "Who?", "answer": "Ann"}, {"question": "When?", "answer": "CANNOTANSWER"}]
    flat = {"data": [{"section": "Ann -- Life", "context": "Ann left.", "turns": turns}]}
    (first,), (second,) = (read("quac", write(tmp_path, f"{n}.json", data)) for n, data in enumerate((official, flat)))
    assert first.material == second.material == {"title": "Ann", "section": "Life", "story": "Ann left."}
    assert [turn.expected for turn in first.turns] == [("Ann", "unknown"), ("unknown",)]
    assert [turn.annotations["answerable"] for turn in second.turns] == [True, False]


def test_jsonl_with_and_without_mapping(tmp_path):
    lines = '{"id": "a", "text": "fine", "label": "1"}\n\n{"id": "b", "text": "dull", "label": 0}\n'
    cases = read("jsonl", write(tmp_path, "r.jsonl", lines), task="sentiment")
    assert [(case.id, case.turns[0].fields, case.turns[0].expected) for case in cases] == [
        ("r/a", {"text": "fine"}, ("1",)),
        ("r/b", {"text": "dull"}, ("0",)),
    ]
    path = write(tmp_path, "m.jsonl", '{"n": 1, "Review": "fine", "Stars": 5}\n')
    (case,) = read("jsonl", path, fields={"text": "Review", "expected": "Stars", "id": "n"})
    assert (case.id, case.turns[0].fields, case.turns[0].expected) == ("m/1", {"text": "fine"}, ("5",))


def test_a_field_that_is_null_is_absent(tmp_path):
    records = (
        {"id": None, "text": "fine", "expected": None, "label": "1", "turns": None},
        {"id": "d", "story": None, "turns": [{"question": "Who?", "expected": None, "answer": "Ann", "rewrite": None}]},
        {"id": "o", "material": None, "turns": [{"fields": {"question": "Who?"}, "expected": None, "reply": None}]},
    )
    flat, dialogue, unnamed = read("jsonl", write(tmp_path, "n.jsonl", "\n".join(map(json.dumps, records))))
    assert (flat.id, flat.turns[0].expected) == ("n/1", ("1",))
    assert (dialogue.material, dialogue.turns[0].expected) == ({}, ("Ann",))
    assert dialogue.turns[0].annotations == {"answerable": True}
    assert unnamed.turns == (Turn(fields={"question": "Who?"}),)


def test_answers_of_squad_as_hugging_face_has_them(tmp_path):
    answers = ({"text": ["Ann", "Ann B."], "answer_start": [0, 0]}, {"text": [], "answer_start": []})
    lines = "\n".join(json.dumps({"context": "c", "question": "q", "answers": each}) for each in answers)
    cases = read("jsonl", write(tmp_path, "s.jsonl", lines), task="question-answering")
    assert [case.turns[0].expected for case in cases] == [("Ann", "Ann B."), ("unknown",)]
    assert [case.turns[0].annotations for case in cases] == [{}, {"answerable": False}]


def test_json_and_csv(tmp_path):
    (case,) = read(
        "json", write(tmp_path, "j.json", {"data": [{"context": "c", "question": "q", "answers": ["a", "b"]}]})
    )
    assert (case.id, case.turns[0].expected) == ("j/1", ("a", "b"))
    path = write(tmp_path, "t.csv", 'Id,Text,Kind\n7,"two\nlines",x\n')
    (case,) = read("csv", path, fields={"text": "Text", "expected": "Kind"})
    assert (case.id, case.turns[0].fields, case.turns[0].expected) == ("t/7", {"text": "two\nlines"}, ("x",))
    (case,) = read("csv", write(tmp_path, "t.tsv", "text\tlabel\na, b\tx\n"))
    assert case.turns[0].fields == {"text": "a, b"}


def test_dialogues_as_lines_in_both_forms(tmp_path):
    turns = [
        {"question": "Who?", "answer": "Ann", "rewrite": "Who left?"},
        {"question": "When?", "answer": "unknown"},
        {"question": "Why?", "reply": "because"},
    ]
    path = write(tmp_path, "d.jsonl", {"id": 1, "story": "Ann left.", "title": "A", "turns": turns})
    (case,) = read("jsonl", path, task="dialogue")
    assert case.material == {"story": "Ann left.", "title": "A"}
    assert [turn.expected for turn in case.turns] == [("Ann",), ("unknown",), ()]
    assert [turn.annotations.get("answerable") for turn in case.turns] == [True, False, None]
    assert case.turns[0].annotations["rewrite"] == "Who left?"
    assert case.turns[2].reply == "because"
    (again,) = read("jsonl", write(tmp_path, "e.jsonl", {**case.to_record(), "id": "1"}), name="d")
    assert again == Case.from_record(case.to_record())


def test_stackoverflow(tmp_path):
    body = "<p>I don&#39;t know</p><pre><code>if a &lt; b:</code></pre>"
    rows = f'Id,Title,Body,Tags,CreationDate,Y\n1,How?,"{body}",<c>,today,HQ\n'
    (case,) = read("stackoverflow", write(tmp_path, "s.csv", rows))
    assert case.turns[0].fields == {"title": "How?", "body": "I don't know\nif a < b:"}
    assert case.turns[0].expected == ("HQ",)
    (case,) = read("stackoverflow", tmp_path / "s.csv", lower=True, html=True)
    assert case.turns[0].fields == {"title": "how?", "body": body.lower()}


def test_intents(tmp_path):
    (case,) = read("banking77", write(tmp_path, "b.csv", "text,category\nWhere is it?,card_arrival\n"))
    assert (case.turns[0].fields, case.turns[0].expected) == ({"text": "Where is it?"}, ("card_arrival",))
    splits = write(tmp_path, "c.json", {"test": [["hi", "greet"]], "oos_test": [["zz", "oos"]]})
    assert len(read("clinc150", splits)) == 1
    assert [case.id for case in read("clinc150", splits, split="test+oos_test")] == ["c/test-1", "c/oos_test-1"]
    write(tmp_path, "seq.in", "book a flight\n")
    write(tmp_path, "label", "flight\n")
    (case,) = read("intents", tmp_path)
    assert case.turns[0].expected == ("flight",)


@pytest.mark.parametrize(("suffix", "pack"), [(".xz", lzma.compress), (".gz", gzip.compress)])
def test_packed_files_are_read_as_they_are(tmp_path, suffix, pack):
    (tmp_path / f"a.tsv{suffix}").write_bytes(pack(b"1\tfine\n"))
    assert read("sst2", tmp_path / f"a.tsv{suffix}") == read("sst2", tmp_path / "a.tsv")
    assert read("sst2", tmp_path / "a.tsv")[0].id == "a/1"


REAL = [
    ("squad2", "squad2/dev-v2.0-rebuilt.json.xz", {}, 11_873, 11_873),
    ("squad2", "squad2/dev-v2.0-rebuilt.json.xz", {"answerable": True}, 5_928, 5_928),
    ("snli", "snli/validation.tsv.xz", {}, 9_842, 9_842),
    ("sst2", "sst2/dev.tsv.xz", {}, 872, 872),
    ("sst2", "becel/sst2/validation.tsv.xz", {}, 872, 872),
    ("coqa", "coqa/coqa-dev-rebuilt.json.xz", {}, 500, 7_167),
    ("coqa", "coqa/coqa-dev-rebuilt.json.xz", {"complete": True}, 293, 4_062),
    ("canard", "canard/dev.json.xz", {}, 490, 3_430),
    ("quac", "quac/quac-dev-sample-from-cosquac.json.xz", {}, 100, 727),
    ("stackoverflow", "stackoverflow60k/sample_1655_relabelled.csv.xz", {"encoding": "cp1252"}, 1_655, 1_655),
    ("banking77", "banking77/train.csv.xz", {}, 10_003, 10_003),
    ("clinc150", "clinc150/data_small.json.xz", {}, 4_500, 4_500),
    ("intents", "intents/atis/test", {}, 893, 893),
]


@pytest.mark.parametrize(("data_format", "path", "options", "cases", "turns"), REAL)
def test_real_files_are_read_whole(shared_data, data_format, path, options, cases, turns):
    every = read(data_format, shared_data / path, **options)
    assert (len(every), sum(len(case.turns) for case in every)) == (cases, turns)
    assert len({case.id for case in every}) == cases


def test_every_triple_of_the_real_redocred_is_in_a_case(shared_data):
    every = read("docred", shared_data / "redocred" / "dev_revised.json.xz")
    data = json.loads(lzma.decompress((shared_data / "redocred" / "dev_revised.json.xz").read_bytes()))
    names = json.loads((shared_data / "redocred" / "rel_info.json").read_text())
    triples = {(doc["title"], label["h"], label["t"], names[label["r"]]) for doc in data for label in doc["labels"]}
    read_back = set()
    for case in every:
        title, _, ends = case.id.partition("/")[2].rpartition(":")
        head, tail = ends.split("-")
        read_back |= {(title, int(head), int(tail), name) for name in case.turns[0].expected}
    assert read_back == triples
    for case in every[::50]:
        fields = case.turns[0].fields
        assert fields["head"] in fields["text"]
        assert fields["tail"] in fields["text"]


def test_the_real_stackoverflow_file_says_which_encoding_to_pass(shared_data):
    with pytest.raises(UsageError, match=r'line 310 is not UTF-8 .* pass encoding = "cp1252"'):
        read("stackoverflow", shared_data / "stackoverflow60k" / "sample_1655_relabelled.csv.xz")


def test_the_samples_hold_what_the_demo_needs():
    tasks = {"reviews.jsonl": "sentiment", "inference.jsonl": "inference"}
    cases = {
        name: read(data_format, sample(name), task=tasks.get(name, DATASETS[data_format].task))
        for name, data_format in SAMPLES.items()
    }
    assert len(cases["reviews.jsonl"]) >= 60
    assert labels_of(cases["reviews.jsonl"]) == ("0", "1")
    assert len(cases["inference.jsonl"]) >= 20
    assert labels_of(cases["inference.jsonl"]) == ("contradiction", "entailment", "neutral")
    assert len(cases["stories.json"]) >= 40
    assert len({case.turns[0].fields["context"] for case in cases["stories.json"]}) >= 8
    assert any(not case.turns[0].annotations["answerable"] for case in cases["stories.json"])
    dialogues = cases["dialogues.json"]
    assert len(dialogues) >= 12
    assert all(8 <= len(case.turns) <= 15 and case.material["story"] for case in dialogues)
    assert sum(not turn.annotations["answerable"] for case in dialogues for turn in case.turns) >= 8
    assert len({case.turns[0].annotations["domain"] for case in dialogues}) >= 6
    with pytest.raises(UsageError, match=r"did you mean 'reviews\.jsonl'"):
        sample("review.jsonl")


def test_a_text_file_holds_one_message_per_line(tmp_path):
    path = tmp_path / "questions.txt"
    path.write_text("\ufeffDo you ship to Norway?\r\n\n  Is the {lamp} in stock?\n", encoding="utf-8")
    first, second = DATASETS["lines"].read(path)
    assert (first.id, first.task, dict(first.turns[0].fields)) == (
        "questions/1",
        "chat",
        {"message": "Do you ship to Norway?"},
    )
    assert (second.id, dict(second.turns[0].fields)) == ("questions/3", {"message": "Is the {lamp} in stock?"})
    [film, *_] = DATASETS["lines"].read(path, {"task": "sentiment"})
    assert (film.task, dict(film.turns[0].fields)) == ("sentiment", {"text": "Do you ship to Norway?"})
    with pytest.raises(UsageError, match=r"line 1: this is a plain text, but task 'inference' needs 2 fields"):
        list(DATASETS["lines"].read(path, {"task": "inference"}))


@pytest.mark.parametrize(
    "unseen", ["\u200b", "\u200d", "\ufeff", "\u00ad", "\u2060", "\u00a0", "\u3000", "\u2028", "\u200f"]
)
def test_a_line_is_read_as_it_is_whatever_it_holds_that_is_not_seen(tmp_path, unseen):
    path = write(tmp_path, "q.txt", f"Where is{unseen}my parcel?\nAnd\twhen?\n")
    first, second = DATASETS["lines"].read(path)
    assert first.turns[0].fields == {"message": f"Where is{unseen}my parcel?"}
    assert second.turns[0].fields == {"message": "And\twhen?"}


@pytest.mark.parametrize("control", ["\x00", "\x07", "\x1b", "\x7f", "\x93"])
def test_a_line_with_a_control_character_is_no_text(tmp_path, control):
    with pytest.raises(UsageError, match="line 1: expected plain text, found"):
        list(DATASETS["lines"].read(write(tmp_path, "q.txt", f"Where is{control} it?\n")))
