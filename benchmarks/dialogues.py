"""Follow-ups and context checks per second, and the share of queries that equal beginnings of dialogues save.

python benchmarks/dialogues.py [FORMAT:PATH] [--limit N]     default: the shipped dialogues
"""

from __future__ import annotations

import argparse
import asyncio
import time
from pathlib import Path

import mutatis
from mutatis.context import ContextCheck
from mutatis.core.cases import Case
from mutatis.core.relation import RELATIONS
from mutatis.core.search import Source
from mutatis.core.system import Conversation, Response
from mutatis.core.transformation import derive
from mutatis.relations.mortar import PERTURBATION_OF
from mutatis.search import derivations
from mutatis.tasks import with_prompt  # noqa: F401 - registers the tasks


class Echo:
    """Answers with the question, at once."""

    def __init__(self) -> None:
        self.label = "echo"
        self.identity = {"label": "echo"}

    async def ask(self, conversation: Conversation) -> Response:
        """Return the question."""
        return Response(text=conversation.fields["question"])


async def derive_and_check(cases: list[Case]) -> str:
    """Return the rates of deriving follow-ups and of checking their contexts."""
    relation = RELATIONS["context-preserving"]
    seeds = [Source(case=case, relations=(relation,)) for case in cases]
    started = time.perf_counter()
    made = [(seed.case, await derive(seed.case, plan)) for seed in seeds for plan in derivations(seed)]
    derived = time.perf_counter() - started
    check = ContextCheck()
    started = time.perf_counter()
    turns = 0
    for source, follow_up in made:
        turns += len(await check.annotate(source, follow_up))
    checked = time.perf_counter() - started
    return (
        f"{len(made):,} follow-ups ({len(PERTURBATION_OF)} perturbations): {len(made) / derived:,.0f} made per second; "
        f"{len(made) / checked:,.0f} checked per second ({turns / checked:,.0f} turns)"
    )


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", default=f"coqa:{mutatis.sample('dialogues')}")
    parser.add_argument("--limit", type=int, default=100)
    args = parser.parse_args()
    name, _, path = args.data.partition(":")
    cases = mutatis.read_cases(name, Path(path), limit=args.limit)
    print(asyncio.run(derive_and_check(cases)))
    names = ["context-preserving", "context-altering", "inner-consistency", "inter-divergence"]
    started = time.perf_counter()
    run = mutatis.run(Echo(), cases, names, task="dialogue", judge="exact", settings={"confirm": 0})
    queries = run.report["run"]["queries"]
    print(
        f"campaign: {time.perf_counter() - started:.1f} s; {queries['logical']:,} logical queries, "
        f"{queries['paid']:,} paid: {1 - queries['paid'] / queries['logical']:.1%} saved (noise floor included)"
    )


if __name__ == "__main__":
    main()
