"""Relations of other work than LLMorph's: behavioural tests, question answering, inference, fairness, retrieval.

Every follow-up is made by a function. `paper` names where a relation comes from; the forms (which words, which rule)
are ours unless it says otherwise, and a relation may have been a test of another kind there. Which default set a
relation is in follows from its readings (`relations.soundness`). Must not know any system.
"""

from __future__ import annotations

from collections.abc import Mapping

from mutatis.core.cases import Step
from mutatis.relations.llmorph import (
    ASKED,
    ASKING,
    CLASSIFICATION,
    ENTITIES,
    EQ,
    HYPOTHESIS,
    NLI,
    NOISE,
    NOT_INVERSE,
    PREMISE,
    QA,
    RE,
    SA,
    TALK,
    TOGETHER,
    Fields,
    Row,
    register,
)
from mutatis.relations.llmorph import RETRIEVAL as RAG
from mutatis.relations.preconditions import (
    CONTRADICTION,
    ENTAILMENT,
    INFORMATIVE,
    LISTED_CONVERSE,
    LISTED_SYMMETRIC,
    NO_CONTRADICTION,
    NOT_BETWEEN_PLACES,
    ONE_FEELING,
    OPEN_QUESTION,
    SETTLED,
    YES_OR_NO,
)
from mutatis.relations.soundness import FAIRNESS, LOGIC, ROBUSTNESS, WORDING

CHECKLIST = "CheckList (Ribeiro et al. 2020); form ours"
METAL = "METAL (Hyun, Guo, Babar 2024) and CheckList (Ribeiro et al. 2020); form ours"
QAQA = "QAQA (Shen et al. 2022); form ours"
QAASKER = "QAAskeR (Chen, Jin, Xie 2021); form ours"
LAWS = "Li et al. 2019, A Logic-Driven Framework for Consistency of Neural Models; form ours"
BECEL = "BECEL (Jang et al. 2022); form ours"
STRESS = "Naik et al. 2018, Stress Test Evaluation for Natural Language Inference"
AUGMENTER = "NL-Augmenter (Dhole et al. 2021); form ours"
BAD_CHARACTERS = "Bad Characters (Boucher et al. 2022); form ours"
POSITION = "Lost in the Middle (Liu et al. 2023); form ours"
INJECTION = "Greshake et al. 2023, indirect prompt injection; form ours"
RETRIEVAL = "RGB (Chen et al. 2023: noise robustness, negative rejection); form ours"

SHORT = (SA, CLASSIFICATION, NLI, QA, RAG, *TALK)
QUESTION = (("question",),)
ASKED_OR_SAID: Mapping[str, Fields] = {NLI: (("hypothesis",),), QA: QUESTION, RAG: QUESTION}
BOTH: Mapping[str, Fields] = {NLI: (("premise", "hypothesis"),)}
CONTEXT: Mapping[str, Fields] = {QA: (("context",),), RE: (("text",),)}
PASSAGES: Mapping[str, Fields] = {RAG: (("passages",),)}
KNOWN, ABSTAINS = "known-answer", "abstains"


