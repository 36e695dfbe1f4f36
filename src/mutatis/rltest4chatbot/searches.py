"""The searches that choose edits or relations by trial and error, with their options.

They share an action space.
"""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal

import numpy as np
import pydantic

from mutatis.extending import (
    SEARCHES,
    Brought,
    MissingExtra,
    ModelName,
    Opens,
    Search,
    SearchOptions,
    Setting,
    Source,
    UsageError,
    wordnet_is_installed,
)
from mutatis.rltest4chatbot.actions import FAMILIES
from mutatis.rltest4chatbot.edits import Rule, Validity, as_annotated, small_edits
from mutatis.rltest4chatbot.explore import Attack, Explorer, Policy
from mutatis.rltest4chatbot.learn_then_test import LearnThenTest, Parts
from mutatis.rltest4chatbot.learning.options import AgentOptions
from mutatis.rltest4chatbot.metrics import EditMetrics
from mutatis.rltest4chatbot.rewards import REWARDS, MoveResult, RewardName
from mutatis.rltest4chatbot.sampling import DialTest, Fitted, Uniform, Within
from mutatis.rltest4chatbot.space import EditSpace, Move, RelationSpace, Site, Space

Synonyms = Literal["lexicon", "wordnet", "installed"]


def _origin() -> str:
    if wordnet_is_installed():
        return "WordNet"
    return "the package's lexicon, because WordNet is not installed (extra nlp)"


class ExploringOptions(SearchOptions):
    """Options common to all searches that choose edits or relations by trial and error.

    Attributes:
        proposals: number of follow-ups to try.
        space: "edits" for the six families of edits of words and characters, or "relations" for the run's relations,
            with their strength and draw.
        combined: maximum number of families that one action combines (k in the thesis).
        attack: the context in which later turns of a dialogue are asked.
        validity, bound, least_words, least_characters: when an edit is small enough (docs/trackers.md).
        protect: "values" leaves annotated values alone, and "entities" leaves marked names alone.
        max_repetitions, share: maximum number of edits per family, and maximum share of the words that it may edit.
        synonyms: source of synonyms. "installed" means WordNet if it is installed, or else the package's lexicon; the
            report names the source used (`metrics.edits`).
        model, vectors: models that propose words to insert and to replace; without them these edits are not available.
        lanes: number of sources in progress at a time; a learner chooses without the results of those in progress.
        only_right: whether to search only inputs that the systems answer as annotated at every judged turn.
        held_out: share of the inputs that is reserved for testing; learners use the others.
        seed: seed for every random choice; by default the run's.
    """

    proposals: int = pydantic.Field(default=1000, ge=1)
    space: Literal["edits", "relations"] = "edits"
    combined: int = pydantic.Field(default=3, ge=1, le=6)
    attack: Attack = "hybrid"
    validity: Rule = "strict"
    bound: float = pydantic.Field(default=0.25, ge=0, le=1)
    least_words: int | None = pydantic.Field(default=None, ge=0)
    least_characters: int | None = pydantic.Field(default=None, ge=0)
    protect: Literal["nothing", "values", "entities"] = "nothing"
    max_repetitions: int = pydantic.Field(default=5, ge=1)
    share: float = pydantic.Field(default=0.25, ge=0, le=1)
    synonyms: Synonyms = "lexicon"
    model: ModelName = ""
    vectors: Annotated[str, Opens("reads the file", shipped=("minilm",))] = ""
    lanes: int = pydantic.Field(default=16, ge=1)
    only_right: bool = False
    held_out: float = pydantic.Field(default=0.0, ge=0, lt=1)
    seed: int = 0

    @property
    def brings(self) -> Brought:
        """The relation and the metrics for small edits, or nothing if the run's own relations are searched."""
        beside = (as_annotated(),) if self.only_right else ()
        needs_helper = "back_translation = true" if self.edits_beside else ""
        if self.space == "relations":
            return Brought(beside=beside, needs_helper=needs_helper)
        return Brought(
            relations=(small_edits(self.rule, *self.edits_beside),),
            beside=beside,
            collectors=(EditMetrics(),),
            notes=() if self.synonyms != "installed" else (f"synonyms of the search come from {_origin()}",),
            needs_helper=needs_helper,
        )

    @property
    def edits_beside(self) -> tuple[str, ...]:
        """Transformations that the search uses in addition to the six families of edits."""
        return ()

    @property
    def rule(self) -> Validity:
        """The rule for whether an edit is small enough."""
        return Validity(
            rule=self.validity,
            bound=self.bound,
            least_words=self.least_words,
            least_characters=self.least_characters,
        )

    def action_space(self, sources: Sequence[Source]) -> Space:
        """Return the space of edits to search."""
        if self.space == "relations":
            return RelationSpace.of(sources)
        fixed: dict[str, dict[str, str]] = {family: {"protect": self.protect} for family in FAMILIES}
        fixed["word-insert"] |= {"model": self.model}
        fixed["word-replace"] |= {"synonyms": self.synonym_source, "vectors": self.vectors}
        return EditSpace(
            combined=self.combined,
            max_repetitions=self.max_repetitions,
            share=self.share,
            fixed=fixed,
            validity=self.rule,
        )

    @property
    def synonym_source(self) -> Literal["lexicon", "wordnet"]:
        """The source of synonyms: WordNet or the package's lexicon."""
        has_wordnet = self.synonyms == "wordnet" or (self.synonyms == "installed" and wordnet_is_installed())
        return "wordnet" if has_wordnet else "lexicon"

    @property
    def rates(self) -> Literal["all", "none"]:
        """Verdicts from which rates are estimated: none, because answers influence the choice of edits."""
        return "none"

    def policy(self, space: Space) -> Policy:
        """Return the policy that chooses the moves."""
        raise NotImplementedError

    @property
    def proposals_of_parts(self) -> tuple[int, int]:
        """Numbers of proposals for learning and for testing, used if the search has these two parts."""
        return 0, self.proposals  # without a learner, there is nothing to learn

    def build(self, sources: Sequence[Source]) -> Search:
        """Build the search.

        It has several parts if it first looks for correctly answered inputs, or if some inputs are held out.
        """
        space = self.action_space(sources)
        policy = self.policy(space)
        if not self.only_right and not self.held_out:
            return self.exploring(sources, space, policy)

        def explorer_of_part(sources_of_part: Sequence[Source], proposals: int) -> Explorer:
            return self.model_copy(update={"proposals": proposals}).exploring(sources_of_part, space, policy)

        learning, testing = self.proposals_of_parts
        parts = Parts(
            only_right=self.only_right,
            held_out=self.held_out,
            learning=learning,
            testing=testing,
            seed=self.seed,
            batch=self.lanes,
        )
        return LearnThenTest(sources, policy, parts, explorer_of_part, self.rates)

    def build_for(self, sources: Sequence[Source], setting: Setting) -> Search:
        """Build the search with the seed of the run, unless these options set a seed."""
        options = self if "seed" in self.model_fields_set else self.model_copy(update={"seed": setting.seed})
        return options.build(sources)

    def exploring(self, sources: Sequence[Source], space: Space, policy: Policy) -> Explorer:
        """Return the search that uses a given policy."""
        return Explorer(
            sources,
            space,
            policy,
            proposals=self.proposals,
            attack=self.attack,
            lanes=self.lanes,
            seed=self.seed,
            rates=self.rates,
        )


