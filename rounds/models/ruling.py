"""How two persons read a round otherwise than its studio told it. Append-only."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.trail.append_only import append_only
from rounds.models.round import Round


class StoredRuling(models.Model):
    """The ruling by which one settlement of a round was made; written with it.

    Whoever judges that settlement again judges it by this. Who ruled, with whom and why stands in
    the settlement of the same sequence.
    """

    pk = models.CompositePrimaryKey("round_id", "sequence")
    round = models.ForeignKey(
        Round, models.DO_NOTHING, related_name="rulings", db_constraint=False, db_index=False
    )
    sequence = models.SmallIntegerField(_("settlement"))
    said = models.JSONField(_("ruling"))
    """What the persons said (``rounds.rulings``)."""

    class Meta:
        verbose_name = _("ruling")
        verbose_name_plural = _("rulings")
        triggers = append_only("ruling")
        default_permissions = ("view",)
