from __future__ import annotations

import asyncio

import pytest

from mutatis.context import ContextCheck
from mutatis.context.decisions import ContextOptions, KnowledgeJudge, read_story
from mutatis.context.knowledge import Dialogue, Knowledge, Need

ONE_WOMAN = (
    "Nora Quinn lived by the sea. She built a lighthouse. Nora worked for six years, and her hands were rough. "
    "One day a storm came. Quinn lost her boat, but she kept the tower. Quinn was proud."
)
TWO_WOMEN = (
    "Nora lived by the sea. She built a tower. Edith lived in town. She baked bread. Nora met Edith. "
    "Nora liked her. Edith laughed. Edith gave her bread."
)


def salient(story, question):
    return read_story(story).resolves(question, "salient")


def test_the_only_woman_of_a_story_is_salient():
    assert read_story(ONE_WOMAN).antecedent("she") == "quinn"
    assert salient(ONE_WOMAN, "What did she build?")


def test_two_women_are_ambiguous():
    assert read_story(TWO_WOMEN).antecedent("she") is None
    assert not salient(TWO_WOMEN, "Where did she live?")


def test_a_pronoun_that_fits_nobody():
    assert not salient(ONE_WOMAN, "Where did he live?")


@pytest.mark.parametrize(
    "question",
    [
        "Why?",
        "What else did she build?",
        "What did she do then?",
        "Was it tall?",
        "What about her boat?",
        "Did she?",
        "Did she keep this tower?",
    ],
)
def test_ellipsis_sequence_and_things_never_pass(question):
    assert not salient(ONE_WOMAN, question)


def test_who_is_mostly_she_is_not_meant_by_he_nor_the_other_way_round():
    told = "Kim built a tower. {0} was proud. {0} sang. Kim slept. {1} laughed. Kim ate. Kim left."
    for mostly, once in (("He", "She"), ("She", "He")):
        story = read_story(told.format(mostly, once))
        assert story.antecedent(mostly.lower()) == "kim"
        assert story.antecedent(once.lower()) is None


def test_a_title_says_as_much_as_one_pronoun():
    story = read_story("Mr. Kim came. She sang. She sat. Kim slept. Kim ate.")
    assert story.antecedent("she") == "kim"
    assert story.antecedent("he") is None


def test_a_name_without_pronoun_or_title_is_nobodys_antecedent():
    story = read_story("Kim came. Kim sat. Kim slept.")
    assert story.antecedent("he") is story.antecedent("she") is None


def test_a_word_that_also_stands_in_lower_case_is_not_a_name():
    assert read_story("Bread is good. She baked bread for Edith.").names == {"edith": 1}


def test_two_content_words_say_what_happened_without_an_auxiliary():
    assert salient(ONE_WOMAN, "Who kept the tower?")
    assert not salient(ONE_WOMAN, "And the tower?")


def test_a_definite_noun_passes_when_the_story_has_it_once():
    assert salient(ONE_WOMAN, "Was the tower lost?")
    assert not salient("Two towers stood there. The towers fell.", "Was the tower lost?")
    assert not salient(ONE_WOMAN, "Was the castle lost?")


@pytest.mark.parametrize(
    ("question", "passes"),
    [
        ("Where did she live?", True),
        ("Who met Edith first?", True),
        ("What happened then?", True),  # no pronoun: the papers see nothing that is missing
        ("Is there another tower?", True),
        ("Was it tall?", False),  # this story never says "it"
        ("Did they do that there?", False),
        ("Did she do that?", False),
        ("Did she live there?", False),
        ("Why not?", False),
    ],
)
def test_papers_reading_takes_a_pronoun_that_the_story_uses(question, passes):
    assert read_story(TWO_WOMEN).resolves(question, "papers") is passes


def test_papers_reading_goes_by_the_words_of_each_story():
    told = "They came to the harbour. It was old, and they liked that. Nobody had been there for years."
    for question in ("Did they do that there?", "Was it tall?"):
        assert read_story(told).resolves(question, "papers")
    assert not read_story(told).resolves("Did she do that there?", "papers")
    # A relative clause and "there is" point at nothing that is not said.
    other = "The boats that were lost belonged to Ann. There was a storm. They sank."
    assert not read_story(other).resolves("Did they like that?", "papers")
    assert not read_story(other).resolves("Did they live there?", "papers")
    assert not read_story("").resolves("Where did Ann live?", "papers")


def test_papers_reading_asks_coreferee_where_it_is_installed(monkeypatch):
    """Then a pronoun must have an antecedent in the story, not merely stand there."""
    monkeypatch.setattr("mutatis.context.decisions.referring", lambda text: (frozenset({"she"}), frozenset({"they"})))
    story = read_story("They came. She left. It was that.")
    assert story.resolves("Where did she go?", "papers")
    assert story.resolves("Why was that?", "papers")  # no pronoun of a person or an object
    assert not story.resolves("Where did they go?", "papers")
    assert not story.resolves("Where did it go?", "papers")


