"""How often rows are marked by draws: on a random but indifferent system, and on one that flips under one relation.

Whole campaigns of `mutatis.run` on a classifier that answers by chance, each with a seed of its own.

python -m studies.kinds.draws --runs 400
"""

import argparse
import random
from collections.abc import Callable
from dataclasses import dataclass

import mutatis

INTENTS = ("order", "refund", "address", "opening hours")
RELATIONS = ("leet", "add-spaces", "swap-characters")
FLIPPED = "leet"
SUBJECTS = "parcel lamp chair table shirt phone radio kettle mirror carpet basket pillow blanket candle bottle bucket "
SUBJECTS += "hammer ladder teapot violin"


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """How many rows of one run were marked, of how many, and whether that of the flipped relation was."""

    marked: int
    rows: int
    flipped: bool


def system(share: float, constancy: float, chance: random.Random) -> Callable[[str], str]:
    """A classifier of intents.

    Args:
        share: of the answers to messages with letters turned into digits that name another intent.
        constancy: of the answers, those that name the usual intent.
        chance: where its randomness comes from.
    """

    def answer(text: str) -> str:
        usual = len("".join(text.split())) % len(INTENTS)  # which none of the relations changes
        said = usual if chance.random() < constancy else chance.randrange(len(INTENTS))
        if any(map(str.isdigit, text)) and chance.random() < share:
            said = (said + 1) % len(INTENTS)
        return INTENTS[said]

    return answer


def one_run(seed: int, *, share: float, constancy: float, draws: int = 8, sources: int = 20) -> Marks:
    """Run a campaign and count its marks."""
    texts = [f"please tell me what to do about my {name}" for name in SUBJECTS.split()[:sources]]
    cases = mutatis.cases([{"text": text} for text in texts], task="classification")
    settings = {"judge": {"draws": draws}, "noise_floor": 0, "confirm": 0, "shrink": 0, "concurrency": 1}
    bot = mutatis.system("function", target=system(share, constancy, random.Random(seed)), revision=str(seed))
    done = mutatis.run(bot, cases, list(RELATIONS), seed=seed, settings=settings)
    marked = {row.relation for row in done.summary if row.shifted}
    return Marks(marked=len(marked), rows=len(done.summary), flipped=FLIPPED in marked)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=400)
    parser.add_argument("--draws", type=int, default=8)
    parser.add_argument("--sources", type=int, default=20)
    options = parser.parse_args()
    for share, constancy in ((0.0, 0.6), (0.3, 0.9), (0.0, 0.9), (0.3, 1.0)):
        told = [
            one_run(seed, share=share, constancy=constancy, draws=options.draws, sources=options.sources)
            for seed in range(options.runs)
        ]
        rows, others = sum(run.rows for run in told), sum(run.marked - run.flipped for run in told)
        print(
            f"constancy {constancy:.1f}, flips {share:.0%}: {options.runs} runs; flipped relation marked in",
            f"{sum(run.flipped for run in told)}; other rows marked {others} of {rows - len(told)};",
            f"any row marked in {sum(run.marked > 0 for run in told)} runs",
            flush=True,
        )


if __name__ == "__main__":
    main()
