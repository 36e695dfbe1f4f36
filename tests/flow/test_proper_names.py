"""Names of products in a whole run: edits that exchange words leave them alone, and verdicts do not list them."""

from __future__ import annotations

import asyncio
from pathlib import Path

from mutatis.assembly.campaign import HandedOver, assemble
from mutatis.campaign.session import conduct
from mutatis.config import check
from mutatis.query import Store
from mutatis.records import read_verdicts
from mutatis.testing import ScriptedSystem

MESSAGES = (
    "i bought the movie pass and lost it",
    "is the movie pass still sold",
    "the movie pass was declined",
    "how do i get a movie pass",
    "this is an error of your cinema",
)


def test_synonyms_leave_names_of_the_data_and_of_the_list_alone(tmp_path: Path) -> None:
    (tmp_path / "messages.txt").write_text("\n".join(MESSAGES), encoding="utf-8")
    data = {"format": "lines", "path": "messages.txt", "names": ["Cinema error"]}
    settings = {"data": data, "noise_floor": 0, "confirm": 0, "relations": ["synonyms-lexicon"]}
    config = check(settings, tmp_path, objects=("systems",))
    with Store(tmp_path / "s.db") as store:
        campaign = assemble(
            config, store, HandedOver(systems=[ScriptedSystem("Hello.")], relations=["synonyms-lexicon"])
        )
        asyncio.run(conduct(campaign, folder=tmp_path))
    verdicts = list(read_verdicts(tmp_path))
    asked = [verdict.followups[0].input["message"] for verdict in verdicts if verdict.followups]
    assert "i purchased the movie pass and lost it" in asked
    assert "this is a mistake of your cinema" in asked
    assert all(member.annotations == {} for verdict in verdicts for member in verdict.followups)
