"""Bundles and their steps."""

import hashlib

import pgtrigger
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from compliance.exports.scope import COMPLIANCE_REPORTS, DAILY_REGISTERS, Scope
from compliance.storage.append_only import append_only
from compliance.trail.record import Entry
from compliance.trail.row_digests import attested_rows


class Bundle(models.Model):
    """A bundle with its number and the digest that chains it to the previous one.

    ``supersedes`` is the earlier bundle of the same scope, whose contents have changed since.
    """

    class Kind(models.TextChoices):
        """Whether its contents are final."""

        CLOSED_DAY = "closed_day", pgettext_lazy("bundle", "Closed")
        OPEN_DAY = "open_day", pgettext_lazy("bundle", "Open")

    class Contents(models.TextChoices):
        """Kind of contents."""

        REGISTERS = DAILY_REGISTERS, _("Registers")
        REPORTS = COMPLIANCE_REPORTS, _("Standard reports")

    number = models.BigIntegerField(_("number"), primary_key=True)
    day = models.DateField(_("day"))
    """The only or the last day."""
    first_day = models.DateField(_("first day"), null=True)
    """None for a single day."""
    kind = models.CharField(_("kind"), max_length=16, choices=Kind.choices)
    contents = models.CharField(
        _("contents"), max_length=16, choices=Contents.choices, default=Contents.REGISTERS
    )
    game = models.CharField(_("game"), max_length=64, default="")
    """Empty for all games; likewise the next three fields."""
    table = models.CharField(_("table"), max_length=64, default="")
    rules = models.CharField(_("rule set"), max_length=64, default="")
    customer = models.TextField(_("customer"), default="")
    supersedes = models.ForeignKey("self", models.PROTECT, null=True, related_name="superseded_by")
    manifest_digest = models.BinaryField(max_length=32)
    previous_digest = models.BinaryField(max_length=32, null=True)
    """Digest of the previous manifest; None for the first bundle."""
    path = models.CharField(_("file"), max_length=200)
    """Path below the exports folder."""
    size = models.BigIntegerField(_("bytes"))
    built_at = models.DateTimeField(_("built"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField(null=True)

    class Meta:
        verbose_name = _("bundle")
        verbose_name_plural = _("bundles")
        triggers = [*append_only("bundle"), attested_rows("bundle", key="number")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(number=1, previous_digest=None)
                | models.Q(number__gt=1, previous_digest__isnull=False),
                name="bundles_chained_from_one",
            ),
        ]
        indexes = [
            models.Index(fields=["day", "game", "number"], name="bundle_by_day"),
            models.Index(fields=["built_at", "number"], name="bundle_by_time"),
        ]
        default_permissions = ("view",)
        permissions = [
            ("ask_export", "Can ask for exports"),
            ("sign_bundle", "Can sign bundles, or set them aside"),
            ("hand_in_bundle", "Can say what was sent to the regulator, and what was answered"),
        ]

    def __str__(self) -> str:
        return f"{self.number:06}"

    @property
    def scope(self) -> Scope:
        """Scope of the bundle."""
        first_day = self.first_day or self.day
        filters = (self.game, self.table, self.rules, self.customer)
        return Scope(first_day, self.day, *filters, contents=self.contents)


class BundleStep(models.Model):
    """An action of a person on a bundle; the primary key prevents concurrent actions.

    Two signatures of different persons approve a bundle. Only approved bundles can be sent, only
    sent ones answered. Triggers and constraints enforce this.
    """

    class Action(models.TextChoices):
        """Kind of action."""

        SIGNED = "signed", pgettext_lazy("bundle", "Signed")
        SET_ASIDE = "set_aside", pgettext_lazy("bundle", "Set aside")
        SENT = "sent", pgettext_lazy("bundle", "Sent to the regulator")
        RECEIVED = "received", pgettext_lazy("bundle", "Acknowledged by the regulator")
        REFUSED = "refused", pgettext_lazy("bundle", "Refused by the regulator")

    pk = models.CompositePrimaryKey("bundle_id", "sequence")
    bundle = models.ForeignKey(Bundle, models.PROTECT, related_name="steps", db_index=False)
    sequence = models.SmallIntegerField()
    action = models.CharField(_("what"), max_length=16, choices=Action.choices)
    note = models.TextField(_("note"), default="")
    reference = models.CharField(_("reference"), max_length=100, default="")
    """Reference of the delivery or of the regulator's answer."""
    on_day = models.DateField(_("date"), null=True)
    file_name = models.CharField(_("file"), max_length=200, default="")
    content_type = models.CharField(max_length=100, default="")
    content = models.BinaryField(null=True)
    """The regulator's answer, as received."""
    at = models.DateTimeField(_("when"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField()

    class Meta:
        verbose_name = _("step of a bundle")
        verbose_name_plural = _("steps of a bundle")
        triggers = [
            *append_only("bundle_step"),
            attested_rows("bundle_step", key="bundle_id,sequence"),
            pgtrigger.Trigger(
                name="bundle_sent_when_signed",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                declare=[("latest", "text")],
                condition=pgtrigger.Q(new__action__in=["sent", "received", "refused"]),
                func="""
                    IF (SELECT count(DISTINCT before.actor_user_id)
                          FROM exports_bundlestep AS before
                         WHERE before.bundle_id = NEW.bundle_id
                           AND before.action = 'signed') < 2 THEN
                        RAISE EXCEPTION 'bundle %: it does not have two signatures',
                            NEW.bundle_id USING ERRCODE = 'check_violation';
                    END IF;
                    SELECT before.action INTO latest FROM exports_bundlestep AS before
                     WHERE before.bundle_id = NEW.bundle_id ORDER BY before.sequence DESC LIMIT 1;
                    IF NEW.action <> 'sent' AND latest <> 'sent' OR latest = 'set_aside' THEN
                        RAISE EXCEPTION 'bundle %: % does not follow %',
                            NEW.bundle_id, NEW.action, latest USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(sequence__gte=1), name="bundle_steps_count_from_one"
            ),
            models.UniqueConstraint(
                fields=["bundle", "actor_user_id"],
                condition=models.Q(action="signed"),
                name="bundle_signed_once_by_each",
            ),
            models.CheckConstraint(
                condition=models.Q(action="signed")
                | models.Q(action="set_aside") & ~models.Q(note="")
                | ~models.Q(reference="") & models.Q(on_day__isnull=False),
                name="bundle_step_says_why_or_where",
            ),
        ]
        indexes = [models.Index(fields=["at", "bundle"], name="bundle_step_by_time")]
        default_permissions = ()

    @property
    def entry(self) -> Entry:
        """Its audit record, whose text its actor signs: all columns about this bundle."""
        file_digest = None if self.content is None else hashlib.sha256(self.content).hexdigest()
        said = {
            "note": self.note,
            "reference": self.reference,
            "on_day": None if self.on_day is None else self.on_day.isoformat(),
            "file_name": self.file_name,
            "content_type": self.content_type,
            "sha256": file_digest,
        }
        given = {name: value for name, value in said.items() if value}
        manifest = bytes(self.bundle.manifest_digest).hex()
        details = {"step": self.sequence, "manifest": manifest, **given}
        return Entry(f"BUNDLE_{self.action.upper()}", f"bundle:{self.bundle_id}", details)
