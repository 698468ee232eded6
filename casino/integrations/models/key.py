"""API keys, append-only but for their last use."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from compliance.storage.append_only import append_only
from compliance.trail.row_digests import attested_rows


class ApiKey(models.Model):
    """The rights of a program: scopes, networks, tables, rate limit and expiry. Append-only.

    ``handle`` is the part of the token that may be shown; ``tables`` are the codes that the key is
    bound to, none for all. The key of a customer is bound to that pseudonym.
    """

    class Kind(models.TextChoices):
        STUDIO = "studio", _("Studio")
        CUSTOMER_SERVICE = "customer_service", _("Customer service")
        REGULATORY = "regulatory", _("Regulatory system")
        CUSTOMER = "customer", _("Customer")
        DIRECTORY = "directory", _("Directory of the staff")

    handle = models.CharField(_("key"), max_length=12, unique=True)
    kind = models.CharField(_("kind"), max_length=20, choices=Kind.choices)
    owner = models.CharField(_("owner"), max_length=100)
    scopes = ArrayField(models.CharField(max_length=20), verbose_name=_("scopes"))
    """Values of ``Scope``."""
    networks = ArrayField(models.CharField(max_length=43), verbose_name=_("allowed addresses"))
    """CIDR; none for any address."""
    tables = ArrayField(models.CharField(max_length=64), verbose_name=_("tables"))
    customer = models.TextField(_("customer"), null=True)
    calls_per_minute = models.IntegerField(_("requests per minute"))
    expires_at = models.DateTimeField(_("expires"), null=True)
    issued_by = models.ForeignKey(
        "self", models.PROTECT, null=True, related_name="+", verbose_name=_("issued by key")
    )
    issued_at = models.DateTimeField(_("issued"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField(null=True)

    class Meta:
        verbose_name = _("API key")
        verbose_name_plural = _("API keys")
        triggers = [*append_only("api_key"), attested_rows("api_key")]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind="customer", customer__isnull=False, expires_at__isnull=False)
                | (~Q(kind="customer") & Q(customer=None)),
                name="api_key_of_a_customer_is_bound",
            ),
            models.CheckConstraint(condition=Q(calls_per_minute__gte=1), name="api_key_has_a_rate"),
        ]
        indexes = [
            models.Index(
                fields=["customer", "-id"],
                name="api_key_by_customer",
                condition=Q(customer__isnull=False),
            ),
        ]
        default_permissions = ("view",)
        permissions = [("manage_keys", "Can issue, rotate and revoke API keys")]

    def __str__(self) -> str:
        return self.handle


class KeySecret(models.Model):
    """The SHA-256 of a key's secret, which has 256 random bits.

    The latest sequence is the key's secret. Earlier ones are valid until ``earlier_until``.
    """

    key = models.ForeignKey(ApiKey, models.PROTECT, related_name="secrets")
    sequence = models.IntegerField()
    digest = models.BinaryField(max_length=32)
    earlier_until = models.DateTimeField(_("previous secrets valid until"))
    made_at = models.DateTimeField(_("created"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField(null=True)

    class Meta:
        verbose_name = _("secret of an API key")
        verbose_name_plural = _("secrets of API keys")
        triggers = [*append_only("api_secret"), attested_rows("api_secret")]
        constraints = [
            models.UniqueConstraint(fields=["key", "sequence"], name="one_secret_a_sequence")
        ]
        default_permissions = ()


class KeyRevocation(models.Model):
    """The revocation of a key, effective at once, with its reason.

    A customer's token may also be revoked by the key that issued it, which gives no reason.
    """

    key = models.OneToOneField(
        ApiKey, models.PROTECT, primary_key=True, related_name="revocation", verbose_name=_("key")
    )
    reason = models.TextField(_("reason"))
    revoked_at = models.DateTimeField(_("revoked"))
    actor = models.CharField(_("who"), max_length=200)
    actor_user_id = models.BigIntegerField(null=True)

    class Meta:
        verbose_name = _("revocation of an API key")
        verbose_name_plural = _("revocations of API keys")
        triggers = [*append_only("api_revocation"), attested_rows("api_revocation", key="key_id")]
        default_permissions = ()


class KeyUse(models.Model):
    """The last use of a key, to the minute, and its address. The trail has every call."""

    key = models.OneToOneField(ApiKey, models.PROTECT, primary_key=True, related_name="use")
    used_at = models.DateTimeField(_("last used"))
    address = models.GenericIPAddressField(_("address"), null=True)

    class Meta:
        verbose_name = _("last use of an API key")
        verbose_name_plural = _("last uses of API keys")
        default_permissions = ()
