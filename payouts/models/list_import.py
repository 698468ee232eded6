"""Files of lists (tables, limits, reasons) that were sent to be imported."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class ListImport(models.Model):
    """One file, from its dry run to its confirmation. A state and no fact.

    What it changed is recorded in the trail, line by line, and it with its digest. The file is
    kept, so that what was confirmed can be read again.
    """

    class Kind(models.TextChoices):
        """Which list it is of."""

        TABLES = "tables", _("Tables")
        LIMITS = "limits", _("Stake limits")
        REASONS = "reasons", _("Reasons")

    kind = models.CharField(_("list"), max_length=16, choices=Kind.choices)
    name = models.CharField(_("file"), max_length=200)
    content = models.BinaryField()
    digest = models.BinaryField(max_length=32)
    sent_at = models.DateTimeField(_("sent"))
    sent_by = models.CharField(_("who"), max_length=200)
    confirmed_at = models.DateTimeField(_("confirmed"), null=True)
    confirmed_by = models.CharField(_("confirmed by"), max_length=200, default="")

    class Meta:
        verbose_name = _("import of a list")
        verbose_name_plural = _("imports of lists")
        default_permissions = ()
