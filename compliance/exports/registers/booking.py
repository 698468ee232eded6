"""SQL: into the books of which day something goes.

That is its day of play in Rome. Here, and only here, the registers say so.
"""

from typing import Final

ROUND_ON: Final = "(round.opened_at AT TIME ZONE 'Europe/Rome')::date"
"""The day that a round is booked on."""

ROUND_IS_OF_DAY: Final = """
    round.opened_at >= %(day)s::date::timestamp AT TIME ZONE 'Europe/Rome'
    AND round.opened_at < (%(day)s::date + 1)::timestamp AT TIME ZONE 'Europe/Rome'
"""

SETTLED_ON: Final = ROUND_ON
"""The day that a settlement is booked on, beside its round."""

SETTLEMENT_IS_OF_DAY: Final = ROUND_IS_OF_DAY
