"""Sends a source to a system again before its block is judged, if the system has given too few replies to it.

A judge that uses all replies needs several for each question. The wording stays the same, so the same answer is
expected. The choice of questions depends only on the replies in the block and the order of the data, so neither
concurrency nor resuming a run changes anything.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from mutatis.campaign.allowance import Allowance
from mutatis.campaign.follow_up import FollowUp
from mutatis.campaign.judging import Judges
from mutatis.campaign.observe import Observer
from mutatis.campaign.repertoire_file import Which
from mutatis.campaign.repertoires import Repertoires
from mutatis.core.cases import Case
from mutatis.core.gathering import gathered
from mutatis.core.measure import QUESTIONS, REPLIES, Repertoire
from mutatis.core.relation import Grouping, Observation
from mutatis.loops import consecutively

Asked: TypeAlias = Mapping[Which, Observation]
"""Questions, each with the first answer of a system."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRepeats:
    """Sends sources again if there are too few replies to them.

    Attributes:
        observers: send questions to the systems.
        judges: decide which verdicts use all replies.
        allowance: the number of questions that may still be asked.
        indices: the repeat indices to use, one after the other. If empty, no source is sent again.
    """

    observers: Mapping[str, Observer]
    judges: Judges
    allowance: Allowance
    indices: Sequence[int]

    async def ask(
        self, block: Sequence[FollowUp], repertoires: Repertoires, tell: Callable[[int], None] = lambda _: None
    ) -> None:
        """Send again those sources in a block that have too few replies, and record the new replies.

        Each source is sent once more. If the system then rewords its answer, the source is repeated to collect further
        wordings. If it gives the same answer verbatim, more repeats would only make the words of this one answer look
        common.

        `tell` receives the number of additional questions, and a negative number for questions that turn out to be
        unnecessary.

        Raises:
            BudgetExceeded: the budget is spent.
        """
        doubtful = self._in_doubt(block) if self.indices else {}
        lacking = [which for which in doubtful if _is_lacking(repertoires.at_hand(which))]
        never_repeated = [which for which in lacking if set(self.indices).isdisjoint(repertoires.repeats(which))]
        await self._round(doubtful, dict.fromkeys(never_repeated, 1), repertoires, tell)
        rewording = {which.system for which in lacking if _is_worded_anew(repertoires.at_hand(which))}
        further = [which for which in lacking if which.system in rewording]
        await self._round(doubtful, dict.fromkeys(further, len(self.indices)), repertoires, tell)

    def _in_doubt(self, block: Iterable[FollowUp]) -> dict[Which, Observation]:
        """Return the questions whose answers differ in wording and whose judge uses all replies."""
        doubtful: dict[Which, Observation] = {}
        for follow_up in block:
            wanted = set(_pairs_in_doubt(follow_up, self.judges)) | set(_groups_in_doubt(follow_up, self.judges))
            for answers in follow_up.answers if wanted else ():
                for turn, observation in answers.source.items():
                    which = Which(answers.system, follow_up.source.task, follow_up.source.id, turn)
                    if which in wanted and observation.error is None and answers.repeat == 0:
                        doubtful.setdefault(which, observation)
        return doubtful

    async def _round(
        self, asked: Asked, wanted: Mapping[Which, int], repertoires: Repertoires, tell: Callable[[int], None]
    ) -> None:
        """Repeat the questions in `wanted` as often as requested there, as long as unused repeat indices are left."""
        units = list(self._units(wanted))
        work = []
        for unit in units:
            known = {repeat for which in unit for repeat in repertoires.repeats(which)}
            left = [repeat for repeat in self.indices if repeat not in known]
            repeats = left[: max(wanted[which] for which in unit)]
            work.append(self._again([asked[which] for which in unit], unit, repeats, tell))
            tell(self._questions(asked[unit[0]].case, unit, repeats))
        if work:
            results = await asyncio.gather(*work, return_exceptions=True)
            # Even if one fails, the replies to the others are kept, because they are paid for.
            replies_of_units = [result for result in results if not isinstance(result, BaseException)]
            repertoires.add_repeats(reply for replies in replies_of_units for reply in replies)
            for result in results:
                if isinstance(result, BaseException):
                    raise result

    def _units(self, wanted: Iterable[Which]) -> Iterator[list[Which]]:
        """Yield the questions that must be sent together: one, or a whole dialogue if the system keeps its state."""
        by_state = gathered(wanted, lambda which: self.observers[which.system].target.layer.stateful)
        yield from ([which] for which in by_state.get(False, []))
        yield from gathered(by_state.get(True, []), lambda which: (which.system, which.task, which.source)).values()

    def _questions(self, case: Case, unit: Sequence[Which], repeats: Sequence[int]) -> int:
        """Return the number of questions needed to repeat these questions once, without tool steps."""
        whole = self.observers[unit[0].system].target.layer.stateful
        return len(repeats) * (len(case.asked) if whole else 1)

    async def _again(
        self, asked: Sequence[Observation], unit: Sequence[Which], repeats: Sequence[int], tell: Callable[[int], None]
    ) -> list[tuple[Which, Observation]]:
        """Repeat questions that must be sent together, under each of these indices, if they fit the allowance."""
        observer, case, turn = self.observers[unit[0].system], asked[0].case, asked[0].turn
        whole = observer.target.layer.stateful
        questions = self._questions(case, unit, repeats)
        least = 1 if observer.target.layer.free else max(1, questions)  # 1, because 0 would count as refused
        most = least * (1 + observer.target.most_steps(case))
        async with self.allowance.room(lambda: most, least) as granted:
            if not granted or not repeats:
                tell(-questions)
                return []
            if whole:
                dialogues = await asyncio.gather(*(observer.observe(case, repeat) for repeat in repeats))
                return [(which, observations[which.turn]) for observations in dialogues for which in unit]
            history = asked[0].history
            work = (observer.ask_turn(case, turn, history, repeat) for repeat in repeats)
            # If the budget may end among tool steps, the place must not depend on which answer comes first.
            observations = await (consecutively(work) if granted < most else asyncio.gather(*work))
            tell(sum(observation.questions for observation in observations) - questions)  # tool steps, known only now
            return [(unit[0], observation) for observation in observations]


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


def _pairs_in_doubt(follow_up: FollowUp, judges: Judges) -> Iterator[Which]:
    for verdict in follow_up.verdicts:
        group = verdict.group
        if verdict.decision is not None or group is None or group.directed or verdict.relation.expects == "other":
            continue
        differs = any(member.answer not in group.reference for member in group.members)
        if differs and judges.of(verdict.relation, verdict.source.task).together:
            yield Which(verdict.system, verdict.source.task, verdict.source.id, verdict.turn)


def _groups_in_doubt(follow_up: FollowUp, judges: Judges) -> Iterator[Which]:
    """Yield the questions whose versions, from several follow-ups, will later be judged as a group."""
    case = follow_up.source
    for relation in follow_up.alive:
        if relation.matching.grouping is Grouping.QUESTION and judges.of(relation, case.task).together:
            for answers in follow_up.answers:
                yield from (Which(answers.system, case.task, case.id, turn) for turn in answers.source)
