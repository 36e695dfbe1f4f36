"""The catalogue of measures, with the kinds of answers they compare and their default thresholds.

Users can add measures of their own. Importing this module loads no model and no heavy library, because measures are
created on request.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

from mutatis.core.errors import MissingExtra, UsageError
from mutatis.core.languages import EVERY, Languages, check_languages
from mutatis.core.measure import Comparison, Judge, Measure, Says, Similarity
from mutatis.core.registry import Registry
from mutatis.measures.by_folder import KnownLanguages
from mutatis.measures.similarities import most_similar
from mutatis.text import embedder

KINDS = frozenset({"text", "label", "number", "set", "state", "calls", "data"})


class SyncMeasure(Measure, Protocol):
    """A measure that turns comparisons into similarities without asking a language model."""

    def compare(self, comparisons: Sequence[Comparison]) -> list[Similarity]:
        """Return one similarity per comparison, in order. This must not raise an exception for any text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureFactory:
    """An entry in the catalogue of measures.

    Attributes:
        name: the name that users select it by.
        summary: one-line description of its purpose.
        kinds: the kinds of answers it judges: "text", "label", "number", "set", "state", "calls", "data".
        make: function without arguments that creates the measure; None if the measure asks a language model, which only
            a run can provide.
        equal: minimum score for two answers to be the same.
        different: score below which two answers differ.
        undecided: range of scores that a person should check, if any.
        semantic: whether it needs the `semantic` extra.
        verbatim: whether it reads replies as given, rather than the values that the task parses from them.
        together: whether it uses the replies to a whole block of questions.
        precision: function that returns how often people agree with its "same" and "different"; empty if not measured.
        false_alarm: how often it judges answers with the same meaning to be different; None if not measured.
        unsound: share of the follow-ups rejected by readers that systems answer differently; 1 if not measured.
        languages: supported languages. Others are judged by rules that hold in every language (`KnownLanguages`).
    """

    name: str
    summary: str
    kinds: frozenset[str]
    make: Callable[[], SyncMeasure] | None
    equal: float = 0.5
    different: float = 0.5
    undecided: tuple[float, float] | None = None
    semantic: bool = False
    verbatim: bool = False
    together: bool = False
    precision: Callable[[], Mapping[Says, float]] = dict
    false_alarm: float | None = None
    unsound: float = 1.0
    languages: Languages = EVERY

    def __call__(self) -> SyncMeasure:
        """Return a new instance of the measure.

        Raises:
            MissingExtra: the measure needs the `semantic` extra, which is not installed.
            UsageError: the measure needs a language model.
        """
        if self.make is None:
            raise UsageError(f"measure {self.name!r} asks a language model; add [helper] to the configuration")
        if self.semantic and not embedder.embedder_is_installed():
            raise MissingExtra(f"measure {self.name!r}", "semantic")
        made = self.make()
        return made if self.languages == EVERY else KnownLanguages(made, self.languages)


MEASURES: Registry[MeasureFactory] = Registry("measure")
"""All measures, by name."""


def add_measure(
    name: str, make: Callable[[], SyncMeasure] | None, *, kinds: Iterable[str] = ("text",), **properties: Any
) -> None:
    """Add a measure to the catalogue. `properties` sets any other attributes of `MeasureFactory`."""
    MEASURES.add(name, MeasureFactory(name=name, kinds=frozenset(kinds), make=make, **properties))


@dataclass(slots=True, kw_only=True)
class PairMeasure:
    """A measure that judges each comparison by a function."""

    name: str
    function: Callable[[Comparison], Similarity]

    def compare(self, comparisons: Sequence[Comparison]) -> list[Similarity]:
        """Return the function's similarity for each comparison."""
        return [self.function(comparison) for comparison in comparisons]


def add_pair_measure(name: str, function: Callable[[Comparison], Similarity], **properties: Any) -> None:
    """Add a measure that judges each comparison by a function."""
    add_measure(name, lambda: PairMeasure(name=name, function=function), **properties)


