"""Makes one follow-up: checks its preconditions, derives it, checks its constraints and annotates it.

Relations that cannot use the follow-up refuse it on the way.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from mutatis.campaign.events import Event
from mutatis.core.cases import Case, Derivation
from mutatis.core.constraint import CAN_TELL, CONSTRAINT, RECORDED, Evidence, Precondition, Stage
from mutatis.core.decision import Decision, Outcome
from mutatis.core.dictionary import Dictionary, names_in
from mutatis.core.errors import ExtensionFailure, OfflineMiss, SystemFailure, UnusableFollowUp
from mutatis.core.languages import language_name
from mutatis.core.relation import MetamorphicRelation, Observation
from mutatis.core.search import Proposal
from mutatis.core.system import Annotator, Helper
from mutatis.core.transformation import derive, keeping
from mutatis.core.verdict import Verdict
from mutatis.guarding import Guarded
from mutatis.text.spans import restore_spans

Observations: TypeAlias = Mapping[int, Observation]
"""The answers to a case, by turn. Only turns that were asked are included."""

Answered: TypeAlias = Callable[[], Awaitable[Observations]]
"""Function that returns the answers of a system to the source, asking for them if necessary."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """The answers of one system to a follow-up and to its source.

    `vacuous` holds the turns of the follow-up that the system cannot distinguish from the source's turns.
    """

    system: str
    source: Observations
    follow_up: Observations
    repeat: int = 0
    vacuous: frozenset[int] = frozenset()


@dataclass(slots=True, kw_only=True)
class FollowUp:
    """A proposal on its way through the loop, with all its results so far.

    Attributes:
        relations: the relations that judge it.
        case: the derived and annotated case, if one could be made.
        answers: the answers per system and repeat.
        draws: further answers that only show the distribution. No verdicts are based on them.
        verdicts: the verdicts on its pairs and its refusals, in a fixed order.
        events: the events that it caused, which are sent to the listeners when its turn comes.
        asked_beside: number of questions asked because of it, besides the follow-up itself and its source.
        in_turn: True if its questions must be asked one at a time, because the budget may run out before the last one.
            The choice of questions must not depend on the speed of the answers.
        unjudged: for each relation that judges no answers of a queried system, the reason.
        left_out: verdicts that state why this version is missing from a question group; used only if no group is
            formed.
    """

    proposal: Proposal
    relations: tuple[MetamorphicRelation, ...]
    case: Case | None = None
    answers: list[Answers] = field(default_factory=list)
    draws: list[Answers] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    asked_beside: int = 0
    in_turn: bool = False
    unjudged: dict[tuple[str, str], Decision] = field(default_factory=dict)
    left_out: list[Verdict] = field(default_factory=list)
    _refusals: dict[tuple[str, str | None, int | None], Decision] = field(default_factory=dict)

    @property
    def source(self) -> Case:
        """The source case that the follow-up is derived from."""
        return self.proposal.source.case

    @property
    def alive(self) -> list[MetamorphicRelation]:
        """The relations that have not rejected the follow-up altogether."""
        if not self._refusals:  # nearly always, and it is asked at every step
            return list(self.relations)
        return [relation for relation in self.relations if (relation.name, None, None) not in self._refusals]

    def refuse(
        self,
        relations: Iterable[MetamorphicRelation],
        decision: Decision,
        *,
        system: str | None = None,
        turns: Sequence[int | None] = (None,),
    ) -> None:
        """Record why relations do not judge the follow-up at all, or a system's answers to certain source turns."""
        for relation in relations:
            for turn in turns:
                self._refusals.setdefault((relation.name, system, turn), decision)

    def refusal(self, relation: MetamorphicRelation, system: str, turn: int) -> Decision | None:
        """Return the reason why a relation does not judge a system's answer to a source turn, or None if it does."""
        whole = self._refusals.get((relation.name, None, None))
        return whole or self._refusals.get((relation.name, system, turn))

    def concerns(self, system: str) -> bool:
        """Return True if any relation still judges any answer of a system."""
        asked = self.source.asked
        return any(self.refusal(relation, system, turn) is None for relation in self.relations for turn in asked)

    def include(self, of_system: FollowUp) -> None:
        """Add the results of the same proposal, made anew for one system."""
        self.case = self.case or of_system.case
        self.answers += of_system.answers
        self.draws += of_system.draws
        self.events += of_system.events
        self.verdicts += of_system.verdicts
        self.left_out += of_system.left_out


