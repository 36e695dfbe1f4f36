"""Prepares a finding for display: the change, the answers and the evidence, side by side.

It converts the records of a report into what the terminal and the page show.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mutatis.core.measure import SOURCE_IS_ODD
from mutatis.records.report import FindingRecord
from mutatis.reports.brief import ROOM, brief, instability_text
from mutatis.reports.faults import groups_of
from mutatis.reports.marking import MarkedSpan, material_in_words
from mutatis.reports.numbers import line, number, wordings_text
from mutatis.reports.pairs import Column, FieldView, Pair, pair_view, source_view, texts_view
from mutatis.reports.ranking import Ranking
from mutatis.reports.widths import beginning, columns_of, ending

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
        """The measure, the score and the thresholds of the verdict in brief, as "exact 0.25; equal 0.5"."""
        limits = [f"{line(name)} {number(value)}" for name, value in self.record.thresholds.items()]
        score = "" if self.record.shown_score is None else number(self.record.shown_score)
        measured = " ".join(filter(None, (line(self.record.measure), score)))
        return "; ".join([measured, *limits] if measured else limits)

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
        """The material (such as a document) that the source's question refers to."""
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

    If there are few capabilities, the next faults are added until there are three. So are faults with an answer
    without content, which stand for no capability. Faults that did not recur when asked again (FLAKY) are left out.
    """
    recurring = [fault for fault in ranked if not fault.first.record.flaky]
    of_capability: dict[str, FaultView] = {}
    for fault in recurring:
        if not fault.is_evasive:
            of_capability.setdefault(fault.first.capability, fault)
    chosen = list(of_capability.values())[:CARDS]
    others = [fault for fault in recurring if not any(fault is other for other in chosen)]
    return [*chosen, *others[: max(0, FILLED - len(chosen))]]
