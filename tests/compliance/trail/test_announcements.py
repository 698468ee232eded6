"""What is announced to those who listen, by real LISTEN and NOTIFY."""

from collections.abc import Iterator

import psycopg
import pytest
from django.db import transaction

from compliance.trail.actor import Actor
from compliance.trail.announcements import CHANNEL, MOST_NAMES, announce, merged_topics
from compliance.trail.record import Entry, record_entries
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.documents import baccarat_round, held_baccarat_round, lines
from tests.payouts.cases.case_scenarios import opened

_SOMEBODY = Actor("somebody")


@pytest.fixture
def listener(fresh_casino: str) -> "Iterator[psycopg.Connection[tuple[object, ...]]]":
    """A connection of a role that may only read."""
    with psycopg.connect(fresh_casino, autocommit=True) as connection:
        connection.execute("SET ROLE sabot_reader")
        connection.execute(f"LISTEN {CHANNEL}")
        yield connection


def heard(listener: "psycopg.Connection[tuple[object, ...]]") -> list[str]:
    """What has arrived by now."""
    listener.execute("SELECT 1")
    return [notification.payload for notification in listener.notifies(timeout=0)]


class TestAnnouncements:
    def test_settlement_announces_only_what_is_held(
        self, listener: "psycopg.Connection[tuple[object, ...]]"
    ) -> None:
        """PostgreSQL lets transactions that notify commit one by one, so rounds must not."""
        open_table()
        ingest(lines(baccarat_round("r-1"), baccarat_round("r-2")))
        settle()
        quiet = heard(listener)
        ingest(lines(held_baccarat_round("r-3")))

        settle()

        assert (quiet, heard(listener)) == ([], ["round:r-3"])

    def test_a_case_is_announced_by_its_name(
        self, listener: "psycopg.Connection[tuple[object, ...]]"
    ) -> None:
        """And so is each of its rounds."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        settle()

        case = opened("malfunction", "r-1")

        assert sorted(heard(listener)) == [f"case:{case}", "round:r-1"]

    def test_nothing_is_announced_before_the_commit(
        self, listener: "psycopg.Connection[tuple[object, ...]]"
    ) -> None:
        """Whoever is told must find it."""
        entry = Entry("CASE_OPENED", "case:C-0001", {})
        with transaction.atomic():
            record_entries([entry], at=NOW, actor=_SOMEBODY)
            before = heard(listener)

        assert (before, heard(listener)) == ([], ["case:C-0001"])

    def test_a_topic_of_any_length_is_accepted(
        self, listener: "psycopg.Connection[tuple[object, ...]]"
    ) -> None:
        """PostgreSQL refuses payloads of 8,000 octets, and with them the transaction."""
        announce(["case:" + "x" * 9_000])

        [topic] = heard(listener)

        assert len(topic) == 200

    def test_many_of_a_kind_are_announced_as_one(self) -> None:
        """A case about thousands of rounds is one reason to look."""
        rounds = [f"round:r-{number}" for number in range(MOST_NAMES + 1)]

        assert merged_topics([*rounds, "case:C-1", "case:C-1"]) == ["round:", "case:C-1"]
