"""Calculates the expected and the maximum number of questions that a source or a follow-up costs.

The plan adds up these costs, the progress bar shows how much of them remains, and a budget admits work only if its
maximum still fits. Retries of failed questions are not included, nor are questions from annotators or judges that
cannot give a maximum (`most_asked`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from mutatis.campaign.follow_up import annotators_of
from mutatis.campaign.observe import Target, indices, is_drawn, turns_asked
from mutatis.campaign.trajectory import MOST_STEPS
from mutatis.core.cases import Case, Step
from mutatis.core.measure import AsksHelper
from mutatis.core.relation import MetamorphicRelation
from mutatis.core.search import Proposal, Source
from mutatis.core.transformation import TRANSFORMATIONS, added_turns, asks_again, made_by

SOURCES, FOLLOW_UPS, HELPER = "source questions", "follow-up questions", "helper questions"
REPEATED = "sources asked again"
"""Kind of question: a source repeated during the search, because a judge that uses all replies has too few."""

BESIDE = "contexts told apart"
"""Kind of question: a violating turn is sent again in its edited context, without its own edits."""

STEPS = "steps with tools"
"""Kind of question: continues an answer with the results of tools.

One step per question is expected, with one call to the function of `[tools]` if there is one.
"""

REWRITTEN = 2
"""Maximum number of questions to the helper per text. A translation takes two, one in each direction."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Number of questions of each kind: the number expected if no follow-up is refused, and the maximum."""

    expected: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    most: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    def add(self, kind: str, expected: float, most: float | None = None) -> None:
        """Add questions of a kind. By default, the maximum equals the expected number."""
        self.expected[kind] += expected
        self.most[kind] += expected if most is None else most

    def include(self, other: Cost, number: float = 1) -> None:
        """Add the numbers of another cost, multiplied by `number`."""
        for kind, most in other.most.items():
            self.add(kind, number * other.expected[kind], number * most)

    def drop(self, *kinds: str) -> None:
        """Remove these kinds of question from the cost."""
        for kind in kinds:
            self.most.pop(kind, None)
            self.expected.pop(kind, None)

    def likely(self, share: float) -> Cost:
        """Return the cost with its expected numbers multiplied by `share`. The maximum stays the same."""
        return Cost(defaultdict(float, {kind: share * number for kind, number in self.expected.items()}), self.most)

    def all(self, *, steps: bool = True) -> int:
        """Return the maximum number of questions of all kinds. `steps=False` excludes tool steps."""
        return round(sum(most for kind, most in self.most.items() if steps or kind != STEPS))


@dataclass(frozen=True, slots=True, kw_only=True)
class Pricing:
    """Calculates the cost of the work in one run.

    Attributes:
        targets: the systems whose questions count.
        repeats: number of times that each input is sent in order to obtain verdicts.
        draws: number of times that an input is sent to determine the distribution of its answers.
    """

    targets: Sequence[Target]
    repeats: int = 1
    draws: int = 1

    @property
    def paid(self) -> Pricing:
        """The same pricing, but without systems whose answers are read from a file."""
        return replace(self, targets=[target for target in self.targets if not target.layer.free])

    def asked(self, source: Source) -> list[Target]:
        """Return the systems that a source is sent to."""
        return [target for target in self.targets if source.concerns(target.label)]

    def times(self, source: Source) -> int:
        """Return how many times a run sends a source, depending on the relations that judge its follow-ups."""
        return max(self.repeats, self.draws if any(map(is_drawn, source.relations)) else 1)

    def source(self, source: Source, kind: str = SOURCES, *, times: int | None = None) -> Cost:
        """Return the cost of sending a source unchanged.

        `times` is the number of times that it is sent, by default as often as the run does.
        """
        cost = Cost()
        for target in self.asked(source):
            cost.include(unchanged(target, source.case, self.times(source) if times is None else times, kind))
        return cost

    def follow_up(self, proposal: Proposal, relations: Iterable[MetamorphicRelation]) -> Cost:
        """Return the cost of a follow-up without its source. It is zero if no relation supports the language."""
        cost, case, derivation = Cost(), proposal.source.case, proposal.derivation
        judging = [relation for relation in relations if relation.knows(case.language, derivation.steps)]
        if proposal.looks or not judging:
            return cost
        systems = self.asked(proposal.source)
        times = len(indices(derivation, judging, repeats=self.repeats, draws=self.draws))
        repeats = 1 if asks_again(derivation) else self.repeats
        for target in systems:
            _add_sending(cost, proposal, target, times=times, repeats=repeats)
        if made_by(derivation.steps) == "language-model":
            texts = len(_edited(case, derivation.steps)) * max(1, len(derivation.variant))
            cost.add(HELPER, texts, texts * REWRITTEN)
        conditions = sum(p.needs_helper for relation in judging for p in relation.preconditions)
        if conditions:
            # Inputs are checked on each turn of the source, and answers at most on each turn of every follow-up sent.
            turns = len(case.asked)
            most = (2 * turns + more_turns(case, derivation.steps)) * repeats * max(1, len(systems))
            cost.add(HELPER, conditions * turns, conditions * most)
        return cost


