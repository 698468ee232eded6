"""The client retries with one Idempotency-Key; an invalid call is sent once (issue 8, 6)."""

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
from tests.casino.api.client.answering import Reply, answering, problem

_TOKEN: Final = "sabot_live_abc_ofnobody"  # noqa: S105  made up
_GIVEN: Final = {
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
    "links": {"self": "/api/v1/jobs/1", "answers": "/api/v1/jobs/1/answers"},
}


def issue(url: str, *, attempts: int = 4, once: str | None = None) -> CustomerToken:
    """A POST of the client."""
    with Sabot(url, _TOKEN, attempts=attempts) as sabot:
        return sabot.customers.issue_token("p-1", once=once)


class TestACallThatIsNotAnswered:
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
        """The very same call, so that it is carried out once."""
        with answering(first, _ISSUED) as server:
            token = issue(server.url)

        first_call, other = server.came
        assert token.customer == "p-1"
        assert (first_call.path, first_call.body) == (other.path, other.body)
        assert first_call.headers["Idempotency-Key"] == other.headers["Idempotency-Key"]

    @pytest.mark.parametrize("first", [Reply(0), Reply(503)], ids=lambda reply: str(reply.status))
    def test_sends_a_file_again_from_where_it_stood(self, first: Reply, tmp_path: Path) -> None:
        """What was read of it is read again."""
        feed = tmp_path / "feed.ndjson"
        feed.write_bytes(b"of yesterday\nof today\n")
        accepted = Reply(202, _JOB)
        with answering(first, accepted) as server, feed.open("rb") as file:
            file.readline()
            with Sabot(server.url, _TOKEN) as sabot:
                sabot.rounds.begin_job(file)

        assert [call.body for call in server.came] == [b"of today\n"] * 2

    def test_sends_once_what_has_no_way_back(self) -> None:
        """A pipe: half of a feed is never taken for all of it."""
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

    def test_is_given_up_at_once_where_it_can_never_be_sent(self) -> None:
        """An address that is none is no matter of patience."""
        with pytest.raises(NoAnswer, match="customer-tokens"):
            issue("not-an-address", attempts=100)

    @pytest.mark.parametrize(
        "reply",
        [Reply(0), Reply(201, b"{", {"Content-Length": "9"})],
        ids=["none", "broken off"],
    )
    def test_is_given_up_in_the_end(self, reply: Reply) -> None:
        """With a sentence that says what was tried."""
        with answering(reply, reply) as server, pytest.raises(NoAnswer, match="customer-tokens"):
            issue(server.url, attempts=2)

        assert len(server.came) == 2

    def test_ends_in_its_problem_when_that_stays(self) -> None:
        """As Sabot told it the last time."""
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
        """The family by the status, the very kind by its name, and what was wrong where."""
        with answering(reply) as server, pytest.raises(family) as refused:
            issue(server.url)

        raised = refused.value
        assert (raised.status, raised.kind) == (reply.status, raised.title)
        assert raised.request_id == "17"
        assert raised.errors == (FieldError(field="/minutes", found=90, needed="at most 60"),)
        assert raised.document == reply.body
        assert "/minutes: 90, at most 60" in str(raised)

    def test_by_a_proxy_is_reported_too(self) -> None:
        """A proxy's page is no problem document."""
        with answering(Reply(403, b"<html>")) as server, pytest.raises(NotAllowed) as refused:
            issue(server.url)

        assert (refused.value.kind, refused.value.title) == ("about:blank", "Forbidden")

    def test_is_not_followed_elsewhere(self) -> None:
        """A redirect would take the token to whoever it names."""
        elsewhere = Reply(307, headers={"Location": "http://127.0.0.1:1/"})
        with answering(elsewhere) as server, pytest.raises(Unreadable, match="307"):
            issue(server.url)


class TestAnAnswer:
    @pytest.mark.parametrize(
        ("content", "place"),
        [
            ({**_GIVEN, "expires_at": "2026-11-21T22:15:00"}, "/expires_at"),
            ({**_GIVEN, "scopes": [1]}, "/scopes/0"),
            ({"token": "x"}, "/customer"),
            ([], "the answer"),
        ],
    )
    def test_that_does_not_fit_names_the_field(self, content: object, place: str) -> None:
        """With its place; a time without its zone is none."""
        with answering(Reply(201, content)) as server, pytest.raises(Unreadable, match=place):
            issue(server.url)

    def test_may_tell_more(self) -> None:
        """A Sabot of tomorrow breaks no program of today."""
        with answering(Reply(201, {**_GIVEN, "more": 1})) as server:
            assert issue(server.url).customer == "p-1"


class TestAnIdempotencyKey:
    def test_is_new_for_each_call(self) -> None:
        """Two calls are two."""
        with answering(_ISSUED, _ISSUED) as server:
            issue(server.url)
            issue(server.url)

        assert len({call.headers["Idempotency-Key"] for call in server.came}) == 2

    def test_can_be_the_programs_own(self) -> None:
        """A ticket's number, kept where the ticket is."""
        with answering(_ISSUED) as server:
            issue(server.url, once="ticket-4711")

        assert server.came[0].headers["Idempotency-Key"] == "ticket-4711"


def test_no_token_is_in_a_repr_or_a_log(caplog: pytest.LogCaptureFixture) -> None:
    """Not the key's, not one that was issued, not where a call goes wrong; it is sent, though."""
    with caplog.at_level(logging.DEBUG), answering(Reply(503), _ISSUED, Reply(0)) as server:
        issued = issue(server.url)
        with Sabot(server.url, _TOKEN, attempts=1) as sabot, pytest.raises(NoAnswer) as lost:
            sabot.customers.issue_token("p-1")

    text = f"{issued!r} {sabot!r} {vars(sabot)!r} {lost.value!r} {caplog.text}"
    assert "customer-tokens" in caplog.text
    assert _TOKEN not in text
    assert issued.token not in text
    assert {call.headers["Authorization"] for call in server.came} == {f"Bearer {_TOKEN}"}


def test_an_address_has_no_part_that_leads_elsewhere() -> None:
    """Names go into addresses as they are; one that would climb is refused before it is sent."""
    with answering(problem(404, "not-found")) as server, Sabot(server.url, _TOKEN) as sabot:
        with pytest.raises(NotFound):
            sabot.rounds.get("a/b?c")
        with pytest.raises(ValueError, match=r"round is '\.\.'"):
            sabot.rounds.get("..")

    assert server.came[0].path.startswith("/api/v1/rounds/a%2Fb%3Fc?")


@pytest.mark.parametrize("document", [b"", b"\n", b"{}\n{}"])
def test_a_stream_takes_a_line_a_document(document: bytes) -> None:
    """So that each answer is that of its document; nothing is sent."""
    with answering() as server, Sabot(server.url, _TOKEN) as sabot:
        with pytest.raises(ValueError, match="one line"):
            list(sabot.rounds.deliver_stream([document]))

        assert server.came == []


def test_a_stream_that_sabot_stopped_is_sent_again() -> None:
    """As that problem's remedy says: all of the portion, nothing of which was answered."""
    answered = b'{"line": 1, "verdict": "known", "shoe": "s-1", "round": null, "id": null}\n'
    replies = (problem(500, "stream-stopped"), Reply(200, answered))
    with answering(*replies) as server, Sabot(server.url, _TOKEN) as sabot:
        [answer] = sabot.rounds.deliver_stream([{"feed": "shoe/1"}])

    assert (answer.verdict, answer.shoe) == ("known", "s-1")
    assert [call.body for call in server.came] == [b'{"feed":"shoe/1"}\n'] * 2
