"""The double-entry ledger: transfers between accounts.

A transfer is one row with a debit and a credit account and one amount, so the ledger sums to zero
by construction. The flow of money, cash and golden chips each on accounts of their own:

    stakes taken       WALLET       → STAKES_HELD   all stakes and raises of the round, on arrival
    stakes settled     STAKES_HELD  → HOUSE         those of all bets that counted
    stake returned     STAKES_HELD  → CUSTOMER      that of a void bet
    payout             HOUSE        → CUSTOMER      whatever a bet pays, its own stake included
    reversal           the way back of a transfer of an earlier settlement, which it names
    shortfall          RECEIVABLE   → CUSTOMER      what reversals take and the customer has not
    paid over          CUSTOMER     → WALLET        winnings handed to his gaming account
    goodwill           GOODWILL     → CUSTOMER      a credit outside any round; no gaming revenue

While a round is held its money stays on STAKES_HELD. HOUSE is gross gaming revenue: stakes less
payouts. Golden chips go the same way as cash and stay chips; what a chip wins is cash.
"""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from compliance.trail.append_only import append_only
from payouts.models.account import Account


class Transfer(models.Model):
    """One movement of money.

    ``origin`` is what made it move: a round's id, a pay-over's or a goodwill credit's. Of a round,
    ``entry`` is 0 for the stakes taken when it arrived, else the sequence of the settlement that
    the transfer belongs to; what is no round has the entry 1. ``line`` counts within the entry. The
    key makes every posting happen once. A reversal names entry and line of the transfer that it
    takes back, which no other may name again.

    Accounts are not foreign keys in the database (a check for each transfer is the dearest part of
    posting): the transaction that makes a transfer changes both balances, and fails where it
    cannot; the transfers of a settlement are checked against its bets (``settlement_agrees``).
    """

    class Purpose(models.TextChoices):
        """Why the money moved."""

        STAKES_TAKEN = "stakes_taken", _("Stakes taken")
        STAKES_SETTLED = "stakes_settled", _("Stakes settled")
        STAKE_RETURNED = "stake_returned", _("Stake returned")
        PAYOUT = "payout", _("Payout")
        REVERSAL = "reversal", _("Reversal")
        SHORTFALL = "shortfall", _("Shortfall of the customer")
        PAID_OVER = "paid_over", _("Paid over to the gaming account")
        GOODWILL = "goodwill", _("Goodwill credit")

    partition_key = "origin"

    pk = models.CompositePrimaryKey("origin", "entry", "line")
    origin = models.UUIDField(_("about"))
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
