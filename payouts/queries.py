"""Reading settlements and the ledger. Nothing here changes anything."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db import connection
from django.db.models import F, OuterRef, QuerySet, Subquery, TextChoices
from django.utils.translation import gettext_lazy as _

from compliance.trail.prepared import Pending, Prepared, Rows, ask
from payouts.models import Account, Settlement, Transfer
from rounds.models import QueuedRound, Round, Validation
from rounds.rules.verdict import Grade
from rounds.search import OneOf

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


# Those of the page that ``rounds.queries.ask_bets`` asks for.
_GRADES: Final = """
    SELECT bet_number, outcome, payout_cents, chips_cents, reasons
      FROM payouts_betsettlement
     WHERE round_id = %(round)s AND sequence = %(sequence)s
       AND bet_number IN (SELECT number FROM rounds_bet
                           WHERE round_id = %(round)s AND number > %(after)s
                             AND (%(customer)s::bigint IS NULL OR customer_id = %(customer)s)
                           ORDER BY number LIMIT %(most)s)
"""


_SETTLEMENTS: Final = Prepared(Settlement, "WHERE one.round_id = %s ORDER BY one.sequence")
_LATEST_VALIDATION: Final = Prepared(
    Validation, "WHERE one.round_id = %s ORDER BY one.sequence DESC LIMIT 1"
)


class RoundStatus(TextChoices):
    """Where a round stands between the table and the money."""

    WAITING = "waiting", _("Waiting")
    HELD = "held", _("Held")
    SETTLED = "settled", _("Settled")
    VOID = "void", _("Void")


class Standing(NamedTuple):
    """A round's status and, once it has one, its latest settlement."""

    status: RoundStatus
    settlement: Settlement | None
    anomalies: tuple[str, ...]

    @property
    def paid_cents(self) -> int | None:
        """What it paid, None before its money has moved."""
        return None if self.settlement is None else self.settlement.payout_cents


class Movement(NamedTuple):
    """All transfers of one round that share an entry, a purpose, their accounts' kinds, an asset.

    Each transfer takes from one account what it gives to another, so debit and credit are equal.
    """

    entry: int
    purpose: str
    debit: str
    credit: str
    asset: str
    transfers: int
    cents: int


def standings_of(round_ids: Collection[UUID]) -> dict[UUID, Standing]:
    """How these rounds stand, in two queries however many they are."""
    ids = list(round_ids)
    settlements = _latest(Settlement.objects.filter(round_id__in=ids))
    validations = _latest(Validation.objects.filter(round_id__in=ids))
    return {
        round_id: _standing(settlements.get(round_id), validations.get(round_id))
        for round_id in ids
    }


def rounds_standing(rounds: QuerySet[Round], status: RoundStatus) -> QuerySet[Round]:
    """Those of the rounds that stand so.

    Held and void rounds are few, and looked up by indexes of their own. Each is then asked by its
    key how it stands now: of a question that could be a join the planner makes one, and reads all
    settlements there are.
    """
    if status is RoundStatus.WAITING:
        return rounds.filter(id__in=QueuedRound.objects.values("round_id"))
    kind = None if status is RoundStatus.HELD else status.value
    if status is RoundStatus.SETTLED:
        return rounds.alias(latest=_latest_kind("id")).filter(latest=kind)
    held = Validation.objects.filter(status=Validation.Status.HELD)
    void = Settlement.objects.filter(kind=Settlement.Kind.VOID)
    few: QuerySet[Any] = held if status is RoundStatus.HELD else void
    ids = few.alias(latest=_latest_kind("round_id")).filter(latest=kind).values("round_id")
    return rounds.filter(OneOf(F("id"), ArraySubquery(ids)))


def _latest_kind(round_id: str) -> Subquery:
    settlements = Settlement.objects.filter(round=OuterRef(round_id)).order_by("-sequence")
    return Subquery(settlements.values("kind")[:1])


