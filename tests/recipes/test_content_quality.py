"""Chan and Keung 2024: the published relations, and their numbers against independent counts."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

import mutatis
import mutatis.tasks  # noqa: F401 - registers the tasks
from mutatis.core.cases import Case, Derivation, Turn
from mutatis.core.relation import RELATIONS
from mutatis.core.search import Source
from mutatis.core.transformation import derive
from mutatis.recipes import RECIPES
from mutatis.recipes.content_quality import FamilyMetrics
from mutatis.relations.content_quality import FAMILIES
from mutatis.search.once import derivations
from mutatis.testing import ScriptedSystem

PUBLISHED = {
    **{f"mr1.{n}": f"duplicate-{n + 1}" for n in range(1, 6)},
    **{f"mr2.{n}": f"abbreviation-{n}" for n in range(1, 5)},
    **{"mr3.1": "uppercase-25", "mr3.2": "uppercase-50", "mr3.3": "uppercase-75", "mr3.4": "uppercase-100"},
    **{"mr3.5": "uppercase-10", "mr3.6": "uppercase-37.5", "mr3.7": "uppercase-62.5", "mr3.8": "uppercase-87.5"},
}


def test_the_seventeen_published_relations() -> None:
    assert len(PUBLISHED) == 17
    for number, name in PUBLISHED.items():
        relation = RELATIONS[f"content-quality/{number}"]
        assert relation.name == name
        assert relation.tasks == ("classification",)
        assert relation.output_relation.name == "equal"
        assert RELATIONS[number] is relation  # unique without its origin
    tagged = {name for name in RELATIONS if "content-quality" in RELATIONS[name].tags}
    assert tagged == set(PUBLISHED.values())
    assert RECIPES["content_quality"].relations == ("tag:content-quality",)


async def follow_up(name: str, **fields: str) -> dict[str, str]:
    case = Case(id="d/1", turns=(Turn(fields=fields),))
    [plan] = derivations(Source(case=replace(case, task="classification"), relations=(RELATIONS[name],)))
    return dict((await derive(case, plan)).turns[0].fields)


async def test_the_fields_that_each_family_takes() -> None:
    question = {"title": "why don't i", "body": "it isn't up"}
    assert await follow_up("duplicate-3", **question) == {**question, "title": "why don't i why don't i why don't i"}
    assert await follow_up("abbreviation-1", **question) == {"title": "why do not i", "body": "it isn't up"}
    assert await follow_up("abbreviation-4", **question) == {"title": "why do not i", "body": "it is not up"}
    assert await follow_up("uppercase-50", **question) == {"title": "WHY Don't i", "body": "IT ISn't up"}
    # Data without a title: the text; data with fields of their own: all of them.
    assert await follow_up("duplicate-2", text="a b") == {"text": "a b a b"}
    assert await follow_up("uppercase-100", subject="a", content="b") == {"subject": "A", "content": "B"}


async def test_a_larger_share_contains_a_smaller_one() -> None:
    text = "some words, that nobody wrote - in 2 lines;\nand no more!"
    shares = [0.1, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0]
    capitals = []
    for share in shares:
        made = (await follow_up(f"uppercase-{100 * share:g}", text=text))["text"]
        assert made.lower() == text
        capitals.append({place for place, (a, b) in enumerate(zip(text, made, strict=True)) if a != b})
        assert len(made[: int(share * len(text))]) == int(share * len(text))
    assert all(smaller <= larger for smaller, larger in pairwise(capitals))


def test_relations_of_other_methods_are_not_counted() -> None:
    rater = ScriptedSystem({"*": "0.9"})
    [metrics] = RECIPES["content_quality"].collectors()
    cases = [Case(id="r/1", turns=(Turn(fields={"text": "a good film"}),))]
    mutatis.run(rater, cases, ["upper-case"], task="sentiment", settings={"confirm": 0}, on_event=metrics)
    assert metrics.metrics() == {"families": [], "sources": []}


def mcc_by_the_formula(pairs: list[tuple[str, str]], positive: str) -> float:
    tp = sum(a == b == positive for a, b in pairs)
    tn = sum(a == b != positive for a, b in pairs)
    fp = sum(b == positive != a for a, b in pairs)
    fn = sum(a == positive != b for a, b in pairs)
    return (tp * tn - fp * fn) / math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))


def length_of(title: str, body: str) -> str:
    """Say "long" or "short" by the number of words, the other way round where the title begins in capitals."""
    flipped = title[:10].isupper()
    return "long" if (len(f"{title} {body}".split()) % 3 == 0) != flipped else "short"


def test_numbers_against_an_independent_count() -> None:
    draw = Random(7)
    words = [
        "why",
        "how",
        "don't",
        "can't",
        "won't",
        "isn't",
        "code",
        "list",
        "loop",
        "file",
        "sort",
        "the",
        "a",
        "of",
        "run",
    ]
    cases = [
        Case(
            id=f"d/{n}",
            turns=(
                Turn(
                    fields={name: " ".join(draw.choices(words, k=draw.randint(2, 12))) for name in ("title", "body")},
                    expected=(draw.choice(["long", "short"]),),
                ),
            ),
        )
        for n in range(60)
    ]
    metrics = FamilyMetrics(FAMILIES)
    system = ScriptedSystem(lambda c: length_of(c.fields["title"], c.fields["body"]), "length")
    mutatis.run(
        system, cases, ["tag:content-quality"], task="classification", settings={"confirm": 0}, on_event=metrics
    )
    measured = metrics.metrics()
    points = {
        (family["name"], point["value"]): point
        for family in measured["families"]
        for point in family["systems"]["length"]["points"]
    }
    source = [length_of(**case.turns[0].fields) for case in cases]
    expected = [case.turns[0].expected[0] for case in cases]
    [row] = measured["sources"]
    assert row["acc"] == pytest.approx(sum(map(str.__eq__, expected, source)) / 60)
    assert row["mcc"] == pytest.approx(mcc_by_the_formula(list(zip(expected, source, strict=True)), "long"))

    def check(name: str, value: float, made: list[dict[str, str]]) -> None:
        labels = [length_of(**fields) for fields in made]
        changed = [fields != dict(case.turns[0].fields) for fields, case in zip(made, cases, strict=True)]
        violated = sum(a != b for a, b in zip(source, labels, strict=True))
        point = points[name, value]
        assert (point["violated"], point["unchanged"]) == (violated, 60 - sum(changed))
        assert point["rr"] == pytest.approx(violated / 60)
        assert point["rate"] == pytest.approx(violated / sum(changed))
        assert point["acc"] == pytest.approx(sum(map(str.__eq__, expected, labels)) / 60)
        assert point["mcc"] == pytest.approx(mcc_by_the_formula(list(zip(expected, labels, strict=True)), "long"))

    fields = [dict(case.turns[0].fields) for case in cases]
    for copies in (2, 6):
        check("duplicate", copies, [{**f, "title": " ".join([f["title"]] * copies)} for f in fields])
    for share in (0.1, 0.5, 1.0):
        upper = [{n: t[: int(share * len(t))].upper() + t[int(share * len(t)) :] for n, t in f.items()} for f in fields]
        check("uppercase", share, upper)
    full = {"don't": "do not", "can't": "cannot", "won't": "will not", "isn't": "is not"}
    for level in (1, 2, 3, 4):
        known = dict(list(full.items())[:level])
        check(
            "abbreviation",
            level,
            [{n: " ".join(known.get(w, w) for w in t.split()) for n, t in f.items()} for f in fields],
        )


async def test_real_questions(shared_data: Path) -> None:
    """MR2.1 touches 301 of the 1,655 questions: counted here with one regular expression."""
    path = shared_data / "stackoverflow60k" / "sample_1655_relabelled.csv.xz"
    cases = mutatis.read_cases("stackoverflow", path, lower=True, encoding="cp1252")
    wanted = re.compile(r"(?<![\w'’-])(?:don|doesn|didn)['’ʼ]t(?![\w-])")
    touched = 0
    for case in cases:
        [plan] = derivations(
            Source(case=replace(case, task="classification"), relations=(RELATIONS["abbreviation-1"],))
        )
        assert isinstance(plan, Derivation)
        touched += not (await derive(case, plan)).same_input(case)
    assert len(cases) == 1655
    assert touched == sum(any(wanted.search(t) for t in case.turns[0].fields.values()) for case in cases)
    assert touched == 301
