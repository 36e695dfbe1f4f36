"""The conformance checks find what they are there for; the scripted doubles do what they say."""

import asyncio
from random import Random, SystemRandom
from typing import Annotated, Any

import pytest

from mutatis.core.cases import Case, Derivation, Step, Turn
from mutatis.core.errors import SystemFailure, UsageError
from mutatis.core.parameters import Share, Within
from mutatis.core.relation import MetamorphicRelation
from mutatis.core.system import Conversation, Message, Response
from mutatis.core.transformation import derive, transformation
from mutatis.relations.output import Equal
from mutatis.testing import (
    ScriptedBot,
    ScriptedHelper,
    ScriptedSystem,
    check_relation,
    check_system,
    check_transformation,
    sync,
)


def test_random_choices_of_its_own_are_found() -> None:
    @transformation("wild")
    def wild(text: str) -> str:
        """Add a number."""
        return f"{text} {SystemRandom().random()}"

    with pytest.raises(AssertionError, match="two different follow-ups"):
        check_transformation("wild")


def test_a_changed_input_is_found() -> None:
    @transformation("greedy", level="turn")
    def greedy(turn: Turn) -> Turn:
        """Change the turn in place."""
        turn.fields["text"] += "!"  # type: ignore[index]
        return turn

    with pytest.raises(AssertionError, match="changed its input"):
        check_transformation("greedy")


def test_a_share_that_does_not_nest_is_found() -> None:
    @transformation("jumpy")
    def jumpy(text: str, rng: Random, *, share: Share = 0.1) -> str:
        """Replace words, others for every share."""
        words = text.split()
        chosen = Random(f"{share}{rng.random()}").sample(range(len(words)), int(share * len(words)))
        return " ".join("###" if i in chosen else word for i, word in enumerate(words))

    check_transformation("jumpy")
    with pytest.raises(AssertionError, match=r"leaves .* unchanged, but a smaller one does not"):
        check_transformation("jumpy", nested="share")


def test_a_whole_number_nests_like_any_other() -> None:
    @transformation("counted")
    def counted(text: str, rng: Random, *, words: Annotated[int, Within(0, 4)] = 1, fickle: bool = False) -> str:
        """Strike words out, the first ones first."""
        listed = text.split()
        return " ".join("#" if at < words else word for at, word in enumerate(listed))

    @transformation("uncounted")
    def uncounted(text: str, rng: Random, *, words: Annotated[int, Within(1, 1_000_000)] = 1) -> str:
        """Strike out every word but one."""
        listed = text.split()
        return " ".join(word if at == words % max(len(listed), 1) else "#" for at, word in enumerate(listed))

    check_transformation("counted", nested="words")
    check_transformation("duplicate", nested="copies")  # what is added once more was not left alone
    with pytest.raises(AssertionError, match=r"words = \d+ leaves .* unchanged, but a smaller one does not"):
        check_transformation("uncounted", nested="words")
    with pytest.raises(UsageError, match="nested = 'fickle': this parameter is not a number"):
        check_transformation("counted", nested="fickle")
    with pytest.raises(UsageError, match="did you mean 'words'"):
        check_transformation("counted", nested="word")
    with pytest.raises(
        UsageError, match=r"unknown parameter of transformation 'counted': 5; expected one of: fickle, words"
    ):
        check_transformation("counted", nested=5)  # type: ignore[arg-type]


def test_a_whole_number_without_bounds_is_tried_beyond_one() -> None:
    @transformation("late")
    def late(text: str, *, words: int = 1) -> str:
        """Strike words out, and put them back from the fourth on."""
        return " ".join("#" if at < words < 4 else word for at, word in enumerate(text.split()))

    with pytest.raises(AssertionError, match=r"words = \d+ leaves .* unchanged, but a smaller one does not"):
        check_transformation("late", nested="words")


def test_an_edited_protected_text_is_found() -> None:
    @transformation("careless")
    def careless(text: str, *, protected: tuple[str, ...] = ()) -> str:
        """Write in upper case, whatever is protected."""
        return text.upper()

    with pytest.raises(AssertionError, match="protected text 'Rome'"):
        check_transformation("careless")


