"""Labelling sheets: a random sample of a run for people to judge, and their labels read back.

Two kinds: `bugs` (are these violations real?) and `context` (is the context of this follow-up turn as informative as
it was?). Sampling keeps the items with the smallest keyed hashes: the same run and seed give the same sheet, in an
order that tells nothing. Sheets are blind: no system, no score, no tag. Knows the records of a
run, not how they are made.
"""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from mutatis.core.errors import UsageError
from mutatis.records.report import FindingRecord, MemberRecord, ResponseRecord, VerdictRecord
from mutatis.reports.csv import to_csv
from mutatis.reports.marking import visible

Kind: TypeAlias = Literal["bugs", "context"]
Verdicts: TypeAlias = Callable[[], Iterable[VerdictRecord]]
"""Opens the verdicts of a run; called once per pass."""

TAGS = ("equivalent", "altered", "undecided")

COLUMNS: Mapping[Kind, tuple[str, ...]] = {
    "bugs": (
        "number", "item", "relation", "expectation", "material", "first_earlier", "first_input", "first_answer",
        "second_earlier", "second_input", "second_answer", "reference", "score", "comment",
    ),
    "context": ("number", "item", "source_earlier", "follow_up_earlier", "input", "material", "label", "comment"),
}  # fmt: skip
LABEL: Mapping[Kind, str] = {"bugs": "score", "context": "label"}

Questions: TypeAlias = Mapping[tuple[str, int], str]
"""Source questions by source id and turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Item:
    """Something to label: a verdict, for a context sheet with the follow-up whose tag is in question."""

    name: str
    verdict: VerdictRecord
    member: MemberRecord | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A labelling sheet: rows of texts in the order of `COLUMNS[kind]`, the label and the comment left empty."""

    kind: Kind
    rows: tuple[tuple[str, ...], ...]
    available: int

    def as_csv(self) -> str:
        """Return the sheet for a spreadsheet."""
        return to_csv(COLUMNS[self.kind], self.rows)

    def as_html(self) -> str:
        """Return the sheet as one page that saves its labels as CSV."""
        from mutatis.reports.html import render_sheet

        return render_sheet(self.kind, COLUMNS[self.kind], self.rows, LABEL[self.kind])


def make_sheet(
    kind: Kind,
    verdicts: Verdicts,
    findings: Sequence[FindingRecord],
    *,
    size: int = 100,
    seed: int = 0,
    expectations: Mapping[str, str] | None = None,
) -> Sheet:
    """Return a sheet of at most `size` items; `findings` give the material of the dialogues.

    `expectations` says per relation, in one line, what should hold.
    """
    if size < 1:
        raise UsageError(f"--n {size}: expected at least 1")
    candidates = _bugs(verdicts()) if kind == "bugs" else _context_turns(verdicts())
    chosen, available = _sample(candidates, size, f"{kind}/{seed}")
    if not chosen:
        what = "violations" if kind == "bugs" else "follow-up turns with a context tag"
        raise UsageError(f"nothing to label: the run has no {what}")
    questions = _questions(verdicts(), {item.verdict.source for item in chosen})
    wanted = {item.verdict.source for item in chosen}
    materials = {f.source.case.id: f.source.case.material for f in findings if f.source.case.id in wanted}
    rows = []
    for number, item in enumerate(chosen, start=1):
        verdict, member = item.verdict, item.member
        material = _lines(materials.get(verdict.source, {}))
        if member is None:
            expected = (expectations or {}).get(verdict.relation, "")
            cells = _bug_row(verdict, questions, (visible(expected), material))
        else:
            cells = _context_row(verdict, member, questions, material)
        rows.append((str(number), item.name, *cells, "", ""))
    return Sheet(kind=kind, rows=tuple(rows), available=available)


def _bugs(verdicts: Iterable[VerdictRecord]) -> Iterator[_Item]:
    for one in verdicts:
        if one.outcome == "violated" and one.followups:
            parts = [one.system, one.task, one.relation, one.source, one.turn, one.variant, one.draw, one.repeat]
            name = _name([*parts, *((member.case, member.turn) for member in one.followups)])
            yield _Item(name=name, verdict=one)


