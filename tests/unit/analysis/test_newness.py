"""Which findings a baseline knows: those of the same system, on what was asked."""

from __future__ import annotations

from typing import Any

import pytest

from mutatis.analysis.newness import became_stock, newness, renaming
from mutatis.records.asked import STOCK, AskedRecord, RepliesRecord, SharedReply, message_hash
from mutatis.records.baseline import Baseline, KnownReplies, known


def finding(
    system: str = "a", source: str = "d/1", text: str = "Who?", material: str = "", asked: str = ""
) -> dict[str, Any]:
    case = {"id": source, "turns": [{"fields": {"question": text}}], "material": {"story": material}}
    names = {"id": "f", "system": system, "task": "qa", "relation": "leet", "variant": ["question"]}
    follow_up = {"turns": [{"fields": {"question": asked or text.upper()}}]}
    return {**names, "source": {"case": case, "turn": 0}, "followups": [{"case": follow_up, "turn": 0}]}


def baseline(*systems: str, findings: Any = None) -> Baseline:
    kept = [known(each) for each in findings or [finding(systems[0])]]
    return Baseline(format="mutatis/baseline", version=1, systems=list(systems), findings=kept)


@pytest.mark.parametrize(
    ("before", "now", "same"),
    [
        (["a"], ["a"], True),
        (["a"], ["b"], True),  # one before, one now: another label
        (["a"], ["b", "b"], True),
        (["a"], ["b", "c"], False),
        (["a", "c"], ["b"], False),
        (["a", "c"], ["b", "d"], False),
        (["a", "c"], ["b", "a"], False),
    ],
)
def test_a_system_is_renamed_one_to_one_only(before, now, same):
    mark = newness(baseline(*before), now)
    assert mark(finding(now[0])) == {"new": not same}


def test_what_was_asked_names_the_source_and_its_number_does_not():
    mark = newness(baseline("a"), ["a"])
    assert not mark(finding(source="d/2"))["new"]
    assert mark(finding(text="Where?"))["new"]
    assert mark(finding(material="another story"))["new"]


def test_without_texts_the_number_names_it():
    old = baseline("a")
    old = old.model_copy(update={"findings": [each.model_copy(update={"text": ""}) for each in old.findings]})
    mark = newness(old, ["a"])
    assert mark(finding(source="d/2"))["new"]
    assert not mark(finding(text="Where?"))["new"]


def test_nobody_is_renamed_where_there_is_nobody():
    assert renaming([], ["a"]) is None
    assert renaming(["a"], []) is None


@pytest.mark.parametrize(
    ("system", "text", "asked", "wanted", "marks"),
    [
        ("a", "Who?", "WHO?", False, {"new": True}),  # asked there, and it held
        ("a", "Who?", "And Bob?", False, {"new": False, "newly_asked": True}),
        ("a", "Who?", "And Bob?", True, {"new": True, "newly_asked": True}),
        ("a", "Where?", "And Bob?", False, {"new": True}),  # the data have a question more
        ("b", "Who?", "And Bob?", False, {"new": False, "newly_asked": True}),  # another label
    ],
)
def test_what_the_baseline_never_asked_of_a_question_that_it_knows_is_newly_asked(system, text, asked, wanted, marks):
    messages = [message_hash([{"question": message}]) for message in ("Who?", "WHO?")]
    record = AskedRecord(system="a", task="qa", relations=["leet"], messages=messages)
    old = baseline("a", findings=[finding("a", text="Why?")]).model_copy(update={"asked": [record]})
    mark = newness(old, [system], newly_asked=wanted)
    assert mark(finding(system, text=text, asked=asked)) == marks


def test_a_baseline_that_tells_of_no_messages_calls_all_that_it_lacks_new():
    assert newness(baseline("a"), ["a"])(finding(text="Who else?", asked="And Bob?")) == {"new": True}


def test_of_several_systems_each_has_messages_of_its_own():
    record = AskedRecord(system="a", task="qa", relations=["leet"], messages=[message_hash([{"question": "Who?"}])])
    old = baseline("a", "b", findings=[finding("a", text="Why?")]).model_copy(update={"asked": [record]})
    mark = newness(old, ["a", "b"])
    assert mark(finding("a", asked="And Bob?")) == {"new": False, "newly_asked": True}
    assert mark(finding("b", asked="And Bob?")) == {"new": True}


def test_a_finding_of_a_relation_that_joined_the_run_is_new():
    record = AskedRecord(
        system="a", task="qa", relations=["upper-case"], messages=[message_hash([{"question": "Who?"}])]
    )
    old = baseline("a", findings=[finding("a", text="Why?")]).model_copy(update={"asked": [record]})
    assert newness(old, ["a"])(finding("a", asked="And Bob?")) == {"new": True}


@pytest.mark.parametrize(
    ("before", "now", "became"),
    [
        (["a"], "a", ["d/2"]),
        (["a"], "b", ["d/2"]),  # one system before and one now: another label
        (["a", "c"], "b", []),  # which of the two it was is unknown
    ],
)
def test_a_question_that_had_its_own_reply_is_marked_below_the_stock_reply(before, now, became):
    known_reply = KnownReplies(system="a", task="qa", others=["hash of d/2"])
    old = baseline(*before).model_copy(update={"replies": [known_reply]})
    stock = SharedReply(
        reply="Sorry?", questions={f"hash of d/{number}": f"d/{number}" for number in range(1, STOCK + 1)}
    )
    few = SharedReply(reply="Yes.", questions={"hash of d/1": "d/1"})
    record = RepliesRecord(system=now, task="qa", shared=[few, stock], others=[])
    [compared] = became_stock([record], old, [now])
    assert [(shared.reply, shared.became) for shared in compared.shared] == [("Sorry?", became), ("Yes.", [])]
