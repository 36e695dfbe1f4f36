"""A finding as people read it: what was changed, what was answered and expected, the evidence side by side.

Turns the records of a report into what the terminal and the page show; knows neither rich nor HTML.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mutatis.core.measure import SOURCE_IS_ODD
from mutatis.records.report import FindingRecord
from mutatis.reports.brief import ROOM, brief
from mutatis.reports.call_lines import material_in_words
from mutatis.reports.marking import MarkedSpan, visible
from mutatis.reports.numbers import instability_text, line, number, wordings_text
from mutatis.reports.pairs import Column, FieldView, Pair, pair_view, source_view, texts_view
from mutatis.reports.ranking import Ranking

AROUND = 44
"""Characters shown on each side of a change in a folded row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingView:
    """One finding, ready to be laid out; `alone` is the source, marked only where one follow-up stands beside it."""

    id: str
    system: str
    task: str
    relation: str
    source: str
    turn: int
    count: int
    flaky: bool
    confirmed: bool | None
    undecided: bool
    judged: str
    reason: str
    first_reason: str
    """Why the pair that was shrunk was a violation, where that is another reason than `reason`."""

    expected: str
    compared: str
    """What the expected answer was to the verdict: "expected", "must differ from"; empty where it was no part of it."""

    replay: str
    material: tuple[FieldView, ...]
    pairs: tuple[Pair, ...]
    shrunk: bool
    """Whether the last pair is the shrunk follow-up."""

    alone: Column
    changed: int
    """How much differs in the pairs that are read first: little tells more."""

    outcome: str = "violated"
    label: str = ""
    new: bool = False
    """Whether the baseline of the run lacks the finding."""

    capability: str = ""
    evasive: bool = False
    """Whether one of the answers is none: empty, a refusal, a stock reply."""

    cause: str = ""
    """What is wrong in plain words, where the judge says so."""

    elsewhere: str = ""
    """In how many other wordings another answer is given, of a source whose own answer is the odd one."""

    unstable: str = ""
    """Which two answers the wordings of the question get, with their shares; empty where they get one."""

    @property
    def mark(self) -> str:
        """FLAKY, confirmed, or nothing where it was not tried."""
        return "FLAKY" if self.flaky else "confirmed" if self.confirmed else ""

    @property
    def state(self) -> str:
        """What confirming said: flaky, confirmed or untried."""
        return "flaky" if self.flaky else "confirmed" if self.confirmed else "untried"

    @property
    def states(self) -> tuple[str, ...]:
        """All that findings are filtered by but the names: the state, undecided, new."""
        flags = (("undecided", self.undecided), ("new", self.new))
        return (self.state, *(name for name, holds in flags if holds))

    @property
    def shown(self) -> tuple[Pair, ...]:
        """The pairs to be read first: the shrunk one in the place of the one that it was shrunk from."""
        return _first(self.pairs, self.shrunk)

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
        """Return the answers, and what they were compared with if not with each other, in `room` characters each."""
        told = brief((*self.answers, self.expected) if self.compared else self.answers, room)
        return (told[:-1], told[-1]) if self.compared else (told, "")

    @property
    def wrong(self) -> tuple[str, ...]:
        """The answers of the follow-ups as they were found, of which (at least) one is wrong."""
        return tuple(dict.fromkeys(pair.follow_up.answer.line for pair in self.shown))

    @property
    def headline(self) -> tuple[MarkedSpan, ...]:
        """What the finding is told by: its snippet, or the plain question where its answers are what is told."""
        if not self.elsewhere and not self.unstable:
            return self.snippet
        return _around([span for field in self.alone.fields[-1:] for span in _unmarked(field.spans)])

    @property
    def snippet(self) -> tuple[MarkedSpan, ...]:
        """The follow-up's text around its first change; the judged question where the texts are equal."""
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


def _first(pairs: tuple[Pair, ...], shrunk: bool) -> tuple[Pair, ...]:
    return (*pairs[:-2], pairs[-1]) if shrunk else pairs


def finding_view(finding: FindingRecord, *, full: bool = False, ranking: Ranking | None = None) -> FindingView:
    """Return the finding as it is shown; long texts are shortened unless `full`."""
    source = finding.source
    pairs = [pair_view(source, item, "follow-up", full=full) for item in finding.followups]
    if finding.shrunk is not None:
        pairs.append(pair_view(source, finding.shrunk, "follow-up, shrunk", full=full))
    expected, compared = _expected(finding)
    shrunk = finding.shrunk is not None and bool(finding.followups)
    shown = _first(tuple(pairs), shrunk)
    return FindingView(
        id=line(finding.id),
        system=line(finding.system),
        task=line(finding.task),
        relation=line(finding.relation),
        source=line(source.case.id),
        turn=source.turn + 1,
        count=finding.count,
        flaky=finding.confirmed is False,
        confirmed=finding.confirmed,
        undecided=finding.undecided,
        judged=judgement_text(finding.measure, finding.shown_score, finding.thresholds),
        reason=visible(finding.why),
        first_reason=visible(finding.reason) if shrunk and finding.why != finding.reason else "",
        expected=expected,
        compared=compared,
        replay=line(finding.replay or ""),
        material=texts_view(_material(source.case.material), full=full),
        pairs=tuple(pairs),
        shrunk=shrunk,
        alone=shown[0].source if len(shown) == 1 else source_view(source, full=full),
        changed=sum(pair.changed for pair in shown),
        outcome=finding.outcome,
        label=line(finding.label),
        new=finding.new is True,
        capability=line(finding.relation if ranking is None else ranking.capability(finding)),
        evasive=ranking is not None and ranking.is_evasive(finding),
        cause="the source's own answer is the odd one" if finding.cause == SOURCE_IS_ODD else line(finding.cause),
        elsewhere=wordings_text(finding.wordings) if finding.cause == SOURCE_IS_ODD else "",
        unstable=instability_text(finding.instability),
    )


def _material(material: Mapping[str, str]) -> dict[str, str]:
    return {name.replace("_", " "): material_in_words(name, text) for name, text in material.items()}


_COMPARED = {"": "expected", "equal": "expected", "equal-or-unknown": "expected", "different": "must differ from"}
"""Relations that compare with the annotated answer, by output relation; the others compare versions of a question."""


def _expected(finding: FindingRecord) -> tuple[str, str]:
    """Return the accepted answers, and what they were to the verdict where it did not go by the system's own."""
    response = finding.source.response
    answers = () if response is None else (response.value, response.text, response.said)
    if finding.reference and not all(answer in answers for answer in finding.reference):
        return " | ".join(map(line, finding.reference)), _COMPARED.get(finding.output_relation, "")
    return " | ".join(map(line, finding.source.case.turns[finding.source.turn].expected)), ""


def judgement_text(measure: str, score: float | None, thresholds: Mapping[str, float]) -> str:
    """Return measure, score and thresholds in a few words.

    >>> judgement_text("exact", 0.25, {"equal": 0.5})
    'exact 0.25; equal 0.5'
    """
    limits = [f"{line(name)} {number(value)}" for name, value in thresholds.items()]
    measured = " ".join(part for part in (line(measure), "" if score is None else number(score)) if part)
    return "; ".join([measured, *limits] if measured else limits)