def _add_sending(cost: Cost, proposal: Proposal, target: Target, *, times: int, repeats: int) -> None:
    """Add the cost of sending a follow-up to one system `times` times, of which `repeats` lead to verdicts."""
    case, steps = proposal.source.case, proposal.derivation.steps
    turns = len(turns_asked(case, proposal.turns, whole=target.layer.stateful))
    most = turns + more_turns(case, steps)
    cost.add(FOLLOW_UPS, times * turns, times * most)
    add_steps(cost, target.most_steps(case), times * turns, times * most)
    if _edits_context(steps):  # sent once more for each turn that violates
        judged = len(case.asked if proposal.turns is None else proposal.turns)
        per_violation = len(case.asked) if target.layer.stateful else 1
        cost.add(BESIDE, 0, repeats * judged * per_violation * (1 + target.most_steps(case)))


def unchanged(target: Target, case: Case, times: int, kind: str = SOURCES) -> Cost:
    """Return the cost of sending all turns of a case to one system, `times` times."""
    cost = Cost()
    cost.add(kind, times * len(case.asked))
    add_steps(cost, target.most_steps(case), times * len(case.asked))
    return cost


def annotated(relations: Iterable[MetamorphicRelation]) -> Cost:
    """Return the cost of determining the facts about a source that annotators need. This is done only once."""
    cost = Cost()
    for annotator in annotators_of(relations):
        if isinstance(annotator, AsksHelper):
            cost.add(HELPER, 0, annotator.most_asked(1))
    return cost


def add_steps(cost: Cost, steps: int, expected: float, most: float | None = None) -> None:
    """Add the tool steps that questions cause, at most `steps` per question."""
    if steps:
        cost.add(STEPS, expected * steps / MOST_STEPS, (expected if most is None else most) * steps)


def more_turns(case: Case, steps: Iterable[Step]) -> int:
    """Return the maximum number of turns that a follow-up adds.

    If it reorders rounds, it may also send each turn twice.
    """
    added = added_turns(steps)
    levels = {TRANSFORMATIONS[s.transformation].level for s in steps if s.transformation in TRANSFORMATIONS}
    return len(case.asked) + max(1, added) if "dialogue" in levels else added


def _edits_context(steps: Sequence[Step]) -> bool:
    """Return True if the steps edit different turns, so that a failure may be due to the edit of an earlier turn.

    The judged turn is then sent again without its own edits.
    """
    return len({step.turns for step in steps}) > 1 and all(step.turns is not None for step in steps)


def _edited(case: Case, steps: Iterable[Step]) -> set[int]:
    """Return the turns that a language model rewrites in these steps."""
    rewriting = [
        step
        for step in steps
        if step.transformation in TRANSFORMATIONS and TRANSFORMATIONS[step.transformation].made_by == "language-model"
    ]
    return {turn for step in rewriting for turn in (case.asked if step.turns is None else step.turns)}
