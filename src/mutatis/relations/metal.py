"""METAL's single-turn perturbations, applied to dialogues. They are the baseline for MORTAR.

Every question of a dialogue is perturbed. A question that drifts too far from the original is restored and not counted
(see MORTAR's section on baselines). Questions annotated as unanswerable are kept, with the expected answer "unknown".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mutatis.core.cases import Case, Step
from mutatis.core.relation import Limits
from mutatis.core.system import Helper
from mutatis.relations.table import marked_by, row

METAL = "METAL as the baseline of MORTAR"

PERTURBATIONS = ("metal-synonyms", "metal-random-words", "metal-typos", "metal-leet")
PERTURBATIONS_V1 = ("metal-synonyms", "metal-typos-v1", "metal-leet-v1")
"""Perturbations in the earlier version of the paper, which has no random words. `tag:metal-v1` selects them."""
WORDNET = ("metal-synonyms-wordnet", "metal-synonyms-wordnet-v1")
BY_WORDNET: Mapping[str, tuple[str, str]] = {
    "metal": ("metal-synonyms", WORDNET[0]),
    "metal-v1": ("metal-synonyms", WORDNET[1]),
}
"""Relations with synonyms from our lexicon, and their replacements if WordNet is installed, by tag.

METAL itself uses WordNet.
"""

# The papers say which share of the questions stayed perturbed, not how strongly each was: 14,665 of 31,932 (45.9 %) in
# the later version, and per perturbation in the earlier one (synonyms 22.7, leet 37.8, typos 13.6 %). These strengths
# come nearest; `studies/mortar/kept.py` measures them. A random word, a wrong letter or a digit is the least there is,
# and still most such questions drift below 0.8, so that the later version's share needs a second draw.
STRENGTHS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "metal-synonyms": ("metal-synonyms", {}),
    "metal-synonyms-wordnet": ("metal-synonyms-wordnet", {"share": 0.1, "tries": 2}),
    "metal-random-words": ("metal-random-words", {"share": 0.05, "tries": 2}),
    "metal-typos": ("metal-typos", {"share": 0.01, "tries": 2}),
    "metal-leet": ("metal-leet", {"share": 0.01, "tries": 2}),
    "metal-synonyms-wordnet-v1": ("metal-synonyms-wordnet", {"share": 1.0}),
    "metal-typos-v1": ("metal-typos", {"share": 0.085}),
    "metal-leet-v1": ("metal-leet", {"share": 0.01}),
}
"""The transformation of each relation, with its parameters."""


class ChangedTurns:
    """Annotator that records, for each turn of a follow-up, whether its own question was changed."""

    name = "changed"

    async def annotate(self, source: Case, follow_up: Case, helper: Helper | None) -> Sequence[Mapping[str, Any]]:
        """Return `{"changed": bool}` for each turn of the follow-up."""
        return [
            {"changed": turn.fields != source.turns[follow_up.origin(index)].fields}
            for index, turn in enumerate(follow_up.turns)
        ]


CHANGED = marked_by("changed", annotator=ChangedTurns())
"""Matching for the turns whose question was changed, which excludes those whose question was restored."""

_VERSIONS = {"metal": PERTURBATIONS, "metal-v1": PERTURBATIONS_V1, "wordnet": WORDNET}

for name, (by, parameters) in STRENGTHS.items():
    row(
        name,
        tasks="dialogue",
        by=Step(transformation=by, parameters=parameters),
        change="wording" if by.startswith("metal-synonyms") else "noise",
        tags=tuple(tag for tag, names in _VERSIONS.items() if name in names),
        paper=METAL,
        turns="all",
        # A dialogue all of whose questions were put back is still a test case (2,000 of 500 seeds); it detects nothing.
        limits=Limits(unchanged="keep"),
        matching=CHANGED,
        reference="annotated",
    )
