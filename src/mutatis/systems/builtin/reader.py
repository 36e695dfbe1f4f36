"""The built-in reader: extractive question answering and dialogue over a story.

Finds the sentences nearest to the question (MiniLM embeddings and shared words), then picks the words that fit what is
asked. Says "unknown" below a threshold. A real and weak system; it must not see expected answers.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mutatis.core.errors import MissingExtra, SystemFailure
from mutatis.core.system import Conversation, Response
from mutatis.systems.builtin.language import Asked, content_stems, understand
from mutatis.systems.builtin.selection import Passage, choose
from mutatis.text.embedder import embed, is_installed
from mutatis.text.sentences import sentences

VERSION = 1
"""Raised when answers change; part of the identity."""

THRESHOLD = 1.2
"""How sure the reader must be to answer."""

UNKNOWN = "unknown"
_PASSAGES = 4
_NOT_STORY = frozenset({"question", "text"})


@dataclass(frozen=True, slots=True)
class _Story:
    """A story cut into sentences, with the stems of each and how rare each stem is."""

    sentences: tuple[str, ...]
    stems: tuple[frozenset[str], ...]
    rarity: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Query:
    """What is looked for: the question, and what was said before where that counts."""

    story: _Story
    question: str
    before: tuple[str, str] | None


@dataclass(slots=True, kw_only=True)
class ReaderSystem:
    """Answers questions about the story or context among the fields; other material is read as well."""

    label: str
    history: bool = True
    threshold: float = THRESHOLD

    def __post_init__(self) -> None:
        if not is_installed():
            raise MissingExtra("the built-in reader", "semantic")

    @property
    def identity(self) -> Mapping[str, Any]:
        """Return the version and options that the answers depend on."""
        return {
            "type": "builtin",
            "name": "reader",
            "version": VERSION,
            "history": self.history,
            "threshold": self.threshold,
        }

    async def ask(self, conversation: Conversation) -> Response:
        """Answer one question."""
        return (await asyncio.to_thread(self._answers, [conversation]))[0]

    async def ask_many(self, conversations: Sequence[Conversation]) -> list[Response | SystemFailure]:
        """Answer many questions; their texts are embedded together."""
        return list(await asyncio.to_thread(self._answers, conversations))

    def _answers(self, conversations: Sequence[Conversation]) -> list[Response]:
        started, asked_at = time.perf_counter(), time.time()
        queries = [self._query(conversation) for conversation in conversations]
        texts = dict.fromkeys(text for query in queries for text in _texts(query))
        place = {text: row for row, text in enumerate(texts)}
        vectors = embed(list(texts)) if texts else np.zeros((0, 0), dtype=np.float32)
        answers = [self._answer(query, place, vectors) for query in queries]
        latency = (time.perf_counter() - started) / max(1, len(answers))
        return [Response(text=answer, latency=latency, asked_at=asked_at) for answer in answers]

    def _query(self, conversation: Conversation) -> _Query:
        fields = conversation.fields
        question = fields.get("question") or conversation.messages[-1].content
        story = "\n\n".join(text for name, text in fields.items() if name not in _NOT_STORY and text.strip())
        before = None
        if self.history and conversation.history:
            earlier, answer = conversation.history[-1]
            before = (earlier.get("question", ""), answer)
        return _Query(story=_read(story), question=question, before=before)

    def _answer(self, query: _Query, place: Mapping[str, int], vectors: NDArray[np.float32]) -> str:
        if not query.story.sentences or not query.question.strip():
            return UNKNOWN
        scores = _scores(query, place, vectors)
        order = sorted(range(len(scores)), key=lambda index: (-scores[index], index))[:_PASSAGES]
        passages = [Passage(text=query.story.sentences[index], score=scores[index]) for index in order]
        question = understand(query.question)
        chosen = choose(question, passages)
        sure = chosen.score if question.asked is not Asked.POLAR else chosen.score + 0.3
        return chosen.text if chosen.text and sure >= self.threshold else UNKNOWN


@lru_cache(maxsize=4096)
def _read(story: str) -> _Story:
    cut = tuple(sentences(story))
    stems = tuple(content_stems(sentence) for sentence in cut)
    counts = Counter(stem for own in stems for stem in own)
    rarity = {stem: math.log(1.0 + len(cut) / count) for stem, count in counts.items()}
    return _Story(cut, stems, rarity)


def _texts(query: _Query) -> list[str]:
    return [*query.story.sentences, query.question, *(query.before or ())]


def _scores(query: _Query, place: Mapping[str, int], vectors: NDArray[np.float32]) -> list[float]:
    """Return how well each sentence fits the question, rounded so that batching cannot change the order."""
    story, question = query.story, understand(query.question)
    rows = vectors[[place[sentence] for sentence in story.sentences]]
    near = rows @ vectors[place[query.question]]
    shared = _overlap(story, question.stems)
    total = 0.6 * near + 0.5 * shared
    if query.before:
        weight = 0.5 if question.leans else 0.15
        said = 0.5 * (rows @ vectors[place[query.before[0]]]) + 0.5 * (rows @ vectors[place[query.before[1]]])
        earlier = _overlap(story, content_stems(" ".join(query.before)))
        total = total + weight * (0.6 * said + 0.5 * earlier) + _onwards(story, query.before[1])
    return [round(float(score), 4) for score in total]


def _overlap(story: _Story, wanted: frozenset[str]) -> NDArray[np.float32]:
    """Return the share of the wanted words' weight that each sentence has."""
    whole = sum(story.rarity.get(stem, 2.0) for stem in wanted) or 1.0
    found = [sum(story.rarity.get(stem, 2.0) for stem in wanted & own) / whole for own in story.stems]
    return np.asarray(found, dtype=np.float32)


def _onwards(story: _Story, answer: str) -> NDArray[np.float32]:
    """Return a bonus for the sentence of the last answer and the two after it: people ask on from there."""
    bonus = np.zeros(len(story.sentences), dtype=np.float32)
    if len(answer) > 3:
        for index, sentence in enumerate(story.sentences):
            if answer in sentence:
                bonus[index : index + 3] = (0.05, 0.1, 0.05)[: len(bonus[index : index + 3])]
                break
    return bonus
