"""GSM8K's problems with another number: is every re-computed answer what an independent evaluator says?

    python studies/kinds/problems.py [--count 200] [--show 60]

The evaluator here shares no code with the package: it puts the new number into the text of the worked steps, carries
results on, and lets Python work them out with fractions. Where a number of a step may be an earlier result or one of
the problem's own, it works the steps out both ways; an answer that depends on which is wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import mutatis
from mutatis.core.cases import EXPECTS, Case, Derivation, Step
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.transformation import derive

NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?|\.\d+")


def path() -> Path:
    """Return GSM8K's test split."""
    root = Path(os.environ.get("MUTATIS_SHARED", Path(__file__).resolve().parents[3] / "shared"))
    return root / "data" / "gsm8k" / "test.jsonl.xz"


def follow_ups(count: int, left_out: Counter[str] | None = None) -> Iterator[tuple[Case, Case]]:
    """Yield sources with their follow-ups, the first `count` that can be made."""
    made = 0
    for case in mutatis.read_cases("gsm8k", path()):
        wanted = Derivation(source=case.id, steps=(Step(transformation="recompute-number"),), variant=("question",))
        try:
            yield case, asyncio.run(derive(case, wanted, seed=1))
        except UnusableFollowUp as error:
            if left_out is not None:
                left_out[str(error).partition(":")[0]] += 1
            continue
        made += 1
        if made == count:
            return


def changed(before: str, after: str) -> tuple[str, str]:
    """Return the number that differs between two texts, as it was and as it is."""
    pairs = zip(NUMBER.findall(before), NUMBER.findall(after), strict=True)
    [(old, new)] = [(old, new) for old, new in pairs if old != new]
    return old.replace(",", ""), new.replace(",", "")


WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


def evaluated(solution: str, question: str, old: str, new: str, *, carry: bool) -> Fraction:
    """Return what the worked steps come to with `new` for `old`; `carry`: results that the problem says, too, go on."""
    said = {Fraction(number.replace(",", "")) for number in NUMBER.findall(question)} - {Fraction(new)}
    said |= {Fraction(n) for n, word in enumerate(WORDS, 1) if re.search(rf"\b{word}\b", question, re.IGNORECASE)}
    instead = {Fraction(old): Fraction(new)}
    value = Fraction(0)
    for formula, result in re.findall(r"<<(.+?)=(.+?)>>", solution):
        written = re.sub(
            r"\d+\.?\d*|\.\d+",
            lambda match: f"Fraction({str(instead.get(Fraction(match[0]), Fraction(match[0])))!r})",
            formula,
        )
        value = eval(written, {"__builtins__": {}, "Fraction": Fraction})
        if carry or Fraction(result) not in said:
            instead[Fraction(result)] = value
    return value


def check(source: Case, made: Case) -> bool:
    """Whether the answer that the follow-up says is right is what the evaluator says, either way."""
    turn, question = source.turns[0], made.turns[0].fields["question"]
    old, new = changed(turn.fields["question"], question)
    said = Fraction(made.turns[0].annotations[EXPECTS][0])
    ways = (evaluated(turn.annotations["solution"], question, old, new, carry=carry) for carry in (True, False))
    return all(way == said for way in ways)


def main() -> None:
    """Check them, and print some to be read."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--show", type=int, default=0)
    options = parser.parse_args()
    left_out: Counter[str] = Counter()
    right = total = 0
    for source, made in follow_ups(options.count, left_out):
        held = check(source, made)
        right, total = right + held, total + 1
        if total <= options.show or not held:
            turn = source.turns[0]
            old, new = changed(turn.fields["question"], made.turns[0].fields["question"])
            print(
                f"{total} {source.id} {'' if held else 'WRONG '}{old} -> {new}: {turn.expected[0]} -> "
                f"{made.turns[0].annotations[EXPECTS][0]}\n  {made.turns[0].fields['question']}\n"
                f"  {' '.join(re.findall(r'<<(.+?)>>', turn.annotations['solution']))}"
            )
    print(f"{right} of {total} as the evaluator says; left out before the last of them: {dict(left_out)}")


if __name__ == "__main__":
    main()
