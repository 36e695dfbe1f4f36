"""Groups sources into blocks that are judged together, and collects the replies of systems for each block.

A judge that learns how a system phrases its answers needs the replies to many questions before it can judge any reply.
Blocks depend only on the order of the proposals, so neither concurrency nor resuming a run changes verdicts. Only one
block at a time is kept in memory. When confirm, shrink and the noise floor judge further answers, they use the same
replies as the original verdict.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from cachetools import LRUCache

from mutatis.campaign.follow_up import Answers, FollowUp
from mutatis.campaign.matching import role_of
from mutatis.campaign.repertoire_file import NOTHING, BlockReplies, QuestionKey, RepertoireFile
from mutatis.core.cases import NEW
from mutatis.core.measure import QuestionReplies, Repertoire, WordedReply
from mutatis.core.relation import Observation
from mutatis.core.search import name_of
from mutatis.core.transformation import asks_again
from mutatis.core.verdict import Verdict
from mutatis.loops import give_way

SOURCES = 64
"""Number of sources per block, enough to tell the replies to one question from the rest (`studies/repertoire`)."""

FEWEST = 5
"""Minimum number of sources in the last of several blocks. With fewer, more pairs would remain undecided."""


class Blocks:
    """Collects answered follow-ups until a block of sources is complete.

    A complete block is held back until the next block has `FEWEST` sources, so that a short remainder can be merged
    into it. A plain run takes its sources in the order of the data. A run with a budget returns to each source several
    times, so a block contains only some of the follow-ups of a source.

    Args:
        sources: number of sources per block; 0 passes every batch on as it arrives.
    """

    def __init__(self, sources: int = SOURCES) -> None:
        self._most = sources
        self._complete: list[FollowUp] = []
        self._collected: list[FollowUp] = []
        self._sources: set[tuple[str, str]] = set()
        self._closed = 0

    def add(self, batch: Iterable[FollowUp]) -> list[list[FollowUp]]:
        """Add answered follow-ups in order, and return the blocks of sources that are now complete."""
        if not self._most:
            return [list(batch)]
        passed_on = []
        for follow_up in batch:
            source = (follow_up.source.task, follow_up.source.id)
            if source not in self._sources and len(self._sources) == self._most:
                self._begin()
            self._sources.add(source)
            self._collected.append(follow_up)
            if self._complete and len(self._sources) >= min(FEWEST, self._most):
                passed_on.append(self._complete)
                self._complete = []
            self._closed += follow_up.proposal.closes
            if self._closed == self._most:
                self._begin()
        return passed_on

    def rest(self) -> list[FollowUp]:
        """Return the remaining follow-ups, including a block that was held back, and start over."""
        rest = self._complete + self._collected
        self._complete, self._collected = [], []
        self._sources, self._closed = set(), 0
        return rest

    def _begin(self) -> None:
        """Begin the next block of sources.

        The complete block is held back, because a short remainder may be merged into it.
        """
        self._complete, self._collected = self._collected, []
        self._sources, self._closed = set(), 0


REMEMBERED = 4
"""Number of blocks that stay in memory after being read back. Few suffice, as findings are asked again in order."""


@dataclass(slots=True)
class _Collected:
    """The replies to one question collected so far, in the order of the proposals."""

    source: WordedReply | None = None
    siblings: list[WordedReply] = field(default_factory=list)
    repeats: dict[int, WordedReply] = field(default_factory=dict)
    others: list[WordedReply] = field(default_factory=list)

    def frozen(self) -> QuestionReplies:
        repeats = tuple(self.repeats[number] for number in sorted(self.repeats))
        siblings, others = tuple(self.siblings), tuple(self.others)
        return QuestionReplies(source=self.source, siblings=siblings, repeats=repeats, others=others)


class Repertoires:
    """The replies that verdicts are based on, collected for one block of sources at a time.

    Args:
        file: stores the replies once a block has been judged.
        keeps: True for a search that returns to its sources because it learns or has a budget. The replies to the
            latest sources are then also used for the next block.
    """

    def __init__(self, file: RepertoireFile, *, keeps: bool = False) -> None:
        self._file, self._keeps = file, keeps
        self._collected: OrderedDict[tuple[str, str], dict[QuestionKey, _Collected]] = OrderedDict()
        self._at_hand = NOTHING
        self._read: LRUCache[int, BlockReplies] = LRUCache(REMEMBERED)
        self._first_blocks: dict[int, int] = {}  # of each source, by its name as a number
        self._looks_back = False

    @property
    def number(self) -> int:
        """The number of the current block of sources."""
        return self._file.blocks

    async def take(self, follow_ups: Iterable[FollowUp]) -> None:
        """Collect the replies in a block of sources before it is judged."""
        concerned = set()
        for number, follow_up in enumerate(follow_ups):
            await give_way(number)
            name = (follow_up.source.task, follow_up.source.id)
            concerned.add(name)
            self._first_blocks.setdefault(name_of(follow_up.source), self.number)
            replies = self._collected.setdefault(name, {})
            self._collected.move_to_end(name)
            for answers in follow_up.answers:
                _collect(replies, follow_up, answers)
        while self._keeps and len(self._collected) > max(SOURCES, len(concerned)):
            self._collected.popitem(last=False)
        self._freeze_collected()

    def at_hand(self, key: QuestionKey) -> Repertoire | None:
        """Return the replies in the current block for judging a question, or None if the question has no reply."""
        return self._at_hand.of(key)

    def repeats(self, key: QuestionKey) -> Collection[int]:
        """Return the repeat indices of the further answers to a question in the current block of sources."""
        return self._collected[key.task, key.source][key].repeats

    def add_repeats(self, asked_again: Iterable[tuple[QuestionKey, Observation]]) -> None:
        """Add further replies to the sources in the current block."""
        for key, observation in asked_again:
            if (reply := _reply(observation)) is not None:
                self._collected[key.task, key.source][key].repeats[observation.repeat] = reply
        self._freeze_collected()

    def _freeze_collected(self) -> None:
        collected = (pair for replies in self._collected.values() for pair in replies.items())
        self._at_hand = BlockReplies({key: replies.frozen() for key, replies in collected})

    def look_back(self) -> None:
        """Use the replies that the search collected from now on, to judge further answers to its sources."""
        self._looks_back = True

    def of(self, verdict: Verdict) -> Repertoire | None:
        """Return the replies that a verdict is based on, or None.

        They come from the block of the verdict, else, after the search, from the first block with its source, else from
        the current one.
        """
        first = self._first_blocks.get(name_of(verdict.source), self.number) if self._looks_back else self.number
        number = first if verdict.block is None else verdict.block
        replies = self._at_hand if number == self.number else self._written(number)
        return replies.of(QuestionKey(verdict.system, verdict.source.task, verdict.source.id, verdict.turn))

    def release(self) -> None:
        """Write the replies in the current block to the file, and start the next block."""
        self._file.write(self._at_hand)
        if not self._keeps:
            self._collected.clear()
        self._at_hand = NOTHING

    def _written(self, number: int) -> BlockReplies:
        if number not in self._read:
            self._read[number] = self._file.read(number)
        return self._read[number]


def _collect(collected: dict[QuestionKey, _Collected], follow_up: FollowUp, answers: Answers) -> None:
    """Collect the replies of one system to a source and one of its follow-ups, for each judged turn of the source.

    Replies to a repetition of the question are repeats, those to a follow-up that keeps its meaning are siblings, and
    the rest are others.
    """

    def replies_to(turn: int) -> _Collected:
        key = QuestionKey(answers.system, follow_up.source.task, follow_up.source.id, turn)
        return collected.setdefault(key, _Collected())

    for turn, observation in answers.source.items():
        reply = _reply(observation)
        if reply is not None and answers.repeat == 0:
            replies_to(turn).source = reply
        elif reply is not None:
            replies_to(turn).repeats[answers.repeat] = reply
    repeats_source = asks_again(follow_up.proposal.derivation)
    for observation in answers.follow_up.values():
        turn = observation.case.origin(observation.turn)
        reply = _reply(observation)
        if reply is None or turn == NEW or not follow_up.proposal.judges(turn):
            continue
        if repeats_source:
            replies_to(turn).repeats[observation.repeat] = reply
        elif _keeps_meaning(follow_up, answers.system, observation, turn):
            replies_to(turn).siblings.append(reply)
        else:
            replies_to(turn).others.append(reply)


def _keeps_meaning(follow_up: FollowUp, system: str, observation: Observation, turn: int) -> bool:
    """Return True if any relation requires the same answer to this turn of the follow-up as to the source."""
    return any(
        relation.expects == "same"
        and role_of(relation, observation, follow_up.source) is not None
        and follow_up.refusal(relation, system, turn) is None
        for relation in follow_up.alive
    )


def _reply(observation: Observation) -> WordedReply | None:
    if observation.response is None or observation.error is not None:
        return None
    return WordedReply(message=observation.question, text=observation.response.said)
