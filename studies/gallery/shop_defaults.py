"""Which planted faults of the gallery's shop the default sets of chat find, with one seed and nothing named.

python studies/gallery/shop_defaults.py
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from mutatis.assembly.campaign import HandedOver, assemble
from mutatis.campaign.session import conduct
from mutatis.config import check
from mutatis.query import Store
from mutatis.records import VerdictRecord, read_verdicts
from mutatis.testing.gallery import SHOP_FAULTS, ShopSystem, shop_cases, shop_system


def judged(system: ShopSystem) -> list[VerdictRecord]:
    """Test a system with the default sets and return what was decided."""
    config = check({"noise_floor": 0, "confirm": 0, "shrink": 0}, objects=("systems", "data"))
    with tempfile.TemporaryDirectory() as name, Store(Path(name) / "s.db") as store:
        handed = HandedOver(systems=[system], cases=list(shop_cases()), task="chat")
        asyncio.run(conduct(assemble(config, store, handed), folder=Path(name)))
        return [verdict for verdict in read_verdicts(Path(name)) if verdict.outcome in ("satisfied", "violated")]


def shows(system: ShopSystem, verdict: VerdictRecord) -> bool:
    """Whether the fault of a system shows on an input of a verdict."""
    inputs = [verdict.source_input, *(member.input for member in verdict.followups)]
    return any(system.errs(fields["message"]) for fields in inputs)


def main() -> None:
    """Print the faults with the relations that find them."""
    verdicts = judged(shop_system())
    print(f"without a fault: {sum(v.outcome == 'violated' for v in verdicts)} of {len(verdicts)} violated")
    detected = 0
    for fault in SHOP_FAULTS:
        system = shop_system(fault.name)
        violated = [verdict for verdict in judged(system) if verdict.outcome == "violated"]
        telling = sorted({verdict.relation for verdict in violated if shows(system, verdict)})
        beside = sum(not shows(system, verdict) for verdict in violated)
        detected += bool(telling)
        print(
            f"{fault.name:22} {len(violated):3} violated, {beside} beside the fault: {', '.join(telling)}", flush=True
        )
    print(f"detected: {detected} of {len(SHOP_FAULTS)}")


if __name__ == "__main__":
    main()
