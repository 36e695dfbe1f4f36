"""Metamorphic relations: groups of observations, the condition on them, and when it applies.

A relation never asks a system. It is matched against follow-ups that have been made and asked once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import Any, Literal, Protocol, Self, get_args

from mutatis.core.cases import NEW, Case, Step, Turn
from mutatis.core.changes import Change
from mutatis.core.constraint import Constraint, Precondition
from mutatis.core.decision import Decision
from mutatis.core.errors import UsageError, check_word
from mutatis.core.languages import EVERY, Languages, check_languages, known_by_all, knows
from mutatis.core.measure import Comparison, Judge, Similarity
from mutatis.core.registry import Registry
from mutatis.core.removed import REMOVED_RELATIONS
from mutatis.core.system import Annotator, Response
from mutatis.core.task import TASKS
from mutatis.core.telling import in_general
from mutatis.core.transformation import KEEP_ROUNDS, RESTORE, TRANSFORMATIONS, MadeBy, made_by


class Grouping(StrEnum):
    """What one verdict covers: a follow-up turn and its source, or all versions of one source question."""

    PAIR = "pair"
    QUESTION = "question"


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """One turn of a case as a system answered it.

    `error` is why there is no usable response. `history` holds the answers to earlier turns. `role` is the part that
    matching assigned to it in a group. If `unrecorded`, the error is not a failure: no answer to this input was
    recorded. If `open`, it is not a failure, either: the answer may be incomplete. `questions` is how often the system
    was asked for it, more than once if it received results of tools.
    """

    case: Case
    turn: int
    response: Response | None = None
    error: str | None = None
    unrecorded: bool = False
    open: bool = False
    repeat: int = 0
    history: tuple[str, ...] = ()
    role: str = "follow-up"
    questions: int = 1

    @property
    def failed(self) -> bool:
        """Return True if the system failed to answer."""
        return self.error is not None and not (self.unrecorded or self.open)

    def playing(self, role: str) -> Observation:
        """Return the observation with a role in a group."""
        return self if self.role == role else replace(self, role=role)

    @property
    def asked(self) -> Turn:
        """The turn as put to the system."""
        return self.case.turns[self.turn]

    @property
    def answer(self) -> Any:
        """The answer for comparison: its parsed value, or else its text; empty if there is no answer."""
        if self.response is None:
            return ""
        return self.response.said if self.response.value is None else self.response.value

    @property
    def question(self) -> str:
        """The question or message, if the task has one, else nothing."""
        return self.asked.question


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A metamorphic group: the source observation and the follow-up observations judged together with it.

    `reference` holds the accepted answers to compare with: the annotated ones, or the system's own source answer.
    `directed` means that they are annotated.
    """

    source: Observation
    members: tuple[Observation, ...]
    reference: tuple[Any, ...] = ()
    directed: bool = False

    @property
    def question(self) -> str:
        """The source question."""
        return self.source.question

    def with_role(self, role: str) -> list[int]:
        """Return the indices of the members with this role."""
        return [i for i, member in enumerate(self.members) if member.role == role]


