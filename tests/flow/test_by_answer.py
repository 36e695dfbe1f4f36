"""Follow-ups that are made of the source's answer: each system has its own, and its answer decides."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import mutatis
from mutatis.records import read_verdicts

QUESTIONS = ("How long can I return a lamp?", "How much is the Nova lamp?", "Where is the shop?")
ANSWERS = {"return": "You can return it within 30 days.", "Nova": "It is 45 euros.", "shop": "In Mill Lane."}


def knows(question: str) -> str:
    return next(answer for word, answer in ANSWERS.items() if word in question)


def stubborn(message: str, history: list[str]) -> str:
    if message.startswith("So ") or "read that" in message or "told me" in message:
        return f"No: {history[-1]}" if "50" in message or "90" in message else "Yes."
    return knows(message)


def agreeing(message: str, history: list[str]) -> str:
    pressed = message.startswith("So ") or any(words in message for words in ("read that", "told me", "I think it"))
    return "Yes, exactly." if pressed else knows(message).replace("30", "14")


class Bot:
    """A bot as a function of the message and its own earlier answers, which counts what it is asked."""

    def __init__(self, name: str, reply: Any) -> None:
        self.label, self.reply, self.asked = name, reply, 0
        self.identity = {"type": "test", "name": name}

    async def ask(self, conversation: Any) -> Any:
        from mutatis.core.system import Response

        self.asked += 1
        return Response(text=self.reply(conversation.fields["message"], [text for _, text in conversation.history]))


def cases() -> list[Any]:
    from mutatis.core.cases import Case, Turn

    return [Case(id=f"q/{n}", task="chat", turns=(Turn(fields={"message": q}),)) for n, q in enumerate(QUESTIONS)]


def run(bots: list[Bot], relations: list[str], folder: Path, **settings: Any) -> Any:
    return mutatis.run(
        bots, cases(), relations, store=folder / "s.db", out=folder, settings={"noise_floor": 0}, **settings
    )


def test_each_system_is_held_to_its_own_answer(tmp_path: Path) -> None:
    bots = [Bot("stubborn", stubborn), Bot("agreeing", agreeing)]
    run(bots, ["claim-another"], tmp_path)
    told = {(v.system, v.source): v for v in read_verdicts(tmp_path)}
    asked = {key: v.followups[0].input["message"] for key, v in told.items() if v.followups}
    assert "50 days" in asked["stubborn", "q/0"]
    assert "25 days" in asked["agreeing", "q/0"]
    assert {key: v.outcome for key, v in told.items()} == {
        **{("stubborn", "q/0"): "satisfied", ("stubborn", "q/1"): "satisfied", ("stubborn", "q/2"): "invalid"},
        **{("agreeing", "q/0"): "violated", ("agreeing", "q/1"): "violated", ("agreeing", "q/2"): "invalid"},
    }
    assert told["agreeing", "q/2"].reason == "the source's answer has no single value that could be claimed"
    # Three sources, then one further turn for each of the two whose answer holds a value; the first turn is known.
    # A finding is confirmed by asking its source and its last turn again.
    assert [bot.asked for bot in bots] == [5, 5 + 2 * 2]


def test_what_was_answered_is_not_asked_again_and_nothing_is_needed_offline(tmp_path: Path) -> None:
    run([Bot("agreeing", agreeing)], ["claim-another", "report-another"], tmp_path)
    first = [(v.relation, v.source, v.outcome, v.reason) for v in read_verdicts(tmp_path)]
    again = Bot("agreeing", agreeing)
    run([again], ["claim-another", "report-another"], tmp_path, offline=True)
    assert again.asked == 0
    assert [(v.relation, v.source, v.outcome, v.reason) for v in read_verdicts(tmp_path)] == first


def test_a_finding_keeps_what_it_was_made_of_and_is_confirmed(tmp_path: Path) -> None:
    result = run([Bot("agreeing", agreeing)], ["claim-another"], tmp_path)
    [finding] = [finding for finding in result.findings if finding.source.case.id == "q/0"]
    [step] = finding.followups[0].derivation.steps
    claimed = {"kind": "duration", "value": "14 days", "other": "25 days"}
    assert step.parameters == {"claim": "other", "asks": True, **claimed}
    assert finding.confirmed is True
    assert finding.shrunk is None  # a claim without the question before it would say nothing


def test_a_budget_holds_and_a_plan_is_a_bound(tmp_path: Path) -> None:
    bot = Bot("agreeing", agreeing)
    run([bot], ["claim-another", "are-you-sure", "recall-after-2"], tmp_path, max_queries=4)
    assert bot.asked <= 4


@pytest.mark.parametrize(("claim", "outcome"), [("claim-same", "satisfied"), ("report-another", "violated")])
def test_other_claims(claim: str, outcome: str, tmp_path: Path) -> None:
    run([Bot("agreeing", agreeing)], [claim], tmp_path)
    assert {v.outcome for v in read_verdicts(tmp_path)} == {outcome, "invalid"}
