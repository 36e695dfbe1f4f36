"""The measure `json` and the task `extraction`: which data are the same, and a campaign on a system that extracts."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

import mutatis
from mutatis.core.measure import Comparison
from mutatis.core.relation import RELATIONS
from mutatis.core.system import Response
from mutatis.measures import judge
from mutatis.measures.json_answers import misfit
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


DATES = [
    *("4 March 2025", "March 4, 2025", "2025-06-11", "11/06/2025", "25/06/2025", "04.03.2025", "4th March 2025"),
    *("14 June", "June 14", "Mar 4, 2025"),
]


def written_in_iso(text, *, day_first):
    """Return the date of a text in one form, as an extractor does that reads dates in digits in one order."""
    first, second, year = re.search(r"(\d+)[/.](\d+)[/.](\d+)", text).groups()
    is_day_first = day_first or "." in text or int(first) > 12
    return f"{year}-{second}-{first}" if is_day_first else f"{year}-{first}-{second}"


@pytest.mark.parametrize("date", DATES)
@pytest.mark.parametrize("form", ["as written", "day first", "month first"])
def test_a_date_of_any_form_is_exchanged_and_the_data_follow(date, form):
    def extract(conversation):
        text = conversation.messages[-1].content
        stated = re.search(r"dated (.*?), for", text)[1]
        if form != "as written" and re.fullmatch(r"\d+[/.]\d+[/.]\d+", stated):
            stated = written_in_iso(stated, day_first=form == "day first")
        return json.dumps({"date": stated, "items": 12})

    cases = mutatis.cases([f"Invoice dated {date}, for 12 chairs."], task="extraction")
    settings = {"noise_floor": 0, "confirm": 0, "shrink": 0}
    [row] = mutatis.run(ScriptedSystem(extract), cases, ["data-date"], settings=settings).report.summary
    assert (row.satisfied, row.violated, row.invalid, row.error) == (1, 0, 0, 0)


def test_a_date_that_the_data_do_not_follow_is_found():
    cases = mutatis.cases(["Invoice dated 4 March 2025, for 12 chairs."], task="extraction")
    system = ScriptedSystem(lambda _: '{"date": "2025-03-04", "items": 12}')
    [row] = mutatis.run(system, cases, ["data-date"], settings={"noise_floor": 0, "confirm": 0}).report.summary
    assert row.violated == 1


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


FORM = {
    "type": "object",
    "properties": {
        "guests": {"type": "integer"},
        "unit": {"enum": ["night", "week"], "default": "night"},
        "day": {"type": "string", "format": "date"},
    },
    "required": ["guests"],
}


@pytest.mark.parametrize(
    ("reference", "answer", "says"),
    [
        ({"guests": 2}, {"guests": 2, "unit": "night"}, "same"),
        ({"guests": 2}, {"guests": 2, "unit": "week"}, "different"),
        ({"guests": 2}, {"guests": "2"}, "guests: '2' is not of type 'integer'"),
        ({"guests": 2}, {"unit": "night"}, "'guests' is a required property"),
        ({"guests": 2, "unit": "week"}, {"guests": 2, "unit": "weeks"}, "unit: 'weeks' is not one of"),
        ({"guests": 2, "day": "2025-03-10"}, {"guests": 2, "day": "March 10"}, "day: 'March 10' is not a 'date'"),
        ({"guests": "2", "note": "late"}, {"note": "Late", "guests": "2"}, "same"),
        ({"guests": 2}, {"guests": 2, "day": None}, "same"),
        ({"guests": 2, "unit": ""}, {"guests": 2, "unit": "night"}, "same"),
        ({"guests": 2}, {"guests": None}, "guests: None is not of type 'integer'"),
    ],
)
def test_data_goes_by_the_schema_of_its_case(reference, answer, says):
    comparison = Comparison(reference=(reference,), answer=answer, schema=FORM)
    [similarity] = judge("json").measure.compare([comparison])
    same = similarity.score >= 0.5
    assert same is (says == "same")
    assert says in ("same", "different") or says in similarity.reason


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # as an error, it would hide that the file was opened
def test_a_schema_opens_no_file(tmp_path):
    (tmp_path / "form.json").write_text('{"required": ["guests"]}')
    schema = {"type": "object", "properties": {"n": {"$ref": (tmp_path / "form.json").as_uri()}}}
    assert misfit({"n": {}}, schema) == ""


def test_a_campaign_by_a_schema_finds_data_that_breaks_it():
    def answer(conversation):
        loud = conversation.messages[-1].content.isupper()
        return json.dumps({"guests": "2" if loud else 2})

    record = {"text": "Two guests come.", "id": "a"}
    [case] = mutatis.cases([record], task="extraction")
    case = replace(case, material={"schema": json.dumps(FORM)})
    if "loud-text" not in RELATIONS:
        mutatis.relation("loud-text", transformations=["upper-case"], tasks=["extraction"])
    run = mutatis.run(ScriptedSystem(answer), [case], ["loud-text"], settings={"noise_floor": 0, "shrink": 0})
    assert "one answer breaks the schema: guests: '2' is not of type 'integer'" in run.findings[0].reason


TEXT = "Anna Marlow booked 7 rooms in Oslo on May 3."


def reading(text, *, by_heart=()):
    """Return what a right system takes from such a text; what is known by heart is not read."""
    name, rooms, city, day = re.fullmatch(r"(\w+) Marlow booked (\d+) rooms in (\w+) on (\w+ \d+)\.", text).groups()
    month, number = day.split()
    iso = f"2026-{['January', 'February', 'March', 'April', 'May', 'June'].index(month) + 1:02}-{int(number):02}"
    data = {"guest": f"{name} Marlow", "rooms": int(rooms), "city": city, "arrival": iso}
    return data | {key: reading(TEXT)[key] for key in by_heart}


@pytest.mark.parametrize(
    ("kind", "key"), [("name", "guest"), ("number", "rooms"), ("date", "arrival"), ("city", "city")]
)
def test_a_value_exchanged_in_the_text_is_exchanged_in_the_data(kind, key):
    settings = {"noise_floor": 0, "confirm": 0, "shrink": 0}
    for by_heart, violated in (((), 0), ((key,), 1)):
        system = ScriptedSystem(lambda asked, known=by_heart: json.dumps(reading(asked.fields["text"], by_heart=known)))
        cases = mutatis.cases([TEXT], task="extraction")
        [row] = mutatis.run(system, cases, [f"data-{kind}"], settings=settings).report.summary
        assert (row.violated, row.satisfied, row.invalid, row.error) == (violated, 1 - violated, 0, 0)


@pytest.mark.parametrize(
    ("kind", "text", "data", "why"),
    [
        ("city", "Fly to Rome.", {"city": "Rome", "country": "Italy"}, "may follow"),
        ("city", "Play live in Tokyo.", {"song": "Live in Tokyo"}, "may be a title"),
        ("number", "We order 12 chairs at once.", {"chairs": 12, "total": 480}, "may follow"),
        ("name", "Linda called.", {"caller": "Mrs L."}, "occurs 0 times"),
        ("date", "Come on May 3.", {"day": "2026-05-03", "weekday": "Sunday"}, "may follow"),
    ],
)
def test_where_more_may_follow_from_a_value_the_pair_says_nothing(kind, text, data, why, tmp_path):
    system = ScriptedSystem({"*": json.dumps(data)})
    cases = mutatis.cases([text], task="extraction")
    run = mutatis.run(system, cases, [f"data-{kind}"], out=tmp_path, settings={"noise_floor": 0})
    [row] = run.report.summary
    assert row.invalid == 1
    assert why in (tmp_path / "verdicts.jsonl").read_text("utf-8")
