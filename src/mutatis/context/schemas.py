"""Answers expected from a language model at each extraction step, as pydantic models.

Their JSON schemas are sent to the helper.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Name = Annotated[str, Field(min_length=1, max_length=400)]
Text = Annotated[str, Field(max_length=8_000)]
Pair = Annotated[list[Name], Field(min_length=2, max_length=2)]


class HelperAnswer(BaseModel):
    """Base class of all answers. Unknown keys are ignored, and values are not converted between types."""

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True)


class Statement(HelperAnswer):
    """One round as a plain statement."""

    round: int
    statement: Text


class Statements(HelperAnswer):
    """Step 1: a declarative statement per round."""

    rounds: list[Statement]


class Topic(HelperAnswer):
    """Step 2: the topic of the dialogue."""

    topic: Name


class Types(HelperAnswer):
    """Step 3: entity types."""

    types: Annotated[list[Name], Field(min_length=1, max_length=40)]


class Entity(HelperAnswer):
    """One entity of the graph."""

    name: Name
    type: Text = ""
    description: Text = ""


class Relation(HelperAnswer):
    """One relation of the graph."""

    source: Name
    target: Name
    description: Text = ""


class Graph(HelperAnswer):
    """Step 4: entities and relations."""

    entities: list[Entity]
    relations: list[Relation] = []


class ClearRound(HelperAnswer):
    """One round without ellipsis."""

    round: int
    question: Text
    answer: Text = ""


class ClearRounds(HelperAnswer):
    """Step 5: question decontextualisation per round."""

    rounds: list[ClearRound]


class RoundUse(HelperAnswer):
    """The entities and relations that one round uses."""

    round: int
    explicit: list[Name] = []
    question: list[Name] = []
    answer: list[Name] = []
    question_relations: list[Pair] = []
    answer_relations: list[Pair] = []


class RoundUses(HelperAnswer):
    """Step 6: the dialogue-round graph."""

    rounds: list[RoundUse]


class Canonical(HelperAnswer):
    """Step 7: the meaning of an unseen name."""

    kind: Literal["alias", "group", "new"]
    members: list[Name] = []
    type: Text = ""
