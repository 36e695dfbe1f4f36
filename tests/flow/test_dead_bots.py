"""A bot that says one thing to everybody keeps every equality: no gate takes that for a pass."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import mutatis
from mutatis.api import Run
from mutatis.records.baseline import baseline_of, read_baseline, write_baseline
from mutatis.reports.gate import Gate
from mutatis.reports.junit import render_junit
from mutatis.reports.markdown import render_markdown
from mutatis.reports.overview import overview_sentences
from mutatis.reports.passing import passing
from mutatis.testing import ScriptedSystem
from support.loopback import Command

DEAD = "Error: 500 Internal Server Error"
QUESTIONS = [
    "When are you open?",
    "How do I return a lamp?",
    "What is the price of shipping?",
    "How can I pay?",
    "How long is the warranty?",
    "How do I contact you?",
]
ANSWERS = {
    "open": "We are open from 9 to 18 on weekdays.",
    "return": "You can return it within 30 days.",
    "shipping": "Shipping costs 4.90 EUR.",
    "pay": "You can pay by card or by invoice.",
    "warranty": "The warranty is two years.",
    "contact": "Write to help@shop.example.",
}
ALIKE = "{same} of {asked} different questions got one and the same reply"


def well(question: str) -> str:
    return next((answer for word, answer in ANSWERS.items() if word in question.casefold()), "Sorry, what was that?")


def losing(reply: str) -> Callable[[str], str]:
    """Answer three of the six questions, and say one thing to the others."""
    return lambda question: reply if re.search("pay|warranty|contact", question.casefold()) else well(question)


def asked(answer: Callable[[str], str], cases=QUESTIONS, relations=("upper-case",), name: str = "bot", **more) -> Run:
    system = ScriptedSystem(lambda conversation: answer(conversation.messages[-1].content), name)
    settings = {"noise_floor": 0, "gate": {"max_rate": 0.0}} | more.pop("settings", {})
    return mutatis.run(system, cases, list(relations), settings=settings, **more)


def test_one_reply_to_most_questions_is_no_pass_in_any_form(tmp_path: Path) -> None:
    run = asked(lambda _: DEAD)
    result = passing(run.report)
    why = ALIKE.format(same=6, asked=6)
    assert (result.word, result.code) == ("untested", 3)
    assert why in result.reasons[0]
    assert DEAD in result.reasons[0]
    with pytest.raises(AssertionError, match=why):
        run.check()
    with pytest.raises(AssertionError, match=why):
        run.check(max_findings=5)
    written = render_junit(run.report)
    assert 'type="not tested"' in written
    assert why in written
    assert 'errors="1"' in written
    assert "could not be tested" in render_markdown(run.report)
    assert overview_sentences(run.report)[0].word == "untested"
    run.check(max_same=1)


@pytest.mark.parametrize(
    ("questions", "reply"),
    [
        (QUESTIONS[:3], DEAD),
        (QUESTIONS, "Sorry, I'm unable to process your request at the moment. Please try again later."),
        (["Wann haben Sie geöffnet?", "Wie kann ich zahlen?", "Was kostet der Versand?"], "Interner Fehler"),
        (QUESTIONS, "No answer available"),
    ],
)
def test_a_dead_bot_is_known_by_few_questions_and_in_any_language(questions: list[str], reply: str) -> None:
    assert passing(asked(lambda _: reply, questions).report).word == "untested"


def test_an_error_that_names_itself_anew_each_time_is_one_reply() -> None:
    numbers = iter(range(10_000, 20_000))
    run = asked(lambda _: f"Error, request 7f3a{next(numbers):06d}9c, 2026-11-26T10:00:{next(numbers) % 60:02d}Z")
    assert ALIKE.format(same=6, asked=6) in passing(run.report).reasons[0]


@pytest.mark.parametrize("reply", ["Yes, we do.", "Ja, gerne.", "Nein.", "I'm sorry, but I can't help with that."])
def test_one_right_answer_to_everything_passes(reply: str) -> None:
    assert passing(asked(lambda _: reply).report).word == "passed"


def test_data_that_expect_one_answer_pass_where_it_is_given_and_not_where_it_is_another() -> None:
    cases = [{"message": question, "expected": ["Please call 0800 123"]} for question in QUESTIONS]
    calling = asked(lambda _: "Please call us: 0800 123.", mutatis.cases(cases, task="chat"))
    assert passing(calling.report).word == "passed"
    assert passing(asked(lambda _: DEAD, mutatis.cases(cases, task="chat")).report).word == "untested"


def test_a_refusal_in_another_language_passes_where_the_data_expect_it_or_all_may_get_one_reply() -> None:
    """Without knowing the language nobody can tell a refusal from a report of a fault."""
    refusal = "Das kann ich leider nicht beantworten."
    cases = [{"message": question, "expected": ["kann ich leider nicht beantworten"]} for question in QUESTIONS]
    expecting = mutatis.cases(cases, task="chat")
    assert passing(asked(lambda _: refusal, expecting).report).word == "passed"
    assert passing(asked(lambda _: "Interner Fehler 500", expecting).report).word == "untested"
    run = asked(lambda _: refusal)
    assert passing(run.report).word == "untested"
    run.check(max_same=1)


def test_a_comparison_of_runs_fails_for_a_dead_bot_as_a_gate_does(tmp_path: Path, command: Command) -> None:
    for name, bot in (("well", well), ("dead", lambda _: DEAD), ("half", losing(DEAD))):
        asked(bot, settings={"gate": {}}, out=tmp_path / name)
    done = command("compare", "well", "dead", "--fail-on-new")
    assert done.code == 3
    assert "mutatis: could not be tested: bot on chat: 6 of 6 different questions got one and the same" in done.err
    done = command("compare", "well", "half", "--fail-on-new")
    assert done.code == 3
    assert "3 questions had another reply in the baseline, and now a stock reply" in done.err
    assert command("compare", "well", "dead").code == 0
    assert command("compare", "dead", "well", "--fail-on-new").code == 0


def test_two_questions_may_have_one_answer_and_half_of_them_a_stock_reply() -> None:
    assert passing(asked(lambda _: DEAD, QUESTIONS[:2]).report).word == "passed"
    half = asked(losing(DEAD))
    assert passing(half.report, Gate(max_rate=1)).word == "passed"
    assert passing(half.report, Gate(max_rate=1, max_same=0.4)).word == "untested"


def test_without_a_gate_nobody_is_failed_and_a_classifier_may_say_one_thing() -> None:
    assert passing(asked(lambda _: DEAD, settings={"gate": {}}).report).word == "passed"
    labels = mutatis.run(
        ScriptedSystem(lambda _: "0.9"),
        ["It was lovely.", "It was bad.", "It was long."],
        ["upper-case"],
        task="sentiment",
        settings={"gate": {"max_rate": 0.0}, "noise_floor": 0},
    )
    assert passing(labels.report).word == "passed"


def test_of_several_systems_only_the_dead_one_is_not_tested() -> None:
    dead = ScriptedSystem(lambda _: DEAD, "dead")
    alive = ScriptedSystem(lambda conversation: well(conversation.messages[-1].content), "alive")
    settings = {"noise_floor": 0, "gate": {"max_rate": 0.0}}
    run = mutatis.run([dead, alive], QUESTIONS, ["upper-case"], settings=settings)
    assert [reason.startswith("dead on chat: 6 of 6") for reason in passing(run.report).reasons] == [True]
    assert {told.system: told.word for told in overview_sentences(run.report)} == {"dead": "untested", "alive": "pass"}
    assert 'errors="1"' in render_junit(run.report)


def test_where_the_budget_ends_two_questions_that_got_one_reply_are_no_pass() -> None:
    relations = ["upper-case", "add-spaces", "lower-case", "leet"]
    run = asked(lambda _: DEAD, relations=relations, max_queries=9)
    [told, cut] = passing(run.report).reasons
    assert "different questions got one and the same reply" in told
    assert cut.startswith("the run is not complete: the budget of 9 queries")


@pytest.mark.parametrize("reply", [DEAD, "I'm sorry, but I can't help with that."])
def test_a_question_that_got_a_stock_reply_since_the_baseline_was_not_tested(reply: str, tmp_path: Path) -> None:
    known = write_baseline(baseline_of(asked(well).report), tmp_path / "known.json")

    run = asked(losing(reply), settings={"gate": {"baseline": str(known)}})
    [told] = passing(run.report).reasons
    assert told.startswith("bot on chat: 3 questions had another reply in the baseline, and now a stock reply")
    assert "data/4, data/5, data/6" in told
    with pytest.raises(AssertionError, match="3 questions had another reply in the baseline"):
        asked(losing(reply)).check(baseline=known)
    write_baseline(baseline_of(run.report), known)  # it is right so
    assert passing(asked(losing(reply), settings={"gate": {"baseline": str(known)}}).report).word == "passed"


def test_a_baseline_of_an_earlier_version_says_nothing_of_replies(tmp_path: Path) -> None:
    known = write_baseline(baseline_of(asked(well, settings={"gate": {}}).report), tmp_path / "known.json")
    known.write_text(known.read_text().split('"findings"')[0] + '"findings": []}')
    assert read_baseline(str(known)).replies == []
    asked(losing(DEAD)).check(baseline=known)


def test_a_relation_that_was_picked_by_name_must_have_judged_something() -> None:
    """None of the questions holds a large number, so that `write-thousands` applies to none of them."""
    named = asked(well, relations=["add-spaces", "write-thousands"], settings={"gate": {"max_rate": 1.0}})
    [told] = passing(named.report).reasons
    assert passing(named.report).code == 3
    assert told.startswith("write-thousands was selected by name but judged nothing of bot: ")
    assert told.endswith("choose inputs that it applies to, or leave it out")
    assert 'errors="1"' in render_junit(named.report)
    assert "write-thousands was selected by name" in render_junit(named.report)
    tagged = asked(well, relations=["add-spaces", "tag:formats"], settings={"gate": {"max_rate": 1.0}})
    assert not [row for row in tagged.summary if row.relation == "write-thousands" and row.judged]
    assert passing(tagged.report).word == "passed"
    free = asked(well, relations=["add-spaces", "write-thousands"], settings={"gate": {}})
    assert passing(free.report).word == "passed"  # no gate


def test_a_relation_of_one_system_s_data_is_not_asked_of_the_other() -> None:
    systems = [ScriptedSystem(lambda conversation: well(conversation.messages[-1].content), name) for name in "ab"]
    run = mutatis.run(systems, QUESTIONS, ["add-spaces"], settings={"noise_floor": 0, "gate": {"max_rate": 1.0}})
    assert passing(run.report).word == "passed"
    assert {told.word for told in overview_sentences(run.report)} == {"pass"}


def test_one_fault_that_many_relations_see_is_one_line_of_the_gate_and_one_of_the_limit(tmp_path: Path) -> None:
    """Asked plainly, the bot has another answer than to every other wording: the source is the odd one out, once."""

    def odd(question: str) -> str:
        return "We never open." if question == QUESTIONS[0] else well(question)

    relations = ["upper-case", "lower-case", "polite-words"]
    known = write_baseline(baseline_of(asked(well, relations=relations).report), tmp_path / "known.json")
    run = asked(odd, relations=relations, settings={"gate": {"baseline": str(known), "max_findings": 0}})
    few, new = passing(run.report).reasons
    assert few == "1 fault (3 findings), more than 0"
    assert new.endswith("; and 2 more findings of the same fault")
    assert (
        render_markdown(run.report).count("and 2 more findings of the same fault") == 2
    )  # the reason, and the finding
    run.check(max_rate=None, max_findings=1)
