"""The client retries with one Idempotency-Key and sends invalid calls once (issue 8)."""

import logging
import os
from pathlib import Path
from typing import Final

import pytest

from casino.api.client import (
    Conflict,
    FieldError,
    NoAnswer,
    NotAllowed,
    NotFound,
    Refused,
    Sabot,
    SabotFailed,
    SabotProblem,
    TooManyCalls,
    Unreadable,
)
from casino.api.client.shapes.customers import CustomerToken
from tests.casino.api.client.scripted_server import Reply, answering, problem

_TOKEN: Final = "sabot_live_abc_ofnobody"  # noqa: S105  made up
_GIVEN: Final = {
    "id": "def",
    "token": "sabot_live_def_ofacustomer",
    "customer": "p-1",
    "scopes": ["rounds:read"],
    "expires_at": "2026-11-21T22:15:00Z",
}
_ISSUED: Final = Reply(201, _GIVEN)
_JOB: Final = {
    "id": "01935c2e-7f7a-7c3e-8000-000000000000",
    "status": "waiting",
    "percent": 0,
    "bytes": 9,
    "lines": 0,
    "verdicts": {"accepted": 0, "known": 0, "conflict": 0, "refused": 0},
    "delivered_at": "2026-11-21T22:15:00Z",
    "finished_at": None,
    "links": {"self": "/api/v1/jobs/1", "results": "/api/v1/jobs/1/results"},
}


def issue(url: str, *, attempts: int = 4, once: str | None = None) -> CustomerToken:
    """A POST by the client."""
    with Sabot(url, _TOKEN, attempts=attempts) as sabot:
        return sabot.customers.issue_token("p-1", once=once)


class TestACallThatIsNotAnswered:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        "first",
        [
            Reply(0),
            Reply(201, b'{"tok', {"Content-Length": "400"}),  # breaks off within the answer
            Reply(429, b"{", {"Content-Length": "400", "Retry-After": "1"}),
            Reply(502, b"<html>"),
            Reply(503),
            Reply(504),
            problem(429, "throttled", Retry_After="1"),
            problem(409, "still-carried-out", Retry_After="1"),
        ],
        ids=lambda reply: str(reply.status),
    )
    def test_is_sent_again_under_the_same_key(self, first: Reply) -> None:
        """Path, body and Idempotency-Key of the retry are the same."""
        with answering(first, _ISSUED) as server:
            token = issue(server.url)

        first_call, other = server.came
        assert token.customer == "p-1"
        assert (first_call.path, first_call.body) == (other.path, other.body)
        assert first_call.headers["Idempotency-Key"] == other.headers["Idempotency-Key"]

    @pytest.mark.parametrize("first", [Reply(0), Reply(503)], ids=lambda reply: str(reply.status))
    def test_sends_a_file_again_from_the_same_position(self, first: Reply, tmp_path: Path) -> None:
        """The retry seeks back to where the first attempt began."""
        feed = tmp_path / "feed.ndjson"
        feed.write_bytes(b"of yesterday\nof today\n")
        accepted = Reply(202, _JOB)
        with answering(first, accepted) as server, feed.open("rb") as file:
            file.readline()
            with Sabot(server.url, _TOKEN) as sabot:
                sabot.rounds.begin_job(file)

        assert [call.body for call in server.came] == [b"of today\n"] * 2

    def test_sends_a_pipe_once(self) -> None:
        """A stream that cannot seek is not retried."""
        reads, writes = os.pipe()
        os.write(writes, b"of today\n")
        os.close(writes)
        with (
            answering(Reply(503), Reply(202, _JOB)) as server,
            os.fdopen(reads, "rb") as pipe,
            Sabot(server.url, _TOKEN) as sabot,
            pytest.raises(SabotFailed),
        ):
            sabot.rounds.begin_job(pipe)

        assert len(server.came) == 1

    def test_with_an_invalid_url_is_not_retried(self) -> None:
        """An invalid URL fails at once."""
        with pytest.raises(NoAnswer, match="customer-tokens"):
            issue("not-an-address", attempts=100)

    @pytest.mark.parametrize(
        "reply",
        [Reply(0), Reply(201, b"{", {"Content-Length": "9"})],
        ids=["none", "broken off"],
    )
    def test_is_given_up_after_the_last_retry(self, reply: Reply) -> None:
        """The error names the call."""
        with answering(reply, reply) as server, pytest.raises(NoAnswer, match="customer-tokens"):
            issue(server.url, attempts=2)

        assert len(server.came) == 2

    @pytest.mark.slow
    def test_raises_the_problem_of_the_last_retry(self) -> None:
        """The last answer decides which exception is raised."""
        busy = problem(429, "throttled", Retry_After="1")
        with answering(busy, busy) as server, pytest.raises(TooManyCalls) as refused:
            issue(server.url, attempts=2)

        assert refused.value.kind == "throttled"


