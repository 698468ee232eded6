"""The double-entry ledger: transfers between accounts.

A transfer is one row with a debit account, a credit account and an amount, so the ledger sums to
zero by construction. Cash and golden chips have separate accounts:

    stakes taken       WALLET       → STAKES_HELD   all stakes and raises of the round, on arrival
    stakes settled     STAKES_HELD  → HOUSE         those of all bets that counted
    stake returned     STAKES_HELD  → CUSTOMER      that of a void bet
    payout             HOUSE        → CUSTOMER      what a bet pays, stake included
    reversal           the reverse of a transfer of an earlier settlement, which it names
    shortfall          RECEIVABLE   → CUSTOMER      what reversals take beyond the balance
    paid over          CUSTOMER     → WALLET        paid over to the gaming account
    goodwill           GOODWILL     → CUSTOMER      a credit outside any round; no gaming revenue

The money of a held round stays on STAKES_HELD. HOUSE is gross gaming revenue: stakes less payouts.
Golden chips are posted like cash and stay chips; what a chip wins is cash.
"""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from compliance.storage.append_only import append_only
from payouts.ledger.models.account import Account


class Transfer(models.Model):
    """One movement of money.

    ``origin`` is the id of a round, a pay-over or a goodwill credit. ``entry`` is 0 for the stakes
    of an arriving round, the sequence of the settlement for its transfers, and 1 without a round.
    ``line`` counts within the entry. The key prevents a second posting. A reversal names entry and
    line of the transfer that it reverses; a transfer is reversed once.

    Accounts have no foreign key in the database, which would be the most expensive part of a
    posting. The same transaction changes both balances and fails if it cannot; a settlement's
    transfers are checked against its bets (``settlement_agrees``).
    """

    class Purpose(models.TextChoices):
        """The purpose of a transfer."""

        STAKES_TAKEN = "stakes_taken", _("Stakes received")
        STAKES_SETTLED = "stakes_settled", _("Stakes settled")
        STAKE_RETURNED = "stake_returned", _("Stake returned")
        PAYOUT = "payout", _("Payout")
        REVERSAL = "reversal", _("Reversal")
        SHORTFALL = "shortfall", _("Shortfall of the customer")
        PAID_OVER = "paid_over", _("Paid over to the gaming account")
        GOODWILL = "goodwill", _("Goodwill credit")

    partition_key = "origin"

    pk = models.CompositePrimaryKey("origin", "entry", "line")
    origin = models.UUIDField(_("subject"))
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
    reverses_entry = models.SmallIntegerField(null=True)
    reverses_line = models.IntegerField(null=True)
    posted_at = models.DateTimeField(_("posted"))

    class Meta:
        verbose_name = _("transfer")
        verbose_name_plural = _("transfers")
        triggers = append_only("transfer")
        constraints = [
            models.CheckConstraint(
                condition=Q(amount_cents__gt=0) & ~Q(debit=F("credit")),
                name="transfer_moves_money",
            ),
            models.CheckConstraint(
                condition=Q(
                    purpose="reversal",
                    reverses_entry__gte=1,
                    reverses_entry__lt=F("entry"),
                    reverses_line__isnull=False,
                )
                | Q(~Q(purpose="reversal"), reverses_entry=None, reverses_line=None),
                name="reversal_names_what_it_reverses",
            ),
            models.CheckConstraint(
                condition=~Q(purpose="shortfall") | Q(entry__gt=1),
                name="only_reversals_leave_a_shortfall",
            ),
            models.UniqueConstraint(
                fields=["origin", "reverses_entry", "reverses_line"],
                condition=Q(purpose="reversal"),
                name="transfer_reversed_once",
            ),
        ]
        indexes = [
            models.Index(
                fields=["credit", "origin"],
                name="transfer_by_credit",
                condition=Q(credit__gte=0),
            ),
            models.Index(
                fields=["debit", "origin"],
                name="transfer_by_debit",
                condition=Q(debit__gte=0),
            ),
        ]
        default_permissions = ("view",)
