"""Two persons who settle rounds again, and figures of the books."""

from collections.abc import Callable
from typing import Any, Final

from django.db import transaction
from django.db.models import Sum

from compliance.signatures.models import EarlierDecision
from compliance.trail.models import AuditRecord
from payouts.ledger.models import Account, Transfer
from payouts.settlement.models import Settlement
from payouts.settlement.resettle import Resettlement
from payouts.settlement.resettle_round import resettle_round
from payouts.settlement.void_round import void_round
from rounds.models import Round
from rounds.queries import round_by_reference
from tests.casino_in_play import NOW
from tests.signers import signing

GIULIA: Final = signing("Giulia Marchetti", 1)
LORENZO: Final = signing("Lorenzo Ferri", 3)
REASON: Final = "the shoe was seen before the round"

_DECIDED: Final[dict[str, Any]] = {
    "reason": REASON,
    "at": NOW,
    "actor": GIULIA,
    "approved_by": LORENZO,
}


def stored(reference: str = "r-1") -> Round:
    """The round with this reference."""
    round_ = round_by_reference(reference)
    assert round_ is not None
    return round_


def void(reference: str = "r-1", *, after: int, **other: Any) -> Resettlement:
    """Giulia voids the round, Lorenzo approves; without a case, as before there were any."""
    return _as_earlier(void_round, reference, after=after, **other)


def resettle(reference: str = "r-1", *, after: int, **other: Any) -> Resettlement:
    """Giulia settles the round by its rules, Lorenzo approves; without a case as well."""
    return _as_earlier(resettle_round, reference, after=after, **other)


def _as_earlier(decide: Callable[..., Resettlement], reference: str, **other: Any) -> Resettlement:
    """Decides and lists the decision as the migration lists those from before.

    In one transaction, since a concurrent reconciliation names what is not listed.
    """
    with transaction.atomic():
        made = decide(round_id=stored(reference).id, **(_DECIDED | other))
        records = AuditRecord.objects.filter(subject=f"round:{reference}")
        [key] = [row.pk for row in records if row.details.get("settlement") == made.sequence]
        EarlierDecision.objects.create(record_id=key)
    return made


def balance(kind: str, pseudonym: str | None = None, *, asset: str | None = None) -> int:
    """The balance of all accounts of a kind, or of one customer or asset, in cents."""
    accounts = Account.objects.filter(kind=kind)
    if pseudonym is not None:
        accounts = accounts.filter(customer__pseudonym=pseudonym)
    if asset is not None:
        accounts = accounts.filter(asset=asset)
    return accounts.aggregate(total=Sum("balance_cents"))["total"] or 0


def sequences() -> list[tuple[int, str]]:
    """Sequence and kind of every settlement."""
    return list(Settlement.objects.order_by("sequence").values_list("sequence", "kind"))


def transfers(entry: int) -> list[tuple[str, int]]:
    """Purpose and cents of each transfer of a ledger entry."""
    moved = Transfer.objects.filter(entry=entry).order_by("line")
    return list(moved.values_list("purpose", "amount_cents"))