def measure(
    name: str,
    *,
    summary: str = "",
    kinds: Sequence[str] = ("text",),
    equal: float = 0.5,
    different: float | None = None,
    undecided: tuple[float, float] | None = None,
    languages: Sequence[str] = EVERY,
) -> Callable[[Callable[[Any, Any], float | Similarity]], Callable[[Any, Any], float | Similarity]]:
    """Register a function of (reference, answer) that returns a score from 0 to 1 as a measure.

    Answers with a score of `equal` or more count as equal, and those below `different` (by default `equal`) as
    different. Scores within `undecided` leave a pair undecided. If it supports only some `languages`, answers in other
    languages are compared by general rules or left undecided.

    >>> @measure("same-length", kinds=["text"])
    ... def same_length(reference, answer):
    ...     return float(len(reference) == len(answer))
    >>> judge("same-length").measure.compare([Comparison(reference=("abc",), answer="xyz")])[0].score
    1.0
    >>> MEASURES.remove("same-length")

    Raises:
        UsageError: the name is taken, or a kind or a language does not exist.
    """
    unknown = sorted(set(kinds) - KINDS)
    if unknown:
        raise UsageError(f"measure {name!r}: unknown kind {unknown[0]!r}; expected one of: {', '.join(sorted(KINDS))}")
    known = check_languages(f"measure {name!r}", languages)

    def register(function: Callable[[Any, Any], float | Similarity]) -> Callable[[Any, Any], float | Similarity]:
        def best(comparison: Comparison) -> Similarity:
            scores = [function(reference, comparison.answer) for reference in comparison.reference]
            return most_similar(
                score if isinstance(score, Similarity) else Similarity(score=float(score)) for score in scores
            )

        add_pair_measure(
            name,
            best,
            summary=summary or (function.__doc__ or "").strip().partition("\n")[0],
            kinds=kinds,
            equal=equal,
            different=equal if different is None else different,
            undecided=undecided,
            languages=known,
        )
        return function

    return register


def judge(
    name: str, equal: float | None = None, different: float | None = None, undecided: tuple[float, float] | None = None
) -> Judge:
    """Return a measure with its thresholds, which are the measure's own by default.

    A single threshold sets both, so `judge("minilm-cosine", equal=0.7)` leaves no gap. If `equal` is lower than
    `different`, as in LLMorph's code, an answer can count as both equal and different.

    Raises:
        UsageError: the measure is unknown, a threshold is outside -1..1, or the undecided range is empty.
        MissingExtra: the measure needs an extra that is not installed.
    """
    entry = MEASURES[name]
    if equal is None and different is None:
        high, low = entry.equal, entry.different
        undecided = entry.undecided if undecided is None else undecided
    else:
        high = equal if equal is not None else cast(float, different)
        low = different if different is not None else high
    if not (-1.0 <= low <= 1.0 and -1.0 <= high <= 1.0):
        raise UsageError(
            f"thresholds of measure {entry.name!r} must be numbers from -1 to 1; got equal={high}, different={low}"
        )
    if undecided is not None and not undecided[0] <= undecided[1]:
        raise UsageError(f"measure {entry.name!r}: undecided = [{undecided[0]}, {undecided[1]}]; expected [low, high]")
    # The figures are only known for the thresholds with which they were measured.
    measured = (high, low) == (entry.equal, entry.different)
    return Judge(
        measure=entry(),
        equal=high,
        different=low,
        undecided=undecided,
        precision=entry.precision() if measured else {},
        false_alarm=entry.false_alarm if measured else None,
        unsound=entry.unsound if measured else 1.0,  # nothing speaks for its soundness
        verbatim=entry.verbatim,
        together=entry.together,
    )


def default_text_measure() -> str:
    """Return the name of the best text measure that this installation supports, without importing anything."""
    return "answer-equivalence" if embedder.embedder_is_installed() else "answer-equivalence-lexical"
