"""What a stricter goal of MR2 on MT-RAG is worth, with the goal itself chosen without the domain that is judged.

    python studies/mortar/stricter.py dev.json.xz MTRAG

Fits `no_answers` as `train_context.py` does and prints, per goal, what is called altered on the four domains, each
judged by bounds that were chosen without it. Then the same by the loosest goal that is strict enough among the three
other domains, each judged by bounds from the two others: what nobody chose in view of the domain that is judged.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from alarms import GOALS, Guess, Guesses, choose_bounds
from canard import read_records
from mtrag import DOMAINS
from train_context import BOUNDS, fit

RIGHT = 0.87
"""Share of what is called altered that is to be so."""

TRIED = (0.10, 0.075, 0.06, 0.05, 0.04, 0.03, 0.02)
"""Goals of MR2's false alarms on MT-RAG, the loosest first."""


class Choosing:
    """Bounds chosen on CANARD and some domains, tried on another."""

    def __init__(self, canard: Sequence[Guess], searched: Sequence[Guess]) -> None:
        self._canard = Guesses(canard)
        self._searched = searched
        self._known: dict[tuple[tuple[str, ...], str, float], Counter[str]] = {}

    def tried(self, chosen_on: tuple[str, ...], domain: str, goal: float) -> Counter[str]:
        """Return what bounds from these domains say of another one."""
        key = (chosen_on, domain, goal)
        if key not in self._known:
            GOALS["mtrag"]["mr2"] = goal
            corpora = {"canard": self._canard, "mtrag": Guesses(self._of(chosen_on))}
            bounds, _ = choose_bounds(corpora, **BOUNDS["no_answers"])
            self._known[key] = Guesses(self._of((domain,))).tally(bounds)
        return self._known[key]

    def chosen(self, domains: tuple[str, ...]) -> float:
        """Return the loosest goal that is strict enough among these domains; the strictest where none is."""
        for goal in TRIED:
            tallies = [self.tried(without(domains, domain), domain, goal) for domain in domains]
            if right(sum(tallies, Counter())) >= RIGHT:
                return goal
        return TRIED[-1]

    def _of(self, domains: tuple[str, ...]) -> list[Guess]:
        return [guess for guess in self._searched if guess.dialogue.startswith(domains)]


def without(domains: Sequence[str], left_out: str) -> tuple[str, ...]:
    return tuple(domain for domain in domains if domain != left_out)


def right(tally: Counter[str]) -> float:
    return tally["rightly_altered"] / max(1, tally["called_altered"])


def line(name: str, tally: Counter[str]) -> str:
    decided = tally["decided"] / max(1, tally["turns"])
    return f"{name:14} altered right {right(tally):.3f} of {tally['called_altered']}, decided {decided:.3f}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path, help="a file in CANARD's form, .json or .json.xz")
    parser.add_argument("mtrag", type=Path, help="the folder of MT-RAG's questions and rewrites")
    arguments = parser.parse_args()
    _, guesses = fit(read_records(arguments.path), arguments.mtrag, "no_answers")
    choosing = Choosing(guesses["canard"], guesses["mtrag"])
    for goal in TRIED:
        told = [choosing.tried(without(DOMAINS, domain), domain, goal) for domain in DOMAINS]
        print(line(f"goal {goal}", sum(told, Counter())), flush=True)
    total: Counter[str] = Counter()
    for domain in DOMAINS:
        others = without(DOMAINS, domain)
        goal = choosing.chosen(others)
        tally = choosing.tried(others, domain, goal)
        total += tally
        print(line(f"{domain} by {goal}", tally), flush=True)
    print(line("all", total))
    return 0


if __name__ == "__main__":
    sys.exit(main())
