"""Parts of a campaign put together by hand: cases, relations, a target, the loop. Nothing here decides anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import mutatis.tasks  # noqa: F401 - both fill the registries
from mutatis import measures
from mutatis.campaign.follow_up import FollowUp
from mutatis.campaign.judging import Judges, judge_again
from mutatis.campaign.observe import Observer, Target
from mutatis.campaign.run import Loop
from mutatis.campaign.session import Campaign, conduct
from mutatis.campaign.tally import Finding
from mutatis.core.cases import Case, Derivation, Step, Turn
from mutatis.core.errors import SystemFailure
from mutatis.core.measure import Similarity
from mutatis.core.relation import RELATIONS, Grouping, MetamorphicRelation, Observation
from mutatis.core.search import Proposal, Source
from mutatis.core.system import Conversation, Response
from mutatis.core.task import TASKS
from mutatis.core.verdict import Verdict
from mutatis.query import Limits, QueryLayer, Spending, Store
from mutatis.relations.output import Equal, InnerConsistency
from mutatis.search import Once
from mutatis.systems import SYSTEMS
from support.server import Act, Server, serve

TASK_NAMES = ("dialogue", "sentiment", "question-answering")


async def ask_openai(script: Sequence[Act], question: Conversation, **options: Any) -> tuple[Any, Server]:
    """Ask an OpenAI-compatible server once, by a script; return the response or the error, and the server."""
    async with serve(script) as server:
        system = SYSTEMS["openai"](model="m", base_url=server.url, **options)
        try:
            return await system.ask(question), server
        except SystemFailure as error:
            return error, server
        finally:
            await system.close()


def review(text: str, number: int = 0, **more: Any) -> Case:
    """Return a case of one text for the task sentiment."""
    return Case(id=f"r/{number}", task="sentiment", turns=(Turn(fields={"text": text}, **more),))


def dialogue(*questions: str | Turn, name: str = "d/0", **more: Any) -> Case:
    """Return a dialogue of these questions."""
    turns = tuple(q if isinstance(q, Turn) else Turn(fields={"question": q}) for q in questions)
    return Case(id=name, task="dialogue", turns=turns, **more)


def pair(name: str = "pair", transformation: str = "upper-case", **more: Any) -> MetamorphicRelation:
    """Return a relation between a follow-up turn and its source."""
    made = MetamorphicRelation.of(
        name=name, transformations=(Step(transformation=transformation),), output_relation=Equal(), tasks=TASK_NAMES
    )
    return made.but(**more)


def question(name: str = "question", **more: Any) -> MetamorphicRelation:
    """Return a relation between all versions of a question; two are needed."""
    more = {"needs": {"equivalent": 2}, "when": lambda turn: "equivalent", **more}
    return pair(name, grouping=Grouping.QUESTION, output_relation=InnerConsistency(), **more)


def step(name: str, turns: tuple[int, ...] | None = None, **parameters: Any) -> Step:
    return Step(transformation=name, parameters=parameters, turns=turns)


def proposed(
    source: Case, relations: Sequence[MetamorphicRelation], *steps: Step, variant: tuple[str, ...] = (), **more: Any
) -> FollowUp:
    """Return the beginning of a follow-up of `source` by these steps."""
    derivation = Derivation(source=source.id, steps=steps or (step("upper-case"),), variant=variant)
    proposal = Proposal(source=Source(case=source, relations=tuple(relations)), derivation=derivation)
    return FollowUp(proposal=proposal, relations=tuple(relations), **more)


def reordered(case: Case, *origin: int, steps: tuple[Step, ...] = (), mark: str = "") -> Case:
    """Return the follow-up that has these turns of `case`, in this order; `mark` is put after each question."""
    turns = tuple(
        replace(case.turns[i], fields={name: text + mark for name, text in case.turns[i].fields.items()})
        for i in origin
    )
    derivation = Derivation(source=case.id, steps=steps or (step("round-shuffle"),), origin=origin)
    return replace(case, id=f"{case.id}~{mark}{origin}", turns=turns, derivation=derivation)


def observed(case: Case, *answers: str | None, repeat: int = 0) -> dict[int, Observation]:
    """Return the observations of a case whose turns were answered so; None is a turn that failed with "down"."""
    return {
        turn: Observation(
            case=case,
            turn=turn,
            response=None if text is None else Response(text=text),
            error="down" if text is None else None,
            repeat=repeat,
        )
        for turn, text in enumerate(answers)
    }


def target(
    system: Any, *, max_queries: int | None = None, tasks: Mapping[str, Any] | None = None, limits: Limits | None = None
) -> Target:
    """Return a system that is ready to be asked; its answers are stored in memory."""
    layer = QueryLayer(system, Store(None), limits, spending=Spending(max_queries))
    return Target(layer=layer, tasks=tasks or {name: TASKS[name] for name in TASK_NAMES})


def observer(system: Any, **more: Any) -> Observer:
    return Observer(target(system, **more))


def loop(*systems: Any, max_queries: int | None = None, limits: Limits | None = None, **more: Any) -> Loop:
    """Return the loop over these systems; texts are compared exactly, numbers within 0.1."""
    judges = Judges(by_kind={"text": measures.judge("exact"), "number": measures.judge("number")}, by_measure={})
    return Loop(
        targets=[target(system, max_queries=max_queries, limits=limits) for system in systems], judges=judges, **more
    )


async def finding(on: Loop, relation: MetamorphicRelation, source: Case, *made: FollowUp, turn: int = 0) -> Finding:
    """Return the finding that one system's answers to these follow-ups are, asked and judged as a run does."""
    [(label, asking)] = on.observers.items()
    known = await asking.observe(source)
    members = []
    for follow_up in made:
        await on.maker.make(follow_up)
        for observation in (await asking.observe(follow_up.case)).values():
            role = relation.matching.when(observation.asked)
            if role is not None and observation.case.origin(observation.turn) == turn:
                members.append(replace(observation, role=role))
    verdict = Verdict(system=label, relation=relation, source=source, turn=turn)
    return Finding(verdict=await judge_again(verdict, known[turn], members, on.judges))


async def conducted(
    system: Any, cases: Sequence[Case], relations: Sequence[MetamorphicRelation], **more: Any
) -> dict[str, Any]:
    """Run a campaign with the phases that `more` names (noise_floor, confirm, shrink) and return its report.

    `more` may also hold a folder, `max_queries`, a search (made of the sources), and whatever else a campaign has.
    """
    folder, max_queries, search = (
        more.pop("folder", None),
        more.pop("max_queries", None),
        more.pop("search", Once),
    )
    sources = [Source(case=case, relations=tuple(relations)) for case in cases]
    parts = Campaign(
        targets=[target(system, max_queries=max_queries)],
        sources=sources,
        search=search(sources),
        judges=loop(system).judges,
        no_change=RELATIONS["no-change"],
        **{"noise_floor": 0, "confirm": 0, "shrink": 0, **more},
    )
    return (await conduct(parts, folder=folder, run_id="run", name="run")).to_json()


class ByHand:
    """A measure whose similarities a test writes down itself."""

    name = "by-hand"

    def compare(self, comparisons: object) -> list[Similarity]:
        raise NotImplementedError
