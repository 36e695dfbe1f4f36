"""OpenTelemetry: exports the findings of a run as spans, alongside the traces of the tested system.

    export_findings(mutatis.read_run("out"))

The span of a run contains one span per finding. Each has an event `gen_ai.evaluation.result`, as defined in the
semantic conventions for generative AI. The exporter is configured by the program (`opentelemetry.sdk`) or by `OTEL_*`
variables.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from mutatis.api import Run
from mutatis.core.extras import require
from mutatis.records import FindingRecord

NAME = "mutatis"
"""Name of the tracer, and prefix of attributes that are not defined by a convention."""

EVENT = "gen_ai.evaluation.result"


def export_findings(run: Run, tracer: Any = None) -> int:
    """Record a run and its findings as spans. FLAKY findings have `mutatis.confirmed` set to false.

    The texts of questions and answers are span attributes, so they go wherever the program's exporter sends them.

    Args:
        run: a finished run.
        tracer: the tracer to use; by default one from the global provider.

    Returns:
        The number of findings recorded.

    Raises:
        MissingExtra: OpenTelemetry is not installed.
    """
    require("telemetry", "exporting findings as spans", "opentelemetry")
    from opentelemetry import trace

    tracer = tracer or trace.get_tracer(NAME)
    started, finished = _nanoseconds(run.report.run.started), _nanoseconds(run.report.run.finished)
    attributes = {
        "mutatis.run.id": run.report.run.id,
        "mutatis.seed": run.report.run.seed,
        "mutatis.systems": list(dict.fromkeys(row.system for row in run.summary)),
        "mutatis.judged": sum(row.judged for row in run.summary),
        "mutatis.violated": sum(row.violated for row in run.summary),
        "mutatis.findings": len(run.findings),
    }
    parent = tracer.start_span("mutatis.run", attributes=attributes, start_time=started)
    options = {"context": trace.set_span_in_context(parent), "start_time": started}
    for finding in run.findings:
        name = f"mutatis.finding {finding.relation}"
        span = tracer.start_span(name, attributes=_attributes(finding), **options)
        span.add_event(EVENT, _evaluation(finding), timestamp=finished)
        span.end(end_time=finished)
    parent.end(end_time=finished)
    return len(run.findings)


def _attributes(finding: FindingRecord) -> dict[str, Any]:
    """Return the attributes of a finding, in types that OpenTelemetry can store: strings, numbers, lists of strings."""
    follow_ups = [follow_up for follow_up in finding.followups if follow_up.response is not None]
    attributes = {
        "mutatis.finding.id": finding.id,
        "mutatis.system": finding.system,
        "mutatis.task": finding.task,
        "mutatis.relation": finding.relation,
        "mutatis.source": finding.source.case.id,
        "mutatis.turn": finding.source.turn,
        "mutatis.confirmed": finding.confirmed,
        "mutatis.new": finding.new,
        "mutatis.input": " / ".join(finding.source.case.turns[finding.source.turn].fields.values()),
        "mutatis.output": None if finding.source.response is None else finding.source.response.said,
        "mutatis.follow_up.inputs": [" / ".join(f.case.turns[f.turn].fields.values()) for f in follow_ups],
        "mutatis.follow_up.outputs": [f.response.said for f in follow_ups if f.response is not None],
    }
    return {name: value for name, value in attributes.items() if value is not None}


def _evaluation(finding: FindingRecord) -> dict[str, Any]:
    evaluation = {
        "gen_ai.evaluation.name": finding.relation,
        "gen_ai.evaluation.score.value": finding.score,
        "gen_ai.evaluation.score.label": "flaky" if finding.confirmed is False else finding.outcome,
        "gen_ai.evaluation.explanation": finding.reason,
    }
    return {name: value for name, value in evaluation.items() if value is not None}


def _nanoseconds(time: str) -> int | None:
    """Convert a time in a report to nanoseconds. Return None, which stands for the current time, if it is empty."""
    return int(datetime.fromisoformat(time).timestamp() * 1_000_000_000) if time else None
