"""What a user sees while a run runs and of what it cost: progress, interrupt, tokens and money, `mutatis ask`."""

from __future__ import annotations

import asyncio
import io
import json
import logging
from pathlib import Path
from types import SimpleNamespace

import pytest
from rich.console import Console

from mutatis.api import run_campaign
from mutatis.assembly.campaign import assemble
from mutatis.campaign.events import PhaseStarted
from mutatis.cli.progress import ProgressListener
from mutatis.config import check
from mutatis.query import Store
from mutatis.query.circuit import FIRST
from mutatis.query.spending import Counts
from support.loopback import Command, loopback
from support.server import Act, echo, serve, until

KEY = "sk-very-secret-0001"


def tables(folder: Path, url: str, number: int = 6, **system: object) -> dict[str, object]:
    data = folder / "reviews.jsonl"
    data.write_text("".join(json.dumps({"text": f"film number {i} was fine."}) + "\n" for i in range(number)))
    return {
        "system": {"type": "openai", "model": "m", "base_url": url, "concurrency": 2, **system},
        "data": {"task": "sentiment", "format": "jsonl", "path": str(data)},
        "relations": ["upper-case", "add-spaces"],
        "noise_floor": 0,
        "confirm": 0,
    }


async def test_the_bar_moves_at_every_answer_and_ends_where_it_said(tmp_path):
    async with serve(default=Act(text="0.5")) as server:
        with Store(None) as store:
            campaign = assemble(check(tables(tmp_path, server.url)), store)
            shown = ProgressListener(campaign.layers, clock=lambda: 0.0)
            states, moved = [], shown._moved
            for layer in campaign.layers:
                layer.moved = lambda: (states.append(shown.state()), moved())
            campaign.progress = (shown,)
            await run_campaign(campaign, folder=None)
    # 6 sources, 2 relations: 18 questions, known from the beginning.
    assert states[:18] == [(number + 1, 18) for number in range(18)]


async def test_every_phase_counts_questions_and_ends_where_it_says(tmp_path):
    on_the_wire = []

    def rate(body):
        if shown._phase == "shrink":
            on_the_wire.append(shown.state())
        return "0.1" if "FILM" in echo(body) else "0.9"

    async with serve(answer=rate) as server:
        with Store(None) as store:
            config = {**tables(tmp_path, server.url), "noise_floor": 3, "confirm": 2, "shrink": 1}
            campaign = assemble(check(config), store)
            shown = ProgressListener([target.layer for target in campaign.targets], clock=lambda: 0.0)
            states = {}
            for layer in campaign.layers:
                layer.moved = lambda: states.setdefault(shown._phase, []).append(shown.state())
            campaign.progress = (shown,)
            await run_campaign(campaign, folder=None)
    ends = {phase: moved[-1] for phase, moved in states.items()}
    # 6 sources, each asked itself and under 2 relations; 3 asked again; 2 findings, each a source and a follow-up.
    assert (ends["search"], ends["noise floor"], ends["confirm"]) == ((18, 18), (3, 3), (4, 4))
    assert {total for _, total in states["confirm"]} == {4}, "known before the first of them"
    done, total = ends["shrink"]
    assert done == total > 0, "what shrinking takes is found out on the way; at its end it is known"
    assert on_the_wire
    assert all(answered < expected for answered, expected in on_the_wire), "what is being asked is still to come"


FILMS = [f"film number {number} was fine." for number in range(6)]
HALF_SHOUTED = [text.upper() if number % 2 else text for number, text in enumerate(FILMS * 3)]


