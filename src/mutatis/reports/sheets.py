"""Sheets for people: labelling sheets, a random sample of a run to judge, and answer sheets, its questions to answer.

Three kinds of labelling sheets are drawn: `bugs` (are these violations real?), `context` (is the context of this
follow-up turn as informative as before?) and `follow-ups` (would a careful reader agree with the relation's
expectation?). The same run and seed always give the same sheet. Sheets are blind: they never show the system, score or
tag. Sheets of follow-ups also hide the relation, the verdict and the answer to the follow-up. When completed sheets are
read, error messages name the path, row and column. Only the columns `item` and `score`, `label` or `sound` are read.
Items without a label are left out.

An answer sheet (`answers`) is drawn before anything is asked. The person is the system under test (MORTAR v1, Table 4),
and `systems/sheet.py` reads the completed sheet. Whole dialogues are drawn in a reproducible random order, alternating
between sources and follow-ups. If two dialogues begin with the same turns, these are asked only once.
"""

from __future__ import annotations

import hashlib
import heapq
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from mutatis.core.cases import Case
from mutatis.core.errors import UsageError
from mutatis.core.gathering import one_of_each
from mutatis.core.system import Conversation
from mutatis.records.asked import ResponseRecord
from mutatis.records.filled import filled_items, filled_lines
from mutatis.records.labels import Label
from mutatis.records.report import FindingRecord, MemberRecord, RoundRecord, VerdictRecord, row_of
from mutatis.reports.csv import csv_lines, lines_of
from mutatis.reports.marking import visible
from mutatis.systems.sheet import question_name

Kind: TypeAlias = Literal["bugs", "context", "follow-ups", "answers"]
Verdicts: TypeAlias = Callable[[], Iterable[VerdictRecord]]
"""Function that returns the verdicts of a run. It is called once for each pass over them."""

TAGS = ("equivalent", "altered", "undecided")

COLUMNS: Mapping[Kind, tuple[str, ...]] = {
    "bugs": (
        "number", "item", "relation", "task", "expectation", "material", "first_earlier", "first_input", "first_answer",
        "second_earlier", "second_input", "second_answer", "reference", "score", "comment",
    ),
    "context": ("number", "item", "source_earlier", "follow_up_earlier", "input", "material", "label", "comment"),
    "follow-ups": (
        "number", "item", "task", "should_hold", "material", "source_earlier", "source_input", "source_answer",
        "follow_up_earlier", "follow_up_input", "sound", "comment",
    ),
    "answers": ("number", "item", "dialogue", "material", "earlier", "input", "answer", "comment"),
}  # fmt: skip
LABEL: Mapping[Kind, str] = {"bugs": "score", "context": "label", "follow-ups": "sound", "answers": "answer"}
_EMPTY: Mapping[Kind, str] = {
    "bugs": "violations",
    "context": "follow-up turns with a context tag",
    "follow-ups": "follow-ups that were judged with only their source",
}

Questions: TypeAlias = Mapping[tuple[str, int], str]
"""Maps the id of a source or follow-up, and a turn, to the question asked there."""

Expectation: TypeAlias = Callable[[VerdictRecord], str]
"""Function that describes in one line which answers a relation expects."""

Stratum: TypeAlias = Callable[[VerdictRecord], tuple[str, ...]]
"""Function that returns the group of a verdict. Each group contributes the same number of items."""


def of_relation(verdict: VerdictRecord) -> tuple[str, ...]:
    """Return a verdict's relation and task."""
    return verdict.relation, verdict.task


