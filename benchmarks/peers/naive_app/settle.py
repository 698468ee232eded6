"""A naive settlement: ORM objects, one at a time, each locked, changed and saved.

It is correct: accounts are locked, a bet is settled in one transaction, and unique keys prevent
double payment. The grades are given, because judging is not compared.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from django.db import transaction

from benchmarks.data.graded_rounds import (
    CUSTOMER,
    Graded,
    Movement,
    paid,
    stakes_settled,
    stakes_taken,
)
from benchmarks.peers.naive_app.books import Account, Transfer
from benchmarks.peers.naive_app.rounds import Bet, Customer, Round
from benchmarks.peers.naive_app.settlement import AuditRecord, BetSettlement, Settlement
from rounds.rules.verdict import VOID, Grade

_ACTOR = "settlement worker"
_ARRIVAL, _FIRST = 0, 1


def settle_by_bet(round_id: UUID, graded: Graded, *, at: datetime) -> None:
    """One transaction for the round's stakes, and one for each bet."""
    with transaction.atomic():
        line = _settle_stakes(round_id, graded, at=at)
    for number, grade in enumerate(graded.grades):
        with transaction.atomic():
            line = _settle_bet(round_id, number, grade, line=line, at=at)


def settle_by_round(round_id: UUID, graded: Graded, *, at: datetime) -> None:
    """The same in one transaction for the whole round."""
    with transaction.atomic():
        settle_by_bet(round_id, graded, at=at)


def _settle_stakes(round_id: UUID, graded: Graded, *, at: datetime) -> int:
    """Decides on the round and moves its stakes; gives the next line of the entry."""
    played = Round.objects.select_for_update().get(id=round_id)
    Settlement.objects.create(
        round=played,
        sequence=_FIRST,
        kind="settled",
        rules=played.rules,
        staked_cents=played.staked_cents,
        payout_cents=sum(grade.payout_cents for grade in graded.grades),
        chips_cents=sum(grade.chips_cents for grade in graded.grades),
        settled_at=at,
        actor=_ACTOR,
    )
    for line, movement in enumerate(stakes_taken(graded)):
        _post(played, movement, "stakes_taken", entry=_ARRIVAL, line=line, at=at)
    settled = stakes_settled(graded)
    for line, movement in enumerate(settled):
        _post(played, movement, "stakes_settled", entry=_FIRST, line=line, at=at)
    _record("ROUND_SETTLED", f"round:{played.reference}", {"bets": played.bet_count}, at=at)
    return len(settled)


def _settle_bet(round_id: UUID, number: int, grade: Grade, *, line: int, at: datetime) -> int:
    """Pays one bet; gives the next line of the entry."""
    bet = Bet.objects.select_related("round", "customer").get(round_id=round_id, number=number)
    BetSettlement.objects.create(
        round=bet.round,
        sequence=_FIRST,
        bet_number=bet.number,
        outcome=grade.outcome,
        payout_cents=grade.payout_cents,
        chips_cents=grade.chips_cents,
        reasons=list(grade.reasons),
    )
    purpose = "stake_returned" if grade.outcome == VOID else "payout"
    movements = paid(grade)
    for offset, movement in enumerate(movements):
        _post(bet.round, movement, purpose, entry=_FIRST, line=line + offset, at=at, bet=bet)
    details: dict[str, str | int] = {"outcome": grade.outcome, "paid": grade.payout_cents}
    _record("BET_SETTLED", f"bet:{bet.round.reference}/{bet.reference}", details, at=at)
    return line + len(movements)


def _post(
    played: Round,
    movement: Movement,
    purpose: str,
    *,
    entry: int,
    line: int,
    at: datetime,
    bet: Bet | None = None,
) -> None:
    """One transfer, and the balances of its two accounts."""
    customer = bet.customer if bet else None
    debit = _locked_account(movement.debit, movement.asset, customer)
    credit = _locked_account(movement.credit, movement.asset, customer)
    Transfer.objects.create(
        round=played,
        entry=entry,
        line=line,
        purpose=purpose,
        debit=debit,
        credit=credit,
        amount_cents=movement.cents,
        bet_number=bet.number if bet else None,
        posted_at=at,
    )
    debit.balance_cents -= movement.cents
    debit.save()
    credit.balance_cents += movement.cents
    credit.save()


def _locked_account(kind: str, asset: str, customer: Customer | None) -> Account:
    owner = customer if kind == CUSTOMER else None
    account, _ = Account.objects.select_for_update().get_or_create(
        kind=kind, asset=asset, customer=owner
    )
    return account


def _record(action: str, subject: str, details: Mapping[str, str | int], *, at: datetime) -> None:
    leaf = hashlib.sha256(json.dumps([at.isoformat(), action, subject, details]).encode()).digest()
    AuditRecord.objects.create(
        at=at, actor=_ACTOR, action=action, subject=subject, details=details, leaf=leaf
    )


def settle_all(rounds: Sequence[tuple[UUID, Graded]], *, by_bet: bool, at: datetime) -> None:
    """One round after the other."""
    settle = settle_by_bet if by_bet else settle_by_round
    for round_id, graded in rounds:
        settle(round_id, graded, at=at)
