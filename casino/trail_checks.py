"""The checks of this package that ``verify_trail`` runs."""

from typing import Final

from casino.access.verification.verify_roles import verify_roles
from casino.operations.verify_schema import report_schema_differences
from compliance.trail.extra_checks import Check

CHECKS: Final[tuple[Check, ...]] = (report_schema_differences, verify_roles)
