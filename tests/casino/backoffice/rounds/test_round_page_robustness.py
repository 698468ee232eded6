"""The page of a round with many bets, hostile text, unknown rules; it is read-only."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from casino.backoffice.rounds.bets import MOST_BETS
from compliance.trail.models import AuditRecord
from payouts.settlement.models import Settlement
from rounds.models import Round
from tests.casino.backoffice.conftest import page_of
from tests.casino.backoffice.page_source import page_html
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import baccarat_bet, baccarat_round, lines
from tests.payouts.stuck_work.stuck_scenarios import failing_round


class TestARoundWithVeryManyBets:
    @pytest.mark.slow
    def test_is_shown_in_pages_with_as_many_queries_as_a_small_one(
        self, supervisor: Client
    ) -> None:
        """450 bets on pages of 200, 200 and 50."""
        open_table()
        bets = [baccarat_bet(f"b{number}", "player", "1.00") for number in range(450)]
        ingest(lines(baccarat_round("r-small"), baccarat_round("r-big", bets=bets)))
        settle()
        with CaptureQueriesContext(connection) as small:
            supervisor.get(page_of("r-small"))

        with CaptureQueriesContext(connection) as big:
            page = page_html(supervisor.get(page_of("r-big")))
        sizes, address = [], page_of("r-big")
        while address:
            page = page_html(supervisor.get(address))
            sizes.append(page.count('<tr class="bet" id='))
            further = re.search(r'rel="next" href="(\?bets_after=\d+)#bets"', page)
            address = page_of("r-big") + further[1] if further else ""

        assert sizes == [MOST_BETS, MOST_BETS, 50]
        assert len(big) == len(small)
        assert "bets 401 to 450 of 450" in page


class TestTextFromAFeed:
    def test_is_never_markup(self, supervisor: Client) -> None:
        """HTML in pseudonyms is escaped."""
        open_table()
        bet = baccarat_bet("<b>b1</b>", "player", "1.00", player="<script>alert(1)</script>")
        ingest(lines(baccarat_round("r-1", bets=[bet])))
        settle()

        page = page_html(supervisor.get(page_of("r-1")))

        assert "<script>alert" not in page
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
        assert "<b>b1</b>" not in page


class TestNoRole:
    @pytest.mark.parametrize("action", ["add/", "{pk}/delete/", "{pk}/history/"])
    def test_adds_or_deletes_a_round(self, supervisor: Client, action: str) -> None:
        """Rounds are append-only."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        pk = Round.objects.get().pk

        response = supervisor.get("/admin/rounds/round/" + action.format(pk=pk))

        assert response.status_code in ((200,) if "history" in action else (403,))

    def test_changes_a_round_by_posting_to_its_page(self, supervisor: Client) -> None:
        """A post changes nothing."""
        open_table()
        ingest(lines(baccarat_round("r-1")))
        settle()
        before = AuditRecord.objects.count(), Settlement.objects.count()

        supervisor.post(page_of("r-1"), {"reference": "other", "staked_cents": "1"})

        assert Round.objects.get().reference == "r-1"
        assert (AuditRecord.objects.count(), Settlement.objects.count()) == before

    def test_finds_a_round_that_does_not_exist(self, supervisor: Client) -> None:
        """An unknown id leads home with a message."""
        response = supervisor.get("/admin/rounds/round/no-such-id/change/", follow=True)

        assert response.redirect_chain[-1] == ("/admin/", 302)
        assert "No entry with this ID exists." in page_html(response)


class TestARoundWhoseRulesTheCodeDoesNotKnow:
    def test_opens_with_its_error_and_without_its_cards(self, supervisor: Client) -> None:
        """A round of a rule set of a later release."""
        open_table()
        work = failing_round("r-1")

        page = page_html(supervisor.get(page_of("r-1")))

        assert "The running software version does not include rule set baccarat/0" in page
        assert "KeyError: &#x27;baccarat/0&#x27;" in page
        assert f"/admin/stuck/round/{work.key}/" in page
