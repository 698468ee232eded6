"""Saved views of lists, and list files that a worker makes."""

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

KEPT_FOR: Final = timedelta(hours=24)
"""How long a list file is kept after it was requested."""


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


class ListFile(models.Model):
    """A list file that is too long to be written while its page waits.

    Mutable state: a worker makes it, only its owner downloads it, and it is deleted a day later.
    The audit trail records each download.
    """

    class Problem(models.TextChoices):
        """Why there is no file."""

        REFUSED = "refused", _("You no longer have access to this list.")
        TOO_LONG = "too-long", _("Too many rows: 1,000,000 at most. Narrow the filters.")
        FAILED = "failed", _("The file could not be created. Request it again.")

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    list_name = models.CharField(max_length=40)
    path = models.CharField(max_length=200)
    """The path of the list."""
    query = models.TextField(blank=True)
    """Its filters, order and columns."""
    file_format = models.CharField(max_length=4)
    language = models.CharField(max_length=10)
    requested_at = models.DateTimeField(_("requested"), db_index=True)
    attempts = models.SmallIntegerField(default=0)
    percent = models.SmallIntegerField(default=0)
    finished_at = models.DateTimeField(null=True)
    problem = models.CharField(max_length=16, choices=Problem.choices, blank=True)
    rows = models.IntegerField(_("rows"), null=True)
    size = models.BigIntegerField(_("size"), null=True)
    """In octets."""

    class Meta:
        verbose_name = _("list file")
        verbose_name_plural = _("list files")
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.list_name}.{self.file_format}"

    @property
    def expires_at(self) -> datetime:
        """When it is deleted."""
        return self.requested_at + KEPT_FOR

    @property
    def is_ready(self) -> bool:
        """Whether it can be downloaded."""
        return self.finished_at is not None and not self.problem


class ListFilePart(models.Model):
    """A part of the content of a list file; the parts are in the order of their keys."""

    file = models.ForeignKey(ListFile, models.CASCADE, related_name="parts")
    content = models.BinaryField()

    class Meta:
        verbose_name = _("part of a list file")
        verbose_name_plural = _("parts of list files")
        default_permissions = ()
