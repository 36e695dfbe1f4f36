"""The measure `tool-calls`: what counts as the same call, what does not, and what it leaves open."""

from __future__ import annotations

import itertools

import pytest

from mutatis.core.calls import read_tools
from mutatis.core.measure import Comparison
from mutatis.measures import judge

TOOLS = read_tools(
    [
        {
            "name": "hotel.book",
            "parameters": {
                "type": "object",
                "properties": {
                    "city": {"type": "string", "description": "City and state, e.g. San Francisco, CA"},
                    "nights": {"type": "integer"},
                    "day": {"type": "string", "description": "The first day, YYYY-MM-DD."},
                    "room": {"type": "string", "enum": ["single", "double"], "default": "single"},
                    "unit": {"type": "string", "description": "Unit of the distance. Default is 'km'."},
                    "extras": {"type": "array", "items": {"type": "string"}, "description": "What is wanted beside."},
                    "stops": {"type": "array", "items": {"type": "string"}, "description": "Stops, in order."},
                    "view": {"type": "string", "description": "What is seen from the window."},
                    "pets": {"type": "boolean"},
                    "beside": {
                        "type": "array",
                        "items": {"type": "string"},
                        "description": "Default is ['cake', 'tea'].",
                    },
                    "deposit": {"type": "number", "description": "What is paid first. Default is zero."},
                    "pillows": {"type": "number", "description": "For each guest. Default is 1.5 pillows."},
                },
                "required": ["city", "nights"],
            },
        },
        {"name": "pay", "parameters": {"type": "object", "properties": {"sum": {"type": "number"}}}},
    ]
)
BASE = {"city": "Oslo", "nights": 2}


def said(first, second):
    """Return "same", "different" or "open", and check that the order of the two changes nothing."""
    told = []
    for reference, answer in ((first, second), (second, first)):
        comparison = Comparison(reference=(reference,), answer=answer, tools=TOOLS)
        [similarity] = judge("tool-calls").measure.compare([comparison])
        told.append("open" if similarity.open else "same" if similarity.score >= 0.5 else "different")
        assert similarity.reason
    assert told[0] == told[1]
    return told[0]


def book(**more):
    return [{"name": "hotel.book", "arguments": {**BASE, **more}}]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({}, {}),
        ({"nights": 2}, {"nights": "2"}),
        ({"nights": 2}, {"nights": 2.0}),
        ({"city": "Oslo"}, {"city": "oslo."}),
        ({}, {"room": "single"}),
        ({}, {"unit": "km"}),
        ({}, {"unit": "kilometers"}),
        ({}, {"unit": None}),
        ({}, {"extras": []}),
        ({}, {"pets": False}),
        ({"pets": True}, {"pets": "true"}),
        ({"pets": True}, {"pets": "yes"}),
        ({}, {"pillows": 1.5}),
        ({"day": "2025-03-10"}, {"day": "March 10, 2025"}),
        ({"day": "10:30"}, {"day": "10:30 am"}),
        ({"view": "Man U"}, {"view": "Manchester United"}),
        ({"view": "PS5"}, {"view": "PlayStation 5"}),
        ({"view": "XL"}, {"view": "extra large"}),
        ({"view": "sq m"}, {"view": "m^2"}),
        ({}, {"unit": "no preference"}),
        ({}, {"beside": ["tea", "cake"]}),
        ({}, {"deposit": 0}),
        ({"city": "New York, NY"}, {"city": "New York"}),
        ({"city": "NYC"}, {"city": "New York City"}),
        ({"city": "Denver, Colorado"}, {"city": "Denver, CO"}),
        ({"extras": ["sauna", "breakfast"]}, {"extras": ["Breakfast", "sauna"]}),
        ({"view": "the sea"}, {"view": "Sea"}),
        ({"view": "lambda x: x**2"}, {"view": "x^2"}),
        ({"extras": ["sauna"]}, {"extras": ' ["sauna"]'}),
    ],
)
def test_the_same_call_in_another_form(first, second):
    assert said(book(**first), book(**second)) == "same"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"nights": 2}, {"nights": 3}),
        ({"nights": 2}, {"nights": "many"}),
        ({"city": "Oslo"}, {"city": "Bergen"}),
        ({"city": "Oslo"}, {"city": ["Oslo"]}),
        ({}, {"room": "double"}),
        ({"room": "single"}, {"room": "double"}),
        ({}, {"unit": "miles"}),
        ({}, {"wish": "late"}),
        ({"day": "2025-03-10"}, {"day": "2025-03-11"}),
        ({"day": "2025-03-10"}, {"day": "2026-03-10"}),
        ({"extras": ["sauna"]}, {"extras": ["sauna", "breakfast"]}),
        ({"stops": ["Rome", "Pisa"]}, {"stops": ["Pisa", "Rome"]}),
        ({"city": "-5"}, {"city": "5"}),
        ({"view": "room 12"}, {"view": "room 14"}),
        ({"view": "shop.example.org"}, {"view": "pg.shop.example.org"}),
        ({"pets": True}, {"pets": False}),
        ({}, {"beside": ["tea"]}),
        ({}, {"deposit": 5}),
        ({}, {"pillows": 2}),
        ({}, {"unit": "all"}),
        ({"view": "2019-2020"}, {"view": "2020-2021"}),
        ({"view": "git@host.org:a/b.git"}, {"view": "https://host.org/a/c"}),
        ({"view": "ann@host.org/a"}, {"view": "bob@host.org/a"}),
        ({"city": "London, UK"}, {"city": "London, Ohio"}),
        ({"view": "new york"}, {"view": "new jersey"}),
        ({"view": "x^2"}, {"view": "x^3"}),
        ({"view": "The Wolf of Wall Street"}, {"view": "Lord of the Flies"}),  # "of" is no word in common
        ({"day": "2022-05-12"}, {"day": "2022-12-05"}),
    ],
)
def test_another_call(first, second):
    assert said(book(**first), book(**second)) == "different"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({}, {"view": "garden"}),
        ({"city": "ZBRA"}, {"city": "Zebra"}),
        ({"view": "KFC"}, {"view": "肯德基"}),
        ({"day": "May 12, 2022"}, {"day": "12/05/2022"}),
        ({"day": "next month"}, {"day": "June 2023"}),
        ({"city": "Paris, France"}, {"city": "France"}),
        ({"city": "London, UK"}, {"city": "London, England"}),
    ],
)
def test_what_nobody_can_tell_is_open(first, second):
    assert said(book(**first), book(**second)) == "open"


