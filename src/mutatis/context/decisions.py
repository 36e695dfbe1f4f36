"""The checks of the context at each turn of a follow-up: adjacency veto, semantic, ontology and dataset check.

They never see an answer of a system under test.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from mutatis.context.cues import cues, self_resolved_as_published
from mutatis.context.knowledge import Dialogue, Knowledge
from mutatis.context.story import Story, read_story
from mutatis.options import Options

Status: TypeAlias = Literal["equivalent", "altered", "undecided"]
DatasetCheck: TypeAlias = Literal["papers", "salient", "off"]
Needed: TypeAlias = Literal["ours", "papers"]
SemanticCheck: TypeAlias = Literal["ours", "papers"]


class ContextOptions(Options):
    """Options for combining the checks of a context.

    Attributes:
        dataset_check: whether the story may resolve a question: `salient`, `papers` or `off`.
        adjacency_veto: a very short question counts as altered unless it directly follows its predecessor in the seed.
        needed: `ours` only counts needs that the context in the seed meets; `papers` (v1) counts all needs.
        semantic_check: for explicit knowledge (`gold`, `language-model`): `ours` also detects ellipsis when deciding
            whether a question stands alone, `papers` only unresolved pronouns.
        undecided: `leave-out` keeps the third verdict, "undecided"; `equivalent` has only two, like the papers.
    """

    dataset_check: DatasetCheck = "salient"
    adjacency_veto: bool = True
    needed: Needed = "ours"
    semantic_check: SemanticCheck = "ours"
    undecided: Literal["leave-out", "equivalent"] = "leave-out"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextDecision:
    """The decision on the context of one follow-up turn.

    Attributes:
        status: equivalent, altered or undecided.
        check: the check that decided: `opening`, `adjacency`, `predecessors`, `asked-before`, `semantic`, `ontology`,
            `dataset` or `model`.
        probability: the probability of "equivalent", if a model decided.
        missing: needs of the question that the follow-up has not met.
    """

    status: Status
    check: str
    probability: float | None = None
    missing: tuple[str, ...] = ()

    @property
    def equivalent(self) -> bool:
        """True if the context is judged equivalent."""
        return self.status == "equivalent"

    def annotations(self) -> Mapping[str, Any]:
        """Return the decision as annotations of a turn."""
        return {
            "context": self.status,
            "context_check": self.check,
            "context_probability": None if self.probability is None else round(self.probability, 4),
            "context_missing": list(self.missing),
        }


def vetoed(dialogue: Dialogue, order: Sequence[int], place: int) -> bool:
    """Return True if a very short question does not directly follow its predecessor in the seed.

    Such a question ("Why?") refers to the exchange just before it, so anything in between changes its meaning.
    """
    turn = order[place]
    if turn == 0 or not cues(dialogue.questions[turn]).very_short:
        return False
    return place == 0 or order[place - 1] != turn - 1


def resumed(dialogue: Dialogue, order: Sequence[int], place: int) -> bool:
    """Return True if a reader of the story may still understand a question that the adjacency veto calls altered.

    This is so in three cases: the question leaves out only a person or a place; only one exchange separates it from its
    predecessor in the seed; or the turn directly before it belongs to the chain of very short questions that leads to
    it ("Who was carried?", "On what?", "Where to?").
    """
    turn = order[place]
    if (place > 1 and order[place - 2] == turn - 1) or cues(dialogue.questions[turn]).clause:
        return True
    start = turn - 1
    while start > 0 and cues(dialogue.questions[start]).very_short:
        start -= 1
    return place > 0 and start <= order[place - 1] < turn


def story_of(dialogue: Dialogue, options: ContextOptions) -> Story | None:
    """Return the story that the dataset check may read, or None if there is none or the check is off."""
    return read_story(dialogue.story) if dialogue.story and options.dataset_check != "off" else None


def with_story(
    decision: ContextDecision,
    story: Story | None,
    dialogue: Dialogue,
    order: Sequence[int],
    place: int,
    options: ContextOptions,
) -> ContextDecision:
    """Return the decision after the dataset check, which may change any decision except "equivalent".

    A reader of the story can often infer the meaning of a question. If the story resolves it, the turn is equivalent.
    If not, the rule `salient` turns "altered" into "undecided": it only knows the main persons of the story. A decision
    of the adjacency veto is usually right, so it only becomes "undecided" if the reader may still understand the
    question (`resumed`).
    """
    if story is None or decision.equivalent:
        return decision
    if decision.check == "adjacency":
        return replace(decision, status="undecided") if resumed(dialogue, order, place) else decision
    if story.resolves(dialogue.questions[order[place]], options.dataset_check):
        return ContextDecision(status="equivalent", check="dataset", missing=decision.missing)
    if options.dataset_check == "salient" and decision.status == "altered":
        return replace(decision, status="undecided", check="dataset")
    return decision


def forced(decision: ContextDecision, options: ContextOptions) -> ContextDecision:
    """Return the decision, with "undecided" replaced by "equivalent" if only the papers' two verdicts are allowed."""
    if decision.status == "undecided" and options.undecided == "equivalent":
        return replace(decision, status="equivalent")
    return decision


def _resolved(dialogue: Dialogue, knowledge: Knowledge, turn: int, options: ContextOptions) -> bool:
    """Return True if a question can be understood on its own, by our rule or by that of the papers."""
    if options.semantic_check == "papers":
        return self_resolved_as_published(dialogue.questions[turn])
    return knowledge.resolved[turn]


def judge_by_knowledge(
    dialogue: Dialogue, knowledge: Knowledge, order: Sequence[int], options: ContextOptions
) -> list[ContextDecision]:
    """Judge every turn of a follow-up by comparing its needs with the available knowledge (spec section 3).

    An equivalent turn makes everything that it refers to available to later turns. Other turns only contribute their
    explicit content.
    """
    # A need that not even the seed's context meets cannot show that a follow-up lacks it; the papers count it anyway.
    needed = knowledge.needed() if options.needed == "ours" else knowledge.wanted
    story = story_of(dialogue, options)
    words = set(knowledge.start)
    result = []
    for place, turn in enumerate(order):
        is_satisfied, missing = knowledge.satisfied(needed[turn], words)
        if options.adjacency_veto and vetoed(dialogue, order, place):
            decision = ContextDecision(status="altered", check="adjacency", missing=missing)
        elif _resolved(dialogue, knowledge, turn, options):
            decision = ContextDecision(status="equivalent", check="semantic")
        else:
            status: Status = "equivalent" if is_satisfied else "altered"
            decision = ContextDecision(status=status, check="ontology", missing=missing)
        decision = with_story(decision, story, dialogue, order, place, options)
        decision = forced(decision, options)
        words |= knowledge.full[turn] if decision.equivalent else knowledge.said[turn]
        result.append(decision)
    return result


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeJudge:
    """Judges the contexts of follow-ups by explicitly stated knowledge, from gold rewrites or a language model."""

    dialogue: Dialogue
    knowledge: Knowledge

    def judge(self, order: Sequence[int], options: ContextOptions) -> list[ContextDecision]:
        """Return one judgement for each turn of the follow-up that asks the seed's turns in `order`."""
        return judge_by_knowledge(self.dialogue, self.knowledge, order, options)
