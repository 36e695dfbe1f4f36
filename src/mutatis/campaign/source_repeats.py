"""Sends a source to a system again before its block is judged, if the system has given too few replies to it.

A judge that uses all replies needs several for each question. The wording stays the same, so the same answer is
expected. The choice of questions depends only on the replies in the block and the order of the data, so neither
concurrency nor resuming a run changes anything.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from mutatis.campaign.allowance import Allowance
from mutatis.campaign.follow_up import FollowUp
from mutatis.campaign.judging import Judges
from mutatis.campaign.observe import Observer
from mutatis.campaign.repertoire_file import QuestionKey
from mutatis.campaign.repertoires import Repertoires
from mutatis.core.gathering import gathered
from mutatis.core.measure import QUESTIONS, REPLIES, Repertoire
from mutatis.core.relation import Group, Grouping, Observation
from mutatis.loops import consecutively


@dataclass(frozen=True, slots=True, kw_only=True)
class _Unit:
    """Questions that are sent together: a single one, or a whole dialogue if the system keeps its own dialogues.

    Attributes:
        observer: sends questions to the system.
        first_answers: the questions, each with the first answer of the system.
        repeats: the repeat indices for sending them again.
    """

    observer: Observer
    first_answers: Mapping[QuestionKey, Observation]
    repeats: Sequence[int]

    @property
    def first(self) -> Observation:
        """The first answer to the first of the questions."""
        return next(iter(self.first_answers.values()))

    @property
    def questions(self) -> int:
        """The number of questions that are sent, without tool steps."""
        return len(self.repeats) * (len(self.first.case.asked) if self.observer.target.layer.stateful else 1)

    async def send(self, *, in_turn: bool) -> list[tuple[QuestionKey, Observation]]:
        """Send the questions again and return the new answers. `in_turn` sends the repeats one after the other."""
        first, observer = self.first, self.observer
        if observer.target.layer.stateful:
            dialogues = await asyncio.gather(*(observer.observe(first.case, repeat) for repeat in self.repeats))
            return [(key, dialogue[key.turn]) for dialogue in dialogues for key in self.first_answers]
        work = (observer.ask_turn(first.case, first.turn, first.history, repeat) for repeat in self.repeats)
        answers = await (consecutively(work) if in_turn else asyncio.gather(*work))
        return [(key, answer) for answer in answers for key in self.first_answers]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRepeats:
    """Sends sources again if there are too few replies to them.

    Attributes:
        observers: send questions to the systems.
        judges: decide which verdicts use all replies.
        allowance: the number of questions that may still be asked.
        indices: the repeat indices to use, one after the other. If empty, no source is sent again.
        expect: receives the number of additional questions, and a negative number for questions that turn out to be
            unnecessary.
    """

    observers: Mapping[str, Observer]
    judges: Judges
    allowance: Allowance
    indices: Sequence[int]
    expect: Callable[[int], None]

    async def ask(self, block: Sequence[FollowUp], repertoires: Repertoires) -> None:
        """Send again those sources in a block that have too few replies, and record the new replies.

        Each source is sent once more. If the system then rewords its answer, the source is repeated to collect further
        wordings. If it gives the same answer verbatim, more repeats would only make the words of this one answer look
        common.

        Raises:
            BudgetExceeded: the budget is spent.
        """
        doubtful = self._in_doubt(block) if self.indices else {}
        lacking = [key for key in doubtful if _is_lacking(repertoires.at_hand(key))]
        never_repeated = [key for key in lacking if set(self.indices).isdisjoint(repertoires.repeats(key))]
        await self._repeat({key: doubtful[key] for key in never_repeated}, 1, repertoires)
        rewording = {key.system for key in lacking if _is_worded_anew(repertoires.at_hand(key))}
        further = {key: doubtful[key] for key in lacking if key.system in rewording}
        await self._repeat(further, len(self.indices), repertoires)

    def _in_doubt(self, block: Iterable[FollowUp]) -> dict[QuestionKey, Observation]:
        """Return the questions whose answers differ in wording and whose judge uses all replies.

        Each comes with the system's first answer to it.
        """
        doubtful: dict[QuestionKey, Observation] = {}
        for follow_up in block:
            wanted = {*_pairs_in_doubt(follow_up, self.judges), *_groups_in_doubt(follow_up, self.judges)}
            for key, observation in _first_answers(follow_up) if wanted else ():
                if key in wanted:
                    doubtful.setdefault(key, observation)
        return doubtful

    async def _repeat(self, questions: Mapping[QuestionKey, Observation], most: int, repertoires: Repertoires) -> None:
        """Repeat questions up to `most` times, as long as unused repeat indices are left.

        The turns of a dialogue that a system keeps itself are sent together, under the same indices.
        """
        units = []
        for together in gathered(questions, self._sent_with).values():
            used = {repeat for key in together for repeat in repertoires.repeats(key)}
            repeats = [repeat for repeat in self.indices if repeat not in used][:most]
            if repeats:
                first_answers = {key: questions[key] for key in together}
                observer = self.observers[together[0].system]
                units.append(_Unit(observer=observer, first_answers=first_answers, repeats=repeats))
        if not units:
            return
        self.expect(sum(unit.questions for unit in units))
        results = await asyncio.gather(*map(self._within_allowance, units), return_exceptions=True)
        # Even if one fails, the replies to the others are kept, because they are paid for.
        answers_of_units = [result for result in results if not isinstance(result, BaseException)]
        repertoires.add_repeats(chain.from_iterable(answers_of_units))
        for result in results:
            if isinstance(result, BaseException):
                raise result

    def _sent_with(self, key: QuestionKey) -> QuestionKey:
        """Return the same key for all questions that are sent together."""
        return key._replace(turn=0) if self.observers[key.system].target.layer.stateful else key

    async def _within_allowance(self, unit: _Unit) -> list[tuple[QuestionKey, Observation]]:
        """Send the questions of a unit again, if they fit the allowance."""
        target = unit.observer.target
        least = 1 if target.layer.free else unit.questions  # 1, because 0 would count as refused
        most = least * (1 + target.most_steps(unit.first.case))
        async with self.allowance.room(lambda: most, least) as granted:
            if not granted:
                self.expect(-unit.questions)
                return []
            # If the budget may end among tool steps, the place must not depend on which answer comes first.
            answers = await unit.send(in_turn=granted < most)
            self.expect(sum(answer.questions - 1 for _, answer in answers))  # tool steps, known only now
            return answers


def _first_answers(follow_up: FollowUp) -> Iterator[tuple[QuestionKey, Observation]]:
    """Yield the questions of a follow-up's source, each with the first answer of a system that could be read."""
    for answers in follow_up.answers:
        for turn, observation in answers.source.items():
            if observation.error is None and answers.repeat == 0:
                yield QuestionKey(answers.system, follow_up.source.task, follow_up.source.id, turn), observation


