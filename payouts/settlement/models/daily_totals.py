"""Daily totals, updated by each settlement, so that pages and reports need no scan.

A day is a booking day. Rows are striped like shared accounts: a figure is the sum over the stripes.
Totals and balances are the only rows that are updated; ``manage.py reconcile`` recomputes both.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _

from rounds.models import Table


class DailyRounds(models.Model):
    """The settled rounds of one day, table and rule set, by their latest settlements."""

    pk = models.CompositePrimaryKey("day", "table_id", "rules", "stripe")
    day = models.DateField(_("day"))
    table = models.ForeignKey(Table, models.PROTECT, related_name="+", db_index=False)
    rules = models.CharField(_("rule set"), max_length=64)
    stripe = models.SmallIntegerField()
    rounds = models.BigIntegerField(_("rounds"))
    void_rounds = models.BigIntegerField(_("of which void"))

    class Meta:
        verbose_name = _("daily total of rounds")
        verbose_name_plural = _("daily totals of rounds")
        default_permissions = ("view",)


class DailyBets(models.Model):
    """The settled bets of one day, table, rule set and kind, by their latest settlements."""

    pk = models.CompositePrimaryKey("day", "table_id", "rules", "kind", "stripe")
    day = models.DateField(_("day"))
    table = models.ForeignKey(Table, models.PROTECT, related_name="+", db_index=False)
    rules = models.CharField(_("rule set"), max_length=64)
    kind = models.CharField(_("bet kind"), max_length=32)
    stripe = models.SmallIntegerField()
    bets = models.BigIntegerField(_("bets"))
    void_bets = models.BigIntegerField(_("of which void"))
    staked_cents = models.BigIntegerField(_("staked"))
    staked_chips_cents = models.BigIntegerField(_("of which golden chips"))
    payout_cents = models.BigIntegerField(_("paid"))
    payout_chips_cents = models.BigIntegerField(_("of which golden chips"))

    class Meta:
        verbose_name = _("daily total of bets")
        verbose_name_plural = _("daily totals of bets")
        default_permissions = ("view",)
