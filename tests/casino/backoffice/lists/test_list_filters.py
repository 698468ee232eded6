"""Filters, order and totals of the lists."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entry
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_source import page_html
from tests.casino.backoffice.rounds.listed_rounds import LIST, round_at, shown
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import held_baccarat_round, lines

pytestmark = pytest.mark.django_db

RECORDS = "/admin/trail/auditrecord/"
NIGHT = datetime(2026, 11, 10, 22, 30, tzinfo=UTC)
"""Half past eleven in Rome."""


def subjects(response: Any) -> list[str]:
    """The subjects of the listed records, in order."""
    return re.findall(r'break-anywhere">(note:[^<]+)<', page_html(response))


@pytest.fixture
def notes(supervisor: Client) -> User:
    """Records of two actions by two actors around a midnight of Rome."""
    anna = person("payments")
    by_anna, by_worker = Actor("Anna", anna.pk), Actor("settlement worker")
    record_entry(Entry("LOGGED_IN", "note:1", {}), at=NIGHT, actor=by_anna)
    record_entry(Entry("RECONCILED", "note:2", {}), at=NIGHT, actor=by_worker)
    record_entry(Entry("RECONCILED", "note:3", {}), at=NIGHT + timedelta(hours=1), actor=by_anna)
    return anna


class TestTheAuditRecords:
    def test_are_filtered_by_person_action_and_days(self, supervisor: Client, notes: User) -> None:
        """Each filter alone, and all of them together; a day ends at midnight in Rome."""

        def listed(**query: str | int) -> list[str]:
            return subjects(supervisor.get(RECORDS, query))

        assert listed(person=notes.pk) == ["note:3", "note:1"]
        assert listed(action="RECONCILED") == ["note:3", "note:2"]
        assert listed(to="2026-11-10") == ["note:2", "note:1"]
        assert listed(**{"from": "2026-11-11", "to": "2026-11-11"}) == ["note:3"]
        assert listed(person=notes.pk, action="RECONCILED", to="2026-11-11") == ["note:3"]
        assert listed(sort="when", action="RECONCILED") == ["note:2", "note:3"]

    @pytest.mark.parametrize(
        ("query", "label"),
        [
            ({"person": "0"}, "Person"),
            ({"action": "NOTHING"}, "Action"),
            ({"from": "10 November"}, "From day"),
            ({"from": "2026-11-11", "to": "2026-11-10"}, "To day"),
        ],
    )
    def test_show_none_for_an_invalid_filter_and_name_it(
        self, supervisor: Client, notes: User, query: dict[str, str], label: str
    ) -> None:
        """Ignoring it would show what nobody asked for."""
        page = page_html(supervisor.get(RECORDS, query))

        assert "note:" not in page
        assert "Nothing was searched" in page
        assert f"<b>{label}</b>: " in page


class TestTheRounds:
    def test_of_an_amount_that_is_none_are_not_searched(self, supervisor: Client) -> None:
        """It was once searched as 0.00."""
        open_table()
        ingest(lines(round_at(NIGHT)))

        response = supervisor.get(LIST, {"amount": "abc"})
        page = page_html(response)

        assert "<b>Amount staked or paid</b>: Found “abc”; expected: an amount such as" in page
        assert shown(response) == []

    def test_are_ordered_by_opening_or_if_held_by_stake(self, supervisor: Client) -> None:
        """Of all rounds only an order with an index is offered."""
        open_table()
        held = held_baccarat_round("r-held")["cards"]
        first, second = (round_at(NIGHT + timedelta(hours=hour), cards=held) for hour in (0, 1))
        first["bets"][0]["stake"] = "30.00"
        ingest(lines(first, second))
        settle()

        assert shown(supervisor.get(LIST)) == [second["round"], first["round"]]
        assert shown(supervisor.get(LIST, {"sort": "opened"})) == [first["round"], second["round"]]
        by_stake = supervisor.get(LIST, {"status": "held", "sort": "-staked"})
        assert shown(by_stake) == [first["round"], second["round"]]
        assert 'sort=-staked"' not in page_html(supervisor.get(LIST))

    def test_have_totals_of_the_page(self, supervisor: Client) -> None:
        """Two rounds of 10.00 each, which pay 20.00 each."""
        open_table()
        ingest(lines(round_at(NIGHT), round_at(NIGHT + timedelta(hours=1))))
        settle()

        [foot] = re.findall("<tfoot>(.+)</tfoot>", page_html(supervisor.get(LIST)))

        assert "Total on this page" in foot
        assert re.findall(r">([\d.,]+)<", foot) == ["20.00", "40.00"]
