"""Scripted helper models: they answer the seven extraction prompts without any model."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from typing import Any

from support.prompts import between


def step_of(schema: dict[str, Any]) -> str:
    """Which extraction step a schema belongs to."""
    titles = {
        "Statements": "declarative",
        "Topic": "topic",
        "Types": "types",
        "Graph": "graph",
        "ClearRounds": "decontextualise",
        "RoundUses": "rounds",
        "Canonical": "canonicalise",
    }
    return titles[schema["title"]]


class Scripted:
    """Answers every step for a dialogue of `turns` turns.

    `uses` gives step 6 (one mapping per turn), `entities` step 4; `broken` maps a step to how many answers of it are
    malformed at first.
    """

    def __init__(self, turns, uses=(), entities=(), relations=(), broken=None, canonical=None, as_text=False):
        self.turns = turns
        self.uses = list(uses) or [{} for _ in range(turns)]
        self.entities = list(entities)
        self.relations = list(relations)
        self.broken = dict(broken or {})
        self.canonical = canonical or {}
        self.as_text = as_text
        self.calls: list[tuple[str, int, float]] = []
        self.prompts: list[str] = []

    @property
    def counts(self):
        return Counter(step for step, _, _ in self.calls)

    async def complete(self, prompt, schema=None, *, draw=0, attempt=0, temperature=0.0):
        await asyncio.sleep(0)
        step = step_of(schema)
        self.calls.append((step, attempt, temperature))
        self.prompts.append(prompt)
        if attempt < self.broken.get(step, 0):
            return '{"rounds": ['
        answer = self._answer(step, prompt)
        return f"```json\n{json.dumps(answer)}\n```" if self.as_text else answer

    def _answer(self, step, prompt):
        numbers = range(1, self.turns + 1)
        if step == "declarative":
            return {"rounds": [{"round": number, "statement": "."} for number in numbers]}
        if step == "topic":
            return {"topic": "a topic"}
        if step == "types":
            return {"types": ["person", "thing"]}
        if step == "graph":
            return {
                "entities": [{"name": name, "type": "thing", "description": "."} for name in self.entities],
                "relations": [{"source": a, "target": b, "description": "."} for a, b in self.relations],
            }
        if step == "decontextualise":
            return {"rounds": [{"round": number, "question": "?", "answer": "."} for number in numbers]}
        if step == "rounds":
            return {"rounds": [{"round": number, **use} for number, use in zip(numbers, self.uses, strict=True)]}
        name = between(prompt, "NAME")
        return self.canonical.get(name, {"kind": "new", "members": [], "type": "thing"})
