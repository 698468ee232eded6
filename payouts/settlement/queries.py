"""Queries of settlements and the ledger."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db import connection
from django.db.models import F, OuterRef, QuerySet, Subquery, TextChoices
from django.utils.translation import gettext_lazy as _

from compliance.storage.prepared_statements import (
    PendingResult,
    PreparedQuery,
    Rows,
    fetch_rows,
    send_query,
)
from payouts.ledger.models import Account
from payouts.settlement.models import Settlement
from rounds.models import QueuedRound, Round, Validation
from rounds.rules.verdict import Grade
from rounds.search import EqualsAny

_MOVEMENTS: Final = """
    SELECT transfer.entry, transfer.purpose, debit.kind, credit.kind, debit.asset,
           count(*), sum(transfer.amount_cents)
      FROM payouts_transfer AS transfer
      JOIN payouts_account AS debit ON debit.id = transfer.debit_id
      JOIN payouts_account AS credit ON credit.id = transfer.credit_id
     WHERE transfer.origin = %s
     GROUP BY transfer.entry, transfer.purpose, debit.kind, credit.kind, debit.asset
     ORDER BY transfer.entry, min(transfer.line)
"""


# The bets of the page that ``rounds.queries.ask_bets`` reads.
_GRADES: Final = """
    SELECT bet_number, outcome, payout_cents, chips_cents, reasons
      FROM payouts_betsettlement
     WHERE round_id = %(round)s AND sequence = %(sequence)s
       AND bet_number IN (SELECT number FROM rounds_bet
                           WHERE round_id = %(round)s AND number > %(after)s
                             AND (%(customer)s::bigint IS NULL OR customer_id = %(customer)s)
                           ORDER BY number LIMIT %(most)s)
"""


_FIRST_GRADES: Final = """
    SELECT page.round, grade.*
      FROM unnest(%(rounds)s::uuid[], %(sequences)s::smallint[]) AS page (round, sequence),
           LATERAL (SELECT bet_number, outcome, payout_cents, chips_cents, reasons
                      FROM payouts_betsettlement
                     WHERE round_id = page.round AND sequence = page.sequence
                       AND bet_number IN (SELECT number FROM rounds_bet
                                           WHERE round_id = page.round
                                             AND (%(customer)s::bigint IS NULL
                                                  OR customer_id = %(customer)s)
                                           ORDER BY number LIMIT %(most)s)) AS grade
