"""Decides whether two replies take the same stance: both answer, both refuse, or both refuse in part.

It works for every kind of task, because it only looks at the wording of the replies.
"""

from __future__ import annotations

from collections.abc import Mapping

from mutatis.core.errors import shortened
from mutatis.core.languages import is_english, language_name
from mutatis.core.measure import Comparison, Repertoire, Says, Similarity
from mutatis.measures.answer import as_text
from mutatis.measures.catalogue import KINDS, add_pair_measure
from mutatis.measures.similarities import different, same
from mutatis.measures.stock_replies import in_place_of_answers
from mutatis.measures.withheld import REFUSED_HERE, only_greets
from mutatis.text.by_folder import reads
from mutatis.text.languages import reply_language
from mutatis.text.refusals import Stance, shipped_model, stance

REFUSAL = "refusal"
"""Name of the measure."""

_QUOTED = 80
_SAME = {"answers": "both answer", "refuses": "both refuse", "partly": "both refuse in part"}
_DIFFERENT = {
    frozenset({"answers", "refuses"}): REFUSED_HERE,
    frozenset({"answers", "partly"}): "refused in part here, answered there",
    frozenset({"refuses", "partly"}): "refused here, refused only in part there",
}


def why_open(text: str, stance: Stance, asked_in: str = "") -> str:
    """Return the reason why a reply cannot be judged as an answer or a refusal, or "" if it can.

    Refusals are recognised in English and in languages whose word lists ship with the package. `asked_in` is the
    language of the question, which is assumed for short replies.
    """
    if not any(map(str.isalnum, text)):
        return "the reply is empty"
    code = "" if stance.kind != "answers" else reply_language(text) or asked_in
    return "" if is_english(code) or reads(code) else f"refusal does not support {language_name(code)}"


def stance_in(text: str, question: str = "", asked_in: str = "") -> Stance:
    """Return a reply's stance, read in the language of the reply, or of the question if the reply is short."""
    code = reply_language(text) or asked_in
    return stance(text, question, code if reads(code) else "")


def stance_text(stance: Stance) -> str:
    """Describe a stance in words, with a quotation of the sentence that shows it."""
    kind = {"answers": "answers", "refuses": "refuses", "partly": "refuses in part, and answers"}[stance.kind]
    return f'{kind}: "{shortened(stance.evidence, _QUOTED)}"' if stance.evidence else kind


def _compared(reference: str, answer: str, question: str, asked_in: str) -> Similarity:
    """Return the probability that two replies take the same stance. A partial refusal is a stance of its own."""
    stances = [stance_in(text, question, asked_in) for text in (reference, answer)]
    reasons = [why_open(text, stance, asked_in) for text, stance in zip((reference, answer), stances, strict=True)]
    if any(reasons) and reference == answer and answer.strip():
        return Similarity(score=1.0, reason="the same text")
    if any(reasons):
        return Similarity(score=0.5, reason=next(filter(None, reasons)), open=True)
    first, second = stances
    likely = first.score * second.score + (1 - first.score) * (1 - second.score)
    if first.kind == second.kind:
        return Similarity(score=round(max(likely, 0.5), 4), reason=_SAME[first.kind])
    evidence = (first.evidence if first.kind != "answers" else "") or second.evidence
    reason = f'{_DIFFERENT[frozenset({first.kind, second.kind})]}: "{shortened(evidence, _QUOTED)}"'
    return Similarity(score=round(min(likely, 0.49), 4), reason=reason)


def _unanswered(comparison: Comparison) -> Similarity | None:
    """Judge pairs with a reply that does not refuse, but is not an answer either, as the run's other replies show.

    "Please talk to someone: 0800 111 0 111" is not an answer if many questions get it instead of their own answers.
    Neither is a greeting. If the other reply is a refusal, neither of the two answers the question.
    """
    if comparison.repertoire is None or comparison.directed or len(comparison.reference) != 1:
        return None
    question = as_text(comparison.question)
    texts = [as_text(value) for value in (comparison.reference[0], comparison.answer)]
    ways = [_no_answer(text, question, comparison.repertoire) for text in texts]
    refused = [stance_in(text, question, comparison.language).kind == "refuses" for text in texts]
    if not any(ways):
        return None
    if all(way or refusal for way, refusal in zip(ways, refused, strict=True)):
        return same("neither is an answer")
    at = 0 if ways[0] else 1
    return different(f'answered in one, not in the other: {ways[at]}: "{shortened(texts[at], _QUOTED)}"')


def _no_answer(text: str, question: str, repertoire: Repertoire) -> str:
    """Return the reason why a reply is neither a refusal nor an answer, or "" if it may be an answer."""
    if only_greets(text) and not only_greets(question):
        return "it only greets"
    questions = in_place_of_answers(text, repertoire)
    return f"{questions} different questions get it in place of their own answers" if questions else ""


def _judged(comparison: Comparison) -> Similarity:
    """Return the probability that an answer takes the stance of the most similar reference, or an open result."""
    answer, question = as_text(comparison.answer), as_text(comparison.question)
    if (unanswered := _unanswered(comparison)) is not None:
        return unanswered
    similarities = [
        _compared(as_text(reference), answer, question, comparison.language) for reference in comparison.reference
    ]
    decided = [similarity for similarity in similarities if not similarity.open] or similarities
    none = Similarity(score=0.5, reason="there is no reference answer", open=True)
    return max(decided, key=lambda similarity: similarity.score, default=none)


def _precision() -> Mapping[Says, float]:
    """Return how often people agree with the measure's verdicts on two replies to one prompt.

    The figures come from models and prompts that were not used to train it.
    """
    measured: dict[Says, float] = shipped_model()["provenance"]["agreement_model_and_prompts_held_out"]["asked"][
        "pairs"
    ]
    return measured


add_pair_measure(
    REFUSAL,
    _judged,
    summary="Whether both replies answer, both refuse, or both refuse in part; for every task.",
    kinds=KINDS,
    verbatim=True,
    precision=_precision,
)
