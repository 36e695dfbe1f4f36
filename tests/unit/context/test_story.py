from __future__ import annotations

import pytest

from mutatis.context.checks import ContextOptions, judge_by_knowledge
from mutatis.context.dialogue import Dialogue
from mutatis.context.knowledge import Knowledge, Need
from mutatis.context.story import Story

ONE_WOMAN = (
    "Nora Quinn lived by the sea. She built a lighthouse. Nora worked for six years, and her hands were rough. "
    "One day a storm came. Quinn lost her boat, but she kept the tower. Quinn was proud."
)
TWO_WOMEN = (
    "Nora lived by the sea. She built a tower. Edith lived in town. She baked bread. Nora met Edith. "
    "Nora liked her. Edith laughed. Edith gave her bread."
)


def salient(story, question):
    return Story.read(story).resolves(question, "salient")


def test_the_only_woman_of_a_story_is_salient():
    assert Story.read(ONE_WOMAN).antecedent("she") == "quinn"
    assert salient(ONE_WOMAN, "What did she build?")


def test_two_women_are_ambiguous():
    assert Story.read(TWO_WOMEN).antecedent("she") is None
    assert not salient(TWO_WOMEN, "Where did she live?")


def test_a_pronoun_that_fits_nobody():
    assert not salient(ONE_WOMAN, "Where did he live?")


@pytest.mark.parametrize(
    "question",
    ["Why?", "What else did she build?", "What did she do then?", "Was it tall?", "What about her boat?", "Did she?"],
)
def test_ellipsis_sequence_and_things_never_pass(question):
    assert not salient(ONE_WOMAN, question)


def test_a_definite_noun_passes_when_the_story_has_it_once():
    assert salient(ONE_WOMAN, "Was the tower lost?")
    assert not salient("Two towers stood there. The towers fell.", "Was the tower lost?")
    assert not salient(ONE_WOMAN, "Was the castle lost?")


def test_papers_reading_passes_nearly_everything_but_under_three_words():
    story = Story.read(TWO_WOMEN)
    assert story.resolves("Where did she live?", "papers")
    assert story.resolves("Was it tall?", "papers")
    assert not story.resolves("Why not?", "papers")
    assert not Story.read("").resolves("Was it tall?", "papers")


@pytest.mark.parametrize(
    ("reading", "status"), [("salient", "equivalent"), ("papers", "equivalent"), ("off", "altered")]
)
def test_dataset_check_only_where_the_others_fail(reading, status):
    asked = Dialogue(
        id="d", questions=("Who is the builder?", "What did she build?"), answers=("Nora Quinn", ""), story=ONE_WOMAN
    )
    known = Knowledge(
        start=frozenset(),
        said=(frozenset({"builder"}), frozenset({"build"})),
        full=(frozenset({"builder", "nora", "quinn"}), frozenset({"build"})),
        wanted=((), (Need(parts=("nora", "quinn"), label="Nora Quinn", name=True),)),
        resolved=(False, False),
    )
    found = judge_by_knowledge(asked, known, [1, 0], ContextOptions(dataset_check=reading))
    assert found[0].status == status
    assert found[0].check == ("ontology" if status == "altered" else "dataset")


def test_titles_tell_who_he_is():
    story = "Mr. Reilly came. Mr. Reilly sat. Reilly slept. The sea was calm."
    assert Story.read(story).antecedent("he") == "reilli"


def test_a_story_of_one_megabyte_is_cut(cases):
    story = "Nora Quinn built it. " * 50_000
    case = cases.dialogue_case(["Who built it?"], ["Nora"], material={"story": story})
    assert len(story) > 1_000_000
    assert len(Dialogue.from_case(case).story) == 60_000
