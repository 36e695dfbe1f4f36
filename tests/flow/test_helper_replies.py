"""What a helper answers that nobody can use: judged as such in this run, counted and named, asked again by the next."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from mutatis.api import Run, run_config
from mutatis.assembly.campaign import assemble
from mutatis.campaign.session import conduct
from mutatis.config import Config, check
from mutatis.query import Store
from mutatis.records import Report
from mutatis.reports.terminal import closing_lines
from support.loopback import loopback
from support.server import Act

NUMBER = 4


class Model:
    """Rewrites, judges and refuses as it is told, by the number of the film that a prompt speaks of."""

    def __init__(self, *replies: str) -> None:
        self.replies = replies
        self.prompts: list[str] = []

    def __call__(self, body: dict[str, Any]) -> str:
        prompt = body["messages"][-1]["content"]
        self.prompts.append(prompt)
        return self.replies[next(n for n in range(NUMBER) if f"Film {n}" in prompt)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bot.py").write_text("def answer(text):\n    return '0.9'\n", encoding="utf-8")
    (tmp_path / "films.txt").write_text("".join(f"Film {n} was a joy to see.\n" for n in range(NUMBER)))
    return tmp_path


def configured(folder: Path, url: str, **more: Any) -> Config:
    tables = {
        "relations": ["paraphrase"],
        "system": {"type": "function", "target": "bot.py:answer"},
        "data": {"task": "sentiment", "format": "lines", "path": "films.txt"},
        "helper": {"type": "openai", "model": "m", "base_url": url, "retries": 0},
        "noise_floor": 0,
        "confirm": 0,
        **more,
    }
    return check(tables, folder)


def run_of(folder: Path, url: str, **more: Any) -> Run:
    return run_config(configured(folder, url, **more), out=folder / "out", store=folder / "s.db")


def outcomes(folder: Path) -> Counter[str]:
    return Counter(json.loads(line)["outcome"] for line in (folder / "out/verdicts.jsonl").read_text().splitlines())


def made(number: int) -> str:
    return json.dumps({"text": f"It was a pleasure to watch Film {number}."})


def test_an_unusable_reply_is_counted_named_and_asked_again_by_the_next_run(folder: Path) -> None:
    model = Model(made(0), "Well,\nhere you are.", "I'm sorry, but I can't help with that.", '{"text": " "}')
    with loopback(answer=model) as server:
        run = run_of(folder, server.url)
        assert outcomes(folder) == {"satisfied": 1, "invalid": 3}
        assert len(model.prompts) == 4
        helper = run.report.run.helper
        assert helper is not None
        assert (helper.label, helper.asked, helper.paid, helper.failed, helper.unusable) == ("openai:m", 4, 4, 0, 3)
        assert helper.reasons == {
            "the language model did not answer in the requested form": 1,
            "the language model refused": 1,
            "the language model returned an empty text": 1,
        }
        [told] = [line for line in closing_lines(run.report) if line.startswith("helper")]
        assert told.startswith(
            "helper openai:m: 4 asked, 4 paid, 0 failed, 3 unusable (the next run asks again): 1 x the language model"
        )
        assert json.loads((folder / "out/report.json").read_text())["run"]["helper"]["unusable"] == 3
        assert "3 unusable (the next run asks again)" in (folder / "out/report.html").read_text()
        model.replies = tuple(map(made, range(NUMBER)))
        run = run_of(folder, server.url)
        assert outcomes(folder) == {"satisfied": 4}
        assert len(model.prompts) == 7
        assert run.report.run.helper is not None
        assert (run.report.run.helper.paid, run.report.run.helper.stored, run.report.run.helper.unusable) == (3, 1, 0)
        run_of(folder, server.url)
        assert len(model.prompts) == 7


def test_a_text_that_the_helper_leaves_as_it_is_is_an_answer_and_bought_once(folder: Path) -> None:
    model = Model(*(json.dumps({"text": f"Film {n} was a joy to see."}) for n in range(NUMBER)))
    with loopback(answer=model) as server:
        for _ in range(2):
            run = run_of(folder, server.url)
            assert outcomes(folder) == {"invalid": 4}
            assert len(model.prompts) == 4
            assert run.report.run.helper is not None
            assert run.report.run.helper.unusable == 0


def test_offline_the_reply_is_what_it_was(folder: Path) -> None:
    model = Model(made(0), "Well,\nhere you are.", made(2), made(3))
    with loopback(answer=model) as server:
        config = configured(folder, server.url)
        run_config(config, store=folder / "s.db")

    async def again() -> Report:
        with Store(folder / "s.db") as store:
            campaign = assemble(config, store, offline=True)
            try:
                return await conduct(campaign)
            finally:
                await campaign.close()

    report = asyncio.run(again())
    [row] = report.summary
    assert (row.satisfied, row.invalid, row.error) == (3, 1, 0)
    assert report.run.helper is not None
    assert (report.run.helper.paid, report.run.helper.unusable) == (0, 1)


@pytest.mark.parametrize(
    ("reply", "judge", "reason"),
    [
        ("I would rather not.", {"measure": "helper"}, "the helper did not say true, false or null"),
        ("yes", {"measure": "helper"}, "the helper did not say true, false or null"),
    ],
)
def test_a_judge_that_does_not_say_what_it_was_asked_is_asked_again_by_the_next_run(
    folder: Path, reply: str, judge: dict[str, str], reason: str
) -> None:
    (folder / "bot.py").write_text("def answer(text):\n    return f'Thanks for {text}'\n", encoding="utf-8")
    chat = {"data": {"task": "chat", "format": "lines", "path": "films.txt"}, "relations": ["upper-case"]}
    said = [reply]
    with loopback(answer=lambda body: said[0]) as server:
        run = run_of(folder, server.url, judge=judge, **chat)
        assert outcomes(folder) == {"error": 4}
        assert run.report.run.helper is not None
        assert run.report.run.helper.reasons == {reason: 12}  # three attempts of each
        said[0] = '{"same": true, "reason": "the same"}'
        run = run_of(folder, server.url, judge=judge, **chat)
        assert outcomes(folder) == {"satisfied": 4}
        assert run.report.run.helper is not None
        assert run.report.run.helper.paid == 4


def test_what_fails_at_the_helper_is_counted_with_its_reason(folder: Path) -> None:
    refusal = Act(status=400, error={"message": "the prompt is too long"})
    with loopback(default=refusal) as server:
        run = run_of(folder, server.url)
    assert run.report.run.helper is not None
    assert (run.report.run.helper.asked, run.report.run.helper.failed) == (4, 4)
    [(reason, number)] = run.report.run.helper.reasons.items()
    assert (reason.endswith("HTTP 400: the prompt is too long"), number) == (True, 4)
