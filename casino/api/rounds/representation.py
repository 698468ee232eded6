"""The summary of a round, as list endpoints return it, its settlements and its facts."""

from collections.abc import Collection
from typing import Any, Final
from uuid import UUID

from casino.api.client.shapes import rounds as shapes
from payouts.settlement.customer_totals import NO_TOTALS, CustomerTotals, customer_round_totals
from payouts.settlement.models import Settlement
from payouts.settlement.queries import SettlementStatus, settlement_statuses
from rounds.feed import document_of
from rounds.models import Customer, Round
from rounds.queries import facts_of
from rounds.row_mapping import datetime_of

_ROOT: Final = "/api/v1/rounds"


def round_summaries(
    rows: Collection[Round], customer: Customer | None
) -> list[shapes.RoundSummary]:
    """Summaries of rounds; with a customer, the totals are that customer's.

    Two queries for any number of rounds, and one more with a customer.
    """
    ids = [row.id for row in rows]
    statuses = settlement_statuses(ids)
    if customer is None:
        return [round_summary(row, statuses[row.id], None) for row in rows]
    own = customer_round_totals(customer.pk, ids)
    return [round_summary(row, statuses[row.id], own.get(row.id, NO_TOTALS)) for row in rows]


def round_summary(
    row: Round, round_status: SettlementStatus, own: CustomerTotals | None
) -> shapes.RoundSummary:
    """The summary of a round; ``own`` are the totals of one customer, None for all customers."""
    sums = _sums(row, round_status) if own is None else own
    return shapes.RoundSummary(
        id=row.id,
        round=row.reference,
        table=row.table.code,
        rules=row.rules,
        game_code=row.game_code,
        session=row.session,
        opened_at=row.opened_at,
        closed_at=row.closed_at,
        ended_at=row.ended_at,
        received_at=row.received_at,
        status=round_status.status.value,
        anomalies=tuple(round_status.anomalies),
        settlement=round_status.settlement.sequence if round_status.settlement else None,
        bet_count=sums.bets,
        staked_cents=sums.staked_cents,
        payout_cents=sums.payout_cents,
        links=round_links(row.id),
    )


def _sums(row: Round, round_status: SettlementStatus) -> CustomerTotals:
    return CustomerTotals(row.bet_count, row.staked_cents, round_status.paid_cents)


def settlement_details(settlement: Settlement, *, is_own: bool) -> shapes.SettlementDetails:
    """A settlement; a customer reads neither its totals nor the names of those who decided."""
    return shapes.SettlementDetails(
        sequence=settlement.sequence,
        kind=settlement.kind,
        rules=settlement.rules,
        settled_at=settlement.settled_at,
        reason=settlement.reason or None,
        bonus=None if settlement.bonus is None else shapes.BonusResult(**settlement.bonus),
        staked_cents=None if is_own else settlement.staked_cents,
        payout_cents=None if is_own else settlement.payout_cents,
        chips_cents=None if is_own else settlement.chips_cents,
        actor=None if is_own else settlement.actor,
        approved_by=None if is_own else settlement.approved_by,
    )


def round_links(round_id: UUID | str) -> shapes.RoundLinks:
    """The addresses of a round and of its parts."""
    address = f"{_ROOT}/{round_id}"
    return shapes.RoundLinks(
        self=address,
        bets=f"{address}/bets",
        timeline=f"{address}/timeline",
        receipt=f"{address}/receipt",
    )


def round_facts(row: Round, *, reader: Customer | None) -> dict[str, Any]:
    """The facts of a round, in the formats of the feed's document.

    A customer reads their own disconnects, and not who dealt, where, and the recording.
    """
    facts = facts_of(row)
    document = document_of(facts)
    shoe, bonus, video = (document.get(name) for name in ("shoe", "bonus", "video"))
    is_staff = reader is None
    return {
        "shoe": None if shoe is None else shapes.RoundShoe(**shoe),
        "cards": document["cards"],
        "multipliers": document.get("multipliers"),
        "bonus": None if bonus is None else shapes.RoundBonus(**bonus),
        "incident": document.get("incident"),
        "disconnects": tuple(
            shapes.RoundDisconnect(
                player=entry.player,
                at=datetime_of(entry.at),
                cards_seen=entry.cards_seen,
                cards=entry.cards,
            )
            for entry in facts.disconnects
            if reader is None or entry.player == reader.pseudonym
        ),
        "dealer": facts.dealer if is_staff else None,
        "shift": facts.shift if is_staff else None,
        "location": facts.location if is_staff else None,
        "video": shapes.RoundVideo(**video) if is_staff and video is not None else None,
    }
