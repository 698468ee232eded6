"""Accounts of the ledger. The id of an account says whose it is."""

from collections.abc import Iterable
from typing import Final

from django.db import models
from django.db.models import Case, F, Q, Value, When
from django.utils.translation import gettext_lazy as _

from rounds.models import Customer

_ROOM: Final = 8
"""So many ids are kept for each customer, and for each stripe of the shared accounts."""

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

_OWED: Final = 2
"""The place of what a customer owes lies so far behind that of what the same customer has."""


def customer_account_id(kind: str, asset: str, customer_id: int) -> int:
    """The id of a customer's account."""
    return customer_id * _ROOM + _PLACES[kind, asset]


def customer_of(account_id: int) -> int:
    """Whose account it is; the customer's id."""
    return account_id // _ROOM


def receivable_of(account_id: int) -> int:
    """The account of what a customer owes, by the account of what the same customer has."""
    return account_id + _OWED


def is_customer_account(account_id: int) -> bool:
    """Whether it holds what a customer has: cash or golden chips."""
    return account_id >= 0 and account_id % _ROOM < _OWED


def shared_account_id(kind: str, asset: str, stripe: int) -> int:
    """The id of one stripe of an account that all rounds share."""
    return -1 - stripe * _ROOM - _PLACES[kind, asset]


def kind_and_asset_of(account_id: int) -> tuple[str, str] | None:
    """What an account is by its id, whatever its customer or stripe; None where there is none."""
    accounts = _CUSTOMERS if account_id >= 0 else _SHARED
    place = (account_id if account_id >= 0 else -1 - account_id) % _ROOM
    return accounts[place] if place < len(accounts) else None


def _in_sql(accounts: Iterable[tuple[str, str]], column: int) -> str:
    """SQL: one of the columns of a tuple of accounts, as an array."""
    return f"ARRAY[{', '.join(repr(account[column]) for account in accounts)}]"


def opened_accounts(balances: str) -> str:
    """SQL: the rows of accounts in the order of their ids, given a query of (id, cents)."""
    return f"""
        SELECT id,
               CASE WHEN id >= 0 THEN ({_in_sql(_CUSTOMERS, 0)})[place]
                    ELSE ({_in_sql(_SHARED, 0)})[place] END,
               CASE WHEN id >= 0 THEN ({_in_sql(_CUSTOMERS, 1)})[place]
                    ELSE ({_in_sql(_SHARED, 1)})[place] END,
               CASE WHEN id >= 0 THEN owner END,
               CASE WHEN id >= 0 THEN 0 ELSE owner END,
               cents
          FROM (SELECT id, cents, whose / {_ROOM} AS owner, mod(whose, {_ROOM}) + 1 AS place
                  FROM (SELECT id, cents, CASE WHEN id >= 0 THEN id ELSE -1 - id END AS whose
                          FROM ({balances}) AS opened) AS numbered
               ) AS placed
         ORDER BY id
    """  # noqa: S608  no text from outside


def _id_says_whose() -> Q:
    place = Case(*(When(Q(kind=k, asset=a), then=Value(n)) for (k, a), n in _PLACES.items()))
    of_customer = Q(kind__in=("customer", "receivable"))
    return (of_customer & Q(customer__isnull=False, stripe=0, id=F("customer") * _ROOM + place)) | (
        ~of_customer & Q(customer=None, id=Value(-1) - F("stripe") * _ROOM - place)
    )


class Account(models.Model):
    """One account in cents; its balance is credits less debits.

    Accounts that every round touches are striped (several rows of one kind), so that workers do
    not queue for one row; the kind's balance is the sum of its stripes.
    """

    class Kind(models.TextChoices):
        """Who the money belongs to."""

        WALLET = "wallet", _("Operator's wallet")
        STAKES_HELD = "stakes_held", _("Stakes held")
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
            # Nothing of it ever changes: an index over balances would make each change dearer.
            models.Index(fields=["id"], name="receivables", condition=Q(kind="receivable")),
        ]
        default_permissions = ("view",)
