"""What a whole campaign keeps to: repeat indices, dialogues kept by bots, a gate, and mistakes told before asking."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest

import mutatis
from mutatis.core.cases import Step
from mutatis.core.system import Conversation, Response
from mutatis.query.store import Store
from mutatis.relations.output import Equal
from support.loopback import loopback


class Bot:
    """Answers by a function of the text; counts how often each is asked."""

    def __init__(self, answer: Any = lambda text, n: "0.9", label: str = "bot") -> None:
        self.label, self.answer = label, answer
        self.identity = {"type": "bot", "label": label}
        self.asked: Counter[str] = Counter()

    async def ask(self, conversation: Conversation) -> Response:
        text = conversation.fields.get("text") or conversation.fields["question"]
        self.asked[text] += 1
        return Response(text=self.answer(text, self.asked[text]))


def reviews(number: int = 2) -> list[mutatis.Case]:
    return [
        mutatis.Case(id=f"a/{i}", turns=(mutatis.Turn(fields={"text": f"film {i} was fine"}),)) for i in range(number)
    ]


def test_repeats_the_noise_floor_and_confirm_are_asked_under_indices_of_their_own():
    bot = Bot(lambda text, n: "0.1" if text.isupper() else "0.9")
    run = mutatis.run(bot, reviews(1), ["upper-case"], task="sentiment", repeats=3, confirm=5)
    # The source: three repeats, once for the noise floor, once to confirm.
    assert bot.asked["film 0 was fine"] == 3 + 1 + 1
    assert bot.asked["FILM 0 WAS FINE"] == 3 + 1
    assert run.summary[0]["violated"] == 3
    assert run.findings[0]["count"] == 3


def test_the_identity_relation_is_asked_again_once_whatever_the_repeats():
    bot = Bot()
    run = mutatis.run(bot, reviews(2), ["no-change"], task="sentiment", repeats=3, confirm=0)
    # Its follow-up is the source under the index of the noise floor, compared with the first repeat.
    assert set(bot.asked.values()) == {1 + 1}
    assert run.summary[0]["satisfied"] == 2


def test_a_moody_system_has_a_noise_floor_and_findings_that_do_not_hold():
    bot = Bot(lambda text, n: "0.9" if n % 2 else "0.1")
    run = mutatis.run(bot, reviews(4), ["upper-case", "no-change"], task="sentiment")
    rows = {row["relation"]: row for row in run.summary}
    assert rows["upper-case"]["noise_floor"] == 1.0
    assert rows["no-change"]["violated"] == 4
    assert {f["confirmed"] for f in run.findings if f["relation"] == "no-change"} <= {True, False}


def test_two_systems_of_one_name_are_refused():
    with pytest.raises(mutatis.UsageError, match="two systems are called 'bot'"):
        mutatis.run([Bot(), Bot()], reviews(), ["upper-case"], task="sentiment")


def test_two_cases_of_one_id_are_refused():
    cases = [*reviews(1), mutatis.Case(id="a/0", turns=(mutatis.Turn(fields={"text": "another"}),))]
    with pytest.raises(mutatis.UsageError, match="id 'a/0'"):
        mutatis.run(Bot(), cases, ["upper-case"], task="sentiment")
    bot = Bot()
    mutatis.run(bot, [*reviews(1), *reviews(1)], ["upper-case"], task="sentiment", confirm=0)
    assert bot.asked["FILM 0 WAS FINE"] == 1


def test_no_cases_are_refused():
    with pytest.raises(mutatis.UsageError, match="no cases"):
        mutatis.run(Bot(), [], ["upper-case"], task="sentiment")


async def test_inside_an_event_loop_the_other_function_is_named_and_works():
    with pytest.raises(mutatis.UsageError, match="run_async"):
        mutatis.run(Bot(), reviews(), ["upper-case"], task="sentiment")
    run = await mutatis.run_async(Bot(), reviews(), ["upper-case"], task="sentiment")
    assert run.summary[0]["satisfied"] == 2


def test_connections_are_closed_with_the_run_and_opened_again_by_the_next():
    with loopback() as server:
        system = mutatis.system("openai", model="m", base_url=server.url)
        for number in (1, 2):
            mutatis.run(system, reviews(number), ["upper-case"], task="sentiment", confirm=0)
            assert system.endpoint._session is None


class Keeper(Bot):
    """Keeps the dialogue itself; answers with how many questions it was asked so far."""

    sessions = 0

    def session(self) -> Any:
        self.sessions += 1
        return Talk(self)


class Talk:
    def __init__(self, bot: Keeper) -> None:
        self.bot, self.turns = bot, 0

    async def __aenter__(self) -> Talk:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    async def send(self, conversation: Conversation) -> Response:
        self.turns += 1
        await asyncio.sleep(0)
        return Response(text=f"answer {self.turns}")


def test_a_dialogue_kept_by_the_bot_is_asked_whole_and_stored_whole(tmp_path):
    case = mutatis.Case(
        id="d/0",
        turns=tuple(mutatis.Turn(fields={"question": f"What is {word}?"}) for word in ("one", "two", "three")),
        material={"story": "A story."},
    )
    bot = Keeper()
    options = {"task": "dialogue", "judge": "exact", "confirm": 0, "store": tmp_path / "s.db"}
    loud = mutatis.MetamorphicRelation(
        name="loud", transformations=(Step(transformation="upper-case"),), output_relation=Equal(), tasks=("dialogue",)
    )
    run = mutatis.run(bot, [case], [loud], **options)
    assert (run.summary[0]["satisfied"], run.summary[0]["violated"]) == (3, 0)
    # The source, its follow-up, and the source again for the noise floor.
    assert bot.sessions == 3
    assert run.report["run"]["queries"]["paid"] == 9
    again = Keeper()
    mutatis.run(again, [case], [loud], **options)
    assert again.sessions == 0
    with Store(tmp_path / "s.db") as store:
        assert len(store) == 3


@pytest.mark.parametrize(
    ("arguments", "passes"),
    [
        ({}, False),
        ({"max_rate": 0.49}, False),
        ({"max_rate": 0.5}, True),
        ({"max_rate": 1.0, "max_findings": 0}, False),
        ({"max_rate": 1.0, "max_findings": 1}, True),
    ],
)
def test_the_gate_is_a_rate_per_row_and_a_number_of_findings(arguments, passes):
    bot = Bot(lambda text, n: "0.1" if text == "FILM 0 WAS FINE" else "0.9")
    run = mutatis.run(bot, reviews(2), ["upper-case"], task="sentiment")
    if passes:
        run.check(**arguments)
    else:
        with pytest.raises(mutatis.GateFailed):
            run.check(**arguments)


def test_a_system_that_always_fails_passes_no_check():
    def broken(text, n):
        raise mutatis.SystemFailure("down")

    run = mutatis.run(Bot(broken), reviews(3), ["upper-case"], task="sentiment")
    with pytest.raises(mutatis.GateFailed, match="no answer could be judged"):
        run.check(max_rate=1.0)


def test_a_run_whose_follow_ups_are_all_invalid_passes_no_check():
    loud = [mutatis.Case(id="a/0", turns=(mutatis.Turn(fields={"text": "LOUD"}),))]
    run = mutatis.run(Bot(), loud, ["upper-case"], task="sentiment")
    assert run.summary[0]["invalid"] == 1
    with pytest.raises(mutatis.GateFailed, match="0 error, 1 invalid"):
        run.check(max_rate=1.0)


def test_a_check_without_a_rate_asks_only_whether_something_was_tested():
    bot = Bot(lambda text, n: "0.1" if text.isupper() else "0.9")
    mutatis.run(bot, reviews(2), ["upper-case"], task="sentiment").check(max_rate=None)
