"""Requested exports."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.exports.models.bundle import Bundle
from compliance.exports.scope import Scope


class ExportRun(models.Model):
    """A requested export and its progress."""

    first_day = models.DateField(_("first day"))
    last_day = models.DateField(_("last day"))
    contents = models.CharField(_("contents"), max_length=16, choices=Bundle.Contents.choices)
    game = models.CharField(_("game"), max_length=64, default="")
    table = models.CharField(_("table"), max_length=64, default="")
    rules = models.CharField(_("rule set"), max_length=64, default="")
    customer = models.TextField(_("customer"), default="")
    reason = models.TextField(_("reason"), default="")
    asked_at = models.DateTimeField(_("requested"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField(null=True)
    begun_at = models.DateTimeField(_("started"), null=True)
    percent = models.SmallIntegerField(default=0)
    finished_at = models.DateTimeField(_("finished"), null=True)
    bundle = models.ForeignKey(Bundle, models.PROTECT, null=True, related_name="runs")
    is_new = models.BooleanField(default=False)
    """Whether this run built a new bundle."""
    last_error = models.TextField(default="")

    class Meta:
        verbose_name = _("export")
        verbose_name_plural = _("exports")
        constraints = [
            models.UniqueConstraint(
                fields=["first_day", "last_day", "contents", "game", "table", "rules", "customer"],
                condition=models.Q(finished_at=None),
                name="export_asked_for_once",
            ),
        ]
        default_permissions = ()

    def __str__(self) -> str:
        return str(self.pk)

    @property
    def scope(self) -> Scope:
        """Scope of the export."""
        filters = (self.game, self.table, self.rules, self.customer)
        return Scope(self.first_day, self.last_day, *filters, contents=self.contents)