@pytest.mark.parametrize(
    ("texts", "settings", "first", "last"),
    [
        (FILMS, {"repeats": 3}, 54, (54, 54)),  # 6 sources and 12 follow-ups, each three times
        (FILMS, {"max_queries": 10}, 10, (10, 10)),  # five sources, each with one follow-up, before any has its second
        # Nothing is asked for a shouted text in capitals: of 18 + 36 questions 9 are not.
        (HALF_SHOUTED, {}, None, (45, 45)),
        (HALF_SHOUTED[1:2], {"relations": ["upper-case"]}, None, (0, 0)),
        (FILMS, {"search": {"type": "random"}, "max_queries": 30}, 30, None),
        (FILMS, {"search": {"type": "bandit"}, "max_queries": 30}, 30, None),
    ],
    ids=["repeats", "budget", "refused", "all-refused", "random", "learns"],
)
async def test_the_total_of_a_search_comes_true(tmp_path, texts, settings, first, last):
    async with serve(default=Act(text="0.5")) as server:
        with Store(None) as store:
            config = tables(tmp_path, server.url) | settings
            lines = "".join(json.dumps({"id": str(at), "text": text}) + "\n" for at, text in enumerate(texts))
            Path(config["data"]["path"]).write_text(lines)
            campaign = assemble(check(config), store)
            shown = ProgressListener([target.layer for target in campaign.targets], clock=lambda: 0.0)
            states = []
            for layer in campaign.layers:
                layer.moved = lambda: states.append(shown.state())
            campaign.progress = (shown,)
            await run_campaign(campaign, folder=None)
    states.append(shown.state())
    assert first in (None, states[0][1])
    assert last in (None, states[-1])
    assert all(done <= total for done, total in states)


async def test_a_long_run_is_foretold_once_from_its_first_answers(tmp_path, capsys):
    async with serve(default=Act(text="0.5")) as server:
        with Store(tmp_path / "store.db") as store:
            campaign = assemble(check(tables(tmp_path, server.url)), store)
            layer = campaign.layers[0]
            shown = ProgressListener(campaign.layers, clock=lambda: 40.0 * layer.counts.answered)
            campaign.progress = (shown,)
            await run_campaign(campaign, folder=None)
            told = capsys.readouterr().err
            # 18 questions of which 3 took 120 s: 15 more at 40 s are 10 minutes.
            assert told.count("note: up to 18 questions, 40.0 s each: about 10 min;") == told.count("note: ") == 1
            quick = assemble(check(tables(tmp_path, server.url)), store)  # every answer is stored
            quick.progress = (ProgressListener(quick.layers, clock=lambda: 0.0),)
            await run_campaign(quick, folder=None)
    assert "note: " not in capsys.readouterr().err


def test_a_long_run_of_quick_answers_is_foretold_by_its_pace():
    class Layer:
        counts = Counts(answered=0)

    seconds = [0.0]
    shown = ProgressListener([Layer()], clock=lambda: seconds[0])  # type: ignore[list-item]
    shown(PhaseStarted(name="search", questions=lambda: 20_000))
    Layer.counts.answered, seconds[0] = 3, 2.0
    assert shown.forecast() == "", (
        "a model was loaded before the first answer: the demo said eight minutes and took one"
    )
    Layer.counts.answered, seconds[0] = 1_500, 30.0
    # 18,500 more at fifty a second are 370 s.
    assert shown.forecast().startswith("note: up to 20,000 questions, 50 a second: about 6 min;")


class FakeLayer:
    """A layer as far as progress looks at it; `moved` is set by who shows the progress."""

    def __init__(self):
        self.counts = Counts(answered=0)


def shown_of(layer, seconds, questions):
    shown = ProgressListener([layer], clock=lambda: seconds[0])
    shown(PhaseStarted(name="shrink", questions=questions))
    return shown


def test_the_bar_shows_what_became_known_after_the_last_answer():
    layer, total = FakeLayer(), [10]
    shown = shown_of(layer, [0.0], lambda: total[0])
    layer.counts.answered = 10
    layer.moved()
    drawn = Console(file=io.StringIO(), width=100)
    drawn.print(shown._drawn())
    total[0] = 17  # the tenth answer violates, too: there is more to try
    drawn.print(shown._drawn())
    total[0] = None
    drawn.print(shown._drawn())
    lines = drawn.file.getvalue().splitlines()
    assert ["10/10 (" in lines[0], "10/17 (" in lines[1], "/17" in lines[2]] == [True, True, False]


