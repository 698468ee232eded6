"""The checks of this package that ``verify_trail`` runs."""

from typing import Final

from compliance.trail.extra_checks import Check
from payouts.carried_forward.detached_months import KEEP_MONTHS
from payouts.cases.verify_cases import verify_cases
from payouts.integrity.verify_schema import report_schema_differences
from payouts.reconciliation.checks.all_checks import verify_facts_and_money
from payouts.settlement.verify_rules import verify_settled_rules

LOCKS: Final = (KEEP_MONTHS,)
CHECKS: Final[tuple[Check, ...]] = (
    report_schema_differences,
    verify_facts_and_money,
    verify_cases,
    verify_settled_rules,
)
