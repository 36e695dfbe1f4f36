"""How many questions a search is said to take, against how many it took: dialogues, sessions, steps, failures."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from mutatis import measures
from mutatis.campaign.events import PhaseStarted
from mutatis.campaign.judging import Judges
from mutatis.campaign.run import Loop
from mutatis.core.cases import Case, Step, Turn
from mutatis.core.errors import SystemFailure
from mutatis.core.relation import MetamorphicRelation
from mutatis.core.search import Proposal, Source
from mutatis.core.system import Conversation, Response
from mutatis.core.task import TASKS
from mutatis.query import Limits
from mutatis.relations.output import Equal
from mutatis.search import Once
from mutatis.testing import ScriptedSystem
from support.parts import loop, pair, step, target


class Keeper(ScriptedSystem):
    """A bot that keeps the dialogue itself."""

    def session(self) -> Keeper:
        return self

    async def __aenter__(self) -> Keeper:
        return self

    async def __aexit__(self, *_: object) -> None:
        return None

    async def send(self, conversation: Conversation) -> Response:
        return await self.ask(conversation)


def talk(name: str, turns: int = 3, reply: str | None = None) -> Case:
    """A dialogue; what the system said to all turns but the last is recorded where `reply` says it."""
    said = [reply] * (turns - 1) + [None]
    made = (Turn(fields={"question": f"{name} at turn {at}?"}, reply=text) for at, text in enumerate(said))
    return Case(id=name, task="dialogue", turns=tuple(made))


async def foretold(on: Loop, sources: list[Source], search: Any = None) -> tuple[list[int], int]:
    """Run the loop; return what it foretold before the first answer and after each, and how many answers there were."""
    phases: list[PhaseStarted] = []
    on.listeners = (lambda event: phases.append(event) if isinstance(event, PhaseStarted) else None,)
    layer, told = on.targets[0].layer, []
    layer.moved = lambda: told.append(phases[0].questions())
    await on.run(search or Once(sources), sources)
    return [*told, phases[0].questions()], layer.counts.answered


@pytest.mark.parametrize("kind", [ScriptedSystem, Keeper])
@pytest.mark.parametrize("reply", [None, "Go on."])
@pytest.mark.parametrize("turns", ["each", "all"])
async def test_dialogues_are_foretold_from_the_beginning(kind: type[ScriptedSystem], reply: str | None, turns: str):
    sources = [Source(case=talk(f"d/{n}", reply=reply), relations=(pair(turns=turns),)) for n in range(4)]
    told, answered = await foretold(loop(kind({"*": "yes"})), sources)
    assert set(told) == {answered}


async def test_a_system_that_keeps_the_dialogue_is_asked_all_of_it_again():
    sources = [Source(case=talk("d/0", reply="Go on."), relations=(pair(turns="each"),))]
    # Recorded replies spare a system without a memory of its own the turns before the judged one.
    assert set((await foretold(loop(ScriptedSystem({"*": "yes"})), sources))[0]) == {3 + 1 + 1 + 1}
    assert set((await foretold(loop(Keeper({"*": "yes"})), sources))[0]) == {3 + 1 + 2 + 3}


class Listed:
    """Proposes what it was given at once."""

    learns = False

    def __init__(self, proposals: list[Proposal]) -> None:
        self.left = proposals

    def ask(self) -> list[Proposal]:
        batch, self.left = self.left, []
        return batch

    def tell(self, *_: Any) -> None:
        return None


TOOLS = [{"type": "function", "function": {"name": "look", "description": "See.", "parameters": {"type": "object"}}}]


def looks_twice(conversation: Conversation) -> Any:
    if sum(message.role == "tool" for message in conversation.messages) == 2:
        return "three seats"
    return Response(calls=[{"name": "look", "arguments": {}}])


def agent_loop(system: ScriptedSystem) -> Loop:
    judges = Judges(by_kind={"calls": measures.judge("tool-calls")}, by_measure={})
    agent = target(system, tasks={"tool-call": TASKS["tool-call"]}, limits=Limits(concurrency=1))
    return Loop(targets=[agent], judges=judges)


async def test_steps_with_tools_are_foretold_for_sources_that_are_still_to_come():
    material = {"tools": TOOLS, "tool_results": [{"name": "look", "result": "three"}]}
    cases = [
        Case(id=f"a/{n}", task="tool-call", turns=(Turn(fields={"message": f"Is seat {n} free?"}),), material=material)
        for n in range(20)
    ]
    kind = MetamorphicRelation.of(
        name="kind",
        transformations=(Step(transformation="polite-words"),),
        output_relation=Equal(),
        tasks=("tool-call",),
    )
    sources = [Source(case=case, relations=(kind,)) for case in cases]
    told, answered = await foretold(agent_loop(ScriptedSystem(looks_twice)), sources)
    assert answered == 20 * 2 * 3
    assert told[0] == 40  # nobody knows of steps yet
    half = told[answered // 2]
    assert answered - 12 <= half <= answered + 12
    assert told[-1] == answered


async def test_follow_ups_that_are_refused_at_once_say_little_of_those_that_are_asked():
    # Of three follow-ups two have nothing to change, which is known long before the third is answered.
    texts = [text for n in range(40) for text in (f"Seat {n}?", f"{n}?", f"{n}!")]
    cases = [Case(id=text, task="dialogue", turns=(Turn(fields={"question": text}),)) for text in texts]
    sources = [Source(case=case, relations=(pair(),)) for case in cases]
    told, answered = await foretold(loop(ScriptedSystem({"*": "yes"})), sources)
    assert told[-1] == answered
    assert min(told) > 0.9 * answered, told


async def test_turns_after_one_that_failed_are_not_foretold():
    def fails_at_second(conversation: Conversation) -> Any:
        return SystemFailure("down") if "turn 1" in conversation.fields["question"].lower() else "yes"

    sources = [Source(case=talk(f"d/{n}", turns=4), relations=(pair(),)) for n in range(5)]
    told, answered = await foretold(loop(ScriptedSystem(fails_at_second)), sources)
    assert answered == 5 * 2 * 2
    assert told[-1] == answered


async def test_questions_that_tell_inherited_failures_apart_are_foretold_when_they_are_asked():
    source = Source(case=talk("d/0", turns=2, reply="Go on."), relations=(pair(turns="all"),))
    [plain] = Once([source]).ask()
    shouted = tuple(step("upper-case", turns=(turn,)) for turn in (0, 1))
    proposal = replace(plain, derivation=replace(plain.derivation, steps=shouted), turns=(1,))
    system = ScriptedSystem(lambda asked: "no" if asked.fields["question"].isupper() else "yes")
    told, answered = await foretold(loop(system), [source], Listed([proposal]))
    assert told[-1] == answered == 2 + 1 + 1
