"""One run from its first phase to its report: what each phase asks, exactly."""

from __future__ import annotations

import json
import platform
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from mutatis.campaign.events import PhaseStarted
from mutatis.campaign.session import Campaign, new_run_id
from mutatis.core.cases import Case
from mutatis.core.errors import UsageError
from mutatis.core.relation import RELATIONS
from mutatis.core.search import Proposal, Source
from mutatis.core.system import Response
from mutatis.search import Once
from mutatis.testing import ScriptedHelper, ScriptedSystem
from support.parts import conducted, dialogue, loop, pair, review, target


def cases(number: int) -> list[Case]:
    """So many cases of each of two tasks, in turn."""
    return [c for n in range(number) for c in (review(f"film {n}", n), dialogue(f"why {n}", name=f"d/{n}"))]


def asked_twice(bot: ScriptedSystem) -> list[str]:
    times = Counter(next(iter(c.fields.values())) for c in bot.asked)
    return [text for text, number in times.items() if number == 2]


@pytest.mark.parametrize("number", [0, 1, 2, 3, 4])
async def test_the_first_cases_of_each_task_are_asked_again_for_the_noise_floor(number):
    bot = ScriptedSystem({"*": "0.5"})
    report = await conducted(bot, cases(3), [pair()], noise_floor=number)
    again = min(number, 3)
    assert asked_twice(bot) == [text for n in range(again) for text in (f"film {n}", f"why {n}")]
    assert bot.count == 6 + 6 + 2 * again  # sources, follow-ups, and these
    assert {row["noise_floor"] for row in report["summary"]} == ({0.0} if number else {None})


async def test_the_noise_floor_is_the_share_of_answers_that_were_another_the_second_time():
    def moody(conversation: Any) -> str:
        text = conversation.fields["text"]
        return "0.1" if text == "film 1" and bot.times(conversation.messages[-1].content) > 1 else "0.9"

    bot = ScriptedSystem(moody)
    report = await conducted(bot, films(5), [pair()], noise_floor=4, silence=["constant-output"])
    [row] = report["summary"]
    assert row["noise_floor"] == 0.25
    assert (row["satisfied"], row["violated"]) == (5, 0)  # the phase adds no verdicts
    assert [check["name"] for check in report["health"]] == ["not-deterministic"]
    assert RELATIONS["no-change"].name not in {row["relation"] for row in report["summary"]}


def shouting() -> ScriptedSystem:
    return ScriptedSystem(lambda c: "0.1" if c.fields["text"].isupper() else "0.9")


def films(number: int) -> list[Case]:
    return [review(f"film {n}", n) for n in range(number)]


async def test_confirm_and_shrink_take_the_number_that_is_given():
    report = await conducted(shouting(), films(3), [pair()], confirm=2)
    assert [finding["confirmed"] for finding in report["findings"]] == [True, True, None]
    bot = shouting()
    report = await conducted(bot, films(3), [pair()], shrink=1, confirm=2)
    # One smaller follow-up each of two findings, the share lowered to 0, a quarter (which is "Film") and so on: the
    # first that differs from the source is the only one that is asked.
    assert bot.count == 3 + 3 + 2 * 2 + 2
    bot = shouting()
    await conducted(bot, films(3), [pair()])
    assert bot.count == 3 + 3


