"""Metamorphic relations: groups of answers, the condition on them, and when the condition applies.

A relation never queries a system. Follow-ups are made and sent once, and are then matched with relations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import Any, Literal, Protocol, Self, TypeAlias, get_args

from mutatis.core.cases import NEW, Case, Step, Turn
from mutatis.core.constraint import Constraint, Precondition
from mutatis.core.decision import Decision
from mutatis.core.errors import UsageError, check_word
from mutatis.core.languages import ENGLISH, EVERY, Languages, check_languages, known_by_all, knows
from mutatis.core.measure import Comparison, Judge, Similarity
from mutatis.core.registry import Registry
from mutatis.core.removed import REMOVED_RELATIONS
from mutatis.core.system import Annotator, Response
from mutatis.core.task import TASKS
from mutatis.core.telling import in_general
from mutatis.core.transformation import KEEP_ROUNDS, RESTORE, TRANSFORMATIONS, MadeBy, made_by

Change: TypeAlias = Literal[
    "value", "unit", "form", "limit", "negation", "list", "order", "pair", "conversation", "name", "noise", "wording",
    "pressure",
]  # fmt: skip
CHANGES: tuple[Change, ...] = get_args(Change)
OTHER_CHANGE = "other"
"""Heading for the count of follow-ups whose relation has no kind of change."""


class Grouping(StrEnum):
    """The scope of one verdict: a follow-up turn and its source, or all versions of one source question."""

    PAIR = "pair"
    QUESTION = "question"


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """One turn of a case, with a system's answer to it.

    `error` is the reason for the lack of a usable response. `unrecorded` and `open` mark errors that are not failures
    of the system: no answer to this input was recorded, or the answer may be incomplete. `history` holds the answers to
    earlier turns. `role` is the turn's role in a group, assigned by matching. `questions` counts the requests sent for
    this turn, which may be several if the system called tools.
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
        """Return True if the answer is missing because the system failed."""
        return self.error is not None and not (self.unrecorded or self.open)

    def playing(self, role: str) -> Observation:
        """Return the observation with this role in a group."""
        return self if self.role == role else replace(self, role=role)

    @property
    def asked(self) -> Turn:
        """The turn as put to the system."""
        return self.case.turns[self.turn]

    @property
    def answer(self) -> Any:
        """The answer used in comparisons: its parsed value, or else its text. Empty if there is no answer."""
        if self.response is None:
            return ""
        return self.response.said if self.response.value is None else self.response.value

    @property
    def question(self) -> str:
        """The question or message of the turn, or "" if the task has neither."""
        return self.asked.question


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A metamorphic group: one source observation, and the follow-up observations that are judged with it.

    `reference` holds the accepted answers to compare with. They are annotated answers if `directed` is true, or else
    the system's own answer to the source.
    """

    source: Observation
    members: tuple[Observation, ...]
    reference: tuple[Any, ...] = ()
    directed: bool = False

    @property
    def question(self) -> str:
        """The question of the source."""
        return self.source.question

    @property
    def language(self) -> str:
        """The language code of the source, which is English by default."""
        return self.source.case.language or ENGLISH[0]

    @property
    def response(self) -> Response | None:
        """The system's response to the first follow-up, or None."""
        return self.members[0].response if self.members else None

    @property
    def reply(self) -> str:
        """The answer to the first follow-up as text."""
        return str(self.members[0].answer)

    @property
    def replies(self) -> tuple[str, str]:
        """The first accepted answer, usually the source's, and the answer to the first follow-up, as texts."""
        return str(self.reference[0]), self.reply

    def recorded(self, name: str) -> Any:
        """Return the annotation with this name that the edit left on the first follow-up's turn, or None."""
        return self.members[0].asked.annotations.get(name) if self.members else None

    def with_role(self, role: str) -> list[int]:
        """Return the indices of the members with this role."""
        return [i for i, member in enumerate(self.members) if member.role == role]


