"""What the options of searches build: every number reaches the search, and what is not said has its default."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

import mutatis.tasks  # noqa: F401 - both fill registries
from mutatis.core.cases import Case, Turn
from mutatis.core.decision import Decision, Outcome
from mutatis.core.errors import UsageError
from mutatis.core.relation import RELATIONS
from mutatis.core.search import Measured, Measurements, Proposal, Reading, Source
from mutatis.core.verdict import Verdict
from mutatis.options import check_options
from mutatis.rltest4chatbot.edits import Validity, small_edits
from mutatis.rltest4chatbot.explore import Explorer
from mutatis.rltest4chatbot.rewards import MoveResult
from mutatis.rltest4chatbot.searches import DialTest, DialTestOptions, Uniform
from mutatis.rltest4chatbot.space import EditSpace, RelationSpace, Site
from mutatis.search import SEARCHES, AtRandom, Setting
from mutatis.search.bandit import Bandit

TEXT = "i need a cheap room in the north of the city for my two good friends please"


def reviews(number: int = 9, *names: str) -> list[Source]:
    return [
        Source(
            case=Case(id=f"r/{n}", task="sentiment", turns=(Turn(fields={"text": f"a fine film number {n}"}),)),
            relations=tuple(RELATIONS[name] for name in names or ("upper-case", "leet")),
        )
        for n in range(number)
    ]


def dialogues(number: int = 3, **more: Any) -> list[Source]:
    turns = (Turn(fields={"utterance": TEXT}, reply="ok"),)
    cases = [Case(id=f"d/{n}", task="dialogue-state", turns=turns, key=f"d/{n}", **more) for n in range(number)]
    return [Source(case=case, relations=(small_edits(Validity(rule="thesis")),)) for case in cases]


def site(source: Source) -> Site:
    return Site(source=source, turn=0, variant=("utterance",))


def built(name: str, sources: list[Source], options: dict[str, Any], **setting: Any) -> Any:
    return check_options(SEARCHES[name].model, options, name).build_for(sources, Setting(**setting))


class Watched(Uniform):
    """Keeps the trials that it is told of."""

    def __init__(self) -> None:
        super().__init__(EditSpace())
        self.trials: list[MoveResult] = []

    def learn(self, trials: Sequence[MoveResult]) -> None:
        self.trials += trials


def tried() -> tuple[Watched, Explorer, Proposal]:
    """Return a search, its policy, and what it has proposed and waits to be told of."""
    policy = Watched()
    search = Explorer(dialogues(1), EditSpace(), policy, proposals=1)
    [look] = search.ask()
    search.tell(look, [], Measurements())
    [proposal] = search.ask()
    return policy, search, proposal


def test_the_numbers_of_a_bandit():
    told = {"even": 0.5, "batch": 7, "novelty": 2.0, "strengths": [0.25, 1.0], "seed": 3}
    search = built("bandit", reviews(), told, seed=5, max_queries=4)
    direct = Bandit(reviews(), even=0.5, batch=7, novelty=2.0, strengths=(0.25, 1.0), seed=3, window=4)
    assert (search._even_share, search._batch, search._novelty, search._strengths) == (0.5, 7, 2.0, (0.25, 1.0))
    assert search._order == direct._order
    assert len(search._order) == 4
    assert built("bandit", reviews(), {}, seed=5)._order == Bandit(reviews(), seed=5)._order  # the seed of the run
    assert built("bandit", reviews(), {"even": 0.0}).rates == "none"


def test_the_numbers_of_random_proposals():
    search = built("random", reviews(), {"strengths": [0.5]}, seed=5, max_queries=4)
    direct = AtRandom(reviews(), strengths=(0.5,), seed=5, window=4)
    assert (search._window, search._strengths) == (4, (0.5,))
    asked, expected = ([proposal.derivation for proposal in searching.ask()] for searching in (search, direct))
    assert asked == expected
    assert len(asked) > 0
    assert built("random", reviews(), {})._window > 1000


def test_the_numbers_of_a_search_that_explores():
    told = {"proposals": 11, "attack": "cumulative", "lanes": 2}
    search = built("random-edits", dialogues(), {**told, "seed": 3}, seed=5)
    assert (search._remaining, search._attack, len(search._lanes), search._seed) == (11, "cumulative", 2, 3)
    assert built("random-edits", dialogues(), told, seed=5)._seed == 5


def test_a_default_seed_is_nought():
    sites = [site(source) for source in dialogues()]
    first, second, other = (
        DialTest(EditSpace(), DialTestOptions(**said)).moves(sites) for said in ({}, {"seed": 0}, {"seed": 1})
    )
    assert first == second != other
    first, second, other = (Uniform(EditSpace(), **said).moves(sites) for said in ({}, {"seed": 0}, {"seed": 1}))
    assert first == second != other


def test_the_bound_of_random_edits_reaches_the_sampler():
    explorer = built("random-edits", dialogues(), {"within": "filled"})
    sites = [site(source) for source in dialogues(20)]
    assert explorer._policy.moves(sites) == Uniform(explorer._space, filled=True).moves(sites)
    assert explorer._policy.moves(sites) != Uniform(explorer._space).moves(sites)


def test_of_arms_that_matter_as_much_the_first_is_chosen():
    sources = reviews(1)
    space = RelationSpace.of(sources)
    at = Site(source=sources[0], turn=0, variant=("text",))
    chosen = [space.move(at, [first, 1.0, 0.0, second, 1.0, 0.0]).steps for first, second in ((0.5, 0.5), (0.5, 0.6))]
    assert [step.transformation for [step] in chosen] == ["upper-case", "leet"]


def test_edits_are_those_of_the_language_of_the_case():
    everything = [1.0] * EditSpace().size

    def made(language: str) -> set[str]:
        [source] = dialogues(1, language=language)
        return {step.transformation for step in EditSpace().move(site(source), everything).steps}

    english, german = made("en"), made("de")
    assert german < english
    assert "word-insert" in english - german  # its words are English
    assert "char-drop" in german


def test_a_source_whose_relations_judge_no_edit_is_told_with_their_names():
    for relations, names in (((), "none"), ((RELATIONS["upper-case"], RELATIONS["leet"]), "upper-case, leet")):
        [source] = dialogues(1)
        with pytest.raises(
            UsageError, match=rf"none of the relations of d/0 judges the edits of this search \({names}\)"
        ):
            Explorer([replace(source, relations=relations)], EditSpace(), Uniform(EditSpace()), proposals=1)


@pytest.mark.parametrize(
    ("clean", "perturbed", "gain"),
    [(0.5, 0.2, 0.3), (0.2, 0.5, 0.3), (None, 0.2, 0.0), (0.5, None, 0.0), (None, None, 0.0)],
)
def test_an_answer_that_tells_no_uncertainty_moves_none(clean: float | None, perturbed: float | None, gain: float):
    policy, search, proposal = tried()
    first, second = (Reading(uncertainty=number, features=()) for number in (clean, perturbed))
    measured = Measured(system="s", turn=0, clean=first, perturbed=second)
    search.tell(proposal, [], Measurements(valid=True, queries=1, turns=(measured,)))
    search.ask()
    assert [trial.gain for trial in policy.trials] == pytest.approx([gain])


@pytest.mark.parametrize(
    ("inherited", "violated", "all_inherited"),
    [((), False, False), ((True,), True, True), ((False,), True, False), ((True, False), True, False)],
)
def test_a_move_whose_violations_are_all_inherited_found_nothing_new(
    inherited: tuple[bool, ...], violated: bool, all_inherited: bool
):
    policy, search, proposal = tried()
    [relation] = proposal.source.relations
    plain = Verdict(system="s", relation=relation, source=proposal.source.case, turn=0)
    outcomes = [(Outcome.SATISFIED, False), *((Outcome.VIOLATED, cause) for cause in inherited)]
    verdicts = [replace(plain, decision=Decision(outcome=outcome), inherited=cause) for outcome, cause in outcomes]
    search.tell(proposal, verdicts, Measurements(valid=True, queries=1))
    search.ask()
    [trial] = policy.trials
    assert (trial.violated, trial.inherited) == (violated, all_inherited)


def test_dialtest_takes_wordnet_where_it_is_installed_and_ours_the_lexicon():
    def source_of(name: str, options: dict[str, Any]) -> str:
        model = check_options(SEARCHES[name].model, options, name)
        space: Any = model.action_space([])  # type: ignore[attr-defined]
        return str(space.fixed["word-replace"]["synonyms"])

    assert source_of("random-edits", {}) == "lexicon"
    assert source_of("random-edits", {"synonyms": "wordnet"}) == "wordnet"
    assert check_options(SEARCHES["dialtest"].model, {}, "dialtest").synonyms == "installed"  # type: ignore[attr-defined]
    steps = [built("dialtest", dialogues(), {"synonyms": "wordnet"})._policy.move(site(s)).steps for s in dialogues(9)]
    assert {step.parameters["synonyms"] for [step] in steps if step.transformation == "word-replace"} == {"wordnet"}


def test_dialtest_translates_back_where_it_is_told_to_and_at_judged_turns_alone():
    policy = DialTest(EditSpace(), DialTestOptions(back_translation=True))
    places = [site(source) for source in dialogues(60)]
    first = [step.transformation for move in policy.moves(places) for step in move.steps]
    assert {name: first.count(name) > 8 for name in set(first)} == dict.fromkeys(
        ("word-insert", "word-replace", "back-translation"), True
    )
    translated = [place for place, name in zip(places, first, strict=True) if name == "back-translation"]
    sources = (replace(place.source, case=replace(place.source.case, ask_turns=())) for place in translated)
    beside = policy.moves([replace(place, source=at) for place, at in zip(translated, sources, strict=True)])
    again = policy.moves([replace(place, before=moved.steps) for place, moved in zip(translated, beside, strict=True)])
    assert "back-translation" not in {step.transformation for move in (*beside, *again) for step in move.steps}
    plain = DialTest(EditSpace(), DialTestOptions()).moves(places)
    assert {step.transformation for move in plain for step in move.steps} == {"word-insert", "word-replace"}
