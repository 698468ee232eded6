"""The audit actions of this package that need the actor's signature."""

from typing import Final

SIGNED: Final = frozenset(
    {
        "BUNDLE_SIGNED",
        "BUNDLE_SET_ASIDE",
        "BUNDLE_SENT",
        "BUNDLE_RECEIVED",
        "BUNDLE_REFUSED",
        "TAX_RATE_SET",
    }
)