def judged(question, story=ONE_WOMAN, **options):
    """The verdict on a question that needs Nora Quinn and is asked before anyone has named her."""
    asked = Dialogue(id="d", questions=("Who is the builder?", question), answers=("Nora Quinn", ""), story=story)
    known = Knowledge(
        start=frozenset(),
        said=(frozenset({"builder"}), frozenset({"build"})),
        full=(frozenset({"builder", "nora", "quinn"}), frozenset({"build"})),
        wanted=((), (Need(parts=("nora", "quinn"), label="Nora Quinn", name=True),)),
        resolved=(False, False),
    )
    return KnowledgeJudge(dialogue=asked, knowledge=known).judge([1, 0], ContextOptions(**options))[0]


@pytest.mark.parametrize(
    ("reading", "status", "check"),
    [("salient", "equivalent", "dataset"), ("papers", "equivalent", "dataset"), ("off", "altered", "ontology")],
)
def test_dataset_check_only_where_the_others_fail(reading, status, check):
    turn = judged("What did she build?", dataset_check=reading)
    assert (turn.status, turn.check, turn.missing) == (status, check, ("Nora Quinn",))


@pytest.mark.parametrize(
    ("question", "salient", "papers", "off"),
    [
        ("What did she build then?", "undecided", "equivalent", "altered"),  # she is clear, when is not
        ("Was it tall?", "undecided", "altered", "altered"),  # nothing is "it" in this story
        ("And Tuesday?", "undecided", "altered", "altered"),  # under three words no story helps, in the papers' reading
        ("What colour?", "undecided", "altered", "altered"),  # the story may name one colour only
        ("Why?", "altered", "altered", "altered"),  # the adjacency veto
    ],
)
def test_with_a_story_only_the_veto_says_altered_except_in_the_papers_reading(question, salient, papers, off):
    statuses = [judged(question, dataset_check=reading).status for reading in ("salient", "papers", "off")]
    assert statuses == [salient, papers, off]


EIGHT = (
    "Who built the tower?",
    "Why?",
    "Who paid for the tower?",
    "Was he okay?",
    "Did he?",
    "Who fell?",
    "When?",
    "Where?",
)


@pytest.mark.parametrize(
    ("order", "told", "untold"),
    [
        ([0, 2, 1], "undecided", "altered"),  # one exchange alone stands between "Why?" and what it asks about
        ([0, 1, 1], "undecided", "altered"),  # ... it may be the question itself
        ([0, 2, 4, 1], "altered", "altered"),
        ([2, 1], "altered", "altered"),  # what it asks about was never asked
        ([5, 7], "undecided", "altered"),  # "Where?" hangs on the same question as "When?", which is left out
        ([5, 6, 5, 7], "undecided", "altered"),
        ([5, 0, 7], "altered", "altered"),
        ([0, 3], "undecided", "altered"),  # nothing is left out but who he is
        ([0, 4], "altered", "altered"),  # what he did is left out, too
    ],
)
def test_with_a_story_the_veto_is_silent_where_a_reader_may_still_follow(order, told, untold):
    known = Knowledge(
        start=frozenset(), said=(frozenset(),) * 8, full=(frozenset(),) * 8, wanted=((),) * 8, resolved=(False,) * 8
    )
    for story, status in ((ONE_WOMAN, told), ("", untold)):
        asked = Dialogue(id="d", questions=EIGHT, answers=("",) * 8, story=story)
        turn = KnowledgeJudge(dialogue=asked, knowledge=known).judge(order, ContextOptions())[-1]
        assert (turn.status, turn.check) == (status, "adjacency")


def test_an_undecided_turn_says_what_was_missing_and_can_be_forced():
    turn = judged("Was it tall?")
    assert (turn.check, turn.missing) == ("dataset", ("Nora Quinn",))
    assert judged("Was it tall?", undecided="equivalent").status == "equivalent"


def test_the_offline_check_keeps_its_probability_where_the_story_leaves_a_turn_open(cases):
    seed = cases.dialogue_case(
        ["Who built the Ardmore lighthouse?", "Was it tall and white?"], ["Nora Quinn.", "Yes."], material={"story": ""}
    )
    open_to_story = cases.dialogue_case(
        ["Who built the Ardmore lighthouse?", "Was it tall and white?"],
        ["Nora Quinn.", "Yes."],
        material={"story": TWO_WOMEN},
    )
    without, with_story = (
        asyncio.run(ContextCheck().annotate(known, cases.reordered(known, [1, 0])))[0]
        for known in (seed, open_to_story)
    )
    assert without["context"] == "altered"
    assert (with_story["context"], with_story["context_check"]) == ("undecided", "dataset")
    assert with_story["context_probability"] == without["context_probability"]


def test_titles_tell_who_he_is():
    story = "Mr. Reilly came. Mr. Reilly sat. Reilly slept. The sea was calm."
    assert read_story(story).antecedent("he") == "reilli"


def test_a_story_of_one_megabyte_is_cut(cases):
    story = "Nora Quinn built it. " * 50_000
    case = cases.dialogue_case(["Who built it?"], ["Nora"], material={"story": story})
    assert len(story) > 1_000_000
    assert len(Dialogue.from_case(case).story) == 60_000
