"""The checks of other packages, which ``verify_trail`` runs after those of the trail.

An application declares them in ``trail_checks.CHECKS``, as it declares its audit actions.
"""

from collections.abc import Callable

from compliance.storage.app_declarations import declarations

Report = Callable[[str], None]
"""Receives a description of each fault."""

Check = Callable[[Report], str]
"""Reads its data in the open transaction, reports faults, returns a summary of what it read."""


def run_extra_checks(report: Report) -> list[str]:
    """Runs the checks of all applications; returns their summaries."""
    return [
        check(report)
        for _name, checks in declarations("trail_checks", "CHECKS")
        for check in checks
    ]
