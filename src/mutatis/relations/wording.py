"""Relations for wording and formats: other words, or another common notation, for the same thing keep the answer.

Each relation's `paper` is the source of the idea, even if the paper used the relation for a different kind of test. The
word lists and rules are our own, unless the table states otherwise. The transformations of formats list the notations
that they skip as ambiguous.
"""

from __future__ import annotations

from functools import partial

from mutatis.core.cases import Step
from mutatis.relations.preconditions import ONE_FEELING, YES_OR_NO
from mutatis.relations.soundness import FORMATS, WORDING
from mutatis.relations.table import (
    ALL,
    ASKED,
    ASKED_OR_SAID,
    CHAT,
    CLASSIFICATION,
    DIALOGUE,
    EQ,
    HYPOTHESIS,
    NLI,
    QA,
    QUESTION,
    RE,
    RETRIEVAL,
    SA,
    SPOKEN,
    STRONGER,
    TALK,
    TEXTS,
    TOGETHER,
    Row,
    register,
)

CHECKLIST = "CheckList (Ribeiro et al. 2020); form ours"
BECEL = "BECEL (Jang et al. 2022); form ours"
AUGMENTER = "NL-Augmenter (Dhole et al. 2021); form ours"

ours = partial(Row, purpose=WORDING, tags=("ours",))
published = partial(Row, purpose=WORDING, tags=("ours", "literature"))

register(
    ours("synonyms-lexicon", EQ, TEXTS),
    # Not for questions with a context: a synonym of another sense ("jurisprudence breaking") asks for something else.
    ours("emphasis-rules", STRONGER, (SA,), only_if=(ONE_FEELING,)),
    ours("misspell-model", EQ, (*ALL, *TALK), purpose="", change="noise"),
    ours("expand-contractions", EQ, TEXTS),
    ours("contract", EQ, TEXTS),
    ours("polite-words", EQ, SPOKEN, QUESTION),
    ours("indirect-question", EQ, ASKED, QUESTION),
    ours("short-question", EQ, (QA, CHAT), QUESTION),
    ours("question-in-other-words", EQ, (CHAT,), QUESTION, draws=3),
    ours("reorder-slots", EQ, (CHAT, CLASSIFICATION), change="order"),
    ours("limit-in-other-words", EQ, (QA, CLASSIFICATION), TOGETHER, change="limit"),
    ours("question-first", EQ, (CLASSIFICATION,), change="order"),
    published("affirm-hypothesis", EQ, (NLI,), HYPOTHESIS, by=Step.of("say-whether", holds="true"), paper=BECEL),
    published("swap-conjuncts", EQ, (NLI,), paper=CHECKLIST),
    published("soften-rules", "not-stronger", (SA,), only_if=(ONE_FEELING,), paper=CHECKLIST),
    published("spelling-variants", EQ, (QA, RE, SA, *TALK), TOGETHER, paper=AUGMENTER),
    published("chat-spelling", EQ, (CLASSIFICATION, SA, QA, *TALK), ASKED_OR_SAID, paper=AUGMENTER),
    published("ampersands", EQ, (SA, CLASSIFICATION, NLI, QA, *TALK), ASKED_OR_SAID, paper=AUGMENTER),
    published("short-dates", EQ, (QA, RE, *TALK), TOGETHER, paper=AUGMENTER, change="form"),
    published("numbers-in-words", EQ, (QA, NLI), TOGETHER, paper=AUGMENTER),
    published("frame-question", EQ, (QA, CLASSIFICATION, RETRIEVAL, *TALK), ASKED_OR_SAID, paper=CHECKLIST),
    published("affirm-question", EQ, ASKED, QUESTION, (YES_OR_NO,), paper=CHECKLIST, change="negation"),
)


_written = partial(
    Row,
    tasks=(CHAT, DIALOGUE, CLASSIFICATION, QA, RETRIEVAL),
    fields=QUESTION,
    purpose=FORMATS,
    change="form",
    tags=("ours",),
)

# One relation per family of formats, each with its `level`.
register(
    _written("write-thousands"),
    _written("write-times"),
    _written("write-dates"),
    _written("write-currency"),
    _written("write-units", change="unit"),
    _written("equal-quantities", change="unit"),
    _written("group-identifiers"),
    _written("write-names"),
    _written("quantities-in-words"),
)
