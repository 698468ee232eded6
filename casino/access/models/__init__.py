"""Sessions, failed logins, access requests and their notices, proof of roles."""

from casino.access.models.directory import DirectoryAccount, DirectoryMembership
from casino.access.models.logins import LoginFailure
from casino.access.models.requests import AccessDecision, AccessEvent, AccessNotice, AccessRequest
from casino.access.models.roles import EarlierRoles, HostRecord
from casino.access.models.sessions import OpenSession

__all__ = [
    "AccessDecision",
    "AccessEvent",
    "AccessNotice",
    "AccessRequest",
    "DirectoryAccount",
    "DirectoryMembership",
    "EarlierRoles",
    "HostRecord",
    "LoginFailure",
    "OpenSession",
]
