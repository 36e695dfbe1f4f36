"""Encodes a search's moves at one place as a vector of numbers from 0 to 1: edits of six families, or relations.

A vector has a block per arm: the arm's importance first, then its parameters. Arms are the six families of edits,
several of which can be combined, or a relation on a variant with its strength and draw, one at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

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
from mutatis.rltest4chatbot.actions import FAMILIES, ActionSpace, perform
from mutatis.rltest4chatbot.edits import Validity, edit_rates

DRAWS = 8
"""Number of random draws that a relation's parameter `draw` distinguishes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A place to try an edit: a turn of a source, and the facts available there.

    Attributes:
        variant: the fields that are edited.
        context: the earlier turns of user and service, with earlier edits.
        clean: per system, the features of the clean answer; empty if unknown.
        episode: number of sources begun before; `passes`, how often this one was.
        scored: whether the turn is judged; otherwise it is only edited as context of later turns.
        tries: number of moves tried here before, in this episode.
        before: the steps of the last try; a search that adds to them stays at its place.
    """

    source: Source
    turn: int
    variant: tuple[str, ...]
    context: tuple[str, ...] = ()
    clean: tuple[Reading, ...] = ()
    episode: int = 0
    passes: int = 0
    scored: bool = True
    tries: int = 0
    before: tuple[Step, ...] = ()

    @property
    def text(self) -> str:
        """The clean text of the edited fields, one per line."""
        fields = self.source.case.turns[self.turn].fields
        return "\n".join(fields[name] for name in self.variant if name in fields)

    @property
    def turns(self) -> tuple[int, ...] | None:
        """The turn that steps at this place change, or None for a case that has only one turn."""
        return (self.turn,) if len(self.source.case.turns) > 1 else None

    @property
    def key(self) -> str:
        """The key of the place."""
        return f"{self.source.task}/{self.source.case.question}/{self.turn}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A move at a place: steps, and the vector from which they were decoded, if any."""

    steps: tuple[Step, ...]
    variant: tuple[str, ...]
    draw: int = 0
    vector: tuple[float, ...] = ()


def action_of(space: Space, site: Site, move: Move) -> tuple[float | None, ...]:
    """Return a move's vector with None for numbers that have no effect at its place; () without a vector.

    Searches write arbitrary values there, random numbers or zeros. Comparisons of their spread ignore these.
    """
    return tuple(
        number if matters else None for number, matters in zip(move.vector, space.mask(site), strict=bool(move.vector))
    )


class Space(Protocol):
    """The moves that a search may make; see the module."""

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the arms."""

    @property
    def blocks(self) -> tuple[slice, ...]:
        """Return the slice of a vector for each arm, which holds its importance and then its parameters."""

    @property
    def size(self) -> int:
        """Return the number of dimensions of a vector."""

    @property
    def combined(self) -> int:
        """Return the maximum number of arms that a move combines."""

    def variants(self, source: Source) -> tuple[tuple[str, ...], ...]:
        """Return the combinations of fields that may be changed in a source; empty if there are none."""

    def open(self, site: Site) -> tuple[bool, ...]:
        """Return, for each arm, whether it is possible at a place."""

    def mask(self, site: Site) -> tuple[bool, ...]:
        """Return, for each dimension, whether it matters at a place."""

    def move(self, site: Site, vector: Sequence[float]) -> Move:
        """Decode a vector into a move at a place."""

    def broken(self, site: Site, steps: Sequence[Step]) -> str | None:
        """Return why steps at a place would be refused without asking a system, or None."""


def _joined(blocks: Iterable[int]) -> tuple[slice, ...]:
    slices, start = [], 0
    for length in blocks:
        slices.append(slice(start, start + length))
        start += length
    return tuple(slices)


@dataclass(frozen=True, kw_only=True)
class EditSpace:
    """Up to k of the six families of edits, each repeated. Edits too large for `validity` are refused."""

    actions: ActionSpace = field(default_factory=ActionSpace)
    validity: Validity = field(default_factory=Validity)
    names: tuple[str, ...] = tuple(FAMILIES)

    @cached_property
    def blocks(self) -> tuple[slice, ...]:
        """The slice of each family in the vector."""
        return tuple(self.actions.blocks.values())

    @property
    def size(self) -> int:
        """Dimensions of the vector."""
        return self.actions.size

    @property
    def combined(self) -> int:
        """Maximum number of families that are combined."""
        return self.actions.combined

    def variants(self, source: Source) -> tuple[tuple[str, ...], ...]:
        """Return the fields that the source's relations change, if they accept the families."""
        steps = [Step(transformation=name) for name in FAMILIES]
        possible = {v: None for r in source.relations if r.accepts(steps) for v in r.variants_of(source.case)}
        return tuple(possible)

    def open(self, site: Site) -> tuple[bool, ...]:
        """Return True for every family, because all of them are possible everywhere."""
        return (True,) * len(self.names)

    def mask(self, site: Site) -> tuple[bool, ...]:
        """Return, for each dimension, whether it matters.

        Slots beyond the number of repetitions that the text allows do not.
        """
        return self.actions.mask(site.text)

    def move(self, site: Site, vector: Sequence[float]) -> Move:
        """Turn a vector into edits. If it triggers no edit, the move changes nothing."""
        action = self.actions.decode([round(float(number), 4) for number in vector])  # records that people can read
        steps = self.actions.steps(action, site.text, turns=site.turns)
        language = site.source.case.language
        steps = tuple(s for s in steps if knows(TRANSFORMATIONS[s.transformation].everywhere, language)) or steps
        idle = Step(transformation=NO_CHANGE, turns=site.turns)
        return Move(steps=steps or (idle,), variant=site.variant, vector=self.actions.encode(action))

    def broken(self, site: Site, steps: Sequence[Step]) -> str | None:
        """Return the bound that the edits of a place break, in words, or None."""
        turn = site.source.case.turns[site.turn]
        values = turn.annotations.get("protected", {})
        made = [
            perform(turn.fields[name], [s for s in steps if s.transformation != NO_CHANGE], values)
            for name in site.variant
        ]
        stages = ("\n".join(getattr(edited, stage) for edited in made) for stage in ("source", "after_words", "final"))
        return self.validity.broken(edit_rates(*stages))


