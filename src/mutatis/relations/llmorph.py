"""The catalogue of LLMorph: the 36 published relations, and the forms of them that need no language model.

A row is one relation: published number, name (the transformation has the same one unless the row says otherwise),
what must hold, on which tasks. A published relation keeps the plain name and its id ("llmorph/mr-8"). Where it is made
by a language model and a sound form made by a function exists, that form is a relation of its own, without id, named
after how it works (`synonyms-lexicon`, `synonyms-wordnet`, `negation-auxiliary`), and tagged "ours". `misspell` is the
one whose published form may be either; ours by list has the id, and `misspell-model` is the other. Tags: "free" costs
only the system's own questions, "helper" needs a language model, "noise" are slips of typing and scanning.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import mutatis.transformations  # noqa: F401 - registers what the rows name
from mutatis.core.cases import Step
from mutatis.core.constraint import Precondition
from mutatis.core.transformation import NO_CHANGE
from mutatis.relations.define import relation
from mutatis.relations.preconditions import (
    ANNOTATED,
    ENTAILMENT,
    INFORMATIVE,
    NOT_NEUTRAL,
    NOT_SYMMETRIC,
    NUMBER_ANSWER,
    ONE_FEELING,
    OPEN_QUESTION,
    SEVERAL_SENTENCES,
    SYMMETRIC,
    TURNED_ROUND,
    YES_OR_NO,
)
from mutatis.relations.soundness import FAIRNESS, LOGIC, PROBE, ROBUSTNESS, WORDING, standing

QA, NLI, SA, RE = "question-answering", "inference", "sentiment", "relation-extraction"
CLASSIFICATION = "classification"
ALL = (QA, NLI, SA, RE)
EVERY = (*ALL, CLASSIFICATION)
DIALOGUE, CHAT, RETRIEVAL = "dialogue", "chat", "retrieval-qa"
GRADED = ("pairwise-judge", "rubric-score")
REASONED = ("word-problem", "multiple-choice")
MODERATION = "moderation"
TALK = (DIALOGUE, CHAT)
TEXTS = (*EVERY, *TALK, RETRIEVAL)
ASKED, SPOKEN = (QA, *TALK), (QA, *TALK, CLASSIFICATION, RETRIEVAL)
"""Classification, dialogues, chat and retrieval are no tasks of the paper; relations that keep a text's meaning make
sense on them as well: on one turn of a dialogue at a time."""

Fields = tuple[tuple[str, ...], ...]

FIRST_FIELD: Mapping[str, Fields] = {QA: (("context",),), NLI: (("premise",),)}
ONE_OF_TWO: Mapping[str, Fields] = {QA: (("context",), ("question",)), NLI: (("premise",), ("hypothesis",))}
TOGETHER: Mapping[str, Fields] = {
    QA: (("context", "question"),),
    NLI: (("premise", "hypothesis"),),
    RE: (("text", "head", "tail"),),
}
TOGETHER_RE: Mapping[str, Fields] = {RE: (("text", "head", "tail"),)}
ENTITIES: Mapping[str, Fields] = {RE: (("head", "tail"),)}
PREMISE: Mapping[str, Fields] = {NLI: (("premise",),)}
HYPOTHESIS: Mapping[str, Fields] = {NLI: (("hypothesis",),)}

PAPER = "LLMorph"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table; `by` names the transformation where it has another name, `purpose` the default set.

    Whether it is in that set is measured (`relations.soundness`).
    """

    number: int | None
    name: str
    holds: str
    tasks: tuple[str, ...]
    variants: Mapping[str, Fields] | None = None
    when: tuple[Precondition, ...] = ()
    by: str | Step = ""
    tags: tuple[str, ...] = ()
    purpose: str = ""
    paper: str = ""


EQ, NE, STRONGER, NOT_INVERSE, OPPOSITE = "equal", "different", "stronger", "not-inverse", "opposite"
NOISE = ("noise",)
SAYS_SO, STRONG = (INFORMATIVE,), (NOT_NEUTRAL,)

