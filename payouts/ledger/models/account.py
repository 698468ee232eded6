"""Accounts of the ledger. The id of an account encodes its owner and kind."""

from collections.abc import Iterable
from typing import Final

from django.db import models
from django.db.models import Case, F, Q, Value, When
from django.utils.translation import gettext_lazy as _

from rounds.models import Customer

_PER_OWNER: Final = 8
"""Account ids per customer, and per stripe of the shared accounts."""

_CUSTOMERS: Final = (
    ("customer", "cash"),
    ("customer", "chips"),
    ("receivable", "cash"),
    ("receivable", "chips"),
)
_SHARED: Final = (
    ("wallet", "cash"),
    ("wallet", "chips"),
    ("stakes_held", "cash"),
    ("stakes_held", "chips"),
    ("house", "cash"),
    ("house", "chips"),
    ("goodwill", "cash"),
)
_PLACES: Final = {key: place for keys in (_CUSTOMERS, _SHARED) for place, key in enumerate(keys)}

_RECEIVABLE_OFFSET: Final = 2
"""The offset of a customer's receivable from the account of the same asset."""


def customer_account_id(kind: str, asset: str, customer_id: int) -> int:
    """The id of a customer's account."""
    return customer_id * _PER_OWNER + _PLACES[kind, asset]


def cash_account_sql(customer: str) -> str:
    """SQL: the id of a customer's account in cash, for a column of customers' ids."""
    return f"{customer} * {_PER_OWNER}"


def customer_of(account_id: int) -> int:
    """The customer's id of a customer's account."""
    return account_id // _PER_OWNER


def receivable_of(account_id: int) -> int:
    """The receivable that belongs to a customer's account."""
    return account_id + _RECEIVABLE_OFFSET


def is_customer_account(account_id: int) -> bool:
    """Whether the account holds a customer's cash or golden chips."""
    return account_id >= 0 and account_id % _PER_OWNER < _RECEIVABLE_OFFSET


def shared_account_id(kind: str, asset: str, stripe: int) -> int:
    """The id of one stripe of a shared account."""
    return -1 - stripe * _PER_OWNER - _PLACES[kind, asset]


def first_stripe_of(column: str) -> str:
    """SQL: the id of an account, for a shared account that of its first stripe."""
    return f"CASE WHEN {column} >= 0 THEN {column} ELSE -1 - mod(-1 - {column}, {_PER_OWNER}) END"


def kind_and_asset_of(account_id: int) -> tuple[str, str] | None:
    """Kind and asset of an account, by its id; None if the id is of no account."""
    accounts = _CUSTOMERS if account_id >= 0 else _SHARED
    place = (account_id if account_id >= 0 else -1 - account_id) % _PER_OWNER
    return accounts[place] if place < len(accounts) else None


def _in_sql(accounts: Iterable[tuple[str, str]], column: int) -> str:
    """SQL: an array of the kinds or assets of these accounts."""
    return f"ARRAY[{', '.join(repr(account[column]) for account in accounts)}]"


def opened_accounts(balances: str) -> str:
    """SQL: the account rows for a query of (id, cents), by id."""
    return f"""
        SELECT id,
               CASE WHEN id >= 0 THEN ({_in_sql(_CUSTOMERS, 0)})[place]
                    ELSE ({_in_sql(_SHARED, 0)})[place] END,
               CASE WHEN id >= 0 THEN ({_in_sql(_CUSTOMERS, 1)})[place]
                    ELSE ({_in_sql(_SHARED, 1)})[place] END,
               CASE WHEN id >= 0 THEN owner END,
               CASE WHEN id >= 0 THEN 0 ELSE owner END,
               cents
          FROM (SELECT id, cents, whose / {_PER_OWNER} AS owner,
                       mod(whose, {_PER_OWNER}) + 1 AS place
                  FROM (SELECT id, cents, CASE WHEN id >= 0 THEN id ELSE -1 - id END AS whose
                          FROM ({balances}) AS opened) AS numbered
               ) AS placed
         ORDER BY id
    """


def _id_says_whose() -> Q:
    place = Case(*(When(Q(kind=k, asset=a), then=Value(n)) for (k, a), n in _PLACES.items()))
    of_customer = Q(kind__in=("customer", "receivable"))
    return (
        of_customer & Q(customer__isnull=False, stripe=0, id=F("customer") * _PER_OWNER + place)
    ) | (~of_customer & Q(customer=None, id=Value(-1) - F("stripe") * _PER_OWNER - place))


class Account(models.Model):
    """An account in cents. Its balance is credits less debits.

    Shared accounts are striped: they have several rows, so that workers do not wait for one row.
    Their balance is the sum of the stripes.
    """

    class Kind(models.TextChoices):
        """The kind of account."""

        WALLET = "wallet", _("Operator's wallet")
        STAKES_HELD = "stakes_held", _("Held stakes")
        HOUSE = "house", _("House")
        CUSTOMER = "customer", _("Customer")
        RECEIVABLE = "receivable", _("Owed by the customer")
        GOODWILL = "goodwill", _("Goodwill")

    class Asset(models.TextChoices):
        """Cash and golden chips never mix."""

        CASH = "cash", _("Cash")
        CHIPS = "chips", _("Golden chips")

    id = models.BigIntegerField(primary_key=True)
    kind = models.CharField(_("kind"), max_length=16, choices=Kind.choices)
    asset = models.CharField(_("asset"), max_length=8, choices=Asset.choices)
    customer = models.ForeignKey(
        Customer,
        models.DO_NOTHING,
        null=True,
        related_name="accounts",
        db_constraint=False,
        db_index=False,
    )
    stripe = models.SmallIntegerField(default=0)
    balance_cents = models.BigIntegerField(_("balance"), default=0)

    class Meta:
        verbose_name = _("account")
        verbose_name_plural = _("accounts")
        constraints = [
            models.CheckConstraint(condition=_id_says_whose(), name="account_id_says_whose"),
            models.CheckConstraint(
                condition=~Q(kind="customer") | Q(balance_cents__gte=0),
                name="customers_never_owe_silently",
            ),
            models.CheckConstraint(
                condition=~Q(kind="receivable") | Q(balance_cents__lte=0),
                name="receivables_are_owed_to_us",
            ),
        ]
        indexes = [
            # An index over the balance would have to be updated with every posting.
            models.Index(fields=["id"], name="receivables", condition=Q(kind="receivable")),
        ]
        default_permissions = ("view",)