def movements_of(round_id: UUID) -> list[Movement]:
    """A round's transfers, summed by what they were for."""
    with connection.cursor() as cursor:
        cursor.execute(_MOVEMENTS, [round_id])
        return [
            Movement(entry, purpose, debit, credit, asset, transfers, int(cents))
            for entry, purpose, debit, credit, asset, transfers, cents in cursor.fetchall()
        ]


def standing_with(settlements: Sequence[Settlement], validations: Sequence[Validation]) -> Standing:
    """How a round stands of which this is known, the latest last."""
    return _standing(
        settlements[-1] if settlements else None, validations[-1] if validations else None
    )


def ask_grades(
    settlement: Settlement, *, after: int, most: int, customer_id: int | None = None
) -> Pending[dict[int, Grade]]:
    """Asks what the next so many bets behind a number were paid in a settlement, by number.

    Of one customer, where one is named.
    """
    asked = {
        "round": settlement.round_id,
        "sequence": settlement.sequence,
        "after": after,
        "most": most,
        "customer": customer_id,
    }
    return ask(_GRADES, asked, _grades)


def _grades(rows: Rows) -> dict[int, Grade]:
    return {
        number: Grade(outcome, payout_cents, chips_cents, tuple(reasons))
        for number, outcome, payout_cents, chips_cents, reasons in rows
    }


def settlements_of(round_id: UUID) -> list[Settlement]:
    """All settlements of a round, in order; the last one counts."""
    return ask_settlements(round_id).answer()


def ask_settlements(round_id: UUID) -> Pending[list[Settlement]]:
    """Asks for the same."""
    return _SETTLEMENTS.ask(round_id)


def ask_validation(round_id: UUID) -> Pending[list[Validation]]:
    """Asks for what the rules last said of a round, if they did."""
    return _LATEST_VALIDATION.ask(round_id)


class OnAccount(NamedTuple):
    """A transfer as one account sees it: ``cents`` in, below nothing out."""

    transfer: Transfer
    cents: int
    round: Round | None
    """None where the money moved outside of any round."""


def last_transfers(account: Account, *, most: int) -> list[OnAccount]:
    """The latest transfers of a customer's account; none of a shared one, which has no list."""
    if account.customer_id is None:
        return []
    both = [
        transfer
        for side in ("credit", "debit")
        for transfer in _of_customers(side).filter(**{side: account}).order_by("-origin")[:most]
    ]
    both.sort(key=lambda one: (one.posted_at, one.origin, one.entry, one.line), reverse=True)
    rounds = Round.objects.in_bulk([one.origin for one in both[:most]])
    return [
        OnAccount(
            one,
            one.amount_cents if one.credit_id == account.pk else -one.amount_cents,
            rounds.get(one.origin),
        )
        for one in both[:most]
    ]


def _of_customers(side: str) -> QuerySet[Transfer]:
    """Transfers by the index that has those of customers alone."""
    return Transfer.objects.filter(**{f"{side}__gte": 0})


def receivables() -> QuerySet[Account]:
    """What customers owe, cash and golden chips apart: accounts with a balance below zero."""
    owed = Account.objects.filter(kind=Account.Kind.RECEIVABLE, balance_cents__lt=0)
    return owed.select_related("customer")


def _latest(rows: Iterable[Any]) -> dict[UUID, Any]:
    return {row.round_id: row for row in sorted(rows, key=lambda row: row.sequence)}


def _standing(settlement: Settlement | None, validation: Validation | None) -> Standing:
    anomalies = tuple(validation.anomalies) if validation is not None else ()
    if settlement is not None:
        return Standing(RoundStatus(settlement.kind), settlement, anomalies)
    if validation is not None and validation.status == Validation.Status.HELD:
        return Standing(RoundStatus.HELD, None, anomalies)
    return Standing(RoundStatus.WAITING, None, anomalies)
