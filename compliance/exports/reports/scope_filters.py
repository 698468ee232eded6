"""SQL: scope conditions for reports that do not start from the booked rounds."""

from typing import Final

ROUND_IN_SCOPE: Final = """
    (%(game)s::text IS NULL OR split_part(round.rules, '/', 1) = %(game)s)
    AND (%(rules)s::text IS NULL OR round.rules = %(rules)s)
    AND (%(table)s::text IS NULL OR dealt_at.code = %(table)s)
"""
"""Condition on ``round`` and its table ``dealt_at``, without the days."""

DAY_OF_SCOPE: Final = "BETWEEN %(first_day)s::date AND %(last_day)s::date"
