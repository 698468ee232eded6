"""Answers in the place of a witness that are no signature of it."""

import logging
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer
from threading import Barrier, Thread

import pytest
from django.conf import settings

from compliance.trail.models import Cosignature
from compliance.trail.witnesses.ask_witnesses import ask_witnesses
from tests.compliance.trail.logs import grown
from tests.compliance.trail.witnesses.running_witness import RunningWitness, obey

pytestmark = pytest.mark.django_db

Witnesses = list[RunningWitness]


class TestAStrangersAnswer:
    @pytest.fixture
    def stranger(self, two: Witnesses) -> Iterator[Callable[[int, bytes], None]]:
        """Somebody else answers in the place of the first witness."""
        given: list[tuple[int, bytes]] = []

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                status, body = given[-1]
                self.send_response(status)
                self.send_header("Location", two[0].url)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_arguments: object) -> None:
                """Nothing is printed."""

        server = HTTPServer(("127.0.0.1", 0), Handler)
        Thread(target=server.serve_forever, daemon=True).start()
        line = two[0].line.replace(two[0].url, f"http://127.0.0.1:{server.server_port}")
        settings.LOG_POLICY = f"{line}\nquorum one"
        yield lambda status, body: given.append((status, body))
        server.shutdown()
        server.server_close()

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("status", "body", "words"),
        [
            (200, b"", "no valid signature"),
            (200, b"\xff\xfe", "no valid signature"),
            (200, "— one.example/witness AAAA\n".encode(), "no valid signature"),
            (200, "— one.example/witness !\n".encode(), "no valid signature"),
            (200, b"x" * 1_000_000, "no valid signature"),
            (307, b"", "it answered 307; needed 200"),
            (500, b"at\nhome", "it answered 500; needed 200: at home"),
            (404, b"unknown log", "it answered 404"),
            (409, b"-1\n", "REFUSES"),
            (409, b"99999999999999999999\n", "it has signed a log of 99999999999999999999 records"),
            (409, b"3\n", "this log does not begin"),
            (409, b"9" * 9_999, "REFUSES"),
        ],
    )
    def test_is_no_signature(
        self,
        stranger: Callable[[int, bytes], None],
        caplog: pytest.LogCaptureFixture,
        status: int,
        body: bytes,
        words: str,
    ) -> None:
        """Nothing is stored, and the log says why."""
        caplog.set_level(logging.WARNING)
        grown(5)
        stranger(status, body)

        assert ask_witnesses() == 0
        assert words in caplog.text
        assert not Cosignature.objects.exists()

    @pytest.mark.slow
    def test_by_another_witness_is_no_signature(
        self, stranger: Callable[[int, bytes], None], two: Witnesses
    ) -> None:
        """Under the name of the first one, too."""
        strangers = settings.LOG_POLICY
        grown(5)
        settings.LOG_POLICY = f"{two[1].line}\nquorum two"
        ask_witnesses()
        settings.LOG_POLICY = strangers
        line = two[1].kept.splitlines()[-1]
        for said in (line, line.replace("two.", "one.")):
            stranger(200, f"{said}\n".encode())

            assert ask_witnesses() == 0
        assert Cosignature.objects.count() == 1


class TestSeveralWitnesses:
    @pytest.mark.slow
    def test_get_their_requests_at_once(
        self, two: Witnesses, caplog: pytest.LogCaptureFixture
    ) -> None:
        """One that does not answer delays no other: these answer once both have a request."""
        both_requested = Barrier(len(two), timeout=5)

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                both_requested.wait()
                self.send_response(503)
                self.end_headers()

            def log_message(self, *_arguments: object) -> None:
                """Nothing is printed."""

        with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
            Thread(target=server.serve_forever, daemon=True).start()
            for witness in two:
                witness.end()
                witness.url = f"http://127.0.0.1:{server.server_port}"
            obey(two)
            grown(5)

            assert ask_witnesses() == 0

            server.shutdown()
        assert caplog.text.count("it answered 503; needed 200") == len(two)
