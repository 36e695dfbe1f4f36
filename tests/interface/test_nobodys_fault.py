"""Relations that do not fit the inputs, and violations that nobody saw again: neither is a fault of the system."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

import mutatis
from mutatis.records import read_report
from support.loopback import Command, Done
from support.reviews import write_reviews

RELATIONS = '''
from mutatis import Precondition, relation, transformation


@transformation("bracketless", says="brackets removed")
def bracketless(text: str) -> str:
    """Remove brackets."""
    return text.replace("[", "")


relation("bracketless", tasks=["sentiment"])
long = Precondition(name="long", stage="source input", check=lambda it: len(it.turn.fields["text"]) > 99)
relation("long-only", transformations=["upper-case"], tasks=["sentiment"], preconditions=[long])
sure = Precondition(name="sure", stage="source output", check=lambda it: it.response.value > 0.95)
relation("sure-only", transformations=["upper-case"], tasks=["sentiment"], preconditions=[sure])
'''

BOT = """
seen = set()


def answer(text):
    again = text in seen
    seen.add(text)
    return "0.1" if text.isupper() and not again else "0.9"
"""

CONFIG = """
load = ["mine.py"]
relations = ["bracketless"]
noise_floor = 0

[system]
type = "function"
target = "bot.py:answer"
label = "bot"

