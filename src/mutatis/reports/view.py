"""Prepares a finding for people: the change, the answers and the expected ones, the evidence side by side.

Turns the records of a report into the contents of the terminal and the page. Independent of rich and HTML.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mutatis.core.measure import SOURCE_IS_ODD
from mutatis.records.report import FindingRecord
from mutatis.reports.brief import ROOM, brief
from mutatis.reports.call_lines import material_in_words
from mutatis.reports.marking import MarkedSpan
from mutatis.reports.numbers import instability_text, line, number, wordings_text
from mutatis.reports.pairs import Column, FieldView, Pair, pair_view, source_view, texts_view
from mutatis.reports.ranking import Ranking

AROUND = 44
"""Characters shown on each side of a change in a folded row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingView:
    """A finding beside its marked sides; its own texts are made harmless (`line`, `visible`) where they are shown.

    Attributes:
        record: the finding.
        pairs: the source beside each follow-up, last the shrunk one.
        alone: the source, marked only if one follow-up stands beside it.
        capability: what a system needs to keep the relation; the relation's name if nobody ranked the findings.
        evasive: whether one of the answers is none: empty, a refusal, a stock reply.
        full: whether long texts are whole.
    """

    record: FindingRecord
    pairs: tuple[Pair, ...]
    alone: Column
    capability: str
    evasive: bool = False
    full: bool = False

    @property
    def shrunk(self) -> bool:
        """Whether the last pair is the shrunk follow-up of another one."""
        return self.record.shrunk is not None and bool(self.record.followups)

    @property
    def first_reason(self) -> str:
        """Why the pair that was shrunk was a violation, if that is another reason than `why`."""
        return self.record.reason if self.shrunk and self.record.why != self.record.reason else ""

    @property
    def judged(self) -> str:
        """Measure, score and thresholds in a few words."""
        return judgement_text(self.record.measure, self.record.shown_score, self.record.thresholds)

    @property
    def compared(self) -> str:
        """What the expected answer was to the verdict ("expected", "must differ from"); empty if nothing."""
        return _COMPARED.get(self.record.output_relation, "") if _is_annotated(self.record) else ""

    @property
    def expected(self) -> str:
        """The accepted answers on one line."""
        record, source = self.record, self.record.source
        accepted = record.reference if _is_annotated(record) else source.case.turns[source.turn].expected
        return " | ".join(map(line, accepted))

    @property
    def material(self) -> tuple[FieldView, ...]:
        """What the source was asked about."""
        material = self.record.source.case.material.items()
        texts = {name.replace("_", " "): material_in_words(name, text) for name, text in material}
        return texts_view(texts, full=self.full)

    @property
    def changed(self) -> int:
        """How much differs in the pairs that are read first. A small change is clearer."""
        return sum(pair.changed for pair in self.shown)

    @property
    def cause(self) -> str:
        """What is wrong in plain words, if the judge says so."""
        cause = self.record.cause
        return "the source's own answer is the odd one" if cause == SOURCE_IS_ODD else line(cause)

    @property
    def elsewhere(self) -> str:
        """In how many other wordings another answer is given, of a source whose own answer is the odd one."""
        return wordings_text(self.record.wordings) if self.record.cause == SOURCE_IS_ODD else ""

    @property
    def unstable(self) -> str:
        """The two answers that the wordings of the question get, with their shares; empty if they get one."""
        return instability_text(self.record.instability)

    @property
    def shown(self) -> tuple[Pair, ...]:
        """The pairs to be read first: the shrunk one in the place of the one that it was shrunk from."""
        return (*self.pairs[:-2], self.pairs[-1]) if self.shrunk else self.pairs

    @property
    def original(self) -> tuple[Pair, ...]:
        """The pair that was shrunk, as it was found."""
        return self.pairs[-2:-1] if self.shrunk else ()

    @property
    def says(self) -> str:
        """What was done to the source, in words."""
        return "; ".join(dict.fromkeys(pair.follow_up.says for pair in self.shown if pair.follow_up.says))

    @property
    def answers(self) -> tuple[str, ...]:
        """The answers in order, each once: of the source, unless an annotated one was expected, and the follow-ups."""
        texts = [] if self.compared and self.pairs else [self.alone.answer]
        return tuple(dict.fromkeys(answer.line for answer in (*texts, *(p.follow_up.answer for p in self.shown))))

    def brief(self, room: int = ROOM) -> tuple[tuple[str, ...], str]:
        """Return the answers, and the expected answer if they were compared with it, in `room` characters each."""
        told = brief((*self.answers, self.expected) if self.compared else self.answers, room)
        return (told[:-1], told[-1]) if self.compared else (told, "")

    @property
    def wrong(self) -> tuple[str, ...]:
        """The answers of the follow-ups shown. At least one is wrong."""
        return tuple(dict.fromkeys(pair.follow_up.answer.line for pair in self.shown))

    @property
    def headline(self) -> tuple[MarkedSpan, ...]:
        """The text that stands for the finding: its snippet, or the plain question if its answers matter."""
        if not self.elsewhere and not self.unstable:
            return self.snippet
        return _around([span for field in self.alone.fields[-1:] for span in _unmarked(field.spans)])

    @property
    def snippet(self) -> tuple[MarkedSpan, ...]:
        """The follow-up's text around its first change, or the judged question if the texts are equal."""
        fields = [field for pair in self.shown[-1:] for field in pair.follow_up.fields] or list(self.alone.fields)
        field = next((field for field in fields if any(span.changed for span in field.spans)), None)
        return _around(field.spans if field else fields[-1].spans if fields else ())


