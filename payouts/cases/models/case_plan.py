"""The planned settlements of a proposal, as its author saw them."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.storage.append_only import append_only
from compliance.trail.row_digests import attested_rows
from payouts.cases.models.case import Case
from rounds.models import Round


class CasePlan(models.Model):
    """The planned settlement of one round, written with the proposal.

    ``sequence`` is the proposal's step, ``number`` the position in the order of execution, from 1,
    and ``after`` the settlement that the round had, 0 for none. The arrays have one entry per bet,
    by bet number.
    """

    pk = models.CompositePrimaryKey("case_id", "sequence", "number")
    case = models.ForeignKey(Case, models.PROTECT, related_name="plans", db_index=False)
    sequence = models.IntegerField()
    number = models.IntegerField()
    round = models.ForeignKey(
        Round, models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    after = models.SmallIntegerField()
    outcomes = ArrayField(models.CharField(max_length=8))
    payouts_cents = ArrayField(models.BigIntegerField())
    """The payout of each bet, stake included."""
    chips_cents = ArrayField(models.BigIntegerField())
    """The part of the payout in golden chips."""

    class Meta:
        verbose_name = _("planned settlement of a case")
        verbose_name_plural = _("planned settlements of cases")
        triggers = [
            *append_only("case_plan"),
            attested_rows("case_plan", key="case_id,sequence,number"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["case", "sequence", "round"], name="a_plan_has_a_round_once"
            ),
        ]
        default_permissions = ()
