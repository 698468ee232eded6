"""Connections to the database: several hosts, and a pool in transaction mode."""

from typing import Any, Final
from urllib.parse import quote

import psycopg
import pytest
from django.db import DEFAULT_DB_ALIAS, connection, connections
from environ import Env

from casino.databases import databases
from compliance.storage.advisory_locks import session_lock
from compliance.storage.online_migrations.attempts import Limits, try_between_traffic
from compliance.storage.replica import REPLICA
from compliance.storage.sessions import DIRECT, NoSession

ONE: Final = "postgres://sabot_web:secret@database:5432/sabot"
TWO: Final = "postgres://sabot_web:secret@database1:5432,database2:5433/sabot"


def configured(url: str, **others: Any) -> dict[str, dict[str, Any]]:
    """The DATABASES of an installation."""
    return databases(Env.db_url_config(url), **others)


class TestSeveralHosts:
    def test_mean_the_one_that_takes_writes(self) -> None:
        """As libpq reads them, with a port each."""
        found = configured(TWO)[DEFAULT_DB_ALIAS]

        assert (found["HOST"], found["PORT"]) == ("database1,database2", "5432,5433")
        assert found["OPTIONS"]["target_session_attrs"] == "read-write"

    def test_may_be_sockets(self) -> None:
        """As in the URL of an embedded server."""
        found = configured("postgres://sabot@/sabot?host=%2Ftmp%2Fa,%2Ftmp%2Fb")[DEFAULT_DB_ALIAS]

        assert found["OPTIONS"]["target_session_attrs"] == "read-write"

    def test_of_the_replica_mean_the_one_that_does_not(self) -> None:
        """The primary answers reports while there is no replica."""
        found = configured(ONE, replica_url=TWO)

        assert found[REPLICA]["OPTIONS"]["target_session_attrs"] == "prefer-standby"
        assert "target_session_attrs" not in found[DEFAULT_DB_ALIAS]["OPTIONS"]

    def test_are_overridden_by_the_url(self) -> None:
        """As all other options."""
        found = configured(f"{TWO}?target_session_attrs=any&connect_timeout=2")[DEFAULT_DB_ALIAS]

        assert found["OPTIONS"]["target_session_attrs"] == "any"
        assert found["OPTIONS"]["connect_timeout"] == 2

    def test_are_tried_in_turn(self, fresh_casino: str, tmp_path: Any) -> None:
        """The first is away: there is no server on its socket."""
        sockets = connection.settings_dict["OPTIONS"]["host"]
        url = fresh_casino.replace(quote(sockets, safe=""), quote(f"{tmp_path},{sockets}", safe=""))

        with psycopg.connect(url, target_session_attrs="read-write") as found:
            assert found.info.host == sockets

    def test_a_lost_one_is_noticed(self) -> None:
        """After 25 seconds, not after the hours of the kernel's defaults."""
        options = configured(ONE)[DEFAULT_DB_ALIAS]["OPTIONS"]

        noticed = options["keepalives_idle"] + (
            options["keepalives_interval"] * options["keepalives_count"]
        )
        assert (noticed, options["tcp_user_timeout"]) == (25, 25_000)


class TestAPool:
    def test_prepares_nothing_and_has_no_cursors_of_a_session(self) -> None:
        """Its sessions have settings of their own: it refuses those of clients."""
        found = configured(ONE, replica_url=ONE, is_pooled=True)

        for alias in (DEFAULT_DB_ALIAS, REPLICA):
            assert "prepare_threshold" not in found[alias]["OPTIONS"]  # Django's default is never
            assert found[alias]["DISABLE_SERVER_SIDE_CURSORS"] is True
            assert "options" not in found[alias]["OPTIONS"]

    def test_has_a_connection_past_it(self) -> None:
        """Which is as without a pool."""
        past = configured(ONE, direct_url=TWO, is_pooled=True)[DIRECT]

        expected = configured(TWO)[DEFAULT_DB_ALIAS]
        assert {**past, "TEST": None} == {**expected, "TEST": None}


@pytest.fixture
def _pooled(fresh_casino: str) -> Any:
    """A process whose connection goes through a pool in transaction mode."""
    connection.settings_dict["DISABLE_SERVER_SIDE_CURSORS"] = True
    yield
    connection.settings_dict["DISABLE_SERVER_SIDE_CURSORS"] = False


@pytest.mark.usefixtures("_pooled")
class TestWhatNeedsASession:
    def test_is_refused_through_a_pool(self) -> None:
        """A lock of a session would be another client's after the transaction."""
        with pytest.raises(NoSession, match="DATABASE_POOLED"), session_lock("bundle"):
            pass
        with pytest.raises(NoSession):
            try_between_traffic(
                lambda: None, limits=Limits(wait_ms=1, retry_seconds=1), say=lambda _text: None
            )

    def test_uses_the_connection_past_it(self, fresh_casino: str) -> None:
        """And locks there: the pool's connection is another session, which is refused."""
        named = databases(connection.settings_dict, direct_url=fresh_casino)
        connections.settings[DIRECT] = connections.configure_settings(named)[DIRECT]
        try:
            with session_lock("bundle") as is_ours:
                assert is_ours
                with connection.cursor() as cursor:
                    cursor.execute("SELECT pg_try_advisory_lock(hashtextextended('bundle', 0))")
                    assert cursor.fetchone() == (False,)
        finally:
            connections[DIRECT].close()
            del connections[DIRECT], connections.settings[DIRECT]
