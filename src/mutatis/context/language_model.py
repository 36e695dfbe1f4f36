"""The extractor `language-model`: seven prompts that turn a dialogue into a knowledge graph (MORTAR).

Every answer is checked against its schema. A malformed answer is requested again at increasing temperatures. After a
limited number of attempts, ExtractionFailed is raised.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path
from string import Template
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mutatis.context.cues import self_resolved
from mutatis.context.decisions import KnowledgeJudge
from mutatis.context.knowledge import Dialogue, ExtractionFailed, Knowledge, Need
from mutatis.core.errors import AnswerCutOff, MalformedAnswer
from mutatis.core.languages import ENGLISH
from mutatis.core.system import Helper, is_constrained
from mutatis.prompting import instead, json_object, number_of, reject, ship, template

Name = Annotated[str, Field(min_length=1, max_length=400)]
Text = Annotated[str, Field(max_length=8_000)]
Pair = Annotated[list[Name], Field(min_length=2, max_length=2)]


class HelperAnswer(BaseModel):
    """Base class of the helper model's answers. Unknown keys are ignored, and values are not converted."""

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True)


class Statement(HelperAnswer):
    """One round of the dialogue, written as a plain statement."""

    round: int
    statement: Text


class Statements(HelperAnswer):
    """The model's answer in extraction step 1: one declarative statement per round."""

    rounds: list[Statement]


class Topic(HelperAnswer):
    """The model's answer in extraction step 2: the topic of the dialogue."""

    topic: Name


class Types(HelperAnswer):
    """The model's answer in extraction step 3: the types of entities in the dialogue."""

    types: Annotated[list[Name], Field(min_length=1, max_length=40)]


class Entity(HelperAnswer):
    """One entity of the knowledge graph."""

    name: Name
    type: Text = ""
    description: Text = ""


class Relation(HelperAnswer):
    """One relation between two entities of the knowledge graph."""

    source: Name
    target: Name
    description: Text = ""


class Graph(HelperAnswer):
    """The model's answer in extraction step 4: the entities and the relations between them."""

    entities: list[Entity]
    relations: list[Relation] = []


class ClearRound(HelperAnswer):
    """One round rewritten so that it can be understood without the others."""

    round: int
    question: Text
    answer: Text = ""


class ClearRounds(HelperAnswer):
    """The model's answer in extraction step 5: each round, with its question rewritten to need no context."""

    rounds: list[ClearRound]


class RoundUse(HelperAnswer):
    """The entities and relations that one round uses.

    Attributes:
        round: its number, from 1.
        explicit: the entities that the question names.
        question: the entities that the question is about, named or implied.
        answer: the entities in the answer.
        question_relations: the relations, as pairs of entities, that the question is about.
        answer_relations: the relations in the answer.
    """

    round: int
    explicit: list[Name] = []
    question: list[Name] = []
    answer: list[Name] = []
    question_relations: list[Pair] = []
    answer_relations: list[Pair] = []


class RoundUses(HelperAnswer):
    """The model's answer in extraction step 6: the entities and relations that each round uses."""

    rounds: list[RoundUse]


class Canonical(HelperAnswer):
    """The model's answer in extraction step 7: what a name that is not in the entity list stands for."""

    kind: Literal["alias", "group", "new"]
    members: list[Name] = []
    type: Text = ""


TEMPERATURES = (0.0, 0.3, 0.6, 0.9)
"""Temperatures of the attempts at one step, after which the dialogue is given up."""
UNSEEN_LIMIT = 60
"""Maximum number of unseen names that the model is asked about. Any further name becomes a new entity."""

A = TypeVar("A", bound=HelperAnswer)


PROMPTS = ship(Path(__file__).parent / "prompts", "extracts knowledge of a dialogue", "template")


_template = lru_cache(maxsize=16)(template)


@lru_cache(maxsize=16)
def _schema(answer: type[HelperAnswer]) -> dict[str, Any]:
    return answer.model_json_schema()


