"""Prints how the judge agrees with people: `python studies/judge/evaluate.py [--lexical] [--contrast] [--range]`.

Every number is held out: models are fitted here, on other questions (five folds by hash of the question), and for
"system left out" on other questions (in halves) and other systems. `--contrast` prints the substitutions alone: by
models that saw no class of the same fifth. `--range` adds data on which the judge should not be used.
"""

from __future__ import annotations

import argparse
import csv
import io
import lzma
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from fitting import Bools, Floats, Table, fit, keep_embeddings, tabulate, warm_embeddings
from pairs import SYSTEMS, shared
from scoring import agreement, reliability
from substitutions import own_synonyms, substitutions, synonyms
from train import CAUTION, THRESHOLD, class_folds, tables

from mutatis.core.measure import Comparison
from mutatis.measures import judge
from mutatis.measures.equivalence import EMBEDDED
from mutatis.text.embedder import cosines

FOLDS = 5
SAMPLE = 3000  # pairs of each paraphrase set, at most


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


def contrasts(name: str, *, directed: bool, semantic: bool) -> None:
    """Print how many substitutions are judged the same by models that never saw a class of their fifth."""
    found = (*substitutions(), *synonyms(), *own_synonyms())
    use = "directed" if directed else "symmetric"
    table, _ = tables(directed=directed, semantic=semantic, embedded=semantic)
    pairs = [replace(one.pair, comparison=replace(one.pair.comparison, directed=directed)) for one in found]
    tested = tabulate(pairs, np.array([one.fold for one in found]), directed=directed, semantic=semantic)
    classes = class_folds(table, directed=directed)
    scores = np.full(len(found), np.nan)
    for fold in range(FOLDS):
        fitted = fit(table, classes != fold, caution=CAUTION[use, semantic])
        scores[tested.fold == fold] = fitted.scores(tested, tested.fold == fold)
    same = tested.same
    kinds = np.array([one.kind for one in found])
    print(
        f"\n## {name}, {use}: {int((~same).sum())} substitutions of {len(set(kinds[~same]))} classes never trained on"
    )
    print(f"  judged the same {(scores[~same] >= THRESHOLD).mean():.1%}, above 0.7 {(scores[~same] > 0.7).mean():.1%}")
    for control in ("synonym", "synonym-own"):
        if (kinds == control).any():
            print(f"  control {control}: judged the same {(scores[kinds == control] >= THRESHOLD).mean():.1%}")
    shares = {kind: (scores[kinds == kind] >= THRESHOLD).mean() for kind in set(kinds[~same])}
    worst = sorted(shares, key=lambda kind: -shares[kind] * (kinds == kind).sum())
    print("  " + ", ".join(f"{kind} {shares[kind]:.0%} of {(kinds == kind).sum()}" for kind in worst if shares[kind]))


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
    pooled = agreement(same, np.concatenate([found for _, found in left_out]), THRESHOLD)
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
    from pairs import annotated_pairs, evouna_records, output_pairs

    pairs = (annotated_pairs if directed else output_pairs)(evouna_records())
    texts = [(reference, pair.comparison.answer) for pair in pairs for reference in pair.comparison.reference[:8]]
    found = iter(cosines(texts))
    scores = np.array([max(next(found) for _ in pair.comparison.reference[:8]) for pair in pairs])
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
        scores = np.array([found.score for found in list(judging.measure.compare(comparisons))])  # type: ignore[arg-type]
        same = np.array([is_same for _, _, is_same in rows])
        print(f"  {title:45s} {agreement(same, scores, judging.equal)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lexical", action="store_true", help="only the measure without embeddings")
    parser.add_argument("--contrast", action="store_true", help="only the substitutions, by classes left out")
    parser.add_argument("--range", action="store_true", help="also data on which the judge should not be used")
    chosen = parser.parse_args()
    if not chosen.lexical:
        warm_embeddings()
    for semantic in [False] if chosen.lexical else [False, True]:
        name = "answer-equivalence" if semantic else "answer-equivalence-lexical"
        for use in ("directed", "symmetric"):
            if chosen.contrast:
                contrasts(name, directed=use == "directed", semantic=semantic)
                continue
            table, count = tables(directed=use == "directed", semantic=semantic, embedded=not chosen.lexical)
            report(name, use, table, np.arange(len(table.same)) < count)
            if semantic:
                baseline(use == "directed")
        if chosen.range:
            print(f"\n## {name}: range of use")
            range_of_use(name)
    keep_embeddings()


if __name__ == "__main__":
    main()
