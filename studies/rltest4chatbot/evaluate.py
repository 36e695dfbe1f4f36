"""How good a tracker is: joint goal accuracy, slot accuracy, slot F1, dialogues right at every turn, time per turn.

python studies/rltest4chatbot/evaluate.py --system builtin:tracker --data test.json.xz
python studies/rltest4chatbot/evaluate.py --system trade:checkpoint --data test.json.xz
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from pathlib import Path

from mutatis.core.system import Conversation, Response, System
from mutatis.datasets import read
from mutatis.rltest4chatbot.metrics import state_accuracy
from mutatis.rltest4chatbot.states import differing_slots, read_state
from mutatis.systems import SYSTEMS
from mutatis.tasks import TASKS


async def answers(system: System, conversations: list[Conversation]) -> list[Response]:
    """Return the system's answers, in one batch where it takes batches."""
    many = getattr(system, "ask_many", None)
    if many is not None:
        return list(await many(conversations))
    return [await system.ask(conversation) for conversation in conversations]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--system", default="builtin:tracker", help="TYPE:NAME")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--format", default="multiwoz21", choices=["multiwoz21", "multiwoz22", "states"])
    parser.add_argument("--limit", type=int, help="dialogues at most")
    parser.add_argument("--normalisation", default="usual", choices=["usual", "none"])
    args = parser.parse_args()
    kind, _, name = args.system.partition(":")
    system = SYSTEMS[kind](**{SYSTEMS[kind].options[0]: name})
    cases = read(args.format, args.data, limit=args.limit)
    converse = TASKS["dialogue-state"].converse
    turns = [(case, turn) for case in cases for turn in range(len(case.turns)) if case.turns[turn].expected]
    asked = [converse(case, turn, [""] * turn) for case, turn in turns]
    started = time.perf_counter()
    replies = asyncio.run(answers(system, asked))
    seconds = time.perf_counter() - started
    pairs = [
        (json.loads(case.turns[turn].expected[0]), read_state(answer.text) or {})
        for (case, turn), answer in zip(turns, replies, strict=True)
    ]
    print(state_accuracy(pairs, normalisation=args.normalisation))
    wrong = {
        case.id
        for (case, _), (gold, said) in zip(turns, pairs, strict=True)
        if differing_slots(gold, said, args.normalisation)
    }
    right = sum(not differing_slots(*pair, args.normalisation) for pair in pairs)
    print(f"{len(cases) - len(wrong)} of {len(cases)} dialogues are right at every turn, {right} of {len(pairs)} turns")
    print(f"{1000 * seconds / len(asked):.1f} ms per turn")


if __name__ == "__main__":
    main()
