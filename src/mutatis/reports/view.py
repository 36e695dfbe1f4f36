"""Prepares a finding for display: the change, the answers and the evidence, side by side.

It converts the records of a report into what the terminal and the page show.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from mutatis.core.measure import SOURCE_IS_ODD
from mutatis.records.report import FindingRecord
from mutatis.reports.faults import groups_of
from mutatis.reports.marking import MarkedSpan, material_in_words
from mutatis.reports.numbers import instability_text, line, number, wordings_text
from mutatis.reports.pairs import Column, FieldView, Pair, pair_view, source_view, texts_view
from mutatis.reports.ranking import Ranking
from mutatis.reports.widths import beginning, columns_of, cut_to, ending
from mutatis.text.alignment import common
from mutatis.text.normalisation import fold

# Short forms of answers, side by side, cut so that their differences can be seen.

ROOM = 36
"""Maximum number of characters per answer, so that two answers fit in a row of the page."""


def brief(answers: Sequence[str], room: int = ROOM) -> tuple[str, ...]:
    """Return each answer on one line of about `room` characters.

    If an answer is longer, all of them begin shortly before their first difference. Of JSON objects, only the first
    entry that differs is shown.

    >>> brief(["You can pay by card.", "You can pay by invoice."])
    ('You can pay by card.', 'You can pay by invoice.')
    >>> brief(["In our shops you can always pay by card.", "In our shops you can always pay by invoice."])
    ('…pay by card.', '…pay by invoice.')
    >>> brief(['{"hotel-area": "east"}', '{"hotel-area": "east", "hotel-stars": "4"}'])
    ('hotel-stars: (none)', '4')
    """
    lines = [" ".join(answer.split()) for answer in answers]
    if entries := _differing_entries(lines):
        return tuple(cut_to(text, room) for text in entries)
    start = _start_of_difference(lines, room) if any(len(text) > room for text in lines) else 0
    return tuple(cut_to(f"…{text[start:].lstrip()}" if start else text, room) for text in lines)


def _start_of_difference(lines: Sequence[str], room: int) -> int:
    """Return a position a few words before the texts first differ, or 0 if they differ near the start."""
    if len(set(lines)) < 2:
        return 0
    length_in_common = min(common(lines[0], other) for other in lines[1:] if other != lines[0])
    if length_in_common <= room // 2:
        return 0
    earliest = length_in_common - room // 3
    blank = lines[0].find(" ", earliest, length_in_common)
    return earliest if blank < 0 else blank + 1  # a long word, or a script without blanks, is cut


def _differing_entries(lines: Sequence[str]) -> list[str]:
    """Return the first entry in which JSON objects differ, as a text per object, the first one with its name.

    Return [] if there is none, or if the texts are not all JSON objects.
    """
    objects = [flat for text in lines if (flat := _flat_json(text)) is not None]
    if len(objects) < len(lines):
        return []
    for spelling in (fold, str):  # a mere difference in spelling is shown only if there is no other
        names = sorted(
            name for name in set().union(*objects) if len({spelling(texts.get(name, "")) for texts in objects}) > 1
        )
        if names:
            values = [texts.get(names[0]) or "(none)" for texts in objects]
            more = f"; {len(names) - 1} more differ" if len(names) > 1 else ""
            return [f"{names[0]}: {values[0]}", *values[1:-1], values[-1] + more]
    return []


def _flat_json(text: str) -> dict[str, str] | None:
    """Return the entries of a JSON object, with nested names joined like `hotel-area`, or None for other text.

    >>> _flat_json('{"hotel": {"area": "east", "stars": null}, "open": true}')
    {'hotel-area': 'east', 'hotel-stars': '', 'open': 'true'}
    """
    if not text.startswith("{"):
        return None
    try:
        data, _ = json.JSONDecoder().raw_decode(text)  # text behind the object is ignored
    except (json.JSONDecodeError, RecursionError):
        return None
    flat: dict[str, str] = {}
    for name, value in data.items():
        if isinstance(value, dict):
            flat |= {f"{name}-{part}": _value(inner) for part, inner in value.items()}
        else:
            flat[name] = _value(value)
    return flat


def _value(value: object) -> str:
    if value is None:
        return ""
    return value.strip() if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


AROUND = 44
"""Number of characters shown on each side of a change while its row on the page is folded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingView:
    """A finding prepared for display. All its text is made safe to print by `line` and `visible`.

    Attributes:
        record: the finding.
        pairs: the source next to each follow-up, with the shrunk follow-up last.
        alone: the source, with marks only if there is a single follow-up to compare it with.
        capability: the capability that a system needs to satisfy the relation; the relation's name if findings were not
            ranked.
        evasive: whether one of the answers has no content, because it is empty or a refusal.
        full: whether long texts are shown in full.
    """

    record: FindingRecord
    pairs: tuple[Pair, ...]
    alone: Column
    capability: str
    evasive: bool = False
    full: bool = False

    @property
    def shrunk(self) -> bool:
        """True if the last pair shows a smaller version of the follow-up before it."""
        return self.record.shrunk is not None and bool(self.record.followups)

    @property
    def first_reason(self) -> str:
        """The reason why the original pair was a violation, if it differs from `why`."""
        return self.record.reason if self.shrunk and self.record.why != self.record.reason else ""

    @property
    def judged(self) -> str:
        """The measure, the score and the thresholds of the verdict in brief."""
        return judgement_text(self.record.measure, self.record.shown_score, self.record.thresholds)

    @property
    def compared(self) -> str:
        """How the answer was compared with an expected one ("expected", "must differ from"), or "" if it was not."""
        return _COMPARED.get(self.record.output_relation, "") if _is_annotated(self.record) else ""

    @property
    def expected(self) -> str:
        """The accepted answers on one line."""
        record, source = self.record, self.record.source
        accepted = record.reference if _is_annotated(record) else source.case.turns[source.turn].expected
        return " | ".join(map(line, accepted))

    @property
    def material(self) -> tuple[FieldView, ...]:
        """The material (such as a document) to which the source's question refers."""
        material = self.record.source.case.material.items()
        texts = {name.replace("_", " "): material_in_words(name, text) for name, text in material}
        return texts_view(texts, full=self.full)

    @property
    def changed(self) -> int:
        """Total size of the differences in the pairs shown first. Findings with small changes are clearer."""
        return sum(pair.changed for pair in self.shown)

    @property
    def cause(self) -> str:
        """The system's error in plain words, if the judge named it."""
        cause = self.record.cause
        return "the source's own answer is the odd one out" if cause == SOURCE_IS_ODD else line(cause)

    @property
    def elsewhere(self) -> str:
        """A phrase on how many rewordings get a different answer, if the source's own answer is the exception."""
        return wordings_text(self.record.wordings) if self.record.cause == SOURCE_IS_ODD else ""

    @property
    def unstable(self) -> str:
        """The two answers that rewordings of the question get, with their counts, or "" if there is only one."""
        return instability_text(self.record.instability)

    @property
    def shown(self) -> tuple[Pair, ...]:
        """The pairs to show first, with the shrunk follow-up, if there is one, in place of its original."""
        return (*self.pairs[:-2], self.pairs[-1]) if self.shrunk else self.pairs

    @property
    def original(self) -> tuple[Pair, ...]:
        """The original of the shrunk pair, if there is one."""
        return self.pairs[-2:-1] if self.shrunk else ()

    @property
    def says(self) -> str:
        """Descriptions of the changes made to the source, without repetition."""
        return "; ".join(dict.fromkeys(pair.follow_up.says for pair in self.shown if pair.follow_up.says))

    @property
    def answers(self) -> tuple[str, ...]:
        """The distinct answers: the source's answer, followed by those to the follow-ups.

        The source's answer is left out if the answers were compared with an annotated one.
        """
        texts = [] if self.compared and self.pairs else [self.alone.answer]
        return tuple(dict.fromkeys(answer.line for answer in (*texts, *(p.follow_up.answer for p in self.shown))))

    @property
    def unmoved(self) -> bool:
        """True if the change made no difference: the source and all follow-ups shown have the same answer."""
        return bool(self.pairs) and not self.compared and len(self.answers) == 1

    def brief(self, room: int = ROOM) -> tuple[tuple[str, ...], str]:
        """Return the answers, and the expected one if they were compared with it.

        Each is cut to about `room` characters.
        """
        if not self.compared:
            return brief(self.answers, room), ""
        *answers, expected = brief((*self.answers, self.expected), room)
        return tuple(answers), expected

    @property
    def headline(self) -> tuple[MarkedSpan, ...]:
        """The text that represents the finding: its snippet, or the plain question if no change needs to be shown."""
        if not self.elsewhere and not self.unstable:
            return self.snippet
        question = self.alone.fields[-1].spans if self.alone.fields else ()
        return _around([span._replace(changed=False, coarse=False) for span in question])

    @property
    def snippet(self) -> tuple[MarkedSpan, ...]:
        """The follow-up's text around its first change, or the judged question if no text changed."""
        fields = (self.shown[-1].follow_up.fields if self.shown else ()) or self.alone.fields
        changed = [field for field in fields if any(span.changed for span in field.spans)]
        if not fields:
            return ()
        return _around(changed[0].spans if changed else fields[-1].spans)


