from __future__ import annotations

import gzip
import json

import pytest

from mutatis.core.errors import NotRecorded, SystemFailure, UsageError
from mutatis.core.system import Conversation, Message
from mutatis.systems import SYSTEMS
from mutatis.testing import sync


def asked(*history: tuple[dict[str, str], str], kind: str = "", **fields: str) -> Conversation:
    return Conversation(messages=(), fields=fields, history=tuple(history), kind=kind)


def recorded(tmp_path, *records: dict, name: str = "log.jsonl", **options):
    path = tmp_path / name
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return SYSTEMS["recorded"](path=str(path), **options)


def answer(system, *history, **fields: str) -> str:
    return sync(system.ask(asked(*history, **fields))).text


def test_an_input_is_known_by_its_fields_whatever_else_the_record_holds(tmp_path):
    log = recorded(tmp_path, {"id": 7, "question": "Who?\n", "answer": "Nora"}, {"question": "When?", "answer": 1871})
    assert (answer(log, question="Who?"), answer(log, question="When?")) == ("Nora", "1871")
    assert log.label == "recorded:log.jsonl"
    with pytest.raises(NotRecorded, match=r"^not recorded: log\.jsonl has no answer to this input$"):
        answer(log, question="Why?")


def test_fields_are_mapped_as_those_of_data_are(tmp_path):
    log = recorded(
        tmp_path, {"prompt": "Who?", "gpt": "Nora", "other": "Edith"}, fields={"question": "prompt", "answer": "gpt"}
    )
    assert answer(log, question="Who?", story="not among the inputs") == "Nora"
    assert log.label == "recorded:gpt"


def test_a_file_holds_several_systems_one_a_record_or_one_a_column(tmp_path):
    rows = [{"model": m, "question": "Who?", "answer": a} for m, a in (("first", "Nora"), ("second", "Edith"))]
    assert answer(recorded(tmp_path, *rows, system="second"), question="Who?") == "Edith"
    with pytest.raises(UsageError, match=r"2 systems \('first', 'second'\); choose one with system = "):
        recorded(tmp_path, *rows)
    with pytest.raises(UsageError, match="did you mean 'second'"):
        recorded(tmp_path, *rows, system="secnd")
    (tmp_path / "log.csv").write_text("question;a;b\nWho?;Nora;Edith\nWhen?;1871;\n", encoding="utf-8")
    table = SYSTEMS["recorded"](path=str(tmp_path / "log.csv"), fields={"answer": "b"}, delimiter=";")
    assert answer(table, question="Who?") == "Edith"
    with pytest.raises(NotRecorded):  # an empty cell is no answer
        answer(table, question="When?")


def test_labels_and_probabilities(tmp_path):
    log = recorded(
        tmp_path,
        {"text": "Fine.", "answer": {"positive": 0.75, "negative": 0.25}},
        {"text": "Awful.", "answer": "negative", "probabilities": {"positive": 0.5, "negative": 0.5}},
    )
    fine, awful = (sync(log.ask(asked(text=text))) for text in ("Fine.", "Awful."))
    assert (fine.text, fine.probabilities) == ("positive", {"positive": 0.75, "negative": 0.25})
    assert (awful.text, awful.probabilities) == ("negative", {"positive": 0.5, "negative": 0.5})
    (tmp_path / "log.csv").write_text('text,probabilities\nFine.,"{""yes"": 1.0, ""no"": 0.0}"\n', encoding="utf-8")
    assert answer(SYSTEMS["recorded"](path=str(tmp_path / "log.csv")), text="Fine.") == "yes"


def test_turns_of_a_dialogue_are_known_by_what_was_asked_before_them(tmp_path):
    log = recorded(
        tmp_path,
        {
            "story": "Nora built a tower.",
            "turns": [{"question": "Who?", "answer": "Nora"}, {"question": "What?", "answer": "a tower"}],
        },
    )
    story = "Nora built a tower."
    assert answer(log, story=story, question="Who?") == "Nora"
    assert answer(log, ({"question": "Who?"}, "said otherwise"), story=story, question="What?") == "a tower"
    for history in ((), (({"question": "Why?"}, "Nora"),)):
        with pytest.raises(NotRecorded):
            answer(log, *history, story=story, question="What?")


def test_an_input_with_different_answers_has_none(tmp_path):
    log = recorded(tmp_path, *({"question": q, "answer": a} for q, a in ("xa", "xb", "ya", "ya")))
    assert answer(log, question="y") == "a"
    with pytest.raises(NotRecorded, match="several different answers"):
        answer(log, question="x")


WITH_SOURCES = [{"question": "How?", "answer": {"answer": "By boat.", "sources": [n]}} for n in (1, 2)]


