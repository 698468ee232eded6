"""Stake limits of a table are compared, confirmed, and applied to later rounds."""

from datetime import timedelta

import pytest
from django.test import Client

from compliance.trail.models import AuditRecord
from payouts.settlement.models import Settlement
from rounds.models import StakeLimitSet, Table
from rounds.services.limit_stakes import limit_stakes, limits_of_set
from rounds.services.limits_in_force import set_in_force
from tests.casino.backoffice.managing.table_pages import address, limits, plain
from tests.casino.backoffice.page_source import page_html
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.casino_in_play import limit_stakes as put_in_force
from tests.documents import baccarat_round, lines
from tests.signers import signing


class TestLimits:
    def test_are_compared_before_they_are_in_force(self, administrator: Client) -> None:
        """Unchanged, new and removed limits are shown before the confirmation."""
        table = open_table()
        put_in_force(table, player=(100, 50_000), tie=(10, 1_000))
        seen = StakeLimitSet.objects.get().pk
        typed = limits(seen, player=("1,00", "500"), banker=("2.50", "1,250.00"))

        review = administrator.post(address(table, "limits/"), typed).content
        sets_before = StakeLimitSet.objects.count()
        administrator.post(address(table, "limits/"), {**typed, "confirm": "1"})

        words = plain(review)
        assert "Player 1.00 - 500.00 1.00 - 500.00 Unchanged" in words
        assert "Banker no limit 2.50 - 1,250.00 New" in words
        assert "Tie 0.10 - 10.00 no limit Removed" in words
        assert sets_before == 1
        in_force = limits_of_set(set_in_force(table.pk))
        assert in_force == {"player": (100, 50_000), "banker": (250, 125_000)}
        details = AuditRecord.objects.filter(action="LIMITS_DECIDED").latest("id").details
        assert details["before"] == {"player": [100, 50_000], "tie": [10, 1_000]}
        assert details["after"] == {"player": [100, 50_000], "banker": [250, 125_000]}

    @pytest.mark.parametrize(
        ("least", "most", "needed"),
        [
            ("one", "2", "an amount in euro"),
            ("2", "1", "at least the minimum stake"),
            ("0", "1", "at least one cent"),
            ("1", "", "an amount in euro"),
        ],
    )
    def test_that_are_invalid_say_what_is_needed(
        self, administrator: Client, least: str, most: str, needed: str
    ) -> None:
        """The fields keep their input."""
        table = open_table()

        page = administrator.post(
            address(table, "limits/"), limits(0, player=(least, most)) | {"confirm": "1"}
        ).content

        assert needed in plain(page)
        assert f'name="least-player" value="{least}"' in page_html(page)
        assert not StakeLimitSet.objects.exists()

    def test_decided_by_two_at_once_are_shown_side_by_side(self, administrator: Client) -> None:
        """The second confirmation is refused with both sets."""
        table = open_table()
        put_in_force(table, player=(100, 50_000))
        seen = StakeLimitSet.objects.get().pk
        limit_stakes(
            table_id=table.pk,
            limits={"player": (200, 60_000)},
            seen=seen,
            at=NOW + timedelta(minutes=1),
            actor=signing("Paolo Greco", 5, roles=["administrator"]),
        )

        for step in ({}, {"confirm": "1"}):
            typed = limits(seen, player=("3", "700")) | step
            page = administrator.post(address(table, "limits/"), typed).content

            words = plain(page)
            assert "Paolo Greco changed the limits" in words
            assert "1.00 - 500.00 2.00 - 600.00" in words
            assert 'name="least-player" value="3"' in page_html(page)
        newest = set_in_force(table.pk)
        assert newest is not None
        assert f'name="seen" value="{newest.pk}"' in page.decode()
        assert limits_of_set(newest) == {"player": (200, 60_000)}

    def test_hold_for_rounds_that_arrive_later(self, administrator: Client) -> None:
        """Later stakes above the limit are held; the earlier round stays settled."""
        table = open_table()
        ingest(lines(baccarat_round("r-1")))
        typed = limits(0, player=("1", "5")) | {"confirm": "1"}

        administrator.post(address(table, "limits/"), typed)
        ingest(lines(baccarat_round("r-2")))
        settle()

        assert [settlement.round.reference for settlement in Settlement.objects.all()] == ["r-1"]

    def test_of_bets_that_the_rules_do_not_have_are_marked(self, administrator: Client) -> None:
        """After a change of the table's rules: blackjack has no bet on the player."""
        table = open_table()
        put_in_force(table, player=(100, 500))
        Table.objects.update(rules="blackjack/1")

        words = plain(administrator.get(f"/admin/rounds/table/{table.pk}/change/").content)

        assert "Player not a bet of this rule set 1.00 5.00" in words

    def test_speak_italian(self, administrator: Client) -> None:
        """With Italian number format."""
        administrator.cookies["django_language"] = "it"
        table = open_table()
        put_in_force(table, player=(100, 5_000_000))

        page = administrator.get(address(table, "limits/")).content

        assert 'name="most-player" value="50.000,00"' in page_html(page)
        assert "Giocatore" in plain(page)