class OutputRelation(Protocol):
    """A condition on the answers of a group.

    `comparisons` returns the pairs of answers to be measured, and `decide` turns their similarities into a decision.
    Both are pure. The engine measures the pairs of many groups at once. All other attributes are optional:

    * `finds`: the judgement behind its violations ("different" or "same"), whose expected precision is then reported;
      None if no judge is involved.
    * `expects_change`: True if repeating the same answer to an unedited input violates the condition.
    * `expects`: whether answers must stay the same or differ.
    * `languages`: the languages of answers that it can read; the default is all.
    * `measure`: the measure that it needs instead of the task's.
    * `in_words` and `for_readers`: the condition in words, for reports and for human readers of a blind sheet.
    """

    @property
    def name(self) -> str:
        """The name of the output relation in configurations and reports."""

    def comparisons(self, group: Group) -> Sequence[Comparison]:
        """Return the pairs of answers to be compared."""

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Return the decision on a group, given the similarities of its comparisons in the same order."""


SHRINKING = frozenset({RESTORE, KEEP_ROUNDS})
"""Names of the transformations whose only purpose is to make a follow-up smaller."""


Expects = Literal["same", "different", "other"]
"""What a relation expects of the answers: the same meaning, a different one, or "other" (such as a direction)."""

Reference = Literal["source", "annotated"]
Unchanged = Literal["invalid", "keep"]
Turns = Literal["all", "each"]


def _any_roles(_: Sequence[str]) -> bool:
    return True


def _always(_: Turn) -> str | None:
    return "follow-up"


@dataclass(frozen=True, slots=True, kw_only=True)
class Edits:
    """Settings for where, and how often, a relation's transformations are applied.

    Attributes:
        variants: combinations of fields to transform, per task, if the task's own combinations are not suitable.
        turns: "all" edits every turn of a dialogue in one follow-up. "each" edits one turn at a time and leaves the
            earlier turns unchanged; shrinking keeps these turns, too. "each" is for edits of texts only.
        draws: number of random draws in a run without a search.
    """

    variants: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    turns: Turns = "all"
    draws: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Matching:
    """Rules that decide which observations are judged together, and their roles.

    Attributes:
        grouping: pair or question.
        when: pure function that returns the role of a follow-up turn in this relation's groups, or None. By default,
            every turn with a source turn takes part; if the answer has to change, only the edited turns.
        annotator: adds the facts that `when` needs.
        needs: minimum number of members per role.
        suits: for question groups, returns True if the roles of all versions of a question fit this relation.
    """

    grouping: Grouping = Grouping.PAIR
    when: Callable[[Turn], str | None] = _always
    annotator: Annotator | None = None
    needs: Mapping[str, int] = field(default_factory=lambda: {"follow-up": 1})
    suits: Callable[[Sequence[str]], bool] = _any_roles


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Conditions, in addition to a relation's preconditions, that a follow-up must meet to be judged (else INVALID).

    Attributes:
        constraints: properties of the source that a follow-up must keep.
        unchanged: "invalid" excludes follow-ups that equal their source, "keep" judges them.
        shows: fields that the prompt has to show although they are not edited. If the prompt does not show them, the
            question is still sent for statistics, but nothing is judged.
        languages: the languages that the relation is meant for, if its parts support more.
    """

    constraints: tuple[Constraint, ...] = ()
    unchanged: Unchanged = "invalid"
    shows: frozenset[str] = frozenset()
    languages: Languages = EVERY


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """Where a relation was published: its ids ("llmorph/mr-5") and the paper."""

    ids: tuple[str, ...] = ()
    paper: str = ""


