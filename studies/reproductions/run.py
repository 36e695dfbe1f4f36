"""Runs what of the reproductions takes an hour on two cores, one command after the other: `make reproductions`.

    python studies/reproductions/run.py [--data FOLDER] [--out FOLDER] [--only NAME,NAME] [--list]

Each command writes to FOLDER/NAME.log what it prints. One line per command says `NAME ran`, `NAME skipped REASON` or
`NAME failed LOG`, with its seconds, by the clock and of a processor. Where the repository holds what a command printed,
the line says how many rows of tables came out otherwise. Without the public data everything that needs them is skipped,
and each row of the page that lacks something is named, with what it needs.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shlex
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import page

ROOT = Path(__file__).resolve().parents[2]


def commands() -> dict[str, Mapping[str, Any]]:
    """Return the commands of `make reproductions` by name."""
    return {
        name: command
        for publication in page.publications()
        for name, command in publication["commands"].items()
        if command.get("hour")
    }


def missing_files(command: Mapping[str, Any], data: Path) -> list[str]:
    """Return the files of public data that a command needs and that are not there."""
    files = [*re.findall(r"\{data\}/([^\s'\"]+)", command["line"]), *command.get("files", ())]
    return [name for name in files if not (data / name).exists()]


def rows_in_need(data: Path) -> list[str]:
    """Return a line for each row of the page of which a command lacks something, with what it lacks."""
    lines = []
    for publication in page.publications():
        for row in publication["rows"]:
            commands_of = [publication["commands"][name] for name in row.get("commands", ())]
            lacking = [name for command in commands_of for name in missing_files(command, data)]
            lacking += [command["needs"] for command in commands_of if "needs" in command]
            if lacking:
                lines.append(f"{publication['title']}, {row['what']}: needs {', '.join(dict.fromkeys(lacking))}")
    return lines


def run(command: Mapping[str, Any], data: Path, out: Path, log: Path) -> str:
    """Run a command; return what became of it."""
    if missing := missing_files(command, data):
        return f"skipped no {data / missing[0]}"
    words = [word.format(data=data, out=out, python=sys.executable) for word in shlex.split(command["line"])]
    words[0] = sys.executable if words[0] == "python" else words[0]
    with log.open("w", encoding="utf-8") as file:
        code = subprocess.run(words, cwd=ROOT, stdout=file, stderr=subprocess.STDOUT, check=False).returncode
    return "ran" if code == 0 else f"failed {log}"


def compared(log: Path, printed: Path) -> str:
    """Say how many rows of the tables in a log do not stand in what the repository holds of them."""
    rows, known = (
        [line.strip() for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
        for path in (log, printed)
    )
    others = sum(row not in known for row in rows)
    return f"{others or 'none'} of {len(rows)} rows other than in {printed.relative_to(ROOT)}"


def processor_seconds() -> float:
    """Return what the commands that have ended took of all processors."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the commands; return 1 where one of them failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder of the public data; by default that of MUTATIS_SHARED")
    parser.add_argument("--out", type=Path, default=Path("reproductions-out"))
    parser.add_argument("--only", default="", help="names of commands, separated by commas")
    parser.add_argument("--list", action="store_true", help="name the commands and run none")
    args = parser.parse_args(arguments)
    chosen = commands()
    if args.only:
        unknown = [name for name in args.only.split(",") if name not in chosen]
        if unknown:
            parser.error(f"--only {unknown[0]}: expected some of {', '.join(chosen)}")
        chosen = {name: chosen[name] for name in args.only.split(",")}
    if args.list:
        print("\n".join(f"{name}: {page.shown(command['line'])}" for name, command in chosen.items()))
        return 0
    shared = Path(os.environ.get("MUTATIS_SHARED", ROOT.parent / "shared"))
    data, out = (args.data or shared / "data").absolute(), args.out.absolute()
    out.mkdir(parents=True, exist_ok=True)
    failed = False
    for name, command in chosen.items():
        started, used = time.perf_counter(), processor_seconds()
        log = out / f"{name}.log"
        said = run(command, data, out, log)
        failed |= said.startswith("failed")
        took = f"{time.perf_counter() - started:.0f} s, {processor_seconds() - used:.0f} s of a processor"
        other = f": {compared(log, ROOT / command['printed'])}" if said == "ran" and "printed" in command else ""
        print(f"{name} {said} ({took}){other}", flush=True)
    if any(missing_files(command, data) for command in chosen.values()):
        print("\n".join(rows_in_need(data)))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
