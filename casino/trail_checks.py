"""The checks of this package that ``verify_trail`` runs."""

from typing import Final

from casino.access.verification.verify_roles import verify_roles
from compliance.trail.extra_checks import Check

CHECKS: Final[tuple[Check, ...]] = (verify_roles,)
