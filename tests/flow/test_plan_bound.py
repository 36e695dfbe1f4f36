"""What a plan calls the most is never exceeded: searches of every form, whose answers make them ask what they can."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from collections.abc import Sequence
from typing import Any

import pytest

from mutatis.assembly.campaign import HandedOver, assemble
from mutatis.campaign import plan
from mutatis.campaign.cost import FOLLOW_UPS, REWRITTEN, SOURCES
from mutatis.campaign.plan import Estimate, estimate
from mutatis.campaign.session import Campaign, conduct
from mutatis.config import check
from mutatis.core.cases import Case, Derivation, Step, Turn
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.system import Conversation
from mutatis.core.transformation import TRANSFORMATIONS, derive
from mutatis.query import QueryLayer, Store
from mutatis.query.helper import SystemHelper
from mutatis.testing import ScriptedBot, ScriptedHelper, ScriptedSystem
from support import dialogues

TEXTS = [f"The {word} room in the old house was clean, and I liked it very much." for word in ("red", "big", "warm")]
TALKS = [("Who owns the bakery?", "Is it open on Sunday?", "Where can I park my car?"), ("Do you sell bread?", "Why?")]


CITIES = ("Leeds", "Oslo", "Turin", "Lyon", "Porto", "Bergen", "Ghent", "Cork", "Graz", "Basel")
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class Fickle:
    """Names another place each time, so that everything violates; counts what it is asked.

    Another number each time would be taken for that of a ticket.
    """

    helps = False

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, conversation: Conversation) -> str:
        self.asked += 1
        if self.helps:
            return helping(conversation)
        return f"It is {CITIES[self.asked % 10]}, on {DAYS[self.asked % 7]}."


def helping(conversation: Conversation) -> str:
    """Rewrites what it is asked to rewrite."""
    prompt = conversation.messages[0].content
    texts = re.findall(r"<text-\w+>\n(.*)\n</text", prompt)
    return json.dumps({"text": texts[-1].replace("room", "chamber").replace("like", "love") if texts else "no"})


def chats(*talks: Sequence[str]) -> list[Case]:
    return [
        Case(id=f"talk/{number}", task="chat", turns=tuple(Turn(fields={"message": text}) for text in talk))
        for number, talk in enumerate(talks)
    ]


def reviews(texts: Sequence[str]) -> list[Case]:
    return [
        Case(id=f"r/{number}", task="question-answering", turns=(Turn(fields={"question": text, "context": text}),))
        for number, text in enumerate(texts)
    ]


FORMS: dict[str, dict[str, Any]] = {
    "texts": {"cases": reviews(TEXTS), "relations": ["upper-case", "add-spaces", "repeat-text", "no-change"]},
    "repeats": {"cases": reviews(TEXTS), "relations": ["upper-case", "no-change"], "settings": {"repeats": 3}},
    "dialogues": {"cases": chats(*TALKS), "relations": ["unrelated-turn", "ask-again", "upper-case"]},
    "orders": {"cases": dialogues.talks(2), "settings": {"recipe": "mortar"}, "task": "dialogue"},
    "a bot": {"cases": chats(*TALKS), "relations": ["unrelated-turn", "lower-case"], "bot": True},
    "two systems": {"cases": reviews(TEXTS), "relations": ["upper-case"], "systems": 2},
    "a helper": {"cases": reviews(TEXTS), "relations": ["paraphrase", "synonyms"], "helper": True},
}


def assembled(form: str, store: Store) -> tuple[Campaign, list[Fickle]]:
    """Return a campaign of this form and who is asked in it."""
    wanted = FORMS[form]
    system = ScriptedBot if wanted.get("bot") else ScriptedSystem
    askers = [Fickle() for _ in range(1 + wanted.get("systems", 1))]
    askers[-1].helps = True
    helper = QueryLayer(ScriptedSystem(askers[-1], "helper"), store)
    objects = HandedOver(
        systems=[system(asker, f"bot {number}") for number, asker in enumerate(askers[:-1])],
        cases=wanted["cases"],
        relations=wanted.get("relations", ()),
        helper=SystemHelper(helper) if wanted.get("helper") else None,
        task=wanted.get("task"),
    )
    tables = {"noise_floor": 2, "confirm": 0, **wanted.get("settings", {})}
    return assemble(check(tables, objects=("systems", "data")), store, objects), askers


def planned_and_asked(form: str) -> tuple[Estimate, int]:
    """Return the plan of a run, and how many questions it then paid for."""
    with Store(None) as store:
        campaign, askers = assembled(form, store)
        told = asyncio.run(estimate(campaign, store))
        assert not any(asker.asked for asker in askers)
    with Store(None) as store:
        campaign, askers = assembled(form, store)
        report = asyncio.run(conduct(campaign))
        assert report.findings, "nothing violated, so that no context was told apart"
    return told, sum(asker.asked for asker in askers)


@pytest.mark.parametrize("form", FORMS)
def test_a_run_asks_no_more_than_its_plan_says(form: str) -> None:
    told, asked = planned_and_asked(form)
    assert told.most is not None
    assert told.of(SOURCES)[0] < asked <= told.most
    assert told.expected <= told.most


@pytest.mark.parametrize("form", FORMS)
def test_of_some_sources_a_plan_expects_what_it_does_of_all(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store(None) as store:
        of_all = asyncio.run(estimate(assembled(form, store)[0], store))
        monkeypatch.setattr(plan, "MADE", 3)
        told = asyncio.run(estimate(assembled(form, store)[0], store))
    assert told.counted is not None
    assert told.most is None
    assert of_all.expected / 2 <= told.expected <= 2 * of_all.expected


async def test_no_transformation_asks_its_helper_more_often_than_a_plan_counts() -> None:
    fields = {"premise": "Ada has three red cats.", "hypothesis": "Ada likes her cats."}
    case = Case(id="i/0", task="inference", turns=(Turn(fields=fields),))
    asked = {}
    for name, made in ((name, TRANSFORMATIONS[name]) for name in TRANSFORMATIONS):
        if made.made_by == "language-model":
            helper = ScriptedHelper('{"text": "Ada owns three red cats."}')
            steps = (Step(transformation=name, parameters=made.complete({})),)
            with contextlib.suppress(UnusableFollowUp):
                await derive(case, Derivation(source=case.id, steps=steps, variant=("premise",)), helper=helper)
            asked[name] = len(helper.prompts)
    assert len(asked) > 15
    assert max(asked.values()) == REWRITTEN
    assert min(asked.values()) >= 1


def test_follow_ups_that_read_an_answer_are_within_the_bound_though_they_cannot_be_foreseen() -> None:
    asked: list[Conversation] = []

    def says(conversation: Conversation) -> str:
        asked.append(conversation)
        return "It takes 8 days."

    def campaign(store: Store) -> Campaign:
        cases = chats(("How long does a repair take?",), ("How long does the delivery take?",))
        objects = HandedOver(systems=[ScriptedSystem(says)], cases=cases, relations=["claim-another"], task="chat")
        return assemble(
            check({"noise_floor": 0, "confirm": 0, "shrink": 0}, objects=("systems", "data")), store, objects
        )

    with Store(None) as store:
        told = asyncio.run(estimate(campaign(store), store))
    with Store(None) as store:
        asyncio.run(conduct(campaign(store)))
    assert told.expected < len(asked) == 4 <= told.most
    assert told.unforeseen == told.of(FOLLOW_UPS)[1] > 0