[data]
task = "sentiment"
format = "jsonl"
path = "reviews.jsonl"
"""


@pytest.fixture
def command(command: Command) -> Command:
    write_reviews(3)
    (command.folder / "mine.py").write_text(RELATIONS)
    (command.folder / "bot.py").write_text(BOT)
    (command.folder / "run.toml").write_text(CONFIG)
    return command


def run(command: Command, *more: object) -> Done:
    return command("run", "run.toml", "--out", "out", "--summary", "told.md", *more)


def suites() -> ElementTree.Element:
    return ElementTree.parse("out/junit.xml").getroot()


NOTHING = (
    "bracketless changes nothing in the inputs of sentiment (3 follow-ups, each equal to its source); "
    "choose inputs that it changes, or fix the transformation"
)


def test_a_relation_that_changes_no_input_is_the_mistake_of_who_chose_it(command: Command) -> None:
    done = run(command)
    assert (done.code, done.complaint) == (2, f"nothing was tested: {NOTHING}")
    assert "could not be tested" not in done.out + done.err
    assert [error.get("message") for error in suites().iter("error")] == [NOTHING]
    assert Path("told.md").read_text().startswith("## mutatis: nothing was tested\n")
    page = Path("out/report.html").read_text()
    assert "was not tested: no relation applies to the inputs." in page
    assert '<span class="gate untested">not tested</span>' in page
    with pytest.raises(mutatis.GateFailed, match="changes nothing"):
        mutatis.api.Run(report=read_report(Path("out"))).check()


def test_of_several_relations_each_says_why(command: Command) -> None:
    done = run(command, "--relations", "bracketless,long-only")
    assert done.code == 2
    assert done.complaint == (
        "nothing was tested: no relation applies to the inputs of sentiment (bracketless: the follow-up equals its "
        "source; long-only: precondition not met on the source input: long); choose other inputs, or other relations"
    )


def test_answers_that_meet_no_precondition_are_the_systems(command: Command) -> None:
    done = run(command, "--relations", "bracketless,sure-only")
    assert done.code == 3
    assert "bot on sentiment: no answer could be judged: 6 invalid" in done.complaint


def test_a_system_that_answers_nothing_is_at_fault_whatever_does_not_apply(command: Command) -> None:
    Path("bot.py").write_text("def answer(text):\n    raise ValueError('down')\n")
    assert run(command, "--relations", "bracketless,upper-case").code == 3


def test_one_relation_that_applies_will_do_unless_a_gate_wants_what_was_picked_by_name(command: Command) -> None:
    assert run(command, "--relations", "bracketless,add-spaces").code == 0
    outcomes = {case.get("name"): [part.tag for part in case] for case in suites().iter("testcase")}
    assert outcomes == {"bracketless": ["skipped"], "add-spaces": ["system-out"]}
    done = run(command, "--relations", "bracketless,add-spaces", "--max-rate", "0")
    assert done.code == 3
    assert (
        "bracketless was selected by name but judged nothing of bot: the follow-up equals its source" in done.complaint
    )
    outcomes = {case.get("name"): [part.tag for part in case] for case in suites().iter("testcase")}
    assert outcomes == {"bracketless": ["error"], "add-spaces": ["system-out"]}


@pytest.mark.parametrize("limit", ["gate.relations.bracketless=0", "gate.min_judged=1"])
def test_unless_the_gate_is_about_the_one_that_does_not(limit: str, command: Command) -> None:
    done = run(command, "--relations", "bracketless,add-spaces", "--set", limit)
    assert done.code == 2
    assert limit.partition("=")[0].rpartition(".")[2] in done.complaint
    assert "bracketless changes nothing in the inputs" in done.complaint
    assert [case.get("name") for case in suites().iter("testcase") if case.find("error") is not None] == ["bracketless"]


def test_a_limit_for_what_only_failed_or_was_cut_off_is_no_pass(command: Command) -> None:
    limited = ("--relations", "add-spaces,sure-only", "--set", "gate.relations.sure-only=0")
    done = run(command, *limited)
    assert done.code == 3
    assert "[gate.relations] limits sure-only, but nothing was judged under it of bot: precondition" in done.complaint
    done = run(command, *limited, "--max-queries", "4", "--set", "reserve.confirm=0", "--fresh")
    assert (done.code, "the budget of 4 queries is spent" in done.complaint) == (3, True)


def test_a_limit_is_held_against_every_system(command: Command) -> None:
    second = '[[systems]]\ntype = "function"\ntarget = "bot.py:answer"\nlabel = "{}"\nprompt = "{}"\n'
    head, _, rest = CONFIG.partition("[system]")
    data = rest[rest.index("[data]") :].replace("sentiment", "inference")
    pairs = [json.dumps({"premise": f"Film {i} was lovely.", "hypothesis": "It was."}) + "\n" for i in range(3)]
    Path("reviews.jsonl").write_text("".join(pairs))
    Path("bot.py").write_text("def answer(text):\n    return 'neutral'\n")
    Path("mine.py").write_text(
        RELATIONS + 'relation("loud-premise", transformations=["upper-case"], tasks=["inference"], '
        'variants={"inference": (("premise",),)})\n'
    )
    systems = second.format("a", "{premise} {hypothesis}") + second.format("b", "{hypothesis}")
    Path("run.toml").write_text(head + systems + data)
    limited = ("--relations", "loud-premise,upper-case", "--set", "gate.relations.loud-premise=0")
    done = run(command, *limited)
    assert done.code == 2
    assert "limits loud-premise, but nothing was judged under it of b: no relation applies" in done.complaint
    assert " of a:" not in done.complaint
    assert [error.get("type") for error in suites().iter("error")] == ["not tested"]
    page = Path("out/report.html").read_text()
    assert page.count('<span class="gate untested">not tested</span>') == 1


def test_a_limit_for_what_the_search_never_proposed_is_no_pass(command: Command) -> None:
    Path("mine.py").write_text(
        RELATIONS
        + """
from mutatis.extending import SEARCHES, SearchOptions
from mutatis.search import Once


@SEARCHES.register("first-relation")
class FirstRelation(SearchOptions):
    '''Follow-ups of the first relation alone.'''

    def build(self, sources):
        from dataclasses import replace
        return Once([replace(source, relations=source.relations[:1]) for source in sources])
