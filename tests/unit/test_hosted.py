"""What all doors of other tools share: the questions of a configuration, and answers that were given elsewhere."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

import mutatis
from mutatis.core.errors import SystemFailure, UsageError
from mutatis.core.system import Response
from mutatis.interop.hosted import HostedCampaign, finding_line
from mutatis.testing import ScriptedSystem

NUMBERS = {"days": 3, "euros": 40, "litres": 2}


def answer(text: str) -> str:
    """Answer with the number of the unit that is asked for; one too many euros where the text is in capitals."""
    unit = next(unit for unit in NUMBERS if unit in text.lower())
    return f"It is {NUMBERS[unit] + (unit == 'euros' and text.isupper())} {unit}."


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    (tmp_path / "questions.txt").write_text("How many days?\nHow many euros is it?\nHow many litres?\n")
    path = tmp_path / "mutatis.toml"
    path.write_text(
        """relations = ["upper-case", "lower-case"]
judge = { measure = "exact" }
[system]
type = "http"
url = "http://127.0.0.1:9/nobody"
[data]
format = "lines"
path = "questions.txt"
name = "shop"
"""
    )
    return path


def scripted(label: str = "bot") -> ScriptedSystem:
    return ScriptedSystem(lambda conversation: answer(conversation.messages[-1].content), label=label)


def test_the_questions_are_sources_and_follow_ups_each_once(settings: Path) -> None:
    questions = HostedCampaign(settings=settings).questions
    assert [question.text for question in questions if question.is_source] == [
        "How many days?",
        "How many euros is it?",
        "How many litres?",
    ]
    asked = {(question.source, question.text) for question in questions if not question.is_source}
    assert asked == {
        ("shop/1", "HOW MANY DAYS?"),
        ("shop/1", "how many days?"),
        ("shop/2", "HOW MANY EUROS IS IT?"),
        ("shop/2", "how many euros is it?"),
        ("shop/3", "HOW MANY LITRES?"),
        ("shop/3", "how many litres?"),
    }


def test_asked_while_it_runs_or_before_the_findings_are_those_of_a_run(settings: Path) -> None:
    plain = mutatis.run(scripted(), None, settings=settings)
    campaign = HostedCampaign(settings=settings)
    hosted = asyncio.run(campaign.run(scripted()))
    answers = {question.name: Response(text=answer(question.text)) for question in campaign.questions}
    judged = campaign.judge(answers, "bot")
    assert [finding.id for finding in plain.findings] == hosted.ids == judged.ids
    assert hosted.ids == [mutatis.run(scripted(), None, settings=settings).findings[0].id]
    of_euros = hosted.results["shop/2"]
    assert (of_euros.judged, of_euros.violated, of_euros.consistency) == (2, 1, 0.5)
    assert of_euros.explanation.startswith(f"{hosted.ids[0]} upper-case: HOW MANY EUROS IS IT? -> ")
    [finding] = of_euros.findings
    of_two = finding.model_copy(update={"followups": [*finding.followups, finding.followups[0]]})
    assert "HOW MANY EUROS IS IT? | HOW MANY EUROS IS IT? -> " in finding_line(of_two)
    assert hosted.results["shop/1"].explanation == "no contradiction among 2 comparisons"


def test_whoever_looks_at_an_input_shares_the_run(settings: Path) -> None:
    system = scripted()

    async def all_at_once() -> list[Any]:
        campaign = HostedCampaign(settings=settings)
        runs = await asyncio.gather(*(campaign.run(system) for _ in range(3)))
        return [*runs, await campaign.run(system, number=2)]

    first, second, third, later = asyncio.run(all_at_once())
    assert first is second is third is not later


def test_each_epoch_has_a_folder_of_its_own(settings: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    same = ScriptedSystem(lambda conversation: answer(conversation.messages[-1].content.lower()), label="bot")

    async def both() -> list[Any]:
        campaign = HostedCampaign(settings=settings, out=out)
        return [*await asyncio.gather(campaign.run(scripted(), number=1), campaign.run(same, number=2))]

    assert [len(hosted.ids) for hosted in asyncio.run(both())] == [1, 0]
    assert [len(mutatis.read_run(folder).findings) for folder in (out, out / "epoch-2")] == [1, 0]


def test_one_who_gives_up_does_not_end_the_run_of_the_others(settings: Path) -> None:
    async def given_up() -> Any:
        campaign = HostedCampaign(settings=settings)
        impatient = asyncio.ensure_future(campaign.run(scripted()))
        patient = asyncio.ensure_future(campaign.run(scripted()))
        await asyncio.sleep(0)
        impatient.cancel()
        return await patient

    assert len(asyncio.run(given_up()).ids) == 1


def test_what_was_not_answered_is_not_judged(settings: Path) -> None:
    campaign = HostedCampaign(settings=settings)
    answers = {q.name: Response(text=answer(q.text)) for q in campaign.questions if q.source != "shop/1"}
    judged = campaign.judge(answers, "bot")
    assert (judged.results["shop/1"].judged, judged.results["shop/1"].consistency) == (0, None)
    assert {row.invalid for row in judged.run.summary} == {1}


def test_other_answers_in_the_same_folder_are_judged_anew(settings: Path, tmp_path: Path) -> None:
    campaign = HostedCampaign(settings=settings, out=tmp_path / "out")
    same = {q.name: Response(text=answer(q.text.lower())) for q in campaign.questions}
    assert campaign.judge(same, "bot").ids == []
    other = {q.name: Response(text=answer(q.text)) for q in campaign.questions}
    assert len(campaign.judge(other, "bot").ids) == 1


def test_a_run_that_tells_nothing_is_no_run_without_findings(settings: Path) -> None:
    failing = ScriptedSystem({"*": SystemFailure("no key")}, label="bot")
    with pytest.raises(SystemFailure, match="no key"):
        asyncio.run(HostedCampaign(settings=settings).run(failing))


def test_dialogues_need_their_answers(tmp_path: Path) -> None:
    table = {
        "relations": ["ask-again"],
        "data": {"format": "coqa", "path": str(mutatis.sample("dialogues")), "limit": 1},
    }
    with pytest.raises(UsageError, match=r"asks \d+ questions, one after the other"):
        _ = HostedCampaign(settings=table).questions
