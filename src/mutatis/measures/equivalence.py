"""Judges free-text answers: would a person accept one answer in place of the other?

Rules decide the clear cases. A small calibrated model of lexical features, with or without sentence embeddings, decides
the rest. No language model is asked. The measure is meant for answers to a question, from a word to a paragraph, and
not for detecting paraphrases of whole sentences (docs/judge.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mutatis.core.errors import shortened
from mutatis.core.languages import ENGLISH
from mutatis.core.measure import Comparison, Similarity
from mutatis.measures import features, polar, rules
from mutatis.measures.answer import Answer, as_text, read
from mutatis.measures.catalogue import add_measure
from mutatis.measures.differences import exchanged_value, exchanged_word
from mutatis.measures.features import FeatureRow, compare_answers, focus
from mutatis.measures.model import JudgeModel, Logistic, WordAdapter, load_model, shipped_adapter
from mutatis.measures.similarities import cannot_tell, most_similar
from mutatis.text.embedder import cosines
from mutatis.text.openers import without_courtesies

MAX_REFERENCES = 64
"""Maximum number of accepted answers from the annotations that are compared."""

EMBEDDED = ("cosine", "question_high", "question_low", "swap_distance")
"""The names of the features computed from embeddings.

They are the similarity of the two answers, the higher and the lower of their similarities to the question, and the
distance between replaced words.
"""

EXCHANGED = ("apart",)
"""The name of the feature that decides if two answers differ only in a replaced word.

It is the word adapter's certainty that the two words exclude each other.
"""

SURE = 0.01
"""Embeddings are not computed if the lexical model's probability is within this distance of 0 or 1."""

REMEMBERED, _SHORT = 4096, 1000
"""Maximum number of pairs whose results are remembered, and the maximum length of a pair in characters.

Many follow-ups of a question get the same answer. Confirming, shrinking and the noise floor then judge it again.
"""

_NO_QUESTION = 0.4  # similarity to the question where none is known: about the mean

