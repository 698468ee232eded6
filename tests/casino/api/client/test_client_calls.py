"""The client against the real server: deliveries, rounds, histories (issue 8)."""

import gzip
from collections.abc import Iterator
from datetime import UTC, date, datetime
from itertools import islice
from pathlib import Path
from socket import create_connection
from urllib.parse import urlsplit

import pytest

from casino.api.client import Conflict, NotFound, Refused, Sabot
from compliance.trail.log.append_to_log import append_to_log
from rounds.models import Round
from rounds.uploads.ingest_upload import ingest_uploads
from tests.casino.api.api_client import issued
from tests.casino.api.web_server import served
from tests.casino_in_play import by_now, open_table, settle
from tests.compliance.trail.logs import KEY
from tests.documents import baccarat_round, lines, shoe
from tests.lines import Line

pytestmark = pytest.mark.usefixtures("fresh_casino")


@pytest.fixture
def address(fresh_casino: str, tmp_path: Path) -> Iterator[str]:
    """The URL of a casino with one table."""
    open_table()
    with served(tmp_path, processes=1) as server_url:
        yield server_url


@pytest.mark.slow
def test_a_round_is_delivered_and_read(address: str) -> None:
    """A round is accepted, known, in conflict, refused, settled and read.

    Amounts are those of tests/documents.py: 22.00 staked, 25.00 paid.
    """
    with Sabot(address, issued().token) as sabot:
        document = baccarat_round("r-1")
        delivered = sabot.rounds.deliver(document)
        again = sabot.rounds.deliver(document)
        with pytest.raises(Conflict) as conflict:
            sabot.rounds.deliver({**document, "session": "M000000000000002"})
        with pytest.raises(Refused) as refused:
            sabot.rounds.deliver(baccarat_round("r-2", rules="whist/1"))
        settle(at=by_now())
        append_to_log(KEY, now=by_now())
        row = sabot.rounds.get("r-1")

        assert (delivered.verdict, again.verdict, delivered.id) == ("accepted", "known", row.id)
        assert conflict.value.kind == "round-in-conflict"
        assert [error.field for error in refused.value.errors] == ["/rules"]
        assert (row.status, row.staked_cents, row.payout_cents) == ("settled", 2_200, 2_500)
        assert row.opened_at == datetime(2026, 11, 21, 21, 10, 10, tzinfo=UTC)
        assert [bet.payout_cents for bet in row.bets.data] == [2_000, 0, 500]
        assert sabot.rounds.get("r-1", if_none_match=row.etag) is None
        assert list(sabot.rounds.bets("r-1", limit=2)) == list(row.bets.data)
        assert tuple(sabot.rounds.timeline(row.id, limit=1)) == row.timeline
        assert sabot.rounds.receipt("r-1").round == "r-1"
        with pytest.raises(NotFound):
            sabot.rounds.get("r-9")


def test_lists_follow_their_pages(address: str) -> None:
    """Seven rounds in pages of three, with filters, and a customer's history."""
    with Sabot(address, issued().token) as sabot:
        names = [f"r-{number}" for number in range(7)]
        answers = list(sabot.rounds.deliver_stream(baccarat_round(name) for name in names))
        settle(at=by_now())

        settled_names = [
            row.round for row in sabot.rounds.list(table="bac-1", status="settled", limit=3)
        ]
        none = list(sabot.rounds.list(opened_since=datetime(2026, 11, 22, tzinfo=UTC)))
        [day] = sabot.customers.history("p-2")
        rounds = list(sabot.customers.rounds_of_day("p-2", day.date, limit=3))

    assert [(answer.line, answer.verdict) for answer in answers] == [
        (n, "accepted") for n in range(1, 8)
    ]
    assert sorted(settled_names) == names
    assert none == []
    assert (day.date, day.rounds, day.staked_cents) == (date(2026, 11, 21), 7, 7_000)
    assert {(row.round, row.staked_cents) for row in rounds} == {(name, 1_000) for name in names}


class TestAStream:
    def test_is_sent_in_batches_and_answered_line_by_line(self, address: str) -> None:
        """Lines are numbered over all batches; refusals name the field."""
        documents = [baccarat_round(f"r-{number}") for number in range(6)]
        documents[4]["bets"][0]["stake"] = "0.00"
        with Sabot(address, issued().token) as sabot:
            stream = sabot.rounds.deliver_stream([shoe("s-1"), *documents], portion_bytes=2_000)
            answers = list(stream)

        assert [answer.line for answer in answers] == [1, 2, 3, 4, 5, 6, 7]
        assert (answers[0].shoe, answers[1].round) == ("s-1", "r-0")
        assert [answer.verdict for answer in answers].count("accepted") == 6
        assert (answers[5].verdict, answers[5].errors[0].field) == ("refused", "/bets/0/stake")

    def test_that_was_interrupted_resumes_after_the_last_answer(self, address: str) -> None:
        """Lines that were stored without an answer are answered ``known``."""
        place = urlsplit(address)
        line = Line(lambda: create_connection((place.hostname, place.port)))
        line.break_answer(10_000)
        documents = (baccarat_round(f"r-{number}") for number in range(300))
        with Sabot(f"http://127.0.0.1:{line.port}", issued().token) as sabot:
            answers = list(sabot.rounds.deliver_stream(documents))
        line.close()

        verdicts = [answer.verdict for answer in answers]
        assert [answer.line for answer in answers] == list(range(1, 301))
        assert [answer.round for answer in answers] == [f"r-{number}" for number in range(300)]
        assert set(verdicts) == {"accepted", "known"}
        assert verdicts == sorted(
            verdicts
        )  # those behind the break, and those alone, were sent again
        assert Round.objects.count() == 300

    def test_reads_documents_as_it_sends_them(self, address: str) -> None:
        """An endless generator is sent batch by batch."""

        def endless() -> Iterator[dict[str, object]]:
            number = 0
            while True:
                number += 1
                yield baccarat_round(f"r-{number}")

        with Sabot(address, issued().token) as sabot:
            stream = sabot.rounds.deliver_stream(endless(), portion_bytes=2_000)
            first = [answer.verdict for answer in islice(stream, 5)]

        assert first == ["accepted"] * 5


def test_a_job_is_waited_for(address: str, tmp_path: Path) -> None:
    """The client waits until workers have taken a gzip file."""
    feed = tmp_path / "feed.ndjson.gz"
    documents = lines(*[baccarat_round(f"r-{number}") for number in range(3)])
    feed.write_bytes(gzip.compress(b"\n".join([*documents, b"{broken"])))
    with Sabot(address, issued().token) as sabot:
        with feed.open("rb") as file:
            job = sabot.rounds.begin_job(file)
        before = sabot.rounds.job(job.id)
        ingest_uploads(now=by_now, after_batch=lambda: None, is_over=lambda: False)
        finished_job = sabot.rounds.wait_for_job(job.id)
        answers = list(sabot.rounds.job_results(job.id))

    assert (before.status, before.finished_at) == ("waiting", None)
    assert (finished_job.status, finished_job.verdicts.accepted, finished_job.verdicts.refused) == (
        "finished",
        3,
        1,
    )
    assert [answer.verdict for answer in answers] == ["accepted"] * 3 + ["refused"]
