"""The audit actions that need the actor's signature, and the permission that each needs."""

from collections.abc import Mapping
from typing import Final

SIGNED: Final[Mapping[str, str | None]] = {
    "STUDIO_KEY_PROPOSED": "propose_studio_key",
    "STUDIO_KEY_APPROVED": "approve_studio_key",
    "STUDIO_KEY_REVOKED": "revoke_studio_key",
    "RULES_SIGNED": "sign_rules",
    "SIGNATURES_REQUIRED": "revoke_studio_key",
    "UNSIGNED_ROUNDS_PROPOSED": "propose_studio_key",
    "UNSIGNED_ROUNDS_ALLOWED": "approve_studio_key",
    "LIMITS_DECIDED": "limit_stakes",
    "TABLE_SUSPENDED": "suspend_table",
    "TABLE_RESUMED": "suspend_table",
}
