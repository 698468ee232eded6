"""Stored drafts."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class FormDraft(models.Model):
    """The unsubmitted content of one form of one person. Mutable; nothing depends on it."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    form = models.CharField(max_length=300)
    """The path to which the form is submitted."""
    content = models.BinaryField()
    """Encrypted JSON."""
    saved_at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name = _("draft")
        verbose_name_plural = _("drafts")
        constraints = [
            models.UniqueConstraint(fields=["owner", "form"], name="one_draft_of_a_form"),
        ]
        default_permissions = ()
