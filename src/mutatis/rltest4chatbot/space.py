"""Encodes what a search may do at one turn (a move) as a vector of numbers from 0 to 1.

A vector has a block for each arm, with the arm's importance followed by its parameters. The arms are either the six
families of edits, which can be combined, or the run's relations, which are used one at a time with a strength and a
draw.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, chain
from typing import Any, TypeAlias

from mutatis.extending import (
    NO_CHANGE,
    TRANSFORMATIONS,
    Grouping,
    MetamorphicRelation,
    Parameter,
    Reading,
    Source,
    Step,
    UsageError,
    knows,
)
from mutatis.rltest4chatbot.actions import FAMILIES, Action, perform
from mutatis.rltest4chatbot.edits import Validity, edit_rates

DRAWS = 8
"""Number of random draws among which a move can choose."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A place to try an edit: a turn of a source, with everything that is known about it.

    Attributes:
        variant: the fields that are edited.
        clean: for each system, the features of the answer before any edit; empty if unknown.
        episode: number of sources begun before this one.
        tries: number of moves already tried here in this episode.
        before: the steps of the last try. Some searches add further steps.
    """

    source: Source
    turn: int
    variant: tuple[str, ...]
    clean: tuple[Reading, ...] = ()
    episode: int = 0
    tries: int = 0
    before: tuple[Step, ...] = ()

    @property
    def scored(self) -> bool:
        """True if the turn is judged. Otherwise, it is only edited as context for later turns."""
        return self.turn in self.source.case.asked

    @property
    def context(self) -> str:
        """The earlier turns of user and service before any edit, as one text."""
        earlier = self.source.case.turns[: self.turn]
        return " ".join(text for before in earlier for text in (*before.fields.values(), before.reply or ""))

    @property
    def text(self) -> str:
        """The text of the edited fields before any edit, one field per line."""
        fields = self.source.case.turns[self.turn].fields
        return "\n".join(fields[name] for name in self.variant if name in fields)

    @property
    def turns(self) -> tuple[int, ...] | None:
        """The turn that the steps of a move are applied to, as a tuple, or None if the case has only one turn."""
        return (self.turn,) if len(self.source.case.turns) > 1 else None

    @property
    def key(self) -> str:
        """Key of the place where an edit is tried, which consists of its task, question and turn."""
        return f"{self.source.task}/{self.source.case.question}/{self.turn}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """An edit to try at a turn: its steps, and the vector that they were decoded from, if any."""

    steps: tuple[Step, ...]
    variant: tuple[str, ...]
    draw: int = 0
    vector: tuple[float, ...] = ()


def action_of(space: Space, site: Site, move: Move) -> tuple[float | None, ...]:
    """Return a move's vector with None for numbers that have no effect at its turn, or () if it has no vector.

    Searches set these numbers arbitrarily, so comparisons of moves must ignore them.
    """
    return tuple(
        number if matters else None for number, matters in zip(move.vector, space.mask(site), strict=bool(move.vector))
    )


MAX_REPETITIONS, SHARE = 5, 0.25
"""Repetitions of each family that fit into a vector, and the share of a text's words that one family may edit."""