"""
_SETTLEMENTS: Final = PreparedQuery(Settlement, "WHERE base.round_id = %s ORDER BY base.sequence")
_LATEST_VALIDATION: Final = PreparedQuery(
    Validation, "WHERE base.round_id = %s ORDER BY base.sequence DESC LIMIT 1"
)


class RoundStatus(TextChoices):
    """The settlement status of a round."""

    WAITING = "waiting", _("Waiting")
    HELD = "held", _("Held")
    SETTLED = "settled", _("Settled")
    VOID = "void", _("Void")


class SettlementStatus(NamedTuple):
    """The status of a round, its latest settlement, and its anomalies."""

    status: RoundStatus
    settlement: Settlement | None
    anomalies: tuple[str, ...]

    @property
    def paid_cents(self) -> int | None:
        """The total payout; None before the settlement."""
        return None if self.settlement is None else self.settlement.payout_cents


class Movement(NamedTuple):
    """The transfers of a round with the same entry, purpose, account kinds and asset."""

    entry: int
    purpose: str
    debit: str
    credit: str
    asset: str
    transfers: int
    cents: int


def settlement_statuses(round_ids: Collection[UUID]) -> dict[UUID, SettlementStatus]:
    """The settlement status of these rounds, in two queries."""
    ids = list(round_ids)
    settlements = _latest(Settlement.objects.filter(round_id__in=ids))
    validations = _latest(Validation.objects.filter(round_id__in=ids))
    return {
        round_id: _status(settlements.get(round_id), validations.get(round_id)) for round_id in ids
    }


def is_held(round_id: UUID) -> bool:
    """Whether the round is held; False for an unknown one."""
    return settlement_statuses([round_id])[round_id].status is RoundStatus.HELD


def rounds_with_status(rounds: QuerySet[Round], status: RoundStatus) -> QuerySet[Round]:
    """The rounds with a status.

    Held and void rounds are few and have partial indexes. The status of each is then looked up by
    key: the planner would turn a join into a scan of all settlements.
    """
    if status is RoundStatus.WAITING:
        return rounds.filter(id__in=QueuedRound.objects.values("round_id"))
    kind = None if status is RoundStatus.HELD else status.value
    if status is RoundStatus.SETTLED:
        return rounds.alias(latest=_latest_kind("id")).filter(latest=kind)
    void = Settlement.objects.filter(kind=Settlement.Kind.VOID)
    void = void.alias(latest=_latest_kind("round_id")).filter(latest=kind)
    few: QuerySet[Any] = held_rounds() if status is RoundStatus.HELD else void.values("round_id")
    return rounds.filter(EqualsAny(F("id"), ArraySubquery(few)))


def held_rounds() -> QuerySet[Any]:
    """The ``round_id`` of each held round, perhaps more than once."""
    held = Validation.objects.filter(status=Validation.Status.HELD)
    return held.alias(latest=_latest_kind("round_id")).filter(latest=None).values("round_id")


def _latest_kind(round_id: str) -> Subquery:
    settlements = Settlement.objects.filter(round=OuterRef(round_id)).order_by("-sequence")
    return Subquery(settlements.values("kind")[:1])


def movements_of(round_id: UUID) -> list[Movement]:
    """The transfers of a round, summed by purpose and accounts."""
    with connection.cursor() as cursor:
        cursor.execute(_MOVEMENTS, [round_id])
        return [
            Movement(entry, purpose, debit, credit, asset, transfers, int(cents))
            for entry, purpose, debit, credit, asset, transfers, cents in cursor.fetchall()
        ]


def settlement_status(
    settlements: Sequence[Settlement], validations: Sequence[Validation]
) -> SettlementStatus:
    """The status of a round with these settlements and validations, in order."""
    return _status(
        settlements[-1] if settlements else None, validations[-1] if validations else None
    )


def ask_grades(
    settlement: Settlement, *, after: int, most: int, customer_id: int | None = None
) -> PendingResult[dict[int, Grade]]:
    """Starts a query of the grades of at most ``most`` bets after a number, by number.

    Only bets of ``customer_id`` if it is given.
    """
    arguments = {
        "round": settlement.round_id,
        "sequence": settlement.sequence,
        "after": after,
        "most": most,
        "customer": customer_id,
    }
    return send_query(_GRADES, arguments, _grades)


def first_grades(
    settlements: Collection[Settlement], *, most: int, customer_id: int | None = None
) -> dict[UUID, dict[int, Grade]]:
    """The grades of the first bets of each of these settlements of different rounds, in one query.

    They are those of the bets that ``rounds.queries.first_bets`` returns.
    """
    arguments = {
        "rounds": [settlement.round_id for settlement in settlements],
        "sequences": [settlement.sequence for settlement in settlements],
        "most": most,
        "customer": customer_id,
    }
    found: dict[UUID, list[Any]] = {}
    for round_id, *columns in fetch_rows(_FIRST_GRADES, arguments):
        found.setdefault(round_id, []).append(columns)
    return {round_id: _grades(rows) for round_id, rows in found.items()}


def _grades(rows: Rows) -> dict[int, Grade]:
    return {
        number: Grade(outcome, payout_cents, chips_cents, tuple(reasons))
        for number, outcome, payout_cents, chips_cents, reasons in rows
    }


def settlements_of(round_id: UUID) -> list[Settlement]:
    """The settlements of a round, in order. The last one is in force."""
    return ask_settlements(round_id).answer()


def settlements_by_round(rounds: Collection[Round]) -> dict[UUID, list[Settlement]]:
    """The settlements of each of these rounds that has any, in order, in one query."""
    found: dict[UUID, list[Settlement]] = {}
    rows = Settlement.objects.filter(round_id__in=[row.id for row in rounds])
    for settlement in rows.order_by("round_id", "sequence"):
        found.setdefault(settlement.round_id, []).append(settlement)
    return found


def ask_settlements(round_id: UUID) -> PendingResult[list[Settlement]]:
    """Starts the query of ``settlements_of``."""
    return _SETTLEMENTS.send_query(round_id)


def ask_validation(round_id: UUID) -> PendingResult[list[Validation]]:
    """Starts a query of the latest validation of a round, if any."""
    return _LATEST_VALIDATION.send_query(round_id)


def receivables(accounts: QuerySet[Account]) -> QuerySet[Account]:
    """Those of the accounts that are receivables with a balance."""
    return accounts.filter(kind=Account.Kind.RECEIVABLE, balance_cents__lt=0)


def _latest(rows: Iterable[Any]) -> dict[UUID, Any]:
    return {row.round_id: row for row in sorted(rows, key=lambda row: row.sequence)}


def _status(settlement: Settlement | None, validation: Validation | None) -> SettlementStatus:
    anomalies = tuple(validation.anomalies) if validation is not None else ()
    if settlement is not None:
        return SettlementStatus(RoundStatus(settlement.kind), settlement, anomalies)
    if validation is not None and validation.status == Validation.Status.HELD:
        return SettlementStatus(RoundStatus.HELD, None, anomalies)
    return SettlementStatus(RoundStatus.WAITING, None, anomalies)
