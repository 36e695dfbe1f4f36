"""Random and bandit: each follow-up once, the same under a seed; what is learned goes where findings are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import chain

import pytest

from mutatis.core.cases import Case, Turn
from mutatis.core.decision import Decision, Outcome
from mutatis.core.errors import UsageError
from mutatis.core.relation import RELATIONS
from mutatis.core.search import Measurements, Proposal, Search, Source
from mutatis.core.verdict import Verdict
from mutatis.relations import relation  # noqa: F401 - fills the registry
from mutatis.search import SEARCHES, Bandit, BanditOptions, RandomOptions, Setting
from mutatis.tasks import TASKS  # noqa: F401 - fills the registry
from mutatis.testing import check_search

NAMES = ("upper-case", "leet", "add-spaces", "lower-case", "keyboard-typos", "swap-characters", "misspell", "ocr-noise")
Violates = Callable[[str, int], bool]


def sources(number: int) -> list[Source]:
    relations = tuple(RELATIONS[name] for name in NAMES)
    texts = ("an hour of my life", "it isn't one of 7 good ones", "is it any good?")
    return [
        Source(
            case=Case(id=str(n), task="sentiment", turns=(Turn(fields={"text": texts[n % 3]}),)), relations=relations
        )
        for n in range(number)
    ]


def drive(search: Search, violates: Violates, most: int) -> list[Proposal]:
    """Drive a search by a rule of relation and source; return its first `most` proposals."""
    proposals: list[Proposal] = []
    while len(proposals) < most and (batch := search.ask()):
        for proposal in batch:
            number, name = int(proposal.source.case.id), proposal.derivation.steps[0].transformation
            outcome = Outcome.VIOLATED if violates(name, number) else Outcome.SATISFIED
            verdict = Verdict(
                system="s", relation=RELATIONS[name], source=proposal.source.case, turn=0,
                variant=proposal.derivation.variant, decision=Decision(outcome=outcome, reason="rule"),
            )  # fmt: skip
            search.tell(proposal, [verdict], Measurements())
            proposals.append(proposal)
    return proposals[:most]


def violations(proposals: list[Proposal], violates: Violates) -> int:
    return len({
        (p.source.case.id, p.derivation.steps[0].transformation)
        for p in proposals
        if violates(p.derivation.steps[0].transformation, int(p.source.case.id))
    })  # fmt: skip


@pytest.mark.parametrize("name", ["random", "bandit"])
def test_the_contract_of_a_search(name):
    check_search(name)
    check_search(name, options={"strengths": [0.25, 1.0], "seed": 3})


def test_random_proposes_everything_once_and_closes_each_source():
    proposals = list(chain.from_iterable(iter(SEARCHES["random"](sources(5), strengths=[1.0]).ask, [])))
    assert Counter(p.source.case.id for p in proposals) == dict.fromkeys(map(str, range(5)), 8)
    assert len({(p.source.case.id, p.derivation.digest()) for p in proposals}) == 40
    assert sum(p.closes for p in proposals) == 5


@pytest.mark.parametrize("name", ["once", "random", "bandit"])
@pytest.mark.parametrize("max_queries", [None, 100])
def test_a_relation_that_changes_one_turn_of_a_dialogue_is_judged_there_by_every_search(name, max_queries):
    turns = tuple(Turn(fields={"question": f"Is it the {word} one?"}) for word in ("first", "second", "last"))
    relations = (RELATIONS["deny-question"], RELATIONS["upper-case"])
    source = Source(case=Case(id="d", task="dialogue", turns=turns), relations=relations)
    options = {} if name == "once" else {"strengths": [1.0]}
    search = SEARCHES[name].model(**options).build_for([source], Setting(max_queries=max_queries))
    proposals = []
    while batch := search.ask():
        proposals += batch
        for proposal in batch:
            search.tell(proposal, [], Measurements())
    tried = Counter((p.derivation.steps[0].transformation, p.turns) for p in proposals)
    assert all(p.derivation.steps[1].parameters == {"rounds": list(range(p.turns[0] + 1))} for p in proposals)
    names = [each.transformations[0].transformation for each in relations]
    assert tried == {(name, (turn,)): 1 for name in names for turn in range(3)}


def test_the_runs_seed_decides_where_none_is_given():
    def beginning(options: RandomOptions | BanditOptions, seed: int) -> list[str]:
        batch = options.build_for(sources(50), Setting(seed=seed, max_queries=100)).ask()
        return [f"{p.source.case.id} {p.derivation.digest()}" for p in batch]

    for kind in (RandomOptions, BanditOptions):
        assert beginning(kind(), 1) == beginning(kind(), 1) == beginning(kind(seed=1), 2)
        assert beginning(kind(), 1) != beginning(kind(), 2)


def fault_of_one_relation(name: str, number: int) -> bool:
    return name == "leet"


def fragile_sources(name: str, number: int) -> bool:
    return number % 10 == 0


@pytest.mark.parametrize(("violates", "times"), [(fault_of_one_relation, 3.0), (fragile_sources, 1.3)])
def test_the_bandit_goes_where_findings_are_and_random_does_not(violates, times):
    clever = blind = 0
    for seed in range(2):
        clever += violations(drive(Bandit(sources(400), seed=seed, novelty=0.0), violates, 400), violates)
        blind += violations(drive(SEARCHES["random"](sources(400), seed=seed), violates, 400), violates)
    assert clever > times * blind


def test_it_is_not_paid_for_one_finding_a_hundred_times():
    def violates(name: str, number: int) -> bool:
        return name == "leet" or (name == "misspell" and number % 2 == 0)

    shares = []
    for novelty in (0.0, 2.0):
        proposals = drive(Bandit(sources(400), strengths=[1.0], novelty=novelty), violates, 400)
        hits = [p for p in proposals if violates(p.derivation.steps[0].transformation, int(p.source.case.id))]
        counts = Counter(p.derivation.steps[0].transformation for p in hits)
        shares.append(counts["misspell"] / counts["leet"])
    assert shares[1] > 1.5 * shares[0]


def test_a_weaker_follow_up_is_not_tried_where_the_whole_one_was():
    proposals = drive(Bandit(sources(6), strengths=[0.5, 1.0]), fault_of_one_relation, 1000)
    shares = {}
    for p in proposals:
        if p.derivation.steps[0].transformation == "misspell":
            shares.setdefault(p.source.case.id, []).append(p.derivation.steps[0].parameters["share"])
    assert all(tried in ([0.5], [0.25, 0.5]) for tried in shares.values())


@pytest.mark.parametrize(("number", "even", "visited"), [(20, 0.25, 5), (20, 0.0, 0), (400, 0.25, 13)])
def test_an_even_share_of_few_sources_is_kept_for_even_visits(number, even, visited):
    # 13 visits of 8 are the first to make up the quarter of 400 proposals; 20 sources have 5 to visit.
    proposals = drive(Bandit(sources(number), even=even), fault_of_one_relation, 400)
    assert len({p.source.case.id for p in proposals if p.estimates}) == visited


@pytest.mark.parametrize("options", [{"strengths": [0.0]}, {"strengths": [1.5]}, {"strengths": []}, {"even": 2}])
def test_impossible_options_are_told(options):
    with pytest.raises(UsageError):
        SEARCHES["bandit"](sources(1), **options)