INFERENCE = (
    Row(None, "swap-contradiction", EQ, (NLI,), BOTH, (CONTRADICTION,), "exchange-texts", purpose=LOGIC, paper=BECEL),
    Row(None, "swap-entailment", NOT_INVERSE, (NLI,), BOTH, (ENTAILMENT,), "exchange-texts", purpose=LOGIC, paper=LAWS),
    Row(None, "premise-as-hypothesis", KNOWN, (NLI,), HYPOTHESIS, purpose=LOGIC, paper=LAWS),
    Row(None, "unrelated-hypothesis", KNOWN, (NLI,), HYPOTHESIS, purpose=LOGIC, paper=LAWS),
    Row(None, "append-hypothesis", KNOWN, (NLI,), PREMISE, (NO_CONTRADICTION,), purpose=LOGIC, paper=LAWS),
    Row(None, "prepend-premise", EQ, (NLI,), HYPOTHESIS, purpose=LOGIC, paper=LAWS),
    Row(
        None,
        "affirm-hypothesis",
        EQ,
        (NLI,),
        HYPOTHESIS,
        by=Step.of("say-whether", holds="true"),
        purpose=WORDING,
        paper=BECEL,
    ),
    Row(
        *(None, "deny-hypothesis", "inverse", (NLI,), HYPOTHESIS, (SETTLED,)),
        by=Step.of("say-whether", holds="false"),
        purpose=LOGIC,
        paper=BECEL,
    ),
    Row(None, "weaken-hypothesis", EQ, (NLI,), HYPOTHESIS, (ENTAILMENT,), "or-else", purpose=LOGIC, paper=LAWS),
    Row(
        *(None, "tautology", EQ, (NLI,), HYPOTHESIS),
        by=Step.of("tautology", says="true", times=1),
        purpose=ROBUSTNESS,
        paper=STRESS,
    ),
    Row(
        *(None, "tautology-negated", EQ, (NLI,), HYPOTHESIS),
        by=Step.of("tautology", says="false", times=1),
        purpose=ROBUSTNESS,
        paper=STRESS,
    ),
    Row(
        None,
        "tautology-long",
        EQ,
        (NLI,),
        PREMISE,
        by=Step.of("tautology", says="true", times=5),
        purpose=ROBUSTNESS,
        paper=STRESS,
    ),
    Row(None, "swap-conjuncts", EQ, (NLI,), purpose=WORDING, paper=CHECKLIST),
)

PRAISE, BLAME = {"side": "praise"}, {"side": "blame"}

SENTIMENT = (
    Row(None, "add-praise", "not-lower", (SA,), by=Step.of("add-verdict", **PRAISE), purpose=LOGIC, paper=CHECKLIST),
    Row(None, "add-blame", "not-higher", (SA,), by=Step.of("add-verdict", **BLAME), purpose=LOGIC, paper=CHECKLIST),
    Row(
        None, "add-best-rating", "not-lower", (SA,), by=Step.of("add-rating", **PRAISE), purpose=LOGIC, paper=CHECKLIST
    ),
    Row(
        None, "add-worst-rating", "not-higher", (SA,), by=Step.of("add-rating", **BLAME), purpose=LOGIC, paper=CHECKLIST
    ),
    Row(None, "soften-rules", "not-stronger", (SA,), when=(ONE_FEELING,), purpose=WORDING, paper=CHECKLIST),
    Row(None, "others-think", EQ, (SA,), purpose=LOGIC, paper=CHECKLIST),
    Row(None, "used-to-think", EQ, (SA,), purpose=LOGIC, paper=CHECKLIST),
    Row(None, "add-fact", EQ, (SA,), purpose=ROBUSTNESS, paper=CHECKLIST),
)

EXCHANGED = (
    Row(
        *(None, "change-cities", EQ, (QA, RE), TOGETHER, (NOT_BETWEEN_PLACES,)),
        by=Step.of("change-places", kind="cities"),
        purpose=FAIRNESS,
        paper=CHECKLIST,
    ),
    Row(
        *(None, "change-countries", EQ, (QA, RE), TOGETHER, (NOT_BETWEEN_PLACES,)),
        by=Step.of("change-places", kind="countries"),
        purpose=FAIRNESS,
        paper=CHECKLIST,
    ),
    Row(None, "change-dates", EQ, (RE,), TOGETHER, by="change-numbers", purpose=LOGIC, paper=CHECKLIST),
)

