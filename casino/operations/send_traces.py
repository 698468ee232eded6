"""Where traces go: to OTEL_EXPORTER_OTLP_ENDPOINT.

Imported only where that is set: OpenTelemetry's SDK takes 25 MB. It reads its other variables
itself, such as OTEL_EXPORTER_OTLP_HEADERS and OTEL_TRACES_SAMPLER.
"""

import os

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

from casino.operations import traces


def listen() -> None:
    """Sends the spans of this process, and of those forked from it."""
    os.environ.setdefault("OTEL_SERVICE_NAME", "sabot")
    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    traces.listen()
