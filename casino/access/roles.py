"""The roles of the staff, as groups with permissions.

Facts are append-only, so the only permissions on them are those to view.
"""

from collections.abc import Collection, Iterable
from typing import Final

from django.contrib.auth.models import Group, Permission
from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

_FACTS: Final = ("rounds", "payouts", "trail", "api")
_OF_TABLES: Final = (
    "view_table",
    "add_table",
    "change_table",
    "limit_stakes",
    "view_stakelimitset",
    "view_tablesuspension",
)

_PEOPLE: Final = ("view_user", "add_user", "change_user", "view_group")  # none to delete

_ACCESS: Final = (
    "view_opensession",
    "end_session",
    "view_accessrequest",
    "request_access",
    "decide_access",
)

_KEYS: Final = ("view_apikey", "manage_keys")  # never together with a decision about money

AUDITOR: Final = "auditor"
"""Views everything; every page view is recorded."""

VIEWERS: Final = ("supervisor", "payments", "compliance", AUDITOR)
"""Roles that see rounds, money and the trail."""

HANDLERS: Final = ("supervisor", "compliance")
"""Roles that assign, retry and close stuck work."""

PROPOSERS: Final = ("supervisor", "payments", "compliance")
"""Roles that open cases and propose decisions on money."""

APPROVERS: Final = ("supervisor", "payments", "compliance")
"""Roles that approve or reject what another person proposed."""

DISPUTANTS: Final = ("supervisor", "payments", "compliance")
"""Roles that open disputes and speak with customers about them."""

JUDGES: Final = ("supervisor", "compliance")
"""Roles that decide disputes that another person opened."""

RECONCILERS: Final = ("compliance", AUDITOR)
"""Roles that start a reconciliation."""

SUSPENDERS: Final = ("supervisor",)
"""Roles that suspend and resume tables."""

UPLOADERS: Final = ("supervisor",)
"""Roles that upload feed files."""

EXPORTERS: Final = ("supervisor", "compliance")
"""Roles that ask for exports and sign bundles, two persons each."""

SENDERS: Final = ("compliance",)
"""Roles that record what was sent to the regulator, and the replies."""

HOLDERS: Final = ("compliance",)
"""Roles that place legal holds."""

LIFTERS: Final = ("supervisor", "compliance")
"""Roles that lift legal holds that another person placed."""

CLOSERS: Final = ("compliance",)
"""Roles that close gaming days."""

REASONERS: Final = ("compliance",)
"""Roles that keep the list of reasons."""

ACCESS_WATCHERS: Final = ("compliance", AUDITOR)
"""Roles that see requested changes of people's access, in addition to the administrators."""

ADMINISTRATOR: Final = "administrator"
"""Manages users, sessions, API keys, registered tables and their limits; sees no money."""

DECIDERS: Final = ("supervisor", "payments", "compliance")
"""Roles that decide about money; an administrator has none of them."""

ROLES: Final = (*VIEWERS, ADMINISTRATOR)


def grant_roles() -> dict[str, Group]:
    """Creates or updates every role with exactly its permissions; idempotent."""
    facts = Permission.objects.filter(
        content_type__app_label__in=_FACTS, codename__startswith="view_"
    )
    actions = {
        "handle_stuck_work": HANDLERS,
        "reconcile": RECONCILERS,
        "suspend_table": SUSPENDERS,
        "close_day": CLOSERS,
        "place_hold": HOLDERS,
        "lift_hold": LIFTERS,
        "view_bundle": (*EXPORTERS, AUDITOR),
        "ask_export": EXPORTERS,
        "sign_bundle": EXPORTERS,
        "view_watch": VIEWERS,
        "hand_in_bundle": SENDERS,
        "manage_reasons": REASONERS,
        "upload_feed": UPLOADERS,
        "propose_decision": PROPOSERS,
        "approve_decision": APPROVERS,
        "open_dispute": DISPUTANTS,
        "decide_dispute": JUDGES,
    }
    people = Permission.objects.filter(
        Q(content_type__app_label="auth", codename__in=_PEOPLE)
        | Q(content_type__app_label="casino", codename__in=_ACCESS)
        | Q(content_type__app_label="rounds", codename__in=_OF_TABLES)
        | Q(content_type__app_label="api", codename__in=_KEYS)
    )
    requests = Permission.objects.filter(
        content_type__app_label="casino", codename="view_accessrequest"
    )
    roles = {}
    for role in VIEWERS:
        codenames = [codename for codename, roles_of in actions.items() if role in roles_of]
        allowed = Permission.objects.filter(
            content_type__app_label__in=("rounds", "payouts", "exports", "monitoring"),
            codename__in=codenames,
        )
        viewed = requests if role in ACCESS_WATCHERS else Permission.objects.none()
        roles[role] = _role(role, facts | allowed | viewed)
    roles[ADMINISTRATOR] = _role(ADMINISTRATOR, people)
    return roles


def are_kept_apart(roles: Collection[str]) -> bool:
    """Whether one person may have these roles: administrators decide nothing about money."""
    return ADMINISTRATOR not in roles or not set(DECIDERS).intersection(roles)


def _role(name: str, permissions: Iterable[Permission]) -> Group:
    group, _ = Group.objects.get_or_create(name=name)
    group.permissions.set(permissions)
    return group


_LABELS: Final[dict[str, str | Promise]] = {
    "supervisor": gettext_lazy("Supervisor"),
    "payments": gettext_lazy("Payments"),
    "compliance": gettext_lazy("Compliance"),
    "auditor": gettext_lazy("Auditor"),
    "administrator": gettext_lazy("Administrator"),
}


def role_label(role: str) -> str:
    """The label of a role; the name of a role that was made by hand."""
    return str(_LABELS.get(role, role))
