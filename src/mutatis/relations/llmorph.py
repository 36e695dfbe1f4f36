"""The catalogue of LLMorph: the 36 published relations.

A published relation has a plain name and its id ("llmorph/mr-8"). If the paper uses a language model for it, but a
function can do the same, there is a separate relation tagged "ours", named after its method (`synonyms-lexicon`).
`misspell` is an exception: our version, which uses a list, has the id, and `misspell-model` uses a language model.
"free" relations need only questions to the system, "helper" relations need a language model, and "noise" relations add
typing and scanning errors.
"""

from __future__ import annotations

from collections.abc import Mapping
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
from mutatis.relations.table import (
    ALL,
    ENTITIES,
    EQ,
    FIRST_FIELD,
    GRADED,
    HYPOTHESIS,
    MODERATION,
    NE,
    NLI,
    NOT_INVERSE,
    PREMISE,
    QA,
    RE,
    REASONED,
    SA,
    STRONGER,
    TALK,
    TEXTS,
    TOGETHER,
    Fields,
    Row,
    register,
)

PAPER = "LLMorph"
SLIPS = ("llmorph", "noise")
ONE_OF_TWO: Mapping[str, Fields] = {QA: (("context",), ("question",)), NLI: (("premise",), ("hypothesis",))}


def published(number: int, name: str, *columns: Any, tags: tuple[str, ...] = ("llmorph",), **more: Any) -> Row:
    """Return the catalogue row for a relation that has a number in the paper."""
    return Row(name, *columns, tags=tags, ids=(f"llmorph/mr-{number}",), paper=f"{PAPER}, MR-{number}", **more)


# `equal-or-stronger` is `equal` wherever the answers are no numbers.
register(
    published(1, "replace-characters", EQ, TEXTS, tags=SLIPS, purpose=ROBUSTNESS),
    published(2, "delete-characters", EQ, TEXTS, tags=SLIPS, purpose=ROBUSTNESS),
    published(3, "leet", EQ, TEXTS, tags=SLIPS, purpose=ROBUSTNESS),
    published(4, "add-characters", EQ, TEXTS, tags=SLIPS, purpose=ROBUSTNESS),
    published(5, "add-spaces", EQ, TEXTS, tags=SLIPS, purpose=ROBUSTNESS),
    published(6, "swap-characters", EQ, TEXTS, tags=SLIPS, purpose=ROBUSTNESS),
    published(7, "shuffle-inside-words", EQ, TEXTS, tags=SLIPS, purpose=ROBUSTNESS),
    published(8, "synonyms", EQ, (*ALL, *TALK), change="wording"),
    published(9, "insert-words", EQ, (*ALL, *TALK), FIRST_FIELD, change="noise"),
    published(10, "antonyms", NE, ALL, ONE_OF_TWO, (INFORMATIVE,), change="negation"),
    published(
        19,
        "shuffle-sentences",
        EQ,
        (QA, RE, *TALK),
        FIRST_FIELD,
        (SEVERAL_SENTENCES,),
        change="order",
        purpose=ROBUSTNESS,
    ),
    published(25, "random-keywords", NE, ALL, only_if=(INFORMATIVE,)),
    published(34, "remove-keywords", NE, ALL, only_if=(INFORMATIVE,)),
    published(
        49, NO_CHANGE, EQ, (*TEXTS, *GRADED, *REASONED, MODERATION), turns="all", limits=Limits(unchanged="keep")
    ),
    published(51, "paraphrase", EQ, (*ALL, *TALK), change="wording"),
    published(57, "sentence-mood", EQ, (RE,), change="wording"),
    published(77, "extend-premise", EQ, (NLI,), PREMISE, (ENTAILMENT,), change="noise"),
    published(78, "extend-hypothesis", EQ, (NLI,), HYPOTHESIS, (ENTAILMENT,), change="noise"),
    published(79, "chained-hypothesis", NOT_INVERSE, (NLI,), HYPOTHESIS, (ENTAILMENT,), change="wording"),
    published(80, "premise-from-premise", NOT_INVERSE, (NLI,), PREMISE, (ENTAILMENT,), change="wording"),
    published(84, "random-sentence", EQ, (QA, NLI, RE, *TALK), PREMISE, purpose=ROBUSTNESS),
    published(102, "upper-case", "equal-or-stronger", TEXTS, purpose=ROBUSTNESS),
    published(120, "back-translation", EQ, (*ALL, *TALK), change="wording"),
    published(126, "keyboard-typos", EQ, TEXTS, tags=SLIPS, purpose=ROBUSTNESS),
    published(127, "misspell", EQ, TEXTS, tags=SLIPS, purpose=ROBUSTNESS),
    published(128, "ocr-noise", EQ, TEXTS, tags=SLIPS, purpose=ROBUSTNESS),
    published(136, "voice", EQ, (QA, NLI, RE), change="wording"),
    published(137, "same-category", EQ, ALL, TOGETHER, change="name"),
    published(141, "swap-symmetric", EQ, (RE,), ENTITIES, (SYMMETRIC,), by="swap-entities", change="order"),
    published(
        142, "swap-asymmetric", Opposite(), (RE,), ENTITIES, (NOT_SYMMETRIC,), by="swap-entities", change="order"
    ),
    published(149, "number", EQ, (QA, RE, SA), change="wording"),
    published(150, "exclamation", STRONGER, (SA,), only_if=(NOT_NEUTRAL,), purpose=ROBUSTNESS),
    published(151, "emphasis", STRONGER, (SA,), only_if=(NOT_NEUTRAL,), change="wording"),
    published(152, "negation", NE, ALL, ONE_OF_TWO, (INFORMATIVE,), change="negation"),
    published(154, "capital-keywords", STRONGER, (SA,), only_if=(NOT_NEUTRAL,), change="noise"),
    published(155, "tense", EQ, (QA, NLI, RE), change="wording"),
)

LABEL_BASED = "label-based"
"""Name of the baseline for relations, which tests answers by their labels if the data have any."""

register(
    Row(
        LABEL_BASED,
        "as-labelled",
        ALL,
        only_if=(ANNOTATED,),
        by="identity-order",
        says="The answer to the source is the annotated one (testing by labels); costs no question.",
        tags=("reference",),
        paper=PAPER,
        turns="all",
        limits=Limits(unchanged="keep"),
        reference="annotated",
    )
)
