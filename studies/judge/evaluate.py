"""Prints how the judge agrees with people: `python studies/judge/evaluate.py [--contrast] [--rules] [--range]`.

Every number is held out: models are fitted here, on other questions (five folds by hash of the question), and for
"system left out" on other questions (in halves) and other systems. `--contrast` prints the substitutions: by models
and word adapters that saw no class of the same fifth. `--range` has data on which the judge should not be used.
Several options print several parts; without any it prints the agreement alone (`--tables`).
"""

from __future__ import annotations

import argparse
import csv
import io
import lzma
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from contrasts import Contrasts
from fitting import Bools, Floats, Table, fit, keep_embeddings, warm_embeddings, without
from pairs import SYSTEMS, annotated_pairs, evouna_records, output_pairs, shared
from scoring import agreement, reliability
from train import CAUTION, THRESHOLD, UNDECIDED, tables

from mutatis.core.measure import Comparison, Similarity
from mutatis.measures import judge
from mutatis.measures.equivalence import EMBEDDED, prepare
from mutatis.text.embedder import cosines

FOLDS = 5
SAMPLE = 3000  # pairs of each paraphrase set, at most
NAMES = ((False, "answer-equivalence-lexical"), (True, "answer-equivalence"))  # with embeddings or not


HALVES = ((0, 1), (2, 3, 4))  # folds of questions, where systems are left out as well


def split_by_question(table: Table, main: Bools, caution: float) -> Floats:
    """Return held-out scores of the main pairs: trained on the other folds."""
    scores = np.full(len(main), np.nan)
    for fold in range(FOLDS):
        here = main & (table.fold == fold)
        scores[here] = fit(table, table.fold != fold, caution=caution).scores(table, here)
    return scores


def leave_out(table: Table, main: Bools, system: str, caution: float) -> Floats:
    """Return held-out scores of the pairs that involve a system: trained on other questions and other systems."""
    scores = np.full(len(main), np.nan)
    involved = table.involves(system)
    for half in HALVES:
        inside = np.isin(table.fold, half)
        here = main & involved & inside
        scores[here] = fit(table, ~involved & ~inside, caution=caution).scores(table, here)
    return scores


def report(name: str, use: str, table: Table, main: Bools) -> None:
    """Print the tables of one measure and one use."""
    print(f"\n## {name}, {use}: {int(main.sum())} pairs, {float((~table.open[main]).mean()):.0%} decided by rules")
    caution = CAUTION[use, bool(set(EMBEDDED) & set(table.names))]
    scores = split_by_question(table, main, caution)
    print(f"  split by question   all      {agreement(table.same[main], scores[main], THRESHOLD)}")
    left_out = []
    for system in SYSTEMS:
        here = main & table.involves(system)
        print(f"  split by question   {system:8s} {agreement(table.same[here], scores[here], THRESHOLD)}")
        without = leave_out(table, main, system, caution)
        left_out.append((here, without[here]))
        print(f"  system left out     {system:8s} {agreement(table.same[here], without[here], THRESHOLD)}")
    same = np.concatenate([table.same[here] for here, _ in left_out])
    pooled = agreement(same, np.concatenate([scores for _, scores in left_out]), THRESHOLD)
    print(f"  system left out     all      {pooled}")
    print("  reliability (score, pairs, mean score, share that people call the same):")
    for bin_range, count, mean, share in reliability(table.same[main], scores[main]):
        print(f"    {bin_range}  {count:6d}  {mean:.2f}  {share:.2f}")
    undecided = (scores[main] >= 0.3) & (scores[main] <= 0.7)
    wrong = (scores[main] >= THRESHOLD) != table.same[main]
    held = wrong[undecided].sum() / wrong.sum()
    print(f"  undecided band 0.3-0.7: {undecided.mean():.1%} of pairs, holds {held:.0%} of the errors")


def baseline(directed: bool) -> None:
    """Print the published judge, cosine >= 0.6, on the same pairs."""
    pairs = (annotated_pairs if directed else output_pairs)(evouna_records())
    texts = [(reference, pair.comparison.answer) for pair in pairs for reference in pair.comparison.reference[:8]]
    values = iter(cosines(texts))
    scores = np.array([max(next(values) for _ in pair.comparison.reference[:8]) for pair in pairs])
    same = np.array([pair.same for pair in pairs])
    print(f"  minilm-cosine >= 0.6         {agreement(same, scores, 0.6)}")


def _text(file: Path) -> str:
    return lzma.decompress(file.read_bytes()).decode("utf-8")


def _rows(path: str) -> Iterator[dict[str, str]]:
    file = shared() / "data" / path
    text = _text(file)
    yield from csv.DictReader(io.StringIO(text.removeprefix("\ufeff")), delimiter="\t", quoting=csv.QUOTE_NONE)


def _mrpc() -> Iterator[tuple[str, str, bool]]:
    for row in _rows("mrpc/msr_paraphrase_test.txt.xz"):
        values = list(row.values())
        yield values[3], values[4], values[0] == "1"


def _stsb() -> Iterator[tuple[str, str, bool]]:
    for line in _text(shared() / "data" / "stsb" / "sts-test.csv.xz").splitlines():
        parts = line.split("\t")
        if len(parts) >= 7 and not 2.0 < float(parts[4]) < 4.0:
            yield parts[5], parts[6], float(parts[4]) >= 4.0


