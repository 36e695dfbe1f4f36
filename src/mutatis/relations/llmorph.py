"""The catalogue of LLMorph: the 36 published relations.

A published relation has a plain name and its id ("llmorph/mr-8"). If the paper uses a language model for it, but a
function can do the same, there is a separate relation tagged "ours", named after its method (`synonyms-lexicon`).
`misspell` is an exception: our version, which uses a list, has the id, and `misspell-model` uses a language model.
"free" relations need only questions to the system, "helper" relations need a language model, and "noise" relations add
typing and scanning errors.
"""

from __future__ import annotations

from typing import Any

from mutatis.core.relation import Limits
from mutatis.core.transformation import NO_CHANGE
from mutatis.relations.opposite import Opposite
from mutatis.relations.preconditions import (
    ANNOTATED,
    ENTAILMENT,
    INFORMATIVE,
    NOT_NEUTRAL,
    NOT_SYMMETRIC,
    SEVERAL_SENTENCES,
    SYMMETRIC,
)
from mutatis.relations.soundness import ROBUSTNESS
from mutatis.relations.table import TOGETHER, row

PAPER = "LLMorph"
SLIPS = ("llmorph", "noise")
ONE_OF_TWO = "context, question, premise, hypothesis"


def published(number: int, name: str, *columns: Any, tags: tuple[str, ...] = ("llmorph",), **more: Any) -> None:
    """Register a relation that has a number in the paper."""
    row(name, *columns, tags=tags, ids=(f"llmorph/mr-{number}",), paper=f"{PAPER}, MR-{number}", **more)


# `equal-or-stronger` is `equal` wherever the answers are no numbers.
published(1, "replace-characters", "equal", "texts", tags=SLIPS, purpose=ROBUSTNESS)
published(2, "delete-characters", "equal", "texts", tags=SLIPS, purpose=ROBUSTNESS)
published(3, "leet", "equal", "texts", tags=SLIPS, purpose=ROBUSTNESS)
published(4, "add-characters", "equal", "texts", tags=SLIPS, purpose=ROBUSTNESS)
published(5, "add-spaces", "equal", "texts", tags=SLIPS, purpose=ROBUSTNESS)
published(6, "swap-characters", "equal", "texts", tags=SLIPS, purpose=ROBUSTNESS)
published(7, "shuffle-inside-words", "equal", "texts", tags=SLIPS, purpose=ROBUSTNESS)
published(8, "synonyms", "equal", "llmorph, talk", change="wording")
published(9, "insert-words", "equal", "llmorph, talk", "context, premise", change="noise")
published(10, "antonyms", "different", "llmorph", ONE_OF_TWO, (INFORMATIVE,), change="negation")
published(
    19,
    "shuffle-sentences",
    "equal",
    "qa, re, talk",
    "context, premise",
    (SEVERAL_SENTENCES,),
    change="order",
    purpose=ROBUSTNESS,
)
published(25, "random-keywords", "different", "llmorph", only_if=(INFORMATIVE,))
published(34, "remove-keywords", "different", "llmorph", only_if=(INFORMATIVE,))
published(49, NO_CHANGE, "equal", "texts, graded, reasoned, moderation", turns="all", limits=Limits(unchanged="keep"))
published(51, "paraphrase", "equal", "llmorph, talk", change="wording")
published(57, "sentence-mood", "equal", "re", change="wording")
published(77, "extend-premise", "equal", "nli", "premise", (ENTAILMENT,), change="noise")
published(78, "extend-hypothesis", "equal", "nli", "hypothesis", (ENTAILMENT,), change="noise")
published(79, "chained-hypothesis", "not-inverse", "nli", "hypothesis", (ENTAILMENT,), change="wording")
published(80, "premise-from-premise", "not-inverse", "nli", "premise", (ENTAILMENT,), change="wording")
published(84, "random-sentence", "equal", "qa, nli, re, talk", "premise", purpose=ROBUSTNESS)
published(102, "upper-case", "equal-or-stronger", "texts", purpose=ROBUSTNESS)
published(120, "back-translation", "equal", "llmorph, talk", change="wording")
published(126, "keyboard-typos", "equal", "texts", tags=SLIPS, purpose=ROBUSTNESS)
published(127, "misspell", "equal", "texts", tags=SLIPS, purpose=ROBUSTNESS)
published(128, "ocr-noise", "equal", "texts", tags=SLIPS, purpose=ROBUSTNESS)
published(136, "voice", "equal", "qa, nli, re", change="wording")
published(137, "same-category", "equal", "llmorph", TOGETHER, change="name")
published(141, "swap-symmetric", "equal", "re", "head tail", (SYMMETRIC,), by="swap-entities", change="order")
published(142, "swap-asymmetric", Opposite(), "re", "head tail", (NOT_SYMMETRIC,), by="swap-entities", change="order")
published(149, "number", "equal", "qa, re, sa", change="wording")
published(150, "exclamation", "stronger", "sa", only_if=(NOT_NEUTRAL,), purpose=ROBUSTNESS)
published(151, "emphasis", "stronger", "sa", only_if=(NOT_NEUTRAL,), change="wording")
published(152, "negation", "different", "llmorph", ONE_OF_TWO, (INFORMATIVE,), change="negation")
published(154, "capital-keywords", "stronger", "sa", only_if=(NOT_NEUTRAL,), change="noise")
published(155, "tense", "equal", "qa, nli, re", change="wording")

LABEL_BASED = "label-based"
"""Name of the baseline for relations, which tests answers by their labels if the data have any."""

row(
    LABEL_BASED,
    "as-labelled",
    "llmorph",
    only_if=(ANNOTATED,),
    by="identity-order",
    says="The answer to the source is the annotated one (testing by labels); costs no question.",
    tags=("reference",),
    paper=PAPER,
    turns="all",
    limits=Limits(unchanged="keep"),
    reference="annotated",
)
