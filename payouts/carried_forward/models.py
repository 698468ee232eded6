"""Balances and daily sums of months that were taken out of the database.

Written by the owner of the tables when a month is detached, in the transaction of the audit record
MONTH_DETACHED, which states their digest. They count until the month is restored.
"""

from django.db import models

from compliance.storage.append_only import append_only


class CarriedBalance(models.Model):
    """What the transfers of a detached month add to one account.

    Each customer with a bet of the month has a row for his cash account, of zero cents if need be.
    """

    pk = models.CompositePrimaryKey("record_id", "account_id")
    record_id = models.UUIDField()
    """The audit record of the detachment."""
    account_id = models.BigIntegerField()
    cents = models.BigIntegerField()

    class Meta:
        triggers = append_only("carried_balance")
        default_permissions = ()


class CarriedDay(models.Model):
    """What the rounds of a detached month add to one booking day."""

    pk = models.CompositePrimaryKey("record_id", "day")
    record_id = models.UUIDField()
    """The audit record of the detachment."""
    day = models.DateField()
    sums = models.JSONField()
    """Rows by kind (``payouts.reconciliation.carried_sums``)."""

    class Meta:
        triggers = append_only("carried_day")
        default_permissions = ()