DIRECTED_FEATURES = features.NAMES
SYMMETRIC_FEATURES = tuple(f"{name}_{end}" for end in ("high", "low") for name in features.NAMES)
_COVERAGE = ("exact", "contained", "fuzzy_coverage", "coverage", "spelling")
"""The features that show how well an answer covers an accepted answer, the most important first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """A pair of answers that no rule decides.

    Attributes:
        row: lexical features, directed or symmetric.
        evidence: the feature row with its details, used to word the reason.
        texts: the two texts, prepared for embedding.
        question: the question that was answered.
        directed: whether the directed rather than the symmetric model judges the pair.
        exchanged: the replaced words if nothing else differs and no list contains them, else ().
    """

    row: tuple[float, ...]
    evidence: FeatureRow
    texts: tuple[str, str]
    question: str
    directed: bool
    exchanged: tuple[tuple[str, str], ...] = ()


def _by_symmetric_rules(reference: Answer, answer: Answer) -> Similarity | None:
    """Apply the rules that need no lexical evidence and work in both directions. They find most equal answers."""
    return rules.empty(reference, answer) or rules.equal(reference, answer) or rules.symbols(reference, answer)


def _certain(
    reference: Answer, answer: Answer, question: Answer, evidence: FeatureRow, *, directed: bool
) -> Similarity | None:
    """Apply the rules after `_by_symmetric_rules` in one direction. The most certain rules come first."""
    return (
        rules.decide_withheld(reference, answer, evidence, directed)
        or polar.yes_or_no(reference, answer, question)
        or rules.any_of_several(reference, answer, question)
        or rules.contrast(evidence)
        or rules.decide_relation(reference, answer)
        or rules.lists(reference, answer, question)
        or rules.decide_number(reference, answer, question, directed)
        or rules.decide_negation(reference, answer)
        or rules.complement(reference, answer)
        or rules.excluded(evidence)
        or (rules.candidates(answer, evidence) if directed else None)  # of two outputs either may offer several
        or polar.unclear(reference, answer, question)
        # "Yes, by train" does not agree with "Yes, by bus".
        or (None if any(swap.kind for swap in evidence.swaps) else polar.agree(reference, answer, question))
    )


def _directed(texts: Sequence[str], answer_text: str, question_text: str) -> Similarity | Open:
    """Judge an answer against several accepted answers.

    If the answer is certainly the same as any accepted answer, that judgement is returned. Otherwise the pair with the
    accepted answer that it covers best is left to the model. If the answer certainly differs from all, the most
    favourable judgement is returned.
    """
    question, answer = read(question_text), read(answer_text)
    rejections: list[Similarity] = []
    undecided: list[tuple[str, FeatureRow]] = []
    for text in texts:
        reference = read(text)
        certain = _by_symmetric_rules(reference, answer)
        if certain is None:
            evidence = compare_answers(reference, answer, question, focus(text, question_text))
            certain = _certain(reference, answer, question, evidence, directed=True)
        if certain is None:
            undecided.append((text, evidence))
        elif certain.score >= 0.5:
            return certain
        else:
            rejections.append(certain)
    if not undecided:
        return most_similar(rejections)
    best, evidence = max(undecided, key=lambda pair: [pair[1][name] for name in _COVERAGE])
    return Open(
        row=evidence.row,
        evidence=evidence,
        texts=(best, answer_text),
        question=question_text,
        directed=True,
        exchanged=_exchanged(read(best), answer, question, evidence),
    )


def _symmetric(first_text: str, second_text: str, question_text: str) -> Similarity | Open:
    """Judge two outputs of a system. Swapping them does not change the result.

    The rules are applied in both directions, and the higher score counts.
    """
    question, first, second = read(question_text), read(first_text), read(second_text)
    if (plain := _by_symmetric_rules(first, second)) is not None:
        return plain
    forth = compare_answers(first, second, question, focus(first_text, question_text))
    back = compare_answers(second, first, question, focus(second_text, question_text))
    certain = (
        _certain(first, second, question, forth, directed=False),
        _certain(second, first, question, back, directed=False),
    )
    if any(certain):
        return most_similar(filter(None, certain))
    if (values := exchanged_value(first_text, second_text)) is not None:
        return Similarity(score=0.03, reason=f"numbers differ: {values}")
    # The larger and the smaller value of each feature do not depend on the order of the outputs.
    high = tuple(map(max, forth.row, back.row))
    low = tuple(map(min, forth.row, back.row))
    clearer = forth if forth.row >= back.row else back  # either would do, but the order of the outputs must not decide
    return Open(
        row=high + low,
        evidence=clearer,
        texts=(first_text, second_text),
        question=question_text,
        directed=False,
        exchanged=_exchanged(first, second, question, forth),  # `back` gives the same words, as a property test shows
    )


def _exchanged(first: Answer, second: Answer, question: Answer, evidence: FeatureRow) -> tuple[tuple[str, str], ...]:
    """Return the replaced words if nothing else differs and no list contains them, or ().

    A pair is also returned if one of its words occurs in the question, since replacing a word of the question is
    evidence against an answer.
    """
    only_difference = None if evidence.swaps else exchanged_word(first, second)
    if only_difference is not None and not set(only_difference).isdisjoint(question.words):
        return (only_difference,)
    if len(first.words) != len(second.words) or any(swap.kind or not swap.aligned for swap in evidence.swaps):
        return ()
    swapped = {(swap.first, swap.second) for swap in evidence.swaps}
    differing = {pair for pair in zip(first.words, second.words, strict=True) if pair[0] != pair[1]}
    are_words = all(word.isalpha() for pair in swapped for word in pair)
    return tuple(sorted(swapped)) if are_words and swapped == differing else ()


_remembered_directed = lru_cache(maxsize=REMEMBERED)(_directed)
_remembered_symmetric = lru_cache(maxsize=REMEMBERED)(_symmetric)


def prepare(comparison: Comparison) -> Similarity | Open:
    """Decide a comparison by rules, or return the evidence for the model."""
    texts = [without_courtesies(as_text(value)) for value in comparison.reference[:MAX_REFERENCES]]
    answer, question = without_courtesies(as_text(comparison.answer)), as_text(comparison.question)
    short = sum(map(len, texts)) + len(answer) + len(question) < _SHORT
    if comparison.directed or len(texts) != 1:
        return (_remembered_directed if short else _directed)(tuple(texts), answer, question)
    return (_remembered_symmetric if short else _symmetric)(texts[0], answer, question)


def embedding_rows(pairs: Sequence[Open]) -> NDArray[np.float64]:
    """Return the embedding features of undecided pairs, shape (pairs, 4). Each distinct text is embedded only once."""
    wanted: list[tuple[str, str]] = []
    for pair in pairs:
        (first, second), asked = pair.texts, pair.question
        wanted += [(first, second), (asked or first, first), (asked or second, second)]
    rows = np.array(cosines(wanted), dtype=np.float64).reshape(len(pairs), 3)
    unknown = np.array([not pair.question for pair in pairs], dtype=bool)
    rows[unknown, 1:] = _NO_QUESTION
    nearer, farther = rows[:, 1:].max(axis=1, keepdims=True), rows[:, 1:].min(axis=1, keepdims=True)
    return np.hstack([rows[:, :1], nearer, farther, _swap_distances(pairs)])


def _swap_distances(pairs: Sequence[Open]) -> NDArray[np.float64]:
    """Return the largest embedding distance between replaced words in each pair; shape (pairs, 1).

    The distance is 0 if no word is replaced.
    """
    swapped = [
        (row, (swap.first, swap.second))
        for row, pair in enumerate(pairs)
        for swap in pair.evidence.swaps
        if swap.aligned
    ]
    distances = np.zeros((len(pairs), 1))
    for (row, _), similarity in zip(swapped, cosines([words for _, words in swapped]), strict=True):
        distances[row, 0] = max(distances[row, 0], 1.0 - similarity)
    return distances


def exchange_rows(pairs: Sequence[Open], adapter: WordAdapter) -> NDArray[np.float64]:
    """Return the adapter's certainty that the replaced words of each pair exclude each other; shape (pairs, 1).

    The certainty is given as a logit. If several words are replaced in a pair, the highest logit is used.
    """
    words = [(row, word) for row, pair in enumerate(pairs) for word in pair.exchanged]
    sure = np.full((len(pairs), 1), -np.inf)
    for (row, _), logit in zip(words, adapter.apart([word for _, word in words]), strict=True):
        sure[row, 0] = max(sure[row, 0], logit)
    return sure


def _told_anew(pair: Open) -> bool:
    """Return True if two outputs are long explanations, which may be the same answer in different words.

    For such outputs, the model's verdict "different" is less reliable.
    """
    long = all(len(read(text).words) > features.BRIEF for text in pair.texts)
    return long and not pair.directed and read(pair.question).asks_openly


def _reason(pair: Open, same: bool) -> str:
    """Return a one-line explanation of the model's decision."""
    evidence = pair.evidence
    if pair.exchanged and not same:
        old, new = pair.exchanged[0]
        return f"{new!r} in place of {old!r}"
    missing = _spelt(pair, evidence.missing)
    if same:
        if evidence["contained"]:
            return "answer contained, no contradiction"
        if not evidence.missing:
            return "all words of the answer found"
        return (
            f"similar, although it lacks: {missing}" if evidence["fuzzy_coverage"] else "similar in spelling or meaning"
        )
    if evidence["numbers_conflict"]:
        return f"numbers differ, and it lacks: {missing}" if missing else "numbers differ"
    if evidence.missing:
        return f"not found in the {'' if pair.directed else 'other '}answer: {missing}"
    return f"answer named, but with much else: {_spelt(pair, evidence.extra)}"