@SEARCHES.register("random-edits")
class UniformOptions(ExploringOptions):
    """Search by uniformly random actions.

    Attributes:
        within: how vectors are drawn, and how edits that are too large are handled. "anything" tries them anyway,
            "rejection" draws again, "scaled" removes edits until the rest is small enough, "filled" does so starting
            from as many edits as possible, "full" tries as many as possible, and "first" tries one edit of each of the
            first families.
    """

    within: Within = "anything"

    @property
    def rates(self) -> Literal["all", "none"]:
        """Verdicts from which rates are estimated: all, because no answer influences the edits."""
        return "all"

    def policy(self, space: Space) -> Policy:
        """Return the policy that draws random vectors."""
        return Uniform(space, seed=self.seed, within=self.within)


@SEARCHES.register("dialtest")
class DialTestOptions(ExploringOptions):
    """Options of DialTest, which adds synonyms and words one by one until the system becomes uncertain.

    Attributes:
        threshold: how much the system's uncertainty (Gini impurity) must change.
        most: maximum number of edits to one text.
        back_translation: whether `[helper]` may also translate a text and translate it back, which the thesis left out.
    """

    synonyms: Synonyms = "installed"
    back_translation: bool = False
    threshold: float = pydantic.Field(default=0.001, ge=0)
    most: int = pydantic.Field(default=5, ge=1)

    @property
    def edits_beside(self) -> tuple[str, ...]:
        """Back-translation, if the options enable it."""
        return ("back-translation",) if self.back_translation else ()

    def policy(self, space: Space) -> Policy:
        """Return DialTest as a policy."""
        return DialTest(
            space,
            seed=self.seed,
            threshold=self.threshold,
            most=self.most,
            model=self.model,
            synonyms=self.synonym_source,
            back_translation=self.back_translation,
        )


class LearningOptions(ExploringOptions):
    """Options common to searches that learn.

    Attributes:
        tested: number of follow-ups tried on the held-out inputs, after `proposals` follow-ups on the others for
            learning.
    """

    tested: int = pydantic.Field(default=300, ge=1)

    @property
    def proposals_of_parts(self) -> tuple[int, int]:
        """Numbers of proposals for learning and for testing."""
        return self.proposals, self.tested


