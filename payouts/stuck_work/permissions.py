"""The permissions on exceptions, and the people who have them."""

from typing import Final

from django.contrib.auth.models import User
from django.db.models import QuerySet

LOOK: Final = "payouts.view_stuckworkstep"
"""View exceptions."""

HANDLE: Final = "payouts.handle_stuck_work"
"""Assign, retry and resolve exceptions."""

_BACKEND: Final = "django.contrib.auth.backends.ModelBackend"


def handlers() -> QuerySet[User]:
    """The people to whom exceptions may be assigned."""
    users: QuerySet[User] = User.objects.with_perm(
        HANDLE, include_superusers=False, backend=_BACKEND
    )
    return users.order_by("last_name", "first_name", "username")
