"""`mutatis sheet` and `mutatis agreement`: let people label the results of a run or answer its questions."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from statistics import fmean

import typer

import mutatis.relations  # noqa: F401 - fills the registry
from mutatis.analysis.agreement import (
    FALSE_ALARM,
    Agreement,
    FalsePositives,
    agreement_in,
    false_positives,
    reading_counts,
)
from mutatis.assembly.questions import planned_questions
from mutatis.cli.forms import Per, SheetKind
from mutatis.core.errors import UsageError, check_known
from mutatis.core.gathering import gathered
from mutatis.core.relation import RELATIONS
from mutatis.records import Report, VerdictRecord, read_report, read_verdicts
from mutatis.records.files import write_text
from mutatis.records.labels import read_labels as labels_of
from mutatis.records.runs import find_run
from mutatis.relations.soundness import SoundnessRow, as_toml, should_hold
from mutatis.reports.numbers import interval_text, percent
from mutatis.reports.sheets import (
    Expectation,
    LabelPair,
    Labels,
    Sheet,
    Verdicts,
    answer_sheet,
    make_sheet,
    of_relation,
    paired_labels,
    read_key,
    read_sheet_labels,
    tag_of,
)


def sheet(run: str, kind: SheetKind, output: Path, n: int, seed: int, per: Per, relations: str, labelled: bool) -> None:
    """Write a labelling sheet as `mutatis sheet` does, and print a summary."""
    if output.suffix.lower() not in (".csv", ".html", ".jsonl"):
        raise UsageError(f"{output}: unknown kind of sheet; expected a file ending in .csv, .html or .jsonl")
    if labelled and kind != "bugs":
        raise UsageError(f"--labelled applies to bugs, not to {kind}; use: mutatis sheet RUN bugs")
    if kind == "answers":
        _draw_answers(run, output, n, seed, {"--per": per != "sheet", "--relations": bool(relations)})
        return
    folder = find_run(run)
    report = read_report(folder)
    names = {row.relation for row in report.summary}
    # Findings that contradict the data's own answers say nothing about the precision of a metamorphic method.
    by_reference = {name for name in names if name in RELATIONS and "reference" in RELATIONS[name].tags}
    left_out = by_reference if kind == "bugs" and not labelled else set()
    made = make_sheet(
        kind,
        _verdicts_of(folder, relations, names, unless_named=left_out),
        report.all_findings,
        size=n,
        seed=seed,
        per={"sheet": None, "relation": of_relation, "method": lambda verdict: (_method(verdict.relation),)}[per],
        labels=labels_of(folder) if labelled else None,
        expected=_should_hold if kind == "follow-ups" else _expectation(report),
    )
    _write(made, output)
    if made.key:
        lines = (json.dumps(dataclasses.asdict(origin), ensure_ascii=False) + "\n" for origin in made.key)
        key = write_text(output.with_suffix(".key.jsonl"), lines)
        typer.echo(f"{key}: shows which relation made which item; not for the readers")


def _draw_answers(config: str, output: Path, n: int, seed: int, options: Mapping[str, bool]) -> None:
    """Write the questions of a run for a person to answer, and print the command that judges the answers."""
    for name, is_set in options.items():
        if is_set:
            raise UsageError(
                f"{name} does not apply to answers, because whole dialogues are sampled; choose relations in the "
                "configuration"
            )
    planned = planned_questions(Path(config))
    made = answer_sheet(planned.sources, planned.follow_ups, planned.converse, size=n, seed=seed)
    _write(made, output)
    if others := made.available - len(made.rows):
        typer.echo(f"the other {others:,} will be errors of the run, in no rate; --n {made.available} takes all")
    filled = "FILLED.csv" if output.suffix.lower() == ".html" else output
    typer.echo(f"then: mutatis run {config} --system sheet:{filled}")


def _write(made: Sheet, output: Path) -> None:
    text = {".csv": made.as_csv, ".html": made.as_html, ".jsonl": made.as_jsonl}[output.suffix.lower()]()
    write_text(output, text)
    typer.echo(f"{output}: {len(made.rows):,} of {made.available:,} items")


def _verdicts_of(folder: Path, text: str, known: set[str], unless_named: set[str]) -> Verdicts:
    """Return a function that reads the verdicts of the relations listed in `text`, or of all but `unless_named`."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    check_known("relation of this run", names, sorted(known))
    wanted = set(names) or known - unless_named
    return lambda: (verdict for verdict in read_verdicts(folder) if verdict.relation in wanted)


