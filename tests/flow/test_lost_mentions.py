"""An edit that destroys an entity changes the task: the report gives the rate with and without such follow-ups."""

from __future__ import annotations

import mutatis
from mutatis.core.cases import Case, Turn
from mutatis.core.system import Conversation, Response


class Finder:
    """Names a relation only while it finds both entities in the text."""

    label = "finder"
    identity = {"name": "finder"}  # noqa: RUF012 - a constant

    async def ask(self, conversation: Conversation) -> Response:
        fields = conversation.fields
        found = fields["head"] in fields["text"] and fields["tail"] in fields["text"]
        return Response(text="capital" if found else "no relation")


def cases() -> list[Case]:
    fields = {"text": "Paris lies in France and is old.", "head": "Paris", "tail": "France"}
    marked = {"protected": {"entities": ["Paris", "France"]}}
    return [Case(id=f"re/{i}", turns=(Turn(fields=fields, annotations=marked),)) for i in range(30)]


def test_both_figures_are_given() -> None:
    run = mutatis.run(Finder(), cases(), ["upper-case"], task="relation-extraction", judge="exact")
    [row] = run.summary
    assert row["violated"] == 30
    assert row["lost_mentions"].to_json() == {"judged": 30, "violated": 30}
    [warning] = [check for check in run.report["health"] if check["name"] == "lost-mentions"]
    assert "30 of 30 violations lost a marked string" in warning["message"]
    assert "where all are kept, 0 of 0 are violated" in warning["message"]


def test_nothing_is_said_where_nothing_is_lost() -> None:
    run = mutatis.run(Finder(), cases(), ["random-sentence"], task="relation-extraction", judge="exact")
    assert run.summary[0]["lost_mentions"].to_json() == {"judged": 0, "violated": 0}
    assert not [check for check in run.report["health"] if check["name"] == "lost-mentions"]


class Silent(Finder):
    """Sees no relation anywhere, so that exchanged entities must give the same answer."""

    async def ask(self, conversation: Conversation) -> Response:
        return Response(text="no relation")


class Nobody:
    """A helper that is never asked."""

    async def complete(self, prompt: str, *_: object, **__: object) -> object:
        raise AssertionError("asked")


def test_a_question_about_other_entities_has_lost_none() -> None:
    run = mutatis.run(Silent(), cases(), ["swap-symmetric"], task="relation-extraction", judge="exact", helper=Nobody())
    assert run.summary[0]["satisfied"] == 30
    assert run.summary[0]["lost_mentions"]["judged"] == 0
