"""The audit actions of this package that need the actor's signature."""

from typing import Final

SIGNED: Final = frozenset({"BONUS_WEIGHTS_SET", "BONUS_WEIGHTS_APPROVED"})
