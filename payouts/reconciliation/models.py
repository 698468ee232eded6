"""Reconciliations: runs, their parts, and the differences found.

A run is split into parts, each one check over one range. A worker claims a part by locking its row,
so several processes can share a run, and the part of a killed process is released.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.storage.append_only import append_only
from compliance.trail.row_digests import attested_rows
from compliance.trail.shared_runs import SharedRun
from payouts.ledger.models.account import Account
from rounds.models import Round


class ReconcileRun(SharedRun):
    """A reconciliation of everything, of some days of play (Rome), or of one round.

    Mutable state. Its result is an audit record and its ``ReconcileDifference`` rows.
    """

    first_day = models.DateField(_("from day"), null=True)
    last_day = models.DateField(_("to day"), null=True)
    round = models.ForeignKey(
        Round, models.DO_NOTHING, null=True, related_name="+", db_constraint=False, db_index=False
    )

    class Meta:
        verbose_name = _("reconciliation")
        verbose_name_plural = _("reconciliations")
        indexes = [
            models.Index(
                fields=["id"], name="open_runs", condition=models.Q(finished_at__isnull=True)
            ),
        ]
        default_permissions = ("view",)
        permissions = [("reconcile", "Can start a reconciliation")]

    @property
    def is_of_everything(self) -> bool:
        """Whether the run has no restriction."""
        return self.first_day is None and self.last_day is None and self.round_id is None


class ReconcilePart(models.Model):
    """One check over a range of keys, of account ids, or of days.

    ``end_key`` and ``end_account`` are exclusive, ``last_day`` is inclusive; null is unbounded.
    ``done_at`` and the figures are written in the transaction of the check.
    """

    class Kind(models.TextChoices):
        """What is checked."""

        SHARED = "shared", _("Accounts of the house")
        CUSTOMERS = "customers", _("Accounts of customers")
        DAYS = "days", _("Daily totals")
        ROUNDS = "rounds", _("Rounds")
        RECORDS = "records", _("Audit records")
        DETACHED = "detached", _("Detached months")

    run = models.ForeignKey(
        ReconcileRun, models.PROTECT, related_name="parts", db_index=False, verbose_name=_("run")
    )
    kind = models.CharField(_("kind"), max_length=16, choices=Kind.choices)
    first_key = models.UUIDField(null=True)
    end_key = models.UUIDField(null=True)
    first_account = models.BigIntegerField(null=True)
    end_account = models.BigIntegerField(null=True)
    first_day = models.DateField(null=True)
    last_day = models.DateField(null=True)
    done_at = models.DateTimeField(null=True)
    rounds = models.BigIntegerField(default=0)
    bets = models.BigIntegerField(default=0)
    transfers = models.BigIntegerField(default=0)
    accounts = models.BigIntegerField(default=0)
    records = models.BigIntegerField(default=0)
    differences = models.BigIntegerField(default=0)
    """The number of differences. Of very many not all are stored."""

    class Meta:
        verbose_name = _("part of a reconciliation")
        verbose_name_plural = _("parts of reconciliations")
        indexes = [
            models.Index(fields=["run", "id"], name="parts_of_run"),
            models.Index(
                fields=["run", "id"], name="free_parts", condition=models.Q(done_at__isnull=True)
            ),
        ]
        default_permissions = ()


class ReconcileDifference(models.Model):
    """A difference between what is stored and what follows from the facts.

    ``about``, ``found`` and ``expected`` are JSON objects whose members depend on ``kind``
    (``payouts.reconciliation.checks``); amounts are integer cents.
    """

    class Kind(models.TextChoices):
        """The kind of difference."""

        BALANCE = "balance", _("Balance")
        SIGN = "sign", _("Balance on the wrong side")
        ZERO_SUM = "zero_sum", _("Sum of all accounts")
        STAKES_HELD = "stakes_held", _("Held stakes")
        CONTENT = "content", _("Facts of the round")
        QUEUE = "queue", _("Round and queue")
        UNREADABLE = "unreadable", _("Round that cannot be replayed")
        RULES_CHANGED = "rules_changed", _("Missing rule set")
        VERDICT = "verdict", _("Result")
        UNSETTLED = "unsettled", _("Missing settlement")
        SEQUENCE = "sequence", _("Settlement sequence")
        NOT_BY_RULES = "not_by_rules", _("Settlement of a held round")
        SETTLEMENT = "settlement", _("Settlement")
        BET = "bet", _("Payout of a bet")
        TRANSFER = "transfer", _("Transfer")
        REVERSAL = "reversal", _("Reversal")
        SHORTFALL = "shortfall", _("Shortfall")
        POSTED = "posted", _("Time of a posting")
        PAY_OVER = "pay_over", _("Pay-over")
        GOODWILL = "goodwill", _("Goodwill credit")
        UNKNOWN = "unknown", _("Rows of an unknown round")
        ON_RECORD = "on_record", _("Round and audit records")
        DAY_ROUNDS = "day_rounds", _("Daily total of rounds")
        DAY_BETS = "day_bets", _("Daily total of bets")
        DAY_LEDGER = "day_ledger", _("Ledger of a day")
        DAY_CLOSED = "day_closed", _("Totals of a closed day")
        CARRIED = "carried", _("Sums of a detached month")
        DECISION = "decision", _("Signatures of a decision")
        LEAF = "leaf", _("Audit record")
        RECORDS_MISSING = "records_missing", _("Missing audit records")
        RECORDS_ADDED = "records_added", _("Added audit records")
        ROOT = "root", _("Root of a batch")
        BATCH_TIME = "batch_time", _("Time of a batch")

    part = models.ForeignKey(ReconcilePart, models.PROTECT, related_name="found")
    kind = models.CharField(_("kind"), max_length=16, choices=Kind.choices)
    round = models.ForeignKey(
        Round, models.DO_NOTHING, null=True, related_name="+", db_constraint=False, db_index=False
    )
    account = models.ForeignKey(
        Account, models.DO_NOTHING, null=True, related_name="+", db_constraint=False, db_index=False
    )
    about = models.JSONField(default=dict)
    found = models.JSONField(null=True)
    expected = models.JSONField(null=True)

    class Meta:
        verbose_name = _("difference")
        verbose_name_plural = _("differences")
        triggers = [*append_only("difference"), attested_rows("difference")]
        default_permissions = ()
