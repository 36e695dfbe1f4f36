"""Searches by trial: spaces, attacks on dialogues, looks, samplers, DialTest, evolution; on any system and task."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

import mutatis
from mutatis.campaign.judging import context_of
from mutatis.core.cases import Case, Step, Turn
from mutatis.core.decision import Decision, Outcome
from mutatis.core.errors import UsageError
from mutatis.core.relation import RELATIONS
from mutatis.core.search import Measured, Measurements, Proposal, Reading, Source
from mutatis.core.verdict import Verdict
from mutatis.rltest4chatbot.actions import FAMILIES
from mutatis.rltest4chatbot.edits import EditRates, Validity, edit_rates, small_edits
from mutatis.rltest4chatbot.explore import Explorer
from mutatis.rltest4chatbot.rewards import MoveResult, failures, thesis
from mutatis.rltest4chatbot.searches import DialTest, DialTestOptions, Evolution, Uniform
from mutatis.rltest4chatbot.space import EditSpace, Move, RelationSpace, Site, with_strength
from mutatis.search import SEARCHES
from mutatis.testing import ScriptedSystem, check_search
from support.parts import review

TEXT = "i need a cheap room in the north of the city for my two good friends please"
THESIS = Validity(rule="thesis")


def dialogue(turns: int = 4, asked: tuple[int, ...] | None = None, name: str = "d/0") -> Case:
    made = tuple(Turn(fields={"utterance": f"{TEXT} {n}"}, reply=f"reply {n}") for n in range(turns))
    return Case(id=name, task="dialogue-state", turns=made, ask_turns=asked, key=name)


def source(case: Case, rule: Validity = THESIS) -> Source:
    return Source(case=case, relations=(small_edits(rule),))


def site(case: Case | None = None, **more: Any) -> Site:
    dialogue_source = source(case or dialogue())
    return Site(source=dialogue_source, **{"turn": 0, "variant": ("utterance",), **more})


def trial(at: Site | None = None, **more: Any) -> MoveResult:
    return MoveResult(site=at or site(), **{"move": Move(steps=(), variant=()), "valid": True, **more})


class Marked:
    """Types one more letter at the place, so that edited turns can be told from clean ones."""

    def __init__(self, *, fits: bool = True) -> None:
        self.sites: list[Site] = []
        self.fits = fits

    def moves(self, sites: Sequence[Site]) -> list[Move]:
        self.sites += sites
        name = "char-insert" if self.fits else "no-change"
        return [Move(steps=(Step(transformation=name, turns=site.turns),), variant=site.variant) for site in sites]

    def learn(self, trials: Sequence[MoveResult]) -> None:
        pass

    def stays(self, _: MoveResult) -> bool:
        return False

    def close(self) -> None:
        pass


def drive(search: Any, told: Callable[[Proposal], Measurements] | None = None) -> list[Proposal]:
    """Answer every proposal as valid and satisfied; return those that were no looks."""
    asked = []
    while batch := search.ask():
        for proposal in batch:
            if proposal.looks:
                search.tell(proposal, [], Measurements())
                continue
            asked.append(proposal)
            search.tell(proposal, [verdict(proposal)], (told or said)(proposal))
    return asked


def verdict(proposal: Proposal, outcome: Outcome = Outcome.SATISFIED) -> Verdict:
    [relation] = proposal.source.relations[:1]
    made = Verdict(system="s", relation=relation, source=proposal.source.case, turn=(proposal.turns or (0,))[0])
    return replace(made, decision=Decision(outcome=outcome))


def said(_: Proposal) -> Measurements:
    return Measurements(valid=True, queries=1)


def edited_turns(proposal: Proposal) -> list[int]:
    return [turn for step in proposal.derivation.steps for turn in step.turns or ()]


# Attacks.


@pytest.mark.parametrize(
    ("attack", "expected"),
    [("non-cumulative", [[0], [1], [2]]), ("cumulative", [[0], [0, 1], [0, 1, 2]])],
)
def test_later_turns_are_asked_after_clean_or_after_edited_ones(attack: Any, expected: list[list[int]]):
    case = dialogue(3)
    search = Explorer([source(case)], EditSpace(), Marked(), proposals=3, attack=attack)
    made = drive(search)
    assert [edited_turns(p) for p in made] == expected
    assert [p.turns for p in made] == [(0,), (1,), (2,)]
    assert all(p.source.case is case for p in made)  # an attack is a derivation; the dialogue is never altered


def test_hybrid_keeps_each_edited_turn_with_probability_one_half():
    cases = [dialogue(2, name=f"d/{n}") for n in range(200)]
    made = drive(Explorer([source(case) for case in cases], EditSpace(), Marked(), proposals=408, attack="hybrid"))
    second = [edited_turns(p) for p in made if p.turns == (1,)]
    assert len(second) in range(200, 209)
    assert 75 < sum(turns == [0, 1] for turns in second) < 125  # 100 expected; 3.5 standard deviations
    assert all(turns in ([1], [0, 1]) for turns in second)


def test_what_was_refused_is_no_context():
    def refused(_: Proposal) -> Measurements:
        return Measurements(valid=False)

    made = drive(Explorer([source(dialogue(2))], EditSpace(), Marked(), proposals=2, attack="cumulative"), refused)
    assert [edited_turns(p) for p in made] == [[0], [1]]


def test_turns_that_are_not_judged_are_edited_as_context_and_not_scored():
    policy = Marked()
    made = drive(Explorer([source(dialogue(3, asked=(2,)))], EditSpace(), policy, proposals=1, attack="cumulative"))
    assert [(p.turns, edited_turns(p)) for p in made] == [((2,), [0, 1, 2])]
    assert [(site.turn, site.scored) for site in policy.sites] == [(0, False), (1, False), (2, True)]


def test_an_edit_of_context_that_is_too_much_is_left_out():
    policy = Marked(fits=False)
    made = drive(Explorer([source(dialogue(2, asked=(1,)))], EditSpace(), policy, proposals=1, attack="cumulative"))
    assert [edited_turns(p) for p in made] == [[1]]


def test_an_episode_begins_with_a_clean_dialogue_whatever_the_one_before_edited():
    """In the thesis' code transcripts stayed edited."""
    case = dialogue(2)
    made = drive(Explorer([source(case)], EditSpace(), Marked(), proposals=4, attack="cumulative"))
    assert [edited_turns(p) for p in made] == [[0], [0, 1], [0], [0, 1]]