def _context_turns(verdicts: Iterable[VerdictRecord]) -> Iterator[_Item]:
    for verdict in verdicts:
        for member in verdict.followups:
            tag = member.annotations.get("context")
            if tag in TAGS:
                yield _Item(name=tagged(_name([member.case, member.turn]), tag), verdict=verdict, member=member)


def _name(parts: Sequence[object]) -> str:
    """Return an item's name: a hash after a letter, which no spreadsheet takes for a number."""
    return "i" + _digest(repr(parts))


def tagged(name: str, tag: str) -> str:
    """Return an item's name that holds its tag, for the program and not for the eye; `tag_of` reads it."""
    return name + _digest(f"{name}/{tag}")[:6]


def tag_of(item: str) -> str | None:
    """Return the tag that `tagged` put into an item's name, None for any other name."""
    return next((tag for tag in TAGS if tagged(item[:-6], tag) == item), None)


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=5).hexdigest()


def _sample(candidates: Iterable[_Item], size: int, salt: str) -> tuple[list[_Item], int]:
    """Return the items with the smallest keyed hashes, in their order, each item once; and how many there were."""
    seen: set[str] = set()
    kept: list[tuple[int, str, _Item]] = []
    for item in candidates:
        if item.name in seen:
            continue
        seen.add(item.name)
        rank = -int(_digest(f"{salt}/{item.name}"), 16)
        if len(kept) < size:
            heapq.heappush(kept, (rank, item.name, item))
        elif (rank, item.name) > kept[0][:2]:
            heapq.heapreplace(kept, (rank, item.name, item))
    return [item for *_, item in sorted(kept, key=lambda k: k[:2], reverse=True)], len(seen)


def _questions(verdicts: Iterable[VerdictRecord], sources: set[str]) -> dict[tuple[str, int], str]:
    return {(one.source, one.turn): _one(one.source_input) for one in verdicts if one.source in sources}


def _bug_row(verdict: VerdictRecord, questions: Questions, about: tuple[str, str]) -> tuple[str, ...]:
    members = [_member(verdict, member, questions) for member in verdict.followups]
    worst = [members[i] for i in verdict.worst if i < len(members)] or members
    if len(worst) > 1:
        first, second = worst[0], worst[1]
    else:
        earlier = _earlier(verdict.source, range(verdict.turn), questions)
        answer = _answer(verdict.source_output, verdict.source_error)
        first, second = (earlier, _lines(verdict.source_input), answer), worst[0]
    reference = " | ".join(visible(str(value)) for value in verdict.reference)
    return (visible(verdict.relation), *about, *first, *second, reference)


def _member(verdict: VerdictRecord, member: MemberRecord, questions: Questions) -> tuple[str, str, str]:
    origin = member.derivation.origin[: member.turn] if member.derivation else []
    earlier = _earlier(verdict.source, origin, questions)
    return earlier, _lines(member.input), _answer(member.output, member.error)


def _context_row(verdict: VerdictRecord, member: MemberRecord, questions: Questions, material: str) -> tuple[str, ...]:
    earlier, asked, _ = _member(verdict, member, questions)
    return _earlier(verdict.source, range(verdict.turn), questions), earlier, asked, material


def _earlier(source: str, turns: Iterable[int], questions: Questions) -> str:
    """Return the earlier questions, one per line, by the source turns that they came from."""
    return "\n".join(questions.get((source, turn), "(question not recorded)") for turn in turns)


def _answer(response: ResponseRecord | None, error: str | None) -> str:
    if response is None:
        return f"(no answer: {visible(str(error))})"
    return visible(response.text or "(empty answer)")


def _lines(texts: Mapping[str, str]) -> str:
    if len(texts) == 1:
        return _one(texts)
    return "\n".join(f"{visible(name)}: {visible(text)}" for name, text in texts.items())


def _one(texts: Mapping[str, str]) -> str:
    return " / ".join(map(visible, texts.values()))
