"""The audit actions that this package records, with their labels."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

ACTIONS: Final[dict[str, str | Promise]] = {
    "LIST_DOWNLOADED": gettext_lazy("List downloaded"),
    "LIST_IMPORTED": gettext_lazy("List imported"),
    "RELEASE_DIFFERS": gettext_lazy("Installed files differ from the release"),
    "RELEASE_VERIFIED": gettext_lazy("Installed files compared with the release"),
    "SANDBOX_RESET": gettext_lazy("Sandbox reset"),
    "LOGGED_IN": gettext_lazy("Logged in"),
    "LOGIN_FAILED": gettext_lazy("Login failed"),
    "LOCKED_OUT": gettext_lazy("Account locked after failed logins"),
    "ACCOUNT_UNLOCKED": gettext_lazy("Account unlocked"),
    "IDENTITY_CONFIRMED": gettext_lazy("Identity confirmed"),
    "RECOVERY_CODE_USED": gettext_lazy("Recovery code used"),
    "RECOVERY_CODES_MADE": gettext_lazy("Recovery codes created"),
    "FACTOR_ADDED": gettext_lazy("Second factor added"),
    "FACTOR_REMOVED": gettext_lazy("Second factor removed"),
    "FACTORS_RESET": gettext_lazy("Second factors reset"),
    "IDENTITY_CONNECTED": gettext_lazy("Account connected with single sign-on"),
    "IDENTITY_DISCONNECTED": gettext_lazy("Account disconnected from single sign-on"),
    "LOGGED_OUT": gettext_lazy("Logged out"),
    "SESSION_ENDED": gettext_lazy("Session ended"),
    "PASSWORD_CHANGED": gettext_lazy("Password changed"),
    "PASSWORD_RESET": gettext_lazy("Password reset"),
    "ACCOUNT_CREATED": gettext_lazy("Account created"),
    "ACCOUNT_CHANGED": gettext_lazy("Account changed"),
    "ACCOUNT_CLOSED": gettext_lazy("Account closed"),
    "ACCOUNT_REOPENED": gettext_lazy("Account reopened"),
    "ROLES_CHANGED": gettext_lazy("Roles changed"),
    "ACCESS_REQUESTED": gettext_lazy("Access change requested"),
    "ACCESS_CHANGED": gettext_lazy("Access changed by one administrator"),
    "ACCESS_APPROVED": gettext_lazy("Access change approved"),
    "ACCESS_REJECTED": gettext_lazy("Access change rejected"),
    "ACCESS_REDUCED": gettext_lazy("Roles removed by the directory"),
    "DIRECTORY_ROLE_ASKED": gettext_lazy("Role asked for by the directory"),
    "DIRECTORY_ROLE_WITHDRAWN": gettext_lazy("Role withdrawn by the directory"),
    "DIRECTORY_REFUSED": gettext_lazy("Directory refused: the last administrators"),
    "DIRECTORY_ACCOUNT_ADDED": gettext_lazy("Account handed to the directory"),
    "DIRECTORY_ACCOUNT_RELEASED": gettext_lazy("Account taken from the directory"),
    "ADMINISTRATOR_MADE": gettext_lazy("Administrator created by command line"),
    "ROLES_GIVEN_ON_HOST": gettext_lazy("Roles given by command line"),
    "PAGE_VIEWED": gettext_lazy("Page viewed"),
}

ANNOUNCED: Final[Mapping[str, str]] = {
    "LOGGED_OUT": "access",
    "SESSION_ENDED": "access",
    "PASSWORD_CHANGED": "access",
    "PASSWORD_RESET": "access",
    "FACTORS_RESET": "access",
    "ACCOUNT_CLOSED": "access",
    "ACCOUNT_REOPENED": "access",
    "ROLES_CHANGED": "access",
    "ACCESS_REQUESTED": "access",
    "ACCESS_APPROVED": "access",
    "ACCESS_REJECTED": "access",
    "ACCESS_REDUCED": "access",
    "DIRECTORY_ROLE_ASKED": "access",
    "DIRECTORY_ROLE_WITHDRAWN": "access",
}
"""Records that open pages learn of: the kind of topic by the kind of subject or the action."""
