"""What is changed about people's accounts, with what stood before."""

from typing import Any, Final

from django.contrib.auth.models import User
from django.http import HttpRequest

from payouts.pages.access_trail import record_access

_FIELDS: Final = ("username", "first_name", "last_name", "email", "is_staff")


def standing_of(person: User) -> dict[str, Any]:
    """All about a person's account that an administrator can change, but for the password."""
    return {
        **{field: getattr(person, field) for field in _FIELDS},
        "is_active": person.is_active,
        "roles": sorted(person.groups.values_list("name", flat=True)),
    }


def record_changes(request: HttpRequest, person: User, before: dict[str, Any] | None) -> None:
    """Records each kind of change by itself; ``before`` is None where the account is new."""
    after = standing_of(person)
    if before is None:
        record_access(request, "ACCOUNT_CREATED", person, {"after": after})
        return
    if before["roles"] != after["roles"]:
        roles = {"before": before["roles"], "after": after["roles"]}
        record_access(request, "ROLES_CHANGED", person, roles)
    if before["is_active"] != after["is_active"]:
        action = "ACCOUNT_REOPENED" if after["is_active"] else "ACCOUNT_CLOSED"
        record_access(request, action, person)
    changed = [field for field in _FIELDS if before[field] != after[field]]
    if changed:
        details = {
            "before": {field: before[field] for field in changed},
            "after": {field: after[field] for field in changed},
        }
        record_access(request, "ACCOUNT_CHANGED", person, details)