def test_only_edits_of_single_turns_can_be_inherited():
    [proposal] = drive(Explorer([source(dialogue(1))], EditSpace(), Marked(), proposals=1))
    assert context_of(proposal.derivation, 0) is None


def test_sources_are_looked_at_before_they_are_edited_and_the_policy_is_shown_their_clean_answers():
    policy = Marked()
    search = Explorer([source(dialogue(1))], EditSpace(), policy, proposals=1)
    [look] = search.ask()
    assert look.looks
    reading = Reading(uncertainty=0.25, features=(0.25, 1.0, 0.5, 0.5, 0.5))
    search.tell(look, [], Measurements(turns=(Measured(system="s", turn=0, clean=reading),)))
    search.ask()
    assert policy.sites[0].clean == (reading,)


def test_what_came_of_a_move_is_told_to_the_policy():
    kept: list[MoveResult] = []
    policy = Marked()
    policy.learn = kept.extend  # type: ignore[method-assign, assignment]
    rates = edit_rates(f"{TEXT} 0", f"{TEXT} 0", f"{TEXT} 1")

    def told(proposal: Proposal) -> Measurements:
        readings = [Reading(uncertainty=number, features=()) for number in (0.5, 0.2)]
        turn = Measured(system="s", turn=0, clean=readings[0], perturbed=readings[1])
        return Measurements(valid=True, queries=1, texts={0: f"{TEXT} 1"}, turns=(turn,))

    drive(Explorer([source(dialogue(1))], EditSpace(), policy, proposals=2), told)
    assert [(result.rates, round(result.gain, 9), result.fresh, result.last) for result in kept] == [
        (rates, 0.3, True, True),
        (rates, 0.3, False, True),
    ]


class Watching(Marked):
    """Keeps the trials, beside the places."""

    def __init__(self) -> None:
        super().__init__()
        self.trials: list[MoveResult] = []

    def learn(self, trials: Sequence[MoveResult]) -> None:
        self.trials += trials


