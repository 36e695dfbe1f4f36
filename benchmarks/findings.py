"""Seconds that each reader of a run takes on 50,000 findings, as whole commands, beside a command that reads nothing.

    python benchmarks/findings.py [--findings 50000] [--turns 10]

The run is written by the program itself, from a function system that violates on every case; `--turns` are the rounds
of each dialogue, so that a finding is as long as those of a campaign on dialogues. Exit code 1 where `show RUN ID`
takes more than a second over `mutatis --version`.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from mutatis.campaign.findings import FindingLog
from mutatis.core.cases import Case, Turn
from mutatis.core.decision import Decision, Outcome
from mutatis.core.relation import RELATIONS, Group, Observation
from mutatis.core.system import Response
from mutatis.core.verdict import Verdict
from mutatis.records import write_report
from mutatis.records.files import make_report
from mutatis.relations import relation  # noqa: F401 - fills the registry

PROSE = "and where did the old man who mends the clocks of the quiet town go when the long winter was over"


def violation(number: int, turns: int) -> Verdict:
    asked = tuple(Turn(fields={"question": f"{PROSE} {number} {turn}?"}) for turn in range(turns))
    case = Case(id=f"story/{number}", task="dialogue", turns=asked)
    history = tuple(f"answer {turn} of {number}" for turn in range(turns - 1))
    source = Observation(case=case, turn=turns - 1, response=Response(text="home"), history=history)
    member = Observation(case=case, turn=turns - 1, response=Response(text="away"), history=history)
    return Verdict(
        system="bot",
        relation=RELATIONS["upper-case"],
        source=case,
        turn=turns - 1,
        group=Group(source=source, members=(member,)),
        decision=Decision(outcome=Outcome.VIOLATED, score=0.1, reason="the answers differ"),
    )


def write(folder: Path, number: int, turns: int) -> str:
    """Write a run; return the hash of its last finding but one."""
    with FindingLog(folder, most_held=20, run="run") as log:
        for number_of in range(number):
            log(violation(number_of, turns))
        first, every = log.finish()
    row = {"system": "bot", "task": "dialogue", "relation": "upper-case", "invalid": 0, "error": 0}
    report = make_report(
        {
            "run": {"id": "r"},
            "summary": [{**row, "satisfied": 0, "violated": number, "distinct": number, "rate": 1.0}],
            "findings": first,
            "health": [],
            "metrics": {},
            "findings_file": every.file.to_json(),
        },
        every,
    )
    write_report(report, folder / "report.json")
    return every[number - 2].id


def timed(folder: Path, *arguments: str) -> tuple[float, float]:
    """Return the seconds and the peak memory (MB) of a command."""
    code = (
        "import sys; from mutatis.cli import main\n"
        "try: main()\n"
        "finally: print(*[x.split()[1] for x in open('/proc/self/status') if 'VmHWM' in x], file=sys.stderr)"
    )
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=folder, capture_output=True, text=True, check=False,
        env={**os.environ, "COLUMNS": "120"},
    )  # fmt: skip
    seconds = time.perf_counter() - began
    if done.returncode:
        sys.exit(f"{arguments}: {done.stderr}")
    return seconds, int(done.stderr.splitlines()[-1]) / 1024


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--findings", type=int, default=50_000)
    parser.add_argument("--turns", type=int, default=10)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        began = time.perf_counter()
        last = write(folder / "run", arguments.findings, arguments.turns)
        seconds = time.perf_counter() - began
        subprocess.run(["cp", "-r", "run", "again"], cwd=folder, check=True)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        sizes = {path.name: path.stat().st_size / 2**20 for path in sorted((folder / "run").iterdir())}
        print(f"{arguments.findings:,} findings written in {seconds:.1f} s with {peak:.0f} MB:", end=" ")
        print(", ".join(f"{file} {size:.1f} MB" for file, size in sizes.items()))
        taken = {}
        for command in (
            ["--version"],
            ["show", "run", last],
            ["show", "run", last[:7]],
            ["show", "run"],
            ["report", "run", "-o", "page.html"],
            ["report", "run", "--format", "junit", "-o", "junit.xml"],
            ["report", "run", "--format", "csv", "-o", "sheet.csv"],
            ["compare", "run", "again"],
        ):
            taken[" ".join(command[:1] + command[2:])], memory = timed(folder, *command)
            print(f"  {list(taken.values())[-1]:6.2f} s {memory:6.0f} MB  mutatis {json.dumps(command)[1:-1]}")
        return int(taken[f"show {last}"] > taken["--version"] + 1)


if __name__ == "__main__":
    sys.exit(main())
