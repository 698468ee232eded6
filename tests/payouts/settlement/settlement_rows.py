"""Rows of a settlement written to another round, for tests of triggers."""

from collections.abc import Callable, Iterable
from typing import Any

from django.db import transaction
from django.db.models import Model

from payouts.ledger.models import Account, Transfer
from payouts.settlement.models import BetSettlement, Settlement
from tests.payouts.settlement.resettlement_scenarios import stored

DISAGREES = "disagrees with its bets or transfers"
Change = Callable[["Rows"], None]


class Rows:
    """The rows of r-1's settlements, to be written to r-2."""

    def __init__(self, *sequences: int) -> None:
        filters = {"round_id": stored("r-1").id, "sequence__in": sequences}
        self.settlements = list(Settlement.objects.filter(**filters).order_by("sequence"))
        self.bets = list(BetSettlement.objects.filter(**filters).order_by("sequence", "bet_number"))
        self.transfers = list(
            Transfer.objects.filter(origin=stored("r-1").id, entry__in=sequences).order_by(
                "entry", "line"
            )
        )

    def write(self) -> None:
        """Inserts them in the order of the services, the settlement last."""
        other = stored("r-2").id
        for transfer in self.transfers:
            transfer.origin = other
        for bet in self.bets:
            bet.round_id = other
        for settlement in self.settlements:
            settlement.round_id = other
        with transaction.atomic():
            for settlement in self.settlements:
                sequence = settlement.sequence
                _insert(bet for bet in self.bets if bet.sequence == sequence)
                _insert(transfer for transfer in self.transfers if transfer.entry == sequence)
                _insert([settlement])


def _insert(rows: Iterable[Model]) -> None:
    listed = list(rows)
    if listed:
        type(listed[0]).objects.bulk_create(listed)  # type: ignore[attr-defined]


def a_shortfall(rows: Rows) -> None:
    """A first settlement has nothing to claw back."""
    account = Account.objects.get(kind="customer", customer__pseudonym="p-1")
    moved = copy_of(rows.transfers[-1], line=7, purpose="shortfall", bet_number=None)
    moved.credit_id, moved.debit_id = account.pk, account.pk + 2
    rows.transfers.append(moved)


def copy_of(row: Any, **fields: Any) -> Any:
    """An unsaved copy of a row with these fields changed."""
    values = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
    return type(row)(**(values | fields))
