"""The roles of the people who work here, as groups with permissions.

Nobody may change a fact, so the only permissions on facts are those to view them; what people
decide is added beside the facts.
"""

from collections.abc import Collection, Iterable
from typing import Final

from django.contrib.auth.models import Group, Permission
from django.db.models import Q

_FACTS: Final = ("rounds", "payouts", "trail", "api")
_OF_TABLES: Final = (
    "view_table",
    "add_table",
    "change_table",
    "limit_stakes",
    "view_stakelimitset",
    "view_tablesuspension",
)

_PEOPLE: Final = ("view_user", "add_user", "change_user", "view_group")  # nobody is deleted

_KEYS: Final = ("view_apikey", "manage_keys")  # of programs; never with a decision about money

AUDITOR: Final = "auditor"
"""Reads everything; every page that he looks at is on record."""

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
"""Roles that say what was sent to the regulator, and what was answered."""

HOLDERS: Final = ("compliance",)
"""Roles that place legal holds."""

LIFTERS: Final = ("supervisor", "compliance")
"""Roles that lift legal holds that another person placed."""

CLOSERS: Final = ("compliance",)
"""Roles that close gaming days."""

REASONERS: Final = ("compliance",)
"""Roles that keep the list of reasons."""

ADMINISTRATOR: Final = "administrator"
"""Manages users, sessions, API keys, registered tables and their limits; sees no money."""

DECIDERS: Final = ("supervisor", "payments", "compliance")
"""Roles that decide about money; who lets people in has none of them."""

ROLES: Final = (*VIEWERS, ADMINISTRATOR)


def grant_roles() -> dict[str, Group]:
    """Makes every role with exactly its permissions; may be run again at any time."""
    facts = Permission.objects.filter(
        content_type__app_label__in=_FACTS, codename__startswith="view_"
    )
    deeds = {
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
        | Q(content_type__app_label="casino", codename__in=("view_opensession", "end_session"))
        | Q(content_type__app_label="rounds", codename__in=_OF_TABLES)
        | Q(content_type__app_label="api", codename__in=_KEYS)
    )
    roles = {}
    for role in VIEWERS:
        own = [deed for deed, those_who_may in deeds.items() if role in those_who_may]
        may = Permission.objects.filter(
            content_type__app_label__in=("rounds", "payouts", "exports", "monitoring"),
            codename__in=own,
        )
        roles[role] = _role(role, facts | may)
    roles[ADMINISTRATOR] = _role(ADMINISTRATOR, people)
    return roles


def are_kept_apart(roles: Collection[str]) -> bool:
    """Whether these roles may be one person's: who lets people in decides about no money."""
    return ADMINISTRATOR not in roles or not set(DECIDERS).intersection(roles)


def _role(name: str, permissions: Iterable[Permission]) -> Group:
    group, _ = Group.objects.get_or_create(name=name)
    group.permissions.set(permissions)
    return group
