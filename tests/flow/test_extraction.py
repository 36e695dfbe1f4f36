"""The measure `json` and the task `extraction`: which data are the same, and a campaign on a system that extracts."""

from __future__ import annotations

import json

import pytest

import mutatis
from mutatis.core.measure import Comparison
from mutatis.core.system import Response
from mutatis.measures import judge
from mutatis.testing import ScriptedSystem


def said(first, second):
    told = []
    for reference, answer in ((first, second), (second, first)):
        [similarity] = judge("json").measure.compare([Comparison(reference=(reference,), answer=answer)])
        told.append("open" if similarity.open else "same" if similarity.score >= 0.5 else "different")
    assert told[0] == told[1]
    return told[0]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"a": 1}, {"a": 1.0}),
        ({"a": 1, "b": None}, {"a": "1"}),
        ({"day": "2025-03-10"}, {"day": "10 March 2025"}),
        ({"people": [{"name": "Ann"}, {"name": "Bob"}]}, {"people": [{"name": "bob"}, {"name": "Ann"}]}),
        ('{"a": {"b": true}}', {"a": {"b": True}}),
        ('```json\n{"a": 2}\n```', '{"a": 2}'),
        ([], []),
    ],
)
def test_the_same_data_in_another_form(first, second):
    assert said(first, second) == "same"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"a": 1}, {"a": 2}),
        ({"a": 1}, {"a": 1, "b": 2}),
        ({"a": 1}, {"a": 1, "b": False}),
        ({"people": ["Ann"]}, {"people": ["Ann", "Bob"]}),
        ({"n": [1, 2]}, {"n": [2, 1]}),
        ({"a": {"b": "Oslo"}}, {"a": {"b": "Bergen"}}),
        ({"a": 1}, "none"),
        ({"a": 1}, [1]),
    ],
)
def test_other_data(first, second):
    assert said(first, second) == "different"


@pytest.mark.parametrize("odd", [None, 3, "x", "{", [[[]]], {"a": {"b": [{}]}}])
def test_it_never_raises(odd):
    assert said(odd, odd) in ("open", "same")


def test_a_campaign_on_a_system_that_extracts():
    def answer(conversation):
        text = conversation.messages[-1].content
        if text.isupper():
            return "Sure: " + json.dumps({"city": "Oslo", "guests": 3})
        return Response(data={"guests": 2, "city": "oslo"}) if text.startswith("Two") else json.dumps({"guests": 2})

    texts = ["Two guests come to Oslo.", "No data at all here."]
    cases = mutatis.cases(texts, task="extraction")
    relation = mutatis.relation("loud-text", transformations=["upper-case"], tasks=["extraction"])
    run = mutatis.run(ScriptedSystem(answer), cases, [relation], settings={"noise_floor": 0, "confirm": 0, "shrink": 0})
    [row] = run.report.summary
    assert (row.violated, row.error) == (2, 0)
    assert "guests: 2 / 3" in run.findings[0].reason
