"""Tables with other rows, for queries that only read."""

import psycopg
import pytest
from django.db import InternalError, connection

from compliance.storage.stand_in_tables import StandIn, stand_in_tables
from rounds.models import Customer
from rounds.queries import round_by_reference
from tests.casino_in_play import ingest, open_table
from tests.documents import baccarat_round, lines

_CUSTOMERS = StandIn("rounds_customer", ["id", "pseudonym", "no_longer"], [(7, "p-archived", 1)])


def names() -> list[str]:
    """The customers, as a query of a page reads them."""
    return list(Customer.objects.values_list("pseudonym", flat=True))


@pytest.mark.django_db
class TestStandInTables:
    def test_have_their_rows_meanwhile(self) -> None:
        """Those of the database are back at the end, also after an error."""
        Customer.objects.create(pseudonym="p-live")

        with stand_in_tables([_CUSTOMERS]):
            within = names()
        with pytest.raises(ZeroDivisionError), stand_in_tables([_CUSTOMERS]):
            _ = 1 / 0

        assert (within, names()) == (["p-archived"], ["p-live"])

    def test_are_read_by_statements_prepared_before(self) -> None:
        """PostgreSQL keeps the plan of a prepared statement, and with it the table."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        names_of_rounds = StandIn("rounds_roundname", ["reference", "round_id", "digest"], [])
        before = [round_by_reference("r-1") is not None for _ in range(8)]

        with stand_in_tables([names_of_rounds]):
            within = round_by_reference("r-1")
        after = round_by_reference("r-1")

        assert all(before)
        assert within is None
        assert after is not None

    def test_refuse_every_change(self) -> None:
        """Of the database: nothing is written by mistake while a page is built."""
        refused = pytest.raises(InternalError, match="read-only transaction")
        with refused, stand_in_tables([_CUSTOMERS]), connection.cursor() as cursor:
            cursor.execute("INSERT INTO rounds_table (code) VALUES ('x')")

        Customer.objects.create(pseudonym="p-later")
        assert names() == ["p-later"]


def test_are_not_seen_by_others(fresh_casino: str) -> None:
    """Another connection reads the database."""
    with stand_in_tables([_CUSTOMERS]), psycopg.connect(fresh_casino) as other:
        [(count,)] = other.execute("SELECT count(*) FROM rounds_customer").fetchall()

    assert count == 0
    assert names() == []
