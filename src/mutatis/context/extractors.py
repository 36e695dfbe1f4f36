"""Defines the interface of extractors and selects an extractor by name.

An extractor reads each seed dialogue once. Its result is used to judge every follow-up of that seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from mutatis.context.cues import LEAST_WORDS
from mutatis.context.decisions import ContextDecision, ContextOptions, KnowledgeJudge
from mutatis.context.knowledge import Dialogue, Knowledge, Need
from mutatis.context.words import contains, content, is_content, plain_words
from mutatis.core.errors import UsageError, unknown_name
from mutatis.core.languages import ENGLISH
from mutatis.core.system import Helper
from mutatis.text.segments import stem


class ContextJudge(Protocol):
    """The knowledge extracted from one seed dialogue, which can judge any reordering of its turns."""

    def judge(self, order: Sequence[int], options: ContextOptions) -> list[ContextDecision]:
        """Return one judgement per turn of the follow-up that asks the seed's turns in `order`."""


class Extractor(Protocol):
    """An object that reads seed dialogues. `needs_helper` is True if it needs a language model.

    The optional attribute `languages` lists the languages that it can read. The default is all languages.
    """

    name: str
    needs_helper: bool

    async def extract(self, dialogue: Dialogue, helper: Helper | None) -> ContextJudge:
        """Return the judge for a dialogue.

        Raise ExtractionFailed or UsageError if the knowledge cannot be extracted.
        """


def extractor(name: str) -> Extractor:
    """Create the extractor with this name: `offline`, `gold` or `language-model`."""
    if name == "offline":
        from mutatis.context.offline.extractor import Offline

        return Offline()
    if name == "gold":
        return GoldRewrites()
    if name == "language-model":
        from mutatis.context.language_model import LanguageModel

        return LanguageModel()
    raise unknown_name("context extractor", name, ["offline", "gold", "language-model"])


PLAIN_FLOOR = 0.6
"""Minimum share of the ordinary words added by a rewrite that must be available in the context.

Rewriters also add words that the question does not need, so not all words are required.
"""


def added(question: str, rewrite: str) -> tuple[Need, ...]:
    """Return the names (runs of capitalised words) and single words that a rewrite adds to its question.

    The first word of the rewrite is always capitalised, so it is never taken for a name. A capitalised function word
    ("The" in a title) does not end a run.

    >>> [need.label for need in added("When did they disband?", "When did Zappa and the Mothers disband in public?")]
    ['Zappa', 'Mothers', 'public']
    """
    needs: dict[tuple[bool, tuple[str, ...]], Need] = {}
    for words, is_name in _added_runs(content(question), rewrite):
        parts = tuple(map(stem, words))
        needs.setdefault((is_name, parts), Need(parts=parts, label=" ".join(words), name=is_name))
    return tuple(needs.values())


def _added_runs(in_question: frozenset[str], rewrite: str) -> Iterator[tuple[list[str], bool]]:
    """Yield the names and the single words of a rewrite that a question with these stems lacks, and which it is."""
    name: list[str] = []
    for place, word in enumerate([*plain_words(rewrite), ""]):  # "" ends a name at the end of the rewrite
        is_capital = place > 0 and word[:1].isupper()
        if is_capital and name and not is_content(word):
            continue
        is_added = bool(word) and is_content(word) and not contains(in_question, stem(word))
        if is_added and is_capital:
            name.append(word)
            continue
        if name:
            yield name, True
            name = []
        if is_added:
            yield [word], False


def from_rewrites(dialogue: Dialogue) -> Knowledge:
    """Derive the knowledge about a dialogue, including the needs of each question, from its gold rewrites."""
    rows = list(zip(dialogue.questions, dialogue.rewrites, dialogue.answers, strict=True))
    wanted = tuple(added(question, rewrite or question) for question, rewrite, _ in rows)
    return Knowledge(
        start=content(dialogue.title) | content(dialogue.section),
        said=tuple(content(question) for question in dialogue.questions),
        full=tuple(content(question) | content(rewrite) | content(answer) for question, rewrite, answer in rows),
        wanted=wanted,
        resolved=tuple(
            not needs and len(plain_words(question)) >= LEAST_WORDS
            for needs, question in zip(wanted, dialogue.questions, strict=True)
        ),
        floor=PLAIN_FLOOR,
    )


class GoldRewrites:
    """The extractor `gold`, which reads the reference rewrites in `annotations["rewrite"]`."""

    name = "gold"
    needs_helper = False
    languages = ENGLISH

    async def extract(self, dialogue: Dialogue, helper: Helper | None) -> KnowledgeJudge:
        """Return the judge for one dialogue. Raise UsageError if no turn has a rewrite."""
        if not any(dialogue.rewrites):
            raise UsageError(
                f"the context extractor 'gold' needs the annotation 'rewrite', which the turns of {dialogue.id!r} "
                "lack; use data in the format of CANARD, or the extractor 'offline'"
            )
        return KnowledgeJudge(dialogue=dialogue, knowledge=from_rewrites(dialogue))
