"""Rule sets that were in force before settlement waited for their signatures."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from compliance.storage.append_only import append_only
from compliance.trail.row_digests import attested_rows


class EarlierRuleSet(models.Model):
    """A rule set by whose digest rounds are settled although nobody may have signed it.

    Append-only. Only a migration adds rows; every other rule set settles nothing until a person
    signed it.
    """

    digest = models.BinaryField(primary_key=True)

    class Meta:
        verbose_name = _("rule set from before signatures")
        verbose_name_plural = _("rule sets from before signatures")
        triggers = [
            *append_only("earlier_rule_set"),
            attested_rows("earlier_rule_set", key="digest"),
        ]
        default_permissions = ()