@dataclass(frozen=True, slots=True, kw_only=True)
class _SheetItem:
    """An item to label: a verdict and, unless the sheet is about bugs, one of its follow-ups."""

    name: str
    verdict: VerdictRecord
    member: MemberRecord | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Origin of a follow-up on a sheet, hidden from the readers. `fields` are the fields that were changed."""

    item: str
    relation: str
    task: str
    fields: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A labelling sheet with the columns `COLUMNS[kind]`. Label and comment are still empty.

    `key` is the origin of each item, which is needed later to count the labels. `available` is the number of items that
    could have been drawn.
    """

    kind: Kind
    rows: tuple[tuple[str, ...], ...]
    available: int
    key: tuple[Origin, ...] = field(default=(), repr=False)

    def as_csv(self) -> str:
        """Return the sheet as CSV text for a spreadsheet."""
        return "".join(csv_lines(COLUMNS[self.kind], self.rows))

    def as_jsonl(self) -> str:
        """Return the sheet as text with one JSON object per line."""
        rows = (dict(zip(COLUMNS[self.kind], row, strict=True)) for row in self.rows)
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)

    def as_html(self) -> str:
        """Return the sheet as a single page that can save its labels as CSV."""
        from mutatis.reports.html import render_sheet

        return render_sheet(self.kind, COLUMNS[self.kind], self.rows, LABEL[self.kind])


def make_sheet(
    kind: Kind,
    verdicts: Verdicts,
    findings: Sequence[FindingRecord],
    *,
    size: int = 100,
    seed: int = 0,
    per: Stratum | None = None,
    expected: Expectation = lambda _: "",
    labels: Mapping[str, Label] | None = None,
) -> Sheet:
    """Return a sheet of at most `size` items. `findings` supply the material that the questions refer to.

    If `per` is given, the limit applies to each of the groups that this function (such as `of_relation`) distinguishes.
    If `labels` are given, a sheet of the kind `bugs` contains only the labelled findings, with their labels filled in.
    """
    candidates = _CANDIDATES[kind](verdicts())
    if labels is not None:
        candidates = _labelled(candidates, labels)
    chosen, available = _sample(candidates, size, f"{kind}/{seed}", per)
    if not chosen:
        raise UsageError(f"nothing to label: the run has no {'' if labels is None else 'labelled '}{_EMPTY[kind]}")
    cases = {item.verdict.source for item in chosen} | {item.member.case for item in chosen if item.member}
    questions = _questions(verdicts(), cases, with_answers=kind == "follow-ups")
    materials = {f.source.case.id: f.source.case.material for f in findings if f.source.case.id in cases}
    rows = []
    for number, item in enumerate(chosen, start=1):
        cells = {**_cells(item, questions), "number": str(number), "item": item.name}
        cells["expectation"] = cells["should_hold"] = visible(expected(item.verdict))
        cells["material"] = lines_of(materials.get(item.verdict.source, {}))
        if (label := (labels or {}).get(item.verdict.finding)) is not None:
            cells |= {"score": _SCORE[label.label], "comment": visible(label.comment)}
        rows.append(tuple(cells.get(column, "") for column in COLUMNS[kind]))
    key = tuple(map(_origin, chosen)) if kind == "follow-ups" else ()  # its items do not show their relation
    return Sheet(kind=kind, rows=tuple(rows), available=available, key=key)


_SCORE = {"real": "0", "false-alarm": "10", "unsure": "5", "": ""}
"""Scores that a bugs sheet uses for the labels of findings."""


def _labelled(items: Iterable[_SheetItem], labels: Mapping[str, Label]) -> Iterator[_SheetItem]:
    """Yield the item for the first verdict of each labelled finding."""
    remaining = set(labels)
    for item in items:
        if item.verdict.finding in remaining:
            remaining.remove(item.verdict.finding)
            yield item


def _bugs(verdicts: Iterable[VerdictRecord]) -> Iterator[_SheetItem]:
    for verdict in verdicts:
        if verdict.outcome == "violated" and verdict.followups:
            parts = [*row_of(verdict), verdict.source, verdict.turn, verdict.variant, verdict.draw, verdict.repeat]
            members = [(member.case, member.turn) for member in verdict.followups]
            yield _SheetItem(name=_name([*parts, *members]), verdict=verdict)


def _context_turns(verdicts: Iterable[VerdictRecord]) -> Iterator[_SheetItem]:
    for verdict in verdicts:
        for member in verdict.followups:
            tag = member.annotations.get("context")
            if tag in TAGS:
                yield _SheetItem(name=tagged(_name([member.case, member.turn]), tag), verdict=verdict, member=member)