async def test_every_verdict_is_one_line_of_the_file(tmp_path):
    folder = tmp_path / "not" / "there"
    for number in (3, 2):  # a second run writes the file anew
        await conducted(shouting(), films(number), [pair()], folder=folder)
        lines = (folder / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()
        assert [json.loads(line)["source"] for line in lines] == [f"r/{n}" for n in range(number)]
    report = await conducted(shouting(), films(1), [pair()])
    assert report["summary"][0]["violated"] == 1


async def test_the_facts_of_a_run():
    bot = ScriptedSystem(lambda c: Response(text="0.9", prompt_tokens=5, completion_tokens=2))
    report = await conducted(bot, films(2), [pair()], seed=7, config={"a": 1})
    facts = report["run"]
    assert (facts["id"], facts["seed"], facts["config"]) == ("run", 7, {"a": 1})
    assert facts["queries"] == {"logical": 4, "paid": 4, "errors": 0, "stored": 0, "oldest": None, "retries": 0}
    assert facts["tokens"] == {"prompt": 20, "completion": 8}
    assert facts["versions"]["python"] == platform.python_version()
    started, finished = (datetime.fromisoformat(facts[name]) for name in ("started", "finished"))
    assert started <= finished
    assert (started.microsecond, str(started.tzinfo)) == (0, "UTC")


async def test_a_run_id_sorts_by_time_and_ends_in_four_digits():
    assert re.fullmatch(r"\d{8}-\d{6}-[0-9a-f]{4}", new_run_id())
    assert len({new_run_id() for _ in range(4)}) > 1


async def test_a_budget_that_ends_is_told_and_nothing_more_is_asked():
    bot = shouting()
    report = await conducted(bot, films(9), [pair()], noise_floor=5, confirm=5, shrink=5, max_queries=6)
    assert bot.count == 6
    [warning] = [check for check in report["health"] if check["name"] == "budget"]
    assert warning["subject"] == "run"
    assert warning["message"].startswith("the run is not complete: ")
    assert warning["remedy"] == "repeat the run with a larger max_queries; stored answers are not asked for again"
    assert warning["silence"] == ""


async def test_a_relation_that_nothing_was_proposed_for_is_told_and_a_run_without_proposals_is_refused():
    class Only:
        """Proposes the first relation of each source."""

        learns = False

        def __init__(self, sources: Sequence[Source]) -> None:
            self.left = list(sources)

        def ask(self) -> list[Proposal]:
            batch, self.left = self.left, []
            return [p for s in batch for p in Once([replace(s, relations=s.relations[:1])]).ask()]

        def tell(self, *_: object) -> None:
            pass

    two = [pair("loud"), pair("spaced", "add-spaces")]
    report = await conducted(shouting(), films(1), two, search=Only)
    assert [(c["name"], c["subject"]) for c in report["health"]] == [("never-proposed", "spaced")]
    with pytest.raises(
        UsageError, match=r"proposed no follow-up, so nothing was asked; the relations of the run are: loud, spaced$"
    ):
        await conducted(shouting(), films(1), two, search=lambda _: Only([]))


async def test_silenced_checks_are_not_told_and_collectors_add_their_numbers():
    class Collector:
        name = "mine"

        def __init__(self) -> None:
            self.events: list[str] = []

        def __call__(self, event: object) -> None:
            self.events.append(type(event).__name__)

        def metrics(self) -> dict[str, int]:
            return dict(Counter(self.events))

    collector, progress = Collector(), []
    more = {"collectors": (collector,), "progress": (progress.append,), "noise_floor": 1, "confirm": 1, "shrink": 1}
    report = await conducted(shouting(), films(25), [pair()], silence=["constant-output"], **more)
    assert report["health"] == []
    assert report["metrics"] == {
        "mine": {
            **dict.fromkeys(("SourceObserved", "FollowUpMade", "Verdict", "SourceClosed"), 25),
            "PhaseStarted": 1,
        }
    }
    names = [event.name for event in progress if isinstance(event, PhaseStarted)]
    assert names == ["search", "noise floor", "confirm", "shrink"]


async def test_the_connections_of_all_systems_and_of_the_helper_are_closed():
    closed: list[str] = []

    class Closing(ScriptedSystem):
        async def close(self) -> None:
            closed.append(self.label)

    sources = [Source(case=film, relations=(pair(),)) for film in films(1)]
    parts = Campaign(
        targets=[target(Closing({}, "a")), target(ScriptedSystem({}, "b"))],
        sources=sources,
        search=Once(sources),
        judges=loop(ScriptedSystem({})).judges,
        no_change=RELATIONS["no-change"],
        helper_layer=target(Closing({}, "helper")).layer,
    )
    await parts.close()
    assert closed == ["a", "helper"]


async def test_the_helper_makes_the_follow_ups_of_its_relations():
    helper = ScriptedHelper('{"text": "a movie"}')
    report = await conducted(ScriptedSystem({"*": "0.9"}), films(1), [pair("made", "paraphrase")], helper=helper)
    assert (report["summary"][0]["satisfied"], len(helper.prompts)) == (1, 1)
