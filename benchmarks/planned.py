"""Compares what `--plan` says that a run costs with what the run then pays for.

    python benchmarks/planned.py [RUN ...]

Runs: the demo's two, the bots of the gallery, and the fixed runs (`python -m benchmarks.fixed`).
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import io
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mutatis.assembly.campaign import HandedOver, assemble
from mutatis.campaign.plan import Estimate, estimate
from mutatis.campaign.session import conduct
from mutatis.cli import demo
from mutatis.config import Config, check
from mutatis.query import Store

sys.path.insert(0, str(Path(__file__).parents[1]))

GALLERY: Any = importlib.import_module("mutatis.testing.gallery")  # its name in `mutatis.testing` is a function

FIXED = ["chat", "question-answering", "dialogue", "inference", "sentiment", "extraction", "dialogue-state",
         "tool-call", "grading", "limits", "sweep"]  # fmt: skip


def shipped() -> list[Config]:
    """Return the configurations that `mutatis demo` runs."""
    configs: list[Config] = []

    def keep(config: Config, *, out: Path) -> int:
        configs.append(config)
        return 0

    demo.run_command = keep  # type: ignore[assignment]
    with contextlib.redirect_stdout(io.StringIO()):
        demo.demo(Path(tempfile.mkdtemp()))
    return configs


def handed_over(system: Any, cases: Any, **more: Any) -> Callable[[], tuple[Config, HandedOver]]:
    """Return what a program hands over to test one system on these cases."""
    return lambda: (check(more, objects=("systems", "data")), HandedOver(systems=[system()], cases=list(cases())))


def named(name: str) -> Callable[[], tuple[Config, HandedOver]]:
    """Return a fixed run."""
    from benchmarks.fixed.runs import configuration

    return lambda: (configuration(name), HandedOver())


RUNS: dict[str, Callable[[], tuple[Config, HandedOver]]] = {
    "demo": lambda: (shipped()[0], HandedOver()),
    "demo, search": lambda: (shipped()[1], HandedOver()),
    "inn, right": handed_over(GALLERY.inn_system, GALLERY.inn_cases),
    "inn, a fault": handed_over(lambda: GALLERY.inn_system("inn-agrees"), GALLERY.inn_cases),
    "shop, a fault": handed_over(lambda: GALLERY.shop_system("shop-no-signs"), GALLERY.shop_cases),
    "inference, a fault": handed_over(lambda: GALLERY.planted("count-blind"), lambda: GALLERY.world("inference")),
    "sentiment, right": handed_over(lambda: GALLERY.perfect("sentiment"), lambda: GALLERY.world("sentiment")),
    "agent": handed_over(GALLERY.agent, GALLERY.agent_world),
    **{f"fixed {name}": named(name) for name in FIXED},
}


def planned_and_paid(make: Callable[[], tuple[Config, HandedOver]]) -> tuple[Estimate, int]:
    """Return the plan of a run and how many questions it then paid for, systems and helper."""
    config, objects = make()
    with Store(None) as store:
        plan = asyncio.run(estimate(assemble(config, store, objects), store))
    config, objects = make()
    with Store(None) as store:
        campaign = assemble(config, store, objects)
        asyncio.run(conduct(campaign))
        return plan, sum(layer.counts.paid + layer.counts.errors for layer in campaign.layers)


def main() -> None:
    names = sys.argv[1:] or list(RUNS)
    print(f"{'run':<26}{'expected':>9}{'at most':>9}{'paid':>7}{'expected/paid':>15}")
    for name in names:
        plan, paid = planned_and_paid(RUNS[name])
        most = "" if plan.most is None else str(plan.most)
        print(f"{name:<26}{plan.expected:>9}{most:>9}{paid:>7}{plan.expected / max(1, paid):>15.2f}", flush=True)


if __name__ == "__main__":
    main()