LAYOUT = (
    Row(None, "double-spaces", EQ, SHORT, ASKED_OR_SAID, purpose=ROBUSTNESS, paper=AUGMENTER),
    Row(None, "break-lines", EQ, SHORT, ASKED_OR_SAID, purpose=ROBUSTNESS, paper=AUGMENTER),
    Row(None, "no-break-spaces", EQ, SHORT, ASKED_OR_SAID, purpose=ROBUSTNESS, paper=AUGMENTER),
    Row(None, "curly-quotes", EQ, (QA, CLASSIFICATION), CONTEXT, purpose=ROBUSTNESS, paper=AUGMENTER),
    Row(None, "in-quotes", EQ, SHORT, ASKED_OR_SAID, purpose=ROBUSTNESS, paper=AUGMENTER),
    Row(None, "final-mark", EQ, SHORT, ASKED_OR_SAID, purpose=ROBUSTNESS, paper=CHECKLIST),
    Row(None, "title-case", EQ, SHORT, ASKED_OR_SAID, purpose=ROBUSTNESS, paper=AUGMENTER),
    Row(None, "homoglyphs", EQ, SHORT, ASKED_OR_SAID, tags=NOISE, purpose=ROBUSTNESS, paper=BAD_CHARACTERS),
    Row(None, "invisible-characters", EQ, SHORT, ASKED_OR_SAID, tags=NOISE, purpose=ROBUSTNESS, paper=BAD_CHARACTERS),
    Row(
        *(None, "emphasis-marks", EQ, (CLASSIFICATION, NLI, QA, RAG, *TALK), ASKED_OR_SAID),
        purpose=ROBUSTNESS,
        paper=AUGMENTER,
    ),
    Row(None, "add-link", EQ, (SA, CLASSIFICATION, *TALK), purpose=ROBUSTNESS, paper=CHECKLIST),
    Row(None, "add-handle", EQ, (SA, CLASSIFICATION, *TALK), purpose=ROBUSTNESS, paper=CHECKLIST),
    Row(
        *(None, "repeat-text", EQ, (QA, NLI, RAG, CLASSIFICATION, *TALK), {QA: QUESTION, RAG: QUESTION, **PREMISE}),
        by=Step.of("duplicate", copies=2),
        purpose=ROBUSTNESS,
        paper="Chan and Keung 2024 (duplication); other tasks",
    ),
)

VARIANTS = (
    Row(None, "spelling-variants", EQ, (QA, RE, SA, *TALK), TOGETHER, purpose=WORDING, paper=AUGMENTER),
    Row(None, "chat-spelling", EQ, (CLASSIFICATION, SA, QA, *TALK), ASKED_OR_SAID, purpose=WORDING, paper=AUGMENTER),
    Row(None, "ampersands", EQ, (SA, CLASSIFICATION, NLI, QA, *TALK), ASKED_OR_SAID, purpose=WORDING, paper=AUGMENTER),
    Row(None, "short-dates", EQ, (QA, RE, *TALK), TOGETHER, purpose=WORDING, paper=AUGMENTER),
    Row(None, "numbers-in-words", EQ, (QA, NLI), TOGETHER, purpose=WORDING, paper=AUGMENTER),
    Row(None, "frame-question", EQ, (QA, CLASSIFICATION, RAG, *TALK), ASKED_OR_SAID, purpose=WORDING, paper=CHECKLIST),
    Row(None, "affirm-question", EQ, ASKED, ASKING, (YES_OR_NO,), purpose=WORDING, paper=CHECKLIST),
)

