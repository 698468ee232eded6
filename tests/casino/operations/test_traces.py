"""Traces: a request, the task that it sends and the task's SQL are one, and name nobody."""

import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from tests.casino.api.api_client import issued
from tests.casino.api.web_server import serving
from tests.casino_in_play import open_table
from tests.documents import baccarat_round, lines
from tests.processes import Worker, wait_until

SERVER, CONSUMER, CLIENT = Span.SPAN_KIND_SERVER, Span.SPAN_KIND_CONSUMER, Span.SPAN_KIND_CLIENT


class Collector:
    """Receives spans by OTLP over HTTP, as an OpenTelemetry collector does."""

    def __init__(self) -> None:
        self.spans: list[Span] = []
        self.bodies: list[bytes] = []
        received = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                received.add(ExportTraceServiceRequest.FromString(body), body)
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_arguments: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}"

    def add(self, request: ExportTraceServiceRequest, body: bytes) -> None:
        """Keeps the spans of a request."""
        self.bodies.append(body)
        for resource in request.resource_spans:
            for scope in resource.scope_spans:
                self.spans.extend(scope.spans)

    def of(self, kind: int, name: str) -> list[Span]:
        """The spans of a kind whose names begin so."""
        return [s for s in self.spans if s.kind == kind and s.name.startswith(name)]

    def serve(self) -> None:
        """Until it is stopped."""
        self._server.serve_forever()

    def stop(self) -> None:
        """Ends ``serve``."""
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    """A collector that the processes of the test send to."""
    receiving = Collector()
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", receiving.address)
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "200")
    monkeypatch.setenv("LOG_FORMAT", "json")
    with ThreadPoolExecutor(1) as pool:
        pool.submit(receiving.serve)
        yield receiving
        receiving.stop()


@pytest.mark.slow
@pytest.mark.parametrize("broker", ["valkey"], indirect=True)
def test_go_from_the_request_through_the_task_to_its_sql(
    fresh_casino: str, broker: str, collector: Collector, tmp_path: Path
) -> None:
    """A program hands over a round, which wakes a worker."""
    open_table()
    worker = Worker(environment=os.environ, folder=tmp_path)
    worker.start()
    with serving(tmp_path, processes=1) as (address, _pid):
        call = Request(f"{address}/api/v1/rounds", lines(baccarat_round("r-1")), method="POST")
        call.add_header("Authorization", f"Bearer {issued().token}")
        call.add_header("Content-Type", "application/x-ndjson")
        call.add_header("traceparent", f"00-{'a' * 32}-{'b' * 16}-00")
        with urlopen(call) as answer:
            assert answer.status < 300
        wait_until(lambda: bool(settled(collector)), what="the settlement's spans arrive")
    worker.stop()

    [request] = collector.of(SERVER, "POST ")
    [task] = settled(collector)
    text = b"".join(collector.bodies)
    logged = [
        json.loads(line)
        for line in (tmp_path / "web.log").read_text().splitlines()
        if line[0] == "{"
    ]

    assert request.name == "POST api/v1/rounds"
    assert task.trace_id == request.trace_id != b"\xaa" * 16
    assert {"INSERT", "SELECT"} <= {s.name for s in of_trace(collector, task.trace_id)}
    assert not [word for word in (b"p-1", b"r-1", b"127.0.0.1") if word in text]
    assert request.trace_id.hex() in {line.get("trace_id") for line in logged}


def settled(collector: Collector) -> list[Span]:
    """The spans of tasks that a request sent."""
    requests = {span.trace_id for span in collector.of(SERVER, "POST ")}
    return [s for s in collector.of(CONSUMER, "payouts.settle") if s.trace_id in requests]


def of_trace(collector: Collector, trace: bytes) -> list[Span]:
    """The statements of a trace."""
    return [span for span in collector.of(CLIENT, "") if span.trace_id == trace]