def _unmarked(spans: Sequence[MarkedSpan]) -> tuple[MarkedSpan, ...]:
    return tuple(MarkedSpan(span.text, False) for span in spans)


def _around(spans: Sequence[MarkedSpan]) -> tuple[MarkedSpan, ...]:
    """Return one line of the spans around the first change, or their beginning."""
    first = next((number for number, span in enumerate(spans) if span.changed), 0)
    before = " ".join("".join(span.text for span in spans[:first]).split(" ")).replace("\n", " ")
    shown = [MarkedSpan(before if len(before) <= AROUND else f"…{before[-AROUND:]}", False)] if before else []
    left = 3 * AROUND
    for span in spans[first:]:
        text = span.text.replace("\n", " ")
        shown.append(MarkedSpan(text if len(text) <= left else f"{text[:left]}…", span.changed))
        left -= len(text)
        if left <= 0:
            break
    return tuple(shown)


def finding_view(finding: FindingRecord, *, full: bool = False, ranking: Ranking | None = None) -> FindingView:
    """Return the finding as it is shown; long texts are shortened unless `full`."""
    source = finding.source
    pairs = [pair_view(source, item, "follow-up", full=full) for item in finding.followups]
    if finding.shrunk is not None:
        pairs.append(pair_view(source, finding.shrunk, "follow-up, shrunk", full=full))
    # Marks of a source stand for one follow-up; beside two its text is shown without.
    beside = len(pairs) - (finding.shrunk is not None and bool(finding.followups))
    return FindingView(
        record=finding,
        pairs=tuple(pairs),
        alone=pairs[-1].source if beside == 1 else source_view(source, full=full),
        capability=line(finding.relation if ranking is None else ranking.capability(finding)),
        evasive=ranking is not None and ranking.is_evasive(finding),
        full=full,
    )


_COMPARED = {"": "expected", "equal": "expected", "equal-or-unknown": "expected", "different": "must differ from"}
"""Relations that compare with the annotated answer, by output relation; the others compare versions of a question."""


def _is_annotated(finding: FindingRecord) -> bool:
    """Whether the verdict went by other answers than the system's own."""
    response = finding.source.response
    answers = () if response is None else (response.value, response.text, response.said)
    return bool(finding.reference) and not all(answer in answers for answer in finding.reference)


def judgement_text(measure: str, score: float | None, thresholds: Mapping[str, float]) -> str:
    """Return measure, score and thresholds in a few words.

    >>> judgement_text("exact", 0.25, {"equal": 0.5})
    'exact 0.25; equal 0.5'
    """
    limits = [f"{line(name)} {number(value)}" for name, value in thresholds.items()]
    measured = " ".join(part for part in (line(measure), "" if score is None else number(score)) if part)
    return "; ".join([measured, *limits] if measured else limits)
