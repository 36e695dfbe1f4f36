"""Results of a search for failures by small edits, such as failure rates and the variety of the edits tried.

It counts the verdicts of relation `small-edits`. If only correctly answered inputs are searched, it also counts the
verdicts of `as-annotated`. A tracker's accuracy against annotated states is measured by `state_accuracy`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mutatis.extending import Event, Outcome, UsageError, Verdict, violation_rate
from mutatis.rltest4chatbot.actions import FAMILIES
from mutatis.rltest4chatbot.edits import Validity, as_annotated, small_edits
from mutatis.rltest4chatbot.states import SLOTS, State, accepted_values, differing_slots


class Inertia:
    """Running computation of the inertia of actions, which are added one by one.

    Inertia is the variance of the actions, summed over their dimensions.

    In an action, None stands for a number that had no effect. Each dimension is computed only over the actions where
    its number had an effect, so that arbitrary numbers do not influence the result.

    >>> inertia = Inertia()
    >>> for action in [(0.0, 0.5), (1.0, None), (1.0, 0.5)]:
    ...     inertia.add(action)
    >>> round(inertia.value, 4), inertia.dimensions  # of 0, 1, 1 and of 0.5, 0.5
    (0.2222, 2)
    """

    def __init__(self) -> None:
        # How many numbers had an effect, their sum and the sum of their squares, for each dimension.
        self._sums: NDArray[np.float64] = np.zeros((3, 0))

    def add(self, action: Sequence[float | None]) -> None:
        """Add an action. All actions must have the same length."""
        if not self._sums.size:
            self._sums = np.zeros((3, len(action)))
        numbers = np.array(action, dtype=np.float64)  # None becomes nan
        powers = np.vstack((np.ones_like(numbers), numbers, numbers**2))
        self._sums += np.where(np.isnan(numbers), 0.0, powers)

    @property
    def dimensions(self) -> int:
        """The number of dimensions that have had an effect."""
        return int((self._sums[0] > 0).sum())

    @property
    def value(self) -> float | None:
        """The inertia of the actions so far, or None if no dimension has had an effect."""
        if not self.dimensions:
            return None
        count, total, squares = self._sums[:, self._sums[0] > 0]
        return max(0.0, float((squares / count - (total / count) ** 2).sum()))


USED = (*FAMILIES, "back-translation")
"""Kinds of edits that are counted separately: the six families, and back-translation, which DialTest adds."""

RELATION, ANNOTATED = small_edits(Validity()).name, as_annotated().name


@dataclass(slots=True)
class _Counts:
    """Results for one system. After a learning phase, only follow-ups from testing count, except in `learnt`.

    Attributes:
        outcomes: number of verdicts with each outcome.
        inherited: number of failures that the edited context alone caused.
        texts: source, turn and text of each failure with a new text.
        tried: number of follow-ups for each source.
        used, failed: number of follow-ups, and of failures, with each kind of edit.
        inertia: the spread of the actions.
        synonyms: the sources of synonyms.
        last: the last outcome at each turn of each episode.
        learnt: number of follow-ups tried during learning, for each source.
        clean: whether each answer before any edit is right, for each source.
    """

    outcomes: Counter[Outcome] = field(default_factory=Counter)
    inherited: int = 0
    texts: set[tuple[str, int, str]] = field(default_factory=set)
    tried: Counter[str] = field(default_factory=Counter)
    used: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    inertia: Inertia = field(default_factory=Inertia)
    synonyms: set[str] = field(default_factory=set)
    last: dict[tuple[int, int], Outcome] = field(default_factory=dict)
    learnt: Counter[str] = field(default_factory=Counter)
    clean: dict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))


class EditMetrics:
    """Collector of `metrics.edits`, the results of the search's edits for each system.

    `distinct` counts failures with different final texts, and `turns` the turns with such failures. Neither counts
    failures that the context alone caused. Other rates count every attempt, except that `Table 4.7` counts only the
    last attempt at each turn, as the thesis does. `seeds` counts the correct answers before any edit. If inputs are
    held out, the figures come from testing, and `learning` states how much was tried before.
    """

    name = "edits"

    def __init__(self) -> None:
        self._counts: dict[str, _Counts] = defaultdict(_Counts)

    def __call__(self, event: Event) -> None:
        """Count a verdict."""
        if not isinstance(event, Verdict) or event.repeat or event.relation.name not in (RELATION, ANNOTATED):
            return
        counts = self._counts[event.system]
        if event.relation.name == ANNOTATED:
            counts.clean[event.source.id].append(event.outcome is Outcome.SATISFIED)
        elif event.part == "learning":
            counts.learnt[event.source.id] += 1
        else:
            self._count(counts, event)

    @staticmethod
    def _count(tested: _Counts, verdict: Verdict) -> None:
        """Count a verdict. Edits are counted only if the follow-up was asked.

        A failure that follows from an earlier turn (`inherited`) counts as no new text.
        """
        tested.outcomes[verdict.outcome] += 1
        tested.tried[verdict.source.id] += 1
        if verdict.episode is not None:
            tested.last[verdict.episode, verdict.turn] = verdict.outcome
        if verdict.action:
            tested.inertia.add(verdict.action)
        if verdict.group is None:  # the follow-up was not asked
            return
        [member] = verdict.group.members
        steps = verdict.derivation.steps if verdict.derivation else ()
        judged_turn = (verdict.turn,)
        families = {step.transformation for step in steps if step.turns in (None, judged_turn)} & set(USED)
        tested.synonyms |= {str(step.parameters["synonyms"]) for step in steps if "synonyms" in step.parameters}
        tested.used.update(families)
        if verdict.outcome is not Outcome.VIOLATED:
            return
        tested.failed.update(families)
        tested.inherited += bool(verdict.inherited)
        if not verdict.inherited:
            tested.texts.add((verdict.source.id, verdict.turn, "\n".join(member.asked.fields.values())))

    def metrics(self) -> dict[str, Any]:
        """Return the metrics as JSON data. Figures for testing are missing if the budget ran out before testing."""
        return {
            "systems": {system: _record(counts) for system, counts in self._counts.items()},
            "note": "a search looks for failures, so its rates do not estimate how often users meet one",
        }


def _record(counts: _Counts) -> dict[str, Any]:
    """Return the metrics of one system: the figures for testing, what was tried before, and the clean answers."""
    record = _figures(counts) if counts.tried else {}
    if counts.learnt:
        inputs = {"inputs": len(counts.learnt), "inputs tested": len(counts.tried)}
        record["learning"] = {"follow-ups": counts.learnt.total(), **inputs}
    if counts.clean:
        by_source = counts.clean.values()
        turns, right = sum(map(len, by_source)), sum(map(sum, by_source))
        seeds = {"inputs": len(by_source), "right at every turn": sum(map(all, by_source))}
        record["seeds"] = {
            **seeds,
            "turns": turns,
            "right turns": right,
            "joint goal accuracy": round(right / turns, 4),
        }
    return record


def _rates(outcomes: Counter[Outcome]) -> dict[str, float | None]:
    """Return the share of follow-ups that were judged, and the share of these that failed, if any was judged."""
    valid = outcomes[Outcome.SATISFIED] + outcomes[Outcome.VIOLATED]
    return {
        "valid rate": round(valid / outcomes.total(), 4),
        "failure rate": round(outcomes[Outcome.VIOLATED] / valid, 4) if valid else None,
    }


def _figures(tested: _Counts) -> dict[str, Any]:
    """Return the figures of one system, as described in `EditMetrics`. "from" and "to" bound "distinct per 1000"."""
    follow_ups = tested.outcomes.total()
    last = Counter(tested.last.values())
    # The thesis counts each place by its last verdict. If each has one only, that table repeats the rates.
    table = {"Table 4.7": {"places": len(tested.last), **_rates(last)}} if 0 < last.total() < follow_ups else {}
    inertia = tested.inertia.value
    distinct = Counter(source for source, _, _ in tested.texts)
    rate = violation_rate([(distinct[source], total) for source, total in tested.tried.items()])
    return {
        "follow-ups": follow_ups,
        **_rates(tested.outcomes),
        **table,
        "inherited": tested.inherited,
        "distinct": len(tested.texts),
        "turns": len({(source, turn) for source, turn, _ in tested.texts}),
        "distinct per 1000": round(1000 * len(tested.texts) / follow_ups, 1),
        "from": round(1000 * (rate.low or 0.0), 1),
        "to": round(1000 * (rate.high or 0.0), 1),
        "inertia": None if inertia is None else round(inertia, 4),
        "dimensions": tested.inertia.dimensions,
        "synonyms": ", ".join(sorted(tested.synonyms)) or None,
        "families": {
            name: {"used": tested.used[name], "failed": tested.failed[name]} for name in USED if tested.used[name]
        },
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class StateAccuracy:
    """Agreement between predicted and annotated states.

    Attributes:
        turns: number of turns compared.
        joint: share of turns whose state is correct in every slot (joint goal accuracy).
        slot: share of (turn, slot) pairs that are correct, including slots absent from both states.
        precision, recall, f1: computed over the (slot, value) pairs of all turns.
    """

    turns: int
    joint: float
    slot: float
    precision: float
    recall: float
    f1: float


def state_accuracy(
    pairs: Sequence[tuple[State, State]], *, normalisation: str = "usual", slots: Sequence[str] = SLOTS
) -> StateAccuracy:
    """Return the accuracy over pairs of (annotated, predicted) states.

    Slot accuracy covers `slots` and any other slots in the states.

    >>> figures = state_accuracy([({"a-day": "monday"}, {"a-day": "mon"}), ({}, {"a-day": "monday"})], slots=["a-day"])
    >>> figures.joint, figures.slot, figures.precision, figures.recall
    (0.5, 0.5, 0.5, 1.0)

    Raises:
        UsageError: no pairs are given, or the normalisation does not exist.
    """
    if not pairs:
        raise UsageError("no states to compare; expected at least one turn with an annotated state")
    right_turns = right_slots = all_slots = right_values = annotated_values = predicted_values = 0
    for annotated, predicted in pairs:
        wanted, answered = accepted_values(annotated, normalisation), accepted_values(predicted, normalisation)
        with_value = wanted.keys() | answered.keys()
        wrong, compared = len(differing_slots(annotated, predicted, normalisation)), len(with_value | set(slots))
        right_turns += not wrong
        all_slots += compared
        right_slots += compared - wrong
        right_values += len(with_value) - wrong
        annotated_values += len(wanted)
        predicted_values += len(answered)
    precision, recall = _share(right_values, predicted_values), _share(right_values, annotated_values)
    return StateAccuracy(
        turns=len(pairs),
        joint=right_turns / len(pairs),
        slot=_share(right_slots, all_slots),
        precision=precision,
        recall=recall,
        f1=2 * precision * recall / (precision + recall) if precision + recall else 0.0,
    )


def _share(part: int, whole: int) -> float:
    """Return part / whole, or 1 if `whole` is 0."""
    return part / whole if whole else 1.0
