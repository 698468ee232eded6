"""Tables, the stakes they accept, and the customers who sit at them."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.trail.append_only import append_only
from compliance.trail.kept import kept


class Table(models.Model):
    """A registered table: rounds are taken only from tables that stand here.

    Name and rule set may change, for the rounds to come; the code is what the feed calls it.
    """

    code = models.CharField(_("code"), max_length=64, unique=True)
    name = models.CharField(_("name"), max_length=100)
    rules = models.CharField(_("rule set"), max_length=64)
    version = models.IntegerField(default=1, editable=False)
    """Counts the changes, so that whoever saves a page learns what changed since he opened it."""

    class Meta:
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        ordering = ["code"]
        default_permissions = ("add", "change", "view")

    def __str__(self) -> str:
        return self.code


class StakeLimitSet(models.Model):
    """The limits of a table as decided at one moment; the latest set is in force.

    A round keeps the set under which it arrived, so that it is judged alike for ever.
    """

    table = models.ForeignKey(Table, models.PROTECT, related_name="limit_sets")
    decided_at = models.DateTimeField(_("decided"))
    decided_by = models.CharField(_("decided by"), max_length=200)

    class Meta:
        verbose_name = _("set of stake limits")
        verbose_name_plural = _("sets of stake limits")
        ordering = ["-id"]
        triggers = [*append_only("limit_set"), kept("limit_set")]
        default_permissions = ("view",)
        permissions = [("limit_stakes", "Can decide stake limits")]


class StakeLimit(models.Model):
    """The least and the most that one bet of a kind may stake; cents, both included."""

    limit_set = models.ForeignKey(StakeLimitSet, models.PROTECT, related_name="limits")
    kind = models.CharField(_("bet kind"), max_length=32)
    min_cents = models.BigIntegerField(_("least stake"))
    max_cents = models.BigIntegerField(_("greatest stake"))

    class Meta:
        verbose_name = _("stake limit")
        verbose_name_plural = _("stake limits")
        triggers = [*append_only("limit"), kept("limit")]
        constraints = [
            models.UniqueConstraint(fields=["limit_set", "kind"], name="one_limit_a_kind"),
            models.CheckConstraint(
                condition=models.Q(min_cents__gte=1, max_cents__gte=models.F("min_cents")),
                name="limit_in_order",
            ),
        ]


class Customer(models.Model):
    """The person behind a bet, known to us by the operator's pseudonym alone.

    Bets and accounts name customers without a foreign key in the database, so these rows stay.
    """

    pseudonym = models.TextField(_("pseudonym"), unique=True)

    class Meta:
        verbose_name = _("customer")
        verbose_name_plural = _("customers")
        triggers = append_only("customer")

    def __str__(self) -> str:
        return self.pseudonym
