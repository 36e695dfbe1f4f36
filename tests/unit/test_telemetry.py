"""Findings as spans: what is handed to OpenTelemetry, which here is a tracer that writes it down."""

from __future__ import annotations

from typing import Any

import pytest

import mutatis

pytest.importorskip("opentelemetry", reason="OpenTelemetry is not installed: pip install 'mutatis[telemetry]'")

from opentelemetry.trace import NonRecordingSpan, SpanContext, get_current_span

from mutatis.interop.telemetry import export_findings

ALLOWED = (bool, str, int, float)


class WrittenSpan(NonRecordingSpan):
    """A span that keeps what it is told."""

    def __init__(self, name: str, **told: Any) -> None:
        super().__init__(SpanContext(trace_id=1, span_id=len(name), is_remote=False))
        self.name, self.told, self.events, self.ended = name, told, [], None

    def add_event(self, name: str, attributes: Any = None, timestamp: Any = None) -> None:
        self.events.append((name, attributes))

    def end(self, end_time: int | None = None) -> None:
        self.ended = end_time


class WritingTracer:
    def __init__(self) -> None:
        self.spans: list[WrittenSpan] = []

    def start_span(self, name: str, **told: Any) -> WrittenSpan:
        self.spans.append(WrittenSpan(name, **told))
        return self.spans[-1]


def test_a_finding_is_a_span_of_the_run_with_the_event_of_the_conventions() -> None:
    run = mutatis.run(
        mutatis.system("function", target=lambda text: "0.1" if text.isupper() else "0.9", revision="1", label="bot"),
        ["The film was lovely."],
        ["upper-case", "lower-case"],
        task="sentiment",
    )
    tracer = WritingTracer()
    assert export_findings(run, tracer) == 1
    whole, finding = tracer.spans
    assert whole.told["attributes"]["mutatis.judged"] == 2
    assert whole.told["attributes"]["mutatis.systems"] == ["bot"]
    assert get_current_span(finding.told["context"]) is whole
    told = finding.told["attributes"]
    assert told["mutatis.finding.id"] == run.findings[0].id
    assert told["mutatis.relation"] == "upper-case"
    assert told["mutatis.input"] == "The film was lovely."
    assert told["mutatis.output"] == "0.9"
    assert told["mutatis.follow_up.inputs"] == ["THE FILM WAS LOVELY."]
    assert told["mutatis.follow_up.outputs"] == ["0.1"]
    [(name, evaluation)] = finding.events
    assert name == "gen_ai.evaluation.result"
    assert evaluation["gen_ai.evaluation.name"] == "upper-case"
    assert evaluation["gen_ai.evaluation.score.label"] == "violated"
    for value in (*told.values(), *evaluation.values(), *whole.told["attributes"].values()):
        texts = value if isinstance(value, list) else [value]
        assert all(isinstance(text, ALLOWED) for text in texts)
    assert whole.ended == finding.ended >= whole.told["start_time"] > 10**18


def test_a_run_without_findings_is_one_span() -> None:
    run = mutatis.run(lambda text: "0.9", ["The film was lovely."], ["upper-case"], task="sentiment")
    tracer = WritingTracer()
    assert export_findings(run, tracer) == 0
    assert [span.name for span in tracer.spans] == ["mutatis.run"]
