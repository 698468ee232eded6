"""A round in a few words, as lists tell it."""

from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

from payouts.own_bets import NOTHING, OwnSums, own_sums
from payouts.queries import Standing, standings_of
from rounds.models import Customer, Round

_ROOT: Final = "/api/v1/rounds"
OF_PLAY: Final = (
    "ROUND_RECEIVED",
    "ROUND_HELD",
    "ROUND_SETTLED",
    "ROUND_VOIDED",
    "ROUND_RESETTLED",
    "ROUND_RULED",
)
"""What a customer's own key sees of the trail; the others tell how persons worked on the round."""


def rounds_told(rows: Collection[Round], customer: Customer | None) -> list[dict[str, Any]]:
    """Rounds with their standing, their money that of one customer if there is one.

    Two queries, and one more of a customer's own money, however many rounds there are.
    """
    ids = [row.id for row in rows]
    standings = standings_of(ids)
    if customer is None:
        return [round_told(row, standings[row.id], None) for row in rows]
    own = own_sums(customer.pk, ids)
    return [round_told(row, standings[row.id], own.get(row.id, NOTHING)) for row in rows]


def round_told(row: Round, standing: Standing, own: OwnSums | None) -> dict[str, Any]:
    """What is told of a round anywhere; ``own`` is one customer's part, None for all of it."""
    sums = _sums(row, standing) if own is None else own
    return {
        "id": str(row.id),
        "round": row.reference,
        "table": row.table.code,
        "rules": row.rules,
        "game_code": row.game_code,
        "session": row.session,
        "opened_at": moment(row.opened_at),
        "closed_at": moment(row.closed_at),
        "ended_at": moment(row.ended_at),
        "received_at": moment(row.received_at),
        "status": standing.status.value,
        "anomalies": list(standing.anomalies),
        "settlement": standing.settlement.sequence if standing.settlement else None,
        "bet_count": sums.bets,
        "staked_cents": sums.staked_cents,
        "payout_cents": sums.payout_cents,
        "links": links_of(row.id),
    }


def _sums(row: Round, standing: Standing) -> OwnSums:
    return OwnSums(row.bet_count, row.staked_cents, standing.paid_cents)


def links_of(round_id: UUID | str) -> dict[str, str]:
    """Where all about a round is."""
    address = f"{_ROOT}/{round_id}"
    return {
        "self": address,
        **{name: f"{address}/{name}" for name in ("bets", "timeline", "receipt")},
    }


def moment(at: datetime | None) -> str | None:
    """A time as the feed writes it: UTC, milliseconds, ``Z``."""
    if at is None:
        return None
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def page_told(data: Iterable[Mapping[str, Any]], following: str | None) -> dict[str, Any]:
    """A page of a list; ``next`` is the cursor of the page behind it, null on the last."""
    return {"data": list(data), "next": following}
