"""What a run that names nothing is tested with: the default sets, without what they leave out on a task."""

from __future__ import annotations

import pytest

from mutatis.assembly.relations import Chooser, default_sets
from mutatis.config import Config
from mutatis.core.errors import UsageError
from mutatis.core.relation import RELATIONS
from mutatis.relations.soundness import LEFT_OUT, PURPOSES


def chosen(selectors: list[str], task: str = "chat") -> set[str]:
    chooser = Chooser(config=Config(), has_helper=False, notes=[])
    return {relation.name for relation in chooser.choose(selectors, [task])[task]}


def test_what_is_left_out_is_in_its_set_and_comes_with_it_by_name() -> None:
    for name in LEFT_OUT["chat"]:
        [purpose] = RELATIONS[name].tags & set(PURPOSES)
        assert name not in chosen(default_sets())
        assert name in chosen([f"tag:{purpose}"])
        assert name in chosen([name])


def test_other_tasks_leave_out_nothing_of_it() -> None:
    assert {"repeat-words", "say-faith"} <= chosen(default_sets(), "question-answering")


def test_the_default_sets_may_be_named_beside_a_further_relation() -> None:
    assert chosen(["default", "ask-between"]) == chosen(default_sets()) | {"ask-between"}
    with pytest.raises(UsageError, match="did you mean 'default'"):
        chosen(["defualt"])