class Idle(Watching):
    """Changes nothing."""

    def moves(self, sites: Sequence[Site]) -> list[Move]:
        return [
            Move(steps=(Step(transformation="no-change", turns=site.turns),), variant=site.variant) for site in sites
        ]


@pytest.mark.parametrize(
    ("told", "outcomes", "valid"),
    [
        (True, ("invalid", "invalid"), False),
        (True, ("invalid", "satisfied"), True),
        (True, ("violated",), True),
        (True, ("error",), True),
        (True, (), False),
        (False, ("satisfied",), False),
    ],
)
def test_a_move_is_valid_where_a_relation_could_judge_it(told: bool, outcomes: tuple[str, ...], valid: bool):
    """A follow-up that every relation calls INVALID teaches a learner that, and is no context for later turns."""
    policy = Watching()
    search = Explorer([source(dialogue(2))], EditSpace(), policy, proposals=2, attack="cumulative")
    [look] = search.ask()
    search.tell(look, [], Measurements())
    [first] = search.ask()
    search.tell(first, [verdict(first, Outcome(outcome)) for outcome in outcomes], Measurements(valid=told, queries=1))
    [second] = search.ask()
    assert [trial.valid for trial in policy.trials] == [valid]
    assert edited_turns(second) == ([0, 1] if valid else [1])


@pytest.mark.parametrize(("repeats", "gain"), [(1, 0.0), (3, 4 / 9)])
def test_repeated_asks_tell_the_uncertainty_of_a_function_that_wavers(repeats: int, gain: float) -> None:
    asked: Counter[str] = Counter()

    def tracker(text: str) -> str:
        """Is sure of what it knows; else it names the area every second time."""
        asked[text] += 1
        return json.dumps({"hotel-area": "north"} if text in known or asked[text] % 2 else {})

    case = dialogue(2)
    known = [turn.fields["utterance"] for turn in case.turns]
    policy = Watching()
    mutatis.run(
        tracker,
        [case],
        task="dialogue-state",
        relations=[small_edits(THESIS)],
        search=lambda sources: Explorer(sources, EditSpace(), policy, proposals=4, attack="non-cumulative"),
        settings={"repeats": repeats, "noise_floor": 0, "confirm": 0},
    )
    assert {site.clean[0].uncertainty for site in policy.sites} == {None if repeats == 1 else 0.0}
    assert len(policy.trials) > 0
    assert [trial.gain for trial in policy.trials] == pytest.approx([gain] * len(policy.trials))
    worth = [thesis(trial) for trial in policy.trials]
    bare = [thesis(replace(trial, moved=())) for trial in policy.trials]
    assert worth == pytest.approx([number * math.exp(gain) for number in bare])


# Rewards: by hand.


def edit(word: float, character: float) -> EditRates:
    return EditRates(word=word, character=character, damerau=character, words=1, characters=1, changed=True)


def test_the_reward_of_the_thesis():
    # exp(change) / sqrt(word^2 + character^2), and -100 added where a bound is broken (2.2.3); its code had -1000.
    assert thesis(trial(rates=edit(0.15, 0.2))) == pytest.approx(4.0)  # 1 / sqrt(0.0225 + 0.04)
    assert thesis(trial(rates=edit(0.15, 0.2), moved=(1.0,))) == pytest.approx(4.0 * 2.718281828)
    assert thesis(trial(valid=False, rates=edit(0.3, 0.4))) == pytest.approx(2.0 - 100)
    assert thesis(trial(valid=False, rates=edit(0.5, 0.0))) == pytest.approx(2.0 - 100)
    assert thesis(trial(valid=False)) == -100.0  # nothing could be made


def test_the_reward_of_the_thesis_is_relative_to_the_clean_answer():
    """A system that becomes surer of itself is worth less than one that stays as it was: exp(-0.5) / 0.25."""
    assert thesis(trial(rates=edit(0.15, 0.2), moved=(-0.5,))) == pytest.approx(0.60653066 / 0.25)
    assert thesis(trial(rates=edit(0.15, 0.2), moved=(0.5, -0.3))) == pytest.approx(1.10517092 / 0.25)  # mean 0.1
    assert trial(moved=(0.5, -0.3)).gain == pytest.approx(0.4)  # the distance, for rewards of failures and DialTest


