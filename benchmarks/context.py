"""Context checks per second: reading a seed once, then judging its follow-ups.

    python benchmarks/context.py [COQA.json.xz] [--dialogues 100]

Without a file the dialogues are made up (16 turns, a short story).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import lzma
import random
import time
from pathlib import Path

from mutatis.context.decisions import ContextOptions
from mutatis.context.knowledge import Dialogue
from mutatis.context.offline.extractor import Offline

FOLLOW_UPS = 5


def made_up(count: int) -> list[Dialogue]:
    people, places = ["Nora Quinn", "Tom Reilly", "Edith Moss"], ["Ardmore", "Westport", "Kilrush"]
    result = []
    for number in range(count):
        rng = random.Random(number)
        questions, answers = [f"Who was {rng.choice(people)}?"], ["A keeper of the lighthouse."]
        for turn in range(15):
            questions.append(
                rng.choice(["Where did she go next?", "Why?", "What did he build there?", "Was the tower old?"])
            )
            answers.append(f"{rng.choice(people)} went to {rng.choice(places)} in {1800 + turn}.")
        story = " ".join(answers * 3)
        result.append(Dialogue(id=str(number), questions=tuple(questions), answers=tuple(answers), story=story))
    return result


def read_coqa(path: Path, count: int) -> list[Dialogue]:
    raw = path.read_bytes()
    data = json.loads(lzma.decompress(raw) if path.suffix == ".xz" else raw)["data"]
    return [
        Dialogue(
            id=dialogue["id"],
            questions=tuple(turn["input_text"] for turn in dialogue["questions"]),
            answers=tuple(turn["input_text"] for turn in dialogue["answers"]),
            story=dialogue["story"],
        )
        for dialogue in data[:count]
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path, nargs="?")
    parser.add_argument("--dialogues", type=int, default=100)
    arguments = parser.parse_args()
    seeds = read_coqa(arguments.path, arguments.dialogues) if arguments.path else made_up(arguments.dialogues)
    reader = Offline()
    asyncio.run(reader.extract(seeds[0]))
    started = time.perf_counter()
    judges = [asyncio.run(reader.extract(seed)) for seed in seeds]
    middle = time.perf_counter()
    turns = 0
    for seed, judge in zip(seeds, judges, strict=True):
        rng = random.Random(seed.id)
        for _ in range(FOLLOW_UPS):
            turns += len(judge.judge(rng.sample(range(len(seed)), len(seed)), ContextOptions()))
    ended = time.perf_counter()
    print(f"seeds read            {len(seeds):8}   {len(seeds) / (middle - started):10.1f} per second")
    follow_ups = len(seeds) * FOLLOW_UPS
    print(f"follow-ups judged     {follow_ups:8}   {follow_ups / (ended - middle):10.1f} per second")
    print(f"turns judged          {turns:8}   {turns / (ended - middle):10.1f} per second")
    print(f"turns, reading too    {turns:8}   {turns / (ended - started):10.1f} per second")


if __name__ == "__main__":
    main()
