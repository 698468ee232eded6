"""The number of queries of a list does not depend on its rows."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Final

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from benchmarks.web.list_pages import (
    OWN_LISTS,
    VIEWER,
    admin_lists,
    list_pages,
    person_for,
    single_pages,
)
from casino.access.roles import ADMINISTRATOR, grant_roles
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.rounds.listed_rounds import round_at
from tests.casino.backoffice.site.large_casino import fill
from tests.casino_in_play import ingest, open_table
from tests.documents import held_baccarat_round, lines

_MOST: Final = 40
"""Questions that one page may ask. Today asks most: one for each kind of work that may wait."""
_GROWING: Final = {
    "api_keys",
    "archive",
    "bundles",
    "cases",
    "comments",
    "days",
    "dealers",
    "dealing_errors",
    "disputes",
    "exports",
    "holds",
    "impact_analyses",
    "inbox",
    "monitor",
    "payouts.account",
    "payouts.feedupload",
    "payouts.reason",
    "payouts.reconcilerun",
    "people",
    "replay_links",
    "rounds.conflictingdocument",
    "rounds.customer",
    "rounds.quarantineddocument",
    "rounds.queuedround",
    "rounds.round",
    "rounds.table",
    "sessions",
    "stuck_work",
    "studio_keys",
    "tax_rates",
    "trail.auditrecord",
    "watches",
    "webhooks",
    "weights",
}
"""Lists to which ``fill`` adds rows: who adds a list to the site adds it here, and rows there."""
_FIXED: Final = {"readings", "rule_sets"}
"""Lists that are as long as the code makes them."""


def ask(pages: Mapping[str, str]) -> dict[str, tuple[int, int]]:
    """The numbers of queries and table rows of each page."""
    requested = {}
    for name, address in pages.items():
        cache.clear()
        client = Client()
        client.force_login(User.objects.get(username=person_for(name)))
        with CaptureQueriesContext(connection) as queries:
            response = client.get(address)
        assert response.status_code == 200, address
        requested[name] = (len(queries), response.content.count(b"<tr"))
    return requested


@pytest.fixture
def requested(db: None) -> tuple[dict[str, tuple[int, int]], dict[str, tuple[int, int]]]:
    """Queries and rows of every list, with one row of everything and with twelve."""
    open_table()
    person(VIEWER)
    person(ADMINISTRATOR)
    day_before = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
    held = held_baccarat_round("r-held")["cards"]
    ingest(lines(round_at(day_before), round_at(day_before + timedelta(hours=1), cards=held)))
    fill(0, 1)
    pages = {name: at for name, at in list_pages().items() if name not in single_pages()}
    few = ask(pages)
    fill(1, 11)
    return few, ask(pages)


class TestEveryList:
    @pytest.mark.slow
    def test_takes_a_constant_number_of_queries(
        self, requested: tuple[dict[str, tuple[int, int]], dict[str, tuple[int, int]]]
    ) -> None:
        """Against one query per row."""
        few, many = requested

        grown = {name for name, (_, rows) in many.items() if rows > few[name][1]}
        assert {
            name: (few[name][0], queries)
            for name, (queries, _) in many.items()
            if queries > few[name][0]
        } == {}
        assert {name: queries for name, (queries, _) in many.items() if queries > _MOST} == {}
        assert _GROWING - grown == set()

    @pytest.mark.django_db
    def test_is_covered(self) -> None:
        """A new list needs a row here."""
        reverse("admin:index")  # loads the pages, which register their lists
        grant_roles()

        assert set(admin_lists()) | set(OWN_LISTS) == _GROWING | _FIXED
