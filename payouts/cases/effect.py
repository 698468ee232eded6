"""The effect of a decision on customers, by customer and in total."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from payouts.cases.decisions import Obstacle, RoundDecision, digest_of_plan
from payouts.ledger.models import Account
from payouts.ledger.models.account import customer_account_id
from rounds.models import Customer

_CUSTOMER = Account.Kind.CUSTOMER.value
_CASH, _CHIPS = Account.Asset.CASH.value, Account.Asset.CHIPS.value
CENTS: Final = ("credited", "taken", "net", "chips", "owed")
"""The amounts of a customer that are summed."""


@dataclass(slots=True)
class CustomerEffect:
    """What changes for one customer, in cents; golden chips separately."""

    customer_id: int
    pseudonym: str
    bets: int = 0
    credited_cents: int = 0
    """Cash that the decision pays."""
    taken_cents: int = 0
    """Cash that the present settlements paid and the decision reverses."""
    chips_cents: int = 0
    """Golden chips gained."""
    balance_cents: int = 0
    """The present cash balance."""
    owed_cents: int = 0
    """The shortfall when money is reversed, owed from then on."""
    balance_after_cents: int = 0

    @property
    def net_cents(self) -> int:
        """Cash gained; negative for a loss."""
        return self.credited_cents - self.taken_cents


class Effect(NamedTuple):
    """The effect of a decision in cents, if nothing changes before it is executed."""

    rounds: int
    unchanged: int
    """Rounds in which no bet is paid differently. They are not settled again."""
    bets: int
    customers: Sequence[CustomerEffect]
    """Ordered by net amount, the largest loss first."""
    obstacles: Sequence[Obstacle]
    digest: bytes

    @property
    def changes_nothing(self) -> bool:
        """Whether every round is paid like this already."""
        return self.unchanged == self.rounds

    @property
    def totals(self) -> dict[str, int]:
        """The sums that a proposal stores."""
        counts = {
            "rounds": self.rounds,
            "unchanged": self.unchanged,
            "bets": self.bets,
            "customers": len(self.customers),
        }
        return {**counts, **sums_of(self.customers, CENTS)}


def sums_of(customers: Sequence[CustomerEffect], names: Iterable[str]) -> dict[str, int]:
    """The sums over customers of their ``…_cents``, by name."""
    return {
        name: sum([getattr(customer, f"{name}_cents") for customer in customers]) for name in names
    }


def effect_of(decisions: Sequence[RoundDecision], obstacles: Collection[Obstacle] = ()) -> Effect:
    """The effect of decisions executed in this order, from the present balances."""
    changing = [decision for decision in decisions if decision.changes]
    customers = _customers(changing)
    _add_balances(changing, customers)
    return Effect(
        rounds=len(decisions),
        unchanged=len(decisions) - len(changing),
        bets=sum([len(decision.stored.dealt.bets) for decision in changing]),
        customers=sorted(
            customers.values(), key=lambda customer: (customer.net_cents, customer.pseudonym)
        ),
        obstacles=tuple(obstacles),
        digest=digest_of_plan(decision.planned for decision in decisions),
    )


def _customers(decisions: Iterable[RoundDecision]) -> dict[int, CustomerEffect]:
    ids = {customer_id for decision in decisions for customer_id in decision.stored.customers}
    names = Customer.objects.filter(id__in=ids).values_list("id", "pseudonym")
    effects = {pk: CustomerEffect(pk, pseudonym) for pk, pseudonym in names}
    for decision in decisions:
        customers = decision.stored.customers
        for customer_id, grade in zip(customers, decision.verdict.grades, strict=True):
            effect = effects[customer_id]
            effect.bets += 1
            effect.credited_cents += grade.payout_cents - grade.chips_cents
            effect.chips_cents += grade.chips_cents
        for customer_id, grade in zip(customers, decision.before, strict=False):
            effects[customer_id].taken_cents += grade.payout_cents - grade.chips_cents
            effects[customer_id].chips_cents -= grade.chips_cents
    return effects


def _add_balances(decisions: Iterable[RoundDecision], effects: dict[int, CustomerEffect]) -> None:
    """Adds balances and shortfalls, round by round as the ledger will post them."""
    balances = _balances(effects)
    for customer_id, effect in effects.items():
        effect.balance_cents = balances.get(_account(customer_id, _CASH), 0)
    for decision in decisions:
        for (customer_id, asset), cents in _changes(decision).items():
            account = _account(customer_id, asset)
            balance = balances.get(account, 0) + cents
            shortfall = max(-balance, 0) if cents < 0 else 0
            effects[customer_id].owed_cents += shortfall - decision.shortfalls.get(account, 0)
            balances[account] = balance + shortfall
    for customer_id, effect in effects.items():
        effect.balance_after_cents = balances.get(_account(customer_id, _CASH), 0)


def _changes(decision: RoundDecision) -> dict[tuple[int, str], int]:
    """By customer and asset, the net change of the account by the round's settlement."""
    changes: defaultdict[tuple[int, str], int] = defaultdict(int)
    for sign, grades in ((1, decision.verdict.grades), (-1, decision.before)):
        for customer, grade in zip(decision.stored.customers, grades, strict=False):
            changes[customer, _CASH] += sign * (grade.payout_cents - grade.chips_cents)
            changes[customer, _CHIPS] += sign * grade.chips_cents
    for customer, asset in list(changes):
        changes[customer, asset] -= decision.shortfalls.get(_account(customer, asset), 0)
    return changes


def _balances(customers: Iterable[int]) -> dict[int, int]:
    ids = [_account(customer, asset) for customer in customers for asset in (_CASH, _CHIPS)]
    rows = Account.objects.filter(id__in=ids).values_list("id", "balance_cents")
    return dict(rows)


def _account(customer: int, asset: str) -> int:
    return customer_account_id(_CUSTOMER, asset, customer)