_PARTS: Mapping[str, Any] = {"edits": Edits, "matching": Matching, "limits": Limits, "published": Published}
_PART_OF = {detail.name: part for part, kind in _PARTS.items() for detail in fields(kind)}
"""For each detail of a relation, the name of the part that it belongs to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetamorphicRelation:
    """A relation between the answers to a source and to its follow-ups.

    `MetamorphicRelation.of(...)` and `but(...)` also accept the attributes of its parts (`edits`, `matching`, ...) by
    name.

    Attributes:
        name: readable slug.
        transformations: the accepted steps. A follow-up matches if each of its steps is accepted by one of them.
        edits: where the transformations are applied.
        output_relation: the condition on the answers. It may name a measure of its own and describe itself in words.
        reference: "source" compares with the system's own answer to the source, "annotated" with the expected answers
            if the data provides them.
        tasks: names of the tasks that the relation makes sense for.
        preconditions: conditions without which the relation does not apply (INVALID); `limits` has further ones.
        matching: which observations are judged together.
        tags: words that select the relation as `tag:NAME`.
        change: kind of change that its follow-ups make, for the table of changes tried.
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
        """Create the relation. Raise UsageError for an attribute of an earlier version that now belongs to a part."""
        for name in values:
            if part := _PART_OF.get(name):
                remedy = f"it is a detail of {part!r}: write MetamorphicRelation.of({name}=...), or {part}=..."
                raise UsageError(f"a relation no longer has an attribute {name!r}; {remedy}")
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
        """Create a relation. Attributes of its parts may be given directly, by name.

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
        """Return a copy of the relation with some values replaced. Attributes of its parts may be given by name."""
        changed: dict[str, Any] = {}
        for name, value in values.items():
            if part := _PART_OF.get(name):
                changed[part] = replace(changed.get(part, getattr(self, part)), **{name: value})
            else:
                changed[name] = value
        return replace(self, **changed)

    def __getattr__(self, name: str) -> Any:
        if part := _PART_OF.get(name):
            raise AttributeError(f"a relation no longer has an attribute {name!r}; read relation.{part}.{name}")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def role_of(self, case: Case, turn: int, source: Case) -> str | None:
        """Return the role of a follow-up turn in this relation's groups, or None if the turn is not judged.

        An inserted turn is not judged, because there is nothing to compare it with. If the answer has to change and
        `when` is the default, only turns affected by the edit are judged. A turn is affected if its text changed or, if
        the relation only reorders rounds, if the dialogue up to it changed.
        """
        origin = case.origin(turn)
        when = self.matching.when
        role = None if origin == NEW else when(case.turns[turn])
        expects_change = getattr(self.output_relation, "expects_change", False)
        if role is None or when is not _always or self.limits.unchanged == "keep" or not expects_change:
            return role
        levels = {TRANSFORMATIONS[step.transformation].level for step in self.transformations}
        whole = levels == {"dialogue"}
        asked = case.turns[0 if whole else turn : turn + 1]
        asked_in_source = source.turns[0 if whole else origin : origin + 1]
        is_affected = [turn.fields for turn in asked] != [turn.fields for turn in asked_in_source]
        return role if is_affected else None

    @property
    def measure(self) -> str | None:
        """The name of the measure that judges this relation, or None for the task's measure."""
        return getattr(self.output_relation, "measure", None)

    @property
    def made_by(self) -> MadeBy:
        """How the follow-ups are made: by a language model if any transformation needs one, else by functions."""
        return made_by(self.transformations)

    @property
    def says(self) -> str:
        """A one-line description of the edit and of the condition on the answers.

        If the relation's summary covers both, the summary is used.
        """
        step = self.transformations[0]
        described = TRANSFORMATIONS[step.transformation].summary
        value = self.summary.removeprefix(described)  # a relation of a family names its parameter's value there
        if not self.summary.startswith(described) or value[:2] not in ("", " ("):
            return self.summary.rstrip(".")
        must_hold = getattr(self.output_relation, "in_words", "")
        return ": ".join(part for part in (in_general(step) + value, must_hold) if part)

    @property
    def expects(self) -> Expects:
        """The expected effect on the answers; "other" if the output relation does not define one."""
        return getattr(self.output_relation, "expects", "other")

    @property
    def capability(self) -> str:
        """The capability that this relation tests, taken from its first transformation, such as "typing noise"."""
        return TRANSFORMATIONS[self.transformations[0].transformation].capability

    @property
    def needs_helper(self) -> bool:
        """Return True if a helper model is needed for follow-ups, preconditions, annotations or the output relation."""
        return (
            self.made_by == "language-model"
            or bool(getattr(self.output_relation, "needs_helper", False))
            or any(precondition.needs_helper for precondition in self.preconditions)
            or bool(getattr(self.matching.annotator, "needs_helper", False))
        )

    @property
    def known_languages(self) -> Languages:
        """The languages that every part of the relation supports, including its transformations and its annotator."""
        edits = (TRANSFORMATIONS[step.transformation].languages for step in self.transformations)
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
        """Return True if this relation can judge follow-ups made by these steps from a case in this language."""
        return all(knows(part, language) for part in self._judging_languages) and all(
            knows(TRANSFORMATIONS[step.transformation].languages, language)
            for step in steps
            if step.transformation not in SHRINKING
        )

    def is_for(self, language: str) -> bool:
        """Return True if this relation can judge any follow-up of a case in this language."""
        return any(self.knows(language, [step]) for step in self.transformations)

    def variants_of(self, case: Case) -> tuple[tuple[str, ...], ...]:
        """Return the combinations of fields to transform in a source case.

        For edits of whole dialogues, the only combination is empty. Combinations with a field that the case lacks are
        left out. If none remains, all fields of the case form one combination. This happens, for example, if the data
        of a classifier has fields of its own, such as title and body.
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
"""The names of the arguments that `MetamorphicRelation.of` accepts."""

RELATIONS: Registry[MetamorphicRelation] = Registry("relation", removed=REMOVED_RELATIONS)