def concerned(proposal: Proposal) -> tuple[MetamorphicRelation, ...]:
    """Return the relations of the source that judge this proposal."""
    source, derivation = proposal.source, proposal.derivation
    return tuple(
        relation
        for relation in source.relations
        if relation.accepts(derivation.steps) and derivation.variant in relation.variants_of(source.case)
    )


def annotators_of(relations: Iterable[MetamorphicRelation]) -> list[Annotator]:
    """Return the annotators of relations, each once. They are told apart by identity, because few are hashable."""
    annotators = [relation.matching.annotator for relation in relations if relation.matching.annotator is not None]
    return list({id(annotator): annotator for annotator in annotators}.values())


def is_helped(annotator: Annotator | None) -> bool:
    """Return True if an annotator needs a helper."""
    return bool(getattr(annotator, "needs_helper", False))


LANGUAGE = f"{Stage.SOURCE_INPUT.value}: language"
"""Name of the precondition of every follow-up that the relation supports the language of the case."""

SHOWN = f"{Stage.FOLLOW_UP_INPUT.value}: shown by the prompt"
"""Name of the precondition of every follow-up that the prompt shows the change to the system."""


def invalid(precondition: str, reason: str, *, unchanged: bool = False) -> Decision:
    """Return the decision for a relation that does not apply because the named precondition is not met."""
    return Decision(outcome=Outcome.INVALID, reason=reason, precondition=precondition, unchanged=unchanged)


def not_annotated(annotator: str) -> str:
    """Return the name of the precondition that fails if an annotator cannot determine the facts about an input."""
    return f"{Stage.FOLLOW_UP_INPUT.value}: {annotator}"


def error(reason: object) -> Decision:
    """Return the decision for a failure: ERROR, with its reason."""
    return Decision(outcome=Outcome.ERROR, reason=str(reason))


def missing(observation: Observation, stage: Stage, who: str) -> Decision:
    """Return the decision for a missing answer: ERROR if the system failed, otherwise INVALID."""
    reason = f"{who}: {observation.error}"
    if observation.failed:
        return error(reason)
    return invalid(CAN_TELL if observation.open else f"{stage.value}: {RECORDED}", reason)


