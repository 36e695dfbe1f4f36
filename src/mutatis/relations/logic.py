"""Relations on logic: negation, opposites, numbers, keywords, inferences, word problems and multiple-choice questions.

The `paper` of a row is its origin. The paper may have used the relation for a different kind of test. The edits are our
own, unless the row states otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from mutatis.core.cases import Step
from mutatis.core.measure import Comparison
from mutatis.core.relation import Group
from mutatis.relations.opposite import Converse
from mutatis.relations.output import Equal, with_reference
from mutatis.relations.preconditions import (
    CONTRADICTION,
    ENTAILMENT,
    INFORMATIVE,
    LABEL_WITHOUT_NUMBER,
    LISTED_CONVERSE,
    LISTED_SYMMETRIC,
    NO_CONTRADICTION,
    NUMBER_ANSWER,
    ONE_FEELING,
    OPEN_QUESTION,
    SETTLED,
    TURNED_ROUND,
    YES_OR_NO,
)
from mutatis.relations.soundness import ENOUGH, LOGIC, PROBE, READ, ROBUSTNESS, WORDING
from mutatis.relations.table import TOGETHER, row

CHECKLIST = "CheckList (Ribeiro et al. 2020); form ours"
QAQA = "QAQA (Shen et al. 2022); form ours"
QAASKER = "QAAskeR (Chen, Jin, Xie 2021); form ours"
LAWS = "Li et al. 2019, A Logic-Driven Framework for Consistency of Neural Models; form ours"
BECEL = "BECEL (Jang et al. 2022); form ours"
RGB = "RGB (Chen et al. 2023: noise robustness, negative rejection); form ours"

SYMMETRY = "LLMorph, MR-141; symmetry by a list"
CONVERSE = "LLMorph, MR-142; converses by a list"

ours = partial(row, purpose=LOGIC, tags=("ours",))
published = partial(row, purpose=LOGIC, tags=("ours", "literature"))
swapped = partial(published, tasks="re", fields="head tail", by="swap-entities", change="order")

# A question without its key words may still be guessed from a context with one candidate.
KEYWORDS = "context, premise, hypothesis"

# Which statement of a context or text decides cannot be seen by a rule, so only questions and hypotheses are turned
# round; a sentiment turns round only if words of praise and blame do.
ours("antonyms-lexicon", "different", "qa, nli", "question, hypothesis", (TURNED_ROUND,), change="negation")
# In no default set: readers found the follow-ups sound and trivial, for nobody writes such a text.
ours("random-keywords-rules", "different", "qa, nli, sa", KEYWORDS, (TURNED_ROUND,), purpose="", tags=("ours", PROBE))
ours("remove-keywords-rules", "different", "qa, nli, sa", KEYWORDS, (TURNED_ROUND,))
ours("negation-auxiliary", "different", "qa, nli", "question, hypothesis", (OPEN_QUESTION,), change="negation")
ours(
    "sentiment-negation-auxiliary",
    "different",
    "sa",
    only_if=(INFORMATIVE, ONE_FEELING),
    by=Step.of("negation-auxiliary", where="polar"),
    change="negation",
)
ours("change-numbers", "image", "qa", TOGETHER, (NUMBER_ANSWER,), change="value")
ours("change-count", "different", "nli", "hypothesis", (ENTAILMENT,), "change-numbers", change="value")
# Not on chat: a free answer that tells the fact ("Yes, the lamp is in stock") is right without turning round.
ours("deny-question", "inverse", "qa, dialogue", "question", (YES_OR_NO,), change="negation")
published(
    "swap-contradiction", "equal", "nli", TOGETHER, (CONTRADICTION,), "exchange-texts", paper=BECEL, change="order"
)
published(
    "swap-entailment", "not-inverse", "nli", TOGETHER, (ENTAILMENT,), "exchange-texts", paper=LAWS, change="order"
)
published("premise-as-hypothesis", "known-answer", "nli", "hypothesis", paper=LAWS)
published("unrelated-hypothesis", "known-answer", "nli", "hypothesis", paper=LAWS)
published("append-hypothesis", "known-answer", "nli", "premise", (NO_CONTRADICTION,), paper=LAWS)
published("prepend-premise", "equal", "nli", "hypothesis", paper=LAWS)
published(
    "deny-hypothesis",
    "inverse",
    "nli",
    "hypothesis",
    (SETTLED,),
    Step.of("say-whether", holds="false"),
    paper=BECEL,
    change="negation",
)
published("weaken-hypothesis", "equal", "nli", "hypothesis", (ENTAILMENT,), "or-else", paper=LAWS)
published("add-praise", "not-lower", "sa", by=Step.of("add-verdict", side="praise"), paper=CHECKLIST)
published("add-blame", "not-higher", "sa", by=Step.of("add-verdict", side="blame"), paper=CHECKLIST)
published("add-best-rating", "not-lower", "sa", by=Step.of("add-rating", side="praise"), paper=CHECKLIST)
published("add-worst-rating", "not-higher", "sa", by=Step.of("add-rating", side="blame"), paper=CHECKLIST)
published("others-think", "equal", "sa", paper=CHECKLIST)
published("used-to-think", "equal", "sa", paper=CHECKLIST)
published("change-dates", "equal", "re", TOGETHER, by="change-numbers", paper=CHECKLIST, change="value")
published("other-context", "abstains", "qa", "context", by="other-passages", paper=QAASKER)
published("ask-also", "contains", "qa", TOGETHER, (INFORMATIVE, OPEN_QUESTION), paper=QAQA, change="pair")
published("ask-whether-told", "known-answer", "qa", "question", paper=QAASKER)
published("ask-whether-changed", "known-answer", "qa", "question", paper=QAASKER, change="value")
ours("ask-whether-wrong", "known-answer", "qa", "question", change="negation")
ours("ask-whether-limited", "known-answer", "qa", "question", change="limit")
ours("ask-in-another-order", "known-answer", "qa", "question", change="list")
for kind in ("form", "unit"):
    ours(
        f"ask-in-another-{kind}",
        "known-answer",
        "qa",
        "question",
        by=Step.of("ask-in-another-form", kind=kind),
        says=f"A sentence of the text is right with a value in another {kind}.",
        change=kind,
    )
ours("claim-untold", "equal", "qa", "question", (INFORMATIVE,), change="pressure")
ours("claim-answer", "equal", "qa", "question", (INFORMATIVE,), change="pressure")
ours("not-about", "equal", "classification", change="negation")
ours("two-of-a-class", "equal", "classification", change="pair", enough=READ)
ours("larger-numbers", "equal", "classification", only_if=(LABEL_WITHOUT_NUMBER,), change="value")
published("fill-gap", "known-answer", "qa", "question", paper=QAASKER)
published("ask-which", "known-answer", "qa", "question", paper=QAASKER)
swapped("swap-symmetric-listed", only_if=(LISTED_SYMMETRIC,), paper=SYMMETRY)
swapped("swap-converse-listed", Converse(), only_if=(LISTED_CONVERSE,), paper=CONVERSE)
published("foreign-entity", "abstains", "re", "text tail", paper=RGB)
published("other-passages", "abstains", "retrieval-qa", "passages", paper=RGB)
published("no-passages", "abstains", "retrieval-qa", "passages", paper=RGB)


SYMBOLIC = "GSM-Symbolic (Mirzadeh et al. 2024); form ours"
ORDER = "Pezeshkpour and Hruschka 2023, sensitivity to the order of options; form ours"


class SameChoice(Equal):
    """Output relation `same-choice`: the same option is chosen.

    Unlike `equal`, it does not accept the edited form of the reference, since the edit puts a different option in its
    place.
    """

    in_words = "the same option is chosen"
    for_readers = "The same option must be right, whatever its letter."
    name = "same-choice"

    def comparisons(self, group: Group) -> Sequence[Comparison]:
        """Compare each chosen option with the source's."""
        return with_reference(group)


_reasoned = partial(row, enough=ENOUGH, tags=("ours", "reasoning"), paper="ours", turns="all")
_problem = partial(_reasoned, tasks="word-problem")
_options = partial(_reasoned, tasks="multiple-choice", fields="options")

_problem("recompute-number", "known-answer", purpose=LOGIC, paper=SYMBOLIC, change="value")
_problem("idle-number", purpose=ROBUSTNESS, paper=SYMBOLIC)
_problem("ask-first", purpose=WORDING)
_problem("swap-facts", purpose=ROBUSTNESS, change="order")
_problem("rename-people", by="change-names", purpose=ROBUSTNESS, paper=SYMBOLIC, change="name")
_problem("euros", purpose=WORDING, change="unit")
_problem("metric-units", purpose=WORDING, change="unit")
_options("reverse-options", SameChoice(), purpose=ROBUSTNESS, paper=ORDER, change="order")
_options("number-options", SameChoice(), purpose=ROBUSTNESS, paper=ORDER, change="form")
_options("none-of-them", "known-answer", purpose=LOGIC, change="list")
