"""The audit actions of this package that need the actor's signature."""

from typing import Final

SIGNED: Final = frozenset(
    {
        "LOG_GAP_CONFIRMED",
        "LOG_GAP_PROPOSED",
        "LOG_KEY_APPROVED",
        "SIGNING_KEY_APPROVED",
        "SIGNING_KEY_REJECTED",
        "SIGNING_KEY_REVOKED",
    }
)
