"""The roles of the staff, as groups with permissions.

Facts are append-only, so the only permissions on them are those to view.
"""

from collections.abc import Collection, Iterable
from itertools import product
from typing import Final

from django.contrib.auth.models import Group, Permission
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
    "view_studiokey",
    "view_signaturerequirement",
    "propose_studio_key",
    "revoke_studio_key",
)

_PEOPLE: Final = ("view_user", "add_user", "change_user", "view_group")  # none to delete

_ACCESS: Final = (
    "view_opensession",
    "end_session",
    "view_accessrequest",
    "request_access",
    "decide_access",
)

_SIGNING_KEYS: Final = (
    "view_signingkey",
    "decide_signing_key",
    "approve_log_key",
    "confirm_log_gap",
)

_KEYS: Final = ("view_apikey", "manage_keys")  # never together with a decision about money

_OF_ADMINISTRATORS: Final = (
    ("auth", _PEOPLE),
    ("casino", _ACCESS),
    ("rounds", _OF_TABLES),
    ("api", _KEYS),
    ("signatures", _SIGNING_KEYS),
)
"""By application."""

AUDITOR: Final = "auditor"
"""Views everything; every page view is recorded."""

VIEWER_ROLES: Final = ("supervisor", "payments", "compliance", AUDITOR)
"""Roles that see rounds, money and the trail."""

EXCEPTION_ROLES: Final = ("supervisor", "compliance")
"""Roles that assign, retry and resolve exceptions."""

CASE_PROPOSER_ROLES: Final = ("supervisor", "payments", "compliance")
"""Roles that open cases and propose decisions on money."""

CASE_APPROVER_ROLES: Final = ("supervisor", "payments", "compliance")
"""Roles that approve or reject what another person proposed."""

DISPUTE_ROLES: Final = ("supervisor", "payments", "compliance")
"""Roles that open disputes and speak with customers about them."""

COMMENT_WRITER_ROLES: Final = ("supervisor", "payments", "compliance")
"""Roles that write comments on customers, rounds, cases and disputes."""

DISPUTE_DECIDER_ROLES: Final = ("supervisor", "compliance")
"""Roles that decide disputes that another person opened."""

RECONCILIATION_ROLES: Final = ("compliance", AUDITOR)
"""Roles that start a reconciliation."""

TABLE_SUSPENSION_ROLES: Final = ("supervisor",)
"""Roles that suspend and resume tables."""

UPLOAD_ROLES: Final = ("supervisor",)
"""Roles that upload feed files."""

EXPORT_ROLES: Final = ("supervisor", "compliance")
"""Roles that ask for exports and sign bundles, two persons each."""

BUNDLE_DELIVERY_ROLES: Final = ("compliance",)
"""Roles that record what was sent to the regulator, and the replies."""

LEGAL_HOLD_ROLES: Final = ("compliance",)
"""Roles that place legal holds."""

LEGAL_HOLD_LIFTER_ROLES: Final = ("supervisor", "compliance")
"""Roles that lift legal holds that another person placed."""

IMPACT_ROLES: Final = ("compliance",)
"""Roles that analyse what a changed rule would have paid."""

IMPACT_VIEWER_ROLES: Final = ("compliance", AUDITOR)
"""Roles that see the results."""

ARCHIVE_ROLES: Final = ("compliance", AUDITOR)
"""Roles that query the archive of closed months."""

DAY_CLOSING_ROLES: Final = ("compliance",)
"""Roles that close gaming days."""

TAX_RATE_ROLES: Final = ("compliance",)
"""Roles that set tax rates."""

VIDEO_ROLES: Final = ("supervisor", "compliance")
"""Roles that add the references of the videos of rounds."""

REPLAY_LINK_ROLES: Final = ("supervisor", "compliance")
"""Roles that make and revoke links to replays, for people outside: those that decide disputes."""

RULE_SIGNER_ROLES: Final = ("compliance",)
"""Roles that sign the rule sets of a release."""

STUDIO_KEY_PROPOSER_ROLES: Final = ("compliance",)
"""Roles that propose studio keys, in addition to the administrators."""

STUDIO_KEY_APPROVER_ROLES: Final = ("supervisor", "compliance")
"""Roles that approve studio keys, and unsigned rounds at a table, that another person proposed."""

STUDIO_KEY_REVOKER_ROLES: Final = ("supervisor", "compliance")
"""Roles that revoke studio keys and require signatures, in addition to the administrators."""

DEALER_VIEWER_ROLES: Final = ("supervisor", "compliance", AUDITOR)
"""Roles that see errors by dealer: figures about persons at work."""

REASON_ROLES: Final = ("compliance",)
"""Roles that keep the list of reasons."""

DISPUTE_TERM_ROLES: Final = ("compliance",)
"""Roles that set the deadlines for disputes."""

SIGNING_KEY_VIEWER_ROLES: Final = ("compliance", AUDITOR)
"""Roles that see people's signing keys, in addition to the administrators."""

SIGNING_KEY_APPROVER_ROLES: Final = ("compliance",)
"""Roles that approve and revoke other people's signing keys, and approve keys of the audit log, as
administrators do."""

LOG_GAP_PROPOSER_ROLES: Final = ("compliance",)
"""Roles that propose to declare records of the audit log lost."""

LOG_GAP_CONFIRMER_ROLES: Final = ("compliance",)
"""Roles that confirm what another person proposed so, as administrators do."""

SETTLEMENT_RESUMER_ROLES: Final = ("supervisor", "compliance")
"""Roles that resume settlement after a stop, two persons each time."""