@SEARCHES.register("evolutionary")
class EvolutionaryOptions(LearningOptions):
    """Options of CMA-ES over edits, which samples vectors from a distribution that moves towards high rewards.

    Attributes:
        reward: "failures" counts new valid failures; "thesis" is the reward used in the thesis.
        fit: whether to remove edits, in random order, until the rest is small enough.
        population: number of moves per generation; 0 derives it from the number of dimensions.
    """

    reward: RewardName = "failures"
    fit: bool = False
    population: int = pydantic.Field(default=0, ge=0)

    @property
    def worth(self) -> Callable[[MoveResult], float]:
        """Function that returns the worth of the result of an edit."""
        return REWARDS[self.reward]

    def policy(self, space: Space) -> Policy:
        """Return the evolution strategy. If `fit` is set, its edits are reduced until they are small enough."""
        learner = Evolution(space, self.worth, seed=self.seed, population=self.population)
        return Fitted(learner, space, seed=self.seed) if self.fit else learner


@SEARCHES.register("multi-pdqn")
class MultiPdqnOptions(AgentOptions, LearningOptions):
    """Options of Multi-PDQN, the thesis' agent, which learns which edits make systems fail. Needs the extra `rl`."""

    @property
    def proposals_of_parts(self) -> tuple[int, int]:
        """Numbers of proposals for learning (0 with `evaluate`) and for testing."""
        return (0, self.proposals) if self.evaluate else (self.proposals, self.tested)

    def policy(self, space: Space) -> Policy:
        """Return the agent as a policy.

        Raises:
            MissingExtra: the `rl` extra is not installed.
        """
        for package in ("torch", "safetensors", "tensorboardX"):
            if importlib.util.find_spec(package) is None:
                raise MissingExtra("the search multi-pdqn", "rl")
        from mutatis.rltest4chatbot.learning.policy import MultiPdqn

        if self.evaluate and self.resume is None:
            raise UsageError("evaluate = true needs a trained agent; name its checkpoint: resume = ...")
        return MultiPdqn(space, self)


class Evolution(Policy):
    """Samples vectors from a normal distribution and moves it towards high rewards.

    Args:
        space: turns vectors into moves.
        reward: function that returns the worth of a move's result.
        seed: seed for the samples.
        population: candidates per generation; 0 leaves it to the library (4 + 3 ln dimensions).

    Raises:
        MissingExtra: `cma` is not installed.
    """

    def __init__(
        self,
        space: Space,
        reward: Callable[[MoveResult], float],
        *,
        seed: int = 0,
        population: int = 0,
    ) -> None:
        if importlib.util.find_spec("cma") is None:
            raise MissingExtra("the search evolutionary", "rl")
        import cma

        self._space, self._reward, self.learning = space, reward, True
        rng = np.random.default_rng(seed)
        options: dict[str, Any] = {"bounds": [0, 1], "verbose": -9, "CMA_diagonal": True}
        # With the seed nan, the library leaves the global random state alone and only uses `randn`.
        options |= {"seed": math.nan, "randn": lambda *shape: rng.standard_normal(shape)}
        if population:
            options["popsize"] = population
        middle, standard_deviation = [0.5] * space.size, 0.3
        self._strategy: Any = cma.CMAEvolutionStrategy(middle, standard_deviation, options)
        self._costs: list[tuple[Any, float]] = []
        self._candidates: dict[tuple[float, ...], list[Any]] = {}  # those whose results are not known, by their vector

    def moves(self, sites: Sequence[Site]) -> list[Move]:
        """Return the next candidate vectors as moves, one for each turn."""
        if not sites:
            return []
        moves = []
        for site, candidate in zip(sites, self._strategy.ask(number=len(sites)), strict=True):
            move = self._space.move(site, candidate.tolist())
            if site.scored:
                self._candidates.setdefault(move.vector, []).append(candidate)
            moves.append(move)
        return moves

    def learn(self, trials: Sequence[MoveResult]) -> None:
        """Pass the results of each complete generation to the evolution strategy."""
        for trial in trials:
            candidate = self._candidates[trial.move.vector].pop(0)
            if not self._candidates[trial.move.vector]:
                del self._candidates[trial.move.vector]
            self._costs.append((candidate, -self._reward(trial)))
        size = self._strategy.popsize
        while len(self._costs) >= size:
            generation, self._costs = self._costs[:size], self._costs[size:]
            if self.learning:
                self._strategy.tell([candidate for candidate, _ in generation], [cost for _, cost in generation])
                self._strategy.ask(number=1)  # it refuses two generations in a row without asking in between

    def freeze(self) -> None:
        """Stop learning, but continue to draw from the learnt distribution."""
        self.learning = False
