"""Dialogues with gold rewrites, systems that answer by them, and a campaign on them with a recipe's metrics."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import mutatis.recipes
import mutatis.tasks  # noqa: F401 - fills the registry
from mutatis import measures
from mutatis.campaign.judging import Judges
from mutatis.campaign.observe import Target
from mutatis.campaign.session import Campaign, conduct
from mutatis.context import ContextCheck
from mutatis.core.cases import Case, Turn
from mutatis.core.measure import Judge
from mutatis.core.relation import RELATIONS, MetamorphicRelation
from mutatis.core.search import Search, Source
from mutatis.core.system import Conversation
from mutatis.core.task import TASKS
from mutatis.query import QueryLayer, Store
from mutatis.relations.mortar import CHECK
from mutatis.search import Once
from mutatis.testing import ScriptedSystem

PEOPLE = ("Ada Lovelace", "Marie Curie", "Rosa Parks", "Jane Austen", "Clara Schumann", "Emmy Noether")
HILLS = ("Etna", "Fuji", "Kilimanjaro", "Snowdon", "Olympus", "Elbrus")

# Question and rewrite; None where the question stands alone.
PLOT = (
    ("Who was {who}?", None, "a famous woman"),
    ("Where was she born?", "Where was {who} born?", "in the north"),
    ("Which books did she write?", "Which books did {who} write?", "three novels"),
    ("When was mount {hill} first climbed?", None, "long ago"),
    ("How high is it exactly?", "How high is {hill} exactly?", "five miles"),
    ("Is its top covered with snow?", "Is the top of {hill} covered with snow?", "only in winter"),
    ("What does the king of France eat?", None, "unknown"),
    ("Did her sister like music?", "Did the sister of {who} like music?", "very much"),
    ("What is the capital of Peru?", None, "Lima"),
    ("Was it always dangerous to climb?", "Was {hill} always dangerous to climb?", "since the ice melted"),
)


def talks(number: int = 6) -> list[Case]:
    """Return dialogues of ten turns about a person and a mountain; turn 6 is annotated as unanswerable."""
    return [_talk(n, PEOPLE[n % len(PEOPLE)], HILLS[n % len(HILLS)]) for n in range(number)]


def _talk(number: int, who: str, hill: str) -> Case:
    turns = []
    for question, rewrite, answer in PLOT:
        text = question.format(who=who, hill=hill)
        annotations = {"rewrite": (rewrite or question).format(who=who, hill=hill), "answerable": answer != "unknown"}
        turns.append(Turn(fields={"question": text}, expected=(answer,), annotations=annotations))
    return Case(id=f"talks/{number}", turns=tuple(turns), material={"story": ""})


def oracle(
    cases: Sequence[Case],
    bug: Callable[[str, Sequence[tuple[str, str]], str], str] | None = None,
    label: str = "oracle",
) -> ScriptedSystem:
    """Answers as annotated where the gold rewrites say that the context allows it, else "unknown".

    `bug(question, history, right)` returns what it says instead of the right answer.
    """
    known = {case.id: case for case in cases}
    check = ContextCheck(extractor="gold")

    async def answer(conversation: Conversation) -> str:
        case = known[conversation.case_id.partition("~")[0]]
        place = {turn.fields["question"]: i for i, turn in enumerate(case.turns)}
        history = [(fields["question"], said) for fields, said in conversation.history]
        question = conversation.fields["question"]
        order = [place[earlier] for earlier, _ in history] + [place[question]]
        status = (await check.knowledge(case)).judge(tuple(order), check.options)[-1].status
        turn = case.turns[order[-1]]
        answered = turn.expected[0] if turn.expected else f"answer {order[-1]}"
        right = answered if status == "equivalent" else "unknown"
        return right if bug is None else bug(question, history, right)

    return ScriptedSystem(answer, label)


class Counting(ContextCheck):
    """A context check that counts how often it is asked."""

    calls = 0

    async def annotate(self, source: Any, follow_up: Any, helper: Any = None) -> Any:
        self.calls += 1
        return await super().annotate(source, follow_up, helper)


def chosen(names: Sequence[str], check: ContextCheck | None = None) -> tuple[MetamorphicRelation, ...]:
    """Return relations by name or tag, with a context check of one's own."""
    by_name: dict[str, MetamorphicRelation] = {}
    for name in names:
        tagged = [RELATIONS[r] for r in RELATIONS if name.removeprefix("tag:") in RELATIONS[r].tags]
        for relation in tagged if name.startswith("tag:") else [RELATIONS[name]]:
            annotator = (
                check if check is not None and relation.matching.annotator is CHECK else relation.matching.annotator
            )
            by_name[relation.name] = relation.but(annotator=annotator)
    return tuple(by_name.values())


def campaign(
    systems: Any,
    cases: Sequence[Case],
    names: Sequence[str] = ("tag:mortar", "reference-based"),
    *,
    check: ContextCheck | None = None,
    recipe: str = "mortar",
    judge: Judge | None = None,
    search: Callable[[Sequence[Source]], Search] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """Run a recipe and return the report; `more`: store, out, confirm, shrink, repeats, seed, relations, on_event."""
    relations = more.get("relations") or chosen(names, check)
    sources = [Source(case=replace(case, task="dialogue"), relations=relations) for case in cases]
    listener = more.get("on_event")

    async def inside() -> dict[str, Any]:
        with Store(more.get("store")) as answers:
            layers = [QueryLayer(system, answers) for system in (systems if isinstance(systems, list) else [systems])]
            targets = [Target(layer=layer, tasks={"dialogue": TASKS["dialogue"]}) for layer in layers]
            parts = Campaign(
                targets=targets,
                sources=sources,
                judges=Judges(by_kind={"text": judge or measures.judge("exact")}, by_measure={}),
                no_change=RELATIONS["no-change"],
                search=Once(sources) if search is None else search(sources),
                seed=more.get("seed", 0),
                repeats=more.get("repeats", 1),
                noise_floor=0,
                confirm=more.get("confirm", 0),
                shrink=more.get("shrink", 0),
                collectors=mutatis.recipes.RECIPES[recipe].collectors(),
                listeners=() if listener is None else (listener,),
            )
            folder = None if more.get("out") is None else Path(more["out"])
            return (await conduct(parts, folder=folder, run_id="run", name="run")).to_json()

    return asyncio.run(inside())


def rows(report: dict[str, Any], system: str | None = None) -> dict[str, dict[str, int]]:
    """Return the outcome counts per relation."""
    return {
        row["relation"]: {key: row[key] for key in ("satisfied", "violated", "invalid", "error")}
        for row in report["summary"]
        if system in (None, row["system"])
    }