@dataclass(frozen=True, kw_only=True)
class RelationSpace:
    """One relation on one variant at a time, with a strength up to the relation's own, and a draw."""

    arms: tuple[tuple[MetamorphicRelation, tuple[str, ...]], ...]
    combined: int = 1

    @classmethod
    def of(cls, sources: Iterable[Source]) -> RelationSpace:
        """Return the space of all relations of the sources that judge one changed text at a time.

        Raises:
            UsageError: there is no such relation.
        """
        arms: dict[tuple[str, tuple[str, ...]], tuple[MetamorphicRelation, tuple[str, ...]]] = {}
        for source in sources:
            for relation in filter(_edits_texts, source.relations):
                for variant in relation.variants_of(source.case):
                    arms.setdefault((relation.name, variant), (relation, variant))
        if not arms:
            raise UsageError(
                "a search over relations needs a relation that changes texts and judges pairs; this run has none"
            )
        return cls(arms=tuple(arms.values()))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Each arm's relation and variant."""
        return tuple(f"{relation.name}/{'+'.join(variant)}" for relation, variant in self.arms)

    @cached_property
    def blocks(self) -> tuple[slice, ...]:
        """Slices for the importance, strength and draw of each arm."""
        return _joined(3 for _ in self.arms)

    @property
    def size(self) -> int:
        """Dimensions of the vector."""
        return 3 * len(self.arms)

    def variants(self, source: Source) -> tuple[tuple[str, ...], ...]:
        """Return the fields of the first possible arm, although each move names its own."""
        return next((relation.variants_of(source.case) for relation in filter(_edits_texts, source.relations)), ())

    def open(self, site: Site) -> tuple[bool, ...]:
        """Return which arms are relations of the source for its language, or for any language if there are none."""
        case = site.source.case
        variants = {relation.name: relation.variants_of(case) for relation in site.source.relations}
        possible = tuple(variant in variants.get(relation.name, ()) for relation, variant in self.arms)
        known = tuple(
            is_own and relation.knows(case.language, relation.transformations)
            for is_own, (relation, _) in zip(possible, self.arms, strict=True)
        )
        return known if any(known) else possible

    def mask(self, site: Site) -> tuple[bool, ...]:
        """Return which dimensions matter: those of possible arms."""
        return tuple(is_open for is_open in self.open(site) for _ in range(3))

    def move(self, site: Site, vector: Sequence[float]) -> Move:
        """Return the follow-up made by the most important possible arm."""
        possible = [place for place, is_open in enumerate(self.open(site)) if is_open]
        best = max(possible, key=lambda place: (vector[3 * place], -place))
        relation, variant = self.arms[best]
        _, strength, draw = (min(1.0, max(0.0, float(number))) for number in vector[self.blocks[best]])
        number = min(int(draw * DRAWS), DRAWS - 1)
        chosen = relation.transformations[number % len(relation.transformations)]
        step = Step(transformation=chosen.transformation, parameters=with_strength(chosen, strength), turns=site.turns)
        return Move(steps=(step,), variant=variant, draw=number, vector=tuple(map(float, vector)))

    def broken(self, site: Site, steps: Sequence[Step]) -> str | None:
        """Return None, since relations refuse follow-ups themselves."""
        return None


def _edits_texts(relation: MetamorphicRelation) -> bool:
    levels = {TRANSFORMATIONS[step.transformation].level for step in relation.transformations}
    return (
        relation.matching.grouping is Grouping.PAIR
        and not levels & {"dialogue", "case"}
        and relation.made_by == "function"
    )


def with_strength(step: Step, strength: float) -> Mapping[str, object]:
    """Return all parameters of a step at a strength from 0 to 1.

    At 1 they are those of the relation's own follow-ups, which readers judged. Numbers that the relation leaves open
    decrease from there to their lowest value.

    >>> import mutatis.transformations
    >>> [with_strength(Step(transformation="upper-case"), s)["share"] for s in (0.0, 0.5, 1.0)]
    [0.0, 0.5, 1.0]
    """
    chosen = TRANSFORMATIONS[step.transformation]
    complete = chosen.complete(dict(step.parameters))
    for declared in chosen.parameters:
        if declared.name not in step.parameters and _is_number(declared):
            low, strength_now = float(declared.low or 0.0), float(complete[declared.name])
            value = low + strength * (strength_now - low)
            complete[declared.name] = round(value) if declared.type is int else value
    return complete


def _is_number(declared: Parameter) -> bool:
    return declared.type in (int, float) and declared.low is not None and not declared.choices
