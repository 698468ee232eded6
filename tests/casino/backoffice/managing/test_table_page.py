"""The page of a table shows what happens there (issue 20, point 10).

Each round of ``played`` stakes 22.00 and pays 25.00; its shoe had dealt six cards before it.
"""

import re

import pytest
from django.test import Client

from compliance.monitoring.models import Watch
from rounds.models import Table
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.managing.table_pages import address, page_of_table, plain
from tests.casino.backoffice.monitoring.watched_tables import looked, played
from tests.casino.backoffice.page_reader import reader
from tests.casino_in_play import ingest, open_table
from tests.documents import lines, shoe


@pytest.fixture
def supervisor(fresh_casino: str) -> Client:
    """A browser of a supervisor."""
    return reader(person("supervisor"))


@pytest.fixture
def table(supervisor: Client) -> Table:
    """A table of baccarat."""
    return open_table()


def page(client: Client, table: Table, query: str = "") -> str:
    """The text of the table's page."""
    return plain(client.get(page_of_table(table) + query).content)


class TestTheLiveState:
    def test_shows_the_shoe_of_the_last_round(self, supervisor: Client, table: Table) -> None:
        """Six cards before, four in the round: 406 of eight decks remain."""
        played(1)

        assert "Shoe in use shoe-of-r-0-0 Cards remaining 406 of 416" in page(supervisor, table)

    def test_shows_a_shoe_that_was_opened_since(self, supervisor: Client, table: Table) -> None:
        """One card burnt face up and five face down."""
        played(1)
        ingest(lines(shoe("s-new")))

        assert "Shoe in use s-new Cards remaining 410 of 416" in page(supervisor, table)

    def test_shows_the_latest_rounds(self, supervisor: Client, table: Table) -> None:
        """At most ten."""
        played(11)

        content = page(supervisor, table)

        assert len(re.findall(r"3 22\.00 25\.00 Settled", content)) == 10
        assert re.search(r"Last round \d+ \w+,? [\w: ]+ ago Shoe in use", content)

    def test_is_empty_before_the_first_round(self, supervisor: Client, table: Table) -> None:
        """Nothing was dealt, evaluated or suspended."""
        content = page(supervisor, table)

        for nothing in (
            "Last round none",
            "Shoe in use none announced",
            "No round has arrived yet",
            "The monitor has not evaluated this table yet.",
            "The table was never suspended.",
        ):
            assert nothing in content

    def test_is_for_roles_that_see_rounds(self, table: Table) -> None:
        """Administrators see no money."""
        played(1)

        content = page(reader(person("administrator")), table)

        assert "Latest rounds" not in content
        assert "Returns against chance" not in content


class TestTheReturnsOfATable:
    def test_are_those_of_the_last_look(self, supervisor: Client, table: Table) -> None:
        """Player returned 200 %, Banker nothing."""
        played(2)
        looked()

        content = page(supervisor, table)

        assert "Player 2 200.00 % 98.76 %" in content
        assert "Banker 2 0.00 % 98.94 %" in content

    def test_have_the_chart_of_the_chosen_bet(self, supervisor: Client, table: Table) -> None:
        """By default of the one that deviates most: Small, which pays 2.5 of each unit."""
        played(2)
        looked()
        banker = Watch.objects.get(what="return", kind="banker", table=table)

        contents = [
            page(supervisor, table, query) for query in ("", f"?watch={banker.pk}", "?watch=x")
        ]

        titles = [re.findall(r"(\w+): return since the start", content)[0] for content in contents]
        assert titles == ["Small", "Banker", "Small"]

    def test_leave_the_other_tables_out(self, supervisor: Client, table: Table) -> None:
        """Another table has not been played."""
        played(2)
        looked()

        assert "not evaluated this table" in page(supervisor, open_table("bac-2"))


class TestTheSuspensions:
    def test_have_both_ends(self, supervisor: Client, table: Table) -> None:
        """The reason of the one, the note of the other."""
        suspended = {"seen": 0, "reason": "equipment", "note": "reader broken"}
        supervisor.post(address(table, "suspend/"), suspended)
        during = page(supervisor, table)
        supervisor.post(address(table, "resume/"), {"seen": 1, "note": "reader replaced"})

        after = page(supervisor, table)

        assert re.search(
            r"Suspensions [^-]+ - Suspended [^·]+ · reader broken · supervisor", during
        )
        assert re.search(r"Suspensions [^-]+ - [0-9][^·]+ · reader broken · supervisor", after)
        assert "reader replaced · supervisor" in after
