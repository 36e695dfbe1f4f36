"""The built-in reader: extractive question answering, also in dialogues about a story.

It finds the sentences closest to the question by shared words, and by MiniLM embeddings if the words are not decisive.
Then it picks the words that fit the question. Below a threshold, it answers "unknown". It is a real but weak system
that never sees expected answers.
"""

from __future__ import annotations

import asyncio
import math
import re
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from cachetools import LRUCache, cached
from numpy.typing import NDArray

from mutatis.core.errors import MissingExtra, SystemFailure
from mutatis.core.system import Conversation, Response, System
from mutatis.systems.builtin.language import Question, content_stems, understand
from mutatis.systems.builtin.selection import Passage, choose
from mutatis.text.blas import inner_products
from mutatis.text.embedder import embed, embedder_is_installed
from mutatis.text.sentences import sentences

VERSION = 1
"""Version number, increased whenever answers change. It is part of the system's identity."""

THRESHOLD = 0.3
"""Minimum score of a sentence, from about 0 to 1, for the reader to answer from it."""

UNKNOWN = "unknown"
STORIES, CHARACTERS = 4096, 4_000_000
"""Maximum number of stories kept in memory, and the maximum number of characters in all stories."""

_PASSAGES = 4
_PLAIN, _AHEAD = 0.5, 0.25
_Row: TypeAlias = NDArray[np.float32]
_NOT_STORY = frozenset({"question", "text"})
_PASSAGE_NUMBER = re.compile(r"^\[\d+\]\s+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Story:
    """A story split into sentences, with the stems of each sentence and the rarity of each stem."""

    sentences: tuple[str, ...]
    stems: tuple[frozenset[str], ...]
    rarity: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Query:
    """A question to look up in a story, with the previous question and answer if they are to be considered."""

    story: _Story
    question: str
    before: tuple[str, str] | None


@dataclass(slots=True, kw_only=True)
class ReaderSystem(System):
    """Answers questions about the story, context or other material in a conversation."""

    label: str
    history: bool = True
    threshold: float = THRESHOLD

    def __post_init__(self) -> None:
        if not embedder_is_installed():
            raise MissingExtra("the built-in reader", "semantic")

    @property
    def identity(self) -> Mapping[str, Any]:
        """Type, name, version and options of the reader, since its answers depend on them."""
        return {
            "type": "builtin",
            "name": "reader",
            "version": VERSION,
            "history": self.history,
            "threshold": self.threshold,
        }

    async def ask_many(self, conversations: Sequence[Conversation]) -> list[Response | SystemFailure]:
        """Answer many questions, with the embeddings of all texts computed in one call."""
        return list(await asyncio.to_thread(self._answers, conversations))

    def _answers(self, conversations: Sequence[Conversation]) -> list[Response]:
        queries = [self._query(conversation) for conversation in conversations]
        shared = [_shared(query) for query in queries]
        open_ = [query for query, scores in zip(queries, shared, strict=True) if not _is_plain(scores)]
        texts = dict.fromkeys(text for query in open_ for text in _texts(query))
        vectors = dict(zip(texts, embed(list(texts)), strict=True)) if texts else {}
        answers = (self._answer(query, scores, vectors) for query, scores in zip(queries, shared, strict=True))
        return [Response(text=answer) for answer in answers]

    def _query(self, conversation: Conversation) -> _Query:
        fields = conversation.fields
        question = fields.get("question") or conversation.messages[-1].content
        if "passages" in fields:  # the numbers are not part of the passages
            fields = {**fields, "passages": _PASSAGE_NUMBER.sub("", fields["passages"])}
        story = "\n\n".join(text for name, text in fields.items() if name not in _NOT_STORY and text.strip())
        before = None
        if self.history and conversation.history:
            earlier, answer = conversation.history[-1]
            before = (earlier.get("question", ""), answer)
        return _Query(story=_read(story), question=question, before=before)

    def _answer(self, query: _Query, shared: _Row, vectors: Mapping[str, _Row]) -> str:
        if not query.story.sentences or not query.question.strip():
            return UNKNOWN
        scores = _scores(query, shared, vectors)
        order = sorted(range(len(scores)), key=lambda index: (-scores[index], index))[:_PASSAGES]
        passages = [Passage(text=query.story.sentences[index], score=scores[index]) for index in order]
        question = understand(query.question)
        chosen = choose(question, passages)
        return chosen.text if chosen.text and chosen.score >= self.threshold else UNKNOWN


def _size(story: _Story) -> int:
    return CHARACTERS // STORIES + sum(map(len, story.sentences))


@cached(LRUCache(CHARACTERS, getsizeof=_size), lock=threading.Lock())
def _read(story: str) -> _Story:
    cut = tuple(sentences(story))
    stems = tuple(content_stems(sentence) for sentence in cut)
    counts = Counter(stem for sentence_stems in stems for stem in sentence_stems)
    rarity = {stem: math.log(1.0 + len(cut) / count) for stem, count in counts.items()}
    return _Story(cut, stems, rarity)


def _texts(query: _Query) -> list[str]:
    return [*query.story.sentences, query.question, *(query.before or ())]


def _shared(query: _Query) -> _Row:
    """Return a score for each sentence, based on the words shared with the question and the previous round."""
    question = understand(query.question)
    total = _overlap(query.story, question.stems)
    if query.before:
        earlier = _overlap(query.story, content_stems(" ".join(query.before)))
        total = total + _weight(question) * earlier + 2.0 * _onwards(query.story, query.before[1])
    return total


def _is_plain(shared: _Row) -> bool:
    """Return True if shared words alone are enough to single out one sentence, without embeddings."""
    if len(shared) < 2:
        return True
    second, best = np.sort(shared)[-2:]
    return bool(best >= _PLAIN and best - second >= _AHEAD)


def _weight(question: Question) -> float:
    """Return the weight given to the previous round, which is higher if the question refers back to it."""
    return 0.5 if question.leans else 0.15


def _scores(query: _Query, shared: _Row, vectors: Mapping[str, _Row]) -> list[float]:
    """Return how well each sentence fits the question.

    The scores are rounded so that computing them in batches cannot change their order.
    """
    story = query.story
    if _is_plain(shared):
        return [round(float(score), 4) for score in 0.15 + 0.8 * shared]
    rows = np.stack([vectors[sentence] for sentence in story.sentences])
    near = inner_products(rows, np.stack([vectors[text] for text in (query.question, *(query.before or ()))]))
    total = 0.6 * near[:, 0] + 0.5 * shared
    if query.before:
        near_before = 0.5 * near[:, 1] + 0.5 * near[:, 2]
        total = total + 0.6 * _weight(understand(query.question)) * near_before
    return [round(float(score), 4) for score in total]


def _overlap(story: _Story, wanted: frozenset[str]) -> _Row:
    """Return, for each sentence of a story, the weighted share of the wanted words that it contains."""
    whole = sum(story.rarity.get(stem, 2.0) for stem in wanted) or 1.0
    shares = [
        sum(story.rarity.get(stem, 2.0) for stem in wanted & sentence_stems) / whole for sentence_stems in story.stems
    ]
    return np.asarray(shares, dtype=np.float32)


def _onwards(story: _Story, answer: str) -> _Row:
    """Return a bonus for the sentence with the last answer and the two that follow it.

    People tend to ask about these sentences next.
    """
    bonus = np.zeros(len(story.sentences), dtype=np.float32)
    index = next((index for index, sentence in enumerate(story.sentences) if answer in sentence), None)
    if index is not None and len(answer) > 3:  # a shorter answer, such as "yes", may be in any sentence
        places = bonus[index : index + 3]
        places[:] = (0.05, 0.1, 0.05)[: len(places)]
    return bonus
