"""Judges the contexts of a follow-up by explicit knowledge, whatever its source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mutatis.context.checks import ContextDecision, ContextOptions, judge_by_knowledge
from mutatis.context.dialogue import Dialogue
from mutatis.context.knowledge import Knowledge


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeJudge:
    """Judges contexts by explicit knowledge, from gold rewrites or a language model."""

    dialogue: Dialogue
    knowledge: Knowledge

    def judge(self, order: Sequence[int], options: ContextOptions) -> list[ContextDecision]:
        """Return one judgement for each turn in `order`."""
        return judge_by_knowledge(self.dialogue, self.knowledge, order, options)

    def graph(self) -> Any:
        """Return the knowledge as a graph of words."""
        from mutatis.context.graph import word_graph

        if self.knowledge.graph is not None:
            return self.knowledge.graph
        return word_graph(self.dialogue, self.knowledge.said, self.knowledge.full, self.knowledge.needed())
