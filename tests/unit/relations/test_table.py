"""The table of relations: a row is a relation, with all that its readings and its tags add."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mutatis import transformation
from mutatis.core.cases import Case, Turn
from mutatis.core.dictionary import Dictionary
from mutatis.core.errors import UsageError
from mutatis.core.relation import RELATIONS
from mutatis.core.search import Source
from mutatis.core.transformation import TRANSFORMATIONS, looks_up
from mutatis.relations.content_quality import swept
from mutatis.relations.moving import FollowsValue
from mutatis.relations.soundness import PURPOSES
from mutatis.relations.table import row
from mutatis.search import derivations


@pytest.fixture
def exchanges_limits() -> Iterator[None]:
    def from_dictionary(question: str, answer: str, dictionary: Dictionary) -> list[dict[str, str]]:
        return [{"value": limit.value} for limit in dictionary.limits]

    @transformation("exchange-limit", reads=from_dictionary)
    def exchange_limit(text: str, *, value: str = "") -> str:
        """Put a limit that the bot named into the question."""
        return f"{text} And from {value}?"

    yield
    RELATIONS.remove("other-limit")
    TRANSFORMATIONS.remove("exchange-limit")


def test_a_relation_whose_edit_draws_from_a_dictionary_is_one_row(exchanges_limits: None) -> None:
    made = row(
        "other-limit",
        FollowsValue(),
        "chat",
        by="exchange-limit",
        says="With another limit in the question, the answer does not repeat the old one.",
        change="limit",
        tags=("ours", "must-move"),
        draws=2,
    )
    assert (made.change, made.edits.draws, made.tags) == ("limit", 2, {"ours", "must-move", "free"})
    assert looks_up(made.transformations)
    case = Case(id="c", task="chat", turns=(Turn(fields={"message": "May I rent a car?"}),))
    assert [d.draw for d in derivations(Source(case=case, relations=(made,)))] == [0, 1]


def test_each_task_of_a_row_edits_those_of_the_fields_that_it_has() -> None:
    made = row("x", tasks="qa, nli, talk", fields="context question, hypothesis, premise", by="leet")
    assert made.tasks == ("question-answering", "inference", "dialogue", "chat")
    assert made.edits.variants == {
        "question-answering": (("context", "question"),),
        "inference": (("hypothesis",), ("premise",)),
    }
    assert made.summary == TRANSFORMATIONS["leet"].summary


def test_a_misspelt_field_of_a_row_is_an_error() -> None:
    with pytest.raises(UsageError, match="unknown field in a row: 'questoin'; did you mean 'question'"):
        row("x", tasks="qa, talk", fields="context, questoin", by="leet")


def test_each_relation_of_a_default_set_makes_a_known_kind_of_change() -> None:
    sets = frozenset(PURPOSES) - {"logic"}
    unknown = [name for name in RELATIONS if RELATIONS[name].tags & sets and RELATIONS[name].change is None]
    assert unknown == []


def test_the_relations_of_agents_and_of_extracted_data_make_a_known_kind_of_change() -> None:
    changes = {name: RELATIONS[name].change for name in RELATIONS if RELATIONS[name].tags & {"agents", "extraction"}}
    assert [name for name, change in changes.items() if change is None] == ["fail-tools"]  # counted as "other"
    assert changes["exchange-argument"] == changes["data-date"] == "value"
    assert changes["shuffle-tools"] == RELATIONS["swap-answers"].change == "order"
    assert changes["second-request"] == "pair"


def test_the_relations_of_the_published_methods_make_a_known_kind_of_change() -> None:
    methods = {"content-quality", "metal", "metal-v1", "wordnet", "mortar", "mortar-v1", "llmorph"}
    changes = {name: RELATIONS[name].change for name in RELATIONS if RELATIONS[name].tags & methods}
    # No kind is about keywords that are missing, and no-change makes no change.
    assert {name for name in changes if changes[name] is None} == {"no-change", "random-keywords", "remove-keywords"}
    assert changes["duplicate-2"] == changes["uppercase-50"] == changes["metal-typos"] == "noise"
    assert changes["abbreviation-1"] == changes["metal-synonyms-wordnet"] == changes["emphasis"] == "wording"
    assert changes["context-altering"] == changes["same-answerability"] == "conversation"
    assert changes["same-category"] == "name"
    assert (swept("duplicate", "copies").change, swept("leet", "share").change) == ("noise", None)


def test_what_must_hold_has_a_sentence_for_readers_beside_it() -> None:
    outputs = [RELATIONS[name].output_relation for name in RELATIONS]
    ours = [output for output in outputs if type(output).__module__.startswith("mutatis.")]
    assert len(ours) >= 322
    assert [output.name for output in ours if not getattr(output, "for_readers", "")] == []