def _around(spans: Sequence[MarkedSpan]) -> tuple[MarkedSpan, ...]:
    """Return spans for one line of text around the first change, or at the beginning if nothing changed."""
    first = next((number for number, span in enumerate(spans) if span.changed), 0)
    before = "".join(span.text for span in spans[:first]).replace("\n", " ")
    if columns_of(before) > AROUND:
        before = f"…{ending(before, AROUND)}"
    shown = [MarkedSpan(before, False)] if before else []
    room = 3 * AROUND
    for span in spans[first:]:
        text = span.text.replace("\n", " ")
        shown.append(MarkedSpan(text if columns_of(text) <= room else f"{beginning(text, room)}…", span.changed))
        room -= columns_of(text)
        if room <= 0:
            break
    return tuple(shown)


def finding_view(finding: FindingRecord, *, full: bool = False, ranking: Ranking | None = None) -> FindingView:
    """Return the view of a finding. Long texts are shortened unless `full` is set."""
    source = finding.source
    pairs = [pair_view(source, item, "follow-up", full=full) for item in finding.followups]
    if finding.shrunk is not None:
        pairs.append(pair_view(source, finding.shrunk, "follow-up, shrunk", full=full))
    # The source can only show the changes of one follow-up; a shrunk one takes the place of its original.
    follow_ups = len(pairs) - (finding.shrunk is not None and bool(finding.followups))
    return FindingView(
        record=finding,
        pairs=tuple(pairs),
        alone=pairs[-1].source if follow_ups == 1 else source_view(source, full=full),
        capability=line(finding.relation if ranking is None else ranking.capability(finding)),
        evasive=ranking is not None and ranking.is_evasive(finding),
        full=full,
    )


