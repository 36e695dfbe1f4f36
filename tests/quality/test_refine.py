"""Does `refine` find the edge of a region, and with how many questions? Classifiers with a planted edge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

import mutatis
from mutatis.core.cases import Case, Turn
from mutatis.core.errors import UsageError
from mutatis.core.search import Source
from mutatis.core.system import Conversation, Response
from mutatis.recipes.content_quality import FamilyMetrics
from mutatis.relations.content_quality import FAMILIES, swept
from mutatis.search import Refine, Sweep

LENGTH, ITEMS = 400, 70
DUPLICATE, _, UPPERCASE = FAMILIES


class Planted:
    """Says "other" where a predicate of the text holds; counts what it is asked."""

    def __init__(self, wrong: Callable[[str], bool], label: str = "planted") -> None:
        self.label = label
        self.identity = {"label": label}
        self.asked = 0
        self._wrong = wrong

    async def ask(self, conversation: Conversation) -> Response:
        self.asked += 1
        return Response(text="other" if self._wrong(conversation.fields["text"]) else "same")


def cases(number: int = ITEMS) -> list[Case]:
    return [
        Case(id=f"made/{n}", turns=(Turn(fields={"text": f"{n:04d}" + "x" * (LENGTH - 4)}),)) for n in range(number)
    ]


def share(text: str) -> float:
    """The prefix that is in upper case; the digits at the beginning have none, but count."""
    capitals = text.count("X")
    return (capitals + 4) / len(text) if capitals else 0.0


def refined(systems: list[Planted], values: list[float], transformation: str = "upper-case", **more: object) -> dict:
    family = UPPERCASE if transformation == "upper-case" else DUPLICATE
    relation = swept(family.transformation, family.parameter)
    seeds = [Source(case=replace(case, task="classification"), relations=(relation,)) for case in cases()]
    sweep = Sweep.of(family.transformation, family.parameter, values, unchanged_at=family.unchanged_at)
    search = Refine(seeds, sweep, **more)
    metrics = FamilyMetrics([family])
    mutatis.run(
        systems,
        cases(),
        [relation],
        task="classification",
        search=search,
        settings={"confirm": 0},
        on_event=metrics,
        max_queries=10_000,
    )
    [record] = metrics.metrics()["families"]
    return record["systems"]


@pytest.mark.parametrize("edge", [0.07, 0.25, 0.618, 0.9999])
def test_a_planted_edge_is_located_within_the_tolerance(edge: float) -> None:
    system = Planted(lambda text: share(text) > edge)
    region = refined([system], [0.25, 0.5, 0.75, 1.0])["planted"]["region"]
    assert region["high"] <= edge < region["first_violating"]
    assert region["first_violating"] - region["high"] <= 1 / 64
    # Sources, four values in full, four halvings (a quarter to a sixty-fourth) and two verifications; noise floor.
    assert system.asked <= ITEMS * (1 + 4 + 4 + 2) + 100
    assert system.asked < ITEMS * 64 / 5  # a grid as fine asks 64 values


def test_an_edge_below_the_first_value_is_searched_down_to_the_unchanged_at() -> None:
    region = refined([Planted(lambda text: share(text) > 0.1)], [0.5, 1.0])["planted"]["region"]
    assert region["low"] == 0
    assert region["high"] <= 0.1 < region["first_violating"]


def test_one_rare_item_is_enough_and_suspects_are_asked_first() -> None:
    system = Planted(lambda text: text.startswith("0067") and share(text) > 0.6)
    series = refined([system], [0.5, 1.0])["planted"]
    assert series["region"]["high"] <= 0.6 < series["region"]["first_violating"]
    probes = [point for point in series["points"] if point["partial"]]
    assert probes
    assert all(point["violated"] == 1 and point["satisfied"] < 64 for point in probes)
    assert all(point["rate"] is None and point["rr"] is None for point in probes)


def test_a_violation_between_clean_values_is_found_by_verification() -> None:
    system = Planted(lambda text: 0.2 < share(text) < 0.3)
    region = refined([system], [0.5, 1.0])["planted"]["region"]
    assert region["high"] <= 0.2
    assert 0.2 < region["first_violating"] < 0.22


def test_every_system_has_an_edge_of_its_own() -> None:
    early, late = Planted(lambda t: share(t) > 0.3, "early"), Planted(lambda t: share(t) > 0.8, "late")
    never = Planted(lambda t: False, "never")
    regions = {name: series["region"] for name, series in refined([early, late, never], [0.5, 1.0]).items()}
    assert regions["early"]["high"] <= 0.3 < regions["early"]["first_violating"]
    assert regions["late"]["high"] <= 0.8 < regions["late"]["first_violating"]
    assert regions["never"]["first_violating"] is None
    assert regions["never"]["high"] == 1.0
    assert len(regions["never"]["values"]) == 4  # two given, two verified
    assert never.asked <= ITEMS * 5 + 100


def test_between_two_whole_numbers_there_is_none_whatever_the_tolerance() -> None:
    relation = swept(DUPLICATE.transformation, DUPLICATE.parameter)
    seeds = [Source(case=replace(case, task="classification"), relations=(relation,)) for case in cases(2)]
    sweep = Sweep.of(DUPLICATE.transformation, DUPLICATE.parameter, [3, 6], unchanged_at=DUPLICATE.unchanged_at)
    search = Refine(seeds, sweep, tolerance=0.5)
    pairs = [(3, 4), (4, 3), (3, 5), (9, 3), (3, 3)]
    assert [search._middle(near, far) for near, far in pairs] == [None, None, 4, 6, None]


def test_whole_numbers_are_located_exactly() -> None:
    system = Planted(lambda text: len(text) > 4 * LENGTH + 10)  # five copies and more
    region = refined([system], [2, 6], "duplicate")["planted"]["region"]
    assert (region["low"], region["high"], region["first_violating"]) == (1, 4, 5)


def test_nothing_is_refined_where_the_first_value_next_to_the_identity_violates() -> None:
    system = Planted(lambda text: len(text) > LENGTH)
    series = refined([system], [2, 4], "duplicate")["planted"]
    assert series["region"] is None


def test_impossible_sweeps_are_refused() -> None:
    relation = swept("upper-case", "share")
    seeds = [Source(case=replace(case, task="classification"), relations=(relation,)) for case in cases(1)]
    with pytest.raises(UsageError, match="numbers"):
        Refine(seeds, Sweep.of("upper-case", "unit", ["words"]))
    with pytest.raises(UsageError, match="some values are below and some above"):
        Refine(seeds, Sweep.of("upper-case", "share", [0.1, 0.9], unchanged_at=0.5))
    with pytest.raises(UsageError, match="share"):
        Sweep.of("upper-case", "shar", [0.1])
    with pytest.raises(UsageError, match="from 0 to 1"):
        Sweep.of("upper-case", "share", [1.5])
