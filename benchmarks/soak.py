"""Campaigns one after another in one process against a server that fails half of the time: does anything pile up?

    python benchmarks/soak.py [--minutes 30] [--share 0.5] [--queries 2000] [--connections 32]

The server runs in a process of its own. After each campaign: memory, open handles and threads of this process. Exit
code 1 where handles or threads of the last quarter are more than in the second, or memory more than a tenth larger.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from faults import Faulty, campaign, score, web
from support.server import application


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What this process holds: megabytes, open handles, threads."""

    memory: float
    handles: int
    threads: int

    @classmethod
    def now(cls) -> State:
        """Return the state after everything that can be freed was freed."""
        gc.collect()
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return cls(
            memory=pages * os.sysconf("SC_PAGE_SIZE") / 2**20,
            handles=len(list(Path("/proc/self/fd").iterdir())),
            threads=threading.active_count(),
        )


async def serve(share: float) -> None:
    server = Faulty(answer=score, keep=False, share=share)
    runner = web.AppRunner(application(server), access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    print(f"http://127.0.0.1:{runner.addresses[0][1]}/v1", flush=True)
    await asyncio.Event().wait()


def soak(url: str, arguments: argparse.Namespace) -> list[State]:
    """Run campaigns until the time is over; return the state after each."""
    ends = time.monotonic() + 60 * arguments.minutes
    states: list[State] = []
    errors = verdicts = 0
    while time.monotonic() < ends or len(states) < 4:
        with tempfile.TemporaryDirectory() as folder:
            run = asyncio.run(campaign(url, Path(folder), arguments.queries, arguments.connections))
        verdicts += sum(row.judged + row.error + row.invalid for row in run.summary)
        errors += sum(row.error for row in run.summary)
        del run
        states.append(State.now())
        last = states[-1]
        print(
            f"campaign {len(states)}: {last.memory:.0f} MB, {last.handles} handles, {last.threads} threads; "
            f"{verdicts:,} verdicts so far, {errors:,} of them ERROR",
            flush=True,
        )
    return states


def compared(states: Sequence[State]) -> int:
    """Print the second quarter beside the last (the first warms up); return the exit code."""
    quarter = len(states) // 4
    early, late = states[quarter : 2 * quarter], states[-quarter:]
    memory = [statistics.median(state.memory for state in part) for part in (early, late)]
    handles = [max(state.handles for state in part) for part in (early, late)]
    threads = [max(state.threads for state in part) for part in (early, late)]
    print(f"second quarter and last: {memory[0]:.0f} and {memory[1]:.0f} MB (medians), ", end="")
    print(f"at most {handles[0]} and {handles[1]} handles, {threads[0]} and {threads[1]} threads")
    return int(memory[1] > 1.1 * memory[0] or handles[1] > handles[0] or threads[1] > threads[0])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--share", type=float, default=0.5)
    parser.add_argument("--queries", type=int, default=2000)
    parser.add_argument("--connections", type=int, default=32)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        asyncio.run(serve(arguments.share))
        return 0
    command = [sys.executable, __file__, "--serve", "--share", str(arguments.share)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            return compared(soak(server.stdout.readline().strip(), arguments))
        finally:
            server.kill()


if __name__ == "__main__":
    sys.exit(main())
