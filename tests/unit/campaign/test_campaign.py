"""What a whole campaign keeps to: repeat indices, dialogues kept by bots, a gate, and mistakes told before asking."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import mutatis
from mutatis.core.cases import Step
from mutatis.core.system import Conversation
from mutatis.query.store import Store
from mutatis.relations.output import Equal
from mutatis.testing import ScriptedBot, ScriptedSystem
from support.loopback import loopback


def moody(answer: Callable[[str, int], str] = lambda text, n: "0.9", label: str = "bot") -> ScriptedSystem:
    """Answers by a function of the text and of how often it was asked."""

    def said(conversation: Conversation) -> str:
        text = conversation.fields["text"]
        return answer(text, bot.times(text))

    bot = ScriptedSystem(said, label)
    return bot


def reviews(number: int = 2) -> list[mutatis.Case]:
    return [
        mutatis.Case(id=f"a/{i}", turns=(mutatis.Turn(fields={"text": f"film {i} was fine"}),)) for i in range(number)
    ]


def test_repeats_the_noise_floor_and_confirm_are_asked_under_indices_of_their_own():
    bot = moody(lambda text, n: "0.1" if text.isupper() else "0.9")
    run = mutatis.run(bot, reviews(1), ["upper-case"], task="sentiment", settings={"repeats": 3, "confirm": 5})
    # The source: three repeats, once for the noise floor, once to confirm.
    assert bot.times("film 0 was fine") == 3 + 1 + 1
    assert bot.times("FILM 0 WAS FINE") == 3 + 1
    assert run.summary[0]["violated"] == 3
    assert run.findings[0]["count"] == 3


def test_the_identity_relation_is_asked_again_once_whatever_the_repeats():
    bot = moody()
    run = mutatis.run(bot, reviews(2), ["no-change"], task="sentiment", settings={"repeats": 3, "confirm": 0})
    # Its follow-up is the source under the index of the noise floor, compared with the first repeat.
    assert [bot.times(f"film {i} was fine") for i in (0, 1)] == [1 + 1, 1 + 1]
    assert run.summary[0]["satisfied"] == 2


def test_a_relation_without_a_kind_of_change_is_counted_as_other_and_the_identity_relation_is_not_counted():
    texts = ["A lovely, charming film.", "A dull, boring evening."]
    relations = ["upper-case", "remove-keywords-rules", "no-change"]
    [tried] = mutatis.run(lambda text: "0.9", texts, relations, task="sentiment").report.reach
    assert [(kind.change, kind.fell, kind.held) for kind in tried.kinds] == [("noise", 0, 2), ("other", 2, 0)]
    assert "other" not in tried.untried


def test_a_moody_system_has_a_noise_floor_and_findings_that_do_not_hold():
    bot = moody(lambda text, n: "0.9" if n % 2 else "0.1")
    run = mutatis.run(bot, reviews(4), ["upper-case", "no-change"], task="sentiment")
    rows = {row["relation"]: row for row in run.summary}
    assert rows["upper-case"]["noise_floor"] == 1.0
    assert rows["no-change"]["violated"] == 4
    assert {f["confirmed"] for f in run.findings if f["relation"] == "no-change"} <= {True, False}


def test_two_systems_of_one_name_are_refused():
    with pytest.raises(mutatis.UsageError, match="two systems have the label 'bot'"):
        mutatis.run([moody(), moody()], reviews(), ["upper-case"], task="sentiment")


def test_two_cases_of_one_id_are_refused():
    cases = [*reviews(1), mutatis.Case(id="a/0", turns=(mutatis.Turn(fields={"text": "another"}),))]
    with pytest.raises(mutatis.UsageError, match="id 'a/0'"):
        mutatis.run(moody(), cases, ["upper-case"], task="sentiment")
    bot = moody()
    mutatis.run(bot, [*reviews(1), *reviews(1)], ["upper-case"], task="sentiment", settings={"confirm": 0})
    assert bot.times("FILM 0 WAS FINE") == 1


def test_no_cases_are_refused():
    with pytest.raises(mutatis.UsageError, match="no cases"):
        mutatis.run(moody(), [], ["upper-case"], task="sentiment")


async def test_inside_an_event_loop_the_other_function_is_named_and_works():
    with pytest.raises(mutatis.UsageError, match="run_async"):
        mutatis.run(moody(), reviews(), ["upper-case"], task="sentiment")
    run = await mutatis.run_async(moody(), reviews(), ["upper-case"], task="sentiment")
    assert run.summary[0]["satisfied"] == 2


def test_connections_are_closed_with_the_run_and_opened_again_by_the_next():
    with loopback() as server:
        system = mutatis.system("openai", model="m", base_url=server.url)
        for number in (1, 2):
            mutatis.run(system, reviews(number), ["upper-case"], task="sentiment", settings={"confirm": 0})
            assert system.endpoint._session is None


def test_a_dialogue_kept_by_the_bot_is_asked_whole_and_stored_whole(tmp_path):
    case = mutatis.Case(
        id="d/0",
        turns=tuple(mutatis.Turn(fields={"question": f"What is {word}?"}) for word in ("one", "two", "three")),
        material={"story": "A story."},
    )
    bot = ScriptedBot(lambda said: f"answer {len(said)}")
    options = {"task": "dialogue", "judge": "exact", "settings": {"confirm": 0}, "store": tmp_path / "s.db"}
    loud = mutatis.MetamorphicRelation.of(
        name="loud", transformations=(Step(transformation="upper-case"),), output_relation=Equal(), tasks=("dialogue",)
    )
    run = mutatis.run(bot, [case], [loud], **options)
    assert (run.summary[0]["satisfied"], run.summary[0]["violated"]) == (3, 0)
    # The source, its follow-up, and the source again for the noise floor.
    assert len(bot.sessions) == 3
    assert run.report["run"]["queries"]["paid"] == 9
    again = ScriptedBot(bot.answers)
    mutatis.run(again, [case], [loud], **options)
    assert again.sessions == []
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
    bot = moody(lambda text, n: "0.1" if text == "FILM 0 WAS FINE" else "0.9")
    run = mutatis.run(bot, reviews(2), ["upper-case"], task="sentiment")
    if passes:
        run.check(**arguments)
    else:
        with pytest.raises(mutatis.GateFailed):
            run.check(**arguments)


def test_a_system_that_always_fails_passes_no_check():
    def broken(text, n):
        raise mutatis.SystemFailure("down")

    run = mutatis.run(moody(broken), reviews(3), ["upper-case"], task="sentiment")
    with pytest.raises(mutatis.GateFailed, match="no answer could be judged"):
        run.check(max_rate=1.0)


def test_a_run_whose_follow_ups_are_all_invalid_passes_no_check():
    loud = [mutatis.Case(id="a/0", turns=(mutatis.Turn(fields={"text": "LOUD"}),))]
    run = mutatis.run(moody(), loud, ["upper-case"], task="sentiment")
    assert run.summary[0]["invalid"] == 1
    with pytest.raises(mutatis.GateFailed, match="upper-case changes nothing in the inputs of sentiment"):
        run.check(max_rate=1.0)


def test_a_check_without_a_rate_asks_only_whether_something_was_tested():
    bot = moody(lambda text, n: "0.1" if text.isupper() else "0.9")
    mutatis.run(bot, reviews(2), ["upper-case"], task="sentiment").check(max_rate=None)
