"""The audit actions of this package that need the actor's signature."""

from typing import Final

SIGNED: Final = frozenset(
    {
        "STUDIO_KEY_PROPOSED",
        "STUDIO_KEY_APPROVED",
        "STUDIO_KEY_REVOKED",
        "RULES_SIGNED",
        "SIGNATURES_REQUIRED",
        "UNSIGNED_ROUNDS_PROPOSED",
        "UNSIGNED_ROUNDS_ALLOWED",
        "LIMITS_DECIDED",
        "TABLE_SUSPENDED",
        "TABLE_RESUMED",
    }
)
