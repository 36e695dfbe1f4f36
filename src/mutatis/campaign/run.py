"""The main loop: makes, sends and judges batches of proposals. The order is fixed, whichever answer comes first."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial

from mutatis.campaign.allowance import Allowance
from mutatis.campaign.cost import Forecast, Pricing, annotated, plan_of, unchanged
from mutatis.campaign.distributions import Distributions
from mutatis.campaign.events import (
    SEARCH,
    Event,
    FollowUpMade,
    Listener,
    PhaseStarted,
    SourceClosed,
    SourceObserved,
)
from mutatis.campaign.follow_up import Answers, FollowUp, Maker, Observations, concerned, invalid, missing
from mutatis.campaign.judging import Judges, judge_all, tell_apart
from mutatis.campaign.learning import Learner, needs_memory, with_understanding
from mutatis.campaign.matching import Questions, pairs, refusals
from mutatis.campaign.measuring import measurements, queries
from mutatis.campaign.observe import Observer, Pending, Target, indices, shared
from mutatis.campaign.repertoires import SOURCES, Blocks, Repertoires
from mutatis.campaign.source_repeats import SourceRepeats
from mutatis.core.cases import Case, Derivation, Turn
from mutatis.core.constraint import RECORDED, Stage
from mutatis.core.decision import Decision, Outcome
from mutatis.core.dictionary import NO_ENTRIES, Parameters
from mutatis.core.errors import BudgetExceeded, UnusableFollowUp, UsageError
from mutatis.core.search import (
    Measurements,
    Proposal,
    Search,
    Source,
    all_different,
    look_at,
    note_asked,
    relations_of,
)
from mutatis.core.system import Helper
from mutatis.core.transformation import asks_again, completed_by, explores, reads_answer
from mutatis.guarding import Guarded, is_shipped
from mutatis.loops import abandon, consecutively, give_way, together

SUPPORTED = f"{Stage.SOURCE_OUTPUT.value}: supports what the follow-up says about it"
"""Name of the precondition that the answer to the source supports every statement in the follow-up about it."""

OVERLAP = 3
"""Number of batches in progress at once for a search that does not learn."""


@dataclass(kw_only=True)
class Loop:
    """Runs searches with the given systems, judges and helper, sending every input `repeats` times.

    The repeat indices 0 to repeats-1 belong to the run itself, `repeats` to the noise floor and `repeats`+1 to
    confirming.

    Three parts are optional. `repertoires` collects replies for judges that use all replies of a system. `learner`
    sends some sources first and keeps the dictionary that follow-ups use. `distributions` receives `draws` answers to
    each input, including the run's own. A source with too few replies is sent again up to `source_repeats` times,
    starting with the indices of the noise floor and confirming.
    """

    targets: Sequence[Target]
    judges: Judges
    helper: Helper | None = None
    seed: int = 0
    repeats: int = 1
    listeners: Sequence[Listener] = ()
    repertoires: Repertoires | None = None
    source_repeats: int = 0
    draws: int = 1
    distributions: Distributions | None = None
    learner: Learner | None = None
    stopped: str | None = field(init=False, default=None)
    matched: set[str] = field(init=False, default_factory=set)
    languages: set[str] = field(init=False, default_factory=set)
    _forecast: Forecast = field(init=False)
    _names_differ: bool = field(init=False, default=False)
    _known: set[tuple[str, str, str, int]] = field(init=False, default_factory=set)
    _refused: list[Proposal] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        # Proposals are finished in their order: were all of a batch begun at once, a budget that ends in the middle of
        # it would leave many half-asked dialogues and no verdict.
        self._room = asyncio.Semaphore(2 * max(target.layer.concurrency for target in self.targets))
        self.allowance = Allowance(self.targets[0].layer.spending)  # all layers of a run spend one budget
        self.observers = {target.label: Observer(target) for target in self.targets}
        self.maker = Maker(seed=self.seed, helper=self.helper)
        self.pricing = Pricing(targets=self.targets, repeats=self.repeats, draws=self.draws)
        self._again = SourceRepeats(
            observers=self.observers, judges=self.judges, allowance=self.allowance,
            indices=shared(self.repeats, self.draws, self.source_repeats),
            expect=lambda questions: self._forecast.ask_again(questions),
        )  # fmt: skip

    def knows(self, source: Source) -> bool:
        """Return True if a system has already answered this source, in a run with a budget."""
        return any((label, source.task, source.case.id, 0) in self._known for label in self.observers)

    @contextmanager
    def until_spent(self) -> Iterator[None]:
        """Stop the run, with the reason in `stopped`, if the budget is spent while the `with` block runs."""
        try:
            yield
        except BudgetExceeded as spent:
            self.stopped = str(spent)

    def emit(self, event: Event) -> None:
        """Send an event to every listener."""
        for listener in self.listeners:
            listener(event)

    async def run(
        self,
        search: Search,
        sources: Sequence[Source],
        *,
        phase: str = SEARCH,
        more: Callable[[], bool] = lambda: False,
    ) -> None:
        """Run one search over `sources` until it ends or the budget is used up (then `stopped` has the reason).

        Batches are answered in turn. They are judged in blocks of many sources if a judge compares all replies of a
        system, else at once.

        Afterwards, `matched` names the relations that applied to any proposal, and `languages` the languages of their
        sources. `more` is called when the allowance is used up and all results have been sent. If it returns True, the
        search continues with a larger allowance.

        Raises:
            UsageError: the search proposes a follow-up that no relation of the run accepts.
        """
        self._begin(search, sources, phase)
        if self.learner is not None and phase == SEARCH:
            await self._learn(self.learner, sources)
        names = set(relations_of(sources))
        questions = Questions()
        repertoires = self.repertoires if phase == SEARCH else None  # later phases go by what the search collected
        judges_at_once = repertoires is None or search.learns
        blocks = Blocks(0 if judges_at_once else SOURCES)
        in_progress: deque[asyncio.Task[list[FollowUp | None]]] = deque()
        try:
            goes_on = True
            while goes_on:
                while (answered := await self._next_answered(search, in_progress, names)) is not None:
                    self._note(search, answered)
                    for block in blocks.add(answered):
                        await self._finish_block(search, block, questions, repertoires)
                await self._finish_block(search, blocks.rest(), questions, repertoires)
                goes_on = self.stopped is None and self.allowance.ended and more()
            await self._close(questions)
        finally:
            await abandon(in_progress)

    def _begin(self, search: Search, sources: Sequence[Source], phase: str) -> None:
        """Announce a phase with the forecast of its questions, and forget the state of the phase before."""
        is_search = phase == SEARCH
        repeats = self.judges.is_together if is_search and self._again.indices else lambda _: False
        plan = plan_of(search, sources, self.pricing, asks_sources=is_search, repeats=repeats)
        self._forecast = Forecast(
            search=search, sources=len(sources), pricing=self.pricing, allowance=self.allowance, plan=plan
        )
        self.emit(PhaseStarted(name=phase, questions=self._forecast.total))
        self._names_differ = all_different(sources)
        self._refused.clear()

    async def _next_answered(
        self, search: Search, in_progress: deque[asyncio.Task[list[FollowUp | None]]], names: set[str]
    ) -> list[FollowUp] | None:
        """Return the answered follow-ups of the next batch, or None if the search has no more proposals for now.

        Further batches are begun first, so that several are in progress. There is only one if the search learns from
        each batch, or if a budget must know what judging a batch costs before it admits the next.
        """
        most = 1 if search.learns or self.allowance.limit is not None else OVERLAP
        while len(in_progress) < most and (batch := self._next(search)):
            begun = [FollowUp(proposal=proposal, relations=concerned(proposal)) for proposal in batch]
            self._forecast.propose(begun)
            for follow_up in begun:
                self.matched |= fitting(follow_up, names)
                self.languages.add(follow_up.source.language)
            in_progress.append(asyncio.create_task(self._process(begun)))
        if not in_progress:
            return None
        return [follow_up for follow_up in await in_progress.popleft() if follow_up is not None]

    async def _learn(self, learner: Learner, sources: Sequence[Source]) -> None:
        """Send some sources before anything else, so that follow-ups can use facts from the answers."""
        chosen = learner.chosen(sources, self.allowance.limit, self.seed)
        for follow_up in await self._process([FollowUp(proposal=look_at(source), relations=()) for source in chosen]):
            if follow_up is not None:
                for event in follow_up.events:
                    self.emit(event)
                learner.add(follow_up)
        self._refused.clear()  # a source that did not fit is asked with its first follow-up
        learner.finish()
        self.maker.dictionaries = list(learner.dictionaries.values())
        if any(needs_memory(source) for source in chosen):
            with self.until_spent():
                for label, dictionary in sorted(learner.dictionaries.items()):
                    ask = partial(self._replies, label, chosen[0].case)
                    learner.dictionaries[label] = await with_understanding(dictionary, ask)

    async def _replies(self, label: str, example: Case, texts: Sequence[str]) -> list[str]:
        """Send a dialogue of these texts to a system, in a case like the example, and return its replies."""
        field = next(iter(example.turns[0].fields))
        turns = tuple(Turn(fields={**example.turns[0].fields, field: text}) for text in texts)
        case = replace(example, id="memory", turns=turns, ask_turns=None)
        observations = await self.observers[label].observe(case)
        return [observation.response.text for observation in observations.values() if observation.response is not None]

    def _next(self, search: Search) -> Sequence[Proposal]:
        """Return the next batch of proposals, beginning with any refused before the allowance was increased."""
        if self.stopped is not None or self.allowance.ended:
            return ()
        refused, self._refused = self._refused, []
        if refused:
            return refused
        with _guarded(search):
            return search.ask()

    def _note(self, search: Search, answered: Sequence[FollowUp]) -> None:
        """Report to the search which proposals were sent and which were refused.

        This happens only in a run with a budget, and only while no results that could influence the search are pending.
        """
        if self.allowance.limit is None:
            return
        for follow_up in answered:
            with _guarded(search):
                note_asked(search, follow_up.proposal, asked=bool(follow_up.answers))

    async def _finish_block(
        self, search: Search, block: Sequence[FollowUp], questions: Questions, repertoires: Repertoires | None
    ) -> None:
        """Judge a block of follow-ups and send its events.

        `repertoires` is None if no judge compares all replies of a system. Otherwise, the replies of the block are
        added to it, and sources with too few replies are asked again first.
        """
        if not block:
            return
        if repertoires is not None:
            await repertoires.take(block)
            self._forecast.judge(sum(follow_up.proposal.closes for follow_up in block))
            with self.until_spent():
                await self._again.ask(block, repertoires)
        await self._judge_block(block)
        for number, follow_up in enumerate(block):
            await give_way(number)  # a block of sources takes a tenth of a second
            await self._finish_follow_up(search, follow_up, questions)
        if repertoires is not None:
            repertoires.release()

    async def _finish_follow_up(self, search: Search, follow_up: FollowUp, questions: Questions) -> None:
        """Send the events of a judged follow-up, and its results to the search.

        If it is the last one of its source, judge the source's question groups and close the source.
        """
        proposal = follow_up.proposal
        for event in (*follow_up.events, *follow_up.verdicts):
            self.emit(event)
        questions.add(follow_up)
        if self.distributions is not None:
            self.distributions.add(follow_up)
        measured = measurements(follow_up) if search.learns else Measurements(queries=queries(follow_up))
        with _guarded(search):
            search.tell(proposal, follow_up.verdicts, measured)
        if proposal.closes:
            await self._close(questions, (proposal.source.task, proposal.source.case.id))
            if self._names_differ:  # else another source of the same name may still be open
                self.emit(SourceClosed(case=proposal.source.case))

    async def _close(self, questions: Questions, source: tuple[str, str] | None = None) -> None:
        """Judge the question groups of a source and summarise its answers. None closes all sources still open."""
        for verdict in await judge_all(questions.close(source), self.judges):
            self.emit(verdict)
        if self.distributions is not None:
            for unstable in await self.distributions.close(source):
                self.emit(unstable)

    async def _process(self, begun: Sequence[FollowUp]) -> list[FollowUp | None]:
        """Make and send the follow-ups of a batch. Return them in order, with None for each one that was not sent."""
        tasks = [asyncio.create_task(self._within_budget(follow_up)) for follow_up in begun]
        try:
            return await asyncio.gather(*tasks)
        except BaseException:
            await abandon(tasks)  # where one fails for good, the others ask nothing more
            raise

    async def _judge_block(self, follow_ups: Sequence[FollowUp]) -> None:
        """Judge a block of follow-ups, and tell the effects of edits in different turns apart.

        Blocks are judged in order, so that a judge with a budget of its own spends it in that order.
        """
        verdicts = [verdict for follow_up in follow_ups for verdict in follow_up.verdicts]
        judged = iter(await judge_all(verdicts, self.judges))
        for follow_up in follow_ups:
            follow_up.verdicts = [next(judged) for _ in follow_up.verdicts]
        violated = (
            follow_up for follow_up in follow_ups if any(v.outcome is Outcome.VIOLATED for v in follow_up.verdicts)
        )
        await together(*map(self._tell_apart, violated))

    async def _tell_apart(self, follow_up: FollowUp) -> None:
        """Mark the violations of a follow-up that are due to the edit of an earlier turn, as far as the budget goes."""
        with self.until_spent():
            for observer in self.observers.values():
                await tell_apart(follow_up, observer, self.maker, self.judges)
        self._forecast.ask_again(follow_up.asked_beside)

    async def _within_budget(self, follow_up: FollowUp) -> FollowUp | None:
        """Return the follow-up once it is answered, or None if it would have exceeded the allowance or the budget."""
        with self.until_spent():
            least = self._question_limit(follow_up, steps=False)
            async with self._room, self.allowance.room(lambda: self._question_limit(follow_up), least) as granted:
                if granted:
                    follow_up.in_turn = granted < self._question_limit(follow_up)
                    self._forecast.begin(follow_up)
                    await self._observe(follow_up)
                    self._forecast.settle(follow_up)
                    return follow_up
                self._refused.append(follow_up.proposal)
        return None

    def _question_limit(self, follow_up: FollowUp, *, steps: bool = True) -> int:
        """Return the maximum number of questions for a follow-up, at least 1.

        Questions to a helper that acts as a judge do not count.
        """
        if self.allowance.limit is None:
            return 1  # nobody counts them
        source, relations, paid = follow_up.proposal.source, follow_up.relations, self.pricing.paid
        cost = paid.follow_up(follow_up.proposal, relations)
        if not cost.most and not follow_up.proposal.looks:
            return 1  # it is refused before anything is asked
        cost.include(annotated(relations))
        for target in paid.asked(source):
            cost.include(unchanged(target, source.case, self._unknown(target.label, follow_up)))
        return max(1, cost.all(steps=steps))

    def _unknown(self, label: str, follow_up: FollowUp) -> int:
        """Return how many of a system's answers to the source are still missing."""
        case = follow_up.source
        return sum((label, case.task, case.id, repeat) not in self._known for repeat in self._indices(follow_up))

    def _indices(self, follow_up: FollowUp) -> list[int]:
        derivation = follow_up.proposal.derivation
        return indices(derivation, follow_up.relations, repeats=self.repeats, draws=self.draws)

    async def _observe(self, follow_up: FollowUp) -> None:
        """Derive a follow-up and send it to the systems. The verdicts are decided later."""
        labels = [label for label in self.observers if follow_up.proposal.source.concerns(label)]
        if follow_up.proposal.looks:
            await self._for_each_system(follow_up, (self._observe_source(label, follow_up) for label in labels))
            return
        await self.maker.check_source(follow_up)
        if reads_answer(follow_up.proposal.derivation) and follow_up.alive:
            for label in labels:
                await self._send_made_from_answer(follow_up, label)
        else:
            await self._make_and_send(follow_up, labels)

    async def _send_made_from_answer(self, follow_up: FollowUp, label: str) -> None:
        """Make the follow-up from the answer of one system to the source, and send it to this system.

        Each system gets a follow-up of its own, whose results are added to `follow_up`.
        """
        of_system = FollowUp(proposal=follow_up.proposal, relations=follow_up.relations)
        completed = await self._completed(follow_up, label)
        if isinstance(completed, Derivation):
            of_system.proposal = replace(follow_up.proposal, derivation=completed)
        else:
            of_system.refuse(of_system.relations, completed)
        await self._make_and_send(of_system, [label])
        follow_up.include(of_system)

    async def _completed(self, follow_up: FollowUp, label: str) -> Derivation | Decision:
        """Return the derivation, completed from a system's answer to the source and from the dictionaries.

        If that is impossible, return the decision that the follow-up cannot be made.
        """
        observation = (await self._source(label, follow_up)).get(len(follow_up.source.turns) - 1)
        if observation is None:
            return invalid(f"{Stage.SOURCE_INPUT.value}: {RECORDED}", "source: its last turn is not asked")
        if observation.response is None or observation.error is not None:
            return missing(observation, Stage.SOURCE_INPUT, "source")
        derivation = follow_up.proposal.derivation
        dictionaries = [NO_ENTRIES] if self.learner is None else self.learner.in_turn(label)
        complete = partial(  # an edit that explores completes its earlier draws by it, too, and then builds on them
            completed_by,
            question=observation.asked.text,
            answer=observation.response.text,
            dictionaries=dictionaries,
            language=follow_up.source.language,
        )
        try:
            seen = await self._earlier_draws(follow_up, label, complete) if explores(derivation) else []
            return complete(derivation, seen=seen)
        except UnusableFollowUp as unusable:
            return invalid(SUPPORTED, str(unusable))

    async def _earlier_draws(
        self, follow_up: FollowUp, label: str, complete: Callable[..., Derivation]
    ) -> list[tuple[Parameters, str]]:
        """Return the parameters of the draws before this one, each with the system's reply to it.

        Each draw builds on those before it, so all are repeated. Their replies are stored or pending by now. The first
        step is the one that explores.

        Raises:
            UnusableFollowUp: an earlier draw has no reply.
        """
        derivation = follow_up.proposal.derivation
        earlier: list[tuple[Parameters, str]] = []
        for draw in range(derivation.draw):
            completed = complete(replace(derivation, draw=draw), seen=earlier)
            reply = await self._reply_to(follow_up, label, completed)
            if reply is None:
                raise UnusableFollowUp("an earlier step was not answered")
            earlier.append((completed.steps[0].parameters, reply))
        return earlier

    async def _reply_to(self, follow_up: FollowUp, label: str, derivation: Derivation) -> str | None:
        """Return the reply of a system to an earlier draw of a follow-up, or None if it failed."""
        case = await self.maker.derived(follow_up.source, derivation)
        pending = self.observers[label].source(case)  # shared by the draws that come after it
        last = (await asyncio.shield(pending.answers)).get(len(case.turns) - 1)
        return None if last is None or last.response is None else last.response.text

    async def _make_and_send(self, follow_up: FollowUp, labels: Sequence[str]) -> None:
        """Make a follow-up, send it to the systems that no refusal excludes, and add its verdicts."""
        for label in labels:
            hidden = self.observers[label].target.tasks[follow_up.source.task].hidden
            answered = partial(self._source, label, follow_up)
            await self.maker.check_answers(follow_up, label, hidden, answered)
        willing = [label for label in labels if follow_up.concerns(label)]
        if willing:
            await self.maker.make(follow_up)
        if follow_up.case is not None and follow_up.alive:
            await self._send(follow_up, follow_up.case, willing)
        for label in labels:
            follow_up.verdicts += refusals(follow_up, label, asked=label in willing)
        for answers in follow_up.answers:
            follow_up.verdicts += await pairs(follow_up, answers, self.maker)

    async def _send(self, follow_up: FollowUp, case: Case, labels: Sequence[str]) -> None:
        """Send a follow-up that has been made to these systems, and sort their answers in the same order."""
        names = tuple(relation.name for relation in follow_up.alive)
        follow_up.events.append(
            FollowUpMade(source=follow_up.source, case=case, relations=names, systems=tuple(labels))
        )
        if any(self.observers[label].target.tools.layers for label in labels):
            # Results of all sources first: what a follow-up is told must not depend on which system is faster.
            await self._for_each_system(follow_up, (self._source(label, follow_up) for label in labels))
        await self._for_each_system(follow_up, (self._ask(label, case, follow_up) for label in labels))
        follow_up.answers.sort(key=lambda answers: (labels.index(answers.system), answers.repeat))

    async def _for_each_system(self, follow_up: FollowUp, work: Iterable[Awaitable[object]]) -> None:
        """Await the work for all systems: together, or one after the other if the budget may run out."""
        await (consecutively(work) if follow_up.in_turn else together(*work))

    async def _observe_source(self, label: str, follow_up: FollowUp) -> None:
        """Send only the source to a system, as often as a follow-up would be sent."""
        for repeat in range(self.repeats):  # how far answers disagree is known where a move is chosen
            source = await self._source(label, follow_up, repeat)
            follow_up.answers.append(Answers(system=label, source=source, follow_up={}, repeat=repeat))

    async def _source(
        self, label: str, follow_up: FollowUp, repeat: int = 0, pending: Pending | None = None
    ) -> Observations:
        """Return the answers of a system to a follow-up's source, which is sent unless this has been done already.

        `pending` is the observation if it has been started for this follow-up. New answers become events.
        """
        case = follow_up.source
        answers, is_new = pending or self.observers[label].source(case, repeat)
        observations = answers.result() if answers.done() else await asyncio.shield(answers)
        if self.allowance.limit is not None:
            self._known.add((label, case.task, case.id, repeat))
        if is_new:
            self._forecast.note_source(observations.values())
        if is_new and repeat < self.repeats:
            follow_up.events.append(SourceObserved(system=label, case=case, observations=observations, repeat=repeat))
        return observations

    async def _ask(self, label: str, case: Case, follow_up: FollowUp) -> None:
        """Send a follow-up and its source to a system, as often as needed, and keep the answers.

        The answers to an equal question are stored under its repeat index. With two repeats, those at 0 and 1 are
        judged, and further ones are only draws. A follow-up that asks its source's own question again would get the
        stored answer of the source. It is therefore sent under index 2, as the noise floor is.
        """
        proposal, observer = follow_up.proposal, self.observers[label]
        wanted, again = proposal.wanted(case), asks_again(proposal.derivation)
        shift = self.repeats if again else 0
        for repeat in self._indices(follow_up):
            pending = observer.source(follow_up.source, repeat)  # on its way while the follow-up is asked
            if follow_up.in_turn:
                await asyncio.wait([pending.answers])
            try:
                answered = await observer.observe(case, repeat + shift, wanted)
            except BudgetExceeded:
                await asyncio.wait([pending.answers])  # it is paid for
                raise
            source = await self._source(label, follow_up, repeat, pending)
            vacuous = frozenset[int]() if again else observer.vacuous(source, answered)
            answers = Answers(system=label, source=source, follow_up=answered, repeat=repeat, vacuous=vacuous)
            if repeat < self.repeats:
                follow_up.answers.append(answers)
            else:
                follow_up.draws.append(answers)


