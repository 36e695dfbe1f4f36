"""What a learning search costs beside the system it asks: moves, edits and updates per second, and the shares of time.

    python benchmarks/search.py [--proposals 600] [--delay 0.02]

The system is the built-in dialogue-state tracker on dialogues that are made up here; `--delay` adds seconds per answer,
as an endpoint would.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import time
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import torch

from mutatis import measures
from mutatis.campaign.judging import Judges
from mutatis.campaign.observe import Target
from mutatis.campaign.run import Loop
from mutatis.core import transformation
from mutatis.core.cases import Case, Turn
from mutatis.core.search import Source
from mutatis.options import check_options
from mutatis.query import QueryLayer, Store
from mutatis.rltest4chatbot.edits import small_edits
from mutatis.rltest4chatbot.searches import MultiPdqnOptions
from mutatis.search import SEARCHES
from mutatis.systems import SYSTEMS
from mutatis.tasks import TASKS

TASK = "dialogue-state"


class Clock:
    """Adds up the seconds of processor time that functions take: a shared machine does not change them much."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self.calls: dict[str, int] = defaultdict(int)

    def watch(self, owner: Any, name: str, label: str) -> None:
        """Add up what `owner.name` takes under a label."""
        inner: Callable[..., Any] = getattr(owner, name)

        def timed(*positional: Any, **named: Any) -> Any:
            started = time.thread_time()
            try:
                return inner(*positional, **named)
            finally:
                self.seconds[label] += time.thread_time() - started
                self.calls[label] += 1

        setattr(owner, name, timed)


class Timed:
    """A system that is timed, and waits as an endpoint would."""

    def __init__(self, system: Any, clock: Clock, delay: float) -> None:
        self.system, self.clock, self.delay = system, clock, delay
        self.label, self.identity = system.label, system.identity

    async def ask(self, conversation: Any) -> Any:
        """Answer, and wait."""
        started = time.thread_time()
        answer = await self.system.ask(conversation)  # the tracker answers without waiting
        self.clock.seconds["system"] += time.thread_time() - started
        self.clock.calls["system"] += 1
        if self.delay:
            await asyncio.sleep(self.delay)
        return answer


def dialogues(count: int) -> list[Case]:
    rng = random.Random(1)
    areas, foods, days = ["north", "south", "east"], ["italian", "chinese", "indian"], ["monday", "friday", "sunday"]
    cases = []
    for number in range(count):
        texts = [
            f"hello , i need a cheap hotel in the {rng.choice(areas)} with free parking please",
            f"book it for {rng.choice(days)} , 3 people and 2 nights if that is possible",
            f"i would also like an expensive {rng.choice(foods)} restaurant in the {rng.choice(areas)} of town",
        ]
        turns = tuple(Turn(fields={"utterance": text}, reply="of course . anything else ?") for text in texts)
        cases.append(Case(id=f"d/{number}", task=TASK, turns=turns))
    return cases


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--proposals", type=int, default=600)
    parser.add_argument("--delay", type=float, default=0.0, help="seconds per answer")
    args = parser.parse_args()
    torch.set_num_threads(1)
    clock = Clock()
    system = SYSTEMS["builtin"](name="tracker")
    asyncio.run(system.ask(TASKS[TASK].converse(dialogues(1)[0], 0, [""])))  # it learns at the first question
    layer = QueryLayer(Timed(system, clock, args.delay), Store(None))
    options = check_options(MultiPdqnOptions, {"proposals": args.proposals, "start": 64}, SEARCHES["multi-pdqn"].owner)
    sources = [Source(case=case, relations=(small_edits(options.rule),)) for case in dialogues(60)]
    space = options.action_space(sources)
    policy: Any = options.policy(space)
    clock.watch(policy.agent, "act", "agent: choosing")
    clock.watch(policy.agent, "learn", "agent: update")
    for family in space.names:
        chosen = transformation.TRANSFORMATIONS[family]
        timed = Clock()
        timed.seconds, timed.calls = clock.seconds, clock.calls
        holder = type("Holder", (), {"apply": staticmethod(chosen.apply)})
        timed.watch(holder, "apply", "edits")
        object.__setattr__(chosen, "apply", holder.apply)
    judges = Judges(by_kind={"state": measures.judge("state")}, by_measure={})
    loop = Loop(targets=[Target(layer=layer, tasks={TASK: TASKS[TASK]})], judges=judges)
    started, processor = time.perf_counter(), time.process_time()
    asyncio.run(loop.run(options.exploring(sources, space, policy), sources))
    wall, used = time.perf_counter() - started, time.process_time() - processor
    print(f"{args.proposals} steps of the environment in {wall:.1f} s ({used:.1f} s of processor): ", end="")
    print(f"{args.proposals / wall:.0f} per second")
    for label, seconds in sorted(clock.seconds.items(), key=lambda item: -item[1]):
        calls = clock.calls[label]
        print(
            f"{label:16} {calls:7} calls  {1000 * seconds / calls:7.2f} ms each  "
            f"{seconds / used:6.1%} of the processor time"
        )
    agent = clock.seconds["agent: choosing"] + clock.seconds["agent: update"]
    print(f"agent per step   {1000 * agent / args.proposals:.2f} ms")


if __name__ == "__main__":
    main()