PUBLISHED = (
    Row(1, "replace-characters", EQ, TEXTS, tags=NOISE, purpose=ROBUSTNESS),
    Row(2, "delete-characters", EQ, TEXTS, tags=NOISE, purpose=ROBUSTNESS),
    Row(3, "leet", EQ, TEXTS, tags=NOISE, purpose=ROBUSTNESS),
    Row(4, "add-characters", EQ, TEXTS, tags=NOISE, purpose=ROBUSTNESS),
    Row(5, "add-spaces", EQ, TEXTS, tags=NOISE, purpose=ROBUSTNESS),
    Row(6, "swap-characters", EQ, TEXTS, tags=NOISE, purpose=ROBUSTNESS),
    Row(7, "shuffle-inside-words", EQ, TEXTS, tags=NOISE, purpose=ROBUSTNESS),
    Row(8, "synonyms", EQ, (*ALL, *TALK)),
    Row(9, "insert-words", EQ, (*ALL, *TALK), FIRST_FIELD),
    Row(10, "antonyms", NE, ALL, ONE_OF_TWO, SAYS_SO),
    Row(19, "shuffle-sentences", EQ, (QA, RE, *TALK), FIRST_FIELD, (SEVERAL_SENTENCES,), purpose=ROBUSTNESS),
    Row(25, "random-keywords", NE, ALL, when=SAYS_SO),
    Row(34, "remove-keywords", NE, ALL, when=SAYS_SO),
    Row(49, NO_CHANGE, EQ, (*TEXTS, *GRADED, *REASONED, MODERATION)),
    Row(51, "paraphrase", EQ, (*ALL, *TALK)),
    Row(57, "sentence-mood", EQ, (RE,)),
    Row(77, "extend-premise", EQ, (NLI,), PREMISE, (ENTAILMENT,)),
    Row(78, "extend-hypothesis", EQ, (NLI,), HYPOTHESIS, (ENTAILMENT,)),
    Row(79, "chained-hypothesis", NOT_INVERSE, (NLI,), HYPOTHESIS, (ENTAILMENT,)),
    Row(80, "premise-from-premise", NOT_INVERSE, (NLI,), PREMISE, (ENTAILMENT,)),
    Row(84, "random-sentence", EQ, (QA, NLI, RE, *TALK), PREMISE, purpose=ROBUSTNESS),
    Row(102, "upper-case", "equal-or-stronger", TEXTS, purpose=ROBUSTNESS),
    Row(120, "back-translation", EQ, (*ALL, *TALK)),
    Row(126, "keyboard-typos", EQ, TEXTS, tags=NOISE, purpose=ROBUSTNESS),
    Row(127, "misspell", EQ, TEXTS, tags=NOISE, purpose=ROBUSTNESS),
    Row(128, "ocr-noise", EQ, TEXTS, tags=NOISE, purpose=ROBUSTNESS),
    Row(136, "voice", EQ, (QA, NLI, RE)),
    Row(137, "same-category", EQ, ALL, TOGETHER),
    Row(141, "swap-symmetric", EQ, (RE,), ENTITIES, (SYMMETRIC,), by="swap-entities"),
    Row(142, "swap-asymmetric", OPPOSITE, (RE,), ENTITIES, (NOT_SYMMETRIC,), by="swap-entities"),
    Row(149, "number", EQ, (QA, RE, SA)),
    Row(150, "exclamation", STRONGER, (SA,), when=STRONG, purpose=ROBUSTNESS),
    Row(151, "emphasis", STRONGER, (SA,), when=STRONG),
    Row(152, "negation", NE, ALL, ONE_OF_TWO, SAYS_SO),
    Row(154, "capital-keywords", STRONGER, (SA,), when=STRONG),
    Row(155, "tense", EQ, (QA, NLI, RE)),
)
"""The published relations; `equal-or-stronger` is `equal` wherever the answers are no numbers."""

POLAR_ANTONYMS = Step.of("antonyms-lexicon", which="polar", share=1.0)
POLAR_NEGATION = Step.of("negation-auxiliary", where="polar")
QUESTION: Mapping[str, Fields] = {QA: (("question",),), NLI: (("hypothesis",),)}
# A question without its key words may still be guessed from a context with one candidate.
KEYWORDS: Mapping[str, Fields] = {QA: (("context",),), NLI: (("premise",), ("hypothesis",))}
ASKING: Mapping[str, Fields] = {QA: (("question",),), RETRIEVAL: (("question",),)}
TURNED, PLAIN = (TURNED_ROUND,), (ONE_FEELING,)

