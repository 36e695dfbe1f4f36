"""Test cases: the questions for a system, and a record of how each follow-up was derived from its source.

All classes are frozen. Mappings are immutable by convention; `mutatis.testing` checks that transformations comply.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from mutatis.core.calls import ToolCall, json_material
from mutatis.core.gathering import present
from mutatis.core.languages import is_english

NEW = -1
"""Origin of a turn that was inserted and therefore has no source turn."""

_ENCODER = json.JSONEncoder(sort_keys=True, ensure_ascii=False, default=list)
"""A shared encoder, because `json.dumps` would create a new one with these options on every call."""

NAMES = "names"
"""Turn annotation: names of products and similar things in the turn, spelt as they are there."""

PRODUCTS = "products"
"""Turn annotation: each product named in the turn, with other products of the same origin that may replace it."""

EXPECTS = "expects"
"""Annotation of a follow-up turn whose correct answer is known from the way the turn was constructed.

Its value is the list of accepted answers. An empty list means that the question cannot be answered.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One question put to a system.

    Attributes:
        fields: input texts, keyed by the task's field names (`question`; `premise` and `hypothesis`; ...).
        expected: accepted answers if the data is annotated, else empty. Verdicts never depend on them.
        reply: a fixed system reply, as in a replayed dialogue; if None, the system's own answer is used.
        calls: the system's tool calls before its reply, with their results, if they are given or have been made.
        annotations: facts about the turn that relations use (answerable, protected spans, context, ...).
    """

    fields: Mapping[str, str]
    expected: tuple[str, ...] = ()
    reply: str | None = None
    annotations: Mapping[str, Any] = field(default_factory=dict)
    calls: tuple[ToolCall, ...] = ()

    @property
    def question(self) -> str:
        """The question or message of the turn, or ""."""
        return self.fields.get("question") or self.fields.get("message", "")

    @property
    def text(self) -> str:
        """The question or message of the turn, or else the first of its texts."""
        return self.question or next(iter(self.fields.values()), "")

    def to_record(self) -> dict[str, Any]:
        """Return the turn as JSON data, omitting absent parts."""
        return present(
            fields=dict(self.fields),
            expected=list(self.expected) or None,
            reply=self.reply,
            annotations=dict(self.annotations) or None,
            calls=[call.to_record() for call in self.calls] or None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One application of a transformation: its name, its parameters, and the turns it touches (None = all)."""

    transformation: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    turns: tuple[int, ...] | None = None

    @classmethod
    def of(cls, transformation: str, /, **parameters: Any) -> Step:
        """Create the step that applies a transformation with these parameters.

        >>> Step.of("word-drop", share=0.2)
        Step(transformation='word-drop', parameters={'share': 0.2}, turns=None)
        """
        return cls(transformation=transformation, parameters=parameters)

    def accepts(self, other: Step) -> bool:
        """Return True if `other` matches this step. A parameter that this step does not set matches any value."""
        return self.transformation == other.transformation and all(
            other.parameters.get(name) == value for name, value in self.parameters.items()
        )

    def to_record(self) -> dict[str, Any]:
        """Return the step as JSON data."""
        turns = None if self.turns is None else list(self.turns)
        return present(transformation=self.transformation, parameters=dict(self.parameters), turns=turns)

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Step:
        """Create a step from a record written by `to_record`."""
        turns = record.get("turns")
        return cls(
            transformation=record["transformation"],
            parameters=dict(record["parameters"]),
            turns=None if turns is None else tuple(turns),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Derivation:
    """A record of how a follow-up was made. Together with the run seed, it reproduces the follow-up exactly.

    Attributes:
        source: id of the source case.
        steps: transformations in the order they were applied.
        variant: the fields that were transformed; empty for transformations of the whole dialogue.
        draw: number of the random draw (0, 1, ...).
        origin: for each follow-up turn, the index of its source turn, or NEW.
    """

    source: str
    steps: tuple[Step, ...]
    variant: tuple[str, ...] = ()
    draw: int = 0
    origin: tuple[int, ...] = (0,)

    def to_record(self) -> dict[str, Any]:
        """Return the derivation as JSON data."""
        return {
            "source": self.source,
            "steps": [step.to_record() for step in self.steps],
            "variant": list(self.variant),
            "draw": self.draw,
            "origin": list(self.origin),
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Derivation:
        """Create a derivation from a record written by `to_record`."""
        return cls(
            source=record["source"],
            steps=tuple(Step.from_record(step) for step in record["steps"]),
            variant=tuple(record["variant"]),
            draw=record["draw"],
            origin=tuple(record["origin"]),
        )

    def digest(self) -> str:
        """Return eight hexadecimal digits that identify this derivation."""
        text = _ENCODER.encode(self.to_record())
        return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A source or follow-up test case. A single question is a dialogue of one turn.

    Attributes:
        id: readable name that is unique in a run; `<data name>/<record id>` for sources.
        turns: at least one turn.
        task: name of the case's task; empty until a reader or a run sets it.
        material: background of the whole dialogue (`story`, `title`, `schema`, ...), and also the `tools` that may be
            called and recorded `tool_results`. Structured data is kept as JSON text.
        ask_turns: indices of the turns put to the system; None means every turn.
        derivation: how the case was made from its source; None for a source.
        language: language code of the case's texts (`core.languages`); empty until a run or a reader sets it.
        key: identifies the question independently of its position in the data; see `question`. A follow-up has the key
            of its source. It is set by the run, which appends a number if several sources have the same question.
        parallel: identifies the question across languages. Cases that share it but differ in language are translations
            of each other. Empty if the data does not provide it.
        translations: the same question in the languages after its own in the fixed order of languages; set by the run.
    """

    id: str
    turns: tuple[Turn, ...]
    task: str = ""
    material: Mapping[str, str] = field(default_factory=dict)
    ask_turns: tuple[int, ...] | None = None
    derivation: Derivation | None = None
    language: str = ""
    key: str = ""
    parallel: str = ""
    translations: tuple[Case, ...] = ()

    def __post_init__(self) -> None:
        if self.material and not all(type(value) is str for value in self.material.values()):
            object.__setattr__(self, "material", json_material(self.material))

    @property
    def asked(self) -> tuple[int, ...]:
        """Indices of the turns that are put to the system."""
        return tuple(range(len(self.turns))) if self.ask_turns is None else self.ask_turns

    @property
    def question(self) -> str:
        """The identifier of the question: its key, or a hash of its content if no run has set a key.

        It seeds follow-ups and names findings, so these do not change if a record is moved or renamed.
        """
        return self.key or self.asked_hash()

    def asked_hash(self) -> str:
        """Return sixteen hexadecimal digits that identify the question: a hash of the original turns and the material.

        The hash excludes expected answers, annotations and the language, because these may be inferred from other
        cases.
        """
        turns = [[dict(turn.fields), turn.reply, [call.to_record() for call in turn.calls]] for turn in self.turns]
        text = _ENCODER.encode([turns, dict(self.material), self.ask_turns])
        return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()

    def origin(self, turn: int) -> int:
        """Return the index of the source turn that `turn` came from, or NEW. In a source, a turn is its own origin."""
        return self.derivation.origin[turn] if self.derivation else turn

    def same_input(self, other: Case) -> bool:
        """Return True if both cases present the same fields and material to a system, in the same order."""
        return (
            len(self.turns) == len(other.turns)
            and self.material == other.material
            and all(a.fields == b.fields for a, b in zip(self.turns, other.turns, strict=True))
        )

    def annotated(self, annotations: list[Mapping[str, Any]]) -> Case:
        """Return a copy of the case with annotations added to its turns, given as one mapping per turn."""
        turns = tuple(
            replace(turn, annotations={**turn.annotations, **extra})
            for turn, extra in zip(self.turns, annotations, strict=True)
        )
        return replace(self, turns=turns)

    def to_record(self) -> dict[str, Any]:
        """Return the case as JSON data, without its derivation."""
        return present(
            id=self.id,
            turns=[turn.to_record() for turn in self.turns],
            task=self.task or None,
            material=dict(self.material) or None,
            ask_turns=None if self.ask_turns is None else list(self.ask_turns),
            language=None if is_english(self.language) else self.language,
            key=self.key or None,
            parallel=self.parallel or None,
        )

    @classmethod
    def from_record(cls, record: Mapping[str, Any], derivation: Derivation | None = None) -> Case:
        """Create a case from a record written by `to_record`."""
        ask_turns = record.get("ask_turns")
        return cls(
            id=record["id"],
            turns=tuple(
                Turn(
                    fields=dict(turn["fields"]),
                    expected=tuple(turn.get("expected", ())),
                    reply=turn.get("reply"),
                    annotations=dict(turn.get("annotations", {})),
                    calls=tuple(ToolCall.from_record(call) for call in turn.get("calls", ())),
                )
                for turn in record["turns"]
            ),
            task=record.get("task", ""),
            material=dict(record.get("material", {})),
            ask_turns=None if ask_turns is None else tuple(ask_turns),
            derivation=derivation,
            language=record.get("language", ""),
            key=record.get("key", ""),
            parallel=record.get("parallel", ""),
        )