def _method(relation: str) -> str:
    """Return the publication that a relation comes from ("ours" if none), or "" if the relation is not registered."""
    return RELATIONS[relation].published.paper or "ours" if relation in RELATIONS else ""


def _expectation(report: Report) -> Expectation:
    """Return a function that describes the change behind a verdict and what is expected, as in the report."""
    says = {(row.task, row.relation): row.says for row in report.summary}
    return lambda verdict: says.get((verdict.task, verdict.relation), "")


def _should_hold(verdict: VerdictRecord) -> str:
    """Return what should hold for a follow-up, without the name of the relation."""
    if verdict.relation not in RELATIONS:
        raise UsageError(
            f"relation {verdict.relation!r} of this run is not registered here, "
            "so its expectation is unknown; select relations with --relations"
        )
    return should_hold(RELATIONS[verdict.relation].output_relation.name, verdict)


def sheet_agreement(first: Path, second: Path | None, key: Path | None, output: Path | None) -> None:
    """Print the agreement of raters and their results, as `mutatis agreement` does."""
    labels = read_sheet_labels(first), read_sheet_labels(second) if second else None
    if labels[0].kind == "follow-ups":
        lines = _follow_up_lines(*labels, key, output)
    elif labels[0].kind == "bugs":
        lines = [*(_precision_lines(labels[0], labels[1]) if labels[1] else []), *_false_positive_lines(*labels)]
    elif labels[1] is None:
        raise UsageError(f"only {first} was given; expected two copies of the same sheet, filled in by two raters")
    else:
        lines = _context_lines(paired_labels(labels[0], labels[1]))
    for text in lines:
        typer.echo(text)


def _follow_up_lines(first: Labels, second: Labels | None, key: Path | None, output: Path | None) -> list[str]:
    """Return the soundness of the follow-ups as lines of text, and write the table to a file if `output` is given."""
    if key is None:
        raise UsageError(
            f"{first.path} contains labels of follow-ups; add --key with the key file written next to the sheet"
        )
    suffix = output.suffix.lower() if output else ""
    if output and suffix not in (".toml", ".json"):
        raise UsageError(f"{output}: unknown kind of table; expected a file ending in .toml or .json")
    origins = {name: (origin.relation, origin.task, origin.fields) for name, origin in read_key(key).items()}
    first_labels = {item: bool(label) for item, label in first.values.items()}
    second_labels = {item: bool(label) for item, label in second.values.items()} if second else {}
    unknown = [item for item in (*first_labels, *second_labels) if item not in origins]
    if unknown:
        raise UsageError(f"{key}: the key has no item {unknown[0]!r}; expected the key of the same sheet")
    rows = [
        SoundnessRow(relation=relation, task=task, fields=fields, readers="people", **dataclasses.asdict(counts))
        for (relation, task, fields), counts in reading_counts(origins, first_labels, second_labels).items()
    ]
    lines = [f"{r.relation} on {r.task} ({r.fields}): {r.sound} of {r.read}, {interval_text(r.interval)}" for r in rows]
    if second:
        pairs = paired_labels(first, second)
        agreement = agreement_in(Counter((pair.first > 0, pair.second > 0) for pair in pairs))
        lines += _rater_lines(f"two readers of {len(pairs):,}", agreement)
    if output:
        text = as_toml(rows) if suffix == ".toml" else json.dumps([dataclasses.asdict(row) for row in rows], indent=1)
        write_text(output, text)
        lines.append(f"{output}: {len(rows)} rows; name it in a configuration: readings = {json.dumps(str(output))}")
    return lines


