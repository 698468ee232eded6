"""Chunked, truncated and mislabelled bodies, sent over a raw socket."""

import gzip
import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from django.db import connection

from rounds.models import Bet, QuarantinedDocument, Round
from tests.casino.api.api_client import Program, issued, json_of, slug_of
from tests.casino.api.studio import NDJSON, ROUNDS, answers, delivered, studio
from tests.casino.api.web_server import served
from tests.casino_in_play import open_table
from tests.documents import baccarat_round
from tests.processes import wait_until

JSON: Final = "application/json"
_BATCH: Final = 500
"""Documents that are stored together."""


class Wire:
    """A server, and a raw connection to it."""

    def __init__(self, address: str, token: str) -> None:
        self.place, self._token = address.removeprefix("http://"), token
        self.program = Program(token)

    def head(self, *headers: str, form: str = NDJSON) -> bytes:
        """The request line and headers of a delivery."""
        lines = [f"POST {ROUNDS} HTTP/1.1", f"Host: {self.place}", f"Content-Type: {form}"]
        lines += [f"Authorization: Bearer {self._token}", "Connection: close", *headers]
        return "\r\n".join([*lines, "", ""]).encode()

    def answer(self, *sent: bytes) -> tuple[int, str]:
        """Status and body of the answer; nothing more is sent."""
        host, _colon, port = self.place.partition(":")
        with socket.create_connection((host, int(port)), timeout=60) as wire:
            for part in sent:
                wire.sendall(part)
            wire.shutdown(socket.SHUT_WR)
            received = b"".join(iter(lambda: wire.recv(1 << 16), b""))
        head, _blank, rest = received.partition(b"\r\n\r\n")
        return int(head.split()[1]), rest.decode()


@pytest.fixture
def wire(fresh_casino: object, tmp_path: Path) -> Iterator[Wire]:
    """A server with the table of the documents."""
    open_table()
    token = issued().token
    with served(tmp_path, processes=1) as address:
        yield Wire(address, token)


def line(number: int) -> bytes:
    """A round with three bets as a line."""
    return json.dumps(baccarat_round(f"r-{number}")).encode() + b"\n"


def chunked(body: bytes, size: int) -> bytes:
    """A chunked body without its last chunk (RFC 9112, section 7.1)."""
    pieces = [body[at : at + size] for at in range(0, len(body), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces)


class TestChunks:
    def test_may_split_lines(self, wire: Wire) -> None:
        """Chunks need not end at lines."""
        body = b"".join(map(line, range(3)))

        head = wire.head("Transfer-Encoding: chunked")
        status, _content = wire.answer(head, chunked(body, 77), b"0\r\n\r\n")

        assert status == 200
        assert (Round.objects.count(), Bet.objects.count()) == (3, 9)

    def test_may_be_a_single_document(self, wire: Wire) -> None:
        """Without a Content-Length."""
        head = wire.head("Transfer-Encoding: chunked", form=JSON)

        status, _content = wire.answer(head, chunked(line(1), 50), b"0\r\n\r\n")

        assert (status, Round.objects.get().reference) == (201, "r-1")

    def test_without_a_last_one_are_malformed(self, wire: Wire) -> None:
        """A truncated body is answered 400."""
        head = wire.head("Transfer-Encoding: chunked")

        status, content = wire.answer(head, chunked(line(1) + line(2), 100))

        assert (status, Round.objects.count()) == (400, 0)
        assert "/problems/malformed" in content


class TestAStreamThatIsCut:
    def test_keeps_whole_batches_and_takes_the_rest_when_it_is_sent_again(self, wire: Wire) -> None:
        """It is cut within a line; no part of the line is stored."""
        lines = [line(number) for number in range(_BATCH + 20)]
        body = b"".join(lines)
        sent_octets = sum(map(len, lines[: _BATCH + 10])) + 40

        head = wire.head(f"Content-Length: {len(body)}")
        status, content = wire.answer(head, body[:sent_octets])
        stored = Round.objects.count(), Bet.objects.count(), QuarantinedDocument.objects.count()
        again = answers(delivered(wire.program, *(line.rstrip() for line in lines)))

        assert (status, stored) == (400, (_BATCH, _BATCH * 3, 0))
        assert f'"{len(body)}"' in content
        verdicts = [answer["verdict"] for answer in again]
        assert verdicts == ["known"] * _BATCH + ["accepted"] * 20
        assert Bet.objects.count() == len(lines) * 3

    def test_by_a_closed_connection_keeps_whole_batches(self, wire: Wire) -> None:
        """Whole batches are stored without a reader of the answer."""
        lines = [line(number) for number in range(_BATCH + 1)]
        host, _colon, port = wire.place.partition(":")

        with socket.create_connection((host, int(port))) as dropped:
            dropped.sendall(wire.head(f"Content-Length: {sum(map(len, lines)) + 1}"))
            dropped.sendall(b"".join(lines)[:-30])

        wait_until(lambda: Round.objects.count() == _BATCH, what="the whole batch is stored")
        connection.close()
        assert not QuarantinedDocument.objects.exists()


class TestAWrongContentLength:
    def test_by_too_little_leaves_half_a_line_that_is_refused(self, wire: Wire) -> None:
        """The half line is quarantined byte for byte."""
        body = line(1) + line(2)

        status, content = wire.answer(wire.head(f"Content-Length: {len(body) - 30}"), body)

        assert (status, content.count('"accepted"'), content.count('"refused"')) == (200, 1, 1)
        assert bytes(QuarantinedDocument.objects.get().content) == line(2)[:-30]

    @pytest.mark.parametrize("length", ["-1", "x", "1e3"])
    def test_that_is_no_number_is_malformed(self, wire: Wire, length: str) -> None:
        """The server answers 400."""
        status, _content = wire.answer(wire.head(f"Content-Length: {length}"), line(1))

        assert (status, Round.objects.count()) == (400, 0)


@pytest.mark.django_db
class TestAnEncodedBody:
    @pytest.mark.parametrize("form", [JSON, NDJSON])
    def test_is_refused_by_name(self, form: str) -> None:
        """415 names Content-Encoding; nothing is quarantined."""
        open_table()
        body = gzip.compress(line(1))

        answer: Any = studio().call(
            "POST", ROUNDS, body, Content_Type=form, Content_Encoding="gzip"
        )

        assert (answer.status_code, slug_of(answer)) == (415, "unsupported-media-type")
        [error] = json_of(answer)["errors"]
        assert (error["field"], error["found"]) == ("header:Content-Encoding", "gzip")
        assert not QuarantinedDocument.objects.exists()
