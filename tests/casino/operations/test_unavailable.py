"""A database that does not answer, or not in time: 503 in words, before any view and in one."""

from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Final

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from casino.access.models import OpenSession
from casino.integrations.models import KeySecret
from casino.integrations.tokens import new_handle, new_token
from tests.casino.api.web_server import serving

_SESSION: Final = {"Cookie": f"sessionid={'a' * 32}", "Accept-Language": "en"}
_KEY: Final = {"Authorization": f"Bearer {new_token(new_handle()).text}", "Accept-Language": "en"}


@pytest.fixture
def web(
    fresh_casino: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[HTTPConnection]:
    """A web process whose statements may take a second."""
    monkeypatch.setenv("STATEMENT_SECONDS", "1")
    with serving(tmp_path, processes=1) as (address, _pid):
        connection = HTTPConnection(address.removeprefix("http://"), timeout=60)
        yield connection
        connection.close()


@pytest.fixture
def locked(fresh_casino: str) -> Iterator[None]:
    """Somebody holds the tables that each request needs."""
    with psycopg.connect(fresh_casino) as connection:
        for model in (OpenSession, KeySecret):
            table = Identifier(model._meta.db_table)
            connection.execute(SQL("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE").format(table))
        yield
        connection.rollback()


def answer_of(web: HTTPConnection, at: str, headers: dict[str, str]) -> tuple[int, str, str | None]:
    """Status, text and Retry-After."""
    web.request("GET", at, headers=headers)
    answer = web.getresponse()
    return answer.status, answer.read().decode(), answer.headers["Retry-After"]


@pytest.mark.slow
@pytest.mark.usefixtures("locked")
def test_a_statement_that_takes_too_long_is_ended(web: HTTPConnection) -> None:
    """The page says so, and the process is free for others."""
    status, page, _wait = answer_of(web, "/admin/", _SESSION)

    assert status == 503
    assert "The page took too long" in page
    assert "Nothing was changed" in page


@pytest.mark.slow
@pytest.mark.usefixtures("locked")
def test_a_program_repeats_its_call(web: HTTPConnection) -> None:
    """In the same way as without a database."""
    status, problem, wait = answer_of(web, "/api/v1/rounds", _KEY)

    assert (status, wait) == (503, "2")
    assert "unavailable" in problem


@pytest.mark.slow
@pytest.mark.parametrize(
    ("at", "headers", "message"),
    [("/admin/", _SESSION, "Database unavailable"), ("/api/v1/rounds", _KEY, "unavailable")],
)
def test_without_a_database(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, at: str, headers: dict[str, str], message: str
) -> None:
    """Where the session is read before any view is asked, as well."""
    monkeypatch.setenv("DATABASE_URL", "postgres://sabot:nothing@127.0.0.1:1/nowhere")
    with serving(tmp_path, processes=1) as (address, _pid):
        web = HTTPConnection(address.removeprefix("http://"), timeout=60)
        status, text, _wait = answer_of(web, at, headers)
        web.close()

    assert status == 503
    assert message in text