def test_two_things_are_two_calls():
    assert said(book(view="tea room"), book(view="piano")) == "different"


def test_a_required_argument_left_out_is_another_call():
    assert said(book(), [{"name": "hotel.book", "arguments": {"city": "Oslo"}}]) == "different"


def test_an_optional_argument_is_left_out():
    assert said(book(view="mountains"), book()) == "open"
    assert said(book(view="harbour"), book(extras=["harbour view"])) == "open"  # kept in another argument
    assert said([{"name": "pay", "arguments": {"sum": 5}}], [{"name": "pay", "arguments": {}}]) == "open"


def test_an_argument_that_may_have_a_default_is_shown():
    comparison = Comparison(reference=(book(view="mountains"),), answer=book(), tools=TOOLS)
    [similarity] = judge("tool-calls").measure.compare([comparison])
    assert '"mountains" / left out' in similarity.reason
    assert "the tool does not say" in similarity.reason


def test_a_tool_that_nobody_described_lacks_what_is_left_out():
    call = {"name": "cancel", "arguments": {"id": "A1", "reason": "ill", "note": None}}
    assert said([call], [{**call, "arguments": {"id": "A1"}}]) == "different"
    assert said([call], [{**call, "arguments": {"id": "A1", "reason": "Ill."}}]) == "same"


def test_names_with_dots_and_with_underscores_are_one_tool():
    assert said(book(), [{"name": "hotel_book", "arguments": BASE}]) == "same"
    assert said(book(), [{"name": "hotel_cancel", "arguments": BASE}]) == "different"


def test_several_calls_are_a_set_unless_one_uses_anothers_result():
    pay, again = {"name": "pay", "arguments": {"sum": 5}}, {"name": "pay", "arguments": {"sum": 7}}
    for order in itertools.permutations([*book(), pay, again]):
        assert said([*book(), pay, again], list(order)) == "same"
    assert said([*book(), pay], [*book(), again]) == "different"
    assert said([pay, pay], [pay]) == "different", "called twice"
    linked = {"name": "pay", "arguments": {"sum": "$total"}}
    assert said([*book(), linked], [linked, *book()]) == "different"


def test_no_call_is_an_answer_and_what_is_no_list_of_calls_is_open():
    assert said([], []) == "same"
    assert said([], book()) == "different"
    assert said("hello", book()) == "open"
    assert said('[{"name": "hotel.book", "arguments": {"city": "Oslo", "nights": 2}}]', book()) == "same"


@pytest.mark.parametrize("odd", [None, 3, "x", [1], {"name": 3}, [{"name": "f", "arguments": [1]}], [{"name": None}]])
def test_it_never_raises(odd):
    assert said(odd, book()) in ("open", "different")


def test_arguments_that_are_no_object_are_the_same_only_where_they_are_equal():
    assert said([{"name": "pay", "arguments": [5]}], [{"name": "pay", "arguments": [5]}]) == "same"
    assert said([{"name": "pay", "arguments": [5]}], [{"name": "pay", "arguments": [7]}]) == "different"
    assert said([{"name": "pay", "arguments": 5}], [{"name": "pay", "arguments": {"sum": 5}}]) == "different"


def test_the_call_that_only_one_of_two_lists_has_is_named():
    pair = [*book(), {"name": "pay", "arguments": {"sum": 5}}]
    for first, second in ((pair, book()), (book(), pair)):
        comparison = Comparison(reference=(first,), answer=second, tools=TOOLS)
        [similarity] = judge("tool-calls").measure.compare([comparison])
        assert similarity.reason.endswith("pay is on one side only")
