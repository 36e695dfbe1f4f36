"""Does the interval of a bandit's even share hold the true rate, and what would all of its verdicts say?

    python studies/statistics/adaptive.py --runs 60

A population of 400 sources with eight relations of different rates; the sources differ in how fragile they are. The
bandit searches it for 400 proposals; each relation's rate is then estimated from the even share and, as a warning, from
everything.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

import mutatis.relations  # noqa: F401 - both fill the registries
import mutatis.tasks  # noqa: F401
from mutatis.analysis.intervals import violation_rate
from mutatis.core.cases import Case, Turn
from mutatis.core.decision import Decision, Outcome
from mutatis.core.relation import RELATIONS
from mutatis.core.search import Measurements, Proposal, Source
from mutatis.core.verdict import Verdict
from mutatis.search import Bandit

NAMES = ("leet", "add-spaces", "misspell", "swap-characters", "ocr-noise", "keyboard-typos", "upper-case", "lower-case")
RATES = (0.4, 0.3, 0.2, 0.15, 0.1, 0.05, 0.02, 0.01)
SOURCES, PROPOSALS = 400, 400
TEXTS = ("an hour of my life", "it isn't one of 7 good ones", "is it any good?", "a film that nobody will forget soon")
DECIDED = {outcome: Decision(outcome=outcome, reason="drawn") for outcome in Outcome}


def main() -> None:
    """Print coverage and mean error of both, over relations and runs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=60)
    args = parser.parse_args()
    held: dict[str, list[bool]] = defaultdict(list)
    error: dict[str, list[float]] = defaultdict(list)
    for run in range(args.runs):
        violates = population(run)
        truth = {name: float(violates[:, place].mean()) for place, name in enumerate(NAMES)}
        seen = searched(run, lambda number, name, drawn=violates: bool(drawn[number, NAMES.index(name)]))
        for which, verdicts in seen.items():
            for name in NAMES:
                rate = violation_rate([(int(v), 1) for v in verdicts.get(name, ())])
                if rate.rate is not None and rate.low is not None and rate.high is not None:
                    held[which].append(rate.low <= truth[name] <= rate.high)
                    error[which].append(rate.rate - truth[name])
    for which, hits in held.items():
        bias = np.mean(error[which])
        print(f"{which:10}  coverage {np.mean(hits):6.1%} of {len(hits)} intervals  mean error {bias:+.3f}")


def population(seed: int) -> NDArray[np.bool_]:
    """Return whether each source violates each relation: rates times a fragility with mean 1 and variance 1."""
    random = np.random.default_rng([7, seed])
    fragile = random.gamma(1.0, 1.0, SOURCES)
    return random.random((SOURCES, len(NAMES))) < np.minimum(1.0, np.outer(fragile, RATES))


def searched(seed: int, violates: Callable[[int, str], bool]) -> Mapping[str, Mapping[str, list[bool]]]:
    """Return the verdicts of one search per relation, from the even share and from everything."""
    relations = tuple(RELATIONS[name].but(preconditions=(), constraints=()) for name in NAMES)
    sources = [
        Source(
            case=Case(id=str(n), task="sentiment", turns=(Turn(fields={"text": TEXTS[n % len(TEXTS)]}),)),
            relations=relations,
        )
        for n in range(SOURCES)
    ]
    search = Bandit(sources, seed=seed, strengths=[1.0])
    violations: dict[str, dict[str, list[bool]]] = {"even share": defaultdict(list), "everything": defaultdict(list)}
    asked = 0
    while asked < PROPOSALS and (batch := search.ask()):
        for proposal in batch:
            asked += 1
            name = proposal.derivation.steps[0].transformation
            violated = violates(int(proposal.source.case.id), name)
            search.tell(proposal, [verdict(proposal, name, violated)], Measurements())
            violations["everything"][name].append(violated)
            if proposal.estimates:
                violations["even share"][name].append(violated)
    return violations


def verdict(proposal: Proposal, name: str, violated: bool) -> Verdict:
    """Return the verdict of a proposal."""
    return Verdict(
        system="drawn",
        relation=RELATIONS[name],
        source=proposal.source.case,
        turn=0,
        variant=proposal.derivation.variant,
        decision=DECIDED[Outcome.VIOLATED if violated else Outcome.SATISFIED],
    )


if __name__ == "__main__":
    main()
