"""`relation(...)`: what users declare, and how they are told what is wrong."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from mutatis.core.cases import Case, Step, Turn
from mutatis.core.errors import UsageError
from mutatis.core.relation import RELATIONS
from mutatis.core.search import Source
from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.relations import relation
from mutatis.relations.preconditions import NOT_A_REFUSAL
from mutatis.search import derivations
from mutatis.testing import check_relation, check_transformation

DOCS = Path(__file__).parents[3] / "docs"


def test_a_relation_of_its_own_transformation() -> None:
    lower = RELATIONS["lower-case"]
    RELATIONS.remove("lower-case")
    try:
        made = relation("lower-case", tasks=["sentiment"])
        assert made.transformations == (Step(transformation="lower-case"),)
        assert made.summary == TRANSFORMATIONS["lower-case"].summary
    finally:
        RELATIONS.remove("lower-case")
        RELATIONS.add("lower-case", lower, ids=lower.published.ids)


def test_tags_by_what_is_needed() -> None:
    assert relation("x1", transformations=["leet"], tasks=["sentiment"], tags=["mine"]).tags == {"mine", "free"}
    assert relation("x2", transformations=["leet", "paraphrase"], tasks=["sentiment"]).tags == {"helper"}
    assert relation("x3", transformations=["leet"], tasks=["sentiment"], tags=["wordnet"]).tags == {"wordnet"}


def test_the_kind_of_change_is_said_or_follows_from_the_tags() -> None:
    assert relation("x1", transformations=["leet"], tasks=["sentiment"], tags=["mine", "wording"]).change == "wording"
    assert (
        relation("x2", transformations=["leet"], tasks=["sentiment"], tags=["wording"], change="unit").change == "unit"
    )
    assert relation("x3", transformations=["leet"], tasks=["sentiment"]).change is None


def test_differences_exclude_refusals() -> None:
    made = relation("x", transformations=["antonyms-lexicon"], output_relation="different", tasks=["sentiment"])
    assert made.preconditions == (NOT_A_REFUSAL,)


def test_published_ids_are_names() -> None:
    relation("x", transformations=["leet"], tasks=["sentiment"], ids=("mine/mr-1000",))
    assert RELATIONS["mine/mr-1000"].name == RELATIONS["mr-1000"].name == "x"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"transformations": ["leat"]}, "did you mean 'leet'"),
        ({"transformations": "leet"}, "expected a list of names"),
        ({"transformations": [Step(transformation="leet", parameters={"shar": 0.1})]}, "did you mean 'share'"),
        ({"transformations": [Step(transformation="leet", parameters={"share": 2.0})]}, "from 0 to 1"),
        ({"transformations": ["leet"], "output_relation": "equals"}, "did you mean 'equal'"),
        ({"transformations": ["leet"], "tasks": []}, "at least one task"),
        ({"transformations": ["leet"], "tasks": "sentiment"}, "at least one task"),
        ({"transformations": ["leet"], "sumary": "x"}, "did you mean 'summary'"),
        ({"transformations": ["leet"], "groupin": "pair"}, "did you mean 'grouping'"),
        ({"transformations": ["leet"], "measure": "refusal"}, r"measure= was removed; .*Equal\(measure=...\)"),
        ({"transformations": ["leet"], "expectation": "x"}, "expectation= was removed; .*`in_words`"),
    ],
)
def test_errors_say_what_was_expected(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        relation("mine", **{"tasks": ["sentiment"], **arguments})  # type: ignore[arg-type]


def test_a_relation_has_few_attributes_and_says_where_the_details_are() -> None:
    made = relation("x", transformations=["leet"], tasks=["sentiment"], grouping="question", draws=2, paper="P")
    assert (made.matching.grouping, made.edits.draws, made.published.paper) == ("question", 2, "P")
    assert len(fields(made)) <= 14
    with pytest.raises(AttributeError, match=r"read relation\.matching\.grouping"):
        _ = made.grouping
    other = made.but(draws=3, when=lambda turn: None, tags=frozenset())
    assert (other.edits.draws, other.matching.grouping, other.tags) == (3, "question", frozenset())


def test_an_edit_may_take_its_parameters_from_a_dictionary_and_be_drawn_twice() -> None:
    chosen = {"share": 0.5, "protect": "values"}
    made = relation("x", transformations=[Step(transformation="leet", parameters=chosen)], tasks=["chat"], draws=2)
    source = Source(
        case=Case(id="c", task="chat", turns=(Turn(fields={"message": "Are tables free?"}),)), relations=(made,)
    )
    tried = [(derivation.draw, derivation.steps[0].parameters) for derivation in derivations(source)]
    assert tried == [(0, chosen), (1, chosen)]


def test_a_name_that_is_taken() -> None:
    with pytest.raises(UsageError, match="already registered"):
        relation("leet", tasks=["sentiment"])


def test_the_file_in_the_documentation_works() -> None:
    code = re.search(r"```python\n# my_relations\.py\n(.*?)```", (DOCS / "extending.md").read_text("utf-8"), re.DOTALL)
    assert code is not None
    assert len(code.group(1).strip().splitlines()) <= 16
    exec(compile(code.group(1), "my_relations.py", "exec"), {"__name__": "my_relations"})
    check_relation("courtesy")
    check_transformation("courtesy")
