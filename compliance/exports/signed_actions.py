"""The audit actions that need the actor's signature, and the permission that each needs."""

from collections.abc import Mapping
from typing import Final

SIGNED: Final[Mapping[str, str | None]] = {
    "BUNDLE_SIGNED": "sign_bundle",
    "BUNDLE_SET_ASIDE": "sign_bundle",
    "BUNDLE_SENT": "hand_in_bundle",
    "BUNDLE_RECEIVED": "hand_in_bundle",
    "BUNDLE_REFUSED": "hand_in_bundle",
    "TAX_RATE_SET": "set_tax_rate",
}
