"""Who may record what becomes of months, and judging archived months again.

The runs, and their parts that workers share, are mutable state of a computation. What was judged,
and the result, is an audit record.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.archive.recorded_archives import WHERE_RECORDERS_INSERT
from compliance.trail.models import AuditRecord
from compliance.trail.reserved_actions import ONLY_BY_OWNER, reserved_actions
from compliance.trail.shared_runs import SharedRun
from payouts.carried_forward.detached_months import DETACHED, RESTORED, WRITTEN


class ArchiveRecord(AuditRecord):
    """Only who moves months, or writes archives, records it.

    A forged record could keep a month from being restored, or replace its archive by an empty one.
    """

    class Meta:
        proxy = True
        default_permissions = ()
        triggers = [
            reserved_actions(
                "month_record_by_owner",
                (DETACHED, RESTORED),
                to_whoever_inserts_into=ONLY_BY_OWNER,
            ),
            reserved_actions(
                "archive_record_by_exporter",
                (WRITTEN,),
                to_whoever_inserts_into=WHERE_RECORDERS_INSERT,
            ),
        ]


class RejudgeRun(SharedRun):
    """All archived rounds of a span of months."""

    first_month = models.CharField(_("from month"), max_length=7)
    last_month = models.CharField(_("to month"), max_length=7)

    class Meta:
        verbose_name = _("repeated evaluation of the archive")
        verbose_name_plural = _("repeated evaluations of the archive")
        indexes = [
            models.Index(
                fields=["id"], name="open_rejudge_runs", condition=models.Q(finished_at=None)
            ),
        ]
        default_permissions = ()
        permissions = [("query_archive", "Can query the archive")]


class RejudgePart(models.Model):
    """One slice of an archive. The figures are written in the transaction that judges it."""

    run = models.ForeignKey(RejudgeRun, models.PROTECT, related_name="parts", db_index=False)
    month = models.CharField(max_length=7)
    number = models.IntegerField()
    """Of the archive of this month."""
    slice = models.IntegerField()
    done_at = models.DateTimeField(null=True)
    rounds = models.BigIntegerField(default=0)
    bets = models.BigIntegerField(default=0)
    settlements = models.BigIntegerField(default=0)
    transfers = models.BigIntegerField(default=0)
    differences = models.BigIntegerField(default=0)
    findings = models.JSONField(default=list)
    """The first differences as texts: where, what was found, what was needed."""

    class Meta:
        verbose_name = _("part of a repeated evaluation of the archive")
        verbose_name_plural = _("parts of repeated evaluations of the archive")
        indexes = [
            models.Index(fields=["run", "id"], name="parts_of_rejudge_run"),
            models.Index(
                fields=["run", "id"],
                name="free_rejudge_parts",
                condition=models.Q(done_at__isnull=True),
            ),
        ]
        default_permissions = ()
