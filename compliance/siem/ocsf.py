"""The part of the Open Cybersecurity Schema Framework (OCSF) that Sabot's events use.

Names and numbers are those of OCSF 1.5.0, which later versions keep: https://schema.ocsf.io/1.5.0/.
"""

from collections.abc import Mapping
from enum import IntEnum
from typing import Final, NamedTuple

VERSION: Final = "1.5.0"
OTHER: Final = 99
"""The activity of what OCSF has no name for."""


class Severity(IntEnum):
    """How much a security team should care."""

    INFORMATIONAL = 1
    LOW = 2
    MEDIUM = 3
    HIGH = 4
    CRITICAL = 5


class Status(IntEnum):
    """Whether the activity succeeded."""

    SUCCESS = 1
    FAILURE = 2


class EventClass(NamedTuple):
    """A class of events: its number, caption and category, and the activities that it names."""

    uid: int
    caption: str
    category: str
    activities: Mapping[str, int]

    @property
    def category_uid(self) -> int:
        """The number of the category, which that of the class begins with."""
        return self.uid // 1000


FINDING: Final = EventClass(2004, "Detection Finding", "Findings", {"Create": 1})
ACCOUNT: Final = EventClass(
    3001,
    "Account Change",
    "Identity & Access Management",
    {
        "Create": 1,
        "Enable": 2,
        "Password Change": 3,
        "Password Reset": 4,
        "Disable": 5,
        "Lock": 9,
        "MFA Factor Enable": 10,
        "MFA Factor Disable": 11,
        "Unlock": 12,
    },
)
AUTHENTICATION: Final = EventClass(
    3002, "Authentication", "Identity & Access Management", {"Logon": 1, "Logoff": 2}
)
ENTITY: Final = EventClass(
    3004,
    "Entity Management",
    "Identity & Access Management",
    {
        "Create": 1,
        "Read": 2,
        "Update": 3,
        "Delete": 4,
        "Enroll": 6,
        "Unenroll": 7,
        "Enable": 8,
        "Disable": 9,
        "Activate": 10,
        "Deactivate": 11,
        "Suspend": 12,
        "Resume": 13,
    },
)
USER_ACCESS: Final = EventClass(
    3005,
    "User Access Management",
    "Identity & Access Management",
    {"Assign Privileges": 1, "Revoke Privileges": 2},
)
WEB_RESOURCE: Final = EventClass(
    6001, "Web Resources Activity", "Application Activity", {"Read": 2, "Import": 6, "Export": 7}
)
APPLICATION: Final = EventClass(
    6002, "Application Lifecycle", "Application Activity", {"Enable": 6, "Update": 8}
)
API: Final = EventClass(
    6003,
    "API Activity",
    "Application Activity",
    {"Create": 1, "Read": 2, "Update": 3, "Delete": 4},
)
CLASSES: Final = (
    FINDING,
    ACCOUNT,
    AUTHENTICATION,
    ENTITY,
    USER_ACCESS,
    WEB_RESOURCE,
    APPLICATION,
    API,
)
