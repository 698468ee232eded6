"""What a decision does to customers and to the house, customer by customer and in total."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from payouts.cases.decisions import Obstacle, RoundDecision, digest_of_decisions
from payouts.models import Account
from payouts.models.account import customer_account_id
from rounds.models import Customer

_CUSTOMER = Account.Kind.CUSTOMER.value
_CASH, _CHIPS = Account.Asset.CASH.value, Account.Asset.CHIPS.value


@dataclass(slots=True)
class CustomerEffect:
    """What changes for one customer, in cents; golden chips apart."""

    customer_id: int
    pseudonym: str
    bets: int = 0
    credited_cents: int = 0
    """What the decision pays him in cash."""
    taken_cents: int = 0
    """What the settlements before had paid him in cash, and is taken back."""
    chips_cents: int = 0
    """Golden chips that he has more of afterwards."""
    balance_cents: int = 0
    """Cash that he has now."""
    owed_cents: int = 0
    """What he lacks when money is taken back, and owes from then on."""
    balance_after_cents: int = 0

    @property
    def net_cents(self) -> int:
        """Cash that he gets, below nothing what he gives back."""
        return self.credited_cents - self.taken_cents


class Effect(NamedTuple):
    """What a decision does, in cents, if nothing changes before it is executed."""

    rounds: int
    unchanged: int
    """Rounds in which no bet is paid otherwise than before; they are left as they are."""
    bets: int
    customers: Sequence[CustomerEffect]
    """Those who give back most first."""
    obstacles: Sequence[Obstacle]
    digest: bytes

    @property
    def changes_nothing(self) -> bool:
        """Whether every round is paid like this already: there is nothing to decide."""
        return self.unchanged == self.rounds

    @property
    def totals(self) -> dict[str, int]:
        """What the proposer saw, as a proposal keeps it."""
        sums = {
            name: sum([getattr(one, f"{name}_cents") for one in self.customers])
            for name in ("credited", "taken", "net", "chips", "owed")
        }
        counts = {
            "rounds": self.rounds,
            "unchanged": self.unchanged,
            "bets": self.bets,
            "customers": len(self.customers),
        }
        return {**counts, **sums}


def effect_of(decisions: Sequence[RoundDecision], obstacles: Collection[Obstacle] = ()) -> Effect:
    """The effect of decisions in their order, from the balances of this moment."""
    changing = [one for one in decisions if one.changes]
    customers = _customers(changing)
    _play_through(changing, customers)
    return Effect(
        rounds=len(decisions),
        unchanged=len(decisions) - len(changing),
        bets=sum([len(one.stored.dealt.bets) for one in changing]),
        customers=sorted(customers.values(), key=lambda one: (one.net_cents, one.pseudonym)),
        obstacles=tuple(obstacles),
        digest=digest_of_decisions(decisions),
    )


def effect_as_json(effect: Effect) -> dict[str, Any]:
    """What a proposal keeps of the effect that its author saw."""
    return dict(effect.totals)


def _customers(decisions: Iterable[RoundDecision]) -> dict[int, CustomerEffect]:
    ids = {customer for one in decisions for customer in one.stored.customers}
    names = Customer.objects.filter(id__in=ids).values_list("id", "pseudonym")
    found = {one: CustomerEffect(one, pseudonym) for one, pseudonym in names}
    for one in decisions:
        for customer, grade in zip(one.stored.customers, one.verdict.grades, strict=True):
            theirs = found[customer]
            theirs.bets += 1
            theirs.credited_cents += grade.payout_cents - grade.chips_cents
            theirs.chips_cents += grade.chips_cents
        for customer, grade in zip(one.stored.customers, one.before, strict=False):
            found[customer].taken_cents += grade.payout_cents - grade.chips_cents
            found[customer].chips_cents -= grade.chips_cents
    return found


def _play_through(decisions: Iterable[RoundDecision], customers: dict[int, CustomerEffect]) -> None:
    """Balances round by round, as the ledger will move them: who lacks money then owes it."""
    balances = _balances(customers)
    for customer, theirs in customers.items():
        theirs.balance_cents = balances.get(_account(customer, _CASH), 0)
    for one in decisions:
        for (customer, asset), cents in _changes(one).items():
            account = _account(customer, asset)
            balance = balances.get(account, 0) + cents
            lacks = max(-balance, 0) if cents < 0 else 0
            customers[customer].owed_cents += lacks - one.shortfalls.get(account, 0)
            balances[account] = balance + lacks
    for customer, theirs in customers.items():
        theirs.balance_after_cents = balances.get(_account(customer, _CASH), 0)


def _changes(one: RoundDecision) -> dict[tuple[int, str], int]:
    """By customer and asset, what a round's further settlement moves to the account in sum."""
    changes: defaultdict[tuple[int, str], int] = defaultdict(int)
    for sign, grades in ((1, one.verdict.grades), (-1, one.before)):
        for customer, grade in zip(one.stored.customers, grades, strict=False):
            changes[customer, _CASH] += sign * (grade.payout_cents - grade.chips_cents)
            changes[customer, _CHIPS] += sign * grade.chips_cents
    for customer, asset in list(changes):
        changes[customer, asset] -= one.shortfalls.get(_account(customer, asset), 0)
    return changes


def _balances(customers: Iterable[int]) -> dict[int, int]:
    ids = [_account(customer, asset) for customer in customers for asset in (_CASH, _CHIPS)]
    rows = Account.objects.filter(id__in=ids).values_list("id", "balance_cents")
    return dict(rows)


def _account(customer: int, asset: str) -> int:
    return customer_account_id(_CUSTOMER, asset, customer)
