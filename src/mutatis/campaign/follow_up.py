"""Making one follow-up: what must hold before, deriving it, what must hold after, annotating it."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from dataclasses import dataclass, field

from mutatis.core.cases import Case
from mutatis.core.constraint import Evidence, Precondition, Stage
from mutatis.core.errors import OfflineMiss, SystemFailure, UnusableFollowUp
from mutatis.core.relation import MetamorphicRelation, Observation
from mutatis.core.search import Proposal
from mutatis.core.system import Annotator, Helper
from mutatis.core.transformation import derive
from mutatis.search.once import variants


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a relation says nothing about a follow-up: INVALID with a precondition, or ERROR (`failed`)."""

    reason: str
    precondition: str | None = None
    failed: bool = False
    unchanged: bool = False


@dataclass(slots=True, kw_only=True)
class FollowUp:
    """A proposal on its way: the relations it concerns, the derived case, and who refused it.

    `refusals` holds the relations (by name) that reject the follow-up as a whole.
    """

    proposal: Proposal
    relations: tuple[MetamorphicRelation, ...]
    case: Case | None = None
    refusals: dict[str, Refusal] = field(default_factory=dict)

    @property
    def alive(self) -> list[MetamorphicRelation]:
        """The relations that have not rejected the follow-up."""
        return [relation for relation in self.relations if relation.name not in self.refusals]

    def refuse(self, relations: Iterable[MetamorphicRelation], refusal: Refusal) -> None:
        """Note that these relations reject the follow-up."""
        for relation in relations:
            self.refusals.setdefault(relation.name, refusal)


def concerned(proposal: Proposal) -> tuple[MetamorphicRelation, ...]:
    """Return the relations of the seed that judge this proposal."""
    seed, plan = proposal.seed, proposal.plan
    return tuple(
        relation
        for relation in seed.relations
        if relation.accepts(plan.steps) and plan.variant in variants(relation, seed)
    )


class Maker:
    """Makes follow-ups; the same proposal always gives the same one."""

    def __init__(self, *, seed: int, helper: Helper | None) -> None:
        self._seed = seed
        self._helper = helper

    async def check_source(self, follow_up: FollowUp) -> None:
        """Refuse for the relations whose preconditions on the source input hold on no turn."""
        case = follow_up.proposal.seed.case
        for relation in follow_up.alive:
            broken = None
            for turn in case.asked:
                broken = await self.broken(relation, Stage.SOURCE_INPUT, follow_up, Observation(case=case, turn=turn))
                if broken is None:
                    break
            if broken is not None:
                follow_up.refuse([relation], broken)

    async def broken(
        self, relation: MetamorphicRelation, stage: Stage, follow_up: FollowUp, observation: Observation
    ) -> Refusal | None:
        """Return the first precondition of `stage` that does not hold on an observation, or None."""
        for precondition in relation.preconditions:
            if precondition.stage is not stage:
                continue
            try:
                holds = await self._check(precondition, follow_up, observation)
            except (SystemFailure, OfflineMiss) as error:
                return Refusal(reason=f"precondition {precondition.name!r}: {error}", failed=True)
            if not holds:
                name = f"{stage.value}: {precondition.name}"
                return Refusal(reason=f"precondition not met on the {name}", precondition=name)
        return None

    async def _check(self, precondition: Precondition, follow_up: FollowUp, observation: Observation) -> bool:
        evidence = Evidence(
            task=follow_up.proposal.seed.task,
            case=observation.case,
            turn=observation.case.turns[observation.turn],
            fields=follow_up.proposal.plan.variant,
            response=observation.response,
            helper=self._helper,
        )
        result = precondition.check(evidence)
        return await result if inspect.isawaitable(result) else bool(result)

    async def make(self, follow_up: FollowUp) -> None:
        """Derive the case, check constraints and preconditions on it, and annotate it for the relations left."""
        source = follow_up.proposal.seed.case
        try:
            case = await derive(source, follow_up.proposal.plan, seed=self._seed, helper=self._helper)
        except UnusableFollowUp as error:
            name = f"{Stage.FOLLOW_UP_INPUT.value}: usable"
            follow_up.refuse(follow_up.alive, Refusal(reason=str(error), precondition=name))
            return
        except (SystemFailure, OfflineMiss) as error:
            follow_up.refuse(follow_up.alive, Refusal(reason=str(error), failed=True))
            return
        follow_up.case = case
        self._check_unchanged(follow_up, source, case)
        for relation in follow_up.alive:
            for constraint in relation.constraints:
                if not constraint.check(source, case):
                    refusal = Refusal(
                        reason=f"constraint not met: {constraint.name}", precondition=f"constraint: {constraint.name}"
                    )
                    follow_up.refuse([relation], refusal)
        await self._check_input(follow_up, case)
        follow_up.case = await self._annotate(follow_up, source, case)

    @staticmethod
    def _check_unchanged(follow_up: FollowUp, source: Case, case: Case) -> None:
        if case.same_input(source):
            strict = [relation for relation in follow_up.alive if relation.unchanged == "invalid"]
            name = f"{Stage.FOLLOW_UP_INPUT.value}: changed"
            follow_up.refuse(
                strict, Refusal(reason="the follow-up equals its source", precondition=name, unchanged=True)
            )

    async def _check_input(self, follow_up: FollowUp, case: Case) -> None:
        for relation in follow_up.alive:
            for turn in case.asked:
                observation = Observation(case=case, turn=turn)
                broken = await self.broken(relation, Stage.FOLLOW_UP_INPUT, follow_up, observation)
                if broken is not None:
                    follow_up.refuse([relation], broken)
                    break

    async def _annotate(self, follow_up: FollowUp, source: Case, case: Case) -> Case:
        annotators: dict[int, tuple[Annotator, list[MetamorphicRelation]]] = {}
        for relation in follow_up.alive:
            if relation.annotator is not None:
                annotators.setdefault(id(relation.annotator), (relation.annotator, []))[1].append(relation)
        for annotator, relations in annotators.values():
            try:
                case = case.annotated(list(await annotator.annotate(source, case, self._helper)))
            except (SystemFailure, OfflineMiss) as error:
                follow_up.refuse(relations, Refusal(reason=f"{annotator.name}: {error}", failed=True))
        return case
