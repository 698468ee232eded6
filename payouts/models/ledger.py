"""The double-entry ledger: accounts, and transfers between them.

A transfer is one row with a debit and a credit account and one amount, so the ledger sums to zero
by construction. The flow of a round's money, cash and golden chips each on accounts of their own:

    stakes taken       WALLET       → STAKES_HELD   all stakes and raises of the round, on arrival
    stakes settled     STAKES_HELD  → HOUSE         those of all bets that counted
    stakes returned    STAKES_HELD  → CUSTOMER      those of each void bet
    payout             HOUSE        → CUSTOMER      whatever a bet pays, its own stake included

While a round is held its money stays on STAKES_HELD. HOUSE is gross gaming revenue: stakes less
payouts. Golden chips go the same way as cash and stay chips; what a chip wins is cash.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.trail.append_only import append_only
from rounds.models import Customer, Round


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

    class Asset(models.TextChoices):
        """Cash and golden chips never mix."""

        CASH = "cash", _("Cash")
        CHIPS = "chips", _("Golden chips")

    kind = models.CharField(_("kind"), max_length=16, choices=Kind.choices)
    asset = models.CharField(_("asset"), max_length=8, choices=Asset.choices)
    customer = models.ForeignKey(Customer, models.PROTECT, null=True, related_name="accounts")
    stripe = models.SmallIntegerField(default=0)
    balance_cents = models.BigIntegerField(_("balance"), default=0)

    class Meta:
        verbose_name = _("account")
        verbose_name_plural = _("accounts")
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "asset", "customer", "stripe"],
                name="one_account",
                nulls_distinct=False,
            ),
            models.CheckConstraint(
                condition=models.Q(kind="customer", customer__isnull=False)
                | (~models.Q(kind="customer") & models.Q(customer__isnull=True)),
                name="customer_accounts_have_a_customer",
            ),
            models.CheckConstraint(
                condition=~models.Q(kind="customer") | models.Q(balance_cents__gte=0),
                name="customers_never_owe_silently",
            ),
        ]
        default_permissions = ("view",)


class Transfer(models.Model):
    """One movement of money, about one round.

    ``entry`` is 0 for the stakes taken when the round arrived, else the sequence of the settlement
    that it belongs to; ``line`` counts within the entry. The key makes every posting happen once.
    Account ids are not foreign keys in the database (a check for each transfer is the dearest part
    of posting); ``post_entries`` takes them from accounts it has locked in the same transaction.
    """

    class Purpose(models.TextChoices):
        """Why the money moved."""

        STAKES_TAKEN = "stakes_taken", _("Stakes taken")
        STAKES_SETTLED = "stakes_settled", _("Stakes settled")
        STAKE_RETURNED = "stake_returned", _("Stake returned")
        PAYOUT = "payout", _("Payout")

    pk = models.CompositePrimaryKey("round_id", "entry", "line")
    round = models.ForeignKey(
        Round, models.DO_NOTHING, related_name="transfers", db_constraint=False, db_index=False
    )
    entry = models.SmallIntegerField(_("entry"))
    line = models.IntegerField(_("line"))
    purpose = models.CharField(_("purpose"), max_length=16, choices=Purpose.choices)
    debit = models.ForeignKey(
        Account, models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    credit = models.ForeignKey(
        Account, models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    amount_cents = models.BigIntegerField(_("amount"))
    bet_number = models.IntegerField(null=True)
    posted_at = models.DateTimeField(_("posted"))

    class Meta:
        verbose_name = _("transfer")
        verbose_name_plural = _("transfers")
        triggers = append_only("transfer")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(amount_cents__gt=0) & ~models.Q(debit=models.F("credit")),
                name="transfer_moves_money",
            ),
        ]
        default_permissions = ("view",)
