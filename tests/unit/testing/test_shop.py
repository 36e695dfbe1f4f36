"""The shop of the gallery: right in whatever form it is asked, worded anew, and each fault found by its relation."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from mutatis.assembly.campaign import HandedOver, assemble
from mutatis.campaign.session import conduct
from mutatis.config import check
from mutatis.core.errors import UsageError
from mutatis.query import Store
from mutatis.records import VerdictRecord, read_verdicts
from mutatis.testing.gallery import SHOP_FAULTS, ShopSystem, shop_cases, shop_system

RELATIONS = tuple(dict.fromkeys(fault.found_by for fault in SHOP_FAULTS))
NAMES = [fault.name for fault in SHOP_FAULTS]


def judged(system: ShopSystem, relations: Sequence[str], folder: Path, seed: int = 0) -> list[VerdictRecord]:
    config = check({"noise_floor": 0, "confirm": 0, "seed": seed}, objects=("systems", "data"))
    with Store(folder / f"{seed}.db") as store:
        handed = HandedOver(systems=[system], cases=list(shop_cases()), task="chat", relations=list(relations))
        asyncio.run(conduct(assemble(config, store, handed), folder=folder))
    return [verdict for verdict in read_verdicts(folder) if verdict.outcome in ("satisfied", "violated", "error")]


def test_there_are_enough_faults_and_each_has_a_name_a_line_and_a_finder() -> None:
    assert len(SHOP_FAULTS) >= 12
    assert len(set(NAMES)) == len({fault.summary for fault in SHOP_FAULTS}) == len(SHOP_FAULTS)
    assert {"shop-no-commas", "shop-only-commas"} <= set(NAMES)


@pytest.mark.parametrize("seed", [0, 1])
def test_nothing_is_found_on_a_shop_without_fault(seed: int, tmp_path: Path) -> None:
    verdicts = judged(shop_system(), RELATIONS, tmp_path, seed)
    assert {verdict.relation for verdict in verdicts} == set(RELATIONS)
    assert [(v.relation, v.source, v.reason) for v in verdicts if v.outcome != "satisfied"] == []


def test_nor_by_the_default_sets(tmp_path: Path) -> None:
    verdicts = judged(shop_system(), (), tmp_path)
    assert len({verdict.relation for verdict in verdicts}) > len(RELATIONS)
    assert [(v.relation, v.source, v.reason) for v in verdicts if v.outcome != "satisfied"] == []


@pytest.mark.parametrize("name", NAMES)
def test_each_fault_is_found_and_only_where_it_shows(name: str, tmp_path: Path) -> None:
    system = shop_system(name)
    assert system.fault is not None
    verdicts: list[VerdictRecord] = []
    for seed in range(4):  # a form is drawn: one seed may not draw the one that is not read
        verdicts = judged(system, [system.fault.found_by], tmp_path, seed)
        violated = [verdict for verdict in verdicts if verdict.outcome == "violated"]
        if violated:
            break
    assert violated
    for verdict in violated:
        texts = [verdict.source_input["message"], *(member.input["message"] for member in verdict.followups)]
        assert any(map(system.errs, texts)), texts


@pytest.mark.parametrize("name", NAMES)
def test_a_fault_leaves_most_messages_right(name: str) -> None:
    wrong = [case for case in shop_cases() if shop_system(name).errs(case.turns[0].fields["message"])]
    assert len(wrong) <= 0.35 * len(shop_cases())


def test_unknown_faults_are_told() -> None:
    with pytest.raises(UsageError, match="did you mean 'shop-no-signs'"):
        shop_system("shop-no-sign")
