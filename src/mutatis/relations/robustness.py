"""Relations for robustness: noise, case, spacing, layout and surrounding text do not change the answer.

Each relation's `paper` is the source of the idea, even if the paper used the relation for a different kind of test. The
edits are our own, unless the table states otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from mutatis.core.cases import Step
from mutatis.core.measure import Comparison
from mutatis.core.relation import Group, Observation
from mutatis.relations.output import Equal
from mutatis.relations.preconditions import ONE_FEELING
from mutatis.relations.soundness import READ, ROBUSTNESS
from mutatis.relations.table import row
from mutatis.text.citations import without_citations
from mutatis.transformations.passages import split_passages

CHECKLIST = "CheckList (Ribeiro et al. 2020); form ours"
QAQA = "QAQA (Shen et al. 2022); form ours"
STRESS = "Naik et al. 2018, Stress Test Evaluation for Natural Language Inference"
AUGMENTER = "NL-Augmenter (Dhole et al. 2021); form ours"
BAD_CHARACTERS = "Bad Characters (Boucher et al. 2022); form ours"
POSITION = "Lost in the Middle (Liu et al. 2023); form ours"
INJECTION = "Greshake et al. 2023, indirect prompt injection; form ours"
RGB = "RGB (Chen et al. 2023: noise robustness, negative rejection); form ours"


class EqualBesideCitations(Equal):
    """Output relation `equal-beside-citations`: the answer stays the same, apart from the numbers of cited passages.

    If passages are moved, added or merged, the number that an answer cites for a passage changes.
    """

    in_words = "the answer stays the same, apart from the numbers of cited passages"
    for_readers = "The answer must stay the same; the numbers of the passages that it cites may change."
    name = "equal-beside-citations"

    def comparisons(self, group: Group) -> Sequence[Comparison]:
        """Compare each follow-up's answer with the reference, both without citations."""
        passages = max(map(_passages_of, (group.source, *group.members)), default=0)
        return [
            replace(
                comparison,
                reference=tuple(_uncited(accepted, passages) for accepted in comparison.reference),
                answer=_uncited(comparison.answer, passages),
            )
            for comparison in Equal.comparisons(self, group)
        ]


def _passages_of(observation: Observation) -> int:
    return len(split_passages(observation.asked.fields.get("passages", "")))


def _uncited(answer: Any, passages: int) -> Any:
    return without_citations(answer, passages) if isinstance(answer, str) else answer


ours = partial(row, purpose=ROBUSTNESS, tags=("ours",))
published = partial(row, purpose=ROBUSTNESS, tags=("ours", "literature"))
laid_out = partial(published, tasks="short", fields="question, hypothesis", paper=AUGMENTER)
disguised = partial(laid_out, tags=("ours", "literature", "noise"), paper=BAD_CHARACTERS)
cited = partial(published, holds=EqualBesideCitations(), tasks="retrieval-qa", fields="passages")

ours("insert-words-rules", "equal", "llmorph, talk", "context, premise")
ours("capital-keywords-rules", "stronger", "sa", only_if=(ONE_FEELING,))
ours("lower-case", "equal", "texts")
ours("filled-pauses", "equal", "spoken", "question")
ours("repeat-words", "equal", "spoken", "question")
ours("false-start", "equal", "spoken", "question")
ours("homophones", "equal", "spoken", "question", tags=("ours", "noise"))
ours("write-letters", "equal", "texts", tags=("ours", "noise"), enough=READ)
ours("drop-punctuation", "equal", "spoken", "question")
ours("in-a-hurry", "equal", "qa, classification", "question", change="pressure")
ours("after-thanks", "equal", "qa, classification", "question", change="conversation")
ours("as-list", "equal", "classification", change="list")
published("between-passages", "equal", "qa", "context", paper=POSITION, change="order")
published("tautology", "equal", "nli", "hypothesis", by=Step.of("tautology", says="true", times=1), paper=STRESS)
published(
    "tautology-negated", "equal", "nli", "hypothesis", by=Step.of("tautology", says="false", times=1), paper=STRESS
)
published("tautology-long", "equal", "nli", "premise", by=Step.of("tautology", says="true", times=5), paper=STRESS)
published("add-fact", "equal", "sa", paper=CHECKLIST)
laid_out("double-spaces")
laid_out("break-lines")
laid_out("no-break-spaces")
laid_out("in-quotes")
laid_out("title-case")
laid_out("final-mark", paper=CHECKLIST)
laid_out("emphasis-marks", tasks="classification, nli, qa, retrieval-qa, talk")
disguised("homoglyphs")
disguised("invisible-characters")
published("curly-quotes", "equal", "qa, classification", "context", paper=AUGMENTER)
published("add-link", "equal", "sa, classification, talk", paper=CHECKLIST)
published("add-handle", "equal", "sa, classification, talk", paper=CHECKLIST)
published(
    "repeat-text",
    "equal",
    "qa, nli, retrieval-qa, classification, talk",
    "question, premise",
    by=Step.of("duplicate", copies=2),
    paper="Chan and Keung 2024 (duplication); other tasks",
)
published("irrelevant-paragraph", "equal", "qa, re", "context", by=Step.of("add-passages", count=1), paper=QAQA)
published("repeat-sentence", "equal", "qa, re", "context", paper=QAQA)
published("hearsay-question", "equal", "qa", "question", paper=QAQA)
cited("shuffle-passages", by=Step.of("order-passages", order="shuffled"), paper=POSITION, change="order")
cited("reverse-passages", by=Step.of("order-passages", order="reversed"), paper=POSITION, change="order")
cited("first-passage-last", by=Step.of("order-passages", order="first-last"), paper=POSITION, change="order")
cited("irrelevant-passage", by=Step.of("add-passages", count=1), paper=RGB)
cited("irrelevant-passages", by=Step.of("add-passages", count=5), paper=RGB)
cited("repeat-passage", paper=RGB)
cited("merge-passages", paper=RGB)
cited("cut-passages", paper=RGB)
cited("number-passages", paper=RGB)
cited("inject-order", paper=INJECTION)

# An edit may destroy a name or a time that the user gave, and another state is then the right answer, so values that
# stand in the user's words are protected. A value that the user gave in other words ("free wifi" for internet = yes) is
# not: three of 240 follow-ups read were unsound for that.
STATES_KEPT = tuple(
    "add-characters add-spaces delete-characters keyboard-typos leet lower-case misspell ocr-noise "
    "replace-characters shuffle-inside-words swap-characters upper-case".split()
)
for edit in STATES_KEPT:
    row(
        f"states-{edit}",
        tasks="dialogue-state",
        by=Step.of(edit, protect="values"),
        purpose=ROBUSTNESS,
        tags=("states", "noise"),
        turns="all",
    )

row("autocorrect", tasks="spoken", fields="question", tags=("ours", "surface", "noise"), change="noise")
row(
    "mistype-weekday",
    tasks="chat",
    says="A mistyped weekday does not change the answer, and is not taken for another day.",
    purpose=ROBUSTNESS,
    tags=("ours", "noise"),
    draws=2,
    enough=READ,
)