def _spelt(pair: Open, stems: Sequence[str]) -> str:
    """Return the first few stems as a list of words, in the spelling of the texts."""
    words = {stem: word for text in pair.texts for stem, word in zip(read(text).stems, read(text).words, strict=True)}
    return shortened(", ".join(words.get(stem, stem) for stem in stems[:4]), 40)


class AnswerEquivalence:
    """The measure `answer-equivalence` (with embeddings) or `answer-equivalence-lexical` (without)."""

    def __init__(self, *, semantic: bool, model: JudgeModel | None = None) -> None:
        self.name = "answer-equivalence" if semantic else "answer-equivalence-lexical"
        self._semantic = semantic
        self._model = model or load_model(self.name)
        self._lexical = load_model("answer-equivalence-lexical") if semantic else self._model

    def compare(self, comparisons: Sequence[Comparison]) -> list[Similarity]:
        """Return, for each comparison, the probability that a person would call the answers the same, and a reason."""
        prepared = [prepare(comparison) for comparison in comparisons]
        judged: dict[int, Similarity] = {}
        for directed in (True, False):
            undecided = {
                place: pair
                for place, pair in enumerate(prepared)
                if isinstance(pair, Open) and pair.directed is directed
            }
            scores = self._probabilities(list(undecided.values()), directed) if undecided else ()
            for (place, pair), score in zip(undecided.items(), scores, strict=True):
                judged[place] = self._similarity(pair, score)
        return [pair if isinstance(pair, Similarity) else judged[place] for place, pair in enumerate(prepared)]

    def _similarity(self, pair: Open, score: float) -> Similarity:
        is_same = score >= self._model.threshold
        reason = _reason(pair, is_same)
        if is_same or not _told_anew(pair):
            return Similarity(score=score, reason=reason)
        return cannot_tell(f"an account may be worded in many ways: {reason}")

    def _probabilities(self, pairs: Sequence[Open], directed: bool) -> list[float]:
        """Return the probability for each pair, at first from lexical features only.

        Only doubtful pairs are then judged again with embeddings, so that few texts need to be embedded.
        """
        names = DIRECTED_FEATURES if directed else SYMMETRIC_FEATURES
        rows = np.array([pair.row for pair in pairs])
        scores = _apply(self._lexical.directed if directed else self._lexical.symmetric, rows, names)
        doubtful = [at for at, score in enumerate(scores) if SURE < score < 1 - SURE]
        if self._semantic and doubtful:
            embedded = np.hstack([rows[doubtful], embedding_rows([pairs[at] for at in doubtful])])
            model = self._model.directed if directed else self._model.symmetric
            scores[doubtful] = _apply(model, embedded, (*names, *EMBEDDED))
        exchanged = [at for at, pair in enumerate(pairs) if pair.exchanged]
        if self._model.exchange is not None and exchanged:
            apart = exchange_rows([pairs[at] for at in exchanged], shipped_adapter())
            scores[exchanged] = _apply(self._model.exchange, apart, EXCHANGED)
        return [round(float(score), 6) for score in scores]


def _apply(model: Logistic, rows: NDArray[np.float64], names: tuple[str, ...]) -> NDArray[np.float64]:
    return model.probabilities(rows[:, [names.index(name) for name in model.features]])


add_measure(
    "answer-equivalence",
    lambda: AnswerEquivalence(semantic=True),
    summary="Probability that a person considers two answers the same: rules, then a calibrated model.",
    undecided=(0.3, 0.7),
    languages=ENGLISH,
    semantic=True,
    precision=lambda: load_model("answer-equivalence").precision,
)
add_measure(
    "answer-equivalence-lexical",
    lambda: AnswerEquivalence(semantic=False),
    summary="The same without embeddings: needs no extra, agrees with people a little less.",
    undecided=(0.3, 0.7),
    languages=ENGLISH,
    precision=lambda: load_model("answer-equivalence-lexical").precision,
)
