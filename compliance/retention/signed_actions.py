"""The audit actions of this package that need the actor's signature."""

from typing import Final

SIGNED: Final = frozenset({"HOLD_PLACED", "HOLD_LIFTED"})