OURS = (
    Row(None, "synonyms-lexicon", EQ, TEXTS, purpose=WORDING),
    Row(None, "synonyms-wordnet", EQ, TEXTS, tags=("wordnet",), purpose=WORDING),
    Row(None, "insert-words-rules", EQ, (*ALL, *TALK), FIRST_FIELD, purpose=ROBUSTNESS),
    # Which statement of a context or text decides cannot be seen by a rule, so only questions and hypotheses are turned
    # round; a sentiment turns round only where words of praise and blame do.
    Row(None, "antonyms-lexicon", NE, (QA, NLI), QUESTION, TURNED, purpose=LOGIC),
    Row(None, "antonyms-wordnet", NE, (QA, NLI), QUESTION, TURNED, tags=("wordnet",), purpose=LOGIC),
    Row(
        None, "sentiment-antonyms-lexicon", NE, (SA,), when=(INFORMATIVE, ONE_FEELING), by=POLAR_ANTONYMS, purpose=LOGIC
    ),
    # In no default set: readers found the follow-ups sound and trivial, for nobody writes such a text.
    Row(None, "random-keywords-rules", NE, (QA, NLI, SA), KEYWORDS, TURNED, tags=(PROBE,)),
    Row(None, "remove-keywords-rules", NE, (QA, NLI, SA), KEYWORDS, TURNED, purpose=LOGIC),
    Row(None, "misspell-model", EQ, (*ALL, *TALK)),
    Row(None, "emphasis-rules", STRONGER, (SA,), when=PLAIN, purpose=WORDING),
    Row(None, "negation-auxiliary", NE, (QA, NLI), QUESTION, (OPEN_QUESTION,), purpose=LOGIC),
    Row(
        None,
        "sentiment-negation-auxiliary",
        NE,
        (SA,),
        when=(INFORMATIVE, ONE_FEELING),
        by=POLAR_NEGATION,
        purpose=LOGIC,
    ),
    Row(None, "capital-keywords-rules", STRONGER, (SA,), when=PLAIN, purpose=ROBUSTNESS),
    Row(None, "expand-contractions", EQ, TEXTS, purpose=WORDING),
    Row(None, "contract", EQ, TEXTS, purpose=WORDING),
    Row(None, "lower-case", EQ, TEXTS, purpose=ROBUSTNESS),
    Row(None, "change-numbers", "image", (QA,), {QA: (("context", "question"),)}, (NUMBER_ANSWER,), purpose=LOGIC),
    Row(None, "change-count", NE, (NLI,), HYPOTHESIS, (ENTAILMENT,), by="change-numbers", purpose=LOGIC),
    # Not on chat: a free answer that tells the fact ("Yes, the lamp is in stock") is right without turning round.
    Row(None, "deny-question", "inverse", (QA, DIALOGUE), ASKING, (YES_OR_NO,), purpose=LOGIC),
    Row(None, "polite-words", EQ, SPOKEN, ASKING, purpose=WORDING),
    Row(None, "filled-pauses", EQ, SPOKEN, ASKING, purpose=ROBUSTNESS),
    Row(None, "repeat-words", EQ, SPOKEN, ASKING, purpose=ROBUSTNESS),
    Row(None, "indirect-question", EQ, ASKED, ASKING, purpose=WORDING),
    Row(None, "short-question", EQ, (QA, CHAT), ASKING, purpose=WORDING),
    Row(None, "correct-wording", EQ, SPOKEN, ASKING, purpose=WORDING),
    Row(None, "reorder-slots", EQ, (CHAT, CLASSIFICATION), purpose=WORDING),
    Row(None, "false-start", EQ, SPOKEN, ASKING, purpose=ROBUSTNESS),
    Row(None, "homophones", EQ, SPOKEN, ASKING, tags=NOISE, purpose=ROBUSTNESS),
    Row(None, "drop-punctuation", EQ, SPOKEN, ASKING, purpose=ROBUSTNESS),
    Row(None, "change-names", EQ, (QA, RE), {QA: (("context", "question"),), **TOGETHER_RE}, purpose=FAIRNESS),
    Row(None, "swap-genders", EQ, (NLI, SA), {NLI: (("premise", "hypothesis"),)}, purpose=FAIRNESS),
)
"""Forms of published relations, and a few relations beside them, that the paper does not have."""


def register(row: Row, *more: str) -> None:
    """Register a row as a relation, with the tags that its readings give it and `more`."""
    variants = {task: fields for task, fields in (row.variants or {}).items() if task in row.tasks}
    tags = {*row.tags, *more, *(("llmorph",) if row.number else ("ours",))}
    tags |= standing(row.name, row.tasks, row.purpose, noise="noise" in row.tags)
    relation(
        row.name,
        transformations=[row.by or row.name],
        output_relation=row.holds,
        tasks=row.tasks,
        tags=tags,
        ids=(f"llmorph/mr-{row.number}",) if row.number else (),
        variants=variants,
        preconditions=row.when,
        turns="all" if row.name == NO_CHANGE else "each",
        unchanged="keep" if row.name == NO_CHANGE else "invalid",
        paper=f"{PAPER}, MR-{row.number}" if row.number else row.paper,
    )


for _row in (*PUBLISHED, *OURS):
    register(_row)

LABEL_BASED = "label-based"
"""What relations are compared with: testing by labels, where there are any."""

relation(
    LABEL_BASED,
    transformations=["identity-order"],
    output_relation="as-labelled",
    tasks=ALL,
    reference="annotated",
    preconditions=(ANNOTATED,),
    unchanged="keep",
    tags={"reference"},
    summary="The answer to the source is the annotated one (testing by labels); costs no question.",
    paper=PAPER,
)
