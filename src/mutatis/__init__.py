"""Finds where a language model, chatbot or text classifier contradicts itself, without labels.

    import mutatis

    run = mutatis.run(mutatis.system("builtin", name="sentiment"), cases, ["tag:robustness"], task="sentiment")
    print(run.table())
    run.check(max_rate=0.05)

Names are loaded on first use, so importing the package is cheap.
"""

from __future__ import annotations

import sys

from mutatis.core.removed import RemovedModules

TYPE_CHECKING = False  # not typing's: loading that takes longer than all else here, before a command can be interrupted
if TYPE_CHECKING:
    from typing import Any

_HOMES = {
    "Case": "mutatis.core.cases",
    "Comparison": "mutatis.core.measure",
    "Constraint": "mutatis.core.constraint",
    "Conversation": "mutatis.core.system",
    "GateFailed": "mutatis.reports.run",
    "Judge": "mutatis.core.measure",
    "MetamorphicRelation": "mutatis.core.relation",
    "MutatisError": "mutatis.core.errors",
    "Outcome": "mutatis.core.decision",
    "Precondition": "mutatis.core.constraint",
    "Response": "mutatis.core.system",
    "Run": "mutatis.reports.run",
    "SystemFailure": "mutatis.core.errors",
    "Turn": "mutatis.core.cases",
    "UnusableFollowUp": "mutatis.core.errors",
    "UsageError": "mutatis.core.errors",
    "cases": "mutatis.api",
    "judge": "mutatis.measures",
    "measure": "mutatis.measures",
    "read_cases": "mutatis.api",
    "read_run": "mutatis.api",
    "relation": "mutatis.relations",
    "report": "mutatis.api",
    "run": "mutatis.api",
    "run_async": "mutatis.api",
    "sample": "mutatis.datasets",
    "system": "mutatis.api",
    "transformation": "mutatis.core.transformation",
}

__all__ = sorted(_HOMES)

sys.meta_path.append(RemovedModules)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'mutatis' has no attribute {name!r}")
    import importlib

    home = importlib.import_module(_HOMES[name])
    value = globals()[name] = getattr(home, name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
