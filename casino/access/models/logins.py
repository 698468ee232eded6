"""Failed logins, counted to lock an account or an address."""

from django.db import models


class LoginFailure(models.Model):
    """A failed login or second factor of an account, from any address.

    The rows are counted to lock an account, or an address for all accounts, and are deleted after
    a day; the trail has the record.
    ``account`` is a keyed digest of the name, because an unknown name may be a password.
    """

    account = models.CharField(max_length=64)
    origin = models.CharField(max_length=50)
    """The address; for IPv6 the network of 64 bits."""
    browser = models.CharField(max_length=32, blank=True)
    """The browser's name if the account knows it."""
    at = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(fields=["account", "at"], name="login_failure_by_account"),
            models.Index(fields=["at"], name="login_failure_by_time"),
            models.Index(fields=["origin", "at"], name="login_failure_by_origin"),
        ]
        default_permissions = ()
