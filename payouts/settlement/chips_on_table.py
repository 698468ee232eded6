"""The chips of a stored round."""

from typing import Any, Final
from uuid import UUID

from django.db import connection, transaction

from payouts.settlement.models import Settlement
from rounds.formatting import bet_kind_label, play_label
from rounds.layouts.chips import Chips
from rounds.models import Customer

_ALIKE: Final = """
    SELECT bet.box, bet.kind, bet.play, bet.behind, bet.golden, count(*),
           sum(bet.stake_cents), sum(bet.raised_cents), min(bet.customer_id),
           min(settled.reasons), max(settled.reasons)
      FROM rounds_bet AS bet
      LEFT JOIN payouts_betsettlement AS settled
        ON settled.round_id = bet.round_id AND settled.bet_number = bet.number
       AND settled.sequence = %(sequence)s
     WHERE bet.round_id = %(round)s AND (bet.kind = 'main' OR bet.box IS NULL)
       AND (%(customer)s::bigint IS NULL OR bet.customer_id = %(customer)s)
     GROUP BY bet.box, bet.kind, bet.play, bet.behind, bet.golden
     ORDER BY bet.box, bet.behind, min(bet.number)
"""


def chips_of(
    round_id: UUID,
    settlement: Settlement | None,
    *,
    customer_id: int | None = None,
    shows_names: bool = True,
) -> dict[int | None, list[Chips]]:
    """The bets played alike, by box; under None those without a box.

    Only those of the customer, if one is given. A single bet on a box has its customer's name.
    """
    by_box: dict[int | None, list[Chips]] = {}
    sequence = 0 if settlement is None else settlement.sequence
    alike = _bets_alike(round_id, sequence=sequence, customer_id=customer_id)
    single = (
        []
        if not shows_names
        else [customer for *_, bets, _, _, customer, _, _ in alike if bets == 1]
    )
    pseudonyms = dict(Customer.objects.filter(id__in=single).values_list("id", "pseudonym"))
    for box, kind, play, behind, golden, bets, stake, raised, customer, first, last in alike:
        label = bet_kind_label(kind) if box is None else pseudonyms.get(customer, "")
        decided = tuple(first) if first and first == last else ()
        chips = Chips(
            label if box is None or bets == 1 else "",
            play_label(play),
            behind,
            golden,
            bets,
            int(stake),
            int(raised),
            decided,
        )
        by_box.setdefault(box, []).append(chips)
    return by_box


def _bets_alike(round_id: UUID, *, sequence: int, customer_id: int | None) -> list[tuple[Any, ...]]:
    """Both sides of the join are one range of an index, read once.

    Without statistics for a large round, PostgreSQL would expect few rows and scan all settlements
    for each bet.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_nestloop = off")
        params: dict[str, Any] = {"round": round_id, "sequence": sequence, "customer": customer_id}
        cursor.execute(_ALIKE, params)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        cursor.execute("SET LOCAL enable_nestloop TO DEFAULT")
    return rows
