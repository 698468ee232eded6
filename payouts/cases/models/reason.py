"""The managed list of reasons for decisions."""

from django.db import models
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _


class Reason(models.Model):
    """A reason for decisions of one purpose, in the words that customers and regulator read.

    The compliance officer manages the list. Reasons are retired, never deleted; decisions store the
    text that they were taken under.
    """

    class Purpose(models.TextChoices):
        """The decisions that may cite the reason."""

        MALFUNCTION = "malfunction", _("Malfunction")
        CORRECTION = "correction", _("Correction")
        RELEASE = "release", _("Release")
        REFUND = "refund", _("Refund")
        GOODWILL = "goodwill", _("Goodwill credit")
        SUSPENSION = "suspension", _("Suspension of a table")

    code = models.SlugField(_("code"), max_length=40, unique=True)
    purpose = models.CharField(_("reason for"), max_length=16, choices=Purpose.choices)
    text_it = models.CharField(_("in Italian"), max_length=200)
    text_en = models.CharField(_("in English"), max_length=200)
    needs_regulator = models.BooleanField(_("the regulator must decide first"), default=False)
    is_active = models.BooleanField(_("in use"), default=True)
    version = models.IntegerField(default=1, editable=False)
    """Counts the changes, to detect concurrent edits."""

    class Meta:
        verbose_name = _("reason")
        verbose_name_plural = _("reasons")
        ordering = ["purpose", "code"]
        default_permissions = ("view",)
        permissions = [("manage_reasons", "Can add and change reasons")]

    def __str__(self) -> str:
        return self.text

    @property
    def text(self) -> str:
        """The text in the active language."""
        return self.text_it if (get_language() or "").startswith("it") else self.text_en
