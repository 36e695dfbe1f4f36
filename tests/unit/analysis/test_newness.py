"""Which findings a baseline knows: those of the same system, on what was asked."""

from __future__ import annotations

from typing import Any

import pytest

from mutatis.analysis.newness import newness, renaming
from mutatis.records.baseline import Baseline, known


def finding(system: str = "a", source: str = "d/1", text: str = "Who?", material: str = "") -> dict[str, Any]:
    case = {"id": source, "turns": [{"fields": {"question": text}}], "material": {"story": material}}
    names = {"id": "f", "system": system, "task": "qa", "relation": "leet", "variant": ["question"]}
    return {**names, "source": {"case": case, "turn": 0}}


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
    is_new = newness(baseline(*before), now)
    assert is_new(finding(now[0])) is not same


def test_what_was_asked_names_the_source_and_its_number_does_not():
    is_new = newness(baseline("a"), ["a"])
    assert not is_new(finding(source="d/2"))
    assert is_new(finding(text="Where?"))
    assert is_new(finding(material="another story"))


def test_without_texts_the_number_names_it():
    old = baseline("a")
    old = old.model_copy(update={"findings": [each.model_copy(update={"text": ""}) for each in old.findings]})
    is_new = newness(old, ["a"])
    assert is_new(finding(source="d/2"))
    assert not is_new(finding(text="Where?"))


def test_nobody_is_renamed_where_there_is_nobody():
    assert renaming([], ["a"]) is None
    assert renaming(["a"], []) is None
