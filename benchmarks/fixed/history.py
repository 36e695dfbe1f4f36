"""Prints how the kept verdicts changed from commit to commit: `python -m benchmarks.fixed.history COMMIT`.

Each commit after COMMIT that changed `verdicts/` is compared with the one before it, as git keeps both. A verdict that
is in both counts as changed if its outcome, score or reason is another one; new and missing verdicts are counted by
relation.
"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

FOLDER = "benchmarks/fixed/verdicts"
ROOT = Path(__file__).parents[2]
_ABOUT, _OUTCOME, _SCORE, _REASON = 0, 1, 2, 6


def git(*words: str) -> str:
    """Return the output of a git command, or "" if there is none, as for a file that a commit lacks."""
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False).stdout


def kept(commit: str, run: str) -> Mapping[str, list[str]]:
    """Return the kept verdicts of a run at a commit, by what they are about."""
    rows = (line.split("\t") for line in git("show", f"{commit}:{FOLDER}/{run}.tsv").splitlines())
    return {row[_ABOUT]: row for row in rows}


def told(row: list[str]) -> tuple[str, str, str]:
    """Return the outcome, score and reason of a kept verdict."""
    return row[_OUTCOME], row[_SCORE], row[_REASON]


def changes(commit: str, run: str) -> Iterator[str]:
    """Yield a line of counts for a run that a commit changed, and one for each verdict with another outcome."""
    before, after = kept(f"{commit}~1", run), kept(commit, run)
    both = before.keys() & after.keys()
    moved = [about for about in after if about in both and told(before[about]) != told(after[about])]
    turned = [about for about in moved if before[about][_OUTCOME] != after[about][_OUTCOME]]
    same = sum(before[about] != after[about] for about in both) - len(moved)
    yield (
        f"  {run}: new {by_relation(after.keys() - both)}; missing {by_relation(before.keys() - both)}; "
        f"{len(turned)} with another outcome, {len(moved) - len(turned)} with another score or reason, "
        f"{same} with other texts or bytes alone"
    )
    for about in turned:
        yield f"    {about}: {before[about][_OUTCOME]} -> {after[about][_OUTCOME]}: {after[about][_REASON]}"


def by_relation(about: Iterable[str]) -> str:
    """Return how many verdicts these are, with the relations of most of them."""
    counts = Counter(each.partition(" ")[0] for each in about)
    named = ", ".join(f"{name} {number}" for name, number in counts.most_common(6))
    return f"{counts.total()}{f' ({named})' if named else ''}"


def main(since: str) -> None:
    """Print the changes of each commit, the earliest first."""
    log = git("log", "--reverse", "--format=%h %s", f"{since}~1..HEAD", "--", FOLDER)
    for commit, _, subject in (line.partition(" ") for line in log.splitlines()):
        print(commit, subject)
        for file in git("diff", "--name-only", f"{commit}~1", commit, "--", FOLDER).split():
            print(*changes(commit, Path(file).stem), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1])
