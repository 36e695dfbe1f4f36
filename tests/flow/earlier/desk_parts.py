"""A plugin written against the documentation of commit b7d50608: a relation, a system, a measure and a data format.

It stays as it is: what it uses is what users' own files use.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import pydantic

from mutatis import (
    Case,
    Comparison,
    Conversation,
    Judge,
    Outcome,
    Precondition,
    Response,
    SystemFailure,
    Turn,
    UsageError,
    relation,
    transformation,
)
from mutatis.extending import (
    DATASETS,
    SYSTEMS,
    DataFile,
    DataOptions,
    Decision,
    Evidence,
    Group,
    Options,
    Similarity,
    UnusableFollowUp,
    measure,
    read_lines,
)

GREETINGS = ("Hello", "Good morning", "Hi there")


@transformation("desk-greeting", capability="manner of speaking", says="a greeting added")
def desk_greeting(text: str, rng: Random, *, shout: bool = False) -> str:
    """Put a greeting in front of the message."""
    greeting = rng.choice(GREETINGS)
    return f"{greeting.upper() if shout else greeting}! {text}"


@transformation("desk-twice", level="text")
def desk_twice(text: str) -> str:
    """Say the message twice."""
    if len(text) > 200:
        raise UnusableFollowUp("too long to be said twice")
    return f"{text} {text}"


@dataclass(frozen=True)
class AtMostTwiceAsLong:
    """A message said twice has a reply of at most twice the length."""

    name: str = "at-most-twice-as-long"

    def comparisons(self, group: Group) -> Sequence[Comparison]:
        return ()

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        [member] = group.members
        assert member.case.derivation.steps[0].transformation == "desk-twice"
        before, after = len(str(group.reference[0])), len(str(member.answer))
        held = after <= 2 * before
        reason = f"{before} letters became {after}"
        return Decision(outcome=Outcome.SATISFIED if held else Outcome.VIOLATED, score=float(after), reason=reason)


def has_words(evidence: Evidence) -> bool:
    return bool(evidence.response.text.strip())


@measure("desk-first-word", kinds=["text"])
def desk_first_word(first: str, second: str) -> float:
    """Whether both replies begin with the same word."""
    return float(first.split()[:1] == second.split()[:1])


@dataclass(kw_only=True)
class DeskSystem:
    label: str
    angry: bool

    @property
    def identity(self) -> Mapping[str, Any]:
        return {"type": "desk", "angry": self.angry}

    async def ask(self, conversation: Conversation) -> Response:
        text = conversation.fields.get("message", "")
        if not text:
            raise SystemFailure("nothing was asked")
        if self.angry and "hello" in text.lower():
            return Response(text="Come to the point.")
        topics = [topic for topic in ("price", "hours", "address") if topic in text.lower()]
        answers = {"price": "It costs 12 EUR.", "hours": "We open at 9:00.", "address": "Mill Lane 4."}
        return Response(text=" ".join(answers[topic] for topic in topics) or "Sorry, I did not understand.")


@SYSTEMS.register("desk")
class DeskOptions(Options):
    """A help desk that answers three questions."""

    angry: bool
    patience: float = pydantic.Field(default=0.5, gt=0, le=1)

    def build(self) -> DeskSystem:
        return DeskSystem(label="desk", angry=self.angry)


class LetterOptions(DataOptions):
    """Only letters of so many words or more."""

    least: int = pydantic.Field(default=1, ge=1)


@DATASETS.register("letters", task="chat", options=LetterOptions)
def letters(file: DataFile, options: LetterOptions) -> Iterator[Case]:
    """Messages, one per line, each behind a dash."""
    for number, line in read_lines(file.path, file.encoding):
        dash, _, text = line.partition(" ")
        if dash != "-" or not text:
            raise UsageError(f"{file.path}: line {number}: expected a dash and a text; found {line!r}")
        if len(text.split()) >= options.least:
            yield Case(id=file.id(number), turns=(Turn(fields={"message": text}),))


relation("desk-greeting", output_relation="equal", tasks=["chat"], summary="A greeting changes no answer.")
relation("desk-loud-greeting", transformations=["desk-greeting"], tasks=["chat"], tags=["desk"])
relation(
    "desk-twice",
    output_relation=AtMostTwiceAsLong(),
    tasks=["chat"],
    preconditions=[Precondition(name="the desk replies", stage="source output", check=has_words)],
)
