"""Runs the searches that choose their own edits, with several episodes at a time.

An episode is one source, turn by turn. With several in progress, systems can be asked many questions at once. Each
source is first asked unchanged, so that its original answers are known when an edit is chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from mutatis.extending import (
    Derivation,
    Measurements,
    Outcome,
    Part,
    Proposal,
    Reading,
    Source,
    Step,
    UsageError,
    Verdict,
    check_word,
    generator,
)
from mutatis.rltest4chatbot.edits import turn_rates
from mutatis.rltest4chatbot.rewards import MoveResult
from mutatis.rltest4chatbot.space import Move, Site, Space, action_of

Attack = Literal["cumulative", "non-cumulative", "hybrid"]
"""The dialogue before later turns: their edited versions, the clean turns, or either with probability 0.5."""


class Policy:
    """Chooses a search's moves. By default, it does not learn, and tries one move at each turn of an episode.

    The same results in the same order must always lead to the same moves. A policy defines `move`, or `moves` if it
    chooses for several turns together.
    """

    def moves(self, sites: Sequence[Site]) -> list[Move]:
        """Return one move (an edit to try) for each of these turns."""
        return [self.move(site) for site in sites]

    def move(self, site: Site) -> Move:
        """Return the move for one turn."""
        raise NotImplementedError

    def learn(self, trials: Sequence[MoveResult]) -> None:
        """Learn from the results of moves (edits tried), in the order of choice."""

    def stays(self, trial: MoveResult) -> bool:
        """Return True if another edit should be tried at the same turn before the episode continues."""
        return False

    def freeze(self) -> None:
        """Stop learning and random exploration, to test what was learnt."""

    def close(self) -> None:
        """Clean up at the end of the search. This may be called more than once."""


@dataclass(slots=True)
class _Lane:
    """An episode in progress.

    Attributes:
        source: the source that the episode runs through.
        episode: number of episodes begun before this one.
        variant: the fields that are edited.
        turns: the turns that remain, the current one first.
        tries: number of moves already tried at the current turn.
        before: the steps of the last try at the current turn.
        context: the steps of the earlier turns that stay edited.
    """

    source: Source
    episode: int
    variant: tuple[str, ...]
    turns: list[int]
    tries: int = 0
    before: tuple[Step, ...] = ()
    context: dict[int, tuple[Step, ...]] = field(default_factory=dict)


class Explorer:
    """A search that runs through its sources repeatedly and tries a policy's moves (edits).

    It ends when the allowed number of proposals is used up. A caller that runs several searches in sequence sets
    `part`, which states the purpose of their proposals.

    Args:
        sources: the sources to search; each needs a relation that accepts the moves of the space.
        space: the moves that are possible at a turn.
        policy: chooses the moves.
        proposals: number of follow-ups to try.
        attack: whether earlier turns stay edited when later turns of a dialogue are asked.
        lanes: number of episodes in progress at a time.
        seed: seed for the order of sources and for hybrid contexts.
        rates: "all" if answers do not influence the choice of moves, so that the rates of the run are estimates.

    Raises:
        UsageError: a source has no relation that judges any move, or no turn with any text, or `attack` is unknown.
    """

    learns = True

    def __init__(
        self,
        sources: Sequence[Source],
        space: Space,
        policy: Policy,
        *,
        proposals: int,
        attack: Attack = "hybrid",
        lanes: int = 16,
        seed: int = 0,
        rates: Literal["all", "none"] = "none",
    ) -> None:
        check_word("attack", attack, get_args(Attack))
        self._variants = {self._name(source): _variants(space, source) for source in sources}
        self._space, self._policy, self._attack, self._seed = space, policy, attack, seed
        self.rates = rates
        self.part: Part = ""  # set by `LearnThenTest`
        self._sources = [source for source in sources if any(_has_text(source, turn) for turn in source.case.asked)]
        self._remaining = proposals
        if not self._sources:
            raise UsageError("no source has a judged turn with text, so there is nothing to edit")
        self._clean: dict[str, dict[int, list[Reading]]] = {}  # by source and turn
        self._tried_texts: dict[str, set[str]] = {}
        self._next_episodes = self._episodes()
        self._lanes = [next(self._next_episodes) for _ in range(min(lanes, len(self._sources)))]
        self._asked: dict[int, tuple[_Lane, Site, Move]] = {}  # by the id of the proposal that tries the move
        self._trials: list[MoveResult] = []

    @property
    def proposals_to_come(self) -> int:
        """The number of follow-ups that the search has yet to propose."""
        return self._remaining

    def ask(self) -> Sequence[Proposal]:
        """Return a proposal for each episode: the policy's next edit, or the source unchanged."""
        if self._trials:
            self._policy.learn(self._trials)
            self._trials = []
        self._asked = {}
        if self._remaining <= 0:
            self._policy.close()
            return []
        return self._clean_proposals() or self._tries()

    def tell(self, proposal: Proposal, verdicts: Sequence[Verdict], measurements: Measurements) -> None:
        """Record a source's answers before any edit, or the result of a move."""
        if proposal.looks:
            readings: dict[int, list[Reading]] = {}
            for turn in measurements.turns:
                if turn.clean is not None:
                    readings.setdefault(turn.turn, []).append(turn.clean)
            self._clean[self._name(proposal.source)] = readings
            return
        trial = self._trial(proposal, verdicts, measurements)
        self._trials.append(trial)
        lane, site, move = self._asked[id(proposal)]
        if self._policy.stays(trial):
            lane.tries, lane.before = lane.tries + 1, move.steps
        else:
            self._advance(lane, site, move, keep_edit=trial.valid)

    def _trial(self, proposal: Proposal, verdicts: Sequence[Verdict], measured: Measurements) -> MoveResult:
        """Return the result of a move, and remember its text as tried at this turn."""
        lane, site, move = self._asked[id(proposal)]  # under a budget, results may come in another order
        text, later_turns = measured.texts.get(site.turn, ""), lane.turns[1:]
        is_edited = site.turn in measured.texts
        tried = self._tried_texts.setdefault(site.key, set())
        is_new = text not in tried
        tried.add(text)
        violations = [verdict for verdict in verdicts if verdict.outcome is Outcome.VIOLATED]
        return MoveResult(
            site=site,
            move=move,
            valid=measured.valid and any(verdict.outcome is not Outcome.INVALID for verdict in verdicts),
            rates=turn_rates(site.source.case, proposal.derivation, site.turn, text) if is_edited else None,
            moved=_changes_of_uncertainty(measured),
            violated=bool(violations),
            inherited=bool(violations) and all(verdict.inherited for verdict in violations),
            text=text,
            fresh=is_new,
            queries=measured.queries,
            last=not any(turn in lane.source.case.asked for turn in later_turns),
        )

    def _clean_proposals(self) -> list[Proposal]:
        """Start a new episode for every one that has ended, and return proposals that ask the new sources unchanged."""
        proposals = []
        for place, lane in enumerate(self._lanes):
            if not lane.turns:
                self._lanes[place] = lane = next(self._next_episodes)
            if self._name(lane.source) not in self._clean:
                derivation = Derivation(source=lane.source.case.id, steps=(), variant=lane.variant)
                proposals.append(Proposal(source=lane.source, derivation=derivation))
        return proposals

    def _tries(self) -> list[Proposal]:
        """Return a proposal for each episode: the policy's move at its next judged turn.

        A lane holds one episode and the turns left in it, and a site is the turn to edit. Turns before it that are not
        judged are edited as its context, but no policy learns from them.
        """
        while True:
            lanes = [lane for lane in self._lanes if lane.turns]
            at_context = [lane for lane in lanes if lane.turns[0] not in lane.source.case.asked]
            if not at_context:
                break
            sites = list(map(self._site, at_context))
            for lane, site, move in zip(at_context, sites, self._policy.moves(sites), strict=True):
                self._advance(lane, site, move, keep_edit=self._space.broken(site, move.steps) is None)
        lanes = lanes[: self._remaining]
        sites = list(map(self._site, lanes))
        self._remaining -= len(lanes)
        proposals = []
        for lane, site, move in zip(lanes, sites, self._policy.moves(sites), strict=True):
            proposals.append(self._proposal(lane, site, move))
            self._asked[id(proposals[-1])] = lane, site, move
        return proposals

    def _proposal(self, lane: _Lane, site: Site, move: Move) -> Proposal:
        before = tuple(step for turn in sorted(lane.context) for step in lane.context[turn])
        derivation = Derivation(
            source=site.source.case.id, steps=(*before, *move.steps), variant=move.variant, draw=move.draw
        )
        return Proposal(
            source=site.source,
            derivation=derivation,
            turns=(site.turn,),
            action=action_of(self._space, site, move),
            part=self.part,
            episode=lane.episode,
        )

    def _advance(self, lane: _Lane, site: Site, move: Move, *, keep_edit: bool) -> None:
        """Go to an episode's next turn. With `keep_edit`, this turn may stay edited, as the attack determines."""
        lane.turns, lane.tries, lane.before = lane.turns[1:], 0, ()
        chance = generator(self._seed, "hybrid", site.key, lane.episode).random()
        if keep_edit and (self._attack == "cumulative" or (self._attack == "hybrid" and chance < 0.5)):
            lane.context[site.turn] = move.steps

    def _site(self, lane: _Lane) -> Site:
        source, turn = lane.source, lane.turns[0]
        return Site(
            source=source,
            turn=turn,
            variant=lane.variant,
            clean=tuple(self._clean.get(self._name(source), {}).get(turn, ())),
            episode=lane.episode,
            tries=lane.tries,
            before=lane.before,
        )

    def _episodes(self) -> Iterator[_Lane]:
        """Yield episodes without end: all sources in random order, then all sources in another order, and so on.

        In each pass, the next variant of a source is edited.
        """
        passes = episode = 0
        while True:
            order = list(self._sources)
            generator(self._seed, "order", passes).shuffle(order)
            for source in order:
                variants = self._variants[self._name(source)]
                # An edit of a turn that is not judged has an effect only if it stays in the context.
                turns = [
                    turn
                    for turn in range(max(source.case.asked) + 1)
                    if _has_text(source, turn) and (self._attack != "non-cumulative" or turn in source.case.asked)
                ]
                variant = variants[passes % len(variants)]
                yield _Lane(source=source, episode=episode, variant=variant, turns=turns)
                episode += 1
            passes += 1

    @staticmethod
    def _name(source: Source) -> str:
        return f"{source.task}/{source.case.id}"


def _changes_of_uncertainty(measured: Measurements) -> tuple[float, ...]:
    """Return how much less certain each system became by an edit, if that is known."""
    return tuple(
        turn.perturbed.uncertainty - turn.clean.uncertainty
        for turn in measured.turns
        if turn.clean is not None and turn.perturbed is not None
        if turn.clean.uncertainty is not None and turn.perturbed.uncertainty is not None
    )


def _variants(space: Space, source: Source) -> tuple[tuple[str, ...], ...]:
    variants = space.variants(source)
    if not variants:
        names = ", ".join(relation.name for relation in source.relations) or "none"
        raise UsageError(f"none of the relations of {source.case.id} judges the edits of this search ({names})")
    return variants


def _has_text(source: Source, turn: int) -> bool:
    return any(text.strip() for text in source.case.turns[turn].fields.values())
