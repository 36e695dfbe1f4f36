"""The inn of the gallery: right throughout, worded anew, and each fault found by the relation for it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from mutatis.assembly.campaign import HandedOver, assemble
from mutatis.campaign.session import conduct
from mutatis.config import check
from mutatis.core.cases import Case, Derivation
from mutatis.core.errors import UsageError
from mutatis.core.system import Conversation
from mutatis.core.transformation import derive
from mutatis.query import Store
from mutatis.records import VerdictRecord, read_verdicts
from mutatis.testing import check_system, sync
from mutatis.testing.gallery import INN_FAULTS, InnSystem, inn_cases, inn_system

RELATIONS = tuple(dict.fromkeys(fault.found_by for fault in INN_FAULTS))


def judged(system: InnSystem, relations: Sequence[str], folder: Path) -> list[VerdictRecord]:
    config = check({"noise_floor": 0, "confirm": 0}, objects=("systems", "data"))
    with Store(folder / "s.db") as store:
        handed = HandedOver(systems=[system], cases=list(inn_cases()), task="chat", relations=list(relations))
        asyncio.run(conduct(assemble(config, store, handed), folder=folder))
    return [verdict for verdict in read_verdicts(folder) if verdict.outcome in ("satisfied", "violated", "error")]


def messages_of(case: Case, verdict: VerdictRecord) -> list[list[str]]:
    """Return the user's turns of source and follow-up; the follow-up is made once more."""
    [member] = verdict.followups
    assert member.derivation is not None
    made = sync(derive(case, Derivation.from_record(member.derivation.model_dump()), seed=0))
    return [[turn.fields["message"] for turn in said.turns] for said in (case, made)]


def test_there_are_enough_faults_and_each_has_a_name_a_line_and_a_finder() -> None:
    assert len(INN_FAULTS) >= 15
    assert len({fault.name for fault in INN_FAULTS}) == len({fault.summary for fault in INN_FAULTS}) == len(INN_FAULTS)
    assert {"another-value", "correct-value", "recall-after-2"} <= set(RELATIONS)


def test_the_inn_is_a_system_and_says_the_same_in_other_words() -> None:
    sync(check_system(inn_system(), [Conversation(messages=(), fields={"message": "How much is breakfast?"})]))
    texts = {
        inn_system().reply([*before, "How much is breakfast?"])
        for before in ([], ["Thanks!"], ["Hello there!"], ["Hi."])
    }
    assert len(texts) > 1
    assert all("12 euros" in text for text in texts)


def test_nothing_is_found_on_an_inn_without_fault(tmp_path: Path) -> None:
    verdicts = judged(inn_system(), RELATIONS, tmp_path)
    assert len(verdicts) > 200
    assert {verdict.relation for verdict in verdicts} == set(RELATIONS)
    assert {(v.relation, v.source) for v in verdicts if v.outcome != "satisfied"} == set()


@pytest.mark.parametrize("name", [fault.name for fault in INN_FAULTS])
def test_each_fault_is_found_and_only_where_it_shows(name: str, tmp_path: Path) -> None:
    system, cases = inn_system(name), {case.id: case for case in inn_cases()}
    assert system.fault is not None
    violated = [
        verdict for verdict in judged(system, [system.fault.found_by], tmp_path) if verdict.outcome == "violated"
    ]
    assert violated
    for verdict in violated:
        turns = messages_of(cases[verdict.source], verdict)
        errs = [end for said in turns for end in range(1, len(said) + 1) if _errs(system, said[:end])]
        assert errs, turns


def _errs(system: InnSystem, messages: list[str]) -> bool:
    return system.meaning(messages) != inn_system().meaning(messages)


@pytest.mark.parametrize("name", [fault.name for fault in INN_FAULTS])
def test_a_fault_leaves_most_messages_right(name: str) -> None:
    said = [[turn.fields["message"] for turn in case.turns] for case in inn_cases()]
    assert sum(_errs(inn_system(name), messages) for messages in said) <= 0.35 * len(said)


def test_unknown_faults_are_told() -> None:
    with pytest.raises(UsageError, match="did you mean 'inn-agrees'"):
        inn_system("inn-agree")