"""
    )
    limited = ("--relations", "add-spaces,upper-case", "--set", "gate.relations.upper-case=0")
    done = run(command, *limited, "--search", "first-relation")
    assert done.code == 2
    assert "limits upper-case, but nothing was judged under it: the search proposed no follow-up" in done.complaint
    assert [error.get("type") for error in suites().iter("error")] == ["misused"]


FLAKY = ("--relations", "upper-case", "--set", "shrink=0")


@pytest.mark.parametrize("limit", ["max_rate=0", "max_findings=0"])
def test_what_nobody_saw_again_fails_no_gate(limit: str, command: Command) -> None:
    done = run(command, *FLAKY, "--set", f"gate.{limit}")
    assert done.code == 0, done.err
    assert "gate: passed" in done.out
    assert "; 3 FLAKY findings left out" in done.out
    assert not list(suites().iter("failure"))
    assert "## mutatis: within the gate" in Path("told.md").read_text()
    page = Path("out/report.html").read_text()
    assert "does not always give the same answer: none of 3 findings recurred" in page
    assert 'class="card"' not in page  # it is not among what is wrong
    assert "contradicts itself" not in page
    mutatis.api.Run(report=read_report(Path("out"))).check()


def test_what_was_seen_again_fails_it_and_the_others_are_counted_beside(command: Command) -> None:
    Path("bot.py").write_text(BOT.replace("not again", '(not again or "1" in text)'))
    done = run(command, *FLAKY, "--max-rate", "0")
    assert done.code == 1
    assert done.err.strip() == (
        "gate: upper-case on bot, sentiment: violation rate 100.0% is above 0.0% (2 of 3 findings FLAKY)"
    )
    assert run(command, *FLAKY, "--set", "gate.max_findings=1", "--fresh").code == 0
    assert run(command, *FLAKY, "--set", "gate.max_findings=0", "--fresh").code == 1


def test_what_was_not_asked_again_counts(command: Command) -> None:
    assert run(command, *FLAKY, "--max-rate", "0", "--set", "confirm=0").code == 1


def test_too_many_findings_are_a_test_of_their_own_for_a_build_server(command: Command) -> None:
    assert run(command, *FLAKY, "--set", "confirm=0", "--set", "gate.max_findings=2").code == 1
    [case] = [case for case in suites().iter("testcase") if case.find("failure") is not None]
    assert case.get("name") == "the run as a whole"
    assert suites().get("failures") == "1"


JUDGED_BY_A_HELPER = """
relations = ["polite-words"]
[system]
type = "function"
target = "judged.py:answer"
label = "bot"
[helper]
type = "function"
target = "judged.py:{helper}"
label = "oracle"
[data]
task = "chat"
format = "lines"
path = "questions.txt"
[judge]
measure = "helper"
"""


@pytest.mark.parametrize("helper", ["nonsense", "broken"])
def test_a_judge_that_talks_nonsense_is_no_fault_of_the_system(command: Command, helper: str) -> None:
    Path("judged.py").write_text(
        "def answer(text): return 'It is on its way.' + text\n"
        "def nonsense(text): return 'banana'\n"
        "def broken(text): raise ValueError('no bananas')\n"
    )
    Path("questions.txt").write_text("".join(f"Where is my order number {n}?\n" for n in range(12)))
    Path("helped.toml").write_text(JUDGED_BY_A_HELPER.format(helper=helper))
    done = command("run", "helped.toml", "--out", "out")
    assert done.code == 3
    assert done.complaint.startswith("the helper oracle could not be used: bot on chat: no answer could be judged")
    assert "the helper oracle had no usable answer to " in done.complaint
    assert ("did not say true, false or null" if helper == "nonsense" else "no bananas") in done.complaint
    assert not any(told in done.out + done.err for told in ("system could not be tested", "mutatis ask"))
    with pytest.raises(mutatis.GateFailed, match="the helper oracle had no usable answer"):
        mutatis.api.Run(report=read_report(Path("out"))).check()
