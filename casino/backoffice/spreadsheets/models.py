"""List files (tables, limits, reasons) uploaded for import."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class ListImport(models.Model):
    """A file, from its dry run to its confirmation. Mutable state.

    Its changes and its digest are recorded in the audit trail. The file is kept as evidence of
    what was confirmed.
    """

    class Kind(models.TextChoices):
        """The list to which the file belongs."""

        TABLES = "tables", _("Tables")
        LIMITS = "limits", _("Stake limits")
        REASONS = "reasons", _("Reasons")

    kind = models.CharField(_("list"), max_length=16, choices=Kind.choices)
    name = models.CharField(_("file"), max_length=200)
    content = models.BinaryField()
    digest = models.BinaryField(max_length=32)
    sent_at = models.DateTimeField(_("uploaded"))
    sent_by = models.CharField(_("uploaded by"), max_length=200)
    confirmed_at = models.DateTimeField(_("confirmed"), null=True)
    confirmed_by = models.CharField(_("confirmed by"), max_length=200, default="")

    class Meta:
        app_label = "payouts"  # app label of its table and migrations
        verbose_name = _("list import")
        verbose_name_plural = _("list imports")
        default_permissions = ()
