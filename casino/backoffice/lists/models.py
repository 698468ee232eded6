"""Saved views: the filters, order and columns of a list under a name."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class SavedView(models.Model):
    """The address of a list with a name, for its owner or for all who may see the list.

    Mutable state of the pages: it changes nothing about rounds or money, and the list behind it
    checks its own permissions.
    """

    list_name = models.CharField(_("list"), max_length=40)
    name = models.CharField(_("name"), max_length=80)
    query = models.CharField(_("filters"), max_length=2000, blank=True)
    """The query string, without the position in the list."""
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    is_shared = models.BooleanField(_("shared"), default=False)
    saved_at = models.DateTimeField(_("saved"))

    class Meta:
        verbose_name = _("saved view")
        verbose_name_plural = _("saved views")
        constraints = [
            models.UniqueConstraint(
                fields=["list_name", "owner", "name"], name="one_view_of_a_name"
            ),
        ]
        default_permissions = ()

    def __str__(self) -> str:
        return self.name
