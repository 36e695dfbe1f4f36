"""The searches that choose edits or relations by trial and error, with their options.

They share an action space.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
import pydantic

from mutatis.extending import (
    AS_IT_IS,
    NO_CHANGE,
    SEARCHES,
    TRANSFORMATIONS,
    Brought,
    Derivation,
    Measurements,
    ModelName,
    Opens,
    Outcome,
    Part,
    Proposal,
    Search,
    SearchOptions,
    Setting,
    Source,
    Step,
    UsageError,
    Verdict,
    generator,
    require,
    wordnet_is_installed,
)
from mutatis.rltest4chatbot.actions import FAMILIES
from mutatis.rltest4chatbot.edits import Rule, Validity, as_annotated, small_edits
from mutatis.rltest4chatbot.explore import Attack, Explorer, Policy
from mutatis.rltest4chatbot.learning.options import AgentOptions
from mutatis.rltest4chatbot.metrics import EditMetrics
from mutatis.rltest4chatbot.rewards import REWARDS, MoveResult, RewardName
from mutatis.rltest4chatbot.space import EditSpace, Move, RelationSpace, Site, Space

Synonyms = Literal["lexicon", "wordnet", "installed"]
BACK_TRANSLATION = "back-translation"


_ORIGINS = {"wordnet": "WordNet", "lexicon": "the package's lexicon, because WordNet is not installed (extra nlp)"}


class ExploringOptions(SearchOptions):
    """Options common to all searches that choose edits or relations by trial and error.

    Attributes:
        proposals: number of follow-ups to try.
        space: "edits" for the six families of edits of words and characters, or "relations" for the run's relations,
            with their strength and draw.
        combined: maximum number of families that one action combines (k in the thesis).
        attack: whether earlier turns stay edited when later turns of a dialogue are asked.
        validity, bound, least_words, least_characters: when an edit is small enough (docs/trackers.md).
        protect: "values" leaves annotated values alone, and "entities" leaves marked names alone.
        synonyms: source of synonyms. "installed" means WordNet if it is installed, or else the package's lexicon; the
            report names the source used (`metrics.edits`).
        model, vectors: models that propose words to insert and to replace; without them these edits are not available.
        lanes: number of sources in progress at a time; a learner chooses without the results of sources in progress.
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
    synonyms: Synonyms = "lexicon"
    model: ModelName = ""
    vectors: Annotated[str, Opens("reads the file", shipped=("minilm",))] = ""
    lanes: int = pydantic.Field(default=16, ge=1)
    only_right: bool = False
    held_out: float = pydantic.Field(default=0.0, ge=0, lt=1)
    seed: int = 0
    rates: ClassVar[Literal["all", "none"]] = "none"
    """Verdicts used to estimate rates: none, because answers influence the choice of edits."""

    @property
    def brings(self) -> Brought:
        """The relation and the metrics for small edits, or nothing if the run's own relations are searched."""
        beside = (as_annotated(),) if self.only_right else ()
        needs_helper = "back_translation = true" if self.edits_beside else ""
        if self.space == "relations":
            return Brought(beside=beside, needs_helper=needs_helper)
        origin = _ORIGINS[self.synonym_source]
        return Brought(
            relations=(small_edits(self.rule, *self.edits_beside),),
            beside=beside,
            collectors=(EditMetrics(),),
            notes=(f"synonyms of the search come from {origin}",) if self.synonyms == "installed" else (),
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
        return EditSpace(combined=self.combined, fixed=fixed, validity=self.rule)

    @property
    def synonym_source(self) -> Literal["lexicon", "wordnet"]:
        """The source of synonyms: WordNet or the package's lexicon."""
        has_wordnet = self.synonyms == "wordnet" or (self.synonyms == "installed" and wordnet_is_installed())
        return "wordnet" if has_wordnet else "lexicon"

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
        if self.only_right or self.held_out:
            return LearnThenTest(sources, space, policy, self)
        return self.exploring(sources, space, policy)

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
        within: which edits are tried. "anything" tries random edits of any size. "filled" starts from as many edits as
            possible and removes some until the rest is small enough.
    """

    within: Literal["anything", "filled"] = "anything"
    rates: ClassVar[Literal["all", "none"]] = "all"
    """Verdicts used to estimate rates: all, because no answer influences the edits."""

    def policy(self, space: Space) -> Policy:
        """Return the policy that draws random vectors."""
        return Uniform(space, seed=self.seed, filled=self.within == "filled")


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
        return (BACK_TRANSLATION,) if self.back_translation else ()

    def policy(self, space: Space) -> Policy:
        """Return DialTest as a policy."""
        return DialTest(space, self)


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
    """

    reward: RewardName = "failures"

    def policy(self, space: Space) -> Policy:
        """Return the evolution strategy."""
        return Evolution(space, REWARDS[self.reward], seed=self.seed)


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
        require("rl", "the search multi-pdqn", "torch", "safetensors", "tensorboardX")
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

    Raises:
        MissingExtra: `cma` is not installed.
    """

    def __init__(self, space: Space, reward: Callable[[MoveResult], float], *, seed: int = 0) -> None:
        require("rl", "the search evolutionary", "cma")
        import cma

        self._space, self._reward, self.learning = space, reward, True
        rng = np.random.default_rng(seed)
        options: dict[str, Any] = {"bounds": [0, 1], "verbose": -9, "CMA_diagonal": True}
        # With the seed nan, the library leaves the global random state alone and only uses `randn`.
        options |= {"seed": math.nan, "randn": lambda *shape: rng.standard_normal(shape)}
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


class Uniform(Policy):
    """Policy that draws uniformly random vectors, which encode edits, and learns nothing.

    Args:
        filled: whether to trigger all repetitions of k random families, and to remove edits until the rest is small
            enough. Otherwise, edits of any size are proposed.
    """

    def __init__(self, space: Space, *, seed: int = 0, filled: bool = False) -> None:
        self._space, self._seed, self._filled = space, seed, filled

    def move(self, site: Site) -> Move:
        """Return a random edit. The seed depends on the turn."""
        rng = generator(self._seed, "uniform", site.key, site.episode, site.tries)
        vector = [rng.random() for _ in range(self._space.size)]
        if not self._filled:
            return self._space.move(site, vector)
        if isinstance(self._space, EditSpace):
            vector = triggered(self._space, vector, rng.sample(range(len(FAMILIES)), self._space.combined))
        return scaled(self._space, site, self._space.move(site, vector), rng)


def triggered(space: EditSpace, vector: list[float], families: Sequence[int], importance: float = 1.0) -> list[float]:
    """Return a vector with all repetitions of these families triggered, and of no other family.

    `importance` determines how many of the repetitions are used.
    """
    for place, (block, parameters) in enumerate(zip(space.blocks, FAMILIES.values(), strict=True)):
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


class DialTest(Policy):
    """DialTest (Liu et al. 2021) as run in the thesis: adds synonyms and words until the system becomes uncertain.

    Edits are added to the same turn until the Gini impurity has changed by `threshold`, or until a quarter of the words
    (at most five) have been edited. With `back_translation`, the first edit of a judged turn may be a back-translation
    by the helper model, which the thesis did not use. In a space of relations, a random relation is applied with
    increasing strength instead.
    """

    def __init__(self, space: Space, options: DialTestOptions) -> None:
        self._space, self._options = space, options

    def move(self, site: Site) -> Move:
        """Return the edits made to a turn earlier in this episode plus one more."""
        if isinstance(self._space, RelationSpace):
            return self._stronger(self._space, site)
        options = self._options
        rng = generator(options.seed, "dialtest", site.key, site.episode, site.tries)
        position, word, kind = rng.random(), rng.random(), rng.random()
        # The operator 1.0 is the last that is available: a synonym, as no vectors are named; a masked language model's
        # word, or a stop word.
        parameters: dict[str, object] = {"position": position, "operator": 1.0, "word": word}
        # A translation has other words, so the positions of earlier edits would not hold. It comes first or never.
        if options.back_translation and site.scored and not site.before and kind < 1 / 3:
            name, parameters = BACK_TRANSLATION, {}
        elif kind < (2 / 3 if options.back_translation else 1 / 2):
            name, parameters = "word-replace", {"synonyms": options.synonym_source, **parameters}
        else:
            name, parameters = "word-insert", {"model": options.model, **parameters}
        step = Step(transformation=name, parameters=TRANSFORMATIONS[name].complete(parameters), turns=site.turns)
        before = tuple(step for step in site.before if step.transformation != NO_CHANGE)
        return Move(steps=(*before, step), variant=site.variant)

    def _stronger(self, space: RelationSpace, site: Site) -> Move:
        rng = generator(self._options.seed, "dialtest", site.key, site.episode)  # the same arm at every try
        vector = [rng.random() for _ in range(space.size)]
        for block in space.blocks:
            vector[block.start + 1] = (site.tries + 1) / self._options.most
        return space.move(site, vector)

    def stays(self, trial: MoveResult) -> bool:
        """Return True if the system is still certain of its answer and the text may be edited further."""
        most = self._options.most
        if isinstance(self._space, EditSpace):
            most = min(most, max(1, len(trial.site.text.split()) // 4))
        done = trial.site.tries + 1 >= most
        return not done and not trial.violated and trial.gain < self._options.threshold


class LearnThenTest:
    """A search in up to three parts: find sources answered correctly, learn on most, test on the rest.

    RLTest4Chatbot was evaluated in this way (its Table 4.2). It used only dialogues that the tracker gets right at
    every turn, learnt from 80 % and was tested on 20 %.
    """

    learns = True

    def __init__(self, sources: Sequence[Source], space: Space, policy: Policy, options: ExploringOptions) -> None:
        self._sources, self._space, self._policy, self._options = sources, space, policy, options
        self.rates = options.rates
        self._right: set[int] = set()  # ids of the sources answered correctly; the generator holds these sources
        self._explorer: Explorer | None = None
        self._batches = self._proposals()
        self._learning, testing = options.proposals_of_parts
        self._testing = testing if options.held_out or not self._learning else 0
        self._later = len(sources) * options.only_right + self._learning + self._testing

    @property
    def proposals_to_come(self) -> int:
        """The number of follow-ups that the search has yet to propose."""
        return self._later + (0 if self._explorer is None else self._explorer.proposals_to_come)

    def ask(self) -> Sequence[Proposal]:
        """Return the next batch of the current part.

        Raises:
            UsageError: the system answers too few sources correctly.
        """
        return next(self._batches, ())

    def tell(self, proposal: Proposal, verdicts: Sequence[Verdict], measurements: Measurements) -> None:
        """Record whether a source was answered correctly, or the result of a move."""
        if self._explorer is not None:
            self._explorer.tell(proposal, verdicts, measurements)
            return
        asked = [verdict for verdict in verdicts if verdict.repeat == 0]
        turns = {verdict.turn for verdict in asked}
        if turns >= set(proposal.source.case.asked) and all(verdict.outcome is Outcome.SATISFIED for verdict in asked):
            self._right.add(id(proposal.source))

    def _proposals(self) -> Iterator[Sequence[Proposal]]:
        options, sources = self._options, list(self._sources)
        if options.only_right:
            yield from self._as_they_are(sources)
            sources = [source for source in sources if id(source) in self._right]
            self._check(len(sources))
        learnt = tested = sources
        if options.held_out:
            generator(options.seed, "held out").shuffle(sources)
            cut = min(len(sources) - 1, max(1, round((1 - options.held_out) * len(sources))))
            learnt, tested = sources[:cut], sources[cut:]
        if self._learning:
            yield from self._part(learnt, self._learning, "learning")
            self._policy.freeze()
        if self._testing:
            yield from self._part(tested, self._testing, "testing")

    def _part(self, sources: Sequence[Source], proposals: int, part: Part) -> Iterator[Sequence[Proposal]]:
        self._later -= proposals
        options = self._options.model_copy(update={"proposals": proposals})
        self._explorer = options.exploring(sources, self._space, self._policy)
        self._explorer.part = part if options.held_out else ""
        while batch := self._explorer.ask():
            yield batch

    def _as_they_are(self, sources: Sequence[Source]) -> Iterator[Sequence[Proposal]]:
        for first in range(0, len(sources), self._options.lanes):
            batch = sources[first : first + self._options.lanes]
            self._later -= len(batch)
            as_it_is = (Step(transformation=AS_IT_IS),)
            yield [Proposal(source=s, derivation=Derivation(source=s.case.id, steps=as_it_is)) for s in batch]

    def _check(self, right: int) -> None:
        needed = 1 + bool(self._options.held_out)
        if right < needed:
            annotated = sum(
                all(source.case.turns[turn].expected for turn in source.case.asked) for source in self._sources
            )
            raise UsageError(
                f"[search] only_right = true: {right} of {len(self._sources)} inputs are answered as annotated at "
                f"every judged turn ({annotated} are annotated); expected at least {needed}: give more data with "
                "expected answers, or set only_right = false"
            )