def _precision_lines(first: Labels, second: Labels) -> list[str]:
    """Return the results of two raters as lines of text: for all items and, if there are several methods, for each."""
    pairs = paired_labels(first, second)
    lines = _bug_lines(pairs)
    relation_of = {item: relation for item, (relation, _) in first.rows.items()}
    by_method = gathered(pairs, lambda pair: _method(relation_of[pair.item]))
    for method, rows in sorted(by_method.items()) if len(by_method) > 1 else ():
        lines += [f"{method or 'other relations'}:", *(f"  {line}" for line in _bug_lines(rows))]
    return lines


def _bug_lines(pairs: list[LabelPair]) -> list[str]:
    """Return the results for items with the scores of two raters as lines of text."""
    raters = agreement_in(Counter((pair.first >= FALSE_ALARM, pair.second >= FALSE_ALARM) for pair in pairs))
    alarms = FalsePositives(judged=len(pairs), false=raters.table[3])
    low, high = alarms.interval
    return [
        f"items: {alarms.judged:,}",
        f"false positives: {alarms.false:,} (both raters give 6 or more)",
        f"PPD: {percent(1 - alarms.rate)} ({interval_text((1 - high, 1 - low))})",
        f"mean score: {fmean(pair.first for pair in pairs):.2f} and {fmean(pair.second for pair in pairs):.2f}",
        *_rater_lines("raters", raters),
    ]


def _false_positive_lines(first: Labels, second: Labels | None) -> list[str]:
    """Return the false alarms of each relation as lines of text, the highest rate first."""
    by_row = false_positives(first.rows, first.values, second.values if second else None)
    lines = [f"false positives per relation ({'both raters give 6 or more' if second else '6 or more'}):"]
    for row in sorted(by_row, key=lambda row: (-by_row[row].rate, row)):
        alarms, where = by_row[row], " on ".join(part for part in row if part)
        rate = f"{percent(alarms.rate)} ({interval_text(alarms.interval)})"
        lines.append(f"  {where}: {alarms.false:,} of {alarms.judged:,}, {rate}")
    return lines


def _context_lines(pairs: list[LabelPair]) -> list[str]:
    """Return the agreement of two raters with each other, and with the context check, as lines of text."""
    tags = {pair.item: tag_of(pair.item) for pair in pairs}
    unknown = [item for item, tag in tags.items() if tag is None]
    if unknown:
        raise UsageError(
            f"item {unknown[0]!r} is not an item of a context sheet; expected the original names of the items"
        )
    decided = [pair for pair in pairs if tags[pair.item] != "undecided"]
    lines = [f"items: {len(pairs):,}, of them {len(pairs) - len(decided):,} the check left undecided"]
    if not decided:
        return lines
    lines += _rater_lines("raters", agreement_in(Counter((pair.first > 0, pair.second > 0) for pair in decided)))
    agreed = [(tags[pair.item] == "altered", pair.first > 0) for pair in decided if pair.first == pair.second]
    if agreed:
        check = agreement_in(Counter(agreed))
        lines += [f"both raters agree on {len(agreed):,} items; there the check compares so:"]
        lines += _rater_lines("check", check)
        lines.append(f"altered: precision {percent(check.precision)}, recall {percent(check.recall)}")
    return lines


def _rater_lines(name: str, agreement_of: Agreement) -> list[str]:
    both_no, first, second, both_yes = agreement_of.table
    kappa = "undefined (only one label was ever given)" if agreement_of.kappa is None else f"{agreement_of.kappa:.3f}"
    return [
        f"{name}: agreement {percent(agreement_of.agreement)}, Cohen's kappa {kappa}",
        f"  both yes {both_yes:,}, only first {first:,}, only second {second:,}, both no {both_no:,}",
    ]
