"""What a key may do, and which calls need what."""

from collections.abc import Mapping
from enum import Enum

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class Scope(TextChoices):
    """One thing that a key may do; a key has some of them and never gets more."""

    ROUNDS_WRITE = "rounds:write", _("deliver rounds")
    ROUNDS_READ = "rounds:read", _("read rounds")
    CUSTOMERS_READ = "customers:read", _("read customers' histories")
    DISPUTES_WRITE = "disputes:write", _("open disputes and add to them")
    DISPUTES_READ = "disputes:read", _("read disputes")
    DISPUTES_DECIDE = "disputes:decide", _("take part in deciding disputes")
    EXPORTS_READ = "exports:read", _("read exports for the regulator")
    EVENTS_MANAGE = "events:manage", _("manage event streams")


class Open(Enum):
    """Who may make a call that needs no scope."""

    TO_ALL = "public"
    """Without a key."""
    TO_KEYS = "any key"


Needed = tuple[Scope, ...] | Open
"""What a method of a view needs: every one of these scopes, or none."""

Needs = Mapping[str, Needed]
"""By HTTP method what it needs. A view declares it; what it does not declare it does not have."""

OF_CUSTOMERS: tuple[Scope, ...] = (
    Scope.ROUNDS_READ,
    Scope.DISPUTES_WRITE,
    Scope.DISPUTES_READ,
)
"""What a customer's own token may do, about the customer's own bets and disputes."""
