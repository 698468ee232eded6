"""The audit actions of this package that need the actor's signature."""

from typing import Final

SIGNED: Final = frozenset(
    {
        "LOG_KEY_APPROVED",
        "SIGNING_KEY_APPROVED",
        "SIGNING_KEY_REJECTED",
        "SIGNING_KEY_REVOKED",
    }
)
