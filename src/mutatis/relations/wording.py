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
from mutatis.relations.table import TOGETHER, row

CHECKLIST = "CheckList (Ribeiro et al. 2020); form ours"
BECEL = "BECEL (Jang et al. 2022); form ours"
AUGMENTER = "NL-Augmenter (Dhole et al. 2021); form ours"

ours = partial(row, purpose=WORDING, tags=("ours",))
published = partial(row, purpose=WORDING, tags=("ours", "literature"))

ours("synonyms-lexicon", "equal", "texts")
# Not for questions with a context: a synonym of another sense ("jurisprudence breaking") asks for something else.
ours("emphasis-rules", "stronger", "sa", only_if=(ONE_FEELING,))
ours("misspell-model", "equal", "llmorph, talk", purpose="", change="noise")
ours("expand-contractions", "equal", "texts")
ours("contract", "equal", "texts")
ours("polite-words", "equal", "spoken", "question")
ours("indirect-question", "equal", "asked", "question")
ours("short-question", "equal", "qa, chat", "question")
ours("question-in-other-words", "equal", "chat", "question", draws=3)
ours("reorder-slots", "equal", "chat, classification", change="order")
ours("limit-in-other-words", "equal", "qa, classification", TOGETHER, change="limit")
ours("question-first", "equal", "classification", change="order")
published("affirm-hypothesis", "equal", "nli", "hypothesis", by=Step.of("say-whether", holds="true"), paper=BECEL)
published("swap-conjuncts", "equal", "nli", paper=CHECKLIST)
published("soften-rules", "not-stronger", "sa", only_if=(ONE_FEELING,), paper=CHECKLIST)
published("spelling-variants", "equal", "qa, re, sa, talk", TOGETHER, paper=AUGMENTER)
published("chat-spelling", "equal", "classification, sa, qa, talk", "question, hypothesis", paper=AUGMENTER)
published("ampersands", "equal", "sa, classification, nli, qa, talk", "question, hypothesis", paper=AUGMENTER)
published("short-dates", "equal", "qa, re, talk", TOGETHER, paper=AUGMENTER, change="form")
published("numbers-in-words", "equal", "qa, nli", TOGETHER, paper=AUGMENTER)
published("frame-question", "equal", "qa, classification, retrieval-qa, talk", "question, hypothesis", paper=CHECKLIST)
published("affirm-question", "equal", "asked", "question", (YES_OR_NO,), paper=CHECKLIST, change="negation")


_written = partial(
    row,
    tasks="chat, dialogue, classification, qa, retrieval-qa",
    fields="question",
    purpose=FORMATS,
    change="form",
    tags=("ours",),
)

# One relation per family of formats, each with its `level`.
_written("write-thousands")
_written("write-times")
_written("write-dates")
_written("write-currency")
_written("write-units", change="unit")
_written("equal-quantities", change="unit")
_written("group-identifiers")
_written("write-names")
_written("quantities-in-words")