def test_a_dropped_field_and_no_text_are_found() -> None:
    @transformation("forgetful", level="turn")
    def forgetful(turn: Turn) -> Turn:
        """Forget a field."""
        return Turn(fields={"text": turn.fields["text"]})

    @transformation("numb")
    def numb(text: str) -> Any:
        """Return a number."""
        return len(text)

    with pytest.raises(AssertionError, match="fields"):
        check_transformation("forgetful")
    with pytest.raises(AssertionError, match="expected a string"):
        check_transformation("numb")


def test_a_relation_with_a_field_that_its_task_lacks_is_found() -> None:
    bad = MetamorphicRelation.of(
        name="bad",
        transformations=(Step(transformation="leet"),),
        output_relation=Equal(),
        tasks=("sentiment",),
        variants={"sentiment": (("premise",),)},
        summary="x",
    )
    with pytest.raises(AssertionError, match="sentiment has no fields"):
        check_relation(bad)


class NotASystem:
    label = "x"
    identity: dict[str, object] = {}  # noqa: RUF012

    async def ask(self, conversation: Conversation) -> Any:
        return "a plain text"


def test_a_system_that_answers_with_something_else_is_found() -> None:
    with pytest.raises(AssertionError, match="expected a Response"):
        sync(check_system(NotASystem()))


def ask(system: ScriptedSystem, content: str, **fields: str) -> str:
    messages = (Message(role="user", content=content),)
    return sync(system.ask(Conversation(messages=messages, fields=fields))).text


def test_scripted_system() -> None:
    bot = ScriptedSystem({"Hello": "Hi", "down": SystemFailure("down"), "by field": Response(text="found")})
    assert ask(bot, "Hello") == "Hi"
    assert ask(bot, "prompt", text="by field") == "found"
    with pytest.raises(SystemFailure, match="down"):
        ask(bot, "down")
    with pytest.raises(SystemFailure, match="nothing is written down"):
        ask(bot, "else")
    assert bot.count == 4
    assert ask(ScriptedSystem(lambda c: c.messages[-1].content.upper()), "abc") == "ABC"


def test_a_scripted_system_counts_what_it_is_asked_and_may_take_its_time() -> None:
    async def slow(conversation: Conversation) -> str:
        await asyncio.sleep(0)
        return f"{bot.times('x')}. time"

    bot = ScriptedSystem(slow)
    assert [ask(bot, "prompt", text="x"), ask(bot, "x"), ask(bot, "xx")] == ["1. time", "2. time", "2. time"]
    assert (bot.times("prompt"), bot.times("never"), bot.count) == (1, 0, 3)


async def test_a_scripted_bot_keeps_each_dialogue_apart() -> None:
    bot = ScriptedBot({"Hello": "Hi", "down": SystemFailure("down")})
    hello, down = (Conversation(messages=(Message(role="user", content=text),)) for text in ("Hello", "down"))
    async with bot.session() as first, bot.session() as other:
        assert (await first.send(hello)).text == "Hi"
        with pytest.raises(SystemFailure, match="down"):
            await other.send(down)
    assert bot.sessions == [[hello], [down]]
    assert not hasattr(bot, "ask")


def test_scripted_helper() -> None:
    helper = ScriptedHelper(["a", {"b": 1}])
    assert [sync(helper.complete(p)) for p in "xyz"] == ["a", {"b": 1}, {"b": 1}]
    assert helper.prompts == ["x", "y", "z"]
    assert sync(ScriptedHelper(str.upper).complete("abc")) == "ABC"


@pytest.mark.parametrize("name", ["replace-characters", "delete-characters", "ocr-noise", "upper-case", "misspell"])
def test_entities_of_a_turn_are_protected_when_asked_for(name: str) -> None:
    text = "Ida Lund was born in Brecland, a particularly beautiful town; Ida Lund moved to Oslo."
    turn = Turn(
        fields={"text": text, "head": "Ida Lund", "tail": "Brecland"},
        annotations={"protected": {"entities": ("Ida Lund", "Brecland")}},
    )
    case = Case(id="c", turns=(turn,))

    def made(protect: str) -> str:
        step = Step(transformation=name, parameters={"share": 1.0, "protect": protect})
        return sync(derive(case, Derivation(source="c", steps=(step,), variant=("text",)))).turns[0].fields["text"]

    assert made("entities").count("Ida Lund") == 2
    assert made("entities").count("Brecland") == 1
    assert made("entities") != text
    if name != "misspell":
        assert "Brecland" not in made("nothing")