def _guarded(search: Search) -> AbstractContextManager[object]:
    """Return a context manager that turns exceptions in a user's search into a UsageError.

    For a built-in search it does nothing, because exceptions there are our own bugs.
    """
    return nullcontext() if is_shipped(search) else Guarded("search", type(search).__name__, needed=True)


def fitting(follow_up: FollowUp, names: set[str]) -> set[str]:
    """Return the names of the relations that judge a follow-up. `names` are the names of the run's relations.

    A proposal that only looks at its source needs none.

    Raises:
        UsageError: no relation judges it, or one that does is not in the run.
    """
    proposal = follow_up.proposal
    names_here = {relation.name for relation in follow_up.relations}
    if proposal.looks or (names_here and names_here <= names):
        return names_here
    source, steps = proposal.source, ", ".join(step.transformation for step in proposal.derivation.steps) or "nothing"
    where = f"the search proposes {steps} on {source.case.id}"
    if foreign := sorted(names_here - names):
        raise UsageError(
            f"{where}, which is judged by {', '.join(foreign)}, but this run has no such relation; add it to the run"
        )
    judging = ", ".join(relation.name for relation in source.relations) or "none"
    raise UsageError(
        f"{where}, but none of the case's relations accepts this change ({judging}); add a relation that does, or "
        "limit the search to changes that they accept"
    )
