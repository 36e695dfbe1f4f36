"""Labelling sheets: a random sample of a run for people to judge, and their labels read back.

Two kinds: `bugs` (are these violations real?) and `context` (is the context of this follow-up turn as informative as
it was?). Sampling keeps the items with the smallest keyed hashes: the same run and seed give the same sheet, in an
order that tells nothing. Sheets are blind: no system, no score, no tag. Knows `verdicts.jsonl`, not how it is made.
"""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from mutatis.core.errors import UsageError
from mutatis.reports.csv import to_csv
from mutatis.reports.marking import visible
from mutatis.reports.view import items, mapping

Kind: TypeAlias = Literal["bugs", "context"]
Verdicts: TypeAlias = Callable[[], Iterable[Mapping[str, Any]]]
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
    findings: Sequence[Mapping[str, Any]],
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
    questions = _questions(verdicts(), {str(entry["verdict"]["source"]) for _, entry in chosen})
    materials = {
        str(mapping(finding["source"])["case"]["id"]): mapping(mapping(finding["source"])["case"].get("material"))
        for finding in findings
    }
    rows = []
    for number, (item, entry) in enumerate(chosen, start=1):
        material = _lines(materials.get(str(entry["verdict"]["source"]), {}))
        if kind == "bugs":
            expected = (expectations or {}).get(str(entry["verdict"]["relation"]), "")
            cells = _bug_row(entry["verdict"], questions, (visible(expected), material))
        else:
            cells = _context_row(entry, questions, material)
        rows.append((str(number), item, *cells, "", ""))
    return Sheet(kind=kind, rows=tuple(rows), available=available)


def _bugs(verdicts: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    for verdict in verdicts:
        if verdict["outcome"] == "violated" and verdict.get("followups"):
            names = ("system", "task", "relation", "source", "turn", "variant", "draw", "repeat")
            cases = [(member["case"], member["turn"]) for member in verdict["followups"]]
            yield _item([verdict.get(name) for name in names] + cases), {"verdict": verdict}


def _context_turns(verdicts: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    for verdict in verdicts:
        for member in items(verdict.get("followups")):
            tag = mapping(member.get("annotations")).get("context")
            if tag in TAGS:
                yield tagged(_item([member["case"], member["turn"]]), tag), {"verdict": verdict, "member": member}


def _item(parts: Sequence[Any]) -> str:
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


def _sample(
    candidates: Iterable[tuple[str, dict[str, Any]]], size: int, salt: str
) -> tuple[list[tuple[str, dict[str, Any]]], int]:
    """Return the items with the smallest keyed hashes, in their order, each item once; and how many there were."""
    seen: set[str] = set()
    kept: list[tuple[int, str, dict[str, Any]]] = []
    for name, entry in candidates:
        if name in seen:
            continue
        seen.add(name)
        rank = -int(_digest(f"{salt}/{name}"), 16)
        if len(kept) < size:
            heapq.heappush(kept, (rank, name, entry))
        elif (rank, name) > kept[0][:2]:
            heapq.heapreplace(kept, (rank, name, entry))
    return [(name, entry) for _, name, entry in sorted(kept, key=lambda k: k[:2], reverse=True)], len(seen)


def _questions(verdicts: Iterable[Mapping[str, Any]], sources: set[str]) -> dict[tuple[str, int], str]:
    """Return the source questions of some sources, by source id and turn."""
    found = {}
    for verdict in verdicts:
        if str(verdict["source"]) in sources:
            found[str(verdict["source"]), int(verdict["turn"])] = _one(mapping(verdict.get("source_input")))
    return found


def _bug_row(
    verdict: Mapping[str, Any], questions: Mapping[tuple[str, int], str], about: tuple[str, str]
) -> tuple[str, ...]:
    members = [_member(verdict, member, questions) for member in items(verdict["followups"])]
    worst = [members[i] for i in items(verdict.get("worst")) if isinstance(i, int) and i < len(members)] or members
    if len(worst) > 1:
        first, second = worst[0], worst[1]
    else:
        turn = int(verdict["turn"])
        answer = _answer(verdict.get("source_output"), verdict.get("source_error"))
        earlier = _earlier(str(verdict["source"]), range(turn), questions)
        first, second = (earlier, _lines(mapping(verdict.get("source_input"))), answer), worst[0]
    reference = " | ".join(visible(str(value)) for value in items(verdict.get("reference")))
    return (visible(str(verdict["relation"])), *about, *first, *second, reference)


def _member(
    verdict: Mapping[str, Any], member: Mapping[str, Any], questions: Mapping[tuple[str, int], str]
) -> tuple[str, str, str]:
    origin = items(mapping(member.get("derivation")).get("origin"))[: int(member["turn"])]
    return (
        _earlier(str(verdict["source"]), origin, questions),
        _lines(mapping(member.get("input"))),
        _answer(member.get("output"), member.get("error")),
    )


def _context_row(entry: Mapping[str, Any], questions: Mapping[tuple[str, int], str], material: str) -> tuple[str, ...]:
    verdict, member = entry["verdict"], entry["member"]
    earlier, asked, _ = _member(verdict, member, questions)
    return _earlier(str(verdict["source"]), range(int(verdict["turn"])), questions), earlier, asked, material


def _earlier(source: str, turns: Iterable[Any], questions: Mapping[tuple[str, int], str]) -> str:
    """Return the earlier questions, one per line, by the source turns that they came from."""
    return "\n".join(questions.get((source, turn), "(question not recorded)") for turn in turns)


def _answer(response: Any, error: Any) -> str:
    if isinstance(response, Mapping):
        return visible(str(response.get("text") or "(empty answer)"))
    return f"(no answer: {visible(str(error))})"


def _lines(texts: Mapping[str, Any]) -> str:
    if len(texts) == 1:
        return _one(texts)
    return "\n".join(f"{visible(str(name))}: {visible(str(text))}" for name, text in texts.items())


def _one(texts: Mapping[str, Any]) -> str:
    return " / ".join(visible(str(text)) for text in texts.values())
