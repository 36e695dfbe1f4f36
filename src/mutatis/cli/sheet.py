"""`mutatis sheet RUN bugs|context -o FILE` and `mutatis agreement SHEET SHEET`: what people say of a run."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from mutatis.analysis.agreement import Agreement, context_tags, detections
from mutatis.cli.runs import find_run
from mutatis.core.errors import UsageError
from mutatis.records import read_report, read_verdicts
from mutatis.reports.numbers import interval_text, number, percent


class SheetKind(StrEnum):
    """What is to be labelled."""

    BUGS = "bugs"
    CONTEXT = "context"


def sheet(
    run: Annotated[str, typer.Argument(help="An --out folder, a store file, a run id, or latest.")],
    kind: Annotated[SheetKind, typer.Argument(help="Violations, or the tags of the context check.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The sheet to write: .csv or .html.")],
    n: Annotated[int, typer.Option("--n", min=1, help="Most items on the sheet.")] = 100,
    seed: Annotated[int, typer.Option(help="Seed of the sample.")] = 0,
) -> None:
    """Write a labelling sheet: a random sample, the same for the same seed, in blind order."""
    from mutatis.records.files import write_text
    from mutatis.reports.sheets import make_sheet

    suffix = output.suffix.lower()
    if suffix not in (".csv", ".html"):
        raise UsageError(f"{output}: no such kind of sheet; expected a file ending in .csv or .html")
    folder = find_run(run)
    findings = read_report(folder).findings
    made = make_sheet(
        kind.value, lambda: read_verdicts(folder), findings, size=n, seed=seed, expectations=_expectations()
    )
    write_text(output, made.as_csv() if suffix == ".csv" else made.as_html())
    typer.echo(f"{output}: {len(made.rows):,} of {made.available:,} items")


def _expectations() -> dict[str, str]:
    """Return what each relation of the catalogue says, in one line; a user's own relations are told by name only."""
    import mutatis.relations  # noqa: F401 - fills the registry
    from mutatis.core.relation import RELATIONS

    return {name: RELATIONS[name].summary for name in RELATIONS}


def agreement(
    first: Annotated[Path, typer.Argument(metavar="SHEET", help="The sheet one rater filled in (CSV).")],
    second: Annotated[Path, typer.Argument(metavar="SHEET", help="The same sheet, filled in by another rater.")],
) -> None:
    """Print how far two raters agree, and what their labels say of the run."""
    from mutatis.reports.labels import paired, read_labels

    labels = read_labels(first), read_labels(second)
    pairs = paired(*labels)
    lines = _bug_lines(pairs) if labels[0].kind == "bugs" else _context_lines(pairs)
    for text in lines:
        typer.echo(text)


def _bug_lines(pairs: list[tuple[str, float, float]]) -> list[str]:
    found = detections([a for _, a, _ in pairs], [b for _, _, b in pairs])
    return [
        f"items: {found.positives:,}",
        f"false positives: {found.false_positives:,} (both raters give 6 or more)",
        f"PPD: {percent(found.ppd)} ({interval_text(found.interval)})",
        f"mean score: {number(found.mean_scores[0])} and {number(found.mean_scores[1])}",
        *_rater_lines("raters", found.raters),
    ]


def _context_lines(pairs: list[tuple[str, float, float]]) -> list[str]:
    from mutatis.reports.sheets import tag_of

    tags = {item: tag_of(item) for item, _, _ in pairs}
    strange = [item for item, tag in tags.items() if tag is None]
    if strange:
        raise UsageError(f"item {strange[0]!r} is no item of a context sheet; expected the names as they were written")
    decided = [(tags[item] == "altered", a > 0, b > 0) for item, a, b in pairs if tags[item] != "undecided"]
    lines = [f"items: {len(pairs):,}, of them {len(pairs) - len(decided):,} the check left undecided"]
    if not decided:
        return lines
    found = context_tags([t for t, _, _ in decided], [a for _, a, _ in decided], [b for _, _, b in decided])
    lines += _rater_lines("raters", found.raters)
    if found.tags is not None:
        lines += [f"both raters agree on {found.agreed:,} items; there the check compares so:"]
        lines += _rater_lines("check", found.tags)
        lines.append(f"altered: precision {percent(found.precision)}, recall {percent(found.recall)}")
    return lines


def _rater_lines(name: str, found: Agreement) -> list[str]:
    both_no, first, second, both_yes = found.table
    kappa = "undefined (only one label was ever given)" if found.kappa is None else f"{found.kappa:.3f}"
    return [
        f"{name}: agreement {percent(found.agreement)}, Cohen's kappa {kappa}",
        f"  both yes {both_yes:,}, only first {first:,}, only second {second:,}, both no {both_no:,}",
    ]
