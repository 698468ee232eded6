"""The models of people's access, where Django finds them."""

from casino.access.models import (
    AccessDecision,
    AccessEvent,
    AccessNotice,
    AccessRequest,
    DirectoryAccount,
    DirectoryMembership,
    LoginFailure,
    OpenSession,
)

__all__ = [
    "AccessDecision",
    "AccessEvent",
    "AccessNotice",
    "AccessRequest",
    "DirectoryAccount",
    "DirectoryMembership",
    "LoginFailure",
    "OpenSession",
]
