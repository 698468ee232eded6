"""Rulings: corrections of a round's facts, decided by two persons. Append-only."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.storage.append_only import append_only
from rounds.models.round import Round


class StoredRuling(models.Model):
    """The ruling behind one settlement of a round, written with it.

    Reconciliation recomputes that settlement with it. The settlement of the same sequence names
    the persons and the reason.
    """

    pk = models.CompositePrimaryKey("round_id", "sequence")
    round = models.ForeignKey(
        Round, models.DO_NOTHING, related_name="rulings", db_constraint=False, db_index=False
    )
    sequence = models.SmallIntegerField(_("settlement"))
    said = models.JSONField(_("ruling"))
    """The ruling as JSON (``rounds.rulings``)."""

    class Meta:
        verbose_name = _("ruling")
        verbose_name_plural = _("rulings")
        triggers = append_only("ruling")
        default_permissions = ("view",)
