"""A casino of four rounds whose rows are all known, for tests of tampering."""

from typing import Final

from payouts.ledger.models import Account
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import baccarat_round, held_baccarat_round, lines
from tests.payouts.reconciliation.five_games import hand_over
from tests.payouts.settlement.resettlement_scenarios import void

R1: Final = "(SELECT round_id FROM rounds_roundname WHERE reference = 'r-1')"
R2: Final = "(SELECT round_id FROM rounds_roundname WHERE reference = 'r-2')"
R3: Final = "(SELECT round_id FROM rounds_roundname WHERE reference = 'r-3')"
LAST_BATCH: Final = "(SELECT max(id::text)::uuid FROM trail_auditbatch)"
P1: Final = "(SELECT id FROM rounds_customer WHERE pseudonym = 'p-1')"


def play_small() -> None:
    """r-1 paid 25.00; r-2 is held; r-3 paid 25.00 and was voided; r-4 waits.

    Before the void of r-3 p-1 was paid over all 50.00, so 13.00 are owed. In r-1 and r-3 bet 0 is
    Player's, which won 20.00; bet 1 is Banker's; bet 2 is Small, which won 5.00.
    """
    open_table()
    ingest(lines(baccarat_round("r-1"), held_baccarat_round("r-2"), baccarat_round("r-3")))
    settle()
    winner = Account.objects.get(kind="customer")
    hand_over(winner, cents=winner.balance_cents, reference="w-1")
    void("r-3", after=1)
    ingest(lines(baccarat_round("r-4")))
