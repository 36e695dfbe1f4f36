"""Policies that do not learn: uniformly random edits, random edits of limited size, and DialTest."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Literal

from mutatis.extending import NO_CHANGE, TRANSFORMATIONS, Step, generator
from mutatis.rltest4chatbot.actions import FAMILIES
from mutatis.rltest4chatbot.explore import Policy
from mutatis.rltest4chatbot.rewards import MoveResult
from mutatis.rltest4chatbot.space import EditSpace, Move, RelationSpace, Site, Space

Within = Literal["anything", "rejection", "scaled", "filled", "full", "first"]
"""How a random sampler handles edits that are too large.

"anything" proposes them anyway, "rejection" draws again, and "scaled" removes edits until the rest fits. The other
three draw only the parameters. "filled" triggers all repetitions of k random families and removes some until the rest
fits, "full" proposes all repetitions, and "first" makes one edit of each of the first k families, words first.
"""

ONCE = 0.001
"""An importance low enough to use exactly one repetition, whatever the text."""

BACK_TRANSLATION = "back-translation"

REDRAWS = 50
"""Number of draws after which rejection sampling gives up on an edit for a turn."""


class Uniform(Policy):
    """Policy that draws uniformly random vectors, which encode edits, and learns nothing."""

    def __init__(self, space: Space, *, seed: int = 0, within: Within = "anything") -> None:
        self._space, self._seed, self._within = space, seed, within

    def moves(self, sites: Sequence[Site]) -> list[Move]:
        """Return a random edit for each turn. The seed depends on the turn."""
        return [self._move(site) for site in sites]

    def _move(self, site: Site) -> Move:
        rng = generator(self._seed, "uniform", site.key, site.episode, site.tries)
        vector = [rng.random() for _ in range(self._space.size)]
        if isinstance(self._space, EditSpace):
            if self._within in ("filled", "full"):
                vector = self._asked(vector, rng.sample(range(len(self._space.blocks)), self._space.combined))
            elif self._within == "first":
                vector = self._asked(vector, range(self._space.combined), importance=ONCE)
        move = self._space.move(site, vector)
        if self._within == "rejection":
            for _ in range(REDRAWS):
                if self._space.broken(site, move.steps) is None:
                    break
                move = self._space.move(site, [rng.random() for _ in range(self._space.size)])
        if self._within in ("scaled", "filled"):
            move = scaled(self._space, site, move, rng)
        return move

    def _asked(self, vector: list[float], families: Sequence[int], importance: float = 1.0) -> list[float]:
        """Return the vector with all repetitions of these families triggered.

        `importance` determines how many of the repetitions are used.
        """
        for place, (block, parameters) in enumerate(zip(self._space.blocks, FAMILIES.values(), strict=True)):
            vector[block.start] = importance * (place in families)
            for trigger in range(block.start + 1, block.stop, 1 + len(parameters)):
                vector[trigger] = 1.0
        return vector


def scaled(space: Space, site: Site, move: Move, rng: Random) -> Move:
    """Remove a move's edits in random order until it is small enough. At least one edit remains."""
    steps = list(move.steps)
    while len(steps) > 1 and space.broken(site, steps) not in (None, "nothing changed"):
        steps.pop(rng.randrange(len(steps)))
    return Move(steps=tuple(steps), variant=move.variant, draw=move.draw, vector=move.vector)


class Fitted(Policy):
    """Policy that wraps another one and removes its edits in random order until the rest is small enough.

    The wrapped policy learns from the result as if all its edits had been used.
    """

    def __init__(self, policy: Policy, space: Space, *, seed: int = 0) -> None:
        self.policy, self._space, self._seed = policy, space, seed

    def moves(self, sites: Sequence[Site]) -> list[Move]:
        """Return the wrapped policy's moves, with edits removed until they are small enough."""
        return [
            scaled(self._space, site, move, generator(self._seed, "fitted", site.key, site.episode, site.tries))
            for site, move in zip(sites, self.policy.moves(sites), strict=True)
        ]

    def learn(self, trials: Sequence[MoveResult]) -> None:
        """Pass the results of moves on to the wrapped policy."""
        self.policy.learn(trials)

    def freeze(self) -> None:
        """Stop the wrapped policy from learning."""
        self.policy.freeze()


class DialTest(Policy):
    """DialTest (Liu et al. 2021) as run in the thesis: adds synonyms and words until the system becomes uncertain.

    Edits are added to the same turn until the Gini impurity has changed by `threshold`, or until a quarter of the words
    (at most five) have been edited. With `back_translation`, the first edit of a judged turn may be a back-translation
    by the helper model, which the thesis did not use. In a space of relations, a random relation is applied with
    increasing strength instead.
    """

    def __init__(
        self,
        space: Space,
        *,
        seed: int = 0,
        threshold: float = 0.001,
        most: int = 5,
        model: str = "",
        synonyms: str = "lexicon",
        back_translation: bool = False,
    ) -> None:
        self._space, self._synonyms, self._back_translation = space, synonyms, back_translation
        self._seed, self._threshold, self._most, self._model = seed, threshold, most, model

    def moves(self, sites: Sequence[Site]) -> list[Move]:
        """Return, for each turn, the edits made to it earlier in this episode plus one more."""
        return [self._move(site) for site in sites]

    def _move(self, site: Site) -> Move:
        if isinstance(self._space, RelationSpace):
            return self._stronger(self._space, site)
        rng = generator(self._seed, "dialtest", site.key, site.episode, site.tries)
        position, word, kind = rng.random(), rng.random(), rng.random()
        # The operator 1.0 is the last that is available: a synonym, as no vectors are named; a masked language model's
        # word, or a stop word.
        parameters: dict[str, object] = {"position": position, "operator": 1.0, "word": word}
        # A translation has other words, so the positions of earlier edits would not hold. It comes first or never.
        if self._back_translation and site.scored and not site.before and kind < 1 / 3:
            name, parameters = BACK_TRANSLATION, {}
        elif kind < (2 / 3 if self._back_translation else 1 / 2):
            name, parameters = "word-replace", {"synonyms": self._synonyms, **parameters}
        else:
            name, parameters = "word-insert", {"model": self._model, **parameters}
        step = Step(transformation=name, parameters=TRANSFORMATIONS[name].complete(parameters), turns=site.turns)
        before = tuple(step for step in site.before if step.transformation != NO_CHANGE)
        return Move(steps=(*before, step), variant=site.variant)

    def _stronger(self, space: RelationSpace, site: Site) -> Move:
        rng = generator(self._seed, "dialtest", site.key, site.episode)  # the same arm at every try
        vector = [rng.random() for _ in range(space.size)]
        for block in space.blocks:
            vector[block.start + 1] = (site.tries + 1) / self._most
        return space.move(site, vector)

    def stays(self, trial: MoveResult) -> bool:
        """Return True if the system is still certain of its answer and the text may be edited further."""
        words = len(trial.site.text.split())
        most = self._most if isinstance(self._space, RelationSpace) else min(self._most, max(1, words // 4))
        done = trial.site.tries + 1 >= most
        return not done and not trial.violated and trial.gain < self._threshold