@pytest.mark.parametrize(
    ("kind", "recorded_answer", "text"),
    [
        ("text", {"answer": "By boat.", "sources": [1]}, "By boat."),
        ("text", {"total": 5, "currency": "EUR"}, '{"total": 5, "currency": "EUR"}'),
        ("data", {"answer": "By boat.", "sources": [1]}, '{"answer": "By boat.", "sources": [1]}'),
        ("data", {"nights": 2, "people": 4}, '{"nights": 2, "people": 4}'),
        ("data", {"text": "A lamp", "price": 12}, '{"text": "A lamp", "price": 12}'),
        ("label", {"positive": 0.75, "negative": 0.25}, "positive"),
        ("calls", {"function_call": {"name": "sail", "arguments": "{}"}}, "sail()"),
    ],
)
def test_an_object_is_read_as_its_task_expects_like_that_of_a_function(tmp_path, kind, recorded_answer, text):
    log = recorded(tmp_path, {"question": "How?", "answer": recorded_answer})
    assert sync(log.ask(asked(question="How?", kind=kind))).said == text


def test_equal_replies_with_other_sources_are_one_answer_of_a_chatbot(tmp_path):
    log = recorded(tmp_path, *WITH_SOURCES)
    assert sync(log.ask(asked(question="How?", kind="text"))).text == "By boat."
    with pytest.raises(NotRecorded, match="several different answers"):
        sync(log.ask(asked(question="How?", kind="data")))


def test_an_object_whose_reply_is_missing_is_a_failure_of_its_record_alone(tmp_path):
    empty = {"question": "When?", "answer": {"answer": None, "sources": []}}
    log = recorded(tmp_path, *WITH_SOURCES, empty)
    with pytest.raises(SystemFailure, match=r"log\.jsonl: line 3: recorded is .*; expected .*: answer, reply, "):
        sync(log.ask(asked(question="When?", kind="text")))
    assert sync(log.ask(asked(question="How?", kind="text"))).text == "By boat."


def test_an_empty_answer_is_one_and_a_missing_one_is_none(tmp_path):
    log = recorded(tmp_path, {"question": "x", "answer": ""}, {"question": "y", "answer": None})
    assert answer(log, question="x") == ""
    with pytest.raises(NotRecorded):
        answer(log, question="y")


def test_the_file_is_what_it_is_known_by_and_not_its_place(tmp_path):
    record = {"question": "x", "answer": "a"}
    first = recorded(tmp_path, record).identity
    packed = tmp_path / "other.jsonl.gz"
    packed.write_bytes(gzip.compress(json.dumps(record).encode()))
    assert answer(SYSTEMS["recorded"](path=str(tmp_path / "other.jsonl")), question="x") == "a"
    assert recorded(tmp_path, record, name="moved.jsonl").identity == first
    assert recorded(tmp_path, record | {"answer": "b"}).identity != first
    assert recorded(tmp_path, record, fields={"question": "question"}).identity != first


@pytest.mark.parametrize(
    ("records", "options", "says"),
    [
        ((), {}, "contains no records"),
        (({"question": "x", "gold": "a"},), {}, "no field contains the answer; name it"),
        (({"question": "x", "answer": "a"},), {"system": "gpt"}, "no field names the system that gave the answer"),
        (({"question": "x", "answer": ["a"]},), {}, r"recorded is \['a'\]; expected a string"),
        (({"question": "x", "probabilities": "0.5"},), {}, "expected probabilities that are numbers"),
    ],
)
def test_a_file_without_answers_is_told_with_its_place(tmp_path, records, options, says):
    with pytest.raises(UsageError, match=says) as told:
        recorded(tmp_path, *records, **options)
    assert "log.jsonl" in str(told.value)


def test_a_field_that_the_file_lacks_is_told_before_anything_is_asked(tmp_path):
    log = recorded(tmp_path, {"prompt": "x", "answer": "a"})
    with pytest.raises(UsageError, match=r"no field 'question'.* are: answer, prompt; map the inputs"):
        log.check(asked(question="x"))


async def test_recorded_calls_are_an_answer_with_or_without_a_text(tmp_path):
    rows = [
        {"message": "Oslo?", "tool_calls": [{"function": {"name": "look", "arguments": '{"town": "Oslo"}'}}]},
        {"message": "Rome?", "answer": "Warm.", "calls": [{"name": "look", "arguments": {}, "result": "20 C"}]},
        {"message": "Hm?", "answer": "Yes?", "calls": []},
    ]
    (tmp_path / "calls.jsonl").write_text("\n".join(map(json.dumps, rows)))
    system = SYSTEMS["recorded"](path=str(tmp_path / "calls.jsonl"))
    said = []
    for row in rows:
        asked = Conversation(
            messages=(Message(role="user", content=row["message"]),), fields={"message": row["message"]}
        )
        said.append((await system.ask(asked)).said)
    assert said == ['look(town="Oslo")', "Warm.\nlook()", "Yes?"]
    (tmp_path / "odd.jsonl").write_text(json.dumps({"message": "x", "calls": [3]}))
    with pytest.raises(UsageError, match="line 1"):
        SYSTEMS["recorded"](path=str(tmp_path / "odd.jsonl"))
