"""The scopes of API keys, and which calls need them."""

from collections.abc import Mapping
from enum import Enum

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class Scope(TextChoices):
    """The scopes. Those of a key never change."""

    ROUNDS_WRITE = "rounds:write", _("deliver rounds")
    ROUNDS_READ = "rounds:read", _("read rounds")
    CUSTOMERS_READ = "customers:read", _("read customers' histories")
    DISPUTES_WRITE = "disputes:write", _("open disputes and add to them")
    DISPUTES_READ = "disputes:read", _("read disputes")
    DISPUTES_DECIDE = "disputes:decide", _("propose decisions on disputes")
    EXPORTS_READ = "exports:read", _("read exports for the regulator")
    EVENTS_MANAGE = "events:manage", _("manage event streams")
    DIRECTORY_MANAGE = "directory:manage", _("create, change and close accounts of the staff")
    """By SCIM, and nothing else: a key has this scope alone."""


class Open(Enum):
    """Access to calls that need no scope."""

    TO_ALL = "public"
    """Without a key."""
    TO_KEYS = "any key"


Needed = tuple[Scope, ...] | Open
"""What a method of a view needs: all of these scopes, or none."""

Needs = Mapping[str, Needed]
"""The needs by HTTP method, as a view declares them; it has no other methods."""

OF_PROGRAMS: tuple[Scope, ...] = tuple(
    scope for scope in Scope if scope is not Scope.DIRECTORY_MANAGE
)
"""The scopes of the API; that of a directory opens SCIM and nothing of the API."""

OF_CUSTOMERS: tuple[Scope, ...] = (
    Scope.ROUNDS_READ,
    Scope.DISPUTES_WRITE,
    Scope.DISPUTES_READ,
)
"""The scopes of a customer's token, restricted to the customer's own bets and disputes."""