ACCESS_VIEWER_ROLES: Final = ("compliance", AUDITOR)
"""Roles that see requested changes of people's access, in addition to the administrators."""

ADMINISTRATOR: Final = "administrator"
"""Manages users, sessions, API keys, registered tables and their limits; sees no money."""

MONEY_DECIDER_ROLES: Final = ("supervisor", "payments", "compliance")
"""Roles that decide about money; an administrator has none of them."""

ROLES: Final = (*VIEWER_ROLES, ADMINISTRATOR)


_ACTING: Final = ("rounds", "payouts", "exports", "monitoring", "impact", "archive", "signatures")
"""Apps with permissions to act."""

_ACTIONS: Final = {
    "handle_stuck_work": EXCEPTION_ROLES,
    "reconcile": RECONCILIATION_ROLES,
    "suspend_table": TABLE_SUSPENSION_ROLES,
    "analyse_impact": IMPACT_ROLES,
    "view_impactanalysis": IMPACT_VIEWER_ROLES,
    "query_archive": ARCHIVE_ROLES,
    "close_day": DAY_CLOSING_ROLES,
    "place_hold": LEGAL_HOLD_ROLES,
    "lift_hold": LEGAL_HOLD_LIFTER_ROLES,
    "view_bundle": (*EXPORT_ROLES, AUDITOR),
    "ask_export": EXPORT_ROLES,
    "view_taxrate": (*EXPORT_ROLES, AUDITOR),
    "set_tax_rate": TAX_RATE_ROLES,
    "sign_bundle": EXPORT_ROLES,
    "view_watch": VIEWER_ROLES,
    "view_dealingerror": DEALER_VIEWER_ROLES,
    "hand_in_bundle": BUNDLE_DELIVERY_ROLES,
    "propose_studio_key": STUDIO_KEY_PROPOSER_ROLES,
    "approve_studio_key": STUDIO_KEY_APPROVER_ROLES,
    "revoke_studio_key": STUDIO_KEY_REVOKER_ROLES,
    "manage_reasons": REASON_ROLES,
    "set_dispute_term": DISPUTE_TERM_ROLES,
    "upload_feed": UPLOAD_ROLES,
    "propose_decision": CASE_PROPOSER_ROLES,
    "approve_decision": CASE_APPROVER_ROLES,
    "open_dispute": DISPUTE_ROLES,
    "decide_dispute": DISPUTE_DECIDER_ROLES,
    "write_comment": COMMENT_WRITER_ROLES,
    "view_signingkey": SIGNING_KEY_VIEWER_ROLES,
    "decide_signing_key": SIGNING_KEY_APPROVER_ROLES,
    "approve_log_key": SIGNING_KEY_APPROVER_ROLES,
    "propose_log_gap": LOG_GAP_PROPOSER_ROLES,
    "confirm_log_gap": LOG_GAP_CONFIRMER_ROLES,
    "resume_settlement": SETTLEMENT_RESUMER_ROLES,
    "sign_rules": RULE_SIGNER_ROLES,
    "view_replaylink": VIEWER_ROLES,
    "make_replay_link": REPLAY_LINK_ROLES,
    "add_video": VIDEO_ROLES,
}
"""The roles that have each permission to act."""


def roles_with(permission: str) -> frozenset[str]:
    """The roles that have this permission to act, without its application."""
    roles = {*_ACTIONS.get(permission, ())}
    if any(permission in permissions for _app, permissions in _OF_ADMINISTRATORS):
        roles.add(ADMINISTRATOR)
    return frozenset(roles)


def grant_roles() -> dict[str, Group]:
    """Creates or updates every role with exactly its permissions; idempotent.

    Returns the groups by role. Takes three queries where nothing changes.
    """
    groups = {group.name: group for group in _groups()}
    for role, permissions in _permissions_by_role().items():
        if role not in groups:
            groups[role] = Group.objects.create(name=role)
        group = groups[role]
        if {permission.pk for permission in group.permissions.all()} != permissions:
            group.permissions.set(permissions)
    return {role: groups[role] for role in ROLES}


def _groups() -> Iterable[Group]:
    return Group.objects.filter(name__in=ROLES).prefetch_related("permissions")


def _permissions_by_role() -> dict[str, set[int]]:
    """The keys of each role's permissions."""
    keys = {
        (app, codename): key
        for app, codename, key in Permission.objects.values_list(
            "content_type__app_label", "codename", "pk"
        )
    }

    def named(apps: Iterable[str], codenames: Iterable[str]) -> set[int]:
        return {keys[name] for name in product(apps, codenames) if name in keys}

    facts = {
        key
        for (app, codename), key in keys.items()
        if app in _FACTS and codename.startswith("view_")
    }
    requests = named(["casino"], ["view_accessrequest"])
    roles = {
        role: facts
        | named(_ACTING, (codename for codename, roles in _ACTIONS.items() if role in roles))
        | (requests if role in ACCESS_VIEWER_ROLES else set())
        for role in VIEWER_ROLES
    }
    of_administrators = (named([app], permissions) for app, permissions in _OF_ADMINISTRATORS)
    return roles | {ADMINISTRATOR: set().union(*of_administrators)}


def is_powerful(roles: Collection[str]) -> bool:
    """Whether one of the roles decides anything; an auditor only views."""
    return bool(set(roles) - {AUDITOR})


def are_kept_apart(roles: Collection[str]) -> bool:
    """Whether one person may have these roles: administrators decide nothing about money."""
    return ADMINISTRATOR not in roles or not set(MONEY_DECIDER_ROLES).intersection(roles)


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
