"""Draws follow-ups for graders, moderators and solvers onto a blind sheet, as `draw.py` does for other tasks.

    python studies/soundness/draw_judging.py PLAN.json SHEET.jsonl [--data ../shared/data] [--seed 1]
        [--longest CHARACTERS] [--replies REPLIES.jsonl]

PLAN holds rows [relation, task, count]. The right answer of a source stands for the system's, so a relation's
preconditions are asked about it. One follow-up is drawn per source, of the relation's variants at random.

REPLIES answers what a relation asks its helper, lines of {"prompt": ..., "reply": ...}. Prompts without a reply are
added to it, and nothing is drawn: write the replies, and run it again until none is missing.
"""

from __future__ import annotations

import asyncio
import hashlib
import inspect
import json
import re
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from draw import arguments, write
from sources_of_judging import length, sources

import mutatis.relations  # noqa: F401 - fills the registry
import mutatis.tasks
from mutatis.core.cases import EXPECTS, Case
from mutatis.core.constraint import Evidence, Stage
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.relation import RELATIONS, MetamorphicRelation
from mutatis.core.search import Source
from mutatis.core.system import Helper, Response
from mutatis.core.transformation import derive
from mutatis.relations.soundness import rule_of
from mutatis.search.once import derivations
from mutatis.testing import ScriptedHelper

Drawn: TypeAlias = tuple[dict[str, Any], dict[str, Any]]
"""A line of the sheet, and its line of the key."""

VALUES = {"blocked": 1.0, "": 0.5}
"""The value of a right answer, where it is not its text."""

MATERIAL = re.compile(r"<([a-z_]+)-\w+>\n(.*?)\n</\1-\w+>", re.DOTALL)
"""A text that a prompt hands over, with its name."""

NO_REPLY = "(no reply yet) "

UNSEEN = ("tie", "criteria", "policy", "scale")
"""Fields that are the same everywhere."""


async def fits(relation: MetamorphicRelation, source: Case, variant: tuple[str, ...]) -> bool:
    """Whether the relation's preconditions on the source hold where its right answer is the system's."""
    turn = source.turns[0]
    answer = next(iter(turn.expected), "")
    response = Response(text=answer, value=VALUES.get(answer, answer))
    for condition in relation.preconditions:
        if condition.stage in (Stage.SOURCE_INPUT, Stage.SOURCE_OUTPUT):
            evidence = Evidence(task=source.task, case=source, turn=turn, response=response, fields=variant)
            held = condition.check(evidence)
            if not (await held if inspect.isawaitable(held) else held):
                return False
    return True


class Replies:
    """What a helper said to each prompt, from a file; prompts without a reply are noted."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        there = path is not None and path.exists()
        rows = map(json.loads, path.read_text(encoding="utf-8").splitlines()) if path is not None and there else ()
        self.replies: dict[str, str] = {row["prompt"]: row["reply"] for row in rows}
        self.helper: Helper | None = None if path is None else ScriptedHelper(self.reply)

    def reply(self, prompt: str) -> str:
        """Return the reply to a prompt; where there is none yet, what stands for it while prompts are collected."""
        texts = dict(MATERIAL.findall(prompt.rpartition("Now this material:")[2]))
        return self.replies.setdefault(prompt, "") or json.dumps({name: NO_REPLY + texts[name] for name in texts})

    def missing(self) -> int:
        """Write the prompts with their replies, and return how many have none."""
        if self.path is not None:
            write(self.path, [{"prompt": prompt, "reply": reply} for prompt, reply in self.replies.items()])
        return sum(not reply for reply in self.replies.values())


async def drawn(
    relation: MetamorphicRelation, cases: Sequence[Case], count: int, seed: int, helper: Helper | None
) -> list[Drawn]:
    """Return lines of the sheet with their lines of the key, one per source; `cases` are of one task."""
    if not cases:
        return []
    rng, pairs = Random(f"{relation.name} {cases[0].task} {seed}"), []
    for source in sorted(cases, key=lambda _: rng.random()):
        if len(pairs) == count:
            break
        plans = derivations(Source(case=source, relations=(relation,)))
        for plan in sorted(plans, key=lambda _: rng.random()):
            if not await fits(relation, source, plan.variant):
                continue
            try:
                follow_up = await derive(source, plan, seed=seed, helper=helper)
            except UnusableFollowUp as error:
                if helper is not None:
                    print(f"{relation.name} {source.id}: {error}")
                continue
            if not follow_up.same_input(source):
                pairs.append(lines(relation, source, follow_up))
                break
    return pairs


def lines(relation: MetamorphicRelation, source: Case, follow_up: Case) -> Drawn:
    """Return the line of the sheet and that of the key."""
    before, after = (
        {name: text for name, text in case.turns[0].fields.items() if name not in UNSEEN}
        for case in (source, follow_up)
    )
    settled = "' or '".join(follow_up.turns[0].annotations.get(EXPECTS, ()))
    ident = hashlib.blake2b(f"{relation.name} {source.id} {after}".encode(), digest_size=5).hexdigest()
    changed = {name: text for name, text in after.items() if before.get(name) != text}
    line = {
        "id": ident,
        "task": mutatis.tasks.TASKS[source.task].summary,
        "source": before,
        "right_answer": next(iter(source.turns[0].expected), "(a score)"),
        "changed": changed,
        "should_hold": rule_of(relation.output_relation.name).format(settled=settled),
    }
    key = {"id": ident, "relation": relation.name, "task": source.task, "fields": "+".join(changed)}
    return line, key | {"source": source.id}


def main() -> None:
    """Draw the plan."""
    parser = arguments(__doc__)
    parser.add_argument("--longest", type=int, help="characters of a source, at most")
    parser.add_argument("--replies", type=Path, help="what the helper said to each prompt")
    args = parser.parse_args()
    pairs: list[Drawn] = []
    replies = Replies(args.replies)
    for name, task, count in json.loads(args.plan.read_text(encoding="utf-8")):
        cases = [case for case in sources(task, args.data) if args.longest is None or length(case) <= args.longest]
        made = asyncio.run(drawn(RELATIONS[name], cases, count, args.seed, replies.helper))
        print(f"{name:24} {task:16} {len(made)} of {count}")
        pairs += made
    if missing := replies.missing():
        raise SystemExit(f"{missing} prompts in {args.replies} have no reply yet; write them, and run this again")
    Random(args.seed).shuffle(pairs)
    write(args.sheet, [line for line, _ in pairs])
    write(args.sheet.with_suffix(".key.jsonl"), [key for _, key in pairs])


if __name__ == "__main__":
    main()
