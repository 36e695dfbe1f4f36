"""LLMorph's catalogue, counted against the published table (copied here by hand, not read from the code)."""

from pathlib import Path

import pytest

import mutatis
import mutatis.relations  # noqa: F401
import mutatis.tasks  # noqa: F401
from mutatis.core.constraint import Stage
from mutatis.core.relation import RELATIONS
from mutatis.core.task import TASKS
from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.testing import check_relation

NAMES = {
    "QA": "question-answering",
    "NLI": "inference",
    "SA": "sentiment",
    "RE": "relation-extraction",
}
ALL = "QA NLI SA RE"
# number, name, tasks, what must hold, made by, precondition
PUBLISHED = {
    1: ("replace-characters", ALL, "equal", "function", ""),
    2: ("delete-characters", ALL, "equal", "function", ""),
    3: ("leet", ALL, "equal", "function", ""),
    4: ("add-characters", ALL, "equal", "function", ""),
    5: ("add-spaces", ALL, "equal", "function", ""),
    6: ("swap-characters", ALL, "equal", "function", ""),
    7: ("shuffle-inside-words", ALL, "equal", "function", ""),
    8: ("synonyms", ALL, "equal", "language-model", ""),
    9: ("insert-words", ALL, "equal", "language-model", ""),
    10: ("antonyms", ALL, "different", "language-model", "source answer says something"),
    19: ("shuffle-sentences", "QA RE", "equal", "function", "at least two sentences"),
    25: ("random-keywords", ALL, "different", "language-model", "source answer says something"),
    34: ("remove-keywords", ALL, "different", "language-model", "source answer says something"),
    49: ("no-change", ALL, "equal", "function", ""),
    51: ("paraphrase", ALL, "equal", "language-model", ""),
    57: ("sentence-mood", "RE", "equal", "language-model", ""),
    77: ("extend-premise", "NLI", "equal", "language-model", "source answer is entailment"),
    78: ("extend-hypothesis", "NLI", "equal", "language-model", "source answer is entailment"),
    79: ("chained-hypothesis", "NLI", "not-inverse", "language-model", "source answer is entailment"),
    80: ("premise-from-premise", "NLI", "not-inverse", "language-model", "source answer is entailment"),
    84: ("random-sentence", "QA NLI RE", "equal", "function", ""),
    102: ("upper-case", ALL, "equal-or-stronger", "function", ""),
    120: ("back-translation", ALL, "equal", "language-model", ""),
    126: ("keyboard-typos", ALL, "equal", "function", ""),
    127: ("misspell", ALL, "equal", "function", ""),
    128: ("ocr-noise", ALL, "equal", "function", ""),
    136: ("voice", "QA NLI RE", "equal", "language-model", ""),
    137: ("same-category", ALL, "equal", "language-model", ""),
    141: ("swap-symmetric", "RE", "equal", "function", "relation is symmetric or none"),
    142: ("swap-asymmetric", "RE", "opposite", "function", "relation is not symmetric"),
    149: ("number", "QA RE SA", "equal", "language-model", ""),
    150: ("exclamation", "SA", "stronger", "function", "source answer is not 0.5"),
    151: ("emphasis", "SA", "stronger", "language-model", "source answer is not 0.5"),
    152: ("negation", ALL, "different", "language-model", "source answer says something"),
    154: ("capital-keywords", "SA", "stronger", "language-model", "source answer is not 0.5"),
    155: ("tense", "QA NLI RE", "equal", "language-model", ""),
}
PAPER_TASKS = set(NAMES.values())


def published() -> list[str]:
    return [name for name in RELATIONS if any(i.startswith("llmorph/") for i in RELATIONS[name].published.ids)]


def test_36_relations_and_108_pairs() -> None:
    assert len(published()) == len(PUBLISHED) == 36
    pairs = [(name, task) for name in published() for task in RELATIONS[name].tasks if task in PAPER_TASKS]
    per_task = {short: sum(task == long for _, task in pairs) for short, long in NAMES.items()}
    assert per_task == {"QA": 26, "NLI": 28, "RE": 29, "SA": 25}
    assert len(pairs) == 108


