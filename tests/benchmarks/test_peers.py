"""The peers of the benchmark do the same work as Sabot, so that speeds are comparable."""

from collections import Counter
from pathlib import Path

import pytest
from django.db import models
from django.utils import timezone

from benchmarks.data.feeds import MIX_TABLES, Feeds
from benchmarks.data.graded_rounds import CUSTOMER, graded_rounds
from benchmarks.peers import naive_app
from benchmarks.peers.hordak_transfers import transfers_of
from benchmarks.peers.naive_app.settle import settle_all
from benchmarks.peers.naive_app.store import store_rounds
from payouts.ledger.models import Account
from payouts.settlement.models import BetSettlement
from tests.casino_in_play import ingest, open_tables, settle

pytestmark = pytest.mark.django_db


@pytest.fixture
def feed(tmp_path: Path) -> list[bytes]:
    """A small mix of all games, ingested and settled by Sabot."""
    open_tables(at=timezone.now(), each=MIX_TABLES)
    feed = Feeds(tmp_path).mix(rounds=60).read_bytes().splitlines()
    ingest(feed)
    assert settle().settled == 60
    return feed


def balances_in(accounts: type[models.Model]) -> dict[str, int]:
    """Cents by the peers' account names, stripes added up."""
    payouts: Counter[str] = Counter()
    rows = accounts._default_manager.values_list(
        "kind", "asset", "customer__pseudonym", "balance_cents"
    )
    for kind, asset, pseudonym, cents in rows:
        payouts[f"{kind}/{asset}/{pseudonym}" if kind == CUSTOMER else f"{kind}/{asset}"] += cents
    return {name: cents for name, cents in payouts.items() if cents}


class TestTheNaiveSettlement:
    @pytest.mark.slow
    @pytest.mark.parametrize("by_bet", [True, False])
    def test_pays_each_customer_the_same_as_sabot(self, feed: list[bytes], *, by_bet: bool) -> None:
        """Same bets and grades: the same balances, and one settlement for each bet."""
        naive_app.create_tables()
        stored = store_rounds(list(graded_rounds(feed)))

        settle_all(stored, by_bet=by_bet, at=timezone.now())

        assert balances_in(naive_app.Account) == balances_in(Account)
        assert naive_app.BetSettlement.objects.count() == BetSettlement.objects.count()


class TestTheDoubleEntryLibrary:
    @pytest.mark.slow
    def test_books_the_transfers_of_sabot(self, feed: list[bytes]) -> None:
        """Summed by account they are Sabot's balances; the library checks its own books."""
        balances: Counter[str] = Counter()

        for graded in graded_rounds(feed):
            for debit, credit, cents in transfers_of(graded):
                balances[debit] -= cents
                balances[credit] += cents

        assert {name: cents for name, cents in balances.items() if cents} == balances_in(Account)
