"""What is kept of the exports: bundles that were made, and the rates of the tax. Append-only."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.exports.scope import REGISTERS_OF_DAY, STANDING_REPORTS, Scope
from compliance.trail.append_only import append_only
from compliance.trail.kept import kept


class Bundle(models.Model):
    """One bundle that was made: its number, and the digest that chains it to the one before.

    ``supersedes`` is the bundle of the same scope that this one takes the place of, because what it
    tells has changed since.
    """

    class Kind(models.TextChoices):
        """Whether what it tells can still change."""

        CLOSED_DAY = "closed_day", _("Closed")
        OPEN_DAY = "open_day", _("Open")

    class Contents(models.TextChoices):
        """What it holds."""

        REGISTERS = REGISTERS_OF_DAY, _("Registers")
        REPORTS = STANDING_REPORTS, _("Standing reports")

    number = models.BigIntegerField(_("number"), primary_key=True)
    day = models.DateField(_("day"))
    """The only one, or the last."""
    first_day = models.DateField(_("first day"), null=True)
    """None where it is of one day."""
    kind = models.CharField(_("kind"), max_length=16, choices=Kind.choices)
    contents = models.CharField(
        _("contents"), max_length=16, choices=Contents.choices, default=Contents.REGISTERS
    )
    game = models.CharField(_("game"), max_length=64, default="")
    """Empty where it is of all games; so the other three."""
    table = models.CharField(_("table"), max_length=64, default="")
    rules = models.CharField(_("rule set"), max_length=64, default="")
    customer = models.TextField(_("customer"), default="")
    supersedes = models.ForeignKey("self", models.PROTECT, null=True, related_name="superseded_by")
    manifest_digest = models.BinaryField(max_length=32)
    previous_digest = models.BinaryField(max_length=32, null=True)
    """Of the manifest of the bundle before; the first has none."""
    path = models.CharField(_("file"), max_length=200)
    """Below the folder of the exports."""
    size = models.BigIntegerField(_("bytes"))
    built_at = models.DateTimeField(_("built"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField(null=True)

    class Meta:
        verbose_name = _("bundle")
        verbose_name_plural = _("bundles")
        triggers = [*append_only("bundle"), kept("bundle", key="number")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(number=1, previous_digest=None)
                | models.Q(number__gt=1, previous_digest__isnull=False),
                name="bundles_chained_from_one",
            ),
        ]
        indexes = [models.Index(fields=["day", "game", "number"], name="bundle_by_day")]
        default_permissions = ("view",)

    def __str__(self) -> str:
        return f"{self.number:06}"

    @property
    def scope(self) -> Scope:
        """What it is of."""
        first_day = self.first_day or self.day
        some = (self.game, self.table, self.rules, self.customer)
        return Scope(first_day, self.day, *some, contents=self.contents)


class TaxRate(models.Model):
    """A rate of the tax on stakes minus winnings, from a day on; the operator puts it in force.

    A later row for the same game and day takes the place of an earlier one.
    """

    game = models.CharField(_("game"), max_length=64, default="", blank=True)
    """Empty for every game that has no rate of its own."""
    in_force_from = models.DateField(_("in force from"))
    per_million = models.IntegerField(_("rate, of a million"))
    decided_at = models.DateTimeField(_("decided"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField(null=True)

    class Meta:
        verbose_name = _("tax rate")
        verbose_name_plural = _("tax rates")
        triggers = [*append_only("tax_rate"), kept("tax_rate")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(per_million__gte=0, per_million__lte=1_000_000),
                name="tax_rate_in_range",
            ),
        ]
        default_permissions = ("view",)
