"""Sends a case to a system turn by turn, and parses the answers.

With `[judge] draws`, inputs are sent more often than the verdicts require, to show the distribution of the answers
(`distributions.py`). Verdicts do not depend on these additional answers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

from cachetools import LRUCache

from mutatis.campaign.follow_up import Observations
from mutatis.campaign.trajectory import ToolAnswers
from mutatis.core.cases import Case, Derivation
from mutatis.core.errors import EndUnknown, ExtensionFailure, NotRecorded, OfflineMiss, SystemFailure
from mutatis.core.relation import Grouping, MetamorphicRelation, Observation
from mutatis.core.system import Response
from mutatis.core.task import Task, Unparsable
from mutatis.core.transformation import asks_again
from mutatis.guarding import Guarded
from mutatis.query import QueryLayer

HISTORY_BROKEN = "history broken: "
"""First words of the reason for a turn that was not sent because an earlier one has no reply."""

REMEMBERED = 2048
"""Number of source cases whose observations stay in memory to be shared by their follow-ups."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A system under test, ready to be queried: its query layer and its tasks (with the user's prompts).

    `tools` provides the results of the tools that the system calls.
    """

    layer: QueryLayer
    tasks: Mapping[str, Task]
    tools: ToolAnswers = field(default_factory=ToolAnswers)

    @property
    def label(self) -> str:
        """The name of the system in reports."""
        return self.layer.system.label

    @property
    def takes_steps(self) -> bool:
        """True if the system receives the results of its tool calls.

        This excludes systems that keep track of their own dialogues, and answers read from files.
        """
        return self.layer.system.sees_results and not self.layer.stateful and not self.layer.free

    def most_steps(self, case: Case) -> int:
        """Return the maximum number of additional questions that tool steps can cause per question."""
        return self.tools.most_steps(case) if self.takes_steps else 0


def turns_asked(case: Case, wanted: Collection[int] | None, *, whole: bool) -> list[int]:
    """Return the turns of a case that must be sent in order to answer the turns in `wanted` (None: all turns).

    An earlier turn is also sent if the case has no reply to it, or if the system keeps track of the dialogue itself
    (`whole`).
    """
    if wanted is None:
        return list(case.asked)
    last = max(wanted, default=-1)
    return [i for i in case.asked if i in wanted or (i < last and (whole or case.turns[i].reply is None))]


class Pending(NamedTuple):
    """The observation of a source case, which may not be finished. `is_new` is True if it was started just now."""

    answers: asyncio.Task[Observations]
    is_new: bool


class Observer:
    """Sends cases to one system. Observations of sources are kept, so that all follow-ups of a source share them."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self._token_ids = target.layer.system.token_ids
        self._source_tokens: LRUCache[tuple[str, int], Any] = LRUCache(REMEMBERED)
        self._sources: LRUCache[tuple[str, str, int], asyncio.Task[Observations]] = LRUCache(REMEMBERED)

    def source(self, case: Case, repeat: int = 0) -> Pending:
        """Return the observation of a source case, which is started unless this has been done already."""
        key = (case.task, case.id, repeat)
        if key in self._sources:
            return Pending(self._sources[key], is_new=False)
        self._sources[key] = running = asyncio.create_task(self.observe(case, repeat))
        # If a run ends at its first failure (a budget, a full disk), nobody awaits the exceptions of the others.
        running.add_done_callback(lambda done: done.cancelled() or done.exception())
        return Pending(running, is_new=True)

    async def observe(self, case: Case, repeat: int = 0, wanted: Collection[int] | None = None) -> Observations:
        """Send the turns of a case, with the system's own answers as history.

        In the history, a fixed reply takes precedence over the answer, and an expected one stands for a missing one.
        `wanted` is passed on to `turns_asked`. If a turn has no answer, the turns after it are not sent. They fail
        because of the broken history, or for the same reason if the answer was merely not recorded.
        """
        asked = turns_asked(case, wanted, whole=self.target.layer.stateful)
        if self.target.layer.stateful:
            return await self._observe_stateful(case, repeat, sorted(asked))
        observations: dict[int, Observation] = {}
        answers: list[str] = []
        after_failure: Observation | None = None
        for index, turn in enumerate(case.turns):
            if index in asked and after_failure is not None:
                observations[index] = replace(after_failure, turn=index)
            elif index in asked:
                observations[index] = observation = await self.ask_turn(case, index, answers, repeat)
                case = _with_calls(case, index, observation.response)
                if observation.response is None:
                    reason = f"{HISTORY_BROKEN}turn {index + 1} failed" if observation.failed else observation.error
                    after_failure = replace(observation, questions=0, error=reason)
            answers.append(_reply(turn.reply, observations.get(index), turn.expected))
        return observations

    async def ask_turn(self, case: Case, turn: int, answers: Sequence[str], repeat: int = 0) -> Observation:
        """Send one turn, with the given answers to the earlier turns as history."""
        task = self.target.tasks[case.task]
        try:
            with Guarded("the prompt of task", task.name):
                conversation = task.converse(case, turn, answers)
            ask, questions = partial(self.target.layer.ask, repeat=repeat), 1
            if self.target.takes_steps:
                response, questions = await self.target.tools.followed(case, conversation, ask, repeat)
            else:
                response = await ask(conversation)
        except (SystemFailure, OfflineMiss) as error:
            return _unanswered(case, turn, error, repeat)
        observation = read_response(task, case, turn, response, repeat, tuple(answers))
        return observation if questions == 1 else replace(observation, questions=questions)

    def vacuous(self, source: Observations, follow_up: Observations) -> frozenset[int]:
        """Return the turns of a follow-up that the system cannot distinguish from the source's turns.

        These are turns that differ in text but have the same token ids. The result is empty unless the system offers
        `token_ids(fields)`, which returns its tokens after normalisation and truncation.
        """
        if (token_ids := self._token_ids) is None:
            return frozenset()
        same = set()
        for turn, observation in follow_up.items():
            case, original = observation.case, source.get(observation.case.origin(turn))
            if original is None or observation.error is not None or case.same_input(original.case):
                continue
            key = original.case.id, original.turn
            if key not in self._source_tokens:  # computed once for all follow-ups of the source
                self._source_tokens[key] = token_ids({**original.case.material, **original.asked.fields})
            if self._source_tokens[key] == token_ids({**case.material, **case.turns[turn].fields}):
                same.add(turn)
        return frozenset(same)

    async def _observe_stateful(self, case: Case, repeat: int, asked: Sequence[int]) -> Observations:
        task = self.target.tasks[case.task]
        # The bot keeps the dialogue, so it gets the turns alone. The dialogue is stored as a whole, under all of them.
        try:
            with Guarded("the prompt of task", task.name):
                conversations = [task.converse(case, index, [""] * index) for index in asked]
            responses = await self.target.layer.ask_dialogue(conversations, repeat)
        except (SystemFailure, OfflineMiss) as error:
            return {i: _unanswered(case, i, error, repeat) for i in asked}
        answers = tuple(response.said for response in responses)
        return {
            index: read_response(task, case, index, response, repeat, answers[:place])
            for place, (index, response) in enumerate(zip(asked, responses, strict=True))
        }


