"""Where a reply changes along a value without naming a limit, the edge is found by halving and shown as a table."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import mutatis
from mutatis.core.cases import Turn
from mutatis.core.system import Response
from mutatis.records import read_verdicts
from mutatis.records.files import read_report
from mutatis.testing import ScriptedSystem
from mutatis.transformations.halving import MOST
from support.loopback import Command

Bot = Callable[[str], str]
WEIGHT, GROUP, AGE = (
    "My dog weighs 12 kg. What does a check cost?",
    "We are 4 people. What does the boat cost?",
    "I am 70. Is there a discount for me?",
)
QUESTIONS = (WEIGHT, GROUP, AGE, "When do you open?")


def number(text: str, behind: str) -> int | None:
    match = re.search(rf"(\d+) ?{behind}", text)
    return int(match[1]) if match else None


def practice(*, top: int = 60) -> Bot:
    """Return a bot whose prices are 35 to 10 kg, 42 to 25 kg and `top` from there; it names none of these limits."""

    def reply(text: str) -> str:
        if (weight := number(text, "kg")) is not None:
            return f"A check costs {35 if weight <= 10 else 42 if weight <= 25 else top} EUR."
        if (people := number(text, "people")) is not None:
            return f"The boat costs {5 * people} EUR."
        if (age := re.search(r"I am (\d+)", text)) is not None:
            return "Yes, there is." if int(age[1]) >= 65 else "No, there is none."
        return "We open at 9:00."

    return reply


def run(bot: Bot, folder: Path, questions: tuple[str, ...] = QUESTIONS, **more: Any) -> mutatis.Run:
    return mutatis.run(bot, list(questions), ["find-edges"], task="chat", out=folder, store=folder / "store.db", **more)


def edges(made: mutatis.Run) -> dict[str, list[tuple[str, str]]]:
    return {record.question: [(edge.low, edge.high) for edge in record.edges] for record in made.report.edges}


def test_each_edge_is_found_and_an_even_price_has_none(tmp_path):
    made = run(practice(), tmp_path)
    assert edges(made) == {WEIGHT: [("10 kg", "11 kg"), ("25 kg", "26 kg")], GROUP: [], AGE: [("64", "65")]}
    [boat] = [record for record in made.report.edges if record.question == GROUP]
    assert boat.even
    assert [asked.value for asked in boat.asked] == ["2", "4", "10"]  # nothing is halved along an even price
    assert made.report.run.queries.paid <= len(QUESTIONS) * (1 + MOST)


def test_the_same_table_at_any_concurrency_and_after_a_budget_ended(tmp_path):
    def files(folder: Path) -> list[bytes]:
        report = json.loads((folder / "report.json").read_bytes())
        return [(folder / "verdicts.jsonl").read_bytes(), json.dumps(report["edges"]).encode()]

    single, many, cut = tmp_path / "1", tmp_path / "16", tmp_path / "cut"
    run(practice(), single, settings={"concurrency": 1})
    whole = run(practice(), many, settings={"concurrency": 16})
    short = run(practice(), cut, max_queries=9)
    assert short.report.run.queries.paid <= 9
    again = run(practice(), cut)
    assert again.report.run.queries.paid < whole.report.run.queries.paid  # what was asked is not asked again
    assert files(single) == files(many) == files(cut)


def test_a_table_depends_on_no_other_question(tmp_path):
    alone = run(practice(), tmp_path / "alone", (AGE,))
    among = run(practice(), tmp_path / "among", ("Do you sell leads?", *QUESTIONS))
    assert [edge.to_json() for edge in alone.report.edges[0].edges] == [
        edge.to_json() for edge in next(row for row in among.report.edges if row.question == AGE).edges
    ]


def broken(folder: Path) -> list[str]:
    return [verdict.reason for verdict in read_verdicts(folder) if verdict.outcome == "violated"]


def test_a_break_in_direction_is_only_shown(tmp_path):
    made = run(practice(top=30), tmp_path)
    [row] = [record for record in made.report.edges if record.question == WEIGHT]
    assert (row.turn, row.direction) == (["10 kg", "25 kg", "26 kg"], "")
    assert broken(tmp_path) == []


def kennel(*, hole: range = range(0)) -> Bot:
    """Return a bot whose price per night is 22 to 10 kg, 28 to 25 kg and 34 from there, but 22 in the hole."""

    def reply(text: str) -> str:
        weight = number(text, "kg") or 0
        price = 22 if weight <= 10 or weight in hole else 28 if weight <= 25 else 34
        return f"1 night for {weight} kg is {price} EUR." if weight % 2 else f"It is {price} EUR for 1 night."

    return reply


def fares(text: str) -> str:
    """Answer with a fare that children and pensioners share."""
    age = number(text, "years") or 30
    return f"A ticket is {5 if age < 15 or age >= 65 else 9} EUR."


def test_a_price_that_differs_between_two_equal_prices_is_a_finding(tmp_path):
    question = "My dog weighs 16 kg. How much is one night?"
    run(kennel(hole=range(15, 18)), tmp_path / "bad", (question,))
    [reason] = broken(tmp_path / "bad")
    assert reason == ("the price is the same between '10 kg' and '15 kg', which both cost 22, but it is 28 at '13 kg'")
    run(kennel(), tmp_path / "good", (question,))
    assert broken(tmp_path / "good") == []


def groups(text: str, *, hole: range) -> str:
    """Answer with the discount of a group, which is 15 % from 10 people and 20 % from 25, and none in the hole."""
    people = number(text, "people") or 0
    if people < 10 or people in hole:
        return f"There is no group discount for {people} people."
    return f"{people} people get {15 if people < 25 else 20} % off."


@pytest.mark.parametrize(("hole", "findings"), [(range(20, 25), 1), (range(0), 0)])
def test_a_discount_that_is_gone_between_two_others_is_a_finding(tmp_path, hole, findings):
    run(partial(groups, hole=hole), tmp_path, ("We are a group of 12 people. Is there a discount?",))
    reasons = broken(tmp_path)
    assert len(reasons) == findings
    assert all(reason.startswith("the share of the price is 85% at ") for reason in reasons)


def cancelling(text: str, *, at_14: str) -> str:
    """Answer with the share of the price that is due after a cancellation, which falls with the days before arrival."""
    days = number(text, "days") or 0
    if days == 14:
        return f"Cancelling 14 days ahead: {at_14}."
    return f"With {days} days to go you pay {'80 %' if days < 14 else '50 %' if days < 30 else 'nothing'}."


@pytest.mark.parametrize(
    ("at_14", "findings"),
    [
        ("the full price", 1),
        ("it costs nothing", 1),
        ("50 % of the price", 0),
        ("80 % of the price", 0),
        ("20 % off", 0),
    ],
)
def test_a_share_of_the_price_outside_of_both_neighbours_is_a_finding(tmp_path, at_14, findings):
    question = "What do I pay if I cancel 20 days before arrival?"
    made = run(partial(cancelling, at_14=at_14), tmp_path, (question,))
    assert len(broken(tmp_path)) == findings
    assert any(low in ("13 days", "14 days") for low, _ in edges(made)[question])
    assert [row.turn for row in made.report.edges] == ([["13 days", "14 days", "15 days"]] if findings else [[]])


def library(*, oldest_adult: int) -> Bot:
    """Return a bot whose replies put the end of the full price at 65 years, wherever it is."""

    def reply(text: str) -> str:
        if (number(text, "years") or 0) > oldest_adult:
            return "The card is 8 EUR a year for readers from 65 years."
        return "The card is 15 EUR a year for adults."

    return reply


@pytest.mark.parametrize("oldest_adult", [64, 65, 66, 70])
def test_an_answer_that_changes_beside_a_stated_limit_is_a_finding(tmp_path, oldest_adult):
    run(library(oldest_adult=oldest_adult), tmp_path, ("I am 60 years old. What does the card cost?",))
    beside = "by 'from 65 years', '65 years old' and '66 years old' are on one side of the limit"
    expected = [f"{beside}, but the answer changes between them"] if oldest_adult == 65 else []
    assert broken(tmp_path) == expected  # an edge far from 65 may belong to another limit


def pitches(text: str, *, first_adult: int) -> str:
    """Answer with the price of an adult from some age on, while the rule is 15 years."""
    age = number(text, "years") or int(re.sub(r"\D", "", text) or 0)
    if not age:
        return "Adults (from 15) pay 8 EUR a night."
    group, price = ("adult", 8) if age >= first_adult else ("child", 5)
    return f"At {age} you pay the {group} price, {price} EUR a night."


@pytest.mark.parametrize("first_adult", [13, 14, 15, 16])
def test_an_age_whose_group_by_another_reply_begins_beside_it_is_a_finding(tmp_path, first_adult):
    run(partial(pitches, first_adult=first_adult), tmp_path, ("My son is 14. What does he pay?", "What do adults pay?"))
    beside = "by 'from 15', '13' and '14' are on one side of the limit, but the answer changes between them"
    assert broken(tmp_path) == ([beside] if first_adult == 14 else [])


def test_children_and_pensioners_may_pay_the_same(tmp_path):
    run(fares, tmp_path, ("I am 40 years old. How much is a ticket?", "My son is 12 years old. How much is a ticket?"))
    assert broken(tmp_path) == []


def test_a_break_in_a_direction_that_the_user_states_is_a_finding(command: Command, tmp_path):
    (tmp_path / "mine.json").write_text(json.dumps({"directions": ["the heavier, the dearer"]}), "utf-8")
    for name, top in (("bad", 30), ("good", 60)):
        config(tmp_path, relations=["find-edges"])
        (tmp_path / f"{name}.py").write_text(
            "import re\n"
            "def answer(text):\n"
            "    weight = int(re.search('[0-9]+', text + '0')[0])\n"
            f"    return f'A check costs {{35 if weight <= 10 else 42 if weight <= 25 else {top}}} EUR.'\n",
            "utf-8",
        )
        text = (tmp_path / "campaign.toml").read_text("utf-8")
        text = text.replace("bot.py", f"{name}.py") + 'dictionary = "mine.json"\n'
        (tmp_path / "campaign.toml").write_text(text, "utf-8")
        done = command("run", "campaign.toml", "--out", name)
        assert done.code == 0, done.err
        reasons = [reason for reason in broken(tmp_path / name) if "12 kg" in reason]
        expected = ["the price goes up with '12 kg', but it is 42 at '25 kg' and 30 at '26 kg'"]
        assert reasons == (expected if name == "bad" else [])
    [record] = [
        each
        for each in read_report(tmp_path / "bad").all_findings
        if each.source.case.turns[0].fields["message"] == WEIGHT
    ]
    assert record.confirmed


def config(folder: Path, **more: Any) -> None:
    (folder / "bot.py").write_text("def answer(text):\n    return 'Yes.'\n", "utf-8")
    (folder / "questions.txt").write_text("\n".join(QUESTIONS), "utf-8")
    lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in more.items())
    (folder / "campaign.toml").write_text(
        f'{lines}[system]\ntype = "function"\ntarget = "bot.py:answer"\n'
        '[data]\nformat = "lines"\npath = "questions.txt"\ntask = "chat"\n',
        "utf-8",
    )


def test_the_plan_has_the_price_and_it_can_be_switched_off(command: Command, tmp_path):
    def most(**more: Any) -> int:
        config(tmp_path, **more)
        told = command("run", "campaign.toml", "--plan")
        assert told.code == 0, told.err
        line = next(line for line in told.out.splitlines() if line.startswith("of these, by change"))
        expected = re.search(r"limit (?:\d+ to )?(\d+)", line)
        return int(expected[1]) if expected else 0

    with_edges, without, none = most(), most(without=["find-edges"]), most(without=["limit"])
    assert with_edges > without > none == 0


def test_a_direction_that_cannot_be_read_is_one_line(command: Command, tmp_path):
    config(tmp_path)
    (tmp_path / "mine.json").write_text(json.dumps({"directions": ["blue"]}), "utf-8")
    text = (tmp_path / "campaign.toml").read_text("utf-8")
    (tmp_path / "campaign.toml").write_text(text + 'dictionary = "mine.json"\n', "utf-8")
    done = command("run", "campaign.toml", "--out", "out")
    assert done.code == 2
    assert "'blue' is not a recognised direction; expected a direction such as 'the heavier, the dearer'" in done.err


class Session:
    """A bot that keeps the dialogue itself."""

    label = "talker"
    identity = {"type": "talker"}  # noqa: RUF012 - the protocol wants it

    @asynccontextmanager
    async def session(self) -> AsyncIterator[Any]:
        class Talk:
            async def send(self, turn: Turn) -> Response:
                return Response(text=practice()(turn.fields["message"]))

        yield Talk()


def test_a_bot_that_keeps_sessions_and_each_of_two_systems_has_a_table_of_its_own(tmp_path):
    talker = run(Session(), tmp_path / "talker", (AGE, WEIGHT))
    assert edges(talker) == {WEIGHT: [("10 kg", "11 kg"), ("25 kg", "26 kg")], AGE: [("64", "65")]}
    two = run([ScriptedSystem(lambda c: "Yes, there is.", "even"), Session()], tmp_path / "two", (AGE,))
    assert [record.system for record in two.report.edges] == ["talker"]
