"""Tables, their stake limits, and customers."""

from datetime import datetime

import pgtrigger
from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.storage.append_only import append_only
from compliance.trail.record import Entry
from compliance.trail.row_digests import attested_rows


class Table(models.Model):
    """A registered table; only rounds of registered tables are accepted.

    The name and the rule set may change, for later rounds. The feed refers to the code.
    """

    code = models.CharField(_("code"), max_length=64, unique=True)
    name = models.CharField(_("name"), max_length=100)
    rules = models.CharField(_("rule set"), max_length=64)
    version = models.IntegerField(default=1, editable=False)
    """The number of changes plus one, for optimistic locking."""

    class Meta:
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        ordering = ["code"]
        default_permissions = ("add", "change", "view")

    def __str__(self) -> str:
        return self.code


class StakeLimitSet(models.Model):
    """The stake limits of a table; the latest set that its person signed is in force.

    A round refers to the set in force on its arrival. Nothing is added to a set once its decision
    is recorded.
    """

    table = models.ForeignKey(Table, models.PROTECT, related_name="limit_sets")
    replaces = models.ForeignKey(
        "self", models.PROTECT, null=True, related_name="+", db_index=False
    )
    """The set that was in force before, if any."""
    decided_at = models.DateTimeField(_("entered"))
    decided_by = models.CharField(_("set by"), max_length=200)
    actor_user_id = models.BigIntegerField(null=True)
    """The person's account; null for sets from before signatures."""

    class Meta:
        verbose_name = _("set of stake limits")
        verbose_name_plural = _("sets of stake limits")
        ordering = ["-id"]
        triggers = [*append_only("limit_set"), attested_rows("limit_set")]
        default_permissions = ("view",)
        permissions = [("limit_stakes", "Can decide stake limits")]

    @property
    def at(self) -> datetime:
        """When it was decided."""
        return self.decided_at

    @property
    def actor(self) -> str:
        """The name of the person."""
        return self.decided_by

    @property
    def cents(self) -> dict[str, tuple[int, int]]:
        """Minimum and maximum stake by bet kind."""
        return {limit.kind: (limit.min_cents, limit.max_cents) for limit in self.limits.all()}

    @property
    def entry(self) -> Entry:
        """Its audit record, whose text its actor signs: the limits, and those they replace.

        It does not name the number, which is not known before the row is written.
        """
        before = {} if self.replaces is None else self.replaces.cents
        details = {
            name: {kind: list(cents) for kind, cents in limits.items()}
            for name, limits in (("before", before), ("after", self.cents))
        }
        return Entry("LIMITS_DECIDED", f"table:{self.table.code}", details)


class StakeLimit(models.Model):
    """The minimum and maximum stake of a bet kind, in cents, inclusive."""

    limit_set = models.ForeignKey(StakeLimitSet, models.PROTECT, related_name="limits")
    kind = models.CharField(_("bet kind"), max_length=32)
    min_cents = models.BigIntegerField(_("minimum stake"))
    max_cents = models.BigIntegerField(_("maximum stake"))

    class Meta:
        verbose_name = _("stake limit")
        verbose_name_plural = _("stake limits")
        triggers = [
            *append_only("limit"),
            attested_rows("limit"),
            pgtrigger.Trigger(
                name="limit_of_undecided_set",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func="""
                    IF EXISTS (SELECT FROM rounds_stakelimitset AS decided
                                 JOIN rounds_table AS played ON played.id = decided.table_id
                                 JOIN trail_auditrecord AS record
                                   ON record.subject = 'table:' || played.code
                                  AND record.action = 'LIMITS_DECIDED'
                                  AND record.at = decided.decided_at
                                WHERE decided.id = NEW.limit_set_id) THEN
                        RAISE EXCEPTION 'limit set %: decided, nothing can be added',
                            NEW.limit_set_id USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["limit_set", "kind"], name="one_limit_a_kind"),
            models.CheckConstraint(
                condition=models.Q(min_cents__gte=1, max_cents__gte=models.F("min_cents")),
                name="limit_in_order",
            ),
        ]


class Customer(models.Model):
    """A customer, known by the operator's pseudonym alone.

    Bets and accounts refer to customers without a foreign key in the database: rows are permanent.
    """

    pseudonym = models.TextField(_("pseudonym"), unique=True)

    class Meta:
        verbose_name = _("customer")
        verbose_name_plural = _("customers")
        triggers = append_only("customer")

    def __str__(self) -> str:
        return self.pseudonym
