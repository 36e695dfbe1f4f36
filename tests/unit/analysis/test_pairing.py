"""Sources of two runs: the same where they ask the same."""

from __future__ import annotations

from mutatis.analysis.comparison import noting_texts, paired_sources, texts_of_findings
from mutatis.records import VerdictRecord
from mutatis.records.report import FindingRecord


def texts(**sources: list[str]) -> dict[tuple[str, str], dict[int, int]]:
    return {("qa", name): {turn: hash(text) for turn, text in enumerate(turns)} for name, turns in sources.items()}


def test_one_name_and_one_text_are_one_source_before_anything_else():
    pairing = paired_sources(texts(a=["x"], b=["x"], c=["x"]), texts(c=["x"], b=["x"], a=["x"]))
    assert pairing.names == {("qa", name): name for name in "abc"}
    assert (pairing.renumbered, pairing.old_only, pairing.new_only) == (0, (), ())


def test_of_equal_texts_each_has_one_partner():
    pairing = paired_sources(texts(a=["x"], b=["x"]), texts(c=["x"], d=["x"], e=["x"]))
    assert pairing.names == {("qa", "c"): "a", ("qa", "d"): "b"}
    assert (pairing.renumbered, pairing.new_only) == (2, (("qa", "e"),))
    assert [pairing.name("qa", name) for name in "cd"] == ["a", "b"]
    assert pairing.name("qa", "e") not in ("a", "b", "e")


def test_a_dialogue_of_which_fewer_turns_were_judged_is_the_same_under_its_own_name():
    pairing = paired_sources(texts(a=["x", "y"]), texts(a=["x"]))
    assert pairing.names == {("qa", "a"): "a"}
    assert paired_sources(texts(a=["x", "y"]), texts(a=["x", "z"])).names == {}
    assert paired_sources(texts(a=["x", "y"]), texts(b=["x"])).names == {}  # it may be any that begins so


def test_another_task_is_another_source():
    other = {("chat", "a"): texts(a=["x"])["qa", "a"]}
    assert paired_sources(texts(a=["x"]), other).names == {}


def test_where_not_all_is_known_a_name_is_trusted_unless_its_text_is_another():
    pairing = paired_sources(texts(a=["x"], b=["y"]), texts(a=["z"], c=["w"]), complete=False)
    assert (pairing.old_only, pairing.new_only) == ((("qa", "a"),), (("qa", "a"),))
    assert pairing.name("qa", "c") == "c"
    assert pairing.name("qa", "a") != "a"


def finding(name: str, turn: int, **fields: str) -> FindingRecord:
    turns = [{"fields": {"question": "Who?"}}, {"fields": fields}]
    record = {"id": "f", "system": "s", "task": "qa", "relation": "leet", "variant": [], "followups": []}
    return FindingRecord.model_validate({**record, "source": {"case": {"id": name, "turns": turns}, "turn": turn}})


def test_findings_and_verdicts_tell_the_same_of_what_was_asked():
    findings = [finding("a", 0, question="Why?"), finding("a", 1, question="Why?"), finding("b", 1, question="How?")]
    texts_by_source = texts_of_findings(findings)
    assert {named: set(turns) for named, turns in texts_by_source.items()} == {("qa", "a"): {0, 1}, ("qa", "b"): {1}}
    assert len({text for turns in texts_by_source.values() for text in turns.values()}) == 3
    texts: dict[tuple[str, str], dict[int, int]] = {}
    record = {"system": "s", "task": "qa", "relation": "leet", "variant": [], "outcome": "violated"}
    lines = [
        VerdictRecord.model_validate({**record, "source": name, "turn": turn, "source_input": {"question": text}})
        for name, turn, text in (("a", 0, "Who?"), ("a", 1, "Why?"), ("b", 1, "How?"))
    ]
    bare = VerdictRecord.model_validate({**record, "source": "c", "turn": 0})
    assert list(noting_texts([*lines, bare], texts)) == [*lines, bare]
    assert texts == texts_by_source
