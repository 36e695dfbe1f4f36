"""The findings of a run as OpenTelemetry's spans; with a collector, an OTLP exporter takes the place of this one."""

from pathlib import Path

import bot
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

import mutatis
from mutatis.interop.telemetry import export_findings


def ids() -> list[str]:
    """Return the ids of the findings, as the exporter was handed them."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    system = mutatis.system("function", target=bot.answer, label="shop-bot")
    run = mutatis.run(system, None, settings=Path(__file__).with_name("mutatis.toml"))
    export_findings(run, provider.get_tracer("example"))
    names = (span.attributes.get("mutatis.finding.id") for span in exporter.get_finished_spans())
    return sorted(name for name in names if name)


if __name__ == "__main__":
    print(*ids())
