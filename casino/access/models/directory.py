"""What a directory of the staff said by SCIM: which accounts are its own, and their groups."""

from typing import Final

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models

from compliance.storage.append_only import append_only
from compliance.trail.row_digests import attested_rows

_LONGEST_EXTERNAL_ID: Final = 255


class DirectoryAccount(models.Model):
    """An account that the directory created, or that an administrator handed to it.

    Accounts without a row are invisible to the directory. ``closed_at`` is set while the account is
    closed by the directory, which may reopen it; an account that an administrator closed has none.
    """

    person: "models.OneToOneField[User, User]" = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.PROTECT, primary_key=True, related_name="directory"
    )
    external_id = models.CharField(max_length=_LONGEST_EXTERNAL_ID, null=True, unique=True)
    since = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)

    class Meta:
        default_permissions = ()


class DirectoryMembership(models.Model):
    """The directory put a person into the group of a role, or took them out. Append-only.

    The latest row of a person and a role counts. A row gives nobody a role: it asks for one.
    """

    person: "models.ForeignKey[User, User]" = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+"
    )
    role = models.CharField(max_length=150)
    is_member = models.BooleanField()
    at = models.DateTimeField()
    actor = models.CharField(max_length=200)
    """The directory, with its key."""

    class Meta:
        default_permissions = ()
        triggers = [*append_only("directory_membership"), attested_rows("directory_membership")]
        indexes = [models.Index(fields=["person", "role", "-id"], name="directory_membership_now")]
