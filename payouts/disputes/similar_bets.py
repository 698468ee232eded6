"""Other customers' bets of the same round, kind, box and outcome as a contested bet."""

from typing import Any, Final

from django.db import connection

from payouts.settlement.models import Settlement
from rounds.models import Bet

MAX_SIMILAR_BETS: Final = 100
"""The most bets that are listed. All are counted."""

_SIMILAR: Final = """
    SELECT bet.number, bet.reference, customer.pseudonym, bet.stake_cents + bet.raised_cents,
           settled.payout_cents, count(*) OVER ()
      FROM rounds_bet AS bet
      JOIN rounds_customer AS customer ON customer.id = bet.customer_id
      LEFT JOIN payouts_betsettlement AS settled
        ON settled.round_id = bet.round_id AND settled.sequence = %(sequence)s
       AND settled.bet_number = bet.number
     WHERE bet.round_id = %(round)s AND bet.kind = %(kind)s AND bet.box IS NOT DISTINCT FROM %(box)s
       AND bet.customer_id <> %(customer)s
       AND settled.outcome IS NOT DISTINCT FROM (
           SELECT outcome FROM payouts_betsettlement
            WHERE round_id = %(round)s AND sequence = %(sequence)s AND bet_number = %(number)s)
     ORDER BY bet.number
     LIMIT %(most)s
"""


def find_similar_bets(bet: Bet, settlement: Settlement | None) -> dict[str, Any]:
    """The number of similar bets, and the first of them."""
    arguments: dict[str, Any] = {
        "round": bet.round_id,
        "sequence": 0 if settlement is None else settlement.sequence,
        "kind": bet.kind,
        "box": bet.box,
        "customer": bet.customer_id,
        "number": bet.number,
        "most": MAX_SIMILAR_BETS,
    }
    with connection.cursor() as cursor:
        cursor.execute(_SIMILAR, arguments)
        rows = cursor.fetchall()
    return {
        "count": rows[0][5] if rows else 0,
        "bets": [
            {
                "number": number,
                "reference": reference,
                "customer": pseudonym,
                "staked_cents": staked,
                "payout_cents": paid,
            }
            for number, reference, pseudonym, staked, paid, _count in rows
        ],
    }
