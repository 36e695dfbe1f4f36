"""Checks fresh inputs against the regions of an oracle file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mutatis.config import Config
from mutatis.core.errors import UsageError
from mutatis.core.search import Source, kinds
from mutatis.core.task import TASKS
from mutatis.relations.oracle import oracle_relation
from mutatis.relations.region import load_oracle


def judged_by_regions(
    config: Config, sources: Sequence[Source], systems: Sequence[str], notes: list[str]
) -> list[Source]:
    """Return fresh inputs as sources that are judged only by the regions of `oracle`."""
    assert config.oracle is not None
    if config.search.type != "once":
        raise UsageError("an oracle judges inputs as they are; leave out [search] or the oracle")
    regions = load_oracle(config.path(config.oracle))
    fitting = [
        r for r in regions if r.system in systems and any(kind.example.task == r.task for kind in kinds(sources))
    ]
    if not fitting:
        known = ", ".join(sorted({f"{r.system} on {r.task}" for r in regions})) or "nothing"
        raise UsageError(f"oracle {config.oracle} has no region of {', '.join(systems)}; it has regions of: {known}")
    notes += [f"oracle: {region.line}" for region in fitting]
    judged = []
    for system in systems:
        for source in (source for source in sources if source.concerns(system)):
            # A number has no label to be compared with: data mark a sentiment 0 or 1, systems say 0.62.
            annotated = bool(source.case.turns[0].expected) and TASKS[source.task].kind != "number"
            labelled = config.reference != "source" and annotated
            regions_here = [r for r in fitting if (r.system, r.task) == (system, source.task)]
            relations = tuple(oracle_relation(region, source.case, labelled=labelled) for region in regions_here)
            judged += [replace(source, relations=relations, systems=(system,))] if relations else []
    return judged
