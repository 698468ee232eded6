"""SQL: what a scope leaves of rounds, for reports that do not begin with its booked rounds."""

from typing import Final

ROUND_IN_SCOPE: Final = """
    (%(game)s::text IS NULL OR split_part(round.rules, '/', 1) = %(game)s)
    AND (%(rules)s::text IS NULL OR round.rules = %(rules)s)
    AND (%(table)s::text IS NULL OR dealt_at.code = %(table)s)
"""
"""Of ``round`` at the table ``dealt_at``, whatever its day."""

DAY_OF_SCOPE: Final = "BETWEEN %(first_day)s::date AND %(last_day)s::date"