@dataclass(frozen=True, kw_only=True)
class EditSpace:
    """Moves that combine up to k of the six families of edits, each with repetitions.

    Edits that are too large for `validity` are rejected.

    Attributes:
        combined: maximum number of families that one move may use (k).
        fixed: parameters of families that are not part of the vector ("protect", "model", "vectors").
    """

    combined: int = 6
    fixed: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    validity: Validity = field(default_factory=Validity)
    names: tuple[str, ...] = tuple(FAMILIES)

    def __post_init__(self) -> None:
        if not 1 <= self.combined <= len(FAMILIES):
            raise UsageError(f"an action combines 1 to {len(FAMILIES)} families; got {self.combined}")

    @cached_property
    def blocks(self) -> tuple[slice, ...]:
        """The slice of an action's vector that belongs to each family of edits."""
        lengths = [1 + MAX_REPETITIONS * (1 + len(parameters)) for parameters in FAMILIES.values()]
        return tuple(slice(end - length, end) for length, end in zip(lengths, accumulate(lengths), strict=True))

    @property
    def size(self) -> int:
        """Number of dimensions of the vector that encodes a move: 116 with five repetitions."""
        return int(self.blocks[-1].stop)

    def variants(self, source: Source) -> tuple[tuple[str, ...], ...]:
        """Return the fields that can be edited: the fields of the relations that accept the six families of edits."""
        steps = [Step(transformation=name) for name in FAMILIES]
        accepting = [relation for relation in source.relations if relation.accepts(steps)]
        return tuple(dict.fromkeys(variant for relation in accepting for variant in relation.variants_of(source.case)))

    def open(self, site: Site) -> tuple[bool, ...]:
        """Return True for every family of edits, because they can all be used everywhere."""
        return (True,) * len(self.names)

    def mask(self, site: Site) -> tuple[bool, ...]:
        """Return one flag per dimension of the vector that is true if the dimension has an effect.

        Repetitions beyond the number allowed for the text have no effect.
        """
        allowed = self.repetitions(site.text)
        has_effect: list[bool] = []
        for parameters in FAMILIES.values():
            width = 1 + len(parameters)  # a trigger and the parameters
            has_effect += [True, *(number < allowed for number in range(MAX_REPETITIONS) for _ in range(width))]
        return tuple(has_effect)

    def decode(self, vector: Sequence[float]) -> Action:
        """Decode a vector into an action.

        Numbers are clipped to [0, 1], and values of 0.5 or above switch triggers on.
        """
        if len(vector) != self.size or any(math.isnan(number) for number in vector):
            raise UsageError(
                f"an action has {self.size} numbers from 0 to 1; got {len(vector)} values, or values that are not "
                "numbers"
            )
        action = {}
        for (name, parameters), block in zip(FAMILIES.items(), self.blocks, strict=True):
            numbers = [min(1.0, max(0.0, float(number))) for number in vector[block]]
            triggers = slice(1, None, 1 + len(parameters))
            numbers[triggers] = [float(number >= 0.5) for number in numbers[triggers]]
            action[name] = tuple(numbers)
        return action

    def repetitions(self, text: str) -> int:
        """Return how often one family may edit a text (m).

        This is a quarter of the number of words, but at least 1 and at most `MAX_REPETITIONS`.

        >>> [EditSpace().repetitions("word " * count) for count in (0, 1, 8, 11, 60)]
        [1, 1, 2, 2, 5]
        """
        return min(MAX_REPETITIONS, max(1, int(SHARE * len(text.split()))))

    def steps(self, action: Action, text: str, *, turns: tuple[int, ...] | None = None) -> tuple[Step, ...]:
        """Return the steps of an action on a text, with word edits first.

        Only the `combined` families with the highest importance are used. The importance of a family is the share of
        the allowed repetitions that it may use, rounded up. Of these repetitions, only triggered ones become steps:
        `(0.5, 1, 0.2, 0, 0.7)` is an importance and two repetitions of a trigger and one parameter.
        """
        allowed = self.repetitions(text)
        chosen = sorted(FAMILIES, key=lambda name: -action[name][0])[: self.combined]
        steps = []
        for name in (name for name in FAMILIES if name in chosen):  # words before characters
            importance, *repetitions = action[name]
            width = 1 + len(FAMILIES[name])  # a trigger and the parameters
            used = math.ceil(importance * allowed - 1e-9)  # a rounding error must not add a repetition
            for start in range(0, used * width, width):
                trigger, *numbers = repetitions[start : start + width]
                if trigger:
                    parameters = {**dict(zip(FAMILIES[name], numbers, strict=True)), **self.fixed.get(name, {})}
                    steps.append(Step(transformation=name, parameters=parameters, turns=turns))
        return tuple(steps)

    def move(self, site: Site, vector: Sequence[float]) -> Move:
        """Decode a vector into edits. If none is triggered, the text stays unchanged."""
        action = self.decode([round(float(number), 4) for number in vector])  # rounded for readable records
        steps = self.steps(action, site.text, turns=site.turns)
        language = site.source.case.language
        # If no edit supports the language, the language is ignored.
        steps = tuple(s for s in steps if knows(TRANSFORMATIONS[s.transformation].languages, language)) or steps
        no_change = Step(transformation=NO_CHANGE, turns=site.turns)
        vector_used = tuple(chain.from_iterable(action.values()))
        return Move(steps=steps or (no_change,), variant=site.variant, vector=vector_used)

    def broken(self, site: Site, steps: Sequence[Step]) -> str | None:
        """Return a description of the size limit that these edits exceed, or None if they are small enough."""
        turn = site.source.case.turns[site.turn]
        values = turn.annotations.get("protected", {})
        edits = [step for step in steps if step.transformation != NO_CHANGE]
        edited = [perform(turn.fields[name], edits, values) for name in site.variant]
        rates = edit_rates(
            source="\n".join(field.source for field in edited),
            after_words="\n".join(field.after_words for field in edited),
            final="\n".join(field.final for field in edited),
        )
        return self.validity.broken(rates)


