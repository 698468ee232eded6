"""Accounts and transfers."""

from typing import ClassVar

from django.db import models

from benchmarks.peers.naive_app.rounds import Customer, Round


class Account(models.Model):
    """One account in cents."""

    kind = models.CharField(max_length=16)
    asset = models.CharField(max_length=8)
    customer = models.ForeignKey(Customer, models.PROTECT, null=True)
    balance_cents = models.BigIntegerField(default=0)

    objects: ClassVar[models.Manager["Account"]] = models.Manager()

    class Meta:
        app_label = "naive"
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "asset", "customer"],
                name="naive_one_account",
                nulls_distinct=False,
            ),
            models.CheckConstraint(
                condition=~models.Q(kind="customer") | models.Q(balance_cents__gte=0),
                name="naive_customers_never_owe",
            ),
        ]


class Transfer(models.Model):
    """One movement of money: one row with a debit and a credit account."""

    pk = models.CompositePrimaryKey("round_id", "entry", "line")
    round = models.ForeignKey(Round, models.PROTECT, db_constraint=False, db_index=False)
    entry = models.SmallIntegerField()
    line = models.IntegerField()
    purpose = models.CharField(max_length=16)
    debit = models.ForeignKey(
        Account, models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    credit = models.ForeignKey(
        Account, models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    amount_cents = models.BigIntegerField()
    bet_number = models.IntegerField(null=True)
    posted_at = models.DateTimeField()

    objects: ClassVar[models.Manager["Transfer"]] = models.Manager()

    class Meta:
        app_label = "naive"
        constraints = [
            models.CheckConstraint(
                condition=models.Q(amount_cents__gt=0) & ~models.Q(debit=models.F("credit")),
                name="naive_transfer_moves_money",
            ),
        ]
