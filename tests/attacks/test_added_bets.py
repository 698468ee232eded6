"""Bets that the web role adds to a stored round: nothing is paid for them, and they are named."""

import pytest

from payouts.ledger.models import Transfer
from payouts.reconciliation.checks.messages import difference_message
from payouts.settlement.models import BetSettlement
from rounds.models import Bet, QueuedRound, Round
from tests.attacks.forgeries import as_web
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import baccarat_round, lines
from tests.payouts.reconciliation.five_games import differences


@pytest.mark.slow
@pytest.mark.usefixtures("fresh_casino")
def test_a_bet_added_before_the_settlement_is_not_paid() -> None:
    """A winning one of five million, for an accomplice, while the round waits."""
    open_table()
    ingest(lines(baccarat_round("r-1")))
    [round_] = Round.objects.all()
    genuine = list(Bet.objects.filter(round=round_).order_by("number"))
    winner = genuine[0]
    winner.number, winner.reference = len(genuine), "b9"
    winner.stake_cents = 5_000_000_00
    with as_web():
        winner.save(force_insert=True)

    settle()

    assert not Transfer.objects.filter(amount_cents__gte=5_000_000_00).exists()
    assert not BetSettlement.objects.filter(round=round_, bet_number=winner.number).exists()
    assert QueuedRound.objects.exists() != BetSettlement.objects.filter(round=round_).exists()
    named = [difference_message(row) for row in differences()]
    assert any("r-1" in text and "bets" in text for text in named)
