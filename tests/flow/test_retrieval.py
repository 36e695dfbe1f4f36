"""Questions with passages: what a system that reads them is found out by, and what one that reads them well is not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import mutatis
from mutatis.core.errors import UsageError
from mutatis.core.relation import RELATIONS
from mutatis.core.system import Conversation, Response
from mutatis.core.task import TASKS
from mutatis.datasets import read, sample
from mutatis.doubles import ScriptedSystem

NAMES = [name for name in RELATIONS if RELATIONS[name].tasks == ("retrieval-qa",)]


def cases() -> list[mutatis.Case]:
    return [case for case in read("jsonl", sample("passages"), task="retrieval-qa") if case.turns[0].expected]


KNOWN = {case.turns[0].fields["question"]: case.turns[0].expected[0] for case in cases()}


def careful(conversation: Conversation) -> str:
    """Answer what a passage holds, whatever stands beside it."""
    answer = KNOWN[conversation.fields["question"]]
    return answer if answer.lower() in conversation.fields["passages"].lower() else "unknown"


def first_only(conversation: Conversation) -> str:
    answer = KNOWN[conversation.fields["question"]]
    first = conversation.fields["passages"].split("\n\n")[0]
    return answer if answer.lower() in first.lower() else "unknown"


def obedient(conversation: Conversation) -> str:
    return "banana" if "banana" in conversation.fields["passages"] else careful(conversation)


def talkative(conversation: Conversation) -> str:
    return KNOWN[conversation.fields["question"]]


def violated(answers, tmp_path: Path) -> set[str]:
    run = mutatis.run(ScriptedSystem(answers), cases(), NAMES, task="retrieval-qa", seed=1, out=tmp_path, judge="exact")
    assert run.summary
    return {row.relation for row in run.summary if row.violated}


def test_a_careful_reader_is_never_found_wrong(tmp_path: Path) -> None:
    assert violated(careful, tmp_path) == set()


@pytest.mark.parametrize("form", ["{} [{}]", "{} ({}).", "{} (Source: passage {})", "{}, as source {} tells"])
def test_a_careful_reader_that_cites_its_passage_is_never_found_wrong(form: str, tmp_path: Path) -> None:
    def citing(conversation: Conversation) -> str:
        answer, passages = careful(conversation), conversation.fields["passages"].split("\n\n")
        places = [place for place, text in enumerate(passages, 1) if answer.lower() in text.lower()]
        return form.format(answer, places[0]) if places else answer

    assert violated(citing, tmp_path) == set()


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (first_only, {"shuffle-passages", "reverse-passages", "first-passage-last"}),
        (obedient, {"inject-order"}),
        (talkative, {"other-passages", "no-passages"}),
    ],
)
def test_each_fault_is_found_by_the_relations_made_for_it(answers, expected: set[str], tmp_path: Path) -> None:
    seen = violated(answers, tmp_path)
    assert expected <= seen
    if answers is not first_only:
        assert seen == expected


def test_passages_of_a_file_are_numbered(tmp_path: Path) -> None:
    first, *_, bird, _ = read("jsonl", sample("passages"), task="retrieval-qa")
    assert re.findall(r"^\[\d\]", first.turns[0].fields["passages"], re.MULTILINE) == ["[1]", "[2]", "[3]"]
    titled = read("jsonl", sample("passages"), task="retrieval-qa")[2].turns[0].fields["passages"]
    assert titled.startswith("[1] Returns: A lamp can be returned")
    assert bird.id == "passages/bird"


@pytest.mark.parametrize("passages", ["[1]", '[{"title": "x"}]', '[" "]', "3"])
def test_passages_that_are_none_are_told(passages: str, tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text(f'{{"question": "Who?", "passages": {passages}}}\n', encoding="utf-8")
    with pytest.raises(UsageError, match="line 1: field 'passages'"):
        read("jsonl", path, task="retrieval-qa")


def test_a_search_may_have_found_nothing(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text('{"question": "Who?", "passages": []}\n', encoding="utf-8")
    [case] = read("jsonl", path, task="retrieval-qa")
    assert case.turns[0].fields == {"question": "Who?", "passages": ""}


async def test_the_built_in_reader_answers_from_passages() -> None:
    reader = pytest.importorskip("mutatis.systems.builtin.reader")
    system = reader.ReaderSystem(label="r")
    [case] = [case for case in cases() if case.id.endswith("mill")]
    shown = TASKS["retrieval-qa"].converse(case, 0, ())
    answer: Response = await system.ask(shown)
    assert answer.text == "Tom Harding"


def test_passages_of_records_in_memory_are_read_alike() -> None:
    rows = [{"q": "Who left?", "contexts": ["Ann left.", "Ben  stayed."], "answer": "Ann"}]
    names = {"question": "q", "passages": "contexts"}
    [case] = mutatis.cases(rows, task="retrieval-qa", fields=names)
    assert case.turns[0].fields == {"question": "Who left?", "passages": "[1] Ann left.\n\n[2] Ben stayed."}
    assert case.turns[0].expected == ("Ann",)