def _follow_ups(verdicts: Iterable[VerdictRecord]) -> Iterator[_SheetItem]:
    for verdict in verdicts:
        if verdict.outcome in ("satisfied", "violated") and len(verdict.followups) == 1 and verdict.repeat == 0:
            member = verdict.followups[0]
            parts = [verdict.relation, verdict.source, member.case, member.turn, *member.input.items()]
            yield _SheetItem(name=_name(parts), verdict=verdict, member=member)


_CANDIDATES: Mapping[Kind, Callable[[Iterable[VerdictRecord]], Iterator[_SheetItem]]] = {
    "bugs": _bugs, "context": _context_turns, "follow-ups": _follow_ups
}  # fmt: skip


def _origin(item: _SheetItem) -> Origin:
    verdict = item.verdict
    fields = "+".join(verdict.variant)
    return Origin(item=item.name, relation=verdict.relation, task=verdict.task, fields=fields, source=verdict.source)


def _name(parts: Sequence[object]) -> str:
    """Return an item's name: a letter and a hash. The letter prevents spreadsheets from reading it as a number."""
    return "i" + _digest(repr(parts))


def tagged(name: str, tag: str) -> str:
    """Return an item's name with its tag encoded so that only `tag_of` can read it."""
    return name + _digest(f"{name}/{tag}")[:6]


def tag_of(item: str) -> str | None:
    """Return the tag that `tagged` encoded in an item's name, or None if there is no tag."""
    return next((tag for tag in TAGS if tagged(item[:-6], tag) == item), None)


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=5).hexdigest()


def _sample(
    candidates: Iterable[_SheetItem], size: int, salt: str, per: Stratum | None
) -> tuple[list[_SheetItem], int]:
    """Return a reproducible random sample of up to `size` items per group, and the number of different items.

    The sample consists of the items whose hashes with `salt` are smallest. Only these are kept in memory.
    """
    names: set[str] = set()
    heaps: dict[tuple[str, ...], list[tuple[int, str, _SheetItem]]] = {}
    for item in candidates:
        if item.name in names:
            continue
        names.add(item.name)
        rank = -int(_digest(f"{salt}/{item.name}"), 16)  # negative, as a heap gives up its smallest entry
        heap = heaps.setdefault(() if per is None else per(item.verdict), [])
        if len(heap) < size:
            heapq.heappush(heap, (rank, item.name, item))
        else:
            heapq.heappushpop(heap, (rank, item.name, item))
    entries = sorted((entry for heap in heaps.values() for entry in heap), key=lambda entry: entry[:2], reverse=True)
    return [item for _, _, item in entries], len(names)


def _questions(
    verdicts: Iterable[VerdictRecord], cases: set[str], *, with_answers: bool = False
) -> dict[tuple[str, int], str]:
    """Return the questions of the given sources and follow-ups, with their answers if `with_answers` is set."""
    texts: dict[tuple[str, int], str] = {}
    answered: set[tuple[str, int]] = set()
    for verdict in verdicts:
        for case, turn, question, reply in _rounds(verdict):
            # A verdict that was INVALID before it was asked lacks the answer, but another one may have it.
            if case not in cases or (case, turn) in answered:
                continue
            texts[case, turn] = question if reply is None or not with_answers else f"{question} -> {reply}"
            if reply is not None:
                answered.add((case, turn))
    return texts


def _rounds(verdict: VerdictRecord) -> Iterator[tuple[str, int, str, str | None]]:
    """Yield the rounds of a verdict's dialogues: the judged turns, followed by the earlier ones.

    A round is its case, its turn, the question and the reply, or None if it was not asked.
    """
    judged = [(verdict.source, verdict.turn, verdict.source_input, verdict.source_output, verdict.source_error)]
    judged += [(member.case, member.turn, member.input, member.output, member.error) for member in verdict.followups]
    for case, turn, texts, output, error in judged:
        yield case, turn, _one(texts), None if output is None and error is None else _answer(output, error)
    earlier: list[tuple[str, Sequence[RoundRecord | None]]] = [(verdict.source, verdict.source_earlier)]
    earlier += [(member.case, member.earlier) for member in verdict.followups]
    for case, rounds in earlier:
        for turn, asked in enumerate(rounds):
            if asked is not None:
                reply = None if asked.reply is None else visible(asked.reply or "(empty answer)")
                yield case, turn, _one(asked.input), reply