@pytest.mark.parametrize("number", list(PUBLISHED))
def test_row(number: int) -> None:
    name, tasks, holds, made_by, precondition = PUBLISHED[number]
    relation = RELATIONS[f"llmorph/mr-{number}"]
    assert relation.name == name
    assert {task for task in relation.tasks if task in PAPER_TASKS} == {NAMES[short] for short in tasks.split()}
    assert relation.output_relation.name == holds
    assert [TRANSFORMATIONS[step.transformation].made_by for step in relation.transformations] == [made_by]
    names = [p.name for p in relation.preconditions if p.stage is not Stage.FOLLOW_UP_OUTPUT]
    assert names == ([precondition] if precondition else [])
    assert [p.name for p in relation.preconditions if p.stage is Stage.FOLLOW_UP_OUTPUT] == (
        ["answer is not a refusal"] if holds == "different" else []
    )
    assert relation.published.ids == (f"llmorph/mr-{number}",)
    assert "llmorph" in relation.tags
    needs_helper = made_by == "language-model" or number in (141, 142)
    assert ("helper" in relation.tags, "free" in relation.tags) == (needs_helper, not needs_helper)
    assert relation.limits.unchanged == ("keep" if number == 49 else "invalid")


@pytest.mark.parametrize(
    ("number", "task", "variants"),
    [
        (1, "QA", "context / question / context question"),
        (1, "NLI", "premise / hypothesis / premise hypothesis"),
        (1, "RE", "text"),
        (1, "SA", "text"),
        (9, "QA", "context"),
        (9, "NLI", "premise"),
        (10, "QA", "context / question"),
        (10, "NLI", "premise / hypothesis"),
        (19, "QA", "context"),
        (19, "RE", "text"),
        (84, "NLI", "premise"),
        (77, "NLI", "premise"),
        (78, "NLI", "hypothesis"),
        (137, "RE", "text head tail"),
        (141, "RE", "head tail"),
        (142, "RE", "head tail"),
        (152, "QA", "context / question"),
    ],
)
def test_fields(number: int, task: str, variants: str) -> None:
    relation, chosen = RELATIONS[f"llmorph/mr-{number}"], TASKS[NAMES[task]]
    fields_of = relation.edits.variants.get(chosen.name, chosen.variants)
    assert [" ".join(fields) for fields in fields_of] == variants.split(" / ")


@pytest.mark.parametrize("name", [n for n in RELATIONS if {"llmorph", "ours"} & RELATIONS[n].tags])
def test_conforms(name: str) -> None:
    check_relation(name)


def test_forms_that_need_no_language_model() -> None:
    free = {n for n in RELATIONS if "ours" in RELATIONS[n].tags and "helper" not in RELATIONS[n].tags}
    for published_name, forms in {
        "synonyms": {"synonyms-lexicon"},
        "antonyms": {"antonyms-lexicon"},
        "insert-words": {"insert-words-rules"},
        "random-keywords": {"random-keywords-rules"},
        "remove-keywords": {"remove-keywords-rules"},
        "negation": {"negation-auxiliary"},
        "emphasis": {"emphasis-rules"},
        "capital-keywords": {"capital-keywords-rules"},
    }.items():
        assert forms <= free
        for form in forms:
            assert RELATIONS[form].output_relation == RELATIONS[published_name].output_relation
            assert not RELATIONS[form].published.ids


def test_free_relations_run_on_a_fresh_machine() -> None:
    """Nothing tagged free may need a helper or files that are not always there."""
    for name in RELATIONS:
        relation = RELATIONS[name]
        if "free" in relation.tags:
            made = [TRANSFORMATIONS[step.transformation] for step in relation.transformations]
            assert all(t.made_by == "function" and not t.name.endswith("-wordnet") for t in made)
            assert not any(p.needs_helper for p in relation.preconditions)


@pytest.mark.parametrize(("recipe", "violated"), [("llmorph", 0), ("llmorph_paper", 1)])
def test_the_papers_rule_of_a_stronger_sentiment_goes_with_its_recipe(
    recipe: str, violated: int, tmp_path: Path
) -> None:
    """0.66 that becomes 0.65 is no finding of ours, and one of the paper's; so it is when the run is judged again."""
    for offline in (False, True):
        run = mutatis.run(
            lambda text: "0.65" if "!" in text else "0.66",
            ["a warm film."],
            ["exclamation"],
            recipe=recipe,
            task="sentiment",
            offline=offline,
            out=tmp_path,
        )
        [row] = [row for row in run.report["summary"] if row["relation"] == "exclamation"]
        assert (row["violated"], row["satisfied"]) == (violated, 1 - violated)
