"""The roles of the people who work here, as groups with permissions.

Nobody may change a fact, so the only permissions on facts are those to view them; what people
decide is added beside the facts.
"""

from collections.abc import Iterable
from typing import Final

from django.contrib.auth.models import Group, Permission
from django.db.models import Q

_FACTS: Final = ("rounds", "payouts", "trail")

AUDITOR: Final = "auditor"
"""Reads everything; every page that he looks at is on record."""

VIEWERS: Final = ("supervisor", "payments", "compliance", AUDITOR)
"""Roles that see rounds, money and the trail."""

HANDLERS: Final = ("supervisor", "compliance")
"""Roles that assign, retry and close stuck work."""

RECONCILERS: Final = ("compliance", AUDITOR)
"""Roles that start a reconciliation."""

ADMINISTRATOR: Final = "administrator"
"""Manages users and registered tables; sees no money."""

ROLES: Final = (*VIEWERS, ADMINISTRATOR)


def grant_roles() -> dict[str, Group]:
    """Makes every role with exactly its permissions; may be run again at any time."""
    facts = Permission.objects.filter(
        content_type__app_label__in=_FACTS, codename__startswith="view_"
    )
    deeds = {
        "handle_stuck_work": HANDLERS,
        "reconcile": RECONCILERS,
    }
    people = Permission.objects.filter(
        Q(content_type__app_label="auth", content_type__model__in=("user", "group"))
        | Q(content_type__app_label="rounds", codename__in=("view_table", "add_table"))
    )
    roles = {}
    for role in VIEWERS:
        own = [deed for deed, those_who_may in deeds.items() if role in those_who_may]
        may = Permission.objects.filter(content_type__app_label="payouts", codename__in=own)
        roles[role] = _role(role, facts | may)
    roles[ADMINISTRATOR] = _role(ADMINISTRATOR, people)
    return roles


def _role(name: str, permissions: Iterable[Permission]) -> Group:
    group, _ = Group.objects.get_or_create(name=name)
    group.permissions.set(permissions)
    return group