class TestACallThatIsRefused:
    @pytest.mark.parametrize(
        ("reply", "family"),
        [
            (problem(400, "malformed"), Refused),
            (problem(401, "key-unknown"), NotAllowed),
            (problem(403, "scope-missing"), NotAllowed),
            (problem(404, "not-found"), NotFound),
            (problem(409, "round-in-conflict"), Conflict),
            (problem(413, "too-large", Retry_After="1"), Refused),
            (problem(422, "refused"), Refused),
            (problem(500, "failed"), SabotFailed),
        ],
        ids=lambda value: str(getattr(value, "status", "")),
    )
    def test_is_sent_once_and_carries_the_problem(
        self, reply: Reply, family: type[SabotProblem]
    ) -> None:
        """The exception has the status, the kind and the errors."""
        with answering(reply) as server, pytest.raises(family) as refused:
            issue(server.url)

        raised = refused.value
        assert (raised.status, raised.kind) == (reply.status, raised.title)
        assert raised.request_id == "17"
        assert raised.errors == (FieldError(field="/minutes", found=90, needed="at most 60"),)
        assert raised.document == reply.body
        assert "/minutes: 90, at most 60" in str(raised)

    def test_by_a_proxy_is_reported_too(self) -> None:
        """An answer that is no problem document is reported by its status."""
        with answering(Reply(403, b"<html>")) as server, pytest.raises(NotAllowed) as refused:
            issue(server.url)

        assert (refused.value.kind, refused.value.title) == ("about:blank", "Forbidden")

    def test_does_not_follow_redirects(self) -> None:
        """A redirect would send the token to another host."""
        elsewhere = Reply(307, headers={"Location": "http://127.0.0.1:1/"})
        with answering(elsewhere) as server, pytest.raises(Unreadable, match="307"):
            issue(server.url)


class TestAnAnswer:
    @pytest.mark.parametrize(
        ("content", "place"),
        [
            ({**_GIVEN, "expires_at": "2026-11-21T22:15:00"}, "/expires_at"),
            ({**_GIVEN, "scopes": [1]}, "/scopes/0"),
            ({"id": "def", "token": "x"}, "/customer"),
            ([], "the answer"),
        ],
    )
    def test_that_does_not_fit_names_the_field(self, content: object, place: str) -> None:
        """The error has the path of the field; times need a time zone."""
        with answering(Reply(201, content)) as server, pytest.raises(Unreadable, match=place):
            issue(server.url)

    def test_may_have_unknown_fields(self) -> None:
        """Unknown fields of a later version are ignored."""
        with answering(Reply(201, {**_GIVEN, "more": 1})) as server:
            assert issue(server.url).customer == "p-1"


class TestAnIdempotencyKey:
    def test_is_new_for_each_call(self) -> None:
        """Two calls have two keys."""
        with answering(_ISSUED, _ISSUED) as server:
            issue(server.url)
            issue(server.url)

        assert len({call.headers["Idempotency-Key"] for call in server.came}) == 2

    def test_can_be_the_programs_own(self) -> None:
        """A program may pass its own key."""
        with answering(_ISSUED) as server:
            issue(server.url, once="ticket-4711")

        assert server.came[0].headers["Idempotency-Key"] == "ticket-4711"


def test_no_token_is_in_a_repr_or_a_log(caplog: pytest.LogCaptureFixture) -> None:
    """Neither repr, nor exceptions, nor logs contain a token."""
    with caplog.at_level(logging.DEBUG), answering(Reply(503), _ISSUED, Reply(0)) as server:
        issued = issue(server.url)
        with Sabot(server.url, _TOKEN, attempts=1) as sabot, pytest.raises(NoAnswer) as lost:
            sabot.customers.issue_token("p-1")

    text = f"{issued!r} {sabot!r} {vars(sabot)!r} {lost.value!r} {caplog.text}"
    assert "customer-tokens" in caplog.text
    assert _TOKEN not in text
    assert issued.token not in text
    assert {call.headers["Authorization"] for call in server.came} == {f"Bearer {_TOKEN}"}


def test_names_are_escaped_in_addresses() -> None:
    """Names are percent-encoded; ``..`` is refused before it is sent."""
    with answering(problem(404, "not-found")) as server, Sabot(server.url, _TOKEN) as sabot:
        with pytest.raises(NotFound):
            sabot.rounds.get("a/b?c")
        with pytest.raises(ValueError, match=r"round is '\.\.'"):
            sabot.rounds.get("..")

    assert server.came[0].path.startswith("/api/v1/rounds/a%2Fb%3Fc?")


@pytest.mark.parametrize("document", [b"", b"\n", b"{}\n{}"])
def test_a_stream_takes_a_line_a_document(document: bytes) -> None:
    """A document with a line feed is refused before anything is sent."""
    with answering() as server, Sabot(server.url, _TOKEN) as sabot:
        with pytest.raises(ValueError, match="one line"):
            list(sabot.rounds.deliver_stream([document]))

        assert server.came == []


def test_a_stream_whose_lines_all_have_results_needs_no_retry() -> None:
    """Not even where none is allowed."""
    answered = b'{"line": 1, "verdict": "known", "shoe": "s-1", "round": null, "id": null}\n'
    with answering(Reply(200, answered)) as server, Sabot(server.url, _TOKEN, attempts=1) as sabot:
        [answer] = sabot.rounds.deliver_stream([{"feed": "shoe/1"}])

    assert (answer.line, len(server.came)) == (1, 1)


def test_a_stream_that_sabot_stopped_is_sent_again() -> None:
    """The whole batch is retried after ``stream-stopped``."""
    answered = b'{"line": 1, "verdict": "known", "shoe": "s-1", "round": null, "id": null}\n'
    replies = (problem(500, "stream-stopped"), Reply(200, answered))
    with answering(*replies) as server, Sabot(server.url, _TOKEN) as sabot:
        [answer] = sabot.rounds.deliver_stream([{"feed": "shoe/1"}])

    assert (answer.verdict, answer.shoe) == ("known", "s-1")
    assert [call.body for call in server.came] == [b'{"feed":"shoe/1"}\n'] * 2
