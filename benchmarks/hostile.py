"""What everything that reads texts takes on hostile ones, at a length and at twice of it: is it in proportion?

    python benchmarks/hostile.py [--length 500000] [--only "judge"] [--shape "spaces"]
                                 [--from "judge"] [--until "parser"]

A row per job (a relation, a judge, a parser, marking, ...), a column per shape of `tests/support/hostile.py`: by what
the processor time grows from `--length` characters to twice as many, and the seconds at the longer ones, of the slowest
shape. Exit code 1 where something grows by more than 2.5. At the default length, half a million characters, all takes
about an hour; `tests/faults/test_hostile_text.py` asks the same of short texts.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from itertools import dropwhile, takewhile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from support.hostile import MOST, SHAPES, Growth, Job, jobs, uncollected, warm


def between(table: Iterable[Job], first: str, until: str) -> Iterator[Job]:
    """Yield the jobs of a table from the first whose name holds `first`, up to the next whose name holds `until`."""
    rest = dropwhile(lambda job: first not in job.name, table)
    return takewhile(lambda job: not until or until not in job.name, rest)


def main(arguments: argparse.Namespace) -> int:
    shapes = [shape for shape in SHAPES if arguments.shape in shape]
    print(f"{'growth from ' + str(arguments.length) + ' characters to twice as many':<58}", end="")
    print(*(f"{shape.split()[0][:9]:>9}" for shape in shapes), "  seconds", flush=True)
    slow = []
    for job in between(jobs(every_task=arguments.every_task), arguments.first, arguments.until):
        if arguments.only not in job.name:
            continue
        warm(job)
        with uncollected():
            row = [Growth(job=job, shape=shape, length=arguments.length) for shape in shapes]
            ratios = [growth.measure(MOST, tries=4, longer=1) for growth in row]
        print(f"{job.name:<58}", *(f"{ratio:>9.2f}" for ratio in ratios), end="")
        print(f"{max(growth.more for growth in row):>9.2f}", flush=True)
        slow += [growth for growth in row if growth.ratio > MOST]
    for growth in slow:
        print(f"not in proportion: {growth.job.name}, {growth.shape}: {growth.once:.3f} s, {growth.twice:.3f} s")
    return bool(slow)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--length", type=int, default=500_000)
    parser.add_argument("--only", default="", help="jobs whose names hold this")
    parser.add_argument("--from", dest="first", default="", help="begin with the first job whose name holds this")
    parser.add_argument("--until", default="", help="end before the next job whose name holds this")
    parser.add_argument("--shape", default="", help="shapes whose names hold this")
    parser.add_argument("--every-task", action="store_true", help="relations on every task, not on the first alone")
    sys.exit(main(parser.parse_args()))
