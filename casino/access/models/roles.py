"""What proves the roles of accounts besides signed decisions."""

from typing import Final

from django.contrib.postgres.fields import ArrayField
from django.db import models

from compliance.storage.append_only import append_only
from compliance.trail.models import AuditRecord
from compliance.trail.reserved_actions import ONLY_BY_OWNER, reserved_actions
from compliance.trail.row_digests import attested_rows

ADMINISTRATOR_MADE: Final = "ADMINISTRATOR_MADE"
ROLES_GIVEN_ON_HOST: Final = "ROLES_GIVEN_ON_HOST"


class EarlierRoles(models.Model):
    """The roles that an account had before they were verified. Append-only.

    Only a migration adds rows.
    """

    person_id = models.BigIntegerField(primary_key=True)
    roles = ArrayField(models.CharField(max_length=150))
    at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        triggers = [
            *append_only("earlier_roles"),
            attested_rows("earlier_roles", key="person_id"),
        ]


class HostRecord(AuditRecord):
    """Only the owner of the tables records that roles were given on the host.

    The database role of the web hosts writes audit records and roles, and could invent both.
    """

    class Meta:
        proxy = True
        default_permissions = ()
        triggers = [
            reserved_actions(
                "host_record_by_owner",
                (ADMINISTRATOR_MADE, ROLES_GIVEN_ON_HOST),
                to_whoever_inserts_into=ONLY_BY_OWNER,
            ),
        ]