class LanguageModel:
    """The extractor `language-model`. It tries each step up to four times before it gives up on a dialogue."""

    name = "language-model"
    needs_helper = True
    languages = ENGLISH
    most_asked = len(TEMPERATURES) * (6 + UNSEEN_LIMIT)
    """Maximum number of prompts for one dialogue, if every step and every unlisted name needs all its attempts."""

    async def extract(self, dialogue: Dialogue, helper: Helper | None) -> KnowledgeJudge:
        """Return the judge for one dialogue. Raise ExtractionFailed if a step never gives a usable answer."""
        assert helper is not None, "ContextCheck.knowledge raises an error without a helper"
        return KnowledgeJudge(dialogue=dialogue, knowledge=await _Extraction(dialogue, helper).run())


class _Extraction:
    """The state of one dialogue during the seven extraction steps."""

    def __init__(self, dialogue: Dialogue, helper: Helper) -> None:
        self._dialogue = dialogue
        self._helper = helper
        self._types: list[str] = []
        self._entities: dict[str, Entity] = {}
        self._meaning: dict[str, tuple[str, ...]] = {}

    async def run(self) -> Knowledge:
        """Run the seven steps in order and return the resulting knowledge."""
        dialogue = self._dialogue
        rounds = [
            {"round": turn + 1, "question": question, "answer": answer}
            for turn, (question, answer) in enumerate(zip(dialogue.questions, dialogue.answers, strict=True))
        ]
        shown = {"title": dialogue.title, "section": dialogue.section, "rounds": rounds}
        head = {"dialogue": _json(shown), "count": str(len(rounds))}
        stated = await self._ask("declarative", Statements, head, rounds=True)
        statements = _json([stated_round.model_dump() for stated_round in stated.rounds])
        topic = (await self._ask("topic", Topic, {"statements": statements})).topic
        known = {"statements": statements, "topic": topic}
        self._types = list((await self._ask("types", Types, known)).types)
        graph = await self._ask("graph", Graph, {**known, "types": _json(self._types)})
        for entity in graph.entities:
            self._entities.setdefault(_key(entity.name), entity)
        clear = await self._ask("decontextualise", ClearRounds, {**head, "topic": topic}, rounds=True)
        uses = await self._uses(graph, clear, rounds)
        await self._canonicalise(graph, uses)
        return self._knowledge(uses)

    async def _uses(self, graph: Graph, clear: ClearRounds, rounds: Sequence[Mapping[str, Any]]) -> list[RoundUse]:
        """Ask the model which entities and relations each round uses."""
        listed = [
            {
                "round": row["round"],
                "asked": row["question"],
                "clear": clear_round.question,
                "answer": clear_round.answer or row["answer"],
            }
            for row, clear_round in zip(rounds, sorted(clear.rounds, key=lambda each: each.round), strict=True)
        ]
        values = {
            "entities": _json([entity.name for entity in graph.entities]),
            "relations": _json([[edge.source, edge.target] for edge in graph.relations]),
            "rounds": _json(listed),
            "count": str(len(rounds)),
        }
        uses = await self._ask("rounds", RoundUses, values, rounds=True)
        return sorted(uses.rounds, key=lambda use: use.round)

    async def _ask(self, step: str, schema: type[A], values: Mapping[str, str], *, rounds: bool = False) -> A:
        """Send the prompt of one step until the answer fits its schema.

        `rounds` requires exactly one entry per round.
        """
        file = PROMPTS / f"{step}.txt"
        asked_by: Template = instead(self._helper, file) or _template(file)
        # The mark delimits the values in the prompt. It is a hash of them, so that no value can contain it.
        prompt = asked_by.substitute(values, mark=number_of(asked_by.template, dict(values)))
        reason, form = "", _schema(schema)
        # The answer of a constrained model is stored with the form, so it is found again only with it.
        constraint: dict[str, Any] = {"form": form} if is_constrained(self._helper) else {}
        for attempt, temperature in enumerate(TEMPERATURES):
            sampling: dict[str, Any] = {"attempt": attempt, "temperature": temperature}
            try:
                value = await self._helper.complete(prompt, form, **sampling)
                answer = schema.model_validate(json_object(value) if isinstance(value, str) else value)
            except AnswerCutOff as error:
                reason = str(error)
                continue
            except (MalformedAnswer, ValidationError, ValueError) as error:
                reason = " ".join(str(error).split())[:200]
                reject(self._helper, prompt, f"step {step}: another form", **sampling, **constraint)
                continue
            numbers = sorted(part.round for part in getattr(answer, "rounds", []))
            if not rounds or numbers == list(range(1, len(self._dialogue) + 1)):
                return answer
            reason = f"rounds 1 to {len(self._dialogue)} were expected, each once; {len(numbers)} were given"
            reject(self._helper, prompt, f"step {step}: not one entry per round", **sampling, **constraint)
        raise ExtractionFailed(self._dialogue.id, step, len(TEMPERATURES), reason)

    async def _canonicalise(self, graph: Graph, uses: Sequence[RoundUse]) -> None:
        """Ask the model which entity each unlisted name stands for, once per name.

        Names beyond `UNSEEN_LIMIT` become entities of their own.
        """
        unlisted = self._unlisted(graph, uses)
        for name in unlisted[:UNSEEN_LIMIT]:
            listed = _json([entity.name for entity in self._entities.values()])
            values = {"types": _json(self._types), "entities": listed, "name": name}
            canonical = await self._ask("canonicalise", Canonical, values)
            members = tuple(_key(member) for member in canonical.members if _key(member) in self._entities)
            if canonical.kind == "new" or not members:
                self._entities[_key(name)] = Entity(name=name, type=canonical.type)
            else:
                self._meaning[_key(name)] = members
        for name in unlisted[UNSEEN_LIMIT:]:
            self._entities[_key(name)] = Entity(name=name, type="")

    def _unlisted(self, graph: Graph, uses: Sequence[RoundUse]) -> list[str]:
        """Return the names in the relations and the rounds that no listed entity has, each in one spelling."""
        named: dict[str, str] = {}
        for relation in graph.relations:
            named |= {_key(name): name for name in (relation.source, relation.target)}
        for use in uses:
            in_relations = chain.from_iterable([*use.question_relations, *use.answer_relations])
            for name in (*use.explicit, *use.question, *use.answer, *in_relations):
                named.setdefault(_key(name), name)
        return [name for key, name in named.items() if key not in self._entities]

    def _resolve(self, names: Iterable[str]) -> frozenset[str]:
        """Return the keys of the entities that these names stand for."""
        return frozenset(chain.from_iterable(self._meaning.get(key, (key,)) for key in map(_key, names)))

    def _relations(self, pairs: Iterable[Sequence[str]]) -> frozenset[str]:
        """Return one key per relation, ignoring its direction."""
        return frozenset(" -- ".join(sorted(self._resolve(pair))) for pair in pairs)

    def _knowledge(self, uses: Sequence[RoundUse]) -> Knowledge:
        """Return what each question says (`said`), needs (`wanted`) and adds (`full`): keys of entities and relations.

        Every need counts as a name: a question whose entity is missing cannot be understood.
        """
        said, full, wanted = [], [], []
        for use in uses:
            explicit = self._resolve(use.explicit)
            question = self._resolve(use.question) | self._relations(use.question_relations)
            answer = self._resolve(use.answer) | self._relations(use.answer_relations)
            said.append(explicit)
            full.append(explicit | question | answer)
            wanted.append(
                tuple(Need(parts=(key,), label=self._label(key), name=True) for key in sorted(question - explicit))
            )
        # The entities that the title or the section names are known from the start.
        material = f"{self._dialogue.title}\n{self._dialogue.section}".casefold()
        start = frozenset(key for key in self._entities if re.search(rf"(?<!\w){re.escape(key)}(?!\w)", material))
        return Knowledge(
            start=start,
            said=tuple(said),
            full=tuple(full),
            wanted=tuple(wanted),
            resolved=tuple(self_resolved(question) for question in self._dialogue.questions),
            exact=True,
        )

    def _label(self, key: str) -> str:
        return " -- ".join(self._entities[part].name if part in self._entities else part for part in key.split(" -- "))


def _key(name: str) -> str:
    """Return a name in the form used for look-ups: case-folded and with single spaces."""
    return " ".join(name.casefold().split())


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
