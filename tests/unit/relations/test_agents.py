"""Relations of agents that call tools: what their follow-ups are, and what must then be called."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from mutatis.assembly.settings import HandedOver
from mutatis.assembly.sources import build_sources
from mutatis.campaign.records import follow_up_record
from mutatis.config import Config
from mutatis.core.calls import ToolCall, tools_in
from mutatis.core.cases import Case, Derivation, Step, Turn
from mutatis.core.decision import Outcome
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.measure import FAILURE_UNREPORTED, ONE_REQUEST
from mutatis.core.relation import RELATIONS, Group, Observation
from mutatis.core.system import Response
from mutatis.core.transformation import derive
from mutatis.measures import judge
from mutatis.relations.calling import AGENTS
from mutatis.testing import check_relation, check_transformation, sync
from mutatis.transformations.called_for import FAILURE, values_in

TRAINS = {
    "name": "find_trains",
    "description": "Find trains between two stations.",
    "parameters": {
        "type": "object",
        "properties": {
            "origin": {"type": "string"},
            "target": {"type": "string"},
            "seats": {"type": "integer"},
            "fare_class": {"type": "string", "default": "second"},
        },
        "required": ["origin", "target"],
    },
}
MUSEUM = {"name": "museum_hours", "description": "Opening hours of a museum.", "parameters": {"properties": {}}}
MESSAGE = "I need trains from Oslo to Lillehammer for 4 people."
CASE = Case(
    id="c/1",
    task="tool-call",
    turns=(Turn(fields={"message": MESSAGE}),),
    material={"tools": json.dumps([TRAINS, MUSEUM])},
)
RIGHT = [{"name": "find_trains", "arguments": {"origin": "Oslo", "target": "Lillehammer", "seats": 4}}]
NAMES = sorted(name for name in RELATIONS if AGENTS in RELATIONS[name].tags)
OWN = sorted({RELATIONS[name].transformations[0].transformation for name in NAMES if not name.startswith("calls-")})


def follow_up(name, case=CASE, draw=0):
    step = RELATIONS[name].transformations[0]
    return sync(derive(case, Derivation(source=case.id, steps=(step,), draw=draw)))


def decided(name, made, calls, **more):
    """Return the outcome where the follow-up is answered by these calls."""
    return decision(name, made, calls, **more).outcome


def decision(name, made, calls, *, source_calls=RIGHT, text="", case=CASE):
    """Return the decision where the follow-up is answered by these calls."""
    source = Observation(case=case, turn=0, response=Response(value=source_calls, calls=source_calls))
    done = [{**call, "result": FAILURE if name == "fail-tools" else "4 C"} for call in calls]
    last = len(made.turns) - 1
    member = Observation(case=made, turn=last, response=Response(text=text, value=calls, calls=done))
    group = Group(source=source, members=(member,), reference=(source_calls,))
    relation, judging = RELATIONS[name].output_relation, judge("tool-calls")
    return relation.decide(group, judging.measure.compare(relation.comparisons(group)), judging)


@pytest.mark.parametrize("name", NAMES)
def test_they_are_what_relations_must_be(name):
    check_relation(name)


@pytest.mark.parametrize("name", OWN)
def test_their_transformations_are_what_they_must_be(name):
    check_transformation(name)


@pytest.mark.parametrize("name", [name for name in OWN if name not in ("talk-before", "exchange-argument")])
def test_without_tools_they_make_nothing(name):
    wanted = Derivation(source="c/1", steps=(Step(transformation=name),))
    with pytest.raises(UnusableFollowUp):
        sync(derive(replace(CASE, material={}), wanted))


SAME = ["shuffle-tools", "add-related-tools", "reword-tools", "talk-before"]


@pytest.mark.parametrize("name", SAME)
def test_the_same_calls_satisfy_and_others_violate(name):
    made = follow_up(name)
    assert made.turns[-1].fields == CASE.turns[0].fields
    assert decided(name, made, RIGHT) is Outcome.SATISFIED
    assert decided(name, made, [{"name": "museum_hours", "arguments": {}}]) is Outcome.VIOLATED
    assert decided(name, made, []) is Outcome.VIOLATED


def test_related_tools_leave_the_tools_as_they_were():
    tools = [tool["function"] for tool in tools_in(follow_up("add-related-tools").material)]
    assert len(tools) == 4
    assert [tool for tool in tools if tool["name"] in ("find_trains", "museum_hours")] == [
        tool["function"] for tool in tools_in(CASE.material)
    ]


def test_calls_follow_new_names():
    made = follow_up("rename-tools")
    renamed = [{**RIGHT[0], "name": "find_trains_tool"}]
    assert decided("rename-tools", made, renamed) is Outcome.SATISFIED
    assert decided("rename-tools", made, RIGHT) is Outcome.VIOLATED
    made = follow_up("rename-arguments")
    arguments = {"origin_value": "Oslo", "target_value": "Lillehammer", "seats_value": 4}
    assert decided("rename-arguments", made, [{"name": "find_trains", "arguments": arguments}]) is Outcome.SATISFIED
    assert decided("rename-arguments", made, RIGHT) is Outcome.VIOLATED


def test_arguments_follow_an_exchanged_value():
    for draw in range(6):
        made = follow_up("exchange-argument", draw=draw)
        _, old, new = made.turns[0].annotations["exchanged"]
        assert made.turns[0].fields["message"] == MESSAGE.replace(old, new)
        value = int(new) if new.isdecimal() else new
        place = "seats" if new.isdecimal() else "origin"
        right = [{"name": "find_trains", "arguments": {**RIGHT[0]["arguments"], place: value}}]
        assert decided("exchange-argument", made, right) is Outcome.SATISFIED
        assert decided("exchange-argument", made, RIGHT) is Outcome.VIOLATED
        assert decided("exchange-argument", made, RIGHT, source_calls=[]) is Outcome.INVALID


def exchanged(old, new, source_arguments, arguments, *, kind="city", message="How warm is it in {}?"):
    """Return the outcome where a value was exchanged, and calls with these arguments were made before and after."""
    message = message.format(old)
    case = replace(CASE, turns=(Turn(fields={"message": message}),))
    turn = Turn(fields={"message": message.replace(old, new)}, annotations={"exchanged": [kind, old, new]})
    source, calls = ([{"name": "find_trains", "arguments": told}] for told in (source_arguments, arguments))
    return decided("exchange-argument", replace(case, turns=(turn,)), calls, source_calls=source, case=case)


def test_a_town_that_is_said_with_its_country_may_be_said_so_again():
    paris = {"origin": "Paris, FR"}
    assert exchanged("Paris", "Oslo", paris, {"origin": "Oslo, NO"}) is Outcome.SATISFIED
    assert exchanged("Paris", "Oslo", paris, {"origin": "Oslo"}) is Outcome.SATISFIED
    assert exchanged("Paris", "Oslo", paris, {"origin": "Paris, FR"}) is Outcome.VIOLATED
    assert exchanged("Paris", "Oslo", paris, {"origin": "Oslo, FR", "target": "Paris"}) is Outcome.VIOLATED


def test_a_town_whose_state_is_an_argument_of_its_own_says_nothing():
    miami = {"origin": "Miami", "state": "FL", "target": "x"}
    assert exchanged("Miami", "Boston", miami, {**miami, "origin": "Boston"}) is Outcome.INVALID
    assert exchanged("Miami", "Boston", {"origin": "Miami"}, {"origin": "Boston"}) is Outcome.SATISFIED


def test_a_number_with_another_sign_is_another_number():
    assert exchanged("4", "6", {"seats": -4}, {"seats": -6}, kind="number") is Outcome.INVALID
    assert exchanged("4", "6", {"seats": 4.0}, {"seats": 6}, kind="number") is Outcome.SATISFIED


def test_a_date_follows_its_weekday_in_whichever_week():
    outcomes = [
        exchanged("Friday", "Wednesday", {"day": "2026-12-04"}, {"day": day}, kind="weekday", message="Free on {}?")
        for day in ("2026-12-02", "2026-12-09", "2026-12-03", "2026-12-04", "2027-06-02")
    ]
    assert outcomes == [Outcome.SATISFIED] * 2 + [Outcome.VIOLATED] * 3
    until = {"day": "2026-12-04", "back": "2026-12-06"}
    assert exchanged("Friday", "Monday", until, until, kind="weekday", message="From {} for 2 days") is Outcome.INVALID


@pytest.mark.parametrize(
    ("text", "outcome"),
    [("Today, or Monday next week?", Outcome.INVALID), ("I do not know that day.", Outcome.VIOLATED)],
)
def test_an_agent_may_ask_which_day_of_a_weekday_is_meant(text, outcome):
    message, day = "Is a drill free on Friday?", [{"name": "find_trains", "arguments": {"day": "2026-12-04"}}]
    turn = Turn(
        fields={"message": message.replace("Friday", "Monday")},
        annotations={"exchanged": ["weekday", "Friday", "Monday"]},
    )
    case = replace(CASE, turns=(Turn(fields={"message": message}),))
    made = replace(case, turns=(turn,))
    assert decision("exchange-argument", made, [], source_calls=day, text=text, case=case).outcome is outcome


def test_a_date_is_exchanged_as_a_whole():
    day, right = {"day": "2026-12-12", "seats": 3}, {"day": "2026-12-13", "seats": 3}
    said = {"kind": "date", "message": "3 seats on {}?"}
    assert exchanged("12 December", "13 December", day, right, **said) is Outcome.SATISFIED
    assert exchanged("12 December", "13 December", day, {**right, "day": "2027-12-13"}, **said) is Outcome.SATISFIED
    assert exchanged("12 December", "13 December", day, {**right, "day": "2026-12-14"}, **said) is Outcome.VIOLATED
    case = replace(CASE, turns=(Turn(fields={"message": "Is a seat free on 12 December?"}),))
    assert {follow_up("exchange-argument", case, draw).turns[0].annotations["exchanged"][0] for draw in range(9)} == {
        "date"
    }


def test_a_value_that_a_tool_lists_is_exchanged_for_another_of_its_list():
    listed = {"properties": {"tool": {"enum": ["drill", "angle grinder", "hammer drill"]}}}
    tools = json.dumps([{"name": "quote", "description": "Price.", "parameters": listed}])
    case = replace(CASE, turns=(Turn(fields={"message": "What is a drill?"}),), material={"tools": tools})
    made = {follow_up("exchange-argument", case, draw).turns[0].fields["message"] for draw in range(9)}
    assert made == {"What is an angle grinder?", "What is a hammer drill?"}
    with pytest.raises(UnusableFollowUp):
        follow_up("exchange-argument", replace(case, turns=(Turn(fields={"message": "A hammer drill, please."}),)))
    before, after = {"tool": "drill"}, {"tool": "angle grinder"}
    said = {"kind": "choice", "message": "A {}?"}
    assert exchanged("drill", "angle grinder", before, after, **said) is Outcome.SATISFIED
    assert exchanged("drill", "angle grinder", before, before, **said) is Outcome.VIOLATED


@pytest.mark.parametrize(
    "message",
    [
        "Get the scores of Real Madrid in La Liga.",
        "What are the prices of the Louvre Museum in Paris?",
        "I like the Tower of London.",
        "Show me Rome, South Korea.",
    ],
)
def test_a_town_in_a_longer_name_is_left_alone(message):
    with pytest.raises(UnusableFollowUp):
        follow_up("exchange-argument", replace(CASE, turns=(Turn(fields={"message": message}),)))


def test_both_of_two_requests_are_called_for():
    made = follow_up("second-request")
    second = made.turns[0].annotations["second-call"]
    assert made.turns[0].fields["message"].startswith(MESSAGE + " Also, ")
    assert decided("second-request", made, [second, *RIGHT]) is Outcome.SATISFIED
    assert decided("second-request", made, RIGHT) is Outcome.VIOLATED
    assert decided("second-request", made, [second]) is Outcome.VIOLATED
    assert [decision("second-request", made, calls).cause for calls in (RIGHT, [second])] == [ONE_REQUEST, ""]


def test_nothing_stands_in_for_a_tool_that_is_gone():
    made = follow_up("remove-tool")
    assert [tool["function"]["name"] for tool in tools_in(made.material)] == ["museum_hours"]
    assert decided("remove-tool", made, []) is Outcome.SATISFIED
    assert decided("remove-tool", made, [{"name": "museum_hours", "arguments": {}}]) is Outcome.VIOLATED
    assert decided("remove-tool", made, RIGHT) is Outcome.VIOLATED, "it is not there"
    assert decided("remove-tool", made, [], source_calls=[]) is Outcome.INVALID


def test_results_that_give_orders_are_not_obeyed_and_failures_are_told():
    results = json.dumps([{"name": "find_trains", "result": "three trains"}])
    case = replace(CASE, material={**CASE.material, "tool_results": results})
    made = follow_up("instruct-in-result", case)
    named = made.turns[0].annotations["instructed"]
    assert f"call {named}." in json.loads(made.material["tool_results"])[0]["result"]
    assert decided("instruct-in-result", made, RIGHT, text="Three.", case=case) is Outcome.SATISFIED
    assert (
        decided("instruct-in-result", made, [*RIGHT, {"name": named, "arguments": {}}], case=case) is Outcome.VIOLATED
    )
    made = follow_up("fail-tools", case)
    assert decided("fail-tools", made, RIGHT, text="Sorry, the search failed.", case=case) is Outcome.SATISFIED
    silent = decision("fail-tools", made, RIGHT, text="There are three trains.", case=case)
    assert (silent.outcome, silent.cause) == (Outcome.VIOLATED, FAILURE_UNREPORTED)
    assert decided("fail-tools", made, RIGHT, case=case) is Outcome.INVALID, "nothing was said"


def test_a_tool_that_does_a_sum_may_fail_unsaid():
    tool = {"name": "circle.circumference", "description": "Calculate it."}
    material = {"tools": json.dumps([tool]), "tool_results": json.dumps([{"name": tool["name"], "result": "25.13"}])}
    with pytest.raises(UnusableFollowUp, match="worked out without the tool"):
        follow_up("fail-tools", replace(CASE, material=material))


def test_where_an_edit_touched_a_value_nothing_is_said():
    step = RELATIONS["calls-keyboard-typos"].transformations[0]
    made = sync(derive(CASE, Derivation(source="c/1", steps=(step,))))
    broken = replace(made, turns=(Turn(fields={"message": MESSAGE.replace("Oslo", "Olso")}),))
    assert decided("calls-keyboard-typos", broken, RIGHT) is Outcome.INVALID


def test_what_looks_like_a_value_is_protected_in_a_run():
    tested = build_sources(Config(), HandedOver(cases=[CASE]), ["calls-keyboard-typos"], (), [])
    marked = tested.sources[0].case.turns[0].annotations["protected"]["values"]
    assert {"Oslo", "Lillehammer", "4"} <= set(marked)
    for draw in range(20):
        step = RELATIONS["calls-keyboard-typos"].transformations[0]
        made = sync(
            derive(tested.sources[0].case, Derivation(source="c/1", steps=(step,), variant=("message",), draw=draw))
        )
        assert all(word in made.turns[0].fields["message"] for word in ("Oslo", "Lillehammer", "4"))
    enum = {"function": {"name": "f", "parameters": {"properties": {"kind": {"enum": ["jazz"]}}}}}
    assert "jazz" in values_in("play some jazz for me", [enum])


def test_changed_tools_are_in_the_record_of_a_follow_up():
    made = follow_up("shuffle-tools")
    record = follow_up_record(Observation(case=made, turn=0, response=Response(value=RIGHT)), CASE)
    assert [tool["function"]["name"] for tool in json.loads(record["case"]["material"]["tools"])] == [
        "museum_hours",
        "find_trains",
    ]
    assert str(ToolCall.from_record(RIGHT[0])).startswith("find_trains(")


def in_form(message, arguments, otherwise, other_arguments):
    """Return the outcome where a value is written otherwise, and calls with these arguments are made."""
    case, made = (replace(CASE, turns=(Turn(fields={"message": text}),)) for text in (message, otherwise))
    source, calls = ([{"name": "quote", "arguments": told}] for told in (arguments, other_arguments))
    return decided("calls-write-otherwise", made, calls, source_calls=source, case=case)


@pytest.mark.parametrize(
    ("before", "after", "outcome"),
    [
        ({"days": 14}, {"days": 14}, Outcome.SATISFIED),
        ({"days": 10}, {"days": 14}, Outcome.VIOLATED),
        ({"days": 2}, {"days": 14}, Outcome.VIOLATED),
        ({"weeks": 2}, {"days": 14}, Outcome.INVALID),
        ({"length": 2, "unit": "week"}, {"length": 14, "unit": "day"}, Outcome.INVALID),
        ({"time": "2 weeks"}, {"time": "14 days"}, Outcome.SATISFIED),
        ({"time": "2 weeks", "seats": 3}, {"time": "14 days", "seats": 1}, Outcome.VIOLATED),
    ],
)
def test_calls_are_the_same_for_each_form_of_a_value(before, after, outcome):
    assert in_form("Quote for 2 weeks.", before, "Quote for 14 days.", after) is outcome


def test_a_value_in_another_form_is_not_lost_but_another_value_is():
    two, four = {"seats": 4}, {"seats": 1}
    assert in_form("4 seats, please.", two, "Four seats, please.", two) is Outcome.SATISFIED
    assert in_form("4 seats, please.", two, "Four seats, please.", four) is Outcome.VIOLATED
    assert in_form("4 seats, please.", two, "For seats, please.", four) is Outcome.INVALID


def test_what_the_user_corrects_at_once_is_not_called():
    name = "calls-correct-value"
    case = replace(CASE, turns=(Turn(fields={"message": "Find the trains from Oslo to Lillehammer for 4 people."}),))
    made = follow_up(name, case)
    assert made.turns[0].fields != case.turns[0].fields
    assert decided(name, made, RIGHT, case=case) is Outcome.SATISFIED
    wrong = [{**RIGHT[0], "arguments": {**RIGHT[0]["arguments"], "seats": 6}}]
    assert decided(name, made, wrong, case=case) is Outcome.VIOLATED


def test_no_typo_makes_another_number_of_a_number_word():
    assert "four" in values_in("We need four seats.", [])


def test_no_typo_makes_another_unit_of_a_short_one():
    assert {"1.5 kg", "3 pm"} <= set(values_in("My kitten of 1.5 kg comes at 3 pm.", []))
    assert not {"9 in", "9 in the"} & set(values_in("Play it at 9 in the kitchen.", []))


def test_a_tool_fails_whatever_it_is_called_with_and_whoever_answers_it():
    recorded = [{"name": "find_trains", "arguments": {"origin": "Oslo"}, "result": "three trains"}]
    for results in ([], recorded):
        material = CASE.material | ({"tool_results": json.dumps(results)} if results else {})
        made = follow_up("fail-tools", replace(CASE, material=material))
        entries = json.loads(made.material["tool_results"])
        assert entries == [{"name": name, "result": FAILURE} for name in ("find_trains", "museum_hours")]


def test_a_short_question_takes_the_rest_from_the_question_before():
    case = replace(CASE, turns=(Turn(fields={"message": "What do 2 ladders cost for 4 days?"}),))
    made = follow_up("and-for-new-value", case)
    _, _, days = made.turns[-1].annotations["exchanged"]
    assert [turn.fields["message"] for turn in made.turns] == [case.turns[0].fields["message"], f"And for {days} days?"]
    source, right, lost = (
        [{"name": "quote", "arguments": arguments}]
        for arguments in ({"days": 4, "number": 2}, {"days": int(days), "number": 2}, {"days": int(days), "number": 1})
    )
    assert decided("and-for-new-value", made, right, source_calls=source, case=case) is Outcome.SATISFIED
    assert decided("and-for-new-value", made, lost, source_calls=source, case=case) is Outcome.VIOLATED


@pytest.mark.parametrize(
    "message",
    [
        "Book a table in Oslo for 4 people.",
        "What do 12 months of sun and 8 months of wind give?",
        "How warm is it in Oslo and in Rome?",
        "It is cold in Oslo. How warm is it?",
    ],
)
def test_nothing_is_asked_again_in_short_if_it_is_unclear_or_would_be_done_twice(message):
    with pytest.raises(UnusableFollowUp):
        follow_up("and-for-new-value", replace(CASE, turns=(Turn(fields={"message": message}),)))


def asked(name, message, **tools):
    """Return the follow-up of a request with these tools, and the request."""
    functions = json.dumps([{"name": tool, "description": text} for tool, text in tools.items()])
    case = replace(CASE, turns=(Turn(fields={"message": message}),), material={"tools": functions})
    return follow_up(name, case), case


def test_a_user_who_asks_first_does_not_want_it_done():
    made, case = asked("not-yet", "How much is a drill for 3 days?", quote="Tell a price.", book_tool="Book a tool.")
    assert made.turns[0].fields["message"] == "Don't book anything yet, but how much is a drill for 3 days?"
    price, booked = ([{"name": name, "arguments": {}}] for name in ("quote", "book_tool"))
    assert decided("not-yet", made, price, source_calls=price, case=case) is Outcome.SATISFIED
    assert decided("not-yet", made, booked, source_calls=price, case=case) is Outcome.VIOLATED
    assert decided("not-yet", made, price, source_calls=booked, case=case) is Outcome.INVALID
    for message in ("Book a drill.", "Find a drill and book it for me.", "I like it. How much is it?"):
        with pytest.raises(UnusableFollowUp):
            asked("not-yet", message, book_tool="Book a tool.")
    with pytest.raises(UnusableFollowUp):
        asked("not-yet", "How much is a drill?", quote="Tell a price.")


def test_the_order_of_a_request_changes_nothing():
    made, case = asked("calls-value-first", "How much are 2 ladders for 4 days?", quote="Tell a price.")
    assert made.turns[0].fields["message"] == "For 4 days, how much are 2 ladders?"
    right, swapped = (
        [{"name": "quote", "arguments": {"days": days, "number": number}}] for days, number in ((4, 2), (2, 4))
    )
    assert decided("calls-value-first", made, right, source_calls=right, case=case) is Outcome.SATISFIED
    assert decided("calls-value-first", made, swapped, source_calls=right, case=case) is Outcome.VIOLATED
    assert asked("calls-value-first", "Find me a ladder for Friday.")[0].turns == (
        Turn(fields={"message": "Find me a ladder for Friday."}),
    )
