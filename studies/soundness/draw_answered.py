"""Draws follow-ups of relations that go by the source's answer, or by the course of a chat, onto blind sheets.

    python studies/soundness/draw_answered.py PLAN.json SHEET.jsonl [--data ../shared/data] [--seed 1]

PLAN holds rows [relation, count]. Sources come from several domains in turn: the bots of `studies/repertoire` with what
they reply, dialogues of MultiWOZ with the replies of the data, messages of BANKING77 (no reply), and messages written
for this study (`own_messages.py`). A follow-up is drawn where the relation's conditions on input and answer hold; the
sheet shows that answer and what the relation would demand of the new one.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import chain, zip_longest
from pathlib import Path
from random import Random
from typing import Any

from draw import arguments, write
from draw_chat import STANCES, cases, holds, shown
from own_messages import DIALOGUES, MESSAGES

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from studies.repertoire.truth import BOTS, load

from mutatis.assembly.blocks import with_names
from mutatis.core.cases import NEW, Case, Turn
from mutatis.core.constraint import Stage
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.relation import RELATIONS, MetamorphicRelation
from mutatis.core.search import Source
from mutatis.core.transformation import completed_by, derive, reads_answer
from mutatis.relations.soundness import rule_of
from mutatis.search.once import derivations

NAMES = {
    "shop": "Nova phone, Orbit tablet, Breeze laptop, Pulse headset, Lumen lamp, Harbor speaker, Glide mouse, "
    "Swift charger",
    "carhire": "hatchback, SUV, convertible, pickup, electric saloon, estate car, minivan, city car",
    "transit": "single ticket, day ticket, weekly ticket, monthly ticket, annual pass, evening ticket, group ticket",
}
"""What users of these bots would list in `[data] names`; products of the others are those that their messages show."""

DEMANDED = {
    "another-value": "Where the source answer names the old product, the new answer must not name the old one; where "
    "it names a product there, it must be the new one. (What it says of it may be the same. An answer that names both, "
    "or none, or refuses, is allowed.)",
}
"""What is demanded, where two readers took the general words otherwise."""

SAME = "The answer to the last message must be what the source answer says (what the user wants is the same)."


def _case(name: str, rounds: list[tuple[str, str | None]]) -> Case:
    turns = tuple(Turn(fields={"message": asked}, reply=reply) for asked, reply in rounds)
    return Case(id=name, turns=turns, task="chat")


def bot_cases(name: str) -> list[Case]:
    """Return the messages and dialogues of a bot with its replies."""
    bot = load(name)
    made = []
    dialogues: list[tuple[str, ...]] = [*((text,) for text in bot.MESSAGES), *getattr(bot, "DIALOGUES", ())]
    for number, turns in enumerate(dialogues):
        replies = [bot.reply(turns[: i + 1], draw=number).text for i in range(len(turns))]
        made.append(_case(f"{name}/{number}", list(zip(turns, replies, strict=True))))
    return made


def _unanswered(case: Case) -> tuple[Turn, ...]:
    """Return the turns without what their label says: nobody replied."""
    return tuple(replace(turn, expected=()) for turn in case.turns)


def own_cases() -> list[Case]:
    """Return what was written for this study."""
    made = []
    talk = Path(__file__).with_name("own_talk.txt").read_text(encoding="utf-8").splitlines()[1:]
    for number, line in enumerate(chain(MESSAGES.strip().splitlines(), talk, DIALOGUES.strip().splitlines())):
        domain, *said = line.split(" | ")
        made.append(_case(f"own-{domain}/{number}", list(zip(said[::2], said[1::2], strict=True))))
    return made


@cache
def domains(data: Path) -> list[list[Case]]:
    """Return the sources by where they come from."""
    banking = [
        replace(case, id=f"banking77/{case.id}", turns=_unanswered(case)) for case in cases("chat", False, data)[::3]
    ]
    by_domain: dict[str, list[Case]] = {}
    for case in own_cases():
        by_domain.setdefault(case.id.partition("/")[0], []).append(case)
    rides = [replace(case, id=f"multiwoz/{case.id}") for case in cases("chat", True, data)]
    bots = [with_names(bot_cases(name), NAMES.get(name, "").split(", ")) for name in BOTS]
    return [*map(list, bots), rides, banking, *by_domain.values()]


def mixed(data: Path, rng: Random) -> Iterator[Case]:
    """Yield sources, one of each domain in turn."""
    parts = [sorted(part, key=lambda _: rng.random()) for part in domains(data)]
    for row in zip_longest(*parts):
        yield from (case for case in row if case is not None)


def transcript(made: Case, source: Case, turn: int) -> str:
    """Return a follow-up as far as its judged turn; a repeated turn of the source has the source's reply."""
    replies = {t.question: t.reply for t in source.turns if t.reply}
    turns = tuple(replace(t, reply=t.reply or replies.get(t.question)) for t in made.turns)
    return shown(replace(made, turns=turns), turn)


async def judged(relation: MetamorphicRelation, source: Case, seed: int, rng: Random) -> tuple[Case, int] | None:
    """Return a follow-up and the turn that the relation judges, or None."""
    plans = derivations(Source(case=source, relations=(relation,)))
    for plan in sorted(plans, key=lambda _: rng.random()):
        try:
            last = source.turns[-1]
            completed = completed_by(plan, last.question, last.reply or "") if reads_answer(plan) else plan
        except UnusableFollowUp:
            continue
        made = await derive(source, completed, seed=seed)
        for turn in range(len(made.turns)):
            origin = made.origin(turn)
            if origin == NEW or relation.role_of(made, turn, source) is None:
                continue
            if shown(made, turn) == shown(source, origin):
                continue
            stages = (Stage.SOURCE_INPUT, Stage.SOURCE_OUTPUT)
            if all([await holds(relation, stage, source, origin) for stage in stages]):
                return made, turn
    return None


async def drawn(name: str, count: int, data: Path, seed: int) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return lines of the sheet with their lines of the key; one per source."""
    relation, rng, chosen, seen = RELATIONS[name], Random(f"{name} {seed}"), [], set()
    for source in mixed(data, rng):
        if len(chosen) == count:
            break
        pair = await judged(relation, source, seed, rng)
        if pair is None:
            continue
        made, turn = pair
        before, after = shown(source, made.origin(turn)), transcript(made, source, turn)
        if after in seen:
            continue
        seen.add(after)
        ident = hashlib.blake2b(f"{name} {before} {after}".encode(), digest_size=5).hexdigest()
        answer = source.turns[made.origin(turn)].reply or "(an answer)"
        rule = rule_of(relation.output_relation.name) if relation.expects != "same" else SAME
        rule = DEMANDED.get(name) or STANCES.get(name, rule)
        line = {"id": ident, "source": before, "source_answer": answer, "follow_up": after, "should_hold": rule}
        key = {"id": ident, "relation": name, "task": "chat", "fields": "message", "source": source.id}
        chosen.append((line, key))
    return chosen


def main() -> None:
    """Draw what the plan says."""
    args = arguments(__doc__).parse_args()
    every_line = []
    for name, count in json.loads(args.plan.read_text(encoding="utf-8")):
        lines = asyncio.run(drawn(name, count, args.data, args.seed))
        of = sorted({key["source"].partition("/")[0] for _, key in lines})
        print(f"{name:24} {len(lines)} of {count} from {len(of)}: {', '.join(of)}")
        every_line += lines
    Random(args.seed).shuffle(every_line)
    write(args.sheet, [line for line, _ in every_line])
    write(args.sheet.with_suffix(".key.jsonl"), [key for _, key in every_line])


if __name__ == "__main__":
    main()
