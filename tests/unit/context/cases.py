"""Cases for the tests of the context check, written for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mutatis.core.cases import Case, Derivation, Turn


def dialogue_case(
    questions: Sequence[str],
    answers: Sequence[str] = (),
    rewrites: Sequence[str] = (),
    material: Mapping[str, str] | None = None,
    name: str = "tests/1",
) -> Case:
    """A seed dialogue; answers and rewrites may be absent."""
    turns = []
    for place, question in enumerate(questions):
        answer = answers[place] if place < len(answers) else ""
        annotations: dict[str, Any] = {"rewrite": rewrites[place]} if place < len(rewrites) else {}
        turns.append(Turn(fields={"question": question}, expected=(answer,) if answer else (), annotations=annotations))
    return Case(id=name, turns=tuple(turns), material=dict(material or {}))


def reordered(source: Case, order: Sequence[int]) -> Case:
    """The follow-up that asks the seed's turns in `order`."""
    return Case(
        id=f"{source.id}/follow-up",
        turns=tuple(source.turns[turn] for turn in order),
        material=source.material,
        derivation=Derivation(source=source.id, steps=(), origin=tuple(order)),
    )


LIGHTHOUSE = dialogue_case(
    questions=[
        "Who built the Ardmore lighthouse?",
        "When did she finish it?",
        "Why?",
        "Did the Harbour Board pay her?",
        "What else did they pay for?",
        "Who is Tom Reilly?",
    ],
    answers=[
        "Nora Quinn built it for the Harbour Board.",
        "In 1871, two years late.",
        "A storm broke the first tower.",
        "Yes, four hundred pounds.",
        "A new pier.",
        "The first keeper.",
    ],
    rewrites=[
        "Who built the Ardmore lighthouse?",
        "When did Nora Quinn finish the Ardmore lighthouse?",
        "Why did Nora Quinn finish the lighthouse two years late?",
        "Did the Harbour Board pay Nora Quinn?",
        "What else did the Harbour Board pay for besides Nora Quinn?",
        "Who is Tom Reilly?",
    ],
)
"""Six turns: a self-contained opening, pronouns, a very short question, an "else" question, a self-contained end."""
