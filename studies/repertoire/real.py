"""Whether the column "real" says what is true: on the study's bots, whose every pair is known.

Sets, per row of the summary of finished campaigns, the share of findings that the report expects to be real beside the
share that is: two replies that mean different things, after an edit that a bot without faults answers as before.

python -m studies.repertoire.campaign shop --out /tmp/shop
python -m studies.repertoire.real /tmp/shop
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mutatis.records.files import read_report

from .campaign import pairs_by_question

FEW = 5
"""Findings of a row below which its share says next to nothing: one more or less moves it by twenty points."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One row: findings that count, how many of them are true, and the share that the report expects to be."""

    relation: str
    findings: int
    true: int
    claimed: float

    @property
    def share(self) -> float:
        """The share that is true."""
        return self.true / self.findings

    @property
    def off(self) -> float:
        """By how much the report says too much (or, below 0, too little)."""
        return self.claimed - self.share


def rows(folder: Path) -> Iterator[Told]:
    """The rows of a finished campaign that have findings; FLAKY ones do not count."""
    report, told = read_report(folder), pairs_by_question(folder)
    flaky = {
        (finding.relation, finding.source.case.id, finding.source.turn)
        for finding in report.all_findings
        if finding.confirmed is False
    }
    for row in report.summary:
        chosen = [
            pair
            for pair, (source, turn) in told
            if pair.relation == row.relation
            and pair.verdict == "different"
            and (row.relation, source, turn) not in flaky
        ]
        if chosen and row.expected_precision is not None:
            true = sum(pair.truth == "different" and pair.sound for pair in chosen)
            yield Told(relation=row.relation, findings=len(chosen), true=true, claimed=row.expected_precision)


def together(told: Sequence[Told]) -> Told:
    """All rows of a campaign as one."""
    findings = sum(row.findings for row in told)
    claimed = sum(row.findings * row.claimed for row in told) / findings
    return Told(relation="all rows", findings=findings, true=sum(row.true for row in told), claimed=claimed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folders", nargs="+", type=Path, help="finished campaigns")
    options = parser.parse_args()
    for folder in options.folders:
        told = list(rows(folder))
        print(f"{folder.name}: findings, true, claimed, off")
        for row in [*told, together(told)] if told else ():
            few = " (few)" if row.findings < FEW else ""
            print(f"  {row.relation:32} {row.findings:5} {row.share:6.2f} {row.claimed:6.2f} {row.off:+6.2f}{few}")


if __name__ == "__main__":
    main()