def test_the_reward_of_the_thesis_has_no_floor():
    """The smallest edit of a text of 78 letters is one letter more: Jaro 1 / 237, so 237 and no less."""
    assert thesis(trial(rates=edit(0.0, 1 / 237))) == pytest.approx(237.0)
    assert thesis(trial(rates=edit(0.0, 1e-6))) == pytest.approx(1e6)
    unchanged = replace(edit(0.0, 0.0), changed=False)
    for rates in (edit(0.0, 0.0), unchanged):  # a word repeated, or nothing: no size to divide by
        assert thesis(trial(rates=rates, moved=(0.5,))) == pytest.approx(1.64872127)
    assert thesis(trial(rates=unchanged, valid=False)) == -99.0  # refused by our rule: 1 - 100


def test_our_reward_pays_new_failures():
    rewards = [
        failures(trial(violated=True)),
        failures(trial(violated=True, fresh=False)),
        failures(trial(violated=True, inherited=True)),
        failures(trial(moved=(-0.03,))),
        failures(trial(valid=False)),
    ]
    assert rewards == [1.0, 0.25, 0.25, 0.03, -0.5]


# Spaces.


def test_a_vector_that_triggers_nothing_is_a_move_that_changes_nothing_which_the_thesis_takes():
    move = EditSpace().move(site(), [0.0] * 116)
    assert [step.transformation for step in move.steps] == ["no-change"]
    assert EditSpace().broken(site(), move.steps) == "nothing changed"
    assert EditSpace(validity=THESIS).broken(site(), move.steps) is None


@pytest.mark.parametrize(("validity", "outcomes"), [("thesis", (12, 0)), ("strict", (0, 12))])
def test_an_unchanged_edit_is_judged_by_the_thesis_rule_alone(validity: str, outcomes: tuple[int, int]) -> None:
    bot = ScriptedSystem({"*": "{}"})
    case = Case(id="d/0", turns=(Turn(fields={"utterance": TEXT}, reply="ok"),))
    unmoved = Idle()
    run = mutatis.run(
        bot,
        [case],
        task="dialogue-state",
        relations=[small_edits(Validity(rule=validity))],  # type: ignore[arg-type]
        search=lambda sources: Explorer(sources, EditSpace(), unmoved, proposals=12),
        settings={"noise_floor": 0, "confirm": 0},
    )
    [row] = run.report.summary
    assert (row.satisfied, row.invalid) == outcomes
    assert bot.count == 1 + (validity == "thesis")  # the source, and the follow-up, which is one for all tries
    assert [trial.valid for trial in unmoved.trials] == [validity == "thesis"] * len(unmoved.trials)


def test_the_bound_is_checked_on_each_stage_of_an_edit():
    dropped = [Step(transformation="word-drop", parameters={"operator": 1.0}) for _ in range(9)]
    swapped = [Step(transformation="char-replace", parameters={"position": n / 9, "operator": 0.7}) for n in range(9)]
    assert "word rate" in (EditSpace(validity=THESIS).broken(site(), dropped) or "")
    assert EditSpace(validity=THESIS).broken(site(), swapped) is None
    short = site(Case(id="d/1", task="dialogue-state", turns=(Turn(fields={"utterance": "a cheap room"}),)))
    assert "character rate" in (EditSpace(validity=THESIS).broken(short, swapped) or "")


def test_relations_are_searched_up_to_what_they_use_themselves():
    sources = [Source(case=review("a lovely film"), relations=(RELATIONS["upper-case"], RELATIONS["leet"]))]
    space = RelationSpace.of(sources)
    assert (len(space.names), space.size) == (2, 6)
    at = Site(source=sources[0], turn=0, variant=("text",))
    move = space.move(at, [0.2, 1.0, 0.0, 0.9, 1.0, 0.99])
    [step] = move.steps
    assert (step.transformation, move.draw, move.variant) == ("leet", 7, ("text",))
    strongest = RELATIONS["leet"].transformations[0]
    assert step.parameters == with_strength(strongest, 1.0)
    assert space.open(replace(at, source=Source(case=at.source.case, relations=(RELATIONS["leet"],)))) == (False, True)


