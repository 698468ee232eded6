"""Hourly figures without the rounds behind them, for tests of comparisons."""

from typing import Any

from compliance.monitoring.models import HourlyDealing
from rounds.models import Table
from tests.payouts.gaming_days.day_scenarios import NOON


def dealt_by(dealer: str, rounds: int, errors: int, *, table: Table, **fields: Any) -> None:
    """An hour of a dealer with so many rounds and errors."""
    figures = {
        "hour": NOON,
        "rules": table.rules,
        "shift": "evening",
        "location": "Riga",
        "error_rounds": errors,
        "malfunctions": errors,
        "void_rounds": 0,
        "implausible": 0,
        "corrected": 0,
        "settled_rounds": rounds,
        "staked_cents": 0,
        "staked_chips_cents": 0,
        "payout_cents": 0,
        "payout_chips_cents": 0,
        **fields,
    }
    HourlyDealing.objects.create(
        table=table, dealer=dealer, rounds=rounds, errors=errors, **figures
    )