@dataclass(frozen=True, kw_only=True)
class RelationSpace:
    """Moves that use one relation at a time on one variant, which is a combination of fields to edit.

    Each move also has a draw, and a strength that is at most the relation's own.
    """

    arms: tuple[tuple[MetamorphicRelation, tuple[str, ...]], ...]
    combined: int = 1

    @classmethod
    def of(cls, sources: Iterable[Source]) -> RelationSpace:
        """Return the space of the sources' relations that edit texts and are judged on pairs of answers.

        Relations that change dialogues or cases as a whole are left out.

        Raises:
            UsageError: the run has no such relation.
        """
        arms: dict[tuple[str, tuple[str, ...]], tuple[MetamorphicRelation, tuple[str, ...]]] = {}
        for source in sources:
            for relation in filter(_edits_texts, source.relations):
                for variant in relation.variants_of(source.case):
                    arms.setdefault((relation.name, variant), (relation, variant))
        if not arms:
            raise UsageError(
                "a search over relations needs a relation that changes texts and judges pairs; this run has no such "
                "relation"
            )
        return cls(arms=tuple(arms.values()))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the arms. Each consists of a relation and the fields that it edits."""
        return tuple(f"{relation.name}/{'+'.join(variant)}" for relation, variant in self.arms)

    @cached_property
    def blocks(self) -> tuple[slice, ...]:
        """The slice of the vector for each arm: its importance, strength and draw."""
        return tuple(slice(start, start + 3) for start in range(0, self.size, 3))

    @property
    def size(self) -> int:
        """Number of dimensions of the vector that encodes a move."""
        return 3 * len(self.arms)

    def variants(self, source: Source) -> tuple[tuple[str, ...], ...]:
        """Return the combinations of fields that the source's first suitable relation may edit.

        Each move names the fields that it edits.
        """
        return next((relation.variants_of(source.case) for relation in filter(_edits_texts, source.relations)), ())

    def open(self, site: Site) -> tuple[bool, ...]:
        """Return one flag per arm that is true if its relation belongs to the source and supports its language.

        If none of the relations supports the language, the language is ignored.
        """
        case = site.source.case
        variants = {relation.name: relation.variants_of(case) for relation in site.source.relations}
        possible = tuple(variant in variants.get(relation.name, ()) for relation, variant in self.arms)
        known = tuple(
            is_own and relation.knows(case.language, relation.transformations)
            for is_own, (relation, _) in zip(possible, self.arms, strict=True)
        )
        return known if any(known) else possible

    def mask(self, site: Site) -> tuple[bool, ...]:
        """Return one flag per dimension of the vector that is true if its arm can be used at this turn."""
        return tuple(is_open for is_open in self.open(site) for _ in range(3))

    def move(self, site: Site, vector: Sequence[float]) -> Move:
        """Return the move that the vector encodes.

        It uses the most important of the arms that are available at this turn.
        """
        possible = [place for place, is_open in enumerate(self.open(site)) if is_open]
        best = max(possible, key=lambda place: (vector[3 * place], -place))
        relation, variant = self.arms[best]
        _, strength, draw = (min(1.0, max(0.0, float(number))) for number in vector[self.blocks[best]])
        number = min(int(draw * DRAWS), DRAWS - 1)
        chosen = relation.transformations[number % len(relation.transformations)]
        step = Step(transformation=chosen.transformation, parameters=with_strength(chosen, strength), turns=site.turns)
        return Move(steps=(step,), variant=variant, draw=number, vector=tuple(map(float, vector)))

    def broken(self, site: Site, steps: Sequence[Step]) -> str | None:
        """Return None, because the relations themselves check their follow-ups."""
        return None


Space: TypeAlias = EditSpace | RelationSpace
"""The moves that a search may make. The docstring of this module describes their encoding."""


def _edits_texts(relation: MetamorphicRelation) -> bool:
    levels = {TRANSFORMATIONS[step.transformation].level for step in relation.transformations}
    return (
        relation.matching.grouping is Grouping.PAIR
        and not levels & {"dialogue", "case"}
        and relation.made_by == "function"
    )


def with_strength(step: Step, strength: float) -> Mapping[str, object]:
    """Return all parameters of a step at a strength from 0 to 1.

    Strength 1 gives the parameters of the relation's own follow-ups, which readers judged. At a lower strength, numeric
    parameters that the relation does not set are closer to their minimum.

    >>> import mutatis.transformations
    >>> [with_strength(Step(transformation="upper-case"), s)["share"] for s in (0.0, 0.5, 1.0)]
    [0.0, 0.5, 1.0]
    """
    chosen = TRANSFORMATIONS[step.transformation]
    complete = chosen.complete(dict(step.parameters))
    for declared in chosen.parameters:
        if declared.name not in step.parameters and _is_number(declared):
            low, at_full_strength = float(declared.low or 0.0), float(complete[declared.name])
            value = low + strength * (at_full_strength - low)
            complete[declared.name] = round(value) if declared.type is int else value
    return complete


def _is_number(declared: Parameter) -> bool:
    return declared.type in (int, float) and declared.low is not None and not declared.choices