def test_relations_that_edit_no_text_cannot_be_searched():
    with pytest.raises(UsageError, match="a search over relations needs a relation that changes texts"):
        RelationSpace.of([Source(case=review("a"), relations=())])


# Samplers.


def test_filling_stays_within_the_bound_with_more_edits_than_drawing() -> None:
    space = EditSpace(combined=6, validity=THESIS)
    sites = [site(dialogue(1, name=f"d/{n}")) for n in range(100)]
    drawn, filled = (Uniform(space, filled=filled).moves(sites) for filled in (False, True))

    def fit(moves: Sequence[Move]) -> int:
        return sum(space.broken(at, move.steps) is None for at, move in zip(sites, moves, strict=True))

    assert fit(drawn) < 95
    assert fit(filled) >= 98
    assert sum(len(move.steps) for move in filled) > 3 * len(sites)


def test_a_random_vector_has_a_variance_of_a_twelfth_per_dimension():
    import numpy as np

    space = EditSpace()
    moves = Uniform(space).moves([site(dialogue(1, name=f"d/{n}")) for n in range(400)])
    blocks = [block.start for block in space.blocks]
    importance = np.array([move.vector for move in moves])[:, blocks]
    assert importance.var(axis=0).mean() == pytest.approx(1 / 12, rel=0.1)


def test_dialtest_adds_edits_until_the_system_wavers_or_a_quarter_of_the_words_is_edited():
    kept: list[int] = []

    def told(gain: float) -> Callable[[Proposal], Measurements]:
        def measured(proposal: Proposal) -> Measurements:
            kept.append(len(proposal.derivation.steps))
            readings = [Reading(uncertainty=number, features=()) for number in (0.0, gain)]
            turn = Measured(system="s", turn=0, clean=readings[0], perturbed=readings[1])
            return Measurements(valid=True, texts={0: str(len(kept))}, turns=(turn,))

        return measured

    def dialtest() -> Explorer:
        return Explorer([source(dialogue(1))], EditSpace(), DialTest(EditSpace(), DialTestOptions()), proposals=8)

    made = drive(dialtest(), told(0.0))
    assert kept == [1, 2, 3, 4, 1, 2, 3, 4]  # 18 words: four edits
    assert {step.transformation for p in made for step in p.derivation.steps} <= {"word-replace", "word-insert"}
    kept.clear()
    drive(dialtest(), told(0.01))
    assert kept == [1] * 8


def test_evolution_moves_to_where_rewards_are_high():
    """A toy with a known optimum: reward for every repetition of char-drop that is triggered, none for the rest."""
    space = EditSpace()

    def worth(result: MoveResult) -> float:
        return sum(1.0 if step.transformation == "char-drop" else -1.0 for step in result.move.steps)

    def mean(policy: Any) -> float:
        search = Explorer([source(dialogue(1, name=f"d/{n}")) for n in range(20)], space, policy, proposals=1500)
        last = drive(search)[-200:]
        moves = [trial(move=Move(steps=p.derivation.steps, variant=())) for p in last]
        return sum(map(worth, moves)) / len(moves)

    assert mean(Evolution(space, worth, seed=1)) > 1.5  # four char-drops and nothing else would be 4
    assert mean(Uniform(space, seed=1)) < 0.5


# As users name them.


@pytest.mark.parametrize("name", ["random-edits", "dialtest", "evolutionary", "multi-pdqn"])
@pytest.mark.parametrize("space", ["edits", "relations"])
def test_every_search_keeps_the_contract_in_both_spaces(name: str, space: str):
    of_edits = [Source(case=review(f"{TEXT} {n}", n), relations=(small_edits(Validity()),)) for n in range(3)]
    inputs = of_edits if space == "edits" else None
    check_search(name, inputs, options={"proposals": 40, "space": space, "lanes": 4})