def read_response(
    task: Task, case: Case, turn: int, response: Response, repeat: int, history: tuple[str, ...] = ()
) -> Observation:
    """Return the observation for a response, parsed by its task. If parsing fails, it keeps the text and the error."""
    broken = None
    try:
        with Guarded("the parser of task", task.name, reports=Unparsable):
            response = replace(response, value=task.parse(response, case))
    except (Unparsable, ExtensionFailure) as error:
        broken = f"answer not parsed: {error}"
    return Observation(case=case, turn=turn, response=response, error=broken, repeat=repeat, history=history)


def _unanswered(case: Case, turn: int, error: Exception, repeat: int) -> Observation:
    return Observation(
        case=case,
        turn=turn,
        error=str(error),
        unrecorded=isinstance(error, NotRecorded),
        open=isinstance(error, EndUnknown),
        repeat=repeat,
    )


def _is_after_calls(response: Response) -> bool:
    """Return True if the system called tools and received all their results, so that its text is the final answer."""
    return bool(response.calls) and all(call.result is not None for call in response.calls)


def _with_calls(case: Case, turn: int, response: Response | None) -> Case:
    """Return the case with the tool calls of one turn, which are part of the input of later turns."""
    if response is None or not _is_after_calls(response):
        return case
    changed = replace(case.turns[turn], calls=response.calls)
    return replace(case, turns=(*case.turns[:turn], changed, *case.turns[turn + 1 :]))


def _reply(fixed: str | None, observation: Observation | None, expected: tuple[str, ...]) -> str:
    """Return the reply to a turn that later turns see: a fixed one, else the system's answer, else an expected one."""
    if fixed is not None:
        return fixed
    if observation is not None and observation.response is not None:
        response = observation.response
        return response.text if _is_after_calls(response) else response.said
    return expected[0] if expected else ""


RESERVED = 2
"""Number of repeat indices reserved after the run's own: one for the noise floor, one for confirming findings."""


def further(repeats: int, number: int) -> range:
    """Return the repeat indices for further answers to an input that the run itself sends `repeats` times.

    All callers that send an input again use these indices in order, so that they share the answers.

    >>> list(further(1, 3))
    [3, 4, 5]
    """
    return range(repeats + RESERVED, repeats + RESERVED + max(number, 0))


def shared(repeats: int, draws: int, number: int) -> list[int]:
    """Return the repeat indices for sending a source up to `number` more times.

    Indices that the run also uses for other purposes (further draws, the noise floor and confirming) come first, so
    that their answers are shared.

    >>> shared(1, 1, 5), shared(1, 3, 5), shared(3, 1, 1)
    ([1, 2, 3, 4, 5], [3, 4, 1, 2, 5], [3])
    """
    drawn = further(repeats, draws - repeats)
    new = range(drawn.stop, drawn.stop + number)
    return [*drawn, *range(repeats, repeats + RESERVED), *new][:number]


def indices(derivation: Derivation, relations: Iterable[MetamorphicRelation], *, repeats: int, draws: int) -> list[int]:
    """Return the repeat indices for sending a follow-up, which are the same as its source's.

    A follow-up that only repeats its source gets index 0, which the caller shifts to the index of the noise floor.
    """
    return [0] if asks_again(derivation) else source_indices(relations, repeats=repeats, draws=draws)


def source_indices(relations: Iterable[MetamorphicRelation], *, repeats: int, draws: int) -> list[int]:
    """Return the repeat indices for sending a source with these relations.

    It is sent more often than the run's own `repeats` if some relation expects the answer to stay the same.
    """
    return [*range(repeats), *(further(repeats, draws - repeats) if any(map(is_drawn, relations)) else ())]


def is_drawn(relation: MetamorphicRelation) -> bool:
    """Return True if a relation's follow-ups should get the same distribution of answers as their sources."""
    return relation.expects == "same" and relation.matching.grouping is Grouping.PAIR
