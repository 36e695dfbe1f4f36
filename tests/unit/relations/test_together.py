"""Questions put together: the planted fault is found, and a bot that has none is clean, with and without a memory."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import mutatis
from mutatis.core.cases import Case, Turn
from mutatis.core.constraint import is_open
from mutatis.core.decision import Outcome
from mutatis.core.dictionary import Dictionary, Exchange, Name, NameKind
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.measure import Judge
from mutatis.core.relation import Group, Observation
from mutatis.core.system import Conversation, Response
from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.relations.together import LatestName, SaysAll, SaysEach
from mutatis.transformations.interruptions import asks_one_thing, stands_by_itself
from mutatis.transformations.together import ASKED_WITH, CALLED
from support.two_bots import POOL_QUESTIONS, POWER_QUESTIONS, Power, pool


def lines(run: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (Path(run.folder) / "verdicts.jsonl").read_text("utf-8").splitlines()]


def violated_by(bot: Any, tmp_path: Path, questions: tuple[str, ...] = POWER_QUESTIONS, **more: Any) -> Counter[str]:
    run = mutatis.run(bot, list(questions), ["tag:together"], task="chat", out=tmp_path / "out", fresh=True, **more)
    return Counter(line["relation"] for line in lines(run) if line["outcome"] == "violated")


FAULTS = {
    "drops_second": ({"drops_second": True}, {"ask-with-another", "ask-behind-another", "ask-of-two"}),
    "first_sticks": ({"first_sticks": True}, {"ask-after-another"}),
    "first_name_sticks": ({"first_name_sticks": True}, {"latest-name"}),
    "dearer": ({"dearer": ("Tom", "Priya")}, {"give-name"}),
    "negation_blind": ({"negation_blind": True}, {"not-the-other", "rule-out"}),
    "forgets": ({"forgets": True}, {"and-for-another-later"}),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found_by_its_relations(fault: str, tmp_path: Path) -> None:
    switched, relations = FAULTS[fault]
    assert relations <= set(violated_by(Power(**switched), tmp_path))


@pytest.mark.parametrize("remembers", [True, False])
def test_a_bot_without_faults_is_clean_with_a_memory_and_without(remembers: bool, tmp_path: Path) -> None:
    assert not violated_by(Power(remembers=remembers), tmp_path)


def test_a_bot_that_is_handed_no_history_is_clean(tmp_path: Path) -> None:
    assert not violated_by(pool, tmp_path, POOL_QUESTIONS)


def test_the_verdicts_are_the_same_bytes_whatever_the_concurrency(tmp_path: Path) -> None:
    written = []
    for concurrency in (1, 16):
        out = tmp_path / str(concurrency)
        settings = {"system": {"concurrency": concurrency}}
        violated_by(Power(first_sticks=True, drops_second=True), out, settings=settings)
        written.append((out / "out" / "verdicts.jsonl").read_bytes())
    assert written[0] == written[1]


def test_questions_in_another_order_change_no_verdict(tmp_path: Path) -> None:
    ways = (POWER_QUESTIONS, tuple(reversed(POWER_QUESTIONS)))
    bot = Power(first_sticks=True)
    assert violated_by(bot, tmp_path / "a", ways[0]) == violated_by(bot, tmp_path / "b", ways[1])


@pytest.mark.parametrize(
    ("message", "stands", "is_question"),
    [
        ("How much is Basic?", True, True),
        ("Is there a pool?", True, True),
        ("When does the last bus leave?", True, True),
        ("Can I bring my dog?", True, True),
        ("I am 70. How much discount do I get?", True, False),
        ("Please cancel my order 5120.", True, False),
        ("Can you book a table?", True, False),
        ("How much is it?", False, False),
        ("And for children?", False, False),
        ("Thanks, you are kind!", False, False),
    ],
)
def test_a_rule_says_what_stands_by_itself_and_what_is_one_question(
    message: str, stands: bool, is_question: bool
) -> None:
    assert (stands_by_itself(message), asks_one_thing(message)) == (stands, is_question)


PLANS = NameKind(kind="", names=tuple(Name(text=text, seen=("a", "b")) for text in ("Basic", "Night Saver")))


def choices(name: str, question: str, *others: tuple[str, str], reply: str = "It is 9 EUR.") -> list[dict[str, str]]:
    talk = tuple(Exchange(question=asked, reply=said) for asked, said in others)
    look_up = TRANSFORMATIONS[name].looks_up
    assert look_up is not None
    return [dict(choice) for choice in look_up(question, reply, Dictionary(names=(PLANS,), exchanges=talk))]


AGE, RENT = "How old are you?", "How much is a bike a day?"


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        ("A bike is 12 EUR a day. I am 16 years old.", Outcome.SATISFIED),
        ("A bike is 12 EUR a day.", Outcome.VIOLATED),
        ("A bike is 12 EUR a day. I am 17 years old.", Outcome.VIOLATED),
        ("A bike is 12 EUR a day. I was made in 1995.", Outcome.INVALID),
        ("I am 16 years old. A bike is 15 EUR a day.", Outcome.VIOLATED),
        ("I am 16 years old. A bike is rented from 9:00 on.", Outcome.INVALID),
    ],
)
def test_a_part_that_is_answered_with_another_kind_of_value_is_left_open(reply: str, outcome: Outcome) -> None:
    annotations = {ASKED_WITH: {"question": AGE, "reply": "16 years."}}
    asked = Case(id="b", turns=(Turn(fields={"message": f"{RENT} And {AGE}"}, annotations=annotations),), task="chat")
    source = Case(id="a", turns=(Turn(fields={"message": RENT}),), task="chat")
    members = [Observation(case=asked, turn=0, response=Response(text=reply))]
    first = Observation(case=source, turn=0, response=Response(text="12 EUR a day."))
    group = Group(source=first, members=tuple(members), reference=("12 EUR a day.",))
    assert SaysEach().decide(group, (), Judge(measure="exact")).outcome is outcome


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        ("That is 38 EUR for a cat and 42 EUR for a dog.", Outcome.SATISFIED),
        ("A consultation costs 42 EUR for a cat, 38 EUR for a dog.", Outcome.VIOLATED),
        ("Cats are 42 EUR, dogs 38 EUR.", Outcome.VIOLATED),
        ("For a dog it is 38 EUR. For a cat it is 42 EUR.", Outcome.VIOLATED),
        ("For a cat and a dog it is 38 EUR and 42 EUR.", Outcome.SATISFIED),
        ("For a cat and a dog it is 42 EUR and 38 EUR.", Outcome.SATISFIED),  # perhaps in another order
        ("It is 42 EUR and 38 EUR.", Outcome.SATISFIED),
    ],
)
def test_a_reply_must_not_exchange_the_values_of_two_things(reply: str, outcome: Outcome) -> None:
    other = {"question": "What does a consultation for my dog cost?", "reply": "For a dog it is 42 EUR."}
    asked = Case(id="b", turns=(Turn(fields={"message": "Both?"}, annotations={ASKED_WITH: other}),), task="chat")
    source = Case(id="a", turns=(Turn(fields={"message": "How much is a consultation for a cat?"}),), task="chat")
    first = Observation(case=source, turn=0, response=Response(text="It costs 38 EUR."))
    members = (Observation(case=asked, turn=0, response=Response(text=reply)),)
    group = Group(source=first, members=members, reference=("It costs 38 EUR.",))
    assert SaysEach().decide(group, (), Judge(measure="exact")).outcome is outcome


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        ("A bike is 12 EUR a day. The bus takes 10 minutes.", Outcome.SATISFIED),
        ("A bike is 12 EUR a day. Walk along the river.", Outcome.INVALID),
        ("The bus takes 10 minutes.", Outcome.VIOLATED),
    ],
)
def test_a_part_that_asks_for_no_value_is_answered_by_its_values_and_may_be_without(
    reply: str, outcome: Outcome
) -> None:
    annotations = {ASKED_WITH: {"question": "How do I get there?", "reply": "The bus takes 10 minutes."}}
    asked = Case(id="b", turns=(Turn(fields={"message": "Both?"}, annotations=annotations),), task="chat")
    source = Case(id="a", turns=(Turn(fields={"message": RENT}),), task="chat")
    first = Observation(case=source, turn=0, response=Response(text="12 EUR a day."))
    members = (Observation(case=asked, turn=0, response=Response(text=reply)),)
    group = Group(source=first, members=members, reference=("12 EUR a day.",))
    assert SaysEach().decide(group, (), Judge(measure="exact")).outcome is outcome


@pytest.mark.parametrize(
    ("first_reply", "reply"),
    [
        ("12 EUR a day.", "I did not understand that. For anything else please ring 0351 448 2210."),
        ("I did not understand that. For anything else please ring 0351 448 2210.", "12 EUR a day."),
        ("12 EUR a day.", "I have no information on that; please call 0351 448 2210."),
    ],
)
def test_a_part_that_was_not_answered_has_no_value_to_repeat(first_reply: str, reply: str) -> None:
    annotations = {ASKED_WITH: {"question": AGE, "reply": reply}}
    asked = Case(id="b", turns=(Turn(fields={"message": "Both?"}, annotations=annotations),), task="chat")
    source = Case(id="a", turns=(Turn(fields={"message": RENT}),), task="chat")
    first = Observation(case=source, turn=0, response=Response(text=first_reply))
    members = (Observation(case=asked, turn=0, response=Response(text="12 EUR a day.")),)
    group = Group(source=first, members=members, reference=(first_reply,))
    assert SaysEach().decide(group, (), Judge(measure="exact")).outcome is Outcome.INVALID


@pytest.mark.parametrize(
    ("reply", "outcome", "left_open"),
    [
        ("Hello Tom, it is 9 EUR.", Outcome.SATISFIED, False),
        ("Hello Priya, it is 9 EUR.", Outcome.VIOLATED, False),
        ("It is 9 EUR.", Outcome.INVALID, False),
    ],
)
def test_whom_an_answer_calls_by_no_name_is_no_question_left_open(
    reply: str, outcome: Outcome, left_open: bool
) -> None:
    turn = Turn(fields={"message": "How much is Basic?"}, annotations={CALLED: ["Priya Nair", "Tom Miller"]})
    asked = Observation(case=Case(id="b", turns=(turn,), task="chat"), turn=0, response=Response(text=reply))
    group = Group(source=asked, members=(asked,), reference=("Yes.",))
    decision = LatestName().decide(group, (), Judge(measure="exact"))
    assert (decision.outcome, is_open(decision.precondition or "")) == (outcome, left_open)


def test_nothing_is_asked_before_that_the_question_might_take_over() -> None:
    talk = [
        ("How much is Basic for a 5-year-old?", "3 EUR."),
        ("Does Night Saver run on Sunday?", "Yes."),
        ("When are you open?", "From 9 to 17."),
        ("How much is it?", "3 EUR."),
    ]
    assert choices("ask-before", "How much is a lamp?", *talk) == [{"before": "When are you open?"}]


@pytest.mark.parametrize("name", ["ask-before", "three-turns-before"])
def test_nothing_is_asked_before_a_question_whose_reply_asks_for_more(name: str) -> None:
    """ "For which age?" may be answered by the turn before: the question does not stand by itself for this system."""
    talk = [("When are you open?", "From 9 to 17."), ("Is there a lift?", "Yes."), ("Where can I park?", "Behind it.")]
    asked = "How much is Basic?"
    assert choices(name, asked, *talk)
    with pytest.raises(UnusableFollowUp, match="asks for more"):
        choices(name, asked, *talk, reply="Sorry, for which age?")


def test_two_questions_whose_replies_state_the_same_are_not_put_together() -> None:
    with pytest.raises(UnusableFollowUp, match="no other question"):
        choices("ask-with-another", "How much is Basic?", ("What does Night Saver cost?", "It is 9 EUR."))


LABELS = ("What does a lesson for class A2 cost?", "A lesson for class A2 is 58 EUR, one for class C 90 EUR.")


def test_things_with_labels_are_of_one_kind() -> None:
    asked = choices("ask-of-two", "How much is a lesson for class B?", LABELS)
    assert {choice["second"] for choice in asked} == {
        f"How much is a lesson for class {label}?" for label in ("A2", "C")
    }
    with pytest.raises(UnusableFollowUp, match="could be replaced"):
        choices("ask-of-two", "How much is a lesson for class B or class A2?", LABELS)
    with pytest.raises(UnusableFollowUp, match="could be replaced"):
        choices("ask-of-two", "When did I arrive?", LABELS)


def test_a_part_of_what_is_asked_about_is_not_another_thing() -> None:
    lines = NameKind(kind="", names=tuple(Name(text=text, seen=("a", "b")) for text in ("bus", "red line", "price")))
    asked = (Exchange(question="When does the bus or the red line leave, and at what price?", reply="At nine."),)
    dictionary = Dictionary(names=(lines,), exchanges=asked)
    look_up = TRANSFORMATIONS["ask-of-two"].looks_up
    assert look_up is not None
    seconds = [choice["second"] for choice in look_up("When does the bus leave?", "At nine.", dictionary)]
    assert "When does the red line leave?" in seconds
    for part in ("When does the airport bus leave?", "What is the price of the ferry?"):
        with pytest.raises(UnusableFollowUp, match="could be replaced"):
            look_up(part, "At nine.", dictionary)


def test_a_child_stays_a_child() -> None:
    asked = choices("ask-of-two", "How much is a ticket for a child aged 5?")
    assert [choice["second"] for choice in asked] == ["How much is a ticket for a child aged 15?"]


def test_two_questions_on_one_thing_are_not_asked_of_two_things() -> None:
    with pytest.raises(UnusableFollowUp, match="not a single question"):
        choices("ask-of-two", "How much is Basic, and is there a discount?")


def short_forms(question: str, *others: tuple[str, str]) -> set[str]:
    talk = tuple(Exchange(question=asked, reply=said) for asked, said in others)
    permits = NameKind(kind="", names=tuple(Name(text=text, seen=("a", "b")) for text in ("parking", "building")))
    dictionary = Dictionary(names=(PLANS, permits), exchanges=talk, understands=frozenset({"left out"}))
    look_up = TRANSFORMATIONS["leave-out-later"].looks_up
    assert look_up is not None
    return {choice["short"] for choice in look_up(question, "9 EUR.", dictionary)}


def test_a_short_question_holds_the_whole_name() -> None:
    permits = ("Do I need a parking permit or a building permit?", "Both.")
    assert short_forms("How much is a parking permit?", permits) == {"And a parking permit?"}
    assert short_forms("What does the Basic plan cost?") == {"And the Basic plan?"}
    assert short_forms("Hello, are you open on Saturday?") == {"And on Saturday?"}
    assert short_forms("How much is a lesson for class B?", LABELS) == {"And for class B?"}
    assert short_forms("When does the Basic plan start?") == {"And the Basic plan?"}
    for part in ("How much is the long parking?", "What is the parking of the hotel?"):
        with pytest.raises(UnusableFollowUp):
            short_forms(part, permits)


def test_nobody_asks_on_after_a_question_that_was_not_understood() -> None:
    look_up = TRANSFORMATIONS["leave-out-later"].looks_up
    assert look_up is not None
    with pytest.raises(UnusableFollowUp, match="not understood"):
        look_up(
            "How much is Basic?",
            "Sorry, I did not understand that.",
            Dictionary(names=(PLANS,), understands=frozenset({"left out"})),
        )


@pytest.mark.parametrize(
    "question",
    [
        "How much is the mug?",
        "How much is a deposit?",
        "How much is a ticket for my bike?",
        "What does a second card cost?",
        "What does a card cost and how long does it take?",
        "How much is a leaf?",
    ],
)
def test_the_price_of_several_is_asked_only_of_things_that_people_buy_in_numbers(question: str) -> None:
    with pytest.raises(UnusableFollowUp):
        choices("ask-several-before", question)


@pytest.mark.parametrize("sticks", [True, False])
def test_a_number_that_sticks_is_found(sticks: bool, tmp_path: Path) -> None:
    def shop(text: str, history: Sequence[tuple[dict[str, str], str]] = ()) -> str:
        heard = [*(fields["message"] for fields, _ in history), text]
        numbers = [int(number) for said in (heard if sticks else [text]) for number in re.findall(r"\d+", said)]
        number = numbers[-1] if numbers else 1
        return f"We charge {number * 7} EUR for {'a mug' if number == 1 else f'{number} mugs'}."

    questions = ["How much is a mug?", "What does a mug cost?", "How much do you charge for a mug?"]
    names = ["one-after-several", "lower-case", "polite-words", "keyboard-typos"]
    run = mutatis.run(shop, questions, names, task="chat", out=tmp_path)
    assert bool(sum(row.violated for row in run.summary if row.relation == "one-after-several")) is sticks


def test_a_day_and_its_date_are_not_exchanged_apart() -> None:
    with pytest.raises(UnusableFollowUp):
        choices("ask-of-two", "When do you open on Monday, 14 November?")


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("How much is Basic?", "I have a question about Basic."),  # not what it costs once more
        ("How long is the term of Basic?", "What does Basic cost?"),
    ],
)
def test_the_thing_is_not_named_in_a_question_for_the_same(question: str, first: str) -> None:
    talk = (Exchange(question="What does Basic cost?", reply="9 EUR."),)
    look_up = TRANSFORMATIONS["say-it"].looks_up
    assert look_up is not None
    known = Dictionary(names=(PLANS,), exchanges=talk, understands=frozenset({"pronoun"}))
    assert [choice["before"] for choice in look_up(question, "9 EUR.", known)] == [first]


def test_what_rests_on_earlier_turns_is_not_applicable_to_a_bot_that_keeps_no_history(tmp_path: Path) -> None:
    run = mutatis.run(
        Power(remembers=False), list(POWER_QUESTIONS), ["and-for-another", "it-for-name"], task="chat", out=tmp_path
    )
    assert {line["reason"].partition(":")[0] for line in lines(run)} == {"keeps no history"}


@dataclass(frozen=True, slots=True)
class InSessions:
    """A bot that keeps its dialogues itself: it is sent one message after the other."""

    bot: Power
    label: str = "sessions"

    @property
    def identity(self) -> dict[str, Any]:
        return {"type": "in-sessions", "bot": repr(self.bot)}

    @asynccontextmanager
    async def session(self) -> AsyncIterator[Talk]:
        yield Talk(self.bot, [])


@dataclass(frozen=True, slots=True)
class Talk:
    """One dialogue."""

    bot: Power
    heard: list[tuple[dict[str, str], str]]

    async def send(self, conversation: Conversation) -> Response:
        message = conversation.fields["message"]
        reply = self.bot(message, self.heard)
        self.heard.append(({"message": message}, reply))
        return Response(text=reply)


IN_DIALOGUES = (
    *("ask-after-another", "ask-after-three", "ask-after-ten", "latest-name", "and-for-another"),
    *("it-for-name", "it-for-later-name", "meant-another", "correct-value"),
    "and-for-another-later",
)
RESTING = {"and-for-another", "and-for-another-later", "it-for-name", "it-for-later-name", "meant-another"}
"""Relations whose last message rests on an earlier one."""


@pytest.mark.parametrize(
    "switched", [{}, {"first_sticks": True}, {"remembers": False}], ids=["right", "sticks", "forgets"]
)
def test_a_bot_with_sessions_is_judged_as_one_that_is_handed_the_history(
    switched: dict[str, bool], tmp_path: Path
) -> None:
    bot, told = Power(**switched), []
    for system in (bot, InSessions(bot)):
        run = mutatis.run(
            system,
            list(POWER_QUESTIONS),
            list(IN_DIALOGUES),
            task="chat",
            out=tmp_path / type(system).__name__,
            fresh=True,
        )
        told.append([(line["relation"], line["source"], line["outcome"], line["reason"]) for line in lines(run)])
    assert told[0] == told[1]
    broken_by = {relation for relation, _, outcome, _ in told[1] if outcome == "violated"}
    assert bool(broken_by) is ("first_sticks" in switched)
    resting = [reason for relation, _, _, reason in told[1] if relation in RESTING]
    assert resting
    assert all(reason.startswith("keeps no history") for reason in resting) is ("remembers" in switched)
    assert {relation for relation, *_ in told[1]} == set(IN_DIALOGUES)


def test_stored_answers_are_enough_to_find_the_memory_again(tmp_path: Path) -> None:
    asked = [list(POWER_QUESTIONS), ["tag:together"]]
    first = lines(mutatis.run(Power(first_sticks=True), *asked, task="chat", out=tmp_path))
    again = mutatis.run(Power(first_sticks=True), *asked, task="chat", out=tmp_path, offline=True)
    assert lines(again) == first


@pytest.mark.parametrize("budget", [5, 25, 60])
def test_a_budget_is_kept_though_the_memory_is_asked_about_first(budget: int, tmp_path: Path) -> None:
    run = mutatis.run(
        Power(), list(POWER_QUESTIONS), ["tag:together"], task="chat", out=tmp_path, fresh=True, max_queries=budget
    )
    assert run.report.run.queries.paid <= budget


def test_other_matters_are_those_that_share_no_word() -> None:
    talk = [
        ("How much is a parcel of 3 kg?", "5 EUR."),
        ("Are you open on Sunday?", "Yes."),
        ("Is there a lift?", "Yes."),
        ("How much is Basic for a child?", "3 EUR."),
        ("Where can I park?", "Behind the hall."),
    ]
    [choice] = choices("three-turns-before", "How much is Basic?", *talk)
    assert choice["first"] in {"How much is a parcel of 3 kg?", "Are you open on Sunday?"}  # it gives a value
    assert "Basic" not in " ".join(choice.values())
    with pytest.raises(UnusableFollowUp, match="fewer than 3"):
        choices("three-turns-before", "How much is Basic?", *talk[:2])


def test_it_is_said_of_the_thing_that_was_asked_about_itself() -> None:
    known = NameKind(kind="", names=tuple(Name(text=text, seen=("a", "b")) for text in ("Basic", "Duo")))
    talk = tuple(Exchange(question=q, reply="Yes.") for q in ("When is the meter of Basic read?", "Is Basic green?"))
    look_up = TRANSFORMATIONS["say-it"].looks_up
    assert look_up is not None
    dictionary = Dictionary(names=(known,), exchanges=talk, understands=frozenset({"pronoun"}))
    befores = {choice["before"] for choice in look_up("How much is Basic?", "9 EUR.", dictionary)}
    assert "Is Basic green?" in befores
    with pytest.raises(UnusableFollowUp, match="a pronoun could replace"):
        look_up("How much is the Basic mouse?", "9 EUR.", dictionary)


def test_what_is_not_meant_has_the_article_of_what_is() -> None:
    said = {"other": "Night Saver", "before": "How much is Night Saver?"}
    assert said in choices("not-the-other", "How much is Basic?")
    [choice] = choices("not-the-other", "How much is a ticket for a 40-year-old?")
    assert choice == {"other": "an 8-year-old", "before": "How much is a ticket for an 8-year-old?"}
    with pytest.raises(UnusableFollowUp):
        choices("not-the-other", "What is your phone number?")  # a phone number is no phone


def answered(*replies: tuple[str, str, str]) -> Outcome:
    members = [
        Observation(
            case=Case(id="c", turns=(Turn(fields={"message": question}),), task="chat"),
            turn=0, response=Response(text=reply), role=role,
        )
        for role, question, reply in replies[1:]
    ]  # fmt: skip
    _, question, reply = replies[0]
    source = Observation(
        case=Case(id="c", turns=(Turn(fields={"message": question}),), task="chat"),
        turn=0,
        response=Response(text=reply),
    )
    group = Group(source=source, members=tuple(members), reference=(reply,))
    return SaysAll().decide(group, (), Judge(measure=None)).outcome  # type: ignore[arg-type]


def test_of_several_each_has_its_answer() -> None:
    first, other = ("", "How much is Basic?", "9 EUR."), ("alone", "How much is Duo?", "12 EUR.")
    both = "How much is Basic? And how much is Duo?"
    assert answered(first, other, ("in one", both, "Basic is 9 EUR, Duo 12 EUR.")) is Outcome.SATISFIED
    assert answered(first, other, ("in one", both, "9 EUR.")) is Outcome.VIOLATED
    same = ("alone", "How much is Duo?", "9 EUR.")
    assert answered(first, same, ("in one", both, "Both are 9 EUR.")) is Outcome.INVALID


@pytest.mark.parametrize(
    ("of_other", "combined", "outcome"),
    [
        ("12 EUR.", ["Which one, please?"], Outcome.INVALID),
        ("12 EUR.", ["One question at a time, please. Basic is 9 EUR.", "Basic is 9 EUR."], Outcome.VIOLATED),
        ("12 EUR.", ["Basic is 9 EUR, Duo 12 EUR.", "Please send them separately."], Outcome.INVALID),
        ("From 12 May on.", ["Basic is 9 EUR. Duo is 15 EUR."], Outcome.INVALID),
        ("I did not understand that. Please ring 0351 448 2210.", ["Basic is 9 EUR."], Outcome.INVALID),
    ],
)
def test_of_several_it_is_left_open_what_is_left_open_of_two(
    of_other: str, combined: list[str], outcome: Outcome
) -> None:
    first, other = ("", "How much is Basic?", "9 EUR."), ("alone", "How much is Duo?", of_other)
    replies = [
        (role, "How much are both?", reply) for role, reply in zip(("in one", "turned round"), combined, strict=False)
    ]
    assert answered(first, other, *replies) is outcome