class OutputRelation(Protocol):
    """A condition on the answers of a group.

    Measuring is left to the engine, which does it for many groups at once. `comparisons` returns the pairs needed,
    `decide` turns their similarities into a decision; both are pure. The remaining attributes are optional. `finds` is
    the judgement behind its violations ("different" or "same"; None: no judge), whose expected precision is then
    reported. `expects_change`, if True, means that an unedited input breaks it by the same answer. `languages` are the
    languages of answers that it can read, by default all. `expects` is whether answers must stay the same or differ.
    `measure` names the measure that it needs instead of the task's. `in_words` and `for_readers` state the condition in
    reports and for readers of a blind sheet.
    """

    @property
    def name(self) -> str:
        """The name in configurations and reports."""

    def comparisons(self, group: Group) -> Sequence[Comparison]:
        """Return the pairs of answers to measure."""

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Decide on the group, given the similarities of its comparisons in the same order."""


SHRINKING = frozenset({RESTORE, KEEP_ROUNDS})
"""Steps whose only purpose is to make a follow-up smaller."""


Expects = Literal["same", "different", "other"]
"""The answers that a relation expects: the same meaning, a different one, or other (an image, a direction)."""

Reference = Literal["source", "annotated"]
Unchanged = Literal["invalid", "keep"]
Turns = Literal["all", "each"]


def _any_roles(_: Sequence[str]) -> bool:
    return True


def _always(_: Turn) -> str | None:
    return "follow-up"


@dataclass(frozen=True, slots=True, kw_only=True)
class Edits:
    """Where a relation's transformations are applied.

    Attributes:
        variants: fields to transform, per task, if the task's own combinations do not fit.
        turns: "all" perturbs every turn of a dialogue in one follow-up, "each" one turn at a time (texts only), after
            the unchanged earlier ones; shrinking keeps them, too.
        draws: how many random draws a plain run makes.
    """

    variants: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    turns: Turns = "all"
    draws: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Matching:
    """Which observations are judged together, and in which roles.

    Attributes:
        grouping: pair or question.
        when: role of a follow-up turn in this relation's groups, or None; pure. By default every turn that came from a
            source turn; if the answer has to change, only the edited ones.
        annotator: adds the facts that `when` matches on.
        needs: minimum number of members per role.
        suits: for question groups, whether the roles of all versions of a question fit this relation.
    """

    grouping: Grouping = Grouping.PAIR
    when: Callable[[Turn], str | None] = _always
    annotator: Annotator | None = None
    needs: Mapping[str, int] = field(default_factory=lambda: {"follow-up": 1})
    suits: Callable[[Sequence[str]], bool] = _any_roles


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Follow-ups that a relation leaves undecided (INVALID), apart from those with a broken precondition.

    Attributes:
        constraints: properties of its source that a follow-up must keep.
        unchanged: "invalid" excludes follow-ups equal to their source, "keep" judges them.
        shows: fields that a prompt has to show, although they are not edited. If it does not, the question is asked for
            figures that depend on the answer, but nothing is judged.
        languages: the languages that it is for, if its parts would support more.
    """

    constraints: tuple[Constraint, ...] = ()
    unchanged: Unchanged = "invalid"
    shows: frozenset[str] = frozenset()
    languages: Languages = EVERY


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """Where a relation was published: its ids there ("llmorph/mr-5"), and the paper."""

    ids: tuple[str, ...] = ()
    paper: str = ""