_COMPARED = {
    **dict.fromkeys(("", "equal", "equal-beside-citations", "equal-or-unknown"), "expected"),
    "different": "must differ from",
}
"""Phrases for a comparison with an annotated answer, by output relation.

All other output relations compare answers to versions of a question.
"""


def _is_annotated(finding: FindingRecord) -> bool:
    """Return True if the verdict depends on an annotated answer and not only on the system's own."""
    response = finding.source.response
    answers = () if response is None else (response.value, response.text, response.said)
    return bool(finding.reference) and not all(answer in answers for answer in finding.reference)


def judgement_text(measure: str, score: float | None, thresholds: Mapping[str, float]) -> str:
    """Return the measure, the score and the thresholds as a short text.

    >>> judgement_text("exact", 0.25, {"equal": 0.5})
    'exact 0.25; equal 0.5'
    """
    limits = [f"{line(name)} {number(value)}" for name, value in thresholds.items()]
    measured = " ".join(part for part in (line(measure), "" if score is None else number(score)) if part)
    return "; ".join([measured, *limits] if measured else limits)


# Faults on the page, and those that it highlights.


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultView:
    """All findings of one fault, with the clearest one first."""

    findings: tuple[FindingView, ...]

    @property
    def first(self) -> FindingView:
        """The finding that represents the fault."""
        return self.findings[0]

    @property
    def relations(self) -> tuple[str, ...]:
        """Names of the relations that detected the fault, without repetition."""
        return tuple(dict.fromkeys(line(finding.record.relation) for finding in self.findings))

    @property
    def is_evasive(self) -> bool:
        """True if one of the answers has no content, unless the fault concerns several inputs."""
        return self.first.evasive and len({finding.record.source.case.id for finding in self.findings}) == 1


def faults(ranking: Ranking, most: int | None = None) -> list[FaultView]:
    """Return the faults of up to `most` findings in the order of the ranking, as all reports show them."""
    return [
        FaultView(findings=tuple(finding_view(finding, ranking=ranking) for finding in group))
        for group in groups_of(ranking.best(most))
    ]


CARDS, FILLED = 6, 3
"""Maximum number of highlighted faults, and the number to reach if there are fewer capabilities than that."""


def telling(ranked: Sequence[FaultView]) -> list[FaultView]:
    """Return the faults to highlight: the first one for each capability.

    They are chosen from different systems, tasks and inputs if possible. If there are few capabilities, further faults
    are added until there are three. Faults that did not recur when asked again (FLAKY) are left out.
    """
    recurring = [fault for fault in ranked if not fault.first.record.flaky]
    chosen: list[FaultView] = []
    # First, faults that differ from all chosen ones in every respect; then in fewer and fewer.
    for respects in (("where", "capability", "input"), ("capability", "input"), ("capability",), ("input",), ()):
        for fault in recurring:
            most = CARDS if "capability" in respects and not fault.is_evasive else FILLED
            is_chosen = any(fault is other for other in chosen)
            if len(chosen) < most and not is_chosen and not any(_is_like(fault, other, respects) for other in chosen):
                chosen.append(fault)
    return chosen


def _is_like(fault: FaultView, other: FaultView, respects: Iterable[str]) -> bool:
    """Return True if two faults agree in any of the respects named."""
    return any(_RESPECTS[respect](fault) == _RESPECTS[respect](other) for respect in respects)


_RESPECTS: Mapping[str, Callable[[FaultView], tuple[str, ...]]] = {
    "where": lambda fault: (fault.first.record.system, fault.first.record.task),
    "input": lambda fault: (fault.first.record.source.case.id,),
    "capability": lambda fault: (fault.first.capability,),
}