def _cells(item: _SheetItem, questions: Questions) -> dict[str, str]:
    """Return the cells of an item that describe its verdict, by column. `COLUMNS` chooses those for each sheet."""
    verdict = item.verdict
    source = {
        "earlier": _earlier(verdict.source, range(verdict.turn), questions),
        "input": lines_of(verdict.source_input),
        "answer": _answer(verdict.source_output, verdict.source_error),
    }
    follow_ups = [_follow_up_cells(verdict, member, questions) for member in verdict.followups]
    worst = [follow_ups[index] for index in verdict.worst if index < len(follow_ups)] or follow_ups
    follow_up = worst[0] if item.member is None else follow_ups[verdict.followups.index(item.member)]
    first, second = worst[:2] if len(worst) > 1 else (source, worst[0])
    sides = {"first": first, "second": second, "source": source, "follow_up": follow_up}
    return {
        **{f"{side}_{name}": text for side, cells in sides.items() for name, text in cells.items()},
        "input": follow_up["input"],
        "relation": visible(verdict.relation),
        "task": visible(verdict.task),
        "reference": " | ".join(visible(str(value)) for value in verdict.reference),
    }


def _follow_up_cells(verdict: VerdictRecord, member: MemberRecord, questions: Questions) -> dict[str, str]:
    """Return the cells of a follow-up. Earlier rounds that were edited or inserted appear as they were asked."""
    origin = member.derivation.origin[: member.turn] if member.derivation else []
    earlier = [
        questions.get((member.case, turn)) or _earlier(verdict.source, [source_turn], questions)
        for turn, source_turn in enumerate(origin)
    ]
    answer = _answer(member.output, member.error)
    return {"earlier": "\n".join(earlier), "input": lines_of(member.input), "answer": answer}


def _earlier(source: str, turns: Iterable[int], questions: Questions) -> str:
    """Return the source's questions at the given turns, one per line."""
    return "\n".join(questions.get((source, turn), "(question not recorded)") for turn in turns)


def _answer(response: ResponseRecord | None, error: str | None) -> str:
    if response is None:
        return f"(no answer: {visible(str(error))})"
    return visible(response.said or "(empty answer)")


def _one(texts: Mapping[str, str]) -> str:
    return " / ".join(map(visible, texts.values()))


Converse = Callable[[Case, int], Conversation]
"""Function that returns the conversation up to one turn of a case."""


def answer_sheet(
    sources: Sequence[Case], follow_ups: Sequence[Case], converse: Converse, *, size: int = 100, seed: int = 0
) -> Sheet:
    """Return a sheet of whole dialogues with at most `size` questions, or of one longer dialogue if none fits."""
    if not sources:
        raise UsageError("nothing to answer: none of the relations fits any input of the configuration")
    available: set[str] = set()
    rows: list[tuple[str, ...]] = []
    full, number = False, 0
    for case in one_of_each([_shuffled(sources, seed), _shuffled(follow_ups, seed)]):
        shown = {question_name(talk): talk for talk in (converse(case, turn) for turn in case.asked)}
        new = {name: talk for name, talk in shown.items() if name not in available}
        full = full or (bool(rows) and len(rows) + len(new) > size)
        available |= new.keys()
        if full or not new:  # after the first dialogue that does not fit, the others are only counted
            continue
        number += 1
        for place, (name, talk) in enumerate(new.items()):
            material = lines_of(case.material) if place == 0 else ""
            rows.append((str(len(rows) + 1), name, str(number), material, *_question(case, talk), "", ""))
    return Sheet(kind="answers", rows=tuple(rows), available=len(available))


def _question(case: Case, talk: Conversation) -> tuple[str, str]:
    """Return the earlier questions of a dialogue, one per line, and the current one."""
    earlier = [lines_of(fields) for fields, _ in talk.history]
    return "\n".join(earlier), lines_of(case.turns[talk.turn].fields)