def test_the_time_left_goes_by_the_answers_of_late():
    layer, seconds = FakeLayer(), [0.0]
    shown = shown_of(layer, seconds, lambda: 2_000)
    layer.counts.answered, seconds[0] = 1_000, 2.0  # the store had them
    layer.moved()
    for _ in range(40):
        layer.counts.answered, seconds[0] = layer.counts.answered + 1, seconds[0] + 1.0
        layer.moved()
    assert "about 16 min left" in shown.line()  # 960 more, one a second
    assert shown.forecast().startswith("note: up to 2,000 questions, 1.0 s each: about 16 min;")
    for _ in range(12):  # slower: half a minute has seen three of them, which says little
        layer.counts.answered, seconds[0] = layer.counts.answered + 1, seconds[0] + 10.0
        layer.moved()
    assert "about 2 h 38 min left" in shown.line()  # 948 more at 10 s


def test_the_time_left_is_told_once_enough_is_answered():
    layer, seconds, total = FakeLayer(), [0.0], [9_000]
    shown = shown_of(layer, seconds, lambda: total[0])
    layer.counts.answered, seconds[0] = 20, 20.0
    assert "left" not in shown.line(), "a model may have been loaded"
    layer.counts.answered, seconds[0] = 60, 40.0
    assert "left" not in shown.line(), "nobody knows yet how many of the planned follow-ups will be refused"
    assert shown.forecast() == ""
    total[0] = 2_400
    assert "about 26 min left" in shown.line()
    assert shown.forecast().startswith("note: up to 2,400 questions, 0.7 s each: about 26 min;")


def test_a_phase_may_begin_while_the_time_left_is_worked_out():
    class Counted:
        """Begins another phase while the thread that draws reads how much is answered."""

        begins, paid, stored, errors, trouble = False, 0, 0, 0, ""

        @property
        def answered(self):
            if self.begins:
                self.begins = False
                shown(PhaseStarted(name="confirm", questions=lambda: 100))
            return 20

    layer, seconds = SimpleNamespace(counts=Counted(), moved=None), [0.0]
    shown = ProgressListener([layer], clock=lambda: seconds[0])
    shown._moved()
    seconds[0], layer.counts.begins = 10.0, True
    assert shown._seconds_per_answer() == 0.5


async def test_an_interrupt_is_answered_before_the_answers_are_in(tmp_path, caplog):
    caplog.set_level(logging.WARNING, "mutatis")
    async with serve(default=Act(text="0.5", silent=True)) as server:
        with Store(tmp_path / "store.db") as store:
            campaign = assemble(check(tables(tmp_path, server.url)), store)
            running = asyncio.create_task(run_campaign(campaign, folder=None))
            await until(lambda: server.in_flight == 2)
            running.cancel()
            await until(lambda: caplog.messages)
            assert caplog.messages == [
                "interrupted: waiting for 2 answers already requested; nothing is lost; interrupt again to stop at once"
            ]
            assert len(store) == 0
            server.release()
            with pytest.raises(asyncio.CancelledError):
                await running
            assert len(store) == 2


async def test_the_summary_tells_tokens_retries_and_money(tmp_path):
    script = [Act(status=503), Act(text="0.5")]
    async with serve(script, default=Act(text="0.5")) as server:
        prices = {"prompt": 1000.0, "completion": 4000.0, "currency": "EUR"}
        with Store(None) as store:
            config = check(tables(tmp_path, server.url, prices=prices, revision="1"))
            run = await run_campaign(assemble(config, store), folder=None)
    told = run.report.run
    assert told.queries.retries == 1
    # By hand: a thousandth of the price of a thousand tokens each.
    assert told.money == {"EUR": pytest.approx(told.tokens.prompt / 1000 + 4 * told.tokens.completion / 1000)}
    assert told.tokens.prompt > 0


