"""Large data: cases in a file read one at a time, and the same run as with cases in memory."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from mutatis.api import run_config
from mutatis.assembly.spool import CaseGroup, Sources, Spool, kept
from mutatis.config import check
from mutatis.core.cases import Case, Turn
from mutatis.core.errors import UsageError
from mutatis.core.search import Source, all_different, kinds

CASES = [
    Case(id=f"a/{n}", task="sentiment", turns=(Turn(fields={"text": "x\ud800" * n}, annotations={"a": {"b": n}}),))
    for n in range(5)
]


def test_a_spool_gives_what_it_was_given_in_any_order():
    spool = Spool(iter(CASES))
    assert len(spool) == 5
    assert [spool[n] for n in (3, 0, 4, -1)] == [CASES[n] for n in (3, 0, 4, 4)]
    for first, other in zip(spool, spool, strict=True):  # two at the same time
        assert first == other
    assert spool[1:3] == CASES[1:3]
    with pytest.raises(IndexError):
        spool[5]


def test_few_cases_stay_in_memory():
    assert kept(iter(CASES), 5) == CASES
    assert isinstance(kept(iter(CASES), 4), Spool)
    assert list(kept(iter(CASES), 4)) == CASES


def test_sources_of_several_parts_are_one_sequence():
    parts = [
        CaseGroup(cases=CASES[:2], relations={"sentiment": ()}),
        CaseGroup(cases=CASES[2:], relations={"sentiment": ()}),
    ]
    sources = Sources(parts)
    assert [source.case for source in sources] == [sources[n].case for n in range(5)] == CASES
    assert sources[-1].case == CASES[-1]
    assert [source.case for source in sources[1:4]] == CASES[1:4]


def test_whether_all_ids_differ():
    sources = [Source(case=case, relations=()) for case in CASES]
    assert all_different(sources)
    assert all_different([*sources, Source(case=replace(CASES[0], task="other"), relations=())])
    assert not all_different([*sources, sources[0]])


def test_a_run_on_spooled_cases_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    data = tmp_path / "reviews.jsonl"
    data.write_text("".join(json.dumps({"text": f"film {n} was fine."}) + "\n" for n in range(30)))
    tables = {
        "system": {"type": "builtin", "name": "sentiment"},
        "data": {"task": "sentiment", "format": "jsonl", "path": str(data)},
        "relations": ["upper-case", "negation-auxiliary", "leet"],
    }
    run_config(check(tables), out=tmp_path / "whole")
    for place in ("spool.MANY", "sources.MANY"):
        monkeypatch.setattr(f"mutatis.assembly.{place}", 7)
    monkeypatch.setattr("mutatis.assembly.sources.kept", lambda cases: kept(cases, 7))
    run_config(check(tables), out=tmp_path / "spooled")
    whole, spooled = ((tmp_path / name / "verdicts.jsonl").read_bytes() for name in ("whole", "spooled"))
    assert whole == spooled
    reports = [json.loads((tmp_path / name / "report.json").read_text()) for name in ("whole", "spooled")]
    assert reports[0]["summary"] == reports[1]["summary"]
    data.write_text(data.read_text() * 2)
    with data.open("a") as file:
        file.writelines(json.dumps({"id": "same", "text": f"film {n}"}) + "\n" for n in range(2))
    with pytest.raises(UsageError, match="has the same id as case 61, 'reviews/same'"):
        run_config(check(tables), out=tmp_path / "twice")


def test_what_is_asked_of_all_cases_is_noted_when_they_are_written():
    talk = Case(id="t", task="chat", turns=(Turn(fields={"message": "a"}), Turn(fields={"message": "b"})))
    cases = [CASES[0], talk, *CASES[1:], replace(talk, id="u"), replace(talk, id="v", ask_turns=(1,))]
    relations = {"sentiment": (), "chat": ()}
    spooled = Sources(
        [CaseGroup(cases=Spool(cases), relations=relations), CaseGroup(cases=[talk], relations=relations)]
    )
    held = [*spooled]
    expected = [(CASES[0], 5), (talk, 2), (cases[-1], 1), (talk, 1)]
    assert [(kind.example.case, kind.number) for kind in kinds(spooled)] == expected
    assert [(kind.example.case, kind.number) for kind in kinds(held)] == [expected[0], (talk, 3), expected[2]]
    assert not all_different(spooled)
    assert (
        all_different(held[:-1]) is all_different(Sources([CaseGroup(cases=Spool(cases), relations=relations)])) is True
    )


def test_reading_all_cases_of_a_spool_reads_many_at_once(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("mutatis.assembly.spool.TOGETHER", 2)
    spool = Spool(CASES)
    reads = []
    read = spool._read
    monkeypatch.setattr(spool, "_read", lambda start, end: reads.append(start) or read(start, end))
    assert list(spool) == CASES
    assert len(reads) == 3
