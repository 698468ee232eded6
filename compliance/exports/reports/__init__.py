"""Standing reports, as test laboratories ask for them (after GLI-19), declared like registers.

They take the parameters of every register, and two of their own: ``declared_returns``
(``compliance.exports.reports.returns``) and ``large_win_cents``, from which on a win is large.
Scopes are inclusive days, of the books where a report is about rounds, of the calendar in Rome
where it is about audit records.
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
"""In the order in which they are offered."""