class Maker:
    """Makes follow-ups. The same proposal and dictionaries always result in the same follow-up.

    `dictionaries` contain facts about the subjects of the systems. If a helper writes the text, it is given the names
    from the dictionaries that the text must keep. If it only `plans` a run, conditions that need a helper count as met.
    """

    def __init__(self, *, seed: int, helper: Helper | None, plans: bool = False) -> None:
        self._seed = seed
        self._helper = helper
        self._plans = plans
        self.dictionaries: Sequence[Dictionary] = ()

    async def check_source(self, follow_up: FollowUp) -> None:
        """Check the source, and refuse the follow-up for relations that cannot apply to it.

        These are relations that do not support its language, and those whose input preconditions fail in every turn.
        """
        case = follow_up.source
        steps = follow_up.proposal.derivation.steps
        foreign = [relation for relation in follow_up.relations if not relation.knows(case.language, steps)]
        if foreign:
            follow_up.refuse(foreign, invalid(LANGUAGE, f"not for {language_name(case.language)}"))
        for relation in follow_up.alive:
            broken = await self._broken_in_every_turn(relation, follow_up)
            if broken is not None:
                follow_up.refuse([relation], broken)

    async def _broken_in_every_turn(self, relation: MetamorphicRelation, follow_up: FollowUp) -> Decision | None:
        """Return the decision on the last turn of the source if no turn meets the input preconditions, else None."""
        broken, case = None, follow_up.source
        for turn in case.asked if relation.preconditions else ():
            broken = await self.broken(relation, Stage.SOURCE_INPUT, follow_up, Observation(case=case, turn=turn))
            if broken is None:
                return None
        return broken

    async def check_answers(
        self, follow_up: FollowUp, system: str, hidden: Collection[str], answered: Answered
    ) -> None:
        """Refuse a follow-up for a system if its prompt hides the change or a source answer breaks a precondition.

        `hidden` are the fields that the prompt does not show. The source is only sent if a relation has a precondition
        on it.
        """
        edited = follow_up.proposal.derivation.variant
        if edited and all(name in hidden for name in edited):
            unseen = invalid(SHOWN, f"the prompt does not show {', '.join(edited)}")
            follow_up.refuse(follow_up.alive, unseen, system=system, turns=follow_up.source.asked)
            return
        for relation in follow_up.alive:
            # The follow-up is still sent, because other relations may judge it.
            if lacking := relation.limits.shows.intersection(hidden):
                unseen = invalid(SHOWN, f"the prompt does not show {', '.join(sorted(lacking))}")
                follow_up.unjudged[relation.name, system] = unseen
        for relation in follow_up.alive:
            if any(p.stage in (Stage.SOURCE_OUTPUT, Stage.SOURCE_INPUT) for p in relation.preconditions):
                await self._check_turns(relation, follow_up, system, await answered())

    async def _check_turns(
        self, relation: MetamorphicRelation, follow_up: FollowUp, system: str, observations: Observations
    ) -> None:
        """Refuse the turns of the source that do not meet a relation's preconditions on input and answer."""
        needs_answer = any(p.stage is Stage.SOURCE_OUTPUT for p in relation.preconditions)
        for turn, observation in observations.items():
            broken = await self.broken(relation, Stage.SOURCE_INPUT, follow_up, observation)
            if broken is None and needs_answer:
                if observation.error is not None:
                    broken = missing(observation, Stage.SOURCE_INPUT, "source")
                else:
                    broken = await self.broken(relation, Stage.SOURCE_OUTPUT, follow_up, observation)
            if broken is not None:
                follow_up.refuse([relation], broken, system=system, turns=(turn,))

    async def broken(
        self, relation: MetamorphicRelation, stage: Stage, follow_up: FollowUp, observation: Observation
    ) -> Decision | None:
        """Return the decision for the first precondition of `stage` that an observation does not meet, or None."""
        for precondition in relation.preconditions:
            if precondition.stage is not stage or (self._plans and precondition.needs_helper):
                continue
            try:
                holds = await self._check(precondition, follow_up, observation)
            except ExtensionFailure as failure:
                return error(failure)
            except (SystemFailure, OfflineMiss) as failure:
                return error(f"precondition {precondition.name!r}: {failure}")
            if not holds:
                name = f"{stage.value}: {precondition.name}"
                return invalid(name, precondition.broken or f"precondition not met on the {name}")
        return None

    async def _check(self, precondition: Precondition, follow_up: FollowUp, observation: Observation) -> bool:
        """Return True if an observation meets a precondition, whose check may be a coroutine function."""
        evidence = Evidence(
            task=observation.case.task,
            case=observation.case,
            turn=observation.asked,
            fields=follow_up.proposal.derivation.variant,
            steps=follow_up.proposal.derivation.steps,
            response=observation.response,
            helper=self._helper,
        )
        with Guarded("precondition", precondition.name):
            result = precondition.check(evidence)
            if not inspect.isawaitable(result):
                return bool(result)
        with Guarded("precondition", precondition.name, awaited=True):
            return bool(await result)

    async def derived(self, source: Case, wanted: Derivation) -> Case:
        """Return the case that a derivation describes.

        Raises:
            ExtensionFailure: the transformation raised an unexpected exception. The errors of
                `core.transformation.derive` are passed on.
        """
        steps = " + ".join(step.transformation for step in wanted.steps)
        with Guarded("transformation", steps, awaited=True):
            return await derive(source, wanted, seed=self._seed, helper=self._helper, restore=restore_spans)

    async def make(self, follow_up: FollowUp) -> None:
        """Derive the case, check its constraints and preconditions, and annotate it for the relations that remain."""
        source = follow_up.source
        try:
            case = await self.derived(source, keeping(follow_up.proposal.derivation, self._names(source)))
        except UnusableFollowUp as unusable:
            follow_up.refuse(follow_up.alive, invalid(f"{Stage.FOLLOW_UP_INPUT.value}: usable", str(unusable)))
            return
        except (SystemFailure, OfflineMiss) as failure:
            follow_up.refuse(follow_up.alive, error(failure))
            return
        follow_up.case = case
        self._check_unchanged(follow_up, case)
        self._check_constraints(follow_up, case)
        await self._check_input(follow_up, case)
        follow_up.case = await self._annotate(follow_up, case)

    def _names(self, source: Case) -> Sequence[str]:
        """Return the names in a source that a helper must keep. The result is empty without a helper."""
        texts = [text for turn in source.turns for text in turn.fields.values()]
        return () if self._helper is None else names_in("\n".join(texts), self.dictionaries)

    @staticmethod
    def _check_unchanged(follow_up: FollowUp, case: Case) -> None:
        """Refuse a follow-up that equals its source, except for relations that judge such follow-ups as well."""
        source = follow_up.source
        if follow_up.proposal.turns is not None:  # what comes after the judged turn was left out and changes nothing
            source = replace(source, turns=source.turns[: len(case.turns)])
        if case.same_input(source):
            strict = [relation for relation in follow_up.alive if relation.limits.unchanged == "invalid"]
            name = f"{Stage.FOLLOW_UP_INPUT.value}: changed"
            follow_up.refuse(strict, invalid(name, "the follow-up equals its source", unchanged=True))

    @staticmethod
    def _check_constraints(follow_up: FollowUp, case: Case) -> None:
        """Refuse a follow-up for each relation with a constraint that it does not meet or that fails."""
        for relation in follow_up.alive:
            for constraint in relation.limits.constraints:
                try:
                    with Guarded("constraint", constraint.name):
                        holds = constraint.check(follow_up.source, case)
                except ExtensionFailure as failure:
                    follow_up.refuse([relation], error(failure))
                    continue
                if not holds:
                    broken = invalid(f"{CONSTRAINT}: {constraint.name}", f"constraint not met: {constraint.name}")
                    follow_up.refuse([relation], broken)

    async def _check_input(self, follow_up: FollowUp, case: Case) -> None:
        """Refuse a follow-up for each relation with an input precondition that one of its turns does not meet."""
        for relation in follow_up.alive:
            for turn in case.asked if relation.preconditions else ():
                observation = Observation(case=case, turn=turn)
                broken = await self.broken(relation, Stage.FOLLOW_UP_INPUT, follow_up, observation)
                if broken is not None:
                    follow_up.refuse([relation], broken)
                    break

    async def _annotate(self, follow_up: FollowUp, case: Case) -> Case:
        """Return the follow-up with the facts that its relations need. Relations whose annotator fails refuse it."""
        for annotator in annotators_of(follow_up.alive):
            if self._plans and is_helped(annotator):
                continue
            relations = [relation for relation in follow_up.alive if relation.matching.annotator is annotator]
            try:
                with Guarded("annotator", annotator.name, awaited=True):
                    case = case.annotated(list(await annotator.annotate(follow_up.source, case, self._helper)))
            except UnusableFollowUp as unusable:
                follow_up.refuse(relations, invalid(not_annotated(annotator.name), str(unusable)))
            except (SystemFailure, OfflineMiss) as failure:
                follow_up.refuse(relations, error(f"{annotator.name}: {failure}"))
        return case
