"""Reports required by testing laboratories (GLI-19), declared like registers.

They take the parameters of registers, and also ``declared_returns`` (``reports.declared_returns``)
and ``large_win_cents``, the threshold of large wins. Days of a scope are booking days for rounds,
and calendar days in Rome for audit records.
"""

from typing import Final

from compliance.exports.registers.register import Register
from compliance.exports.reports.alterations import ALTERATIONS
from compliance.exports.reports.game_performance import GAME_PERFORMANCE
from compliance.exports.reports.large_wins import LARGE_WINS
from compliance.exports.reports.significant_events import SIGNIFICANT_EVENTS

REPORTS: Final[tuple[Register, ...]] = (
    GAME_PERFORMANCE,
    LARGE_WINS,
    SIGNIFICANT_EVENTS,
    ALTERATIONS,
)
"""In display order."""