@pytest.fixture
def command(command: Command, monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.setenv("BOT_KEY", KEY)
    return command


def written(command: Command, url: str, **more: str) -> None:
    lines = "\n".join(f"{name} = {value}" for name, value in more.items())
    (command.folder / "data.jsonl").write_text('{"text": "It was lovely."}\n')
    (command.folder / "my.toml").write_text(
        f'relations = ["upper-case"]\nnoise_floor = 0\n[system]\ntype = "openai"\nmodel = "m"\nbase_url = "{url}"\n'
        f'api_key_env = "BOT_KEY"\n{lines}\n[data]\ntask = "sentiment"\nformat = "jsonl"\npath = "data.jsonl"\n'
    )


def test_money_is_part_of_the_summary_and_prices_cost_no_answer(command):
    with loopback(default=Act(text="0.5")) as server:
        written(command, server.url)
        assert "tokens: " in command("run", "my.toml", "--out", "out").out
        written(command, server.url, prices="{prompt = 1.0, completion = 2.0}")
        again = command("run", "my.toml", "--out", "out")
        assert again.code == 0
        assert "; 0.0000 USD" in again.out
        assert server.requests == json.loads(Path("out/report.json").read_text())["run"]["queries"]["logical"]
        written(command, server.url, prices="{prompt = -1, completion = 2.0}")
        assert "prices.prompt" in command("run", "my.toml", "--out", "out").complaint


def test_ask_shows_request_and_answer_without_the_key(command):
    with loopback(default=Act(text=f"0.5 {KEY}")) as server:
        written(command, server.url)
        done = command("ask", "my.toml", "What a film!")
    assert done.code == 0, done.err
    assert f"> POST {server.url}/chat/completions" in done.out
    assert "> Authorization: ***" in done.out
    assert "What a film!" in done.out
    assert "< 200" in done.out
    assert "read as: 0.5" in done.out
    assert KEY not in done.out + done.err


def test_ask_tells_why_there_is_no_usable_answer(command):
    with loopback(default=Act(text="no idea")) as server:
        written(command, server.url)
        done = command("ask", "my.toml")
        assert done.code == 3
        assert "text: no idea" in done.out
        assert "answer not parsed" in done.out
    with loopback(default=Act(status=401)) as server:
        written(command, server.url)
        done = command("ask", "my.toml")
        assert done.code == 3
        assert "< 401" in done.out
        assert "no usable answer:" in done.out
    assert KEY not in done.out + done.err


def test_ask_warns_of_an_answer_that_a_run_would_not_take(command):
    with loopback(default=Act(text="0.5", finish="length")) as server:
        written(command, server.url)
        done = command("ask", "my.toml")
    assert "text: 0.5" in done.out
    assert "warning: the answer was cut off at the token limit; raise max_tokens; a run counts such" in done.out


def test_a_run_whose_answers_are_all_cut_off_ends_early(command):
    with loopback(default=Act(text="0.5", finish="length")) as server:
        written(command, server.url, concurrency="1")
        (command.folder / "data.jsonl").write_text("".join(f'{{"text": "Film {n} was fine."}}\n' for n in range(50)))
        done = command("run", "my.toml", "--out", "out")
        assert server.requests == FIRST
    assert done.code == 3
    alike = "all 8 questions and follow-ups that were asked failed in the same way"
    assert f"{alike}: the answer was cut off at the token limit; raise max_tokens" in done.out


def test_a_model_is_sent_as_it_is_written_where_a_folder_has_its_name(command):
    (command.folder / "m").mkdir()
    with loopback(default=Act(text="0.5")) as server:
        written(command, server.url)
        assert command("ask", "my.toml").code == 0
        assert command("run", "my.toml", "--out", "out").code == 0
        assert {body["model"] for body in server.bodies} == {"m"}


def test_ask_puts_a_question_to_what_is_no_endpoint(command):
    (command.folder / "bot.py").write_text('def answer(text):\n    return "0.9"\n')
    (command.folder / "data.jsonl").write_text('{"text": "It was lovely."}\n')
    (command.folder / "my.toml").write_text(
        'relations = ["upper-case"]\n[system]\ntype = "function"\ntarget = "bot.py:answer"\n'
        '[data]\ntask = "sentiment"\nformat = "jsonl"\npath = "data.jsonl"\n'
    )
    done = command("ask", "my.toml")
    assert done.code == 0
    assert "It was lovely." in done.out
    assert "read as: 0.9" in done.out
    assert "did you mean" in command("ask", "my.toml", "--system", "function:bot.py:answe").complaint