def _is_lacking(known: Repertoire | None) -> bool:
    """Return True if there are too few replies to a question, or too few questions in its block of sources."""
    if known is None:
        return False
    return is_little(len(known.question.siblings) + len(known.question.repeats), len(known.block.questions))


def is_little(replies: float, questions: int) -> bool:
    """Return True if there are too few replies to a question, or too few questions, for a judge that uses them all."""
    return replies < REPLIES or questions < QUESTIONS


def _is_worded_anew(known: Repertoire | None) -> bool:
    """Return True if the system reworded its answer when the same question was repeated."""
    if known is None or known.question.source is None:
        return False
    return any(reply.text != known.question.source.text for reply in known.question.repeats)


def _pairs_in_doubt(follow_up: FollowUp, judges: Judges) -> Iterator[QuestionKey]:
    """Yield the questions whose answer has another wording in the follow-up, if the verdict on it is still open."""
    for verdict in follow_up.verdicts:
        if verdict.decision is None and verdict.group is not None and _is_worded_otherwise(verdict.group):
            decides_by_replies = judges.of(verdict.relation, verdict.source.task).together
            if decides_by_replies and verdict.relation.expects != "other":
                yield QuestionKey(verdict.system, verdict.source.task, verdict.source.id, verdict.turn)


def _is_worded_otherwise(group: Group) -> bool:
    """Return True if a follow-up has another answer than its source. Annotated answers need no further replies."""
    return not group.directed and any(member.answer not in group.reference for member in group.members)


def _groups_in_doubt(follow_up: FollowUp, judges: Judges) -> Iterator[QuestionKey]:
    """Yield the questions whose versions, from several follow-ups, will later be judged as a group."""
    case = follow_up.source
    for relation in follow_up.alive:
        if relation.matching.grouping is Grouping.QUESTION and judges.of(relation, case.task).together:
            for answers in follow_up.answers:
                yield from (QuestionKey(answers.system, case.task, case.id, turn) for turn in answers.source)