READING = (
    Row(
        *(None, "irrelevant-paragraph", EQ, (QA, RE), CONTEXT),
        by=Step.of("add-passages", count=1),
        purpose=ROBUSTNESS,
        paper=QAQA,
    ),
    Row(None, "repeat-sentence", EQ, (QA, RE), CONTEXT, purpose=ROBUSTNESS, paper=QAQA),
    Row(None, "hearsay-question", EQ, (QA,), {QA: QUESTION}, purpose=ROBUSTNESS, paper=QAQA),
    Row(
        None, "other-context", ABSTAINS, (QA,), {QA: (("context",),)}, by="other-passages", purpose=LOGIC, paper=QAASKER
    ),
    Row(
        *(None, "ask-also", "contains", (QA,), {QA: (("context", "question"),)}, (INFORMATIVE, OPEN_QUESTION)),
        purpose=LOGIC,
        paper=QAQA,
    ),
    Row(None, "ask-whether-told", KNOWN, (QA,), {QA: QUESTION}, purpose=LOGIC, paper=QAASKER),
    Row(None, "ask-whether-changed", KNOWN, (QA,), {QA: QUESTION}, purpose=LOGIC, paper=QAASKER),
    Row(None, "fill-gap", KNOWN, (QA,), {QA: QUESTION}, purpose=LOGIC, paper=QAASKER),
    Row(None, "ask-which", KNOWN, (QA,), {QA: QUESTION}, purpose=LOGIC, paper=QAASKER),
    Row(
        *(None, "swap-symmetric-listed", EQ, (RE,), ENTITIES, (LISTED_SYMMETRIC,), "swap-entities"),
        purpose=LOGIC,
        paper="LLMorph, MR-141; symmetry by a list",
    ),
    Row(
        *(None, "swap-converse-listed", "converse", (RE,), ENTITIES, (LISTED_CONVERSE,), "swap-entities"),
        purpose=LOGIC,
        paper="LLMorph, MR-142; converses by a list",
    ),
    Row(None, "foreign-entity", ABSTAINS, (RE,), {RE: (("text", "tail"),)}, purpose=LOGIC, paper=RETRIEVAL),
)

RETRIEVED = (
    Row(
        *(None, "shuffle-passages", EQ, (RAG,), PASSAGES),
        by=Step.of("order-passages", order="shuffled"),
        purpose=ROBUSTNESS,
        paper=POSITION,
    ),
    Row(
        *(None, "reverse-passages", EQ, (RAG,), PASSAGES),
        by=Step.of("order-passages", order="reversed"),
        purpose=ROBUSTNESS,
        paper=POSITION,
    ),
    Row(
        *(None, "first-passage-last", EQ, (RAG,), PASSAGES),
        by=Step.of("order-passages", order="first-last"),
        purpose=ROBUSTNESS,
        paper=POSITION,
    ),
    Row(
        *(None, "irrelevant-passage", EQ, (RAG,), PASSAGES),
        by=Step.of("add-passages", count=1),
        purpose=ROBUSTNESS,
        paper=RETRIEVAL,
    ),
    Row(
        *(None, "irrelevant-passages", EQ, (RAG,), PASSAGES),
        by=Step.of("add-passages", count=5),
        purpose=ROBUSTNESS,
        paper=RETRIEVAL,
    ),
    Row(None, "repeat-passage", EQ, (RAG,), PASSAGES, purpose=ROBUSTNESS, paper=RETRIEVAL),
    Row(None, "merge-passages", EQ, (RAG,), PASSAGES, purpose=ROBUSTNESS, paper=RETRIEVAL),
    Row(None, "cut-passages", EQ, (RAG,), PASSAGES, purpose=ROBUSTNESS, paper=RETRIEVAL),
    Row(None, "number-passages", EQ, (RAG,), PASSAGES, purpose=ROBUSTNESS, paper=RETRIEVAL),
    Row(None, "inject-order", EQ, (RAG,), PASSAGES, purpose=ROBUSTNESS, paper=INJECTION),
    Row(None, "other-passages", ABSTAINS, (RAG,), PASSAGES, purpose=LOGIC, paper=RETRIEVAL),
    Row(None, "no-passages", ABSTAINS, (RAG,), PASSAGES, purpose=LOGIC, paper=RETRIEVAL),
)

LITERATURE = (
    *(*INFERENCE, *SENTIMENT, *EXCHANGED),
    *(*LAYOUT, *VARIANTS, *READING, *RETRIEVED),
)

for _row in LITERATURE:
    register(_row, "literature")