def _shuffled(cases: Sequence[Case], seed: int) -> list[Case]:
    return sorted(cases, key=lambda case: _digest(f"answers/{seed}/{case.asked_hash()}"))


HIGHEST = 10
_MEANINGS: Mapping[Kind, Mapping[str, float]] = {
    "bugs": {},
    "context": {"altered": 1, "a": 1, "equivalent": 0, "e": 0},
    "follow-ups": {"yes": 1, "y": 1, "true": 1, "1": 1, "no": 0, "n": 0, "false": 0, "0": 0},
}
"""The words that raters may write as a label, with its value: 1 for "altered" and "sound", 0 for the opposite."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """Labels from one rater: for each item a score or a yes/no label (altered or not, sound or not).

    `rows` maps each item to its relation and task, which are "" if the sheet has no column for them.
    """

    path: Path
    kind: Kind
    values: Mapping[str, float]
    rows: Mapping[str, tuple[str, str]] = field(default_factory=dict)


_EXPECTED: Mapping[Kind, str] = {
    "bugs": f"a score from 0 to {HIGHEST}",
    "context": "'equivalent' or 'altered'",
    "follow-ups": "'yes' or 'no'",
}


def read_sheet_labels(path: Path) -> Labels:
    """Read a completed sheet in CSV or JSON Lines format. Items without a label are left out."""
    items = filled_items(path)
    kind = _kind(path, next(row for _, row in items.values()))
    column = LABEL[kind]
    values: dict[str, float] = {}
    origins = {}
    for item, (where, row) in items.items():
        label, relation, task = ((row.get(name) or "").strip() for name in (column, "relation", "task"))
        if label:
            values[item] = _label(label, kind, f"{where}, column {column!r}")
            origins[item] = (relation, task)
    if not values:
        raise UsageError(
            f"{path}: the sheet has not been filled in; expected {_EXPECTED[kind]} in the column {column!r}"
        )
    return Labels(path=path, kind=kind, values=values, rows=origins)


def read_key(path: Path) -> dict[str, Origin]:
    """Read the origin of each item (such as its relation) from the key file that belongs to a sheet."""
    names = [attribute.name for attribute in fields(Origin)]
    origins = {}
    for number, row in enumerate(filled_lines(path), start=1):
        missing = [name for name in names if name not in row]
        if missing:
            raise UsageError(f"{path}: line {number}: no {missing[0]!r}; expected the key written next to the sheet")
        origins[row["item"]] = Origin(**{name: row[name] for name in names})
    return origins


def _kind(path: Path, row: Mapping[str, str]) -> Kind:
    for kind in _EXPECTED:
        if LABEL[kind] in row:
            return kind
    raise UsageError(
        f"{path}: no column 'score' (bugs), 'label' (context) or 'sound' (follow-ups); expected a sheet that has been "
        "filled in"
    )


def _label(label: str, kind: Kind, where: str) -> float:
    """Return a label as a number: the score of a possible bug, or the value of a word in `_MEANINGS`.

    `where` is the place of the cell, for errors.
    """
    value = _MEANINGS[kind].get(label.lower(), -1.0)
    if kind == "bugs":
        with suppress(ValueError):
            value = float(label.replace(",", "."))  # some countries write a decimal comma
    if not 0 <= value <= HIGHEST:
        raise UsageError(f"{where}: found {label!r}; expected {_EXPECTED[kind]}")
    return value


class LabelPair(NamedTuple):
    """An item with the labels of two raters."""

    item: str
    first: float
    second: float


def paired_labels(first: Labels, second: Labels) -> list[LabelPair]:
    """Return each item that both raters labelled with its two labels, in the order of the first sheet."""
    if first.kind != second.kind:
        raise UsageError(
            f"{first.path} has labels of the kind {first.kind}, but {second.path} has labels of the kind "
            f"{second.kind}; expected the same kind in both"
        )
    in_both = [item for item in first.values if item in second.values]
    if not in_both:
        raise UsageError(
            f"{second.path}: no item that is labelled in {first.path} is labelled here; expected two copies of the "
            "same sheet"
        )
    return [LabelPair(item, first.values[item], second.values[item]) for item in in_both]
