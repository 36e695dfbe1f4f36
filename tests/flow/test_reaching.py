"""Values, forms, names, limits and conditions: planted faults are found, and right bots are left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

import mutatis
from mutatis.records import read_verdicts
from support.reaching_bots import CAMP_QUESTIONS, PARCEL_QUESTIONS, POOL_QUESTIONS, Bot, camp, parcels, pool

RELATIONS = [
    *("write-otherwise", "two-forms", "another-value", "at-limit", "at-edge"),
    *("turn-condition", "invented-name", "rule-out", "more-than-limit"),
]
BOTS = {"pool": (pool, POOL_QUESTIONS), "parcels": (parcels, PARCEL_QUESTIONS), "camp": (camp, CAMP_QUESTIONS)}


def violated(bot: Bot, questions: tuple[str, ...], folder: Path, **settings: object) -> set[tuple[str, str]]:
    """Return the relations that a bot broke, each with the message that showed it."""
    mutatis.run(
        lambda text: bot(text), list(questions), RELATIONS, task="chat", out=folder, store=folder / "store.db",
        settings=settings,
    )  # fmt: skip
    verdicts = read_verdicts(folder / "verdicts.jsonl")
    broken_by = [verdict for verdict in verdicts if verdict.outcome == "violated"]
    return {(verdict.relation, made.input["message"]) for verdict in broken_by for made in verdict.followups}


@pytest.mark.parametrize("name", BOTS)
def test_a_right_bot_has_no_finding(name: str, tmp_path: Path) -> None:
    made, questions = BOTS[name]
    assert violated(made(), questions, tmp_path) == set()


@pytest.mark.parametrize(
    ("name", "fault", "relation", "message"),
    [
        ("pool", "limit", "at-limit", "I am 65. Do I get the senior discount?"),
        ("pool", "slide", "at-limit", "Is the slide open to an 8-year-old?"),
        ("pool", "months", "write-otherwise", "My son is 1.5 years old. Can he join the baby class?"),
        ("pool", "three", "another-value", ""),
        ("parcels", "limit", "at-limit", "My order is 35 EUR. What does delivery cost?"),
        ("parcels", "clock", "at-limit", "If I order at 13:55, is it sent today?"),
        ("parcels", "thousands", "write-otherwise", "I use 3500 sheets a year. Which plan is right for me?"),
        ("parcels", "blank", "write-otherwise", "My parcel weighs 3kg. Do you take it?"),
        ("parcels", "iso", "write-otherwise", "I want to collect it on 2027-03-12. Is that possible?"),
        ("parcels", "three", "another-value", ""),
        ("pool", "limit", "at-edge", "I am 65. Do I get the senior discount?"),
        ("pool", "limit", "at-edge", "I am 65. Who gets a discount?"),
        ("pool", "words", "two-forms", ""),
        ("parcels", "comma", "two-forms", "My parcel weighs 3,5 kg. Do you take it?"),
        ("parcels", "pounds", "two-forms", "My parcel weighs 30 lbs. Do you take it?"),
        ("camp", "nearest", "invented-name", "How long is the bus trip to Norminster?"),
        ("camp", "part", "invented-name", "How much is a place for a caravan?"),
        ("camp", "title", "invented-name", ""),
        ("camp", "months", "two-forms", "Is the pool open on 8/3?"),
        ("camp", "pm", "two-forms", "Is the pool open on Sunday at 3 pm?"),
        ("camp", "pm", "two-forms", "When does the shuttle leave? I can't come before 1 pm."),
        ("camp", "not", "rule-out", ""),
        ("pool", "not", "turn-condition", "I'm not pregnant. Can I use the sauna?"),
        ("parcels", "not", "turn-condition", "Which plan is right for me if I don't want recycled paper?"),
    ],
)
def test_a_fault_is_found_where_it_shows(name: str, fault: str, relation: str, message: str, tmp_path: Path) -> None:
    made, questions = BOTS[name]
    broken_by = violated(made(fault), questions, tmp_path)
    assert relation in {name_of_relation for name_of_relation, _ in broken_by}
    assert not message or (relation, message) in broken_by


def test_a_limit_that_one_reply_alone_states_is_no_finding(tmp_path: Path) -> None:
    def bot(text: str) -> str:
        if "70" in text:
            return "Yes, you get the discount from 65 years on."
        return "No, sorry." if "65" in text else "Yes, gladly."

    violated(bot, ("I am 70. Do I get the discount?",), tmp_path)
    [verdict] = [
        verdict
        for verdict in read_verdicts(tmp_path / "verdicts.jsonl")
        if verdict.relation == "at-limit" and verdict.followups and " 65." in verdict.followups[0].input["message"]
    ]
    assert verdict.outcome == "invalid"
    assert "only one reply states the limit" in (verdict.reason or "")


def test_concurrency_changes_no_byte(tmp_path: Path) -> None:
    written = []
    for concurrency in (1, 16):
        folder = tmp_path / str(concurrency)
        violated(pool("limit"), POOL_QUESTIONS, folder, concurrency=concurrency)
        written.append((folder / "verdicts.jsonl").read_bytes())
    assert written[0] == written[1]