SYSTEMS: Mapping[str, tuple[str, list[Case]]] = {
    "sentiment": ("sentiment", [Case(id=f"r/{n}", turns=(Turn(fields={"text": f"{TEXT} {n}"}),)) for n in range(4)]),
    "question-answering": (
        "question-answering",
        [
            Case(id=f"q/{n}", turns=(Turn(fields={"question": TEXT}),), material={"context": "the north"})
            for n in range(4)
        ],
    ),
    "dialogue-state": ("dialogue-state", [replace(dialogue(3, name=f"s/{n}"), task="") for n in range(2)]),
    "dialogue": (
        "dialogue",
        [Case(id="c/0", turns=tuple(Turn(fields={"question": f"{TEXT} {n}"}) for n in range(3)))],
    ),
}


@pytest.mark.parametrize("name", ["random-edits", "dialtest", "evolutionary", "multi-pdqn"])
@pytest.mark.parametrize("task", SYSTEMS)
def test_every_search_runs_on_any_task(name: str, task: str):
    chosen, cases = SYSTEMS[task]
    bot = ScriptedSystem(lambda c: "0.9" if "room" in str(c.fields) else "0.1")
    run = mutatis.run(
        bot, cases, task=chosen, search={"type": name, "proposals": 30}, settings={"noise_floor": 0, "confirm": 0}
    )
    [row] = run.report.summary
    assert row.relation == "small-edits"
    assert row.satisfied + row.violated + row.invalid + row.error == 30


def test_a_search_over_relations_uses_those_of_the_run():
    bot = ScriptedSystem(lambda c: "0.9")
    search = {"type": "evolutionary", "proposals": 30, "space": "relations"}
    cases = SYSTEMS["sentiment"][1]
    run = mutatis.run(
        bot, cases, ["upper-case", "leet"], task="sentiment", search=search, settings={"noise_floor": 0, "confirm": 0}
    )
    assert {row.relation for row in run.report.summary} == {"upper-case", "leet"}


def test_relations_do_not_fit_a_search_that_makes_its_own_edits():
    cases = SYSTEMS["sentiment"][1]
    with pytest.raises(UsageError, match='space = "relations"'):
        mutatis.run(ScriptedSystem({"*": "1"}), cases, ["leet"], task="sentiment", search={"type": "dialtest"})
    with pytest.raises(UsageError, match="attack is 'cumulativ'; expected one of: "):
        Explorer([source(dialogue())], EditSpace(), Uniform(EditSpace(), seed=1), proposals=1, attack="cumulativ")  # type: ignore[arg-type]


# Bad input.


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "yes",
        "👍",
        "👍👍 🙂",
        "я хочу дешёвый отель на севере",
        "我想要一个便宜的房间",
        "غرفة رخيصة",
        "?!...",
        "a" * 5000,
    ],
)
@pytest.mark.parametrize("name", ["random-edits", "dialtest", "evolutionary", "multi-pdqn"])
def test_odd_turns_give_a_clear_error_or_a_sound_result(name: str, text: str):
    case = Case(id="d/0", turns=(Turn(fields={"utterance": text}, reply="ok"),))
    search = {"type": name, "proposals": 12}
    bot = ScriptedSystem({"*": "{}"})
    if name == "multi-pdqn":
        pytest.importorskip("torch")
    if not text.strip():
        with pytest.raises(UsageError, match="no source has a judged turn with text"):
            mutatis.run(bot, [case], task="dialogue-state", search=search, settings={"noise_floor": 0, "confirm": 0})
        return
    run = mutatis.run(bot, [case], task="dialogue-state", search=search, settings={"noise_floor": 0, "confirm": 0})
    [row] = run.report.summary
    assert (row.violated, row.error, row.satisfied + row.invalid) == (0, 0, 12)


def test_an_empty_turn_of_a_dialogue_is_passed_over():
    turns = tuple(Turn(fields={"utterance": text}, reply="ok") for text in (TEXT, "", TEXT))
    made = drive(
        Explorer([source(Case(id="d/0", task="dialogue-state", turns=turns))], EditSpace(), Marked(), proposals=2)
    )
    assert [p.turns for p in made] == [(0,), (2,)]


def test_every_family_is_named_once():
    assert tuple(FAMILIES) == EditSpace().names
    assert {"random-edits", "dialtest", "evolutionary", "multi-pdqn"} <= set(SEARCHES)
