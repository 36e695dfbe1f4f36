"""Processor time of a run of which every answer is stored: 30 questions of SQuAD 2.0, robustness, wording and logic.

    python benchmarks/rerun.py [--questions 30] [--data dev-v2.0.json.xz] [--profile]

A run is done once, and repeated on its store by a process of its own. Printed: milliseconds of processor time per
verdict, without the start of the process; then the same with contexts twice as long, and by what the time grows with
them. Exit code 1 where a verdict takes more than `MOST` milliseconds, or twice the text more than 2.5 times as long.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import os
import pstats
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

MOST = 2.0
"""Milliseconds per verdict."""

DATA = Path(os.environ.get("MUTATIS_SHARED", "../shared")) / "data"
BOT = '''
import re

def answer(fields):
    """What stands in the context after the last word that it shares with the question: wrong, and easily swayed."""
    asked = set(re.findall(r"[a-z]{4,}", fields["question"].lower()))
    words = fields["context"].split()
    shared = [place for place, word in enumerate(words[:-3]) if word.lower().strip(".,") in asked]
    place = shared[-1] + 1 if shared else 0
    return " ".join(words[place : place + 3])
'''
CONFIG = """
relations = ["tag:robustness", "tag:wording", "tag:logic"]
[system]
type = "function"
target = "bot.py:answer"
input = "fields"
[data]
task = "question-answering"
format = "jsonl"
path = "rows.jsonl"
"""


def run(folder: Path, *, profile: bool) -> None:
    """Run what stands in a folder."""
    from mutatis.cli import main

    sys.argv = ["mutatis", "run", str(folder / "run.toml"), "--out", str(folder / "out")]
    profiler = cProfile.Profile()
    try:
        profiler.runcall(main) if profile else main()
    except SystemExit as done:
        if done.code:
            raise
    if profile:
        pstats.Stats(profiler).sort_stats("tottime").print_stats(35)


def spent(*arguments: str) -> float:
    """Return the processor seconds of a process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def written(folder: Path, rows: list[dict[str, str]]) -> Path:
    """Write the files of a run into a folder."""
    folder.mkdir()
    (folder / "bot.py").write_text(BOT)
    (folder / "run.toml").write_text(CONFIG)
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def measured(folder: Path, rows: list[dict[str, str]], tries: int) -> float:
    """Return the milliseconds per verdict of a run that is repeated on its store."""
    first = spent(__file__, "--run", str(written(folder, rows)))
    start = min(spent("-c", "import mutatis.cli.run") for _ in range(tries))
    again = min(spent(__file__, "--run", str(folder)) for _ in range(tries))
    report = json.loads((folder / "out" / "report.json").read_text())
    assert not report["run"]["queries"]["paid"], "not every answer was stored"
    with (folder / "out" / "verdicts.jsonl").open() as lines:
        verdicts = sum(1 for _ in lines)
    length = sum(len("".join(row.values())) for row in rows) / len(rows)
    each = 1000 * (again - start) / verdicts
    print(f"{verdicts} verdicts, {len(report['findings'])} findings, {length:.0f} characters a source:", end=" ")
    print(f"{first:.1f} s at first, {again:.1f} s again, {start:.1f} of them to start;", end=" ")
    print(f"{each:.2f} ms a verdict, {1000 * each / length:.2f} us a character", flush=True)
    return each


def main(arguments: argparse.Namespace) -> int:
    from mutatis.datasets import DATASETS

    cases = list(DATASETS["squad2"].read(arguments.data, {"limit": arguments.questions * 20}))[::20]
    rows = [dict(case.turns[0].fields) for case in cases]
    if arguments.profile:
        with tempfile.TemporaryDirectory() as name:
            folder = written(Path(name) / "plain", rows)
            spent(__file__, "--run", str(folder))
            run(folder, profile=True)
        return 0
    others = [row["context"] for row in (*rows[1:], rows[0])]
    longer = [{**row, "context": f"{row['context']} {other}"} for row, other in zip(rows, others, strict=True)]
    with tempfile.TemporaryDirectory() as name:
        each = measured(Path(name) / "plain", rows, arguments.tries)
        twice = measured(Path(name) / "long", longer, arguments.tries)
    print(f"twice the text takes {twice / each:.2f} times as long")
    return int(each > MOST or twice / each > 2.5)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=30)
    parser.add_argument("--data", type=Path, default=DATA / "squad2" / "dev-v2.0-rebuilt.json.xz")
    parser.add_argument("--tries", type=int, default=3, help="of so many runs the shortest counts")
    parser.add_argument("--profile", action="store_true", help="print where the time goes, and stop")
    parser.add_argument("--run", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.run:
        run(args.run, profile=False)
    else:
        sys.exit(main(args))