def _rewritten(folder: str, column: str) -> Iterator[tuple[str, str, bool]]:
    """Human-checked rewrites of one sentence: paraphrased is the same, negated is different."""
    for file, suffix, same in (("semantic", "_paraphrase", True), ("negational", "_neg", False)):
        for row in _rows(f"{folder}/{file}.tsv.xz"):
            if row.get(column) and row.get(column + suffix):
                yield row[column], row[column + suffix], same


RANGES: dict[str, Callable[[], Iterator[tuple[str, str, bool]]]] = {
    "MRPC test (paraphrase)": _mrpc,
    "STS-B test (>= 4 same, <= 2 different)": _stsb,
    "SNLI hypotheses, paraphrased / negated": lambda: _rewritten("snli", "hypothesis"),
    "BECEL MRPC, paraphrased / negated": lambda: _rewritten("becel/mrpc", "sentence2"),
    "BECEL RTE, paraphrased / negated": lambda: _rewritten("becel/rte", "sentence2"),
}


def range_of_use(name: str) -> None:
    """Print the agreement on whole-sentence paraphrase, for which the judge is not made."""
    judging = judge(name)
    for title, pairs in RANGES.items():
        rows = list(pairs())
        rows = rows[:: -(-len(rows) // SAMPLE)]
        comparisons = [Comparison(reference=(first,), answer=second) for first, second, _ in rows]
        scores = np.array([similarity.score for similarity in list(judging.measure.compare(comparisons))])  # type: ignore[arg-type]
        same = np.array([is_same for _, _, is_same in rows])
        print(f"  {title:45s} {agreement(same, scores, judging.equal)}")


def rules_alone() -> None:
    """Print how often people contradict each rule: over all pairs, and with the system where it errs most."""
    records = evouna_records()
    for directed, pairs in ((True, annotated_pairs(records)), (False, output_pairs(records))):
        decided: dict[str, list[tuple[bool, tuple[str, ...]]]] = defaultdict(list)
        left = Counter[str]()
        for pair in pairs:
            prepared = prepare(pair.comparison)
            if isinstance(prepared, Similarity) and UNDECIDED[0] <= prepared.score <= UNDECIDED[1]:
                left[_rule(prepared.reason)] += 1
            elif isinstance(prepared, Similarity):
                wrong = (prepared.score >= THRESHOLD) is not pair.same
                decided[_rule(prepared.reason)].append((wrong, pair.systems))
        print(
            f"\n## rules, {'directed' if directed else 'symmetric'}: wrong of decided; the system with the most wrong"
        )
        for name, cases in sorted(decided.items(), key=lambda item: -len(item[1])):
            wrong = sum(is_wrong for is_wrong, _ in cases)
            told = [[is_wrong for is_wrong, who in cases if system in who] for system in SYSTEMS]
            errors, most, system = max(
                (sum(wrong), len(wrong), system) for wrong, system in zip(told, SYSTEMS, strict=True)
            )
            shown = f"; {system} {errors} of {most}" if wrong else ""
            print(f"  {wrong:4d} of {len(cases):5d} ({wrong / len(cases):4.0%})  {name}{shown}")
        for name, count in left.items():
            print(f"  left open: {count:5d}  {name}")


def _rule(reason: str) -> str:
    """Return the rule that gave a reason, without the words that it is about."""
    name = re.sub(r"\d+", "N", reason.split(":")[0])
    if name.startswith("another ") and name != "another relation":
        return "another word of its class"
    return "the same thing of two others" if " / " in name else name


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lexical", action="store_true", help="only the measure without embeddings")
    parser.add_argument("--tables", action="store_true", help="agreement with people (as without any option)")
    parser.add_argument("--contrast", action="store_true", help="one word in another's place, by classes left out")
    parser.add_argument("--rules", action="store_true", help="how often each rule is wrong")
    parser.add_argument("--range", action="store_true", help="data on which the judge should not be used")
    parser.add_argument("--without", nargs="*", default=[], metavar="FEATURE", help="leave these features out")
    chosen = parser.parse_args()
    agreed = chosen.tables or not (chosen.contrast or chosen.rules or chosen.range)
    embedded, leave = not chosen.lexical, tuple(chosen.without)
    if embedded:
        warm_embeddings()
    if chosen.rules:
        rules_alone()
    for directed in (True, False) if agreed or chosen.contrast else ():
        use = "directed" if directed else "symmetric"
        table, count = tables(directed=directed, semantic=embedded, embedded=embedded)
        tested = Contrasts(directed=directed, embedded=embedded) if chosen.contrast else None
        for semantic, name in NAMES[: 2 if embedded else 1]:
            if agreed:
                report(name, use, without(table, semantic, leave), np.arange(len(table.same)) < count)
            if tested:
                tested.report(name, semantic=semantic, leave=leave)
        if agreed and embedded:
            baseline(directed)
    for _, name in NAMES[: 2 if embedded else 1] if chosen.range else ():
        print(f"\n## {name}: range of use")
        range_of_use(name)
    keep_embeddings()


if __name__ == "__main__":
    main()
