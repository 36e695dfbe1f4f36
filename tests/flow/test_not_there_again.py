"""A violation that was not there again (FLAKY) counts nowhere: not for a gate, not for another tool's table."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import mutatis
from mutatis.core.system import Conversation
from mutatis.interop.hosted import HostedCampaign
from mutatis.testing import ScriptedSystem

FILMS = ("A film that was fine.", "A dull film.")
SETTINGS: dict[str, Any] = {
    "relations": ["upper-case"],
    "confirm": 5,
    "noise_floor": 0,
    "shrink": 0,
    "data": [{"format": "jsonl", "path": "films.jsonl", "task": "sentiment", "name": "films"}],
}


class Changing:
    """A bot that takes offence where the first film is shouted; at the second one as well, but only once."""

    def __init__(self, *, offended: bool = True) -> None:
        self._offended = offended
        self._times: Counter[str] = Counter()

    def __call__(self, asked: Conversation) -> str:
        text = asked.fields["text"]
        self._times[text] += 1
        again = self._times[text] > 1
        return "0.1" if self._offended and text.isupper() and not ("DULL" in text and again) else "0.9"


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.chdir(tmp_path)
    Path("films.jsonl").write_text("".join(f'{{"text": "{film}"}}\n' for film in FILMS))
    return SETTINGS


def changing(*, offended: bool = True) -> ScriptedSystem:
    return ScriptedSystem(Changing(offended=offended), label="bot")


def test_it_fails_no_build(settings: dict[str, Any]) -> None:
    before = mutatis.run(changing(offended=False), None, settings=settings)
    mutatis.report(before, "known.json", form="baseline")
    now = mutatis.run(changing(), None, settings={**settings, "gate": {"baseline": "known.json"}})
    assert [finding.confirmed for finding in now.report.findings] == [True, False]
    assert all(finding.new for finding in now.report.findings)
    with pytest.raises(mutatis.GateFailed, match=r"new fault .*films/1") as failed:
        now.check()
    assert str(failed.value).count("new fault") == 1
    Path("films.jsonl").write_text(f'{{"text": "{FILMS[1]}"}}\n')
    again = mutatis.run(changing(), None, settings={**settings, "gate": {"baseline": "known.json"}})
    assert [finding.confirmed for finding in again.report.findings] == [False]
    again.check()


async def test_another_tool_is_handed_what_was_there_again(settings: dict[str, Any]) -> None:
    hosted = await HostedCampaign(settings=settings).run(changing())
    assert [finding.confirmed for finding in hosted.run.report.findings] == [True, False]
    assert len(hosted.ids) == 1
    assert [len(result.findings) for result in hosted.results.values()] == [1, 0]
    assert hosted.results["films/2"].explanation == "no contradiction among 1 comparisons"


class Unsure:
    """A bot that gives another answer each time after the first."""

    def __init__(self) -> None:
        self._times: Counter[str] = Counter()

    def __call__(self, asked: Conversation) -> str:
        self._times[asked.fields["text"]] += 1
        return "0.9" if self._times[asked.fields["text"]] == 1 else "0.1"


def test_another_answer_to_the_same_question_is_no_finding_either(settings: dict[str, Any]) -> None:
    """What differs without any change of the input fails no build."""
    sure = ScriptedSystem(lambda asked: "0.9", label="bot")
    same = {**settings, "relations": ["no-change"], "confirm": 0}
    mutatis.report(mutatis.run(sure, None, settings=same), "known.json", form="baseline")
    run = mutatis.run(
        ScriptedSystem(Unsure(), label="bot"), None, settings={**same, "gate": {"baseline": "known.json"}}
    )
    assert [finding.relation for finding in run.report.findings] == ["no-change"] * 2
    run.check()


async def test_another_answer_to_the_same_question_is_handed_to_no_tool(settings: dict[str, Any]) -> None:
    same = {**settings, "relations": ["no-change", "lower-case"], "confirm": 0}
    hosted = await HostedCampaign(settings=same).run(ScriptedSystem(Unsure(), label="bot"))
    assert "no-change" in {finding.relation for finding in hosted.run.report.findings}
    assert "no-change" not in {finding.relation for result in hosted.results.values() for finding in result.findings}