_PARTS: Mapping[str, Any] = {"edits": Edits, "matching": Matching, "limits": Limits, "published": Published}
_PART_OF = {detail.name: part for part, kind in _PARTS.items() for detail in fields(kind)}
"""The part of a relation that each detail belongs to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetamorphicRelation:
    """A relation between the answers to a source and to its follow-ups.

    `MetamorphicRelation.of(...)` and `but(...)` take the details of its parts by name.

    Attributes:
        name: readable slug.
        transformations: a follow-up matches if each of its steps is accepted by one of these.
        edits: where they are applied.
        output_relation: the condition on the answers, with its measure, if not the task's, and its words.
        reference: "source" compares with the system's own source answer, "annotated" with the expected answers if the
            data have them.
        tasks: names of the tasks for which it makes sense.
        preconditions: without them it does not apply (INVALID); `limits` has further reasons.
        matching: which observations are judged together.
        tags: the words that `tag:NAME` selects by.
        change: the kind of change that its follow-ups make, for the table of changes tried.
        summary: the relation in one line.
        published: where it was published.

    Raises:
        UsageError: `grouping`, `reference`, `unchanged` or `turns` is not an allowed word, or a language does not
            exist.
    """

    name: str
    transformations: tuple[Step, ...]
    edits: Edits = Edits()
    output_relation: OutputRelation
    reference: Reference = "source"
    tasks: tuple[str, ...]
    preconditions: tuple[Precondition, ...] = ()
    limits: Limits = Limits()
    matching: Matching = Matching()
    tags: frozenset[str] = frozenset()
    change: Change | None = None
    summary: str = ""
    published: Published = Published()

    def __new__(cls, **values: Any) -> Self:
        """Create the relation. Attributes of earlier versions that moved into a part are rejected by name."""
        for name in values:
            if part := _PART_OF.get(name):
                told = f"it is a detail of {part!r}: write MetamorphicRelation.of({name}=...), or {part}=..."
                raise UsageError(f"a relation no longer has an attribute {name!r}; {told}")
        return object.__new__(cls)

    def __post_init__(self) -> None:
        for name, value, words in (
            ("grouping", self.matching.grouping, tuple(Grouping)),
            ("reference", self.reference, get_args(Reference)),
            ("unchanged", self.limits.unchanged, get_args(Unchanged)),
            ("turns", self.edits.turns, get_args(Turns)),
        ):
            check_word(f"relation {self.name!r}: {name}", value, words)
        languages = check_languages(f"relation {self.name!r}", self.limits.languages)
        object.__setattr__(self, "matching", replace(self.matching, grouping=Grouping(self.matching.grouping)))
        object.__setattr__(self, "limits", replace(self.limits, languages=languages))

    @classmethod
    def of(cls, **values: Any) -> MetamorphicRelation:
        """Create a relation, with the details of its parts given by name.

        >>> MetamorphicRelation.of(
        ...     name="x", transformations=(), output_relation=None, tasks=(), grouping="question", draws=2
        ... ).edits.draws
        2

        Raises:
            TypeError: the attribute does not exist.
        """
        parts: dict[str, dict[str, Any]] = {}
        for name in [name for name in values if name in _PART_OF]:
            parts.setdefault(_PART_OF[name], {})[name] = values.pop(name)
        return cls(**values, **{part: _PARTS[part](**details) for part, details in parts.items()})

    def but(self, **values: Any) -> MetamorphicRelation:
        """Return a copy of the relation with other values. Details of its parts are given by name."""
        changed: dict[str, Any] = {}
        for name, value in values.items():
            if part := _PART_OF.get(name):
                changed[part] = replace(changed.get(part, getattr(self, part)), **{name: value})
            else:
                changed[name] = value
        return replace(self, **changed)

    def __getattr__(self, name: str) -> Any:
        if part := _PART_OF.get(name):
            raise AttributeError(f"a relation's {name!r} is in its {part!r}: read relation.{part}.{name}")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def role_of(self, case: Case, turn: int, source: Case) -> str | None:
        """Return the role of a follow-up turn in this relation's groups, or None if it is not judged.

        An inserted turn has nothing to be compared with. If the answer has to change and `when` is the default, only
        turns affected by the edit are judged: the turn's own texts or, if the order of rounds was edited, the dialogue
        up to the turn.
        """
        origin = case.origin(turn)
        when = self.matching.when
        role = None if origin == NEW else when(case.turns[turn])
        if role is None or when is not _always or self.limits.unchanged == "keep" or not self._expects_change:
            return role
        levels = {TRANSFORMATIONS[step.transformation].level for step in self.transformations}
        first, before = (0, 0) if levels == {"dialogue"} else (turn, origin)
        asked = [question.fields for question in case.turns[first : turn + 1]]
        return role if asked != [question.fields for question in source.turns[before : origin + 1]] else None

    @property
    def _expects_change(self) -> bool:
        return bool(getattr(self.output_relation, "expects_change", False))

    @property
    def measure(self) -> str | None:
        """The measure that judges it, if not the task's."""
        return getattr(self.output_relation, "measure", None)

    @property
    def made_by(self) -> MadeBy:
        """What makes the follow-ups: a language model if any transformation needs one."""
        return made_by(self.transformations)

    @property
    def says(self) -> str:
        """Its edit and the condition on the answers, in one line; only the summary if that states both."""
        step = self.transformations[0]
        described = TRANSFORMATIONS[step.transformation].summary
        value = self.summary.removeprefix(described)  # a relation of a family names its parameter's value there
        if not self.summary.startswith(described) or value[:2] not in ("", " ("):
            return self.summary.rstrip(".")
        must_hold = getattr(self.output_relation, "in_words", "")
        return ": ".join(part for part in (in_general(step) + value, must_hold) if part)

    @property
    def expects(self) -> Expects:
        """What it demands of the answers; "other" if its output relation does not define this."""
        return getattr(self.output_relation, "expects", "other")

    @property
    def capability(self) -> str:
        """The capability that it tests, from its first transformation: "typing noise", "memory", ..."""
        return TRANSFORMATIONS[self.transformations[0].transformation].capability

    @property
    def needs_helper(self) -> bool:
        """Return True if a helper is needed: for follow-ups, preconditions, annotations or the judgement."""
        return (
            self.made_by == "language-model"
            or bool(getattr(self.output_relation, "needs_helper", False))
            or any(precondition.needs_helper for precondition in self.preconditions)
            or bool(getattr(self.matching.annotator, "needs_helper", False))
        )

    @property
    def known_languages(self) -> Languages:
        """The languages that all its parts support: transformations, output relation, preconditions, annotator."""
        edits = (TRANSFORMATIONS[step.transformation].everywhere for step in self.transformations)
        return known_by_all([*self._judging_languages, *edits])

    @property
    def _judging_languages(self) -> tuple[Languages, ...]:
        others = (self.output_relation, self.matching.annotator)
        return (
            self.limits.languages,
            *(precondition.languages for precondition in self.preconditions),
            *(getattr(part, "languages", EVERY) for part in others),
        )

    def knows(self, language: str, steps: Sequence[Step]) -> bool:
        """Return True if it judges follow-ups made by these steps from a case in this language."""
        return all(knows(part, language) for part in self._judging_languages) and all(
            knows(TRANSFORMATIONS[step.transformation].everywhere, language)
            for step in steps
            if step.transformation not in SHRINKING
        )

    def is_for(self, language: str) -> bool:
        """Return True if it judges any follow-up of a case in this language."""
        return any(self.knows(language, [step]) for step in self.transformations)

    def variants_of(self, case: Case) -> tuple[tuple[str, ...], ...]:
        """Return the combinations of fields to transform in a source case; a single empty one for dialogue orders.

        Combinations with a field that the case lacks are left out. If none remains, because a classifier's data have
        fields of their own such as title and body, the result is all fields of the case together.
        """
        if all(TRANSFORMATIONS[step.transformation].level in ("dialogue", "case") for step in self.transformations):
            return self.edits.variants.get(case.task, ((),))
        fields = case.turns[0].fields
        chosen = self.edits.variants.get(case.task, TASKS[case.task].variants)
        fitting = tuple(variant for variant in chosen if all(name in fields for name in variant))
        return fitting or (tuple(fields),)

    def accepts(self, steps: Sequence[Step]) -> bool:
        """Return True if a follow-up made by `steps` belongs to this relation. Steps added by shrinking are ignored."""
        made = False
        for step in steps:  # loops: every relation of a run is asked about every follow-up
            if step.transformation in SHRINKING:
                continue
            for allowed in self.transformations:
                if allowed.transformation == step.transformation and allowed.accepts(step):
                    break
            else:
                return False
            made = True
        return made


ATTRIBUTES = frozenset({*MetamorphicRelation.__dataclass_fields__, *_PART_OF} - {*_PARTS})
"""The arguments of `MetamorphicRelation.of`."""

RELATIONS: Registry[MetamorphicRelation] = Registry("relation", removed=REMOVED_RELATIONS)
